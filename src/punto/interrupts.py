"""Ctrl-C that is always heard.

An interrupt is raised wherever the program happens to be. Where that is inside a library that catches everything (an
import that is tried, a callback of compiled code), it is lost, and the program goes on as if nobody had pressed
anything. While a command listens, an interrupt comes again every few seconds until somebody answers it or it ends the
command.
"""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

AGAIN = 2.0
"""Seconds after which an interrupt that nobody has answered comes again."""


@contextmanager
def listening() -> Iterator[None]:
    """Hear every Ctrl-C meanwhile; nothing changes where it is ignored, or outside of the main thread.

    >>> with listening():
    ...     try:
    ...         signal.raise_signal(signal.SIGINT)
    ...     except KeyboardInterrupt:
    ...         answered()
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or not hasattr(signal, "setitimer") or signal.getsignal(signal.SIGINT) in (signal.SIG_IGN, None):
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGALRM)}
    told = sys.unraisablehook
    sys.unraisablehook = lambda lost: None if lost.exc_type is KeyboardInterrupt else told(lost)
    signal.signal(signal.SIGINT, _raise)
    signal.signal(signal.SIGALRM, _come_again)
    try:
        yield
    except Exception as error:
        if not _waiting():
            raise
        raise KeyboardInterrupt from error  # whatever a library made of it
    finally:
        answered()
        for number, handler in before.items():
            signal.signal(number, handler)
        sys.unraisablehook = told


def answered() -> None:
    """Say that an interrupt was met as it should be: it does not come again."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0)


def _waiting() -> bool:
    """Whether there was an interrupt that nobody has answered."""
    return signal.getitimer(signal.ITIMER_REAL)[1] > 0


def _raise(*_: object) -> None:
    signal.setitimer(signal.ITIMER_REAL, AGAIN, AGAIN)
    raise KeyboardInterrupt


def _come_again(*_: object) -> None:
    """Interrupt once more, as whoever listens by now takes it; but not while the first one is on its way out."""
    error = sys.exc_info()[1]
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    if error is not None:
        return
    if signal.getsignal(signal.SIGINT) is not _raise:  # a service, which stops in its own time when told once
        answered()
    signal.raise_signal(signal.SIGINT)
