"""A journal gone through again: a true one is whole, and of a forged one the first wrong entry is named."""

import random
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from audited import HELD, KEY, STORIES, TABLES, TRUSTED, find, forging, house, runs_of_luck, said, say, told_again
from databases import KINDS, fresh
from punto.audit import Verified, verify, verify_table
from punto.audit.deciding import follow
from punto.audit.positions import Positions
from punto.journal import Journal, new_key, public_key, sign
from punto.table import decode_event, encode, evolve
from punto.table import events as e
from service_process import People, Service, bearer, opening, until

Rows = list[dict[str, Any]]
BOOK = "commission-insurance"


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("house") / "punto.db"
    house(f"sqlite:///{file}").close()
    return file


@pytest.fixture
def file(original: Path, tmp_path: Path) -> Path:
    """A journal of one's own."""
    return Path(shutil.copy(original, tmp_path / "punto.db"))


def looked_into(file: Path, table: str = BOOK, trusted: str | None = TRUSTED) -> Verified:
    journal = Journal(f"sqlite:///{file}")
    found = verify_table(journal, table, trusted)
    journal.close()
    return found


def named(file: Path, table: str = BOOK, trusted: str | None = TRUSTED) -> tuple[int, str]:
    wrong = looked_into(file, table, trusted).wrong
    assert wrong is not None, "nothing was found"
    assert wrong.table == table
    return wrong.sequence, wrong.why


# A true journal


@pytest.mark.parametrize("kind", KINDS)
def test_a_journal_as_it_was_played_is_whole(kind: str, tmp_path: Path) -> None:
    journal = house(fresh(kind, tmp_path), rounds=2)
    found = {each.table: each for each in verify(journal, trusted=TRUSTED)}
    assert set(found) == {*TABLES, HELD, "house"}
    for name, each in found.items():
        assert each.wrong is None, each.wrong
        assert each.entries == each.signed == len(journal.read(name))
        assert (each.keys, each.checkpoints) == ((TRUSTED,), 2)
        assert (each.rounds, each.faces > 0) == ({**dict.fromkeys(TABLES, 3), HELD: 1}.get(name, 0), name in TABLES)
    journal.close()


def test_only_the_table_that_was_asked_for_is_gone_through(file: Path) -> None:
    with forging(file) as forger:
        forger.sql("""UPDATE entries SET body = 'x' WHERE "table" = 'wu-song'""")
    journal = Journal(f"sqlite:///{file}")
    assert [(each.table, each.wrong) for each in verify(journal, BOOK)] == [(BOOK, None)]
    journal.close()


