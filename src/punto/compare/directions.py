"""Where a search looks for a story about a part of a book: which tables it begins with, and what it tries."""

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import product

import msgspec
from msgspec.structs import replace

from punto.compare.forms import HOUSE_RANKS
from punto.explore.alphabet import ANN, BOB, PURSE, alphabet
from punto.explore.merging import digest
from punto.explore.own_rules import own_rule_starts, own_rules
from punto.explore.starts import FOUR_CARDS, LIMITS, SEATED, SHORT_SHOE, Start, openings, played, starts
from punto.rulebook import Book, Library, menu
from punto.settlement import Limits, payable
from punto.table import Table, act
from punto.table import commands as c

Letters = Callable[[Table], Iterable[c.Command]]

CROWD = ("cid", "dan")
AMOUNTS = (500, 1001, 1100, 4000, 8000, 19000, 25000)
"""On both sides of the minimum, the differential and the maximum; one that no commission can be paid on to the cent."""

OWN_RULES = frozenset(("limits payout-scope", "limits payout-bets"))
"""Points about what only some books have; those about commission begin with `money commission`."""

WIDE = Limits(minimum=1000, maximum=20000, differential=1_000_000)
LOW = Limits(minimum=1000, maximum=1_000_000, differential=5000)


class Direction(msgspec.Struct, frozen=True):
    """A way to look: the tables it begins with, what is tried at them, and how many states are gone on from."""

    name: str
    starts: Callable[[Book, Library], Iterator[Start]]
    letters: Letters
    share: int = 1
    """How many times the states that are asked for."""


def directions(part: str) -> tuple[Direction, ...]:
    """The ways to look for a part, the most promising first; what needs two errors in one round comes last.

    >>> [each.name for each in directions("limits over-maximum")]
    ['wagers and limits', 'favours and ranks', 'the whole alphabet', 'a short shoe']
    >>> directions("irregularity wrong-lammer")[-1].name
    'wrong-lammer after another error'
    """
    kind, _, name = part.partition(" ")
    first: list[Direction] = []
    if kind == "irregularity":
        first.append(Direction(f"reports of {name}", usual_starts, _reports_of(name), 3))
    if kind in ("limits", "betting", "policy", "bet"):
        first.append(Direction("wagers and limits", betting_starts, bets, 2))
    if kind == "companions" or part in OWN_RULES or part.startswith("money commission"):
        first.append(Direction("rules of their own", own_rule_starts, own_rules, 2))
    if kind == "insurance":
        first.append(Direction("insurance", usual_starts, insurance))
    if kind == "disputes":
        first.append(Direction("disputes", seated_starts, disputes, 3))
    if part == HOUSE_RANKS:
        first.append(Direction("others who speak for the House", raised_starts, favours_by_rank, 2))
        first.append(Direction("others who speak for the House when something goes wrong", raised_starts, alphabet, 2))
    favours = Direction("favours and ranks", favour_starts, favours_by_rank)
    last: list[Direction] = []
    if kind == "irregularity":
        last.append(Direction(f"{name} after another error", later_starts(None), _told_of(lambda _: {name}), 12))
    if kind in ("policy", "offer"):
        last.append(Direction("one choice after another", later_starts(with_offers), _told_of(with_offers), 12))
    return (*first, favours, WHOLE, SHORT, *last)


def usual_starts(book: Book, library: Library) -> Iterator[Start]:
    """The starting moments of the explorer's tables, but for the short shoe."""
    for opening in openings(book):
        yield from (each for each in starts(opening, library) if each.moment != SHORT_SHOE)


def short_starts(book: Book, library: Library) -> Iterator[Start]:
    """The explorer's tables with a short shoe."""
    for opening in openings(book):
        yield from (each for each in starts(opening, library) if each.moment == SHORT_SHOE)


Facts = Callable[[Book], Collection[str]]


