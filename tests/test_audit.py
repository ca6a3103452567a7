"""A journal gone through again: a true one is whole, and of a forged one the first wrong entry is named."""

import random
import re
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from audited import HELD, KEY, STORIES, TABLES, TRUSTED, Chain, Place, Step, forging, house, runs_of_luck, told_again
from databases import KINDS, fresh
from punto.audit import CardPositions, Verified, verify, verify_table
from punto.audit.decisions import SENTENCES, follow
from punto.journal import Journal, new_key, public_key, sign
from punto.sealing import hides_faces, new_shoe_key, seal, unseal
from punto.table import ENGINE, EVENTS, decode_event, encode, evolve
from punto.table import commands as c
from punto.table import events as e
from service_process import People, Service, bearer, open_house, opening, signing_key_in, until
from warm_start import warm_starts

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
        assert each.events == each.signed == len(journal.read(name))
        assert each.entries == len(journal.entries(name))
        assert (each.decided, each.not_decided) == (0 if name == "house" else each.entries, {})
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
    monkeypatch.setattr("punto.audit.entries.AT_ONCE", 7)
    assert looked_into(file) == whole
    assert whole.wrong is None


def test_a_running_shoe_is_held_against_the_seed_that_is_kept(file: Path) -> None:
    before = looked_into(file).faces
    with forging(file) as forger:
        chain = forger.chain(BOOK)
        forger.sql("DELETE FROM secrets WHERE name = 'shoe 2'")
    assert looked_into(file).faces < before
    assert looked_into(file).wrong is None
    with forging(file) as forger:
        forger.sql("INSERT INTO secrets VALUES (?, 'shoe 2', ?)", BOOK, bytes(32))
    loaded = chain.find("shoe-loaded", 1)
    assert loaded < chain.find("cards-exposed", -1)
    assert named(file) == (chain.number(loaded), "the seed that is kept for this shoe is not the one committed to")


# What cannot be decided again


def not_decided(file: Path, **change: Any) -> Verified:
    """What is found where every entry was changed so, and every hash made anew."""
    with forging(file) as forger:
        chain = forger.chain(BOOK)
        for at in range(len(chain.entries)):
            chain.change((at, 0), **change)
        forger.write_anew(BOOK, chain)
        forger.unsign(BOOK)
    return looked_into(file)


def test_for_how_many_entries_decisions_were_not_repeated_is_told(file: Path) -> None:
    before = looked_into(file)
    found = not_decided(file, command=None, engine=None)
    assert found.wrong is None
    assert (found.decided, found.not_decided) == (0, {"no-command": before.entries})
    assert (found.rounds, found.faces, found.events) == (before.rounds, before.faces, before.events)


def test_amounts_are_checked_where_decisions_are_not_repeated(file: Path) -> None:
    not_decided(file, engine=ENGINE + 1)
    changed, sequence, told = forged(file, paid_more)
    assert (sequence, told.partition(" is paid")[0]) == (changed, "ann")
    assert looked_into(file).decided > 10


def test_what_another_engine_decided_is_decided_again_as_far_as_this_one_comes_to_the_same(file: Path) -> None:
    """A command that this engine would refuse or decide otherwise is counted, and is no fault of the journal."""
    before = looked_into(file)
    found = not_decided(file, engine=ENGINE + 1)
    assert (found.wrong, found.decided, found.not_decided) == (None, before.decided, {})
    with forging(file) as forger:
        chain = forger.chain(BOOK)
        chain.change((3, 0), command=encode(c.LastHand()))
        forger.write_anew(BOOK, chain)
    found = looked_into(file)
    assert (found.wrong, found.decided, found.not_decided) == (None, before.decided - 1, {"other-engine": 1})


def test_every_sentence_of_an_event_is_the_engine_s_or_somebody_s_own() -> None:
    """Sentences of the engine may read otherwise in another release; what people said themselves may not."""
    own = {e.DisputeRaised, e.DisputeMoved}
    named = {kind for kind in EVENTS.values() if "says" in kind.__struct_fields__}
    assert named == {*SENTENCES, *own}


