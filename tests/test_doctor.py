"""The doctor names what is wrong with a house: each thing is broken for real, and looked at from outside."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import psycopg
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from sqlalchemy import text
from typer.testing import CliRunner

from databases import KINDS, fresh
from punto.journal import HOUSE, Journal, MasterKey, new_key, public_key, sign
from punto.journal.books import keep_books
from punto.journal.inspection import server_of
from punto.journal.witness import ShownHead, Witness
from punto.service.accounts.registry import Accounts
from punto.service.doctor import store as store_checks
from punto.service.doctor.diagnosis import Clocks, Patient
from punto.service.doctor.examination import CHECKS, CheckResult, examine, opened
from punto.service.keys.master import opened_store
from punto.service.keys.signing import signing_key
from punto.service.money.acts import MoneyAct, MoneyChain
from punto.service.money.own_wallet import OwnWallet
from punto.service.money.wallet import WalletRefused
from punto.service.settings import settings
from service_process import free_port, until
from wallet_server import wallet_server
from whole_app import app
from witness_server import serving


class Premises:
    """A house of its own: the database in one folder, the keys in another, and what the doctor says of them."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.data, self.keys = folder / "data", folder / "keys"
        for each in (self.data, self.keys):
            each.mkdir(mode=0o700)
        self.url = fresh(kind, self.data)
        self.environment = {"PUNTO_DATABASE": self.url, "PUNTO_KEY_FILE": str(self.keys / "punto.key")}
        self.environment |= {"PUNTO_MONEY": "play"}
        given = settings(None, self.environment)
        with closing(opened_store(given)) as journal:
            assert journal.master is not None
            self.signs = signing_key(self.keys / "punto.key", journal.master)
            accounts = Accounts(journal)
            accounts.make("ann", "patron")

    def found(self, clocks: Clocks | None = None, /, **given: object) -> list[CheckResult]:
        environment = self.environment | {f"PUNTO_{name.upper()}": str(value) for name, value in given.items()}
        return examine(None, environment, clocks)

    def wrong(self, clocks: Clocks | None = None, /, **given: object) -> dict[str, str]:
        """What is wrong, by check."""
        return {each.check: each.says for each in self.found(clocks, **given) if each.severity == "wrong"}

    def remarkable(self, clocks: Clocks | None = None, /, **given: object) -> dict[str, str]:
        return {each.check: each.says for each in self.found(clocks, **given) if each.severity == "remarkable"}

    @contextmanager
    def journal(self) -> Iterator[Journal]:
        """The store, as its owner opens it."""
        with closing(opened_store(settings(None, self.environment))) as journal:
            yield journal

    @property
    def file(self) -> Path:
        found = Journal(self.url).file
        assert found is not None
        return found


@pytest.fixture(params=KINDS)
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Premises:
    return Premises(request.param, tmp_path)


@pytest.fixture
def small(tmp_path: Path) -> Premises:
    """A house on SQLite."""
    return Premises("sqlite", tmp_path)


@pytest.fixture
def large(tmp_path: Path) -> Premises:
    """A house on PostgreSQL."""
    return Premises("postgresql", tmp_path)


def test_a_house_in_order_is_well_and_is_left_as_it_was(house: Premises, tmp_path: Path) -> None:
    def everything() -> dict[str, tuple[int, float, str]]:
        files = [each for each in sorted(tmp_path.rglob("*")) if each.is_file()]
        return {
            str(each): (each.stat().st_mode, each.stat().st_mtime, sha256(each.read_bytes()).hexdigest())
            for each in files
        }

    before = everything()
    found = house.found()
    assert {each.says for each in found if each.severity == "wrong"} == set()
    assert everything() == before
    assert {each.check for each in found} >= {"settings", "master key", "database", "clock", "disk", "checkpoints"}
    assert all(each.mend for each in found if each.severity != "well")
    with house.journal() as journal:  # somebody has it open: it is read all the same, and nothing is added
        journal.put_record("a", "b", "c")
        beside = sorted(each.name for each in house.data.iterdir())
        assert house.wrong() == {}
        assert sorted(each.name for each in house.data.iterdir()) == beside


