"""Which part of a stake plays, where posted limits are exceeded: one pipeline, parameters by book."""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from punto.amounts import show_money
from punto.rulebook import Basis, Book, Menu, Refused
from punto.settlement.lines import Limits, Wager


def pro_rata(stakes: Sequence[int], allowed: int, *, minimum: int, floor: bool, units: Sequence[int]) -> list[int]:
    """Scale stakes down so that together they come to what is allowed (AMB-21).

    Stakes under the minimum play in full. With a floor no other is scaled below the minimum: those
    are pinned there and the rest is scaled again. Each is rounded down to its unit, a pinned one up.

    >>> pro_rata([2000, 500, 120], 1000, minimum=100, floor=True, units=[1, 1, 1])
    [720, 180, 100]
    >>> pro_rata([600, 400], 500, minimum=0, floor=False, units=[1, 1])
    [300, 200]
    """
    pinned = {at: stake for at, stake in enumerate(stakes) if stake < minimum}
    lowest = [min(-(-minimum // unit) * unit, stake) for stake, unit in zip(stakes, units, strict=True)]
    while True:
        scaled = sum(stake for at, stake in enumerate(stakes) if at not in pinned)
        left = max(allowed - sum(pinned.values()), 0)
        factor = min(Fraction(left, scaled), Fraction(1)) if scaled else Fraction(1)
        low = [at for at, stake in enumerate(stakes) if at not in pinned and floor and stake * factor < minimum]
        if not low:
            break
        pinned |= {at: lowest[at] for at in low}
    return [
        pinned[at] if at in pinned else stake if factor == 1 else int(stake * factor) // unit * unit
        for at, (stake, unit) in enumerate(zip(stakes, units, strict=True))
    ]


def playing(menu: Menu, wagers: Sequence[Wager], limits: Limits) -> list[tuple[int, Basis]]:
    """For each wager the part of its stake that plays, and why where that is not all of it.

    The limits are applied in the order of the book's `pipeline`. The minimum changes no stake here: a
    wager under it that nobody noticed plays in full, and whether it is a patron's first is for the table.
    """
    stakes = [wager.stake for wager in wagers]
    reasons = [Basis()] * len(stakes)
    pipeline = menu.book.point("limits", "pipeline")
    order = () if pipeline is None else pipeline.value
    for limit in (order,) if isinstance(order, str) else order if isinstance(order, tuple) else ():
        posted: int | None = getattr(limits, limit)
        if posted is not None and limit != "minimum":
            for at, basis in _apply(limit, posted, menu, wagers, stakes, limits).items():
                reasons[at] = reasons[at].plus(basis)
    return list(zip(stakes, reasons, strict=True))


def _apply(
    limit: str, posted: int, menu: Menu, wagers: Sequence[Wager], stakes: list[int], limits: Limits
) -> dict[int, Basis]:
    """Cut the stakes to a limit; says for which of them it mattered, and why."""
    book = menu.book
    units = [lcm(limits.unit, menu[wager.bet].multiple) for wager in wagers]
    over = book.point("limits", "over-maximum")
    if limit == "maximum" and over is not None and over.value == "to-maximum":
        cut = {at: posted // units[at] * units[at] for at, stake in enumerate(stakes) if stake > posted}
        for at, most in cut.items():
            stakes[at] = most
        return dict.fromkeys(cut, over.basis)
    on = {
        hand: [at for at, wager in enumerate(wagers) if menu[wager.bet].bet.hand == hand]
        for hand in ("player", "banker")
    }
    sums = {hand: sum(stakes[at] for at in places) for hand, places in on.items()}
    late = book.point("limits", "differential-late")
    reasons: dict[int, Basis] = {}
    for hand, places in on.items():
        other = sums["banker" if hand == "player" else "player"]
        allowed = posted if limit == "maximum" else posted + other
        if sums[hand] <= allowed:
            continue
        if late is None or late.value != "pro-rata":
            raise _unprovided(book, posted, late.basis if late else Basis())
        floor = book.point("limits", "pro-rata-floor")
        scaled = pro_rata(
            [stakes[at] for at in places],
            allowed,
            minimum=limits.minimum or 0,
            floor=floor is not None and floor.value == "minimum",
            units=[units[at] for at in places],
        )
        small = book.point("limits", "under-minimum-in-excess")
        scope = book.policies.get("differential-scope")
        basis = late.basis.plus(Basis((), (scope.reading,) if scope else ()))
        if limit == "maximum" and over is not None:
            basis = basis.plus(over.basis)
        for at, stake in zip(places, scaled, strict=True):
            if stake < stakes[at]:
                reasons[at] = basis
            elif stake < (limits.minimum or 0) and small is not None:
                reasons[at] = small.basis
            stakes[at] = stake
    return reasons


def _unprovided(book: Book, posted: int, basis: Basis) -> Refused:
    return Refused(
        f"The differential of {show_money(posted)} is exceeded, and the book has no rule for it once the "
        "cards are dealt: the residual authority decides.",
        book,
        basis,
    )
