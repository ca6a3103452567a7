"""The pages of a submission as a reader turns them: what the checklist names is there, and nowhere else."""

import re
from functools import cache
from io import BytesIO

import pytest
from pypdf import PdfReader

from punto.report import Issue, certificate
from punto.report.document import Document, Paragraph, Section, TableBlock
from punto.report.pack.checklist import ASKED, checklist
from punto.report.pack.examples import examples
from punto.report.pack.procedures import procedures
from punto.report.pack.rules import rules
from punto.report.pack.sheets import changes, pay_sheet
from punto.report.pdf import pdf, section_pages
from punto.rulebook import ids, load
from punto.rulebook.policy_words import policy_names, value_names
from punto.rulebook.vocabulary import POLICIES
from test_windows_dealt import PRINTED, game

NONE = Issue()
BOOKS = (*ids(), "ez-baccarat", "dragon-bonus")


@cache
def documents(name: str) -> dict[str, Document]:
    book = load(name)
    return {
        "certificate": certificate(book),
        "rules": rules(book, None, NONE),
        "examples": examples(book, None, NONE),
        "procedures": procedures(book, NONE),
        "pay-tables": pay_sheet(book, None, NONE),
    }


def texts(document: Document) -> list[str]:
    """The text of each page of a document, without where its lines end."""
    return [" ".join(page.extract_text().split()) for page in PdfReader(BytesIO(pdf(document))).pages]


@cache
def pages(name: str, document: str) -> list[str]:
    return texts(documents(name)[document])


def rows(name: str) -> dict[str, str]:
    """Each item of the checklist with where it is."""
    found = {each: section_pages(document) for each, document in documents(name).items()}
    tables = [
        block
        for section in checklist(load(name), NONE, found).sections
        for block in section.blocks
        if isinstance(block, TableBlock)
    ]
    return {row[0].text: row[2].text for table in tables for group in table.groups for row in group}


def named(name: str, item: str) -> str:
    """The text of all pages that an item names."""
    found = re.findall(r"([a-z-]+)(?:, “[^”]+”)?, pages? (\d+)(?: to (\d+))?", rows(name)[item])
    return " ".join(" ".join(pages(name, document)[int(a) - 1 : int(b or a)]) for document, a, b in found)


@pytest.mark.parametrize("name", BOOKS)
def test_a_section_begins_on_its_first_page_and_its_last_row_is_on_its_last(name: str) -> None:
    for kind, document in documents(name).items():
        text = pages(name, kind)
        stands = section_pages(document)
        for number, section in enumerate(document.sections, start=1):
            first, last = stands[section.title]
            begin = [at for at, page in enumerate(text, start=1) if f"{number}. {section.title}" in page]
            assert begin[-1] == first <= last <= len(text)  # the list of contents names it too
            block = section.blocks[-1]
            if isinstance(block, TableBlock):
                ends = [cell.text for cell in block.groups[-1][-1] if cell.text]
                on_it = text[last - 1].replace(" ", "")  # a clause may break after a hyphen
                assert all(end.replace(" ", "") in on_it for end in ends), (kind, section.title, last)


def test_a_section_ends_before_the_page_that_the_next_one_begins() -> None:
    """At the very top of a page nothing of the section before it stands; a line above it does."""
    base = documents("ez-baccarat")["rules"]
    long = tuple(Paragraph(f"Line {each}. " + "word " * 60) for each in range(60))
    apart = (Section("One", long), Section("Two", long[:1], page=True))
    together = (Section("One", long), Section("Two", long[:1]))
    for sections, between in ((apart, 1), (together, 0)):
        document = Document("K", "T", "S", "R", "", NONE, (), base.cover, sections)
        stands = section_pages(document)
        assert stands["Two"].first - stands["One"].last == between
        assert "Line 59." in texts(document)[stands["One"].last - 1]


