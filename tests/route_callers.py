"""A house in which everybody is who can ask it for something, and what each of them is answered on its routes.

At table `t` a round has been played, and the patron has bet in the next: bets are closed, and no card is drawn. The
other patron is at table `u`. Table `r` has a card-reading shoe. The cage takes and pays all money.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from litestar import Litestar
from litestar.exceptions import WebSocketDisconnect
from litestar.routes import HTTPRoute, WebSocketRoute
from litestar.testing import TestClient

from patient_settings import settings
from punto.journal import MasterKey
from punto.service.accounts.account import HeldPost
from punto.service.accounts.registry import Accounts
from punto.service.http.app import build
from punto.service.http.authentication import COOKIE
from service_process import bearer, opening

BOOK = "dragon-tiger-hoiana"
TOP, PIT, SUPERVISOR, DEALER, CASHIER = "senior-management", "pit-manager", "pit-supervisor", "dealer", "cashier"
POSTS: dict[str, dict[str, str]] = {
    "cashier": {"t": CASHIER},
    "dealer": {"t": DEALER},
    "supervisor": {"t": SUPERVISOR},
    "pit": {"t": PIT},
    "top": {"t": TOP},
    "cashier-elsewhere": {"u": CASHIER},
    "dealer-elsewhere": {"u": DEALER},
    "pit-elsewhere": {"u": PIT},
    "cashier-everywhere": {"*": CASHIER},
    "dealer-everywhere": {"*": DEALER},
    "top-everywhere": {"*": TOP},
    "relieved": {},
    "removed": {"*": TOP},
    "ended": {"*": TOP},
}
"""The staff, and where they hold which post. One has none left, one is no longer there, one has logged out."""

PATRONS = ("patron", "other-patron", "guest")
STRANGERS = ("nobody", "foreign-cookie", "forged-token", "removed", "ended")
"""Who has no good session."""

CALLERS = ("nobody", "foreign-cookie", "forged-token", *PATRONS, "device", *POSTS)
GOOD = tuple(each for each in CALLERS if each not in STRANGERS)
PASSWORD, OTHER_PAGE = "correct horse battery staple", "https://elsewhere.example"
BOUGHT_ELSEWHERE, OWN_LIMIT = 5_432_100, 7_654_321
"""Amounts that stand for nothing else: what was bought at `u`, and what a patron wants to lose at most."""


class Ask(NamedTuple):
    """A request: where to, with which body, and by which token if not by the caller's own."""

    path: str
    body: dict[str, Any] | None = None
    token: str | None = None


class Answered(NamedTuple):
    """What somebody was answered: a status, or the code with which a socket was closed; and the text."""

    status: int
    text: str


def routes_of(app: Litestar) -> set[str]:
    """Every way to ask a service for something: the method and the path, or WS for a socket."""
    found = set()
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            found |= {f"{method} {route.path}" for method in route.methods if method != "OPTIONS"}
        else:
            assert isinstance(route, WebSocketRoute)
            found.add(f"WS {route.path}")
    return found


