"""How many deals meet each row of a bet that looks at cards: exact counts over ranks and suits.

Cards are told apart only as finely as the tests ask: by value, by the ranks and suits that are named, by rank or suit
where cards must agree. Each hand is laid by itself, and hands that the other one cannot tell apart are of one *kind*:
two kinds decide every row. What remains is that no card lies in both hands. From all pairs of hands those that share a
card are taken away, those that share two are given back, and those that share three taken away again: for every set of
up to three cards the hands that hold it are counted by kind, on both sides. Sets are few, and so are the kinds that
hold one. Where tests are so many that the kinds are not few, hands are taken one by one (`one_by_one`).
"""

from collections.abc import Sequence
from itertools import chain, product
from math import perm

import numpy as np

from punto.coup import NATURALS, STOOD, SUITS, Card
from punto.coup.play import banker_draws, player_draws
from punto.odds.answers import AND, AND_TABLE, NOT, OR, OR_TABLE, PUSH_EVERY, PUSH_TABLE, THIRDS
from punto.odds.card_classes import Array, Mask, classes_of
from punto.odds.facets import Decided, decided, open_facets, pairs_facet, same_rows
from punto.odds.kind_pairs import Bytes, add_pairs
from punto.odds.laid_hands import (
    NO_THIRD,
    TOTALS,
    Kinds,
    LaidHands,
    distinct,
    kinds_of,
    laid,
    nothing_laid,
    sets_of_cards,
)
from punto.odds.one_by_one import AnswerTable, OneByOne
from punto.rulebook import Pattern, PrintedCard, Row
from punto.rulebook.patterns import PLACES
from punto.rulebook.vocabulary import WINNERS

_DEALT_TO = ((0, 0), (1, 0), (0, 1), (1, 1))
"""Hand and place of the first four cards, in drawn order."""
_MAY_NEED = 6
"""The cards that a coup may need."""
_MANY = 100_000_000
"""So many pairs of kinds take as long as all hands one by one."""
_NEVER = -1  # in the place of the number of third cards: the Table of Play does not deal these hands
_NOTHING = -1  # in the place of what a tie does not have
_BY_NAME = {"winner": WINNERS, "natural": NATURALS}
EARLY = {"natural": (0, 1), "pairs": (0, 1), "player_two_card": (0,), "banker_two_card": (1,)}
"""What the first four cards tell, and the hands that it is about."""

Field = tuple[str, frozenset[int | str]]


