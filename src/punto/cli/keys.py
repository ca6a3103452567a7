"""`punto keys`: the keys of a house, and new ones for old."""

from pathlib import Path
from typing import Annotated

import typer

from punto.cli.house import console_user, opened_house
from punto.cli.output import Config, Database
from punto.extras import needs

app = typer.Typer(no_args_is_help=True, help="The keys of a house: show them, and replace them.")


@app.callback()
def keys() -> None:
    """The keys of a house. Whatever is done here is on the record."""


@app.command()
@needs("serve")
def new() -> None:
    """Print a new master key: 64 hexadecimal digits."""
    from punto.journal import MasterKey

    typer.echo(MasterKey.new().text)


@app.command()
@needs("serve")
def show(database: Database = None, config: Config = None) -> None:
    """Which master key wraps the secrets, and which key signs checkpoints: nothing secret."""
    from punto.journal import public_key
    from punto.service.keys.master import master_file
    from punto.service.keys.signing import signing_key

    journal, given = opened_house(database, config)
    assert journal.master is not None
    where = master_file(given) or "the environment or a command"
    typer.echo(f"The secrets are wrapped by the master key {journal.master.id}, from {where}.")
    typer.echo(f"Checkpoints are signed by {public_key(signing_key(Path(given.key_file), journal.master))}.")


@app.command()
@needs("serve")
def master(
    new: Annotated[
        Path | None, typer.Option("--new", metavar="FILE", help="A file with the new key; else one is made.")
    ] = None,
    database: Database = None,
    config: Config = None,
) -> None:
    """Wrap every secret under a new master key. Stop the service first."""
    from punto.service.keys.rotation import replace_master_key

    typer.echo(replace_master_key(*opened_house(database, config), new, by=console_user()))


@app.command()
@needs("serve")
def tokens(database: Database = None, config: Config = None) -> None:
    """Sign tokens by a new key: every session, link and device's token is worthless. The service may run meanwhile."""
    from punto.service.keys.rotation import replace_token_key

    typer.echo(replace_token_key(opened_house(database, config)[0], by=console_user()))


@app.command()
@needs("serve")
def signing(database: Database = None, config: Config = None) -> None:
    """Sign checkpoints by a new key, which the old one announces in the journal; the service may run meanwhile.

    Where processes read copies of the key file, stop them first, and give each the new file.
    """
    from punto.service.keys.rotation import replace_signing_key

    typer.echo(replace_signing_key(*opened_house(database, config), by=console_user()))
