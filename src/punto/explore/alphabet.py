"""The alphabet of the explorer: every command that it tries in every state, stated as data.

Two patrons, amounts on both sides of every limit, and faces that reach every row of the Table of Play. Commands that
only make the same table larger (more patrons, other limits, posts) are left out; `NOT_TRIED` says which.
"""

from collections import Counter
from collections.abc import Iterator

from punto.coup import RANKS, SUITS
from punto.rulebook.facts import FACTS, REPORTABLE, Detail
from punto.rulebook.vocabulary import DEALER, PATRONS
from punto.table import commands as c
from punto.table.authority import residual
from punto.table.examples import examples
from punto.table.felt import unexposed
from punto.table.state import Question, Round, Table

ANN, BOB = "ann", "bob"
WORDS = "Said for the record."
PURSE = 10_000_000
"""What each patron comes with: far more than can be staked."""

PLAIN: tuple[c.Command, ...] = (
    # the shoe
    c.LoadShoe(),
    c.Burn(),
    c.LastHand(),
    c.EndShoe(),
    c.TakeShoe(BOB, by=BOB),
    c.GiveBackShoe(by=BOB),
    c.GiveBackShoe(),
    # betting
    c.OpenBets(),
    c.Place(ANN, "player", 2000, by=ANN),
    c.Place(BOB, "banker", 2000, by=BOB),
    c.Place(BOB, "banker", 8000, by=BOB),
    c.Place(BOB, "banker", 1010, by=BOB),  # not to be paid to the cent
    c.Place(ANN, "player", 500, by=ANN),  # under the minimum
    c.Place(ANN, "player", 25000, by=ANN),  # over the maximum
    c.Place(ANN, "tie", 1000, by=ANN),
    c.Lower(ANN, "player", 1000, by=ANN),
    c.Lower(BOB, "banker", 1000, by=BOB),
    c.Withdraw(ANN, "player", by=ANN),
    c.Withdraw(BOB, "banker", by=BOB),
    c.CloseBets(),
    c.Find(BOB, "banker", 2000),
    c.Find(ANN, "player", 2000),
    c.Find(ANN, "player", 500),
    c.Find(BOB, "banker", 25000),
    c.Pull(ANN, "player"),
    c.Remove(BOB, "banker", 1000),
    # dealing
    c.Draw(),
    c.Draw("player"),
    c.Draw("banker"),
    c.Draw(by=BOB),
    c.Announce(),
    c.Announce("result"),
    c.Announce("result", "player"),
    c.Announce("result", "banker"),
    c.OpenFirst("banker"),
    c.AskSqueeze(ANN, "player", by=ANN),
    c.AskSqueeze(BOB, "banker", by=BOB),
    c.DeclineSqueeze(ANN, "player", by=ANN),
    c.DeclineSqueeze(BOB, "banker", by=BOB),
    c.BankerThirdFirst(BOB, by=BOB),
    c.Settle(),
    # insurance
    c.OfferInsurance(),
    c.Insure(ANN, "player", 1000, by=ANN),
    c.Insure(BOB, "banker", 1000, by=BOB),
    c.Insure(ANN, "player", 1, by=ANN),
    c.Insure(ANN, "player", 3000, by=ANN),  # more than the bet
    c.DeclareIntent(ANN, by=ANN),
    c.DeclareIntent(BOB, by=BOB),
    # people
    c.Leave(ANN, by=ANN),
    c.Sit(ANN, 1, by=ANN),
    c.Complain(ANN, "misplaced", by=ANN),
    c.CashOut(ANN, by=ANN),
    c.BuyIn(ANN, PURSE, by=ANN),
    c.PayOwed(ANN, 1000, by=ANN),
)
"""Commands that are the same in every state."""

NOT_TRIED: dict[str, str] = {
    "another table": "open-table change-book post-limits cap-area set-method let-draw close-table",
    "more people": "assign relieve stand object",
    "a favour of the house": "clear-strike grant-squeeze bar-squeeze no-insurance",
    "words for a virtual shoe": "invite-words commit-word call-words reveal-word",
}
"""Commands that are not in the alphabet: they set a table up otherwise, or do not touch cards and wagers."""

