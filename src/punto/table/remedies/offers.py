"""Steps that somebody decides: one rank, or every patron who has something at stake."""

from collections import Counter

from msgspec.structs import replace

from punto.messages import say
from punto.rulebook import Basis, standing
from punto.rulebook.facts import FACTS
from punto.rulebook.model import Offer, Remedy
from punto.rulebook.vocabulary import SHOE_SCOPE
from punto.table import commands as c
from punto.table import events as e
from punto.table.felt import areas_in_order, aside, chances, faces, in_order, lay
from punto.table.handlers.effects import ONLY_SEEN
from punto.table.handlers.guards import holds
from punto.table.handlers.insurance import price_again
from punto.table.handlers.rights import present
from punto.table.places import known_on_top
from punto.table.questions import YES_OR_NO, Topic
from punto.table.remedies.cards import must_be_replaced
from punto.table.remedies.steps import TAKE_BACK, decider, done, rests_on, return_wager
from punto.table.state import Felt, Procedure, Question, Round, Spot
from punto.table.turn import Turn

_GO_ON = ("continue", TAKE_BACK)


def _each_place_once(turn: Turn, question: Question, command: c.Answer) -> None:
    cards = turn.table.procedures[-1].cards
    if sorted(command.order) != sorted(cards):
        raise turn.refuse(
            say("order-names-each-place", "The order names each of the cards {places:nths} once.", places=list(cards)),
            question.basis,
        )


def _fix_order(turn: Turn, question: Question, command: c.Answer) -> None:
    turn.happen(e.OrderFixed, command.order, basis=question.basis)
    moved = [(was, now) for was, now in zip(command.order, sorted(command.order), strict=True) if was != now]
    if moved:
        places = [say("card-has-place", "card {was:nth} is now card {now:nth}", was=was, now=now) for was, now in moved]
        says = say(
            "places-in-new-order", "Cards are counted in the order that was fixed: {places:list}.", places=places
        )
        turn.happen(e.NotedDown, says, basis=question.basis)


RECONSTRUCTIBLE = Topic(name="reconstructible", to="rank", choices=YES_OR_NO, of_step=True)
ORDER = Topic(
    name="order",
    to="rank",
    choices=("order",),
    form="order",
    of_step=True,
    check=_each_place_once,
    act=_fix_order,
)
OFFER = Topic(name="offer", to="patrons", of_step=True)
PERMIT = Topic(name="permit", to="rank", choices=YES_OR_NO, of_step=True)
SHOE = Topic(
    name="shoe",
    to="patrons",
    choices=("continue", "replace-cards"),
    lapses="never",
    default="continue",
    of_step=True,
)
_SHOE_DIVIDED = replace(SHOE, to="rank", default=None)
"""The same question, to the rank that decides where the patrons are divided."""


