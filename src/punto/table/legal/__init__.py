"""What somebody can do at a table now: every command that would be accepted, with what is open in its fields.

Candidates come from declarations: the details of facts, the choices of questions, the bets of the layout, the posted
limits. Whether they are possible is for the table to say, which is asked about each; no rule is written here again.
"""

from collections.abc import Collection, Iterator
from itertools import islice
from typing import Any

from punto.messages import say
from punto.rulebook import Refused
from punto.table import commands as c
from punto.table.legal.candidates import CANDIDATES, Generate
from punto.table.legal.confirming import Asking, Candidate, confirmed, merged, refusals
from punto.table.legal.entry import Legal
from punto.table.legal.fields import Choice, Each, FaceCount, FaceRow, Field, Range, Some, Text, Unseen
from punto.table.legal.reports import reports_of
from punto.table.legal.wagers import likely_place
from punto.table.next_steps import next_steps
from punto.table.state import Table

__all__ = [
    "MOST_ASKED",
    "Choice",
    "Each",
    "FaceCount",
    "FaceRow",
    "Field",
    "Legal",
    "Range",
    "Some",
    "Text",
    "Unseen",
    "legal_commands",
    "listed",
    "next_wrong",
    "why_none",
]

MOST_ASKED = 1000
"""So many commands of a kind the table is asked about before it is taken that none is possible."""

_LIKELY: dict[type[c.Command], Generate] = {c.Place: likely_place}
"""Kinds of which not every candidate is asked about to find out whether there is any."""

_ON_THE_FELT = frozenset((c.Place, c.Find, c.Withdraw, c.Pull))
_SPOT = ("box", "bet", "patron")
"""Wagers that differ only in where they lie are one entry."""


def legal_commands(table: Table, who: str, kinds: Collection[type[c.Command]] | None = None) -> tuple[Legal, ...]:
    """Every command that somebody could give now, or those of some kinds only, which is faster.

    `who` is a patron, a post or a person of the staff, as `by` in a command. Each entry is a kind of command with its
    fields as sets and stepped ranges; every combination of them is accepted.

    >>> from random import Random
    >>> from punto.settlement import Limits
    >>> from punto.table.decide import act, can
    >>> table, _ = act(None, c.OpenTable("wu-song", "2025-03-01T20:00:00+08:00", 8, limits=Limits(1000, 50000, 50000)))
    >>> given = (c.LoadShoe(), c.Sit("ann", 1, by="ann"), c.BuyIn("ann", 30000), c.OpenBets())
    >>> for command in given:
    ...     table, _ = act(table, command)
    >>> entry, *_ = legal_commands(table, "ann", [c.Place])
    >>> entry.fields["bet"], entry.fields["stake"]
    (Choice(options=('player', 'banker')), Range(least=2, most=30000, step=2))
    >>> can(table, entry.pick(Random(1)))
    True
    >>> [entry.kind.__name__ for entry in legal_commands(table, "dealer", [c.OpenBets, c.CloseBets])]
    ['CloseBets']

    Words that are free (reasons, notes, the names of newcomers) are `Text`, with one sample. Details that a fact does
    not declare, and what a question does not ask for, are left out though the table would not mind them. FaceRow are
    any that a card may still have; those of a virtual shoe are never listed (`Unseen`). Limits that might be posted
    are not thought up: the present ones stand for them. One hash and one word for the next virtual shoe stand for all.
    Opening a table and changing its book are not listed: they
    need a library of books and a time, which no table has.
    """
    asking = Asking(table, who)
    wanted = CANDIDATES if kinds is None else {kind: CANDIDATES[kind] for kind in kinds}
    found: list[Legal] = []
    for kind, generate in wanted.items():
        entries = [entry for candidate in generate(asking) for entry in confirmed(asking, candidate)]
        found += merged(entries, _SPOT) if kind in _ON_THE_FELT else entries
    return tuple(found)


