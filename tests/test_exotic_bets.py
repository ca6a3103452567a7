"""Side bets of the world that one round decides, each said in the words of the format and counted by a second method.

The second method knows nothing of patterns: it deals every order of six cards from a small shoe, and asks a line of
Python about the ranks and suits of both hands.
"""

import itertools
from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from punto.coup import card, deal_from, outcome
from punto.odds.by_cards import CardCounter
from punto.odds.card_classes import CARDS
from test_patterns import rows_of

Ranks = Sequence[int]
Suits = Sequence[str]
SHOES = ("Ah 2h 3s 3d 4d 6h 7h 8c Ks", "Qd Kh Ah 5c 5s 9d 9d Td 2c", "As Ks Ks Kd Qs 7h 7d 2c 9h")
VALUE = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0]


class Round:
    """A round by the ranks and suits of its cards, and what a player would read from the table."""

    def __init__(self, player: Sequence[tuple[int, str]], banker: Sequence[tuple[int, str]]) -> None:
        self.p, self.b = [rank for rank, _ in player], [rank for rank, _ in banker]
        self.ps, self.bs = [suit for _, suit in player], [suit for _, suit in banker]
        self.all, self.suits = [*self.p, *self.b], [*self.ps, *self.bs]
        self.reds = sum(suit in "dh" for suit in self.suits)
        self.pt, self.bt = (sum(VALUE[rank] for rank in hand) % 10 for hand in (self.p, self.b))
        self.two = [sum(VALUE[rank] for rank in hand[:2]) % 10 for hand in (self.p, self.b)]

    @property
    def winner(self) -> list[int]:
        return self.p if self.pt > self.bt else self.b if self.bt > self.pt else []


def straight(ranks: Ranks, long: int) -> bool:
    """Whether some of the ranks are so many in a row, an ace being 1 or 14."""
    there = {*ranks, *(14 for rank in ranks if rank == 1)}
    return any(all(first + at in there for at in range(long)) for first in range(1, 15))


def most(cards: Sequence[object]) -> int:
    return max(Counter(cards).values(), default=0)


def pips(ranks: Ranks) -> int:
    return sum(min(rank, 10) for rank in ranks)


