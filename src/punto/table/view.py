"""What somebody at the table may see: never a face that is not exposed, never another's purse."""

import msgspec

from punto.amounts import show_money
from punto.coup import Card
from punto.roads import Result
from punto.rulebook import Basis
from punto.settlement import Limits, Line
from punto.table.authority import holds, post_of
from punto.table.felt import due, points, unexposed, whole
from punto.table.handlers.differential import gaps
from punto.table.handlers.insurance import to_offer
from punto.table.state import Question, Round, Table
from punto.table.turn import Turn


class Next(msgspec.Struct, frozen=True):
    """What is to be done next: the command, who gives it, and the sentence to say."""

    do: str
    by: str
    says: str
    basis: Basis = Basis()


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


def view(table: Table, viewer: str | None = None) -> View:
    """What a viewer sees: a post, a person of the staff, a patron, or nobody in particular."""
    return own_view(_everybodys(table), table, viewer)


def own_view(everybodys: View, table: Table, viewer: str | None) -> View:
    """What everybody sees of a table, with what this viewer sees besides: purses, lines, cover and questions."""
    if viewer is None:
        return everybodys
    staff = post_of(table, viewer) is not None
    return msgspec.structs.replace(
        everybodys,
        patrons=tuple(_patron(each, table, staff or each.name == viewer) for each in everybodys.patrons),
        round=_own_round(everybodys.round, table.round, viewer, staff),
        questions=questions_for(table, viewer),
    )


def _everybodys(table: Table) -> View:
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
        None if table.round is None else _round(table.round),
        None if shoe is None else shoe.left,
        () if shoe is None else tuple(map(_face, shoe.carried)),
        None if shoe is None else shoe.last_round,
        () if shoe is None else shoe.results,
        (),
        next_steps(table),
    )


def questions_for(table: Table, viewer: str | None) -> tuple[Question, ...]:
    """The open questions that a viewer may answer."""
    if viewer is None:
        return ()
    if viewer in table.patrons:
        return tuple(each for each in table.questions if viewer in each.waiting)
    post = post_of(table, viewer)
    if post is None:
        return ()
    return tuple(each for each in table.questions if each.to == "patrons" or holds(table.book, post, each.to))


def next_steps(table: Table) -> tuple[Next, ...]:
    """What is to be done next, the most pressing first. There is always something, while a table is open."""
    if not table.open:
        return ()
    blocking = [each for each in table.questions if each.blocks]
    if blocking:
        return tuple(
            Next("answer", " ".join(each.waiting) or each.to, each.says, each.basis) for each in reversed(blocking)
        )
    turn, book = Turn(table, "dealer"), table.book
    if table.shoe is None:
        return (Next("load-shoe", "dealer", "Put shuffled cards into use.", book.decks.basis),)
    round = table.running
    if round is None:
        if table.shoe.replace is not None:
            return (Next("end-shoe", "dealer", "The cards must be changed.", table.shoe.replace),)
        if table.shoe.last_round is not None and table.round and table.round.number >= table.shoe.last_round:
            return (Next("end-shoe", "dealer", "The last hand has been played."),)
        if book.point("dealing", "methods") is not None and table.method is None:
            return (Next("set-method", "pit-manager", "Choose a method.", turn.basis("dealing", "method-choice")),)
        burn = book.point("dealing", "burn")
        if burn is not None and not table.shoe.burned and not table.shoe.rounds:
            return (Next("burn", "dealer", "Burn a card before the first round.", burn.basis),)
        return (Next("open-bets", "dealer", "Call for bets.", turn.basis("betting", "opens")),)
    if round.phase == "betting":
        early = turn.point("limits", "differential-early")
        altered = _unmet(turn, round) if early is not None and early.value == "alter" else ()
        return altered or (
            Next("close-bets", "dealer", "Call that no more bets are taken.", turn.basis("betting", "closes")),
        )
    return _unmet(turn, round) or _dealing(turn, round)


def _unmet(turn: Turn, round: Round) -> tuple[Next, ...]:
    """What is to be done first where an exceeded differential stands in the way of the first card."""
    early = turn.point("limits", "differential-early")
    over = gaps(turn, round) if early is not None and early.value != "reject" and not round.cards else []
    if early is None or not over:
        return ()
    asked = [each for each in turn.table.questions if each.topic == "differential"]
    if asked:
        return tuple(Next("answer", each.to, each.says, each.basis) for each in asked)
    hand, _, amount = over[0]
    who = " ".join(dict.fromkeys(spot[0] for spot in round.wagers if spot[2] == hand))
    says = f"{hand.capitalize()} is over the differential by {show_money(amount)}: wagers must be altered."
    return (Next("lower", who, says, early.basis),)


def _dealing(turn: Turn, round: Round) -> tuple[Next, ...]:
    controller = turn.table.shoe.controller if turn.table.shoe else None
    if whole(round):
        announce = turn.point("dealing", "announce-result")
        if announce is not None and "result" not in round.announced:
            return (Next("announce", "dealer", "Call the result.", announce.basis),)
        return (Next("settle", "dealer", "Pay and collect.", turn.basis("round", "ends")),)
    steps = []
    if to_offer(turn) is not None and turn.book.insurance is not None:
        basis = Basis((turn.book.insurance.windows,))
        steps.append(Next("offer-insurance", "dealer", "Offer insurance before the next card.", basis))
    at = due(round)
    if at is not None:
        steps.append(Next("draw", controller or "dealer", f"Draw a card to {at}.", turn.book.drawing["order"]))
    down = unexposed(round)
    if down and (at is None or len(round.cards) >= 4):
        hand = round.cards[down[0]].area
        squeezer = round.squeezers.get(hand, "")
        here = squeezer in turn.table.patrons and not turn.table.patrons[squeezer].away
        steps.append(Next("expose", squeezer if here else "dealer", f"Open the {hand.capitalize()} cards."))
    return tuple(steps)


def _face(card: Card | None) -> str | None:
    return None if card is None else str(card)


def _patron(everybodys: SeenPatron, table: Table, with_purse: bool) -> SeenPatron:
    if not with_purse:
        return everybodys
    who = table.patrons[everybodys.name]
    return msgspec.structs.replace(everybodys, balance=who.balance, owed=who.owed)


def _own_round(everybodys: SeenRound | None, round: Round | None, viewer: str, staff: bool) -> SeenRound | None:
    """The round with the viewer's own lines and cover, or everybody's for the staff."""
    if everybodys is None or round is None:
        return None
    lines = {name: each for name, each in round.lines.items() if staff or name == viewer}
    offer = everybodys.offer
    if offer is not None and round.window is not None:
        limits = {spot: most for spot, most in round.window.most.items() if staff or spot[0] == viewer}
        offer = msgspec.structs.replace(offer, most={f"{spot[0]}/{spot[1]}": most for spot, most in limits.items()})
    return msgspec.structs.replace(everybodys, lines=lines, offer=offer)


def _round(round: Round) -> SeenRound:
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
