"""Certificates and plots as those who file them meet them.

Published figures are from `published-figures.json`; each has its source beside it. What else is expected was
worked out by hand from those counts, never by running the code under test.
"""

import importlib.util
import math
import os
import re
import subprocess
import sys
from datetime import UTC, date, datetime
from fractions import Fraction
from html import unescape
from io import BytesIO
from pathlib import Path

import msgspec
import pytest
from PIL import Image
from pypdf import PdfReader
from typer.testing import CliRunner

import punto.rulebook
from punto.odds import BadComposition, full_shoe
from punto.report import (
    BadReport,
    Confirmation,
    Goodness,
    Issue,
    Posted,
    SimulatedBet,
    certificate,
    confirm,
    expose_book,
    html,
    layout_groups,
    pages,
    pdf,
    plot_odds,
    software,
    write_certificate,
)
from punto.report.coups import coups
from punto.report.document import Column, Document, Paragraph, Picture, Section, TableBlock, plain
from punto.report.liability import liability
from punto.report.readings import readings_used
from punto.report.seeds import own_seed
from punto.rulebook import Book, Refused, ids, load, menu, readings
from punto.settlement import Limits, Wager, settle
from whole_app import app

BOOKS = Path(punto.rulebook.__file__).parent / "books"
DOCS = Path(__file__).parent.parent / "docs"

# Eight decks. Wizard of Odds, quoted in the wizardofvegas thread of 2014, casinoexploit.com/baccarat.html and
# excelpunks.com.
TOTAL, BANKER, PLAYER, TIE = 4998398275503360, 2292252566437888, 2230518282592256, 475627426473216

# Cover of the Banker hand after four cards, eight decks: Player points, Banker points, chance that the Player wins,
# chance of a tie, expected net. Wizard of Odds, baccarat/insurance/marina-bay-sands (mirror mycraftingplace.com).
COVER = [
    (0, 5, 0.31995, 0.041335, 0.001185),
    (1, 5, 0.283814, 0.041531, -0.107027),
    (2, 5, 0.248356, 0.100738, -0.154193),
    (3, 5, 0.271182, 0.100667, -0.085786),
    (4, 5, 0.294993, 0.100595, -0.014426),
    (0, 6, 0.248749, 0.029391, 0.024389),
    (1, 6, 0.200798, 0.088833, -0.107975),
    (2, 6, 0.212631, 0.08883, -0.060646),
    (3, 6, 0.224458, 0.087932, -0.014235),
    (4, 6, 0.23616, 0.088838, 0.033478),
    (5, 6, 0.248909, 0.088759, 0.084397),
    (0, 7, 0.15434, 0.076268, -0.152035),
    (1, 7, 0.153216, 0.077066, -0.156852),
    (2, 7, 0.153224, 0.077068, -0.156814),
    (3, 7, 0.154128, 0.077066, -0.152294),
    (4, 7, 0.153211, 0.077065, -0.156882),
    (5, 7, 0.154124, 0.077066, -0.152312),
]
PRINTED = [
    str(TOTAL),
    str(BANKER),
    str(PLAYER),
    str(TIE),
    str(Fraction(PLAYER, TOTAL)),
    "1.0579%",  # (PLAYER - 0.95 BANKER) / TOTAL
    "1.2351%",  # (BANKER - PLAYER) / TOTAL
    "14.3596%",  # 1 - 9 TIE / TOTAL
    "10.3614%",  # a pair is 31/415: 1 - 12 * 31/415 = 43/415
    "0.0951559680",  # TIE / TOTAL
    "-8.44% of the stake",  # the 0.084397 above
    "-8.4397%",
]


@pytest.fixture(scope="module")
def commission() -> Document:
    return certificate(load("commission-insurance"))


@pytest.fixture(scope="module")
def written(commission: Document) -> PdfReader:
    return PdfReader(BytesIO(pdf(commission)))


def pdf_text(made: bytes) -> str:
    return reader_text(PdfReader(BytesIO(made)))


def reader_text(read: PdfReader) -> str:
    return "\n".join(page.extract_text() for page in read.pages)


def html_text(made: bytes) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", made.decode().replace("<wbr>", ""))))