class House:
    """The service, and everybody who may ask it for something."""

    def __init__(self, client: TestClient[Litestar]) -> None:
        self.client = client
        self.casino = client.app.state.casino
        self.accounts: Accounts = self.casino.accounts
        self.tokens: dict[str, str] = {}
        self.logins: dict[str, str] = {}
        self._keys: dict[tuple[str, str], str] = {}
        for caller in (*PATRONS[:2], *POSTS):
            self._add(caller)
        self._add("device", "device", {"t": HeldPost(DEALER), "r": HeldPost(DEALER)})
        self.accounts.make("login-lou", "patron", PASSWORD)
        self._come_as_guest()
        self._open_tables()
        self._play()
        self.settled = self._settled()
        self.accounts.remove("login-removed")
        self.accounts.log_out(self.tokens["ended"])
        self.tokens |= {"foreign-cookie": "session=4711", "forged-token": self._forged()}

    # People

    def _add(self, caller: str, kind: str | None = None, posts: dict[str, HeldPost] | None = None) -> None:
        held = {table: HeldPost(rank) for table, rank in POSTS.get(caller, {}).items()} if posts is None else posts
        is_kind = kind or ("patron" if caller in PATRONS else "staff")
        self.logins[caller] = f"login-{caller}"
        self.accounts.make(f"login-{caller}", is_kind, posts=held, person=f"p-{caller}")
        self.tokens[caller] = self.new_token(caller)

    def _come_as_guest(self) -> None:
        token = self.client.post("/api/guest").json()["token"]
        self.client.cookies.clear()
        self.tokens["guest"] = token
        self.logins["guest"] = self.client.get("/api/me", headers=bearer(token)).json()["name"]

    def new_token(self, caller: str) -> str:
        """A session of somebody besides those that they have."""
        account = self.accounts.existing(self.logins[caller])
        if account.kind == "device":
            return self.accounts.device_token(account.name)
        return self.accounts.enter(account, "192.0.2.7", "password")

    def session_of(self, token: str) -> str:
        """The id of a session."""
        return self.accounts.own_sessions(token)[0]

    def _forged(self) -> str:
        """A token of a real account, whose last letter but one is another."""
        good = self.tokens["top-everywhere"]
        return good[:-2] + ("A" if good[-2] != "A" else "B") + good[-1]

    def person(self, caller: str) -> str:
        """Who somebody is at a table."""
        return self.accounts.existing(self.logins[caller]).person

    # Tables

    def do(self, caller: str, table: str, **command: Any) -> None:
        """Give a command that is accepted."""
        path = f"/api/tables/{table}/commands"
        answer = self.client.post(path, json=command, headers=bearer(self.tokens[caller]))
        assert answer.status_code == 200, (command, answer.text)

    def _open_tables(self) -> None:
        slow = {"auto": ["announce", "settle"], "face-down": True}
        for table, shoe in (("t", "hand"), ("u", "hand"), ("r", "read")):
            self.do("top-everywhere", table, **opening(BOOK, **slow, shoe=shoe))
        for caller, table, amount in (("patron", "t", 100_000), ("other-patron", "u", BOUGHT_ELSEWHERE)):
            person = self.person(caller)
            self.do(caller, table, do="sit", patron=person, box=1, **{"accepts-notice": True})
            self.do("top-everywhere", table, do="buy-in", patron=person, amount=amount)
        limits = {"currency": "USD", "lose": OWN_LIMIT, "stake": None}
        put = self.client.put("/api/own-limits", json=limits, headers=bearer(self.tokens["patron"]))
        assert put.status_code == 200, put.text

    def _play(self) -> None:
        """A round at `t`, and the next until its bets are closed."""
        faces, bets = iter(("9h", "Kc", "7d", "Qc", "2s")), 0
        while bets < 2:
            view = self.client.get("/api/tables/t").json()["view"]
            step: dict[str, Any] = {"do": view["next"][0]["do"]}
            if step["do"] == "close-bets":
                self.do("patron", "t", do="place", patron=self.person("patron"), bet="player", stake=1000)
                bets += 1
            elif step["do"] == "expose":
                cards = view["round"]["player"]["cards"] + view["round"]["banker"]["cards"]
                step["faces"] = [next(faces) for card in cards if card is None]
            self.do("top-everywhere", "t", **step)

    def _settled(self) -> int:
        entries = self.client.get("/api/tables/t/events").json()["entries"]
        return next(int(each["sequence"]) for each in entries if each["event"]["event"] == "round-settled")

    def chains(self) -> dict[str, int]:
        """How long every chain of the house is."""
        found: dict[str, int] = self.casino.floor.journal.tables()
        return found

    # What is asked

    def ask(self, route: str, caller: str) -> Ask:
        """What somebody asks on a route: something that is answered whoever may ask it."""
        words, _, variant = route.partition(" # ")
        method, path = words.split(" ")
        table = "r" if caller == "device" and path.endswith("/commands") else "t"
        given = {"{name:str}": table, "{book:str}": BOOK, "{path:path}": "style/base.css", "{path:str}": "x"}
        given |= {"{sequence:int}": str(self.settled), "{session:str}": "", "{number:str}": ""}
        if "{session:str}" in path:
            given["{session:str}"] = self.session_of(self.new_token("patron"))
        if "{number:str}" in path:
            given["{number:str}"] = self.casino.requests.ask("t", self.person("patron"), "buy-in", 1000, "now").id
        for name, value in given.items():
            path = path.replace(name, value).replace("//", "/")
        body = None if method in ("GET", "WS", "DELETE") else self._body(words, variant, caller)
        fresh = words == "POST /api/logout" and caller in GOOD
        query = f"?{variant}" if method == "WS" and variant else ""
        return Ask(path + query, body, self.new_token(caller) if fresh else None)

    def _body(self, route: str, variant: str, caller: str) -> dict[str, Any]:
        bodies: dict[str, dict[str, Any]] = {
            "POST /api/login": {"name": "login-lou", "password": PASSWORD},
            "PUT /api/own-limits": {"currency": "EUR", "lose": None, "stake": None},
            "POST /api/pause": {"minutes": 1440},
            "POST /api/tables/{name:str}/foresee": {"do": "report", "fact": "other", "note": "A glass fell."},
            "POST /api/tables/{name:str}/requests": {"do": "buy-in", "amount": 1000},
            "POST /api/tables/{name:str}/requests/{number:str}": {"confirm": variant != "turned down"},
            "POST /api/drills/payout": {"book": BOOK, "seed": 1, "answers": []},
            "POST /api/drills/irregularity": {"book": BOOK, "seed": 1},
        }
        if route == "POST /api/link":
            return {"token": self.accounts.link("login-lou")}
        if route == "POST /api/tables/{name:str}/commands":
            return self.command(caller)
        return bodies.get(route, {})

    def command(self, caller: str) -> dict[str, Any]:
        """Something that somebody would do at a table, if they have any business there."""
        if caller == "device":
            return {"do": "report", "fact": "other", "note": "A card is bent."}
        if caller.startswith("cashier"):
            return {"do": "buy-in", "patron": self.person("patron"), "amount": 1000}
        if caller in ("guest", "other-patron"):
            box = 3 if caller == "guest" else 4
            return {"do": "sit", "patron": self.person(caller), "box": box, "accepts-notice": True}
        return {"do": "raise-dispute", "patron": self.person("patron"), "says": "That was mine."}

    # What is answered

    def head(self, caller: str, way: str, token: str | None = None) -> dict[str, str]:
        """The header by which somebody shows who they are."""
        shown = token or self.tokens.get(caller)
        if shown is None:
            return {}
        return bearer(shown) if way == "bearer" else {"Cookie": f"{COOKIE}={shown}"}

    def answer(self, route: str, caller: str, way: str) -> Answered:
        """What somebody is answered on a route."""
        return self.send(route, caller, way, self.ask(route, caller))

    def send(self, route: str, caller: str, way: str, ask: Ask, origin: str | None = None) -> Answered:
        """What is answered to a request, which the page of an origin may have sent."""
        head = self.head(caller, way, ask.token) | ({} if origin is None else {"Origin": origin})
        if route.startswith("WS "):
            return self._first_message(ask.path, head)
        if route.split(" # ")[0].endswith("/commands"):
            head["Idempotency-Key"] = key_of(caller)
        method = route.split(" ")[0]
        found = self.client.request(method, ask.path, json=ask.body, headers=head)
        self.client.cookies.clear()
        return Answered(found.status_code, found.text)

    def _first_message(self, path: str, head: dict[str, str]) -> Answered:
        try:
            with self.client.websocket_connect(path, headers=head) as socket:
                return Answered(200, str(socket.receive_text()))
        except WebSocketDisconnect as closed:
            return Answered(closed.code, closed.detail)

    def by_socket(self, caller: str, way: str, key: str, command: dict[str, Any]) -> dict[str, Any]:
        """What somebody is answered to a command on a socket of the table; nothing if it does not open."""
        table = "r" if caller == "device" else "t"
        try:
            path = f"/api/tables/{table}/stream?after=1000000"
            with self.client.websocket_connect(path, headers=self.head(caller, way)) as socket:
                socket.send_json({"key": key, "command": command})
                found: dict[str, Any] = socket.receive_json()
                return found
        except WebSocketDisconnect:
            return {}


def key_of(caller: str) -> str:
    """The key of the command that somebody gives, however often."""
    return f"{caller} once"


def ways(caller: str) -> tuple[str, ...]:
    """How somebody shows who they are."""
    only = {"nobody": ("cookie",), "foreign-cookie": ("cookie",), "forged-token": ("bearer",)}
    return only.get(caller, ("cookie", "bearer"))


@contextmanager
def house(folder: Path) -> Iterator[House]:
    """A house that refuses nobody for asking often."""
    enough = {"rate": 1e6, "burst": 10**6}
    given = settings(
        None,
        {},
        database=f"sqlite:///{folder}/routes.db",
        key_file=f"{folder}/routes.key",
        master_key=MasterKey.new().text,
        guests=True,
        money="cage",
        second_factor=(),
        **enough,
    )
    with TestClient(build(given)) as client:
        yield House(client)
