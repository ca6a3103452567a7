"""`punto exposure`: bets that are placed after the first four cards, and the figures of a play."""

from typing import TYPE_CHECKING, Any

from punto.cli.output import print_table

if TYPE_CHECKING:
    from punto.exposure import Exposure, Worth
    from punto.rulebook import Menu
    from punto.simulation import Estimate

FIGURES = ("share", "edge", "per_shoe", "per_100")
NAMES = ("favourable", "edge_when_favourable", "units_per_shoe", "units_per_100")


def worth_figures(worth: "Worth") -> dict[str, Any]:
    """The four figures of a play by their names, then their errors and intervals."""
    values: list[Estimate | None] = [getattr(worth, figure) for figure in FIGURES]
    named = list(zip(NAMES, values, strict=True))
    return {
        **{name: None if each is None else each.value for name, each in named},
        "error": {name: None if each is None else each.error for name, each in named},
        "interval": {name: None if each is None else (each.low, each.high) for name, each in named},
    }


def reach(each: dict[str, Any], name: str, places: int) -> str:
    """How far the interval of a figure goes to either side."""
    low, high = each["interval"][name]
    return "" if low is None else f"{(high - low) / 2:.{places}f}"


def late_figures(total: "Exposure", carried: "Menu", decks: int) -> dict[str, Any]:
    """Each late bet in figures, as JSON has it."""
    from punto.odds import bet_odds, full_shoe

    exact = bet_odds(carried, full_shoe(decks)) if total.late else {}
    return {
        name: {
            "placed": total.placed(name) / total.rounds,
            "full_shoe_edge": -float(exact[name].edge),
            **worth_figures(total.late_bet(name)),
        }
        for name in total.late
    }


def show_late(late: dict[str, Any], names: dict[str, str]) -> None:
    """The late bets as a person reads them."""
    if not late:
        return
    rows = [
        (
            names[name],
            f"{each['full_shoe_edge']:+.3%}",
            f"{each['placed']:.3%}",
            f"{each['favourable']:.3%}",
            "" if each["edge_when_favourable"] is None else f"{each['edge_when_favourable']:+.3%}",
            f"{each['units_per_shoe']:.4f}",
            reach(each, "units_per_shoe", 4),
            f"{each['units_per_100']:.4f}",
        )
        for name, each in late.items()
    ]
    print_table(
        "Placed after the first four cards: one unit whenever the cards seen favour the patron",
        ("bet", "full shoe", "can be placed", "favourable", "edge then", "units a shoe", "±", "per 100"),
        rows,
    )
