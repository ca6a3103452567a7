"""What one viewer may see of a table: no closed face, nobody else's purse; and what is to be done next."""

import msgspec

from punto.coup import Card
from punto.messages import Message, message_of, say
from punto.roads import Result
from punto.rulebook import Basis
from punto.rulebook.vocabulary import DEALER, PATRONS
from punto.settlement import Limits, Line
from punto.table.authority import holds, post_of
from punto.table.felt import due, points, unexposed, whole
from punto.table.handlers.differential import DIFFERENTIAL, gaps
from punto.table.handlers.disputes import pending
from punto.table.handlers.insurance import to_offer
from punto.table.handlers.rights import may_draw, may_squeeze
from punto.table.state import Question, Round, Table
from punto.table.turn import Turn
from punto.table.visible import HIDDEN, PUBLIC, Viewer, own_question, viewer_at

_NOT_NAMED = Basis()


class Next(msgspec.Struct, frozen=True):
    """What is to be done next: the command, who gives it, and the sentence to say."""

    do: str
    by: str
    says: str
    basis: Basis = Basis()
    message: Message | None = None


class SeenHand(msgspec.Struct, frozen=True):
    """A hand as it lies: a face, or None for a card face down."""

    cards: tuple[str | None, ...]
    points: int
    squeezer: str | None


class SeenWager(msgspec.Struct, frozen=True):
    """A wager on the felt."""

    patron: str
    box: int
    bet: str
    stake: int
    advised: bool


class SeenPatron(msgspec.Struct, frozen=True):
    """A patron; the purse only to themself and to the staff."""

    name: str
    box: int | None
    away: bool
    balance: int | None
    held: int
    owed: int | None


class SeenOffer(msgspec.Struct, frozen=True):
    """Insurance on offer: the odds, and how much the viewer may take, by box."""

    stage: str
    hand: str
    odds: str
    most: dict[str, int]
    late: bool


class SeenRound(msgspec.Struct, frozen=True):
    """The round as it stands."""

    number: int
    phase: str
    free: bool
    player: SeenHand
    banker: SeenHand
    next: str | None
    wagers: tuple[SeenWager, ...]
    offer: SeenOffer | None
    lines: dict[str, tuple[Line, ...]]
    result: Result | None


class View(msgspec.Struct, frozen=True):
    """A table as one person sees it."""

    book: str
    layout: str
    currency: str
    limits: Limits
    open: bool
    method: str | None
    insurance_off: bool
    patrons: tuple[SeenPatron, ...]
    round: SeenRound | None
    cards_left: int | None
    carried: tuple[str | None, ...]
    last_round: int | None
    results: tuple[Result, ...]
    questions: tuple[Question, ...]
    next: tuple[Next, ...]
    digest: str
    """Of the very book that the table goes by, whatever book has the same id today."""


def view(table: Table, viewer: str | None = None) -> View:
    """What a viewer sees: a post, a person of the staff, a patron, or nobody in particular."""
    return own_view(_public_view(table), table, viewer)


def own_view(public: View, table: Table, viewer: str | None) -> View:
    """What everybody sees of a table, with what this viewer sees besides: purses, lines, cover and questions."""
    if viewer is None:
        return public
    who = viewer_at(table, viewer)
    return msgspec.structs.replace(
        public,
        patrons=tuple(_own_patron(each, table, who) for each in public.patrons),
        round=_own_round(public.round, table.round, who),
        questions=questions_for(table, viewer),
        next=_steps_for(table, who) if table.questions else public.next,
    )


def _public_view(table: Table) -> View:
    """What anybody may see of a table."""
    shoe = table.shoe
    return View(
        table.book.id,
        table.setup.layout,
        table.setup.currency,
        (table.posted or table.setup).limits,
        table.open,
        table.method,
        table.insurance_off,
        tuple(SeenPatron(name, who.box, who.away, None, who.held, None) for name, who in table.patrons.items()),
        None if table.round is None else _public_round(table.round),
        None if shoe is None else shoe.left,
        () if shoe is None else tuple(map(_face, shoe.carried)),
        None if shoe is None else shoe.last_round,
        () if shoe is None else shoe.results,
        (),
        _steps_for(table, PUBLIC),
        table.book.digest,
    )


