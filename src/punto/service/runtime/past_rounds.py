"""The rounds of the shoe in use that are over, at every table."""

import msgspec

from punto.service.runtime.floor import Floor
from punto.service.runtime.live import Said
from punto.table.events import BetsOpened, LastRoundReopened, NextRoundResumed, RoundEnded, RoundSettled, ShoeLoaded
from punto.table.snapshot import Marks

_MOST = 200


class PastRound(msgspec.Struct):
    """A round that is over, marked as a replay of what has been."""

    number: int
    winner: str | None
    how: str
    player: list[str]
    banker: list[str]
    first: int
    last: int
    replay: bool


class PastRounds:
    """What has become of each round; a correction or a reversal takes the place of what was before."""

    def __init__(self) -> None:
        self.sequence = 0
        self._found: dict[int, PastRound] = {}
        self._number = self._first = self._opened = 0

    @staticmethod
    def begins(marks: Marks) -> int:
        """The round before the shoe in use: it may be put right when the shoe is loaded already."""
        return marks.before_shoe

    def take(self, said: Said) -> None:
        """Note what an event says of a round."""
        event, self.sequence = said.event, said.sequence
        if isinstance(event, ShoeLoaded):
            self._found.clear()
        elif isinstance(event, BetsOpened):
            self._number, self._first = event.number, said.sequence
            self._opened = said.sequence
        elif isinstance(event, LastRoundReopened):
            was = self._found.get(event.number)
            self._number, self._first = event.number, said.sequence if was is None else was.first
        elif isinstance(event, NextRoundResumed):
            self._number, self._first = event.number, self._opened
        elif isinstance(event, RoundSettled):
            player, banker = (list(each) for each in event.cards)
            self._note(event.winner, "settled", player, banker)
        elif isinstance(event, RoundEnded):
            was = self._found.get(self._number)
            self._note(None, event.how, *(([], []) if was is None else (was.player, was.banker)))

    def _note(self, winner: str | None, how: str, player: list[str], banker: list[str]) -> None:
        self._found[self._number] = PastRound(
            self._number, winner, how, player, banker, self._first, self.sequence, replay=True
        )

    def rounds(self) -> list[PastRound]:
        """The last of them, oldest first."""
        return list(self._found.values())[-_MOST:]


async def rounds_over(floor: Floor, name: str) -> list[PastRound]:
    """The rounds that are over at a table."""
    return (await floor.followed(await floor.live(name), PastRounds)).rounds()
