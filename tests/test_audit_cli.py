"""`punto journal` and `punto shoe`: what they print, what they write, and what they say no to."""

import asyncio
import json
import re
import shutil
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import httpx
import pytest

from audited import AT, HELD, STORIES, TABLES, TRUSTED, Player, forging, house, runs_of_luck, told_again
from punto.audit import BadAudit, export, history_of, keep_books, kept_book, limits_of, settle_again
from punto.audit.entries import decoded
from punto.cli import main
from punto.history import History, RecordedCover, RecordedRound, RecordedShoe, RecordedWager, dump, load
from punto.journal import Journal, JournalError, StoredEvent
from punto.journal import books as kept
from punto.rulebook import SHIPPED, Refused, ids, parse
from punto.rulebook import load as load_book
from punto.service.runtime.floor import Floor
from punto.settlement import Limits
from punto.shoe import commit, shuffle
from punto.table import act, commands
from punto.table import events as e
from punto.tabular import read as read_table
from service_process import People, Service, bearer, until
from warm_start import warm_starts

from console import DOCS
from test_cli import BOOKS, punto_command

Ran = tuple[int, str, str]
BOOK = "commission-insurance"
SEED = bytes([0]) * 32
JOURNALS = Path(__file__).parent / "journals"


class Command:
    """`punto`, without the cost of a process each time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._patch, self._capsys = monkeypatch, capsys

    def __call__(self, *arguments: str) -> Ran:
        self._patch.setattr("sys.argv", ["punto", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = self._capsys.readouterr()
        return int(ended.value.code or 0), printed.out, printed.err

    def ok(self, *arguments: str) -> str:
        status, out, err = self(*arguments)
        assert (status, err) == (0, "")
        return out

    def refused(self, *arguments: str) -> str:
        status, out, err = self(*arguments)
        assert (status, out) == (1, "")
        return err


@pytest.fixture
def punto(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("house") / "punto.db"
    house(f"sqlite:///{made}").close()
    return made


@pytest.fixture(scope="module")
def url(file: Path) -> str:
    return f"sqlite:///{file}"


@pytest.fixture(scope="module")
def forged(file: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    made = tmp_path_factory.mktemp("forged") / "punto.db"
    made.write_bytes(file.read_bytes())
    with forging(made) as forger:
        chain = forger.chain(BOOK)
        chain.change(chain.find("wager-placed", 3), who="nobody")
        forger.write(BOOK, chain)
        chain = forger.chain("wu-song")
        place = chain.find("cards-exposed")
        event = chain.said(place)
        event["faces"][1] = "7d"
        chain.say(place, event)
        chain.ask(place, faces=event["faces"])
        forger.write_anew("wu-song", chain)
    return f"sqlite:///{made}"


# punto journal verify


def test_a_whole_journal_is_told_chain_by_chain(punto: Command, url: str) -> None:
    printed = punto.ok("journal", "verify", "--database", url, "--trusted", TRUSTED.upper())
    lines = printed.splitlines()
    assert [line.partition(":")[0] for line in lines[:-2]] == sorted((*TABLES, HELD, "house"))
    checked = "hashes, signatures, decisions by engine 9, settlements, amounts at the call"
    checked += ", virtual shoes, snapshots of format 9"
    rules = "cards, money, chips, stakes, companions, hands, draws, offers, questions, authority, cases, next"
    assert lines[-2:] == [f"Checked: {checked}; after every command: {rules}.", "7 of 7 chains whole."]
    assert f"house: whole. 2 events in 2 entries; signed up to event 2 by {TRUSTED}." in lines
    told = f"{BOOK}: whole. 117 events in 63 entries, 63 commands decided again, 7 rounds settled again, "
    assert any(line.startswith(told) for line in lines)


def test_one_table_as_json(punto: Command, url: str) -> None:
    answer = json.loads(punto.ok("journal", "verify", "--database", url, "--table", HELD, "--json"))
    assert answer["whole"] is True
    [chain] = answer["chains"]
    assert chain == {
        "table": HELD,
        "entries": 14,
        "events": 20,
        "decided": 14,
        "not_decided": {},
        "rounds": 1,
        "faces": 0,
        "checkpoints": 2,
        "signed": 20,
        "keys": [TRUSTED],
        "snapshots": 0,
        "other_snapshots": 0,
        "wrong": None,
        "witnessed": 0,
    }


def test_of_a_forged_journal_every_table_s_first_wrong_entry_is_named(punto: Command, forged: str) -> None:
    done = punto_command("journal", "verify", "--database", forged)
    assert (done.returncode, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    assert f"{BOOK}: event 20 is wrong: its entry is not what was hashed." in lines
    assert any(line.startswith("wu-song: event 16 is wrong: card 2 of the committed shoe is") for line in lines), lines
    assert lines[-1] == "5 of 7 chains whole."
    status, printed, _ = punto("journal", "verify", "--database", forged, "--table", BOOK, "--json")
    assert status == 1
    answer = json.loads(printed)
    assert answer["whole"] is False
    assert answer["chains"][0]["wrong"] == {
        "table": BOOK,
        "sequence": 20,
        "why": "its entry is not what was hashed",
    }


def test_verify_says_in_a_sentence_what_it_cannot_look_into(punto: Command, url: str, tmp_path: Path) -> None:
    assert punto.refused("journal", "verify", "--database", url, "--table", "t9").startswith(
        "punto: There is no table 't9' in this journal; there are "
    )
    nowhere = tmp_path / "nowhere.db"
    for verb in ("verify", "export"):
        said_ = punto.refused("journal", verb, "--database", f"sqlite:///{nowhere}")
        assert said_ == f"punto: There is no journal at sqlite:///{nowhere}.\n"
    assert not nowhere.exists()
    assert punto.refused("journal", "verify", "--database", "nonsense").startswith("punto: This is not the address")
    assert punto.refused("journal", "verify", "--database", url, "--trusted", "abc") == (
        "punto: 'abc' is not a public key: that is 64 hexadecimal digits.\n"
    )
    empty = tmp_path / "empty.db"
    empty.touch()
    nothing = punto.refused("journal", "verify", "--database", f"sqlite:///{empty}")
    assert nothing == f"punto: There is no journal at sqlite:///{empty}.\n"


def test_a_journal_of_a_book_of_one_s_own_is_verified_with_that_book(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    text = (BOOKS / "wu-song.toml").read_text(encoding="utf-8")
    own.write_text(text.replace('id = "wu-song"', 'id = "own-song"', 1), encoding="utf-8")
    book = load_book(str(own))
    assert book.id == "own-song"
    journal = Journal(f"sqlite:///{tmp_path}/own.db")
    journal.upgrade()

    async def play() -> None:
        floor = Floor(journal, library=SHIPPED.with_book(book))
        at = Player(floor, "t1")
        await at.open(book.digest, shoe="hand")
        await at.load(None)
        await at.round()
        await floor.stop()

    asyncio.run(play())
    journal.close()
    database = ("--database", f"sqlite:///{tmp_path}/own.db")
    known = punto_command("journal", "verify", *database, "--book", str(own))
    assert (known.returncode, known.stdout.splitlines()[-1]) == (0, "1 of 1 chain whole.")


def test_a_table_goes_on_by_the_edition_of_the_book_that_it_was_opened_by(tmp_path: Path) -> None:
    """A release brings another file for the same book, which pays Player otherwise: what was decided still stands."""
    today = (BOOKS / "wu-song.toml").read_bytes()
    pays = re.compile(rb'(bet = "player"\nwhen = [^\n]*\nodds = )"1:1"')
    earlier = pays.sub(rb'\1"2:1"', today, count=1)
    assert earlier != today
    before = parse(earlier, "an earlier file")
    database = f"sqlite:///{tmp_path}/earlier.db"
    journal = Journal(database)
    journal.upgrade()

    async def play() -> None:
        floor = Floor(journal, library=SHIPPED.with_book(before))
        at = Player(floor, "t1")
        await at.open("wu-song", shoe="hand")
        await at.load(None)
        for _ in range(3):
            await at.round()
        await floor.stop()
        floor = Floor(journal, library=SHIPPED.with_edition(before))
        at = Player(floor, "t2")
        await at.open("wu-song", shoe="hand")
        await floor.stop()

    asyncio.run(play())
    paid = [line for event in settled(journal, "t1") for line in event.lines["ann"] if line.bet == "player"]
    assert {line.odds for line in paid} == {"2:1", None}, "it was paid by its own book"
    asked = [json.loads(journal.entries(name, 0, 1)[0].command or b"") for name in ("t1", "t2")]
    assert [each["book"] for each in asked] == [before.digest, load_book("wu-song").digest], "by digest, never by id"

    unknown = punto_command("journal", "verify", "--database", database)
    assert unknown.returncode == 1
    assert before.digest in unknown.stdout
    kept.keep_books(journal, [earlier])
    known = punto_command("journal", "verify", "--database", database).stdout.splitlines()
    assert known[-1] == "2 of 2 chains whole."
    assert f"{len(journal.entries('t1'))} commands decided again, 3 rounds settled again" in known[0]
    assert kept_book(journal, before.digest).digest == before.digest

    keep_books(journal)
    assert set(kept.kept_books(journal)) == {before.digest, *(load_book(book).digest for book in ids())}
    with Service(tmp_path, database) as service:
        view = httpx.get(f"{service.start().address}/api/tables/t1", timeout=600).json()["view"]
    assert view["book"] == "wu-song"
    journal.close()


def settled(journal: Journal, table: str) -> list[e.RoundSettled]:
    return [event for _, event in decoded(journal, table) if isinstance(event, e.RoundSettled)]


def test_a_kept_book_that_is_another_is_not_used(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/house.db"
    journal = Journal(database)
    journal.upgrade()
    with journal.engine.begin() as connection:
        connection.exec_driver_sql("INSERT INTO books VALUES (?, ?)", ("0" * 64, (BOOKS / "wu-song.toml").read_bytes()))
    journal.close()
    assert "that is another" in punto_command("journal", "verify", "--database", database).stderr


def test_a_kept_book_that_cannot_be_read_concerns_only_the_tables_that_need_it(tmp_path: Path) -> None:
    """A book of one's own that an earlier release took, and this one does not: the house opens all the same."""
    database = f"sqlite:///{tmp_path}/house.db"
    journal = Journal(database)
    journal.upgrade()
    other = b'id = "my-game"'
    kept.keep_books(journal, [other])
    library = keep_books(journal)
    assert library.book("wu-song").id == "wu-song"
    digest = sha256(other).hexdigest()
    with pytest.raises(Refused, match=f"This release cannot read the book {digest[:12]}"):
        library.book(digest)
    with pytest.raises(BadAudit, match="cannot read"):
        kept_book(journal, digest)
    assert punto_command("journal", "verify", "--database", database).returncode == 0
    journal.close()


