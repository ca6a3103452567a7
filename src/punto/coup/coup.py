"""A finished coup: cards in drawn order, laid into two hands by the Table of Play."""

import msgspec

from punto.coup.cards import RANKS, BadCards, Card, check_decks, show
from punto.coup.cards import cards as read_cards
from punto.coup.outcome import PAIRS, Situation, winner
from punto.coup.play import STOOD, banker_draws, natural, outcome_index, player_draws
from punto.messages import Sentence, say
from punto.tabular import html_table

SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠", None: ""}


class Coup(msgspec.Struct, frozen=True):
    """Two finished hands. `outcome` is the dense index that bets look at."""

    cards: tuple[Card, ...]
    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    player_points: int
    banker_points: int
    outcome: int

    @property
    def winner(self) -> str:
        """`player`, `banker` or `tie`."""
        return winner(self.player_points, self.banker_points)

    @property
    def pairs(self) -> str:
        """`none`, `player`, `banker`, `both`, or `twin` where both pairs are of one rank."""
        return PAIRS[self.outcome % 5]

    @property
    def natural(self) -> bool:
        """Whether either hand had 8 or 9 with its first two cards."""
        return natural(*self.two_card_points)

    @property
    def two_card_points(self) -> tuple[int, int]:
        """The points of both hands after four cards, Player first."""
        first, second, third, fourth = self.cards[:4]
        return (first.value + third.value) % 10, (second.value + fourth.value) % 10

    @property
    def third(self) -> int:
        """The value of the Player's third card, or `STOOD`."""
        return self.player[2].value if len(self.player) == 3 else STOOD

    def _repr_html_(self) -> str:
        hands = (("Player", self.player, self.player_points), ("Banker", self.banker, self.banker_points))
        rows = [(name, _signs(hand), points) for name, hand, points in hands]
        result = "Tie" if self.winner == "tie" else f"{self.winner.capitalize()} wins"
        return html_table(result, ("hand", "cards", "points"), rows)

    def situation(self, stage: str) -> Situation | None:
        """What insurance saw at a stage, or None if this coup never came there.

        >>> deal("6h 2c Kd As 5h").situation("four-cards")
        Situation(stage='four-cards', player=6, banker=3, third=-1)
        """
        player, banker = self.two_card_points
        if stage == "four-cards":
            return Situation(stage, player, banker, STOOD)
        if stage == "third-card" and self.third != STOOD:
            return Situation(stage, (player + self.third) % 10, banker, self.third)
        return None


def _signs(hand: tuple[Card, ...]) -> str:
    """Cards with the signs of their suits."""
    return " ".join(f"{RANKS[each.rank - 1]}{SIGNS[each.suit]}" for each in hand)


def deal(cards: str | tuple[Card, ...], decks: int | None = None) -> Coup:
    """Lay cards in drawn order into a finished coup, and refuse too few or too many.

    >>> coup = deal("6h 2c Kd As 5h")
    >>> coup.player_points, coup.banker_points, coup.winner
    (6, 8, 'banker')
    >>> deal("6 2 K A")
    Traceback (most recent call last):
    punto.coup.cards.BadCards: Too few cards: with Player 6 and Banker 3 the Banker draws, so the coup \
needs 5; here are 4.
    """
    drawn = read_cards(cards) if isinstance(cards, str) else cards
    coup = deal_from(drawn)
    if len(coup.cards) < len(drawn):
        player, banker = coup.two_card_points
        raise BadCards(
            say(
                "too-many-cards",
                "Too many cards: with Player {player} and Banker {banker} on four cards the coup ends "
                "with {needed}; here are {given}.",
                player=player,
                banker=banker,
                needed=len(coup.cards),
                given=len(drawn),
            )
        )
    if decks is not None and len(drawn) > decks:
        check_decks(drawn, decks)
    return coup


def deal_from(shoe: tuple[Card, ...]) -> Coup:
    """Deal a coup from the top of a shoe; it takes as many cards as the Table of Play asks for.

    >>> len(deal_from(read_cards("9 2 K 4 5 6 7")).cards)
    4
    """
    count = len(shoe)
    if count < 4:
        raise BadCards(
            say("fewer-than-four-cards", "Too few cards: a coup begins with four; here are {given}.", given=count)
        )
    first, second, third, fourth = shoe[:4]
    player = (first.value + third.value) % 10
    banker = (second.value + fourth.value) % 10
    player_hand: tuple[Card, ...] = (first, third)
    banker_hand: tuple[Card, ...] = (second, fourth)
    used, drew = 4, STOOD
    if player_draws(player, banker):
        if count == 4:
            raise BadCards(_short(player, banker, "player", 5, count))
        player_hand = (first, third, shoe[4])
        used, drew = 5, shoe[4].value
    if banker_draws(player, banker, drew):
        if count == used:
            raise BadCards(_short(player, banker, "banker", used + 1, count))
        last = shoe[used]
        banker_hand = (second, fourth, last)
        banker = (banker + last.value) % 10
        used += 1
    if drew != STOOD:
        player = (player + drew) % 10
    pairs = (first.rank == third.rank) + 2 * (second.rank == fourth.rank)
    if pairs == 3 and first.rank == second.rank:
        pairs = 4
    outcome = outcome_index(player, banker, len(player_hand), len(banker_hand), pairs)
    return Coup(shoe[:used], player_hand, banker_hand, player, banker, outcome)


def _short(player: int, banker: int, hand: str, needed: int, given: int) -> Sentence:
    return say(
        "too-few-cards",
        "Too few cards: with Player {player} and Banker {banker} the {hand:hand} draws, "
        "so the coup needs {needed}; here are {given}.",
        player=player,
        banker=banker,
        hand=hand,
        needed=needed,
        given=given,
    )


def headline(coup: Coup) -> str:
    """The coup in a line.

    >>> headline(deal("6h 2c Kd As 5h"))
    'Player 6h Kd = 6, Banker 2c As 5h = 8: Banker wins'
    """
    result = "Tie" if coup.winner == "tie" else f"{coup.winner.capitalize()} wins"
    return (
        f"Player {show(coup.player)} = {coup.player_points}, "
        f"Banker {show(coup.banker)} = {coup.banker_points}: {result}"
    )
