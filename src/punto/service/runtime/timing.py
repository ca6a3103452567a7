"""The house's clock: when bets close, how long an offer stays open, and what else a page shows beside a table.

Every time is computed from an event on record, so it is the same for everybody, and after a restart.
"""

import time
from collections.abc import Callable, Reversible
from datetime import datetime

import msgspec

from punto.service.runtime.live import Live, Said
from punto.service.settings import Settings
from punto.settlement import enforced
from punto.table import Table
from punto.table.events import (
    BetsOpened,
    BetsReopened,
    CardDrawn,
    CardsExposed,
    Delivered,
    Event,
    InsuranceOffered,
)
from punto.table.felt import unexposed
from punto.table.handlers.differential import room as room_for
from punto.table.state import Round
from punto.table.turn import Turn

PACE = {
    "open-bets": 2.0,
    "draw": 0.5,
    "expose": 0.7,
    "settle": 1.0,
    "ask": 6.0,
    "window": 12.0,
    "squeeze": 20.0,
    "answer": 30.0,
    "word": 3.0,
}
"""Seconds that the dealer of a virtual table takes for a step, or waits for people at most."""

_HANDS = ("player", "banker")
_MUCH = 10**15
Wanted = Callable[[Event], bool]


def clock(live: Live, table: Table, settings: Settings) -> tuple[int | None, int | None]:
    """When bets were opened, and when they close where the house's clock closes them."""
    if table.round is None or table.round.phase != "betting":
        return None, None
    began = last(live.last, OPENED)
    opened = None if began is None else told_at(began)
    if opened is None or table.setup.shoe != "virtual":
        return opened, None
    return opened, opened + int(settings.betting_seconds * 1000)


def window(live: Live, table: Table, settings: Settings) -> int | None:
    """Until when insurance may be taken, where the house's clock ends the offer."""
    if table.round is None or table.round.window is None or table.setup.shoe != "virtual":
        return None
    offered = last(live.last, OFFERED)
    return None if offered is None else told_at(offered) + int(PACE["window"] * settings.pace * 1000)


def held(live: Live, table: Table, viewer: str | None, settings: Settings) -> int | None:
    """Until when the viewer may open the cards that they hold, where the house's clock ends it."""
    round = table.running
    if round is None or table.setup.shoe != "virtual":
        return None
    closed = {round.cards[at].area for at in unexposed(round)}
    for hand, holder in round.squeezers.items():
        began = last(live.last, touches(round, hand)) if holder == viewer and hand in closed else None
        if began is not None:
            return told_at(began) + int(PACE["squeeze"] * settings.pace * 1000)
    return None


def touches(round: Round, hand: str) -> Wanted:
    """Whatever happens to a hand's cards."""

    def touched(event: Event) -> bool:
        if isinstance(event, CardsExposed):
            return any(at < len(round.cards) and round.cards[at].area == hand for at in event.at)
        return (isinstance(event, CardDrawn) and event.area == hand) or (
            isinstance(event, Delivered) and event.hand == hand
        )

    return touched


def last(told: Reversible[Said], wanted: Wanted) -> Said | None:
    """The last of these events that is wanted."""
    return next((said for said in reversed(told) if wanted(said.event)), None)


def of(*kinds: type[Event]) -> Wanted:
    """Events of these kinds."""
    return lambda event: isinstance(event, kinds)


OPENED, OFFERED = of(BetsOpened, BetsReopened), of(InsuranceOffered)
"""From what the time for bets, and for insurance, is computed."""


def now() -> int:
    """The time by the house's clock, in milliseconds."""
    return int(time.time() * 1000)


def told_at(said: Said) -> int:
    """When an event was written down, in milliseconds."""
    return milliseconds(msgspec.json.decode(said.message)["at"])


def milliseconds(at: str) -> int:
    """A time as it is written down.

    >>> milliseconds("1970-01-01T00:00:01.500Z")
    1500
    """
    return round(datetime.fromisoformat(at).timestamp() * 1000)


def room(table: Table, viewer: str | None) -> dict[str, int]:
    """How much more the differential lets the viewer, or the table, put on each hand; nothing where none is posted."""
    limit, round = enforced(table.book, table.setup.limits).differential, table.round
    if limit is None or round is None or round.phase not in ("betting", "closed"):
        return {}
    patron = table.patrons.get(viewer) if viewer else None
    found = {}
    for hand in _HANDS:
        most = limit - _gap(round, hand)
        if viewer is not None and patron is not None and patron.box is not None:
            left, why = room_for(Turn(table, viewer), round, (viewer, patron.box, hand), _MUCH)
            most = left if why[0] else most
        found[hand] = max(most, 0)
    return found


def _gap(round: Round, hand: str) -> int:
    own = sum(each.stake for (_, _, bet), each in round.wagers.items() if bet == hand)
    other = sum(each.stake for (_, _, bet), each in round.wagers.items() if bet in _HANDS and bet != hand)
    return own - other
