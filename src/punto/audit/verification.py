"""A whole journal gone through with no service running: every hash, signature, decision, amount and revealed face."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Literal

import msgspec

from punto.audit.amounts import AmountsAtTheCall
from punto.audit.books import kept_books
from punto.audit.commitments import Promise, ShoeFollower, promises, seal_key_name, seal_keys, seed_name
from punto.audit.decisions import decide_again, follow
from punto.audit.entries import chain, chosen
from punto.audit.states import SnapshotCheck
from punto.audit.trust import is_announcement_true, trusted_keys
from punto.coup import Card
from punto.journal import OF_THE_HOUSE, Checkpoint, Entry, Journal, first_broken, signed
from punto.journal.witness import Cosigned, by_table
from punto.rulebook import SHIPPED, Library
from punto.sealing import BadSeal, StillSealed, unseal
from punto.shoe import BadShoe
from punto.table import ENGINE, Table, commands, decode_event
from punto.table import events as e

_OF_SHOES = tuple(b'{"event":"%s"' % tag for tag in (b"table-opened", b"book-changed", b"shoe-loaded", b"shoe-ended"))

NotDecided = Literal["no-command", "other-engine", "sealed"]
"""Why a command is not decided again: it is not kept, another engine decided it otherwise than this one would, or its
shoe's key is not out."""


class Wrong(msgspec.Struct, frozen=True):
    """The first event of a table that is wrong, and why."""

    table: str
    sequence: int
    why: str

    def __str__(self) -> str:
        return f"{self.table}: event {self.sequence} is wrong: {self.why.rstrip('.')}."


class Verified(msgspec.Struct, frozen=True):
    """What was gone through at a table, up to the first event that is wrong if one is.

    `decided` counts the commands that were decided again, `not_decided` those that were not, by reason. `faces` were
    held against the seed of a virtual shoe. `signed` is the last event that a checkpoint covers, `keys` are those that
    signed. `snapshots` were compared with what the events lead to, `other_snapshots` are of another format.
    """

    table: str
    entries: int
    events: int
    decided: int
    not_decided: dict[NotDecided, int]
    rounds: int
    faces: int
    checkpoints: int
    signed: int
    keys: tuple[str, ...]
    snapshots: int
    other_snapshots: int
    wrong: Wrong | None
    witnessed: int = 0
    """The last event that an outside witness has signed."""


def verify(
    journal: Journal,
    table: str | None = None,
    trusted: str | None = None,
    library: Library = SHIPPED,
    witnessed: Sequence[Cosigned] = (),
) -> list[Verified]:
    """Go through every chain of a journal, its tables and the house, or through one of them.

    `trusted` is the key that must have signed the checkpoints; `library` has the books that the journal does not keep.
    `witnessed` is what an outside witness has signed: a chain that it knows must be there, as far as it knows it.
    """
    known, trust, seen = kept_books(journal, library), trusted_keys(journal, trusted), by_table(witnessed)
    gone = [name for name in seen if table in (None, name) and journal.head(name) is None]
    names = [name for name in (() if table in gone else chosen(journal, table)) if name not in gone]
    found = [_verified(journal, name, trust, known, seen.get(name, ())) for name in names]
    return found + [_removed(name, seen[name]) for name in gone]


def _removed(name: str, seen: Sequence[Cosigned]) -> Verified:
    last = max(each.sequence for each in seen)
    wrong = Wrong(name, 1, f"the whole chain is missing: a witness has seen it up to event {last}")
    return Verified(name, 0, 0, 0, {}, 0, 0, 0, 0, (), 0, 0, wrong)


def verify_table(journal: Journal, name: str, trusted: str | None = None, library: Library = SHIPPED) -> Verified:
    """Go through one chain: first its hashes and what was signed, then everything that it says."""
    return _verified(journal, name, trusted_keys(journal, trusted), library)


