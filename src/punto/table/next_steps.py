"""What is to be done next at a table: the command, who gives it, and why. No step is named that would be refused."""

from collections.abc import Iterator

import msgspec

from punto.amounts import amounts_in
from punto.messages import Message, Sentence, message_of, say
from punto.rulebook import Basis, Insurance
from punto.rulebook.facts import FREE_HAND, TOO_FEW_CARDS
from punto.rulebook.vocabulary import DEALER
from punto.table import commands as c
from punto.table.answering import is_next
from punto.table.authority import rank_named
from punto.table.decide import can
from punto.table.felt import aside, due, unexposed, whole
from punto.table.handlers.calls import to_be_burned, unfit_shoe
from punto.table.handlers.differential import DIFFERENTIAL, gaps
from punto.table.handlers.disputes import pending
from punto.table.handlers.drawing import draw_basis
from punto.table.handlers.insurance import to_offer
from punto.table.handlers.rights import may_draw, may_squeeze
from punto.table.handlers.wagers import round_up
from punto.table.state import Question, Round, Shoe, Spot, Table, Window
from punto.table.turn import Turn

_NOT_NAMED = Basis()
_FIRST_FOUR = 4


class Next(msgspec.Struct, frozen=True):
    """What is to be done next: the command, who gives it, and the sentence to say.

    Several people are named with spaces between them. A step that is not `possible` yet waits for another.
    """

    do: str
    by: str
    says: str
    basis: Basis = Basis()
    message: Message | None = None
    possible: bool = True


def next_steps(table: Table) -> tuple[Next, ...]:
    """What is to be done next, the most pressing first. There is always something, while a table is open.

    Play comes first, then whom an open window of insurance waits for, then questions that hold nothing up, then
    disputes, which are all that is left of a closed table.

    >>> from punto.settlement import Limits
    >>> from punto.table.decide import act
    >>> table, _ = act(None, c.OpenTable("wu-song", "2025-03-01T20:00:00+08:00", 8, limits=Limits(1000, 50000, 50000)))
    >>> for step in next_steps(table):
    ...     print(step.do, step.by, step.says, sep=" | ")
    load-shoe | dealer | Put shuffled cards into use.
    """
    with amounts_in(table.setup.currency):
        return tuple(_steps(table))


def _steps(table: Table) -> list[Next]:
    turn = Turn(table, DEALER)
    if not table.open:
        return list(_disputed(turn))
    blocking = [each for each in table.questions if each.blocks]
    steps = [_answer(turn, each) for each in reversed(blocking)] if blocking else [*_play(turn)]
    steps += _offered(turn)
    named = {each.says for each in steps if each.do == "answer"}
    steps += [_answer(turn, each) for each in table.questions if not each.blocks and each.says not in named]
    steps += _disputed(turn)
    return steps


def _next(do: str, by: str, says: str, basis: Basis = _NOT_NAMED) -> Next:
    return Next(do, by, str(says), basis, message_of(says))


def _answer(turn: Turn, question: Question) -> Next:
    """What somebody is asked; of an earlier procedure it can be answered only after the later one."""
    step = _next("answer", " ".join(question.waiting) or question.to, question.sentence, question.basis)
    return step if is_next(turn.table, question) else msgspec.structs.replace(step, possible=False)


def _disputed(turn: Turn) -> Iterator[Next]:
    for each in turn.table.disputes:
        step = pending(turn, each)
        if step is not None:
            yield _next(*step)


def _before_shoe(turn: Turn) -> Next:
    """The next shoe; before a virtual one, the words of patrons that were committed to come out."""
    words = turn.table.words
    if words is None or not words.missing:
        says = say("next-load-shoe", "Put shuffled cards into use.")
        return _next("load-shoe", DEALER, says, turn.book.decks.basis)
    if not words.called:
        says = say("next-call-words", "Let the words for the next shoe come out.")
        return _next("call-words", DEALER, says, turn.book.decks.basis)
    says = say("next-invite-words", "Leave out who did not reveal a word, and ask the others again.")
    return _next("invite-words", DEALER, says, turn.book.decks.basis)


def _play(turn: Turn) -> Iterator[Next]:
    """What play needs, while nobody has to decide anything first."""
    table, round = turn.table, turn.table.running
    if table.shoe is None:
        yield _before_shoe(turn)
    elif round is None:
        yield _between_rounds(turn, table.shoe)
    elif table.shoe.replace is not None and not turn.begun():
        says = say("next-change-cards", "The cards must be changed.")
        yield _next("end-shoe", DEALER, says, table.shoe.replace)
    elif (basis := to_be_burned(turn)) is not None:
        yield _burn_first(basis)
    elif round.phase == "betting":
        yield from _betting(turn, round)
    else:
        yield from _unmet(turn, round) or _dealing(turn, round)


