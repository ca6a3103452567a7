"""Breadth first from the starts of a table: every command of the alphabet in every state, states merged."""

import re
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator

import msgspec

from punto.explore.alphabet import alphabet
from punto.explore.merging import digest
from punto.explore.starts import Start
from punto.rulebook import Refused
from punto.table import Table, act, evolve
from punto.table import commands as c
from punto.table import events as e
from punto.table.invariants import Breach, answer_wrong, breach, cards_wrong, money_wrong, worth_wrong
from punto.table.next_steps import Next, next_steps

Alphabet = Callable[[Table], Iterable[c.Command]]

LONGEST_WAY = 60
"""So many steps by what `next` says must end a round."""

_MOVES_NOTHING_ON = (
    *(c.CloseTable, c.Rule, c.Leave, c.Sit, c.Complain, c.BuyIn, c.CashOut, c.PayOwed),
    *(c.RaiseDispute, c.Escalate, c.Gather, c.GiveTimeFrame, c.Resolve, c.TellOfComplaint, c.FileComplaint, c.Assist),
)


class Flaw(msgspec.Struct):
    """A fault, the shortest story that leads to it, and how often it was met."""

    rule: str
    why: str
    story: tuple[c.Command, ...]
    tried: tuple[c.Command, ...] = ()
    """What was refused there."""
    times: int = 1


class Explored(msgspec.Struct):
    """What an exploration has seen. All stories of `depth` commands were gone through, and some longer ones."""

    states: int = 0
    expanded: int = 0
    transitions: int = 0
    refused: int = 0
    depth: int = 0
    whole: bool = False
    """No state was left to go on from."""
    findings: dict[tuple[str, str], Flaw] = {}


class _Node(msgspec.Struct, frozen=True):
    """A state that was reached: by which command from which other one, and how many commands from a start."""

    table: Table
    depth: int
    command: c.Command | None
    before: "_Node | None"
    start: Start


def explore(starts: Iterable[Start], seconds: float, letters: Alphabet = alphabet, most: int | None = None) -> Explored:
    """Explore from some starts until time is up, `most` states were gone on from, or all were."""
    return _Search(letters).run(starts, time.process_time() + seconds, most)


