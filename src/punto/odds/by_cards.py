"""How many deals meet each row of a bet that looks at cards: exact counts over ranks and suits.

Cards are told apart only as finely as the tests ask: by value, by the ranks and suits that are named, by rank or suit
where cards must agree. As soon as the cards dealt decide every test, values are enough, and deals that the rest of
the coup cannot tell apart are counted together.
"""

from collections.abc import Iterator, Sequence
from math import perm

import msgspec
import numpy as np
from numpy.typing import NDArray

from punto.coup import NATURALS, PAIRS, RANKS, STOOD, SUITS, Card, banker_draws, player_draws
from punto.rulebook import Pattern, PrintedCard, Row
from punto.rulebook.patterns import PLACES, RED, CardTest
from punto.rulebook.vocabulary import WINNERS

Array = NDArray[np.int64]
Mask = NDArray[np.bool_]
Place = tuple[int, int]

CARDS = tuple(Card(rank, suit) for rank in range(1, len(RANKS) + 1) for suit in SUITS)
"""Every card, in the order of the counts of a shoe by rank and suit."""

PLAYER_THIRD: Place = (0, 2)
BANKER_THIRD: Place = (1, 2)
_ALL_PLACES: tuple[Place, ...] = ((0, 0), (0, 1), (1, 0), (1, 1), PLAYER_THIRD, BANKER_THIRD)
_DEALT_TO: tuple[Place, ...] = ((0, 0), (1, 0), (0, 1), (1, 1))
"""The places of the first four cards, in drawn order."""
_BY_NAME = {"winner": WINNERS, "natural": NATURALS, "pairs": PAIRS}
EARLY = {"natural": (0, 1), "pairs": (0, 1), "player_two_card": (0,), "banker_two_card": (1,)}
"""What the first four cards tell, and the hands that it is about."""
_AT_ONCE = 1 << 21
_NOTHING = -1  # in the place of what a tie does not have
_STOOD = 10  # in the place of the value of a third card
_PLAYER_DRAWS = np.array([[player_draws(player, banker) for banker in range(10)] for player in range(10)])
_BANKER_DRAWS = np.array(
    [
        [[banker_draws(player, banker, third) for third in (*range(10), STOOD)] for banker in range(10)]
        for player in range(10)
    ]
)


class _Classes(msgspec.Struct, frozen=True, eq=False):
    """Cards that some tests do not tell apart any further: what the cards of each class have in common."""

    of: Array
    """The class of each card."""
    value: Array
    rank: Array
    suit: Array
    red: Array
    means: Array
    """By test and class, whether the test means its cards."""

    def counts(self, shoe: Array) -> Array:
        """How many cards of each class a shoe has."""
        return np.array([shoe[self.of == each].sum() for each in range(len(self.value))])


def _classes(tests: Sequence[CardTest], *, values: bool, ranks: bool) -> _Classes:
    """The classes of cards that these tests ask for, and values, or ranks for pairs."""

    def told_apart(card: Card, likeness: str) -> bool:
        return any(likeness in test.same and test.means(card) for test in tests)

    keys = []
    for card in CARDS:
        by_rank = ranks or told_apart(card, "rank") or any(test.kinds and test.means(card) for test in tests)
        keys.append(
            (
                card.value if values else 0,
                card.rank if by_rank else 0,
                SUITS.index(card.suit or "") if told_apart(card, "suit") else 0,
                int(card.suit in RED and told_apart(card, "colour")),
                *(int(test.means(card)) for test in tests),
            )
        )
    order = sorted(set(keys))
    value, rank, suit, red, *means = np.array(order, dtype=np.int64).T
    return _Classes(np.array([order.index(key) for key in keys]), value, rank, suit, red, np.array(means))


_VALUES = _classes((), values=True, ranks=False)


