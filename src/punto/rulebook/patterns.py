"""Patterns: which finished coups a pay row is about, by the outcome and by the cards themselves."""

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec
from msgspec import UNSET, UnsetType

from punto.coup import Card, Coup, Outcome
from punto.rulebook.rank_tests import counts, height, longest_run

RED = frozenset("dh")
BLACK = frozenset("cs")

Faces = tuple[tuple[Card | None, ...], tuple[Card | None, ...]]
"""The cards of both hands as far as they lie open: three places each, None where no card is exposed."""

NO_FACES: Faces = ((None, None, None), (None, None, None))

PLACES: Mapping[str, tuple[tuple[int, int], ...]] = {
    "player-first": ((0, 0),),
    "player-second": ((0, 1),),
    "player-third": ((0, 2),),
    "banker-first": ((1, 0),),
    "banker-second": ((1, 1),),
    "banker-third": ((1, 2),),
    "player-start": ((0, 0), (0, 1)),
    "banker-start": ((1, 0), (1, 1)),
    "first-cards": ((0, 0), (1, 0)),
    "first-three": ((0, 0), (1, 0), (0, 1)),
    "first-four": ((0, 0), (1, 0), (0, 1), (1, 1)),
    "third-cards": ((0, 2), (1, 2)),
    "player-hand": ((0, 0), (0, 1), (0, 2)),
    "banker-hand": ((1, 0), (1, 1), (1, 2)),
    "all-cards": ((0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)),
}
"""The groups of cards that a test can be about: hand and place of each. What was not drawn belongs to none."""

GROUPS = tuple(PLACES)
LIKENESSES = ("rank", "suit", "colour")
TWO_CARD_TOTALS = ("player_two_card", "banker_two_card")


