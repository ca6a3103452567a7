"""The faces that the runtime alone knows: of a virtual shoe by its seed, of a read shoe by its reader.

A face enters a table only with the command that opens the card. Whoever gives that command need not know
the face, and cannot choose it: it is filled in here, just before the command is decided.
"""

import secrets

import msgspec

from punto.audit import CardPositions, context, seed_name
from punto.coup import Card
from punto.messages import say
from punto.rulebook import Refused
from punto.service.runtime.floor import Floor
from punto.service.runtime.live import Live, Said
from punto.shoe import SEED_BYTES, VERSION, WITH_WORDS, commit, shuffle, with_words
from punto.table import Table, commands
from punto.table.authority import post_of
from punto.table.events import CardDrawn, ShoeLoaded
from punto.table.felt import unexposed
from punto.table.snapshot import Marks
from punto.table.state import Round

UNREAD = "?"
"""In the place of a face: the card went by, and the reader could not tell what it is."""

_READ = "faces"


class Read(msgspec.Struct):
    """What a reader has read of the shoe in use: faces by place in the shoe, `loose` those of no known place.

    `line` is what it said last, and `index` the card of the shoe that this was about.
    """

    shoe: int
    faces: dict[int, str] = {}
    loose: list[str] = []
    line: str = ""
    index: int | None = None

    def all(self) -> list[str]:
        """Every face that was read."""
        return [face for face in (*self.faces.values(), *self.loose) if face != UNREAD]


class _DealtCards:
    """Which card of the shoe lies where at one table."""

    def __init__(self) -> None:
        self.sequence = 0
        self.positions = CardPositions()
        self.drawn: dict[int, int] = {}
        """By the number of the event: which card of the shoe was drawn there."""

    @staticmethod
    def begins(marks: Marks) -> int:
        """The loading of the shoe in use."""
        return marks.shoe

    def take(self, said: Said) -> None:
        """Follow one event."""
        if isinstance(said.event, ShoeLoaded):
            self.drawn.clear()
        self.positions.take(said.event)
        if isinstance(said.event, CardDrawn):
            self.drawn[said.sequence] = self.positions.felt[-1]
        self.sequence = said.sequence


