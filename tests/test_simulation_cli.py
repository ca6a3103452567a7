"""`punto simulate` as its users meet it."""

import contextlib
import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from own_head import head
from punto.odds import bet_odds, full_shoe
from punto.report import certificate, confirm, html
from punto.rulebook import load as load_book
from punto.rulebook import menu
from punto.simulation import Dealing, load, simulate

from test_cli import ok, refused


def test_the_command_prints_what_was_dealt_and_deals_it_again() -> None:
    command = ("simulate", "wu-song", "--shoes", "2000", "--seed", "1", "--rounds", "69", "--json")
    answer = json.loads(ok(*command))
    assert (answer["rounds"], answer["shoes"], answer["seed"]) == (138000, 2000, 1)
    assert answer["seconds"] > 0
    assert json.loads(ok(*command, "--threads", "1"))["digest"] == answer["digest"]
    assert "Wu Dalang" in ok("simulate", "wu-song", "--shoes", "2000", "--seed", "1")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--shoes", "0", "--seed", "1"), "0 shoes"),
        (("--shoes", "10", "--seed", "-1"), "is no seed"),
        (("--shoes", "many", "--seed", "1"), "--shoes"),
        (("--shoes", "10", "--seed", "x"), "--seed"),
        (("--shoes", "10", "--seed", "1", "--decks", "0"), "0 decks"),
        (("--shoes", "10", "--seed", "1", "--backend", "abacus"), "abacus"),
        (("--shoes", "10", "--seed", "1", "--backend", "gpu"), "no GPU"),
        (("--shoes", "10", "--seed", "1", "--dask", "tcp://127.0.0.1:9"), "leave it out for"),
        (("--shoes", "10", "--seed", "1", "--dask", "nonsense"), "leave it out for"),
        (("--shoes", "10", "--seed", "1", "--resume", "nowhere.json"), "nowhere.json"),
    ],
)
def test_bad_input_is_a_sentence(arguments: tuple[str, ...], says: str) -> None:
    assert says in refused("simulate", "wu-song", *arguments)


def test_the_json_says_what_a_program_needs() -> None:
    """Each bet beside its exact figure; with a cut card its effect as a figure of its own, without one none."""
    answer = json.loads(ok("simulate", "commission-insurance", "--shoes", "5000", "--seed", "3", "--json"))
    assert answer["digest"] == simulate(Dealing(), seed=3, shoes=5000).digest
    banker = answer["bets"]["banker"]
    assert banker["exact_edge"] == pytest.approx(0.010579, abs=5e-7)  # as published for eight decks
    assert banker["low"] < banker["edge"] < banker["high"]
    assert banker["return"] == pytest.approx(1 - banker["edge"])
    effect = answer["cut_card_effect"]["banker"]
    assert effect["effect"] == pytest.approx(banker["edge"] - banker["exact_edge"])
    assert {"statistic", "degrees", "p_value"} == set(answer["chi_square"])
    [cell] = [
        each
        for each in answer["insurance"]
        if (each["stage"], each["hand"], each["own"], each["opposite"]) == ("four-cards", "banker", 6, 5)
    ]
    assert cell["exact_edge"] == pytest.approx(-0.0844, abs=5e-5)
    assert cell["edge"] == pytest.approx(cell["exact_edge"], abs=0.08)
    fixed = json.loads(ok("simulate", "wu-song", "--shoes", "100", "--seed", "3", "--rounds", "9", "--json"))
    assert (fixed["cut_card_effect"], fixed["cut"], fixed["rounds"]) == (None, None, 900)


def test_a_bankroll_is_followed_through_shoes() -> None:
    arguments = ("simulate", "wu-song", "--shoes", "300", "--seed", "3", "--by-shoe", "banker")
    assert "One unit on Banker every round, 300 shoes" in ok(*arguments)
    looked = json.loads(ok(*arguments, "--json"))["by_shoe"]
    assert sum(looked["rounds"].values()) == looked["shoes"] == 300
    assert len(looked["path"][0]) == len(looked["quantiles"])
    assert "Layout A does not carry" in refused(
        "simulate", "wu-song", "--shoes", "3", "--seed", "3", "--by-shoe", "banker-big-7"
    )


