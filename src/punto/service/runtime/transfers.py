"""Transfers between a wallet and a table: each is recorded before it is sent, and finished whatever dies meanwhile.

The wallet and the table both know a key: what is sent again moves nothing more. Whether chips are given for what a
wallet has paid, or the money goes back, is decided by the first entry in the chain of money, and never twice.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable
from contextlib import suppress
from weakref import WeakValueDictionary

import msgspec

from punto.journal import Append, JournalError, Proviso
from punto.messages import say
from punto.rulebook import Refused
from punto.service.accounts.tokens import Denied
from punto.service.errors import Unknown
from punto.service.hourly import HourlyLimit
from punto.service.limits import TooMany
from punto.service.money.acts import Do, MoneyAct, MoneyChain, MoneyState, Overruled, Transfer, stage_of
from punto.service.money.count import back
from punto.service.money.wallet import Wallet, WalletRefused, WalletUnclear
from punto.service.runtime.floor import OF_ANOTHER_COMMAND, Committed, Floor, NotDurable
from punto.service.runtime.money_limits import MoneyLimits
from punto.service.runtime.speakers import LiveTable
from punto.service.threads import Threads
from punto.table import commands, events

log = logging.getLogger("punto")
OF_WALLETS: dict[type[commands.Command], Do] = {
    commands.BuyIn: "buy-in",
    commands.CashOut: "cash-out",
    commands.PayOwed: "pay-owed",
}
_AGAIN_AFTER = 2.0
"""Seconds until a transfer that is not over is taken up again."""

_AT_ONCE = 16
"""Questions to a wallet at the same time: each takes a thread, also while it does not answer."""

MOST_OPEN = 4
"""Transfers of one person that are not over: while a wallet does not answer, nobody begins without end."""

_REFUSED_AN_HOUR = 30
"""Transfers of one person that their wallet refuses: each is entries in the chains of money and of the wallet."""


class DecidedOtherwise(ValueError):
    """A transfer has come further in the meantime: what was to be done about it is not to be done any more."""


class Transfers:
    """Begins transfers, and finishes those that are open."""

    def __init__(self, floor: Floor, wallet: Wallet, chain: MoneyChain, limits: MoneyLimits) -> None:
        self._floor, self._wallet, self._chain, self._limits = floor, wallet, chain, limits
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """By key: whoever is busy with a transfer holds its lock."""
        self._ask_wallet = Threads(_AT_ONCE, "wallet")
        self._refused = HourlyLimit(floor.journal, "refused transfers", _REFUSED_AN_HOUR)
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Look after open transfers until stopped."""
        self._task = asyncio.create_task(self._attend())

    async def stop(self) -> None:
        """Leave open transfers to whoever starts next."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._ask_wallet.close()

    async def give(
        self, person: str, name: str, command: commands.Command, key: str, provisos: tuple[Proviso, ...] = ()
    ) -> Committed:
        """Carry out a patron's own buy-in, cash-out or payment of a debt with their wallet.

        It begins under the provisos alone; what has begun is finished whatever becomes of their account.
        """
        async with self._locks.setdefault(key, asyncio.Lock()):
            while True:
                before = await self._floor.first_time(name, key, person, command)
                for transfer in await self._open(lambda each: each.key == key and each.table == name):
                    if before is None and _command(transfer) != command:
                        raise Refused(OF_ANOTHER_COMMAND)
                    return await self._finish(transfer)
                if before is not None:
                    return before
                await self._begin(person, name, command, key, provisos)

    async def _open(self, wanted: Callable[[Transfer], bool]) -> list[Transfer]:
        def chosen(state: MoneyState) -> list[Transfer]:
            return [msgspec.structs.replace(each) for each in state.open.values() if wanted(each)]

        return await self._floor.ask_store(self._chain.ask, chosen)

    async def _begin(
        self, person: str, name: str, command: commands.Command, key: str, provisos: tuple[Proviso, ...]
    ) -> None:
        """Record a transfer that the table would accept now, before anything is sent; one at a time by a key."""
        table = await self._floor.table(name)
        await self._foresee(name, command)
        amount = getattr(command, "amount", None) or 0
        made = Transfer(
            secrets.token_hex(16),
            OF_WALLETS[type(command)],
            person,
            name,
            amount,
            table.setup.currency,
            key,
            self._wallet.external,
        )

        def may_begin(state: MoneyState) -> bool:
            """Nothing is under way or done by this key where the chain stands: what is done is a commit of both."""
            is_only_one = all(each.key != key or each.table != name for each in state.open.values())
            is_few = sum(each.person == person for each in state.open.values()) < MOST_OPEN
            return is_only_one and is_few and not self._floor.journal.by_key(name, key)

        await self._floor.ask_store(self._refused.check, person)
        if len(await self._open(lambda each: each.person == person)) >= MOST_OPEN:
            raise TooMany(say("transfers-not-over", "Money of yours is still on its way: wait until it has arrived."))
        act = self._act("begun", made, made.amount)
        try:
            await self._floor.ask_store(self._chain.note, act, may_begin, provisos)
        except Overruled:
            raise Denied(say("token-not-good", "The token is not good any more.")) from None

    async def _foresee(self, name: str, command: commands.Command) -> None:
        live = await self._floor.live(name)
        self._floor.foresee(live, command)
        if isinstance(command, commands.BuyIn):
            await self._limits.check(live, command, command.patron)

    async def _note(self, what: str, transfer: Transfer, why: str = "") -> bool:
        """Record the next step of a transfer; False, and nothing done, if it is not where it was any more."""
        act = self._act(what, transfer, transfer.amount, why)
        return await self._floor.ask_store(self._chain.note, act, lambda state: _is_at(state, transfer))

    def _act(self, what: str, transfer: Transfer, amount: int, why: str = "") -> MoneyAct:
        at = self._floor.clock()
        return MoneyAct(
            what,
            at,
            "service",
            transfer.person,
            amount,
            transfer.currency,
            transfer.table,
            transfer.id,
            transfer.do,
            transfer.key,
            self._limits.day(at),
            transfer.external,
            why,
        )

    # One transfer

    async def _finish(self, transfer: Transfer) -> Committed:
        """Take a transfer from where it is to its end; `NotDurable` where that is not known yet."""
        if transfer.do == "cash-out":
            return await self._cash_out(transfer)
        if transfer.stage == "begun":
            await self._debit(transfer)
        refused: Refused | None = None
        if transfer.stage == "debited":
            try:
                return await self._move(transfer)
            except Refused as error:
                refused = error
                if not await self._note("returning", transfer, why=str(error)):
                    raise NotDurable(_ASK_AGAIN) from None
                transfer.stage = "returning"
        await self._credit(transfer, back(transfer.id))
        raise refused or Refused(
            say("wallet-got-its-money-back", "The table did not take it, and the wallet has its money back.")
        )

    async def _debit(self, transfer: Transfer) -> None:
        try:
            await self._ask_wallet(self._wallet.debit, *_asked(transfer.id, transfer))
        except WalletRefused as error:
            with suppress(TooMany):
                await self._floor.ask_store(self._refused.take, transfer.person)
            await self._note("refused", transfer, why=str(error))
            raise Refused(say("wallet-refused", "The wallet does not pay. {says}", says=str(error))) from None
        except WalletUnclear as error:
            raise NotDurable(say("two-sentences", "{first} {second}", first=str(error), second=_ASK_AGAIN)) from error
        await self._note("debited", transfer)
        transfer.stage = "debited"

    async def _move(self, transfer: Transfer) -> Committed:
        """Let chips change hands at the table, and record it in the same commit."""
        command = _command(transfer)

        async def along(live: LiveTable, made: tuple[events.Event, ...]) -> Append:
            moved = sum(each.amount for each in made if isinstance(each, events.CashedOut))
            act = self._act("moved", transfer, moved if transfer.do == "cash-out" else transfer.amount)

            def sequence_now(state: MoneyState) -> int | None:
                return state.sequence if _is_at(state, transfer) else None

            sequence = await self._floor.ask_store(self._chain.ask, sequence_now)
            if sequence is None:
                raise DecidedOtherwise
            if isinstance(command, commands.BuyIn):
                await self._limits.check(live, command, command.patron)
            return self._chain.entry(act, sequence)

        try:
            done = await self._floor.submit(transfer.table, command, who=transfer.person, key=transfer.key, along=along)
            if done.repeated and await self._open(lambda each: _is_same(each, transfer)):
                raise Refused(OF_ANOTHER_COMMAND)  # the chips of this key moved by another transfer
            return done
        except DecidedOtherwise:
            before = await self._floor.first_time(transfer.table, transfer.key, transfer.person)
            if before is None:
                raise NotDurable(_ASK_AGAIN) from None
            return before

    async def _cash_out(self, transfer: Transfer) -> Committed:
        """Take chips off the table, then pay: the patron is answered when the chips are off, and paid for certain."""
        if transfer.stage == "begun":
            try:
                done = await self._move(transfer)
            except Refused as error:
                await self._note("ended", transfer, why=str(error))
                raise
        else:
            found = await self._floor.first_time(transfer.table, transfer.key, transfer.person)
            assert found is not None  # the same commit has both
            done = found
        for now in await self._open(lambda each: each.id == transfer.id):
            with suppress(NotDurable, JournalError):
                await self._credit(now, now.id)
        return done

    async def _credit(self, transfer: Transfer, key: str) -> None:
        try:
            await self._ask_wallet(self._wallet.credit, *_asked(key, transfer))
        except WalletUnclear as error:
            raise NotDurable(say("two-sentences", "{first} {second}", first=str(error), second=_ASK_AGAIN)) from error
        except WalletRefused as error:
            log.warning("a wallet takes no money", extra={"person": transfer.person, "why": str(error)})
            await self._note("held", transfer, why=str(error))
            return
        await self._note("credited", transfer)

    # All of them

    async def _attend(self) -> None:
        while True:
            try:
                await self.finish_all()
            except Exception:
                log.exception("transfers are not finished")
            await asyncio.sleep(_AGAIN_AFTER)

    async def finish_all(self) -> None:
        """Take every transfer that nobody is busy with as far as it goes now."""
        for each in await self._open(lambda each: each.external == self._wallet.external):
            lock = self._locks.setdefault(each.key, asyncio.Lock())
            if not lock.locked():
                async with lock:
                    await self._take_up(each.id)

    async def _take_up(self, transfer: str) -> None:
        for now in await self._open(lambda each: each.id == transfer):
            try:
                await self._finish(now)
            except (Refused, NotDurable, Unknown, JournalError) as error:
                log.info("a transfer did not go as asked", extra={"transfer": now.id, "why": str(error)})


_ASK_AGAIN = say("money-not-known-yet", "What became of the money is not known yet: send the same command again.")


def _is_at(state: MoneyState, transfer: Transfer) -> bool:
    """Whether a transfer is still at the stage where somebody has left it."""
    return stage_of(state, transfer.id) == transfer.stage


def _is_same(found: Transfer, transfer: Transfer) -> bool:
    """Whether an open transfer is this one, at the stage where somebody has left it."""
    return (found.id, found.stage) == (transfer.id, transfer.stage)


def _command(transfer: Transfer) -> commands.BuyIn | commands.CashOut | commands.PayOwed:
    """What a transfer asks of its table."""
    person = transfer.person
    if transfer.do == "cash-out":
        return commands.CashOut(person, transfer.amount or None, by=person)
    kind = commands.BuyIn if transfer.do == "buy-in" else commands.PayOwed
    return kind(person, transfer.amount, by=person)


def _asked(key: str, transfer: Transfer) -> tuple[str, str, int, str]:
    return key, transfer.person, transfer.amount, transfer.currency
