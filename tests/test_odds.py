"""Exact odds: by counting every deal of small shoes, and against what others have published."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punto.coup import STOOD, BadCards, Card, cards, outcome, outcome_index, situation_index
from punto.odds import (
    BadComposition,
    best_play,
    bet_odds,
    covariance,
    deals,
    full_shoe,
    insurance_odds,
    offer_odds,
    outcome_counts,
    situation_counts,
    without,
)
from punto.rulebook import Refused, ids, load, menu

from second import MENUS, Drawn, draw

PIPS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0]
WINNERS = {"player": 0, "banker": 1, "tie": 2}


def index(coup: Drawn) -> int:
    pairs = (coup.player_pair > 0) + 2 * (coup.banker_pair > 0)
    pairs += pairs == 3 and coup.player_pair == coup.banker_pair
    return outcome_index(coup.player, coup.banker, coup.player_cards, coup.banker_cards, pairs)


def counted(ranks: tuple[int, ...]) -> tuple[Counter[int], Counter[tuple[int, int]]]:
    """Every ordered deal of six cards from these ranks, drawn by the second implementation."""
    outcomes: Counter[int] = Counter()
    situations: Counter[tuple[int, int]] = Counter()
    for a, b, c, d, e, f in permutations(ranks, 6):
        coup = draw(a, b, c, d, e, f)
        outcomes[index(coup)] += 1
        if coup.used > 4:
            player, banker = (PIPS[a] + PIPS[c]) % 10, (PIPS[b] + PIPS[d]) % 10
            situations[situation_index(player, banker, STOOD), WINNERS[coup.winner]] += 1
            if coup.player_cards == 3 and coup.banker_cards == 3:
                situations[situation_index(coup.player, banker, PIPS[e]), WINNERS[coup.winner]] += 1
    return outcomes, situations


SMALL = [
    (1, 1, 2, 2, 3, 3, 4, 4),
    (10, 11, 12, 13, 10, 11, 5, 5),
    (6, 6, 7, 7, 8, 9, 10, 1),
    (3, 3, 3, 3, 8, 8, 8, 8),
    (1, 2, 3, 4, 5, 6, 7, 8),
    (13, 13, 13, 13, 13, 2, 2, 9),
    (5, 5, 5, 5, 5, 5),
]


@pytest.mark.parametrize("ranks", SMALL, ids=str)
def test_small_shoes_are_counted_deal_by_deal(ranks: tuple[int, ...]) -> None:
    shoe = [ranks.count(rank) for rank in range(1, 14)]
    outcomes, situations = counted(ranks)
    found = outcome_counts(shoe)
    assert {at: int(count) for at, count in enumerate(found) if count} == dict(outcomes)
    seen = situation_counts(shoe)
    assert {(at, who): int(seen[at][who]) for at in range(1100) for who in range(3) if seen[at][who]} == dict(
        situations
    )
    assert deals(shoe) == sum(outcomes.values())


@settings(max_examples=12, deadline=None)
@given(st.lists(st.integers(1, 13), min_size=7, max_size=7))
def test_any_seven_cards_are_counted_deal_by_deal(ranks: list[int]) -> None:
    outcomes, situations = counted(tuple(ranks))
    shoe = [ranks.count(rank) for rank in range(1, 14)]
    assert {at: int(count) for at, count in enumerate(outcome_counts(shoe)) if count} == dict(outcomes)
    assert int(situation_counts(shoe).sum()) == sum(situations.values())


@pytest.mark.parametrize(
    ("decks", "banker", "player", "tie"),
    [
        (8, 2292252566437888, 2230518282592256, 475627426473216),
        (6, 403095751234560, 392220492728832, 83552962932288),
        (4, 34543624867840, 33608344225792, None),
    ],
)
def test_published_counts_of_the_three_results(decks: int, banker: int, player: int, tie: int | None) -> None:
    """Source: Wizard of Odds, as quoted by casinoexploit.com/baccarat.html and excelpunks.com."""
    won: Counter[str] = Counter()
    for at, count in enumerate(outcome_counts(full_shoe(decks))):
        won[outcome(at).winner] += int(count)
    assert (won["banker"], won["player"]) == (banker, player)
    assert tie in (None, won["tie"])


def count_of(**wanted: object) -> int:
    counts = outcome_counts(full_shoe(8))
    return sum(
        int(count)
        for at, count in enumerate(counts)
        if count and all(getattr(outcome(at), name) == value for name, value in wanted.items())
    )


def test_published_counts_by_total() -> None:
    """Source: excelpunks.com, Concepts 13 (Banker wins); Wizard of Odds, egalite (ties). Eight decks."""
    banker = [24291119898624, 44681581871104, 72927778568192, 163359790133248, 216715928915968,
              269232304455680, 384279324919808, 529914458673152, 586850279002112]  # fmt: skip
    assert [count_of(winner="banker", points=points) for points in range(1, 10)] == banker
    ties = [28979901420544, 20499217668352, 20006606104576, 22250510129408, 36294133463040,
            39684046743808, 96170001308416, 101717538899968, 54879416675072, 55146054060032]  # fmt: skip
    assert [count_of(winner="tie", points=points) for points in range(10)] == ties


def test_published_counts_of_events() -> None:
    """Source: Wizard of Odds, lucky 6, EZ baccarat, ox 6. Eight decks."""
    assert count_of(winner="banker", points=6, banker_cards=2) == 186173936904192
    assert count_of(winner="banker", points=6, banker_cards=3) == 83058367551488
    assert count_of(winner="banker", points=7, banker_cards=3) == 112633011329024
    assert count_of(winner="player", points=8, player_cards=3) == 172660763262976
    assert count_of(winner="player", points=6, player_cards=3) == 109309407541248


@pytest.mark.parametrize(
    ("decks", "shares"), [(6, (0.378925, 0.303540, 0.317535)), (8, (0.378868, 0.303444, 0.317687))]
)
def test_published_chances_of_four_five_and_six_cards(decks: int, shares: tuple[float, ...]) -> None:
    """Source: Wizard of Odds, baccarat appendix 5; six digits."""
    counts = outcome_counts(full_shoe(decks))
    found = [sum(int(counts[at]) for at in range(2000) if outcome(at).cards == cards) for cards in (4, 5, 6)]
    assert tuple(round(count / deals(full_shoe(decks)), 6) for count in found) == shares


def test_published_edge_of_banker_at_half_pay_on_a_total() -> None:
    """Source: excelpunks.com, Concepts 13: half on 6 is 1.4581045%. It is Da Hu Ying Xiong's Banker bet."""
    edge = bet_odds(menu(load("da-hu-ying-xiong")), full_shoe(8))["banker"].edge
    assert round(float(edge), 9) == 0.014581045


