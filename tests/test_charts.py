"""The figures of certificates: what is drawn is as long, as many and as framed as the exact figures are."""

import re
import subprocess
import sys
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from punto.odds import bet_odds, full_shoe, insurance_odds
from punto.report.charts import WIDTH, edges_svg, exposure_svg, insurance_svg, ticks
from punto.report.colours import INK
from punto.report.exposed import expose_book
from punto.rulebook import load, menu

SVG = "{http://www.w3.org/2000/svg}"
PLACE = re.compile(r"translate\(([-\d.]+) ([-\d.]+)\)")
Box = tuple[float, float, float, float]


def boxes(drawn: str) -> list[tuple[Box, ElementTree.Element]]:
    """The rectangles of a drawing: left, top, right and bottom."""
    found = []
    for each in ElementTree.fromstring(drawn).iter(f"{SVG}rect"):
        x, y, width, height = (float(each.attrib[name]) for name in ("x", "y", "width", "height"))
        found.append(((x, y, x + width, y + height), each))
    return found


def texts(drawn: str) -> list[tuple[float, float]]:
    """Where the lines of letters begin."""
    groups = ElementTree.fromstring(drawn).iter(f"{SVG}g")
    places = [PLACE.match(each.attrib["transform"]) for each in groups]
    return [(float(each[1]), float(each[2])) for each in places if each]


FULL = tuple(full_shoe(8))
NEARLY_ALL_TIES = (1, *(0,) * 8, *FULL[9:])
MOSTLY_SIXES = (2, 2, 2, 2, 2, 32, *(2,) * (len(FULL) - 6))
SHOES = pytest.mark.parametrize("shoe", [FULL, NEARLY_ALL_TIES, MOSTLY_SIXES])
"""Shoes in which every edge is the house's, and some are the patron's."""


@SHOES
def test_bars_are_as_long_as_edges_and_on_their_side_of_nought(shoe: tuple[int, ...]) -> None:
    odds = bet_odds(menu(load("da-hu-ying-xiong")), shoe)
    bars = [box for box, _ in boxes(edges_svg(odds))]
    edges = sorted(float(each.edge) for each in odds.values())
    assert len(bars) == len(edges)
    zeros = [left if edge >= 0 else right for (left, _, right, _), edge in zip(bars, edges, strict=True)]
    assert max(zeros) - min(zeros) < 0.05  # millimetres
    lengths = [right - left for left, _, right, _ in bars]
    unit = sum(lengths) / sum(map(abs, edges))
    for length, edge in zip(lengths, edges, strict=True):
        assert length == pytest.approx(abs(edge) * unit, abs=0.05)
    tops = [top for _, top, _, _ in bars]
    assert tops == sorted(tops)  # the lowest edge stands on top


@SHOES
def test_no_bar_and_no_letter_leaves_the_sheet(shoe: tuple[int, ...]) -> None:
    odds = bet_odds(menu(load("commission-insurance")), shoe)
    drawn = edges_svg(odds)
    for (left, _, right, _), _ in boxes(drawn):
        assert 0 <= left <= right <= WIDTH
    assert all(0 <= x <= WIDTH for x, _ in texts(drawn))


def test_what_cannot_be_lettered_is_named_by_its_id() -> None:
    odds = bet_odds(menu(load("wu-song")), full_shoe(8))
    named = {bet: msgspec.structs.replace(each, name="閒") for bet, each in odds.items()}
    described = ElementTree.fromstring(edges_svg(named)).findtext(f"{SVG}desc")
    assert described is not None
    assert "閒" not in described
    assert "banker " in described


def test_a_chart_of_gains_has_a_bar_and_an_interval_for_each_bet() -> None:
    found = expose_book(load("wu-song"), "C", shoes=60)
    named = dict(found.groups["Layout C"])
    drawn = exposure_svg(found.run, named)
    bars = [box for box, _ in boxes(drawn)]
    gains = sorted((found.run.perfect(key).per_shoe.value for key in named), reverse=True)
    lengths = [right - left for left, _, right, _ in bars]
    unit = sum(lengths) / sum(gains)
    assert lengths == pytest.approx([gain * unit for gain in gains], abs=0.05)


@pytest.mark.parametrize("name", ["commission-insurance", "da-hu-ying-xiong"])
def test_every_cell_that_is_met_has_its_own_place_and_frame(name: str) -> None:
    cells = [each for each in insurance_odds(load(name), full_shoe(8)) if each.met]
    drawn = boxes(insurance_svg(cells))
    filled = [box for box, each in drawn if each.attrib["fill"] != "none"]
    framed = [box for box, each in drawn if each.attrib["fill"] == "none"]
    assert len(filled) == len(cells)
    assert len(framed) == sum(each.edge < 0 for each in cells)
    for one, other in combinations(filled, 2):
        apart = min(one[2], other[2]) - max(one[0], other[0]), min(one[3], other[3]) - max(one[1], other[1])
        assert min(apart) < 0.05  # they touch at most
    for left, top, right, bottom in framed:
        assert any(a < left and b < top and right < c and bottom < d for a, b, c, d in filled)
    assert all(each.attrib.get("stroke") == INK for _, each in drawn if each.attrib["fill"] == "none")


def test_figures_favouring_the_patron_are_framed() -> None:
    cells = [each for each in insurance_odds(load("commission-insurance"), full_shoe(8)) if each.met]
    cells[0] = msgspec.structs.replace(cells[0], wins=cells[0].met, stands=0)
    framed = [each for _, each in boxes(insurance_svg(cells)) if each.attrib["fill"] == "none"]
    assert len(framed) == 1 + sum(each.edge < 0 for each in cells[1:])


@pytest.mark.parametrize(("low", "high"), [(0, 0.003), (-4, 9.9), (0, 36.2), (-0.01, 0), (0, 1234)])
def test_ticks_are_round_even_and_few(low: float, high: float) -> None:
    found = ticks(low, high)
    assert 3 <= len(found) <= 9
    assert low <= found[0]
    assert found[-1] <= high
    steps = {float(f"{b - a:.6g}") for a, b in pairwise(found)}
    assert len(steps) == 1
    assert f"{steps.pop():e}"[0] in "125"


def test_a_certificate_waits_for_no_plotting(tmp_path: Path) -> None:
    """What Matplotlib loads to plot takes longer than all figures of a certificate take to be drawn."""
    program = f"""
import sys
from punto.report import write_certificate
from punto.rulebook import load
write_certificate(load("wu-song"), {str(tmp_path / "it.html")!r}, "C")
print([each for each in sys.modules if each in ("matplotlib.figure", "matplotlib.axes")])
from punto.report import plot_odds
print("matplotlib.figure" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\nTrue\n"
