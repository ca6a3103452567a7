"""Answers to questions, and rulings of the residual authority."""

from collections import Counter

from punto.coup import CARDS_IN_A_DECK, RANKS, SUITS, BadCards, card
from punto.rulebook import Basis, Refused
from punto.table import commands as c
from punto.table import events as e
from punto.table.authority import need, post_of, residual
from punto.table.felt import unexposed, whole
from punto.table.handlers.differential import cure, gaps
from punto.table.handlers.insurance import go_without
from punto.table.remedies.verbs import check_ruling
from punto.table.state import Question
from punto.table.turn import Turn


def answer(turn: Turn, command: c.Answer) -> None:
    """Whoever was asked answers; the staff may enter a patron's answer."""
    question = next((each for each in turn.table.questions if each.id == command.question), None)
    if question is None:
        raise Refused(f"There is no open question {command.question}.")
    patron = _who(turn, question, command)
    if command.choice not in question.choices:
        choices = ", ".join(question.choices)
        raise turn.refuse(f"{command.choice!r} is none of the choices: {choices}.", question.basis)
    if question.reason and not command.reason.strip():
        raise turn.refuse("This decision needs a reason, for the record.", question.basis)
    if question.step is not None and question.step != len(turn.table.procedures) - 1:
        raise turn.refuse("Something later is to be decided first.", question.basis)
    check = _CHECKS.get(question.topic)
    number = check(turn, question, command) if check is not None else None
    turn.happen(
        e.Answered,
        question.id,
        command.choice,
        command.reason,
        patron,
        command.patrons,
        number,
        command.wagers,
        basis=question.basis,
    )
    act = _ACTS.get(question.topic)
    if act is not None:
        act(turn, question, command)


def _who(turn: Turn, question: Question, command: c.Answer) -> str | None:
    if question.to != "patrons":
        need(turn.table, turn.by, question.to, question.basis)
        return None
    patron = command.patron or turn.by
    if patron not in question.waiting:
        raise turn.refuse(f"The question is not open to {patron}.", question.basis)
    if turn.by != patron and post_of(turn.table, turn.by) is None:
        raise turn.refuse(f"{turn.by} cannot answer for {patron}.", question.basis)
    if command.wagers and turn.table.policy("partial-withdrawal") != "yes":
        raise turn.refuse(
            "It is all or nothing: single wagers cannot be kept.", turn.policy_basis("partial-withdrawal")
        )
    held = {bet for name, _, bet in turn.table.running.wagers if name == patron} if turn.table.running else set()
    if command.wagers and (question.about == ("all",) or command.choice != "take-back"):
        raise turn.refuse("Here it is all wagers or none.", question.basis)
    if not set(command.wagers) <= held:
        raise Refused(f"{patron} has no wager on {', '.join(sorted(set(command.wagers) - held))}.")
    return patron


# What an answer must hold, and what an answer sets going


def _order(turn: Turn, question: Question, command: c.Answer) -> None:
    cards = turn.table.procedures[-1].cards
    if sorted(command.order) != sorted(cards):
        raise turn.refuse(f"The order names each of the places {', '.join(map(str, cards))} once.", question.basis)


def _fix_order(turn: Turn, question: Question, command: c.Answer) -> None:
    turn.happen(e.OrderFixed, command.order, basis=question.basis)


def _patrons(turn: Turn, question: Question, command: c.Answer) -> None:
    wrong = [name for name in command.patrons if name not in question.about]
    if wrong:
        raise turn.refuse(f"{wrong[0]} is not one of those it concerns.", question.basis)


def _ruling(turn: Turn, question: Question, command: c.Answer) -> None:
    if command.choice == "rule":
        check_ruling(turn, command.remedies)
    elif command.remedies:
        raise turn.refuse("Steps belong to the choice 'rule'.", question.basis)


def _ruled(turn: Turn, question: Question, command: c.Answer) -> None:
    steps: tuple[dict[str, str | int | bool], ...] = ()
    if command.choice == "rule":
        steps = command.remedies
    elif command.choice == "void":
        steps = ({"void": "round"},)
    if steps:
        turn.happen(e.StepsRuled, steps, basis=question.basis)


def _count(turn: Turn, question: Question, command: c.Answer) -> int:
    """How many cards were counted; their faces stay out of the record (AMB-86)."""
    sealed = turn.round().reserve + len(_down(turn))
    if len(command.sealed) != sealed:
        raise turn.refuse(f"{sealed} cards are to be read under seal.", question.basis)
    try:
        for face in (*command.count, *command.sealed):
            if card(face).suit is None:
                raise Refused(f"{face} has no suit: the count is by rank and suit.")
    except BadCards as error:
        raise Refused(str(error)) from None
    if any(each < 0 for each in command.count.values()):
        raise Refused("Fewer than none cannot be counted.")
    return sum(command.count.values())


def _down(turn: Turn) -> list[int]:
    gone = turn.table.procedures[-1].cards
    return [at for at in unexposed(turn.round()) if at not in gone]


