"""The cards of a round: which hand each belongs to, where the next is due, and what may still come."""

from typing import Any, Literal

from msgspec.structs import replace

from punto.coup import STOOD, Card, Coup
from punto.coup.chances import possible
from punto.coup.play import banker_draws, natural, outcome_index, player_draws
from punto.table.state import Area, Felt, Hands, Round

FIRST_FOUR: tuple[Area, ...] = ("player", "banker", "player", "banker")
_NO_CARDS = (None, None, None)
_MOST = 3
"""More cards than these in one hand are surplus, and count for nothing."""


def lay(round: Round, cards: tuple[Felt, ...], **changes: Any) -> Round:
    """A round with other cards. Every change of a round's cards goes through here, so that its hands follow.

    >>> lay(Round(1), (Felt("player"),)).hands.due
    'banker'
    """
    banker_first = changes.get("banker_first", round.banker_first)
    if round.printed is not None:
        cards = _with_printed(cards, *round.printed)
    return replace(round, cards=cards, hands=hands_of(round, cards, banker_first=banker_first), **changes)


def hands_of(round: Round, cards: tuple[Felt, ...], *, banker_first: bool) -> Hands:
    """Both hands of a round as some cards lie; where the first card is a printed one, the second place comes first."""
    if not cards and round.printed is not None and round.printed[0] == 0:
        return Hands(due="banker")
    return read_hands(cards, banker_first=banker_first)


def _with_printed(cards: tuple[Felt, ...], place: int, card: Card) -> tuple[Felt, ...]:
    """Cards with the printed one at its place, as soon as those before it lie there and one came from the shoe."""
    drawn = tuple(each for each in cards if not each.printed)
    if not drawn or len(drawn) < place:
        return drawn
    return (*drawn[:place], Felt(FIRST_FOUR[place], card, printed=True), *drawn[place:])


def read_hands(cards: tuple[Felt, ...], *, banker_first: bool = False) -> Hands:
    """Both hands as the cards lie, and what follows from them.

    With `banker_first` the Banker's third card may come before the Player's is opened (AMB-59).
    """
    player, banker = _split(cards)
    if len(player) < 2 or len(banker) < 2:
        return Hands(player, banker, "player" if len(player) <= len(banker) and len(player) < 2 else "banker")
    totals = _two_card_totals(player, banker)
    if totals is None:
        return Hands(player, banker, None)
    due = _third_card_due(player[:_MOST], banker[:_MOST], totals, banker_first)
    whole = due is None and not [1 for each in cards if each.face is None and each.area != "aside"]
    return Hands(player, banker, due, _finish(player, banker) if whole else None)


def _split(cards: tuple[Felt, ...]) -> tuple[tuple[Felt, ...], tuple[Felt, ...]]:
    player, banker = [], []
    for each in cards:
        area = each.area
        if area == "player":
            player.append(each)
        elif area == "banker":
            banker.append(each)
    return tuple(player), tuple(banker)


def _third_card_due(
    player: tuple[Felt, ...], banker: tuple[Felt, ...], totals: tuple[int, int], banker_first: bool
) -> Literal["player", "banker"] | None:
    """The hand that is due a third card, with four cards open."""
    drew = STOOD
    if player_draws(*totals) and not natural(*totals):
        if len(player) == 2:
            return "player"
        third = player[2].face
        if third is None:
            certain = banker_first and totals[1] < 3
            return "banker" if certain and len(banker) == 2 else None
        drew = third.value
    elif len(player) == 3 and player[2].face is not None:
        drew = player[2].face.value
    return "banker" if len(banker) == 2 and banker_draws(*totals, drew) else None


def _finish(player: tuple[Felt, ...], banker: tuple[Felt, ...]) -> Coup:
    """The coup that two hands come to, as their open cards lie."""
    own = tuple(each.face for each in player[:_MOST] if each.face)
    other = tuple(each.face for each in banker[:_MOST] if each.face)
    points = sum([card.value for card in own]) % 10
    against = sum([card.value for card in other]) % 10
    pairs = (own[0].rank == own[1].rank) + 2 * (other[0].rank == other[1].rank)
    if pairs == 3 and own[0].rank == other[0].rank:
        pairs = 4
    drawn = (own[0], other[0], own[1], other[1], *own[2:], *other[2:])
    return Coup(drawn, own, other, points, against, outcome_index(points, against, len(own), len(other), pairs))


def due(round: Round) -> str | None:
    """Where the next card belongs; None while one must be opened first, or when the hands are whole.

    >>> due(Round(1))
    'player'
    """
    return round.hands.due


