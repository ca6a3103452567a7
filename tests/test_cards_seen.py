"""Insurance decided by the cards seen: against every deal of small shoes, and figures of an independent computation."""

import json
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations

import pytest

from punto.odds import best_play, best_play_by_cards, full_shoe
from punto.report import certificate, html
from punto.rulebook import Book, load

from second import Drawn, draw
from test_cli import ok

COMMISSION = "commission-insurance"
DA_HU = "da-hu-ying-xiong"
SMALL = [
    (1, 1, 2, 2, 3, 3, 4, 4, 5),
    (10, 11, 6, 13, 5, 4, 5, 6),
    (6, 6, 7, 7, 1, 2, 10, 11),
    (4, 4, 5, 5, 9, 9, 12, 13),
    (2, 3, 4, 5, 6, 7, 13, 13),
    (6, 13, 5, 13, 4, 2),
]


def net(book: Book, stage: str, hand: str, own: int, opposite: int, coup: Drawn) -> Fraction | None:
    """What cover to the cap on one unit nets; None where there is no price, or none without a posted maximum."""
    insurance = book.insurance
    assert insurance is not None
    row = insurance.row(stage, hand, own, opposite)
    if row is None or any(each.odds.fraction == row.odds.fraction for each in insurance.cap_at):
        return None
    odds = row.odds.fraction
    stake = Fraction(1) if insurance.cap.on == "stake" else 1 / odds
    if coup.winner == "tie":
        return stake * odds if row.tie_pays else Fraction(0)
    return -stake if coup.winner == hand else stake * odds


def deal_by_deal(book: Book, hand: str, ranks: Sequence[int]) -> Fraction:
    """The worth of insurance, from every ordered deal, grouped by what lies on the table when the patron decides."""
    insurance = book.insurance
    assert insurance is not None
    now: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
    later: dict[tuple[int, ...], dict[int, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    deals = 0
    for six in permutations(ranks, 6):
        deals += 1
        coup = draw(*six)
        a, b, c, d, e, _ = (0 if rank > 9 else rank for rank in six)
        player, banker = (a + c) % 10, (b + d) % 10
        if coup.used == 4:
            continue
        own, opposite = (player, banker) if hand == "player" else (banker, player)
        now[six[:4]] += net(book, "four-cards", hand, own, opposite, coup) or 0
        if coup.used == 6:
            own, opposite = (coup.player, banker) if hand == "player" else (banker, coup.player)
            later[six[:4]][e] += net(book, "third-card", hand, own, opposite, coup) or 0
    worth = Fraction(0)
    for four, gain in now.items():
        first, second = max(gain, Fraction(0)), sum(max(each, Fraction(0)) for each in later[four].values())
        worth += max(first, second) if insurance.cap.over == "round" else first + second
    return worth / deals


@pytest.mark.parametrize("ranks", SMALL, ids=str)
@pytest.mark.parametrize("name", [COMMISSION, DA_HU])
def test_small_shoes_are_decided_deal_by_deal(name: str, ranks: tuple[int, ...]) -> None:
    book, shoe = load(name), [ranks.count(rank) for rank in range(1, 14)]
    for hand in ("player", "banker"):
        assert best_play_by_cards(book, shoe, hand).worth == deal_by_deal(book, hand, ranks)


def test_an_independent_computation_of_eight_decks_is_met() -> None:
    """A lab's own program: 0.01496% of the bet on Player, 0.04900% on Banker; by totals 0.00762 and 0.04739."""
    book, shoe = load(COMMISSION), full_shoe(8)
    worth = {
        hand: (best_play(book, shoe, hand).worth, best_play_by_cards(book, shoe, hand).worth)
        for hand in ("player", "banker")
    }
    assert [f"{float(each):.5%}" for each in worth["player"]] == ["0.00762%", "0.01496%"]
    assert [f"{float(each):.5%}" for each in worth["banker"]] == ["0.04739%", "0.04900%"]


@pytest.mark.parametrize("decks", [1, 4, 6])
def test_looking_at_the_cards_is_never_worth_less(decks: int) -> None:
    book, shoe = load(COMMISSION), full_shoe(decks)
    for hand in ("player", "banker"):
        seen = best_play_by_cards(book, shoe, hand)
        assert seen.worth >= best_play(book, shoe, hand).worth
        assert all(0 < each.share <= 1 for each in seen.cells)


def test_cover_capped_by_a_posted_maximum_needs_one() -> None:
    """With a posted maximum of four units a quarter of it is one: Da Hu's 10 to 1 is taken like all the rest."""
    book, shoe = load(DA_HU), [0, 0, 0, 6, 6, 0, 0, 0, 6, 6, 0, 0, 0]
    without, posted = (best_play_by_cards(book, shoe, "player", most).worth for most in (None, Fraction(4)))
    assert posted > without


def test_a_book_without_insurance_has_none_to_use() -> None:
    assert best_play_by_cards(load("wu-song"), full_shoe(8), "player").worth == 0


def test_both_are_printed_with_the_difference() -> None:
    text = " ".join(ok("odds", COMMISSION).split())
    assert "by the cards seen, and not by totals, it is worth 0.01496%: 0.00734% more." in text
    assert "by the cards seen, and not by totals, it is worth 0.04900%: 0.00161% more." in text
    found = json.loads(ok("odds", COMMISSION, "--json"))["best_use"]
    for hand, by_totals, by_cards in (("player", 7.62e-5, 14.96e-5), ("banker", 47.39e-5, 49.00e-5)):
        assert found[hand]["by_totals_float"] == pytest.approx(by_totals, abs=1e-7)
        assert found[hand]["by_cards_float"] == pytest.approx(by_cards, abs=1e-7)
        ratios = [Fraction(found[hand][key]) for key in ("by_totals", "by_cards", "difference")]
        assert ratios[1] - ratios[0] == ratios[2]
    assert json.loads(ok("odds", "wu-song", "--json"))["best_use"] == {}


def test_the_certificate_gives_both() -> None:
    page = html(certificate(load(COMMISSION))).decode()
    for figure in ("0.0000762216", "0.0001496368", "0.0004738542", "0.0004899746"):
        assert figure in page
