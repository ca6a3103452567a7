"""`punto simulate`: shoes dealt by the million, beside the exact figures."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from punto.cli.output import (
    Book,
    Decks,
    Json,
    Layout,
    Table,
    check_table,
    counted,
    print_json,
    print_table,
    write_table,
)
from punto.cli.runs import Cluster, Cut, First, Run, Threads, Where, backend_named, deal_missing, finish

if TYPE_CHECKING:
    from fractions import Fraction

    from punto.rulebook import Menu, Priced
    from punto.simulation import Dealing, Job, ShoeStatistics, Tally

LEVEL = 0.95
SHOES_LOOKED_AT = 20_000
CELL_COLUMNS = ("stage", "hand", "own", "opposite", "met", "edge", "exact_edge")


class SimulatedTable(StrEnum):
    """The figures of a run as tables."""

    BETS = "bets"
    INSURANCE = "insurance"


Which = Annotated[
    SimulatedTable | None, typer.Option(metavar="bets|insurance", help="Which table --output writes; else bets.")
]


ByShoe = Annotated[
    str | None, typer.Option(metavar="BET", help="Also: what a bankroll does in a shoe, one unit a round.")
]


def simulate(
    book: Book,
    shoes: Annotated[int, typer.Option(metavar="N", help="How many shoes to deal.")] = 10_000,
    seed: Annotated[int, typer.Option(metavar="S", help="The same seed deals the same shoes.")] = 1,
    layout: Layout = None,
    decks: Decks = None,
    cut: Cut = 14,
    burn: Annotated[int, typer.Option(metavar="B", help="Cards burnt before the first round.")] = 0,
    rounds: Annotated[
        int | None, typer.Option(metavar="R", help="Deal so many rounds from every shoe; else to the cut card.")
    ] = None,
    backend: Where = "auto",
    threads: Threads = None,
    dask: Cluster = None,
    first: First = 0,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep the counts in a file.")] = None,
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help="Go on from counts that were kept.")] = None,
    by_shoe: ByShoe = None,
    output: Table = None,
    of: Which = None,
    json: Json = False,
) -> None:
    """Deal shoes and hold what every bet returned beside its exact figure.

    Ctrl-C stops the run; what was dealt is printed and kept, and the command that goes on is told.
    """
    from punto.kernels import wide_vectors

    check_table(output, of)
    wide_vectors()
    from punto.rulebook import load, menu
    from punto.simulation import BadTally, Dealing, job, not_dealt, on_layout, prepared

    found = load(book)
    whole = menu(found, layout)
    without = not_dealt(whole.bets)
    carried = _dealt(whole, without, by_shoe)
    chosen = backend_named(backend, dask)
    dealing = Dealing(found.decks.usual if decks is None else decks, cut, burn, rounds, on_layout(found.cards.printed))
    nets, cards = _bets(carried.bets)
    before = _kept(resume)
    block = None if before is None else before.block
    work = job(dealing, seed=seed, shoes=shoes, first=first, nets=nets, cards=cards, block=block)
    if before is not None and (before.seed, before.dealing, before.priced) != (seed, dealing, work.priced):
        raise BadTally(f"{resume} holds another run: its seed, its dealing or its bets are not those asked for.")
    with prepared(work, chosen, threads, dask) as ready:
        run = deal_missing(ready, work, before, save, Path(f"{found.id}-{seed}.tally.json"), show=not json)
    result = _result(carried, work, run) | {"left_out": _left_out(whole, dealing.decks, without)}
    if by_shoe is not None:
        alone = {by_shoe: carried[by_shoe]}
        result["by_shoe"] = _by_shoe(dealing, seed, min(shoes, SHOES_LOOKED_AT), first, alone)
    if of is SimulatedTable.INSURANCE:
        write_table(output, result["insurance"], CELL_COLUMNS)
    else:
        write_table(output, ({"bet": name, **_plain(each)} for name, each in result["bets"].items()))
    if json:
        print_json(result)
    else:
        _show(result, found.title, carried, dealing)
    finish("simulate", book, work, run, {"--layout": layout}, "The counts are", show=not json)


def _dealt(carried: "Menu", without: Mapping[str, str], by_shoe: str | None) -> "Menu":
    """The bets of a layout that are dealt; one that is looked at shoe by shoe must be among them."""
    from punto.simulation import BadDealing

    if by_shoe is not None and carried[by_shoe].bet.id in without:
        raise BadDealing(without[by_shoe])
    return carried.of({name: priced for name, priced in carried.bets.items() if name not in without})


def _left_out(carried: "Menu", decks: int, without: Mapping[str, str]) -> dict[str, Any]:
    """Each bet that is not dealt: why, and its exact edge, as JSON has it."""
    from punto.odds import bet_odds, full_shoe

    exact = bet_odds(carried.of({name: carried[name] for name in without}), full_shoe(decks)) if without else {}
    return {name: {"why": why, "exact_edge": float(exact[name].edge)} for name, why in without.items()}


def _kept(resume: Path | None) -> "Tally | None":
    """The counts to go on from, if there are any."""
    from punto.simulation import BadTally
    from punto.simulation.tally import load_kept

    if resume is None:
        return None
    before, sealed = load_kept(resume)
    if not sealed:
        raise BadTally(
            f"{resume} is of an earlier form, which seals outcomes and situations alone: no run goes on from it. "
            "Deal its shoes again; punto evidence tells what it still shows."
        )
    return before


def _result(carried: "Menu", work: "Job", run: "Run[Tally]") -> dict[str, Any]:
    """The run in figures, as JSON has it."""
    dealing, total = work.dealing, run.total
    rounds = total.rounds * run.fresh / total.dealt
    return {
        "rulebook": carried.book.id,
        "layout": carried.layout.id,
        "decks": dealing.decks,
        "cut": dealing.cut if dealing.rounds is None else None,
        "burn": dealing.burn,
        "rounds_a_shoe": dealing.rounds if dealing.rounds is not None else total.rounds / total.dealt,
        "seed": work.seed,
        "shoes": total.dealt,
        "rounds": total.rounds,
        "seconds": run.seconds,
        "rounds_a_second": rounds / run.seconds if run.seconds > 0 else None,
        "backend": run.backend,
        "workers": run.workers,
        "complete": run.whole,
        "digest": total.digest,
        **_judged(total, carried, dealing.decks, dealing.rounds),
    }


def _plain(figures: dict[str, Any]) -> dict[str, Any]:
    """The figures of a bet that are single numbers."""
    return {name: value for name, value in figures.items() if not isinstance(value, list)}


def _judged(total: "Tally", carried: "Menu", decks: int, rounds: int | None) -> dict[str, Any]:
    """The figures of a run beside the exact ones."""
    import msgspec
    import numpy as np

    from punto.coup import insurable_situations
    from punto.odds import bet_odds, full_shoe, insurance_odds, outcomes_beside
    from punto.simulation import goodness

    shoe = full_shoe(decks)
    counts = outcomes_beside(carried.book.cards.printed, shoe)
    exact = bet_odds(carried, shoe, counts)
    figures: dict[str, Any] = {}
    effects: dict[str, Any] = {}
    for name in carried.bets:
        edge, true = total.edge(name, LEVEL), float(exact[name].edge)
        figures[name] = {
            "return": 1 - edge.value,
            "exact_return": 1 - true,
            "edge": edge.value,
            "low": edge.low,
            "high": edge.high,
            "error": edge.error,
            "exact_edge": true,
        }
        if name in total.placed:
            offered = exact[name].offered
            figures[name]["placed"] = total.placed[name][0]
            figures[name]["exact_placed"] = None if offered is None else float(offered)
        if name in total.rows:
            figures[name]["rows"] = list(total.rows[name])
        if rounds is None:
            effects[name] = {
                "effect": edge.value - true,
                "low": None if edge.low is None else edge.low - true,
                "high": None if edge.high is None else edge.high - true,
            }
    due = np.zeros_like(total.situations)
    at = sorted(insurable_situations())
    due[at] = total.situations[at]
    cells = zip(insurance_odds(carried.book, shoe), insurance_odds(carried.book, shoe, due), strict=True)
    return {
        "chi_square": msgspec.to_builtins(goodness(total.outcomes, counts)),
        "level": LEVEL,
        "bets": figures,
        "cut_card_effect": effects or None,
        "insurance": [
            {
                "stage": true.row.stage,
                "hand": true.row.hand,
                "own": true.own,
                "opposite": true.opposite,
                "met": seen.met,
                "edge": float(seen.edge) if seen.met else None,
                "exact_edge": float(true.edge),
            }
            for true, seen in cells
        ],
    }


def _bets(bets: "dict[str, Priced]") -> "tuple[dict[str, list[Fraction]], dict[str, Priced]]":
    """Bets that an outcome decides, as nets; and those that look at cards, or are placed after the first four."""
    from punto.odds import net_vector

    nets = {name: net_vector(priced) for name, priced in bets.items() if priced.plain}
    return nets, {name: priced for name, priced in bets.items() if not priced.plain}


def _by_shoe(dealing: "Dealing", seed: int, shoes: int, first: int, alone: "dict[str, Priced]") -> dict[str, Any]:
    from punto.simulation import by_shoe

    nets, cards = _bets(alone)
    [bet] = alone
    found: ShoeStatistics = by_shoe(dealing, seed=seed, shoes=shoes, first=first, nets=nets, cards=cards)
    roll = found.bankrolls[bet]
    return {
        "shoes": found.shoes,
        "rounds": {str(length): count for length, count in found.rounds.items()},
        "longest_streak": {str(length): count for length, count in found.longest.items()},
        "streaks": {hand: {str(n): count for n, count in runs.items()} for hand, runs in found.streaks.items()},
        "bet": bet,
        "quantiles": roll.quantiles,
        "final": roll.final,
        "lowest": roll.lowest,
        "highest": roll.highest,
        "path": roll.path.T.tolist(),
    }


def _show(result: dict[str, Any], title: str, carried: "Menu", dealing: "Dealing") -> None:
    how = (
        f"{dealing.rounds} round{'s' * (dealing.rounds != 1)} a shoe"
        if dealing.rounds is not None
        else f"cut card {dealing.cut} from the end, {result['rounds_a_shoe']:.2f} rounds a shoe"
    )
    burnt = f", {counted(dealing.burn, 'card')} burnt" if dealing.burn else ""
    typer.echo(f"{title}, layout {carried.layout.id}, {counted(dealing.decks, 'deck')}, {how}{burnt}")
    dealt = f"{counted(result['shoes'], 'shoe', ',')}, {counted(result['rounds'], 'round', ',')}"
    typer.echo(f"Seed {result['seed']}: {dealt}, {_speed(result)}")
    typer.echo(f"SHA-256 of the counts: {result['digest']}")
    rows = []
    for name, each in result["bets"].items():
        reach = "" if each["low"] is None else f"{each['low']:.4%} to {each['high']:.4%}"
        inside = _is_inside(each)
        rows.append(
            (
                carried.bets[name].bet.name,
                "never placed" if each.get("placed") == 0 else f"{each['edge']:.4%}",
                reach,
                f"{each['exact_edge']:.4%}",
                "" if inside else "outside",
            )
        )
    print_table(None, ("bet", "edge dealt", f"{LEVEL:.0%} interval", "exact edge", ""), rows)
    _show_outside(result["bets"].values())
    for name, each in result["bets"].items():
        if "placed" in each:
            typer.echo(
                f"{carried.bets[name].bet.name} could be placed in {each['placed'] / result['rounds']:.4%} of rounds "
                f"({each['exact_placed']:.4%} exactly), and its edge is that of these."
            )
    for each in result["left_out"].values():
        typer.echo(f"{each['why']} Its exact edge is {each['exact_edge']:.4%}.")
    typer.echo(_against_the_exact(result["chi_square"], dealing))
    if result["cut_card_effect"]:
        name, effect = next(iter(result["cut_card_effect"].items()))
        if "banker" in result["cut_card_effect"]:
            name, effect = "banker", result["cut_card_effect"]["banker"]
        reach = "" if effect["low"] is None else f" ({effect['low']:+.4%} to {effect['high']:+.4%})"
        typer.echo(
            f"Cut-card effect on the edge of {carried.bets[name].bet.name}: {effect['effect']:+.4%}{reach}; "
            "with --rounds there is none."
        )
    looked = result.get("by_shoe")
    if looked is not None:
        quantiles = [
            (f"{share:.0%}", *(f"{looked[key][at]:+.2f}" for key in ("lowest", "final", "highest")))
            for at, share in enumerate(looked["quantiles"])
        ]
        name = carried.bets[looked["bet"]].bet.name
        print_table(
            f"One unit on {name} every round, {counted(looked['shoes'], 'shoe', ',')}",
            ("quantile", "lowest", "at the end", "highest"),
            quantiles,
        )


def _against_the_exact(chi: dict[str, Any] | None, dealing: "Dealing") -> str:
    if chi is None:
        return "Too few rounds were dealt to hold the outcomes against the exact vector."
    chance = "nearly all" if chi["p_value"] > 0.9999 else f"{chi['p_value']:.2%} of"
    degrees = counted(chi["degrees"], "degree")
    said = (
        f"Outcomes against the exact vector: chi-square {chi['statistic']:.1f} with {degrees} of freedom, "
        f"met by chance in {chance} runs."
    )
    return said if dealing.rounds else f"{said} With a cut card the outcomes are not quite those of a full shoe."


def _is_inside(bet: Mapping[str, Any]) -> bool:
    """Whether the exact edge of a bet lies within its interval, or it has none."""
    return bet["low"] is None or bool(bet["low"] <= bet["exact_edge"] <= bet["high"])


def _show_outside(bets: Iterable[Mapping[str, Any]]) -> None:
    """Where exact edges lie outside their intervals, say how many do so by chance alone."""
    judged = [_is_inside(each) for each in bets if each["low"] is not None]
    if not all(judged):
        typer.echo(
            f"{judged.count(False)} of {len(judged)} outside: by chance alone, {(1 - LEVEL) * len(judged):.1f} of so "
            f"many intervals of {LEVEL:.0%} miss the exact edge on average."
        )


def rounds_told(rate: float) -> str:
    """So many rounds, with two digits at least."""
    millions = rate / 1e6
    if millions >= 10:
        return f"{millions:,.0f} million"
    return f"{millions:.1f} million" if millions >= 1 else f"{float(f'{rate:.2g}'):,.0f}"


def _speed(result: dict[str, Any]) -> str:
    rate = result["rounds_a_second"]
    where = {"cpu": "thread", "gpu": "GPU", "dask": "worker"}[result["backend"]]
    speed = "" if rate is None else f", {rounds_told(rate)} a second"
    return f"{result['seconds']:.2f} s{speed} ({counted(result['workers'], where)})"
