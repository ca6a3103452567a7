"""The shuffle of a virtual shoe, its commitment and what a verifier is told."""

from collections import Counter
from collections.abc import Callable, Sequence
from hashlib import sha256
from itertools import product
from math import factorial
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.coup import MOST_DECKS, RANKS, SUITS, Card, card, show
from punto.shoe import SEED_BYTES, WORDS, BadShoe, commit, permute, pick, shuffle, verify

PAGE = (Path(__file__).parents[1] / "docs" / "shoe.md").read_text(encoding="utf-8")
COUNTING = bytes(range(32))
SHOE_1 = "table 7, shoe 1"


# A second implementation, written from docs/shoe.md and sharing no code with the first: HMAC by hand as in
# RFC 2104, the stream as one long text of bytes, cards as text, and a sparse record of what was swapped.


def keyed(key: bytes, message: bytes) -> bytes:
    padded = key.ljust(64, b"\0")
    inner = sha256(bytes(each ^ 0x36 for each in padded) + message).digest()
    return sha256(bytes(each ^ 0x5C for each in padded) + inner).digest()


class Dealt(NamedTuple):
    cards: list[str]
    thrown_away: int


def dealt_by_hand(seed: bytes, decks: int) -> Dealt:
    blocks = 100  # 1,600 words; the largest shoe needs 623 and a few that are thrown away
    head = b"punto-shoe-1 shuffle\x00" + decks.to_bytes(1, "big")
    stream = b"".join(keyed(seed, head + bytes([0, 0, 0, each])) for each in range(blocks))
    moved: dict[int, int] = {}
    cards: list[str] = []
    size, at, thrown_away = 52 * decks, 0, 0
    while len(cards) < size:
        left = size - len(cards)
        chosen = 0
        while left > 1:
            times, chosen = divmod(int.from_bytes(stream[at : at + 2], "big"), left)
            at += 2
            if (times + 1) * left <= 65536:  # the whole run of `left` words that this one belongs to exists
                break
            thrown_away += 1
        here, there = len(cards), len(cards) + chosen
        number = moved.get(there, there)
        moved[there] = moved.get(here, here)
        cards.append("A23456789TJQK"[number % 13] + "cdhs"[number // 13 % 4])
    return Dealt(cards, thrown_away)


def committed_by_hand(seed: bytes, decks: int, context: str) -> str:
    return keyed(seed, b"punto-shoe-1 commit\x00" + decks.to_bytes(1, "big") + context.encode("utf-8")).hex()


seeds = st.binary(min_size=SEED_BYTES, max_size=SEED_BYTES)


@given(seeds, st.integers(1, MOST_DECKS), st.text())
def test_two_implementations_agree(seed: bytes, decks: int, context: str) -> None:
    assert [str(each) for each in shuffle(seed, decks)] == dealt_by_hand(seed, decks).cards
    assert commit(seed, decks, context) == committed_by_hand(seed, decks, context)


def test_two_implementations_agree_where_words_are_thrown_away() -> None:
    met = 0
    for number in range(300):
        seed = number.to_bytes(SEED_BYTES, "big")
        known = dealt_by_hand(seed, MOST_DECKS)
        assert [str(each) for each in shuffle(seed, MOST_DECKS)] == known.cards
        met += known.thrown_away
    # For each number of cards left, 65536 mod that number words in 65536 are thrown away.
    assert 0.8 < met / (300 * sum(WORDS % left for left in range(2, 52 * MOST_DECKS + 1)) / WORDS) < 1.2


class Vector(NamedTuple):
    """Figures of the second implementation (`python tests/test_shoe.py` prints them)."""

    seed: bytes
    decks: int
    context: str
    thrown_away: int
    first: str
    last: str
    digest: str
    commitment: str


VECTORS = [
    Vector(
        seed=COUNTING,
        decks=8,
        context="table 7, shoe 1",
        thrown_away=0,
        first="3h Ad 5h 3s Th 4s 8d 7h",
        last="As Jc 3c 9s",
        digest="2812ae5764aa5c72f63ca634af78db0bcb76de3a150b813f92f060121bb83017",
        commitment="f994b4c079220341799cb7c336fcb5a8b88aa4eb1d9fee9539bd8b30965ed933",
    ),
    Vector(
        seed=(747).to_bytes(SEED_BYTES, "big"),
        decks=8,
        context="table 7, shoe 2",
        thrown_away=4,
        first="7d 6s 2d 6c Ac Th 3d 2c",
        last="5c Qs 4d Qd",
        digest="466047fc89af1594426f29833e108c33991344c717455f570bdafb21dac23e2c",
        commitment="a522ba5319d3a70064c6f29c903c8278b21dcba6821cb3e8b81371494a80176b",
    ),
    Vector(
        seed=(94).to_bytes(SEED_BYTES, "big"),
        decks=1,
        context="demo",
        thrown_away=1,
        first="Qh 8h Jc 5h As 6d Js 6c",
        last="4d 7d 2s 8d",
        digest="32ac22823558daac1a640b1bcf9cafc54c381ce01742d6193365815b666a6a3f",
        commitment="1123163c02092c98fcaaabd5fe4d85afbd4e4157431b48e4b464a288c4c98a77",
    ),
    Vector(
        seed=b"\xff" * 32,
        decks=12,
        context="賭台 7, 靴 3",
        thrown_away=2,
        first="Js 2d Jd 9s Tc 3d 9s 6d",
        last="4h 2h As 3c",
        digest="a86fa6c7839dcb7c0c745378fb12ed91d3f7ea16de3a59a739a972247a8d7a41",
        commitment="d962bcdf1799a43658db9ede7a358e640c8698538ff707e34ef0e2cdcba28b78",
    ),
]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector.seed.hex()[-4:]}-{vector.decks}")
def test_vectors(vector: Vector) -> None:
    seed, decks, context, *_ = vector
    shoe = shuffle(seed, decks)
    assert show(shoe[:8]) == vector.first
    assert show(shoe[-4:]) == vector.last
    assert sha256(show(shoe).encode()).hexdigest() == vector.digest
    assert commit(seed, decks, context) == vector.commitment
    assert by_hand(seed, decks, context) == vector


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector.seed.hex()[-4:]}-{vector.decks}")
def test_the_page_for_verifiers_shows_the_vector(vector: Vector) -> None:
    assert as_text(vector) in PAGE


