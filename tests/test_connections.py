"""Connections end: silent, half-sent and slow ones, and those above a limit; files run out for nobody else."""

import os
import random
import socket
import ssl
import subprocess
import sys
import time
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from punto.service.accounts.account import guest_name
from punto.service.devices.feed import MOST, MOST_STRANGERS
from punto.service.http.doors import DEVICE_FILES, limits_of
from punto.service.http.holders import FREE, Holder, Holders
from punto.service.http.protocols import MOST_WAITING
from punto.service.settings import Settings
from service_process import HOST, PATIENCE, Database, People, Service, bearer, database, opening, until
from warm_start import warm_starts

ALL, OF_ONE = 30, 12
RANK = "table-game-shift-manager"
PASSWORD = "a long enough password"
HEAD = b"GET /health HTTP/1.1\r\nHost: x\r\n"
POST = b"POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n"


@pytest.fixture(scope="module")
def store() -> Iterator[Database]:
    with database("sqlite") as made:
        yield made


@pytest.fixture(scope="module")
def tokens(store: Database) -> dict[str, str]:
    """Sessions of a shift manager, a patron, and somebody who came in as a guest; bob has a password."""
    people = People(store.url)
    people.staff("lee", RANK)
    people.patron("ann")
    people.tokens["guest"] = people.patron(guest_name())
    people.with_password("bob", PASSWORD)
    people.close()
    return people.tokens


