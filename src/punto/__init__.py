"""Punto makes approved baccarat rulebooks executable: every answer names its clause.

The names below are the everyday ones; each room (`punto.coup`, `punto.rulebook`, …) has more.

>>> import punto
>>> book = punto.load("wu-song")
>>> coup = punto.deal("6h 2c Kd As 5h")
>>> for line in punto.settle(book, coup, [punto.Wager("banker", punto.money("100"))]):
...     print(line.why)
Banker wins 8 to 6: 100.00 on Banker wins 100.00 at 1 to 1. (4.1.1)
"""

TYPE_CHECKING = False  # of `typing`, whose import would be most of the time in which Ctrl-C is not yet answered quietly

if TYPE_CHECKING:
    from punto import audit as audit
    from punto import compare as compare
    from punto import conformance as conformance
    from punto import coup as coup
    from punto import design as design
    from punto import exposure as exposure
    from punto import gym as gym
    from punto import history as history
    from punto import journal as journal
    from punto import kernels as kernels
    from punto import lint as lint
    from punto import messages as messages
    from punto import odds as odds
    from punto import report as report
    from punto import roads as roads
    from punto import rulebook as rulebook
    from punto import scenario as scenario
    from punto import sealing as sealing
    from punto import settlement as settlement
    from punto import shoe as shoe
    from punto import simulation as simulation
    from punto import table as table
    from punto import tabular as tabular
    from punto.coup import deal
    from punto.rulebook import load
    from punto.settlement import Cover, Limits, Wager, explain, money, settle, show_money

_NAMES = {
    "deal": "punto.coup",
    "load": "punto.rulebook",
    **dict.fromkeys(("Cover", "Limits", "Wager", "explain", "money", "settle", "show_money"), "punto.settlement"),
}

_ROOMS = {
    "audit",
    "compare",
    "conformance",
    "coup",
    "design",
    "exposure",
    "gym",
    "history",
    "journal",
    "kernels",
    "lint",
    "messages",
    "odds",
    "report",
    "roads",
    "rulebook",
    "scenario",
    "sealing",
    "settlement",
    "shoe",
    "simulation",
    "table",
    "tabular",
}

__all__ = [
    "Cover",
    "Limits",
    "Wager",
    "deal",
    "explain",
    "load",
    "money",
    "settle",
    "show_money",
]


def __dir__() -> list[str]:
    """The everyday names and the rooms, loaded or not."""
    of_modules = {name for name in globals() if name.startswith("__")}
    return sorted({*of_modules, *__all__, *_ROOMS, "__version__"})


def __getattr__(name: str) -> object:
    """Load a room when it or one of its names is first used, so that `punto --help` stays quick."""
    from importlib import import_module
    from importlib.metadata import version

    if name == "__version__":
        return version("punto")
    if name in _ROOMS:
        return import_module(f"punto.{name}")
    if name not in _NAMES:
        raise AttributeError(f"module 'punto' has no attribute {name!r}")
    return getattr(import_module(_NAMES[name]), name)
