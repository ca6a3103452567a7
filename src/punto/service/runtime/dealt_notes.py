"""Notes outside the database of how far virtual tables have dealt: a restored copy knows less, and is known by that.

Cards that were dealt after a copy was made have been seen, and would come again from the same shoe. So the number of
the last event of each virtual table is noted in a file, after every commit. A chain that ends before it is a restored
one: its running round is reported as interrupted, nobody bets on its shoe any more, and the shoe is ended.
"""

import logging
import os
from hashlib import sha256
from pathlib import Path
from secrets import token_hex

from punto.journal import Journal
from punto.messages import say
from punto.rulebook import Refused
from punto.service.runtime.floor import Floor
from punto.service.runtime.live import Live, Said
from punto.service.settings import Settings
from punto.table import commands
from punto.table.events import ShoeEnded

log = logging.getLogger("punto")
_DIGITS = 20
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


def notes_folder(settings: Settings) -> Path:
    """The folder of the notes, made if it is not there, for its owner alone."""
    folder = Path(settings.dealt_folder or Path(settings.key_file).with_suffix(".dealt"))
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


class DealtNotes:
    """How far each virtual table is known to have dealt; for one store, which has a name of its own."""

    def __init__(self, floor: Floor, settings: Settings) -> None:
        self._floor, self._settings = floor, settings
        self._store: str | None = None
        self._files: dict[str, int] = {}
        self._restored: set[str] = set()
        floor.preparations.append(self._refuse_bets)
        floor.watchers.append(self._watch)

    def begin(self, name: str) -> bool:
        """Begin to take notes of a table; whether it is a restored one. It waits for the store: call it in a thread."""
        head = self._floor.journal.head(name)
        noted = self._read(name)
        restored = head is not None and noted > head.sequence
        if restored:
            log.warning("restored", extra={"table": name, "dealt": noted, "kept": head.sequence if head else 0})
            self._restored.add(name)
        elif head is not None:
            self._write(name, head.sequence)
        return restored

    def renewed(self, live: Live) -> None:
        """The table deals from no shoe any more that was dealt from before: go on with the notes."""
        if live.name in self._files:
            self._restored.discard(live.name)
            self._write(live.name, live.sequence, anew=True)

    def close(self) -> None:
        """Close the files."""
        for file in self._files.values():
            os.close(file)
        self._files.clear()

    def _watch(self, live: Live, news: tuple[Said, ...]) -> None:
        if live.name not in self._files:
            return
        if live.name not in self._restored:
            self._write(live.name, news[-1].sequence)
        elif any(isinstance(said.event, ShoeEnded) for said in news):
            self.renewed(live)  # until then what was noted stays, whatever happens

    async def _refuse_bets(self, live: Live, command: commands.Command) -> commands.Command:
        if live.name in self._restored and isinstance(command, _ON_CARDS):
            raise Refused(
                say(
                    "restored-shoe",
                    "The house was restored from a copy, and the cards to come may be known: the shoe is ended first.",
                )
            )
        return command

    def _file(self, name: str) -> int:
        if name not in self._files:
            if self._store is None:
                self._store = store_name(self._floor.journal)
            called = sha256(f"{self._store} {name}".encode()).hexdigest()[:32]
            path = notes_folder(self._settings) / called
            self._files[name] = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        return self._files[name]

    def _read(self, name: str) -> int:
        noted = os.pread(self._file(name), _DIGITS, 0)
        return int(noted) if noted.isdigit() else 0

    def _write(self, name: str, sequence: int, *, anew: bool = False) -> None:
        """Note a number; a lower one than another process has noted only where the notes begin anew."""
        try:
            if anew or sequence > self._read(name):
                os.pwrite(self._file(name), f"{sequence:0{_DIGITS}d}".encode(), 0)
        except OSError:
            log.exception("not noted", extra={"table": name})


def store_name(journal: Journal) -> str:
    """The name of a store, made when it has none: its copies have the same, a new store has another."""
    journal.add_record("store", "name", token_hex(16))
    name = journal.record("store", "name")
    assert name is not None
    return name
