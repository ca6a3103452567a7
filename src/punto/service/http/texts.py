"""Texts that people bring into the journal: how long each may be, and how many of them somebody may bring an hour."""

from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any

import msgspec

from punto.messages import Wording
from punto.rulebook import Refused
from punto.service.accounts.account import Account
from punto.service.accounts.tokens import Denied
from punto.service.errors import Unknown
from punto.service.hourly import HourlyLimit
from punto.service.runtime.floor import Committed
from punto.service.store_calls import StoreCalls
from punto.table import commands

LONGEST = {"note": 500, "reason": 500, "says": 2000, "about": 200}
"""Characters of what people write in their own words, by the field of a command."""

LONGEST_WORD = 100
"""Characters of everything else: names, bets, cards, times."""

MOST_IN_A_LIST = 500
"""Things in one list of a command; a shoe of eight decks has 416 cards."""

STAFF = 10
"""The staff may write so many times as much as a patron."""


_DISPUTES = frozenset({commands.RaiseDispute, commands.Complain})
_TOO_LONG = Wording("text-too-long", "This is too long: {field} has at most {most} characters.")
_TOO_MANY = Wording("list-too-long", "There are too many {field}: at most {most}.")


class TextLimit:
    """So many texts an hour, for each person."""

    def __init__(self, an_hour: HourlyLimit, ask_store: StoreCalls) -> None:
        self._an_hour, self._ask_store = an_hour, ask_store

    async def counted(
        self, account: Account, command: commands.Command, given: Callable[[], Awaitable[Committed]]
    ) -> Committed:
        """Give a command, and count its text before it is given: many at once are as many as one after the other.

        `Refused` if a text of it is too long, `TooMany` if its account has brought too many. What is refused or was
        there before does not count; what the store may have taken does.
        """
        check_lengths(command)
        if not writes(command):
            return await given()
        cost = _cost(account)
        await self._ask_store(self._an_hour.take, account.name, cost)
        try:
            outcome = await given()
        except (Refused, Denied, Unknown):
            await self._ask_store(self._an_hour.give_back, account.name, cost)
            raise
        if outcome.repeated:
            await self._ask_store(self._an_hour.give_back, account.name, cost)
        return outcome


def _cost(account: Account) -> float:
    return 1.0 if account.kind == "patron" else 1.0 / STAFF


def writes(command: commands.Command) -> bool:
    """Whether a command brings something in somebody's own words, or a dispute.

    >>> writes(commands.RaiseDispute("ann", "That was mine.")), writes(commands.Report("excess-card"))
    (True, False)
    """
    kind = type(command)
    return kind in _DISPUTES or any(getattr(command, name) for name in _own_words(kind))


@cache
def _own_words(kind: type[commands.Command]) -> tuple[str, ...]:
    """The fields of a kind of command that hold what people write in their own words."""
    return tuple(name for name in kind.__struct_fields__ if name in LONGEST)


def check_lengths(command: commands.Command) -> None:
    """Refuse a command with a text or a list that is too long.

    >>> check_lengths(commands.RaiseDispute("ann", "x" * 2001))
    Traceback (most recent call last):
    punto.rulebook.refusal.Refused: This is too long: says has at most 2000 characters.
    """
    for field, name, longest in _limits(type(command)):
        value = getattr(command, field)
        if type(value) is str:  # as most are
            if len(value) > longest:
                raise Refused(_TOO_LONG.say(field=name, most=longest))
        elif value is not None and not isinstance(value, int):
            _check(name, msgspec.to_builtins(value), longest)


@cache
def _limits(kind: type[commands.Command]) -> tuple[tuple[str, str, int], ...]:
    """The fields of a kind of command, their names in JSON, and how many characters a text in them may have."""
    named = zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True)
    return tuple((field, name, LONGEST.get(name, LONGEST_WORD)) for field, name in named)


def _check(name: str, value: Any, longest: int) -> None:
    if isinstance(value, str) and len(value) > longest:
        raise Refused(_TOO_LONG.say(field=name, most=longest))
    if isinstance(value, list | tuple | dict):
        if len(value) > MOST_IN_A_LIST:
            raise Refused(_TOO_MANY.say(field=name, most=MOST_IN_A_LIST))
        for each in [*value, *value.values()] if isinstance(value, dict) else value:
            _check(name, each, longest)