def tables(document: Document) -> list[TableBlock]:
    return [block for section in document.sections for block in section.blocks if isinstance(block, TableBlock)]


def own_book(folder: Path, *changes: tuple[str, str], name: str = "commission-insurance") -> Book:
    """A shipped book with some of its text changed, as a file of one's own."""
    text = (BOOKS / f"{name}.toml").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    (folder / "mine.toml").write_text(text, encoding="utf-8")
    return load(str(folder / "mine.toml"))


def test_the_pdf_has_the_published_figures(written: PdfReader) -> None:
    text = reader_text(written)
    for figure in PRINTED:
        assert figure in text


def test_html_says_the_same(commission: Document) -> None:
    text = html_text(html(commission))
    for figure in PRINTED:
        assert figure in text


def test_cover_after_four_cards_is_as_published(commission: Document) -> None:
    [cells] = [table for table in tables(commission) if table.title == "After four cards: cover of the Banker hand"]
    rows = {row[1].text: row for group in cells.groups for row in group}
    assert len(rows) == len(COVER)
    for player, banker, wins, ties, net in COVER:
        _, _, _, won, back, edge = rows[f"Banker {banker} against Player {player}"]
        assert f"{float(won.text):.6f}" == f"{wins:.6f}"
        assert f"{float(back.text):.6f}" == f"{ties:.6f}"
        assert edge.text == f"{-net * 100:.4f}%"
        assert edge.strong == (net > 0)  # the edge is with the patron


def test_it_names_rulebook_software_clauses_and_readings(written: PdfReader) -> None:
    text = reader_text(written)
    book = load("commission-insurance")
    for said in (book.digest, software().digest, book.operator, book.approver, "layouts A to G", "page 1 of"):
        assert said in text
    assert "AMB-31" in text
    assert readings()["AMB-31"] in text
    assert "4.1.2, 4.1.1" in text


def test_the_documented_command_computes_the_digest_of_the_software() -> None:
    """With find, sort and sha256sum alone, as the page has it."""
    done = digest_by_hand(Path(sys.executable))
    assert (done.returncode, done.stdout.split()) == (0, [software().digest, "-"])


def test_the_documented_command_prints_no_digest_where_punto_is_not(tmp_path: Path) -> None:
    """Neither where that Python is not there, nor where it has no Punto."""
    without = tmp_path / "python"
    without.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S -E "$@"\n')
    without.chmod(0o755)
    for python in (tmp_path / "none", without):
        done = digest_by_hand(python)
        assert (done.returncode != 0, done.stdout) == (True, "")


def digest_by_hand(python: Path) -> subprocess.CompletedProcess[str]:
    page = (DOCS / "certificate.md").read_text(encoding="utf-8")
    [command] = re.findall(r"```sh\n(python=.*?sha256sum)\n```", page, flags=re.DOTALL)
    named = command.replace("python=.venv/bin/python", f'python="{python}"')
    assert named != command
    return subprocess.run(["sh", "-c", named], capture_output=True, text=True, timeout=600, check=False)


def test_nothing_is_said_of_an_issue_that_nobody_named(commission: Document, written: PdfReader) -> None:
    information = written.metadata
    assert information is not None
    assert (information.author, information.creation_date, information.modification_date) == (None, None, None)
    assert "Issued on" not in html_text(html(commission))


def test_issuer_and_date_are_on_the_first_page_and_in_the_metadata() -> None:
    issue = Issue("A Test House", date(2026, 11, 16))
    made = certificate(load("wu-song"), "C", issue=issue)
    signed = PdfReader(BytesIO(pdf(made)))
    assert signed.metadata is not None
    assert signed.metadata.author == "A Test House"
    assert signed.metadata.creation_date == datetime(2026, 11, 16, tzinfo=UTC)
    assert signed.metadata.title == "Certificate of exact odds: Wu Song (Non-Commission Baccarat)"
    first, last = signed.pages[0].extract_text(), signed.pages[-1].extract_text()
    assert "A Test House" in first
    assert "2026-11-16" in first
    assert "--issuer 'A Test House' --issued 2026-11-16" in " ".join(first.split())
    for line in ("Prepared by", "Checked by", "Issued by", "Signature"):
        assert line in last
    page = html(made).decode()
    assert '<meta name="author" content="A Test House">' in page
    assert '<meta name="date" content="2026-11-16">' in page


