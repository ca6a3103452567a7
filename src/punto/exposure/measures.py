"""What protects a table against counting: the cut card, the number of decks, lower odds, a cap on the bet.

Each measure is shown with its price: what it does to the house edge that every patron pays, and to the rounds that a
shoe gives.
"""

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from punto.exposure.composition_edges import exact_edges_of
from punto.exposure.errors import BadExposure
from punto.exposure.in_runs import check_counted, left_out
from punto.exposure.linear_counts import LinearCount
from punto.exposure.net_classes import nets_of_bets
from punto.exposure.run import expose
from punto.exposure.tally import Exposure, Worth
from punto.odds import full_shoe
from punto.rulebook import Menu, Odds, Priced
from punto.simulation import Backend, Dealing
from punto.simulation.dealing import on_layout


class Measure(msgspec.Struct, frozen=True):
    """A countermeasure: what it is, what it costs, and what is left to win.

    `kind` is `as it is`, `cut`, `decks`, `odds` or `cap`, `value` which one. `house_edge` is that of the bet from a
    full shoe, `price` how much it is above that of the table as it is. `rounds` are those of a shoe. `worth` is what
    perfect play wins, or the linear count where one was given; `cap` the most that can be staked, in units.
    `protection` is the share of the winnings of a shoe that the measure takes away.
    """

    kind: str
    value: str
    house_edge: float
    price: float
    rounds: float
    worth: Worth
    cap: float
    protection: float

    @property
    def units(self) -> float:
        """What is won in a shoe with stakes at the cap."""
        return self.worth.per_shoe.value * self.cap


def countermeasures(
    menu: Menu,
    bet: str,
    dealing: Dealing | None = None,
    *,
    seed: int,
    shoes: int,
    count: LinearCount | None = None,
    decks: Sequence[int] = (6, 7, 9, 10),
    odds: Sequence[Fraction | int] = (),
    caps: Sequence[Fraction] = (Fraction(1, 2), Fraction(1, 4)),
    backend: Backend = "cpu",
    threads: int | None = None,
) -> list[Measure]:
    """Sweep countermeasures for one bet: half decks of cut until nothing is won, numbers of decks, lower odds, caps.

    `odds` are what its best-paid row pays instead; without any they go down in five steps of a twentieth. All
    cuts and all odds are judged on the same shoes. With a count, its tags and trigger are kept throughout. Numbers of
    decks from which no run counts the bet are passed over.

    >>> from punto.rulebook import load, menu
    >>> found = countermeasures(menu(load("wu-song")), "big-tiger", seed=1, shoes=30, decks=())
    >>> [(each.kind, each.value) for each in found][:3]
    [('as it is', ''), ('cut', '26'), ('cut', '52')]
    """
    dealing = msgspec.structs.replace(dealing or Dealing(), printed=on_layout(menu.book.cards.printed))
    check_counted(menu, bet, dealing.decks)
    top = max((row.odds.fraction for row in menu[bet].rows if row.odds is not None), default=Fraction(0))
    lower = _lower_odds(top, odds)
    named = {bet: menu[bet]} | {_at_odds(bet, each): _paying(menu, bet, top, each) for each in lower}
    counts = [] if count is None else [msgspec.structs.replace(count, bet=name) for name in named]
    read = nets_of_bets(named)
    run = expose(read, dealing, seed=seed, shoes=shoes, counts=counts, backend=backend, threads=threads)
    edges = exact_edges_of(read, full_shoe(dealing.decks))
    rounds, base, house = run.rounds / run.dealt, _won(run, 0, bet, counts), -float(edges[bet])
    found = [Measure("as it is", "", house, 0.0, rounds, base, 1.0, 0.0)]

    def note(kind: str, value: str, edge: float, each: float, worth: Worth, cap: float = 1.0) -> None:
        left = worth.per_shoe.value * cap
        taken = 1 - left / base.per_shoe.value if base.per_shoe.value else 0.0
        found.append(Measure(kind, value, edge, edge - house, each, worth, cap, taken))

    for cut in run.cuts[1:]:
        note("cut", str(cut), house, run.rounds_to(cut) / run.dealt, _won(run, 0, bet, counts, cut))
        if found[-1].worth.edge is None:  # nothing is left to win, and nothing more to protect
            break
    for number in decks:
        if number != dealing.decks and bet not in left_out(menu, number):
            other, alone = msgspec.structs.replace(dealing, decks=number), nets_of_bets({bet: menu[bet]})
            again = expose(alone, other, seed=seed, shoes=shoes, counts=counts[:1], backend=backend, threads=threads)
            edge = -float(exact_edges_of(read, full_shoe(number))[bet])
            note("decks", str(number), edge, again.rounds / again.dealt, _won(again, 0, bet, counts))
    for place, each in enumerate(lower, start=1):
        name = _at_odds(bet, each)
        note("odds", f"{each}:1", -float(edges[name]), rounds, _won(run, place, name, counts))
    for cap in caps:
        note("cap", f"{cap} of a unit", house, rounds, base, float(cap))
    return found


def _lower_odds(top: Fraction, odds: Sequence[Fraction | int]) -> list[Fraction]:
    """The odds to try instead of the highest: those asked for, or five steps of a twentieth down."""
    lower = [Fraction(each) for each in odds] or sorted(
        {Fraction(max(round(top * (20 - step) / 20), 1)) for step in range(1, 6)} - {top}, reverse=True
    )
    for each in lower:
        if each <= 0:
            raise BadExposure(f"Odds of {each} to 1 pay nothing.")
    return lower


def _paying(menu: Menu, bet: str, top: Fraction, odds: Fraction) -> Priced:
    """A bet whose best-paid rows pay other odds."""
    instead = Odds(f"{odds.numerator}:{odds.denominator}", odds.numerator, odds.denominator)
    rows = tuple(
        msgspec.structs.replace(row, odds=instead) if row.odds is not None and row.odds.fraction == top else row
        for row in menu[bet].rows
    )
    return menu.with_rows(bet, rows)[bet]


def _at_odds(bet: str, odds: Fraction) -> str:
    """The name of a bet at other odds."""
    return f"{bet} at {odds}"


def _won(run: Exposure, place: int, bet: str, counts: Sequence[LinearCount], cut: int | None = None) -> Worth:
    """What the play is worth: by the count at its place if there is one, else perfectly."""
    return run.by_count(place, cut) if counts else run.perfect(bet, cut)