@pytest.mark.parametrize(("event", "number"), [("announced", 0), ("round-settled", 1), ("asked", 0)])
def test_the_same_in_other_words_is_the_same(file: Path, event: str, number: int) -> None:
    table = "dragon-tiger-mbs" if event == "asked" else BOOK
    with forging(file) as forger:
        chain = forger.chain(table)
        place = chain.find(event, number)
        told = chain.said(place)
        for within in [told.get("question", told), *(line for own in told.get("lines", {}).values() for line in own)]:
            if "says" in within:
                within["says"] = "Said otherwise."
        assert told != chain.said(place)
        chain.say(place, told)
        forger.write_anew(table, chain)
        forger.unsign(table)
    assert looked_into(file, table).wrong is None


# Whatever can happen at a table is decided again the same


def again(step: Step) -> str | None:
    """What is wrong with a step that was written into a journal, read back, and decided again."""
    table, command, made = step
    key = new_shoe_key()
    written = encode(command)
    if hides_faces(command, made):
        written = seal(command, key, "t1", 1)
    read = tuple(decode_event(encode(event)) for event in made)
    told = follow(table, read, unseal(written, "t1", lambda _: key))[1]
    return None if told is None else told.why


def test_every_story_is_decided_again_as_it_went() -> None:
    commands = settled = sealed = 0
    for story in STORIES:
        for step in told_again(story):
            commands += 1
            sealed += hides_faces(*step[1:])
            settled += any(isinstance(event, e.RoundSettled) for event in step[2])
            assert again(step) is None, story
    assert commands > 5000
    assert settled > 100
    assert sealed > 2


FACE = re.compile(rb'"(10|[A2-9TJQK])[cdhs]"')


def test_no_command_is_written_with_a_face_that_its_events_do_not_show() -> None:
    """Whatever is asked for at a table: what stands open in the journal, an event has shown."""
    hidden = 0
    for run in runs_of_luck(100, 100):
        for _, command, made in run:
            shown = set(FACE.findall(b"".join(encode(event) for event in made)))
            if hides_faces(command, made):
                hidden += 1
                assert not FACE.search(seal(command, bytes(32), "t1", 1))
            else:
                assert set(FACE.findall(encode(command))) <= shown, command
    assert hidden


def test_whatever_happens_at_a_table_is_decided_again_and_its_cards_are_followed() -> None:
    commands = 0
    for run in runs_of_luck(150, 100):
        places, cards = CardPositions(), 0
        for step in run:
            commands += 1
            assert again(step) is None
            table, _, made = step
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
    places = CardPositions()
    for event in (e.ShoeLoaded(1, 416), e.BetsOpened(1), *events):
        places.take(event)
    assert (places.felt, places.gone) == (felt, gone)


# A forged journal: the chain


@pytest.mark.parametrize("place", [(0, 0), (1, 0), (20, 0), (-1, 0)])
@pytest.mark.parametrize(
    "field",
    [
        {"events": (b'{"event":"bets-closed"}',)},
        {"command": b'{"do":"close-bets"}'},
        {"who": "x"},
        {"at": "x"},
        {"key": "x"},
        {"engine": ENGINE + 1},
        {"hash": "0" * 64},
        {"before": "f" * 64},
    ],
)
def test_an_altered_entry_is_named(file: Path, place: Place, field: dict[str, Any]) -> None:
    with forging(file) as forger:
        chain = forger.chain(BOOK)
        entry = chain.entries[place[0]]
        events = (*field.get("events", ()), *entry.events[1:])
        chain.change(place, **({**field, "events": events} if "events" in field else field))
        forger.write(BOOK, chain)
    before = "before" in field
    why = "its entry does not follow from the one before it" if before else "its entry is not what was hashed"
    assert named(file) == (entry.first, why)
    assert looked_into(file).events <= entry.first - 1


@pytest.mark.parametrize(
    "column", ["sequence", "at", "who", "key", "body", "before", "hash", "form", "engine", "command"]
)
@pytest.mark.parametrize("value", ["'nonsense'", "-1", "1.5", "x'00ff'", "99"])
def test_an_entry_with_a_value_that_nobody_would_write_is_named(file: Path, column: str, value: str) -> None:
    with forging(file) as forger:
        entry = forger.chain(BOOK).entries[30]
        forger.sql(f'UPDATE entries SET "{column}" = {value} WHERE hash = ?', entry.hash)
    assert named(file)[0] <= entry.sequence + 1


