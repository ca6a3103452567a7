"""Cards that patrons carried off: those that are gone are looked for together, until something tells what they were."""

from msgspec.structs import replace

from punto.messages import say
from punto.rulebook.facts import Fact
from punto.table import commands as c
from punto.table.handlers.guards import guards_of, hands_of
from punto.table.handlers.rows import begin, find_row, judge_anew
from punto.table.state import Procedure
from punto.table.turn import Turn


def _looking(turn: Turn, fact: Fact) -> Procedure | None:
    """The latest procedure, if it looks for cards that are gone."""
    latest = turn.table.procedures[-1] if turn.table.procedures else None
    return latest if fact.carried_off and latest is not None and latest.fact == fact.id else None


def with_those_gone(turn: Turn, fact: Fact, command: c.Report) -> c.Report:
    """A report of cards that are gone, with those that are gone already and that nobody has found out yet.

    Whoever took them and however they were told of, all of them are missing from what is counted (AMB-86).
    """
    looking = _looking(turn, fact)
    if looking is None:
        return command
    together = {*looking.cards, *command.cards}
    judge_anew(turn, say("more-cards-gone", "More cards are gone, and all of them are judged together."))
    return replace(command, cards=tuple(sorted(together)))


def tells_of_gone(turn: Turn, fact: Fact, command: c.Report) -> bool:
    """Whether a report tells the faces of cards that are being looked for."""
    return bool(command.faces) and not command.earlier and _looking(turn, fact) is not None


def found_out(turn: Turn, fact: Fact, command: c.Report, faces: tuple[str, ...]) -> None:
    """Enter what cards were that are being looked for, once the device or surveillance tells; only others stay missing.

    Cards that were set aside meanwhile are used all the same, and the shoe that they came from is changed.
    """
    looking, round = _looking(turn, fact), turn.round()
    assert looking is not None
    missing = tuple(at for at in looking.cards if at not in command.cards)
    keep = () if missing or not round.reserve else ("continue", "replace-cards")
    judge_anew(turn, say("judged-anew", "The card has been seen, and is judged anew."), keep=keep)
    if missing:
        rest = replace(command, cards=missing, faces=(), patron=looking.patron)
        guards = {**guards_of(turn, fact, rest), "from": hands_of(round, missing)}
        begin(turn, rest, find_row(turn, fact, guards), guards, ())
    guards = guards_of(turn, fact, command)
    begin(turn, command, find_row(turn, fact, guards), guards, faces)
