"""Sign-in by OpenID Connect: which account an identity is linked to, and how a sign-in goes there and back.

A sign-in under way is a signed cookie of the browser that began it; the nonce and the verifier follow from its state by
a key of the house, so that nobody else knows them. A state is used once.
"""

import hmac
import secrets
import time
from collections.abc import Callable
from hashlib import sha256

import msgspec

from punto.journal import Journal
from punto.messages import say
from punto.service.accounts.account import Account, BadAccount
from punto.service.accounts.oidc import OidcProvider
from punto.service.accounts.registry import Accounts
from punto.service.accounts.tokens import Denied, Signer, Token

IDENTITY = "identity"
"""The kind of record that links an identity at a provider to a person."""

PENDING = 10 * 60
"""Seconds that somebody has to sign in at the provider."""

NOBODY = say(
    "sign-in-of-nobody", "No account of the staff is linked to this sign-in: ask the house (punto users oidc)."
)
_ANEW = say("sign-in-anew", "This sign-in is over or was begun elsewhere: begin again.")
_LONGEST = 255
"""Characters of a subject, by the standard."""


class LinkedIdentity(msgspec.Struct, frozen=True):
    """An identity at a provider, and whose it is."""

    issuer: str
    subject: str
    account: str
    person: str


class Identities:
    """Which account an identity is linked to. Links are made by the house alone."""

    def __init__(self, journal: Journal, accounts: Accounts) -> None:
        self._journal, self._accounts = journal, accounts

    def link(self, name: str, issuer: str, subject: str, *, by: str) -> None:
        """Link an identity to an account of the staff; refused if it is somebody else's."""
        if not subject or len(subject) > _LONGEST or not subject.isprintable():
            raise BadAccount(say("subject-form", "A subject is 1 to {most} printable characters.", most=_LONGEST))
        account = self._accounts.existing(name)
        if account.kind != "staff":
            raise BadAccount(say("provider-for-staff", "Sign-in by a provider is for the staff."))
        key = _key_of(issuer, subject)
        before = self._journal.record(IDENTITY, key)
        owner = None if before is None else self._owner(_read(before))
        if owner is not None and owner.person != account.person:
            raise BadAccount(say("identity-linked", "This identity is linked to {account}.", account=owner.name))
        after = msgspec.json.encode(LinkedIdentity(issuer, subject, name, account.person)).decode()
        note = self._accounts.house.entry(by, "identity-linked", name)
        if not self._journal.change_record(IDENTITY, key, before, after, note):
            raise BadAccount(say("identity-busy", "Others are changing this identity: try again."))

    def unlink(self, name: str, issuer: str, subject: str, *, by: str) -> None:
        """Take the link of an identity to an account away, and end the account's sessions."""
        key = _key_of(issuer, subject)
        before = self._journal.record(IDENTITY, key)
        if before is None or _read(before).account != name:
            raise BadAccount(say("identity-not-linked", "This identity is not linked to {name}.", name=name))
        note = self._accounts.house.entry(by, "identity-unlinked", name)
        if not self._journal.change_record(IDENTITY, key, before, None, note):
            raise BadAccount(say("identity-busy", "Others are changing this identity: try again."))
        if self._owner(_read(before)) is not None:
            self._accounts.revoke(name, by=by)

    def find(self, issuer: str, subject: str) -> Account | None:
        """The account that an identity is linked to."""
        body = self._journal.record(IDENTITY, _key_of(issuer, subject))
        return None if body is None else self._owner(_read(body))

    def _owner(self, linked: LinkedIdentity) -> Account | None:
        """The account of a link, if it is still the same person's."""
        found = self._accounts.get(linked.account, fresh=True)
        return found if found is not None and found.person == linked.person and found.kind == "staff" else None


class SignIn:
    """Sign-ins by one provider."""

    def __init__(
        self, journal: Journal, accounts: Accounts, provider: OidcProvider, clock: Callable[[], float] = time.time
    ) -> None:
        self._accounts, self._provider, self._clock = accounts, provider, clock
        self._identities = Identities(journal, accounts)
        self._key = journal.secret_or("", "oidc", secrets.token_bytes(32))
        self._pending = Signer(self._derived("cookie", "").encode())

    def start(self, back: str) -> tuple[str, str]:
        """Where to send a browser, and the cookie by which it is known when it comes back to this address."""
        state = secrets.token_hex(16)
        cookie = self._pending.write(Token(back, 0, state, self._clock() + PENDING, once=True))
        return self._provider.address(
            state, self._derived("nonce", state), self._derived("verifier", state), back
        ), cookie

    def finish(self, cookie: str, state: str, code: str, issuer: str | None, *, place: str) -> str:
        """A session for somebody who comes back from the provider with a code."""
        try:
            pending = self._pending.read(cookie)
        except Denied:
            raise Denied(_ANEW) from None
        in_time = pending.until is not None and pending.until >= self._clock()
        if not in_time or not hmac.compare_digest(pending.id.encode(), state.encode()):
            raise Denied(_ANEW)
        if issuer is not None and issuer != self._provider.issuer:
            raise Denied(say("answer-of-another-provider", "This answer is from another provider."))
        if self._accounts.is_spent(state):
            raise Denied(_ANEW)
        nonce, verifier = self._derived("nonce", state), self._derived("verifier", state)
        subject = self._provider.subject(code, nonce, verifier, pending.name)
        account = self._identities.find(self._provider.issuer, subject)
        if account is None:
            raise Denied(NOBODY)
        return self._accounts.sign_in(account, state, place=place)

    def _derived(self, what: str, state: str) -> str:
        return hmac.new(self._key, f"{what} {state}".encode(), sha256).hexdigest()


def _key_of(issuer: str, subject: str) -> str:
    return sha256(msgspec.json.encode([issuer, subject])).hexdigest()


def _read(body: str) -> LinkedIdentity:
    return msgspec.json.decode(body, type=LinkedIdentity)
