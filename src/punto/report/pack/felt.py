"""A layout drawn to scale: boxes around the dealer, the areas of the bets with their odds, from the book's data.

The books tell which bets a layout carries and how many positions it may have. They give no measures: those are Punto's.
"""

from collections.abc import Mapping
from fractions import Fraction

from punto.coup import RANKS, Card
from punto.coup.coup import SIGNS
from punto.report.colours import HANDS
from punto.report.drawing import Drawing, on_circle
from punto.report.lettering import Font, latin
from punto.report.pack.chinese import HEADINGS, PAYS, bet_in_chinese, layout_in_chinese
from punto.rulebook import Book, Menu, Priced, PrintedCard, menu

_HOW_MANY = "the text does not tell how many"

SCALE = 10
"""A millimetre on paper is so many on the felt."""

_FELT, _LINES, _AREA, _INK = "#12463b", "#f6f1e4", "#1b5a4c", "#15181c"
_MARGIN, _FOOT = 90.0, 190.0
_NUMBER, _HAND, _TIE, _SIDE = 70.0, 120.0, 90.0, 72.0
_LEAST_INNER, _LEAST_BOX = 430.0, 100.0
_HALF = 180.0


def layout_svg(book: Book, name: str, chinese: Font | None = None) -> str:
    """A layout of a book as SVG, at a scale of 1 to 10; in Chinese where a font for it is given.

    >>> from punto.rulebook import load
    >>> layout_svg(load("wu-song"), "C").count("<title>")
    1
    """
    carried = menu(book, name)
    on = carried.layout
    boxes = on.positions.max or on.positions.min
    rings = [(bet, _depth(priced)) for bet, priced in carried.bets.items()]
    inner = max(_LEAST_INNER, boxes * _LEAST_BOX / 3.1416)
    outer = inner + sum(depth for _, depth in rings) + _NUMBER
    width = 2 * (outer + _MARGIN)
    height = outer + 2 * _MARGIN + _FOOT
    label = f"{book.title}, layout {name}"
    drawing = Drawing(width, height, label, _described(carried, boxes), SCALE)
    drawing.rectangle(0, 0, width, height, "#ffffff")
    centre = (width / 2, _MARGIN)
    drawing.rectangle(_MARGIN / 2, _MARGIN / 2, width - _MARGIN, outer + _MARGIN, _FELT, _INK, 60)
    labels = _labels(carried, chinese)
    fonts = (latin(bold=True), *((chinese,) if chinese else ()))
    _boxes(drawing, carried, centre, inner, boxes, labels, fonts)
    _dealer(drawing, centre, labels, fonts, book.cards.printed)
    _foot(drawing, book, carried, boxes, outer, fonts)
    return drawing.svg()


def _depth(priced: Priced) -> float:
    if priced.bet.hand is not None:
        return _HAND
    return _TIE if priced.bet.id == "tie" else _SIDE


def _labels(carried: Menu, chinese: Font | None) -> Mapping[str, str]:
    """What stands in the areas: names, and in Chinese what the layout itself prints where the book tells."""
    if chinese is None:
        return {bet: priced.bet.name.upper() for bet, priced in carried.bets.items()}
    printed = {bet: label for label, bet in carried.layout.labels}
    return {bet: printed.get(bet) or bet_in_chinese(priced.bet) for bet, priced in carried.bets.items()}


def odds_text(priced: Priced, pays: str = "{win} TO {of}") -> str:
    """What a bet pays, as it is printed on a felt.

    >>> from punto.rulebook import load
    >>> tie = menu(load("dragon-tiger-mbs"))["tie"]
    >>> odds_text(tie), odds_text(tie, PAYS)
    ('8 TO 1', '1 賠 8')
    """
    odds = sorted({row.odds.fraction: row.odds for row in priced.rows if row.odds}.items(), reverse=True)
    if len(odds) > 1 and all(each.denominator == 1 for each, _ in odds):
        return pays.format(win=" / ".join(str(each) for each, _ in odds), of=1)
    told = [each.text.split(":") for _, each in odds]
    return " / ".join(pays.format(win=win, of=of) for win, of in told)


def _boxes(
    drawing: Drawing,
    carried: Menu,
    centre: tuple[float, float],
    inner: float,
    boxes: int,
    labels: Mapping[str, str],
    fonts: tuple[Font, ...],
) -> None:
    step = float(Fraction(180, boxes))
    pays = (PAYS,) if len(fonts) > 1 else ()
    for box in range(boxes):
        first = _HALF - (box + 1) * step
        middle = first + step / 2
        radius = inner
        # the hands lie nearest to the patron, side bets nearest to the dealer
        for bet in reversed(list(carried.bets)):
            priced = carried.bets[bet]
            depth = _depth(priced)
            drawing.sector(centre, radius, radius + depth, (first, first + step), _fill(bet), _LINES)
            room = (radius + depth / 2) * step / 57.2958 * 0.86
            turn = middle - 90
            size = depth * (0.34 if priced.bet.hand else 0.3)
            upper = on_circle(centre, radius + depth * 0.46, middle)
            lower = on_circle(centre, radius + depth * 0.84, middle)
            drawing.text(labels[bet], upper, size, fonts, _LINES, anchor=0.5, turn=turn, most=room)
            drawing.text(odds_text(priced, *pays), lower, size * 0.72, fonts, _LINES, anchor=0.5, turn=turn, most=room)
            radius += depth
        drawing.sector(centre, radius, radius + _NUMBER, (first, first + step), _AREA, _LINES)
        place = on_circle(centre, radius + _NUMBER * 0.7, middle)
        drawing.text(str(box + 1), place, 46, fonts, _LINES, anchor=0.5, turn=middle - 90)


