"""Insurance of both books: every row, every cell, windows, caps, ties."""

import re
import tomllib
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from every_cell import ROOMY, assert_offered_as_the_grid_says, coups, grids
from punto.coup import Card, deal, deal_from
from punto.rulebook import Refused, load
from punto.settlement import Cover, Limits, Line, Wager, explain, most_cover, offer, settle, strike

DA_HU, COMMISSION = "da-hu-ying-xiong", "commission-insurance"
FOLDER = Path(__file__).parent / "cases"
CASES = tomllib.loads((FOLDER / "insurance-rows.toml").read_text())["case"]


def cover(
    book: str, cards: str, stage: str, hand: str, stake: int, original: int = 10**6, limits: Limits = ROOMY
) -> Line:
    """The settlement line of one cover on one Original Bet."""
    wagers, covers = [Wager(hand, original)], [Cover(stage, hand, stake, on=0)]
    return settle(load(book), deal(cards), wagers, covers, limits=limits)[-1]


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            case,
            id=f"{case['rulebook']} {case['clause']} {case['result']}",
            marks=pytest.mark.clause(case["rulebook"], case["clause"]),
        )
        for case in CASES
    ],
)
def test_each_insurance_row_pays_returns_and_loses(case: dict[str, Any]) -> None:
    """The engine cites the row when it prices the cover, whatever becomes of it."""
    book, coup = load(case["rulebook"]), deal(case["cards"])
    assert [coup.player_points, coup.banker_points] == case["points"]
    line = cover(case["rulebook"], case["cards"], case["stage"], case["hand"], 10000)
    assert (line.result, line.net) == (case["result"], int(case["net"]) * 100)
    steps = explain(
        book, coup, [Wager(case["hand"], 10**6)], [Cover(case["stage"], case["hand"], 10000, 0)], limits=ROOMY
    )
    assert case["clause"] in [clause for step in steps for clause in step.basis.clauses]


