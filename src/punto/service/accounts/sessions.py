"""Sessions: which there are, which have ended, and when each was last in use."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from punto.journal import Journal
from punto.journal.sessions import KeptSession, drop_session, find_session, keep_session, kept_sessions, see_sessions
from punto.service.accounts.account import Account
from punto.service.accounts.batched_lookup import BatchedLookup
from punto.service.accounts.house import Act, House
from punto.service.accounts.tokens import Token
from punto.service.store_calls import StoreCalls

SEEN_EVERY = 5 * 60.0
"""Seconds between two notes that a session is in use."""

ENDED = "ended"
"""The kind of record that says that a session is over before its time."""

_MOST_SEEN = 100_000

KEPT_AFTER = 7 * 24 * 60 * 60.0
"""Seconds for which it is known that a session was ended, from when it would be over by itself: a clock may be set."""


class Sessions:
    """The sessions of the house. `saw` is for a running loop; every other method waits for the store, but `is_over`."""

    def __init__(self, journal: Journal, house: House, clock: Callable[[], float], calls: StoreCalls) -> None:
        self._journal, self._house, self._clock = journal, house, clock
        ended = {name: float(until) for name, until in journal.records(ENDED).items()}
        self._ended = {name: until for name, until in ended.items() if until > clock()}
        self._seen: dict[str, float] = {}
        """When this process last noted that a session is in use."""
        self._notes = BatchedLookup(self._note_seen, calls)

    def keep(self, token: Token, place: str, way: str) -> None:
        """Keep a session that begins now."""
        assert token.until is not None
        now = int(self._clock())
        keep_session(
            self._journal,
            KeptSession(token.id, token.name, token.version, now, now, math.ceil(token.until), place, way),
        )

    def open(self, accounts: Iterable[Account]) -> list[KeptSession]:
        """The sessions of these accounts that are good, the latest first."""
        known = {each.name: each for each in accounts}
        one = next(iter(known)) if len(known) == 1 else None
        found = [each for each in kept_sessions(self._journal, one) if each.until >= self._clock()]
        good = [each for each in found if each.account in known and known[each.account].version == each.version]
        ended = self._journal.records(ENDED, [each.id for each in good])
        return [each for each in good if each.id not in ended]

    def find(self, session: str) -> KeptSession | None:
        """A session that is not over by its time."""
        found = find_session(self._journal, session)
        return found if found is not None and found.until >= self._clock() else None

    def end(self, session: str, account: str, until: float, *, by: str) -> None:
        """End a session everywhere; that it has ended is on the record."""
        note = self._house.entry(by, "logged-out", account, session=session, until=until)
        self._journal.change_record(ENDED, session, None, repr(until), note)
        self._ended[session] = until
        drop_session(self._journal, session)

    def forget(self) -> None:
        """Forget of sessions that they were ended where they would have been over for long by themselves."""
        over = self._clock() - KEPT_AFTER
        ended = self._journal.records(ENDED)
        self._journal.forget_records(ENDED, {name: until for name, until in ended.items() if float(until) < over})
        for session, until in list(self._ended.items()):
            if until < over:
                self._ended.pop(session, None)

    def is_over(self, session: str) -> bool:
        """Whether a session was ended before its time, as far as this process knows."""
        return session in self._ended

    def has_ended(self, session: str) -> bool:
        """Whether a session was ended before its time, as the store has it."""
        return self._journal.record(ENDED, session) is not None

    def take_in(self, act: Act) -> None:
        """Note a session that another process has ended."""
        if act.what == "logged-out" and act.until is not None:
            self._ended[act.session] = act.until

    def saw(self, session: str) -> None:
        """A session is in use: from time to time that is noted, and nobody waits for it."""
        now = self._clock()
        if now - self._seen.get(session, 0.0) < SEEN_EVERY:
            return
        if len(self._seen) >= _MOST_SEEN:
            self._seen.clear()
        self._seen[session] = now
        self._notes.get(session)

    def _note_seen(self, ids: Sequence[str]) -> Mapping[str, None]:
        see_sessions(self._journal, ids, int(self._clock()))
        return {}
