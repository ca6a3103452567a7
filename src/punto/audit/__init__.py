"""Replays: a journal decided and added up again, a virtual shoe held against its commitment."""

from punto.audit.positions import Positions

__all__ = ["Positions"]
