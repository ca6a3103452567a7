"""Words of patrons in a virtual shoe: neither the house nor a friend of it chooses the cards."""

import asyncio
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from punto.audit import events_of, verify, verify_shoe
from punto.audit.commitments import promises
from punto.coup import show
from punto.journal import Journal
from punto.rulebook import Refused
from punto.service.accounts.account import Account, HeldPost
from punto.service.accounts.at_table import given_by
from punto.service.accounts.tokens import Denied
from punto.service.runtime.timing import PACE
from punto.shoe import VERSION, WITH_WORDS, BadShoe, check_dealt, commit, commit_word, shuffle, with_words
from punto.table import Table, act, commands, events
from service_room import LIMITS, Room, quick
from whole_app import app

from console import DOCS

HOUSE_SEED = bytes(range(32))
WORDS = {"ann": b"\x11" * 32, "bob": b"\x22" * 32, "eve": b"\x33" * 32}
CONTEXT = "table 7, shoe 1"
PROMISED = commit(HOUSE_SEED, 8, CONTEXT, WITH_WORDS)


def hmac_by_hand(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA256 as RFC 2104 writes it."""
    block = key.ljust(64, b"\0")
    inner = sha256(bytes(each ^ 0x36 for each in block) + message).digest()
    return sha256(bytes(each ^ 0x5C for each in block) + inner).digest()


def test_the_example_on_the_page_comes_out_by_hand() -> None:
    page = (DOCS / "shoe.md").read_text(encoding="utf-8")
    promised = hmac_by_hand(HOUSE_SEED, b"punto-shoe-2 commit\x00\x08table 7, shoe 1")
    hashes = [hmac_by_hand(WORDS[who], b"punto-shoe-2 word\x00" + promised + who.encode()) for who in ("ann", "bob")]
    made = hmac_by_hand(HOUSE_SEED, b"punto-shoe-2 seed\x00\x08\x02" + WORDS["ann"] + WORDS["bob"])
    alone = hmac_by_hand(HOUSE_SEED, b"punto-shoe-2 seed\x00\x08\x00")
    for each in (HOUSE_SEED, promised, *hashes, made, alone, WORDS["ann"], WORDS["bob"]):
        assert f" {each.hex()}\n" in page
    assert f"first 8       {show(shuffle(made, 8)[:8])}\n" in page
    assert commit(HOUSE_SEED, 8, CONTEXT, WITH_WORDS) == promised.hex()
    assert [commit_word(WORDS[who], promised.hex(), who) for who in ("ann", "bob")] == [each.hex() for each in hashes]
    assert with_words(HOUSE_SEED, 8, [WORDS["ann"], WORDS["bob"]]) == made


def test_every_word_and_their_order_make_another_shoe() -> None:
    ann, bob = WORDS["ann"], WORDS["bob"]
    made = {with_words(HOUSE_SEED, 8, words) for words in ([], [ann], [bob], [ann, bob], [bob, ann])}
    assert len(made | {HOUSE_SEED}) == 6
    assert commit(HOUSE_SEED, 8, CONTEXT, VERSION) != PROMISED
    with pytest.raises(BadShoe, match="at most 255 words"):
        with_words(HOUSE_SEED, 8, [b"short"])
    with pytest.raises(BadShoe, match="A word has 32 bytes"):
        commit_word(b"short", PROMISED, "ann")
    with pytest.raises(BadShoe, match="does not match"):
        check_dealt(PROMISED, HOUSE_SEED.hex(), 8, CONTEXT, [])


def shoe_verify(*words: str) -> str:
    """What `punto shoe verify` prints, or the sentence with which it refuses."""
    done = CliRunner().invoke(app, ["shoe", "verify", *words])
    return str(done.exception) if done.exception is not None else done.stdout


def test_both_schemes_on_the_command_line() -> None:
    words = ["--word", WORDS["ann"].hex(), "--word", WORDS["bob"].hex()]
    given = ["--seed", HOUSE_SEED.hex(), "--context", CONTEXT]
    promised = ["--commitment", PROMISED]
    assert "and of 2 words." in shoe_verify(*given, *promised, *words, "Kh", "3d", "?")
    assert "of the shoe is" in shoe_verify(*given, *promised, *words[:2], "Kh", "3d", "4h")
    assert "those of its seed." in shoe_verify(*given, *promised, "--scheme", "2", "7s")
    assert "does not match" in shoe_verify(*given, *promised, "7s")
    assert "no words" in shoe_verify(*given, *promised, *words, "--scheme", "1")
    first = ["--commitment", commit(HOUSE_SEED, 8, CONTEXT)]
    assert "those of its seed." in shoe_verify(*given, *first, "3h", "Ad")


# At a table


def seated(*names: str) -> Table:
    opened = commands.OpenTable("wu-song", "2026-11-15T08:00:00+08:00", 8, limits=LIMITS, shoe="virtual")
    table, _ = act(None, opened)
    for box, name in enumerate(names, start=1):
        table, _ = act(table, commands.Sit(name, box, by=name))
    return table


def told(table: Table, *given: commands.Command) -> Table:
    for each in given:
        table, _ = act(table, each)
    return table


def refused(table: Table, command: commands.Command) -> str:
    with pytest.raises(Refused) as error:
        act(table, command)
    return str(error.value)


def hashed(who: str, promised: str = PROMISED, word: bytes | None = None) -> commands.CommitWord:
    return commands.CommitWord(who, commit_word(word or WORDS[who], promised, who), by=who)


def revealed(who: str, word: bytes | None = None) -> commands.RevealWord:
    return commands.RevealWord(who, (word or WORDS[who]).hex(), by=who)


INVITED, CALLED, LOADED = commands.InviteWords(PROMISED), commands.CallWords(), commands.LoadShoe(PROMISED)


def test_words_are_shuffled_in_in_the_order_of_their_hashes() -> None:
    table = told(seated("ann", "bob"), INVITED, hashed("bob"), hashed("ann"), CALLED, revealed("ann"), revealed("bob"))
    table, [loaded] = act(table, LOADED)
    assert isinstance(loaded, events.ShoeLoaded)
    assert loaded.words == (("bob", WORDS["bob"].hex()), ("ann", WORDS["ann"].hex()))
    assert table.words is None
    assert table.shoe is not None
    assert table.shoe.words == loaded.words


def test_who_gives_no_word_waits_for_nobody() -> None:
    _, [loaded] = act(told(seated("ann", "bob"), INVITED), LOADED)
    assert isinstance(loaded, events.ShoeLoaded)
    assert loaded.words == ()
    _, [loaded] = act(seated("ann"), LOADED)
    assert isinstance(loaded, events.ShoeLoaded)
    assert loaded.words is None


def test_hashes_before_words_and_everybody_for_themself() -> None:
    table = told(seated("ann", "bob", "eve"), commands.Stand("eve", by="eve"))
    assert "No words are asked for" in refused(table, hashed("ann"))
    assert "commitment" in refused(table, commands.InviteWords("short"))
    assert "not for ann" in refused(table, commands.InviteWords(PROMISED, by="ann"))
    table = told(table, INVITED)
    assert "have been asked for" in refused(table, INVITED)
    assert "no words to come out" in refused(table, CALLED)
    assert "sit at the table" in refused(table, hashed("eve"))
    for by in ("bob", "dealer", "pit-manager"):
        assert "cannot act for" in refused(table, msgspec.structs.replace(hashed("ann"), by=by))
    assert "64 hexadecimal" in refused(table, commands.CommitWord("ann", "XY" * 32, by="ann"))
    assert "when all hashes are in" in refused(table, revealed("ann"))
    table = told(table, hashed("ann"))
    assert "One word" in refused(table, hashed("ann", word=WORDS["bob"]))
    assert "not out" in refused(table, LOADED)
    table = told(table, CALLED)
    assert "too late" in refused(table, hashed("bob"))
    assert "not the word" in refused(table, revealed("ann", WORDS["bob"]))
    assert "64 hexadecimal" in refused(table, commands.RevealWord("ann", "11", by="ann"))
    assert "No word of bob" in refused(table, revealed("bob"))
    assert "cannot act for" in refused(table, msgspec.structs.replace(revealed("ann"), by="dealer"))
    assert "not out" in refused(table, LOADED)
    table = told(table, revealed("ann"))
    assert "No word of ann" in refused(table, revealed("ann"))
    other = commit(bytes(32), 8, CONTEXT, WITH_WORDS)
    assert "that words were given to" in refused(table, commands.LoadShoe(other))
    table = told(table, LOADED)
    assert "in use already" in refused(table, INVITED)


@pytest.mark.parametrize("rank", ["dealer", "pit-manager", "casino-shift-manager"])
def test_nobody_of_the_staff_hurries_the_words(rank: str) -> None:
    """They would shut out whoever is slower than the house's friend, who then alone has a say in the cards."""
    staff = Account("lee", "staff", posts={"*": HeldPost(rank)}, person="lee")
    empty, asked = seated(), told(seated("ann"), INVITED)
    assert given_by(staff, LOADED, empty, "t")
    for table in (seated("ann"), asked, told(asked, hashed("ann")), told(asked, hashed("ann"), CALLED)):
        for command in (INVITED, CALLED, LOADED):
            with pytest.raises(Denied, match="shuffles"):
                given_by(staff, command, table, "t")


def test_a_copied_hash_is_of_no_use() -> None:
    """Eve gives Ann's hash as her own, and Ann's word when it is out: it is bound to Ann."""
    table = told(seated("ann", "eve"), INVITED, hashed("ann"))
    copied = commands.CommitWord("eve", commit_word(WORDS["ann"], PROMISED, "ann"), by="eve")
    table = told(table, copied, CALLED, revealed("ann"))
    assert "not the word" in refused(table, revealed("eve", WORDS["ann"]))


def test_whoever_keeps_a_word_back_is_left_out_and_all_other_words_are_new() -> None:
    """Eve knows the house's seed. She reveals last, and would have chosen between two shoes that she could compute."""
    table = told(seated("ann", "eve"), INVITED, hashed("ann"), hashed("eve"), CALLED, revealed("ann"))
    assert "not out" in refused(table, LOADED)
    table, [again] = act(table, INVITED)
    assert isinstance(again, events.WordsInvited)
    assert again.left_out == ("eve",)
    assert table.words is not None
    assert table.words.committed == {}
    assert "kept a word back" in refused(table, hashed("eve"))
    new = b"\x44" * 32
    table = told(table, hashed("ann", word=new), CALLED, revealed("ann", new))
    table, [loaded] = act(table, LOADED)
    assert isinstance(loaded, events.ShoeLoaded)
    assert loaded.words == (("ann", new.hex()),)


def test_a_shoe_that_is_no_virtual_one_takes_no_words() -> None:
    opened = commands.OpenTable("wu-song", "2026-11-15T08:00:00+08:00", 8, limits=LIMITS)
    assert "virtual shoes" in refused(act(None, opened)[0], INVITED)


# At a table of the service, with its dealer


async def _second_shoe(room: Room) -> str:
    """Ann and Eve sit down, the first shoe is ended; what the house commits to for the second."""
    await room.open("t", "wu-song")
    await room.until("t", lambda table: table.shoes == 1)
    for box, who in enumerate(("ann", "eve"), start=1):
        await room.do("t", commands.Sit(who, box, by=who))
    while (await room.floor.table("t")).shoes == 1 and (await room.floor.table("t")).words is None:
        try:
            await room.do("t", commands.EndShoe(by="pit-manager"))
        except Refused:
            await room.until("t", lambda table: table.running is None)
    table = await room.until("t", lambda table: table.words is not None)
    assert table.words is not None
    return table.words.commitment


def test_the_dealer_asks_for_words_and_shuffles_them_in_also_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path}/room.db"
    given = quick(url, tmp_path)
    monkeypatch.setitem(PACE, "word", 1e6)

    async def story() -> None:
        async with Room(given) as room:
            promised = await _second_shoe(room)
            await room.do("t", hashed("ann", promised), hashed("eve", promised), CALLED, revealed("eve"))
        async with Room(given) as room:
            await room.do("t", revealed("ann"))
            table = await room.until("t", lambda table: table.shoe is not None and table.shoe.rounds > 1)
            assert table.shoes == 2
        async with Room(given) as room:  # and the shoe is the same one after a restart
            await room.until("t", lambda table: table.shoe is not None and table.shoe.rounds > 3)
            await _end(room)

    asyncio.run(story())
    journal = Journal(url)
    [chain] = verify(journal)
    assert chain.wrong is None
    assert chain.faces > 12
    found = verify_shoe("t", 2, events_of(journal, "t"))
    assert (found.commitment != "", found.words) == (True, ("ann", "eve"))
    assert verify_shoe("t", 1, events_of(journal, "t")).words is None
    journal.close()
    said = shoe_verify("--database", url, "--table", "t", "--shoe", "2")
    assert said.endswith("are those of its seed and of the words of ann, eve.\n")


