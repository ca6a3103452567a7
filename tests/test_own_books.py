"""A book of one's own goes the whole way: stories, a served table, its journal, drills, odds and a certificate."""

import re
from pathlib import Path

import httpx
import msgspec
import pytest

from own_books import PREFIX, copy_books, own_id
from patient_settings import settings
from punto.audit import verify
from punto.journal import public_key
from punto.report import certificate
from punto.rulebook import BadBook, BadFolder, ids, load, source, texts_in
from punto.rulebook.approval import approval
from punto.rulebook.superseded import superseded
from punto.scenario import BadScenario, play, read
from punto.service.books import own_library
from punto.service.doctor.examination import examine
from punto.service.run import run
from punto.service.settings import BadSettings
from service_process import MASTER, PATIENCE, People, Service, bearer, open_house, opening, signing_key_in, until
from warm_start import warm_starts

from test_cli import punto_command

STORIES = Path(__file__).parent.parent / "scenarios"
NAMED = re.compile(rf"^(shows|open-table|change-book) ({'|'.join(ids())})\b", re.MULTILINE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_books(tmp_path_factory.mktemp("books"))


# Stories


def test_every_story_of_a_book_goes_as_told_by_a_copy_of_it_in_a_file(folder: Path) -> None:
    told = 0
    for path in sorted(STORIES.rglob("*.scenario")):
        text, many = NAMED.subn(lambda found: f"{found[1]} {own_id(found[2])}.toml", path.read_text(encoding="utf-8"))
        if many:
            told += 1
            played = play(read(text, str(folder / path.name)))
            assert played.as_told, (path, played.differences)
            assert all(book.startswith(PREFIX) for book, _ in played.scenario.shows)
    assert told > 600


STORY = """scenario A file of one's own
open-table {book} 2025-03-01T20:00:00+08:00 decks=8 minimum=10 differential=1000
"""


def test_a_file_is_looked_for_beside_the_story(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "a.scenario").write_text(STORY.format(book="mine.toml"), encoding="utf-8")
    (tmp_path / "mine.toml").write_bytes((folder / "our-wu-song.toml").read_bytes())
    said = punto_command("scenario", "run", str(tmp_path / "a.scenario"))
    assert (said.returncode, said.stdout.splitlines()[-1]) == (0, "1 of 1 as told.")


@pytest.mark.parametrize(
    ("story", "says"),
    [
        ("scenario x\nshows poker 1.1\n", "there is no book 'poker'"),
        (STORY.format(book="poker.toml"), "nor a file of that name"),
        ("scenario x\nshows our-wu-song.toml 99.9\n", "our-wu-song has no clause 99.9"),
    ],
)
def test_a_book_that_is_not_there_is_told_with_the_line(folder: Path, story: str, says: str) -> None:
    with pytest.raises(BadScenario, match=r"a\.scenario:2: ") as refused:
        read(story, str(folder / "a.scenario"))
    assert says in str(refused.value)


def test_two_files_of_one_id_in_a_story_are_told_apart(tmp_path: Path) -> None:
    text = source("wu-song").decode()
    (tmp_path / "one.toml").write_text(text, encoding="utf-8")
    (tmp_path / "other.toml").write_text(f"{text}\n# another edition\n", encoding="utf-8")
    story = STORY.format(book="one.toml") + "change-book other.toml 2025-03-01T20:00:00+08:00 decks=8\n"
    with pytest.raises(BadScenario, match="another book in this scenario has the id 'wu-song'"):
        read(story, str(tmp_path / "a.scenario"))


# A folder of books


def test_what_is_wrong_with_a_folder_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadFolder, match="There is no book in"):
        texts_in(tmp_path)
    for name in ("a.toml", "b.toml"):
        (tmp_path / name).write_bytes(source("wu-song"))
    with pytest.raises(BadFolder, match="are both the book 'wu-song'"):
        texts_in(tmp_path)
    (tmp_path / "b.toml").write_text('id = "b"\n', encoding="utf-8")
    with pytest.raises(BadSettings, match=r"b\.toml:1"):
        own_library(settings(None, {}, books=str(tmp_path)))


def test_a_rank_of_a_book_is_nobody_s_name(folder: Path, tmp_path: Path) -> None:
    """They would hold that rank at every table of the book."""
    text = (folder / "our-wu-song.toml").read_text(encoding="utf-8")
    ranks = load(str(folder / "our-wu-song.toml")).ranks
    mine = text.replace(f'"{ranks[-1][-1]}"', '"grand-master"')
    assert mine != text
    own = tmp_path / "books"
    own.mkdir()
    (own / "mine.toml").write_text(mine, encoding="utf-8")
    url = f"sqlite:///{tmp_path}/punto.db"
    people = People(url)
    people.patron("grand-master")
    people.close()
    given = settings(None, {}, database=url, books=str(own), key_file=str(tmp_path / "punto.key"), port=0)
    with pytest.raises(BadSettings, match="rank 'grand-master', and somebody here has that name"):
        run(msgspec.structs.replace(given, master_key=MASTER.text))


