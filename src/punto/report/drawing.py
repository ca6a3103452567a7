"""A drawing as SVG, in millimetres: shapes and letters, nothing that depends on the reader's machine."""

from collections.abc import Sequence
from html import escape
from math import cos, radians, sin

from punto.report.lettering import Font, font_of, glyph

_SIZE = 100


def mm(number: float) -> str:
    """A length as an SVG has it: two decimals, and no more digits than that takes.

    >>> mm(12.5), mm(-0.001)
    ('12.5', '0')
    """
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class Drawing:
    """A sheet on which shapes and letters are put; y runs downwards. `scale` is how much smaller it prints."""

    def __init__(self, width: float, height: float, title: str, described: str, scale: float = 1) -> None:
        self.width, self.height, self.scale = width, height, scale
        self.title, self.described = title, described
        self.parts: list[str] = []
        self.glyphs: dict[tuple[str, str], str] = {}
        self.outlines: list[str] = []

    def rectangle(
        self, x: float, y: float, width: float, height: float, fill: str, line: str = "none", round_: float = 0
    ) -> None:
        """A rectangle with its upper left corner at a point."""
        corner = f' rx="{mm(round_)}"' if round_ else ""
        stroke = "" if line == "none" else f' stroke="{line}" stroke-width="{mm(self._hair)}"'
        self.parts.append(
            f'<rect x="{mm(x)}" y="{mm(y)}" width="{mm(width)}" height="{mm(height)}"{corner} fill="{fill}"{stroke}/>'
        )

    def line(self, x: float, y: float, to_x: float, to_y: float, colour: str) -> None:
        """A straight line."""
        width = mm(self._hair)
        self.parts.append(
            f'<path d="M{mm(x)} {mm(y)}L{mm(to_x)} {mm(to_y)}" stroke="{colour}" stroke-width="{width}"/>'
        )

    def sector(
        self, centre: tuple[float, float], inner: float, outer: float, angles: tuple[float, float], fill: str, line: str
    ) -> None:
        """A part of a ring between two angles, in degrees from the right, clockwise."""
        first, last = angles
        (a, b), (c, d) = on_circle(centre, outer, first), on_circle(centre, outer, last)
        (e, f), (g, h) = on_circle(centre, inner, last), on_circle(centre, inner, first)
        large = int(last - first > 180)
        path = (
            f"M{mm(a)} {mm(b)}A{mm(outer)} {mm(outer)} 0 {large} 1 {mm(c)} {mm(d)}"
            f"L{mm(e)} {mm(f)}A{mm(inner)} {mm(inner)} 0 {large} 0 {mm(g)} {mm(h)}Z"
        )
        self.parts.append(f'<path d="{path}" fill="{fill}" stroke="{line}" stroke-width="{mm(self._hair)}"/>')

    def text(
        self,
        words: str,
        at: tuple[float, float],
        size: float,
        fonts: Sequence[Font],
        colour: str,
        *,
        anchor: float = 0,
        turn: float = 0,
        most: float | None = None,
    ) -> float:
        """Letters with their baseline at a point; `anchor` 0.5 centres them. Returns the width that they take.

        Where they would be wider than `most`, they are made smaller.
        """
        wide = text_width(words, size, fonts)
        if most is not None and wide > most:
            size *= most / wide
            wide = most
        factor = size / _SIZE
        x = -anchor * wide / factor
        placed = []
        for letter in words:
            font = font_of(letter, tuple(fonts))
            name = self._glyph(letter, font)
            if name:
                placed.append(f'<use href="#{name}" x="{mm(x)}"/>')
            x += glyph(letter, font).advance
        turned = f" rotate({mm(turn)})" if turn else ""
        place = f"translate({mm(at[0])} {mm(at[1])}){turned} scale({factor:.5f} {-factor:.5f})"
        self.parts.append(f'<g transform="{place}" fill="{colour}">{"".join(placed)}</g>')
        return wide

    def _glyph(self, letter: str, font: Font) -> str:
        """The name of a letter among the outlines; nothing for a blank."""
        key = letter, font.path
        if key not in self.glyphs:
            outline = glyph(letter, font).outline
            self.glyphs[key] = f"g{len(self.outlines)}" if outline else ""
            if outline:
                self.outlines.append(f'<path id="{self.glyphs[key]}" d="{outline}"/>')
        return self.glyphs[key]

    @property
    def _hair(self) -> float:
        return 0.25 * self.scale

    def svg(self) -> str:
        """The whole drawing."""
        width, height = mm(self.width / self.scale), mm(self.height / self.scale)
        box = f"0 0 {mm(self.width)} {mm(self.height)}"
        size = f'width="{width}mm" height="{height}mm" viewBox="{box}"'
        return "\n".join(
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
                f"<title>{escape(self.title)}</title>",
                f"<desc>{escape(self.described)}</desc>",
                f"<defs>{''.join(self.outlines)}</defs>",
                *self.parts,
                "</svg>\n",
            )
        )


def text_width(words: str, size: float, fonts: Sequence[Font]) -> float:
    """How wide words are."""
    return sum(glyph(letter, font_of(letter, tuple(fonts))).advance for letter in words) * size / _SIZE


def on_circle(centre: tuple[float, float], radius: float, angle: float) -> tuple[float, float]:
    """A point on a circle, at an angle in degrees from the right, clockwise.

    >>> on_circle((0, 0), 10, 0)
    (10.0, 0.0)
    """
    return centre[0] + radius * cos(radians(angle)), centre[1] + radius * sin(radians(angle))
