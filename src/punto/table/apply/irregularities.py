"""How events about irregularities, questions and rulings change a table."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from punto.coup.cards import card
from punto.rulebook.facts import EXCESS_CARD, FACTS, GUARDS, LEFT_OVER
from punto.rulebook.model import Remedy
from punto.rulebook.vocabulary import SHOE_SCOPE
from punto.table import events as e
from punto.table.apply.settlement import original_back
from punto.table.apply.tools import (
    current,
    in_order,
    keep_free,
    keep_rulings,
    money,
    taken_off,
    unchanged,
    with_cards,
    with_round,
    with_shoe,
)
from punto.table.felt import aside, move, points_at, whole
from punto.table.knowledge import is_drawn
from punto.table.state import Area, Felt, Procedure, Table


def _reported(table: Table, event: e.Reported) -> Table:
    if event.row is None:
        rest: tuple[Remedy, ...] = (REFER,)
        basis = event.basis
    else:
        row = table.book.irregularities[event.row]
        rest, basis = row.do, row.basis.plus(event.basis)
    if FACTS[event.fact].carried_off and table.round is not None:
        table = with_round(table, gone=tuple(sorted({*table.round.gone, *event.cards})))
    elif event.fact == LEFT_OVER.id:
        table = with_round(table, judged=True)
    elif ORDER_LOST in event.guards and table.shoe is not None:
        table = with_shoe(table, top=())
    elif event.fact == EXCESS_CARD.id:
        table = _waits_no_more(table, judged=MISREAD not in event.guards)
    if MISREAD in event.guards:
        table = _top(table, led=(*table.procedures[-1].led, *event.cards))
    procedure = Procedure(
        event.fact,
        rest,
        basis,
        in_order(event.guards),
        event.cards,
        event.patron,
        event.hand,
        event.note,
        event.faces,
    )
    return replace(table, procedures=(*table.procedures, procedure))


def _waits_no_more(table: Table, *, judged: bool) -> Table:
    """The table when a card that waited aside for the points is dealt with; in a round that is over, once."""
    round = table.round
    if round is None or all(each.laid_with is None for each in round.cards):
        return table
    cards = tuple(replace(each, laid_with=None) for each in round.cards)
    return with_cards(table, cards, judged=round.judged or (judged and round.phase == "settled"))


MISREAD = "misread"
"""Among the guards of a fact that a corrected face has shown."""

ORDER_LOST = "order-lost"
"""Among the guards of a report that the order of the shoe cannot be told any more: nobody knows its next cards."""

REFER = Remedy("refer", None, None, False, {}, None, (), (), ())
"""The only step about a fact that the book does not cover."""


def _step_of(verb: str, object: str | None = None) -> Remedy:
    """A step without conditions or clauses, as a ruling names it."""
    return replace(REFER, verb=verb, object=object)


def _top(table: Table, **changes: Any) -> Table:
    *below, top = table.procedures
    return replace(table, procedures=(*below, replace(top, **changes)))


def _step_taken(table: Table, event: e.StepTaken) -> Table:
    if not table.procedures:
        return table
    if event.verb == "late-offer" and event.branch in ("", "refer"):
        table = _made_good(table)
    *below, top = table.procedures
    step = top.rest[0]
    if step.verb == REFER.verb and top.fact == EXCESS_CARD.id and not any(each.verb in _MOVE for each in top.rest):
        table = _disposed(table, top)
    more: tuple[Remedy, ...] = ()
    if event.branch == "else":
        more = step.otherwise
    elif event.branch == "then":
        more = step.then
    elif event.branch == "all-back":
        offer = table.book.offers.get(step.object or "") if step.verb == "offer" else None
        more = offer.all_back if offer else step.all_back
    elif event.branch == "refer":
        more = (REFER,)
    later = top.rest[1:] if event.branch != "all-back" else _about_the_shoe(table, top.rest[1:])
    rest = (*more, *later)
    if not rest:
        return replace(table, procedures=tuple(below))
    ruled = top.ruled - 1 + len(more) if top.ruled else 0
    return _top(table, rest=rest, answer=None, reason="", until_round_end=False, ruled=ruled)


def _made_good(table: Table) -> Table:
    """The table when an offer that was missed has been made late, or was referred: that window is not neglected again.

    As with every window that counts are the points that it was dealt with at.
    """
    round = current(table)
    over = [stage for stage in round.opened if stage not in round.windows and is_drawn(round, stage)]
    return with_round(table, windows={**round.windows, **{stage: points_at(round, stage) for stage in over}})


_MOVE = frozenset(("carry", "free-hand", "reassign", "reconstruct"))
"""What a ruling may do with a card that no hand needs; without any of it the card goes to the discards."""


def _disposed(table: Table, procedure: Procedure) -> Table:
    """The table when it has been ruled that a card goes to the discards that no hand needs."""
    round = table.running
    if round is None or not whole(round):
        return table
    places = set(procedure.cards or aside(round)[-1:])
    cards = (replace(each, disposed=at in places or each.disposed) for at, each in enumerate(round.cards))
    return with_cards(table, tuple(cards))


def _steps_ruled(table: Table, event: e.StepsRuled) -> Table:
    steps = tuple(_step_of(*_verb(each)) for each in event.steps)
    top = table.procedures[-1]
    return _top(table, rest=(top.rest[0], *steps, *top.rest[1:]), ruled=len(steps) + 1)


def _waiting(table: Table, event: e.Waiting) -> Table:
    """Move the procedure that waits for the end of the round below all others, so that it holds none of them up."""
    *others, top = table.procedures
    questions = tuple(each if each.step is None else replace(each, step=each.step + 1) for each in table.questions)
    return replace(table, procedures=(replace(top, until_round_end=True), *others), questions=questions)


def _verb(step: dict[str, str | int | bool]) -> tuple[str, str | None]:
    [(verb, object)] = step.items()
    return verb, None if object is True else str(object)


def _asked(table: Table, event: e.Asked) -> Table:
    return replace(table, questions=(*table.questions, event.question), asked=event.question.id)


_AS_GUARD = {"yes": "true", "no": "false"}
"""What a yes or no to a question that is named like a guard makes of the guard."""


_RULING = ("refer", "reversal")
"""The topics by which somebody decides beyond the book what becomes of a round."""


def _answered(table: Table, event: e.Answered) -> Table:
    question = next(each for each in table.questions if each.id == event.question)
    who = event.patron or question.to
    now = replace(
        question,
        waiting=tuple(each for each in question.waiting if each != event.patron),
        answers={**question.answers, who: " ".join((event.choice, *event.wagers))},
    )
    if now.waiting:
        return replace(table, questions=tuple(now if each is question else each for each in table.questions))
    table = replace(table, questions=tuple(each for each in table.questions if each is not question))
    if question.topic in _RULING and table.round is not None:
        table = with_round(table, ruled=True)
    if question.step is None:
        return table
    procedures = list(table.procedures)
    of = procedures[question.step]
    answer, guards = now.answers, of.guards
    if question.topic in GUARDS and event.choice in _AS_GUARD:
        guards = {**guards, question.topic: _AS_GUARD[event.choice]}
    if question.form == "patrons":
        answer = dict.fromkeys(event.patrons, event.choice)
    procedures[question.step] = replace(of, answer=answer, guards=guards, reason=event.reason)
    return replace(table, procedures=tuple(procedures))


def _asked_too(table: Table, event: e.AskedToo) -> Table:
    questions = tuple(
        replace(each, waiting=tuple(sorted({*each.waiting, event.patron}))) if each.id == event.question else each
        for each in table.questions
    )
    return replace(table, questions=questions)


def _choice_made(table: Table, event: e.ChoiceMade) -> Table:
    round, top = current(table), table.procedures[-1]
    chosen = frozenset((*event.on, *event.back)) | (top.chosen or frozenset())
    polled = replace(top, rest=top.rest[:1], answer=None, reason="", chosen=chosen)
    back = {name: frozenset(bets) for name, bets in in_order(event.back).items()}
    return with_round(table, polled=polled, withdrew={**round.withdrew, **back})


def _choice_reopened(table: Table, event: e.ChoiceReopened) -> Table:
    polled = current(table).polled
    assert polled is not None
    return replace(table, procedures=(*table.procedures, polled))


def _bound(table: Table, event: e.Bound) -> Table:
    round = current(table)
    return with_round(table, bound={**dict.fromkeys(event.patrons, len(round.cards)), **round.bound})


def _lapsed(table: Table, event: e.Lapsed) -> Table:
    return replace(table, questions=tuple(each for each in table.questions if each.id != event.question))


def _round_ended(table: Table, event: e.RoundEnded) -> Table:
    round = current(table)
    for patron in {spot[0] for spot in round.wagers} | {each.spot[0] for each in round.covers} | set(event.returned):
        held = 0 if event.reversed else table.patrons[patron].held
        table = money(table, patron, held=-held, balance=event.returned.get(patron, 0), owed=event.owed.get(patron, 0))
    table = replace(table, strikes=table.strikes - round.struck)
    table = with_round(table, phase="void", window=None, result=None, lines={}, struck=frozenset())
    if event.reversed and table.shoe is not None and table.shoe.results:
        table = with_shoe(table, results=table.shoe.results[:-1])
    table = keep_free(table)
    return replace(table, procedures=_after_round(table))


def _after_round(table: Table) -> tuple[Procedure, ...]:
    """The procedures left when a round has ended without a result.

    They are those of the next round, the one whose step ended the round, and of the others what is about the shoe.
    """
    of_next = 0 if table.paused is None else table.paused.procedures
    of_this = table.procedures[of_next:]
    about_the_shoe = [_only_about_the_shoe(table, each) for each in of_this[:-1]]
    return (*table.procedures[:of_next], *(each for each in about_the_shoe if each.rest), *of_this[-1:])


def _only_about_the_shoe(table: Table, procedure: Procedure) -> Procedure:
    """What is left of a procedure when its round has ended: the steps about the shoe, with nothing answered yet."""
    kept = _about_the_shoe(table, procedure.rest)
    ruled = len(_about_the_shoe(table, procedure.rest[: procedure.ruled]))
    return replace(procedure, rest=kept, answer=None, reason="", until_round_end=False, cards=(), ruled=ruled)


def _about_the_shoe(table: Table, steps: tuple[Remedy, ...]) -> tuple[Remedy, ...]:
    """The steps that are about the shoe: they are taken however the round ends."""
    offers = table.book.offers
    return tuple(
        each
        for each in steps
        if each.verb == "replace-cards" or (each.verb == "offer" and offers[each.object or ""].scope == SHOE_SCOPE)
    )


def _order_fixed(table: Table, event: e.OrderFixed) -> Table:
    cards = list(current(table).cards)
    places = sorted(event.order)
    laid = list(cards)
    for at, other in zip(places, [cards[at] for at in event.order], strict=True):
        laid[at] = move(other, cards[at].area)
    return with_cards(table, tuple(laid), as_it_lies=_but_for(table, event.order))


def _misplaced(table: Table, event: e.CardsMisplaced) -> Table:
    other: dict[str, Area] = {"player": "banker", "banker": "player", "aside": "aside"}
    cards = [move(each, other[each.area]) if at in event.at else each for at, each in enumerate(current(table).cards)]
    return with_cards(table, tuple(cards), as_it_lies=_but_for(table, event.at))


def _but_for(table: Table, places: tuple[int, ...]) -> tuple[int, ...]:
    """The cards that stay as they lie, without those that another error is about."""
    return tuple([at for at in current(table).as_it_lies if at not in places])


def _left_as_it_lies(table: Table, event: e.LeftAsItLies) -> Table:
    cards = current(table).cards
    return with_round(table, as_it_lies=tuple([at for at, each in enumerate(cards) if each.area != "aside"]))


def _relaid(table: Table, event: e.CardsRelaid) -> Table:
    areas: dict[str, Area] = {"player": "player", "banker": "banker", "aside": "aside"}
    cards = zip(event.areas, current(table).cards, strict=True)
    return with_cards(table, tuple(move(each, areas[area]) for area, each in cards))


def _carried(table: Table, event: e.CardsCarried) -> Table:
    shoe = table.shoe
    assert shoe is not None
    free, after_last = shoe.free_next or event.free, shoe.free_after_last or event.after_last
    why = event.basis if event.free else shoe.free_because
    if event.seen:
        seen, left = tuple(card(each) for each in event.seen), shoe.left - len(event.seen)
        top = shoe.top[len(seen) :]
        carried = (*shoe.carried, *seen)
        table = with_shoe(
            table,
            carried=carried,
            free_next=free,
            free_after_last=after_last,
            free_because=why,
            left=left,
            top=top,
        )
        round, more = table.round, len(seen)
        if round is None:
            return table
        return with_round(table, handed_on=round.handed_on + more, only_seen=round.only_seen + more)
    round = current(table)
    faces = tuple(round.cards[at].face for at in event.at)
    kept = tuple(each for at, each in enumerate(round.cards) if at not in event.at)
    gone = _places_left(round.gone, event.at)
    procedures = tuple(replace(each, cards=_places_left(each.cards, event.at)) for each in table.procedures)
    table = with_shoe(
        table,
        carried=(*shoe.carried, *faces),
        free_next=free,
        free_after_last=after_last,
        free_because=why,
    )
    table = replace(table, procedures=procedures)
    return with_cards(table, kept, gone=gone, handed_on=round.handed_on + len(faces))


def _places_left(places: tuple[int, ...], taken: tuple[int, ...]) -> tuple[int, ...]:
    """Places on the felt once the cards at others have been taken from it: those behind them move up."""
    return tuple(at - len([each for each in taken if each < at]) for at in places if at not in taken)


def _recalled(table: Table, event: e.CardsRecalled) -> Table:
    round, shoe = current(table), table.shoe
    assert shoe is not None
    carried, back = shoe.carried[: -event.count], shoe.carried[-event.count :]
    again = tuple(Felt("aside", face, face is not None) for face in back)
    left = bool(carried)
    free, after_last = shoe.free_next and left, shoe.free_after_last and left
    table = with_shoe(table, carried=carried, free_next=free, free_after_last=after_last)
    only_seen = max(round.only_seen - event.count, 0)
    return with_cards(table, (*round.cards, *again), handed_on=round.handed_on - event.count, only_seen=only_seen)


def _retrieved(table: Table, event: e.CardsRetrieved) -> Table:
    round, shoe = current(table), table.shoe
    assert shoe is not None
    back = round.from_shoe - len(round.gone)
    top = (*(None,) * back, *shoe.top) if shoe.top else ()
    table = with_shoe(table, left=shoe.left + back, top=top, **taken_off(shoe, round))
    table = replace(table, procedures=tuple(replace(each, cards=()) for each in table.procedures))
    bound = dict.fromkeys(round.bound, 0)  # every card from now on is drawn after their choice
    changes = {"announced": (), "squeezers": {}, "counted": None, "gone": (), "late": None, "bound": bound}
    return with_cards(table, (), as_it_lies=(), **changes)


def _reserved(table: Table, event: e.CardsReserved) -> Table:
    shoe, count = table.shoe, event.count
    assert shoe is not None
    known = tuple(each.face if each else None for each in shoe.top[:count])
    reserve = (*known, *(None,) * (count - len(known)))
    return with_round(with_shoe(table, left=shoe.left - count, top=shoe.top[count:]), reserve=reserve)


def _freed(table: Table, event: e.HandFreed) -> Table:
    if event.now:
        return with_round(table, free=True, phase="closed")
    return with_shoe(table, free_next=True, free_because=event.basis)


def _original_returned(table: Table, event: e.OriginalReturned) -> Table:
    round = current(table)
    spot = (event.patron, event.box, event.bet)
    table = with_round(table, wagers={**round.wagers, spot: replace(round.wagers[spot], back=event.basis)})
    if not event.amount:
        return table
    lines, lost = list(round.lines[event.patron]), (event.bet, -event.amount)
    at = next(at for at, line in enumerate(lines) if (line.bet, line.net) == lost)
    lines[at] = original_back(event.bet, lines[at].stake, event.basis)
    table = with_round(table, lines={**round.lines, event.patron: tuple(lines)})
    return money(table, event.patron, balance=event.amount)


def _to_be_replaced(table: Table, event: e.CardsToBeReplaced) -> Table:
    return with_shoe(table, replace=event.basis) if table.shoe is not None else table


HANDLERS: dict[type[e.Event], Callable[[Table, Any], Table]] = {
    e.Reported: _reported,
    e.StepTaken: _step_taken,
    e.StepsRuled: _steps_ruled,
    e.Waiting: _waiting,
    e.Asked: _asked,
    e.Answered: _answered,
    e.AskedToo: _asked_too,
    e.ChoiceMade: _choice_made,
    e.ChoiceReopened: _choice_reopened,
    e.Lapsed: _lapsed,
    e.Deduced: lambda table, event: _top(table, found=event.faces),
    e.RoundEnded: _round_ended,
    e.OrderFixed: _order_fixed,
    e.CardsMisplaced: _misplaced,
    e.CardsRelaid: _relaid,
    e.LeftAsItLies: _left_as_it_lies,
    e.CardsCarried: _carried,
    e.CardsRecalled: _recalled,
    e.CardsRetrieved: _retrieved,
    e.CardsReserved: _reserved,
    e.HandFreed: _freed,
    e.CardsToBeReplaced: _to_be_replaced,
    e.Noticed: unchanged,
    e.OriginalReturned: _original_returned,
    e.DifferentialPassed: lambda table, _: with_round(table, passed=True),
    e.Bound: _bound,
    e.RulingMade: lambda table, event: replace(
        keep_rulings(table), policies={**table.policies, event.policy: event.value}
    ),
    e.ComplaintAnswered: unchanged,
    e.NotedDown: unchanged,
}
