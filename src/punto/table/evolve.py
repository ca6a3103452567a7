"""What an event does to a table: a pure function, one small one for each kind of event."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from punto.coup import card
from punto.roads import result as road_result
from punto.rulebook import Basis, Book, CoverRow, Refused, cite, recording
from punto.rulebook.model import Remedy
from punto.settlement import Line
from punto.table import events as e
from punto.table.felt import coup, points_at
from punto.table.library import book_for
from punto.table.values import (
    Area,
    Cover,
    Dispute,
    Felt,
    Patron,
    Placed,
    Post,
    Procedure,
    Round,
    Shoe,
    Spot,
    Table,
    Window,
)


def evolve(table: Table | None, event: e.Event) -> Table:
    """The table after an event; the first event of a table opens it."""
    if table is None:
        if not isinstance(event, e.TableOpened):
            raise Refused("A table begins with being opened.")
        book = book_for(event.setup.digest)
        cite(book.id, *event.basis.clauses)
        return Table(book, event.setup, method=event.method)
    if recording():
        cite(table.book.id, *event.basis.clauses)
    return _HANDLERS[type(event)](table, event)


def fold(events: Iterable[e.Event], table: Table | None = None) -> Table:
    """The table that a history of events has led to."""
    for event in events:
        table = evolve(table, event)
    if table is None:
        raise Refused("No events, no table.")
    return table


# Small tools


def money(table: Table, patron: str, *, balance: int = 0, held: int = 0, owed: int = 0) -> Table:
    """Move money of a patron; the house has the other side of it."""
    who = table.patrons[patron]
    now = Patron(who.box, who.balance + balance, who.held + held, who.owed + owed, who.away)
    return replace(table, patrons={**table.patrons, patron: now}, house=table.house - balance - held + owed)


def _round(table: Table, **changes: Any) -> Table:
    assert table.round is not None
    return replace(table, round=replace(table.round, **changes))


def _shoe(table: Table, **changes: Any) -> Table:
    assert table.shoe is not None
    return replace(table, shoe=replace(table.shoe, **changes))


def _of(table: Table) -> Round:
    assert table.round is not None
    return table.round


# Opening and people


def _book_changed(table: Table, event: e.BookChanged) -> Table:
    return replace(table, book=book_for(event.setup.digest), setup=event.setup, policies={}, method=None)


def _sat(table: Table, event: e.PatronSat | e.PatronStood) -> Table:
    box = event.box if isinstance(event, e.PatronSat) else None
    who = table.patrons.get(event.patron, Patron())
    notice = table.notice | {event.patron} if event.accepted else table.notice
    return replace(table, patrons={**table.patrons, event.patron: replace(who, box=box, away=False)}, notice=notice)


def _left(table: Table, event: e.PatronLeft) -> Table:
    patrons = dict(table.patrons)
    if event.away:
        patrons[event.patron] = replace(patrons[event.patron], away=True, box=None)
    else:
        del patrons[event.patron]
    table = replace(table, patrons=patrons)
    running = table.running
    if event.away and running is not None and table.book.insurance is not None:
        table = _round(table, forgone=running.forgone | {event.patron})
    if table.shoe is not None and table.shoe.controller == event.patron:
        table = _shoe(table, controller=None)
    return table


def _assigned(table: Table, event: e.PostAssigned) -> Table:
    return replace(table, posts={**table.posts, event.person: Post(event.post, event.as_acting)})


def _post_left(table: Table, event: e.PostLeft) -> Table:
    return replace(table, posts={name: post for name, post in table.posts.items() if name != event.person})


def _owed_paid(table: Table, event: e.OwedPaid) -> Table:
    if event.chips:
        return money(table, event.patron, balance=-event.amount, owed=-event.amount)
    return money(table, event.patron, owed=-event.amount)


# Shoe


def _loaded(table: Table, event: e.ShoeLoaded) -> Table:
    return replace(table, shoe=Shoe(event.number, event.cards), shoes=event.number)


def _burned(table: Table, event: e.Burned) -> Table:
    assert table.shoe is not None
    return _shoe(table, left=table.shoe.left - event.count, burned=True)


def _shoe_ended(table: Table, event: e.ShoeEnded) -> Table:  # noqa: ARG001 - every handler takes the event
    return replace(table, shoe=None)


def _last_hand(table: Table, event: e.LastHandAnnounced) -> Table:  # noqa: ARG001
    number = 0 if table.round is None else table.round.number
    return _shoe(table, last_round=number if table.running else number + 1)


# Betting


def _opened(table: Table, event: e.BetsOpened) -> Table:
    assert table.shoe is not None
    table = _shoe(table, rounds=table.shoe.rounds + 1, free_next=False)
    return replace(table, round=Round(event.number, "closed" if event.free else "betting", event.free))


def _placed(table: Table, event: e.WagerPlaced) -> Table:
    round = _of(table)
    spot = (event.patron, event.box, event.bet)
    at = table.sequence + 1
    before = round.wagers.get(spot)
    if before is None:
        now = Placed(event.stake, ((at, event.stake),), found=event.found)
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
    closed = round.closed
    if closed is not None:
        closed = {**closed, spot: now.stake}
    return replace(table, patrons=patrons, sequence=at, round=replace(round, wagers=wagers, closed=closed))


def _advised(table: Table, event: e.WagerAdvised) -> Table:
    round = _of(table)
    spot = (event.patron, event.box, event.bet)
    if spot not in round.wagers:
        return table
    return _round(table, wagers={**round.wagers, spot: replace(round.wagers[spot], advised=True)})


def less(placed: Placed, amount: int) -> Placed:
    """A wager without its latest money."""
    left, pieces = amount, list(placed.money)
    while left and pieces:
        at, piece = pieces.pop()
        if piece > left:
            pieces.append((at, piece - left))
        left -= min(left, piece)
    return replace(placed, stake=placed.stake - amount, money=tuple(pieces))


def _lowered(table: Table, event: e.WagerLowered) -> Table:
    round = _of(table)
    spot = (event.patron, event.box, event.bet)
    now = less(round.wagers[spot], event.amount)
    pulled = now.pulled
    wagers = {name: each for name, each in round.wagers.items() if name != spot or now.stake}
    if now.stake:
        wagers[spot] = now
    closed = round.closed
    if closed is not None:
        closed = {name: wagers[name].stake for name in closed if name in wagers}
    window = round.window
    if window is not None:
        window = replace(window, most={name: most for name, most in window.most.items() if name in wagers})
    table = _round(table, wagers=wagers, closed=closed, window=window)
    return table if pulled else money(table, event.patron, balance=event.amount, held=-event.amount)


def _pulled(table: Table, event: e.WagerPulled) -> Table:
    round = _of(table)
    spot = (event.patron, event.box, event.bet)
    placed = round.wagers[spot]
    table = _round(table, wagers={**round.wagers, spot: replace(placed, pulled=True)})
    return money(table, event.patron, balance=placed.stake, held=-placed.stake)


def _closed(table: Table, event: e.BetsClosed) -> Table:  # noqa: ARG001
    wagers = _of(table).wagers
    return _round(table, phase="closed", closed={spot: placed.stake for spot, placed in wagers.items()})


# Dealing


def _drawn(table: Table, event: e.CardDrawn) -> Table:
    round, shoe = _of(table), table.shoe
    assert shoe is not None
    face = None
    if event.carried:
        face = shoe.carried[0]
        shoe = replace(shoe, carried=shoe.carried[1:])
    elif not event.reserve:
        shoe = replace(shoe, left=shoe.left - 1)
    area: Area = "player" if event.area == "player" else "banker" if event.area == "banker" else "aside"
    reserve = round.reserve - event.reserve
    return replace(
        table,
        shoe=shoe,
        round=replace(round, phase="closed", cards=(*round.cards, Felt(area, face)), reserve=reserve),
    )


def _exposed(table: Table, event: e.CardsExposed | e.FacesCorrected) -> Table:
    cards = list(_of(table).cards)
    for at, face in zip(event.at, event.faces, strict=True):
        cards[at] = Felt(cards[at].area, card(face))
    return _round(table, cards=tuple(cards))


def _announced(table: Table, event: e.Announced) -> Table:
    return _round(table, announced=(*_of(table).announced, event.what))


def _delivered(table: Table, event: e.Delivered) -> Table:
    squeezers = {hand: who for hand, who in _of(table).squeezers.items() if hand != event.hand}
    if event.patron is not None:
        squeezers[event.hand] = event.patron
    return _round(table, squeezers=squeezers)


def _declined(table: Table, event: e.SqueezeDeclined) -> Table:
    round = _of(table)
    squeezers = {hand: who for hand, who in round.squeezers.items() if (who, hand) != (event.patron, event.hand)}
    return _round(table, declined=(*round.declined, (event.hand, event.patron)), squeezers=squeezers)


# Insurance


def row_for(book: Book, stage: str, hand: str, own: int, opposite: int) -> CoverRow:
    """The row of the book's insurance table, which must have one."""
    assert book.insurance is not None
    row = book.insurance.row(stage, hand, own, opposite)
    assert row is not None
    return row