@pytest.mark.parametrize(
    ("book", "stage", "hand", "grid"), grids(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_every_cell_is_offered_exactly_where_the_grid_says(
    book: str, stage: str, hand: str, grid: list[list[str]]
) -> None:
    """All 100 cells of a table, each with every third card that can lead there."""
    assert_offered_as_the_grid_says(book, stage, hand, grid)


def cells(clause: str, hand: str) -> set[tuple[int, int]]:
    """The cells of a row as the book prints it, own points first: its clause names the points of both hands."""
    found = {
        letter: range(int(low), int(high or low) + 1)
        for letter, low, high in re.findall(r"-([PB])([0-9])[*]?(?:-([0-9]))?", clause)
    }
    own, opposite = (found["P"], found["B"]) if hand == "player" else (found["B"], found["P"])
    return set(product(own, opposite))


INSURANCE_ROWS = {(case["rulebook"], case["clause"]): (case["stage"], case["hand"]) for case in CASES}


@pytest.mark.parametrize(
    ("book", "clause", "stage", "hand"),
    [
        pytest.param(*row, *where, id=" ".join(row), marks=pytest.mark.clause(*row))
        for row, where in INSURANCE_ROWS.items()
    ],
)
def test_each_insurance_row_is_offered_in_all_its_cells_and_in_no_other(
    book: str, clause: str, stage: str, hand: str
) -> None:
    """At the odds of the grid, with every third card that leads there, wherever a card is due."""
    rulebook = load(book)
    [grid] = [grid for *where, grid in grids() if where == [book, stage, hand]]
    offered = set()
    for own, opposite in product(range(10), repeat=2):
        player, banker = (own, opposite) if hand == "player" else (opposite, own)
        for coup, due in coups(stage, player, banker):
            if not due:
                continue
            if ":" not in grid[own][opposite]:
                with pytest.raises(Refused):
                    offer(rulebook, coup, stage, hand)
                continue
            row = offer(rulebook, coup, stage, hand)
            if clause in row.basis.clauses:
                offered.add((own, opposite))
                steps = explain(rulebook, coup, [Wager(hand, 10**6)], [Cover(stage, hand, 10000, 0)], limits=ROOMY)
                assert clause in [each for step in steps for each in step.basis.clauses]
                assert row.odds.text == grid[own][opposite].rstrip("+T")
                assert (row.tie_pays is not None) == ("T" in grid[own][opposite]) == ("*" in clause)
    assert offered == cells(clause, hand)


def test_only_one_hand_is_insurable_at_any_moment() -> None:
    for book in (DA_HU, COMMISSION):
        insurance = load(book).insurance
        assert insurance is not None
        for stage, player, banker in product(("four-cards", "third-card"), range(10), range(10)):
            both = (
                insurance.row(stage, "player", player, banker),
                insurance.row(stage, "banker", banker, player),
            )
            assert None in both


@pytest.mark.clause(DA_HU, "3.11", "3.12", "3.12.1", "1.10", "1.13")
def test_da_hu_cover_needs_an_original_bet_and_a_card_that_is_due() -> None:
    book = load(DA_HU)
    with pytest.raises(Refused, match="insures a wager on Player, not one on Tie") as refused:
        settle(book, deal("6 2 K A 5"), [Wager("tie", 10000)], [Cover("four-cards", "player", 1000, 0)])
    assert refused.value.clause == "3.11"
    with pytest.raises(Refused, match="insures a wager on Player, not one on Banker"):
        settle(book, deal("6 2 K A 5"), [Wager("banker", 10000)], [Cover("four-cards", "player", 1000, 0)])
    with pytest.raises(Refused, match="drew no third card") as refused:
        cover(DA_HU, "6 2 K A 5", "third-card", "player", 1000)
    assert refused.value.clause == "3.12"
    with pytest.raises(Refused, match="no card was due") as refused:
        cover(DA_HU, "5 4 K K K", "third-card", "player", 1000)
    assert (refused.value.clause, "AMB-51" in refused.value.readings) == ("3.12.1", True)


@pytest.mark.clause(COMMISSION, "3.11", "3.12", "3.12.1", "1.9", "1.11")
def test_commission_cover_needs_an_original_bet_and_a_card_that_is_due() -> None:
    with pytest.raises(Refused, match="not one on Player Pair"):
        settle(
            load(COMMISSION),
            deal("6 2 K A 5"),
            [Wager("player-pair", 10000)],
            [Cover("four-cards", "player", 1000, 0)],
        )
    with pytest.raises(Refused, match="drew no third card"):
        cover(COMMISSION, "7 2 K A 5", "third-card", "player", 1000)
    with pytest.raises(Refused, match="no card was due"):
        cover(COMMISSION, "6 6 K K", "four-cards", "player", 1000)


@pytest.mark.parametrize("cards", ["9 2 K A", "2 8 K K", "8 9 K K", "7 8 K K"])
def test_a_natural_leaves_no_window(cards: str) -> None:
    """AMB-68, even where only one hand is a natural."""
    for book, hand in product((DA_HU, COMMISSION), ("player", "banker")):
        with pytest.raises(Refused, match="no card was due"):
            cover(book, cards, "four-cards", hand, 1000)


@pytest.mark.clause(DA_HU, "4.1.2")
def test_da_hu_without_a_row_there_is_no_offer() -> None:
    with pytest.raises(Refused, match="no price for Player cover with Player 4 against Banker 2") as refused:
        cover(DA_HU, "4 2 K K 5 K", "four-cards", "player", 1000)
    assert refused.value.clause == "4.1.2"


@pytest.mark.clause(COMMISSION, "4.1.3")
def test_commission_columns_are_not_swapped() -> None:
    """AMB-58: Player 1 against Banker 3 prices Banker cover at 7 to 1; Player 3 against Banker 1 nothing."""
    line = cover(COMMISSION, "A 3 K K K 8", "third-card", "banker", 1000)
    assert line.odds is None
    assert line.result == "stand-off"
    assert offer(load(COMMISSION), deal("A 3 K K K 8"), "third-card", "banker").odds.text == "7:1"
    with pytest.raises(Refused, match="no price"):
        cover(COMMISSION, "3 A K K K 8", "third-card", "banker", 1000)


@pytest.mark.clause(DA_HU, "3.12.2")
def test_da_hu_caps_the_stake_in_each_window_and_a_quarter_of_the_maximum_at_ten_to_one() -> None:
    """Original 1000, maximum 2000: at 4 to 1 up to 1000, at 10 to 1 up to 500; 501 is refused."""
    limits, original = Limits(maximum=200000, unit=100), 100000
    book = load(DA_HU)
    assert most_cover(book, deal("7 2 K A 5"), "four-cards", "player", original, limits) == 100000
    ten = deal("3 2 K K 5 9")
    assert most_cover(book, ten, "third-card", "player", original, limits) == 50000
    assert most_cover(book, ten, "third-card", "player", original, Limits(maximum=10**6)) == 100000
    with pytest.raises(Refused, match=r"at most 500.00 may be struck on 1000.00") as refused:
        cover(DA_HU, "3 2 K K 5 9", "third-card", "player", 50100, original, limits)
    assert refused.value.clause == "3.12.2"
    with pytest.raises(Refused, match="none is posted") as refused:
        cover(DA_HU, "3 2 K K 5 9", "third-card", "player", 100, original, Limits())
    assert "AMB-55" in refused.value.readings


def test_da_hu_without_a_maximum_the_differential_counts() -> None:
    """AMB-55: the maximum differential is the only posted maximum then."""
    assert (
        most_cover(load(DA_HU), deal("3 2 K K 5 9"), "third-card", "player", 10**6, Limits(differential=10**5)) == 25000
    )


@pytest.mark.clause(COMMISSION, "3.12.2")
def test_commission_caps_all_payouts_of_the_round_together() -> None:
    """Original 100: at 4 to 1 up to 25; 25 at 2 to 1 first leaves 12.50 at 4 to 1 (AMB-33, AMB-54)."""
    book = load(COMMISSION)
    assert most_cover(book, deal("7 2 K A 5"), "four-cards", "player", 10000, Limits()) == 2500
    assert most_cover(book, deal("3 2 K K 5 9"), "third-card", "player", 10000, Limits(unit=100)) == 1400
    wagers = [Wager("player", 10000)]
    first = Cover("four-cards", "player", 2500, 0)
    coup = deal("5 4 K K 2 3")  # Player 5 against 4, draws 2 for 7; Banker draws 3 for 7
    lines = settle(book, coup, wagers, [first, Cover("third-card", "player", 1250, 0)])
    assert [line.result for line in lines] == ["stand-off"] * 3
    with pytest.raises(Refused, match=r"at most 12.50"):
        settle(book, coup, wagers, [first, Cover("third-card", "player", 1252, 0)])


@pytest.mark.parametrize(
    ("book", "cards", "stage", "original", "most"),
    [
        (DA_HU, "5 4 K K 2 3", "four-cards", 100000, 100000),
        (COMMISSION, "5 4 K K 2 3", "four-cards", 100000, 50000),
        (DA_HU, "6 2 K A 5", "four-cards", 100000, 100000),
        (COMMISSION, "6 2 K A 5", "four-cards", 100000, 33300),
        (COMMISSION, "7 2 K A 5", "four-cards", 100000, 25000),
        (COMMISSION, "3 2 K K 5 9", "third-card", 100000, 14200),
        (COMMISSION, "4 2 K K 5 9", "third-card", 100000, 12500),
    ],
)
def test_caps_are_rounded_down_to_the_chip(book: str, cards: str, stage: str, original: int, most: int) -> None:
    """Original 1000 with chips of 1: 333 at 3 to 1, 142 at 7 to 1, 125 at 8 to 1."""
    assert most_cover(load(book), deal(cards), stage, "player", original, Limits(maximum=10**9, unit=100)) == most


@pytest.mark.clause(DA_HU, "4.2.1", "4.2.1.a", "4.1.2#note-9", "3.17")
def test_da_hu_tie_at_nine_pays_only_the_cover_struck_at_nine() -> None:
    """Original 1000 back, 1000 at 3 to 2 back, 400 at 10 to 1 wins 4000 (AMB-53)."""
    covers = [Cover("four-cards", "player", 100000, 0), Cover("third-card", "player", 40000, 0)]
    lines = settle(load(DA_HU), deal("5 4 K K 4 5"), [Wager("player", 100000)], covers, limits=Limits(maximum=200000))
    assert [(line.result, line.net) for line in lines] == [
        ("stand-off", 0),
        ("stand-off", 0),
        ("win", 400000),
    ]
    assert [line.clause for line in lines] == ["3.17", "4.2.1", "4.1.2"]


@pytest.mark.clause(DA_HU, "4.2.1.b", "4.1.2#note-0")
def test_da_hu_tie_at_zero_pays_the_cover_struck_at_zero() -> None:
    covers = [Cover("four-cards", "banker", 10000, 0), Cover("third-card", "banker", 10000, 0)]
    lines = settle(load(DA_HU), deal("3 4 K K 7 6"), [Wager("banker", 100000)], covers, limits=ROOMY)
    assert [(line.result, line.net) for line in lines] == [
        ("stand-off", 0),
        ("stand-off", 0),
        ("win", 100000),
    ]


@pytest.mark.clause(COMMISSION, "4.2.1", "4.1.3#note-9", "3.17")
def test_commission_tie_at_nine_pays_eight_to_one_and_other_ties_return() -> None:
    lines = settle(
        load(COMMISSION),
        deal("5 4 K K 4 5"),
        [Wager("player", 10000)],
        [Cover("third-card", "player", 1000, 0)],
    )
    assert [(line.result, line.net) for line in lines] == [("stand-off", 0), ("win", 8000)]
    one = cover(COMMISSION, "A A K K K K", "third-card", "banker", 1000)
    assert (one.result, one.net) == ("stand-off", 0)


def test_there_is_no_zero_row_in_the_commission_book() -> None:
    with pytest.raises(Refused, match="no price"):
        cover(COMMISSION, "3 4 K K 7 6", "third-card", "banker", 1000)


@pytest.mark.parametrize("book", ["wu-song", "dragon-tiger-mbs", "dragon-tiger-hoiana"])
def test_books_without_insurance_refuse_it(book: str) -> None:
    with pytest.raises(Refused, match="no insurance"):
        cover(book, "6 2 K A 5", "four-cards", "player", 1000)


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (Cover("sixth-card", "player", 1000, 0), "no stage 'sixth-card'"),
        (Cover("four-cards", "dealer", 1000, 0), "no hand 'dealer'"),
        (Cover("four-cards", "player", 1000, 3), "no wager 3 to insure"),
        (Cover("four-cards", "player", 1000, -1), "no wager -1 to insure"),
        (Cover("four-cards", "player", 0, 0), "more than nothing"),
        (Cover("four-cards", "player", -5, 0), "more than nothing"),
        (Cover("four-cards", "player", 1, 0), "a multiple of 0.02"),
    ],
)
def test_absurd_cover_is_refused(bad: Cover, says: str) -> None:
    with pytest.raises(Refused, match=says):
        settle(load(DA_HU), deal("6 2 K A 5"), [Wager("player", 10000)], [bad], limits=ROOMY)


