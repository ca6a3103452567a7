"""The trainer: random situations made from a book, and what the engine says of them.

A drill follows from its book, layout and seed alone, so nothing is kept between the question and the answer.
"""

import secrets
from datetime import timedelta
from functools import lru_cache
from random import Random
from typing import Annotated

import msgspec
from litestar import get, post
from litestar.params import FromQuery, JSONBody, QueryParameter

from punto.coup import RANKS, STAGES, SUITS, Card, Coup, card, deal_from
from punto.rulebook import Book, Menu, Refused, ids, load, menu, printed
from punto.service.desk import ToldStep, examples, facts_now, summaries, told_steps
from punto.service.floor import Unknown
from punto.service.naming import fact_names
from punto.settlement import Cover, Limits, Line, Wager, explain, most_cover, offer, settle
from punto.table import Table, act, commands
from punto.table.authority import title
from punto.table.events import Asked, Event, Reported
from punto.table.felt import due, unexposed, whole
from punto.table.values import Question

DECKS = 8
LIMITS = Limits(minimum=10_00, maximum=5_000_00, differential=10_000_00, unit=50)
SEEDS = 2**53
_STAKES = (25_00, 40_00, 50_00, 75_00, 100_00, 120_00, 150_00, 200_00, 250_00, 300_00, 500_00)
_PATRONS = ("ann", "ben", "chun")
_CHOICES = 4
_TRIES = 300
Seed = Annotated[int | None, QueryParameter(ge=0, lt=SEEDS)]


# What is paid


class Asking(msgspec.Struct):
    """A wager or a cover whose payment is asked for, and the amounts that one may choose from."""

    bet: str
    name: str
    stake: int
    stage: str | None
    odds: str | None
    choices: list[int]


class PayoutDrill(msgspec.Struct):
    """A finished coup with wagers on it."""

    book: str
    title: str
    layout: str
    seed: int
    player: list[str]
    banker: list[str]
    wagers: list[Asking]


class PayoutAnswer(msgspec.Struct, forbid_unknown_fields=True):
    """What somebody thinks that each wager is up or down, in minor units; None where they do not know."""

    book: str
    seed: Annotated[int, msgspec.Meta(ge=0, lt=SEEDS)]
    answers: Annotated[list[int | None], msgspec.Meta(max_length=20)]
    layout: str | None = None


class Marked(msgspec.Struct):
    """A wager as it is settled, whether that was the answer, and how it comes about."""

    bet: str
    right: bool
    result: str
    net: int
    odds: str | None
    says: str
    clauses: tuple[str, ...]


class PayoutMarks(msgspec.Struct):
    """Every wager marked, and the whole account of the round, step by step."""

    right: int
    lines: list[Marked]
    steps: list[ToldStep]
    clauses: dict[str, str]


class _Payout(msgspec.Struct, frozen=True):
    coup: Coup
    wagers: tuple[Wager, ...]
    covers: tuple[Cover, ...]
    lines: tuple[Line, ...]


@get("/api/drills/payout")
async def payout_drill(
    book: FromQuery[str] = "commission-insurance", layout: FromQuery[str | None] = None, seed: Seed = None
) -> PayoutDrill:
    """A finished coup with wagers on it: what is each of them paid?"""
    return payout(book, layout, secrets.randbelow(SEEDS) if seed is None else seed)


@post("/api/drills/payout", status_code=200)
async def payout_answer(data: JSONBody[PayoutAnswer]) -> PayoutMarks:
    """How each wager is settled, with the clause and the arithmetic."""
    return mark_payout(data.book, data.layout, data.seed, data.answers)


def payout(book: str, layout: str | None, seed: int) -> PayoutDrill:
    """The drill of a seed.

    >>> drill = payout("wu-song", "A", 7)
    >>> drill == payout("wu-song", "A", 7)
    True
    """
    rules, carried = _layout(book, layout)
    made = _payout(rules.id, carried.layout.id, seed)
    player, banker = (list(map(str, hand)) for hand in (made.coup.player, made.coup.banker))
    asked = [_asking(carried, made, at, Random(f"{seed} {at}")) for at in range(len(made.lines))]
    return PayoutDrill(rules.id, rules.title, carried.layout.id, seed, player, banker, asked)


