"""What can still happen in a coup, given the cards exposed so far: possibilities, never probabilities."""

from collections import defaultdict
from functools import cache, lru_cache

from punto.coup.cards import RANKS, Card
from punto.coup.outcome import winner
from punto.coup.play import (
    BOTH_PAIRS,
    NO_PAIR,
    STOOD,
    TWIN_PAIRS,
    banker_draws,
    outcome_index,
    player_draws,
)

_ANY_RANK = range(1, len(RANKS) + 1)
_ANY_VALUE = range(10)
_PER_POINTS = outcome_index(0, 1, 2, 2, NO_PAIR)  # this many outcomes share the points of both hands

_shared: dict[frozenset[int], frozenset[int]] = {}


def possible(player: tuple[Card | None, ...], banker: tuple[Card | None, ...]) -> frozenset[int]:
    """The outcomes that can still come: each hand has three places, None where no card is exposed.

    An unknown card may be of any rank, whatever the shoe still holds. A third card that is exposed was
    drawn; one that is not may be drawn yet, lie face down, or never come. Exposed cards that the Table
    of Play allows in no way leave no outcome.

    >>> from punto.coup import card, outcome
    >>> after_four = possible((card("6h"), card("Kd"), None), (card("2c"), card("5s"), None))
    >>> [outcome(index).winner for index in after_four]
    ['banker']
    >>> len(possible((None, None, None), (None, None, None)))
    779
    >>> possible((card("9h"), card("Kd"), card("2s")), (None, None, None))
    frozenset()
    """
    first, third, drawn = player
    second, fourth, last = banker
    return _possible(
        first and first.rank,
        third and third.rank,
        drawn and drawn.rank,
        second and second.rank,
        fourth and fourth.rank,
        last and last.rank,
    )


def result_fixed(outcomes: frozenset[int]) -> str | None:
    """The result that all these outcomes share, `player`, `banker` or `tie`, or None while it is open.

    >>> from punto.coup import card
    >>> eight = (card("8h"), card("Kd"), None)
    >>> result_fixed(possible(eight, (card("7c"), None, None))) is None
    True
    >>> result_fixed(possible(eight, (card("7c"), card("Qc"), None)))
    'player'
    """
    fixed: str | None = None
    for index in outcomes:
        result = winner(*divmod(index // _PER_POINTS, 10))
        if fixed is None:
            fixed = result
        elif result != fixed:
            return None
    return fixed


@lru_cache(maxsize=1 << 16)
def _possible(
    first: int | None,
    third: int | None,
    drawn: int | None,
    second: int | None,
    fourth: int | None,
    last: int | None,
) -> frozenset[int]:
    """The same by ranks: the Player's two cards and third card, then the Banker's."""
    player_third = None if drawn is None else Card(drawn).value
    banker_third = None if last is None else Card(last).value
    found: set[int] = set()
    for player, player_pairs in _hands(first, third):
        for banker, banker_pairs in _hands(second, fourth):
            ends = _ends(player, banker, player_third, banker_third)
            if ends:
                for pairs in _pairs(player_pairs, banker_pairs):
                    found.update([end + pairs for end in ends])
    # many exposures leave the same outcomes: one set for all of them keeps the memory small
    remaining = frozenset(found)
    return _shared.setdefault(remaining, remaining)


@cache
def _hands(first: int | None, second: int | None) -> tuple[tuple[int, frozenset[int]], ...]:
    """The two-card totals that are possible, each with the ranks of its pairs; 0 stands for no pair."""
    found: dict[int, set[int]] = defaultdict(set)
    for one in _ANY_RANK if first is None else (first,):
        for other in _ANY_RANK if second is None else (second,):
            found[(Card(one).value + Card(other).value) % 10].add(one if one == other else 0)
    return tuple((points, frozenset(pairs)) for points, pairs in found.items())


@cache
def _pairs(player: frozenset[int], banker: frozenset[int]) -> frozenset[int]:
    """The pair states that two hands can make together."""
    found = set()
    for one in player:
        for other in banker:
            state = (one > 0) + 2 * (other > 0)
            found.add(TWIN_PAIRS if state == BOTH_PAIRS and one == other else state)
    return frozenset(found)


@cache
def _ends(player: int, banker: int, third: int | None, last: int | None) -> frozenset[int]:
    """How the Table of Play can end two-card totals, as outcomes without a pair.

    `third` and `last` are the values of the Player's and the Banker's third cards where exposed.
    """
    if not player_draws(player, banker):
        if third is not None:
            return frozenset()
        return _finish(player, banker, 2, banker_draws(player, banker, STOOD), last)
    found: set[int] = set()
    for value in _ANY_VALUE if third is None else (third,):
        found |= _finish((player + value) % 10, banker, 3, banker_draws(player, banker, value), last)
    return frozenset(found)


@cache
def _finish(player: int, banker: int, player_cards: int, draws: bool, last: int | None) -> frozenset[int]:
    """The ends once the Player hand is complete."""
    if not draws:
        return frozenset(() if last is not None else (outcome_index(player, banker, player_cards, 2, NO_PAIR),))
    return frozenset(
        outcome_index(player, (banker + value) % 10, player_cards, 3, NO_PAIR)
        for value in (_ANY_VALUE if last is None else (last,))
    )
