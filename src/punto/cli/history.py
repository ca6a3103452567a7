"""`punto history`: recorded shoes read back: counted, drawn, settled again, and made from what others write."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from punto.cli.output import Json, Table, check_table, console, counted, print_json, print_table, write_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from punto.history import History, RecordedCover, RecordedRound, RecordedShoe, RecordedWager
    from punto.roads import Result

app = typer.Typer(no_args_is_help=True, help="Recorded shoes: count, draw and settle them, or make them from others'.")
File = Annotated[Path, typer.Argument(metavar="FILE", help="A history, or a table of rounds.")]
OneShoe = Annotated[int | None, typer.Option("--shoe", metavar="N", help="One shoe, counted from 1; else all.")]


@app.callback()
def history() -> None:
    """Recorded shoes."""


@app.command()
def show(file: File, output: Table = None, json: Json = False) -> None:
    """Count what was dealt: rounds, winners, pairs, naturals and numbers of cards, shoe by shoe and in all."""
    check_table(output)
    shoes = _dealt(file).shoes
    counts = [_counts(shoe) for shoe in shoes]
    write_table(output, ({"shoe": at} | _told(each) for at, each in enumerate(counts, start=1)))
    whole: Counter[str] = sum(counts, Counter())
    if json:
        print_json({"shoes": list(map(_every, counts)), "total": _every(whole)})
        return
    names = [name for name in _NAMES if whole[name]]
    rows = [(str(at), *(each[name] for name in names)) for at, each in enumerate(counts, start=1)]
    rows.append(("all", *(_share(whole, name) for name in names)))
    print_table(counted(len(shoes), "shoe"), ("shoe", *(_NAMES[name] for name in names)), rows)


@app.command()
def roads(
    file: File,
    shoe: OneShoe = None,
    width: Annotated[int, typer.Option(min=6, max=1000, metavar="N", help="How many columns to draw.")] = 30,
) -> None:
    """Draw the five roads of each shoe."""
    from punto.cli.roads import coloured
    from punto.roads import roads as plotted

    for at, each in _chosen(_dealt(file).shoes, shoe):
        typer.echo(f"Shoe {at}")
        console().print(coloured(plotted([result for _, result in _results(each)]), width))


@app.command()
def settle(file: File, output: Table = None, json: Json = False) -> None:
    """Settle every recorded wager again by its book. Exit status 1 if one was recorded with another net."""
    from punto.amounts import USUAL, show_money
    from punto.rulebook import Refused
    from punto.settlement.recorded import settle_again

    check_table(output)
    rows, settled, other, refusals = [], 0, 0, 0
    for at, shoe in enumerate(_read(file).shoes, start=1):
        for each in shoe.rounds:
            bets: list[RecordedWager | RecordedCover] = [*each.wagers, *each.covers]
            if not bets or each.void or not each.cards:
                continue
            try:
                lines = settle_again(shoe, each)
            except Refused as refused:
                rows.append({"shoe": at, "round": each.number, "error": str(refused)})
                refusals += 1
                continue
            for bet, line in zip(bets, lines, strict=True):
                differs = bet.net is not None and bet.net != line.net
                settled, other = settled + 1, other + differs
                currency = shoe.currency or USUAL
                recorded = None if bet.net is None else show_money(bet.net, currency)
                found = {"net": show_money(line.net, currency), "recorded": recorded, "differs": differs}
                rows.append({"shoe": at, "round": each.number, "bet": line.bet, **found, "why": line.why})
    write_table(output, rows, _SETTLED)
    if json:
        print_json(rows)
    else:
        for row in rows:
            if "error" in row:
                typer.echo(f"shoe {row['shoe']}, round {row['round']}: {row['error']}")
            elif row["differs"]:
                typer.echo(
                    f"shoe {row['shoe']}, round {row['round']}: {row['bet']} was recorded with {row['recorded']}, "
                    f"and comes to {row['net']}. {row['why']}"
                )
        bets_settled = "1 wager or cover" if settled == 1 else f"{settled} wagers and covers"
        unsettled = f" {counted(refusals, 'round')} could not be settled." if refusals else ""
        typer.echo(f"{bets_settled} settled, {other} of them otherwise than recorded.{unsettled}")
    if other or refusals:
        raise typer.Exit(1)


@app.command()
def replay(
    file: File,
    shoe: OneShoe = None,
    round: Annotated[
        int | None, typer.Option("--round", metavar="N", help="One round, by its number; else all.")
    ] = None,
    output: Table = None,
    json: Json = False,
) -> None:
    """Go through what was recorded, round by round: how it was dealt, what happened, and what each wager comes to."""
    from punto.messages import say
    from punto.rulebook import Refused

    check_table(output)
    found = [
        _replayed(at, recorded, each)
        for at, recorded in _chosen(_dealt(file).shoes, shoe)
        for each in recorded.rounds
        if round in (None, each.number)
    ]
    if round is not None and not found:
        raise Refused(say("no-such-recorded-round", "There is no round {round} in it.", round=round))
    write_table(output, map(_lines_as_text, found), _REPLAYED)
    if json:
        print_json(found)
        return
    for each in found:
        typer.echo(f"Shoe {each['shoe']}, round {each['round']}: {each['says']}")
        for line in (*each["events"], *each["lines"]):
            typer.echo(f"  {line}")


@app.command()
def export(
    file: File,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="A table: .csv, .jsonl or .parquet.")],
    wagers: Annotated[
        bool, typer.Option("--wagers", help="A row for every wager and cover; else for every round.")
    ] = False,
) -> None:
    """Write the rounds of a history, or its wagers, as a table."""
    history = _dealt(file)
    table = history.wagers() if wagers else history.to_rows()
    table.write(output)
    typer.echo(f"{output}  {counted(len(table.rows), 'wager' if wagers else 'round')}")


@app.command("import")
def bring_in(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Results, cards, or a table of rounds.")],
    book: Annotated[
        str, typer.Option(metavar="BOOK", help="The rulebook that was played by: its id; else as the table says.")
    ] = "",
    layout: Annotated[
        str | None, typer.Option(metavar="L", help="The layout of the table; else as the table says, if it does.")
    ] = None,
    decks: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Decks in the shoe; else as the table says, if it does.")
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="FORM", help="results, column, shoes, csv or json; else recognised from the file."
        ),
    ] = None,
    wagers: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The wagers of these rounds: a table as punto history export --wagers writes it; else none.",
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="The history; else standard output.")
    ] = None,
) -> None:
    """Make a history from results, from the cards of whole shoes, from a table of rounds, or from a tracker's JSON."""
    from punto.history import BadHistory, LineFault, RecordedShoe, dump
    from punto.history.forms import FORMS
    from punto.history.lines import read_line
    from punto.history.tables import with_wagers
    from punto.tabular import read as read_table

    for kind, name in (("rulebook", book), ("layout", layout)):
        try:
            read_line(kind, name or "nothing")
        except ValueError:
            raise typer.BadParameter(f"{name!r} is no name: write letters, digits and hyphens, like wu-song.") from None
    if form is not None and form not in FORMS:
        raise typer.BadParameter(f"--from is {', '.join(FORMS)}, not {form!r}.")
    chosen, history = _taken(file, RecordedShoe(book, layout, decks), form)
    if wagers is not None:
        history = with_wagers(history, read_table(wagers))
    try:
        made = dump(history)
    except ValueError as error:  # every line can be read alone, but not all of them together
        raise BadHistory((LineFault(1, str(error)),)) from None
    if output is None:
        typer.echo(made, nl=False)
        return
    output.write_text(made, encoding="utf-8", newline="\n")
    rounds = sum(len(shoe.rounds) for shoe in history.shoes)
    typer.echo(f"{output}  {counted(rounds, 'round')}, read as {chosen}")


