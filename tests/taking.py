"""Lets test runs beside each other take files from one list: whoever is free takes the next, and nobody takes it twice.

`python tests/taking.py FOLDER` is one of these runs; the folder is empty at first, and the same for all of them.
"""

import sys
from collections.abc import Iterator
from itertools import chain, zip_longest
from pathlib import Path

import pytest

LONGEST = (
    *("browser_layout", "docs", "extras", "late_wallet", "schema", "browser", "report", "processes", "crash"),
    *("patterns", "table_machine", "legal", "browser_decisions", "browser_language", "browser_views", "browser_staff"),
    *("browser_dealer", "browser_felt", "browser_squeeze", "browser_phone", "browser_shoe", "browser_own_limits"),
    *("leaks", "conformance", "left_out", "service_leases", "fencing", "authority", "pack", "exposure", "audit"),
    *("money", "api", "both_processes", "compare", "card_bets", "compare_parts", "own_books", "doctor", "gpu"),
    *("privacy", "feed", "journal", "audit_cli", "oidc", "demo", "mutants", "accounts", "proofs"),
)
"""What takes long is begun first, the longest before all others, so that nobody is left alone with it at the end."""
EVERYBODYS = "test_the_trace_is_current"
"""The test that looks back at what its own run has shown, and so is the last of each of them."""


def by_file(items: list[pytest.Item]) -> list[list[pytest.Item]]:
    """Tests by their files, in the order in which these are to be taken."""
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    order = {f"test_{name}.py": place for place, name in enumerate(LONGEST)}
    return [files[path] for path in sorted(files, key=lambda path: order.get(path.name, len(order)))]


def taken(files: list[list[pytest.Item]], folder: Path) -> Iterator[list[pytest.Item]]:
    """The tests of every file that nobody else has taken; a file is taken when the one before it has ended."""
    for number, tests in enumerate(files):
        try:
            (folder / str(number)).touch(exist_ok=False)
        except FileExistsError:
            continue
        yield tests


class Taking:
    """The way through the tests of a run that takes them from a list."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Run what this run takes, as pytest would; where a file could not be read, pytest says so itself."""
        if session.testsfailed:
            return None
        last = [item for item in session.items if item.name == EVERYBODYS]
        files = by_file([item for item in session.items if item.name != EVERYBODYS])
        session.items = []
        for tests in chain(taken(files, self._folder), [last]):
            session.items += tests
            for item, following in zip_longest(tests, tests[1:]):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if session.shouldfail:
                    raise session.Failed(session.shouldfail)
                if session.shouldstop:
                    raise session.Interrupted(session.shouldstop)
        return True


if __name__ == "__main__":
    plain = ["-q", "-o", "console_output_style=classic"]  # nobody knows which part of the tests will be its own
    sys.exit(pytest.main(plain, plugins=[Taking(Path(sys.argv[1]))]))
