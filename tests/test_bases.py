"""A book that begins with another: what its file says goes before the base, and the whole is what it is known by."""

import tomllib
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from punto.audit import verify
from punto.journal import books as kept
from punto.journal import public_key
from punto.lint import lint
from punto.rulebook import BadBook, Book, games, ids, load, menu, parse, source, texts_in, whole
from punto.rulebook.bases import OWN
from punto.rulebook.toml_writer import write_toml
from service_process import PATIENCE, People, Service, bearer, open_house, opening, signing_key_in, until
from warm_start import warm_starts

from test_cli import punto_command

HEAD = """id = "mine"
title = "Mine"
operator = "A house"
approver = "nobody"
version = "1"
effective = 2026-01-01T00:00:00+00:00
"""
MINE = f'base = "punto-banco"\n{HEAD}'
LUCKY = """
[bets.lucky]
name = "Lucky"
clause = "B.lucky"
loses = "B.lucky"

[[pays.lucky]]
bet = "lucky"
when = { winner = "tie", points = 0 }
odds = "150:1"
clause = "P.lucky"
"""


def book_of(text: str) -> Book:
    return parse(text.encode(), "mine.toml")


def said(book: Book) -> dict[str, Any]:
    """All that a book says, without the name, the text and the digest of its file."""
    return {key: value for key, value in msgspec.structs.asdict(book).items() if key not in ("digest", "file", "text")}


def faults(text: str) -> list[str]:
    with pytest.raises(BadBook) as refused:
        book_of(text)
    return list(map(str, refused.value.faults))


# Text from data


@pytest.mark.parametrize("book", [*ids(), *games()])
def test_the_text_written_of_a_book_says_the_same_and_is_always_the_same(book: str) -> None:
    data = tomllib.loads(whole(source(book), book).decode())
    text = write_toml(data)
    assert tomllib.loads(text) == data
    assert write_toml(tomllib.loads(text)) == text
    assert said(parse(text.encode(), "written.toml")) == said(load(book))


def test_whatever_a_text_may_contain_is_written_so_that_it_is_read_again() -> None:
    data = {
        "plain": 'a "quoted" \\ back, a tab \t, a line\n, a bell \x07, 大',
        "empty": {},
        "none": [],
        "tables": [],
        "mixed": [1, [True, -2], {"a b": 0.5, "": "x"}],
        "long": ["something of a length"] * 12,
        "bets": {"x": {"a": {"b": {"c": []}}}, "odd.key": {}},
        "pays": {"x": [{"odds": {"1-6": "1:1"}}, {}], "y": []},
    }
    assert tomllib.loads(write_toml(data)) == data


# The whole


@pytest.mark.parametrize("base", ids())
def test_a_file_that_only_names_itself_says_what_its_base_says(base: str) -> None:
    text = f'base = "{base}"\n{HEAD}'
    own, there = said(book_of(text)), said(load(base))
    assert {key for key in own if own[key] != there[key]} <= set(OWN)


def test_the_digest_is_that_of_the_whole_text_which_needs_no_base() -> None:
    book, text = book_of(MINE), whole(MINE.encode(), "mine.toml")
    assert sha256(text).hexdigest() == book.digest
    again = parse(text, "again.toml")
    assert again.digest == book.digest
    assert said(again) == said(book)
    assert b"base" not in text


def test_a_file_without_a_base_keeps_the_digest_of_its_bytes() -> None:
    for book in ids():
        assert load(book).digest == sha256(source(book)).hexdigest()
        assert whole(source(book), book) == source(book)


def test_a_comment_or_another_order_makes_no_other_book() -> None:
    other = "# The same.\n" + "\n".join(reversed(HEAD.splitlines())) + '\nbase = "punto-banco"\n'
    assert book_of(other).digest == book_of(MINE).digest


