"""Writes docs/irregularities.md from the books: `python docs/irregularities.py`."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from punto.report.document import Document, Issue, Rows, TableBlock
from punto.report.pack.decisions import deciding_rank
from punto.report.pack.procedures import procedures
from punto.report.words import point_in_words, words
from punto.rulebook import Basis, Book, ids, load, printed
from punto.rulebook.facts import FACTS
from punto.rulebook.model import Point
from punto.rulebook.vocabulary import HOUSE

PAGE = Path(__file__).parent / "irregularities.md"
SHORT = {
    "commission-insurance": "Commission Insurance",
    "da-hu-ying-xiong": "Da Hu Ying Xiong",
    "dragon-tiger-hoiana": "Hoiana",
    "dragon-tiger-mbs": "MBS",
    "wu-song": "Wu Song",
}
"""The books in the columns of a table."""

NONE = "-"
"""A cell in which a book has nothing."""

HEAD = """---
hide: [toc]
---

# When something goes wrong

For whoever stands at the table. Find what happened in the list, in the words of the floor, and follow the clause in the
column of your book. At the dealer's console *Report an irregularity* says the same, and does it:
[deal a round by hand](dealing.md#4-something-goes-wrong). Who may decide what is on one page, [who decides
what](deciding.md).

## What happened? {#list}
"""
BESIDE = """### Other questions {{#late}}

Nothing went wrong with the cards, and there is still a question:

