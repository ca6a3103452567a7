"""The explorer itself: what it tries, which states it takes for one, and that it finds what is wrong."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from msgspec.structs import replace

from explorer import file_name, story
from punto.coup import cards
from punto.explore.alphabet import ANN, BOB, FOURS, NOT_TRIED, THIRDS, alphabet
from punto.explore.merging import digest
from punto.explore.search import explore
from punto.explore.starts import MOMENTS, Opening, Start, openings, starts
from punto.rulebook import ids, load
from punto.rulebook.facts import REPORTABLE
from punto.scenario import play, read, write
from punto.table import COMMANDS, Table, act, read_command
from punto.table import commands as c
from punto.table.invariants import answer_wrong

OPENINGS = [each for book in ids() for each in openings(load(book))]
FACE_UP = next(each for each in OPENINGS if each.command.book == "wu-song")
STATES = 40


@dataclass(frozen=True)
class Begun:
    """The starts of a table by their moments."""

    opening: Opening
    by_moment: dict[str, Start]


@pytest.fixture(scope="module")
def begun() -> Begun:
    return Begun(FACE_UP, {each.moment: each for each in starts(FACE_UP)})


def _name(opening: Opening) -> str:
    return f"{opening.command.book} {opening.name}"


@pytest.mark.parametrize("opening", OPENINGS, ids=_name)
def test_a_shallow_exploration_finds_nothing_wrong(opening: Opening) -> None:
    """A few states of each table, every command in each: all rules hold, and every round can be played to its end."""
    explored = explore(starts(opening), seconds=600, most=STATES)
    found = {f"{each.rule}: {each.why}": [*map(write, each.story)][-3:] for each in explored.findings.values()}
    assert found == {}
    assert explored.expanded == STATES
    assert explored.states > 10 * STATES


# What is tried


def test_every_book_is_explored() -> None:
    assert {each.command.book for each in OPENINGS} == set(ids())


def test_every_command_is_tried_or_said_to_be_left_out(begun: Begun) -> None:
    disputed, _ = act(begun.by_moment["paid"].table, c.RaiseDispute(ANN, "My chip", by=ANN))
    tables = [disputed, *(each.table for each in begun.by_moment.values())]
    tried = {str(each.__struct_config__.tag) for table in tables for each in alphabet(table)} | {"answer"}
    left_out = {name for names in NOT_TRIED.values() for name in names.split()}
    assert tried | left_out == set(COMMANDS)
    assert not tried & left_out
    told = {each.fact for each in alphabet(begun.by_moment["four cards out"].table) if isinstance(each, c.Report)}
    assert told == set(REPORTABLE)


def test_the_faces_reach_every_row_of_the_table_of_play() -> None:
    """Banker stands or draws by its points, and by the Player's third card at the edges of each row."""
    values = [[each.value for each in cards(" ".join(four))] for four in FOURS]
    points = {((one + three) % 10, (two + four) % 10) for one, two, three, four in values}
    assert {banker for player, banker in points if player <= 5} == {0, 3, 4, 5, 6, 7}
    assert any(player in (6, 7) and banker <= 5 for player, banker in points)
    assert any(player in (6, 7) and banker in (6, 7) for player, banker in points)
    assert any(max(pair) >= 8 for pair in points)
    assert sorted(each.value for each in cards(" ".join(THIRDS))) == [0, 2, 4, 6, 8]


def test_the_short_shoe_lacks_a_card_for_two_thirds() -> None:
    """Of every table: four cards are dealt, one is left, and the round that needs two more is void."""
    for opening in OPENINGS:
        short = next(each for each in starts(opening) if each.moment == "short shoe").table
        assert short.shoe is not None
        assert short.running is not None
        assert (short.shoe.left, len(short.running.cards)) == (1, 4), _name(opening)


# Which states are one


def _again(begun: Begun, table: Table) -> Table:
    for command in MOMENTS["paid"]:
        if command in begun.by_moment["paid"].story:
            table, _ = act(table, command)
    return table


def test_the_same_round_again_is_one_state(begun: Begun) -> None:
    """After the first, numbers, purses and the roads differ; nothing that can be done does."""
    second = _again(begun, begun.by_moment["paid"].table)
    third = _again(begun, second)
    assert second != third
    assert digest(second) == digest(third)