def test_what_a_file_says_replaces_or_adds_key_by_key() -> None:
    text = f"""{MINE}decks = {{ max = 10 }}
{LUCKY}
[bets.tie]
name = "Égalité"

[[pays.tie]]
bet = "tie"
when = {{ winner = "tie" }}
odds = "9:1"
clause = "P.tie#nine"

[layouts.plain]
pays = ["player", "banker", "tie", "lucky"]
"""
    book = book_of(text)
    assert (book.decks.min, book.decks.max) == (6, 10)
    assert (book.bets["tie"].name, book.bets["tie"].basis.clause) == ("Égalité", "B.tie")
    assert list(menu(book).bets) == ["player", "banker", "tie", "lucky"]
    assert [row.odds.text for row in book.pays["tie"] if row.odds] == ["9:1"]
    assert book.layouts["plain"].positions.max == 9


def test_what_is_removed_is_gone_and_may_be_said_anew() -> None:
    text = f"""remove = ["bets.tie", "pays.tie", "limits.over-maximum", "layouts.plain"]
{MINE}
[layouts.small]
clause = "L.small"
positions = {{ min = 1, max = 5 }}
pays = ["player", "banker"]
"""
    book = book_of(text)
    assert (list(book.bets), list(book.layouts)) == (["player", "banker"], ["small"])
    assert book.point("limits", "over-maximum") is None


def test_silent_on_all_others() -> None:
    base = load("punto-banco")
    assert len(base.silent) > 20
    row = '[[irregularity]]\nfact = "foreign-card"\ndo = ["void"]\nclause = "I.1"\n'
    assert set(base.silent) - set(book_of(MINE + row).silent) == {"foreign-card"}
    assert load("wu-song").silent == book_of(f'base = "wu-song"\nsilent = "all-others"\n{HEAD}').silent


# Faults


def test_a_base_that_is_not_there_is_one_fault() -> None:
    (fault,) = faults(f'{HEAD}base = "baccara"\n')
    assert fault.startswith("mine.toml:7: base: must be the id of a book or a game that comes with Punto: ")
    assert len(faults(f"base = 1\n{HEAD}")) == len(faults(f'remove = ["bets.tie"]\n{HEAD}')) == 1


def test_a_base_with_a_base_is_refused() -> None:
    (fault,) = faults(f'base = "ez-baccarat"\n{HEAD}')
    assert fault.startswith("mine.toml:1: base: ez-baccarat has a base itself: begin with punto-banco, or ")


def test_what_is_not_in_the_base_cannot_be_removed() -> None:
    found = faults(f'{MINE}remove = [\n"bets.tie",\n"bets.lucky", "", "pays.tie[0]"]\n')
    assert [fault for fault in found if "the base has no" in fault] == [
        "mine.toml:10: remove[1]: the base has no 'bets.lucky', but bets.player and bets.banker.",
        "mine.toml:10: remove[2]: the base has no ''.",
        "mine.toml:10: remove[3]: the base has no 'pays.tie[0]': perhaps pays.tie is meant.",
    ]
    assert faults(f'remove = "bets.tie"\n{MINE}')[0].startswith("mine.toml:1: remove: must be a list")


def test_a_fault_has_the_line_of_the_file_or_is_said_to_be_in_the_base() -> None:
    (own,) = faults(f'{MINE}{LUCKY.replace("150:1", "150")}[layouts.plain]\npays = ["lucky"]\n')
    assert own.startswith("mine.toml:17: pays.lucky[0].odds: ")
    (removed,) = faults(f'{HEAD}base = "punto-banco"\nremove = ["pays.tie"]\n')
    assert removed.startswith("mine.toml:7: layouts.plain.pays[2] (in the base): the file removes 'tie' from its base")


def test_who_a_book_is_never_comes_from_its_base() -> None:
    found = faults('base = "wu-song"\n')
    *most, last = OWN
    assert [fault.rpartition(": ")[2] for fault in found] == [f"{', '.join(most)} and {last} are missing."]


# On the command line and at a table


