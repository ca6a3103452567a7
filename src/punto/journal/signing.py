"""Checkpoints: the head of a chain, signed with an Ed25519 key, so that a whole chain cannot be swapped."""

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat


class Checkpoint(msgspec.Struct, frozen=True):
    """What was signed: the number of the last event, the hash of its entry, by which key, and the signature."""

    table: str
    sequence: int
    hash: str
    key: str
    signature: str


def new_key() -> bytes:
    """A new private key, 32 bytes."""
    return Ed25519PrivateKey.generate().private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())


def public_key(private: bytes) -> str:
    """The public half of a key, as hexadecimal digits.

    >>> len(public_key(bytes(32)))
    64
    """
    key = Ed25519PrivateKey.from_private_bytes(private).public_key()
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw).hex()


def sign(private: bytes, table: str, sequence: int, head: str) -> Checkpoint:
    """Sign the head of a table's chain."""
    made = signature(private, _signed_text(table, sequence, head))
    return Checkpoint(table, sequence, head, public_key(private), made)


def signed(checkpoint: Checkpoint, trusted: str | None = None) -> bool:
    """Whether a checkpoint was signed by its key, and that key is the trusted one if one is named.

    >>> point = sign(bytes(32), "t1", 7, "ab" * 32)
    >>> signed(point), signed(msgspec.structs.replace(point, sequence=8)), signed(point, trusted="00" * 32)
    (True, False, False)
    """
    if trusted is not None and checkpoint.key != trusted:
        return False
    text = _signed_text(checkpoint.table, checkpoint.sequence, checkpoint.hash)
    return is_signature(checkpoint.key, checkpoint.signature, text)


def announce(private: bytes, new: str) -> str:
    """The signature by which a key names the public key that signs after it."""
    return signature(private, _announced_text(public_key(private), new))


def announced(key: str, new: str, given: str) -> bool:
    """Whether a key has named the one that signs after it.

    >>> old, new = public_key(bytes(32)), public_key(bytes([1]) * 32)
    >>> announced(old, new, announce(bytes(32), new)), announced(new, old, announce(bytes(32), new))
    (True, False)
    """
    return is_signature(key, given, _announced_text(key, new))


def signature(private: bytes, text: bytes) -> str:
    """The signature of a text by a private key, as hexadecimal digits."""
    return Ed25519PrivateKey.from_private_bytes(private).sign(text).hex()


def is_signature(key: str, given: str, text: bytes) -> bool:
    """Whether this is the signature of a text by the private half of a public key."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(given), text)
    except (InvalidSignature, ValueError):
        return False
    return True


def _announced_text(key: str, new: str) -> bytes:
    return msgspec.json.encode(["punto signing key", key, new])


def _signed_text(table: str, sequence: int, head: str) -> bytes:
    return msgspec.json.encode(["punto checkpoint", table, sequence, head])
