"""The value of each guard that `punto.rulebook.facts` names, for a report at a table."""

from collections.abc import Callable, Iterable, Mapping

from punto.coup import result_fixed
from punto.rulebook import established
from punto.rulebook.facts import GUARDS, HANDS, Fact
from punto.table import commands as c
from punto.table.felt import chances, due_without_surplus, faces, in_order, situation, whole
from punto.table.handlers.insurance import missed
from punto.table.knowledge import is_shut
from punto.table.places import left_over
from punto.table.state import Round
from punto.table.turn import Turn


def guards_of(turn: Turn, fact: Fact, report: c.Report) -> dict[str, str]:
    """The guards that the rows about a fact, and their steps, may depend on."""
    names = (*fact.guards, *(name for name, guard in GUARDS.items() if guard.always))
    return {name: VALUES[name](turn, fact, report) for name in names}


def holds(when: Mapping[str, frozenset[str]], guards: Mapping[str, str]) -> bool:
    """Whether the guards of a case are those that a row, a step or a choice asks for."""
    return all(guards.get(name) in values for name, values in when.items())


def is_established(turn: Turn, round: Round) -> bool:
    """Whether some available bet has conclusively won or lost, by the exposed cards (AMB-11, AMB-12)."""
    menu = turn.table.menu
    scope = turn.table.policy("outcome-scope")
    bets = list(menu.bets)
    if scope == "placed":
        bets = [bet for bet in bets if any(spot[2] == bet for spot in round.wagers)]
    elif scope == "main":
        bets = [bet for bet in bets if bet in ("player", "banker", "tie")]
    return established(menu, chances(round), bets, faces(round))


def _outcome(turn: Turn, fact: Fact, report: c.Report) -> str:
    round = turn.table.round
    if round is not None and fact.put_in_order and report.reconstructible is not False:
        round = in_order(round)
    return "established" if round is not None and is_established(turn, round) else "open"


def _result(turn: Turn, fact: Fact, report: c.Report) -> str:
    round = turn.table.round
    if round is None or round.phase == "settled":
        return "fixed"
    if fact.result_by is not None and turn.table.policy(fact.result_by) == "layout":
        return "fixed" if is_established(turn, round) else "open"
    return "fixed" if result_fixed(chances(round)) else "open"


def _reconstructible(turn: Turn, fact: Fact, report: c.Report) -> str:
    return _flag(report.reconstructible is not False)


def _exposed(turn: Turn, fact: Fact, report: c.Report) -> str:
    round = turn.table.round
    if report.exposed is not None:
        return _flag(report.exposed)
    if report.faces:
        return "true"
    if round is None:
        return "false"
    if report.cards:
        return _flag(any(round.cards[at].face is not None for at in report.cards))
    if report.hand is not None and fact.handed_over:
        return _flag(any(each.face is not None and not each.printed for each in round.hand(report.hand)))
    return _flag(round.cards and round.cards[-1].face is not None)


def _order(turn: Turn, fact: Fact, report: c.Report) -> str:
    return report.order or "known"


def _number(turn: Turn, fact: Fact, report: c.Report) -> str:
    """Wrong if a hand has more or fewer cards than in drawn order; while the first four are dealt, more than two."""
    round = turn.table.round
    if round is None:
        return "right"
    if len(round.cards) < 4:
        return "wrong" if any(len(round.hand(hand)) > 2 for hand in HANDS) else "right"
    meant = in_order(round)
    return "right" if all(len(round.hand(hand)) == len(meant.hand(hand)) for hand in HANDS) else "wrong"


def _touches(turn: Turn, fact: Fact, report: c.Report) -> str:
    return "initial-deal" if any(at < 4 for at in report.cards) else "later"


def _noticed(turn: Turn, fact: Fact, report: c.Report) -> str:
    """A round is under way from the opening call, or from its first card, as the book counts it."""
    return "in-round" if turn.begun() else "after-payment"


def _hand(turn: Turn, fact: Fact, report: c.Report) -> str:
    return report.hand or "player"


def _banker_due(turn: Turn, fact: Fact, report: c.Report) -> str:
    return _flag(turn.table.round is not None and due_without_surplus(turn.table.round) == "banker")


