"""What a difference between two books is worth: how often it is met, and what it does to the edge of each bet."""

from fractions import Fraction

import msgspec

from punto.compare.aligning import aligned
from punto.compare.proof import PartFound
from punto.coup import MOST_DECKS
from punto.extras import needs
from punto.rulebook import Book, CoverRow, Priced, menu

with needs("maths"):
    from punto.odds import bet_odds, deals, deals_apart, full_shoe, insurance_odds, outcomes_beside, situation_counts

DECKS = 8


class EdgeChange(msgspec.Struct, frozen=True):
    """The house edge of a bet, or of a cell of insurance, under two books; None where a book does not have it."""

    what: str
    layouts: tuple[str, ...]
    a: Fraction | None
    b: Fraction | None

    @property
    def change(self) -> Fraction | None:
        """What the second book adds to the edge."""
        return None if self.a is None or self.b is None else self.b - self.a


class Prices(msgspec.Struct, frozen=True):
    """The price of what was found: chances by part, and every edge that changes."""

    decks: int
    chances: dict[str, Fraction]
    """By part: how often, a round, a coup is dealt that shows the difference. Parts that people make have none."""
    edges: tuple[EdgeChange, ...]


def common_decks(a: Book, b: Book) -> int:
    """The number of decks that edges are worked out for: eight, or the nearest that both books allow."""
    both = set(a.decks.counts) & set(b.decks.counts)
    return min(sorted(both, reverse=True), key=lambda count: abs(count - DECKS), default=DECKS)


def pays_alike(ours: Priced, theirs: Priced) -> bool:
    """Whether two wordings of a bet pay the same on every deal that any shoe can give.

    >>> from punto.rulebook import load, menu
    >>> red = menu(load("match"), "colours")
    >>> pays_alike(red["player-red"], red["player-red"]), pays_alike(red["player-red"], red["player-black"])
    (True, False)
    """
    return deals_apart(ours, theirs, full_shoe(MOST_DECKS)) == 0


def price(a: Book, b: Book, found: tuple[PartFound, ...]) -> Prices:
    """The chances of what was found, and the edges that change, from a full shoe.

    >>> from punto.compare import prove
    >>> from punto.rulebook import load, parse, source
    >>> a = load("commission-insurance")
    >>> b = parse(source("commission-insurance").replace(b'odds = "8:1"', b'odds = "9:1"', 1), "mine.toml")
    >>> prices = price(a, b, prove(a, b).found)
    >>> [(each.what, f"{float(each.a):.4%}", f"{float(each.b):.4%}") for each in prices.edges]
    [('tie', '14.3596%', '4.8440%')]
    >>> {part: f"{float(chance):.4%}" for part, chance in prices.chances.items()}
    {'bet tie': '9.5156%'}
    """
    theirs, _ = aligned(a, b)
    decks = common_decks(a, b)
    shoe = full_shoe(decks)
    outcomes, situations = outcomes_beside(a.cards.printed, shoe), situation_counts(shoe)
    total = int(outcomes.sum())
    chances = {}
    for each in found:
        if each.outcomes:
            chances[each.part] = Fraction(sum(int(outcomes[index]) for index in each.outcomes), total)
        elif each.situations:
            met = sum(int(situations[index].sum()) for index in each.situations)
            chances[each.part] = Fraction(met, total)
        elif each.part.startswith("bet "):
            chances |= _by_cards(a, theirs, each.part, decks)
    return Prices(decks, chances, (*_bets(a, theirs, shoe), *_cells(a, theirs, shoe)))


def _by_cards(a: Book, b: Book, part: str, decks: int) -> dict[str, Fraction]:
    """How often a bet that looks at single cards is paid otherwise, on the first layout where it is."""
    bet, shoe = part.removeprefix("bet "), full_shoe(decks)
    for layout in a.layouts:
        carried = [menu(book, layout).bets for book in (a, b) if layout in book.layouts]
        if len(carried) == 2 and all(bet in each for each in carried):
            apart = deals_apart(carried[0][bet], carried[1][bet], shoe)
            if apart:
                return {part: Fraction(apart, deals(shoe, 6 if a.cards.printed is None else 5))}
    return {}


def _bets(a: Book, b: Book, shoe: tuple[int, ...]) -> list[EdgeChange]:
    """Edges that differ, layouts with the same ones together."""
    together: dict[tuple[str, Fraction | None, Fraction | None], list[str]] = {}
    for layout in dict.fromkeys((*a.layouts, *b.layouts)):
        ours, theirs = (bet_odds(menu(book, layout), shoe) if layout in book.layouts else {} for book in (a, b))
        for bet in dict.fromkeys((*ours, *theirs)):
            one = ours[bet].edge if bet in ours else None
            other = theirs[bet].edge if bet in theirs else None
            if one != other:
                together.setdefault((bet, one, other), []).append(layout)
    return [EdgeChange(bet, tuple(layouts), one, other) for (bet, one, other), layouts in together.items()]


def _cells(a: Book, b: Book, shoe: tuple[int, ...]) -> list[EdgeChange]:
    """Cells of insurance whose edges differ."""
    ours, theirs = (
        {_named(each.row, each.own, each.opposite): each.edge for each in insurance_odds(book, shoe) if each.met}
        for book in (a, b)
    )
    names = [name for name in dict.fromkeys((*ours, *theirs)) if ours.get(name) != theirs.get(name)]
    return [EdgeChange(name, (), ours.get(name), theirs.get(name)) for name in names]


def _named(row: CoverRow, own: int, opposite: int) -> str:
    return f"insurance {row.stage} {row.hand} {own} against {opposite}"
