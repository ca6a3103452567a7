"""What wagers are paid: every pay row by hand, every outcome by the second implementation."""

import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.amounts import BadAmount, money, show_money
from punto.coup import Card, deal, deal_from
from punto.rulebook import Menu, Refused, ids, load, menu
from punto.settlement import Cover, Limits, Wager, most_cover, pro_rata, settle, total

from every_outcome import assert_paid_as_printed, assert_settled_as_by_the_second
from second import MENUS

CASES = tomllib.loads((Path(__file__).parent / "cases/pay-rows.toml").read_text())["case"]
LAYOUTS = [(book, layout) for book in ids() for layout in load(book).layouts]


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            case,
            id=f"{case['rulebook']} {case['clause']}",
            marks=pytest.mark.clause(case["rulebook"], case["clause"]),
        )
        for case in CASES
    ],
)
def test_each_pay_row_pays_what_the_book_prints(case: dict[str, Any]) -> None:
    book, layout = load(case["rulebook"]), case.get("layout")
    coup = deal(case["cards"])
    assert [coup.player_points, coup.banker_points] == case["points"]
    [line] = settle(book, coup, [Wager(case["bet"], money(case["stake"]))], layout=layout)
    assert (line.result, show_money(line.net)) == ("win", f"{case['net']}.00")
    assert line.basis.clauses[0] == case["clause"]
    if "not-row" in case:
        [other] = settle(book, deal(case["not-row"]), [Wager(case["bet"], 10000)], layout=layout)
        assert case["clause"] not in other.basis.clauses
    assert_paid_as_printed(case["rulebook"], case["bet"])


@pytest.mark.parametrize(("book", "layout"), LAYOUTS)
def test_every_outcome_of_every_bet_agrees_with_the_second_implementation(book: str, layout: str) -> None:
    """All 2,000 outcomes, whether or not the cards can make them."""
    assert set(menu(load(book), layout).bets) == set(MENUS[book][layout])
    for bet in MENUS[book][layout]:
        assert_settled_as_by_the_second(book, layout, bet)


def test_every_verdict_names_a_clause() -> None:
    for book, layout in LAYOUTS:
        for bet in menu(load(book), layout).bets.values():
            assert all(verdict.basis.clauses for verdict in bet.vector())


@pytest.mark.clause("commission-insurance", "4.1.1", "4.1.2#banker", "4.1.2")
def test_commission_is_in_the_odds_and_not_taken_twice() -> None:
    """100 on Banker wins 95, never 90.25 (AMB-31); 25 wins 23.75 to the cent (AMB-30)."""
    book, coup = load("commission-insurance"), deal("2 8 K 8 8")
    assert [line.net for line in settle(book, coup, [Wager("banker", 10000), Wager("banker", 2500)])] == [
        9500,
        2375,
    ]


@pytest.mark.clause("dragon-tiger-mbs", "4.1#banker", "4.1")
def test_mbs_pays_banker_95_whatever_its_points() -> None:
    book = load("dragon-tiger-mbs")
    for cards in ("2 8 K 8 8", "6 2 8 J 9 2"):
        [line] = settle(book, deal(cards), [Wager("banker", 10000)])
        assert (line.net, line.odds) == (9500, "0.95:1")


@pytest.mark.clause("dragon-tiger-hoiana", "5.1.1#banker", "5.1.1", "2.2.5", "2.2.6")
def test_hoiana_commission_version_pays_95_even_on_six() -> None:
    book = load("dragon-tiger-hoiana")
    [line] = settle(book, deal("2 8 K 8 8"), [Wager("banker", 20000)], layout="3")
    assert line.net == 19000


@pytest.mark.clause("dragon-tiger-hoiana", "5.1.3#dragon-tiger", "5.1.3", "5.1", "2.2.7", "6.7.1.1")
def test_hoiana_dragon_tiger_goes_by_the_cards_on_the_table() -> None:
    """P 7-6-4 (7) against B 7-9 (6): five cards, 40 to 1."""
    [line] = settle(load("dragon-tiger-hoiana"), deal("7 7 6 9 4"), [Wager("dragon-tiger", 1000)], layout="1")
    assert (line.net, line.odds) == (40000, "40:1")


