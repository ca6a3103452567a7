"""The shortest coup that leads to each outcome, and through each situation of insurance to each winner."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from random import Random

from punto.coup import RANKS, STAGES, SUITS, Coup, card, deal_from, situation_index
from punto.coup.cards import Card

_PLAIN = "TA23456789"
"""A rank of each value."""

FIRST_CARDS = 4


@cache
def coups() -> dict[int, Coup]:
    """The shortest coup to every outcome that the Table of Play can reach, by the outcome's index.

    >>> from punto.coup import headline, reachable_outcomes
    >>> len(coups()) == len(reachable_outcomes())
    True
    >>> headline(min(coups().values(), key=lambda coup: coup.outcome))
    'Player Tc Qc Th = 0, Banker Td Qd Ts = 0: Tie'
    """
    found: dict[int, Coup] = {}
    for coup in _every():
        known = found.get(coup.outcome)
        if known is None or len(coup.cards) < len(known.cards):
            found[coup.outcome] = coup
    return found


@cache
def insured() -> dict[tuple[int, str], Coup]:
    """The shortest coup through every situation of insurance in which a card is due, by its index and the winner."""
    found: dict[tuple[int, str], Coup] = {}
    for coup in _every(pairs=False):
        for stage in STAGES:
            seen = coup.situation(stage)
            if seen is not None and seen.card_due:
                key = situation_index(seen.player, seen.banker, seen.third), coup.winner
                if key not in found or len(coup.cards) < len(found[key].cards):
                    found[key] = coup
    return found


def _every(pairs: bool = True) -> Iterator[Coup]:
    """Coups of all totals and third cards, and of all pairs if they are asked for, by one hand of each kind."""
    hands = [each for each in _hands() if pairs or each[0] != each[1]]
    for player, banker in product(hands, hands):
        first = (player[0], banker[0], player[1], banker[1])
        for third, last in product(_PLAIN, _PLAIN):
            coup = deal_from(faces((*first, third, last)))
            yield coup
            if len(coup.cards) == FIRST_CARDS:
                break


def _hands() -> Iterator[tuple[str, str]]:
    """Two ranks of every total: without a pair, and with each pair of it."""
    for value in range(10):
        yield ("T", "Q" if value == 0 else _PLAIN[value])
        if value % 2 == 0:
            for half in (value // 2, value // 2 + 5):
                yield (_PLAIN[half], _PLAIN[half])


def faces(ranks: tuple[str, ...]) -> tuple[Card, ...]:
    """Cards of some ranks, each rank in one suit after the other.

    >>> from punto.coup import show
    >>> show(faces(("9", "9", "K")))
    '9c 9d Kc'
    """
    seen: Counter[str] = Counter()
    found = []
    for rank in ranks:
        assert rank in RANKS
        found.append(card(rank + SUITS[seen[rank] % len(SUITS)]))
        seen[rank] += 1
    return tuple(found)


def few_cards(chance: Random) -> tuple[Card, ...]:
    """Six cards of few ranks and suits, so that pairs, suited hands and the like are not rare."""
    ranks = chance.sample(range(1, len(RANKS) + 1), chance.randint(1, len(RANKS)))
    suits = chance.sample(SUITS, chance.randint(1, len(SUITS)))
    return tuple(Card(chance.choice(ranks), chance.choice(suits)) for _ in range(6))
