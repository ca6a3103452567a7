"""Writes docs/all-commands.md from the commands themselves: `python docs/all_commands.py`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from punto.cli import whole
from punto.cli.examples import EXAMPLES

PAGE = Path(__file__).parent / "all-commands.md"
HEAD = """# Every command and option

This page is written from the commands themselves (`python docs/all_commands.py`), and is what `--help` prints. [The
command line](command-line.md) explains what the commands are for. `--help`, or `-h`, works after every one of them.
"""


def commands(group: Any, path: str = "punto") -> Iterator[tuple[str, Any]]:
    """Every command that does something, by all of its words."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{path} {name}")
        else:
            yield f"{path} {name}", command


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;")


def _shown(parameter: Any) -> str:
    """How an option or an argument is written, with its value."""
    if parameter.param_type_name == "argument":
        several = f"{parameter.metavar}…" if parameter.nargs < 0 else parameter.metavar
        return f"`{several}`" if parameter.required else f"`[{several}]`"
    value = "" if parameter.is_flag else " " + (parameter.metavar or parameter.name.upper())
    return ", ".join(f"`{name}{value}`" for name in (*parameter.opts, *parameter.secondary_opts))


def _default(parameter: Any) -> str:
    """What counts where a parameter is left out: a variable of the environment, where there is one, before the rest."""
    variable = [f"`{parameter.envvar}` in the environment"] if parameter.envvar else []
    if parameter.required:
        return ", or ".join(["required", *variable])
    if parameter.default is None or parameter.default is False or parameter.default == "":
        return "".join(variable)
    return ", else ".join([*variable, f"`{parameter.default}`"])


def section(words: str, command: Any) -> str:
    """A command: what it does, what it takes, and examples."""
    parameters = [each for each in command.params if each.name != "help"]
    rows = [f"| {_shown(each)} | {_default(each)} | {_cell(each.help or '')} |" for each in parameters]
    table = ["| | default | meaning |", "|---|---|---|", *rows] if rows else ["It takes nothing."]
    told = EXAMPLES[words.removeprefix("punto ")]
    says = "\n\n".join(_cell(part) for part in (command.help or "").split("\n\n"))
    return "\n".join([f"## {words}", "", says, "", *table, "", "```sh", *told, "```", ""])


def page() -> str:
    """The whole page."""
    found = commands(typer.main.get_command(whole()))
    return "\n".join([HEAD, *(section(words, command) for words, command in found)])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
