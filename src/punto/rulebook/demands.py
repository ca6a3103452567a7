"""What a book must say because a table asks for it and has nothing to fall back on.

The loader checks this once a file has been read, so that a book which loads can be played.
"""

from collections.abc import Iterator
from itertools import product

import msgspec

from punto.messages import Sentence, say
from punto.rulebook.bookfile import BookFile
from punto.rulebook.facts import GUARDS, HANDS
from punto.rulebook.lines import Path
from punto.rulebook.model import Bet, Book, OfferedChoice, Point, Remedy
from punto.rulebook.posted import enforces
from punto.rulebook.vocabulary import SHOE_SCOPE

_DEPTH_OF_BET = 4
"""`pays`, the group, the row, and its `bet`."""


class Demand(msgspec.Struct, frozen=True):
    """What a book does not say, though a table would ask for it."""

    path: Path
    """The key that is named."""
    says: Sentence
    about: tuple[Path, ...]
    """What this follows from, what is missing first: where something is wrong with it, nothing is known."""


Demands = Iterator[Demand]


def check_demands(document: BookFile, book: Book) -> None:
    """Note a fault for everything that a table would need from this book and not find."""
    for each in (
        *_of_pays(document, book),
        *_of_bets(book),
        *_of_dependence(book),
        *_of_time(document, book),
        *_of_authority(book),
        *_of_methods(book),
        *_of_limits(book),
        *_of_displayed(document, book),
        *_of_payout(book),
        *_of_commission(book),
        *_of_disputes(book),
        *_of_printed_card(book),
        *_of_offers(book),
        *_of_steps(book),
    ):
        if not document.doubtful(*each.about):
            document.fault(each.about[0], each.says, each.path)


def _of_pays(document: BookFile, book: Book) -> Demands:
    unread = any(path[0] == "pays" and (len(path) < _DEPTH_OF_BET or path[-1] == "bet") for path in document.wrong())
    unread = unread or bool(document.groups.unknown())
    paid = {name for name, paths in document.bets.used.items() if any(path[0] == "pays" for path in paths)}
    for name, bet in book.bets.items():
        if not unread and not paid & {name, bet.choice_of}:
            path = ("bets", name)
            yield Demand(path, say("bet-has-no-pay-row", "{bet} has no pay row.", bet=bet.name or name), (path,))


def _of_bets(book: Book) -> Demands:
    for hand in HANDS:
        path = ("bets", hand)
        if hand not in book.bets:
            yield Demand(
                ("bets",),
                say("demands-bet-on-hand", "{hand} is missing: every book has a bet on each hand.", hand=hand),
                (path,),
            )
        elif book.bets[hand].hand is not None and book.bets[hand].hand != hand:
            yield Demand(
                path,
                say("demands-hand-of-bet", 'hand must be "{hand}": this is the bet on that hand.', hand=hand),
                ((*path, "hand"),),
            )
    for name, bet in book.bets.items():
        if bet.hand is not None and name not in HANDS:
            at = ("bets", name, "hand")
            yield Demand(at, say("only-hands-have-hands", "only the bets player and banker are on a hand."), (at,))


def _of_dependence(book: Book) -> Demands:
    """Bets that could never be laid, because something else would have to lie there first that never can."""
    for name, bet in book.bets.items():
        for key, others in (("needs", bet.needs), ("at-most", bet.at_most)):
            if others is not None and bet.hand is not None:
                at = ("bets", name, key)
                says = say("hand-needs-no-other", "a bet on a hand needs no other bet: other bets may need it.")
                yield Demand(at, says, (at,))
        if bet.colour is not None and bet.hand is not None:
            at = ("bets", name, "colour")
            says = say("hand-has-its-colour", "a bet on a hand has the colour of that hand.")
            yield Demand(at, says, (at, ("bets", name, "hand")))
    can_lie = _can_lie(book)
    for name, bet in book.bets.items():
        if name not in can_lie and bet.hand is None:
            at = ("bets", bet.choice_of or name, "needs" if bet.needs else "at-most")
            says = say("never-laid", "{bet} can never be laid: what must lie there first cannot.", bet=bet.name)
            yield Demand(at, says, (at, ("bets",)))


