"""Dask clusters (the extra `cluster`): one that is running already, or one of local processes."""

import logging
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from os import sched_getaffinity
from typing import Any
from urllib.parse import urlsplit

from punto.extras import needs

PATIENCE = 10
"""Seconds to wait for a cluster to answer."""


class NoCluster(ValueError):
    """There is no cluster to use. The message is a sentence."""


def started(address: str | None, workers: int | None) -> tuple[Any, int, Callable[[], None]]:
    """A client of a cluster, how many tasks it does at a time, and a function that closes it."""
    with needs("cluster"):
        dask = import_module("distributed")
    own = None
    if address is not None:
        _check_reach(address)
    try:
        if address is None:
            with _ignoring_interrupts():
                own = dask.LocalCluster(
                    n_workers=workers or len(sched_getaffinity(0)),
                    threads_per_worker=1,
                    dashboard_address=None,
                    scheduler_kwargs={"dashboard_address": ":0"},  # any port: with none it wants the usual one
                    silence_logs=logging.ERROR,
                )
        client = dask.Client(own or address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise NoCluster(f"What answers at {address} is no Dask scheduler.") from error

    def close() -> None:
        client.close()
        if own is not None:
            own.close()

    try:
        slots = sum(client.nthreads().values())
        if not slots:
            raise NoCluster(f"The Dask scheduler at {address} has no workers.")
    except BaseException:
        close()
        raise
    return client, slots, close


def _check_reach(address: str) -> None:
    """Refuse an address at which nothing answers: a client of Dask that fails to connect may not close cleanly."""
    try:
        where = urlsplit(address if "://" in address else f"tcp://{address}")
        with socket.create_connection((where.hostname or "", where.port or 0), timeout=PATIENCE):
            pass
    except (OSError, ValueError, UnicodeError) as error:
        raise NoCluster(
            f"Nothing answers at {address}: write the address of a Dask scheduler like tcp://host:8786, "
            "or leave it out for workers on this machine."
        ) from error


@contextmanager
def _ignoring_interrupts() -> Iterator[None]:
    """Processes started meanwhile ignore Ctrl-C: the run itself answers it, and ends its workers."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
