"""Attacks through the doors of the service: on cover, corrections, debts, wallets, codes, sockets and public routes."""

import threading
import time
from base64 import b32decode
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlparse

import httpx
import msgspec
import pytest
from litestar import Litestar
from litestar.exceptions import WebSocketDisconnect
from litestar.testing import TestClient, WebSocketTestSession

from databases import KINDS, fresh
from punto.service.accounts.account import HeldPost
from punto.service.accounts.registry import Accounts
from punto.service.accounts.totp import STEP, code_of
from punto.service.http import odds
from punto.service.http.app import build
from punto.service.runtime.transfers import MOST_OPEN
from punto.service.settings import settings
from punto.service.training import irregularity
from service_process import PATIENCE, opening, until
from wallet_server import WalletServer, wallet_server

HUNDRED = 100_00
STAFF = {"max": "dealer", "lee": "table-game-shift-manager"}
PATRONS = ("ann", "bob")


class House:
    """A service with a table `t1` dealt by hand, a dealer (max), a shift manager (lee) and two patrons."""

    def __init__(self, client: TestClient[Litestar], book: str, *, chips: int = 0) -> None:
        self.client = client
        self.accounts: Accounts = client.app.state.casino.accounts
        for name, rank in STAFF.items():
            self.accounts.make(name, "staff", person=name, posts={"*": HeldPost(rank)})
        for name in PATRONS:
            self.accounts.make(name, "patron", person=name)
        self.tokens = {name: self.accounts.token(self.accounts.existing(name)) for name in (*STAFF, *PATRONS)}
        self.must("lee", **opening(book, auto=[]))
        self.must("max", do="load-shoe")
        for box, name in enumerate(PATRONS, 1):
            self.must(name, do="sit", patron=name, box=box)
            if chips:
                self.must(name, do="buy-in", patron=name, amount=chips)

    def do(self, name: str, /, *, key: str | None = None, **command: Any) -> httpx.Response:
        head = {"Authorization": f"Bearer {self.tokens[name]}"} | ({} if key is None else {"Idempotency-Key": key})
        return self.client.post("/api/tables/t1/commands", json=command, headers=head)

    def must(self, name: str, /, **command: Any) -> dict[str, Any]:
        answer = self.do(name, **command)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def refused(self, name: str, /, **command: Any) -> str:
        """Why a command is refused, which changes nothing."""
        before = self.money()
        answer = self.do(name, **command)
        assert answer.status_code in (400, 403, 409), answer.text
        assert self.money() == before
        says: str = answer.json()["refused"]
        return says

    def view(self, name: str = "lee") -> dict[str, Any]:
        head = {"Authorization": f"Bearer {self.tokens[name]}"}
        found: dict[str, Any] = self.client.get("/api/tables/t1", headers=head).json()["view"]
        return found

    def money(self) -> dict[str, tuple[int, int, int]]:
        """What each patron has in chips, on the felt, and owes."""
        return {each["name"]: (each["balance"], each["held"], each["owed"]) for each in self.view()["patrons"]}

    def together(self, *given: tuple[str, dict[str, Any]]) -> list[int]:
        """Send commands at the same moment, each with a key of its own; how they were answered."""
        with ThreadPoolExecutor(len(given)) as pool:
            sent = [pool.submit(self.do, name, key=f"at once {at}", **each) for at, (name, each) in enumerate(given)]
            return sorted(each.result().status_code for each in sent)

    def play(self, *bets: tuple[str, str], faces: tuple[str, ...]) -> None:
        """A round up to its first four cards, each patron with a hundred on a hand."""
        self.must("max", do="open-bets")
        for name, bet in bets:
            self.must(name, do="place", patron=name, bet=bet, stake=HUNDRED)
        self.must("max", do="close-bets")
        for _ in faces:
            self.must("max", do="draw")
        self.must("max", do="expose", faces=faces)


@contextmanager
def served(url: str, folder: Path, book: str = "wu-song", *, chips: int = 0, **given: object) -> Iterator[House]:
    more = {"rate": 1e6, "burst": 1_000_000, "money": "play", **given}
    with TestClient(build(settings(None, {}, database=url, key_file=str(folder / "p.key"), **more))) as client:
        yield House(client, book, chips=chips)


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return fresh(request.param, tmp_path)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with served(fresh("sqlite", tmp_path), tmp_path) as made:
        yield made


# Insurance: Player has 7, Banker 3 and draws, so cover is offered on Player; the book lets all of the bet be covered

