"""One event has one outcome, whichever word it is told by; and what cannot have happened cannot be told."""

from typing import Any

import msgspec
import pytest

from punto.rulebook import facts
from punto.scenario import play, read
from punto.table import Table
from punto.table.handlers import signs

BOOKS = {
    "commission-insurance": "2025-03-01T20:00:00+08:00 decks=4 minimum=10 differential=5000",
    "da-hu-ying-xiong": "2025-03-01T20:00:00+08:00 decks=4 minimum=10 differential=5000",
    "wu-song": "2025-03-01T20:00:00+08:00 decks=4 minimum=10 differential=5000",
    "dragon-tiger-mbs": "2025-03-01T20:00:00+08:00 decks=4 minimum=50 maximum=1000 method={method} by pit-manager",
    "dragon-tiger-hoiana": "2025-03-01T20:00:00+07:00 decks=4 layout=2 minimum=50 maximum=1000 differential=500",
}
RWS = ("commission-insurance", "da-hu-ying-xiong", "wu-song")
MBS = "dragon-tiger-mbs"
HOIANA = "dragon-tiger-hoiana"

BETS = "open-bets\nplace ann player 100\nplace bob banker 100\nclose-bets\n"
FOUR = BETS + "draw\ndraw\ndraw\ndraw\n"
PLAYER_DRAWS = FOUR + "expose 2h 3c 2d Kd\n"
BOTH_DRAW = PLAYER_DRAWS + "draw\nexpose 4s\n"
BANKER_DRAWS = FOUR + "expose 6h 2c Kd 3s\n"
BOTH_STAND = FOUR + "expose Kh 6c 7d Kd\n"
IN_EXCESS = BOTH_STAND + "draw to=player\n"


class Event(msgspec.Struct, frozen=True):
    """Something that happened, where it happened, and the ways to tell it."""

    start: str
    ways: tuple[str, ...]
    books: tuple[str, ...] = tuple(BOOKS)
    face_down: bool = False
    asks_leave: bool = False
    """The Hoiana Shift Manager is asked first whether wagers may be withdrawn (7.9)."""


EVENTS: dict[tuple[str, str], Event] = {
    ("excess-card", "first-four-not-dealt"): Event(
        BETS + "draw\ndraw\n",
        ("draw to=banker", "report excess-card hand=banker", "draw\nreport wrong-area cards=2"),
        asks_leave=True,
    ),
    ("excess-card", "player-due-a-third"): Event(
        PLAYER_DRAWS,
        ("draw to=banker", "report excess-card hand=banker", "draw\nreport wrong-area cards=4"),
        asks_leave=True,
    ),
    ("excess-card", "fourth-card-of-the-player"): Event(
        BOTH_DRAW,
        ("draw to=player", "report excess-card hand=player", "draw\nreport wrong-area cards=5"),
        asks_leave=True,
    ),
    ("excess-card", "seen-before-the-points"): Event(
        FOUR,
        ("report excess-card hand=player faces=9s", "draw to=player\nreport exposed-card cards=4 faces=9s"),
    ),
    ("wrong-area", "player-stands"): Event(
        BANKER_DRAWS,
        ("draw to=player", "report excess-card hand=player", "draw\nreport wrong-area cards=4"),
    ),
    ("exposed-card", "excess-dealt-with"): Event(
        BOTH_STAND,
        (
            "report excess-card hand=player faces=5h",
            "draw to=player\nreport exposed-card cards=4 faces=5h",
            "draw to=player\nreport exposed-card faces=5h",
        ),
        books=(*RWS, MBS),
    ),
    ("wrong-number", "excess-dealt-with"): Event(IN_EXCESS, ("", "report wrong-number\n  refused"), books=(*RWS, MBS)),
    ("exposed-card", "first-four-in-place"): Event(
        BETS + "draw\n",
        ("report face-up-deal cards=0 faces=9h", "report exposed-card cards=0 faces=9h"),
        face_down=True,
    ),
    ("shown-in-movement", "movement-not-in-the-book"): Event(
        BETS,
        ("report exposed-card faces=8d", "report shown-in-movement faces=8d"),
        books=(*RWS, HOIANA),
    ),
    ("draw", ""): Event(
        BETS
        + "report simultaneous-draw cards=0-{out} order=known\n{answers}\nopen-bets\nplace ann player 100\nclose-bets\n"
        + "draw\ndraw\ndraw\ndraw\nexpose 7h 2c Kd 3s\n",
        ("draw", "report too-few-cards"),
        books=RWS,
    ),
    ("announce result winner=WINNER", ""): Event(
        FOUR + "expose 9h 2c Kd 5s\n",
        ("announce result winner=tie", "announce result\nreport wrong-call note=Tie"),
    ),
    ("draw to=HAND", ""): Event(BOTH_STAND, ("draw to=banker", "report excess-card hand=banker")),
}
"""Every way in which two words can mean one event, by the fact or command and the sign."""


def told(book: str, event: Event, way: str) -> Table:
    """The table after an event was told in one way."""
    opened = BOOKS[book].format(method="A" if event.face_down else "B")
    face_down = "face-down=yes " if event.face_down else ""
    opened = opened.replace("decks=4", f"{face_down}decks=4")
    burn = "burn\n" if book == HOIANA else ""
    start = event.start.format(out=203, answers="answer offer take-back by ann\nanswer offer take-back by bob")
    leave = "answer permit no by shift-manager\n" if event.asks_leave and book == HOIANA else ""
    text = f"""scenario {way.splitlines()[0] if way else "Nothing more"}
open-table {book} {opened}
load-shoe
{burn}sit ann 1
buy-in ann 1000
sit bob 2
buy-in bob 1000
{start}{way}
{leave}"""
    played = play(read(text))
    assert played.as_told, played.differences
    assert played.table is not None
    return played.table


def outcome(table: Table) -> dict[str, Any]:
    """Money, cards and questions: what an event comes to."""
    round, shoe = table.round, table.shoe
    assert round is not None
    assert shoe is not None
    return {
        "money": {name: (each.balance, each.held, each.owed) for name, each in table.patrons.items()},
        "wagers": round.wagers,
        "round": (round.number, round.phase, round.free, round.as_it_lies, round.bound, round.forgone, round.result),
        "cards": [(each.area, each.face) for each in round.cards],
        "shoe": (shoe.left, shoe.carried, shoe.free_next, [each and each.face for each in shoe.top]),
        "questions": [(each.topic, each.to, each.choices, each.waiting, each.blocks) for each in table.questions],
    }


CASES = [
    pytest.param(book, event, way, id=f"{book}: {' '.join(name)}: {way.splitlines()[-1].strip()}")
    for name, event in EVENTS.items()
    for book in event.books
    for way in event.ways[1:]
]


@pytest.mark.parametrize(("book", "event", "way"), CASES)
def test_one_event_has_one_outcome(book: str, event: Event, way: str) -> None:
    assert outcome(told(book, event, way)) == outcome(told(book, event, event.ways[0]))


def test_every_declared_pair_is_played() -> None:
    pairs = {(name, each.sign) for name, fact in facts.FACTS.items() for each in fact.really}
    assert set(EVENTS) == pairs | {(command, "") for command in facts.TOLD_BY_COMMAND}


def test_every_sign_is_declared_and_written_once() -> None:
    used = {each.sign for fact in facts.FACTS.values() for each in fact.really}
    assert used == set(facts.SIGNS) == set(signs.SIGNS)
    assert {each.fact for fact in facts.FACTS.values() for each in fact.really} <= set(facts.REPORTABLE)