def test_a_journal_that_is_read_in_small_pieces_says_the_same(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = looked_into(file)
    monkeypatch.setattr("punto.audit.reading.AT_ONCE", 7)
    assert looked_into(file) == whole
    assert whole.wrong is None


def test_a_running_shoe_is_held_against_the_seed_that_is_kept(file: Path) -> None:
    before = looked_into(file).faces
    with forging(file) as forger:
        rows = forger.rows(BOOK)
        place = find(rows, "cards-exposed", -1)
        forger.sql("DELETE FROM secrets WHERE name = 'shoe 2'")
    assert looked_into(file).faces < before
    assert looked_into(file).wrong is None
    with forging(file) as forger:
        forger.sql("INSERT INTO secrets VALUES (?, 'shoe 2', ?)", BOOK, bytes(32))
    loaded = find(rows, "shoe-loaded", 1)
    assert loaded < place
    assert named(file) == (loaded + 1, "the seed that is kept for this shoe is not the one committed to")


# Whatever can happen at a table is decided again the same


def test_every_story_is_decided_again_as_it_went() -> None:
    commands = settled = 0
    for story in STORIES:
        for table, made in told_again(story):
            if made:
                commands += 1
                settled += any(isinstance(event, e.RoundSettled) for event in made)
                again = tuple(decode_event(encode(event)) for event in made)
                assert follow(table, again)[1] is None, story
    assert commands > 5000
    assert settled > 100


def test_whatever_happens_at_a_table_is_decided_again_and_its_cards_are_followed() -> None:
    commands = 0
    for run in runs_of_luck(150, 100):
        places, cards = Positions(), 0
        for table, made in run:
            commands += 1
            again = tuple(decode_event(encode(event)) for event in made)
            assert follow(table, again)[1] is None
            for event in made:
                table = evolve(table, event)
                cards = event.cards if isinstance(event, e.ShoeLoaded) else cards
                places.take(event)
                if table.shoe is None:
                    continue
                assert table.shoe.left == cards - places.gone + len(places.back)
                assert len(table.shoe.carried) == len(places.carried)
                assert table.running is None or len(table.running.cards) == len(places.felt)
                out = [*places.felt, *places.carried, *places.reserved, *places.back]
                assert len(out) == len(set(out))
    assert commands > 5000


@pytest.mark.parametrize(
    ("events", "felt", "gone"),
    [
        ([e.CardDrawn(0, "player"), e.CardDrawn(1, "banker"), e.CardsRetrieved(), e.Burned(1)], [], 2),
        ([e.CardDrawn(0, "player"), e.CardsRetrieved(), e.Burned(1), e.CardDrawn(0, "player")], [1], 2),
        ([e.CardsCarried((), seen=("4h",)), e.CardDrawn(0, "player", True), e.CardDrawn(1, "banker")], [0, 1], 2),
        (
            [
                e.CardDrawn(0, "player"),
                e.CardDrawn(1, "aside"),
                e.CardsCarried((1,)),
                e.BetsOpened(2),
                e.CardDrawn(0, "player", True),
                e.CardDrawn(1, "banker"),
                e.CardsRetrieved(),
                e.CardDrawn(0, "player"),
                e.CardDrawn(1, "banker"),
                e.CardDrawn(2, "player"),
            ],
            [1, 2, 3],
            4,
        ),
        ([e.CardsReserved(2), e.CardDrawn(0, "player"), e.CardDrawn(1, "player", reserve=True)], [2, 0], 3),
        ([e.CardDrawn(0, "player"), e.CardDrawn(1, "banker"), e.OrderFixed((1, 0))], [1, 0], 2),
    ],
)
def test_cards_are_followed_wherever_they_go(events: list[e.Event], felt: list[int], gone: int) -> None:
    places = Positions()
    for event in (e.ShoeLoaded(1, 416), e.BetsOpened(1), *events):
        places.take(event)
    assert (places.felt, places.gone) == (felt, gone)


# A forged journal: the chain


@pytest.mark.parametrize("place", [0, 1, 40, -1])
@pytest.mark.parametrize("field", ["body", "who", "at", "key", "hash", "before"])
def test_an_altered_entry_is_named(file: Path, place: int, field: str) -> None:
    with forging(file) as forger:
        rows = forger.rows(BOOK)
        rows[place][field] = b'{"event":"bets-closed"}' if field == "body" else "0" * 63 + "1"
        forger.write(BOOK, rows)
    sequence = rows[place]["sequence"]
    why = "it does not follow from the entry before it" if field == "before" else "its content is not what was hashed"
    assert named(file) == (sequence, why)
    assert looked_into(file).entries <= sequence - 1


def test_a_removed_entry_is_named(file: Path) -> None:
    with forging(file) as forger:
        rows = forger.rows(BOOK)
        forger.write(BOOK, rows[:40] + rows[41:])
    assert named(file) == (42, "entry 41 is missing")


def test_removed_last_entries_are_named(file: Path) -> None:
    with forging(file) as forger:
        rows = forger.rows(BOOK)
        forger.write(BOOK, rows[:-3])
    assert named(file) == (len(rows) - 2, f"it is missing: the chain had {len(rows)} entries")


def test_removed_last_entries_of_a_chain_that_was_signed_are_named(file: Path) -> None:
    with forging(file) as forger:
        rows = forger.rows(BOOK)
        forger.write_anew(BOOK, rows[:-3])
    assert named(file) == (len(rows) - 2, f"it is missing: a checkpoint was signed on entry {len(rows)}")


def test_swapped_entries_are_named(file: Path) -> None:
    with forging(file) as forger:
        rows = forger.rows(BOOK)
        rows[29]["sequence"], rows[30]["sequence"] = 31, 30
        forger.write(BOOK, rows)
    assert named(file) == (30, "it does not follow from the entry before it")


def test_an_entry_beyond_the_end_is_named(file: Path) -> None:
    with forging(file) as forger:
        rows = forger.rows(BOOK)
        head = forger.sql("SELECT sequence, hash FROM tables WHERE id = ?", BOOK)[0]
        more = {**rows[-1], "key": "forged", "body": b'{"event":"noticed","says":"x"}'}
        forger.write_anew(BOOK, [*rows, more])
        forger.sql("UPDATE tables SET sequence = ?, hash = ? WHERE id = ?", *head, BOOK)
    assert named(file) == (len(rows) + 1, "it lies beyond the end of the chain")


def test_an_end_that_the_store_does_not_know_is_named(file: Path) -> None:
    with forging(file) as forger:
        rows = forger.rows(BOOK)
        forger.sql("UPDATE tables SET hash = ? WHERE id = ?", "0" * 64, BOOK)
    assert named(file) == (len(rows), "it is not the entry that the chain ended with")


def test_a_table_that_is_missing_from_the_list_is_named(file: Path) -> None:
    with forging(file) as forger:
        forger.sql("DELETE FROM tables WHERE id = ?", BOOK)
    journal = Journal(f"sqlite:///{file}")
    found = {each.table: each.wrong for each in verify(journal)}
    journal.close()
    assert {name for name, wrong in found.items() if wrong is not None} == {BOOK}
    assert named(file) == (1, "the store does not list its table")


# A forged journal: what was signed


def test_a_false_signature_is_named(file: Path) -> None:
    with forging(file) as forger:
        [(sequence, signature), _] = forger.sql(
            'SELECT sequence, signature FROM checkpoints WHERE "table" = ? ORDER BY sequence', BOOK
        )
        forged = ("0" if signature[0] != "0" else "1") + signature[1:]
        forger.sql("UPDATE checkpoints SET signature = ? WHERE signature = ?", forged, signature)
    assert named(file) == (sequence, "the signature of the checkpoint on it is false")


def test_a_checkpoint_by_another_key_is_named_where_one_is_trusted(file: Path) -> None:
    other = new_key()
    with forging(file) as forger:
        rows = forger.rows(BOOK)
        forger.unsign(BOOK)
        point = sign(other, BOOK, 50, rows[49]["hash"])
        forger.sql("INSERT INTO checkpoints VALUES (?, ?, ?, ?, ?)", *msgspec.structs.astuple(point))
    key = public_key(other)
    assert named(file) == (50, f"the checkpoint on it was signed by the key {key}, which is not trusted")
    found = looked_into(file, trusted=None)
    assert (found.wrong, found.signed, found.keys) == (None, 50, (key,))


def test_a_checkpoint_on_something_else_is_named(file: Path) -> None:
    with forging(file) as forger:
        forger.unsign(BOOK)
        point = sign(KEY, BOOK, 50, "0" * 64)
        forger.sql("INSERT INTO checkpoints VALUES (?, ?, ?, ?, ?)", *msgspec.structs.astuple(point))
    assert named(file) == (50, "it is not the entry that was signed in a checkpoint")


def test_an_amount_that_only_the_patron_could_contradict_is_found_by_what_was_signed(file: Path) -> None:
    """Somebody bought in for more than is on record: everything follows from that, but for the signature."""
    with forging(file) as forger:
        rows = forger.rows(BOOK)
        event = said(rows[find(rows, "bought-in")])
        event["amount"] += 500_000
        say(rows[find(rows, "bought-in")], event)
        forger.write_anew(BOOK, rows)
    assert named(file) == (len(rows) // 2, "it is not the entry that was signed in a checkpoint")


# A forged journal whose hashes were all made anew, and whose checkpoints are gone


def forged(file: Path, change: Callable[[Rows], int], table: str = BOOK) -> tuple[int, int, str]:
    """The entry that was changed, the one that is named, and why."""
    with forging(file) as forger:
        rows = forger.rows(table)
        place = change(rows)
        forger.write_anew(table, rows)
        forger.unsign(table)
    return place + 1, *named(file, table)


def paid_more(rows: Rows) -> int:
    place = find(rows, "round-settled", 2)
    event = said(rows[place])
    event["moves"]["ann"][0] += 100
    say(rows[place], event)
    return place


def another_net(rows: Rows) -> int:
    place = find(rows, "round-settled")
    event = said(rows[place])
    event["lines"]["bob"][0]["net"] += 100
    event["moves"]["bob"][0] += 100
    say(rows[place], event)
    return place


def another_clause(rows: Rows) -> int:
    place = find(rows, "round-settled", 1)
    event = said(rows[place])
    event["lines"]["ann"][0]["basis"] = {"clauses": ["9.9"]}
    say(rows[place], event)
    return place


def a_missing_line(rows: Rows) -> int:
    place = find(rows, "round-settled", 1)
    event = said(rows[place])
    event["lines"]["ann"].pop()
    event["spots"]["ann"].pop()
    say(rows[place], event)
    return place


def another_winner(rows: Rows) -> int:
    place = find(rows, "round-settled", 1)
    event = said(rows[place])
    event["winner"] = "tie" if event["winner"] != "tie" else "player"
    say(rows[place], event)
    return place


def stakes_not_given_back(rows: Rows) -> int:
    place = find(rows, "round-ended")
    event = said(rows[place])
    event["returned"]["bob"] -= 100
    say(rows[place], event)
    return place


def another_face(rows: Rows) -> int:
    place = find(rows, "cards-exposed", 1)
    event = said(rows[place])
    event["faces"][0] = "Ac" if event["faces"][0] != "Ac" else "Ad"
    say(rows[place], event)
    return place


def more_than_one_has(rows: Rows) -> int:
    place = find(rows, "cashed-out")
    event = said(rows[place])
    event["amount"] = 100_000_000
    say(rows[place], event)
    return place


def no_such_bet(rows: Rows) -> int:
    place = find(rows, "wager-placed", 3)
    event = said(rows[place])
    event["bet"] = "no-such-bet"
    say(rows[place], event)
    return place


def another_question(rows: Rows) -> int:
    place = find(rows, "asked")
    event = said(rows[place])
    event["question"]["to"] = "dealer"
    say(rows[place], event)
    return place


def a_bet_after_the_call(rows: Rows) -> int:
    place = find(rows, "bets-closed", 1) + 1
    while rows[place]["key"] == rows[place - 1]["key"]:
        place += 1
    event = {"event": "wager-placed", "patron": "ann", "box": 1, "bet": "player", "stake": 1000, "by": "ann"}
    rows.insert(place, {**rows[place], "key": "forged", "body": msgspec.json.encode(event)})
    return place


def a_second_buy_in(rows: Rows) -> int:
    place = find(rows, "bought-in")
    rows.insert(place + 3, dict(rows[place]))
    return place + 3


def an_entry_left_out(rows: Rows) -> int:
    place = find(rows, "wager-placed", 1)
    del rows[place]
    return place


def swapped(rows: Rows) -> int:
    place = find(rows, "bets-opened", 1)
    rows[place], rows[place + 1] = rows[place + 1], rows[place]
    return place


def a_cover_over_its_cap(rows: Rows) -> int:
    place = find(rows, "cover-struck")
    event = said(rows[place])
    event["stake"] *= 10
    say(rows[place], event)
    return place


def another_seed(rows: Rows) -> int:
    place = find(rows, "shoe-ended")
    event = said(rows[place])
    event["seed"] = "ff" * 32
    say(rows[place], event)
    return place


def no_seed(rows: Rows) -> int:
    place = find(rows, "shoe-ended")
    say(rows[place], {"event": "shoe-ended", "seed": "nonsense"})
    return place


def another_person(rows: Rows) -> int:
    place = next(at for at in range(1, len(rows)) if rows[at]["key"] == rows[at - 1]["key"])
    rows[place]["who"] = "somebody else"
    return place


def another_time(rows: Rows) -> int:
    place = next(at for at in range(1, len(rows)) if rows[at]["key"] == rows[at - 1]["key"])
    rows[place]["at"] = "2020-01-01T00:00:00Z"
    return place


def nonsense(rows: Rows) -> int:
    rows[33]["body"] = b"\xff\xfe nonsense"
    return 33


def no_such_event(rows: Rows) -> int:
    rows[33]["body"] = b'{"event":"miracle"}'
    return 33


def another_book(rows: Rows) -> int:
    event = said(rows[0])
    event["setup"]["digest"] = "0" * 64
    say(rows[0], event)
    return 0


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (paid_more, "ann is paid"),
        (another_net, "bob's 100.00 on banker comes to"),
        (another_clause, "ann's line on player should say"),
        (a_missing_line, "ann has 2 lines, and should have 3"),
        (another_winner, "the cards on the felt are not those it was settled on"),
        (stakes_not_given_back, "bob gets 99.00 back, and should get 100.00"),
        (another_face, "card 5 of the committed shoe is"),
        (no_such_bet, "the table does not allow it"),
        (a_bet_after_the_call, "the table does not allow it: Bets are closed"),
        (a_second_buy_in, "its command had been carried out before"),
        (a_cover_over_its_cap, "the table does not allow it: At most"),
        (another_seed, "The commitment does not match"),
        (no_seed, "'nonsense' is not a seed"),
        (another_person, "it is of another time or person than the rest of its command"),
        (another_time, "it is of another time or person than the rest of its command"),
        (nonsense, "it is no event"),
        (no_such_event, "it is no event"),
        (another_book, "the table does not allow it: There is no book"),
    ],
)
def test_what_was_forged_from_first_to_last_is_named_all_the_same(
    file: Path, change: Callable[[Rows], int], why: str
) -> None:
    changed, sequence, told = forged(file, change)
    assert sequence == changed, told
    assert told.startswith(why), told