@given(
    st.tuples(*[st.builds(Card, st.integers(1, 13))] * 6),
    st.sampled_from([DA_HU, COMMISSION]),
    st.sampled_from(["player", "banker"]),
    st.integers(1, 10**6),
)
def test_cover_at_the_cap_of_every_window_is_within_the_book(
    shoe: tuple[Card, ...], book: str, hand: str, original: int
) -> None:
    """Both windows to the cap: one more unit is refused; Da Hu caps each stake, Commission all payouts together."""
    coup, rulebook = deal_from(shoe), load(book)
    original *= 20
    limits = Limits(maximum=original)
    wagers = [Wager(hand, original)]
    covers: list[Cover] = []
    for stage in ("four-cards", "third-card"):
        try:
            row = offer(rulebook, coup, stage, hand)
        except Refused:
            continue
        before = strike(rulebook, coup, wagers, covers, limits)
        most = most_cover(rulebook, coup, stage, hand, original, limits, 0, before)
        with pytest.raises(Refused, match="over its cap"):
            strike(rulebook, coup, wagers, [*covers, Cover(stage, hand, most + 1, 0)], limits)
        even = most // row.odds.denominator * row.odds.denominator
        if even:
            covers.append(Cover(stage, hand, even, 0))
    lines = settle(rulebook, coup, wagers, covers, limits=limits)
    payouts = sum(each.cover.stake * each.row.odds.fraction for each in strike(rulebook, coup, wagers, covers, limits))
    if book == COMMISSION:
        assert payouts <= original
    assert all(line.stake <= original for line in lines[1:])
    assert all(line.stake <= original / 4 for line in lines[1:] if line.odds == "10:1")