SEVEN_AGAINST_THREE = ("Kh", "Kc", "7d", "3d")
COVER: dict[str, Any] = {"do": "insure", "hand": "player"}


def test_cover_is_struck_by_its_owner_up_to_its_cap_however_often_it_is_sent(url: str, tmp_path: Path) -> None:
    with served(url, tmp_path, "da-hu-ying-xiong", chips=10 * HUNDRED) as house:
        house.play(("ann", "player"), ("bob", "player"), faces=SEVEN_AGAINST_THREE)
        assert "not been offered" in house.refused("ann", **COVER, patron="ann", stake=1000)
        house.must("max", do="offer-insurance")
        house.refused("ann", **COVER, patron="bob", stake=1000)
        for stake in (-1000, 0, HUNDRED + 1000, 2**63, 10**30):
            house.refused("ann", **COVER, patron="ann", stake=stake)
        first = house.must("ann", **COVER, patron="ann", stake=HUNDRED, key="one")
        again = house.must("ann", **COVER, patron="ann", stake=HUNDRED, key="one")
        assert (again["repeated"], again["first"]) == (True, first["first"])
        house.refused("ann", **COVER, patron="ann", stake=1000, key="two")
        whole = {**COVER, "patron": "bob", "stake": HUNDRED}
        assert house.together(*[("bob", whole)] * 4) == [200, 409, 409, 409]
        assert house.money() == dict.fromkeys(PATRONS, (8 * HUNDRED, 2 * HUNDRED, 0))


def test_no_cover_is_struck_on_a_card_that_is_known(tmp_path: Path) -> None:
    """Nor when it is drawn, unless the word was given before; and never by whoever waits for the card with it."""
    with served(fresh("sqlite", tmp_path), tmp_path, "da-hu-ying-xiong", chips=10 * HUNDRED) as house:
        house.play(("ann", "player"), ("bob", "player"), faces=SEVEN_AGAINST_THREE)
        house.must("max", do="offer-insurance")
        house.must("ann", do="declare-intent", patron="ann")
        house.refused("ann", do="declare-intent", patron="bob")
        house.must("max", do="draw")
        house.refused("bob", **COVER, patron="bob", stake=1000)
        house.refused("bob", do="declare-intent", patron="bob")
        house.must("max", do="expose", faces=["2s"])
        for name in PATRONS:
            house.refused(name, **COVER, patron=name, stake=1000)
        house.must("max", do="settle")
        for name in PATRONS:
            house.refused(name, **COVER, patron=name, stake=1000)
        assert house.money() == dict.fromkeys(PATRONS, (11 * HUNDRED, 0, 0))


# Corrections: Player has 9 and Banker 8, so ann is paid; the nine was a six


def test_a_correction_pays_once_and_is_nobody_s_but_the_staff_s(url: str, tmp_path: Path) -> None:
    """By the cards Banker wins: bob gets back his bet and as much again, whoever reports it how often."""
    with served(url, tmp_path, chips=10 * HUNDRED) as house:
        house.play(("ann", "player"), ("bob", "banker"), faces=("9h", "8c", "Kd", "Ks"))
        house.must("max", do="settle")
        paid = {"ann": (11 * HUNDRED, 0, 0), "bob": (9 * HUNDRED, 0, 0)}
        assert house.money() == paid
        wrong: dict[str, Any] = {"do": "report", "fact": "wrong-call", "cards": [0], "faces": ["6h"]}
        for name in PATRONS:
            house.refused(name, **wrong)
            house.refused(name, **{**wrong, "faces": []}, earlier=True)
        house.together(*[("max", wrong)] * 4)
        corrected = {"ann": (9 * HUNDRED, 0, 0), "bob": (11 * HUNDRED, 0, 0)}
        assert house.money() == corrected
        house.do("max", **wrong)
        assert house.money() == corrected, "what has been put right is right"
        house.must("max", do="open-bets")
        for faces in (["9h"], ["2h"], []):
            house.do("max", **{**wrong, "faces": faces}, earlier=True)
        assert house.money() == corrected, "after the next call it stands"


# Debts


def owing(house: House) -> None:
    """Ann has won a hundred and cashed everything out; then the nine was a six, and she owes two hundred."""
    house.play(("ann", "player"), ("bob", "banker"), faces=("9h", "8c", "Kd", "Ks"))
    house.must("max", do="settle")
    house.must("ann", do="cash-out", patron="ann")
    house.must("max", do="report", fact="wrong-call", cards=[0], faces=["6h"])
    assert house.money()["ann"] == (0, 0, 2 * HUNDRED)
    house.must("max", do="end-shoe")