# A journal of an earlier release


@pytest.fixture
def first_form(tmp_path: Path) -> str:
    return f"sqlite:///{shutil.copy(JOURNALS / 'form-1.db', tmp_path / 'punto.db')}"


def test_a_journal_of_the_first_form_is_verified_as_it_is(punto: Command, first_form: str, tmp_path: Path) -> None:
    """It has no commands, so decisions are not repeated, and that is told; everything else is checked."""
    before = (tmp_path / "punto.db").read_bytes()
    trusted = (JOURNALS / "form-1.key").read_text().strip()
    lines = punto.ok("journal", "verify", "--database", first_form, "--trusted", trusted).splitlines()
    assert lines[-1] == "4 of 4 chains whole."
    by = f"signed up to event 43 by {trusted}"
    not_repeated = "Decisions were not repeated for 43 entries: 43 without their command."
    assert lines[0] == f"counted: whole. 43 events in 43 entries, 1 round settled again; {by}. {not_repeated}"
    assert "27 faces held against a shoe" in lines[3]
    assert punto.ok("shoe", "verify", "--database", first_form, "--table", "virtual", "--shoe", "1")
    assert punto.ok("journal", "export", "--database", first_form, "--out", str(tmp_path / "out"))
    assert (tmp_path / "punto.db").read_bytes() == before


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("UPDATE entries SET who = 'x' WHERE \"table\" = 'insured' AND sequence = 20", "is not what was hashed"),
        ("UPDATE entries SET key = 'x' WHERE \"table\" = 'virtual' AND sequence = 20", "is not what was hashed"),
        ("UPDATE tables SET sequence = 99 WHERE id = 'counted'", "event 44 is wrong: it is missing"),
    ],
)
def test_a_forged_journal_of_the_first_form_is_found_out(
    punto: Command, first_form: str, tmp_path: Path, change: str, says: str
) -> None:
    with forging(tmp_path / "punto.db") as forger:
        forger.sql(change)
    status, printed, _ = punto("journal", "verify", "--database", first_form)
    assert (status, printed.splitlines()[-1]) == (1, "3 of 4 chains whole.")
    assert says in printed