def test_every_page_says_which_it_is_of_how_many(written: PdfReader) -> None:
    for number, page in enumerate(written.pages, start=1):
        text = page.extract_text()
        assert f"page {number} of {len(written.pages)}" in text
        assert number == 1 or "in effect since 2019-09-16" in text


def test_digests_are_in_type_of_one_width_on_a_page_too(commission: Document) -> None:
    page = html(commission).decode()
    digest = load("commission-insurance").digest
    assert f"<dd><code>{digest}</code></dd>" in page
    assert not re.search(r"(?<!<code>)\b[0-9a-f]{64}</", page)


def test_figures_are_numbered_with_captions_alike_in_both_forms(commission: Document, written: PdfReader) -> None:
    for text in (reader_text(written), html_text(html(commission))):
        assert re.findall(r"Figure \d", text) == ["Figure 1", "Figure 2"]
        for says in ("Figure 1. House edges of layouts A to G", "Figure 2. House edge of cover"):
            assert says in " ".join(text.split())


def test_both_forms_have_every_cell_of_every_table(commission: Document, written: PdfReader) -> None:
    in_pdf = "".join(reader_text(written).split())
    in_html = "".join(html_text(html(commission)).split())
    for table in tables(commission):
        for cell in (cell for group in table.groups for row in group for cell in row):
            for words in (cell.text, cell.small):
                assert "".join(words.split()) in in_html
                assert all("".join(word.split()) in in_pdf for word in words.split())


def test_every_number_of_decks_that_the_book_allows_has_its_figures(commission: Document) -> None:
    """Six decks: 403095751234560 Banker, 392220492728832 Player, 83552962932288 Tie (casinoexploit.com)."""
    banker, player, tie = 403095751234560, 392220492728832, 83552962932288
    total = banker + player + tie
    by_decks = next(table for table in tables(commission) if table.title == "Layouts A to G")
    rows = {(group[0][0].text, row[1].text): row for group in by_decks.groups for row in group}
    assert {decks for _, decks in rows} == {"4", "5", "6", "7", "8"}
    edge = Fraction(player) / total - Fraction(95, 100) * Fraction(banker) / total
    deviation = math.sqrt(Fraction(95, 100) ** 2 * Fraction(banker, total) + Fraction(player, total) - edge**2)
    _, _, returns, house, hit, spread, volatility = rows["Banker", "6"]
    assert house.small == str(edge)
    assert returns.text == f"{float(1 - edge) * 100:.4f}%"
    assert hit.text == f"{banker / total * 100:.4f}%"
    assert spread.text == f"{deviation:.6f}"
    assert volatility.text == f"{1.65 * deviation:.6f}"


def test_a_number_of_decks_that_is_named_is_the_only_one() -> None:
    titles = [section.title for section in certificate(load("wu-song"), "C", 6).sections]
    assert "Every number of decks" not in titles
    assert "Every number of decks" in [section.title for section in certificate(load("wu-song"), "C").sections]


def test_the_table_of_play_is_the_published_one(commission: Document) -> None:
    """The Banker's rule as every publication has it: total by total, stood, then third cards 0 to 9."""
    published = {
        "0-2": "D DDDDDDDDDD",
        "3": "D DDDDDDDDSD",
        "4": "D SSDDDDDDSS",
        "5": "D SSSSDDDDSS",
        "6": "S SSSSSSDDSS",
        "7": "S SSSSSSSSSS",
    }
    [banker] = [table for table in tables(commission) if table.title.startswith("Banker's third card")]
    rows = {row[0].text: [cell.text for cell in row[1:-1]] for [row] in banker.groups}
    assert {total: f"{draws[0]} {''.join(draws[1:])}" for total, draws in rows.items()} == published


