"""Writes docs/bets.md from the books: `python docs/bets.py`."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from irregularities import NONE, SHORT, cell, ruler, table

from punto.report.groups import Group, layout_groups
from punto.report.insurance import STAGES
from punto.report.words import point_in_words, words
from punto.rulebook import Book, Priced, ids, load, printed
from punto.rulebook.bet_rules import bet_rules
from punto.rulebook.model import CoverRow, Insurance
from punto.rulebook.words import cover_in_words, pattern_in_words, pays_in_words

PAGE = Path(__file__).parent / "bets.md"
HEAD = """# What every bet pays

For the table crew: every bet of the five books, when it wins and what it pays, with the clause. Odds are paid to the
stake, which comes back as well: *11 to 1* on 100 brings 1,100, and the 100 comes back. What meets none of the rows of
its bet loses. Where Banker is paid *0.95 to 1*, that is the commission of five per cent (AMB-31): nothing is collected
later. It is not rounded; a stake on which it would not be whole chips is refused, unless a rounding is posted:
[steps of stakes](dealing.md#3-a-round). House edges and chances are on [all figures](figures.md). A name such as AMB-41
beside a clause is a [reading](rulebook.md#readings): the text can be read in more than one way, and this is how Punto
reads it.
"""
INSURED = """## Insurance {#insurance}

Also called *cover*. It is a bet that the hand on which the patron has a bet will lose, and is offered while a card is
due: after the first four cards, or after the Player's third card. Only where the points lie as in a row of the table is
there an offer. If that hand wins, the insurance is lost. A *lammer* is the marker that the dealer pushes out to show
the odds. [Asking the patrons one by one](deciding.md#one-patron), and [an offer that was
forgotten](irregularities.md#list).
"""
FOOT = """A bet of your own house: `punto show FILE --layout L` prints the same table ([command
line](command-line.md#punto-show)).

This page is written from the books themselves (`python docs/bets.py`).
"""


def _bet(book: Book, group: Group, priced: Priced) -> Iterator[list[str]]:
    """The rows of a bet, and what each rests on."""
    for at, row in enumerate(priced.rows):
        name = "" if at else f"**{cell(priced.bet.name)}**"
        readings = dict.fromkeys((*row.basis.readings, *_misprinted(book, group.layouts, priced.bet.id)))
        rests = ", ".join((printed(row.basis.clauses[0]), *readings))
        yield [name, cell(str(pattern_in_words(row.when))), f"**{pays_in_words(row)}**", rests]


def _misprinted(book: Book, layouts: Sequence[str], bet: str) -> list[str]:
    """The readings about what some of these layouts print of a bet, where that is not what is paid."""
    prints = [each for name in layouts for each in book.layouts[name].prints if each.bet == bet]
    return [reading for each in prints for reading in each.basis.readings]


def _notices(book: Book, layouts: Sequence[str]) -> Iterator[str]:
    """What has to be known of a layout before a table opens on it."""
    who, clause = ruler(book)
    for name in layouts:
        notice = book.layouts[name].notice
        if notice is not None:
            rests = ", ".join((*map(printed, notice.basis.clauses), *notice.basis.readings))
            yield (
                f"**{SHORT[book.id]}, layout {name}**: {cell(notice.says)} ({rests}) "
                "Whoever opens a table on it confirms this. "
                f"If a patron insists on the print, the {who} rules ({clause}): [a disputed payment](disputes.md).\n"
            )


def _layouts(book: Book, group: Group) -> Iterator[str]:
    yield f"### {SHORT[book.id]}: {group.name} {{#{book.id}-{group.layouts[0].lower()}}}\n"
    rows = (row for priced in group.menu.bets.values() for row in _bet(book, group, priced))
    yield table(["bet", "when", "pays", "clause"], rows)
    yield from _notices(book, group.layouts)
    said = [str(rule.says) for priced in group.menu.bets.values() for rule in bet_rules(book, priced.bet)]
    yield from (f"- {each}" for each in said)


def _insurance(book: Book, insurance: Insurance) -> Iterator[str]:
    yield f"### {SHORT[book.id]}: insurance {{#{book.id}-insurance}}\n"
    shown = ", ".join(words(each) for each in insurance.points["shown-by"].values)
    yield f"The odds are shown by: {shown}.\n"
    yield from (f"- {each}" for each in _how_much(book, insurance))
    yield ""
    rows = (
        [
            STAGES[row.stage],
            cell(str(cover_in_words(row))),
            f"**{row.odds.in_words}**",
            _on_a_tie(row),
            printed(row.basis.clauses[0]),
        ]
        for row in sorted(insurance.rows, key=_order)
    )
    yield table(["offered", "when", "pays if that hand loses", "on a tie", "clause"], rows)


def _how_much(book: Book, insurance: Insurance) -> Iterator[str]:
    """Who may insure, until when, and how much."""
    yield f"**Who**: each patron, seated or standing, with a bet on that hand ({insurance.clause})."
    lapses, forfeit = insurance.points["lapses"], book.policies["insurance-forfeit"]
    until = "a window that closes when the next card is drawn"
    gone = "has none for the rest of the round" if forfeit.value == "round" else "may still take the next one"
    rests = ", ".join((*map(printed, lapses.basis.clauses), forfeit.reading))
    yield f"**Until when**: each offer is {until}. Who lets an offer pass {gone} ({rests})."
    cap = insurance.cap
    rests = ", ".join((*map(printed, cap.basis.clauses), *cap.basis.readings))
    over = "in a round" if cap.over == "round" else "each time it is offered"
    most = "no more may be laid on it than that bet: 100 for a bet of 100"
    if cap.on == "payout":
        most = "no more may be won by it than that bet: at 4 to 1, 25 for a bet of 100"
    before = " What was laid on it before counts." if cap.over == "round" else ""
    yield f"**How much**: {over} {most}.{before} ({rests})"
    for also in insurance.cap_at:
        rests = ", ".join((*map(printed, also.basis.clauses), *also.basis.readings))
        yield f"**At {also.odds.in_words}**: also no more than {also.share} of the posted {also.of} ({rests})."
    late = insurance.points.get("late-cap")
    if late is not None:
        rests = ", ".join((*map(printed, late.basis.clauses), *late.basis.readings))
        says = point_in_words("insurance", "late-cap", late)
        yield f"**An offer that was forgotten, and is made late**: {says} ({rests})"


def _order(row: CoverRow) -> tuple[int, int, int, int]:
    """Insurance by window, then by hand, Banker first, then by points: the same way in every book."""
    return list(STAGES).index(row.stage), row.hand == "player", _least(row, "player"), _least(row, "banker")


def _least(row: CoverRow, hand: str) -> int:
    return min(row.own if row.hand == hand else row.opposite)


def _on_a_tie(row: CoverRow) -> str:
    """What becomes of insurance on a tie."""
    if not row.tie_pays:
        return "comes back"
    return "pays" if _can_lose(row) else "pays; that hand cannot lose, so it pays on a tie alone"


def _can_lose(row: CoverRow) -> bool:
    """Whether the insured hand can lose after the Player's third card, when only the Banker may draw."""
    if row.stage != "third-card":
        return True
    before = row.own if row.hand == "banker" else row.opposite
    banker = {(points + card) % 10 for points in before for card in range(10)}
    player = row.own if row.hand == "player" else row.opposite
    return any((one > other) == (row.hand == "player") and one != other for one in banker for other in player)


def _places(book: Book, name: str) -> str:
    """What a bet of a book pays, with links; with the layouts, where they do not all pay the same."""
    groups = layout_groups(book)
    found: dict[str, list[Group]] = {}
    for group in groups:
        for priced in group.menu.bets.values():
            if priced.bet.name == name:
                odds = dict.fromkeys(row.odds.in_words for row in priced.rows if row.odds)
                found.setdefault(", ".join(odds), []).append(group)
    places = []
    for odds, carry in found.items():
        named = {each for group in carry for each in group.layouts}
        layouts = "" if len(carry) == len(groups) else f" ({', '.join(each for each in book.layouts if each in named)})"
        places.append(f"[{odds}](#{book.id}-{carry[0].layouts[0].lower()}){layouts}")
    return "<br>".join(places) or NONE


def _list(books: list[Book]) -> Iterator[str]:
    """Which bet is in which book, with what it pays on which layouts."""
    yield "## Every bet, and where to look it up {#list}\n"
    names = dict.fromkeys(bet.name for book in books for bet in book.bets.values())
    rows = ([f"**{cell(name)}**", *(_places(book, name) for book in books)] for name in names)
    yield table(["bet", *(SHORT[book.id] for book in books)], rows)
    yield "A dash: that book has no such bet.\n"
    for book in books:
        yield from _notices(book, tuple(book.layouts))
    covered = " and ".join(f"[{SHORT[book.id]}](#{book.id}-insurance)" for book in books if book.insurance)
    yield f"{INSURED}\nWho, until when, how much, and what it pays: {covered}.\n"


def page() -> str:
    """The whole page."""
    books = [load(name) for name in ids()]
    lines = [HEAD, *_list(books)]
    for book in books:
        lines += [f"## {book.title} {{#{book.id}}}\n", f"{book.operator}, version {book.version}; `{book.id}`.\n"]
        for group in layout_groups(book):
            lines += _layouts(book, group)
        if book.insurance is not None:
            lines += _insurance(book, book.insurance)
    return "\n".join([*lines, FOOT])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
