"""Showing checkpoints to an outside witness, and keeping what it signs. If it is away, nothing waits for it."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import suppress

import msgspec

from punto.audit.entries import chain
from punto.journal import HOUSE, Checkpoint, Entry, Journal, JournalError
from punto.journal.cosignatures import keep_cosigned
from punto.journal.witness import Cosigned, NotWitnessed, ShownHead
from punto.service.outgoing import Outgoing, Unanswered

log = logging.getLogger("punto")
_SECONDS = 30.0
"""Seconds that the witness has for an answer; it may be shown a long chain."""

_LONGEST = 64 * 1024
_OK = 200
_PAUSE = 5.0
"""Seconds between two looks for checkpoints that the witness has not seen."""


class NotSigned(NotWitnessed):
    """What the witness does not sign of one chain. The message is a sentence."""


class Witnessing:
    """Shows the checkpoints of all chains to a witness, by its address."""

    def __init__(self, journal: Journal, address: str) -> None:
        self._journal, self._address = journal, address.rstrip("/")
        self._outgoing = Outgoing(_SECONDS, _LONGEST)
        self._seen: dict[str, int] = {}
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to look for checkpoints."""
        self._task = asyncio.create_task(self._keep_showing())

    async def stop(self) -> None:
        """Stop looking."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _keep_showing(self) -> None:
        while True:
            try:
                await asyncio.to_thread(self.show)
            except JournalError as error:
                log.warning("not witnessed", extra={"why": str(error)})
            except Exception:
                log.exception("not witnessed")
            await asyncio.sleep(_PAUSE)

    def show(self) -> int:
        """Show every checkpoint that the witness has not signed, the house's own chain first; how many they were.

        A chain that it does not sign keeps no other from being shown; `NotWitnessed` when all were, with the first.
        """
        count, refused = 0, []
        for name in sorted(self._journal.tables(), key=lambda name: (name != HOUSE, name)):
            try:
                for shown in self._heads_of(name, self._unseen(name)):
                    self._show(shown)
                    count += 1
            except NotSigned as error:
                refused.append(error)
        if refused:
            raise refused[0]
        return count

    def _unseen(self, name: str) -> list[Checkpoint]:
        points = self._journal.checkpoints(name)
        if not points or points[-1].sequence <= self._seen.get(name, 0):
            return []
        head = self._asked(f"/heads/{name}")
        self._seen[name] = 0 if head is None else head.sequence
        return [point for point in points if point.sequence > self._seen[name]]

    def _heads_of(self, name: str, points: list[Checkpoint]) -> Iterator[ShownHead]:
        """Checkpoints of a chain in order, each with the entries since the one before; every entry is read once."""
        reached = self._seen.get(name, 0)
        rest = chain(self._journal, name, reached)
        for point in points:
            entries: list[Entry] = []
            while reached < point.sequence and (entry := next(rest, None)) is not None:
                entries.append(entry)
                reached = entry.sequence
            yield ShownHead(point, tuple(entries))

    def _show(self, shown: ShownHead) -> None:
        made = self._asked("/heads", msgspec.json.encode(shown))
        point = shown.checkpoint
        if made is None or (made.table, made.sequence, made.hash) != (point.table, point.sequence, point.hash):
            raise NotSigned("The witness has signed something else.")
        keep_cosigned(self._journal, made)
        self._seen[point.table] = point.sequence

    def _asked(self, path: str, body: bytes | None = None) -> Cosigned | None:
        """What the witness answers; `NotSigned` if it does not sign, `NotWitnessed` if it gives no clear answer."""
        try:
            status, said = self._outgoing.ask(self._address + path, body, {"Content-Type": "application/json"})
        except Unanswered as error:
            raise NotWitnessed(f"The witness did not answer: {error}.") from None
        if status != _OK:
            raise NotSigned(f"The witness refuses: {said.decode(errors='replace')}")
        try:
            return msgspec.json.decode(said, type=Cosigned | None)
        except (ValueError, RecursionError):
            raise NotWitnessed("The witness's answer cannot be read.") from None
