"""What a certificate says of a rulebook, in order: identity, bets, insurance, findings, readings, confirmation."""

from collections.abc import Sequence

import msgspec

from punto.lint import Finding, lint
from punto.odds import deals, full_shoe
from punto.report.assumptions import assumptions, assumptions_section
from punto.report.bets import bets_section, decks_section, usual_decks
from punto.report.changed import changes_table, places_table
from punto.report.commands import digest_fact, exposure_base, file_name, layout_option, named, simulate_command
from punto.report.confirmation import Confirmation, confirmation_command, confirmation_section
from punto.report.document import (
    Block,
    Cell,
    Column,
    Document,
    Facts,
    Issue,
    Paragraph,
    Section,
    SignOff,
    TableBlock,
)
from punto.report.exposed import Exposed, exposure_command, exposure_section
from punto.report.figures import deck_count, listed
from punto.report.groups import Group, layout_groups
from punto.report.insurance import insurance_sections
from punto.report.payouts import Posted, payouts_section
from punto.report.play import table_of_play
from punto.report.readings import clauses, readings_section
from punto.report.software import software
from punto.rulebook import Book, ids, load
from punto.rulebook.approval import approval
from punto.rulebook.file_differences import file_differences

UNISSUED = Issue()
_MOST_CARDS = 6
_METHOD = (
    "Every figure is exact. All ordered deals of {cards} are counted, each decided by the "
    "Table of Play of the rulebook, and every probability is such a count over their number. Fractions are in "
    "lowest terms; a decimal is its fraction rounded once. The house edge is minus the expected net for one unit "
    "staked, ties included: a negative edge is with the patron. Return to player is one minus the edge. Hit frequency "
    "is the chance to win. The standard deviation is that of the net for one unit staked on one round, and the "
    "volatility index 1.65 times that. Payments are taken to be exact: no edge here assumes any rounding to a chip "
    "(AMB-30)."
)


class ExactSections(msgspec.Struct, frozen=True):
    """The sections of a certificate that no run of shoes is needed for: figures of the book, and findings."""

    figures: tuple[Section, ...]
    findings: Section


def exact_sections(
    book: Book, layout: str | None = None, decks: int | None = None, posted: Posted | None = None
) -> ExactSections:
    """Make the sections that need no run, for instance while shoes are dealt.

    >>> from punto.rulebook import load
    >>> exact_sections(load("wu-song"), "C").findings.title
    'Findings'
    """
    shoe = full_shoe(usual_decks(book) if decks is None else decks)
    groups = layout_groups(book, layout)
    figures = (
        *_difference_sections(book),
        *(bets_section(group, shoe) for group in groups),
        *([decks_section(book, groups)] if decks is None else []),
        table_of_play(book),
        *insurance_sections(book, shoe),
        payouts_section(groups, posted),
    )
    return ExactSections(figures, _findings_section(book, lint(book)))


def certificate(
    book: Book,
    layout: str | None = None,
    decks: int | None = None,
    confirmation: Confirmation | None = None,
    exposed: Exposed | None = None,
    *,
    issue: Issue = UNISSUED,
    posted: Posted | None = None,
    exact: ExactSections | None = None,
) -> Document:
    """The certificate of a book: all its layouts, or the one that is named; with what a counter could win, if known.

    Pay rows are for one number of decks; where none is named, every number that the book allows has a table besides.
    `exact` are its `exact_sections` where they are made already.

    >>> from punto.rulebook import load
    >>> made = certificate(load("wu-song"), "C")
    >>> made.title, [section.title for section in made.sections][0]
    ('Wu Song (Non-Commission Baccarat)', 'Bets of layout C')
    """
    made = exact_sections(book, layout, decks, posted) if exact is None else exact
    used = usual_decks(book) if decks is None else decks
    groups = layout_groups(book, layout)
    assumed = assumptions(book, groups, used, posted, confirmation, exposed)
    sections = [
        *made.figures,
        assumptions_section(assumed),
        readings_section(book, groups, [basis for _, basis in assumed]),
        made.findings,
        confirmation_section(confirmation, simulate_command(book, used)),
    ]
    if exposed is not None:
        sections.append(exposure_section(exposed, exposure_base(book, layout, used)))
    sections.append(_sign_off(issue))
    on_decks = "" if decks is None else f" --decks {decks}"
    options = layout_option(layout) + on_decks + issue.options + (posted.options if posted else "")
    command = f"punto certify {named(book)}{options} -o FILE.pdf"
    return Document(
        "Certificate of exact odds",
        book.title,
        f"{book.operator}, version {book.version}",
        running(book, f"{_layouts_in_short(book, groups)} · {deck_count(used)}"),
        book.digest,
        issue,
        (
            book.id,
            f"rulebook SHA-256 {book.digest}",
            f"software SHA-256 {software().digest}",
            *([f"counts SHA-256 {confirmation.digest}"] if confirmation else []),
            *([f"noted SHA-256 {exposed.run.digest}"] if exposed else []),
        ),
        _cover(book, groups, used, issue, command),
        tuple(sections),
        (
            command,
            *([confirmation_command(confirmation, simulate_command(book, used))] if confirmation else []),
            *([exposure_command(exposed, exposure_base(book, layout, used))] if exposed else []),
        ),
    )


def running(book: Book, what: str) -> str:
    """What stands on every page of a document about a book."""
    return f"{book.id} · version {book.version}, in effect since {book.effective:%Y-%m-%d} · {what}"