def test_a_house_that_is_not_there_yet_is_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = examine(None, {})
    assert {each.severity for each in found if each.check in ("database", "master key", "signing key")} == {
        "remarkable"
    }
    assert [each for each in found if each.severity == "wrong"] == []
    assert list(tmp_path.iterdir()) == []


def test_checks_have_names_of_their_own() -> None:
    assert len({check.name for check in CHECKS}) == len(CHECKS)
    assert all(check.asks.endswith("?") for check in CHECKS)


# Settings


def test_settings(small: Premises, tmp_path: Path) -> None:
    assert "Is it PUNTO_PORT?" in small.wrong(prot=1)["settings"]
    assert "port is 0 to 65,535" in small.wrong(port=70_000)["settings"]
    assert "wallet is for money = wallet" in small.wrong(wallet="http://127.0.0.1:1")["settings"]
    (tmp_path / "bad.toml").write_text("prot = 1")
    [found] = examine(tmp_path / "bad.toml", {})
    assert "unknown field `prot`" in found.says
    assert "a guest" in small.wrong(guests="true", money="cage")["guests"]
    assert "guests" not in small.wrong(guests="true")
    assert "no limit" in small.remarkable(money="cage")["money"]
    assert "money" not in small.remarkable(money="cage", buy_in_most=100)
    assert "every start ends" in small.remarkable(fresh_shoes="true")["shoes"]
    assert "emperor" in small.wrong(second_factor="emperor")["settings"]
    assert "no-such-folder" in small.wrong(books=tmp_path / "no-such-folder")["settings"]
    assert "witness is an address" in small.wrong(witness="file:///etc/passwd")["settings"]
    assert "no address of a machine" in small.wrong(host="999.1.1.1")["doors"]
    assert "does not answer" in small.wrong(oidc_issuer="http://127.0.0.1:1", oidc_client_id="punto")["provider"]


def test_transfers_that_nobody_goes_on_with(house: Premises) -> None:
    """The wallet was changed for another, or for a cage, while money was on its way."""
    about = ("ann", 500, "USD", "t1", "a1", "buy-in", "k")
    begun = MoneyAct("begun", "2026-01-01T00:00:00Z", "service", *about, external=True)
    with house.journal() as journal:
        assert MoneyChain(journal).note(begun, lambda _: True)
    for other in ({"money": "cage"}, {"money": "wallet"}):
        assert "that are not over: 1." in house.wrong(**other)["money"]
    assert "money" not in house.wrong(money="wallet", wallet="http://127.0.0.1:1")


def test_play_money_where_people_have_deposited_real_money(house: Premises) -> None:
    assert "money" not in house.wrong()
    with house.journal() as journal, pytest.raises(WalletRefused):
        OwnWallet(journal).debit("k1", "ann", 500, "USD")
    assert "money" not in house.wrong(), "what was refused is on the chain, and is no money"
    with house.journal() as journal:
        OwnWallet(journal).deposit("k2", "ann", 500, "USD", who="cage")
    assert "deposited real money" in house.wrong()["money"]


# Keys


def test_the_master_key(house: Premises) -> None:
    file = house.keys / "punto.master"
    true = file.read_text()
    assert "opens all secrets" in _says(house, "master key")
    file.unlink()
    assert "there is no" in house.wrong()["master key"]
    assert not file.exists()
    file.write_text("nonsense")
    assert "64 hexadecimal digits" in house.wrong()["master key"]
    file.write_text(MasterKey.new().text)
    assert "and the settings give" in house.wrong()["master key"]
    (house.keys / "punto.master.next").write_text(true)
    assert "was cut off" in house.remarkable()["master key"]
    file.unlink()
    assert "master key" not in house.wrong(master_key=true.strip())
    assert "ended with status 1" in house.wrong(master_key_command="false")["master key"]


def test_a_secret_that_somebody_has_put_there(house: Premises) -> None:
    with house.journal() as journal, journal.transaction() as connection:
        connection.execute(text("UPDATE secrets SET value = :value"), {"value": bytes(32)})
    assert "is not wrapped" in house.wrong()["master key"]


