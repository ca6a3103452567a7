"""Anything may be asked of a table, in any order: it answers or refuses, and no cent and no unseen card is lost.

Each step of a run is one small number from which a command is made for the table as it stands. `PUNTO_CHAOS=1` makes
the runs many times more.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from punto.rulebook import Refused, ids, load
from punto.rulebook.facts import REPORTABLE
from punto.settlement import Limits
from punto.table import (
    COMMANDS,
    EVENTS,
    Table,
    act,
    encode,
    fold,
    why_not,
)
from punto.table import commands as c
from punto.table import events as e
from random_commands import (
    AT,
    MAKERS,
    MOVES,
    Chance,
    an_answer,
    an_opportunity,
    anything,
    opening,
    play_on,
    something_goes_wrong,
)
from seeds import CHAOS, seed_of
from table_world import World, why

TIMES = 20 if CHAOS else 1
EXAMPLES, STEPS = 120 * TIMES, 45
TABLES, LONG = 220 * TIMES, 100


class Story(RuleBasedStateMachine):
    """A run of commands at a table of one book."""

    book = ""

    def __init__(self) -> None:
        super().__init__()
        self.world: World | None = None

    @initialize(number=st.integers(0, 9999))
    def open(self, number: int) -> None:
        told = opening(Chance(number), load(self.book))
        for event in told:
            note(encode(event).decode())
        self.world = World(told)

    def _ask(self, make: Callable[[Chance, Table], c.Command], number: int) -> None:
        assert self.world is not None
        command = make(Chance(number), self.world.table)
        accepted = self.world.ask(command)
        note(f"{encode(command).decode()} {'accepted' if accepted else 'refused'}")

    @rule(number=st.integers(0, 9999))
    def play(self, number: int) -> None:
        self._ask(play_on, number)

    @rule(number=st.integers(0, 9999))
    def play_more(self, number: int) -> None:
        self._ask(play_on, number)

    @rule(number=st.integers(0, 9999))
    def go_wrong(self, number: int) -> None:
        self._ask(something_goes_wrong, number)

    @rule(number=st.integers(0, 9999))
    def answer(self, number: int) -> None:
        self._ask(an_answer, number)

    @rule(number=st.integers(0, 9999))
    def take_an_opportunity(self, number: int) -> None:
        self._ask(an_opportunity, number)

    @rule(number=st.integers(0, 9999))
    def ask_anything(self, number: int) -> None:
        self._ask(anything, number)

    def teardown(self) -> None:
        if self.world is not None and self.world.sound:
            self.world.end()


@pytest.mark.parametrize("book", ids())
def test_whatever_is_asked_of_a_table_every_rule_of_keeping_it_holds(book: str) -> None:
    """Random commands, sensible and absurd, in any order, at every kind of table of the book."""
    told = settings(
        max_examples=EXAMPLES,
        stateful_step_count=STEPS,
        deadline=None,
        derandomize=not CHAOS,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(type("Story", (Story,), {"book": book}), settings=told)


@pytest.mark.parametrize("book", ids())
def test_many_tables_are_played_to_their_end(book: str) -> None:
    """The same without looking for the shortest story, and so with far more commands."""
    first = seed_of(f"The first table of {book}")
    for number in range(first, first + TABLES):
        luck = Chance(number)
        told = opening(luck, load(book))
        world, asked = World(told), [*map(encode, told)]
        shares = [luck.random() for _ in MOVES]
        try:
            for _ in range(LONG):
                [move] = luck.choices(MOVES, shares)
                command = move(luck, world.table)
                asked.append(encode(command))
                world.ask(command)
            world.end()
        except Exception as error:
            error.add_note(b"\n".join([f"Table {number} of {book}:".encode(), *asked]).decode())
            raise


OF_NO_APPROVED_BOOK = {e.FirstFourSettled, e.FirstFourReversed, e.LateBetsOpened, e.LateBetsClosed}
"""Events of bets that only games of one's own have; their own walks are in test_first_four.py."""


