"""Secrets at rest: whoever has the database alone forges no session, signs nothing and sees no card."""

import asyncio
import json
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from typer.testing import CliRunner

from databases import KINDS, fresh
from punto.audit import seed_name, verify
from punto.journal import HOUSE, Journal, Locked, MasterKey, announce, new_key, public_key, sign
from punto.journal.leases import Leases
from punto.service.accounts.house import NEW_SIGNING_KEY, House
from punto.service.accounts.registry import Accounts
from punto.service.accounts.tokens import Denied, Signer, Token
from punto.service.keys import key_files, rotation
from punto.service.keys.master import master_file, opened_store
from punto.service.keys.rotation import replace_master_key, replace_signing_key, replace_token_key
from punto.service.keys.signing import signing_key
from punto.service.settings import BadSettings, Settings, settings
from punto.shoe import SEED_BYTES, commit
from service_room import Room, quick
from whole_app import app

SEED = bytes(range(100, 132))


@pytest.fixture(params=KINDS)
def given(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """The settings of a new house."""
    return quick(fresh(request.param, tmp_path), tmp_path)


@pytest.fixture
def house(given: Settings) -> Iterator[Journal]:
    """The store of a house, as the service opens it."""
    with closing(opened_store(given)) as journal:
        yield journal


def stored_bytes(given: Settings) -> bytes:
    """Everything that a copy of the database holds."""
    if given.database.startswith("sqlite"):
        file = Journal(given.database).file
        assert file is not None
        return b"".join(each.read_bytes() for each in sorted(file.parent.glob(f"{file.name}*")))
    found = []
    with psycopg.connect(given.database) as connection:
        names = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        for (name,) in names:
            for row in connection.execute(f'SELECT * FROM "{name}"').fetchall():
                found += [each if isinstance(each, bytes) else str(each).encode() for each in row]
    return b"\n".join(found)


def stolen_values(given: Settings) -> list[bytes]:
    """What stands in the secrets, as somebody reads it who has the database alone."""
    from punto.journal.schema import secrets

    with closing(Journal(given.database)) as thief, thief.transaction(reading=True) as connection:
        return [bytes(row.value) for row in connection.execute(secrets.select())]


def test_a_stolen_copy_forges_no_session_and_shows_no_card(given: Settings) -> None:
    async def evening() -> tuple[str, bytes]:
        async with Room(given) as room:
            room.journal.unlock(MasterKey.of_text(Path(str(master_file(given))).read_text()))
            await room.open("t1", "wu-song")
            table = await room.until("t1", lambda table: table.running is not None)
            seed = await asyncio.to_thread(room.journal.secret, "t1", seed_name(table.shoes))
            assert seed is not None
            [loaded] = [said.message for said in (await room.live("t1")).last if b"shoe-loaded" in said.message]
            return json.loads(loaded)["event"]["commitment"], seed

    with closing(opened_store(given)) as journal:
        accounts = Accounts(journal)
        account = accounts.make("lee", "staff", "correct horse")
        key = journal.secret("", "tokens")
        assert key is not None
    commitment, seed = asyncio.run(evening())
    copy = stored_bytes(given)
    for secret in (seed, key):
        assert secret not in copy
        assert secret.hex().encode() not in copy
    values = stolen_values(given)
    assert len(values) >= 2
    for value in values:
        windows = {value[at : at + SEED_BYTES] for at in range(len(value) - SEED_BYTES + 1)}
        assert all(commit(each, 8, "t1, shoe 1") != commitment for each in windows)
        for each in (value, *windows):
            forged = Signer(each).write(Token("lee", account.version, "a1", 1e12))
            with pytest.raises(Denied):
                accounts.holder(forged)
    with closing(Journal(given.database)) as thief:
        with pytest.raises(Locked, match="no master key was given"):
            Accounts(thief)
        with pytest.raises(Locked):
            thief.secret("t1", seed_name(1))
        with pytest.raises(Locked):  # nor does the house ever use what somebody puts there in plain
            thief.keep_secret("t1", "shoe 2", bytes(32))
        chains = {each.table: each for each in verify(thief)}
        assert chains["t1"].wrong is None


def test_a_store_of_plain_secrets_is_wrapped_at_the_next_start(given: Settings) -> None:
    with closing(Journal(given.database)) as earlier:
        earlier.upgrade()
        earlier.keep_secret("t1", "shoe 1", SEED)
        token = Accounts(earlier).token(Accounts(earlier).make("ann", "patron"))
    Path(given.key_file).write_bytes(signs := new_key())
    assert SEED in stored_bytes(given)
    with closing(opened_store(given)) as journal:
        assert journal.master is not None
        assert signing_key(Path(given.key_file), journal.master) == signs
        assert SEED not in stored_bytes(given)
        assert signs not in Path(given.key_file).read_bytes()
        assert journal.secret("t1", "shoe 1") == SEED
        assert Accounts(journal).holder(token).name == "ann"
    with closing(opened_store(given)) as journal:
        assert journal.secret("t1", "shoe 1") == SEED


def test_what_a_card_reader_has_read_is_wrapped_too(given: Settings) -> None:
    async def read() -> None:
        async with Room(given) as room:
            room.journal.unlock(MasterKey.of_text(Path(str(master_file(given))).read_text()))
            await room.open("t1", "wu-song", shoe="read")
            table = await room.floor.table("t1")
            found = await room.faces.read("t1", table)
            found.faces = dict.fromkeys(range(20), "9h")
            await room.faces.keep("t1", found)
            assert (await room.faces.read("t1", table)).faces == found.faces

    opened_store(given).close()
    asyncio.run(read())
    assert b'"9h"' not in stored_bytes(given)


def test_a_secret_that_was_moved_or_altered_does_not_open(given: Settings, house: Journal) -> None:
    from punto.journal.schema import secrets

    house.keep_secret("t1", "shoe 1", SEED)
    with house.transaction() as connection:
        connection.execute(secrets.update().values(table="t2").where(secrets.c.table == "t1"))
    with pytest.raises(Locked, match="was altered"):
        house.secret("t2", "shoe 1")
    with pytest.raises(Locked, match="was altered"):
        opened_store(given)


@pytest.mark.parametrize("all_of_them", [False, True], ids=["one of them", "all of them"])
def test_nobody_plants_a_secret_that_they_know(given: Settings, house: Journal, all_of_them: bool) -> None:
    """Whoever may write to the database could deal cards that they know, and write tokens of their own."""
    from punto.journal.schema import records, secrets

    assert house.master is not None
    signing_key(Path(given.key_file), house.master)
    Accounts(house)
    with house.transaction() as connection:
        if all_of_them:
            connection.execute(secrets.delete())
            connection.execute(records.delete().where(records.c.kind == "master"))
        else:
            connection.execute(secrets.delete().where(secrets.c.name == "tokens"))
        for table, name in (("t1", "shoe 1"), ("", "tokens")):
            connection.execute(secrets.insert().values(table=table, name=name, value=bytes(32)))
    with pytest.raises(Locked):
        house.secret_or("t1", "shoe 1", SEED)
    with pytest.raises(Locked, match="somebody else"):
        Accounts(house)
    with pytest.raises(Locked, match="somebody else"):
        opened_store(given)


# Where the key comes from


def test_another_key_or_none_is_a_sentence_and_changes_nothing(given: Settings, house: Journal) -> None:
    house.keep_secret("t1", "shoe 1", SEED)
    file = master_file(given)
    assert file is not None
    kept = file.read_text()
    before = stolen_values(given)
    file.unlink()
    with pytest.raises(BadSettings, match=r"there is no .*punto\.master"):
        opened_store(given)
    assert not file.exists()
    file.write_text(f"{MasterKey.new().text}\n")
    with pytest.raises(Locked, match="wrapped by the master key"):
        opened_store(given)
    for nonsense in ("", "secret", "00" * 31, "é" * 64):
        file.write_text(nonsense)
        with pytest.raises(BadSettings, match="64 hexadecimal digits"):
            opened_store(given)
    assert stolen_values(given) == before
    file.write_text(kept)
    with closing(opened_store(given)) as journal:
        assert journal.secret("t1", "shoe 1") == SEED


def test_the_key_comes_from_a_file_the_environment_or_a_command(tmp_path: Path) -> None:
    key = MasterKey.new()
    (tmp_path / "elsewhere").write_text(key.text)
    printing = f"{sys.executable} -c \"print(open('{tmp_path}/elsewhere').read())\""
    store = {"PUNTO_DATABASE": f"sqlite:///{tmp_path}/p.db", "PUNTO_KEY_FILE": f"{tmp_path}/p.key"}
    for name, value in (("KEY", key.text), ("KEY_FILE", f"{tmp_path}/elsewhere"), ("KEY_COMMAND", printing)):
        with closing(opened_store(settings(None, {**store, f"PUNTO_MASTER_{name}": value}))) as journal:
            assert journal.secret_or("t1", "shoe 1", SEED) == SEED
            assert journal.locked_by() == key.id
    assert not (tmp_path / "p.master").exists()
    for wrong, says in ((f"{sys.executable} -c 1/0", "status 1"), ("/no/such/command", "did not run")):
        with pytest.raises(BadSettings, match=says) as refused:
            opened_store(settings(None, {**store, "PUNTO_MASTER_KEY_COMMAND": wrong}))
        assert key.text not in str(refused.value)
    with pytest.raises(BadSettings, match="set one"):
        settings(None, {**store, "PUNTO_MASTER_KEY": key.text, "PUNTO_MASTER_KEY_FILE": "x"})


def test_every_file_of_the_house_is_its_owners_alone(tmp_path: Path) -> None:
    given = quick(f"sqlite:///{tmp_path}/punto.db", tmp_path)
    for name in ("punto.db.lease", "punto.master", "punto.key"):
        (tmp_path / name).touch(mode=0o644)
    (tmp_path / "punto.master").write_text(MasterKey.new().text)
    (tmp_path / "punto.key").write_bytes(new_key())
    with closing(opened_store(given)) as journal:
        assert journal.master is not None
        signing_key(Path(given.key_file), journal.master)
        leases = Leases(journal)
        leases.take("t1")
        found = {file.name: oct(file.stat().st_mode & 0o777) for file in tmp_path.iterdir()}
        leases.close()
    assert set(found) >= {"punto.db", "punto.db-wal", "punto.db-shm", "punto.db.lease", "punto.master", "punto.key"}
    assert set(found.values()) == {"0o600"}


# New keys for old


@pytest.mark.parametrize("named", ["a folder", "a text", "a program"])
@pytest.mark.parametrize("setting", ["key_file", "master_key_file", "database"])
def test_what_is_named_by_mistake_keeps_its_mode(tmp_path: Path, setting: str, named: str) -> None:
    """Whoever names `/` as the key file, or a text as the database, is refused, and nothing of it is shut to others."""
    place = tmp_path / "named"
    if named == "a folder":
        place.mkdir()
    else:
        place.write_bytes(
            b"root:x:0:0:root:/root:/bin/bash\nbin:x:2:2:bin:/bin:/bin/sh\n"
            if named == "a text"
            else b"\x7fELF" + bytes(100)
        )
    place.chmod(0o755)
    before = place.read_bytes() if place.is_file() else b""
    given = {"database": f"sqlite:///{tmp_path}/punto.db", "key_file": str(tmp_path / "punto.key")}
    given[setting] = f"sqlite:///{place}" if setting == "database" else str(place)
    lines = [f"{name} = {json.dumps(value)}" for name, value in given.items()]
    (tmp_path / "house.toml").write_text("\n".join(lines), encoding="utf-8")
    for command in (["users", "add", "ann", "--no-password"], ["keys", "show"], ["doctor"]):
        done = CliRunner().invoke(app, [*command, "--config", str(tmp_path / "house.toml")])
        assert done.exit_code in (0, 1), done.output
        assert place.stat().st_mode & 0o777 == 0o755, command
        assert (place.read_bytes() if place.is_file() else b"") == before


def test_a_new_master_key_opens_everything_and_the_old_one_nothing(given: Settings, house: Journal) -> None:
    house.keep_secret("t1", "shoe 1", SEED)
    token = Accounts(house).token(Accounts(house).make("ann", "patron"))
    old, file = house.master, master_file(given)
    assert old is not None
    assert file is not None
    signs = signing_key(Path(given.key_file), old)
    running = Journal(given.database)
    running.unlock(old)
    assert "wrapped by the master key" in replace_master_key(house, given)
    assert old.text not in file.read_text()
    with closing(opened_store(given)) as again:
        assert again.master is not None
        assert again.master.id != old.id
        assert again.secret("t1", "shoe 1") == SEED
        assert signing_key(Path(given.key_file), again.master) == signs
        assert Accounts(again).holder(token).name == "ann"
    with closing(running), pytest.raises(Locked):  # a process that was not stopped keeps nothing under the old key
        running.secret_or("t1", "shoe 2", SEED)
    with closing(Journal(given.database)) as thief, pytest.raises(Locked):
        thief.unlock(old)


@pytest.mark.parametrize("step", range(4))
def test_a_change_of_the_master_key_may_be_cut_off(
    given: Settings, house: Journal, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.keep_secret("t1", "shoe 1", SEED)
    assert house.master is not None
    signs = signing_key(Path(given.key_file), house.master)

    def cut(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    where: list[tuple[object, str]] = [
        (house, "rewrap"),
        (rotation, "rewrap_file"),
        (House, "entry"),
        (rotation, "replaced"),
    ]
    monkeypatch.setattr(*where[step], cut)
    with pytest.raises(KeyboardInterrupt):
        replace_master_key(house, given)
    monkeypatch.undo()
    for _ in range(2):
        with closing(opened_store(given)) as again:
            assert again.secret("t1", "shoe 1") == SEED
            assert again.master is not None
            assert signing_key(Path(given.key_file), again.master) == signs
            replace_master_key(again, given)


def test_a_master_key_from_the_environment_is_replaced_by_one_from_a_file(tmp_path: Path) -> None:
    keys = [MasterKey.new(), MasterKey.new()]
    of = [quick(f"sqlite:///{tmp_path}/punto.db", tmp_path, master_key=key.text) for key in keys]
    (tmp_path / "new").write_text(keys[1].text)
    with closing(opened_store(of[0])) as journal:
        journal.keep_secret("t1", "shoe 1", SEED)
        with pytest.raises(BadSettings, match="name that file"):
            replace_master_key(journal, of[0])
        replace_master_key(journal, of[0], tmp_path / "new")
    with closing(opened_store(of[1])) as journal:
        assert journal.secret("t1", "shoe 1") == SEED
    with pytest.raises(Locked):
        opened_store(of[0])


def test_a_new_token_key_ends_every_session_also_elsewhere(house: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    here, elsewhere = Accounts(house), Accounts(house)
    ann, shoe = here.make("ann", "patron"), here.make("shoe-1", "device")
    tokens = [here.token(ann), here.link("ann"), here.device_token(shoe.name)]
    assert elsewhere.holder(tokens[0]).name == "ann"
    replace_token_key(house)
    monkeypatch.setattr("punto.service.accounts.directory.STALE_AFTER", -1.0)
    elsewhere.get("ann")
    for accounts in (Accounts(house), elsewhere):
        for token in tokens:
            with pytest.raises(Denied):
                accounts.holder(token)
            with pytest.raises(Denied):
                accounts.spend(token)
    assert elsewhere.holder(elsewhere.token(ann)).name == "ann"


def test_a_new_signing_key_is_announced_and_verification_follows_it(given: Settings, house: Journal) -> None:
    accounts, file = Accounts(house), Path(given.key_file)
    assert house.master is not None
    first = signing_key(file, house.master)
    accounts.make("ann", "patron")
    _sign(house, first)
    replace_signing_key(house, given)
    accounts.make("bob", "patron")
    replace_signing_key(house, given)
    last = signing_key(file, house.master)
    accounts.make("cat", "patron")
    _sign(house, last)
    [chain] = verify(house, HOUSE, public_key(first))
    assert (chain.wrong, len(chain.keys)) == (None, 3)
    [chain] = verify(house, HOUSE, public_key(last))  # who trusts the last one alone does not trust those before it
    assert chain.wrong is not None
    assert "not trusted" in chain.wrong.why
    accounts.make("dan", "patron")
    _sign(house, first)  # somebody has stolen the first
    [chain] = verify(house, HOUSE, public_key(first))
    assert chain.wrong is not None
    assert "had been replaced" in chain.wrong.why


def test_nobody_but_the_old_key_announces_a_new_one(given: Settings, house: Journal) -> None:
    assert house.master is not None
    true, false = signing_key(Path(given.key_file), house.master), new_key()
    names = {"key": public_key(true), "new_key": public_key(false)}
    forged = announce(false, public_key(false))
    house.note(House(house).entry("service", NEW_SIGNING_KEY, "", **names, signature=forged))
    [chain] = verify(house, HOUSE, public_key(true))
    assert chain.wrong is not None
    assert "not announced by the one before it" in chain.wrong.why
    _sign(house, false)
    assert "not trusted" in str(_wrong_signature(house, public_key(true)))


def _wrong_signature(house: Journal, trusted: str) -> str:
    from punto.audit.trust import trusted_keys

    keys = trusted_keys(house, trusted) or ()
    return "not trusted" if house.checkpoints(HOUSE)[-1].key not in keys else ""


def _sign(journal: Journal, key: bytes) -> None:
    head = journal.head(HOUSE)
    assert head is not None
    journal.checkpoint(sign(key, HOUSE, head.sequence, head.hash))


def test_keys_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def punto(*words: str) -> str:
        done = CliRunner().invoke(app, words, catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.stdout

    (tmp_path / "house.toml").write_text('key_file = "signs.key"\nmaster_key_file = "opens.key"\n')
    opened_store(settings(tmp_path / "house.toml", {})).close()
    shown = punto("keys", "show", "--config", "house.toml")
    assert MasterKey.of_text((tmp_path / "opens.key").read_text()).id in shown
    for verb, says in (("master", "opens.key"), ("tokens", "every session is over"), ("signing", "has announced it")):
        assert says in punto("keys", verb, "--config", "house.toml")
    assert punto("keys", "show", "--config", "house.toml") != shown
    assert MasterKey.of_text(punto("keys", "new")).id
    acts = [act.what for _, act in House(Journal("sqlite:///punto.db")).acts()]
    assert acts == ["master-key-changed", "token-key-changed", "signing-key-changed"]


def test_a_key_file_is_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.key"
    key_files.made_once(file, b"first")
    key_files.made_once(file, b"second")
    assert file.read_bytes() == b"first"

    def stopped(_: int) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr("os.fsync", stopped)
    with pytest.raises(OSError, match="full"):
        key_files.replaced(file, b"third")
    assert file.read_bytes() == b"first"
