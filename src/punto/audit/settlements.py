"""Rounds settled again from the wagers, the cards and the limits; stakes given back where there was no result.

A round is settled a second time by the table's own rules on the state before it, and wherever nothing at the table
stands in the way a third time by `punto.settlement` alone, with the cards laid out anew.
"""

import msgspec

from punto.amounts import show_money
from punto.coup import BadCards, Coup, deal
from punto.rulebook import Refused
from punto.settlement import Cover, Line, Wager, settle
from punto.table import Round, Table
from punto.table import events as e
from punto.table.felt import coup, points_at, whole
from punto.table.handlers.differential import measured
from punto.table.handlers.settling import paid_early, settlement
from punto.table.state import Spot
from punto.table.turn import Turn


def end_wrong(table: Table, event: e.RoundEnded) -> str | None:
    """What is wrong with the money of a round that ended without a result: every stake goes back, and no more."""
    round = table.round
    if round is None:
        return "no round was running"
    if event.reversed:
        totals = {
            name: -sum(line.net for line in lines) for name, lines in round.lines.items() if name in table.patrons
        }
    else:
        involved = {spot[0] for spot in round.wagers} | {each.spot[0] for each in round.covers}
        totals = {name: table.patrons[name].held for name in involved}
    kept = {name: -_on_record(table, lines) for name, lines in round.lines.items()} if event.reversed else {}
    for name in sorted(totals.keys() | event.returned.keys() | event.owed.keys()):
        back, owed = event.returned.get(name, 0), event.owed.get(name, 0)
        due, debt = _bounded(table, name, totals.get(name, 0), kept.get(name, 0))
        if (back, owed) != (due, debt):
            return f"{name} gets {_with_debt(back, owed)} back, and should get {_with_debt(due, debt)}"
    return None


def settlement_wrong(table: Table, event: e.RoundSettled) -> str | None:
    """What is wrong with a settlement, by the table as it stood before: None if every amount is right."""
    round = table.round
    if round is None or not whole(round):
        return "the hands were not finished"
    result = coup(round)
    if event.cards != (tuple(map(str, result.player)), tuple(map(str, result.banker))) or event.winner != result.winner:
        return f"the cards on the felt are not those it was settled on: {result.winner} won"
    try:
        lines, spots, strikes = settlement(Turn(table, event.by), round)
    except Refused as refused:
        return f"it cannot be settled: {refused}"
    for name in (*lines, *event.lines):
        wrong = _lines_wrong(name, event.lines.get(name, ()), lines.get(name, ()))
        if wrong is not None:
            return wrong
    if spots != event.spots or event.strikes != (() if event.again else strikes):
        return "its lines are not about the wagers that lay there"
    return _moves_wrong(table, round, event, lines) or _third_time_wrong(table, round, event)


def _lines_wrong(name: str, told: tuple[Line, ...], found: tuple[Line, ...]) -> str | None:
    for line, right in zip(told, found, strict=False):
        if line.net != right.net:
            bet = f"{show_money(right.stake)} on {right.bet}"
            return f"{name}'s {bet} comes to {show_money(line.net)}, and should come to {show_money(right.net)}"
        if without_sentence(line) != without_sentence(right):
            return f"{name}'s line on {right.bet} should say: {right.why}"
    if len(told) != len(found):
        return f"{name} has {len(told)} lines, and should have {len(found)}"
    return None


def without_sentence(line: Line) -> Line:
    """A line of a settlement without its words, which another release may choose differently."""
    return msgspec.structs.replace(line, says="", message=None)


def _moves_wrong(table: Table, round: Round, event: e.RoundSettled, lines: dict[str, tuple[Line, ...]]) -> str | None:
    """What each purse gets: stakes and winnings, less chips that were taken back; the second time the difference."""
    for name in (*lines, *event.moves):
        if event.again and name not in table.patrons:
            continue
        total, kept = sum(line.net for line in lines.get(name, ())), _on_record(table, lines.get(name, ()))
        if event.again:
            total -= sum(line.net for line in round.lines.get(name, ()))
            kept -= _on_record(table, round.lines.get(name, ()))
        else:
            had, early = paid_early(round, name)
            total, kept = total - had, kept - early
            total += sum(line.stake for line in lines.get(name, ()))
            total -= sum(placed.stake for spot, placed in round.wagers.items() if placed.pulled and spot[0] == name)
        due = _bounded(table, name, total, kept)
        told = event.moves.get(name, (0, 0))
        if told != due:
            return f"{name} is paid {_with_debt(*told)}, and should be paid {_with_debt(*due)}"
    return None


