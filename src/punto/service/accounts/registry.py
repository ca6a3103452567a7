"""The registry of accounts: making and changing them, logging in, and checking tokens.

Everything that is done with an account is on record: the house has a chain of its own in the journal, and an act and
its entry there are one commit.
"""

import secrets
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

import msgspec

from punto.journal import HOUSE, Append, Journal, JournalError
from punto.service.accounts.account import ACCOUNT, Account, BadAccount, HeldPost, check_new, check_post, is_name
from punto.service.accounts.batched_lookup import BatchedLookup
from punto.service.accounts.house import House
from punto.service.accounts.passwords import hash_of, is_right, rehashed
from punto.service.accounts.tokens import Denied, Signer, Token

MOST_FAILURES = 3
LOCKED = 15 * 60
"""Seconds for which an account is locked after so many failures."""

SESSION = 12 * 60 * 60
LINK = 24 * 60 * 60
STALE_AFTER = 1.0
"""Seconds until this process knows what another one has done with accounts."""

WRONG = f"Name or password is wrong, or the account is locked for a while after {MOST_FAILURES} failed attempts."
"""The one answer to a failed log-in, so that nobody learns which names there are."""

_BUSY = "Others are changing this account: try again."
_MOST_CACHED = 200_000
_TRIES = 20


