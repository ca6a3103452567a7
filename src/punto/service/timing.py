"""Beside a snapshot: the house's clock, when bets close, and what the differential leaves room for."""

import time
from datetime import datetime

import msgspec

from punto.service.config import Settings
from punto.service.dealer import PACE
from punto.service.floor import Live
from punto.table import Table
from punto.table.differential import room as room_for
from punto.table.events import BetsOpened, BetsReopened, Event, InsuranceOffered
from punto.table.turn import Turn
from punto.table.values import Round

_HANDS = ("player", "banker")
_MUCH = 10**15


class Beside(msgspec.Struct, frozen=True):
    """Times are milliseconds of the house's clock; `you` is the viewer's name or post at the table."""

    now: int
    opened_at: int | None
    closes_at: int | None
    asks_until: int | None
    you: str | None
    room: dict[str, int]
    positions: int
    decks: int


def beside(live: Live, viewer: str | None, settings: Settings) -> Beside:
    """What a page shows beside a table."""
    table = live.table
    assert table is not None
    opened, closes = clock(live, table, settings)
    return Beside(
        int(time.time() * 1000),
        opened,
        closes,
        window(live, table, settings),
        viewer,
        room(table, viewer),
        table.setup.positions,
        table.setup.decks,
    )


def clock(live: Live, table: Table, settings: Settings) -> tuple[int | None, int | None]:
    """When bets were opened, and when they close where the house's clock closes them."""
    if table.round is None or table.round.phase != "betting":
        return None, None
    opened = _last(live, BetsOpened, BetsReopened)
    if opened is None or table.setup.shoe != "virtual":
        return opened, None
    return opened, opened + int(settings.betting_seconds * 1000)


def window(live: Live, table: Table, settings: Settings) -> int | None:
    """Until when insurance may be taken, where the house's clock ends the offer."""
    if table.round is None or table.round.window is None or table.setup.shoe != "virtual":
        return None
    offered = _last(live, InsuranceOffered)
    return None if offered is None else offered + int(PACE["window"] * settings.pace * 1000)


def _last(live: Live, *kinds: type[Event]) -> int | None:
    """When something of these kinds last happened, in milliseconds."""
    for said in reversed(live.last):
        if isinstance(said.event, kinds):
            return int(datetime.fromisoformat(msgspec.json.decode(said.message)["at"]).timestamp() * 1000)
    return None


def room(table: Table, viewer: str | None) -> dict[str, int]:
    """How much more the differential lets the viewer, or the table, put on each hand; nothing where none is posted."""
    limit, round = table.setup.limits.differential, table.round
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
