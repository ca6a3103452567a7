"""Published bets in the words of the format: printed figures are met, or the misprint is explained beside them."""

import csv
import tomllib
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from punto.odds import BetOdds, bet_odds
from punto.rulebook import BadBook, Book, Menu, menu, parse, source
from punto.rulebook.toml_writer import write_toml

HERE = Path(__file__).parent
PUBLISHED: dict[str, dict[str, Any]] = tomllib.loads((HERE / "published_bets.toml").read_text(encoding="utf-8"))
BETS = PUBLISHED["bets"]
HEAD = """base = "punto-banco"
id = "published"
title = "Published bets"
operator = "nobody"
approver = "nobody"
version = "1"
effective = 2026-01-01T00:00:00+00:00
"""
FIGURES = ("edge", "chance", "deals", "variance", "sd")

# Cards by rank, full decks and ends of shoes, each in the order clubs, diamonds, hearts, spades.
SHOES = {
    **{decks: [decks * 4] * 13 for decks in "12468"},
    "uneven": ["0630", "8405", "7261", "6036", "5702", "4567", "3333", "2108", "1864", "0630", "8405", "7261", "6036"],
    "late": ["2001", "0010", "0100", "1001", "0010", "0100", "1001", "0010", "0201", "1001", "0010", "0100", "1011"],
    "clumps": ["0200", "0002", "0000", "0000", "3000", "0001", "0030", "0200", "0203", "0000", "0100", "0110", "0021"],
}


def row_in_book(bet: str, row: dict[str, Any]) -> dict[str, Any]:
    """A row as a book has it; one that is printed without odds pays evens."""
    evens = {} if "odds" in row or "result" in row else {"odds": "1:1"}
    return {"bet": bet, "clause": "P", **row, **evens}


@cache
def book() -> Book:
    """A book that has all these bets on one layout."""
    bets, pays = {}, {}
    for name, bet in BETS.items():
        choose = {"choose": bet["choose"]} if "choose" in bet else {}
        bets[name] = {"name": bet["name"], "clause": "B", "loses": "B", **choose}
        pays[name] = [row_in_book(name, row) for row in bet["rows"]]
    layouts = {"plain": {"pays": ["player", "banker", "tie", *pays]}}
    return parse((HEAD + write_toml({"bets": bets, "pays": pays, "layouts": layouts})).encode(), "published.toml")


