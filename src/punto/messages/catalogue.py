"""The English catalogue: every template that stands in Punto's own source, by its id."""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from types import MappingProxyType

SPOKEN_BY = ("say", "Wording")
"""What an id and its template are given to."""


@cache
def english() -> Mapping[str, str]:
    """Every id with its English template, in the order of ids; the source is read once.

    >>> english()["no-round-running"]
    'No round is running.'
    """
    found: dict[str, str] = {}
    for _, name, template in templates(resources.files("punto")):
        if found.setdefault(name, template) != template:
            raise ValueError(f"{name} has two templates: {found[name]!r} and {template!r}")
    return MappingProxyType(dict(sorted(found.items())))


def templates(folder: Traversable) -> Iterator[tuple[str, str, str]]:
    """Each place where a sentence is said, in any source file under a folder: the file, the id and the template."""
    for each in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if each.is_dir():
            yield from templates(each)
        elif each.name.endswith(".py"):
            source = each.read_text(encoding="utf-8")
            if any(f"{word}(" in source for word in SPOKEN_BY):
                yield from ((each.name, name, template) for name, template in said_in(source))


def said_in(source: str) -> Iterator[tuple[str, str]]:
    """The ids and templates in one source file.

    >>> list(said_in('raise Refused(say("box-taken", "Box {box} is taken.", box=3))'))
    [('box-taken', 'Box {box} is taken.')]
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and len(node.args) >= 2 and isinstance(node.func, ast.Name):
            said = [each.value for each in node.args[:2] if isinstance(each, ast.Constant)]
            if node.func.id in SPOKEN_BY and len(said) == 2:
                yield str(said[0]), str(said[1])
