"""A submission as those who receive it meet it: made and checked by the commands of its page."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from importlib.metadata import version
from itertools import permutations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from fontTools.fontBuilder import FontBuilder  # type: ignore[import-untyped]  # it has no stubs
from fontTools.pens.ttGlyphPen import TTGlyphPen  # type: ignore[import-untyped]  # it has no stubs
from typer.testing import CliRunner

import punto
from punto.coup import cards
from punto.report import BadReport, Issue, certificate, html, layout_groups, software
from punto.report.document import Document, Paragraph, TableBlock, as_drawn
from punto.report.drawing import Drawing
from punto.report.lettering import Font, chinese_font, latin
from punto.report.liability import liability
from punto.report.pack.checklist import ASKED
from punto.report.pack.chinese import bet_in_chinese, characters, in_chinese, layout_in_chinese
from punto.report.pack.examples import STAKE, examples
from punto.report.pack.felt import SCALE, layout_svg
from punto.report.pack.manifest import environment
from punto.report.pack.procedures import procedures
from punto.report.pack.rack_card import rack_card_svg
from punto.report.pack.rules import rules
from punto.report.pack.sheets import changes, pay_sheet
from punto.report.pack.signing import issuer_key
from punto.report.words import cases_in_words, step_in_words, unsaid_cases, unsaid_points, words
from punto.rulebook import Book, clauses, deal_by, ids, load, menu, printed, source
from punto.rulebook import readings as register
from punto.rulebook.facts import FACTS, GUARDS
from punto.rulebook.model import Remedy
from punto.rulebook.vocabulary import NEEDS_OBJECT, POINTS, VERBS
from punto.rulebook.words import pattern_in_words
from punto.settlement import Wager, money, settle
from pythons import faults
from test_windows_dealt import game
from whole_app import app

from second import MENUS, draw

DOCS = Path(__file__).parent.parent / "docs"
BOOKS = Path(punto.__file__).parent / "rulebook" / "books"
SVG = "{http://www.w3.org/2000/svg}"
NONE = Issue()


def shell_blocks() -> list[str]:
    page = (DOCS / "submission.md").read_text(encoding="utf-8")
    return re.findall(r"```sh\n(.*?)```", page, flags=re.DOTALL)


def run(command: str, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", **more}
    command = command.replace("punto certify", f"{sys.executable} -m punto certify")
    return subprocess.run(["sh", "-ec", command], cwd=folder, env=env, capture_output=True, text=True, timeout=600)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The submission that the page makes."""
    if shutil.which("openssl") is None:
        pytest.skip("The page makes its key with OpenSSL, which is not here.")
    folder = tmp_path_factory.mktemp("issuer")
    done = run(shell_blocks()[0], folder)
    assert done.returncode == 0, done.stderr
    return folder / "submission"


def cells(document: Document, title: str) -> list[list[tuple[str, str]]]:
    """The rows of all tables of a section, each cell with its small type."""
    [section] = [section for section in document.sections if section.title.startswith(title)]
    tables = [block for block in section.blocks if isinstance(block, TableBlock)]
    return [[(cell.text, cell.small) for cell in row] for table in tables for group in table.groups for row in group]


def everything(document: Document) -> str:
    return " ".join(
        f"{text} {small}"
        for section in document.sections
        for row in cells(document, section.title)
        for text, small in row
    )


def test_the_commands_of_the_page_check_it_and_find_one_changed_byte(made: Path, tmp_path: Path) -> None:
    check = shell_blocks()[1]
    done = run(check, made.parent)
    assert (done.returncode, done.stdout.strip()) == (0, "Signature Verified Successfully"), done.stderr
    for changed in ("pay-tables.html", "layout-C.svg", "SHA256SUMS", "SHA256SUMS.sig"):
        copy = tmp_path / changed / "submission"
        shutil.copytree(made, copy)
        content = bytearray((copy / changed).read_bytes())
        content[-2] ^= 1
        (copy / changed).write_bytes(bytes(content))
        assert run(check, copy.parent).returncode != 0


