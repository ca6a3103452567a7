"""The most that a house can lose: by bet, by box and by round, under posted limits.

Every course of a round is looked at, and for each the wagers and covers that cost the house most.
"""

from collections.abc import Iterator
from fractions import Fraction

import msgspec

from punto.coup import STAGES, Coup
from punto.report.coups import Course, courses, deal_course
from punto.rulebook import CoverRow, Menu, Refused
from punto.rulebook.facts import HANDS
from punto.settlement import Cover, Limits, Struck, Wager, chips_of, cover_room

UNIT = 1_000_000
"""The stake on each bet where no limits are posted; amounts are then shares of it."""


class Worst(msgspec.Struct, frozen=True):
    """The coup that costs a house most, with the wagers and covers that do so, over all boxes; and how much."""

    coup: Coup
    wagers: tuple[Wager, ...]
    covers: tuple[Cover, ...]
    boxes: int
    amount: int


Hand = tuple[str, Fraction, tuple[CoverRow, ...]]
"""All that the wagers on a hand have to do with a coup: what one unit nets, and the covers that would win."""


class Liability(msgspec.Struct, frozen=True):
    """What a layout can cost: the most staked on each bet in a box (None without bound), one box, and a round."""

    most: dict[str, int | None]
    box: Worst
    round: Worst
    wagers_per_area: int


def liability(menu: Menu, limits: Limits | None = None, boxes: int = 1) -> Liability:
    """The most that a box, and a round of so many boxes, can cost under posted limits.

    Without limits one unit lies on each bet. A bet without any maximum is left out of box and round.

    >>> from punto.rulebook import load, menu
    >>> posted = Limits(maximum=100_000, maximums={"tie": 10_000, "player-pair": 10_000, "banker-pair": 10_000})
    >>> found = liability(menu(load("commission-insurance")), posted, boxes=7)
    >>> found.box.amount, found.round.amount
    (400000, 2800000)
    """
    per_area = _wagers_per_area(menu)
    posted = Limits(maximum=UNIT, maximums=dict.fromkeys(menu.bets, UNIT)) if limits is None else limits
    most = {bet: _most(menu, bet, posted, per_area) for bet in menu.bets}
    worst = _Worst(menu, posted, most)
    return Liability(most, worst.of(1), worst.of(boxes), per_area)


def _wagers_per_area(menu: Menu) -> int:
    """How many wagers of the maximum may lie on one area, where the maximum is for each of them."""
    scope, several = menu.book.point("limits", "maximum-scope"), menu.book.point("betting", "wagers-per-area")
    if scope is not None and scope.value == "wager" and several is not None and isinstance(several.value, int):
        return several.value
    return 1


def _most(menu: Menu, bet: str, limits: Limits, per_area: int) -> int | None:
    """The most on a bet in one box; where the maximum is for box and hand, other bets are held to their own alone."""
    scope = menu.book.point("limits", "maximum-scope")
    by_hand = scope is not None and scope.value == "box-and-hand"
    priced = menu.bets[bet]
    posted = limits.maximums.get(bet) if by_hand and priced.bet.hand is None else limits.maximum_of(bet)
    if posted is None:
        return None
    step = chips_of(menu.book, limits).step(priced)
    return posted // step * step * per_area


