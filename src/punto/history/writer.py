"""From a history to its canonical text. What `load` would not give back as it is, is refused here."""

from collections.abc import Iterator
from pathlib import Path

from punto.amounts import USUAL, digits_of, show_money
from punto.coup import RANKS, Card
from punto.history.reader import MAGIC, BadHistory, read_lines
from punto.history.values import (
    Field,
    History,
    RecordedCover,
    RecordedEvent,
    RecordedRound,
    RecordedShoe,
    RecordedWager,
)


def write(path: str | Path, history: History) -> None:
    """Dump a history into a file of UTF-8 text; what the file held before is lost."""
    Path(path).write_bytes(dump(history).encode())


def dump(history: History) -> str:
    """Write a history so that `load` gives an equal one back, and refuse one that it would not.

    >>> print(dump(History((RecordedShoe("commission", decks=8, fields=(Field("table", "7"),)),))), end="")
    punto history 1
    rulebook commission
    decks 8
    _table 7
    >>> dump(History((RecordedShoe("commission", rounds=(RecordedRound(4),)),)))
    Traceback (most recent call last):
    ValueError: Shoe 1, round 4 cannot be written: This round has no outcome: add a line 'cards', \
'result' or 'void'.
    """
    if not history.shoes:
        raise ValueError("A history without a shoe cannot be written.")
    lines, places = [MAGIC], ["Shoe 1"]
    currency = USUAL
    for place, part in _parts(history):
        if isinstance(part, RecordedRound):
            lines += ["", *_round(part, currency)]
        else:
            currency = part.currency or USUAL
            lines += [*(["", "shoe"] if len(lines) > 1 else []), *_head(part)]
        places += [place] * (len(lines) - len(places))
    # The reader is the one judge of what a line may hold, and these lines are not joined yet:
    # a line break inside a value is still inside its line.
    try:
        again = read_lines(lines)
    except BadHistory as bad:
        line, sentence = bad.faults[0]
        raise ValueError(f"{places[line - 1]} cannot be written: {sentence}") from None
    if again != history:
        raise ValueError(_difference(history, again))
    return "\n".join(lines) + "\n"


def _parts(history: History) -> Iterator[tuple[str, RecordedShoe | RecordedRound]]:
    """Every shoe and every round, with the words for its place."""
    for number, shoe in enumerate(history.shoes, start=1):
        yield f"Shoe {number}", shoe
        for each in shoe.rounds:
            yield f"Shoe {number}, round {each.number}", each


def _difference(history: History, again: History) -> str:
    """A sentence on the first place where the text would say something else than the history."""
    for (place, part), (_, twin) in zip(_parts(history), _parts(again), strict=True):
        for name in part.__struct_fields__:
            there, back = getattr(part, name), getattr(twin, name)
            if name != "rounds" and there != back:
                return f"{place} cannot be written: its {name} {there!r} would be read as {back!r}."
    return "This history cannot be written: its shoes and rounds are not held in tuples."


def _head(shoe: RecordedShoe) -> Iterator[str]:
    yield f"rulebook {shoe.rulebook}"
    if shoe.layout is not None:
        yield f"layout {shoe.layout}"
    if shoe.decks is not None:
        yield f"decks {shoe.decks}"
    if shoe.currency is not None:
        yield f"currency {shoe.currency}"
    yield from limit_lines(shoe)
    yield from map(field_line, shoe.fields)


def limit_lines(shoe: RecordedShoe) -> Iterator[str]:
    """The lines of a head that tell the limits of the table."""
    for limit in shoe.limits:
        yield f"limit {limit.name} {_amount(limit.amount, shoe.currency or USUAL)}"


def _round(each: RecordedRound, currency: str) -> Iterator[str]:
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
        yield f"wager {wager.bet} {_amount(wager.stake, currency)}{_tail(wager, currency)}"
    for cover in each.covers:
        stake = _amount(cover.stake, currency)
        yield f"cover {cover.stage} {cover.hand} {stake} on {cover.on}{_tail(cover, currency)}"
    yield from map(event_line, each.events)
    yield from map(field_line, each.fields)


def _tail(bet: RecordedWager | RecordedCover, currency: str) -> str:
    net = "" if bet.net is None else f" = {_amount(bet.net, currency)}"
    return net + ("" if bet.patron is None else f" by {bet.patron}")


def event_line(event: RecordedEvent) -> str:
    """The line of something irregular."""
    after = "" if event.after is None else f" after {event.after}"
    return f"event {event.kind}{after}" + (f": {event.text}" if event.text else "")


def field_line(field: Field) -> str:
    """The line of a field of the user's own."""
    return f"_{field.name} {field.value}" if field.value else f"_{field.name}"


# What is no amount and no card is written as Python shows it, and the reader refuses that by name.


def _amount(minor: int, currency: str) -> str:
    if not isinstance(minor, int):
        return f"{type(minor).__name__}({minor!r})"
    return show_money(minor, currency).removesuffix(f".{'0' * digits_of(currency)}")


def _card(each: Card) -> str:
    return str(each) if 1 <= each.rank <= len(RANKS) else repr(each)