@pytest.mark.clause("dragon-tiger-hoiana", "6.1.1.1", "6.1.1.2", "6.1.1.3", "2.2.19", "2.2.21")
def test_hoiana_player_wager_wins_loses_and_stands_off() -> None:
    book = load("dragon-tiger-hoiana")
    nets = [
        settle(book, deal(cards), [Wager("player", 10000)], layout="1")[0]
        for cards in ("8 7 K K", "3 7 K K K", "7 7 K K")
    ]
    assert [(line.result, line.net) for line in nets] == [("win", 10000), ("lose", -10000), ("stand-off", 0)]


@pytest.mark.clause("dragon-tiger-hoiana", "6.1.2.1", "6.1.2.2", "6.1.2.3", "5.1.2")
def test_hoiana_banker_wager_wins_loses_and_stands_off() -> None:
    book = load("dragon-tiger-hoiana")
    cards = ("2 9 K K", "9 2 K K", "6 6 K K")
    lines = [settle(book, deal(each), [Wager("banker", 10000)], layout="1")[0] for each in cards]
    assert [(line.result, line.net) for line in lines] == [("win", 10000), ("lose", -10000), ("stand-off", 0)]


@pytest.mark.clause("dragon-tiger-hoiana", "6.1.3", "6.2.1", "6.2.1.1", "6.2.1.2", "4.11.2.1")
def test_hoiana_tie_and_pairs() -> None:
    """Two different court cards are worth the same and are no pair."""
    book = load("dragon-tiger-hoiana")
    lines = settle(book, deal("4 4 K K 6 6"), [Wager("tie", 10000), Wager("player-pair", 100)], layout="1")
    assert [(line.result, line.net) for line in lines] == [("win", 80000), ("lose", -100)]
    paired = settle(book, deal("J 9 J Q"), [Wager("player-pair", 100), Wager("banker-pair", 100)], layout="2")
    assert [(line.result, line.net) for line in paired] == [("win", 1100), ("lose", -100)]
    unlike = settle(book, deal("Q 9 K Q"), [Wager("player-pair", 100)], layout="2")
    assert unlike[0].result == "lose"


@pytest.mark.parametrize(
    ("bet", "settled", "win", "lose", "odds"),
    [
        pytest.param(case[0], *case[2:], marks=pytest.mark.clause("dragon-tiger-hoiana", case[1], case[2]), id=case[0])
        for case in [
            ("small-dragon", "6.3.1", "6.3.1.1", "7 6 K K", "2 6 3 K 2", 15),
            ("big-dragon", "6.4.1", "6.4.1.1", "2 6 3 K 2", "7 6 K K", 30),
            ("small-tiger", "6.5.1", "6.5.1.1", "5 6 K K K", "2 A 3 2 9 3", 22),
            ("big-tiger", "6.6.1", "6.6.1.1", "2 A 3 2 9 3", "5 6 K K K", 50),
            ("dragon-tiger", "6.7.1", "6.7.1.1", "7 6 K K", "7 5 K K K", 30),
        ]
    ],
)
def test_hoiana_side_bets_win_and_lose_as_section_6_says(
    bet: str, settled: str, win: str, lose: str, odds: int
) -> None:
    book = load("dragon-tiger-hoiana")
    [won] = settle(book, deal(win), [Wager(bet, 100)], layout="1")
    [lost] = settle(book, deal(lose), [Wager(bet, 100)], layout="3")
    assert (won.result, won.net) == ("win", 100 * odds)
    assert (lost.result, lost.net) == ("lose", -100)
    assert lost.clause == settled
    for layout in book.layouts:
        assert_settled_as_by_the_second(book.id, layout, bet)


