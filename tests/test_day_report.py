"""The report of a gaming day: held against a second count of the same journal, and for the pit and above alone."""

import csv
import io
import re
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from pypdf import PdfReader

from audited import STORIES, Step, runs_of_luck, told_again
from bulk import AT, append_days, append_history
from databases import fresh
from punto.journal import Append, Entry, Journal
from punto.journal.leases import mark_released
from punto.report import lettering
from punto.report.lettering import chinese_font
from punto.service.accounts.account import HeldPost
from punto.service.days import start_of_days
from punto.service.money import ledger as ledgers
from punto.service.money.count import Counter, NotThrough
from punto.service.money.day_report import DayReport, ReportRow
from punto.service.money.report_files import report_csv, report_pdf
from punto.service.runtime import bookkeeping
from punto.settlement import Limits
from punto.table import Table, act, commands, encode
from punto.table.felt import unexposed
from service_process import MASTER, PATIENCE, until
from test_money import served

from test_cli import ok, punto_command

STARTS = start_of_days("06:00+00:00")
DAY = "2026-11-15"
HISTORY_DAY = AT[:10]
"""The day on which a long history of `bulk` was written."""

LIMITS = Limits(minimum=1000, maximum=1_000_000, differential=1_000_000)


class Kept:
    """A journal with one table, whose entries are written at any time, by anybody."""

    def __init__(self, folder: Path) -> None:
        self.journal = Journal(fresh("sqlite", folder))
        self.journal.upgrade()
        self.counter = Counter(self.journal, STARTS)
        self.table: Table | None = None
        self.names = 0
        self.reached = 0

    def begin(self) -> str:
        """Another table."""
        self.names, self.reached, self.table = self.names + 1, 0, None
        return f"t{self.names}"

    def keep(self, made: Iterable[Any], at: str = f"{DAY}T08:00:00.000Z", who: str = "dealer") -> None:
        bodies = tuple(encode(event) for event in made)
        name = f"t{self.names}"
        self.journal.append([Append(name, self.reached, f"{name} {self.reached}", who, at, bodies)])
        self.reached += len(bodies)

    def do(self, command: commands.Command, at: str, who: str = "dealer") -> None:
        self.table, made = act(self.table, command)
        self.keep(made, at, who)

    def report(self, day: str = DAY) -> DayReport:
        return Counter(self.journal, STARTS).report(day)


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Kept]:
    found = Kept(tmp_path)
    with closing(found.journal):
        yield found


# A second count: of the JSON in the journal, and of what people had in the end


def second_count(entries: Iterable[Entry], after: Table) -> dict[str, dict[str, int]]:
    """By patron, and "" for the table: rounds, wagers and stakes of the rounds as they ended, and the house's win."""
    paid: list[dict[str, Any]] = []
    brought: dict[str, int] = defaultdict(int)
    highest: dict[str, int] = defaultdict(int)
    for body in (body for entry in entries for body in entry.events):
        said = msgspec.json.decode(body)
        kind = said["event"]
        if kind == "round-settled":
            if said.get("again"):
                paid.pop()
            paid.append(said["lines"])
            for person, lines in said["lines"].items():
                for who in (person, ""):
                    highest[who] = max([highest[who], *(line["effective"] for line in lines)])
        elif kind == "round-ended" and said.get("reversed"):
            paid.pop()
        elif kind == "bought-in" or (kind == "owed-paid" and not said.get("chips")):
            brought[said["patron"]] += said["amount"]
        elif kind == "cashed-out":
            brought[said["patron"]] -= said["amount"]
    found: dict[str, dict[str, int]] = defaultdict(lambda: {"rounds": 0, "wagers": 0, "staked": 0, "won": 0})
    for lines in paid:
        found[""]["rounds"] += 1
        for person, own in lines.items():
            found[person]["rounds"] += 1
            for who in (person, ""):
                stakes = [line["effective"] for line in own if line["effective"]]
                found[who]["wagers"] += len(stakes)
                found[who]["staked"] += sum(stakes)
    for person, patron in after.patrons.items():
        won = brought[person] - (patron.balance + patron.held - patron.owed)
        found[person]["won"] += won
        found[""]["won"] += won
    everybody = {who: {**found[who], "highest": highest[who]} for who in (*found, *highest)}
    return {who: each for who, each in everybody.items() if any(each.values())}


