"""`punto exposure`: what a card counter could win from every bet of a book."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from punto.cli.exposure_tables import Which, measured, write_measures, write_run
from punto.cli.late_exposure import late_figures, reach, show_late, worth_figures
from punto.cli.left_out_exposure import left_out_figures, show_left_out
from punto.cli.output import (
    Book,
    Decks,
    Json,
    Layout,
    Table,
    check_place,
    check_table,
    counted,
    print_json,
    print_table,
)
from punto.cli.runs import Cluster, Cut, First, Run, Threads, Where, backend_named, deal_missing, finish

if TYPE_CHECKING:
    from punto.exposure import Exposure, LinearCount, Offers, Task
    from punto.rulebook import Menu
    from punto.simulation import Backend, Dealing, Estimate

Trigger = Annotated[str | None, typer.Option(metavar="X", help="The true count from which it is bet; else the best.")]
Procedure = Annotated[
    str | None,
    typer.Option(metavar="plain|casino", help="How shoes begin and end; casino where tags are given, else plain."),
]
QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
OFFERS_SHOWN = 8


def exposure(
    book: Book,
    layout: Layout = None,
    every_layout: Annotated[
        bool, typer.Option("--every-layout", help="The different bets of all layouts together, as a certificate does.")
    ] = False,
    decks: Decks = None,
    cut: Cut = 14,
    burn: Annotated[int, typer.Option(metavar="B", help="Cards burnt unseen before the first round.")] = 0,
    shoes: Annotated[int, typer.Option(metavar="N", help="How many shoes to deal.")] = 10_000,
    seed: Annotated[int, typer.Option(metavar="S", help="The same seed deals the shoes of punto simulate.")] = 1,
    bet: Annotated[str | None, typer.Option(metavar="B", help="A bet to count with tags, or to find tags for.")] = None,
    tags: Annotated[
        str | None, typer.Option(metavar="T", help="Its tags, ace to ten: 0,0,-1,-1,-1,-2,+1,+2,+2,0; else the best.")
    ] = None,
    trigger: Trigger = None,
    size: Annotated[int, typer.Option(min=1, metavar="K", help="For the best tags: the largest of them.")] = 2,
    procedure: Procedure = None,
    sweep: Annotated[bool, typer.Option("--sweep", help="Sweep countermeasures for the bet instead.")] = False,
    backend: Where = "auto",
    threads: Threads = None,
    dask: Cluster = None,
    first: First = 0,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep the run in a file.")] = None,
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help="Go on from a run that was kept.")] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw it as PNG, SVG or PDF.")] = None,
    output: Table = None,
    of: Which = None,
    json: Json = False,
) -> None:
    """Deal shoes, and before every round compute every bet's exact edge from the cards that are left.

    A perfect player bets one unit whenever the edge is his. With --bet, --tags and --trigger a linear count is played
    beside him; with --bet alone the best tags for it are found first. Ctrl-C stops the run; what was dealt is printed
    and kept, and the command that goes on is told.
    """
    from punto.kernels import wide_vectors

    wide_vectors()
    from punto.exposure import DealingProcedure, prepared

    _check_plot(plot)
    carried = _carried(book, layout, every_layout)
    chosen = backend_named(backend, dask)
    check_table(output, of)
    _check_asked(carried, bet, tags, trigger, procedure, sweep, of)
    casino = _casino(procedure, published=tags is not None and burn == 0 and not sweep)
    decks = carried.book.decks.usual if decks is None else decks
    dealing = DealingProcedure(decks, cut, burn, casino=casino)
    if sweep and bet is not None:
        count = _count(bet, tags, trigger)
        _sweep(carried, bet, dealing, seed, shoes, count, chosen, threads, plot, output, json)
        return
    counts = _counts(carried, dealing, bet, tags, trigger, size)
    work, before = _work(carried, dealing, seed, shoes, first, counts, resume)
    with prepared(work, chosen, threads, dask) as ready:
        run = deal_missing(ready, work, before, save, Path(f"{carried.book.id}-{seed}.exposure.json"), show=not json)
    _print(carried, work, run, plot, output, of, json)
    asked = {"--layout": layout, "--procedure": "casino" if casino else "plain", "--bet": bet, **_played(counts)}
    finish("exposure", book, work, run, asked, "The run is", flags=("--every-layout",) * every_layout, show=not json)


def _played(counts: "list[LinearCount]") -> dict[str, str | None]:
    """The count that is played, as options."""
    if not counts:
        return {}
    return {"--tags": ",".join(map(str, counts[0].tags)), "--trigger": str(counts[0].trigger)}


def _carried(book: str, layout: str | None, every_layout: bool) -> "Menu":
    """The bets that were asked for."""
    from punto.exposure import BadExposure
    from punto.rulebook import load, menu, whole_menu

    if every_layout and layout is not None:
        raise BadExposure("One layout is looked at, or every one: give --layout or --every-layout.")
    return whole_menu(load(book)) if every_layout else menu(load(book), layout)


def _check_plot(plot: Path | None) -> None:
    """Say before the run, not after it, if the extra that draws is missing."""
    check_place(plot)
    if plot is not None:
        import punto.report.plots  # noqa: F401  # loaded to see whether it can be


def _casino(procedure: str | None, *, published: bool) -> bool:
    """Whether shoes are dealt by the casino's procedure: as asked, else where counts are published under it."""
    return published if procedure is None else procedure == "casino"


