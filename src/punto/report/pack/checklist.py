"""What regulators and test laboratories ask for in a submission, and on which page of this one it is."""

from collections.abc import Mapping, Sequence

import msgspec

from punto.report.document import Cell, Column, Document, Issue, Paragraph, Rows, Section, TableBlock
from punto.report.pack.booklet import booklet
from punto.report.pdf import Pages
from punto.rulebook import Book


class Item(msgspec.Struct, frozen=True):
    """Something asked for: by whom, what, and the sections that answer it, as file and beginning of the title.

    No title is the first page, above all sections.
    """

    by: str
    what: str
    where: tuple[tuple[str, str], ...]
    besides: str = ""
    """What a reader must know of the answer, or why there is none here."""


_RULES_OF_PLAY = tuple(("rules", title) for title in ("Table of Play", "Pays of", "Insurance", "Conduct of the game"))
_PAY_TABLES = (("pay-tables", "Layout"), ("pay-tables", "Insurance"))
_FIGURES = (("certificate", "Bets of"), ("certificate", "Insurance"))

ASKED: Mapping[str, tuple[Item, ...]] = {
    "The game": (
        Item("Nevada", "The rules of play", _RULES_OF_PLAY),
        Item(
            "Nevada",
            "Examples of winning, losing and tying",
            (("examples", "Wins, losses and ties"), ("examples", "Insurance")),
        ),
        Item("Nevada", "The procedures of dealing", (("procedures", "A round, step by step"),)),
        Item("Nevada", "The schedule of pays", _PAY_TABLES),
        Item("Nevada", "The layout", (("drawings", "Layouts"),), "Also as files, at a scale of 1 to 10."),
        Item("Nevada", "The rack card", (("drawings", "Rack cards"),), "Also as files, at full size."),
        Item("Nevada; Ohio", "The mathematics of the game", _FIGURES),
        Item("Macau; Singapore; New South Wales", "The number of decks", (("certificate", "Every number of decks"),)),
        Item(
            "Macau",
            "The burn and the cut card",
            (("procedures", "A round, step by step"), ("procedures", "Irregularities")),
            "Where nothing is told of them, the book has no rule about them.",
        ),
        Item(
            "Singapore",
            "Cards outside the shoe",
            (("rules", "Table of Play"),),
            "Where none is named, every card comes from the shoe.",
        ),
        Item(
            "Macau; Pennsylvania",
            "Alternatives within the rules, and who may choose them",
            (("rules", "What a ruling may change"), ("procedures", "By rank")),
            "What notice is due of a choice is the operator's to state.",
        ),
        Item(
            "New York; Pennsylvania",
            "How commission is taken",
            (("rules", "Pays of"), ("rules", "Conduct of the game")),
            "Told with the payments, where any is taken beside the odds.",
        ),
        Item(
            "New York",
            "An outcome that returns a wager is printed where a patron can read it",
            _PAY_TABLES,
        ),
        Item(
            "New Jersey",
            "Odds are stated with “to”, never with “for”",
            _PAY_TABLES,
            "So in every document.",
        ),
        Item(
            "New South Wales; New Jersey",
            "What becomes of amounts that cannot be paid exactly",
            (("examples", "Special cases"), ("certificate", "Assumptions")),
        ),
        Item(
            "New South Wales; Washington; California",
            "Which bets depend on others",
            (("rules", "Pays of"),),
            "Told with the pays of a bet; where nothing is told, it depends on none.",
        ),
        Item("Pennsylvania", "When a bet may be placed and is settled", (("procedures", "A round, step by step"),)),
        Item(
            "New Jersey; Washington",
            "Limits of wagers, and how far the two hands may lie apart",
            (("rules", "Conduct of the game"), ("examples", "Special cases")),
        ),
        Item("Great Britain", "The house edge, published with the game", (("drawings", "Rack cards"),)),
    ),
    "The figures": (
        Item("Maryland; Ohio", "True odds and payout odds of every wager", _FIGURES),
        Item("Maryland; Ohio", "The advantage of every wager", _FIGURES),
        Item("Laboratories", "The theoretical return of every wager", _FIGURES),
        Item("Laboratories", "Hit frequency and volatility", (("certificate", "Bets of"),)),
        Item(
            "Laboratories; New Jersey; Washington",
            "The greatest award, and the most that one round may pay",
            (("certificate", "Greatest payouts and liability"),),
        ),
        Item(
            "Laboratories",
            "Assumptions",
            (
                ("certificate", "Assumptions"),
                ("certificate", "Readings"),
                ("rules", "Readings"),
                ("procedures", "Readings"),
            ),
        ),
        Item("Laboratories", "The rule by which cards are drawn", (("certificate", "Table of Play"),)),
        Item("Laboratories", "An independent confirmation", (("certificate", "Confirmation by simulation"),)),
        Item("Laboratories", "What advantage play can win", (("certificate", "What a card counter could win"),)),
    ),
    "Identification": (
        Item(
            "Macau; Maryland",
            "Version, date of effect and approver",
            (("rules", ""),),
            "On the first page of each document; the date stands on every page.",
        ),
        Item(
            "Maryland",
            "What changed since the superseded rules",
            (("differences", "What changed"),),
            "Only where an earlier edition was given.",
        ),
        Item("Laboratories", "Every file by its hash", (("manifest", "Files"),), "Also SHA256SUMS, for sha256sum."),
        Item("Laboratories", "Versions of all software", (("manifest", "Software and platform"),)),
        Item("Laboratories", "Seeds, and the commands that repeat everything", (("manifest", "Seeds and commands"),)),
        Item(
            "Singapore",
            "The layout and version to which a round is bound",
            (("rules", "Cards and layouts"),),
            "The table records both with every round.",
        ),
    ),
    "People": (
        Item("New Jersey", "How dealers' errors are put right", (("procedures", "Irregularities"),)),
        Item("Great Britain", "What staff of each rank must know", (("procedures", "By rank"),)),
        Item("All", "Who signs for the submission", (("certificate", "Sign-off"),)),
    ),
}
"""By topic what is asked for; where several bodies ask for the same, they stand together."""


def checklist(book: Book, issue: Issue, pages: Mapping[str, Mapping[str, Pages]]) -> Document:
    """The checklist: `pages` has for each document the pages on which each of its sections stands."""
    columns = (Column("What is asked for", 3.2), Column("By", 2), Column("Where it is", 3.4), Column("Besides", 2.2))
    sections = []
    for topic, asked in ASKED.items():
        rows: list[Rows] = [
            ((Cell(each.what, strong=True), Cell(each.by), Cell(_places(each, pages)), Cell(each.besides)),)
            for each in asked
        ]
        sections.append(Section(topic, (TableBlock("", columns, tuple(rows)),)))
    says = Paragraph(
        "What regulators and test laboratories commonly ask for, put in words of our own. It helps a reader to find "
        "things, and claims compliance with none of their rules. Page numbers are those of the PDF files."
    )
    return booklet(book, "Checklist", issue, (says,), tuple(sections))


def _places(asked: Item, pages: Mapping[str, Mapping[str, Pages]]) -> str:
    """Each place as document, section and pages."""
    found = [
        ", ".join((document, *([f"“{title}”"] if title else []), str(stands)))
        for document, begins in asked.where
        for title, stands in _matching(pages.get(document, {}), begins)
    ]
    return "; ".join(found) or "not in this pack"


def _matching(sections: Mapping[str, Pages], begins: str) -> Sequence[tuple[str, Pages]]:
    if not begins:
        return [("", Pages(1, 1))]
    return [(title, stands) for title, stands in sections.items() if title.startswith(begins)]