def told(row: ReportRow) -> dict[str, int]:
    names = ("rounds", "wagers", "staked", "won", "highest")
    return {name: getattr(row, name) for name in names}


def check_against_second_count(kept: Kept, run: Iterable[Step]) -> None:
    name = kept.begin()
    after: Table | None = None
    for before, command, made in run:
        after, _ = act(before, command)
        kept.keep(made)
    if after is None:
        return
    counted = second_count(kept.journal.entries(name), after)
    report = kept.counter.report(DAY, lambda each: each == name)
    [table] = report.tables
    nothing = {"rounds": 0, "wagers": 0, "staked": 0, "won": 0, "highest": 0}
    assert told(table) == counted.pop("", nothing)
    patrons = {row.name: told(row) for row in report.patrons if any(told(row).values())}
    assert patrons == counted
    assert sum(row.won for row in report.dealers) == sum(row.won for row in report.patrons) == table.won


CORRECTED = [each for each in STORIES if any(word in each.stem for word in ("misread", "void", "paid", "first-four"))]


def test_the_report_says_what_a_second_count_of_the_same_journal_says(kept: Kept) -> None:
    """Stories in which rounds are settled again or taken back, and tables at which anything happens."""
    assert len(CORRECTED) > 40
    for story in CORRECTED[::7]:
        check_against_second_count(kept, told_again(story))
    for run in runs_of_luck(3, 150):
        check_against_second_count(kept, run)
    bodies = b"".join(body for name in kept.journal.chains() for e in kept.journal.entries(name) for body in e.events)
    assert b'"again":true' in bodies
    assert b'"reversed":true' in bodies


# Days and dealers


def open_table(kept: Kept) -> None:
    kept.begin()
    opening = commands.OpenTable("wu-song", f"{DAY}T08:00:00+00:00", 8, limits=LIMITS, auto=("announce", "settle"))
    kept.do(opening, f"{DAY}T07:00:00.000Z")
    kept.do(commands.LoadShoe(), f"{DAY}T07:00:00.000Z")
    for box, name in enumerate(("ann", "bob"), start=1):
        kept.do(commands.Sit(name, box, by=name), f"{DAY}T07:00:00.000Z", name)
        kept.do(commands.BuyIn(name, 100_000, by=name), f"{DAY}T07:00:00.000Z", name)
    for person in ("dana", "eve"):
        kept.do(commands.Assign(person, "dealer"), f"{DAY}T07:00:00.000Z", person)


def deal(kept: Kept, who: str, minute: str, cards: str, **stakes: int) -> None:
    """A round within a minute, by a dealer, with stakes on Banker by name."""
    at = f"{minute}:00.000Z"
    kept.do(commands.OpenBets(by=who), at, who)
    for name, stake in stakes.items():
        kept.do(commands.Place(name, "banker", stake, by=name), at, name)
    kept.do(commands.CloseBets(by=who), at, who)
    faces = cards.split()
    while kept.table is not None and (round := kept.table.running) is not None:
        down = unexposed(round)
        if down:
            opened, faces = faces[: len(down)], faces[len(down) :]
            kept.do(commands.Expose(tuple(opened), by=who), at, who)
        else:
            kept.do(commands.Draw(by=who), at, who)


PLAYER_WINS, BANKER_WINS = "9h 2c Kd Ks", "2h 9c Kd Ks"


def an_evening(kept: Kept) -> None:
    """Dana deals three rounds in ten minutes, Eve one at 11:00; after 06:00 it is the next day, and Dana deals one."""
    open_table(kept)
    deal(kept, "dana", f"{DAY}T10:00", PLAYER_WINS, ann=10_000, bob=20_000)  # the house wins 300.00
    deal(kept, "dana", f"{DAY}T10:05", BANKER_WINS, ann=10_000)  # and loses 100.00
    deal(kept, "dana", f"{DAY}T10:10", PLAYER_WINS, bob=30_000)  # 300.00
    deal(kept, "eve", f"{DAY}T11:00", PLAYER_WINS, ann=5_000)  # 50.00
    deal(kept, "dana", "2026-11-16T06:00", PLAYER_WINS, ann=1_000)  # 10.00 of the next day