def test_a_house_goes_on_with_a_journal_of_the_first_form(punto: Command, first_form: str, tmp_path: Path) -> None:
    """The service upgrades the store and appends in the new form: what was there stays as it was written."""
    journal = Journal.existing(first_form)
    before = {name: journal.entries(name) for name in journal.tables()}
    journal.close()
    people = People(first_form)
    lee = bearer(people.staff("kim", "table-game-shift-manager", "insured"))
    people.close()
    with Service(
        tmp_path, first_form, warm_starts(), pace=0.0, betting_seconds=0.1, checkpoint_every=5
    ).start() as service:
        path = f"{service.address}/api/tables/insured/commands"
        for given in ({"do": "close-bets"}, {"do": "expose", "faces": ["9h", "2c", "Kd", "As"]}):
            assert httpx.post(path, json=given, headers=lee, timeout=600).status_code == 200
        until(lambda: len(journal.entries("virtual")) > len(before["virtual"]) + 20, "the virtual table to go on")
        service.stop()
    journal = Journal.existing(first_form)
    for name, entries in before.items():
        assert journal.entries(name)[: len(entries)] == entries
    assert set(kept.kept_books(journal)) >= {load_book(book).digest for book in ids()}
    assert not journal.records("book")
    lines = punto.ok("journal", "verify", "--database", first_form).splitlines()
    assert lines[-1] == "4 of 4 chains whole."
    added = len(journal.entries("insured")) - len(before["insured"])
    assert f"{added} commands decided again, 4 rounds settled again" in lines[2]
    assert lines[2].endswith("Decisions were not repeated for 48 entries: 48 without their command.")
    journal.close()