def test_a_debt_is_paid_by_its_owner_once_and_by_nobody_else_s_money(tmp_path: Path) -> None:
    with served(fresh("sqlite", tmp_path), tmp_path, chips=HUNDRED) as house:
        owing(house)
        pay: dict[str, Any] = {"do": "pay-owed", "patron": "ann", "amount": 2 * HUNDRED}
        for chips in (False, True):
            house.refused("bob", **pay, chips=chips)
            house.refused("bob", **{**pay, "patron": "bob"}, chips=chips)
            for amount in (-HUNDRED, 0, 2 * HUNDRED + 100, 2**63):
                house.refused("ann", **{**pay, "amount": amount}, chips=chips)
        house.refused("ann", **pay, chips=True)  # she has no chips
        house.must("ann", do="buy-in", patron="ann", amount=3 * HUNDRED)
        in_chips = {**pay, "chips": True}
        assert house.together(*[("ann", in_chips)] * 4) == [200, 409, 409, 409]
        assert house.money()["ann"] == (HUNDRED, 0, 0)
        house.refused("ann", **pay)
        house.refused("max", **pay)


# Wallets


@pytest.fixture
def wallet() -> Iterator[WalletServer]:
    with wallet_server() as server:
        server.balances |= {"ann": 10 * HUNDRED, "bob": 10 * HUNDRED}
        yield server


def elsewhere(wallet: WalletServer) -> dict[str, Any]:
    return {"money": "wallet", "wallet": wallet.address, "wallet_seconds": PATIENCE}


def test_a_wallet_is_its_owner_s_and_gives_what_can_be_an_amount(wallet: WalletServer, tmp_path: Path) -> None:
    with served(fresh("sqlite", tmp_path), tmp_path, **elsewhere(wallet)) as house:
        for do in ("buy-in", "cash-out", "pay-owed"):
            house.refused("ann", do=do, patron="bob", amount=HUNDRED)
            for amount in (-HUNDRED, 0, 2**63, 10**30):
                house.refused("ann", do=do, patron="ann", amount=amount)
        assert wallet.asked == []
        house.refused("ann", do="buy-in", patron="ann", amount=11 * HUNDRED)
        assert wallet.balances == dict.fromkeys(PATRONS, 10 * HUNDRED)


def test_a_key_of_one_movement_is_not_answered_for_another(wallet: WalletServer, tmp_path: Path) -> None:
    with served(fresh("sqlite", tmp_path), tmp_path, **elsewhere(wallet)) as house:
        buy: dict[str, Any] = {"do": "buy-in", "patron": "ann", "amount": HUNDRED}
        wallet.faults.append("die after")
        wallet.faults_of_questions.extend([""] + ["fail"] * 1000)
        assert house.do("ann", **buy, key="k").status_code == 503
        assert "another command" in house.refused("ann", **{**buy, "amount": 2 * HUNDRED}, key="k")
        wallet.faults_of_questions.clear()
        until(lambda: house.do("ann", **buy, key="k").status_code == 200, "the chips")
        for other in ({**buy, "amount": 2 * HUNDRED}, {"do": "cash-out", "patron": "ann"}):
            assert "another command" in house.refused("ann", **other, key="k")
        house.must("ann", do="cash-out", patron="ann", key="c")
        assert house.must("ann", do="cash-out", patron="ann", key="c")["repeated"]
        assert "another command" in house.refused("ann", do="cash-out", patron="ann", amount=HUNDRED, key="c")
        assert wallet.balances == dict.fromkeys(PATRONS, 10 * HUNDRED)


def test_a_wallet_that_does_not_answer_keeps_nobody_else_waiting(wallet: WalletServer, tmp_path: Path) -> None:
    """A patron buys in forty times while the wallet stands still; the cage and the limits of the day go on."""
    limited = {**elsewhere(wallet), "wallet_seconds": 600, "buy_in_person_day": 100 * HUNDRED}
    with served(fresh("sqlite", tmp_path), tmp_path, **limited) as house, ThreadPoolExecutor(40) as tabs:
        wallet.faults_of_questions.extend(["late"] * 1000)
        buy: dict[str, Any] = {"do": "buy-in", "patron": "ann", "amount": HUNDRED}
        asked = [tabs.submit(house.do, "ann", **buy, key=f"k{number}") for number in range(40)]
        try:
            until(lambda: sum(each.done() for each in asked) == 40 - MOST_OPEN, "all but a few to be refused")
            refused = [each.result().status_code for each in asked if each.done()]
            assert refused == [429] * (40 - MOST_OPEN)
            house.must("max", do="buy-in", patron="bob", amount=HUNDRED)
            head = {"Authorization": f"Bearer {house.tokens['max']}"}
            assert house.client.get("/api/tables/t1/requests", headers=head).status_code == 200
            assert wallet.balances["ann"] == 10 * HUNDRED
        finally:
            wallet.faults_of_questions.clear()
            wallet.released.set()
        assert sorted(each.result().status_code for each in asked) == [200] * MOST_OPEN + [429] * (40 - MOST_OPEN)
        assert wallet.balances["ann"] == (10 - MOST_OPEN) * HUNDRED