def _offered(table: Table, event: e.InsuranceOffered) -> Table:
    row = row_for(table.book, event.stage, event.hand, event.own, event.opposite)
    most: dict[Spot, int] = {(patron, box, bet): most for patron, box, bet, most in event.most}
    window = Window(event.stage, event.hand, row, most, late=event.late)
    priced = points_at(_of(table), event.stage)
    return _round(table, window=window, windows={**_of(table).windows, event.stage: priced})


def _struck(table: Table, event: e.CoverStruck) -> Table:
    round = _of(table)
    window = round.window
    assert window is not None
    spot = (event.patron, event.box, event.bet)
    cover = Cover(spot, window.stage, window.hand, event.stake, window.row, window.late)
    most = {**window.most, spot: window.most[spot] - event.stake}
    table = _round(table, covers=(*round.covers, cover), window=replace(window, most=most))
    return money(table, event.patron, balance=-event.stake, held=event.stake)


def _cover_returned(table: Table, event: e.CoverReturned) -> Table:
    round = _of(table)
    spot = (event.patron, event.box, event.bet)
    kept = tuple(each for each in round.covers if (each.spot, each.stage) != (spot, event.stage))
    window = round.window
    if window is not None and window.stage == event.stage and spot in window.most:
        window = replace(window, most={**window.most, spot: window.most[spot] + event.amount})
    return money(_round(table, covers=kept, window=window), event.patron, balance=event.amount, held=-event.amount)


