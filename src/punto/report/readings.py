"""The readings that a document rests on: which, where, and what each of them says."""

import re
from collections.abc import Iterable, Iterator, Sequence

from punto.report.document import Block, Cell, Column, Paragraph, Rows, Section, TableBlock
from punto.report.figures import listed
from punto.report.groups import Group
from punto.rulebook import Basis, Book, printed
from punto.rulebook import readings as sentences

_DRAWING = "The Table of Play"
_OPERATORS = {"RWS": "Resorts World at Sentosa", "MBS": "Marina Bay Sands"}
"""Operators that the register of readings names by their initials."""


def clauses(basis: Basis) -> str:
    """The clauses that something rests on, as the book numbers them.

    >>> clauses(Basis(("4.1.2#banker", "4.1.1")))
    '4.1.2, 4.1.1'
    """
    return ", ".join(dict.fromkeys(map(printed, basis.clauses)))


def _used(book: Book, groups: Iterable[Group]) -> Iterator[tuple[str, Basis]]:
    """Everything that figures of these layouts rest on, and what for."""
    yield "Number of decks", book.decks.basis
    for value in book.cards.values:
        yield "Value of cards", value.basis
    for basis in book.drawing.values():
        yield _DRAWING, basis
    for group in groups:
        for name in group.layouts:
            layout = book.layouts[name]
            yield f"Layout {name}", Basis((layout.clause,), layout.readings)
        for priced in group.menu.bets.values():
            for row in priced.rows:
                yield priced.bet.name, row.basis
            yield priced.bet.name, priced.bet.loses
    insurance = book.insurance
    if insurance is None:
        return
    for basis in (insurance.live, insurance.cap.basis, insurance.tie, insurance.won):
        yield "Insurance", basis
    for also in insurance.cap_at:
        yield f"Cap of cover at {also.odds.in_words}", also.basis
    for cover in insurance.rows:
        yield "Insurance", cover.basis.plus(cover.tie_pays or Basis())
    forfeit = book.policies.get("insurance-forfeit")
    if forfeit is not None:
        yield "Best use of insurance", Basis((forfeit.clause,) if forfeit.clause else (), (forfeit.reading,))


def readings_used(book: Book, groups: Iterable[Group], assumed: Sequence[Basis] = ()) -> dict[str, dict[str, Basis]]:
    """For each reading used what it is used for, on which clauses; `assumed` is what the assumptions rest on.

    >>> from punto.report.groups import layout_groups
    >>> from punto.rulebook import load
    >>> book = load("commission-insurance")
    >>> readings_used(book, layout_groups(book))["AMB-31"]
    {'Banker': Basis(clauses=('4.1.2#banker', '4.1.1'), readings=())}
    """
    found: dict[str, dict[str, Basis]] = {}
    numbered = ((f"Assumption {number}", basis) for number, basis in enumerate(assumed, start=1))
    for what, basis in (*_used(book, groups), *numbered):
        for reading in basis.readings:
            uses = found.setdefault(reading, {})
            uses[what] = uses.get(what, Basis()).plus(Basis(basis.clauses))
    return dict(sorted(found.items(), key=lambda each: _number(each[0])))


def _number(reading: str) -> tuple[int, str]:
    digits = reading.rpartition("-")[2]
    return (int(digits) if digits.isdecimal() else 0, reading)


def readings_section(book: Book, groups: Iterable[Group], assumed: Sequence[Basis] = ()) -> Section:
    """The section of all readings that the figures and assumptions of a certificate rest on."""
    rows: list[Rows] = []
    for reading, uses in readings_used(book, groups, assumed).items():
        layouts = [what for what in uses if what.startswith("Layout ")]
        where = [
            f"{what} ({clauses(basis)})" if basis.clauses else what
            for what, basis in uses.items()
            if what not in layouts
        ]
        if layouts:
            names = listed([what.removeprefix("Layout ") for what in layouts])
            where.append(f"Layouts {names}" if len(layouts) > 1 else layouts[0])
        says = sentences().get(reading, "See the register of readings of whoever wrote this rulebook.").replace("`", "")
        rows.append(((Cell(reading, strong=True), Cell(says), Cell("; ".join(where))),))
    if not rows:
        return Section("Readings", (Paragraph("No figure and no assumption of this document rests on a reading."),))
    intro = Paragraph(
        "Where the text of the book can be read in more than one way, one reading is taken. "
        f"These are the readings that the figures and assumptions of this document rest on.{_operators(rows)}"
    )
    columns = (Column("Reading", 1.1), Column("What is taken to be meant", 4), Column("Used for", 4))
    return Section("Readings", (intro, TableBlock("", columns, tuple(rows))))


def readings_cited(blocks: Iterable[Block]) -> list[Section]:
    """The section that says what each reading means that these blocks cite; none where they cite none.

    >>> [section] = readings_cited([Paragraph("The Player must win (4.1.10, AMB-41).")])
    >>> [cell.text for cell in section.blocks[1].groups[0][0]]
    ['AMB-41', 'Wu Dalang needs the Player to win on 1.']
    """
    known = sentences()
    cited = {each for block in blocks for each in re.findall(r"\b[A-Z]+-\d+\b", _text(block)) if each in known}
    if not cited:
        return []
    rows = [((Cell(each, strong=True), Cell(known[each].replace("`", ""))),) for each in sorted(cited, key=_number)]
    says = f"Where the text of the book can be read in more than one way, one reading is taken.{_operators(rows)}"
    columns = (Column("Reading", 1.1), Column("What is taken to be meant", 8))
    return [Section("Readings", (Paragraph(says), TableBlock("", columns, tuple(rows))))]


def _operators(rows: Iterable[Rows]) -> str:
    """What the initials of operators in these rows stand for, as a sentence after others; nothing without any.

    >>> _operators([((Cell("AMB-77"), Cell("RWS: any technical failure; MBS: power only, others are referred.")),)])
    ' RWS is Resorts World at Sentosa, MBS is Marina Bay Sands.'
    """
    said = " ".join(cell.text for group in rows for row in group for cell in row)
    named = [f"{short} is {full}" for short, full in _OPERATORS.items() if short in said]
    return f" {', '.join(named)}." if named else ""


def _text(block: Block) -> str:
    match block:
        case Paragraph():
            return block.text
        case TableBlock():
            cells = (cell for group in block.groups for row in group for cell in row)
            return "\n".join(f"{cell.text}\n{cell.small}" for cell in cells)
    return ""