- **Chips were laid, raised or pulled back after no more bets**: {late}.
- **A bet is under or over the limits, the differential is exceeded, or chips lie on the wrong spot**: {limits}.
- **The screen is dark, frozen or closed by mistake**: bets, chips and cards are kept by the service, and the round
  stands as it was. Log in on any screen, and [take the table over](relief.md#take-over). Where the round can go on
  so, report nothing: *The game was interrupted* can make it void. Where the service itself failed, as in a power cut,
  it reports that [by itself](handbook.md#power) when it is back.
- **A patron leaves, and a bet is still lying**: the bet stays and is settled, and what it brings is kept for the patron
  (5.3.1; Wu Song 5.3, Hoiana 7.14, MBS 5.10; AMB-35). At the console: *Anything else for a patron*, *Leave*. A patron
  who comes back has the same chips.
- **The minimum or the maximum is to change**: at the [pit](disputes.md#pit), *Limits and differential*, *Post limits*,
  between two rounds; it holds from the next round on. The program lets any rank of the table do it: who may is a rule
  of your house, and who did is on record.
- **The tray is filled, a dealer is given a tip, or a chip is counterfeit**: Punto has no step for it, and the procedure
  of your house applies. What becomes of a round by it is reported as *Something else*.
- **A card is torn, bent or marked**: none of the five books tells of it. Report *Something else*, and say what
  happened: the [rank that rules on what is not told](deciding.md#ranks) decides.
- **Too much or too little was paid, or the wrong box**: [chips wrongly paid](disputes.md#wrong).
- **A patron disputes a payment**: [a disputed payment](disputes.md).
- **A patron asks for the words of a rule**: [show the patron the rule](disputes.md#rule).
- **Two patrons have bet the same: who squeezes?** [Who squeezes](deciding.md#squeeze).
- **How many rounds after the cut card?** [The last hand](deciding.md#last-hand).
- **A neighbour was not asked for insurance**: [insurance for one patron](deciding.md#one-patron).

**A card too many: which of two rows?** If it is noticed while the round is not paid, it is *A card too many was drawn*.
If it comes to light that the hands were finished with a wrong number of cards, it is *A hand has the wrong number of
cards*.

How to read a row: of the cases of one event the first that holds applies, and its steps are taken in their order. Once
a round is void, the steps after that are not taken, but for those about the shoe.

## What the words mean {{#words}}
"""
MEANT = {
    "the outcome is established": (
        "by the cards that lie open, at least one bet that the layout offers is certain to win or certain to lose "
        "(AMB-11). It may be a side bet, and one on which nobody has bet"
    ),
    "the outcome is open": "no bet is decided yet",
    "the result is open": (
        "it is not certain yet whether Player, Banker or Tie wins. A side bet may be decided already, such as a pair"
    ),
    "the result is fixed": "by the open cards it is certain whether Player, Banker or Tie wins (AMB-10, AMB-98)",
    "the round is void": (
        "it does not count: every wager and all insurance comes back. At the games of Resorts World a round that is "
        "paid already is void only once the pit manager has confirmed it (AMB-18)"
    ),
    "play goes on": "the round is finished, and its wagers win and lose as usual",
    "it is put on record": "nothing else happens; that it happened is kept in the record of the table",
    "it is put right": "what was wrong is corrected, and the cards decide",
    "the hands are put right; put into the order in which the cards were drawn": (
        "the cards are laid as they should have been dealt, in the order in which they came out"
    ),
    "a surplus card": "a card too many. It counts in no hand, and opens the next round",
    "what becomes of the card": "the card lies aside and counts in no hand; a rank says where it goes",
    "a choice is put to the patrons": (
        "each patron with a wager that is not decided yet is asked, and play waits; but not whoever chose to play on "
        "before these cards were drawn. What they may choose stands at the end of each book"
    ),
    "patrons may be allowed to withdraw": (
        "a rank says whether they may. If so, each patron with a wager that is not decided yet is asked"
    ),
    "method A, B, C": (
        "how an MBS table is dealt (3.10 to 3.12). A: the dealer draws, and patrons squeeze. B: the dealer draws, and "
        "nobody else touches the cards. C: a patron draws, from a shoe that reads cards"
    ),
    "high-limit area": "at MBS the Paiza Club and the Ruby Room (1.1.5)",
    "free hand": "a round that is dealt without wagers: nobody wins or loses",
    "cover": "insurance",
    "comes back to whoever meant to take cover that would have won": (
        "a patron who had meant to insure, and whose insurance would have been paid, gets the insured bet back"
    ),
    "house": "the rank that stands in brackets; a table may name a higher one when it is opened",
    "decided by": "that rank, or any higher one. Where an MBS clause names nobody (5.11.2, 5.13), Punto asks this rank",
}
"""The words of the rows that the floor does not use, and what they mean."""

FOOT = """This page is written from the books themselves (`python docs/irregularities.py`). The same for a book of your
own, ready to be printed: [`punto certify BOOK --pack FOLDER`](submission.md).
"""
OF_INSURANCE = {"offer-missed", "insurance-offered"}
"""The conditions of facts about insurance."""

_LIMITS = (
    ("Under the minimum, before the close", (("limits", "under-minimum-early"),)),
    ("Under the minimum, found after the close", (("limits", "under-minimum-late"),)),
    ("Over the maximum", (("limits", "over-maximum"),)),
    (
        "The differential is exceeded, before the close",
        tuple(("limits", f"differential-{each}") for each in ("means", "early", "ask", "add", "remove", "priority")),
    ),
    (
        "The differential is exceeded, found after the close",
        tuple(("limits", each) for each in ("differential-late", "pro-rata-floor", "under-minimum-in-excess")),
    ),
    ("Found a round later", (("limits", "past"),)),
    ("Chips lie on the wrong spot", (("betting", "misplaced"),)),
    ("The staff laid a patron's bet, and laid it wrongly", (("betting", "by-staff"),)),
    ("The patron has left the table", (("betting", "walk-away"),)),
)
"""What can be wrong with where a bet lies or how much it is, with the points of a book that tell of it."""

_LATE = (("late-bet", "A new bet"), ("late-increase", "A raise"), ("late-withdrawal", "Taking chips back"))
_CHOICE = re.compile("The choice “(.*?)” is put")
_WORDS = re.compile(
    r"the outcome is (?:established|open)|the result is (?:fixed|open)|free hand|[Ww]hat becomes of the card|"
    r"method [ABC](?: or [ABC])?|high-limit area"
)
_LEAVE = re.compile("be allowed to withdraw their wagers")


def cell(text: str) -> str:
    """Text as it stands in a cell of a table."""
    return text.replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;").replace("\n", " ")


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows), ""])


def ruler(book: Book) -> tuple[str, str]:
    """The rank that rules on what a book does not tell, and the clause."""
    point = book.point("authority", "residual")
    assert point is not None
    assert point.by is not None
    return words(point.by), printed(point.basis.clauses[0])


def told(book: Book) -> dict[str, str]:
    """The facts that a book has rows about, with the clause of the first."""
    found: dict[str, str] = {}
    for row in book.irregularities:
        found.setdefault(row.fact, printed(row.basis.clauses[0]))
    return found


def _list(books: Sequence[Book]) -> Iterator[str]:
    rows = []
    for name, fact in FACTS.items():
        said = "; ".join(fact.floor)
        rows.append([f"**{said[0].upper()}{said[1:]}**<br>{fact.names[0]}", *(_place(book, name) for book in books)])
    yield table(["what happened, and what the console calls it", *(SHORT[each.id] for each in books)], rows)
    yield "*Not told*: the book says nothing of it. Who rules then, and how, stands behind these words.\n"


def _place(book: Book, name: str) -> str:
    """Where a book tells of a fact, by its clause, or that it does not."""
    clause = told(book).get(name)
    if clause is not None:
        return f"[{clause}](#{book.id}-{name})"
    if FACTS[name].moment == "itself":
        return "does not occur"
    return f"[not told](#{book.id}-not-told)" if may_occur(book, name) else "no insurance"


def may_occur(book: Book, name: str) -> bool:
    """Whether a fact can occur by a book: nothing goes wrong with insurance where there is none."""
    return book.insurance is not None or not OF_INSURANCE & set(FACTS[name].conditions)


def _step(book: Book, text: str) -> str:
    """A cell with the ranks of its book in the place of what the file calls them, and links to what is meant."""
    house = words(deciding_rank(book, HOUSE, Basis()))
    text = cell(text).replace("the residual authority", f"the {ruler(book)[0]}")
    text = text.replace("Decided by: house", f"Decided by: house ({house})")
    text = _CHOICE.sub(rf"The choice [“\1”](#{book.id}-choices) is put", text)
    text = _LEAVE.sub(rf"[\g<0>](#{book.id}-choices)", text)
    return _WORDS.sub(r"[\g<0>](#words)", text)


def _event(book: Book, name: str, rows: Rows) -> Iterator[str]:
    fact = FACTS[name]
    yield f"### {fact.names[0]} {{#{book.id}-{name}}}\n"
    said = "; ".join(fact.floor)
    yield f"{said[0].upper()}{said[1:]}.\n"
    cells = ([_step(book, each.text) for each in row[1:]] for row in rows)
    yield table(["In which case", "What is done", "Clause"], cells)


def _late(book: Book) -> Iterator[str]:
    """Chips that move after the call, and who rules where somebody insists."""
    yield f"### Chips placed after the call {{#{book.id}-late}}\n"
    yield "Chips laid, raised or pulled back after no more bets.\n"
    rows = []
    for name, what in _LATE:
        point = book.point("betting", name)
        if point is None:
            rows.append([what, f"The book does not tell: the {ruler(book)[0]} rules.", ruler(book)[1]])
        else:
            rows.append([what, point_in_words("betting", name, point), printed(point.basis.clauses[0])])
    found = book.point("betting", "found-late")
    assert found is not None
    who, clause = ruler(book)
    overlooked = (
        f"They play. The dealer enters them with *Find*; once a card is known, the {words(found.by or '')} or a higher "
        "rank enters them, with a reason."
    )
    insists = (
        f"The bet stays refused: the book gives no rank leave to let it stand. If the patron goes on, the {who} rules: "
        "*Report an irregularity*, *Something else*; or [a dispute](disputes.md)."
    )
    rows += [
        ["The chips lay there before the call, and were overlooked", overlooked, printed(found.basis.clauses[0])],
        ["The patron insists that a late bet stands", insists, clause],
    ]
    yield table(["What", "What is done", "Clause"], rows)


def _limits(book: Book) -> Iterator[str]:
    """Bets that lie outside the limits, or in the wrong place, and what becomes of them."""
    yield f"### Bets outside the limits, or on the wrong spot {{#{book.id}-limits}}\n"
    yield "Too little or too much was bet; the hands differ by more than is posted; chips lie where they should not.\n"
    who, clause = ruler(book)
    rows = []
    for what, names in _LIMITS:
        points = [(*each, point) for each in names if (point := book.point(*each)) is not None]
        says = [_of_limits(book, *each) for each in points]
        clauses = dict.fromkeys(printed(each) for _, _, point in points for each in point.basis.clauses)
        if not points and what.startswith("Chips"):
            says, clauses = [f"The book does not tell: the {who} rules."], {clause: None}
        if says:
            rows.append([what, cell(" ".join(says)), ", ".join(clauses)])
    yield table(["What", "What is done", "Clause"], rows)


def _of_limits(book: Book, section: str, name: str, point: Point) -> str:
    """What a point about the limits says, with the rank that does it."""
    says = point_in_words(section, name, point).replace("the residual authority", f"the {ruler(book)[0]}")
    return f"{says} Decided by: {words(deciding_rank(book, point.by, point.basis))}." if point.by else says


def _not_told(book: Book) -> Iterator[str]:
    who, clause = ruler(book)
    yield f"### Not told by this book {{#{book.id}-not-told}}\n"
    yield (
        f"The book says nothing of what follows, and of nothing else that is not above. The **{who}** rules "
        f"({clause}): report it at the console all the same, and the question goes to that rank. Play waits for the "
        "answer, which is one of three, always with a reason: play on; make the round void; or say step by step what "
        "is done, such as to put the hands right, to let patrons withdraw, or to change the cards.\n"
    )
    names = [name for name in book.silent if FACTS[name].moment != "itself" and may_occur(book, name)]
    rows = [[f"**{FACTS[name].names[0]}**", cell("; ".join(FACTS[name].floor))] for name in (*names, "other")]
    yield table(["What happened", "In the words of the floor"], rows)


def _choices(book: Book, block: TableBlock) -> Iterator[str]:
    yield f"### What patrons may choose {{#{book.id}-choices}}\n"
    cells = ([cell(each.text) for each in row] for rows in block.groups for row in rows)
    yield table([column.title for column in block.columns], cells)


def _part(book: Book) -> Iterator[str]:
    document: Document = procedures(book, Issue())
    blocks = {
        section.title: next(each for each in section.blocks if isinstance(each, TableBlock))
        for section in document.sections
        if section.title in ("Irregularities", "What patrons may choose")
    }
    yield f"## {book.title} {{#{book.id}}}\n"
    for name, rows in zip(told(book), blocks["Irregularities"].groups, strict=True):
        yield from _event(book, name, rows)
    yield from _late(book)
    yield from _limits(book)
    yield from _not_told(book)
    yield from _choices(book, blocks["What patrons may choose"])


def page() -> str:
    """The whole page."""
    books = [load(name) for name in ids()]
    late, limits = (
        ", ".join(f"[{SHORT[each.id]}](#{each.id}-{part})" for each in books) for part in ("late", "limits")
    )
    parts = (part for each in books for part in _part(each))
    meant = table(["words", "what is meant"], MEANT.items())
    return "\n".join([HEAD, *_list(books), BESIDE.format(late=late, limits=limits), meant, *parts, FOOT])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
