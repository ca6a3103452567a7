"""Sentences of the rules, each as an id with arguments beside its English, so that it can be said in any language.

A sentence is written where it is said: `say("box-taken", "Box {box} is {patron}'s.", box=3, patron="ann")` is the
English text, and carries the `Message` from which a translation is made. Arguments are data, not English: money is in
minor units, odds are like `3:1`, hands, bets, ranks and facts are their ids, cards are like `Kd`, and several of them
are a list. Names of bets are as the book has them. A part of a sentence that is a sentence itself is a message, too.
How an argument is shown stands behind its name in the template, as `{stake:money}`; `FORMATS` has the ways of English.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from string import Formatter
from typing import Any

import msgspec

from punto.kinds import guard
from punto.messages.minor_units import show_money

_FACES = {"A": "ace", "T": "ten", "J": "jack", "Q": "queen", "K": "king"}
_COUNT = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class Message(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A sentence in no language: which one it is, and what it is about."""

    id: str
    args: "Arguments" = {}


Arguments = dict[str, "str | int | Message | list[str | int | Message]"]
"""What a message is about, by name."""


class Sentence(str):
    """An English sentence that knows its message."""

    __slots__ = ("message",)

    message: Message

    def __new__(cls, text: str, message: Message) -> "Sentence":
        """The text, with the message that it says."""
        made = super().__new__(cls, text)
        made.message = message
        return made

    def __reduce__(self) -> "tuple[type[Sentence], tuple[str, Message]]":
        """How it goes to another process."""
        return Sentence, (str(self), self.message)


class SpokenError(ValueError):
    """An error that is a sentence: whoever hears of it can be told in any language.

    >>> raise SpokenError(say("log-in-first", "Log in first."))
    Traceback (most recent call last):
    punto.messages.SpokenError: Log in first.
    """

    def __init__(self, says: Sentence) -> None:
        self.message = says.message
        super().__init__(str(says))

    def __reduce__(self) -> "tuple[type[SpokenError], tuple[Sentence]]":
        """How it goes to another process, with its message."""
        return type(self), (Sentence(str(self), self.message),)


class Wording(msgspec.Struct, frozen=True):
    """An id with its English template, for code that puts the sentence together itself or says it in several places.

    >>> Wording("box-taken", "Box {box} is {patron}'s.").say(box=3, patron="ann")
    "Box 3 is ann's."
    """

    id: str
    english: str

    def say(self, /, **args: Any) -> Sentence:
        """The sentence with those of the arguments that it names."""
        named = {name for _, name, _ in _parts(self.english)}
        return say(self.id, self.english, **{name: value for name, value in args.items() if name in named})

    def message(self, /, **args: Any) -> Message:
        """Its message alone; the arguments must be plain data."""
        return Message(self.id, args)


def say(name: str, english: str, /, **args: Any) -> Sentence:
    """An English sentence from its template, with its message.

    >>> told = say("wager-under-minimum", "{stake:money} is under the minimum of {least:money}.", stake=500, least=1000)
    >>> told
    '5.00 is under the minimum of 10.00.'
    >>> told.message
    Message(id='wager-under-minimum', args={'stake': 500, 'least': 1000})
    """
    if not args:
        return Sentence(english, Message(name))
    text = _fill(english, args, FORMATS)
    return Sentence(text, Message(name, {each: _data(value) for each, value in args.items()}))


def message_of(text: str) -> Message | None:
    """The message of a sentence; None of text that is no sentence of the engine."""
    return text.message if isinstance(text, Sentence) else None


def render(message: Message, catalogue: Mapping[str, str], formats: "Mapping[str, Format] | None" = None) -> str:
    """A message in the language of a catalogue of templates by id, with that language's ways to show arguments.

    >>> render(Message("box-taken", {"box": 3, "patron": "ann"}), {"box-taken": "Platz {box} ist der von {patron}."})
    'Platz 3 ist der von ann.'
    """
    return render_with(message, catalogue, FORMATS if formats is None else {**FORMATS, **formats})


def render_with(message: Message, catalogue: Mapping[str, str], ways: "Mapping[str, Format]") -> str:
    """The same with no other ways to show arguments than these."""
    args = {name: _told(value, catalogue, ways) for name, value in message.args.items()}
    return _fill(catalogue[message.id], args, ways)


Format = Callable[[Any], str]
"""How a language shows an argument of some kind."""


def joined(words: Iterable[Any], last: str) -> str:
    """Words with commas between them, and a word before the last.

    >>> joined(["a", "b", "c"], "or")
    'a, b or c'
    """
    *most, end = map(str, words)
    return f"{', '.join(most)} {last} {end}" if most else end


FORMATS: Mapping[str, Format] = {
    "": str,
    "money": show_money,
    "quoted": repr,
    "hand": str.capitalize,
    "rank": lambda rank: rank.replace("-", " ").title(),
    "odds": lambda odds: odds.replace(":", " to "),
    "count": lambda number: _COUNT[number],
    "counts": lambda numbers: joined([_COUNT[number] for number in numbers], "or"),
    "phrase": lambda parts: _capital(" ".join(parts)),
    "spaced": " ".join,
    "list": lambda values: ", ".join(map(str, values)),
    "items": "; ".join,
    "or": lambda values: joined(values, "or"),
    "and": lambda values: joined(values, "and"),
    "opening-list": lambda values: ", ".join(values).capitalize(),
    "face": lambda rank: str(_FACES.get(rank, rank)),
    "nth": lambda place: str(place + 1),
    "nths": lambda places: ", ".join(str(place + 1) for place in places),
    "cards": " ".join,
    "words": lambda name: name.replace("-", " "),
    "seconds": lambda number: f"{number} second" if number == 1 else f"{number} seconds",
    "decks": lambda number: f"{number} deck" if number == 1 else f"{number} decks",
    "sum": lambda values: " + ".join(map(str, values)),
}
"""How English shows arguments, by the word behind their name in a template."""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


@lru_cache(maxsize=4096)
def _parts(template: str) -> tuple[tuple[str, str | None, str], ...]:
    return tuple((text, name, way or "") for text, name, way, _ in Formatter().parse(template))


def _fill(template: str, args: Mapping[str, Any], formats: Mapping[str, Format]) -> str:
    return "".join(text if name is None else text + formats[way](args[name]) for text, name, way in _parts(template))


def _told(value: Any, catalogue: Mapping[str, str], formats: Mapping[str, Format]) -> Any:
    """An argument with the messages in it said."""
    if isinstance(value, Message):
        return render_with(value, catalogue, formats)
    if isinstance(value, list):
        return [_told(each, catalogue, formats) for each in value]
    return value


def _data(value: Any) -> Any:
    """An argument as it is kept: text, a whole number, a message, or a list of these."""
    kind = type(value)
    if kind is str or kind is int:
        return value
    if isinstance(value, Sentence):
        return value.message
    if isinstance(value, list | tuple):
        return [_data(each) for each in value]
    raise TypeError(f"{value!r} is no argument of a message")


guard(globals(), "joined", "message_of", "render", "render_with")
