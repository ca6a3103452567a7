"""Who has let an offer pass, insurance or the cards: the dealer does not wait for them any longer.

To let an offer pass is no act of the game, so it is not in the journal; it only tells the dealer of this process. The
book says what it means when the next card is drawn and cover was not taken.
"""

from punto.service.runtime.live import Live
from punto.table import Table, can, commands
from punto.table.state import Round

Moment = tuple[int, int, int]


def moment(table: Table) -> Moment | None:
    """What an offer belongs to: the shoe, the round, and how many cards are out; None between rounds."""
    round = table.running
    return None if round is None else (table.shoes, round.number, len(round.cards))


def let_pass(live: Live, who: str) -> None:
    """Somebody lets what is offered at this moment pass."""
    now = None if live.table is None else moment(live.table)
    if now is not None:
        live.passed = now, passed(live) | {who}
        live.wake()


def passed(live: Live) -> frozenset[str]:
    """Who has let the offer of this moment pass."""
    if live.passed is None or live.table is None or live.passed[0] != moment(live.table):
        return frozenset()
    return live.passed[1]


def insurable(table: Table) -> frozenset[str]:
    """Who is offered cover now and has neither taken it nor said that they will."""
    round = table.running
    window = None if round is None else round.window
    if round is None or window is None or window.drawn:
        return frozenset()
    taken = {each.spot[0] for each in round.covers if (each.stage, each.hand) == (window.stage, window.hand)}
    return frozenset(spot[0] for spot, most in window.most.items() if most > 0) - taken - window.intent


def may_ask(table: Table) -> frozenset[str]:
    """Who may ask for the cards before the first one is dealt. Where a method is in use, it says who gets them."""
    round = table.running
    if round is None or round.phase != "closed" or round.cards or not table.setup.face_down or table.method is not None:
        return frozenset()
    return frozenset(name for name in _bettors(round) if any(can(table, each) for each in _asks(name)))


def _bettors(round: Round) -> set[str]:
    return {spot[0] for spot in round.wagers}


def _asks(name: str) -> list[commands.AskSqueeze]:
    return [commands.AskSqueeze(name, hand, by=name) for hand in ("player", "banker")]
