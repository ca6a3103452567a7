"""A story at which two books part, as two scenarios: each runs as told under its own book."""

import shlex
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from punto.amounts import show_money
from punto.compare.aligning import Names
from punto.compare.lockstep import Pair, Reaction, answered, together
from punto.rulebook import Book, Library
from punto.scenario import write
from punto.table import commands as c
from punto.table import events as e
from punto.table import read_command

_BETS, _RANKS = frozenset(("bet",)), frozenset(("by", "post", "to", "level"))
_MONEY = frozenset(("stake", "amount"))
_MORE_THAN_A_WORD = frozenset(" \t\n'\"\\#=")


class Parting(msgspec.Struct, frozen=True):
    """The story: its commands, what each book makes of the last of them, and the scenarios that show it."""

    commands: tuple[str, ...]
    a: str
    b: str
    scenario_a: str
    scenario_b: str


def witness(title: str, pair: Pair, books: tuple[Book, Book], names: Names, story: tuple[c.Command, ...]) -> Parting:
    """A story with what two books make of it; `names` are those that the second has of its own.

    The story is told up to the command at which the books part.
    """
    told = list(together(pair, story))
    both = told[-1][1]
    own = Names(*(_turned(each) for each in (names.bets, names.layouts, names.offers, names.ranks)))
    ours = [write(command) for command, _ in told]
    in_theirs = [_in_words_of(command, own, books[1].id) for command, _ in told]
    theirs = [write(command) for command in in_theirs]
    a, b = in_short(both.a), in_short(_at_own_table(books[1], in_theirs))
    if a == b:  # a word for each event does not tell them apart
        a, b = f"{a} {_only_here(both.a, both.b)}", f"{b} {_only_here(both.b, both.a)}"
    return Parting(
        tuple(ours),
        a,
        b,
        _scenario(title, books[0], ours, _expected(both.a, both.b, Names())),
        _scenario(title, books[1], theirs, _expected(both.b, both.a, own)),
    )


def _only_here(mine: Reaction, other: Reaction) -> str:
    """What is in the events of a command, and not in those of another table, as names with values."""
    there = dict(_values(other))
    return " ".join(
        f"{name}={_word(value)}" for (at, name), value in _values(mine) if there.get((at, name), value) != value
    )


def _values(answer: Reaction) -> Iterator[tuple[tuple[int, str], Any]]:
    """Every value of the events of a command, by its event and its name, also within what an event holds."""
    for at, event in enumerate(answer.events):
        told = {name: value for name, value in msgspec.to_builtins(event).items() if name not in _NOT_TOLD}
        for name, value in told.items():
            inner = value if isinstance(value, dict) else {name: value}
            yield from (((at, key), each) for key, each in inner.items() if key not in _NOT_TOLD)


def _at_own_table(book: Book, story: Iterable[c.Command]) -> Reaction:
    """What a book makes of the last command of a story in its own words, with its own names."""
    library, answer = Library().with_book(book), Reaction(None)
    for command in story:
        answer = answered(answer.table, command, library)
    return answer


def in_short(answer: Reaction) -> str:
    """What became of a command, in a few words."""
    if answer.refused is not None:
        return f"refused: {answer.refused}"
    lines = [line.says for each in answer.events if isinstance(each, e.RoundSettled) for line in _lines(each)]
    return " ".join(lines) or ", ".join(_said(each) for each in answer.events)


def _lines(event: e.RoundSettled) -> Iterator[Any]:
    return (line for lines in event.lines.values() for line in lines)


def _said(event: e.Event) -> str:
    """An event by its name and what it holds in single words."""
    if isinstance(event, e.Asked):
        return f"{event.question.to} is asked: {event.question.says}"
    words = " ".join(f"{name}={value}" for name, value in _simple(event))
    return f"{event.__struct_config__.tag} {words}".strip()


def _scenario(title: str, book: Book, commands: list[str], expected: list[str]) -> str:
    lines = [f"scenario {title}", f"# Under {book.id}, edition {book.digest[:12]}.", "", *commands]
    return "\n".join([*lines, *(f"  {each}" for each in expected)]) + "\n"


def _turned(names: Mapping[str, str]) -> dict[str, str]:
    return {theirs: own for own, theirs in names.items()}


def _in_words_of(command: c.Command, own: Names, book: str) -> c.Command:
    """A command in the names of the second book."""
    given = msgspec.to_builtins(command)
    for key, value in given.items():
        if isinstance(value, str):
            given[key] = _own(key, value, own, book)
    return read_command(given)


def _own(key: str, value: str, own: Names, book: str) -> str:
    if key == "book":
        return book
    if key in _BETS:
        return own.bets.get(value, value)
    if key == "layout":
        return own.layouts.get(value, value)
    return own.ranks.get(value, value) if key in _RANKS else value


# What is expected


