"""Accounts: who somebody is, which posts they hold at which tables, and the tokens that prove it.

Whatever is done with an account is on the record: the house has a chain of its own in the journal, and
an act and its entry there are one commit.
"""

import re
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from typing import Literal

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from punto.journal import HOUSE, Append, Journal, JournalError
from punto.rulebook import ids, load
from punto.service.accounts.batching import Together
from punto.service.accounts.tokens import Denied as Denied
from punto.service.accounts.tokens import Signer, Token

EVERYWHERE = "*"
"""In the place of a table: all of them."""

MOST_FAILURES = 3
LOCKED = 15 * 60
SESSION = 12 * 60 * 60
LINK = 24 * 60 * 60
AFRESH = 1.0
"""What another process did with accounts is known here after so many seconds at most."""

WRONG = f"Name or password is wrong, or the account is locked for a while after {MOST_FAILURES} failed attempts."
"""The one answer to a failed log-in, so that nobody learns which names there are."""

_NAME = re.compile(r"[a-z0-9_-]{1,40}")
_PLACE = re.compile(r"\*|[a-z0-9][a-z0-9-]{0,62}")
_RANK = re.compile(r"[a-z][a-z-]{0,59}")
_MOST_KEPT = 200_000
_TRIES = 20
_hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)

Kind = Literal["patron", "staff", "device"]


class BadAccount(ValueError):
    """An account that cannot be made or used so. The message is a sentence."""


class HeldPost(msgspec.Struct, frozen=True):
    """A post at a table; `acting` where it is not the person's own."""

    rank: str
    acting: bool = False


class Account(msgspec.Struct, frozen=True):
    """A person or a device. `version` changes when all its tokens are to be worthless."""

    name: str
    kind: Kind
    password: str | None = None
    posts: dict[str, HeldPost] = {}
    failures: int = 0
    locked_until: float = 0
    version: int = 1

    def post_at(self, table: str) -> HeldPost | None:
        """The post that this account holds at a table."""
        return self.posts.get(table) or self.posts.get(EVERYWHERE)


