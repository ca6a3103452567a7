"""The registry of accounts: logging in, and checking tokens."""

import secrets
import time
from collections.abc import Callable, Collection
from hashlib import sha256

import msgspec

from punto.journal import Append, Journal, RecordChange
from punto.journal.sessions import KeptSession
from punto.messages import say
from punto.service.accounts.account import (
    ACCOUNT,
    Account,
    BadAccount,
    SignedIn,
    by_session,
    is_guest,
    is_name,
    read_account,
)
from punto.service.accounts.directory import BUSY, STALE_AFTER, Directory
from punto.service.accounts.house import NEW_TOKEN_KEY, Act
from punto.service.accounts.passwords import is_right, rehashed
from punto.service.accounts.second_factor import WITHOUT_CODE, SecondFactors
from punto.service.accounts.sessions import Sessions
from punto.service.accounts.tokens import KEPT_AS, Denied, Signer, Token
from punto.service.errors import Unknown
from punto.service.hourly import HourlyLimit
from punto.service.money.standing import Key
from punto.service.store_calls import StoreCalls

SESSION = 12 * 60 * 60
LINK = 24 * 60 * 60

WRONG = say("log-in-wrong", "Name or password is wrong.")
"""The one answer to a failed log-in, so that nobody learns which names there are."""

_NO_NAME = "?"
"""What is looked up for something that can be no name, so that it takes as long."""

_LOG_INS_AN_HOUR = 120
"""Log-ins of one account, each of which is kept: as a session, and for the staff in the chain of the house."""