def test_a_removed_entry_is_named(file: Path) -> None:
    with forging(file) as forger:
        chain = forger.chain(BOOK)
        gone, after = chain.entries[20], chain.entries[21]
        del chain.entries[20]
        forger.write(BOOK, chain)
    assert named(file) == (after.first, f"event {gone.first} is missing")


def test_removed_last_entries_are_named(file: Path) -> None:
    with forging(file) as forger:
        chain = forger.chain(BOOK)
        count, gone = len(chain), chain.entries[-3]
        del chain.entries[-3:]
        forger.write(BOOK, chain)
    assert named(file) == (gone.first, f"it is missing: the chain had {count} events")


def test_removed_last_entries_of_a_chain_that_was_signed_are_named(file: Path) -> None:
    with forging(file) as forger:
        chain = forger.chain(BOOK)
        count, gone = len(chain), chain.entries[-3]
        del chain.entries[-3:]
        forger.write_anew(BOOK, chain)
    assert named(file) == (gone.first, f"it is missing: a checkpoint was signed on event {count}")


def test_swapped_entries_are_named(file: Path) -> None:
    with forging(file) as forger:
        chain = forger.chain(BOOK)
        at = next(at for at in range(20, 40) if len(chain.entries[at].events) == len(chain.entries[at + 1].events) == 1)
        one, two = chain.entries[at], chain.entries[at + 1]
        chain.change((at, 0), sequence=two.sequence)
        chain.change((at + 1, 0), sequence=one.sequence)
        forger.write(BOOK, chain)
    assert named(file) == (one.sequence, "its entry does not follow from the one before it")


def test_an_entry_beyond_the_end_is_named(file: Path) -> None:
    with forging(file) as forger:
        chain = forger.chain(BOOK)
        count = len(chain)
        head = forger.sql("SELECT sequence, hash FROM tables WHERE id = ?", BOOK)[0]
        more = (b'{"event":"noticed","says":"x"}',)
        chain.entries.append(msgspec.structs.replace(chain.entries[-1], key="forged", events=more))
        forger.write_anew(BOOK, chain)
        forger.sql("UPDATE tables SET sequence = ?, hash = ? WHERE id = ?", *head, BOOK)
    assert named(file) == (count + 1, "it lies beyond the end of the chain")


def test_an_end_that_the_store_does_not_know_is_named(file: Path) -> None:
    with forging(file) as forger:
        count = len(forger.chain(BOOK))
        forger.sql("UPDATE tables SET hash = ? WHERE id = ?", "0" * 64, BOOK)
    assert named(file) == (count, "its entry is not the one that the chain ended with")


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
        entry = forger.chain(BOOK).entries[30]
        forger.unsign(BOOK)
        point = sign(other, BOOK, entry.sequence, entry.hash)
        forger.sql("INSERT INTO checkpoints VALUES (?, ?, ?, ?, ?)", *msgspec.structs.astuple(point))
    key = public_key(other)
    assert named(file) == (
        entry.sequence,
        f"the checkpoint on it was signed by the key {key}, which is not trusted",
    )
    found = looked_into(file, trusted=None)
    assert (found.wrong, found.signed, found.keys) == (None, entry.sequence, (key,))


def test_a_checkpoint_on_something_else_is_named(file: Path) -> None:
    with forging(file) as forger:
        entry = forger.chain(BOOK).entries[30]
        forger.unsign(BOOK)
        point = sign(KEY, BOOK, entry.sequence, "0" * 64)
        forger.sql("INSERT INTO checkpoints VALUES (?, ?, ?, ?, ?)", *msgspec.structs.astuple(point))
    assert named(file) == (entry.sequence, "its entry is not the one that was signed in a checkpoint")


