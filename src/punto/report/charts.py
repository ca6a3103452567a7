"""The figures of certificates as SVG: bars of edges and of gains, and heat maps of insurance.

They are drawn with our own pen, letters as outlines: a certificate need not wait for Matplotlib, and looks the same
wherever it is opened. Every mark carries its figure, so colour is never alone.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import floor, log10

import msgspec

from punto.exposure import Exposure
from punto.odds import BetOdds, CellOdds
from punto.report.colours import ALERT, AXIS, DARK, HANDS, HOUSE, INK, IVORY, OTHERS
from punto.report.drawing import Drawing, text_width
from punto.report.figures import percent
from punto.report.lettering import Font, has_letters, latin

WIDTH = 174.0
"""The width of the text on a page, in millimetres."""

STAGES = {"four-cards": "after four cards", "third-card": "after the Player's third card"}
MOST_TICKS = 8

_BAR, _STEP, _FOOT = 3.6, 5.8, 10.0
_TEXT, _LABEL = 2.8, 2.65
_GAP = 1.6


class Bar(msgspec.Struct, frozen=True):
    """A bar: whose it is, how long, what is written at its end, and how far its interval reaches either way."""

    name: str
    value: float
    label: str
    colour: str
    reach: float = 0.0


def edges_svg(odds: Mapping[str, BetOdds]) -> str:
    """The bar chart of a layout's edges, the lowest on top."""
    shown = sorted(odds.values(), key=lambda each: each.edge)
    bars = [
        Bar(
            drawable(each.name, each.bet),
            float(each.edge) * 100,
            percent(each.edge),
            HANDS.get(each.bet, OTHERS),
        )
        for each in shown
    ]
    return _bar_chart(bars, "House edges", "house edge, % of the stake")


def exposure_svg(found: Exposure, names: Mapping[str, str]) -> str:
    """What perfect play wins by bet, the most on top, with its interval."""
    bars = []
    for bet, name in names.items():
        worth = found.perfect(bet).per_shoe
        reach = 0.0 if worth.high is None else worth.high - worth.value
        bars.append(Bar(drawable(name, bet), worth.value, f"{worth.value:.4f}", ALERT, reach))
    bars.sort(key=lambda each: each.value, reverse=True)
    says = "units won a shoe, one unit staked whenever the edge is the patron's"
    return _bar_chart(bars, "Units won a shoe", says)


def drawable(name: str, id_: str) -> str:
    """A name, or the id where the font has not all of its letters."""
    return name if has_letters(latin(), name) else id_


def ticks(low: float, high: float, most: int = MOST_TICKS) -> list[float]:
    """Round numbers from low to high, at most so many.

    >>> ticks(0, 36.2), ticks(-1.2, 14)
    ([0.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 35.0], [0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0])
    >>> ticks(0, 0)
    [0.0]
    """
    if high <= low:
        return [low + 0.0]
    power = 10.0 ** floor(log10((high - low) / most))
    steps = (factor * power for factor in (1, 2, 5, 10, 20))
    step = next(each for each in steps if (high - low) / each < most)
    first, last = -floor(-low / step), floor(high / step)
    return [round(count * step, 10) + 0.0 for count in range(first, last + 1)]


class _Scale:
    """Where on a sheet a value lies: between two values, and between two places."""

    def __init__(self, values: tuple[float, float], places: tuple[float, float]) -> None:
        self.low, self.high = values
        self.left, self.right = places

    def __call__(self, value: float) -> float:
        return self.left + (value - self.low) / (self.high - self.low) * (self.right - self.left)