@pytest.mark.parametrize(
    ("player", "banker", "wins", "ties", "value"),
    [
        (0, 5, 0.319950, 0.041335, 0.001185),
        (1, 5, 0.283814, 0.041531, -0.107027),
        (2, 5, 0.248356, 0.100738, -0.154193),
        (3, 5, 0.271182, 0.100667, -0.085786),
        (4, 5, 0.294993, 0.100595, -0.014426),
        (0, 6, 0.248749, 0.029391, 0.024389),
        (1, 6, 0.200798, 0.088833, -0.107975),
        (2, 6, 0.212631, 0.088830, -0.060646),
        (4, 6, 0.236160, 0.088838, 0.033478),
        (5, 6, 0.248909, 0.088759, 0.084397),
        (0, 7, 0.154340, 0.076268, -0.152035),
        (5, 7, 0.154124, 0.077066, -0.152312),
    ],
)
def test_published_value_of_banker_cover(player: int, banker: int, wins: float, ties: float, value: float) -> None:
    """Source: Wizard of Odds, baccarat insurance (as mirrored), eight decks, same prices 2, 3 and 4 to 1."""
    [cell] = [
        each
        for each in insurance_odds(load("commission-insurance"), full_shoe(8))
        if each.row.stage == "four-cards"
        and each.row.hand == "banker"
        and (each.own, each.opposite) == (banker, player)
    ]
    assert (round(float(cell.win), 6), round(float(cell.stand_off), 6)) == (wins, ties)
    assert abs(-float(cell.edge) - value) <= 1.1e-6  # the source adds up rounded chances