def test_show_whole_prints_the_text_that_the_digest_is_of(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(MINE, encoding="utf-8")
    printed = punto_command("show", str(file), "--whole")
    assert sha256(printed.stdout.encode()).hexdigest() == load(str(file)).digest
    assert punto_command("show", str(file), "--toml").stdout == MINE


def test_tables_are_served_by_a_file_with_a_base_and_by_a_game_and_the_journal_keeps_the_whole(tmp_path: Path) -> None:
    folder = tmp_path / "books"
    folder.mkdir()
    (folder / "mine.toml").write_text(MINE, encoding="utf-8")
    book = load(str(folder / "mine.toml"))
    assert [sha256(text).hexdigest() for text in texts_in(folder).values()] == [book.digest]
    url = f"sqlite:///{tmp_path}/punto.db"
    people = People(url)
    ann, lee = bearer(people.patron("ann")), bearer(people.staff("lee", book.ranks[-1][-1]))
    people.close()
    quick = {"betting_seconds": 0.2, "pace": 0.0, "checkpoint_every": 5, "books": folder, "games": True}
    bets = {"mine": "player", "ez-baccarat": "dragon-7"}
    with (
        Service(tmp_path, url, warm_starts(), **quick).start() as service,
        httpx.Client(base_url=service.address, timeout=PATIENCE) as client,
    ):
        assert client.get("/api/books/ez-baccarat").json()["approval"].startswith("Not an approved text")
        for name, bet in bets.items():
            given = {
                **opening("punto-banco", shoe="virtual"),
                "book": name,
                "layout": next(iter(_layouts(client, name))),
            }
            opened = client.post(f"/api/tables/{name}/commands", headers=lee, json=given)
            assert opened.status_code == 200, opened.text
            for command in ({"do": "sit", "box": 1}, {"do": "buy-in", "amount": 1_000_000}):
                client.post(f"/api/tables/{name}/commands", headers=ann, json={"patron": "ann", **command})

            def played(name: str = name, bet: str = bet) -> bool:
                wager = {"do": "place", "patron": "ann", "bet": bet, "stake": 1000, "box": 1}
                client.post(f"/api/tables/{name}/commands", headers=ann, json=wager)
                return bool([each for each in client.get(f"/api/tables/{name}/rounds").json() if each["winner"]])

            until(played, f"a round at {name}")
        service.stop()
    journal = open_house(url)
    assert kept.kept_book(journal, book.digest) == whole(MINE.encode(), "mine.toml")
    found = {each.table: each for each in verify(journal, trusted=public_key(signing_key_in(tmp_path)))}
    assert {name: found[name].wrong for name in bets} == dict.fromkeys(bets)
    journal.close()


def _layouts(client: httpx.Client, book: str) -> list[str]:
    return list(client.get(f"/api/books/{book}").json()["layouts"])


def test_a_finding_about_what_the_base_says_has_the_line_of_the_base() -> None:
    """With a printed nine the Player has the edge by a pay row that the file does not have."""
    text = f'{MINE}[cards]\nprinted = {{ player-first = "9", clause = "C" }}\n'
    book = parse(text.encode(), "mine.toml")
    lines = {each.where: each.line for each in lint(book) if each.kind == "favourable"}
    assert lines["layout plain, player"] == 1 + text[: text.index("base = ")].count("\n")


def test_a_book_gives_its_title_in_other_languages_and_a_misspelt_tag_is_refused() -> None:
    head = f'base = "punto-banco"\n{HEAD}titles = {{ zh-Hant = "回聲百家樂", pt-BR = "Eco" }}\n'
    assert dict(book_of(head).titles) == {"zh-Hant": "回聲百家樂", "pt-BR": "Eco"}
    assert dict(parse(whole(head.encode(), "mine.toml"), "mine.toml").titles) == {
        "zh-Hant": "回聲百家樂",
        "pt-BR": "Eco",
    }
    assert "is not the tag of a language" in faults(head.replace("pt-BR", '"in Portuguese"'))[0]
