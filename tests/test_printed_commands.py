"""What documents print can be given as it stands, whatever files and layouts are called, and is looked at again."""

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from hashlib import sha256
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import punto.rulebook
from punto.odds import bet_odds, full_shoe
from punto.report import BadReport, Confirmation, Exposed, Posted, certificate, confirm, expose_book, html, pdf
from punto.report.charts import edges_svg, exposure_svg
from punto.report.commands import digest_fact, file_name, named
from punto.report.document import Paragraph, TableBlock
from punto.report.drawing import Drawing
from punto.report.evidence import look_at
from punto.report.groups import layout_groups
from punto.report.lettering import glyph, latin
from punto.report.pack import Submission, write_pack
from punto.report.pack.examples import examples
from punto.report.pack.manifest import sums
from punto.report.pack.rack_card import rack_card_svg
from punto.report.pack.rules import rules
from punto.report.pack.signing import IssuerKey
from punto.report.software import software
from punto.rulebook import Book, load
from punto.rulebook.approval import approval
from punto.rulebook.file_differences import file_differences
from punto.rulebook.superseded import superseded
from punto.settlement import Limits
from whole_app import app

from test_cli import refused

SHIPPED = (Path(punto.rulebook.__file__).parent / "books" / "wu-song.toml").read_text(encoding="utf-8")
ALTERED = SHIPPED.replace('odds = "22:1"', 'odds = "23:1"')
ODD_LAYOUT = ALTERED.replace("[layouts.F", '[layouts."High / limit"')
HEAD = "\n".join(
    line
    for line in SHIPPED.splitlines()[:8]
    if line.split(" ")[0] in ("id", "title", "operator", "approver", "version", "effective")
)
BASED = f'base = "wu-song"\n{HEAD}\n'
RUNS = Path(__file__).parent / "runs"


def kept_edition() -> str:
    """The newest edition of a book that was superseded and is read."""
    return [each for each in superseded().values() if each.book == "wu-song"][-1].digest


def book_in(folder: Path, name: str, text: str) -> Book:
    (folder / name).write_text(text, encoding="utf-8")
    return load(str(folder / name))


def small_runs(book: Book, layout: str | None = None) -> tuple[Confirmation, Exposed]:
    return confirm(book, layout, shoes=200), expose_book(book, layout, shoes=4)


# Commands


