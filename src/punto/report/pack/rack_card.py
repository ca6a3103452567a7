"""The rack card: what a patron may bet, what it pays, and when cards are drawn, on one side of a card."""

from punto.coup import STOOD, banker_draws
from punto.messages import Sentence
from punto.odds import bet_odds, full_shoe, insurance_odds
from punto.report.bets import usual_decks
from punto.report.colours import HANDS
from punto.report.drawing import Drawing, text_width
from punto.report.figures import deck_count, percent
from punto.report.groups import Group
from punto.report.lettering import Font, latin
from punto.report.pack.chinese import (
    BANKER_DRAWS,
    BANKER_DRAWS_ON,
    BANKER_STANDS,
    FOOT,
    HEADINGS,
    PAYS,
    PLAY,
    bet_in_chinese,
    in_chinese,
    layouts_in_chinese,
)
from punto.rulebook import Book
from punto.rulebook.bet_rules import bet_rules
from punto.rulebook.words import cover_in_words, pattern_in_words, pays_in_words, printed_in_words, ranges

WIDTH = 100.0
"""A rack card is so wide, in millimetres, and as long as it must be."""

LONGEST = 275.0
"""What would be longer than that goes on in a column beside it, and the card is as much wider."""

_MARGIN, _LINE, _TOP = 6.0, 4.2, 18.0

_SIZE, _LEAST = 2.9, 2.1
"""How high the letters of a line are, and how small they may become to fit, six points; else the line is broken."""

_ROW = 3.0
"""How far the rows of a bet are indented."""

_INK, _QUIET, _IVORY, _BRASS = "#15181c", "#5b6066", "#f6f1e4", "#b89b52"
_STAGES = {"four-cards": "After four cards", "third-card": "After the Player's third card"}
_PLAY = (
    "With 8 or 9 on two cards in either hand no card is drawn.",
    "Player: draws with 0 to 5, stands with 6 or 7.",
    "Banker, if the Player stood: draws with 0 to 5, stands with 6 or 7.",
)


_BANKER = (
    "Banker {points}: draws",
    "Banker {points}: draws if the Player's third is {cards}",
    "Banker {points}: stands",
)
_BANKER_IN_CHINESE = (BANKER_DRAWS, BANKER_DRAWS_ON, BANKER_STANDS)


class _Card:
    """Lines of a card, one under the other; `words` is the language."""

    def __init__(self, drawing: Drawing, chinese: Font | None) -> None:
        self.drawing, self.chinese = drawing, chinese
        extra = (chinese,) if chinese else ()
        self.plain = (latin(), *extra)
        self.bold = (latin(bold=True), *extra)
        self.y = self.lowest = _MARGIN
        self.column = 0

    @property
    def left(self) -> float:
        """Where the column begins."""
        return self.column * WIDTH

    def room_for(self, lines: int) -> None:
        """Go on in the next column, where so many lines do not fit any more below what is there."""
        if self.y + lines * _LINE > LONGEST:
            self.column += 1
            self.y = _TOP
            self.drawing.width = (self.column + 1) * WIDTH

    def heading(self, words: str) -> None:
        """A heading on a coloured strip."""
        self.y += 2.2
        self.drawing.rectangle(self.left + _MARGIN, self.y, WIDTH - 2 * _MARGIN, 5.4, _IVORY)
        self.drawing.text(self.word(words), (self.left + _MARGIN + 1.5, self.y + 3.9), 3.4, self.bold, _INK)
        self._down(7)

    def _down(self, by: float) -> None:
        self.y += by
        self.lowest = max(self.lowest, self.y)

    def line(
        self,
        left: str,
        right: str = "",
        *,
        strong: bool = False,
        indent: float = 0,
        colour: str = _INK,
        taken: float = 0,
    ) -> None:
        """Words at the left, and at the right what belongs to them, or has `taken` some room already."""
        fonts = self.bold if strong else self.plain
        if right:
            taken = self.drawing.text(right, (self.end, self.y + 2.8), _SIZE, self.bold, _INK, anchor=1) + 2
        start = self.left + _MARGIN + 1.5 + indent
        room = self.end - taken - start
        for part in self._parts(left, room, fonts):
            self.drawing.text(part, (start, self.y + 2.8), _SIZE, fonts, colour, most=room)
            self._down(_LINE)

    def lines_of(self, left: str, right: str, indent: float = 0) -> int:
        """How many lines words take beside what belongs to them."""
        room = WIDTH - 2 * _MARGIN - 3 - indent - text_width(right, _SIZE, self.bold) - 2
        return len(self._parts(left, room, self.plain))

    def _parts(self, words: str, room: float, fonts: tuple[Font, ...]) -> list[str]:
        """Words on one line where they can be read on it, else broken into lines."""
        fits = text_width(words, _LEAST, fonts) <= room
        return [words] if fits else self._broken(words, room, fonts)

    @property
    def end(self) -> float:
        """Where the lines of the column end."""
        return self.left + WIDTH - _MARGIN - 1.5

    def paragraph(self, words: str, indent: float = 0, colour: str = _INK) -> None:
        """Words broken into lines."""
        for line in self._broken(words, WIDTH - 2 * _MARGIN - 3 - indent, self.plain):
            self.line(line, indent=indent, colour=colour)

    def _broken(self, words: str, room: float, fonts: tuple[Font, ...]) -> list[str]:
        glue = "" if self.chinese else " "
        lines: list[str] = []
        for part in words if self.chinese else words.split(" "):
            longer = f"{lines[-1]}{glue}{part}" if lines else part
            if lines and text_width(longer, _SIZE, fonts) <= room:
                lines[-1] = longer
            else:
                lines.append(part)
        return lines

    def word(self, english: str) -> str:
        """A word of the card in its language."""
        return HEADINGS[english] if self.chinese else english

    def sentence(self, said: Sentence) -> str:
        """A sentence of the program in the language of the card."""
        return in_chinese(said.message) if self.chinese else str(said)

    def odds(self, text: str) -> str:
        """Odds in the language of the card."""
        win, of = text.split(":")
        return (PAYS if self.chinese else "{win} to {of}").format(win=win, of=of)