def test_an_amount_that_only_the_patron_could_contradict_is_found_by_what_was_signed(file: Path) -> None:
    """Somebody bought in for more than is on record: everything follows from that, but for the signature."""
    with forging(file) as forger:
        chain = forger.chain(BOOK)
        place = chain.find("bought-in")
        event = chain.said(place)
        event["amount"] += 500_000
        chain.say(place, event)
        chain.ask(place, amount=event["amount"])
        forger.write_anew(BOOK, chain)
        signed = forger.sql('SELECT min(sequence) FROM checkpoints WHERE "table" = ?', BOOK)[0][0]
    assert named(file) == (signed, "its entry is not the one that was signed in a checkpoint")


# A forged journal whose hashes were all made anew, and whose checkpoints are gone


def forged(file: Path, change: Callable[[Chain], Place], table: str = BOOK) -> tuple[int, int, str]:
    """The event that was changed, the one that is named, and why."""
    with forging(file) as forger:
        chain = forger.chain(table)
        place = change(chain)
        changed = chain.number(place)
        forger.write_anew(table, chain)
        forger.unsign(table)
    return changed, *named(file, table)


def paid_more(chain: Chain) -> Place:
    place = chain.find("round-settled", 2)
    event = chain.said(place)
    event["moves"]["ann"][0] += 100
    chain.say(place, event)
    return place


def another_net(chain: Chain) -> Place:
    place = chain.find("round-settled")
    event = chain.said(place)
    event["lines"]["bob"][0]["net"] += 100
    event["moves"]["bob"][0] += 100
    chain.say(place, event)
    return place


def another_clause(chain: Chain) -> Place:
    place = chain.find("round-settled", 1)
    event = chain.said(place)
    event["lines"]["ann"][0]["basis"] = {"clauses": ["9.9"]}
    chain.say(place, event)
    return place


def a_missing_line(chain: Chain) -> Place:
    place = chain.find("round-settled", 1)
    event = chain.said(place)
    event["lines"]["ann"].pop()
    event["spots"]["ann"].pop()
    chain.say(place, event)
    return place


def another_winner(chain: Chain) -> Place:
    place = chain.find("round-settled", 1)
    event = chain.said(place)
    event["winner"] = "tie" if event["winner"] != "tie" else "player"
    chain.say(place, event)
    return place


def stakes_not_given_back(chain: Chain) -> Place:
    place = chain.find("round-ended")
    event = chain.said(place)
    event["returned"]["bob"] -= 100
    chain.say(place, event)
    return place


def another_face(chain: Chain) -> Place:
    """Said and asked for alike: only the seed of the shoe contradicts it."""
    place = chain.find("cards-exposed", 1)
    event = chain.said(place)
    event["faces"][0] = "Ac" if event["faces"][0] != "Ac" else "Ad"
    chain.say(place, event)
    chain.ask(place, faces=event["faces"])
    return place


def more_than_one_has(chain: Chain) -> Place:
    place = chain.find("cashed-out")
    chain.say(place, {**chain.said(place), "amount": 100_000_000})
    chain.ask(place, amount=100_000_000)
    return place


def no_such_bet(chain: Chain) -> Place:
    place = chain.find("wager-placed", 3)
    chain.say(place, {**chain.said(place), "bet": "no-such-bet"})
    chain.ask(place, bet="no-such-bet")
    return place


def another_bet_than_was_asked_for(chain: Chain) -> Place:
    place = chain.find("wager-placed", 3)
    chain.say(place, {**chain.said(place), "bet": "tie"})
    return place


def another_command(chain: Chain) -> Place:
    place = chain.find("wager-placed", 3)
    chain.ask(place, stake=3000)
    return place


def a_command_that_says_nothing(chain: Chain) -> Place:
    place = chain.find("wager-placed", 3)
    chain.change(place, command=b"\xff nonsense")
    return place


def another_question(chain: Chain) -> Place:
    place = chain.find("asked")
    event = chain.said(place)
    event["question"]["to"] = "dealer"
    chain.say(place, event)
    return place


def a_bet_after_the_call(chain: Chain) -> Place:
    at = chain.find("bets-closed", 1)[0] + 1
    bet = {"patron": "ann", "bet": "player", "stake": 1000, "by": "ann"}
    event = msgspec.json.encode({"event": "wager-placed", "box": 1, **bet})
    command = msgspec.json.encode({"do": "place", **bet})
    made = msgspec.structs.replace(chain.entries[at], key="forged", events=(event,), command=command)
    chain.entries.insert(at, made)
    return at, 0


