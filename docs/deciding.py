"""Writes docs/deciding.md from the books: `python docs/deciding.py`."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from irregularities import NONE, SHORT, cell, may_occur, ruler, table

from punto.report.pack.decisions import Decision, deciding_rank, decisions
from punto.report.words import point_in_words, words
from punto.rulebook import Basis, Book, ids, load, printed
from punto.rulebook.facts import FACTS
from punto.rulebook.model import Point
from punto.rulebook.vocabulary import HOUSE

PAGE = Path(__file__).parent / "deciding.md"
HEAD = """---
hide: [toc]
---

# Who decides what

For the table crew: which rank a decision needs, book by book. A cell names the lowest rank that may decide, and the
clause. Any higher rank may decide as well; another rank of the same height may not. Whoever acts in a post decides as
if it were their own. What names nobody is done by the dealer. The clause leads to all that is done then, step by step.

At the console nobody has to know this by heart. Where a decision is needed, the question is put to that rank, and
stands under *Questions* at the dealer's console and at the [pit](disputes.md#pit). Whoever may not answer is told which
rank may.

## Decisions {#decisions}
"""
REFERRED = "What is done."
"""What is decided where a book sends a fact to the rank that rules, and where it says nothing of it."""

SQUEEZE = (
    ("Who may squeeze", "squeezer"),
    ("That patron does not want to", "squeezer-refuses"),
    ("Two have bet the same", "squeezer-equal"),
    ("It cannot be told who bet first", "squeezer-unclear"),
    ("Of equal ones the first does not want to", "squeezer-equal-refuses"),
    ("Which hand is opened first", "first-opened"),
    ("Leave for somebody else", "squeeze-grant"),
    ("Somebody is barred", "squeeze-bar"),
)
BENEATH = """A dash: the book leaves no such decision to a rank; it is settled without one, or does not arise. *Not
told*: the book says nothing of such a case, and that rank rules on it.

**Chips that the dealer paid wrongly** are another thing than a round that is paid and is to be void by the book. Punto
asks nobody's leave to put them right: see [chips wrongly paid](disputes.md#wrong).