def test_the_signing_key(house: Premises) -> None:
    file = house.keys / "punto.key"
    with house.journal() as journal:
        head = journal.head(HOUSE)
        assert head is not None
        journal.checkpoint(sign(house.signs, HOUSE, head.sequence, head.hash))
    assert public_key(house.signs) in _says(house, "signing key")
    true = file.read_bytes()
    file.write_bytes(new_key())
    assert "not signed by the key" in house.wrong()["signing key"]
    file.write_bytes(house.signs)
    assert "not wrapped" in house.remarkable()["signing key"]
    file.write_bytes(b"short")
    assert "5 bytes" in house.wrong()["signing key"]
    file.write_bytes(true[:-1] + bytes([true[-1] ^ 1]))
    assert "altered" in house.wrong()["signing key"]
    file.unlink()
    assert "checkpoints of this house are signed by" in house.wrong()["signing key"]


def test_a_key_beside_the_database_and_beside_its_copies(small: Premises) -> None:
    assert "lies apart" in _says(small, "keys apart")
    beside = small.data / "punto.master"
    beside.write_bytes((small.keys / "punto.master").read_bytes())
    beside.chmod(0o600)
    assert "folder of the database" in small.remarkable(master_key_file=beside)["keys apart"]
    config = small.data / "house.toml"
    config.write_text(f'master_key = "{beside.read_text().strip()}"\n')
    told = {each.check: each.says for each in examine(config, small.environment)}
    assert f"The master key in {config} lies in the folder of the database" in told["keys apart"]
    (small.keys / "monday.copy").write_bytes(small.file.read_bytes())
    assert "monday.copy" in small.wrong()["keys apart"]
    (small.keys / "monday.copy").write_bytes(b"PGDMP and so on")
    assert "monday.copy" in small.wrong()["keys apart"]


def test_a_key_in_the_folder_of_postgresql(large: Premises) -> None:
    with closing(Journal(large.url, read_only=True)) as journal:
        folder = Path(server_of(journal).settings["data_directory"])
    file = folder / "punto.master"
    file.write_bytes((large.keys / "punto.master").read_bytes())
    try:
        assert "folder of PostgreSQL" in large.wrong(master_key_file=file)["keys apart"]
    finally:
        file.unlink()


# Files and disk


@pytest.mark.parametrize("name", ["data", "data-wal", "key", "master", "dealt", "copy"])
def test_files_that_others_can_read(small: Premises, name: str) -> None:
    (small.keys / "punto.dealt").mkdir(mode=0o700)
    file = {
        "data": small.file,
        "data-wal": Path(f"{small.file}-wal"),
        "key": small.keys / "punto.key",
        "master": small.keys / "punto.master",
        "dealt": small.keys / "punto.dealt",
        "copy": Path(f"{small.file}.bak"),
    }[name]
    if not file.exists():
        file.touch(mode=0o600)
    assert "file modes" not in small.wrong()
    before = file.stat().st_mode & 0o777
    file.chmod(before | 0o040)
    found = [each for each in small.found() if each.check == "file modes"]
    [one] = found
    assert (one.severity, str(file) in one.says) == ("wrong", True)
    assert one.mend == f"chmod {oct(before)[2:]} {file}"
    assert file.stat().st_mode & 0o040  # the doctor mends nothing


@pytest.mark.parametrize("secret", ["wallet_token", "oidc_client_secret"])
def test_a_folder_where_anybody_writes_and_settings_with_a_secret(small: Premises, tmp_path: Path, secret: str) -> None:
    small.data.chmod(0o777)
    assert "Anybody may put files" in small.wrong()["file modes"]
    small.data.chmod(0o700)
    config = tmp_path / "house.toml"
    config.write_text(f'{secret} = "secret"\nkey_file = "{small.keys}/punto.key"\ndatabase = "{small.url}"\n')
    tmp_path.chmod(0o700)
    config.chmod(0o644)
    told = [each.says for each in examine(config, {}) if each.check == "file modes"]
    assert told == [f"{config} is open to others: its mode is 644."]
    config.write_text(f'key_file = "{small.keys}/punto.key"\ndatabase = "{small.url}"\n')
    assert [each.severity for each in examine(config, {}) if each.check == "file modes"] == ["well"]


def test_a_folder_that_is_not_there(small: Premises, tmp_path: Path) -> None:
    assert "There is no folder" in small.wrong(key_file=tmp_path / "none" / "punto.key")["disk"]


