"""A demonstration: a table of every book, bots that play at them, and one-time links for people to join.

Most tables deal face up, and quickly. At those in `SQUEEZED` the cards come face down, and people may squeeze them. At
one more table the dealer is whoever comes in as the dealer: cards are dealt by hand there, and anything can go wrong.
"""

import asyncio
import logging
import random
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime, timedelta, timezone
from uuid import uuid4

from msgspec.structs import replace

from punto.rulebook import Book, Refused
from punto.service.accounts.account import EVERYWHERE, Account
from punto.service.accounts.registry import Accounts
from punto.service.runtime.floor import Floor
from punto.service.runtime.live import Live
from punto.service.runtime.passed_offers import insurable, let_pass, may_ask, moment, passed
from punto.service.runtime.teller import Teller
from punto.service.settings import Settings
from punto.settlement import Limits
from punto.table import Table, commands
from punto.table.authority import holds
from punto.table.felt import unexposed
from punto.table.state import Post, Question, Round
from punto.table.usual import methods, usual_opening
from punto.table.view import questions_for

log = logging.getLogger("punto")

BOTS = ("mei", "omar", "lucia", "jun", "freya")
SQUEEZED = {"dragon-tiger-mbs": "A", "dragon-tiger-hoiana": None}
"""Books whose table deals face down, and by which method, where the book has several.

With Method A the cards go to the highest bettor on each hand; at the other one the highest bettor asks for them.
"""

BY_HAND = "by-hand"
"""The table that is dealt by hand."""

BOOK_BY_HAND = "da-hu-ying-xiong"
DECKS = 8
LIMITS = Limits(minimum=10_00, maximum=2_000_00, differential=5_000_00, unit=1_00, rounding="up")
PIT = "pit-manager"
RANKS = {
    "dealer": "dealer",
    "supervisor": "pit-supervisor",
    "pit": PIT,
    "shift": "table-game-shift-manager",
    "patron": None,
}
"""The people of the demonstration, and the rank of each."""

_MONEY = 10_000_00
_HOUSE = "house-staff"
_PATIENCE = 60.0
"""Seconds until the house decides what nobody else here may decide."""


