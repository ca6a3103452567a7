"""The verbs: what each step that a book names does at the table, and whom it asks first."""

from collections import Counter
from collections.abc import Callable

from msgspec.structs import replace

from punto.coup import Situation, result_fixed
from punto.rulebook import Basis, Refused, standing
from punto.rulebook.model import Offer, Remedy
from punto.table import events as e
from punto.table.authority import residual
from punto.table.betting import menu_of
from punto.table.closing import end_round, lost_on, settle_again, settled_winner
from punto.table.dealing import rank_for
from punto.table.felt import areas_in_order, chances, coup, due, in_order, unexposed, whole
from punto.table.insurance import make_offer, missed, present, price_again
from punto.table.irregular import holds
from punto.table.turn import Turn
from punto.table.values import Felt, Procedure, Round, Spot

TAKE_BACK = "take-back"
_GO_ON = ("continue", TAKE_BACK)


def take_step(turn: Turn, procedure: Procedure) -> None:
    """Take the next step, or put the question that it depends on."""
    step = procedure.rest[0]
    if not holds(step.when, procedure.guards):
        done(turn, step, procedure, says="Not called for here.", rests=Basis((step.clause,) if step.clause else ()))
        return
    _VERBS[step.verb](turn, step, procedure)


def rests_on(step: Remedy, procedure: Procedure) -> Basis:
    """What a step rests on: its own clause first, then those of the row."""
    return Basis((step.clause,) if step.clause else ()).plus(procedure.basis)


def done(
    turn: Turn, step: Remedy, procedure: Procedure, *, branch: str = "", says: str = "", rests: Basis | None = None
) -> None:
    """The step is taken."""
    basis = rests_on(step, procedure) if rests is None else rests
    turn.happen(e.StepTaken, step.verb, step.object, branch, says, basis=basis)


def _ask(turn: Turn, topic: str, to: str, choices: tuple[str, ...], says: str, basis: Basis, **more: object) -> None:
    turn.ask(topic, to, choices, says, basis, step=len(turn.table.procedures) - 1, **more)


def _by(turn: Turn, step: Remedy, procedure: Procedure) -> str:
    basis = rests_on(step, procedure)
    return rank_for(turn, step.by, basis) if step.by else turn.book.ranks[1][0]


# Ends


