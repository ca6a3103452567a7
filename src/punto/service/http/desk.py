"""What the staff of a table look at besides its view: cards in drawn order, posts, steps, and what could be done now.

Nothing here decides: whether something is possible is found out by asking the table, which never changes by it.
"""

from typing import Any

import msgspec
from litestar import Request, get, post
from litestar.params import JSONBody

from punto.rulebook import Book, Refused, clauses, printed, readings
from punto.rulebook.model import Remedy
from punto.rulebook.vocabulary import FACTS, VERBS
from punto.service.accounts.identity import seen_as, spoken_by
from punto.service.accounts.registry import Account, Denied
from punto.service.http.names import fact_names, step_names
from punto.service.http.routes import Casino, Name, signed_in
from punto.table import Table, act, commands, why_not
from punto.table.authority import holds, post_of
from punto.table.events import Asked, Event, NotedDown, Noticed, Reported, RoundEnded, StepTaken
from punto.table.felt import due, unexposed
from punto.table.handlers.differential import gaps
from punto.table.handlers.reporting import OTHER
from punto.table.remedies.verbs import check_ruling
from punto.table.state import Dispute, Felt, Question, Round
from punto.table.turn import Turn

DETAILS: dict[str, tuple[str, ...]] = {
    "wrong-number": ("reconstructible", "earlier"),
    "excess-card": ("hand", "faces"),
    "exposed-card": ("cards", "faces"),
    "wrong-area": ("cards", "reconstructible"),
    "wrong-person": ("hand", "patron", "exposed", "reconstructible"),
    "not-delivered": ("hand", "patron"),
    "face-up-deal": ("cards", "faces"),
    "simultaneous-draw": ("cards", "order"),
    "shoe-order-altered": ("reconstructible",),
    "face-up-in-shoe": ("faces",),
    "cards-carried-off": ("cards", "faces"),
    "burn-missed": ("seen",),
    "dealing-error": ("reconstructible",),
    "interruption": ("cause",),
    "absent-handler": ("patron",),
    "wrong-display": ("cards", "faces"),
    "foreign-card": ("earlier",),
    "deck-count": ("earlier",),
    "unshuffled": ("earlier",),
}
"""What may be known of a fact besides a note. Which of it the book asks for, its rows say."""

_TOLD_APART = ("reconstructible", "exposed", "order", "seen", "cause", "earlier")
"""Details that are asked for only where a row of the book, or a step of one, depends on them."""

_NEEDED = {"wrong-area": "cards", "cards-carried-off": "cards", "excess-card": "hand", "wrong-person": "hand"}


class SeenCard(msgspec.Struct):
    """A card that has left the shoe, by its place in drawn order; its face once it is open."""

    at: int
    area: str
    face: str | None


class SeenCover(msgspec.Struct):
    """Cover that a patron has taken."""

    patron: str
    box: int
    hand: str
    stage: str
    stake: int
    odds: str
    late: bool


class SeenStep(msgspec.Struct):
    """A step that the book names: its verb, its names in English and Chinese, who does it, where it is written."""

    verb: str
    object: str | None
    names: tuple[str, str]
    by: str | None = None
    clause: str | None = None


class SeenProcedure(msgspec.Struct):
    """What is being done about a fact, and the steps that are still to come."""

    fact: str
    names: tuple[str, str]
    note: str
    clauses: tuple[str, ...]
    cards: tuple[int, ...]
    rest: list[SeenStep]


class SeenPolicy(msgspec.Struct):
    """A reading that the residual authority may set for this table."""

    name: str
    value: str
    choices: tuple[str, ...]
    ruled: bool
    clause: str | None
    reading: str
    says: str


class Fact(msgspec.Struct):
    """Something that may be reported: what is asked about it, why it cannot be so now, whether the book covers it."""

    fact: str
    names: tuple[str, str]
    details: list[str]
    needed: str | None
    why_not: str | None
    covered: bool
    clauses: tuple[str, ...]


