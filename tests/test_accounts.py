"""Accounts: passwords, tokens, links, posts, and the record of everything that is done with them."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from punto.cli.house import console_user
from punto.cli.users import app
from punto.journal import HOUSE, Append, Journal, JournalError, first_broken
from punto.service.accounts.account import Account, BadAccount, HeldPost
from punto.service.accounts.registry import SESSION, Accounts
from punto.service.accounts.tokens import Denied, Signer, Token
from punto.service.limits import RateLimit, TooMany
from service_process import MASTER, database, open_house
from whole_app import app as main

from test_cli import punto_command


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    made = Journal(f"sqlite:///{tmp_path}/punto.db")
    made.upgrade()
    yield made
    made.close()


@pytest.fixture
def accounts(journal: Journal, clock: Clock) -> Accounts:
    return Accounts(journal, clock)


def whats(accounts: Accounts) -> list[tuple[str, str, str]]:
    return [(act.who, act.what, act.account) for _, act in accounts.house.acts()]


# Making


@pytest.mark.parametrize("name", ["", "Ann", "a b", "a/b", "ann\n", "é", "a" * 41, "*"])
def test_a_name_of_other_letters_is_refused(accounts: Accounts, name: str) -> None:
    with pytest.raises(BadAccount, match="small letters"):
        accounts.make(name, "patron")


@pytest.mark.parametrize("name", ["dealer", "pit-manager", "house", "service", "shift-manager", "patrons"])
def test_nobody_is_called_like_a_rank_or_the_house(accounts: Accounts, name: str) -> None:
    with pytest.raises(BadAccount, match="word of the books"):
        accounts.make(name, "patron")


def test_what_else_cannot_be_made(accounts: Accounts) -> None:
    for kind, password, posts, says in (
        ("king", None, None, "a patron, staff or a device"),
        ("patron", None, {"t1": HeldPost("dealer")}, "holds no post"),
        ("patron", "short", None, "eight"),
        ("patron", "x" * 201, None, "two hundred"),
        ("device", "correct horse", None, "token, not a password"),
        ("staff", None, {"T 1": HeldPost("dealer")}, "not the name of a table"),
        ("staff", None, {HOUSE: HeldPost("dealer")}, "not the name of a table"),
        ("staff", None, {"t1": HeldPost("Dealer!")}, "not a rank"),
    ):
        with pytest.raises(BadAccount, match=says):
            accounts.make("ann", kind, password, posts)
    assert accounts.all() == []
    assert whats(accounts) == []


def test_a_name_is_given_once_even_when_two_ask_together(journal: Journal) -> None:
    everybody = [Accounts(journal) for _ in range(8)]
    start = threading.Barrier(8)

    def make(accounts: Accounts) -> bool:
        start.wait()
        try:
            accounts.make("ann", "patron")
        except BadAccount:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(make, everybody)) == 1
    assert [act.what for _, act in everybody[0].house.acts()] == ["account-made"]


# Passwords


def test_a_password_is_kept_as_an_argon2_hash_only(accounts: Accounts, journal: Journal) -> None:
    accounts.make("ann", "patron", "correct horse")
    body = journal.record("account", "ann")
    assert body is not None
    assert "correct horse" not in body
    assert "$argon2id$" in body
    assert accounts.holder(accounts.log_in("ann", "correct horse")).name == "ann"


def test_every_failed_log_in_gets_the_same_answer(accounts: Accounts) -> None:
    accounts.make("ann", "patron", "correct horse")
    accounts.make("lin", "patron")
    said = set()
    for name, password in (
        ("ann", "wrong horse"),
        ("bob", "wrong horse"),
        ("lin", ""),
        ("A\0", "wrong horse"),
        ("ann", "wrong horse"),
        ("ann", "wrong horse"),
    ):
        with pytest.raises(Denied) as denied:
            accounts.log_in(name, password)
        said.add(str(denied.value))
    assert len(said) == 1


def test_a_new_password_ends_every_session(accounts: Accounts) -> None:
    accounts.make("ann", "patron", "correct horse")
    session = accounts.log_in("ann", "correct horse")
    accounts.set_password("ann", "battery staple", by="lee")
    with pytest.raises(Denied, match="not good any more"):
        accounts.holder(session)
    assert accounts.log_in("ann", "battery staple")
    assert ("lee", "password-set", "ann") in whats(accounts)


# Tokens


def test_a_token_changed_in_any_letter_is_not_ours(accounts: Accounts) -> None:
    token = accounts.token(accounts.make("ann", "patron"))
    for at in range(len(token) - 1):  # the last letter carries spare bits
        other = "A" if token[at] != "A" else "B"
        with pytest.raises(Denied):
            accounts.holder(token[:at] + other + token[at + 1 :])
    for forged in ("", ".", "a.b", token + "A", token + "=", token.replace(".", ".."), "é" * 50, "A" * 100_000, "\0"):
        with pytest.raises(Denied, match="not ours"):
            accounts.holder(forged)


def test_a_token_signed_with_another_key_is_not_ours(accounts: Accounts, clock: Clock) -> None:
    account = accounts.make("ann", "patron")
    forged = Signer(bytes(32)).write(Token("ann", account.version, "x", clock.now + SESSION))
    with pytest.raises(Denied, match="not ours"):
        accounts.holder(forged)


def test_a_session_ends_after_its_time(accounts: Accounts, clock: Clock) -> None:
    token = accounts.token(accounts.make("ann", "patron"))
    clock.now += SESSION - 1
    assert accounts.holder(token).name == "ann"
    clock.now += 2
    with pytest.raises(Denied, match="not good any more"):
        accounts.holder(token)


def test_a_removed_account_s_token_is_not_good_for_its_namesake(accounts: Accounts) -> None:
    token = accounts.token(accounts.make("ann", "patron"))
    accounts.remove("ann")
    with pytest.raises(Denied):
        accounts.holder(token)
    accounts.make("ann", "staff", None, {"*": HeldPost("dealer")})
    with pytest.raises(Denied, match="not good any more"):
        accounts.holder(token)


def test_logging_out_ends_one_session_everywhere(accounts: Accounts, journal: Journal, clock: Clock) -> None:
    account = accounts.make("ann", "patron")
    first, second = accounts.token(account), accounts.token(account)
    elsewhere = Accounts(journal, clock)
    assert elsewhere.holder(first).name == "ann"
    accounts.log_out(first)
    elsewhere._updated -= 2  # as if a moment had passed
    for each in (accounts, elsewhere, Accounts(journal, clock)):
        with pytest.raises(Denied, match="not good any more"):
            each.holder(first)
        assert each.holder(second).name == "ann"


def test_revoked_by_another_process(accounts: Accounts, journal: Journal, clock: Clock) -> None:
    token = accounts.token(accounts.make("ann", "patron"))
    elsewhere = Accounts(journal, clock)
    assert elsewhere.holder(token).name == "ann"
    accounts.revoke("ann", by="lee")
    elsewhere._updated -= 2
    with pytest.raises(Denied, match="not good any more"):
        elsewhere.holder(token)


def test_two_services_that_begin_together_have_one_key(tmp_path: Path) -> None:
    journal = Journal(f"sqlite:///{tmp_path}/punto.db")
    journal.upgrade()
    start = threading.Barrier(6)

    def begin(_: int) -> Accounts:
        start.wait()
        return Accounts(journal)

    with ThreadPoolExecutor(6) as pool:
        made = list(pool.map(begin, range(6)))
    token = made[0].token(made[0].make("ann", "patron"))
    assert all(each.holder(token).name == "ann" for each in made)
    journal.close()


def test_a_device_s_token_never_expires_but_can_be_revoked(accounts: Accounts, clock: Clock) -> None:
    accounts.make("shoe-1", "device", None, {"t1": HeldPost("dealer")})
    token = accounts.device_token("shoe-1", by="lee")
    clock.now += 20 * 365 * 86400
    assert accounts.holder(token).kind == "device"
    accounts.revoke("shoe-1", by="lee")
    with pytest.raises(Denied, match="not good any more"):
        accounts.holder(token)
    assert whats(accounts)[1:] == [("lee", "token-given", "shoe-1"), ("lee", "tokens-revoked", "shoe-1")]


def test_people_get_no_device_token_and_devices_no_link(accounts: Accounts) -> None:
    ann, shoe = accounts.make("ann", "patron"), accounts.make("shoe-1", "device")
    with pytest.raises(BadAccount, match="no device"):
        accounts.device_token("ann")
    with pytest.raises(BadAccount, match="does not log in"):
        accounts.link("shoe-1")
    with pytest.raises(BadAccount, match="not a password"):
        accounts.set_password(shoe.name, "correct horse")
    with pytest.raises(Denied, match="not good any more"):
        accounts.holder(accounts.token(ann, seconds=None))


# Links


def test_a_link_logs_in_once(accounts: Accounts, clock: Clock) -> None:
    accounts.make("ann", "patron")
    link = accounts.link("ann", by="lee")
    with pytest.raises(Denied, match="not a session"):
        accounts.holder(link)
    session = accounts.spend(link)
    assert accounts.holder(session).name == "ann"
    with pytest.raises(Denied, match="has been used"):
        accounts.spend(link)
    with pytest.raises(Denied, match="not a one-time link"):
        accounts.spend(session)
    late, taken_back = accounts.link("ann", seconds=60), accounts.link("ann")
    clock.now += 61
    with pytest.raises(Denied, match="not good any more"):
        accounts.spend(late)
    accounts.revoke("ann")
    with pytest.raises(Denied, match="not good any more"):
        accounts.spend(taken_back)
    assert whats(accounts)[:3] == [
        ("service", "account-made", "ann"),
        ("lee", "link-given", "ann"),
        ("ann", "link-used", "ann"),
    ]


_SPENDER = """
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from punto.journal import Journal
from punto.service.accounts.registry import Accounts
from punto.service.accounts.tokens import Denied
accounts = Accounts(Journal(sys.argv[1]))
print("ready", flush=True)
links = sys.stdin.readline().split()
def spend(link):
    try:
        accounts.spend(link)
    except Denied as denied:
        assert "has been used" in str(denied)
        return 0
    return 1
