"""How events about wagers, cards and insurance change a table."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from punto.coup.cards import card
from punto.rulebook import Book, CoverRow
from punto.rulebook.facts import FACTS
from punto.table import events as e
from punto.table.apply.tools import (
    clear_felt,
    current,
    forgo,
    money,
    note_points,
    unchanged,
    with_cards,
    with_round,
    with_shoe,
)
from punto.table.felt import areas_in_order, lay, points_at
from punto.table.knowledge import is_shut
from punto.table.state import (
    Area,
    Felt,
    Past,
    Patron,
    Paused,
    Phase,
    Placed,
    PlacedCover,
    Procedure,
    Round,
    Seen,
    Spot,
    Table,
    Window,
)


def _opened(table: Table, event: e.BetsOpened) -> Table:
    assert table.shoe is not None
    first, before = table.shoe.first_bettors, table.round
    if table.shoe.rounds == 1 and before is not None and before.cards:
        first = tuple(sorted(before.bettors))
    rounds = table.shoe.rounds + 1
    table = _make_past(table) if table.begins_with_first_card else clear_felt(table, before)
    table = with_shoe(
        table, rounds=rounds, free_next=False, free_after_last=False, free_because=None, first_bettors=first
    )
    if table.posted is not None:
        table = replace(table, setup=table.posted, posted=None)
    assert table.shoe is not None
    phase: Phase = "closed" if event.free else "betting"
    round = Round(event.number, phase, event.free, shoe=table.shoe.number)
    printed = table.book.cards.printed
    if printed is not None:
        round = lay(replace(round, printed=(printed.place, printed.card)), ())
    return replace(table, round=round)


def _make_past(table: Table) -> Table:
    """Keep the round that is over until the first card of the next; one that had no card changes nothing."""
    before = table.round
    if before is None or (table.past is not None and not before.cards):
        return table
    return replace(table, past=Past(before, table.setup))


def _last_reopened(table: Table, event: e.LastRoundReopened) -> Table:
    """Put the round that is over in the place of the next one, as if bets had not been opened yet."""
    past, shoe, round = table.past, table.shoe, current(table)
    assert past is not None
    paused = Paused(round, table.setup, len(table.procedures))
    table = replace(table, round=past.round, setup=past.setup, past=None, paused=paused)
    return with_shoe(table, free_next=True) if round.free and shoe is not None else table


def _next_resumed(table: Table, event: e.NextRoundResumed) -> Table:
    """Put the next round in its place again, and keep the one that is over until the next has begun."""
    paused, past = table.paused, Past(current(table), table.setup)
    assert paused is not None
    phase: Phase = "closed" if event.free else "betting" if paused.round.free else paused.round.phase
    next_round = replace(paused.round, free=event.free, phase=phase)
    table = replace(table, round=next_round, setup=paused.setup, past=past, paused=None)
    return table if table.shoe is None else with_shoe(table, free_next=False, free_after_last=False, free_because=None)


def _placed(table: Table, event: e.WagerPlaced) -> Table:
    round = current(table)
    spot = (event.patron, event.box, event.bet)
    at = table.sequence + 1
    before = round.wagers.get(spot)
    if before is None:
        now = Placed(
            event.stake,
            ((at, event.stake),),
            found=event.found,
            too_late=_too_late(table, round) if round.opened else (),
        )
    else:
        now = replace(
            before,
            stake=before.stake + event.stake,
            money=(*before.money, (at, event.stake)),
            advised=False,
            found=before.found or event.found,
        )
    who = table.patrons[event.patron]
    stake = event.stake
    patrons = dict(table.patrons)
    patrons[event.patron] = Patron(who.box, who.balance - stake, who.held + stake, who.owed, who.away)
    wagers = dict(round.wagers)
    wagers[spot] = now
    counted = round.counted
    if counted is not None:
        counted = {**counted, spot: counted.get(spot, 0) + stake}
    return replace(table, patrons=patrons, sequence=at, round=replace(round, wagers=wagers, counted=counted))


def _too_late(table: Table, round: Round) -> tuple[str, ...]:
    """The stages of insurance that are over already: a wager that is found now had no window there."""
    return tuple(stage for stage in round.opened if is_shut(table, round, stage))


def _advised(table: Table, event: e.WagerAdvised) -> Table:
    round = current(table)
    spot = (event.patron, event.box, event.bet)
    if spot not in round.wagers:
        return table
    return with_round(table, wagers={**round.wagers, spot: replace(round.wagers[spot], advised=True)})


def _less(placed: Placed, amount: int) -> Placed:
    """A wager without its latest money."""
    left, pieces = amount, list(placed.money)
    while left and pieces:
        at, piece = pieces.pop()
        if piece > left:
            pieces.append((at, piece - left))
        left -= min(left, piece)
    return replace(placed, stake=placed.stake - amount, money=tuple(pieces))


def _lowered(table: Table, event: e.WagerLowered) -> Table:
    round = current(table)
    spot = (event.patron, event.box, event.bet)
    now = _less(round.wagers[spot], event.amount)
    pulled = now.pulled
    wagers = {name: each for name, each in round.wagers.items() if name != spot or now.stake}
    if now.stake:
        wagers[spot] = now
    window = round.window
    if window is not None:
        window = replace(window, most={name: most for name, most in window.most.items() if name in wagers})
    table = with_round(table, wagers=wagers, window=window)
    return table if pulled else money(table, event.patron, balance=event.amount, held=-event.amount)


def _pulled(table: Table, event: e.WagerPulled) -> Table:
    round = current(table)
    spot = (event.patron, event.box, event.bet)
    placed = round.wagers[spot]
    table = with_round(table, wagers={**round.wagers, spot: replace(placed, pulled=True)})
    return money(table, event.patron, balance=placed.stake, held=-placed.stake)


def _closed(table: Table, event: e.BetsClosed) -> Table:
    if _measured_at_first_card(table):
        return with_round(table, phase="closed")
    return with_round(table, phase="closed", counted=_as_they_lie(current(table)))


def _late_opened(table: Table, event: e.LateBetsOpened) -> Table:
    return with_round(table, late=event.bets)


def _late_closed(table: Table, event: e.LateBetsClosed) -> Table:
    return with_round(table, late=())


def _measured_at_first_card(table: Table) -> bool:
    """Whether the differential is measured at the first card: a book that cures it after the call does so (AMB-114)."""
    point = table.book.point("limits", "differential-early")
    return point is not None and point.value != "reject"


def _as_they_lie(round: Round) -> dict[Spot, int]:
    return {spot: placed.stake for spot, placed in round.wagers.items()}


def _drawn(table: Table, event: e.CardDrawn) -> Table:
    if table.past is not None:
        table = replace(clear_felt(table, table.past.round), past=None)
    round, shoe = current(table), table.shoe
    assert shoe is not None
    face, reserve = None, round.reserve
    if event.carried:
        face = shoe.carried[0]
        shoe = replace(shoe, carried=shoe.carried[1:])
    elif event.reserve:
        face, reserve = reserve[0], reserve[1:]
    elif shoe.top:
        face = shoe.top[0].face if shoe.top[0] else None
        shoe = replace(shoe, left=shoe.left - 1, top=shoe.top[1:])
    else:
        shoe = replace(shoe, left=shoe.left - 1)
    area: Area = "player" if event.area == "player" else "banker" if event.area == "banker" else "aside"
    cards = (*round.cards, Felt(area, face, face is not None, event.laid_with))
    counted = _as_they_lie(round) if round.counted is None and not round.cards else round.counted
    if event.carried or event.reserve:
        handed_on = min(round.handed_on, len(shoe.carried))
        seen = min(round.only_seen, handed_on)
        changes = {"reserve": reserve, "handed_on": handed_on, "only_seen": seen, "counted": counted, "polled": None}
        laid = lay(round, cards, phase="closed", **changes)
    else:
        laid = lay(round, cards, phase="closed", counted=counted, polled=None)
    return note_points(replace(table, shoe=shoe, round=laid))


def _seen(table: Table, event: e.CardsSeen) -> Table:
    """Keep with the cards what was seen of them: on the felt, carried, or next in the shoe."""
    if table.running is not None and table.running.phase == "closed":
        table = with_round(table, polled=None, revealed=True)
    shoe = table.shoe
    if event.at:
        cards = [replace(each, seen=True) if at in event.at else each for at, each in enumerate(current(table).cards)]
        table = _shown_aside(table, event.at)
        return with_cards(table, tuple(cards))
    assert shoe is not None
    faces = tuple(card(each) for each in event.faces)
    if event.carried:
        at = shoe.carried.index(None)
        return with_shoe(table, carried=(*shoe.carried[:at], *faces, *shoe.carried[at + len(faces) :]))
    top = list(shoe.top)
    for face in faces:
        at = top.index(None) if None in top else len(top)
        top[at : at + 1] = [Seen(face, event.moved)]
    return with_shoe(table, top=tuple(top))


def _exposed(table: Table, event: e.CardsExposed | e.FacesCorrected) -> Table:
    cards = list(current(table).cards)
    for at, face in zip(event.at, event.faces, strict=True):
        cards[at] = Felt(cards[at].area, card(face), printed=cards[at].printed, disposed=cards[at].disposed)
    return with_cards(_shown_aside(table, event.at), tuple(cards), polled=None, revealed=True)


def _corrected(table: Table, event: e.FacesCorrected) -> Table:
    """By the true faces a card may be due that no hand seemed to need."""
    table = with_round(_exposed(table, event), announced=(), judged=False)
    round = current(table)
    if not any(each.disposed for each in round.cards):
        return table
    true = zip(areas_in_order(round), round.cards, strict=True)
    return with_cards(table, tuple(replace(each, disposed=each.disposed and area == "aside") for area, each in true))


def _shown_aside(table: Table, places: tuple[int, ...]) -> Table:
    """The table when cards have been seen: if one lies aside, what is being done about it takes that into account."""
    if not table.procedures or all(current(table).cards[at].area != "aside" for at in places):
        return table
    return replace(table, procedures=tuple(_shown(each) for each in table.procedures))


def _shown(procedure: Procedure) -> Procedure:
    """What is being done about a card in excess, once its face is known."""
    if FACTS[procedure.fact].lays != "one-aside" or procedure.guards.get("exposed") != "false":
        return procedure
    return replace(procedure, guards={**procedure.guards, "exposed": "true"})


def _announced(table: Table, event: e.Announced) -> Table:
    return with_round(table, announced=(*current(table).announced, event.what))


def _delivered(table: Table, event: e.Delivered) -> Table:
    squeezers = {hand: who for hand, who in current(table).squeezers.items() if hand != event.hand}
    if event.patron is not None:
        squeezers[event.hand] = event.patron
    others = current(table).by_leave - {event.hand}
    return with_round(table, squeezers=squeezers, by_leave=others | {event.hand} if event.leave else others)


def _declined(table: Table, event: e.SqueezeDeclined) -> Table:
    round = current(table)
    squeezers = {hand: who for hand, who in round.squeezers.items() if (who, hand) != (event.patron, event.hand)}
    return with_round(table, declined=(*round.declined, (event.hand, event.patron)), squeezers=squeezers)


def _row_for(book: Book, stage: str, hand: str, own: int, opposite: int) -> CoverRow:
    """The row of the book's insurance table that an offer was made at."""
    assert book.insurance is not None
    row = book.insurance.row(stage, hand, own, opposite)
    assert row is not None
    return row


