"""Amounts at the call, rights and their ground, and what is left of a closed table, beyond what stories can say."""

from pathlib import Path

from msgspec.structs import replace

from punto.audit import AmountsAtTheCall
from punto.scenario import Played, play, read
from punto.table import Table, evolve
from punto.table import events as e
from punto.table.handlers.rights import at_stake, may_draw, may_squeeze
from punto.table.next_steps import next_steps

SCENARIOS = Path(__file__).parent.parent / "scenarios"


def played(name: str, lines: int | None = None) -> Played:
    """A story of the repository, or its first lines."""
    text = (SCENARIOS / f"{name}.scenario").read_text(encoding="utf-8").splitlines()
    found = play(read("\n".join(text[:lines]), name))
    assert found.as_told, found.differences
    return found


def line_of(text: str, name: str) -> int:
    """The number of the first line of a story that begins with some words."""
    lines = (SCENARIOS / f"{name}.scenario").read_text(encoding="utf-8").splitlines()
    return next(at for at, line in enumerate(lines, start=1) if line.startswith(text))


def test_a_share_that_a_later_take_back_changed_is_found() -> None:
    """Banker 800 and 800 against Player 600: the 600 goes back, and a record that pays 500 each is wrong."""
    told = played("da-hu-ying-xiong/take-back-does-not-cut-the-other-side").events
    seen, table = AmountsAtTheCall(), None
    for event in told:
        if isinstance(event, e.RoundSettled):
            assert seen.take(table, event) is None
            lines = {name: tuple(replace(each, effective=50000) for each in own) for name, own in event.lines.items()}
            wrong = seen.take(table, replace(event, lines=lines))
            assert wrong == "ann's banker plays for 500.00, and for 800.00 by what lay there when it was measured"
        else:
            assert seen.take(table, event) is None
        table = evolve(table, event)
    assert isinstance(table, Table)
    assert seen.measured is not None
    assert sum(seen.measured.values()) == 220000
    assert sum(seen.lying.values()) == 160000


def test_who_took_every_wager_back_has_no_more_right_to_cards() -> None:
    """With the wager goes what rested on it; a leave is a ground of its own."""
    name = "dragon-tiger-mbs/method-c-control-after-withdrawal"
    withdrawn = played(name, line_of("answer offer continue", name)).table
    assert withdrawn is not None
    assert not at_stake(withdrawn, "ann")
    assert not may_draw(withdrawn, "ann")
    assert [step.do for step in next_steps(withdrawn)] == ["give-back-shoe"]
    let = played(name, line_of("let-draw ann by assistant", name)).table
    assert let is not None
    assert may_draw(let, "ann")
    name = "commission-insurance/squeezer-who-took-back-has-no-more-right"
    table = played(name, line_of("answer offer reconstructed", name)).table
    assert table is not None
    assert table.round is not None
    assert table.round.squeezers == {"player": "ann"}
    assert not may_squeeze(table, "player")


def test_a_closed_table_names_what_is_left_of_its_disputes() -> None:
    """Each step that is named is the one that the story then takes, and at the end nothing is left."""
    name = "dragon-tiger-hoiana/dispute-outlives-the-table"
    named = []
    for words in ("close-table", "escalate", "gather 0 surveillance", "resolve", "tell-of", "file-", "assist"):
        table = played(name, line_of(words, name)).table
        assert table is not None
        assert not table.open
        named.append([(step.do, step.by) for step in next_steps(table)])
    assert named == [
        [("resolve", "dealer-inspector")],
        [("gather", "pit-manager")],
        [("resolve", "pit-manager")],
        [("tell-of-complaint", "dealer")],
        [("file-complaint", "ann")],
        [("assist", "dealer")],
        [],
    ]