def _on_record(table: Table, lines: tuple[Line, ...]) -> int:
    """Commission that is paid out and owed."""
    point = table.book.point("money", "commission")
    kept = point is not None and point.value == "on-record"
    return sum(line.commission for line in lines) if kept else 0


def _bounded(table: Table, name: str, total: int, kept: int) -> tuple[int, int]:
    """What goes to the purse, which holds no less than nothing, and what is owed beyond it or kept on record."""
    patron = table.patrons[name]
    kept = max(kept, -patron.owed)
    short = max(-patron.balance - total - kept, 0)
    return total + kept + short, short + kept


def _with_debt(amount: int, owed: int) -> str:
    return f"{show_money(amount)} and owes {show_money(owed)} more" if owed else show_money(amount)


# The third time: nothing of the table's own code, but for what lies on the felt


def _third_time_wrong(table: Table, round: Round, event: e.RoundSettled) -> str | None:
    try:
        nets = third_time(table, round)
    except Refused as refused:
        return f"it could not have been settled: {refused}"
    if nets is None:
        return None
    told = {
        name: [(spot, line.net) for spot, line in zip(event.spots[name], lines, strict=True)]
        for name, lines in event.lines.items()
    }
    if sorted(each for lines in told.values() for each in lines) == sorted(nets):
        return None
    return "settled anew from the bare cards and wagers it comes to other amounts"


def third_time(table: Table, round: Round) -> list[tuple[Spot, int]] | None:
    """What each wager and cover comes to by `punto.settlement.settle`; None where a ruling or a limit intervenes."""
    anew = plain_coup(round)
    if anew is None or not _plain(table, round):
        return None
    stakes = measured(round)
    spots = list(stakes)
    wagers = [Wager(spot[2], stake) for spot, stake in stakes.items()]
    covers = [Cover(each.stage, each.hand, each.stake, spots.index(each.spot)) for each in round.covers]
    lines = settle(
        table.book,
        anew,
        wagers,
        covers,
        layout=table.setup.layout,
        limits=table.setup.limits,
        chips=table.chips,
        owners=[spot[:2] for spot in spots],
        admitted=True,
    )
    about = [*spots, *(each.spot for each in round.covers)]
    return [(spot, line.net) for spot, line in zip(about, lines, strict=True) if spot in round.wagers]


def plain_coup(round: Round) -> Coup | None:
    """The coup dealt anew from its cards; None where it was left as it lay and the Table of Play gives another."""
    found = coup(round)
    try:
        anew = deal(found.cards)
    except BadCards:
        return None
    return anew if (anew.player, anew.banker) == (found.player, found.banker) else None


def _plain(table: Table, round: Round) -> bool:
    """Whether a round can be settled without the table: no ruling, nothing late, limits that need no boxes."""
    if round.passed or "payout-rounding" in table.policies:
        return False
    if any(each.late or points_at(round, each.stage) != round.windows.get(each.stage) for each in round.covers):
        return False
    limits, stakes = table.setup.limits, measured(round)
    if any(each.back is not None for each in round.wagers.values()):
        return False
    if any(stake < (limits.minimum_of(spot[2]) or 0) for spot, stake in stakes.items()):
        return False
    if any(placed.stake != stakes[spot] for spot, placed in round.wagers.items()):
        return False
    if len({spot[1] for spot in stakes}) < 2 and "differential-scope" not in table.policies:
        return True
    most = sum(stakes.values())
    posted = [limits.differential, limits.maximum, *limits.maximums.values()]
    return all(each is None or most <= each for each in posted)
