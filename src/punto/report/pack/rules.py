"""The rules in words with every table: bets, pays, insurance, limits, and each clause of the index."""

from punto.report.changed import SECTIONS
from punto.report.document import Block, Cell, Column, Document, Issue, Paragraph, Rows, Section, TableBlock
from punto.report.groups import Group, layout_groups
from punto.report.insurance import STAGES, cap_in_words
from punto.report.pack.booklet import booklet, where
from punto.report.play import table_of_play
from punto.report.readings import clauses
from punto.report.words import point_in_words, words
from punto.rulebook import Basis, Book, Insurance, index_for, printed
from punto.rulebook import clauses as shipped_index
from punto.rulebook.approval import approval, ships
from punto.rulebook.bet_rules import bet_rules
from punto.rulebook.model import Policy
from punto.rulebook.policy_words import policy_names, value_names
from punto.rulebook.words import cover_in_words, pattern_in_words, pays_in_words


def rules(book: Book, layout: str | None, issue: Issue) -> Document:
    """The rules of a book as a document."""
    groups = layout_groups(book, layout)
    beside = "stand beside the approved text and do not replace it"
    if not approval(book).verified:
        beside = "follow from the rulebook file alone and replace no approved text"
    cover = (
        Paragraph(
            f"The rules of the book as Punto carries them out, in words of its own: they {beside}. Every line names "
            "the clause it comes from."
        ),
    )
    sections = [
        _equipment(book, groups),
        table_of_play(book),
        *(pay_section(group) for group in groups),
        *([_insurance(book, book.insurance)] if book.insurance else []),
        _points(book),
        _policies(book),
        *_every_clause(book),
    ]
    return booklet(book, "Rules in words", issue, cover, tuple(sections))


def _equipment(book: Book, groups: list[Group]) -> Section:
    stated = book.decks.min is not None
    used = "is used" if book.decks.noun == "1 deck" else "are used"
    decks = f"{book.decks.noun} {used}" if stated else "The book states no number of decks"
    columns = (Column("Layout", 0.9), Column("Title", 2.4), Column("Positions", 1.6), Column("Clause", 1.6))
    covered = [name for name in book.layouts if any(name in group.layouts for group in groups)]
    rows: list[Rows] = []
    for name in covered:
        layout = book.layouts[name]
        most = layout.positions.max
        boxes = f"{layout.positions.min} to {most}" if most else "not told by the text"
        title = layout.title or layout.version or ""
        basis = Basis((layout.clause,), layout.readings).plus(Basis((), layout.positions.readings))
        rows.append(((Cell(name, strong=True), Cell(title), Cell(boxes), where(basis)),))
    notices: list[Block] = [
        Paragraph(f"Layout {name}: {notice.says} ({clauses(notice.basis)})", alert=True)
        for name in covered
        if (notice := book.layouts[name].notice) is not None
    ]
    readings = f", {', '.join(book.decks.basis.readings)}" if book.decks.basis.readings else ""
    said = Paragraph(f"{decks} ({clauses(book.decks.basis) or 'no clause'}{readings}).")
    return Section("Cards and layouts", (said, *notices, TableBlock("", columns, tuple(rows))))


def pay_section(group: Group) -> Section:
    """Every pay row of a group of layouts, and what loses."""
    columns = (Column("Bet", 2), Column("Outcome", 4), Column("Pays", 1.5), Column("Clause", 1.8))
    rows: list[Rows] = []
    for priced in group.menu.bets.values():
        lines = [
            (
                Cell(priced.bet.name if not at else "", strong=True),
                Cell(str(pattern_in_words(row.when))),
                Cell(pays_in_words(row)),
                where(row.basis),
            )
            for at, row in enumerate(priced.rows)
        ]
        lines += [
            (Cell(""), Cell(str(rule.says)), Cell("is bet"), where(rule.basis))
            for rule in bet_rules(group.menu.book, priced.bet)
        ]
        lines.append((Cell(""), Cell("Any other outcome"), Cell("loses"), where(priced.bet.loses)))
        rows.append(tuple(lines))
    named = f"{group.name[:1].lower()}{group.name[1:]}"
    says = "The first row that an outcome meets counts. Odds are paid to the stake, which comes back as well."
    return Section(f"Pays of {named}", (Paragraph(says), TableBlock("", columns, tuple(rows))))


