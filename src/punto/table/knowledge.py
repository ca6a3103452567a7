"""What is drawn and what is known of the next card: whether insurance can still be taken on it (AMB-112)."""

from punto.coup import Card
from punto.coup.play import player_draws
from punto.table.felt import points_at
from punto.table.state import Round, Table

FIRST_STAGE = ("four-cards",)
BOTH_STAGES = ("four-cards", "third-card")
NEXT_CARD = {"four-cards": 4, "third-card": 5}
"""The place, in drawn order, of the card that each window waits for."""


def open_stages(round: Round) -> tuple[str, ...]:
    """The stages of insurance whose points lie open."""
    player, banker = round.hands.player, round.hands.banker
    if len(player) < 2 or len(banker) < 2:
        return ()
    if player[0].face is None or player[1].face is None or banker[0].face is None or banker[1].face is None:
        return ()
    return BOTH_STAGES if len(player) > 2 and player[2].face is not None else FIRST_STAGE


def is_drawn(round: Round, stage: str) -> bool:
    """Whether the next card left the shoe after the points lay open; one that came out before does not count."""
    opened = round.opened.get(stage)
    return opened is not None and opened[0] <= NEXT_CARD[stage] < len(round.cards)


def is_known(table: Table, round: Round, stage: str) -> bool:
    """Whether anybody has seen the face of a card that the round may still take after the points of a stage."""
    both = stage == "four-cards" and player_draws(*points_at(round, stage))
    most = 2 if both else 1
    known = [each.seen or each.face is not None for each in round.cards[NEXT_CARD[stage] :]]
    shoe = table.shoe
    if len(known) < most and shoe is not None:
        coming: tuple[Card | None, ...] = (*round.reserve, *shoe.carried)
        known += [each is not None for each in (*coming, *shoe.top)]
    return any(known[:most])


def is_shut(table: Table, round: Round, stage: str) -> bool:
    """Whether no insurance can be taken at a stage any more: its next card is drawn or known."""
    return is_drawn(round, stage) or is_known(table, round, stage)


def stages_opened(table: Table, round: Round) -> dict[str, tuple[int, bool]]:
    """When the points of each stage came to lie open: how many cards were out, and whether the next was unknown."""
    stages = open_stages(round)
    if len(round.opened) == len(stages):
        return round.opened
    now = len(round.cards)
    return {stage: round.opened.get(stage) or (now, not is_known(table, round, stage)) for stage in stages}
