"""Virtual shoes held against their commitments: whether the faces that came up are those that the seed gives."""

from collections.abc import Iterable
from contextlib import suppress

import msgspec

from punto.audit.card_positions import CardPositions
from punto.coup import Card, card
from punto.shoe import BadShoe, seed_of, shuffle, verify, with_words
from punto.table import events as e


def context(table: str, number: int) -> str:
    """Which shoe a commitment is for.

    >>> context("t1", 3)
    't1, shoe 3'
    """
    return f"{table}, shoe {number}"


def seed_name(number: int) -> str:
    """The name under which the journal keeps the seed of a shoe until it is revealed.

    >>> seed_name(3)
    'shoe 3'
    """
    return f"shoe {number}"


def seal_key_name(number: int) -> str:
    """The name under which the journal keeps the key of what is sealed in commands while a shoe is in use.

    >>> seal_key_name(3)
    'shoe 3 seal'
    """
    return f"shoe {number} seal"


UNSEEN = "?"
"""In the place of the face of a card that nobody saw."""


class ShownFace(msgspec.Struct, frozen=True):
    """A card that came up: its place in the shoe, counted from 0, and its face."""

    place: int
    face: Card


class ShoeFollower:
    """Follows the events of a table, and says which cards of the shoe in use come up."""

    def __init__(self) -> None:
        self.positions = CardPositions()
        self.number = 0
        self.commitment = ""

    def take(self, event: e.Event) -> list[ShownFace]:
        """Follow one event; the cards that it shows."""
        if isinstance(event, e.ShoeLoaded):
            self.number, self.commitment = event.number, event.commitment
        shown: list[ShownFace] = []
        if isinstance(event, e.CardsExposed | e.FacesCorrected):
            felt = self.positions.felt  # empty where the round was of an earlier shoe
            both = zip(event.at, event.faces, strict=True)
            shown = [ShownFace(felt[at], card(face)) for at, face in both if at < len(felt)]
        before = len(self.positions.carried)
        self.positions.take(event)
        if isinstance(event, e.CardsCarried) and event.seen:
            places = self.positions.carried[before:]
            shown = [ShownFace(place, card(face)) for place, face in zip(places, event.seen, strict=True)]
        return shown


class PlayedShoe(msgspec.Struct):
    """What everybody was told of one shoe: before its first bet, while it was dealt, and after its end."""

    number: int
    size: int
    commitment: str
    words: tuple[tuple[str, str], ...] | None = None
    """Whose words were shuffled into it, and which; None where nobody was asked."""
    hashes: dict[str, str] = {}
    """By patron: what was given before the words came out, in that order."""
    over: bool = False
    seed: str = ""
    dealt: int = 0
    """How many cards have left it."""
    seen: dict[int, Card] = {}
    """The faces that came up by place, the last word on each."""

    @property
    def faces(self) -> list[str]:
        """The cards that left the shoe, in its order; `?` for one that nobody saw.

        >>> PlayedShoe(1, 416, "", dealt=3, seen={1: card("Kh")}).faces
        ['?', 'Kh', '?']
        """
        return [str(self.seen[place]) if place in self.seen else UNSEEN for place in range(self.dealt)]


class PlayedShoes:
    """Follows the shoes of a table, from any event at which no virtual shoe is in use."""

    def __init__(self) -> None:
        self.present: PlayedShoe | None = None
        """The last that was loaded."""
        self.over: PlayedShoe | None = None
        """The last that has ended."""
        self._follower = ShoeFollower()
        self._hashes: dict[str, str] = {}

    def take(self, event: e.Event) -> None:
        """Follow one event; the cards of a shoe that is dealt by hand are not followed."""
        match event:
            case e.WordsInvited():
                self._hashes = {}
            case e.WordCommitted(patron=patron, digest=digest):
                self._hashes[patron] = digest
            case e.ShoeLoaded():
                self.present = PlayedShoe(event.number, event.cards, event.commitment, event.words, self._hashes)
                self._hashes = {}
                self._deal(self.present, event)
            case e.ShoeEnded(seed=seed) if self.present is not None:
                self.present.over, self.present.seed = True, seed
                self.over = self.present
            case _ if self.present is not None and self.present.commitment:
                self._deal(self.present, event)
            case _:
                pass

    def _deal(self, shoe: PlayedShoe, event: e.Event) -> None:
        shown = self._follower.take(event)
        shoe.dealt = self._follower.positions.gone
        shoe.seen |= {each.place: each.face for each in shown}