@pytest.mark.parametrize(
    ("book", "clause", "tie"),
    [
        pytest.param(book, clause, tie, marks=pytest.mark.clause(book, clause, *tie), id=book)
        for book, clause, tie in [
            ("da-hu-ying-xiong", "3.16", ("3.17", "1.22")),
            ("commission-insurance", "3.16", ("3.17", "1.20")),
            ("wu-song", "3.13", ("3.14", "1.26", "1.14")),
            ("dragon-tiger-mbs", "3.15", ("3.15.1", "1.1.13")),
        ]
    ],
)
def test_the_higher_hand_wins_and_a_tie_gives_main_bets_back(book: str, clause: str, tie: tuple[str, ...]) -> None:
    """9 beats 8, for either hand; at 7-7 both main bets come back and the Tie bet wins."""
    wagers = [Wager("player", 10000), Wager("banker", 10000)]
    high = settle(load(book), deal("9 8 K K"), wagers)
    assert [(line.result, line.net) for line in high] == [("win", 10000), ("lose", -10000)]
    assert high[1].clause == clause
    low = settle(load(book), deal("8 9 K K"), wagers)
    assert [line.result for line in low] == ["lose", "win"]
    assert low[0].clause == clause
    level = settle(load(book), deal("7 7 K K"), [*wagers, Wager("tie", 1000)])
    assert [line.result for line in level] == ["stand-off", "stand-off", "win"]
    assert level[0].clause == tie[0]


@pytest.mark.clause("dragon-tiger-mbs", "4.2", "4.3", "1.1.3", "3.5#dragon-tiger", "2.2.4")
def test_one_coup_can_pay_several_bets_each_on_its_own_row() -> None:
    """Player 7 over Banker 6 on four cards: Dragon Tiger 30, Small Dragon 15, Big Dragon and Tigers lose."""
    wagers = [Wager(bet, 100) for bet in ("dragon-tiger", "small-dragon", "big-dragon", "small-tiger")]
    lines = settle(load("dragon-tiger-mbs"), deal("7 6 K Q"), wagers)
    assert [line.net for line in lines] == [3000, 1500, -100, -100]


@pytest.mark.clause("da-hu-ying-xiong", "1.23", "1.3", "1.20", "1.24", "4.1.1")
def test_tiger_bets_are_independent() -> None:
    """AMB-44: a three-card Banker 6 pays Tiger 20 and Big Tiger 50; at 6-6 only Tiger Tie wins."""
    book = load("da-hu-ying-xiong")
    wagers = [Wager(bet, 100) for bet in ("tiger", "big-tiger", "small-tiger", "tiger-tie")]
    assert [line.net for line in settle(book, deal("8 A 6 T 7 5"), wagers)] == [2000, 5000, -100, -100]
    assert [line.net for line in settle(book, deal("6 4 K 2"), wagers)] == [-100, -100, -100, 3500]


@pytest.mark.clause("da-hu-ying-xiong", "1.25", "1.25#single", "1.25#double", "1.25#twin")
def test_tiger_pair_pays_its_highest_tier_only() -> None:
    """J-J against K-K is double, not twin, though both are worth nothing (AMB-03, AMB-04, AMB-05)."""
    book = load("da-hu-ying-xiong")
    coups = {
        "4 9 4 2 5 K": 400,
        "J K J K 8 9": 2000,
        "4 J 4 J": 2000,
        "7 7 7 7 5 3": 10000,
        "T 4 K 5": -100,
        "J 4 Q 5": -100,
    }
    for cards, net in coups.items():
        [line] = settle(
            book, deal_from(tuple(Card(each.rank) for each in deal_cards(cards))), [Wager("tiger-pair", 100)]
        )
        assert line.net == net, cards


def deal_cards(text: str) -> tuple[Card, ...]:
    """Cards with two more behind them, so that any coup can be finished."""
    from punto.coup import cards

    return (*cards(text), Card(10), Card(10))


@pytest.mark.clause("wu-song", "1.29", "4.1.10", "1.30", "4.1.9")
def test_wu_dalang_needs_a_win_and_wu_song_three_cards() -> None:
    """AMB-41: Player 1 against 0 wins 150 to 1; at 1-1 or behind it loses."""
    book = load("wu-song")
    for cards, dalang in (("8 T 4 T 9 J", 15000), ("4 3 7 Q J 8", -100), ("K 5 K K A", -100)):
        assert settle(book, deal(cards), [Wager("wu-dalang", 100)], layout="A")[0].net == dalang
    assert settle(book, deal("2 5 2 K 2"), [Wager("wu-song", 100)])[0].net == 3600
    assert settle(book, deal("2 T 4 T K"), [Wager("wu-song", 100)])[0].net == -100