def _window_closed(table: Table, event: e.WindowClosed) -> Table:
    round = _of(table)
    window = replace(round.window, drawn=True) if event.intent_left and round.window else None
    if event.again:
        away = frozenset(name for name in round.forgone if name in table.patrons and table.patrons[name].away)
        left = {stage: priced for stage, priced in round.windows.items() if stage not in event.again}
        return _round(table, window=None, windows=left, forgone=away)
    return _round(table, window=window, forgone=round.forgone | set(event.forgone))


def _intent(table: Table, event: e.IntentDeclared) -> Table:
    window = _of(table).window
    assert window is not None
    return _round(table, window=replace(window, intent=window.intent | {event.patron}))


# Irregularities


def _reported(table: Table, event: e.Reported) -> Table:
    if event.row is None:
        rest: tuple[Remedy, ...] = (REFER,)
        basis = event.basis
    else:
        row = table.book.irregularities[event.row]
        rest, basis = row.do, row.basis
    procedure = Procedure(
        event.fact,
        rest,
        basis,
        dict(event.guards),
        event.cards,
        event.patron,
        event.hand,
        event.note,
        event.faces,
    )
    return replace(table, procedures=(*table.procedures, procedure))


REFER = Remedy("refer", None, None, False, {}, None, (), (), ())
"""What is not covered goes to the residual authority."""


def step_of(verb: str, object: str | None = None) -> Remedy:
    """A step without conditions, as a ruling composes them."""
    return replace(REFER, verb=verb, object=object)


def _top(table: Table, **changes: Any) -> Table:
    *below, top = table.procedures
    return replace(table, procedures=(*below, replace(top, **changes)))


