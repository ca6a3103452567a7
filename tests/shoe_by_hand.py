"""A second implementation of a simulated shoe, in whole numbers of any size, from the papers.

SplitMix64 is by Steele, Lea and Flood (2014), xoshiro128+ by Blackman and Vigna (2021). The shoe is a list of cards,
not counts.
"""

from collections.abc import Iterator

from punto.coup import Card, card, outcome_index
from punto.kernels.draw import RANK_ORDER
from punto.simulation import Dealing
from punto.simulation.dealing import OnLayout

from second import draw

MASK32, MASK64 = (1 << 32) - 1, (1 << 64) - 1


def splitmix(seed: int) -> Iterator[int]:
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & MASK64
        z = seed
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & MASK64
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK64
        yield z ^ z >> 31


def xoshiro(state: list[int]) -> Iterator[int]:
    s = list(state)
    while True:
        yield (s[0] + s[3]) & MASK32
        t = (s[1] << 9) & MASK32
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = (s[3] << 11 | s[3] >> 21) & MASK32


def words(seed: int, number: int) -> Iterator[int]:
    """The stream of a shoe: outputs 2s+1 and 2s+2 of SplitMix64 from the hash of the seed begin it."""
    [hashed] = [next(splitmix((seed - 0x9E3779B97F4A7C15) & MASK64))]
    begin = splitmix((hashed + 2 * number * 0x9E3779B97F4A7C15) & MASK64)
    one, two = next(begin), next(begin)
    return xoshiro([one & MASK32, one >> 32, two & MASK32, two >> 32])


def dealt_by_hand(seed: int, number: int, dealing: Dealing) -> list[tuple[int, ...]]:
    """The rounds of a shoe by rank."""
    return [tuple(card.rank for card in cards) for cards in faces_by_hand(seed, number, dealing)]


def faces_by_hand(seed: int, number: int, dealing: Dealing) -> list[tuple[Card, ...]]:
    """The rounds of a shoe. Six words a round; the sixth is the Banker's third card, whoever drew before."""
    shoe = [Card(rank, suit) for rank in RANK_ORDER for suit in "cdhs" for _ in range(dealing.decks)]
    stream = words(seed, number)
    rounds: list[tuple[Card, ...]] = []

    def taken(word: int) -> Card:
        return shoe.pop(word * len(shoe) >> 32)

    burnt = [next(stream) for _ in range(-(-dealing.burn // 6) * 6)]
    for word in burnt[: dealing.burn]:
        taken(word)
    while len(rounds) < dealing.rounds if dealing.rounds is not None else len(shoe) >= dealing.cut:
        six = [next(stream) for _ in range(6)]
        printed = dealing.printed
        cards = [
            card(printed.card) if isinstance(printed, OnLayout) and at == printed.place else taken(word)
            for at, word in enumerate(six[:4])
        ]
        first = draw(*(card.rank for card in cards), 13, 13)  # type: ignore[call-arg]  # four ranks and two more
        if first.player_cards == 3:
            cards.append(taken(six[4]))
        if draw(*([*(card.rank for card in cards), 13, 13])[:6]).banker_cards == 3:
            cards.append(taken(six[5]))
        rounds.append(tuple(cards))
    return rounds


def index_of(ranks: tuple[int, ...]) -> int:
    """The outcome of a round, by the second implementation of the Table of Play."""
    coup = draw(*([*list(ranks), 13, 13])[:6])
    assert coup.used == len(ranks)
    pairs = (coup.player_pair > 0) + 2 * (coup.banker_pair > 0)
    if pairs == 3 and coup.player_pair == coup.banker_pair:
        pairs = 4
    return outcome_index(coup.player, coup.banker, coup.player_cards, coup.banker_cards, pairs)
