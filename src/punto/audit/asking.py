"""What was asked: the commands that can have led to some events. A journal keeps events only, so they are read back."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from punto.coup import RANKS, SUITS
from punto.table import Table
from punto.table import commands as c
from punto.table import events as e
from punto.table.felt import unexposed

Events = Sequence[e.Event]
_NO_COUNT: tuple[dict[str, int], tuple[str, ...]] = ({}, ())
_WINNERS = (None, "player", "banker", "tie")


def asked(table: Table | None, events: Events) -> Iterator[c.Command]:
    """Every command that can have led from a table to these events, the likeliest first.

    >>> [command] = asked(None, (e.BoughtIn("ann", 5000, by="ann"),))
    >>> command
    BuyIn(patron='ann', amount=5000, by='ann')
    """
    found: list[c.Command] = []
    for event in events:
        for command in _leading_to(event, events, table):
            if command not in found:
                found.append(command)
                yield command


def _leading_to(event: e.Event, events: Events, table: Table | None) -> Iterator[c.Command]:
    """What leads to an event directly; nothing for what only ever follows from something else."""
    match event:
        case e.TableOpened() | e.BookChanged():
            yield from _opened(event, events)
        case e.CashedOut() | e.OwedPaid():
            yield from _cashed(event, events)
        case e.WagerPlaced():
            yield from _placed(event, events)
        case e.CoverStruck():
            yield from _struck(event, table)
        case e.Answered():
            yield from _answered(event, events, table)
        case _ if type(event) in _MAKERS:
            yield from _MAKERS[type(event)](event)
        case _:
            pass


def _first(events: Events, kind: type[Any]) -> Any:
    return next((event for event in events if isinstance(event, kind)), None)


def _same(kind: type[c.Command], *names: str) -> Callable[[Any], Iterator[c.Command]]:
    """A command with the same words as its event."""

    def make(event: Any) -> Iterator[c.Command]:
        yield kind(*(getattr(event, name) for name in names), by=event.by)

    return make


# Opening


def _opened(event: Any, events: Events) -> Iterator[c.Command]:
    setup, chosen = event.setup, _first(events, e.MethodSet)
    kind = c.OpenTable if isinstance(event, e.TableOpened) else c.ChangeBook
    yield kind(
        book=setup.digest,
        at=event.at,
        decks=setup.decks,
        layout=setup.layout,
        positions=setup.positions,
        limits=setup.limits,
        currency=setup.currency,
        shoe=setup.shoe,
        face_down=setup.face_down,
        method=chosen.method if chosen is not None else None,
        private=setup.private,
        high_limit=setup.high_limit,
        house_ranks=setup.house_ranks,
        auto=tuple(sorted(setup.auto)),
        counter_clockwise=setup.counter_clockwise,
        acknowledged=True,
        by=event.by,
    )


def _limits(event: Any) -> Iterator[c.Command]:
    yield c.PostLimits(event.setup.limits, by=event.by)


def _cashed(event: Any, events: Events) -> Iterator[c.Command]:
    cashed = _first(events, e.CashedOut)
    if isinstance(event, e.OwedPaid) and not event.chips:
        yield c.PayOwed(event.patron, event.amount, by=event.by)
    else:
        yield c.CashOut(event.patron, cashed.amount if cashed is not None else None, by=event.by)


# Betting


def _placed(event: Any, events: Events) -> Iterator[c.Command]:
    if event.found:
        yield c.Find(event.patron, event.bet, event.stake, event.box, by=event.by)
        return
    refused = _first(events, e.MoneyRefused)
    stake = event.stake + (refused.amount if refused is not None else 0)
    yield c.Place(event.patron, event.bet, stake, event.box, by=event.by)


def _lowered(event: Any) -> Iterator[c.Command]:
    spot = (event.patron, event.bet)
    yield c.Lower(*spot, event.amount, event.box, by=event.by)
    yield c.Withdraw(*spot, event.box, by=event.by)
    yield c.Remove(*spot, event.amount, event.box, by=event.by)


# Cards


def _drawn(event: Any) -> Iterator[c.Command]:
    for to in (None, "player", "banker"):
        yield c.Draw(to, by=event.by)


def _exposed(event: Any) -> Iterator[c.Command]:
    if len(event.at) == 1:
        yield c.Expose(event.faces, event.at[0], by=event.by)
    yield c.Expose(event.faces, by=event.by)


def _announced(event: Any) -> Iterator[c.Command]:
    for winner in _WINNERS if event.what == "result" else (None,):
        yield c.Announce(event.what, winner, by=event.by)


def _delivered(event: Any) -> Iterator[c.Command]:
    if event.patron is not None:
        yield c.AskSqueeze(event.patron, event.hand, by=event.by)
        yield c.GrantSqueeze(event.patron, event.hand, by=event.by)


def _struck(event: Any, table: Table | None) -> Iterator[c.Command]:
    window = table.round.window if table is not None and table.round is not None else None
    if window is not None:
        yield c.Insure(event.patron, window.hand, event.stake, event.box, by=event.by)


def _put(event: Any) -> Iterator[c.Command]:
    """Questions that somebody asked for, or that came up at the end of a round."""
    about = event.question.about
    match event.question.topic:
        case "squeeze":
            yield c.AskSqueeze(about[1], about[0], by=event.by)
        case "banker-third-first":
            yield c.BankerThirdFirst(*about, by=event.by)
        case "no-insurance":
            yield c.NoInsurance(about[0], by=event.by)
        case "differential-late":
            yield c.Settle(by=event.by)
        case _:
            pass


# When something went wrong


def _reported(event: Any) -> Iterator[c.Command]:
    guards = event.guards
    earlier = guards == {"noticed": "next-round"}
    yield c.Report(
        event.fact,
        cards=event.cards,
        faces=event.faces,
        hand=event.hand,
        order=guards.get("order"),
        reconstructible=guards.get("reconstructible") != "false",
        exposed=None if "exposed" not in guards else guards["exposed"] == "true",
        seen=guards.get("seen") == "true",
        earlier=earlier,
        cause=guards.get("cause"),
        patron=event.patron,
        note=event.note,
        by=event.by,
    )
    if earlier:  # what was said of the hand besides is in the row that was found
        yield c.Report(
            event.fact,
            cards=event.cards,
            hand=event.hand,
            reconstructible=False,
            earlier=True,
            patron=event.patron,
            note=event.note,
            by=event.by,
        )
    for to in ("player", "banker"):
        yield c.Draw(to, by=event.by)
    yield c.Draw(by=event.by)


def _noted(event: Any) -> Iterator[c.Command]:
    for cause in ("other", "power"):
        yield c.Report("interruption", cause=cause, by=event.by)


def _answered(event: Any, events: Events, table: Table | None) -> Iterator[c.Command]:
    order, ruled = _first(events, e.OrderFixed), _first(events, e.StepsRuled)
    counted = _first(events, e.Deduced)
    count, sealed = _NO_COUNT if counted is None or table is None else _count(counted, table)
    yield c.Answer(
        event.question,
        event.choice,
        event.reason,
        event.patron,
        order=order.order if order is not None else (),
        count=count,
        sealed=sealed,
        patrons=event.patrons,
        wagers=event.wagers,
        remedies=ruled.steps if ruled is not None and event.choice == "rule" else (),
        by=event.by,
    )


def _count(event: e.Deduced, table: Table) -> tuple[dict[str, int], tuple[str, ...]]:
    """A count that leads to what was deduced; what was really counted, and read under seal, is not on record."""
    round, gone = table.round, table.procedures[-1].cards if table.procedures else ()
    if round is None:
        return {}, ()
    under_seal = round.reserve + len([at for at in unexposed(round) if at not in gone])
    if event.faces is None:
        return {"Ac": event.counted}, ("Ac",) * under_seal
    left = Counter({rank + suit: table.setup.decks for rank in RANKS for suit in SUITS})
    left.subtract([*event.faces, *(str(each.face) for each in round.cards if each.face is not None)])
    sealed = tuple(left.elements())[:under_seal]
    left.subtract(sealed)
    return dict(left), sealed


def _moved(event: Any) -> Iterator[c.Command]:
    number = event.dispute
    made: dict[str, c.Command] = {
        "escalated": c.Escalate(number, by=event.by),
        "gathered": c.Gather(number, "information", event.says, by=event.by),
        "surveillance": c.Gather(number, "surveillance", event.says, by=event.by),
        "time-frame": c.GiveTimeFrame(number, event.says, by=event.by),
        "resolved": c.Resolve(number, event.references, event.says, event.state == "resolved", by=event.by),
        "told-of-complaint": c.TellOfComplaint(number, by=event.by),
        "complaint": c.FileComplaint(number, by=event.by),
        "assisted": c.Assist(number, by=event.by),
    }
    if event.step in made:
        yield made[event.step]


_MAKERS: dict[type[e.Event], Callable[[Any], Iterator[c.Command]]] = {
    e.LimitsPosted: _limits,
    e.TableClosed: _same(c.CloseTable),
    e.PostAssigned: _same(c.Assign, "person", "post", "as_acting"),
    e.PostLeft: _same(c.Relieve, "person"),
    e.PatronSat: _same(c.Sit, "patron", "box", "accepted"),
    e.PatronStood: _same(c.Stand, "patron", "accepted"),
    e.PatronLeft: _same(c.Leave, "patron"),
    e.BoughtIn: _same(c.BuyIn, "patron", "amount"),
    e.ShoeLoaded: _same(c.LoadShoe, "commitment"),
    e.Burned: _same(c.Burn, "count"),
    e.LastHandAnnounced: _same(c.LastHand),
    e.ShoeEnded: _same(c.EndShoe, "seed"),
    e.MethodSet: _same(c.SetMethod, "method"),
    e.ShoeTaken: _same(c.TakeShoe, "patron"),
    e.ShoeGivenBack: _same(c.GiveBackShoe),
    e.DrawingLet: _same(c.LetDraw, "patron"),
    e.BetsOpened: _same(c.OpenBets),
    e.WagerLowered: _lowered,
    e.WagerPulled: _same(c.Pull, "patron", "bet", "box"),
    e.ObjectionNoted: _same(c.Object, "patron", "box"),
    e.AreaCapped: _same(c.CapArea, "most"),
    e.BetsClosed: _same(c.CloseBets),
    e.StrikeCleared: _same(c.ClearStrike, "patron"),
    e.CardDrawn: _drawn,
    e.CardsRelaid: _drawn,
    e.CardsExposed: _exposed,
    e.Announced: _announced,
    e.HandOpenedFirst: _same(c.OpenFirst, "hand"),
    e.Delivered: _delivered,
    e.SqueezeDeclined: _same(c.DeclineSqueeze, "patron", "hand"),
    e.SqueezeBarred: _same(c.BarSqueeze, "patron"),
    e.InsuranceOffered: _same(c.OfferInsurance),
    e.IntentDeclared: _same(c.DeclareIntent, "patron"),
    e.Asked: _put,
    e.Reported: _reported,
    e.NotedDown: _noted,
    e.RulingMade: _same(c.Rule, "policy", "value", "reason"),
    e.ComplaintAnswered: _same(c.Complain, "patron", "about"),
    e.RoundSettled: _same(c.Settle),
    e.DisputeRaised: _same(c.RaiseDispute, "patron", "says"),
    e.DisputeMoved: _moved,
}
