"""How many deals meet each row of a bet that looks at cards: exact counts over ranks and suits.

Cards are told apart only as finely as the tests ask: by value, by the ranks and suits that are named, by rank or suit
where cards must agree. As soon as the cards dealt decide every test that still matters to a row, values are enough, and
deals that the rest of the coup cannot tell apart are counted together. Where all tests look at one hand, its cards are
laid first, with and without a third one: in how many ways cards lie at places does not depend on the order.
"""

from collections.abc import Iterator, Sequence
from math import perm

import numpy as np

from punto.coup import NATURALS, PAIRS, STOOD, SUITS, Card, banker_draws, player_draws
from punto.odds.partial_deals import (
    ALL_PLACES,
    BANKER_THIRD,
    BY_VALUE,
    PLAYER_THIRD,
    Array,
    Mask,
    PartialDeals,
    Place,
    classes_of,
    merged,
)
from punto.rulebook import Pattern, PrintedCard, Row
from punto.rulebook.patterns import PLACES, CardTest
from punto.rulebook.vocabulary import WINNERS

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


def _in_either_order(deals: PartialDeals) -> PartialDeals:
    """The same deals where the order of the Banker's first two cards is nothing to any test."""
    first, second = deals.cards[1, 0], deals.cards[1, 1]
    found = deals.take(first <= second)
    found.weight = found.weight * np.where(found.cards[1, 0] == found.cards[1, 1], 1, 2)
    return found


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
        self._fine = classes_of(self._tests, values=values, ranks=self._paired)
        groups = {test.group for test in self._tests}
        self._in_order = any(group.endswith(("-first", "-second")) for group in groups) or bool(
            groups & {"first-cards", "first-three"}
        )
        of_one = len(self._looked_at) == 1 and self._thirds and not self._paired and printed is None
        self._own_hand = next(iter(self._looked_at)) if of_one else None
        """The only hand that tests look at, where its third card matters to them."""
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

    def _first_met(self, deals: PartialDeals, rows: tuple[Row, ...]) -> Array:
        """By deal the place of the first row that it meets, -1 where it meets none."""
        met = np.full(len(deals.weight), -1, dtype=np.int64)
        for at, row in enumerate(rows):
            met[(met < 0) & self._holds(row.when, deals)] = at
        return met

    def _ways_to_go_on(self, deals: PartialDeals, size: int) -> int:
        """In how many ways the cards that these deals did not take could lie behind theirs."""
        printed = int(self._printed is not None)
        return perm(size - len(deals.cards) + printed, len(ALL_PLACES) - len(deals.cards))

    # Dealing

    def _finished(self, left: Array) -> Iterator[PartialDeals]:
        """All finished coups, or the first cards alone where these tell everything."""
        if self._early:
            hands = (0, 1) if self._printed is not None else tuple(sorted(self._looked_at))
            for start in self._first_cards(left, hands):
                yield from self._told(start, ())
            return
        if self._own_hand is not None:
            yield from self._one_hand_first(left, self._own_hand)
            return
        begun = self._first_cards(left, (0, 1))
        for start in (each for deals in begun for each in self._told(deals, (PLAYER_THIRD, BANKER_THIRD))):
            draws = _PLAYER_DRAWS[start.two_cards(0), start.two_cards(1)]
            for stood in self._told(start.take(~draws), (BANKER_THIRD,)):
                yield from self._last_card(stood, left)
            for drawn in self._drawn(start.take(draws), PLAYER_THIRD, left):
                for each in self._told(drawn, (BANKER_THIRD,)):
                    yield from self._last_card(each, left)

    def _one_hand_first(self, left: Array, hand: int) -> Iterator[PartialDeals]:
        """All finished coups; the hand that the tests look at is laid first, then the other one by value."""
        own = self._starts(left, (hand,))
        third = (hand, 2)
        stood = list(self._told(own, ()))
        drawn = [each for more in self._drawn(own, third, left) for each in self._told(more, ())]
        for deals in (*stood, *map(merged, drawn)):
            for one in self._drawn(deals, (1 - hand, 0), left):
                for start in self._drawn(one, (1 - hand, 1), left):
                    yield from self._beside_own(start, left, third)

    def _beside_own(self, start: PartialDeals, left: Array, third: Place) -> Iterator[PartialDeals]:
        """What becomes of first cards and perhaps the third one of a hand, where it has that if it draws."""
        draws = _PLAYER_DRAWS[start.two_cards(0), start.two_cards(1)]
        if third == PLAYER_THIRD:
            yield from self._last_card(start.take(draws == (third in start.cards)), left)
            return
        for deals in (start.take(~draws), *self._drawn(start.take(draws), PLAYER_THIRD, left)):
            yield deals.take(self._banker_draws(deals) == (third in deals.cards))

    def _banker_draws(self, deals: PartialDeals) -> Mask:
        third = deals.value(PLAYER_THIRD) if PLAYER_THIRD in deals.cards else np.full(len(deals.weight), _STOOD)
        found: Mask = _BANKER_DRAWS[deals.two_cards(0), deals.two_cards(1), third]
        return found

    def _last_card(self, deals: PartialDeals, left: Array) -> Iterator[PartialDeals]:
        draws = self._banker_draws(deals)
        yield from self._told(deals.take(~draws), ())
        for drawn in self._drawn(deals.take(draws), BANKER_THIRD, left):
            yield from self._told(drawn, ())

    def _first_cards(self, left: Array, hands: tuple[int, ...]) -> Iterator[PartialDeals]:
        """The first two cards of some hands; what those of the first hand decide is by value when the others come."""
        if self._printed is not None or self._paired or len(hands) == 1:
            yield self._starts(left, hands)
            return
        for own in self._told(self._starts(left, (0,)), ALL_PLACES[2:]):
            for one in self._drawn(own, (1, 0), left):
                for both in self._drawn(one, (1, 1), left):
                    yield both if self._in_order else _in_either_order(both)

    def _starts(self, left: Array, hands: tuple[int, ...]) -> PartialDeals:
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

    def _starts_beside(self, left: Array, printed: Place) -> PartialDeals:
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

    def _begun(self, cards: dict[Place, Array], weight: Array) -> PartialDeals:
        none = np.zeros(len(weight), dtype=np.int64)
        deals = PartialDeals(self._fine, cards, weight, none, none)
        if self._paired:
            ranks = {place: self._fine.rank[each] for place, each in cards.items()}
            player, banker = ranks[0, 0] == ranks[0, 1], ranks[1, 0] == ranks[1, 1]
            both = player & banker
            deals.pairs = np.where(both & (ranks[0, 0] == ranks[1, 0]), 4, player + 2 * banker)
        return deals

    def _drawn(self, deals: PartialDeals, place: Place, left: Array) -> Iterator[PartialDeals]:
        """One card more, some deals at a time."""
        counts = deals.classes.counts(left)
        number = len(counts)
        step = max(1, _AT_ONCE // number)
        for at in range(0, len(deals.weight), step):
            few = PartialDeals(
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
            yield PartialDeals(
                deals.classes, {**cards_of, place: card}, few.weight[here] * rest, few.held[here], few.pairs[here]
            )

    # Tests

    def _told(self, deals: PartialDeals, coming: tuple[Place, ...]) -> Iterator[PartialDeals]:
        """The deals in two parts: those of which all tests that matter are decided, by value; and all others."""
        if deals.classes is BY_VALUE:
            yield deals
            return
        held, can_hold, undecided = deals.held.copy(), [], []
        for at, test in enumerate(self._tests):
            more = len(set(PLACES[test.group]) & set(coming))
            can_hold.append(self._can_hold(at, deals, more) if more else self._test_holds(at, deals))
            undecided.append(can_hold[at] if more else np.zeros(len(deals.weight), dtype=bool))
            if not more:
                held |= can_hold[at].astype(np.int64) << at
        still_open = np.zeros(len(deals.weight), dtype=bool)
        for row in self._rows if self._tests else ():
            still_open |= self._matters(row.when, can_hold, undecided)[1]
        deals = PartialDeals(deals.classes, deals.cards, deals.weight, held, deals.pairs)
        yield merged(deals.take(~still_open))
        if still_open.any():
            yield deals.take(still_open)

    def _matters(self, pattern: Pattern, can_hold: list[Mask], undecided: list[Mask]) -> tuple[Mask, Mask]:
        """Whether tests leave a pattern possible, and whether one that is not decided yet matters to it then."""
        tests = [self._tests.index(test) for test in pattern.cards]
        possible = np.ones(len(can_hold[0]), dtype=bool)
        for at in tests:
            possible &= can_hold[at]
        open_ones = np.zeros(len(possible), dtype=bool)
        for at in tests:
            open_ones |= undecided[at]
        either = [self._matters(each, can_hold, undecided) for each in pattern.any]
        if either:
            possible &= np.logical_or.reduce([each for each, _ in either])
        for _, each in (*either, *(self._matters(each, can_hold, undecided) for each in pattern.none)):
            open_ones |= each
        return possible, possible & open_ones

    def _meant(self, at: int, deals: PartialDeals) -> tuple[list[Array], list[Mask]]:
        """The cards of a test's group, and which of them it means."""
        cards = [deals.cards[place] for place in PLACES[self._tests[at].group] if place in deals.cards]
        return cards, [deals.classes.means[at][each] > 0 for each in cards]

    def _can_hold(self, at: int, deals: PartialDeals, more: int) -> Mask:
        """Whether a test can still hold when some more cards may come."""
        test = self._tests[at]
        cards, meant = self._meant(at, deals)
        number = _sum(meant, len(deals.weight))
        counts = {len(cards)} if test.count is None else test.count
        reached = {count - less for count in counts for less in range(more + 1)} if test.count is not None else counts
        found: Mask = np.isin(number, list(reached))
        found &= self._alike(test, deals, cards, meant)
        return found

    def _test_holds(self, at: int, deals: PartialDeals) -> Mask:
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

    def _alike(self, test: CardTest, deals: PartialDeals, cards: list[Array], meant: list[Mask]) -> Mask:
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

    def _of_kinds(self, kinds: tuple[int, ...], deals: PartialDeals, cards: list[Array], meant: list[Mask]) -> Mask:
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

    def _holds(self, pattern: Pattern, deals: PartialDeals) -> Mask:
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


def _field(name: str, deals: PartialDeals) -> Array:
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
