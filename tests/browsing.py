"""A house for the browser tests: the real service, tables dealt by hand with chosen cards, people, and their pages."""

import re
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page, WebSocket, expect, sync_playwright

from own_books import own_id
from punto.journal import Journal
from punto.rulebook import load
from punto.service.accounts.account import HeldPost
from punto.service.accounts.registry import Accounts
from service_process import Service, bearer, opening
from warm_start import warm_starts

WITH_WINDOWS = shutil.which("chromium") or "/usr/bin/chromium"
"""The Chromium that a person uses: it can fill the screen."""
CHROMIUM = shutil.which("chromium-headless-shell") or WITH_WINDOWS
"""The one without windows where it is installed: the same engine for a third of the work."""
NO_CHROMIUM = (
    "Chromium is not installed: apt-get install chromium (Debian, Ubuntu), dnf install chromium (Fedora), "
    "or put any Chromium into the path as `chromium`."
)
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE = 120_000
"""Milliseconds that a page may take for anything: slow machines are slow, and nothing waits longer than it must."""
expect.set_options(timeout=PATIENCE)

PASSWORD = "a password for tests"
OUTAGE = re.compile(r"WebSocket connection to|net::ERR_")
"""What Chromium itself writes when a house cannot be reached."""

View = dict[str, Any]


def money(minor: int, *, sign: bool = False, exact: bool = False) -> str:
    """An amount as the pages show it."""
    whole, rest = divmod(abs(minor), 100)
    mark = "−" if minor < 0 else "+" if sign and minor else ""  # noqa: RUF001
    return f"{mark}{whole:,}" + (f".{rest:02}" if rest or exact else "")


def coup(winner: str, at: int) -> str:
    """Four cards in drawn order that end a round at once; suits go round so that no card comes too often."""
    suits = "cdhs"[at % 4], "cdhs"[(at + 1) % 4]
    nine, two = f"9{suits[0]} K{suits[0]}", f"2{suits[1]} Q{suits[1]}"
    player, banker = {"P": (nine, two), "B": (two, nine), "T": (nine, f"9{suits[1]} J{suits[1]}")}[winner]
    return " ".join(card for pair in zip(player.split(), banker.split(), strict=True) for card in pair)


class Somebody:
    """A person who speaks to the tables by the API."""

    def __init__(self, address: str, name: str, token: str) -> None:
        self.name, self.token = name, token
        self._client = httpx.Client(base_url=address, headers=bearer(token), timeout=600)

    def do(self, table: str, do: str, **more: object) -> dict[str, Any]:
        """Give a command that is accepted."""
        given = {"do": do, **{name.replace("_", "-"): value for name, value in more.items()}}
        answer: dict[str, Any] = self.post(f"/api/tables/{table}/commands", given)
        return answer

    def get(self, path: str) -> Any:
        """What an address of the API says."""
        return self._said(self._client.get(path))

    def post(self, path: str, given: object) -> Any:
        """What an address of the API answers."""
        return self._said(self._client.post(path, json=given))

    def put(self, path: str, given: object) -> Any:
        """What an address of the API answers to something that is set."""
        return self._said(self._client.put(path, json=given))

    def _said(self, answer: httpx.Response) -> Any:
        assert answer.is_success, answer.text
        return answer.json()

    def snapshot(self, table: str) -> dict[str, Any]:
        """A table, with the number of the last entry."""
        found: dict[str, Any] = self.get(f"/api/tables/{table}")
        return found

    def view(self, table: str) -> View:
        """A table as this person sees it."""
        found: View = self.snapshot(table)["view"]
        return found

    def sit(self, table: str, box: int, money: int = 10_000_00) -> None:
        """Sit down with chips."""
        self.do(table, "sit", patron=self.name, box=box, accepts_notice=True)
        self.do(table, "buy-in", patron=self.name, amount=money)

    def bet(self, table: str, bet: str, stake: int) -> None:
        """Put chips on a bet."""
        self.do(table, "place", patron=self.name, bet=bet, stake=stake)

    def close(self) -> None:
        """Go home."""
        self._client.close()