def _sign_off(issue: Issue) -> Section:
    """The lines on which an issuer signs."""
    says = (
        "This document is issued by whoever signs here, for the rulebook file and the software named on its first "
        "page, and for no other."
    )
    lines = (("Prepared by", ""), ("Checked by", ""), ("Issued by", issue.issuer))
    return Section("Sign-off", (Paragraph(says), SignOff(lines)))


def _layouts(book: Book, groups: Sequence[Group]) -> str:
    covered = {name for group in groups for name in group.layouts}
    names = [name for name in book.layouts if name in covered]
    return f"layout{'s' * (len(names) > 1)} {listed(names)}"


_SHORT = 32
"""Names of layouts longer than this are counted at the head of every page, where they would make its letters small."""


def _layouts_in_short(book: Book, groups: Sequence[Group]) -> str:
    named = _layouts(book, groups)
    return named if len(named) <= _SHORT else f"{sum(len(group.layouts) for group in groups)} layouts"


def _cover(book: Book, groups: Sequence[Group], decks: int, issue: Issue, command: str) -> tuple[Block, ...]:
    own, approved = software(), approval(book)
    effective = book.effective.isoformat(" ", "minutes")
    shoe = full_shoe(decks)
    blocks: list[Block] = [
        *([Facts(issue.facts)] if issue.facts else []),
        Facts(
            (
                ("Operator", book.operator),
                ("Approved by" if approved.verified else "Approval", str(approved.says)),
                ("Version", f"{book.version}, effective {effective}"),
                ("Rulebook file", file_name(book)),
                digest_fact(book),
                ("Covers", f"{_layouts(book, groups)}; {deck_count(decks)}, {sum(shoe)} cards"),
                ("Ordered deals", str(deals(shoe, _drawn(book)))),
            )
        ),
        Facts(
            (
                ("Computed by", f"{own.name} {own.version}"),
                ("SHA-256 of its source", own.digest),
                ("Over", f"{own.files} files, all of the installed package"),
                ("To reproduce", command),
            ),
            commands=("To reproduce",),
        ),
        *([] if approved.verified else [Paragraph(str(approved.says), alert=True)]),
        *_deck_flag(book, decks),
        Paragraph(_METHOD.format(cards=_deal_in_words(book))),
        Paragraph(
            "This document states what follows from the rulebook file named above, and nothing else. It is no "
            "approval by any authority. The same file and the same software give the same document, byte for byte."
        ),
    ]
    return tuple(blocks)


def _drawn(book: Book) -> int:
    """How many cards of the shoe a coup takes at most."""
    return _MOST_CARDS - (book.cards.printed is not None)


def _deal_in_words(book: Book) -> str:
    if book.cards.printed is None:
        return "six cards from the full shoe"
    return "five cards from the full shoe, to which the one printed on the layout comes,"


def _difference_sections(book: Book) -> list[Section]:
    """What an altered copy of a shipped book says otherwise, point by point."""
    approved = approval(book)
    if approved.verified or book.id not in ids():
        return []
    title = "Differences from the shipped edition"
    shipped, titles = load(book.id), ("Shipped edition", "This file")
    places = file_differences(shipped, book)
    if not places:
        return [Section(title, (Paragraph("The file is written otherwise, but says the same on every point."),))]
    blocks: list[Block] = []
    if approved.differences:
        blocks.append(changes_table(approved.differences, shipped, book, titles))
    blocks.append(Paragraph("Every place at which the file itself differs, also in clauses, readings and terms:"))
    blocks.append(places_table(places, titles))
    return [Section(title, tuple(blocks))]


def _deck_flag(book: Book, decks: int) -> list[Block]:
    """What is to be said if the book does not allow this shoe."""
    low, high = book.decks.min, book.decks.max
    where = f" ({clauses(book.decks.basis)})" if book.decks.basis.clauses else ""
    if low is None or high is None:
        readings = ", ".join(book.decks.basis.readings)
        assumed = f"{deck_count(decks)} {'is' if decks == 1 else 'are'} assumed here."
        says = f"The book states no number of decks{f' ({readings})' if readings else ''}; {assumed}"
        return [Paragraph(says, alert=True)]
    if decks not in book.decks.counts:
        says = f"Outside the book: it allows {book.decks.noun}{where}, and these figures are for {decks}."
        return [Paragraph(says, alert=True)]
    return []


def _findings_section(book: Book, found: Sequence[Finding]) -> Section:
    if not found:
        return Section("Findings", (Paragraph("The linter finds nothing wrong or remarkable in the rulebook."),))
    columns = (Column("Where", 2.3), Column("What was found", 6), Column("Clause, reading", 1.2))
    rows = tuple(
        (
            (
                Cell(_place(book, each.where), "a fault" if each.severity == "fault" else ""),
                Cell(each.says),
                Cell(each.clause, ", ".join(each.readings)) if each.clause else Cell(", ".join(each.readings)),
            ),
        )
        for each in found
    )
    says = (
        "What the linter has to say of the whole rulebook: contradictions in print, rows that no coup can meet, "
        "what could not be verified, and where the edge is with the patron. A price that several layouts share is told "
        "of the first of them."
    )
    return Section("Findings", (Paragraph(says), TableBlock("", columns, rows)))


def _place(book: Book, where: str) -> str:
    """Where a finding is, a bet by its name.

    >>> from punto.rulebook import load
    >>> _place(load("wu-song"), "layout A, player-pair")
    'layout A, Player Pair'
    """
    first, _, last = where.rpartition(", ")
    return f"{first}, {book.bets[last].name}" if first and last in book.bets else where
