"""Who squeezes the cards: by the highest wager, by order of refusal, by leave; and who is barred from it."""

from punto.coup.play import banker_draws
from punto.messages import say
from punto.rulebook import Basis, Refused
from punto.rulebook.facts import HANDS
from punto.rulebook.vocabulary import DEALER
from punto.table import commands as c
from punto.table import events as e
from punto.table.felt import due, points
from punto.table.handlers.rights import at_stake, may_squeeze, present
from punto.table.questions import YES_OR_NO, Topic
from punto.table.state import Question, Round
from punto.table.turn import Turn


def _deliver_if_granted(turn: Turn, question: Question, command: c.Answer) -> None:
    hand, patron = question.about
    if command.choice == "yes" and at_stake(turn.table, patron):
        turn.happen(e.Delivered, hand, patron, basis=question.basis)


def _deliver_to_chosen(turn: Turn, question: Question, command: c.Answer) -> None:
    if at_stake(turn.table, command.choice):
        turn.happen(e.Delivered, question.about[0], command.choice, basis=question.basis)


def _banker_first_if_granted(turn: Turn, question: Question, command: c.Answer) -> None:
    patron, how = question.about
    if command.choice == "yes":
        turn.happen(e.BankerFirstAllowed, patron, how, basis=question.basis)
        if how == "squeeze" and at_stake(turn.table, patron):
            turn.happen(e.Delivered, "banker", patron, basis=question.basis)


def _may_have_the_cards(turn: Turn, question: Question) -> bool:
    return at_stake(turn.table, question.about[1])


def _is_still_unclear(turn: Turn, question: Question) -> bool:
    return all(at_stake(turn.table, each) for each in question.choices)


def _may_come_first(turn: Turn, question: Question) -> bool:
    """Whether the asker still plays, and the Banker's third card is still sure to be drawn (AMB-59)."""
    round = turn.table.running
    return round is not None and at_stake(turn.table, question.about[0]) and _is_sure(round)


SQUEEZE = Topic(
    name="squeeze",
    to="rank",
    choices=YES_OR_NO,
    blocks=False,
    act=_deliver_if_granted,
    ground=_may_have_the_cards,
)
SQUEEZER = Topic(name="squeezer", to="rank", act=_deliver_to_chosen, yields=True, ground=_is_still_unclear)
BANKER_THIRD_FIRST = Topic(
    name="banker-third-first",
    to="house",
    choices=YES_OR_NO,
    act=_banker_first_if_granted,
    yields=True,
    ground=_may_come_first,
)


def _is_players_third_due(round: Round) -> bool:
    return due(round) == "player" and len(round.cards) >= 4


def _is_sure(round: Round) -> bool:
    """Whether the Player's third card is due, and the Banker draws whatever it is."""
    if not _is_players_third_due(round):
        return False
    player, banker = (points(round.hand(hand)) for hand in HANDS)
    return all(banker_draws(player, banker, value) for value in range(10))


def open_first(turn: Turn, command: c.OpenFirst) -> None:
    """Choose which hand is opened first."""
    point = turn.point("dealing", "first-opened")
    if point is None:
        raise Refused(say("no-hand-opened-first", "The book does not say that one hand is opened first."))
    turn.need(point.by or DEALER, point.basis)
    round = turn.round()
    if command.hand not in HANDS or len(round.cards) < 4:
        raise turn.refuse(
            say("hands-opened-first-after-deal", "After the initial deal, player or banker is opened first."),
            point.basis,
        )
    turn.happen(e.HandOpenedFirst, command.hand, basis=point.basis)


def ask_squeeze(turn: Turn, command: c.AskSqueeze) -> None:
    """Ask to squeeze a hand: for the highest bettor, before its cards are dealt; the House may have to grant it."""
    point = _squeezer(turn)
    round = turn.round()
    turn.oneself_or_staff(command.patron, point)
    _hand(command.hand)
    if not turn.table.setup.face_down:
        raise turn.refuse(
            say(
                "nothing-to-squeeze",
                "Cards are dealt face up at this table: there is nothing to squeeze.",
            ),
            point,
        )
    if command.patron in round.barred:
        raise turn.refuse(
            say("patron-may-not-squeeze", "{patron} may not squeeze.", patron=command.patron),
            turn.basis("dealing", "squeeze-bar"),
        )
    if round.phase == "betting":
        raise turn.refuse(say("squeezer-known-at-close", "Who squeezes is known when bets are closed."), point)
    value = turn.point("dealing", "squeezer")
    seated = value is not None and value.value == "seated-highest"
    on = command.hand if value is not None and value.value == "highest-on-the-hand" else None
    if _highest(turn, round, on, seated)[:1] != [command.patron]:
        says = say("highest-bettor-squeezes", "Only the patron with the highest wager may squeeze.")
        if seated:
            says = say("highest-seated-squeezes", "Only the seated patron with the highest wager may squeeze.")
        raise turn.refuse(says, point)
    if due(round) != command.hand and not (len(round.cards) < 4):
        raise turn.refuse(say("asked-before-card", "It is asked for before the card is dealt."), point)
    if any(each.area == command.hand for each in round.cards) and len(round.cards) < 4:
        raise turn.refuse(say("asked-before-card", "It is asked for before the card is dealt."), point)
    if SQUEEZE.is_open(turn):
        raise Refused(say("cards-asked-for-already", "Somebody has asked for the cards already."))
    by = value.by if value is not None else None
    if by is None:
        turn.happen(e.Delivered, command.hand, command.patron, basis=point)
        return
    says = say(
        "may-patron-squeeze", "May {patron} squeeze the {hand:hand} cards?", patron=command.patron, hand=command.hand
    )
    SQUEEZE.ask(turn, says, point, rank=by, about=(command.hand, command.patron))


