"""`punto exposure`: bets that no run of shoes counts, by name and with the reason."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from punto.rulebook import Menu


def left_out_figures(carried: "Menu", decks: int) -> dict[str, Any]:
    """Each bet that no run counts: why, and its exact edge from a full shoe, as JSON has it."""
    from punto.exposure import left_out
    from punto.odds import bet_odds, full_shoe

    why = left_out(carried, decks)
    exact = bet_odds(carried.of({name: carried[name] for name in why}), full_shoe(decks)) if why else {}
    return {name: {"why": says, "full_shoe_edge": -float(exact[name].edge)} for name, says in why.items()}


def show_left_out(without: Mapping[str, Any]) -> None:
    """The same as a person reads it."""
    for each in without.values():
        typer.echo(f"{each['why']} From a full shoe its edge is {each['full_shoe_edge']:+.3%}.")
