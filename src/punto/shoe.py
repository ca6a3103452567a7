"""The shuffle of a virtual shoe: a secret seed gives its cards, a commitment binds the house to it beforehand.

Pure: the same seed and decks always give the same shoe, and whoever draws the seed, keeps it and reveals it
is elsewhere. The scheme is `punto-shoe-1`; in `punto-shoe-2` patrons add words to the seed, so that the house does not
choose the cards alone. docs/shoe.md says all that a verifier in another language needs.
Both the commitment and the shuffle are HMAC-SHA256 under the seed, of messages that begin differently, so as
long as HMAC-SHA256 is a pseudorandom function the one tells nothing about the other before the seed is out.
"""

import hmac
from collections.abc import Iterable, Iterator, MutableSequence, Sequence
from typing import TypeVar

from punto.coup import MOST_DECKS, RANKS, SUITS, Card, card
from punto.kinds import guard

VERSION = "punto-shoe-1"
WITH_WORDS = "punto-shoe-2"
SEED_BYTES = 32
WORD_BYTES = 32
MOST_WORDS = 255
WORDS = 1 << 16  # a word is two bytes: enough for 624 cards, and short enough that a test meets one thrown away

_Item = TypeVar("_Item")
_DECK = tuple(Card(rank, suit) for suit in SUITS for rank in range(1, len(RANKS) + 1))


class BadShoe(ValueError):
    """A shoe that cannot be made, or that is not the one committed to. The message is a sentence."""


def shuffle(seed: bytes, decks: int) -> tuple[Card, ...]:
    """All cards of the shoe that a seed stands for, the first to be dealt first.

    >>> from punto.coup import show
    >>> show(shuffle(bytes(range(32)), decks=8)[:6])
    '3h Ad 5h 3s Th 4s'
    """
    _check(seed, decks)
    shoe = list(_DECK * decks)
    permute(shoe, _stream(seed, decks))
    return tuple(shoe)


def commit(seed: bytes, decks: int, context: str, scheme: str = VERSION) -> str:
    """What is published before the first bet: 64 hexadecimal digits that bind to seed, decks and context.

    The context says which shoe this is, such as its table and number, so that no commitment serves twice.

    >>> commit(bytes(range(32)), decks=8, context="table 7, shoe 1")
    'f994b4c079220341799cb7c336fcb5a8b88aa4eb1d9fee9539bd8b30965ed933'
    """
    _check(seed, decks)
    try:
        named = context.encode()
    except UnicodeEncodeError:
        raise BadShoe(f"The context {context!r} cannot be written as UTF-8.") from None
    return _keyed(seed, "commit", decks, named, scheme).hex()


def commit_word(word: bytes, commitment: str, patron: str) -> str:
    """What a patron publishes before the words come out: binds to the word, to the house's commitment and to them.

    >>> commit_word(bytes(32), "00" * 32, "ann")[:16], commit_word(bytes(32), "00" * 32, "bob")[:16]
    ('0df40a369f3138a5', 'e8363595e5da8497')
    """
    if len(word) != WORD_BYTES:
        raise BadShoe(f"A word has {WORD_BYTES} bytes; this one has {len(word)}.")
    return hmac.digest(
        word, f"{WITH_WORDS} word".encode() + b"\0" + bytes.fromhex(commitment) + patron.encode(), "sha256"
    ).hex()


def with_words(seed: bytes, decks: int, words: Sequence[bytes]) -> bytes:
    """The seed that a shoe is shuffled by: the house's own and the words of patrons, in order of their commitments.

    >>> with_words(bytes(32), 8, []) == with_words(bytes(32), 8, [bytes(32)])
    False
    """
    _check(seed, decks)
    if len(words) > MOST_WORDS or any(len(word) != WORD_BYTES for word in words):
        raise BadShoe(f"A shoe has at most {MOST_WORDS} words, of {WORD_BYTES} bytes each.")
    return _keyed(seed, "seed", decks, bytes((len(words),)) + b"".join(words), WITH_WORDS)


