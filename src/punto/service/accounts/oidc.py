"""A provider of OpenID Connect: where it is, where people are sent, and whom it says that they are."""

import time
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256
from typing import TypeVar
from urllib.parse import quote, urlencode, urlsplit

import msgspec

from punto.messages import say
from punto.service.accounts.id_tokens import BadIdToken, Expected, ProviderKey, key_of, read_id_token
from punto.service.errors import ProviderAway
from punto.service.outgoing import Outgoing, Unanswered
from punto.service.settings import Settings

_T = TypeVar("_T")
_SECONDS = 5.0
_LONGEST = 256 * 1024
_OK = 200
_KEYS_AGAIN = 60.0
"""Seconds until the keys of a provider are fetched again for a key that is not among them."""


class Discovery(msgspec.Struct, frozen=True):
    """What a provider says of itself."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str


class _KeySet(msgspec.Struct):
    keys: list[dict[str, object]]


class _Tokens(msgspec.Struct):
    id_token: str


class OidcProvider:
    """A provider, spoken to by HTTP. Every method but `issuer` waits for it: call it from a thread."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.time) -> None:
        assert settings.oidc_issuer is not None
        assert settings.oidc_client_id is not None
        self.issuer, self._client = settings.oidc_issuer, settings.oidc_client_id
        self._secret, self._claim, self._clock = settings.oidc_client_secret, settings.oidc_claim, clock
        self._outgoing = Outgoing(_SECONDS, _LONGEST)
        self._found: Discovery | None = None
        self._keys: list[ProviderKey] = []
        self._keys_at = 0.0

    def address(self, state: str, nonce: str, verifier: str, back: str) -> str:
        """Where somebody is sent to say who they are."""
        asked = {
            "response_type": "code",
            "client_id": self._client,
            "redirect_uri": back,
            "scope": "openid" if self._claim == "sub" else "openid profile email",
            "state": state,
            "nonce": nonce,
            "code_challenge": urlsafe_b64encode(sha256(verifier.encode()).digest()).decode().rstrip("="),
            "code_challenge_method": "S256",
        }
        start = self._discovery().authorization_endpoint
        return f"{start}{'&' if urlsplit(start).query else '?'}{urlencode(asked)}"

    def subject(self, code: str, nonce: str, verifier: str, back: str) -> str:
        """Whom the provider names for a code: the claim by which accounts are linked."""
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": back, "code_verifier": verifier}
        headers = {}
        if self._secret is None:
            form["client_id"] = self._client
        else:
            pair = f"{quote(self._client, safe='')}:{quote(self._secret, safe='')}"
            headers["Authorization"] = f"Basic {b64encode(pair.encode()).decode()}"
        token = self._ask(self._discovery().token_endpoint, _Tokens, urlencode(form).encode(), headers).id_token
        expected = Expected(self.issuer, self._client, nonce)
        claims = read_id_token(token, self._key(token), expected, self._clock())
        found = claims.get(self._claim)
        if not isinstance(found, str) or not found:
            raise BadIdToken(
                say("provider-lacks-claim", "The provider does not say the {claim} of this person.", claim=self._claim)
            )
        if self._claim == "email" and claims.get("email_verified") is not True:
            raise BadIdToken(say("address-not-verified", "The provider has not verified this person's address."))
        return found

    def check_reachable(self) -> None:
        """Ask the provider what it says of itself; `ProviderAway` if that is of no use."""
        self._discovery()

    def _key(self, token: str) -> ProviderKey:
        """The key that a token names; the keys are fetched again if it is not among them, but not too often."""
        found = key_of(token, self._keys)
        if found is None and self._clock() - self._keys_at > _KEYS_AGAIN:
            listed = self._ask(self._discovery().jwks_uri, _KeySet).keys
            self._keys, self._keys_at = [key for each in listed if (key := _key_in(each)) is not None], self._clock()
            found = key_of(token, self._keys)
        if found is None:
            raise BadIdToken(say("id-token-unknown-key", "The ID token is not signed by a key of the provider."))
        return found

    def _discovery(self) -> Discovery:
        if self._found is None:
            found = self._ask(f"{self.issuer.rstrip('/')}/.well-known/openid-configuration", Discovery)
            if found.issuer != self.issuer:
                raise ProviderAway(
                    say("provider-other-name", "The provider calls itself by another name than oidc_issuer.")
                )
            if self.issuer.startswith("https:") and not all(
                each.startswith("https:")
                for each in (found.authorization_endpoint, found.token_endpoint, found.jwks_uri)
            ):
                raise ProviderAway(say("provider-without-tls", "The provider names addresses without TLS."))
            self._found = found
        return self._found

    def _ask(
        self, address: str, kind: type[_T], data: bytes | None = None, headers: dict[str, str] | None = None
    ) -> _T:
        try:
            status, said = self._outgoing.ask(address, data, {"Accept": "application/json", **(headers or {})})
        except Unanswered as error:
            raise ProviderAway(say("provider-silent", "The provider does not answer: {why}.", why=str(error))) from None
        if status in (400, 401):
            raise BadIdToken(say("provider-refuses-sign-in", "The provider does not take this sign-in: begin again."))
        if status != _OK:
            raise ProviderAway(say("provider-answers", "The provider answers {code}.", code=status))
        try:
            return msgspec.json.decode(said, type=kind)
        except (ValueError, UnicodeDecodeError, RecursionError):
            raise ProviderAway(say("provider-unreadable", "The provider's answer cannot be read.")) from None


def _key_in(listed: dict[str, object]) -> ProviderKey | None:
    """A key of a provider's list; None if it is of a form that is not known."""
    try:
        return msgspec.convert(listed, ProviderKey)
    except msgspec.ValidationError:
        return None
