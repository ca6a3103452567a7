"""The public games that ship: apart from the approved books, few lines each, with the rows of published bets."""

import tomllib
from fractions import Fraction

import pytest

from punto.lint import lint
from punto.odds import bet_odds, full_shoe
from punto.report import certificate
from punto.report.html import html
from punto.rulebook import Menu, Row, games, ids, load, menu, source
from punto.rulebook.approval import approval, ships
from punto.scenario import play, read
from punto.service.books import in_use, own_library
from punto.service.errors import Unknown
from punto.service.settings import settings
from test_published_bets import BETS, is_met
from test_published_bets import book as published
from test_scenarios import STORIES

from test_cli import punto_command

PUBLISHED = {
    "punto-banco": {"player": "main-player", "banker": "main-banker", "tie": "tie-8"},
    "classic-punto-banco": {"tie-nine": "tie-9", "banker-half": "banker-half-6", "pairs": "pair-11"},
    "ez-baccarat": {"banker": "banker-ez", "dragon-7": "dragon-7", "panda-8": "panda-8", "pairs": "pair-11"},
    "super-6": {
        "banker": "banker-half-6",
        "super-6-twelve": "super-6-12",
        "super-6-fifteen": "super-6-15",
        "lucky-6": "lucky-6-20",
        "lucky-7": "lucky-7",
        "super-lucky-7": "super-lucky-7",
        "tiger": "lucky-6-20",
        "small-tiger": "small-tiger",
        "big-tiger": "big-tiger",
        "tiger-tie": "tiger-tie",
        "tiger-pair": "tiger-pair",
    },
    "dragon-bonus": {
        "dragon-bonus-player": "dragon-bonus-player",
        "dragon-bonus-banker": "dragon-bonus-banker",
        "flat-banker": "dragon-bonus-cb-banker",
    },
    "pairs-and-size": {
        "pairs": "pair-11",
        "either-pair": "either-pair",
        "perfect-pair": "perfect-pair-25",
        "perfect-pair-both": "perfect-pair-25-200",
        "big": "big-54",
        "big-half": "big-50",
        "small": "small-3-2",
        "small-145": "small-145",
        "four-cards": "cards-4",
        "five-cards": "cards-5",
        "six-cards": "cards-6",
    },
    "five-treasures": {
        "banker": "banker-ez",
        "fortune-7": "dragon-7",
        "golden-8": "panda-8",
        "heavenly-9": "heavenly-9",
        "heavenly-9-low": "heavenly-9-60-8",
        "blazing-7s": "blazing-7s",
        "cover-all": "cover-all",
        "cover-all-five": "treasure-all-5",
        "tiger-7": "dragon-7",
        "ox-6": "ox-6",
        "kill": "kill",
    },
    "egalite": {
        "egalite": "egalite",
        **{f"super-pay-{area}": f"super-pay-egalite-{area}" for area in ("0", "1-3", "4-5", "6-7", "8-9")},
        "low-tie-max": "low-tie-max",
        "high-tie-max": "high-tie-max",
    },
    "totals": {
        "quik": "quik",
        **{f"wins-{total}": f"ko-{total}" for total in ("1-4", "5-6", "7", "8", "9")},
        "player-natural": "ko-player-natural",
        "banker-natural": "ko-banker-natural",
        "player-three-card-win": "player-3card-win",
        "banker-three-card-win": "banker-3card-win",
    },
    "match": {
        "royal-match-player": "majestic-match",
        "matching-dragon": "matching-dragon-1",
        "matching-dragon-two": "matching-dragon-2",
        "player-red": "player-red",
        "all-red": "all-red",
        "fabulous-pair-player": "fab4-pair",
    },
}
"""By game and group of pay rows the published bet whose rows they are."""

ALIKE = {
    ("match", "royal", "royal-match-banker"): "royal-match-player",
    ("match", "colours", "banker-red"): "player-red",
    ("match", "colours", "player-black"): "player-red",
    ("match", "colours", "banker-black"): "player-red",
    ("match", "fabulous", "fabulous-pair-banker"): "fabulous-pair-player",
    ("ez-baccarat", "pairs", "banker-pair"): "player-pair",
}
"""Bets on the first two cards of the other hand, or the other colour: the same chances."""

PRINTED = [
    ("punto-banco", "plain", "player", "1.2351%"),
    ("punto-banco", "plain", "banker", "1.0579%"),
    ("classic-punto-banco", "nine", "tie", "4.8440%"),
    ("classic-punto-banco", "no-commission", "banker", "1.4581%"),
    ("ez-baccarat", "dragon-panda", "banker", "1.0183%"),
    ("ez-baccarat", "dragon-panda", "dragon-7", "7.6113%"),
    ("ez-baccarat", "dragon-panda", "panda-8", "10.1876%"),
    ("super-6", "punto-2000", "super-6", "29.98%"),
    ("super-6", "tiger", "tiger", "16.68%"),
    ("dragon-bonus", "bonus", "dragon-bonus-player", "2.65%"),
    ("dragon-bonus", "bonus", "dragon-bonus-banker", "9.37%"),
    ("pairs-and-size", "menu", "small", "5.28%"),
    ("five-treasures", "treasures", "cover-all", "2.97%"),
    ("egalite", "ur-way", "egalite-7", "6.3899%"),
    ("totals", "quik", "quik", "8.155%"),
    ("match", "royal", "royal-match-player", "6.46%"),
]


