"""A book may leave to the House whatever it leaves to a rank: it speaks by one of its ranks everywhere (AMB-70)."""

import re
from pathlib import Path

import pytest

from punto.rulebook import Library, ids, parse, source
from punto.rulebook.vocabulary import PATRONS
from punto.scenario import play, read
from punto.table.events import Asked
from punto.table.invariants import broken

SCENARIOS = Path(__file__).parent.parent / "scenarios"
_BY = re.compile(rb'(?m)^(?!residual)(.*)\bby = "[a-z-]+"')
"""Who decides something, in whichever line of a book but that of the residual authority, which is always a rank."""


@pytest.mark.parametrize("book", ids())
def test_whatever_is_left_to_the_house_is_asked_of_a_rank(book: str) -> None:
    """Every rank that the book names as the one who decides is the House instead."""
    left_to_the_house = parse(_BY.sub(rb'\1by = "house"', source(book)), "mine.toml")
    library = Library().with_book(left_to_the_house)
    ranks = {*left_to_the_house.tiers, PATRONS}
    topics = set()
    for file in sorted((SCENARIOS / book).glob("*.scenario")):
        played = play(read(file.read_text(encoding="utf-8")), library)
        asked = [event.question for event in played.events if isinstance(event, Asked)]
        assert {question.to for question in asked} <= ranks, file.name
        assert played.table is None or broken(played.table) is None, file.name
        topics |= {question.topic for question in asked}
    assert topics