def questions_for(table: Table, viewer: str | None) -> tuple[Question, ...]:
    """The open questions that a viewer may answer; a patron is not told who else is asked, nor what they say."""
    if viewer is None:
        return ()
    if viewer in table.patrons:
        return tuple(own_question(each, viewer) for each in table.questions if viewer in each.waiting)
    post = post_of(table, viewer)
    if post is None:
        return ()
    return tuple(each for each in table.questions if each.to == PATRONS or holds(table.book, post, each.to))


def _steps_for(table: Table, viewer: Viewer) -> tuple[Next, ...]:
    """What is to be done next; what somebody else is asked is not read out."""
    steps = next_steps(table)
    if viewer.staff or not table.questions:
        return steps
    own = {each.says for each in table.questions if viewer.name in each.waiting}
    return tuple(
        msgspec.structs.replace(each, says=HIDDEN, message=None)
        if each.do == "answer" and each.says not in own
        else each
        for each in steps
    )


def _next(do: str, by: str, says: str, basis: Basis = _NOT_NAMED) -> Next:
    return Next(do, by, str(says), basis, message_of(says))


def next_steps(table: Table) -> tuple[Next, ...]:
    """What is to be done next, the most pressing first. There is always something, while a table is open.

    Disputes come last, and are all that is left of a closed table.
    """
    found = [pending(Turn(table, DEALER), each) for each in table.disputes]
    disputed = tuple(_next(*each) for each in found if each is not None)
    return (*_steps_of_play(table), *disputed) if table.open else disputed


def _steps_of_play(table: Table) -> tuple[Next, ...]:
    blocking = [each for each in table.questions if each.blocks]
    if blocking:
        return tuple(
            _next("answer", " ".join(each.waiting) or each.to, each.sentence, each.basis) for each in reversed(blocking)
        )
    turn, book = Turn(table, DEALER), table.book
    if table.shoe is None:
        return (
            _next(
                "load-shoe",
                DEALER,
                say("next-load-shoe", "Put shuffled cards into use."),
                book.decks.basis,
            ),
        )
    round = table.running
    if round is None:
        if table.shoe.replace is not None:
            return (
                _next("end-shoe", DEALER, say("next-change-cards", "The cards must be changed."), table.shoe.replace),
            )
        last, after = table.shoe.last_round, table.shoe.free_after_last
        if last is not None and table.round and table.round.number >= last and not after:
            return (_next("end-shoe", DEALER, say("next-end-shoe", "The last hand has been played.")),)
        if book.point("dealing", "methods") is not None and table.method is None:
            choice = book.points["dealing"]["method-choice"]
            return (
                _next("set-method", choice.by or DEALER, say("next-choose-method", "Choose a method."), choice.basis),
            )
        burn = book.point("dealing", "burn")
        if burn is not None and not table.shoe.burned and not table.shoe.rounds:
            return (
                _next(
                    "burn",
                    DEALER,
                    say("next-burn", "Burn a card before the first round."),
                    burn.basis,
                ),
            )
        return (_next("open-bets", DEALER, say("next-open-bets", "Call for bets."), turn.basis("betting", "opens")),)
    if table.shoe.replace is not None and not turn.begun():
        return (_next("end-shoe", DEALER, say("next-change-cards", "The cards must be changed."), table.shoe.replace),)
    if round.phase == "betting":
        early = turn.point("limits", "differential-early")
        altered = _unmet(turn, round) if early is not None and early.value == "alter" else ()
        return altered or (
            _next(
                "close-bets",
                DEALER,
                say("next-close-bets", "Call that no more bets are taken."),
                turn.basis("betting", "closes"),
            ),
        )
    return _unmet(turn, round) or _dealing(turn, round)


