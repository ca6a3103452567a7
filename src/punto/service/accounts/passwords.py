"""Passwords: kept as Argon2id hashes, and compared in the same time whether there is one or not."""

import secrets
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from punto.messages import say
from punto.service.accounts.account import BadAccount

_hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


def hash_of(password: str) -> str:
    """The hash to keep of a new password; refused if it is too short or too long."""
    if not 8 <= len(password) <= 200:
        raise BadAccount(say("password-form", "A password has eight to two hundred characters."))
    return _hasher.hash(password)


def is_right(hashed: str | None, password: str) -> bool:
    """Whether a password is right; takes as long where there is no hash to compare it with."""
    try:
        return _hasher.verify(hashed or _unknown(), password) and hashed is not None
    except (VerificationError, InvalidHashError):
        return False


def rehashed(hashed: str, password: str) -> str:
    """The hash of a password by today's parameters, where it was made by others; else as it is."""
    return _hasher.hash(password) if _hasher.check_needs_rehash(hashed) else hashed


@cache
def _unknown() -> str:
    """A hash of a password that nobody knows."""
    return _hasher.hash(secrets.token_hex(16))
