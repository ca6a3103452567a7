"""Something went wrong: a fact in, the row of the book that applies, and its steps one after the other."""

from punto.coup import BadCards, card, result_fixed
from punto.rulebook import Basis, Refused, established
from punto.rulebook.model import Irregularity
from punto.rulebook.vocabulary import AT_A_VIRTUAL_SHOE, FACTS
from punto.table import commands as c
from punto.table import events as e
from punto.table.authority import post_of, residual
from punto.table.felt import chances, due_without_surplus, in_order, situation, unexposed, whole
from punto.table.handlers.dealing import take_card
from punto.table.handlers.differential import check_cured, menu_of
from punto.table.handlers.insurance import missed
from punto.table.state import Round
from punto.table.turn import Turn

_HANDS = ("player", "banker")
_A_PATRONS = "insurance-neglected"
"""The fact that a patron may report: it does nothing before the Pit Manager has decided."""

_NOT_OF_A_VIRTUAL_SHOE = (
    "The cards of a virtual shoe are dealt from its committed seed: that cannot have happened to them. "
    "What concerns people, money or an interruption can be reported."
)

OTHER = "other"
"""A fact that no book foresees: free words, for the residual authority."""

_ANY_TIME = frozenset(
    [
        "foreign-card",
        "deck-count",
        "unshuffled",
        "face-up-in-shoe",
        "exposed-card",
        "burn-missed",
        "wrong-display",
        "wrong-call",
        "wrong-number",
        "insurance-neglected",
        "late-error",
        "cut-card",
        "other",
    ]
)
"""Facts that may come to light when no round is running."""

_OF_THE_LAST_ROUND = frozenset(
    ["foreign-card", "deck-count", "unshuffled", "wrong-call", "wrong-number", "insurance-neglected"]
)
"""Facts that, between rounds, are about the round that is over."""

_NEEDS_CARDS = {"wrong-area": 1, "simultaneous-draw": 2, "cards-carried-off": 1}


def misdealt(turn: Turn, round: Round, to: str, at: str | None) -> None:
    """A card was laid where it was not due: the fact follows from where it lies."""
    if turn.table.setup.shoe == "virtual":
        raise Refused(_NOT_OF_A_VIRTUAL_SHOE)
    if at is None and (len(round.cards) < 4 or any(round.cards[at].area != "aside" for at in unexposed(round))):
        raise turn.refuse("No card is due before those that lie face down are open.", turn.basis("dealing", "play"))
    if len(round.cards) < 4:
        place = len(round.cards)
        take_card(turn, to)
        if len(turn.round().cards) > place:
            report(turn, c.Report("wrong-area", (place,), by=turn.by), laid=True, follows=True)
        return
    report(turn, c.Report("excess-card", hand=to, by=turn.by), follows=True)


def report(turn: Turn, command: c.Report, *, laid: bool = False, follows: bool = False) -> None:
    """Take up a fact: what the book says of it begins. It `follows` from a card that a patron may have drawn."""
    patrons_own = command.fact == _A_PATRONS and turn.by in turn.table.patrons and turn.book.insurance is not None
    if post_of(turn.table, turn.by) is None and not patrons_own and not follows:
        raise Refused("Facts are reported by the staff: tell the dealer.")
    if command.fact not in (*FACTS, OTHER) or command.fact == "free-hand":
        raise Refused(f"{command.fact!r} is no fact that can be reported; they are {', '.join(sorted(FACTS))}, other.")
    if not follows:
        _check_shoe(turn, command)
    if any(each.fact == command.fact for each in turn.table.procedures):
        question = turn.blocked()
        raise turn.refuse("That is being dealt with.", question.basis if question else Basis())
    round = turn.table.round
    if round is None and command.fact not in _ANY_TIME and command.fact != "interruption":
        raise Refused("There has been no round yet that this could be about.")
    if round is not None and round.final and turn.table.running is None and command.fact in _OF_THE_LAST_ROUND:
        _begin(turn, command, None, {}, ())  # it was played under another book or layout, and paid by it
        return
    _check_words(turn, command)
    if command.fact == "interruption" and turn.table.running is None:
        row = _find(turn, "interruption", {"cause": command.cause or "other", "outcome": "open"})
        turn.happen(
            e.NotedDown,
            "An interruption between rounds: nothing was at stake.",
            basis=row[1].basis if row else residual(turn.table)[1].basis,
        )
        return
    if command.earlier or command.fact == "late-error":
        if turn.table.running is None and (round is None or round.number < 2):
            raise turn.refuse("No later round has begun since.", turn.basis("round", "begins"))
        _late(turn, command)
        return
    faces = _faces(command)
    _lay_down(turn, command, faces, laid)
    if turn.table.running is None and command.fact not in _ANY_TIME:
        _begin(turn, command, None, {}, faces)
        return
    guards = _guards(turn, command)
    found = _find(turn, command.fact, guards)
    _begin(turn, command, found, guards, faces)