def listed(table: Table, command: c.Command) -> bool:
    """Whether a command is among those that whoever gives it could give now.

    >>> from punto.settlement import Limits
    >>> from punto.table.decide import act
    >>> table, _ = act(None, c.OpenTable("wu-song", "2025-03-01T20:00:00+08:00", 8, limits=Limits(1000, 50000, 50000)))
    >>> listed(table, c.LoadShoe()), listed(table, c.LoadShoe(by="ann"))
    (True, False)
    """
    return any(command in entry for entry in legal_commands(table, command.by, [type(command)]))


_ASKS_FOR_CARDS = ("which-card", "which-cards")


def why_none(table: Table, who: str, kind: type[c.Command], **given: Any) -> Refused | None:
    """Why somebody can give no command of a kind now, with some fields given; None if they can give one.

    It stops at the first command that would be accepted, at a refusal that does not depend on what a command says, and
    in any case after so many commands (`MOST_ASKED`), however many people are at the table.

    >>> from punto.settlement import Limits
    >>> from punto.table.decide import act
    >>> table, _ = act(None, c.OpenTable("wu-song", "2025-03-01T20:00:00+08:00", 8, limits=Limits(1000, 50000, 50000)))
    >>> print(why_none(table, "dealer", c.OpenBets))
    No cards are in use: load a shoe first.
    >>> print(why_none(table, "dealer", c.Report, fact="excess-card"))
    There has been no round yet that this could be about.
    >>> why_none(table, "dealer", c.Report, fact="foreign-card")
    """
    asking = Asking(table, who)
    first: Refused | None = None
    answers = (answer for candidate in _candidates(asking, kind, given) for answer in refusals(asking, candidate))
    for refused in islice(answers, MOST_ASKED):
        if refused is None:
            return None
        if refused.message is None or refused.message.id not in _ASKS_FOR_CARDS:
            first = first or refused  # cards that are named nowhere are no reason: there are none that could be named
        if refused.general:
            break
    return first or Refused(say("nothing-it-could-be-about", "There is nothing now that this could be about."))


def next_wrong(table: Table) -> str | None:
    """Why what is said to be done next is wrong: a step would be refused, or something is not said; else None.

    >>> from punto.settlement import Limits
    >>> from punto.table.decide import act
    >>> table, _ = act(None, c.OpenTable("wu-song", "2025-03-01T20:00:00+08:00", 8, limits=Limits(1000, 50000, 50000)))
    >>> next_wrong(table)
    """
    steps = next_steps(table)
    if table.open and not any(each.possible for each in steps):
        return "nothing is to be done next"
    for step in steps:
        for name in step.by.split() if step.possible else ():
            refused = why_none(table, name, KINDS[step.do])
            if refused is not None:
                return f"{step.do} by {name} is to be done next, and would be refused: {refused}"
    named = {each.says for each in steps}
    unsaid = [each.topic for each in table.questions if each.says not in named] if table.open else []
    return f"a question about {unsaid[0]} is open, and nobody is told of it" if unsaid else None


KINDS: dict[str, type[c.Command]] = {str(kind.__struct_config__.tag): kind for kind in CANDIDATES}
"""The kinds of command that are listed, by their names."""


def _candidates(asking: Asking, kind: type[c.Command], given: dict[str, Any]) -> Iterator[Candidate]:
    """The candidates of a kind that have what is given; reports with no more than they need."""
    rest = dict(given)
    found: Iterator[Candidate]
    if kind is c.Report and "fact" in given:
        fact, earlier = rest.pop("fact"), rest.pop("earlier", None)
        times = (False, True) if earlier is None else (earlier,)
        found = (each for time in times for each in reports_of(asking, fact, earlier=time, brief=True))
    else:
        found = _LIKELY.get(kind, CANDIDATES[kind])(asking)
    for candidate in found:
        narrowed = _with(candidate, rest) if rest else candidate
        if narrowed is not None:
            yield narrowed


def _with(candidate: Candidate, given: dict[str, Any]) -> Candidate | None:
    """A candidate with fields that are given; None if it cannot have them."""
    fields = dict(candidate.fields)
    for name, value in given.items():
        field = fields.get(name)
        if not isinstance(field, Choice) or not field.holds(value):
            return None
        fields[name] = Choice((value,))
    return Candidate(candidate.kind, fields, candidate.apart)