class Open(msgspec.Struct):
    """An open question, whoever it is put to; `mine` where the viewer may answer it."""

    question: Question
    mine: bool


class Weight(msgspec.Struct):
    """How the hands weigh against each other, and where the differential is exceeded."""

    player: int
    banker: int
    limit: int | None
    over: list[tuple[str, int | None, int]]


class ShoeInUse(msgspec.Struct):
    """The shoe in use."""

    number: int
    left: int
    rounds: int
    burned: bool
    free_next: bool
    last: bool
    controller: str | None
    must_change: bool


class Desk(msgspec.Struct):
    """A table as its staff need it."""

    sequence: int
    rank: str
    shoe_kind: str
    face_down: bool
    auto: list[str]
    positions: int
    methods: tuple[str, ...]
    insurance: bool
    shoe: ShoeInUse | None
    cards: list[SeenCard]
    due: str | None
    squeezers: dict[str, str]
    covers: list[SeenCover]
    intent: list[str]
    weight: Weight
    posts: dict[str, str]
    ranks: tuple[tuple[str, ...], ...]
    strikes: list[str]
    disputes: list[Dispute]
    references: tuple[str, ...]
    policies: list[SeenPolicy]
    questions: list[Open]
    procedures: list[SeenProcedure]
    remedies: list[SeenStep]
    may: dict[str, str | None]
    facts: list[Fact]
    clauses: dict[str, str]


class Foreseen(msgspec.Struct):
    """What a report would lead to at once, up to the first question."""

    clauses: tuple[str, ...]
    steps: list["ToldStep"]
    asks: Question | None
    summaries: dict[str, str]


class ToldStep(msgspec.Struct):
    """Something that happens, in words, and what it rests on."""

    says: str
    clauses: tuple[str, ...]


@get("/api/tables/{name:str}/desk")
async def desk(name: Name, request: Request[Any, Any, Any], casino: Casino) -> Desk:
    """A table as its staff need it; for nobody else."""
    account = of_the_staff(await signed_in(request, casino), name)
    live = await casino.floor.live(name)
    assert live.table is not None
    return desk_of(live.table, seen_as(account, live.table, name) or "dealer", live.sequence)


@post("/api/tables/{name:str}/foresee", status_code=200)
async def foresee(
    name: Name, data: JSONBody[commands.Report], request: Request[Any, Any, Any], casino: Casino
) -> Foreseen:
    """What the book would do about a fact. Nothing happens; a refusal says what is missing."""
    account = of_the_staff(await signed_in(request, casino), name)
    table = await casino.floor.table(name)
    spoken = spoken_by(account, data, table, name)
    for each in spoken[:-1]:
        table, _ = act(table, each)
    return foreseen(table, spoken[-1])


def of_the_staff(account: Account | None, name: str) -> Account:
    """An account, if it holds a post at a table."""
    if account is None:
        raise Denied("Log in first.")
    if account.kind == "patron" or account.post_at(name) is None:
        raise Denied("You hold no post at this table.")
    return account


def desk_of(table: Table, viewer: str, sequence: int = 0) -> Desk:
    """What a post or a person of the staff sees of a table."""
    book, setup, round = table.book, table.setup, table.round
    post = post_of(table, viewer)
    methods = book.point("dealing", "methods")
    references = book.point("disputes", "references")
    questions = [
        Open(each, each.to == "patrons" or (post is not None and holds(book, post, each.to)))
        for each in table.questions
    ]
    procedures = [
        SeenProcedure(
            each.fact,
            fact_names(each.fact),
            each.note,
            each.basis.clauses,
            each.cards,
            [_step(step) for step in each.rest],
        )
        for each in table.procedures
    ]
    cited = [clause for each in table.questions for clause in each.basis.clauses]
    cited += [clause for each in procedures for clause in each.clauses]
    cited += [step.clause for each in procedures for step in each.rest if step.clause]
    return Desk(
        sequence,
        post.rank if post is not None else viewer,
        setup.shoe,
        setup.face_down,
        sorted(setup.auto),
        setup.positions,
        methods.value if methods is not None and isinstance(methods.value, tuple) else (),
        book.insurance is not None and not table.insurance_off,
        _shoe(table),
        [] if round is None else [_card(at, each) for at, each in enumerate(round.cards)],
        due(round) if round is not None and round.phase == "closed" else None,
        {} if round is None else round.squeezers,
        [] if round is None else _covers(round),
        [] if round is None or round.window is None else sorted(round.window.intent),
        _weight(table),
        {person: each.rank + (" (acting)" if each.acting else "") for person, each in table.posts.items()},
        book.ranks,
        sorted(table.strikes),
        list(table.disputes),
        references.value if references is not None and isinstance(references.value, tuple) else (),
        _policies(table),
        questions,
        procedures,
        _remedies(table) if any(each.form == "remedies" for each in table.questions) else [],
        {name: _why_not(table, command, viewer) for name, command in _ASKED.items()},
        [_fact(table, fact, viewer) for fact in (*FACTS, OTHER) if fact != "free-hand"],
        summaries(book, cited),
    )