def _offered(table: Table, event: e.InsuranceOffered) -> Table:
    row = _row_for(table.book, event.stage, event.hand, event.own, event.opposite)
    most: dict[Spot, int] = {(patron, box, bet): most for patron, box, bet, most in event.most}
    before = current(table).window
    round, offered = current(table), {spot[0] for spot in most}
    if before is not None and (before.stage, before.hand, before.drawn) == (event.stage, event.hand, False):
        over = {**round.passed_over, event.stage: round.passed_over.get(event.stage, frozenset()) - offered}
        return with_round(table, window=replace(before, most={**before.most, **most}), passed_over=over)
    window = Window(event.stage, event.hand, row, most, late=event.late)
    priced = points_at(round, event.stage)
    silent = {name for name, _, bet in round.wagers if bet == event.hand and name in round.forgone}
    over = {**round.passed_over, event.stage: frozenset(silent - offered)}
    return with_round(table, window=window, windows={**round.windows, event.stage: priced}, passed_over=over)


def _struck(table: Table, event: e.CoverStruck) -> Table:
    round = current(table)
    window = round.window
    assert window is not None
    spot = (event.patron, event.box, event.bet)
    cover = PlacedCover(spot, window.stage, window.hand, event.stake, window.row, window.late)
    most = {**window.most, spot: window.most[spot] - event.stake}
    table = with_round(table, covers=(*round.covers, cover), window=replace(window, most=most))
    return money(table, event.patron, balance=-event.stake, held=event.stake)