class House:
    """The service with its people. Tables are dealt by hand, so every card is chosen by the test."""

    def __init__(self, folder: Path, **settings: object) -> None:
        self.database = database = f"sqlite:///{folder / 'punto.db'}"
        self._journal = Journal(database)
        self._journal.upgrade()
        self._accounts = Accounts(self._journal)
        self.service = Service(folder, database, warm_starts(), rate=10_000, burst=10_000, guests=True, **settings)
        self._people: dict[str, Somebody] = {}
        self.staff("manager", "pit-manager")
        self.service.start()

    @property
    def address(self) -> str:
        """Where the house is."""
        return self.service.address

    @property
    def manager(self) -> Somebody:
        """The pit manager, who may do whatever a dealer does."""
        return self._people["manager"]

    def patron(self, name: str) -> Somebody:
        """A new patron, with a password."""
        return self._somebody(name, "patron", {})

    def staff(self, name: str, rank: str) -> Somebody:
        """A new person of the staff, with a post at every table."""
        return self._somebody(name, "staff", {"*": HeldPost(rank)})

    def link(self, person: Somebody) -> str:
        """The path of a one-time link by which somebody comes in."""
        return f"?link={self._accounts.link(person.name)}"

    def known_by(self, page: Page) -> Somebody:
        """Whoever has logged in on a page."""
        [token] = [each["value"] for each in page.context.cookies() if each["name"] == "punto"]
        found = Somebody(self.address, "", token)
        found.name = found.get("/api/me")["person"]
        return self._people.setdefault(found.name, found)

    def hold(self, name: str, table: str, rank: str) -> None:
        """Give somebody of the staff another rank at one table."""
        self._accounts.hold(name, table, rank)

    def person(self, name: str) -> Somebody:
        """Somebody who was made before."""
        return self._people[name]

    def _somebody(self, name: str, kind: str, posts: dict[str, HeldPost]) -> Somebody:
        account = self._accounts.make(name, kind, PASSWORD, posts, person=name)
        self._people[name] = Somebody(self.address, name, self._accounts.token(account))
        return self._people[name]

    def table(self, name: str, book: str, *, own: bool = False, **more: object) -> str:
        """Open a table with cards in its shoe; by the house's own copy of a book, or by the one that ships."""
        given = opening(book, auto=["announce", "offer", "settle"], **more)
        if own:
            given["book"] = own_id(book)
        self.manager.do(name, str(given.pop("do")), **given)
        self.manager.do(name, "load-shoe")
        if load(book).point("dealing", "burn") is not None:
            self.manager.do(name, "burn")
        return name

    def deal(self, table: str, cards: str, *, stop: str | None = None, by: Somebody | None = None) -> View:
        """Deal these cards in the order in which they are drawn, until they are gone or a step is next."""
        dealer, faces = by or self.manager, cards.split()
        while True:
            view = self.manager.view(table)
            step = view["next"][0]["do"]
            if step == stop or step in ("open-bets", "end-shoe", "answer"):
                return view
            if step == "expose":
                hands = view["round"]["player"]["cards"] + view["round"]["banker"]["cards"]
                down = sum(each is None for each in hands)
                opened, faces = faces[:down], faces[down:]
                dealer.do(table, "expose", faces=opened)
            elif step == "draw" and len(drawn(view)) >= 4 and not faces:
                return view
            else:
                dealer.do(table, step)

    def play(self, table: str, patron: Somebody, cards: str) -> View:
        """A whole round with a wager on it."""
        self.manager.do(table, "open-bets")
        patron.bet(table, "banker", 10_00)
        self.manager.do(table, "close-bets")
        return self.deal(table, cards)

    def close(self) -> None:
        """Close the house."""
        for each in self._people.values():
            each.close()
        self.service.kill()
        self._journal.close()


def drawn(view: View) -> Sequence[str | None]:
    """The cards that lie on the felt."""
    cards: list[str | None] = view["round"]["player"]["cards"] + view["round"]["banker"]["cards"]
    return cards


