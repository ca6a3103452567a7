"""What of an event somebody may see: one row a kind of event says which fields are for whom.

A patron sees their own money and everybody's wagers on the felt; the staff see everything on record; nobody else's
purse, debt, dispute or decision is shown to a patron or on a public screen. A field that no row names is shown to the
staff alone, and a test demands a row for every field.
"""

from collections.abc import Iterable
from typing import Any

import msgspec

from punto.table import events as e
from punto.table.authority import post_of
from punto.table.state import Question, Table


class Viewer(msgspec.Struct, frozen=True):
    """Who looks at a table: a patron by name, somebody of its staff, or the public."""

    name: str | None = None
    staff: bool = False


PUBLIC = Viewer()
STAFF = Viewer(staff=True)


class Shown(msgspec.Struct, frozen=True):
    """Which fields of an event are shown to whom; the staff see all of them.

    `own` fields are for whoever the event is about: its patron, those whom it asks, or else whoever caused it. `each`
    names collections by patron, of which everybody sees their own part.
    """

    public: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    each: tuple[str, ...] = ()
    staff: tuple[str, ...] = ()


_SPOT = ("patron", "box", "bet")

SHOWN: dict[type[e.Event], Shown] = {
    # Opening and people
    e.TableOpened: Shown(("setup", "at", "method")),
    e.BookChanged: Shown(("setup", "at")),
    e.LimitsPosted: Shown(("setup",)),
    e.TableClosed: Shown(),
    e.PostAssigned: Shown(("post", "as_acting"), staff=("person",)),
    e.PostLeft: Shown(staff=("person",)),
    e.PatronSat: Shown(("patron", "box", "accepted")),
    e.PatronStood: Shown(("patron", "accepted")),
    e.PatronLeft: Shown(("patron", "away")),
    e.BoughtIn: Shown(own=("patron", "amount")),
    e.CashedOut: Shown(own=("patron", "amount")),
    e.OwedPaid: Shown(own=("patron", "amount", "chips")),
    # Shoe
    e.ShoeLoaded: Shown(("number", "cards", "commitment", "words")),
    e.WordsInvited: Shown(("number", "commitment", "left_out")),
    e.WordCommitted: Shown(("patron", "digest")),
    e.WordsCalled: Shown(),
    e.WordRevealed: Shown(("patron", "word")),
    e.Burned: Shown(("count",)),
    e.LastHandAnnounced: Shown(),
    e.ShoeEnded: Shown(("seed", "key")),
    e.MethodSet: Shown(("method",)),
    e.ShoeTaken: Shown(("patron",)),
    e.ShoeGivenBack: Shown(("patron",)),
    e.DrawingLet: Shown(("patron",)),
    # Betting
    e.BetsOpened: Shown(("number", "free")),
    e.LastRoundReopened: Shown(("number",)),
    e.NextRoundResumed: Shown(("number", "free")),
    e.BetsReopened: Shown(),
    e.WagerPlaced: Shown((*_SPOT, "stake", "found")),
    e.WagerConfirmed: Shown(_SPOT, own=("reason",)),
    e.WagerAdvised: Shown(
        _SPOT,
        own=(
            "says",
            "message",
        ),
    ),
    e.MoneyRefused: Shown(own=(*_SPOT, "amount", "says", "message")),
    e.WagerLowered: Shown((*_SPOT, "amount", "says", "message")),
    e.WagerPulled: Shown(_SPOT),
    e.ObjectionNoted: Shown(own=("patron", "box")),
    e.AreaCapped: Shown(("most",)),
    e.BetsClosed: Shown(),
    e.LateBetsOpened: Shown(("bets",)),
    e.LateBetsClosed: Shown(),
    e.StrikeCleared: Shown(own=("patron",)),
    # Dealing
    e.CardDrawn: Shown(("at", "area", "carried", "reserve", "laid_with")),
    e.CardsSeen: Shown(("at", "faces", "carried", "moved")),
    e.CardsExposed: Shown(("at", "faces")),
    e.Announced: Shown(("what", "says", "message")),
    e.HandOpenedFirst: Shown(("hand",)),
    e.Delivered: Shown(("hand", "patron", "leave")),
    e.SqueezeDeclined: Shown(("patron", "hand")),
    e.SqueezeBarred: Shown(own=("patron",)),
    e.BankerFirstAllowed: Shown(("patron", "how")),
    # Insurance
    e.InsuranceOffered: Shown(("stage", "hand", "odds", "own", "opposite", "late"), each=("most",)),
    e.IntentDeclared: Shown(("patron",)),
    e.CoverStruck: Shown((*_SPOT, "stake")),
    e.CoverReturned: Shown((*_SPOT, "stage", "amount", "says", "message")),
    e.WindowClosed: Shown(("forgone", "intent_left", "again")),
    e.InsuranceOff: Shown(("accepted",)),
    # When something goes wrong
    e.Reported: Shown(("fact", "cards", "patron", "hand", "faces"), staff=("row", "guards", "note", "message")),
    e.StepTaken: Shown(
        ("verb", "object", "branch"),
        staff=(
            "says",
            "message",
        ),
    ),
    e.StepsRuled: Shown(staff=("steps",)),
    e.Waiting: Shown(),
    e.Asked: Shown(own=("question",)),
    e.Answered: Shown(("question",), own=("choice", "reason", "patron", "wagers"), staff=("patrons", "number")),
    e.AskedToo: Shown(own=("question", "patron")),
    e.ChoiceMade: Shown(each=("on", "back")),
    e.ChoiceReopened: Shown(own=("patron",)),
    e.Lapsed: Shown(("question",)),
    e.Deduced: Shown(("counted", "faces")),
    e.RoundEnded: Shown(("how", "reversed"), each=("returned", "owed")),
    e.OrderFixed: Shown(("order",)),
    e.CardsMisplaced: Shown(("at",)),
    e.CardsRelaid: Shown(("areas",)),
    e.LeftAsItLies: Shown(),
    e.CardsCarried: Shown(("at", "free", "seen", "after_last")),
    e.CardsRecalled: Shown(("count",)),
    e.CardsRetrieved: Shown(),
    e.CardsReserved: Shown(("count",)),
    e.HandFreed: Shown(("now",)),
    e.CardsToBeReplaced: Shown(),
    e.Noticed: Shown(
        (
            "says",
            "message",
        )
    ),
    e.FacesCorrected: Shown(("at", "faces")),
    e.OriginalReturned: Shown(own=(*_SPOT, "amount")),
    e.DifferentialPassed: Shown(),
    e.Bound: Shown(each=("patrons",)),
    e.RulingMade: Shown(("policy", "value"), staff=("reason",)),
    e.ComplaintAnswered: Shown(own=("patron", "about", "says", "message")),
    e.NotedDown: Shown(
        own=(
            "says",
            "message",
        )
    ),
    # Settlement and disputes
    e.RoundSettled: Shown(("winner", "cards", "again"), each=("lines", "spots", "moves", "strikes")),
    e.FirstFourSettled: Shown(each=("lines", "spots", "moves")),
    e.FirstFourReversed: Shown(("spots",), each=("moves",)),
    e.DisputeRaised: Shown(own=("patron", "says", "level")),
    e.DisputeMoved: Shown(own=("dispute", "step", "says", "level", "references", "state")),
}
"""What every kind of event shows to whom, besides the clauses that it rests on, which are for everybody."""