def _cover_returned(table: Table, event: e.CoverReturned) -> Table:
    """Give cover back; of a round that is paid it is noted, and the money goes with the new settlement."""
    round = current(table)
    spot = (event.patron, event.box, event.bet)
    if round.phase == "settled":
        back = (spot, event.stage)
        covers = (replace(each, back=True) if (each.spot, each.stage) == back else each for each in round.covers)
        return with_round(table, covers=tuple(covers))
    kept = tuple(each for each in round.covers if (each.spot, each.stage) != (spot, event.stage))
    window = round.window
    if window is not None and window.stage == event.stage and spot in window.most:
        window = replace(window, most={**window.most, spot: window.most[spot] + event.amount})
    return money(with_round(table, covers=kept, window=window), event.patron, balance=event.amount, held=-event.amount)


def _window_closed(table: Table, event: e.WindowClosed) -> Table:
    round = current(table)
    window = replace(round.window, drawn=True) if event.intent_left and round.window else None
    if event.again:
        left = {stage: priced for stage, priced in round.windows.items() if stage not in event.again}
        ways = {name: tuple(way for way in by if way not in event.again) for name, by in round.forgone.items()}
        forgone = {name: by for name, by in ways.items() if by}
        going_on = round.window if round.window is not None and round.window.stage not in event.again else None
        return with_round(table, window=going_on, windows=left, forgone=forgone)
    if round.window is None:
        return table
    return forgo(with_round(table, window=window), event.forgone, round.window.stage)


