"""Stories of recorded shoes: what is written down is read back, and what is wrong is told by its line."""

import pickle
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.coup import PAIRS, SUITS, Card, cards
from punto.history import (
    BadHistory,
    Field,
    History,
    Limit,
    LineFault,
    RecordedCover,
    RecordedEvent,
    RecordedResult,
    RecordedRound,
    RecordedShoe,
    RecordedWager,
    dump,
    load,
    read,
    write,
)

DOCS = Path(__file__).parent.parent / "docs" / "history.md"

EVENING = """\
punto history 1
rulebook commission-insurance
layout A
decks 8
limit maximum 10000
_casino Example Casino
_table 7

round 1
cards 6h 2c Kd As 5h
wager player 100 = -100 by Ann Smith
wager tie 10 = -10
cover four-cards player 20 on 1 = 60
event cut-card after 3
_dealer Lee

round 2
cards 9 K 9 Q
free

round 4
result banker pairs both natural
wager banker 12.50

shoe
rulebook commission

round 1
void
event misdeal after 2: the third card fell: onto the floor
"""

THE_EVENING = History(
    (
        RecordedShoe(
            "commission-insurance",
            layout="A",
            decks=8,
            limits=(Limit("maximum", 10_000_00),),
            fields=(Field("casino", "Example Casino"), Field("table", "7")),
            rounds=(
                RecordedRound(
                    1,
                    cards=cards("6h 2c Kd As 5h"),
                    wagers=(RecordedWager("player", 100_00, -100_00, "Ann Smith"), RecordedWager("tie", 10_00, -10_00)),
                    covers=(RecordedCover("four-cards", "player", 20_00, on=1, net=60_00),),
                    events=(RecordedEvent("cut-card", after=3),),
                    fields=(Field("dealer", "Lee"),),
                ),
                RecordedRound(2, cards=cards("9 K 9 Q"), free=True),
                RecordedRound(
                    4, result=RecordedResult("banker", "both", natural=True), wagers=(RecordedWager("banker", 12_50),)
                ),
            ),
        ),
        RecordedShoe(
            "commission",
            rounds=(
                RecordedRound(
                    1, void=True, events=(RecordedEvent("misdeal", "the third card fell: onto the floor", after=2),)
                ),
            ),
        ),
    )
)


def file(*lines: str) -> str:
    return "\n".join(("punto history 1", *lines)) + "\n"


def faults_of(text: str) -> tuple[LineFault, ...]:
    with pytest.raises(BadHistory) as refused:
        load(text)
    return refused.value.faults


def one_round(**what: object) -> History:
    return History((RecordedShoe("commission", rounds=(RecordedRound(1, **what),)),))  # type: ignore[arg-type] # any fields


# What is written down is read back.


def test_an_evening_is_read() -> None:
    assert load(EVENING) == THE_EVENING


def test_an_evening_is_written() -> None:
    assert dump(THE_EVENING) == EVENING


