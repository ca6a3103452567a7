"""Random bits, with a stream of its own for every shoe.

The state is derived by hash from (seed, shoe number): outputs 2s+1 and 2s+2 of SplitMix64, started from the hash of
the seed, are the 128 bits with which shoe s begins. They are never all zero, because SplitMix64 gives no output twice.
From there xoshiro128+ (Blackman and Vigna) steps. Its weak lowest bits hardly matter: a card is chosen by the highest.

A card is chosen as floor(word x cards left / 2^32). The chance of a rank is then wrong by less than 2^-32, whatever
is left in the shoe: a rank's share of the 2^32 words is rounded at its two ends only.
"""

import numpy as np

from punto.kernels.compiled import part

U32, U64 = np.uint32, np.uint64
GOLDEN = U64(0x9E3779B97F4A7C15)

State = tuple[np.uint32, np.uint32, np.uint32, np.uint32]


@part
def mix(word: np.uint64) -> np.uint64:
    """The hash of SplitMix64.

    >>> with np.errstate(over="ignore"):  # the first output, as published for the seed 1234567
    ...     int(mix(U64(1234567) + GOLDEN))
    6457827717110365317
    """
    word = (word ^ (word >> U64(30))) * U64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> U64(27))) * U64(0x94D049BB133111EB)
    return word ^ (word >> U64(31))


def hash_of(seed: int) -> np.uint64:
    """The word from which the streams of a seed are derived.

    >>> int(hash_of(0)), int(hash_of(1))
    (0, 6238072747940578789)
    """
    with np.errstate(over="ignore"):
        return mix(U64(seed))


@part
def stream_of(hashed: np.uint64, number: int) -> State:
    """The state with which the stream of a shoe begins.

    >>> with np.errstate(over="ignore"):
    ...     [int(word) for word in stream_of(hash_of(1), 0)]
    [3720533874, 3220144176, 2196941383, 1599417572]
    """
    at = hashed + U64(2) * U64(number) * GOLDEN
    one, two = mix(at + GOLDEN), mix(at + U64(2) * GOLDEN)
    return U32(one), U32(one >> U64(32)), U32(two), U32(two >> U64(32))


@part
def step(a: np.uint32, b: np.uint32, c: np.uint32, d: np.uint32) -> tuple[np.uint32, State]:
    """One step of xoshiro128+: 32 bits, and the state after it.

    >>> word, state = step(U32(1), U32(2), U32(3), U32(4))
    >>> int(word), [int(each) for each in state]
    (5, [7, 0, 1026, 12288])
    """
    word = U32(a + d)
    shifted = U32(b << U32(9))
    c = U32(c ^ a)
    d = U32(d ^ b)
    b = U32(b ^ c)
    a = U32(a ^ d)
    c = U32(c ^ shifted)
    d = U32(U32(d << U32(11)) | U32(d >> U32(21)))
    return word, (a, b, c, d)


@part
def six_words(state: State) -> tuple[tuple[np.uint32, ...], State]:
    """Six steps: the words of a round, and the state after them."""
    w1, state = step(*state)
    w2, state = step(*state)
    w3, state = step(*state)
    w4, state = step(*state)
    w5, state = step(*state)
    w6, state = step(*state)
    return (w1, w2, w3, w4, w5, w6), state