def _squeezer(turn: Turn) -> Basis:
    point = turn.point("dealing", "squeezer")
    if turn.table.method == "B":
        raise turn.refuse(
            say("method-b-dealer-only", "In Method B only the dealer handles the cards."),
            turn.basis("dealing", "method-b-handling"),
        )
    return Basis() if point is None else point.basis


def _hand(name: str) -> None:
    if name not in HANDS:
        raise Refused(say("no-such-hand", "The hands are player and banker, not {value:quoted}.", value=name))


def _highest(turn: Turn, round: Round, hand: str | None, seated: bool) -> list[str]:
    """The patrons with money on a hand, or on either: highest first, of equal ones the earliest (AMB-76, AMB-82)."""
    sums: dict[str, list[int]] = {}
    for (name, box, bet), placed in round.wagers.items():
        if bet in HANDS and hand in (None, bet) and not turn.table.patrons[name].away:
            if seated and turn.table.patrons[name].box != box:
                continue
            total = sums.setdefault(name, [0, 0])
            total[0] += placed.stake
            total[1] = max(total[1], placed.money[-1][0])
    return sorted(sums, key=lambda name: (-sums[name][0], sums[name][1]))


def assign_squeezers(turn: Turn) -> None:
    """Give each hand's cards to its highest bettor who has not refused them (Method A)."""
    point = turn.point("dealing", "squeezer")
    round = turn.table.running
    if point is None or point.value != "highest-on-the-hand" or turn.table.method != "A" or round is None:
        return
    if round.phase != "closed" or round.free or len(round.cards) < 4:
        return
    for hand in HANDS:
        holder = round.squeezers.get(hand)
        if (hand, "") in round.declined or (holder is not None and not _gives_up(turn, hand, holder)):
            continue
        if any(each.topic == SQUEEZER.name and each.about == (hand,) for each in turn.table.questions):
            continue
        _assign(turn, turn.round(), hand)


def _gives_up(turn: Turn, hand: str, holder: str) -> bool:
    """Whether the cards go to the next: their holder is there and has no wager left. Who is away loses them later."""
    return present(turn.table, holder) and not may_squeeze(turn.table, hand)


def _assign(turn: Turn, round: Round, hand: str) -> None:
    basis = turn.basis("dealing", "squeezer")
    refused = [name for of, name in round.declined if of == hand and name]
    left = [name for name in _highest(turn, round, hand, False) if name not in refused]
    if not left:
        if hand in round.squeezers:
            turn.happen(e.Delivered, hand, None, basis=basis)
        turn.happen(e.SqueezeDeclined, "", hand, basis=turn.basis("dealing", "third-card"))
        return
    top = _on(round, left[0], hand)
    equal = [name for name in left if _on(round, name, hand) == top]
    if refused:
        basis = basis.plus(turn.basis("dealing", "squeezer-refuses"))
    chosen = equal[0]
    if len(equal) > 1 or (refused and _on(round, refused[-1], hand) == top):
        last = refused[-1] if refused and _on(round, refused[-1], hand) == top else None
        if last is not None:
            chosen = _counter_clockwise(turn, round, last, equal, hand)
            basis = basis.plus(turn.basis("dealing", "squeezer-equal-refuses"))
        elif any(each.found for spot, each in round.wagers.items() if spot[0] in equal and spot[2] == hand):
            unclear = turn.point("dealing", "squeezer-unclear")
            if unclear is not None:
                says = say(
                    "who-gets-hand",
                    "Who gets the {hand:hand} cards? It is not known who bet first.",
                    hand=hand,
                )
                rank = unclear.by or DEALER
                SQUEEZER.ask(turn, says, unclear.basis, rank=rank, choices=tuple(equal), about=(hand,))
                return
        else:
            basis = basis.plus(turn.basis("dealing", "squeezer-equal"))
    turn.happen(e.Delivered, hand, chosen, basis=basis)


