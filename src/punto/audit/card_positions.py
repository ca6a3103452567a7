"""Which card of the shoe lies where on the felt: followed event by event, without knowing any face."""

from punto.table import events as e

PRINTED = -1
"""In the place of a card that is printed on the layout, and lies in no shoe."""


class CardPositions:
    """The places in the shoe, counted from 0, of the cards of the running round.

    >>> shoe = CardPositions()
    >>> for event in (e.ShoeLoaded(1, 416), e.Burned(1), e.BetsOpened(1), e.CardDrawn(0, "player")):
    ...     shoe.take(event)
    >>> shoe.felt, shoe.gone
    ([1], 2)
    """

    def __init__(self) -> None:
        self.gone = 0
        """How many different cards have left the shoe."""
        self.felt: list[int] = []
        self.last: list[int] = []
        """The cards of the last round, while the next can have none."""
        self.carried: list[int] = []
        self.reserved: list[int] = []
        self.back: list[int] = []
        """Cards that went back to the top of the shoe."""

    def take(self, event: e.Event) -> None:
        """Follow one event."""
        match event:
            case e.ShoeLoaded():
                self.gone = 0
                self.felt, self.last, self.carried, self.reserved, self.back = [], [], [], [], []
            case e.Burned(count=count):
                self._out(count)
            case e.BetsOpened():
                self.last, self.felt, self.reserved = self.felt or self.last, [], []
            case e.LastRoundReopened() | e.NextRoundResumed():
                self.last, self.felt = self.felt, self.last
            case e.CardDrawn(at=at, carried=carried, reserve=reserve):
                self.felt += [PRINTED] * (at - len(self.felt))  # the place between belongs to a card of the layout
                self.felt += [self.carried.pop(0)] if carried else [self.reserved.pop(0)] if reserve else self._out(1)
            case e.CardsReserved(count=count):
                self.reserved = self._out(count)
            case e.CardsCarried(at=places, seen=seen):
                self.carried += self._out(len(seen)) if seen else [self.felt[at] for at in places]
                self.felt = [place for at, place in enumerate(self.felt) if at not in places]
            case e.CardsRecalled(count=count):
                self.felt += self.carried[-count:]
                self.carried = self.carried[:-count]
            case e.CardsRetrieved():
                self.back = [place for place in self.felt if place != PRINTED] + self.back
                self.felt = []
            case e.OrderFixed(order=order):
                there = [self.felt[at] for at in order]
                for at, place in zip(sorted(order), there, strict=True):
                    self.felt[at] = place
            case _:
                pass

    def ahead(self, index: int) -> int:
        """The place of a card that is still in the shoe, by how many come out before it."""
        return self.back[index] if index < len(self.back) else self.gone + index - len(self.back)

    def _out(self, count: int) -> list[int]:
        """The next cards that leave the shoe: first those that went back to its top."""
        new = max(count - len(self.back), 0)
        out = self.back[:count] + list(range(self.gone, self.gone + new))
        self.back = self.back[count:]
        self.gone += new
        return out
