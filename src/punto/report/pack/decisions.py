"""Who decides what by a book: at its points, after what goes wrong, and where patrons choose."""

from collections.abc import Iterable, Iterator
from functools import partial

import msgspec
from msgspec.structs import replace

from punto.report.words import cases_in_words, fact_in_words, point_in_words, step_in_words, words
from punto.rulebook import Basis, Book, printed
from punto.rulebook.facts import FACTS, GUARDS
from punto.rulebook.model import Irregularity, Remedy
from punto.rulebook.vocabulary import DEALER, HOUSE

ALWAYS, ANY_OTHER = "always", "any other"
"""The case of a row that nothing is asked for, and of one that is left of what the rows before it ask for."""

AFTER_PAYMENT = "after-payment"
REFER = "refer"
"""A step, and the value of a point, that sends something to the residual authority."""

NEEDS_RANK = ("decide", "permit", "late-offer", "return-original")
NEEDS_RANK_FOR = (("replace-cards", "may"), ("enter", "count"))
"""Verbs, and steps, that a rank decides or does; where a book does not say which, the table asks the second lowest."""

TOLD_BY_CASE = ("permit", "replace-cards")
"""Steps that hold in one case of a fact alone, which their words do not tell."""


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
            who = ruler(book) if point.value == REFER else point.by
            if who is not None:
                by = deciding_rank(book, who, point.basis)
                yield Decision(section.capitalize(), point_in_words(section, name, point), by, point.basis)
    for row in book.irregularities:
        for step in all_steps(row.do):
            yield from _of_step(book, row, step)
    for name, offer in book.offers.items():
        if offer.divided:
            yield Decision(words(name).capitalize(), "Decides where patrons are divided.", offer.divided, offer.basis)


def _of_step(book: Book, row: Irregularity, step: Remedy) -> Iterator[Decision]:
    """Who decides a step of a row."""
    basis = Basis((step.clause,)) if step.clause else row.basis
    decided = partial(Decision, fact_in_words(row.fact), fact=row.fact)
    case = _if(case_of(book, row))
    if voids_paid_round(book, row, step):
        yield decided("The round is void though it is paid already.", *confirms(book))
    if step.verb == REFER:
        what = "What becomes of the card." if step.object == "card" else "What is done."
        yield decided(what, ruler(book) or HOUSE, basis, case=case)
    elif step.verb == "correct" and (ruled := book.point("money", "corrections")) and ruled.value == REFER:
        if FACTS[row.fact].faces == "true":
            yield decided("What is done.", ruler(book) or HOUSE, ruled.basis, case="If the round is paid already")
    elif step.verb == "attend" and step.object:
        says = "This rank comes to the table; the rest is done in its presence."
        yield decided(says, step.object, basis, case=case)
    elif step.by is not None:
        case = case if step.verb in TOLD_BY_CASE else ""
        by = deciding_rank(book, step.by, basis)
        yield decided(_decided(step), by, basis, case=case, reason=step.reason)
    elif left_open(step):
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


def case_of(book: Book, row: Irregularity) -> str:
    """In which case of its fact a row holds, in words."""
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


def all_steps(steps: Iterable[Remedy]) -> Iterator[Remedy]:
    """Steps, each with those that it leads to behind it."""
    for step in steps:
        yield step
        yield from all_steps((*step.otherwise, *step.then, *step.all_back))


def voids_paid_round(book: Book, row: Irregularity, step: Remedy) -> bool:
    """Whether a step makes a round void that may be paid already, where somebody has to confirm that."""
    noticed = row.when.get("noticed", frozenset({AFTER_PAYMENT}))
    afterwards = FACTS[row.fact].moment == "last-round" and AFTER_PAYMENT in noticed
    return step.verb == "void" and afterwards and book.point("money", "reversal") is not None


def confirms(book: Book) -> tuple[str, Basis]:
    """Who confirms that a round which is paid is void, and what that rests on."""
    reversal = book.point("money", "reversal")
    assert reversal is not None
    return reversal.by or DEALER, reversal.basis


def ruler(book: Book) -> str | None:
    """The rank that rules on what a book does not tell."""
    residual = book.point("authority", "residual")
    return residual.by if residual is not None else None


def left_open(step: Remedy) -> bool:
    """Whether somebody decides a step, and the book does not say who."""
    needed = step.verb in NEEDS_RANK or (step.verb, step.object) in NEEDS_RANK_FOR
    return needed and step.by is None
