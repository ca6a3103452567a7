"""`punto serve`: the table service."""

from pathlib import Path
from typing import Annotated

import typer

from punto.cli.output import Config, Database
from punto.extras import needs


@needs("serve")
def serve(
    database: Database = None,
    host: Annotated[
        str | None, typer.Option(help="The address to listen on; else as the settings say, else 127.0.0.1.")
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="The port to listen on; else as the settings say, else 8000.")
    ] = None,
    config: Config = None,
    books: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Rulebooks of your own, as TOML, to open tables by; else as the settings say, else none.",
        ),
    ] = None,
    games: Annotated[
        bool, typer.Option("--games", help="Open tables by public games, too; they are no approved texts.")
    ] = False,
    demo: Annotated[bool, typer.Option("--demo", help="Open a table of every book, with patrons that play.")] = False,
) -> None:
    """Serve live tables, by API and in the browser; all is durable before anybody hears of it."""
    from punto.service.run import run
    from punto.service.settings import settings

    own = None if books is None else str(books)
    run(settings(config, database=database, host=host, port=port, books=own, games=games or None), demo=demo)