def with_offers(book: Book) -> set[str]:
    """The facts at which a book offers patrons a choice."""
    return {row.fact for row in book.irregularities if any(step.verb == "offer" for step in row.do)}


def later_starts(facts: Facts | None) -> Callable[[Book, Library], Iterator[Start]]:
    """The usual moments of a round, after an error that was dealt with and after which everybody played on.

    `facts` says which errors those are; else all that can be reported.
    """

    def found(book: Book, library: Library) -> Iterator[Start]:
        known: set[tuple[str, bytes]] = set()
        for start in usual_starts(book, library):
            for report in (each for each in alphabet(start.table) if isinstance(each, c.Report)):
                told = (report,) if facts is None or report.fact in facts(book) else ()
                table, story = _answered(*played(start.table, start.story, told))
                sign = repr(table.setup), digest(table)
                if len(story) > len(start.story) and table.running is not None and sign not in known:
                    known.add(sign)
                    yield Start(f"{start.moment}, after {report.fact}", table, story)

    return found


def _answered(table: Table, story: tuple[c.Command, ...]) -> tuple[Table, tuple[c.Command, ...]]:
    """A table at which every question has had the first answer that is taken: of patrons, that they play on."""
    before = -1
    while table.questions and len(story) > before:
        before = len(story)
        for answer in (each for each in alphabet(table) if isinstance(each, c.Answer)):
            table, story = played(table, story, (answer,))
            if len(story) > before:
                break
    return table, story


def seated_starts(book: Book, library: Library) -> Iterator[Start]:
    """One table, seated and paid."""
    found = (each for each in starts(openings(book)[0], library) if each.moment in ("seated", "paid"))
    yield from found


def favour_starts(book: Book, library: Library) -> Iterator[Start]:
    """The usual moments, and a private table in a high-limit area."""
    yield from usual_starts(book, library)
    for opening in openings(book):
        command = replace(opening.command, private=True, high_limit=True)
        yield from _begun(command, library, SEATED, "a private table")


def raised_starts(book: Book, library: Library) -> Iterator[Start]:
    """The usual moments of tables at which the highest rank speaks for the House under one of its clauses."""
    for clause, opening in product(book.house_ranks, openings(book)):
        command = replace(opening.command, house_ranks={clause: book.ranks[-1][0]})
        yield from (each for each in starts(replace(opening, command=command), library) if each.moment != SHORT_SHOE)


def betting_starts(book: Book, library: Library) -> Iterator[Start]:
    """Four patrons, bets open or closed, under limits that one or the other wager exceeds.

    None lie on the felt, or two that level out, or two to which one over the maximum can be found that levels them out
    once it is cut; or the first cards lie there, and none is known.
    """
    crowd: list[c.Command] = []
    for name in CROWD:
        crowd += [c.Stand(name, by=name), c.BuyIn(name, PURSE, by=name)]
    usual = openings(book)[0].command
    called, closed = (c.OpenBets(),), (c.OpenBets(), c.CloseBets())
    two = (*called, c.Place(ANN, "player", 2000, 1, by=ANN), c.Place(BOB, "player", 2000, 1, by=BOB))
    level = (*closed, c.Find(BOB, "banker", 19000, 2), c.Find(ANN, "player", 4000, 1))
    dealt = (*two, c.CloseBets(), *FOUR_CARDS)
    for limits, more in (
        *((LOW, closed), (WIDE, closed), (LIMITS, called), (WIDE, two)),
        *((LIMITS, level), (LIMITS, dealt)),
    ):
        command = replace(usual, limits=payable(menu(book), limits))
        yield from _begun(command, library, (*SEATED, *crowd, *more), "no bets")


def _begun(command: c.OpenTable, library: Library, commands: tuple[c.Command, ...], moment: str) -> Iterator[Start]:
    table, _ = act(None, command, library)
    yield Start(moment, *played(table, (command,), commands))


