"""Backends: a run of shoes on threads, a GPU or a cluster. What is done with the shoes is said by a `WorkKind`."""

from collections import deque
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from os import sched_getaffinity
from typing import Any, Generic, Literal, Protocol, TypeVar

import msgspec

from punto.kernels.gpu import NoGpu
from punto.simulation.cluster import started
from punto.simulation.dealing import BadDealing

Backend = Literal["auto", "cpu", "gpu", "dask"]


class Work(Protocol):
    """Shoes from a number to a number, divided into blocks."""

    @property
    def first(self) -> int: ...  # noqa: D102  # the class says it

    @property
    def last(self) -> int: ...  # noqa: D102

    @property
    def block(self) -> int: ...  # noqa: D102


class Added(Protocol):
    """Counts over some shoes, which can be added to counts over others."""

    def __add__(self, other: Any) -> Any: ...


_W = TypeVar("_W", bound=Work)
_R = TypeVar("_R")
_P = TypeVar("_P", bound=Added)
Deals = Callable[[int, int], _R]


class WorkKind(msgspec.Struct, Generic[_W, _R, _P], frozen=True):
    """A kind of work on shoes: how one core and a GPU do it, and the value that is made of what they count.

    `chunk` is by backend about how many shoes are done at a time, `shares` the least number of pieces for each worker.
    """

    chunk: Mapping[str, int]
    shares: int
    on_a_core: Callable[[_W, int, int], _R]
    on_a_gpu: Callable[[_W], Callable[[int, int], _R]]
    made: Callable[[_W, int, int, _R], _P]


class Ready(Generic[_P]):
    """A backend made ready for some work: started, and its kernels compiled."""

    def __init__(
        self,
        kind: WorkKind[_W, _R, _P],
        name: str,
        work: _W,
        workers: int,
        submit: Deals[Any],
        close: Callable[[], None],
    ) -> None:
        self.name, self.workers = name, workers
        self._block, self._chunk, self._shares = work.block, kind.chunk[name], kind.shares
        self._made = partial(kind.made, work)
        self._submit, self._close = submit, close

    def __enter__(self) -> "Ready[_P]":
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def pieces(self, first: int, last: int) -> Generator[_P, None, None]:
        """The counts of the shoes from first to last, piece by piece in order, as they are done."""
        block = self._block
        size = max(min(self._chunk, (last - first) // (self._shares * self.workers)) // block, 1) * block
        waiting: deque[tuple[int, int, Any]] = deque()
        start = first
        try:
            while start < last or waiting:
                while start < last and len(waiting) < 2 * self.workers:
                    end = min((start // block) * block + size, last)
                    waiting.append((start, end, self._submit(start, end)))
                    start = end
                begin, end, promise = waiting.popleft()
                yield self._made(begin, end, promise.result())
        finally:
            for _, _, promise in waiting:
                promise.cancel()

    def all_of(self, first: int, last: int) -> _P:
        """The counts of the shoes from first to last, added up."""
        pieces = self.pieces(first, last)
        total = next(pieces)
        for piece in pieces:
            total += piece
        return total


def made_ready(
    kind: WorkKind[_W, _R, _P], work: _W, backend: Backend, threads: int | None, cluster: str | None
) -> Ready[_P]:
    """Make a backend ready; `auto` takes a GPU if there is one. The counts are the same on every backend."""
    if threads is not None and threads < 1:
        raise BadDealing(f"{threads} threads deal nothing: at least 1 is needed.")
    if backend == "dask" or (backend == "auto" and cluster is not None):
        return _on_a_cluster(kind, work, cluster, threads)
    if backend in ("gpu", "auto"):
        try:
            return _on_pool(kind, "gpu", work, 1, kind.on_a_gpu(work))
        except NoGpu:
            if backend == "gpu":
                raise
    deal = partial(kind.on_a_core, work)
    deal(work.first, work.first + 1)  # compiles the kernels, or takes them from disk
    return _on_pool(kind, "cpu", work, threads or len(sched_getaffinity(0)), deal)


def _on_pool(kind: WorkKind[_W, _R, _P], name: str, work: _W, workers: int, deal: Deals[_R]) -> Ready[_P]:
    pool = ThreadPoolExecutor(workers)

    def submit(first: int, last: int) -> "Future[_R]":
        return pool.submit(deal, first, last)

    return Ready(kind, name, work, workers, submit, partial(pool.shutdown, cancel_futures=True))


def _on_a_cluster(kind: WorkKind[_W, _R, _P], work: _W, address: str | None, workers: int | None) -> Ready[_P]:
    client, slots, close = started(address, workers)
    try:
        client.run(kind.on_a_core, work, work.first, work.first + 1)  # every worker compiles, or takes from disk
        sent = client.scatter(work, broadcast=True)
    except BaseException:
        close()
        raise
    return Ready(kind, "dask", work, slots, partial(client.submit, kind.on_a_core, sent, pure=False), close)