def unexposed(round: Round) -> tuple[int, ...]:
    """The places of the cards that nobody has turned over yet."""
    return tuple([at for at, each in enumerate(round.cards) if each.face is None])


def whole(round: Round) -> bool:
    """Whether both hands are finished and open."""
    return round.hands.coup is not None


def coup(round: Round) -> Coup:
    """The coup, as the cards lie."""
    hands = round.hands
    return hands.coup or _finish(hands.player, hands.banker)


def first_four(round: Round) -> Coup:
    """The coup as far as its first four cards go, which lie open."""
    return _finish(round.hands.player[:2], round.hands.banker[:2])


def faces(round: Round) -> tuple[tuple[Card | None, ...], tuple[Card | None, ...]]:
    """The cards of both hands as far as they lie open, three places each."""
    player = tuple(each.face for each in round.hands.player[:_MOST])
    banker = tuple(each.face for each in round.hands.banker[:_MOST])
    return (*player, *_NO_CARDS[len(player) :]), (*banker, *_NO_CARDS[len(banker) :])


def chances(round: Round) -> frozenset[int]:
    """The outcomes that the exposed cards still allow (AMB-11, AMB-12)."""
    found = possible(*faces(round))
    if not found and whole(round):
        return frozenset((coup(round).outcome,))  # hands left as they lie may break the Table of Play
    return found


def situation(round: Round) -> tuple[str, int, int, int] | None:
    """What insurance sees now: stage, both totals, the Player's third card; None if no window can be open."""
    player, banker = round.hands.player[:_MOST], round.hands.banker[:_MOST]
    totals = _two_card_totals(player, banker)
    if totals is None or len(banker) != 2 or any(each.face is None for each in player):
        return None
    if len(player) == 2:
        return ("four-cards", *totals, STOOD)
    third = player[2].face
    assert third is not None
    return ("third-card", (totals[0] + third.value) % 10, totals[1], third.value)


def areas_in_order(round: Round, *, insured: bool = False) -> tuple[Area, ...]:
    """Where each card belongs if they count in drawn order: by the Table of Play, surplus cards aside.

    Where the Banker is certain to draw, the card lies there before the Player's third is opened. If a window of
    insurance may open between the two, it waits aside, unless its face is known (AMB-112). Cards that play goes on
    with as they lie stay there, and the others follow them.
    """
    laid = {at: round.cards[at] for at in round.as_it_lies}
    for at, each in enumerate(round.cards):
        if at not in laid:
            waits = insured and each.face is None and not round.banker_first
            before = tuple(laid[place] for place in sorted(laid))
            laid[at] = move(each, read_hands(before, banker_first=not waits).due or "aside")
    return tuple(laid[at].area for at in range(len(round.cards)))


def in_order(round: Round) -> Round:
    """A round with its cards where they belong in drawn order."""
    laid = zip(areas_in_order(round), round.cards, strict=True)
    return lay(round, tuple(move(each, area) for area, each in laid))


def move(card: Felt, area: Area) -> Felt:
    """The same card in another area."""
    return Felt(area, card.face, card.seen, printed=card.printed, disposed=card.disposed and area == "aside")


def aside(round: Round) -> tuple[int, ...]:
    """The places of the cards that lie aside, but for those of which it has been ruled what becomes of them."""
    return tuple([at for at, each in enumerate(round.cards) if each.area == "aside" and not each.disposed])


def in_hands(round: Round) -> int:
    """How many cards lie with the hands."""
    return len([each for each in round.cards if each.area != "aside"])


def due_without_surplus(round: Round) -> str | None:
    """Where the next card would belong if no card lay aside."""
    return hands_of(round, tuple(each for each in round.cards if each.area != "aside"), banker_first=False).due


def points(hand: tuple[Felt, ...]) -> int:
    """The points of a hand's open cards."""
    return sum([each.face.value for each in hand if each.face]) % 10


def points_at(round: Round, stage: str) -> tuple[int, int]:
    """The points of both hands that insurance of a stage is priced on."""
    return points(round.hands.player[: 2 if stage == "four-cards" else 3]), points(round.hands.banker[:2])


def _two_card_totals(player: tuple[Felt, ...], banker: tuple[Felt, ...]) -> tuple[int, int] | None:
    if len(player) < 2 or len(banker) < 2:
        return None
    first, second, other, last = player[0].face, player[1].face, banker[0].face, banker[1].face
    if first is None or second is None or other is None or last is None:
        return None
    return (first.value + second.value) % 10, (other.value + last.value) % 10