def _of_time(document: BookFile, book: Book) -> Demands:
    """Bets that are paid or placed with the first four cards, and look at or lie with what does not go with that."""
    for name, bet in book.bets.items():
        for key, said in (("settled", bet.settled), ("placed", bet.placed)):
            at = ("bets", bet.choice_of or name, key)
            if said is not None and bet.hand is not None:
                says = say("hand-has-its-time", "a bet on a hand is placed before the first card and paid at the end.")
                yield Demand(at, says, (at,))
        late = _row_of_later_cards(book, name)
        if bet.settled is not None and late is not None and not document.put_right(late):
            at = ("bets", bet.choice_of or name, "settled")
            says = say(
                "settled-by-later-cards",
                "the pay row on line {line} looks at more than the first four cards tell: naturals, pairs, two-card "
                "totals, and groups of first cards.",
                line=document.line(late),
            )
            yield Demand(at, says, (at, ("pays",)))
        if bet.placed is not None and not bet.placed.when.early:
            at = ("bets", bet.choice_of or name, "placed")
            says = say("placed-by-later-cards", "when looks at more than the first four cards tell.")
            yield Demand(at, says, (at,))
        if bet.placed is not None and bet.settled is not None:
            at = ("bets", bet.choice_of or name, "placed")
            says = say("placed-when-settled", "the first four cards settle it: nobody could place it after them.")
            yield Demand(at, says, (at,))
    yield from _of_shared_payout(book)


def _row_of_later_cards(book: Book, bet: str) -> Path | None:
    """Where the first pay row of a bet stands that the first four cards do not decide."""
    for group, rows in book.pays.items():
        for at, row in enumerate(rows):
            if row.bet == bet and not row.when.early:
                return ("pays", group, book.pay_tables[group][at])
    return None


def _of_shared_payout(book: Book) -> Demands:
    """A payout that is cut pro rata at the end cannot count what was paid before."""
    scope, named = book.point("limits", "payout-scope"), book.point("limits", "payout-bets")
    if scope is None or scope.value == "wager":
        return
    for name, bet in book.bets.items():
        counted = named is None or {name, bet.choice_of} & set(named.values)
        if bet.settled is not None and counted:
            at = ("bets", bet.choice_of or name, "settled")
            says = say(
                "payout-shared-early",
                "payout-scope cuts what a round pays in proportion, and this is paid before: name the others under "
                "payout-bets.",
            )
            yield Demand(at, says, (at, ("limits", "payout-scope"), ("limits", "payout-bets")))


def _can_lie(book: Book) -> set[str]:
    """The bets that can be laid one after the other on a layout that carries all of them."""
    found: set[str] = set()
    while more := {name for name, bet in book.bets.items() if name not in found and _is_met(book, bet, found)}:
        found |= more
    return found


def _is_met(book: Book, bet: Bet, laid: set[str]) -> bool:
    """Whether some of the bets that are laid are all that a bet depends on."""
    beside = [book.bets[name] for name in laid if bet.not_with is None or not bet.not_with.among(book.bets[name])]
    needed = [others for others in (bet.needs, bet.at_most) if others is not None]
    return all(any(others.among(each) for each in beside) for others in needed)


def _missing(section: str, key: str, says: Sentence, *about: Path) -> Demand:
    return Demand((section,), says, ((section, key), *about))


def _of_authority(book: Book) -> Demands:
    residual = book.point("authority", "residual")
    if residual is not None and residual.by not in book.tiers:
        path = ("authority", "residual")
        yield Demand(
            path,
            say("demands-residual-rank", "by must name the rank that decides what the book does not cover."),
            ((*path, "by"), (*path, "value"), ("authority", "ranks")),
        )