class _Deals(msgspec.Struct, eq=False):
    """Partly dealt coups: the class of each card by its place, and how many deals each stands for."""

    classes: _Classes
    cards: dict[Place, Array]
    weight: Array
    held: Array
    """A bit for each test that is known to hold."""
    pairs: Array

    def take(self, chosen: Mask) -> "_Deals":
        """Some of them."""
        cards = {place: each[chosen] for place, each in self.cards.items()}
        return _Deals(self.classes, cards, self.weight[chosen], self.held[chosen], self.pairs[chosen])

    def value(self, place: Place) -> Array:
        """What the card at a place counts; nothing where none was drawn."""
        if place not in self.cards:
            return np.zeros(len(self.weight), dtype=np.int64)
        found: Array = self.classes.value[self.cards[place]]
        return found

    def two_cards(self, hand: int) -> Array:
        """The points of a hand's first two cards."""
        found: Array = (self.value((hand, 0)) + self.value((hand, 1))) % 10
        return found

    def points(self, hand: int) -> Array:
        """The points of a hand."""
        found: Array = (self.two_cards(hand) + self.value((hand, 2))) % 10
        return found


def _merged(deals: _Deals) -> _Deals:
    """The same deals by value alone, those that no further card can tell apart counted together."""
    key = deals.held * len(PAIRS) + deals.pairs
    for place in _ALL_PLACES:
        key = key * 11 + (deals.value(place) if place in deals.cards else 10)
    order = np.argsort(key, kind="stable")
    _, first = np.unique(key[order], return_index=True)
    chosen = order[first]
    weight = np.add.reduceat(deals.weight[order], first) if len(first) else deals.weight
    cards = {place: deals.value(place)[chosen] for place in deals.cards}
    return _Deals(_VALUES, cards, weight, deals.held[chosen], deals.pairs[chosen])


