"""Whether a book is complete: facts with every case covered, clauses and readings that exist, what is not verified."""

import tomllib
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from punto.lint.findings import Finding, finding, found
from punto.messages import Sentence, say
from punto.rulebook import BadIndex, Basis, Book, clauses, index_for, load, printed, readings
from punto.rulebook.approval import ships
from punto.rulebook.bases import BASE
from punto.rulebook.facts import FACTS, GUARDS, IN_BOOKS
from punto.rulebook.lines import Path as Key
from punto.rulebook.nearest import nearest
from punto.rulebook.places import line_of, shown
from punto.rulebook.references import named_in, references
from punto.rulebook.vocabulary import HOUSE, POLICIES
from punto.rulebook.words import guards_in_words


def check_facts(book: Book) -> Iterator[Finding]:
    """Facts whose rows leave a case open, or have a row that can never apply."""
    for fact in IN_BOOKS:
        guards = FACTS[fact].guards
        numbered = [(at, row) for at, row in enumerate(book.irregularities) if row.fact == fact]
        rows = [row for _, row in numbered]
        if bool(rows) == (fact in book.silent):
            yield _silence(book, fact, bool(rows))
        for case in product(*(GUARDS[guard].values for guard in guards)) if rows else ():
            known = dict(zip(guards, case, strict=True))
            if not any(all(known[name] in values for name, values in row.when.items()) for row in rows):
                words = guards_in_words({name: frozenset({value}) for name, value in known.items()})
                says = say(
                    "open-case",
                    "no row says what happens with {case}; write one, or refer that case.",
                    case=words,
                )
                at = ("irregularity", numbered[0][0])
                yield finding(book, "open-case", at, f"irregularity {fact}", says, rows[0].basis)
        for number, (place, row) in enumerate(numbered):
            if any(_covers(earlier.when, row.when) for earlier in rows[:number]):
                says = say("row-already-covered", "an earlier row already covers every case of this one.")
                at, where = ("irregularity", place), f"irregularity {fact}, row {number + 1}"
                yield finding(book, "unreachable", at, where, says, row.basis)


def _silence(book: Book, fact: str, rows: bool) -> Finding:
    """A fact that is neither in a row nor in the list of silence, or in both."""
    where = f"irregularity {fact}"
    if not rows:
        says = say("fact-without-row", "the fact has no row, and the book is not said to be silent.")
        return found(book, "finding", "open-case", ("silent",), where, says)
    says = say("fact-not-silent", "the fact is said to be silent, yet has rows.")
    listed = tomllib.loads(book.text).get("silent")
    at = ("silent", listed.index(fact)) if isinstance(listed, list) and fact in listed else ("silent",)
    return found(book, "fault", "open-case", at, where, says)


def check_authority(book: Book) -> Iterator[Finding]:
    """Places where the House decides and no rank speaks for it."""
    spoken = set(book.house_ranks)
    says = say("no-rank-speaks-for-house", "no rank speaks for the House here.")
    for section, points in (*book.points.items(), ("insurance", book.insurance.points if book.insurance else {})):
        for name, point in points.items():
            if point.by == HOUSE and not spoken & set(point.basis.clauses):
                yield found(book, "fault", "authority", (section, name, "by"), f"{section}.{name}", says)
    for place, row in enumerate(book.irregularities):
        steps = [number for number, step in enumerate(row.do) if step.by == HOUSE]
        if steps and not spoken & set(row.basis.clauses):
            at = ("irregularity", place, "do", steps[0])
            yield found(book, "fault", "authority", at, f"irregularity {row.fact}", says)


def check_policies(book: Book) -> Iterator[Finding]:
    """Policies that nothing reads."""
    for name in book.policies:
        if name not in POLICIES:
            says = say("policy-not-read", "nothing reads a policy of this name.")
            near = nearest(name, POLICIES)
            if near:
                says = say(
                    "policy-misspelt", "nothing reads a policy of this name: perhaps {near:or} is meant.", near=near
                )
            yield found(book, "finding", "policy", ("policy", name), f"policy.{name}", says)


def _covers(earlier: dict[str, frozenset[str]], later: dict[str, frozenset[str]]) -> bool:
    return all(name in later and later[name] <= values for name, values in earlier.items())