with ThreadPoolExecutor(4) as pool:
    print(sum(pool.map(spend, [link for link in links for _ in range(3)])))
"""


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_link_is_spent_once_when_two_processes_race(kind: str) -> None:
    with database(kind) as store:
        journal = Journal(store.url)
        journal.upgrade()
        accounts = Accounts(journal)
        accounts.make("ann", "patron")
        links = [accounts.link("ann") for _ in range(10)]
        racing = [
            subprocess.Popen(
                [sys.executable, "-c", _SPENDER, store.url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
            for _ in range(2)
        ]
        for each in racing:
            assert each.stdout is not None
            assert each.stdout.readline() == "ready\n"
        for each in racing:
            assert each.stdin is not None
            each.stdin.write(" ".join(links) + "\n")
            each.stdin.flush()
        won = [int(each.communicate(timeout=600)[0]) for each in racing]
        assert sum(won) == len(links)
        assert [act.what for _, act in accounts.house.acts()].count("link-used") == len(links)
        assert first_broken(journal.entries(HOUSE)) is None
        journal.close()


# Posts


def test_posts_per_table_and_everywhere_and_acting(accounts: Accounts) -> None:
    accounts.make("lee", "staff", None, {"*": HeldPost("dealer")})
    accounts.hold("lee", "t1", "pit-manager", acting=True, by="max")
    lee = accounts.get("lee")
    assert lee is not None
    assert (lee.post_at("t1"), lee.post_at("t2")) == (HeldPost("pit-manager", True), HeldPost("dealer"))
    accounts.hold("lee", "t1", None, by="max")
    accounts.hold("lee", "*", None, by="max")
    lee = accounts.get("lee")
    assert lee is not None
    assert lee.post_at("t1") is None
    told = [(act.what, act.table, act.rank, act.acting) for _, act in accounts.house.acts()]
    assert told == [
        ("account-made", "*", "dealer", False),
        ("post-held", "t1", "pit-manager", True),
        ("post-left", "t1", "", False),
        ("post-left", "*", "", False),
    ]


def test_posts_that_cannot_be_held(accounts: Accounts) -> None:
    accounts.make("ann", "patron")
    accounts.make("lee", "staff")
    for name, table, rank, says in (
        ("ann", "t1", "dealer", "holds no post"),
        ("lee", "t1", None, "holds no post at t1"),
        ("lee", "House!", "dealer", "not the name of a table"),
        ("bob", "t1", "dealer", "no account"),
    ):
        with pytest.raises(BadAccount, match=says):
            accounts.hold(name, table, rank)
    assert len(whats(accounts)) == 2


def test_changes_at_once_are_all_kept(journal: Journal) -> None:
    accounts = Accounts(journal)
    accounts.make("lee", "staff")
    everybody = [Accounts(journal) for _ in range(6)]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda at: everybody[at].hold("lee", f"t{at}", "dealer"), range(6)))
    lee = accounts.get("lee", fresh=True)
    assert lee is not None
    assert sorted(lee.posts) == [f"t{at}" for at in range(6)]


# The record


def test_an_act_and_its_entry_are_one_commit(accounts: Accounts, journal: Journal) -> None:
    accounts.make("ann", "patron")
    before = journal.record("account", "ann")
    too_long = Append(HOUSE, 0, "k" * 10, "w", "at", ())
    with pytest.raises(JournalError, match="without an event"):
        journal.change_record("account", "ann", before, "{}", too_long)
    assert journal.record("account", "ann") == before
    assert not journal.change_record("account", "ann", "something else", None)
    assert journal.record("account", "ann") == before


def test_the_record_is_a_chain_that_shows_what_was_changed(accounts: Accounts, journal: Journal) -> None:
    accounts.make("ann", "patron", "correct horse", by="lee")
    accounts.remove("ann", by="lee")
    chain = journal.entries(HOUSE)
    assert first_broken(chain) is None
    bodies = [json.loads(event.body) for event in journal.read(HOUSE)]
    assert [(each["who"], each["what"]) for each in bodies] == [
        ("lee", "account-made"),
        ("lee", "account-closed"),
        ("lee", "account-removed"),
    ]
    assert all(each["at"] == entry.at for each, entry in zip(bodies, chain, strict=True))
    assert not any(b"argon2" in event.body or b"horse" in event.body for event in journal.read(HOUSE))
    forged = [chain[0], msgspec.structs.replace(chain[1], who="max"), chain[2]]
    assert first_broken(forged) is not None


def test_the_staff_s_log_ins_are_on_the_record_and_patrons_are_not(accounts: Accounts) -> None:
    accounts.make("lee", "staff", "correct horse")
    accounts.make("ann", "patron", "correct horse")
    accounts.log_in("lee", "correct horse")
    accounts.log_in("ann", "correct horse")
    assert whats(accounts)[2:] == [("lee", "logged-in", "lee")]


# Rates


def test_a_bucket_fills_up_again() -> None:
    clock = Clock()
    buckets = RateLimit(rate=2, burst=3, clock=clock)
    for _ in range(3):
        buckets.take("ann")
    with pytest.raises(TooMany):
        buckets.take("ann")
    buckets.take("bob")
    clock.now += 0.5
    buckets.take("ann")
    with pytest.raises(TooMany):
        buckets.take("ann")


def test_a_crowd_does_not_fill_an_empty_bucket_nor_the_memory() -> None:
    clock = Clock()
    buckets = RateLimit(rate=1, burst=2, clock=clock, most_names=100)
    buckets.take("ann")
    clock.now += 0.001
    for number in range(60):
        buckets.take(f"early {number}")
    buckets.take("ann")
    clock.now += 0.001
    for number in range(1000):
        buckets.take(f"{number}")
    assert len(buckets) <= 100
    quiet = RateLimit(rate=1, burst=2, clock=clock, most_names=100)
    for number in range(1000):
        quiet.take(f"{number}")
        clock.now += 1
    assert len(quiet) <= 100


# The command line


def users(tmp_path: Path, *words: str, given: str = "") -> str:
    environment = {"PUNTO_MASTER_KEY": MASTER.text}
    database = f"sqlite:///{tmp_path}/punto.db"
    done = CliRunner().invoke(app, [*words, "--database", database], input=given, env=environment)
    if done.exception is not None:
        raise done.exception
    return done.stdout


def test_accounts_on_the_command_line(tmp_path: Path) -> None:
    users(tmp_path, "add", "ann", given="correct horse\n")
    users(tmp_path, "add", "lee", "--kind", "staff", "--post", "*:dealer", "--no-password", "--person", "p-lee")
    users(tmp_path, "shown", "lee", "Mr Wong")
    users(tmp_path, "add", "shoe-1", "--kind", "device", "--post", "t1:dealer")
    users(tmp_path, "post", "lee", "t1", "pit-manager", "--acting")
    link = users(tmp_path, "link", "lee", "--url", "https://casino.example/").strip()
    token = users(tmp_path, "token", "shoe-1").strip()
    users(tmp_path, "password", "ann", given="battery staple\n")
    accounts = Accounts(open_house(f"sqlite:///{tmp_path}/punto.db"))
    assert accounts.holder(accounts.log_in("ann", "battery staple")).name == "ann"
    assert link.startswith("https://casino.example/?link=")
    assert accounts.holder(accounts.spend(link.partition("=")[2])).name == "lee"
    assert accounts.holder(token).name == "shoe-1"
    users(tmp_path, "revoke", "shoe-1")
    with pytest.raises(Denied):
        Accounts(accounts._journal).holder(token)
    listed = json.loads(users(tmp_path, "list", "--json"))
    posts = {"*": "dealer", "t1": "acting pit-manager"}
    assert listed[1] == {"name": "lee", "kind": "staff", "posts": posts, "person": "p-lee", "shown": "Mr Wong"}
    told = users(tmp_path, "list")
    assert "lee (p-lee): staff, dealer at *, acting pit-manager at t1, shown as Mr Wong" in told.replace("\n", " ")
    users(tmp_path, "remove", "ann")
    assert [each["name"] for each in json.loads(users(tmp_path, "list", "--json"))] == ["lee", "shoe-1"]
    acts = json.loads(users(tmp_path, "acts", "--json"))
    assert all(each["who"].startswith("console") for each in acts if each["what"] not in ("logged-in", "link-used"))
    assert [each["what"] for each in acts[-3:]] == ["tokens-revoked", "account-closed", "account-removed"]
    assert "tokens-revoked shoe-1" in users(tmp_path, "acts")
    accounts._journal.close()


def test_what_an_account_did_is_told_with_what_was_done_with_it(tmp_path: Path) -> None:
    """A cashier's acts at the tables, too, though the account is gone; and nobody else's."""
    users(tmp_path, "add", "cas", "--kind", "staff", "--post", "*:cashier", "--no-password", "--person", "p-cas")
    users(tmp_path, "add", "bob", "--no-password", "--person", "p-bob")
    users(tmp_path, "remove", "cas")
    bought = b'{"do":"buy-in","patron":"p-bob","amount":50000}'
    entries = (("p-cas", "2020-01-01"), ("p-bob", "2020-01-02"), ("p-cas", "2090-01-01"))
    with closing(open_house(f"sqlite:///{tmp_path}/punto.db")) as journal:
        for number, (who, day) in enumerate(entries):
            at, events = f"{day}T12:00:00.000Z", (b'{"event":"bought"}',)
            journal.append([Append("t1", number, f"key {number}", who, at, events, bought, 1)])
    told = json.loads(users(tmp_path, "acts", "cas", "--json"))
    acts = ["buy-in", "account-made", "account-closed", "account-removed", "buy-in"]
    assert [each["what"] for each in told] == acts
    assert (told[0]["table"], told[0]["command"]) == ("t1", bought.decode())
    assert users(tmp_path, "acts", "cas", "--since", "2089-12-31").splitlines() == [
        f"t1 3 2090-01-01T12:00:00.000Z p-cas: {bought.decode()}"
    ]
    assert len(json.loads(users(tmp_path, "acts", "--json"))) == 4, "the accounts alone"
    assert len(json.loads(users(tmp_path, "acts", console_user(), "--json"))) == 4, "who sat at the console"
    with pytest.raises(BadAccount, match="no account"):
        users(tmp_path, "acts", "nobody")


@pytest.mark.parametrize(
    "words",
    [
        ("users", "list"),
        ("users", "acts", "lee"),
        ("users", "revoke", "lee"),
        ("cage", "count"),
        ("cage", "deposit", "p-lee", "5"),
    ],
    ids=" ".join,
)
def test_the_settings_file_of_the_service_names_the_house(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In whatever folder somebody stands, where without it no house is found and none is made."""
    here = tmp_path / "elsewhere"
    here.mkdir()
    monkeypatch.chdir(here)
    house = tmp_path / "house.toml"
    house.write_text(f'database = "sqlite:///{tmp_path}/h.db"\nkey_file = "{tmp_path}/h.key"\n')

    def punto(*given: str) -> None:
        CliRunner().invoke(main, [*given, "--config", str(house)], catch_exceptions=False)

    punto("users", "add", "lee", "--kind", "staff", "--no-password", "--person", "p-lee")
    punto(*words)
    with pytest.raises(BadAccount, match="There is no database"):
        CliRunner().invoke(main, words, catch_exceptions=False)
    assert not list(here.iterdir())


