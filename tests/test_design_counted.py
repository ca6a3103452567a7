"""What a perfect counter wins by a designed pay table, held against a program that knows nothing of Punto's counting.

The shoes are those that were dealt, card by card. Before every round this program works out from the cards left what a
unit is worth, by dealing every order of values or by a formula of its own, and stakes one wherever that is more than
nothing.
"""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest
from msgspec import UNSET

from own_head import head
from punto.coup import Card
from punto.design import OpenBook, designs
from punto.simulation import Dealing, on_layout
from punto.simulation.single_shoes import deal_cards

SHOES = 3
SEED = 1  # that of the command

Left = Counter[str]
"""The cards left, each by its rank and suit."""


def book_with(rows: str, more: str = "") -> OpenBook:
    layout = (
        '[layouts.mine]\nclause = "L"\npositions = { min = 1, max = 9 }\npays = ["player", "banker", "tie", "side"]\n'
    )
    bet = f'[bets.side]\nname = "Side"\nclause = "B"\nloses = "B"\n{more}\n'
    side = f'{bet}[[pays.side]]\nbet = "side"\n{rows}\nclause = "P"\n'
    decks = 'decks = { min = 1, max = 8, clause = "D" }\n'
    return OpenBook.of((head() + decks + side + layout).encode(), "mine.toml")


def value(face: str) -> int:
    return "A23456789".find(face[0]) + 1


def by_value(left: Left) -> list[int]:
    found = [0] * 10
    for face, number in left.items():
        found[value(face)] += number
    return found


def banker_draws(total: int, third: int | None) -> bool:
    if third is None:
        return total <= 5
    return total <= 2 or third in {
        3: {0, 1, 2, 3, 4, 5, 6, 7, 9},
        4: {2, 3, 4, 5, 6, 7},
        5: {4, 5, 6, 7},
        6: {6, 7},
    }.get(total, set())


Coup = tuple[list[int], list[int]]


def thirds(counts: list[int], player: list[int], banker: list[int]) -> "list[tuple[Coup, int, int]]":
    """The coups that two hands of two cards lead to: each with how many orders of third cards, of how many in all."""
    first, second = sum(player) % 10, sum(banker) % 10
    if first >= 8 or second >= 8:
        return [((player, banker), 1, 1)]
    found = []
    cards = sum(counts)
    for third in range(10) if first <= 5 else (None,):
        ways, of = (1, 1) if third is None else (counts[third], cards)
        if not ways:
            continue
        own = player if third is None else [*player, third]
        if not banker_draws(second, third):
            found.append(((own, banker), ways, of))
            continue
        for last in range(10):
            more = ways * (counts[last] - (last == third))
            found.append(((own, [*banker, last]), more, of * (cards - (third is not None))))
    return found


def chance(left: Left, wins: Callable[[list[int], list[int]], bool], printed: int | None = None) -> Fraction:
    """How often a coup of the cards left wins, by dealing every order of values; the Player's first may be printed."""
    total, found = by_value(left), Fraction(0)
    cards = sum(total)
    drawn = 4 if printed is None else 3
    for dealt in product(range(10), repeat=drawn):
        counts, ways = list(total), 1
        for each in dealt:
            ways *= counts[each]
            counts[each] -= 1
        if ways <= 0:
            continue
        one, two, three, four = dealt if printed is None else (printed, *dealt)
        orders = 1
        for at in range(drawn):
            orders *= cards - at
        won = sum(
            (
                Fraction(more, of)
                for (player, banker), more, of in thirds(counts, [one, three], [two, four])
                if wins(player, banker)
            ),
            Fraction(0),
        )
        found += Fraction(ways, orders) * won
    return found


def panda(player: list[int], banker: list[int]) -> bool:
    return len(player) == 3 and sum(player) % 10 == 8 > sum(banker) % 10


def another_seven(player: list[int], _: list[int]) -> bool:
    return player.count(7) >= 2


def pair(left: Left) -> Fraction:
    cards = sum(left.values())
    ranks = Counter[str]()
    for face, number in left.items():
        ranks[face[0]] += number
    return Fraction(sum(each * (each - 1) for each in ranks.values()), cards * (cards - 1))


