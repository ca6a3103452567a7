"""Procedures for those who work at the table: a round step by step, irregularities, and what each rank decides."""

from collections.abc import Iterable, Iterator
from functools import partial

from msgspec.structs import replace

from punto.report.document import Block, Cell, Column, Document, Issue, Paragraph, Rows, Section, TableBlock
from punto.report.insurance import STAGES
from punto.report.pack.booklet import booklet, where
from punto.report.pack.decisions import (
    REFER,
    all_steps,
    case_of,
    confirms,
    decisions,
    left_open,
    ruler,
    second_lowest,
    voids_paid_round,
)
from punto.report.play import FIRST_CARDS
from punto.report.words import (
    case_meanings,
    choice_in_words,
    fact_in_words,
    point_in_words,
    step_in_words,
    steps_in_words,
    words,
)
from punto.rulebook import Basis, Book, printed
from punto.rulebook.facts import FACTS
from punto.rulebook.model import Irregularity, Remedy
from punto.rulebook.vocabulary import DEALER, SHOE_SCOPE
from punto.rulebook.words import printed_in_words

_ROUND: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Before the shoe", ("dealing.devices", "dealing.equipment", "dealing.places", "dealing.burn", "limits.displayed")),
    (
        "Before the round",
        ("dealing.methods", "dealing.method-choice", "dealing.method-c", "dealing.device-holder", "round.begins"),
    ),
    (
        "Bets",
        (
            "betting.opens",
            "betting.medium",
            "betting.responsibility",
            "limits.minimum-scope",
            "limits.maximum-scope",
            "limits.differential-early",
            "limits.differential-ask",
            "limits.differential-add",
            "limits.differential-remove",
            "limits.under-minimum-early",
            "betting.closes",
            "betting.late-bet",
            "betting.late-increase",
            "betting.late-withdrawal",
        ),
    ),
    (
        "The first four cards",
        (
            "round.initial-deal",
            "dealing.hands",
            "dealing.squeezer",
            "dealing.squeezer-refuses",
            "dealing.squeezer-equal",
            "dealing.squeezer-unclear",
            "dealing.squeezer-equal-refuses",
            "dealing.first-opened",
            "dealing.announce-points",
        ),
    ),
    ("Third cards", ("dealing.play", "dealing.third-card", "dealing.method-c-third-card")),
    (
        "The end of the round",
        (
            "dealing.announce-result",
            "display.zero",
            "limits.pipeline",
            "limits.differential-late",
            "limits.over-maximum",
            "limits.under-minimum-late",
            "money.stand-off",
            "money.commission",
            "money.corrections",
            "round.ends",
        ),
    ),
)
"""The points of a book in the order in which a dealer needs them."""

UNDECIDED = "undecided"


def procedures(book: Book, issue: Issue) -> Document:
    """The procedures of a book as a document."""
    cover = (
        Paragraph(
            "How a round is dealt, what is done when something goes wrong, and who decides it. Where only the house is "
            "named, the rank that speaks for it is the one below; a table may name a higher one."
        ),
    )
    sections = [_dealing(book), _irregularities(book), *_offers(book), *_by_rank(book), _silent(book)]
    return booklet(book, "Dealing and irregularity procedures", issue, cover, tuple(sections))


def _dealing(book: Book) -> Section:
    columns = (Column("Stage", 1.6), Column("What is done", 6), Column("Decided by", 1.6), Column("Clause", 1.6))
    groups: list[Rows] = []
    for title, names in _ROUND:
        rows: list[tuple[Cell, ...]] = [
            (Cell(point_in_words(section, name, point)), Cell(words(point.by or "")), where(point.basis))
            for section, name in (each.split(".") for each in names)
            if (point := book.point(section, name)) is not None
        ]
        if title == "The first four cards":
            rows = [*_printed(book), _order(book), *rows]
        if title == "Third cards":
            rows = [*_windows(book), *rows, *_draws(book)]
        if rows:
            groups.append(tuple((Cell("" if at else title, strong=True), *row) for at, row in enumerate(rows)))
    return Section("A round, step by step", (TableBlock("", columns, tuple(groups)),))


def _printed(book: Book) -> list[tuple[Cell, ...]]:
    printed_card = book.cards.printed
    if printed_card is None:
        return []
    return [(Cell(str(printed_in_words(printed_card))), Cell(""), where(printed_card.basis))]


def _order(book: Book) -> tuple[Cell, ...]:
    return (Cell(FIRST_CARDS), Cell(""), where(book.drawing["order"]))