def _fill(bet: str) -> str:
    return HANDS.get(bet, _AREA)


def _dealer(
    drawing: Drawing,
    centre: tuple[float, float],
    labels: Mapping[str, str],
    fonts: tuple[Font, ...],
    printed: PrintedCard | None,
) -> None:
    """The tray for chips, and the areas in which the cards of either hand lie, one of them perhaps printed there."""
    x, y = centre
    drawing.rectangle(x - 240, y + 20, 480, 90, _AREA, _LINES, 12)
    for hand, left in (("player", x - 300), ("banker", x + 20)):
        drawing.rectangle(left, y + 140, 280, 130, HANDS[hand], _LINES, 8)
        drawing.text(
            labels.get(hand, hand.upper()),
            (left + 140, y + 220),
            44,
            fonts,
            _LINES,
            anchor=0.5,
            most=250 if printed is None else 170,
        )
        if printed is not None and ("player", "banker")[printed.place % 2] == hand:
            drawing.rectangle(left + 8, y + 170, 44, 66, _LINES, _INK, 6)
            drawing.text(_on_card(printed.card), (left + 30, y + 212), 28, fonts, _INK, anchor=0.5, most=38)


def _on_card(card: Card) -> str:
    """A card as it is printed: its rank, and the sign of its suit where it has one.

    >>> from punto.coup import card
    >>> _on_card(card("7h")), _on_card(card("T"))
    ('7♥', '10')
    """
    return RANKS[card.rank - 1].replace("T", "10") + (SIGNS[card.suit] if card.suit else "")


def _foot(drawing: Drawing, book: Book, carried: Menu, boxes: int, outer: float, fonts: tuple[Font, ...]) -> None:
    """What it is, how large, and a bar to measure by."""
    y = outer + 2 * _MARGIN
    on = carried.layout
    chinese = len(fonts) > 1
    called = layout_in_chinese(on) if chinese else on.title or on.version
    title = f" ({called})" if called else ""
    named = f"{HEADINGS['Layout']} {on.id}{title}" if chinese else f"Layout {on.id}{title}"
    count = f"{boxes} {HEADINGS['boxes']}" if chinese else f"{boxes} box{'es' * (boxes > 1)}"
    if on.positions.max is None:
        count += f" ({HEADINGS[_HOW_MANY] if chinese else _HOW_MANY})"
    plain = (latin(), *fonts[1:])
    version = HEADINGS["version"] if chinese else "version"
    drawing.text(
        f"{book.title}, {version} {book.version}", (_MARGIN, y + 20), 42, fonts, _INK, most=drawing.width * 0.6
    )
    unit = HEADINGS["mm"] if chinese else "mm"
    size = f"{round(drawing.width - _MARGIN)} x {round(outer + _MARGIN)} {unit}"
    scale = HEADINGS["Scale"] if chinese else "Scale"
    drawing.text(f"{named}; {count}; {size}", (_MARGIN, y + 75), 34, plain, _INK, most=drawing.width * 0.6)
    drawing.text(f"{book.id} {book.digest}", (_MARGIN, y + 125), 24, plain, _INK, most=drawing.width * 0.6)
    right = drawing.width - _MARGIN
    for part in range(5):
        fill = _INK if part % 2 == 0 else "#ffffff"
        drawing.rectangle(right - 500 + part * 100, y + 60, 100, 18, fill, _INK)
    drawing.text(f"{scale} 1:{SCALE}", (right, y + 30), 34, plain, _INK, anchor=1)
    drawing.text("0", (right - 500, y + 118), 28, plain, _INK, anchor=0.5)
    drawing.text(f"500 {unit}", (right, y + 118), 28, plain, _INK, anchor=1)


def _described(carried: Menu, boxes: int) -> str:
    """The drawing in words."""
    areas = "; ".join(f"{priced.bet.name}, {odds_text(priced).lower()}" for priced in carried.bets.values())
    return (
        f"{boxes} boxes around the dealer, numbered from the left of the drawing. In each, from the patron to the "
        f"dealer: {areas}. Before the dealer the tray and the areas of the two hands. Drawn one to {SCALE}; the book "
        "gives no measures."
    )
