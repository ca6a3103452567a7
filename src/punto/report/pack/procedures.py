"""Procedures for those who work at the table: a round step by step, irregularities, and what each rank decides."""

from collections.abc import Iterable, Iterator

from punto.report.document import Block, Cell, Column, Document, Issue, Paragraph, Rows, Section, TableBlock
from punto.report.insurance import STAGES
from punto.report.pack.booklet import booklet, where
from punto.report.play import FIRST_CARDS
from punto.report.words import (
    case_meanings,
    cases_in_words,
    choice_in_words,
    fact_in_words,
    point_in_words,
    step_in_words,
    steps_in_words,
    words,
)
from punto.rulebook import Basis, Book, printed
from punto.rulebook.facts import FACTS, GUARDS
from punto.rulebook.model import Remedy
from punto.rulebook.vocabulary import DEALER, HOUSE
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
        used |= set(row.when) | {name for step in _all_steps(row.do) for name in step.when}
        rows = facts.setdefault(row.fact, [])
        case = cases_in_words(row.when) or _otherwise(book, row.fact)
        name = Cell("" if rows else fact_in_words(row.fact), strong=True)
        for number, step in enumerate(row.do, start=1):
            paid, rests = _of_paid_rounds(book, row.fact, step)
            says = step_in_words(step) + paid
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


def _of_paid_rounds(book: Book, fact: str, step: Remedy) -> tuple[str, Basis]:
    """What a step that puts a misread card right means for a round that is paid, and what that rests on."""
    corrections, residual = book.point("money", "corrections"), book.point("authority", "residual")
    if FACTS[fact].faces != "true":
        return "", Basis()
    if corrections is not None and corrections.value == "refer":
        if step.verb != "correct":
            return "", Basis()
        who = words(residual.by) if residual is not None and residual.by else "residual authority"
        return f" Where the round is paid already, the {who} rules instead of all that follows.", corrections.basis
    if step.verb != "call" or step.object != "again":
        return "", Basis()
    rests = corrections.basis if corrections is not None else Basis()
    return " A round that is paid already is settled again by it, until the next one begins.", rests


def _otherwise(book: Book, fact: str) -> str:
    """The case of the row that holds where no row before it does: always, or what is left of what these ask for."""
    before = [each.when for each in book.irregularities if each.fact == fact and each.when]
    asked = {name for when in before for name in when}
    if not asked:
        return "always"
    if len(asked) > 1:
        return "any other"
    [guard] = asked
    left = frozenset(GUARDS[guard].values) - frozenset[str]().union(*(when[guard] for when in before))
    return f"any other: {cases_in_words({guard: left})}"


def _all_steps(steps: Iterable[Remedy]) -> Iterator[Remedy]:
    for step in steps:
        yield step
        yield from _all_steps((*step.otherwise, *step.then, *step.all_back))


def _offers(book: Book) -> list[Section]:
    if not book.offers:
        return []
    columns = (Column("Choice", 1.6), Column("A patron may", 5), Column("Clause", 1.6))
    groups: list[Rows] = []
    for name, offer in book.offers.items():
        rows = [
            (
                Cell("" if at else words(name), strong=True),
                Cell(choice_in_words(choice)),
                where(Basis((choice.clause,)) if choice.clause else offer.basis),
            )
            for at, choice in enumerate(offer.choices)
        ]
        if offer.bound:
            rows.append((Cell(""), Cell("Who plays on is bound by the cards that follow."), Cell(printed(offer.bound))))
        if offer.divided:
            rows.append((Cell(""), Cell(f"Where patrons are divided, the {words(offer.divided)} decides."), Cell("")))
        if offer.all_back:
            rows.append((Cell(""), Cell(f"If all take back: {steps_in_words(offer.all_back)}"), where(offer.basis)))
        groups.append(tuple(rows))
    return [Section("What patrons may choose", (TableBlock("", columns, tuple(groups)),))]


def _by_rank(book: Book) -> list[Section]:
    """For each rank what it decides; the house by the rank that speaks for it."""
    duties: dict[str, dict[tuple[str, str], Basis]] = {rank: {} for tier in book.ranks for rank in tier}
    for what, does, by, basis in _decisions(book):
        decided = duties[deciding_rank(book, by, basis)]
        decided[what, does] = decided.get((what, does), Basis()).plus(basis)
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
        f"done by the {words(DEALER)}."
    )
    return [Section("By rank", (Paragraph(says), *tables))]


def _decisions(book: Book) -> Iterator[tuple[str, str, str, Basis]]:
    points = {**book.points, **({"insurance": book.insurance.points} if book.insurance else {})}
    for section, named in points.items():
        for name, point in named.items():
            if point.by is not None:
                yield section.capitalize(), point_in_words(section, name, point), point.by, point.basis
    for row in book.irregularities:
        for step in _all_steps(row.do):
            own = Basis((step.clause,)) if step.clause else row.basis
            if step.by is not None:
                yield fact_in_words(row.fact), _decided(step), step.by, own
            elif step.verb == "attend" and step.object:
                yield fact_in_words(row.fact), "Comes to the table.", step.object, own
    for name, offer in book.offers.items():
        if offer.divided:
            yield words(name).capitalize(), "Decides where patrons are divided.", offer.divided, offer.basis


def _decided(step: Remedy) -> str:
    """A step without who decides it, which the table is about."""
    says = step_in_words(step).replace(f" Decided by: {words(step.by or '')}", "", 1)
    return says.replace("., with a recorded reason.", ", with a recorded reason.").replace("..", ".")


def deciding_rank(book: Book, by: str, basis: Basis) -> str:
    """The rank that decides; for the house the one named for the clause, else the next above the dealer."""
    if by != HOUSE:
        return by
    for clause in basis.clauses:
        named = book.house_ranks.get(clause) or book.house_ranks.get(printed(clause))
        if named:
            return named
    return book.ranks[1][-1]


def _silent(book: Book) -> Section:
    residual = book.point("authority", "residual")
    who = words(residual.by) if residual is not None and residual.by else "residual authority"
    says = f"Of these the book says nothing. They go to the {who}, whose ruling is put on record."
    columns = (Column("What happened", 3), Column("What is meant", 5))
    rows = tuple(((Cell(fact_in_words(fact), strong=True), Cell(FACTS[fact].meaning)),) for fact in book.silent)
    table = (TableBlock("", columns, rows),) if rows else ()
    return Section("Where the book is silent", (Paragraph(says if rows else "The book speaks on every event."), *table))
