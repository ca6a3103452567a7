"""Rulings on how a table takes a reading, by the residual authority."""

from punto.rulebook import Basis
from punto.table import commands as c
from punto.table import events as e
from punto.table.authority import residual
from punto.table.turn import Turn


def rule(turn: Turn, command: c.Rule) -> None:
    """The residual authority says how this table takes a reading from now on (AMB-79)."""
    rank, point = residual(turn.table)
    turn.need(rank, point.basis)
    policy = turn.book.policies.get(command.policy)
    if policy is None:
        raise turn.refuse(
            f"There is no reading {command.policy!r} to rule on; there are {', '.join(turn.book.policies)}. "
            "Odds, decks and windows are the book's and cannot be changed at a table.",
            turn.book.front.get("approval") or Basis(),
        )
    if command.value not in policy.choices:
        raise turn.refuse(f"{command.policy} is one of {', '.join(policy.choices)}.", point.basis)
    if not command.reason.strip():
        raise turn.refuse("A ruling needs a reason, for the record.", point.basis)
    turn.between_rounds("Readings are ruled on")
    basis = point.basis.plus(Basis((policy.clause,) if policy.clause else (), (policy.reading,)))
    turn.happen(e.RulingMade, command.policy, command.value, command.reason, basis=basis)