def test_the_signature_is_the_issuers(made: Path) -> None:
    key = load_pem_public_key((made / "issuer.pem").read_bytes())
    assert isinstance(key, Ed25519PublicKey)
    signed, signature = (made / "SHA256SUMS").read_bytes(), (made / "SHA256SUMS.sig").read_bytes()
    key.verify(signature, signed)
    with pytest.raises(InvalidSignature):
        key.verify(signature, signed + b"\n")
    own = issuer_key(made.parent / "issuer.key")
    assert own.pem == (made / "issuer.pem").read_bytes()
    assert json.loads((made / "manifest.json").read_bytes())["signed_by"] == key.public_bytes_raw().hex()


def test_the_command_in_the_manifest_makes_the_same_bytes_again(made: Path, tmp_path: Path) -> None:
    """In another process, in which nothing is hashed alike, and another folder."""
    command = json.loads((made / "manifest.json").read_bytes())["commands"][0]
    command = command.replace("--key KEY", f"--key {made.parent / 'issuer.key'}").replace("FOLDER", "again")
    done = run(command, tmp_path, PYTHONHASHSEED="7", SOURCE_DATE_EPOCH="1")
    assert done.returncode == 0, done.stderr
    once = {path.name: path.read_bytes() for path in made.iterdir()}
    again = {path.name: path.read_bytes() for path in (tmp_path / "again").iterdir()}
    assert once.keys() == again.keys()
    assert [name for name in once if once[name] != again[name]] == []


def test_the_manifest_has_every_file_and_every_version(made: Path) -> None:
    found = json.loads((made / "manifest.json").read_bytes())
    names = {path.name for path in made.iterdir()}
    besides = {"manifest.json", "manifest.pdf", "manifest.html", "issuer.pem", "SHA256SUMS", "SHA256SUMS.sig"}
    assert set(found["files"]) == names - besides
    for name, digest in found["files"].items():
        assert hashlib.sha256((made / name).read_bytes()).hexdigest() == digest
    assert found["software"]["digest"] == software().digest
    made_with = found["environment"]
    assert made_with["python"].endswith(".".join(map(str, sys.version_info[:3])))
    for library in ("matplotlib", "msgspec", "numba", "numpy", "pillow", "typst"):
        assert made_with["libraries"][library] == version(library)
    assert "psycopg-binary" in environment((), signed=True).libraries  # asked for as an extra of psycopg
    if sys.platform != "win32":  # asked for there alone, and installed here by what checks and tests take
        assert "colorama" not in made_with["libraries"]
    assert found["seeds"]["Confirmation"] == int(load("wu-song").digest[:8], 16)
    assert (made / "wu-song.toml").read_bytes() == (BOOKS / "wu-song.toml").read_bytes()


def test_environment_is_nowhere_but_in_the_manifest(made: Path) -> None:
    """So another Python with the same libraries changes nothing else."""
    for path in made.glob("*.html"):
        says = ".".join(map(str, sys.version_info[:3])) in path.read_text(encoding="utf-8")
        assert says == (path.name == "manifest.html")


def test_two_pythons_may_differ_in_what_the_manifest_says_of_them_alone(made: Path) -> None:
    """`make pythons` compares whole submissions so; here the second is the first with something changed."""
    once = {path.name: path.read_bytes() for path in made.iterdir()}
    manifest = json.loads(once["manifest.json"])
    manifest["environment"]["python"] = "CPython 3.99.0"
    signed = {"SHA256SUMS.sig": b"another", "manifest.pdf": b"another"}
    assert faults(once, {**once, **signed, "manifest.json": json.dumps(manifest).encode()}) == []
    manifest["environment"]["libraries"]["numpy"] = "another"
    assert len(faults(once, {**once, "manifest.json": json.dumps(manifest).encode()})) == 1
    assert faults(once, {**once, "rules.pdf": once["rules.pdf"] + b"\n"}) == ["rules.pdf"]
    more = once["SHA256SUMS"].replace(b"rules.pdf", b"rules.txt")
    assert len(faults(once, {**once, "SHA256SUMS": more})) == 1


