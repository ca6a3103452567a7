"""Procedures for those who work at the table: a round step by step, irregularities, and what each rank decides."""

from collections.abc import Iterable, Iterator
from functools import partial

import msgspec
from msgspec.structs import replace

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
from punto.rulebook.model import Irregularity, Remedy
from punto.rulebook.vocabulary import DEALER, HOUSE, SHOE_SCOPE
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

ALWAYS, ANY_OTHER = "always", "any other"
"""The case of a row that nothing is asked for, and of one that is left of what the rows before it ask for."""

AFTER_PAYMENT = "after-payment"
UNDECIDED = "undecided"
REFER = "refer"
"""A step, and the value of a point, that sends something to the residual authority."""

NEEDS_RANK = ("decide", "permit", "late-offer", "return-original")
NEEDS_RANK_FOR = (("replace-cards", "may"), ("enter", "count"))
"""Verbs, and steps, that a rank decides or does; where a book does not say which, the table asks the second lowest."""

TOLD_BY_CASE = ("permit", "replace-cards")
"""Steps that hold in one case of a fact alone, which their words do not tell."""


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
        case = _case(book, row)
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
    if _voids_paid_round(book, row, step):
        who, basis = _confirms(book)
        return f" Where the round is paid already, the {words(who)} must confirm that first (AMB-18).", basis
    if FACTS[row.fact].faces != "true":
        return "", Basis()
    corrections = book.point("money", "corrections")
    if corrections is not None and corrections.value == REFER:
        if step.verb != "correct":
            return "", Basis()
        who = words(_ruler(book) or "residual authority")
        return f" Where the round is paid already, the {who} rules instead of all that follows.", corrections.basis
    if step.verb != "call" or step.object != "again":
        return "", Basis()
    begins = book.point("round", "begins")
    first_card = begins is not None and begins.value == "first-card"
    until = "the first card of the next one is drawn" if first_card else "bets are opened for the next one"
    rests = corrections.basis if corrections is not None else Basis()
    return f" A round that is paid already is settled again by it, until {until}.", rests


def _voids_paid_round(book: Book, row: Irregularity, step: Remedy) -> bool:
    """Whether a step makes a round void that may be paid already, where somebody has to confirm that."""
    noticed = row.when.get("noticed", frozenset({AFTER_PAYMENT}))
    afterwards = FACTS[row.fact].moment == "last-round" and AFTER_PAYMENT in noticed
    return step.verb == "void" and afterwards and book.point("money", "reversal") is not None


def _confirms(book: Book) -> tuple[str, Basis]:
    """Who confirms that a round which is paid is void, and what that rests on."""
    reversal = book.point("money", "reversal")
    assert reversal is not None
    return reversal.by or DEALER, reversal.basis


def _ruler(book: Book) -> str | None:
    """The rank that rules on what a book does not tell."""
    residual = book.point("authority", "residual")
    return residual.by if residual is not None else None


def _with_ranks(book: Book, step: Remedy) -> Remedy:
    """A step, and those that it leads to, with the rank that the table asks where the book leaves open who decides."""
    named = partial(_with_ranks, book)
    more = {each: tuple(map(named, getattr(step, each))) for each in ("otherwise", "then", "all_back")}
    return replace(step, by=second_lowest(book) if _left_open(step) else step.by, **more)


def _left_open(step: Remedy) -> bool:
    """Whether somebody decides a step, and the book does not say who."""
    needed = step.verb in NEEDS_RANK or (step.verb, step.object) in NEEDS_RANK_FOR
    return needed and step.by is None


def _case(book: Book, row: Irregularity) -> str:
    return cases_in_words(row.when) or _otherwise(book, row.fact)


def _otherwise(book: Book, fact: str) -> str:
    """The case of the row that holds where no row before it does: always, or what is left of what these ask for."""
    before = [each.when for each in book.irregularities if each.fact == fact and each.when]
    asked = {name for when in before for name in when}
    if not asked:
        return ALWAYS
    if len(asked) > 1:
        return ANY_OTHER
    [guard] = asked
    left = frozenset(GUARDS[guard].values) - frozenset[str]().union(*(when[guard] for when in before))
    return f"{ANY_OTHER}: {cases_in_words({guard: left})}"


def _all_steps(steps: Iterable[Remedy]) -> Iterator[Remedy]:
    for step in steps:
        yield step
        yield from _all_steps((*step.otherwise, *step.then, *step.all_back))


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
        for step in _all_steps(row.do):
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


