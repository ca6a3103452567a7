"""Rulings on how a table takes a reading, by the residual authority."""

from punto.messages import say
from punto.rulebook import Basis
from punto.settlement import check_minimums
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
            say(
                "no-such-policy",
                "There is no reading {policy:quoted} to rule on; there are {policies:list}. Odds, "
                "decks and windows are the book's and cannot be changed at a table.",
                policy=command.policy,
                policies=list(turn.book.policies),
            ),
            turn.book.front.get("approval") or Basis(),
        )
    if command.value not in policy.choices:
        raise turn.refuse(
            say(
                "policy-is-one-of",
                "{policy} is one of {choices:list}.",
                policy=command.policy,
                choices=list(policy.choices),
            ),
            point.basis,
        )
    if not command.reason.strip():
        raise turn.refuse(say("ruling-needs-reason", "A ruling needs a reason, for the record."), point.basis)
    turn.between_rounds(say("rulings-between-rounds", "Readings are ruled on only between rounds."))
    _check_minimums(turn, {**turn.table.policies, command.policy: command.value})
    basis = point.basis.plus(Basis((policy.clause,) if policy.clause else (), (policy.reading,)))
    turn.happen(e.RulingMade, command.policy, command.value, command.reason, basis=basis)


def _check_minimums(turn: Turn, rulings: dict[str, str]) -> None:
    """Refuse a ruling on rounding under which a posted minimum could not be laid (AMB-30)."""
    setup = turn.table.posted or turn.table.setup
    if setup.whole_chips:
        check_minimums(turn.table.menu, setup.limits, turn.table.chips_by(rulings, setup))