def foreseen(table: Table, report: commands.Command) -> Foreseen:
    """What a report leads to at once."""
    _, made = act(table, report)
    reported = next((each for each in made if isinstance(each, Reported)), None)
    asked = next((each.question for each in made if isinstance(each, Asked)), None)
    cited = [clause for each in made for clause in each.basis.clauses]
    rests = () if reported is None else reported.basis.clauses
    return Foreseen(rests, told_steps(made), asked, summaries(table.book, cited))


def told_steps(made: tuple[Event, ...]) -> list[ToldStep]:
    """What happens in words, up to the first question."""
    steps: list[ToldStep] = []
    for each in made:
        if isinstance(each, Asked):
            break
        if isinstance(each, StepTaken | Noticed | NotedDown) and each.says and each.says != "Not called for here.":
            steps.append(ToldStep(each.says, each.basis.clauses))
        elif isinstance(each, RoundEnded) and each.reversed:
            steps.append(ToldStep("What was paid is taken back.", each.basis.clauses))
    return steps


def summaries(book: Book, cited: list[str]) -> dict[str, str]:
    """What clauses say, in our words, by their printed numbers."""
    index = clauses(book.id)
    found: dict[str, str] = {}
    for each in cited:
        clause = index.get(each) or index.get(printed(each))
        if clause is not None:
            found.setdefault(printed(each), (index.get(printed(each)) or clause).summary)
    return found


def facts_now(table: Table, viewer: str) -> list[str]:
    """The facts that could be reported at this moment."""
    return [fact for fact in (*FACTS, OTHER) if fact != "free-hand" and _fact(table, fact, viewer).why_not is None]


def details_of(book: Book, fact: str) -> list[str]:
    """What is asked about a fact under a book.

    >>> from punto.rulebook import load
    >>> details_of(load("wu-song"), "excess-card"), details_of(load("dragon-tiger-mbs"), "interruption")
    (['hand', 'faces'], ['cause'])
    """
    rows = [row for row in book.irregularities if row.fact == fact]
    looked = {guard for row in rows for guard in row.when} | {
        g for row in rows for step in row.do for g in _looked(step)
    }
    if "noticed" in FACTS.get(fact, ()):
        looked.add("earlier")
    return [each for each in DETAILS.get(fact, ()) if each not in _TOLD_APART or each in looked]


def _looked(step: Remedy) -> set[str]:
    found = set(step.when)
    if step.verb == "decide" and step.object is not None:
        found.discard(step.object)
    for each in (*step.otherwise, *step.then, *step.all_back):
        found |= _looked(each)
    return found


def examples(table: Table, fact: str) -> list[commands.Report]:
    """How a fact might be reported at this moment, in more ways than one where it needs more to be said."""
    round = table.round
    count = len(round.cards) if round is not None else 0
    if fact == "simultaneous-draw":
        return [commands.Report(fact, (count, count + 1)), commands.Report(fact, (max(count - 2, 0), count - 1))]
    if fact == "cards-carried-off":
        return [commands.Report(fact, unexposed(round)[:1] if round is not None else ())]
    if fact == "wrong-area":
        return [commands.Report(fact, (count - 1,) if count else ())]
    if fact in ("excess-card", "wrong-person"):
        return [commands.Report(fact, hand=hand) for hand in ("player", "banker")]
    return [commands.Report(fact, note="It happened." if fact == OTHER else "")]


