"""A TOML document read key by key: every fault is noted with its line, and reading goes on."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from fractions import Fraction

from punto.messages import Sentence, say
from punto.rulebook.bookfile import BookFile, brief, mergeable
from punto.rulebook.lines import Path
from punto.rulebook.model import Basis, Names
from punto.rulebook.names import GivenNames
from punto.rulebook.nearest import distance, meant, nearest
from punto.rulebook.no_tables import not_a_table, not_tables
from punto.rulebook.number_ranges import members_of, named_twice, range_meant
from punto.rulebook.patterns import GROUPS
from punto.rulebook.prices import Odds
from punto.rulebook.refused_words import OTHER_WORDS, posted_word, refused_pattern, refused_test, refused_word
from punto.rulebook.toml_mistakes import not_a_moment
from punto.rulebook.value_faults import (
    MANY,
    missing_keys,
    none_named,
    none_of,
    not_among,
    not_text,
    twice,
)
from punto.rulebook.vocabulary import POINTS
from punto.rulebook.written_right import odds_meant

_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")

_NEAREST = 3
"""So many are named where all of them are far away."""
_ODDS = re.compile(r"[\d.]+:\d+", re.ASCII)
OPEN_ODDS = "?"
"""In the place of odds: `punto design` is to find them."""
_GREATEST = 999_999
"""The greatest whole number that means something in a book."""
_OF_AUTHORITY = ("ranks", "house-ranks")
"""What stands under `[authority]` besides its points."""
_LONGEST_SHARE = 20
_LONGEST_ODDS = 9
_LISTS_OF_NAMES = ("bets", "pays")
"""Keys under which names stand, in which there is no comma."""


class TomlTable:
    """A table of a TOML document. Reading a key marks it as known; `done` notes a fault for all others.

    An `unknown` table stands for one that is not there or is none, which is a fault already: it has no others.
    """

    def __init__(self, document: BookFile, path: Path, data: Mapping[str, object], unknown: bool = False) -> None:
        self.document, self.path, self.data, self.unknown = document, path, data, unknown
        self.taken: dict[str, bool] = {}
        """The keys that were read, and whether they are required."""

    def fault(self, key: str | None, says: Sentence) -> None:
        """Note a fault at a key of this table."""
        if not self.unknown:
            self.document.fault(self.path if key is None else (*self.path, key), says)

    def _fault_at(self, path: Path, says: Sentence) -> None:
        if not self.unknown:
            self.document.fault(path, says)

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def take(self, key: str, *, required: bool = True) -> object:
        """The raw value of a key; None where it is missing, which `done` says if it is required."""
        self.taken[key] = required or self.taken.get(key, False)
        return self.data.get(key)

    def done(self) -> None:
        """Note a fault for every key that was never read, and for every required one that is missing."""
        if self.unknown:
            return
        strange = [key for key in self.data if key not in self.taken]
        for key in [*strange]:
            refusal = refused_word(key)
            if refusal is None and "when" in self.path:
                refusal = self._refused_in_pattern(key)
            if refusal is None and self.path[:1] in (("bets",), ("limits",)):
                refusal = posted_word(key)
            if refusal is not None:
                self.fault(key, refusal)
            if refusal is not None or self._corrected(key):
                strange.remove(key)
        elsewhere = self._of_other_sections(strange)
        missing = [key for key, required in self.taken.items() if required and key not in self.data]
        missing = [key for key in missing if not self._is_corrected(key) and not self._is_elsewhere(key)]
        for key in missing:
            self.document.doubt((*self.path, key))
        if len(strange) == 1 and missing:
            says = say(
                "word-instead", "is not a word of the format here: {missing}", missing=missing_keys(missing, self.taken)
            )
            self.fault(strange[0], says)
            return
        for key in strange:
            if key not in elsewhere:
                self.fault(key, self._not_a_word(key))
        if missing:
            self.document.fault((*self.path, missing[0]), missing_keys(missing, self.taken), self.path)

    def _refused_in_pattern(self, key: str) -> Sentence | None:
        if any(part in GROUPS for part in self.path):
            return refused_test(key)
        return refused_pattern(key) or (None if meant(key, self.taken) else refused_test(key))

    def _corrected(self, key: str) -> bool:
        """Whether it is plain which key was meant; then it is read again as that one."""
        if self._section_of(key):
            return False
        absent = [word for word in self.taken if word not in self.data and not self._is_corrected(word)]
        others = [each for each in OTHER_WORDS.get(key, ()) if each in absent]
        word = others[0] if others else meant(key, absent)
        if word is None:
            word = meant(key, self.taken)
            if word is None or not mergeable(self.data.get(word), self.data[key]):
                return False
        says = say("word-misspelt", "is not a word of the format here: perhaps {word} is meant.", word=word)
        if len(others) > 1:
            says = say("not-a-word-but", "is not a word of the format here: perhaps {near:or} is meant.", near=others)
        self.document.correct((*self.path, key), says, key=word)
        return True

    def _is_elsewhere(self, key: str) -> bool:
        return self.document.doubtful((*self.path, key))

    def _is_corrected(self, word: str) -> bool:
        return self.document.is_corrected_to((*self.path, word))

    def _not_a_word(self, key: str) -> Sentence:
        near = nearest(key, self.taken)
        if near:
            return say("not-a-word-but", "is not a word of the format here: perhaps {near:or} is meant.", near=near)
        words = [word for word in self.taken if word not in self.data]
        if not words:
            return say("not-a-word-of-format", "is not a word of the format here.")
        if len(words) > MANY:
            near = sorted(words, key=lambda word: distance(key, word))[:_NEAREST]
            return say("not-a-word-near", "is not a word of the format here; the nearest are {near:and}.", near=near)
        return say("not-a-word-of", "is not a word of the format here; {words:or} may stand here, too.", words=words)

    def _section_of(self, key: str) -> str | None:
        """The section of points to which a key belongs, where this is another one."""
        if len(self.path) != 1 or self.path[0] not in POINTS:
            return None
        sections = {**POINTS, "authority": (*POINTS["authority"], *_OF_AUTHORITY)}
        return next((section for section, keys in sections.items() if key in keys), None)

    def _of_other_sections(self, strange: list[str]) -> list[str]:
        """Note one fault for all keys of another section: the line with its name is missing."""
        keys: dict[str, list[str]] = {}
        for key in strange:
            section = self._section_of(key)
            if section is not None:
                keys.setdefault(section, []).append(key)
        for section, several in keys.items():
            says = say("of-other-section", "{keys:and} belong under [{section}].", keys=several, section=section)
            self.fault(several[0], says)
            self.document.doubt((section,))
        return [key for several in keys.values() for key in several]

    def text(self, key: str, *, required: bool = True) -> str:
        """Some words; empty where they are missing."""
        value = self.take(key, required=required)
        if value is None:
            return ""
        says = self._not_text(key, value)
        if says is not None:
            self.fault(key, says)
        return value if isinstance(value, str) and says is None else ""

    def _not_text(self, key: str, value: object) -> Sentence | None:
        typed = None if isinstance(value, str) else self.document.as_typed((*self.path, key))
        return not_text(value, typed)

    def name(self, key: str, names: GivenNames, *, also: Sequence[str] = (), required: bool = True) -> str:
        """The name of something that the book has elsewhere, or one of some words."""
        value = self.text(key, required=required)
        if value and value not in also:
            names.used[value].append((*self.path, key))
        return value

    def maybe(self, key: str) -> str | None:
        """Some words, or None."""
        return self.text(key, required=False) or None

    def word(self, key: str, allowed: Sequence[str], *, required: bool = True) -> str:
        """One of the allowed words."""
        value = self.text(key, required=required)
        if value and value not in allowed:
            right = meant(value, allowed) if len(allowed) > MANY else None
            if right is None or self.unknown:
                self.fault(key, none_of(value, allowed))
            else:
                self.document.correct((*self.path, key), none_of(value, allowed), value=right)
        return value

    def whole(self, key: str, *, least: int = 0, most: int = _GREATEST, required: bool = True) -> int | None:
        """A whole number."""
        value = self.take(key, required=required)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            self.fault(
                key,
                say("must-be-whole-from", "must be a whole number from {least} to {most}.", least=least, most=most),
            )
            return None
        return value

    def flag(self, key: str, default: bool) -> bool:
        """True or false."""
        value = self.take(key, required=False)
        if value is None:
            return default
        if not isinstance(value, bool):
            self.fault(key, say("must-be-true-or-false", "must be true or false, without quotes."))
            return default
        return value

    def moment(self, key: str) -> datetime:
        """A date and time with its zone."""
        value = self.take(key)
        if isinstance(value, datetime) and value.tzinfo is not None:
            return value
        if value is not None:
            self.fault(key, not_a_moment())
        return datetime.min

    def texts(self, key: str, *, required: bool = False) -> tuple[str, ...]:
        """Some words or a list of them."""
        value = self.take(key, required=required)
        if value is None:
            return ()
        several = value if isinstance(value, list) else [value]
        if not several:
            self.fault(key, none_named())
        if key in _LISTS_OF_NAMES and isinstance(value, str) and "," in value and not self.document.kept:
            names = [f'"{each.strip()}"' for each in value.split(",") if each.strip()]
            self.fault(key, say("each-in-quotes", "must be a list: write {right}.", right=f"[{', '.join(names)}]"))
            return ()
        seen: set[str] = set()
        for at, each in enumerate(several):
            says = not_text(each) if isinstance(value, list) else self._not_text(key, each)
            if says is not None:
                self._fault_at((*self.path, key, at) if isinstance(value, list) else (*self.path, key), says)
                return ()
            if each in seen:
                self._fault_at((*self.path, key, at), twice(each))
            seen.add(each)
        return tuple(several)

    def translations(self, key: str) -> Names:
        """A text in other languages, by their tags: `{ zh-Hant = "龍七" }`."""
        section = self.child(key)
        found = tuple((tag, section.text(tag)) for tag in section.data)
        seen: set[str] = set()
        for tag in section.data:
            if not _LANGUAGE.fullmatch(tag):
                section.fault(tag, say("not-a-language", "is not the tag of a language, like zh-Hant, vi or pt-BR."))
            elif tag.casefold() in seen:
                section.fault(tag, say("language-twice", "stands here twice: capitals make no other language."))
            seen.add(tag.casefold())
        return found

    def odds(self, key: str) -> Odds:
        """Odds like 8:1."""
        value = self.take(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            self.fault(key, say("odds-in-quotes", 'must be odds in quotes, like "8:1" or "1:2".'))
            return Odds("1:1", 1, 1)
        text = value if isinstance(value, str) and ":" in value else self.text(key)
        if text == OPEN_ODDS:
            says = say("odds-are-open", "leaves the odds open: `punto design` finds some, or write them like 8:1.")
            self.fault(key, says)
            return Odds("1:1", 1, 1)
        refusal = refused_word(text)
        if refusal is not None:
            self.fault(key, refusal)
            return Odds("1:1", 1, 1)
        right = None if _ODDS.fullmatch(text) else odds_meant(text)
        if right is not None:
            says = say("odds-written", "{text:quoted} is not odds: write {right:quoted}.", text=text, right=right)
            self.fault(key, says)
            return Odds("1:1", 1, 1)
        if not text.isascii() or any(len(side) > _LONGEST_ODDS for side in text.split(":")):
            self.fault(
                key,
                say(
                    "odds-too-long",
                    "{text:quoted} is not odds: write at most {most} digits on each side, like 8:1.",
                    text=brief(text),
                    most=_LONGEST_ODDS,
                ),
            )
            return Odds("1:1", 1, 1)
        try:
            return Odds.of(text) if text else Odds("1:1", 1, 1)
        except ValueError as error:
            self.fault(key, say("not-odds", "{fault}", fault=str(error)))
            return Odds("1:1", 1, 1)

    def share(self, key: str) -> Fraction:
        """A share like 1/4."""
        text = self.text(key) or "1"
        try:
            share = Fraction(text) if len(text) <= _LONGEST_SHARE else Fraction(0)
        except (ValueError, ZeroDivisionError):
            share = Fraction(0)
        if not 0 < share <= 1:
            self.fault(key, say("not-a-share", "{text:quoted} is not a share: write it like 1/4.", text=brief(text)))
            return Fraction(1)
        return share

    def among(self, key: str, allowed: Sequence[int] | Sequence[str], *, required: bool = True) -> frozenset[int | str]:
        """A set of the allowed words or numbers: one, a list, or a range like `0-5,7-9`."""
        value = self.take(key, required=required)
        if value is None:
            return frozenset()
        several = value if isinstance(value, list) else [value]
        found: set[int | str] = set()
        for at, each in enumerate(several):
            members = members_of(each, allowed)
            path = (*self.path, key, at) if isinstance(value, list) else (*self.path, key)
            if members is None:
                self._not_in(path, each, allowed)
                continue
            for again in sorted((found & members) | named_twice(each), key=str)[:1]:
                self.document.fault(path, twice(again))
            found |= members
        if not several:
            self.fault(key, none_named())
        return frozenset(each for each in allowed if each in found)

    def among_key(self, key: str, allowed: Sequence[int]) -> frozenset[int | str]:
        """The same where the set is the key itself."""
        members = members_of(key, allowed)
        if members is None:
            self._not_in((*self.path, key), key, allowed, is_key=True)
        return frozenset(members or ())

    def _not_in(
        self, path: Path, value: object, allowed: Sequence[int] | Sequence[str], *, is_key: bool = False
    ) -> None:
        """Note that a value is not among the allowed ones; a range that is only written otherwise is put right."""
        right = range_meant(value, allowed[-1]) if isinstance(value, str) and isinstance(allowed[-1], int) else None
        if right is not None and members_of(right, allowed):
            says = say("range-written-so", "{value} is no range: write {right:quoted}.", value=repr(value), right=right)
            self.document.correct(path, says, key=right if is_key else None, value=right)
        elif isinstance(value, str) and isinstance(allowed[0], str):
            self.document.fault(path, none_of(value, [str(word) for word in allowed]))
        else:
            self.document.fault(path, not_among(value, allowed))

    def basis(self, key: str, *, required: bool = True) -> Basis:
        """`"3.16"`, a list of clauses, or `{ clause = …, readings = […] }`."""
        value = self.take(key, required=required)
        if isinstance(value, dict):
            child = self.child(key)
            basis = child.own_basis()
            child.done()
            return basis
        return Basis(self.texts(key, required=required), ())

    def own_basis(self, *, required: bool = True) -> Basis:
        """This table's own `clause` and `readings`."""
        return Basis(self.texts("clause", required=required), self.texts("readings"))

    def child(self, key: str, *, required: bool = False, like: str | None = None) -> "TomlTable":
        """The table at a key; an empty one where there is none, of which nothing is known if it is required.

        `like` is an example for those who wrote something else.
        """
        value = self.take(key, required=required)
        path = (*self.path, key)
        if isinstance(value, dict):
            return TomlTable(self.document, path, value, self.unknown)
        if value is not None:
            self.fault(key, not_a_table(path, value, like))
        return TomlTable(self.document, path, {}, self.unknown or required or value is not None)

    def children(self, key: str, *, required: bool = True) -> "dict[str, TomlTable]":
        """The tables under a key, by name."""
        parent = self.child(key, required=required)
        return {name: parent.child(name) for name in parent.data}

    def each(self, key: str, *, required: bool = True) -> "list[TomlTable]":
        """The tables of a list."""
        value = self.take(key, required=required)
        path = (*self.path, key)
        if value is None:
            return []
        if not isinstance(value, list) or not value:
            self.fault(key, not_tables(path, value))
            return []
        for at, each in enumerate(value):
            if not isinstance(each, dict):
                self.document.fault((*path, at), not_a_table((*path, at), each, "{ … }"))
        self.document.all_different(path, value)
        tables = [(at, each) for at, each in enumerate(value) if isinstance(each, dict)]
        return [TomlTable(self.document, (*path, at), each, self.unknown) for at, each in tables]
