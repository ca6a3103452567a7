"""The texts that come with Punto: the approved books, and apart from them public games that nobody has approved."""

from functools import cache
from importlib.resources import files

_BOOKS = files("punto.rulebook") / "books"
_GAMES = files("punto.rulebook") / "games"


@cache
def ids() -> tuple[str, ...]:
    """The books that come with Punto.

    >>> ids()
    ('commission-insurance', 'da-hu-ying-xiong', 'dragon-tiger-hoiana', 'dragon-tiger-mbs', 'wu-song')
    """
    return tuple(sorted(each.name.removesuffix(".toml") for each in _BOOKS.iterdir()))


@cache
def games() -> tuple[str, ...]:
    """The public games that come with Punto. They are no approved texts.

    >>> "punto-banco" in games(), "wu-song" in games()
    (True, False)
    """
    return tuple(sorted(each.name.removesuffix(".toml") for each in _GAMES.iterdir()))


def shipped_text(name: str) -> bytes:
    """The text of a book or a game that ships, as its file has it."""
    return ((_GAMES if name in games() else _BOOKS) / f"{name}.toml").read_bytes()
