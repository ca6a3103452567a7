"""What a card counter could win from a book, for its certificate."""

from collections.abc import Sequence

import msgspec

from punto.exposure import DealingProcedure, Exposure, expose, left_out, offers_of
from punto.odds import CellOdds
from punto.report.charts import exposure_svg
from punto.report.document import TO_REPEAT, Block, Cell, Column, Facts, Paragraph, Picture, Rows, Section, TableBlock
from punto.report.figures import deck_count
from punto.report.groups import layout_groups
from punto.report.seeds import own_seed
from punto.rulebook import Book, menu, whole_menu
from punto.simulation import Estimate

SHOES = 4_000
OFFERS = 12
_STAGES = {"four-cards": "After four cards", "third-card": "After the Player's third card"}
_WORTH = (
    Column("Full shoe", 1.4, "figure"),
    Column("Favourable rounds", 1.4, "figure"),
    Column("Edge then", 1.4, "figure"),
    Column("Units a shoe", 2.2, "figure"),
    Column("Units per 100 rounds", 1.6, "figure"),
)


class Exposed(msgspec.Struct, frozen=True):
    """What perfect play wins: by group of layouts the bets by name, each with its place among all bets of the book.

    `run` is over all different bets of the book, `edges` their edges from a full shoe, `offers` the insurance cells.
    `late` are by group the bets that are placed after the first four cards. `left_out` are the bets that no run counts,
    each with a sentence why.
    """

    run: Exposure
    edges: dict[str, float]
    groups: dict[str, tuple[tuple[str, str], ...]]
    offers: tuple[CellOdds, ...]
    late: dict[str, tuple[tuple[str, str], ...]] = {}
    left_out: dict[str, str] = {}


def expose_book(book: Book, layout: str | None = None, decks: int = 8, *, shoes: int = SHOES) -> Exposed:
    """Deal shoes and look at every bet of a book, or of one layout, with a perfect counter's eyes.

    >>> from punto.rulebook import load
    >>> found = expose_book(load("wu-song"), "C", shoes=20)
    >>> found.run.dealt, list(found.groups)
    (20, ['Layout C'])
    """
    from punto.exposure.composition_edges import exact_edges
    from punto.odds import bet_odds, full_shoe

    looked_at = whole_menu(book) if layout is None else menu(book, layout)
    without = left_out(looked_at, decks)
    keys = {(priced.bet.id, priced.rows): key for key, priced in looked_at.bets.items()}
    groups: dict[str, tuple[tuple[str, str], ...]] = {}
    late: dict[str, tuple[tuple[str, str], ...]] = {}
    for group in layout_groups(book, layout):
        every = {bet: (keys[bet, priced.rows], priced.bet.name) for bet, priced in group.menu.bets.items()}
        named = {bet: (key, name) for bet, (key, name) in every.items() if key not in without}
        groups[group.name] = tuple(each for bet, each in named.items() if bet not in group.menu.late)
        late[group.name] = tuple(each for bet, each in named.items() if bet in group.menu.late)
    run = expose(looked_at, DealingProcedure(decks), seed=own_seed(book), shoes=shoes, cover=book)
    edges = {key: float(edge) for key, edge in exact_edges(looked_at, full_shoe(decks)).items()}
    if run.late or without:
        exact = bet_odds(looked_at, full_shoe(decks))
        edges |= {key: -float(exact[key].edge) for key in (*run.late, *without)}
    return Exposed(
        run,
        edges,
        {name: each for name, each in groups.items() if each},
        offers_of(book, decks).cells,
        {name: each for name, each in late.items() if each},
        without,
    )


