"""The points of a book: what it says on each matter, who decides, and by which clause."""

import re

from punto.messages import say
from punto.rulebook.document import TomlTable
from punto.rulebook.model import Point, Policy, Value
from punto.rulebook.value_faults import none_of
from punto.rulebook.vocabulary import AMOUNT, ANY, BETS, HOUSE, POINTS, WHOLE

_AMOUNT = re.compile(r"\d{1,9}(\.\d{1,4})?", re.ASCII)
_LONGEST = 60
"""Letters of a value that are said again in a fault."""


def read_points(section: TomlTable, kind: str) -> dict[str, Point]:
    """The points of a section, each of the words that are possible there."""
    found = {}
    for name, allowed in POINTS[kind].items():
        section.take(name, required=False)
        if name in section:
            each = section.child(name)
            basis = each.own_basis(required=False)
            found[name] = Point(_value(each, allowed), rank_of(each), each.flag("reason", False), basis)
            if "value" in each and "clause" not in each and "readings" not in each:
                each.fault(None, say("no-clause-nor-reading", "names neither a clause nor a reading."))
            each.done()
    section.done()
    return found


def _value(section: TomlTable, allowed: tuple[str, ...]) -> Value:
    value = section.data.get("value")
    if allowed is BETS:
        return _bets(section)
    if allowed is WHOLE:
        return section.whole("value", least=1) or 0
    if allowed is AMOUNT:
        return _amount(section)
    if isinstance(value, list):
        words = section.texts("value", required=True)
        for at, word in enumerate(words):
            if allowed is not ANY and word not in allowed:
                section.document.fault((*section.path, "value", at), none_of(word, allowed))
        return words
    return section.text("value") if allowed is ANY else section.word("value", allowed)


def _amount(section: TomlTable) -> str:
    """An amount of whatever currency a table has."""
    text = section.text("value")
    if text and (not _AMOUNT.fullmatch(text) or not text.replace(".", "").strip("0")):
        says = say("not-an-amount", "{text:quoted} is no amount: write it like 0.50 or 1.", text=text[:_LONGEST])
        section.fault("value", says)
    return text


def _bets(section: TomlTable) -> tuple[str, ...]:
    """The names of bets that the book has."""
    bets = section.texts("value", required=True)
    for at, bet in enumerate(bets):
        path = (*section.path, "value")
        section.document.bets.used[bet].append((*path, at) if isinstance(section.data["value"], list) else path)
    return bets


def rank_of(section: TomlTable) -> str | None:
    """The rank that decides; None where none is named."""
    return section.name("by", section.document.ranks, also=(HOUSE,), required=False) or None


def read_policy(section: TomlTable) -> Policy:
    """A reading that a ruling may change, and what it may be changed to."""
    choices = section.texts("choices", required=True)
    value = section.word("value", choices) if choices else section.text("value")
    policy = Policy(value, choices, section.text("reading"), section.maybe("clause"))
    section.done()
    return policy