# Between rounds


def _between_rounds(turn: Turn, shoe: Shoe) -> Next:
    """What comes before the next round, or its opening call."""
    unfit = unfit_shoe(turn) or _too_few(turn, shoe)
    if unfit is not None:
        return _next("end-shoe", DEALER, *unfit)
    choice = turn.point("dealing", "method-choice")
    if choice is not None and turn.point("dealing", "methods") is not None and turn.table.method is None:
        says = say("next-choose-method", "Choose a method.")
        return _next("set-method", rank_named(turn.table, choice.by or DEALER, choice.basis), says, choice.basis)
    burn = turn.point("dealing", "burn")
    if burn is not None and can(turn.table, c.Burn()):
        return _burn_first(burn.basis)
    if shoe.free_next:
        says = say("next-free-hand", "The next hand is a free hand: call for it, and take no bets.")
        due_by = (shoe.free_because or _NOT_NAMED).plus(turn.basis("round", "free-hand"))
        return _next("open-bets", DEALER, says, due_by.plus(turn.row_basis(FREE_HAND.id)))
    return _next("open-bets", DEALER, say("next-open-bets", "Call for bets."), turn.basis("betting", "opens"))


def _burn_first(basis: Basis) -> Next:
    return _next("burn", DEALER, say("next-burn", "Burn a card before the first round."), basis)


def _too_few(turn: Turn, shoe: Shoe) -> tuple[Sentence, Basis] | None:
    """Why a round had better not be begun: not even its first four cards could be dealt."""
    left = shoe.left + len(shoe.carried)
    if left >= _FIRST_FOUR:
        return None
    says = say("next-too-few-cards", "Only {left} cards are left: put new ones into use.", left=left)
    return says, turn.row_basis(TOO_FEW_CARDS.id)


# Bets


def _betting(turn: Turn, round: Round) -> Iterator[Next]:
    early = turn.point("limits", "differential-early")
    altered = _unmet(turn, round) if early is not None and early.value == "alter" else []
    if altered:
        yield from altered
        return
    says = say("next-close-bets", "Call that no more bets are taken.")
    yield _next("close-bets", DEALER, says, turn.basis("betting", "closes"))


def _unmet(turn: Turn, round: Round) -> list[Next]:
    """What cures an exceeded differential that holds up the first card."""
    early = turn.point("limits", "differential-early")
    over = gaps(turn, round) if early is not None and early.value != "reject" and not round.cards else []
    if early is None or not over:
        return []
    asked = [each for each in turn.table.questions if each.topic == DIFFERENTIAL.name]
    if asked:
        return [_answer(turn, each) for each in asked]
    hand, _, amount = over[0]
    says = say(
        "over-differential-alter",
        "{hand:hand} is over the differential by {amount:money}: wagers must be altered.",
        hand=hand,
        amount=amount,
    )
    backers: dict[str, list[str]] = {"lower": [], "withdraw": []}
    for spot in round.wagers:
        if spot[2] == hand and all(spot[0] not in names for names in backers.values()):
            backers["lower" if _can_be_lowered(turn, round, spot) else "withdraw"].append(spot[0])
    return [_next(do, " ".join(names), says, early.basis) for do, names in backers.items() if names]


def _can_be_lowered(turn: Turn, round: Round, spot: Spot) -> bool:
    """Whether part of a wager can be taken back: what is left must be within the limits, and payable."""
    patron, box, bet = spot
    limits, stake = turn.table.setup.limits, round.wagers[spot].stake
    least = limits.minimum_of(bet) or limits.unit
    left = round_up(least, turn.table.chips.part(turn.table.menu[bet]))
    return can(turn.table, c.Lower(patron, bet, stake - left, box, by=patron))


# Cards


def _dealing(turn: Turn, round: Round) -> Iterator[Next]:
    if whole(round):
        announce = turn.point("dealing", "announce-result")
        if announce is not None and "result" not in round.announced:
            says = say("next-call-result", "Call the result, before anything is paid.")
            yield _next("announce", DEALER, says, announce.basis)
        else:
            yield _next("settle", DEALER, say("next-settle", "Pay and collect."), turn.basis("round", "ends"))
        return
    if to_offer(turn) is not None and turn.book.insurance is not None:
        says = say("next-offer-insurance", "Offer insurance before the next card.")
        yield _next("offer-insurance", DEALER, says, Basis((turn.book.insurance.windows,)))
    elif (at := due(round)) is not None:
        yield _draw(turn, round, at)
    if due(round) is None or len(round.cards) >= _FIRST_FOUR:
        yield from _opening(turn, round)


