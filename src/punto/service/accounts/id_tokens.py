"""ID tokens of OpenID Connect: what a provider says of somebody, signed by RS256, ES256 or EdDSA.

Which algorithm is used follows from the key, never from what the token says of itself.
"""

import binascii
from base64 import urlsafe_b64decode
from collections.abc import Sequence
from typing import TypeVar

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePublicNumbers
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicNumbers
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from punto.messages import say
from punto.service.accounts.tokens import Denied

_T = TypeVar("_T")

LEEWAY = 60.0
"""Seconds by which clocks may differ."""

_LEAST_RSA = 2048
_HALF = 32
"""Bytes of each number of an ES256 signature."""


class BadIdToken(Denied):
    """An ID token that proves nothing. The message is a sentence."""


class ProviderKey(msgspec.Struct, frozen=True):
    """A public key of a provider, as a JSON Web Key."""

    kty: str
    kid: str = ""
    use: str = "sig"
    crv: str = ""
    n: str = ""
    e: str = ""
    x: str = ""
    y: str = ""

    @property
    def algorithm(self) -> str | None:
        """The one algorithm that this key is used with; None for a key that is not used."""
        if self.use != "sig":
            return None
        return {("RSA", ""): "RS256", ("EC", "P-256"): "ES256", ("OKP", "Ed25519"): "EdDSA"}.get((self.kty, self.crv))


class _Header(msgspec.Struct):
    alg: str
    kid: str = ""
    crit: object = None


class Claims(msgspec.Struct):
    """What an ID token must say."""

    iss: str
    sub: str
    aud: str | list[str]
    exp: float
    iat: float
    nonce: str = ""
    azp: str | None = None
    nbf: float | None = None


class Expected(msgspec.Struct, frozen=True):
    """Whom an ID token must be from and for, and in answer to what."""

    issuer: str
    client: str
    nonce: str


def key_of(token: str, keys: Sequence[ProviderKey]) -> ProviderKey | None:
    """The key that a token names, or the only one of its algorithm; None if that is not among these."""
    header = _read(token.partition(".")[0], _Header)
    fitting = [each for each in keys if each.algorithm is not None and each.algorithm == header.alg]
    if header.kid:
        fitting = [each for each in fitting if each.kid == header.kid]
    return fitting[0] if len(fitting) == 1 else None


def read_id_token(token: str, key: ProviderKey, expected: Expected, now: float) -> dict[str, object]:
    """What a token says, if this key has signed it, and it is from whom and for what is expected, and in time."""
    parts = token.split(".")
    if len(parts) != 3:
        raise BadIdToken(say("no-id-token", "The provider's answer is no ID token."))
    header = _read(parts[0], _Header)
    if header.alg != key.algorithm or header.crit is not None:
        raise BadIdToken(say("id-token-not-signed-so", "The ID token is not signed as it must be."))
    try:
        _verify(key, f"{parts[0]}.{parts[1]}".encode(), _bytes(parts[2]))
    except (InvalidSignature, ValueError):
        raise BadIdToken(say("id-token-not-of-provider", "The ID token is not signed by the provider.")) from None
    _check(_read(parts[1], Claims), expected, now)
    return _read(parts[1], dict[str, object])


def _check(claims: Claims, expected: Expected, now: float) -> None:
    audience = [claims.aud] if isinstance(claims.aud, str) else claims.aud
    if claims.iss != expected.issuer:
        raise BadIdToken(say("id-token-of-another", "The ID token is from another provider."))
    if expected.client not in audience or (len(audience) > 1 and claims.azp is None):
        raise BadIdToken(say("id-token-for-another", "The ID token is for somebody else."))
    if claims.azp is not None and claims.azp != expected.client:
        raise BadIdToken(say("id-token-for-another", "The ID token is for somebody else."))
    if not expected.nonce or claims.nonce != expected.nonce:
        raise BadIdToken(say("id-token-another-question", "The ID token answers another question."))
    if claims.exp <= now - LEEWAY:
        raise BadIdToken(say("id-token-too-old", "The ID token is too old."))
    if max(claims.iat, claims.nbf or 0.0) > now + LEEWAY:
        raise BadIdToken(say("id-token-not-yet", "The ID token is not good yet: compare the clocks."))


def _verify(key: ProviderKey, signed: bytes, signature: bytes) -> None:
    """`InvalidSignature` or `ValueError` if this key has not signed it."""
    if key.kty == "RSA":
        rsa = RSAPublicNumbers(_number(key.e), _number(key.n)).public_key()
        if rsa.key_size < _LEAST_RSA:
            raise ValueError("a short key")
        rsa.verify(signature, signed, PKCS1v15(), SHA256())
    elif key.kty == "EC":
        if len(signature) != 2 * _HALF:
            raise ValueError("not two numbers")
        halves = (int.from_bytes(each, "big") for each in (signature[:_HALF], signature[_HALF:]))
        curve = EllipticCurvePublicNumbers(_number(key.x), _number(key.y), SECP256R1()).public_key()
        curve.verify(encode_dss_signature(*halves), signed, ECDSA(SHA256()))
    else:
        Ed25519PublicKey.from_public_bytes(_bytes(key.x)).verify(signature, signed)


def _read(part: str, kind: type[_T]) -> _T:
    try:
        return msgspec.json.decode(_bytes(part), type=kind)
    except (ValueError, UnicodeDecodeError, RecursionError):
        raise BadIdToken(say("no-id-token", "The provider's answer is no ID token.")) from None


def _number(text: str) -> int:
    return int.from_bytes(_bytes(text), "big")


def _bytes(text: str) -> bytes:
    try:
        return urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
    except (binascii.Error, UnicodeEncodeError):
        raise ValueError("not base64url") from None