def test_a_journal_of_a_later_release_is_a_sentence(punto: Command, first_form: str, tmp_path: Path) -> None:
    with forging(tmp_path / "punto.db") as forger:
        forger.sql("UPDATE alembic_version SET version_num = '9999'")
    says = "This journal was written by a later release of Punto: install that one."
    assert punto.refused("journal", "verify", "--database", first_form) == f"punto: {says}\n"
    with closing(Journal(first_form)) as journal, pytest.raises(JournalError, match="a later release"):
        journal.upgrade()


# punto journal export


def rounds_of(history: History) -> list[tuple[RecordedShoe, RecordedRound]]:
    return [(shoe, round) for shoe in history.shoes for round in shoe.rounds]


def nets(round: RecordedRound, patron: str | None = None) -> list[int]:
    both: list[RecordedWager | RecordedCover] = [*round.wagers, *round.covers]
    return [each.net or 0 for each in both if patron in (None, each.patron)]


def test_every_round_that_is_over_is_exported_and_settles_the_same(punto: Command, url: str, tmp_path: Path) -> None:
    printed = punto.ok("journal", "export", "--database", url, "--out", str(tmp_path / "out"))
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(f"{n}.history" for n in (*TABLES, HELD))
    journal = Journal(url)
    for name in (*TABLES, HELD):
        file = tmp_path / "out" / f"{name}.history"
        history = load(file.read_text(encoding="utf-8"))
        recorded = rounds_of(history)
        assert f"{file}  {len(recorded)} round" in printed
        settled = [event for _, event in decoded(journal, name) if isinstance(event, e.RoundSettled)]
        assert len(settled) == sum(not round.void for _, round in recorded)
        for (shoe, round), event in zip([each for each in recorded if not each[1].void], settled, strict=True):
            lines = settle_again(shoe, round)
            assert [line.net for line in lines] == nets(round)
            paid = [line.net for own in event.lines.values() for line in own]
            assert sorted(paid) == sorted(line.net for line in lines)
            assert all(field.name != "otherwise" for field in round.fields)
            for name_, own in event.lines.items():
                assert sum(nets(round, name_)) == sum(line.net for line in own)
    journal.close()


def test_a_journal_goes_out_as_tables_of_rounds_and_wagers(punto: Command, url: str, tmp_path: Path) -> None:
    """What the table paid, by its own events, is what the column of nets sums to."""
    punto.ok("journal", "export", "--database", url, "--out", str(tmp_path), "--table", BOOK, "--format", "csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"{BOOK}.{kind}.csv" for kind in ("events", "rounds", "wagers")
    ]
    assert len(read_table(tmp_path / f"{BOOK}.rounds.csv").rows) == 8
    journal = Journal(url)
    settled = [event for _, event in decoded(journal, BOOK) if isinstance(event, e.RoundSettled)]
    journal.close()
    paid = sum(line.net for event in settled for own in event.lines.values() for line in own)
    assert sum(int(str(net)) for net in read_table(tmp_path / f"{BOOK}.wagers.csv").column("net") if net) == paid


