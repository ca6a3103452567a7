"""The Table of Play, clause by clause, in each book's own numbers."""

import pytest

from punto.coup import deal
from punto.rulebook import load
from punto.settlement import draw_steps

RWS = {
    "da-hu-ying-xiong": ("3.15", "3.13"),
    "commission-insurance": ("3.15", "3.13"),
    "wu-song": ("3.12", "3.11"),
}

RANKS = ("A", *"23456789TJQK")


def after_a_third_card(points: str, draws: str) -> list[tuple[str, int, int]]:
    """What the Banker does with two cards of these points, after each third card that the Player can have."""
    return [
        (f"5 {two} K K {third} A", 3, 3) if third in draws else (f"5 {two} K K {third}", 3, 2)
        for two in points
        for third in RANKS
    ]


# Against which third cards of the Player the Banker draws, by the points of two cards.
DRAWS = {
    **dict.fromkeys("KA2", "A23456789TJQK"),
    "3": "A2345679TJQK",
    "4": "234567",
    "5": "4567",
    "6": "67",
    "7": "",
}


def player_draws() -> list[tuple[str, int, int]]:
    """The Player's 0 to 5 against everything that is no natural, with each third card."""
    return [
        (f"{two} {banker} K K {third} A", 3, 3) if third in draws else (f"{two} {banker} K K {third}", 3, 2)
        for two in "KA2345"
        for banker, draws in DRAWS.items()
        for third in RANKS
    ]


def player_stands() -> list[tuple[str, int, int]]:
    """The Player's 6 and 7 against everything that is no natural."""
    return [
        (f"{two} {banker} K K 5", 2, 3) if banker in "KA2345" else (f"{two} {banker} K K", 2, 2)
        for two in "67"
        for banker in DRAWS
    ]


# Every cell of each row of the printed tables, with how many cards each hand must end up with.
ROWS = {
    "player-0-5": player_draws(),
    "player-6-7": player_stands(),
    "player-8-9": [(f"{two} {banker} K K", 2, 2) for two in "89" for banker in "KA23456789"],
    "banker-0-2": after_a_third_card("KA2", DRAWS["2"]),
    **{f"banker-{two}": after_a_third_card(two, DRAWS[two]) for two in "34567"},
    "banker-8-9": [(f"{player} {two} K K", 2, 2) for two in "89" for player in "KA23456789"],
}
STOOD = [
    *((f"{player} {banker} K K A", 2, 3) for player in "67" for banker in "KA2345"),
    *((f"{player} {banker} K K", 2, 2) for player in "67" for banker in "67"),
]


def case(book: str, clause: str, coups: list[tuple[str, int, int]], *also: str) -> object:
    mark = pytest.mark.clause(book, clause, *also)
    return pytest.param(book, clause, coups, id=f"{book} {clause}", marks=mark)


def cases() -> list[object]:
    found = []
    for book, (table, stands) in RWS.items():
        found += [case(book, f"{table}#{row}", coups) for row, coups in ROWS.items()]
        found.append(case(book, stands, STOOD, table, "1.1"))
    naturals = [*ROWS["player-8-9"], *ROWS["banker-8-9"], ("8 2 K K", 2, 2)]
    for row, coups in ROWS.items():
        if not row.endswith("8-9"):
            found.append(case("dragon-tiger-mbs", f"3.14#{row}", coups, "3.14"))
        table = "4.14" if row.startswith("player") else "4.15"
        found.append(case("dragon-tiger-hoiana", f"{table}#{row}", coups, table))
    found.append(case("dragon-tiger-mbs", "3.14#natural", naturals))
    found.append(case("dragon-tiger-mbs", "3.14#player-stands", STOOD))
    found.append(case("dragon-tiger-hoiana", "4.13", naturals))
    found.append(case("dragon-tiger-hoiana", "4.16", STOOD))
    return found


@pytest.mark.parametrize(("book", "clause", "coups"), cases())
def test_each_row_of_the_table_of_play(book: str, clause: str, coups: list[tuple[str, int, int]]) -> None:
    for cards, player, banker in coups:
        coup = deal(cards)
        assert (len(coup.player), len(coup.banker)) == (player, banker), cards
        cited = [each for step in draw_steps(load(book), coup) for each in step.basis.clauses]
        assert clause in cited, cards


@pytest.mark.parametrize("book", RWS)
def test_a_ten_stands_in_the_column_of_the_zeros(book: str) -> None:
    """AMB-01: the Player's third card a ten, the Banker stands on 4 and draws on 3; the reading is cited."""
    steps = draw_steps(load(book), deal("5 4 K K T"))
    assert "AMB-01" in [reading for step in steps for reading in step.basis.readings]


def test_hoiana_cites_its_reading_of_the_misprinted_row() -> None:
    """AMB-02."""
    steps = draw_steps(load("dragon-tiger-hoiana"), deal("5 2 K K 8 A"))
    assert "AMB-02" in [reading for step in steps for reading in step.basis.readings]


@pytest.mark.parametrize(
    ("book", "clauses"),
    [
        pytest.param(book, clauses, marks=pytest.mark.clause(book, *clauses), id=book)
        for book, clauses in {
            "da-hu-ying-xiong": ("3.10", "1.8"),
            "commission-insurance": ("3.10", "1.7"),
            "wu-song": ("3.10", "1.10"),
            "dragon-tiger-mbs": ("3.13", "3.13.1", "3.13.2", "1.1.4"),
            "dragon-tiger-hoiana": ("4.9", "4.9.1", "4.9.1.1", "4.9.1.2", "2.2.9"),
        }.items()
    ],
)
def test_the_first_four_cards_go_player_banker_player_banker(book: str, clauses: tuple[str, ...]) -> None:
    """Drawn 4, 9, 4, 2: two hands, a pair of fours and 9 and 2; a third card joins the hand that it is drawn for."""
    coup = deal("4 9 4 2")
    assert [card.rank for card in coup.player] == [4, 4]
    assert [card.rank for card in coup.banker] == [9, 2]
    assert draw_steps(load(book), coup)[0].basis.clauses[0] in clauses
    whole = deal("5 6 K Q 7 A")
    assert [card.rank for card in whole.player] == [5, 13, 7]
    assert [card.rank for card in whole.banker] == [6, 12, 1]
