"""What a certificate says of a rulebook, in order: identity, bets, insurance, findings, readings, confirmation."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from punto.lint import Finding, lint
from punto.odds import BetOdds, bet_odds, deals, full_shoe
from punto.report.confirmation import Confirmation, confirmation_section
from punto.report.document import Block, Cell, Column, Document, Facts, Paragraph, Picture, Section, TableBlock
from punto.report.exposed import Exposed, exposure_section
from punto.report.figures import decimal, deck_count, exact, listed, percent
from punto.report.groups import Group, layout_groups
from punto.report.insurance import insurance_sections
from punto.report.plots import edges_svg
from punto.report.readings import clauses, readings_table
from punto.report.software import software
from punto.rulebook import Book, Priced, ids
from punto.rulebook.approval import approval
from punto.rulebook.words import pattern_in_words

_BETS = (
    Column("Bet", 2),
    Column("House edge", 1.5, "figure"),
    Column("Edge, exact", 3.6, "figure"),
    Column("Hit frequency", 3.6, "figure"),
    Column("Standard deviation", 1.5, "figure"),
)
_ROWS = (
    Column("Bet", 1.8),
    Column("Outcome", 3.3),
    Column("Pays", 1.3),
    Column("Clause", 1.4),
    Column("Deals", 2, "figure"),
    Column("Probability", 3, "figure"),
)
_METHOD = (
    "Every figure is exact. All ordered deals of six cards from the full shoe are counted, each decided by the "
    "Table of Play of the rulebook, and every probability is such a count over their number. Fractions are in "
    "lowest terms; a decimal is its fraction rounded once. The house edge is minus the expected net for one unit "
    "staked, ties included: a negative edge is with the patron. Hit frequency is the chance to win. The standard "
    "deviation is that of the net for one unit staked on one round. Payments are taken to be exact: no edge here "
    "assumes any rounding to a chip (AMB-30)."
)


def certificate(
    book: Book,
    layout: str | None = None,
    decks: int = 8,
    confirmation: Confirmation | None = None,
    exposed: Exposed | None = None,
) -> Document:
    """The certificate of a book: all its layouts, or the one that is named; with what a counter could win, if known.

    >>> from punto.rulebook import load
    >>> made = certificate(load("wu-song"), "C")
    >>> made.title, [section.title for section in made.sections][0]
    ('Wu Song (Non-Commission Baccarat)', 'Bets of layout C')
    """
    shoe = full_shoe(decks)
    groups = layout_groups(book, layout)
    sections = [
        *_difference_sections(book),
        *(_bets_section(group, shoe) for group in groups),
        *insurance_sections(book, shoe),
        _findings_section(lint(book)),
        Section("Readings", (_on_readings(), readings_table(book, groups))),
        confirmation_section(confirmation, f"punto simulate {_named(book)} --decks {decks}"),
    ]
    if exposed is not None:
        where = f"--layout {layout}" if layout else "--every-layout"
        sections.append(exposure_section(exposed, f"punto exposure {_named(book)} {where} --decks {decks}"))
    return Document(
        book.title,
        f"{book.operator}, version {book.version}",
        f"{book.id} · {_layouts(book, groups)} · {deck_count(decks)}",
        book.digest,
        (book.effective.year, book.effective.month, book.effective.day),
        _cover(book, groups, decks, layout),
        tuple(sections),
    )


def _layouts(book: Book, groups: Sequence[Group]) -> str:
    covered = {name for group in groups for name in group.layouts}
    names = [name for name in book.layouts if name in covered]
    return f"layout{'s' * (len(names) > 1)} {listed(names)}"


def _named(book: Book) -> str:
    """How the command line names this book: by its id if it is the one that comes with Punto."""
    return book.id if approval(book).verified else Path(book.file).name


def _cover(book: Book, groups: Sequence[Group], decks: int, layout: str | None) -> tuple[Block, ...]:
    own, approved = software(), approval(book)
    effective = book.effective.isoformat(" ", "minutes")
    shoe = full_shoe(decks)
    only = f" --layout {layout}" if layout else ""
    blocks: list[Block] = [
        Facts(
            (
                ("Operator", book.operator),
                ("Approved by" if approved.verified else "Approval", str(approved.says)),
                ("Version", f"{book.version}, effective {effective}"),
                ("Rulebook file", Path(book.file).name),
                ("SHA-256 of the file", book.digest),
                ("Covers", f"{_layouts(book, groups)}; {deck_count(decks)}, {sum(shoe)} cards"),
                ("Ordered deals", str(deals(shoe))),
            )
        ),
        Facts(
            (
                ("Computed by", f"{own.name} {own.version}"),
                ("SHA-256 of its source", own.digest),
                ("Over", f"{own.files} files of the package: program, rulebooks, clause indexes"),
                ("To reproduce", f"punto certify {_named(book)}{only} --decks {decks} -o FILE.pdf"),
            )
        ),
        *([] if approved.verified else [Paragraph(str(approved.says), alert=True)]),
        *_deck_flag(book, decks),
        Paragraph(_METHOD),
        Paragraph(
            "This document states what follows from the rulebook file named above, and nothing else. It is no "
            "approval by any authority. The same file and the same software give the same document, byte for byte."
        ),
    ]
    return tuple(blocks)


def _difference_sections(book: Book) -> list[Section]:
    """What an altered copy of a shipped book says otherwise, point by point."""
    approved = approval(book)
    if approved.verified or book.id not in ids():
        return []
    title = "Differences from the shipped edition"
    if not approved.differences:
        return [Section(title, (Paragraph("The file is written otherwise, but says the same on every point."),))]
    columns = (Column("Point", 2), Column("Shipped edition", 3), Column("This file", 3))
    rows = tuple(
        (
            (
                Cell(each.point, strong=True),
                Cell(each.a.value, ", ".join(each.a.clauses)),
                Cell(each.b.value, ", ".join(each.b.clauses)),
            ),
        )
        for each in approved.differences
    )
    return [Section(title, (TableBlock("", columns, rows),))]


def _deck_flag(book: Book, decks: int) -> list[Block]:
    """What is to be said if the book does not allow this shoe."""
    low, high = book.decks.min, book.decks.max
    where = f" ({clauses(book.decks.basis)})" if book.decks.basis.clauses else ""
    if low is None or high is None:
        readings = ", ".join(book.decks.basis.readings)
        assumed = f"{deck_count(decks)} {'is' if decks == 1 else 'are'} assumed here."
        says = f"The book states no number of decks{f' ({readings})' if readings else ''}; {assumed}"
        return [Paragraph(says, alert=True)]
    if not low <= decks <= high:
        says = f"Outside the book: it allows {low} to {high} decks{where}, and these figures are for {decks}."
        return [Paragraph(says, alert=True)]
    return []


def _bets_section(group: Group, shoe: Sequence[int]) -> Section:
    odds = bet_odds(group.menu, shoe)
    blocks: list[Block] = []
    favourable = [each for each in odds.values() if each.edge < 0]
    for each in favourable:
        says = f"{each.name} is with the patron: its edge is {percent(each.edge)}."
        blocks.append(Paragraph(says, alert=True))
    said = "; ".join(f"{each.name} {percent(each.edge)}" for each in odds.values())
    blocks += [
        TableBlock("What each bet is worth", _BETS, tuple((_worth(each),) for each in odds.values())),
        Picture(edges_svg(odds), f"Bar chart of the house edges. {said}."),
        TableBlock(
            "Every pay row",
            _ROWS,
            tuple(_pay_rows(priced, odds[name]) for name, priced in group.menu.bets.items()),
        ),
    ]
    return Section(f"Bets of {group.name[:1].lower()}{group.name[1:]}", tuple(blocks))


def _worth(odds: BetOdds) -> tuple[Cell, ...]:
    return (
        Cell(odds.name, strong=True),
        Cell(percent(odds.edge), strong=True),
        Cell(decimal(odds.edge), exact(odds.edge)),
        Cell(percent(odds.hit), exact(odds.hit)),
        Cell(f"{odds.sd:.6f}"),
    )


def _pay_rows(priced: Priced, odds: BetOdds) -> tuple[tuple[Cell, ...], ...]:
    """The rows of a bet, and what is left: no row pays it."""
    rows: list[tuple[Cell, ...]] = []
    left = odds.total
    for each in odds.rows:
        left -= each.deals
        rows.append(
            (
                Cell(odds.name if not rows else "", strong=True),
                Cell(str(pattern_in_words(each.row.when))),
                Cell(each.row.odds.in_words if each.row.odds else "comes back"),
                Cell(clauses(each.row.basis), ", ".join(each.row.basis.readings)),
                Cell(str(each.deals)),
                Cell(decimal(each.probability), exact(each.probability)),
            )
        )
    chance = Fraction(left, odds.total)
    loses = priced.bet.loses
    rows.append(
        (
            Cell(""),
            Cell("Any other outcome"),
            Cell("loses"),
            Cell(clauses(loses), ", ".join(loses.readings)),
            Cell(str(left)),
            Cell(decimal(chance), exact(chance)),
        )
    )
    return tuple(rows)


def _findings_section(found: Sequence[Finding]) -> Section:
    if not found:
        return Section("Findings", (Paragraph("The linter finds nothing wrong or remarkable in the rulebook."),))
    columns = (Column("Where", 2.3), Column("What was found", 6), Column("Clause, reading", 1.2))
    rows = tuple(
        (
            (
                Cell(each.where, "a fault" if each.severity == "fault" else ""),
                Cell(each.says),
                Cell(each.clause, ", ".join(each.readings)) if each.clause else Cell(", ".join(each.readings)),
            ),
        )
        for each in found
    )
    says = (
        "What the linter has to say of the whole rulebook: contradictions in print, rows that no coup can meet, "
        "what could not be verified, and where the edge is with the patron."
    )
    return Section("Findings", (Paragraph(says), TableBlock("", columns, rows)))


def _on_readings() -> Paragraph:
    return Paragraph(
        "Where the text of the book can be read in more than one way, one reading is taken. "
        "These are the readings that the figures above rest on."
    )