class Decision(msgspec.Struct, frozen=True):
    """Something that a rank decides: in which matter or after which fact, what, who, and what that rests on."""

    where: str
    what: str
    by: str
    basis: Basis
    fact: str | None = None
    case: str = ""
    """In which case of the fact, where that has to be told: `If the card was shown`."""
    reason: bool = False
    """A reason goes on record."""
    named: bool = True
    """The book names the rank, or the house; else the table asks the second lowest."""

    @property
    def says(self) -> str:
        """What is decided, in one sentence."""
        says = f"{self.case}: {self.what}" if self.case else self.what
        return says.removesuffix(".") + ", with a recorded reason." if self.reason else says


def decisions(book: Book) -> Iterator[Decision]:
    """Everything that a rank decides by a book: its points, then its rows about what goes wrong, then its choices."""
    points = {**book.points, **({"insurance": book.insurance.points} if book.insurance else {})}
    for section, named in points.items():
        for name, point in named.items():
            who = _ruler(book) if point.value == REFER else point.by
            if who is not None:
                by = deciding_rank(book, who, point.basis)
                yield Decision(section.capitalize(), point_in_words(section, name, point), by, point.basis)
    for row in book.irregularities:
        for step in _all_steps(row.do):
            yield from _of_step(book, row, step)
    for name, offer in book.offers.items():
        if offer.divided:
            yield Decision(words(name).capitalize(), "Decides where patrons are divided.", offer.divided, offer.basis)


def _of_step(book: Book, row: Irregularity, step: Remedy) -> Iterator[Decision]:
    """Who decides a step of a row."""
    basis = Basis((step.clause,)) if step.clause else row.basis
    decided = partial(Decision, fact_in_words(row.fact), fact=row.fact)
    case = _if(_case(book, row))
    if _voids_paid_round(book, row, step):
        yield decided("The round is void though it is paid already.", *_confirms(book))
    if step.verb == REFER:
        what = "What becomes of the card." if step.object == "card" else "What is done."
        yield decided(what, _ruler(book) or HOUSE, basis, case=case)
    elif step.verb == "correct" and (ruled := book.point("money", "corrections")) and ruled.value == REFER:
        if FACTS[row.fact].faces == "true":
            yield decided("What is done.", _ruler(book) or HOUSE, ruled.basis, case="If the round is paid already")
    elif step.verb == "attend" and step.object:
        says = "This rank comes to the table; the rest is done in its presence."
        yield decided(says, step.object, basis, case=case)
    elif step.by is not None:
        case = case if step.verb in TOLD_BY_CASE else ""
        by = deciding_rank(book, step.by, basis)
        yield decided(_decided(step), by, basis, case=case, reason=step.reason)
    elif _left_open(step):
        yield decided(_decided(step), second_lowest(book), basis, case=case, named=False)


def _if(case: str) -> str:
    """A case as the beginning of a sentence; nothing where it always holds."""
    if case == ALWAYS:
        return ""
    return "In any other case" if case == ANY_OTHER else f"If {case.removeprefix(f'{ANY_OTHER}: ')}"


def _decided(step: Remedy) -> str:
    """A step without who decides it, which the table is about, and without those that it leads to."""
    return step_in_words(replace(step, by=None, reason=False, otherwise=(), then=(), all_back=()))


def second_lowest(book: Book) -> str:
    """The rank that the table asks where a book lets something be decided and does not say by whom."""
    return book.ranks[1][-1]


def deciding_rank(book: Book, by: str, basis: Basis) -> str:
    """The rank that decides; for the house the one named for the clause, else the next above the dealer."""
    if by != HOUSE:
        return by
    for clause in basis.clauses:
        named = book.house_ranks.get(clause) or book.house_ranks.get(printed(clause))
        if named:
            return named
    return second_lowest(book)


def _silent(book: Book) -> Section:
    who = words(_ruler(book) or "residual authority")
    says = f"Of these the book says nothing. They go to the {who}, whose ruling is put on record."
    columns = (Column("What happened", 3), Column("What is meant", 5))
    rows = tuple(((Cell(fact_in_words(fact), strong=True), Cell(FACTS[fact].meaning)),) for fact in book.silent)
    table = (TableBlock("", columns, rows),) if rows else ()
    return Section("Where the book is silent", (Paragraph(says if rows else "The book speaks on every event."), *table))
