"""Cards: drawing them, turning them over, and calling points and result."""

from punto.coup import BadCards
from punto.coup.cards import card
from punto.messages import Sentence, say
from punto.rulebook import Basis, Refused
from punto.rulebook.facts import HANDS, WRONG_CALL
from punto.table import commands as c
from punto.table import events as e
from punto.table.authority import post_of
from punto.table.felt import FIRST_FOUR, coup, due, points, unexposed, whole
from punto.table.handlers.calls import check_burnt, close_bets
from punto.table.handlers.differential import check_cured
from punto.table.handlers.drawing import check_faces, close_if_known, third_card_basis
from punto.table.handlers.reporting import deal_card, follow, misdealt
from punto.table.handlers.rights import may_draw, may_squeeze
from punto.table.state import Round
from punto.table.turn import Turn


def draw(turn: Turn, command: c.Draw) -> None:
    """Draw a card. One that is laid where it was not due, or when none was, is an irregularity."""
    round = _dealing(turn, command.by)
    at = due(round)
    if command.to not in (None, *HANDS):
        raise Refused(
            say("cards-laid-to-hands", "Cards are laid to player or banker, not to {area:quoted}.", area=command.to)
        )
    if command.to is not None and command.to != at:
        misdealt(turn, command.to)
        return
    if at is None:
        waits = unexposed(round)
        says = (
            say("no-card-due-before-open", "No card is due before those that lie face down are open.")
            if waits
            else say("no-card-due", "No card is due.")
        )
        raise turn.refuse(says, turn.basis("dealing", "play"))
    announce = turn.point("dealing", "announce-points")
    four = all(len(round.hand(hand)) == 2 for hand in HANDS)
    if four and announce is not None and "points" not in round.announced:
        _announce_points(turn)
    deal_card(turn, at)


def _dealing(turn: Turn, by: str) -> Round:
    round = turn.round()
    turn.unblocked()
    check_burnt(turn)
    controller = turn.table.shoe.controller if turn.table.shoe else None
    if controller is not None and by != controller:
        third = len(round.cards) >= 4
        name = "method-c-third-card" if third else "method-c-draws"
        raise turn.refuse(
            say("controller-draws", "{patron} controls the shoe and draws.", patron=controller),
            turn.basis("dealing", name),
        )
    if controller is not None and not may_draw(turn.table, controller):
        raise turn.refuse(
            say(
                "controller-has-no-wager",
                "{patron} has no wager in this round, and has not been let draw without one.",
                patron=controller,
            ),
            turn.basis("dealing", "method-c-without-wager"),
        )
    if controller is None:
        holder = turn.basis("dealing", "device-holder")
        method = turn.table.method
        if method is not None:
            holder = turn.basis("dealing", f"method-{method.lower()}-draws").plus(holder)
        if turn.table.method == "C" and by in turn.table.patrons:
            let = turn.basis("dealing", "method-c-without-wager")
            raise turn.refuse(say("not-in-control-of-shoe", "{by} does not control the shoe.", by=by), let)
        if post_of(turn.table, by) is None:
            raise turn.refuse(say("dealer-draws", "The dealer draws."), holder)
    if round.phase == "betting":
        closes = turn.point("betting", "closes")
        if closes is None or closes.value != "call-or-first-card":
            raise turn.refuse(
                say("closing-call-before-card", "Bets are open: the closing call comes before the first card."),
                closes.basis if closes else Basis(),
            )
        close_bets(turn, c.CloseBets(by=by))
        round = turn.round()
    check_cured(turn, round)
    replaced = turn.table.shoe.replace if turn.table.shoe is not None else None
    if replaced is not None and not turn.begun():
        says = say("cards-change-before-first-card", "The cards must be changed before the first one is drawn.")
        raise turn.refuse(says, replaced)
    return round


def to_open(turn: Turn, command: c.Expose) -> tuple[int, ...]:
    """The places of the cards that a command turns over; refused where whoever gives it may not open them now.

    It does not depend on what the cards are: `command` may have anything in the place of their faces.
    """
    round = turn.table.round
    if round is None or round.phase not in ("closed",):
        raise Refused(say("no-cards-to-open", "There are no cards to open."))
    turn.unblocked()
    places = _places(round, command)
    _may_open(turn, round, places)
    _check_order(turn, round, places)
    return places


