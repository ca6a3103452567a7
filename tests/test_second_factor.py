"""Ranks that decide money need a second factor: codes by the clock, taken once, kept wrapped, and not to be guessed."""

import re
from base64 import b32decode
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlparse

import httpx
import msgspec
import pytest
from litestar import Litestar
from litestar.testing import TestClient
from typer.testing import CliRunner

from databases import KINDS, fresh
from patient_settings import settings
from punto.cli.users import app as users
from punto.journal import Journal
from punto.rulebook import SHIPPED, ids, load
from punto.service.accounts.account import BadAccount, HeldPost
from punto.service.accounts.guesses import FREE
from punto.service.accounts.registry import Accounts
from punto.service.accounts.second_factor import CodeNeeded, ranks_for_factor
from punto.service.accounts.tokens import Denied
from punto.service.accounts.totp import STEP, code_of, step_of
from punto.service.http.app import build
from punto.service.limits import TooMany
from punto.service.settings import BadSettings
from service_process import MASTER, bearer, open_house

SECRET = "correct horse battery"

# Appendix B of RFC 6238: seconds, and the code of eight digits by each of the three hashes.
VECTORS = [
    (59, "94287082", "46119246", "90693936"),
    (1111111109, "07081804", "68084774", "25091201"),
    (1111111111, "14050471", "67062674", "99943326"),
    (1234567890, "89005924", "91819424", "93441116"),
    (2000000000, "69279037", "90698825", "38618901"),
    (20000000000, "65353130", "77737706", "47863826"),
]
SEEDS = {"sha1": 20, "sha256": 32, "sha512": 64}


