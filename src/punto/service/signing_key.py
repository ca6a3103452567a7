"""The key that signs checkpoints, in a file of its own."""

import os
from contextlib import suppress
from pathlib import Path

from punto.journal import new_key, public_key
from punto.service.settings import BadSettings


def signing_key(file: Path) -> bytes:
    """The key of a file; made on first use, readable by its owner only."""
    if not file.exists():
        new = file.with_name(f"{file.name}.{os.getpid()}")
        new.touch(mode=0o600)
        new.write_bytes(new_key())
        with suppress(FileExistsError):  # another process was quicker
            file.hardlink_to(new)
        new.unlink()
    key = file.read_bytes()
    try:
        public_key(key)
    except ValueError:
        raise BadSettings(f"{file} holds no key that signs: it has {len(key)} bytes, and a key has 32.") from None
    return key