def test_one_round_is_followed_by_the_commands_of_its_page(punto: Command, url: str, tmp_path: Path) -> None:
    """The page's own lines, for a table of this journal: what they print of the round is what the journal has of it."""
    page = (DOCS / "journal.md").read_text(encoding="utf-8").partition("{#one-round}")[2].partition("###")[0]
    lines = page.partition("```sh\n")[2].partition("```")[0].splitlines()
    assert [line.split()[0] for line in lines] == ["punto", "punto", "grep", "punto", "punto"]
    told = tmp_path / "told"
    ours = {"sqlite:///punto.db": url, "wu-song": BOOK, "KEY": TRUSTED, "told": str(told)}
    ours |= {"told/wu-song.history": str(told / f"{BOOK}.history")}
    commands = [[ours.get(word, word) for word in line.split()[1:]] for line in lines if line.startswith("punto ")]
    verified, _, replayed, _ = (punto.ok(*command) for command in commands)
    assert verified.startswith(f"{BOOK}: whole.")

    first = load((told / f"{BOOK}.history").read_text(encoding="utf-8")).shoes[0].rounds[0]
    fields = {field.name: field.value for field in first.fields}
    begin, end = map(int, fields["entries"].split())
    rows = read_table(told / f"{BOOK}.events.csv")
    sequences, kinds = rows.column("sequence"), rows.column("event")
    events = {int(str(sequence)): kind for sequence, kind in zip(sequences, kinds, strict=True)}
    assert events[begin] == "bets-opened"
    journal = Journal(url)
    paid = [(kept.sequence, event) for kept, event in decoded(journal, BOOK) if isinstance(event, e.RoundSettled)]
    journal.close()
    [settled] = [event for sequence, event in paid if begin <= sequence <= end]
    said = [f"{patron}: {line.says}" for patron, own in settled.lines.items() for line in own]
    assert said
    assert [sentence for sentence in said if sentence not in replayed] == []


def test_a_history_says_where_it_comes_from(punto: Command, url: str, tmp_path: Path) -> None:
    punto.ok("journal", "export", "--database", url, "--out", str(tmp_path), "--table", BOOK)
    assert [path.name for path in tmp_path.iterdir()] == [f"{BOOK}.history"]
    history = load((tmp_path / f"{BOOK}.history").read_text(encoding="utf-8"))
    assert [len(shoe.rounds) for shoe in history.shoes] == [6, 2]
    first, second = (dict(shoe.fields) for shoe in history.shoes)
    assert (first["table"], first["shoe"], first["seed"]) == (BOOK, "1", SEED.hex())
    assert (second["shoe"], "seed" in second) == ("2", False)
    assert commit(SEED, 8, f"{BOOK}, shoe 1") == first["commitment"]
    assert limits_of(history.shoes[0]) == Limits(1000, 1_000_000, 1_000_000)
    dealt = [card for round in history.shoes[0].rounds for card in round.cards]
    assert dealt == list(shuffle(SEED, 8)[: len(dealt)])
    assert any(isinstance(cover, RecordedCover) for round in history.shoes[0].rounds for cover in round.covers)
    last = history.shoes[1].rounds[-1]
    assert (last.void, [event.kind for event in last.events]) == (True, ["interruption"])
    assert [(wager.patron, wager.net) for wager in last.wagers] == [("ann", 0), ("ann", 0), ("bob", 0)]
    journal = Journal(url)
    for round in history.shoes[0].rounds:
        first_entry, last_entry = map(int, dict(round.fields)["entries"].split())
        opened, settled = journal.read(BOOK, first_entry - 1, 1)[0], journal.read(BOOK, last_entry - 1, 1)[0]
        assert b'"bets-opened"' in opened.body
        assert b'"round-settled"' in settled.body
        assert dict(round.fields)["at"] == settled.at
    journal.close()


