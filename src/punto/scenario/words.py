"""The language of stories, told from the commands and expectations that there are: how each line is written."""

import inspect
from collections.abc import Iterator

import msgspec

from punto.rulebook.facts import FACTS
from punto.settlement import Limits
from punto.table import COMMANDS, EVENTS
from punto.table.answering import TOPICS

LIMITS = tuple(
    each.encode_name for each in msgspec.structs.fields(Limits) if each.name not in ("minimums", "maximums", "rounding")
)
"""Limits that are amounts, as a line has them; those of a single bet have its name behind `min-` or `max-`."""

ROUNDING = "rounding"
_OF_BETS = ("min-BET", "max-BET")
_OPEN = ("expose",)
"""Commands that take as many values as there are cards."""

FORMS = {
    "refused": "refused [CLAUSE…] [says=TEXT]",
    "event": "event KIND [cites CLAUSE…] [FIELD=VALUE…]",
    "no-event": "no-event KIND [FIELD=VALUE…]",
    "asks": "asks TOPIC [cites CLAUSE…] [FIELD=VALUE…]",
    "no-question": "no-question [TOPIC…]",
    "round": "round PHASE [free]",
    "next": "next HAND",
    "step": "step COMMAND [by=WHO] [says=TEXT] [cites CLAUSE…]",
    "no-step": "no-step COMMAND",
    "hand": "hand HAND CARD…",
    "carried": "carried CARD…",
    "cards": "cards PLACE NUMBER",
    "line": "line PATRON BET RESULT AMOUNT [CLAUSE…]",
    "house": "house AMOUNT",
    "results": "results WINNER…",
    "sound": "sound",
}
"""How each expectation is written."""

OF_PATRONS = tuple(f"NAME {word} AMOUNT" for word in ("has", "holds", "owes"))
"""Expectations that begin with a patron's name."""


NAMED = {
    "Facts, for report": tuple(FACTS),
    "Topics of questions, for answer, asks and no-question": tuple(sorted(TOPICS)),
    "Events, for event and no-event": tuple(EVENTS),
}
"""Words that lines name besides, by what they are for."""


class Word(msgspec.Struct, frozen=True):
    """A command of a story: how its line is written, and what it does."""

    name: str
    form: str
    does: str


def words() -> tuple[Word, ...]:
    """Every command, in the order of the alphabet.

    >>> next(each.form for each in words() if each.name == "pay-owed")
    'pay-owed PATRON AMOUNT [chips=…]'
    """
    return tuple(Word(name, form(name), _does(name)) for name in sorted(COMMANDS))


def form(name: str) -> str:
    """How the line of a command is written: what it needs in capitals, in order, and what it also takes by name.

    >>> form("burn"), form("offer-insurance"), form("place")
    ('burn [count=…]', 'offer-insurance', 'place PATRON BET STAKE [box=…] [medium=…]')
    """
    return " ".join((name, *_parts(name)))


def fields(name: str) -> dict[str, msgspec.structs.FieldInfo]:
    """The fields of a command that are values of a line, by their names there; who gives it stands behind `by`."""
    every = msgspec.structs.fields(COMMANDS[name])
    return {each.encode_name: each for each in every if each.name not in ("by", "limits")}


def takes_limits(name: str) -> bool:
    """Whether a command takes what is posted at the table, each limit by its own name."""
    return "limits" in COMMANDS[name].__struct_fields__


def needed(name: str) -> tuple[str, ...]:
    """What a line of a command cannot do without."""
    return tuple(each for each, field in fields(name).items() if field.required and name not in _OPEN)


def taken(name: str) -> str:
    """What a command takes, as a sentence names it.

    >>> taken("offer-insurance"), taken("buy-in")
    ('nothing', 'patron, amount')
    """
    posted = (*LIMITS, ROUNDING, *_OF_BETS) if takes_limits(name) else ()
    return ", ".join((*fields(name), *posted)) or "nothing"


def _parts(name: str) -> Iterator[str]:
    for each, field in fields(name).items():
        if field.required:
            yield f"{each.upper()}…" if name in _OPEN else each.upper()
        else:
            yield f"[{each}=…]"
    if takes_limits(name):
        yield from (f"[{each}=…]" for each in (*LIMITS, ROUNDING, *_OF_BETS))


def _does(name: str) -> str:
    """The first sentence of what a command is."""
    told = inspect.cleandoc(COMMANDS[name].__doc__ or "").partition("\n\n")[0]
    return " ".join(told.split())
