"""Evidence that lasts: books, journals and runs of earlier releases, kept as those releases really wrote them."""

import hashlib
import json
import lzma
from pathlib import Path

import pytest

from keep_editions import ROOT, git, superseded
from punto.audit import verify
from punto.exposure import tally as exposed
from punto.journal import Journal
from punto.report import BadReport
from punto.report.evidence import look_at
from punto.rulebook import SHIPPED, BadBook, Refused, UnknownBook, ids, load, source
from punto.rulebook import superseded as kept
from punto.simulation import tally
from punto.simulation.tally import load_kept

from test_cli import ok, punto_command, refused

JOURNALS = Path(__file__).parent / "journals"
RUNS = Path(__file__).parent / "runs"
NEVER = "0" * 64


# Books


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="no history to look into")
def test_every_edition_that_stood_on_the_main_line_is_kept_or_ships() -> None:
    """Fails when a book has changed: python tests/keep_editions.py adds the edition that was replaced."""
    if git("rev-parse", "--is-shallow-repository") != b"false\n":
        pytest.skip("the history is not all there")
    stood = {name: text for name, (_, text) in superseded().items()}
    held = {f"{each.book}/{each.digest}.toml": each.text for each in kept.superseded().values()}
    assert stood.items() <= held.items()


def test_a_kept_edition_is_the_text_that_its_digest_names() -> None:
    for digest, each in kept.superseded().items():
        assert hashlib.sha256(each.text).hexdigest() == digest == each.digest
        assert each.book in ids()
        assert source(digest) == each.text


def test_an_edition_is_loaded_by_its_digest_or_says_what_stands_in_the_way() -> None:
    read = []
    for digest, each in kept.superseded().items():
        try:
            book = load(digest)
        except BadBook:
            with pytest.raises(Refused, match=f"This release cannot read the book {digest[:12]}"):
                SHIPPED.book(digest)
            continue
        assert (book.id, book.digest) == (each.book, digest)
        assert SHIPPED.book(digest) is book
        read.append(each.book)
    assert set(read) == set(ids())  # at least one earlier edition of every book is read
    assert load(load("wu-song").digest) is load("wu-song")


def test_a_digest_that_never_shipped_is_told() -> None:
    with pytest.raises(UnknownBook, match=r"No edition of a book that has shipped has the digest 000000000000…\."):
        load(NEVER)


def test_a_command_takes_an_edition_by_its_digest() -> None:
    earlier = [each for each in kept.superseded().values() if each.book == "wu-song"]
    assert "Wu Song" in ok("show", earlier[-1].digest)
    assert "is not a word of the format here" in refused("show", earlier[0].digest)
    listed = ok("rulebooks", "--superseded").splitlines()
    assert len(listed) == len(kept.superseded())
    assert any(line.split()[0] == "wu-song" and earlier[0].digest in line and "text only" in line for line in listed)
    assert any(earlier[-1].digest in line and line.endswith("read by this release") for line in listed)


# Journals


@pytest.mark.parametrize(
    ("engine", "commands", "rounds"),
    [(1, 102, 9), (2, 112, 10), (3, 109, 9), (4, 108, 9), (5, 105, 9), (6, 107, 9), (7, 115, 11), (8, 107, 9)],
)
def test_a_journal_of_an_earlier_engine_is_decided_again(
    engine: int, commands: int, rounds: int, tmp_path: Path
) -> None:
    """Played through the service of that release. All of it is repeated: no rule that it meets has changed since.

    In that of engine 4 chips are of 1.00, and 610.00 on Banker win 579.50: such tables are kept to the cent.
    """
    file = tmp_path / "punto.db"
    file.write_bytes(lzma.decompress((JOURNALS / f"engine-{engine}.db.xz").read_bytes()))
    journal = Journal.existing(f"sqlite:///{file}")
    found = verify(journal, trusted=(JOURNALS / f"engine-{engine}.key").read_text().strip())
    journal.close()
    assert [each.wrong for each in found] == [None] * 4
    assert sum(each.decided for each in found) == commands
    assert sum(each.rounds for each in found) == rounds
    assert sum(sum(each.not_decided.values()) for each in found) == 0
    assert all(each.signed for each in found if each.table != "house")


# Runs and certificates

KEPT_RUNS = ("tally-1", "tally-2", "tally-3", "tally-4", "exposure-1", "exposure-2")


