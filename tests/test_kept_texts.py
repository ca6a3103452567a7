"""Texts of books that a journal keeps: what some release has loaded is read by every later one."""

import hashlib
from pathlib import Path

import pytest

from punto.audit.books import kept_book, kept_books
from punto.journal import Journal
from punto.journal import books as kept
from punto.rulebook import BadBook, parse, source


@pytest.mark.parametrize("stray", ['odds = "8:1"', "when = 7", 'when = "otherwise"\nodds = ["1:1"]'])
def test_a_key_that_a_release_took_at_the_top_and_never_read_still_does_nothing(stray: str, tmp_path: Path) -> None:
    """A new file with it is refused, and so is a table of that name, which no release took."""
    plain = source("wu-song").decode().replace('id = "wu-song"', 'id = "mine"')
    strayed = f"{stray}\n{plain}"
    with pytest.raises(BadBook, match="is not a word of the format here"):
        parse(strayed.encode(), "mine.toml")
    journal = Journal(f"sqlite:///{tmp_path}/kept.db")
    journal.upgrade()
    refused = f'[odds]\na = "8:1"\n{plain}'.replace('\nid = "mine"', '\n[x]\nid = "mine"')
    kept.keep_books(journal, [strayed.encode(), refused.encode()])
    digest = hashlib.sha256(strayed.encode()).hexdigest()
    book = kept_book(journal, digest)
    assert (book.id, book.digest, book.text) == ("mine", digest, strayed)
    assert book.pays == parse(plain.encode(), "mine.toml").pays
    library = kept_books(journal)
    assert library.book(digest).id == "mine"
    assert list(library.unreadable) == [hashlib.sha256(refused.encode()).hexdigest()]
    journal.close()


def test_odds_of_what_nobody_can_choose_are_refused_in_a_file_and_passed_over_in_a_kept_text(tmp_path: Path) -> None:
    """Points go from 0 to 9: a release took odds for more, and nothing ever paid them."""
    text = (
        source("wu-song").decode().replace('id = "wu-song"', 'id = "mine"').replace('pays = ["', 'pays = ["chosen", "')
    )
    strayed = f"""{text}
[bets.chosen]
name = "Chosen"
choose = "points"
clause = "4.1"
loses = "4.1"
[[pays.chosen]]
bet = "chosen"
when = {{ winner = "tie", points = "chosen" }}
by = "chosen"
odds = {{ "0-9" = "80:1", 10 = "90:1" }}
clause = "4.1"
"""
    with pytest.raises(BadBook, match="nobody can choose 10: see the bet's `choose`"):
        parse(strayed.encode(), "mine.toml")
    journal = Journal(f"sqlite:///{tmp_path}/kept.db")
    journal.upgrade()
    kept.keep_books(journal, [strayed.encode()])
    book = kept_book(journal, hashlib.sha256(strayed.encode()).hexdigest())
    assert book.pays["chosen"] == parse(strayed.replace(', 10 = "90:1"', "").encode(), "mine.toml").pays["chosen"]
    journal.close()
