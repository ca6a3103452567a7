"""Who may give which command, in which phase, at which kind of shoe: generated from the program, held against a list.

`authority.toml` says it by hand, a row a command. Whatever the program lets anybody do must stand there; and whatever
stands there must be possible somewhere, so that no row says more than is true.
"""

import tomllib
from collections import defaultdict
from functools import cache
from pathlib import Path

import msgspec
import pytest

from phases import ROLES, SHOES, TABLES, State, account_of, everything, rare_states, some_states
from punto.rulebook import Refused
from punto.service.accounts.at_table import given_by
from punto.service.accounts.tokens import Denied
from punto.table import COMMANDS, act, commands

DECLARED: dict[str, dict[str, str]] = tomllib.loads(
    (Path(__file__).parent / "authority.toml").read_text(encoding="utf-8")
)
ANY = "any"
HIGH = ("top", "equal")
ROLES_OF = {
    "patrons": ("patron", "holder"),
    "staff": ("dealer", "supervisor", "pit", *HIGH),
    "supervisor+": ("supervisor", "pit", *HIGH),
    "pit+": ("pit", *HIGH),
}
NO_TABLE = "no table"
FOUND_PHASES = (
    "no shoe",
    "between rounds",
    "bets open",
    "bets closed",
    "dealing",
    "closed cards",
    "offer",
    "intent",
    "finished",
    "paid",
    "asked",
)
CARDS = ("dealing", "closed cards", "offer", "intent", "finished")
PHASES_OF = {
    ANY: FOUND_PHASES,
    "pause": ("no shoe", "between rounds", "paid"),
    "cards": CARDS,
    "shoe": tuple(each for each in FOUND_PHASES if each != "no shoe"),
    "uninsured": tuple(each for each in FOUND_PHASES if each not in ("offer", "intent")),
}
Cell = tuple[str, str, str]
"""A role, a phase and a kind of shoe."""


def tag(command: commands.Command) -> str:
    return str(command.__struct_config__.tag)


@cache
def matrix() -> dict[str, set[Cell]]:
    """Every command, and by whom, in which phase, at which shoe it is accepted."""
    found: dict[str, set[Cell]] = defaultdict(set)
    for way, shoe in TABLES:
        for state in (*some_states(way, shoe), *rare_states(way, shoe)):
            for role in ROLES:
                _fill(found, state, role)
    return found


def _fill(found: dict[str, set[Cell]], state: State, role: str) -> None:
    account = account_of(role, state)
    if account is None:
        return  # who is not logged in gives no command at all
    for command in everything(state, account.name):
        opens = type(command) is commands.OpenTable
        cell = role, NO_TABLE if opens else state.phase, state.shoe
        if cell not in found[tag(command)] and _accepted(state, role, command):
            found[tag(command)].add(cell)


def _accepted(state: State, role: str, command: commands.Command) -> bool:
    account = account_of(role, state)
    assert account is not None
    table = None if type(command) is commands.OpenTable else state.table
    try:
        for each in given_by(account, command, table, "t"):
            table, _ = act(table, with_faces(state, each))
    except (Refused, Denied):
        return False
    return True


def with_faces(state: State, command: commands.Command) -> commands.Command:
    """What the service fills in, where it does: the faces of the cards that are opened, and a commitment."""
    if isinstance(command, commands.Expose) and state.shoe != "hand" and state.table.running is not None:
        count = 1 if command.at is not None else len(command.faces) or 1
        deck = ("7c", "8c", "9c", "10c")
        return msgspec.structs.replace(command, faces=deck[:count])
    return command


def declared(row: dict[str, str]) -> set[Cell]:
    """The cells that a row of the list allows."""
    roles = [one for each in row["by"].split() for one in ROLES_OF.get(each, (each,))]
    words = [each.strip() for each in row["when"].split(",")]
    phases = [one for each in words for one in PHASES_OF.get(each, (each,))]
    shoes = SHOES if row.get("shoe", ANY) == ANY else row["shoe"].split()
    return {(role, phase, shoe) for role in roles for phase in phases for shoe in shoes}


def test_every_command_has_a_row() -> None:
    assert set(DECLARED) == set(COMMANDS)
    assert list(DECLARED) == list(COMMANDS), "in the order of the commands"


@pytest.mark.parametrize("name", COMMANDS)
def test_nobody_may_do_more_than_the_list_says(name: str) -> None:
    beyond = matrix()[name] - declared(DECLARED[name])
    assert not beyond, sorted(beyond)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_says_no_more_than_is_so(name: str) -> None:
    """Every role, every phase and every kind of shoe of a row is found in some cell."""
    found, row = matrix()[name], declared(DECLARED[name])
    for part in range(3):
        assert {cell[part] for cell in row} == {cell[part] for cell in found}


def test_whoever_has_no_business_here_does_nothing() -> None:
    """Somebody who is not logged in, or holds a post elsewhere only."""
    for name, cells in matrix().items():
        assert not {role for role, _, _ in cells} & {"nobody", "outsider"}, name