def test_every_item_of_the_checklist_has_a_place(made: Path) -> None:
    """But what changed, since no earlier edition was given. tests/test_pack_pages.py goes to the pages."""
    page = (made / "checklist.html").read_text(encoding="utf-8")
    assert page.count("not in this pack") == 1
    assert page.count("<tbody>") == sum(map(len, ASKED.values()))


@pytest.mark.parametrize("name", ids())
def test_every_worked_example_is_what_the_second_implementation_pays(name: str) -> None:
    """Every bet of every group of layouts: each of its pay rows has an example, and a loss."""
    book = load(name)
    document = examples(book, None, NONE)
    for group in layout_groups(book):
        named = f"{group.name[:1].lower()}{group.name[1:]}"
        rows = cells(document, f"Wins, losses and ties of {named}")
        bets = {priced.bet.name: bet for bet, priced in group.menu.bets.items()}
        seen: dict[str, list[Fraction | None]] = {}
        bet = ""
        for (title, _), (drawn, _), _, (net, _), _ in rows:
            bet = bets.get(title, bet)
            ranks = [card.rank for card in cards(drawn)]
            paid = MENUS[name][group.layouts[0]][bet](draw(*ranks, *[1] * (6 - len(ranks))))
            assert Fraction(net) * 100 == STAKE * (-1 if paid is None else paid), (bet, drawn)
            seen.setdefault(bet, []).append(paid)
        for each, priced in group.menu.bets.items():
            assert len(seen[each]) == len(priced.rows) + 1
            assert None in seen[each]
            assert {row.odds.fraction for row in priced.rows if row.odds} <= set(seen[each])


def test_cover_wins_loses_and_ties_by_the_book() -> None:
    """commission-insurance 4.1.3 and 4.2.1: 3 to 1 on 6 against 0 to 5, and a tie with 9 pays 8 to 1."""
    document = examples(load("commission-insurance"), None, NONE)
    assert "under a maximum of 400.00 and in chips of 1.00." in html(document).decode()
    rows = cells(document, "Insurance that wins")
    nets: dict[str, list[str]] = {}
    name = ""
    for (title, small), _, _, (net, _), _ in rows:
        name = f"{title}, {small}" if title else name
        nets.setdefault(name, []).append(net)
    assert nets["Banker 6 against Player 0-5, After four cards"] == ["+99.00", "-33.00", "0.00"]
    assert nets["Player 9 against Banker 0-6, After the Player's third card"] == ["-12.00", "+96.00"]
    assert len(nets) == 15


def test_special_cases_say_what_limits_and_chips_do() -> None:
    """The differential of 1,000 is shared as 5.1.1 has it: 720, 180 and the minimum of 100."""
    text = everything(examples(load("wu-song"), None, NONE))
    for said in (
        "720.00 on Player wins",
        "180.00 on Player wins",
        "100.00 on Player wins",
        "1280.00 is over the limit",
    ):
        assert said in text
    assert "on Player could not be paid in chips of 100.00: stakes are a multiple of 200.00." in text
    assert "A differential of 1000.00, with a minimum of 100.00" in text
    commission = everything(examples(load("dragon-tiger-mbs"), None, NONE))
    assert "could not be paid exactly" in commission
    assert "cannot be laid in chips" in commission
    assert "100.00 on Banker could not be paid in chips of 100.00: stakes are a multiple of 2000.00." in commission


def test_a_second_cap_of_cover_is_among_the_special_cases() -> None:
    """da-hu-ying-xiong 3.12.2: at 10 to 1 a quarter of the maximum; a bet of 100 under 100 is insured with 25."""
    cases = {case: says for (case, _), _, (says, _), _ in cells(examples(load("da-hu-ying-xiong"), None, NONE), "Spec")}
    capped = "Refused: Cover of 100.00 at 10 to 1 is over its cap: at most 25.00 may be struck on 100.00."
    assert cases["Cover at 10 to 1, with a maximum of 100.00"] == capped