FOURS = (
    ("9h", "2c", "Kd", "As"),  # a natural
    ("Kh", "Kc", "6d", "7d"),  # both stand
    ("Kh", "Kc", "6d", "3d"),  # Player stands, Banker draws
    ("Kh", "Kc", "2d", "Ks"),  # both draw: Banker on 0
    ("Kh", "Kc", "2d", "3d"),  # Player draws: Banker on 3, 4, 5, 6 and 7
    ("Kh", "Kc", "2d", "4d"),
    ("Kh", "Kc", "2d", "5d"),
    ("Kh", "Kc", "2d", "6d"),
    ("Kh", "Kc", "2d", "7d"),
)
"""The first four cards, in drawn order: with `THIRDS` they reach every row of the Table of Play."""

THIRDS = ("Ks", "2s", "4s", "6s", "8s")
"""A third card of each kind that a row tells apart: 0 and 1, 2 and 3, 4 and 5, 6 and 7, 8."""

ANY = ("9c", "5c")
"""Faces of a card that is opened or seen at any other moment."""

STEPS: tuple[tuple[dict[str, str | int | bool], ...], ...] = (({"continue": True},), ({"void": True},))
"""What a ruling beyond the book may be."""

_DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)


def alphabet(table: Table) -> Iterator[c.Command]:
    """Every command that is tried at a table."""
    yield from PLAIN
    yield from _openings(table)
    yield from _reports(table)
    for question in table.questions:
        yield from _answers(table, question)
    if table.running is None:
        yield from _disputes(table)
        yield from _rulings(table)


# Disputes and rulings, between rounds


def _disputes(table: Table) -> Iterator[c.Command]:
    """One dispute, and every step of it by the highest rank, by the lowest above the dealer, and by the dealer."""
    if not table.disputes:
        yield c.RaiseDispute(ANN, WORDS, by=ANN)
        return
    highest, lowest = table.book.ranks[-1][0], table.book.ranks[1][0]
    for by in dict.fromkeys((highest, lowest, DEALER)):
        yield c.Escalate(0, by=by)
        yield from (c.Gather(0, what, by=by) for what in ("information", "surveillance"))
        yield c.GiveTimeFrame(0, "2025-03-02T12:00:00+08:00", by=by)
        yield from (c.Resolve(0, ("rules",), WORDS, agreed, by=by) for agreed in (True, False))
        yield c.TellOfComplaint(0, by=by)
        yield c.Assist(0, by=by)
    yield c.FileComplaint(0, by=ANN)


def _rulings(table: Table) -> Iterator[c.Command]:
    """One ruling on each reading, for every other choice; by whom it is for, and by the dealer."""
    if table.policies:
        return
    rank = residual(table)[0]
    for name, policy in table.book.policies.items():
        for value in policy.choices:
            if value != policy.value:
                yield c.Rule(name, value, WORDS, by=rank)
    yield from (c.Rule(name, policy.value, WORDS) for name, policy in table.book.policies.items())


def _openings(table: Table) -> Iterator[c.Command]:
    """Cards turned over: all that lie closed, or one of them; by the dealer or by whoever squeezes."""
    round = table.running
    down = unexposed(round) if round is not None else ()
    if round is None or not down:
        return
    if len(down) == 4:
        yield from (c.Expose(faces) for faces in FOURS)
    elif len(down) == 2:
        yield from (c.Expose((face, "5c")) for face in THIRDS)
    elif len(down) == 1 and len(round.cards) > 4:
        yield from (c.Expose((face,)) for face in THIRDS)
    else:
        yield c.Expose(ANY[:1] * len(down))
    if len(down) > 1:
        yield from (c.Expose(ANY[:1], at) for at in (down[0], down[-1]))
    for patron in dict.fromkeys(round.squeezers.values()):
        held = [at for at in down if round.squeezers.get(round.cards[at].area) == patron]
        if held:
            yield c.Expose(("6h", "Kh", "5c")[: len(held)], by=patron)


