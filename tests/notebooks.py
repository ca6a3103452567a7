"""The notebooks of `examples/`, run without Jupyter: cell after cell in one namespace, as a notebook would.

`python tests/notebooks.py` writes what every cell really shows into the notebooks.
"""

import ast
import contextlib
import io
import json
import os
import tempfile
from pathlib import Path
from shutil import copytree
from typing import Any

EXAMPLES = Path(__file__).parent.parent / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))


def run(notebook: dict[str, Any], name: str) -> dict[str, Any]:
    """A notebook with what its cells show today; the folder it runs in is the present one."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells, number = [], 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            number += 1
            outputs = _outputs("".join(cell["source"]), names, number, f"{name}, cell {number}")
            cells.append({**cell, "execution_count": number, "outputs": outputs})
        else:
            cells.append(cell)
    return {**notebook, "cells": cells}


def _outputs(source: str, names: dict[str, Any], number: int, place: str) -> list[dict[str, Any]]:
    """What a cell prints, and the value of its last line where that is an expression."""
    body = ast.parse(source, place).body
    shown = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    last = ast.Expression(shown.value) if isinstance(shown, ast.Expr) else None
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(ast.Module(body, []), place, "exec"), names)
        value = None if last is None else eval(compile(last, place, "eval"), names)
    outputs: list[dict[str, Any]] = []
    if said.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": _lines(said.getvalue())})
    if value is not None:
        html = getattr(value, "_repr_html_", None)
        data = {"text/plain": _lines(repr(value))} if html is None else {"text/html": _lines(html())}
        outputs.append({"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"})
    return outputs


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def text_of(notebook: dict[str, Any]) -> str:
    """A notebook as it is written to its file."""
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def rewritten(file: Path) -> str:
    """The text of a notebook with what its cells show today; it runs in a copy of its folder."""
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        copytree(EXAMPLES, folder, dirs_exist_ok=True)
        os.chdir(folder)
        try:
            return text_of(run(json.loads(file.read_text(encoding="utf-8")), file.name))
        finally:
            os.chdir(here)


if __name__ == "__main__":
    for each in NOTEBOOKS:
        each.write_text(rewritten(each), encoding="utf-8")
