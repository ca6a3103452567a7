"""The irregularity drill: something has gone wrong in a round, and the engine knows what happens next."""

from functools import lru_cache
from random import Random

import msgspec

from punto.messages import Message, Sentence, say
from punto.rulebook import Book, printed
from punto.rulebook.facts import FACTS
from punto.service.books import Edition
from punto.service.desk.desk import facts_now
from punto.service.desk.foreseen import ToldStep, summaries, told_steps
from punto.service.errors import Unknown
from punto.service.training.common import CHOICES
from punto.service.training.situations import Tried, fits, sentences, some_table, story, tried_at
from punto.table import Table, commands
from punto.table.events import Asked, Event, Reported
from punto.table.state import Question


class OnTheFelt(msgspec.Struct):
    """A card, by its place in drawn order; its face if it is open."""

    area: str
    face: str | None


class Staked(msgspec.Struct):
    """A patron's wager."""

    patron: str
    bet: str
    stake: int


class IrregularityDrill(msgspec.Struct):
    """A round in which something has gone wrong, a question about it, and answers of which one is right."""

    book: str
    title: str
    seed: int
    fact: str
    names: tuple[str, str]
    phase: str
    cards: list[OnTheFelt]
    wagers: list[Staked]
    happened: str
    asks: str
    choices: list[str]
    digest: str
    messages: "DrillMessages"
    """What happened and the choices, for other languages."""


class DrillMessages(msgspec.Struct):
    """The sentences of a drill in no language."""

    happened: Message
    choices: list[Message]


class IrregularityMarks(msgspec.Struct):
    """The right choice, the clauses, and everything that happens up to the next question."""

    right: bool
    answer: int
    clauses: tuple[str, ...]
    steps: list[ToldStep]
    asks: Question | None
    summaries: dict[str, str]


class _Case(msgspec.Struct, frozen=True):
    table: Table
    report: commands.Report
    events: tuple[Event, ...]
    asks: str
    choices: tuple[Sentence, ...]
    answer: int


def irregularity(book: Book, seed: int) -> IrregularityDrill:
    """The drill of a seed, played at a table of the book."""
    case = _case(Edition.of(book), seed)
    round = case.table.round
    cards = [] if round is None else [OnTheFelt(c.area, None if c.face is None else str(c.face)) for c in round.cards]
    wagers = [] if round is None else [Staked(who, bet, placed.stake) for (who, _, bet), placed in round.wagers.items()]
    happened = story(case.report, case.table)
    return IrregularityDrill(
        book.id,
        book.title,
        seed,
        case.report.fact,
        FACTS[case.report.fact].names,
        "before" if round is None else round.phase,
        cards,
        wagers,
        str(happened),
        case.asks,
        list(map(str, case.choices)),
        book.digest,
        DrillMessages(happened.message, [each.message for each in case.choices]),
    )


def mark_irregularity(book: Book, seed: int, answer: int | None) -> IrregularityMarks:
    """What the engine does about it, compared with somebody's answer."""
    case = _case(Edition.of(book), seed)
    reported = next((each for each in case.events if isinstance(each, Reported)), None)
    cited = [clause for each in case.events for clause in each.basis.clauses]
    rests = () if reported is None else reported.basis.clauses
    return IrregularityMarks(
        answer == case.answer,
        case.answer,
        tuple(dict.fromkeys(map(printed, rests))),
        told_steps(case.events),
        _question(case.events),
        summaries(book, cited),
    )


WHAT, WHO = "What happens next?", "Who decides?"
NOBODY = say("drill-nobody", "Nobody has to: the book itself says what happens.")
EACH_PATRON = say("drill-each-patron", "Each patron whose wager it is about.")


@lru_cache(2048)
def _case(edition: Edition, seed: int) -> _Case:
    """The situation of a seed."""
    book = edition.book
    for attempt in range(50):
        chance = Random(f"irregularity {book.id} {seed} {attempt}")
        table = some_table(book, chance)
        facts = [fact for fact in facts_now(table, "dealer") if fits(table, fact)]
        chance.shuffle(facts)
        tried = [(report, events) for fact in facts for report, events in tried_at(table, fact, chance)]
        found = _pick(table, tried, chance)
        if found is not None:
            return found
    raise Unknown(say("no-drill-of-book", "No drill can be made of {book:quoted}.", book=book.id))


def _pick(table: Table, tried: list[Tried], chance: Random) -> _Case | None:
    """One of the facts that were tried, with the consequences of others as wrong answers."""
    book = table.book
    covered = [each for each in tried if any(row.fact == each[0].fact for row in book.irregularities)]
    if not covered:
        return None
    fact = chance.choice(sorted({report.fact for report, _ in covered}))
    report, events = chance.choice([each for each in covered if each[0].fact == fact])
    question = _question(events)
    if chance.random() < 0.35:
        asks, right = WHO, _who(question)
        others = [_rank(rank) for tier in book.ranks for rank in tier] + [EACH_PATRON, NOBODY]
    else:
        asks, right = WHAT, consequence(events)
        others = [consequence(each) for _, each in tried]
    wrong = sorted(set(others) - {right})
    if len(wrong) < CHOICES - 1:
        return None
    choices = [right, *chance.sample(wrong, CHOICES - 1)]
    chance.shuffle(choices)
    return _Case(table, report, events, asks, tuple(choices), choices.index(right))


def consequence(events: tuple[Event, ...]) -> Sentence:
    """What follows at once, in the engine's words."""
    said = list(dict.fromkeys(step.sentence for step in told_steps(events)))
    question = _question(events)
    if question is not None:
        said.append(_asked(question))
    return sentences(said) if said else say("drill-nothing", "Nothing: play goes on.")


def _asked(question: Question) -> Sentence:
    rank, asks = question.to, question.sentence
    if question.topic == "refer":
        return say("drill-refers", "The book is silent: the {rank:rank} decides, and gives a reason.", rank=rank)
    if rank == "patrons":
        return say("drill-patrons-asked", "Each patron whose wager it is about is asked: {asks}", asks=asks)
    return say("drill-rank-asked", "The {rank:rank} is asked: {asks}", rank=rank, asks=asks)


def _question(events: tuple[Event, ...]) -> Question | None:
    return next((each.question for each in events if isinstance(each, Asked)), None)


def _who(question: Question | None) -> Sentence:
    if question is None:
        return NOBODY
    return EACH_PATRON if question.to == "patrons" else _rank(question.to)


def _rank(rank: str) -> Sentence:
    return say("rank", "{rank:rank}", rank=rank)
