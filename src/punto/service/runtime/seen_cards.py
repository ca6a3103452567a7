"""The cards that were seen since the shuffle, at every table."""

from punto.service.runtime.floor import Floor, Said
from punto.table.events import BetsOpened, CardsCarried, CardsExposed, FacesCorrected, ShoeLoaded


class SeenCards:
    """The faces that were shown since the shuffle, each card once."""

    def __init__(self) -> None:
        self.sequence = 0
        self.cards: list[str] = []
        self._round: dict[int, str] = {}

    def take(self, said: Said) -> None:
        """Note what an event shows."""
        event, self.sequence = said.event, said.sequence
        if isinstance(event, ShoeLoaded):
            self.cards, self._round = [], {}
        elif isinstance(event, BetsOpened):
            self._round = {}
        elif isinstance(event, CardsExposed):
            for at, face in zip(event.at, event.faces, strict=True):
                self._round[at] = face
                self.cards.append(face)
        elif isinstance(event, FacesCorrected):
            for at, face in zip(event.at, event.faces, strict=True):
                if self._round.get(at) in self.cards:
                    self.cards.remove(self._round[at])
                self._round[at] = face
                self.cards.append(face)
        elif isinstance(event, CardsCarried):
            self.cards += event.seen


async def seen_since_shuffle(floor: Floor, name: str) -> SeenCards:
    """What has been seen at a table since the shuffle."""
    return await floor.followed(await floor.live(name), SeenCards)