def test_the_worst_round_costs_what_settling_it_costs() -> None:
    """Every book, with the wagers and covers named, settled by the engine; no other coup costs more."""
    for name in ids():
        for group in layout_groups(load(name)):
            own = {bet: 20_000 for bet, each in group.menu.bets.items() if each.bet.hand is None}
            posted = Limits(maximum=400_000, maximums=own)
            found = liability(group.menu, posted, boxes=3)
            for worst in (found.box, found.round):
                lines = settle(load(name), worst.coup, worst.wagers, worst.covers, layout=group.layouts[0])
                assert sum(line.net for line in lines) == worst.amount
            side = [Wager(bet, stake * found.wagers_per_area) for bet, stake in own.items()]
            hands = [Wager(hand, 400_000 * found.wagers_per_area) for hand in ("player", "banker")]
            for coup in coups()[::7]:
                lines = settle(load(name), coup, [*hands, *side], layout=group.layouts[0])
                assert sum(max(line.net, 0) for line in lines) <= found.box.amount


def test_a_differential_holds_the_hands_of_a_round_together() -> None:
    """Dragon Tiger without insurance: seven boxes of 1,000 on the Player, but 2,500 may be the difference."""
    carried = menu(load("dragon-tiger-hoiana"), "1")
    side = [bet for bet, priced in carried.bets.items() if priced.bet.hand is None]
    hands = Limits(maximum=100_000, maximums=dict.fromkeys(side, 100))
    free = liability(carried, hands, boxes=7).round.amount
    held = liability(carried, msgspec.structs.replace(hands, differential=250_000), boxes=7).round.amount
    assert free - held == 7 * 100_000 - 250_000


def test_a_bet_without_a_maximum_is_named() -> None:
    """Its maximum is for box and hand (3.6), so that of the table holds no side bet."""
    posted = Posted(Limits(maximum=100_000), 7)
    text = html_text(html(certificate(load("wu-song"), "C", posted=posted)))
    assert "No maximum holds for" in text
    assert "--maximum 1000.00 --boxes 7" in text


def test_what_a_box_can_cost_names_the_window_of_each_cover() -> None:
    """da-hu-ying-xiong 4.1.2: Banker 6 against 5 at 5 to 2, then against 2 at 4 to 1: 25,000 and 40,000."""
    text = html_text(html(certificate(load("da-hu-ying-xiong"), "A", posted=Posted(Limits(maximum=1_000_000)))))
    assert "65000.00, if Player" in text
    covers = ("of Banker cover after four cards", "of Banker cover after the Player's third card")
    assert f"10000.00 {covers[0]} and 10000.00 {covers[1]}" in text


def test_every_assumption_is_numbered_and_names_what_it_rests_on(commission: Document) -> None:
    [section] = [section for section in commission.sections if section.title == "Assumptions"]
    [table] = [block for block in section.blocks if isinstance(block, TableBlock)]
    assert [row[0].text for [row] in table.groups] == [str(number) for number in range(1, len(table.groups) + 1)]
    text = " ".join(f"{row[1].text} {row[2].text} {row[2].small}" for [row] in table.groups)
    for said in ("52 cards", "Table of Play", "rounded to a chip", "AMB-30", "AMB-42", "cover is offered", "3.12.1"):
        assert said in text


def test_each_book_is_confirmed_by_shoes_of_its_own(tmp_path: Path) -> None:
    seeds = {own_seed(load(name)) for name in ids()}
    assert len(seeds) == len(ids())
    assert confirm(load("wu-song"), "C", shoes=100).seed == own_seed(load("wu-song"))
    assert own_seed(own_book(tmp_path, ("\n[terms]", "\n [terms]"))) not in seeds


@pytest.mark.parametrize("name", ids())
def test_the_rows_of_a_bet_share_all_deals_among_them(name: str) -> None:
    for table in tables(certificate(load(name), None, 8)):
        if table.title == "Every pay row":
            assert {sum(int(row[4].text) for row in group) for group in table.groups} == {TOTAL}


@pytest.mark.parametrize("name", ids())
def test_every_reading_used_is_explained(name: str) -> None:
    book = load(name)
    used = readings_used(book, layout_groups(book))
    assert used
    assert set(used) <= set(readings())
    for rows in book.pays.values():
        assert {reading for row in rows for reading in row.basis.readings} <= set(used)