def rack_card_svg(book: Book, group: Group, chinese: Font | None = None) -> str:
    """The rack card of a group of layouts as SVG, at full size; in Chinese where a font for it is given.

    >>> from punto.report.groups import layout_groups
    >>> from punto.rulebook import load
    >>> book = load("wu-song")
    >>> rack_card_svg(book, layout_groups(book)[0]).startswith("<svg")
    True
    """
    drawing = Drawing(WIDTH, 0, f"{book.title}: rack card", f"Bets, pays and third cards of {group.name}.")
    card = _Card(drawing, chinese)
    drawing.text(book.title, (_MARGIN, 12), 5, card.bold, _INK, most=WIDTH - 2 * _MARGIN)
    layouts = layouts_in_chinese(group.layouts) if chinese else group.name
    named = f"{book.operator}; {card.word('version')} {book.version}; {layouts[:1].lower()}{layouts[1:]}"
    drawing.text(named, (_MARGIN, 17), 2.6, card.plain, _QUIET, most=WIDTH - 2 * _MARGIN)
    card.y = _TOP
    _pays(card, book, group)
    _insurance(card, book)
    _third_cards(card, book)
    foot = card.lowest + 2
    decks, since = usual_decks(book), f"{book.effective:%Y-%m-%d}"
    says = (
        FOOT.format(decks=decks, since=since)
        if chinese
        else f"House edges with {deck_count(decks)}. Rules in effect since {since}."
    )
    drawing.text(
        f"{says} {book.id} {book.digest[:16]}", (_MARGIN, foot + 3), 2.1, card.plain, _QUIET, most=WIDTH - 2 * _MARGIN
    )
    drawing.height = foot + 8
    drawing.parts.insert(0, f'<rect width="{drawing.width:g}" height="3" fill="{_BRASS}"/>')
    drawing.parts.insert(0, f'<rect width="{drawing.width:g}" height="{drawing.height:g}" fill="#ffffff"/>')
    return drawing.svg()


def _pays(card: _Card, book: Book, group: Group) -> None:
    """Every bet with its rows, and its edge, as some regulators want it published."""
    decks = usual_decks(book)
    odds = bet_odds(group.menu, full_shoe(decks))
    card.heading("Pays")
    for bet, priced in group.menu.bets.items():
        besides = tuple(bet_rules(book, priced.bet))
        rows = [
            (
                card.sentence(pattern_in_words(row.when)),
                card.odds(row.odds.text) if row.odds else card.word(pays_in_words(row)),
            )
            for row in priced.rows
        ]
        card.room_for(1 + sum(card.lines_of(*row, _ROW) for row in rows) + len(besides))
        name = bet_in_chinese(priced.bet) if card.chinese else priced.bet.name
        edge = f"{card.word('House edge').lower()} {percent(odds[bet].edge, 2)}"
        taken = card.drawing.text(edge, (card.end, card.y + 2.8), 2.1, card.plain, _QUIET, anchor=1)
        card.line(name, strong=True, colour=HANDS.get(bet, _INK), taken=taken + 2)
        for says, pays in rows:
            card.line(says, pays, indent=_ROW)
        for rule in besides:
            card.paragraph(card.sentence(rule.says), indent=_ROW, colour=_QUIET)


def _insurance(card: _Card, book: Book) -> None:
    if book.insurance is None:
        return
    met = {each.row for each in insurance_odds(book, full_shoe(usual_decks(book))) if each.met}
    card.heading("Insurance")
    for stage, title in _STAGES.items():
        card.room_for(2)
        card.line(card.word(title), strong=True)
        for row in book.insurance.rows:
            if row.stage == stage and row in met:
                card.room_for(1)
                tie = f" ({card.word('tie pays')})" if row.tie_pays else ""
                card.line(f"{card.sentence(cover_in_words(row))}{tie}", card.odds(row.odds.text), indent=3)


_THIRD_CARDS = 14
"""So many lines the rules of third cards take with their heading, at most."""


def _third_cards(card: _Card, book: Book) -> None:
    card.room_for(_THIRD_CARDS)
    card.heading("Third cards")
    if book.cards.printed is not None:
        card.paragraph(card.sentence(printed_in_words(book.cards.printed)))
    for says in PLAY if card.chinese else _PLAY:
        card.paragraph(says)
    draws, draws_on, stands = _BANKER_IN_CHINESE if card.chinese else _BANKER
    low = [total for total in range(8) if all(banker_draws(0, total, third) for third in (*range(10), STOOD))]
    card.line(draws.format(points=ranges(low)), indent=3)
    for total in range(len(low), 8):
        drawn = [third for third in range(10) if banker_draws(0, total, third)]
        card.line((draws_on if drawn else stands).format(points=total, cards=ranges(drawn)), indent=3)