def test_the_example_of_the_reference_is_canonical() -> None:
    found = re.search(r"```text\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    assert dump(load(found.group(1))) == found.group(1)


def test_a_cover_finds_its_wager() -> None:
    first = load(EVENING).shoes[0].rounds[0]
    assert first.insured(first.covers[0]) == RecordedWager("player", 100_00, -100_00, "Ann Smith")


def test_a_shoe_without_rounds_is_a_shoe() -> None:
    assert load(file("rulebook commission")) == History((RecordedShoe("commission"),))


def test_the_first_shoe_may_be_announced_too() -> None:
    assert load(file("shoe", "rulebook a", "shoe", "rulebook b")) == History((RecordedShoe("a"), RecordedShoe("b")))


def test_every_shoe_counts_its_rounds_anew() -> None:
    text = file("rulebook a", "round 7", "void", "shoe", "rulebook a", "round 1", "void")
    assert [shoe.rounds[0].number for shoe in load(text).shoes] == [7, 1]


def test_a_messy_sheet_is_read_and_written_cleanly() -> None:
    messy = (
        "\ufeffpunto   history\t1\r\n# the pit sheet\r\n\r\n\tdecks 08\rlimit  minimum 10.00  \n"
        "_note  two  spaces stay \n rulebook\tcommission\n round 1\n   # all in one\n"
        "_dealer Lee\n_\u540d\u524d \u5f20\u4e09\n_empty\ncover four-cards  player 0.5 on 1\n"
        "event dispute   :  she said: 5\nevent burn after 0:\n"
        "wager a 7.5 =  +0.50 by  Ann by Lee\ncards 10H k\t9d Q"
    )
    assert dump(load(messy)) == file(
        "rulebook commission",
        "decks 8",
        "limit minimum 10",
        "_note two  spaces stay",
        "",
        "round 1",
        "cards Th K 9d Q",
        "wager a 7.50 = 0.50 by Ann by Lee",
        "cover four-cards player 0.50 on 1",
        "event dispute: she said: 5",
        "event burn after 0",
        "_dealer Lee",
        "_\u540d\u524d \u5f20\u4e09",
        "_empty",
    )


def test_a_hash_inside_a_line_is_no_comment() -> None:
    assert load(file("rulebook a", "_table #7")).shoes[0].fields == (Field("table", "#7"),)


def test_words_of_the_format_may_be_names() -> None:
    history = one_round(
        void=True,
        wagers=(RecordedWager("by", 1, patron="by by on"), RecordedWager("on", 1, patron="after: 5")),
        covers=(RecordedCover("on", "player", 1, 2, patron="on 2 by"),),
        events=(
            RecordedEvent("after", after=3),
            RecordedEvent("after", "after 3"),
            RecordedEvent("after", "after 3", after=3),
        ),
    )
    assert load(dump(history)) == history


def test_an_absent_pair_means_no_pair() -> None:
    text = file("rulebook a", "round 1", "result tie pairs none")
    assert load(text).shoes[0].rounds[0].result == RecordedResult("tie")
    assert "result tie\n" in dump(load(text))


@pytest.mark.parametrize(
    ("net", "minor", "canonical"),
    [
        ("100", 10000, "100"),
        ("0.5", 50, "0.50"),
        ("12.50", 1250, "12.50"),
        ("12.500", 1250, "12.50"),
        ("-0.05", -5, "-0.05"),
        ("-7.00", -700, "-7"),
        ("+3", 300, "3"),
        ("-0", 0, "0"),
        ("999999999999999.99", 10**17 - 1, "999999999999999.99"),
    ],
)
def test_amounts_are_exact(net: str, minor: int, canonical: str) -> None:
    history = load(file("rulebook a", "round 1", "void", f"wager b 1 = {net}"))
    assert history.shoes[0].rounds[0].wagers == (RecordedWager("b", 100, minor),)
    assert dump(history).endswith(f"wager b 1 = {canonical}\n")


def test_a_file_holds_the_text(tmp_path: Path) -> None:
    path = tmp_path / "evening.txt"
    write(path, THE_EVENING)
    assert path.read_bytes() == EVENING.encode()
    assert read(str(path)) == THE_EVENING


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_a_file_of_other_bytes_is_told_by_its_line(tmp_path: Path, end: bytes) -> None:
    path = tmp_path / "evening.txt"
    path.write_bytes(end.join([b"punto history 1", b"rulebook a", b"_name Andr\xe9", b""]))
    with pytest.raises(BadHistory, match=r"^line 3: This line is not UTF-8 text\.$"):
        read(path)


# What is wrong is told by its line.

ROUND = ("rulebook a", "round 1")

FAULTS = [
    # the first line
    ("", 1, "The first line must be 'punto history 1'; no other version"),
    ("rulebook a\n", 1, "The first line must be"),
    ("# sheet\npunto history 1\n", 1, "The first line must be"),
    ("punto history\n", 1, "The first line must be"),
    ("punto history 2\nwhatever\n", 1, "no other version is read here."),
    # kinds of line, and where they stand
    (file("rulebook a", "wagr player 10"), 3, "'wagr' starts no line"),
    (file("rulebook a", "Decks 8"), 3, "'Decks' starts no line"),
    (file("rulebook a", "_ value"), 3, "A field needs a name"),
    (file("rulebook a", "_name a\x00b"), 3, "The character '\\x00' cannot stand in a line."),
    (file("rulebook a", "_name a\u2028b"), 3, "The character '\\u2028' cannot stand in a line."),
    (file("rulebook a", "_name a\ud800b"), 3, "The character '\\ud800' cannot stand in a line."),
    (file("rulebook a", "free"), 3, "A line 'free' belongs to a round"),
    (file(*ROUND, "void", "decks 8"), 5, "A line 'decks' belongs to the head of a shoe"),
    # the head
    (file(), 1, "names no rulebook"),
    (file("decks 8"), 1, "names no rulebook"),
    (file("rulebook a", "shoe", "decks 8"), 3, "names no rulebook"),
    (file("rulebook a", "shoe 2", "rulebook a"), 3, "A line 'shoe' reads: shoe"),
    (file("rulebook a", "rulebook b"), 3, "The line 'rulebook' stands a second time in this head of a shoe."),
    (file("rulebook a", "decks 8", "decks 8"), 4, "The line 'decks' stands a second time"),
    (file("rulebook a b"), 2, "A line 'rulebook' reads: rulebook NAME"),
    (file("rulebook"), 2, "A line 'rulebook' reads: rulebook NAME"),
    (file("rulebook a_b"), 2, "'a_b' is not a name"),
    (file("rulebook a\u00a0b"), 2, "is not a name"),
    (file("rulebook a", "layout \u00c4"), 3, "'\u00c4' is not a name"),
    (file("rulebook a", "decks 0"), 3, "0 is too low: this number starts at 1."),
    (file("rulebook a", "decks eight"), 3, "'eight' is not a whole number"),
    (file("rulebook a", "decks \u0668"), 3, "is not a whole number"),
    (file("rulebook a", "decks 1234567890"), 3, "is not a whole number of at most nine digits."),
    (file("rulebook a", "limit maximum"), 3, "A line 'limit' reads: limit NAME AMOUNT"),
    (file("rulebook a", "limit maximum -1"), 3, "'-1' is negative"),
    (file("rulebook a", "limit top 1", "limit top 2"), 4, "The limit 'top' stands a second time"),
    # the round
    (file("rulebook a", "round", "void"), 3, "A line 'round' reads: round NUMBER"),
    (file("rulebook a", "round 0", "void"), 3, "0 is too low"),
    (file("rulebook a", "round -1", "void"), 3, "'-1' is not a whole number"),
    (file(*ROUND, "void", "round 1", "void"), 5, "Round 1 comes after round 1: numbers rise within a shoe."),
    (file(*ROUND), 3, "This round has no outcome"),
    (file(*ROUND, "cards"), 4, "A line 'cards' reads: cards CARD CARD ..."),
    (file(*ROUND, "cards 6h 1x 5c"), 4, "'1x' is not a card"),
    (file(*ROUND, "cards 6h", "cards 6h"), 5, "The line 'cards' stands a second time in this round."),
    (file(*ROUND, "result banker", "cards 6h"), 4, "This round has cards, so its result follows from them"),
    (file(*ROUND, "result banker", "void"), 4, "This round is void, so it has no result."),
    (file(*ROUND, "result bank"), 4, "'bank' is none of player, banker, tie."),
    (file(*ROUND, "result tie pairs two"), 4, "'two' is none of none, player, banker, both, twin."),
    (file(*ROUND, "result tie natural pairs both"), 4, "A line 'result' reads"),
    (file(*ROUND, "void really"), 4, "A line 'void' reads: void"),
    (file(*ROUND, "void", "free", "wager a 1"), 6, "This round is a free hand, so it has no wager."),
    # the wagers
    (file(*ROUND, "void", "wager a"), 5, "A line 'wager' reads: wager BET STAKE [= NET] [by PATRON]"),
    (file(*ROUND, "void", "wager a 1 by"), 5, "A line 'wager' reads"),
    (file(*ROUND, "void", "wager a 1 ="), 5, "A line 'wager' reads"),
    (file(*ROUND, "void", "wager a 0"), 5, "'0' is not a stake: a stake is more than 0."),
    (file(*ROUND, "void", "wager a -5"), 5, "'-5' is negative"),
    (file(*ROUND, "void", "wager a +5"), 5, "'+5' is not an amount"),
    (file(*ROUND, "void", "wager a 1.005"), 5, "'1.005' is finer than the minor unit, 0.01."),
    (file(*ROUND, "void", "wager a 1,000"), 5, "'1,000' is not an amount"),
    (file(*ROUND, "void", "wager a 1e3"), 5, "'1e3' is not an amount"),
    (file(*ROUND, "void", "wager a NaN"), 5, "'NaN' is not an amount"),
    (file(*ROUND, "void", "wager a \u0661"), 5, "is not an amount"),
    (file(*ROUND, "void", f"wager a {'9' * 16}"), 5, "is too much"),
    (file(*ROUND, "void", f"wager a {'9' * 5000}"), 5, "is too much"),
    (file(*ROUND, "void", "wager a 1 = lost"), 5, "'lost' is not an amount"),
    (file(*ROUND, "void", "wager a 1 = -lost"), 5, "'-lost' is not an amount"),
    (file(*ROUND, "void", "wager a 1 = --1"), 5, "'--1' is not an amount"),
    (file(*ROUND, "void", "wager a 1 = -"), 5, "'-' is not an amount"),
    (file(*ROUND, "void", "wager a 1 = -0.005"), 5, "is finer than the minor unit"),
    (file(*ROUND, "void", "wager a 1 by Ann = -1"), 5, "the name comes last"),
    # the covers and events
    (file(*ROUND, "void", "cover s player 1"), 5, "A line 'cover' reads"),
    (file(*ROUND, "void", "cover s tie 1 on 1", "wager a 1"), 5, "'tie' is none of player, banker."),
    (file(*ROUND, "void", "cover s player 0 on 1", "wager a 1"), 5, "'0' is not a stake"),
    (file(*ROUND, "void", "cover s player 1 on 0", "wager a 1"), 5, "0 is too low"),
    (file(*ROUND, "void", "cover s player 1 on 1"), 5, "no wager 1 to cover: this round has no wager."),
    (file(*ROUND, "void", "cover s player 1 on 2", "wager a 1"), 5, "this round has 1 wager."),
    (file(*ROUND, "void", "event"), 5, "A line 'event' reads: event KIND [after CARDS] [: TEXT]"),
    (file(*ROUND, "void", "event cut-card 3"), 5, "A line 'event' reads"),
    (file(*ROUND, "void", "event cut_card"), 5, "'cut_card' is not a name"),
    (file(*ROUND, "void", "event cut-card after x"), 5, "'x' is not a whole number"),
]


@pytest.mark.parametrize(("text", "line", "sentence"), FAULTS, ids=[f[2][:40] for f in FAULTS])
def test_a_fault_is_told_once_with_its_line(text: str, line: int, sentence: str) -> None:
    (fault,) = faults_of(text)
    assert fault.line == line
    assert sentence in fault.sentence


def test_all_faults_are_told_at_once_in_the_order_of_the_lines() -> None:
    text = file(
        "rulebook a_b",
        "deck 8",
        "limit top -1",
        "",
        "round 2",
        "# nothing wrong here",
        "wager play_er nothing = all",
        "cover s player 1 on 2",
        "",
        "round 1",
        "cards 6h 1x 5z",
    )
    assert [fault.line for fault in faults_of(text)] == [2, 3, 4, 6, 8, 8, 8, 9, 11, 12, 12]
    with pytest.raises(BadHistory) as refused:
        load(text)
    lines = str(refused.value).splitlines()
    assert len(lines) == 11
    assert lines[2] == "line 4: '-1' is negative; write an amount like 100 or 12.50."
    assert isinstance(refused.value, ValueError)


def test_a_wager_at_fault_still_counts_for_the_covers() -> None:
    text = file("rulebook a", "round 1", "void", "wager a x", "wager b 5", "cover s player 1 on 2")
    assert [fault.line for fault in faults_of(text)] == [5]


def test_a_refusal_travels_between_processes() -> None:
    refusal = BadHistory((LineFault(3, "Wrong."),))
    again = pickle.loads(pickle.dumps(refusal))
    assert (again.faults, str(again)) == (refusal.faults, "line 3: Wrong.")


# What could not be read back is not written.


@pytest.mark.parametrize(
    ("history", "sentence"),
    [
        (History(()), "A history without a shoe cannot be written."),
        (History((RecordedShoe(""),)), "Shoe 1 cannot be written: A line 'rulebook' reads"),
        (History((RecordedShoe("a"), RecordedShoe("b c"))), "Shoe 2 cannot be written: A line 'rulebook' reads"),
        (History((RecordedShoe("a "),)), "Shoe 1 cannot be written: its rulebook 'a ' would be read as 'a'."),
        (History((RecordedShoe("a", decks=0),)), "0 is too low"),
        (History((RecordedShoe("a", limits=(Limit("top", -1),)),)), "'-0.01' is negative"),
        (History((RecordedShoe("a", limits=(Limit("top", 1), Limit("top", 1))),)), "stands a second time"),
        (History((RecordedShoe("a", fields=(Field("n", "x\nround 1"),)),)), "The character '\\n' cannot stand"),
        (History((RecordedShoe("a", fields=(Field("n", "x\r"),)),)), "The character '\\r' cannot stand"),
        (History((RecordedShoe("a", fields=(Field("n", " x"),)),)), "its fields"),
        (
            History((RecordedShoe("a", fields=(Field("n m", "x"),)),)),
            "would be read as (Field(name='n', value='m x'),).",
        ),
        (History((RecordedShoe("a", fields=(Field("", "x"),)),)), "A field needs a name"),
        (
            History((RecordedShoe("a", rounds=(RecordedRound(2, void=True), RecordedRound(1, void=True))),)),
            "Shoe 1, round 1 cannot",
        ),
        (one_round(), "This round has no outcome"),
        (one_round(cards=(Card(14),)), "is not a card"),
        (one_round(cards=(Card(0),)), "is not a card"),
        (one_round(cards=(Card(6, "cd"),)), "is not a card"),
        (one_round(cards=list(cards("9 K 9 Q"))), "would be read as ("),
        (one_round(cards=cards("9 K 9 Q"), result=RecordedResult("tie")), "its result follows from them"),
        (one_round(result=RecordedResult("nobody")), "'nobody' is none of"),
        (one_round(result=RecordedResult("tie", pairs="")), "A line 'result' reads"),
        (one_round(void=True, wagers=(RecordedWager("a", 0),)), "'0' is not a stake"),
        (one_round(void=True, wagers=(RecordedWager("a", 10**17),)), "is too much"),
        (one_round(void=True, wagers=(RecordedWager("a", 12.5),)), "'float(12.5)' is not"),  # type: ignore[arg-type] # on purpose
        (one_round(void=True, wagers=(RecordedWager("a", 1, net=0.0),)), "'float(0.0)' is not"),  # type: ignore[arg-type] # on purpose
        (one_round(void=True, wagers=(RecordedWager("a", "5"),)), "str('5')"),  # type: ignore[arg-type] # on purpose
        (one_round(void=True, wagers=(RecordedWager("a", 1, patron=""),)), "A line 'wager' reads"),
        (one_round(void=True, wagers=(RecordedWager("a", 1, patron="Ann = 5"),)), "the name comes last"),
        (one_round(void=True, free=True, wagers=(RecordedWager("a", 1),)), "free hand"),
        (one_round(void=True, covers=(RecordedCover("s", "player", 1, on=1),)), "no wager 1 to cover"),
        (one_round(void=True, events=(RecordedEvent("a", after=-1),)), "'-1' is not a whole number"),
        (one_round(void=True, events=(RecordedEvent("a", text="x "),)), "its events"),
        (History([RecordedShoe("a")]), "not held in tuples"),  # type: ignore[arg-type] # on purpose
    ],
)
def test_what_could_not_be_read_back_is_not_written(history: History, sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        dump(history)


# Any history at all.

words = st.from_regex(r"[A-Za-z0-9-]{1,12}", fullmatch=True)
letters = st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]) | st.sampled_from("\t #_=:\u00a0\ufeff")
texts = st.text(letters, max_size=20).map(lambda text: text.strip(" \t"))
fields = st.lists(
    st.builds(Field, texts.map(lambda name: re.sub(r"[ \t]", "", name)).filter(bool), texts), max_size=3
).map(tuple)
stakes = st.integers(1, 10**17 - 1)
nets = st.none() | st.integers(1 - 10**17, 10**17 - 1)
names = texts.map(lambda name: name.replace("=", "").strip(" \t")).filter(bool)
patrons = st.none() | names
hands = st.lists(st.builds(Card, st.integers(1, 13), st.none() | st.sampled_from(SUITS)), min_size=1, max_size=7).map(
    tuple
)
results = st.builds(RecordedResult, st.sampled_from(["player", "banker", "tie"]), st.sampled_from(PAIRS), st.booleans())
events = st.builds(RecordedEvent, words, texts, st.none() | st.integers(0, 999_999_999))


