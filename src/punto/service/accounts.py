"""Accounts: who somebody is, which posts they hold at which tables, and the tokens that prove it."""

import hmac
import secrets
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256
from typing import Literal

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

from punto.journal import Journal

EVERYWHERE = "*"
"""In the place of a table: all of them."""

MOST_FAILURES = 3
LOCKED = 15 * 60
SESSION = 12 * 60 * 60
_NAME = "abcdefghijklmnopqrstuvwxyz0123456789-_"
_hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


class BadAccount(ValueError):
    """An account that cannot be made or used so. The message is a sentence."""


class Denied(ValueError):
    """Who asks may not. The message does not tell more than it must."""


class HeldPost(msgspec.Struct, frozen=True):
    """A post at a table; `acting` where it is not the person's own."""

    rank: str
    acting: bool = False


class Account(msgspec.Struct, frozen=True):
    """A person or a device. `version` goes up when all its tokens are to be worthless."""

    name: str
    kind: Literal["patron", "staff", "device"]
    password: str | None = None
    posts: dict[str, HeldPost] = {}
    failures: int = 0
    locked_until: float = 0
    version: int = 1

    def post_at(self, table: str) -> HeldPost | None:
        """The post that this account holds at a table."""
        return self.posts.get(table) or self.posts.get(EVERYWHERE)


class Token(msgspec.Struct, frozen=True):
    """What a token says. `once` is set for a link that logs in a single time."""

    name: str
    version: int
    until: float
    once: str | None = None


class Accounts:
    """The accounts of the house, kept in the store and signed for with its own key."""

    def __init__(self, journal: Journal, clock: Callable[[], float] = time.time) -> None:
        self._journal, self._clock = journal, clock
        self._seen: dict[str, tuple[float, Account | None]] = {}
        self._key = self._own_key()

    def _own_key(self) -> bytes:
        found = self._journal.secret("", "tokens")
        if found is None:
            self._journal.keep_secret("", "tokens", secrets.token_bytes(32))
            found = self._journal.secret("", "tokens")
        assert found is not None
        return found

    # Accounts

    def make(
        self, name: str, kind: str, password: str | None = None, posts: dict[str, HeldPost] | None = None
    ) -> Account:
        """Make an account, or refuse its name or password."""
        if not 1 <= len(name) <= 40 or any(letter not in _NAME for letter in name):
            raise BadAccount("A name is 1 to 40 small letters, digits, - and _.")
        if kind not in ("patron", "staff", "device"):
            raise BadAccount("An account is a patron, staff or a device.")
        if password is not None and len(password) < 8:
            raise BadAccount("A password has at least eight characters.")
        if kind == "patron" and posts:
            raise BadAccount("A patron holds no post.")
        if self.get(name, fresh=True) is not None:
            raise BadAccount(f"There is an account {name!r} already.")
        hashed = None if password is None else _hasher.hash(password)
        account = Account(
            name, "patron" if kind == "patron" else "staff" if kind == "staff" else "device", hashed, posts or {}
        )
        self._keep(account)
        return account

    def get(self, name: str, *, fresh: bool = False) -> Account | None:
        """An account by its name; what was read a few seconds ago will do, unless it must be fresh."""
        kept = self._seen.get(name)
        if kept is not None and not fresh and kept[0] > self._clock():
            return kept[1]
        body = self._journal.record("account", name)
        account = None if body is None else msgspec.json.decode(body, type=Account)
        self._seen[name] = (self._clock() + 5, account)
        return account

    def all(self) -> list[Account]:
        """Every account, by name."""
        found = self._journal.records("account").values()
        return sorted((msgspec.json.decode(body, type=Account) for body in found), key=lambda each: each.name)

    def hold(self, name: str, table: str, rank: str | None, *, acting: bool = False) -> Account:
        """Give an account a post at a table, or take it away."""
        account = self._known(name)
        if account.kind != "staff":
            raise BadAccount("Only the staff hold posts.")
        posts = {each: held for each, held in account.posts.items() if each != table}
        if rank is not None:
            posts[table] = HeldPost(rank, acting)
        return self._keep(msgspec.structs.replace(account, posts=posts))

    def set_password(self, name: str, password: str) -> Account:
        """A new password; every token given out before is worthless."""
        if len(password) < 8:
            raise BadAccount("A password has at least eight characters.")
        account = self._known(name)
        changed = msgspec.structs.replace(
            account, password=_hasher.hash(password), version=account.version + 1, failures=0, locked_until=0
        )
        return self._keep(changed)

    def revoke(self, name: str) -> Account:
        """Every token given out before is worthless."""
        account = self._known(name)
        return self._keep(msgspec.structs.replace(account, version=account.version + 1))

    def remove(self, name: str) -> None:
        """There is no such account any more."""
        self._known(name)
        self._journal.drop_record("account", name)
        self._seen.pop(name, None)

    def _known(self, name: str) -> Account:
        account = self.get(name, fresh=True)
        if account is None:
            raise BadAccount(f"There is no account {name!r}.")
        return account

    def _keep(self, account: Account) -> Account:
        self._journal.put_record("account", account.name, msgspec.json.encode(account).decode())
        self._seen.pop(account.name, None)
        return account

    # Logging in

    def log_in(self, name: str, password: str) -> str:
        """A token for a name and its password; three failures lock the account for a while."""
        account = self.get(name, fresh=True)
        if account is None or account.password is None:
            _hasher.hash(password)  # takes as long as for an account that is there
            raise Denied("Name or password is wrong.")
        if account.locked_until > self._clock():
            raise Denied("This account is locked for a while after three failed attempts.")
        try:
            _hasher.verify(account.password, password)
        except (VerifyMismatchError, InvalidHashError):
            failures = account.failures + 1
            locked = self._clock() + LOCKED if failures >= MOST_FAILURES else 0
            self._keep(msgspec.structs.replace(account, failures=0 if locked else failures, locked_until=locked))
            raise Denied("Name or password is wrong.") from None
        if account.failures or account.locked_until:
            self._keep(msgspec.structs.replace(account, failures=0, locked_until=0))
        return self.token(account)

    def token(self, account: Account, *, seconds: float = SESSION, once: bool = False) -> str:
        """A signed token; one that works a single time if asked."""
        said = Token(account.name, account.version, self._clock() + seconds, secrets.token_hex(8) if once else None)
        body = msgspec.json.encode(said)
        return f"{_text(body)}.{_text(self._mac(body))}"

    def spend(self, token: str) -> str:
        """A session for a one-time link, which is worthless afterwards."""
        account, said = self._read(token)
        if said.once is None:
            raise Denied("This is not a one-time link.")
        if not self._journal.add_record("spent", said.once, account.name):
            raise Denied("This link has been used.")
        return self.token(account)

    def holder(self, token: str) -> Account:
        """The account that a token is for."""
        account, said = self._read(token)
        if said.once is not None:
            raise Denied("A one-time link is not a session.")
        return account

    def _read(self, token: str) -> tuple[Account, Token]:
        body, _, mac = token.partition(".")
        try:
            raw, given = _bytes(body), _bytes(mac)
            if not hmac.compare_digest(self._mac(raw), given):
                raise Denied("The token is not ours.")
            said = msgspec.json.decode(raw, type=Token)
        except (ValueError, msgspec.DecodeError):
            raise Denied("The token is not ours.") from None
        account = self.get(said.name)
        if account is None or account.version != said.version or said.until < self._clock():
            raise Denied("The token is not good any more.")
        return account, said

    def _mac(self, body: bytes) -> bytes:
        return hmac.new(self._key, body, sha256).digest()


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