def test_every_round_belongs_to_the_day_and_to_the_dealer_of_it(kept: Kept) -> None:
    an_evening(kept)
    first, second = kept.report(), kept.report("2026-11-16")
    dealers = {row.name: (row.rounds, row.wagers, row.staked, row.won, row.minutes) for row in first.dealers}
    assert dealers == {"dana": (3, 4, 70_000, 50_000, 10), "eve": (1, 1, 5_000, 5_000, 0)}
    patrons = {row.name: (row.bought, row.cashed, row.rounds, row.won, row.highest) for row in first.patrons}
    assert patrons == {"ann": (100_000, 0, 3, 5_000, 10_000), "bob": (100_000, 0, 2, 50_000, 30_000)}
    [table] = first.tables
    assert (table.bought, table.won, table.rounds, table.average) == (200_000, 55_000, 4, 15_000)
    assert (table.hold, table.float, table.minutes, table.patrons) == (27_50, -145_000, 10, 2)
    assert [(row.name, row.rounds, row.won, row.bought) for row in second.patrons] == [("ann", 1, 1_000, 0)]
    assert (table.dealer, table.since) == ("dana", "2026-11-16T06:00:00.000Z")
    assert kept.report("2026-11-14").patrons == []


def test_the_pace_and_the_age_of_questions_are_told(kept: Kept) -> None:
    open_table(kept)
    deal(kept, "dana", f"{DAY}T10:00", PLAYER_WINS, ann=10_000)
    assert kept.report().tables[0].pace is None  # of one round nobody can say
    deal(kept, "dana", f"{DAY}T10:02", PLAYER_WINS, ann=10_000)
    deal(kept, "dana", f"{DAY}T10:04", PLAYER_WINS, ann=10_000)
    assert kept.report().tables[0].pace == 30
    kept.do(commands.OpenBets(by="dana"), f"{DAY}T10:05:00.000Z", "dana")
    kept.do(commands.Place("ann", "banker", 5_000, by="ann"), f"{DAY}T10:05:00.000Z", "ann")
    kept.do(commands.CloseBets(by="dana"), f"{DAY}T10:05:00.000Z", "dana")
    kept.do(commands.Draw(by="dana"), f"{DAY}T10:05:00.000Z", "dana")
    kept.do(commands.Report("wrong-number", by="dana"), f"{DAY}T10:06:00.000Z", "dana")
    assert kept.table is not None
    [question] = kept.table.questions
    assert kept.report().tables[0].asked == {str(question.id): f"{DAY}T10:06:00.000Z"}
    kept.do(commands.Answer(question.id, "no", "Nobody knows.", by="pit-manager"), f"{DAY}T10:07:00.000Z", "lee")
    assert kept.report().tables[0].asked == {}


def test_a_report_goes_on_from_what_was_kept(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledgers, "KEEP_EVERY", 10)
    key = bytes(range(32))
    an_evening(kept)
    Counter(kept.journal, STARTS, lambda: key).count()
    deal(kept, "eve", "2026-11-16T07:00", PLAYER_WINS, bob=1_000)
    for day in (DAY, "2026-11-16"):
        again = Counter(kept.journal, STARTS, lambda: key).report(day)
        assert again == kept.report(day)


# Files


def test_the_files_say_what_the_report_says(kept: Kept) -> None:
    an_evening(kept)
    report = kept.report()
    rows = list(csv.DictReader(io.StringIO(report_csv(report, {"ann": "=1+1", "bob": "陳"}))))
    assert [(row["by"], row["id"]) for row in rows] == [
        ("table", "t1"),
        ("dealer", "dana"),
        ("dealer", "eve"),
        ("patron", "ann"),
        ("patron", "bob"),
    ]
    table, dana, _, ann, bob = rows
    assert (table["drop"], table["win"], table["hold-per-cent"], table["float-change"]) == (
        "2000.00",
        "550.00",
        "27.50",
        "-1450.00",
    )
    assert (dana["drop"], dana["win"], dana["minutes-dealt"]) == ("", "500.00", "10")
    assert (ann["name"], ann["average-wager"], bob["name"]) == ("'=1+1", "83.33", "陳")
    made = report_pdf(report, {"ann": "Ann", "bob": "陳"})
    assert made.startswith(b"%PDF")
    assert report_pdf(report, {"ann": "Ann", "bob": "陳"}) == made
    assert report_pdf(kept.report("2026-11-14"), {}).startswith(b"%PDF")


