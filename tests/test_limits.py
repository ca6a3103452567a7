"""Which part of each stake plays where several patrons bet in several boxes, worked out by hand from the readings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.coup import deal
from punto.rulebook import Menu, Refused, load, menu
from punto.settlement import (
    Chips,
    Cover,
    Limits,
    Wager,
    came_back,
    check_stake,
    cover_line,
    playing,
    pro_rata,
    rounding_of,
    strike,
    wager_line,
)

RWS = ("commission-insurance", "da-hu-ying-xiong", "wu-song")
MBS, HOIANA = "dragon-tiger-mbs", "dragon-tiger-hoiana"


def carried(book: str) -> Menu:
    return menu(load(book))


def on(bet: str, *whole: int) -> list[Wager]:
    """Wagers on one bet, in whole units of currency."""
    return [Wager(bet, 100 * stake) for stake in whole]


def plays(
    book: str, wagers: list[Wager], limits: Limits, boxes: list[int] | None = None, scope: str | None = None
) -> list[float]:
    """What plays of each wager, in units of currency."""
    return [stake / 100 for stake, _ in playing(carried(book), wagers, limits, boxes=boxes, scope=scope)]


@pytest.mark.parametrize("book", RWS)
def test_two_boxes_that_level_out_are_still_each_over_the_limit(book: str) -> None:
    """AMB-20: limit 1000, Banker 1500 in box 1 and Player 1500 in box 2: 500 taken off in each box."""
    wagers, limits = [*on("banker", 1500), *on("player", 1500)], Limits(differential=100000)
    assert plays(book, wagers, limits, [1, 2]) == [1000, 1000]
    assert plays(book, wagers, limits, [1, 2], "box") == [1000, 1000]
    assert plays(book, wagers, limits, [1, 2], "table") == [1500, 1500]
    assert plays(book, wagers, limits, [4, 4]) == [1500, 1500]
    [(_, why), _] = playing(carried(book), wagers, limits, boxes=[1, 2])
    assert (why.clause, "AMB-20" in why.readings) == ("5.1.1", True)


@pytest.mark.parametrize("book", [MBS, HOIANA])
def test_where_the_definition_is_of_the_table_the_boxes_do_not_matter(book: str) -> None:
    wagers, limits = [*on("banker", 1500), *on("player", 1500)], Limits(differential=100000)
    assert plays(book, wagers, limits, [1, 2]) == [1500, 1500]


@pytest.mark.parametrize(
    ("scope", "left"), [("box", [1000, 600, 400]), ("both", [500, 300, 200]), ("table", [600, 240, 160])]
)
def test_the_box_comes_first_and_then_the_table(scope: str, left: list[int]) -> None:
    """Limit 1000, Player 1500, 600 and 400 in three boxes.

    Box 1 is cut to 1000; then 2000 lie on Player, and half plays. The table alone: 1000 of 2500 is two fifths.
    """
    assert plays("wu-song", on("player", 1500, 600, 400), Limits(differential=100000), [1, 2, 3], scope) == left


def test_a_box_may_have_its_own_lighter_hand_and_the_limit_on_top() -> None:
    """Box 1: Player 1200 and 600 against Banker 500 may come to 1500, five sixths. Box 2 levels the table."""
    wagers = [*on("player", 1200, 600), *on("banker", 500, 1000), *on("tie", 5000)]
    assert plays("wu-song", wagers, Limits(differential=100000), [1, 1, 1, 2, 1]) == [1000, 500, 500, 1000, 5000]


def test_the_floor_holds_through_both_cuts() -> None:
    """AMB-21, minimum 100, chips of 1: box 1 plays 720, 180, 100, box 2 plays 1000.

    The table halves 2000; 180 and 100 would fall under 100 and are pinned there. 800 is left for
    720 and 1000: 334.88 and 465.12, down to two chips, for Player may win 1 to 2 (AMB-30).
    """
    limits = Limits(minimum=10000, differential=100000, unit=100)
    wagers = on("player", 2000, 500, 120, 1000)
    assert plays("wu-song", wagers, limits, [1, 1, 1, 2], "box") == [720, 180, 100, 1000]
    assert plays("wu-song", wagers, limits, [1, 1, 1, 2]) == [334, 100, 100, 464]


def test_a_bet_under_the_minimum_plays_in_full_through_both_cuts() -> None:
    """5.1.2, minimum 100: box 1 plays 60 and 940; of 1940 on the table 60 stays, and 940 is half of the rest."""
    limits, wagers = Limits(minimum=10000, differential=100000), on("player", 60, 2000, 940)
    assert plays("wu-song", wagers, limits, [1, 1, 2]) == [60, 470, 470]
    why = playing(carried("wu-song"), wagers, limits, boxes=[1, 1, 2])[0][1]
    assert why.clauses == ("5.1.2",)


def test_a_bet_that_its_box_cut_below_the_minimum_was_not_placed_below_it() -> None:
    """Hoiana has no floor: 3800 and 200 in box 1 play a quarter, 950 and 50; then the table halves all."""
    limits = Limits(minimum=10000, differential=100000)
    assert plays(HOIANA, on("player", 3800, 200, 1000), limits, [1, 1, 2], "both") == [475, 25, 500]
    assert pro_rata([950, 50], 500, minimum=100, floor=False, units=[1, 1], placed=[3800, 200]) == [475, 25]
    assert pro_rata([950, 50], 500, minimum=100, floor=False, units=[1, 1]) == [450, 50]


def test_a_minimum_of_the_hand_goes_before_the_tables() -> None:
    """Limit 1000: with a minimum of 50 on Player, 2000, 500 and 120 play by 1000/2620, but 120 at 50.

    Then 950 is left for 2500: 760 and 190.
    """
    limits = Limits(minimum=10000, differential=100000, minimums={"player": 5000})
    assert plays("wu-song", on("player", 2000, 500, 120), limits) == [760, 190, 50]


@pytest.mark.parametrize("book", RWS)
def test_rws_all_bettors_of_a_box_share_its_maximum_on_a_hand(book: str) -> None:
    """AMB-26: maximum 1000. 900 and 600 in box 1 play 600 and 400; 900 in box 2 and Banker in box 1 are whole."""
    wagers, limits = [*on("player", 900, 600, 900), *on("banker", 1000)], Limits(maximum=100000)
    assert plays(book, wagers, limits, [1, 1, 2, 1]) == [600, 400, 900, 1000]
    assert plays(book, wagers, limits) == [375, 250, 375, 1000]
    why = playing(carried(book), wagers, limits, boxes=[1, 1, 2, 1])[0][1]
    assert {"5.1.1", "5.1"} <= set(why.clauses)
    assert "AMB-29" in why.readings


def test_rws_a_maximum_of_one_hand_binds_that_hand_only() -> None:
    """500 on Player, else 1000: 900 and 600 on Player play a third, 1000 on Banker is whole."""
    limits = Limits(maximum=100000, maximums={"player": 50000})
    wagers = [*on("player", 900, 600), *on("banker", 1000, 500)]
    assert plays("wu-song", wagers, limits, [1, 1, 1, 2]) == [300, 200, 1000, 500]
    assert plays("wu-song", wagers, Limits(maximums={"player": 50000}), [1, 1, 1, 2]) == [300, 200, 1000, 500]


@pytest.mark.parametrize("book", RWS)
def test_rws_a_side_bet_is_cut_to_its_own_maximum_and_never_scaled(book: str) -> None:
    """Tie at most 100: 300 plays 100, and 80 beside it in the same box is whole."""
    limits, wagers = Limits(maximum=100000, maximums={"tie": 10000}), on("tie", 300, 80)
    assert plays(book, wagers, limits, [1, 1]) == [100, 80]
    (_, why), (_, none) = playing(carried(book), wagers, limits, boxes=[1, 1])
    assert (why.clauses, why.readings) == (("5.1", "5.1.1"), ("AMB-29",))
    assert not none.clauses
    assert plays(book, on("tie", 3000), Limits(maximum=100000), [1]) == [3000]


@pytest.mark.parametrize(("book", "clause"), [(MBS, "5.15"), (HOIANA, "7.18")])
def test_mbs_and_hoiana_cut_each_wager_by_itself(book: str, clause: str) -> None:
    """Maximum 1000, on Tie 100: two of 900 in one box are whole, 1500 plays 1000, Tie 300 plays 100."""
    limits = Limits(maximum=100000, maximums={"tie": 10000})
    wagers = [*on("player", 900, 900, 1500), *on("tie", 300, 100)]
    assert plays(book, wagers, limits, [1, 1, 1, 1, 1]) == [900, 900, 1000, 100, 100]
    reasons = [why.clause for _, why in playing(carried(book), wagers, limits, boxes=[1, 1, 1, 1, 1])]
    assert reasons == [None, None, clause, clause, None]


def test_the_maximum_comes_before_the_differential() -> None:
    """AMB-29: 1000 in box 1 is cut to 800 and then to 500; box 2 has 500 on Banker, so the table is level."""
    limits = Limits(maximum=80000, differential=50000)
    assert plays("wu-song", [*on("player", 1000), *on("banker", 500)], limits, [1, 2]) == [500, 500]


def test_mbs_refers_a_box_over_the_limit_as_it_does_a_table() -> None:
    wagers = [*on("player", 900), *on("banker", 900)]
    with pytest.raises(Refused, match=r"The differential of 500\.00 is exceeded.*residual authority"):
        playing(carried(MBS), wagers, Limits(differential=50000), boxes=[1, 2], scope="box")


def test_every_wager_has_a_box_and_the_scope_is_one_of_three() -> None:
    with pytest.raises(ValueError, match="2 wagers, and boxes for 1"):
        playing(carried(MBS), on("player", 1, 2), Limits(), boxes=[1])
    with pytest.raises(Refused, match="table, box or both"):
        playing(carried(MBS), on("player", 1), Limits(), scope="pit")


POSTED = st.builds(
    Limits,
    minimum=st.sampled_from([None, 1000]),
    maximum=st.sampled_from([None, 30000, 100000]),
    differential=st.sampled_from([None, 20000, 50000]),
    unit=st.sampled_from([1, 100]),
    maximums=st.sampled_from([{}, {"tie": 5000}, {"player": 25000}]),
)
STAKES = st.lists(
    st.tuples(st.sampled_from(["player", "banker", "tie"]), st.integers(1, 1000), st.integers(1, 3)), max_size=8
)


@given(st.sampled_from([*RWS, HOIANA]), STAKES, POSTED, st.sampled_from(["table", "box", "both"]))
def test_one_box_is_the_same_as_none(book: str, given: list[tuple[str, int, int]], limits: Limits, scope: str) -> None:
    wagers = [Wager(bet, 100 * stake) for bet, stake, _ in given]
    one = playing(carried(book), wagers, limits, boxes=[7] * len(wagers), scope=scope)
    assert one == playing(carried(book), wagers, limits)


@given(st.sampled_from([*RWS, HOIANA]), STAKES, POSTED, st.sampled_from(["table", "box", "both"]))
def test_a_part_of_each_stake_plays_and_whatever_is_cut_has_a_clause(
    book: str, given: list[tuple[str, int, int]], limits: Limits, scope: str
) -> None:
    wagers, boxes = [Wager(bet, 100 * stake) for bet, stake, _ in given], [box for _, _, box in given]
    for wager, (stake, why) in zip(
        wagers, playing(carried(book), wagers, limits, boxes=boxes, scope=scope), strict=True
    ):
        assert 0 <= stake <= wager.stake
        assert stake == wager.stake or why.clauses


@given(STAKES, st.sampled_from([20000, 50000]))
def test_no_box_is_left_over_the_limit(given: list[tuple[str, int, int]], limit: int) -> None:
    """Chips are cents, so that rounding takes at most a few of them off."""
    wagers, boxes = [Wager(bet, 100 * stake) for bet, stake, _ in given], [box for _, _, box in given]
    left = playing(carried("wu-song"), wagers, Limits(differential=limit), boxes=boxes, scope="box")
    for box in (1, 2, 3):
        gap = sum(
            (wager.bet == "player") * stake - (wager.bet == "banker") * stake
            for wager, at, (stake, _) in zip(wagers, boxes, left, strict=True)
            if at == box
        )
        assert abs(gap) <= limit


@pytest.mark.parametrize(
    ("posted", "says"),
    [
        ({"minimum": 0}, r"A minimum of 0\.00 is none"),
        ({"maximum": -100}, r"A maximum of -1\.00 is none"),
        ({"differential": 0}, r"A differential of 0\.00 is none"),
        ({"minimums": {"tie": 0}}, r"A minimum of 0\.00 on tie is none"),
        ({"maximums": {"tie": -1}}, r"A maximum of -0\.01 on tie is none"),
        ({"minimums": {"tie": 500}, "maximums": {"tie": 400}}, r"5\.00 on tie is over the maximum of 4\.00"),
        ({"minimum": 500, "maximums": {"tie": 400}}, r"5\.00 on tie is over the maximum of 4\.00"),
        ({"maximum": 400, "minimums": {"tie": 500}}, r"5\.00 on tie is over the maximum of 4\.00"),
    ],
)
def test_limits_that_cannot_be_posted_are_refused(posted: dict[str, int | dict[str, int]], says: str) -> None:
    with pytest.raises(Refused, match=says):
        Limits(**posted)  # type: ignore[arg-type]  # one of each kind


def test_what_is_posted_for_a_bet_goes_before_what_is_posted_for_the_table() -> None:
    """AMB-26."""
    posted = Limits(minimum=5000, maximum=100000, minimums={"tie": 1000}, maximums={"tie": 4000})
    assert [posted.minimum_of("tie"), posted.maximum_of("tie")] == [1000, 4000]
    assert [posted.minimum_of("player"), posted.maximum_of("player")] == [5000, 100000]
    assert Limits().minimum_of("tie") is None
    assert Limits().maximum_of("tie") is None


@pytest.mark.parametrize(("rounding", "net"), [("exact", 2375), ("up", 2400), ("down", 2300)])
def test_a_recorded_ruling_may_round_down_to_the_chip(rounding: str, net: int) -> None:
    """AMB-30: 25 on Banker at 0.95 is 23.75; with chips of 1 that is 24, or 23 where a ruling says so."""
    banker, coup = carried("commission-insurance")["banker"], deal("2 8 K 8 8")
    line = wager_line(banker, Wager("banker", 2500), 2500, None, coup, Chips(100, rounding))
    assert line.net == net
    assert ("AMB-30" in line.basis.readings) == (rounding != "exact")
    assert line.says.endswith(f"The payment is rounded {rounding} to the chip.") == (rounding != "exact")


@pytest.mark.parametrize("rounding", ["exact", "up", "down"])
def test_a_payment_that_chips_can_make_is_not_rounded(rounding: str) -> None:
    """20 at 0.95 is 19."""
    banker, coup = carried("commission-insurance")["banker"], deal("2 8 K 8 8")
    line = wager_line(banker, Wager("banker", 2000), 2000, None, coup, Chips(100, rounding))
    assert (line.net, line.says) == (1900, "Banker wins 6 to 0: 20.00 on Banker wins 19.00 at 0.95 to 1.")


@pytest.mark.parametrize(("rounding", "net"), [("exact", 3750), ("up", 3800), ("down", 3700)])
def test_cover_is_rounded_as_a_wager_is_and_comes_back_with_its_original(rounding: str, net: int) -> None:
    """Cover of 25 at 3 to 2 is 37.50: Player 5 and a card of 8 lose to Banker 4."""
    book, coup = load("da-hu-ying-xiong"), deal("5 8 K 6 8")
    [struck] = strike(book, coup, on("player", 100), [Cover("four-cards", "player", 2500, 0)], Limits(maximum=1000000))
    line = cover_line(book, coup, struck, True, Chips(100, rounding))
    assert (line.result, line.odds, line.net) == ("win", "3:2", net)
    back = came_back(line)
    assert (back.result, back.effective, back.returned, back.net) == ("returned", 0, 2500, 0)
    assert back.basis.readings == ("AMB-64",)


def test_a_stake_is_checked_before_anything_is_dealt() -> None:
    banker = carried(MBS)["banker"]
    check_stake(banker, 2520, Chips())
    check_stake(banker, 2510, Chips(1, "up"))
    check_stake(banker, 2510, Chips(1, "down"))
    for stake, says in ((2510, "a multiple of 0.20"), (0, "more than nothing"), (-20, "more than nothing")):
        with pytest.raises(Refused, match=says):
            check_stake(banker, stake, Chips())


def test_rounding_down_cannot_be_posted() -> None:
    assert rounding_of(load(MBS), Limits(rounding="up")) == "up"
    with pytest.raises(Refused, match="recorded ruling"):
        rounding_of(load(MBS), Limits(rounding="down"))
