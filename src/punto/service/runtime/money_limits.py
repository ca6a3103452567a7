"""How much may be bought in: at once, by a person on a gaming day, and at a table on a gaming day."""

from punto.amounts import amounts_in
from punto.journal import Append
from punto.messages import say
from punto.rulebook import Refused
from punto.service.days import gaming_day, start_of_days
from punto.service.money.acts import MoneyAct, MoneyChain, MoneyState, by_person, by_table
from punto.service.runtime.floor import Floor
from punto.service.runtime.own_limits import OwnLimitsGuard
from punto.service.runtime.speakers import LiveTable
from punto.service.settings import Settings
from punto.table import commands


class MoneyLimits:
    """The house's limits on buy-ins. What counts is on record before anybody has chips, whichever process gave them."""

    def __init__(self, settings: Settings, chain: MoneyChain, floor: Floor, own_limits: OwnLimitsGuard) -> None:
        self._settings, self._chain, self._floor, self._own_limits = settings, chain, floor, own_limits
        self._starts = start_of_days(settings.day_starts)

    def day(self, at: str) -> str:
        """The gaming day of a moment."""
        return gaming_day(at, self._starts)

    @property
    def by_day(self) -> bool:
        """Whether buy-ins of a day are limited, and so counted."""
        return self._settings.buy_in_person_day is not None or self._settings.buy_in_table_day is not None

    async def check(self, live: LiveTable, command: commands.BuyIn, who: str) -> int:
        """Refuse a buy-in above a limit; else the number of the chain of money at which it is within them.

        Whoever has paused buys nothing, whoever brings their money.
        """
        assert live.table is not None
        await self._own_limits.check_pause(command.patron, who)
        currency = live.table.setup.currency
        most = self._settings.buy_in_most
        if most is not None and command.amount > most:
            with amounts_in(currency):
                says = say(
                    "buy-in-above-most",
                    "{amount:money} is too much for one buy-in: {most:money} is the most.",
                    amount=command.amount,
                    most=most,
                )
            raise Refused(says)
        if not self.by_day:
            return 0
        today = self.day(self._floor.clock())

        def bought(state: MoneyState) -> tuple[int, int, int]:
            sums = state.bought.get(today, {})
            keys = by_person(command.patron, currency), by_table(live.name, currency)
            return state.sequence, sums.get(keys[0], 0), sums.get(keys[1], 0)

        sequence, person, table = await self._floor.ask_store(self._chain.ask, bought)
        with amounts_in(currency):
            self._within(command, self._settings.buy_in_person_day, person, of_person=True)
            self._within(command, self._settings.buy_in_table_day, table, of_person=False)
        return sequence

    def _within(self, command: commands.BuyIn, most: int | None, bought: int, *, of_person: bool) -> None:
        if most is None or bought + command.amount <= most:
            return
        left = max(most - bought, 0)
        if of_person:
            says = say(
                "buy-in-above-persons-day",
                "{patron} may buy in {left:money} more today: {most:money} is the most in a day.",
                patron=command.patron,
                left=left,
                most=most,
            )
        else:
            says = say(
                "buy-in-above-tables-day",
                "{left:money} more can be bought in at this table today: {most:money} is the most in a day.",
                left=left,
                most=most,
            )
        raise Refused(says)

    async def along(self, live: LiveTable, command: commands.Command, who: str) -> Append | None:
        """What a buy-in adds to the chain of money: nothing where no limit counts by the day."""
        if not isinstance(command, commands.BuyIn):
            return None
        sequence = await self.check(live, command, who)
        if not self.by_day:
            return None
        assert live.table is not None
        at = self._floor.clock()
        act = MoneyAct(
            "moved",
            at,
            who,
            command.patron,
            command.amount,
            live.table.setup.currency,
            live.name,
            do="buy-in",
            day=self.day(at),
        )
        return self._chain.entry(act, sequence)
