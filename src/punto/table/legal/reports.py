"""Reports that might be accepted: every fact with the details that it declares."""

from collections.abc import Iterator

from punto.coup import RANKS, SUITS
from punto.rulebook.facts import FACTS, REPORTABLE, Fact
from punto.table import commands as c
from punto.table.handlers.conditions import CONDITIONS
from punto.table.legal.confirming import Asking, Candidate
from punto.table.legal.fields import Choice, FaceRow, Field, Some, Text
from punto.table.places import copies_out
from punto.table.state import Round, Table

SENTENCE = "Said for the record."
"""Stands for any words."""

_TOGETHER = 6
"""So many cards that come out together are listed: the most that a coup has. The table itself knows no such limit."""

_DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)
_NO_CARDS = Choice(((),))
_FLAG = (None, True, False)

Shape = tuple[Field, Field]
"""The cards that are named, and their faces."""


def reports(asking: Asking) -> Iterator[Candidate]:
    """Reports of every fact, of this round and of earlier ones."""
    for name in REPORTABLE:
        for earlier in (False, True):
            yield from reports_of(asking, name, earlier=earlier)


def reports_of(asking: Asking, name: str, *, earlier: bool, brief: bool = False) -> Iterator[Candidate]:
    """Reports of one fact; brief ones say no faces, which may always be left out."""
    fact = FACTS[name]
    details, apart = _details(asking.table, fact)
    known: dict[str, Field] = {"fact": Choice((name,)), "earlier": Choice((earlier,)), **details}
    for cards, faces in _shapes(asking, fact, known, earlier=earlier, brief=brief):
        yield Candidate(c.Report, {**known, "cards": cards, "faces": faces}, apart)


def faces_left(table: Table) -> tuple[str, ...]:
    """The faces that a card of a shoe that is dealt by hand may still have, by the cards that came out of it."""
    return tuple(face for face in _DECK if copies_out(table, face) < table.setup.decks)


def faces_of(table: Table, count: int) -> FaceRow:
    """The faces that so many cards of a shoe that is dealt by hand may have."""
    left = faces_left(table)
    return FaceRow(left, tuple(table.setup.decks - copies_out(table, face) for face in left), count)


def _details(table: Table, fact: Fact) -> tuple[dict[str, Field], tuple[str, ...]]:
    """What a report says besides cards and faces, and which of it is independent of everything else."""
    fields: dict[str, Field] = {"note": Text(SENTENCE, needed=False)}
    for detail in fact.details:
        match detail.kind:
            case "hand" | "word":
                fields[detail.name] = Choice(detail.words if detail.missing else (None, *detail.words))
            case "flag":
                fields[detail.name] = Choice(_FLAG)
            case "patron":
                fields[detail.name] = Choice((None, *table.patrons))
            case "text":
                fields[detail.name] = Text(SENTENCE, needed=bool(detail.missing))
            case _:
                continue
    fields.pop("earlier", None)
    dealt_with = any(each.fact == fact.id for each in table.procedures)  # it may only be told otherwise
    needed = {each.name for each in fact.details if each.needed or (dealt_with and each.tells)}
    return fields, tuple(name for name, field in fields.items() if isinstance(field, Choice) and name not in needed)


def _shapes(asking: Asking, fact: Fact, known: dict[str, Field], *, earlier: bool, brief: bool) -> Iterator[Shape]:
    """The cards that a report may name, and the faces that may be said of them."""
    virtual = asking.table.setup.shoe == "virtual"
    details = {} if virtual else {each.kind: each for each in fact.details}
    places, told = details.get("places"), "faces" in details and not brief
    least = 0 if places is None or earlier else places.least
    if least == 0:
        yield _NO_CARDS, _NO_CARDS
        if told:
            yield _NO_CARDS, faces_of(asking.table, 1)
    if places is not None:
        yield from () if earlier else _dealt_with(asking.table, fact, told=told)
        named = tuple(_naming(asking, fact, known, max(least, 1), told=told))
        yield from named or ((_NO_CARDS, _NO_CARDS),) if least else named  # the table says what is missing


def _dealt_with(table: Table, fact: Fact, *, told: bool) -> Iterator[Shape]:
    """The cards that are being dealt with, of which more may be told."""
    for cards in {each.cards: None for each in table.procedures if each.fact == fact.id and each.cards}:
        yield Choice((cards,)), _NO_CARDS
        if told:
            yield Choice((cards,)), faces_of(table, len(cards))


def _naming(asking: Asking, fact: Fact, known: dict[str, Field], least: int, *, told: bool) -> Iterator[Shape]:
    """Cards by their places: of those that lie there, and of those that come out with the fact itself."""
    round = asking.table.round or Round(0)
    if "one-after-the-other" in fact.conditions:
        yield Choice(_in_a_row(round, least)), _NO_CARDS
        return
    laid = _places(asking, known, fact.conditions, len(round.cards))
    if len(laid) >= least:
        yield Some(laid, least, len(laid)), _NO_CARDS
        if told:
            for count in range(least, len(laid) + 1):
                yield Some(laid, count, count), faces_of(asking.table, count)


def _in_a_row(round: Round, least: int) -> tuple[tuple[int, ...], ...]:
    """Places of cards that came out one after the other, of those that lie there and of those that come out now."""
    dealt = len(round.cards)
    last = dealt + (_TOGETHER if round.phase == "closed" else 0)
    rows = (tuple(range(first, end)) for first in range(dealt + 1) for end in range(first + least, last + 1))
    return tuple(rows) or ((),)


def _places(asking: Asking, known: dict[str, Field], conditions: tuple[str, ...], dealt: int) -> tuple[int, ...]:
    """The places of cards that lie there and that the fact can be about."""
    if not any(CONDITIONS[each].of_each_card for each in conditions):
        return tuple(range(dealt))
    said = {name: next(field.values()) for name, field in known.items()}
    return tuple(at for at in range(dealt) if asking.accepts(c.Report, {**said, "cards": (at,)}))
