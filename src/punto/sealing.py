"""Commands as a journal keeps them: faces that no event shows are sealed under a key of the shoe.

A count of what is left of the shoe, or two cards that are read under seal (AMB-86), must not be told while the shoe is
in use. The key is random, and kept like the seed of a virtual shoe until the shoe has ended. Then it is published, so
that whoever verifies the journal can open the command and decide it again.
"""

from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Callable, Sequence
from os import urandom
from typing import Any

import msgspec

from punto.coup import BadCards, card
from punto.extras import needs
from punto.kinds import guard
from punto.rulebook import Refused
from punto.table import commands as c
from punto.table import decode_command, encode
from punto.table import events as e

with needs("journal"):
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY_BYTES = 32
_NONCE_BYTES = 12
_SCHEME = "punto-seal-1"
_SEAL = "seal"
"""The name beside the fields of a command under which sealed ones stand."""

_MARK = b'"seal":{'
"""What a sealed command holds; in a text it would stand with backslashes."""

_FACES: dict[type[c.Command], dict[str, Any]] = {
    c.Expose: {"faces": ()},
    c.Report: {"faces": ()},
    c.Answer: {"count": {}, "sealed": ()},
}
"""The fields of commands that hold faces, and what stands in the place of a sealed one."""

_NEVER_SHOWN = (c.Answer,)


class BadSeal(ValueError):
    """A command that cannot be read, or does not open with the key of its shoe. The message is a sentence."""


class StillSealed(ValueError):
    """The key of the shoe is not known."""


class _Seal(msgspec.Struct, forbid_unknown_fields=True):
    """What was sealed: of which shoe of the table, and the nonce with the encrypted fields in base64."""

    shoe: int
    data: str


def new_shoe_key() -> bytes:
    """A key for what is sealed while a shoe is in use.

    >>> len(new_shoe_key())
    32
    """
    return urandom(KEY_BYTES)


def hides_faces(command: c.Command, events: Sequence[e.Event]) -> bool:
    """Whether a command holds faces that its own events do not show.

    >>> hides_faces(c.Expose(("4h",)), (e.CardsExposed((0,), ("4h",)),))
    False
    >>> hides_faces(c.Answer(1, "counted", count={"4h": 8}, sealed=("9c",)), (e.Deduced(8),))
    True
    """
    named = _FACES.get(type(command))
    if named is None or not any(getattr(command, name) for name in named):
        return False
    if isinstance(command, _NEVER_SHOWN):
        return True
    shown: Counter[str] = Counter()
    for event in events:
        if isinstance(event, e.CardsExposed | e.CardsSeen | e.FacesCorrected | e.Reported):
            shown.update(event.faces)
        elif isinstance(event, e.CardsCarried):
            shown.update(event.seen)
    return not Counter(_as_shown(face) for name in named for face in getattr(command, name)) <= shown


def _as_shown(face: str) -> str:
    """A face as events write it; what is none is never shown."""
    try:
        return str(card(face))
    except BadCards:
        return face


def seal(command: c.Command, key: bytes, table: str, shoe: int) -> bytes:
    """A command as JSON with its faces encrypted by AES-256-GCM under the key of a shoe of the table.

    >>> key, command = bytes(32), c.Answer(1, "counted", sealed=("9c", "4d"))
    >>> written = seal(command, key, "t1", 3)
    >>> b'"9c"' in written, unseal(written, "t1", {3: key}.get) == command
    (False, True)
    """
    blank = _FACES[type(command)]
    hidden = msgspec.json.encode({name: getattr(command, name) for name in blank})
    nonce = urandom(_NONCE_BYTES)
    data = nonce + AESGCM(key).encrypt(nonce, hidden, _bound_to(table, shoe))
    rest = encode(msgspec.structs.replace(command, **blank))
    made = msgspec.json.encode({_SEAL: _Seal(shoe, b64encode(data).decode())})
    return rest[:-1] + b"," + made[1:]


def unseal(written: bytes, table: str, key_of: Callable[[int], bytes | None]) -> c.Command:
    """A command as it was decided, sealed or not. `key_of` gives the key of a shoe by its number, or None.

    `StillSealed` if the key is not known, `BadSeal` if it is no command or the key does not open it.
    """
    try:
        if _MARK in written:
            values = msgspec.json.decode(written, type=dict[str, object])
            found = msgspec.convert(values.pop(_SEAL), _Seal)
            values |= _opened(found, table, key_of(found.shoe))
            written = msgspec.json.encode(values)
        return decode_command(written)
    except (msgspec.DecodeError, UnicodeError, KeyError) as error:
        raise BadSeal(f"It is no command: {error}.") from None
    except Refused as refused:
        raise BadSeal(str(refused)) from None


def _opened(found: _Seal, table: str, key: bytes | None) -> dict[str, object]:
    if key is None:
        raise StillSealed(f"The key of shoe {found.shoe} of {table} is not known.")
    try:
        data = b64decode(found.data, validate=True)
        plain = AESGCM(key).decrypt(data[:_NONCE_BYTES], data[_NONCE_BYTES:], _bound_to(table, found.shoe))
        return msgspec.json.decode(plain, type=dict[str, object])
    except (InvalidTag, ValueError):
        raise BadSeal(f"What is sealed in it does not open with the key of shoe {found.shoe}.") from None


def _bound_to(table: str, shoe: int) -> bytes:
    return f"{_SCHEME} {table}, shoe {shoe}".encode()


guard(globals())