def _fact(table: Table, fact: str, viewer: str) -> Fact:
    refused = None
    for each in examples(table, fact):
        refused = why_not(table, msgspec.structs.replace(each, by=viewer))
        if refused is None:
            break
    rests = next((row.basis.clauses for row in table.book.irregularities if row.fact == fact), None)
    why = None if refused is None else refused.reason
    return Fact(
        fact, fact_names(fact), details_of(table.book, fact), _NEEDED.get(fact), why, rests is not None, rests or ()
    )


def _why_not(table: Table, command: commands.Command, viewer: str) -> str | None:
    refused: Refused | None = why_not(table, msgspec.structs.replace(command, by=viewer))
    return None if refused is None else refused.reason


_ASKED: dict[str, commands.Command] = {
    "open-bets": commands.OpenBets(),
    "close-bets": commands.CloseBets(),
    "draw": commands.Draw(),
    "announce": commands.Announce("result"),
    "announce-points": commands.Announce("points"),
    "offer-insurance": commands.OfferInsurance(),
    "settle": commands.Settle(),
    "burn": commands.Burn(),
    "last-hand": commands.LastHand(),
    "end-shoe": commands.EndShoe(),
    "load-shoe": commands.LoadShoe(),
    "give-back-shoe": commands.GiveBackShoe(),
    "close-table": commands.CloseTable(),
}


def _step(step: Remedy) -> SeenStep:
    return SeenStep(step.verb, step.object, step_names(step.verb, step.object), step.by, step.clause)


def _card(at: int, each: Felt) -> SeenCard:
    return SeenCard(at, each.area, None if each.face is None else str(each.face))


def _covers(round: Round) -> list[SeenCover]:
    return [
        SeenCover(each.spot[0], each.spot[1], each.hand, each.stage, each.stake, each.row.odds.text, each.late)
        for each in round.covers
    ]


def _shoe(table: Table) -> ShoeInUse | None:
    shoe = table.shoe
    if shoe is None:
        return None
    return ShoeInUse(
        shoe.number,
        shoe.left,
        shoe.rounds,
        shoe.burned,
        shoe.free_next,
        shoe.last_round is not None,
        shoe.controller,
        shoe.replace is not None,
    )


def _weight(table: Table) -> Weight:
    round = table.running
    sums = {"player": 0, "banker": 0}
    for (_, _, bet), placed in round.wagers.items() if round is not None else ():
        if bet in sums:
            sums[bet] += placed.stake
    over = [] if round is None else gaps(Turn(table, "dealer"), round)
    return Weight(sums["player"], sums["banker"], table.setup.limits.differential, over)


def _policies(table: Table) -> list[SeenPolicy]:
    told = readings()
    return [
        SeenPolicy(
            name,
            table.policy(name) or policy.value,
            policy.choices,
            name in table.policies,
            policy.clause,
            policy.reading,
            told.get(policy.reading, ""),
        )
        for name, policy in table.book.policies.items()
    ]


def _remedies(table: Table) -> list[SeenStep]:
    """The steps that a ruling may be made of: verbs alone where that is enough, and with the objects they take."""
    turn, found = Turn(table, "dealer"), []
    for verb, objects in VERBS.items():
        named = tuple(table.book.offers) if verb == "offer" else objects
        allowed = [each for each in ("", *named) if _rules(turn, verb, each)]
        found += [SeenStep(verb, each or None, step_names(verb, each)) for each in allowed]
    return found


def _rules(turn: Turn, verb: str, object: str) -> bool:
    try:
        check_ruling(turn, ({verb: object or True},))
    except Refused:
        return False
    return True


DESK = [desk, foresee]
