"""How a command with commands of its own lists them in its help."""

from typing import TYPE_CHECKING

import typer.core

if TYPE_CHECKING:
    from typer._click import Context, HelpFormatter


class ListedCommands(typer.core.TyperGroup):
    """A group whose help says of every command all of its first sentence, however wide the terminal is."""

    def format_commands(self, ctx: "Context", formatter: "HelpFormatter") -> None:  # noqa: ARG002  # as Typer calls it
        """Write the commands in the order in which they are declared."""
        told = {name: (command.help or "").partition("\n\n")[0] for name, command in self.commands.items()}
        with formatter.section("Commands"):
            formatter.write_dl([(name, " ".join(text.split())) for name, text in told.items()])
