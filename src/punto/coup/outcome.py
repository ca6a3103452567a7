"""Outcomes and situations as people name them, and which of them the cards can make."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from punto.coup.play import (
    BANKER_PAIR,
    BOTH_PAIRS,
    NO_PAIR,
    OUTCOMES,
    PLAYER_PAIR,
    STOOD,
    TWIN_PAIRS,
    banker_draws,
    natural,
    outcome_index,
    player_draws,
    situation_index,
)

PAIRS = ("none", "player", "banker", "both", "twin")
NATURALS = ("none", "player", "banker", "both")
STAGES = ("four-cards", "third-card")


def winner(player: int, banker: int) -> str:
    """The hand with the higher total, or `tie`.

    >>> winner(9, 8), winner(7, 7)
    ('player', 'tie')
    """
    return "tie" if player == banker else "player" if player > banker else "banker"


class Outcome(NamedTuple):
    """A finished coup as far as any bet can see it.

    >>> outcome(0).winner, outcome(1999)
    ('tie', Outcome(player_points=9, banker_points=9, player_cards=3, banker_cards=3, pairs='twin'))
    """

    player_points: int
    banker_points: int
    player_cards: int
    banker_cards: int
    pairs: str

    @property
    def winner(self) -> str:
        """`player`, `banker` or `tie`: the hand with the higher total."""
        return winner(self.player_points, self.banker_points)

    @property
    def points(self) -> int:
        """The points of the winning hand, or of both in a tie."""
        return max(self.player_points, self.banker_points)

    @property
    def cards(self) -> int:
        """How many cards both hands hold together."""
        return self.player_cards + self.banker_cards

    @property
    def margin(self) -> int:
        """By how many points the winner won; 0 in a tie."""
        return abs(self.player_points - self.banker_points)

    @property
    def sum(self) -> int:
        """The points of both hands together."""
        return self.player_points + self.banker_points

    @property
    def loser_points(self) -> int | None:
        """The points of the hand that lost; None in a tie."""
        return None if self.winner == "tie" else min(self.player_points, self.banker_points)

    @property
    def winner_cards(self) -> int | None:
        """How many cards the winning hand holds; None in a tie."""
        return {"player": self.player_cards, "banker": self.banker_cards}.get(self.winner)

    @property
    def natural(self) -> str:
        """Whose two cards make 8 or 9: `none`, `player`, `banker` or `both`.

        >>> Outcome(9, 8, 2, 2, "none").natural, Outcome(9, 8, 3, 3, "none").natural
        ('both', 'none')
        """
        player = self.player_cards == 2 and self.player_points >= 8
        banker = self.banker_cards == 2 and self.banker_points >= 8
        return NATURALS[player + 2 * banker]


class Situation(NamedTuple):
    """A moment in which insurance could be struck.

    `third` is the value of the Player's third card at the stage `third-card`, else `STOOD`.
    """

    stage: str
    player: int
    banker: int
    third: int

    def own(self, hand: str) -> int:
        """The points of the insured hand."""
        return self.player if hand == "player" else self.banker

    def opposite(self, hand: str) -> int:
        """The points of the hand against the insured one."""
        return self.banker if hand == "player" else self.player

    @property
    def card_due(self) -> bool:
        """Whether a card is still to be drawn: without one there is nothing to insure."""
        if self.stage == "four-cards":
            return player_draws(self.player, self.banker) or banker_draws(self.player, self.banker, STOOD)
        return banker_draws((self.player - self.third) % 10, self.banker, self.third)


@cache
def outcome(index: int) -> Outcome:
    """The outcome at a dense index; `outcome_index` is the other way round."""
    rest, pairs = divmod(index, 5)
    rest, banker_cards = divmod(rest, 2)
    rest, player_cards = divmod(rest, 2)
    player, banker = divmod(rest, 10)
    if not 0 <= index < OUTCOMES:
        raise IndexError(f"There are {OUTCOMES} outcomes; {index} is none of them.")
    return Outcome(player, banker, player_cards + 2, banker_cards + 2, PAIRS[pairs])


def situation(index: int) -> Situation:
    """The situation at a dense index.

    >>> situation(63)
    Situation(stage='four-cards', player=6, banker=3, third=-1)
    >>> situation(situation_index(5, 4, 2)).card_due
    True
    """
    if index < 100:
        return Situation("four-cards", index // 10, index % 10, STOOD)
    points, third = divmod(index - 100, 10)
    return Situation("third-card", points // 10, points % 10, third)


def _two_card_totals() -> Iterator[tuple[int, int]]:
    return ((player, banker) for player in range(10) for banker in range(10))


def possible_pairs(player: int, banker: int) -> list[int]:
    """The pair states that two-card totals allow: a pair has an even total, a twin equal ones."""
    found = [NO_PAIR]
    if player % 2 == 0:
        found.append(PLAYER_PAIR)
    if banker % 2 == 0:
        found.append(BANKER_PAIR)
    if player % 2 == banker % 2 == 0:
        found.append(BOTH_PAIRS)
        if player == banker:
            found.append(TWIN_PAIRS)
    return found


@cache
def reachable_outcomes() -> frozenset[int]:
    """The outcomes that the Table of Play can lead to.

    >>> outcome_index(1, 0, 2, 2, NO_PAIR) in reachable_outcomes()
    False
    """
    found = set()
    for player, banker in _two_card_totals():
        if natural(player, banker):
            ends = {(player, banker, 2, 2)}
        elif player_draws(player, banker):
            ends = set()
            for third in range(10):
                drawn = (player + third) % 10
                if banker_draws(player, banker, third):
                    ends |= {(drawn, (banker + last) % 10, 3, 3) for last in range(10)}
                else:
                    ends.add((drawn, banker, 3, 2))
        elif banker_draws(player, banker, STOOD):
            ends = {(player, (banker + last) % 10, 2, 3) for last in range(10)}
        else:
            ends = {(player, banker, 2, 2)}
        found |= {outcome_index(*end, pairs) for end in ends for pairs in possible_pairs(player, banker)}
    return frozenset(found)


@cache
def insurable_situations() -> frozenset[int]:
    """The situations that can arise and in which a card is still due.

    >>> situation_index(5, 4, 0) in insurable_situations()  # the Banker stands: the hand has won
    False
    """
    found = set()
    for player, banker in _two_card_totals():
        if natural(player, banker):
            continue
        first = situation(situation_index(player, banker, STOOD))
        if first.card_due:
            found.add(situation_index(player, banker, STOOD))
        if player_draws(player, banker):
            found |= {
                situation_index((player + third) % 10, banker, third)
                for third in range(10)
                if banker_draws(player, banker, third)
            }
    return frozenset(found)