@contextmanager
def _mounted(folder: Path, *options: str) -> Iterator[Path]:
    folder.mkdir()
    try:
        subprocess.run(["mount", "-t", "tmpfs", *options, "tmpfs", folder], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("nothing can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def test_a_small_a_full_and_a_read_only_disk(small: Premises, tmp_path: Path) -> None:
    with _mounted(tmp_path / "disk", "-o", "size=4m,mode=700") as disk:
        given = {"dealt_folder": disk / "dealt"}
        assert f"MiB are free at {disk}" in small.wrong(**given)["disk"]
        (disk / "film").write_bytes(bytes(os.statvfs(disk).f_bavail * os.statvfs(disk).f_bsize))
        assert "Nothing can be written" in small.wrong(**given)["disk"]
        (disk / "film").unlink()
        (disk / "punto.db").write_bytes(small.file.read_bytes())
        (disk / "punto.db").chmod(0o600)
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        told = [each.says for each in small.found(database=f"sqlite:///{disk}/punto.db") if each.severity == "wrong"]
        assert any("cannot be written: Read-only file system" in each for each in told)
        subprocess.run(["mount", "-o", "remount,rw,size=512m", disk], check=True)
        assert "GiB are free" in small.remarkable(**given)["disk"]


# The database


def test_a_database_that_does_not_answer(small: Premises) -> None:
    port = free_port()
    told = small.wrong(database=f"postgresql://punto:secret@127.0.0.1:{port}/punto")
    assert "did not answer" in told["database"]
    assert "secret" not in json.dumps(told)
    (small.data / "text.db").write_text("this is no database\n" * 400)
    assert "not a database" in small.wrong(database=f"sqlite:///{small.data}/text.db")["database"]
    assert "SQLite or PostgreSQL" in small.wrong(database="mysql://house/punto")["database"]


def test_the_form_of_the_database(house: Premises) -> None:
    with house.journal() as journal, journal.transaction() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0002'"))
    assert "has the form 0002" in house.remarkable()["database"]
    with closing(Journal(house.url)) as journal, journal.transaction() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    assert "later release" in house.wrong()["database"]


def test_a_journal_of_the_first_release_is_read_as_it_is(small: Premises) -> None:
    sample = Path(__file__).parent / "journals" / "form-1.db"
    copy = small.data / "old.db"
    copy.write_bytes(sample.read_bytes())
    copy.chmod(0o600)
    found = small.found(database=f"sqlite:///{copy}")
    assert "has the form 0001" in " ".join(each.says for each in found if each.check == "database")
    assert not any("could not be looked at" in each.says for each in found)
    assert copy.read_bytes() == sample.read_bytes()


@pytest.mark.parametrize("name", ["fsync", "full_page_writes"])
def test_a_server_that_loses_what_is_committed(large: Premises, name: str) -> None:
    def shows(value: str) -> bool:
        with psycopg.connect(large.url) as asked:
            return asked.execute(f"SHOW {name}").fetchone() == (value,)

    assert "database server" not in large.wrong()
    with psycopg.connect(large.url, autocommit=True) as connection:
        try:
            connection.execute(f"ALTER SYSTEM SET {name} = off")
            connection.execute("SELECT pg_reload_conf()")
            until(lambda: shows("off"), "the server to read its settings")
            [found] = [each for each in large.found() if each.check == "database server"]
        finally:
            connection.execute(f"ALTER SYSTEM RESET {name}")
            connection.execute("SELECT pg_reload_conf()")
            until(lambda: shows("on"), "the server to read its settings")
    assert (found.severity, found.says.split(":")[0]) == ("wrong", f"{name} is off")


def test_settings_of_one_database_on_the_server(large: Premises) -> None:
    def altered(what: str) -> dict[str, str]:
        with psycopg.connect(large.url, autocommit=True) as connection:
            [[name]] = connection.execute("SELECT current_database()").fetchall()
            connection.execute("SET default_transaction_read_only = off")
            connection.execute(f"ALTER DATABASE {name} {what}")
        return large.wrong() | large.remarkable()

    assert "synchronous_commit is off" in altered("SET synchronous_commit = off")["database server"]
    altered("RESET synchronous_commit")
    assert "read-only" in altered("SET default_transaction_read_only = on")["database server"]
    altered("RESET default_transaction_read_only")
    assert "more connections" in altered("CONNECTION LIMIT 5")["database server"]
    assert "database server" not in altered("CONNECTION LIMIT -1")


def test_time_limits_that_do_not_arrive(large: Premises) -> None:
    known = settings(None, large.environment)
    with closing(Journal(large.url, limited=False, read_only=True)) as journal:
        clocks = Clocks.started(time.time, time.monotonic)
        patient = Patient(known, None, {}, clocks, None, store=journal, journal=journal)
        [found] = store_checks.server(patient)
    assert "do not arrive" in found.says


# Clock, checkpoints, books


def test_the_clock(house: Premises) -> None:
    late = Clocks.started(lambda: time.time() - 3600, time.monotonic)
    assert "is behind the journal" in " ".join(each.says for each in house.found(late) if each.check == "clock")
    if house.url.startswith("postgresql"):
        ahead = Clocks.started(lambda: time.time() + 3600, time.monotonic)
        assert "-3,600 seconds" in house.wrong(ahead)["clock"]
    began = time.time() - 100, time.monotonic()
    assert "was set by +100 seconds" in house.wrong(Clocks(time.time, time.monotonic, began))["clock"]


def test_the_time_zone(small: Premises, monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        monkeypatch.setenv("TZ", "UTC-8")
        time.tzset()
        assert "at +08:00 now" in small.remarkable()["time zone"]
        assert "time zone" not in small.remarkable(day_starts="06:00+08:00")
    finally:
        monkeypatch.undo()
        time.tzset()


def test_checkpoints_that_are_missing(house: Premises) -> None:
    assert "checkpoints" not in house.wrong()
    with house.journal() as journal:
        accounts = Accounts(journal)
        for number in range(5):
            accounts.make(f"bob{number}", "patron")
    assert "events of 'house' are not signed" in house.wrong(checkpoint_every=2)["checkpoints"]


def test_a_book_that_cannot_be_read(house: Premises) -> None:
    with house.journal() as journal:
        keep_books(journal, [b'id = "of another century"\n'])
    assert "cannot read" in house.wrong()["books"]


# Doors, proxies, files, witness, wallet


def test_doors_and_proxies(small: Premises) -> None:
    assert "without TLS" in small.wrong(host="0.0.0.0")["doors"]
    assert "Cookies of sessions" in small.wrong(trusted_proxies="127.0.0.1")["doors"]
    assert "doors" not in small.wrong(trusted_proxies="127.0.0.1", secure_cookies="true")
    told = [each.says for each in small.found(host="10.0.0.7", trusted_proxies="10.0.0.1", secure_cookies="true")]
    assert any("goes around the proxy" in each for each in told)
    assert any("/metrics and /health are open" in each for each in told)
    assert "nobody stays logged in" in small.remarkable(secure_cookies="true")["doors"]
    assert "Everybody is trusted" in small.wrong(host="0.0.0.0", trusted_proxies="*")["proxies"]
    assert "no address" in small.wrong(trusted_proxies="proxy")["proxies"]
    assert "everybody" in small.wrong(trusted_proxies="0.0.0.0/0")["proxies"]
    assert "Card-reading shoes" in small.remarkable(feed_port=1, feed_host="0.0.0.0")["doors"]


def _certificate(folder: Path, days: int) -> Path:
    """A certificate with its key in one file, good for so many days."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "house.example")])
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    made = made.serial_number(1).not_valid_before(now - timedelta(days=90)).not_valid_after(now + timedelta(days=days))
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file = folder / "house.pem"
    file.write_bytes(made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM) + private)
    file.chmod(0o600)
    return file


def test_certificates(small: Premises) -> None:
    def told(days: int) -> tuple[str, str]:
        file = _certificate(small.keys, days)
        [found] = [each for each in small.found(host="0.0.0.0", certificate=file) if each.check == "certificate"]
        return found.severity, found.says

    assert told(60)[0] == "well"
    assert told(3)[0] == "remarkable"
    assert told(-3)[0] == "wrong"
    assert "doors" not in small.wrong(host="0.0.0.0", certificate=small.keys / "house.pem")
    (small.keys / "house.pem").chmod(0o644)
    assert "house.pem is open to others" in small.wrong(certificate=small.keys / "house.pem")["file modes"]
    assert "cannot be used" in small.wrong(certificate=small.keys / "punto.key")["certificate"]


def test_too_few_files_on_the_command_line(small: Premises) -> None:
    def punto(limit: int, *words: str, **given: object) -> subprocess.CompletedProcess[str]:
        more = {f"PUNTO_{name.upper()}": str(value) for name, value in given.items()}
        own = {name: value for name, value in os.environ.items() if not name.startswith("PUNTO_")}
        command = f'ulimit -n {limit} && exec "$0" -c "from punto.cli import main; main()" doctor "$@"'
        return subprocess.run(
            ["bash", "-c", command, sys.executable, *words],
            cwd=small.data,
            env={**own, **small.environment, **more},
            capture_output=True,
            text=True,
        )

    done = punto(300)
    assert (done.returncode, done.stderr) == (0, "")
    assert "remarkable  open files: The service may open 300 files" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("0 wrong, ")
    done = punto(300, "--json", connections=500)
    found = {(each["check"], each["severity"]): each for each in json.loads(done.stdout)}
    assert done.returncode == 1
    assert "too few for the 500 connections" in found["open files", "wrong"]["says"]


def test_the_witness(house: Premises, tmp_path: Path) -> None:
    address = f"http://127.0.0.1:{free_port()}"
    assert "does not answer" in house.wrong(witness=address)["witness"]
    witness = Witness(tmp_path / "witness")
    with serving(witness) as address:
        assert "signed nothing yet" in house.remarkable(witness=address)["witness"]
        with house.journal() as journal:
            head = journal.head(HOUSE)
            assert head is not None
            point = sign(house.signs, HOUSE, head.sequence, head.hash)
            witness.cosign(ShownHead(point, tuple(journal.entries(HOUSE))))
        assert "witness" not in house.wrong(witness=address) | house.remarkable(witness=address)
        other = Premises("sqlite", _made(tmp_path / "other"))
        assert "not in this journal" in other.wrong(witness=address)["witness"]


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def test_the_wallet(small: Premises) -> None:
    given = {"money": "wallet", "wallet_token": "t", "buy_in_most": 1}
    with wallet_server() as server:
        told = [each for each in small.found(wallet=server.address, **given) if each.check == "wallet"]
        assert [each.severity for each in told] == ["well"]
        assert server.movements == {}
        server.faults_of_questions.append("nonsense")
        server.movements["punto-doctor"] = {"key": "punto-doctor", "done": True}
        assert "cannot be read" in small.wrong(wallet=server.address, **given)["wallet"]
        assert "nobody has asked for" in small.wrong(wallet=server.address, **given)["wallet"]
    assert "does not answer" in small.wrong(wallet=server.address, **given)["wallet"]
    assert "is no address" in small.wrong(wallet="wallet", **given)["wallet"]
    del given["wallet_token"]
    assert "without a token" in small.remarkable(wallet=server.address, **given)["money"]
    with socket.socket() as closed:  # bound and not listening: nobody answers there
        closed.bind(("127.0.0.1", 0))
        told = small.found(wallet=f"http://0.0.0.0:{closed.getsockname()[1]}", wallet_seconds=0.2, **given)
    assert any("asked without TLS" in each.says for each in told)


def test_json_and_the_exit_status(small: Premises, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in small.environment.items():
        monkeypatch.setenv(name, value)

    def run(*words: str) -> int:
        return CliRunner().invoke(app, ["doctor", *words]).exit_code

    assert run() == 0
    monkeypatch.setenv("PUNTO_HOST", "0.0.0.0")
    assert run() == run("--json") == 1


def _says(house: Premises, check: str) -> str:
    [found] = [each for each in house.found() if each.check == check]
    assert found.severity == "well"
    return found.says


def test_a_store_opened_by_the_doctor_writes_nothing(house: Premises) -> None:
    known = settings(None, house.environment)
    with opened(known, None, {}, Clocks.started(time.time, time.monotonic)) as patient:
        assert patient.journal is not None
        with pytest.raises(ValueError, match=r"readonly|read-only"):
            patient.journal.put_record("a", "b", "c")
