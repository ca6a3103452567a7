"""The cards that were seen since the shuffle, at every table."""

from weakref import WeakKeyDictionary

from punto.service.runtime.floor import Floor, Live
from punto.table.events import BetsOpened, CardsCarried, CardsExposed, Event, FacesCorrected, ShoeLoaded


class Seen:
    """The faces that were shown since the shuffle, each card once."""

    def __init__(self) -> None:
        self.sequence = 0
        self.cards: list[str] = []
        self._round: dict[int, str] = {}

    def take(self, event: Event) -> None:
        """Note what an event shows."""
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


_KEPT: WeakKeyDictionary[Live, Seen] = WeakKeyDictionary()


async def seen_since_shuffle(floor: Floor, name: str) -> Seen:
    """What has been seen at a table; only what is new is read."""
    live = await floor.live(name)
    seen = _KEPT.setdefault(live, Seen())
    while seen.sequence < live.sequence:
        for said in await floor.past(name, seen.sequence, 1000):
            if said.sequence == seen.sequence + 1:  # another request may have been quicker
                seen.take(said.event)
                seen.sequence = said.sequence
    return seen