def _step_taken(table: Table, event: e.StepTaken) -> Table:
    if not table.procedures:
        return table
    *below, top = table.procedures
    step = top.rest[0]
    more: tuple[Remedy, ...] = ()
    if event.branch == "else":
        more = step.otherwise
    elif event.branch == "then":
        more = step.then
    elif event.branch == "all-back":
        offer = table.book.offers.get(step.object or "") if step.verb == "offer" else None
        more = offer.all_back if offer else step.all_back
    elif event.branch == "refer":
        more = (REFER,)
    rest = (*more, *top.rest[1:]) if event.branch != "all-back" else more
    if not rest:
        return replace(table, procedures=tuple(below))
    return _top(table, rest=rest, answer=None, reason="", until_round_end=False)


def _steps_ruled(table: Table, event: e.StepsRuled) -> Table:
    steps = tuple(step_of(*_verb(each)) for each in event.steps)
    top = table.procedures[-1]
    return _top(table, rest=(top.rest[0], *steps, *top.rest[1:]))


def _waiting(table: Table, event: e.Waiting) -> Table:  # noqa: ARG001
    """What waits for the end of the round lies below everything that does not."""
    *others, top = table.procedures
    questions = tuple(each if each.step is None else replace(each, step=each.step + 1) for each in table.questions)
    return replace(table, procedures=(replace(top, until_round_end=True), *others), questions=questions)


def _verb(step: dict[str, str | int | bool]) -> tuple[str, str | None]:
    [(verb, object)] = step.items()
    return verb, None if object is True else str(object)


def _asked(table: Table, event: e.Asked) -> Table:
    return replace(table, questions=(*table.questions, event.question), asked=event.question.id)


def _answered(table: Table, event: e.Answered) -> Table:
    question = next(each for each in table.questions if each.id == event.question)
    who = event.patron or question.to
    now = replace(
        question,
        waiting=tuple(each for each in question.waiting if each != event.patron),
        answers={**question.answers, who: " ".join((event.choice, *event.wagers))},
    )
    if now.waiting:
        return replace(table, questions=tuple(now if each is question else each for each in table.questions))
    table = replace(table, questions=tuple(each for each in table.questions if each is not question))
    if question.step is None:
        return table
    procedures = list(table.procedures)
    of = procedures[question.step]
    answer, guards = now.answers, of.guards
    if question.topic == "reconstructible":
        guards = {**guards, "reconstructible": "true" if event.choice == "yes" else "false"}
    if question.form == "patrons":
        answer = {"patrons": " ".join(event.patrons)}
    procedures[question.step] = replace(of, answer=answer, guards=guards, reason=event.reason)
    return replace(table, procedures=tuple(procedures))


def _lapsed(table: Table, event: e.Lapsed) -> Table:
    return replace(table, questions=tuple(each for each in table.questions if each.id != event.question))


def _round_ended(table: Table, event: e.RoundEnded) -> Table:
    round = _of(table)
    for patron in {spot[0] for spot in round.wagers} | {each.spot[0] for each in round.covers} | set(event.returned):
        held = table.patrons[patron].held
        table = money(table, patron, held=-held, balance=event.returned.get(patron, 0), owed=event.owed.get(patron, 0))
    table = _round(table, phase="void", window=None, result=None, lines={})
    if event.reversed and table.shoe is not None and table.shoe.results:
        table = _shoe(table, results=table.shoe.results[:-1])
    return replace(table, procedures=_after_round(table.procedures))


def _after_round(procedures: tuple[Procedure, ...]) -> tuple[Procedure, ...]:
    """Of what was going on in a round that ended, only the step that ended it goes on to the next one."""
    return procedures[-1:]


def _order_fixed(table: Table, event: e.OrderFixed) -> Table:
    cards = list(_of(table).cards)
    places = sorted(event.order)
    faces = [cards[at].face for at in event.order]
    for at, face in zip(places, faces, strict=True):
        cards[at] = Felt(cards[at].area, face)
    return _round(table, cards=tuple(cards))


def _misplaced(table: Table, event: e.CardsMisplaced) -> Table:
    other: dict[str, Area] = {"player": "banker", "banker": "player", "aside": "aside"}
    cards = [Felt(other[each.area], each.face) if at in event.at else each for at, each in enumerate(_of(table).cards)]
    return _round(table, cards=tuple(cards))


