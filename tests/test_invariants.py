"""The rules of keeping a table: where every card is, what was settled, what is on offer; and that a breach is told."""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from punto.coup import card
from punto.rulebook import Basis
from punto.scenario import play, read
from punto.settlement import Limits
from punto.table import Table, act
from punto.table import commands as c
from punto.table.felt import lay
from punto.table.invariants import broken
from punto.table.places import where
from punto.table.state import Felt, Procedure, Question, Seen

LIMITS = Limits(1000, 100000, 100000)
STORIES = Path(__file__).parent.parent / "scenarios"


def _table(*commands: c.Command, book: str = "commission-insurance") -> Table:
    table, _ = act(None, c.OpenTable(book, "2025-03-01T20:00:00+08:00", 8, limits=LIMITS))
    for command in (c.LoadShoe(), c.Sit("ann", 1), c.BuyIn("ann", 100000), *commands):
        table, _ = act(table, command)
    return table


BET = (c.OpenBets(), c.Place("ann", "player", 9000, by="ann"), c.CloseBets())
FOUR = (c.Draw(), c.Draw(), c.Draw(), c.Draw())
INSURED = _table(*BET, *FOUR, c.Expose(("Kh", "Kc", "6d", "3d")), c.OfferInsurance())
SETTLED = _table(*BET, *FOUR, c.Expose(("Kh", "Kc", "9d", "3d")), c.Settle())


def _lose_a_card(table: Table) -> Table:
    assert table.shoe is not None
    return replace(table, shoe=replace(table.shoe, left=table.shoe.left - 1))


def _know_the_next_card(table: Table) -> Table:
    assert table.shoe is not None
    return replace(table, shoe=replace(table.shoe, top=(Seen(card("5s")),)))


def _draw_unseen(table: Table) -> Table:
    assert table.round is not None
    assert table.shoe is not None
    shoe = replace(table.shoe, left=table.shoe.left - 1)
    return replace(table, shoe=shoe, round=lay(table.round, (*table.round.cards, Felt("aside"))))


def _misread(table: Table) -> Table:
    assert table.round is not None
    cards = list(table.round.cards)
    cards[2] = Felt("player", card("4d"))
    return replace(table, round=lay(table.round, tuple(cards)))


def _third_to_a_natural(table: Table) -> Table:
    assert table.round is not None
    assert table.shoe is not None
    shoe = replace(table.shoe, left=table.shoe.left - 1)
    return replace(table, shoe=shoe, round=lay(table.round, (*table.round.cards, Felt("banker", card("5s")))))


def _lose_money(table: Table) -> Table:
    return replace(table, house=table.house + 100)


def _take_a_stake(table: Table) -> Table:
    ann = table.patrons["ann"]
    return replace(table, patrons={"ann": replace(ann, held=ann.held - 100, balance=ann.balance + 100)})


def _swap_hands(table: Table) -> Table:
    assert table.round is not None
    hands = table.round.hands
    swapped = replace(hands, player=hands.banker, banker=hands.player)
    return replace(table, round=replace(table.round, hands=swapped))


def _ask_nobody(table: Table) -> Table:
    question = Question(1, "other", "doorman", ("continue",), "Who is there?", Basis())
    return replace(table, questions=(question,))


def _rule_upwards(table: Table) -> Table:
    """A ruling that a pit supervisor could undo by an answer (AMB-116)."""
    question = Question(1, "other", "pit-supervisor", ("continue",), "So be it?", Basis(), step=0)
    return replace(table, procedures=(Procedure("other", (), Basis(), ruled=True),), questions=(question,))


def _see_the_shoe_moved(table: Table) -> Table:
    assert table.shoe is not None
    return replace(table, shoe=replace(table.shoe, top=(Seen(card("5s"), moved=True),)))


def _deal_by_another_method(table: Table) -> Table:
    return replace(table, method="C")


@pytest.mark.parametrize(
    ("table", "breach", "why"),
    [
        (INSURED, _lose_a_card, "of 416 cards there are 411 shoe"),
        (INSURED, _know_the_next_card, "insurance is on offer on a card that somebody knows"),
        (INSURED, _lose_money, "the money at the table does not sum to nothing: 1.00 is left over"),
        (INSURED, _take_a_stake, "ann has 89.00 at stake, and 90.00 lies on the felt"),
        (INSURED, _swap_hands, "the hands are not those that the cards on the felt make"),
        (INSURED, _ask_nobody, "a question about other is put to doorman, which is no rank of the book"),
        (INSURED, _draw_unseen, "insurance is on offer on a card that is drawn"),
        (SETTLED, _rule_upwards, "a ruling of the table-game-shift-manager waits for the pit-supervisor"),
        (SETTLED, _see_the_shoe_moved, "a card counts as seen in moving the shoe, and the book has no row about that"),
        (SETTLED, _deal_by_another_method, "the cards are dealt by Method C, which the book does not have"),
        (SETTLED, _misread, "a hand was settled that is not finished"),
        (SETTLED, _third_to_a_natural, "cards lie as player banker player banker banker where the Table of Play has"),
    ],
)
def test_a_breach_is_told(table: Table, breach: Callable[[Table], Table], why: str) -> None:
    """A table that was kept by the rules is sound; one that was not says which rule."""
    assert broken(table) is None
    told = broken(breach(table))
    assert told is not None
    assert told.startswith(why)


@pytest.mark.parametrize("path", sorted(STORIES.rglob("*.scenario")), ids=lambda path: path.stem)
def test_every_story_ends_at_a_table_that_keeps_the_rules(path: Path) -> None:
    table = play(read(path.read_text(encoding="utf-8"), path.name)).table
    assert table is not None
    assert broken(table) is None
    if table.shoe is not None:
        assert sum(where(table).values()) == table.shoe.cards