async def _two_boxes(journal: Journal) -> None:
    """A day with everything that a record must get right: boxes, other limits, odd names, a strike, and words."""
    floor = Floor(journal)
    at = Player(floor, "t1")
    await at.open("wu-song", shoe="hand")
    await at.load(None)
    for name in ("zoë = 100%", " x\ty "):
        await at.do(commands.Stand(name, by=name))
        await at.do(commands.BuyIn(name, 1_000_000, by=name))
    limits = Limits(minimum=1000, maximum=500_000, differential=30_000, maximums={"tie": 5000})
    await at.do(commands.PostLimits(limits))
    await at.do(commands.OpenBets())
    await at.do(commands.Place("ann", "player", 20_000, by="ann"))
    await at.do(commands.Place("zoë = 100%", "banker", 30_000, box=2, by="zoë = 100%"))
    await at.do(commands.Place(" x\ty ", "tie", 5_000, box=5, by=" x\ty "))
    await at.do(commands.CloseBets())
    await at.do(commands.Find("bob", "banker", 25_000, 2))
    await at.do(commands.Find("ann", "banker", 100))
    await _to_the_end(at)
    await at.do(commands.OpenBets())
    await at.do(commands.CloseBets())
    await at.do(commands.Report("other", note="A card fell\nto the floor.", by="dealer"))
    await at.do(commands.Answer(1, "continue", "It was nothing.", by="table-game-shift-manager"))
    await _to_the_end(at)
    await floor.stop()


async def _to_the_end(at: Player) -> None:
    while (table := await at.floor.table(at.name)).running is not None:
        await at.step(table)


def test_boxes_limits_names_and_rulings_survive_the_way_into_a_history(tmp_path: Path) -> None:
    journal = Journal(f"sqlite:///{tmp_path}/punto.db")
    journal.upgrade()
    asyncio.run(_two_boxes(journal))
    [made] = export(journal, tmp_path / "out")
    assert made.rounds == 2
    history = load(made.file.read_text(encoding="utf-8"))
    assert history == history_of("t1", decoded(journal, "t1"))
    [shoe] = history.shoes
    assert limits_of(shoe).maximums == {"tie": 5000}
    first, second = shoe.rounds
    spots = [(wager.patron, wager.bet) for wager in first.wagers]
    boxes = dict(zip(spots, dict(first.fields)["boxes"].split(), strict=True))
    assert (boxes["ann", "player"], boxes["bob", "banker"], boxes["%20x%09y%20", "tie"]) == ("1", "2", "5")
    assert {wager.patron for wager in first.wagers} == {"ann", "bob", "zo%C3%AB%20%3D%20100%25", "%20x%09y%20"}
    assert [line.net for line in settle_again(shoe, first)] == [wager.net for wager in first.wagers]
    assert any(abs(wager.net or 0) < wager.stake for wager in first.wagers if wager.bet == "banker")
    assert [event.text for event in second.events] == ["A card fell to the floor."]
    journal.close()


def test_what_a_record_alone_would_not_come_to_is_told(tmp_path: Path) -> None:
    """A wager under the minimum that nobody noticed is settled once; the second time it comes back."""
    journal = Journal(f"sqlite:///{tmp_path}/punto.db")
    journal.upgrade()

    async def play() -> None:
        floor = Floor(journal)
        at = Player(floor, "t1")
        await at.open("dragon-tiger-mbs", shoe="hand")
        await at.load(None)
        for _ in range(2):
            await at.do(commands.OpenBets())
            await at.do(commands.CloseBets())
            await at.do(commands.Find("ann", "player", 100))
            await _to_the_end(at)
        await floor.stop()

    asyncio.run(play())
    history = history_of("t1", decoded(journal, "t1"))
    assert history is not None
    [(_, first), (_, second)] = rounds_of(history)
    assert not any(field.name == "otherwise" for field in first.fields)
    [otherwise] = [field.value for field in second.fields if field.name == "otherwise"]
    assert otherwise.startswith("1 1.00 on Player comes back whatever the result.")
    assert (first.wagers[0].net, second.wagers[0].net) == (-100, 0)
    journal.close()