@pytest.mark.clause("wu-song", "1.13", "1.13.1", "1.13.2", "4.1.1")
def test_wu_song_pays_half_on_banker_6_and_7_and_on_player_7() -> None:
    book = load("wu-song")
    for cards, bet, net in (
        ("5 6 K K K", "banker", 5000),
        ("5 7 K K K", "banker", 5000),
        ("K 8 K K", "banker", 10000),
        ("7 6 K K", "player", 5000),
        ("8 6 K K", "player", 10000),
        ("6 K K K 5", "player", 10000),
    ):
        assert settle(book, deal(cards), [Wager(bet, 10000)])[0].net == net


@pytest.mark.clause("wu-song", "4.1.2", "4.1.3", "4.1.4", "1.27")
def test_a_tie_at_six_pays_by_layout() -> None:
    """AMB-43: 10 to 1 on A, B, D; 8 to 1 on C, E, F; Tiger Tie 35 to 1 everywhere."""
    book, coup = load("wu-song"), deal("6 4 K 2")
    for layout in "ABCDEF":
        lines = settle(book, coup, [Wager("tie", 100), Wager("tiger-tie", 100)], layout=layout)
        assert [line.net for line in lines] == [1000 if layout in "ABD" else 800, 3500]


@pytest.mark.clause("da-hu-ying-xiong", "1.12", "4.1.1#banker-wins-6")
def test_da_hu_pays_half_on_banker_six() -> None:
    """AMB-32: half of the bet is won, and the bet itself is kept; 25 wins 12.50 (AMB-30)."""
    book, coup = load("da-hu-ying-xiong"), deal("2 8 K 8 8")
    assert [line.net for line in settle(book, coup, [Wager("banker", 10000), Wager("banker", 2500)])] == [
        5000,
        1250,
    ]


@pytest.mark.clause("dragon-tiger-hoiana", "2.2.12", "5.1.2#banker-6")
def test_hoiana_non_commission_pays_half_on_banker_six() -> None:
    assert settle(load("dragon-tiger-hoiana"), deal("2 8 K 8 8"), [Wager("banker", 10000)], layout="2")[0].net == 5000


@pytest.mark.parametrize(
    ("book", "stake", "multiple"),
    [
        ("commission-insurance", 2510, "0.20"),
        ("da-hu-ying-xiong", 1, "0.02"),
        ("dragon-tiger-mbs", 1, "0.20"),
    ],
)
def test_a_stake_that_could_not_be_paid_to_the_cent_is_refused(book: str, stake: int, multiple: str) -> None:
    """AMB-30: whatever the cards, and naming the multiple that is accepted."""
    for cards in ("2 8 K 8 8", "8 7 K K"):
        with pytest.raises(Refused, match=f"a multiple of {multiple}") as refused:
            settle(load(book), deal(cards), [Wager("banker", stake)])
        assert refused.value.readings == ("AMB-30",)


def test_a_posted_rounding_rule_pays_up_to_the_chip() -> None:
    """AMB-30: with chips of 1 a Banker win of 23.75 is paid 24, in the patron's favour."""
    limits = Limits(unit=100, rounding="up")
    [line] = settle(load("commission-insurance"), deal("2 8 K 8 8"), [Wager("banker", 2500)], limits=limits)
    assert line.net == 2400
    assert "AMB-30" in line.basis.readings
    assert line.says.endswith("The payment is rounded up to the chip.")


def test_a_stake_of_which_a_limit_leaves_nothing_is_returned() -> None:
    """Of a maximum of 0.50 no chip of 1 can play."""
    limits = Limits(maximum=50, unit=100)
    [line] = settle(load("dragon-tiger-mbs"), deal("9 8 K K"), [Wager("player", 10000)], limits=limits)
    assert (line.result, line.effective, line.returned, line.net) == ("returned", 0, 10000, 0)
    assert line.clause == "5.15"


def test_both_limits_are_named_where_both_cut_a_stake() -> None:
    """Hoiana 7.18 to 1000, then 7.19 to the differential of 500."""
    limits = Limits(maximum=100000, differential=50000)
    [line] = settle(load("dragon-tiger-hoiana"), deal("9 8 K K"), [Wager("player", 150000)], limits=limits)
    assert (line.effective, line.clauses[-2:]) == (50000, ("7.18", "7.19"))