def _of_methods(book: Book) -> Demands:
    methods, at = book.point("dealing", "methods"), ("dealing", "methods")
    if methods is None:
        return
    if book.point("dealing", "method-choice") is None:
        yield _missing(
            "dealing",
            "method-choice",
            say(
                "demands-method-choice",
                "method-choice is missing: somebody must choose between the methods.",
            ),
            at,
        )
    if "C" in methods.values and book.point("dealing", "method-c") is None:
        says = say("demands-method-c", "method-c is missing: somebody must choose Method C.")
        yield _missing("dealing", "method-c", says, at)


def _of_limits(book: Book) -> Demands:
    pipeline, late = book.point("limits", "pipeline"), book.point("limits", "differential-late")
    applied = () if pipeline is None else pipeline.values
    if "differential" in applied and late is None:
        yield _missing(
            "limits",
            "differential-late",
            say(
                "demands-differential-late",
                "differential-late is missing: the differential is applied, and may be exceeded unnoticed.",
            ),
            ("limits", "pipeline"),
        )
    by_box = _is(book.point("limits", "maximum-scope"), "box-and-hand")
    by_wager = _is(book.point("limits", "over-maximum"), "to-maximum")
    if "maximum" in applied and by_box and not by_wager and not _is(late, "pro-rata"):
        yield _missing(
            "limits",
            "differential-late",
            say(
                "demands-pro-rata",
                'a maximum of box-and-hand needs differential-late = "pro-rata" to cut what is over it.',
            ),
            ("limits", "pipeline"),
            ("limits", "maximum-scope"),
            ("limits", "over-maximum"),
        )


def _of_displayed(document: BookFile, book: Book) -> Demands:
    """A differential that must be displayed, though nobody is held to it: what hangs at a table must hold."""
    displayed = book.point("limits", "displayed")
    if displayed is None or "differential" not in displayed.values or enforces(book, "differential") or document.kept:
        return
    yield _missing(
        "limits",
        "pipeline",
        say(
            "demands-differential-rule",
            "a differential is displayed, and no rule holds anybody to it: write it in the pipeline, or do not display "
            "it.",
        ),
        ("limits", "displayed"),
    )


def _of_payout(book: Book) -> Demands:
    if book.point("limits", "payout-bets") is not None and book.point("limits", "payout-scope") is None:
        says = say("demands-payout-scope", "payout-scope is missing: it must be known over what a payout is counted.")
        yield _missing("limits", "payout-scope", says, ("limits", "payout-bets"))
    displayed = book.point("limits", "displayed")
    if displayed is not None and "payout" in displayed.values and book.point("limits", "payout-scope") is None:
        says = say(
            "demands-payout-rule", "payout-scope is missing: a payout is displayed, and nothing says what it is."
        )
        yield _missing("limits", "payout-scope", says, ("limits", "displayed"))


def _of_commission(book: Book) -> Demands:
    """Whether it is known what happens to commission, and whether there is any where something is said about it."""
    point, at = book.point("money", "commission"), ("money", "commission")
    taken = any(row.commission is not None for rows in book.pays.values() for row in rows)
    if taken and point is None:
        says = say(
            "demands-commission",
            'commission is missing under [money]: write it with value = "at-once" or "on-record", and a clause.',
        )
        yield Demand(_first_commission(book), says, (at, ("pays",)))
    elif taken and point is not None and point.value == "in-the-odds":
        says = say("commission-twice", "pay rows name a commission: then it is taken at-once, or kept on-record.")
        yield Demand(at, says, (at, ("pays",)))
    elif not taken and point is not None and point.value != "in-the-odds":
        says = say("commission-nowhere", 'no pay row has a commission: write commission = "5%" beside its odds.')
        yield Demand(at, says, (at, ("pays",)))
    on_record = point is not None and point.value == "on-record"
    if on_record and book.point("money", "commission-collected") is None:
        says = say("demands-collected", "commission-collected is missing: it must be known when it is collected.")
        yield _missing("money", "commission-collected", says, at)
    unit, rounding = book.point("money", "commission-unit"), book.point("money", "commission-rounding")
    if unit is not None and (rounding is None or rounding.value == "exact"):
        says = say(
            "demands-commission-rounding",
            "commission-rounding is missing: write whether commission is rounded up, down or to the nearest unit.",
        )
        yield _missing("money", "commission-rounding", says, ("money", "commission-unit"))