def _intent(table: Table, event: e.IntentDeclared) -> Table:
    window = current(table).window
    assert window is not None
    return with_round(table, window=replace(window, intent=window.intent | {event.patron}))


HANDLERS: dict[type[e.Event], Callable[[Table, Any], Table]] = {
    e.BetsOpened: _opened,
    e.LastRoundReopened: _last_reopened,
    e.NextRoundResumed: _next_resumed,
    e.BetsReopened: lambda table, _: with_round(table, phase="betting", counted=None, polled=None, withdrew={}),
    e.WagerPlaced: _placed,
    e.WagerConfirmed: unchanged,
    e.WagerAdvised: _advised,
    e.MoneyRefused: unchanged,
    e.WagerLowered: _lowered,
    e.WagerPulled: _pulled,
    e.ObjectionNoted: unchanged,
    e.AreaCapped: lambda table, event: replace(table, area_cap=event.most),
    e.BetsClosed: _closed,
    e.LateBetsOpened: _late_opened,
    e.LateBetsClosed: _late_closed,
    e.StrikeCleared: lambda table, event: replace(table, strikes=table.strikes - {event.patron}),
    e.CardDrawn: _drawn,
    e.CardsSeen: _seen,
    e.CardsExposed: _exposed,
    e.FacesCorrected: _corrected,
    e.Announced: _announced,
    e.HandOpenedFirst: lambda table, event: with_round(
        table, announced=(*current(table).announced, f"first-{event.hand}")
    ),
    e.Delivered: _delivered,
    e.SqueezeDeclined: _declined,
    e.SqueezeBarred: lambda table, event: with_round(table, barred=current(table).barred | {event.patron}),
    e.BankerFirstAllowed: lambda table, _: with_cards(table, current(table).cards, banker_first=True, waived=True),
    e.InsuranceOffered: _offered,
    e.IntentDeclared: _intent,
    e.CoverStruck: _struck,
    e.CoverReturned: _cover_returned,
    e.WindowClosed: _window_closed,
    e.InsuranceOff: lambda table, event: replace(table, insurance_off=True, notice=table.notice | set(event.accepted)),
}