@pytest.mark.parametrize("name", BOOKS)
def test_pages_that_the_checklist_names_hold_what_is_asked_for(name: str) -> None:
    book = load(name)
    identity = named(name, "Version, date of effect and approver")
    assert f"{book.version}, effective {book.effective:%Y-%m-%d}" in identity
    assert "Approv" in identity  # by whom, or that it is no approved text
    told = named(name, "How commission is taken")
    for bet in book.bets.values():
        assert bet.name in told
    point = book.point("money", "commission")
    assert ("Commission" in told) >= (point is not None)
    assert "A round ends when every wager is settled." in named(name, "When a bet may be placed and is settled")
    limits = named(name, "Limits of wagers, and how far the two hands may lie apart")
    assert "Limits are applied in this order: " in limits
    burn = named(name, "The burn and the cut card")
    assert ("Cards are burnt" in burn) == (book.point("dealing", "burn") is not None)
    assert "Table of Play" in named(name, "Cards outside the shoe")
    for item in ("The schedule of pays", "The rules of play", "True odds and payout odds of every wager"):
        assert ("Insurance" in named(name, item)) >= (book.insurance is not None), item


def test_a_card_outside_the_shoe_is_told_in_the_section_that_the_checklist_names() -> None:
    [item] = [each for items in ASKED.values() for each in items if each.what == "Cards outside the shoe"]
    [(kind, title)] = item.where
    assert kind == "rules"
    [section] = [each for each in rules(game(PRINTED[1]), None, NONE).sections if each.title == title]
    assert "7h is printed on the layout" in repr(section)


@pytest.mark.parametrize("name", BOOKS)
def test_a_round_step_by_step_has_the_order_of_the_cards_and_naturals(name: str) -> None:
    """Every book has a clause for both, and a dealer needs them before the third cards."""
    book = load(name)
    [steps] = [each for each in documents(name)["procedures"].sections if each.title == "A round, step by step"]
    [table] = [each for each in steps.blocks if isinstance(each, TableBlock)]
    said = [row[1].text for group in table.groups for row in group]
    order = said.index("The first cards go in turn to Player, Banker, Player and Banker.")
    natural = said.index("With 8 or 9 on the first two cards of either hand no further card is drawn.")
    assert order < natural < said.index("With 0 to 5 the Player draws a third card.")
    assert book.drawing["order"].clauses
    assert book.drawing["natural-player"].clauses


@pytest.mark.parametrize("name", ids())
def test_what_a_ruling_may_change_is_told_in_words_not_in_names_of_the_file(name: str) -> None:
    book = load(name)
    text = " ".join(" ".join(pages(name, kind)) for kind in ("rules", "certificate"))
    for policy in book.policies:
        about = policy_names(policy)[0]
        assert about in text
        assert f"no ruling changes {policy.replace('-', ' ')}" not in text


def test_every_choice_of_a_reading_has_words_and_one_that_a_book_invents_is_no_fault() -> None:
    """docs/rulebook.md: the name of a policy is free, and payments may be rounded to the nearest."""
    assert all(policy_names(name)[1] != name for name in POLICIES)
    assert value_names("payout-rounding", "nearest")[0] == "are rounded to the nearest chip"
    assert policy_names("house-custom")[0] == "House custom"


@pytest.mark.parametrize("other", ids())
def test_no_odds_have_a_colon_in_a_document(other: str) -> None:
    """The checklist says so: odds stand with “to”, in what changed since another edition too."""
    book = load("da-hu-ying-xiong")
    made = [*documents(book.id).values(), *([changes(book, load(other), NONE)] if other != book.id else [])]
    blocks = [block for each in made for section in each.sections for block in section.blocks]
    rows = [row for block in blocks if isinstance(block, TableBlock) for group in block.groups for row in group]
    cells = [cell for row in rows for cell in row]
    assert not [cell.text for cell in cells if re.search(r"(?<![\d:T])\d+(\.\d+)?:\d(?![\d:])", cell.text)]
