"""Tables in every phase of play, for every kind of shoe, and the people who could act there: states to try things in.

A state is a table with its events so far, and can be gone on from as often as one likes: nothing is kept anywhere. The
house's dealer plans what comes next, as at a virtual table; patrons ask for whatever they may have.
"""

from collections.abc import Generator, Iterator, Sequence
from itertools import product
from typing import NamedTuple

import msgspec

from punto.rulebook import load
from punto.rulebook.facts import REPORTABLE
from punto.rulebook.vocabulary import VERBS
from punto.service.accounts.account import Account, HeldPost
from punto.service.runtime.dealer_plan import Memory, planned
from punto.settlement import Limits
from punto.shoe import commit_word
from punto.table import Table, act, can, events
from punto.table import commands as c
from punto.table.felt import unexposed, whole
from punto.table.legal import KINDS
from punto.table.remedies.verbs import RULED
from punto.table.state import Question

LIMITS = Limits(minimum=10_00, maximum=2_000_00, differential=5_000_00, unit=1_00, rounding="up")
NOW = "2026-11-15T08:00:00+08:00"
SHOES = ("virtual", "read", "hand")
PATRONS = ("ann", "bob", "cat")
GUEST = "eve"
MOST_STEPS = 30
"""A round takes the dealer no more steps."""

ROUND = ("Kh", "Kc", "2d", "3d", "5s", "6s")
"""A round in drawn order in which both hands draw, with cover on offer where a book has it."""

WAYS: dict[str, tuple[str, dict[str, object], str | None]] = {
    "face-up": ("da-hu-ying-xiong", {}, None),
    "insured": ("commission-insurance", {"face_down": True, "private": True}, None),
    "squeezed": ("dragon-tiger-hoiana", {"face_down": True}, None),
    "method-a": ("dragon-tiger-mbs", {"face_down": True}, "A"),
    "method-c": ("dragon-tiger-mbs", {"face_down": True, "high_limit": True}, "C"),
    "plain": ("wu-song", {}, None),
}
"""Ways of dealing: a book, a set-up and a method."""

_ELSEWHERE = ("face-up", "insured", "squeezed", "method-a", "method-c")
TABLES = [(way, shoe) for shoe in SHOES for way in WAYS if shoe == "virtual" or way in _ELSEWHERE]
"""Every way of dealing from a virtual shoe, and most of them from a shoe that is read or in the hand."""

STAFF = {"dealer": (0, 0), "supervisor": (1, 0), "pit": (2, 0), "top": (-1, 0), "equal": (-1, -1)}
"""Roles of the staff, by the tier of ranks and the place in it: `equal` is another of the highest tier, if there is."""

ROLES = ("nobody", "guest", "patron", "holder", *STAFF, "outsider", "device")
"""Everybody who can send something: `holder` is a patron whose cards lie closed, if there is one, `patron` is not."""


class State(NamedTuple):
    """A table at some moment, and everything that has happened there."""

    way: str
    shoe: str
    table: Table
    made: tuple[events.Event, ...]

    @property
    def phase(self) -> str:
        """The phase of play."""
        table, round = self.table, self.table.running
        if any(each.blocks for each in table.questions):
            return "asked"
        if table.shoe is None:
            return "no shoe"
        if round is None:
            return "between rounds" if table.round is None or table.round.phase != "settled" else "paid"
        if round.phase == "betting" or not round.cards:
            return "bets open" if round.phase == "betting" else "bets closed"
        if round.window is not None:
            return "offer" if not round.window.drawn else "intent"
        if whole(round):
            return "finished"
        return "closed cards" if unexposed(round) else "dealing"

    def after(self, command: c.Command) -> "State":
        """The state after a command."""
        table, made = act(self.table, command)
        return State(self.way, self.shoe, table, (*self.made, *made))


def top_of(book: str) -> str:
    """The highest rank of a book."""
    return load(book).ranks[-1][-1]


def opened(way: str, shoe: str) -> State:
    """A table with three patrons who have money; one of them stands."""
    book, setup, method = WAYS[way]
    top = top_of(book)
    command = c.OpenTable(book, NOW, decks=8, limits=LIMITS, shoe=shoe, by=top, **setup)  # type: ignore[arg-type] # what a set-up holds
    table, made = act(None, command)
    state = State(way, shoe, table, made)
    if method is not None:
        state = state.after(c.SetMethod("B" if method == "C" and shoe == "hand" else method, by=top))
    for come in (c.Sit("ann", 1, by="ann"), c.Sit("bob", 2, by="bob"), c.Stand("cat", by="cat")):
        state = state.after(come).after(c.BuyIn(come.by, 100_000_00, by=come.by))
    return state.after(c.Assign("lou", "dealer", by=top)).after(c.RaiseDispute("ann", "It was mine.", by="ann"))