def _taken(file: Path, head: "RecordedShoe", form: str | None) -> "tuple[str, History]":
    """What others wrote as a history, and the form in which it was read: the one that was said, or as it looks."""
    from punto.history import BadHistory, LineFault
    from punto.history.forms import FORMS, form_of
    from punto.history.importing import from_rows
    from punto.history.reader import text_of
    from punto.history.tables import NO_RULEBOOK
    from punto.tabular import FORMS as TABLES
    from punto.tabular import read as read_table

    table = TABLES.get(file.suffix.lower(), "csv")
    if form is None and table != "csv":
        return table, from_rows(read_table(file), head)
    text = text_of(file).removeprefix("\ufeff")
    chosen = form or form_of(text)
    if not text.strip():
        raise BadHistory((LineFault(1, "There is no round in it."),))
    if chosen != "csv" and not head.rulebook:
        raise BadHistory((LineFault(1, NO_RULEBOOK),))
    return chosen, FORMS[chosen](text, head)


def _read(file: Path) -> "History":
    """A history, or what a table of rounds says of one."""
    from punto.history import RecordedShoe, read
    from punto.tabular import is_table

    return _taken(file, RecordedShoe(""), None)[1] if is_table(file) else read(file)


def _dealt(file: Path) -> "History":
    """The same, with cards of which coups can be made."""
    from punto.history.reader import check_coups

    history = _read(file)
    check_coups(history)
    return history


