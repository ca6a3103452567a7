"""The shell examples of the documentation, run as they stand.

`python tests/console.py` writes the true output into every page. `$ cat FILE` of a file that is not there
yet makes it from what the page shows; `[…]` stands for anything.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from warm_commands import warm_commands

DOCS = Path(__file__).parent.parent / "docs"
PAGES = sorted(DOCS.glob("*.md"))
_BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def rewritten(page: Path) -> str:
    """The page with the output of every shell example as it is today."""
    with tempfile.TemporaryDirectory() as folder:
        return _BLOCK.sub(lambda block: _run(block[1], Path(folder)), page.read_text(encoding="utf-8"))


def _run(block: str, folder: Path) -> str:
    shown = ""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, said = part.partition("\n")
        while command.endswith("\\"):
            more, _, said = said.partition("\n")
            command += "\n" + more
        said = said.rstrip("\n")
        got = _output(command, said, folder)
        if "[…]" in said and re.fullmatch(".*".join(map(re.escape, said.split("[…]"))), got, re.DOTALL):
            got = said
        shown += f"$ {command}\n{got}\n" if got else f"$ {command}\n"
    return f"```console\n{shown}```"


def _output(command: str, said: str, folder: Path) -> str:
    made = re.fullmatch(r"cat (\S+)", command)
    if made and not (folder / made[1]).exists():
        (folder / made[1]).write_text(said + "\n", encoding="utf-8")
    path = os.pathsep.join((warm_commands().path, str(Path(sys.executable).parent), os.environ["PATH"]))
    env = {**os.environ, "PATH": path, "COLUMNS": "120", "TERM": "dumb", "NO_COLOR": "1"}
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=env, capture_output=True, text=True, timeout=600, check=False
    )
    return "\n".join(line.rstrip() for line in (done.stdout + done.stderr).split("\n")).strip("\n")


if __name__ == "__main__":
    for each in PAGES:
        each.write_text(rewritten(each), encoding="utf-8")