def _relaid(table: Table, event: e.CardsRelaid) -> Table:
    areas: dict[str, Area] = {"player": "player", "banker": "banker", "aside": "aside"}
    cards = zip(event.areas, _of(table).cards, strict=True)
    laid = tuple(Felt(areas[area], each.face) for area, each in cards)
    return _round(table, cards=laid, carry=_of(table).carry or event.carry)


def _carried(table: Table, event: e.CardsCarried) -> Table:
    shoe = table.shoe
    assert shoe is not None
    if event.seen:
        seen = tuple(card(each) for each in event.seen)
        return _shoe(table, carried=(*shoe.carried, *seen), left=shoe.left - len(seen))
    round = _of(table)
    faces = tuple(round.cards[at].face for at in event.at)
    kept = tuple(each for at, each in enumerate(round.cards) if at not in event.at)
    table = _shoe(table, carried=(*shoe.carried, *faces), free_next=shoe.free_next or event.free)
    return _round(table, cards=kept)


def _retrieved(table: Table, event: e.CardsRetrieved) -> Table:  # noqa: ARG001
    round, shoe = _of(table), table.shoe
    assert shoe is not None
    table = _shoe(table, left=shoe.left + len(round.cards))
    return _round(table, cards=(), announced=(), squeezers={})


def _reserved(table: Table, event: e.CardsReserved) -> Table:
    assert table.shoe is not None
    return _round(_shoe(table, left=table.shoe.left - event.count), reserve=event.count)


def _freed(table: Table, event: e.HandFreed) -> Table:
    return _round(table, free=True, phase="closed") if event.now else _shoe(table, free_next=True)


def _original_returned(table: Table, event: e.OriginalReturned) -> Table:
    round = _of(table)
    spot = (event.patron, event.box, event.bet)
    table = _round(table, wagers={**round.wagers, spot: replace(round.wagers[spot], back=event.basis)})
    if not event.amount:
        return table
    lines, lost = list(round.lines[event.patron]), (event.bet, -event.amount)
    at = next(at for at, line in enumerate(lines) if (line.bet, line.net) == lost)
    stake, says = lines[at].stake, "The insured bet comes back: its insurance was not offered."
    lines[at] = Line(event.bet, stake, 0, stake, "returned", 0, None, event.basis, says)
    table = _round(table, lines={**round.lines, event.patron: tuple(lines)})
    return money(table, event.patron, balance=event.amount)


# Settlement and disputes


def _settled(table: Table, event: e.RoundSettled) -> Table:
    round = _of(table)
    patrons, house = dict(table.patrons), table.house
    for name, (balance, owed) in event.moves.items():
        who = patrons[name]
        house += who.held - balance + owed
        patrons[name] = Patron(who.box, who.balance + balance, 0, who.owed + owed, who.away)
    result = road_result(coup(round), round.free)
    shoe = table.shoe
    if shoe is not None and (shoe.results or not event.again):  # else the round was of an earlier shoe
        past = shoe.results[:-1] if event.again else shoe.results
        shoe = replace(shoe, results=(*past, result))
    for line in (each for lines in event.lines.values() for each in lines):
        cite(table.book.id, *line.basis.clauses)
    return replace(
        table,
        patrons=patrons,
        house=house,
        strikes=table.strikes | set(event.strikes),
        shoe=shoe,
        round=replace(round, phase="settled", lines=event.lines, result=result, window=None),
    )


def _dispute_raised(table: Table, event: e.DisputeRaised) -> Table:
    return replace(table, disputes=(*table.disputes, Dispute(event.patron, event.says, event.level)))


def _dispute_moved(table: Table, event: e.DisputeMoved) -> Table:
    disputes = list(table.disputes)
    was = disputes[event.dispute]
    disputes[event.dispute] = replace(
        was, done=(*was.done, event.step), level=event.level or was.level, state=event.state or was.state
    )
    return replace(table, disputes=tuple(disputes))


def _same(table: Table, event: e.Event) -> Table:  # noqa: ARG001
    return table


def _must_replace(table: Table, basis: Basis) -> Table:
    return _shoe(table, replace=basis) if table.shoe is not None else table


