"""Chooses the stories that conformance kits are made of, by the ways that they take through the engine.

python explore/choose.py [--seconds 60] [--seed 1] [--on] [book …]

It begins with the scenarios, or goes on from what was chosen before. In every state that these come to, commands are
tried: some of the alphabet, and commands of the stories with one thing in them changed. One that is refused in a way in
which none was before is put into the story there. One that is accepted and leads through the engine otherwise than all
before is a story of its own, which goes on as the first did. Written is src/punto/explore/told.jsonl.xz.
"""

import argparse
import lzma
import random
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from conformance import SETTLEMENT, TABLE, files
from punto.amounts import MOST
from punto.compare.directions import bets, favours_by_rank
from punto.explore.alphabet import alphabet
from punto.explore.told import TOLD, ChosenStory, told
from punto.rulebook import SHIPPED, Refused, ids
from punto.scenario import read
from punto.table import Table, act, read_command
from punto.table import commands as c
from watching import Watch, Way

from run import ROOT

LETTERS = 30
"""So many commands of the alphabet are tried in a state, and of the scenarios as many."""


def scenarios(book: str) -> Iterator[list[c.Command]]:
    """The commands of every scenario of a book that needs no other than those that come with Punto."""
    for file in sorted((ROOT / "scenarios" / book).rglob("*.scenario")):
        story = read(file.read_text(encoding="utf-8"), str(file))
        if story.library is SHIPPED:
            yield list(_given([dict(each.command) for each in story.steps]))


def _given(steps: list[dict[str, Any]]) -> Iterator[c.Command]:
    """Commands with the numbers of the questions that they answer."""
    table: Table | None = None
    for given in steps:
        if isinstance(given.get("question"), str):
            found = [each.id for each in (table.questions if table else ()) if each.topic == given["question"]]
            given["question"] = found[-1] if found else 0
        try:
            command = read_command(given)
        except Refused:
            continue
        yield command
        try:
            table, _ = act(table, command)
        except Refused:
            continue


