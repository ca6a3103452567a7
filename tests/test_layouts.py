"""Layouts: which there are, what each carries, how many boxes, what is printed on it; decks; effective day."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from punto.coup import OUTCOMES, deal, outcome
from punto.lint import check_prints
from punto.rulebook import (
    Refused,
    check_box,
    check_day,
    check_decks,
    check_layout,
    check_positions,
    ids,
    load,
    menu,
)
from punto.settlement import Limits, Wager, explain, settle
from punto.table import Table, act, can
from punto.table import commands as c
from punto.table import events as e

from every_outcome import assert_paid_as_printed, drawn
from second import MENUS, Drawn, wins

# Boxes as the books state them: (least, most); None where the text does not tell.
POSITIONS: dict[str, dict[str, tuple[int, int | None]]] = {
    "da-hu-ying-xiong": dict.fromkeys("ABCDEFGHIJKLMNOPQR", (1, None)),
    "wu-song": {"A": (1, 6), "B": (1, 5), "C": (1, 5), "D": (1, 6), "E": (1, 6), "F": (1, 6)},
    "dragon-tiger-mbs": {**dict.fromkeys("ABCFGHIJK", (1, 8)), "D": (1, 9), "E": (8, 16)},
    "commission-insurance": dict(
        zip("ABCDEFG", [(1, 12), (1, 10), (1, 9), (1, 7), (1, 7), (1, 6), (1, 5)], strict=True)
    ),
    "dragon-tiger-hoiana": {"1": (1, 3), "2": (1, 5), "3": (1, 3), "4": (1, 5)},
}


def clause_of(book: str, layout: str) -> str:
    return f"App.A.{layout}" if book == "dragon-tiger-hoiana" else f"App.{layout}"


LAYOUTS = [
    pytest.param(
        book,
        layout,
        *POSITIONS[book][layout],
        id=f"{book} {layout}",
        marks=pytest.mark.clause(book, clause_of(book, layout)),
    )
    for book in ids()
    for layout in sorted(POSITIONS[book])
]


@pytest.mark.parametrize(("book", "layout", "least", "most"), LAYOUTS)
def test_each_layout_has_its_boxes(book: str, layout: str, least: int, most: int | None) -> None:
    rulebook = load(book)
    assert rulebook.layouts[layout].clause == clause_of(book, layout)
    assert check_layout(rulebook, layout)[0].says.endswith("is approved.")
    assert check_positions(rulebook, layout, least).basis.clause == clause_of(book, layout)
    assert check_box(rulebook, layout, 1)
    if least > 1:
        with pytest.raises(Refused, match=f"has {least} to"):
            check_positions(rulebook, layout, least - 1)
    if most is None:
        assert not rulebook.layouts[layout].positions.verified
        assert "AMB-100" in rulebook.layouts[layout].positions.readings
        return
    assert check_positions(rulebook, layout, most)
    with pytest.raises(Refused, match=f"not {most + 1}") as refused:
        check_positions(rulebook, layout, most + 1)
    assert refused.value.clause == clause_of(book, layout)
    with pytest.raises(Refused, match=f"no box {most + 1}"):
        check_box(rulebook, layout, most + 1)


@pytest.mark.parametrize("book", ids())
def test_the_layouts_of_each_book_and_the_bets_they_carry(book: str) -> None:
    """The bets by layout, from the books (the second implementation states them on its own)."""
    rulebook = load(book)
    assert set(rulebook.layouts) == set(POSITIONS[book])
    for layout in rulebook.layouts:
        assert set(menu(rulebook, layout).bets) == set(MENUS[book][layout])


@pytest.mark.parametrize(
    ("book", "clause"),
    [
        pytest.param(book, clause, id=book, marks=pytest.mark.clause(book, clause))
        for book, clause in {
            "da-hu-ying-xiong": "2.1.1",
            "commission-insurance": "2.1.1",
            "wu-song": "2.1.1",
            "dragon-tiger-mbs": "2.2",
            "dragon-tiger-hoiana": "3.1",
        }.items()
    ],
)
def test_another_layout_is_refused(book: str, clause: str) -> None:
    with pytest.raises(Refused, match="There is no layout 'Z'") as refused:
        menu(load(book), "Z")
    assert refused.value.clause == clause
    first = load(book).first_layout
    with pytest.raises(Refused, match="There is no box 0"):
        check_box(load(book), first, 0)


@pytest.mark.parametrize(
    ("book", "low", "high"),
    [
        pytest.param(book, low, high, id=book, marks=pytest.mark.clause(book, clause))
        for book, low, high, clause in (
            ("da-hu-ying-xiong", 4, 10, "2.2.1"),
            ("wu-song", 4, 10, "2.2.1"),
            ("dragon-tiger-mbs", 4, 10, "2.1"),
            ("commission-insurance", 4, 8, "2.2.1"),
        )
    ],
)
def test_decks_within_the_book_are_accepted_and_others_refused(book: str, low: int, high: int) -> None:
    for decks in (low, high):
        assert check_decks(load(book), decks)
    for decks in (low - 1, high + 1, 0, -1):
        with pytest.raises(Refused, match=f"{low} to {high} are"):
            check_decks(load(book), decks)


def test_hoiana_names_no_number_of_decks() -> None:
    """AMB-90: it is taken from the table, and said to be not from the rules."""
    step = check_decks(load("dragon-tiger-hoiana"), 8)
    assert (step.says, step.basis.readings) == ("8 decks: the book names no number.", ("AMB-90",))
    with pytest.raises(Refused):
        check_decks(load("dragon-tiger-hoiana"), 0)


@pytest.mark.parametrize(
    ("book", "moment"),
    [
        pytest.param(book, moment, id=book, marks=pytest.mark.clause(book, "front#title"))
        for book, moment in {
            "da-hu-ying-xiong": "2023-11-07T08:00:00+08:00",
            "wu-song": "2024-12-06T08:00:00+08:00",
            "dragon-tiger-mbs": "2023-12-07T00:00:00+08:00",
            "commission-insurance": "2019-09-16T08:00:00+08:00",
            "dragon-tiger-hoiana": "2025-02-01T00:00:00+07:00",
        }.items()
    ],
)
def test_no_table_opens_before_its_book_takes_effect(book: str, moment: str) -> None:
    start = datetime.fromisoformat(moment)
    assert load(book).effective == start
    assert check_day(load(book), start)
    assert check_day(load(book), datetime(2026, 1, 1, tzinfo=UTC))
    with pytest.raises(Refused, match="takes effect on"):
        check_day(load(book), start - timedelta(minutes=1))


MBS_AREAS = ["player", "banker", "tie", "dragon-tiger", "big-dragon", "small-dragon", "big-tiger", "small-tiger"]
HOIANA_AREAS = [
    "banker",
    "player",
    "tie",
    "banker-pair",
    "player-pair",
    "small-dragon",
    "big-dragon",
    "small-tiger",
    "big-tiger",
    "dragon-tiger",
]


@pytest.mark.parametrize(
    ("book", "bet", "clauses"),
    [
        *(
            pytest.param(
                "dragon-tiger-mbs",
                bet,
                (f"2.2.{number}", f"3.5#{bet}"),
                id=f"mbs {bet}",
                marks=pytest.mark.clause("dragon-tiger-mbs", f"2.2.{number}", f"3.5#{bet}"),
            )
            for number, bet in enumerate(MBS_AREAS, start=1)
        ),
        *(
            pytest.param(
                "dragon-tiger-hoiana",
                bet,
                (f"2.1.2.{number}", f"4.5#{bet}"),
                id=f"hoiana {bet}",
                marks=pytest.mark.clause("dragon-tiger-hoiana", f"2.1.2.{number}", f"4.5#{bet}", "2.1.2"),
            )
            for number, bet in enumerate(HOIANA_AREAS, start=1)
        ),
    ],
)
def test_each_layout_has_an_area_for_each_bet_of_the_menu(book: str, bet: str, clauses: tuple[str, ...]) -> None:
    """At each position that the layout has, and at none beside them."""
    rulebook = load(book)
    for layout in rulebook.layouts:
        steps = explain(rulebook, deal("9 8 K K"), [Wager(bet, 100)], layout=layout)
        said = {clause: step.says for step in steps for clause in step.basis.clauses}
        assert all(said[clause].startswith(f"{rulebook.bets[bet].name} may be bet") for clause in clauses)
        most = POSITIONS[book][layout][1]
        assert most is not None
        table = betting(book, layout, most)
        for box in range(1, most + 1):
            table, placed = act(table, c.Place("ann", bet, 1000, box, by="ann"))
            assert [(each.bet, each.box) for each in placed if isinstance(each, e.WagerPlaced)] == [(bet, box)]
        for box in (0, most + 1):
            assert not can(table, c.Place("ann", bet, 1000, box, by="ann"))


def betting(book: str, layout: str, positions: int) -> Table:
    """A table with a layout, at which a patron who stands may bet in every box."""
    limits = Limits(minimum=1000, maximum=100000, differential=1000000)
    method = "B" if book == "dragon-tiger-mbs" else None
    table, _ = act(
        None,
        c.OpenTable(
            book,
            load(book).effective.isoformat(),
            8,
            layout=layout,
            positions=positions,
            limits=limits,
            method=method,
            acknowledged=True,
            by="pit-manager",
        ),
    )
    for command in (c.LoadShoe(), c.Burn(), c.Stand("ann"), c.BuyIn("ann", 1000000), c.OpenBets()):
        if can(table, command):
            table, _ = act(table, command)
    return table


RWS_MENUS = {
    "da-hu-ying-xiong": ["player", "banker", "tie", "tiger-tie", "tiger", "big-tiger", "small-tiger", "tiger-pair"],
    "commission-insurance": ["player", "banker", "tie", "player-pair", "banker-pair"],
    "wu-song": [
        "player",
        "banker",
        "tie",
        "tiger-tie",
        "big-tiger",
        "small-tiger",
        "banker-big-7",
        "banker-small-7",
        "player-big-7",
        "player-small-7",
        "player-pair",
        "banker-pair",
        "wu-dalang",
        "wu-song",
    ],
}


@pytest.mark.parametrize(
    ("book", "bet"),
    [
        pytest.param(book, bet, id=f"{book} {bet}", marks=pytest.mark.clause(book, f"3.7#{bet}", "3.7"))
        for book, bets in RWS_MENUS.items()
        for bet in bets
    ],
)
def test_each_bet_of_the_menu_is_taken_where_a_layout_carries_it(book: str, bet: str) -> None:
    rulebook = load(book)
    for layout in rulebook.layouts:
        if bet in MENUS[book][layout]:
            [line] = settle(rulebook, deal("9 8 K K"), [Wager(bet, 100)], layout=layout)
            assert line.bet == bet
            assert explain(rulebook, deal("9 8 K K"), [Wager(bet, 100)], layout=layout)
        else:
            with pytest.raises(Refused, match=f"Layout {layout} does not carry"):
                settle(rulebook, deal("9 8 K K"), [Wager(bet, 100)], layout=layout)


@pytest.mark.parametrize(
    ("book", "bet", "clause"),
    [
        pytest.param(book, bet, clause, id=book, marks=pytest.mark.clause(book, clause))
        for book, bet, clause in (
            ("da-hu-ying-xiong", "tiger-pair", "3.7#side-alone"),
            ("commission-insurance", "tie", "3.7#side-alone"),
            ("wu-song", "wu-dalang", "3.7#side-alone"),
            ("dragon-tiger-mbs", "big-dragon", "3.6"),
            ("dragon-tiger-hoiana", "dragon-tiger", "4.5.1"),
        )
    ],
)
def test_a_side_bet_needs_no_main_bet(book: str, bet: str, clause: str) -> None:
    alone = explain(load(book), deal("9 8 K K"), [Wager(bet, 5000)])
    assert any(step.says.endswith("may be bet without a bet on either hand.") for step in alone)
    beside = explain(load(book), deal("9 8 K K"), [Wager(bet, 5000), Wager("player", 5000)])
    assert clause not in [each for step in beside for each in step.basis.clauses]


@pytest.mark.parametrize(
    ("bet", "layout", "clause"),
    [
        pytest.param(bet, layout, clause, id=f"{bet} on {layout}", marks=pytest.mark.clause("wu-song", clause))
        for bet, layout, clause in (
            ("player-pair", "E", "4.1.5"),
            ("banker-pair", "F", "4.1.5"),
            ("banker-big-7", "A", "4.1.6"),
            ("player-small-7", "D", "4.1.7"),
            ("wu-song", "F", "4.1.9"),
        )
    ],
)
def test_wu_song_refuses_a_bet_that_the_layout_does_not_carry(bet: str, layout: str, clause: str) -> None:
    with pytest.raises(Refused, match="does not carry") as refused:
        settle(load("wu-song"), deal("9 8 K K"), [Wager(bet, 100)], layout=layout)
    assert refused.value.clause == clause


@pytest.mark.clause("wu-song", "4.1.8")
def test_wu_song_carries_the_tigers_everywhere() -> None:
    for layout in "ABCDEF":
        lines = settle(
            load("wu-song"), deal("5 6 K K K"), [Wager("small-tiger", 100), Wager("big-tiger", 100)], layout=layout
        )
        assert [line.net for line in lines] == [2200, -100]


@pytest.mark.parametrize(
    ("book", "bet", "clause"),
    [
        pytest.param(book, bet, clause, id=book, marks=pytest.mark.clause(book, clause))
        for book, bet, clause in (
            ("da-hu-ying-xiong", "dragon-tiger", "3.7"),
            ("wu-song", "tiger", "3.7"),
            ("dragon-tiger-mbs", "player-pair", "3.5"),
            ("dragon-tiger-hoiana", "tiger-pair", "4.5"),
            ("commission-insurance", "big-tiger", "3.7"),
        )
    ],
)
def test_a_bet_that_is_not_on_the_menu_is_refused(book: str, bet: str, clause: str) -> None:
    with pytest.raises(Refused, match="is not a bet of this book") as refused:
        settle(load(book), deal("9 8 K K"), [Wager(bet, 100)])
    assert refused.value.clause == clause


@pytest.mark.parametrize(
    ("book", "clause"),
    [
        pytest.param(book, clause, id=book, marks=pytest.mark.clause(book, clause))
        for book, clause in (
            ("da-hu-ying-xiong", "3.7"),
            ("wu-song", "3.7"),
            ("dragon-tiger-mbs", "3.5"),
            ("dragon-tiger-hoiana", "4.5"),
            ("commission-insurance", "3.7"),
        )
    ],
)
def test_bets_of_the_menu_may_be_laid_together(book: str, clause: str) -> None:
    """Every bet that a layout carries, laid by one patron on one coup: each is settled as if it were alone."""
    rulebook, coup = load(book), deal("7 6 K K")
    for layout in rulebook.layouts:
        wagers = [Wager(bet, 10000) for bet in MENUS[book][layout]]
        together = settle(rulebook, coup, wagers, layout=layout)
        alone = [settle(rulebook, coup, [wager], layout=layout)[0] for wager in wagers]
        assert [(line.bet, line.net) for line in together] == [(line.bet, line.net) for line in alone]
    steps = explain(rulebook, coup, [Wager(bet, 10000) for bet in ("player", "banker", "tie")])
    assert clause in [each for step in steps for each in step.basis.clauses]


def pairs(one: bool, twin: bool) -> Callable[[Drawn], bool]:
    """A pair in one hand alone; or in both, of the same rank or not."""
    return lambda coup: (
        bool(coup.player_pair) != bool(coup.banker_pair)
        if one
        else bool(coup.player_pair) and bool(coup.banker_pair) and (coup.player_pair == coup.banker_pair) == twin
    )


def seven_over_six(cards: int) -> Callable[[Drawn], bool]:
    """The Player's 7 over the Banker's 6, on so many cards together."""
    return lambda coup: (coup.player, coup.banker, coup.player_cards + coup.banker_cards) == (7, 6, cards)


# What is printed on the layouts themselves: on which coups, at which odds.
TIGERS: dict[str, tuple[int, Callable[[Drawn], bool]]] = {
    "tiger-2": (12, wins("banker", 6, 2)),
    "tiger-3": (20, wins("banker", 6, 3)),
    "single": (4, pairs(one=True, twin=False)),
    "double": (20, pairs(one=False, twin=False)),
    "twin": (100, pairs(one=False, twin=True)),
}
DRAGONS: dict[str, tuple[int, Callable[[Drawn], bool]]] = {
    "big-dragon": (30, wins("player", 7, 3)),
    "big-tiger": (50, wins("banker", 6, 3)),
    "dt-6": (100, seven_over_six(6)),
    "dt-5": (40, seven_over_six(5)),
    "dt-4": (30, seven_over_six(4)),
}
PRINTS = [("da-hu-ying-xiong", layout, label) for layout in "CD" for label in TIGERS]
PRINTS += [("dragon-tiger-mbs", "K", label) for label in DRAGONS]


@pytest.mark.parametrize(
    ("book", "layout", "label"),
    [
        pytest.param(
            *printed, id=" ".join(printed), marks=pytest.mark.clause(printed[0], f"App.{printed[1]}#{printed[2]}")
        )
        for printed in PRINTS
    ],
)
def test_what_is_printed_on_a_layout_agrees_with_the_body(book: str, layout: str, label: str) -> None:
    """The print says on which coups and at which odds, and the body pays the bet so on every outcome there is."""
    checks = {check.printed.basis.clauses[0]: check for check in check_prints(load(book), load(book).layouts[layout])}
    check, (odds, on) = checks[f"App.{layout}#{label}"], (TIGERS | DRAGONS)[label]
    assert check.printed.odds.fraction == odds
    assert check.agrees
    assert all(check.printed.when.matches(outcome(index)) == on(drawn(index)) for index in range(OUTCOMES))
    assert_paid_as_printed(book, check.printed.bet)


@pytest.mark.clause("dragon-tiger-mbs", "App.K#small-dragon", "App.K#small-tiger", "4.3#small-tiger")
def test_layout_k_is_settled_by_the_body_where_its_print_contradicts_it() -> None:
    """AMB-40: Small Tiger on two cards pays 22 to 1, not 25 to 1 on three, and the layout needs a notice."""
    book = load("dragon-tiger-mbs")
    wrong = {check.printed.bet for check in check_prints(book, book.layouts["K"]) if not check.agrees}
    assert wrong == {"small-dragon", "small-tiger"}
    assert [each.odds.text for each in book.layouts["K"].prints if each.bet in wrong] == ["15:1", "25:1"]
    assert settle(book, deal("5 6 K K K"), [Wager("small-tiger", 10000)], layout="K")[0].net == 220000
    lost = settle(book, deal("2 A 3 2 9 3"), [Wager("small-tiger", 10000)], layout="K")[0]
    assert (lost.net, lost.basis.readings) == (-10000, ("AMB-40",))
    assert settle(book, deal("2 A 3 2 9 3"), [Wager("small-tiger", 10000)], layout="A")[0].basis.readings == ()
    assert any("AMB-40" in step.basis.readings for step in check_layout(book, "K"))
    notice = book.layouts["K"].notice
    assert notice is not None
    assert notice.basis.readings == ("AMB-40",)


@pytest.mark.parametrize(
    ("book", "layout", "clause", "labels"),
    [
        pytest.param(book, layout, clause, labels, id=f"{book} {layout}", marks=pytest.mark.clause(book, clause))
        for book, layout, clause, labels in (
            ("da-hu-ying-xiong", "R", "App.R#captions", {"庄": "banker", "閒": "player"}),
            ("commission-insurance", "A", "App.A#captions", {"庄": "banker", "閒": "player"}),
            ("commission-insurance", "B", "App.B#captions", {"庄": "banker", "閒": "player"}),
            ("dragon-tiger-mbs", "K", "App.K#captions", {"庄": "banker", "闲": "player"}),
        )
    ],
)
def test_captions_name_the_hands_in_both_languages(book: str, layout: str, clause: str, labels: dict[str, str]) -> None:
    assert dict(load(book).layouts[layout].labels) == labels
    assert clause in [each for step in check_layout(load(book), layout) for each in step.basis.clauses]


@pytest.mark.lookup
@pytest.mark.parametrize(
    "layout",
    [pytest.param(layout, marks=pytest.mark.clause("dragon-tiger-mbs", f"App.{layout}#chinese")) for layout in "JK"],
)
def test_mbs_chinese_labels_mean_the_english_ones(layout: str) -> None:
    assert any("Chinese labels" in step.says for step in check_layout(load("dragon-tiger-mbs"), layout))


def test_hoiana_versions_are_its_layouts() -> None:
    """AMB-46: 1 and 2 without commission, 3 and 4 with it."""
    book = load("dragon-tiger-hoiana")
    assert {name: layout.version for name, layout in book.layouts.items()} == {
        "1": "non-commission",
        "2": "non-commission",
        "3": "commission",
        "4": "commission",
    }
    assert "AMB-46" in [reading for step in check_layout(book, "3") for reading in step.basis.readings]
