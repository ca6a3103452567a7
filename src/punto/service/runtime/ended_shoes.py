"""The last shoe of a table that has ended: all that was told of it, so that anybody can check it for themself."""

import msgspec

from punto.audit import PlayedShoes, context
from punto.coup import CARDS_IN_A_DECK
from punto.service.runtime.floor import Floor
from punto.service.runtime.live import Said
from punto.table import PUBLIC, visible
from punto.table.snapshot import Marks


class GivenWord(msgspec.Struct):
    """The word of a patron for a shoe, and the hash that they gave before any word came out."""

    patron: str
    word: str
    hash: str


class EndedShoe(msgspec.Struct):
    """A shoe that has ended, marked as a replay of what has been; `commitment` and `seed` are empty if it was real.

    `words` are in the order of their hashes; null where nobody was asked. `cards` left the shoe in this order, `?` is
    one that nobody saw.
    """

    number: int
    decks: int
    context: str
    commitment: str
    seed: str
    words: list[GivenWord] | None
    cards: list[str]
    replay: bool


class EndedShoes:
    """What the public was told of the last shoe that has ended. Nothing else can come into it."""

    def __init__(self) -> None:
        self.sequence = 0
        self.shoes = PlayedShoes()

    @staticmethod
    def begins(marks: Marks) -> int:
        """The end of the shoe before it."""
        return marks.end_before

    def take(self, said: Said) -> None:
        """Follow one event as far as it is public."""
        self.sequence = said.sequence
        event = visible(said.event, PUBLIC)
        if event is not None:
            self.shoes.take(event)


async def last_ended(floor: Floor, name: str) -> EndedShoe | None:
    """The last shoe of a table that has ended; None if none has."""
    shoe = (await floor.followed(await floor.live(name), EndedShoes)).shoes.over
    if shoe is None:
        return None
    words = None
    if shoe.words is not None:
        given = dict(shoe.words)
        in_order = sorted(given, key=lambda patron: list(shoe.hashes).index(patron))
        words = [GivenWord(patron, given[patron], shoe.hashes[patron]) for patron in in_order]
    decks = shoe.size // CARDS_IN_A_DECK
    named = context(name, shoe.number)
    return EndedShoe(shoe.number, decks, named, shoe.commitment, shoe.seed, words, shoe.faces, replay=True)