class Promise(msgspec.Struct, frozen=True):
    """What the house said of a virtual shoe: before its first bet and, once it is over, after its end."""

    table: str
    number: int
    decks: int
    commitment: str
    seed: str = ""
    words: tuple[tuple[str, str], ...] | None = None
    """Whose words were shuffled into it, and which; None for a shoe that patrons could add nothing to."""

    @property
    def added(self) -> list[bytes] | None:
        """The words as bytes."""
        return None if self.words is None else [seed_of(word) for _, word in self.words]

    def cards(self) -> tuple[Card, ...]:
        """All cards of the shoe, if the seed is the one that was committed to; `BadShoe` if not."""
        seed, added = seed_of(self.seed), self.added
        verify(self.commitment, seed, self.decks, context(self.table, self.number), (), added)
        return shuffle(seed if added is None else with_words(seed, self.decks, added), self.decks)


class ShoeFound(msgspec.Struct, frozen=True):
    """A shoe that was the committed one: how many of its cards left it, and how many faces were seen."""

    table: str
    number: int
    commitment: str
    decks: int
    context: str
    dealt: int
    seen: int
    words: tuple[str, ...] | None = None
    """Whose words were shuffled into it; None where nobody was asked."""


def promises(table: str, events: Iterable[e.Event]) -> dict[int, Promise]:
    """The virtual shoes of a table by number, with the seeds that are out."""
    found: dict[int, Promise] = {}
    decks = number = 0
    for event in events:
        match event:
            case e.TableOpened(setup=setup) | e.BookChanged(setup=setup):
                decks = setup.decks
            case e.ShoeLoaded(commitment=commitment):
                number = event.number
                if commitment:
                    found[number] = Promise(table, number, decks, commitment, words=event.words)
            case e.ShoeEnded(seed=seed) if number in found:
                found[number] = msgspec.structs.replace(found[number], seed=seed)
            case _:
                pass
    return found


def seal_keys(events: Iterable[e.Event]) -> dict[int, bytes]:
    """The keys of what was sealed in commands, by the number of the shoe, as far as they are out."""
    found: dict[int, bytes] = {}
    number = 0
    for event in events:
        if isinstance(event, e.ShoeLoaded):
            number = event.number
        elif isinstance(event, e.ShoeEnded) and event.key:
            with suppress(ValueError):  # it opens nothing, and that is told
                found[number] = bytes.fromhex(event.key)
    return found


def verify_shoe(table: str, number: int, events: Iterable[e.Event]) -> ShoeFound:
    """Hold a shoe of a table against its commitment; `BadShoe` says what is wrong with it."""
    told = list(events)
    promise = promises(table, told).get(number)
    if promise is None:
        raise BadShoe(f"Table {table!r} had no virtual shoe {number}.")
    if not promise.seed:
        raise BadShoe(f"The seed of {context(table, number)} is not out: it is revealed when the shoe has ended.")
    played = _played(number, told)
    seen, dealt = played.seen, played.dealt
    shoe = promise.cards()
    as_dealt = [seen.get(place, expected) for place, expected in enumerate(shoe[:dealt])]
    named = context(table, number)
    verify(promise.commitment, seed_of(promise.seed), promise.decks, named, as_dealt, promise.added)
    by = None if promise.words is None else tuple(name for name, _ in promise.words)
    return ShoeFound(table, number, promise.commitment, promise.decks, named, dealt, len(seen), by)


def _played(number: int, events: Iterable[e.Event]) -> PlayedShoe:
    """A shoe that was played, by its number."""
    shoes = PlayedShoes()
    for event in events:
        shoes.take(event)
        if shoes.over is not None and shoes.over.number == number and shoes.present is not shoes.over:
            break
    assert shoes.over is not None
    return shoes.over