def test_the_page_works_the_first_vector_out_rightly() -> None:
    block = keyed(COUNTING, bytes.fromhex("70756e746f2d73686f652d312073687566666c65 00 08 00000000"))
    assert f"block    {block.hex()}\n" in PAGE
    cards = dealt_by_hand(COUNTING, 8).cards
    for place in range(5):
        left, word = 416 - place, block[2 * place : 2 * place + 2]
        number, bound = int.from_bytes(word, "big"), max(range(0, 65537, left))
        row = (place, left, f"`{word.hex()}` = {number}", bound, number % left, cards[place])
        assert f"| {' | '.join(map(str, row))} |\n" in PAGE


def by_hand(seed: bytes, decks: int, context: str) -> Vector:
    cards, thrown_away = dealt_by_hand(seed, decks)
    digest = sha256(" ".join(cards).encode("ascii")).hexdigest()
    first, last = " ".join(cards[:8]), " ".join(cards[-4:])
    return Vector(seed, decks, context, thrown_away, first, last, digest, committed_by_hand(seed, decks, context))


def as_text(vector: Vector) -> str:
    """A vector as docs/shoe.md prints it."""
    return "\n".join(
        (
            f"seed        {vector.seed.hex()}",
            f"decks       {vector.decks}",
            f"context     {vector.context}",
            f"commitment  {vector.commitment}",
            f"first 8     {vector.first}",
            f"last 4      {vector.last}",
            f"shoe        {vector.digest}",
            f"thrown away {vector.thrown_away}",
        )
    )


# The cards


@pytest.mark.parametrize("decks", range(1, MOST_DECKS + 1))
def test_a_shoe_holds_every_card_once_a_deck(decks: int) -> None:
    assert Counter(shuffle(COUNTING, decks)) == {
        Card(rank, suit): decks for rank in range(1, len(RANKS) + 1) for suit in SUITS
    }


def test_the_same_seed_gives_the_same_shoe() -> None:
    assert shuffle(COUNTING, 8) == shuffle(bytes(range(32)), 8)
    assert commit(COUNTING, 8, SHOE_1) == commit(bytes(range(32)), 8, SHOE_1)


