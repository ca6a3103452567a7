"""Which part of a stake plays, where posted limits are exceeded: one pipeline, parameters by book."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import repeat

from punto.messages import say
from punto.rulebook import Basis, Book, Menu, Refused
from punto.settlement.chips import Chips, chips_of
from punto.settlement.lines import Limits, Wager

SCOPES = ("table", "box", "both")
"""What the differential can be counted on (AMB-20)."""

CUTTING = ("maximum", "differential")
"""The limits of a book's `pipeline` that cut stakes; a minimum cuts none."""

_WHOLE = Basis()
_OTHER = {"player": "banker", "banker": "player"}
_ONE_BOX = repeat(0)


def pro_rata(
    stakes: Sequence[int],
    allowed: int,
    *,
    minimum: int,
    floor: bool,
    units: Sequence[int],
    placed: Sequence[int] | None = None,
) -> list[int]:
    """Scale stakes down so that together they come to what is allowed (AMB-21).

    Stakes under the minimum as they were placed (if not said, as they are) play in full. With a floor
    no other is scaled below the minimum: those are pinned there and the rest is scaled again. Each is
    rounded down to its unit, a pinned one up.

    >>> pro_rata([2000, 500, 120], 1000, minimum=100, floor=True, units=[1, 1, 1])
    [720, 180, 100]
    >>> pro_rata([600, 400], 500, minimum=0, floor=False, units=[1, 1])
    [300, 200]

    Where the minimum is no whole number of chips, the least that plays is the next chip over it:

    >>> pro_rata([200, 216], 316, minimum=105, floor=True, units=[10, 10])
    [150, 160]
    >>> pro_rata([1000, 140], 880, minimum=105, floor=True, units=[10, 10])
    [770, 110]
    """
    pinned = {at: stake for at, stake in enumerate(stakes) if (placed or stakes)[at] < minimum}
    lowest = [min(-(-minimum // unit) * unit, stake) for stake, unit in zip(stakes, units, strict=True)]
    while True:
        scaled = sum(stake for at, stake in enumerate(stakes) if at not in pinned)
        left = max(allowed - sum(pinned.values()), 0)
        factor = min(Fraction(left, scaled), Fraction(1)) if scaled else Fraction(1)
        plays = [
            stake if factor == 1 else int(stake * factor) // unit * unit
            for stake, unit in zip(stakes, units, strict=True)
        ]
        low = [at for at, part in enumerate(plays) if at not in pinned and floor and part < minimum]
        if not low:
            return [pinned.get(at, part) for at, part in enumerate(plays)]
        pinned |= {at: lowest[at] for at in low}


def playing(
    menu: Menu,
    wagers: Sequence[Wager],
    limits: Limits,
    *,
    boxes: Sequence[int] | None = None,
    scope: str | None = None,
    chips: Chips | None = None,
) -> list[tuple[int, Basis]]:
    """For each wager the part of its stake that plays, and why where that is not all of it.

    The limits are applied in the order of the book's `pipeline`. `boxes` has the box number of each
    wager; without it all are of one box. `scope` says what the differential is counted on: `table`,
    `box`, or `both`, first each box and then the table over what is left; else the book's policy
    `differential-scope` does. Where the maximum is for a box and hand, other bets are held only to a
    maximum of their own. The minimum changes no stake here: a wager under it that nobody noticed
    plays in full, and whether it is a patron's first is for the table. What is cut goes in steps that `chips` can pay.

    With a limit of 1,000 on the difference, 1,500 on Banker in box 1 and on Player in box 2 level out
    over the table, but not in either box:

    >>> from punto.rulebook import load, menu
    >>> wagers = [Wager("banker", 150000), Wager("player", 150000)]
    >>> wu_song, posted = menu(load("wu-song")), Limits(differential=100000)
    >>> [stake for stake, _ in playing(wu_song, wagers, posted, boxes=[1, 2])]
    [100000, 100000]
    >>> [stake for stake, _ in playing(wu_song, wagers, posted, boxes=[1, 2], scope="table")]
    [150000, 150000]

    Three bets on Player, where the minimum is 100, share that limit pro rata:

    >>> wagers = [Wager("player", stake) for stake in (200000, 50000, 12000)]
    >>> posted = Limits(minimum=10000, differential=100000)
    >>> [stake for stake, _ in playing(wu_song, wagers, posted)]
    [72000, 18000, 10000]
    """
    if boxes is not None and len(boxes) != len(wagers):
        raise ValueError(f"There are {len(wagers)} wagers, and boxes for {len(boxes)}.")
    if boxes is not None and len(set(boxes)) < 2:
        boxes = None  # one box: counting by box and by table is the same
    counted_on = _scope(menu.book, scope)
    if not limits.maximums:
        # no single wager can exceed a limit that all of them together do not
        total = sum([wager.stake for wager in wagers])
        if all(limit is None or total <= limit for limit in (limits.maximum, limits.differential)):
            return [(wager.stake, _WHOLE) for wager in wagers]
    stakes = _Stakes(menu, wagers, limits, chips or chips_of(menu.book, limits))
    stakes.cut(boxes, counted_on)
    return list(zip(stakes.stakes, stakes.reasons, strict=True))


def cutting(book: Book) -> tuple[str, ...]:
    """The limits that cut stakes where they are exceeded, in the order in which the book applies them.

    >>> from punto.rulebook import load
    >>> cutting(load("dragon-tiger-mbs"))
    ('maximum', 'differential')
    """
    pipeline = book.point("limits", "pipeline")
    return () if pipeline is None else tuple(each for each in pipeline.values if each in CUTTING)


def _scope(book: Book, scope: str | None) -> str:
    """What the differential is counted on: as said, else by the book's policy."""
    if scope is None:
        policy = book.policies.get("differential-scope")
        scope = "table" if policy is None else policy.value
    if scope not in SCOPES:
        raise Refused(
            say(
                "no-such-scope",
                "There is no scope {scope:quoted} of the differential; it is table, box or both.",
                scope=scope,
            )
        )
    return scope


class _Stakes:
    """Stakes that one limit after the other cuts down, and why each was cut."""

    __slots__ = ("book", "chips", "counted", "hands", "limits", "menu", "reasons", "stakes", "wagers")

    def __init__(self, menu: Menu, wagers: Sequence[Wager], limits: Limits, chips: Chips) -> None:
        self.menu, self.book, self.wagers, self.limits, self.chips = menu, menu.book, wagers, limits, chips
        self.stakes = [wager.stake for wager in wagers]
        self.reasons = [_WHOLE] * len(wagers)
        self.hands = [menu[wager.bet].bet.hand for wager in wagers]
        self.counted: dict[
            bool, dict[tuple[int, str], int]
        ] = {}  # totals by box and hand; dropped whenever a stake is cut

    def cut(self, boxes: Sequence[int] | None, scope: str) -> None:
        """Apply the limits in the order of the book's pipeline."""
        for limit in cutting(self.book):
            if limit == "maximum" and (self.limits.maximum is not None or self.limits.maximums):
                self.to_maximum(boxes)
            elif limit == "differential" and self.limits.differential is not None:
                if boxes is not None and scope != "table":
                    self.to_differential(self.limits.differential, boxes)
                if boxes is None or scope != "box":
                    self.to_differential(self.limits.differential, None)

    def to_maximum(self, boxes: Sequence[int] | None) -> None:
        """Cut each wager to its maximum; where a maximum is for box and hand, cut all of that hand together."""
        over = self.book.point("limits", "over-maximum")
        counted = self.book.point("limits", "maximum-scope")
        single = counted is not None and counted.value == "wager"
        single = single or (over is not None and over.value == "to-maximum")
        general = self.limits.maximum if single else None
        own = self.limits.maximums
        if general is not None or own:
            basis = _WHOLE if over is None else over.basis
            for at, wager in enumerate(self.wagers):
                if single or self.hands[at] is None:
                    most = own.get(wager.bet, general)
                    if most is not None and self.stakes[at] > most:
                        unit = self._unit(at)
                        self._cut(at, most // unit * unit, basis)
        if single:
            return
        for (box, hand), total in self._totals(boxes).items():
            posted = self.limits.maximum_of(self.wagers[self.hands.index(hand)].bet)
            if posted is not None and total > posted:
                self._scale("maximum", posted, box, hand, posted, boxes)

    def to_differential(self, posted: int, boxes: Sequence[int] | None) -> None:
        """Cut the heavier hand, of each box or of the table, to the lighter one plus the limit."""
        totals = self._totals(boxes)
        for (box, hand), total in totals.items():
            if total > posted:
                allowed = posted + totals.get((box, _OTHER[hand]), 0)
                if total > allowed:
                    self._scale("differential", posted, box, hand, allowed, boxes)

    def _totals(self, boxes: Sequence[int] | None) -> dict[tuple[int, str], int]:
        totals = self.counted.get(boxes is None)
        if totals is None:
            totals = self.counted[boxes is None] = {}
            for box, hand, stake in zip(boxes or _ONE_BOX, self.hands, self.stakes, strict=False):
                if hand is not None:
                    key = box, hand
                    totals[key] = totals.get(key, 0) + stake
        return totals

    def _scale(self, limit: str, posted: int, box: int, hand: str, allowed: int, boxes: Sequence[int] | None) -> None:
        """Scale all stakes on a hand, of a box or of the table, down to what is allowed together."""
        book, wagers = self.book, self.wagers
        late = book.point("limits", "differential-late")
        if late is None or late.value != "pro-rata":
            raise _unprovided(book, limit, posted, late.basis if late else _WHOLE)
        places = [at for at, on in enumerate(self.hands) if on == hand and (boxes is None or boxes[at] == box)]
        minimum = self.limits.minimum_of(wagers[places[0]].bet) or 0
        floor = book.point("limits", "pro-rata-floor")
        scaled = pro_rata(
            [self.stakes[at] for at in places],
            allowed,
            minimum=minimum,
            floor=floor is not None and floor.value == "minimum",
            units=[self._unit(at) for at in places],
            placed=[wagers[at].stake for at in places],
        )
        policy = book.policies.get("differential-scope")
        basis = late.basis.plus(Basis((), (policy.reading,) if policy else ()))
        over = book.point("limits", "over-maximum")
        if limit == "maximum" and over is not None:
            basis = basis.plus(over.basis)
        small = book.point("limits", "under-minimum-in-excess")
        for at, stake in zip(places, scaled, strict=True):
            if stake < self.stakes[at]:
                self._cut(at, stake, basis)
            elif wagers[at].stake < minimum and small is not None:
                self._cut(at, stake, small.basis)

    def _cut(self, at: int, stake: int, basis: Basis) -> None:
        self.counted = {}
        self.stakes[at] = stake
        self.reasons[at] = self.reasons[at].plus(basis)

    def _unit(self, at: int) -> int:
        return self.chips.part(self.menu[self.wagers[at].bet])


def _unprovided(book: Book, limit: str, posted: int, basis: Basis) -> Refused:
    return Refused(
        say(
            "limit-exceeded-late",
            "The {limit} of {posted:money} is exceeded, and the book has no rule for it once the "
            "cards are dealt: the residual authority decides.",
            limit=limit,
            posted=posted,
        ),
        book,
        basis,
    )