def _draw(turn: Turn, round: Round, hand: str) -> Next:
    """The next card, from the shoe or from those that lie aside."""
    controller = turn.table.shoe.controller if turn.table.shoe else None
    if controller is not None and not may_draw(turn.table, controller):
        says = say("next-give-back-shoe", "{patron} has no wager, and draws only with leave.", patron=controller)
        return _next("give-back-shoe", DEALER, says, turn.basis("dealing", "method-c-without-wager"))
    lies_aside = aside(round)
    place = lies_aside[0] if lies_aside else len(round.cards)
    says = say("next-draw", "Draw a card to {hand}.", hand=hand)
    if lies_aside:
        says = say("next-lay-aside", "Lay the card that lies aside to {hand}: it is the next one.", hand=hand)
    elif round.late:
        says = say("next-draw-closes-bets", "Draw a card to {hand}, which closes the bets of now.", hand=hand)
    elif round.window is not None and not round.window.drawn:
        says = say("next-draw-closes", "Draw a card to {hand}, which closes the insurance.", hand=hand)
    return _next("draw", controller or DEALER, says, draw_basis(turn, place, hand))


def _opening(turn: Turn, round: Round) -> Iterator[Next]:
    """The cards to be turned over: a chosen hand first, the Player's third before the Banker's."""
    down = [at for at in unexposed(round) if round.cards[at].area != "aside"]
    hands = list(dict.fromkeys(round.cards[at].area for at in down))
    thirds = bool(down) and down[0] >= _FIRST_FOUR
    order = turn.book.drawing["player-draws"] if thirds else _NOT_NAMED
    both = len(hands) > 1 or bool(aside(round))
    if thirds and both and "player" in hands and not round.banker_first:
        says = say("next-player-third", "Open the Player's third card: it comes before the Banker's.")
        yield _next("expose", _holder(turn, round, "player"), says, order)
        return
    first = [each.removeprefix("first-") for each in round.announced if each.startswith("first-")][-1:]
    if first and first[0] in hands and len(hands) > 1:
        says = say("next-open-first", "Open the {hand:hand} cards: that hand comes first.", hand=first[0])
        yield _next("expose", _holder(turn, round, first[0]), says, turn.basis("dealing", "first-opened"))
        return
    by = {hand: _holder(turn, round, hand) for hand in hands}
    if len(hands) > 1 and len(set(by.values())) == 1:
        yield _next("expose", by[hands[0]], say("next-open-both", "Open the cards of both hands."), order)
        return
    for hand in hands:
        says = say("next-open-hand", "Open the {hand:hand} cards.", hand=hand)
        if thirds:
            says = say("next-open-third", "Open the {hand:hand}'s third card.", hand=hand)
        yield _next("expose", by[hand], says, order)


def _holder(turn: Turn, round: Round, hand: str) -> str:
    """Who opens the cards of a hand: whoever squeezes it while their right stands, else the dealer."""
    return round.squeezers[hand] if may_squeeze(turn.table, hand) else DEALER


# Insurance


def _offered(turn: Turn) -> Iterator[Next]:
    """Whom an open window waits for, and what they lose who say nothing before the next card."""
    round, insurance = turn.table.running, turn.book.insurance
    window = round.window if round is not None else None
    if round is None or window is None or insurance is None:
        return
    taken = {each.spot for each in round.covers if each.stage == window.stage}
    for name in dict.fromkeys(spot[0] for spot, most in window.most.items() if most and spot not in taken):
        if _can_insure(turn, window, name):
            yield _next("insure", name, *_cost_of_silence(turn, window, insurance, name))


def _can_insure(turn: Turn, window: Window, name: str) -> bool:
    """Whether a patron still has chips for the smallest cover that can be paid."""
    smallest = turn.table.chips.step(window.row)
    own = [spot for spot in window.most if spot[0] == name]
    return any(can(turn.table, c.Insure(name, hand, smallest, box, by=name)) for _, box, hand in own)


def _cost_of_silence(turn: Turn, window: Window, insurance: Insurance, patron: str) -> tuple[Sentence, Basis]:
    """What somebody may still do in a window, and what it means if they say nothing."""
    hand, lapses = window.hand, insurance.basis("lapses")
    if patron in window.intent:
        says = say(
            "next-lay-cover",
            "{patron} has spoken for insurance on {hand:hand}, and lays it now.",
            patron=patron,
            hand=hand,
        )
        return says, lapses
    if not window.late and turn.table.policy("insurance-forfeit") == "round":
        says = say(
            "next-insure-or-forgo",
            "{patron} may insure {hand:hand} before the next card. To say nothing is to forgo it for this round.",
            patron=patron,
            hand=hand,
        )
        return says, lapses.plus(turn.policy_basis("insurance-forfeit"))
    return say("next-insure", "{patron} may insure {hand:hand} before the next card.", patron=patron, hand=hand), lapses
