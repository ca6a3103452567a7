"""Bets that look at cards, ready to be counted from many compositions: what a bet wins is a sum over sets of cards.

Cards that no part of a bet tells apart are one class. All coups with the same cards, whatever their order, stand for
equally many deals: the cards left of each class, multiplied, each one fewer than the last of its class. So a bet is a
list of *terms*, sets of classes with what all their coups win together, and a composition is counted by adding up the
terms, class by class (`taken_cards`). A unit that wins nothing is lost: only coups that do not lose it are terms. A
card that is printed on the layout lies in every coup and is no card of a term.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

import msgspec
import numpy as np
from numpy.typing import NDArray

from punto.coup import CARDS_IN_A_DECK, STOOD, SUITS
from punto.coup.play import banker_draws, player_draws
from punto.exposure.errors import BadExposure
from punto.exposure.taken_cards import Begin, StateMaker, States
from punto.kernels.deal import DRAWS, NOT_DRAWN
from punto.kernels.exact import deals_of
from punto.kernels.faces import NO_FACE
from punto.odds.bets import check_no_window
from punto.odds.by_cards import EARLY
from punto.rulebook import Priced, PrintedCard
from punto.rulebook.patterns import PLACES
from punto.simulation.card_bets import CardBets, bet_alone, renamed
from punto.simulation.card_tests import FACES
from punto.simulation.dealing import OnLayout

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

KING = 0
"""The face of a card that is laid where a bet does not look."""

FIRST_CARDS = 4
BITS = 6

MOST_COUPS = 1 << 26
"""More coups than this, told apart by class, are not gone through."""

MOST_AT_ONCE = 1 << 16
"""About so many coups are gone through at a time."""

_PLAYER_DRAWS = np.array([[player_draws(player, banker) for banker in range(10)] for player in range(10)])
_BANKER_DRAWS = np.array(
    [
        [[banker_draws(player, banker, third) for third in (*range(10), STOOD)] for banker in range(10)]
        for player in range(10)
    ]
)
_STOOD = 10
_VALUES = np.array([*(card.value for card in FACES), _STOOD])
"""What each face counts, and in the place behind them that no card was drawn."""


class CardNets(msgspec.Struct, frozen=True, eq=False):
    """Some bets: names, the parts into which their units are divided, the states of their cards, and where they begin.

    What `begins` counts is won besides the unit that is lost.
    """

    names: tuple[str, ...]
    units: tuple[int, ...]
    digest: str
    by_suit: bool
    most: tuple[int, ...]
    """The most parts of its unit that each bet nets."""
    states: States
    begins: tuple[Begin, ...]

    def sums(self, compositions: NDArray[np.uint8]) -> Ints:
        """For compositions by rank and suit the net of every bet over all deals, in parts of its unit."""
        sizes = compositions.sum(axis=1, dtype=np.int64)
        found = np.outer(deals_of(sizes), -np.array(self.units, dtype=np.int64))
        self.states.add_won(compositions, self.begins, found)
        return found


def card_nets(bets: Mapping[str, Priced]) -> CardNets | None:
    """Make bets ready; None where there are none.

    >>> from punto.odds import full_shoe
    >>> from punto.rulebook import load, menu
    >>> red = card_nets({"red": menu(load("match"), "colours")["player-red"]})
    >>> net = int(red.sums(np.array([full_shoe(8, by_suit=True)], dtype=np.uint8))[0, 0])
    >>> f"{net / 4998398275503360:.4%}"  # (208 x 207 x 3 - 416 x 415) / (416 x 415)
    '-25.1807%'
    """
    if not bets:
        return None
    for priced in bets.values():
        check_no_window(priced)
    alone = [renamed(bet_alone(priced), name, priced) for name, priced in bets.items()]
    states = StateMaker()
    begins = [
        states.begin(bet, classes, sets, weights)
        for bet, (cards, priced) in enumerate(zip(alone, bets.values(), strict=True))
        for classes, sets, weights in _terms(cards, priced)
    ]
    return CardNets(
        tuple(bets),
        tuple(each.units[0] for each in alone),
        sha256("".join(each.digest for each in alone).encode()).hexdigest(),
        any(each.by_suit for each in alone),
        tuple(int(abs(each.nets).max()) for each in alone),
        states.made(),
        tuple(begins),
    )


def too_many_kinds(priced: Priced) -> int | None:
    """How many kinds of cards a bet tells apart, where these are too many to go through all coups; else None."""
    cards = bet_alone(priced)
    kinds = len(kinds_of(cards, priced)[1])
    from_shoe = DRAWS - (priced.printed is not None)
    return kinds if _early(cards, priced) is None and kinds**from_shoe > MOST_COUPS else None


def _names(priced: Priced) -> set[str]:
    return {name for each in priced.patterns for part in each.parts for name, _ in part.fields}


def _early(cards: CardBets, priced: Priced) -> tuple[int, ...] | None:
    """The hands whose first two cards decide a bet; None where the whole coup does."""
    names, places = _names(priced), set(cards.steps[:, 0].tolist())
    if names - set(EARLY) or max(places, default=0) >= FIRST_CARDS:
        return None
    return tuple(sorted({place % 2 for place in places} | {hand for name in names for hand in EARLY[name]}))


def _classes(cards: CardBets, priced: Priced) -> Ints:
    """The class of each card, by rank and suit: cards that a bet and the Table of Play do not tell apart.

    First come the cards that a bet looks at, which are few; the others are in the same order for every bet. So what
    several bets make of these comes last, and is counted once for all of them.
    """
    names = _names(priced)
    by_value = _early(cards, priced) is None or bool(names - {"pairs"})
    columns = [_column(cards, face) for face in range(CARDS_IN_A_DECK)]
    keys = [
        (card.value if by_value else 0, card.rank if "pairs" in names else 0, columns[face])
        for face, card in enumerate(FACES)
    ]
    alike = Counter(columns)
    kinds = {key: at for at, key in enumerate(sorted(dict.fromkeys(keys), key=lambda key: (alike[key[2]], key[0])))}
    found = np.zeros(CARDS_IN_A_DECK, dtype=np.int64)
    for face, card in enumerate(FACES):
        found[(card.rank - 1) * len(SUITS) + SUITS.index(card.suit or "")] = kinds[keys[face]]
    return found


def kinds_of(cards: CardBets, priced: Priced) -> tuple[Ints, list[int]]:
    """The kind of each card by rank and suit, and a face of each kind."""
    classes = _classes(cards, priced)
    kind_of = [int(classes[(card.rank - 1) * len(SUITS) + SUITS.index(card.suit or "")]) for card in FACES]
    return classes, [kind_of.index(kind) for kind in range(max(kind_of) + 1)]


def _tables(cards: CardBets) -> list[Ints]:
    """The table of each step: a row for each state, a column for each symbol."""
    begins = [*cards.steps[:, 4].tolist(), len(cards.table)]
    flat = cards.table.astype(np.int64)
    return [
        flat[first:last].reshape(-1, (NO_FACE >> shift) + 1)
        for first, last, shift in zip(begins, begins[1:], cards.steps[:, 1].tolist(), strict=False)
    ]


def _column(cards: CardBets, face: int) -> bytes:
    """What the machines make of a card, in every state and at every place."""
    shifts = cards.steps[:, 1].tolist()
    return b"".join(table[:, face >> shift].tobytes() for table, shift in zip(_tables(cards), shifts, strict=True))


def _hopes(cards: CardBets) -> tuple[Mask, list[Mask]]:
    """By state whether the bet may still be won or stand off; and the same by case of each machine at its end."""
    won = np.append(cards.nets[0] + cards.units[0], 0)[cards.joints.astype(np.int64)] != 0
    tables = _tables(cards)
    lasts = [at for at, step in enumerate(cards.steps.tolist()) if step[3]]
    widths = [1]
    for at in lasts:
        widths.append(int(tables[at].max()) + widths[-1])
    hopes, ends = np.zeros(len(cards.table) + 1, dtype=bool), []
    for number, last in enumerate(lasts):
        width, above = widths[number], widths[number + 1]
        by_end = won.reshape(-1, above // width, width).any(axis=(0, 2))
        ends.append(np.repeat(by_end, width))
        below = by_end[tables[last] // width].any(axis=1)
        at = last
        while True:
            rows = cards.steps[at, 4] + np.arange(len(tables[at])) * tables[at].shape[1]
            hopes[rows] = below
            if cards.steps[at, 2] >= 0:
                break
            at -= 1
            below = hopes[tables[at]].any(axis=1)
    return hopes, ends


def _hopeful(cards: CardBets, hopes: tuple[Mask, list[Mask]], faces: NDArray[np.int64], dealt: int) -> Mask:
    """Which coups that have begun so can still be won or stand off, as far as each machine alone can tell."""
    found = np.ones(len(faces), dtype=bool)
    state, machine = np.zeros(len(faces), dtype=np.int64), 0
    stopped = False
    for place, shift, start, ends, _ in cards.steps.tolist():
        if start >= 0:
            state, stopped = np.full(len(faces), start), False
        if place >= dealt and not stopped:
            found &= hopes[0][state]
            stopped = True
        if not stopped:
            state = cards.table[state + (faces[:, place] >> shift)].astype(np.int64)
        if ends:
            found &= True if stopped else hopes[1][machine][state]
            machine += 1
    return found


def _in_order(priced: Priced) -> bool:
    """Whether a bet tells the first card of a hand from the second."""
    tests = [test for each in priced.patterns for part in each.parts for test in part.cards]
    return any(
        len([place for place in PLACES[group] if place[0] == hand and place[1] < 2]) == 1
        for group in {group for test in tests for group in test.groups}
        for hand in (0, 1)
    )


def _starts(cards: CardBets, priced: Priced, faces: Sequence[int]) -> Iterator[tuple[Ints, Ints]]:
    """The first four cards of all coups, and in how many orders they come; a king where a bet does not look."""
    hands = _early(cards, priced)
    two = {hand: _two_cards(priced, hand, np.array(faces)) for hand in hands or (0, 1)}
    if len(two) == 1:
        [(hand, (first, second, ways))] = two.items()
        start = np.full((len(first), FIRST_CARDS), KING)
        start[:, hand], start[:, hand + 2] = first, second
        yield start, ways
        return
    (first, second, ways), (others, beside, orders) = two[0], two[1]
    coups = len(others) * (len(faces) ** 2 if hands is None else 1)
    step = max(MOST_AT_ONCE // coups, 1)
    for at in range(0, len(first), step):
        mine, theirs = (each.reshape(-1) for each in np.indices((len(first[at : at + step]), len(others))))
        mine += at
        yield np.stack((first[mine], others[theirs], second[mine], beside[theirs]), axis=1), ways[mine] * orders[theirs]


def _two_cards(priced: Priced, hand: int, kinds: Ints) -> tuple[Ints, Ints, Ints]:
    """The first and the second card of a hand in all coups, and in how many orders they come."""
    printed = priced.printed
    if printed is not None and printed.place % 2 == hand:
        own, once = np.full(len(kinds), _face_of(printed)), np.ones(len(kinds), dtype=np.int64)
        return (own, kinds, once) if printed.place < 2 else (kinds, own, once)
    first, second = (each.reshape(-1) for each in np.indices((len(kinds), len(kinds))))
    ways = np.ones(len(first), dtype=np.int64)
    if not _in_order(priced):
        chosen = first <= second
        first, second, ways = first[chosen], second[chosen], np.where(first == second, 1, 2)[chosen]
    return kinds[first], kinds[second], ways


def _face_of(printed: PrintedCard) -> int:
    return OnLayout(printed.place, str(printed.card)).face


def _coups(
    cards: CardBets, start: Ints, ways: Ints, faces: Sequence[int], hopes: tuple[Mask, list[Mask]], early: bool
) -> Iterator[tuple[Ints, Ints]]:
    """All coups that begin so, and in how many orders, by who drew; those without hope are left out.

    Where the first cards decide the bet, a third card is a king.
    """
    begun = np.full((len(start), DRAWS), NO_FACE)
    begun[:, :FIRST_CARDS] = start
    more = np.array([KING] if early else faces)
    hopeful = _hopeful(cards, hopes, begun, FIRST_CARDS)
    begun, ways = begun[hopeful], ways[hopeful]
    player, banker = _two_card_totals(begun)
    draws = _PLAYER_DRAWS[player, banker]
    drawn, orders = _with_card(begun[draws], ways[draws], 4, more)
    hopeful = _hopeful(cards, hopes, drawn, 5)
    for coups, each in ((begun[~draws], ways[~draws]), (drawn[hopeful], orders[hopeful])):
        player, banker = _two_card_totals(coups)
        also = _BANKER_DRAWS[player, banker, _VALUES[coups[:, 4]]]
        yield coups[~also], each[~also]
        yield _with_card(coups[also], each[also], 5, more)


def _two_card_totals(coups: Ints) -> tuple[Ints, Ints]:
    values = _VALUES[coups[:, :FIRST_CARDS]]
    return (values[:, 0] + values[:, 2]) % 10, (values[:, 1] + values[:, 3]) % 10


def _with_card(coups: Ints, ways: Ints, place: int, faces: Ints) -> tuple[Ints, Ints]:
    """Every coup with every one of some cards at a place."""
    found = np.repeat(coups, len(faces), axis=0)
    found[:, place] = np.tile(faces, len(coups))
    return found, np.repeat(ways, len(faces))


def _terms(cards: CardBets, priced: Priced) -> Iterator[tuple[Ints, Ints, Ints]]:
    """The terms of a bet, by their number of cards: the class of each card by rank and suit, sets, and weights."""
    hands = _early(cards, priced)
    classes, faces = kinds_of(cards, priced)
    kind_of = np.array([classes[(card.rank - 1) * len(SUITS) + SUITS.index(card.suit or "")] for card in FACES])
    printed = NOT_DRAWN if priced.printed is None else priced.printed.place
    if too_many_kinds(priced) is not None:
        raise BadExposure(
            f"{priced.bet.name} tells {len(faces)} kinds of cards apart in the whole coup: too many here."
        )
    hopes = _hopes(cards)
    looked = [place for place in range(FIRST_CARDS) if place != printed and (hands is None or place % 2 in hands)]
    found: dict[int, dict[int, int]] = {}
    for start, ways in _starts(cards, priced, faces):
        for coups, orders in _coups(cards, start, ways, faces, hopes, hands is not None):
            if not len(coups):
                continue
            coups[coups == NO_FACE] = NOT_DRAWN
            weights = (cards.nets[0] + cards.units[0])[cards.joints_of(coups.astype(np.int8))[0]] * orders
            kept = weights != 0
            if kept.any():
                drawn = [at for at in range(DRAWS) if coups[0, at] >= 0 and at != printed]
                places = looked if hands is not None else drawn
                sets = np.sort(kind_of[coups[kept][:, places]], axis=1)
                keys = (sets << (BITS * np.arange(len(places)))).sum(axis=1)
                _add(found.setdefault(len(places), {}), keys, weights[kept])
    for number, terms in sorted(found.items()):
        keys = np.array(list(terms), dtype=np.int64)
        sets = keys[:, None] >> (BITS * np.arange(number)) & ((1 << BITS) - 1)
        yield classes, sets, np.array(list(terms.values()), dtype=np.int64)


def _add(terms: dict[int, int], keys: Ints, weights: Ints) -> None:
    kinds, where = np.unique(keys, return_inverse=True)
    sums = np.zeros(len(kinds), dtype=np.int64)
    np.add.at(sums, where.reshape(-1), weights)
    for key, weight in zip(kinds.tolist(), sums.tolist(), strict=True):
        terms[key] = terms.get(key, 0) + weight
