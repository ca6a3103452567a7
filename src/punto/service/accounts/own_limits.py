"""Limits that patrons set for themselves: lowered at once, raised only after a day; a pause that nobody shortens."""

from datetime import UTC, datetime

import msgspec

WAIT = 24 * 60 * 60
"""Seconds until a limit is raised or taken away."""

LEAST_PAUSE, MOST_PAUSE = 15, 5 * 365 * 24 * 60
"""Minutes of a pause."""

MOST_REMIND = 24 * 60
"""Minutes between two reminders, at most."""

MOST_CURRENCIES = 8
"""Currencies in which somebody has limits, at most."""


class OwnLimit(msgspec.Struct, frozen=True, omit_defaults=True):
    """The most that is allowed, None for whatever one likes; `then` takes its place at a moment, if there is one."""

    most: int | None = None
    then: int | None = None
    at: float | None = None

    def waits(self, now: float) -> bool:
        """Whether it is about to be raised or taken away, and not yet."""
        return self.at is not None and now < self.at

    def in_force(self, now: float) -> int | None:
        """The most that is allowed at a moment."""
        return self.most if self.at is None or self.waits(now) else self.then

    def set_to(self, most: int | None, now: float) -> "OwnLimit":
        """The limit once somebody has set it: what is lower counts at once, anything else in a day.

        >>> OwnLimit().set_to(500, 0.0).set_to(200, 0.0)
        OwnLimit(most=200, then=None, at=None)
        >>> OwnLimit(200).set_to(None, 0.0)
        OwnLimit(most=200, then=None, at=86400.0)
        """
        held = self.in_force(now)
        if held is None or (most is not None and most <= held):
            return OwnLimit(most)
        if self.waits(now) and self.then == most:
            return self
        return OwnLimit(held, most, now + WAIT)


class OwnLimits(msgspec.Struct, frozen=True, omit_defaults=True):
    """The limits of a patron. Amounts are by currency: to lose in a gaming day, and to stake in a round.

    `remind` are the minutes between two reminders of time and money, 0 for none; `paused` is the moment at which a
    pause ends.
    """

    lose: dict[str, OwnLimit] = {}
    stake: dict[str, OwnLimit] = {}
    remind: int = 0
    paused: float = 0.0

    def set_to(self, currency: str, lose: int | None, stake: int | None, remind: int, now: float) -> "OwnLimits":
        """The limits once somebody has set those of a currency."""
        return msgspec.structs.replace(
            self,
            lose={**self.lose, currency: self.lose.get(currency, OwnLimit()).set_to(lose, now)},
            stake={**self.stake, currency: self.stake.get(currency, OwnLimit()).set_to(stake, now)},
            remind=remind,
        )

    def pause(self, minutes: int, now: float) -> "OwnLimits":
        """The limits with a pause from now on; one that lasts longer stays as it is.

        >>> OwnLimits().pause(60, 0.0).pause(15, 0.0).paused
        3600.0
        """
        return msgspec.structs.replace(self, paused=max(self.paused, now + 60 * minutes))

    def most_to_lose(self, currency: str, now: float) -> int | None:
        """The most to lose in a gaming day."""
        return self.lose.get(currency, OwnLimit()).in_force(now)

    def most_to_stake(self, currency: str, now: float) -> int | None:
        """The most to stake in a round."""
        return self.stake.get(currency, OwnLimit()).in_force(now)


def moment_text(seconds: float) -> str:
    """A moment as it is told, to the minute.

    >>> moment_text(1_800_000_000.0)
    '2027-01-15 08:00 UTC'
    """
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")