class Faces:
    """The faces of all tables whose shoe is virtual or read."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._shoes: dict[str, tuple[int, tuple[Card, ...]]] = {}
        """By table: the number of its virtual shoe in use, and all cards of it."""
        floor.preparations.append(self._fill_in)

    async def _fill_in(self, live: Live, command: commands.Command) -> commands.Command:
        """A command that opens cards, with their true faces; one about a virtual shoe, with what it is bound to."""
        table = live.table
        if table is None or table.setup.shoe == "hand":
            return command
        if table.setup.shoe == "virtual" and isinstance(command, commands.LoadShoe | commands.InviteWords):
            asked = table.words is not None or isinstance(command, commands.InviteWords)
            scheme = WITH_WORDS if asked else VERSION
            return msgspec.structs.replace(command, commitment=await self._commitment(live.name, table, scheme))
        if table.setup.shoe == "virtual" and isinstance(command, commands.EndShoe):
            seed = await self._seed(live.name, table.shoes)
            return msgspec.structs.replace(command, seed="" if seed is None else seed.hex())
        if isinstance(command, commands.Expose) and table.running is not None:
            return await self._expose(live, table, table.running, command)
        return command

    async def _expose(self, live: Live, table: Table, round: Round, command: commands.Expose) -> commands.Expose:
        if command.at is not None and command.at not in unexposed(round):
            return command  # which the table refuses
        staff = post_of(table, command.by) is not None
        known = await self.on_felt(live)
        faces = []
        for number, at in enumerate(_places(round, command)):
            said = command.faces[number] if number < len(command.faces) and staff else UNREAD
            face = known.get(at, UNREAD)
            if face == UNREAD and said in ("", UNREAD):
                raise Refused(
                    say(
                        "card-not-read", "The card at place {place} was not read: the dealer says what it is.", place=at
                    )
                )
            faces.append(said if face == UNREAD else face)
        return msgspec.structs.replace(command, faces=tuple(faces))

    # What is known

    async def on_felt(self, live: Live) -> dict[int, str]:
        """The faces of the cards of the running round, open or not, by place on the felt."""
        table = live.table
        assert table is not None
        places = enumerate((await self._dealt(live)).positions.felt)
        if table.setup.shoe == "virtual":
            cards = await self._shuffled(live.name, table)
            return {at: str(cards[index]) for at, index in places}
        read = await self.read(live.name, table)
        return {at: read.faces[index] for at, index in places if index in read.faces}

    async def held_by(self, live: Live, patron: str) -> dict[int, str]:
        """The faces that a patron may see alone: of the cards that they hold and have not opened."""
        table = live.table
        if table is None or table.running is None or table.setup.shoe == "hand":
            return {}
        known, table = await self.on_felt(live), live.table
        round = None if table is None else table.running
        if round is None:
            return {}
        mine = (at for at in unexposed(round) if round.squeezers.get(round.cards[at].area) == patron)
        return {at: known[at] for at in mine if known.get(at, UNREAD) != UNREAD}

    async def unread(self, live: Live) -> list[int]:
        """The cards of the shoe that the table has counted out, that lie closed, and that no reader has seen yet."""
        table = live.table
        assert table is not None
        positions, read = (await self._dealt(live)).positions, await self.read(live.name, table)
        closed = [] if table.running is None else [positions.felt[at] for at in unexposed(table.running)]
        return [index for index in (*closed, *positions.reserved) if index not in read.faces]

    async def place_of(self, live: Live, index: int) -> int | None:
        """Where on the felt a card of the shoe lies."""
        felt = (await self._dealt(live)).positions.felt
        return felt.index(index) if index in felt else None

    async def drawn_at(self, live: Live, sequence: int) -> int | None:
        """Which card of the shoe in use an entry of the chain drew."""
        return (await self._dealt(live)).drawn.get(sequence)

    async def read(self, name: str, table: Table) -> Read:
        """What was read of the shoe in use."""
        body = await self._floor.ask_store(self._floor.journal.secret, name, _READ)
        found = None if body is None else msgspec.json.decode(body, type=Read)
        return found if found is not None and found.shoe == table.shoes else Read(table.shoes)

    async def keep(self, name: str, read: Read) -> None:
        """Keep what was read where no one sees it; it is durable when this returns."""
        await self._floor.ask_store(self._floor.journal.put_secret, name, _READ, msgspec.json.encode(read))

    async def _commitment(self, name: str, table: Table, scheme: str) -> str:
        """Shuffle the next shoe: its seed is kept where nobody sees it, and committed to before the first bet."""
        number = table.shoes + 1
        new = secrets.token_bytes(SEED_BYTES)
        seed = await self._floor.ask_store(self._floor.journal.secret_or, name, seed_name(number), new)
        return commit(seed, table.setup.decks, context(name, number), scheme)

    async def _seed(self, name: str, number: int) -> bytes | None:
        return await self._floor.ask_store(self._floor.journal.secret, name, seed_name(number))

    async def _shuffled(self, name: str, table: Table) -> tuple[Card, ...]:
        """All cards of the virtual shoe in use; shuffled once."""
        number, cards = self._shoes.get(name, (0, ()))
        if number != table.shoes:
            seed = await self._seed(name, table.shoes)
            if seed is None:
                raise Refused(say("seed-not-here", "The seed of this shoe is not here."))
            words = None if table.shoe is None else table.shoe.words
            if words is not None:
                seed = with_words(seed, table.setup.decks, [bytes.fromhex(word) for _, word in words])
            cards = shuffle(seed, table.setup.decks)
            self._shoes[name] = table.shoes, cards
        return cards

    async def _dealt(self, live: Live) -> _DealtCards:
        """The positions of cards as of the table's last event."""
        return await self._floor.followed(live, _DealtCards)


def _places(round: Round, command: commands.Expose) -> list[int]:
    """The places that a command opens: the one it names; else of the cards one holds, or of all, so many as it says."""
    if command.at is not None:
        return [command.at]
    down = list(unexposed(round))
    own = [at for at in down if round.squeezers.get(round.cards[at].area) == command.by]
    return (own or down)[: len(command.faces) or None]