@st.composite
def rounds(draw: st.DrawFn, number: int) -> RecordedRound:
    outcome = draw(
        st.one_of(
            st.fixed_dictionaries({"cards": hands}, optional={"void": st.just(True)}),
            st.fixed_dictionaries({"result": results}),
            st.just({"void": True}),
        )
    )
    free = draw(st.booleans())
    wagers = [] if free else draw(st.lists(st.builds(RecordedWager, words, stakes, nets, patrons), max_size=4))
    covers = st.builds(
        RecordedCover,
        words,
        st.sampled_from(["player", "banker"]),
        stakes,
        st.integers(1, len(wagers) or 1),
        nets,
        patrons,
    )
    return RecordedRound(
        number,
        **outcome,
        free=free,
        wagers=tuple(wagers),
        covers=tuple(draw(st.lists(covers, max_size=2))) if wagers else (),
        events=tuple(draw(st.lists(events, max_size=2))),
        fields=draw(fields),
    )


@st.composite
def shoes(draw: st.DrawFn) -> RecordedShoe:
    limits = st.lists(st.builds(Limit, words, st.integers(0, 10**17 - 1)), max_size=3, unique_by=lambda each: each.name)
    numbers = sorted(draw(st.sets(st.integers(1, 999_999_999), max_size=3)))
    return RecordedShoe(
        draw(words),
        draw(st.none() | words),
        draw(st.none() | st.integers(1, 999_999_999)),
        tuple(draw(limits)),
        draw(fields),
        tuple(draw(rounds(number)) for number in numbers),
    )


