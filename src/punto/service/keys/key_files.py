"""Files that hold a key: made at once and whole, readable by their owner only."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path


def made_once(file: Path, content: bytes) -> None:
    """Make a file with this content unless it is there; whoever is quicker makes it."""
    new = _beside(file, content)
    with suppress(FileExistsError):  # another process was quicker
        file.hardlink_to(new)
    new.unlink()


def replaced(file: Path, content: bytes) -> None:
    """Put this content in the place of what a file holds: all of it, or nothing if the process dies."""
    _beside(file, content).replace(file)
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def read_private(file: Path, is_key: Callable[[bytes], bool]) -> bytes:
    """What a file holds; if it is a key and others could read it, they cannot any more.

    Somebody may name a folder or any other file by mistake: its mode is nobody's business here.
    """
    content = file.read_bytes()
    if is_key(content) and file.stat().st_mode & 0o077:
        file.chmod(0o600)
    return content


def _beside(file: Path, content: bytes) -> Path:
    new = file.with_name(f"{file.name}.{os.getpid()}")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as opened:
        opened.write(content)
        opened.flush()
        os.fsync(opened.fileno())
    return new