@pytest.mark.parametrize(
    ("name", "said"),
    [
        # 5.1: the House shall reject the excess Bets
        ("wu-song", "Before the close, wagers beyond the differential are rejected."),
        # 5.2: an opportunity to increase or withdraw
        ("wu-song", "is told so, and may raise the wager or take it back."),
        # 3.9 and 4.7: the seated Player with the highest Bet on the table; 3.9 of wu-song: any Player
        ("commission-insurance", "the seated patron with the highest wager at the table may ask to squeeze a card"),
        ("dragon-tiger-hoiana", "the seated patron with the highest wager at the table may ask to squeeze a card"),
        ("wu-song", "the patron with the highest wager at the table may ask to squeeze a card"),
        # 5.13 and 5.13.2: to the Players who had intended to place an Insurance Bet which would have won
        ("commission-insurance", "comes back to whoever meant to take cover that then wins."),
        ("commission-insurance", "comes back to whoever meant to take cover that would have won."),
        ("da-hu-ying-xiong", "comes back to whoever meant to take cover that would have won."),
        # 5.13.1: the total payout shall not exceed the Original Bet
        ("da-hu-ying-xiong", "What cover of a late offer wins may not exceed the insured wager."),
        # 5.14: all future wagers by the same Player that are under the minimum shall be returned
        ("dragon-tiger-mbs", "once for a patron; any later one comes back."),
        # 3.10 and 1.16: the first and third cards are the Player's; the second digit of the total
        ("da-hu-ying-xiong", "The first cards go in turn to Player, Banker, Player and Banker (3.10)."),
        ("da-hu-ying-xiong", "Of a total over nine the last digit counts (1.16)."),
    ],
)
def test_the_rules_in_words_leave_out_nothing_that_decides(name: str, said: str) -> None:
    document = rules(load(name), None, NONE)
    blocks = [block for section in document.sections for block in section.blocks]
    paragraphs = [block.text for block in blocks if isinstance(block, Paragraph)]
    assert said in " ".join([everything(document), *paragraphs])


@pytest.mark.parametrize("name", ids())
def test_the_rules_have_every_clause_and_every_pay_row(name: str) -> None:
    book = load(name)
    document = rules(book, None, NONE)
    text = everything(document)
    for each in clauses(name).values():
        assert each.summary in text
    for group in layout_groups(book):
        rows = cells(document, f"Pays of {group.name[:1].lower()}{group.name[1:]}")
        assert len(rows) == sum(len(priced.rows) + 1 for priced in group.menu.bets.values())
    if book.insurance:
        assert len([row for row in cells(document, "Insurance") if len(row) == 5]) == len(book.insurance.rows)


@pytest.mark.parametrize("name", ids())
def test_procedures_have_every_irregularity_and_every_rank(name: str) -> None:
    book = load(name)
    document = procedures(book, NONE)
    table = cells(document, "Irregularities")
    assert len([row for row in table if len(row) == 4]) == sum(len(row.do) for row in book.irregularities)
    text = " ".join(f"{small} {clause}" for row in table for clause, small in row[-1:])
    for row in book.irregularities:
        for clause in row.basis.clauses:
            assert printed(clause) in text
    [by_rank] = [section for section in document.sections if section.title == "By rank"]
    titles = [block.title for block in by_rank.blocks if isinstance(block, TableBlock)]
    deciding = {step.by for row in book.irregularities for step in row.do if step.by} - {"house"}
    assert {words(rank).capitalize() for rank in deciding} <= set(titles)
    for block in by_rank.blocks:
        if isinstance(block, TableBlock):
            decided = [tuple(cell.text for cell in row[:2]) for group in block.groups for row in group]
            assert len(set(decided)) == len(decided), "nothing is said twice of a rank"
    assert len(cells(document, "Where the book is silent")) == len(book.silent)


