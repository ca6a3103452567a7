"""`punto feed`: card-reading shoes; here one that is only simulated."""

from typing import Annotated

import typer

from punto.interrupts import answered

app = typer.Typer(no_args_is_help=True, help="Card-reading shoes: simulate one.")


@app.callback()
def feed() -> None:
    """Card-reading shoes that speak to a table."""


@app.command()
def simulate(
    to: Annotated[str, typer.Option(metavar="HOST:PORT", help="Where the service listens for devices.")],
    table: Annotated[str, typer.Option(help="The table whose shoe this is.")],
    token: Annotated[
        str, typer.Option(envvar="PUNTO_DEVICE_TOKEN", help="The device's token; better in the environment.")
    ],
    seed: Annotated[int, typer.Option(help="The same seed deals the same shoes.")] = 0,
    decks: Annotated[int, typer.Option(min=1, max=12, help="Decks in the shoe.")] = 8,
    cards: Annotated[int | None, typer.Option(min=1, help="Stop after so many cards; else until Ctrl-C.")] = None,
    pace: Annotated[float, typer.Option(min=0, help="Seconds from card to card.")] = 1.0,
    errors: Annotated[str, typer.Option(help="Mistakes to make now and then, divided by commas; else none.")] = "",
    chance: Annotated[float, typer.Option(min=0, max=1, help="How likely a mistake is at each card.")] = 0.05,
) -> None:
    """Be a card-reading shoe: pull a card whenever the table wants one, and print every line."""
    import asyncio

    from punto.service.devices.simulated import MISTAKES, Device, Unheard

    host, colon, port = to.rpartition(":")
    if not colon or not port.isdigit():
        raise Unheard(f"{to!r} is not an address: write it like 127.0.0.1:8100.")
    mistakes = [each.strip() for each in errors.split(",") if each.strip()]
    for each in mistakes:
        if each not in MISTAKES:
            raise Unheard(f"A device does not do {each!r}; it can: {', '.join(MISTAKES)}.")
    device = Device(lambda: asyncio.open_connection(host, int(port)), table, token, seed=seed, decks=decks)

    async def play() -> int:
        try:
            return await device.play(cards, pace, mistakes, chance, told=typer.echo)
        finally:
            await device.close()

    try:
        typer.echo(f"{asyncio.run(play())} cards.")
    except KeyboardInterrupt:
        answered()
        raise typer.Exit(130) from None
    except TimeoutError:
        raise Unheard("The service does not answer.") from None
    except OSError:
        raise Unheard(f"Nothing answers at {to}: is it the feed_port of a service that runs?") from None
