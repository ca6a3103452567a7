"""Letters as outlines, so that a drawing looks the same wherever it is opened, whatever fonts are there.

Latin letters are of the DejaVu fonts that come with Matplotlib. Chinese ones need a font file: one that is given, or
one that is found among the system's.
"""

from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path

import matplotlib
import msgspec
from matplotlib.ft2font import FT2Font, LoadFlags

from punto.report.document import BadReport

_SIZE = 100
_MOVE, _LINE, _QUADRATIC, _CUBIC, _CLOSE = 1, 2, 3, 4, 79
"""The codes of Matplotlib's paths."""

_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts", "/System/Library/Fonts", "C:/Windows/Fonts")
_FAMILIES = ("notosanscjk", "notosanstc", "sourcehansans", "wqy-zenhei", "wqy-microhei", "uming", "pingfang", "msjh")
"""Fonts with traditional Chinese characters, in the order in which they are looked for."""


class Font(msgspec.Struct, frozen=True):
    """A font file, by which digest it is known whatever its name."""

    path: str

    @property
    def name(self) -> str:
        """The name of the file."""
        return Path(self.path).name

    @property
    def digest(self) -> str:
        """The SHA-256 of the file."""
        return sha256(Path(self.path).read_bytes()).hexdigest()


class Glyph(msgspec.Struct, frozen=True):
    """A letter: its outline as the path of an SVG, with y upwards, and how far it advances, for a size of 100."""

    outline: str
    advance: float


@cache
def latin(*, bold: bool = False) -> Font:
    """The font of Latin letters, which comes with Matplotlib."""
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return Font(str(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / name))


def chinese_font(given: Path | None, text: str) -> Font | None:
    """The font that is given, else the first of the system's that has these characters; None if there is none."""
    if given is not None:
        if not given.is_file():
            raise BadReport(f"{given}: there is no such font.")
        if not has_letters(Font(str(given)), text):
            raise BadReport(f"{given}: this font lacks characters that the drawings need.")
        return Font(str(given))
    files = [path for folder in _FOLDERS for path in _font_files(folder)]
    for family in _FAMILIES:
        for path in files:
            if Path(path).name.lower().startswith(family) and has_letters(Font(path), text):
                return Font(path)
    return None


def _font_files(folder: str) -> list[str]:
    """The font files under a folder, in the order of their paths."""
    found = (path for path in Path(folder).rglob("*") if path.suffix.lower() in (".ttf", ".ttc", ".otf"))
    return sorted(map(str, found))


def has_letters(font: Font, text: str) -> bool:
    """Whether a font has every letter of a text.

    >>> has_letters(latin(), "Egalité"), has_letters(latin(), "閒對")
    (True, False)
    """
    try:
        return all(_face(font).get_char_index(ord(letter)) for letter in text)
    except (OSError, RuntimeError):
        raise BadReport(f"{font.path}: this is no font that can be read.") from None


def family_of(font: Font) -> str:
    """The family of a font; of a collection, that of its first.

    >>> family_of(latin())
    'DejaVu Sans'
    """
    return _face(font).family_name


@lru_cache(8)
def _face(font: Font) -> FT2Font:
    face = FT2Font(font.path)
    face.set_size(_SIZE, 72)
    return face


def font_of(letter: str, fonts: tuple[Font, ...]) -> Font:
    """The first of these fonts that has a letter; the last where none has."""
    return next((font for font in fonts if _face(font).get_char_index(ord(letter))), fonts[-1])


@lru_cache(4096)
def glyph(letter: str, font: Font) -> Glyph:
    """A letter of a font.

    >>> glyph("I", latin()).advance > 20
    True
    """
    face = _face(font)
    if not face.get_char_index(ord(letter)):
        raise BadReport(f"The drawings cannot be made: no font here has the letter {letter!r}.")
    loaded = face.load_char(ord(letter), flags=LoadFlags.NO_HINTING)
    vertices, codes = face.get_path()
    points = [(_short(x), _short(y)) for x, y in vertices.tolist()]
    parts: list[str] = []
    at = 0
    while at < len(points):
        code = int(codes[at])
        count = {_MOVE: 1, _LINE: 1, _QUADRATIC: 2, _CUBIC: 3, _CLOSE: 1}[code]
        if code == _CLOSE:
            parts.append("Z")
        else:
            word = {_MOVE: "M", _LINE: "L", _QUADRATIC: "Q", _CUBIC: "C"}[code]
            parts.append(word + " ".join(f"{x} {y}" for x, y in points[at : at + count]))
        at += count
    return Glyph("".join(parts), loaded.linearHoriAdvance / 65536)


def _short(number: float) -> str:
    """A number of a drawing: one decimal, and no more digits than that takes."""
    text = f"{number:.1f}"
    return "0" if text in ("-0.0", "0.0") else text.removesuffix(".0")