def test_limits_that_change_in_a_shoe_begin_a_new_head(tmp_path: Path) -> None:
    journal = Journal(f"sqlite:///{tmp_path}/punto.db")
    journal.upgrade()

    async def play() -> None:
        floor = Floor(journal)
        at = Player(floor, "t1")
        await at.open("wu-song", shoe="hand")
        await at.load(None)
        await at.round()
        await at.do(commands.PostLimits(Limits(minimum=500, maximum=1_000_000, differential=900_000)))
        await at.round()
        await floor.stop()

    asyncio.run(play())
    history = history_of("t1", decoded(journal, "t1"))
    assert history is not None
    assert [(dict(shoe.fields)["shoe"], limits_of(shoe).minimum) for shoe in history.shoes] == [("1", 1000), ("1", 500)]
    journal.close()


def test_a_table_without_a_finished_round_has_no_history(punto: Command, tmp_path: Path) -> None:
    journal = Journal(f"sqlite:///{tmp_path}/punto.db")
    journal.upgrade()

    async def open_only() -> None:
        floor = Floor(journal)
        await Player(floor, "t1").open("wu-song")
        await floor.stop()

    asyncio.run(open_only())
    journal.close()
    said_ = punto.ok(
        "journal", "export", "--database", f"sqlite:///{tmp_path}/punto.db", "--out", str(tmp_path / "out")
    )
    assert said_ == "No round is over yet.\n"
    assert not (tmp_path / "out").exists()


def test_what_cannot_be_followed_is_not_exported(punto: Command, file: Path, tmp_path: Path) -> None:
    forged = f"sqlite:///{shutil.copy(file, tmp_path / 'punto.db')}"
    with forging(tmp_path / "punto.db") as forger:
        forger.sql("UPDATE entries SET body = 'x' WHERE \"table\" = ? AND sequence = 9", "da-hu-ying-xiong")
        forger.sql(
            'UPDATE entries SET body = ? WHERE "table" = ? AND sequence = 9',
            b'{"event":"cashed-out","patron":"zed","amount":1}',
            "dragon-tiger-mbs",
        )
    out = ("--out", str(tmp_path))
    first = punto.refused("journal", "export", "--database", forged, *out, "--table", "da-hu-ying-xiong")
    assert first.startswith("punto: Event 9 of da-hu-ying-xiong is no event: ")
    second = punto.refused("journal", "export", "--database", forged, *out, "--table", "dragon-tiger-mbs")
    assert second.startswith("punto: Event 9 of dragon-tiger-mbs cannot be followed: KeyError('zed').")


def test_whatever_was_played_becomes_a_history_that_settles_the_same_or_says_why_not() -> None:
    counted = {"settled": 0, "void": 0, "otherwise": 0}
    stories = [[event for _, _, made in told_again(story) for event in made] for story in STORIES]
    runs = [[event for _, _, made in run for event in made] for run in runs_of_luck(120, 100)]
    for events in (*stories, *runs):
        entries = [StoredEvent("t1", at, "now", "dealer", str(at), b"") for at in range(1, len(events) + 1)]
        history = history_of("t1", zip(entries, events, strict=True))
        if history is None:
            continue
        assert load(dump(history)) == history
        for shoe, round in rounds_of(history):
            fields = [field.name for field in round.fields]
            counted["void"] += round.void
            counted["otherwise"] += "otherwise" in fields
            if not {"otherwise", "player"} & set(fields) and not round.void:
                counted["settled"] += 1
                assert [line.net for line in settle_again(shoe, round)] == nets(round)
    assert all(counted.values()), counted
    assert counted["settled"] > 5 * counted["otherwise"], counted


def test_a_hand_left_as_it_lay_is_recorded_hand_by_hand() -> None:
    """The Player had 7 and took a third card all the same: no deal of these cards would come to that."""
    limits = Limits(1000, 100_000, 100_000)
    _, opened = act(None, commands.OpenTable("wu-song", AT, 8, limits=limits))
    areas = ("player", "banker", "player", "banker", "player")
    events = (
        *opened,
        e.ShoeLoaded(1, 416),
        e.BetsOpened(1),
        e.BetsClosed(),
        *(e.CardDrawn(at, area) for at, area in enumerate(areas)),
        e.CardsExposed((0, 1, 2, 3, 4), ("3h", "9c", "4d", "Kd", "5s")),
        e.LeftAsItLies(),
        e.RoundSettled({}, {}, {}, "banker", (("3h", "4d", "5s"), ("9c", "Kd"))),
    )
    entries = (StoredEvent("t1", at, "now", "dealer", str(at), b"") for at in range(1, len(events) + 1))
    history = history_of("t1", zip(entries, events, strict=True))
    assert history is not None
    [(shoe, round)] = rounds_of(history)
    assert {"player": "3h 4d 5s", "banker": "9c Kd"}.items() <= dict(round.fields).items()
    assert load(dump(history)) == history
    with pytest.raises(Refused, match=r"^Round 1 cannot be settled from its record\.$"):
        settle_again(shoe, round)