@pytest.mark.parametrize(
    ("name", "paid"),
    [
        *((name, "settled again by it") for name in ids() if name != "dragon-tiger-mbs"),  # RWS 5.15, Hoiana 7.16
        ("dragon-tiger-mbs", "the gaming shift manager rules instead"),  # 6.1, AMB-103
    ],
)
def test_procedures_say_of_a_wrong_call_what_becomes_of_a_paid_round(name: str, paid: str) -> None:
    told = everything(procedures(load(name), NONE))
    both = ("settled again by it", "rules instead")
    assert [each for each in both if each in told] == [each for each in both if each in paid]


@pytest.mark.parametrize("name", ["wu-song", "punto-banco", "ez-baccarat"])
def test_no_table_is_empty_and_no_column_of_one(name: str) -> None:
    """A public game has no irregularities, no rulings and few readings: a sentence says so, not an empty table."""
    book = load(name)
    documents = [rules(book, None, Issue()), procedures(book, Issue()), examples(book, None, Issue())]
    for document in (*documents, certificate(book, None, 8)):
        tables = [(each, block) for each in as_drawn(document).sections for block in each.blocks]
        for section, table in tables:
            if isinstance(table, TableBlock):
                rows = [row for group in table.groups for row in group]
                assert rows, section.title
                for at, column in enumerate(table.columns):
                    assert any(row[at].text or row[at].small for row in rows), (section.title, column.title)


@pytest.mark.parametrize("name", ids())
def test_every_reading_that_a_document_cites_is_explained_in_it(name: str) -> None:
    book = load(name)
    cited: set[str] = set()
    for document in (rules(book, None, NONE), procedures(book, NONE), examples(book, None, NONE)):
        told = {row[0][0]: row[1][0] for row in cells(document, "Readings")}
        found = set(re.findall(r"AMB-\d+", everything(document)))
        assert set(told) == found
        assert all(says == register()[reading].replace("`", "") for reading, says in told.items())
        cited |= found
    assert {reading for row in book.irregularities for reading in row.basis.readings} <= cited


@pytest.mark.parametrize("name", ids())
def test_cases_are_told_in_words_and_not_by_names_and_values_of_the_file(name: str) -> None:
    told = everything(procedures(load(name), NONE))
    for guard, values in ((guard, GUARDS[guard].values) for guard in GUARDS):
        for value in (*values, "yes", "no"):
            assert f"{words(guard)}: {words(value)}" not in told
    assert ", or " in cases_in_words({"noticed": frozenset({"in-round", "next-round"})})


def test_every_word_of_the_vocabulary_has_a_sentence() -> None:
    assert unsaid_points() == []
    assert unsaid_cases() == []
    for verb, objects in VERBS.items():
        told = [None] * (verb not in NEEDS_OBJECT) + [each for each in objects if len(each) > 1]
        for each in told:
            step = Remedy(verb, each, None, False, {}, None, (), (), ())
            assert step_in_words(step).endswith(".")


@pytest.mark.parametrize("name", ids())
def test_a_layout_is_drawn_to_scale_with_all_its_areas(name: str) -> None:
    book = load(name)
    for layout in book.layouts:
        root = ElementTree.fromstring(layout_svg(book, layout))
        wide, high = (float(root.attrib[each].removesuffix("mm")) for each in ("width", "height"))
        _, _, across, down = map(float, root.attrib["viewBox"].split())
        assert (round(across / wide), round(down / high)) == (SCALE, SCALE)
        on = book.layouts[layout]
        boxes = on.positions.max or on.positions.min
        areas = [path for path in root.iter(f"{SVG}path") if "A" in path.attrib["d"] and "stroke" in path.attrib]
        assert len(areas) == boxes * (len(menu(book, layout).bets) + 1)
        assert not list(root.iter(f"{SVG}text"))  # letters are outlines
        for use in root.iter(f"{SVG}use"):
            assert use.attrib["href"].startswith("#g")