def test_published_value_of_player_cover() -> None:
    """Source: the same: Player 5 against Banker 4 at 2 to 1."""
    [cell] = [
        each
        for each in insurance_odds(load("commission-insurance"), full_shoe(8))
        if each.row.stage == "four-cards" and each.row.hand == "player" and (each.own, each.opposite) == (5, 4)
    ]
    assert (round(float(cell.win), 6), round(float(cell.stand_off), 6)) == (0.289715, 0.112503)
    assert round(-float(cell.edge), 6) == -0.018352


@pytest.mark.parametrize(("book", "layout"), [(book, layout) for book in ids() for layout in load(book).layouts])
def test_edges_by_the_second_implementations_prices(book: str, layout: str) -> None:
    """The dot product of our counts with prices written from the books by hand."""
    shoe = full_shoe(8)
    counts = outcome_counts(shoe)
    found = bet_odds(menu(load(book), layout), shoe, counts)
    ranks = {"none": (0, 0), "player": (3, 0), "banker": (0, 3), "both": (3, 4), "twin": (3, 3)}
    for bet, price in MENUS[book][layout].items():
        mean = Fraction(0)
        for at, count in enumerate(counts):
            if count:
                seen = outcome(at)
                net = price(Drawn(seen.cards, *seen[:4], *ranks[seen.pairs]))
                mean += (Fraction(-1) if net is None else net) * int(count)
        assert found[bet].edge == -mean / deals(shoe)


def test_variance_and_covariance_of_player_and_banker() -> None:
    """By hand from the published counts: with 0.95 the nets are 1, -1, 0 and -1, 0.95, 0."""
    carried, shoe = menu(load("commission-insurance")), full_shoe(8)
    total, player, banker = 4998398275503360, Fraction(2230518282592256), Fraction(2292252566437888)
    p, b = player / total, banker / total
    pay = Fraction(95, 100)
    mean_p, mean_b = p - b, pay * b - p
    matrix = covariance(carried, ["player", "banker"], shoe)
    assert matrix[0][0] == p + b - mean_p**2 == bet_odds(carried, shoe)["player"].variance
    assert matrix[1][1] == pay**2 * b + p - mean_b**2 == bet_odds(carried, shoe)["banker"].variance
    assert matrix[0][1] == matrix[1][0] == -pay * b - p - mean_p * mean_b


def test_a_card_that_is_gone_changes_the_odds_as_published() -> None:
    """Source: excelpunks.com, Concepts 16: what one card removed from eight decks does to the Player's chance."""

    def chance(shoe: tuple[int, ...]) -> float:
        counts = outcome_counts(shoe)
        return sum(int(counts[at]) for at in range(2000) if outcome(at).winner == "player") / deals(shoe)

    full = chance(full_shoe(8))
    for card, effect in {"4": -0.0000435175, "K": -0.0000373810, "A": -0.0000295798, "3": -0.0000217068}.items():
        assert abs(chance(without(full_shoe(8), cards(card))) - full - effect) < 1e-9


def test_a_concrete_offer_by_hand() -> None:
    """Player 5-K against Banker 6-K, 412 cards left, worked out card by card: cover at 3 to 1 loses the house 9.23%.

    Banker loses to a third card of 2, 3 or 4 (96 cards); on 6 or 7 the Banker draws: P 1 loses to nothing but a
    four, P 2 to a four or a five. Ties: an ace; P 1 and a five; P 2 and a six.
    """
    table = cards("5h 6c Kd Ks")
    left = without(full_shoe(8), table)
    cell = offer_odds(load("commission-insurance"), table, "banker", left)
    wins = Fraction(96, 412) + Fraction(31, 412) * Fraction(32, 411) + Fraction(32, 412) * Fraction(32 + 31, 411)
    ties = Fraction(32, 412) + Fraction(31, 412) * Fraction(31, 411) + Fraction(32, 412) * Fraction(31, 411)
    assert (cell.win, cell.stand_off) == (wins, ties)
    assert cell.edge == 1 - ties - 4 * wins