class CardTest(msgspec.Struct, frozen=True):
    """What must hold of a group of cards.

    `ranks` and `suits` say which of its cards are meant (None: all of them), `count` how many of those there may be;
    without a count every card of the group must be meant, and there is one at least. The cards meant agree in what
    `same` names, and `kinds` says how many of one rank, and of another, are among them at least, or of one suit or
    colour where `kind` says so. At least `run` of their ranks follow upon each other, `sum` has what they count in all,
    by `counting`, and the highest of them is higher than every card of the group `higher`, by `aces`.

    What was not asked in the first books is unset where it is not asked: so digests of old bets stay what they are.

    >>> from punto.coup import deal
    >>> suited = CardTest("player-start", same=("suit",))
    >>> suited.holds(deal("Kh 2c Qh 7s")), suited.holds(deal("Kh 2c Qd 7s"))
    (True, False)
    """

    group: str
    ranks: frozenset[int] | None = None
    suits: frozenset[str] | None = None
    count: frozenset[int] | None = None
    same: tuple[str, ...] = ()
    kinds: tuple[int, ...] = ()
    kind: str | UnsetType = UNSET
    run: int | UnsetType = UNSET
    sum: frozenset[int] | UnsetType = UNSET
    counting: str | UnsetType = UNSET
    higher: str | UnsetType = UNSET
    aces: str | UnsetType = UNSET

    @property
    def by_suit(self) -> bool:
        """Whether it looks at suits."""
        return self.suits is not None or self.kind is not UNSET or "suit" in self.same or "colour" in self.same

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups of cards that it looks at."""
        return (self.group,) if self.higher is UNSET else (self.group, self.higher)

    @property
    def places(self) -> tuple[tuple[int, int], ...]:
        """Hand and place of every card that it looks at."""
        return tuple(dict.fromkeys(place for group in self.groups for place in PLACES[group]))

    def means(self, card: Card) -> bool:
        """Whether a card is of the ranks and suits that are meant."""
        return (self.ranks is None or card.rank in self.ranks) and (self.suits is None or card.suit in self.suits)

    def holds(self, coup: Coup) -> bool:
        """Whether a finished coup passes."""
        hands = (coup.player, coup.banker)
        own, *other = (
            OpenGroup([hands[hand][at] for hand, at in PLACES[group] if at < len(hands[hand])]) for group in self.groups
        )
        return self.told(own, *other) is True

    def told(self, own: "OpenGroup", other: "OpenGroup | None" = None) -> bool | None:
        """Whether what is seen of its group passes, beside what is seen of the other one; None if that is open."""
        meant, most = [card for card in own.cards if self.means(card)], own.most
        found = {
            self._counted(len(own.cards), len(meant), own.least, most),
            self._alike(meant, most),
            self._kind(meant, most),
        }
        if self.run is not UNSET:
            found.add(longest_run(card.rank for card in meant) >= self.run or (None if most else False))
        if self.sum is not UNSET:
            found.add(self._summed(meant, most))
        if other is not None:
            found.add(self._higher(meant, most, other))
        return False if False in found else None if None in found else True

    def _counted(self, cards: int, meant: int, least: int, most: int) -> bool | None:
        every = self.ranks is None and self.suits is None
        if self.count is None:
            if meant < cards:
                return False
            if not most or every:
                return meant + least > 0 or (None if most else False)
            return None
        possible = range(meant + (least if every else 0), meant + most + 1)
        can = [number in self.count for number in possible]
        return True if all(can) else None if any(can) else False

    def _alike(self, meant: Sequence[Card], most: int) -> bool | None:
        if not self.same:
            return True
        if any(len({_like(card, each) for card in meant}) > 1 for each in self.same):
            return False
        return None if most else len(meant) > 1

    def _kind(self, meant: Sequence[Card], most: int) -> bool | None:
        likeness = "rank" if self.kind is UNSET else self.kind
        sizes = sorted(Counter(_like(card, likeness) for card in meant).values(), reverse=True)
        enough = len(sizes) >= len(self.kinds) and all(
            size >= kind for size, kind in zip(sizes, self.kinds, strict=False)
        )
        return enough or (None if most else False)

    def _summed(self, meant: Sequence[Card], most: int) -> bool | None:
        sums = self.sum or frozenset()
        counted = sum(counts(card.rank, self.counting or COUNTED) for card in meant)
        if not most:
            return counted in sums
        return None if max(sums, default=-1) >= counted else False

    def _higher(self, meant: Sequence[Card], most: int, other: "OpenGroup") -> bool | None:
        """Whether the highest card is higher than every one of the other group; both have some."""
        own, theirs = (
            max((height(card.rank, self.aces or "low") for card in cards), default=0) for cards in (meant, other.cards)
        )
        if most or other.most:
            return None
        return own > theirs > 0


class OpenGroup(msgspec.Struct, frozen=True):
    """What is seen of a group of cards: those that lie open, and how many more belong to it, at least and at most."""

    cards: Sequence[Card]
    least: int = 0
    most: int = 0


COUNTED = "values"
"""How cards are summed up where a test does not say it."""


def _like(card: Card, likeness: str) -> object:
    if likeness == "rank":
        return card.rank
    return card.suit if likeness == "suit" else card.suit in RED


EARLY_FIELDS = ("natural", "pairs", *TWO_CARD_TOTALS)
"""The properties that the first four cards tell."""


class Pattern(msgspec.Struct, frozen=True):
    """Which coups a row is about: for each named property the values that match, and what else must hold.

    A pattern without anything matches every coup.

    >>> Pattern((("winner", frozenset({"tie"})), ("points", frozenset({6, 7})))).matches(
    ...     Outcome(6, 6, 2, 3, "none"))
    True
    """

    fields: tuple[tuple[str, frozenset[int | str]], ...] = ()
    cards: tuple[CardTest, ...] = ()
    any: tuple["Pattern", ...] = ()
    """At least one of these matches, too."""
    none: tuple["Pattern", ...] = ()
    """None of these matches."""

    @property
    def parts(self) -> "tuple[Pattern, ...]":
        """The pattern itself and all within it."""
        return (self, *(part for each in (*self.any, *self.none) for part in each.parts))

    @property
    def by_outcome(self) -> bool:
        """Whether the outcome alone tells; otherwise the cards must be looked at."""
        return not any(each.cards or any(name in TWO_CARD_TOTALS for name, _ in each.fields) for each in self.parts)

    @property
    def by_suit(self) -> bool:
        """Whether suits must be known."""
        return any(test.by_suit for each in self.parts for test in each.cards)

    @property
    def early(self) -> bool:
        """Whether the first four cards tell."""
        return all(
            all(name in EARLY_FIELDS for name, _ in each.fields)
            and all(at < 2 for test in each.cards for _, at in test.places)
            for each in self.parts
        )

    def within(self, other: "Pattern") -> "Pattern":
        """The coups of this pattern that match another one, too."""
        return Pattern(any=(self,), none=(Pattern(none=(other,)),))

    def excludes(self, other: "Pattern") -> bool:
        """Whether no coup can match both, by a property that both name; False where that does not tell.

        >>> tie, banker = (Pattern((("winner", frozenset({each})),)) for each in ("tie", "banker"))
        >>> tie.excludes(banker), tie.excludes(Pattern())
        (True, False)
        """
        own = dict(self.fields)
        return any(name in own and own[name].isdisjoint(values) for name, values in other.fields)

    def matches(self, outcome: Outcome) -> bool:
        """Whether an outcome matches, which must tell all that the pattern asks."""
        return (
            all(getattr(outcome, name) in values for name, values in self.fields)
            and (not self.any or any(each.matches(outcome) for each in self.any))
            and not any(each.matches(outcome) for each in self.none)
        )

    def holds(self, coup: Coup, outcome: Outcome) -> bool:
        """Whether a finished coup with this outcome matches."""
        return (
            all(_value(name, coup, outcome) in values for name, values in self.fields)
            and all(test.holds(coup) for test in self.cards)
            and (not self.any or any(each.holds(coup, outcome) for each in self.any))
            and not any(each.holds(coup, outcome) for each in self.none)
        )

    def told(self, faces: Faces, outcomes: Sequence[Outcome]) -> bool | None:
        """Whether every coup that the open faces and these outcomes allow matches, or none; None if that is open.

        Never wrong, and open wherever parts of it are.
        """
        found: set[bool | None] = set()
        for name, values in self.fields:
            found.add(_all_or_none(_possible(name, faces, outcomes), values))
        found |= {_test_told(test, faces, outcomes) for test in self.cards}
        if self.any:
            parts = {each.told(faces, outcomes) for each in self.any}
            found.add(True if True in parts else None if None in parts else False)
        for each in self.none:
            holds = each.told(faces, outcomes)
            found.add(None if holds is None else not holds)
        return False if False in found else None if None in found else True


def _possible(name: str, faces: Faces, outcomes: Sequence[Outcome]) -> set[object]:
    if name not in TWO_CARD_TOTALS:
        return {getattr(outcome, name) for outcome in outcomes}
    first, second, *_ = faces[TWO_CARD_TOTALS.index(name)]
    return set(range(10)) if first is None or second is None else {(first.value + second.value) % 10}


def _all_or_none(possible: set[object], values: frozenset[int | str]) -> bool | None:
    return True if possible <= values else False if possible.isdisjoint(values) else None


def _test_told(test: CardTest, faces: Faces, outcomes: Sequence[Outcome]) -> bool | None:
    own, *other = (_seen(group, faces, outcomes) for group in test.groups)
    return test.told(own, *other)


def _seen(group: str, faces: Faces, outcomes: Sequence[Outcome]) -> OpenGroup:
    cards, least, most = [], 0, 0
    for hand, at in PLACES[group]:
        face = faces[hand][at] if at < len(faces[hand]) else None
        drawn = {(outcome.banker_cards if hand else outcome.player_cards) > at for outcome in outcomes}
        if face is not None:
            cards.append(face)
        elif True in drawn:
            most += 1
            least += False not in drawn
    return OpenGroup(cards, least, most)


def _value(name: str, coup: Coup, outcome: Outcome) -> object:
    if name in TWO_CARD_TOTALS:
        return coup.two_card_points[TWO_CARD_TOTALS.index(name)]
    return getattr(outcome, name)
