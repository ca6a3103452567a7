"""Two service processes on one PostgreSQL: one floor, whichever of them one speaks to."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain

import httpx
import psycopg

from punto.journal import Journal, StoredEvent, first_broken
from punto.table import Viewer, decode_event, events, fold
from service_clients import Follower, Known, Person, bet, gone, has_heard, is_told, meanwhile
from service_process import Database, People, Service, bearer, opening, until

pytest_plugins = ("process_fixtures",)

PATRONS = 6
BUYS = 15
RANK = "table-game-shift-manager"


def entries(store: Database, table: str) -> list[StoredEvent]:
    """The events of a table, whose chain is whole."""
    journal = Journal(store.url)
    found, broken = journal.read(table), first_broken(journal.entries(table))
    journal.close()
    assert broken is None
    return found


def command(service: Service, table: str, token: str, **given: object) -> httpx.Response:
    return httpx.post(f"{service.address}/api/tables/{table}/commands", json=given, headers=bearer(token), timeout=600)


def leases(store: Database) -> list[tuple[str, str]]:
    """Which leases are held, and by which process."""
    asked = 'SELECT "table", holder FROM leases JOIN holders ON holders.id = leases.holder WHERE NOT released'
    with psycopg.connect(store.url, autocommit=True) as connection:
        return [(str(table), str(holder)) for table, holder in connection.execute(asked).fetchall()]


def test_two_processes_may_start_at_once_on_an_empty_database(two: tuple[Service, Service]) -> None:
    one, other = (each.start(wait=False) for each in two)
    one.wait()
    other.wait()
    answers = [httpx.get(f"{each.address}/health", timeout=600).json() for each in two]
    assert answers[0] == answers[1]
    assert answers[0]["ok"]


def test_commands_sent_to_both_are_carried_out_one_after_the_other(
    store: Database, two: tuple[Service, Service]
) -> None:
    people = People(store.url)
    lee = people.staff("lee", RANK)
    names = [f"ann{number}" for number in range(PATRONS)]
    tokens = {name: people.patron(name) for name in names}
    people.close()
    for each in two:
        each.start()
    assert command(two[0], "both", lee, **opening("wu-song")).status_code == 200
    known, followers = asyncio.run(_everybody_buys(two, lee, tokens))

    found = entries(store, "both")
    made: dict[str, list[int]] = {}
    for entry in found:
        made.setdefault(entry.key, []).append(entry.sequence)
    for key, sequences in made.items():
        assert sequences == list(range(sequences[0], sequences[-1] + 1)), key
    for answer in known.answers.values():
        assert made[answer.key] == list(range(answer.first, answer.last + 1))
    happened = [decode_event(entry.body) for entry in found]
    bought = [each for each in happened if isinstance(each, events.BoughtIn)]
    assert len(bought) == PATRONS * BUYS
    table = fold(happened)
    assert {name: patron.balance for name, patron in table.patrons.items()} == dict.fromkeys(
        names, sum(range(1, BUYS + 1)) * 1000
    )
    for follower in followers:
        assert [told.sequence for told in follower.followed] == [entry.sequence for entry in found]
        assert [bytes(told.event) for told in follower.followed] == [entry.body for entry in found]


async def _everybody_buys(
    two: tuple[Service, Service], lee: str, tokens: dict[str, str]
) -> tuple[Known, list[Follower]]:
    """Everybody says everything to both processes at the same time, with the same key."""
    known = Known("both")
    followers = [Follower(known, each.address, "lee", lee, 1) for each in two]
    hearing = [asyncio.create_task(each.follow()) for each in followers]
    pairs = {name: [Person(known, each.address, name, token, 1) for each in two] for name, token in tokens.items()}

    async def say(pair: list[Person], **given: object) -> None:
        first, second = await asyncio.gather(*(person.give(given) for person in pair))
        assert first is not None
        assert second is not None
        assert (first.first, first.last) == (second.first, second.last)
        assert first.repeated != second.repeated

    async def buy(name: str, box: int) -> None:
        await say(pairs[name], do="sit", patron=name, box=box)
        for number in range(1, BUYS + 1):
            await say(pairs[name], do="buy-in", patron=name, amount=1000 * number)

    try:
        await asyncio.gather(*(buy(name, box) for box, name in enumerate(tokens, start=1)))
        last = max(answer.last for answer in known.answers.values())
        await meanwhile(hearing, lambda: all(has_heard(each, last) for each in followers), "the last entry")
    finally:
        await gone(hearing)
        for person in chain(followers, *pairs.values()):
            await person.close()
    return known, followers


def test_a_key_stands_for_one_command_at_both_and_a_demotion_counts_at_both(
    store: Database, two: tuple[Service, Service]
) -> None:
    people = People(store.url)
    may, pat = people.staff("may", RANK), people.patron("pat")
    for each in two:
        each.start()
    assert command(two[0], "keyed", may, **opening("wu-song")).status_code == 200
    assert command(two[0], "keyed", pat, do="sit", patron="pat", box=1).status_code == 200
    buys = {"do": "buy-in", "patron": "pat"}

    def with_key(service: Service, amount: int) -> httpx.Response:
        head = {**bearer(pat), "Idempotency-Key": "one and the same"}
        path = f"{service.address}/api/tables/keyed/commands"
        return httpx.post(path, json={**buys, "amount": amount}, headers=head, timeout=600)

    assert with_key(two[0], 1000).status_code == 200
    assert [with_key(each, 2000).status_code for each in two] == [409, 409]
    assert all(with_key(each, 1000).json()["repeated"] for each in two)

    reported = command(two[0], "keyed", may, do="report", fact="other", note="A glass fell.")
    assert reported.status_code == 200, reported.text
    asked = httpx.get(f"{two[0].address}/api/tables/keyed", headers=bearer(may), timeout=600).json()["view"][
        "questions"
    ]
    people.post("may", "dealer")
    answer = {"do": "answer", "question": asked[0]["id"], "choice": asked[0]["choices"][0], "reason": "So be it."}
    assert [command(each, "keyed", may, **answer).status_code for each in two] == [409, 409]
    happened = [decode_event(entry.body) for entry in entries(store, "keyed")]
    assert [each.amount for each in happened if isinstance(each, events.BoughtIn)] == [1000]
    assert asked[0]["id"] in [each.id for each in fold(happened).questions]
    people.post("may", RANK)
    people.close()
    answered = command(two[1], "keyed", may, **answer)
    assert answered.status_code == 200, answered.text  # by the rank that it is for


def test_what_is_counted_by_the_hour_is_counted_by_all_processes_together(
    store: Database, two: tuple[Service, Service]
) -> None:
    people = People(store.url)
    sam, tom = people.staff("sam", RANK), people.patron("tom")
    people.close()
    for each in two:
        each.start()
    assert command(two[0], "texts", sam, **opening("wu-song")).status_code == 200
    assert command(two[0], "texts", tom, do="sit", patron="tom", box=1).status_code == 200
    with ThreadPoolExecutor(12) as many:
        said = list(
            many.map(
                lambda at: command(two[at % 2], "texts", tom, do="raise-dispute", patron="tom", says=f"{at}"), range(60)
            )
        )
    assert sorted(each.status_code for each in said) == [200] * 30 + [429] * 30
    two[0].kill()
    two[0].start()
    assert command(two[0], "texts", tom, do="raise-dispute", patron="tom", says="Again.").status_code == 429


def test_one_process_tends_a_table_and_the_other_takes_over(store: Database, two: tuple[Service, Service]) -> None:
    people = People(store.url)
    kim, amy = people.staff("kim", RANK), people.patron("amy")
    people.close()
    holder, other = two
    holder.start()
    before = len(leases(store))
    assert command(holder, "dealt", kim, **opening("wu-song", shoe="virtual")).status_code == 200
    assert command(holder, "held", kim, **opening("wu-song")).status_code == 200
    until(lambda: len(leases(store)) == before + 2, "the leases of both tables")
    held = leases(store)
    other.start()
    settled(store, "dealt", 3)
    assert sorted(leases(store)) == sorted(held), "there is one holder, and it is the first"

    for given in (
        {"do": "load-shoe"},
        {"do": "sit", "patron": "amy", "box": 1},
        {"do": "open-bets"},
    ):
        assert command(other, "held", kim, **given).status_code == 200
    assert command(other, "held", amy, do="buy-in", patron="amy", amount=50_000).status_code == 200
    assert command(holder, "held", amy, do="place", patron="amy", bet="player", stake=20_000).status_code == 200

    other.kill()
    rounds = settled(store, "dealt", 0)
    settled(store, "dealt", rounds + 2)
    assert not interruptions(store, "dealt")
    assert not interruptions(store, "held")

    other.start()
    holder.kill()
    found = until(lambda: interruptions(store, "held"), "the other process to take over")
    assert [each.who for each in found] == ["service"]
    assert fold(decode_event(entry.body) for entry in entries(store, "held")).patrons["amy"].balance == 50_000
    rounds = settled(store, "dealt", 0)
    settled(store, "dealt", rounds + 2)
    assert {table for table, _ in leases(store)} == {table for table, _ in held}
    assert entries(store, "dealt")
    assert len(interruptions(store, "dealt")) <= 1


def settled(store: Database, table: str, least: int) -> int:
    """How many rounds were settled at a table, once there are so many."""

    def enough() -> tuple[int] | None:
        count = sum(b'"event":"round-settled"' in entry.body for entry in entries(store, table))
        return (count,) if count >= least else None

    return until(enough, f"{least} rounds at {table}")[0]


def interruptions(store: Database, table: str) -> list[StoredEvent]:
    """The entries that report an interruption."""
    return [entry for entry in entries(store, table) if b'"fact":"interruption"' in entry.body]


def test_people_may_sit_at_either_process_while_the_other_is_killed(
    store: Database, two: tuple[Service, Service]
) -> None:
    people = People(store.url)
    joe, tokens = people.staff("joe", RANK), [people.patron(name) for name in ("eve", "fay")]
    people.close()
    for each in two:
        each.start()
    assert command(two[1], "either", joe, **opening("wu-song", shoe="virtual")).status_code == 200
    known, followers = asyncio.run(_play_on_both(two, tokens))
    found = entries(store, "either")
    for follower in followers:
        for told in follower.followed:
            assert is_told(told.event, found[told.sequence - 1].body, Viewer(follower.name))
    made: dict[str, list[int]] = {}
    for entry in found:
        made.setdefault(entry.key, []).append(entry.sequence)
    for answer in known.answers.values():
        assert made[answer.key] == list(range(answer.first, answer.last + 1))
    table = fold(decode_event(entry.body) for entry in found)
    assert table.house + sum(each.balance + each.held - each.owed for each in table.patrons.values()) == 0


async def _play_on_both(two: tuple[Service, Service], tokens: list[str]) -> tuple[Known, list[Follower]]:
    known = Known("either")
    pair = zip(("eve", "fay"), tokens, two, strict=True)
    followers = [Follower(known, each.address, name, token, 1) for name, token, each in pair]
    hearing = [asyncio.create_task(each.follow()) for each in followers]
    playing = [asyncio.create_task(bet(each, box)) for box, each in enumerate(followers, start=1)]
    try:
        for each, follower in zip(two, followers, strict=True):
            reached = len(follower.followed) + 40
            await meanwhile([*hearing, *playing], partial(has_heard, follower, reached), "forty more entries")
            each.kill()
            await asyncio.to_thread(each.start)
        for follower in followers:
            follower.stopping.set()
        await asyncio.gather(*playing)
        last = max(answer.last for answer in known.answers.values())
        await meanwhile(hearing, lambda: all(has_heard(each, last) for each in followers), "the last entry")
    finally:
        await gone([*hearing, *playing])
        for follower in followers:
            await follower.close()
    return known, followers
