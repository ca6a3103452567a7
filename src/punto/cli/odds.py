"""`punto odds`: the exact edge of every bet and every insurance cell from a shoe."""

from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.output import (
    Book,
    Decks,
    Json,
    Layout,
    Table,
    check_place,
    check_table,
    console,
    counted,
    percent,
    print_json,
    print_table,
    write_table,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from punto.odds import BetOdds, CardsSeenPlay, CellOdds, InsurancePlay
    from punto.rulebook import Menu


class OddsTable(StrEnum):
    """The figures as tables."""

    BETS = "bets"
    ROWS = "rows"
    INSURANCE = "insurance"


Which = Annotated[
    OddsTable | None, typer.Option(metavar="bets|rows|insurance", help="Which table --output writes; else bets.")
]
FirstFour = Annotated[
    str, typer.Option("--open", metavar="CARDS", help="The first four cards: what may be placed after them.")
]
Removed = Annotated[str, typer.Option(metavar="CARDS", help="Cards already gone, such as '6h 6 Kd'; else none.")]
_STAGES = {"four-cards": "after four cards", "third-card": "after Player's third"}


def odds(
    book: Book,
    layout: Layout = None,
    decks: Decks = None,
    removed: Removed = "",
    open_cards: FirstFour = "",
    plot: Annotated[str | None, typer.Option(metavar="FILE", help="Draw the edges as PNG, SVG or PDF.")] = None,
    output: Table = None,
    of: Which = None,
    json: Json = False,
) -> None:
    """Print the exact odds of every bet, and of insurance, from a full or depleted shoe."""
    from punto.coup import cards
    from punto.odds import best_play, best_play_by_cards, bet_odds, full_shoe, insurance_odds, without
    from punto.rulebook import load, menu

    check_table(output, of)
    _check_plot(plot, open_cards)
    found = load(book)
    carried = menu(found, layout)
    decks = found.decks.usual if decks is None else decks
    shoe = without(full_shoe(decks, by_suit=carried.by_suit), cards(removed), decks)
    if open_cards:
        _print_after_four(carried, shoe, open_cards, decks, output, of, json)
        return
    bets = bet_odds(carried, shoe)
    total = next(iter(bets.values())).total
    cells = insurance_odds(found, shoe)
    tables = {OddsTable.ROWS: bets.pay_rows, OddsTable.INSURANCE: cells.to_rows}
    write_table(output, tables.get(of or OddsTable.BETS, bets.to_rows)())
    hands = () if found.insurance is None else ("player", "banker")
    plays = [(best_play(found, shoe, hand), best_play_by_cards(found, shoe, hand)) for hand in hands]
    within = found.decks.min is None or decks in found.decks.counts
    _plot(carried, shoe, plot)
    if json:
        print_json(
            {
                "rulebook": found.id,
                "layout": carried.layout.id,
                "decks": decks,
                "within_book": within,
                "removed": removed,
                "total": str(total),
                "bets": {name: _bet(each) for name, each in bets.items()},
                "insurance": [_cell(each) for each in cells],
                "best_use": {totals.hand: _play(totals, seen) for totals, seen in plays},
            }
        )
        return
    gone = f", without {removed}" if removed else ""
    typer.echo(f"{found.title}, layout {carried.layout.id}, {counted(decks, 'deck')}{gone}: {total:,} deals")
    if not within:
        typer.echo(f"Outside the book: it allows {found.decks.noun}.")
    _show_bets(bets)
    _show_windows(bets)
    if cells:
        _show_cells(cells)
    for totals, seen in plays:
        _show_play(totals, seen)


def _check_plot(plot: str | None, open_cards: str) -> None:
    """Refuse at once a plot that could not be drawn."""
    if plot is None:
        return
    check_place(Path(plot))
    if open_cards:
        raise typer.BadParameter("--plot draws the edges of a shoe: leave it out with --open.")


def _plot(carried: "Menu", shoe: "Sequence[int]", file: str | None) -> None:
    if file is not None:
        from punto.report.plots import plot_odds

        plot_odds(carried, shoe, file)


def _print_after_four(
    carried: "Menu",
    shoe: "Sequence[int]",
    open_cards: str,
    decks: int,
    output: "Path | None",
    of: OddsTable | None,
    json: bool,
) -> None:
    """The odds of what may be placed now that the first four cards lie open."""
    from punto.coup import BadCards, cards
    from punto.messages import say
    from punto.odds import odds_after_four, without

    if of is OddsTable.INSURANCE:
        raise typer.BadParameter("--open has the odds of bets: --of is bets or rows there.")
    four, printed = cards(open_cards), carried.book.cards.printed
    if len(four) != 4:
        raise BadCards(say("four-cards-open", "Write the first four cards, as they lie open, like '6h 2c Kd As'."))
    drawn = four if printed is None else tuple(card for at, card in enumerate(four) if at != printed.place)
    bets = odds_after_four(carried, without(shoe, drawn, decks), four)
    write_table(output, bets.pay_rows() if of is OddsTable.ROWS else bets.to_rows())
    if json:
        print_json({"open": open_cards, "bets": {name: _bet(each) for name, each in bets.items()}})
    elif bets:
        _show_bets(bets)
    else:
        typer.echo("No bet may be placed after these first four cards.")


def _ratio(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


def _bet(each: "BetOdds") -> dict[str, object]:
    from punto.rulebook import printed
    from punto.rulebook.words import pattern_in_words

    return {
        "edge": _ratio(each.edge),
        "edge_float": float(each.edge),
        "sd": each.sd,
        "hit": _ratio(each.hit),
        **({} if each.offered is None else {"offered": _ratio(each.offered)}),
        "rows": [
            {
                "when": str(pattern_in_words(row.row.when)),
                "odds": row.row.odds.text if row.row.odds else None,
                "result": row.row.result,
                "probability": _ratio(row.probability),
                "clause": printed(row.row.basis.clauses[0]),
            }
            for row in each.rows
        ],
    }


def _cell(each: "CellOdds") -> dict[str, object]:
    return {
        "stage": each.row.stage,
        "hand": each.row.hand,
        "own": each.own,
        "opposite": each.opposite,
        "odds": each.row.odds.text,
        "reach": _ratio(each.reach),
        "win": _ratio(each.win),
        "stand_off": _ratio(each.stand_off),
        "edge": _ratio(each.edge),
        "edge_float": float(each.edge),
    }


def _show_bets(bets: "dict[str, BetOdds]") -> None:
    from punto.rulebook import printed
    from punto.rulebook.words import pattern_in_words, pays_in_words

    rows = []
    for each in bets.values():
        for at, row in enumerate(each.rows):
            rows.append(
                (
                    "" if at else each.name,
                    pattern_in_words(row.row.when),
                    pays_in_words(row.row),
                    f"{float(row.probability):.6%}",
                    printed(row.row.basis.clauses[0]),
                    "" if at else percent(each.edge),
                    "" if at else f"{each.sd:.4f}",
                )
            )
    print_table(None, ["bet", "when", "pays", "probability", "clause", "house edge", "sd"], rows)


def _show_windows(bets: "dict[str, BetOdds]") -> None:
    """How often a bet can be placed whose window the first four cards open."""
    for each in bets.values():
        if each.offered is not None:
            often = f"{float(each.offered):.4%}"
            typer.echo(f"{each.name} is placed after the first four cards, which {often} of rounds allow.")


def _show_cells(cells: "list[CellOdds]") -> None:
    print_table(
        "Insurance",
        ["offered", "hand", "own", "against", "pays", "per round", "wins", "comes back", "house edge"],
        [
            (
                _STAGES[each.row.stage],
                each.row.hand.capitalize(),
                each.own,
                each.opposite,
                each.row.odds.in_words + (" (tie)" if each.row.tie_pays else ""),
                f"{float(each.reach):.4%}",
                f"{float(each.win):.4%}",
                f"{float(each.stand_off):.4%}",
                percent(each.edge),
            )
            for each in cells
        ],
    )


def _play(totals: "InsurancePlay", seen: "CardsSeenPlay") -> dict[str, object]:
    more = seen.worth - totals.worth
    return {
        "by_totals": _ratio(totals.worth),
        "by_totals_float": float(totals.worth),
        "by_cards": _ratio(seen.worth),
        "by_cards_float": float(seen.worth),
        "difference": _ratio(more),
        "difference_float": float(more),
        "cells": [
            {
                "stage": each.cell.row.stage,
                "own": each.cell.own,
                "opposite": each.cell.opposite,
                "insured": _ratio(each.insured),
                "share_float": float(each.share),
            }
            for each in seen.cells
        ],
    }


def _show_play(totals: "InsurancePlay", seen: "CardsSeenPlay") -> None:
    hand = totals.hand.capitalize()
    if totals.worth:
        where = ", ".join(f"{each.own} against {each.opposite} {_STAGES[each.row.stage]}" for each in totals.cells)
        console().print(
            f"Insurance on {hand}, insured to the cap where it favours the patron ({where}), "
            f"is worth {float(totals.worth):.5%} of the bet per round."
        )
    else:
        console().print(f"Insurance on {hand}: no cell favours the patron.")
    if seen.worth > totals.worth:
        console().print(
            f"To a patron who decides by the cards seen, and not by totals, it is worth {float(seen.worth):.5%}: "
            f"{float(seen.worth - totals.worth):.5%} more."
        )
    if totals.tokens:
        tokens = ", ".join(f"{each.own} against {each.opposite}" for each in totals.tokens)
        console().print(f"A token cover is worth taking at {tokens}: silence would forgo a better offer (AMB-50).")
