"""Chinese for the drawings: headings of their own, and what the catalogue of Chinese says of bets and outcomes."""

from collections.abc import Mapping, Sequence

from punto.messages import Message
from punto.messages.languages import language, say_in
from punto.report.figures import listed
from punto.rulebook import Book, menu
from punto.rulebook.model import Bet, Layout, Names

HEADINGS: Mapping[str, str] = {
    "Bet": "投注",
    "Outcome": "結果",
    "Pays": "賠率",
    "House edge": "賭場優勢",
    "Third cards": "補牌規則",
    "Insurance": "保險",
    "comes back": "退回",
    "loses": "輸",
    "tie pays": "和局照賠",
    "After four cards": "四張牌後",
    "After the Player's third card": "閒家補牌後",
    "Layout": "檯面",
    "boxes": "個注位",
    "the text does not tell how many": "規則未載明數目",
    "Scale": "比例",
    "version": "版本",
    "mm": "毫米",
    "commission": "收佣",
    "non-commission": "免佣",
}

FOOT = "賭場優勢以 {decks} 副牌計。規則自 {since} 起生效。"
"""What stands below a rack card."""

PAYS = "{of} 賠 {win}"
"""Odds, as they are printed."""

PLAY: tuple[str, ...] = (
    "任何一方首兩張牌合計 8 或 9 點，雙方均不補牌。",
    "閒：0 至 5 點補一張，6、7 點不補。",
    "庄：閒不補時，0 至 5 點補，6、7 點不補。",
)
"""The Table of Play in short, the rows of the Banker's table apart."""

BANKER_DRAWS, BANKER_DRAWS_ON, BANKER_STANDS = (
    "庄 {points}：補牌",
    "庄 {points}：閒補 {cards} 時補牌",
    "庄 {points}：不補",
)
"""A row of the Banker's table."""

_CHINESE = "zh-Hant"


def bet_in_chinese(bet: Bet) -> str:
    """What a bet is called in Chinese, as on the screens: by its book, else as in the shipped books, else by its name.

    >>> from punto.rulebook import load
    >>> bet_in_chinese(load("wu-song").bets["player-pair"])
    '閒對'
    """
    return _given(bet.names) or language(_CHINESE).term("bet", bet.name)


def layout_in_chinese(layout: Layout) -> str:
    """What a layout is called in Chinese: by its book, else by its own title, else by the version that it is of.

    >>> from punto.rulebook import load
    >>> layout_in_chinese(load("dragon-tiger-hoiana").layouts["1"])
    '免佣'
    """
    version = layout.version or ""
    return _given(layout.titles) or layout.title or HEADINGS.get(version, version)


def layouts_in_chinese(names: Sequence[str]) -> str:
    """Several layouts by their names.

    >>> layouts_in_chinese(["A", "B", "C"]), layouts_in_chinese(["A", "C"])
    ('檯面 A 至 C', '檯面 A、C')
    """
    first, to, last = listed(list(names)).partition(" to ")
    named = f"{first} 至 {last}" if to and len(names) > 2 else "、".join(names)
    return f"{HEADINGS['Layout']} {named}"


def _given(names: Names) -> str:
    """A name that a book gives in Chinese: traditional if it has one, else any."""
    chinese = {tag: name for tag, name in names if tag.startswith("zh")}
    return chinese.get(_CHINESE) or next(iter(chinese.values()), "")


def in_chinese(message: Message) -> str:
    """An outcome or a situation in Chinese.

    >>> from punto.rulebook import load
    >>> from punto.rulebook.words import pattern_in_words
    >>> in_chinese(pattern_in_words(load("da-hu-ying-xiong").pays["tigers"][0].when).message)
    '庄贏6 點（2 張牌）'
    """
    return say_in(_CHINESE, message)


def characters(book: Book) -> str:
    """Every Chinese character that a drawing of a book may need, what its layouts print included."""
    entries = language(_CHINESE).entries
    labels = (label for layout in book.layouts.values() for label, _ in layout.labels)
    bets = (bet_in_chinese(priced.bet) for layout in book.layouts for priced in menu(book, layout).bets.values())
    own = (*labels, *bets, *map(layout_in_chinese, book.layouts.values()))
    texts = (*HEADINGS.values(), *PLAY, FOOT, PAYS, BANKER_DRAWS_ON, BANKER_STANDS, *entries.values(), *own)
    return "".join(sorted({letter for text in texts for letter in text if ord(letter) > 0x2E7F}))
