"""A run: shoes by their numbers, recorded round by round on threads, a GPU or a cluster, and added up."""

from collections.abc import Callable, Sequence

from punto.exposure.cpu import record_shoes
from punto.exposure.linear_counts import LinearCount
from punto.exposure.net_classes import Nets
from punto.exposure.tally import Exposure, exposure_of
from punto.exposure.tasks import Blocks, Task, task
from punto.kernels.gpu import NoGpu, check_gpu
from punto.rulebook import Book, Menu
from punto.simulation import Backend, Dealing
from punto.simulation.backends import Ready, WorkKind, made_ready

CHUNK = {"cpu": 256, "gpu": 1 << 16, "dask": 1024}
"""About how many shoes are recorded at a time."""


def expose(
    menu: Menu | Nets,
    dealing: Dealing | None = None,
    *,
    seed: int,
    shoes: int,
    first: int = 0,
    block: int | None = None,
    counts: Sequence[LinearCount] = (),
    cover: Book | None = None,
    backend: Backend = "cpu",
    threads: int | None = None,
    cluster: str | None = None,
) -> Exposure:
    """Deal shoes, and before every round compute the exact edge of every bet from the cards that are still unseen.

    With `cover`, a book, its insurance windows are recorded too.

    >>> from punto.rulebook import load, menu
    >>> found = expose(menu(load("wu-song")), seed=1, shoes=20)
    >>> found.dealt, found.rounds
    (20, 1636)
    >>> big = found.perfect("big-tiger")
    >>> 0 < big.share.value < 1, big.edge.value > 0
    (True, True)
    """
    dealing = Dealing() if dealing is None else dealing
    work = task(menu, dealing, seed=seed, shoes=shoes, first=first, block=block, counts=counts, cover=cover)
    with prepared(work, backend, threads, cluster) as ready:
        return ready.all_of(work.first, work.last)


def prepared(
    work: Task, backend: Backend = "cpu", threads: int | None = None, cluster: str | None = None
) -> Ready[Exposure]:
    """Make a backend ready; `auto` takes a GPU if there is one.

    Whatever the backend, what is recorded is the same, bit for bit.
    """
    return made_ready(_RECORDING, work, backend, threads, cluster)


def _on_a_gpu(work: Task) -> Callable[[int, int], Blocks]:
    check_gpu()
    if work.nets.cards is not None:
        raise NoGpu(f"The bet {work.nets.cards.names[0]} looks at cards: its edges are computed by the backend cpu.")
    if work.by_suit:
        raise NoGpu("Late bets, and bets beside a printed card, are computed by the backend cpu.")
    from punto.exposure.gpu import GpuRecorder  # numba-cuda is an extra, and slow to load

    return GpuRecorder(work).record_shoes


def _exposure(work: Task, first: int, last: int, recorded: Blocks) -> Exposure:
    shoes, names, late = (first, last), work.nets.names, work.late.names
    return exposure_of(work.seed, work.dealing, work.block, shoes, names, work.counts, work.priced, recorded, late)


_RECORDING = WorkKind(CHUNK, 4, record_shoes, _on_a_gpu, _exposure)