@pytest.fixture(scope="module")
def service(store: Database, tokens: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The real service with little patience, few connections, and a table."""
    lee = tokens["lee"]
    impatient = {"head_seconds": 1, "body_seconds": 1, "idle_seconds": 1, "ping_seconds": 0.5, "unsent_seconds": 1}
    few = {"connections": ALL, "connections_by_address": OF_ONE, "bytes_a_second": 16 * 1024}
    with Service(tmp_path_factory.mktemp("connections"), store.url, warm_starts(), **impatient, **few) as made:
        made.start()
        path = f"{made.address}/api/tables/t/commands"
        assert httpx.post(path, json=opening("wu-song"), headers=bearer(lee), timeout=600).status_code == 200
        yield made


def line_from(service: Service, address: str = HOST) -> socket.socket:
    """A connection that comes from an address of this machine."""
    return socket.create_connection((HOST, service.port), timeout=PATIENCE, source_address=(address, 0))


def rest_of(line: socket.socket) -> bytes:
    """Everything until the other side closes."""
    found = b""
    with suppress(ConnectionError):
        while part := line.recv(65536):
            found += part
    return found


def figure(service: Service, name: str) -> float:
    """A figure of the service."""
    text = httpx.get(f"{service.address}/metrics", timeout=PATIENCE).text
    return sum(float(each.rpartition(" ")[2]) for each in text.splitlines() if each.startswith(name))


def test_connections_that_go_no_further_end(service: Service) -> None:
    """Silent; begun; half a head; empty lines; no body; half a body; idle after an answer."""
    with ExitStack() as held:
        lines = []
        for sent in (b"", b"GE", HEAD, b"\r\n", POST, POST + b'{"name":', HEAD + b"\r\n"):
            lines.append(held.enter_context(line_from(service)))
            lines[-1].sendall(sent)
        for line in lines:
            rest_of(line)  # returns only because the service closes


def test_connections_that_go_on_drop_by_drop_end(service: Service) -> None:
    """A head line by line; empty lines before a head, and after an answer; a body byte by byte."""
    end = time.monotonic() + PATIENCE
    with ExitStack() as held:
        going = {}
        for first, drop in ((HEAD, b"X: 1\r\n"), (b"", b"\r\n"), (POST, b" "), (HEAD + b"\r\n", b"\r\n")):
            line = held.enter_context(line_from(service))
            line.sendall(first)
            line.settimeout(0.05)
            going[line] = drop
        while going:
            assert time.monotonic() < end, f"these go on for ever: {list(going.values())}"
            for line, drop in list(going.items()):
                with suppress(TimeoutError):
                    if not _goes_on(line, drop):
                        del going[line]


def _goes_on(line: socket.socket, drop: bytes) -> bool:
    try:
        line.sendall(drop)
        return bool(line.recv(65536))
    except ConnectionError:
        return False


def test_whoever_takes_nothing_of_an_answer_is_dropped(service: Service) -> None:
    before = figure(service, 'punto_connections_ended_total{late="answer"}')
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect((HOST, service.port))
        line.sendall(b"GET /api/schema/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * MOST_WAITING)
        until(lambda: figure(service, 'punto_connections_ended_total{late="answer"}') > before, "the end of it")


def test_a_socket_that_answers_no_ping_ends(service: Service) -> None:
    with line_from(service) as line:
        line.sendall(upgrade(service))
        assert b"101 Switching Protocols" in rest_of(line)


def upgrade(service: Service) -> bytes:
    """The request for a socket."""
    key = b64encode(os.urandom(16)).decode()
    head = f"GET /api/tables/t/stream HTTP/1.1\r\nHost: {HOST}:{service.port}\r\nConnection: Upgrade\r\n"
    return f"{head}Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode()


def test_few_requests_wait_on_a_connection_for_an_answer(service: Service) -> None:
    """Each takes a hundred times the room of what was sent, so that a stranger would take all memory."""
    with line_from(service, "127.0.0.4") as line:
        with suppress(ConnectionError):
            line.sendall((HEAD + b"\r\n") * 1000)
        assert rest_of(line).count(b"HTTP/1.1 200") <= MOST_WAITING + 1
    with line_from(service, "127.0.0.4") as line:
        line.sendall((HEAD + b"\r\n") * (MOST_WAITING + 1))
        assert rest_of(line).count(b"HTTP/1.1 200") == MOST_WAITING + 1
    assert asked(service, "/health", "127.0.0.4")[0] == 200
    assert "Exception in callback" not in service.said()


def test_a_head_has_few_lines_and_a_body_few_pieces(service: Service) -> None:
    """Each takes time, however short it is."""
    body = b'{"name": "a", "password": "b"}'
    chunked = POST.replace(b"Content-Length: 500", b"Transfer-Encoding: chunked")
    end = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    for sent, status in (
        (HEAD + b"A:b\r\n" * 200 + b"\r\n", b"200"),
        (HEAD + b"A:b\r\n" * 400 + b"\r\n", b"431"),
        (chunked + b"1\r\n \r\n" * 500 + end, b"403"),
        (chunked + b"1\r\n \r\n" * 5000 + end, b"400"),
    ):
        with line_from(service, "127.0.0.4") as line:
            with suppress(ConnectionError):
                line.sendall(sent)
            assert rest_of(line).split()[1] == status


@pytest.mark.parametrize(
    ("first", "frame"),
    [
        (b"", b"\x89\x80\0\0\0\0"),
        (b"", b"\x8a\x80\0\0\0\0"),
        (b"\x01\x80\0\0\0\0", b"\x00\x80\0\0\0\0"),
        (b"", b"\x81\x80\0\0\0\0"),
    ],
    ids=["pings", "pongs", "pieces", "messages"],
)
def test_a_socket_sends_so_many_frames_and_no_more(service: Service, first: bytes, frame: bytes) -> None:
    """Empty ones, forty thousand of which are in what is read at once: nobody else would have a turn."""
    with line_from(service, "127.0.0.4") as line:
        line.sendall(upgrade(service))
        assert b"101 Switching Protocols" in line.recv(65536)
        with suppress(ConnectionError):
            line.sendall(first + frame * 30_000)
        said = rest_of(line)
    assert not said or (1008).to_bytes(2) in said
    assert asked(service, "/health", "127.0.0.4")[0] == 200


def test_one_connection_sends_so_much_and_no_more(service: Service) -> None:
    with line_from(service) as line:
        with suppress(ConnectionError):
            line.sendall((HEAD + b"X-Long: " + b"a" * 8000 + b"\r\n\r\n") * 60)
        answers = rest_of(line)
    assert answers.count(b"HTTP/1.1 200") < 60
    address = f"ws://{HOST}:{service.port}/api/tables/t/stream"
    opened = connect(address, open_timeout=PATIENCE, compression=None)
    with opened, pytest.raises(ConnectionClosed) as closed:
        send_for_ever(opened)
    assert closed.value.rcvd is None or closed.value.rcvd.code == 1008


def send_for_ever(line: ClientConnection) -> None:
    """Send messages, and read what is answered, until the socket is closed."""
    for _ in range(1000):
        line.send("a" * 8000)
        line.recv(timeout=PATIENCE)
    raise AssertionError("it goes on for ever")


def follow(service: Service, address: str, token: str = "") -> ClientConnection:
    """A socket from an address, which stays open."""
    return connect(
        f"ws://{HOST}:{service.port}/api/tables/t/stream",
        sock=line_from(service, address),
        open_timeout=600,
        additional_headers=bearer(token) if token else {},
    )


def asked(service: Service, path: str, address: str, token: str = "") -> tuple[int, str]:
    """What an address is answered."""
    with httpx.Client(transport=httpx.HTTPTransport(local_address=address), timeout=PATIENCE) as client:
        found = client.get(f"{service.address}{path}", headers=bearer(token) if token else {})
        return found.status_code, found.text


ALL_TAKEN = (503, "All connections are taken: try again in a moment.")


@pytest.fixture
def empty(service: Service) -> Service:
    """The service when whoever was there before has gone."""
    until(lambda: figure(service, "punto_connections ") <= 1, "others to go")
    return service


def is_open(line: ClientConnection) -> bool:
    """Whether a socket has not been closed by the service."""
    try:
        while True:
            line.recv(timeout=0)
    except TimeoutError:
        return True
    except ConnectionClosed:
        return False


def test_one_address_has_a_part_of_the_connections(empty: Service, tokens: dict[str, str]) -> None:
    """Whoever is known has a place of their own, also at that address; and health is told to everybody."""
    with ExitStack() as held:
        for _ in range(OF_ONE):
            held.enter_context(follow(empty, "127.0.0.2"))
        too_many = (429, "There are too many connections from this address.")
        assert asked(empty, "/api/tables", "127.0.0.2") == too_many
        assert asked(empty, "/api/tables", "127.0.0.2", "e30." + "A" * 43) == too_many, "it was not signed by the house"
        assert asked(empty, "/health", "127.0.0.2")[0] == 200
        assert asked(empty, "/api/tables", "127.0.0.3")[0] == 200
        for name in ("lee", "ann"):
            assert asked(empty, "/api/tables", "127.0.0.2", tokens[name])[0] == 200
        knocking = [held.enter_context(line_from(empty, "127.0.0.2")) for _ in range(60)]
        assert asked(empty, "/health", "127.0.0.3")[0] == 200
        assert asked(empty, "/api/tables", "127.0.0.2", tokens["lee"])[0] == 200
        assert knocking
    until(lambda: '"connections turned away"' in empty.said(), "the line in the log")


def test_whoever_holds_most_gives_way(empty: Service) -> None:
    """Four addresses, or any number, do not take all: whoever would hold less than another comes in."""
    with ExitStack() as held:
        lines = {
            address: [held.enter_context(follow(empty, address)) for _ in range(number)]
            for address, number in {"127.0.0.2": OF_ONE, "127.0.0.3": 9, "127.0.0.4": ALL - OF_ONE - 9}.items()
        }
        assert asked(empty, "/api/tables", "127.0.0.5")[0] == 200
        late = [held.enter_context(follow(empty, "127.0.0.5")) for _ in range(ALL // 4)]
        until(lambda: not is_open(lines["127.0.0.2"][-1]), "the latest of them to give way")
        assert lines["127.0.0.2"][-1].close_code == 1013

        def left() -> list[list[bool]]:
            return [[is_open(each) for each in there] for there in lines.values()]

        until(lambda: sorted(map(sum, left())) == [7, 8, 8], "all to have their share")
        assert all(there == sorted(there, reverse=True) for there in left()), "the latest have given way"
        assert all(is_open(each) for each in late)
        assert asked(empty, "/health", "127.0.0.5")[0] == 200
        for number in range(1, 60):
            held.enter_context(line_from(empty, f"127.0.1.{number}"))
        assert asked(empty, "/health", "127.0.0.6")[0] == 200, "whoever waits in the reserve makes room"
    until(lambda: asked(empty, "/api/tables", "127.0.0.5")[0] == 200, "the others to go")


def test_as_many_addresses_as_connections_keep_out_nobody_who_is_known(empty: Service, tokens: dict[str, str]) -> None:
    """Strangers are told that all are taken. Sessions of accounts come in, and browsers that have logged in before."""
    with httpx.Client(base_url=empty.address, timeout=PATIENCE) as browser:
        logged_in = browser.post("/api/login", json={"name": "bob", "password": PASSWORD})
        assert logged_in.status_code == 200
        known = logged_in.cookies["punto-known"]
    until(lambda: figure(empty, "punto_connections ") <= 1, "the browser to go")
    with ExitStack() as held:
        for number in range(ALL):
            held.enter_context(follow(empty, f"127.0.2.{number + 1}"))
        assert asked(empty, "/api/tables", "127.0.0.5") == ALL_TAKEN
        assert asked(empty, "/api/tables", "127.0.0.5", tokens["guest"]) == ALL_TAKEN, "anybody is a guest"
        assert asked(empty, "/health", "127.0.0.5")[0] == 200
        mine = [held.enter_context(follow(empty, "127.0.0.5", tokens["lee"])) for _ in range(FREE)]
        assert asked(empty, "/api/tables", "127.0.0.5", tokens["ann"])[0] == 200
        again = httpx.post(
            f"{empty.address}/api/login",
            json={"name": "bob", "password": PASSWORD},
            headers={"Cookie": f"punto-known={known}"},
            timeout=PATIENCE,
        )
        assert again.status_code == 200
        assert all(is_open(each) for each in mine)


def test_one_account_takes_no_place_of_others(empty: Service, tokens: dict[str, str]) -> None:
    """Somebody whom the house knows gives way like anybody else, but for the few that a browser has."""
    with ExitStack() as held:
        lees = [held.enter_context(follow(empty, "127.0.0.2", tokens["lee"])) for _ in range(2)]
        anns = [held.enter_context(follow(empty, f"127.0.3.{at}", tokens["ann"])) for at in range(1, OF_ONE + 1)]
        for number in range(ALL - OF_ONE - 2):
            held.enter_context(follow(empty, f"127.0.2.{number + 1}"))
        for number in range(OF_ONE - FREE - 1):
            held.enter_context(follow(empty, f"127.0.4.{number + 1}"))
        until(lambda: [is_open(each) for each in anns] == [True] * (FREE + 1) + [False] * 3, "ann to give way")
        assert asked(empty, "/api/tables", "127.0.0.5") == ALL_TAKEN
        assert all(is_open(each) for each in lees)


class ByCounting:
    """Who gives way, found by counting all connections each time, as the words of the rule say it."""

    def __init__(self) -> None:
        self.all: list[tuple[int, Holder]] = []

    def gives_way_to(self, new: Holder) -> set[int]:
        """The connections of which any may give way."""
        site = self.site(new)
        of_site = Counter(each.name for _, each in self.all if each.kind == "address" and self.site(each) == site)
        if new.kind == "address" and of_site and max(of_site.values()) > of_site[new.name] + 1:
            return self.latest({name for name, number in of_site.items() if number == max(of_site.values())}, "address")
        held = {each: sum(other == each for _, other in self.all) for _, each in self.all}
        sites = Counter(self.site(each) for _, each in self.all if each.kind == "address")
        accounts = {each.name: number - FREE for each, number in held.items() if each.kind == "account"}
        would = {"address": sites[site] + 1, "account": max(held.get(new, 0) + 1 - FREE, 0), "proxy": 0}[new.kind]
        most = max((*sites.values(), *accounts.values(), 0))
        if most <= would:
            return set()
        if most not in sites.values():
            return self.latest({name for name, number in accounts.items() if number == most}, "account")
        names = set()
        for found, number in sites.items():
            inside = {
                each.name: many for each, many in held.items() if each.kind == "address" and self.site(each) == found
            }
            if number == most:
                names |= {name for name, many in inside.items() if many == max(inside.values())}
        return self.latest(names, "address")

    def site(self, holder: Holder) -> str:
        return holder.name.split(":", 3)[2] if holder.name.startswith("2001:db8:") else holder.name

    def latest(self, names: set[str], kind: str) -> set[int]:
        return {max(at for at, each in self.all if (each.name, each.kind) == (name, kind)) for name in names}


@pytest.mark.parametrize("seed", range(20))
def test_who_gives_way_is_whoever_holds_most(seed: int) -> None:
    luck = random.Random(seed)
    places = [Holder(f"192.0.2.{number}") for number in range(4)]
    places += [Holder(f"2001:db8:{site}:{number}::/64") for site in range(2) for number in range(3)]
    places += [Holder(name, "account") for name in ("ann", "bob")] + [Holder("10.0.0.1", "proxy")]
    weights = [luck.random() ** 3 for _ in places]
    holders: Holders[int] = Holders()
    counted = ByCounting()
    for number in range(400):
        newcomer = luck.choices(places, weights)[0]
        if len(counted.all) >= 40:
            expected = counted.gives_way_to(newcomer)
            found = holders.gives_way_to(newcomer)
            assert found in expected if expected else found is None
            leaver = luck.choice(counted.all)[0] if found is None or luck.random() < 0.1 else found
            holders.leave(leaver)
            counted.all = [each for each in counted.all if each[0] != leaver]
        holders.enter(number, newcomer)
        counted.all.append((number, newcomer))
        assert (len(holders), sorted(holders)) == (len(counted.all), sorted(at for at, _ in counted.all))


def test_all_files_that_the_system_allows_are_used_and_some_are_kept() -> None:
    code = (
        "import resource; from punto.service.http.doors import limits_of, raise_file_limit;"
        "from punto.service.settings import Settings;"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (200, 600));"
        "files = raise_file_limit(); found = limits_of(Settings(), files);"
        "print(files, found.connections, found.by_address, limits_of(Settings(connections=10**6), files).connections)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["600", "440", "110", "440"]


def test_card_reading_shoes_take_no_files_of_connections() -> None:
    assert DEVICE_FILES > MOST + MOST_STRANGERS
    with_port, without = limits_of(Settings(feed_port=9000), 4096), limits_of(Settings(), 4096)
    assert without.connections - with_port.connections == DEVICE_FILES


def test_a_tls_handshake_has_its_time_too(tmp_path: Path) -> None:
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    files = {"certificate": f"{tmp_path}/c.pem", "certificate_key": f"{tmp_path}/k.pem"}
    out = ["-subj", "/CN=localhost", "-out", files["certificate"], "-keyout", files["certificate_key"]]
    subprocess.run([*made, *out], check=True, capture_output=True)
    with Service(tmp_path, f"sqlite:///{tmp_path}/tls.db", warm_starts(), head_seconds=0.5, **files) as service:
        service.start(wait=False)
        until(lambda: '"what": "open"' in service.said(), "the service")
        with line_from(service) as line:
            rest_of(line)  # not a byte was sent, and it closes
        trusted = ssl.create_default_context(cafile=files["certificate"])
        trusted.check_hostname = False
        with trusted.wrap_socket(line_from(service)) as line:
            line.sendall(HEAD + b"Connection: close\r\n\r\n")
            assert rest_of(line).startswith(b"HTTP/1.1 200")
        with trusted.wrap_socket(line_from(service)) as line:
            line.sendall(upgrade(service))
            assert line.recv(65536).startswith(b"HTTP/1.1 101"), "a socket goes on in the place of its request"