def _on(round: Round, name: str, hand: str) -> int:
    return sum(placed.stake for (who, _, bet), placed in round.wagers.items() if (who, bet) == (name, hand))


def _counter_clockwise(turn: Turn, round: Round, last: str, equal: list[str], hand: str) -> str:
    """The next of several equal bettors, counter-clockwise from the one who refused."""
    boxes = {
        name: min(box for (who, box, bet) in round.wagers if (who, bet) == (name, hand)) for name in (last, *equal)
    }
    count = turn.table.setup.positions
    way = 1 if turn.table.setup.counter_clockwise else -1
    return min(equal, key=lambda name: (way * (boxes[name] - boxes[last]) - 1) % count)


def decline_squeeze(turn: Turn, command: c.DeclineSqueeze) -> None:
    """Refuse to squeeze: the cards go to the next in order."""
    turn.oneself_or_staff(command.patron)
    round = turn.round()
    if round.squeezers.get(command.hand) != command.patron:
        raise Refused(
            say(
                "not-holding-cards",
                "{patron} does not hold the {hand} cards.",
                patron=command.patron,
                hand=command.hand,
            )
        )
    turn.happen(e.SqueezeDeclined, command.patron, command.hand, basis=turn.basis("dealing", "squeezer-refuses"))


def grant_squeeze(turn: Turn, command: c.GrantSqueeze) -> None:
    """Let any patron squeeze a hand; not in Method B, where only the dealer handles cards (AMB-80)."""
    point = turn.point("dealing", "squeeze-grant")
    if point is None:
        raise Refused(say("nobody-else-squeezes", "The book does not let anybody else squeeze."))
    if turn.table.method == "B":
        basis = turn.basis("dealing", "method-b-handling").plus(point.basis)
        raise turn.refuse(say("method-b-dealer-only", "In Method B only the dealer handles the cards."), basis)
    turn.need(point.by or DEALER, point.basis)
    turn.patron(command.patron)
    _hand(command.hand)
    turn.round()
    through = turn.basis("dealing", "method-c-other-hand") if turn.table.method == "C" else Basis()
    turn.happen(e.Delivered, command.hand, command.patron, True, basis=point.basis.plus(through))


def bar_squeeze(turn: Turn, command: c.BarSqueeze) -> None:
    """Bar a patron from squeezing in this round."""
    point = turn.point("dealing", "squeeze-bar")
    if point is None:
        raise Refused(say("no-barring-from-squeeze", "The book does not provide for barring a patron from squeezing."))
    turn.need(point.by or DEALER, point.basis)
    turn.patron(command.patron)
    round = turn.round()
    turn.happen(e.SqueezeBarred, command.patron, basis=point.basis)
    for hand in [hand for hand, who in round.squeezers.items() if who == command.patron]:
        turn.happen(e.Delivered, hand, None, basis=point.basis)


def banker_third_first(turn: Turn, command: c.BankerThirdFirst) -> None:
    """Ask that the Banker's third card come first, where the Banker is sure to draw; the House must agree (AMB-59)."""
    insurance = turn.book.insurance
    point = insurance.points.get("waived") if insurance else None
    if point is None:
        raise Refused(say("banker-third-not-first", "The book does not let the Banker's third card come first."))
    turn.oneself_or_staff(command.patron)
    round = turn.round()
    if command.how not in ("squeeze", "expose"):
        raise Refused(say("banker-third-squeezed-or-exposed", "The Banker's third card is squeezed or exposed first."))
    if not turn.table.setup.face_down:
        raise turn.refuse(say("cards-dealt-face-up", "Cards are dealt face up at this table."), point.basis)
    if _highest(turn, round, None, True)[:1] != [command.patron]:
        raise turn.refuse(
            say("only-highest-seated-asks", "Only the seated patron with the highest wager may ask for that."),
            point.basis,
        )
    certain = Basis(point.basis.clauses, ("AMB-59",))
    if not _is_players_third_due(round):
        raise turn.refuse(
            say("asked-when-player-third-due", "It is asked for when the Player's third card is due."), certain
        )
    if not _is_sure(round):
        raise turn.refuse(
            say(
                "banker-may-yet-stand",
                "With {banker} the Banker may yet stand: its third card cannot come first.",
                banker=points(round.hand("banker")),
            ),
            certain,
        )
    if BANKER_THIRD_FIRST.is_open(turn):
        raise Refused(say("asked-already", "That has been asked already."))
    says = say(
        "may-banker-third-first",
        "May {patron} {how} the Banker's third card first? Nobody can insure after the Player's third card then.",
        patron=command.patron,
        how=command.how,
    )
    BANKER_THIRD_FIRST.ask(turn, says, point.basis, about=(command.patron, command.how))