def test_every_kind_of_command_is_asked_and_every_fact_reported() -> None:
    """The stories leave nothing out: here two hundred tables are played without looking at them closely."""
    assert set(MAKERS) == set(COMMANDS.values())
    asked: Counter[type[c.Command]] = Counter()
    accepted: Counter[type[c.Command]] = Counter()
    told: Counter[type[e.Event]] = Counter()
    facts: set[str] = set()
    for number in range(200):
        luck = Chance(number)
        table = fold(opening(luck, load(luck.one(ids()))))
        for _ in range(120):
            command = luck.one(MOVES)(luck, table)
            asked[type(command)] += 1
            try:
                table, events = act(table, command)
            except Refused:
                continue
            accepted[type(command)] += 1
            told.update(type(each) for each in events)
            facts |= {each.fact for each in events if isinstance(each, e.Reported)}
    assert set(asked) == set(MAKERS)
    assert len(accepted) > 0.8 * len(MAKERS), set(MAKERS) - set(accepted)
    possible = set(EVENTS.values()) - OF_NO_APPROVED_BOOK
    assert len(told) > 0.8 * len(possible), possible - set(told)
    assert facts >= set(REPORTABLE)


# Stories that such runs have told


LIMITS = Limits(1000, 20000, 5000)
SEATED = (c.Sit("ann", 1, by="ann"), c.BuyIn("ann", 100000), c.Sit("bob", 2, by="bob"), c.BuyIn("bob", 100000))
EVEN = (c.OpenBets(), c.Place("ann", "player", 2000, by="ann"), c.Place("bob", "banker", 2000, by="bob"), c.CloseBets())
FOUR = (c.Draw(), c.Draw(), c.Draw(), c.Draw())
BOSS = "gaming-shift-manager"


def tell(book: str, *commands: c.Command, cards: int = 416, **more: Any) -> World:
    """Everything is accepted, and afterwards the table can be brought to its end."""
    _, opened = act(None, c.OpenTable(book, AT, 8, limits=LIMITS, **more))
    world = World((*opened, e.ShoeLoaded(1, cards)))
    for command in commands:
        assert world.ask(command), why(world.table, command)
    world.end()
    return world


def test_what_happens_while_somebody_decides_is_decided_first() -> None:
    """A second fact is reported while a question about the first is open: both are answered, the later one first."""
    boss = "table-game-shift-manager"
    trouble = (c.Report("other", note="A glass fell."), c.Report("cut-card"))
    world = tell("wu-song", *SEATED, *EVEN, *trouble, c.Answer(2, "continue", "Noted.", by=boss))
    assert [each.id for each in world.table.questions] == [1]
    assert world.ask(c.Answer(1, "continue", "It is dry.", by=boss))
    assert not world.table.procedures


def test_what_waits_for_the_end_of_the_round_holds_nothing_up() -> None:
    """The burn was missed, which is put to the patrons after the round; an older question is answered before that."""
    missed = (c.Draw(), c.Expose(("9h",)), c.Report("other", note="A glass fell."), c.Report("burn-missed"))
    world = tell("dragon-tiger-hoiana", *SEATED, *EVEN, *missed)
    assert world.ask(c.Answer(1, "continue", "It is dry.", by="assistant-director"))
    assert [each.fact for each in world.table.procedures] == ["burn-missed"]


def test_a_round_that_ends_takes_its_questions_along() -> None:
    """The differential was to be cured, and then a foreign card made the round void."""
    heavy = (c.OpenBets(), c.Place("ann", "player", 20000, by="ann"), c.CloseBets())
    method = c.SetMethod("B", by="pit-manager")
    world = tell("dragon-tiger-mbs", *SEATED, method, *heavy, c.Report("foreign-card"))
    assert [each.topic for each in world.table.questions] == ["replace-cards"]