@pytest.mark.parametrize(("maximum", "effective"), [(100001, 100000), (100020, 100020), (19, 0)])
def test_what_a_maximum_leaves_can_be_paid_to_the_cent(maximum: int, effective: int) -> None:
    """MBS Banker at 0.95: of a maximum of 1000.01 a stake of 1000.00 plays, and wins 950.00 exactly."""
    [line] = settle(
        load("dragon-tiger-mbs"), deal("8 9 K K"), [Wager("banker", 200000)], limits=Limits(maximum=maximum)
    )
    assert (line.effective, line.net) == (effective, effective * 95 // 100)


def test_cover_comes_back_with_an_original_that_came_back_whole() -> None:
    """AMB-64; of a differential of 0.50 no chip of 1 can play."""
    lines = settle(
        load("commission-insurance"),
        deal("6h 2c Kd As 5h"),
        [Wager("player", 200000)],
        [Cover("four-cards", "player", 60000, 0)],
        limits=Limits(differential=50, unit=100),
    )
    assert [(line.result, line.net, line.returned) for line in lines] == [
        ("returned", 0, 200000),
        ("returned", 0, 60000),
    ]


def test_rounding_down_needs_a_ruling_and_is_refused() -> None:
    """AMB-30."""
    with pytest.raises(Refused, match="recorded ruling"):
        settle(load("wu-song"), deal("9 8 K K"), [Wager("player", 100)], limits=Limits(rounding="down"))


@pytest.mark.parametrize("limits", [{"minimum": 500, "maximum": 100}, {"unit": 0}])
def test_absurd_limits_are_refused(limits: dict[str, int]) -> None:
    with pytest.raises(Refused):
        Limits(minimum=limits.get("minimum"), maximum=limits.get("maximum"), unit=limits.get("unit", 1))


def test_a_stake_that_is_no_whole_number_is_refused() -> None:
    with pytest.raises(Refused, match="whole number of minor units"):
        settle(load("wu-song"), deal("9 8 K K"), [Wager("player", 1.5)])  # type: ignore[arg-type]  # the point


@pytest.mark.parametrize(
    "book",
    [
        pytest.param(book, marks=pytest.mark.clause(book, clause), id=book)
        for book, clause in (
            ("da-hu-ying-xiong", "5.1.2"),
            ("commission-insurance", "5.1.2"),
            ("wu-song", "5.1.2"),
            ("dragon-tiger-hoiana", "7.19.1"),
        )
    ],
)
def test_a_bet_under_the_minimum_plays_in_full_where_others_are_scaled(book: str) -> None:
    """Minimum 100, limit 1000: 2000 and 60 on Player play as 940 and 60."""
    limits = Limits(minimum=10000, differential=100000)
    lines = settle(load(book), deal("9 8 K K"), [Wager("player", 200000), Wager("player", 6000)], limits=limits)
    assert [line.effective for line in lines] == [94000, 6000]


def test_cover_stays_whole_where_only_a_part_of_the_original_plays() -> None:
    """AMB-64: its cap looks at the Original Bet as placed, and the reading is named."""
    limits = Limits(maximum=50000)
    lines = settle(
        load("commission-insurance"),
        deal("6h 2c Kd As 5h"),
        [Wager("player", 100000)],
        [Cover("four-cards", "player", 30000, 0)],
        limits=limits,
    )
    assert [(line.effective, line.net) for line in lines] == [(50000, -50000), (30000, 90000)]
    assert "AMB-64" in lines[1].basis.readings


@pytest.mark.parametrize("stake", [0, -100])
def test_a_stake_of_nothing_or_less_is_refused(stake: int) -> None:
    with pytest.raises(Refused, match="more than nothing"):
        settle(load("wu-song"), deal("9 8 K K"), [Wager("player", stake)])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("-5", "negative"),
        ("0.001", "finer than the minor unit"),
        ("ten", "is not an amount"),
        ("1e3", "is not an amount"),
        ("", "is not an amount"),
        ("1,000", "is not an amount"),
        ("NaN", "is not an amount"),
        ("9" * 16, "at most fifteen"),
    ],
)
def test_what_is_no_amount_is_refused(text: str, says: str) -> None:
    with pytest.raises(BadAmount, match=says):
        money(text)


