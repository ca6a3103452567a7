"""The desk of a table: what its staff see besides the view, and what could be done or reported now.

Nothing is decided here: whether something is possible is found out by asking the table, which does not change by it.
"""

from functools import lru_cache

import msgspec

from punto.messages import Message
from punto.rulebook import Book, Refused, readings
from punto.rulebook.facts import EARLIER, FACTS, REPORTABLE
from punto.rulebook.model import Remedy
from punto.rulebook.policy_words import policy_names, value_names
from punto.rulebook.posted import POSTED, enforces
from punto.rulebook.vocabulary import VERBS
from punto.service.desk.decisions import Open, SeenCard, SeenDispute, WhyNot, open_questions, seen_card, seen_dispute
from punto.service.desk.foreseen import summaries
from punto.service.desk.names import step_names
from punto.settlement import enforced
from punto.table import Table, commands, why_none
from punto.table.authority import post_of
from punto.table.felt import due
from punto.table.handlers.differential import gaps
from punto.table.remedies.verbs import check_ruling
from punto.table.state import Round
from punto.table.turn import Turn


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
    """A reading that the residual authority may set for this table, in words: what it is about, and each choice."""

    name: str
    names: tuple[str, str]
    value_names: dict[str, tuple[str, str]]
    value: str
    choices: tuple[str, ...]
    ruled: bool
    clause: str | None
    reading: str
    says: str


class SeenFact(msgspec.Struct):
    """Something that may be reported: what is asked about it, why it cannot be so now, whether the book covers it."""

    fact: str
    names: tuple[str, str]
    details: list[str]
    needed: str | None
    why_not: str | None
    covered: bool
    clauses: tuple[str, ...]
    message: Message | None
    """Why it cannot be so now, for other languages."""


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
    past_cards: list[SeenCard]
    """The cards of the last round, where it can still be put right though bets are open again."""
    due: str | None
    squeezers: dict[str, str]
    covers: list[SeenCover]
    intent: list[str]
    weight: Weight
    limits: list[str]
    """The limits that can be posted: those that the book enforces."""
    posts: dict[str, str]
    ranks: tuple[tuple[str, ...], ...]
    strikes: list[str]
    disputes: list[SeenDispute]
    references: tuple[str, ...]
    policies: list[SeenPolicy]
    questions: list[Open]
    procedures: list[SeenProcedure]
    remedies: list[SeenStep]
    may: dict[str, WhyNot | None]
    facts: list[SeenFact]
    clauses: dict[str, str]


def desk_of(table: Table, viewer: str, sequence: int = 0) -> Desk:
    """What a post or a person of the staff sees of a table."""
    book, setup, round = table.book, table.setup, table.round
    post = post_of(table, viewer)
    methods = book.point("dealing", "methods")
    references = book.point("disputes", "references")
    questions = open_questions(table, post)
    procedures = [
        SeenProcedure(
            each.fact,
            FACTS[each.fact].names,
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
        methods.values if methods is not None else (),
        book.insurance is not None and not table.insurance_off,
        _shoe(table),
        _cards(round),
        _cards(None if table.past is None else table.past.round),
        due(round) if round is not None and round.phase == "closed" else None,
        {} if round is None else round.squeezers,
        [] if round is None else _covers(round),
        [] if round is None or round.window is None else sorted(round.window.intent),
        _weight(table),
        [limit for limit in POSTED if enforces(book, limit)],
        {person: each.rank + (" (acting)" if each.acting else "") for person, each in table.posts.items()},
        book.ranks,
        sorted(table.strikes),
        [seen_dispute(table, each) for each in table.disputes],
        references.values if references is not None else (),
        _policies(table),
        questions,
        procedures,
        _remedies(table) if any(each.form == "remedies" for each in table.questions) else [],
        {name: _why_not(why_none(table, viewer, kind, **given)) for name, (kind, given) in _BUTTONS.items()},
        [_fact(table, fact, viewer) for fact in REPORTABLE],
        summaries(book, cited),
    )


def facts_now(table: Table, viewer: str) -> list[str]:
    """The facts that could be reported now, of the round as it stands."""
    return [fact for fact in REPORTABLE if why_none(table, viewer, commands.Report, fact=fact, earlier=False) is None]


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
    asked = [each for each in FACTS[fact].details if not each.tells or each.name in looked]
    return [each.name for each in asked if each.kind != "text"]  # there is always room for a note


def _looked(step: Remedy) -> set[str]:
    found = set(step.when)
    if step.verb == "decide" and step.object is not None:
        found.discard(step.object)
    for each in (*step.otherwise, *step.then, *step.all_back):
        found |= _looked(each)
    return found


def _fact(table: Table, fact: str, viewer: str) -> SeenFact:
    given = {} if EARLIER in FACTS[fact].details else {"earlier": False}  # what the form has no field for is not meant
    refused = why_none(table, viewer, commands.Report, fact=fact, **given)
    details, needed, rests = _declared(table.book, fact)
    names, message = FACTS[fact].names, None if refused is None else refused.message
    return SeenFact(fact, names, details, needed, _reason(refused), rests is not None, rests or (), message)


@lru_cache(1024)
def _declared(book: Book, fact: str) -> tuple[list[str], str | None, tuple[str, ...] | None]:
    """What is asked about a fact, which of it is needed, and the clauses of the book about it."""
    needed = next((each.name for each in FACTS[fact].details if each.needed), None)
    rests = next((row.basis.clauses for row in book.irregularities if row.fact == fact), None)
    return details_of(book, fact), needed, rests


def _reason(refused: Refused | None) -> str | None:
    return None if refused is None else refused.reason


def _why_not(refused: Refused | None) -> WhyNot | None:
    return None if refused is None else WhyNot(refused.reason, refused.message)


_BUTTONS: dict[str, tuple[type[commands.Command], dict[str, str | None]]] = {
    "open-bets": (commands.OpenBets, {}),
    "close-bets": (commands.CloseBets, {}),
    "place": (commands.Place, {}),
    "draw": (commands.Draw, {"to": None}),
    "announce": (commands.Announce, {"what": "result", "winner": None}),
    "announce-points": (commands.Announce, {"what": "points", "winner": None}),
    "offer-insurance": (commands.OfferInsurance, {}),
    "settle": (commands.Settle, {}),
    "burn": (commands.Burn, {}),
    "last-hand": (commands.LastHand, {}),
    "end-shoe": (commands.EndShoe, {}),
    "load-shoe": (commands.LoadShoe, {}),
    "give-back-shoe": (commands.GiveBackShoe, {}),
    "close-table": (commands.CloseTable, {}),
}
"""The kind of command behind each button of the desk, and what is said in it."""


def _step(step: Remedy) -> SeenStep:
    return SeenStep(step.verb, step.object, step_names(step.verb, step.object), step.by, step.clause)


def _cards(round: Round | None) -> list[SeenCard]:
    return [] if round is None else [seen_card(at, each) for at, each in enumerate(round.cards)]


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
    limits = enforced(table.book, table.setup.limits)
    return Weight(sums["player"], sums["banker"], limits.differential, over)


def _policies(table: Table) -> list[SeenPolicy]:
    told = {**readings(), **table.book.readings}
    return [
        SeenPolicy(
            name,
            policy_names(name),
            {value: value_names(name, value) for value in policy.choices},
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