def _check_asked(
    carried: "Menu",
    bet: str | None,
    tags: str | None,
    trigger: str | None,
    procedure: str | None,
    sweep: bool,
    of: Which,
) -> None:
    """Refuse options that do not go together."""
    from punto.exposure import BadExposure

    if (tags is None) != (trigger is None) or (tags is not None and bet is None):
        raise BadExposure(
            "A count needs all three: --bet, --tags and --trigger. With --bet alone the best tags are found."
        )
    if procedure not in (None, "plain", "casino"):
        raise BadExposure(f"There is no procedure {procedure!r}; there are plain and casino.")
    if sweep and of is not None:
        raise BadExposure("--sweep has one table, a countermeasure a row: leave --of out.")
    if sweep and bet is None:
        raise BadExposure("Countermeasures are swept for one bet: name it with --bet.")
    if bet is not None and carried[bet].window is not None:
        raise BadExposure(
            f"{carried[bet].bet.name} is placed when the first four cards lie open: what it is worth depends on those, "
            "and no count of the cards before tells. Without --bet its perfect play is shown."
        )


def _count(bet: str, tags: str | None, trigger: str | None) -> "LinearCount | None":
    """The count that was asked for, if one was."""
    from punto.exposure import count

    return None if tags is None or trigger is None else count(bet, tags, trigger)


def _counts(
    carried: "Menu", dealing: "Dealing", bet: str | None, tags: str | None, trigger: str | None, size: int
) -> "list[LinearCount]":
    """The count to play beside perfect play: the one that was asked for, or the best for the bet."""
    from punto.exposure import best_count

    if bet is None:
        return []
    return [_count(bet, tags, trigger) or best_count(carried, bet, dealing, size=size)]


def _work(
    carried: "Menu",
    dealing: "Dealing",
    seed: int,
    shoes: int,
    first: int,
    counts: "list[LinearCount]",
    resume: Path | None,
) -> "tuple[Task, Exposure | None]":
    """The run to do, and the one that was kept, if it is to go on; that must be of the same kind."""
    from punto.exposure import BadExposure, load_exposure, task

    before = None if resume is None else load_exposure(resume)
    block = None if before is None else before.block
    work = task(carried, dealing, seed=seed, shoes=shoes, first=first, block=block, counts=counts, cover=carried.book)
    if before is None:
        return work, None
    if (before.seed, before.dealing, before.priced, before.counted) != (seed, dealing, work.priced, work.counts):
        raise BadExposure(
            f"{resume} holds another run: its seed, its dealing, its bets or its count are not those asked for."
        )
    return work, before


def _print(
    carried: "Menu",
    work: "Task",
    run: "Run[Exposure]",
    plot: Path | None,
    output: Path | None,
    of: Which,
    json: bool,
) -> None:
    """Print the run, and draw it."""
    total, dealing = run.total, work.dealing
    if plot is not None:
        from punto.report.plots import plot_exposure

        plot_exposure(carried, total, plot)
    result = {
        "rulebook": carried.book.id,
        "layout": carried.layout.id,
        "decks": dealing.decks,
        "cut": dealing.cut,
        "burn": dealing.burn,
        "procedure": "casino" if dealing.casino else "plain",
        "seed": work.seed,
        "shoes": total.dealt,
        "rounds": total.rounds,
        "seconds": run.seconds,
        "backend": run.backend,
        "workers": run.workers,
        "complete": run.whole,
        "digest": total.digest,
        **_figures(total, carried, dealing.decks, work.offers),
        "late": late_figures(total, carried, dealing.decks),
        "left_out": left_out_figures(carried, dealing.decks),
    }
    write_run(output, of, total, result)
    if json:
        print_json(result)
    else:
        _show(result, total, carried)


