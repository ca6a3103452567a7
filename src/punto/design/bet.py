"""A bet with open odds: the pay tables that give it a wanted edge, and what each of them is worth."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations
from math import sqrt

import msgspec

from punto.design.search import MOST_ROWS, STEPS, BadDesign, pay_tables
from punto.exposure import DealingProcedure, expose
from punto.odds import BetOdds, bet_odds, full_shoe
from punto.rulebook import Book, Row, menu
from punto.rulebook.loader import parse
from punto.rulebook.prices import Odds

OPEN = re.compile(r'(=\s*)"\?"')
"""Odds that a file leaves open."""

_MARK = 10**8
_MARKED = re.compile(r'(\bodds\s*=\s*)?"(1\d{8}):1"')
_SEED = 1
_MORE = 40
"""So many times the wanted number of pay tables are looked at where more than the edge is wanted."""


class Design(msgspec.Struct, frozen=True):
    """A pay table and its worth: edges by decks, and for the first of these all else."""

    rows: tuple[Row, ...]
    edges: Mapping[int, Fraction]
    hit: Fraction
    sd: float
    shares: tuple[Fraction, ...]
    """What each row gives back of a unit staked."""
    counted: float | None
    """Units that a perfect counter would win a shoe; None where that was not looked at."""

    @property
    def greatest(self) -> Odds:
        """The best odds."""
        return max((row.odds for row in self.rows if row.odds), key=lambda odds: odds.fraction)


class OpenBook(msgspec.Struct, frozen=True):
    """A book whose file has `odds = "?"`, with a number of its own in each such place."""

    text: str
    book: Book

    @classmethod
    def of(cls, source: bytes, file: str) -> "OpenBook":
        """Read a file with open odds."""
        marks = iter(range(_MARK, 2 * _MARK))
        try:
            text = OPEN.sub(lambda found: f'{found[1]}"{next(marks)}:1"', source.decode())
        except UnicodeDecodeError:
            parse(source, file)  # which says in which line it is no text
            raise
        return cls(text, parse(text.encode(), file))

    def one_of(self, bet: str) -> str:
        """The first choice of a bet with a choice, whose odds are those of all; any other bet itself."""
        return next((name for name, each in self.book.bets.items() if each.choice_of == bet), bet)

    def rows(self, bet: str, layout: str | None) -> tuple[Row, ...]:
        """The pay rows of a bet."""
        return menu(self.book, layout)[bet].rows

    def filled(self, odds: Mapping[int, Odds | None]) -> str:
        """The text with odds in their places, and lost where there are none; the others are open as before."""

        def written(found: re.Match[str]) -> str:
            if int(found[2]) not in odds:
                return f'{found[1] or ""}"?"'
            paid = odds[int(found[2])]
            if paid is not None:
                return f'{found[1] or ""}"{paid.text}"'
            return 'result = "lost"' if found[1] else '"lost"'

        return _MARKED.sub(written, self.text)

    def filled_with(self, bet: str, layout: str | None, design: Design) -> str:
        """The text with the odds of a design."""
        pairs = zip(self.rows(bet, layout), design.rows, strict=True)
        return self.filled({mark: row.odds for opened, row in pairs if (mark := _mark(opened))})


def _mark(row: Row) -> int | None:
    return row.odds.numerator if row.odds is not None and row.odds.numerator >= _MARK else None


def designs(
    opened: OpenBook,
    bet: str,
    edge: Fraction,
    *,
    layout: str | None = None,
    decks: Sequence[int] = (8, 6),
    most: int = STEPS[-1],
    hit: Fraction | None = None,
    sd: float | None = None,
    counted: float | None = None,
    number: int = 5,
    shoes: int = 0,
) -> list[Design]:
    """The pay tables for the open rows of a bet that come closest to an edge; the nearest to an `sd`, if one is wanted.

    With `hit` only those of the open rows win by which the bet wins most nearly so often; the others lose. With `shoes`
    each is looked at with a perfect counter's eyes over so many; who wins more than `counted` units a shoe
    by one is not among them.
    """
    rows, opens, chances, wanted = _left_open(opened, bet, edge, layout, decks[0], hit)
    looked_at = number if counted is None else _MORE * number
    squares = None if sd is None else _squares(opened, bet, layout, rows, opens, decks[0], edge, sd)
    tables = pay_tables([float(each) for each in chances], float(wanted), most=most, number=looked_at, squares=squares)
    found = [_design(opened.book, bet, layout, _with(rows, opens, table), decks) for table in tables]
    if shoes:
        found = _counted(opened.book, bet, layout, found, decks[0], shoes)
    return found if counted is None else _counted_no_more(found, counted)[:number]


def _counted_no_more(found: list[Design], counted: float) -> list[Design]:
    """The designs by which a counter wins no more than so many units a shoe."""
    won = [each.counted for each in found if each.counted is not None]
    if found and not won:
        raise BadDesign("No run of shoes counts this bet, so that what a counter wins by it cannot be told.")
    kept = [each for each in found if each.counted is not None and each.counted <= counted]
    if found and not kept:
        raise BadDesign(f"A perfect counter wins {min(won):.3f} units a shoe at least, by tables of about that edge.")
    return kept


def _squares(
    opened: OpenBook,
    bet: str,
    layout: str | None,
    rows: tuple[Row, ...],
    opens: list[int],
    decks: int,
    edge: Fraction,
    sd: float,
) -> float:
    """What the squared odds of the open rows are on average where a bet has an edge and a standard deviation."""
    met = _odds(opened.book, bet, layout, rows, decks).rows
    lost = 1 - sum(each.probability for each in met if each.row.result != "lose")
    fixed = (
        each.probability * each.row.odds.fraction**2 for at, each in enumerate(met) if each.row.odds and at not in opens
    )
    return sd**2 + float(edge**2 - lost - sum(fixed, Fraction(0)))


def wanted_odds(
    opened: OpenBook, bet: str, edge: Fraction, layout: str | None, decks: int, hit: Fraction | None = None
) -> Fraction | None:
    """The odds, whole or not, that give a bet exactly an edge; None where several rows share it."""
    _, opens, chances, wanted = _left_open(opened, bet, edge, layout, decks, hit)
    return wanted / chances[0] if len(opens) == 1 else None


def _left_open(
    opened: OpenBook, bet: str, edge: Fraction, layout: str | None, decks: int, hit: Fraction | None
) -> tuple[tuple[Row, ...], list[int], list[Fraction], Fraction]:
    """The rows of a bet, those left open, their chances, and what they should give back of a unit staked."""
    rows = opened.rows(bet, layout)
    met = [each.probability for each in _odds(opened.book, bet, layout, rows, decks).rows]
    opens = [at for at, row in enumerate(rows) if _mark(row) is not None]
    if not opens:
        raise BadDesign(f'{opened.book.bets[bet].name} has no open odds: write odds = "?" in a row of it.')
    if hit is not None:
        fixed = [chance for at, (chance, row) in enumerate(zip(met, rows, strict=True)) if row.odds and at not in opens]
        wins = _winning({at: met[at] for at in opens}, hit - sum(fixed, Fraction(0)))
        rows = tuple(_lost(row) if at in opens and at not in wins else row for at, row in enumerate(rows))
        opens = wins
    lost = 1 - sum(chance for chance, row in zip(met, rows, strict=True) if row.result != "lose")
    paid = [chance * row.odds.fraction for chance, row in zip(met, rows, strict=True) if row.odds and not _mark(row)]
    wanted = lost - edge - sum(paid, Fraction(0))
    if wanted <= 0:
        raise BadDesign(f"The fixed odds alone leave the house less than {float(edge):.2%}.")
    return rows, opens, [met[at] for at in opens], wanted


def _winning(chances: Mapping[int, Fraction], wanted: Fraction) -> list[int]:
    """Of some open rows those, one at least, that are met most nearly as often as is wanted."""
    if len(chances) > MOST_ROWS:
        return list(chances)  # too many to be priced, which the search says
    some = chain.from_iterable(combinations(chances, size) for size in range(len(chances), 0, -1))
    return list(min(some, key=lambda rows: abs(sum((chances[at] for at in rows), Fraction(0)) - wanted)))


def _lost(row: Row) -> Row:
    return msgspec.structs.replace(row, odds=None, result="lose", commission=None)


def _with(rows: tuple[Row, ...], opens: list[int], table: tuple[int, ...]) -> tuple[Row, ...]:
    odds = dict(zip(opens, (Odds.of(f"{each}:1") for each in table), strict=True))
    return tuple(msgspec.structs.replace(row, odds=odds.get(at, row.odds)) for at, row in enumerate(rows))


def _odds(book: Book, bet: str, layout: str | None, rows: tuple[Row, ...], decks: int) -> BetOdds:
    carried = menu(book, layout)
    return bet_odds(carried.with_rows(bet, rows), full_shoe(decks))[bet]


def _design(book: Book, bet: str, layout: str | None, rows: tuple[Row, ...], decks: Sequence[int]) -> Design:
    first, *others = (_odds(book, bet, layout, rows, each) for each in decks)
    edges = {count: each.edge for count, each in zip(decks, (first, *others), strict=True)}
    shares = tuple(each.probability * (each.row.odds.fraction if each.row.odds else 0) for each in first.rows)
    return Design(rows, edges, first.hit, sqrt(first.variance), shares, None)


def _counted(book: Book, bet: str, layout: str | None, found: list[Design], decks: int, shoes: int) -> list[Design]:
    """The same designs with what a counter wins by each; nothing is known of one that no run of shoes counts."""
    carried = menu(book, layout)
    named = carried.of({str(at): carried.with_rows(bet, each.rows)[bet] for at, each in enumerate(found)})
    run = expose(named, DealingProcedure(decks), seed=_SEED, shoes=shoes)
    worths = {name: run.perfect(name) for name in run.bets} | {name: run.late_bet(name) for name in run.late}
    won = {name: worth.per_shoe.value for name, worth in worths.items()}
    return [msgspec.structs.replace(each, counted=won.get(str(at))) for at, each in enumerate(found)]
