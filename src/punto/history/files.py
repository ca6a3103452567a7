"""Histories in files: UTF-8 text, one line feed after each line."""

from pathlib import Path

from punto.history.reader import BadHistory, Fault, load
from punto.history.tokens import DIGITS
from punto.history.values import History
from punto.history.writer import dump


def read(path: str | Path, *, digits: int = DIGITS) -> History:
    r"""Load the history in a file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "evening.txt")
    ...     _ = path.write_text("punto history 1\nrulebook commission\n")
    ...     read(path).shoes[0].rulebook
    'commission'
    """
    raw = Path(path).read_bytes()
    try:
        text = raw.decode()
    except UnicodeDecodeError as fault:
        line = raw.count(b"\n", 0, fault.start) + 1
        raise BadHistory((Fault(line, "This line is not UTF-8 text."),)) from None
    return load(text, digits=digits)


def write(path: str | Path, history: History, *, digits: int = DIGITS) -> None:
    """Dump a history into a file; what the file held before is lost.

    >>> import tempfile
    >>> from punto.history import Shoe
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write(Path(folder, "evening.txt"), History((Shoe("commission"),)))
    ...     read(Path(folder, "evening.txt")).shoes[0].rulebook
    'commission'
    """
    Path(path).write_bytes(dump(history, digits=digits).encode())