@pytest.mark.parametrize("word", ["cashier", "service", "console"])
def test_no_rank_of_a_book_is_a_word_of_the_house(word: str, folder: Path, tmp_path: Path) -> None:
    """A cashier, who only takes and pays money, would hold that rank; a doctor tells it before the start."""
    text = (folder / "our-wu-song.toml").read_text(encoding="utf-8")
    rank = load(str(folder / "our-wu-song.toml")).ranks[-1][-1]
    own = tmp_path / "books"
    own.mkdir()
    (own / "mine.toml").write_text(text.replace(f'"{rank}"', f'"{word}"'), encoding="utf-8")
    url = f"sqlite:///{tmp_path}/punto.db"
    open_house(url).close()
    given = settings(None, {}, database=url, books=str(own), key_file=str(tmp_path / "punto.key"), port=0)
    with pytest.raises(BadSettings, match=f"rank '{word}', which is a word of the house"):
        run(msgspec.structs.replace(given, master_key=MASTER.text))
    found = examine(None, {"PUNTO_MASTER_KEY": MASTER.text}, database=url, books=str(own))
    assert any(f"the rank '{word}'" in each.says for each in found if each.severity == "wrong")


# The service


def test_a_table_of_every_copy_is_served_and_its_journal_keeps_the_text(folder: Path, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/punto.db"
    people = People(url)
    ann = bearer(people.patron("ann"))
    posts = {own_id(book): load(book).ranks[-1][-1] for book in ids()}
    staff = {name: bearer(people.staff(f"lee-{at}", rank, name)) for at, (name, rank) in enumerate(posts.items())}
    people.close()
    quick = {"betting_seconds": 0.2, "pace": 0.0, "checkpoint_every": 5, "books": folder}
    with (
        Service(tmp_path, url, warm_starts(), **quick).start() as service,
        httpx.Client(base_url=service.address, timeout=PATIENCE) as client,
    ):
        assert client.get("/api/books").json() == sorted([*ids(), *posts])
        for book in ids():
            name = own_id(book)
            about = client.get(f"/api/books/{name}").json()
            assert (about["id"], about["ships"], about["approval"][:12]) == (name, False, "Not verified")
            assert client.get(f"/api/books/{book}").json()["ships"]
            assert client.get(f"/api/books/{name}/odds").json() == client.get(f"/api/books/{book}/odds").json()
            for drill in ("payout", "irregularity"):
                assert client.get(f"/api/drills/{drill}?book={name}&seed=1").status_code == 200
            opened = {**opening(book, shoe="virtual"), "book": name}
            answer = client.post(f"/api/tables/{name}/commands", headers=staff[name], json=opened)
            assert answer.status_code == 200, answer.text
            for command in ({"do": "sit", "box": 1}, {"do": "buy-in", "amount": 1_000_000}):
                given = {"patron": "ann", **command}
                assert client.post(f"/api/tables/{name}/commands", headers=ann, json=given).status_code == 200
        for name in posts:

            def played(name: str = name) -> bool:
                wager = {"do": "place", "patron": "ann", "bet": "player", "stake": 1000, "box": 1}
                client.post(f"/api/tables/{name}/commands", headers=ann, json=wager)
                return bool([each for each in client.get(f"/api/tables/{name}/rounds").json() if each["winner"]])

            until(played, f"a round at {name}")
        service.stop()
    journal = open_house(url)
    found = {each.table: each for each in verify(journal, trusted=public_key(signing_key_in(tmp_path)))}
    assert set(posts) < set(found)
    assert [each.wrong for each in found.values()] == [None] * len(found)
    journal.close()


def test_an_altered_copy_under_the_same_id_is_known_as_such(tmp_path: Path) -> None:
    own = tmp_path / "books"
    own.mkdir()
    text = source("wu-song").decode()
    altered = text.replace('odds = "1:2"', 'odds = "1:1"')
    assert altered != text
    (own / "wu-song.toml").write_text(altered, encoding="utf-8")
    url = f"sqlite:///{tmp_path}/punto.db"
    with (
        Service(tmp_path, url, warm_starts(), books=own).start() as service,
        httpx.Client(base_url=service.address, timeout=PATIENCE) as client,
    ):
        about = client.get("/api/books/wu-song").json()
        assert (about["ships"], load("wu-song").digest in about["approval"]) == (False, True)


def test_a_table_is_opened_by_an_edition_in_use_alone(tmp_path: Path) -> None:
    """Whoever may open a table does not choose rules of yesterday, though they can be read."""
    yesterday = next(each for each in superseded().values() if each.book == "wu-song" and _is_read(each.digest))
    url = f"sqlite:///{tmp_path}/punto.db"
    people = People(url)
    lee = bearer(people.staff("lee", load("wu-song").ranks[-1][-1]))
    people.close()
    with (
        Service(tmp_path, url, warm_starts()).start() as service,
        httpx.Client(base_url=service.address, timeout=PATIENCE) as client,
    ):

        def opened(name: str, book: str, do: str = "open-table") -> httpx.Response:
            given = {**opening("wu-song"), "book": book, "do": do}
            return client.post(f"/api/tables/{name}/commands", headers=lee, json=given)

        refused = opened("t", yesterday.digest)
        assert (refused.status_code, refused.json()["message"]["id"]) == (409, "edition-not-in-use")
        assert opened("t", "0" * 64).json()["message"]["id"] == "no-such-book"
        assert opened("t", load("wu-song").digest).status_code == 200
        assert opened("t", yesterday.digest, "change-book").json()["message"]["id"] == "edition-not-in-use"
        assert opened("t", "wu-song", "change-book").status_code == 200


def _is_read(digest: str) -> bool:
    try:
        return load(digest).digest == digest
    except BadBook:
        return False


# A certificate


@pytest.mark.parametrize("book", ids())
def test_a_certificate_says_the_same_of_a_copy_but_for_its_approval(folder: Path, book: str) -> None:
    copy = load(str(folder / f"{own_id(book)}.toml"))
    bets, own = (
        [each for each in certificate(made).sections if each.title.startswith("Bets")] for made in (load(book), copy)
    )
    assert bets == own
    assert bets
    assert not approval(copy).verified
