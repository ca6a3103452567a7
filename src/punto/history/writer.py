"""From a history to its canonical text. What `load` would not give back as it is, is refused here."""

from collections.abc import Iterator

from punto.coup import RANKS, SUITS, Card
from punto.history.reader import MAGIC, read_lines
from punto.history.tokens import DIGITS, show_amount
from punto.history.values import Cover, Event, Field, History, Round, Shoe, Wager

_CARDS = frozenset(Card(rank + 1, suit) for rank in range(len(RANKS)) for suit in (None, *SUITS))


def dump(history: History, *, digits: int = DIGITS) -> str:
    """Write a history so that `load` gives an equal one back, and refuse one that it would not.

    `digits` is how many digits an amount may have before its point.

    >>> print(dump(History((Shoe("commission", decks=8, fields=(Field("table", "7"),)),))), end="")
    punto history 1
    rulebook commission
    decks 8
    _table 7
    >>> dump(History((Shoe("commission", rounds=(Round(4),)),)))
    Traceback (most recent call last):
    ValueError: Shoe 1, round 4 cannot be written: This round has no outcome: add a line 'cards', \
'result' or 'void'.
    """
    if not history.shoes:
        raise ValueError("A history without a shoe cannot be written.")
    lines, places = [MAGIC], ["Shoe 1"]
    for number, shoe in enumerate(history.shoes, start=1):
        if number > 1:
            lines += ["", "shoe"]
        lines += _head(shoe)
        places += [f"Shoe {number}"] * (len(lines) - len(places))
        for each in shoe.rounds:
            lines += ["", *_round(each)]
            places += [f"Shoe {number}, round {each.number}"] * (len(lines) - len(places))
    # The reader is the one judge of what a line may hold, and these lines are not joined yet:
    # a line break inside a value is still inside its line.
    again, faults = read_lines(lines, digits)
    for fault in faults:
        raise ValueError(f"{places[fault.line - 1]} cannot be written: {fault.sentence}")
    if again != history:
        raise ValueError(_difference(history, again))
    return "\n".join(lines) + "\n"


def _head(shoe: Shoe) -> Iterator[str]:
    yield f"rulebook {shoe.rulebook}"
    if shoe.layout is not None:
        yield f"layout {shoe.layout}"
    if shoe.decks is not None:
        yield f"decks {shoe.decks}"
    for limit in shoe.limits:
        yield f"limit {limit.name} {_amount(limit.amount)}"
    yield from map(_field, shoe.fields)


def _round(each: Round) -> Iterator[str]:
    yield f"round {each.number}"
    if each.cards:
        yield f"cards {' '.join(map(_card, each.cards))}"
    if each.result is not None:
        pairs = "" if each.result.pairs == "none" else f" pairs {each.result.pairs}"
        yield f"result {each.result.winner}{pairs}{' natural' if each.result.natural else ''}"
    if each.void:
        yield "void"
    if each.free:
        yield "free"
    for wager in each.wagers:
        yield f"wager {wager.bet} {_amount(wager.stake)}{_tail(wager)}"
    for cover in each.covers:
        yield f"cover {cover.stage} {cover.hand} {_amount(cover.stake)} on {cover.on}{_tail(cover)}"
    yield from map(_event, each.events)
    yield from map(_field, each.fields)


def _tail(bet: Wager | Cover) -> str:
    net = "" if bet.net is None else f" = {_amount(bet.net)}"
    return net + ("" if bet.patron is None else f" by {bet.patron}")


def _event(event: Event) -> str:
    after = "" if event.after is None else f" after {event.after}"
    return f"event {event.kind}{after}" + (f": {event.text}" if event.text else "")


def _field(field: Field) -> str:
    return f"_{field.name} {field.value}" if field.value else f"_{field.name}"


# What is no amount and no card is written as Python shows it, and the reader refuses that by name.


def _amount(minor: int) -> str:
    return show_amount(minor) if isinstance(minor, int) else repr(minor)


def _card(each: Card) -> str:
    return str(each) if each in _CARDS else repr(each)


def _difference(history: History, again: History) -> str:
    """A sentence on the first place where the text would say something else than the history."""
    for number, (shoe, other) in enumerate(zip(history.shoes, again.shoes, strict=True), start=1):
        pairs: list[tuple[str, Shoe | Round, Shoe | Round]] = [(f"Shoe {number}", shoe, other)]
        for each, twin in zip(shoe.rounds, other.rounds, strict=True):
            pairs.append((f"Shoe {number}, round {each.number}", each, twin))
        for place, value, read in pairs:
            for name in value.__struct_fields__:
                there, back = getattr(value, name), getattr(read, name)
                if name != "rounds" and there != back:
                    return f"{place} cannot be written: its {name} {there!r} would be read as {back!r}."
    return "This history cannot be written: its shoes and rounds are not held in tuples."