def _verified(
    journal: Journal,
    name: str,
    trusted: Sequence[str] | None,
    library: Library,
    seen: Sequence[Cosigned] = (),
) -> Verified:
    points = journal.checkpoints(name)
    hashes = _ChainCheck(points, seen)
    broken = hashes.first_wrong(journal, name, trusted)
    states = SnapshotCheck(journal, name, trusted, library)
    of_house = name in OF_THE_HOUSE
    check = _HouseCheck(name) if of_house else _TableCheck(journal, name, hashes.of_shoes, library, states)
    wrong = check.first_wrong(_up_to(chain(journal, name), broken)) or broken or _missing(name, check.events, states)
    good = [each for each in points if wrong is None or each.sequence < wrong.sequence]
    return Verified(
        name,
        check.entries,
        check.events,
        check.decided,
        dict(check.not_decided),
        check.rounds,
        check.faces,
        len(good),
        good[-1].sequence if good else 0,
        tuple(sorted({each.key for each in good})),
        states.compared,
        states.others,
        wrong,
        max((each.sequence for each in seen if wrong is None or each.sequence < wrong.sequence), default=0),
    )


def _missing(name: str, events: int, states: SnapshotCheck) -> Wrong | None:
    """A snapshot that was made on an event which no entry ends with."""
    number = states.missing()
    if number is None:
        return None
    return Wrong(name, min(number, events + 1), f"a snapshot was made on event {number}, and no entry ends with it")


def _up_to(entries: Iterable[Entry], broken: Wrong | None) -> Iterator[Entry]:
    """The entries before the first that is not what was hashed or signed."""
    for entry in entries:
        if broken is not None and entry.sequence >= broken.sequence:
            return
        yield entry