BETS: dict[str, tuple[str, Callable[[Round], bool]]] = {
    "lucky nine": ("{ all-cards = { ranks = '9', count = '1-6' } }", lambda r: 9 in r.all),
    "treasure 9": ("{ points = 9, winner-cards = 3 }", lambda r: len(r.winner) == 3 and max(r.pt, r.bt) == 9),
    "golden frog": ("{ winner = 'banker', points = 4, winner-cards = 3 }",
                    lambda r: r.bt == 4 > r.pt and len(r.b) == 3),
    "ox 6": ("{ winner = 'player', points = 6, player-cards = 3 }", lambda r: r.pt == 6 > r.bt and len(r.p) == 3),
    "ox 8": ("{ winner = 'player', points = 8, player-cards = 3 }", lambda r: r.pt == 8 > r.bt and len(r.p) == 3),
    "cover all": ("{ any = [{ winner = 'player', points = 8, winner-cards = 3 }, { winner = 'tie' }] }",
                  lambda r: r.pt == r.bt or (r.pt == 8 > r.bt and len(r.p) == 3)),
    "bad beat": ("{ points = 9, loser-points = 8 }", lambda r: {r.pt, r.bt} == {8, 9}),
    "sudden death": ("{ natural = 'both' }", lambda r: min(r.two) > 7),
    "match of three": ("{ any = [{ player-hand = { of-a-kind = 3 } }, { banker-hand = { of-a-kind = 3 } }] }",
                       lambda r: most(r.p) == 3 or most(r.b) == 3),
    "big player": ("{ player-cards = 3, player-points = '5-9' }", lambda r: len(r.p) == 3 and r.pt >= 5),
    "odd sum": ("{ sum = [1, 3, 5, 7, 9, 11, 13, 15, 17] }", lambda r: (r.pt + r.bt) % 2 == 1),
    "both even": ("{ player-points = [0, 2, 4, 6, 8], banker-points = [0, 2, 4, 6, 8] }",
                  lambda r: r.pt % 2 == r.bt % 2 == 0),
    "red majority": (("{ any = [{ all-cards = { colour = 'red', count = '4-6' } }, "
                     "{ cards = '4-5', all-cards = { colour = 'red', count = 3 } }] }"),
                     lambda r: 2 * r.reds > len(r.all)),
    "half and half": (("{ any = [{ cards = 4, all-cards = { colour = 'red', count = 2 } }, "
                      "{ cards = 6, all-cards = { colour = 'red', count = 3 } }] }"),
                      lambda r: 2 * r.reds == len(r.all)),
    "first card wins": ("{ player-first = { higher = 'banker-first' } }", lambda r: r.p[0] > r.b[0]),
    "war, aces high": ("{ banker-first = { higher = 'player-first', aces = 'high' } }",
                       lambda r: (r.b[0] + 11) % 13 > (r.p[0] + 11) % 13),
    "highest card": ("{ player-hand = { higher = 'banker-hand' } }", lambda r: max(r.p) > max(r.b)),
    "highest red": ("{ player-hand = { colour = 'red', count = '1-3', higher = 'banker-start' } }",
                    lambda r: max([a for a, s in zip(r.p, r.ps, strict=True) if s in "dh"], default=0) > max(r.b[:2])),
    "third card war": ("{ player-third = { higher = 'banker-third' } }",
                       lambda r: len(r.all) == 6 and r.p[2] > r.b[2]),
    "pips over 35": ("{ all-cards = { sum = '36-60', counting = 'pips' } }", lambda r: pips(r.all) > 35),
    "pips of the first four": ("{ first-four = { sum = '4-16', counting = 'pips' } }",
                               lambda r: pips([*r.p[:2], *r.b[:2]]) <= 16),
    "heavy banker": ("{ banker-hand = { sum = '20-39', counting = 'ranks' } }", lambda r: sum(r.b) >= 20),
    "points without dropping tens": ("{ player-hand = { sum = '10-27' } }",
                                     lambda r: sum(VALUE[each] for each in r.p) >= 10),
    "straight player": ("{ player-hand = { run = 3 } }", lambda r: straight(r.p, 3)),
    "straight flush": ("{ player-hand = { run = 3, same = 'suit' } }",
                       lambda r: straight(r.p, 3) and len(set(r.ps)) == 1),
    "any straight of four": ("{ all-cards = { run = 4 } }", lambda r: straight(r.all, 4)),
    "connected first cards": ("{ first-cards = { run = 2 } }", lambda r: straight([r.p[0], r.b[0]], 2)),
    "red run": ("{ all-cards = { colour = 'red', count = '2-6', run = 3 } }",
                lambda r: straight([a for a, s in zip(r.all, r.suits, strict=True) if s in "dh"], 3)),
    "four of a suit": ("{ all-cards = { of-a-kind = 4, kind = 'suit' } }", lambda r: most(r.suits) >= 4),
    "five of a colour": ("{ all-cards = { of-a-kind = 5, kind = 'colour' } }",
                         lambda r: max(r.reds, len(r.all) - r.reds) >= 5),
    "rainbow": ("{ not = { first-four = { of-a-kind = 2, kind = 'suit' } } }",
                lambda r: len({*r.ps[:2], *r.bs[:2]}) == 4),
    "two suits twice": ("{ first-four = { of-a-kind = [2, 2], kind = 'suit' } }",
                        lambda r: sorted(Counter([*r.ps[:2], *r.bs[:2]]).values()) == [2, 2]),
    "sevens": ("{ all-cards = { ranks = '7', count = '2-6' } }", lambda r: r.all.count(7) >= 2),
    "ace of spades first": ("{ player-first = { ranks = 'A', suits = 's' } }",
                            lambda r: (r.p[0], r.ps[0]) == (1, "s")),
    "red pair": (("{ any = [{ player-start = { same = 'rank', colour = 'red' } }, "
                 "{ banker-start = { same = 'rank', colour = 'red' } }] }"),
                 lambda r: any(h[0] == h[1] and {*s[:2]} <= {*"dh"} for h, s in ((r.p, r.ps), (r.b, r.bs)))),
    "mixed pair": ("{ player-start = { same = 'rank' }, not = { player-start = { same = 'colour' } } }",
                   lambda r: r.p[0] == r.p[1] and (r.ps[0] in "dh") != (r.ps[1] in "dh")),
    "three-card 6": ("{ any = [{ player-cards = 3, player-points = 6 }, { banker-cards = 3, banker-points = 6 }] }",
                     lambda r: any(len(h) == 3 and t == 6 for h, t in ((r.p, r.pt), (r.b, r.bt)))),
    "mirror": ("{ first-cards = { same = 'rank' } }", lambda r: r.p[0] == r.b[0]),
    "same third": ("{ cards = 6, third-cards = { same = 'rank' } }", lambda r: len(r.all) == 6 and r.p[2] == r.b[2]),
    "no picture": ("{ all-cards = { ranks = 'JQK', count = 0 } }", lambda r: max(r.all) <= 10),
    "all pictures": ("{ first-four = { ranks = 'JQK' } }", lambda r: min(*r.p[:2], *r.b[:2]) > 10),
    "two pair": ("{ all-cards = { of-a-kind = [2, 2] } }",
                 lambda r: len([n for n in Counter(r.all).values() if n > 1]) > 1),
    "all different": ("{ not = { all-cards = { of-a-kind = 2 } } }", lambda r: most(r.all) == 1),
    "come from behind": ("{ winner = 'banker', player-two-card = '5-7', banker-two-card = '0-3' }",
                         lambda r: r.bt > r.pt and r.two[0] in (5, 6, 7) and r.two[1] <= 3),
    "winner all red": (("{ any = [{ winner = 'player', player-hand = { colour = 'red' } }, "
                       "{ winner = 'banker', banker-hand = { colour = 'red' } }] }"),
                       lambda r: (r.pt > r.bt and {*r.ps} <= {*"dh"}) or (r.bt > r.pt and {*r.bs} <= {*"dh"})),
    "margin of one": ("{ margin = 1 }", lambda r: abs(r.pt - r.bt) == 1),
    "six cards tie": ("{ winner = 'tie', cards = 6 }", lambda r: r.pt == r.bt and len(r.all) == 6),
}  # fmt: skip