class CardCounter:
    """Counts the deals that meet each row of a bet, from any shoe by rank and suit."""

    def __init__(self, rows: tuple[Row, ...], printed: PrintedCard | None = None) -> None:
        self._rows = rows
        parts = [part for row in rows for part in row.when.parts]
        tests = tuple(dict.fromkeys(test for part in parts for test in part.cards))
        fields = {field for part in parts for field in part.fields}
        names = {name for name, _ in fields}
        places = {place for test in tests for place in test.places}
        early = all(at < 2 for _, at in places) and names <= set(EARLY)
        looked_at = {hand for hand, _ in places} | {hand for name in names & set(EARLY) for hand in EARLY[name]}
        values = not early or bool(names - {"pairs"})
        self._classes = classes_of(tests, values=values, ranks="pairs" in names)
        groups = {frozenset(PLACES[group]) for test in tests for group in test.groups}
        self._cards = _MAY_NEED - (printed is not None)

        def laid_by_itself(hand: int) -> LaidHands:
            own = None
            if printed is not None and _DEALT_TO[printed.place][0] == hand:
                own = _DEALT_TO[printed.place][1], int(self._classes.of[_card_number(printed.card)])
            if early and hand not in looked_at:
                return nothing_laid(self._classes)
            in_order = any(len(group & {(hand, 0), (hand, 1)}) == 1 for group in groups)
            return laid(self._classes, own, thirds=not early, in_order=in_order)

        self._hands = hands = laid_by_itself(0), laid_by_itself(1)
        cards = hands[0].cards, hands[1].cards
        self._tests = {test: open_facets(test, self._classes, cards) for test in tests}
        self._pairs = {
            field: decided(pairs_facet(self._classes, cards, [str(each) for each in field[1]]))
            for field in fields
            if field[0] == "pairs"
        }
        self._facets = [*chain.from_iterable(self._tests.values()), *self._pairs.values()]
        self._by_totals = {field: _field_holds(field) for field in fields if field[0] != "pairs"}
        self._thirds = np.zeros((TOTALS, TOTALS), dtype=np.int64) if early else _third_cards()
        merged = self._merge_totals()
        totals = merged[0][hands[0].totals], merged[1][hands[1].totals]
        states = self._states(0, totals[0]), self._states(1, totals[1])
        found = [distinct([totals[hand], *states[hand]]) for hand in (0, 1)]
        self._one_by_one: OneByOne | None = None
        self._kinds: tuple[Kinds, ...] = ()
        if not early and len(found[0][0]) * len(found[1][0]) > _MANY:
            tables = [AnswerTable(table, *totals) for table in self._by_totals.values()]
            tables += [AnswerTable(facet.holds, *own) for facet, *own in zip(self._facets, *states, strict=True)]
            self._one_by_one = OneByOne(hands, tables)
        else:
            most = min(len(each.from_shoe) for each in hands)
            self._kinds = tuple(
                kinds_of(each, totals[hand], states[hand], most, found[hand]) for hand, each in enumerate(hands)
            )

    def count(self, shoe: Sequence[int]) -> list[int]:
        """Of all deals of six cards from a shoe, by rank and suit, those that meet each row before any other."""
        return self._tallied(shoe, self._rows, ())[:-1]

    def together(self, shoe: Sequence[int], split: int) -> dict[tuple[int, int], int]:
        """The deals by the first row that they meet of the first `split` rows, and of the others; -1 for none.

        So two bets are counted jointly: both look at the same cards.
        """
        one, other = self._rows[:split], self._rows[split:]
        found = self._tallied(shoe, one, other)
        met = product((*range(len(one)), -1), (*range(len(other)), -1))
        return {rows: number for rows, number in zip(met, found, strict=True) if number}

    def _tallied(self, shoe: Sequence[int], one: tuple[Row, ...], other: tuple[Row, ...]) -> list[int]:
        """Of all deals of as many cards as a coup may need, those by the first row that is met of either part of rows.

        Behind the last row of a part stands that none is met.
        """
        left = np.asarray(shoe, dtype=np.int64)
        counts = self._classes.counts(left)
        program, rows, depth = self._program((one, other))
        codes = (len(one) + 1) * (len(other) + 1)
        shape = depth, len(one) + 1, len(other) + 1
        found = np.zeros(codes * THIRDS + 1, dtype=np.int64)
        if self._one_by_one is not None:
            self._one_by_one.add(counts, program, rows, shape, found)
        else:
            self._add_kinds(counts, program, rows, shape, found)
        first_cards = sum(at < 2 for each in self._hands for at in each.from_shoe)
        cards = int(left.sum()) - first_cards
        rest = [perm(cards - more, self._cards - first_cards - more) for more in range(THIRDS)]
        by_code = found[:-1].reshape(codes, THIRDS).tolist()
        met = [sum(number * behind for number, behind in zip(each, rest, strict=True)) for each in by_code[:-1]]
        return [*met, perm(int(left.sum()), self._cards) - sum(met)]

    def _add_kinds(self, counts: Array, program: Array, rows: Array, shape: tuple[int, int, int], found: Array) -> None:
        """Add up pairs of kinds of hands, by the first rows that they meet."""
        ours, theirs = self._kinds
        size, ways = sets_of_cards(self._classes, counts)
        number = ours.number(counts) * np.where(size % 2, -1, 1)[ours.shared]
        there = theirs.shared, theirs.kind, theirs.number(counts) // np.maximum(ways, 1)[theirs.shared]
        begin_there = np.searchsorted(theirs.shared, np.arange(len(ways) + 1))
        own = np.argsort(ours.kind, kind="stable")
        begin = np.searchsorted(ours.kind[own], np.arange(len(ours.totals) + 1))
        tables, states = self._laid_tables()
        add_pairs(
            program,
            rows,
            tables,
            states,
            (ours.totals, self._thirds[:, theirs.totals]),
            shape,
            (begin, (ours.shared[own], ours.kind[own], number[own])),
            (begin_there, there),
            found,
        )

    def _laid_tables(self) -> tuple[Bytes, Array]:
        """What fields and facets answer to each kind of the Banker's hand, and where it is for each of the Player's."""
        ours, theirs = self._kinds
        width = len(theirs.totals)
        tables = [table[:, theirs.totals] for table in self._by_totals.values()]
        states = [ours.totals] * len(tables)
        tables += [facet.holds[:, own] for facet, own in zip(self._facets, theirs.states, strict=True)]
        states += ours.states
        begin = np.cumsum([0, *(len(table) * width for table in tables)])
        laid_out = np.concatenate([np.ones(0, dtype=bool), *(table.reshape(-1) for table in tables)])
        places = [at + own * width for at, own in zip(begin[:-1], states, strict=True)]
        none = np.zeros((len(ours.totals), 0), dtype=np.int64)
        return laid_out.view(np.uint8), np.stack(places, axis=1) if places else none

    def _program(self, parts: Sequence[tuple[Row, ...]]) -> tuple[Array, Array, int]:
        """The program that answers each row; where each begins and ends, its part and number; and how deep it goes."""
        fields, facets = list(self._by_totals), [id(each) for each in self._facets]
        lines: list[tuple[int, int]] = []

        def tables_of(pattern: Pattern) -> list[int]:
            asked = [fields.index(field) for field in pattern.fields if field in self._by_totals]
            return asked + [len(fields) + facets.index(id(facet)) for facet in self._facets_of(pattern)]

        def add(pattern: Pattern) -> int:
            """Leave one answer more on the stack; how many lines of it that takes."""
            tables, depth = tables_of(pattern), 1
            lines.append((PUSH_TABLE, tables[0]) if tables else (PUSH_EVERY, 0))
            lines.extend((AND_TABLE, table) for table in tables[1:])
            if pattern.any:
                depth = max(depth, 1 + add_any(pattern.any))
                lines.append((AND, 0))
            for each in pattern.none:
                depth = max(depth, 1 + add(each))
                lines.extend([(NOT, 0), (AND, 0)])
            return depth

        def add_any(patterns: Sequence[Pattern]) -> int:
            """The same of any of some patterns; what a table alone tells is asked last, and takes no line more."""
            told = [tables_of(each) for each in patterns]
            alone = [
                len(tables) == 1 and not each.any and not each.none for each, tables in zip(patterns, told, strict=True)
            ]
            others = [each for each, simple in zip(patterns, alone, strict=True) if not simple]
            asked = [tables[0] for tables, simple in zip(told, alone, strict=True) if simple]
            depth = 1
            for at, each in enumerate(others):
                depth = max(depth, (at > 0) + add(each))
                lines.extend([(OR, 0)] if at else [])
            first = () if others else ((PUSH_TABLE, asked.pop(0)),)
            lines.extend((*first, *((OR_TABLE, table) for table in asked)))
            return depth

        depth, rows = 1, []
        for part, own in enumerate(parts):
            for number, row in enumerate(own):
                begin = len(lines)
                depth = max(depth, add(row.when))
                rows.append((begin, len(lines), part, number))
        return np.array(lines, dtype=np.int64).reshape(-1, 2), np.array(rows, dtype=np.int64).reshape(-1, 4), depth

    def _facets_of(self, pattern: Pattern) -> list[Decided]:
        """What a pattern itself asks of cards and pairs."""
        own = [facet for test in pattern.cards for facet in self._tests[test]]
        return [*own, *(self._pairs[field] for field in pattern.fields if field in self._pairs)]

    # Kinds of hands

    def _merge_totals(self) -> tuple[Array, Array]:
        """LaidHands by value that no field and no draw tells apart are one: which each is, for either side."""
        tables = np.stack([self._thirds, *(each.astype(np.int64) for each in self._by_totals.values())], axis=2)
        tables[self._thirds == _NEVER, 1:] = 0
        kept, rows = same_rows(tables)
        tables = tables[kept]
        kept, columns = same_rows(tables.transpose(1, 0, 2))
        tables = tables[:, kept]
        self._thirds = tables[:, :, 0]
        self._by_totals = {field: tables[:, :, at] > 0 for at, field in enumerate(self._by_totals, start=1)}
        return rows, columns

    def _states(self, hand: int, totals: Array) -> list[Array]:
        """The states of the hands of one side; where a facet cannot matter any more, they are all the same."""
        matters = {id(each): np.zeros(len(totals), dtype=bool) for each in self._facets}

        def look(pattern: Pattern, possible: Mask) -> None:
            own = self._facets_of(pattern)
            for field in pattern.fields:
                if field in self._by_totals:
                    possible = possible & np.asarray(self._by_totals[field].any(axis=1 - hand))[totals]
            for facet in own:
                possible = possible & facet.can_hold(hand)
            for facet in own:
                matters[id(facet)] |= possible
            for each in (*pattern.any, *pattern.none):
                look(each, possible)

        for row in self._rows:
            look(row.when, np.ones(len(totals), dtype=bool))
        return [np.where(matters[id(each)], each.of_hands[hand], each.where_it_fails(hand)) for each in self._facets]


