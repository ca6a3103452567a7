"""What lay on the felt when the differential was measured, followed event by event, and the shares that it left."""

from collections.abc import Mapping

from msgspec.structs import replace

from punto.amounts import show_money
from punto.rulebook import Refused
from punto.settlement import Line, Wager, playing
from punto.table import Table
from punto.table import events as e
from punto.table.state import Spot


class AmountsAtTheCall:
    """The wagers of a round as they lay when bets closed, or at its first card where the book measures then.

    It knows only events, and holds every settlement against them: nobody plays for more or less because another
    wager was taken back or returned later (AMB-114).

    >>> seen = AmountsAtTheCall()
    >>> for event in (e.BetsOpened(1), e.WagerPlaced("ann", 1, "player", 5000), e.BetsClosed()):
    ...     seen.take(None, event)
    >>> seen.take(None, e.WagerLowered("ann", 1, "player", 5000))
    >>> seen.lying, seen.measured
    ({}, {('ann', 1, 'player'): 5000})
    """

    def __init__(self) -> None:
        self.lying: dict[Spot, int] = {}
        self.measured: dict[Spot, int] | None = None
        self._other: tuple[dict[Spot, int], dict[Spot, int] | None] = ({}, None)
        """Those of the last round while the next has no card, or of the next while the last is put right."""

    def take(self, before: Table | None, event: e.Event) -> str | None:
        """Follow one event, with the table as it stood before it; what is wrong with a settlement, if that is one."""
        match event:
            case e.BetsOpened():
                if self.measured is not None:
                    self._other = self.lying, self.measured
                self.lying, self.measured = {}, None
            case e.LastRoundReopened() | e.NextRoundResumed():
                (self.lying, self.measured), self._other = self._other, (self.lying, self.measured)
            case e.BetsReopened() | e.CardsRetrieved():
                self.measured = None
            case e.WagerPlaced(stake=stake):
                self._add(self.lying, event, stake)
                if self.measured is not None:
                    self._add(self.measured, event, stake)
            case e.WagerLowered(amount=amount):
                self._add(self.lying, event, -amount)
            case e.BetsClosed() if not _at_first_card(before):
                self.measured = dict(self.lying)
            case e.CardDrawn() if self.measured is None:
                self.measured = dict(self.lying)
            case e.RoundSettled() if before is not None:
                return self._wrong(before, event)
            case _:
                pass
        return None

    def _add(self, stakes: dict[Spot, int], event: e.WagerPlaced | e.WagerLowered, amount: int) -> None:
        spot = (event.patron, event.box, event.bet)
        stakes[spot] = stakes.get(spot, 0) + amount
        if not stakes[spot]:
            del stakes[spot]

    def _wrong(self, before: Table, event: e.RoundSettled) -> str | None:
        played = {
            spot: line
            for name, lines in event.lines.items()
            for spot, line in zip(event.spots[name], lines, strict=True)
            if line.bet == spot[2]
        }
        if played.keys() != self.lying.keys():
            return "its lines are not about the wagers that lay there"
        came_back = {spot for spot, line in played.items() if not line.effective and line.result == "returned"}
        try:
            shares = self._shares(before, came_back)
        except Refused as refused:
            return f"it cannot be settled: {refused}"
        return _first_other_share(played, shares)

    def _shares(self, before: Table, came_back: set[Spot]) -> dict[Spot, int]:
        """The part of each wager that plays, by what was measured and nothing else."""
        limits, round = before.setup.limits, before.round
        assert round is not None
        policies = before.policies if round.rulings is None else round.rulings
        late = before.book.point("limits", "under-minimum-late")
        once = came_back if late is not None and late.value == "settle-once" else ()
        under = {spot for spot in once if self.lying[spot] < (limits.minimum_of(spot[2]) or 0)}
        stakes = {spot: stake for spot, stake in (self.measured or {}).items() if spot not in under}
        if round.passed:
            limits = replace(limits, differential=None)
        wagers = [Wager(spot[2], stake) for spot, stake in stakes.items()]
        boxes, scope = [spot[1] for spot in stakes], policies.get("differential-scope")
        chips = before.chips_by(policies)
        parts = playing(before.menu, wagers, limits, boxes=boxes, scope=scope, chips=chips)
        return {spot: share for spot, (share, _) in zip(stakes, parts, strict=True) if spot not in came_back}


def _at_first_card(table: Table | None) -> bool:
    """Whether the differential is measured at the first card: a book that cures it after the call does so (AMB-114)."""
    point = table.book.point("limits", "differential-early") if table is not None else None
    return point is not None and point.value != "reject"


def _first_other_share(played: Mapping[Spot, Line], shares: Mapping[Spot, int]) -> str | None:
    for spot, share in shares.items():
        line = played.get(spot)
        if line is not None and line.effective != min(share, line.stake):
            told, right = show_money(line.effective), show_money(share)
            return f"{spot[0]}'s {line.bet} plays for {told}, and for {right} by what lay there when it was measured"
    return None
