"""Which form a file of others has, and who reads it."""

import re
from collections.abc import Callable

from punto.coup import BadCards
from punto.history.importing import card_of_others, from_csv, from_results, from_shoes, winner_of
from punto.history.reader import MAGIC, BadHistory, LineFault
from punto.history.trackers import from_column, from_json, is_column
from punto.history.values import History, RecordedShoe
from punto.kinds import guard

FORMS: dict[str, Callable[[str, RecordedShoe], History]] = {
    "results": from_results,
    "column": from_column,
    "shoes": from_shoes,
    "csv": from_csv,
    "json": from_json,
}
"""The forms that can be read, by name."""

_RESULTS = re.compile(r"[BPTbptnf庄莊闲閒閑和]+(?:[\s,;|/-]+[BPTbptnf庄莊闲閒閑和]+)*")
_WORDS = re.compile(
    r"(?:[^:]{1,40}:|\d+\s*[,;\t])?[\s,;|/-]*(?:(?:b|p|t|banker|player|bank|tie)(?:[\s,;|/-]+|$))+", re.I
)


def form_of(text: str) -> str:
    r"""Which form a text has, by its first line that says something.

    >>> form_of("BPTBB"), form_of("Shoe 1: B P"), form_of("B\nP\n"), form_of("6h 2c Kd As 5h"), form_of("shoe,cards")
    ('results', 'results', 'column', 'shoes', 'csv')
    """
    if text.lstrip().startswith(MAGIC):
        raise BadHistory((LineFault(1, "This is a history already, and need not be made into one."),))
    lines = (line.strip() for line in text.splitlines())
    first = next((line for line in lines if line and not line.startswith("#")), "")
    if first.startswith(("[", "{")):
        return "json"
    if is_column(text):
        return "column"
    label, _, rest = first.rpartition(":")
    if _RESULTS.fullmatch(rest.strip() if label else first) or _WORDS.fullmatch(first):
        return "results"
    if re.search(r"card|winner|result|outcome|\b(?:p|player[ _]?)1\b", first, re.I):
        return "csv"
    return _likely(first)


def _likely(line: str) -> str:
    """The form that a line was most likely meant to have: what is wrong with it is then told in its words."""
    words = [word for word in re.split(r"[\s,;|/:-]+", line) if word]
    cards, results = sum(map(_is_card, words)), sum(winner_of(word) is not None for word in words)
    if cards > results:
        return "shoes"
    if results or not words:
        return "results"
    if re.search(r"[,;\t]", line):
        return "csv"
    sentence = (
        "This is none of the forms that are read: results such as BPT, an outcome a line, the cards of shoes such "
    )
    sentence += "as 6h 2c Kd As 5h, a table with names in its first line, or JSON."
    raise BadHistory((LineFault(1, sentence),))


def _is_card(word: str) -> bool:
    try:
        card_of_others(word)
    except BadCards:
        return False
    return True


guard(globals(), "form_of")