def _card_number(card: Card) -> int:
    """Where a card stands among all cards; one whose suit is not told stands for its rank."""
    return (card.rank - 1) * len(SUITS) + (SUITS.index(card.suit) if card.suit else 0)


def _third_cards() -> Array:
    """How many third cards there are, by the totals of both hands; `_NEVER` where these are not dealt together."""
    found = np.full((TOTALS, TOTALS), _NEVER, dtype=np.int64)
    for player in range(10):
        for banker in range(10):
            draws = player_draws(player, banker)
            for third in range(10) if draws else (NO_THIRD,):
                also = banker_draws(player, banker, third if draws else STOOD)
                for last in range(10) if also else (NO_THIRD,):
                    found[_totals(player, third), _totals(banker, last)] = draws + also
    return found


def _totals(two_cards: int, third: int) -> int:
    return two_cards * (NO_THIRD + 1) + third


def _field_holds(field: Field) -> Mask:
    """Whether a property has one of its values, by the totals of both hands."""
    name, values = field
    words = _BY_NAME.get(name)
    wanted = [words.index(str(each)) for each in values] if words else [int(each) for each in values]
    both = np.indices((TOTALS, TOTALS))
    (player_start, player_third), (banker_start, banker_third) = (np.divmod(each, NO_THIRD + 1) for each in both)
    player, banker = (player_start + player_third) % 10, (banker_start + banker_third) % 10  # NO_THIRD adds nothing
    cards = [np.where(each == NO_THIRD, 2, 3) for each in (player_third, banker_third)]
    tie = player == banker
    found = {
        "player_two_card": player_start,
        "banker_two_card": banker_start,
        "natural": (player_start >= 8) + 2 * (banker_start >= 8),
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
    return np.isin(found[name], wanted)