def test_nothing_is_added_to_chips_that_were_pulled_back() -> None:
    """Whoever has taken a wager's chips back cannot have laid more with them."""
    world = tell("wu-song", *SEATED, *EVEN, c.Pull("ann", "player"))
    assert "taken the chips there back" in why(world.table, c.Find("ann", "player", 1000))


def test_a_paid_round_is_corrected_though_its_shoe_has_ended() -> None:
    """The cards were misread, and the shoe is out of use when that comes to light."""
    misread = c.Report("wrong-call", (0, 1, 2, 3), ("2h", "9c", "2d", "Ks"))
    played = (*EVEN, *FOUR, c.Expose(("9h", "2c", "Kd", "As")), c.Settle(), c.EndShoe())
    world = tell("wu-song", *SEATED, *played, misread)
    assert world.table.shoe is None
    assert (world.table.patrons["ann"].balance, world.table.patrons["bob"].balance) == (98000, 102000)


def test_a_card_that_is_due_is_not_in_excess() -> None:
    """Three cards lie open and the Banker is due the fourth: drawn to the Banker it is no error."""
    three = (c.Draw(), c.Draw(), c.Draw(), c.Expose(("3s", "4h", "6s")))
    method = c.SetMethod("B", by="pit-manager")
    world = tell("dragon-tiger-mbs", *SEATED, method, *EVEN, *three)
    refused = why_not(world.table, c.Report("excess-card", hand="banker", faces=("8c",)))
    assert refused is not None
    assert "due to the Banker hand" in refused.reason


def test_a_ruling_may_go_on_after_the_round_has_ended() -> None:
    """A card is to be the Player's third of a round that the same ruling made void."""
    ruling: tuple[dict[str, str | int | bool], ...] = ({"void": True}, {"reassign": "player-third"})
    ruled = c.Answer(1, "rule", "So be it.", remedies=ruling, by="table-game-shift-manager")
    world = tell("wu-song", *SEATED, *EVEN, c.Report("other", note="A glass fell."), ruled)
    assert world.table.running is None


def test_the_maximum_goes_before_the_differential() -> None:
    """Found wagers are even as they lie, but not as far as the maximum lets them play: that is referred."""
    found = (
        c.Find("bob", "banker", 28000, reason="It was seen so.", by="pit-supervisor"),
        c.Find("ann", "player", 20000, box=3, reason="It was seen so.", by="pit-supervisor"),
        c.Find("ann", "player", 6000, box=4, reason="It was seen so.", by="pit-supervisor"),
    )
    method = c.SetMethod("B", by="pit-manager")
    dealt = (*FOUR, c.Expose(("9h", "2c", "Kd", "As")), *found, c.Settle())
    world = tell("dragon-tiger-mbs", *SEATED, method, *EVEN, *dealt)
    assert [each.topic for each in world.table.questions] == ["differential-late"]


def test_a_patron_who_draws_may_find_the_shoe_empty() -> None:
    """In Method C the cards run out under a patron's hand."""
    method = c.SetMethod("C", by="assistant-casino-manager")
    taken = (method, *EVEN, c.TakeShoe("ann", by="ann"), c.Draw(by="ann"), c.Draw(by="ann"))
    world = tell("dragon-tiger-mbs", *SEATED, *taken, cards=1, high_limit=True, shoe="read")
    assert world.table.running is None


def test_cards_of_a_past_round_are_not_the_next_ones() -> None:
    """Cards that lie open cannot have been seen too early, and do not come out of the shoe again."""
    played = (*EVEN, *FOUR, c.Expose(("9h", "2c", "Kd", "As")), c.Settle())
    seen = c.Report("exposed-card", (0, 1, 2, 3), ("9h", "2c", "Kd", "As"))
    world = tell("wu-song", *SEATED, *played, cards=5)
    assert why_not(world.table, seen) is not None
    assert world.table.shoe is not None
    assert world.table.shoe.left == 1