def wishes(table: Table) -> Iterator[c.Command]:
    """What patrons would like, and may do now."""
    round = table.running
    wagers = () if round is None else tuple(spot[0] for spot in round.wagers)
    for who, hand, stake in (("ann", "player", 1_000_00), ("bob", "banker", 900_00), ("cat", "banker", 100_00)):
        asked = [c.AskSqueeze(who, each, by=who) for each in ("player", "banker")]
        box = 1 if who == "cat" else None
        placing = [] if who in wagers else [c.Place(who, hand, stake, box, by=who)]
        taking = [c.TakeShoe(who, by=who)] if who == "ann" else []
        for each in (*placing, *taking, *asked, c.DeclareIntent(who, by=who)):
            if can(table, each):
                yield each


def states(way: str, shoe: str, faces: Sequence[str] = ()) -> Iterator[State]:
    """A table in one state after the other, from before its first shoe until its second round; then what else can be.

    `faces` are those of the shoe in its order, from the first card that is dealt; without them a round is arranged.
    """
    state, memory = opened(way, shoe), Memory()
    yield state
    while state.table.round is None or state.table.round.number < 2:
        state = yield from _wished(state)
        plan = planned(state.table, frozenset(PATRONS), memory)
        if plan is None:
            return
        for command in plan.commands:
            state = state.after(filled_in(state, command, faces or ROUND))
        yield state
    top = top_of(state.table.book.id)
    broken = state.after(c.Report("other", note="A glass fell.", by="dealer"))
    yield broken
    yield state.after(c.CloseBets()).after(c.Report("interruption", cause="other", by=top))


def _wished(state: State) -> Generator[State, None, State]:
    """Let patrons have what they would like, and the staff grant it."""
    for command in wishes(state.table):
        if can(state.table, command):
            state = state.after(command)
    for question in state.table.questions:
        if question.topic == "squeeze":
            state = state.after(c.Answer(question.id, "yes", by=question.to))
    yield state
    return state


def filled_in(state: State, command: c.Command, faces: Sequence[str]) -> c.Command:
    """A command of the dealer with what the service, or the dealer of a hand shoe, knows."""
    if isinstance(command, c.LoadShoe | c.InviteWords):
        return msgspec.structs.replace(command, commitment=COMMITMENT if state.shoe == "virtual" else "")
    if isinstance(command, c.Expose) and command.at is not None:
        return msgspec.structs.replace(command, faces=(faces[command.at % len(faces)],))
    return command


def account_of(role: str, state: State) -> Account | None:
    """The account of a role at a table."""
    ranks = state.table.book.ranks
    if role in STAFF:
        tier, place = STAFF[role]
        return Account(f"the-{role}", "staff", person=f"the-{role}", posts={"*": HeldPost(ranks[tier][place])})
    round = state.table.running
    holders = [] if round is None else [who for who in PATRONS if who in round.squeezers.values()]
    others = [who for who in PATRONS if who not in holders]
    return {
        "nobody": None,
        "guest": _patron(GUEST),
        "patron": _patron((others or list(PATRONS))[0]),
        "holder": _patron((holders or list(PATRONS))[0]),
        "outsider": Account("max", "staff", person="max", posts={"elsewhere": HeldPost(ranks[-1][0])}),
        "device": Account("shoe-1", "device", person="shoe-1", posts={"*": HeldPost("dealer")}),
    }[role]


def some_states(way: str, shoe: str, faces: Sequence[str] = ()) -> list[State]:
    """The first and the last state of each phase, and of those in which somebody holds cards or third cards are out."""
    first: dict[tuple[str, bool, bool], State] = {}
    last: dict[tuple[str, bool, bool], State] = {}
    for state in states(way, shoe, faces):
        round = state.table.running
        key = state.phase, round is not None and bool(round.squeezers), round is not None and len(round.cards) > 4
        first.setdefault(key, state)
        last[key] = state
    return [*first.values(), *(state for key, state in last.items() if state is not first[key])]


COMMITMENT, WORD = "c" * 64, "d" * 64
"""What the house commits to, and the word that every patron gives."""


def digest_of(patron: str) -> str:
    """The hash by which a patron commits to the word."""
    return commit_word(bytes.fromhex(WORD), COMMITMENT, patron)


def rare_states(way: str, shoe: str) -> Iterator[State]:
    """What play comes to seldom: disputes in all their steps, debts, too much on one hand, a table about to close."""
    state = opened(way, shoe)
    top = top_of(state.table.book.id)
    allowed = state.table.book.point("disputes", "references")
    for command in (
        c.Gather(0, "information", by=top),
        c.Gather(0, "surveillance", by=top),
        *(c.Escalate(0, by=top) for _ in state.table.book.ranks),
        c.Resolve(0, () if allowed is None else allowed.values[:1], "It was not.", agreed=False, by=top),
        c.TellOfComplaint(0, by=top),
        c.FileComplaint(0, by="ann"),
    ):
        if can(state.table, command):
            state = state.after(command)
            yield state
    ann = msgspec.structs.replace(state.table.patrons["ann"], owed=10_00)
    patrons = {**state.table.patrons, "ann": ann}
    yield state._replace(table=msgspec.structs.replace(state.table, patrons=patrons, strikes=frozenset({"ann"})))
    yield from {each.phase: each for each in reversed(list(_heavy(opened(way, shoe))))}.values()
    if shoe == "virtual":
        words = opened(way, shoe).after(c.InviteWords(COMMITMENT))
        yield words
        for who in PATRONS:
            given = c.CommitWord(who, digest_of(who), by=who)
            words = words.after(given) if can(words.table, given) else words
        yield words
        yield words.after(c.CallWords())
    leaving = opened(way, shoe)
    for who in PATRONS:
        leaving = leaving.after(c.CashOut(who, by=who)).after(c.Leave(who, by=who))
    yield leaving