def _sweep(
    carried: "Menu",
    bet: str,
    dealing: "Dealing",
    seed: int,
    shoes: int,
    played: "LinearCount | None",
    backend: "Backend",
    threads: int | None,
    plot: Path | None,
    output: Path | None,
    json: bool,
) -> None:
    """Sweep countermeasures for one bet, and print what each costs and protects."""
    from punto.exposure import countermeasures

    found = countermeasures(
        carried, bet, dealing, seed=seed, shoes=shoes, count=played, backend=backend, threads=threads
    )
    if plot is not None:
        from punto.report.plots import plot_measures

        plot_measures(carried, bet, found, plot)
    measures = [measured(each) for each in found]
    write_measures(output, measures)
    if json:
        print_json({"bet": bet, "measures": measures})
        return
    how = "by the count" if played is not None else "perfectly"
    print_table(
        f"Countermeasures for {carried.bets[bet].bet.name}, played {how}, {shoes:,} shoes of seed {seed}",
        ("measure", "", "house edge", "price", "rounds a shoe", "units a shoe", "±", "protection"),
        [
            (
                each.kind,
                each.value,
                f"{each.house_edge:.3%}",
                f"{each.price:+.3%}" if each.price else "",
                f"{each.rounds:.1f}",
                f"{each.units:.4f}",
                _half(each.worth.per_shoe, each.cap),
                f"{each.protection:.1%}",
            )
            for each in found
        ],
    )


def _half(each: "Estimate", times: float = 1.0) -> str:
    return "" if each.low is None or each.high is None else f"{(each.high - each.low) / 2 * times:.4f}"


def _figures(total: "Exposure", carried: "Menu", decks: int, offers: "Offers") -> dict[str, Any]:
    from punto.exposure import correlation, exact_edges, in_runs, removal
    from punto.odds import full_shoe

    counted_bets = in_runs(carried, decks).laid_before
    exact, effects = exact_edges(counted_bets, full_shoe(decks)), removal(counted_bets, decks)
    bets: dict[str, Any] = {}
    for name in counted_bets.bets:
        edge = total.edge(name)
        bets[name] = {
            "played": "perfect",
            **worth_figures(total.perfect(name)),
            "edge": _estimate(edge),
            "full_shoe_edge": float(exact[name]),
            "best_depth": total.best_depth(name),
            "effects_of_removal": [float(effect) for effect in effects[name]],
            "quantiles": {f"{share:g}": total.quantile(name, share) / 100 for share in QUANTILES},
            "distribution": {f"{percent / 100:g}": rounds for percent, rounds in total.distribution(name)},
            "by_depth": [
                {"left": left, "rounds": rounds, "favourable": times, "units": units}
                for left, rounds, times, units in total.by_depth(name)
            ],
            "by_cut": [{"cut": cut, **worth_figures(total.perfect(name, cut))} for cut in total.cuts],
        }
    counts = []
    for number, each in enumerate(total.counted):
        worth, perfect = total.by_count(number), total.perfect(each.bet)
        bets[each.bet] |= {"played": "count", **worth_figures(worth), "perfect": worth_figures(perfect)}
        counts.append(
            {
                "bet": each.bet,
                "tags": each.tags,
                "trigger": float(each.trigger),
                **worth_figures(worth),
                "correlation": correlation(effects[each.bet], each.tags),
                "efficiency": worth.per_shoe.value / perfect.per_shoe.value if perfect.per_shoe.value else None,
                "best_trigger": total.best_trigger(number),
                "by_true_count": [
                    {"true_count": true, "rounds": rounds, "units": units}
                    for true, rounds, units in total.by_true_count(number)
                ],
            }
        )
    return {
        "bets": bets,
        "count": counts[0] if counts else None,
        "insurance": [
            {
                "stage": cell.row.stage,
                "hand": cell.row.hand,
                "own": cell.own,
                "opposite": cell.opposite,
                "odds": cell.row.odds.text,
                "full_shoe_edge": -float(cell.edge),
                "met": total.offers[number][0],
                **worth_figures(total.offer(number)),
            }
            for number, cell in enumerate(offers.cells)
        ],
    }