def rows_of(rows: tuple[Row, ...]) -> list[object]:
    return [(row.when, row.result, row.odds) for row in rows]


def test_games_are_apart_from_the_books() -> None:
    assert not set(games()) & set(ids())
    assert set(games()) == set(PUBLISHED)
    for game in games():
        assert "not an approved text" in load(game).title
        assert "not an approved text" in load(game).approver
        assert (ships(load(game)), approval(load(game)).verified) == (True, False)
        assert tomllib.loads(source(game).decode()).get("base") == ("punto-banco" if game != "punto-banco" else None)


@pytest.mark.parametrize("game", games())
def test_a_game_lints_clean_and_its_story_goes_as_told(game: str) -> None:
    assert {found.kind for found in lint(load(game))} <= {"rounding"}
    story = STORIES / "games" / f"{game}.scenario"
    played = play(read(story.read_text(encoding="utf-8"), story.name))
    assert played.as_told, played.differences


@pytest.mark.parametrize("game", games())
def test_every_row_of_a_game_is_that_of_a_published_bet(game: str) -> None:
    rules = load(game)
    own = set(tomllib.loads(source(game).decode()).get("pays", ()))
    alike = {bet for name, _, bet in ALIKE if name == game}
    for group, bet in PUBLISHED[game].items():
        mine = tuple(row for row in rules.pays[group] if row.bet != "banker-pair")
        assert rows_of(mine) == rows_of(published().pays[bet]), (group, bet)
    assert own == set(PUBLISHED[game]) | {bet for bet in alike if bet in rules.pays}


@pytest.mark.parametrize(("game", "layout", "bet"), ALIKE)
def test_the_other_hand_and_the_other_colour_have_the_same_chances(game: str, layout: str, bet: str) -> None:
    odds = bet_odds(menu(load(game), layout), full_shoe(8))
    assert odds[bet].edge == odds[ALIKE[game, layout, bet]].edge


@pytest.mark.parametrize(("game", "layout", "bet", "edge"), PRINTED)
def test_the_printed_edge_is_met(game: str, layout: str, bet: str, edge: str) -> None:
    found = menu(load(game), layout)
    odds = bet_odds(Menu(found.book, found.layout, {bet: found[bet]}), full_shoe(8))
    assert is_met(odds[bet].edge, edge)


@pytest.mark.parametrize("game", games())
def test_what_a_game_expects_is_printed_where_it_says(game: str) -> None:
    """Lint holds the figures against exact odds; that they are those of their sources is held here."""
    expected = load(game).expected
    assert expected
    for each in expected:
        printed_there = [
            abs(Fraction(text.rstrip("%"))) / (100 if text.endswith("%") else 1)
            for bet in BETS.values()
            for figure in bet.get("printed", ())
            for text in (figure.get("edge", ""), figure.get("chance", ""), figure.get("variance", ""))
            if text and figure.get("decks", 8) == each.decks and figure.get("in", bet.get("source")) == each.source
        ]
        for name, expects in each.figures:
            assert any(abs(value - abs(expects.value)) <= expects.within for value in printed_there), (each, name)


@pytest.mark.parametrize(("game", "layout"), [("ez-baccarat", "dragon-panda"), ("match", "colours")])
def test_a_certificate_of_a_game_never_says_that_it_was_approved(game: str, layout: str) -> None:
    page = html(certificate(load(game), layout, decks=8)).decode()
    assert "Approved by" not in page
    assert f"Not an approved text: {game} is a public game that comes with Punto." in page
    assert f"punto certify {game} " in page


def test_tables_are_opened_by_games_where_the_house_says_so() -> None:
    with pytest.raises(Unknown):
        in_use(own_library(settings(None, {})), "ez-baccarat")
    library = own_library(settings(None, {"PUNTO_GAMES": "true"}))
    assert set(library.ids()) == {*ids(), *games()}
    assert in_use(library, "ez-baccarat").digest == load("ez-baccarat").digest


def test_the_command_line_takes_a_game_wherever_a_book_is_meant() -> None:
    listed = punto_command("rulebooks").stdout
    assert listed.splitlines()[-1].startswith("Public games, not approved texts (--games): classic-punto-banco, ")
    assert "Not an approved text: ez-baccarat is a public game" in punto_command("show", "ez-baccarat").stdout
    assert load(load("ez-baccarat").digest).id == "ez-baccarat"
