"""A witness: somebody outside the house who signs how far its chains have come, and signs nothing that does not follow.

It keeps a small file of its own, a line for each head that it has signed. Whoever has that file, or asks the witness,
finds out a chain that was cut, written anew or removed: not even the owner of the database and of the signing key can
make it anew.
"""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from punto.journal.appends import HOUSE
from punto.journal.chain import START, Entry, hash_of
from punto.journal.errors import JournalError
from punto.journal.signing import Checkpoint, announced, is_signature, new_key, public_key, signed

_KEY = "witness.key"
_HEADS = "witness.heads"
_HOUSE_KEYS = "house.keys"


class NotWitnessed(JournalError):
    """What a witness does not sign. The message is a sentence."""


class Cosigned(msgspec.Struct, frozen=True):
    """A head that a witness has signed: the number of the last event of a chain, and the hash of its entry."""

    table: str
    sequence: int
    hash: str
    key: str
    signature: str

    def is_true(self, key: str | None = None) -> bool:
        """Whether its key, and the one that is named, has signed it."""
        text = _text(self.table, self.sequence, self.hash)
        return key in (None, self.key) and is_signature(self.key, self.signature, text)


class ShownHead(msgspec.Struct, frozen=True):
    """What a house shows to a witness: a checkpoint, and the entries from the last head that was signed up to it."""

    checkpoint: Checkpoint
    entries: tuple[Entry, ...]


class Witness:
    """A witness with its folder: its own key, the heads that it has signed, and the keys of the house.

    `house` is the public key by which the house signs; without it, the first that is shown is taken for it. Keys that
    the house announces later are followed.
    """

    def __init__(self, folder: Path, house: str | None = None) -> None:
        folder.mkdir(mode=0o700, exist_ok=True)
        self._folder = folder
        self._key = _kept_key(folder / _KEY)
        for name in (_HEADS, _HOUSE_KEYS):
            _cut_torn_line(self._path(name))
        self._last = {each.table: each for each in read_cosigned(self._path(_HEADS))}
        keys = self._path(_HOUSE_KEYS)
        self._house = keys.read_text(encoding="ascii").split() if keys.exists() else []
        if house is not None and house not in self._house:
            self._trust(house)

    @property
    def key(self) -> str:
        """The public key of the witness."""
        return public_key(self._key)

    def last(self, table: str) -> Cosigned | None:
        """The last head of a chain that was signed."""
        return self._last.get(table)

    @property
    def heads(self) -> bytes:
        """Every head that was ever signed, as the file holds them."""
        path = self._path(_HEADS)
        return path.read_bytes() if path.exists() else b""

    def cosign(self, shown: ShownHead) -> Cosigned:
        """Sign the head of a chain, if it follows from what was signed before; `NotWitnessed` if not."""
        point, before = shown.checkpoint, self._last.get(shown.checkpoint.table)
        if before is not None and (before.sequence, before.hash) == (point.sequence, point.hash):
            return before
        _check_entries(shown, before)
        self._check_key(shown)
        signature = Ed25519PrivateKey.from_private_bytes(self._key).sign(_text(point.table, point.sequence, point.hash))
        made = Cosigned(point.table, point.sequence, point.hash, self.key, signature.hex())
        _add_line(self._path(_HEADS), msgspec.json.encode(made))
        self._last[point.table] = made
        return made

    def _check_key(self, shown: ShownHead) -> None:
        """The house has signed it, by a key that it is known by or that such a key has announced."""
        point = shown.checkpoint
        if not signed(point):
            raise NotWitnessed(f"The checkpoint on event {point.sequence} of {point.table!r} is not signed.")
        if not self._house:
            self._trust(point.key)
        for body in (body for entry in shown.entries for body in entry.events) if point.table == HOUSE else ():
            key = _announced(body, self._house)
            if key is not None:
                self._trust(key)
        if point.key not in self._house:
            raise NotWitnessed(f"The key {point.key} is not the house's, and the house has not announced it.")

    def _trust(self, key: str) -> None:
        self._house.append(key)
        _add_line(self._path(_HOUSE_KEYS), key.encode())

    def _path(self, name: str) -> Path:
        return self._folder / name


def read_cosigned(file: Path) -> list[Cosigned]:
    """The heads in a witness's file, in the order in which they were signed.

    The beginning of a last line is left out: the witness was cut off in it, and nobody was told of that signature.
    """
    if not file.exists():
        return []
    *lines, last = file.read_bytes().split(b"\n")
    try:
        found = [msgspec.json.decode(line, type=Cosigned) for line in lines if line.strip()]
        if last.strip() and (not found or last.endswith(b"}")):
            found.append(msgspec.json.decode(last, type=Cosigned))
    except msgspec.DecodeError:
        raise NotWitnessed(f"{file} is not the file of a witness.") from None
    return found


def _check_entries(shown: ShownHead, before: Cosigned | None) -> None:
    point = shown.checkpoint
    reached, head = (0, START) if before is None else (before.sequence, before.hash)
    for entry in shown.entries:
        follows = entry.table == point.table and entry.first == reached + 1 and entry.before == head
        if not follows or not entry.events or entry.hash != hash_of(entry):
            raise NotWitnessed(
                f"Event {entry.first} of {point.table!r} does not follow from event {reached}, as it was seen."
            )
        reached, head = entry.sequence, entry.hash
    if (reached, head) != (point.sequence, point.hash):
        raise NotWitnessed(
            f"The checkpoint on event {point.sequence} of {point.table!r} does not follow from what is shown."
        )


def _announced(body: bytes, known: Sequence[str]) -> str | None:
    """The key that an act of the house names to sign after one that is known."""
    try:
        act = msgspec.json.decode(body, type=dict[str, object])
    except msgspec.DecodeError:
        return None
    old, new, signature = (str(act.get(name, "")) for name in ("key", "new_key", "signature"))
    return new if old in known and new not in known and announced(old, new, signature) else None


def witness_key(folder: Path) -> str:
    """The public key of the witness in a folder; nothing is made or changed, whether it is running or not."""
    file = folder / _KEY
    if not file.exists():
        raise NotWitnessed(f"There is no witness in {folder}: punto witness serve --folder {folder} makes one.")
    return public_key(file.read_bytes())


def _kept_key(file: Path) -> bytes:
    if not file.exists():
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as opened:
            opened.write(new_key())
    return file.read_bytes()


def _cut_torn_line(file: Path) -> None:
    """Take the beginning of a line off the end of a file: what wrote it was cut off, and nothing followed from it."""
    if file.exists():
        whole = file.read_bytes().rfind(b"\n") + 1
        os.truncate(file, whole)


def _add_line(file: Path, line: bytes) -> None:
    """Add a line to a file; it is on the disk when this returns."""
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "wb") as opened:
        opened.write(line + b"\n")
        opened.flush()
        os.fsync(opened.fileno())


def _text(table: str, sequence: int, head: str) -> bytes:
    return msgspec.json.encode(["punto witness", table, sequence, head])


def by_table(heads: Iterable[Cosigned]) -> dict[str, list[Cosigned]]:
    """Heads by chain."""
    found: dict[str, list[Cosigned]] = {}
    for each in heads:
        found.setdefault(each.table, []).append(each)
    return found