@given(st.integers(min_value=0, max_value=10**16))
def test_money_is_read_as_it_is_written(amount: int) -> None:
    assert money(show_money(amount)) == amount


def a_shoe_of_six() -> st.SearchStrategy[tuple[Card, ...]]:
    return st.tuples(*[st.builds(Card, st.integers(1, 13))] * 6)


@given(a_shoe_of_six(), st.sampled_from(LAYOUTS), st.data())
def test_money_is_conserved_under_limits_rounding_and_cover(
    shoe: tuple[Card, ...], where: tuple[str, str], data: st.DataObject
) -> None:
    """Whatever is posted: each part of a stake plays or comes back, and a payment is exact or rounded up."""
    carried: Menu = menu(load(where[0]), where[1])
    coup = deal_from(shoe)
    limits = Limits(
        minimum=data.draw(st.sampled_from([None, 1000])),
        maximum=data.draw(st.sampled_from([None, 100000])),
        differential=data.draw(st.sampled_from([None, 50000])),
        unit=data.draw(st.sampled_from([1, 100])),
        rounding=data.draw(st.sampled_from([None, "up"])),
    )
    bets = data.draw(st.lists(st.sampled_from(list(carried.bets)), min_size=1, max_size=5))
    wagers = [Wager(bet, data.draw(st.integers(1, 10**4)) * carried[bet].multiple * limits.unit) for bet in bets]
    covers: list[Cover] = []
    for at, wager in enumerate(wagers):
        for stage in ("four-cards", "third-card"):
            try:
                most = most_cover(carried.book, coup, stage, wager.bet, wager.stake, limits, at)
            except Refused:
                continue
            chips = 20 * limits.unit
            if (stake := most // (2 * chips) * chips) > 0 and not covers:
                covers.append(Cover(stage, wager.bet, stake, at))
    gap = abs(sum((wager.bet == "player") * wager.stake - (wager.bet == "banker") * wager.stake for wager in wagers))
    if where[0] == "dragon-tiger-mbs" and limits.differential is not None and gap > limits.differential:
        return  # MBS has no rule for it once the cards are out; another test shows the refusal
    for line in settle(carried.book, coup, wagers, covers, layout=where[1], limits=limits):
        assert line.effective + line.returned == line.stake
        assert 0 <= line.effective <= line.stake
        assert line.net >= -line.effective
        if line.odds is not None:
            top, bottom = line.odds.split(":")
            exact = Fraction(top) / int(bottom) * line.effective
            assert exact <= line.net < exact + limits.unit
            assert line.net == exact or limits.rounding == "up"
            assert line.net % limits.unit == 0
        else:
            assert line.net == (-line.effective if line.result == "lose" else 0)


@pytest.mark.parametrize("name", ids())
@pytest.mark.parametrize("rounding", [None, "up"])
def test_rounding_makes_no_money_of_less_than_a_chip(name: str, rounding: str | None) -> None:
    """0.01 under chips of 100 would win 100 if its payment were rounded up (AMB-30)."""
    coup, limits = deal("9 2 K 3"), Limits(unit=10000, rounding=rounding)
    for stake in (1, 9999, 10001):
        with pytest.raises(Refused, match=r"cannot be laid in chips|could not be paid in chips of 100\.00"):
            settle(load(name), coup, [Wager("player", stake)], limits=limits)
    [line] = settle(load(name), coup, [Wager("player", 20000)], limits=limits)
    assert line.net == 20000


@given(a_shoe_of_six(), st.sampled_from(LAYOUTS), st.data())
def test_money_is_conserved(shoe: tuple[Card, ...], where: tuple[str, str], data: st.DataObject) -> None:
    """What the patron wins the house loses, to the cent; a stake is never more than lost or exactly paid."""
    carried: Menu = menu(load(where[0]), where[1])
    bets = data.draw(st.lists(st.sampled_from(list(carried.bets)), min_size=1, max_size=6))
    stakes = [data.draw(st.integers(1, 10**7)) * carried[bet].multiple for bet in bets]
    wagers = [Wager(bet, stake) for bet, stake in zip(bets, stakes, strict=True)]
    patron, house = sum(stakes), 0
    lines = settle(carried.book, deal_from(shoe), wagers, layout=where[1])
    patron -= sum(stakes)  # the chips lie on the table
    for line in lines:
        assert line.effective + line.returned == line.stake
        if line.result == "win":
            assert line.odds is not None
            top, bottom = line.odds.split(":")
            assert line.net == Fraction(top) / int(bottom) * line.effective
        handed_over = line.returned + line.effective + line.net
        assert handed_over >= line.returned
        patron += handed_over
        house -= line.net
    assert patron + house == sum(stakes)
    assert total(lines) == -house


@pytest.mark.clause("dragon-tiger-mbs", "5.15")
def test_mbs_over_maximum_is_collected_and_paid_to_the_maximum() -> None:
    """Maximum 1000, 1500 staked: 1000 plays and 500 comes back, won or lost."""
    limits = Limits(maximum=100000)
    [lost] = settle(load("dragon-tiger-mbs"), deal("9 8 K K"), [Wager("banker", 150000)], limits=limits)
    assert (lost.effective, lost.returned, lost.net) == (100000, 50000, -100000)
    [won] = settle(load("dragon-tiger-mbs"), deal("9 8 K K"), [Wager("player", 150000)], limits=limits)
    assert (won.effective, won.returned, won.net) == (100000, 50000, 100000)
    assert "500.00 is over the limit and comes back" in won.says


@pytest.mark.clause("dragon-tiger-hoiana", "7.18", "7.19")
def test_hoiana_over_maximum_and_pro_rata() -> None:
    book = load("dragon-tiger-hoiana")
    [line] = settle(book, deal("9 8 K K"), [Wager("player", 150000)], limits=Limits(maximum=100000))
    assert (line.net, line.returned) == (100000, 50000)
    wagers = [Wager("banker", 60000), Wager("banker", 40000)]
    lines = settle(book, deal("9 8 K K"), wagers, limits=Limits(differential=50000))
    assert [(line.effective, line.net) for line in lines] == [(30000, -30000), (20000, -20000)]


@pytest.mark.parametrize(
    "book",
    [
        pytest.param(book, marks=pytest.mark.clause(book, "5.1.1"))
        for book in ("da-hu-ying-xiong", "commission-insurance", "wu-song")
    ],
)
def test_rws_excess_that_was_not_rejected_plays_pro_rata(book: str) -> None:
    """5.1.1: limit 1000, minimum 100; 900 and 600 on Player play as 600 and 400."""
    limits = Limits(minimum=10000, differential=100000)
    lines = settle(load(book), deal("9 8 K K"), [Wager("player", 90000), Wager("player", 60000)], limits=limits)
    assert [(line.effective, line.returned, line.net) for line in lines] == [
        (60000, 30000, 60000),
        (40000, 20000, 40000),
    ]
    assert "5.1.1" in lines[0].basis.clauses


def test_pro_rata_keeps_to_the_minimum_and_leaves_smaller_bets_alone() -> None:
    """AMB-21's own example, and 5.1.2: a bet of 60 under a minimum of 100 plays in full."""
    assert pro_rata([2000, 500, 120], 1000, minimum=100, floor=True, units=[1] * 3) == [720, 180, 100]
    assert pro_rata([2000, 60], 1000, minimum=100, floor=True, units=[1, 1]) == [940, 60]
    assert pro_rata([500, 500], 150, minimum=100, floor=True, units=[1, 1]) == [100, 100]
    assert pro_rata([1000, 500], 1000, minimum=0, floor=False, units=[100, 100]) == [600, 300]


def test_mbs_has_no_pro_rata_and_refers_the_matter() -> None:
    with pytest.raises(Refused, match="residual authority") as refused:
        settle(
            load("dragon-tiger-mbs"),
            deal("9 8 K K"),
            [Wager("player", 90000)],
            limits=Limits(differential=50000),
        )
    assert (refused.value.clause, refused.value.readings) == ("6.1", ("AMB-24", "AMB-114"))
