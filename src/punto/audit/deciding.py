"""Decided again: whether a table as it stood would let a command happen, and lead to the very events on record."""

from collections.abc import Iterator
from contextlib import suppress

import msgspec

from punto.audit.asking import Events, asked
from punto.audit.settling import end_wrong, money_wrong, settlement_wrong
from punto.rulebook import SHIPPED, Library, Refused
from punto.table import Table, act, evolve
from punto.table import commands as c
from punto.table import events as e


class Fault(msgspec.Struct, frozen=True):
    """Which of a command's events is wrong, counted from 0, and why; `crude` where no rule could be named."""

    at: int
    why: str
    crude: bool = False


def follow(table: Table | None, events: Events, library: Library = SHIPPED) -> tuple[Table | None, Fault | None]:
    """The table after the events of one command, and what is wrong with the first of them that is wrong.

    >>> from punto.settlement import Limits
    >>> limits = Limits(minimum=1000, maximum=100000, differential=100000)
    >>> table, events = act(None, c.OpenTable("wu-song", "2025-03-01T20:00:00+08:00", decks=8, limits=limits))
    >>> follow(None, events)[1] is None
    True
    >>> follow(table, (e.BoughtIn("ann", 5000),))[1]
    Fault(at=0, why="the table does not allow it: There is no patron 'ann' at this table.", crude=False)
    """
    after, amounts = add_up(table, events, library)
    decision = decide_again(table, events, library)
    faults = [each for each in (amounts, decision) if each is not None]
    return after, min(faults, key=lambda each: (each.at, each.crude), default=None)


def add_up(table: Table | None, events: Events, library: Library = SHIPPED) -> tuple[Table | None, Fault | None]:
    """Take up events one after the other, and check every amount and every purse."""
    for at, event in enumerate(events):
        why, crude = None, False
        try:
            if isinstance(event, e.RoundSettled) and table is not None:
                why = settlement_wrong(table, event)
            elif isinstance(event, e.RoundEnded) and table is not None:
                why = end_wrong(table, event)
            table = evolve(table, event, library)
            why = why or money_wrong(table)
        except Exception as error:  # what was tampered with may fail in any way
            why, crude = why or f"the table cannot take it up: {error!r}", why is None
        if why is not None:
            return table, Fault(at, why, crude)
    return table, None


def decide_again(table: Table | None, events: Events, library: Library = SHIPPED) -> Fault | None:
    """Ask the table once more for what led to these events: None if it comes to the same."""
    closest, why, crude = -1, "nothing that can be asked of a table leads to it", True
    for command in _asked(table, events):
        try:
            made = act(table, command, library)[1]
        except Refused as refused:
            if closest < 0:
                closest, why, crude = 0, f"the table does not allow it: {refused}", False
            continue
        except Exception as error:
            if closest < 0:
                closest, why = 0, f"the table cannot take it up: {error!r}"
            continue
        if made == tuple(events):
            return None
        same = next((at for at, pair in enumerate(zip(made, events, strict=False)) if pair[0] != pair[1]), len(made))
        if same > closest or (same == closest == 0):
            closest, why, crude = same, _otherwise(made, events, same), False
    return Fault(min(max(closest, 0), len(events) - 1), why, crude)


def _asked(table: Table | None, events: Events) -> Iterator[c.Command]:
    with suppress(Exception):  # nothing can be read from what makes no sense
        yield from asked(table, events)


def _otherwise(made: Events, events: Events, at: int) -> str:
    if at >= len(events):
        return f"{_name(made[at])} should follow it, and does not"
    if at >= len(made):
        return "it does not follow from what was asked"
    if type(made[at]) is not type(events[at]):
        return f"{_name(made[at])} should be in its place"
    said, right = events[at], made[at]
    wrong = [name for name in said.__struct_fields__ if getattr(said, name) != getattr(right, name)]
    told = (f"{_word(name)} is {_short(said, name)}, and should be {_short(right, name)}" for name in wrong)
    return "decided again it says otherwise: " + "; ".join(told)


def _name(event: e.Event) -> str:
    return str(event.__struct_config__.tag)


def _word(name: str) -> str:
    return name.replace("_", " ")


def _short(event: e.Event, name: str) -> str:
    text = msgspec.json.encode(getattr(event, name)).decode()
    return text if len(text) <= 120 else f"{text[:120]}…"
