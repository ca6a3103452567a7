"""One-time codes by the clock (TOTP, RFC 6238, on HOTP, RFC 4226), as the usual apps on telephones show them."""

import hmac
from base64 import b32encode
from secrets import token_bytes
from urllib.parse import quote, urlencode

STEP = 30
"""Seconds that a code is shown."""

DIGITS = 6
_SECRET_BYTES = 20
_AROUND = 1
"""Steps before and after the present one whose codes are taken: clocks differ, and people type slowly."""


def new_secret() -> bytes:
    """A secret for a telephone and the house."""
    return token_bytes(_SECRET_BYTES)


def code_of(secret: bytes, counter: int, digits: int = DIGITS, digest: str = "sha1") -> str:
    """The code of a secret for a counter.

    >>> code_of(b"12345678901234567890", 0), code_of(b"12345678901234567890", 59 // STEP, 8)
    ('755224', '94287082')
    """
    mac = hmac.digest(secret, counter.to_bytes(8, "big"), digest)
    at = mac[-1] & 0xF
    number = int.from_bytes(mac[at : at + 4], "big") & 0x7FFF_FFFF
    return str(number % 10**digits).zfill(digits)


def step_of(secret: bytes, code: str, now: float, after: int) -> int | None:
    """The step whose code this is, of those around the present one and after the last one that was used.

    >>> step_of(b"12345678901234567890", "287082", now=59, after=0)
    1
    >>> step_of(b"12345678901234567890", "287082", now=59, after=1) is None
    True
    """
    present = int(now) // STEP
    found = None
    for step in range(max(present - _AROUND, after + 1, 0), present + _AROUND + 1):
        if hmac.compare_digest(code_of(secret, step).encode(), code.encode()):
            found = step
    return found


def address_of_secret(secret: bytes, name: str, house: str = "Punto") -> str:
    """A secret as telephones read it, mostly as a QR code: an `otpauth` URI.

    >>> address_of_secret(b"12345678901234567890", "lee")
    'otpauth://totp/Punto:lee?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Punto'
    """
    written = b32encode(secret).decode().rstrip("=")
    return f"otpauth://totp/{quote(house)}:{quote(name)}?{urlencode({'secret': written, 'issuer': house})}"