@pytest.mark.parametrize("name", ["wu-song", "ez-baccarat"])
def test_every_reading_that_an_assumption_names_is_explained(name: str) -> None:
    sections = {section.title: section for section in certificate(load(name), None, 8).sections}
    named, explained = (
        [
            row
            for block in sections[title].blocks
            if isinstance(block, TableBlock)
            for group in block.groups
            for row in group
        ]
        for title in ("Assumptions", "Readings")
    )
    cited = {reading for row in named for reading in row[2].small.split(", ") if reading}
    assert "AMB-30" in cited
    assert cited <= {row[0].text for row in explained}


def test_layouts_with_the_same_rows_are_told_once() -> None:
    assert [group.name for group in layout_groups(load("da-hu-ying-xiong"))] == ["Layouts A to R"]
    assert [group.layouts for group in layout_groups(load("dragon-tiger-hoiana"))] == [("1", "2"), ("3", "4")]
    made = certificate(load("dragon-tiger-hoiana"), "3")
    assert made.sections[0].title == "Bets of layout 3"


def test_contradictions_in_print_are_among_the_findings() -> None:
    text = pdf_text(pdf(certificate(load("dragon-tiger-mbs"), None, 8)))
    assert "layout K" in text
    assert "25 to 1" in text  # what appendix K prints for Small Tiger
    assert "AMB-40" in text


SCRIPT = """
import sys
from punto.odds import full_shoe
from punto.report import confirm, plot_odds, write_certificate
from punto.rulebook import load, menu
folder, book = sys.argv[1], load("commission-insurance")
for name in ("certificate.pdf", "certificate.html"):
    write_certificate(book, f"{folder}/{name}", confirmation=confirm(book, shoes=5000))
for form in ("png", "svg", "pdf"):
    plot_odds(menu(book), full_shoe(8), f"{folder}/plot.{form}")
"""


def test_run_again_it_is_the_same_byte_for_byte(tmp_path: Path) -> None:
    """Two processes, in which nothing is hashed alike."""
    made = []
    for seed in ("1", "2"):
        folder = tmp_path / seed
        folder.mkdir()
        env = {**os.environ, "PYTHONHASHSEED": seed, "SOURCE_DATE_EPOCH": seed * 9}
        subprocess.run([sys.executable, "-c", SCRIPT, str(folder)], env=env, check=True, timeout=600)
        made.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert len(made[0]) == 5
    assert made[0] == made[1]


def test_one_byte_of_the_rulebook_changes_the_digest(tmp_path: Path) -> None:
    shipped = load("commission-insurance")
    mine = own_book(tmp_path, ("\n[terms]", "\n [terms]"))
    text = pdf_text(pdf(certificate(mine, None, 8)))
    assert mine.digest != shipped.digest
    assert f"SHA-256 of the file {mine.digest}" in text
    assert "punto certify mine.toml" in text


def test_approval_is_never_copied(tmp_path: Path) -> None:
    """A shipped book with one changed odd is not the text that was approved, and the row is named."""
    shipped = load("wu-song")
    assert shipped.approver in html_text(html(certificate(shipped, "C")))
    file = tmp_path / "wu-song.toml"
    text = (BOOKS / "wu-song.toml").read_text(encoding="utf-8")
    assert text.count('odds = "22:1"') == 1
    file.write_text(text.replace('odds = "22:1"', 'odds = "23:1"'), encoding="utf-8")
    words = html_text(html(certificate(load(str(file)), "C")))
    assert "Approved by" not in words
    assert "Not verified" in words
    assert shipped.digest in words
    assert "Differences from the shipped edition" in words
    assert "22:1" in words
    assert "23:1" in words


