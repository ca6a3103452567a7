"""An outside witness: what it has signed cannot be cut off, written anew or removed without being found out."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import text
from typer.testing import CliRunner

from databases import KINDS, fresh
from punto.audit import entries as audited_entries
from punto.audit import verify
from punto.journal import HOUSE, Append, Entry, Journal, announce, new_key, public_key, sign
from punto.journal.cosignatures import cosigned
from punto.journal.witness import Cosigned, NotWitnessed, ShownHead, Witness, read_cosigned
from punto.service.accounts.house import NEW_SIGNING_KEY, House
from punto.service.accounts.registry import Accounts
from punto.service.runtime import witnessing
from punto.service.runtime.witnessing import Witnessing
from service_process import PATIENCE, Service, open_house, until
from warm_start import warm_starts
from whole_app import app
from witness_server import serving

SIGNS = new_key()


@pytest.fixture(params=KINDS)
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Journal]:
    with closing(Journal(fresh(request.param, tmp_path))) as journal:
        journal.upgrade()
        yield journal


@pytest.fixture
def witness(tmp_path: Path) -> Witness:
    return Witness(tmp_path / "witness")


def act(journal: Journal, count: int = 1) -> None:
    for number in range(count):
        journal.note(House(journal).entry("service", "account-made", f"ann{number}"))


def shown(journal: Journal, table: str = HOUSE, after: int = 0, key: bytes = SIGNS) -> ShownHead:
    head = journal.head(table)
    assert head is not None
    return ShownHead(sign(key, table, head.sequence, head.hash), tuple(journal.entries(table, after)))


def wrong(journal: Journal, witness: Witness, tmp_path: Path) -> str:
    heads = read_cosigned(tmp_path / "witness" / "witness.heads")
    assert all(each.is_true(witness.key) for each in heads)
    return " ".join(str(each.wrong) for each in verify(journal, witnessed=heads) if each.wrong is not None)


def drop_guards(journal: Journal) -> None:
    """Somebody owns the database: what it refuses to others it does for them."""
    with journal.transaction() as connection:
        if journal.sqlite:
            names = connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'trigger'")).scalars().all()
            for name in names:
                connection.execute(text(f"DROP TRIGGER {name}"))
        else:
            connection.execute(text("DROP FUNCTION punto_never_changed() CASCADE"))


def test_it_signs_what_follows_and_nothing_else(house: Journal, witness: Witness, tmp_path: Path) -> None:
    act(house, 3)
    first = witness.cosign(shown(house))
    assert (first.sequence, first.is_true(witness.key)) == (3, True)
    act(house, 2)
    assert witness.cosign(shown(house, after=3)).sequence == 5
    assert witness.cosign(shown(house, after=3)).sequence == 5  # sent once more: the same answer
    act(house)
    good = shown(house, after=5)
    altered = msgspec.structs.replace(good.entries[0], who="eve")
    for bad, says in (
        (shown(house, after=4), "does not follow"),
        (msgspec.structs.replace(good, entries=(altered,)), "does not follow"),
        (msgspec.structs.replace(good, entries=()), "does not follow from what is shown"),
        (shown(house, after=5, key=new_key()), "not the house's"),
        (
            msgspec.structs.replace(good, checkpoint=msgspec.structs.replace(good.checkpoint, signature="00")),
            "not signed",
        ),
    ):
        with pytest.raises(NotWitnessed, match=says):
            witness.cosign(bad)
    again = Witness(tmp_path / "witness")  # it forgets nothing when it is started again
    assert (again.key, again.last(HOUSE)) == (witness.key, witness.last(HOUSE))
    with pytest.raises(NotWitnessed, match="does not follow"):
        again.cosign(shown(house))
    assert again.cosign(good).sequence == 6
    assert {oct(file.stat().st_mode & 0o777) for file in (tmp_path / "witness").iterdir()} == {"0o600"}


def test_a_witness_that_was_cut_off_in_a_line_goes_on(house: Journal, witness: Witness, tmp_path: Path) -> None:
    act(house, 3)
    witness.cosign(shown(house))
    act(house, 2)
    witness.cosign(shown(house, after=3))
    heads, keys = (tmp_path / "witness" / name for name in ("witness.heads", "house.keys"))
    first, second, _ = heads.read_bytes().split(b"\n")
    known = keys.read_bytes()
    for cut in range(len(second) + 1):  # the last byte to arrive is the end of the line
        heads.write_bytes(first + b"\n" + second[:cut])
        keys.write_bytes(known + b"ab")
        assert [each.sequence for each in read_cosigned(heads)] == ([3, 5] if cut == len(second) else [3])
        again = Witness(tmp_path / "witness")
        assert again.last(HOUSE) is not None
        assert again.cosign(shown(house, after=3)).sequence == 5
        assert heads.read_bytes() == first + b"\n" + second + b"\n"
        assert keys.read_bytes() == known
    heads.write_bytes(b"rubbish")
    with pytest.raises(NotWitnessed, match="not the file of a witness"):
        read_cosigned(heads)


def test_it_signs_no_second_history(house: Journal, witness: Witness, tmp_path: Path) -> None:
    act(house, 3)
    witness.cosign(shown(house))
    with closing(Journal(f"sqlite:///{tmp_path}/other.db")) as other:
        other.upgrade()
        act(other, 5)
        with pytest.raises(NotWitnessed, match="does not follow"):
            witness.cosign(shown(other))
        assert "not the one that the witness has seen" in wrong(other, witness, tmp_path)


def test_a_cut_tail_and_a_removed_chain_are_found(house: Journal, witness: Witness, tmp_path: Path) -> None:
    act(house, 3)
    house.append([Append("t1", 0, "k1", "dealer", "2026-01-01T00:00:00Z", (b"{}",))])
    witness.cosign(shown(house))
    witness.cosign(shown(house, "t1"))
    assert "t1: event 1 is wrong: it is no event" in wrong(house, witness, tmp_path)  # that is not the witness's matter
    drop_guards(house)
    with house.transaction() as connection:
        connection.execute(text("DELETE FROM entries WHERE \"table\" = 't1'"))
        connection.execute(text("DELETE FROM tables WHERE id = 't1'"))
        connection.execute(text("DELETE FROM entries WHERE \"table\" = 'house' AND sequence = 3"))
        head = connection.execute(text("SELECT hash FROM entries WHERE \"table\" = 'house' AND sequence = 2")).scalar()
        connection.execute(text("UPDATE tables SET sequence = 2, hash = :head WHERE id = 'house'"), {"head": head})
    assert [each.wrong for each in verify(house)] == [None]  # without the witness nothing is found
    found = wrong(house, witness, tmp_path)
    assert "house: event 3 is wrong: it is missing: a witness has seen event 3." in found
    assert "t1: event 1 is wrong: the whole chain is missing: a witness has seen it up to event 1." in found


def test_a_witness_follows_a_new_signing_key_that_the_house_announces(house: Journal, witness: Witness) -> None:
    act(house)
    witness.cosign(shown(house))
    new = new_key()
    names = {"key": public_key(SIGNS), "new_key": public_key(new)}
    false = announce(new, public_key(new))
    house.note(House(house).entry("service", NEW_SIGNING_KEY, "", **names, signature=false))
    with pytest.raises(NotWitnessed, match="not announced"):
        witness.cosign(shown(house, after=1, key=new))
    true = announce(SIGNS, public_key(new))
    house.note(House(house).entry("service", NEW_SIGNING_KEY, "", **names, signature=true))
    assert witness.cosign(shown(house, after=1, key=new)).sequence == 3


def test_a_house_shows_its_checkpoints_to_a_witness(house: Journal, witness: Witness, tmp_path: Path) -> None:
    with serving(witness) as address:
        showing = Witnessing(house, address)
        for _ in range(2):
            act(house, 2)
            house.checkpoint(shown(house).checkpoint)
            assert showing.show() == 1
            assert showing.show() == 0
        assert Witnessing(house, address).show() == 0
    kept = cosigned(house, witness.key)
    assert [each.sequence for each in kept] == [2, 4]
    assert kept == read_cosigned(tmp_path / "witness" / "witness.heads")
    with pytest.raises(NotWitnessed, match="did not answer"):
        Witnessing(house, address).show()


def test_a_witness_who_comes_late_is_shown_every_entry_once(
    house: Journal, witness: Witness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thirty checkpoints before anybody witnesses: what is read is the chain, and not the rest of it for each."""
    monkeypatch.setattr(audited_entries, "AT_ONCE", 7)  # entries of one checkpoint are in several pages
    for _ in range(30):
        act(house, 3)
        house.checkpoint(shown(house).checkpoint)
    act(house, 2)
    read: list[int] = []
    entries = house.entries

    def noted(table: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        found = entries(table, after, limit)
        read.extend(each.sequence for each in found)
        return found

    with serving(witness) as address:
        monkeypatch.setattr(house, "entries", noted)
        assert Witnessing(house, address).show() == 30
    assert len(read) == len(set(read)) <= 92
    assert [each.sequence for each in cosigned(house, witness.key)] == list(range(3, 91, 3))


def test_a_chain_that_the_witness_does_not_sign_keeps_no_other_from_being_shown(
    house: Journal, witness: Witness, tmp_path: Path
) -> None:
    """Of one table it has seen another history, as after a restore, or when somebody has written it anew."""
    with closing(Journal(f"sqlite:///{tmp_path}/other.db")) as other:
        other.upgrade()
        other.append([Append("t1", 0, "k1", "dealer", "2026-01-01T00:00:00Z", (b'"another"',))])
        witness.cosign(shown(other, "t1"))
    act(house)
    house.checkpoint(shown(house).checkpoint)
    for name in ("t0", "t1", "t2"):
        bodies = tuple(b"{}" for _ in range(3))
        house.append([Append(name, 0, "k1", "dealer", "2026-01-01T00:00:00Z", bodies)])
        house.checkpoint(shown(house, name).checkpoint)
    with serving(witness) as address, pytest.raises(NotWitnessed, match=r"refuses.*'t1' does not follow"):
        Witnessing(house, address).show()
    assert {each.table: each.sequence for each in cosigned(house, witness.key)} == {HOUSE: 1, "t0": 3, "t2": 3}


ANSWERS = {
    "no text": b'{"table": "\xff"}',
    "too deep": b"[" * 100_000,
    "nothing": b"",
    "another head": msgspec.json.encode(Cosigned("t9", 1, "00", "00", "00")),
}


@pytest.mark.parametrize("said", ANSWERS)
def test_whatever_a_witness_answers_it_is_shown_the_same_again(said: str, house: Journal) -> None:
    class Rubbish(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Nothing is logged."""

        def do_GET(self) -> None:
            self._say(b"null")

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self._say(ANSWERS[said])

        def _say(self, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    act(house)
    house.checkpoint(shown(house).checkpoint)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Rubbish)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        showing = Witnessing(house, f"http://127.0.0.1:{server.server_address[1]}")
        for _ in range(2):
            with pytest.raises(NotWitnessed):
                showing.show()
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert not house.checkpoints("t9")


def test_what_nobody_foresaw_does_not_end_the_showing(
    house: Journal, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        tried, again = [0], asyncio.Event()
        loop = asyncio.get_running_loop()

        def show(_: Witnessing) -> int:
            tried[0] += 1
            if tried[0] == 1:
                raise RuntimeError("nobody foresaw this")
            loop.call_soon_threadsafe(again.set)
            return 0

        monkeypatch.setattr(Witnessing, "show", show)
        monkeypatch.setattr(witnessing, "_PAUSE", 0.01)
        showing = Witnessing(house, "http://127.0.0.1:1")
        showing.start()
        await asyncio.wait_for(again.wait(), PATIENCE)
        await showing.stop()

    asyncio.run(story())
    assert "nobody foresaw this" in caplog.text


def test_the_service_is_witnessed_and_verified_on_the_command_line(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/punto.db"
    witness = Witness(tmp_path / "witness")
    with closing(open_house(url)) as journal:
        accounts = Accounts(journal)
        for number in range(5):
            accounts.make(f"ann{number}", "patron")
        with (
            serving(witness) as address,
            Service(tmp_path, url, warm_starts(), checkpoint_every=2, witness=address).start(),
        ):
            until(lambda: cosigned(journal, witness.key), "the witness to sign")

    def verified(of: str) -> str:
        return CliRunner().invoke(app, ["journal", "verify", "--database", url, "--witness", of]).stdout

    for of in (str(tmp_path / "witness" / "witness.heads"), witness.key):
        assert "house: whole. 5 events in 5 entries; signed up to event 5 by" in verified(of)
        assert "witnessed up to event 5." in verified(of)
    forged = msgspec.structs.replace(Cosigned(**msgspec.to_builtins(witness.last(HOUSE))), sequence=9)
    (tmp_path / "forged").write_bytes(msgspec.json.encode(forged))
    assert "is said to have signed of it is false" in verified(str(tmp_path / "forged"))
    (tmp_path / "nonsense").write_text("nonsense")
    done = CliRunner().invoke(app, ["journal", "verify", "--database", url, "--witness", str(tmp_path / "nonsense")])
    assert "not the file of a witness" in str(done.exception)
    printed = CliRunner().invoke(app, ["witness", "key", "--folder", str(tmp_path / "witness")]).stdout
    assert printed.strip() == witness.key
