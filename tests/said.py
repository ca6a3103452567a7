"""Messages in whatever the engine makes, and what of them is left in Latin letters in another language."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from punto.messages import Message
from punto.messages.languages import language
from punto.rulebook import Refused
from punto.scenario import Scenario
from punto.table import Table, act, read_command
from punto.table.view import view

WRITTEN_BY_PEOPLE = frozenset(
    [
        "about",
        "approver",
        "book",
        "books",
        "by",
        "claim",
        "currency",
        "day",
        "fault",
        "field",
        "file",
        "game",
        "image",
        "label",
        "labels",
        "layout",
        "layouts",
        "letters",
        "name",
        "names",
        "note",
        "notice",
        "object",
        "other",
        "patron",
        "patrons",
        "person",
        "positions",
        "ranks",
        "reading",
        "reason",
        "suits",
        "table",
        "text",
        "time",
        "title",
        "value",
        "version",
        "who",
        "why",
    ]
)
"""Arguments that are shown as somebody has written them: names of people, layouts and books, and what was typed."""

_LATIN = re.compile(r"[A-Za-z]{2,}")
_CARDS = re.compile(r"\b(?:10|[2-9TJQKA])[cdhs]\b")


def messages_in(value: Any) -> Iterator[Message]:
    """Every message in a value made of structs, lists and mappings, but for those within messages."""
    if isinstance(value, Message):
        yield value
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from messages_in(getattr(value, name))
    elif isinstance(value, list | tuple):
        for each in value:
            yield from messages_in(each)
    elif isinstance(value, dict):
        yield from messages_in(list(value.values()))


def left_in_latin(tag: str, message: Message) -> list[str]:
    """The Latin words of a message in a language that neither its templates have nor somebody has written."""
    shown = language(tag).say(message)
    for each in sorted(_written(tag, message), key=len, reverse=True):
        shown = shown.replace(each, "")
    return _LATIN.findall(_CARDS.sub("", shown))


def _written(tag: str, message: Message) -> Iterator[str]:
    """What may be in Latin letters: words of the templates, and what people have written."""
    template = language(tag).entries[message.id]
    yield from _LATIN.findall(re.sub(r"\{[^}]*\}", "", template))
    quoted = set(re.findall(r"\{(\w+):quoted\}", template))
    for name, value in message.args.items():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, Message):
                yield from _written(tag, each)
            elif isinstance(each, str) and name in WRITTEN_BY_PEOPLE | quoted:
                yield each


def heard_in(story: Scenario) -> Iterator[Message]:
    """What is said while a story is played: in events, in refusals, and about what is to be done next."""
    table: Table | None = None
    for step in story.steps:
        given = dict(step.command)
        topic = given.get("question")
        if isinstance(topic, str) and table is not None:
            given["question"] = next((each.id for each in table.questions if each.topic == topic), 0)
        try:
            table, events = act(table, read_command(given), story.library)
        except Refused as refused:
            yield refused.message
            continue
        yield from messages_in(events)
        yield from messages_in(view(table, "dealer").next)