@pytest.mark.parametrize(
    ("book", "shipped", "altered", "place", "said"),
    [
        ("wu-song", 'odds = "150:1"', 'odds = "140:1"', "pays, wu-dalang, row 1, odds", ("150:1", "140:1")),
        ("wu-song", "decks = { min = 4, max = 10,", "decks = { min = 4, max = 8,", "decks, max", ("10", "8")),
        ("wu-song", '"Natural" = "1.12"', '"Natural" = "1.13"', "terms, Natural", ("1.12", "1.13")),
        (
            "commission-insurance",
            'tie = { clause = "4.2.1", readings = ["AMB-53"] }',
            'tie = { clause = "4.2.1" }',
            "insurance, tie, readings",
            ("AMB-53", "nothing is said"),
        ),
        (
            "commission-insurance",
            'own = 6\nopposite = "0-5"\nodds = "3:1"',
            'own = 6\nopposite = "0-5"\nodds = "7:2"',
            "insurance, row, row 2, odds",
            ("3:1", "7:2"),
        ),
    ],
)
def test_every_place_that_an_altered_copy_differs_in_is_named(
    tmp_path: Path, book: str, shipped: str, altered: str, place: str, said: tuple[str, str]
) -> None:
    """An odd, a limit, a term, a reading, a cell of insurance: the place is named with what stands there."""
    text = (BOOKS / f"{book}.toml").read_text(encoding="utf-8")
    assert shipped in text
    file = tmp_path / f"{book}.toml"
    file.write_text(text.replace(shipped, altered, 1), encoding="utf-8")
    words = html_text(html(certificate(load(str(file)), "A")))
    assert "Approved by" not in words
    assert "says the same on every point" not in words
    assert " ".join((place, *said)) in " ".join(words.split())


def test_a_copy_that_says_the_same_is_not_called_approved_either(tmp_path: Path) -> None:
    file = tmp_path / "wu-song.toml"
    file.write_bytes(b"# a copy\n" + (BOOKS / "wu-song.toml").read_bytes())
    words = html_text(html(certificate(load(str(file)), "C")))
    assert "Approved by" not in words
    assert "says the same on every point" in words


def test_decks_outside_the_book_are_flagged() -> None:
    book = load("commission-insurance")
    assert "Outside the book: it allows 4 to 8 decks (2.2.1)" in html_text(html(certificate(book, "A", 10)))
    assert "Outside the book" not in html_text(html(certificate(book, "A", 4)))
    assert "no number of decks (AMB-90)" in html_text(html(certificate(load("dragon-tiger-hoiana"), "1")))


@pytest.mark.parametrize("name", ids())
def test_the_longest_fractions_fit_their_columns(name: str) -> None:
    """Those of twelve decks. A letter of the small type is 5.2 x 0.602 points wide, a figure of the text 8 x 0.465."""
    for table in tables(certificate(load(name), None, 12)):
        shares = sum(column.share for column in table.columns)
        for row in (row for group in table.groups for row in group):
            for column, cell in zip(table.columns, row, strict=True):
                room = (210 - 2 * 18) / 25.4 * 72 * column.share / shares - 6
                parts = cell.small.split("/") if column.kind == "figure" else []
                assert all(5.2 * 0.602 * (len(part) + 1) < room for part in parts)
                assert column.kind != "figure" or 8 * 0.465 * len(cell.text) < room


def test_nothing_is_set_beyond_the_margins() -> None:
    """They are 18 mm, or 51 points, wide, and white."""
    for page in pages(certificate(load("commission-insurance"), "A", 12), ppi=72):
        seen = Image.open(BytesIO(page)).convert("L")
        for left in (0, seen.width - 49):
            assert seen.crop((left, 0, left + 49, seen.height)).getextrema() == (255, 255)


def test_a_bet_that_favours_the_patron_is_flagged(tmp_path: Path) -> None:
    """A tie at 12 to 1: 1 - 13 * 475627426473216 / 4998398275503360 = -0.237028."""
    mine = own_book(tmp_path, ('odds = "8:1"\nclause = "4.1.2#tie"', 'odds = "12:1"\nclause = "4.1.2#tie"'))
    assert "Tie is with the patron: its edge is -23.7028%." in html_text(html(certificate(mine, "A", 8)))


def test_what_the_fonts_lack_is_refused_as_pdf(tmp_path: Path) -> None:
    mine = own_book(tmp_path, ('name = "Tie"', 'name = "和"'))
    with pytest.raises(BadReport, match=r"^The PDF cannot be made: .*和.* An HTML certificate has no such limit\.$"):
        pdf(certificate(mine, "A", 8))
    assert "和" in html_text(html(certificate(mine, "A", 8)))


def test_markup_in_a_book_is_only_text(tmp_path: Path) -> None:
    mine = own_book(tmp_path, ('name = "Tie"', 'name = "<b>#panic() & $x$"'))
    made = certificate(mine, "A", 8)
    assert b"<b>" not in html(made)
    assert "#panic() & $x$" in pdf_text(pdf(made))


