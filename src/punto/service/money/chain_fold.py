"""What a chain of the house comes to, kept up to date; a start reads what was kept of it, and only the rest anew.

What is kept is sealed with a key that is wrapped like every secret of the store: whoever can write to the database puts
nothing else in its place.
"""

import hmac
import secrets
import threading
from collections.abc import Callable
from hashlib import sha256
from typing import Generic, Protocol, TypeVar

import msgspec

from punto.journal import Journal, Locked

KEEP_EVERY = 500
"""Entries after which the state is kept again."""

KEPT = "kept-fold"
"""The kind of record that keeps a state."""

_SEAL = ("", "kept-folds")
"""Where the store keeps the key of the seals."""

_PAGE = 2000


class Folded(Protocol):
    """A state that rests on the entries of a chain up to a number."""

    form: int
    sequence: int


class KeptFold(msgspec.Struct, frozen=True):
    """A state as it is kept: the entry of the chain that it rests on, and the seal over all of it."""

    sequence: int
    hash: str
    state: msgspec.Raw
    seal: str = ""

    def sealed(self, key: bytes, chain: str) -> str:
        """The seal of this state of a chain."""
        said = msgspec.json.encode((chain, self.sequence, self.hash, self.state))
        return hmac.new(key, said, sha256).hexdigest()


S = TypeVar("S", bound=Folded)
T = TypeVar("T")


class ChainFold(Generic[S]):
    """A chain as a state: `take` changes it by one event."""

    def __init__(self, journal: Journal, chain: str, empty: Callable[[], S], take: Callable[[S, bytes], None]) -> None:
        self._journal, self.chain, self._take = journal, chain, take
        self._lock = threading.Lock()
        self._state = self._kept(empty) or empty()
        self._kept_at = self._state.sequence

    def _kept(self, empty: Callable[[], S]) -> S | None:
        """What was kept of the chain, if the house has sealed it, and the chain still has the entry it rests on."""
        body = self._journal.record(KEPT, self.chain)
        key = None if body is None else self._journal.secret_at_hand(*_SEAL)
        if body is None or key is None:
            return None
        try:
            kept = msgspec.json.decode(body, type=KeptFold)
            if not hmac.compare_digest(kept.seal.encode(), kept.sealed(key, self.chain).encode()):
                return None
            state = empty()
            found = msgspec.json.decode(kept.state, type=type(state))
        except msgspec.DecodeError:
            return None
        is_whole = (found.form, found.sequence) == (state.form, kept.sequence)
        return found if is_whole and self._hash_at(kept.sequence) == kept.hash else None

    def _hash_at(self, sequence: int) -> str | None:
        """The hash of the entry that ends with this event."""
        found = self._journal.entries(self.chain, sequence - 1, 1)
        return found[0].hash if found and found[0].sequence == sequence else None

    def _key(self) -> bytes | None:
        """The key of the seals, made when it is first needed; None where the secrets of the store stay closed."""
        try:
            return self._journal.secret(*_SEAL) or self._journal.secret_or(*_SEAL, secrets.token_bytes(32))
        except Locked:
            return None

    def ask(self, read: Callable[[S], T]) -> T:
        """What `read` finds in the state, with everything that the chain holds now. Waits for the store.

        Nothing changes the state meanwhile: so what is found belongs to its `sequence`.
        """
        with self._lock:
            state = self._state
            while found := self._journal.read(self.chain, state.sequence, _PAGE):
                for each in found:
                    self._take(state, each.body)
                    state.sequence = each.sequence
            if state.sequence >= self._kept_at + KEEP_EVERY:
                self._kept_at = state.sequence
                self._keep(state)
            return read(state)

    def _keep(self, state: S) -> None:
        """Keep the state for whoever starts next."""
        at, key = self._hash_at(state.sequence), self._key()
        if at is None or key is None:
            return
        kept = KeptFold(state.sequence, at, msgspec.Raw(msgspec.json.encode(state)))
        kept = msgspec.structs.replace(kept, seal=kept.sealed(key, self.chain))
        self._journal.put_record(KEPT, self.chain, msgspec.json.encode(kept).decode())