def a_second_buy_in(chain: Chain) -> Place:
    place = chain.find("bought-in")
    chain.entries.insert(place[0] + 3, chain.entries[place[0]])
    return place[0] + 3, 0


def an_entry_left_out(chain: Chain) -> Place:
    place = chain.find("wager-placed", 1)
    del chain.entries[place[0]]
    return place


def an_event_left_out(chain: Chain) -> Place:
    at = next(at for at, each in enumerate(chain.entries) if at > 20 and len(each.events) > 2)
    events = chain.entries[at].events
    chain.change((at, 0), events=(*events[:1], *events[2:]))
    return at, 1


def an_event_too_many(chain: Chain) -> Place:
    place = chain.find("bets-opened", 1)
    chain.change(place, events=(*chain.entries[place[0]].events, b'{"event":"noticed","says":"x"}'))
    return place[0], 1


def swapped(chain: Chain) -> Place:
    at = chain.find("bets-opened", 1)[0]
    chain.entries[at], chain.entries[at + 1] = chain.entries[at + 1], chain.entries[at]
    return at, 0


def a_cover_over_its_cap(chain: Chain) -> Place:
    place = chain.find("cover-struck")
    event = chain.said(place)
    event["stake"] *= 10
    chain.say(place, event)
    chain.ask(place, stake=event["stake"])
    return place


def another_seed(chain: Chain) -> Place:
    place = chain.find("shoe-ended")
    chain.say(place, {**chain.said(place), "seed": "ff" * 32})
    chain.ask(place, seed="ff" * 32)
    return place


def no_seed(chain: Chain) -> Place:
    place = chain.find("shoe-ended")
    chain.say(place, {"event": "shoe-ended", "seed": "nonsense"})
    chain.ask(place, seed="nonsense")
    return place


def nonsense(chain: Chain) -> Place:
    chain.put((20, 0), b"\xff\xfe nonsense")
    return 20, 0


def no_such_event(chain: Chain) -> Place:
    chain.put((20, 0), b'{"event":"miracle"}')
    return 20, 0


def another_book(chain: Chain) -> Place:
    event = chain.said((0, 0))
    event["setup"]["digest"] = "0" * 64
    chain.say((0, 0), event)
    chain.ask((0, 0), book="0" * 64)
    return 0, 0


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
        (another_bet_than_was_asked_for, 'decided again it says otherwise: bet is "tie"'),
        (another_command, "decided again it says otherwise: stake is"),
        (a_command_that_says_nothing, "its command cannot be decided again: This is no command"),
        (a_bet_after_the_call, "the table does not allow it: Bets are closed"),
        (a_second_buy_in, "its command had been carried out before"),
        (a_cover_over_its_cap, "the table does not allow it: At most"),
        (an_event_too_many, "it does not follow from what was asked"),
        (another_seed, "The commitment does not match"),
        (no_seed, "'nonsense' is not a seed"),
        (nonsense, "it is no event"),
        (no_such_event, "it is no event"),
        (another_book, "the table does not allow it: There is no book"),
    ],
)
def test_what_was_forged_from_first_to_last_is_named_all_the_same(
    file: Path, change: Callable[[Chain], Place], why: str
) -> None:
    changed, sequence, told = forged(file, change)
    assert sequence == changed, told
    assert told.startswith(why), told


@pytest.mark.parametrize("change", [an_entry_left_out, an_event_left_out])
def test_what_was_left_out_is_named_where_it_is_missed(file: Path, change: Callable[[Chain], Place]) -> None:
    changed, sequence, told = forged(file, change)
    assert changed <= sequence
    assert told


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
        chain = forger.chain("house")
        chain.put((1, 0), chain.entries[1].events[0].replace(b'"service"', b'"nobody"'))
        forger.write_anew("house", chain)
        forger.unsign("house")
    assert named(file, "house") == (2, "it names another time or person than its entry")
    with forging(file) as forger:
        chain.put((1, 0), b"nonsense")
        forger.write_anew("house", chain)
    assert named(file, "house")[0] == 2