Methods A, B and C are how an MBS table is dealt: see [what the words mean](irregularities.md#words).
"""
BESIDE = """
- **Which bets count**: at the games of Resorts World and at Hoiana all that a patron has on Player and Banker
  together; side bets and insurance do not count (AMB-76). At MBS what the patron has on that hand (3.10.2).
- **Nobody has bet on that hand, or nobody wants the cards**: the dealer opens them. Only MBS tells of it, for third
  cards (3.10.7): they are laid face down and then opened where nobody squeezes that hand.
"""
EARLIER = "The earlier bet counts. The text does not tell; this is the reading AMB-76."
MIDDLE = """## The last hand, and the cut card {{#last-hand}}

**None of the five books tells how many rounds follow the cut card**, and Punto counts none. The round in play is
finished: see *The cut card is out* in the [list](irregularities.md#list). Where the book does not tell, the
[rank above](#ranks) rules once it is reported. The number of rounds after it is a rule of your house.

When that number is reached, press *Announce the last hand*: the hand in play is then the last, or the next one where
none is in play. After it no bets are opened from this shoe, and the large button asks for *End shoe*; only a free hand
that is due is dealt before.

## Insurance for one patron {{#one-patron}}

*Offer insurance* offers it at once to everybody with a bet on that hand, with one line for each under the large button.
Ask them one by one.

- **A neighbour was not asked, and the next card is not drawn yet**: ask now, and press *Insure* on that patron's line.
  The offer is still open.
- **A neighbour was not asked, and the next card is out**: the offer was made at the table, so one missed neighbour does
  not count as *Insurance was not offered*. The console says "No offer was missed." Report *Something else*, and say
  what happened: the {ruler} rules.
- **A neighbour says in time that they will insure, and has not laid the chips yet**: press *Says: will insure* on that
  patron's line before the next card.
- **Nobody was asked**: report *Insurance was not offered* (rows for
  [{first}](irregularities.md#{first_id}-insurance-neglected) and
  [{second}](irregularities.md#{second_id}-insurance-neglected)). It is put right for everybody who had a bet on that
  hand, also where that is one patron alone.

## More

- [Chips placed after the call](irregularities.md#list), book by book.
- [A disputed payment](disputes.md): who settles it, and which steps there are.
- [Relief and posts](relief.md): who may put somebody into a post.
- Every question that the program can ask, by its id: [for developers](table.md#questions).

This page is written from the books themselves (`python docs/deciding.py`).
"""


def _decisions(books: Sequence[Book]) -> Iterator[str]:
    """A row for each decision, with who decides in each book."""
    found: dict[tuple[str, str], dict[str, list[str]]] = {}
    for book in books:
        for each in decisions(book):
            if each.where == "Authority" or (each.where == "Dealing" and _is_of_squeeze(book, each.what)):
                continue
            what = each.what.replace("goes to the residual authority", "is ruled on")
            said = found.setdefault((each.where, what), {}).setdefault(book.id, [])
            said += [_who(book, each)] if _who(book, each) not in said else []
        for name in book.silent:
            if FACTS[name].moment != "itself" and may_occur(book, name):
                found.setdefault((FACTS[name].names[0], REFERRED), {})
    rows = []
    for (where, what), by_book in sorted(found.items(), key=lambda each: each[0][0]):
        cells = ["<br>".join(by_book.get(book.id, [_nobody(book, where)])) for book in books]
        rows.append([f"**{where}**<br>{cell(what)}", *cells])
    yield table(["what", *(SHORT[book.id] for book in books)], rows)
    yield BENEATH


def _who(book: Book, each: Decision) -> str:
    """Who decides, with the clauses, and in which case."""
    clauses = ", ".join(dict.fromkeys(map(printed, each.basis.clauses))) or ", ".join(each.basis.readings)
    rests = f"[{clauses}](irregularities.md#{book.id}-{each.fact})" if each.fact else clauses
    unnamed = "" if each.named else " names nobody"
    reason = ", with a recorded reason" if each.reason else ""
    case = f", {each.case[:1].lower()}{each.case[1:]}" if each.case else ""
    return f"{words(each.by).capitalize()} ({rests}{unnamed}){reason}{case}"


def _nobody(book: Book, where: str) -> str:
    """What a cell says of a book that names nobody: who rules, if the book is silent on that fact."""
    silent = {FACTS[name].names[0] for name in book.silent if may_occur(book, name)}
    return f"not told: {ruler(book)[0]} ({ruler(book)[1]})" if where in silent else NONE


def _is_of_squeeze(book: Book, says: str) -> bool:
    points = ((name, book.point("dealing", name)) for _, name in SQUEEZE)
    return says in [point_in_words("dealing", name, point) for name, point in points if point is not None]


def _ranks(books: Sequence[Book]) -> Iterator[str]:
    yield "## Ranks, and who rules on what a book does not tell {#ranks}\n"
    rows = []
    for book in books:
        tiers = ", ".join(" or ".join(words(rank) for rank in tier) for tier in book.ranks)
        house = words(deciding_rank(book, HOUSE, Basis()))
        who, clause = ruler(book)
        rows.append([SHORT[book.id], tiers, house, f"**{who}** ({clause})"])
    columns = ["book", "ranks, from the lowest up", "speaks for the house", "rules on what is not told"]
    yield table(columns, rows)
    yield (
        "*Speaks for the house*: where a book leaves something to the house, it is this rank, unless the table named a "
        "higher one when it was opened. Asking that no insurance be offered goes to the pit manager.\n"
    )


def _squeeze(books: Sequence[Book]) -> Iterator[str]:
    yield "## Who squeezes? {#squeeze}\n"
    yield (
        "Only at a table where the cards are dealt face down. *Not told*: the book says nothing of it, and its rank "
        "[above](#ranks) rules if somebody asks.\n"
    )
    rows = []
    for what, name in SQUEEZE:
        cells = [_point(book, name, book.point("dealing", name)) for book in books]
        rows.append([what, *cells])
    yield table(["", *(SHORT[book.id] for book in books)], rows)
    yield BESIDE.lstrip()


def _point(book: Book, name: str, point: Point | None) -> str:
    if point is None:
        return EARLIER if name == "squeezer-equal" else "not told"
    by = f" Decided by: {words(deciding_rank(book, point.by, point.basis))}." if point.by else ""
    return f"{point_in_words('dealing', name, point)}{by} ({', '.join(map(printed, point.basis.clauses))})"


def page() -> str:
    """The whole page."""
    books = [load(name) for name in ids()]
    first, second = (book for book in books if book.insurance is not None)
    assert ruler(first)[0] == ruler(second)[0]
    middle = MIDDLE.format(
        ruler=ruler(first)[0],
        first=SHORT[first.id],
        first_id=first.id,
        second=SHORT[second.id],
        second_id=second.id,
    )
    return "\n".join([HEAD, *_decisions(books), *_ranks(books), *_squeeze(books), middle])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
