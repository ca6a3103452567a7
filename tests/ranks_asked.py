"""Random tests of cards that ask for kinds, runs, sums and higher cards."""

import random

from msgspec import structs

from punto.rulebook.patterns import GROUPS, PLACES, CardTest
from punto.rulebook.rank_tests import ACES, COUNTING


def with_ranks_asked(chance: random.Random, test: CardTest) -> CardTest:
    """The same, perhaps with a likeness of its kinds, a run, a sum or a group that its highest card beats."""
    if test.kinds and chance.random() < 0.5:
        test = structs.replace(test, kind=chance.choice(["suit", "colour"]))
    if chance.random() < 0.2:
        test = structs.replace(test, run=chance.randint(2, 4))
    if chance.random() < 0.2:
        test = structs.replace(test, sum=frozenset(chance.sample(range(40), 25)), counting=chance.choice(COUNTING))
    others = [each for each in GROUPS if not set(PLACES[each]) & set(PLACES[test.group])]
    if others and chance.random() < 0.2:
        test = structs.replace(test, higher=chance.choice(others), aces=chance.choice(ACES))
    return test