@contextmanager
def browsing(chromium: str = CHROMIUM) -> Iterator[Browser]:
    """The system's Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


class Door:
    """Lets people open pages, and hears every error that a page writes into its console."""

    def __init__(self, browser: Browser, house: House, address: str | None = None) -> None:
        self._browser = browser
        self._address = address or house.address
        self._contexts: list[BrowserContext] = []
        self._forgiven: list[str] = []
        self._heard: list[str] = []

    @property
    def errors(self) -> list[str]:
        """What pages have written into their consoles and nobody has forgiven."""
        return [each for each in self._heard if not any(re.search(like, each) for like in self._forgiven)]

    def open(
        self,
        path: str,
        who: Somebody | None = None,
        *,
        phone: bool = False,
        motion: bool = False,
        wide: int = 1440,
        meanwhile: Callable[[Page], None] | None = None,
    ) -> Page:
        """A page in a browser of its own, as somebody or as nobody; `meanwhile` gets it before it is loaded."""
        context = self._browser.new_context(
            base_url=self._address,
            viewport={"width": 390, "height": 844} if phone else {"width": wide, "height": wide * 9 // 16},
            is_mobile=phone,
            has_touch=phone,
            reduced_motion="no-preference" if motion else "reduce",
            locale="en-GB",
        )
        context.set_default_timeout(PATIENCE)
        self._contexts.append(context)
        if who is not None:
            context.add_cookies([{"name": "punto", "value": who.token, "url": self._address}])
        page = context.new_page()
        page.on("console", self._hear)
        page.on("pageerror", self._fail)
        if meanwhile is not None:
            meanwhile(page)
        page.goto(path)
        return page

    def _hear(self, said: ConsoleMessage) -> None:
        if said.type in ("error", "warning"):
            self._heard.append(f"{said.text} ({said.location.get('url')})")

    def _fail(self, error: Error) -> None:
        self._heard.append(str(error))

    def forgive(self, like: str) -> None:
        """What Chromium writes by itself of something that was meant to be refused, also if it comes later."""
        self._forgiven.append(like)

    def forgive_outage(self) -> None:
        """The house was away on purpose: what Chromium has written about that is no error of a page."""
        self._heard = [each for each in self._heard if not OUTAGE.search(each)]

    def close(self) -> None:
        """Close every page."""
        for each in self._contexts:
            each.close()


class Heard:
    """The numbers of the entries that a page was told on its sockets, in the order in which they came."""

    def __init__(self, page: Page) -> None:
        self.numbers: list[int] = []
        self.sockets = 0
        self._page = page
        page.on("websocket", self._follow)

    def wait(self, last: int) -> None:
        """Wait until an entry has been told."""
        end = time.monotonic() + PATIENCE / 1000
        while last not in self.numbers and time.monotonic() < end:
            self._page.wait_for_timeout(20)  # lets the page's messages in

    def _follow(self, socket: WebSocket) -> None:
        self.sockets += 1
        socket.on("framereceived", self._take)

    def _take(self, frame: str | bytes) -> None:
        said = msgspec.json.decode(frame)
        self.numbers += [each["sequence"] for each in said.get("entries", [])]


def axe_finds(page: Page) -> list[str]:
    """What axe-core finds wrong with a page as it is now."""
    found = Axe().run(page).response["violations"]
    return [f"{each['id']} ({each['impact']}): {each['nodes'][0]['html'][:200]}" for each in found]


def sideways(page: Page) -> int:
    """By how many pixels a page is wider than its screen."""
    wide: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return wide


def speak(page: Page, language: str) -> None:
    """Choose the language of a page."""
    page.locator("#top select").select_option(language)
    expect(page.locator("html")).to_have_attribute("lang", language)


def tap(page: Page, bet: str) -> None:
    """Put the chosen chip on an area."""
    page.locator(f'.spot-box[data-bet="{bet}"].open .spot').click()


def laid(page: Page, bet: str, amount: int) -> None:
    """Wait until so much lies on an area, and nothing is on its way."""
    area = page.locator(f'.spot-box[data-bet="{bet}"]')
    expect(area.locator(".amount")).to_have_text(money(amount), timeout=PATIENCE)
    expect(area.locator(".pending")).to_have_count(0, timeout=PATIENCE)


def type_cards(page: Page, cards: str) -> None:
    """Type faces at the dealer's console, by two keys each, and wait until they lie there."""
    lying = page.locator(".part-felt .d-spot .card-art:not(.back)")
    before, faces = lying.count(), cards.split()
    for face in faces:
        for key in face:
            page.keyboard.press(key)
    expect(lying).to_have_count(before + len(faces), timeout=PATIENCE)
