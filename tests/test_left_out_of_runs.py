"""Bets that no run of shoes counts for a card counter: named with the reason, and all others as if they were not there.

Their edges from single compositions are counted all the same.
"""

import re
from fractions import Fraction
from html import unescape
from itertools import permutations, product
from pathlib import Path

import msgspec
import numpy as np
import pytest
from typer.testing import CliRunner

from punto.coup import Card, cards
from punto.exposure import (
    BadExposure,
    best_count,
    count,
    countermeasures,
    edges,
    exact_edges,
    expose,
    left_out,
    next_round,
    removal,
)
from punto.odds import full_shoe, without
from punto.report import certificate, confirm, expose_book, html
from punto.rulebook import Menu, load, menu
from punto.simulation import Dealing
from whole_app import app

from second import draw

HEAD = """base = "punto-banco"
id = "anchored"
title = "Anchored"
operator = "nobody"
approver = "nobody"
version = "1"
effective = 2026-01-01T00:00:00+00:00
remove = ["layouts.plain"]

[bets.red]
name = "Red"
clause = "B.red"
loses = "B.red"

[[pays.red]]
bet = "red"
when = { player-start = { colour = "red" } }
odds = "2:1"
clause = "P.red"
"""
ANCHOR = """
[bets.anchor]
name = "Anchor"
clause = "B.anchor"
loses = "B.anchor"

[[pays.anchor]]
bet = "anchor"
when = { third-cards = { same = "suit" }, winner-cards = 3 }
odds = "8:1"
clause = "P.anchor"
"""
MOON = """
[bets.moon]
name = "Moon"
clause = "B.moon"
loses = "B.moon"

[[pays.moon]]
bet = "moon"
when = { natural = "both", points = 9 }
odds = "3000:1"
clause = "P.moon"
"""
LAYOUT = """
[layouts.one]
clause = "L.one"
positions = {{ min = 1, max = 9 }}
pays = [{}]
"""
USUAL = ("player", "banker", "tie", "red")
TOO_MANY = (
    "Anchor is left out of the run: it tells 40 kinds of cards apart in the whole coup, too many to go through "
    "before every round."
)
TOO_MUCH = (
    "Moon is left out of the run: it nets up to 3000 parts of its unit, more than the 1845 that such a shoe leaves "
    "room for in 64 bits."
)