_HANDLERS: dict[type[e.Event], Callable[[Table, Any], Table]] = {
    e.BookChanged: _book_changed,
    e.LimitsPosted: lambda table, event: replace(table, setup=event.setup),
    e.TableClosed: lambda table, _: replace(table, open=False, shoe=None),
    e.PostAssigned: _assigned,
    e.PostLeft: _post_left,
    e.PatronSat: _sat,
    e.PatronStood: _sat,
    e.PatronLeft: _left,
    e.BoughtIn: lambda table, event: money(table, event.patron, balance=event.amount),
    e.CashedOut: lambda table, event: money(table, event.patron, balance=-event.amount),
    e.OwedPaid: _owed_paid,
    e.ShoeLoaded: _loaded,
    e.Burned: _burned,
    e.LastHandAnnounced: _last_hand,
    e.ShoeEnded: _shoe_ended,
    e.MethodSet: lambda table, event: replace(table, method=event.method),
    e.ShoeTaken: lambda table, event: _shoe(table, controller=event.patron),
    e.ShoeGivenBack: lambda table, _: _shoe(table, controller=None),
    e.DrawingLet: lambda table, event: replace(table, without_wager=table.without_wager | {event.patron}),
    e.BetsOpened: _opened,
    e.BetsReopened: lambda table, _: _round(table, phase="betting", closed=None),
    e.WagerPlaced: _placed,
    e.WagerAdvised: _advised,
    e.MoneyRefused: _same,
    e.WagerLowered: _lowered,
    e.WagerPulled: _pulled,
    e.ObjectionNoted: _same,
    e.AreaCapped: lambda table, event: replace(table, area_cap=event.most),
    e.BetsClosed: _closed,
    e.StrikeCleared: lambda table, event: replace(table, strikes=table.strikes - {event.patron}),
    e.CardDrawn: _drawn,
    e.CardsExposed: _exposed,
    e.FacesCorrected: lambda table, event: _round(_exposed(table, event), announced=()),
    e.Announced: _announced,
    e.HandOpenedFirst: lambda table, event: _round(table, announced=(*_of(table).announced, f"first-{event.hand}")),
    e.Delivered: _delivered,
    e.SqueezeDeclined: _declined,
    e.SqueezeBarred: lambda table, event: _round(table, barred=_of(table).barred | {event.patron}),
    e.BankerFirstAllowed: lambda table, _: _round(table, banker_first=True, waived=True),
    e.InsuranceOffered: _offered,
    e.IntentDeclared: _intent,
    e.CoverStruck: _struck,
    e.CoverReturned: _cover_returned,
    e.WindowClosed: _window_closed,
    e.InsuranceOff: lambda table, event: replace(table, insurance_off=True, notice=table.notice | set(event.accepted)),
    e.Reported: _reported,
    e.StepTaken: _step_taken,
    e.StepsRuled: _steps_ruled,
    e.Waiting: _waiting,
    e.Asked: _asked,
    e.Answered: _answered,
    e.Lapsed: _lapsed,
    e.Deduced: lambda table, event: _top(table, found=event.faces),
    e.RoundEnded: _round_ended,
    e.OrderFixed: _order_fixed,
    e.CardsMisplaced: _misplaced,
    e.CardsRelaid: _relaid,
    e.LeftAsItLies: lambda table, _: _round(table, as_it_lies=True),
    e.CardsCarried: _carried,
    e.CardsRetrieved: _retrieved,
    e.CardsReserved: _reserved,
    e.HandFreed: _freed,
    e.CardsToBeReplaced: lambda table, event: _must_replace(table, event.basis),
    e.Noticed: _same,
    e.OriginalReturned: _original_returned,
    e.DifferentialPassed: lambda table, _: _round(table, passed=True),
    e.Bound: lambda table, event: _round(table, bound=_of(table).bound | set(event.patrons)),
    e.RulingMade: lambda table, event: replace(table, policies={**table.policies, event.policy: event.value}),
    e.ComplaintAnswered: _same,
    e.NotedDown: _same,
    e.RoundSettled: _settled,
    e.DisputeRaised: _dispute_raised,
    e.DisputeMoved: _dispute_moved,
}