def expose(turn: Turn, command: c.Expose) -> None:
    """Turn cards over, by the dealer or by whoever squeezes that hand."""
    places = to_open(turn, command)
    round = turn.round()
    faces = []
    for at, face in zip(places, command.faces, strict=True):
        try:
            faces.append(str(card(face)))
        except BadCards as error:
            raise Refused(error.says) from None
        if round.cards[at].face is not None:
            _check_known(turn, round, at, faces[-1])
    check_faces(turn, tuple(faces), places)
    turn.happen(e.CardsExposed, places, tuple(faces), basis=_open_basis(turn, round, places))
    window, insurance = turn.round().window, turn.book.insurance
    if window is not None and insurance is not None and (window.drawn or window.late):
        turn.close_window(insurance.basis("lapses"))
    close_if_known(turn)


def _check_known(turn: Turn, round: Round, at: int, face: str) -> None:
    """Refuse another face for a card that has been seen."""
    known = round.cards[at].face
    if str(known) != face:
        says = say(
            "card-has-been-seen",
            "Card {place:nth} has been seen: it is {face}. If that was misread, report it.",
            place=at,
            face=str(known),
        )
        raise turn.refuse(says, Basis((), ("AMB-111", "AMB-113")))


def _places(round: Round, command: c.Expose) -> tuple[int, ...]:
    """The places that the faces are meant for; a card that was seen earlier may be named again when it is opened."""
    down = unexposed(round)
    if command.at is not None:
        if len(command.faces) != 1:
            raise Refused(say("one-face-one-place", "One face for the one place."))
        if command.at not in _not_opened(round):
            raise Refused(say("no-card-face-down-at", "Card {place:nth} does not lie face down.", place=command.at))
        return (command.at,)
    if not command.faces:
        raise Refused(say("which-faces", "Say which faces the cards have."))
    if len(down) < len(command.faces) <= len(_not_opened(round)):
        down = _not_opened(round)
    if round.squeezers:  # whoever squeezes opens the cards of that hand
        down = tuple(at for at in down if round.squeezers.get(round.cards[at].area) == command.by) or down
    if len(command.faces) > len(down):
        raise Refused(
            say(
                "faces-for-cards-face-down",
                "{faces} faces, but {cards} cards lie face down.",
                faces=len(command.faces),
                cards=len(down),
            )
        )
    return down[: len(command.faces)]


def _not_opened(round: Round) -> tuple[int, ...]:
    """The places of the cards that lie face down, and of those that were only seen so far."""
    return tuple([at for at, each in enumerate(round.cards) if each.face is None or each.seen])


def _may_open(turn: Turn, round: Round, places: tuple[int, ...]) -> None:
    if post_of(turn.table, turn.by) is not None:
        return
    clauses = {"B": "method-b-handling", "C": "method-c-other-hand"}
    for at in places:
        hand = round.cards[at].area
        if not _holds_cards(turn, round, hand):
            basis = turn.basis("dealing", clauses.get(turn.table.method or "", "squeezer"))
            says = say("not-holding-aside", "{by} does not hold the card that lies aside.", by=turn.by)
            if hand != "aside":
                says = say("not-holding-hand", "{by} does not hold the {hand:hand} cards.", by=turn.by, hand=hand)
            raise turn.refuse(says, basis)


def _holds_cards(turn: Turn, round: Round, hand: str) -> bool:
    """Whether whoever gives the command may open a hand: who squeezes it, else who controls the shoe (Method C)."""
    if hand in round.squeezers:
        return round.squeezers[hand] == turn.by and may_squeeze(turn.table, hand)
    controller = turn.table.shoe.controller if turn.table.shoe is not None else None
    return controller == turn.by and may_draw(turn.table, turn.by)


def _check_order(turn: Turn, round: Round, places: tuple[int, ...]) -> None:
    """Refuse cards out of order: a chosen hand comes first, and the Banker's third card after the Player's."""
    first = [each.removeprefix("first-") for each in round.announced if each.startswith("first-")][-1:]
    later = first and any(at < 4 and round.cards[at].area not in first for at in places)
    if later and any(at not in places and round.cards[at].area in first for at in unexposed(round)):
        raise turn.refuse(
            say("hand-opens-first", "The {hand:hand} hand is opened first.", hand=first[0]),
            turn.basis("dealing", "first-opened"),
        )
    if places[-1] < 4 or round.banker_first:
        return
    third = any(at >= 4 and round.cards[at].area != "player" for at in places)
    waiting = [at for at in unexposed(round) if at >= 4 and round.cards[at].area == "player"]
    if third and not set(waiting) <= set(places):
        raise turn.refuse(
            say("player-third-before-banker", "The Player's third card is opened before the Banker's."),
            turn.book.drawing["player-draws"],
        )