def _check_shoe(turn: Turn, command: c.Report) -> None:
    """Refuse what cannot have happened to the cards of a virtual shoe, and faces that somebody claims to have seen."""
    if turn.table.setup.shoe != "virtual":
        return
    if command.fact not in (*AT_A_VIRTUAL_SHOE, OTHER) or command.faces or command.cards:
        raise Refused(_NOT_OF_A_VIRTUAL_SHOE)


def _check_words(turn: Turn, command: c.Report) -> None:
    round = turn.table.round
    count = len(round.cards) if round is not None else 0
    if command.fact == "simultaneous-draw" and round is not None and round.phase == "closed":
        now = len([at for at in command.cards if at >= count])
        count += now if set(range(count, count + now)) <= set(command.cards) else 0
    if any(not 0 <= at < count for at in command.cards) or len(set(command.cards)) != len(command.cards):
        raise Refused(f"Cards are places in drawn order, from 0 to {count - 1}." if count else "No card is drawn yet.")
    least = 0 if command.earlier else _NEEDS_CARDS.get(command.fact, 0)
    if len(command.cards) < least:
        raise Refused(f"Say which cards: at least {least} {'place' if least == 1 else 'places'} in drawn order.")
    if command.hand not in (None, *_HANDS):
        raise Refused(f"The hands are player and banker, not {command.hand!r}.")
    if command.fact == "excess-card" and command.hand is None:
        raise Refused("Say to which hand the card was drawn.")
    if command.order not in (None, "known", "unknown"):
        raise Refused("The order is known or unknown.")
    if command.cause not in (None, "power", "other"):
        raise Refused("The cause is power or other.")
    if command.patron is not None:
        turn.patron(command.patron)
    if command.fact == OTHER and not command.note:
        raise Refused("Say what happened.")
    if command.fact == "wrong-number" and not command.earlier and turn.table.running is not None and not count:
        raise turn.refuse("No card of this round is dealt: was it an earlier one?", turn.basis("round", "begins"))
    if command.fact == "wrong-person" and command.hand is None:
        raise Refused("Say which hand's cards went to the wrong person.")
    if command.fact == "device-reset" and round is not None and round.phase == "betting":
        raise Refused("Bets are still open: the reset changes nothing.")
    insurance = None if turn.table.insurance_off else turn.book.insurance
    late = command.earlier or command.fact != "insurance-neglected"
    if not late and insurance:
        point = insurance.points.get("neglect-fixed") or insurance.points["lapses"]
        owed = missed(turn, round) if round is not None else None
        if owed is None:
            raise turn.refuse("No offer was missed.", point.basis)
        if turn.by in turn.table.patrons and all(spot[0] != turn.by for spot in owed[3]):
            raise turn.refuse(f"No offer to {turn.by} was missed.", point.basis)
    if command.fact == "burn-missed" and turn.table.shoe is not None and turn.table.shoe.burned:
        raise turn.refuse("The burn has been done.", turn.basis("dealing", "burn"))
    called = round is None or command.cards or round.announced or round.phase == "settled" or whole(round)
    if command.fact == "wrong-call" and not command.earlier and not called:
        raise Refused("Nothing has been called yet that could be wrong.")
    offered = round is not None and bool(round.windows)
    if command.fact == "wrong-lammer" and not command.earlier and insurance and not offered:
        raise turn.refuse("No insurance was offered in this round.", insurance.live)
    if command.fact == "face-up-deal" and not turn.table.setup.face_down and turn.table.method != "A":
        raise Refused("Cards are dealt face up at this table: that is no error.")
    carried_off = command.cards if command.fact == "cards-carried-off" and round is not None else ()
    if any(round is not None and round.cards[at].face is not None for at in carried_off):
        raise Refused("Those cards are open: what they are is known.")


