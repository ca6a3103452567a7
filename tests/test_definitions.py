"""What the books define: terms, card values, totals, and the points that definitions fix."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from punto.coup import BadCards, Card, Coup, card, deal, deal_from
from punto.lint import references
from punto.rulebook import clauses, ids, load, printed
from punto.settlement import Wager, draw_steps, explain, settle

from every_outcome import assert_settled_as_by_the_second

DEFINITIONS = tomllib.loads((Path(__file__).parent / "cases/definitions.toml").read_text())["definition"]


def is_definition(book: str, clause: str) -> bool:
    return clauses(book)[clause].kind == "definition"


@pytest.mark.lookup
@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            case,
            id=f"{case['rulebook']} {case['term']}",
            marks=[pytest.mark.clause(case["rulebook"], case["clause"])]
            if is_definition(case["rulebook"], case["clause"])
            else [],
        )
        for case in DEFINITIONS
    ],
)
def test_each_defined_term_is_found_and_its_point_is_kept(case: dict[str, Any]) -> None:
    book = load(case["rulebook"])
    assert book.define(case["term"]) == case["clause"]
    assert clauses(book.id)[case["clause"]].summary
    if "point" in case:
        point = book.point(*case["point"].split("."))
        assert point is not None
        expected = tuple(case["value"]) if isinstance(case["value"], list) else case["value"]
        assert point.value == expected
        assert case["clause"] in point.basis.clauses


@pytest.mark.parametrize("book", ids())
def test_every_rule_of_the_index_is_stated_in_the_data(book: str) -> None:
    """The books are whole: there is no clause but a heading that the data does not refer to."""
    stated = {clause for _, clause in references(load(book))}
    stated |= {printed(clause) for clause in stated}
    missing = [each.clause for each in clauses(book).values() if each.nature == "rule" and each.clause not in stated]
    assert missing == []


def cited(book: str, cards: str) -> dict[str, str]:
    """What each clause cited about a coup said."""
    return cited_of(book, deal(cards))


def cited_of(book: str, coup: Coup) -> dict[str, str]:
    """What each clause cited about a coup said."""
    return {clause: step.says for step in draw_steps(load(book), coup) for clause in step.basis.clauses}


def with_points(player: int, banker: int) -> Coup:
    """A coup in which the hands have these points with two cards, and all other cards count nothing."""
    return deal_from((Card(player or 10), Card(banker or 11), Card(12), Card(13), Card(13), Card(12)))


POINTS = [(player, banker) for player in range(10) for banker in range(10)]


def assert_every_card_has_its_value() -> None:
    """In either hand an Ace counts one, two to nine their number, and tens and pictures nothing to a total."""
    for rank, value in zip(("A", *"23456789TJQK"), (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0), strict=True):
        assert deal(f"{rank} 8 K K").player_points == value
        assert deal(f"8 {rank} K K").banker_points == value


def assert_only_the_last_digit_counts() -> None:
    """In either hand, with two cards and with three."""
    for one, two in POINTS:
        first, last = "KA23456789"[one], "KA23456789"[two]
        assert deal(f"{first} 9 {last} K").player_points == (one + two) % 10
        assert deal(f"9 {first} K {last}").banker_points == (one + two) % 10
        if one < 6:
            assert deal(f"{first} 7 K K {last}").player_points == (one + two) % 10
            assert deal(f"7 {first} K K {last}").banker_points == (one + two) % 10


@pytest.mark.parametrize(
    ("book", "total"),
    [
        pytest.param(book, total, id=book, marks=pytest.mark.clause(book, "3.2", "3.2.1", "3.2.2", "3.2.3", total))
        for book, total in (("da-hu-ying-xiong", "1.16"), ("commission-insurance", "1.15"), ("wu-song", "1.20"))
    ],
)
def test_rws_card_values_and_totals(book: str, total: str) -> None:
    """Ace 1, two to ten their number, pictures nothing; only the last digit counts: 10+9 is 9, 7+8 is 5."""
    said = cited(book, "A T 7 9")
    assert "Ace counts 1" in said["3.2.1"]
    assert deal("A T 7 9").player_points == 8
    assert deal("A T 7 9").banker_points == 9
    assert said[total] == "Banker: 0 + 9 = 9."
    over = cited(book, "7 K 8 Q 5 4")
    assert deal("7 K 8 Q 5 4").player_points == 0
    assert over[total] == "Banker: 0 + 0 + 4 = 4."
    assert "king counts 0" in over["3.2.3"]
    assert_every_card_has_its_value()
    assert_only_the_last_digit_counts()


@pytest.mark.clause("dragon-tiger-mbs", "3.3", "3.3.1", "3.3.2", "3.4.1", "3.4.2")
def test_mbs_card_values_and_totals() -> None:
    """9+9 is 18 and counts 8; an Ace counts one, a ten nothing."""
    said = cited("dragon-tiger-mbs", "9 4 9 3")
    assert (deal("9 4 9 3").player_points, deal("9 4 9 3").banker_points) == (8, 7)
    assert "Ace counts 1" in cited("dragon-tiger-mbs", "A T 7 9")["3.3.1"]
    assert said["3.4.2"] == "Player: 9 + 9 = 18, which counts 8."
    assert said["3.4.1"] == "Banker: 4 + 3 = 7."
    assert "ten counts 0" in cited("dragon-tiger-mbs", "T 7 8 T")["3.3.2"]
    assert_every_card_has_its_value()
    assert_only_the_last_digit_counts()


@pytest.mark.clause("dragon-tiger-mbs", "3.4")
def test_mbs_every_sum_has_a_total() -> None:
    assert "3.4" in cited("dragon-tiger-mbs", "9 4 9 3")
    assert (deal("9 4 9 3").player_points, deal("9 4 9 3").banker_points) == (8, 7)
    assert_only_the_last_digit_counts()


@pytest.mark.clause("dragon-tiger-hoiana", "4.11", "4.11.1", "4.11.2", "4.12.1", "4.12.2")
def test_hoiana_card_values_and_totals() -> None:
    """A+9 is 10 and counts 0; 10+8 counts 8."""
    said = cited("dragon-tiger-hoiana", "A 4 9 3 7")
    assert said["4.12.2"] == "Player: 1 + 9 + 7 = 17, which counts 7."
    assert said["4.12.1"] == "Banker: 4 + 3 = 7."
    assert "ten counts 0" in cited("dragon-tiger-hoiana", "T T 8 J")["4.11.2"]
    assert "Ace counts 1" in said["4.11.1"]
    assert_every_card_has_its_value()
    assert_only_the_last_digit_counts()


@pytest.mark.clause("dragon-tiger-hoiana", "4.12", "2.2.14")
def test_hoiana_point_total_and_point_count_are_one_thing() -> None:
    assert "4.12" in cited("dragon-tiger-hoiana", "A 4 9 3 7")
    assert_only_the_last_digit_counts()
    assert load("dragon-tiger-hoiana").define("Point total") == "2.2.14"
    assert load("dragon-tiger-hoiana").define("Point count") == "4.12"


@pytest.mark.parametrize(
    ("book", "clause"),
    [
        pytest.param(book, clause, id=book, marks=pytest.mark.clause(book, clause))
        for book, clause in (
            ("da-hu-ying-xiong", "1.11"),
            ("commission-insurance", "1.10"),
            ("wu-song", "1.12"),
            ("dragon-tiger-mbs", "1.1.7"),
            ("dragon-tiger-hoiana", "2.2.11"),
        )
    ],
)
def test_a_natural_ends_the_coup_with_four_cards(book: str, clause: str) -> None:
    """8 or 9 with two cards in either hand or both: no third card, and the higher hand wins. 7 is none."""
    assert cited(book, "9 2 K 3")[clause] == "Player has a natural 9: no more cards."
    for player, banker in POINTS:
        coup = with_points(player, banker)
        either = player in (8, 9) or banker in (8, 9)
        assert coup.natural == either
        assert (clause in cited_of(book, coup)) == either
        if either:
            assert len(coup.cards) == 4
            assert coup.winner == ("tie" if player == banker else "player" if player > banker else "banker")


@pytest.mark.parametrize("book", ["da-hu-ying-xiong", "commission-insurance", "wu-song"])
def test_a_joker_is_no_card(book: str) -> None:
    """A card that is none of the thirteen ranks does not belong to the set."""
    assert sum(len(value.ranks) for value in load(book).cards.values) == 13
    with pytest.raises(BadCards):
        card("Joker")


@pytest.mark.parametrize(
    ("book", "term"),
    [
        pytest.param(book, term, id=book, marks=pytest.mark.clause(book, "3.1"))
        for book, term in (
            ("da-hu-ying-xiong", "Object of the game"),
            ("commission-insurance", "Object of the game"),
            ("wu-song", "Object of the game"),
        )
    ],
)
def test_the_hand_nearer_to_nine_wins(book: str, term: str) -> None:
    assert load(book).define(term) == "3.1"
    for player, banker in POINTS:
        if player != banker:
            assert with_points(player, banker).winner == ("player" if 9 - player < 9 - banker else "banker")


@pytest.mark.parametrize("book", ids())
def test_bet_and_wager_are_one_thing(book: str) -> None:
    """Where a book defines it, both words lead to the same clause."""
    assert load(book).define("bet") == load(book).define("wager")


@pytest.mark.parametrize(
    ("book", "layout", "bet", "clause", "wins", "loses"),
    [
        pytest.param(*case, id=f"{case[0]} {case[2]}", marks=pytest.mark.clause(case[0], case[3]))
        for case in [
            ("da-hu-ying-xiong", "A", "big-tiger", "1.3", "2 A 3 2 9 3", "6 6 K K"),
            ("da-hu-ying-xiong", "B", "small-tiger", "1.20", "5 6 K K K", "6 6 K K"),
            ("da-hu-ying-xiong", "C", "tiger", "1.23", "5 6 K K K", "7 6 K K"),
            ("da-hu-ying-xiong", "D", "tiger-tie", "1.24", "6 4 K 2", "7 7 K K"),
            ("da-hu-ying-xiong", "R", "tiger-pair", "1.25", "K 2 K 3 5 K", "T 2 K 3 5 K"),
            ("wu-song", "E", "banker-big-7", "1.2", "6 2 K 3 2", "6 7 K K"),
            ("wu-song", "F", "banker-small-7", "1.3", "6 7 K K", "7 7 K K"),
            ("wu-song", "A", "big-tiger", "1.5", "2 A 3 2 9 3", "6 6 K K"),
            ("wu-song", "E", "player-big-7", "1.17", "2 5 2 K 3", "7 6 K K"),
            ("wu-song", "A", "player-pair", "1.18", "K 9 K Q", "K 9 Q J"),
            ("wu-song", "F", "player-small-7", "1.19", "7 6 K K", "2 5 2 K 3"),
            ("wu-song", "C", "small-tiger", "1.24", "5 6 K K K", "6 6 K K"),
            ("wu-song", "D", "tiger-tie", "1.27", "6 4 K 2", "7 7 K K"),
            ("wu-song", "F", "wu-dalang", "1.29", "8 T 4 T 9 J", "4 3 7 Q J 8"),
            ("wu-song", "B", "wu-song", "1.30", "2 5 2 K 2", "6 5 K K K"),
            ("commission-insurance", "A", "player-pair", "1.14", "T 9 T Q", "T 9 K Q"),
            ("dragon-tiger-mbs", "A", "big-dragon", "1.1.1", "2 6 3 K 2", "7 6 K K"),
            ("dragon-tiger-mbs", "B", "big-tiger", "1.1.2", "2 A 3 2 9 3", "5 6 K K K"),
            ("dragon-tiger-mbs", "C", "dragon-tiger", "1.1.3", "7 6 K K", "7 5 K K K"),
            ("dragon-tiger-mbs", "D", "small-dragon", "1.1.9", "7 6 K K", "7 7 K K"),
            ("dragon-tiger-mbs", "E", "small-tiger", "1.1.10", "5 6 K K K", "6 6 K K"),
            ("dragon-tiger-mbs", "F", "tie", "1.1.14", "7 7 K K", "7 6 K K"),
            ("dragon-tiger-hoiana", "1", "big-dragon", "2.2.3", "2 6 3 K 2", "7 6 K K"),
            ("dragon-tiger-hoiana", "2", "big-tiger", "2.2.4", "2 A 3 2 9 3", "5 6 K K K"),
            ("dragon-tiger-hoiana", "3", "dragon-tiger", "2.2.7", "7 6 K K", "7 5 K K K"),
            ("dragon-tiger-hoiana", "4", "banker-pair", "2.2.13", "K 9 2 9", "K 9 9 8"),
            ("dragon-tiger-hoiana", "1", "small-dragon", "2.2.16", "7 6 K K", "7 7 K K"),
            ("dragon-tiger-hoiana", "2", "small-tiger", "2.2.17", "5 6 K K K", "6 6 K K"),
        ]
    ],
)
def test_each_side_bet_wins_and_loses_by_its_definition(
    book: str, layout: str, bet: str, clause: str, wins: str, loses: str
) -> None:
    rulebook = load(book)
    won, lost = (settle(rulebook, deal(cards), [Wager(bet, 100)], layout=layout)[0] for cards in (wins, loses))
    assert (won.result, lost.result) == ("win", "lose")
    steps = explain(rulebook, deal(loses), [Wager(bet, 100)], layout=layout)
    assert clause in [each for step in steps for each in step.basis.clauses]
    assert_settled_as_by_the_second(book, layout, bet)


@pytest.mark.clause("dragon-tiger-hoiana", "6.1")
def test_hoiana_the_higher_hand_wins() -> None:
    assert cited("dragon-tiger-hoiana", "8 3 K K")["6.1"] == "Player wins with 8 against 3."
    assert cited("dragon-tiger-hoiana", "3 8 K K")["6.1"] == "Banker wins with 8 against 3."
    for player, banker in POINTS:
        if player != banker:
            assert with_points(player, banker).winner == ("player" if player > banker else "banker")


@pytest.mark.clause("dragon-tiger-hoiana", "4.9.1.3")
def test_hoiana_pairs_are_decided_by_the_first_four_cards() -> None:
    """A pair of fours wins Player Pair though the Player loses, and a third four changes nothing."""
    book, coup = load("dragon-tiger-hoiana"), deal("4 9 4 Q")
    assert coup.winner == "banker"
    steps = explain(book, coup, [Wager("player-pair", 100)], layout="1")
    assert any("4.9.1.3" in step.basis.clauses and "4 4: a pair" in step.says for step in steps)
    assert settle(book, deal("4 7 A K 4"), [Wager("player-pair", 100)], layout="1")[0].result == "lose"


@pytest.mark.clause("commission-insurance", "1.20")
@pytest.mark.clause("wu-song", "1.26")
@pytest.mark.clause("dragon-tiger-mbs", "1.1.13")
@pytest.mark.clause("dragon-tiger-hoiana", "2.2.21")
@pytest.mark.clause("da-hu-ying-xiong", "1.22")
def test_equal_points_are_a_tie() -> None:
    for player, banker in POINTS:
        assert (with_points(player, banker).winner == "tie") == (player == banker)
    for book in ids():
        for points in range(10):
            said = draw_steps(load(book), with_points(points, points))[-1].says
            assert said == f"Both hands have {points}: a tie."