_SETTLED = ("shoe", "round", "bet", "net", "recorded", "differs", "why", "error")
_REPLAYED = ("shoe", "round", "says", "events", "lines")


def _lines_as_text(each: dict[str, Any]) -> dict[str, Any]:
    """A round that was gone through as a row: what happened and was paid stands in one cell, a line each."""
    return each | {name: "\n".join(each[name]) or None for name in ("events", "lines")}


def _every(counts: "Counter[str]") -> dict[str, int]:
    """What was counted, and 0 for what was never met."""
    return {name: counts[name] for name in _NAMES}


def _told(counts: "Counter[str]") -> dict[str, int]:
    """What was counted of a shoe, as the columns of a table."""
    return {name.replace(" ", "_"): number for name, number in _every(counts).items()}


_NAMES = {
    "rounds": "rounds",
    "banker": "Banker",
    "player": "Player",
    "tie": "tie",
    "banker pair": "Banker pair",
    "player pair": "Player pair",
    "natural": "natural",
    "free": "free",
    "void": "void",
    "4 cards": "4 cards",
    "5 cards": "5 cards",
    "6 cards": "6 cards",
}
"""What is counted, and the heads of the columns."""


def _chosen(shoes: "tuple[RecordedShoe, ...]", shoe: int | None) -> "list[tuple[int, RecordedShoe]]":
    """The shoes with their numbers, or the one that was asked for."""
    from punto.messages import say
    from punto.rulebook import Refused

    if shoe is not None and not 1 <= shoe <= len(shoes):
        raise Refused(
            say("no-such-recorded-shoe", "There is no shoe {shoe}: the file has {count}.", shoe=shoe, count=len(shoes))
        )
    return [(at, each) for at, each in enumerate(shoes, start=1) if shoe in (None, at)]


def _replayed(at: int, shoe: "RecordedShoe", each: "RecordedRound") -> dict[str, Any]:
    """A round as it was recorded, and what its wagers come to."""
    from punto.coup import deal, headline, show
    from punto.rulebook import Refused
    from punto.settlement.recorded import settle_again

    if each.void:
        says = "called off" + (f" after {show(each.cards)}" if each.cards else "")
    elif each.result is not None:
        says = "Tie" if each.result.winner == "tie" else f"{each.result.winner.capitalize()} wins"
    else:
        says = headline(deal(each.cards))
    lines: list[str] = []
    bets: list[RecordedWager | RecordedCover] = [*each.wagers, *each.covers]
    if bets and each.cards and not each.void:
        try:
            settled = settle_again(shoe, each)
            lines = [
                f"{bet.patron}: {line.why}" if bet.patron else line.why for bet, line in zip(bets, settled, strict=True)
            ]
        except Refused as refused:
            lines = [str(refused)]
    events = [
        f"{event.kind}"
        + ("" if event.after is None else f" after {counted(event.after, 'card')}")
        + f": {event.text}" * bool(event.text)
        for event in each.events
    ]
    free = " (free hand)" if each.free else ""
    return {"shoe": at, "round": each.number, "says": f"{says}{free}", "events": events, "lines": lines}


def _results(shoe: "RecordedShoe") -> "Iterator[tuple[RecordedRound, Result]]":
    """The rounds of a shoe that came to an end, as a scoreboard shows them."""
    from punto.coup import deal
    from punto.roads import Result, result

    for each in shoe.rounds:
        if each.void:
            continue
        if each.result is None:
            yield each, result(deal(each.cards), each.free)
        else:
            pairs = each.result.pairs
            banker, player = pairs in ("banker", "both", "twin"), pairs in ("player", "both", "twin")
            yield each, Result(each.result.winner, banker, player, each.result.natural, each.free)  # type: ignore[arg-type]  # checked by the reader


def _counts(shoe: "RecordedShoe") -> "Counter[str]":
    found = Counter(rounds=len(shoe.rounds), void=sum(each.void for each in shoe.rounds))
    for recorded, result in _results(shoe):
        found[result.winner] += 1
        found["banker pair"] += result.banker_pair
        found["player pair"] += result.player_pair
        found["natural"] += result.natural
        found["free"] += result.free
        if recorded.cards:
            found[f"{len(recorded.cards)} cards"] += 1
    return found


def _share(whole: "Counter[str]", name: str) -> str:
    if name == "rounds":
        return f"{whole[name]}"
    return f"{whole[name]} ({100 * whole[name] / whole['rounds']:.1f}%)"