class CardCounter:
    """Counts the deals that meet each row of a bet, from any shoe by rank and suit."""

    def __init__(self, rows: tuple[Row, ...], printed: PrintedCard | None = None) -> None:
        self._rows = rows
        self._printed = None if printed is None else _DEALT_TO[printed.place]
        parts = [part for row in rows for part in row.when.parts]
        self._tests = tuple(dict.fromkeys(test for part in parts for test in part.cards))
        names = {name for part in parts for name, _ in part.fields}
        places = {place for test in self._tests for place in PLACES[test.group]}
        self._thirds = bool(places & {PLAYER_THIRD, BANKER_THIRD})
        self._early = not self._thirds and names <= set(EARLY)
        self._looked_at = {hand for hand, _ in places} | {hand for name in names & set(EARLY) for hand in EARLY[name]}
        self._paired = "pairs" in names
        values = not self._early or bool(names - {"pairs"})
        self._fine = _classes(self._tests, values=values, ranks=self._paired)
        groups = {test.group for test in self._tests}
        self._in_order = any(group.endswith(("-first", "-second")) for group in groups) or bool(
            groups & {"first-cards", "first-three"}
        )
        self._printed_class = 0 if printed is None else int(self._fine.of[_card_number(printed.card)])

    def count(self, shoe: Sequence[int]) -> list[int]:
        """Of all deals of six cards from a shoe, by rank and suit, those that meet each row before any other."""
        left = np.asarray(shoe, dtype=np.int64)
        size, found = int(left.sum()), [0] * len(self._rows)
        for deals in self._finished(left):
            rest = self._ways_to_go_on(deals, size)
            open_ones = np.ones(len(deals.weight), dtype=bool)
            for at, row in enumerate(self._rows):
                met = open_ones & self._holds(row.when, deals)
                open_ones &= ~met
                found[at] += int(deals.weight[met].sum()) * rest
        return found

    def together(self, shoe: Sequence[int], split: int) -> dict[tuple[int, int], int]:
        """The deals by the first row that they meet of the first `split` rows, and of the others; -1 for none.

        So two bets are counted jointly: both look at the same cards.
        """
        left = np.asarray(shoe, dtype=np.int64)
        size, found = int(left.sum()), dict[tuple[int, int], int]()
        for deals in self._finished(left):
            rest = self._ways_to_go_on(deals, size)
            one = self._first_met(deals, self._rows[:split])
            other = self._first_met(deals, self._rows[split:])
            for key in {*zip(one.tolist(), other.tolist(), strict=True)}:
                number = int(deals.weight[(one == key[0]) & (other == key[1])].sum()) * rest
                found[key] = found.get(key, 0) + number
        return found

    def _first_met(self, deals: _Deals, rows: tuple[Row, ...]) -> Array:
        """By deal the place of the first row that it meets, -1 where it meets none."""
        met = np.full(len(deals.weight), -1, dtype=np.int64)
        for at, row in enumerate(rows):
            met[(met < 0) & self._holds(row.when, deals)] = at
        return met

    def _ways_to_go_on(self, deals: _Deals, size: int) -> int:
        """In how many ways the cards that these deals did not take could lie behind theirs."""
        printed = int(self._printed is not None)
        return perm(size - len(deals.cards) + printed, len(_ALL_PLACES) - len(deals.cards))

    # Dealing

    def _finished(self, left: Array) -> Iterator[_Deals]:
        """All finished coups, or the first cards alone where these tell everything."""
        if self._early:
            hands = (0, 1) if self._printed is not None else tuple(sorted(self._looked_at))
            yield from self._told(self._starts(left, hands), ())
            return
        for start in self._told(self._starts(left, (0, 1)), (PLAYER_THIRD, BANKER_THIRD)):
            draws = _PLAYER_DRAWS[start.two_cards(0), start.two_cards(1)]
            for stood in self._told(start.take(~draws), (BANKER_THIRD,)):
                yield from self._last_card(stood, left)
            for drawn in self._drawn(start.take(draws), PLAYER_THIRD, left):
                for each in self._told(drawn, (BANKER_THIRD,)):
                    yield from self._last_card(each, left)

    def _last_card(self, deals: _Deals, left: Array) -> Iterator[_Deals]:
        third = deals.value(PLAYER_THIRD) if PLAYER_THIRD in deals.cards else np.full(len(deals.weight), _STOOD)
        draws = _BANKER_DRAWS[deals.two_cards(0), deals.two_cards(1), third]
        yield from self._told(deals.take(~draws), ())
        for drawn in self._drawn(deals.take(draws), BANKER_THIRD, left):
            yield from self._told(drawn, ())

    def _starts(self, left: Array, hands: tuple[int, ...]) -> _Deals:
        """The first two cards of some hands."""
        if self._printed is not None:
            return self._starts_beside(left, self._printed)
        classes = self._fine
        counts = classes.counts(left)
        number = len(counts)
        first, second = (each.ravel() for each in np.indices((number, number)))
        ways = np.ones(number * number, dtype=np.int64)
        if not self._in_order:
            chosen = first <= second
            first, second = first[chosen], second[chosen]
            ways = np.where(first == second, 1, 2)
        pair = counts[first] * (counts[second] - (first == second)) * ways
        first, second, pair = (each[pair > 0] for each in (first, second, pair))
        if len(hands) == 1:
            cards = {(hands[0], 0): first, (hands[0], 1): second}
            return self._begun(cards, pair)
        one, other = (each.ravel() for each in np.indices((len(pair), len(pair))))
        a, b, c, d = first[one], second[one], first[other], second[other]
        more = (counts[c] - (c == a) - (c == b)) * (counts[d] - (d == a) - (d == b) - (d == c))
        if not self._in_order:
            more *= np.where(c == d, 1, 2)
        weight = pair[one] * more
        chosen = weight > 0
        cards = {(0, 0): a[chosen], (0, 1): b[chosen], (1, 0): c[chosen], (1, 1): d[chosen]}
        return self._begun(cards, weight[chosen])

    def _starts_beside(self, left: Array, printed: Place) -> _Deals:
        """The first cards of both hands where one is printed: three of them come from the shoe."""
        counts = self._fine.counts(left)
        number = len(counts)
        first, second, third = (each.ravel() for each in np.indices((number, number, number)))
        weight = (
            counts[first]
            * (counts[second] - (second == first))
            * (counts[third] - (third == first) - (third == second))
        )
        chosen = weight > 0
        drawn = iter((first[chosen], second[chosen], third[chosen]))
        own = np.full(int(chosen.sum()), self._printed_class)
        cards = {place: own if place == printed else next(drawn) for place in _DEALT_TO}
        return self._begun(cards, weight[chosen])

    def _begun(self, cards: dict[Place, Array], weight: Array) -> _Deals:
        none = np.zeros(len(weight), dtype=np.int64)
        deals = _Deals(self._fine, cards, weight, none, none)
        if self._paired:
            ranks = {place: self._fine.rank[each] for place, each in cards.items()}
            player, banker = ranks[0, 0] == ranks[0, 1], ranks[1, 0] == ranks[1, 1]
            both = player & banker
            deals.pairs = np.where(both & (ranks[0, 0] == ranks[1, 0]), 4, player + 2 * banker)
        return deals

    def _drawn(self, deals: _Deals, place: Place, left: Array) -> Iterator[_Deals]:
        """One card more, some deals at a time."""
        counts = deals.classes.counts(left)
        number = len(counts)
        step = max(1, _AT_ONCE // number)
        for at in range(0, len(deals.weight), step):
            few = _Deals(
                deals.classes,
                {each: cards[at : at + step] for each, cards in deals.cards.items()},
                *(each[at : at + step] for each in (deals.weight, deals.held, deals.pairs)),
            )
            here = np.repeat(np.arange(len(few.weight)), number)
            card = np.tile(np.arange(number), len(few.weight))
            rest = np.tile(counts, len(few.weight))
            for each, cards in few.cards.items():
                if each != self._printed:
                    rest = rest - (cards[here] == card)
            chosen = rest > 0
            here, card, rest = here[chosen], card[chosen], rest[chosen]
            cards_of = {each: cards[here] for each, cards in few.cards.items()}
            yield _Deals(
                deals.classes, {**cards_of, place: card}, few.weight[here] * rest, few.held[here], few.pairs[here]
            )

    # Tests

    def _told(self, deals: _Deals, coming: tuple[Place, ...]) -> Iterator[_Deals]:
        """The deals in two parts: those of which all tests are decided, by value; and those with one that is open."""
        if deals.classes is _VALUES:
            yield deals
            return
        still_open = np.zeros(len(deals.weight), dtype=bool)
        held = deals.held.copy()
        for at, test in enumerate(self._tests):
            more = len(set(PLACES[test.group]) & set(coming))
            if more:
                still_open |= self._can_hold(at, deals, more)
            else:
                held |= self._test_holds(at, deals).astype(np.int64) << at
        deals = _Deals(deals.classes, deals.cards, deals.weight, held, deals.pairs)
        yield _merged(deals.take(~still_open))
        if still_open.any():
            yield deals.take(still_open)

    def _meant(self, at: int, deals: _Deals) -> tuple[list[Array], list[Mask]]:
        """The cards of a test's group, and which of them it means."""
        cards = [deals.cards[place] for place in PLACES[self._tests[at].group] if place in deals.cards]
        return cards, [deals.classes.means[at][each] > 0 for each in cards]

    def _can_hold(self, at: int, deals: _Deals, more: int) -> Mask:
        """Whether a test can still hold when some more cards may come."""
        test = self._tests[at]
        cards, meant = self._meant(at, deals)
        number = _sum(meant, len(deals.weight))
        counts = {len(cards)} if test.count is None else test.count
        reached = {count - less for count in counts for less in range(more + 1)} if test.count is not None else counts
        found: Mask = np.isin(number, list(reached))
        found &= self._alike(test, deals, cards, meant)
        return found

    def _test_holds(self, at: int, deals: _Deals) -> Mask:
        test = self._tests[at]
        cards, meant = self._meant(at, deals)
        number = _sum(meant, len(deals.weight))
        counts = {len(cards)} - {0} if test.count is None else test.count
        found: Mask = np.isin(number, list(counts))
        if test.same:
            found &= (number > 1) & self._alike(test, deals, cards, meant)
        if test.kinds:
            found &= self._of_kinds(test.kinds, deals, cards, meant)
        return found

    def _alike(self, test: CardTest, deals: _Deals, cards: list[Array], meant: list[Mask]) -> Mask:
        """Whether the cards meant so far agree in what they must."""
        found = np.ones(len(deals.weight), dtype=bool)
        for likeness in test.same:
            classes = deals.classes
            kind = {"rank": classes.rank, "suit": classes.suit, "colour": classes.red}[likeness]
            seen = np.full(len(deals.weight), -1)
            for each, means in zip(cards, meant, strict=True):
                own = kind[each]
                found &= ~means | (seen < 0) | (seen == own)
                seen = np.where(means, own, seen)
        return found

    def _of_kinds(self, kinds: tuple[int, ...], deals: _Deals, cards: list[Array], meant: list[Mask]) -> Mask:
        """Whether there are so many of one rank, and so many of another."""
        ranks = [np.where(means, deals.classes.rank[each], 0) for each, means in zip(cards, meant, strict=True)]
        sizes = np.zeros((len(deals.weight), len(cards)), dtype=np.int64)
        for at, rank in enumerate(ranks):
            earlier = np.zeros(len(rank), dtype=bool)
            for other in ranks[:at]:
                earlier |= other == rank
            size = _sum([other == rank for other in ranks], len(rank))
            sizes[:, at] = np.where(earlier | (rank == 0), 0, size)
        sizes = -np.sort(-sizes, axis=1)
        if sizes.shape[1] < len(kinds):
            return np.zeros(len(deals.weight), dtype=bool)
        found = np.ones(len(deals.weight), dtype=bool)
        for at, kind in enumerate(kinds):
            found &= sizes[:, at] >= kind
        return found

    # Rows

    def _holds(self, pattern: Pattern, deals: _Deals) -> Mask:
        found = np.ones(len(deals.weight), dtype=bool)
        for name, values in pattern.fields:
            words = _BY_NAME.get(name)
            wanted = [words.index(str(each)) for each in values] if words else [int(each) for each in values]
            found &= np.isin(_field(name, deals), wanted)
        for test in pattern.cards:
            found &= (deals.held >> self._tests.index(test) & 1) > 0
        if pattern.any:
            either = np.zeros(len(found), dtype=bool)
            for each in pattern.any:
                either |= self._holds(each, deals)
            found &= either
        for each in pattern.none:
            found &= ~self._holds(each, deals)
        return found


def _card_number(card: Card) -> int:
    """Where a card stands among all cards; one whose suit is not told stands for its rank."""
    return (card.rank - 1) * len(SUITS) + (SUITS.index(card.suit) if card.suit else 0)


def _sum(masks: list[Mask], size: int) -> Array:
    return sum((mask.astype(np.int64) for mask in masks), np.zeros(size, dtype=np.int64))


def _field(name: str, deals: _Deals) -> Array:
    """A property of finished coups, as a number."""
    if name == "pairs":
        return deals.pairs
    if name in ("player_two_card", "banker_two_card"):
        return deals.two_cards(int(name.startswith("banker")))
    size = len(deals.weight)
    cards = [np.full(size, 3 if (hand, 2) in deals.cards else 2) for hand in (0, 1)]
    if name == "natural":
        naturals = [(deals.two_cards(hand) >= 8).astype(np.int64) for hand in (0, 1)]
        return naturals[0] + 2 * naturals[1]
    player, banker = deals.points(0), deals.points(1)
    tie = player == banker
    found = {
        "winner": np.where(tie, 2, np.where(player > banker, 0, 1)),
        "points": np.maximum(player, banker),
        "player_points": player,
        "banker_points": banker,
        "player_cards": cards[0],
        "banker_cards": cards[1],
        "cards": cards[0] + cards[1],
        "margin": np.abs(player - banker),
        "sum": player + banker,
        "loser_points": np.where(tie, _NOTHING, np.minimum(player, banker)),
        "winner_cards": np.where(tie, _NOTHING, np.where(player > banker, cards[0], cards[1])),
    }
    return np.asarray(found[name], dtype=np.int64)