def test_a_bet_left_out_is_named_where_it_is_missed(file: Path) -> None:
    changed, sequence, told = forged(file, an_entry_left_out)
    assert changed < sequence
    assert "ann" in told


def test_entries_in_the_wrong_order_are_named(file: Path) -> None:
    changed, sequence, told = forged(file, swapped)
    assert (sequence, told.partition(":")[0]) == (changed, "the table does not allow it")


def test_an_amount_that_was_not_there_is_named(file: Path) -> None:
    changed, sequence, told = forged(file, more_than_one_has, HELD)
    assert sequence == changed
    assert told.startswith("bob has -")
    assert told.endswith(", less than nothing")


def test_a_question_to_somebody_else_is_named(file: Path) -> None:
    changed, sequence, told = forged(file, another_question, "dragon-tiger-mbs")
    assert sequence == changed
    assert told.startswith("decided again it says otherwise: question is")


def test_the_house_s_own_chain_is_gone_through_too(file: Path) -> None:
    with forging(file) as forger:
        rows = forger.rows("house")
        rows[1]["body"] = rows[1]["body"].replace(b'"service"', b'"nobody"')
        forger.write_anew("house", rows)
        forger.unsign("house")
    assert named(file, "house") == (2, "it names another time or person than its entry")
    with forging(file) as forger:
        rows[1]["body"] = b"nonsense"
        forger.write_anew("house", rows)
    assert named(file, "house")[0] == 2