def suited(left: Left) -> Fraction:
    cards = sum(left.values())
    suits = Counter[str]()
    for face, number in left.items():
        suits[face[1]] += number
    return Fraction(sum(each * (each - 1) for each in suits.values()), cards * (cards - 1))


def rounds_of(number: int, dealing: Dealing) -> list[tuple[Left, list[str]]]:
    """The rounds of a shoe: the cards that were left before each, and those of its coup, a printed one the first."""
    left: Left = Counter(
        str(Card(rank, suit)) for rank in range(1, 14) for suit in "cdhs" for _ in range(dealing.decks)
    )
    found = []
    for drawn in deal_cards(SEED, number, dealing):
        faces = [str(each) for each in drawn]
        found.append((left.copy(), faces))
        left.subtract(faces if dealing.printed is UNSET else faces[1:])
    return found


@pytest.mark.parametrize(
    ("when", "edge", "wins"),
    [
        ('{ pairs = ["player", "both", "twin"] }', "8%", pair),
        ('{ player-start = { same = "suit" } }', "4%", suited),
        ('{ winner = "player", points = 8, winner-cards = 3 }', "5%", lambda left: chance(left, panda)),
    ],
    ids=["pair", "suited", "panda"],
)
def test_a_counter_wins_what_the_cards_left_are_worth(when: str, edge: str, wins: Callable[[Left], Fraction]) -> None:
    opened = book_with(f'when = {when}\nodds = "?"')
    [found] = designs(opened, "side", Fraction(int(edge[:-1]), 100), decks=(1,), number=1, shoes=SHOES)
    odds = found.greatest.fraction
    won = Fraction(0)
    for number in range(SHOES):
        for left, _ in rounds_of(number, Dealing(1)):
            hit = wins(left)
            won += max(Fraction(0), hit * odds - (1 - hit))
    assert won
    assert found.counted == pytest.approx(float(won / SHOES), abs=1e-9)


def test_a_counter_looks_past_a_card_that_is_printed_on_the_layout() -> None:
    """The Player's first card is a seven of no shoe; the bet wins with another one."""
    opened = book_with(
        'when = { player-hand = { ranks = "7", count = "2-3" } }\nodds = "?"',
        '[cards]\nprinted = { player-first = "7", clause = "C" }\n',
    )
    [found] = designs(opened, "side", Fraction(5, 100), decks=(1,), number=1, shoes=SHOES)
    odds, won = found.greatest.fraction, Fraction(0)
    for number in range(SHOES):
        for left, _ in rounds_of(number, Dealing(1, printed=on_layout(opened.book.cards.printed))):
            hit = chance(left, another_seven, printed=7)
            won += max(Fraction(0), hit * odds - (1 - hit))
    assert won
    assert found.counted == pytest.approx(float(won / SHOES), abs=1e-9)


def test_a_counter_places_a_late_bet_by_all_the_cards_seen() -> None:
    """The bet is placed after the first four cards, and a counter has seen these, too."""
    opened = book_with(
        'when = { winner = "player" }\nodds = "?"',
        'placed = { value = "after-first-four", when = { player-two-card = "0-5", banker-two-card = "3-7" }, '
        'clause = "W" }',
    )
    [found] = designs(opened, "side", Fraction(5, 100), decks=(1,), number=1, shoes=SHOES)
    odds, won = found.greatest.fraction, Fraction(0)
    for number in range(SHOES):
        for left, faces in rounds_of(number, Dealing(1)):
            player, banker = ([value(faces[at]) for at in hand] for hand in ((0, 2), (1, 3)))
            if not (sum(player) % 10 <= 5 and 3 <= sum(banker) % 10 <= 7):
                continue
            left.subtract(faces[:4])
            coups = thirds(by_value(left), player, banker)
            hit = sum(
                (Fraction(ways, of) for (own, theirs), ways, of in coups if sum(own) % 10 > sum(theirs) % 10),
                Fraction(0),
            )
            won += max(Fraction(0), hit * odds - (1 - hit))
    assert won
    assert found.counted == pytest.approx(float(won / SHOES), abs=1e-9)