# Shoes


def test_no_table_goes_over_to_another_kind_of_shoe(house: House) -> None:
    """Who could make a virtual table one that is dealt by hand would say its cards."""
    head = {"Authorization": f"Bearer {house.tokens['max']}"}
    for kind in ("virtual", "read", "hand"):
        opened = opening("wu-song", shoe=kind, auto=[])
        path = f"/api/tables/{kind}/commands"
        assert house.client.post(path, json=opened, headers=head).status_code == 200
        for other in {"virtual", "read", "hand"} - {kind}:
            change = {**opened, "do": "change-book", "shoe": other}
            refused = house.client.post(path, json=change, headers=head)
            assert (refused.status_code, refused.json()["message"]["id"]) == (403, "kind-of-shoe-stays"), refused.text


# Sockets that stay open


def until_closed(line: WebSocketTestSession) -> tuple[list[dict[str, Any]], int]:
    """What is still told on a socket until the house closes it, and with which code it does."""
    told: list[dict[str, Any]] = []
    while True:
        try:
            told.append(msgspec.json.decode(line.receive_text(timeout=PATIENCE)))
        except WebSocketDisconnect as closed:
            return told, closed.code


def test_a_socket_ends_with_its_session_and_takes_no_command_after_it(tmp_path: Path) -> None:
    """Four people lose their sessions in four ways, each with two sockets that stay open."""
    with served(fresh("sqlite", tmp_path), tmp_path) as house, ExitStack() as opened:
        accounts, lines = house.accounts, []
        for name in ("cat", "dan", "eve", "fay"):
            account = accounts.make(name, "patron", person=name)
            token = house.tokens[name] = accounts.enter(account, "here", "password")
            house.must(name, do="stand", patron=name)
            for kind in ("stream", "screen"):
                path, head = f"/api/tables/t1/{kind}", {"Authorization": f"Bearer {token}"}
                line = opened.enter_context(house.client.websocket_connect(path, headers=head))
                line.receive_text(timeout=PATIENCE)
                lines.append((name, line))
        house.client.post("/api/logout", headers={"Authorization": f"Bearer {house.tokens['cat']}"})
        [session] = accounts.sessions.open([accounts.existing("dan")])
        accounts.end_session(session.id, by="console:lee")
        accounts.remove("eve")
        accounts.revoke("fay")
        for name, line in lines:
            line.send_json({"key": "late", "command": {"do": "leave", "patron": name}})
        for name, line in lines:
            told, code = until_closed(line)
            assert code == 4401
            assert all(each["kind"] == "Denied" for each in told if each.get("key") == "late")
            assert house.do(name, do="leave", patron=name).status_code == 403
        assert [each["name"] for each in house.view()["patrons"]] == [*PATRONS, "cat", "dan", "eve", "fay"]


# Codes of a second factor


