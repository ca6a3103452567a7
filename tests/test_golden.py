"""A golden shoe for every book and layout: the history loads, and the engine settles it as recorded."""

from pathlib import Path

import pytest

from punto import history
from punto.coup import deal
from punto.roads import parse, result, show
from punto.rulebook import ids, load, menu
from punto.settlement import Cover, Limits, Wager, settle

FOLDER = Path(__file__).parent / "golden"
LAYOUTS = [(book, layout) for book in ids() for layout in load(book).layouts]


@pytest.mark.parametrize(("book", "layout"), LAYOUTS)
def test_golden_shoe(book: str, layout: str) -> None:
    text = (FOLDER / f"{book}-{layout}.shoe").read_text()
    recorded = history.load(text)
    assert history.dump(recorded) == text
    [shoe] = recorded.shoes
    assert (shoe.rulebook, shoe.layout) == (book, layout)
    [limit] = shoe.limits
    limits = Limits(maximum=limit.amount)
    coups = []
    for each in shoe.rounds:
        coup = deal(each.cards, shoe.decks)
        lines = settle(
            load(book),
            coup,
            [Wager(wager.bet, wager.stake) for wager in each.wagers],
            [Cover(cover.stage, cover.hand, cover.stake, cover.on - 1) for cover in each.covers],
            layout=layout,
            limits=limits,
        )
        recorded_nets = [wager.net for wager in each.wagers] + [cover.net for cover in each.covers]
        assert [line.net for line in lines] == recorded_nets, each.number
        coups.append(coup)
    [results] = [field.value for field in shoe.fields if field.name == "results"]
    assert show(map(result, coups)) == results
    assert [each.winner for each in parse(results)] == [coup.winner for coup in coups]
    assert {wager.bet for each in shoe.rounds for wager in each.wagers} == set(menu(load(book), layout).bets)
