"""What a chain of the house comes to, kept up to date; a start reads what was kept of it, and only the rest anew."""

import threading
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

import msgspec

from punto.journal import Journal

KEEP_EVERY = 500
"""Entries after which the state is kept again."""

_KEPT = "kept-fold"
_PAGE = 2000


class Folded(Protocol):
    """A state that rests on the entries of a chain up to a number."""

    form: int
    sequence: int


S = TypeVar("S", bound=Folded)
T = TypeVar("T")


class ChainFold(Generic[S]):
    """A chain as a state: `take` changes it by one event."""

    def __init__(self, journal: Journal, chain: str, empty: Callable[[], S], take: Callable[[S, bytes], None]) -> None:
        self._journal, self.chain, self._take = journal, chain, take
        self._lock = threading.Lock()
        self._state = self._kept(empty)
        self._kept_at = self._state.sequence

    def _kept(self, empty: Callable[[], S]) -> S:
        """What was kept of the chain, if it is of this release's form and no further than the chain."""
        state = empty()
        body = self._journal.record(_KEPT, self.chain)
        head = self._journal.head(self.chain)
        if body is None or head is None:
            return state
        try:
            found = msgspec.json.decode(body, type=type(state))
        except msgspec.DecodeError:
            return state
        return found if found.form == state.form and found.sequence <= head.sequence else state

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
                self._journal.put_record(_KEPT, self.chain, msgspec.json.encode(state).decode())
            return read(state)
