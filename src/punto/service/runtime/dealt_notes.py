"""Notes outside the database of how far virtual tables have dealt: a restored copy knows less, and is known by that.

Cards that were dealt after a copy was made have been seen, and would come again from the same shoe. So the last event
of each virtual table is noted in a file, after every commit. A chain that does not have it is a restored one: its
running round is reported as interrupted, nobody bets on its shoe any more, and the shoe is ended. Where the file cannot
be written, no further card is dealt until it can.
"""

import logging
import os
import threading
from hashlib import sha256
from pathlib import Path
from secrets import token_hex

import msgspec

from punto.journal import Journal, Proviso
from punto.messages import say
from punto.rulebook import Refused
from punto.service.runtime.floor import Floor
from punto.service.runtime.live import Live, Said, told
from punto.service.settings import Settings
from punto.table import commands
from punto.table.events import ShoeEnded

log = logging.getLogger("punto")
_DIGITS = 20
_NOTE = 2 * _DIGITS + 1
MOST_FILES = 32
"""Files of notes that are open at once."""

RESTORED = "restored"
"""The kind of record that says of a table which of its shoes may be known."""

_ON_CARDS = (
    commands.Place,
    commands.Lower,
    commands.Withdraw,
    commands.Find,
    commands.Pull,
    commands.Object,
    commands.Insure,
    commands.DeclareIntent,
)
"""What would be done otherwise by somebody who knows the cards to come."""

_DEALING = (commands.Burn, commands.Draw, commands.Expose)
"""What makes more cards known."""


def notes_folder(settings: Settings) -> Path:
    """The folder of the notes, made if it is not there, for its owner alone."""
    folder = Path(settings.dealt_folder or Path(settings.key_file).with_suffix(".dealt"))
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


class Note(msgspec.Struct, frozen=True):
    """The last event of a table that was seen, and a digest of it: another one there is not the one that was seen."""

    sequence: int = 0
    digest: str = ""


