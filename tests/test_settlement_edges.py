"""What plays, what is covered and what is refused exactly at a limit, one cent beside it, and where a book is silent.

Every amount is worked out by hand from the clause or the reading that a test names.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from punto.amounts import MOST
from punto.coup import deal
from punto.rulebook import Basis, Book, Menu, Refused, load, menu, record
from punto.settlement import (
    Chips,
    Cover,
    Limits,
    Struck,
    Wager,
    came_back,
    check_stake,
    insured,
    most_cover,
    offer,
    playing,
    pro_rata,
    settle,
    strike,
)

BOOKS = Path(__file__).parent.parent / "src/punto/rulebook/books"
RWS = ("commission-insurance", "da-hu-ying-xiong", "wu-song")
DA_HU, COMMISSION, WU_SONG = "da-hu-ying-xiong", "commission-insurance", "wu-song"
MBS, HOIANA = "dragon-tiger-mbs", "dragon-tiger-hoiana"
LeftOut = Callable[[str, str], Book]


def on(bet: str, *whole: int) -> list[Wager]:
    """Wagers on one bet, in whole units of currency."""
    return [Wager(bet, 100 * stake) for stake in whole]


def plays(book: str | Menu, wagers: list[Wager], limits: Limits, boxes: list[int] | None = None) -> list[float]:
    """What plays of each wager, in units of currency."""
    return [stake / 100 for stake, _ in cut(book, wagers, limits, boxes)]


def cut(
    book: str | Menu, wagers: list[Wager], limits: Limits, boxes: list[int] | None = None
) -> list[tuple[int, Basis]]:
    return playing(menu(load(book)) if isinstance(book, str) else book, wagers, limits, boxes=boxes)


@pytest.fixture
def without(tmp_path: Path) -> LeftOut:
    """A book that says nothing of one key."""

    def leave_out(book: str, key: str) -> Book:
        lines = (BOOKS / f"{book}.toml").read_text().splitlines(keepends=True)
        left = [line for line in lines if not line.startswith(f"{key} = ")]
        assert len(left) == len(lines) - 1
        file = tmp_path / f"{book}-without-{key}.toml"
        file.write_text("".join(left))
        return load(str(file))

    return leave_out


# Pro rata


@pytest.mark.parametrize("book", RWS)
def test_who_is_pinned_at_the_minimum_is_pinned_at_chips_that_reach_it(book: str) -> None:
    """5.1.1, AMB-21: minimum 105, chips of 10. 120 would fall under 105 and plays 110, never 100.

    890 is left for 2500: 712 and 178, down to the chip. Where Player may win 1 to 2 it goes by two chips (AMB-30):
    120 is the least, and of 880 there are 704 and 176.
    """
    limits = Limits(minimum=10500, differential=100000, unit=1000)
    by_two = book == WU_SONG
    assert plays(book, on("player", 2000, 500, 120), limits) == ([700, 160, 120] if by_two else [710, 170, 110])


def test_a_stake_smaller_than_the_chips_that_reach_the_minimum_plays_whole() -> None:
    """106 would be pinned at 120, which is more than lies there; 894 is left, by two chips of 10."""
    limits = Limits(minimum=10500, differential=100000, unit=1000)
    assert plays(WU_SONG, on("player", 2000, 106), limits) == [880, 106]


def test_hoiana_scales_a_wager_of_exactly_the_minimum() -> None:
    """7.19 and 7.19.1: only what is under the minimum plays in full. 1000 of 2000: one half each."""
    limits = Limits(minimum=10000, differential=100000)
    assert plays(HOIANA, on("player", 1900, 100), limits) == [950, 50]
    assert plays(HOIANA, on("player", 1901, 99), limits) == [901, 99]


def test_where_small_wagers_take_all_that_is_allowed_nothing_is_left_for_the_others() -> None:
    """7.19.1, limit 50, minimum 100: 90 and 80 play in full, and of 500 nothing can."""
    assert plays(HOIANA, on("player", 90, 80, 500), Limits(minimum=10000, differential=5000)) == [90, 80, 0]


def test_the_floor_holds_even_if_all_floors_together_are_over_the_limit() -> None:
    """AMB-21: limit 150, minimum 100, three of 200: the minimum for each, and the limit is overrun."""
    assert plays(WU_SONG, on("player", 200, 200, 200), Limits(minimum=10000, differential=15000)) == [100, 100, 100]


def test_nothing_is_scaled_up() -> None:
    assert pro_rata([600, 400], 2000, minimum=0, floor=False, units=[1, 1]) == [600, 400]
    assert pro_rata([600, 400], 1000, minimum=0, floor=False, units=[1, 1]) == [600, 400]
    assert pro_rata([605, 395], 1000, minimum=0, floor=False, units=[10, 10]) == [605, 395]


def test_without_a_minimum_a_stake_may_be_scaled_to_nothing() -> None:
    """AMB-21: half of a cent is rounded down."""
    wagers = [Wager("player", 1), Wager("player", 99999)]
    assert [stake for stake, _ in cut(COMMISSION, wagers, Limits(differential=50000))] == [0, 49999]


@pytest.mark.parametrize("book", RWS)
def test_only_what_was_placed_under_the_minimum_rests_on_its_own_clause(book: str) -> None:
    """5.1.2 is for less than the minimum of 100; 100 itself is held there by 5.1.1, and nothing of it comes back."""
    limits = Limits(minimum=10000, differential=100000)
    (big, why), (small, none) = cut(book, on("player", 2000, 100), limits)
    assert (big, why.clause) == (90000, "5.1.1")
    assert (small, none.clauses) == (10000, ())
    (_, why), (small, under) = cut(book, on("player", 2000, 99), limits)
    assert (small, under.clauses) == (9900, ("5.1.2",))


# Exactly at a limit


@pytest.mark.parametrize("book", [*RWS, HOIANA, MBS])
def test_a_gap_of_exactly_the_differential_is_allowed(book: str) -> None:
    """Over is more than the limit (RWS 5.1, MBS 5.18, Hoiana 7.19): 1000 on Player alone; 1400 against 400."""
    limits = Limits(minimum=10000, differential=100000)
    for wagers in ([*on("player", 940, 60), *on("tie", 500)], [*on("player", 60, 1340), *on("banker", 400)]):
        assert cut(book, wagers, limits) == [(wager.stake, Basis()) for wager in wagers]


@pytest.mark.parametrize("book", [*RWS, HOIANA])
def test_one_cent_over_the_differential_is_cut(book: str) -> None:
    wagers = [Wager("player", 100001), *on("tie", 500)]
    assert plays(book, wagers, Limits(differential=100000)) == [1000, 500]


@pytest.mark.parametrize("book", RWS)
def test_rws_a_box_of_exactly_the_maximum_is_whole(book: str) -> None:
    """AMB-26: 940 and 60 come to the maximum of 1000; that 60 is under the minimum changes nothing then."""
    wagers, limits = [*on("player", 940, 60), *on("tie", 500)], Limits(minimum=10000, maximum=100000)
    assert cut(book, wagers, limits) == [(wager.stake, Basis()) for wager in wagers]
    assert plays(book, [Wager("player", 100001), *on("tie", 500)], limits) == [1000, 500]


@pytest.mark.parametrize("book", [MBS, HOIANA])
def test_a_wager_of_exactly_its_maximum_is_whole(book: str) -> None:
    wagers, limits = [*on("player", 1000), *on("tie", 500)], Limits(maximum=100000, maximums={"tie": 50000})
    assert cut(book, wagers, limits) == [(wager.stake, Basis()) for wager in wagers]


@pytest.mark.parametrize("book", [MBS, HOIANA])
def test_what_is_over_the_maximum_plays_in_whole_chips(book: str) -> None:
    """MBS 5.15, Hoiana 7.18: 1200 is cut to the maximum of 1050, and of that 1000 are chips of 100."""
    assert plays(book, on("player", 1200), Limits(maximum=105000, unit=10000)) == [1000]


@pytest.mark.parametrize("book", RWS)
def test_boxes_within_the_limit_may_still_be_over_it_together(book: str) -> None:
    """AMB-20: limit 1000, 600 on Player in each of two boxes: the table is 200 over, and each plays 500."""
    assert plays(book, on("player", 600, 600), Limits(differential=100000), [1, 2]) == [500, 500]
    assert plays(book, on("player", 600, 600), Limits(maximum=100000, differential=100000), [1, 2]) == [500, 500]


@pytest.mark.parametrize("book", RWS)
def test_a_cut_by_the_differential_alone_does_not_rest_on_the_maximum(book: str) -> None:
    """AMB-29 is the reading that takes what is over the maximum for excess."""
    [(_, why)] = cut(book, on("player", 1500), Limits(differential=100000))
    assert "AMB-29" not in why.readings
    [(_, why)] = cut(book, on("player", 1500), Limits(maximum=100000))
    assert "AMB-29" in why.readings


# Books that are silent


def test_without_a_word_on_its_scope_the_differential_is_of_the_table(without: LeftOut) -> None:
    """AMB-20: the defined term is of the table."""
    silent = menu(without(WU_SONG, "differential-scope"))
    level = [*on("banker", 1500), *on("player", 1500)]
    assert plays(silent, level, Limits(differential=100000), [1, 2]) == [1500, 1500]
    [(stake, why)] = cut(silent, on("player", 1500), Limits(differential=100000))
    assert (stake, why.clauses, "AMB-20" in why.readings) == (100000, ("5.1.1",), False)


@pytest.mark.parametrize("key", ["maximum-scope", "over-maximum"])
def test_one_word_is_enough_for_a_maximum_of_each_wager(without: LeftOut, key: str) -> None:
    """Either that the maximum is for a wager (3.5.1), or that what is over it is cut to it (5.15)."""
    silent = menu(without(MBS, key))
    wagers = on("player", 900, 900, 1500)
    assert plays(silent, wagers, Limits(maximum=100000), [1, 1, 1]) == [900, 900, 1000]
    why = cut(silent, wagers, Limits(maximum=100000), [1, 1, 1])[2][1]
    assert why.clauses == (() if key == "over-maximum" else ("5.15",))


def test_a_maximum_of_the_box_is_kept_where_nothing_is_said_of_the_excess(without: LeftOut) -> None:
    silent = menu(without(WU_SONG, "over-maximum"))
    wagers = [*on("player", 900, 600), *on("tie", 300)]
    found = cut(silent, wagers, Limits(maximum=100000, maximums={"tie": 10000}))
    assert [(stake, why.clauses) for stake, why in found] == [(60000, ("5.1.1",)), (40000, ("5.1.1",)), (10000, ())]


def test_a_small_wager_plays_whole_where_no_clause_says_so(without: LeftOut) -> None:
    silent = menu(without(WU_SONG, "under-minimum-in-excess"))
    limits = Limits(minimum=10000, differential=100000)
    assert [(stake, why.clauses) for stake, why in cut(silent, on("player", 60, 2000), limits)] == [
        (6000, ()),
        (94000, ("5.1.1",)),
    ]


def test_without_a_pipeline_no_limit_is_applied(without: LeftOut) -> None:
    silent = menu(without(MBS, "pipeline"))
    assert plays(silent, on("player", 1500), Limits(maximum=100000, differential=50000)) == [1500]


# What can be posted


def test_the_most_that_can_be_posted_can_be_and_no_more() -> None:
    posted = Limits(minimum=MOST, maximum=MOST, differential=MOST, unit=MOST)
    assert posted.unit == MOST
    for name in ("minimum", "maximum", "differential", "unit"):
        with pytest.raises(Refused):
            Limits(**{name: MOST + 1})  # type: ignore[arg-type]  # one of each kind
    for name in ("minimums", "maximums"):
        with pytest.raises(Refused):
            Limits(**{name: {"tie": MOST + 1}})  # type: ignore[arg-type]  # one of each kind


@pytest.mark.parametrize("unit", [0, -1])
def test_a_chip_is_worth_something(unit: int) -> None:
    assert Limits(unit=1).unit == 1
    with pytest.raises(Refused):
        Limits(unit=unit)


def test_minimum_and_maximum_may_be_the_same() -> None:
    assert Limits(minimum=500, maximum=500).maximum == 500
    with pytest.raises(Refused):
        Limits(minimum=501, maximum=500)


# Cover


def test_cover_on_the_wager_after_the_last_is_refused() -> None:
    with pytest.raises(Refused, match="no wager 1 to insure"):
        settle(load(COMMISSION), deal("6 2 K A 5"), on("player", 100), [Cover("four-cards", "player", 1000, 1)])


def test_cover_is_for_the_only_wager_on_its_hand() -> None:
    wagers = [*on("tie", 100), *on("player", 100), *on("banker", 100)]
    assert (insured("player", wagers), insured("banker", wagers)) == (1, 2)
    with pytest.raises(Refused, match="no wager on banker"):
        insured("banker", wagers[:2])
    with pytest.raises(Refused, match="2 wagers on player"):
        insured("player", [*wagers, *on("player", 100)])


@pytest.mark.clause(DA_HU, "3.12.2")
def test_da_hu_all_cover_of_a_window_together_is_at_most_the_original() -> None:
    """Original 1000, 4 to 1: after 600 there is room for 400 on the same wager, and for 1000 on another."""
    book, coup, wagers = load(DA_HU), deal("7 2 K A 5"), on("player", 1000, 1000)
    first = Cover("four-cards", "player", 60000, 0)
    limits = Limits(maximum=200000)
    assert len(strike(book, coup, wagers, [first, Cover("four-cards", "player", 40000, 0)], limits)) == 2
    assert len(strike(book, coup, wagers, [first, Cover("four-cards", "player", 100000, 1)], limits)) == 2
    with pytest.raises(Refused) as refused:
        strike(book, coup, wagers, [first, Cover("four-cards", "player", 40001, 0)], limits)
    assert refused.value.clause == "3.12.2"


def test_da_hu_at_ten_to_one_a_quarter_of_the_maximum_is_for_all_cover_together() -> None:
    """3.12.2, maximum 2000: 500 at 10 to 1 in all, so 200 after 300."""
    book, coup, limits = load(DA_HU), deal("3 2 K K 5 9"), Limits(maximum=200000)
    row = offer(book, coup, "third-card", "player")
    first = Struck(Cover("third-card", "player", 30000, 0), row)
    assert most_cover(book, coup, "third-card", "player", 100000, limits, struck=[first]) == 20000


def test_where_more_is_struck_than_the_original_now_allows_no_more_is_and_not_less_than_nothing() -> None:
    book, coup, limits = load(DA_HU), deal("7 2 K A 5"), Limits(maximum=200000)
    first = Struck(Cover("four-cards", "player", 90000, 0), offer(book, coup, "four-cards", "player"))
    assert most_cover(book, coup, "four-cards", "player", 50000, limits, struck=[first]) == 0


def test_cover_of_one_window_leaves_the_cap_of_the_next_alone_in_da_hu_only() -> None:
    """3.12.2: Da Hu gives a fresh cap each time; in the other book all payouts of the round count together.

    Player 5 against 4, then 7 against 4: 25 at 2 to 1 leaves 50 of 100 for 4 to 1.
    """
    coup = deal("5 4 K K 2 3")
    for book, most in ((DA_HU, 10000), (COMMISSION, 1250)):
        first = Struck(Cover("four-cards", "player", 2500, 0), offer(load(book), coup, "four-cards", "player"))
        limits = Limits(maximum=1000000)
        assert most_cover(load(book), coup, "third-card", "player", 10000, limits, struck=[first]) == most


def test_cover_on_a_bet_that_is_cut_stands_as_struck_and_says_by_which_reading() -> None:
    """AMB-64: of 1500 on Player 1000 play; the cover of 100 is paid in full. Player 6 loses to Banker 8."""
    book, coup = load(COMMISSION), deal("6 2 K A 5")
    covers = [Cover("four-cards", "player", 10000, 0)]
    wager, cover = settle(book, coup, on("player", 1500), covers, limits=Limits(differential=100000))
    assert (wager.net, wager.returned, cover.net) == (-100000, 50000, 30000)
    assert "AMB-64" in cover.basis.readings
    _, whole = settle(book, coup, on("player", 1000), covers, limits=Limits(differential=100000))
    assert (whole.net, "AMB-64" in whole.basis.readings) == (30000, False)


# Lines


@pytest.mark.clause(WU_SONG, "5.1.1", "5.1.2")
def test_a_line_says_what_comes_back_over_the_limit_and_only_where_something_does() -> None:
    """5.1.1, 5.1.2: minimum 100, limit 1000: 2000 plays 940, and 60 plays whole."""
    limits = Limits(minimum=10000, differential=100000)
    big, small = settle(load(WU_SONG), deal("K 9 K K"), on("player", 2000, 60), limits=limits)
    assert (big.effective, big.returned, small.effective, small.returned) == (94000, 106000, 6000, 0)
    assert "1060.00" in big.says
    assert small.clauses[-1] == "5.1.2"
    assert small.says.endswith("60.00 on Player loses.")


def test_a_line_says_whether_a_wager_loses_or_comes_back() -> None:
    book = load(WU_SONG)
    [lost] = settle(book, deal("K 9 K K"), on("player", 100))
    [back] = settle(book, deal("9 9 K K"), on("player", 100))
    assert lost.says.endswith("loses.")
    assert back.says.endswith("comes back.")


def test_a_line_without_a_clause_has_none() -> None:
    """Only a reading (AMB-64) sends cover back with its bet."""
    covers = [Cover("four-cards", "player", 2000, 0)]
    _, cover = settle(load(COMMISSION), deal("6 2 K A 5"), on("player", 100), covers)
    assert cover.clause == "4.1.3"
    back = came_back(cover)
    assert (back.clause, back.clauses, back.basis.readings) == (None, (), ("AMB-64",))


def test_no_float_and_no_truth_is_a_stake() -> None:
    player = menu(load(COMMISSION))["player"]
    for stake in (100.0, True, "100"):
        with pytest.raises(Refused):
            check_stake(player, stake, Chips())  # type: ignore[arg-type]  # what a careless program might pass


def test_the_smallest_stake_is_a_cent() -> None:
    check_stake(menu(load(COMMISSION))["player"], 1, Chips())


def test_a_book_may_round_up_by_itself(tmp_path: Path, without: LeftOut) -> None:
    """AMB-30: 25 at 0.95 is 23.75, with chips of 1 that is 24; a book that says nothing pays to the cent."""
    text = (BOOKS / f"{COMMISSION}.toml").read_text()
    changed = text.replace('payout-rounding = { value = "exact"', 'payout-rounding = { value = "up"')
    assert changed != text
    (tmp_path / "up.toml").write_text(changed)
    coup, limits = deal("2 8 K 8 8"), Limits(unit=100)
    assert settle(load(str(tmp_path / "up.toml")), coup, on("banker", 25), limits=limits)[0].net == 2400
    assert settle(without(COMMISSION, "payout-rounding"), coup, on("banker", 25))[0].net == 2375


def test_a_side_bet_cites_that_it_may_stand_alone_only_where_it_does() -> None:
    book = load(HOIANA)
    [alone] = {bet.alone for bet in book.bets.values() if bet.alone}
    for wagers, cited_then in ((on("tie", 100), True), ([*on("tie", 100), *on("player", 100)], False)):
        with record() as cited:
            settle(book, deal("K 9 K K"), wagers, layout="1")
        assert ((HOIANA, alone) in cited) == cited_then
