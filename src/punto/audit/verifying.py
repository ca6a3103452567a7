"""A whole journal gone through with no service running: every hash, signature, decision, amount and revealed face."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

import msgspec

from punto.audit.deciding import add_up, follow
from punto.audit.opening import kept_books
from punto.audit.reading import chain, chosen, head
from punto.audit.shoes import Follower, Promise, kept_as, promises
from punto.coup import Card
from punto.journal import HOUSE, Checkpoint, Entry, Journal, first_broken, signed
from punto.rulebook import SHIPPED, Library
from punto.shoe import BadShoe
from punto.table import Table, decode_event
from punto.table import events as e

_OF_SHOES = tuple(b'{"event":"%s"' % tag for tag in (b"table-opened", b"book-changed", b"shoe-loaded", b"shoe-ended"))


class Wrong(msgspec.Struct, frozen=True):
    """The first entry of a table that is wrong, and why."""

    table: str
    sequence: int
    why: str

    def __str__(self) -> str:
        return f"{self.table}: entry {self.sequence} is wrong: {self.why.rstrip('.')}."


class Verified(msgspec.Struct, frozen=True):
    """What was gone through at a table, up to the first entry that is wrong if one is.

    `signed` is the last entry that a checkpoint covers, `keys` are those that signed; `faces` were held
    against the seed of a virtual shoe.
    """

    table: str
    entries: int
    commands: int
    rounds: int
    faces: int
    checkpoints: int
    signed: int
    keys: tuple[str, ...]
    wrong: Wrong | None


def verify(
    journal: Journal, table: str | None = None, trusted: str | None = None, library: Library = SHIPPED
) -> list[Verified]:
    """Go through every chain of a journal, its tables and the house, or through one of them.

    `trusted` is the key that must have signed the checkpoints; `library` has the books that the journal does not keep.
    """
    known = kept_books(journal, library)
    return [verify_table(journal, name, trusted, known) for name in chosen(journal, table)]


def verify_table(journal: Journal, name: str, trusted: str | None = None, library: Library = SHIPPED) -> Verified:
    """Go through one chain: first how it hangs together and what was signed, then everything that it says."""
    points = journal.checkpoints(name)
    spine = _Spine(points)
    loose = spine.first_loose(journal, name, trusted)
    said = _Acts(name) if name == HOUSE else _Said(journal, name, promises(name, spine.of_shoes), library)
    wrong = said.first_wrong(chain(journal, name), None if loose is None else loose.sequence) or loose
    good = [each for each in points if wrong is None or each.sequence < wrong.sequence]
    return Verified(
        name,
        said.entries,
        said.commands,
        said.rounds,
        said.faces,
        len(good),
        good[-1].sequence if good else 0,
        tuple(sorted({each.key for each in good})),
        wrong,
    )


class _Spine:
    """How the entries of a table hang together; on the way, what they say of shoes."""

    def __init__(self, points: Sequence[Checkpoint]) -> None:
        self.points = points
        self.of_shoes: list[e.Event] = []
        self._signed = {each.sequence: "" for each in points}
        self._last, self._hash = 0, ""

    def first_loose(self, journal: Journal, name: str, trusted: str | None) -> Wrong | None:
        """The first entry that is missing, altered, out of order, or not what was signed."""
        before = head(journal, name)
        entries = self._watched(chain(journal, name))
        broken = first_broken(entries)
        for _ in entries:
            pass  # a seed may be revealed further on, and it proves itself
        after = head(journal, name)
        found = [] if broken is None else [Wrong(name, broken.sequence, broken.why)]
        if before is None or after is None:
            found.append(Wrong(name, 1, "the store does not list its table"))
        elif self._last < before.sequence:
            found.append(Wrong(name, self._last + 1, f"it is missing: the chain had {before.sequence} entries"))
        elif self._last > after.sequence:
            found.append(Wrong(name, after.sequence + 1, "it lies beyond the end of the chain"))
        elif self._last == after.sequence and self._hash != after.hash:
            found.append(Wrong(name, self._last, "it is not the entry that the chain ended with"))
        found += (wrong for point in self.points if (wrong := self._unsigned(point, trusted)) is not None)
        return min(found, key=lambda each: each.sequence, default=None)

    def _watched(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        for entry in entries:
            self._last, self._hash = entry.sequence, entry.hash
            if entry.sequence in self._signed:
                self._signed[entry.sequence] = entry.hash
            if entry.body.startswith(_OF_SHOES):
                with suppress(msgspec.DecodeError):  # named when its turn comes
                    self.of_shoes.append(decode_event(entry.body))
            yield entry

    def _unsigned(self, point: Checkpoint, trusted: str | None) -> Wrong | None:
        table, sequence = point.table, point.sequence
        if not signed(point):
            return Wrong(table, sequence, "the signature of the checkpoint on it is false")
        if not signed(point, trusted):
            return Wrong(
                table, sequence, f"the checkpoint on it was signed by the key {point.key}, which is not trusted"
            )
        if not self._signed[sequence]:
            return Wrong(
                table, min(self._last + 1, sequence), f"it is missing: a checkpoint was signed on entry {sequence}"
            )
        if self._signed[sequence] != point.hash:
            return Wrong(table, sequence, "it is not the entry that was signed in a checkpoint")
        return None


class _Acts:
    """What the chain of the house says: acts on accounts, each by whom and when."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.entries = self.commands = self.rounds = self.faces = 0

    def first_wrong(self, entries: Iterable[Entry], before: int | None) -> Wrong | None:
        """The first entry that says something wrong; none is looked at from `before` on."""
        for entry in entries:
            if entry.sequence == before:
                return None
            try:
                act = msgspec.json.decode(entry.body, type=dict[str, object])
            except msgspec.DecodeError as error:
                return Wrong(self._name, entry.sequence, f"it is no act: {error}")
            if (act.get("who"), act.get("at")) != (entry.who, entry.at):
                return Wrong(self._name, entry.sequence, "it names another time or person than its entry")
            self.entries += 1
        return None