def _heavy(state: State) -> Iterator[State]:
    """More on one hand than the differential allows; and then a Banker who is sure to draw."""
    memory = Memory()
    faces = ("Kh", "Kc", "2d", "2c", "5s", "6s")
    for _ in range(MOST_STEPS):
        for who in PATRONS:
            bet = c.Place(who, "banker", 2_000_00, 1 if who == "cat" else None, by=who)
            if can(state.table, bet) and all(spot[0] != who for spot in state.table.running.wagers):  # type: ignore[union-attr] # bets are open
                state = state.after(bet)
        plan = planned(state.table, frozenset(PATRONS), memory)
        if plan is None:
            return
        yield state
        for command in plan.commands:
            state = state.after(filled_in(state, command, faces))


# Everything that can be sent

VALUES: dict[str, tuple[object, ...]] = {
    "person": ("lou",),
    "amount": (10_00,),
    "bet": ("player", "banker"),
    "stake": (100_00,),
    "hand": ("player", "banker"),
    "how": ("squeeze", "expose"),
    "what": ("points", "result", "information", "surveillance"),
    "about": ("display",),
    "says": ("It was mine.",),
    "reason": ("So be it.",),
    "note": ("A glass fell.",),
    "due": ("Tomorrow.",),
    "dispute": (0,),
    "references": (("rules",), ()),
    "commitment": ("", COMMITMENT),
    "word": (WORD,),
    "most": (2,),
    "limits": (LIMITS,),
    "cause": ("other",),
}
"""What is tried in a field of a command; fields that are not named stay as they are."""

OPENED: tuple[c.Expose, ...] = tuple(
    c.Expose(faces, at)
    for faces in ((), ("?",), ("As",), ("?",) * 4)
    for at in (None, 0, 3, 4, 5)
    if at is None or len(faces) == 1
)


def everything(state: State, who: str) -> Iterator[c.Command]:
    """Commands of every kind that there is, sensible ones and others, about oneself and about others."""
    yield from OPENED
    yield from (c.Draw(to) for to in (None, "player", "banker"))
    yield from (c.Announce("result", each) for each in ("player", "banker", "tie", None))
    yield from _reports()
    for question in state.table.questions:
        yield from _answers(question)
    policies = state.table.book.policies
    yield from (c.Rule(name, each.choices[-1], "So be it.") for name, each in policies.items())
    yield from (c.Assign("lou", rank) for tier in state.table.book.ranks for rank in tier)
    yield from (c.SetMethod(method) for method in "ABC")
    book, setup, _ = WAYS[state.way]
    for opens in (c.OpenTable, c.ChangeBook):
        yield opens(book, NOW, decks=8, limits=LIMITS, shoe=state.shoe, **setup)  # type: ignore[arg-type] # what a set-up holds
    for kind in KINDS.values():
        if kind not in (c.Expose, c.Draw, c.Report, c.Answer, c.Rule, c.Assign, c.SetMethod):
            yield from _of_kind(kind, who)


def _of_kind(kind: type[c.Command], who: str) -> Iterator[c.Command]:
    names = [each for each in kind.__struct_fields__ if each not in ("by", "medium", "accepts_notice", "agreed")]
    tried: dict[str, tuple[object, ...]] = {"patron": tuple(dict.fromkeys((who, "ann"))), **VALUES}
    tried["box"] = (3,) if kind is c.Sit else (2,) if kind is c.Object else (None, 1)
    if kind is c.CommitWord:
        yield from (c.CommitWord(str(each), digest_of(str(each))) for each in tried["patron"])
        return
    given = [name for name in names if name in tried]
    for values in product(*(tried[name] for name in given)):
        yield kind(**dict(zip(given, values, strict=True)))  # type: ignore[arg-type] # what the fields hold


def _reports() -> Iterator[c.Command]:
    for fact in REPORTABLE:
        for cards, faces in (((), ()), ((), ("?",)), ((4,), ("As",)), ((4, 5), ())):
            more = {"hand": "player", "patron": "ann", "cause": "other", "order": "known"}
            yield c.Report(fact, cards, faces, note="A glass fell.", **more)  # type: ignore[arg-type] # what a report says
        yield c.Report(fact, note="A glass fell.", earlier=True)


def _answers(question: Question) -> Iterator[c.Command]:
    for choice in question.choices:
        for patron in (None, *question.waiting):
            yield c.Answer(question.id, choice, "So be it.", patron)
    for verb in RULED:
        objects: tuple[str | bool, ...] = (True, *VERBS[verb])
        for each in objects:
            yield c.Answer(question.id, "rule", "So be it.", remedies=({verb: each},))


def _patron(name: str) -> Account:
    return Account(name, "patron", person=name)
