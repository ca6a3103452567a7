"""Writes docs/chinese.md from the languages of the program: `python docs/chinese.py`."""

import re
from collections.abc import Iterable, Iterator
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
wording for a call.** What follows is that of Punto; where your house has one, say that. How the words are pronounced is
not told here. A patron who presses *Sound* beside the felt hears the calls in the language of the screen, if the
browser has a voice for it.
"""
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
_PHRASE = re.compile(r'(?:"([^"]+)"|([\w-]+)): \["([^"]*)", "([^"]*)"\]')

SENTENCES = (
    Message("points-called", {"player": 6, "banker": 3}),
    Message("result-called", {"player": 6, "banker": 7, "result": Message("hand-wins", {"hand": "banker"})}),
)
FOOT = """At a table, every line of a result is shown in the language of the screen. This page is written from the
program (`python docs/chinese.py`).
"""


def _phrases() -> dict[str, tuple[str, str]]:
    """What the pages say, by the keys that they have for it: in English and in traditional Chinese."""
    sources = (file.read_text(encoding="utf-8") for file in sorted((Path(punto.__file__).parent / "web").rglob("*.js")))
    found = (each for source in sources for each in _PHRASE.finditer(source))
    return {each[1] or each[2]: (each[3], each[4]) for each in found}


def _said(keys: Iterable[str]) -> str:
    """A table of phrases of the pages."""
    phrases = [_phrases()[key] for key in keys]
    return table(COLUMNS, ([cell(text), chinese, language("zh-Hans").write(chinese)] for text, chinese in phrases))


def _entries(said: Iterable[tuple[str, str]]) -> str:
    """A table of entries of the languages."""
    return table(COLUMNS, ([cell(text), *(language(tag).entries[key] for tag in TAGS)] for text, key in said))


def _bets() -> Iterator[tuple[str, str]]:
    """Every bet of the books."""
    bets = {key: bet.name for name in ids() for key, bet in load(name).bets.items()}
    return ((name, f"bet/{key}") for key, name in bets.items())


def _ranks() -> Iterator[tuple[str, str]]:
    """Every rank of the books."""
    ranks = dict.fromkeys(rank for name in ids() for tier in load(name).ranks for rank in tier)
    return ((words(rank), f"rank/{rank}") for rank in ranks)


def page() -> str:
    """The whole page."""
    calls = ([render(each, english()), *(say_in(tag, each) for tag in TAGS)] for each in SENTENCES)
    facts = ((fact.names[0], f"fact/{name}") for name, fact in FACTS.items())
    parts = [
        HEAD,
        "## The calls of a round {#calls}\n",
        _said(CALLS),
        _entries(OUTCOMES),
        "## Points and result {#points}\n",
        table(COLUMNS, calls),
        "## Buttons {#buttons}\n",
        _said(BUTTONS),
        "## Bets {#bets}\n",
        _entries(_bets()),
        "## What went wrong {#irregularities}\n",
        _entries(facts),
        "## Ranks {#ranks}\n",
        _entries(_ranks()),
        FOOT,
    ]
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
