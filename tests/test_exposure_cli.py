"""`punto exposure` as its users meet it, its plots, and what a certificate says of counting."""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from punto.exposure import DealingProcedure, Exposure, count, expose, load_exposure
from punto.report import BadReport, certificate, expose_book, html, plot_exposure
from punto.rulebook import load, menu
from punto.simulation import Ready
from whole_app import app

from test_cli import ok

EXAMPLE = str(Path(__file__).parent.parent / "examples" / "banker-7-at-40.toml")
BIG_TIGER = ("--bet", "big-tiger", "--tags", "0,0,-1,-1,-1,-2,+1,+2,+2,0", "--trigger", "8")


@pytest.fixture(autouse=True)
def _our_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands that run in this process compile nothing for wider vectors."""
    monkeypatch.setattr("punto.kernels.compiled.wide_vectors", lambda: None)


def said(*arguments: str) -> str:
    """What a command prints, run in this process."""
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    return done.stdout


def refused(*arguments: str) -> str:
    """The sentence with which a command is refused."""
    error = CliRunner().invoke(app, arguments).exception
    assert isinstance(error, ValueError | OSError)
    return str(error)


FIGURES = {"favourable", "edge_when_favourable", "units_per_shoe", "units_per_100"}


def test_the_json_has_rounds_and_every_bet_with_its_errors() -> None:
    command = ("exposure", "wu-song", "--shoes", "60", "--seed", "4", "--json")
    answer = json.loads(ok(*command))
    dealt = json.loads(ok("simulate", "wu-song", "--shoes", "60", "--seed", "4", "--json"))
    assert answer["rounds"] == dealt["rounds"]
    found = expose(menu(load("wu-song")), seed=4, shoes=60, cover=load("wu-song"))
    assert answer["digest"] == found.digest == json.loads(ok(*command, "--threads", "1"))["digest"]
    assert list(answer["bets"]) == list(menu(load("wu-song")).bets)
    for name, each in answer["bets"].items():
        assert set(each) > FIGURES
        assert set(each["error"]) == set(each["interval"]) == FIGURES
        assert each["units_per_shoe"] == found.perfect(name).per_shoe.value
        assert sum(each["distribution"].values()) == answer["rounds"]
    tiger = answer["bets"]["big-tiger"]
    assert tiger["full_shoe_edge"] == pytest.approx(-0.152533, abs=5e-7)  # the player's edge is positive
    assert tiger["edge_when_favourable"] > 0
    assert [each["cut"] for each in tiger["by_cut"]][:3] == [14, 26, 52]


def test_a_count_is_played_in_the_place_of_perfect_play() -> None:
    answer = json.loads(said("exposure", "wu-song", "--shoes", "60", "--seed", "4", *BIG_TIGER, "--json"))
    found = expose(
        menu(load("wu-song")),
        DealingProcedure(casino=True),
        seed=4,
        shoes=60,
        counts=[count("big-tiger", "0,0,-1,-1,-1,-2,+1,+2,+2,0", 8)],
        cover=load("wu-song"),
    )
    tiger = answer["bets"]["big-tiger"]
    assert answer["procedure"] == "casino"
    assert tiger["played"] == "count"
    assert tiger["favourable"] == found.by_count().share.value
    assert tiger["units_per_100"] == found.by_count().per_100.value
    assert tiger["perfect"]["units_per_100"] == found.perfect("big-tiger").per_100.value
    assert answer["count"]["efficiency"] == pytest.approx(tiger["units_per_shoe"] / tiger["perfect"]["units_per_shoe"])
    assert answer["bets"]["tie"]["played"] == "perfect"
    plain = json.loads(
        said("exposure", "wu-song", "--shoes", "60", "--seed", "4", *BIG_TIGER, "--procedure", "plain", "--json")
    )
    assert (
        plain["rounds"] == json.loads(said("exposure", "wu-song", "--shoes", "60", "--seed", "4", "--json"))["rounds"]
    )


def test_the_example_book_and_the_best_tags_for_it() -> None:
    shown = said("exposure", EXAMPLE, "--shoes", "40", "--bet", "banker-big-7")
    assert "Banker Big 7 with tags" in shown
    assert "of perfect play" in shown
    assert "-7.611%" in shown  # as published


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--shoes", "0"), "0 shoes"),
        (("--seed", "-1"), "is no seed"),
        (("--decks", "13"), "13 decks"),
        (("--cut", "3"), "A cut card 3 cards from the end"),
        (("--backend", "abacus"), "abacus"),
        (("--backend", "gpu"), "no GPU"),
        (("--tags", "1,2,3"), "A count needs all three"),
        (("--bet", "big-tiger", "--tags", "1,2,3", "--trigger", "1"), "are no tags"),
        (("--bet", "dragon"), "is not a bet of this book"),
        (("--bet", "player-pair"), "a linear count says nothing about it"),
        (("--procedure", "mine"), "plain and casino"),
        (("--procedure", "casino", "--burn", "3"), "the first card says how many"),
        (("--sweep",), "name it with --bet"),
        (("--resume", "nowhere.json"), "nowhere.json"),
    ],
)
def test_bad_input_is_a_sentence(arguments: tuple[str, ...], says: str) -> None:
    assert says in refused("exposure", "wu-song", *arguments)


def test_a_run_is_gone_on_with(tmp_path: Path) -> None:
    kept = str(tmp_path / "run.json")
    command = ("exposure", "commission-insurance", "--seed", "2", "--json")
    said(*command, "--shoes", "32", "--save", kept)
    more = json.loads(said(*command, "--shoes", "64", "--resume", kept, "--save", kept))
    assert more["shoes"] == 64
    assert more["digest"] == json.loads(said(*command, "--shoes", "64"))["digest"]
    assert "holds another run" in refused(*command, "--shoes", "64", "--cut", "20", "--resume", kept)


def test_ctrl_c_leaves_what_was_dealt_and_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The interrupt comes after the first piece; the command that is told then makes the run whole."""
    monkeypatch.chdir(tmp_path)
    pieces = Ready.pieces

    def interrupted(self: Ready[Exposure], first: int, last: int) -> Iterator[Exposure]:
        yield next(pieces(self, first, last))
        raise KeyboardInterrupt

    command = ["exposure", "wu-song", "--shoes", "512", "--seed", "5", *BIG_TIGER]
    with monkeypatch.context() as patched:
        patched.setattr(Ready, "pieces", interrupted)
        stopped = CliRunner().invoke(app, command)
    assert stopped.exit_code == 130
    again = shlex.split(stopped.output.partition("To go on: ")[2])
    assert again[:3] == ["punto", "exposure", "wu-song"]
    assert again[-4:] == ["--resume", "wu-song-5.exposure.json", "--save", "wu-song-5.exposure.json"]
    assert 0 < load_exposure("wu-song-5.exposure.json").dealt < 512
    gone_on = CliRunner().invoke(app, again[1:])
    assert gone_on.exit_code == 0, gone_on.output
    whole = CliRunner().invoke(app, [*command, "--json"])
    assert load_exposure("wu-song-5.exposure.json").digest == json.loads(whole.output)["digest"]


