"""Bets with a window, and a printed card, in shoes that are dealt: against shoes dealt by hand and exact odds."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import islice
from math import isnan
from pathlib import Path

import numpy as np
import pytest
from msgspec import structs

from own_head import head
from punto.amounts import show_money
from punto.compare import prove
from punto.compare.prices import price
from punto.conformance.kit import cases
from punto.coup import OUTCOMES, deal, outcome
from punto.explore.coups import coups
from punto.exposure import countermeasures, exact_edges, expose, load_exposure
from punto.lint import lint
from punto.odds import bet_odds, covariance, full_shoe, net_vector, odds_after_four, outcomes_beside, without
from punto.report import certificate
from punto.report.assumptions import assumptions
from punto.report.exposed import expose_book
from punto.report.groups import layout_groups
from punto.report.simulated import confirm
from punto.rulebook import Book, Menu, Priced, deal_by, load, menu, parse
from punto.settlement import Wager, money, settle
from punto.simulation import BadDealing, Dealing, by_shoe, deal_cards, goodness, simulate
from punto.simulation import load as load_tally
from punto.simulation.dealing import OnLayout, on_layout
from punto.simulation.single_shoes import deal_outcomes, deal_shoe

from shoe_by_hand import dealt_by_hand, faces_by_hand, index_of

BETS = """
[bets.comeback]
name = "Comeback"
clause = "B.comeback"
loses = "B.comeback"
placed = { value = "after-first-four", when = { player-two-card = "0-5" }, clause = "R.late" }
[[pays.comeback]]
bet = "comeback"
when = { winner = "player" }
odds = "3:2"
clause = "P.comeback"
[[pays.comeback]]
bet = "comeback"
when = { winner = "tie" }
result = "stand-off"
clause = "P.comeback#tie"

[bets.flush]
name = "Late flush"
clause = "B.flush"
loses = "B.flush"
placed = { value = "after-first-four", when = { player-start = { same = "suit" } }, clause = "R.late" }
[[pays.flush]]
bet = "flush"
when = { player-hand = { same = "suit", count = 3 } }
odds = "4:1"
clause = "P.flush"