@pytest.mark.parametrize(("seconds", "one", "two", "three"), VECTORS)
def test_the_codes_of_the_standard(seconds: int, one: str, two: str, three: str) -> None:
    for (digest, length), expected in zip(SEEDS.items(), (one, two, three), strict=True):
        secret = (b"1234567890" * 7)[:length]
        assert code_of(secret, seconds // STEP, 8, digest) == expected
    assert step_of(b"1234567890" * 2, one[2:], seconds, after=0) == seconds // STEP


def test_a_code_is_good_for_a_step_before_and_after_and_no_longer() -> None:
    secret, at = b"1234567890" * 2, 1_800_000_000
    code = code_of(secret, at // STEP)
    good = [far for far in range(-4, 5) if step_of(secret, code, at + far * STEP, after=0) is not None]
    assert good == [-1, 0, 1]


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


class Telephone:
    """An app that knows the secret by the address that the house has printed."""

    def __init__(self, address: str, clock: Callable[[], float]) -> None:
        found = urlparse(address)
        assert (found.scheme, found.netloc) == ("otpauth", "totp")
        [self.written] = parse_qs(found.query)["secret"]
        self._secret, self._clock = b32decode(self.written), clock

    def code(self) -> str:
        return code_of(self._secret, int(self._clock()) // STEP)


class House:
    """Accounts of a house where a pit manager has a second factor."""

    def __init__(self, url: str) -> None:
        self.clock, self.journal = Clock(), Journal(url)
        self.journal.upgrade()
        self.journal.unlock(MASTER)
        self.accounts = self.process()
        self.accounts.make("lee", "staff", SECRET, {"t1": HeldPost("pit-manager")})
        address, self.recovery = self.accounts.set_second_factor("lee", by="console:eve")
        self.telephone = Telephone(address, self.clock)

    def process(self) -> Accounts:
        return Accounts(self.journal, self.clock, second_factor=ranks_for_factor(None))

    def log_in(self, code: str = "", password: str = SECRET) -> str:
        return self.accounts.log_in("lee", password, code)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(f"sqlite:///{tmp_path}/f.db")
    yield made
    made.journal.close()


def test_a_password_alone_is_not_enough(house: House) -> None:
    with pytest.raises(CodeNeeded, match="Give the code"):
        house.log_in()
    with pytest.raises(Denied, match="Name or password is wrong"):
        house.log_in(house.telephone.code(), "wrong horse")
    assert house.accounts.holder(house.log_in(f" {house.telephone.code()} ")).name == "lee"


def test_a_code_that_was_seen_is_worth_nothing(house: House) -> None:
    code = house.telephone.code()
    house.log_in(code)
    for accounts in (house.accounts, house.process()):
        with pytest.raises(Denied, match="used before"):
            accounts.log_in("lee", SECRET, code)
    house.clock.now += STEP
    house.log_in(house.telephone.code())


def test_an_earlier_code_is_not_taken_after_a_later_one(house: House) -> None:
    earlier = house.telephone.code()
    house.clock.now += STEP
    house.log_in(house.telephone.code())
    with pytest.raises(Denied, match="used before"):
        house.log_in(earlier)


@pytest.mark.parametrize("kind", KINDS)
def test_one_code_opens_one_session_when_many_try_it_at_once(kind: str, tmp_path: Path) -> None:
    house = House(fresh(kind, tmp_path))
    code, processes = house.telephone.code(), [house.process() for _ in range(4)]

    def attempt(accounts: Accounts) -> bool:
        try:
            return bool(accounts.log_in("lee", SECRET, code))
        except Denied:
            return False

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(attempt, processes)) == 1
    assert len(house.accounts.sessions.open([house.accounts.existing("lee")])) == 1
    house.journal.close()


def test_each_recovery_code_opens_once(house: House) -> None:
    assert len(set(house.recovery)) == 10
    house.log_in(house.recovery[3].upper())
    with pytest.raises(Denied, match="used before"):
        house.log_in(house.recovery[3])
    house.log_in(house.recovery[4])


def test_who_guesses_codes_waits_wherever_the_guesses_come_from(house: House) -> None:
    wrong = f"{(int(house.telephone.code()) + 500_000) % 10**6:06}"
    for _ in range(FREE):
        with pytest.raises(Denied, match="The code is wrong"):
            house.process().log_in("lee", SECRET, wrong)  # each time in another process
    for code in (wrong, house.telephone.code()):
        with pytest.raises(TooMany, match="Too many wrong codes: try again in 1 second"):
            house.log_in(code)
    house.clock.now -= 3600  # of a process whose clock is behind
    with pytest.raises(TooMany, match="try again in 1 second"):
        house.process().log_in("lee", SECRET, wrong)
    house.clock.now += 3601
    house.log_in(house.telephone.code())
    house.clock.now += STEP
    with pytest.raises(Denied, match="The code is wrong"):  # what was wrong before is forgotten
        house.log_in(wrong)
    house.log_in(house.telephone.code())


def test_no_copy_of_the_database_holds_the_secret_or_a_recovery_code(house: House, tmp_path: Path) -> None:
    house.log_in(house.telephone.code())
    house.log_in(house.recovery[0])
    house.journal.close()
    kept = b"".join(each.read_bytes() for each in tmp_path.glob("f.db*"))
    secret = house.telephone.written
    for word in (secret.encode(), b32decode(secret), *(each.encode() for each in house.recovery)):
        assert word not in kept
        assert word.replace(b"-", b"") not in kept


def test_a_new_second_factor_ends_what_was_begun_without_it(house: House) -> None:
    session, link = house.log_in(house.telephone.code()), house.accounts.link("lee")
    house.accounts.set_second_factor("lee")
    for bad in (house.accounts.holder, house.accounts.spend):
        with pytest.raises(Denied, match="not good any more"):
            bad(link if bad == house.accounts.spend else session)
    house.clock.now += STEP
    with pytest.raises(Denied, match="The code is wrong"):
        house.log_in(house.telephone.code())
    acts = [act.what for _, act in house.accounts.house.acts()]
    assert acts.count("second-factor-set") == 2


def test_a_namesake_does_not_inherit_the_telephone(house: House) -> None:
    house.accounts.remove("lee")
    house.accounts.make("lee", "staff", SECRET)
    assert house.accounts.holder(house.log_in()).name == "lee"


def test_a_session_of_a_password_alone_is_not_good_in_a_post_that_needs_more(house: House) -> None:
    accounts = house.accounts
    accounts.make("max", "staff", SECRET, {"*": HeldPost("dealer")})
    session, other = accounts.log_in("max", SECRET), house.process()
    assert other.holder(session).name == "max"
    accounts.hold("max", "t1", "pit-manager", acting=True)
    other._updated -= 2  # as if a moment had passed
    for each in (accounts, other):
        with pytest.raises(Denied, match="log in again, with its code"):
            each.holder(session)
    accounts.hold("max", "t1", None)
    assert accounts.holder(session).name == "max"


def test_a_second_factor_is_for_the_staff(house: House) -> None:
    house.accounts.make("ann", "patron", SECRET)
    with pytest.raises(BadAccount, match="for the staff"):
        house.accounts.set_second_factor("ann")
    with pytest.raises(BadAccount, match="has no second factor"):
        house.accounts.remove_second_factor("ann")


# Which ranks


def test_the_ranks_that_decide_money_are_all_but_the_dealer() -> None:
    ranks = ranks_for_factor(None)
    for book in ids():
        first, *others = load(book).ranks
        assert not ranks & set(first)
        assert ranks >= {rank for tier in others for rank in tier}
    assert "cashier" in ranks
    assert ranks_for_factor(()) == frozenset()


def test_a_post_that_is_high_in_any_book_needs_one_also_where_tables_go_by_an_earlier_edition() -> None:
    """A book of the house's own whose first tier is another's pit manager takes nothing away."""
    book = load("wu-song")
    boss = msgspec.structs.replace(book, id="bosses", digest="00", ranks=(("dealer",), ("boss",)))
    lowest = msgspec.structs.replace(book, id="lowest", digest="11", ranks=(("pit-manager",), ("chief",)))
    ranks = ranks_for_factor(None, SHIPPED.with_edition(boss).with_book(lowest))
    assert {"boss", "chief", "pit-manager", "cashier"} <= ranks
    assert "dealer" not in ranks
    assert ranks_for_factor(("boss",), SHIPPED.with_edition(boss)) == {"boss"}


def test_a_rank_that_no_book_knows_is_told_before_anything_begins(tmp_path: Path) -> None:
    given = settings(None, {"PUNTO_SECOND_FACTOR": "cashier, pit-manger"}, database=f"sqlite:///{tmp_path}/n.db")
    with pytest.raises(BadSettings, match="'pit-manger', which is no rank"):
        build(given)


# By HTTP


@contextmanager
def served(folder: Path, *, demo: bool = False, **more: object) -> Iterator[TestClient[Litestar]]:
    url = f"sqlite:///{folder}/h.db"
    given = settings(None, {}, database=url, key_file=f"{folder}/h.key", master_key=MASTER.text, **more)
    with TestClient(build(given, demo=demo)) as client:
        accounts: Accounts = client.app.state.casino.accounts
        for rank in ("dealer", "cashier", "pit-supervisor", "pit-manager"):
            accounts.make(f"a-{rank}", "staff", SECRET, {"*": HeldPost(rank)})
        yield client


def enter(client: TestClient[Litestar], name: str, code: str = "") -> httpx.Response:
    answer = client.post("/api/login", json={"name": name, "password": SECRET, "code": code})
    client.cookies.clear()
    return answer


def test_the_default_asks_those_who_decide_money(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        assert enter(client, "a-dealer").status_code == 200
        for name in ("a-cashier", "a-pit-supervisor", "a-pit-manager"):
            answer = enter(client, name)
            assert answer.status_code == 403
            assert "punto users totp" in answer.json()["refused"]
        accounts: Accounts = client.app.state.casino.accounts
        link = accounts.link("a-cashier")
        assert client.post("/api/link", json={"token": link}).status_code == 200
        client.cookies.clear()
        environment, url = {"PUNTO_MASTER_KEY": MASTER.text}, f"sqlite:///{tmp_path}/h.db"
        done = CliRunner().invoke(users, ["totp", "a-cashier", "--database", url], env=environment)
        address, _, *codes = done.stdout.splitlines()
        assert all(re.fullmatch("  [a-z2-7]{4}(-[a-z2-7]{4}){3}", each) for each in codes)
        asked = enter(client, "a-cashier")
        assert (asked.status_code, asked.json()["needs"]) == (403, "code")
        session = enter(client, "a-cashier", Telephone(address, accounts._clock).code()).json()["token"]
        [listed] = client.get("/api/sessions", headers=bearer(session)).json()
        assert listed["way"] == "code"
        CliRunner().invoke(users, ["totp", "a-cashier", "--off", "--database", url], env=environment)
        assert "punto users totp" in enter(client, "a-cashier").json()["refused"]
        assert open_house(url).secret("", f"totp {accounts.existing('a-cashier').person}") is None


@pytest.mark.parametrize(("demo", "more"), [(True, {}), (False, {"second_factor": ()})])
def test_a_demonstration_asks_nobody_nor_a_house_that_says_so(
    tmp_path: Path, demo: bool, more: dict[str, object]
) -> None:
    with served(tmp_path, demo=demo, **more) as client:
        assert enter(client, "a-pit-manager").status_code == 200
