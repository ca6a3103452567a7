"""The limits that patrons have set for themselves hold when a command is decided, whoever gives it and wherever."""

from collections.abc import Sequence

import msgspec

from punto.amounts import amounts_in
from punto.journal import Append
from punto.messages import Sentence, say
from punto.rulebook import Refused
from punto.service.accounts.account import Account
from punto.service.accounts.batched_lookup import BatchedLookup
from punto.service.accounts.own_limits import OwnLimits, moment_text
from punto.service.accounts.registry import Accounts
from punto.service.days import gaming_day, start_of_days
from punto.service.money.acts import MoneyAct, MoneyChain
from punto.service.money.count import PlayOfDay
from punto.service.runtime.counting import Counting
from punto.service.runtime.floor import Floor
from punto.service.runtime.speakers import AlongOf, LiveTable
from punto.service.settings import Settings
from punto.table import commands, events, evolve

GUARDED = (commands.Place, commands.Insure, commands.Sit, commands.Stand)
"""Commands that a patron's own limits may forbid, beside buying chips. What staff find or correct is none of them."""

Guarded = commands.Place | commands.Insure | commands.Sit | commands.Stand


class Risked(msgspec.Struct, frozen=True):
    """What somebody has lost on a gaming day and has at stake, by currency, when the chain of money was so long."""

    day: str
    sequence: int
    amounts: dict[str, int]


class CountAgain(Exception):
    """What was counted for somebody is no longer so: they have laid more meanwhile, or have just set a limit."""


class OwnLimitsGuard:
    """Refuses what a patron has forbidden themself. What lies plays to its end, and leaving is never refused.

    What a patron with a limit on a day's losses lays is noted in the chain of money in the same commit, where it was
    found to be within the limit: so of two at once, at different tables or processes, one is decided anew. A count may
    take long, so it is made before the command comes to its table, where others would wait for it; at the table it is
    only looked up whether the patron has laid anything since.
    """

    def __init__(
        self, floor: Floor, accounts: Accounts, settings: Settings, chain: MoneyChain, counting: Counting
    ) -> None:
        self._floor, self._accounts, self._chain, self._counting = floor, accounts, chain, counting
        self._starts = start_of_days(settings.day_starts)
        self._plays = BatchedLookup(self._look_up, counting.in_turn)
        """However many ask what they have lost, whoever asks while one count is made shares the next."""

    @property
    def today(self) -> str:
        """The gaming day."""
        return gaming_day(self._floor.clock(), self._starts)

    async def play_today(self, person: str) -> dict[str, PlayOfDay]:
        """What a person has lost today and has at stake now, by currency."""
        return await self._plays.get(person) or {}

    def _look_up(self, people: Sequence[str]) -> dict[str, dict[str, PlayOfDay]]:
        return self._counting.counter.plays_of(people, self.today)

    async def risked(self, account: Account, command: Guarded) -> Risked | None:
        """What the patron of a command has risked today, if they have a limit on that and the command may add to it."""
        person = command.patron
        if not isinstance(command, commands.Place | commands.Insure):
            return None
        own = account.own if account.person == person else None
        if own is None or not own.lose:
            own = await self._own_of(person)  # it may have been set at another process just now
        if own is None or not own.lose:
            return None
        today = self.today
        sequence = await self._floor.ask_store(self._chain.ask, lambda state: state.sequence)
        played = await self.play_today(person)
        return Risked(today, sequence, {currency: each.lost + each.at_stake for currency, each in played.items()})

    async def check_pause(self, person: str, who: str) -> None:
        """Refuse chips to somebody who has paused, whoever asks for them."""
        own = await self._own_of(person)
        if own is not None:
            self._refuse_in_pause(own, person, who)

    def along(self, command: Guarded, risked: Risked | None) -> AlongOf:
        """What goes along with a command, once it is known to be within the limits of its patron.

        `CountAgain` if what its patron has risked must be counted first.
        """

        async def checked(holder: Account, live: LiveTable, made: tuple[events.Event, ...]) -> Append | None:
            person = command.patron
            own = holder.own if holder.person == person else await self._own_of(person)
            if own is None:
                return None
            self._refuse_in_pause(own, person, holder.person)
            return await self._within(own, person, holder.person, live, made, risked)

        return checked

    async def _own_of(self, person: str) -> OwnLimits | None:
        account = await self._floor.ask_store(self._accounts.of_person, person)
        return None if account is None else account.own

    def _refuse_in_pause(self, own: OwnLimits, person: str, who: str) -> None:
        if own.paused <= self._accounts.now():
            return
        if person != who:
            raise Refused(say("patron-has-paused", "{patron} has paused: no seat, chips or wagers.", patron=person))
        until = moment_text(own.paused)
        raise Refused(
            say(
                "you-have-paused",
                "You have paused until {until}. What lies plays to its end, and you may cash out and leave.",
                until=until,
            )
        )

    async def _within(
        self,
        own: OwnLimits,
        person: str,
        who: str,
        live: LiveTable,
        made: tuple[events.Event, ...],
        risked: Risked | None,
    ) -> Append | None:
        """Refuse more at stake than the patron's limits allow; else what is noted of it."""
        after = before = live.table
        assert before is not None
        for event in made:
            after = evolve(after, event, self._floor.library)
        assert after is not None
        held = after.patrons[person].held
        more = held - (before.patrons[person].held if person in before.patrons else 0)
        if more <= 0:
            return None
        currency, now = before.setup.currency, self._accounts.now()
        most = own.most_to_stake(currency, now)
        if most is not None and held > most:
            with amounts_in(currency):
                raise Refused(_of_a_round(most, held - more) if person == who else _of_patron(person))
        most = own.most_to_lose(currency, now)
        if most is None:
            return None
        sequence, last = await self._floor.ask_store(
            self._chain.ask, lambda state: (state.sequence, state.last_staked(person))
        )
        if risked is None or risked.day != self.today or last > risked.sequence:
            raise CountAgain
        before_it = risked.amounts.get(currency, 0)
        if before_it + more > most:
            with amounts_in(currency):
                raise Refused(_of_a_day(most, before_it) if person == who else _of_patron(person))
        act = MoneyAct("staked", self._floor.clock(), who, person, more, currency, live.name, day=self.today)
        return self._chain.entry(act, sequence)


def _of_a_round(most: int, held: int) -> Sentence:
    return say(
        "own-limit-of-a-round",
        "Your own limit is {most:money} in a round: {left:money} more may be laid.",
        most=most,
        left=max(most - held, 0),
    )


def _of_a_day(most: int, risked: int) -> Sentence:
    return say(
        "own-limit-of-a-day",
        "Your own limit is to lose {most:money} in a day: {left:money} more may be laid.",
        most=most,
        left=max(most - risked, 0),
    )


def _of_patron(person: str) -> Sentence:
    """What the limit is, nobody else is told."""
    return say("own-limit-of-patron", "{patron} has set a limit that does not allow this.", patron=person)
