"""The roads against published vectors, hand-drawn grids and a second way to compute the derived roads."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.coup import deal
from punto.roads import (
    ROWS,
    BadSequence,
    Big,
    Counters,
    Result,
    RoadCell,
    Roads,
    Winner,
    cells,
    count,
    derived,
    draw,
    lines,
    parse,
    place,
    result,
    roads,
    runs,
    show,
    to_json,
)

WINNERS: list[Winner] = ["banker", "player", "tie"]
RESULTS = st.builds(
    Result,
    st.sampled_from(WINNERS),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.integers(0, 9).map(lambda n: n == 0),
)
# Long runs are rare among random letters, so whole runs are drawn as well.
LETTERS = st.text("BPT", max_size=80)
STREAKS = st.lists(st.tuples(st.sampled_from("BPT"), st.integers(1, 14)), max_size=16).map(
    lambda streaks: "".join(letter * length for letter, length in streaks)
)
SHOES = st.one_of(LETTERS, STREAKS)


def board(text: str) -> Roads:
    return roads(parse(text))


# The second method: columns without a floor on squared paper, and the pencil that looks to the left.


def look_left(text: str, back: int) -> str:
    """Plot the wins on paper one by one; for each, look at the paper as it is then.

    Below the top row, look `back` cells to the left and at the cell above that one: both filled or
    both empty is red, else blue. In the top row, go down the previous column and the one `back` before
    it side by side: if they end together it is red.
    """
    paper: set[tuple[int, int]] = set()
    colours = ""
    column = row = 0
    last = ""
    for letter in text.replace("T", ""):
        column, row = (column, row + 1) if letter == last else (column + 1, 1)
        last = letter
        if row > 1 and (column - back, 1) in paper:
            same = ((column - back, row) in paper) == ((column - back, row - 1) in paper)
            colours += "R" if same else "B"
        if row == 1 and (column - 1 - back, 1) in paper:
            depth = 1
            while (column - 1, depth) in paper and (column - 1 - back, depth) in paper:
                depth += 1
            together = (column - 1, depth) not in paper and (column - 1 - back, depth) not in paper
            colours += "R" if together else "B"
        paper.add((column, row))
    return colours


@pytest.mark.parametrize(("text", "colours"), [("BPBBPPB", "RBBRR"), ("BBPPPP", "RBR"), ("PBPBBP", "RRBB")])
def test_the_published_big_eye_boys(text: str, colours: str) -> None:
    assert board(text).big_eye == colours
    assert look_left(text, 1) == colours


def test_the_published_shoe_with_three_derived_roads() -> None:
    shown = board("PBPBBP")
    assert (shown.big_eye, shown.small, shown.cockroach) == ("RRBB", "RBB", "BB")
    assert (look_left("PBPBBP", 2), look_left("PBPBBP", 3)) == ("RBB", "BB")


@given(SHOES)
def test_the_derived_roads_are_what_a_pencil_sees_to_the_left(text: str) -> None:
    shown = board(text)
    assert shown.big_eye == look_left(text, 1)
    assert shown.small == look_left(text, 2)
    assert shown.cockroach == look_left(text, 3)


@pytest.mark.parametrize(
    ("text", "begun"),
    [
        ("BBBB", ("", "", "")),
        ("BP", ("", "", "")),
        ("BPP", ("B", "", "")),
        ("BPB", ("R", "", "")),
        ("BPBB", ("RB", "B", "")),
        ("BPBP", ("RR", "R", "")),
        ("BPBPP", ("RRB", "RB", "B")),
        ("BPBPB", ("RRR", "RR", "R")),
    ],
)
def test_a_road_begins_when_the_column_it_looks_at_exists(text: str, begun: tuple[str, str, str]) -> None:
    shown = board(text)
    assert (shown.big_eye, shown.small, shown.cockroach) == begun


@given(SHOES)
def test_the_ask_answers_are_what_the_next_round_would_bring(text: str) -> None:
    ask = board(text).ask
    for answer, letter in ((ask.banker, "B"), (ask.player, "P")):
        for colour, back in ((answer.big_eye, 1), (answer.small, 2), (answer.cockroach, 3)):
            assert look_left(text, back) + (colour or "") == look_left(text + letter, back)


@given(SHOES)
def test_the_two_ask_answers_are_opposite_or_both_absent(text: str) -> None:
    ask = board(text).ask
    for name in ("big_eye", "small", "cockroach"):
        answers = {getattr(ask.banker, name), getattr(ask.player, name)}
        assert answers in ({"R", "B"}, {None})


def test_ask_on_a_fresh_table_knows_nothing() -> None:
    for text in ("", "TT", "Bf", "B"):
        ask = board(text).ask
        assert {ask.banker.big_eye, ask.banker.small, ask.banker.cockroach} == {None}
        assert {ask.player.big_eye, ask.player.small, ask.player.cockroach} == {None}


@given(SHOES)
def test_a_tie_moves_no_derived_road(text: str) -> None:
    with_ties, without = board(text), board(text.replace("T", ""))
    assert (with_ties.big_eye, with_ties.small, with_ties.cockroach, with_ties.ask) == (
        without.big_eye,
        without.small,
        without.cockroach,
        without.ask,
    )


# The grid, drawn by hand.

NINE_BANKERS = """
B . . . .
B . . . .
B . . . .
B . . . .
B . . . .
B B B B .
"""

TWO_DRAGONS = """
B P . . . .
B P . . . .
B P . . . .
B P . . . .
B P P P P .
B B B B . .
"""

A_TAIL_ABOVE_A_TAIL = """
B P B P B . . .
B . B . B . . .
B . B . B . . .
B . B . B B B .
B . B B B . . .
B B B . . . . .
"""

SIX_DRAGONS_AND_A_NEW_START = """
B P B P B P P B .
B P B P B B B B .
B P B P P P P . .
B P B B B B B . .
B P P P P P P . .
B B B B B B B . .
"""

A_COLUMN_OF_SIX_HAS_NO_TAIL = """
P B . .
P . . .
P . . .
P . . .
P . . .
P . . .
"""


@pytest.mark.parametrize(
    ("heights", "first", "drawn"),
    [
        ([9], "B", NINE_BANKERS),
        ([9, 8], "B", TWO_DRAGONS),
        ([8, 1, 7, 1, 6], "B", A_TAIL_ABOVE_A_TAIL),
        ([12, 10, 8, 6, 4, 2, 2], "B", SIX_DRAGONS_AND_A_NEW_START),
        ([6, 1], "P", A_COLUMN_OF_SIX_HAS_NO_TAIL),
    ],
    ids=["nine bankers", "two dragons", "a tail above a tail", "six dragons", "six without a tail"],
)
def test_dragon_tails_lie_as_drawn_by_hand(heights: list[int], first: str, drawn: str) -> None:
    letters = "BP" if first == "B" else "PB"
    text = "".join(letters[turn % 2] * height for turn, height in enumerate(heights))
    rows = drawn.split("\n")[1:-1]
    assert lines(board(text).big, width=len(rows[0].split())) == rows


def test_the_derived_roads_have_dragon_tails_too() -> None:
    # Alternating wins: from the third column on big eye boy is red all the time.
    shown = board("BPBPBPBPBP")
    assert shown.big_eye == "R" * 8
    assert lines(shown.big_eye, width=3) == ["R . ."] * 5 + ["R R R"]


@given(SHOES)
def test_no_two_marks_share_a_cell_and_none_leaves_the_six_rows(text: str) -> None:
    shown = board(text)
    for marks, expected in (
        (list(cells(shown.bead)), len(text)),
        (list(cells(Big(0, shown.big.marks))), len(text.replace("T", ""))),
        (list(cells(shown.big_eye)), len(shown.big_eye)),
        (list(cells(shown.small)), len(shown.small)),
        (list(cells(shown.cockroach)), len(shown.cockroach)),
    ):
        assert len(marks) == expected  # a dictionary would have merged two marks in one cell
        assert all(1 <= at.row <= ROWS and at.column >= 1 for at in marks)


@given(st.lists(st.integers(1, 20), max_size=30))
def test_every_column_goes_down_first_and_then_only_right(heights: list[int]) -> None:
    places = place(heights)
    assert len(places) == len(set(places)) == sum(heights)
    start = 0
    for height in heights:
        run, places = places[:height], places[height:]
        assert run[0].row == 1
        assert run[0].column > start
        start = run[0].column
        steps = "".join("d" if one.column == two.column else "r" for one, two in pairwise(run))
        assert "rd" not in steps
        for one, two in pairwise(run):
            assert two in (RoadCell(one.column, one.row + 1), RoadCell(one.column + 1, one.row))


def test_the_bead_plate_fills_columns_of_six_with_every_result() -> None:
    assert lines(board("BPTBPT PbnTp").bead, width=3) == [
        "B   Pbn .",
        "P   Tp  .",
        "T   .   .",
        "B   .   .",
        "P   .   .",
        "T   .   .",
    ]


# Ties, pairs, naturals, free hands.


def test_ties_are_counted_on_the_win_before_them() -> None:
    big = board("BTTBPT").big
    assert big.leading_ties == 0
    assert [(mark.winner, mark.ties) for mark in big.marks] == [("banker", 2), ("banker", 0), ("player", 1)]


def test_leading_ties_are_kept_apart_and_shown_in_the_first_cell() -> None:
    only = board("TT")
    assert (only.big.leading_ties, only.big.marks) == (2, ())
    assert lines(only.big, width=2)[:2] == ["T2 .", ".  ."]
    then = board("TTBTB")
    assert (then.big.leading_ties, then.big.marks[0].ties) == (2, 1)
    assert lines(then.big, width=2)[:3] == ["B3 .", "B  .", ".  ."]
    assert cells(then.big)[RoadCell(1, 1)].ties == 3


def test_ten_ties_or_more_are_a_plus() -> None:
    assert lines(board("B" + "T" * 9).big, width=1)[0] == "B9"
    assert lines(board("B" + "T" * 10).big, width=1)[0] == "B+"


def test_pairs_and_naturals_are_on_the_mark_of_their_round() -> None:
    big = board("BbnTpPp").big
    banker, player = big.marks
    assert (banker.banker_pair, banker.player_pair, banker.natural, banker.ties) == (True, False, True, 1)
    assert (player.banker_pair, player.player_pair, player.natural, player.ties) == (False, True, False, 0)


def test_the_pair_of_a_tied_round_is_on_the_bead_plate() -> None:
    shown = board("BTp")
    assert not shown.big.marks[0].player_pair
    assert shown.bead[1].player_pair


@given(st.lists(RESULTS, max_size=80))
def test_a_free_hand_is_on_no_road_and_in_no_counter(results: list[Result]) -> None:
    plotted = [each for each in results if not each.free]
    assert roads(results) == roads(plotted)
    assert count(results) == count(plotted)


def test_a_free_hand_does_not_end_a_run() -> None:
    assert [tuple(at) for at in cells(board("BPfB").big)] == [(1, 1), (1, 2)]


def test_the_counters() -> None:
    # By hand: B with banker pair, B natural with both pairs, P, T natural, and a free hand left out.
    assert count(parse("Bb Bnbp P Tn Bpbnf")) == Counters(
        banker=2, player=1, tie=1, player_pairs=1, banker_pairs=2, naturals=2
    )
    assert board("Bb Bnbp P Tn").count == count(parse("Bb Bnbp P Tn"))


# The notation.


def test_the_notation_reads_every_mark_in_any_order() -> None:
    assert parse("Bbpnf") == parse("Bfnpb") == (Result("banker", True, True, True, True),)
    assert parse(" B,,P\n\tTn ") == (Result("banker"), Result("player"), Result("tie", natural=True))
    assert parse("") == parse(" , ") == ()


@given(st.lists(RESULTS, max_size=80).map(tuple), st.sampled_from(["", " ", ",", ", ", "\n"]))
def test_what_is_shown_is_read_back(results: tuple[Result, ...], gap: str) -> None:
    assert parse(show(results)) == results
    assert parse(gap.join(show([each]) for each in results)) == results


@given(st.text("BPTbpnf ,", max_size=12))
def test_a_text_that_is_read_is_shown_in_one_way(text: str) -> None:
    try:
        results = parse(text)
    except BadSequence:
        return
    assert sorted(show(results)) == sorted(text.replace(" ", "").replace(",", ""))
    assert show(parse(show(results))) == show(results)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("BPX", "'X' at position 3 is not part of a sequence: write B, P or T"),
        ("B\N{BULLET}", "'\N{BULLET}' at position 2 is not part of a sequence"),
        ("b", "'b' at position 1 is a mark without a result: write B, P or T, in upper case"),
        ("B P b", "'b' at position 5 is a mark without a result"),
        ("B,n", "'n' at position 3 is a mark without a result"),
        ("Bnpn", "'n' at position 4 marks its round a second time: write each of b, p, n and f at most once"),
    ],
)
def test_a_fault_names_the_character_its_position_and_what_is_accepted(text: str, sentence: str) -> None:
    with pytest.raises(BadSequence, match=r"\.$") as fault:
        parse(text)
    assert str(fault.value).startswith(sentence)


@pytest.mark.parametrize(
    ("cards", "shown"),
    [
        ("6h 2c Kd As 5h", "B"),  # 6 against 2 + 1 + 5 = 8
        ("4h 9c 4d Ks", "Bpn"),  # 8 with a pair of fours against 9
        ("4h 4c 4d 4s", "Tbpn"),  # 8 each, twin pairs
        ("9h 5c Kd 5s", "Pbn"),  # 9 against a pair of fives
        ("7h 7c Kd Ks", "T"),  # both stand on 7
    ],
)
def test_a_coup_becomes_a_result(cards: str, shown: str) -> None:
    assert show([result(deal(cards))]) == shown
    assert result(deal(cards), free=True).free


# Text and JSON.


def test_a_long_road_is_cut_on_the_left() -> None:
    shown = board("BPPBPPP")
    assert lines(shown.big, width=2)[:3] == ["B P", ". P", ". P"]
    assert lines(shown.big, width=1)[:3] == ["P", "P", "P"]


def test_the_newest_mark_is_seen_though_a_tail_leads_far_to_the_right() -> None:
    # The tail of thirteen Bankers ends in column 8; the newest mark is in column 2.
    assert lines(board("B" * 13 + "P").big, width=3) == ["P . .", *[". . ."] * 4, "B B B"]


@given(SHOES, st.integers(1, 40))
def test_every_road_is_six_lines_with_the_newest_mark_in_view(text: str, width: int) -> None:
    shown = board(text)
    wins = text.replace("T", "")
    for colours in (shown.big_eye, shown.small, shown.cockroach):
        rows = lines(colours, width)
        assert [len(row.split()) for row in rows] == [width] * ROWS
    seen = [row.split() for row in lines(shown.big, width)]
    assert [len(row) for row in seen] == [width] * ROWS
    if wins:
        newest = shown.big.marks[-1]
        assert any(cell.startswith(wins[-1]) for cell in seen[newest.row - 1])


def test_a_road_without_width_is_refused() -> None:
    with pytest.raises(ValueError, match=r"at least 1 column wide; 0 was asked for\."):
        lines("RB", width=0)


def test_the_scoreboard_of_a_fresh_table_is_drawn() -> None:
    text = draw(board(""), width=2)
    assert text.count(". .") == 5 * ROWS
    assert "If Banker is next: big eye boy -, small road -, cockroach pig -" in text


def test_the_json_of_a_short_shoe() -> None:
    plain = {"player_pair": False, "banker_pair": False, "natural": False}
    assert to_json(board("TPbBTP")) == {
        "bead": [
            {"column": 1, "row": 1, "winner": "tie", **plain},
            {"column": 1, "row": 2, "winner": "player", **plain, "banker_pair": True},
            {"column": 1, "row": 3, "winner": "banker", **plain},
            {"column": 1, "row": 4, "winner": "tie", **plain},
            {"column": 1, "row": 5, "winner": "player", **plain},
        ],
        "big": {
            "leading_ties": 1,
            "marks": [
                {"column": 1, "row": 1, "winner": "player", "ties": 0, **plain, "banker_pair": True},
                {"column": 2, "row": 1, "winner": "banker", "ties": 1, **plain},
                {"column": 3, "row": 1, "winner": "player", "ties": 0, **plain},
            ],
        },
        "big_eye": "R",
        "small": "",
        "cockroach": "",
        "ask": {
            "banker": {"big_eye": "R", "small": "R", "cockroach": None},
            "player": {"big_eye": "B", "small": "B", "cockroach": None},
        },
        "count": {"banker": 1, "player": 2, "tie": 2, "player_pairs": 0, "banker_pairs": 1, "naturals": 0},
    }


@given(st.lists(RESULTS, max_size=40))
def test_the_json_survives_the_wire(results: list[Result]) -> None:
    shown = to_json(roads(results))
    assert json.loads(json.dumps(shown)) == shown
    assert list(shown) == ["bead", "big", "big_eye", "small", "cockroach", "ask", "count"]


def test_runs_are_the_logical_columns() -> None:
    assert runs("") == []
    assert derived(runs("BBPPPP"), 1) == "RBR"
