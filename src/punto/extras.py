"""The extras: what Punto can do only where more is installed than msgspec, Typer and Rich.

A room or a command that cannot do without an extra says so with `needs`. Where the extra is missing, its user reads
which one to install, not which module of which package could not be found.
"""

from collections.abc import Iterator
from contextlib import contextmanager

_MATHS = frozenset({"llvmlite", "numba", "numpy"})
_JOURNAL = frozenset({"alembic", "cryptography", "psycopg", "sqlalchemy"})

MODULES = {
    "maths": _MATHS,
    "journal": _JOURNAL,
    "certify": _MATHS | {"matplotlib", "packaging", "typst"},
    "serve": _MATHS
    | _JOURNAL
    | {"argon2", "httptools", "litestar", "prometheus_client", "uvicorn", "uvloop", "websockets"},
    "cluster": _MATHS | {"distributed"},
    "gym": frozenset({"gymnasium", "numpy"}),
    "parquet": frozenset({"polars"}),
}
"""The modules that each extra brings, by the names under which they are imported."""


class MissingExtra(ModuleNotFoundError):
    """What was asked for needs an extra that is not installed. The message is a sentence that names it."""


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """What is done inside needs an extra; a module of it that is not there becomes a sentence.

    It stands around the imports of a room, or as a decorator before a command. Where one stands inside another, the
    outer one is told if it brings the missing module too: a certificate needs `certify`, not first `maths`.

    >>> with needs("journal"):
    ...     raise ModuleNotFoundError("No module named 'sqlalchemy'", name="sqlalchemy")
    Traceback (most recent call last):
    punto.extras.MissingExtra: This needs Punto's extra 'journal': pip install "punto[journal]".
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name not in MODULES[extra]:
            raise
        says = f"""This needs Punto's extra {extra!r}: pip install "punto[{extra}]"."""
        raise MissingExtra(says, name=error.name) from error


@contextmanager
def needs_library(name: str) -> Iterator[None]:
    """What is done inside needs a library that no extra need bring; where it is not there, a sentence says so.

    >>> with needs_library("pandas"):
    ...     raise ModuleNotFoundError("No module named 'pandas'", name="pandas")
    Traceback (most recent call last):
    punto.extras.MissingExtra: This needs pandas, which is not installed: pip install pandas.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise MissingExtra(f"This needs {name}, which is not installed: pip install {name}.", name=name) from error
