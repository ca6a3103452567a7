"""The registry of accounts: making and changing them, logging in, and checking tokens.

Everything that is done with an account is on record: the house has a chain of its own in the journal, and an act and
its entry there are one commit.
"""

import secrets
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256

import msgspec

from punto.journal import HOUSE, Append, Journal, RecordChange
from punto.service.accounts.account import (
    ACCOUNT,
    Account,
    BadAccount,
    HeldPost,
    check_new,
    check_person,
    check_post,
    check_shown,
    is_name,
    new_person,
    read_account,
)
from punto.service.accounts.batched_lookup import BatchedLookup
from punto.service.accounts.house import NEW_TOKEN_KEY, House
from punto.service.accounts.passwords import hash_of, is_right, rehashed
from punto.service.accounts.tokens import KEPT_AS, Denied, Signer, Token
from punto.service.limits import RateLimit
from punto.service.money.purses import PurseNotEmpty, check_empty, hold_purses, leave_tables, seated_anywhere
from punto.service.store_calls import StoreCalls

SESSION = 12 * 60 * 60
LINK = 24 * 60 * 60
STALE_AFTER = 1.0
"""Seconds until this process knows what another one has done with accounts."""

WRONG = "Name or password is wrong."
"""The one answer to a failed log-in, so that nobody learns which names there are."""

PERSON, SHOWN = "person", "shown"
"""Kinds of records: the account of a person, empty once it is removed; shown names by person."""

_NO_NAME = "?"
"""What is looked up for something that can be no name, so that it takes as long."""

_LOG_INS_AN_HOUR = 120
"""Log-ins of one account of the staff, each of which is an entry in the chain of the house."""

_BUSY = "Others are changing this account: try again."
_MOST_CACHED = 200_000
_TRIES = 20