class Vocabulary:
    """The commands of some stories, and for each kind of them the values that its fields have there."""

    def __init__(self, stories: Sequence[Sequence[c.Command]], chance: random.Random) -> None:
        self.chance = chance
        self.commands: list[c.Command] = list({repr(each): each for story in stories for each in story}.values())
        self.values: dict[tuple[type, str], list[Any]] = defaultdict(list)
        for command in self.commands:
            for name in command.__struct_fields__:
                known = self.values[type(command), name]
                if getattr(command, name) not in known:
                    known.append(getattr(command, name))

    def any(self, number: int) -> list[c.Command]:
        """Some commands."""
        return self.chance.sample(self.commands, min(number, len(self.commands)))

    def varied(self, table: Table | None, command: c.Command) -> c.Command:
        """A command with one thing changed."""
        name = self.chance.choice(command.__struct_fields__)
        return msgspec.structs.replace(command, **{name: self.chance.choice(self._others(table, command, name))})

    def _others(self, table: Table | None, command: c.Command, name: str) -> list[Any]:
        value = getattr(command, name)
        if isinstance(value, bool):
            return [not value]
        if table is not None and name == "by":
            return [*table.patrons, *(rank for tier in table.book.ranks for rank in tier), *table.posts, "nobody"]
        if table is not None and name == "patron":
            return [*table.patrons, "nobody"]
        others = list(self.values[type(command), name])
        if isinstance(value, int):
            others += [value - 1, value + 1, value // 2, 2 * value, 0, -1]
            if table is not None and name in ("amount", "stake"):
                purses = list(table.patrons.values())
                others += [MOST, MOST + 1, *(each.balance for each in purses), *(each.balance + 1 for each in purses)]
        if isinstance(value, tuple):
            others += [(), value[:-1], value[1:], value[::-1], value + value[:1]]
        if isinstance(value, str):
            others += ["", "nothing"]
        return others


class Choosing:
    """Stories of one book, each with something new in it."""

    def __init__(self, watch: Watch, stories: Sequence[list[c.Command]], seed: int) -> None:
        self.watch = watch
        self.known: set[Way] = set()
        self.chance = random.Random(seed)
        self.words = Vocabulary(stories, self.chance)
        self.stories = [list(each) for each in stories]
        self.tried = 0
        self.faults: dict[str, tuple[c.Command, ...]] = {}

    def chosen(self, seconds: float) -> list[list[c.Command]]:
        """The stories, after some time of trying; what is given to the stories first is all kept."""
        for story in self.stories:
            self._is_new_on(None, story)
        places = [(at, place) for at, story in enumerate(self.stories) for place in range(len(story) + 1)]
        self.chance.shuffle(places)
        until = time.process_time() + seconds
        refused: dict[tuple[int, int], list[c.Command]] = defaultdict(list)
        for at, place in places:
            if time.process_time() > until:
                break
            refused[at, place] += self._tried(at, place)
        for (at, place), more in sorted(refused.items(), reverse=True):
            self.stories[at][place:place] = more
        return self.stories

    def _played(self, commands: Sequence[c.Command]) -> Table | None:
        """The table after some commands, refused or not."""
        table: Table | None = None
        for command in commands:
            with suppress(Refused):
                table, _ = act(table, command)
        self.watch.ways()
        return table

    def _is_new_on(self, table: Table | None, commands: Sequence[c.Command]) -> bool:
        """Whether some commands lead anywhere that none led before."""
        new = False
        for command in commands:
            with suppress(Refused):
                table, _ = act(table, command)
            new |= self._is_new(command)
        return new

    def _is_new(self, command: c.Command) -> bool:
        said = getattr(command, "fact", ""), getattr(command, "choice", ""), getattr(command, "policy", "")
        ways = self.watch.ways((command.__struct_config__.tag, *said))
        new = not ways <= self.known
        self.known |= ways
        return new

    def _tried(self, at: int, place: int) -> list[c.Command]:
        """What is refused anew at a place of a story; what is accepted anew becomes a story."""
        story = self.stories[at]
        before, rest = story[:place], story[place:]
        table = self._played(before)
        if table is not None and not table.open:
            return []
        refused = []
        for command in self._letters(table, rest):
            self.tried += 1
            try:
                after, _ = act(table, command)
            except Refused:
                if self._is_new(command):
                    refused.append(command)
                continue
            except Exception as error:  # whatever it is, it is a fault of the engine and no story
                self.watch.ways()
                self.faults.setdefault(f"{type(error).__name__}: {error}", (*before, command))
                continue
            on = rest if self.chance.random() < 0.5 else rest[1:]
            if self._is_new(command) | self._is_new_on(after, on):
                self.stories.append([*before, command, *on])
        if table is not None and self._is_new_on(table, rest[1:]):
            self.stories.append([*before, *rest[1:]])
        return refused

    def _letters(self, table: Table | None, rest: Sequence[c.Command]) -> Iterator[c.Command]:
        some: list[c.Command] = []
        if table is not None:
            every = [*alphabet(table), *favours_by_rank(table), *bets(table)]
            yield from self.chance.sample(every, min(LETTERS, len(every)))
            some = self.words.any(LETTERS)
            yield from some[::2]
        for command in (*some[1::2], *(list(rest[: 2 if table else 1]) * 8)):
            varied = self.words.varied(table, command)
            try:
                yield read_command(msgspec.to_builtins(varied))
            except (Refused, msgspec.ValidationError):
                continue


def main() -> None:
    """Choose stories for every book and write them down."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="of processor time for each book")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--on", action="store_true", help="go on from the stories that were chosen before")
    parser.add_argument("--to", type=Path, default=TOLD)
    parser.add_argument("books", nargs="*", default=[*ids()])
    asked = parser.parse_args()
    watch = Watch([*files(TABLE), *files(SETTLEMENT)])
    kept: dict[str, list[ChosenStory]] = {book: [] for book in ids()}
    for each in told(asked.to) if asked.to.exists() else ():
        kept[each.book].append(each)
    for book in asked.books:
        before = [list(each.commands) for each in kept[book]] if asked.on else []
        choosing = Choosing(watch, before or list(scenarios(book)), asked.seed)
        first = len(choosing.stories)
        stories = choosing.chosen(asked.seconds)
        number = sum(map(len, stories))
        print(f"{book}: {first} stories and {choosing.tried} trials, {len(stories)} stories of {number} commands")
        for fault, commands in choosing.faults.items():
            print(f"  {fault}: after {len(commands) - 1} commands {commands[-1]}")
        sys.stdout.flush()
        kept[book] = [ChosenStory(book, tuple(story)) for story in stories]
        every = (msgspec.json.encode(each) + b"\n" for some in kept.values() for each in some)
        asked.to.write_bytes(lzma.compress(b"".join(every), preset=9))


if __name__ == "__main__":
    main()
