"""Stories at a table, told in a file and played through the real machine. This room knows nothing of files."""

from punto.scenario.playing import Mismatch, Played, play, tell
from punto.scenario.story import BadScenario, Scenario, read

__all__ = ["BadScenario", "Mismatch", "Played", "Scenario", "play", "read", "tell"]