# punto shoe verify


def test_a_shoe_of_a_journal_is_held_against_its_commitment(punto: Command, url: str) -> None:
    printed = punto.ok("shoe", "verify", "--database", url, "--table", BOOK, "--shoe", "1")
    assert printed.startswith(f"{BOOK}, shoe 1 was the shoe committed to: ")
    found = json.loads(
        punto.ok("shoe", "verify", "--database", url, "--table", "dragon-tiger-hoiana", "--shoe", "1", "--json")
    )
    assert found["as_committed"] is True
    assert found["dealt"] == found["seen"] + 3  # three were burned, and nobody saw them
    assert found["context"] == "dragon-tiger-hoiana, shoe 1"


def test_a_shoe_that_was_not_the_committed_one_is_told(punto: Command, forged: str) -> None:
    said_ = punto.refused("shoe", "verify", "--database", forged, "--table", "wu-song", "--shoe", "1")
    assert said_.startswith("punto: Card 2 of the shoe is ")
    assert said_.endswith(", but 7d was dealt.\n")


@pytest.mark.parametrize(
    ("table", "number", "says"),
    [
        (BOOK, "2", f"The seed of {BOOK}, shoe 2 is not out: it is revealed when the shoe has ended."),
        (BOOK, "3", f"Table '{BOOK}' had no virtual shoe 3."),
        (HELD, "1", f"Table '{HELD}' had no virtual shoe 1."),
        ("t9", "1", "There is no table 't9' in this journal;"),
    ],
)
def test_a_shoe_that_cannot_be_verified_is_a_sentence(
    punto: Command, url: str, table: str, number: str, says: str
) -> None:
    said_ = punto.refused("shoe", "verify", "--database", url, "--table", table, "--shoe", number)
    assert said_.startswith(f"punto: {says}")


def by_hand(*more: str) -> list[str]:
    published = commit(SEED, 8, "t1, shoe 1")
    return ["--commitment", published, "--seed", SEED.hex(), "--context", "t1, shoe 1", *more]


def test_cards_that_one_saw_are_held_against_a_commitment(punto: Command, tmp_path: Path) -> None:
    seen = [str(card) for card in shuffle(SEED, 8)[:6]]
    printed = punto.ok("shoe", "verify", *by_hand(), "?", *seen[1:])
    assert (
        printed
        == "t1, shoe 1 was the shoe committed to: 6 cards left it, and the 5 faces given are those of its seed.\n"
    )
    (tmp_path / "cards").write_text("\n".join(seen))
    found = json.loads(punto.ok("shoe", "verify", *by_hand("--cards", str(tmp_path / "cards"), "--json")))
    assert (found["as_committed"], found["dealt"], found["seen"]) == (True, 6, 6)
    wrong = "Ac" if seen[0] != "Ac" else "Ad"
    assert (
        punto.refused("shoe", "verify", *by_hand(), wrong)
        == f"punto: Card 1 of the shoe is {seen[0]}, but {wrong} was dealt.\n"
    )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (by_hand("--decks", "6"), "The commitment does not match"),
        (by_hand("--seed", "ff" * 32), "The commitment does not match"),
        (by_hand("--seed", "nonsense"), "'nonsense' is not a seed: that is 64 hexadecimal digits."),
        (by_hand("--seed", "00"), "A seed has 32 bytes; this one has 1."),
        (by_hand("1x"), "'1x' is not a card"),
        (by_hand("--decks", "8", *["?"] * 417), "417 cards were dealt, but the shoe holds only 416."),
        (["--seed", "00"], "Give --table and --shoe, or else also --commitment, --context."),
        (["--table", "t1"], "Say which shoe of the table: --shoe N."),
        (["--table", "t1", "--shoe", "1", "--seed", "00"], "With --table everything else is in the journal"),
    ],
)
def test_what_is_no_proof_is_a_sentence(punto: Command, arguments: list[str], says: str) -> None:
    assert punto.refused("shoe", "verify", *arguments).startswith(f"punto: {says}")
