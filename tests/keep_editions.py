"""Keep every edition of a shipped book that has been replaced since, by its digest.

    python tests/keep_editions.py

A superseded edition is a text of a book's file that has stood on the main line of the repository and does not today:
anybody may have opened a table, made a run or filed a certificate by it. All of them go into one archive, which the
package carries (`punto.rulebook.superseded`). Run it when a book has changed; the test of editions says when.
"""

import hashlib
import io
import lzma
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
RULEBOOK = ROOT / "src/punto/rulebook"
ARCHIVE = RULEBOOK / "superseded.tar.xz"


def git(*arguments: str) -> bytes:
    """What a git command prints."""
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=True).stdout


def stood(book: Path) -> Iterator[tuple[int, bytes]]:
    """Every text that a book's file has had on the main line, the oldest first, with the time of its commit."""
    path = book.relative_to(ROOT).as_posix()
    history = git("log", "--first-parent", "--reverse", "--format=%H %ct", "HEAD", "--", path)
    for line in history.decode().splitlines():
        commit, at = line.split()
        yield int(at), git("show", f"{commit}:{path}")


def superseded() -> dict[str, tuple[int, bytes]]:
    """By the name in the archive, `ID/DIGEST.toml`: when an edition came to stand, and its text."""
    found: dict[str, tuple[int, bytes]] = {}
    for book in sorted((RULEBOOK / "books").glob("*.toml")):
        today = book.read_bytes()
        for at, text in stood(book):
            if text != today:
                found.setdefault(f"{book.stem}/{hashlib.sha256(text).hexdigest()}.toml", (at, text))
    return found


def main() -> None:
    kept = io.BytesIO()
    with tarfile.open(fileobj=kept, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, (at, text) in superseded().items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime = len(text), at
            archive.addfile(entry, io.BytesIO(text))
    ARCHIVE.write_bytes(lzma.compress(kept.getvalue(), preset=9))
    print(f"{len(superseded())} editions in {ARCHIVE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