def _faces(command: c.Report) -> tuple[str, ...]:
    try:
        faces = tuple(str(card(each)) for each in command.faces)
    except BadCards as error:
        raise Refused(str(error)) from None
    if command.cards and faces and len(faces) != len(command.cards):
        raise Refused("As many faces as places.")
    if not command.cards and len(faces) > 1:
        raise Refused("One face at most for the one card that was seen.")
    return faces


def _lay_down(turn: Turn, command: c.Report, faces: tuple[str, ...], laid: bool) -> None:
    """What the fact itself does to the cards on the felt."""
    round = turn.table.running
    if round is None:
        return
    fact, dealt = command.fact, len(round.cards)
    if fact == "wrong-area" and not laid:
        turn.happen(e.CardsMisplaced, command.cards)
    if fact == "simultaneous-draw":
        check_cured(turn, round)
        for _ in range(max(command.cards) + 1 - dealt):
            take_card(turn, "aside")
    seen = fact == "exposed-card" and dealt > 0 and not command.cards
    if fact == "excess-card" and not dealt:
        raise Refused("Before the first card none can be drawn in excess.")
    if fact == "excess-card" and any(round.cards[at].area != "aside" for at in unexposed(round)):
        raise Refused("Whether a card is in excess is known when those before it are open.")
    if (fact == "excess-card" or (seen and faces)) and all(each.area != "aside" for each in round.cards):
        take_card(turn, "aside")
    if faces and fact not in ("wrong-call", "cards-carried-off"):
        now = turn.round().cards
        places = command.cards or ((len(now) - 1,) if len(now) > dealt or fact == "excess-card" else ())
        shown = [(at, face) for at, face in zip(places, faces, strict=False) if now[at].face is None]
        if shown:
            turn.happen(e.CardsExposed, tuple(at for at, _ in shown), tuple(face for _, face in shown))


def _late(turn: Turn, command: c.Report) -> None:
    """An error of an earlier round, noticed after a later one began, or at least after its own was over."""
    guards = {"noticed": "next-round"}
    found = None
    if command.fact in FACTS and "noticed" in FACTS[command.fact]:
        found = _find(turn, command.fact, {**_quiet(command), **guards})
    _begin(turn, command, found or _find(turn, "late-error", {}), guards, ())


def _quiet(command: c.Report) -> dict[str, str]:
    return {"reconstructible": "false" if command.reconstructible is False else "true"}


def _begin(
    turn: Turn,
    command: c.Report,
    found: tuple[int, Irregularity] | None,
    guards: dict[str, str],
    faces: tuple[str, ...],
) -> None:
    if found is None:
        basis = residual(turn.table)[1].basis
        if command.fact in turn.book.silent and turn.book.id:
            basis = Basis(basis.clauses, basis.readings)
        row = None
    else:
        row, basis = found[0], found[1].basis
    turn.happen(
        e.Reported,
        command.fact,
        row,
        guards,
        command.cards,
        command.patron,
        command.hand,
        command.note,
        faces,
        basis=basis,
    )


def _find(turn: Turn, fact: str, guards: dict[str, str]) -> tuple[int, Irregularity] | None:
    """The first row about a fact whose guards hold."""
    for at, row in enumerate(turn.book.irregularities):
        if row.fact == fact and holds(row.when, guards):
            return at, row
    return None


def holds(when: dict[str, frozenset[str]], guards: dict[str, str]) -> bool:
    """Whether what is known of a case is what a row or a step asks for."""
    return all(guards.get(name) in values for name, values in when.items())


