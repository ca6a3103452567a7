"""Two processes of the service on one PostgreSQL database."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from service_process import Database, Service, database
from warm_start import warm_starts


@pytest.fixture(scope="module")
def store() -> Iterator[Database]:
    with database("postgresql") as found:
        yield found


@pytest.fixture
def two(store: Database, tmp_path: Path) -> Iterator[tuple[Service, Service]]:
    fast = {"betting_seconds": 0.1, "pace": 0.01, "rate": 10_000, "burst": 10_000}
    one, other = (Service(tmp_path, store.url, warm_starts(), **fast) for _ in range(2))
    with one, other:
        yield one, other
