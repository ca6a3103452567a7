"""What a certificate says of insurance: every cell, where the edge is with the patron, and the best use of it."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby

from punto.odds import CellInPart, CellOdds, best_play, best_play_by_cards, bet_odds, insurance_odds
from punto.report.charts import insurance_svg
from punto.report.document import Block, Cell, Column, Paragraph, Picture, Section, TableBlock
from punto.report.figures import decimal, exact, percent
from punto.report.readings import clauses
from punto.rulebook import Book, Insurance, menu, printed
from punto.settlement import Cover

STAGES = {"four-cards": "After four cards", "third-card": "After the Player's third card"}
_OTHER = {"player": "Banker", "banker": "Player"}
_COLUMNS = (
    Column("Pays", 1.3),
    Column("Situation", 2.5),
    Column("Chance a round", 2.05, "figure"),
    Column("Cover wins", 2.05, "figure"),
    Column("Comes back", 2.05, "figure"),
    Column("House edge", 2.05, "figure"),
)


def cover_taken(cover: Cover) -> str:
    """Cover as it is taken, by hand and window.

    >>> cover_taken(Cover("four-cards", "banker", 100, 0))
    'Banker cover after four cards'
    """
    return f"{cover.hand.capitalize()} cover {STAGES[cover.stage].replace('After', 'after')}"


def situation(cell: CellOdds) -> str:
    """A cell in words: `Banker 6 against Player 5`."""
    return f"{cell.row.hand.capitalize()} {cell.own} against {_OTHER[cell.row.hand]} {cell.opposite}"


def insurance_sections(book: Book, shoe: Sequence[int]) -> list[Section]:
    """The sections on insurance; none for a book without it."""
    insurance = book.insurance
    if insurance is None:
        return []
    cells = insurance_odds(book, shoe)
    tables = [
        _table(stage, hand, [each for each in cells if each.row.stage == stage and each.row.hand == hand])
        for stage in STAGES
        for hand in ("banker", "player")
    ]
    blocks: list[Block] = [
        Paragraph(_intro(insurance)),
        *_favourable(cells),
        Picture(
            insurance_svg(cells),
            "Heat maps of the house edge on cover by stage and hand, as in the tables.",
            "House edge of cover in every situation, by stage and hand",
        ),
        *(table for table in tables if table.groups),
    ]
    return [Section("Insurance", tuple(blocks)), _best_use(book, insurance, shoe)]


def _intro(insurance: Insurance) -> str:
    also = "".join(
        f" Cover at {each.odds.in_words} is also capped at {each.share} of the posted {each.of} "
        f"({clauses(each.basis)})."
        for each in insurance.cap_at
    )
    return (
        f"Cover is offered while a card is due ({clauses(insurance.live)}); its prices are in "
        f"{printed(insurance.table)}. The chance a round is that of the situation; after the Player's third card "
        "only those in which the Banker draws count. That cover wins or comes back, and its edge, are from there on. "
        "It wins when the insured hand loses; a tie that pays counts as a win. The edge is per unit of cover. "
        f"{cap_in_words(insurance)}{also}"
    )


def cap_in_words(insurance: Insurance) -> str:
    """What may not exceed the bet, as every document says it.

    >>> from punto.rulebook import load
    >>> cap_in_words(load("da-hu-ying-xiong").insurance)
    'Cap: cover may not exceed the bet, in each window (3.12.2).'
    """
    what = "the payout of cover" if insurance.cap.on == "payout" else "cover"
    over = "over the round" if insurance.cap.over == "round" else "in each window"
    return f"Cap: {what} may not exceed the bet, {over} ({clauses(insurance.cap.basis)})."


def _favourable(cells: Sequence[CellOdds]) -> list[Block]:
    """Where the edge is with the patron, in words."""
    good = sorted((each for each in cells if each.met and each.edge < 0), key=lambda each: each.edge)
    if not good:
        return [Paragraph("In no cell is the edge with the patron.")]
    worst = good[0]
    says = (
        f"In {len(good)} of {len(cells)} cells the edge is with the patron, most of all with {situation(worst)} at "
        f"{worst.row.odds.in_words}: {percent(worst.edge, 2)} of the stake."
    )
    return [Paragraph(says, alert=True)]


def _table(stage: str, hand: str, cells: Sequence[CellOdds]) -> TableBlock:
    groups = []
    for row, members in groupby(cells, key=lambda each: each.row):
        ties = "tie pays" if row.tie_pays else "tie returns"
        head = Cell(row.odds.in_words, f"{clauses(row.basis)}; {ties}", strong=True)
        groups.append(tuple((head if not at else Cell(""), *_figures(each)) for at, each in enumerate(members)))
    return TableBlock(f"{STAGES[stage]}: cover of the {hand.capitalize()} hand", _COLUMNS, tuple(groups))


def _figures(cell: CellOdds) -> tuple[Cell, ...]:
    if not cell.met:
        return (Cell(situation(cell)), Cell("never"), Cell(""), Cell(""), Cell(""))
    edge = Cell(percent(cell.edge), exact(cell.edge), strong=cell.edge < 0)
    return (
        Cell(situation(cell), "with the patron" if cell.edge < 0 else ""),
        Cell(decimal(cell.reach), exact(cell.reach)),
        Cell(decimal(cell.win), exact(cell.win)),
        Cell(decimal(cell.stand_off), exact(cell.stand_off)),
        edge,
    )


def _best_use(book: Book, insurance: Insurance, shoe: Sequence[int]) -> Section:
    """What insurance is worth to a patron who takes it only where it pays, by totals and by the cards seen."""
    bets = bet_odds(menu(book), shoe)
    groups = []
    tokens: list[CellOdds] = []
    for hand in ("banker", "player"):
        bet = next((name for name, each in book.bets.items() if each.hand == hand and name in bets), None)
        if bet is None:
            continue
        totals, seen = best_play(book, shoe, hand), best_play_by_cards(book, shoe, hand)
        tokens += totals.tokens
        edge, more = bets[bet].edge, seen.worth - totals.worth
        by_totals = _use("by totals", _where(totals.cells), totals.worth, edge)
        by_cards = _use("by the cards seen", _where_in_part(seen.cells), seen.worth, edge)
        apart = (Cell("difference"), Cell(""), Cell(decimal(more), exact(more)), Cell(""), Cell(percent(more)))
        groups.append(
            (
                (Cell(bets[bet].name, strong=True), *by_totals),
                (Cell(""), *by_cards),
                (Cell(""), *apart),
            )
        )
    columns = (
        Column("Bet", 0.9),
        Column("Decided", 1.2),
        Column("Insure to the cap", 3.2),
        Column("Worth a round", 2.4, "figure"),
        Column("Edge without", 1.3, "figure"),
        Column("Edge with it", 1.3, "figure"),
    )
    says = (
        "What cover is worth, a round and caps considered, to a patron with one unit on a hand who insures only where "
        "that pays, and to the cap; it lowers the edge of the bet by as much. By totals: each window is decided by the "
        "points, and after the Player's third card by its value, too; the worth is reckoned card by card, "
        "while the cells, and those named here, are averages over it. By the cards seen: each window is decided by the "
        "cards that lie there, which are out of the shoe; of each cell the share of its rounds in which cover is taken "
        "is given. The second is the best that insurance can be used."
    )
    if insurance.cap_at:
        says += " Cover capped by a posted limit is left out, since the book posts none."
    blocks: list[Block] = [Paragraph(says), TableBlock("", columns, tuple(groups))]
    if tokens:
        named = "; ".join(f"{situation(each)} at {each.row.odds.in_words}" for each in tokens)
        blocks.append(
            Paragraph(
                "Letting a window pass forgoes insurance for the round (AMB-50). A token cover is worth taking here, "
                f"although it costs a little, to keep the later window: {named}.",
                alert=True,
            )
        )
    return Section("The best use of insurance", tuple(blocks))


def _use(decided: str, where: str, worth: Fraction, edge: Fraction) -> tuple[Cell, ...]:
    return (
        Cell(decided),
        Cell(where),
        Cell(decimal(worth), exact(worth)),
        Cell(percent(edge)),
        Cell(percent(edge - worth), strong=True),
    )


def _where(cells: Sequence[CellOdds]) -> str:
    """The cells of one hand in words, stage by stage."""
    stages = []
    for stage, members in groupby(cells, key=lambda each: each.row.stage):
        named = ", ".join(f"{each.own} against {each.opposite}" for each in members)
        stages.append(f"{STAGES[stage].replace('After', 'after')}: {named}")
    return "; ".join(stages) or "nowhere"


def _where_in_part(cells: Sequence[CellInPart]) -> str:
    """The cells of one hand in words, stage by stage, with the share of their rounds where that is not all."""
    stages = []
    for stage, members in groupby(cells, key=lambda each: each.cell.row.stage):
        named = ", ".join(
            f"{each.cell.own} against {each.cell.opposite}" + (f" ({percent(each.share, 1)})" if each.share < 1 else "")
            for each in members
        )
        stages.append(f"{STAGES[stage].replace('After', 'after')}: {named}")
    return "; ".join(stages) or "nowhere"
