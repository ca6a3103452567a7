"""Clauses that are a table, or rest on one: every cell of it, on every layout, never one for all."""

from itertools import product

import pytest

from every_cell import ROOMY, assert_table_of_cover
from punto.coup import Card, deal, deal_from
from punto.rulebook import clauses, load
from punto.settlement import Cover, Wager, draw_steps, explain

from every_outcome import assert_paid_as_printed
from second import MENUS, draw

MAIN, PAIRS = ("player", "banker"), ("player-pair", "banker-pair")
TIGERS = ("big-tiger", "small-tiger")
DRAGONS = ("big-dragon", "small-dragon", *TIGERS)
PAY_TABLES: dict[str, dict[str, tuple[str, ...]]] = {
    "da-hu-ying-xiong": {
        "4.1.1": (*MAIN, "tie", "tiger-tie", "tiger", *TIGERS, "tiger-pair"),
        **dict.fromkeys(("1.12", "1.13", "3.16", "3.17"), MAIN),
        **dict.fromkeys(("1.25#single", "1.25#double", "1.25#twin"), ("tiger-pair",)),
        "1.22": (*MAIN, "tie"),
    },
    "commission-insurance": {
        "4.1.2": (*MAIN, "tie", *PAIRS),
        **dict.fromkeys(("4.1.1", "4.1.2#banker"), ("banker",)),
        **dict.fromkeys(("1.11", "3.16", "3.17"), MAIN),
        "1.14": PAIRS,
        "1.20": (*MAIN, "tie"),
    },
    "wu-song": {
        **dict.fromkeys(("1.13", "1.13.1", "1.13.2", "1.14", "3.13", "3.14", "4.1.1"), MAIN),
        "1.18": PAIRS,
        "1.26": (*MAIN, "tie"),
        **dict.fromkeys(("4.1.2", "4.1.3"), ("tie",)),
        "4.1.4": ("tiger-tie",),
        "4.1.5": PAIRS,
        "4.1.6": ("banker-big-7", "banker-small-7"),
        "4.1.7": ("player-big-7", "player-small-7"),
        "4.1.8": TIGERS,
        "4.1.9": ("wu-song",),
        "4.1.10": ("wu-dalang",),
    },
    "dragon-tiger-mbs": {
        "4.1": (*MAIN, "tie"),
        "4.1#banker": ("banker",),
        "4.2": ("dragon-tiger",),
        "4.3": DRAGONS,
        **dict.fromkeys(("3.15", "3.15.1"), MAIN),
    },
    "dragon-tiger-hoiana": {
        "5.1": (*MAIN, "tie", *PAIRS, *DRAGONS, "dragon-tiger"),
        **dict.fromkeys(("5.1.1", "5.1.2"), MAIN),
        **dict.fromkeys(("5.1.1#banker", "2.2.5", "2.2.6", "2.2.12"), ("banker",)),
        "5.1.3": ("tie", *PAIRS, *DRAGONS, "dragon-tiger"),
        **dict.fromkeys(("5.1.3#dragon-tiger", "2.2.7", "6.7.1.1"), ("dragon-tiger",)),
        **dict.fromkeys(("6.1.1.1", "6.1.1.2", "6.1.1.3"), ("player",)),
        **dict.fromkeys(("6.1.2.1", "6.1.2.2", "6.1.2.3"), ("banker",)),
        "6.1.3": ("tie",),
        **dict.fromkeys(("2.2.13", "6.2.1.1", "6.2.1.2"), PAIRS),
    },
}
"""Clauses with the bets that they are about."""

COUPS = (
    *("J 6 J J 9", "6 2 8 J 9 2", "2 9 2 9", "7 7 K K", "7 6 K K", "A K K K A 9", "6 6 K K"),
    *("5 6 K K K", "6 7 K K", "2 K 2 4 2 A", "K K A K K K"),
)
"""Wins of both hands by two cards and three, ties, pairs, a Dragon Tiger: so that each clause is met."""


@pytest.mark.parametrize(
    ("book", "clause", "bets"),
    [
        pytest.param(book, clause, bets, id=f"{book} {clause}", marks=pytest.mark.clause(book, clause))
        for book, by_clause in PAY_TABLES.items()
        for clause, bets in by_clause.items()
    ],
)
def test_a_clause_about_bets_holds_in_every_outcome_on_every_layout(
    book: str, clause: str, bets: tuple[str, ...]
) -> None:
    rulebook = load(book)
    assert clause in clauses(book)
    for layout, cards in ((layout, cards) for layout in rulebook.layouts for cards in COUPS):
        wagers = [Wager(bet, 10000) for bet in bets if bet in MENUS[book][layout]]
        assert explain(rulebook, deal(cards), wagers, layout=layout)
    for bet in bets:
        assert_paid_as_printed(book, bet)


TABLES_OF_COVER = {
    "da-hu-ying-xiong": ("1.10", "3.11", "3.12", "4.1.2", "4.1.2#note-0", "4.1.2#note-9", "4.2.1"),
    "commission-insurance": ("1.9", "3.11", "3.12", "4.1.3", "4.1.3#note-9", "4.2.1"),
}


@pytest.mark.parametrize(
    ("book", "clause"),
    [
        pytest.param(book, clause, id=f"{book} {clause}", marks=pytest.mark.clause(book, clause))
        for book, named in TABLES_OF_COVER.items()
        for clause in named
    ],
)
def test_a_clause_about_insurance_holds_in_every_cell(book: str, clause: str) -> None:
    for cards, stage, hand in (("5 4 K K 4 5", "third-card", "player"), ("3 4 K K 7 6", "third-card", "banker")):
        if hand == "player" or book == "da-hu-ying-xiong":
            covers = [Cover(stage, hand, 10000, 0)]
            assert explain(load(book), deal(cards), [Wager(hand, 10**6)], covers, limits=ROOMY)
    assert clause in clauses(book)
    assert_table_of_cover(book)


TABLES_OF_PLAY = {
    "da-hu-ying-xiong": ("1.1", "3.13", "3.15"),
    "commission-insurance": ("1.1", "3.13", "3.15"),
    "wu-song": ("1.1", "3.11", "3.12"),
    "dragon-tiger-mbs": ("3.14",),
    "dragon-tiger-hoiana": ("4.14", "4.15"),
}


@pytest.mark.parametrize(
    ("book", "clause"),
    [
        pytest.param(book, clause, id=f"{book} {clause}", marks=pytest.mark.clause(book, clause))
        for book, named in TABLES_OF_PLAY.items()
        for clause in named
    ],
)
def test_a_clause_about_third_cards_holds_for_all_points_and_third_cards(book: str, clause: str) -> None:
    """All points of both hands with two cards, and every value of both third cards."""
    assert clause in clauses(book)
    assert all(draw_steps(load(book), deal(cards)) for cards in COUPS)
    for two, other, third, last in product(range(10), repeat=4):
        shoe = (Card(two or 10), Card(other or 11), Card(12), Card(13), Card(third or 13), Card(last or 12))
        coup, expected = deal_from(shoe), draw(*(each.rank for each in shoe))
        found = coup.player_points, coup.banker_points, len(coup.player), len(coup.banker)
        assert found == (expected.player, expected.banker, expected.player_cards, expected.banker_cards), shoe
