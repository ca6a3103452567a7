"""`punto scenario run`: play stories at a table, and say where they went otherwise than told."""

from pathlib import Path
from typing import Annotated

import typer

from punto.cli.output import Json, console, print_json

app = typer.Typer(no_args_is_help=True, help="Stories at a table: play them, and see whether they go as told.")


@app.callback()
def scenario() -> None:
    """Stories at a table, told in a file."""


@app.command()
def run(
    files: Annotated[list[Path], typer.Argument(metavar="SCENARIO", help="Scenario files, or folders of them.")],
    book: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="A book of your own that the stories may name by its id; may be repeated."),
    ] = None,
    json: Json = False,
    events: Annotated[bool, typer.Option("--events", help="Print every event that happened, as JSON.")] = False,
) -> None:
    """Play each scenario; exit status 1 if one goes otherwise than told.

    A scenario is a text file: a line `scenario TITLE`, then commands, each at the margin, and indented below each what
    must come of it. `punto scenario words` lists both; `punto new` writes a first story beside a book.
    """
    from punto.rulebook import load
    from punto.scenario import play, read, tell

    own = [load(str(file)) for file in book or ()]
    played = []
    for file in scenario_files(files):
        story = read(scenario_text(file), str(file))
        library = story.library
        for rules in own:
            library = library.with_book(rules)
        played.append(play(story, library))
    failed = [each for each in played if not each.as_told]
    if json:
        print_json(
            [
                {
                    "file": each.scenario.file,
                    "title": each.scenario.title,
                    "as_told": each.as_told,
                    "events": len(each.events),
                    "differences": [
                        {"line": where.line, "expected": where.expected, "found": where.found}
                        for where in each.differences
                    ],
                }
                for each in played
            ]
        )
    else:
        out, plain = console(), {"markup": False, "highlight": False, "soft_wrap": True}
        for each in played:
            out.print(
                f"{'as told ' if each.as_told else 'OTHERWISE'} {each.scenario.file}: {each.scenario.title}", **plain
            )
            for where in each.differences:
                out.print(f"  line {where.line}, told:  {where.expected}", **plain)
                out.print(f"  {' ' * len(f'line {where.line},')} found: {where.found}", **plain)
            if events:
                typer.echo(tell(each))
        out.print(f"{len(played) - len(failed)} of {len(played)} as told.")
    if failed:
        raise typer.Exit(1)


@app.command()
def words(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="COMMAND", help="Commands of a story to tell of; else all.")
    ] = None,
) -> None:
    """List the words of stories: every command with what it takes, and every expectation."""
    from punto.rulebook.nearest import nearest
    from punto.scenario import BadScenario
    from punto.scenario import words as every
    from punto.scenario.words import FORMS, NAMED, OF_PATRONS

    known = {each.name: each for each in every()}
    for name in names or ():
        if name not in known:
            near = " or ".join(nearest(name, known))
            perhaps = f"perhaps {near} is meant" if near else "punto scenario words lists them"
            raise BadScenario(f"There is no command {name!r} in stories; {perhaps}.")
    out, plain = console(), {"markup": False, "highlight": False, "soft_wrap": True}
    if not names:
        out.print(_BEGINS, **plain)
    for name in names or known:
        out.print(f"  {known[name].form}\n      {known[name].does}", **plain)
    if not names:
        out.print("\nExpectations, indented below the command that they are about:", **plain)
        for form in (*FORMS.values(), *OF_PATRONS):
            out.print(f"  {form}", **plain)
        for what, named in NAMED.items():
            out.print(f"\n{what}: {', '.join(named)}.", **plain)


_BEGINS = """\
A story begins with the line scenario TITLE. A line at the margin is a command; what it needs stands behind its name in
this order, and everything can also be named: place ann player 100 or place ann bet=player stake=100. What stands in
brackets may be left out. Behind each command, by WHO says who gives it: a patron, or a rank of the book.

An amount is 100 or 12.50, a card Ah, Td, 9c or Ks, a time 2025-03-01T20:00:00+08:00; a list has commas and no spaces,
yes or no is yes or no, words with spaces stand in quotes, and # begins a comment.

Commands:"""


def scenario_files(given: list[Path]) -> list[Path]:
    """Scenario files, and those in the folders named."""
    from punto.scenario import BadScenario

    found: list[Path] = []
    for path in given:
        found += sorted(path.rglob("*.scenario")) if path.is_dir() else [path]
    if not found:
        raise BadScenario("There is no scenario in there: their names end in .scenario.")
    return found


def scenario_text(file: Path) -> str:
    """The text of a scenario file; a sentence where it cannot be read."""
    from punto.scenario import BadScenario

    try:
        data = file.read_bytes()
    except OSError as error:
        raise BadScenario(f"{file} cannot be read: {error.strerror}.") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadScenario(f"{file}:{line}: this is not text in UTF-8.") from None