def _void(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    round = turn.table.round
    basis = rests_on(step, procedure).plus(turn.basis("money", "void"))
    if round is None or round.phase == "void":
        done(turn, step, procedure, says="No round is left to be void.")
        return
    if round.phase == "settled":
        reversal = turn.point("money", "reversal")
        if procedure.answer is None and reversal is not None:
            says = "The round has been paid. Confirm that it is void, and every payment is taken back."
            _ask(turn, "reversal", reversal.by or "dealer", ("yes", "no"), says, basis.plus(reversal.basis))
            return
        if procedure.answer is not None and "no" in procedure.answer.values():
            done(turn, step, procedure, says="The payments stand.")
            return
    end_round(turn, "void", basis)
    done(turn, step, procedure, says="The round is void: every stake of it goes back.", rests=basis)


def _close(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    basis = rests_on(step, procedure).plus(Basis((), ("AMB-17",)))
    if turn.table.running is not None:
        end_round(turn, "no-wagers", basis)
    done(turn, step, procedure, says="Nobody has a wager left: the round is closed without a result.")


def _stand(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    done(turn, step, procedure, says="Earlier rounds stand, with everything paid in them.")


def _note(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    done(turn, step, procedure, says="Noted; nothing changes.")


def _notice(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    shown = " ".join(procedure.faces)
    what = "The board showed wrong odds: the table of the book governs."
    if step.object == "surplus-card":
        what = f"A card has been seen{': ' + shown if shown else ''}. It is used in its order."
    turn.happen(e.Noticed, what, basis=rests_on(step, procedure))
    done(turn, step, procedure, says="Everybody at the table is told.")


def _continue(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    later = procedure.rest[1:]
    if later and later[0].verb == "offer" and turn.table.running is not None and not procedure.until_round_end:
        turn.happen(e.Waiting, basis=rests_on(step, procedure))
        return
    done(turn, step, procedure, says="Play goes on.")


# Cards


def _reconstruct(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    round, shoe = turn.table.running, turn.table.shoe
    paid = turn.table.round is not None and turn.table.round.phase == "settled"
    if procedure.fact == "exposed-card" and (round is None or not round.cards):
        if procedure.faces and shoe is not None and shoe.left:
            turn.happen(e.CardsCarried, (), seen=procedure.faces, basis=rests_on(step, procedure))
        done(turn, step, procedure, says="The card comes first in the coming deal.")
        return
    if paid and procedure.guards.get("reconstructible") == "true":
        done(turn, step, procedure, branch="refer", says="The round has been paid as the cards lay.")
        return
    if round is None or procedure.guards.get("reconstructible") == "false":
        done(turn, step, procedure, says="The cards stay as they lie.")
        return
    basis = rests_on(step, procedure)
    surplus = step.object == "surplus-carried"
    turn.happen(e.CardsRelaid, areas_in_order(turn.round()), surplus, basis=basis)
    price_again(turn, basis)
    carry_aside(turn, basis)
    done(turn, step, procedure, says="The cards lie now as they should have been dealt.")


def carry_aside(turn: Turn, basis: Basis) -> None:
    """Surplus cards go over to the next round once this one needs no more."""
    round = turn.round()
    aside = tuple(at for at, each in enumerate(round.cards) if each.area == "aside")
    dealt = len(round.cards) - len(aside)
    if aside and round.carry and dealt >= 4 and not unexposed_in_hands(round) and due(round) is None:
        turn.happen(e.CardsCarried, aside, basis=basis)


def unexposed_in_hands(round: Round) -> bool:
    """Whether a card of either hand still lies face down."""
    return any(round.cards[at].area != "aside" for at in unexposed(round))


def _reassign(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    round = turn.table.running
    if round is None:
        done(turn, step, procedure, says="No round is running that a card could be taken from.")
        return
    hand = (step.object or "").partition("-")[0]
    areas = [each.area for each in round.cards]
    places = [at for at, area in enumerate(areas) if area == "aside"]
    if places and due(_hands_only(round)) == hand:
        areas[places[0]] = "player" if hand == "player" else "banker"
        turn.happen(e.CardsRelaid, tuple(areas), basis=rests_on(step, procedure))
    done(turn, step, procedure, says=f"The card is the {hand.capitalize()}'s third.")


def _hands_only(round: Round) -> Round:
    return Round(round.number, cards=tuple(each for each in round.cards if each.area != "aside"))


def _carry(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    _to_next(turn, rests_on(step, procedure), free=False)
    done(turn, step, procedure, says="The card begins the next round.")


def _to_next(turn: Turn, basis: Basis, *, free: bool) -> None:
    round = turn.table.running
    aside = () if round is None else tuple(at for at, each in enumerate(round.cards) if each.area == "aside")
    if aside:
        turn.happen(e.CardsCarried, aside, free, basis=basis)
    elif free:
        now = round is not None and not round.cards
        if now:
            _return_all(turn, basis)
        if now or turn.table.shoe is not None:
            turn.happen(e.HandFreed, now, basis=basis.plus(turn.basis("round", "free-hand")))


def _free_hand(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    basis = rests_on(step, procedure)
    if step.object == "this":
        if turn.table.running is not None:
            _return_all(turn, basis)
            turn.happen(e.HandFreed, True, basis=basis.plus(turn.basis("round", "free-hand")))
        done(turn, step, procedure, says="This hand is a free hand.")
        return
    _to_next(turn, basis, free=True)
    done(turn, step, procedure, says="The coming hand is a free hand, begun with that card.")


def _remove_wagers(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    if turn.table.running is not None:
        _return_all(turn, rests_on(step, procedure))
    done(turn, step, procedure, says="All wagers are removed.")


def _return_all(turn: Turn, basis: Basis) -> None:
    rows = (row.basis for row in turn.book.irregularities if row.fact == "free-hand")
    rests = basis.plus(next(rows, Basis()))
    for spot in list(turn.round().wagers):
        _return(turn, spot, "Removed: a free hand has no wagers.", rests)


def _deal(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    done(turn, step, procedure, says="Carried cards are dealt first, in their order.")


def _last_hand(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    shoe = turn.table.shoe
    last = shoe is not None and shoe.last_round is not None
    says = "This free hand is the last of the shoe." if last else "The last hand has not been announced."
    done(turn, step, procedure, says=says)


def _retrieve(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    basis = rests_on(step, procedure)
    if procedure.fact == "burn-missed":
        if turn.table.running is not None and turn.round().cards:
            turn.happen(e.CardsRetrieved, basis=basis)
        done(turn, step, procedure, says="The cards go back to the top of the shoe, unseen.")
        return
    _redeliver(turn, procedure, basis)
    done(turn, step, procedure, says="The cards are retrieved and passed to the right person.")


def _redeliver(turn: Turn, procedure: Procedure, basis: Basis) -> None:
    round = turn.table.running
    if round is not None and procedure.hand is not None:
        turn.happen(e.Delivered, procedure.hand, round.squeezers.get(procedure.hand), basis=basis)


def _burn(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    shoe = turn.table.shoe
    if shoe is not None and not shoe.burned and shoe.left:
        turn.happen(e.Burned, 1, basis=rests_on(step, procedure).plus(turn.basis("dealing", "burn")))
    done(turn, step, procedure, says="The burn is made good.")


def _dealer_opens(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    round = turn.table.running
    absent = [] if round is None else [hand for hand, who in round.squeezers.items() if procedure.patron in (None, who)]
    for hand in absent:
        turn.happen(e.Delivered, hand, None, basis=rests_on(step, procedure))
        turn.happen(e.SqueezeDeclined, "", hand, basis=rests_on(step, procedure))
    done(turn, step, procedure, says="The dealer opens the cards.")


def _replace_cards(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    basis = rests_on(step, procedure)
    if turn.table.shoe is None:
        done(turn, step, procedure)
        return
    if step.object == "must":
        turn.happen(e.CardsToBeReplaced, basis=basis)
        done(turn, step, procedure, says="The cards are changed before the next round.")
        return
    turn.ask(
        "replace-cards",
        _by(turn, step, procedure),
        ("yes", "no"),
        "Are the cards changed before the next round?",
        basis,
        blocks=False,
        lapses="next-round",
        default="no",
    )
    done(turn, step, procedure, says="The cards may be changed.")


def _correct(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    basis, round = rests_on(step, procedure), turn.table.round
    if step.object == "delivery":
        _redeliver(turn, procedure, basis)
        done(turn, step, procedure, says="The delivery is put right.")
        return
    if procedure.fact == "wrong-call" and round is not None and round.phase in ("closed", "settled"):
        settled = round.phase == "settled"
        corrections = turn.point("money", "corrections")
        if settled and corrections is not None and corrections.value == "refer" and procedure.faces:
            done(turn, step, procedure, branch="refer", says="A payment made on a wrong call is not provided for.")
            return
        if procedure.faces and procedure.cards:
            turn.happen(e.FacesCorrected, procedure.cards, procedure.faces, basis=basis)
            price_again(turn, basis)
            if settled and not whole(turn.table.round):  # type: ignore[arg-type] # it is there: it was just corrected
                done(turn, step, procedure, branch="refer", says="By the cards the hands were not finished.")
                return
            if settled:
                settle_again(turn, basis.plus(turn.basis("money", "corrections")))
        now = turn.table.round
        if now is not None and whole(now):
            found = coup(now)
            says = f"The cards count: Player {found.player_points}, Banker {found.banker_points}, {found.winner}."
            turn.happen(e.Announced, "result", says, basis=basis)
    done(
        turn,
        step,
        procedure,
        says="The cards count, not what was called or displayed.",
        rests=basis.plus(turn.basis("display", "outcome")),
    )


# Decisions


def _decide(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    basis = rests_on(step, procedure)
    if step.object == "reconstructible":
        if procedure.answer is None:
            discretion = turn.point("authority", "discretion")
            reasonable = discretion is not None and discretion.value == "reasonable"
            rests = basis.plus(discretion.basis) if discretion is not None else basis
            _ask(
                turn,
                "reconstructible",
                _by(turn, step, procedure),
                ("yes", "no"),
                "Can the hand be put right as it should have been dealt?",
                rests,
                reason=step.reason or reasonable,
            )
            return
        yes = procedure.guards.get("reconstructible") == "true"
        done(turn, step, procedure, says=f"The hand can{'' if yes else 'not'} be put right.")
        return
    if procedure.answer is None:
        places = ", ".join(map(str, procedure.cards))
        _ask(
            turn,
            "order",
            _by(turn, step, procedure),
            ("order",),
            f"In which order do the cards at places {places} count?",
            basis,
            form="order",
        )
        return
    if turn.table.running is not None:
        turn.happen(e.CardsRelaid, areas_in_order(turn.round()), basis=basis)
        price_again(turn, basis)
    done(turn, step, procedure, says="The order of the cards is fixed.")


def _spots(turn: Turn, round: Round, scope: str, procedure: Procedure) -> list[Spot]:
    """The wagers that an offer is about: undecided ones only, unless the scope is all (AMB-14)."""
    policy = turn.table.policy("return-scope")
    if scope != "undecided" or policy == "all":
        return list(round.wagers)
    menu, left = menu_of(turn.table), chances(_sure(round, procedure))
    return [spot for spot in round.wagers if standing(menu[spot[2]], left) == "open"]


def _sure(round: Round, procedure: Procedure) -> Round:
    """A round as far as it is sure: cards in dispute decide nothing, those laid wrong count where they belong."""
    guards = procedure.guards
    if guards.get("order") == "unknown" or guards.get("reconstructible") == "false":
        cards = [Felt(each.area, None if at in procedure.cards else each.face) for at, each in enumerate(round.cards)]
        return replace(round, cards=tuple(cards))
    return in_order(round) if procedure.fact == "wrong-area" else round


def _offer(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    offer = turn.book.offers[step.object or ""]
    basis = rests_on(step, procedure).plus(offer.basis)
    round = turn.table.round
    if offer.scope == "shoe":
        _shoe_choice(turn, step, procedure, basis)
        return
    if round is None or round.phase != "closed":
        done(turn, step, procedure, says="Nobody has anything at stake.")
        return
    choices = tuple(each.do for each in offer.choices if holds(each.when, procedure.guards))
    _poll(turn, step, procedure, choices, offer.scope, basis, offer)


def _going_on(choices: tuple[str, ...]) -> str | None:
    """What whoever says nothing is taken to mean when the staff enter it: to go on."""
    return next((each for each in choices if each != TAKE_BACK), None)


def _poll(
    turn: Turn,
    step: Remedy,
    procedure: Procedure,
    choices: tuple[str, ...],
    scope: str,
    basis: Basis,
    offer: Offer | None = None,
) -> None:
    """Ask everybody with something at stake; then do what they chose, and what follows if all took back."""
    round = turn.round()
    if procedure.answer is None or any(who not in turn.table.patrons for who in procedure.answer):
        if round.phase == "betting":
            done(turn, step, procedure, says="Bets are open: everybody may still change their wagers.")
            return
        asked = tuple(sorted({spot[0] for spot in _spots(turn, round, scope, procedure)}))
        if not asked:
            done(turn, step, procedure, says="Nobody has anything undecided at stake.")
            return
        says = "Play on, or take the wagers back that are not decided?"
        if scope == "all":
            says = "Play on, or take all wagers back?"
        _ask(turn, "offer", "patrons", choices, says, basis, waiting=asked, default=_going_on(choices), about=(scope,))
        return
    clauses = {each.do: each.clause for each in offer.choices} if offer is not None else {}
    words = {who: choice.split() for who, choice in procedure.answer.items()}
    back = {who: named for who, (choice, *named) in words.items() if choice == TAKE_BACK}
    on = [who for who in words if who not in back]
    spots = [spot for spot in _spots(turn, round, scope, procedure) if spot[0] in back]
    for spot in [spot for spot in spots if not back[spot[0]] or spot[2] in back[spot[0]]]:
        clause = clauses.get(TAKE_BACK)
        _return(turn, spot, "Taken back.", Basis((clause,) if clause else ()).plus(basis))
    if on and offer is not None and offer.bound:
        going = clauses.get(procedure.answer[on[0]])
        turn.happen(e.Bound, tuple(on), basis=Basis((going, offer.bound) if going else (offer.bound,)))
    elif on and clauses.get("continue"):
        turn.happen(e.Bound, tuple(on), basis=Basis((str(clauses["continue"]),)).plus(basis))
    if "as-it-lies" in procedure.answer.values():
        turn.happen(e.LeftAsItLies, basis=basis)
        price_again(turn, basis)
    all_back = bool(back) and not turn.round().wagers
    further = offer.all_back if offer is not None else step.all_back
    says = f"{len(on)} play on, {len(back)} took back."
    if all_back and step.then:
        done(turn, step, procedure, branch="then", says=says, rests=basis)
    else:
        done(turn, step, procedure, branch="all-back" if all_back and further else "", says=says, rests=basis)


def _return(turn: Turn, spot: Spot, says: str, basis: Basis) -> None:
    """A wager goes back, and with it the cover on it."""
    round = turn.round()
    for cover in [each for each in round.covers if each.spot == spot]:
        turn.happen(
            e.CoverReturned,
            *spot,
            cover.stage,
            cover.stake,
            "Goes back with the wager.",
            basis=basis.plus(Basis((), ("AMB-14",))),
        )
    turn.happen(e.WagerLowered, *spot, round.wagers[spot].stake, says, basis=basis)


def _shoe_choice(turn: Turn, step: Remedy, procedure: Procedure, basis: Basis) -> None:
    """Keep the shoe, or have the cards changed: the majority of those who bet (AMB-96)."""
    answer = procedure.answer
    if answer is None:
        round = turn.table.round
        asked = tuple(sorted({spot[0] for spot in round.wagers if spot[0] in turn.table.patrons})) if round else ()
        if not asked:
            done(turn, step, procedure, says="Nobody had a wager in that hand.")
            return
        _ask(
            turn,
            "shoe",
            "patrons",
            ("continue", "replace-cards"),
            "Go on with this shoe, or have the cards changed?",
            basis,
            waiting=asked,
            default="continue",
            lapses="never",
        )
        return
    votes = Counter(answer.values())
    if len(answer) > 1 and votes["continue"] == votes["replace-cards"]:
        by = next(rank for tier in turn.book.ranks for rank in tier if rank == "pit-manager")
        _ask(
            turn,
            "shoe",
            by,
            ("continue", "replace-cards"),
            "The patrons are divided: is the shoe kept or changed?",
            basis,
            lapses="never",
        )
        return
    if votes["replace-cards"] > votes["continue"] and turn.table.shoe is not None:
        turn.happen(e.CardsToBeReplaced, basis=basis)
    done(
        turn,
        step,
        procedure,
        says=f"{votes['continue']} for this shoe, {votes['replace-cards']} for other cards.",
        rests=basis,
    )


def _permit(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    basis = rests_on(step, procedure)
    rank = _by(turn, step, procedure)
    round = turn.table.running
    if round is None or not round.wagers:
        done(turn, step, procedure, says="Nobody has anything at stake.")
        return
    if procedure.answer is None:
        _ask(turn, "permit", rank, ("yes", "no"), "May the patrons withdraw their wagers?", basis, reason=step.reason)
        return
    if procedure.answer.get(rank) == "no":
        done(turn, step, procedure, says="Withdrawal was not allowed.")
        return
    _poll(turn, step, procedure, _GO_ON, "all" if step.then else "undecided", basis)


def _refer(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    rank, point = residual(turn.table)
    if procedure.answer is None:
        about = procedure.note or procedure.fact.replace("-", " ")
        what = "What becomes of the card?" if step.object == "card" else "What is to be done?"
        _ask(
            turn,
            "refer",
            rank,
            ("continue", "void", "rule"),
            f"The book does not provide for this: {about}. {what}",
            point.basis.plus(rests_on(step, procedure)),
            reason=True,
            form="remedies",
            lapses="round" if turn.table.running else "never",
        )
        return
    done(turn, step, procedure, says=procedure.reason, rests=point.basis)


def _reopen(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    basis = rests_on(step, procedure)
    round = turn.table.running
    if step.object == "insurance":
        if round is not None and turn.book.insurance is not None:
            found = present(turn, round)
            owed = missed(turn, round)
            if found is not None and owed is not None and found[0].stage == owed[0]:
                make_offer(turn, (found[0], found[1], found[2], owed[3]), basis=basis)
        done(turn, step, procedure, says="The window is open.")
        return
    if round is not None and round.cards:
        done(turn, step, procedure, branch="refer", says="Cards are out: no wager can be taken on them.")
        return
    if round is not None and round.phase == "closed":
        turn.happen(e.BetsReopened, basis=basis.plus(turn.basis("betting", "opens")))
    done(turn, step, procedure, says="Bets are open again, and will be closed anew.")


# A patron leaves with cards


def _attend(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    if procedure.answer is None:
        _ask(
            turn,
            "attend",
            step.object or "dealer",
            ("present",),
            "This is done only in your presence.",
            rests_on(step, procedure),
        )
        return
    done(turn, step, procedure, says="Present.")


def _reserve(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    count = int(step.object or 0)
    shoe = turn.shoe()
    if shoe.left < count:
        done(turn, step, procedure, says="There are not enough cards to set aside.")
        return
    turn.happen(e.CardsReserved, count, basis=rests_on(step, procedure))
    done(turn, step, procedure, says=f"{count} cards are set aside, in order, face down.")


def _enter(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    basis = rests_on(step, procedure)
    if step.object == "value":
        if procedure.faces:
            turn.happen(e.CardsExposed, procedure.cards, procedure.faces, basis=basis)
        done(turn, step, procedure, says="What the cards were is known from the device or surveillance.")
        return
    if procedure.answer is None:
        sealed = turn.round().reserve + len([at for at in unexposed(turn.round()) if at not in procedure.cards])
        says = f"Sort what is left and discarded into decks and enter the count; {sealed} cards are read under seal."
        _ask(turn, "count", turn.book.ranks[1][0], ("counted",), says, basis, form="count")
        return
    done(turn, step, procedure, says="The cards are counted.")


def _deduce(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    if procedure.found is None:
        done(turn, step, procedure, branch="else", says="What is missing cannot be told from what is left.")
        return
    done(turn, step, procedure, says=f"Missing: {' '.join(procedure.found)}.")


def _substitute(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    if procedure.found:
        turn.happen(e.CardsExposed, procedure.cards, procedure.found, basis=rests_on(step, procedure))
    done(turn, step, procedure, says="The same cards from a complete deck take their place.")


# Insurance


def _seen(round: Round) -> Round:
    """A round as far as its cards are open: one that is drawn but not seen tells nobody anything (AMB-60)."""
    return replace(round, cards=tuple(each for each in round.cards if each.face is not None))


def _late_offer(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    basis, round = rests_on(step, procedure), turn.table.running
    owed = missed(turn, round) if round is not None else None
    found = present(turn, _seen(round)) if round is not None else None
    if round is None or owed is None or found is None or found[1] != owed[1]:
        done(turn, step, procedure, branch="refer", says="The present position has no price (AMB-105).")
        return
    if procedure.answer is None:
        says = "An offer of insurance was missed. Offer it to those it concerns, before play goes on."
        _ask(turn, "late-offer", _by(turn, step, procedure), ("offer",), says, basis)
        return
    assert turn.book.insurance is not None
    cap = turn.book.insurance.points["late-cap"].basis.plus(turn.book.insurance.points["late-bound"].basis)
    make_offer(turn, (Situation(*found[0]), found[1], found[2], owed[3]), late=True, basis=basis.plus(cap))
    done(turn, step, procedure, says="Offered late; later cards are accepted.")


def _return_original(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    basis, round = rests_on(step, procedure), turn.table.round
    owed = missed(turn, round) if round is not None else None
    winner = settled_winner(round) if round is not None else None
    if round is None or owed is None or round.phase == "void":
        done(turn, step, procedure, says="No offer was missed.")
        return
    if winner is None:
        winner = result_fixed(chances(round))
    if winner is None:
        turn.happen(e.Waiting, basis=basis)  # whether cover would have won is known with the result
        return
    _, hand, row, spots = owed
    won = winner not in (hand, "tie")
    who = tuple(sorted({spot[0] for spot in spots})) if won else ()
    if not who:
        done(turn, step, procedure, says="No cover would have been paid.")
        return
    if procedure.answer is None:
        says = f"Who of {', '.join(who)} had meant to insure {hand.capitalize()} at {row.odds.in_words}? \
Their Original Bet comes back."
        _ask(
            turn,
            "intended",
            _by(turn, step, procedure),
            ("found",),
            says,
            basis,
            form="patrons",
            about=who,
            lapses="never",
        )
        return
    chosen = procedure.answer.get("patrons", "").split()
    lost = lost_on(turn, round) if round.phase == "settled" else {}
    for spot in [spot for spot in spots if spot[0] in chosen and spot[0] in turn.table.patrons]:
        turn.happen(e.OriginalReturned, *spot, lost.get(spot, 0), basis=basis)
    done(turn, step, procedure, says=f"The Original Bet comes back to {len(chosen)}.")


def _cancel_cover(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    basis, round = rests_on(step, procedure), turn.table.running
    window = round.window if round is not None else None
    if round is None or window is None or window.drawn:
        done(turn, step, procedure, says="No cover can be cancelled any more.")
        return
    struck = [each for each in round.covers if each.stage == window.stage]
    if procedure.answer is None:
        asked = tuple(sorted({each.spot[0] for each in struck}))
        if not asked:
            done(turn, step, procedure, says="Nobody has struck cover at those odds.")
            return
        _ask(
            turn,
            "cancel-cover",
            "patrons",
            ("keep", "cancel"),
            f"The odds are {window.row.odds.in_words}, not what was shown. Keep the cover or cancel it?",
            basis,
            waiting=asked,
            default="keep",
        )
        return
    for cover in struck:
        if procedure.answer.get(cover.spot[0]) == "cancel":
            turn.happen(e.CoverReturned, *cover.spot, cover.stage, cover.stake, "Cancelled.", basis=basis)
    done(turn, step, procedure, says=f"The odds are {window.row.odds.in_words}.")


_VERBS: dict[str, Callable[[Turn, Remedy, Procedure], None]] = {
    "void": _void,
    "stand": _stand,
    "close": _close,
    "continue": _continue,
    "note": _note,
    "notice": _notice,
    "correct": _correct,
    "retrieve": _retrieve,
    "reconstruct": _reconstruct,
    "reassign": _reassign,
    "carry": _carry,
    "free-hand": _free_hand,
    "remove-wagers": _remove_wagers,
    "deal": _deal,
    "last-hand": _last_hand,
    "decide": _decide,
    "offer": _offer,
    "permit": _permit,
    "replace-cards": _replace_cards,
    "refer": _refer,
    "reopen": _reopen,
    "burn": _burn,
    "dealer-opens": _dealer_opens,
    "attend": _attend,
    "reserve": _reserve,
    "enter": _enter,
    "deduce": _deduce,
    "substitute": _substitute,
    "late-offer": _late_offer,
    "return-original": _return_original,
    "cancel-cover": _cancel_cover,
}


def check_ruling(turn: Turn, steps: tuple[dict[str, str | int | bool], ...]) -> None:
    """A ruling composes steps of the same verbs; refuse what is none of them."""
    from punto.rulebook.vocabulary import VERBS

    if not 0 < len(steps) <= 10:
        raise Refused("A ruling is one to ten steps.")
    for step in steps:
        if len(step) != 1:
            raise Refused("Each step of a ruling is one verb with its object.")
        [(verb, object)] = step.items()
        if verb not in _RULED:
            raise Refused(f"A ruling is made of {', '.join(_RULED)}, not of {verb!r}.")
        allowed = tuple(turn.book.offers) if verb == "offer" else VERBS[verb]
        if object is not True and str(object) not in allowed:
            raise Refused(f"{verb} takes {', '.join(allowed) or 'nothing'}, not {object!r}.")
        if object is True and verb in ("offer", "decide", "reassign", "free-hand", "replace-cards"):
            raise Refused(f"{verb} takes one of {', '.join(allowed)}.")
        if verb == "permit" and turn.table.running is None:
            raise Refused("No round is running that wagers could be withdrawn from.")


_RULED = (
    "carry",
    "close",
    "continue",
    "deal",
    "dealer-opens",
    "free-hand",
    "note",
    "notice",
    "offer",
    "permit",
    "reassign",
    "reconstruct",
    "remove-wagers",
    "replace-cards",
    "stand",
    "void",
)