class Accounts(Directory):
    """The accounts of the house, how people log in to them, and their tokens.

    `second_factor` are the ranks that need one. Every method but `bearer` and `fresh` waits for the store: call it from
    a thread where a loop is running.
    """

    def __init__(
        self,
        journal: Journal,
        clock: Callable[[], float] = time.time,
        calls: StoreCalls | None = None,
        second_factor: Collection[str] = (),
    ) -> None:
        super().__init__(journal, clock, calls)
        self.factors = SecondFactors(journal, second_factor, clock)
        self.sessions = Sessions(journal, self.house, clock, self._calls)
        self._log_ins = HourlyLimit(journal, "log-ins", _LOG_INS_AN_HOUR, clock)
        self._read_token_key()

    def _read_token_key(self) -> None:
        key = self._own_key()
        self._tokens, self._browsers = Signer(key), Signer(sha256(b"known browser" + key).digest())

    def _own_key(self) -> bytes:
        return self._journal.secret(*KEPT_AS) or self._journal.secret_or(*KEPT_AS, secrets.token_bytes(32))

    def _take_in(self, act: Act) -> None:
        super()._take_in(act)
        self.sessions.take_in(act)
        if act.what == NEW_TOKEN_KEY:
            self._read_token_key()

    # Logging in

    def log_in(self, name: str, password: str, code: str = "", *, place: str = "") -> str:
        """A session for a name and its password, and the code of the second factor where the account has one.

        For every name that fails the same work is done.
        """
        body = self._journal.record("account", name if is_name(name) else _NO_NAME)
        account = None if body is None else read_account(body)
        right = is_right(account.password if account is not None else None, password)
        if account is None or account.closed or not right:
            raise Denied(WRONG)
        strong = self.factors.check(account, code)
        self._log_ins.take(name)
        note = None if account.kind == "patron" else self.house.entry(name, "logged-in", name)

        def renewed(was: Account) -> Account:
            if was.closed or was.password is None or (was.password, was.version) != (account.password, account.version):
                raise Denied(WRONG)
            return msgspec.structs.replace(was, password=rehashed(was.password, password))

        way, weak = "code" if strong else "password", account.kind == "staff" and not strong
        return self.enter(self._change(name, renewed, note), place, way, weak=weak)

    def enter(self, account: Account, place: str, way: str, *, weak: bool = False) -> str:
        """A new session, which is listed: where it was begun, and by which way of logging in."""
        until = self._clock() + SESSION
        token = Token(account.name, account.version, secrets.token_hex(8), until, weak=weak)
        self.sessions.keep(token, place, way)
        return self._tokens.write(token)

    def set_second_factor(self, name: str, *, by: str = "service") -> tuple[str, list[str]]:
        """Give an account a new second factor: its address for a telephone, and recovery codes. Every session ends."""
        account = self.existing(name)
        if account.kind != "staff":
            raise BadAccount(say("second-factor-for-staff", "A second factor is for the staff."))
        change, address, codes = self.factors.prepare(account)
        self._put_factor(account, change, self.house.entry(by, "second-factor-set", name))
        return address, codes

    def remove_second_factor(self, name: str, *, by: str = "service") -> None:
        """Take the second factor of an account away. Every session ends."""
        account = self.existing(name)
        change = self.factors.removal(account)
        if change is None:
            raise BadAccount(say("has-no-second-factor", "{name} has no second factor.", name=name))
        self._put_factor(account, change, self.house.entry(by, "second-factor-removed", name))
        self.factors.forget(account)

    def _put_factor(self, account: Account, change: RecordChange, note: Append) -> None:
        """Change a second factor; every token given out before is worthless."""
        body = self._body(account.name)
        before = read_account(body)
        after = msgspec.structs.replace(before, version=before.version + 1)
        own = RecordChange(ACCOUNT, account.name, body, msgspec.json.encode(after).decode())
        if not self._put_all(account.name, [own, change], note):
            raise BadAccount(BUSY)

    def remove(self, name: str, *, hold: bool = False, by: str = "service", key: Key | None = None) -> None:
        """Remove an account as the directory does, and its second factor."""
        account = self.existing(name)
        super().remove(name, hold=hold, by=by, key=key)
        self.factors.forget(account)

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

    def owner_of_session(self, token: str) -> str | None:
        """Whose a session is, as far as this process knows without asking the store; None for guests."""
        try:
            said = self._tokens.read(token)
            self._session(said, self._cache.get(said.name, Account(said.name, "patron", version=said.version)))
        except Denied:
            return None
        return None if is_guest(said.name) else said.name

    def owner_of_browser(self, token: str) -> str | None:
        """Who has logged in by a browser before."""
        try:
            return self._browsers.read(token).name
        except Denied:
            return None

    def token(self, account: Account, *, seconds: float | None = SESSION, once: bool = False) -> str:
        """A signed token: a session; one that is good until revoked; or one that works a single time."""
        until = None if seconds is None else self._clock() + seconds
        return self._tokens.write(Token(account.name, account.version, secrets.token_hex(8), until, once))

    def link(self, name: str, *, seconds: float = LINK, by: str = "service") -> str:
        """A token that logs in a single time, for a link."""
        account = self.existing(name)
        if account.kind == "device":
            raise BadAccount(say("device-logs-not-in", "A device does not log in: it has a token."))
        until = self._clock() + seconds
        self._journal.note(self.house.entry(by, "link-given", name, until=until))
        return self.token(account, seconds=seconds, once=True)

    def device_token(self, name: str, *, by: str = "service") -> str:
        """A token for a device, good until it is revoked."""
        account = self.existing(name)
        if account.kind != "device":
            raise BadAccount(say("not-a-device", "{name} is no device: people log in.", name=name))
        self._journal.note(self.house.entry(by, "token-given", name))
        return self.token(account, seconds=None)

    def spend(self, token: str, *, place: str = "") -> str:
        """A session for a one-time link, which works no second time."""
        said = self._tokens.read(token)
        account = self._checked(said, self.get(said.name, fresh=True))
        if not said.once:
            raise Denied(say("not-a-link", "This is not a one-time link."))
        note = self.house.entry(said.name, "link-used", said.name)
        if not self._journal.change_record("spent", said.id, None, account.name, note):
            raise Denied(say("link-used", "This link has been used."))
        return self.enter(account, place, "link")

    def is_spent(self, once: str) -> bool:
        """Whether something that works once has been used."""
        return self._journal.record("spent", once) is not None

    def sign_in(self, account: Account, state: str, *, place: str = "") -> str:
        """A session for an account whom a provider has named; the state of the sign-in works no second time."""
        self._log_ins.take(account.name)
        note = self.house.entry(account.name, "logged-in", account.name)
        if not self._journal.change_record("spent", state, None, account.name, note):
            raise Denied(say("sign-in-used", "This sign-in has been used."))
        return self.enter(account, place, "oidc")

    def log_out(self, token: str) -> None:
        """End a session: its token is worthless everywhere. One that has ended does not bother the store again."""
        said = self._tokens.read(token)
        is_good = said.until is not None and said.until >= self._clock() and not self.sessions.is_over(said.id)
        if is_good and not said.once and said.until is not None:
            self.sessions.end(said.id, said.name, said.until, by=said.name)

    def own_sessions(self, token: str) -> tuple[str, list[KeptSession]]:
        """Which session this token is, and all sessions of its account that are good."""
        said = self._tokens.read(token)
        account = self._session(said, self.get(said.name, fresh=True))
        return said.id, self.sessions.open([account])

    def end_session(self, session: str, *, name: str | None = None, by: str) -> KeptSession:
        """End a session, of the account with this name if one is given; its token is worthless everywhere."""
        found = self.sessions.find(session)
        if found is None or (name is not None and found.account != name):
            raise Unknown(say("no-such-session", "There is no such session."))
        self.sessions.end(found.id, found.account, float(found.until), by=by)
        return found

    def holder(self, token: str) -> Account:
        """The account that a session or a device's token is for."""
        said = self._tokens.read(token)
        return self._session(said, self.get(said.name))

    async def bearer(self, token: str) -> SignedIn:
        """The same from a running loop: all callers share one look-up in the store, made only if the cache is stale."""
        said = self._tokens.read(token)
        age = time.monotonic() - self._updated
        if age > STALE_AFTER / 2:
            update = self._lookup.get("")
            if age > STALE_AFTER:
                await update
        account = self._cache.get(said.name) or await self._lookup.get(said.name)
        good = self._session(said, account)
        self.sessions.saw(said.id)
        return by_session(good, said.id)

    async def has_ended(self, session: str) -> bool:
        """Whether a session was ended before its time, in whichever process; from a running loop."""
        return await self._calls(self.sessions.has_ended, session)

    def _session(self, said: Token, account: Account | None) -> Account:
        if said.once:
            raise Denied(say("link-is-no-session", "A one-time link is not a session."))
        return self._checked(said, account)

    def _checked(self, said: Token, account: Account | None) -> Account:
        over = (said.until is not None and said.until < self._clock()) or self.sessions.is_over(said.id)
        if account is None or account.closed or account.version != said.version or over:
            raise Denied(say("token-not-good", "The token is not good any more."))
        if said.until is None and account.kind != "device":
            raise Denied(say("token-not-good", "The token is not good any more."))
        if said.weak and self.factors.needs(account):
            raise Denied(WITHOUT_CODE)
        return account