def mark_payout(book: str, layout: str | None, seed: int, answers: list[int | None]) -> PayoutMarks:
    """What the engine pays, held against somebody's answers."""
    rules, carried = _layout(book, layout)
    made = _payout(rules.id, carried.layout.id, seed)
    steps = explain(rules, made.coup, made.wagers, made.covers, layout=carried.layout.id, limits=LIMITS)
    lines = []
    for at, line in enumerate(made.lines):
        given = answers[at] if at < len(answers) else None
        says = next((step.says for step in reversed(steps) if step.says.startswith(line.says)), line.says)
        lines.append(Marked(line.bet, given == line.net, line.result, line.net, line.odds, says, line.clauses))
    told = [ToldStep(step.says, tuple(dict.fromkeys(map(printed, step.basis.clauses)))) for step in steps]
    cited = [clause for line in made.lines for clause in line.basis.clauses]
    return PayoutMarks(sum(line.right for line in lines), lines, told, summaries(rules, cited))


def _layout(book: str, layout: str | None) -> tuple[Book, Menu]:
    if book not in ids():
        raise Unknown(f"There is no book {book!r}.")
    rules = load(book)
    return rules, menu(rules, layout)


@lru_cache(2048)
def _payout(book: str, layout: str, seed: int) -> _Payout:
    """Cards and wagers of a seed; more often than at a table, one of the wagers has something to be paid."""
    chance = Random(f"payout {book} {layout} {seed}")
    rules = load(book)
    carried = menu(rules, layout)
    sides = [bet for bet in carried.bets if not carried[bet].bet.hand]
    target = chance.choice(list(carried.bets))
    wanted = chance.random() < 0.75
    coup = _deal(chance)
    for _ in range(_TRIES):
        if not wanted or carried[target].verdict(coup.outcome).result == "win":
            break
        coup = _deal(chance)
    bets = [chance.choice(("player", "banker")), target, *chance.sample(sides, min(2, len(sides)))]
    wagers = tuple(Wager(bet, _stake(chance, carried[bet].multiple)) for bet in list(dict.fromkeys(bets))[:4])
    covers = _covers(chance, rules, coup, wagers)
    lines = settle(rules, coup, wagers, covers, layout=layout, limits=LIMITS)
    return _Payout(coup, wagers, covers, tuple(lines))


def _deal(chance: Random) -> Coup:
    return deal_from(tuple(_any_card(chance) for _ in range(6)))


def _any_card(chance: Random) -> Card:
    return card(chance.choice(RANKS) + chance.choice(SUITS))


def _stake(chance: Random, multiple: int) -> int:
    return chance.choice([stake for stake in _STAKES if stake % multiple == 0] or [100_00 * multiple])


