"""The five roads of the scoreboard, drawn from round results. This room knows nothing of bets or books."""

from punto.kinds import guard
from punto.roads.board import Ask, AskAnswer, Bead, Big, BigMark, Counters, Roads, count, derived, roads, to_json
from punto.roads.drawing import TITLES, cells, draw, face, lines
from punto.roads.grid import ROWS, RoadCell, place, runs
from punto.roads.sequence import BadSequence, Result, Winner, parse, result, show

__all__ = [
    "ROWS",
    "TITLES",
    "Ask",
    "AskAnswer",
    "BadSequence",
    "Bead",
    "Big",
    "BigMark",
    "Counters",
    "Result",
    "RoadCell",
    "Roads",
    "Winner",
    "cells",
    "count",
    "derived",
    "draw",
    "face",
    "lines",
    "parse",
    "place",
    "result",
    "roads",
    "runs",
    "show",
    "to_json",
]

guard(globals())
