"""What a command leads to: events, or a refusal that names the clause. Pure, like everything in this room."""

from collections.abc import Callable
from typing import Any

import msgspec

from punto.rulebook import Refused
from punto.table import commands as c
from punto.table import events as e
from punto.table.felt import due, whole
from punto.table.handlers import (
    answering,
    betting,
    dealing,
    differential,
    disputes,
    insurance,
    opening,
    reporting,
    settling,
    squeezing,
)
from punto.table.remedies.verbs import take_step
from punto.table.state import Table
from punto.table.turn import Turn

ENGINE = 1
"""The number of these rules of decision. It is raised when a command may lead to other events than before, sentences
apart: a journal is decided again only by the number that decided it."""

_MOST_STEPS = 500


def decide(table: Table | None, command: c.Command) -> tuple[e.Event, ...]:
    """The events that a command leads to; `Refused` if the book does not allow it."""
    return act(table, command)[1]


def act(table: Table | None, command: c.Command) -> tuple[Table, tuple[e.Event, ...]]:
    """The table after a command, and the events that led there.

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
            raise Refused("The table is not open.")
        opened, events = opening.open_table(command)
        return opened, tuple(events)
    if not table.open:
        raise Refused("The table is closed.")
    handler = _HANDLERS.get(type(command))
    if handler is None:
        raise Refused("The table is open already.")
    turn = Turn(table, command.by)
    handler(turn, command)
    advance(turn)
    return turn.table, tuple(turn.events)


def can(table: Table | None, command: c.Command) -> bool:
    """Whether a command would be accepted now: the one source of legality."""
    return why_not(table, command) is None


def why_not(table: Table | None, command: c.Command) -> Refused | None:
    """The refusal that a command would meet now, or None."""
    try:
        act(table, command)
    except Refused as refused:
        return refused
    return None


def advance(turn: Turn) -> None:
    """Do what follows by itself: the steps of a procedure, and what the table is set to do alone."""
    for _ in range(_MOST_STEPS):
        table = turn.table
        if not table.procedures and (table.round is None or table.round.phase != "closed"):
            return
        procedures = table.procedures
        if any(each.blocks and each.step in (None, len(procedures) - 1) for each in table.questions):
            return  # what was reported later goes before the questions of what was reported earlier
        if procedures and not (procedures[-1].until_round_end and table.running is not None):
            take_step(turn, procedures[-1])
        elif table.running is None or not _by_itself(turn):
            return


def _by_itself(turn: Turn) -> bool:
    """One thing that the table does alone; False if there is none."""
    round, auto = turn.round(), turn.table.setup.auto
    before, dealt = len(turn.events), len(round.cards)
    if turn.table.method == "A":
        squeezing.assign_squeezers(turn)
    if not dealt:
        differential.cure(turn)
    if len(turn.events) > before:
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
        dealing.take_card(turn, at)
        if dealt == 0 and not turn.table.procedures and not turn.table.questions:
            dealing.deal_on(turn)
        return True
    if "settle" in auto and at is None and whole(round):
        if "result" not in round.announced and turn.point("dealing", "announce-result") is not None:
            return dealing.to_announce(turn)
        settling.pay(turn)
        return len(turn.events) > before
    return False


_HANDLERS: dict[type[msgspec.Struct], Callable[[Turn, Any], None]] = {
    c.ChangeBook: opening.change_book,
    c.PostLimits: opening.post_limits,
    c.CloseTable: opening.close_table,
    c.Assign: opening.assign,
    c.Relieve: opening.relieve,
    c.Sit: opening.sit,
    c.Stand: opening.stand,
    c.Leave: opening.leave,
    c.BuyIn: opening.buy_in,
    c.CashOut: opening.cash_out,
    c.PayOwed: opening.pay_owed,
    c.LoadShoe: opening.load_shoe,
    c.Burn: opening.burn,
    c.LastHand: opening.last_hand,
    c.EndShoe: opening.end_shoe,
    c.SetMethod: opening.set_method,
    c.TakeShoe: opening.take_shoe,
    c.GiveBackShoe: opening.give_back_shoe,
    c.LetDraw: opening.let_draw,
    c.OpenBets: betting.open_bets,
    c.Place: betting.place,
    c.Lower: betting.lower,
    c.Withdraw: betting.withdraw,
    c.Find: betting.find,
    c.Pull: betting.pull,
    c.Object: betting.objection,
    c.Remove: differential.remove,
    c.CapArea: betting.cap_area,
    c.CloseBets: betting.close_bets,
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
    c.NoInsurance: insurance.no_insurance,
    c.Report: reporting.report,
    c.Answer: answering.answer,
    c.Rule: answering.rule,
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
