"""Scenarios: stories at a table as text, read and played through the real machine. This room opens no files."""

from punto.scenario.playing import Mismatch, Played, play, tell
from punto.scenario.story import BadScenario, Scenario, read

__all__ = ["BadScenario", "Mismatch", "Played", "Scenario", "play", "read", "tell"]
