"""Which known words a misspelt one is nearest to."""

from collections.abc import Iterable

_SHOWN = 3
_LONGEST = 200
"""A longer word is no misspelling of anything."""


def distance(one: str, other: str) -> int:
    """How many letters are wrong, missing, too many or swapped with their neighbour; `_` and capitals do not count.

    >>> distance("card", "cards"), distance("Boxes_Clause", "boxes-clause"), distance("hnad", "hand")
    (1, 0, 1)
    """
    one, other = one.lower().replace("_", "-"), other.lower().replace("_", "-")
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        earlier, before, row = before, row, [at]
        for to, wanted in enumerate(other, 1):
            cost = min(before[to] + 1, row[to - 1] + 1, before[to - 1] + (letter != wanted))
            if at > 1 and to > 1 and letter == other[to - 2] and one[at - 2] == wanted:
                cost = min(cost, earlier[to - 2] + 1)
            row.append(cost)
    return row[-1]


def nearest(word: str, known: Iterable[str]) -> list[str]:
    """The known words that a word may be a misspelling of, the nearest first; few, or none.

    >>> nearest("box-clause", ["boxes-clause", "menu-clause", "layouts-clause"])
    ['boxes-clause']
    >>> nearest("minimum", ["min", "max", "clause"])
    ['min']
    """
    if len(word) > _LONGEST:
        return []
    found = sorted((_apart(word, each), at, each) for at, each in enumerate(dict.fromkeys(known)))
    return [each for apart, _, each in found if apart <= _most(word, each)][:_SHOWN]


def meant(word: str, known: Iterable[str]) -> str | None:
    """The one known word that a word is a misspelling of; None where it may be none, or two as well.

    >>> meant("banker-8", ["banker-3", "banker-4"]), meant("natural-playr", ["natural-player", "natural-banker"])
    (None, 'natural-player')
    """
    found = nearest(word, known)
    if not found or (len(found) > 1 and _apart(word, found[0]) == _apart(word, found[1])):
        return None
    return found[0]


def _apart(word: str, known: str) -> int:
    """Twice the distance; but a beginning of the other word is nearly one letter away: `min` and `minimum`."""
    short, long = sorted((word.lower(), known.lower()), key=len)
    if len(short) > 2 and long.startswith(short):
        return min(3, 2 * distance(word, known))
    return 2 * distance(word, known)


def _most(word: str, known: str) -> int:
    return max(3, 2 * (min(len(word), len(known)) // 4))
