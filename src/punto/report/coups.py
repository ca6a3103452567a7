"""Coups made to order: cards for every way that a round can go, as far as any bet or cover can see it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from typing import NamedTuple

from punto.coup import PAIRS, RANKS, STOOD, SUITS, Card, Coup, banker_draws, deal, natural, outcome_index, player_draws
from punto.coup.outcome import possible_pairs
from punto.rulebook import PrintedCard

_KING, _QUEEN, _JACK, _TEN = 13, 12, 11, 10


class Course(NamedTuple):
    """How a round goes: two-card points, the values of third cards (`STOOD` where there is none), and pairs."""

    player: int
    banker: int
    third: int
    last: int
    pairs: str

    @property
    def outcome(self) -> int:
        """The dense index of the outcome that it leads to."""
        player = (self.player + max(self.third, 0)) % 10
        banker = (self.banker + max(self.last, 0)) % 10
        cards = 2 + (self.third != STOOD), 2 + (self.last != STOOD)
        return outcome_index(player, banker, *cards, PAIRS.index(self.pairs))


@cache
def courses() -> tuple[Course, ...]:
    """Every course that the Table of Play allows.

    >>> from punto.coup import reachable_outcomes
    >>> {each.outcome for each in courses()} == reachable_outcomes()
    True
    """
    return tuple(
        Course(player, banker, third, last, PAIRS[pairs])
        for player in range(10)
        for banker in range(10)
        for third, last in _draws(player, banker)
        for pairs in possible_pairs(player, banker)
    )


@cache
def courses_by_outcome(printed: PrintedCard | None = None) -> tuple[Course, ...]:
    """For every outcome that the Table of Play can come to, perhaps beside a printed card, the first of its courses.

    >>> from punto.coup import reachable_outcomes
    >>> sorted(each.outcome for each in courses_by_outcome()) == sorted(reachable_outcomes())
    True
    """
    found: dict[int, Course] = {}
    for course in courses():
        if printed is None or course[:2] + course[-1:] in _starts(printed):
            found.setdefault(course.outcome, course)
    return tuple(found.values())


@cache
def _starts(printed: PrintedCard) -> Mapping[tuple[int | str, ...], tuple[int, ...]]:
    """What four cards can come to, one of which is printed: the points of both hands and pairs, with such ranks."""
    found: dict[tuple[int | str, ...], tuple[int, ...]] = {}
    for drawn in product(range(len(RANKS), 0, -1), repeat=3):
        ranks = (*drawn[: printed.place], printed.card.rank, *drawn[printed.place :])
        coup = [Card(rank) for rank in ranks]
        points = ((coup[hand].value + coup[hand + 2].value) % 10 for hand in (0, 1))
        pairs = (ranks[0] == ranks[2]) + 2 * (ranks[1] == ranks[3]) + (len(set(ranks)) == 1)
        found.setdefault((*points, PAIRS[pairs]), ranks)
    return found


def _draws(player: int, banker: int) -> Iterator[tuple[int, int]]:
    """The values of the third cards that two-card points lead to."""
    if natural(player, banker):
        yield STOOD, STOOD
        return
    for third in range(10) if player_draws(player, banker) else (STOOD,):
        for last in range(10) if banker_draws(player, banker, third) else (STOOD,):
            yield third, last


def deal_course(course: Course, printed: PrintedCard | None = None) -> Coup:
    """A coup with cards for a course: no card twice, unless it takes more than four of a rank.

    A printed card is at its place, where the course can be had beside it.

    >>> from punto.coup import headline
    >>> headline(deal_course(Course(6, 6, STOOD, STOOD, "both")))
    'Player 3c 3d = 6, Banker 8c 8d = 6: Tie'
    """
    ranks = list(_starts(printed)[course[:2] + course[-1:]] if printed is not None else _first_four(course))
    ranks += [course.third or _JACK] * (course.third != STOOD) + [course.last or _TEN] * (course.last != STOOD)
    used: Counter[int] = Counter()
    drawn = []
    for rank in ranks:
        drawn.append(Card(rank, SUITS[used[rank] % len(SUITS)]))
        used[rank] += 1
    if printed is not None:
        drawn[printed.place] = printed.card
    return deal(tuple(drawn))


def _first_four(course: Course) -> tuple[int, ...]:
    player = _two(course.player, course.pairs in ("player", "both", "twin"), 0)
    banker = _two(course.banker, course.pairs in ("banker", "both", "twin"), int(course.pairs == "both"))
    return player[0], banker[0], player[1], banker[1]


@cache
def coups() -> tuple[Coup, ...]:
    """A coup for every course, in the same order.

    >>> all(coup.outcome == course.outcome for coup, course in zip(coups(), courses(), strict=True))
    True
    """
    return tuple(map(deal_course, courses()))


def _two(points: int, pair: bool, other: int) -> tuple[int, int]:
    """The ranks of two cards with these points; a second pair is of another rank if the first has the same points."""
    if pair:
        low = points // 2
        rank = (low, low + 5)[other] if low else (_KING, 5)[other]
        return rank, rank
    return (_KING, points) if points else (_KING, _QUEEN)
