"""Evidence that lasts: books, journals and runs of earlier releases, kept as those releases really wrote them."""

import hashlib
import lzma
from pathlib import Path

import pytest

from keep_editions import ROOT, git, superseded
from punto.audit import verify
from punto.journal import Journal
from punto.rulebook import SHIPPED, BadBook, Refused, UnknownBook, ids, load, source
from punto.rulebook import superseded as kept

from test_cli import ok, refused

JOURNALS = Path(__file__).parent / "journals"
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


@pytest.mark.parametrize(("engine", "commands", "rounds"), [(1, 102, 9), (2, 112, 10), (3, 109, 9)])
def test_a_journal_of_an_earlier_engine_is_decided_again(
    engine: int, commands: int, rounds: int, tmp_path: Path
) -> None:
    """Played through the service of that release. All of it is repeated: no rule that it meets has changed since."""
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