def _unmet(turn: Turn, round: Round) -> tuple[Next, ...]:
    """What cures an exceeded differential that holds up the first card."""
    early = turn.point("limits", "differential-early")
    over = gaps(turn, round) if early is not None and early.value != "reject" and not round.cards else []
    if early is None or not over:
        return ()
    asked = [each for each in turn.table.questions if each.topic == DIFFERENTIAL.name]
    if asked:
        return tuple(_next("answer", each.to, each.sentence, each.basis) for each in asked)
    hand, _, amount = over[0]
    who = " ".join(dict.fromkeys(spot[0] for spot in round.wagers if spot[2] == hand))
    says = say(
        "over-differential-alter",
        "{hand:hand} is over the differential by {amount:money}: wagers must be altered.",
        hand=hand,
        amount=amount,
    )
    return (_next("lower", who, says, early.basis),)


def _dealing(turn: Turn, round: Round) -> tuple[Next, ...]:
    controller = turn.table.shoe.controller if turn.table.shoe else None
    if whole(round):
        announce = turn.point("dealing", "announce-result")
        if announce is not None and "result" not in round.announced:
            return (_next("announce", DEALER, say("next-call-result", "Call the result."), announce.basis),)
        return (_next("settle", DEALER, say("next-settle", "Pay and collect."), turn.basis("round", "ends")),)
    steps = []
    if to_offer(turn) is not None and turn.book.insurance is not None:
        basis = Basis((turn.book.insurance.windows,))
        steps.append(
            _next(
                "offer-insurance",
                DEALER,
                say("next-offer-insurance", "Offer insurance before the next card."),
                basis,
            )
        )
    at = due(round)
    if at is not None and controller is not None and not may_draw(turn.table, controller):
        says = say("next-give-back-shoe", "{patron} has no wager, and draws only with leave.", patron=controller)
        steps.append(_next("give-back-shoe", DEALER, says, turn.basis("dealing", "method-c-without-wager")))
    elif at is not None:
        steps.append(
            _next(
                "draw",
                controller or DEALER,
                say("next-draw", "Draw a card to {hand}.", hand=at),
                turn.book.drawing["order"],
            )
        )
    down = [each for each in unexposed(round) if round.cards[each].area != "aside"]
    if down and (at is None or len(round.cards) >= 4):
        hand = round.cards[down[0]].area
        by = round.squeezers[hand] if may_squeeze(turn.table, hand) else DEALER
        steps.append(_next("expose", by, say("next-open-hand", "Open the {hand:hand} cards.", hand=hand)))
    return tuple(steps)


def _face(card: Card | None) -> str | None:
    return None if card is None else str(card)


def _own_patron(public: SeenPatron, table: Table, viewer: Viewer) -> SeenPatron:
    """A patron with their purse, where that is for the viewer."""
    if not viewer.staff and viewer.name != public.name:
        return public
    who = table.patrons[public.name]
    return msgspec.structs.replace(public, balance=who.balance, owed=who.owed)


def _own_round(public: SeenRound | None, round: Round | None, viewer: Viewer) -> SeenRound | None:
    """The round with the viewer's own lines and cover, or everybody's for the staff."""
    if public is None or round is None:
        return None
    lines = {name: each for name, each in round.lines.items() if viewer.staff or name == viewer.name}
    offer = public.offer
    if offer is not None and round.window is not None:
        own = {spot: most for spot, most in round.window.most.items() if viewer.staff or spot[0] == viewer.name}
        most = {f"{patron}/{box}": amount for (patron, box, _), amount in own.items()}
        offer = msgspec.structs.replace(offer, most=most)
    return msgspec.structs.replace(public, lines=lines, offer=offer)


def _public_round(round: Round) -> SeenRound:
    window = round.window
    offer = None if window is None else SeenOffer(window.stage, window.hand, window.row.odds.text, {}, window.late)
    return SeenRound(
        round.number,
        round.phase,
        round.free,
        _hand(round, "player"),
        _hand(round, "banker"),
        due(round) if round.phase == "closed" else None,
        tuple(SeenWager(*spot, placed.stake, placed.advised) for spot, placed in round.wagers.items()),
        offer,
        {},
        round.result,
    )


def _hand(round: Round, name: str) -> SeenHand:
    cards = round.hand(name)
    return SeenHand(tuple(_face(each.face) for each in cards), points(cards), round.squeezers.get(name))
