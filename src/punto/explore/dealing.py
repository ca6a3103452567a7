"""A round of given cards dealt at a table, by whatever commands its book asks for."""

from collections.abc import Iterator, Sequence

import msgspec

from punto.coup import Card
from punto.explore.alphabet import ANN
from punto.rulebook import Refused
from punto.settlement import Cover
from punto.table import Table, act
from punto.table import commands as c
from punto.table import events as e
from punto.table.felt import unexposed
from punto.table.state import Window

_LONGEST = 40


class Deal(msgspec.Struct, frozen=True):
    """What a round is dealt with; `deck` has more cards than it can need."""

    deck: tuple[Card, ...]
    cover: Cover | None = None
    late: c.Place | None = None
    """A wager that is laid when the first four cards open its window."""


def next_command(table: Table, deal: Deal) -> c.Command | None:
    """The next command of the dealer, or of a patron who insures, that leads a closed round on; None if none does."""
    for command in _candidates(table, deal):
        try:
            _, happened = act(table, command)
        except Refused:
            continue
        if happened:
            return command
    return None


def _candidates(table: Table, deal: Deal) -> Iterator[c.Command]:
    round = table.running
    if round is None:
        return
    if round.phase == "betting":
        yield c.CloseBets()
        return
    window, cover = round.window, deal.cover
    if cover is not None and not round.covers and _is_for(window, cover):
        yield c.Insure(ANN, cover.hand, cover.stake, by=ANN)
    yield from _turned(table, deal.deck)
    late = deal.late
    if late is not None and round.late and not any(bet == late.bet for _, _, bet in round.wagers):
        yield late
    if window is None:
        yield c.OfferInsurance()
    for call in ("points", "result"):
        if call not in round.announced:
            yield c.Announce(call)
    yield c.Settle()
    yield c.Draw()
    controller = table.shoe.controller if table.shoe is not None else None
    if controller is not None:
        yield c.Draw(by=controller)


def _is_for(window: Window | None, cover: Cover) -> bool:
    return window is not None and (window.stage, window.hand) == (cover.stage, cover.hand)


def _turned(table: Table, deck: Sequence[Card]) -> Iterator[c.Command]:
    """The cards that lie closed are opened, once the first four are out."""
    round = table.running
    if round is None or len(round.cards) < 4:
        return
    down = unexposed(round)
    if not down or down[-1] >= len(deck):
        return
    yield c.Expose(tuple(str(deck[at]) for at in down))
    for patron in dict.fromkeys(round.squeezers.values()):
        held = [at for at in down if round.squeezers.get(round.cards[at].area) == patron]
        if held:
            yield c.Expose(tuple(str(deck[at]) for at in held), by=patron)


def dealt(table: Table, deal: Deal) -> tuple[c.Command, ...]:
    """The commands that bring a round to its end with these cards, as far as they lead."""
    commands: list[c.Command] = []
    while table.running is not None and len(commands) < _LONGEST:
        command = next_command(table, deal)
        if command is None:
            break
        table, _ = act(table, command)
        commands.append(command)
    return tuple(commands)


def settled(events: Sequence[e.Event]) -> e.RoundSettled | None:
    """The settlement among some events, if there is one."""
    return next((each for each in events if isinstance(each, e.RoundSettled)), None)
