"""`punto odds` as its users meet it."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from test_cli import ok, refused


def test_the_json_is_exact() -> None:
    """Published: eight decks, Banker wins 2292252566437888 of 4998398275503360 deals."""
    answer = json.loads(ok("odds", "commission-insurance", "--json"))
    assert (answer["rulebook"], answer["layout"], answer["decks"], answer["total"]) == (
        "commission-insurance",
        "A",
        8,
        "4998398275503360",
    )
    banker = answer["bets"]["banker"]
    assert Fraction(banker["rows"][0]["probability"]) == Fraction(2292252566437888, 4998398275503360)
    assert (banker["rows"][0]["odds"], banker["rows"][0]["clause"]) == ("0.95:1", "4.1.2")
    assert round(banker["edge_float"], 6) == 0.010579
    assert Fraction(banker["edge"]) == Fraction(2230518282592256, 4998398275503360) - Fraction(95, 100) * Fraction(
        banker["rows"][0]["probability"]
    )
    [cell] = [
        each
        for each in answer["insurance"]
        if (each["stage"], each["hand"], each["own"], each["opposite"]) == ("four-cards", "banker", 6, 5)
    ]
    assert cell["odds"] == "3:1"
    assert round(float(Fraction(cell["edge"])), 4) == -0.0844
    assert set(cell) >= {"reach", "win", "stand_off", "edge"}


def test_the_table_marks_what_favours_the_patron() -> None:
    text = ok("odds", "commission-insurance")
    assert "-8.4397% *" in text
    assert "is worth 0.04739% of the bet per round" in text


def test_decks_outside_the_book_are_computed_and_flagged() -> None:
    assert "Outside the book: it allows 4 to 8 decks." in ok("odds", "commission-insurance", "--decks", "10")
    assert json.loads(ok("odds", "commission-insurance", "--decks", "10", "--json"))["within_book"] is False


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_a_plot_is_drawn(tmp_path: Path, suffix: str) -> None:
    ok("odds", "commission-insurance", "--plot", str(tmp_path / f"odds.{suffix}"))
    assert (tmp_path / f"odds.{suffix}").stat().st_size > 5000


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("wu-song", "--decks", "0"), "0 decks make no shoe"),
        (("wu-song", "--decks", "13"), "1 to 12"),
        (("wu-song", "--decks", "many"), "--decks"),
        (("wu-song", "--decks", "1", "--removed", "6h 6h"), "6h lies there 2 times"),
        (("wu-song", "--removed", "Z"), "'Z' is not a card"),
        (("wu-song", "--layout", "Q"), "There is no layout 'Q'"),
        (("poker",), "There is no rulebook 'poker'"),
        (("wu-song", "--plot", "odds.gif"), "gif"),
    ],
)
def test_bad_input_is_a_sentence(arguments: tuple[str, ...], says: str) -> None:
    assert says in refused("odds", *arguments)


def test_a_shoe_that_is_nearly_empty_is_refused() -> None:
    gone = " ".join(f"{rank}{suit}" for rank in "A23456789TJQK" for suit in "cdhs")[:-15]
    assert "too few" in refused("odds", "wu-song", "--decks", "1", "--removed", gone)
