"""Recorded rounds settled again: what every wager and cover of a history comes to by its book."""

from punto.amounts import USUAL
from punto.coup import deal
from punto.history import RecordedRound, RecordedShoe
from punto.messages import say
from punto.rulebook import SHIPPED, Library, Refused, menu
from punto.settlement.chips import check_cover, chips_at
from punto.settlement.cover import strike
from punto.settlement.limits import playing
from punto.settlement.lines import Cover, Limits, Line, Wager
from punto.settlement.payout_cap import capped
from punto.settlement.settle import came_back, cover_line, settle, wager_line

_OWN = ("minimum", "maximum")


def settle_again(shoe: RecordedShoe, round: RecordedRound, library: Library = SHIPPED) -> list[Line]:
    """What every wager, then every cover, of a recorded round comes to. What is no round to settle is refused.

    >>> from punto.history import load
    >>> [shoe] = load('''punto history 1
    ... rulebook wu-song
    ... round 1
    ... cards K 4 2 J 9
    ... wager banker 100 = 100
    ... ''').shoes
    >>> [line.net for line in settle_again(shoe, shoe.rounds[0])]
    [10000]
    """
    fields = {**dict(shoe.fields), **dict(round.fields)}
    if round.void or "player" in fields:
        raise Refused(
            say("not-settled-from-record", "Round {number} cannot be settled from its record.", number=round.number)
        )
    book, limits = library.book(fields.get("digest") or shoe.rulebook), limits_of(shoe)
    result = deal(round.cards)
    wagers = [Wager(each.bet, each.stake) for each in round.wagers]
    covers = [Cover(each.stage, each.hand, each.stake, each.on - 1) for each in round.covers]
    boxes = [int(each) for each in fields.get("boxes", "").split()]
    whole, currency = fields.get("chips") == "whole", shoe.currency or USUAL
    chips = chips_at(book, limits.unit, limits.rounding, None, currency, whole)
    names = [each.patron or "" for each in round.wagers]
    owners = list(zip(names, boxes or [1] * len(names), strict=True))
    if not boxes:
        return settle(
            book,
            result,
            wagers,
            covers,
            layout=shoe.layout,
            limits=limits,
            chips=chips,
            owners=owners,
            admitted=True,
        )
    carried = menu(book, shoe.layout)
    parts = playing(carried, wagers, limits, boxes=boxes, chips=chips)
    lines = [
        wager_line(carried[wager.bet], wager, effective, reason, result, chips)
        for wager, (effective, reason) in zip(wagers, parts, strict=True)
    ]
    for each in strike(book, result, wagers, covers, limits, chips) if covers else ():
        check_cover(each.row, each.cover.stake, chips)
        effective = parts[each.cover.on][0]
        line = cover_line(book, result, each, effective == wagers[each.cover.on].stake, chips)
        lines.append(line if effective else came_back(line))
    owners += [owners[cover.on] for cover in covers]
    return list(capped(book, limits, lines, owners, chips))


def limits_of(shoe: RecordedShoe) -> Limits:
    """The limits that a record names.

    >>> from punto.history import Limit
    >>> limits_of(RecordedShoe("wu-song", limits=(Limit("minimum", 1000), Limit("maximum-tie", 5000)))).maximums
    {'tie': 5000}
    """
    posted = dict(shoe.limits)
    own = {
        kind: {n.removeprefix(f"{kind}-"): a for n, a in posted.items() if n.startswith(f"{kind}-")} for kind in _OWN
    }
    return Limits(
        posted.get("minimum"),
        posted.get("maximum"),
        posted.get("differential"),
        posted.get("unit", 1),
        dict(shoe.fields).get("rounding"),
        own["minimum"],
        own["maximum"],
        posted.get("payout"),
    )