def _insurance(book: Book, insurance: Insurance) -> Section:
    caps = cap_in_words(insurance)
    for also in insurance.cap_at:
        caps += f" At {also.odds.in_words} cover is at most {also.share} of the {also.of} ({clauses(also.basis)})."
    columns = (
        Column("Offered", 2.2),
        Column("Situation", 3),
        Column("Pays", 1),
        Column("A tie", 1),
        Column("Clause", 1.6),
    )
    rows = tuple(
        (
            (
                Cell(STAGES[row.stage], strong=True),
                Cell(str(cover_in_words(row))),
                Cell(row.odds.in_words),
                Cell("pays" if row.tie_pays else "returns"),
                where(row.basis.plus(row.tie_pays or Basis())),
            ),
        )
        for row in insurance.rows
    )
    blocks: list[Block] = [
        Paragraph(
            f"Cover insures a wager on a hand against that hand losing ({printed(insurance.clause)}). It is offered "
            f"while a card is due ({clauses(insurance.live)}); its prices are those of {printed(insurance.table)}. "
            f"{caps} A tie returns cover but where the table says otherwise ({clauses(insurance.tie)}); cover of the "
            f"hand that wins is lost ({clauses(insurance.won)})."
        ),
        TableBlock("Prices of cover", columns, rows),
        _table("How it is offered", [("insurance", name) for name in insurance.points], book),
    ]
    return Section("Insurance", tuple(blocks))


def _points(book: Book) -> Section:
    tables = [
        _table(title, [(section, name) for name in book.points[section]], book)
        for section, title in SECTIONS.items()
        if book.points.get(section)
    ]
    ranks = "; ".join(" or ".join(map(words, tier)) for tier in book.ranks)
    return Section("Conduct of the game", (Paragraph(f"Ranks from the lowest to the highest: {ranks}."), *tables))


def _table(title: str, names: list[tuple[str, str]], book: Book) -> TableBlock:
    columns = (Column("What holds", 6), Column("Decided by", 1.8), Column("Clause", 1.8))
    rows: list[Rows] = []
    for section, name in names:
        point = book.insurance.points[name] if section == "insurance" and book.insurance else book.points[section][name]
        by = words(point.by or "") + (", with a reason" if point.reason else "")
        rows.append(((Cell(point_in_words(section, name, point)), Cell(by), where(point.basis)),))
    return TableBlock(title, columns, tuple(rows))


def _policies(book: Book) -> Section:
    if not book.policies:
        none = "The book names no point that a ruling may change; what it does not cover is ruled on as it comes up."
        return Section("What a ruling may change", (Paragraph(none),))
    columns = (Column("Point", 2), Column("Taken", 2), Column("A ruling may change it to", 2.5), Column("Clause", 1.5))
    rows = tuple(
        (
            (
                Cell(policy_names(name)[0], strong=True),
                Cell(value_names(name, policy.value)[0]),
                Cell("; or ".join(_other_values(name, policy)) or "nothing else"),
                where(Basis((policy.clause,) if policy.clause else (), (policy.reading,))),
            ),
        )
        for name, policy in book.policies.items()
    )
    says = "Where the text can be read in several ways, this is taken until the residual authority rules otherwise."
    return Section("What a ruling may change", (Paragraph(says), TableBlock("", columns, rows)))


def _other_values(name: str, policy: Policy) -> list[str]:
    return [value_names(name, each)[0] for each in policy.choices if each != policy.value]


def _every_clause(book: Book) -> list[Section]:
    """The clause index, where the book has one."""
    index = index_for(book.id, book.file)
    if not index:
        return []
    columns = (Column("Clause", 1.2), Column("Kind", 1), Column("What it says", 6))
    rows = tuple(
        ((Cell(each.clause.replace("#", " "), strong=each.nature == "heading"), Cell(each.kind), Cell(each.summary)),)
        for each in index.values()
    )
    table = TableBlock("", columns, rows)
    if ships(book) or not shipped_index(book.id):
        return [Section("Every clause", (table,))]
    says = (
        f"This is the index of the {book.id} that ships with Punto. What this file says otherwise is not in it: the "
        "certificate names every such place."
    )
    return [Section("Every clause", (Paragraph(says, alert=True), table))]
