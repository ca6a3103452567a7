"""Names that a book gives to its own things, and where it uses them: bets, pay groups, offers and ranks."""

import re
from collections import defaultdict
from collections.abc import Callable

from punto.messages import Sentence, say
from punto.rulebook.lines import Path
from punto.rulebook.nearest import meant, nearest

_A_NAME = re.compile(r"(?=.*[^\W\d])[\w -]+")
_MANY = 12
"""So many names are listed where none is near."""


class GivenNames:
    """The names of one kind: where each is given, and where it is used."""

    def __init__(self, kind: str, home: Path, demanded: tuple[str, ...] = ()) -> None:
        self.kind, self.home, self.demanded = kind, home, demanded
        self.given: dict[str, Path] = {}
        self.used: dict[str, list[Path]] = defaultdict(list)

    def unknown(self) -> list[str]:
        """The names that are used and never given."""
        return [name for name in self.used if name not in self.given]

    def misspelt(self, name: str, spelt: Callable[[str], int]) -> str | None:
        """The given name that is misspelt, where an unknown one is right: that is how the file spells it elsewhere."""
        unused = [each for each in self.given if each not in self.used and each not in self.demanded]
        strange = [each for each in unused if not _A_NAME.fullmatch(each)]
        if len(strange) == 1 and self.unknown() == [name]:
            return strange[0]  # nothing can be called so
        given = meant(name, unused)
        if given is None or (name not in self.demanded and spelt(name) <= spelt(given)):
            return None
        return given

    def right(self, name: str) -> str | None:
        """The given name that an unknown one is a misspelling of."""
        unused = [each for each in self.given if each not in self.used]
        return meant(name, unused) or meant(name, self.given)

    def otherwise(self, name: str) -> Sentence:
        """That a given name is misspelt: the file names another one, which is not there."""
        return say(
            "name-used-otherwise",
            "other lines name the {kind} {name:quoted}, which is not there: perhaps it is meant.",
            kind=self.kind,
            name=name,
        )

    def not_given(self, name: str, line: Callable[[Path], int | None]) -> Sentence:
        """That a name is used and never given, with the nearest that are."""
        near = nearest(name, self.given)
        if not self.given:
            return say("no-name-of-kind", "there is no {kind} {name:quoted}, nor any other.", kind=self.kind, name=name)
        if not near:
            return say(
                "no-such-name-of",
                "there is no {kind} {name:quoted}, only {names:list}.",
                kind=self.kind,
                name=name,
                names=list(self.given)[:_MANY],
            )
        lines = [_with_line(each, line(self.given[each])) for each in near]
        return say(
            "no-such-name",
            "there is no {kind} {name:quoted}: perhaps {near:or} is meant.",
            kind=self.kind,
            name=name,
            near=lines,
        )


def _with_line(name: str, line: int | None) -> Sentence:
    """A name with the line of the file that gives it; one of the base has none."""
    if line is None:
        return say("name-of-base", "{name}", name=name)
    return say("name-at-line", "{name} (line {line})", name=name, line=line)
