"""How long exact odds take of bets that look at cards: usual ones, and rows made up at random.

Goals: under a second whatever the wording, and under 50 ms for usual bets. Seconds are those of the processor.
"""

import random
import time
from collections.abc import Sequence

from msgspec import structs

from punto.odds import full_shoe
from punto.odds.by_cards import CardCounter
from punto.rulebook import Pattern, Row, load, menu
from punto.rulebook.patterns import LIKENESSES, CardTest

SHOE = full_shoe(8, by_suit=True)
TEMPLATE = menu(load("wu-song"))["tie"].rows[0]
SUITED = {hand: CardTest(f"{hand}-hand", same=("suit",)) for hand in ("player", "banker")}
KINDS = ((5,), (4,), (3, 3), (3, 2), (3,), (2, 2, 2), (2, 2))
USUAL: dict[str, tuple[Pattern, ...]] = {
    "a suited start": (Pattern(cards=(CardTest("player-start", same=("suit",)),)),),
    "a third card of 8": (Pattern(cards=(CardTest("player-third", ranks=frozenset({8})),)),),
    "three sevens or more": (Pattern(cards=(CardTest("all-cards", frozenset({7}), count=frozenset({3, 4, 5, 6})),)),),
    "two pairs in red": (
        Pattern(cards=tuple(CardTest(f"{hand}-start", None, frozenset("dh"), same=("rank",)) for hand in SUITED)),
    ),
    "both hands suited": (Pattern(cards=tuple(SUITED.values())),),
    "a winner in one suit": tuple(
        Pattern((("winner", frozenset({hand})),), (suited,)) for hand, suited in SUITED.items()
    ),
    "four of a suit": tuple(
        Pattern(cards=(CardTest("all-cards", suits=frozenset(suit), count=frozenset({4, 5, 6})),)) for suit in "cdhs"
    ),
    "poker on all cards": tuple(
        Pattern(cards=(test,))
        for test in (
            CardTest("all-cards", same=("suit",)),
            *(CardTest("all-cards", kinds=kinds) for kinds in KINDS),
            CardTest("all-cards", same=("colour",)),
        )
    ),
}


GROUPS = ("all-cards", "all-cards", "first-four", "player-hand", "banker-hand", "third-cards", "first-three")


def random_test(chance: random.Random, groups: Sequence[str] = GROUPS) -> CardTest:
    """A test that is told late: of many cards, and of several ranks and suits."""
    count = frozenset(chance.sample(range(7), chance.randint(1, 4))) if chance.random() < 0.7 else None
    return CardTest(
        chance.choice(groups),
        frozenset(chance.sample(range(1, 14), chance.randint(3, 12))) if chance.random() < 0.5 else None,
        frozenset(chance.sample("cdhs", chance.randint(1, 3))) if chance.random() < 0.5 else None,
        count,
        tuple(chance.sample(LIKENESSES, 1)) if chance.random() < 0.3 else (),
        chance.choice([(), (), (2,), (2, 2), (3,), (3, 2), (2, 2, 2)]) if count else (),
    )


def random_patterns(seed: int) -> tuple[Pattern, ...]:
    """One to three rows."""
    chance = random.Random(f"wording {seed}")
    return tuple(
        Pattern(
            cards=tuple(random_test(chance) for _ in range(chance.randint(1, 2))),
            any=tuple(Pattern(cards=(random_test(chance),)) for _ in range(chance.choice([0, 0, 2]))),
        )
        for _ in range(chance.randint(1, 3))
    )


def many_tests(seed: int) -> tuple[Pattern, ...]:
    """Twelve different tests, also of single cards: as rows, joined by `any`, or none of which may hold."""
    chance = random.Random(f"many {seed}")
    groups = (*GROUPS, "player-first", "banker-second")
    each = tuple(Pattern(cards=(random_test(chance, groups),)) for _ in range(12))
    return (each, (Pattern(any=each),), (Pattern(none=each),))[seed % 3]


def milliseconds(patterns: tuple[Pattern, ...], times: int) -> float:
    """From the rows of a bet to its counts, the quickest of some times."""
    rows: tuple[Row, ...] = tuple(structs.replace(TEMPLATE, when=each) for each in patterns)
    taken = []
    for _ in range(times):
        start = time.process_time()
        CardCounter(rows).count(SHOE)
        taken.append(time.process_time() - start)
    return min(taken) * 1000


def main() -> None:
    """Measure all of them."""
    milliseconds(USUAL["a suited start"], 1)  # loads what was compiled before
    for name, patterns in USUAL.items():
        print(f"{name}: {milliseconds(patterns, 3):,.1f} ms", flush=True)
    milliseconds(many_tests(0), 1)
    for name, made in {"random rows": random_patterns, "twelve random tests": many_tests}.items():
        taken = sorted(milliseconds(made(seed), 3) for seed in range(40))
        print(f"forty bets of {name}: half of them under {taken[20]:,.0f} ms, the slowest {taken[-1]:,.0f} ms")


if __name__ == "__main__":
    main()