def test_a_file_of_every_format_of_runs_is_kept_and_documented() -> None:
    forms = {tally.EARLIER, tally.FORMAT, tally.WITH_ROWS, tally.WITH_PLACED, exposed.FORMAT, exposed.WITH_LATE}
    kept_forms = {json.loads((RUNS / f"{name}.json").read_text())["format"] for name in KEPT_RUNS}
    assert kept_forms == forms == {f"punto-{name}" for name in KEPT_RUNS}
    page = (Path(__file__).parent.parent / "docs" / "command-line.md").read_text(encoding="utf-8")
    assert [form for form in sorted(forms) if f"`{form}`" not in page] == []


def test_kept_runs_say_how_far_they_are_sealed(tmp_path: Path) -> None:
    says = {name: " ".join(look_at(RUNS / f"{name}.json").says) for name in KEPT_RUNS}
    assert "only the counts of outcomes and situations are sealed" in says["tally-1"]
    for form in ("tally-2", "tally-3", "tally-4"):
        assert "every count and every sum are sealed, and as they were written." in says[form]
    assert says["exposure-1"] == "20 shoes of seed 3. Everything in it is as it was written."
    assert says["exposure-2"] == "6 shoes of seed 2. Everything in it is as it was written."
    changed = tmp_path / "changed.json"
    changed.write_text((RUNS / "exposure-1.json").read_text().replace('"seed":3', '"seed":4'))
    with pytest.raises(BadReport, match="or it has been changed"):
        look_at(changed)


def test_the_formats_of_counts_hold_the_same_shoes() -> None:
    """Ten shoes of seed 1, kept by three releases: the digest of the counts has not changed."""
    first, second, third = (load_kept(RUNS / f"tally-{form}.json")[0] for form in (1, 2, 3))
    assert first.digest == second.digest == third.digest


def test_a_kept_run_of_bets_on_cards_tells_their_rows() -> None:
    """Of 600 rounds in which every first card of the Player is red or black one bet wins, and the other loses."""
    third = load_kept(RUNS / "tally-3.json")[0]
    assert third.rounds == 600
    red, black = third.rows["player-red"], third.rows["player-black"]
    assert sum(red) == sum(black) == 600


def test_a_kept_run_tells_in_how_many_rounds_a_late_bet_could_be_placed() -> None:
    """Fewer than were dealt, and in another number for each bet."""
    fourth = load_kept(RUNS / "tally-4.json")[0]
    assert fourth.rounds > fourth.placed["comeback"][0] > fourth.placed["flush"][0] > 0


def test_a_certificate_of_an_earlier_release_names_an_edition_that_is_found(tmp_path: Path) -> None:
    """Made by an earlier release by an edition that was superseded since."""
    page = tmp_path / "certificate.html"
    page.write_bytes(lzma.decompress((Path(__file__).parent / "certificates" / "earlier.html.xz").read_bytes()))
    digest = "6bb681160735f0778a5cf97e442fab7ad485d33f4b3bf21471bf45ad4f829823"
    found = look_at(page)
    says = " ".join(found.says)
    assert f"The edition {digest[:12]}… of wu-song was superseded" in says
    assert "and is read by this release." in says
    assert "It was made by another release" in says
    assert [each[:2] for each in found.repeats] == [("simulate", digest), ("exposure", digest)]


def test_what_a_certificate_states_is_repeated_by_its_own_edition(tmp_path: Path) -> None:
    """The digest is the one that an earlier release kept with the counts of these ten shoes."""
    [*_, earlier] = [each for each in kept.superseded().values() if each.book == "wu-song"]
    counts = "98d8c33bfe28ecb17ffc90e4128a169f72b4af8c89ce96940a4e60d24870e820"
    command = "punto simulate wu-song --layout C --shoes 10 --seed 1 --rounds 60"
    page = tmp_path / "page.html"
    text = f"<!doctype html><title>Certificate of exact odds</title><p>{earlier.digest}<p>{counts}<p>{command}<p>"
    page.write_text(text)
    other = tmp_path / "other.html"
    other.write_text(text.replace("--seed 1", "--seed 2"))
    status = punto_command("evidence", str(page), str(other), "--repeat")
    assert f"{counts}: as the certificate has it." in status.stdout
    assert status.returncode == 1
    assert "the certificate has another." in status.stdout


def test_what_is_no_evidence_is_told(tmp_path: Path) -> None:
    (tmp_path / "x.html").write_text("<!doctype html>")
    with pytest.raises(BadReport, match="is no kept run and no certificate"):
        look_at(tmp_path / "x.html")
    (tmp_path / "punto.db").write_bytes(lzma.decompress((JOURNALS / "engine-1.db.xz").read_bytes()))
    assert "punto journal verify --database" in refused("evidence", str(tmp_path / "punto.db"))