def test_a_run_is_kept_and_gone_on_with(tmp_path: Path) -> None:
    run, file = ("simulate", "wu-song", "--seed", "5", "--decks", "6", "--burn", "3"), tmp_path / "counts.json"
    ok(*run, "--shoes", "1000", "--save", str(file))
    more = json.loads(ok(*run, "--shoes", "3000", "--resume", str(file), "--json"))
    assert (more["shoes"], more["digest"]) == (3000, json.loads(ok(*run, "--shoes", "3000", "--json"))["digest"])
    assert "holds another run" in refused("simulate", "wu-song", "--seed", "6", "--shoes", "10", "--resume", str(file))
    file.write_text("{}", encoding="utf-8")
    assert "holds no counts of a simulation" in refused(*run, "--shoes", "3000", "--resume", str(file))


def test_ctrl_c_leaves_what_was_dealt_and_how_to_go_on(tmp_path: Path) -> None:
    """The command is interrupted once its bar shows that shoes were dealt; a bar is shown on a terminal only."""
    shoes = "2000000000"  # minutes of dealing: it cannot end before it is interrupted
    command = [sys.executable, "-m", "punto", "simulate", "wu-song", "--shoes", shoes, "--seed", "5"]
    terminal, its_end = pty.openpty()
    started: subprocess.Popen[Any] = subprocess.Popen(
        command,
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=its_end,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a job in the background would ignore it
    )
    os.close(its_end)
    told = b""
    while not re.search(rb"[1-9]\d*/" + shoes.encode(), told):
        told += os.read(terminal, 1 << 16)
    started.send_signal(signal.SIGINT)
    with contextlib.suppress(OSError):  # the other end is closed
        while more := os.read(terminal, 1 << 16):
            told += more
    assert started.wait(timeout=600) == 130
    dealt = load(tmp_path / "wu-song-5.tally.json").dealt
    assert 0 < dealt < int(shoes)
    said = " ".join(told.decode().split())
    assert f"Stopped after {dealt} shoes of {shoes}. To go on: punto simulate wu-song" in said
    again = shlex.split(said[said.index("punto simulate") :])
    assert again[-4:] == ["--resume", "wu-song-5.tally.json", "--save", "wu-song-5.tally.json"]


DREAM = """
[bets.dream]
name = "Dream"
clause = "B.dream"
loses = "B.dream"
[[pays.dream]]
bet = "dream"
when = { all-cards = { of-a-kind = 5 } }
odds = "2000000:1"
clause = "P.dream"

[bets.plain]
name = "Plain"
clause = "B.plain"
loses = "B.plain"
[[pays.plain]]
bet = "plain"
when = { winner = "tie", points = 6 }
odds = "2000000:1"
clause = "P.plain"

[layouts.big]
clause = "L.big"
positions = { min = 1, max = 9 }
pays = ["player", "banker", "tie", "dream", "plain"]
"""


def test_bets_with_odds_beyond_what_a_run_adds_up_are_left_out_by_name_and_all_others_dealt(tmp_path: Path) -> None:
    file = tmp_path / "big.toml"
    file.write_text(head() + DREAM, encoding="utf-8")
    found = json.loads(ok("simulate", str(file), "--shoes", "20", "--json"))
    assert list(found["bets"]) == ["player", "banker", "tie"]
    exact = bet_odds(menu(load_book(str(file))), full_shoe(8))
    assert {name: each["exact_edge"] for name, each in found["left_out"].items()} == {
        name: float(exact[name].edge) for name in ("dream", "plain")
    }
    why = "Dream is left out of the run: it nets up to 2000000 parts of its unit, more than the 1048576"
    assert why in ok("simulate", str(file), "--shoes", "20")
    assert why in refused("simulate", str(file), "--shoes", "20", "--by-shoe", "dream")
    confirmed = confirm(load_book(str(file)), shoes=200)
    assert {each.name for bets in confirmed.bets.values() for each in bets} == {"Player", "Banker", "Tie"}
    assert "Dream is left out" in html(certificate(load_book(str(file)), None, 8, confirmed)).decode()
