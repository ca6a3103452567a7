"""Cards are secret from everybody until they are due: whoever sends whatever, in every phase, from every kind of shoe.

The first deck of the shoe has every face once, so that a face that has not been opened is known wherever it shows: in
a refusal, an event, a table as somebody sees it, or a desk. And whatever is refused has not even been looked at.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Collection
from pathlib import Path

import msgspec
import pytest

from phases import GUEST, PATRONS, ROUND, STAFF, TABLES, State, account_of, everything, some_states
from punto.audit import seed_name
from punto.coup import RANKS, SUITS, Card, card
from punto.journal import Journal
from punto.rulebook import Refused
from punto.service.accounts.account import Account, HeldPost
from punto.service.accounts.at_table import given_by, viewer_of
from punto.service.accounts.tokens import Denied
from punto.service.desk.desk import desk_of
from punto.service.http.entries import message_for
from punto.service.runtime import faces as faces_module
from punto.service.runtime.faces import Faces, Read, squeezed_by
from punto.service.runtime.floor import Floor
from punto.service.runtime.live import Live, Said
from punto.service.runtime.screens import seen
from punto.service.settings import settings
from punto.table import PUBLIC, Viewer, act, can, commands, encode, events
from punto.table.felt import unexposed
from punto.table.handlers.rights import may_squeeze
from test_leaks import FACE, encodings

SEED = bytes(range(32))
DECK = [*ROUND, *(rank + suit for rank in RANKS for suit in SUITS if rank + suit not in ROUND)]
BURNED = "Ac"
SETTINGS = settings(None, {})
LEFT_OUT = [(way, shoe) for way, shoe in TABLES if shoe == "hand" and way != "squeezed"]
LEFT_OUT += [("plain", "virtual"), ("face-up", "read"), ("insured", "read"), ("method-a", "read")]
"""Tables that differ in nothing that matters here: of a shoe in the hand the service itself knows no card."""

SPEAKERS = ("guest", "patron", "holder", "dealer", "top", "device")
"""Who sends everything; other ranks may do what one of these may (see test_authority.py)."""


class WatchedFaces(Faces):
    """Faces that note which of them were looked at."""

    looked_at: set[int]

    async def _faces_at(self, live: Live, wanted: Collection[int]) -> dict[int, str]:
        self.looked_at |= set(wanted)
        return await super()._faces_at(live, wanted)


class Room:
    """A floor with nothing but its faces: tables come and go."""

    def __init__(self, url: str) -> None:
        self.journal = Journal(url)
        self.journal.upgrade()
        self.floor = Floor(self.journal)
        self.faces = WatchedFaces(self.floor)
        self.faces.looked_at = set()

    def live(self, at: "Moment") -> Live:
        """A table in memory, as it stands at a moment."""
        live = Live(at.name)
        live.stale = False
        live.table, live.sequence, live.last = at.state.table, len(at.said), deque(at.said)
        return live

    async def decided(self, live: Live, command: commands.Command) -> tuple[Said, ...]:
        """Let the service fill a command in and the table decide it."""
        for prepare in self.floor.preparations:
            command = await prepare(live, command)
        table, made = act(live.table, command)
        news = tuple(said(live.sequence + number, event) for number, event in enumerate(made, start=1))
        for each in news:
            live.take(each, table)
        return news


class Moment:
    """A state of a table: what was said until then, what lies open, and which kinds of command were accepted."""

    def __init__(self, state: State, name: str) -> None:
        self.state, self.name = state, name
        self.said = tuple(said(number, event) for number, event in enumerate(state.made, start=1))
        self.open = opened(self.said)
        self.accepted: set[str] = set()


def said(number: int, event: events.Event) -> Said:
    head = msgspec.json.encode({"sequence": number, "at": "2026-11-15T00:00:00.000Z", "who": "somebody"})
    return Said(number, event, head[:-1] + b',"event":' + encode(event) + b"}")


def shoe_of(state: State) -> list[Card]:
    """All cards of the shoe of a table: one that is burned, if one is, and the marked deck before all others."""
    burned = [BURNED] if state.table.book.point("dealing", "burn") is not None else []
    return [card(each) for each in (*burned, *DECK * 8)]


def opened(made: Collection[Said]) -> set[str]:
    """The faces that have been opened."""
    shown: set[str] = set()
    for each in made:
        if isinstance(each.event, events.CardsExposed):
            shown |= set(each.event.faces)
    return shown


@pytest.mark.parametrize(("way", "shoe"), [each for each in TABLES if each not in LEFT_OUT])
def test_nothing_that_anybody_sends_shows_a_card_before_it_is_due(
    way: str, shoe: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    asyncio.run(_story(way, shoe, tmp_path, monkeypatch))
    assert not FACE.search(caplog.text)


async def _story(way: str, shoe: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room, name = Room(f"sqlite:///{folder}/p.db"), f"{way}-{shoe}"
    found = some_states(way, shoe, DECK)
    cards = shoe_of(found[0])
    monkeypatch.setattr(faces_module, "shuffle", lambda *_: tuple(cards))
    room.journal.keep_secret(name, seed_name(1), SEED)
    if shoe == "read":
        await room.faces.keep(name, Read(1, {index: str(each) for index, each in enumerate(cards)}))
    accepted: set[str] = set()
    for state in found:
        moment = Moment(state, name)
        for role in SPEAKERS:
            account = account_of(role, state)
            assert account is not None
            for command in everything(state, account.name):
                await _tried(room, moment, account, command)
        accepted |= moment.accepted
    assert {"Draw", "Expose", "EndShoe", "Report", "Answer", "Place", "Settle"} <= accepted
    await room.floor.stop()
    room.journal.close()


async def _tried(room: Room, moment: Moment, account: Account, command: commands.Command) -> None:
    """Send one command and look through everything that comes of it."""
    state, what = moment.state, (moment.state.phase, account.name, command)
    room.faces.looked_at.clear()
    own = {face for face in getattr(command, "faces", ()) if FACE.search(face)}
    live = room.live(moment)
    news: list[Said] = []
    says = ""
    try:
        for each in given_by(account, command, state.table, moment.name):
            news += await room.decided(live, each)
    except (Refused, Denied) as refused:
        says = f"{refused} {msgspec.json.encode(getattr(refused, 'message', None)).decode()}"
    if says:
        assert set(FACE.findall(says)) <= own | moment.open, what
        assert state.shoe != "virtual" or not room.faces.looked_at, what
        return
    at = {place for each in news if isinstance(each.event, events.CardsExposed) for place in each.event.at}
    assert room.faces.looked_at <= at, what
    first = type(command).__name__ not in moment.accepted
    moment.accepted.add(type(command).__name__)
    told = b"\n".join(_told(live, news, moment.name, whole=first))
    shown = opened(live.last) | (own if state.shoe != "virtual" else set())
    assert set(FACE.findall(told.decode())) <= shown, what
    assert isinstance(command, commands.EndShoe) or not any(form in told for form in encodings(SEED)), what
    if first:
        await _only_holders_see(room, live)


def _told(live: Live, news: list[Said], name: str, *, whole: bool) -> list[bytes]:
    """What anybody is told of a command: the events; and with `whole` the table as it is then seen, and the desk."""
    assert live.table is not None
    viewers = [PUBLIC, *(Viewer(each) for each in (*PATRONS, GUEST))]
    rank = live.table.book.ranks[-1][-1]
    viewers.append(
        viewer_of(Account("the-top", "staff", person="the-top", posts={"*": HeldPost(rank)}), live.table, name)
    )
    found = [message_for(each, viewer) for each in news for viewer in viewers]
    if not whole:
        return found
    found += [
        msgspec.json.encode(seen(live, viewer.name, SETTINGS, lambda _: {}))
        for viewer in (PUBLIC, Viewer("ann"), viewers[-1])
    ]
    return [*found, msgspec.json.encode(desk_of(live.table, rank, live.sequence))]


async def _only_holders_see(room: Room, live: Live) -> None:
    """Cards that lie closed are shown to whoever squeezes them, and to nobody while they can be insured against."""
    assert live.table is not None
    round = live.table.running
    for who in (*PATRONS, GUEST, "dealer", *(f"the-{role}" for role in STAFF)):
        held = await room.faces.held_by(live, who)
        for at in held:
            assert round is not None
            assert round.cards[at].face is None
            assert round.squeezers[round.cards[at].area] == who
            assert round.window is None or at < 4


def test_a_card_that_can_still_be_insured_against_is_shown_to_nobody() -> None:
    """Somebody has said that they will insure, and the chips may follow: whoever holds the card learns nothing yet."""
    state = next(each for each in some_states("insured", "virtual", DECK) if each.phase == "intent")
    round = state.table.running
    assert round is not None
    [at] = unexposed(round)
    holder = round.squeezers[round.cards[at].area]
    wagers = [spot for spot in round.wagers if spot[2] == round.window.hand]  # type: ignore[union-attr] # it is open
    assert any(can(state.table, commands.Insure(who, bet, 1_00, box, by=who)) for who, box, bet in wagers)
    assert may_squeeze(state.table, round.cards[at].area)
    assert holder in PATRONS
    assert squeezed_by(state.table, holder) == frozenset()
    opened_now = state.after(commands.Expose((DECK[at],), at=at, by=holder))
    assert opened_now.table.running is None or opened_now.table.running.window is None


# What somebody could do with a card that they have seen

SQUEEZED = [each for each in TABLES if each[0] not in ("face-up", "plain") and each != ("method-c", "hand")]
"""Tables at which patrons hold closed cards."""


@pytest.mark.parametrize(("way", "shoe"), SQUEEZED)
def test_nobody_lays_money_by_what_a_patron_has_seen_of_closed_cards(way: str, shoe: str) -> None:
    """A patron who squeezes has a friend among the staff: without a supervisor no chips come to the felt any more."""
    seen_by_somebody = [
        each for each in some_states(way, shoe, DECK) if any(squeezed_by(each.table, p) for p in PATRONS)
    ]
    assert seen_by_somebody
    for state in seen_by_somebody:
        for role in ("guest", "patron", "holder", "dealer", *(("supervisor", "top") if shoe == "virtual" else ())):
            account = account_of(role, state)
            assert account is not None
            for command in everything(state, account.name):
                made: tuple[events.Event, ...] = ()
                table = state.table
                try:
                    for each in given_by(account, command, table, "t"):
                        table, more = act(table, each)
                        made += more
                except (Refused, Denied):
                    continue
                laid = [each for each in made if isinstance(each, events.WagerPlaced | events.CoverStruck)]
                assert not laid, (state.phase, role, command)


def test_a_supervisor_enters_a_wager_that_is_found_while_cards_are_held() -> None:
    """At a shoe in the hand chips may have lain unseen; whoever confirms it has a rank for that, by the book."""
    state = next(each for each in some_states("squeezed", "hand", DECK) if squeezed_by(each.table, "ann"))
    found = commands.Find("bob", "player", 100_00)
    with pytest.raises(Denied, match="A patron holds cards, and may know them: the Pit Supervisor or above"):
        given_by(account_of("dealer", state), found, state.table, "t")  # type: ignore[arg-type] # there is a dealer
    above = account_of("top", state)
    assert above is not None
    table = state.table
    for each in given_by(above, found, table, "t"):
        table, made = act(table, each)
    assert isinstance(made[0], events.WagerPlaced)


def test_nothing_is_found_at_a_virtual_table_once_a_card_is_drawn() -> None:
    """Whatever lies there was laid by a command, so that nobody of any rank has overlooked it."""
    states = some_states("plain", "virtual", DECK)
    found = commands.Find("ann", "player", 100_00, reason="It lay there.")
    for state in states:
        account = account_of("top", state)
        assert account is not None
        if state.table.running is None or not state.table.running.cards:
            given_by(account, found, state.table, "t")
            continue
        with pytest.raises(Denied, match="none is found once a card is drawn"):
            given_by(account, found, state.table, "t")
    assert {"dealing", "finished", "bets closed"} <= {each.phase for each in states}