def check_references(book: Book) -> Iterator[Finding]:
    """Clauses that the index of the book does not have."""
    try:
        index = index_for(book.id, book.file)
    except BadIndex as error:
        yield found(book, "fault", "index", ("id",), "clauses", say("bad-index", "{fault}", fault=str(error)))
        return
    if not index and ships(book):
        return  # the clauses of a public game are those of its file
    if not index:
        says = say(
            "no-index-no-check",
            "there is no clause index for {book:quoted}, so its clause numbers could not be checked.",
            book=book.id,
        )
        yield found(book, "finding", "no-index", ("id",), "clauses", says)
        return
    missing = missing_clauses(book)
    if clauses(book.id):
        for clause, at in missing.items():
            says = say("no-such-clause", "the book has no clause {clause}.", clause=clause)
            yield found(book, "fault", "unknown-clause", at, shown(book, at), says, clause)
    elif missing:
        at = next(iter(missing.values()))
        only = next(iter(missing)) if len(missing) == 1 else None
        where = "clauses" if only is None else shown(book, at)
        yield found(book, "fault", "unknown-clause", at, where, _not_in_index(book, missing), only)


def missing_clauses(book: Book) -> dict[str, Key]:
    """The clauses that a book names and its index does not have, each with the key that names it first.

    The index of a book that ships lists every row; one beside a file of one's own only what is printed, and there the
    rows of a clause count as that clause.
    """
    known = index_for(book.id, book.file).keys() | _of_base(book)
    exact = bool(clauses(book.id))
    missing: dict[str, Key] = {}
    for at, clause in references(book):
        if clause not in known and (exact or printed(clause) not in known):
            missing.setdefault(clause if exact else printed(clause), at)
    return missing


def _not_in_index(book: Book, missing: dict[str, Key]) -> Sentence:
    """One sentence for all of them: they are missing from one file."""
    file = Path(book.file)
    index = file.with_suffix(".clauses.csv").name
    if len(missing) == 1:
        return say(
            "no-clause-in-index",
            "the book has no clause {clause}: put it right here, or write it into {index}.",
            clause=next(iter(missing)),
            index=index,
        )
    return say(
        "no-clauses-in-index",
        "{index} does not have {clauses:list}. Put right here what is misspelt; punto clauses {file} --add writes the "
        "others into the index.",
        index=index,
        clauses=[f"{clause} (line {line_of(book, at)})" for clause, at in missing.items()],
        file=file.name,
    )


def _of_base(book: Book) -> set[str]:
    """The clauses of the base that a file begins with: they need not be in its index again."""
    base = tomllib.loads(book.text).get(BASE)
    if base is None:
        return set()
    return {*clauses(base), *(clause for _, clause in references(load(base)))}


def check_readings(book: Book) -> Iterator[Finding]:
    """Readings that are not in the register."""
    known = readings().keys() | book.readings.keys()
    told: set[str] = set()
    for at, reading in named_in(book, {"readings", "reading"}):
        if reading not in known | told:
            told.add(reading)
            said = say(
                "no-such-reading",
                "there is no reading {reading}: a reading of your own stands under [readings].",
                reading=reading,
            )
            yield found(book, "fault", "unknown-reading", at, shown(book, at), said)


def check_verified(book: Book) -> Iterator[Finding]:
    """What the text does not tell, and has not been checked against the printed book."""
    if not book.decks.verified:
        says = say("decks-not-verified", "the number of decks is not from the rules.")
        yield found(
            book, "finding", "unverified", ("decks", "verified"), "decks", says, None, book.decks.basis.readings
        )
    for layout in book.layouts.values():
        if layout.positions.max is None and layout.positions.verified:
            says = say("boxes-not-said", "has no greatest number of boxes, and is not said to be unverified.")
            yield found(
                book,
                "finding",
                "unverified",
                ("layouts", layout.id, "positions"),
                f"layout {layout.id}",
                says,
                layout.clause,
            )
    bets = [layout for layout in book.layouts.values() if not layout.verified]
    boxes = [layout for layout in book.layouts.values() if not layout.positions.verified]
    if bets:
        names = [layout.id for layout in bets]
        says = say(
            "bets-not-verified", "which bets these layouts carry is not verified: {layouts:list}.", layouts=names
        )
        at = ("layouts", names[0], "verified")
        yield finding(book, "unverified", at, "layouts", says, Basis((), bets[0].readings))
    if boxes:
        names = [layout.id for layout in boxes]
        says = say("boxes-not-known", "how many boxes these layouts have is not known: {layouts:list}.", layouts=names)
        at = ("layouts", names[0], "positions")
        yield finding(book, "unverified", at, "layouts", says, Basis((), boxes[0].positions.readings))