def test_the_confirmation_is_shown_with_seed_and_digest() -> None:
    given = Confirmation(
        seed=7,
        shoes=1000,
        rounds=60000,
        digest="ab" * 32,
        tests=(Goodness("Outcomes", 101.25, 99, 0.4186),),
        level=0.99,
        bets={"Layouts A to G": (SimulatedBet("Player", 0.012351, 0.0125, 0.0101, 0.0149),)},
    )
    text = html_text(html(certificate(load("commission-insurance"), confirmation=given)))
    for said in ("ab" * 32, "101.25 99 0.4186", "--shoes 1000 --seed 7 --rounds 60", "1.0100% to 1.4900% inside"):
        assert said in text
    assert "What was counted agrees with the exact probabilities." in text
    wrong = msgspec.structs.replace(given, tests=(Goodness("Outcomes", 301.25, 99, 0.0),))
    text = html_text(html(certificate(load("commission-insurance"), confirmation=wrong)))
    assert "does not agree with the exact probabilities (outcomes)" in text


def test_a_bet_without_an_interval_is_not_judged() -> None:
    """Two shoes do not tell how far shoes lie apart, so they say nothing against an exact edge."""
    found = confirm(load("wu-song"), "C", shoes=2)
    [bets] = found.bets.values()
    assert {each.inside for each in bets} == {None}
    text = html_text(html(certificate(load("wu-song"), "C", confirmation=found)))
    assert "outside" not in text.split("exact edges outside.")[1]
    assert "none not judged" in text