def test_what_can_matter_is_told_apart(begun: Begun) -> None:
    states = {digest(each.table) for each in begun.by_moment.values()}
    assert len(states) == len(MOMENTS) + 1  # and the short shoe
    table = begun.by_moment["four cards out"].table
    assert len({digest(act(table, c.Expose(faces))[0]) for faces in FOURS}) == len(FOURS)


# What is found


def _play(table: Table) -> Iterator[c.Command]:
    """A small alphabet: a round of four cards with one wager."""
    yield c.OpenBets()
    if table.running is not None and not table.running.wagers:
        yield c.Place(ANN, "player", 2000, by=ANN)
    yield c.CloseBets()
    yield c.Draw()
    yield c.Expose(FOURS[0])


def _bet(table: Table) -> Iterator[c.Command]:
    """Bets are called, one may be placed, and bets are closed."""
    return (each for each in _play(table) if isinstance(each, c.OpenBets | c.Place | c.CloseBets))


def test_states_and_transitions_are_those_counted_by_hand(begun: Begun) -> None:
    """Before the call, open, open with a wager, closed, closed with a wager; and the four commands between them."""
    explored = explore([begun.by_moment["seated"]], 600, _bet)
    assert (explored.states, explored.transitions, explored.depth, explored.whole) == (5, 4, 3, True)
    before, open_, with_wager, closed, closed_with_wager = 1, 1, 1, 3, 2
    assert explored.refused == before + open_ + with_wager + closed + closed_with_wager


def test_a_round_that_cannot_end_is_a_dead_end_with_its_story(begun: Begun) -> None:
    """Nobody can pay: the shortest story to it is a scenario that runs."""
    explored = explore([begun.by_moment["seated"]], 600, _play)
    told = {each.why for each in explored.findings.values() if each.rule == "dead end"}
    assert "nothing moves on" in told
    stuck = next(each for each in explored.findings.values() if each.why == "nothing moves on")
    played = play(read(story(begun.opening, stuck)))
    assert played.as_told
    assert played.table is not None
    assert played.table.running is not None
    assert len(played.table.running.cards) == 4
    assert file_name(begun.opening, stuck) == "wu-song/face-up-dead-end-nothing-moves-on.scenario"


def test_a_breach_is_found_with_the_shortest_story(begun: Begun) -> None:
    start = begun.by_moment["bets lie"]
    poorer = replace(start, table=replace(start.table, house=start.table.house - 100))
    [found] = explore([poorer], 600, _play).findings.values()
    assert (found.rule, found.why) == ("money", "the money at the table does not sum to nothing: -1.00 is left over")
    assert found.story == start.story


def test_an_exception_is_found(begun: Begun) -> None:
    def misspelt(_table: Table) -> Iterator[c.Command]:
        yield c.Place(ANN, "player", "ten", by=ANN)  # type: ignore[arg-type] # on purpose

    explored = explore([begun.by_moment["bets lie"]], 600, misspelt)
    [found] = [each for each in explored.findings.values() if each.rule == "exception"]
    assert found.story[-1] == c.Place(ANN, "player", "ten", by=ANN)  # type: ignore[arg-type] # on purpose


def test_a_round_must_end_by_what_next_names(begun: Begun) -> None:
    """Cards are to be opened, and they are told with one face too many: the story ends with that refusal."""

    def too_many(_table: Table) -> Iterator[c.Command]:
        yield c.Expose((*FOURS[0], "5c"))

    explored = explore([begun.by_moment["four cards out"]], 600, too_many)
    found = next(each for each in explored.findings.values() if each.tried)
    assert (found.rule, found.why) == ("dead end", "next leads to expose by dealer, which is refused")
    played = play(read(story(begun.opening, found)))
    assert [each.expected for each in played.differences] == ["expose 9h 2c Kd As 5c"]


def test_only_who_may_decides(begun: Begun) -> None:
    table, _ = act(begun.by_moment["bets closed"].table, c.Report("other", note="A glass fell."))
    [question] = table.questions
    answer = c.Answer(question.id, "continue", "It is dry.", by=question.to)
    assert answer_wrong(table, answer) is None
    assert answer_wrong(table, replace(answer, by="dealer"))
    assert answer_wrong(table, replace(answer, by=BOB))


def test_every_letter_can_be_told_in_a_scenario(begun: Begun) -> None:
    for start in begun.by_moment.values():
        for command in alphabet(start.table):
            [step] = read(f"scenario One command\n{write(command)}").steps
            assert read_command(step.command) == command