ALWAYS = ("by", "acting", "basis")
"""Fields of every event: `by` and `acting` as `told_name` says, `basis` to everybody."""

HIDDEN = ""
"""In the place of a name or a sentence that is not told."""

_HOUSE = (e.TableClosed().by, "service")
"""The names under which the house itself acts: no person's."""


def viewer_at(table: Table, name: str | None) -> Viewer:
    """Who somebody is at a table: of the staff where the name is a post or holds one.

    >>> from punto.table import act, commands
    >>> from punto.settlement import Limits
    >>> limits = Limits(minimum=1000, maximum=100000, differential=100000)
    >>> table, _ = act(None, commands.OpenTable("wu-song", "2025-03-01T20:00:00+08:00", decks=8, limits=limits))
    >>> viewer_at(table, "dealer").staff, viewer_at(table, "ann").staff
    (True, False)
    """
    return Viewer(name, staff=name is not None and post_of(table, name) is not None)


def visible(event: e.Event, viewer: Viewer) -> e.Event | None:
    """What a viewer sees of an event: all of it, the same kind of event with less in it, or nothing.

    >>> visible(e.BoughtIn("ann", 5000, by="ann"), Viewer("ann")).amount
    5000
    >>> visible(e.BoughtIn("ann", 5000, by="ann"), Viewer("bob")) is None
    True
    >>> visible(e.RoundEnded("void", returned={"ann": 5000, "bob": 700}), Viewer("bob")).returned
    {'bob': 700}
    """
    if viewer.staff:
        return event
    changes: dict[str, Any] = {}
    if type(event) not in _OPEN:
        shown = SHOWN.get(type(event))
        if shown is None or not _leave_out(event, shown, viewer.name, changes):
            return None
    if event.by not in _HOUSE:
        by = told_name(event.by, event, viewer)
        if by != event.by:
            changes |= {"by": by, "acting": False}
    return msgspec.structs.replace(event, **changes) if changes else event