def _bar_chart(bars: Sequence[Bar], title: str, axis: str) -> str:
    """Bars from top to bottom over an axis; each has its name at the left and its figure at its end."""
    fonts = (latin(),)
    bottom = 1.5 + _STEP * len(bars)
    described = "; ".join(f"{each.name} {each.label}" for each in bars)
    sheet = Drawing(WIDTH, bottom + _FOOT, title, f"{axis}: {described}.")
    left = min(WIDTH / 2, 2 + _GAP + max(text_width(each.name, _TEXT, fonts) for each in bars))
    beyond = 2 + _GAP + max(text_width(each.label, _LABEL, fonts) for each in bars)
    low = min(0.0, *(each.value - each.reach for each in bars))
    high = max(0.0, *(each.value + each.reach for each in bars))
    if low == high:
        high = 1.0
    scale = _Scale((low, high), (left + (beyond if low < 0 else 0), WIDTH - beyond))
    for number, each in enumerate(bars):
        _draw_bar(sheet, each, 1.5 + _STEP * number + _STEP / 2, scale, left, fonts)
    sheet.line(left, bottom, WIDTH - 2, bottom, AXIS)
    sheet.line(scale(0), 1, scale(0), bottom, INK)
    for tick in _ticks_that_fit(low, high, scale, fonts):
        x = scale(tick)
        sheet.line(x, bottom, x, bottom + 1, AXIS)
        sheet.text(f"{tick:g}", (x, bottom + 4), _LABEL, fonts, INK, anchor=0.5)
    half = min(text_width(axis, _TEXT, fonts), WIDTH - 4) / 2
    middle = min((left + WIDTH) / 2, WIDTH - 2 - half)  # below the bars, and whole on the sheet
    sheet.text(axis, (middle, bottom + 8.4), _TEXT, fonts, INK, anchor=0.5, most=WIDTH - 4)
    return sheet.svg()


def _ticks_that_fit(low: float, high: float, scale: _Scale, fonts: tuple[Font, ...]) -> list[float]:
    """As many round numbers as have room beside each other below the axis."""
    found: list[float] = []
    for most in range(MOST_TICKS, 1, -1):
        found = ticks(low, high, most)
        widest = max((text_width(f"{tick:g}", _LABEL, fonts) for tick in found), default=0.0)
        if all(scale(after) - scale(tick) > widest + _GAP for tick, after in pairwise(found)):
            break
    return found


def _draw_bar(sheet: Drawing, bar: Bar, y: float, scale: _Scale, left: float, fonts: tuple[Font, ...]) -> None:
    start, end = sorted((scale(0), scale(bar.value)))
    sheet.rectangle(start, y - _BAR / 2, end - start, _BAR, bar.colour)
    first, last = scale(bar.value - bar.reach), scale(bar.value + bar.reach)
    if bar.reach:
        sheet.line(first, y, last, y, INK)
        for x in (first, last):
            sheet.line(x, y - 0.8, x, y + 0.8, INK)
    base = y + _TEXT * 0.36
    sheet.text(bar.name, (left - _GAP, base), _TEXT, fonts, INK, anchor=1, most=left - _GAP - 2)
    if bar.value < 0:
        sheet.text(bar.label, (min(start, first) - _GAP, base), _LABEL, fonts, INK, anchor=1)
    else:
        sheet.text(bar.label, (max(end, last) + _GAP, base), _LABEL, fonts, INK)


_MAP_LEFT, _MAP_HEAD, _MAP_FOOT, _ROW = 11.0, 7.0, 10.0, 6.6
_MAP_BETWEEN = 4.0


def insurance_svg(cells: Sequence[CellOdds]) -> str:
    """The heat maps of a book's insurance, by stage and hand; cells that favour the patron are framed."""
    shown = {
        (stage, hand): [cell for cell in cells if cell.met and cell.row.stage == stage and cell.row.hand == hand]
        for stage in STAGES
        for hand in ("banker", "player")
    }
    met = [float(each.edge) for each in cells if each.met]
    shades = _Shades(min(-0.1, *met), max(0.1, *met))
    most = max(each.opposite for each in cells)
    heights = {stage: max(_map_height(shown[stage, hand]) for hand in ("banker", "player")) for stage in STAGES}
    sheet = Drawing(WIDTH, sum(heights.values()) + 5, "House edge of cover", "By stage and hand, as in the tables.")
    wide = (WIDTH - _MAP_BETWEEN) / 2
    top = 0.0
    for stage, height in heights.items():
        for column, hand in enumerate(("banker", "player")):
            at = (column * (wide + _MAP_BETWEEN), top)
            _draw_map(sheet, shown[stage, hand], at, wide / (1 + most + _MAP_LEFT / _ROW), shades, (stage, hand, most))
        top += height
    says = "House edge in % of the cover, below it the price. Framed: the edge is with the patron."
    sheet.text(says, (WIDTH / 2, top + 3), _LABEL, (latin(),), INK, anchor=0.5)
    return sheet.svg()


