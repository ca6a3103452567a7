"""Disputes: raised, escalated, gathered information on, resolved, and complained of."""

from punto.messages import Sentence, say
from punto.rulebook import Basis, Refused
from punto.rulebook.vocabulary import DEALER
from punto.table import commands as c
from punto.table import events as e
from punto.table.authority import post_of, rank_named, residual
from punto.table.state import Dispute
from punto.table.turn import Turn

GATHERED, SURVEILLANCE, TOLD, ASSISTED = "gathered", "surveillance", "told-of-complaint", "assisted"


def raise_dispute(turn: Turn, command: c.RaiseDispute) -> None:
    """Raise a dispute. It is with the supervisor where the book has a procedure, else with the residual authority."""
    turn.patron(command.patron)
    turn.oneself_or_staff(command.patron)
    if not command.says.strip():
        raise Refused(say("what-is-disputed", "Say what is disputed."))
    point = turn.point("disputes", "escalation")
    level, basis = (turn.book.ranks[1][0], point.basis) if point is not None else _residual(turn)
    turn.happen(e.DisputeRaised, command.patron, command.says, level, basis=basis)


def _residual(turn: Turn) -> tuple[str, Basis]:
    rank, point = residual(turn.table)
    return rank, point.basis


def _dispute(turn: Turn, number: int) -> Dispute:
    if not 0 <= number < len(turn.table.disputes):
        raise Refused(say("no-such-dispute", "There is no dispute {dispute}; they are counted from 0.", dispute=number))
    return turn.table.disputes[number]


def _open(turn: Turn, number: int) -> Dispute:
    found = _dispute(turn, number)
    if found.state != "open":
        raise Refused(say("dispute-not-open", "Dispute {dispute} is not open any more.", dispute=number))
    return found


def _move(turn: Turn, number: int, step: str, says: str = "", basis: Basis | None = None, **more: object) -> None:
    turn.happen(e.DisputeMoved, number, step, says, basis=basis or Basis(), **more)


def escalate(turn: Turn, command: c.Escalate) -> None:
    """Take a dispute to the next tier of ranks."""
    found = _open(turn, command.dispute)
    point = turn.point("disputes", "escalation")
    turn.staff(point.basis if point else Basis())
    ranks = [tier[0] for tier in turn.book.ranks]
    at = next((level for level, tier in enumerate(turn.book.ranks) if found.level in tier), 0)
    if at + 1 == len(ranks):
        raise Refused(say("highest-rank-already", "It is with the highest rank already."))
    _move(turn, command.dispute, "escalated", level=ranks[at + 1], basis=point.basis if point else _residual(turn)[1])


def gather(turn: Turn, command: c.Gather) -> None:
    """Add information to a dispute, or note that surveillance was told."""
    _open(turn, command.dispute)
    point = turn.point("disputes", "gathering")
    basis = point.basis if point is not None else _residual(turn)[1]
    turn.need(point.by if point is not None and point.by else turn.book.ranks[1][0], basis)
    if command.what not in ("information", SURVEILLANCE):
        raise Refused(say("what-is-gathered", "What is gathered is information, or surveillance is told."))
    _move(turn, command.dispute, GATHERED if command.what == "information" else SURVEILLANCE, command.note, basis)


def give_time_frame(turn: Turn, command: c.GiveTimeFrame) -> None:
    """Note by when a dispute will be resolved."""
    _open(turn, command.dispute)
    turn.staff()
    _move(turn, command.dispute, "time-frame", command.due, turn.basis("disputes", "time-frame"))


def _of_the_level(turn: Turn, level: str) -> str:
    """The rank needed to resolve a dispute: the one it is with, or any other of that tier (AMB-99)."""
    post = post_of(turn.table, turn.by)
    same = post is not None and any(post.rank in tier and level in tier for tier in turn.book.ranks)
    return post.rank if post is not None and same else level


def _to_gather(turn: Turn, found: Dispute) -> bool:
    """Whether something must still be gathered: once a dispute has come to the rank that gathers, and not below it."""
    gathering = turn.point("disputes", "gathering")
    tiers = turn.book.tiers
    if turn.point("disputes", "references") is None or gathering is None:
        return False
    if tiers[found.level] < tiers[rank_named(turn.table, gathering.by or found.level, gathering.basis)]:
        return False
    return any(step not in found.done for step in (GATHERED, SURVEILLANCE))


Pending = tuple[str, str, Sentence, Basis]
"""What is to be done next about a dispute: the command, who gives it, a sentence and what it rests on."""


def pending(turn: Turn, found: Dispute) -> Pending | None:
    """What is to be done next about a dispute; None once it has come to its end."""
    whose = {"patron": found.patron}
    if found.state == "open":
        return _pending_open(turn, found)
    point = turn.basis("disputes", "complaint")
    if found.state == "complaint-available" and TOLD not in found.done:
        says = say("next-tell-of-complaint", "Tell {patron} of the right to complain.", **whose)
        return "tell-of-complaint", DEALER, says, point
    if found.state == "complaint-available" and found.patron in turn.table.patrons:
        says = say("next-file-complaint", "{patron} may file a complaint about the decision.", **whose)
        return "file-complaint", found.patron, says, point
    if found.state == "complaint" and ASSISTED not in found.done:
        says = say("next-assist", "Help {patron} with the complaint.", **whose)
        return "assist", DEALER, says, turn.basis("disputes", "assistance")
    return None


