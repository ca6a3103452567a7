"""Writes docs/chinese.md from the languages of the program: `python docs/chinese.py`."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from irregularities import cell, table

import punto
from punto.messages import Message, render
from punto.messages.catalogue import english
from punto.messages.languages import language, say_in
from punto.report.words import words
from punto.rulebook import ids, load
from punto.rulebook.facts import FACTS

PAGE = Path(__file__).parent / "chinese.md"
TAGS = ("zh-Hant", "zh-Hans")
COLUMNS = ["English", "traditional", "simplified"]
HEAD = """# Say it in Chinese

For the table crew: the words of a round in traditional and simplified Chinese, as the screens show them. To read a
whole screen in Chinese, choose *繁體中文* or *简体中文* in the list of languages in the line at the top: at the
console, the pit, the trainer and the patron's table alike.

The books word two calls, in English alone: that bets may be placed, and that no more are taken. **No book has a Chinese
wording for a call.** What follows is that of Punto; where your house has one, say that. The last column is how the
words are said in Mandarin, in pinyin; how they are said in Cantonese is not told here. A patron who presses *Sound*
beside the felt hears the calls in the language of the screen, if the browser has a voice for it.

Banker is 庄 in both columns: so it stands on the layouts of the books, beside 閒.
"""
SPOKEN = [*COLUMNS, "said"]
CALLS = ("place bets", "no more bets", "last bets", "free hand", "changing shoe")
"""What a patron reads as the call of the dealer, by the keys that the pages have for it."""

BUTTONS = (
    "load-shoe",
    "burn",
    "open-bets",
    "close-bets",
    "open cards",
    "announce-points",
    "announce",
    "offer-insurance",
    "pay and collect",
    "as last round",
    "last-hand",
    "end-shoe",
    "report",
    "what the book says",
    "raise-dispute",
)
"""Buttons of the staff, by the same keys."""

OUTCOMES = (
    ("Player", "hand/player"),
    ("Banker", "hand/banker"),
    ("Player wins", "outcome/player"),
    ("Banker wins", "outcome/banker"),
    ("a tie", "outcome/tie"),
)
_PINYIN = """
閒:xián 庄:zhuāng 和:hé 贏:yíng 輸:shū 請:qǐng 下:xià 注:zhù 停:tíng 止:zhǐ 最:zuì 後:hòu 一:yī 局:jú 飛:fēi 牌:pái
不:bù 接:jiē 受:shòu 更:gēng 換:huàn 靴:xuē 點:diǎn 例:lì 再:zài 發:fā 補:bǔ 第:dì 三:sān 張:zhāng 為:wéi 者:zhě 均:jūn
可:kě 投:tóu 保:bǎo 險:xiǎn 賠:péi 對:duì 老:lǎo 虎:hǔ 大:dà 小:xiǎo 龍:lóng 七:qī 武:wǔ 郎:láng 松:sōng
"""
PINYIN = {pair[0]: pair[2:] for pair in _PINYIN.split()}
"""How each character of what is said at a table is pronounced there, in Mandarin."""

MARKS = {"\uff0c": ", ", "\uff1a": ": ", "\u3002": ".", "\uff08": " (", "\uff09": ")"}
_PHRASE = re.compile(r'(?:"([^"]+)"|([\w-]+)): \["([^"]*)", "([^"]*)"\]')

DRAWS = (
    ("natural", {"hand": "player", "points": 8}),
    ("player-draws", {"points": 5, "card": "4h"}),
    ("player-stands", {"points": 6}),
    ("banker-draws-against", {"third": 4, "points": 5}),
    ("banker-stands-against", {"third": 8, "points": 3}),
    ("banker-draws-after-stand", {"points": 5}),
    ("banker-stands-after-stand", {"points": 6}),
)
"""What is called of third cards, by the messages that the program has for it, with an example of each."""

SENTENCES = (
    Message("points-called", {"player": 6, "banker": 3}),
    Message("result-called", {"player": 6, "banker": 7, "result": Message("hand-wins", {"hand": "banker"})}),
)
NUMBERS = """The points: 0 líng, 1 yī, 2 èr, 3 sān, 4 sì, 5 wǔ, 6 liù, 7 qī, 8 bā, 9 jiǔ.
"""
INSURANCE = (
    ("bet-may-be-insured", {"hand": "player"}),
    ("stake-wins", {"fact": "banker", "stake": 2000, "bet": "player-insurance", "net": 6000, "odds": "3:1"}),
    ("stake-loses", {"fact": "player", "stake": 2000, "bet": "player-insurance"}),
)
"""What is said of insurance; the fact is who wins."""

FOOT = """At a table, every line of a result is shown in the language of the screen. This page is written from the
program (`python docs/chinese.py`).
"""


def _phrases() -> dict[str, tuple[str, str]]:
    """What the pages say, by the keys that they have for it: in English and in traditional Chinese."""
    sources = (file.read_text(encoding="utf-8") for file in sorted((Path(punto.__file__).parent / "web").rglob("*.js")))
    found = (each for source in sources for each in _PHRASE.finditer(source))
    return {each[1] or each[2]: (each[3], each[4]) for each in found}


def _said(keys: Iterable[str], *, spoken: bool = False) -> str:
    """A table of phrases of the pages."""
    rows = [
        (cell(text), chinese, language("zh-Hans").write(chinese)) for text, chinese in (_phrases()[key] for key in keys)
    ]
    return _table(rows, spoken=spoken)


def _entries(said: Iterable[tuple[str, str]], *, spoken: bool = False) -> str:
    """A table of entries of the languages."""
    return _table([(cell(text), *(language(tag).entries[key] for tag in TAGS)) for text, key in said], spoken=spoken)


def _messages(said: Iterable[Message]) -> str:
    """A table of sentences of the program, as they are said."""
    rows = [(render(each, english()), *(say_in(tag, each) for tag in TAGS)) for each in said]
    rows = [(text.replace("player-insurance", "Player Insurance"), *chinese) for text, *chinese in rows]
    return _table(rows, spoken=True)


def _table(rows: Sequence[tuple[str, ...]], *, spoken: bool) -> str:
    """Rows of English and the two Chinese; with how the traditional is said, where that is wanted."""
    return table(SPOKEN, ([*row, pinyin(row[1])] for row in rows)) if spoken else table(COLUMNS, rows)


def pinyin(chinese: str) -> str:
    """How something is said in Mandarin, syllable by syllable; figures stay as they are.

    A character without an entry above is a fault, and the page is not written.
    """
    syllables = (f" {PINYIN[each]} " if "一" <= each <= "鿿" else MARKS.get(each, each) for each in chinese)
    said = " ".join("".join(syllables).split())
    return re.sub(r" (?=[,:.)])|(?<=\() ", "", said)


def _bets() -> Iterator[tuple[str, str]]:
    """Every bet of the books."""
    bets = {key: bet.name for name in ids() for key, bet in load(name).bets.items()}
    return ((name, f"bet/{key}") for key, name in bets.items())


def _ranks() -> Iterator[tuple[str, str]]:
    """Every rank of the books."""
    ranks = dict.fromkeys(rank for name in ids() for tier in load(name).ranks for rank in tier)
    return ((words(rank), f"rank/{rank}") for rank in ranks)


def _insurance() -> list[Message]:
    """What is said of insurance, as messages."""
    return [
        Message(
            name, {key: Message("hand-wins", {"hand": each}) if key == "fact" else each for key, each in of.items()}
        )
        for name, of in INSURANCE
    ]


def page() -> str:
    """The whole page."""
    facts = ((fact.names[0], f"fact/{name}") for name, fact in FACTS.items())
    parts = [
        HEAD,
        "## The calls of a round {#calls}\n",
        _said(CALLS, spoken=True),
        _entries(OUTCOMES, spoken=True),
        "## Points and result {#points}\n",
        _messages(SENTENCES),
        NUMBERS,
        "## Third cards {#third-cards}\n",
        _messages(Message(*each) for each in DRAWS),
        "## Insurance {#insurance}\n",
        _messages(_insurance()),
        "## Bets {#bets}\n",
        _entries(_bets(), spoken=True),
        "## Buttons {#buttons}\n",
        _said(BUTTONS),
        "## What went wrong {#irregularities}\n",
        _entries(facts),
        "## Ranks {#ranks}\n",
        _entries(_ranks()),
        FOOT,
    ]
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
