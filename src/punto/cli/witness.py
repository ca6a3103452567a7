"""`punto witness`: an outside witness, who signs how far the chains of a house have come."""

from pathlib import Path
from typing import Annotated

import typer

from punto.extras import needs

app = typer.Typer(
    no_args_is_help=True, help="A witness of a house: signs heads of chains that follow from one another."
)
Folder = Annotated[Path, typer.Option(metavar="FOLDER", help="Where its key and what it has signed are kept.")]


@app.callback()
def witness() -> None:
    """A witness, run by somebody other than the house."""


@app.command()
@needs("serve")
def serve(
    folder: Folder = Path("witness"),
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on.")] = 8200,
    house: Annotated[
        str | None, typer.Option(metavar="KEY", help="The key by which the house signs; else the first that is shown.")
    ] = None,
) -> None:
    """Sign checkpoints that a house shows, each only if it follows from the last."""
    from punto.service.witness import serve_witness

    serve_witness(folder, host, port, house)


@app.command()
@needs("serve")
def key(folder: Folder = Path("witness")) -> None:
    """Print the public key of the witness."""
    from punto.journal.witness import witness_key

    typer.echo(witness_key(folder))
