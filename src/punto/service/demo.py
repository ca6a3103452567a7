"""A small casino to look at: a table of every book, patrons that play by themselves, and links to join them."""

import asyncio
import logging
import random
import secrets
from contextlib import suppress
from datetime import datetime, timedelta, timezone
from uuid import uuid4

from punto.rulebook import Refused, ids, load
from punto.service.accounts import EVERYWHERE, Account, Accounts, HeldPost
from punto.service.api import State, give
from punto.service.floor import NotDurable, Unknown
from punto.service.limits import TooMany
from punto.settlement import Limits
from punto.table import Table, commands
from punto.table.view import questions_for

log = logging.getLogger("punto")
BOTS = ("mei", "omar", "lucia", "jun", "freya")
LIMITS = Limits(minimum=10_00, maximum=2_000_00, differential=5_000_00, unit=1_00, rounding="up")
_MONEY = 10_000_00


def _now() -> str:
    return datetime.now(timezone(timedelta(hours=8))).isoformat(timespec="seconds")


class Demo:
    """The tables, people and bots of a demonstration."""

    def __init__(self, casino: State, chance: random.Random | None = None) -> None:
        self._casino, self._chance = casino, chance or random.Random()
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Open what is not open yet, let the bots play, and print one-time links for three people."""
        accounts = self._casino.accounts
        house = await asyncio.to_thread(_account, accounts, "house-staff", "staff")
        names = await self._casino.floor.names()
        for book in ids():
            await asyncio.to_thread(accounts.hold, house.name, book, load(book).ranks[-1][-1])
            if book not in names:
                await self._open(book)
            for bot in BOTS:
                account = await asyncio.to_thread(_account, accounts, bot, "patron")
                self._tasks.append(asyncio.create_task(self._play(account, book)))
        links = await asyncio.to_thread(self._links)
        settings = self._casino.settings
        where = f"{'https' if settings.certificate else 'http'}://{settings.host}:{settings.port}"
        print(f"Punto is open at {where}", flush=True)
        for who, token in links.items():
            print(f"  as {who}, once: {where}/?link={token}", flush=True)

    async def stop(self) -> None:
        """Let the bots go."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _open(self, book: str) -> None:
        account = self._casino.accounts.get("house-staff", fresh=True)
        assert account is not None
        methods = load(book).point("dealing", "methods")
        opened = commands.OpenTable(
            book,
            _now(),
            decks=8,
            limits=LIMITS,
            shoe="virtual",
            auto=("announce", "offer"),
            face_down=False,
            positions=None,
        )
        await give(self._casino, account, book, opened, uuid4().hex)
        if methods is not None:
            await self._set_method(account, book)

    async def _set_method(self, account: Account, book: str) -> None:
        point = load(book).point("dealing", "method-choice")
        method = commands.SetMethod("B", by=point.by if point is not None and point.by else "dealer")
        await self._casino.floor.submit(book, method, who=account.name, key=uuid4().hex)

    def _links(self) -> dict[str, str]:
        accounts, links = self._casino.accounts, {}
        for name, rank in (("demo-dealer", "dealer"), ("demo-pit", "pit-manager"), ("demo-patron", None)):
            _account(accounts, name, "patron" if rank is None else "staff")
            if rank is not None:
                accounts.hold(name, EVERYWHERE, rank)
            links[name.removeprefix("demo-")] = accounts.link(name)
        return links

    # A bot

    async def _play(self, account: Account, name: str) -> None:
        """Sit or stand, bet, insure now and then, and answer what is asked."""
        floor, seen = self._casino.floor, -1
        while True:
            with suppress(Refused, Unknown, NotDurable, TooMany, ValueError):
                live = await floor.live(name)
                moved, table = live.moved, live.table
                if table is not None and table.open and live.sequence != seen:
                    seen = live.sequence
                    await self._act(account, name, table)
                if live.sequence == seen:
                    with suppress(TimeoutError):
                        await asyncio.wait_for(moved.wait(), 10)
                continue
            await asyncio.sleep(1)

    async def _act(self, account: Account, name: str, table: Table) -> None:
        who = account.name
        patron = table.patrons.get(who)
        if patron is None or patron.away:
            taken = {each.box for each in table.patrons.values()}
            free = [box for box in range(1, table.setup.positions) if box not in taken]
            join = commands.Sit(who, self._chance.choice(free)) if free else commands.Stand(who)
            await self._say(account, name, join)
            return
        if patron.balance < 100_00:
            await self._say(account, name, commands.BuyIn(who, _MONEY))
            return
        for question in questions_for(table, who):
            choice = question.default or self._chance.choice(question.choices)
            await self._say(account, name, commands.Answer(question.id, choice))
            return
        round = table.running
        if round is None:
            return
        if round.phase == "betting" and all(spot[0] != who for spot in round.wagers):
            await asyncio.sleep(self._chance.random() * self._casino.settings.betting_seconds / 2)
            await self._bet(account, name, table)
        elif round.window is not None and not round.window.drawn and self._chance.random() < 0.3:
            for spot, most in round.window.most.items():
                if spot[0] == who and most >= 10_00:
                    await self._say(account, name, commands.Insure(who, round.window.hand, most // 2_00 * 1_00))

    async def _bet(self, account: Account, name: str, table: Table) -> None:
        who = account.name
        box = table.patrons[who].box or self._chance.randrange(1, table.setup.positions + 1)
        stake = self._chance.choice((20_00, 40_00, 100_00, 200_00))
        hand = self._chance.choice(("player", "banker"))
        await self._say(account, name, commands.Place(who, hand, stake, box))
        sides = [bet for bet in table.book.bets if bet not in ("player", "banker")]
        if self._chance.random() < 0.4:
            await self._say(account, name, commands.Place(who, self._chance.choice(sides), 20_00, box))

    async def _say(self, account: Account, name: str, command: commands.Command) -> None:
        await give(self._casino, account, name, command, uuid4().hex)


def _account(accounts: Accounts, name: str, kind: str) -> Account:
    """An account, made if there is none; with a password that nobody knows."""
    found = accounts.get(name, fresh=True)
    posts: dict[str, HeldPost] = {}
    return found or accounts.make(name, kind, secrets.token_urlsafe(16), posts)