async def _end(room: Room) -> None:
    while len(await room.happened("t", events.ShoeEnded)) < 2:
        try:
            await room.do("t", commands.EndShoe(by="pit-manager"))
        except Refused:
            await room.until("t", lambda table: table.running is None)


def test_the_dealer_waits_for_no_word_longer_than_the_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PACE, "word", 1e6)

    async def story() -> list[events.WordsInvited]:
        async with Room(quick(f"sqlite:///{tmp_path}/room.db", tmp_path)) as room:
            promised = await _second_shoe(room)
            await room.do("t", hashed("ann", promised), hashed("eve", promised))
            monkeypatch.setitem(PACE, "word", 0.0)
            await room.do("t", CALLED)
            await room.until("t", lambda table: table.shoes == 2)
            loaded = await room.happened("t", events.ShoeLoaded)
            assert loaded[-1].words == ()
            return await room.happened("t", events.WordsInvited)

    first, second = asyncio.run(story())
    assert (first.left_out, second.left_out) == ((), ("ann", "eve"))


def test_another_word_is_another_shoe() -> None:
    table = told(seated("ann"), INVITED, hashed("ann"), CALLED, revealed("ann"))
    _, [loaded] = act(table, LOADED)
    assert isinstance(loaded, events.ShoeLoaded)
    setup = events.TableOpened(table.setup, "2026-11-15T08:00:00+08:00")
    exchanged = msgspec.structs.replace(loaded, words=(("ann", WORDS["bob"].hex()),))
    made = []
    for each in (loaded, exchanged):
        found = promises("table 7", [setup, each, events.ShoeEnded(HOUSE_SEED.hex())])[1]
        made.append(found.cards())
    assert made[0] == shuffle(with_words(HOUSE_SEED, 8, [WORDS["ann"]]), 8)
    assert made[1] != made[0]