@pytest.mark.parametrize(
    ("words", "given", "says"),
    [
        (("add", "bob"), "short\n", "eight"),
        (("add", "Bob"), "correct horse\n", "small letters"),
        (("add", "bob", "--kind", "staff", "--post", "t1"), "", "not a post"),
        (("add", "bob", "--kind", "staff", "--post", "t1:boss"), "", "No book has the rank"),
        (("add", "bob", "--no-password", "--person", "dealer"), "", "no person has such an id"),
        (("password", "bob"), "correct horse\n", "no account"),
        (("post", "ann", "t1", "dealer"), "", "holds no post"),
        (("post", "ann", "t1", "boss"), "", "No book has the rank"),
        (("remove", "bob"), "", "no account"),
        (("token", "ann"), "", "no device"),
        (("link", "bob"), "", "no account"),
    ],
)
def test_what_the_command_line_refuses(tmp_path: Path, words: tuple[str, ...], given: str, says: str) -> None:
    journal = Journal(f"sqlite:///{tmp_path}/punto.db")
    journal.upgrade()
    accounts = Accounts(journal)
    accounts.make("ann", "patron")
    with pytest.raises(BadAccount, match=says):
        users(tmp_path, *words, given=given)
    assert [each.name for each in accounts.all()] == ["ann"]
    assert len(accounts.house.acts()) == 1
    journal.close()


def test_no_database_is_made_by_looking(tmp_path: Path) -> None:
    done = punto_command("users", "list", "--database", f"sqlite:///{tmp_path}/nothing.db")
    assert (done.returncode, done.stderr) == (1, f"punto: There is no database {tmp_path}/nothing.db.\n")
    assert not list(tmp_path.iterdir())


def test_an_account_reads_back_as_it_was_kept() -> None:
    account = Account("lee", "staff", "hash", {"*": HeldPost("dealer", True)}, 3)
    assert msgspec.json.decode(msgspec.json.encode(account), type=Account) == account
