"""No command writes over a file that it reads, nor twice into one file."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import typer
from typer.core import TyperArgument, TyperCommand, TyperOption

if TYPE_CHECKING:
    from typer._click import Context

WRITTEN = ("--output", "--save", "--plot", "--junit")
"""Options that name a file to be written. Whatever else names a file, names one that is read."""

WITHIN = {"--witnesses": "b.toml"}
"""Options that name a folder, and the file with a name of its own that is written there beside new stories."""

CARRIED_ON = {("simulate", "--save"): "--resume", ("exposure", "--save"): "--resume", ("design", "--output"): "book"}
"""What may be written over: a run by the run that goes on from it, a book by itself with its open odds filled in."""


class _Named(NamedTuple):
    """A file by the option or argument that names it."""

    by: TyperArgument | TyperOption
    file: Path

    @property
    def option(self) -> str:
        return self.by.opts[0]


class SparingCommand(TyperCommand):
    """A command that spares the files which it is given."""

    def invoke(self, ctx: "Context") -> Any:  # as Typer declares it
        """Run the command, unless it would write over what it reads."""
        _check(ctx)
        return super().invoke(ctx)


def spare_what_is_read(app: typer.Typer) -> None:
    """Make every command of an app, and of its groups, one that spares the files which it is given."""
    for command in app.registered_commands:
        command.cls = SparingCommand
    for group in app.registered_groups:
        if group.typer_instance is not None:
            spare_what_is_read(group.typer_instance)


def _check(ctx: "Context") -> None:
    named = list(_files(ctx))
    for target in named:
        if target.option not in (*WRITTEN, *WITHIN):
            continue
        for other in named:
            read = other.option not in WRITTEN
            if other.by is target.by or CARRIED_ON.get((str(ctx.info_name), target.option)) == other.option:
                continue
            if _same(target.file, other.file, read=read):
                why = "the command reads it" if read else "another option writes it, too"
                another = "folder" if target.option in WITHIN else "file"
                raise typer.BadParameter(f"{target.file}: {why}. Name another {another}.", ctx=ctx, param=target.by)


def _files(ctx: "Context") -> Iterator[_Named]:
    """What may be the name of a file."""
    for each in ctx.command.params:
        value = ctx.params.get(str(each.name))
        for one in value if isinstance(value, list | tuple) else (value,):
            if isinstance(each, TyperArgument | TyperOption) and isinstance(one, str | Path) and str(one):
                yield _Named(each, Path(one, WITHIN.get(each.opts[0], "")))


def _same(target: Path, other: Path, *, read: bool) -> bool:
    """Whether two names stand for one file. What is read is there already; a device takes and gives what it likes."""
    try:
        if target.is_file():
            return target.samefile(other)
        return not (read or target.exists()) and target.resolve() == other.resolve()
    except (OSError, ValueError):  # no name of a file at all
        return False
