"""`punto doctor`: what is wrong with a house, and how to mend it."""

import os

import typer

from punto.cli.output import Config, Database, Json, print_json
from punto.extras import needs


@needs("serve")
def doctor(
    database: Database = None,
    config: Config = None,
    json: Json = False,
) -> None:
    """Look at a house and say what is wrong, and how to mend it. Exit status 1 if something is."""
    from punto.service.doctor.examination import examine

    found = examine(config, os.environ, database=database)
    if json:
        print_json(found)
    else:
        for each in found:
            typer.echo(f"{each.severity:<10}  {each.check}: {each.says}" + (f" {each.mend}" if each.mend else ""))
        counts = ((kind, sum(each.severity == kind for each in found)) for kind in ("wrong", "remarkable", "well"))
        typer.echo(", ".join(f"{count} {kind}" for kind, count in counts) + ".")
    if any(each.severity == "wrong" for each in found):
        raise typer.Exit(1)
