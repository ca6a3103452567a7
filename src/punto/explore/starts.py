"""The small tables that the explorer starts from: how each is opened, and the moments at which it begins."""

from collections.abc import Iterator, Sequence
from datetime import datetime

import msgspec

from punto.explore.alphabet import ANN, BOB, PURSE, WORDS
from punto.explore.coups import FIRST_CARDS, drawn_like
from punto.rulebook import SHIPPED, Book, Library, Refused
from punto.rulebook.vocabulary import DEALER, PATRONS
from punto.settlement import Limits
from punto.table import Table, act
from punto.table import commands as c
from punto.table.usual import chooser, methods, usual_opening

EVENING = datetime(2025, 3, 1, 20)  # it gets the zone of a book
DECKS = 4
LIMITS = Limits(minimum=1000, maximum=20000, differential=5000)
SHORT_SHOE = "short shoe"
LEFT = 5
"""So many cards are left of a short shoe when its last round begins: one too few for two third cards."""

SEATED = (
    c.Sit(ANN, 1, by=ANN),
    c.BuyIn(ANN, PURSE, by=ANN),
    c.Sit(BOB, 2, by=BOB),
    c.BuyIn(BOB, PURSE, by=BOB),
    c.LoadShoe(),
    c.Burn(),
)
"""Two patrons and a shoe; where a book burns no card, that command is left out."""

THREE_BETS = (
    c.OpenBets(),
    c.Place(ANN, "player", 2000, by=ANN),
    c.Place(ANN, "tie", 1000, by=ANN),
    c.Place(BOB, "banker", 2000, by=BOB),
)
FOUR_CARDS = (c.Draw(), c.Draw(), c.Draw(), c.Draw())
NATURAL = (c.Expose(("9h", "2c", "Kd", "As")), c.Announce("result"), c.Settle())
MOMENTS: dict[str, tuple[c.Command, ...]] = {
    "seated": (),
    "bets lie": THREE_BETS,
    "bets closed": (*THREE_BETS, c.CloseBets()),
    "four cards out": (*THREE_BETS, c.CloseBets(), *FOUR_CARDS),
    "Player draws": (*THREE_BETS, c.CloseBets(), *FOUR_CARDS, c.Expose(("Kh", "Kc", "2d", "5d"))),
    "Banker draws": (*THREE_BETS, c.CloseBets(), *FOUR_CARDS, c.Expose(("Kh", "Kc", "6d", "3d"))),
    "paid": (*THREE_BETS, c.CloseBets(), *FOUR_CARDS, *NATURAL),
    "bets lie again": (*THREE_BETS, c.CloseBets(), *FOUR_CARDS, *NATURAL, *THREE_BETS),
}
"""The moments of a round at which an exploration begins, each as the commands that lead there from two patrons and a
shoe."""


class Start(msgspec.Struct, frozen=True):
    """A table to begin with, and the commands that lead to it from nothing."""

    moment: str
    table: Table
    story: tuple[c.Command, ...]


class Opening(msgspec.Struct, frozen=True):
    """A kind of table of a book."""

    name: str
    command: c.OpenTable


def openings(book: Book) -> tuple[Opening, ...]:
    """The tables of a book that are explored: dealt face up and face down, or by each method that it knows.

    >>> from punto.rulebook import load
    >>> [each.name for each in openings(load("dragon-tiger-mbs"))]
    ['method A', 'method B', 'method C']
    """
    if not methods(book):
        return (Opening("face up", _opened(book)), Opening("face down", _opened(book, face_down=True)))
    return tuple(Opening(f"method {method}", _by_method(book, method)) for method in methods(book))


def _by_method(book: Book, method: str) -> c.OpenTable:
    by = chooser(book, method)
    if method == "C":
        return _opened(book, by, method=method, high_limit=True, shoe="read")
    return _opened(book, by, method=method, face_down=method == "A")


def _opened(book: Book, by: str = DEALER, **more: object) -> c.OpenTable:
    opened = usual_opening(book, EVENING.replace(tzinfo=book.effective.tzinfo), DECKS, LIMITS)
    return msgspec.structs.replace(opened, by=by, **more)


def starts(opening: Opening, library: Library = SHIPPED) -> Iterator[Start]:
    """An opened table at every moment; `library` has its book."""
    table, _ = act(None, opening.command, library)
    seated, story = played(table, (opening.command,), SEATED)
    for moment, commands in MOMENTS.items():
        yield Start(moment, *played(seated, story, commands))
    yield Start(SHORT_SHOE, *played(*_emptied(seated, story), MOMENTS["four cards out"]))


def _emptied(table: Table, story: tuple[c.Command, ...]) -> tuple[Table, tuple[c.Command, ...]]:
    """A table whose shoe has slid out but for a few cards, in a round that nobody plays on with."""
    assert table.shoe is not None
    out = tuple(range(table.shoe.left - LEFT))
    for order in ("known", "unknown"):
        slid = (*THREE_BETS[:2], c.CloseBets(), c.Report("simultaneous-draw", out, order=order))
        emptied, told = played(table, story, slid)
        while emptied.questions:
            question = emptied.questions[-1]
            by = ANN if question.to == PATRONS else question.to
            wanted = ("take-back", "yes" if question.topic == "permit" else "no", *question.choices)
            choice = next(each for each in wanted if each in question.choices)
            emptied, told = played(emptied, told, (c.Answer(question.id, choice, WORDS, order=out, by=by),))
        if emptied.running is None:
            break
    return emptied, told


def _beside_printed(table: Table, command: c.Command) -> c.Command:
    printed = table.book.cards.printed
    if printed is None or not isinstance(command, c.Expose) or len(command.faces) != FIRST_CARDS:
        return command
    return msgspec.structs.replace(command, faces=drawn_like(printed, command.faces))


def played(
    table: Table, story: tuple[c.Command, ...], commands: Sequence[c.Command]
) -> tuple[Table, tuple[c.Command, ...]]:
    """The table after some commands, and the story until then; what a book does not have is left out.

    Four faces that are opened are those of three drawn cards where one is printed on the layout.
    """
    for told in commands:
        command = _beside_printed(table, told)
        try:
            table, _ = act(table, command)
        except Refused:
            continue
        story = (*story, command)
    return table, story