def test_offers_average_to_the_cell() -> None:
    """Over all ranks that make Player 6 against Banker 3, weighted, the concrete offers give the cell's edge."""
    book, shoe = load("da-hu-ying-xiong"), full_shoe(4)
    [cell] = [
        each
        for each in insurance_odds(book, shoe)
        if (each.row.stage, each.row.hand, each.own, each.opposite) == ("four-cards", "player", 6, 3)
    ]
    weight, wins = 0, Fraction(0)
    for a in range(1, 14):
        for c in range(1, 14):
            if (PIPS[a] + PIPS[c]) % 10 != 6:
                continue
            for b in range(1, 14):
                for d in range(1, 14):
                    if (PIPS[b] + PIPS[d]) % 10 == 3:
                        drawn = [Card(rank) for rank in (a, b, c, d)]
                        ways, left = 1, list(shoe)
                        for card in drawn:
                            ways *= left[card.rank - 1]
                            left[card.rank - 1] -= 1
                        weight += ways
                        wins += ways * offer_odds(book, drawn, "player", left).win
    assert wins / weight == cell.win


def test_best_play_uses_the_cap_where_it_is_worth_most() -> None:
    """Commission: cover pays out at most the bet, so its stake is the bet over the odds."""
    book, shoe = load("commission-insurance"), full_shoe(8)
    play = best_play(book, shoe, "banker")
    cells = [each for each in insurance_odds(book, shoe) if each.row.hand == "banker" and each.edge < 0]
    assert {(each.own, each.opposite) for each in play.cells} == {(each.own, each.opposite) for each in cells}
    assert play.worth == sum(each.reach * -each.edge / each.row.odds.fraction for each in cells)
    assert best_play(load("wu-song"), shoe, "player").worth == 0


def test_a_token_cover_is_worth_taking_where_silence_forgoes_more() -> None:
    """Few 7, 8 and 9 left: cover of 5 against 4 is dear, yet once the Player has drawn to 7, 8 or 9 it is cheap.

    A Banker 4 beats 7 with a 4 or 5, beats 8 with a 5; of the 326 cards left those are 32 each.
    """
    book = load("commission-insurance")
    shoe = without(full_shoe(8), [Card(rank) for rank in (7, 8, 9) for _ in range(30)])
    play = best_play(book, shoe, "player")
    cells = {
        (each.row.stage, each.own, each.opposite): each
        for each in insurance_odds(book, shoe)
        if each.row.hand == "player"
    }
    assert [(each.own, each.opposite) for each in play.tokens] == [(5, 4)]
    assert cells["four-cards", 5, 4].edge > 0
    assert min(cells["third-card", own, 4].edge for own in (7, 8, 9)) < 0
    without_token = sum(
        each.reach * -each.edge / each.row.odds.fraction for each in play.cells if each.row.stage == "four-cards"
    )
    assert play.worth > without_token


@pytest.mark.parametrize(
    ("shoe", "says"),
    [
        ((1,) * 5 + (0,) * 8, "too few"),
        ((1,) * 12, "thirteen counts"),
        ((-1,) + (4,) * 12, "none of them negative"),
        ((49,) + (4,) * 12, "at most 48"),
    ],
)
def test_absurd_shoes_are_refused(shoe: tuple[int, ...], says: str) -> None:
    with pytest.raises(BadComposition, match=says):
        outcome_counts(shoe)


def test_absurd_decks_and_removals_are_refused() -> None:
    for decks in (0, -1, 13):
        with pytest.raises(BadComposition, match="1 to 12"):
            full_shoe(decks)
    with pytest.raises(BadCards, match="6h lies there 2 times"):
        without(full_shoe(1), cards("6h 6h"), decks=1)
    with pytest.raises(BadComposition, match="not so many cards of rank 6"):
        without(full_shoe(1), cards("6 6 6 6 6"))


@pytest.mark.parametrize("seen", ["5 6 K", "9 2 K A", "7 6 K K", "7 7 K K", "5 4 K K K", "4 2 K K"])
def test_an_offer_without_a_window_or_a_price_is_refused(seen: str) -> None:
    with pytest.raises(Refused):
        offer_odds(load("commission-insurance"), cards(seen), "player", full_shoe(8))
