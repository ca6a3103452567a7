"""`punto simulate` as its users meet it."""

import json

import pytest

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
        (("--shoes", "10", "--seed", "1", "--dask", "tcp://127.0.0.1:9"), "No Dask scheduler"),
        (("--shoes", "10", "--seed", "1", "--resume", "nowhere.json"), "nowhere.json"),
    ],
)
def test_bad_input_is_a_sentence(arguments: tuple[str, ...], says: str) -> None:
    assert says in refused("simulate", "wu-song", *arguments)