HAS_CHINESE = chinese_font(None, "賭檯") is not None


@pytest.mark.skipif(not HAS_CHINESE, reason="No font has Chinese letters: apt-get install fonts-noto-cjk.")
@pytest.mark.parametrize(
    ("tag", "words"),
    [
        ("zh-Hant", "賭檯 貨幣 買入 已兌現 贏額 第1頁 共1頁 陳大文"),
        ("zh-Hans", "赌台 货币 买入 已兑现 赢额 第1页 共1页 陳大文"),
    ],
)
def test_a_report_in_chinese_has_no_english_word(kept: Kept, tag: str, words: str) -> None:
    an_evening(kept)
    text = pdf_text(report_pdf(kept.report(), {"ann": "Ann", "bob": "陳大文"}, "", tag))
    whole = "".join(text.split())
    assert [word for word in words.split() if word not in whole] == []
    names = {"Ann", "SGD", "USD", "t1", "dana", "eve"}
    assert set(re.findall(r"[A-Za-z]{2,}", text)) <= names


def test_without_a_font_for_it_a_report_is_english_and_names_are_ids(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lettering, "_FOLDERS", ())
    an_evening(kept)
    text = pdf_text(report_pdf(kept.report(), {"ann": "Ann", "bob": "陳大文"}, "", "zh-Hant"))
    assert "Gaming day 2026-11-15" in text
    assert {"Ann", "bob"} <= set(text.split())


def pdf_text(made: bytes) -> str:
    """What the pages of a PDF say."""
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(made)).pages)


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20"])
def test_no_name_in_the_file_is_a_formula(kept: Kept, sign: str) -> None:
    an_evening(kept)
    rows = csv.DictReader(io.StringIO(report_csv(kept.report(), {"ann": f"{sign}cmd|x"})))
    assert [row["name"] for row in rows if row["id"] == "ann"] == [f"'{sign}cmd|x"]


