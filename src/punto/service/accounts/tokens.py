"""Tokens: what an account shows instead of its password, signed so that nobody else can write one."""

import hmac
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import lru_cache
from hashlib import sha256

import msgspec

from punto.messages import SpokenError, say

KEPT_AS = ("", "tokens")
"""Where the store keeps the key that signs tokens."""

_MOST_REMEMBERED = 50_000
_FORM = re.compile(r"[A-Za-z0-9_-]{1,600}\.[A-Za-z0-9_-]{43}")


class Denied(SpokenError):
    """Whoever asks may not. The message tells no more than it must."""


class Foreign(Denied):
    """A token that somebody else has written."""


class Token(msgspec.Struct, frozen=True, array_like=True):
    """What a token says. Without `until` it is good until revoked; one for `once` logs in a single time.

    A `weak` one was given for a password alone: it is not good in a post that needs a second factor.
    """

    name: str
    version: int
    id: str
    until: float | None
    once: bool = False
    weak: bool = False


class Signer:
    """Writes tokens, and reads those that it has written.

    >>> signer = Signer(bytes(32))
    >>> signer.read(signer.write(Token("ann", 1, "a1", 100.0))).name
    'ann'
    >>> Signer(b"another key").read(signer.write(Token("ann", 1, "a1", 100.0)))
    Traceback (most recent call last):
    punto.service.accounts.tokens.Foreign: The token is not ours.
    """

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._remembered = lru_cache(_MOST_REMEMBERED)(self._verify)

    def write(self, token: Token) -> str:
        """A token as text, fit for a header, a cookie and a link."""
        body = msgspec.json.encode(token)
        return f"{_text(body)}.{_text(self._mac(body))}"

    def read(self, text: str) -> Token:
        """What a token says, if it is ours; whether it is still good is for the accounts to say."""
        return self._remembered(text)

    def _verify(self, text: str) -> Token:
        if not _FORM.fullmatch(text):
            raise Foreign(_FORGED)
        body, _, mac = text.partition(".")
        try:
            raw, given = _bytes(body), _bytes(mac)
        except ValueError:
            raise Foreign(_FORGED) from None
        if not hmac.compare_digest(self._mac(raw), given):
            raise Foreign(_FORGED)
        try:
            return msgspec.json.decode(raw, type=Token)
        except msgspec.DecodeError:  # signed by an older service
            raise Denied(say("token-not-good", "The token is not good any more.")) from None

    def _mac(self, body: bytes) -> bytes:
        return hmac.new(self._key, body, sha256).digest()


_FORGED = say("token-not-ours", "The token is not ours.")


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