histories = st.builds(History, st.lists(shoes(), min_size=1, max_size=3).map(tuple))


@given(histories)
def test_what_is_dumped_is_loaded_again(history: History) -> None:
    text = dump(history)
    assert load(text) == history
    assert dump(load(text)) == text


blanks = st.text(" \t", max_size=3)
noise = st.lists(st.sampled_from(["", " \t", "# a comment", "\t#round 1"]), max_size=2)


@given(histories, st.data())
def test_untidy_text_means_the_same(history: History, data: st.DataObject) -> None:
    first, *others = dump(history).split("\n")
    lines = [first]
    for line in others:
        lines += data.draw(noise)
        lines.append(data.draw(blanks) + line.replace(" ", " \t ", 1) + data.draw(blanks))
    untidy = data.draw(st.sampled_from(["\n", "\r\n", "\r"])).join(lines)
    assert load(untidy) == history


soup = st.lists(
    st.sampled_from(
        [*EVENING.splitlines(), "shoe", "free", "void", "round 3", "cards", "wager", "# x", "\t", "decks 6"]
    )
    | st.text(st.characters(), max_size=30),
    max_size=12,
).flatmap(lambda lines: st.sampled_from(["\n", "\r\n", "\r"]).map(lambda end: end.join(lines)))


@given(st.text(st.characters()) | soup | soup.map(lambda text: "punto history 1\nrulebook a\n" + text))
def test_any_text_is_a_history_or_refused(text: str) -> None:
    try:
        history = load(text)
    except BadHistory as refused:
        faults = refused.faults
    else:
        assert load(dump(history)) == history
        assert dump(load(dump(history))) == dump(history)
        return
    lines = len(re.split(r"\r\n|\r|\n", text))
    assert faults
    assert all(1 <= fault.line <= lines and fault.sentence for fault in faults)
    assert list(faults) == sorted(faults, key=lambda fault: fault.line)