def written(when: str) -> str:
    """The pay row of a bet, in TOML."""
    return "when = " + when.replace("'", '"') + '\nodds = "1:1"'


@pytest.fixture(scope="module", params=SHOES)
def dealt(request: pytest.FixtureRequest) -> tuple[list[int], list[tuple[Round, int]]]:
    """A shoe by rank and suit, and every round it can deal with the number of orders of six cards that lead there."""
    shoe = [card(each) for each in str(request.param).split()]
    found: Counter[tuple[tuple[tuple[int, str], ...], ...]] = Counter()
    for six in itertools.permutations(shoe, 6):
        coup = deal_from(six)
        found[tuple(tuple((each.rank, each.suit or "") for each in hand) for hand in (coup.player, coup.banker))] += 1
    return [shoe.count(each) for each in CARDS], [(Round(*hands), ways) for hands, ways in found.items()]


@pytest.mark.parametrize("name", BETS)
def test_a_bet_is_counted_as_by_dealing_every_card(name: str, dealt: tuple[list[int], list[tuple[Round, int]]]) -> None:
    shoe, rounds = dealt
    when, asks = BETS[name]
    rows = rows_of(written(when))
    assert CardCounter(rows).count(shoe) == [sum(ways for each, ways in rounds if asks(each))]


def test_settling_agrees_card_by_card() -> None:
    patterns = {name: rows_of(written(when))[0].when for name, (when, _) in BETS.items()}
    met: Counter[str] = Counter()
    for shoe in SHOES:
        for at, six in enumerate(itertools.permutations(map(card, shoe.split()), 6)):
            if at % 17 == 0:
                coup = deal_from(six)
                seen = Round(*([(each.rank, each.suit or "") for each in hand] for hand in (coup.player, coup.banker)))
                for name, pattern in patterns.items():
                    holds = pattern.holds(coup, outcome(coup.outcome))
                    assert holds == BETS[name][1](seen), (name, str(coup))
                    met[name] += holds
    assert all(met.values()), "each bet is won at least once"