def decide_step(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Ask a rank whether the hand can be put right, or in which order cards count."""
    basis = rests_on(step, procedure)
    if step.object == "reconstructible":
        if procedure.answer is None:
            discretion = turn.point("authority", "discretion")
            reasonable = discretion is not None and discretion.value == "reasonable"
            rests = basis.plus(discretion.basis) if discretion is not None else basis
            says = say("can-hand-be-put-right", "Can the hand be put right as it should have been dealt?")
            rank = decider(turn, step, procedure)
            RECONSTRUCTIBLE.ask(turn, says, rests, rank=rank, reason=step.reason or reasonable)
            return
        yes = procedure.guards.get("reconstructible") == "true"
        says = say("hand-cannot-be-put-right", "The hand cannot be put right.")
        if yes:
            says = say("hand-can-be-put-right", "The hand can be put right.")
        done(turn, step, procedure, says=says)
        return
    if procedure.answer is None:
        says = say("which-order", "In which order do the cards {places:nths} count?", places=procedure.cards)
        ORDER.ask(turn, says, basis, rank=decider(turn, step, procedure))
        return
    if turn.table.running is not None:
        turn.happen(e.CardsRelaid, areas_in_order(turn.round(), insured=turn.book.insurance is not None), basis=basis)
        price_again(turn, basis)
    done(turn, step, procedure, says=say("order-cards-fixed", "The order of the cards is fixed."))


def _undecided(turn: Turn, round: Round, scope: str, procedure: Procedure) -> tuple[str, ...]:
    """The bets that an offer is about: undecided ones only, unless the scope is all (AMB-14)."""
    menu = turn.table.menu
    if scope != "undecided" or turn.table.policy("return-scope") == "all":
        return tuple(menu.bets)
    sure = _sure(round, procedure)
    left, seen = chances(sure), faces(sure)
    return tuple(bet for bet in menu.bets if standing(menu[bet], left, seen) == "open")


def _spots(turn: Turn, round: Round, scope: str, procedure: Procedure) -> list[Spot]:
    """The wagers that an offer is about."""
    undecided = _undecided(turn, round, scope, procedure)
    return [spot for spot, placed in round.wagers.items() if spot[2] in undecided and placed.paid is None]


def _sure(round: Round, procedure: Procedure) -> Round:
    """The round as it decides wagers: cards in dispute count as closed, those laid wrong where they belong."""
    guards = procedure.guards
    if guards.get("order") == "unknown" or guards.get("reconstructible") == "false":
        return _closed(round, procedure.cards)
    return _closed(in_order(round), procedure.cards) if FACTS[procedure.fact].put_in_order else round


def _closed(round: Round, places: tuple[int, ...]) -> Round:
    """The round as if the cards at some places lay face down: an error in them decides nothing (AMB-14)."""
    cards = [Felt(each.area) if at in places else each for at, each in enumerate(round.cards)]
    return lay(round, tuple(cards))


def put_offer(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Put an offer of the book to the patrons whom it concerns."""
    offer = turn.book.offers[step.object or ""]
    basis = rests_on(step, procedure).plus(offer.basis)
    round = turn.table.round
    if offer.scope == SHOE_SCOPE:
        _shoe_choice(turn, step, procedure, offer, basis)
        return
    if round is None or round.phase != "closed":
        done(turn, step, procedure, says=say("nothing-at-stake", "Nobody has anything at stake."))
        return
    choices = tuple(each.do for each in offer.choices if holds(each.when, procedure.guards))
    _poll(turn, step, procedure, choices, basis)


def _going_on(choices: tuple[str, ...]) -> str | None:
    """The choice that silence means: to go on."""
    return next((each for each in choices if each != TAKE_BACK), None)


def to_ask(turn: Turn, round: Round, procedure: Procedure) -> set[str]:
    """Whom the choice of a procedure's next step is put to: everybody with something at stake who is not bound."""
    scope, offer = _scope_of(turn, procedure.rest[0])
    staking = {spot[0] for spot in _spots(turn, round, scope, procedure)}
    return staking - _bound(turn, round, procedure, offer) - (procedure.chosen or frozenset())


def _scope_of(turn: Turn, step: Remedy) -> tuple[str, Offer | None]:
    if step.verb == "offer":
        offer = turn.book.offers[step.object or ""]
        return offer.scope, offer
    return ("all" if step.then else "undecided"), None


def _bound(turn: Turn, round: Round, procedure: Procedure, offer: Offer | None) -> set[str]:
    """Who has no new choice: they have chosen to play on before the cards of this error were drawn (AMB-109)."""
    if offer is None or offer.bound is None or turn.table.policy("bound") == "error":
        return set()
    places = _cards_of(turn, round, procedure)
    return {name for name, drawn in round.bound.items() if places and min(places) >= drawn}


def _cards_of(turn: Turn, round: Round, procedure: Procedure) -> tuple[int, ...]:
    """The places of the cards that an error is about.

    They are those named, a hand that was passed on, the card to come if its face was seen, or surplus ones.
    """
    fact, surplus = FACTS[procedure.fact], aside(round)
    if procedure.cards:
        return procedure.cards
    if fact.handed_over:
        return tuple(at for at, each in enumerate(round.cards) if each.area == procedure.hand)
    if fact.lays in ONLY_SEEN and (known_on_top(turn.table) or not surplus):
        return (len(round.cards),)
    return surplus


def _poll(turn: Turn, step: Remedy, procedure: Procedure, choices: tuple[str, ...], basis: Basis) -> None:
    """Ask every patron with something at stake; once all have answered, do what they chose."""
    round = turn.round()
    scope, offer = _scope_of(turn, step)
    if procedure.answer is None or any(who not in turn.table.patrons for who in procedure.answer):
        if round.phase == "betting":
            done(
                turn,
                step,
                procedure,
                says=say("bets-open-change-wagers", "Bets are open: everybody may still change their wagers."),
            )
            return
        bound = _bound(turn, round, procedure, offer) & {spot[0] for spot in round.wagers}
        if bound:
            basis = basis.plus(turn.policy_basis("bound"))
        asked = tuple(sorted(to_ask(turn, round, procedure)))
        if not asked:
            _nobody_asked(turn, step, procedure, choices, bound, basis)
            return
        says = say("play-on-or-take-undecided-back", "Play on, or take the wagers back that are not decided?")
        if scope == "all":
            says = say("play-on-or-take-all-back", "Play on, or take all wagers back?")
        if procedure.chosen is not None:
            basis = basis.plus(Basis((), turn.basis("betting", "found-late").readings))
        going_on = _going_on(choices)
        OFFER.ask(turn, says, basis, choices=choices, waiting=asked, default=going_on, about=(scope,))
        return
    _carry_out_choice(turn, step, procedure, basis)


def _nobody_asked(
    turn: Turn, step: Remedy, procedure: Procedure, choices: tuple[str, ...], bound: set[str], basis: Basis
) -> None:
    """Go on where nobody has a choice: nothing is undecided, or whoever has a wager is bound by these cards."""
    turn.happen(e.ChoiceMade, basis=basis)
    if not bound:
        done(turn, step, procedure, says=say("nothing-undecided-at-stake", "Nobody has anything undecided at stake."))
        return
    if "as-it-lies" in choices:
        turn.happen(e.LeftAsItLies, basis=basis)
        price_again(turn, basis)
    says = say("who-plays-on-accepted-cards", "Who plays on has accepted these cards.")
    done(turn, step, procedure, says=says, rests=basis)


def _carry_out_choice(turn: Turn, step: Remedy, procedure: Procedure, basis: Basis) -> None:
    """Give back what was taken back, bind who plays on, and go on by what everybody chose."""
    round, answer = turn.round(), procedure.answer or {}
    scope, offer = _scope_of(turn, step)
    clauses = {each.do: each.clause for each in offer.choices} if offer is not None else {}
    words = {who: choice.split() for who, choice in answer.items()}
    back = {who: named for who, (choice, *named) in words.items() if choice == TAKE_BACK}
    on = [who for who in words if who not in back]
    undecided = _undecided(turn, round, scope, procedure)
    spots = [spot for spot in round.wagers if spot[0] in back and spot[2] in undecided]
    for spot in [spot for spot in spots if not back[spot[0]] or spot[2] in back[spot[0]]]:
        clause = clauses.get(TAKE_BACK)
        return_wager(turn, spot, say("taken-back", "Taken back."), Basis((clause,) if clause else ()).plus(basis))
    with_a_part = [who for who in back if any(spot[0] == who and spot[2] in undecided for spot in turn.round().wagers)]
    if (bound := on + with_a_part) and offer is not None and offer.bound:
        going = clauses.get(answer[on[0]]) if on else None
        turn.happen(e.Bound, tuple(bound), basis=Basis((going,) if going else ()).plus(Basis((offer.bound,))))
    taken = {who: tuple(bet for bet in undecided if not named or bet in named) for who, named in back.items()}
    turn.happen(e.ChoiceMade, tuple(on), taken, basis=basis)
    _answer_earlier_choices(turn, frozenset(back))
    if "as-it-lies" in answer.values():
        turn.happen(e.LeftAsItLies, basis=basis)
        price_again(turn, basis)
    all_back = bool(back) and not turn.round().wagers
    further = offer.all_back if offer is not None else step.all_back
    says = say("play-on-took-back", "{on} play on, {back} took back.", on=len(on), back=len(back))
    if all_back and step.then:
        done(turn, step, procedure, branch="then", says=says, rests=basis)
    else:
        done(turn, step, procedure, branch="all-back" if all_back and further else "", says=says, rests=basis)


def _answer_earlier_choices(turn: Turn, back: frozenset[str]) -> None:
    """Who has taken everything back has done so in an earlier choice that is still open, too (AMB-115)."""
    for question in [each for each in turn.table.questions if each.topic == OFFER.name and each.step is not None]:
        left = to_ask(turn, turn.round(), turn.table.procedures[question.step or 0])
        for name in [each for each in question.waiting if each in back and each not in left]:
            basis = question.basis.plus(Basis((), ("AMB-115",)))
            turn.happen(e.Answered, question.id, TAKE_BACK, "", name, basis=basis)


def _bettors(turn: Turn) -> set[str]:
    """Who had wagers in the hand that the shoe was last used for; nobody, before its first."""
    round, shoe = turn.table.round, turn.table.shoe
    if shoe is not None and round is not None and round.shoe != shoe.number:
        return set()
    if shoe is not None and shoe.first_bettors is not None and turn.table.running is not None and not turn.begun():
        return set(shoe.first_bettors)
    return round.bettors if round is not None else set()


def _shoe_choice(turn: Turn, step: Remedy, procedure: Procedure, offer: Offer, basis: Basis) -> None:
    """Ask those who bet, and are still at the table, whether the shoe is kept; the majority decides (AMB-96)."""
    answer, shoe = procedure.answer, turn.table.shoe
    if shoe is not None and shoe.replace is not None:
        done(turn, step, procedure)  # the cards are changed in any case
        return
    if answer is None:
        asked = tuple(sorted(name for name in _bettors(turn) if present(turn.table, name)))
        if not asked:
            says = say("nobody-had-wager", "Nobody is at the table who had a wager in that hand.")
            done(turn, step, procedure, says=says)
            return
        SHOE.ask(
            turn, say("keep-shoe-or-change", "Go on with this shoe, or have the cards changed?"), basis, waiting=asked
        )
        return
    votes = Counter(answer.values())
    if len(answer) > 1 and votes["continue"] == votes["replace-cards"]:
        assert offer.divided is not None  # the loader demands it
        says = say("patrons-divided", "The patrons are divided: is the shoe kept or changed?")
        rank = decider(turn, step, procedure) if procedure.ruled else offer.divided
        _SHOE_DIVIDED.ask(turn, says, basis, rank=rank)
        return
    if votes["replace-cards"] > votes["continue"] and turn.table.shoe is not None:
        must_be_replaced(turn, basis)
    done(
        turn,
        step,
        procedure,
        says=say(
            "votes-on-shoe",
            "{keep} for this shoe, {change} for other cards.",
            keep=votes["continue"],
            change=votes["replace-cards"],
        ),
        rests=basis,
    )


def permit(turn: Turn, step: Remedy, procedure: Procedure) -> None:
    """Ask a rank whether patrons may withdraw, then the patrons whether they do."""
    basis = rests_on(step, procedure)
    rank = decider(turn, step, procedure)
    round = turn.table.running
    if round is None or not round.wagers:
        done(turn, step, procedure, says=say("nothing-at-stake", "Nobody has anything at stake."))
        return
    if procedure.answer is None and procedure.chosen is None and not procedure.ruled:
        PERMIT.ask(
            turn,
            say("may-patrons-withdraw", "May the patrons withdraw their wagers?"),
            basis,
            rank=rank,
            reason=step.reason,
        )
        return
    if procedure.answer is not None and procedure.answer.get(rank) == "no":
        done(turn, step, procedure, says=say("withdrawal-not-allowed", "Withdrawal was not allowed."))
        return
    _poll(turn, step, procedure, _GO_ON, basis)