class DealtNotes:
    """How far each virtual table is known to have dealt; for one store, which has a name of its own.

    That the shoe in use may be known is a record of the store, so that every process holds to it, and every later one,
    until that shoe has ended.
    """

    def __init__(self, floor: Floor, settings: Settings) -> None:
        self._floor, self._settings = floor, settings
        self._store: str | None = None
        self._noted: set[str] = set()
        """The tables of which this process takes notes."""
        self._files: dict[str, int] = {}
        """The files that are open, those that were used longest ago first."""
        self._lock = threading.RLock()
        """Held while a file is in use, so that nobody closes it meanwhile: tables are begun with in threads."""
        self._known: dict[str, int] = {}
        """By table: the shoe whose cards may be known."""
        self._behind: dict[str, Note] = {}
        """By table: what could not be noted."""
        floor.preparations.append(self._refuse_bets)
        floor.preparations.append(self._refuse_dealing)
        floor.watchers.append(self._watch)
        floor.guards.append(self)

    def begin(self, name: str, shoe: int) -> bool:
        """Begin to take notes of a table with its latest shoe; whether it is a restored one. It waits for the store."""
        journal = self._floor.journal
        if self._store is None:
            self._store = store_name(journal)
        self._noted.add(name)
        head, noted, known = journal.head(name), self._read(name), journal.record(RESTORED, name)
        if head is None:
            return False
        if known == str(shoe) or not self._has(name, head.sequence, noted):
            log.warning("restored", extra={"table": name, "dealt": noted.sequence, "kept": head.sequence})
            journal.put_record(RESTORED, name, str(shoe))
            self._known[name] = shoe
            return True
        if known is not None:
            journal.drop_record(RESTORED, name)
        for each in told(journal.read(name, head.sequence - 1, 1)):
            self._write(name, _note(each))
        return False

    def _has(self, name: str, head: int, noted: Note) -> bool:
        """Whether a chain has the event that was noted; of the first releases there is a number alone."""
        if head < noted.sequence or not noted.digest:
            return head >= noted.sequence
        return [_note(each) for each in told(self._floor.journal.read(name, noted.sequence - 1, 1))] == [noted]

    def renewed_shoe(self, live: Live) -> None:
        """The table deals from no shoe any more that was dealt from before: go on with the notes."""
        if live.name in self._noted and live.last:
            self._known.pop(live.name, None)
            self._write(live.name, _note(live.last[-1]), anew=True)

    def catch_up(self) -> None:
        """Note what could not be noted before, also of tables at which nothing happens any more."""
        for name, note in list(self._behind.items()):
            self._write(name, note)

    def trouble(self) -> str | None:
        """That tables could not be noted, as a sentence; None if all of them were."""
        if not self._behind:
            return None
        return f"How far tables have dealt cannot be noted in dealt_folder, of so many: {len(self._behind)}."

    def close(self) -> None:
        """Close the files."""
        with self._lock:
            for file in self._files.values():
                os.close(file)
            self._files.clear()
            self._noted.clear()

    def _watch(self, live: Live, news: tuple[Said, ...]) -> None:
        if live.name not in self._noted:
            return
        if live.name not in self._known:
            self._write(live.name, _note(news[-1]))
        elif any(isinstance(said.event, ShoeEnded) for said in news):
            self.renewed_shoe(live)  # until then what was noted stays, whatever happens

    # Bets on a shoe that may be known

    def proviso(self, live: Live, command: commands.Command) -> Proviso | None:
        """No bet is committed on a shoe that may be known, on whichever process."""
        if live.table is None or live.table.setup.shoe != "virtual" or not isinstance(command, _ON_CARDS):
            return None
        shoe = str(live.table.shoes)
        return Proviso(RESTORED, live.name, lambda body: body != shoe)

    async def renewed(self, live: Live) -> None:
        """Read whether the shoe may be known: another process may have found it."""
        known = await self._floor.ask_store(self._floor.journal.record, RESTORED, live.name)
        if known is not None:
            self._known[live.name] = int(known)

    async def _refuse_bets(self, live: Live, command: commands.Command) -> commands.Command:
        shoe = None if live.table is None else live.table.shoes
        if shoe is not None and self._known.get(live.name) == shoe and isinstance(command, _ON_CARDS):
            raise Refused(
                say(
                    "restored-shoe",
                    "The house was restored from a copy, and the cards to come may be known: the shoe is ended first.",
                )
            )
        return command

    async def _refuse_dealing(self, live: Live, command: commands.Command) -> commands.Command:
        """While the last event is not noted, a restored copy could not know that the next cards were seen."""
        if live.name in self._behind and isinstance(command, _DEALING):
            raise Refused(
                say("dealt-not-noted", "How far this table has dealt cannot be noted: no card is dealt until it can.")
            )
        return command

    # The files

    def _file(self, name: str) -> int:
        """The file of a table, open. Few are at once: however many tables there are, files are left for people."""
        file = self._files.pop(name, None)
        if file is None:
            called = sha256(f"{self._store} {name}".encode()).hexdigest()[:32]
            while len(self._files) >= MOST_FILES:
                os.close(self._files.pop(next(iter(self._files))))
            file = os.open(notes_folder(self._settings) / called, os.O_RDWR | os.O_CREAT, 0o600)
        self._files[name] = file  # as the one that was used last
        return file

    def _read(self, name: str) -> Note:
        with self._lock:
            noted = os.pread(self._file(name), _NOTE, 0)
        number, _, digest = noted.decode("ascii", "replace").partition(" ")
        return Note(int(number), digest) if number.isdigit() else Note()

    def _write(self, name: str, note: Note, *, anew: bool = False) -> None:
        """Note an event; an earlier one than another process has noted only where the notes begin anew."""
        try:
            with self._lock:
                if anew or note.sequence > self._read(name).sequence:
                    os.pwrite(self._file(name), f"{note.sequence:0{_DIGITS}d} {note.digest}".encode(), 0)
            self._behind.pop(name, None)
        except OSError:
            self._behind[name] = note
            log.exception("not noted", extra={"table": name})
            with self._lock:
                if name in self._files:
                    os.close(self._files.pop(name))  # it is opened anew the next time


def _note(said: Said) -> Note:
    return Note(said.sequence, sha256(said.message).hexdigest()[:_DIGITS])


def store_name(journal: Journal) -> str:
    """The name of a store, made when it has none: its copies have the same, a new store has another."""
    journal.add_record("store", "name", token_hex(16))
    name = journal.record("store", "name")
    assert name is not None
    return name
