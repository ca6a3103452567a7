"""Drawings: house edges as bars, insurance as heat maps. Every mark carries its figure, so colour is never alone."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.colors import LinearSegmentedColormap, TwoSlopeNorm
from matplotlib.figure import Figure, FigureBase
from matplotlib.patches import Rectangle

from punto.design import Design
from punto.exposure import Exposure, Measure
from punto.odds import BetOdds, CellOdds, bet_odds, insurance_odds
from punto.report.charts import STAGES, drawable
from punto.report.colours import ALERT, AXIS, DARK, HANDS, HOUSE, INK, IVORY, OTHERS
from punto.report.document import BadReport
from punto.report.figures import deck_count, percent
from punto.rulebook import Menu
from punto.rulebook.words import pattern_in_words, pays_in_words

_FORMATS = {".png": "png", ".svg": "svg", ".pdf": "pdf"}
_EDGES = LinearSegmentedColormap.from_list("edge", [ALERT, IVORY, HOUSE])
_SETTINGS: dict[Any, object] = {
    "axes.edgecolor": AXIS,
    "axes.labelcolor": INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 9,
    "axes.titleweight": "bold",
    "figure.dpi": 150,
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "pdf.fonttype": 42,
    "savefig.dpi": 150,
    "svg.fonttype": "path",
    "svg.hashsalt": "punto",
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}


@contextmanager
def _our_style() -> Iterator[None]:
    """Our settings alone: a drawing does not depend on whose machine it is made on."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SETTINGS)
        yield


def plot_odds(menu: Menu, shoe: Sequence[int], path: str | Path) -> None:
    """Draw the edges of a layout, and insurance where the book has it, to a PNG, SVG or PDF file.

    >>> from punto.odds import full_shoe
    >>> from punto.rulebook import load, menu
    >>> plot_odds(menu(load("wu-song")), full_shoe(8), "edges.gif")
    Traceback (most recent call last):
    punto.report.document.BadReport: edges.gif: a drawing is a .png, .svg or .pdf file.
    """
    path, form = _form(path)
    odds = bet_odds(menu, shoe)
    cells = insurance_odds(menu.book, shoe)
    with _our_style():
        bars = _bars_height(odds)
        maps = _maps_height(cells)
        figure = Figure(figsize=(8, bars + maps), layout="constrained")
        title = f"{drawable(menu.book.title, menu.book.id)}, layout {menu.layout.id}, {sum(shoe)} cards"
        if cells:
            parts: Any = figure.subfigures(2, 1, height_ratios=(bars, maps))
            _draw_edges(parts[0].subplots(), odds, title)
            _draw_maps(parts[1], cells)
        else:
            _draw_edges(figure.subplots(), odds, title)
        path.write_bytes(_saved(figure, form))


def plot_exposure(menu: Menu, found: Exposure, path: str | Path) -> None:
    """Draw what perfect play wins by bet, and where in the shoe it wins it, to a PNG, SVG or PDF file."""
    path, form = _form(path)
    with _our_style():
        bars = 0.9 + 0.23 * len(found.bets)
        figure = Figure(figsize=(8, bars + 3), layout="constrained")
        parts: Any = figure.subfigures(2, 1, height_ratios=(bars, 3))
        book = drawable(menu.book.title, menu.book.id)
        title = f"{book}, layout {menu.layout.id}, {deck_count(found.dealing.decks)}"
        names = {bet: drawable(menu.bets[bet].bet.name, bet) for bet in found.bets}
        _draw_gains(parts[0].subplots(), found, names, title)
        _draw_depths(parts[1].subplots(), found, names)
        path.write_bytes(_saved(figure, form))


def plot_measures(menu: Menu, bet: str, found: Sequence[Measure], path: str | Path) -> None:
    """Draw countermeasures for a bet: what each leaves to win, beside the house edge it comes with."""
    path, form = _form(path)
    with _our_style():
        figure = Figure(figsize=(8, 0.9 + 0.21 * len(found)), layout="constrained")
        left, right = figure.subplots(1, 2, sharey=True, width_ratios=(3, 2))
        shown = list(reversed(found))
        places = range(len(shown))
        units = left.barh(places, [each.units for each in shown], color=ALERT, height=0.62)
        left.bar_label(units, [f"{each.units:.3f}" for each in shown], padding=4, fontsize=7)
        left.set_yticks(places, [f"{each.kind} {each.value}".strip() for each in shown])
        left.set_xlabel("units won a shoe")
        left.set_title(f"{drawable(menu.bets[bet].bet.name, bet)}: what is left to win")
        edges = right.barh(places, [each.house_edge * 100 for each in shown], color=HOUSE, height=0.62)
        right.bar_label(edges, [f"{each.house_edge * 100:.2f}" for each in shown], padding=4, fontsize=7)
        right.set_xlabel("house edge, % of the stake")
        right.set_title("the price")
        for axes in (left, right):
            axes.tick_params(axis="y", length=0)
            axes.margins(x=0.14)
        path.write_bytes(_saved(figure, form))


