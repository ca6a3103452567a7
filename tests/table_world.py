"""A table with all that has happened at it, and what must hold after every command, whoever gave it."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from punto.audit import AmountsAtTheCall
from punto.coup import card
from punto.rulebook import SHIPPED, Library, Refused
from punto.rulebook.facts import FACTS
from punto.table import (
    Table,
    act,
    can,
    decode_command,
    decode_event,
    encode,
    evolve,
    fold,
)
from punto.table import commands as c
from punto.table import events as e
from punto.table.answering import is_next
from punto.table.invariants import answer_wrong, broken, worth_wrong
from punto.table.next_steps import next_steps
from punto.table.remedies.offers import OFFER, to_ask
from punto.table.snapshot import same_state
from punto.table.turn import Turn
from random_commands import DECK, PROMISED, Chance, answers, onward, to_open

FACE = re.compile(r"(?<![\w.#-])[A2-9TJQK][cdhs](?![\w-])")


def known_faces(table: Table | None) -> set[str]:
    """The faces that a table holds, wherever it does."""
    if table is None:
        return set()
    rounds = [each.round for each in (table, table.past, table.paused) if each is not None and each.round is not None]
    found = {str(each.face) for round in rounds for each in round.cards if each.face is not None and not each.printed}
    found |= {str(each) for each in (table.shoe.carried if table.shoe else ()) if each is not None}
    found |= {str(each.face) for each in (table.shoe.top if table.shoe else ()) if each is not None}
    found |= {str(each) for round in rounds for each in round.reserve if each is not None}
    for each in table.procedures:
        found |= {*each.faces, *(each.found or ())}
    return found


def shown_by(command: c.Command) -> set[str]:
    """The faces that a command shows to everybody."""
    if isinstance(command, c.Expose | c.Report):
        return {str(card(each)) for each in command.faces if each in DECK}
    return set()


def deduced(table: Table, command: c.Answer, event: e.Deduced) -> set[str]:
    """What complete decks lack, if that is what the event says."""
    left: Counter[str] = Counter(dict.fromkeys(DECK, table.setup.decks))
    left.subtract({str(card(face)): number for face, number in command.count.items()})
    left.subtract(str(card(face)) for face in command.sealed)
    felt = table.round.cards if table.round else ()
    left.subtract(str(each.face) for each in felt if each.face is not None and not each.printed)
    assert +left == Counter(event.faces or ())
    assert len(event.faces or ()) == len(table.procedures[-1].cards)
    return set(event.faces or ())


def check_faces(before: Table, command: c.Command, after: Table, events: Sequence[e.Event]) -> None:
    allowed = known_faces(before) | shown_by(command)
    for event in events:
        if isinstance(event, e.Deduced) and event.faces is not None:
            assert isinstance(command, c.Answer)
            allowed |= deduced(before, command, event)
    for event in events:
        if not isinstance(event, e.BookChanged):
            told = set(FACE.findall(encode(event).decode()))
            assert told <= allowed, f"{event} tells of cards that nobody has seen: {told - allowed}"
    assert known_faces(after) <= allowed, "the table knows cards that nobody has seen"


def check_questions(table: Table) -> None:
    """Somebody can answer each open question, those of a later procedure first."""
    now = [each for each in table.questions if is_next(table, each)]
    for question in now:
        given = list(answers(Chance(1), table, question))
        assert any(can(table, each) for each in given), f"nobody can answer {question}"
        for each in given:
            assert each.choice == "rule" or can(table, each), f"{each.choice} is no answer to {question}"


def check_choices(table: Table) -> None:
    """Whoever has something at stake in an open choice is asked, and nobody who is bound or has chosen before."""
    round = table.running
    if round is None:
        return
    assert round.counted is None or all(round.counted[spot] >= each.stake for spot, each in round.wagers.items())
    for question in (each for each in table.questions if each.topic == OFFER.name):
        assert question.step is not None
        procedure = table.procedures[question.step]
        asked = {*question.waiting, *question.answers}
        assert to_ask(Turn(table, "dealer"), round, procedure) <= asked, "somebody with a wager is not asked"
        assert not asked & (procedure.chosen or set()), "somebody is asked twice"


def a_legal_command(table: Table) -> c.Command | None:
    """Something that the table would accept."""
    luck = Chance(1)
    for question in reversed(table.questions):
        for given in answers(luck, table, question):
            if can(table, given):
                return given
    tries: list[c.Command] = [c.CloseBets(), onward(luck, table)] if table.running else [to_open(luck, table)]
    return next((each for each in (*tries, *ways_out(table)) if can(table, each)), None)


def ways_out(table: Table) -> Iterator[c.Command]:
    """What ends a round that cannot be played on."""
    yield c.GiveBackShoe()
    yield c.Burn()  # no card is dealt before one that was seen is burnt
    if table.running is not None:
        yield c.EndShoe()
        yield c.LoadShoe(PROMISED if table.setup.shoe == "virtual" else "")
    if table.running is not None:
        for name, box, bet in table.running.wagers:
            yield c.Withdraw(name, bet, box)
    yield c.Report("other", note="It cannot go on.")
    for fact in FACTS:
        yield c.Report(fact, note="It cannot go on.")


def wind_up(table: Table, *, void: bool) -> tuple[e.Event, ...]:
    """Answer what is open, finish or void the round, pay everybody out and close the table."""
    luck = Chance(1)
    told: list[e.Event] = []
    for _ in range(300):
        command = _to_the_end(luck, table, void=void)
        table, events = act(table, command)
        told += events
        if not table.open:
            assert table.house == 0
            assert not any(each.balance or each.held or each.owed for each in table.patrons.values())
            return tuple(told)
    raise AssertionError(f"the table cannot be brought to an end: {_to_the_end(luck, table, void=void)}, {table.round}")


def _to_the_end(luck: Chance, table: Table, *, void: bool) -> c.Command:
    for question in reversed(table.questions):
        given = list(answers(luck, table, question))
        mild = [each for each in given if each.choice == ("void" if void else "continue")] or given
        for each in mild:
            if can(table, each):
                return each
    if table.running is None:
        for name, patron in table.patrons.items():
            if patron.balance:
                return c.CashOut(name)
            if patron.owed:
                return c.PayOwed(name, patron.owed)
        if table.shoe is not None and table.setup.shoe == "virtual":
            return c.EndShoe()  # its seed is revealed before the table closes
        return c.CloseTable()
    trouble = c.Report("other", note="The house closes.")
    if void and can(table, trouble):
        return trouble
    next_one = c.CloseBets() if table.running.phase == "betting" else onward(luck, table)
    if can(table, next_one):
        return next_one
    found = next((each for each in ways_out(table) if can(table, each)), None)
    assert found is not None, f"nothing can be done: {why(table, next_one)}"
    return found


def why(table: Table, command: c.Command) -> str:
    try:
        act(table, command)
    except Refused as refused:
        return str(refused)
    return "accepted"


ILL_SAID = re.compile(r"\.\.|\. \.|[?]\.|\b0\.00 lies|owes 0\.00\b|Aside cards")


def ill_said(text: str) -> bool:
    return ILL_SAID.search(text) is not None


def check_words(before: Table, events: Sequence[e.Event]) -> None:
    """What is said is well said, and of a round that is void nobody says that play goes on."""
    void = before.round is not None and before.round.phase == "void"
    for event in events:
        void = isinstance(event, e.RoundEnded) or (void and not isinstance(event, e.BetsOpened))
        asked = event.question.says if isinstance(event, e.Asked) else ""
        says = asked or str(getattr(event, "says", ""))
        if isinstance(event, e.Spoken | e.Asked):
            assert not ill_said(says), says
            assert not (void and "play goes on" in says.lower()), f"the round is void: {says}"


class World:
    """A table, everything that has happened at it, and what must hold after each command."""

    def __init__(self, told: Sequence[e.Event], library: Library = SHIPPED) -> None:
        self.told, self.library = list(told), library
        self.amounts = AmountsAtTheCall()
        before: Table | None = None
        for event in told:
            self.amounts.take(before, event)
            before = evolve(before, event, library)
        self.table = fold(told, library=library)
        self.sound = True
        self.tried: Counter[type[c.Command]] = Counter()
        self.accepted: Counter[type[c.Command]] = Counter()

    def ask(self, command: c.Command) -> bool:
        """Whether the table accepted a command."""
        assert decode_command(encode(command)) == command
        before, self.sound = self.table, False
        self.tried[type(command)] += 1
        try:
            after, events = act(before, command, self.library)
        except Refused as refused:
            self.sound = bool(re.fullmatch(r".+[.)]", str(refused)))
            if not self.sound or ill_said(refused.reason):
                raise AssertionError(f"this is no sentence: {refused}") from None
            return False
        assert events, f"{command} was accepted, and nothing happened"
        told = before
        for event in events:
            again = decode_event(encode(event))
            assert again == event
            wrong = self.amounts.take(told, again)
            assert wrong is None, wrong
            now = evolve(told, again, self.library)
            assert worth_wrong(told, event, now) is None, worth_wrong(told, event, now)
            told = now
        assert same_state(told, after), "the events do not lead to the table"
        self.table = after
        self.told += events
        assert broken(after) is None, broken(after)
        check_faces(before, command, after, events)
        check_choices(after)
        assert before is None or answer_wrong(before, command) is None, answer_wrong(before, command)
        check_words(before, events)
        if after.open:
            check_questions(after)
            assert not any(ill_said(each.says) for each in next_steps(after)), next_steps(after)
            assert a_legal_command(after) is not None, "nothing more can be done at this table"
        self.accepted[type(command)] += 1
        self.sound = True
        return True

    def end(self) -> None:
        """The history leads to this table, and the table to an end."""
        assert fold(self.told, library=self.library) == self.table
        assert fold((decode_event(encode(each)) for each in self.told), library=self.library) == self.table
        if self.table.open:
            wind_up(self.table, void=True)
            wind_up(self.table, void=False)
