"""A person's own rounds at a table, over all shoes: read from the chain, a stretch at a time, the latest first."""

import msgspec

from punto.service.runtime.floor import Floor
from punto.service.runtime.live import Said
from punto.settlement import Line
from punto.table.events import BetsOpened, Event, LastRoundReopened, NextRoundResumed, RoundEnded, RoundSettled

SPAN = 2000
"""Events that are read for one page."""


class OwnRound(msgspec.Struct):
    """A round in which somebody had a wager: by which entry and when it was settled, the result, stakes and net.

    A round without a result has no winner, and nothing was won or lost by it.
    """

    number: int
    sequence: int
    at: str
    winner: str | None
    player: list[str]
    banker: list[str]
    staked: int
    net: int


class OwnRounds(msgspec.Struct):
    """Rounds of one's own, the latest first; `before` is where to ask for earlier ones, null if there are none."""

    rounds: list[OwnRound]
    before: int | None


class _SaidAt(msgspec.Struct):
    at: str


_messages = msgspec.json.Decoder(_SaidAt)


async def own_rounds(floor: Floor, name: str, person: str, before: int | None) -> tuple[OwnRounds, int]:
    """The rounds of somebody before an entry, or the latest: as many as a stretch of the chain holds, perhaps none.

    And how many entries were read for it.
    """
    end = (await floor.live(name)).sequence + 1
    end = end if before is None else max(min(before, end), 1)
    after = max(end - 1 - SPAN, 0)
    found = [said for said in await floor.past(name, after, end - 1 - after) if said.sequence < end]
    first = next((said.sequence for said in found if isinstance(said.event, BetsOpened)), after + 1) if after else 1
    rounds: dict[int, OwnRound] = {}
    number = opened = 0
    for said in found:
        if said.sequence < first:
            continue  # of a round that began in an earlier stretch
        event = said.event
        if isinstance(event, BetsOpened):
            number = opened = event.number
        elif isinstance(event, LastRoundReopened):
            number = event.number
        elif isinstance(event, NextRoundResumed):
            number = opened
        elif isinstance(event, RoundSettled) and event.lines.get(person):
            rounds[number] = _settled(number, said, event, event.lines[person])
        elif isinstance(event, RoundEnded) and _had(event, person, rounds.get(number)):
            rounds[number] = OwnRound(number, said.sequence, _at(said), None, [], [], 0, 0)
    latest = sorted(rounds.values(), key=lambda each: each.sequence, reverse=True)
    return OwnRounds(latest, first if first > 1 else None), len(found)


def _settled(number: int, said: Said, event: RoundSettled, lines: tuple[Line, ...]) -> OwnRound:
    player, banker = (list(each) for each in event.cards)
    staked, net = sum(line.effective for line in lines), sum(line.net for line in lines)
    return OwnRound(number, said.sequence, _at(said), event.winner, player, banker, staked, net)


def _had(event: Event, person: str, before: OwnRound | None) -> bool:
    """Whether somebody had a wager in a round that ended without a result."""
    return before is not None or (isinstance(event, RoundEnded) and person in event.returned)


def _at(said: Said) -> str:
    return _messages.decode(said.message).at
