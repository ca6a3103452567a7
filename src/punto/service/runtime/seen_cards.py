"""The cards that were seen since the shuffle, at every table."""

from itertools import count

from punto.audit.card_positions import PRINTED, CardPositions
from punto.service.runtime.floor import Floor
from punto.service.runtime.live import Said
from punto.table.events import CardsCarried, CardsExposed, CardsSeen, Event, FacesCorrected, ShoeLoaded
from punto.table.snapshot import Marks


class SeenCards:
    """The faces that were shown since the shuffle, each card once."""

    def __init__(self) -> None:
        self.sequence = 0
        self._positions = CardPositions()
        self._faces: dict[int, str] = {}
        """By the place of the card in the shoe."""

    @property
    def cards(self) -> list[str]:
        """The faces, in the order in which they came up."""
        return list(self._faces.values())

    @staticmethod
    def begins(marks: Marks) -> int:
        """The loading of the shoe in use."""
        return marks.shoe

    def take(self, said: Said) -> None:
        """Note what an event shows."""
        event, self.sequence = said.event, said.sequence
        if isinstance(event, ShoeLoaded):
            self._faces = {}
        before = len(self._positions.carried)
        self._positions.take(event)
        self._note(event, before)

    def _note(self, event: Event, carried_before: int) -> None:
        positions = self._positions
        if isinstance(event, CardsExposed | FacesCorrected):
            for at, face in zip(event.at, event.faces, strict=True):
                if at < len(positions.felt) and positions.felt[at] != PRINTED:  # the round may be of an earlier shoe
                    self._faces[positions.felt[at]] = face
        elif isinstance(event, CardsCarried):
            self._faces |= dict(zip(positions.carried[carried_before:], event.seen, strict=False))
        elif isinstance(event, CardsSeen):
            for face in event.faces:
                places = iter(positions.carried) if event.carried else map(positions.ahead, count())
                self._faces[next(place for place in places if place not in self._faces)] = face


async def seen_since_shuffle(floor: Floor, name: str) -> SeenCards:
    """What has been seen at a table since the shuffle."""
    return await floor.followed(await floor.live(name), SeenCards)