class _Said:
    """What the entries of a table say: decided and added up again, faces held against the shoe."""

    def __init__(self, journal: Journal, name: str, shoes: dict[int, Promise], library: Library) -> None:
        self._journal, self._name, self._shoes, self._library = journal, name, shoes, library
        self._table: Table | None = None
        self._follower = Follower()
        self._cards: tuple[Card, ...] = ()
        self._keys: set[str] = set()
        self.entries = self.commands = self.rounds = self.faces = 0

    def first_wrong(self, entries: Iterable[Entry], before: int | None) -> Wrong | None:
        """The first entry that says something wrong; none is looked at from `before` on."""
        made: list[Entry] = []
        for entry in entries:
            if entry.sequence == before:
                return self._command(made, cut=True)
            if made and entry.key != made[0].key:
                wrong = self._command(made)
                if wrong is not None:
                    return wrong
                made = []
            made.append(entry)
        return self._command(made, cut=before is not None)

    def _command(self, made: list[Entry], cut: bool = False) -> Wrong | None:
        """All entries that one command made, or those of them that are left."""
        if not made:
            return None
        first = made[0]
        if first.key in self._keys:
            return self._wrong(first, "its command had been carried out before")
        self._keys.add(first.key)
        events: list[e.Event] = []
        for entry in made:
            if (entry.who, entry.at) != (first.who, first.at):
                return self._wrong(entry, "it is of another time or person than the rest of its command")
            try:
                events.append(decode_event(entry.body))
            except msgspec.DecodeError as error:
                return self._wrong(entry, f"it is no event: {error}")
        self._table, fault = (add_up if cut else follow)(self._table, events, self._library)
        for at, (entry, event) in enumerate(zip(made, events, strict=True)):
            if fault is not None and fault.at == at:
                return self._wrong(entry, fault.why)
            try:
                why = self._of_the_shoe(event)
            except Exception as error:  # what was tampered with may fail in any way
                why = f"its cards cannot be followed: {error!r}"
            if why is not None:
                return self._wrong(entry, why)
            self.entries += 1
            self.rounds += isinstance(event, e.RoundSettled)
        self.commands += 1
        return None

    def _wrong(self, entry: Entry, why: str) -> Wrong:
        return Wrong(self._name, entry.sequence, why)

    def _of_the_shoe(self, event: e.Event) -> str | None:
        shown = self._follower.take(event)
        promise = self._shoes.get(self._follower.number) if self._follower.commitment else None
        if promise is None:
            return None
        if isinstance(event, e.ShoeLoaded):
            return self._load(promise)
        if isinstance(event, e.ShoeEnded):
            return self._end(promise, event)
        for each in shown if self._cards else ():
            self.faces += 1
            if each.place >= len(self._cards) or self._cards[each.place] != each.face:
                is_ = self._cards[each.place] if each.place < len(self._cards) else "none"
                return f"card {each.place + 1} of the committed shoe is {is_}, but {each.face} was shown"
        return None

    def _load(self, promise: Promise) -> str | None:
        """The cards of a shoe, by its seed if that came out, else by the one that is still kept."""
        self._cards = ()
        kept = self._journal.secret(self._name, kept_as(promise.number))
        try:
            if promise.seed:
                self._cards = promise.cards()  # if it is the wrong one, that is told when it comes out
            elif kept is not None:
                self._cards = msgspec.structs.replace(promise, seed=kept.hex()).cards()
        except BadShoe:
            return None if promise.seed else "the seed that is kept for this shoe is not the one committed to"
        return None

    def _end(self, promise: Promise, event: e.ShoeEnded) -> str | None:
        if not event.seed:
            return "it ends a virtual shoe without its seed"
        try:
            msgspec.structs.replace(promise, seed=event.seed).cards()
        except BadShoe as error:
            return str(error).rstrip(".")
        return None
