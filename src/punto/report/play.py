"""The Table of Play as a certificate prints it, asked of the engine case by case."""

from collections.abc import Sequence

from punto.coup import STOOD, banker_draws, player_draws
from punto.report.document import Block, Cell, Column, Paragraph, Rows, Section, TableBlock
from punto.report.readings import clauses
from punto.rulebook import Basis, Book
from punto.rulebook.card_model import CardValue
from punto.rulebook.words import printed_in_words, ranges

_NATURAL = 8
_LOW = "banker-0-2"
_THIRDS = tuple(range(10))

FIRST_CARDS = "The first cards go in turn to Player, Banker, Player and Banker."
"""The order in which a coup begins."""


def table_of_play(book: Book) -> Section:
    """The section on which hand draws a card when, with the clauses."""
    return Section("Table of Play", tuple(_blocks(book)))


def _blocks(book: Book) -> list[Block]:
    drawing = book.drawing
    says = (
        f"{FIRST_CARDS[:-1]}{_named(drawing['order'])}. Of a total over nine the last digit counts"
        f"{_named(book.cards.over_nine)}. With 8 or 9 on the first two cards of either "
        f"hand no further card is drawn ({clauses(drawing['natural-player'].plus(drawing['natural-banker']))}). "
        f"The hand with more points wins ({clauses(drawing['winner'])}); equal points are a tie "
        f"({clauses(drawing['tie'])})."
    )
    if book.cards.printed is not None:
        says += f" {str(printed_in_words(book.cards.printed))[:-1]} ({clauses(book.cards.printed.basis)})."
    return [Paragraph(says), _values(book), _player(book), _banker(book)]


def _named(basis: Basis) -> str:
    """The clauses that a statement rests on, to stand behind it."""
    return f" ({clauses(basis)})" if basis.clauses else ""


def _values(book: Book) -> TableBlock:
    columns = (Column("Cards", 3), Column("Count", 3), Column("Clause", 2))
    rows = tuple(
        (
            (
                Cell(", ".join(value.ranks).replace("T", "10"), strong=True),
                Cell(count_in_words(value)),
                Cell(clauses(value.basis), ", ".join(value.basis.readings)),
            ),
        )
        for value in book.cards.values
    )
    return TableBlock("What cards count", columns, rows)


def count_in_words(value: CardValue) -> str:
    """What a card counts."""
    if value.points != "face":
        return str(value.points)
    return "the number on the card" + (", an ace being one" if "A" in value.ranks else "")


def _player(book: Book) -> TableBlock:
    columns = (Column("Player's two cards", 3), Column("Player", 3), Column("Clause", 2))
    drawn = [points for points in range(_NATURAL) if player_draws(points, 0)]
    stood = [points for points in range(_NATURAL) if not player_draws(points, 0)]
    rows = tuple(
        ((Cell(ranges(points), strong=True), Cell(what), _where(book, name)),)
        for points, what, name in ((drawn, "draws", "player-draws"), (stood, "stands", "player-stands"))
    )
    return TableBlock("Player's third card", columns, rows)


def _banker(book: Book) -> TableBlock:
    """A row for each total; totals with one clause stand together."""
    columns = (
        Column("Banker's two cards", 2.2),
        Column("Player stood", 1.6),
        *(Column(str(third), 0.55) for third in _THIRDS),
        Column("Clause", 1.6),
    )
    rows: list[Rows] = []
    low = [points for points in range(_NATURAL) if f"banker-{points}" not in book.drawing]
    rows.append((_line(low, book, _LOW),))
    rows += [(_line([points], book, f"banker-{points}"),) for points in range(_NATURAL) if points not in low]
    return TableBlock("Banker's third card, by the value of the Player's: D draws, S stands", columns, tuple(rows))


def _line(points: Sequence[int], book: Book, name: str) -> tuple[Cell, ...]:
    # any total of the Player that is no natural and stands, or draws, tells the same
    stood, drew = _NATURAL - 2, 0
    return (
        Cell(ranges(points), strong=True),
        _told({banker_draws(stood, each, STOOD) for each in points}),
        *(_told({banker_draws(drew, each, third) for each in points}) for third in _THIRDS),
        _where(book, name),
    )


def _told(draws: set[bool]) -> Cell:
    """What all of some totals do."""
    [does] = draws
    return Cell("D", strong=True) if does else Cell("S")


def _where(book: Book, name: str) -> Cell:
    basis = book.drawing[name]
    return Cell(clauses(basis), ", ".join(basis.readings))
