"""The key that signs checkpoints, in a file of its own, wrapped by the master key."""

import errno
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from punto.journal import Locked, MasterKey, new_key, public_key, wrapped_by
from punto.service.keys.key_files import made_once, read_private, replaced
from punto.service.settings import BadSettings

SIGNING_KEY = ("", "signing key")
"""The table and the name that the key is wrapped under."""


def check_signing_key(file: Path) -> None:
    """Refuse a file that holds no key, and a place where none can be made, before anything begins."""
    if not file.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(file))
    if file.exists():
        content = read_private(file, _is_key)
        if wrapped_by(content) is None:
            _checked(file, content)


def signing_key(file: Path, master: MasterKey) -> bytes:
    """The key of a file; made on first use, and wrapped if it was kept plain."""
    if not file.exists():
        made_once(file, wrapped(new_key(), master))
    plain = wrapped_by(read_private(file, _is_key)) is None
    key = opened(file, master)
    if plain:
        replaced(file, wrapped(key, master))
    return key


def is_wrapped(file: Path) -> bool:
    """Whether a file holds a key that a master key wraps: then the house has had one before."""
    return file.exists() and wrapped_by(read_private(file, _is_key)) is not None


def opened(file: Path, *masters: MasterKey) -> bytes:
    """The key in a file, opened by whichever of these wraps it."""
    content = read_private(file, _is_key)
    by = wrapped_by(content)
    if by is None:
        return _checked(file, content)
    found = next((each for each in masters if each.id == by), None)
    if found is None:
        raise BadSettings(f"The key in {file} is wrapped by the master key {by}, and this is {masters[-1].id}.")
    try:
        return _checked(file, found.unwrap(content, *SIGNING_KEY))
    except Locked:
        raise BadSettings(f"The key in {file} was altered: the master key does not open it.") from None


def key_if_there(file: Path, master: MasterKey | None) -> Callable[[], bytes] | None:
    """What reads the key of a file, for whoever does without one where there is none."""
    return partial(opened, file, master) if master is not None and file.exists() else None


def wrapped(key: bytes, master: MasterKey) -> bytes:
    """A key as its file holds it."""
    return master.wrap(key, *SIGNING_KEY)


def _is_key(content: bytes) -> bool:
    if wrapped_by(content) is not None:
        return True
    try:
        public_key(content)
    except ValueError:
        return False
    return True


def _checked(file: Path, key: bytes) -> bytes:
    try:
        public_key(key)
    except ValueError:
        raise BadSettings(f"{file} holds no key that signs: it has {len(key)} bytes, and a key has 32.") from None
    return key