def _first_commission(book: Book) -> Path:
    """Where the first pay row with a commission stands."""
    return next(
        ("pays", group, book.pay_tables[group][at], "commission")
        for group, rows in book.pays.items()
        for at, row in enumerate(rows)
        if row.commission is not None
    )


def _is(point: Point | None, value: str) -> bool:
    return point is not None and point.value == value


def _of_disputes(book: Book) -> Demands:
    references, path = book.point("disputes", "references"), ("disputes", "references")
    if references is not None and len(references.basis.clauses) != 1 + len(references.values):
        yield Demand(
            path,
            say(
                "demands-clause-for-each",
                "clause must name the clause of the list, then one for each of its values.",
            ),
            (path,),
        )


def _of_printed_card(book: Book) -> Demands:
    """What a card on the layout must be known by, and what does not go with one."""
    printed, at = book.cards.printed, ("cards", "printed")
    if printed is None:
        return
    if book.insurance is not None:
        says = say("printed-with-insurance", "insurance is priced from the cards of the shoe: no card is printed then.")
        yield Demand(at, says, (at, ("insurance",)))
    if printed.card.suit is None and any(row.when.by_suit for rows in book.pays.values() for row in rows):
        says = say("printed-needs-suit", "{card} needs its suit: a bet looks at suits.", card=str(printed.card))
        yield Demand(at, says, (at, ("pays",)))


def _of_offers(book: Book) -> Demands:
    for name, offer in book.offers.items():
        path = ("offers", name)
        scope, choices = (*path, "scope"), (*path, "choices")
        if offer.scope == SHOE_SCOPE and offer.divided is None:
            yield Demand(
                path,
                say(
                    "demands-divided",
                    "divided is missing: somebody must decide where the patrons are divided.",
                ),
                ((*path, "divided"), scope),
            )
        if offer.scope == SHOE_SCOPE and sorted(each.do for each in offer.choices) != ["continue", "replace-cards"]:
            yield Demand(
                choices,
                say(
                    "demands-shoe-choices",
                    "about the shoe the choice is between continue and replace-cards.",
                ),
                (choices, scope),
            )
        if not _always_a_choice(offer.choices):
            yield Demand(
                choices,
                say(
                    "demands-choice",
                    "in some case there is nothing to choose: one choice needs no guard.",
                ),
                (choices,),
            )


def _always_a_choice(choices: tuple[OfferedChoice, ...]) -> bool:
    """Whether at least one choice is open, whatever the guards are."""
    names = sorted({name for each in choices for name in each.when})
    for case in product(*(GUARDS[name].values for name in names)):
        known = dict(zip(names, case, strict=True))
        if not any(all(known[name] in values for name, values in each.when.items()) for each in choices):
            return False
    return True


def _of_steps(book: Book) -> Demands:
    for path, step in steps(book):
        if step.verb == "deduce" and not step.otherwise:
            yield Demand(
                path,
                say(
                    "demands-else",
                    "else is missing: it must be known what happens if the cards cannot be told.",
                ),
                ((*path, "else"),),
            )
        if step.verb == "late-offer":
            points = {} if book.insurance is None else book.insurance.points
            missing = [name for name in ("late-cap", "late-bound") if name not in points]
            if missing:
                says = say(
                    "demands-late-offer",
                    "[insurance] must have {points:and}: how a late offer is made.",
                    points=missing,
                )
                yield Demand(path, says, tuple(("insurance", name) for name in (*missing, "clause")))


def steps(book: Book) -> Iterator[tuple[Path, Remedy]]:
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
