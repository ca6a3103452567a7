"""The cards of a running round: where the next belongs, what is known, what may still come."""

from msgspec.structs import replace

from punto.coup import STOOD, Card, Coup, banker_draws, natural, outcome_index, player_draws, possible
from punto.table.state import Area, Felt, Round

FIRST_FOUR: tuple[Area, ...] = ("player", "banker", "player", "banker")
_NO_CARDS = (None, None, None)


def due(round: Round) -> str | None:
    """Where the next card belongs; None while one must be opened first, or when the hands are whole.

    >>> due(Round(1))
    'player'
    """
    known = round.__dict__
    if "due" not in known:
        known["due"] = _due(round)
    at: str | None = known["due"]
    return at


def _due(round: Round) -> str | None:
    player, banker = _split(round)
    if len(player) < 2 or len(banker) < 2:
        return "player" if len(player) <= len(banker) and len(player) < 2 else "banker"
    totals = _two_card_totals(player, banker)
    if totals is None:
        return None
    if player_draws(*totals) and not (natural(*totals)):
        if len(player) == 2:
            return "player"
        third = player[2].face
        if third is None:
            certain = round.banker_first and totals[1] < 3
            return "banker" if certain and len(banker) == 2 else None
        drew = third.value
    elif len(player) == 3:
        drew = player[2].face.value if player[2].face else STOOD
    else:
        drew = STOOD
    return "banker" if len(banker) == 2 and banker_draws(*totals, drew) else None


def unexposed(round: Round) -> tuple[int, ...]:
    """The places of the cards that nobody has turned over yet."""
    return tuple([at for at, each in enumerate(round.cards) if each.face is None])


def whole(round: Round) -> bool:
    """Whether both hands are finished and open."""
    if len(round.cards) < 4 or due(round) is not None:
        return False
    return all(each.face is not None or each.area == "aside" for each in round.cards)


def coup(round: Round) -> Coup:
    """The finished coup, as the cards lie."""
    found: Coup | None = round.__dict__.get("coup")
    if found is None:
        found = round.__dict__["coup"] = _finish(round)
    return found


def _finish(round: Round) -> Coup:
    player, banker = (tuple(each.face for each in hand if each.face) for hand in _split(round))
    points = sum(card.value for card in player) % 10
    against = sum(card.value for card in banker) % 10
    pairs = (player[0].rank == player[1].rank) + 2 * (banker[0].rank == banker[1].rank)
    if pairs == 3 and player[0].rank == banker[0].rank:
        pairs = 4
    drawn = (player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:])
    return Coup(drawn, player, banker, points, against, outcome_index(points, against, len(player), len(banker), pairs))


def chances(round: Round) -> frozenset[int]:
    """The outcomes that the exposed cards still allow (AMB-11, AMB-12)."""
    player, banker = (tuple(each.face for each in hand) for hand in _split(round))
    found = possible((*player, *_NO_CARDS[len(player) :]), (*banker, *_NO_CARDS[len(banker) :]))
    if not found and whole(round):
        return frozenset((coup(round).outcome,))  # a hand continued as it lies need not be reachable
    return found


def situation(round: Round) -> tuple[str, int, int, int] | None:
    """What insurance sees now: stage, both totals, the Player's third card; None if no window can be open."""
    player, banker = _split(round)
    totals = _two_card_totals(player, banker)
    if totals is None or len(banker) != 2 or any(each.face is None for each in player):
        return None
    if len(player) == 2:
        return ("four-cards", *totals, STOOD)
    third = player[2].face
    assert third is not None
    return ("third-card", (totals[0] + third.value) % 10, totals[1], third.value)


def areas_in_order(round: Round) -> tuple[Area, ...]:
    """Where each card belongs if they count in drawn order: by the Table of Play, surplus cards aside."""
    laid = Round(round.number, banker_first=True)
    areas: list[Area] = []
    for each in round.cards:
        at = due(laid)
        area: Area = "aside" if at is None else "player" if at == "player" else "banker"
        areas.append(area)
        laid = Round(round.number, cards=(*laid.cards, Felt(area, each.face)), banker_first=True)
    return tuple(areas)


def in_order(round: Round) -> Round:
    """A round with its cards where they belong in drawn order."""
    laid = zip(areas_in_order(round), round.cards, strict=True)
    return replace(round, cards=tuple(Felt(area, each.face) for area, each in laid))


def points(hand: tuple[Felt, ...]) -> int:
    """The points of a hand's open cards."""
    return sum(each.face.value for each in hand if each.face) % 10


def points_at(round: Round, stage: str) -> tuple[int, int]:
    """The points of both hands that insurance of a stage is priced on."""
    return points(round.hand("player")[: 2 if stage == "four-cards" else 3]), points(round.hand("banker")[:2])


def read(face: Card | None) -> str:
    """A card for a record."""
    return "?" if face is None else str(face)


def _split(round: Round) -> tuple[tuple[Felt, ...], tuple[Felt, ...]]:
    player, banker = round.hands
    return (player, banker) if len(player) < 4 and len(banker) < 4 else (player[:3], banker[:3])


def _two_card_totals(player: tuple[Felt, ...], banker: tuple[Felt, ...]) -> tuple[int, int] | None:
    if len(player) < 2 or len(banker) < 2:
        return None
    first, second, other, last = player[0].face, player[1].face, banker[0].face, banker[1].face
    if first is None or second is None or other is None or last is None:
        return None
    return (first.value + second.value) % 10, (other.value + last.value) % 10