def _guards(turn: Turn, command: c.Report) -> dict[str, str]:
    """Everything that the rows about this fact may depend on."""
    return {name: _guard(turn, command, name) for name in (*FACTS.get(command.fact, ()), *_ALWAYS)}


_ALWAYS = ("outcome", "reconstructible", "exposed")
"""Guards that steps look at, whatever the fact."""


def _guard(turn: Turn, command: c.Report, name: str) -> str:
    table, round = turn.table, turn.table.round
    if name == "outcome":
        if round is not None and command.fact == "wrong-area" and command.reconstructible is not False:
            round = in_order(round)  # what lies wrong will be put right
        return "established" if round is not None and is_established(turn, round) else "open"
    if name == "result":
        if round is None or round.phase == "settled":
            return "fixed"
        scope = table.policy("neglect-scope")
        if command.fact == "insurance-neglected" and scope == "layout":
            return "fixed" if is_established(turn, round) else "open"
        return "fixed" if result_fixed(chances(round)) else "open"
    if name == "reconstructible":
        return "false" if command.reconstructible is False else "true"
    if name == "exposed":
        return _flag(_exposed(command, round))
    if name == "order":
        return command.order or "known"
    if name == "touches":
        return "initial-deal" if any(at < 4 for at in command.cards) else "later"
    if name == "noticed":
        return "in-round" if _begun(turn) else "after-payment"
    if name == "hand":
        return command.hand or "player"
    if name in ("banker-due", "player-due"):
        return _flag(round is not None and due_without_surplus(round) == name.partition("-")[0])
    if name == "next-card":
        return "undrawn" if round is not None and _still_owed(turn, round) else "drawn"
    if name == "insurance":
        return "off" if table.insurance_off else "offered"
    if name == "from":
        hands = {round.cards[at].area for at in command.cards} if round is not None else set()
        return "both-hands" if len(hands) > 1 else "one-hand"
    if name == "value":
        return "known" if command.faces else "unknown"
    if name == "seen":
        return _flag(command.seen or (round is not None and any(each.face for each in round.cards)))
    if name == "round":
        return "first" if table.shoe is None or table.shoe.rounds < 2 else "later"
    if name == "position":
        running = table.running
        if running is None or not running.cards:
            return "first"
        return "first" if command.fact != "cut-card" and whole(running) else "later"  # the first of the next hand
    if name == "place":
        return "high-limit" if table.setup.high_limit else "elsewhere"
    if name == "cause":
        return command.cause or "other"
    return "c" if table.method == "C" else "a-b"


def _flag(value: object) -> str:
    return "true" if value else "false"


def _exposed(command: c.Report, round: Round | None) -> bool:
    if command.exposed is not None:
        return command.exposed
    if command.faces:
        return True
    if round is None:
        return False
    if command.cards:
        return any(round.cards[at].face is not None for at in command.cards)
    if command.hand is not None and command.fact == "wrong-person":
        return any(each.face is not None for each in round.hand(command.hand))
    return bool(round.cards) and round.cards[-1].face is not None


def _begun(turn: Turn) -> bool:
    """Whether a round is under way as the book counts it: from the opening call, or from the first card."""
    running, begins = turn.table.running, turn.point("round", "begins")
    if running is None:
        return False
    return bool(running.cards) or (begins is not None and begins.value == "opening-call")


def _still_owed(turn: Turn, round: Round) -> bool:
    """Whether the card after the missed window has not been drawn."""
    seen, stage = situation(round), missed(turn, round)
    return seen is not None and stage is not None and seen[0] == stage[0]


def is_established(turn: Turn, round: Round) -> bool:
    """Whether some available bet has conclusively won or lost, by the exposed cards (AMB-11, AMB-12)."""
    menu = menu_of(turn.table)
    scope = turn.table.policy("outcome-scope")
    bets = list(menu.bets)
    if scope == "placed":
        bets = [bet for bet in bets if any(spot[2] == bet for spot in round.wagers)]
    elif scope == "main":
        bets = [bet for bet in bets if bet in ("player", "banker", "tie")]
    return established(menu, chances(round), bets)