def _expected(mine: Reaction, other: Reaction, own: Names) -> list[str]:
    """What happens under one book and does not under the other."""
    if mine.refused is not None:
        return ["refused"]
    here, there = mine.happened, other.happened or []
    found = []
    for event, plain in zip(mine.events, here, strict=True):
        if plain not in there:
            like = next((each for each in other.events if type(each) is type(event)), None)
            found += _expectation(event, like, own)
    kinds = {str(each.__struct_config__.tag) for each in mine.events}
    found += [f"no-event {each}" for each in _kinds(other) if each not in kinds]
    told = {_absent(each, mine.events, own) for each in mine.events}
    for event, plain in zip(other.events, there, strict=True):
        absent = _absent(event, mine.events, own)
        if plain not in here and event.__struct_config__.tag in kinds and absent not in told | set(found):
            found += [absent] if absent else []
    return found


def _absent(event: e.Event, happened: Iterable[e.Event], own: Names) -> str:
    """That an event did not happen, by all that a scenario tells of it; nothing where other lines tell of it.

    Where one of its kind did happen and has more to it, the event is told to be without that.
    """
    if isinstance(event, e.RoundSettled | e.Asked | e.ComplaintAnswered):
        return ""
    told = _with_fields(f"no-event {event.__struct_config__.tag}", event, None, own)
    here = msgspec.to_builtins(event)
    alike = (msgspec.to_builtins(each) for each in happened if type(each) is type(event))
    more = dict.fromkeys(name for each in alike for name in each if name not in here and name not in _NOT_TOLD)
    return " ".join([told, *(f"{name}={_word(None)}" for name in more)])


def _kinds(answer: Reaction) -> Iterator[str]:
    return iter(dict.fromkeys(str(each.__struct_config__.tag) for each in answer.events))


def _expectation(event: e.Event, like: e.Event | None, own: Names) -> list[str]:
    """An event as a scenario expects it: where the other book has one of its kind, by what is different in it."""
    if isinstance(event, e.RoundSettled):
        lines = [
            f"line {patron} {own.bets.get(line.bet, line.bet)} {line.result} {_signed(line.net)}"
            for patron, every in event.lines.items()
            for line in every
        ]
        lines.append(f"event round-settled strikes={_word(event.strikes)}")
        if isinstance(like, e.RoundSettled):
            lines += [
                f"event round-settled {name}={_word(value)}"
                for name, value in msgspec.to_builtins(event).items()
                if name not in _ON_LINES and value != msgspec.to_builtins(like).get(name)
            ]
        return lines
    named = f"event {event.__struct_config__.tag}"
    if isinstance(event, e.ComplaintAnswered):
        return [f"{named} says={shlex.quote(event.says)}"]
    if isinstance(event, e.Asked):
        named = f"asks {event.question.topic}"
        told, other = event.question, like.question if isinstance(like, e.Asked) else None
        return [_with_fields(named, told, other, own)]
    return [_with_fields(named, event, like, own)]


def _with_fields(named: str, told: msgspec.Struct, like: msgspec.Struct | None, own: Names) -> str:
    mine, others = msgspec.to_builtins(told), msgspec.to_builtins(like) if like is not None else None
    fields = {name: value for name, value in mine.items() if name not in _NOT_TOLD}
    if others is not None:
        absent = {name: None for name in others if name not in mine and name not in _NOT_TOLD}
        fields = {name: value for name, value in {**fields, **absent}.items() if value != others.get(name)}
    words = [f"{name}={_field(name, value, (others or {}).get(name), own)}" for name, value in fields.items()]
    return " ".join([named, *words])


_ON_LINES = frozenset(("lines", "spots", "strikes", "event", "message", "says", "basis"))
_NOT_TOLD = frozenset(("basis", "message", "says", "row", "acting", "event", "by", "id", "step", "digest", "book"))


def _field(name: str, value: Any, other: Any, own: Names) -> str:
    """A value in a scenario: a word, words with commas, or JSON; of a table only what is different."""
    if isinstance(value, str):
        return shlex.quote(_own(name, value, own, ""))
    if isinstance(value, dict) and isinstance(other, dict):
        value = {key: each for key, each in value.items() if each != other.get(key) and key not in _NOT_TOLD}
    if isinstance(value, int) and not isinstance(value, bool) and name in _MONEY:
        return show_money(value)
    return _word(value)


def _word(value: Any) -> str:
    if not value:
        return "no" if value is False else "none"
    if isinstance(value, bool):
        return "yes"
    if isinstance(value, list | tuple) and all(isinstance(each, str | int) for each in value):
        return ",".join(map(str, value))
    return str(value) if isinstance(value, int) else shlex.quote(msgspec.json.encode(value).decode())


def _simple(event: e.Event) -> Iterator[tuple[str, str]]:
    """The fields of an event that a scenario can name in a word."""
    for field in msgspec.structs.fields(event):
        value = getattr(event, field.name)
        if field.name in ("basis", "message", "says", "row", "acting", "by") or value == field.default:
            continue
        if isinstance(value, bool):
            yield field.encode_name, "yes" if value else "no"
        elif isinstance(value, int):
            yield field.encode_name, show_money(value) if field.name in _MONEY else str(value)
        elif isinstance(value, str) and value and not _MORE_THAN_A_WORD & set(value):
            yield field.encode_name, value
        elif isinstance(value, tuple) and value and all(isinstance(each, str | int) for each in value):
            yield field.encode_name, ",".join(map(str, value))


def _signed(amount: int) -> str:
    return f"-{show_money(-amount)}" if amount < 0 else show_money(amount)
