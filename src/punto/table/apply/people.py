"""How events about the table, its people, its shoe and its method change it."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from punto.rulebook import Book
from punto.rulebook.cases import can_come
from punto.table import events as e
from punto.table.apply.tools import count_faces, forgo, money, setup_in_order, with_round, with_shoe
from punto.table.state import WALKED_AWAY, Patron, Post, Shoe, Table, Words


def change_book(table: Table, event: e.BookChanged, book: Book) -> Table:
    """The table under another book or layout; rulings and the method belonged to the old one."""
    return replace(
        table,
        book=book,
        setup=setup_in_order(event.setup),
        posted=None,
        policies={},
        method=None,
        area_cap=None,
        without_wager=frozenset(),
        words=None,
        insurance_off=table.insurance_off and event.setup.private and can_come(book, {"insurance": "off"}),
        round=None if table.round is None else replace(table.round, final=True),
        past=None if table.past is None else replace(table.past, round=replace(table.past.round, final=True)),
    )


def _posted(table: Table, event: e.LimitsPosted) -> Table:
    """New limits hold at once, but after a payment from the next round on: it may be settled again by the old ones."""
    if table.round is not None and table.round.phase == "settled":
        return replace(table, posted=setup_in_order(event.setup))
    return replace(table, setup=setup_in_order(event.setup))


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
        window = running.window
        if window is not None:
            most = {spot: most for spot, most in window.most.items() if spot[0] != event.patron}
            window = replace(window, most=most, intent=window.intent - {event.patron})
        table = with_round(table, window=window)
        if running.phase != "betting" or any(spot[0] == event.patron for spot in running.wagers):
            table = forgo(table, (event.patron,), WALKED_AWAY)
    if table.shoe is not None and table.shoe.controller == event.patron:
        table = with_shoe(table, controller=None)
    return table


def _assigned(table: Table, event: e.PostAssigned) -> Table:
    return replace(table, posts={**table.posts, event.person: Post(event.post, event.as_acting)})


def _post_left(table: Table, event: e.PostLeft) -> Table:
    return replace(table, posts={name: post for name, post in table.posts.items() if name != event.person})


def _owed_paid(table: Table, event: e.OwedPaid) -> Table:
    if event.chips:
        return money(table, event.patron, balance=-event.amount, owed=-event.amount)
    return money(table, event.patron, owed=-event.amount)


def _loaded(table: Table, event: e.ShoeLoaded) -> Table:
    running = table.running
    rounds = 0 if running is None else 1
    cards, promised = event.cards, event.commitment
    shoe = Shoe(event.number, cards, rounds=rounds, cards=cards, words=event.words, commitment=promised)
    if running is not None:
        table = replace(table, round=replace(running, shoe=event.number))
    return replace(table, shoe=shoe, shoes=event.number, words=None)


def _invited(table: Table, event: e.WordsInvited) -> Table:
    before = frozenset() if table.words is None else table.words.left_out
    return replace(table, words=Words(event.commitment, left_out=before | frozenset(event.left_out)))


def _with_words(table: Table, **changes: Any) -> Table:
    assert table.words is not None
    return replace(table, words=replace(table.words, **changes))


def _word_committed(table: Table, event: e.WordCommitted) -> Table:
    assert table.words is not None
    return _with_words(table, committed={**table.words.committed, event.patron: event.digest})


def _word_revealed(table: Table, event: e.WordRevealed) -> Table:
    assert table.words is not None
    return _with_words(table, revealed={**table.words.revealed, event.patron: event.word})


def _burned(table: Table, event: e.Burned) -> Table:
    shoe = table.shoe
    assert shoe is not None
    count = event.count
    burnt, top = shoe.burnt + count, shoe.top[count:]
    faces = count_faces(shoe.faces, (each.face for each in shoe.top[:count] if each))
    return with_shoe(table, left=shoe.left - count, burned=True, burnt=burnt, top=top, faces=faces)


def _shoe_ended(table: Table, event: e.ShoeEnded) -> Table:
    return replace(table, shoe=None)


def _last_hand(table: Table, event: e.LastHandAnnounced) -> Table:
    number = 0 if table.round is None else table.round.number
    return with_shoe(table, last_round=number if table.running else number + 1)


HANDLERS: dict[type[e.Event], Callable[[Table, Any], Table]] = {
    e.LimitsPosted: _posted,
    e.TableClosed: lambda table, _: replace(table, open=False, shoe=None, words=None),
    e.PostAssigned: _assigned,
    e.PostLeft: _post_left,
    e.PatronSat: _sat,
    e.PatronStood: _sat,
    e.PatronLeft: _left,
    e.BoughtIn: lambda table, event: money(table, event.patron, balance=event.amount),
    e.CashedOut: lambda table, event: money(table, event.patron, balance=-event.amount),
    e.OwedPaid: _owed_paid,
    e.ShoeLoaded: _loaded,
    e.WordsInvited: _invited,
    e.WordCommitted: _word_committed,
    e.WordsCalled: lambda table, _: _with_words(table, called=True),
    e.WordRevealed: _word_revealed,
    e.Burned: _burned,
    e.LastHandAnnounced: _last_hand,
    e.ShoeEnded: _shoe_ended,
    e.MethodSet: lambda table, event: replace(table, method=event.method),
    e.ShoeTaken: lambda table, event: with_shoe(table, controller=event.patron),
    e.ShoeGivenBack: lambda table, _: with_shoe(table, controller=None),
    e.DrawingLet: lambda table, event: replace(table, without_wager=table.without_wager | {event.patron}),
}