def test_a_code_is_taken_once_by_all_processes_together(tmp_path: Path) -> None:
    """Whoever looks over a shoulder brings the code to another process, at the same moment or after it."""
    url, secret = fresh("postgresql", tmp_path), "correct horse battery"
    given = settings(None, {}, database=url, key_file=str(tmp_path / "p.key"), rate=1e6, burst=1_000_000)
    with TestClient(build(given)) as one, TestClient(build(given)) as two:
        accounts: Accounts = one.app.state.casino.accounts
        accounts.make("lee", "staff", secret, {"*": HeldPost("pit-manager")})
        address, _ = accounts.set_second_factor("lee", by="console:lee")
        [written] = parse_qs(urlparse(address).query)["secret"]
        at = time.time()
        for each in (one, two):
            each.app.state.casino.accounts.factors._clock = lambda: at  # whatever time the house takes
        code = code_of(b32decode(written), int(at) // STEP)
        known = {"name": "lee", "password": secret, "code": code}
        with ThreadPoolExecutor(4) as pool:
            sent = [pool.submit(each.post, "/api/login", json=known) for each in (one, two, one, two)]
            assert sorted(each.result().status_code for each in sent) == [200, 403, 403, 403]
        # Wrong, or too early after so many wrong ones, which depends on which of the four came first.
        assert {each.post("/api/login", json=known).status_code for each in (one, two)} <= {403, 429}
        assert len(accounts.sessions.open([accounts.existing("lee")])) == 1


# Rubbish on public routes

RUBBISH = (
    "..",
    "%2e%2e",
    "..%2f..%2f..%2fetc%2fpasswd",
    "%2fetc%2fpasswd",
    "%00",
    "%0a",
    "wu-song%00",
    "zh-Hant%2f..",
    "%5c..%5c",
    "%ff%fe",
    "é" * 300,
    "'--",
    "{}{0}{book}",
)


def test_what_is_rubbish_on_public_routes_is_told_so_and_nothing_else(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    paths = [f"/api/books/{each}{end}" for each in RUBBISH for end in ("", "/terms", "/bets", "/clauses", "/odds")]
    paths += [f"/static/languages/{each}{end}" for each in RUBBISH for end in ("", ".txt", "/zh-Hant.txt")]
    paths += [f"/api/books/wu-song/bets?layout={each}" for each in RUBBISH]
    for path in paths:
        answer = house.client.get(path)
        assert answer.status_code in (400, 404, 409), (path, answer.text)
        assert set(answer.json()) <= {"refused", "clauses", "message"}
    assert [house.client.get(f"/api/books/wu-song/clauses?of={each}").json() for each in RUBBISH] == [{}] * len(RUBBISH)
    assert house.client.get("/static/languages/zh-Hant.txt").status_code == 200, "the catalogue itself is there"
    assert not [each for each in caplog.records if each.levelname == "ERROR"]


def test_a_language_that_there_is_not_is_english(house: House, caplog: pytest.LogCaptureFixture) -> None:
    """The header names a file of words, and no other."""

    def answered(language: bytes) -> str:
        raw = [(b"accept-language", language)]
        answer = house.client.get("/api/books/wu-song/bets", headers=raw)
        assert answer.status_code == 200, answer.text
        return answer.text

    english, chinese = answered(b"en"), answered(b"zh-Hant")
    assert english != chinese
    rubbish = [each.encode() for each in RUBBISH] + [b"", b",", b";q=1", b"\xff\xfe", b"../zh-Hant", b"e" * 8000]
    rubbish += [b",".join([b"x"] * 3000) + b",zh-Hant", b"zh-Hant/../zh-Hant", b"/etc/passwd;q=1", b"messages.txt"]
    told = {each: answered(each) for each in rubbish}
    assert {each for each, text in told.items() if text != english} <= {b"zh-Hant%2f..", b"zh-Hant/../zh-Hant"}
    assert set(told.values()) <= {english, chinese}, "a language of the house, whatever was asked for"
    assert not [each for each in caplog.records if each.levelname == "ERROR"]


# Odds, which take long to work out


def test_however_many_ask_for_odds_two_threads_work_them_out_and_nobody_else_waits(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The threads stand still until a look at the house, a command and a log-in have been answered."""
    running, most, free, lock = 0, 0, threading.Event(), threading.Lock()

    def counted(real: Callable[..., Any]) -> Callable[..., Any]:
        def work(*given: Any) -> Any:
            nonlocal running, most
            with lock:
                running += 1
                most = max(most, running)
            assert free.wait(PATIENCE)
            with lock:
                running -= 1
            return real(*given)

        return work

    monkeypatch.setattr(odds, "_odds_now", counted(odds._odds_now))
    monkeypatch.setattr(odds, "_full_shoe_edges", counted(odds._full_shoe_edges))
    monkeypatch.setattr("punto.service.http.drills.irregularity", counted(irregularity))
    paths = ["/api/tables/t1/odds", "/api/books/wu-song/odds", "/api/drills/irregularity?book=wu-song"]
    with ThreadPoolExecutor(20) as guests:
        asked = [guests.submit(house.client.get, paths[number % 3]) for number in range(20)]
        try:
            until(lambda: running == 2, "two threads to be busy", PATIENCE)
            assert house.client.get("/health").status_code == 200
            house.must("ann", do="buy-in", patron="ann", amount=HUNDRED)
            house.must("max", do="open-bets")
            assert house.client.post("/api/login", json={"name": "ann", "password": "wrong"}).status_code == 403
            assert not any(each.done() for each in asked)
        finally:
            free.set()
        assert [each.result().status_code for each in asked] == [200] * 20
    assert most == 2