class _Shades:
    """Colours of edges: those of the patron towards amber, those of the house towards green."""

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high

    def depth(self, edge: float) -> float:
        """From 0, most with the patron, over a half, to 1, most with the house."""
        return 0.5 - 0.5 * edge / self.low if edge < 0 else 0.5 + 0.5 * edge / self.high

    def colour(self, edge: float) -> str:
        """The colour of an edge."""
        depth = self.depth(edge)
        first, last = (ALERT, IVORY) if edge < 0 else (IVORY, HOUSE)
        share = 2 * depth - (edge >= 0)
        parts = zip(_parts(first), _parts(last), strict=True)
        return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in parts)


def _parts(colour: str) -> list[int]:
    """Red, green and blue of a colour.

    >>> _parts("#e0a526")
    [224, 165, 38]
    """
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


def _rows(cells: Sequence[CellOdds]) -> range:
    """The totals of the covered hand, from the least to the most."""
    owns = [each.own for each in cells]
    return range(min(owns), max(owns) + 1)


def _map_height(cells: Sequence[CellOdds]) -> float:
    return _MAP_HEAD + _MAP_FOOT + _ROW * len(_rows(cells)) if cells else _MAP_HEAD


def _draw_map(
    sheet: Drawing,
    cells: Sequence[CellOdds],
    at: tuple[float, float],
    wide: float,
    shades: _Shades,
    of: tuple[str, str, int],
) -> None:
    """The map of a stage and hand, with its upper left corner at a point; its cells are so wide."""
    stage, hand, most = of
    plain, bold = (latin(),), (latin(bold=True),)
    left, top = at[0] + _MAP_LEFT, at[1] + _MAP_HEAD
    title = f"{hand.capitalize()} cover {STAGES[stage]}"
    if not cells:
        sheet.text(f"{title}: none", (left, top - 2), _TEXT, bold, INK)
        return
    sheet.text(title, (left, top - 2), _TEXT, bold, HANDS[hand])
    rows = _rows(cells)
    for cell in cells:
        place = (left + cell.opposite * wide, top + (rows[-1] - cell.own) * _ROW)
        _draw_cell(sheet, cell, place, wide, shades)
    for own in rows:
        sheet.text(str(own), (left - 1.5, top + (rows[-1] - own + 0.64) * _ROW), _LABEL, plain, INK, anchor=1)
    bottom = top + len(rows) * _ROW
    for points in range(most + 1):
        sheet.text(str(points), (left + (points + 0.5) * wide, bottom + 3.4), _LABEL, plain, INK, anchor=0.5)
    other = "Player" if hand == "banker" else "Banker"
    middle = (left + (most + 1) / 2 * wide, bottom + 7.2)
    sheet.text(f"{other} points", middle, _LABEL, plain, INK, anchor=0.5)
    side = (at[0] + 4.5, (top + bottom) / 2)
    sheet.text(f"{hand.capitalize()} points", side, _LABEL, plain, INK, anchor=0.5, turn=-90)


def _draw_cell(sheet: Drawing, cell: CellOdds, place: tuple[float, float], wide: float, shades: _Shades) -> None:
    x, y = place
    edge = float(cell.edge)
    sheet.rectangle(x, y, wide, _ROW, shades.colour(edge), "#ffffff")
    if edge < 0:
        sheet.rectangle(x + 0.4, y + 0.4, wide - 0.8, _ROW - 0.8, "none", INK)
    colour = "#ffffff" if shades.depth(edge) > DARK else INK
    fonts = (latin(bold=edge < 0),)
    middle = x + wide / 2
    sheet.text(f"{edge * 100:.2f}", (middle, y + 3.1), 2.3, fonts, colour, anchor=0.5, most=wide - 1.2)
    sheet.text(cell.row.odds.text, (middle, y + 5.5), 1.8, (latin(),), colour, anchor=0.5)