def _pending_open(turn: Turn, found: Dispute) -> Pending:
    allowed, gathering = turn.point("disputes", "references"), turn.point("disputes", "gathering")
    if gathering is not None and _to_gather(turn, found):
        says = say(
            "next-gather", "The dispute of {patron}: gather information, and tell surveillance.", patron=found.patron
        )
        rank = rank_named(turn.table, gathering.by or found.level, gathering.basis)
        return "gather", rank, says, gathering.basis
    rank, basis = _residual(turn) if allowed is None else (found.level, allowed.basis)
    return "resolve", rank, say("next-resolve", "Resolve the dispute of {patron}.", patron=found.patron), basis


def resolve(turn: Turn, command: c.Resolve) -> None:
    """Resolve a dispute by the references that the book allows, once information is gathered."""
    found = _open(turn, command.dispute)
    allowed, gathering = turn.point("disputes", "references"), turn.point("disputes", "gathering")
    if allowed is None:
        rank, basis = _residual(turn)
        turn.need(rank, basis)
        if not command.says.strip():
            raise turn.refuse(say("resolution-needs-reason", "The decision needs a reason, for the record."), basis)
        _move(turn, command.dispute, "resolved", command.says, basis, state="resolved")
        return
    turn.need(_of_the_level(turn, found.level), allowed.basis)
    if gathering is not None and _to_gather(turn, found):
        raise turn.refuse(
            say(
                "gather-before-resolving",
                "Information must be gathered and surveillance told before a dispute is resolved.",
            ),
            gathering.basis,
        )
    if not command.says.strip():
        raise turn.refuse(say("resolution-needs-reason", "The decision needs a reason, for the record."), allowed.basis)
    wrong = [each for each in command.references if each not in allowed.values]
    if wrong or not command.references:
        raise turn.refuse(
            say(
                "resolution-refers",
                "A resolution refers to at least one of {references:list}.",
                references=list(allowed.values),
            ),
            allowed.basis,
        )
    clauses = allowed.basis.clauses
    named = tuple(clauses[1 + allowed.values.index(each)] for each in command.references)
    basis = Basis((clauses[0], *named), allowed.basis.readings)
    state = "resolved" if command.agreed else "complaint-available"
    _move(turn, command.dispute, "resolved", command.says, basis, references=command.references, state=state)


def tell_of_complaint(turn: Turn, command: c.TellOfComplaint) -> None:
    """Note that a patron who is not content was told of the right to complain."""
    found = _dispute(turn, command.dispute)
    turn.staff()
    point = turn.point("disputes", "complaint")
    if point is None:
        raise Refused(
            say("no-complaint-beyond-residual", "The book provides no complaint beyond its residual authority.")
        )
    if found.state != "complaint-available" or TOLD in found.done:
        raise turn.refuse(
            say(
                "nothing-to-tell",
                "There is nothing to tell: no decision stands that the patron disagrees with.",
            ),
            point.basis,
        )
    _move(turn, command.dispute, TOLD, "", point.basis)


def file_complaint(turn: Turn, command: c.FileComplaint) -> None:
    """File a formal complaint with the senior management."""
    found = _dispute(turn, command.dispute)
    point = turn.point("disputes", "complaint")
    if point is None:
        raise Refused(
            say("no-complaint-beyond-residual", "The book provides no complaint beyond its residual authority.")
        )
    turn.oneself_or_staff(found.patron)
    if found.state != "complaint-available":
        raise turn.refuse(
            say(
                "complaint-follows-decision",
                "A complaint follows a decision that the patron disagrees with.",
            ),
            point.basis,
        )
    if TOLD not in found.done:
        raise turn.refuse(
            say("right-to-complain-first", "The patron must first be told of the right to complain."), point.basis
        )
    _move(turn, command.dispute, "complaint", "", point.basis, state="complaint")
    if ASSISTED not in found.done:
        says = say(
            "help-with-complaint-owed",
            "The complaint was filed before anybody helped with it: help is still to be given.",
        )
        turn.happen(e.NotedDown, says, basis=turn.basis("disputes", "assistance"))


def assist(turn: Turn, command: c.Assist) -> None:
    """Note that the staff helped with a complaint."""
    found = _dispute(turn, command.dispute)
    point = turn.point("disputes", "assistance")
    if point is None:
        raise Refused(say("no-complaint-provided", "The book provides no complaint that could be helped with."))
    turn.staff()
    if found.state not in ("complaint-available", "complaint") or ASSISTED in found.done:
        raise turn.refuse(say("no-complaint-to-help-with", "There is no complaint to help with."), point.basis)
    _move(turn, command.dispute, ASSISTED, "", point.basis)