def test_the_command_writes_the_same(kept: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    an_evening(kept)
    monkeypatch.setenv("PUNTO_DAY_STARTS", "06:00+00:00")
    monkeypatch.setenv("PUNTO_MASTER_KEY", MASTER.text)
    database = str(kept.journal.url)
    report = Counter(kept.journal, STARTS).report(DAY)
    told = ok("cage", "report", DAY, "--database", database)
    assert told == report_csv(report, {}).replace("\r\n", "\n")
    as_json = ok("cage", "report", DAY, "--database", database, "--json")
    assert msgspec.json.decode(as_json, type=DayReport) == report
    for suffix in ("csv", "pdf"):
        ok("cage", "report", DAY, "--database", database, "-o", str(tmp_path / f"day.{suffix}"))
    assert (tmp_path / "day.csv").read_bytes().decode() == report_csv(report, {})
    assert (tmp_path / "day.pdf").read_bytes() == report_pdf(report, {})
    for asked in (("report", "yesterday"), ("count", "--day", "yesterday")):
        assert "is no day" in punto_command("cage", *asked, "--database", database).stderr
    assert "No account is the person 'nobody'" in punto_command("cage", "hold", "nobody", "--database", database).stderr
    paid = punto_command("cage", "withdraw", "ann", "5", "--currency", "dollars", "--database", database)
    assert "'DOLLARS' is not a currency" in paid.stderr
    assert (
        "A report is a .csv, .jsonl, .parquet or .pdf file."
        in punto_command("cage", "report", DAY, "-o", "x.doc", "--database", database).stderr
    )


# Who may see it


WAYS = ("/api/report", "/api/report.csv", "/api/report.pdf")


def test_the_report_is_for_the_pit_and_above(tmp_path: Path) -> None:
    with served(fresh("sqlite", tmp_path), tmp_path, money="play") as house:
        house.open("t1", "t2")
        house.add("dan", "staff", {"*": HeldPost("dealer")})
        house.add("sue", "staff", {"t2": HeldPost("pit-supervisor"), "t1": HeldPost("dealer")})
        house.add("nil", "staff", {})
        assert house.buys("ann", 100_00).status_code == 200
        for way in WAYS:
            assert house.client.get(way).status_code == 403
            for name in ("ann", "dan", "cas", "nil"):
                refused = house.client.get(way, headers=house.head(name))
                assert (refused.status_code, refused.json()["message"]["id"]) == (403, "report-for-pit")
            assert house.client.get(f"{way}?day=2026-02-30", headers=house.head("lee")).status_code == 400
            assert house.client.get(f"{way}?day=x", headers=house.head("lee")).status_code == 400
        whole = house.get("lee", "/api/report")
        assert [row["name"] for row in whole["tables"]] == ["t1", "t2"]
        assert [(row["name"], row["bought"]) for row in whole["patrons"]] == [("ann", 100_00)]
        part = house.get("sue", "/api/report")  # of the table where she is above the dealer
        assert [row["name"] for row in part["tables"]] == ["t2"]
        assert part["patrons"] == []
        lines = house.client.get("/api/report.csv", headers=house.head("lee"))
        assert lines.headers["content-type"].startswith("text/csv")
        assert lines.text.splitlines()[1].startswith("table,t1,t1,USD,100.00")
        file = house.client.get("/api/report.pdf", headers=house.head("lee"))
        assert (file.headers["content-type"], file.content[:4]) == ("application/pdf", b"%PDF")


def test_a_day_before_those_that_are_kept_is_told_by_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever asks the service is told so, and nobody waits; of a table that they do not see nothing matters."""
    monkeypatch.setattr(ledgers, "DAYS", 2)
    url = fresh("sqlite", tmp_path)
    with closing(Journal(url)) as journal:
        journal.upgrade()
        append_days(journal, "old", 4)
        mark_released(journal, ["old"])
    with served(url, tmp_path, money="play") as house:
        house.open("t2")
        assert house.get("lee", "/api/report?day=2026-11-04")["tables"][0]["bought"] == 4 * 10_000_000
    with served(url, tmp_path, money="play") as house:
        house.add("sue", "staff", {"t2": HeldPost("pit-supervisor")})
        ways = dict.fromkeys(WAYS, "punto cage report 2026-11-01")
        for way, command in (ways | {"/api/count": "punto cage count --day 2026-11-01"}).items():
            refused = house.client.get(f"{way}?day=2026-11-01", headers=house.head("lee"))
            assert (refused.status_code, refused.json()["message"]["id"]) == (400, "day-not-kept")
            assert command in refused.json()["refused"]
        monkeypatch.setenv("PUNTO_MASTER_KEY", (tmp_path / "p.master").read_text().strip())
        told = ok(*ways["/api/report"].split()[1:], "--database", url, "--json")
        assert msgspec.json.decode(told, type=DayReport).tables[0].bought == 4 * 10_000_000
        assert house.get("lee", "/api/report?day=2001-01-01")["tables"][0]["bought"] == 0
        assert house.get("lee", "/api/report?day=2026-11-04")["tables"][0]["bought"] == 4 * 10_000_000
        part = house.get("sue", "/api/report?day=2026-11-01")
        assert [(row["name"], row["bought"]) for row in part["tables"]] == [("t2", 0)]


class ReadJournal(Journal):
    """A journal that counts the entries that are read of it."""

    read_entries = 0

    def entries(self, table: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        found = super().entries(table, after, limit)
        self.read_entries += len(found)
        return found


SIGNS = bytes(range(32))
A_FEW = 5
"""Entries that are read to see whether a kept ledger belongs to its chain."""


def read_by_a_report(folder: Path, rounds: int) -> int:
    """How many entries the first report ever reads, of a table with so many rounds that was kept up with."""
    folder.mkdir()
    url, most = fresh("sqlite", folder), ledgers.KEEP_EVERY
    with closing(ReadJournal(url)) as journal:
        journal.upgrade()
        assert append_history(journal, "old", rounds) > 4 * most
        counter = Counter(journal, STARTS, lambda: SIGNS, most=most)
        more = True
        while more:
            journal.read_entries = 0
            more = counter.keep_up(["old", "closed long ago"])
            assert journal.read_entries <= most + A_FEW
    with closing(ReadJournal(url)) as journal:
        report = Counter(journal, STARTS, lambda: SIGNS, last_days=True).report(HISTORY_DAY)
        assert report.tables[0].rounds == rounds
        assert report == Counter(Journal(url), STARTS).report(HISTORY_DAY)  # from the beginning
        return journal.read_entries


def test_the_first_report_ever_reads_no_more_of_a_long_chain_than_of_a_short_one(tmp_path: Path) -> None:
    short, long = read_by_a_report(tmp_path / "short", 300), read_by_a_report(tmp_path / "long", 1200)
    assert max(short, long) < ledgers.KEEP_EVERY + A_FEW


def test_a_count_that_takes_so_many_entries_at_once_comes_to_the_same(tmp_path: Path) -> None:
    with closing(ReadJournal(fresh("sqlite", tmp_path))) as journal:
        journal.upgrade()
        for name in ("one", "two"):
            append_history(journal, name, 40)
        counter, left, report = Counter(journal, STARTS, most=20), [], None
        while report is None:
            journal.read_entries = 0
            try:
                report = counter.report(HISTORY_DAY)
            except NotThrough as slice_read:
                left.append(slice_read.left)
            assert journal.read_entries <= 20
        assert left == sorted(left, reverse=True)
        assert len(set(left)) == len(left) > 2
        assert report == Counter(journal, STARTS).report(HISTORY_DAY)


def test_the_service_keeps_up_with_its_tables_though_nobody_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bookkeeping, "LOOK", 0.01)
    url = fresh("sqlite", tmp_path)
    with closing(Journal(url)) as journal:
        journal.upgrade()
        append_history(journal, "old", 300)
        mark_released(journal, ["old"])
    with served(url, tmp_path, money="play") as house:
        journal = house.casino.floor.journal

        def is_kept() -> bool:
            body = journal.record("kept-ledger", "old")
            kept_at = 0 if body is None else msgspec.json.decode(body)["sequence"]
            return bool(journal.tables()["old"] - kept_at < ledgers.KEEP_EVERY)

        until(is_kept, "the ledger of a table that nobody has asked about")
        read: list[Entry] = []
        real = journal.entries

        def entries(*given: Any) -> list[Entry]:
            found: list[Entry] = real(*given)
            read.extend(found)
            return found

        monkeypatch.setattr(journal, "entries", entries)
        assert house.get("lee", f"/api/report?day={HISTORY_DAY}")["tables"][0]["rounds"] == 300
        assert len(read) < ledgers.KEEP_EVERY + A_FEW


def test_whoever_waits_long_for_a_long_chain_is_told_how_much_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def one_slice(*_: Any) -> DayReport:
        raise NotThrough(1234)

    monkeypatch.setattr(Counter, "report", one_slice)
    with served(fresh("sqlite", tmp_path), tmp_path, money="play") as house:
        house.open("t1")
        house.casino.counting._limit.seconds = 0.2

        def told() -> bool:
            refused = house.client.get("/api/report", headers=house.head("lee"))
            assert refused.status_code == 503
            message = refused.json()["message"]
            return bool(message == {"id": "still-counting-left", "args": {"left": 1234}})

        until(told, "an answer after the first slice")


def test_whoever_waits_long_for_a_report_is_told_to_ask_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands go on meanwhile, and the report is finished."""
    go_on, real = threading.Event(), Counter.report

    def long_report(*given: Any) -> DayReport:
        assert go_on.wait(PATIENCE)
        return real(*given)

    monkeypatch.setattr(Counter, "report", long_report)
    with served(fresh("sqlite", tmp_path), tmp_path, money="play") as house:
        house.open("t1")
        house.casino.counting._limit.seconds = 0.05
        try:
            refused = house.client.get("/api/report", headers=house.head("lee"))
            assert (refused.status_code, refused.json()["message"]["id"]) == (503, "still-counting")
            assert house.buys("ann", 100_00).status_code == 200
        finally:
            go_on.set()
        house.casino.counting._limit.seconds = PATIENCE
        assert house.get("lee", "/api/report")["tables"][0]["bought"] == 100_00