def _windows(book: Book) -> list[tuple[Cell, ...]]:
    if book.insurance is None:
        return []
    stages = " and ".join(stage.lower().replace("player", "Player") for stage in STAGES.values())
    basis = Basis((book.insurance.windows, *book.insurance.live.clauses), book.insurance.live.readings)
    return [(Cell(f"Cover is offered {stages}, while a card is due."), Cell(""), where(basis))]


def _draws(book: Book) -> list[tuple[Cell, ...]]:
    natural = "With 8 or 9 on the first two cards of either hand no further card is drawn."
    both = book.drawing["natural-player"].plus(book.drawing["natural-banker"])
    says = {
        "player-draws": "With 0 to 5 the Player draws a third card.",
        "player-stands": "With 6 or 7 the Player stands.",
        "player-stood": "Where the Player stood, the Banker draws with 0 to 5 and stands with 6 or 7.",
        "banker-3": "Where the Player drew, the Banker draws or stands by the Table of Play.",
        "winner": "The hand with more points wins.",
        "tie": "Equal points are a tie.",
    }
    found = [(natural, both), *((sentence, book.drawing[name]) for name, sentence in says.items())]
    return [(Cell(sentence), Cell(""), where(basis)) for sentence, basis in found]


def _irregularities(book: Book) -> Section:
    """Every fact with its cases, in the order of the book; the first case that holds applies."""
    if not book.irregularities:
        return Section("Irregularities", (Paragraph("The book has no rule about any irregularity."),))
    columns = (
        Column("What happened", 1.7),
        Column("In which case", 2),
        Column("What is done", 4.6),
        Column("Clause", 1.4),
    )
    facts: dict[str, list[tuple[Cell, ...]]] = {}
    used: set[str] = set()
    for row in book.irregularities:
        used |= set(row.when) | {name for step in all_steps(row.do) for name in step.when}
        rows = facts.setdefault(row.fact, [])
        case = case_of(book, row)
        name = Cell("" if rows else fact_in_words(row.fact), strong=True)
        for number, step in enumerate(row.do, start=1):
            paid, rests = _of_paid_rounds(book, row, step)
            says = step_in_words(_with_ranks(book, step)) + paid
            numbered = f"{number}. {says}" if len(row.do) > 1 else says
            basis = (row.basis if number == 1 else Basis((step.clause,) if step.clause else ())).plus(rests)
            rows.append((name, Cell("" if number > 1 else case), Cell(numbered), where(basis)))
            name = Cell("")
    meanings = tuple(((Cell(name, strong=True), Cell(meaning)),) for name, meaning in case_meanings(used))
    blocks: list[Block] = [
        Paragraph("Of the cases of one event the first that holds applies. A void round ends the steps."),
        TableBlock("", columns, tuple(tuple(rows) for rows in facts.values())),
    ]
    if meanings:
        blocks.append(TableBlock("What is meant", (Column("Words", 2), Column("Meaning", 6)), meanings))
    return Section("Irregularities", tuple(blocks))


def _of_paid_rounds(book: Book, row: Irregularity, step: Remedy) -> tuple[str, Basis]:
    """What a step means for a round that is paid already, and what that rests on."""
    if voids_paid_round(book, row, step):
        who, basis = confirms(book)
        return f" Where the round is paid already, the {words(who)} must confirm that first (AMB-18).", basis
    if FACTS[row.fact].faces != "true":
        return "", Basis()
    corrections = book.point("money", "corrections")
    if corrections is not None and corrections.value == REFER:
        if step.verb != "correct":
            return "", Basis()
        who = words(ruler(book) or "residual authority")
        return f" Where the round is paid already, the {who} rules instead of all that follows.", corrections.basis
    if step.verb != "call" or step.object != "again":
        return "", Basis()
    begins = book.point("round", "begins")
    first_card = begins is not None and begins.value == "first-card"
    until = "the first card of the next one is drawn" if first_card else "bets are opened for the next one"
    rests = corrections.basis if corrections is not None else Basis()
    return f" A round that is paid already is settled again by it, until {until}.", rests


def _with_ranks(book: Book, step: Remedy) -> Remedy:
    """A step, and those that it leads to, with the rank that the table asks where the book leaves open who decides."""
    named = partial(_with_ranks, book)
    more = {each: tuple(map(named, getattr(step, each))) for each in ("otherwise", "then", "all_back")}
    return replace(step, by=second_lowest(book) if left_open(step) else step.by, **more)


