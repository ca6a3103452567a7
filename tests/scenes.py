"""The states in which a patron can meet a table, at a table of any book: to be looked at, and to be measured."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page, expect

from browsing import PATIENCE, House, Somebody, coup
from punto.rulebook import load, menu

Act = Callable[[Page], None]


def _nothing(_: Page) -> None:
    """The page is looked at as it is."""


def _result(page: Page) -> None:
    """Both ways in which a result is told: beside the felt, and as a card where there is no room beside it."""
    expect(page.locator(".result-panel .line").first).to_be_attached(timeout=PATIENCE)
    expect(page.locator(".brief .line").first).to_be_attached(timeout=PATIENCE)


@dataclass(frozen=True)
class Scene:
    """A page in a certain state: who opens it, what is there then, and what is done on it before it is looked at."""

    path: str
    landmark: str
    who: Somebody | None
    act: Act = _nothing


def open_tab(name: str) -> Act:
    """A tab beside the felt, by its place."""
    return lambda page: page.locator(".tab").nth(TABS.index(name)).click()


TABS = ("result", "history", "odds", "requests", "limits")


class Scenes:
    """A table of a book with a patron at it, who is led from state to state."""

    def __init__(self, house: House, book: str, name: str, layout: str | None = None) -> None:
        self.house, self.book = house, load(book)
        self.patron, self.other = house.patron(f"{name}-ann"), house.patron(f"{name}-bob")
        house.hold("manager", name, self.book.ranks[-1][0])
        more: dict[str, Any] = {"layout": layout} if layout else {}
        self.table = house.table(name, book, **more)
        self.menu = menu(self.book, house.manager.view(self.table)["layout"])

    def _scene(self, landmark: str, act: Act = _nothing) -> Scene:
        return Scene(f"/table/{self.table}", landmark, self.patron, act)

    def no_seat(self) -> Scene:
        return self._scene(".question")

    def no_chips(self) -> Scene:
        self.patron.do(self.table, "sit", patron=self.patron.name, box=1, accepts_notice=True)
        return self._scene(".question")

    def waiting(self) -> Scene:
        """Seated with chips beside somebody else, before bets are opened."""
        self.patron.do(self.table, "buy-in", patron=self.patron.name, amount=125_000_00)
        self.other.sit(self.table, 2, 50_000_00)
        return self._scene(".seat.own")

    def open(self) -> Scene:
        self.house.manager.do(self.table, "open-bets")
        return self._scene(".spot-box.open")

    def _lay(self, who: Somebody, stake: int) -> None:
        """Chips of somebody on every field that takes them."""
        for bet in self.menu.bets:
            try:
                who.bet(self.table, bet, stake)
            except AssertionError:  # it needs another, comes later, or is more than may lie there
                continue

    def staked_by_others(self) -> Scene:
        """From the moment at which somebody has sat down: chips of somebody else alone."""
        self.waiting()
        self.open()
        self._lay(self.other, 60_00)
        return self._scene(".spot-box.open")

    def staked(self) -> Scene:
        """Own chips beside them."""
        self._lay(self.patron, 1_250_00)
        return self._scene(".mine .amount")

    def staked_of_all(self) -> Scene:
        """Both, from the moment at which somebody has sat down."""
        self.staked_by_others()
        return self.staked()

    def refused(self) -> Scene:
        def too_much(page: Page) -> None:
            page.locator(".chip").last.click()
            for _ in range(12):
                page.locator('.spot-box[data-bet="banker"] .spot').click()
                if page.locator(".spot-box .refusal").count():
                    break
            expect(page.locator(".spot-box .refusal").first).to_be_visible(timeout=PATIENCE)

        return self._scene(".spot-box.open", too_much)

    def closed(self) -> Scene:
        self.house.manager.do(self.table, "close-bets")
        return self._scene(".call")

    def offered(self) -> Scene:
        """Four cards: Banker 5 against 4, and an offer of insurance where the book has one."""
        self.house.deal(self.table, "2c 2d 2h 3s")
        return self._scene(".offer" if self.book.insurance else ".points")

    def offered_now(self) -> Scene:
        """The same from the moment at which chips lie there."""
        self.closed()
        return self.offered()

    def paid(self) -> Scene:
        self.house.deal(self.table, "4c Ks")
        return self._scene(".call", _result)

    def history(self) -> Scene:
        return self._scene(".tab", open_tab("history"))

    def odds(self) -> Scene:
        return self._scene(".tab", open_tab("odds"))

    def requests(self) -> Scene:
        return self._scene(".tab", open_tab("requests"))

    def limits(self) -> Scene:
        return self._scene(".tab", open_tab("limits"))

    def tied(self) -> Scene:
        self.house.manager.do(self.table, "open-bets")
        for bet in ("banker", "tie"):
            self.patron.bet(self.table, bet, 100_00)
        self.house.manager.do(self.table, "close-bets")
        self.house.deal(self.table, coup("T", 1))
        return self._scene(".call", _result)

    def guide(self) -> Scene:
        return Scene(f"/guide/{self.table}", ".guide .figures", None)

    def board(self) -> Scene:
        return Scene(f"/board/{self.table}", ".road-bead g g", None)