def _estimate(each: "Estimate") -> dict[str, float | None]:
    return {"value": each.value, "error": each.error, "low": each.low, "high": each.high}


def _show(result: dict[str, Any], total: "Exposure", carried: "Menu") -> None:
    burnt = f", {counted(result['burn'], 'card')} burnt" if result["burn"] else ""
    if total.dealing.casino:
        burnt = ", first card turned up and as many burnt as it counts, one more round after the cut card"
    typer.echo(
        f"{carried.book.title}, {_layout(carried)}, {counted(result['decks'], 'deck')}, "
        f"cut card {result['cut']} from the end{burnt}"
    )
    typer.echo(
        f"Seed {result['seed']}: {counted(total.dealt, 'shoe', ',')}, {counted(total.rounds, 'round', ',')}, "
        f"{result['seconds']:.1f} s ({result['backend']})"
    )
    typer.echo(f"SHA-256 of what was noted: {result['digest']}")
    print_table(
        "Perfect play: one unit whenever the exact edge is the player's",
        ("bet", "full shoe", "rounds", "edge then", "units a shoe", "±", "per 100", "best with"),
        [_row(_name(carried, name), each | each.get("perfect", {})) for name, each in result["bets"].items()],
    )
    count = result["count"]
    if count is not None:
        worth = total.by_count()
        name = _name(carried, count["bet"])
        tags = ",".join(f"{tag:+d}" if tag else "0" for tag in count["tags"][:10])
        efficiency = "" if count["efficiency"] is None else f"{count['efficiency']:.1%} of perfect play; "
        then = "" if worth.edge is None else f" at an average edge of {worth.edge.value:+.3%}"
        typer.echo(
            f"{name} with tags {tags} from a true count of {count['trigger']:g}: bet in {worth.share.value:.3%} of "
            f"rounds{then}, {worth.per_100.value:.3f} units per 100 rounds, {worth.per_shoe.value:.3f}"
            f"{_plus_minus(worth.per_shoe)} a shoe; {efficiency}best from {count['best_trigger']:+d}."
        )
    show_left_out(result["left_out"])
    show_late(result["late"], {name: _name(carried, name) for name in total.late})
    offers = [each for each in result["insurance"] if each["units_per_shoe"] > 0]
    if offers:
        best = sorted(offers, key=lambda each: -each["units_per_shoe"])[:OFFERS_SHOWN]
        stages = {"four-cards": "after four cards", "third-card": "after Player's third"}
        print_table(
            f"Insurance: the {len(best)} offers worth most, one unit of cover whenever it favours the patron",
            ("offered", "hand", "own", "against", "pays", "full shoe", "rounds", "edge then", "units a shoe", "±"),
            [
                (
                    stages[each["stage"]],
                    each["hand"].capitalize(),
                    each["own"],
                    each["opposite"],
                    each["odds"],
                    f"{each['full_shoe_edge']:+.2%}",
                    f"{each['favourable']:.3%}",
                    f"{each['edge_when_favourable']:+.2%}",
                    f"{each['units_per_shoe']:.4f}",
                    reach(each, "units_per_shoe", 4),
                )
                for each in best
            ],
        )


def _layout(carried: "Menu") -> str:
    from punto.rulebook import EVERY_LAYOUT

    return "every layout" if carried.layout.id == EVERY_LAYOUT else f"layout {carried.layout.id}"


def _name(carried: "Menu", key: str) -> str:
    """A bet's name; with its first layout where layouts pay it differently."""
    bet = carried.bets[key].bet
    return bet.name + key.removeprefix(bet.id)


def _row(name: str, each: dict[str, Any]) -> tuple[str, ...]:
    depth = each["best_depth"]
    return (
        name,
        f"{each['full_shoe_edge']:+.3%}",
        f"{each['favourable']:.3%}",
        "" if each["edge_when_favourable"] is None else f"{each['edge_when_favourable']:+.3%}",
        f"{each['units_per_shoe']:.4f}",
        reach(each, "units_per_shoe", 4),
        f"{each['units_per_100']:.4f}",
        "" if depth is None else f"{depth[0]}-{depth[1]} left",
    )


def _plus_minus(each: "Estimate") -> str:
    return "" if each.low is None or each.high is None else f" ± {(each.high - each.low) / 2:.3f}"