class _ChainCheck:
    """The hashes of a chain and what was signed of it; on the way, its events about shoes are kept."""

    def __init__(self, points: Sequence[Checkpoint], seen: Sequence[Cosigned] = ()) -> None:
        self.points, self._seen = points, seen
        self.of_shoes: list[e.Event] = []
        self._signed = dict.fromkeys([*(each.sequence for each in points), *(each.sequence for each in seen)], "")
        self._last, self._hash = 0, ""

    def first_wrong(self, journal: Journal, name: str, trusted: Sequence[str] | None) -> Wrong | None:
        """The first entry that is missing, altered, out of order, or not what was signed."""
        before = journal.head(name)
        entries = self._watched(chain(journal, name))
        broken = first_broken(entries)
        for _ in entries:
            pass  # a seed may be revealed further on, and it proves itself
        after = journal.head(name)
        found = [] if broken is None else [Wrong(name, broken.sequence, broken.why)]
        if before is None or after is None:
            found.append(Wrong(name, 1, "the store does not list its table"))
        elif self._last < before.sequence:
            found.append(Wrong(name, self._last + 1, f"it is missing: the chain had {before.sequence} events"))
        elif self._last > after.sequence:
            found.append(Wrong(name, after.sequence + 1, "it lies beyond the end of the chain"))
        elif self._last == after.sequence and self._hash != after.hash:
            found.append(Wrong(name, self._last, "its entry is not the one that the chain ended with"))
        found += (wrong for point in self.points if (wrong := self._unsigned(point, trusted)) is not None)
        found += () if trusted is None else _keys_out_of_order(self.points, trusted)
        found += (wrong for each in self._seen if (wrong := self._not_as_witnessed(each)) is not None)
        return min(found, key=lambda each: each.sequence, default=None)

    def _watched(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        for entry in entries:
            self._last, self._hash = entry.sequence, entry.hash
            if entry.sequence in self._signed:
                self._signed[entry.sequence] = entry.hash
            for body in entry.events:
                if body.startswith(_OF_SHOES):
                    with suppress(msgspec.DecodeError):  # named when its turn comes
                        self.of_shoes.append(decode_event(body))
            yield entry

    def _not_as_witnessed(self, seen: Cosigned) -> Wrong | None:
        table, sequence = seen.table, seen.sequence
        if not seen.is_true():
            return Wrong(table, sequence, "what the witness is said to have signed of it is false")
        if not self._signed[sequence]:
            return Wrong(table, min(self._last + 1, sequence), f"it is missing: a witness has seen event {sequence}")
        if self._signed[sequence] != seen.hash:
            return Wrong(table, sequence, "its entry is not the one that the witness has seen")
        return None

    def _unsigned(self, point: Checkpoint, trusted: Sequence[str] | None) -> Wrong | None:
        table, sequence = point.table, point.sequence
        if not signed(point):
            return Wrong(table, sequence, "the signature of the checkpoint on it is false")
        if trusted is not None and point.key not in trusted:
            return Wrong(
                table, sequence, f"the checkpoint on it was signed by the key {point.key}, which is not trusted"
            )
        if not self._signed[sequence]:
            return Wrong(
                table, min(self._last + 1, sequence), f"it is missing: a checkpoint was signed on event {sequence}"
            )
        if self._signed[sequence] != point.hash:
            return Wrong(table, sequence, "its entry is not the one that was signed in a checkpoint")
        return None


def _keys_out_of_order(points: Sequence[Checkpoint], trusted: Sequence[str]) -> list[Wrong]:
    """Checkpoints by a key that had been replaced: the later one had signed this chain before."""
    found, reached = [], 0
    for point in points:
        at = trusted.index(point.key) if point.key in trusted else reached
        if at < reached:
            why = f"the checkpoint on it was signed by the key {point.key}, which had been replaced"
            found.append(Wrong(point.table, point.sequence, why))
        reached = max(reached, at)
    return found


class _Counts:
    """What a check of a chain has found right so far."""

    def __init__(self) -> None:
        self.entries = self.events = self.decided = self.rounds = self.faces = 0
        self.not_decided: Counter[NotDecided] = Counter()


class _HouseCheck(_Counts):
    """What the chain of the house says: acts on accounts, each by whom and when."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def first_wrong(self, entries: Iterable[Entry]) -> Wrong | None:
        """The first event that says something wrong."""
        for entry in entries:
            for sequence, body in enumerate(entry.events, start=entry.first):
                try:
                    act = msgspec.json.decode(body, type=dict[str, object])
                except msgspec.DecodeError as error:
                    return Wrong(self._name, sequence, f"it is no act: {error}")
                if (act.get("who"), act.get("at")) != (entry.who, entry.at):
                    return Wrong(self._name, sequence, "it names another time or person than its entry")
                if not is_announcement_true(act):
                    return Wrong(self._name, sequence, "the new signing key was not announced by the one before it")
                self.events += 1
            self.entries += 1
        return None


class _TableCheck(_Counts):
    """What the entries of a table say: decided and added up again, faces held against the shoe."""

    def __init__(
        self, journal: Journal, name: str, of_shoes: Sequence[e.Event], library: Library, states: SnapshotCheck
    ) -> None:
        super().__init__()
        self._states = states
        self._journal, self._name, self._library = journal, name, library
        self._shoes = promises(name, of_shoes)
        self._seal_keys = seal_keys(of_shoes)
        self._table: Table | None = None
        self._before: Entry | None = None
        self._follower = ShoeFollower()
        self._amounts = AmountsAtTheCall()
        self._cards: tuple[Card, ...] = ()
        self._keys: set[str] = set()
        self._sealed: set[int] = set()
        """Shoes that something was sealed in."""

    def first_wrong(self, entries: Iterable[Entry]) -> Wrong | None:
        """The first event that says something wrong."""
        for entry in entries:
            wrong = self._key_wrong(entry) or self._entry_wrong(entry)
            if wrong is not None:
                return wrong
            self._before = entry
        return None

    def _key_wrong(self, entry: Entry) -> Wrong | None:
        """A command has one entry; of form 1 it has several in a row, of the same time and person."""
        before = self._before
        if entry.form == 1 and before is not None and before.key == entry.key:
            if (entry.who, entry.at) != (before.who, before.at):
                return Wrong(self._name, entry.first, "it is of another time or person than the rest of its command")
            return None
        if entry.key in self._keys:
            return Wrong(self._name, entry.first, "its command had been carried out before")
        self._keys.add(entry.key)
        return None

    def _entry_wrong(self, entry: Entry) -> Wrong | None:
        events: list[e.Event] = []
        for sequence, body in enumerate(entry.events, start=entry.first):
            try:
                events.append(decode_event(body))
            except msgspec.DecodeError as error:
                return Wrong(self._name, sequence, f"it is no event: {error}")
        try:
            command = self._command(entry)
        except BadSeal as error:
            return Wrong(self._name, entry.first, f"its command cannot be decided again: {error}")
        again = command is not None
        if command is not None and entry.engine != ENGINE:
            again = decide_again(self._table, events, command, self._library, entry.engine or 1) is None
            if not again:
                self.not_decided["other-engine"] += 1
            command = None  # where two releases differ neither is wrong, nor is it by rules that came later
        self._table, fault = follow(self._table, events, command, self._library, (self._amounts.take,))
        for at, event in enumerate(events):
            if fault is not None and fault.at == at:
                return Wrong(self._name, entry.first + at, fault.why)
            try:
                why = self._shoe_wrong(event)
            except Exception as error:  # what was tampered with may fail in any way
                why = f"its cards cannot be followed: {error!r}"
            if why is not None:
                return Wrong(self._name, entry.first + at, why)
            self._states.take(entry.first + at, event)
            self.events += 1
            self.rounds += isinstance(event, e.RoundSettled)
        why = self._states.wrong(entry, self._table)
        if why is not None:
            return Wrong(self._name, entry.sequence, why)
        self.entries += 1
        self.decided += again
        return None

    def _command(self, entry: Entry) -> commands.Command | None:
        """The command of an entry; None, and counted, where it cannot be decided again."""
        if entry.command is None:
            self.not_decided["no-command"] += 1
            return None
        try:
            return unseal(entry.command, self._name, self._seal_key)
        except StillSealed:
            self.not_decided["sealed"] += 1
            return None

    def _seal_key(self, shoe: int) -> bytes | None:
        """The key of what was sealed in a shoe: the one that came out, else the one that is still kept."""
        self._sealed.add(shoe)
        return self._seal_keys.get(shoe) or self._journal.secret_at_hand(self._name, seal_key_name(shoe))

    # Shoes

    def _shoe_wrong(self, event: e.Event) -> str | None:
        shown = self._follower.take(event)
        number = self._follower.number
        if isinstance(event, e.ShoeEnded) and number in self._sealed and not event.key:
            return "it ends a shoe without the key of what was sealed while it was in use"
        promise = self._shoes.get(number) if self._follower.commitment else None
        if promise is None:
            return None
        if isinstance(event, e.ShoeLoaded):
            return self._load(promise)
        if isinstance(event, e.ShoeEnded):
            return _end_wrong(promise, event)
        for each in shown if self._cards else ():
            self.faces += 1
            if each.place >= len(self._cards) or self._cards[each.place] != each.face:
                is_ = self._cards[each.place] if each.place < len(self._cards) else "none"
                return f"card {each.place + 1} of the committed shoe is {is_}, but {each.face} was shown"
        return None

    def _load(self, promise: Promise) -> str | None:
        """The cards of a shoe, by its seed if that came out, else by the one that is still kept."""
        self._cards = ()
        kept = self._journal.secret_at_hand(self._name, seed_name(promise.number))
        try:
            if promise.seed:
                self._cards = promise.cards()  # if it is the wrong one, that is told when it comes out
            elif kept is not None:
                self._cards = msgspec.structs.replace(promise, seed=kept.hex()).cards()
        except BadShoe:
            return None if promise.seed else "the seed that is kept for this shoe is not the one committed to"
        return None


def _end_wrong(promise: Promise, event: e.ShoeEnded) -> str | None:
    if not event.seed:
        return "it ends a virtual shoe without its seed"
    try:
        msgspec.structs.replace(promise, seed=event.seed).cards()
    except BadShoe as error:
        return str(error).rstrip(".")
    return None