def _digits(body: bytes, luck: random.Random) -> bytes | None:
    """The same with one digit changed."""
    places = [at for at, each in enumerate(body) if each in b"0123456789"]
    if not places:
        return None
    at = luck.choice(places)
    return body[:at] + str((int(body[at : at + 1]) + luck.randint(1, 9)) % 10).encode() + body[at + 1 :]


@pytest.mark.parametrize("seed", range(12))
def test_no_digit_can_be_changed_under_a_checkpoint(file: Path, seed: int) -> None:
    """Whatever is changed, and even if every hash is made anew: the checkpoint or something before it gives it away."""
    luck = random.Random(seed)
    table = luck.choice(TABLES)
    with forging(file) as forger:
        rows = forger.rows(table)
        place = luck.randrange(len(rows))
        while (body := _digits(rows[place]["body"], luck)) is None:
            place = luck.randrange(len(rows))
        rows[place]["body"] = body
        forger.write_anew(table, rows)
    sequence, _ = named(file, table)
    signed = len(rows) // 2 if place < len(rows) // 2 else len(rows)
    assert sequence <= signed
    assert looked_into(file, table).entries < sequence or sequence == signed


def _places(value: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, each in inside:
        yield (*path, name)
        yield from _places(each, (*path, name))


def _nonsense(event: dict[str, Any], luck: random.Random) -> None:
    """Something in what was said is left out, or something else."""
    *way, last = luck.choice(list(_places(event)))
    there: Any = event
    for name in way:
        there = there[name]
    if luck.random() < 0.3:
        del there[last]
    else:
        there[last] = luck.choice([None, 0, -1, 10**6, "x", "", [], {}, True, "ann", "player", "Ac", ["Ac"], "dealer"])


@pytest.mark.parametrize("seed", range(25))
def test_whatever_nonsense_is_written_it_is_told_and_no_error_of_our_own(file: Path, seed: int) -> None:
    luck = random.Random(seed)
    table = luck.choice(TABLES)
    with forging(file) as forger:
        rows = forger.rows(table)
        place = luck.randrange(len(rows))
        event = said(rows[place])
        _nonsense(event, luck)
        say(rows[place], event)
        forger.write_anew(table, rows)
    wrong = looked_into(file, table).wrong
    assert wrong is not None  # by itself, or by the signature that is on it no longer
    assert wrong.why


def test_the_little_house_has_seen_what_these_tests_are_about(file: Path) -> None:
    with forging(file) as forger:
        kinds = {table: [said(row)["event"] for row in forger.rows(table)] for table in TABLES}
    assert all(each.count("round-settled") == 7 and each.count("shoe-ended") == 1 for each in kinds.values())
    assert {"cover-struck", "round-ended"} <= set(kinds[BOOK])
    assert "asked" in kinds["dragon-tiger-mbs"]


def test_a_house_as_it_was_served_is_whole(tmp_path: Path) -> None:
    """The real service, its own dealer at virtual shoes and its own checkpoints; then looked into without it."""
    url = f"sqlite:///{tmp_path}/punto.db"
    people = People(url)
    staff, patron = bearer(people.staff("lee", "pit-manager")), bearer(people.patron("ann"))
    people.close()
    journal = Journal(url)
    quick = {"betting_seconds": 0.2, "pace": 0.0, "checkpoint_every": 5}
    with Service(tmp_path, url, **quick).start() as service, httpx.Client(base_url=service.address) as client:

        def give(who: dict[str, str], table: str, **command: object) -> int:
            return client.post(f"/api/tables/{table}/commands", headers=who, json=command).status_code

        for book in TABLES:
            assert give(staff, book, **opening(book, shoe="virtual")) == 200
            assert give(patron, book, do="sit", patron="ann", box=1) == 200
            assert give(patron, book, do="buy-in", patron="ann", amount=1_000_000) == 200
        for book in TABLES:
            bet = partial(give, patron, book, **_WAGER)
            until(partial(_was_played_at, journal, book, bet), f"rounds at {book}")
        service.stop()
    found = {each.table: each for each in verify(journal, trusted=public_key((tmp_path / "punto.key").read_bytes()))}
    journal.close()
    assert {*TABLES, "house"} == set(found)
    for each in found.values():
        assert each.wrong is None, each.wrong
    assert all(found[book].faces > 8 and found[book].signed > 4 for book in TABLES)


_WAGER: dict[str, object] = {"do": "place", "patron": "ann", "bet": "player", "stake": 1000}


def _was_played_at(journal: Journal, table: str, bet: Callable[[], int]) -> bool:
    """Whether rounds were paid there, one of them with a wager, and signed."""
    bet()
    settled = [entry.body for entry in journal.read(table) if b'"round-settled"' in entry.body]
    return len(settled) > 2 and any(b'"ann"' in body for body in settled) and bool(journal.checkpoints(table))
