"""The small tables that the explorer starts from: how each is opened, and the moments at which it begins."""

from collections.abc import Iterator, Sequence

import msgspec

from alphabet import ANN, BOB, PURSE, WORDS
from punto.rulebook import Refused
from punto.rulebook.vocabulary import PATRONS
from punto.settlement import Limits
from punto.table import Table, act
from punto.table import commands as c

AT = "2025-03-01T20:00:00+08:00"
LIMITS = Limits(minimum=1000, maximum=20000, differential=5000)
LEFT = 5
"""So many cards are left of a short shoe when its last round begins: one too few for two third cards."""

SEATED = (
    c.Sit(ANN, 1, by=ANN),
    c.BuyIn(ANN, PURSE, by=ANN),
    c.Sit(BOB, 2, by=BOB),
    c.BuyIn(BOB, PURSE, by=BOB),
    c.LoadShoe(),
    c.Burn(),
)
"""Two patrons and a shoe; where a book burns no card, that command is left out."""

THREE_BETS = (
    c.OpenBets(),
    c.Place(ANN, "player", 2000, by=ANN),
    c.Place(ANN, "tie", 1000, by=ANN),
    c.Place(BOB, "banker", 2000, by=BOB),
)
FOUR_CARDS = (c.Draw(), c.Draw(), c.Draw(), c.Draw())
NATURAL = (c.Expose(("9h", "2c", "Kd", "As")), c.Announce("result"), c.Settle())
MOMENTS: dict[str, tuple[c.Command, ...]] = {
    "seated": (),
    "bets lie": THREE_BETS,
    "bets closed": (*THREE_BETS, c.CloseBets()),
    "four cards out": (*THREE_BETS, c.CloseBets(), *FOUR_CARDS),
    "Player draws": (*THREE_BETS, c.CloseBets(), *FOUR_CARDS, c.Expose(("Kh", "Kc", "2d", "5d"))),
    "Banker draws": (*THREE_BETS, c.CloseBets(), *FOUR_CARDS, c.Expose(("Kh", "Kc", "6d", "3d"))),
    "paid": (*THREE_BETS, c.CloseBets(), *FOUR_CARDS, *NATURAL),
    "bets lie again": (*THREE_BETS, c.CloseBets(), *FOUR_CARDS, *NATURAL, *THREE_BETS),
}
"""The moments of a round at which an exploration begins, each as the commands that lead there from two patrons and a
shoe."""


class Start(msgspec.Struct, frozen=True):
    """A table to begin with, and the commands that lead to it from nothing."""

    moment: str
    table: Table
    story: tuple[c.Command, ...]


class Opening(msgspec.Struct, frozen=True):
    """A kind of table of a book."""

    name: str
    command: c.OpenTable


def _opened(book: str, by: str = "dealer", zone: str = "+08:00", **more: object) -> c.OpenTable:
    at = AT.replace("+08:00", zone)
    return c.OpenTable(book, at, 4, limits=LIMITS, by=by, **more)  # type: ignore[arg-type] # any other fields


OPENINGS: tuple[Opening, ...] = (
    Opening("face up", _opened("commission-insurance")),
    Opening("face down", _opened("commission-insurance", face_down=True)),
    Opening("face up", _opened("da-hu-ying-xiong")),
    Opening("face down", _opened("da-hu-ying-xiong", face_down=True)),
    Opening("face up", _opened("wu-song")),
    Opening("face down", _opened("wu-song", face_down=True)),
    Opening("face up", _opened("dragon-tiger-hoiana", zone="+07:00")),
    Opening("face down", _opened("dragon-tiger-hoiana", zone="+07:00", face_down=True)),
    Opening("method A", _opened("dragon-tiger-mbs", "pit-manager", method="A", face_down=True)),
    Opening("method B", _opened("dragon-tiger-mbs", "pit-manager", method="B")),
    Opening(
        "method C", _opened("dragon-tiger-mbs", "assistant-casino-manager", method="C", high_limit=True, shoe="read")
    ),
)
"""The tables that are explored: two or three of each book."""


def starts(opening: Opening) -> Iterator[Start]:
    """An opened table at every moment."""
    table, _ = act(None, opening.command)
    seated, story = _played(table, (opening.command,), SEATED)
    for moment, commands in MOMENTS.items():
        yield Start(moment, *_played(seated, story, commands))
    yield Start("short shoe", *_played(*_emptied(seated, story), MOMENTS["four cards out"]))


def _emptied(table: Table, story: tuple[c.Command, ...]) -> tuple[Table, tuple[c.Command, ...]]:
    """A table whose shoe has slid out but for a few cards, in a round that nobody plays on with."""
    assert table.shoe is not None
    out = tuple(range(table.shoe.left - LEFT))
    for order in ("known", "unknown"):
        slid = (*THREE_BETS[:2], c.CloseBets(), c.Report("simultaneous-draw", out, order=order))
        emptied, told = _played(table, story, slid)
        while emptied.questions:
            question = emptied.questions[-1]
            by = ANN if question.to == PATRONS else question.to
            wanted = ("take-back", "yes" if question.topic == "permit" else "no", *question.choices)
            choice = next(each for each in wanted if each in question.choices)
            emptied, told = _played(emptied, told, (c.Answer(question.id, choice, WORDS, order=out, by=by),))
        if emptied.running is None:
            break
    return emptied, told


def _played(
    table: Table, story: tuple[c.Command, ...], commands: Sequence[c.Command]
) -> tuple[Table, tuple[c.Command, ...]]:
    """The table after some commands, and the story until then; what a book does not have is left out."""
    for command in commands:
        try:
            table, _ = act(table, command)
        except Refused:
            continue
        story = (*story, command)
    return table, story
