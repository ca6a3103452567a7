"""`punto diff`: how two books differ, point by point; and whether they pay and do the same, with proof."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.output import Json, Table, check_table, counted, print_json, print_table, write_table

if TYPE_CHECKING:
    from punto.compare import PartFound, Proof
    from punto.compare.prices import Prices
    from punto.rulebook import Book
    from punto.rulebook.differences import Difference


def diff(
    a: Annotated[str, typer.Argument(metavar="A", help="A rulebook: its id or a TOML file.")],
    b: Annotated[str | None, typer.Argument(metavar="B", help="Another, or the same.")] = None,
    layouts: Annotated[
        str | None, typer.Option(metavar="L,M", help="Compare layout L of A with layout M of B; else all.")
    ] = None,
    change: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="Change a value of B, or of A where B is not given; may be repeated."
        ),
    ] = None,
    prove: Annotated[
        bool, typer.Option("--prove", help="Say whether they pay and do the same, with a story for each part.")
    ] = False,
    states: Annotated[
        int, typer.Option(min=1, metavar="N", help="How many states of small tables are searched in each direction.")
    ] = 60,
    witnesses: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Prove, and write the stories there as scenarios.")
    ] = None,
    output: Table = None,
    json: Json = False,
) -> None:
    """Compare two books, or two versions of one, point by point; with --prove, in what they pay and do."""
    from punto.rulebook import load, parse
    from punto.rulebook.differences import differences

    check_table(output)
    one = load(a)
    first, _, second = (layouts or "").partition(",")
    if b is None and second.strip():
        b = a  # two layouts of one book
    text = _second(a, b, change or [])
    other = load(b) if b is not None and not change else parse(text, f"{b or a} as changed")
    points = differences(one, other, first.strip() or None, second.strip() or first.strip() or None)
    write_table(output, map(_point, points), _COLUMNS)
    if witnesses is not None:
        witnesses.mkdir(parents=True, exist_ok=True)
        (witnesses / "b.toml").write_bytes(text)
    if prove or witnesses is not None:
        _prove(one, other, points, states, witnesses, json, _names(one, other, a, b, bool(change)))
        return
    if json:
        print_json(points)
        return
    if not points:
        typer.echo("No difference.")
        return
    names = _names(one, other, a, b, bool(change))
    _print_points(points, f"{names[0]} {first}".strip(), f"{names[1]} {second}".strip())


def _names(one: "Book", other: "Book", a: str, b: str | None, changed: bool) -> tuple[str, str]:
    """What the two are called above their columns: by their ids, and where these are the same, by what was given."""
    if changed:
        return one.id, f"{other.id} as changed"
    if b is None or one.id != other.id or a == b:
        return one.id, other.id
    return _given(one, a), _given(other, b)


def _given(book: "Book", name: str) -> str:
    return f"{book.id} {name[:12]}" if name == book.digest else name


def _second(a: str, b: str | None, changes: list[str]) -> bytes:
    """The text of the second book: as it stands, or with changes."""
    from punto.messages import say
    from punto.rulebook import Refused, source, whole
    from punto.rulebook.changes import with_changes

    if b is None and not changes:
        raise Refused(
            say(
                "nothing-to-compare-with",
                "Name a second book, a change of the first with --set, or two layouts of it with --layouts.",
            )
        )
    text = whole(source(b or a), b or a)
    return with_changes(text, changes) if changes else text


_COLUMNS = ("point", "a", "a_clauses", "b", "b_clauses")


def _point(each: "Difference") -> dict[str, object]:
    """A point on which two books differ, as a row."""
    told = (each.point, each.a.value, each.a.clauses, each.b.value, each.b.clauses)
    return dict(zip(_COLUMNS, told, strict=True))


def _print_points(points: "list[Difference]", one: str, other: str) -> None:
    print_table(
        counted(len(points), "difference"),
        ["point", one, other],
        [(each.point, _said(each.a.value, each.a.clauses), _said(each.b.value, each.b.clauses)) for each in points],
    )


def _said(value: str, clauses: tuple[str, ...]) -> str:
    return f"{value} [{', '.join(clauses)}]" if clauses else value


# The proof


def _prove(
    one: "Book",
    other: "Book",
    points: "list[Difference]",
    states: int,
    folder: Path | None,
    json: bool,
    names: tuple[str, str],
) -> None:
    from punto.compare import prove
    from punto.extras import MissingExtra

    try:
        from punto.compare.prices import pays_alike, price

        proof = prove(one, other, states, pays_alike)
        prices = price(one, other, proof.found)
    except MissingExtra:
        proof, prices = prove(one, other, states), None
        if not json:
            typer.echo("Without the extra 'maths' nothing is priced.")
    if folder is not None:
        _write(folder, proof)
    if json:
        print_json(_as_json(proof, prices, points))
        return
    if points:
        _print_points(points, *names)
    _print_proof(proof, prices, names)


def _write(folder: Path, proof: "Proof") -> None:
    """Two scenarios for each part, one for each book; each runs as told under its own."""
    for each in proof.found:
        if each.witness is not None:
            name = each.part.replace(" ", "-")
            (folder / f"{name}.a.scenario").write_text(each.witness.scenario_a, encoding="utf-8")
            (folder / f"{name}.b.scenario").write_text(each.witness.scenario_b, encoding="utf-8")


def _print_proof(proof: "Proof", prices: "Prices | None", names: tuple[str, str]) -> None:
    if proof.equal:
        typer.echo(f"Equal: {names[0]} and {names[1]} pay and do the same.")
    else:
        shown = sum(each.witness is not None for each in proof.found)
        told = f"Different: {counted(len(proof.found), 'part')} of what they pay and do; {shown} shown by a story"
        unshown = len(proof.found) - shown
        typer.echo(f"{told}, {unshown} by the rules alone." if unshown else f"{told}.")
    if proof.words:
        typer.echo(f"In words alone, with nothing decided by them: {', '.join(proof.words)}.")
    if proof.never:
        typer.echo(f"Only for cases that no table of both comes to: {', '.join(proof.never)}.")
    for each in proof.found:
        _print_found(each, prices)
    if prices is not None and prices.edges:
        print_table(
            f"Edges that change, {prices.decks} decks",
            ["bet", "layouts", *names, "change"],
            [
                (each.what, ", ".join(each.layouts), _percent(each.a), _percent(each.b), _percent(each.change))
                for each in prices.edges
            ],
        )
    if proof.renamed:
        typer.echo("Called otherwise: " + ", ".join(f"{own} is {name}" for own, name in proof.renamed.items()) + ".")
    seen = proof.compared
    typer.echo(
        f"Compared without exception: {seen.parts} parts; {seen.outcomes:,} outcomes for {seen.bets} bets of layouts, "
        f"{seen.cells} prices of insurance, {seen.guard_cases} cases of irregularities."
    )


def _print_found(found: "PartFound", prices: "Prices | None") -> None:
    typer.echo(f"\n{found.part}")
    if found.witness is None:
        typer.echo(
            "  Their rules differ here, and that is proven. No story was found in which it shows: every command was "
            f"tried in {found.states} states, "
            f"every story of {counted(found.depth, 'command')} after the starting moments."
        )
        return
    if found.coup is not None:
        typer.echo(f"  {found.coup}")
    chance = None if prices is None else prices.chances.get(found.part)
    if chance is not None:
        typer.echo(f"  met in {float(chance):.6%} of rounds")
    for line in found.witness.commands:
        typer.echo(f"    {line}")
    typer.echo(f"  A: {found.witness.a}\n  B: {found.witness.b}")


def _percent(value: object) -> str:
    return "" if value is None else f"{float(value):.4%}"  # type: ignore[arg-type]  # a fraction


def _as_json(proof: "Proof", prices: "Prices | None", points: "list[Difference]") -> dict[str, object]:
    chances = {} if prices is None else prices.chances
    return {
        "equal": proof.equal,
        "a": proof.a,
        "b": proof.b,
        "points": points,
        "renamed": proof.renamed,
        "words": proof.words,
        "never": proof.never,
        "found": [
            {
                "part": each.part,
                "coup": each.coup,
                "chance": str(chances[each.part]) if each.part in chances else None,
                "witness": each.witness,
                "states": each.states,
                "depth": each.depth,
            }
            for each in proof.found
        ],
        "edges": None
        if prices is None
        else [
            {
                "what": each.what,
                "layouts": each.layouts,
                **{key: _exact(getattr(each, key)) for key in ("a", "b", "change")},
            }
            for each in prices.edges
        ],
        "decks": None if prices is None else prices.decks,
        "compared": proof.compared,
    }


def _exact(value: object) -> str | None:
    return None if value is None else str(value)
