"""Wrapping: a secret of the store, encrypted under a master key that is kept outside the database.

A copy of the database alone opens nothing that is wrapped. The scheme is `punto-wrap-1`; docs/operations.md says all
that somebody needs who has the key and must open a store without Punto.
"""

from functools import cached_property
from hashlib import sha256
from os import urandom

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from punto.journal.errors import JournalError

KEY_BYTES = 32
_SCHEME = b"punto-wrap-1"
_ID_BYTES = 8
_NONCE_BYTES = 12
_HEAD = len(_SCHEME) + _ID_BYTES


class Locked(JournalError):
    """A secret is wrapped, and the master key that opens it is not here. The message is a sentence."""


class BadMasterKey(JournalError):
    """Something that cannot be a master key. The message does not repeat it."""


class MasterKey:
    """The key that wraps the secrets of a store, 32 random bytes; `id` names it and tells nothing about it.

    >>> key = MasterKey(bytes(32))
    >>> wrapped = key.wrap(b"a seed", "t1", "shoe 1")
    >>> wrapped_by(wrapped) == key.id, key.unwrap(wrapped, "t1", "shoe 1")
    (True, b'a seed')
    >>> key.unwrap(wrapped, "t2", "shoe 1")
    Traceback (most recent call last):
    punto.journal.wrapping.Locked: The secret 'shoe 1' of 't2' was altered: the master key does not open it.
    """

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise BadMasterKey(f"A master key has {KEY_BYTES} bytes, written as {2 * KEY_BYTES} hexadecimal digits.")
        self._key = key

    @classmethod
    def new(cls) -> "MasterKey":
        """A new key."""
        return cls(urandom(KEY_BYTES))

    @classmethod
    def of_text(cls, text: str) -> "MasterKey":
        r"""The key that hexadecimal digits stand for, with space around them or not.

        >>> MasterKey.of_text("00" * 32 + "\n").id == MasterKey(bytes(32)).id
        True
        """
        try:
            return cls(bytes.fromhex(text.strip()))
        except BadMasterKey:
            raise
        except ValueError:
            raise BadMasterKey(f"A master key is {2 * KEY_BYTES} hexadecimal digits.") from None

    @property
    def text(self) -> str:
        """The key as hexadecimal digits."""
        return self._key.hex()

    @cached_property
    def id(self) -> str:
        """What names the key: 16 hexadecimal digits."""
        return sha256(_SCHEME + b" id\0" + self._key).digest()[:_ID_BYTES].hex()

    def wrap(self, value: bytes, table: str, name: str) -> bytes:
        """A secret, encrypted by AES-256-GCM and bound to the table and name that it is kept under."""
        nonce = urandom(_NONCE_BYTES)
        return _SCHEME + bytes.fromhex(self.id) + nonce + AESGCM(self._key).encrypt(nonce, value, _bound(table, name))

    def unwrap(self, wrapped: bytes, table: str, name: str) -> bytes:
        """A secret as it was; `Locked` if another key wraps it, or it was altered or moved."""
        by = wrapped_by(wrapped)
        if by != self.id:
            raise Locked(f"The secrets of this store are wrapped by the master key {by}, and this is {self.id}.")
        nonce, data = wrapped[_HEAD : _HEAD + _NONCE_BYTES], wrapped[_HEAD + _NONCE_BYTES :]
        try:
            return AESGCM(self._key).decrypt(nonce, data, _bound(table, name))
        except (InvalidTag, ValueError):
            raise Locked(f"The secret {name!r} of {table!r} was altered: the master key does not open it.") from None


def wrapped_by(value: bytes) -> str | None:
    """The id of the master key that wraps a secret; None if it is not wrapped.

    >>> wrapped_by(bytes(32)) is None
    True
    """
    if not value.startswith(_SCHEME) or len(value) < _HEAD + _NONCE_BYTES:
        return None
    return value[len(_SCHEME) : _HEAD].hex()


def _bound(table: str, name: str) -> bytes:
    return b"\0".join((_SCHEME, table.encode(), name.encode()))