class Accounts:
    """The accounts of the house, kept in the store, and their tokens.

    Every method but `bearer` waits for the store: call it from a thread where a loop is running.
    """

    def __init__(
        self, journal: Journal, clock: Callable[[], float] = time.time, calls: StoreCalls | None = None
    ) -> None:
        self._journal, self._clock = journal, clock
        self.house = House(journal, clock)
        self._lock = threading.RLock()
        self._log_ins = RateLimit(_LOG_INS_AN_HOUR / 3600, _LOG_INS_AN_HOUR)
        self._cache: dict[str, Account] = {}
        self._read_to = journal.tables().get(HOUSE, 0)
        self._updated = time.monotonic()
        ended = {name: float(until) for name, until in journal.records("ended").items()}
        self._ended = {name: until for name, until in ended.items() if until > clock()}
        self._shown = journal.records(SHOWN)
        self._read_token_key()
        self._lookup = BatchedLookup(self._look_up, calls or StoreCalls())

    def _read_token_key(self) -> None:
        key = self._own_key()
        self._tokens, self._browsers = Signer(key), Signer(sha256(b"known browser" + key).digest())

    def _own_key(self) -> bytes:
        return self._journal.secret(*KEPT_AS) or self._journal.secret_or(*KEPT_AS, secrets.token_bytes(32))

    # Accounts

    def make(
        self,
        name: str,
        kind: str,
        password: str | None = None,
        posts: dict[str, HeldPost] | None = None,
        *,
        person: str | None = None,
        shown: str = "",
        by: str = "service",
    ) -> Account:
        """Make an account, or refuse its name, kind, password, posts or person; a person is new unless one is given."""
        check_new(name, kind, password, posts or {})
        check_shown(shown)
        hashed = None if password is None else hash_of(password)
        is_new = new_person() if person is None else self._unused(person)
        made = msgspec.convert({"name": name, "kind": kind, "person": is_new, "shown": shown}, Account)
        made = msgspec.structs.replace(made, password=hashed, posts=posts or {}, version=secrets.randbits(48))
        told = {"kind": kind, "person": is_new, "shown": shown, **_told(posts or {})}
        changes = [
            RecordChange(ACCOUNT, name, None, msgspec.json.encode(made).decode()),
            RecordChange(PERSON, is_new, None, name),
        ]
        if shown:
            changes.append(RecordChange(SHOWN, is_new, None, shown))
        if not self._put_all(name, changes, self.house.entry(by, "account-made", name, **told)):
            raise BadAccount(f"There is an account {name!r} already.")
        if shown:
            self._shown[is_new] = shown
        return made

    def _unused(self, person: str) -> str:
        """An id that somebody chose for a person, if nobody ever had it."""
        check_person(person)
        same_name = self._journal.record(ACCOUNT, person)  # an account of the first releases is its own person
        if self._journal.record(PERSON, person) is not None or (
            same_name is not None and read_account(same_name).person == person
        ):
            raise BadAccount(f"The id {person!r} is or was somebody's: ids of persons are never used again.")
        return person

    def check_never_used(self, person: str) -> None:
        """Refuse an id that anybody ever had, an account of any release or a patron whom the staff have seated."""
        self._unused(person)
        made = (act for _, act in self.house.acts() if act.what == "account-made")
        if any(person == (act.person or act.account) for act in made) or seated_anywhere(self._journal, person):
            raise BadAccount(f"The id {person!r} is or was somebody's: ids of persons are never used again.")

    def shown(self, person: str) -> str:
        """The name that people see for a person: the one that is set, or the id."""
        return self._shown.get(person, person)

    def shown_names(self, people: Iterable[str]) -> dict[str, str]:
        """The names that are shown for these people, of those who have one."""
        return {person: self._shown[person] for person in people if person in self._shown}

    def show_as(self, name: str, shown: str, *, by: str = "service") -> Account:
        """Set the name that people see; an empty one takes it away."""
        check_shown(shown)
        for _ in range(_TRIES):
            body = self._body(name)
            after = msgspec.structs.replace(read_account(body), shown=shown)
            before = self._journal.record(SHOWN, after.person)
            changes = [
                RecordChange(ACCOUNT, name, body, msgspec.json.encode(after).decode()),
                RecordChange(SHOWN, after.person, before, shown or None),
            ]
            note = self.house.entry(by, "shown-set", name, person=after.person, shown=shown)
            if self._put_all(name, [each for each in changes if each.before != each.after], note):
                self._note_shown(after.person, shown)
                return after
        raise BadAccount(_BUSY)

    def _note_shown(self, person: str, shown: str) -> None:
        if shown:
            self._shown[person] = shown
        else:
            self._shown.pop(person, None)

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
            account = self._cache[name] = read_account(body)
            return account

    def _update(self) -> None:
        """Take in what other processes have done: forget accounts that changed, note sessions that ended."""
        for sequence, act in self.house.acts(self._read_to):
            self._read_to = sequence
            self._cache.pop(act.account, None)
            if act.what == "logged-out" and act.until is not None:
                self._ended[act.session] = act.until
            if act.person and act.what in ("account-made", "shown-set", "account-removed"):
                self._note_shown(act.person, act.shown)
            elif act.what == NEW_TOKEN_KEY:
                self._read_token_key()
        self._updated = time.monotonic()

    def all(self) -> list[Account]:
        """Every account, by name."""
        return sorted(map(read_account, self._journal.records(ACCOUNT).values()), key=lambda each: each.name)

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
            return msgspec.structs.replace(account, password=hashed, version=version)

        return self._change(name, change, self.house.entry(by, "password-set", name))

    def revoke(self, name: str, *, by: str = "service") -> Account:
        """Make every token given out before worthless."""
        note = self.house.entry(by, "tokens-revoked", name)
        return self._change(name, lambda was: msgspec.structs.replace(was, version=was.version + 1), note)

    def remove(self, name: str, *, hold: bool = False, by: str = "service") -> None:
        """Remove an account; no token of it is good any more, and nobody is ever its person again.

        Refused while the person owns or owes something, unless the house shall `hold` what they own for them.
        """
        for _ in range(_TRIES):
            body = self._body(name)
            account = read_account(body)
            self._settle(account, hold=hold, by=by)
            shown = self._journal.record(SHOWN, account.person)
            changes = [
                RecordChange(ACCOUNT, name, body, None),
                RecordChange(PERSON, account.person, self._journal.record(PERSON, account.person), ""),
                RecordChange(SHOWN, account.person, shown, None),
            ]
            note = self.house.entry(by, "account-removed", name, person=account.person)
            if self._put_all(name, [each for each in changes if each.before != each.after], note):
                self._note_shown(account.person, "")
                return
        raise BadAccount(_BUSY)

    def _settle(self, account: Account, *, hold: bool, by: str) -> None:
        """Refuse to remove somebody who owns or owes something; or hold it, where it can be held."""
        try:
            if hold:
                hold_purses(self._journal, account.person, by=by, at=self.house.now())
            else:
                check_empty(self._journal, account.person)
            leave_tables(self._journal, account.person, by=by, at=self.house.now())
        except PurseNotEmpty as error:
            raise BadAccount(f"{account.name} cannot be removed: {error}") from None

    def _body(self, name: str) -> str:
        body = self._journal.record(ACCOUNT, name) if is_name(name) else None
        if body is None:
            raise BadAccount(f"There is no account {name!r}.")
        return body

    def _fetch(self, name: str) -> Account:
        return read_account(self._body(name))

    def _change(self, name: str, how: Callable[[Account], Account], note: Append | None) -> Account:
        """Change an account as it is in the store; again if somebody else changes it at the same time."""
        for _ in range(_TRIES):
            body = self._body(name)
            before = read_account(body)
            after = how(before)
            if after == before and (note is None or note.who == "service"):
                return after
            if self._put(name, body, after, note):
                return after
        raise BadAccount(_BUSY)

    def _put(self, name: str, before: str, after: Account, note: Append | None) -> bool:
        becomes = msgspec.json.encode(after).decode()
        return self._put_all(name, [RecordChange(ACCOUNT, name, before, becomes)], note)

    def _put_all(self, name: str, changes: Sequence[RecordChange], note: Append | None) -> bool:
        with self._lock:
            done = self._journal.change_records(changes, note)
            self._cache.pop(name, None)
        return done

    # Logging in

    def log_in(self, name: str, password: str) -> str:
        """A token for a name and its password; for every name that fails the same work is done."""
        body = self._journal.record("account", name if is_name(name) else _NO_NAME)
        account = None if body is None else msgspec.json.decode(body, type=Account)
        right = is_right(account.password if account is not None else None, password)
        if account is None or not right:
            raise Denied(WRONG)
        if account.kind != "patron":
            self._log_ins.take(name)
        note = None if account.kind == "patron" else self.house.entry(name, "logged-in", name)

        def renewed(was: Account) -> Account:
            if was.password is None or was.password != account.password:
                raise Denied(WRONG)
            return msgspec.structs.replace(was, password=rehashed(was.password, password))

        return self.token(self._change(name, renewed, note))

    def known_browser(self, session: str) -> str:
        """A token for a browser that has logged in: it says as whom, and is no session."""
        return self._browsers.write(Token(self._tokens.read(session).name, 0, secrets.token_hex(8), None))

    def browser_of(self, token: str, name: str) -> str | None:
        """Which browser this is, if it has logged in by this name before."""
        try:
            said = self._browsers.read(token)
        except Denied:
            return None
        return said.id if said.name == name else None

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
            found = {name: read_account(body) for name, body in bodies.items()}
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