class _Search:
    def __init__(self, letters: Alphabet) -> None:
        self.letters = letters
        self.explored = Explored(findings={})
        self.known: set[bytes] = set()
        self.ends: set[bytes] = set()
        """Running rounds that are known to come to an end by what `next` says."""

    def run(self, starts: Iterable[Start], until: float, most: int | None) -> Explored:
        """Go through the states in the order in which they are reached."""
        queue: deque[_Node] = deque()
        for start in starts:
            self._reach(_Node(start.table, 0, None, None, start), queue)
        told = self.explored
        while queue and time.process_time() < until and (most is None or told.expanded < most):
            node = queue.popleft()
            told.depth = node.depth
            self._expand(node, queue)
            told.expanded += 1
        told.whole = not queue
        told.depth = queue[0].depth if queue else told.depth
        return told

    def _reach(self, node: _Node, queue: deque[_Node]) -> bytes:
        """Take up a state, unless it is known; the rules of keeping a table must hold in it."""
        state = digest(node.table)
        fault = _breach(node.table) if state not in self.known else _not_merged(node.table)
        if fault is not None:
            self._found(fault.rule, fault.why, node)
        if state not in self.known:
            self.known.add(state)
            self.explored.states += 1
            if fault is None and node.table.open:
                queue.append(node)
        return state

    def _expand(self, node: _Node, queue: deque[_Node]) -> None:
        """Try every command in a state."""
        table, told = node.table, self.explored
        here = digest(table)
        moves = False
        for command in dict.fromkeys(map(_Hashable, self.letters(table))):
            given = command.command
            after = self._given(node, given)
            if after is None:
                told.refused += 1
                continue
            told.transitions += 1
            state = self._reach(_Node(after, node.depth + 1, given, node, node.start), queue)
            moves = moves or (state != here and not isinstance(given, _MOVES_NOTHING_ON))
        if not moves:
            self._found("dead end", "nothing moves on", node)
        if table.running is not None:
            self._follow_to_the_end(node)

    def _given(self, node: _Node, command: c.Command) -> Table | None:
        """The table after a command; None if it was refused, or if something is wrong with that it was not."""
        try:
            after, events = act(node.table, command)
        except Refused as refusal:
            if not re.fullmatch(r".+[.)]", str(refusal)):
                self._found("refusal", f"this is no sentence: {refusal}", node, command)
            return None
        except Exception as error:  # whatever it is, it is the fault that is looked for
            self._found("exception", f"{type(error).__name__}: {error}", node, command)
            return None
        if not events:
            self._found("silence", "a command was accepted, and nothing happened", node, command)
        richer = _worth_wrong(node.table, events)
        if richer is not None:
            self._found("worth", richer, node, command)
        usurped = answer_wrong(node.table, command)
        if usurped is not None:
            self._found("authority", usurped, node, command)
        return after

    # What `next` says

    def _follow_to_the_end(self, node: _Node) -> None:
        """A round must come to an end by what `next` says, answers in any way."""
        walked: list[bytes] = []
        at = node
        while at.table.running is not None and len(walked) < LONGEST_WAY:
            state = digest(at.table)
            if state in self.ends:
                break
            walked.append(state)
            on = next((each for each in self._on(at) if digest(each.table) not in walked), None)
            if on is None:
                self._found_stuck(at)
                return
            at = on
        else:
            if at.table.running is not None:
                self._found("dead end", f"a round has not ended after {LONGEST_WAY} steps of next", at)
                return
        self.ends.update(walked)

    def _on(self, node: _Node) -> Iterator[_Node]:
        """The states that the steps of `next` lead to, by the commands of the alphabet."""
        for command in self._by_next(node.table):
            table = self._given(node, command)
            if table is not None:
                yield _Node(table, node.depth + 1, command, node, node.start)

    def _by_next(self, table: Table) -> list[c.Command]:
        commands = tuple(self.letters(table))
        return [each for step in next_steps(table) for each in commands if _named(step, each)]

    def _found_stuck(self, node: _Node) -> None:
        named = ", ".join(f"{each.do} by {each.by}" for each in next_steps(node.table))
        tried = [each for each in self._by_next(node.table) if self._given(node, each) is None]
        what = "is refused" if tried else "changes nothing" if self._by_next(node.table) else "is not in the alphabet"
        self._found("dead end", f"next leads to {named}, which {what}", node, tried=tried[:1])

    def _found(
        self,
        rule: str,
        why: str,
        node: _Node,
        command: c.Command | None = None,
        tried: Iterable[c.Command] = (),
    ) -> None:
        """Note a fault. The first story to one of its kind is the shortest, by the order of the search."""
        kind = rule, re.sub(r"\d+", "#", why)
        known = self.explored.findings.get(kind)
        if known is not None:
            known.times += 1
            return
        more = () if command is None else (command,)
        self.explored.findings[kind] = Flaw(rule, why, (*story_to(node), *more), tuple(tried))


class _Hashable:
    """A command by its words: the alphabet may say the same thing twice."""

    def __init__(self, command: c.Command) -> None:
        self.command = command
        self._said = msgspec.msgpack.encode(command)

    def __hash__(self) -> int:
        return hash(self._said)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Hashable) and other._said == self._said


def story_to(node: _Node) -> tuple[c.Command, ...]:
    """Every command from the opening of the table on."""
    commands: list[c.Command] = []
    at: _Node | None = node
    while at is not None and at.command is not None:
        commands.append(at.command)
        at = at.before
    return (*node.start.story, *reversed(commands))


def _breach(table: Table) -> Breach | None:
    """A breach of the rules of keeping a table; asking for what comes next gives commands, which may fail too."""
    try:
        return breach(table)
    except Exception as error:  # whatever it is, it is the fault that is looked for
        return Breach("exception", f"{type(error).__name__}: {error}")


_PAYING = (e.RoundSettled, e.RoundEnded)


def _worth_wrong(table: Table, events: tuple[e.Event, ...]) -> str | None:
    """Who becomes richer or poorer for no reason; only where a round ends, for there the amounts are worked out."""
    if not any(isinstance(each, _PAYING) for each in events):
        return None
    for event in events:
        after = evolve(table, event)
        why = worth_wrong(table, event, after)
        if why is not None:
            return why
        table = after
    return None


def _not_merged(table: Table) -> Breach | None:
    """A breach of the rules that look at what merging leaves out."""
    for rule, wrong in (("cards", cards_wrong), ("money", money_wrong)):
        why = wrong(table)
        if why is not None:
            return Breach(rule, why)
    return None


def _named(step: Next, command: c.Command) -> bool:
    """Whether a command is one that a step of `next` names."""
    if command.__struct_config__.tag != step.do or not step.possible:
        return False
    return step.do == "answer" or command.by in step.by.split()
