"""Decides commands: each leads to events, or to a refusal that names the clause. Nothing is changed in place."""

from collections.abc import Callable
from typing import Any

import msgspec

from punto.amounts import amounts_in, writer_here, writer_of
from punto.messages import say
from punto.rulebook import SHIPPED, Library, Refused
from punto.table import answering
from punto.table import commands as c
from punto.table import events as e
from punto.table.felt import due, whole
from punto.table.handlers import (
    betting,
    calls,
    companions,
    dealing,
    differential,
    disputes,
    insurance,
    late_bets,
    method,
    money,
    opening,
    people,
    reporting,
    rulings,
    settling,
    shoe,
    squeezing,
    without_insurance,
    words,
)
from punto.table.remedies import found
from punto.table.remedies.verbs import take_step
from punto.table.state import Table
from punto.table.turn import ENGINE, Turn

_FIRST_FOUR = 4
_MOST_STEPS = 500


def decide(table: Table | None, command: c.Command, library: Library = SHIPPED) -> tuple[e.Event, ...]:
    """The events that a command leads to; `Refused` if the book does not allow it."""
    return act(table, command, library)[1]


def act(
    table: Table | None, command: c.Command, library: Library = SHIPPED, engine: int = ENGINE
) -> tuple[Table, tuple[e.Event, ...]]:
    """The table after a command, and the events that led there.

    `library` has the books that a table may be opened with or go over to; an open table has its own. With the number of
    an earlier `engine` a table is set up as that one did, and then goes on by its rules about chips.

    >>> from punto.settlement import Limits
    >>> limits = Limits(minimum=1000, maximum=100000, differential=100000)
    >>> at = "2025-03-01T20:00:00+08:00"
    >>> table, events = act(None, c.OpenTable("wu-song", at, decks=8, limits=limits))
    >>> [type(event).__name__ for event in events]
    ['TableOpened']
    >>> act(table, c.OpenBets())
    Traceback (most recent call last):
    punto.rulebook.refusal.Refused: No cards are in use: load a shoe first.
    """
    if table is None:
        if type(command) is not c.OpenTable:
            raise Refused(say("table-not-open", "The table is not open."))
        with amounts_in(command.currency):
            opened, events = opening.open_table(command, library, engine)
        return opened, tuple(events)
    if writer_here() is not writer_of(table.setup.currency):
        with amounts_in(table.setup.currency):
            return act(table, command, library, engine)
    if not table.open and type(command) not in _OF_DISPUTES:
        raise Refused(say("table-closed", "The table is closed."))
    handler = _HANDLERS.get(type(command))
    if handler is None:
        raise Refused(say("table-open-already", "The table is open already."))
    turn = Turn(table, command.by, library, engine)
    if table.paused is not None and type(command) in _OF_THE_NEXT_ROUND:
        turn.unblocked()
    handler(turn, command)
    companions.keep_companions(turn)
    advance(turn)
    while turn.table.questions and answering.end_what_is_moot(turn):
        advance(turn)
    return turn.table, tuple(turn.events)


def can(table: Table | None, command: c.Command, library: Library = SHIPPED) -> bool:
    """Whether a command would be accepted now."""
    return why_not(table, command, library) is None


def why_not(table: Table | None, command: c.Command, library: Library = SHIPPED) -> Refused | None:
    """The refusal that a command would meet now, or None."""
    try:
        act(table, command, library)
    except Refused as refused:
        return refused
    return None


def advance(turn: Turn) -> None:
    """Do what needs no command: the steps of a procedure, and what the table is set to do by itself."""
    for _ in range(_MOST_STEPS):
        table = turn.table
        round = table.round
        if table.paused is not None and len(table.procedures) <= table.paused.procedures:
            if not reporting.put_left_over(turn):
                reporting.resume_next_round(turn)
            continue
        if not table.procedures and (round is None or round.phase != "closed"):
            if round is None or round.phase == "betting" or not reporting.put_left_over(turn):
                return
            continue
        procedures = table.procedures
        if any(each.blocks and answering.is_next(table, each) for each in table.questions):
            return  # the questions of an earlier procedure wait until the later one is done
        if answering.is_dealing(table):
            take_step(turn, procedures[-1])
        elif table.running is None or not _by_itself(turn):
            return