def _counted(turn: Turn, question: Question, command: c.Answer) -> None:
    """What is missing from complete decks, if it can be told."""
    decks = turn.table.setup.decks
    full = Counter({rank + suit: decks for rank in RANKS for suit in SUITS})
    there: Counter[str] = Counter()
    for face, number in command.count.items():
        there[str(card(face))] += number
    there.update(str(card(face)) for face in command.sealed)
    there.update(str(each.face) for each in turn.round().cards if each.face is not None)
    missing = full - there
    cards = turn.table.procedures[-1].cards
    known = not (there - full) and missing.total() == len(cards) and full.total() == decks * CARDS_IN_A_DECK
    faces = tuple(sorted(missing.elements())) if known else None
    turn.happen(e.Deduced, sum(command.count.values()), faces, basis=question.basis)


def _squeeze(turn: Turn, question: Question, command: c.Answer) -> None:
    if command.choice == "yes" and question.about[1] in turn.table.patrons:
        turn.happen(e.Delivered, question.about[0], question.about[1], basis=question.basis)


def _squeezer(turn: Turn, question: Question, command: c.Answer) -> None:
    turn.happen(e.Delivered, question.about[0], command.choice, basis=question.basis)


def _banker_first(turn: Turn, question: Question, command: c.Answer) -> None:
    if command.choice == "yes":
        turn.happen(e.BankerFirstAllowed, *question.about, basis=question.basis)
        if question.about[1] == "squeeze" and question.about[0] in turn.table.patrons:
            turn.happen(e.Delivered, "banker", question.about[0], basis=question.basis)


def _no_insurance(turn: Turn, question: Question, command: c.Answer) -> None:
    if command.choice == "yes":
        go_without(turn, question.about, question.basis)


def _accept_no_insurance(turn: Turn, question: Question, command: c.Answer) -> None:
    """One refusal is enough for the table to keep its insurance."""
    if command.choice == "no":
        for each in [each for each in turn.table.questions if each.id == question.id]:
            turn.happen(e.Lapsed, each.id, basis=each.basis)
    elif len(question.waiting) == 1:
        go_without(turn, (*question.about, *question.answers, *question.waiting), question.basis)


def _replace(turn: Turn, question: Question, command: c.Answer) -> None:
    if command.choice == "yes" and turn.table.shoe is not None:
        turn.happen(e.CardsToBeReplaced, basis=question.basis)


def _remove(turn: Turn, question: Question, command: c.Answer) -> None:  # noqa: ARG001 - every act takes both
    """The latest money on the heavier hand comes off until the differential is met."""
    point = turn.point("limits", "differential-remove")
    for _ in range(1000):
        round = turn.round()
        over = gaps(turn, round)
        if not over:
            break
        hand, box, amount = over[0]
        on = [(spot, each) for spot, each in round.wagers.items() if spot[2] == hand and box in (None, spot[1])]
        spot, placed = max(on, key=lambda each: each[1].money[-1][0])
        back = min(amount, placed.money[-1][1])
        if placed.stake - back < (turn.table.setup.limits.minimum_of(hand) or 0):
            back = placed.stake  # nothing under the minimum is left standing
        turn.happen(
            e.WagerLowered, *spot, back, "Removed to meet the differential.", basis=point.basis if point else Basis()
        )
    cure(turn)


def _late_differential(turn: Turn, question: Question, command: c.Answer) -> None:
    from punto.table.handlers.settling import end_round, pay

    if command.choice == "settle":
        turn.happen(e.DifferentialPassed, basis=question.basis)
        if whole(turn.round()) and not turn.table.procedures:
            pay(turn)
    else:
        end_round(turn, "void", question.basis.plus(turn.basis("money", "void")))


_CHECKS = {
    "order": _order,
    "intended": _patrons,
    "refer": _ruling,
    "count": _count,
}
_ACTS = {
    "order": _fix_order,
    "refer": _ruled,
    "count": _counted,
    "squeeze": _squeeze,
    "squeezer": _squeezer,
    "banker-third-first": _banker_first,
    "no-insurance": _no_insurance,
    "accept-no-insurance": _accept_no_insurance,
    "replace-cards": _replace,
    "differential": _remove,
    "differential-late": _late_differential,
}


def rule(turn: Turn, command: c.Rule) -> None:
    """The residual authority says how this table takes a reading from now on (AMB-79)."""
    rank, point = residual(turn.table)
    turn.need(rank, point.basis)
    policy = turn.book.policies.get(command.policy)
    if policy is None:
        raise turn.refuse(
            f"There is no reading {command.policy!r} to rule on; there are {', '.join(turn.book.policies)}. "
            "Odds, decks and windows are the book's and cannot be changed at a table.",
            turn.book.front.get("approval") or Basis(),
        )
    if command.value not in policy.choices:
        raise turn.refuse(f"{command.policy} is one of {', '.join(policy.choices)}.", point.basis)
    if not command.reason.strip():
        raise turn.refuse("A ruling needs a reason, for the record.", point.basis)
    turn.between_rounds("Readings are ruled on")
    basis = point.basis.plus(Basis((policy.clause,) if policy.clause else (), (policy.reading,)))
    turn.happen(e.RulingMade, command.policy, command.value, command.reason, basis=basis)
