"""A fact presupposes something: a shoe, a round, somebody who has cards. Where that is not there, nobody reports it."""

from typing import Any

import pytest

from punto.rulebook import SHIPPED, Refused, load
from punto.settlement import Limits
from punto.table import Table, act, commands

BOOKS = tuple(SHIPPED.ids())
AUTHORITY = {"dragon-tiger-mbs": "gaming-shift-manager", "dragon-tiger-hoiana": "assistant-director"}
"""Who may do everything at a table of a book; else the shift manager."""

ROUND, SHOE, NOBODY, NOT_FOR_THEM = "no-round-yet", "no-shoe-in-use", "nobody-holds-cards", "cards-for-nobody"
OF_A_ROUND = ("wrong-number", "wrong-call", "absent-handler", "not-delivered", "wrong-person", "cards-carried-off")
OF_A_SHOE = (
    "foreign-card",
    "deck-count",
    "unshuffled",
    "exposed-card",
    "face-up-in-shoe",
    "cut-card",
    "burn-missed",
)
NAMED_OR_NOT: tuple[dict[str, Any], ...] = ({}, {"patron": "ann"})
DETAILS: dict[str, dict[str, Any]] = {"wrong-person": {"hand": "player"}, "cards-carried-off": {"cards": (0,)}}


def top(book: str) -> str:
    return AUTHORITY.get(book, "table-game-shift-manager")


def opened(book: str, *, face_down: bool = False) -> Table:
    more: dict[str, dict[str, Any]] = {
        "dragon-tiger-mbs": {"method": "A" if face_down else "B"},
        "dragon-tiger-hoiana": {"layout": "2"},
    }
    limits = Limits(minimum=1000, maximum=1_000_000, differential=1_000_000)
    opening = commands.OpenTable(
        book, "2026-11-15T08:00:00+08:00", 8, limits=limits, face_down=face_down, by=top(book), **more.get(book, {})
    )
    return act(None, opening)[0]


def after(table: Table, *given: commands.Command) -> Table:
    for each in given:
        table, _ = act(table, each)
    return table


def refusal(table: Table, fact: str, **details: Any) -> str:
    """The id of the sentence by which a report is refused; nothing if it is not."""
    try:
        act(table, commands.Report(fact, by=top(table.book.id), **{**DETAILS.get(fact, {}), **details}))
    except Refused as error:
        return error.message.id
    return ""


def in_a_round(book: str, *, squeezes: bool) -> Table:
    """A round at a table where cards are dealt face down, with the first four dealt; ann is to open the Player's."""
    table = after(
        opened(book, face_down=True),
        commands.LoadShoe(),
        *([commands.Burn()] if load(book).id == "dragon-tiger-hoiana" else []),
        commands.Sit("ann", 1, by="ann"),
        commands.Sit("bob", 2, by="bob"),
        commands.BuyIn("ann", 100_000, by="ann"),
        commands.BuyIn("bob", 100_000, by="bob"),
        commands.OpenBets(),
        *([commands.Place("ann", "player", 10_000, by="ann")] if squeezes else []),
        commands.CloseBets(),
    )
    if squeezes and book != "dragon-tiger-mbs":  # there the highest bettor has the cards without asking
        table = after(table, commands.AskSqueeze("ann", "player", by="ann"))
        for question in table.questions:
            table = after(table, commands.Answer(question.id, "yes", by=top(book)))
    return after(table, *(commands.Draw() for _ in range(4)))


@pytest.mark.parametrize("book", BOOKS)
def test_nothing_is_wrong_with_a_shoe_or_a_round_that_is_not_there(book: str) -> None:
    empty = opened(book, face_down=True)
    loaded = after(empty, commands.LoadShoe())
    ended = after(loaded, commands.EndShoe())
    for fact in OF_A_ROUND:
        for table in (empty, loaded, ended):
            assert refusal(table, fact) in (ROUND, "no-card-drawn-yet"), fact
    for fact in OF_A_SHOE:
        assert [refusal(table, fact) for table in (empty, loaded, ended)] == [SHOE, "", SHOE], fact


@pytest.mark.parametrize("book", BOOKS)
def test_nobody_is_away_with_cards_and_no_cards_are_not_delivered_where_no_patron_is_to_have_them(book: str) -> None:
    table = in_a_round(book, squeezes=False)
    assert table.round is not None
    assert not table.round.squeezers
    for details in NAMED_OR_NOT:
        assert refusal(table, "absent-handler", **details) == NOBODY
        assert refusal(table, "not-delivered", **details) == NOT_FOR_THEM


@pytest.mark.parametrize("book", BOOKS)
def test_whoever_has_cards_may_be_away_and_nobody_else(book: str) -> None:
    table = in_a_round(book, squeezes=True)
    assert table.round is not None
    assert table.round.squeezers == {"player": "ann"}
    for details in NAMED_OR_NOT:
        assert refusal(table, "absent-handler", **details) == ""
        assert refusal(table, "not-delivered", **details) == ""
    assert refusal(table, "absent-handler", patron="bob") == "patron-has-no-cards"
    assert refusal(table, "not-delivered", patron="bob") == "patron-has-no-cards"
    assert refusal(table, "not-delivered", hand="banker") == NOT_FOR_THEM
    opened_by_ann = after(table, commands.Expose(("9h", "Kd"), by="ann"))
    assert refusal(opened_by_ann, "absent-handler") == NOBODY  # what she had lies open


@pytest.mark.parametrize("book", BOOKS)
def test_cards_went_to_the_wrong_person_only_where_that_is_not_the_right_one(book: str) -> None:
    table = in_a_round(book, squeezes=True)
    assert refusal(table, "wrong-person", hand="player", patron="ann") == "right-person"
    assert refusal(table, "wrong-person", hand="banker", patron="ann") == ""
    assert refusal(table, "wrong-person", hand="player", patron="bob") == ""


def test_whoever_controls_the_shoe_may_be_away() -> None:
    """Method C: a patron draws the cards, and may go away without having one of a hand."""
    opening = commands.OpenTable(
        "dragon-tiger-mbs",
        "2026-11-15T08:00:00+08:00",
        8,
        limits=Limits(minimum=1000, maximum=1_000_000),
        face_down=True,
        shoe="read",
        high_limit=True,
        method="C",
        by="assistant-casino-manager",
    )
    table = after(
        act(None, opening)[0],
        commands.LoadShoe(),
        commands.Sit("ann", 1, by="ann"),
        commands.BuyIn("ann", 100_000, by="ann"),
        commands.OpenBets(),
        commands.Place("ann", "player", 10_000, by="ann"),
        commands.CloseBets(),
    )
    assert refusal(table, "absent-handler") == NOBODY
    table = after(table, commands.TakeShoe("ann", by="ann"))
    assert refusal(table, "absent-handler", patron="ann") == ""


@pytest.mark.parametrize("book", BOOKS)
def test_insurance_is_neglected_only_where_the_book_has_it(book: str) -> None:
    table = in_a_round(book, squeezes=True)
    neglected = refusal(table, "insurance-neglected")
    assert neglected == ("book-no-insurance" if load(book).insurance is None else "no-offer-missed")
