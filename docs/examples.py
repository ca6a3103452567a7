"""Shows the examples of docstrings as code on the site: Markdown would take `>>>` for a quotation."""

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"^>>> (?:.+\n?)+", re.MULTILINE)


def fenced(text: str) -> str:
    r"""Put every example of a text between fences.

    >>> fenced("Adds.\n\n>>> 1 + 1\n2")
    'Adds.\n\n```pycon\n>>> 1 + 1\n2\n```\n'
    """
    return _EXAMPLE.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", text)


class Examples(griffe.Extension):
    """Fences the examples of everything that is documented."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Fence the examples of one docstring."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)