class Demonstration:
    """The tables, people and bots of a demonstration."""

    def __init__(
        self,
        floor: Floor,
        teller: Teller,
        accounts: Accounts,
        settings: Settings,
        chance: random.Random | None = None,
    ) -> None:
        self._floor, self._teller, self._accounts, self._settings = floor, teller, accounts, settings
        self._chance = chance or random.Random()
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Open what is not open yet, let the bots play, and print one-time links for a patron and every rank."""
        accounts = self._accounts
        house = await asyncio.to_thread(_account, accounts, _HOUSE, "staff")
        names = await self._floor.names()
        library = self._floor.library
        shown = {book: opening(library.book(book)) for book in library.ids()}
        shown.setdefault(BY_HAND, opening(library.book(BOOK_BY_HAND), shoe="hand"))
        for name, command in list(shown.items()):
            rank = _highest(library.book(command.book))
            house = await asyncio.to_thread(accounts.hold, house.name, name, rank)
            if name in names:
                continue
            try:
                await self._teller.give(house, name, command, uuid4().hex)
            except Refused as refused:  # a book that is not in effect yet; the others are shown
                log.warning("no table of this book", extra={"book": command.book, "why": str(refused)})
                del shown[name]
        for name in shown:
            self._begin(house, name, self._decide)
            for bot in BOTS:
                account = await asyncio.to_thread(_account, accounts, bot, "patron", bot.title())
                self._begin(account, name, self._play)
        links = await asyncio.to_thread(self._links, {name: library.book(each.book) for name, each in shown.items()})
        where = self._settings.address
        print(f"\nPunto is open at {where}\nPlay there as a guest, or come in by a link:\n", flush=True)
        for who, token in links.items():
            print(f"  as {who}, once: {where}/?link={token}", flush=True)
        print("\nCtrl-C stops it.\n", flush=True)

    async def stop(self) -> None:
        """Stop the bots."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _links(self, books: dict[str, Book]) -> dict[str, str]:
        """One-time links for a patron and every rank, so that whatever is asked can be answered by somebody here.

        Without such a rank at a table, and for the shift manager, it is the highest of its book.
        """
        accounts, links = self._accounts, {}
        for name, rank in RANKS.items():
            account = f"demo-{name}"
            _account(accounts, account, "patron" if rank is None else "staff", name.title())
            if rank is not None:
                accounts.hold(account, EVERYWHERE, rank)
                for table, book in books.items():
                    if name == "shift" or not any(rank in tier for tier in book.ranks):
                        accounts.hold(account, table, _highest(book))
            links[name] = accounts.link(account)
        return links

    # Somebody at a table

    def _begin(self, account: Account, name: str, act: Callable[[Account, Live, Table], Awaitable[None]]) -> None:
        self._tasks.append(asyncio.create_task(self._attend(account, name, act)))

    async def _attend(
        self, account: Account, name: str, act: Callable[[Account, Live, Table], Awaitable[None]]
    ) -> None:
        """Act at a table whenever something has happened there."""
        seen = -1
        while True:
            with suppress(ValueError):  # refused, or the store is away: try again in a moment
                live = await self._floor.live(name)
                moved, table = live.moved, live.table
                if table is not None and table.open and live.sequence != seen:
                    seen = live.sequence
                    await act(account, live, table)
                if live.sequence == seen:
                    with suppress(TimeoutError):
                        async with asyncio.timeout(10):  # `wait_for` may swallow that it is cancelled
                            await moved.wait()
                continue
            await asyncio.sleep(1)

    async def _think(self, least: float, most: float) -> None:
        await asyncio.sleep(self._chance.uniform(least, most) * self._settings.pace)

    async def _say(self, account: Account, live: Live, command: commands.Command) -> None:
        await self._teller.give(account, live.name, command, uuid4().hex)

    # The house

    async def _decide(self, account: Account, live: Live, table: Table) -> None:
        """Decide after a while what is beyond a pit manager's rank, so that no table stands still."""
        beyond = [each for each in table.questions if each.blocks and _beyond(table, each)]
        if beyond:
            question = beyond[-1]
            await self._think(_PATIENCE, _PATIENCE)
            choice = "void" if "void" in question.choices else question.default or question.choices[0]
            await self._say(account, live, commands.Answer(question.id, choice, "Nobody else was there to decide."))

    # A bot

    async def _play(self, account: Account, live: Live, table: Table) -> None:
        """Sit or stand, bet, squeeze, insure now and then, and answer what is asked."""
        who = account.person
        patron = table.patrons.get(who)
        if patron is None or patron.away:
            taken = {each.box for each in table.patrons.values()}
            free = [box for box in range(1, table.setup.positions) if box not in taken]
            join = commands.Sit(who, self._chance.choice(free)) if free else commands.Stand(who)
            await self._say(account, live, join)
            return
        if patron.balance < 100_00:
            await self._say(account, live, commands.BuyIn(who, _MONEY))
            return
        for question in questions_for(table, who):
            choice = question.default or self._chance.choice(question.choices)
            await self._say(account, live, commands.Answer(question.id, choice))
            return
        round = table.running
        if round is None:
            return
        if round.phase == "betting" and all(spot[0] != who for spot in round.wagers):
            await asyncio.sleep(self._chance.random() * self._settings.betting_seconds / 2)
            await self._bet(account, live, table)
        elif held := held_by(round, who):
            await self._think(1.2, 4)
            await self._say(account, live, commands.Expose((), at=held[0]))
        elif who in (insurable(table) | may_ask(table)) - passed(live):
            await self._consider(account, live, table, round)

    async def _bet(self, account: Account, live: Live, table: Table) -> None:
        who = account.person
        box = table.patrons[who].box or self._chance.randrange(1, table.setup.positions + 1)
        stake = self._chance.choice((20_00, 40_00, 100_00, 200_00))
        hand = self._chance.choice(("player", "banker"))
        await self._say(account, live, commands.Place(who, hand, _payable(table, hand, stake), box))
        sides = [bet for bet, priced in table.menu.laid_before.bets.items() if priced.bet.hand is None]
        if sides and self._chance.random() < 0.4:
            bet = self._chance.choice(sides)
            await self._say(account, live, commands.Place(who, bet, _payable(table, bet, 20_00), box))

    async def _consider(self, account: Account, live: Live, table: Table, round: Round) -> None:
        """Take what is offered, insurance or the cards, or let it pass."""
        who, now = account.person, moment(table)
        await self._think(0.8, 3)
        if self._chance.random() < 0.3:
            with suppress(Refused):
                await self._say(account, live, self._wish(who, round))
        if live.table is not None and moment(live.table) == now:
            let_pass(live, who)

    def _wish(self, who: str, round: Round) -> commands.Command:
        window = round.window
        if window is None:
            hands = [bet for name, _, bet in round.wagers if name == who and bet in ("player", "banker")]
            return commands.AskSqueeze(who, hands[0] if hands else "player")
        spot, most = next((spot, most) for spot, most in window.most.items() if spot[0] == who)
        return commands.Insure(who, window.hand, most // 2_00 * 1_00, spot[1])


def opening(book: Book, shoe: str = "virtual") -> commands.OpenTable:
    """The table of a book in the demonstration. One that is dealt by hand is dealt face up."""
    dealt, now = shoe == "virtual", datetime.now(timezone(timedelta(hours=8)))
    method = _method(book) if dealt else None
    return replace(
        usual_opening(book, now, DECKS, LIMITS),
        at=now.isoformat(timespec="seconds"),
        shoe=shoe,
        auto=("announce", "offer") if dealt else (),
        face_down=dealt and (book.id in SQUEEZED or method == "A"),
        method=method,
    )


def _payable(table: Table, bet: str, stake: int) -> int:
    """The stake on a bet, or the next that can be laid on it."""
    step = table.chips.step(table.menu[bet])
    return -(-max(stake, table.setup.limits.minimum_of(bet) or 0) // step) * step


def held_by(round: Round, who: str) -> list[int]:
    """The places of the cards that somebody holds and has yet to open."""
    return [at for at in unexposed(round) if round.squeezers.get(round.cards[at].area) == who]


def _method(book: Book) -> str | None:
    """By which method the table of a book deals, where it has several."""
    if book.id in SQUEEZED:
        return SQUEEZED[book.id]
    return next((method for method in ("B", "A") if method in methods(book)), None)


def _highest(book: Book) -> str:
    """The rank that decides whatever a book does not."""
    residual = book.point("authority", "residual")
    assert residual is not None  # the loader demands it
    assert residual.by is not None
    return residual.by


def _beyond(table: Table, question: Question) -> bool:
    return question.to != "patrons" and not holds(table.book, Post(PIT), question.to)


def _account(accounts: Accounts, name: str, kind: str, shown: str = "") -> Account:
    """An account, made if there is none; with a password that nobody knows."""
    return accounts.get(name, fresh=True) or accounts.make(name, kind, secrets.token_urlsafe(16), shown=shown)
