"""The teller: the one way in for commands of people, which lets money to a table only from where it may come.

With a cage, cashiers and the staff of the table take and pay money, and patrons ask for it. With a wallet, patrons take
from theirs. With play money, they help themselves, up to a limit.
"""

import asyncio
from contextlib import suppress
from weakref import WeakValueDictionary

import msgspec

from punto.amounts import amounts_in
from punto.journal import Append
from punto.messages import say
from punto.rulebook import Refused
from punto.service.accounts.account import REQUESTS, Account
from punto.service.accounts.at_table import OF_MONEY, given_by, in_chips
from punto.service.accounts.registry import Accounts
from punto.service.money.acts import MoneyChain
from punto.service.money.wallet import Wallet
from punto.service.runtime.account_commands import give
from punto.service.runtime.counting import Counting
from punto.service.runtime.floor import OTHERS_QUICKER, Committed, Floor, NotDurable
from punto.service.runtime.keys import client_key
from punto.service.runtime.meant import ANY, Meant
from punto.service.runtime.money_limits import MoneyLimits
from punto.service.runtime.money_requests import MoneyRequest, command_of
from punto.service.runtime.own_limits import GUARDED, CountAgain, Guarded, OwnLimitsGuard
from punto.service.runtime.removed_persons import RemovedPersons
from punto.service.runtime.speakers import LiveTable, not_closed
from punto.service.runtime.transfers import Transfers
from punto.service.settings import Settings
from punto.table import commands, events

_TRIES = 8
OfMoney = commands.BuyIn | commands.CashOut | commands.PayOwed


class Teller:
    """Gives commands to tables in the name of accounts, and looks where money comes from."""

    def __init__(
        self,
        floor: Floor,
        accounts: Accounts,
        settings: Settings,
        chain: MoneyChain,
        wallet: Wallet,
        counting: Counting,
    ) -> None:
        self._floor, self._accounts, self._settings = floor, accounts, settings
        self.own_limits = OwnLimitsGuard(floor, accounts, settings, chain, counting)
        self._limits = MoneyLimits(settings, chain, floor, self.own_limits)
        self.transfers = Transfers(floor, wallet, chain, self._limits)
        RemovedPersons(floor)
        self._laying: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """By person with a limit on a day's losses: what they lay is counted one after the other."""
        self._counting = asyncio.Lock()
        """Held while something is appended beside the chain of money, so that buy-ins of one process do not collide."""

    async def give(
        self, account: Account, name: str, command: commands.Command, key: str, meant: Meant = ANY
    ) -> Committed:
        """Give a command to a table. `Refused`, `Denied`, `Unknown` or `NotDurable` if it cannot be done.

        It is refused where it was `meant` for another round; money that comes and goes is of no round.
        """
        if isinstance(command, GUARDED):
            return await self._give_guarded(account, name, command, key, meant)
        if not isinstance(command, OF_MONEY) or in_chips(command):
            return await give(self._floor, self._accounts, account, name, command, key, meant=meant)
        own = account.kind == "patron"
        if own:
            await self._check_own(account, name, command)
        if own and self._settings.money == "wallet":
            named = msgspec.structs.replace(command, by=account.person)
            key, provisos = client_key(account.person, key), not_closed(account)
            return await self.transfers.give(account.person, name, named, key, provisos)
        return await self.take(account, name, command, key, own=own)

    async def _give_guarded(self, account: Account, name: str, command: Guarded, key: str, meant: Meant) -> Committed:
        """Give a command that may be against a limit of the patron's own; only they wait while it is counted."""
        if account.own is None or not account.own.lose:
            with suppress(CountAgain):  # it is another's limit, or one that was set just now
                along = self.own_limits.along(command, None)
                return await give(self._floor, self._accounts, account, name, command, key, along, meant=meant)
        async with self._laying.setdefault(command.patron, asyncio.Lock()):
            for _ in range(_TRIES):
                along = self.own_limits.along(command, await self.own_limits.risked(account, command))
                with suppress(CountAgain):
                    async with self._counting:
                        return await give(self._floor, self._accounts, account, name, command, key, along, meant=meant)
        raise NotDurable(OTHERS_QUICKER)

    async def _check_own(self, account: Account, name: str, command: OfMoney) -> None:
        """Refuse a patron who moves the money of somebody else, or their own where that is for the staff."""
        given_by(account, command, await self._floor.table(name), name)
        if command.patron != account.person:
            raise Refused(say("money-of-somebody-else", "Nobody moves the money of somebody else."))
        if self._settings.money == "cage":
            raise Refused(say("ask-the-cashier", "A cashier or the dealer takes and pays money here: ask for it."))

    async def see_to(self, account: Account, request: MoneyRequest) -> None:
        """Carry out what a patron has asked of the cage; whoever sees to it, and however often, it is done once."""
        made_by = self._floor.journal.made_by
        if not await self._floor.ask_store(made_by, request.table, client_key(REQUESTS, request.id)):
            await self.take(account, request.table, command_of(request), request.id, keys_of=REQUESTS)

    async def take(
        self,
        account: Account,
        name: str,
        command: OfMoney,
        key: str,
        *,
        own: bool = False,
        keys_of: str | None = None,
    ) -> Committed:
        """Let money pass that has come from where it may, within the limits of the house."""

        async def along(_: Account, live: LiveTable, __: tuple[events.Event, ...]) -> Append | None:
            if own and isinstance(command, commands.BuyIn):
                self._check_play(live, command)
            return await self._limits.along(live, command, account.person)

        if not self._limits.by_day or not isinstance(command, commands.BuyIn):
            return await give(self._floor, self._accounts, account, name, command, key, along, keys_of, held=True)
        async with self._counting:
            return await give(self._floor, self._accounts, account, name, command, key, along, keys_of, held=True)

    def _check_play(self, live: LiveTable, command: commands.BuyIn) -> None:
        """Refuse more play money than somebody may take for themself."""
        assert live.table is not None
        found, most = live.table.patrons[command.patron], self._settings.play_most
        if found.balance + found.held + command.amount > most:
            with amounts_in(live.table.setup.currency):
                raise Refused(say("play-money-enough", "Play money goes up to {most:money} at a table.", most=most))