# Reports


def _reports(table: Table) -> Iterator[c.Command]:
    """Every fact in its examples, with each detail that it declares; and each open card misread."""
    round = table.round or Round(0)
    for fact in REPORTABLE:
        for report in examples(table, fact):
            if min(report.cards, default=0) < 0:
                continue  # it names cards that are not there
            yield report
            for detail in FACTS[fact].details:
                yield from _detailed(round, report, detail)
    for at, each in enumerate(round.cards):
        if each.face is not None:
            yield from (c.Report("wrong-call", (at,), (face,)) for face in ("8c", "5c"))
    past = table.past.round if table.past is not None and not round.cards else Round(0)
    for at in range(len(past.cards)):
        yield from (c.Report("wrong-call", (at,), (face,), earlier=True) for face in ("8c", "5c"))


def _detailed(round: Round, report: c.Report, detail: Detail) -> Iterator[c.Command]:
    """A report with one detail more."""
    more: tuple[object, ...] = ()
    match detail.kind:
        case "flag":
            more = (True, False)
        case "word" | "hand":
            more = detail.words
        case "patron":
            more = (ANN, BOB)
        case "places":
            more = ((len(round.cards) - 1,),) if round.cards else ()
        case "faces" if len(report.cards) <= 1 and report.fact != "wrong-call":
            more = tuple((face,) for face in ANY)
        case _:
            pass
    said = {name: getattr(report, name) for name in report.__struct_fields__}
    for value in more:
        if said[detail.name] != value:
            yield c.Report(**{**said, detail.name: value})


# Answers


def _answers(table: Table, question: Question) -> Iterator[c.Command]:
    """Every choice of a question by everybody whom it is put to, with what it asks for; and by one who may not."""
    for choice in question.choices:
        for answer in _forms(table, question, choice):
            if question.to != PATRONS:
                yield answer
                if question.to != DEALER:
                    yield _by(answer, DEALER)
                continue
            for patron in question.waiting:
                yield c.Answer(question.id, choice, WORDS, patron, by=patron if patron in table.patrons else DEALER)


def _by(answer: c.Answer, who: str) -> c.Answer:
    return c.Answer(**{**{name: getattr(answer, name) for name in answer.__struct_fields__}, "by": who})


def _forms(table: Table, question: Question, choice: str) -> Iterator[c.Answer]:
    """An answer by whom the question is put to, in each way in which it can be filled in."""
    cards = table.procedures[-1].cards if table.procedures else ()
    said, to = (question.id, choice, WORDS), question.to
    match question.form:
        case "order":
            yield c.Answer(*said, order=cards, by=to)
            yield c.Answer(*said, order=cards[::-1], by=to)
        case "patrons":
            yield c.Answer(*said, by=to)
            yield c.Answer(*said, patrons=question.about, by=to)
        case "count":
            count, sealed = _count(table, cards)
            yield c.Answer(*said, count=count, sealed=sealed, by=to)
        case "remedies" if choice == "rule":
            yield from (c.Answer(*said, remedies=steps, by=to) for steps in STEPS)
        case _:
            yield c.Answer(*said, by=to)


def _count(table: Table, gone: tuple[int, ...]) -> tuple[dict[str, int], tuple[str, ...]]:
    """What is left of the decks once the cards that are gone, each a five, and all others are told off."""
    round = table.round or Round(0)
    left = Counter(dict.fromkeys(_DECK, table.setup.decks))
    left.subtract(str(each.face) for each in round.cards if each.face is not None)
    closed = [at for at in unexposed(round) if at not in gone]
    sealed = _DECK[-len(round.reserve) - len(closed) :] if round.reserve or closed else ()
    left.subtract(sealed)
    left.subtract(("5c",) * len(gone))
    return dict(left), sealed