[bets.suited]
name = "Suited"
clause = "B.suited"
loses = "B.suited"
[[pays.suited]]
bet = "suited"
when = { banker-start = { same = "suit" } }
odds = "2:1"
clause = "P.suited"
[layouts.plain]
pays = ["player", "banker", "tie", "comeback", "flush", "suited"]
"""
PRINTED = ["", 'player-first = "7h"', 'banker-first = "Kc"', 'player-second = "As"', 'banker-second = "9d"']


def text_of(printed: str = "") -> str:
    cards = f'[cards]\nprinted = {{ {printed}, clause = "C.printed" }}\n' if printed else ""
    return head() + cards + BETS


@cache
def game(printed: str = "") -> Book:
    return parse(text_of(printed).encode(), "mine.toml")


def dealing_of(book: Book, decks: int = 8, cut: int = 14, burn: int = 0, rounds: int | None = None) -> Dealing:
    return Dealing(decks, cut, burn, rounds, on_layout(book.cards.printed))


def looking(carried: Menu) -> dict[str, Priced]:
    return {name: priced for name, priced in carried.bets.items() if not priced.plain}


def counted_by_hand(carried: Menu, dealing: Dealing, seed: int, shoes: int) -> dict[str, list[int]]:
    """By bet the rounds that each row takes, those it lay in and lost, and those in which it could not be placed."""
    bets = looking(carried)
    found = {name: [0] * (len(priced.rows) + 2) for name, priced in bets.items()}
    for number in range(shoes):
        for dealt in faces_by_hand(seed, number, dealing):
            coup = deal(dealt)
            for name, priced in bets.items():
                placed = priced.bet.placed
                opens = len(dealt) > 4 and (placed is None or placed.when.holds(coup, outcome(coup.outcome)))
                row = priced.row_of(coup)
                at = len(priced.rows) if row is None else priced.rows.index(row)
                found[name][len(priced.rows) + 1 if placed is not None and not opens else at] += 1
    return found


@pytest.mark.parametrize("printed", PRINTED)
@pytest.mark.parametrize("how", [{"decks": 1, "cut": 6, "burn": 7}, {"decks": 6, "cut": 20}, {"decks": 2, "rounds": 9}])
def test_shoes_are_dealt_and_bets_counted_as_by_hand(printed: str, how: dict[str, int]) -> None:
    carried = menu(game(printed))
    dealing = dealing_of(carried.book, **how)
    for number in (0, 3):
        assert deal_cards(7, number, dealing) == faces_by_hand(7, number, dealing)
        assert deal_shoe(7, number, dealing) == dealt_by_hand(7, number, dealing)
    tally = simulate(dealing, seed=7, shoes=3, nets={"tie": net_vector(carried["tie"])}, cards=looking(carried))
    by_hand = counted_by_hand(carried, dealing, 7, 3)
    assert tally.rows == {name: tuple(counts[:-1]) for name, counts in by_hand.items()}
    assert {name: rounds for name, (rounds, _) in tally.placed.items()} == {
        name: sum(by_hand[name][:-1]) for name in ("comeback", "flush")
    }
    outcomes = [index_of(ranks) for number in range(3) for ranks in dealt_by_hand(7, number, dealing)]
    assert np.array_equal(tally.outcomes, np.bincount(outcomes, minlength=OUTCOMES))


@pytest.mark.parametrize("printed", PRINTED[:2])
def test_exact_odds_lie_within_the_intervals_of_a_run(printed: str) -> None:
    carried = menu(game(printed))
    dealing, exact = dealing_of(carried.book, rounds=60), bet_odds(carried, full_shoe(8))
    nets = {name: net_vector(priced) for name, priced in carried.bets.items() if priced.plain}
    tally = simulate(dealing, seed=11, shoes=20_000, nets=nets, cards=looking(carried))
    for name in carried.bets:
        dealt = tally.edge(name, 0.9999)
        assert dealt.low is not None
        assert dealt.high is not None
        assert dealt.low <= float(exact[name].edge) <= dealt.high, name
    judged = goodness(tally.outcomes, outcomes_beside(carried.book.cards.printed, full_shoe(8)))
    assert judged is not None
    assert judged.p_value > 1e-4
    for name in ("comeback", "flush"):
        offered = exact[name].offered
        assert offered is not None
        assert tally.placed[name][0] / tally.rounds == pytest.approx(float(offered), rel=0.02)


def test_outcomes_beside_a_printed_card_are_those_that_bets_are_counted_by() -> None:
    carried, shoe = menu(game(PRINTED[4])), (3, 2, 1, 4, 2, 3, 1, 2, 4, 2, 1, 3, 2)
    counts = outcomes_beside(carried.book.cards.printed, shoe)
    for name, odds in bet_odds(Menu(carried.book, carried.layout, _plain(carried)), shoe).items():
        mean = sum(int(count) * net for count, net in zip(counts, net_vector(carried[name]), strict=True))
        assert mean / int(counts.sum()) == -odds.edge
    [[one]] = covariance(carried, ["tie"], shoe)
    assert one == bet_odds(Menu(carried.book, carried.layout, _plain(carried)), shoe)["tie"].variance


def _plain(carried: Menu) -> dict[str, Priced]:
    return {name: priced for name, priced in carried.bets.items() if priced.plain}


def test_a_run_is_split_kept_and_gone_on_with(tmp_path: Path) -> None:
    carried = menu(game(PRINTED[1]))
    dealing, cards = dealing_of(carried.book, cut=200), looking(carried)
    whole = simulate(dealing, seed=2, shoes=60, block=8, cards=cards)
    one, two = (simulate(dealing, seed=2, shoes=30, first=first, block=2, cards=cards) for first in (0, 30))
    assert (one + two).placed["comeback"][0] == whole.placed["comeback"][0]
    assert (one + two).digest == whole.digest
    whole.save(tmp_path / "run.json")
    again = load_tally(tmp_path / "run.json")
    assert again.seal == whole.seal
    assert again.edge("comeback") == whole.edge("comeback")
    assert b'"punto-tally-4"' in (tmp_path / "run.json").read_bytes()
    for change in ({"placed": {**whole.placed, "comeback": (1, 1)}}, {"dealing": structs.replace(dealing, cut=201)}):
        structs.replace(whole, **change).save(tmp_path / "other.json")
        text = (tmp_path / "other.json").read_text().replace(structs.replace(whole, **change).seal, whole.seal)
        (tmp_path / "other.json").write_text(text)
        with pytest.raises(ValueError, match="have been changed"):
            load_tally(tmp_path / "other.json")
    with pytest.raises(ValueError, match="ways of dealing"):
        whole + simulate(dealing_of(game(PRINTED[2]), cut=200), seed=2, shoes=8, first=60, block=8)


def test_a_bankroll_moves_only_in_rounds_in_which_the_bet_lies() -> None:
    carried = menu(game(PRINTED[3]))
    dealing, cards = dealing_of(carried.book, rounds=50), {"flush": carried["flush"]}
    found = by_shoe(dealing, seed=5, shoes=4, cards=cards, quantiles=(0.0, 1.0))
    tally = [simulate(dealing, seed=5, shoes=1, first=first, cards=cards) for first in range(4)]
    nets = [each.bets["flush"].net / each.bets["flush"].unit for each in tally]
    assert found.bankrolls["flush"].final == (min(nets), max(nets))
    assert np.array_equal(
        deal_outcomes(dealing, seed=5, shoes=1)[0], [index_of(ranks) for ranks in dealt_by_hand(5, 0, dealing)]
    )


def test_the_printed_card_of_bets_and_shoes_is_one() -> None:
    carried = menu(game(PRINTED[1]))
    with pytest.raises(BadDealing, match=r"Suited and the shoes that are dealt differ in the card that is printed\."):
        simulate(Dealing(), seed=1, shoes=1, cards={"suited": carried["suited"]})
    with pytest.raises(BadDealing, match="at most 83 can be dealt"):
        Dealing(rounds=84, printed=OnLayout(0, "7"))


def test_a_bet_that_can_never_be_placed_is_a_fault_and_breaks_nothing() -> None:
    text = BETS.replace('when = { player-two-card = "0-5" }', "when = { player-two-card = 9 }")
    book = parse((head() + text).encode(), "mine.toml")
    [fault] = [each for each in lint(book) if each.severity == "fault"]
    assert str(fault) == (
        "fault: mine.toml:13: layout plain, comeback: no first four cards open its window, so nobody can ever place "
        "it. (R.late)"
    )
    carried = menu(book)
    odds = bet_odds(carried, full_shoe(8))["comeback"]
    assert [odds.offered, odds.edge, odds.hit] == [0, 0, 0]
    tally = simulate(Dealing(rounds=5), seed=1, shoes=2, cards=looking(carried))
    assert tally.placed["comeback"] == (0, 0)
    assert isnan(tally.edge("comeback").value)


def test_runs_of_the_books_are_kept_as_before(tmp_path: Path) -> None:
    carried = menu(load("wu-song"))
    nets = {name: net_vector(priced) for name, priced in carried.bets.items()}
    simulate(Dealing(), seed=1, shoes=2, nets=nets).save(tmp_path / "run.json")
    text = (tmp_path / "run.json").read_text()
    assert '"punto-tally-2"' in text
    assert "printed" not in text
    assert "placed" not in text


# What a card counter wins


@pytest.mark.parametrize("printed", PRINTED)
def test_edges_beside_a_printed_card_are_those_by_counting(printed: str) -> None:
    carried = menu(game(printed)).laid_before
    shoe = tuple(1 + at % 3 for at in range(52))
    exact = bet_odds(carried, shoe)
    assert exact_edges(carried, shoe) == {name: -each.edge for name, each in exact.items()}


@pytest.mark.parametrize("printed", PRINTED[:3])
def test_late_bets_are_recorded_as_the_odds_after_four_cards_have_them(printed: str) -> None:
    carried = menu(game(printed))
    dealing, place = dealing_of(carried.book, decks=2, cut=70), dealing_of(carried.book).on_layout[0]
    found = expose(carried, dealing, seed=9, shoes=2, block=1)
    met, won, gained, rounds = Counter[str](), Counter[str](), Counter[str](), 0
    for number in range(2):
        left = full_shoe(2, by_suit=True)
        for dealt in faces_by_hand(9, number, dealing):
            rounds += 1
            drawn = [card for at, card in enumerate(dealt) if at != place]
            after = without(left, [card for at, card in enumerate(dealt[:4]) if at != place])
            for name, odds in odds_after_four(carried, after, dealt[:4]).items():
                met[name] += 1
                won[name] += odds.edge < 0
                gained[name] += max(-odds.edge, Fraction(0))  # type: ignore[assignment]  # exact, not a count
            left = without(left, drawn)
    assert found.rounds == rounds
    assert found.late == ("comeback", "flush")
    for name in found.late:
        assert found.placed(name) == met[name] > 0
        worth = found.late_bet(name)
        assert worth.share.value == pytest.approx(won[name] / rounds, abs=1e-12)
        assert worth.per_shoe.value == pytest.approx(float(gained[name]) / 2, abs=1e-8)


def test_a_recorded_run_is_kept_with_its_late_bets(tmp_path: Path) -> None:
    carried = menu(game(PRINTED[1]))
    dealing = dealing_of(carried.book, decks=1, cut=30)
    whole = expose(carried, dealing, seed=2, shoes=6, block=2)
    one, two = (
        expose(carried, dealing, seed=2, shoes=shoes, first=first, block=2) for first, shoes in ((0, 4), (4, 2))
    )
    assert (one + two).digest == whole.digest
    whole.save(tmp_path / "run.json")
    again = load_exposure(tmp_path / "run.json")
    assert again.late_bet("flush") == whole.late_bet("flush")
    assert b'"punto-exposure-2"' in (tmp_path / "run.json").read_bytes()
    text = (tmp_path / "run.json").read_text().replace('"card":"7h"', '"card":"7s"')
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(ValueError, match="or it has been changed"):
        load_exposure(tmp_path / "run.json")


def test_no_count_of_the_cards_before_is_played_for_a_late_bet() -> None:
    carried = menu(game())
    with pytest.raises(ValueError, match="Comeback is placed when the first four cards lie open"):
        countermeasures(carried, "comeback", seed=1, shoes=2)
    beside = menu(game(PRINTED[1]))
    [as_it_is, *_] = countermeasures(beside, "tie", seed=1, shoes=4, decks=(), caps=())
    assert as_it_is.house_edge == float(bet_odds(beside, full_shoe(8))["tie"].edge)


# A certificate


def test_a_certificate_has_both_and_says_what_is_assumed() -> None:
    book = game(PRINTED[1])
    found = confirm(book, shoes=3000)
    [bets] = found.bets.values()
    assert [bet.name for bet in bets] == ["Player", "Banker", "Tie", "Comeback", "Late flush", "Suited"]
    assert all(bet.inside for bet in bets)
    exposed = expose_book(book, shoes=2)
    [late] = exposed.late.values()
    assert [name for _, name in late] == ["Comeback", "Late flush"]
    made = certificate(book, confirmation=found, exposed=exposed)
    assert "What a card counter could win" in [section.title for section in made.sections]
    said = [says for says, _ in assumptions(book, layout_groups(book), 8, None, found, exposed)]
    assert any("7h is printed on the layout: it counts in every coup" in each for each in said)
    assert any("Comeback and Late flush, placed after the first four cards" in each for each in said)
    assert any("the card counter knows these, too" in each for each in said)


# Kits and comparisons


@pytest.mark.parametrize("printed", PRINTED[1:])
def test_coups_beside_a_printed_card_are_those_that_can_be_dealt(printed: str) -> None:
    card = game(printed).cards.printed
    assert card is not None
    every = coups(card)
    assert set(every) == set(np.flatnonzero(outcomes_beside(card, full_shoe(8))).tolist())
    assert {each.cards[card.place] for each in every.values()} == {card.card}
    assert all(deal_by(game(printed), card.apart(each.cards)) == each for each in every.values())


def test_a_kit_asks_about_every_outcome_and_row_beside_a_printed_card() -> None:
    book = game(PRINTED[1])
    kit = list(islice(cases(book, states=0, chosen=0), 700))
    shown = {each for case in kit for each in case.shows}
    assert book.cards.printed is not None
    assert {f"outcome {index}" for index in coups(book.cards.printed)} <= shown
    assert {"row plain comeback P.comeback", "row plain comeback lost", "row plain flush P.flush"} <= shown
    for case in kit:
        asked = case.ask["round"]
        coup = deal_by(book, asked["cards"])
        lines = settle(book, coup, [Wager(each["bet"], money(each["stake"])) for each in asked["wagers"]])
        assert [line["net"] for line in case.expect["lines"]] == [show_money(line.net) for line in lines]


@pytest.mark.parametrize("printed", PRINTED[:2])
@pytest.mark.parametrize(
    ("before", "after", "part"),
    [
        ('"3:2"', '"2:1"', "bet comeback"),
        ('player-two-card = "0-5"', 'player-two-card = "0-4"', "moments comeback"),
        ('odds = "2:1"', 'odds = "3:1"', "bet suited"),
    ],
)
def test_two_games_are_told_apart_by_a_story(printed: str, before: str, after: str, part: str) -> None:
    one, other = game(printed), parse(text_of(printed).replace(before, after, 1).encode(), "mine.toml")
    [found] = prove(one, other).found
    assert found.part == part
    assert found.witness is not None
    if part == "bet comeback":
        won = bet_odds(menu(one), full_shoe(8))["comeback"]
        chances = price(one, other, (found,)).chances
        assert won.offered is not None
        assert chances == {part: won.rows[0].probability * won.offered}


def test_another_printed_card_is_told_by_a_story() -> None:
    for one, other in ((PRINTED[1], PRINTED[2]), (PRINTED[1], ""), ("", PRINTED[1])):
        [found] = prove(game(one), game(other)).found
        assert found.part == "printed card"
        assert found.witness is not None
