"""The shortest coup that leads to each outcome, and through each situation of insurance to each winner."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from random import Random

from punto.coup import RANKS, STAGES, SUITS, Coup, card, deal_from, situation_index
from punto.coup.cards import Card
from punto.rulebook import PrintedCard

_PLAIN = "TA23456789"
"""A rank of each value."""

FIRST_CARDS = 4


@cache
def coups(printed: PrintedCard | None = None) -> dict[int, Coup]:
    """The shortest coup to every outcome that the Table of Play can reach, by the outcome's index.

    Where a card is printed on the layout, it lies in all of them, and outcomes that it rules out have none.

    >>> from punto.coup import headline, reachable_outcomes
    >>> len(coups()) == len(reachable_outcomes())
    True
    >>> headline(min(coups().values(), key=lambda coup: coup.outcome))
    'Player Tc Qc Th = 0, Banker Td Qd Ts = 0: Tie'
    """
    found: dict[int, Coup] = {}
    for coup in _every(printed=printed):
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


def _every(pairs: bool = True, printed: PrintedCard | None = None) -> Iterator[Coup]:
    """Coups of all totals and third cards, and of all pairs if they are asked for, by one hand of each kind."""
    hands = [each for each in _hands() if pairs or each[0] != each[1]]
    both = [hands, hands]
    if printed is not None:
        own = RANKS[printed.card.rank - 1]
        both = [[*dict.fromkeys((*hands, (own, own)))]] * 2  # a pair of it on the other side, too, for equal pairs
        both[printed.place % 2] = list(_hands_beside(printed))
    for player, banker in product(*both):
        first = (player[0], banker[0], player[1], banker[1])
        for third, last in product(_PLAIN, _PLAIN):
            coup = deal_from(with_printed(printed, faces((*first, third, last))))
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


def _hands_beside(printed: PrintedCard) -> Iterator[tuple[str, str]]:
    """The rank of a printed card with one of every value, and with itself."""
    own = RANKS[printed.card.rank - 1]
    for other in dict.fromkeys((*_PLAIN, "Q", own)):
        yield (own, other) if printed.place < FIRST_CARDS // 2 else (other, own)


def with_printed(printed: PrintedCard | None, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Cards of a coup, the printed one at its place."""
    if printed is None:
        return cards
    return (*cards[: printed.place], printed.card, *cards[printed.place + 1 :])


def drawn_like(printed: PrintedCard, told: tuple[str, ...]) -> tuple[str, ...]:
    """What is drawn in the place of four cards so that both hands have the same totals beside a printed one.

    >>> from punto.rulebook import Basis
    >>> drawn_like(PrintedCard(0, card("7"), Basis()), ("Kh", "Kc", "2d", "5d"))  # 7 and 5 are 2, like K and 2
    ('Kc', '5d', '5d')
    """
    partner = (printed.place + 2) % FIRST_CARDS
    total = card(told[printed.place]).value + card(told[partner]).value
    other = _PLAIN[(total - printed.card.value) % 10] + told[partner][1:]
    changed = (*told[:partner], other, *told[partner + 1 :])
    return (*changed[: printed.place], *changed[printed.place + 1 :])


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