def verify(
    commitment: str,
    seed: bytes,
    decks: int,
    context: str,
    dealt: Sequence[Card],
    words: Sequence[bytes] | None = None,
) -> None:
    """Refuse a revealed seed that is not the one committed to, or that does not give the cards dealt.

    `dealt` is every card that left the shoe, burnt ones too, in order; where the shoe was not dealt to its
    end, that is only its beginning. A card without its suit is not the card of the shoe. `words` are those of patrons,
    none or some; None for a shoe of `punto-shoe-1`, to which patrons could add nothing.

    >>> seed = bytes(range(32))
    >>> published = commit(seed, 8, "table 7, shoe 1")
    >>> verify(published, seed, 8, "table 7, shoe 1", shuffle(seed, 8)[:100])
    >>> from punto.coup import cards
    >>> verify(published, seed, 8, "table 7, shoe 1", cards("Ac"))
    Traceback (most recent call last):
    punto.shoe.BadShoe: Card 1 of the shoe is 3h, but Ac was dealt.
    """
    given = commit(seed, decks, context, VERSION if words is None else WITH_WORDS)
    published = commitment.strip().lower()
    if len(published) != len(given) or not set(published) <= set("0123456789abcdef"):
        raise BadShoe(f"{commitment!r} is not a commitment: that is {len(given)} hexadecimal digits.")
    if published != given:
        raise BadShoe(
            f"The commitment does not match: {published} was published, but this seed with {_decks(decks)} "
            f"and the context {context!r} gives {given}."
        )
    shoe = shuffle(seed if words is None else with_words(seed, decks, words), decks)
    for position, (expected, found) in enumerate(zip(shoe, dealt, strict=False), start=1):
        if found != expected:
            raise BadShoe(f"Card {position} of the shoe is {expected}, but {found} was dealt.")
    if len(dealt) > len(shoe):
        raise BadShoe(f"{len(dealt)} cards were dealt, but a shoe of {_decks(decks)} holds only {len(shoe)}.")


def check_dealt(
    commitment: str,
    seed: str,
    decks: int,
    context: str,
    dealt: Iterable[str],
    words: Sequence[str] | None = None,
) -> int:
    """Hold cards that left a shoe, in order, against its commitment; `?` stands for one that nobody saw.

    All is text, as a person would note it. Returns how many of the faces were seen.

    >>> seed = bytes(range(32))
    >>> check_dealt(commit(seed, 8, "table 7, shoe 1"), seed.hex(), 8, "table 7, shoe 1", ["?", "Ad", "5h"])
    2
    """
    key, added = seed_of(seed), None if words is None else [seed_of(each) for each in words]
    verify(commitment, key, decks, context, (), added)
    shoe = shuffle(key if added is None else with_words(key, decks, added), decks)
    faces = list(dealt)
    if len(faces) > len(shoe):
        raise BadShoe(f"{len(faces)} cards were dealt, but the shoe holds only {len(shoe)}.")
    unseen = {"?", "??"}
    as_dealt = [expected if face in unseen else card(face) for expected, face in zip(shoe, faces, strict=False)]
    verify(commitment, key, decks, context, as_dealt, added)
    return sum(face not in unseen for face in faces)


def seed_of(text: str) -> bytes:
    """The seed that was revealed as hexadecimal digits.

    >>> seed_of("00" * 32) == bytes(32)
    True
    """
    try:
        return bytes.fromhex(text.strip())
    except ValueError:
        raise BadShoe(f"{text!r} is not a seed: that is 64 hexadecimal digits.") from None


def permute(cards: MutableSequence[_Item], words: Iterator[int], span: int = WORDS) -> None:
    """Put cards into the order that random words below `span` give them (Fisher and Yates).

    The first card is picked from all, the second from those left, and so on. There are as many ways to pick
    as there are orders, each order comes about in one way, so picks that are uniform make orders that are.

    >>> hand = ["Ac", "2c", "3c"]
    >>> permute(hand, iter([65535, 2, 0]))  # 65535 is thrown away, 2 picks the last of three, 0 the first of two
    >>> hand
    ['3c', '2c', 'Ac']
    """
    for place in range(len(cards) - 1):
        while (picked := pick(next(words), len(cards) - place, span)) is None:
            pass
        picked += place
        cards[place], cards[picked] = cards[picked], cards[place]


def pick(word: int, left: int, span: int = WORDS) -> int | None:
    """Which of the cards left a random word below `span` picks, from 0; `None` if it must be thrown away.

    The words kept are as many as the largest multiple of `left` that `span` holds. So each card is picked by
    exactly as many words as any other, and a uniform word picks uniformly: not nearly so, but exactly.

    >>> [pick(word, left=3, span=8) for word in range(8)]
    [0, 1, 2, 0, 1, 2, None, None]
    """
    return word % left if word < span - span % left else None


def _stream(seed: bytes, decks: int) -> Iterator[int]:
    """Words without end: blocks numbered from 0, two bytes a word."""
    number = 0
    while True:
        block = _keyed(seed, "shuffle", decks, number.to_bytes(4, "big"))
        for high, low in zip(block[::2], block[1::2], strict=True):
            yield high << 8 | low
        number += 1


def _keyed(seed: bytes, purpose: str, decks: int, rest: bytes, scheme: str = VERSION) -> bytes:
    message = f"{scheme} {purpose}".encode() + bytes((0, decks)) + rest
    return hmac.digest(seed, message, "sha256")


def _check(seed: bytes, decks: int) -> None:
    if len(seed) != SEED_BYTES:
        raise BadShoe(f"A seed has {SEED_BYTES} bytes; this one has {len(seed)}.")
    if not 1 <= decks <= MOST_DECKS:
        raise BadShoe(f"A shoe has 1 to {MOST_DECKS} decks, not {decks}.")


def _decks(decks: int) -> str:
    return f"{decks} deck" if decks == 1 else f"{decks} decks"


guard(globals())