class Accounts:
    """The accounts of the house, kept in the store, and their tokens.

    Every method but `bearer` waits for the store: call it from a thread where a loop is running.
    """

    def __init__(self, journal: Journal, clock: Callable[[], float] = time.time) -> None:
        self._journal, self._clock = journal, clock
        self.house = House(journal, clock)
        self._lock = threading.RLock()
        self._log_in_locks = [threading.Lock() for _ in range(64)]
        self._cache: dict[str, Account] = {}
        self._read_to = journal.tables().get(HOUSE, 0)
        self._updated = time.monotonic()
        ended = {name: float(until) for name, until in journal.records("ended").items()}
        self._ended = {name: until for name, until in ended.items() if until > clock()}
        self._tokens = Signer(self._own_key())
        self._lookup = BatchedLookup(self._look_up)

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
        """Make an account, or refuse its name, kind, password or posts."""
        check_new(name, kind, password, posts or {})
        hashed = None if password is None else hash_of(password)
        made = msgspec.convert({"name": name, "kind": kind}, Account)
        made = msgspec.structs.replace(made, password=hashed, posts=posts or {}, version=secrets.randbits(48))
        if not self._put(name, None, made, self.house.entry(by, "account-made", name, kind=kind, **_told(posts or {}))):
            raise BadAccount(f"There is an account {name!r} already.")
        return made

    def get(self, name: str, *, fresh: bool = False) -> Account | None:
        """An account by its name: at most `STALE_AFTER` seconds old, or read from the store if it must be fresh."""
        with self._lock:
            if not fresh:
                if time.monotonic() - self._updated > STALE_AFTER:
                    self._update()
                kept = self._cache.get(name)
                if kept is not None:
                    return kept
            body = self._journal.record(ACCOUNT, name) if is_name(name) else None
            if body is None:
                self._cache.pop(name, None)
                return None
            if len(self._cache) >= _MOST_CACHED:
                self._cache.clear()
            account = self._cache[name] = msgspec.json.decode(body, type=Account)
            return account

    def _update(self) -> None:
        """Take in what other processes have done: forget accounts that changed, note sessions that ended."""
        for sequence, act in self.house.acts(self._read_to):
            self._read_to = sequence
            self._cache.pop(act.account, None)
            if act.what == "logged-out" and act.until is not None:
                self._ended[act.session] = act.until
        self._updated = time.monotonic()

    def all(self) -> list[Account]:
        """Every account, by name."""
        found = self._journal.records(ACCOUNT).values()
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

        check_post(table, rank or "none")
        note = self.house.entry(
            by, "post-held" if rank else "post-left", name, table=table, rank=rank or "", acting=acting
        )
        return self._change(name, change, note)

    def set_password(self, name: str, password: str, *, by: str = "service") -> Account:
        """Set a password; every token given out before is worthless."""
        hashed = hash_of(password)

        def change(account: Account) -> Account:
            if account.kind == "device":
                raise BadAccount("A device has a token, not a password.")
            version = account.version + 1
            return msgspec.structs.replace(account, password=hashed, version=version, failures=0, locked_until=0)

        return self._change(name, change, self.house.entry(by, "password-set", name))

    def revoke(self, name: str, *, by: str = "service") -> Account:
        """Make every token given out before worthless."""
        note = self.house.entry(by, "tokens-revoked", name)
        return self._change(name, lambda was: msgspec.structs.replace(was, version=was.version + 1), note)

    def remove(self, name: str, *, by: str = "service") -> None:
        """Remove an account; no token of it is good any more."""
        note = self.house.entry(by, "account-removed", name)
        for _ in range(_TRIES):
            if self._put(name, self._body(name), None, note):
                return
        raise BadAccount(_BUSY)

    def _body(self, name: str) -> str:
        body = self._journal.record(ACCOUNT, name) if is_name(name) else None
        if body is None:
            raise BadAccount(f"There is no account {name!r}.")
        return body

    def _fetch(self, name: str) -> Account:
        return msgspec.json.decode(self._body(name), type=Account)

    def _change(self, name: str, how: Callable[[Account], Account], note: Append | None) -> Account:
        """Change an account as it is in the store; again if somebody else changes it at the same time."""
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
            done = self._journal.change_record(ACCOUNT, name, before, becomes, note)
            self._cache.pop(name, None)
        return done

    # Logging in

    def log_in(self, name: str, password: str) -> str:
        """A token for a name and its password; three failures lock the account for a while.

        An attempt is counted before the password is looked at, so that many at once are no more than three.
        """
        with self._log_in_locks[hash(name) % len(self._log_in_locks)]:
            account = self._attempt(name)
            right = is_right(account.password if account is not None else None, password)
            if account is None or not right:
                if account is not None and account.locked_until:
                    self._journal.note(self.house.entry("service", "locked-out", name, until=account.locked_until))
                raise Denied(WRONG)
            note = None if account.kind == "patron" else self.house.entry(name, "logged-in", name)

            def cleared(was: Account) -> Account:
                hashed = was.password
                if hashed is not None and hashed == account.password:
                    hashed = rehashed(hashed, password)
                return msgspec.structs.replace(was, failures=0, locked_until=0, password=hashed)

            return self.token(self._change(name, cleared, note))

    def _attempt(self, name: str) -> Account | None:
        """Count an attempt and return the account; None if there is none to log in to, or it is locked."""

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
        """A session for a one-time link, which works no second time."""
        said = self._tokens.read(token)
        account = self._checked(said, self.get(said.name, fresh=True))
        if not said.once:
            raise Denied("This is not a one-time link.")
        note = self.house.entry(said.name, "link-used", said.name)
        if not self._journal.change_record("spent", said.id, None, account.name, note):
            raise Denied("This link has been used.")
        return self.token(account)

    def log_out(self, token: str) -> None:
        """End a session: its token is worthless everywhere."""
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
        """The same from a running loop: all callers share one look-up in the store, made only if the cache is stale."""
        said = self._tokens.read(token)
        age = time.monotonic() - self._updated
        if age > STALE_AFTER / 2:
            update = self._lookup.get("")
            if age > STALE_AFTER:
                await update
        account = self._cache.get(said.name) or await self._lookup.get(said.name)
        return self._session(said, account)

    async def fresh(self, name: str) -> Account | None:
        """An account as the store has it now, from a running loop; all callers share one look-up."""
        return await self._lookup.get(name)

    def _look_up(self, names: Sequence[str]) -> dict[str, Account]:
        """Take in what other processes have done, and read the accounts with these names."""
        with self._lock:
            if time.monotonic() - self._updated > STALE_AFTER / 2:
                self._update()
            if len(self._cache) >= _MOST_CACHED:
                self._cache.clear()
            bodies = self._journal.records(ACCOUNT, [name for name in names if is_name(name)])
            found = {name: msgspec.json.decode(body, type=Account) for name, body in bodies.items()}
            self._cache |= found
        return found

    def _session(self, said: Token, account: Account | None) -> Account:
        if said.once:
            raise Denied("A one-time link is not a session.")
        return self._checked(said, account)

    def _checked(self, said: Token, account: Account | None) -> Account:
        over = (said.until is not None and said.until < self._clock()) or said.id in self._ended
        if account is None or account.version != said.version or over:
            raise Denied("The token is not good any more.")
        if said.until is None and account.kind != "device":
            raise Denied("The token is not good any more.")
        return account


def _told(posts: dict[str, HeldPost]) -> dict[str, str]:
    """Posts as the record of an act names them."""
    return {"table": " ".join(posts), "rank": " ".join(held.rank for held in posts.values())}
