"""Commands decided again: whether the table as it stood leads to the very events on record, sentences apart.

Where a command cannot be decided again, its events are taken up and every amount is checked all the same.
"""

from collections.abc import Callable, Sequence

import msgspec

from punto.amounts import USUAL, amounts_in
from punto.audit.settlements import end_wrong, settlement_wrong
from punto.rulebook import SHIPPED, Library, Refused
from punto.table import ENGINE, Table, act, evolve
from punto.table import commands as c
from punto.table import events as e
from punto.table.invariants import answer_wrong, broken, cards_wrong, money_wrong

Events = Sequence[e.Event]

Check = Callable[[Table | None, e.Event], str | None]
"""Something that follows a table: what is wrong with an event, by the table as it stood before it."""

SENTENCES: dict[type[e.Event], str] = dict.fromkeys(
    (
        e.WagerAdvised,
        e.MoneyRefused,
        e.WagerLowered,
        e.Announced,
        e.CoverReturned,
        e.StepTaken,
        e.Noticed,
        e.ComplaintAnswered,
        e.NotedDown,
    ),
    "says",
)
"""Events with a sentence of the engine, and its field. What people said themselves is not among them. The message
of a sentence is compared: it says what was decided, in no language."""


class EventFault(msgspec.Struct, frozen=True):
    """Which of a command's events is wrong, counted from 0, and why; `crude` where no rule could be named."""

    at: int
    why: str
    crude: bool = False


def follow(
    table: Table | None,
    events: Events,
    command: c.Command | None,
    library: Library = SHIPPED,
    checks: Sequence[Check] = (),
) -> tuple[Table | None, EventFault | None]:
    """The table after the events of one command, and what is wrong with the first of them that is wrong.

    Without the command nothing is decided again. `checks` see every event as well.

    >>> from punto.settlement import Limits
    >>> limits = Limits(minimum=1000, maximum=100000, differential=100000)
    >>> opening = c.OpenTable("wu-song", "2025-03-01T20:00:00+08:00", decks=8, limits=limits)
    >>> table, events = act(None, opening)
    >>> follow(None, events, opening)[1] is None
    True
    >>> follow(table, (e.BoughtIn("ann", 5000),), c.BuyIn("ann", 5000))[1]
    EventFault(at=0, why="the table does not allow it: There is no patron 'ann' at this table.", crude=False)
    """
    with amounts_in(USUAL if table is None else table.setup.currency):
        after, amounts = add_up(table, events, library, checks)
    decision = None if command is None else decide_again(table, events, command, library)
    rule = broken(after) if command is not None and after is not None and amounts is None else None
    kept = None if rule is None else EventFault(len(events) - 1, rule)
    faults = [each for each in (amounts, decision, kept) if each is not None]
    return after, min(faults, key=lambda each: (each.at, each.crude), default=None)


def add_up(
    table: Table | None, events: Events, library: Library = SHIPPED, checks: Sequence[Check] = ()
) -> tuple[Table | None, EventFault | None]:
    """Take up events one after the other, and check every amount, every purse and every card."""
    for at, event in enumerate(events):
        why, crude = None, False
        try:
            if isinstance(event, e.RoundSettled) and table is not None:
                why = settlement_wrong(table, event)
            elif isinstance(event, e.RoundEnded) and table is not None:
                why = end_wrong(table, event)
            found = [check(table, event) for check in checks]
            why = why or next((each for each in found if each is not None), None)
            table = evolve(table, event, library)
            why = why or money_wrong(table) or cards_wrong(table)
        except Exception as error:  # what was tampered with may fail in any way
            why, crude = why or f"the table cannot take it up: {error!r}", why is None
        if why is not None:
            return table, EventFault(at, why, crude)
    return table, None


def decide_again(
    table: Table | None, events: Events, command: c.Command, library: Library = SHIPPED, engine: int = ENGINE
) -> EventFault | None:
    """Give the table the command once more: None if it leads to the same events, sentences apart."""
    try:
        made = act(table, command, library, engine)[1]
    except Refused as refused:
        return EventFault(0, f"the table does not allow it: {refused}")
    except Exception as error:  # what was tampered with may fail in any way
        return EventFault(0, f"the table cannot take it up: {error!r}", crude=True)
    usurped = None if table is None else answer_wrong(table, command)
    if usurped is not None:
        return EventFault(0, usurped)
    if made == tuple(events):
        return None
    pairs = enumerate(zip(made, events, strict=False))
    same = next((at for at, (right, told) in pairs if not alike(right, told)), min(len(made), len(events)))
    if same == len(made) == len(events):
        return None
    return EventFault(min(same, len(events) - 1), _otherwise(made, events, same))


def alike(one: e.Event, other: e.Event) -> bool:
    """Whether two events say the same, sentences apart.

    >>> alike(e.Noticed("Bets are closed."), e.Noticed("No more bets."))
    True
    >>> alike(e.DisputeRaised("ann", "I had won.", "dealer"), e.DisputeRaised("ann", "I lost.", "dealer"))
    False
    """
    return type(one) is type(other) and (one == other or _without_sentences(one) == _without_sentences(other))


def _without_sentences(event: e.Event) -> e.Event:
    name = SENTENCES.get(type(event))
    if name is not None:
        return msgspec.structs.replace(event, **{name: ""})
    if isinstance(event, e.Asked):
        return msgspec.structs.replace(event, question=msgspec.structs.replace(event.question, says=""))
    if isinstance(event, e.RoundSettled):
        lines = {
            name: tuple(msgspec.structs.replace(line, says="") for line in lines) for name, lines in event.lines.items()
        }
        return msgspec.structs.replace(event, lines=lines)
    return event


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
