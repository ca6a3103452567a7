"""Values that a command cannot take: a sentence that names what was given and shows the form that was meant."""

import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from punto.cli import whole
from punto.coup import BadCards, cards
from punto.journal.witness import NotWitnessed, Witness, witness_key

from test_cli import punto_command

MISTYPED = {
    "simulate wu-song --shoes 1e6": "'1e6' is not a whole number: write it like 10000.",
    "simulate wu-song --rounds many": "'many' is not a whole number: write it like 8.",
    "users link ann --hours soon": "'soon' is not a number: write it like 24.",
    "conformance run kit --timeout x": "'x' is not a number: write it like 30.",
    "roads BPT --width 0": "0 is too little: it is at least 6.",
    "demo --pause -1": "-1 is too little: it is at least 0.",
    "serve --port 99999": "99999 is too much: it is at most 65535.",
    "certify wu-song -o x.html --issued yesterday": "'yesterday' is no day: write it like 2026-01-31.",
    "lint wu-song --format xml": "'xml' is not one of 'text', 'json', 'sarif', 'github'.",
    "explain wu-song K 6 7 K player=100": "'6' is a card: write all cards as one argument, such as '6h 2c Kd As 5h'.",
    "explain wu-song 'K 6 7 K' player=": "'player=' has no stake: write it like player=100.",
    "explain wu-song 'K 6 7 K' player=10 --cover 20": "'20' has no stake: write it like four-cards:player=20.",
    "explain wu-song 'K 6 7 K' player=10 --cover player=20": (
        "'player=20' has no stage: write it like four-cards:player=20."
    ),
    "cover wu-song scenarios/wu-song --least 200%": "200% is more than all of them: write a share like 80% or 0.8.",
}


@pytest.mark.parametrize("given", MISTYPED)
def test_a_value_of_the_wrong_kind_is_told_with_the_right_one(given: str) -> None:
    done = CliRunner().invoke(whole(), shlex.split(given), prog_name="punto")
    assert done.exit_code == 2
    told = " ".join(done.stderr.split()).partition("Error: ")[2]
    assert told.removeprefix("Invalid value").partition(": ")[2] == MISTYPED[given]


@pytest.mark.parametrize(
    ("text", "meant"),
    [("K67K", "K 6 7 K"), ("6h2cKdAs", "6h 2c Kd As"), ("10d,9,10h", "Td 9 Th"), ("6h-2c", "6h 2c"), ("9;8", "9 8")],
)
def test_cards_without_spaces_are_told_with_spaces(text: str, meant: str) -> None:
    with pytest.raises(BadCards, match=f"'{text}' is not a card: write spaces between cards, like '{meant}'."):
        cards(text)


@pytest.mark.parametrize("text", ["1x", "6hh", "K+6", ",6", "6,", "67x"])
def test_what_is_no_row_of_cards_is_not_taken_for_one(text: str) -> None:
    with pytest.raises(BadCards, match="write a rank of"):
        cards(text)


@pytest.mark.parametrize(
    ("option", "says"), [("--tie=8", "odds: '8' is not odds: write"), ("--id=A B", "id: must be 1 to 60 small letters")]
)
def test_an_answer_that_makes_no_book_names_no_line_of_a_file_that_is_not_there(
    option: str, says: str, tmp_path: Path
) -> None:
    done = punto_command("new", str(tmp_path / "mine.toml"), option)
    assert done.returncode == 1
    assert done.stderr.startswith(f"punto: {says}")
    assert list(tmp_path.iterdir()) == []


def test_a_shoe_that_reaches_nobody_says_where_it_looked() -> None:
    done = punto_command("feed", "simulate", "--to", "127.0.0.1:1", "--table", "t", "--token", "x")
    assert done.returncode == 1
    assert done.stderr == "punto: Nothing answers at 127.0.0.1:1: is it the feed_port of a service that runs?\n"


def test_the_key_of_a_witness_is_read_and_never_made(tmp_path: Path) -> None:
    with pytest.raises(NotWitnessed, match="punto witness serve"):
        witness_key(tmp_path / "mistyped")
    assert list(tmp_path.iterdir()) == []
    witness = Witness(tmp_path / "witness")
    half_a_line = tmp_path / "witness" / "witness.heads"
    half_a_line.write_bytes(b"{")
    assert witness_key(tmp_path / "witness") == witness.key
    assert half_a_line.read_bytes() == b"{"