def _open_basis(turn: Turn, round: Round, places: tuple[int, ...]) -> Basis:
    basis = turn.basis("dealing", "method-c-laid-down") if turn.table.method == "C" else Basis()
    for at in places:
        if at >= 4:
            basis = basis.plus(third_card_basis(turn.book, turn.table.method))
        if round.squeezers.get(round.cards[at].area) == turn.by:
            basis = basis.plus(turn.basis("dealing", "squeezer"))
    return basis


def announce(turn: Turn, command: c.Announce) -> None:
    """Call the points or the result. A wrong call is reported as such: the cards count."""
    turn.staff()
    round = turn.round()
    if command.what == "points":
        _announce_points(turn)
    elif command.what == "result":
        if not whole(round):
            raise turn.refuse(
                say("hands-not-finished", "The hands are not finished."), turn.basis("dealing", "announce-result")
            )
        _announce_result(turn, command.winner)
    else:
        raise Refused(say("points-or-result", "Points or a result are called, not {call:quoted}.", call=command.what))


def _announce_points(turn: Turn) -> None:
    round = turn.round()
    first = {hand: round.hand(hand)[:2] for hand in HANDS}
    if any(len(cards) < 2 or any(each.face is None for each in cards) for cards in first.values()):
        raise turn.refuse(
            say("points-need-open-hands", "Both hands must be open before their points are called."),
            turn.basis("dealing", "announce-points"),
        )
    says = say(
        "points-called",
        "Player {player}, Banker {banker}.",
        player=points(first["player"]),
        banker=points(first["banker"]),
    )
    zero = any(points(cards) == 0 for cards in first.values())
    basis = turn.basis("dealing", "announce-points")
    turn.happen(e.Announced, "points", says, basis=basis.plus(turn.basis("display", "zero")) if zero else basis)


def _announce_result(turn: Turn, called: str | None) -> None:
    found = coup(turn.round())
    true = found.winner
    if called not in (None, "player", "banker", "tie"):
        raise Refused(
            say(
                "no-such-result",
                "The result is player, banker or tie, not {result:quoted}.",
                result=called,
            )
        )
    says = say(
        "result-called",
        "Player {player}, Banker {banker}: {result}.",
        player=found.player_points,
        banker=found.banker_points,
        result=_title(called or true),
    )
    turn.happen(e.Announced, "result", says, basis=turn.basis("dealing", "announce-result"))
    if called not in (None, true):
        follow(turn, WRONG_CALL, note=say("result-was-called", "{result} was called.", result=_title(called or "")))


def _title(winner: str) -> Sentence:
    return say("tie", "Tie") if winner == "tie" else say("hand-wins", "{hand:hand} wins", hand=winner)


def to_announce(turn: Turn) -> bool:
    """Call points or result if that is due; returns whether anything was called."""
    round = turn.round()
    if "points" not in round.announced and turn.point("dealing", "announce-points") is not None:
        hands = [round.hand(hand)[:2] for hand in HANDS]
        if all(len(hand) == 2 and all(each.face is not None for each in hand) for hand in hands):
            _announce_points(turn)
            return True
    if "result" not in round.announced and whole(round):
        _announce_result(turn, None)
        return True
    return False


def deal_on(turn: Turn) -> None:
    """Deal the rest of the first four cards."""
    while (dealt := len(turn.round().cards)) < 4:
        before = len(turn.events)
        deal_card(turn, FIRST_FOUR[dealt] if dealt else due(turn.round()) or FIRST_FOUR[0])
        if turn.table.procedures or turn.table.running is None or len(turn.events) == before:
            return


def may_deal(turn: Turn) -> bool:
    """Whether the table may draw the next card by itself: no patron controls the shoe, no window is open."""
    round, shoe = turn.round(), turn.table.shoe
    if shoe is None or shoe.controller is not None or (round.window is not None and not round.window.drawn):
        return False
    if round.late:
        return False
    if round.cards:
        return True
    if shoe.replace is not None and not turn.begun():
        return False
    try:
        check_burnt(turn)
        check_cured(turn, round)
    except Refused:
        return False
    return True