def test_one_bit_of_the_seed_changes_the_whole_shoe() -> None:
    """Of two unrelated eight-deck shoes 416 x 8/416 = 8 places agree by chance; 30 never do."""
    shoe = shuffle(COUNTING, 8)
    together = 0
    for bit in range(8 * SEED_BYTES):
        other = shuffle((int.from_bytes(COUNTING, "big") ^ 1 << bit).to_bytes(SEED_BYTES, "big"), 8)
        agreeing = sum(a == b for a, b in zip(shoe, other, strict=True))
        assert agreeing < 30
        together += agreeing
    assert 7 < together / (8 * SEED_BYTES) < 9


def test_shoes_of_different_size_from_one_seed_have_nothing_in_common() -> None:
    """They are shuffled by different words, not by the same words over fewer cards."""
    for fewer, more in ((6, 8), (8, 9), (11, 12)):
        pairs = zip(shuffle(COUNTING, fewer), shuffle(COUNTING, more), strict=False)
        assert sum(a == b for a, b in pairs) < 30


# No bias: small models tried to the last case


def test_every_card_is_picked_by_the_same_number_of_words() -> None:
    """All words of all sizes up to 200, for every number of cards they can tell apart."""
    for span in range(1, 201):
        for left in range(1, span + 1):
            picks = Counter(pick(word, left, span) for word in range(span))
            thrown_away = picks.pop(None, 0)
            assert picks == dict.fromkeys(range(left), span // left)
            assert thrown_away == span % left < left


@pytest.mark.parametrize("left", [2, 3, 5, 13, 255, 256, 257, 409, *range(52, 52 * MOST_DECKS + 1, 52)])
def test_the_two_byte_words_in_use_pick_evenly_too(left: int) -> None:
    picks = Counter(pick(word, left) for word in range(2**16))
    assert picks.pop(None, 0) == 2**16 % left
    assert picks == dict.fromkeys(range(left), 2**16 // left)


@pytest.mark.parametrize(("size", "span", "length"), [(2, 3, 3), (3, 4, 4), (3, 5, 4), (4, 5, 5), (4, 7, 4), (5, 5, 6)])
def test_every_order_comes_from_the_same_number_of_streams(size: int, span: int, length: int) -> None:
    """All streams of so many words; those that run dry, because words were thrown away, give no order."""
    orders: Counter[tuple[int, ...]] = Counter()
    for words in product(range(span), repeat=length):
        cards = list(range(size))
        try:
            permute(cards, iter(words), span)
        except StopIteration:
            continue
        orders[tuple(cards)] += 1
    assert len(orders) == factorial(size)
    assert len(set(orders.values())) == 1


# The commitment


def test_a_commitment_binds_to_seed_decks_and_context() -> None:
    published = commit(COUNTING, 8, SHOE_1)
    others = {commit(COUNTING, decks, SHOE_1) for decks in range(1, MOST_DECKS + 1) if decks != 8}
    others |= {commit(COUNTING, 8, context) for context in ("", "table 7, shoe 2", "Table 7, shoe 1", SHOE_1 + "\0")}
    others |= {
        commit((int.from_bytes(COUNTING, "big") ^ 1 << bit).to_bytes(SEED_BYTES, "big"), 8, SHOE_1)
        for bit in range(8 * SEED_BYTES)
    }
    assert len(others) == MOST_DECKS - 1 + 4 + 8 * SEED_BYTES
    assert published not in others


def test_decks_and_context_do_not_run_into_each_other() -> None:
    """A line feed is byte 10: decks are a byte of their own, so it cannot be read as part of the context."""
    assert commit(COUNTING, 1, "\n") != commit(COUNTING, 10, "\x01")
    assert commit(COUNTING, 1, "\n") != commit(COUNTING, 10, "")


def test_a_commitment_is_no_block_of_the_shuffle() -> None:
    """Else what is published before the first bet would give cards away."""
    for number in range(64):
        assert (
            commit(COUNTING, 8, number.to_bytes(4, "big").decode())
            != keyed(COUNTING, b"punto-shoe-1 shuffle\x00\x08" + number.to_bytes(4, "big")).hex()
        )


# What a verifier is told


def test_a_shoe_dealt_as_committed_is_verified_at_any_length() -> None:
    shoe = shuffle(COUNTING, 8)
    published = commit(COUNTING, 8, SHOE_1)
    for length in (0, 1, 6, 402, 415, 416):
        verify(published, COUNTING, 8, SHOE_1, shoe[:length])
    verify(f" {published.upper()}\n", COUNTING, 8, SHOE_1, list(shoe))


def test_the_first_card_that_differs_is_named() -> None:
    known = dealt_by_hand(COUNTING, 8).cards
    shoe = [card(each) for each in known]
    other = next(each for each in shoe if each != shoe[99])
    shoe[99], shoe[300] = other, other
    assert told(lambda: dealt(shoe)) == f"Card 100 of the shoe is {known[99]}, but {other} was dealt."


def test_a_card_left_out_shows_where_it_was() -> None:
    known = dealt_by_hand(COUNTING, 8).cards
    assert known[10] != known[11]
    shoe = [card(each) for each in known[:10] + known[11:]]
    assert told(lambda: dealt(shoe)) == f"Card 11 of the shoe is {known[10]}, but {known[11]} was dealt."


def test_a_card_without_its_suit_is_not_the_card_of_the_shoe() -> None:
    first = dealt_by_hand(COUNTING, 8).cards[0]
    assert told(lambda: dealt([card(first[0])])) == f"Card 1 of the shoe is {first}, but {first[0]} was dealt."


def test_more_cards_than_the_shoe_holds() -> None:
    shoe = shuffle(COUNTING, 8)
    assert told(lambda: dealt([*shoe, shoe[0]])) == "417 cards were dealt, but a shoe of 8 decks holds only 416."
    one = shuffle(COUNTING, 1)
    assert told(lambda: verify(commit(COUNTING, 1, ""), COUNTING, 1, "", one * 2)) == (
        "104 cards were dealt, but a shoe of 1 deck holds only 52."
    )


def test_another_seed_decks_or_context_does_not_match_the_commitment() -> None:
    published = commit(COUNTING, 8, SHOE_1)
    for seed, decks, context in (
        (bytes(32), 8, SHOE_1),
        (COUNTING, 6, SHOE_1),
        (COUNTING, 8, "table 7, shoe 2"),
    ):
        shoe = shuffle(seed, decks)  # the cards would be right, had this been committed to
        said = told(lambda: verify(published, seed, decks, context, shoe))  # noqa: B023
        assert said == (
            f"The commitment does not match: {published} was published, but this seed with {decks} decks "
            f"and the context '{context}' gives {committed_by_hand(seed, decks, context)}."
        )
        assert seed.hex() not in said


@pytest.mark.parametrize("text", ["", "f" * 63, "f" * 65, "g" * 64, "ä" * 64])
def test_what_is_no_commitment(text: str) -> None:
    assert told(lambda: verify(text, COUNTING, 8, SHOE_1, [])) == (
        f"'{text}' is not a commitment: that is 64 hexadecimal digits."
    )


@pytest.mark.parametrize("length", [0, 16, 31, 33, 64])
def test_a_seed_of_another_length(length: int) -> None:
    sentence = f"A seed has 32 bytes; this one has {length}."
    assert told(lambda: shuffle(bytes(length), 8)) == sentence
    assert told(lambda: commit(bytes(length), 8, SHOE_1)) == sentence
    assert told(lambda: verify("0" * 64, bytes(length), 8, SHOE_1, [])) == sentence


@pytest.mark.parametrize("decks", [-1, 0, 13, 256])
def test_decks_that_no_shoe_has(decks: int) -> None:
    sentence = f"A shoe has 1 to 12 decks, not {decks}."
    assert told(lambda: shuffle(COUNTING, decks)) == sentence
    assert told(lambda: commit(COUNTING, decks, SHOE_1)) == sentence
    assert told(lambda: verify("0" * 64, COUNTING, decks, SHOE_1, [])) == sentence


def test_a_context_that_is_no_text() -> None:
    assert told(lambda: commit(COUNTING, 8, "\ud800")) == r"The context '\ud800' cannot be written as UTF-8."


def dealt(shoe: Sequence[Card]) -> None:
    verify(commit(COUNTING, 8, SHOE_1), COUNTING, 8, SHOE_1, shoe)


def told(act: Callable[[], object]) -> str:
    with pytest.raises(BadShoe) as refused:
        act()
    return str(refused.value)


if __name__ == "__main__":
    for vector in VECTORS:
        print(as_text(by_hand(vector.seed, vector.decks, vector.context)), end="\n\n")