@pytest.fixture(autouse=True)
def _our_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands that run in this process compile nothing for wider vectors."""
    monkeypatch.setattr("punto.kernels.compiled.wide_vectors", lambda: None)


def written(folder: Path, name: str, *more: str) -> str:
    """A game with the usual bets, and with some more."""
    parts = {"anchor": ANCHOR, "moon": MOON}
    pays = ", ".join(f'"{bet}"' for bet in (*USUAL, *more))
    file = folder / f"{name}.toml"
    file.write_text(HEAD + "".join(parts[each] for each in more) + LAYOUT.format(pays), "utf-8")
    return str(file)


@pytest.fixture
def anchored(tmp_path: Path) -> Menu:
    """The game with both bets."""
    return menu(load(written(tmp_path, "anchored", "anchor", "moon")))


def told(*arguments: str) -> str:
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_others_are_counted_as_if_it_were_not_there(tmp_path: Path) -> None:
    answers = []
    for name, more in (("anchored", ("anchor", "moon")), ("usual", ())):
        file = written(tmp_path, name, *more)
        answers.append(msgspec.json.decode(told("exposure", file, "--shoes", "30", "--seed", "4", "--json")))
    ours, usual = answers
    assert list(ours["bets"]) == list(USUAL)
    assert ours["bets"] == usual["bets"]
    assert (ours["digest"], ours["rounds"]) == (usual["digest"], usual["rounds"])
    assert usual["left_out"] == {}
    assert {name: each["why"] for name, each in ours["left_out"].items()} == {"anchor": TOO_MANY, "moon": TOO_MUCH}
    assert ours["left_out"]["moon"]["full_shoe_edge"] == pytest.approx(float(moon_from_a_full_shoe(8)), rel=1e-12)


def test_the_command_says_it_below_the_table(tmp_path: Path) -> None:
    shown = told("exposure", written(tmp_path, "anchored", "anchor"), "--shoes", "10")
    assert f"\n{TOO_MANY} From a full shoe its edge is -36.312%.\n" in shown
    assert " Red " in shown


def test_its_own_count_is_refused_with_the_same_sentence(tmp_path: Path, anchored: Menu) -> None:
    file = written(tmp_path, "anchored", "anchor")
    for more in ((), ("--sweep",), ("--tags", "0,0,-1,-1,-1,-2,1,2,2,0", "--trigger", "8")):
        done = CliRunner().invoke(app, ["exposure", file, "--bet", "anchor", *more])
        assert isinstance(done.exception, BadExposure)
        assert str(done.exception) == TOO_MANY
    with pytest.raises(BadExposure, match=re.escape(TOO_MANY)):
        best_count(anchored, "anchor")
    with pytest.raises(BadExposure, match=re.escape(TOO_MUCH)):
        expose(anchored, seed=1, shoes=1, counts=[count("moon", "0,0,-1,-1,-1,-2,1,2,2,0", 8)])


def test_a_sweep_passes_over_decks_from_which_the_bet_is_left_out(anchored: Menu) -> None:
    found = countermeasures(anchored, "moon", Dealing(decks=6), seed=1, shoes=2, decks=(5, 6, 8))
    assert [each.value for each in found if each.kind == "decks"] == ["5"]


def test_what_is_left_out_depends_on_the_decks(anchored: Menu) -> None:
    assert list(left_out(anchored, 6)) == ["anchor"]  # 312 cards: 3,000 x 312 x 311 x ... x 307 is below 2^63
    assert list(left_out(anchored, 8)) == ["anchor", "moon"]
    assert left_out(menu(load("match"), "colours"), 8) == {}


def moon_from_a_full_shoe(decks: int) -> Fraction:
    """What a unit on Moon nets: two naturals, at least one of them a nine, by values of the first four cards."""
    have = [16 * decks, *[4 * decks] * 9]
    met = 0
    for a, b, c, d in product(range(10), repeat=4):
        totals = sorted(((a + c) % 10, (b + d) % 10))
        if totals in ([8, 9], [9, 9]):
            left, ways = list(have), 1
            for value in (a, b, c, d):
                ways, left[value] = ways * left[value], left[value] - 1
            met += ways
    size = 52 * decks
    chance = Fraction(met, size * (size - 1) * (size - 2) * (size - 3))
    return 3000 * chance - (1 - chance)


def anchor_by_hand(held: tuple[Card, ...]) -> Fraction:
    """What a unit on Anchor nets over all deals from a few cards, by the second implementation."""
    net = total = 0
    for six in permutations(held, 6):
        coup = draw(*(card.rank for card in six))
        longest = {"player": coup.player_cards, "banker": coup.banker_cards, "tie": 0}[coup.winner]
        net += 8 if coup.used == 6 and longest == 3 and six[4].suit == six[5].suit else -1
        total += 1
    return Fraction(net, total)


FEW = ("2h 3c Kd 4h 2c 9h 6s 5h", "Ah Ac 2h 3d Th 4s 5c 6h", "Kc Qc 2c 3c 4d 5d 7h 9h")


@pytest.mark.parametrize("few", FEW)
def test_edges_from_single_compositions_are_counted_all_the_same(few: str, anchored: Menu) -> None:
    held = cards(few)
    gone = [card for card in cards_of_a_deck() if card not in held]
    shoe = without(full_shoe(1, by_suit=True), gone)
    wanted = anchor_by_hand(held)
    assert exact_edges(anchored, shoe)["anchor"] == wanted
    assert next_round(anchored, gone, decks=1)["anchor"] == wanted
    at = list(anchored.bets).index("anchor")
    assert edges(anchored, [full_shoe(8, by_suit=True), shoe])[1, at] == pytest.approx(float(wanted), abs=1e-12)


def cards_of_a_deck() -> list[Card]:
    return [Card(rank, suit) for rank in range(1, 14) for suit in "cdhs"]


def test_a_bet_beyond_64_bits_is_counted_from_single_compositions(anchored: Menu) -> None:
    assert exact_edges(anchored, full_shoe(8))["moon"] == moon_from_a_full_shoe(8)
    found = edges(anchored, [full_shoe(8), full_shoe(2)])[:, list(anchored.bets).index("moon")]
    wanted = [float(moon_from_a_full_shoe(decks)) for decks in (8, 2)]
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_the_effects_of_removal_balance(anchored: Menu) -> None:
    """Over all cards of a full shoe the removal of one changes nothing, of these bets as of any."""
    found = removal(anchored)
    for name in ("anchor", "moon", "red"):
        assert sum(found[name]) == 0
        assert any(found[name]) == (name != "red")


def test_a_certificate_names_it_and_its_commands_give_what_it_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    book = load(written(tmp_path, "anchored", "anchor", "moon"))
    confirmed, exposed = confirm(book, shoes=500), expose_book(book, shoes=20)
    page = unescape(html(certificate(book, None, 8, confirmed, exposed)).decode())
    assert f"{TOO_MANY} From a full shoe its edge is -36.312%. {TOO_MUCH}" in page
    assert "the card counter makes no bet that is said there to be left out" in page
    commands = re.findall(r"punto (?:simulate|exposure) [^<]*", page)
    digests = {"simulate": confirmed.digest, "exposure": exposed.run.digest}
    assert [command.split()[1] for command in commands] == ["simulate", "exposure"]
    for command in commands:
        words = command.split()[1:]
        assert digests[words[0]] in page
        assert msgspec.json.decode(told(*words, "--json"))["digest"] == digests[words[0]]
    usual = load(written(tmp_path, "usual"))
    assert "is left out of the run" not in html(certificate(usual, exposed=expose_book(usual, shoes=5))).decode()