def _digits(body: bytes, luck: random.Random) -> bytes | None:
    """The same with one digit changed."""
    places = [at for at, each in enumerate(body) if each in b"0123456789"]
    if not places:
        return None
    at = luck.choice(places)
    return body[:at] + str((int(body[at : at + 1]) + luck.randint(1, 9)) % 10).encode() + body[at + 1 :]


@pytest.mark.parametrize("what", ["event", "command"])
@pytest.mark.parametrize("seed", range(12))
def test_no_digit_can_be_changed_under_a_checkpoint(file: Path, seed: int, what: str) -> None:
    """Whatever is changed, and even if every hash is made anew: the checkpoint or something before it gives it away."""
    luck = random.Random(seed)
    table = luck.choice(TABLES)
    with forging(file) as forger:
        chain = forger.chain(table)
        body = None
        while body is None:
            place = luck.choice(chain.places())
            entry = chain.entries[place[0]]
            body = _digits(entry.events[place[1]] if what == "event" else entry.command or b"", luck)
        if what == "event":
            chain.put(place, body)
        else:
            chain.change(place, command=body)
        forger.write_anew(table, chain)
        points = forger.sql('SELECT sequence FROM checkpoints WHERE "table" = ? ORDER BY sequence', table)
    sequence, _ = named(file, table)
    assert sequence <= next(signed for (signed,) in points if signed >= entry.sequence)


def _places(value: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, each in inside:
        yield (*path, name)
        yield from _places(each, (*path, name))


def _nonsense(said: dict[str, Any], luck: random.Random) -> None:
    """Something in what was said is left out, or something else."""
    *way, last = luck.choice(list(_places(said)))
    there: Any = said
    for name in way:
        there = there[name]
    if luck.random() < 0.3:
        del there[last]
    else:
        there[last] = luck.choice([None, 0, -1, 10**6, "x", "", [], {}, True, "ann", "player", "Ac", ["Ac"], "dealer"])


@pytest.mark.parametrize("what", ["event", "command"])
@pytest.mark.parametrize("seed", range(25))
def test_whatever_nonsense_is_written_it_is_told_and_no_error_of_our_own(file: Path, seed: int, what: str) -> None:
    luck = random.Random(seed)
    table = luck.choice(TABLES)
    with forging(file) as forger:
        chain = forger.chain(table)
        place = luck.choice(chain.places())
        said = chain.said(place) if what == "event" else chain.asked(place)
        _nonsense(said, luck)
        if what == "event":
            chain.say(place, said)
        else:
            chain.change(place, command=msgspec.json.encode(said))
        forger.write_anew(table, chain)
    wrong = looked_into(file, table).wrong
    assert wrong is not None  # by itself, or by the signature that is on it no longer
    assert wrong.why


def test_the_little_house_has_seen_what_these_tests_are_about(file: Path) -> None:
    with forging(file) as forger:
        chains = {table: forger.chain(table) for table in TABLES}
    kinds = {table: [chain.said(place)["event"] for place in chain.places()] for table, chain in chains.items()}
    assert all(each.count("round-settled") == 7 and each.count("shoe-ended") == 1 for each in kinds.values())
    assert {"cover-struck", "round-ended"} <= set(kinds[BOOK])
    assert "asked" in kinds["dragon-tiger-mbs"]


def test_a_house_as_it_was_served_is_whole(tmp_path: Path) -> None:
    """The real service, its own dealer at virtual shoes and its own checkpoints; then looked into without it."""
    url = f"sqlite:///{tmp_path}/punto.db"
    people = People(url)
    staff, patron = bearer(people.staff("lee", "pit-manager")), bearer(people.patron("ann"))
    people.close()
    journal = open_house(url)
    quick = {"betting_seconds": 0.2, "pace": 0.0, "checkpoint_every": 5}
    with (
        Service(tmp_path, url, warm_starts(), **quick).start() as service,
        httpx.Client(base_url=service.address, timeout=600) as client,
    ):

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
    found = {each.table: each for each in verify(journal, trusted=public_key(signing_key_in(tmp_path)))}
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
