"""`punto demo`: a shoe dealt in the terminal, wagers settled with their clauses, roads growing."""

import random
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.output import Decks, Layout, console, counted
from punto.cli.roads import coloured

if TYPE_CHECKING:
    from rich.console import Console

    from punto.coup import Coup
    from punto.roads import Roads
    from punto.rulebook import Menu
    from punto.settlement import Cover, Limits, Line, Wager

_CHIPS = (2500, 5000, 10000, 20000)
_UNIT = 100
_COLOURS = {"win": "green", "lose": "dim", "stand-off": "yellow", "returned": "yellow"}
_WINNERS = {"player": "[bold blue]Player[/]", "banker": "[bold red]Banker[/]", "tie": "[bold green]Tie[/]"}


def demo(
    book: Annotated[str, typer.Argument(metavar="BOOK", help="The id of a rulebook, or a TOML file.")] = "wu-song",
    layout: Layout = None,
    decks: Decks = None,
    rounds: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Stop after so many rounds; else at the cut card.")
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="S", help="Deal the same shoe again; else one by chance.")] = None,
    pause: Annotated[
        float | None,
        typer.Option(min=0, metavar="SECONDS", help="Between rounds; else 0.15 in a terminal, none elsewhere."),
    ] = None,
) -> None:
    """Deal a shoe: every round with its wagers settled, the clause of each line, and the roads."""
    from punto.coup import RANKS, SUITS, Card, deal_from
    from punto.roads import count, result
    from punto.roads import roads as plotted
    from punto.rulebook import check_decks, load, menu
    from punto.settlement import Limits, payable, settle, total

    found = load(book)
    decks = found.decks.usual if decks is None else decks
    check_decks(found, decks)
    carried, on_layout = menu(found, layout), found.cards.printed
    limits = payable(carried, Limits(unit=_UNIT))
    seed = random.SystemRandom().randrange(10**9) if seed is None else seed
    chance = random.Random(seed)
    cards = [Card(rank, suit) for rank in range(1, len(RANKS) + 1) for suit in SUITS] * decks
    chance.shuffle(cards)
    shoe = tuple(cards)
    screen = console()
    pause = (0.15 if sys.stdout.isatty() else 0.0) if pause is None else pause
    screen.print(f"[bold]{found.title}[/], layout {carried.layout.id}, {counted(decks, 'deck')}, seed {seed}")
    at, played, won, past = 0, 0, 0, []
    while len(shoe) - at >= 14 and (rounds is None or played < rounds):
        coup = deal_from(shoe[at : at + 6] if on_layout is None else on_layout.among(shoe[at : at + 5]))
        at += len(coup.cards) - (on_layout is not None)
        played += 1
        wagers, covers = _choose(chance, carried, coup, limits)
        lines = settle(found, coup, wagers, covers, layout=carried.layout.id, limits=limits)
        won += total(lines)
        past.append(result(coup))
        _show_round(screen, played, coup, lines, total(lines))
        if played % 10 == 0:
            _show_roads(screen, plotted(past))
        time.sleep(pause)
    _show_roads(screen, plotted(past))
    tally = count(past)
    screen.print(
        f"\n[bold]{played} rounds[/]: Banker {tally.banker}, Player {tally.player}, Tie {tally.tie}. "
        f"The patron is {_signed(won)}. Play this shoe again with --seed {seed}."
    )


def _choose(
    chance: random.Random, carried: "Menu", coup: "Coup", limits: "Limits"
) -> "tuple[list[Wager], list[Cover]]":
    """What the demo's patron bets: a hand, perhaps a side bet, and cover where it is offered."""
    from punto.rulebook import Refused
    from punto.settlement import Cover, Wager, chips_of, in_window, lying_together, most_cover

    steps = {bet: chips_of(carried.book, limits).step(priced) for bet, priced in carried.bets.items()}
    hand = chance.choice(("player", "banker"))
    sides = [name for name, priced in carried.bets.items() if priced.bet.hand is None and in_window(priced, coup)]
    laid = [
        (hand, chance.choice(_CHIPS)),
        *((side, 2500) for side in chance.sample(sides, min(chance.randrange(3), len(sides)))),
    ]
    wagers = [Wager(bet, -(-stake // steps[bet]) * steps[bet]) for bet, stake in laid]
    wagers = lying_together(carried, wagers, chips_of(carried.book, limits))
    covers: list[Cover] = []
    if carried.book.insurance is not None and chance.random() < 0.5:
        for stage in ("four-cards", "third-card"):
            try:
                most = most_cover(carried.book, coup, stage, hand, wagers[0].stake, limits)
            except Refused:
                continue
            if most and not covers:
                covers.append(Cover(stage, hand, most, on=0))
    return wagers, covers


def _show_round(screen: "Console", number: int, coup: "Coup", lines: "Sequence[Line]", net: int) -> None:
    from punto.coup import show

    pair = "" if coup.pairs == "none" else f", {coup.pairs} pair{'s' * (coup.pairs in ('both', 'twin'))}"
    screen.print(
        f"\n[bold]{number:>3}[/]  Player {show(coup.player)} = {coup.player_points}   "
        f"Banker {show(coup.banker)} = {coup.banker_points}   {_WINNERS[coup.winner]}"
        f"{', natural' if coup.natural else ''}{pair}   [bold]{_signed(net)}[/]"
    )
    for line in lines:
        screen.print(f"     [{_COLOURS[line.result]}]{line.why}[/]")


def _show_roads(screen: "Console", board: "Roads") -> None:
    screen.print()
    screen.print(coloured(board, 30))


def _signed(amount: int) -> str:
    from punto.amounts import show_money

    return f"up {show_money(amount)}" if amount > 0 else f"down {show_money(-amount)}" if amount else "even"