def _player_due(turn: Turn, fact: Fact, report: c.Report) -> str:
    return _flag(turn.table.round is not None and due_without_surplus(turn.table.round) == "player")


def _next_card(turn: Turn, fact: Fact, report: c.Report) -> str:
    """Undrawn while the window that was missed could still be offered: the next card is neither drawn nor known."""
    round = turn.table.round
    if round is None:
        return "drawn"
    owed = missed(turn, round)
    if not owed or round.phase != "closed":
        return "drawn"
    now, stage = situation(round), owed[0][0]
    at_that_stage = now is not None and now[0] == stage
    return "undrawn" if at_that_stage and not is_shut(turn.table, round, stage) else "drawn"


def _insurance(turn: Turn, fact: Fact, report: c.Report) -> str:
    return "off" if turn.table.insurance_off else "offered"


def _from(turn: Turn, fact: Fact, report: c.Report) -> str:
    """Which hands the cards are missing from that nobody has found out yet, those of an earlier report included."""
    round = turn.table.round
    missing = {*report.cards, *(at for at in round.gone if round.cards[at].face is None)} if round is not None else ()
    return "one-hand" if round is None else hands_of(round, missing)


def hands_of(round: Round, cards: Iterable[int]) -> str:
    """Whether cards lie with one hand or with both."""
    return "both-hands" if len({round.cards[at].area for at in cards}) > 1 else "one-hand"


def _value(turn: Turn, fact: Fact, report: c.Report) -> str:
    return "known" if report.faces else "unknown"


def _seen(turn: Turn, fact: Fact, report: c.Report) -> str:
    """What was seen of the cards in use: the cards of a round that another shoe dealt are none of them."""
    shoe, round = turn.table.shoe, turn.table.round
    if shoe is not None and shoe.first_bettors is not None:
        return "true"  # a hand was dealt
    cards = () if shoe is None or round is None or round.shoe != shoe.number else round.cards
    return _flag(report.seen or any(each.face and not each.printed for each in cards))


def _round(turn: Turn, fact: Fact, report: c.Report) -> str:
    """The first hand is past with the opening call of the second, or its first card, as the book counts (AMB-110)."""
    shoe = turn.table.shoe
    if shoe is None or shoe.rounds < 2:
        return "first"
    waits = turn.table.running is not None and not turn.begun()
    return "first" if shoe.rounds == 2 and waits else "later"


def _position(turn: Turn, fact: Fact, report: c.Report) -> str:
    running = turn.table.running
    if running is None or not running.cards:
        return "first"
    queued = turn.table.shoe.carried if turn.table.shoe is not None else ()
    return "first" if fact.of_next_hand and whole(running) and None not in queued else "later"


def _place(turn: Turn, fact: Fact, report: c.Report) -> str:
    return "high-limit" if turn.table.setup.high_limit else "elsewhere"


def _cause(turn: Turn, fact: Fact, report: c.Report) -> str:
    return report.cause or "other"


def _method(turn: Turn, fact: Fact, report: c.Report) -> str:
    return "c" if turn.table.method == "C" else "a-b"


def _left_over(turn: Turn, fact: Fact, report: c.Report) -> str:
    """What is known of the cards left over, in the order in which the next round would take them."""
    shoe, left = turn.table.shoe, left_over(turn.table)
    if shoe is None or not any(left):
        return "unseen"
    if all(each is None or each.moved for each in shoe.top) and not any(left[: len(left) - len(shoe.top)]):
        return "moved"
    return "seen" if (*shoe.carried, *left)[0] is not None else "behind"


def _flag(value: object) -> str:
    return "true" if value else "false"


VALUES: dict[str, Callable[[Turn, Fact, c.Report], str]] = {
    "outcome": _outcome,
    "result": _result,
    "reconstructible": _reconstructible,
    "exposed": _exposed,
    "number": _number,
    "order": _order,
    "touches": _touches,
    "noticed": _noticed,
    "hand": _hand,
    "banker-due": _banker_due,
    "player-due": _player_due,
    "next-card": _next_card,
    "insurance": _insurance,
    "from": _from,
    "value": _value,
    "seen": _seen,
    "round": _round,
    "position": _position,
    "place": _place,
    "cause": _cause,
    "method": _method,
    "left-over": _left_over,
}
