"""Cards, the Table of Play and the outcome space."""

import os
from itertools import islice, product

import pytest

from punto.coup import (
    OUTCOMES,
    RANKS,
    SITUATIONS,
    STOOD,
    BadCards,
    Card,
    banker_draws,
    card,
    cards,
    check_decks,
    deal,
    deal_from,
    insurable_situations,
    outcome,
    outcome_index,
    player_draws,
    reachable_outcomes,
    show,
    situation,
    situation_index,
)
from punto.coup.outcome import PAIRS

from second import draw


def test_all_rank_sequences_are_drawn_as_the_printed_tables_say() -> None:
    """Sequences of six ranks: cards used, points, winner and pairs, by two implementations.

    All 13^6 = 4,826,809 of them by `make full`; else every seventh, which meets every rank in every place evenly.
    """
    ranked = [Card(rank) for rank in range(1, 14)]
    step = 1 if os.environ.get("PUNTO_FULL") else 7
    seen, reached = 0, set()
    for six in islice(product(ranked, repeat=6), 0, None, step):
        coup = deal_from(six)
        known = draw(*(each.rank for each in six))
        pairs = (known.player_pair > 0) + 2 * (known.banker_pair > 0)
        if pairs == 3 and known.player_pair == known.banker_pair:
            pairs = 4
        assert (
            len(coup.cards),
            coup.player_points,
            coup.banker_points,
            coup.winner,
            len(coup.player),
            len(coup.banker),
            coup.outcome % 5,
        ) == (
            known.used,
            known.player,
            known.banker,
            known.winner,
            known.player_cards,
            known.banker_cards,
            pairs,
        ), show(six)
        reached.add(coup.outcome)
        seen += 1
    assert seen == -(-(13**6) // step)
    assert reached <= reachable_outcomes()
    assert step > 1 or reached == reachable_outcomes()


def test_winner_follows_the_points() -> None:
    for player, banker in product(range(10), repeat=2):
        found = outcome(outcome_index(player, banker, 2, 2, 0)).winner
        assert found == ("tie" if player == banker else "player" if player > banker else "banker")


def test_the_outcome_index_is_dense_and_unique() -> None:
    everything = product(range(10), range(10), (2, 3), (2, 3), range(5))
    indexes = {outcome_index(*each): each for each in everything}
    assert sorted(indexes) == list(range(OUTCOMES))
    for index, (player, banker, player_cards, banker_cards, pairs) in indexes.items():
        assert outcome(index) == (player, banker, player_cards, banker_cards, PAIRS[pairs])


def test_the_situation_index_is_dense_and_unique() -> None:
    first = {situation_index(player, banker, STOOD) for player, banker in product(range(10), repeat=2)}
    later = {situation_index(*each) for each in product(range(10), repeat=3)}
    assert sorted(first | later) == list(range(SITUATIONS))
    for index in range(SITUATIONS):
        seen = situation(index)
        assert situation_index(seen.player, seen.banker, seen.third) == index


def test_insurable_situations_leave_out_naturals_and_finished_coups() -> None:
    assert situation_index(6, 6, STOOD) not in insurable_situations()
    assert situation_index(8, 0, STOOD) not in insurable_situations()
    assert situation_index(6, 5, STOOD) in insurable_situations()
    # Player 5-K then K is 5 against Banker 4: a zero-value third card, so the Banker stands.
    assert situation_index(5, 4, 0) not in insurable_situations()
    assert situation_index(5, 4, 2) in insurable_situations()
    # The Player's two cards must have been 0 to 5: 9 with a third card of 1 would have been 8.
    assert situation_index(9, 3, 1) not in insurable_situations()


@pytest.mark.parametrize("text", ["6h", "Td", "As", "K", "2c", "T"])
def test_cards_read_as_they_are_written(text: str) -> None:
    assert str(card(text)) == text


def test_a_ten_may_be_written_as_a_number_and_letters_in_either_case() -> None:
    assert cards("10h kD a") == (Card(10, "h"), Card(13, "d"), Card(1))


@pytest.mark.parametrize("text", ["", "1", "0h", "11", "6x", "hh", "6hh", "Joker", "6 h", "٣"])
def test_what_is_no_card_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(BadCards, match="is not a card"):
        card(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "begins with four; here are 0"),
        ("6 2 K", "begins with four; here are 3"),
        ("6 2 K A", "the Banker draws, so the coup needs 5; here are 4"),
        ("5 7 K K", "the Player draws, so the coup needs 5; here are 4"),
        ("2 A K A 5", "the Banker draws, so the coup needs 6; here are 5"),
        ("9 2 K 4 5", "the coup ends with 4; here are 5"),
        ("6 2 K A 5 5", "the coup ends with 5; here are 6"),
        ("2 A K A 5 4 3", "the coup ends with 6; here are 7"),
    ],
)
def test_too_few_and_too_many_cards_are_refused(text: str, says: str) -> None:
    with pytest.raises(BadCards, match=says):
        deal(text)


def test_decks_hold_only_so_many_of_a_card() -> None:
    deal("6h 6h K K", decks=2)
    with pytest.raises(BadCards, match="6h lies there 2 times"):
        deal("6h 6h K K", decks=1)
    with pytest.raises(BadCards, match="9 lies there 5 times, but 1 deck holds 4"):
        check_decks(cards("9 9 9 9 9"), decks=1)
    with pytest.raises(BadCards, match="9 lies there 5 times"):
        check_decks(cards("9h 9 9 9 9"), decks=1)


def test_draw_functions_over_every_total() -> None:
    """Against the two columns of the table as the books print them."""
    against = {3: "012345679", 4: "234567", 5: "4567", 6: "67"}
    for player, banker in product(range(10), repeat=2):
        natural = player > 7 or banker > 7
        assert player_draws(player, banker) == (player <= 5 and not natural)
        for third in range(10):
            expected = not natural and (banker <= 2 or (banker < 7 and str(third) in against[banker]))
            assert banker_draws(player, banker, third) == expected
        assert banker_draws(player, banker, STOOD) == (not natural and banker <= 5)


def test_ranks_are_thirteen() -> None:
    assert [Card(rank).value for rank in range(1, 14)] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0]
    assert "".join(str(Card(rank)) for rank in range(1, 14)) == RANKS
