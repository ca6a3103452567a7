"""Showing checkpoints to an outside witness, and keeping what it signs. If it is away, nothing waits for it."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPException
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import msgspec

from punto.audit.entries import chain
from punto.journal import HOUSE, Checkpoint, Entry, Journal, JournalError
from punto.journal.cosignatures import keep_cosigned
from punto.journal.witness import Cosigned, NotWitnessed, ShownHead

log = logging.getLogger("punto")
_SECONDS = 5
_PAUSE = 5.0
"""Seconds between two looks for checkpoints that the witness has not seen."""


class Witnessing:
    """Shows the checkpoints of all chains to a witness, by its address."""

    def __init__(self, journal: Journal, address: str) -> None:
        self._journal, self._address = journal, address.rstrip("/")
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
            except (JournalError, OSError, HTTPException, msgspec.DecodeError) as error:
                log.warning("not witnessed", extra={"why": str(error)})
            await asyncio.sleep(_PAUSE)

    def show(self) -> int:
        """Show every checkpoint that the witness has not signed, the house's own chain first; how many they were."""
        count = 0
        for name in sorted(self._journal.tables(), key=lambda name: (name != HOUSE, name)):
            for shown in self._heads_of(name, self._unseen(name)):
                self._show(shown)
                count += 1
        return count

    def _unseen(self, name: str) -> list[Checkpoint]:
        points = self._journal.checkpoints(name)
        if not points or points[-1].sequence <= self._seen.get(name, 0):
            return []
        last = self._asked(Request(f"{self._address}/heads/{name}"))  # the address is the operator's
        head = msgspec.json.decode(last, type=Cosigned | None)
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
        body, kind = msgspec.json.encode(shown), {"Content-Type": "application/json"}
        made = self._asked(Request(f"{self._address}/heads", body, kind, method="POST"))  # as above
        keep_cosigned(self._journal, msgspec.json.decode(made, type=Cosigned))
        self._seen[shown.checkpoint.table] = shown.checkpoint.sequence

    def _asked(self, request: Request) -> bytes:
        try:
            with urlopen(request, timeout=_SECONDS) as answer:  # as above
                found: bytes = answer.read()
                return found
        except HTTPError as error:
            raise NotWitnessed(f"The witness refuses: {error.read().decode(errors='replace')}") from None
        except URLError as error:
            raise NotWitnessed(f"The witness did not answer: {error.reason}.") from None