@pytest.mark.parametrize(
    ("name", "text", "layout"),
    [
        ("my book (v2).toml", ALTERED, None),
        ("it's <mine> & yours.toml", ALTERED, "C"),
        ("wu-song", ALTERED, None),
        ("-x.toml", ALTERED, None),
        ("0" * 64, ALTERED, None),
        ("layout.toml", ODD_LAYOUT, "High / limit"),
        ("based.toml", BASED, None),
    ],
)
def test_commands_are_given_as_they_stand_whatever_a_file_is_called(
    name: str, text: str, layout: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = book_in(tmp_path, f"./{name}", text)
    page = html(certificate(book, layout, 8, *small_runs(book, layout)))
    monkeypatch.chdir(tmp_path)
    body = page.decode().partition("<body>")[2]
    certify, *runs = (shlex.split(unescape(each)) for each in re.findall(r"punto \w+ [^<]*--decks [^<]*", body))
    assert load(certify[2]).digest == book.digest
    assert [each[1] for each in runs] == ["simulate", "exposure"]
    for words in runs:
        answer = CliRunner().invoke(app, [*words[1:], "--json"])
        assert answer.exit_code == 0, answer.output
        assert json.loads(answer.stdout)["digest"] in body


def test_an_edition_that_was_superseded_is_named_by_its_digest() -> None:
    digest = kept_edition()
    book = load(digest)
    assert named(book) == digest
    assert file_name(book) == f"wu-song-{digest[:12]}.toml"
    assert f"punto certify {digest} -o FILE.pdf" in html(certificate(book)).decode()


def test_both_forms_tell_the_commands_and_the_digests(tmp_path: Path) -> None:
    book = load("wu-song")
    confirmed, exposed = small_runs(book, "C")
    document = certificate(book, "C", 8, confirmed, exposed)
    for name, written in (("c.pdf", pdf(document)), ("c.html", html(document))):
        (tmp_path / name).write_bytes(written)
        found = look_at(tmp_path / name)
        assert {book.digest, software().digest, confirmed.digest, exposed.run.digest} <= set(found.digests)
        assert [each[:2] for each in found.repeats] == [("simulate", book.digest), ("exposure", book.digest)]
        assert found.remake == ("certify", book.digest, "--layout", "C", "--decks", "8")


def test_a_certificate_of_a_book_that_has_not_shipped_is_repeated_from_beside_it(tmp_path: Path) -> None:
    book = book_in(tmp_path, "my book.toml", ALTERED)
    (tmp_path / "c.html").write_bytes(html(certificate(book, "C", 8, *small_runs(book, "C"))))
    found = look_at(tmp_path / "c.html")
    assert {each[1] for each in (*found.repeats, found.remake)} == {str(tmp_path / "my book.toml")}


def test_a_certificate_that_was_changed_is_found_by_making_it_again(tmp_path: Path) -> None:
    page = tmp_path / "c.html"
    done = CliRunner().invoke(app, ["certify", "punto-banco", "--decks", "8", "-o", str(page)])
    assert done.exit_code == 0, done.output
    same = CliRunner().invoke(app, ["evidence", str(page), "--repeat"])
    assert (same.exit_code, same.output.count("as the certificate has it"), "the same bytes." in same.output) == (
        0,
        2,
        True,
    )
    page.write_text(page.read_text(encoding="utf-8").replace("1.2351%", "1.2251%"), encoding="utf-8")
    other = CliRunner().invoke(app, ["evidence", str(page), "--repeat"])
    assert other.exit_code == 1
    assert "other bytes: it is not as it was made." in other.output


@pytest.mark.parametrize(
    ("name", "held", "says"),
    [
        ("c.html", b"<!doctype html>Certificate of exact odds \xff", "not UTF-8"),
        ("c.html", b"<!doctype html><body>Certificate of exact odds <code>punto simulate 'x</code>", "nobody can give"),
        ("c.pdf", b"%PDF-1.7 a letter", "no kept run and no certificate"),
        ("manifest.json", b"{}", "holds no manifest of a submission"),
        ("empty", b"", "no kept run"),
    ],
)
def test_rubbish_is_told(name: str, held: bytes, says: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(held)
    with pytest.raises(BadReport, match=says):
        look_at(tmp_path / name)


# Submissions


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A signed submission of a book whose file and whose layout have odd names."""
    folder = tmp_path_factory.mktemp("odd")
    book = book_in(folder, "back\\slash.toml", ODD_LAYOUT)
    asked = Submission("High / limit", 8, earlier=load(kept_edition()), currency="VND")
    write_pack(book, folder / "pack", asked, *small_runs(book, "High / limit"), IssuerKey(bytes(32)))
    return folder / "pack"


def test_a_pack_stays_in_its_folder_and_is_checked_by_standard_tools(pack: Path) -> None:
    assert {path.name for path in pack.glob("layout-*.svg")} >= {"layout-High---limit.svg"}
    assert {path.name for path in pack.parent.iterdir()} == {"pack", "back\\slash.toml"}
    done = subprocess.run(["sha256sum", "-c", "--quiet", "SHA256SUMS"], cwd=pack, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    commands = json.loads((pack / "manifest.json").read_bytes())["commands"]
    words = shlex.split(commands[0])
    assert words[2:4] == ["back\\slash.toml", "--layout"]
    assert words[-6:] == ["--earlier", kept_edition(), "--key", "KEY", "--pack", "FOLDER"]
    assert "--currency VND" in commands[0]


def test_what_sha256sum_prints_is_what_a_list_has(tmp_path: Path) -> None:
    names = ("plain.txt", "back\\slash", "two\nlines")
    for name in names:
        (tmp_path / name).write_bytes(name.encode())
    done = subprocess.run(["sha256sum", *sorted(names)], cwd=tmp_path, capture_output=True, check=True)
    assert sums({name: name.encode() for name in names}) == done.stdout


def test_a_kept_submission_is_held_against_its_list_its_manifest_and_its_signature(pack: Path, tmp_path: Path) -> None:
    found = look_at(pack)
    assert found.kind == "submission"
    assert "and no other is there." in found.says[0]
    assert "is signed by the key" in found.says[1]
    assert look_at(pack / "manifest.json") == found

    def spoilt(number: int) -> Path:
        shutil.copytree(pack, tmp_path / str(number))
        return tmp_path / str(number)

    changed, added, lost, nested, unsigned, forged = map(spoilt, range(6))
    (changed / "rules.html").write_bytes(b"other rules")
    (added / "letter.txt").write_bytes(b"Dear Sir")
    (lost / "rules.pdf").unlink()
    (nested / "more").mkdir()
    (unsigned / "SHA256SUMS.sig").unlink()
    (forged / "rules.html").write_bytes(b"other rules")
    files = {path.name: path.read_bytes() for path in forged.iterdir() if not path.name.startswith("SHA256SUMS")}
    (forged / "SHA256SUMS").write_bytes(sums(files))
    for folder, says in (
        (changed, "is not as SHA256SUMS has it: rules.html"),
        (added, "letter.txt"),
        (lost, "rules.pdf"),
        (nested, "more"),
        (unsigned, "do not go together"),
        (forged, "is not as its manifest has it: rules.html"),
    ):
        with pytest.raises(BadReport, match=re.escape(says)):
            look_at(folder)
    manifest = json.loads((forged / "manifest.json").read_bytes())
    manifest["files"]["rules.html"] = sha256(b"other rules").hexdigest()
    (forged / "manifest.json").write_text(json.dumps(manifest))
    files["manifest.json"] = (forged / "manifest.json").read_bytes()
    (forged / "SHA256SUMS").write_bytes(sums(files))
    with pytest.raises(BadReport, match="is not signed by the key"):
        look_at(forged)


def made_anew(folder: Path, **said: Any) -> None:
    """Change what a manifest says, and make the list of hashes anew, as somebody without the issuer's key could."""
    manifest = json.loads((folder / "manifest.json").read_bytes()) | said
    manifest["files"] = {name: told(folder / name) for name in manifest["files"] if (folder / name).exists()}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    held = {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith("SHA256SUMS")}
    (folder / "SHA256SUMS").write_bytes(sums(held))


def told(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()


def signed_by_another(folder: Path) -> None:
    """Name another key in the manifest alone, and sign by it."""
    key = IssuerKey(bytes([1] * 32))
    made_anew(folder, signed_by=key.public)
    (folder / "SHA256SUMS.sig").write_bytes(key.sign((folder / "SHA256SUMS").read_bytes()))


def without_signature(folder: Path) -> None:
    (folder / "SHA256SUMS.sig").unlink()
    (folder / "issuer.pem").unlink()
    made_anew(folder, signed_by=None)


def with_a_letter(folder: Path) -> None:
    (folder / "letter.txt").write_bytes(b"Dear Sir")
    without_signature(folder)


def with_another_book(folder: Path) -> None:
    book = next(folder.glob("*.toml"))
    book.write_bytes(book.read_bytes() + b"\n")
    without_signature(folder)


def without_certificate(folder: Path) -> None:
    (folder / "certificate.html").unlink()
    without_signature(folder)


def with_another_certificate(folder: Path) -> None:
    page = folder / "certificate.html"
    digest = json.loads((folder / "manifest.json").read_bytes())["software"]["digest"]
    page.write_bytes(page.read_bytes().replace(digest.encode(), b"0" * 64))
    without_signature(folder)


def with_a_stray_key(folder: Path) -> None:
    key = (folder / "issuer.pem").read_bytes()
    without_signature(folder)
    (folder / "issuer.pem").write_bytes(key)
    made_anew(folder)


SPOILT: dict[str, tuple[Callable[[Path], None], str]] = {
    "a file that the manifest does not name": (with_a_letter, "is not as its manifest has it: letter.txt"),
    "a rulebook that is not the manifest's": (with_another_book, "the rulebook of its manifest is not among its files"),
    "no certificate": (without_certificate, "certificate.html is not among its files"),
    "a certificate of other software": (with_another_certificate, "another rulebook or software than its certificate"),
    "a key without a signature": (with_a_stray_key, "do not go together"),
    "a signature of another key than issuer.pem": (signed_by_another, "issuer.pem is not the key"),
}


@pytest.mark.parametrize("name", SPOILT)
def test_a_submission_whose_lists_were_made_anew_must_still_be_of_one_piece(
    name: str, pack: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "spoilt"
    shutil.copytree(pack, folder)
    spoil, says = SPOILT[name]
    spoil(folder)
    with pytest.raises(BadReport, match=re.escape(says)):
        look_at(folder)


def test_a_submission_without_a_signature_says_what_that_means(pack: Path, tmp_path: Path) -> None:
    folder = tmp_path / "unsigned"
    shutil.copytree(pack, folder)
    without_signature(folder)
    assert look_at(folder).says[1].startswith("It is not signed: whoever can write to the folder could have made it")


def test_a_rulebook_called_like_a_file_of_the_pack_is_refused(tmp_path: Path) -> None:
    book = book_in(tmp_path, "rules.html", ALTERED)
    with pytest.raises(BadReport, match="a file of the pack has this name"):
        write_pack(book, tmp_path / "pack", Submission("C", 8), *small_runs(book, "C"))
    assert not (tmp_path / "pack").exists()


def test_a_letter_that_no_font_has_is_told() -> None:
    with pytest.raises(BadReport, match="no font here has the letter '武'"):
        glyph("武", latin())


# Copies


def test_a_copy_that_begins_with_its_base_differs_only_where_it_says_something_else(tmp_path: Path) -> None:
    book = book_in(tmp_path, "based.toml", BASED)
    assert not approval(book).verified
    assert {each.point.split(",")[0] for each in file_differences(load("wu-song"), book)} <= {
        "front",
        "expect",
        "readings",
    }
    other = book_in(tmp_path, "other.toml", BASED + 'decks = { min = 4, max = 9, clause = "2.2.1" }\n')
    assert "decks, max" in {each.point for each in file_differences(load("wu-song"), other)}


def test_the_digest_of_a_file_with_a_base_is_not_called_that_of_the_file(tmp_path: Path) -> None:
    based, alone = book_in(tmp_path, "based.toml", BASED), book_in(tmp_path, "alone.toml", ALTERED)
    assert digest_fact(alone) == ("SHA-256 of the file", sha256((tmp_path / "alone.toml").read_bytes()).hexdigest())
    assert digest_fact(based) == ("SHA-256 with its base", based.digest)
    shown = CliRunner().invoke(app, ["show", str(tmp_path / "based.toml"), "--whole"]).stdout
    assert sha256(shown.encode()).hexdigest() == based.digest


def test_the_clause_index_of_a_shipped_book_is_not_passed_off_as_that_of_a_copy(tmp_path: Path) -> None:
    """The index says 22 to 1 where the copy pays 23."""
    for book, own in ((load("wu-song"), True), (book_in(tmp_path, "mine.toml", ALTERED), False)):
        sections = {each.title: each for each in rules(book, None, certificate(book).issue).sections}
        section = sections["Every clause"]
        says = [block.text for block in section.blocks if isinstance(block, Paragraph) and block.alert]
        assert any(isinstance(block, TableBlock) for block in section.blocks)
        assert bool(says) != own


# Currency


def test_limits_and_examples_are_in_a_currency() -> None:
    """ISO 4217: a dong has no smaller unit, a dinar of Kuwait a thousand of them."""
    book = load("dragon-tiger-hoiana")
    for currency, shown, stake in (("VND", "5000000", "10000 VND"), ("KWD", "5000.000", "10.000 KWD")):
        page = html(certificate(book, "1", 8, posted=Posted(Limits(maximum=5_000_000), 7, currency))).decode()
        assert f"--maximum {shown} --boxes 7 --currency {currency} -o FILE.pdf" in page
        assert f"<dt>Currency</dt><dd>{currency}</dd>" in page
        assert f">{shown}<" in page
        told = html(examples(book, "1", certificate(book).issue, currency)).decode()
        assert f"a stake of {stake}," in told
        assert "10000.00" not in told
    assert "'0.5' is finer than the minor unit, 1." in refused(
        "certify", "wu-song", "-o", "c.pdf", "--maximum", "0.5", "--currency", "JPY"
    )
    assert "is not a currency" in refused("certify", "wu-song", "-o", "c.pdf", "--currency", "dollars")


# Kept runs


def test_no_run_goes_on_from_a_form_that_does_not_seal_its_sums(tmp_path: Path) -> None:
    """A file of today with another net, called one of the earlier form, would have the same digest of its counts."""
    kept = tmp_path / "kept.json"
    run = ("simulate", "wu-song", "--seed", "5", "--shoes", "20")
    assert CliRunner().invoke(app, [*run, "--save", str(kept)]).exit_code == 0
    held = json.loads(kept.read_bytes())
    held["format"] = "punto-tally-1"
    del held["seal"]
    held["bets"]["player"]["net"] = "0"
    kept.write_text(json.dumps(held, separators=(",", ":")))
    for file in (kept, RUNS / "tally-1.json"):
        assert "no run goes on from it" in refused(*run[:-1], "30", "--resume", str(file))


def test_rubbish_limits_are_refused_and_few_are_told() -> None:
    to = ("certify", "wu-song", "-o", "never.pdf")
    assert "'nosuch' is not a bet of this book" in refused(*to, "--bet-maximum", "nosuch=5")
    assert "Layout F does not carry Wu Song" in refused(*to, "--layout", "F", "--bet-maximum", "wu-song=5")
    assert "leaves no stake on Player" in refused(*to, "--maximum", "0.01")
    book = load("wu-song")
    units = html(certificate(book, "A", 8, posted=Posted(Limits(), 9))).decode()
    assert "so amounts are in units" in units
    assert "A round of 9 boxes" in units
    assert "The book allows 6 boxes at most here, and 9 were given." in units
    gap = html(certificate(book, "C", 8, posted=Posted(Limits(differential=50_000)))).decode()
    assert "no bound: no maximum is posted for any bet" in gap


# Words and drawings of one's own

ONE_DECK = """base = "punto-banco"
id = "lantern"
title = "Lantern"
operator = "A house"
approver = "nobody"
version = "1"
effective = 2026-01-01T00:00:00+00:00
decks = { min = 1, max = 1, clause = "D" }

[bets.lantern]
name = "%s"
clause = "L"
loses = { clause = "L#lose" }

[[pays.lantern]]
bet = "lantern"
when = { winner = "tie", points = 8 }
odds = "37:2"
clause = "L#win"

[layouts.plain]
pays = ["player", "banker", "tie", "lantern"]
clause = "A"
positions = { min = 1, max = 14 }
"""


def test_a_book_of_one_deck_is_told_as_such(tmp_path: Path) -> None:
    book = book_in(tmp_path, "one.toml", ONE_DECK % "Lantern")
    issue = certificate(book).issue
    for document in (certificate(book), rules(book, None, issue)):
        said = unescape(re.sub("<[^>]+>", " ", html(document).decode()))
        assert not re.search(r"\b1 decks|1 to 1 deck", said)
    assert "1 deck is used" in said
    assert "The book allows 1 deck (D)." in html(certificate(book)).decode()


def test_long_names_leave_room_for_what_stands_beside_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On charts and rack cards: nothing leaves the sheet, and nothing on one line lies on something else."""
    book = book_in(tmp_path, "long.toml", ONE_DECK % ("The Extraordinarily Lucky Lantern of the Eighth Month " * 2))
    spans: list[tuple[float, float, float, float]] = []
    draw = Drawing.text

    def noted(self: Drawing, words: str, at: tuple[float, float], *rest: Any, **how: Any) -> float:
        wide = draw(self, words, at, *rest, **how)
        start = at[0] - wide * how.get("anchor", 0)
        spans.append((self.width, at[1], start, start + wide))
        return wide

    monkeypatch.setattr(Drawing, "text", noted)
    [group] = layout_groups(book)
    names = {bet: each.bet.name for bet, each in group.menu.bets.items()}
    drawings: tuple[Callable[[], str], ...] = (
        lambda: rack_card_svg(book, group),
        lambda: edges_svg(bet_odds(group.menu, full_shoe(1))),
        lambda: exposure_svg(expose_book(book, shoes=4).run, names),
    )
    for drawn in drawings:
        spans.clear()
        drawn()
        assert all(0 <= start <= end <= wide for wide, _, start, end in spans)
        by_line = sorted((y, start, end) for _, y, start, end in spans)
        for (y, _, end), (next_y, start, _) in pairwise(by_line):
            assert next_y != y or start >= end
