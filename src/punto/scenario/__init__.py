"""Scenarios: stories at a table as text, read, written and played at a real table. This room opens no files."""

from punto.kinds import guard
from punto.scenario.coverage import KINDS, CoveredBook, Kind, cover, coverage_junit
from punto.scenario.playing import Mismatch, Played, play, tell
from punto.scenario.story import BadScenario, Scenario, read
from punto.scenario.words import Word, words
from punto.scenario.writing import write

__all__ = [
    "KINDS",
    "BadScenario",
    "CoveredBook",
    "Kind",
    "Mismatch",
    "Played",
    "Scenario",
    "Word",
    "cover",
    "coverage_junit",
    "play",
    "read",
    "tell",
    "words",
    "write",
]

guard(globals())