def _by_itself(turn: Turn) -> bool:
    """Do one thing that the table does by itself; False if there is none."""
    round, auto = turn.round(), turn.table.setup.auto
    before, dealt = len(turn.events), len(round.cards)
    if turn.table.method == "A":
        squeezing.assign_squeezers(turn)
    if not dealt:
        differential.cure(turn)
    if len(turn.events) > before:
        return True
    if dealt >= _FIRST_FOUR and (turn.menu.early or turn.menu.late) and _after_four(turn):
        return True
    if not auto:
        return False
    at = due(round)
    insured = dealt >= 4 and at is not None and turn.book.insurance is not None
    owed = insurance.to_offer(turn) if insured else None
    if "offer" in auto and owed is not None:
        insurance.make_offer(turn, owed)
        return True
    if "announce" in auto and dealt >= 4 and dealing.to_announce(turn):
        return True
    if "deal" in auto and at is not None and owed is None and dealing.may_deal(turn):
        reporting.deal_card(turn, at)
        if dealt == 0 and not turn.table.procedures and not turn.table.questions:
            dealing.deal_on(turn)
        return True
    if "settle" in auto and at is None and whole(round):
        if "result" not in round.announced and turn.point("dealing", "announce-result") is not None:
            return dealing.to_announce(turn)
        settling.pay(turn)
        return len(turn.events) > before
    return False


def _after_four(turn: Turn) -> bool:
    """Pay the bets that the first four cards settle, or open those that may be placed then; False if there are none."""
    return settling.pay_first_four(turn) or late_bets.open_late_bets(turn)


_OF_DISPUTES = (c.Escalate, c.Gather, c.GiveTimeFrame, c.Resolve, c.TellOfComplaint, c.FileComplaint, c.Assist)
"""What can still be done when a table is closed: disputes on its record are brought to their end."""

_OF_THE_NEXT_ROUND = (
    c.OpenBets,
    c.Place,
    c.Lower,
    c.Withdraw,
    c.Find,
    c.Pull,
    c.Object,
    c.Remove,
    c.CloseBets,
    c.Draw,
    c.Expose,
    c.Announce,
    c.AskSqueeze,
    c.DeclineSqueeze,
    c.GrantSqueeze,
    c.BarSqueeze,
    c.Settle,
    c.LastHand,
)
"""What waits while something is to be decided about the last round, though bets are open for the next."""

_HANDLERS: dict[type[msgspec.Struct], Callable[[Turn, Any], None]] = {
    c.ChangeBook: opening.change_book,
    c.PostLimits: opening.post_limits,
    c.CloseTable: opening.close_table,
    c.Assign: people.assign,
    c.Relieve: people.relieve,
    c.Sit: people.sit,
    c.Stand: people.stand,
    c.Leave: people.leave,
    c.BuyIn: money.buy_in,
    c.CashOut: money.cash_out,
    c.PayOwed: money.pay_owed,
    c.LoadShoe: shoe.load_shoe,
    c.InviteWords: words.invite_words,
    c.CommitWord: words.commit_to_word,
    c.CallWords: words.call_words,
    c.RevealWord: words.reveal_word,
    c.Burn: shoe.burn,
    c.LastHand: shoe.last_hand,
    c.EndShoe: shoe.end_shoe,
    c.SetMethod: method.set_method,
    c.TakeShoe: method.take_shoe,
    c.GiveBackShoe: method.give_back_shoe,
    c.LetDraw: method.let_draw,
    c.OpenBets: calls.open_bets,
    c.Place: betting.place,
    c.Lower: betting.lower,
    c.Withdraw: betting.withdraw,
    c.Find: found.find,
    c.Pull: betting.pull,
    c.Object: betting.objection,
    c.Remove: differential.remove,
    c.CapArea: betting.cap_area,
    c.CloseBets: calls.close_bets,
    c.ClearStrike: betting.clear_strike,
    c.Draw: dealing.draw,
    c.Expose: dealing.expose,
    c.Announce: dealing.announce,
    c.OpenFirst: squeezing.open_first,
    c.AskSqueeze: squeezing.ask_squeeze,
    c.DeclineSqueeze: squeezing.decline_squeeze,
    c.GrantSqueeze: squeezing.grant_squeeze,
    c.BarSqueeze: squeezing.bar_squeeze,
    c.BankerThirdFirst: squeezing.banker_third_first,
    c.OfferInsurance: insurance.offer_insurance,
    c.Insure: insurance.insure,
    c.DeclareIntent: insurance.declare_intent,
    c.NoInsurance: without_insurance.no_insurance,
    c.Report: reporting.report,
    c.Answer: answering.answer,
    c.Rule: rulings.rule,
    c.Complain: settling.complain,
    c.Settle: settling.settle,
    c.RaiseDispute: disputes.raise_dispute,
    c.Escalate: disputes.escalate,
    c.Gather: disputes.gather,
    c.GiveTimeFrame: disputes.give_time_frame,
    c.Resolve: disputes.resolve,
    c.TellOfComplaint: disputes.tell_of_complaint,
    c.FileComplaint: disputes.file_complaint,
    c.Assist: disputes.assist,
}