def told_name(name: str, event: e.Event, viewer: Viewer) -> str:
    """Who did something, as far as a viewer is told: patrons are on the felt, the staff's names are their own.

    >>> event = e.WagerPlaced("ann", 1, "player", 5000, by="ann")
    >>> told_name("ann", event, PUBLIC), told_name("lee", event, PUBLIC), told_name("lee", event, STAFF)
    ('ann', '', 'lee')
    """
    if viewer.staff or name in _HOUSE or name == viewer.name:
        return name
    shown = SHOWN.get(type(event))
    if shown is not None and "patron" in shown.public and name == getattr(event, "patron", None):
        return name
    return HIDDEN


def own_question(question: Question, name: str) -> Question:
    """A question as one of the patrons whom it is put to sees it: without the others and their answers."""
    waiting = (name,) if name in question.waiting else ()
    answers = {name: question.answers[name]} if name in question.answers else {}
    return msgspec.structs.replace(question, waiting=waiting, answers=answers)


def _leave_out(event: e.Event, shown: Shown, name: str | None, changes: dict[str, Any]) -> bool:
    """Note in `changes` what is left out for somebody who is not of the staff; False if nothing would remain."""
    private = _PRIVATE[type(event)]
    changes.update(private)
    if not shown.own and not shown.each:
        return bool(shown.public) or not private
    owner = name is not None and name in _owners(event)
    remains = bool(shown.public) or (owner and bool(shown.own))
    if not owner:
        changes.update(_OWN[type(event)])
    elif isinstance(event, e.Asked) and name is not None:
        changes["question"] = own_question(event.question, name)
    for field in shown.each:
        value = getattr(event, field)
        part = _part(value, name)
        remains = remains or bool(part)
        if len(part) != len(value):
            changes[field] = part
    return remains


def _owners(event: e.Event) -> tuple[str, ...]:
    """Whom an event is about."""
    if isinstance(event, e.Asked):
        return event.question.waiting
    return (getattr(event, "patron", None) or event.by,)


def _part(value: Any, name: str | None) -> Any:
    """One patron's part of a collection: by key, by name, or by the name that a row begins with."""
    if isinstance(value, dict):
        return {name: value[name]} if name in value else {}
    return tuple(each for each in value if name == (each if isinstance(each, str) else each[0]))


def _blanks(kind: type[e.Event], names: Iterable[str]) -> dict[str, Any]:
    """What stands in the place of fields that are left out: their defaults, or nothing said."""
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    found: dict[str, Any] = {}
    for name in names:
        field = fields[name]
        if field.default_factory is not msgspec.NODEFAULT:
            found[name] = field.default_factory()
        else:
            found[name] = HIDDEN if field.default is msgspec.NODEFAULT else field.default
    return found


def _private(kind: type[e.Event], shown: Shown) -> list[str]:
    """The fields that are for the staff alone: those that a row says are, and those that no row names."""
    told = {*shown.public, *shown.own, *shown.each, *ALWAYS}
    return [name for name in kind.__struct_fields__ if name not in told]


_PRIVATE = {kind: _blanks(kind, _private(kind, shown)) for kind, shown in SHOWN.items()}
_OWN = {kind: _blanks(kind, shown.own) for kind, shown in SHOWN.items()}
_OPEN = {kind for kind, shown in SHOWN.items() if not shown.own and not shown.each and not _PRIVATE[kind]}
"""Kinds of events of which everybody sees every field."""