def test_a_rack_card_is_ten_centimetres_wide_and_nothing_leaves_it() -> None:
    for name in ids():
        book = load(name)
        for group in layout_groups(book):
            root = ElementTree.fromstring(rack_card_svg(book, group))
            assert root.attrib["width"] == "100mm"
            for place in root.iter(f"{SVG}g"):
                moved = re.match(r"translate\(([\d.]+) ([\d.]+)\)", place.attrib["transform"])
                assert moved is not None
                assert 0 < float(moved[1]) < 100
                assert float(moved[2]) < float(root.attrib["height"].removesuffix("mm"))


def test_a_rack_card_that_would_be_too_long_goes_on_in_columns() -> None:
    """Thirteen bets of seven rows each, one for every rank: on paper no longer than an A4 page."""
    book = load("match")
    for group in layout_groups(book):
        root = ElementTree.fromstring(rack_card_svg(book, group))
        wide, high = (float(root.attrib[each].removesuffix("mm")) for each in ("width", "height"))
        assert high < 297
        assert wide % 100 == 0
        starts = [
            re.match(r"translate\(([\d.]+) ([\d.]+)\)", each.attrib["transform"]) for each in root.iter(f"{SVG}g")
        ]
        places = [(float(each[1]), float(each[2])) for each in starts if each is not None]
        assert len(places) == len(set(places))  # nothing lies on another
        assert all(x < wide and y < high for x, y in places)
        assert (wide > 100) == (len(group.menu.bets) > 10)


@pytest.fixture(scope="module")
def boxes_for_characters(tmp_path_factory: pytest.TempPathFactory) -> Font:
    """A font in which every Chinese character that a drawing may need is a box."""
    pen = TTGlyphPen(None)
    for x, y in ((0, 0), (0, 900), (900, 900), (900, 0)):
        (pen.lineTo if x or y else pen.moveTo)((x, y))
    pen.closePath()
    box = pen.glyph()
    names = {ord(letter): f"u{ord(letter):05X}" for name in ids() for letter in characters(load(name))}
    built = FontBuilder(1000, isTTF=True)
    built.setupGlyphOrder([".notdef", *names.values()])
    built.setupCharacterMap(names)
    built.setupGlyf(dict.fromkeys((".notdef", *names.values()), box))
    built.setupHorizontalMetrics(dict.fromkeys((".notdef", *names.values()), (1000, 0)))
    built.setupHorizontalHeader(ascent=900, descent=-100)
    built.setupNameTable({"familyName": "Boxes", "styleName": "Regular"})
    built.setupOS2()
    built.setupPost()
    path = tmp_path_factory.mktemp("fonts") / "boxes.ttf"
    built.save(path)
    found = chinese_font(path, characters(load("dragon-tiger-mbs")))
    assert found is not None
    return found


def test_drawings_in_chinese_name_bets_as_the_screens_do(tmp_path: Path) -> None:
    script = (Path(punto.__file__).parent / "web/base/bet-names.js").read_text(encoding="utf-8")
    screens = dict(re.findall(r'^  "?([\w ]+)"?: "([^"]+)",$', script, re.MULTILINE))
    bets = [bet for name in ids() for bet in load(name).bets.values()]
    assert {bet.name: bet_in_chinese(bet) for bet in bets} == screens
    with pytest.raises(BadReport, match="lacks characters"):
        chinese_font(Path(latin().path), characters(load("wu-song")))
    with pytest.raises(BadReport, match="no such font"):
        chinese_font(tmp_path / "none.ttf", characters(load("wu-song")))


def test_pairs_in_chinese_are_told_by_rank_and_not_by_points() -> None:
    """J-J and K-K are both worth 0 points, and are no twins (da-hu-ying-xiong 1.25, AMB-04)."""
    rows = menu(load("da-hu-ying-xiong"))["tiger-pair"].rows
    assert [in_chinese(pattern_in_words(row.when).message) for row in rows] == [
        "只有一方成對",
        "雙方成對但牌階不同",
        "雙方成對且牌階相同",
    ]