def _offers(book: Book) -> list[Section]:
    columns = (Column("Choice", 1.6), Column("A patron may", 5), Column("Clause", 1.6))
    groups: list[Rows] = []
    for name, offer in book.offers.items():
        rows = [
            (Cell(choice_in_words(choice)), where(Basis((choice.clause,)) if choice.clause else offer.basis))
            for choice in offer.choices
        ]
        rows += _taken_back(book, offer.scope)
        if offer.bound:
            rows.append((Cell("Who plays on is bound by the cards that follow."), Cell(printed(offer.bound))))
        if offer.divided:
            says = (
                f"What most of them choose is done; where as many want the one as the other, the "
                f"{words(offer.divided)} decides."
            )
            rows.append((Cell(says), where(offer.basis)))
        if offer.all_back:
            rows.append((Cell(f"If all take back: {steps_in_words(offer.all_back)}"), where(offer.basis)))
        groups.append(_named(words(name), rows))
    groups += _leave(book)
    return [Section("What patrons may choose", (TableBlock("", columns, tuple(groups)),))] if groups else []


def _named(name: str, rows: Iterable[tuple[Cell, ...]]) -> Rows:
    """Rows under a name, which stands beside the first of them."""
    return tuple((Cell("" if at else name, strong=True), *row) for at, row in enumerate(rows))


def _leave(book: Book) -> Iterator[Rows]:
    """What patrons may choose once they are allowed to withdraw, where a row of the book provides for that."""
    given: dict[str, Basis] = {}
    for row in book.irregularities:
        for step in all_steps(row.do):
            if step.verb == "permit":
                scope = "all" if step.then else UNDECIDED
                own = Basis((step.clause,)) if step.clause else Basis(row.basis.clauses[:1])
                given[scope] = given.get(scope, Basis()).plus(own)
    for scope, basis in given.items():
        rows = [(Cell(choice), where(basis)) for choice in ("play on", "take the wager back")]
        yield _named("leave to withdraw", [*rows, *_taken_back(book, scope)])


def _taken_back(book: Book, scope: str) -> list[tuple[Cell, Cell]]:
    """What somebody gets who takes the wager back."""
    if scope == SHOE_SCOPE:
        return []
    share, scope_of = book.policies.get("partial-withdrawal"), book.policies.get("return-scope")
    readings = [scope_of.reading] if scope_of is not None and scope == UNDECIDED else []
    covered = " and the insurance on it" if book.insurance is not None else ""
    says = f"Who takes back gets every wager that is not decided yet{covered}; what is decided is paid or collected."
    if scope != UNDECIDED:
        says = f"Who takes back gets every wager{covered}."
    if share is not None and share.value == "no":
        says += " It is all of them or none."
        readings.append(share.reading)
    return [(Cell(says), Cell(", ".join(readings)))]


def _by_rank(book: Book) -> list[Section]:
    """For each rank what it decides; the house by the rank that speaks for it."""
    duties: dict[str, dict[tuple[str, str], Basis]] = {rank: {} for tier in book.ranks for rank in tier}
    for each in decisions(book):
        decided, told = duties[each.by], (each.where, each.says)
        decided[told] = decided.get(told, Basis()).plus(each.basis)
    columns = (Column("Where", 2), Column("What is decided", 5), Column("Clause", 1.6))
    tables = [
        TableBlock(
            words(rank).capitalize(),
            columns,
            tuple(((Cell(what, strong=True), Cell(does), where(basis)),) for (what, does), basis in decided.items()),
        )
        for rank, decided in duties.items()
        if decided
    ]
    says = (
        "What each rank decides, from the lowest up. A higher rank may act for a lower one. Whatever names nobody is "
        f"done by the {words(DEALER)}; where a book lets cards be replaced, or counted, and names nobody, the second "
        "lowest rank is asked."
    )
    return [Section("By rank", (Paragraph(says), *tables))]


def _silent(book: Book) -> Section:
    who = words(ruler(book) or "residual authority")
    says = f"Of these the book says nothing. They go to the {who}, whose ruling is put on record."
    columns = (Column("What happened", 3), Column("What is meant", 5))
    rows = tuple(((Cell(fact_in_words(fact), strong=True), Cell(FACTS[fact].meaning)),) for fact in book.silent)
    table = (TableBlock("", columns, rows),) if rows else ()
    return Section("Where the book is silent", (Paragraph(says if rows else "The book speaks on every event."), *table))