class Act(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that was done with an account, as the chain of the house keeps it."""

    who: str
    at: str
    what: str
    account: str
    kind: str = ""
    table: str = ""
    rank: str = ""
    acting: bool = False
    session: str = ""
    until: float | None = None


class House:
    """The chain of the house: every act on accounts, by whom and when."""

    def __init__(self, journal: Journal, clock: Callable[[], float] = time.time) -> None:
        self._journal, self._clock = journal, clock

    def entry(self, who: str, what: str, account: str, **more: str | float | None) -> Append:
        """An act, ready to be added to the chain."""
        at = datetime.fromtimestamp(self._clock(), UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        act = msgspec.convert({"who": who, "at": at, "what": what, "account": account, **more}, Act)
        return Append(HOUSE, 0, secrets.token_hex(16), who, at, (msgspec.json.encode(act),))

    def acts(self, after: int = 0, limit: int | None = None) -> list[tuple[int, Act]]:
        """What was done after a number, in order."""
        found = self._journal.read(HOUSE, after, limit)
        return [(entry.sequence, msgspec.json.decode(entry.body, type=Act)) for entry in found]


class Accounts:
    """The accounts of the house, kept in the store and signed for with its own key.

    Everything here waits for the store: in a service call it from a thread, but for `bearer`.
    """

    def __init__(self, journal: Journal, clock: Callable[[], float] = time.time) -> None:
        self._journal, self._clock = journal, clock
        self.house = House(journal, clock)
        self._lock = threading.RLock()
        self._doors = [threading.Lock() for _ in range(64)]
        self._seen: dict[str, Account] = {}
        self._known = journal.tables().get(HOUSE, 0)
        self._looked = time.monotonic()
        ended = {name: float(until) for name, until in journal.records("ended").items()}
        self._ended = {name: until for name, until in ended.items() if until > clock()}
        self._tokens = Signer(self._own_key())
        self._soon = Together(self._answer)

    def _own_key(self) -> bytes:
        found = self._journal.secret("", "tokens")
        if found is None:
            with suppress(JournalError):  # another process was quicker, or the store is away: the next line tells
                self._journal.keep_secret("", "tokens", secrets.token_bytes(32))
            found = self._journal.secret("", "tokens")
        if found is None:
            raise JournalError("The key for tokens cannot be kept.")
        return found

    # Accounts

    def make(
        self,
        name: str,
        kind: str,
        password: str | None = None,
        posts: dict[str, HeldPost] | None = None,
        *,
        by: str = "service",
    ) -> Account:
        """Make an account, or refuse its name or password."""
        if not _NAME.fullmatch(name):
            raise BadAccount("A name is 1 to 40 small letters, digits, - and _.")
        if name in reserved():
            raise BadAccount(f"{name!r} is a word of the books or of the house: no account has such a name.")
        if kind not in ("patron", "staff", "device"):
            raise BadAccount("An account is a patron, staff or a device.")
        if kind == "patron" and posts:
            raise BadAccount("A patron holds no post.")
        if kind == "device" and password is not None:
            raise BadAccount("A device has a token, not a password.")
        for table, held in (posts or {}).items():
            _check_post(table, held.rank)
        hashed = None if password is None else _hashed(password)
        made = msgspec.convert({"name": name, "kind": kind}, Account)
        made = msgspec.structs.replace(made, password=hashed, posts=posts or {}, version=secrets.randbits(48))
        if not self._put(name, None, made, self.house.entry(by, "account-made", name, kind=kind, **_told(posts or {}))):
            raise BadAccount(f"There is an account {name!r} already.")
        return made

    def get(self, name: str, *, fresh: bool = False) -> Account | None:
        """An account by its name; as it was a second ago will do, unless it must be fresh."""
        with self._lock:
            if not fresh:
                if time.monotonic() - self._looked > AFRESH:
                    self._look()
                kept = self._seen.get(name)
                if kept is not None:
                    return kept
            body = self._journal.record("account", name) if _NAME.fullmatch(name) else None
            if body is None:
                self._seen.pop(name, None)
                return None
            if len(self._seen) >= _MOST_KEPT:
                self._seen.clear()
            account = self._seen[name] = msgspec.json.decode(body, type=Account)
            return account

    def _look(self) -> None:
        """What others have done since: their accounts are read again, their sessions are over."""
        for sequence, act in self.house.acts(self._known):
            self._known = sequence
            self._seen.pop(act.account, None)
            if act.what == "logged-out" and act.until is not None:
                self._ended[act.session] = act.until
        self._looked = time.monotonic()

    def all(self) -> list[Account]:
        """Every account, by name."""
        found = self._journal.records("account").values()
        return sorted((msgspec.json.decode(body, type=Account) for body in found), key=lambda each: each.name)

    def hold(self, name: str, table: str, rank: str | None, *, acting: bool = False, by: str = "service") -> Account:
        """Give an account a post at a table, or take it away."""

        def change(account: Account) -> Account:
            if account.kind == "patron":
                raise BadAccount("A patron holds no post.")
            posts = {each: held for each, held in account.posts.items() if each != table}
            if rank is not None:
                posts[table] = HeldPost(rank, acting)
            elif table not in account.posts:
                raise BadAccount(f"{name} holds no post at {table}.")
            return msgspec.structs.replace(account, posts=posts)

        _check_post(table, rank or "none")
        note = self.house.entry(
            by, "post-held" if rank else "post-left", name, table=table, rank=rank or "", acting=acting
        )
        return self._change(name, change, note)

    def set_password(self, name: str, password: str, *, by: str = "service") -> Account:
        """A new password; every token given out before is worthless."""
        hashed = _hashed(password)

        def change(account: Account) -> Account:
            if account.kind == "device":
                raise BadAccount("A device has a token, not a password.")
            version = account.version + 1
            return msgspec.structs.replace(account, password=hashed, version=version, failures=0, locked_until=0)

        return self._change(name, change, self.house.entry(by, "password-set", name))

    def revoke(self, name: str, *, by: str = "service") -> Account:
        """Every token given out before is worthless."""
        note = self.house.entry(by, "tokens-revoked", name)
        return self._change(name, lambda was: msgspec.structs.replace(was, version=was.version + 1), note)

    def remove(self, name: str, *, by: str = "service") -> None:
        """There is no such account any more, and no token of it is good."""
        note = self.house.entry(by, "account-removed", name)
        for _ in range(_TRIES):
            if self._put(name, self._body(name), None, note):
                return
        raise BadAccount(_BUSY)

    def _body(self, name: str) -> str:
        body = self._journal.record("account", name) if _NAME.fullmatch(name) else None
        if body is None:
            raise BadAccount(f"There is no account {name!r}.")
        return body

    def _fetch(self, name: str) -> Account:
        return msgspec.json.decode(self._body(name), type=Account)

    def _change(self, name: str, how: Callable[[Account], Account], note: Append | None) -> Account:
        """Change an account as it is now; if somebody else does so at the same time, once more."""
        for _ in range(_TRIES):
            body = self._body(name)
            before = msgspec.json.decode(body, type=Account)
            after = how(before)
            if after == before and (note is None or note.who == "service"):
                return after
            if self._put(name, body, after, note):
                return after
        raise BadAccount(_BUSY)

    def _put(self, name: str, before: str | None, after: Account | None, note: Append | None) -> bool:
        becomes = None if after is None else msgspec.json.encode(after).decode()
        with self._lock:
            done = self._journal.change_record("account", name, before, becomes, note)
            self._seen.pop(name, None)
        return done

    # Logging in

    def log_in(self, name: str, password: str) -> str:
        """A token for a name and its password; three failures lock the account for a while.

        An attempt is counted before the password is looked at, so that many at once are no more than three.
        """
        with self._doors[hash(name) % len(self._doors)]:
            account = self._attempt(name)
            right = _right(account.password if account is not None else None, password)
            if account is None or not right:
                if account is not None and account.locked_until:
                    self._journal.note(self.house.entry("service", "locked-out", name, until=account.locked_until))
                raise Denied(WRONG)
            note = None if account.kind == "patron" else self.house.entry(name, "logged-in", name)

            def cleared(was: Account) -> Account:
                again = was.password is not None and _hasher.check_needs_rehash(was.password)
                hashed = _hasher.hash(password) if again and was.password == account.password else was.password
                return msgspec.structs.replace(was, failures=0, locked_until=0, password=hashed)

            return self.token(self._change(name, cleared, note))

    def _attempt(self, name: str) -> Account | None:
        """The account with one more attempt counted; None if there is none to log in to, or it is locked."""

        def counted(was: Account) -> Account:
            if was.password is None or was.locked_until > self._clock():
                raise Denied(WRONG)
            failures = was.failures + 1
            locked = self._clock() + LOCKED if failures >= MOST_FAILURES else 0
            return msgspec.structs.replace(was, failures=0 if locked else failures, locked_until=locked)

        try:
            return self._change(name, counted, None)
        except (BadAccount, Denied):
            return None

    def token(self, account: Account, *, seconds: float | None = SESSION, once: bool = False) -> str:
        """A signed token: a session; one that is good until revoked; or one that works a single time."""
        until = None if seconds is None else self._clock() + seconds
        return self._tokens.write(Token(account.name, account.version, secrets.token_hex(8), until, once))

    def link(self, name: str, *, seconds: float = LINK, by: str = "service") -> str:
        """A token that logs in a single time, for a link."""
        account = self._fetch(name)
        if account.kind == "device":
            raise BadAccount("A device does not log in: it has a token.")
        until = self._clock() + seconds
        self._journal.note(self.house.entry(by, "link-given", name, until=until))
        return self.token(account, seconds=seconds, once=True)

    def device_token(self, name: str, *, by: str = "service") -> str:
        """A token for a device, good until it is revoked."""
        account = self._fetch(name)
        if account.kind != "device":
            raise BadAccount(f"{name} is no device: people log in.")
        self._journal.note(self.house.entry(by, "token-given", name))
        return self.token(account, seconds=None)

    def spend(self, token: str) -> str:
        """A session for a one-time link, which is worthless afterwards."""
        said = self._tokens.read(token)
        account = self._judged(said, self.get(said.name, fresh=True))
        if not said.once:
            raise Denied("This is not a one-time link.")
        note = self.house.entry(said.name, "link-used", said.name)
        if not self._journal.change_record("spent", said.id, None, account.name, note):
            raise Denied("This link has been used.")
        return self.token(account)

    def log_out(self, token: str) -> None:
        """The session is over, wherever its token is."""
        said = self._tokens.read(token)
        if said.once or said.until is None or said.until < self._clock():
            return
        note = self.house.entry(said.name, "logged-out", said.name, session=said.id, until=said.until)
        self._journal.change_record("ended", said.id, None, repr(said.until), note)
        self._ended[said.id] = said.until

    def holder(self, token: str) -> Account:
        """The account that a session or a device's token is for."""
        said = self._tokens.read(token)
        return self._session(said, self.get(said.name))

    async def bearer(self, token: str) -> Account:
        """The same from a running loop: one thread goes to the store for all who ask, and only if it must."""
        said = self._tokens.read(token)
        age = time.monotonic() - self._looked
        if age > AFRESH / 2:
            looked = self._soon.get("")
            if age > AFRESH:
                await looked
        account = self._seen.get(said.name) or await self._soon.get(said.name)
        return self._session(said, account)

    def _answer(self, names: Sequence[str]) -> dict[str, Account]:
        """What others have done, and the accounts with these names."""
        with self._lock:
            if time.monotonic() - self._looked > AFRESH / 2:
                self._look()
            if len(self._seen) >= _MOST_KEPT:
                self._seen.clear()
            bodies = self._journal.records("account", [name for name in names if _NAME.fullmatch(name)])
            found = {name: msgspec.json.decode(body, type=Account) for name, body in bodies.items()}
            self._seen |= found
        return found

    def _session(self, said: Token, account: Account | None) -> Account:
        if said.once:
            raise Denied("A one-time link is not a session.")
        return self._judged(said, account)

    def _judged(self, said: Token, account: Account | None) -> Account:
        over = (said.until is not None and said.until < self._clock()) or said.id in self._ended
        if account is None or account.version != said.version or over:
            raise Denied("The token is not good any more.")
        if said.until is None and account.kind != "device":
            raise Denied("The token is not good any more.")
        return account


_BUSY = "Others are changing this account: try again."


@cache
def reserved() -> frozenset[str]:
    """Names that no account has: the ranks of all books, and what the house calls itself."""
    ranks = {rank for book in ids() for tier in load(book).ranks for rank in tier}
    return frozenset({HOUSE, "service", "console", "patrons", "player", "banker", *ranks})


def _check_post(table: str, rank: str) -> None:
    if not _PLACE.fullmatch(table) or table == HOUSE:
        raise BadAccount(f"{table!r} is not the name of a table; * is all of them.")
    if not _RANK.fullmatch(rank):
        raise BadAccount(f"{rank!r} is not a rank, like pit-manager.")


def _told(posts: dict[str, HeldPost]) -> dict[str, str]:
    return {"table": " ".join(posts), "rank": " ".join(held.rank for held in posts.values())}


def _hashed(password: str) -> str:
    if not 8 <= len(password) <= 200:
        raise BadAccount("A password has eight to two hundred characters.")
    return _hasher.hash(password)


@cache
def _nobody() -> str:
    return _hasher.hash(secrets.token_hex(16))


def _right(hashed: str | None, password: str) -> bool:
    """Whether a password is right; takes as long where there is none to compare it with."""
    try:
        return _hasher.verify(hashed or _nobody(), password) and hashed is not None
    except (VerificationError, InvalidHashError):
        return False