def plot_design(found: Design, name: str, path: str | Path) -> None:
    """Draw what each row of a designed pay table gives back of a unit staked."""
    path, form = _form(path)
    with _our_style():
        figure = Figure(figsize=(8, 0.9 + 0.3 * len(found.rows)), layout="constrained")
        axes = figure.subplots()
        shown = list(reversed(list(zip(found.rows, found.shares, strict=True))))
        bars = axes.barh(range(len(shown)), [float(share) for _, share in shown], color=HOUSE, height=0.62)
        axes.bar_label(bars, [pays_in_words(row) for row, _ in shown], padding=4, fontsize=7.5)
        axes.set_yticks(range(len(shown)), [drawable(str(pattern_in_words(row.when)), "") for row, _ in shown])
        axes.tick_params(axis="y", length=0)
        axes.margins(x=0.14)
        axes.set_xlabel("given back of a unit staked")
        edges = ", ".join(f"{float(edge):.3%} with {deck_count(decks)}" for decks, edge in found.edges.items())
        axes.set_title(f"{drawable(name, 'the bet')}: house edge {edges}")
        path.write_bytes(_saved(figure, form))


def _form(path: str | Path) -> tuple[Path, str]:
    """Where a drawing goes, and in which form."""
    path = Path(path)
    form = _FORMATS.get(path.suffix.lower())
    if form is None:
        raise BadReport(f"{path}: a drawing is a .png, .svg or .pdf file.")
    return path, form


def _draw_gains(axes: Axes, found: Exposure, names: Mapping[str, str], title: str) -> None:
    """A bar for each bet: units won a shoe, with its interval."""
    worth = {bet: found.perfect(bet).per_shoe for bet in names}
    shown = sorted(worth, key=lambda bet: worth[bet].value)
    gains = [worth[bet].value for bet in shown]
    reach = [0.0 if (each := worth[bet]).high is None else each.high - each.value for bet in shown]
    bars = axes.barh(range(len(shown)), gains, xerr=reach, color=ALERT, ecolor=INK, height=0.62)
    axes.bar_label(bars, [f"{gain:.4f}" for gain in gains], padding=4, fontsize=7.5)
    axes.set_yticks(range(len(shown)), [names[bet] for bet in shown])
    axes.tick_params(axis="y", length=0)
    axes.margins(x=0.14)
    axes.set_ylim(-0.6, len(shown) - 0.4)
    axes.set_xlabel("units won a shoe, one unit staked whenever the edge is the patron's")
    axes.set_title(title)


def _draw_depths(axes: Axes, found: Exposure, names: Mapping[str, str]) -> None:
    """A line for each bet: what a round is worth, by the cards left; the lines are named at their ends."""
    ends = []
    for bet, name in names.items():
        rows = [(left, 100 * units / rounds) for left, rounds, _, units in found.by_depth(bet)]
        if max(units for _, units in rows) > 0:
            axes.plot([left for left, _ in rows], [units for _, units in rows], marker=".", linewidth=1)
            ends.append((rows[-1][1], rows[-1][0], name))
    room = 0.05 * max((units for units, _, _ in ends), default=1.0)
    lowest = -room
    for units, left, name in sorted(ends):  # names keep their distance
        lowest = max(units, lowest + room)
        axes.annotate(name, (left, lowest), xytext=(6, 0), textcoords="offset points", fontsize=6, va="center")
    axes.invert_xaxis()
    axes.margins(x=0.12)
    axes.set_xlabel("cards left in the shoe")
    axes.set_ylabel("units per 100 rounds")


def _saved(figure: Figure, form: str) -> bytes:
    """A drawing without a date or anything else that changes from run to run."""
    kept = BytesIO()
    if form == "svg":
        _lay_out(figure)
    without = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}[form]
    figure.savefig(kept, format=form, metadata=without)
    return kept.getvalue()


