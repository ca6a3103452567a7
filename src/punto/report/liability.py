"""The most that a house can lose: by bet, by box and by round, under posted limits.

Every course of a round is looked at, and for each the wagers and covers that cost the house most.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction

import msgspec

from punto.amounts import USUAL
from punto.coup import STAGES, Coup, Situation
from punto.odds import bet_odds, full_shoe
from punto.odds.bets import net_of
from punto.report.coups import Course, courses, courses_by_outcome, deal_course
from punto.rulebook import CoverRow, Insurance, Menu, Refused, Row
from punto.rulebook.facts import HANDS
from punto.settlement import Cover, Limits, Struck, Wager, check_enforced, chips_of, cover_room, is_capped, payout_scope

UNIT = 1_000_000
"""The stake on each bet where no limits are posted; amounts are then shares of it."""


class Worst(msgspec.Struct, frozen=True):
    """The coup that costs a house most, with the wagers and covers that do so, over all boxes; and how much."""

    coup: Coup
    wagers: tuple[Wager, ...]
    covers: tuple[Cover, ...]
    boxes: int
    amount: int


Side = tuple[Fraction, Fraction]
"""What other bets pay in a box: what a posted payout does not count, and what it does."""
Hand = tuple[str, Fraction, tuple[CoverRow, ...]]
"""All that the wagers on a hand have to do with a coup: what one unit nets, and the covers that would win."""


class Liability(msgspec.Struct, frozen=True):
    """What a layout can cost: by bet the most staked in a box and paid on it (None without bound), a box, a round."""

    most: dict[str, int | None]
    greatest: dict[str, int | None]
    box: Worst
    round: Worst
    wagers_per_area: int


def liability(menu: Menu, limits: Limits | None = None, boxes: int = 1, currency: str = USUAL) -> Liability:
    """The most that a box, and a round of so many boxes, can cost under posted limits.

    Without limits one unit lies on each bet. A bet without any maximum is left out of box and round. A posted payout
    bounds what the table, a box or a wager is paid; one for each patron bounds neither, since many may bet in a box.

    >>> from punto.rulebook import load, menu
    >>> posted = Limits(maximum=100_000, maximums={"tie": 10_000, "player-pair": 10_000, "banker-pair": 10_000})
    >>> found = liability(menu(load("commission-insurance")), posted, boxes=7)
    >>> found.box.amount, found.round.amount
    (400000, 2800000)
    """
    per_area = _wagers_per_area(menu)
    posted = Limits(maximum=UNIT, maximums=dict.fromkeys(menu.bets, UNIT)) if limits is None else limits
    most = {bet: _most(menu, bet, posted, per_area, currency) for bet in menu.bets}
    worst = _Worst(menu, posted, most, per_area)
    greatest = {bet: None if stake is None else worst.alone(bet, stake) for bet, stake in most.items()}
    return Liability(most, greatest, worst.of(1), worst.of(boxes), per_area)


def best_rows(menu: Menu) -> dict[str, Row]:
    """The row of each bet that pays most, of those that a deal can meet: beside a printed card not all can be met."""
    met = {bet: [row for row in priced.rows if row.odds] for bet, priced in menu.bets.items()}
    if menu.book.cards.printed is not None:
        odds = bet_odds(menu, full_shoe(max(menu.book.decks.counts)))
        can = {bet: [each.row for each in odds[bet].rows if each.deals and each.row.odds] for bet in met}
        met = {bet: can[bet] or rows for bet, rows in met.items()}
    return {bet: max(rows, key=lambda row: row.odds.fraction if row.odds else 0) for bet, rows in met.items()}


def _wagers_per_area(menu: Menu) -> int:
    """How many wagers of the maximum may lie on one area, where the maximum is for each of them."""
    scope, several = menu.book.point("limits", "maximum-scope"), menu.book.point("betting", "wagers-per-area")
    if scope is not None and scope.value == "wager" and several is not None and isinstance(several.value, int):
        return several.value
    return 1


def _most(menu: Menu, bet: str, limits: Limits, per_area: int, currency: str) -> int | None:
    """The most on a bet in one box; where the maximum is for box and hand, other bets are held to their own alone."""
    scope = menu.book.point("limits", "maximum-scope")
    by_hand = scope is not None and scope.value == "box-and-hand"
    priced = menu.bets[bet]
    posted = limits.maximums.get(bet) if by_hand and priced.bet.hand is None else limits.maximum_of(bet)
    if posted is None:
        return None
    step = chips_of(menu.book, limits, currency).step(priced)
    return posted // step * step * per_area


class _Worst:
    """The search for the coup and the wagers that cost most."""

    def __init__(self, menu: Menu, limits: Limits, most: dict[str, int | None], per_area: int) -> None:
        self.menu, self.limits, self.per_area = menu, limits, per_area
        self.printed = menu.book.cards.printed
        self.best = {bet: row.odds.fraction for bet, row in best_rows(menu).items() if row.odds}
        check_enforced(menu.book, limits)  # a differential that holds nobody back makes nothing less
        self.scope = payout_scope(menu.book, limits)
        self.hands_counted = self.scope in ("box", "table") and any(self._is_counted(hand) for hand in HANDS)
        self.most = {bet: stake for bet, stake in most.items() if stake}
        self.side = {bet: stake for bet, stake in self.most.items() if menu.bets[bet].bet.hand is None}
        policy = menu.book.policies.get("differential-scope")
        self.by_table = policy is None or policy.value != "box"
        self.nets: dict[tuple[str, int], Fraction] = {}
        self.cases = self._cases()

    def _cases(self) -> dict[tuple[Side, tuple[Hand, ...]], Course]:
        """Courses that differ in what they can cost: what other bets pay, and what happens to the hands."""
        side: dict[int, Side] = {}
        hands: dict[Course, tuple[Hand, ...]] = {}
        found: dict[tuple[Side, tuple[Hand, ...]], Course] = {}
        insured = self.menu.book.insurance is not None  # covers see how an outcome came about, bets do not
        for course in courses() if insured else courses_by_outcome(self.printed):
            unpaired = course._replace(pairs="none")  # pairs are nothing to the hands
            if unpaired not in hands:
                hands[unpaired] = self._hands(unpaired)
            outcome = course.outcome
            if outcome not in side:
                nets = ((bet, stake, self._net(bet, outcome)) for bet, stake in self.side.items())
                side[outcome] = self._split((bet, stake * net) for bet, stake, net in nets if net > 0)
            found.setdefault((side[outcome], hands[unpaired]), course)
        return found

    def _net(self, bet: str, outcome: int) -> Fraction:
        """What one unit on a bet nets on an outcome; the most that it can where its cards decide."""
        if (bet, outcome) not in self.nets:
            priced = self.menu.bets[bet]
            if priced.by_outcome:
                row = priced.row_at(outcome)
                self.nets[bet, outcome] = Fraction(-1) if row is None else net_of(row)
            else:
                self.nets[bet, outcome] = self.best[bet]
        return self.nets[bet, outcome]

    def of(self, boxes: int) -> Worst:
        """The worst coup for so many boxes with the same wagers in each."""
        stakes = self._stakes(boxes)
        best: dict[tuple[Side | None, tuple[Hand, ...]], tuple[Fraction, Fraction, tuple[Fraction, ...]]] = {}
        worst: tuple[Fraction, Side, tuple[Hand, ...], tuple[Fraction, ...]] | None = None
        for side, hands in self.cases:
            key = (side if self.hands_counted else None), hands  # else what lies beside them changes nothing for hands
            if key not in best:
                best[key] = max(
                    (self._cost(boxes, side, hands, pair), -sum(pair, Fraction(0)), pair) for pair in stakes
                )
            pair = best[key][2]
            cost = self._cost(boxes, side, hands, pair)
            if worst is None or cost > worst[0]:
                worst = cost, side, hands, pair
        assert worst is not None
        return self._told(boxes, *worst)

    def alone(self, bet: str, stake: int) -> int:
        """The most that is paid on a bet in one box, on the best of its rows."""
        return int(self._cost(1, self._split([(bet, stake * self.best[bet])]), (), ()))

    def _is_counted(self, bet: str) -> bool:
        return is_capped(self.menu.book, bet)

    def _split(self, pays: Iterable[tuple[str, Fraction]]) -> Side:
        """What is paid in a box, by whether a posted payout counts it; a payout for each wager bounds each."""
        plain, counted = Fraction(0), Fraction(0)
        for bet, paid in pays:
            if self.scope is None or paid <= 0 or not self._is_counted(bet):
                plain += paid
            elif self.scope == "wager":
                plain += min(paid, Fraction((self.limits.payout or 0) * self.per_area))
            else:
                counted += paid
        return plain, counted

    def _cost(self, boxes: int, side: Side, hands: tuple[Hand, ...], stakes: tuple[Fraction, ...]) -> Fraction:
        """What so many boxes cost, each with these stakes on the hands."""
        pays = [each for hand, stake in zip(hands, stakes, strict=True) for each in self._paid(hand, stake)]
        plain, counted = (one + other for one, other in zip(side, self._split(pays), strict=True))
        most = Fraction(self.limits.payout or 0)
        if self.scope == "table":
            return boxes * plain + min(boxes * counted, most)
        if self.scope == "box":
            return boxes * (plain + min(counted, most))
        return boxes * (plain + counted)

    def _hands(self, course: Course) -> tuple[Hand, ...]:
        insurance = self.menu.book.insurance
        covers = dict.fromkeys(HANDS, ()) if insurance is None else _winning_covers(insurance, deal_course(course))
        return tuple((hand, self._net(hand, course.outcome), covers[hand]) for hand in HANDS)

    def _paid(self, hand: Hand, stake: Fraction) -> list[tuple[str, Fraction]]:
        """What a stake on a hand is paid, or loses, and what the covers on it are paid."""
        covers = self._covers(hand, stake)
        return [
            (hand[0], hand[1] * stake),
            *((f"{hand[0]}-insurance", cover * row.odds.fraction) for row, cover in covers),
        ]

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
        if self.hands_counted:
            most = Fraction(self.limits.payout or 0, boxes if self.scope == "table" else 1)
            marks |= {most / odds for odds in self._odds_on_hands()}
        if self.limits.differential is None:
            gap = max(tops)
        else:
            gap = Fraction(self.limits.differential, boxes if self.by_table else 1)
            marks |= {mark + gap for mark in marks} | {mark - gap for mark in marks}
        first, second = ({min(max(mark, Fraction(0)), top) for mark in marks} for top in tops)
        return [(one, other) for one in sorted(first) for other in sorted(second) if abs(one - other) <= gap]

    def _odds_on_hands(self) -> set[Fraction]:
        return {row.odds.fraction for hand in HANDS for row in self.menu[hand].rows if row.odds}

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

    def _told(
        self, boxes: int, cost: Fraction, side: Side, hands: tuple[Hand, ...], stakes: tuple[Fraction, ...]
    ) -> Worst:
        coup = deal_course(self.cases[side, hands], self.printed)
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
        return Worst(coup, tuple(wagers), tuple(covers), boxes, int(cost))


def _winning_covers(insurance: Insurance, coup: Coup) -> dict[str, tuple[CoverRow, ...]]:
    """By hand the rows at which cover was on offer in a coup, and paid."""
    seen = [each for each in map(coup.situation, STAGES) if each is not None and each.card_due]
    return {hand: tuple(_winning_rows(insurance, seen, coup.winner, hand)) for hand in HANDS}


def _winning_rows(insurance: Insurance, situations: Iterable[Situation], winner: str, hand: str) -> Iterator[CoverRow]:
    for seen in situations:
        row = insurance.row(seen.stage, hand, seen.own(hand), seen.opposite(hand))
        if row is not None and (row.tie_pays is not None if winner == "tie" else winner != hand):
            yield row
