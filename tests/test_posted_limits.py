"""A table shows the limits that its book enforces, and none that would hold nobody back."""

import pytest
from msgspec.structs import replace

from punto.report.liability import liability
from punto.rulebook import BadBook, Book, Library, Refused, games, ids, load, menu, parse, source
from punto.service.desk.desk import desk_of
from punto.service.runtime.timing import room
from punto.settlement import Limits, enforced, payable
from punto.table import Table, act
from punto.table import commands as c
from punto.table.view import view

AT = "2026-03-01T20:00:00+08:00"
PUNTO_BANCO = source("punto-banco").decode().replace('id = "punto-banco"', 'id = "mine"')
POSTED = Limits(minimum=10_00, maximum=1000_00, differential=100_00)
PIPELINE = 'pipeline = { value = ["minimum", "maximum"]'


def book_with(*changes: tuple[str, str]) -> Book:
    text = PUNTO_BANCO
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return parse(text.encode(), "mine.toml")


def opened(book: Book, limits: Limits = POSTED) -> Table:
    command = c.OpenTable(book.id, AT, 8, limits=limits)
    return act(None, command, Library().with_book(book))[0]


@pytest.mark.parametrize("book", ids())
def test_the_approved_books_enforce_a_differential_and_no_payout(book: str) -> None:
    """Their clauses on the differential: 5.1 of three books, 7.19 of Hoiana's, 5.18 of MBS's. None caps a payout."""
    limits = Limits(minimum=10_00, maximum=1000_00, differential=100_00, payout=5000_00)
    assert enforced(load(book), limits) == replace(limits, payout=None)


@pytest.mark.parametrize("game", games())
def test_the_public_games_enforce_a_minimum_and_a_maximum_alone(game: str) -> None:
    book = load(game)
    assert enforced(book, POSTED) == replace(POSTED, differential=None)
    assert payable(menu(book), POSTED).differential is None, "a table that Punto opens by itself posts none"
    assert view(opened(book)).limits == replace(POSTED, differential=None), "and one that was posted is not shown"


def test_limits_that_are_posted_later_are_shown_in_the_same_way() -> None:
    book = book_with()
    table = opened(book, replace(POSTED, differential=None))
    table, _ = act(table, c.PostLimits(POSTED, by="dealer"), Library().with_book(book))
    assert table.setup.limits == POSTED, "the record has what was posted"
    assert view(table).limits == replace(POSTED, differential=None)


@pytest.mark.parametrize(
    "said",
    [
        f'differential-late = {{ value = "refer", clause = "M.limits" }}\n{PIPELINE[:-1]}, "differential"]',
        f'differential-early = {{ value = "reject", clause = "M.limits" }}\n{PIPELINE}',
    ],
    ids=["it is in the pipeline", "it is rejected at once"],
)
def test_one_rule_of_the_book_is_enough(said: str) -> None:
    assert view(opened(book_with((PIPELINE, said)))).limits == POSTED


def test_a_differential_without_a_rule_cuts_nothing_and_is_not_shown() -> None:
    book = book_with()
    table = opened(book)
    assert table.setup.limits == POSTED, "the record has what was posted"
    assert view(table).limits == replace(POSTED, differential=None)
    assert desk_of(table, "dealer").weight.limit is None
    assert desk_of(table, "dealer").limits == ["minimum", "maximum"]
    for command in (c.Sit("ann", 1, by="ann"), c.BuyIn("ann", 1000_00, by="dealer"), c.LoadShoe(by="dealer")):
        table, _ = act(table, command, Library().with_book(book))
    table, _ = act(table, c.OpenBets(by="dealer"), Library().with_book(book))
    assert room(table, "ann") == {}
    table, _ = act(table, c.Place("ann", "banker", 1000_00, by="ann"), Library().with_book(book))
    assert table.round is not None
    assert table.round.wagers["ann", 1, "banker"].stake == 1000_00


def test_a_differential_that_must_be_displayed_needs_a_rule() -> None:
    displayed = 'displayed = { value = ["minimum", "maximum"]'
    with pytest.raises(BadBook, match="a differential is displayed, and no rule holds anybody to it"):
        book_with((displayed, displayed[:-1] + ', "differential"]'))


def test_a_certificate_is_not_made_less_by_it() -> None:
    with pytest.raises(Refused, match="posted differential"):
        liability(menu(load("punto-banco")), POSTED, boxes=7)
