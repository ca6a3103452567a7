"""What is said of a value that cannot stand where it does, and of keys that are missing."""

import re
from collections.abc import Iterable, Sequence
from datetime import date, time

from punto.messages import Sentence, say
from punto.rulebook.bookfile import brief, brief_value
from punto.rulebook.nearest import nearest

MANY = 12
"""So many words are listed where none is near."""
_LONGEST_TEXT = 1000
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]")
"""Controls, ends of lines and paragraphs, and marks that turn the direction of the words around them."""


def none_of(value: str, allowed: Sequence[str]) -> Sentence:
    """That a word is none of those that may stand here."""
    value = brief(value)
    if len(allowed) == 1:
        return say(
            "only-one-possible", "{value:quoted}: only {word:quoted} is possible here.", value=value, word=allowed[0]
        )
    near = nearest(value, allowed) if len(allowed) > MANY else []
    if near:
        return say(
            "nearest-words", "{value:quoted} is no word here: perhaps {near:or} is meant.", value=value, near=near
        )
    return say("none-of-words", "{value:quoted} is none of {words:or}.", value=value, words=words_or_nothing(allowed))


def not_among(value: object, allowed: Sequence[object]) -> Sentence:
    """That a value is none of those that may stand here."""
    words = words_or_nothing(allowed)
    if len(words) > MANY and all(isinstance(each, int) for each in allowed):
        told, first, last = brief_value(value), words[0], words[-1]
        return say("not-a-number-from", "{value} is not from {first} to {last}.", value=told, first=first, last=last)
    if len(words) > MANY:
        return say("no-word-here", "{value} is no word here.", value=brief_value(value))
    return say("not-among", "{value} is not among {words:or}.", value=brief_value(value), words=words)


def words_or_nothing(words: Iterable[object]) -> list[str]:
    """Words to be listed in a sentence, with a word where there are none."""
    return list(map(str, words)) or ["nothing"]


def ten_is_a_letter(ranks: str) -> Sentence:
    """That ranks are written with a letter each."""
    return say("ten-is-a-letter", "a ten is the letter T: write {ranks:quoted}.", ranks=ranks.replace("10", "T"))


def none_named() -> Sentence:
    """That a list is empty."""
    return say("must-name-something", "must name at least one: write it in the brackets.")


def twice(value: object) -> Sentence:
    """That a list names something more than once."""
    return say("stands-twice", "{what} stands here twice.", what=brief_value(value))


def missing_keys(keys: list[str], known: Iterable[str] = ()) -> Sentence:
    """That keys are missing; `known` are all that may stand here."""
    if keys == ["odds"] and "result" in known:
        return say("odds-or-result-missing", "odds is missing, or result where the bet does not win.")
    if len(keys) == 1:
        return say("key-missing", "{key} is missing.", key=keys[0])
    return say("keys-missing", "{keys:and} are missing.", keys=keys)


def not_text(value: object, typed: str | None = None) -> Sentence | None:
    """Why a value cannot be read as text; None where it can. `typed` is how a number or date is written in the file."""
    if isinstance(value, int | float | date | time) and not isinstance(value, bool) and typed is not None:
        return say("letters-in-quotes", "must be text, in quotes: write {right}.", right=f'"{typed}"')
    if not isinstance(value, str):
        return say("must-be-text", "must be text, in quotes.")
    if not value.strip():
        return say("must-not-be-empty", "must not be empty.")
    if len(value) > _LONGEST_TEXT:
        return say("words-too-long", "must not be longer than {most} letters.", most=_LONGEST_TEXT)
    if _CONTROL.search(value):
        return say("has-control-character", "has a character that cannot be printed.")
    return None
