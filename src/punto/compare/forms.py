"""What a book pays and does, part by part, in a form without names, clauses and order.

Two books whose forms are equal pay and do the same: the engine reads nothing of a book but what is in its form. Who
speaks for the House depends on clauses (AMB-70), so where the House is asked, a clause is kept as the rank that it
leads to; anywhere else nobody is asked by it, and it is but a number.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product

from punto.compare.cited import HOUSE_ASKED
from punto.coup import OUTCOMES, insurable_situations, outcome, reachable_outcomes, situation
from punto.explore.coups import coups
from punto.rulebook import Basis, Book, Insurance, Point, Priced, Row, menu
from punto.rulebook.cases import can_come
from punto.rulebook.facts import FACTS, GUARDS, HANDS, LATE_ERROR
from punto.rulebook.model import Bet, Offer, OtherBets, Remedy
from punto.rulebook.vocabulary import HOUSE
from punto.table.apply.irregularities import REFER

Form = Hashable
Pay = tuple[str, Fraction | None, Hashable]
"""What an outcome does to a bet: the result, the odds where it wins, and the commission that these leave."""

ORDERED = ("limits pipeline", "limits differential-priority")
"""Points with several words whose order says something."""

IN_PAY_ROWS = ("money commission-rounding",)
"""Points that the loader has put into the pay rows: what they do is a part of the bets."""

HOUSE_RANKS = "who speaks for the House"
"""The part about the ranks that clauses name where they say only the House."""

ASKED_ELSEWHERE = ("money reversal", "limits differential-remove")
"""Points that ask whom they name under the clauses of whatever led there: of the House any clause may then say who."""

LOSES: Pay = ("lose", None, None)

NEVER = "never"
"""What is done in a case that no table of a book comes to."""


@cache
def pays(rows: tuple[Row, ...]) -> tuple[Pay, ...]:
    """What each of the 2,000 outcomes does to a bet with these rows; the first that matches counts."""
    found: list[Pay] = []
    for index in range(OUTCOMES):
        seen = outcome(index)
        row = next((row for row in rows if row.when.matches(seen)), None)
        found.append(LOSES if row is None else pay_of(row))
    return tuple(found)


def pay_of(row: Row) -> Pay:
    """What a row does to a bet."""
    taken = row.commission
    fee = None if taken is None else (taken.share, taken.gross.fraction, taken.rounding)
    return row.result, row.odds.fraction if row.odds else None, fee


def settled_on(priced: Priced) -> Collection[int]:
    """The outcomes that a bet can be settled on: those that the Table of Play leads to, and nothing else is settled.

    What the first four cards tell of an outcome, its pairs and naturals, is told by these outcomes, too.
    """
    return reachable_outcomes() if priced.printed is None else coups(priced.printed).keys()


@cache
def _pays_on(rows: tuple[Row, ...], outcomes: frozenset[int]) -> tuple[Pay, ...]:
    every = pays(rows)
    return tuple(every[index] for index in sorted(outcomes))


def bet_form(priced: Priced) -> Form:
    """A bet on a layout: the hand it is on, the stakes that it takes, and what every outcome does to it."""
    if priced.by_outcome:
        return priced.bet.hand, priced.multiple, _pays_on(priced.rows, frozenset(settled_on(priced)))
    rows = tuple((row.when, pay_of(row)) for row in priced.rows)
    return priced.bet.hand, priced.multiple, rows


def cells(insurance: Insurance | None) -> dict[tuple[str, str, int, int], tuple[Fraction, bool]]:
    """The price of every cell of insurance that a coup can lead to, and whether a tie pays there."""
    found = {}
    for index in sorted(insurable_situations()) if insurance is not None else ():
        seen = situation(index)
        for hand in HANDS:
            cell = seen.stage, hand, seen.own(hand), seen.opposite(hand)
            row = insurance.row(*cell) if insurance is not None else None
            if row is not None:
                found[cell] = row.odds.fraction, row.tie_pays is not None
    return found


def guard_cases(fact: str) -> list[dict[str, str]]:
    """Every case that the rows about a fact can be asked about."""
    names = dict.fromkeys((*FACTS[fact].guards, *(name for name, guard in GUARDS.items() if guard.always)))
    return [dict(zip(names, values, strict=True)) for values in product(*(GUARDS[name].values for name in names))]


def parts(book: Book) -> dict[str, Form]:
    """The form of every part of a book, by its name.

    >>> from punto.rulebook import load
    >>> parts(load("commission-insurance"))["decks"]
    (4, 5, 6, 7, 8)
    """
    return dict(_Forms(book).every())


def meant(book: Book, others: OtherBets) -> list[str]:
    """The bets that another depends on: where one leaves a choice, every choice of it."""
    return [bet for bet, each in book.bets.items() if others.among(each)]


Alike = Callable[[Priced, Priced], bool]
"""Says whether two wordings of a bet pay the same on every deal."""


def by_rows(_: Priced, __: Priced) -> bool:
    """Two wordings count as two bets."""
    return False


def differing(a: Book, b: Book, alike: Alike = by_rows) -> list[str]:
    """The parts in which two books under the same names differ.

    Bets on single cards are compared by their rows; where these differ, `alike` says whether they pay the same.

    >>> from punto.rulebook import load
    >>> differing(load("wu-song"), load("wu-song"))
    []
    """
    ours, theirs = parts(a), parts(b)
    ours[HOUSE_RANKS], theirs[HOUSE_RANKS] = _in_both(ours[HOUSE_RANKS], theirs[HOUSE_RANKS])
    names = [name for name in {**ours, **theirs} if not _is_done_alike(name, ours.get(name), theirs.get(name))]
    names = [name for name in names if not _is_of_a_bet_of_one(name, a, b)]
    return [name for name in names if not _is_same_bet(a, b, name, alike)]


def _is_of_a_bet_of_one(part: str, a: Book, b: Book) -> bool:
    """Whether a part says more of a bet that only one book has: with that bet it is told."""
    kind, _, bet = part.partition(" ")
    return kind in ("moments", "companions") and (bet in a.bets) != (bet in b.bets)


def _is_done_alike(part: str, ours: Form, theirs: Form) -> bool:
    """Whether two forms of a part are the same; of an irregularity, in the cases that tables of both books come to.

    Where only one book has such a case, what brings it there is a part that differs.
    """
    if ours == theirs:
        return True
    if not part.startswith("irregularity ") or not (isinstance(ours, tuple) and isinstance(theirs, tuple)):
        return False
    both = zip(ours[1], theirs[1], strict=True)
    return (ours[0], ours[2]) == (theirs[0], theirs[2]) and all(one == two or NEVER in (one, two) for one, two in both)


def never_done(a: Book, b: Book, differ: Collection[str]) -> list[str]:
    """The irregularities that two books tell differently, though only for cases that no table of both comes to.

    `differ` has the parts in which they differ otherwise.
    """
    one, other = (dict(_Forms(book, as_written=True).irregularities()) for book in (a, b))
    return [part for part in one if part not in differ and part in other and one[part] != other[part]]


def _is_same_bet(a: Book, b: Book, part: str, alike: Alike) -> bool:
    """Whether a part is a bet that differs in its wording alone, on the layouts of both.

    What lies on a layout of one book only is told with that layout.
    """
    kind, _, bet = part.partition(" ")
    both = (a.layouts.keys() & b.layouts.keys()) or (a.layouts.keys() | b.layouts.keys())
    carried = [
        {name: on[bet] for name in book.layouts if name in both and bet in (on := menu(book, name).bets)}
        for book in (a, b)
    ]
    ours, theirs = carried
    if kind != "bet" or ours.keys() != theirs.keys():
        return False
    return all(_is_same(ours[name], theirs[name], alike) for name in ours)


def _is_same(ours: Priced, theirs: Priced, alike: Alike) -> bool:
    if bet_form(ours) == bet_form(theirs):
        return True
    if (ours.bet.hand, ours.multiple) != (theirs.bet.hand, theirs.multiple):
        return False
    if ours.by_outcome and theirs.by_outcome:  # another printed card leads to other outcomes, and is a part of its own
        either = frozenset({*settled_on(ours), *settled_on(theirs)})
        return _pays_on(ours.rows, either) == _pays_on(theirs.rows, either)
    return alike(ours, theirs)


def _in_both(ours: Form, theirs: Form) -> tuple[Form, Form]:
    """Who speaks for the House in the places that both books have; a place of one only is a part that differs."""
    one, other = (dict(each) for each in (ours, theirs) if isinstance(each, frozenset))
    places = one.keys() & other.keys()
    return {(each, one[each]) for each in places} == {(each, other[each]) for each in places}, True


class _Forms:
    def __init__(self, book: Book, *, as_written: bool = False) -> None:
        self.book, self.as_written = book, as_written
        self.house: dict[str, list[tuple[str, ...]]] = {}
        elsewhere = [book.point(*name.split(" ")) for name in ASKED_ELSEWHERE]
        self.everywhere = any(point is not None and point.by == HOUSE for point in elsewhere)

    def every(self) -> Iterator[tuple[str, Form]]:
        """Each part with its form."""
        book = self.book
        yield "decks", book.decks.counts
        if book.cards.printed is not None:
            yield "printed card", (book.cards.printed.place, book.cards.printed.card)
        yield "effective", book.effective
        yield from self._layouts()
        if book.insurance is not None:
            yield from self._insurance(book.insurance)
        for section, points in book.points.items():
            named = ((f"{section} {name}", each) for name, each in points.items())
            yield from ((name, self._point(name, each)) for name, each in named if name not in IN_PAY_ROWS)
        yield "ranks", book.ranks
        for name, policy in book.policies.items():
            yield f"policy {name}", (policy.value, frozenset(policy.choices))
        for name, offer in book.offers.items():
            yield f"offer {name}", self._offer(offer)
        yield from self.irregularities()
        yield HOUSE_RANKS, frozenset((place, tuple(spoken)) for place, spoken in self.house.items())

    def irregularities(self) -> Iterator[tuple[str, Form]]:
        """Each irregularity with its form; `as_written` also what is said of cases that no table comes to."""
        for fact in dict.fromkeys(row.fact for row in self.book.irregularities):
            yield f"irregularity {fact}", self._irregularity(fact)

    def _layouts(self) -> Iterator[tuple[str, Form]]:
        book = self.book
        carried = {name: menu(book, name).bets for name in book.layouts}
        for name, layout in book.layouts.items():  # which bets it carries is a part of each bet
            yield f"layout {name}", (layout.positions.min, layout.positions.max, layout.notice is not None)
        for bet in book.bets:
            yield f"bet {bet}", frozenset((name, bet_form(on[bet])) for name, on in carried.items() if bet in on)
            if moments := _moments(book.bets[bet]):
                yield f"moments {bet}", moments
        for bet in book.bets:
            rules = self._companions(bet)
            if any(rules):
                yield f"companions {bet}", rules

    def _companions(self, bet: str) -> tuple[Form, Form, Form]:
        """What a bet needs and how much of it may lie beside others; and what it never lies with, whichever says so."""
        book, told = self.book, self.book.bets[bet]
        never = {*(() if told.not_with is None else meant(book, told.not_with))}
        never |= {name for name, each in book.bets.items() if each.not_with is not None and each.not_with.among(told)}
        return self._others(told.needs), self._others(told.at_most), frozenset(never)

    def _others(self, others: OtherBets | None) -> Form:
        """Other bets that a bet depends on, each by its id, and the share of them that it may be."""
        return None if others is None else (frozenset(meant(self.book, others)), others.share)

    def _insurance(self, insurance: Insurance) -> Iterator[tuple[str, Form]]:
        also = frozenset((each.odds.fraction, each.share, each.of) for each in insurance.cap_at)
        yield "insurance cap", (insurance.cap.on, insurance.cap.over, also)
        found = cells(insurance)
        for stage, hand in dict.fromkeys((stage, hand) for stage, hand, _, _ in found):
            yield f"insurance {stage} {hand}", frozenset(each for each in found.items() if each[0][:2] == (stage, hand))
        for name, point in insurance.points.items():
            yield f"insurance {name}", self._point(f"insurance {name}", point)

    def _house(self, place: str, basis: Basis) -> None:
        """Note which ranks speak for the House under the clauses that something rests on, in their order."""
        ranks = self.book.house_ranks
        named = (clause.partition("#")[0] for clause in basis.clauses)
        self.house.setdefault(place, []).append(tuple(ranks[clause] for clause in named if clause in ranks))

    def _house_in(self, place: str, steps: Iterable[Remedy], basis: Basis) -> None:
        """Note who speaks for the House at each step of a row that asks it, and at those that an offer leads to."""
        for step in steps:
            at, clauses = f"{place} {step.verb}", Basis((step.clause,) if step.clause else ()).plus(basis)
            if step.by == HOUSE or self.everywhere:
                self._house(at, clauses)
            offer = self.book.offers.get(step.object or "") if step.verb == "offer" else None
            for more in (step.otherwise, step.then, step.all_back, () if offer is None else offer.all_back):
                self._house_in(at, more, basis)

    def _point(self, name: str, point: Point) -> Form:
        value: Form = point.value
        if isinstance(point.value, tuple) and name not in ORDERED:
            value = frozenset(point.value)
        if point.by == HOUSE or name in HOUSE_ASKED or self.everywhere:
            self._house(name, point.basis)
        return value, point.by, point.reason

    def _remedies(self, steps: Iterable[Remedy]) -> Form:
        return tuple(map(self._remedy, steps))

    def _remedy(self, step: Remedy) -> Form:
        more = (self._remedies(each) for each in (step.otherwise, step.then, step.all_back))
        named = bool(step.clause) if step.verb == "last-hand" else None
        return step.verb, step.object, step.by, self._gives_reason(step), _guards(step.when), named, *more

    def _gives_reason(self, step: Remedy) -> bool:
        """Whether whoever decides a step must say why: reasonable discretion always gives its reason."""
        discretion = self.book.point("authority", "discretion")
        reasonable = discretion is not None and discretion.value == "reasonable"
        return step.reason or (reasonable and (step.verb, step.object) == ("decide", "reconstructible"))

    def _offer(self, offer: Offer) -> Form:
        choices = frozenset((each.do, _guards(each.when)) for each in offer.choices)
        return offer.scope, bool(offer.bound), offer.divided, choices, self._remedies(offer.all_back)

    def _irregularity(self, fact: str) -> Form:
        """What is done in every case, and which guards the rows name: on that, too, the table depends."""
        rows = [row for row in self.book.irregularities if row.fact == fact]
        named = frozenset(name for row in rows for name in row.when)
        cases = guard_cases(fact)
        first = [next((at for at, row in enumerate(rows) if _holds(row.when, case)), None) for case in cases]
        done: dict[int | None, Form] = {None: self._remedies((REFER,))}
        done |= {at: self._remedies(rows[at].do) for at in first if at is not None}
        late = self._late()
        told: list[Form] = []
        for number, (at, case) in enumerate(zip(first, cases, strict=True)):
            if not self.as_written and not can_come(self.book, case):
                told.append(NEVER)
                continue
            told.append(late if at is None and _is_late(fact, case) else done[at])
            if at is not None:
                self._house_in(f"irregularity {fact} {number}", rows[at].do, rows[at].basis)
        last = any(step.verb == "last-hand" and step.clause for step in rows[0].do)
        return named, tuple(told), last

    def _late(self) -> Form:
        """What is done about an error of an earlier round for which its fact has no row."""
        row = next((row for row in self.book.irregularities if row.fact == LATE_ERROR.id and not row.when), None)
        if row is None or any(step.by == HOUSE for step in row.do):  # who that is depends on the row itself
            return None
        return _Forms(self.book)._remedies(row.do)


def _moments(bet: Bet) -> Form:
    """When a bet is settled, and when it is placed, where that is not as with other bets."""
    placed = None if bet.placed is None else bet.placed.when
    return ("settled" if bet.settled is not None else "", placed) if bet.settled or placed else ()


def _is_late(fact: str, case: Mapping[str, str]) -> bool:
    """Whether a case without a row goes by the row about late errors: any other goes to the residual authority."""
    return case.get("noticed") == "next-round" or FACTS[fact].moment == "earlier"


def _guards(when: Mapping[str, frozenset[str]]) -> Form:
    return frozenset(when.items())


def _holds(when: Mapping[str, frozenset[str]], case: Mapping[str, str]) -> bool:
    return all(case.get(name) in values for name, values in when.items())