def _covers(chance: Random, book: Book, coup: Coup, wagers: tuple[Wager, ...]) -> tuple[Cover, ...]:
    """Cover on the first wager wherever it was on offer, most of the time."""
    if book.insurance is None or wagers[0].bet not in ("player", "banker"):
        return ()
    hand = wagers[0].bet
    for stage in STAGES:
        try:
            row = offer(book, coup, stage, hand)
            most = most_cover(book, coup, stage, hand, wagers[0].stake, LIMITS)
        except Refused:
            continue
        unit = LIMITS.unit * row.odds.denominator
        if most >= unit and chance.random() < 0.8:
            return (Cover(stage, hand, chance.randint(1, most // unit) * unit, 0),)
    return ()


def _asking(carried: Menu, made: _Payout, at: int, chance: Random) -> Asking:
    line = made.lines[at]
    if at >= len(made.wagers):
        cover = made.covers[at - len(made.wagers)]
        row = offer(carried.book, made.coup, cover.stage, cover.hand)
        choices = {-cover.stake, 0, int(cover.stake * row.odds.fraction), line.net}
        name = f"{cover.hand.capitalize()} Insurance"
        return Asking(line.bet, name, line.stake, cover.stage, row.odds.text, sorted(choices))
    priced = carried[line.bet]
    own = [row.odds for row in priced.rows if row.odds is not None]
    others = [row.odds for each in carried.bets.values() for row in each.rows if row.odds is not None]
    choices = {line.net, -line.stake}
    if line.bet in ("player", "banker"):
        choices.add(0)
    chance.shuffle(others)
    for odds in (*own, *others):
        paid = line.stake * odds.fraction
        if len(choices) < max(_CHOICES, 2) + (line.bet in ("player", "banker")) and paid.denominator == 1:
            choices.add(int(paid))
    return Asking(line.bet, priced.bet.name, line.stake, None, None, sorted(choices))


# What happens next


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


class IrregularityAnswer(msgspec.Struct, forbid_unknown_fields=True):
    """Which of the choices somebody thinks is right."""

    book: str
    seed: Annotated[int, msgspec.Meta(ge=0, lt=SEEDS)]
    answer: int | None = None


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
    choices: tuple[str, ...]
    answer: int


@get("/api/drills/irregularity")
async def irregularity_drill(book: FromQuery[str] = "commission-insurance", seed: Seed = None) -> IrregularityDrill:
    """Something goes wrong at a table: what happens next, or who decides?"""
    return irregularity(book, secrets.randbelow(SEEDS) if seed is None else seed)


@post("/api/drills/irregularity", status_code=200)
async def irregularity_answer(data: JSONBody[IrregularityAnswer]) -> IrregularityMarks:
    """What the book says, clause by clause."""
    return mark_irregularity(data.book, data.seed, data.answer)


def irregularity(book: str, seed: int) -> IrregularityDrill:
    """The drill of a seed, played at a table of the book."""
    rules, _ = _layout(book, None)
    case = _case(rules.id, seed)
    round = case.table.round
    cards = [] if round is None else [OnTheFelt(c.area, None if c.face is None else str(c.face)) for c in round.cards]
    wagers = [] if round is None else [Staked(who, bet, placed.stake) for (who, _, bet), placed in round.wagers.items()]
    return IrregularityDrill(
        rules.id,
        rules.title,
        seed,
        case.report.fact,
        fact_names(case.report.fact),
        "before" if round is None else round.phase,
        cards,
        wagers,
        story(case.report, case.table),
        case.asks,
        list(case.choices),
    )


def mark_irregularity(book: str, seed: int, answer: int | None) -> IrregularityMarks:
    """What the engine does about it."""
    rules, _ = _layout(book, None)
    case = _case(rules.id, seed)
    reported = next((each for each in case.events if isinstance(each, Reported)), None)
    cited = [clause for each in case.events for clause in each.basis.clauses]
    rests = () if reported is None else reported.basis.clauses
    return IrregularityMarks(
        answer == case.answer,
        case.answer,
        tuple(dict.fromkeys(map(printed, rests))),
        told_steps(case.events),
        _question(case.events),
        summaries(rules, cited),
    )


WHAT, WHO = "What happens next?", "Who decides?"
NOBODY = "Nobody has to: the book itself says what happens."
EACH_PATRON = "Each patron whose wager it is about."


@lru_cache(2048)
def _case(book: str, seed: int) -> _Case:
    for attempt in range(50):
        chance = Random(f"irregularity {book} {seed} {attempt}")
        table = _some_table(load(book), chance)
        facts = [fact for fact in facts_now(table, "dealer") if fact in STORIES and _fits(table, fact)]
        chance.shuffle(facts)
        tried = [(report, events) for fact in facts for report, events in _tried(table, fact, chance)]
        found = _pick(table, tried, chance)
        if found is not None:
            return found
    raise Unknown(f"No drill can be made of {book!r}.")


_OF_SQUEEZES = ("wrong-person", "not-delivered", "absent-handler", "face-up-deal", "cards-carried-off")
_AFTERWARDS = ("foreign-card", "deck-count", "unshuffled", "wrong-number", "wrong-display", "insurance-neglected")


def _fits(table: Table, fact: str) -> bool:
    """Whether a fact makes a sensible story at this moment, beyond being possible."""
    round = table.round
    if round is None:
        return False
    dealt, finished = len(round.cards), whole(round)
    if round.phase == "settled":
        return fact in _AFTERWARDS
    if fact in _OF_SQUEEZES:
        return dealt >= 4 and (table.setup.face_down or table.method == "A") and bool(unexposed(round))
    if fact == "too-few-cards":
        return dealt > 0 and due(round) is not None
    if fact in ("wrong-call", "wrong-number"):
        return finished
    if fact in ("wrong-display", "wrong-lammer", "insurance-neglected"):
        return dealt >= 4 and not unexposed(round)
    if fact in ("simultaneous-draw", "shown-in-movement", "device-reset", "shoe-order-altered"):
        return round.phase == "closed" and not finished
    return True


def _pick(table: Table, tried: list[tuple[commands.Report, tuple[Event, ...]]], chance: Random) -> _Case | None:
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
        others = [title(rank) for tier in book.ranks for rank in tier] + [EACH_PATRON, NOBODY]
    else:
        asks, right = WHAT, consequence(events)
        others = [consequence(each) for _, each in tried]
    wrong = sorted(set(others) - {right})
    if len(wrong) < _CHOICES - 1:
        return None
    choices = [right, *chance.sample(wrong, _CHOICES - 1)]
    chance.shuffle(choices)
    return _Case(table, report, events, asks, tuple(choices), choices.index(right))


def _tried(table: Table, fact: str, chance: Random) -> list[tuple[commands.Report, tuple[Event, ...]]]:
    """Ways in which a fact can be reported at a table, and what each leads to."""
    found = []
    for report in examples(table, fact):
        for each in _variants(report, chance):
            try:
                found.append((each, act(table, each)[1]))
            except Refused:
                continue
    return found


def _variants(report: commands.Report, chance: Random) -> list[commands.Report]:
    replace = msgspec.structs.replace
    if report.fact in ("excess-card", "exposed-card"):
        seen = replace(report, faces=(str(_any_card(chance)),))
        return [seen] if report.fact == "exposed-card" else [report, seen]
    if report.fact in ("wrong-area", "shoe-order-altered", "wrong-number"):
        return [report, replace(report, reconstructible=False)]
    if report.fact == "simultaneous-draw":
        return [replace(report, order=order) for order in ("known", "unknown")]
    if report.fact == "interruption":
        return [replace(report, cause=cause) for cause in ("power", "other")]
    if report.fact == "wrong-person":
        return [replace(report, patron=_PATRONS[-1], exposed=exposed) for exposed in (True, False)]
    return [report]


def consequence(events: tuple[Event, ...]) -> str:
    """What follows at once, in the engine's words."""
    said = list(dict.fromkeys(step.says for step in told_steps(events)))
    question = _question(events)
    if question is not None and question.topic == "refer":
        said.append(f"The book is silent: the {_who(question)} decides, and gives a reason.")
    elif question is not None and question.to == "patrons":
        said.append(f"Each patron whose wager it is about is asked: {question.says}")
    elif question is not None:
        said.append(f"The {_who(question)} is asked: {question.says}")
    return " ".join(said) or "Nothing: play goes on."


def _question(events: tuple[Event, ...]) -> Question | None:
    return next((each.question for each in events if isinstance(each, Asked)), None)


def _who(question: Question | None) -> str:
    if question is None:
        return NOBODY
    return EACH_PATRON if question.to == "patrons" else title(question.to)


def _some_table(book: Book, chance: Random) -> Table:
    """A table of a book at some moment of a round."""
    method = book.point("dealing", "methods")
    opened = commands.OpenTable(
        book.id,
        (book.effective + timedelta(days=30)).isoformat(),
        decks=DECKS,
        limits=LIMITS,
        face_down=chance.random() < 0.5,
        method=chance.choice(("A", "B")) if method is not None else None,
        acknowledged=True,
        by="pit-manager",
    )
    table, _ = act(None, opened)
    for each in _people(book, chance):
        table, _ = act(table, each)
    for _ in range(chance.choice((0, 1, 2, 3, 4, 5, 5, 6, 6, 6, 7, 7, 8, 12))):
        given = _next(table, chance)
        if given is None:
            break
        table, _ = act(table, given)
    return table


def _people(book: Book, chance: Random) -> list[commands.Command]:
    given: list[commands.Command] = [commands.LoadShoe()]
    if book.point("dealing", "burn") is not None and chance.random() < 0.8:
        given.append(commands.Burn())
    for box, patron in enumerate(_PATRONS, start=1):
        given += [commands.Sit(patron, box, by=patron), commands.BuyIn(patron, 5_000_00, by=patron)]
    given.append(commands.OpenBets())
    for patron, bet in zip(_PATRONS, ("player", "banker", "tie"), strict=True):
        given.append(commands.Place(patron, bet, chance.choice((100_00, 200_00, 500_00)), by=patron))
    return given


def _next(table: Table, chance: Random) -> commands.Command | None:
    round = table.running
    if round is None or any(each.blocks for each in table.questions):
        return None
    if round.phase == "betting":
        return commands.CloseBets()
    down = unexposed(round)
    if len(round.cards) >= 4 and down:
        return commands.Expose(tuple(str(_any_card(chance)) for _ in down))
    if due(round) is not None:
        return commands.Draw()
    if not whole(round):
        return None
    return commands.Settle() if "result" in round.announced else commands.Announce("result")


STORIES = {
    "foreign-card": "A card that does not belong to these decks is found.",
    "deck-count": "It comes to light that the shoe does not hold the right number of cards.",
    "unshuffled": "It comes to light that the cards were not shuffled.",
    "too-few-cards": "The shoe is empty, and the hand is not finished.",
    "wrong-number": "A hand has got the wrong number of cards.",
    "excess-card": "A card is drawn to the {hand} hand that was not due to it.",
    "exposed-card": "A card slips out of the shoe and shows its face.",
    "wrong-area": "The last card was laid down in the area of the other hand.",
    "wrong-person": "The {hand} cards were given to chun, who was not to have them.",
    "not-delivered": "The cards were not handed to the patron who was to squeeze them.",
    "face-up-deal": "A card that was to be dealt face down was dealt face up.",
    "simultaneous-draw": "Two cards came out of the shoe together.",
    "shoe-order-altered": "The order of the cards in the shoe was disturbed.",
    "shown-in-movement": "A card was seen while it was being moved.",
    "face-up-in-shoe": "A card lies face up in the shoe.",
    "device-reset": "The shoe was reset in the middle of the hand.",
    "cards-carried-off": "A patron has gone away with a card that nobody has seen.",
    "burn-missed": "It is noticed that no card was burned.",
    "cut-card": "The cut card comes out of the shoe.",
    "interruption": "The game is interrupted.",
    "absent-handler": "The patron who holds the cards has gone away.",
    "wrong-call": "The dealer called the wrong result.",
    "wrong-display": "The display shows something else than the cards.",
    "insurance-neglected": "Insurance was due, and the dealer did not offer it.",
    "wrong-lammer": "The board shows the wrong odds for the insurance.",
}
"""What has happened, as somebody at the table would say it."""


def story(report: commands.Report, table: Table) -> str:
    """A fact with what is known of it, in words."""
    said = [STORIES[report.fact].format(hand=(report.hand or "player").capitalize())]
    if report.faces:
        said.append(f"It is seen: {' '.join(report.faces)}.")
    elif report.fact == "excess-card":
        said.append("Nobody has seen its face.")
    if report.reconstructible is False:
        said.append("How it should lie cannot be told any more.")
    elif report.fact in ("wrong-area", "shoe-order-altered"):
        said.append("How it should lie can still be told.")
    if report.order is not None:
        said.append(
            "Which of them was first is known." if report.order == "known" else "Nobody can tell which was first."
        )
    if report.cause is not None:
        said.append("The power has failed." if report.cause == "power" else "The power has not failed.")
    if report.exposed is not None:
        said.append("They have been opened." if report.exposed else "They have not been opened.")
    round = table.round
    if round is not None and round.phase == "settled":
        said.append("The round has been paid.")
    return " ".join(said)


DRILLS = [payout_drill, payout_answer, irregularity_drill, irregularity_answer]
