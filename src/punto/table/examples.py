"""How a fact might be reported at a table as it stands: what the drills start from."""

from collections.abc import Callable
from typing import Any

from punto.rulebook.facts import FACTS
from punto.table.commands import Report
from punto.table.felt import unexposed
from punto.table.state import Round, Table


def examples(table: Table, fact: str) -> list[Report]:
    """Reports of a fact at this moment, in more ways than one where it needs more to be said.

    They need not be accepted: whether they would be is for the table to say.
    """
    round = table.round or Round(0)
    return [_report(fact, each, round) for each in FACTS[fact].examples]


def _report(fact: str, details: Any, round: Round) -> Report:
    given = dict(details)
    if "cards" in given:
        given["cards"] = PLACES[given["cards"]](round)
    return Report(fact, **given)


def _last(round: Round) -> tuple[int, ...]:
    return (len(round.cards) - 1,) if round.cards else ()


def _last_two(round: Round) -> tuple[int, ...]:
    return (max(len(round.cards) - 2, 0), len(round.cards) - 1)


def _next_two(round: Round) -> tuple[int, ...]:
    return (len(round.cards), len(round.cards) + 1)


def _first_closed(round: Round) -> tuple[int, ...]:
    return unexposed(round)[:1]


PLACES: dict[str, Callable[[Round], tuple[int, ...]]] = {
    "last": _last,
    "last-two": _last_two,
    "next-two": _next_two,
    "first-closed": _first_closed,
}
"""The places of cards that an example names."""
