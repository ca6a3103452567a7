"""Docstrings as the site shows them: examples as code, and the fields of a record as its signature."""

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"^>>> (?:.+\n?)+", re.MULTILINE)
_RECORDS = ("Struct", "NamedTuple")


def fenced(text: str) -> str:
    r"""Put every example of a text between fences: Markdown would take `>>>` for a quotation.

    >>> fenced("Adds.\n\n>>> 1 + 1\n2")
    'Adds.\n\n```pycon\n>>> 1 + 1\n2\n```\n'
    """
    return _EXAMPLE.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", text)


class Site(griffe.Extension):
    """What the site adds to what it reads."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Fence the examples of a docstring."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)

    def on_class_members(self, *, cls: griffe.Class, **_: Any) -> None:
        """Give a record the signature that its fields make."""
        if any(str(base).rpartition(".")[2] in _RECORDS for base in cls.bases):
            fields = [each for each in cls.attributes.values() if "property" not in each.labels]
            kind = griffe.ParameterKind.positional_or_keyword
            parameters = [
                griffe.Parameter(each.name, annotation=each.annotation, kind=kind, default=each.value)
                for each in fields
            ]
            made = griffe.Function("__init__", parameters=griffe.Parameters(*parameters))
            cls.set_member("__init__", made)
