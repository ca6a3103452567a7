"""The API does what its OpenAPI document says: schemathesis makes requests from it, good and bad, as everybody.

What somebody would try first is tried by hand: numbers and texts at and beyond every border, in every place.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import msgspec
import pytest
import schemathesis
from schemathesis.core.failures import Failure

from punto.table.codec import COMMANDS, EVENTS
from service_process import People, Service, bearer, database, opening
from warm_start import warm_starts

TABLE, PLAYED, TRIED = "one", "two", "three"
DATABASES = ("sqlite", "postgresql")


NUMBER = "0123456789abcdef"
"""A request to the cage that nobody has made."""


class House:
    """The service with three tables, and people: the staff, a patron, and nobody."""

    def __init__(self, kind: str, service: Service, tokens: dict[str, str]) -> None:
        self.kind, self.service, self.tokens = kind, service, tokens
        self.document = httpx.get(f"{service.address}/api/schema/openapi.json", timeout=600).json()
        self.clients = {who: self._client(token) for who, token in tokens.items()}

    def _client(self, token: str) -> httpx.Client:
        return httpx.Client(base_url=self.service.address, headers=bearer(token) if token else {}, timeout=600)

    def do(self, who: str, table: str, **command: object) -> httpx.Response:
        """Give a command."""
        return self.clients[who].post(f"/api/tables/{table}/commands", json=command)

    def operations(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """Every path and method, with what the document says of them."""
        for path, item in self.document["paths"].items():
            for method, operation in item.items():
                yield path, method, operation


@pytest.fixture(scope="module", params=DATABASES)
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with ExitStack() as stack:
        store = stack.enter_context(database(request.param))
        people = People(store.url)
        rank = "table-game-shift-manager"
        tokens = {"patron": people.patron("ann"), "staff": people.staff("lee", rank), "nobody": ""}
        people.close()
        folder = tmp_path_factory.mktemp("schema")
        service = stack.enter_context(
            Service(folder, store.url, warm_starts(), rate=1e6, burst=1_000_000, bytes_a_second=10**9)
        ).start()
        house = House(request.param, service, tokens)
        for client in house.clients.values():
            stack.enter_context(client)
        books = {TABLE: "wu-song", PLAYED: "commission-insurance", TRIED: "wu-song"}
        for table, book in books.items():
            opened = house.do("staff", table, **opening(book, auto=["announce", "offer"]))
            assert opened.status_code == 200, opened.text
        yield house


# What is true of real answers


def _play(house: House) -> list[tuple[str, str, httpx.Response]]:
    """Two rounds with insurance, a report and a dispute; what was answered to each command."""

    def do(who: str, command: str, **given: object) -> dict[str, Any]:
        answer = house.do(who, PLAYED, do=command, **given)
        assert answer.status_code == 200, (command, answer.text)
        answers.append(("/api/tables/{name}/commands", "POST", answer))
        found: dict[str, Any] = answer.json()
        return found

    answers: list[tuple[str, str, httpx.Response]] = []
    do("staff", "load-shoe")
    do("patron", "sit", patron="ann", box=1)
    do("patron", "buy-in", patron="ann", amount=100_000_000)
    for cards in (["2h", "3d", "3c", "4s", "5h"], ["2h", "2d", "5c", "3s", "9c"]):
        do("staff", "open-bets")
        do("patron", "place", patron="ann", bet="player", stake=100_000)
        do("staff", "close-bets")
        for face in cards:
            do("staff", "draw")
            do("staff", "expose", faces=[face])
            view = house.clients["patron"].get(f"/api/tables/{PLAYED}").json()["view"]
            if view["round"]["offer"] is not None:
                do("patron", "insure", patron="ann", hand=view["round"]["offer"]["hand"], stake=1000)
                answers += _asked(house)
        answers += _asked(house)
        while (step := house.clients["staff"].get(f"/api/tables/{PLAYED}").json()["view"]["next"][0])["do"] in (
            "announce",
            "settle",
        ):
            do("staff", step["do"], **({"what": "result"} if step["do"] == "announce" else {}))
    do("patron", "raise-dispute", patron="ann", says="That was not called.")
    do("staff", "open-bets")
    do("staff", "report", fact="other", note="The light went out.")
    return [*answers, *_asked(house)]


def _asked(house: House) -> list[tuple[str, str, httpx.Response]]:
    """What everybody is answered who asks for all there is about a table."""
    found = []
    for client in house.clients.values():
        for path, item in house.document["paths"].items():
            if "get" not in item:
                continue
            numbers = [0] if "{sequence}" in path else [None]
            if "{sequence}" in path:
                rounds = client.get(f"/api/tables/{PLAYED}/rounds").json()
                numbers += [each["last"] for each in rounds]
            for number in numbers:
                asked = path.format(name=PLAYED, book="wu-song", sequence=number)
                found.append((path, "GET", client.get(asked)))
    return found


def test_the_answers_of_a_played_round_are_what_the_document_says(house: House) -> None:
    schema = schemathesis.openapi.from_dict(house.document)
    answers = _play(house)
    good: dict[str, list[httpx.Response]] = {}
    for path, method, answer in answers:
        operation = schema[path][method]
        assert str(answer.status_code) in house.document["paths"][path][method.lower()]["responses"], answer.text
        operation.validate_response(answer)
        if answer.status_code == 200:
            good.setdefault(f"{method} {path}", []).append(answer)
    elsewhere = ("/api/oidc/start", "/api/oidc/back")  # with a provider, in test_oidc.py
    document = {f"GET {path}" for path, item in house.document["paths"].items() if "get" in item}
    document -= {f"GET {path}" for path in elsewhere}
    assert set(good) == {*document, "POST /api/tables/{name}/commands"}
    told = b"".join(answer.content for answer in good["GET /api/tables/{name}/events"])
    for event in ("private", "insurance-offered", "cover-struck", "round-settled", "reported", "asked"):
        assert f'"event":"{event}"'.encode() in told, event
    assert any(answer.json()["offer"] for answer in good["GET /api/tables/{name}/odds"])
    assert any(answer.json()["cards"] for answer in good["GET /api/tables/{name}/desk"])
    assert any(answer.json()["big"]["marks"] for answer in good["GET /api/tables/{name}/roads"])
    recalled = [answer.json() for answer in good["GET /api/tables/{name}/rounds/{sequence}"]]
    assert any(each["lines"] for each in recalled)
    assert all(each["replay"] for each in recalled)


def test_an_answer_that_is_not_what_the_document_says_would_be_noticed(house: House) -> None:
    schema = schemathesis.openapi.from_dict(house.document)
    for path, inner in (("", "view"), ("/events", "entries"), ("/roads", "big"), ("/odds", "bets"), ("/desk", "cards")):
        answer = house.clients["staff"].get(f"/api/tables/{TABLE}{path}")
        operation = schema[f"/api/tables/{{name}}{path}"]["GET"]
        operation.validate_response(answer)
        changed = {**answer.json(), inner: [{"sequence": 1, "event": {"event": "sung"}}]}
        wrong = httpx.Response(200, json=changed, request=answer.request)
        wrong.elapsed = answer.elapsed
        with pytest.raises(Failure):
            operation.validate_response(wrong)


_BODIES: dict[str, dict[str, object]] = {
    "/api/tables/{name}/requests/{number}": {"confirm": True},
    "/api/pause": {"minutes": 15},
}
"""What is sent where a command is not."""


def test_the_document_names_every_event_and_how_one_is_known(house: House) -> None:
    schemas = house.document["components"]["schemas"]
    for schema, field in (("Accepted", "events"), ("Page", "entries")):
        assert schemas[schema]["properties"][field]["items"] == {"$ref": "#/components/schemas/ToldEntry"}
    named = [each["$ref"].rpartition("/")[2] for each in schemas["ToldEntry"]["properties"]["event"]["oneOf"]]
    assert {schemas[each]["properties"]["event"]["const"] for each in named} == {*EVENTS, "private"}
    assert schemas["ToldEntry"]["required"] == ["event", "sequence"]
    schemes = house.document["components"]["securitySchemes"]
    assert (schemes["bearer"]["type"], schemes["bearer"]["scheme"]) == ("http", "bearer")
    assert (schemes["cookie"]["type"], schemes["cookie"]["in"], schemes["cookie"]["name"]) == (
        "apiKey",
        "cookie",
        "punto",
    )
    needed = {path for path, _, operation in house.operations() if {} not in operation.get("security", [{}])}
    for path in needed:
        asked = path.format(name=TABLE, number=NUMBER, session="0" * 16)
        method = next(each.upper() for each in ("get", "post", "delete") if each in house.document["paths"][path])
        body = _BODIES.get(path, {"do": "report", "fact": "other"})
        answer = house.clients["nobody"].request(method, asked, json=body if method == "POST" else None)
        assert (answer.status_code, answer.json()["refused"]) == (403, "Log in first.")


def test_the_document_says_which_bodies_refuse_unknown_fields(house: House) -> None:
    schemas = house.document["components"]["schemas"]
    strict = {name for name, schema in schemas.items() if schema.get("additionalProperties") is False}
    commands = {kind.__name__ for kind in COMMANDS.values()}
    assert strict == {
        *commands,
        "LogIn",
        "PayoutAnswer",
        "IrregularityAnswer",
        "AskMoney",
        "SeenTo",
        "SetOwnLimits",
        "Pause",
    }
    yaml = house.clients["nobody"].get("/api/schema/openapi.yaml").text
    assert yaml.count("additionalProperties: false") == len(strict)


def test_only_the_document_itself_is_served(house: House) -> None:
    client = house.clients["nobody"]
    for path in ("", "/openapi.json", "/openapi.yaml"):
        answer = client.get(f"/api/schema{path}")
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("application/vnd.oai.openapi")
    for path in ("/redoc", "/swagger", "/elements", "/rapidoc"):
        assert client.get(f"/api/schema{path}").status_code == 404


# Borders, by hand

NUMBERS = (-1, 0, 10**9, 2**31, 2**53 + 1, 2**63, 2**64, 10**40, -(2**63) - 1, -(10**40))
TEXTS = ("", " ", "x" * 300, "a\n", "\x00", "\x1b[2J\r\n", "é", "\U0001f409", "\u202e", "../..", "%00", "'; --", "null")


def _fine(answer: httpx.Response, responses: dict[str, Any]) -> None:
    """Answered, and with what the document says; what misses every path is not found or not allowed."""
    assert answer.status_code < 500, (
        answer.request.method,
        str(answer.request.url)[:300],
        answer.request.content[:300],
    )
    assert str(answer.status_code) in {*responses, "404", "405"}, (answer.request.url, answer.text[:300])


def test_every_parameter_at_and_beyond_its_borders(house: House) -> None:
    given = [*map(str, NUMBERS), "1.5", "1e9", "0x10", "NaN", "٣", "true", *TEXTS, "x" * 5000]
    staff = house.clients["staff"]
    usual = {"name": TABLE, "book": "wu-song", "sequence": "1", "number": NUMBER}
    for path, method, operation in house.operations():
        if path == "/api/logout":
            continue
        for parameter in operation.get("parameters", ()):
            for value in given:
                where, query, headers = dict(usual), {}, {}
                if parameter["in"] == "path":
                    where[parameter["name"]] = value
                elif parameter["in"] == "query":
                    query[parameter["name"]] = value
                else:
                    headers[parameter["name"].encode()] = "".join(c for c in value if c >= " ").strip().encode()
                asked = path.format(**{name: quote(each, safe="") for name, each in where.items()})
                body = (
                    {"do": "clear-strike", "patron": "ann"} if method == "post" and "requestBody" in operation else None
                )
                answer = staff.request(method.upper(), asked, params=query, headers=headers, json=body)
                _fine(answer, operation["responses"])


BODIES = (
    *(b"", b" ", b"null", b"[]", b"{}", b"0", b'"x"', b"{", b'{"do"}', b"\x00", b"\xff\xfe", b"\xef\xbb\xbf{}", b"NaN"),
    *(b"[" * 30_000, b'{"do":' * 5_000, b'{"do":"draw","do":"draw"}', b'{"do":"\\ud800"}', b'{"do":"draw","x":1}'),
    *(b'{"token":"\\u0000"}', b'{"name":"\\u0000","password":"\\u0000"}', b'{"book":"\\u0000","seed":0,"answers":[]}'),
    *(b'{"book":"wu-song","seed":1e400,"answers":[]}', b'{"book":"wu-song","seed":0,"answers":[1e400]}'),
    *(b'{"name":"' + b"x" * 50_000 + b'","password":"y"}', b'{"token":"' + b"." * 50_000 + b'"}'),
    b"[" + b"0," * 40_000 + b"0]",
)


def test_every_body_that_is_none(house: House) -> None:
    for path, method, operation in house.operations():
        if "requestBody" not in operation:
            continue
        asked = path.format(name=TABLE, number=NUMBER)
        for body in BODIES:
            for kind in ("application/json", "text/plain", "application/x-msgpack", "multipart/form-data"):
                answer = house.clients["staff"].request(
                    method.upper(), asked, content=body, headers={"content-type": kind}
                )
                _fine(answer, operation["responses"])


def test_every_field_of_every_command_at_and_beyond_its_borders(house: House) -> None:
    asked, operation = f"/api/tables/{TRIED}/commands", house.document["paths"]["/api/tables/{name}/commands"]["post"]
    numbers, texts = (-1, 0, 2**53 + 1, 2**63, 10**40, -(10**40)), ("", "a\n", "\x00", "\u202e", "x" * 60_000)
    values: list[Any] = [*numbers, *texts, None, True, 1.5, [], {}, ["\x00"] * 3000, [10**40], {"x": 10**40}]
    for tag in sorted(COMMANDS, key=lambda tag: tag in ("close-table", "change-book")):
        usual = _usual(COMMANDS[tag], tag)
        tries = [{**usual, "unknown": 1}] + [{**usual, name: value} for name in [*usual][1:] for value in values]
        for each in tries if len(usual) < 8 else tries[::3]:
            answer = house.clients["staff"].post(asked, content=msgspec.json.encode(each))
            _fine(answer, operation["responses"])


def _usual(kind: type[msgspec.Struct], tag: str) -> dict[str, Any]:
    """A command of a kind that could be meant, with all its fields."""
    samples = {"patron": "ann", "bet": "player", "hand": "player", "box": 1, "at": "2026-11-15T08:00:00+08:00"}
    samples |= {"book": "wu-song", "decks": 8, "stake": 1000, "amount": 1000, "person": "lee", "post": "dealer"}
    found: dict[str, Any] = {"do": tag}
    for field in msgspec.structs.fields(kind):
        name = field.encode_name
        if name == "by":
            continue
        default = None if field.default is msgspec.NODEFAULT else field.default
        found[name] = samples.get(name, "x" if field.type is str and default is None else default)
    return found


# By schemathesis

CONFIG = """
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "400", "403", "404", "409", "429"]
"""
"""What the document cannot say, such as which limits make sense, may be refused with 400 all the same; and wrong
passwords are, for a while, by 429."""


RUNS: dict[str, list[tuple[str, str | None, str, int]]] = {
    "sqlite": [("staff", TABLE, "examples,fuzzing", 25), ("patron", TABLE, "examples,fuzzing", 15)],
    "postgresql": [("staff", TABLE, "examples,coverage,fuzzing", 15), ("nobody", None, "examples,fuzzing", 15)],
}
"""By database: as whom, at which table, what is tried, and how often each."""


def test_the_api_does_what_its_document_says(house: House, tmp_path: Path) -> None:
    for who, where, phases, examples in RUNS[house.kind]:
        _run(house, who, where, phases, examples, tmp_path)


def _run(house: House, who: str, where: str | None, phases: str, examples: int, tmp_path: Path) -> None:
    config = tmp_path / "schemathesis.toml"
    config.write_text((f'[parameters]\n"path.name" = "{where}"\n' if where else "") + CONFIG, encoding="utf-8")
    command = [
        *(str(Path(sys.executable).parent / "schemathesis"), "--config-file", str(config), "run"),
        *("--phases", phases, "--max-examples", str(examples), "--generation-deterministic"),
        *("--warnings", "off", "--continue-on-failure", "--suppress-health-check", "all"),
        *("--exclude-checks", "allow_header_conformance"),  # Litestar answers OPTIONS for the first handler of a path
    ]
    if house.tokens[who]:
        command += ["--header", f"Authorization: {bearer(house.tokens[who])['Authorization']}"]
        command += ["--exclude-path", "/api/logout"]  # which makes the token worthless
    command.append(f"{house.service.address}/api/schema/openapi.json")
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=600, env={**os.environ, "NO_COLOR": "1"}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert house.clients["nobody"].get("/health").json() == {"ok": True, "tables": 3}
