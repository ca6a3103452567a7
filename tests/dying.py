"""A service that kills itself at a chosen moment: before or after a commit, before or after it has asked a wallet.

It is the service as it is, killed as by the power: nothing is put in order. The file `dies-at` holds two numbers: the
moment, counted from when the file is there with these numbers, and how often it was written.
"""

import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from punto.service.outgoing import Outgoing

ORDER = Path("dies-at")
"""The file in the folder of the service that says at which moment it dies."""

_LOCK = threading.Lock()
_order, _passed = "", 0


def _moment() -> None:
    """One more moment at which the service may die."""
    global _order, _passed
    with _LOCK:
        order = ORDER.read_text() if ORDER.exists() else ""
        if order != _order:
            _order, _passed = order, 0
        _passed += 1
        if order and _passed == int(order.split()[0]):
            os.kill(os.getpid(), signal.SIGKILL)


def tell(folder: Path, moment: int, turn: int) -> None:
    """Tell the service in a folder at which moment to die, from now on."""
    written = folder / "dies-next"
    written.write_text(f"{moment} {turn}")
    written.replace(folder / ORDER)


def spare(folder: Path) -> None:
    """Let the service in a folder live."""
    (folder / ORDER).write_text("")


def _dying(do: Callable[..., Any], counts: Callable[..., bool] = lambda *_: True) -> Callable[..., Any]:
    def done(*given: Any, **more: Any) -> Any:
        if not counts(*given):
            return do(*given, **more)
        _moment()
        answer = do(*given, **more)
        _moment()
        return answer

    return done


def _writes(connection: Connection) -> bool:
    return not connection.get_execution_options().get("reading")


def prepare() -> None:
    """Count every commit and every question to a wallet of this process from now on."""
    Connection._commit_impl = _dying(Connection._commit_impl, _writes)  # type: ignore[method-assign]
    Outgoing.ask = _dying(Outgoing.ask)  # type: ignore[method-assign]