def test_countermeasures_and_plots(tmp_path: Path) -> None:
    drawn = tmp_path / "measures.svg"
    sweep = ("exposure", "wu-song", "--bet", "big-tiger", "--sweep", "--shoes", "20")
    shown = said(*sweep, "--plot", str(drawn))
    assert "house edge" in shown
    assert "45:1" in shown
    assert "<svg" in drawn.read_text()
    answer = json.loads(said(*sweep, "--json"))
    assert {each["kind"] for each in answer["measures"]} == {"as it is", "cut", "decks", "odds", "cap"}
    found = expose(menu(load("wu-song")), seed=1, shoes=20)
    for name in ("one.svg", "two.svg"):
        plot_exposure(menu(load("wu-song")), found, tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
    with pytest.raises(BadReport, match="a drawing is"):
        plot_exposure(menu(load("wu-song")), found, tmp_path / "it.gif")


def test_a_certificate_says_what_counting_could_win() -> None:
    book = load("commission-insurance")
    made = [html(certificate(book, "A", exposed=expose_book(book, "A", shoes=40))) for _ in range(2)]
    assert made[0] == made[1]
    text = made[0].decode()
    assert "What a card counter could win" in text
    seed = int(book.digest[:8], 16)
    assert f"punto exposure commission-insurance --layout A --decks 8 --shoes 40 --seed {seed}" in text
    found = expose(menu(book, "A"), seed=seed, shoes=40, cover=book)
    assert f"{found.perfect('player-pair').per_shoe.value:.4f}" in text
    assert "Insurance offers worth most" in text
