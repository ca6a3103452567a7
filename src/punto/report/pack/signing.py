"""The issuer's key: it signs the list of a submission's files, and anybody can check that with OpenSSL."""

from pathlib import Path

import msgspec

from punto.extras import needs
from punto.report.document import BadReport

with needs("journal"):
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        NoEncryption,
        PrivateFormat,
        PublicFormat,
        load_pem_private_key,
    )

    from punto.journal.signing import is_signature, public_key, signature

_BYTES = 32


class IssuerKey(msgspec.Struct, frozen=True):
    """A private Ed25519 key, 32 bytes."""

    private: bytes

    @property
    def public(self) -> str:
        """The public half, as hexadecimal digits."""
        return public_key(self.private)

    @property
    def pem(self) -> bytes:
        """The public half as OpenSSL reads it."""
        found = pem_of(self.public)
        assert found is not None
        return found

    def sign(self, text: bytes) -> bytes:
        """The signature of a text, 64 bytes; the same for the same text."""
        return bytes.fromhex(signature(self.private, text))


def issuer_key(path: Path) -> IssuerKey:
    """The key in a file: PEM as `openssl genpkey -algorithm ed25519` writes it, or the 32 bytes alone."""
    content = path.read_bytes()
    if len(content) == _BYTES:
        return IssuerKey(content)
    try:
        found = load_pem_private_key(content, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise BadReport(f"{path}: this is no private Ed25519 key in PEM form, without a password.") from None
    if not isinstance(found, Ed25519PrivateKey):
        raise BadReport(f"{path}: this is a key of another kind; an Ed25519 key signs.")
    return IssuerKey(found.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption()))


def pem_of(key: str) -> bytes | None:
    """A public key, given as hexadecimal digits, as OpenSSL reads it; None where this is none.

    >>> pem_of(IssuerKey(bytes(32)).public).splitlines()[0], pem_of("a key")
    (b'-----BEGIN PUBLIC KEY-----', None)
    """
    try:
        found = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
    except ValueError:
        return None
    return found.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def is_signed_by(key: str, given: bytes, text: bytes) -> bool:
    """Whether a text was signed by a public key, given as hexadecimal digits.

    >>> own = IssuerKey(bytes(32))
    >>> is_signed_by(own.public, own.sign(b"a list"), b"a list"), is_signed_by(own.public, b"", b"a list")
    (True, False)
    """
    return is_signature(key, given.hex(), text)
