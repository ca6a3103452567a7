"""What a book must say because a table asks for it and has nothing to fall back on.

The loader checks this once a file has been read, so that a book which loads can be played.
"""

from collections.abc import Iterator
from itertools import product

from punto.messages import Sentence, say
from punto.rulebook.document import BookFile
from punto.rulebook.facts import GUARDS, HANDS
from punto.rulebook.lines import Path
from punto.rulebook.model import Book, OfferedChoice, Point, Remedy
from punto.rulebook.vocabulary import SHOE_SCOPE


def check_demands(document: BookFile, book: Book) -> None:
    """Note a fault for everything that a table would need from this book and not find."""
    for path, says in (
        *_of_bets(book),
        *_of_authority(book),
        *_of_methods(book),
        *_of_limits(book),
        *_of_disputes(book),
        *_of_insurance(book),
        *_of_offers(book),
        *_of_steps(book),
    ):
        document.fault(path, says)


Faults = Iterator[tuple[Path, Sentence]]


def _of_bets(book: Book) -> Faults:
    for hand in HANDS:
        if hand not in book.bets:
            yield (
                ("bets",),
                say("demands-bet-on-hand", "{hand} is missing: every book has a bet on each hand.", hand=hand),
            )
        elif book.bets[hand].hand != hand:
            yield (
                ("bets", hand),
                say("demands-hand-of-bet", 'hand must be "{hand}": this is the bet on that hand.', hand=hand),
            )
    for name, bet in book.bets.items():
        if bet.hand is not None and name not in HANDS:
            yield (
                ("bets", name, "hand"),
                say("only-hands-have-hands", "only the bets player and banker are on a hand."),
            )


def _of_authority(book: Book) -> Faults:
    residual = book.point("authority", "residual")
    if residual is None:
        yield (
            ("authority",),
            say(
                "demands-residual",
                "residual is missing: somebody must decide what the book does not cover.",
            ),
        )
    elif residual.by not in book.tiers:
        yield (
            ("authority", "residual"),
            say("demands-residual-rank", "by must name the rank that decides what the book does not cover."),
        )


def _of_methods(book: Book) -> Faults:
    methods = book.point("dealing", "methods")
    if methods is None:
        return
    if book.point("dealing", "method-choice") is None:
        yield (
            ("dealing",),
            say(
                "demands-method-choice",
                "method-choice is missing: somebody must choose between the methods.",
            ),
        )
    if "C" in methods.values and book.point("dealing", "method-c") is None:
        yield ("dealing",), say("demands-method-c", "method-c is missing: somebody must choose Method C.")


def _of_limits(book: Book) -> Faults:
    pipeline, late = book.point("limits", "pipeline"), book.point("limits", "differential-late")
    applied = () if pipeline is None else pipeline.values
    if "differential" in applied and late is None:
        yield (
            ("limits",),
            say(
                "demands-differential-late",
                "differential-late is missing: the differential is applied, and may be exceeded unnoticed.",
            ),
        )
    by_box = _is(book.point("limits", "maximum-scope"), "box-and-hand")
    by_wager = _is(book.point("limits", "over-maximum"), "to-maximum")
    if "maximum" in applied and by_box and not by_wager and not _is(late, "pro-rata"):
        yield (
            ("limits",),
            say(
                "demands-pro-rata",
                'a maximum of box-and-hand needs differential-late = "pro-rata" to cut what is over it.',
            ),
        )


def _is(point: Point | None, value: str) -> bool:
    return point is not None and point.value == value


def _of_disputes(book: Book) -> Faults:
    references = book.point("disputes", "references")
    if references is not None and len(references.basis.clauses) != 1 + len(references.values):
        yield (
            ("disputes", "references"),
            say(
                "demands-clause-for-each",
                "clause must name the clause of the list, then one for each of its values.",
            ),
        )


def _of_insurance(book: Book) -> Faults:
    if book.insurance is None:
        return
    if "lapses" not in book.insurance.points:
        yield (
            ("insurance",),
            say("demands-lapses", "lapses is missing: it must be known when a window closes."),
        )


def _of_offers(book: Book) -> Faults:
    for name, offer in book.offers.items():
        if offer.scope == SHOE_SCOPE and offer.divided is None:
            yield (
                ("offers", name),
                say(
                    "demands-divided",
                    "divided is missing: somebody must decide where the patrons are divided.",
                ),
            )
        if offer.scope == SHOE_SCOPE and sorted(each.do for each in offer.choices) != ["continue", "replace-cards"]:
            yield (
                ("offers", name, "choices"),
                say(
                    "demands-shoe-choices",
                    "about the shoe the choice is between continue and replace-cards.",
                ),
            )
        if not _always_a_choice(offer.choices):
            yield (
                ("offers", name, "choices"),
                say(
                    "demands-choice",
                    "in some case there is nothing to choose: one choice needs no guard.",
                ),
            )


def _always_a_choice(choices: tuple[OfferedChoice, ...]) -> bool:
    """Whether at least one choice is open, whatever the guards are."""
    names = sorted({name for each in choices for name in each.when})
    for case in product(*(GUARDS[name].values for name in names)):
        known = dict(zip(names, case, strict=True))
        if not any(all(known[name] in values for name, values in each.when.items()) for each in choices):
            return False
    return True


def _of_steps(book: Book) -> Faults:
    for path, step in _steps(book):
        if step.verb == "deduce" and not step.otherwise:
            yield (
                path,
                say(
                    "demands-else",
                    "else is missing: it must be known what happens if the cards cannot be told.",
                ),
            )
        if step.verb == "late-offer":
            points = {} if book.insurance is None else book.insurance.points
            for name in ("late-cap", "late-bound"):
                if name not in points:
                    yield (
                        path,
                        say(
                            "demands-late-offer",
                            "insurance.{point} is missing: it says how a late offer is made.",
                            point=name,
                        ),
                    )


def _steps(book: Book) -> Iterator[tuple[Path, Remedy]]:
    """Every step that the book names, with where it stands."""
    for at, row in enumerate(book.irregularities):
        yield from _nested(("irregularity", at, "do"), row.do)
    for name, offer in book.offers.items():
        yield from _nested(("offers", name, "all-back"), offer.all_back)


def _nested(path: Path, steps: tuple[Remedy, ...]) -> Iterator[tuple[Path, Remedy]]:
    for at, step in enumerate(steps):
        yield (*path, at), step
        for key, more in (("else", step.otherwise), ("then", step.then), ("all-back", step.all_back)):
            yield from _nested((*path, at, key), more)