def kept() -> dict[str, dict[str, list[int]]]:
    """By shoe and bet the deals that each row takes, as a second program counted them card by card."""
    found: dict[str, dict[str, list[int]]] = {}
    with (HERE / "published_counts.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            for shoe in SHOES:
                if row.get(shoe):
                    found.setdefault(shoe, {}).setdefault(row["bet"], []).append(int(row[shoe]))
    return found


COUNTS = kept()


@cache
def odds_of(shoe: str) -> dict[str, BetOdds]:
    """The exact odds from a shoe of every bet that a figure is known for."""
    cards = [int(number) for rank in SHOES[shoe] for number in rank]
    needed = COUNTS.get(shoe, printed_for(shoe))
    whole = menu(book())
    some = {bet: each for bet, each in whole.bets.items() if bet in needed}
    return bet_odds(Menu(whole.book, whole.layout, some), cards)


def printed_for(decks: str) -> list[str]:
    return [bet for bet, figure in printed() if str(figure.get("decks")) == decks]


def printed() -> list[tuple[str, dict[str, Any]]]:
    """Every printed figure, with the bet that it is about."""
    return [
        (f"{name}-{figure['chosen']}" if "chosen" in figure else name, figure)
        for name, bet in BETS.items()
        for figure in bet.get("printed", ())
    ]


def exact_value(odds: BetOdds, figure: dict[str, Any]) -> Fraction:
    """The exact value of what a printed figure states."""
    if "edge" in figure:
        return odds.edge if figure["edge"].endswith("%") else -odds.edge
    if "variance" in figure:
        return odds.variance
    if "sd" in figure:
        with localcontext(prec=40):
            spread = Decimal(odds.variance.numerator) / Decimal(odds.variance.denominator)
            return Fraction(spread.sqrt())
    row = figure.get("row")
    if row == "none":
        deals = odds.total - sum(each.deals for each in odds.rows)
    else:
        deals = odds.rows[row - 1].deals if row else int(odds.hit * odds.total)
    if "chance" in figure:
        return Fraction(deals, odds.total)
    return Fraction(deals * figure["of"], odds.total) if "of" in figure else Fraction(deals)


def is_met(value: Fraction, text: str, *, binary: bool = False) -> bool:
    """Whether a value is what is printed, to the printed digits."""
    plain = text.replace(",", "")
    if plain.endswith("…"):
        return str(int(value)).startswith(plain[:-1])
    if binary:
        return abs(value - Fraction(plain)) <= Fraction(1, 10**12)
    said = Decimal(plain.rstrip("%"))
    exponent = said.as_tuple().exponent
    assert isinstance(exponent, int)
    with localcontext(prec=60):
        exact = Decimal(value.numerator) / Decimal(value.denominator) * (100 if plain.endswith("%") else 1)
        if exact.quantize(Decimal(1).scaleb(exponent), ROUND_HALF_UP) == said:
            return True
        # A spreadsheet keeps fifteen digits of a number, and puts noughts for the others.
        return len(plain) > 15 and plain.endswith("0") and abs(exact - said) < 10


def test_every_bet_of_the_list_is_said_or_refused_by_name() -> None:
    said = sum(
        len(bet["listed"]) if isinstance(bet.get("listed"), list) else bet.get("listed", True) for bet in BETS.values()
    )
    assert (said, len(PUBLISHED["refused"]), len(PUBLISHED["beside-printed"]["bets"])) == (106, 4, 2)


def test_a_row_is_a_few_lines() -> None:
    assert max(len(bet["rows"]) for bet in BETS.values()) <= 7
    assert len(book().bets) > 140


@pytest.mark.parametrize("shoe", COUNTS)
def test_every_row_takes_the_deals_that_a_second_program_counts(shoe: str) -> None:
    found = {bet: [row.deals for row in odds.rows] for bet, odds in odds_of(shoe).items()}
    assert found == COUNTS[shoe]


def test_every_printed_figure_is_met_or_its_misprint_is_explained() -> None:
    met = 0
    for bet, figure in printed():
        text = next(figure[kind] for kind in FIGURES if kind in figure)
        value = exact_value(odds_of(str(figure.get("decks", 8)))[bet], figure)
        binary = figure.get("binary", False)
        if "why" in figure:
            assert not is_met(value, text, binary=binary), (bet, figure)
            assert is_met(value, figure["exact"], binary=binary), (bet, figure, float(value))
        else:
            met += 1
            assert is_met(value, text, binary=binary), (bet, figure, float(value))
    assert (met, len(printed())) == (297, 311)


@pytest.mark.parametrize("bet", PUBLISHED["refused"])
def test_what_one_round_does_not_decide_or_the_book_does_not_pay_is_refused_by_name(bet: str) -> None:
    word = PUBLISHED["refused"][bet]["word"]
    with pytest.raises(BadBook) as refused:
        parse(f"{HEAD}[bets.tie]\n{word} = true\n".encode(), "mine.toml")
    (fault,) = refused.value.faults
    wanted = "what a bet pays must be odds of the book" if word == "progressive" else "one round decides every bet"
    assert wanted in fault.says
    assert (fault.line, fault.key) == (9, f"bets.tie.{word}")


def test_a_pot_in_the_place_of_odds_and_pressed_winnings_are_refused_too() -> None:
    with pytest.raises(BadBook, match="A progressive pot is not of this format"):
        parse(source("punto-banco").replace(b'"8:1"', b'"progressive"'), "mine.toml")
    with pytest.raises(BadBook, match="Moving winnings onto another wager"):
        parse(f'{HEAD}[bets.tie]\npress = "banker"\n'.encode(), "mine.toml")


def test_the_figures_of_a_game_with_a_printed_card_are_met() -> None:
    """Of 2,862,766,146,240 deals of five cards from six decks, as they are printed."""
    told = PUBLISHED["beside-printed"]
    pays = {name: [row_in_book(name, row) for row in bet["rows"]] for name, bet in told["bets"].items()}
    text = HEAD + write_toml({"cards": {"printed": told["printed"]}, "pays": pays})
    seven_up = menu(parse(text.encode(), "seven-up.toml"))
    for name, bet in told["bets"].items():
        for figure in bet["printed"]:
            odds = bet_odds(seven_up, [4 * figure.get("decks", 8)] * 13)[name]
            text = next(figure[kind] for kind in FIGURES if kind in figure)
            assert is_met(exact_value(odds, figure), text), (name, figure)
    assert bet_odds(seven_up, [24] * 13)["player"].total == 2_862_766_146_240