@pytest.mark.parametrize(("name", "decks"), [("commission-insurance", 8), ("wu-song", 1)])
def test_shoes_that_were_dealt_confirm_the_figures(name: str, decks: int) -> None:
    found = confirm(load(name), decks=decks, shoes=20_000)
    assert found.rounds == 20_000 * (52 * decks // 6)
    assert len(found.tests) == (3 if load(name).insurance else 1)
    assert all(test.agrees for test in found.tests)
    assert all(each.inside for bets in found.bets.values() for each in bets)
    assert found == confirm(load(name), decks=decks, shoes=20_000)
    assert found.digest != confirm(load(name), decks=decks, shoes=20_000, seed=2).digest


def test_shoes_tell_one_price_from_another(tmp_path: Path) -> None:
    """The published edge of a tie at 8 to 1 is outside what shoes give for a tie at 9 to 1."""
    mine = own_book(tmp_path, ('odds = "8:1"\nclause = "4.1.2#tie"', 'odds = "9:1"\nclause = "4.1.2#tie"'))
    [bets] = confirm(mine, shoes=20_000).bets.values()
    [tie] = [each for each in bets if each.name == "Tie"]
    assert tie.inside
    assert not msgspec.structs.replace(tie, exact=0.143596).inside


def test_what_is_refused(tmp_path: Path) -> None:
    book = load("commission-insurance")
    with pytest.raises(BadReport, match=r"c\.doc: a certificate is a \.pdf or an \.html file\."):
        write_certificate(book, tmp_path / "c.doc")
    with pytest.raises(BadReport, match=r"p\.gif: a drawing is a \.png, \.svg or \.pdf file\."):
        plot_odds(menu(book), full_shoe(8), tmp_path / "p.gif")
    with pytest.raises(FileNotFoundError):
        write_certificate(book, tmp_path / "no" / "c.pdf")
    for issuer in ("  ", "One\nOther", "\x07"):
        with pytest.raises(BadReport, match="names no issuer: it is a name on one line"):
            Issue(issuer)
    for decks in (0, 1000):
        with pytest.raises(BadComposition, match="decks"):
            certificate(book, None, decks)
    with pytest.raises(Refused, match="There is no layout 'Z'"):
        certificate(book, "Z")


@pytest.mark.parametrize(("form", "begins"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
@pytest.mark.parametrize("name", ["wu-song", "da-hu-ying-xiong"])
def test_plots_go_by_the_suffix(tmp_path: Path, name: str, form: str, begins: bytes) -> None:
    path = tmp_path / f"plot.{form.upper()}"
    plot_odds(menu(load(name)), full_shoe(6), path)
    assert path.read_bytes().startswith(begins)


@pytest.mark.parametrize("name", ids())
def test_the_commands_that_a_certificate_prints_give_what_it_prints(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is run as it stands, but for the number of shoes of the confirmation, which is made with fewer here."""
    monkeypatch.chdir(tmp_path)
    book = load(name)
    confirmed, exposed = confirm(book, shoes=2000), expose_book(book, shoes=20)
    page = html(certificate(book, None, 8, confirmed, exposed)).decode()
    commands = re.findall(r"punto (?:certify|simulate|exposure) [^<]*", page)
    assert [command.split()[1] for command in commands] == ["certify", "simulate", "exposure"]
    digests = {"simulate": confirmed.digest, "exposure": exposed.run.digest}
    for command in commands[1:]:
        words = unescape(command).split()[1:]
        answer = CliRunner().invoke(app, words)
        assert answer.exit_code == 0, answer.output
        assert digests[words[0]] in answer.stdout
        assert digests[words[0]] in page
        told = CliRunner().invoke(app, [*words, "--json"])
        assert msgspec.json.decode(told.stdout)["digest"] == digests[words[0]]


def test_the_command_writes_the_file_and_prints_its_digest(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "punto", "certify", "wu-song", "--layout", "C", "-o"]
    done = subprocess.run([*command, str(tmp_path / "c.pdf")], capture_output=True, text=True, timeout=600, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r".*c\.pdf  SHA-256 [0-9a-f]{64}\n", done.stdout)
    assert (tmp_path / "c.pdf").read_bytes().startswith(b"%PDF")
    for wrong, says in (("c.txt", "a .pdf or an .html file."), ("no/c.pdf", "No such file or directory.")):
        path = str(tmp_path / wrong)
        done = subprocess.run([*command, path], capture_output=True, text=True, timeout=600, check=False)
        assert done.returncode == 1
        assert done.stderr.startswith("punto: ")
        assert says in done.stderr


def laid_out(*sections: Section) -> list[str]:
    """The text of the pages that some sections make."""
    issue = Issue("A House", date(2026, 11, 16))
    made = pdf(Document("Kind", "Title", "", "running", "0" * 64, issue, (), (), sections))
    return [" ".join(page.extract_text().split()) for page in PdfReader(BytesIO(made)).pages]


def table_of(rows: int) -> TableBlock:
    groups = tuple((plain(f"row {number}", "x"),) for number in range(rows))
    return TableBlock("Of a title", (Column("First", 1), Column("Second", 1)), groups)


def test_a_picture_stands_under_its_heading_however_tall_it_is() -> None:
    tall = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="40"><rect width="10" height="40"/></svg>'
    drawn = Section("Drawn", (Paragraph("Beware.", True), Picture(tall, "a bar", "A bar")))
    [page] = [each for each in laid_out(Section("Above", (table_of(20),)), drawn) if "Beware." in each]
    assert "2. Drawn" in page
    assert "Figure 1. A bar" in page


@pytest.mark.parametrize("before", range(24, 44, 3))
def test_a_short_table_is_on_one_page_with_its_title_and_a_long_one_begins_with_some_rows(before: int) -> None:
    above, said = Section("Above", (table_of(before),)), Paragraph("Read this.")
    [whole] = [page for page in laid_out(above, Section("Below", (said, table_of(12)))) if "2. Below" in page][-1:]
    assert "Read this." in whole
    assert "row 11" in whole
    [begins] = [page for page in laid_out(above, Section("Below", (said, table_of(70)))) if "Read this." in page]
    assert begins.partition("Read this.")[2].count("row ") > 3


def test_the_page_of_all_figures_is_current() -> None:
    """`python docs/figures.py` writes it anew."""
    spec = importlib.util.spec_from_file_location("figures_page", DOCS / "figures.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    page = (DOCS / "figures.md").read_text(encoding="utf-8")
    assert module.page() == page
    assert len(page) < 200_000
    # Banker with 6 decks, from 403095751234560, 392220492728832 and 83552962932288 deals
    # (casinoexploit.com/baccarat.html): (P - 0.95 B) / (B + P + T) = 0.010558.
    assert "| Banker | 1.0517 | 1.0542 | 1.0558 | 1.0570 | 1.0579 |" in page
