"""`punto explain`: why a wager was paid as it was, step by step."""

from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.output import Book, Decks, Json, Layout, print_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from punto.settlement import Cover, Limits, Wager


def explain(
    book: Book,
    cards: Annotated[str, typer.Argument(metavar="CARDS", help="Cards in drawn order, such as '6h 2c Kd As 5h'.")],
    wagers: Annotated[list[str], typer.Argument(metavar="BET=STAKE", help="Wagers, such as player=100 tie=10.")],
    layout: Layout = None,
    cover: Annotated[
        list[str] | None,
        typer.Option(metavar="STAGE:HAND=STAKE", help="Insurance, such as four-cards:player=20; may be repeated."),
    ] = None,
    decks: Decks = None,
    minimum: Annotated[str | None, typer.Option(metavar="AMOUNT", help="The posted minimum; else none.")] = None,
    maximum: Annotated[str | None, typer.Option(metavar="AMOUNT", help="The posted maximum; else none.")] = None,
    differential: Annotated[
        str | None, typer.Option(metavar="AMOUNT", help="The posted differential; else none.")
    ] = None,
    payout: Annotated[
        str | None, typer.Option(metavar="AMOUNT", help="The most that one round pays, as posted; else any amount.")
    ] = None,
    currency: Annotated[str, typer.Option(metavar="CODE", help="The currency, which has so many decimals.")] = "USD",
    json: Json = False,
) -> None:
    """Say why each wager was paid as it was, with the clause of every step."""
    from punto.amounts import money
    from punto.coup import headline
    from punto.rulebook import check_currency, check_decks, deal_by, load, printed, readings
    from punto.settlement import Wager, show_steps
    from punto.settlement import explain as explained

    found = load(book)
    decks = found.decks.usual if decks is None else decks
    check_decks(found, decks)
    check_currency(currency)
    for text in wagers:
        _check_no_card(text)
    parted = [_split(text, "player=100") for text in wagers]
    coup = deal_by(found, cards, decks)
    placed = [Wager(bet, money(stake, currency)) for bet, stake in parted]
    covers = [_cover(text, placed, currency) for text in cover or ()]
    limits = _posted(minimum, maximum, differential, payout, currency)
    steps = explained(found, coup, placed, covers, layout=layout, limits=limits, currency=currency)
    if json:
        print_json(
            [
                {
                    "says": step.says,
                    "clauses": list(dict.fromkeys(map(printed, step.basis.clauses))),
                    "readings": step.basis.readings,
                }
                for step in steps
            ]
        )
        return
    typer.echo(f"{found.title}. {headline(coup)}.")
    for line in show_steps(steps):
        typer.echo(line)
    used = dict.fromkeys(reading for step in steps for reading in step.basis.readings)
    if used:
        typer.echo("\nReadings used:")
    for reading in sorted(used):
        typer.echo(f"{reading}: {readings().get(reading) or found.readings.get(reading, 'not argued.')}")


def _cover(text: str, placed: "Sequence[Wager]", currency: str) -> "Cover":
    """Insurance as it was written, on the first wager on its hand."""
    from punto.amounts import money
    from punto.settlement import Cover, insured

    where, stake = _split(text, "four-cards:player=20")
    stage, colon, hand = where.partition(":")
    if not colon:
        raise typer.BadParameter(f"{text!r} has no stage: write it like four-cards:player=20.")
    return Cover(stage, hand, money(stake, currency), insured(hand, placed))


def _split(text: str, meant: str) -> tuple[str, str]:
    """What stands before and behind the equals sign; `meant` shows the form."""
    name, _, stake = text.partition("=")
    if not stake:
        raise typer.BadParameter(f"{text!r} has no stake: write it like {meant}.")
    return name, stake


def _check_no_card(text: str) -> None:
    """Cards that are not in quotes come as arguments of their own, where wagers are expected."""
    from punto.coup import BadCards, card

    try:
        card(text)
    except BadCards:
        return
    raise typer.BadParameter(f"{text!r} is a card: write all cards as one argument, such as '6h 2c Kd As 5h'.")


def _posted(
    minimum: str | None, maximum: str | None, differential: str | None, payout: str | None, currency: str
) -> "Limits":
    """The limits that were given."""
    from punto.amounts import amounts_in
    from punto.settlement import Limits

    least, most, gap, paid = (_amount(each, currency) for each in (minimum, maximum, differential, payout))
    with amounts_in(currency):
        return Limits(least, most, gap, payout=paid)


def _amount(text: str | None, currency: str) -> int | None:
    from punto.amounts import money

    return None if text is None else money(text, currency)
