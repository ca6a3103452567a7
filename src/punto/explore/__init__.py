"""Every path of a small table: what is tried in every state, where it begins, and which states count as one."""

from punto.explore.alphabet import alphabet
from punto.explore.merging import digest
from punto.explore.search import Explored, Flaw, explore
from punto.explore.starts import Opening, Start, openings, starts

__all__ = ["Explored", "Flaw", "Opening", "Start", "alphabet", "digest", "explore", "openings", "starts"]
