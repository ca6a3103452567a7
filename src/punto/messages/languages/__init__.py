"""Other languages than English: a file for each, and what messages say in them.

A line of such a file is an id with its template, which names the same arguments as the English. Other lines begin with
a kind and a slash: `bet/tiger` is what the bet is called, `join/or` stands between the values of a list, `show/quoted`
is how a value is quoted, `page/lobby` a phrase of the pages. A file may say that it is made `from` another one, with
other words and other characters. `name` is what the language calls itself.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from punto.messages import FORMATS, Format, Message, message_of, render, render_with
from punto.messages.catalogue import english

ENGLISH = "en"

_ENDING = ".txt"
_NOT_SET_OFF = re.compile(r"(^|[\s，：；（、。「或])，+")  # noqa: RUF001  # the marks of Chinese
"""A part of a sentence may begin with a comma, which sets it off; where nothing stands before it there is none."""
_BLANK = re.compile(r'\{"( *)"\}')


class Language(msgspec.Struct, frozen=True):
    """What messages say in a language, and how that language writes what is not a message."""

    entries: Mapping[str, str]
    write: Callable[[str], str]
    """Text of the language that this one is made from, in this one."""

    def say(self, message: Message) -> str:
        """A message in this language; one that the file does not have, in English.

        >>> language("zh-Hant").say(Message("box-taken", {"box": 3, "patron": "ann"}))
        '3 號位是 ann 的。'
        """
        if not self.knows(message):
            return render(message, english())
        return _NOT_SET_OFF.sub(r"\1", render_with(message, self.entries, _Ways(self.entries)))

    def knows(self, message: Message) -> bool:
        """Whether the file has an entry for a message, and for every message in it."""
        return message.id in self.entries and all(map(self.knows, _within(message.args.values())))

    def term(self, kind: str, name: str) -> str:
        """What something is called; what the file does not name, as it is written.

        >>> language("zh-Hans").term("bet", "Player Pair"), language("zh-Hans").term("bet", "Lucky Nine")
        ('闲对', 'Lucky Nine')
        """
        return self.entries.get(_key(kind, name), name)


@cache
def languages() -> tuple[str, ...]:
    """The tags of all languages: English, and those that there is a file for.

    >>> languages()
    ('en', 'zh-Hans', 'zh-Hant')
    """
    files = [each.name for each in resources.files(__name__).iterdir()]
    return ENGLISH, *sorted(name.removesuffix(_ENDING) for name in files if name.endswith(_ENDING))


@cache
def language(tag: str) -> Language:
    """A language by its tag; `ValueError` of one that there is no file for."""
    if tag not in languages()[1:]:
        raise ValueError(f"There is no file for the language {tag!r}.")
    own = read(resources.files(__name__).joinpath(tag + _ENDING).read_text(encoding="utf-8"))
    base = own.pop("from", None)
    if base is None:
        return Language(own, str)
    write = _writer(own.pop("words", ""), own.pop("characters", ""))
    made = {name: write(text) for name, text in language(base).entries.items()}
    return Language({**made, **own}, write)


def say_in(tag: str, message: Message) -> str:
    """A message in a language.

    >>> say_in("zh-Hans", Message("bets-closed")), say_in("en", Message("bets-closed"))
    ('已停止下注。', 'Bets are closed.')
    """
    return render(message, english()) if tag == ENGLISH else language(tag).say(message)


def told_in(tag: str, text: str) -> str:
    """A sentence in a language; text that has no message stays as it is written.

    >>> from punto.messages import say
    >>> told_in("zh-Hant", say("bets-closed", "Bets are closed.")), told_in("zh-Hant", "My own words.")
    ('已停止下注。', 'My own words.')
    """
    message = None if tag == ENGLISH else message_of(text)
    return str(text) if message is None else language(tag).say(message)


def read(text: str) -> dict[str, str]:
    r"""The entries of a file; what a line with blanks before it says belongs to the entry above.

    >>> read("# Words\nbets-closed = 已停止下注。\nwords =\n  甚麼→什么\n  檔案→文件\n")["words"]
    '甚麼→什么 檔案→文件'
    """
    found: dict[str, str] = {}
    name = ""
    for line in text.splitlines():
        if line.startswith(" "):
            found[name] = f"{found[name]} {line.strip()}".strip()
        elif line and not line.startswith("#"):
            name, _, said = line.partition("=")
            name = name.strip()
            if name in found:
                raise ValueError(f"{name} stands twice in a file of a language.")
            found[name] = said.strip()
    return {name: _BLANK.sub(r"\1", said) for name, said in found.items()}


def _writer(words: str, characters: str) -> Callable[[str], str]:
    """How text is written in a language that is made from another: words first, the longest before others."""
    changed = dict(pair.split("→") for pair in words.split())
    longest_first = sorted(changed, key=len, reverse=True)
    found = re.compile("|".join(map(re.escape, longest_first)) or "(?!)")
    table = {ord(pair[0]): pair[1] for pair in characters.split()}
    return lambda text: found.sub(lambda match: changed[match[0]], text).translate(table)


class _Ways(dict[str, Format]):
    """How a language shows arguments; ways that are joined by + are taken one after the other."""

    def __init__(self, entries: Mapping[str, str]) -> None:
        self._entries = entries
        super().__init__()

    def __missing__(self, way: str) -> Format:
        """How a way is gone, which is then known."""
        made = self[way] = lambda value: str(self._shown(way, value))
        return made

    def _shown(self, way: str, value: Any) -> Any:
        first, _, more = way.partition("+")
        shown = self._one(first, value)
        return self._shown(more, shown) if more else shown

    def _one(self, way: str, value: Any) -> Any:
        if way in ("", "money"):
            return FORMATS[way](value)
        if f"join/{way}" in self._entries:
            return self._entries[f"join/{way}"].join(map(str, value))
        if isinstance(value, list):
            return [self._one(way, each) for each in value]
        if way == "nth":
            return FORMATS[way](value)
        if way == "odds":
            win, _, of = value.partition(":")
            return self._entries["show/odds"].format(win=win, of=of)
        if f"show/{way}" in self._entries:
            return self._entries[f"show/{way}"].format(value=value)
        return self._entries.get(_key(way, str(value)), value)


def _key(kind: str, name: str) -> str:
    return f"{kind}/{name.lower().replace(' ', '-')}"


def _within(values: Any) -> Iterator[Message]:
    """The messages among some arguments."""
    for value in values:
        if isinstance(value, Message):
            yield value
        elif isinstance(value, list):
            yield from _within(value)