def exposure_section(found: Exposed, command: str) -> Section:
    """The section on counting; the command is what looks at this book's shoes again."""
    run = found.run
    decks, cut = deck_count(run.dealing.decks), run.dealing.cut
    blocks: list[Block] = [
        Paragraph(
            "Before every round the exact edge of every bet was computed from the cards that were still in the shoe. "
            "A perfect counter stakes one unit whenever that edge is theirs. This is the most that counting cards can "
            "win with flat bets: nobody at a table does so well. The patron's edge is positive here. Intervals are at "
            "95%, from shoe to shoe. The same shoes give the same figures on every machine."
        ),
        Facts(
            (
                ("Shoes", f"{run.dealt} from seed {run.seed}, {decks}, cut {cut} from the end"),
                ("Rounds", str(run.rounds)),
                ("SHA-256 of what was noted", run.digest),
                (TO_REPEAT, exposure_command(found, command)),
            ),
            commands=(TO_REPEAT,),
        ),
    ]
    for group, named in found.groups.items():
        rows = tuple((_row(found, key, name),) for key, name in named)
        blocks.append(TableBlock(group, (Column("Bet", 2), *_WORTH), rows))
        said = "; ".join(f"{name} {run.perfect(key).per_shoe.value:.4f}" for key, name in named)
        blocks.append(
            Picture(
                exposure_svg(run, dict(named)),
                f"Bar chart of units won a shoe. {said}.",
                f"Units that perfect play wins a shoe, {group[:1].lower()}{group[1:]}",
            )
        )
    for group, named in found.late.items():
        says = f"{group}, placed after the first four cards, whenever the cards seen favour the patron"
        rows = tuple((_row(found, key, name),) for key, name in named)
        blocks.append(TableBlock(says, (Column("Bet", 2), *_WORTH), rows))
    if found.left_out:
        named_there = found.left_out.items()
        each = (f"{why} From a full shoe its edge is {_percent(found.edges[key])}." for key, why in named_there)
        blocks.append(Paragraph(" ".join(each)))
    offers = _offers(found)
    if offers:
        says = "Insurance offers worth most, one unit of cover wherever it favours the patron"
        columns = (Column("Offered", 2), Column("Hand", 1), Column("Points", 1.2), Column("Pays", 0.8), *_WORTH)
        blocks.append(TableBlock(says, columns, offers))
    return Section("What a card counter could win", tuple(blocks))


def exposure_command(found: Exposed, command: str) -> str:
    """What looks at the same shoes again; `command` names book, layouts and decks."""
    return f"{command} --shoes {found.run.dealt} --seed {found.run.seed}"


def _row(found: Exposed, key: str, name: str) -> tuple[Cell, ...]:
    worth = found.run.late_bet(key) if key in found.run.late else found.run.perfect(key)
    return (
        Cell(name, strong=True),
        Cell(_percent(found.edges[key])),
        Cell(f"{worth.share.value * 100:.3f}%"),
        Cell("" if worth.edge is None else _percent(worth.edge.value)),
        Cell(f"{worth.per_shoe.value:.4f}", _interval(worth.per_shoe)),
        Cell(f"{worth.per_100.value:.4f}"),
    )


def _offers(found: Exposed) -> tuple[Rows, ...]:
    worth = [found.run.offer(number) for number in range(len(found.offers))]
    best: Sequence[int] = sorted(
        (number for number, each in enumerate(worth) if each.per_shoe.value > 0),
        key=lambda number: -worth[number].per_shoe.value,
    )
    rows = []
    for number in best[:OFFERS]:
        cell, each = found.offers[number], worth[number]
        rows.append(
            (
                (
                    Cell(_STAGES[cell.row.stage]),
                    Cell(cell.row.hand.capitalize(), strong=True),
                    Cell(f"{cell.own} against {cell.opposite}"),
                    Cell(cell.row.odds.in_words),
                    Cell(_percent(-float(cell.edge))),
                    Cell(f"{each.share.value * 100:.3f}%"),
                    Cell("" if each.edge is None else _percent(each.edge.value)),
                    Cell(f"{each.per_shoe.value:.4f}", _interval(each.per_shoe)),
                    Cell(f"{each.per_100.value:.4f}"),
                ),
            )
        )
    return tuple(rows)


def _percent(edge: float) -> str:
    return f"{edge * 100:+z.3f}%"


def _interval(each: Estimate) -> str:
    return "" if each.low is None or each.high is None else f"{each.low:z.4f} to {each.high:z.4f}"