def _lay_out(figure: Figure) -> None:
    """Find the places of all parts for SVG now; left to itself, Matplotlib draws everything once more to find them."""
    FigureCanvasSVG(figure)  # the figure is measured by this canvas from now on
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
        figure.set_layout_engine("none")


def _bars_height(odds: Mapping[str, BetOdds]) -> float:
    return 0.65 + 0.23 * len(odds)


def _maps_height(cells: Sequence[CellOdds]) -> float:
    return 4.7 if cells else 0.0


def _draw_edges(axes: Axes, odds: Mapping[str, BetOdds], title: str) -> None:
    """A bar for each bet, the lowest edge on top."""
    shown = sorted(odds.values(), key=lambda each: each.edge, reverse=True)
    edges = [float(each.edge) * 100 for each in shown]
    colours = [HANDS.get(each.bet, OTHERS) for each in shown]
    bars = axes.barh(range(len(shown)), edges, color=colours, height=0.62)
    axes.bar_label(bars, [percent(each.edge) for each in shown], padding=4, fontsize=7.5)
    axes.set_yticks(range(len(shown)), [drawable(each.name, each.bet) for each in shown])
    axes.tick_params(axis="y", length=0)
    axes.axvline(0, color=INK, linewidth=0.8)
    low, high = min(0.0, *edges), max(0.0, *edges)
    room = 0.14 * (high - low or 1)
    axes.set_xlim(low - (room if low < 0 else 0), high + room)
    axes.set_ylim(-0.6, len(shown) - 0.4)
    axes.locator_params(axis="x", nbins=7, prune="upper")
    axes.set_xlabel("house edge, % of the stake")
    axes.set_title(title)


def _draw_maps(figure: FigureBase, cells: Sequence[CellOdds]) -> None:
    """A heat map for each stage and hand; cells that favour the patron are framed."""
    met = [float(each.edge) for each in cells if each.met]
    norm = TwoSlopeNorm(0, min(-0.1, *met), max(0.1, *met))
    most = max(each.opposite for each in cells)
    grid = figure.subplots(2, 2)
    for line, stage in enumerate(STAGES):
        for column, hand in enumerate(("banker", "player")):
            shown = [each for each in cells if each.row.stage == stage and each.row.hand == hand]
            _draw_map(grid[line, column], shown, norm, f"{hand.capitalize()} cover {STAGES[stage]}", most)
    says = "House edge in % of the cover, below it the price. Framed: the edge is with the patron."
    figure.supxlabel(says, fontsize=7)


def _draw_map(axes: Axes, cells: Sequence[CellOdds], norm: TwoSlopeNorm, title: str, most: int) -> None:
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    if not any(each.met for each in cells):
        axes.set_axis_off()
        axes.set_title(f"{title}: none", fontsize=8)
        return
    hand = cells[0].row.hand
    axes.set_title(title, color=HANDS[hand], fontsize=8)
    for each in cells:
        if each.met:
            _draw_cell(axes, each, norm)
    owns = range(min(each.own for each in cells), max(each.own for each in cells) + 1)
    axes.set_xlim(-0.5, most + 0.5)
    axes.set_ylim(owns[0] - 0.5, owns[-1] + 0.5)
    axes.set_xticks(range(most + 1))
    axes.set_yticks(owns)
    axes.set_xlabel(f"{'Player' if hand == 'banker' else 'Banker'} points", fontsize=7)
    axes.set_ylabel(f"{hand.capitalize()} points", fontsize=7)


def _draw_cell(axes: Axes, cell: CellOdds, norm: TwoSlopeNorm) -> None:
    x, y, edge = cell.opposite, cell.own, float(cell.edge)
    depth = norm(edge)
    axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=_EDGES(depth), edgecolor="white", linewidth=1))
    if edge < 0:
        axes.add_patch(Rectangle((x - 0.45, y - 0.45), 0.9, 0.9, fill=False, edgecolor=INK, linewidth=1.2))
    colour = "white" if depth > DARK else INK
    weight = "bold" if edge < 0 else "normal"
    axes.text(x, y + 0.13, f"{edge * 100:.2f}", ha="center", va="center", fontsize=6.5, color=colour, weight=weight)
    axes.text(x, y - 0.27, cell.row.odds.text, ha="center", va="center", fontsize=5, color=colour)