def test_drawings_in_chinese_have_the_names_that_a_book_gives(tmp_path: Path) -> None:
    """Traditional before any other Chinese, and all of them before those of the screens; its letters are asked for."""
    text = source("wu-song").decode()
    for before, after in (
        ('name = "Tie"', 'name = "Tie"\nnames = { zh-Hans = "平", zh-Hant = "平局" }'),
        ('name = "Wu Song"', 'name = "Wu Song"\nnames = { vi = "Võ Tòng", zh-Hans = "打虎" }'),
        ("[layouts.C]", '[layouts.C]\ntitle = "Small"\ntitles = { zh-Hant = "麗檯" }'),
    ):
        assert before in text
        text = text.replace(before, after, 1)
    (tmp_path / "mine.toml").write_text(text, encoding="utf-8")
    mine = load(str(tmp_path / "mine.toml"))
    named = {bet: bet_in_chinese(mine.bets[bet]) for bet in ("tie", "wu-song", "player")}
    assert named == {"tie": "平局", "wu-song": "打虎", "player": "閒"}
    assert layout_in_chinese(mine.layouts["C"]) == "麗檯"
    assert {"打", "麗"} <= set(characters(mine))


@pytest.mark.parametrize("name", ids())
def test_drawings_in_chinese_have_no_english_but_names(
    name: str, boxes_for_characters: Font, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Titles, operators and ids are names; of all else nothing is left in Latin letters."""
    drawn: list[str] = []
    draw_text = Drawing.text

    def noted(self: Drawing, said: str, *places: Any, **how: Any) -> float:
        drawn.append(said)
        return draw_text(self, said, *places, **how)

    monkeypatch.setattr(Drawing, "text", noted)
    book = load(name)
    for group in layout_groups(book):
        rack_card_svg(book, group, boxes_for_characters)
    for layout in book.layouts:
        layout_svg(book, layout, boxes_for_characters)
    titles = [each.title for each in book.layouts.values() if each.title]
    names = [book.title, book.operator, book.id, book.digest, book.digest[:16], *titles]
    for said in drawn:
        left = said
        for each in names:
            left = left.replace(each, "")
        assert not re.search("[A-Za-z]{2}", left), said
    assert any("賠" in said for said in drawn)


@pytest.mark.parametrize("name", ["wu-song", "punto-banco"])
def test_only_rules_of_an_approved_text_stand_beside_one(name: str, tmp_path: Path) -> None:
    """An altered copy and a public game follow from their file, and from no approved text."""
    said = "they follow from the rulebook file alone and replace no approved text."
    copy = tmp_path / "copy.toml"
    copy.write_bytes(source(name) + b"# changed\n")
    assert (said in first_words(rules(load(name), None, NONE))) == (name == "punto-banco")
    assert said in first_words(rules(load(str(copy)), None, NONE))


def first_words(document: Document) -> str:
    """The paragraph on the first page."""
    [paragraph] = [each for each in document.cover if isinstance(each, Paragraph)]
    return paragraph.text


def test_what_changed_since_an_earlier_edition_is_named(tmp_path: Path) -> None:
    text = (BOOKS / "wu-song.toml").read_text(encoding="utf-8")
    earlier = tmp_path / "earlier.toml"
    earlier.write_text(text.replace('odds = "22:1"', 'odds = "23:1"').replace('version = "3"', 'version = "2"'))
    document = changes(load("wu-song"), load(str(earlier)), NONE)
    rows = {row[0][0]: (row[1][0], row[2][0]) for row in cells(document, "What changed")}
    assert rows["Version"] == ("2", "3")
    tiger = rows["Bet: Small Tiger"]
    assert "23 to 1" in tiger[0]
    assert "22 to 1" in tiger[1]


def test_what_changed_is_told_in_words_and_not_in_those_of_the_file() -> None:
    """No name of a point, a fact, a rank or a bet stands there as the file writes it."""
    books = [load(name) for name in ids()]
    written = set(FACTS) | {name for points in POINTS.values() for name in points}
    for book in books:
        written |= {*book.bets, *book.offers, *book.policies, *(rank for tier in book.ranks for rank in tier)}
    written = {name for name in written if "-" in name}
    for one, other in permutations(books, 2):
        for row in cells(changes(other, one, NONE), "What changed"):
            for text in (row[0][0], row[1][0], row[2][0]):
                found = set(re.findall(r"[a-z]+(?:-[a-z]+)+", text)) & written
                assert not found, text
        assert all(row[1] != row[2] for row in cells(changes(other, one, NONE), "What changed"))


def test_what_a_pack_refuses(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("Dear Sir")
    (tmp_path / "key").write_text("no key")
    for options, says in (
        (["--pack", str(tmp_path / "full")], "empty folder"),
        (["--pack", str(tmp_path / "new"), "--key", str(tmp_path / "key")], "no private Ed25519 key"),
        (["-o", "c.pdf", "--earlier", "wu-song"], "for a pack"),
        ([], "-o FILE, or --pack FOLDER"),
    ):
        done = CliRunner().invoke(app, ["certify", "wu-song", *options])
        assert done.exit_code != 0
        assert says in " ".join(f"{done.output} {done.exception}".replace("│", " ").split())
    assert not (tmp_path / "new").exists()


def _own_game() -> Book:
    """A game with a printed card, bets that look at cards, and bets that are placed after the first four."""
    return game('player-first = "7h"')


def test_examples_beside_a_printed_card_and_in_windows_can_be_dealt() -> None:
    """Each is settled again from the cards as drawn, and a late bet must have been on offer."""
    book = _own_game()
    bets = {bet.name: bet.id for bet in book.bets.values()}
    table = examples(book, None, Issue()).sections[0].blocks[0]
    assert isinstance(table, TableBlock)
    shown = set()
    for group in table.groups:
        bet = bets[group[0][0].text]
        for _, drawn, says, net, _ in group:
            assert drawn.small.startswith("Player 7h ")
            coup = deal_by(book, drawn.text)
            [line] = settle(book, coup, [Wager(bet, STAKE)])
            assert (line.says, money(net.text.lstrip("+-"))) == (says.text, abs(line.net))
            shown.add((bet, line.result))
    assert {("comeback", result) for result in ("win", "lose", "stand-off")} <= shown
    assert {("flush", "win"), ("flush", "lose"), ("suited", "win"), ("suited", "lose")} <= shown


def test_the_worst_coup_beside_a_printed_card_can_be_dealt() -> None:
    found = liability(menu(_own_game()), boxes=3)
    for worst in (found.box, found.round):
        assert str(worst.coup.cards[0]) == "7h"


def test_a_printed_card_and_late_bets_are_told_wherever_a_patron_or_a_dealer_reads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    book = _own_game()
    printed_card, late = "7h is printed on the layout", "only while the first four cards lie open"
    for document in (rules(book, None, Issue()), pay_sheet(book, None, Issue())):
        assert printed_card in html(document).decode()
        assert late in html(document).decode()
    assert printed_card in html(procedures(book, Issue())).decode()
    whole = html(certificate(book)).decode()
    assert printed_card in whole
    assert str(416 * 415 * 414 * 413 * 412) in whole  # five cards come from the shoe
    drawn: list[str] = []

    def noted(_self: Drawing, said: str, *_places: Any, **_how: Any) -> float:
        drawn.append(said)
        return 0.0

    monkeypatch.setattr(Drawing, "text", noted)
    rack_card_svg(book, layout_groups(book)[0])
    assert printed_card in " ".join(drawn)
    assert late in " ".join(drawn)
    layout_svg(book, "plain")
    assert "7♥" in drawn