class _Worst:
    """The search for the coup and the wagers that cost most."""

    def __init__(self, menu: Menu, limits: Limits, most: dict[str, int | None]) -> None:
        self.menu, self.limits = menu, limits
        self.most = {bet: stake for bet, stake in most.items() if stake}
        self.side = {bet: stake for bet, stake in self.most.items() if menu.bets[bet].bet.hand is None}
        policy = menu.book.policies.get("differential-scope")
        self.by_table = policy is None or policy.value != "box"
        self.cases = self._cases()

    def _cases(self) -> dict[tuple[Fraction, tuple[Hand, ...]], Course]:
        """Courses that differ in what they can cost: what other bets pay, and what happens to the hands."""
        side: dict[int, Fraction] = {}
        hands: dict[Course, tuple[Hand, ...]] = {}
        found: dict[tuple[Fraction, tuple[Hand, ...]], Course] = {}
        for course in courses():
            unpaired = course._replace(pairs="none")  # pairs are nothing to the hands
            if unpaired not in hands:
                coup = deal_course(unpaired)
                hands[unpaired] = tuple(self._hand(coup, hand) for hand in HANDS)
            outcome = course.outcome
            if outcome not in side:
                pays = (stake * max(self._net(bet, outcome), Fraction(0)) for bet, stake in self.side.items())
                side[outcome] = sum(pays, Fraction(0))
            found.setdefault((side[outcome], hands[unpaired]), course)
        return found

    def _net(self, bet: str, outcome: int) -> Fraction:
        """What one unit on a bet nets on an outcome; the most that it can where its cards decide."""
        if not self.menu.bets[bet].by_outcome:
            return max(row.odds.fraction for row in self.menu.bets[bet].rows if row.odds)
        verdict = self.menu.bets[bet].verdict(outcome)
        if verdict.odds is not None:
            return verdict.odds.fraction
        return Fraction(-1 if verdict.result == "lose" else 0)

    def of(self, boxes: int) -> Worst:
        """The worst coup for so many boxes with the same wagers in each."""
        stakes = self._stakes(boxes)
        best: dict[tuple[Hand, ...], tuple[Fraction, Fraction, tuple[Fraction, ...]]] = {}
        for _, hands in self.cases:
            if hands not in best:
                best[hands] = max(
                    (sum(map(self._value, hands, pair), Fraction(0)), -sum(pair, Fraction(0)), pair) for pair in stakes
                )
        side, hands = max(self.cases, key=lambda case: case[0] + best[case[1]][0])
        return self._told(boxes, side, hands, best[hands][2])

    def _hand(self, coup: Coup, hand: str) -> Hand:
        return hand, self._net(hand, coup.outcome), tuple(_winning_covers(self.menu, coup, hand))

    def _value(self, hand: Hand, stake: Fraction) -> Fraction:
        """What a stake on a hand costs, with the covers on it."""
        covers = (cover * row.odds.fraction for row, cover in self._covers(hand, stake))
        return hand[1] * stake + sum(covers, Fraction(0))

    def _stakes(self, boxes: int) -> list[tuple[Fraction, ...]]:
        """Stakes on Player and Banker in each box among which the worst must be.

        What a hand costs is linear in its stake but for a second cap, so only the ends of the ranges count, where
        that cap sets in, and all of these with the differential between them.
        """
        tops = [Fraction(self.most.get(hand, 0)) for hand in HANDS]
        insurance = self.menu.book.insurance
        marks = {Fraction(0), *tops}
        for also in insurance.cap_at if insurance else ():
            marks.add(also.share * (getattr(self.limits, also.of) or 0))
        if self.limits.differential is None:
            gap = max(tops)
        else:
            gap = Fraction(self.limits.differential, boxes if self.by_table else 1)
            marks |= {mark + gap for mark in marks} | {mark - gap for mark in marks}
        first, second = ({min(max(mark, Fraction(0)), top) for mark in marks} for top in tops)
        return [(one, other) for one in sorted(first) for other in sorted(second) if abs(one - other) <= gap]

    def _covers(self, hand: Hand, stake: Fraction) -> list[tuple[CoverRow, int]]:
        """The covers that cost most on a stake, taken in the order of their odds."""
        insurance = self.menu.book.insurance
        struck: list[Struck] = []
        for row in sorted(hand[2], key=lambda each: -each.odds.fraction):
            assert insurance is not None
            cover = Cover(row.stage, hand[0], 0, 0)
            try:
                room = cover_room(self.menu.book, insurance, row, cover, int(stake), struck, self.limits)
            except Refused:  # capped by a limit that is not posted: no such cover can be had
                continue
            struck.append(Struck(Cover(row.stage, hand[0], room, 0), row))
        return [(each.row, each.cover.stake) for each in struck if each.cover.stake]

    def _told(self, boxes: int, side: Fraction, hands: tuple[Hand, ...], stakes: tuple[Fraction, ...]) -> Worst:
        coup = deal_course(self.cases[side, hands])
        wagers: list[Wager] = []
        covers: list[Cover] = []
        for hand, stake in zip(hands, stakes, strict=True):
            if stake:
                taken = self._covers(hand, stake)
                covers += [Cover(row.stage, hand[0], boxes * each, len(wagers)) for row, each in taken]
                wagers.append(Wager(hand[0], int(boxes * stake)))
        won = {bet: stake for bet, stake in self.side.items() if self._net(bet, coup.outcome) > 0}
        wagers += [Wager(bet, boxes * stake) for bet, stake in won.items()]
        covers.sort(key=lambda each: STAGES.index(each.stage))
        amount = boxes * (side + sum(map(self._value, hands, stakes), Fraction(0)))
        return Worst(coup, tuple(wagers), tuple(covers), boxes, int(amount))


def _winning_covers(menu: Menu, coup: Coup, hand: str) -> Iterator[CoverRow]:
    """The rows at which cover of a hand was on offer in a coup, and paid."""
    insurance = menu.book.insurance
    for stage in STAGES if insurance else ():
        seen = coup.situation(stage)
        if insurance is None or seen is None or not seen.card_due:
            continue
        row = insurance.row(stage, hand, seen.own(hand), seen.opposite(hand))
        if row is not None and (row.tie_pays is not None if coup.winner == "tie" else coup.winner != hand):
            yield row
