"""A submission as its reader has it: letters that can be read, lists that show what differs, sentences that are so."""

import re
from pathlib import Path

import pytest

from punto.odds import full_shoe
from punto.report import Issue, certificate, layout_groups
from punto.report.document import Document, Facts, Paragraph, Picture, TableBlock
from punto.report.insurance import insurance_sections
from punto.report.pack.manifest import Environment, manifest, manifest_document
from punto.report.pack.rack_card import rack_card_svg
from punto.report.pack.rules import rules
from punto.report.pack.sheets import changes, drawings
from punto.report.payouts import payouts_section
from punto.rulebook import ids, load, source
from punto.rulebook.shipped import games

NONE = Issue()
POINT = 25.4 / 72
"""A point of type, in millimetres."""


def texts(document: Document, title: str) -> list[str]:
    """The paragraphs of a section."""
    return [
        block.text
        for section in document.sections
        if section.title == title
        for block in section.blocks
        if isinstance(block, Paragraph)
    ]


@pytest.mark.parametrize("name", [*ids(), *games()])
def test_no_letter_of_a_rack_card_is_too_small_to_be_read(name: str) -> None:
    """Four points are the small print of a cigarette packet; the words of a row are of six at least."""
    book = load(name)
    for group in layout_groups(book):
        heights = {float(each) * 100 / POINT for each in re.findall(r"scale\(([\d.]+) -", rack_card_svg(book, group))}
        assert min(heights) > 4, group.name


def test_what_a_manifest_does_not_list_is_said() -> None:
    book = load("wu-song")
    made = Environment("CPython", "Linux", {}, {})
    for key in (None, "00" * 32):
        found = manifest(book, NONE, key, made, {}, (), {"rules.pdf": b""})
        said = " ".join(each for each in texts(manifest_document(book, NONE, found), "Files") if "listed here" in each)
        unlisted = ["manifest", "SHA256SUMS"] + (["SHA256SUMS.sig", "issuer.pem"] if key else [])
        assert [name for name in unlisted if name not in said] == []


def test_of_readings_only_those_that_differ_are_shown(tmp_path: Path) -> None:
    """The file itself says which: one of two readings of limits was exchanged for another."""
    text = source("wu-song").decode()
    assert '"AMB-26"' in text
    assert '"AMB-27"' not in text
    earlier = tmp_path / "earlier.toml"
    earlier.write_text(text.replace('"AMB-26"', '"AMB-27"'), encoding="utf-8")
    document = changes(load("wu-song"), load(str(earlier)), NONE)
    [table] = [each for each in document.sections[0].blocks if isinstance(each, TableBlock)]
    rows = {row[0].text: (row[1].text, row[2].text) for group in table.groups for row in group}
    assert rows["Readings"] == ("AMB-27, not in the other", "AMB-26, not in the other")


def test_a_drawing_that_is_reduced_is_not_passed_off_as_one_to_scale() -> None:
    book = load("wu-song")
    felt = {"layout-A.svg": ('<svg width="271mm" height="160mm"/>', "Layout A")}
    pictures = [
        block
        for section in drawings(book, NONE, {}, felt).sections
        for block in section.blocks
        if isinstance(block, Picture)
    ]
    assert ["reduced" in picture.caption for picture in pictures] == [True]


@pytest.mark.parametrize("name", [*ids(), *games()])
def test_the_head_of_every_page_of_a_certificate_can_be_read(name: str) -> None:
    """A letter of a serif is about 0.45 of its size wide: so many fit on 174 mm at five and a half points."""
    document = certificate(load(name))
    assert len(document.title) + len(document.running) < 174 / (0.45 * 5.5 * POINT)
    assert document.running.endswith(("8 decks", "6 decks"))


@pytest.mark.parametrize(("name", "bound"), [("match", True), ("wu-song", False)])
def test_what_box_and_round_cost_is_called_a_bound_where_it_is_one(name: str, bound: bool) -> None:
    """Of thirteen bets, one for each rank, at most one is paid for six cards of its rank: no more lie there."""
    section = payouts_section(layout_groups(load(name)), None)
    names = [fact[0] for block in section.blocks if isinstance(block, Facts) for fact in block.facts]
    assert any(("at most" in each) for each in names) == bound


def test_certificate_and_rules_say_the_cap_of_cover_in_the_same_words() -> None:
    for name in ("da-hu-ying-xiong", "commission-insurance"):
        book = load(name)
        [said] = texts(rules(book, None, NONE), "Insurance")
        certified = " ".join(
            block.text for block in insurance_sections(book, full_shoe(8))[0].blocks if isinstance(block, Paragraph)
        )
        [cap] = re.findall(r"Cap: .*? may not exceed the bet, [^.]*\([\d.]+\)\.", said)
        assert cap in certified