def bets(table: Table) -> Iterator[c.Command]:
    """Wagers of every amount on either hand, placed while bets are open or found after; and three in one area."""
    round = table.running
    if round is None:
        return
    spots = ((ANN, "player", 1), (BOB, "player", 2), (BOB, "player", 1), (BOB, "banker", 2))
    for amount, (who, bet, box) in product(AMOUNTS, spots):
        if round.phase == "betting":
            yield c.Place(who, bet, amount, box, by=who)
        else:
            yield c.Find(who, bet, amount, box)
    if round.phase == "betting":
        yield from (c.Place(who, "player", 2000, 1, by=who) for who in CROWD)
        yield c.Place(ANN, "tie", 2000, by=ANN)
        yield c.Object(ANN, 1, by=ANN)
        yield c.Withdraw(ANN, "player", by=ANN)
        yield c.Lower(BOB, "banker", 1000, by=BOB)
        yield c.CloseBets()
    for question in table.questions:
        yield from (c.Answer(question.id, choice, "So.", by=question.to) for choice in question.choices)


def favours_by_rank(table: Table) -> Iterator[c.Command]:
    """What the staff may do for a patron or with the table, by every rank; then what the whole alphabet answers."""
    ranks = [rank for tier in table.book.ranks for rank in tier]
    for by in ranks:
        yield from (c.SetMethod(method, by=by) for method in ("A", "B", "C"))
        yield c.LetDraw(BOB, by=by)
        yield c.CapArea(1, by=by)
        yield c.ClearStrike(ANN, by=by)
        yield from (c.GrantSqueeze(BOB, hand, by=by) for hand in ("player", "banker"))
        yield c.BarSqueeze(ANN, by=by)
        yield c.BankerThirdFirst(BOB, by=by)
        yield c.Remove(BOB, "banker", 1000, by=by)
        yield c.OpenFirst("banker", by=by)
        yield c.Find(BOB, "banker", 2000, reason="It lay there.", by=by)
        yield c.Assign("eve", by, by=ranks[-1])
    yield c.NoInsurance(ANN, by=ANN)
    yield c.BankerThirdFirst(BOB, by=BOB)
    for question in table.questions:
        for by in (question.to, *ranks):
            yield from (c.Answer(question.id, choice, "So.", by=by) for choice in question.choices)


def _only(*kinds: type[c.Command]) -> Letters:
    def letters(table: Table) -> Iterator[c.Command]:
        return (each for each in alphabet(table) if isinstance(each, kinds))

    return letters


_DEALING = (c.Draw, c.Expose, c.Answer)
_INSURANCE = (c.OfferInsurance, c.Insure, c.DeclareIntent, c.BankerThirdFirst)
_DISPUTES = (c.RaiseDispute, c.Escalate, c.Gather, c.GiveTimeFrame, c.Resolve, c.TellOfComplaint, c.FileComplaint)

disputes = _only(*_DISPUTES, c.Assist)


def insurance(table: Table) -> Iterator[c.Command]:
    """What is done about cover, and reported of it."""
    for each in alphabet(table):
        about = isinstance(each, c.Report) and each.fact in ("insurance-neglected", "wrong-lammer", "wrong-call")
        if about or isinstance(each, (*_DEALING, *_INSURANCE)):
            yield each


def _reports_of(fact: str) -> Letters:
    """Reports of one fact, with the cards that go on and the answers that follow."""

    def letters(table: Table) -> Iterator[c.Command]:
        for each in alphabet(table):
            if isinstance(each, _DEALING) or (isinstance(each, c.Report) and each.fact == fact):
                yield each

    return letters


def _told_of(facts: Facts) -> Letters:
    """Reports of some facts of a book, and the answers that follow."""

    def letters(table: Table) -> Iterator[c.Command]:
        for each in alphabet(table):
            if isinstance(each, c.Answer) or (isinstance(each, c.Report) and each.fact in facts(table.book)):
                yield each

    return letters


WHOLE = Direction("the whole alphabet", usual_starts, alphabet)
SHORT = Direction("a short shoe", short_starts, alphabet)
