"""What a certificate says of the bets: what each is worth, every pay row, and all of it by the number of decks."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby

from punto.odds import BetOdds, bet_odds, full_shoe, insurance_odds
from punto.report.charts import edges_svg
from punto.report.document import Block, Cell, Column, Paragraph, Picture, Section, TableBlock
from punto.report.figures import decimal, deck_count, exact, percent
from punto.report.groups import Group
from punto.report.insurance import STAGES, situation
from punto.report.readings import clauses
from punto.rulebook import Book, Priced
from punto.rulebook.words import pattern_in_words, pays_in_words

VOLATILITY = Fraction(165, 100)
"""The volatility index is so many standard deviations: nine of ten rounds lie within them, were nets normal."""

_USUAL = 8
_BETS = (
    Column("Bet", 1.9),
    Column("Return to player", 1.5, "figure"),
    Column("House edge", 3.4, "figure"),
    Column("Hit frequency", 3.4, "figure"),
    Column("Standard deviation", 1.5, "figure"),
    Column("Volatility index", 1.4, "figure"),
)
_ROWS = (
    Column("Bet", 1.8),
    Column("Outcome", 3.3),
    Column("Pays", 1.3),
    Column("Clause", 1.4),
    Column("Deals", 2, "figure"),
    Column("Probability", 3, "figure"),
)
_BY_DECKS = (
    Column("Bet", 1.9),
    Column("Decks", 0.8, "figure"),
    Column("Return to player", 1.6, "figure"),
    Column("House edge", 3.4, "figure"),
    Column("Hit frequency", 1.6, "figure"),
    Column("Standard deviation", 1.5, "figure"),
    Column("Volatility index", 1.4, "figure"),
)


def deck_counts(book: Book) -> tuple[int, ...]:
    """The numbers of decks a book allows; all that can be computed where it names none.

    >>> from punto.rulebook import load
    >>> deck_counts(load("commission-insurance"))
    (4, 5, 6, 7, 8)
    """
    return book.decks.counts


def usual_decks(book: Book) -> int:
    """Eight decks, or as many as the book allows next to that.

    >>> from punto.rulebook import load
    >>> usual_decks(load("commission-insurance"))
    8
    """
    return min(deck_counts(book), key=lambda decks: abs(decks - _USUAL))


def bets_section(group: Group, shoe: Sequence[int]) -> Section:
    """The bets of a group of layouts from one shoe: what each is worth, and its pay rows."""
    odds = bet_odds(group.menu, shoe)
    blocks: list[Block] = []
    favourable = [each for each in odds.values() if each.edge < 0]
    for each in favourable:
        says = f"{each.name} is with the patron: its edge is {percent(each.edge)}."
        blocks.append(Paragraph(says, alert=True))
    said = "; ".join(f"{each.name} {percent(each.edge)}" for each in odds.values())
    named = f"{group.name[:1].lower()}{group.name[1:]}"
    blocks += [
        TableBlock("What each bet is worth", _BETS, tuple((_worth(each),) for each in odds.values())),
        Picture(edges_svg(odds), f"Bar chart of the house edges. {said}.", f"House edges of {named}, lowest first"),
        TableBlock(
            "Every pay row",
            _ROWS,
            tuple(_pay_rows(priced, odds[name]) for name, priced in group.menu.bets.items()),
        ),
    ]
    return Section(f"Bets of {named}", tuple(blocks))


def decks_section(book: Book, groups: Sequence[Group]) -> Section:
    """Every bet, and every cell of insurance, for every number of decks the book allows."""
    counts = deck_counts(book)
    says = (
        f"The book allows {book.decks.noun} ({clauses(book.decks.basis)}). "
        if book.decks.min is not None
        else f"The book states no number of decks; all from {counts[0]} to {counts[-1]} are computed. "
    )
    says += "Each figure is counted anew from a full shoe of so many decks."
    blocks: list[Block] = [Paragraph(says)]
    told: set[object] = set()
    for group in groups:
        by_decks = {decks: bet_odds(group.menu, full_shoe(decks)) for decks in counts}
        new = [bet for bet, priced in group.menu.bets.items() if _pays(priced) not in told]
        rows = tuple(
            tuple(_for_decks(by_decks[decks][bet], decks, first=decks == counts[0]) for decks in counts) for bet in new
        )
        title = group.name if not told else f"{group.name}: bets that pay otherwise than above"
        if rows:
            blocks.append(TableBlock(title, _BY_DECKS, rows))
        told |= set(map(_pays, group.menu.bets.values()))
    if book.insurance is not None:
        blocks.append(_cells_by_decks(book, counts))
    return Section("Every number of decks", tuple(blocks))


def _pays(priced: Priced) -> object:
    """What a bet pays, whatever clauses say so."""
    return priced.bet.id, tuple((row.when, row.odds.fraction if row.odds else None) for row in priced.rows)


def _cells_by_decks(book: Book, counts: Sequence[int]) -> TableBlock:
    cells = zip(*(insurance_odds(book, full_shoe(decks)) for decks in counts), strict=True)
    columns = (
        Column("Pays", 2.2),
        Column("Situation", 2.7),
        *(Column(deck_count(decks), 1.2, "figure") for decks in counts),
    )
    groups = []
    for row, members in groupby(cells, key=lambda same: same[0].row):
        head = Cell(row.odds.in_words, STAGES[row.stage], strong=True)
        groups.append(
            tuple(
                (
                    Cell("") if at else head,
                    Cell(situation(same[0])),
                    *(Cell(percent(each.edge), strong=each.edge < 0) if each.met else Cell("never") for each in same),
                )
                for at, same in enumerate(members)
            )
        )
    return TableBlock("House edge of cover, by the number of decks", columns, tuple(groups))


def volatility(odds: BetOdds) -> str:
    """The volatility index of a bet, to six places."""
    return f"{odds.sd * float(VOLATILITY):.6f}"


def _for_decks(odds: BetOdds, decks: int, *, first: bool) -> tuple[Cell, ...]:
    return (
        Cell(odds.name if first else "", strong=True),
        Cell(str(decks)),
        Cell(percent(odds.returns)),
        Cell(percent(odds.edge), exact(odds.edge)),
        Cell(percent(odds.hit)),
        Cell(f"{odds.sd:.6f}"),
        Cell(volatility(odds)),
    )


def _worth(odds: BetOdds) -> tuple[Cell, ...]:
    return (
        Cell(odds.name, strong=True),
        Cell(percent(odds.returns)),
        Cell(percent(odds.edge), exact(odds.edge), strong=True),
        Cell(percent(odds.hit), exact(odds.hit)),
        Cell(f"{odds.sd:.6f}"),
        Cell(volatility(odds)),
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
                Cell(pays_in_words(each.row)),
                Cell(clauses(each.row.basis), ", ".join(each.row.basis.readings)),
                Cell(str(each.deals)),
                Cell(decimal(each.probability), exact(each.probability)),
            )
        )
    chance = Fraction(left, odds.total or 1)
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
