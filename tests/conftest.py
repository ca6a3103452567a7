"""Ties tests to clauses, and keeps the trace of which test shows which clause.

A test marked `clause(rulebook, clause, …)` shows a clause when it passes and the engine cited that
clause while it ran; a definition needs no citation. A test that names a clause which the engine
never cited fails.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import anyio
import msgspec
import pytest
from hypothesis import HealthCheck, settings

from punto.journal import database
from punto.rulebook import clauses, ids, record
from seeds import CHAOS
from stuck import Watch

pytest.register_assert_rewrite("browser_fixtures", "process_fixtures")  # also where another file imports them first

settings.register_profile("punto", deadline=None, derandomize=not CHAOS, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("punto")
"""How long an example takes says how busy the machine is, not whether a test holds; and a test that has held holds."""

database.IDLE_SECONDS = 59
"""PostgreSQL cuts off whoever is silent for so long within a transaction: on a busy machine a test is, for seconds."""

TRACE = Path(__file__).parent.parent / "src/punto/rulebook/trace.json"
MOST = 5

Trace = dict[str, dict[str, list[str]]]
shown_by = pytest.StashKey[Trace]()
watching = pytest.StashKey[Watch]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-trace", action="store_true", help="write the trace of clauses and tests")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[shown_by] = {}
    config.stash[watching] = Watch()


def pytest_collection_finish() -> None:
    """Let Litestar's test sockets look for messages a few hundred times a second.

    They look all the time otherwise, and a processor is busy with nothing else while such a socket is open.
    """
    if "litestar.testing" in sys.modules:
        pytest.MonkeyPatch().setattr("litestar.testing.websocket_test_session.sleep", lambda _: anyio.sleep(0.004))


def claims(item: pytest.Item) -> list[tuple[str, str]]:
    """The (rulebook, clause) pairs that a test names in its marks."""
    return [(mark.args[0], name) for mark in item.iter_markers("clause") for name in mark.args[1:]]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("write_trace"):  # what reads the trace can only be true once it is written
        items[:] = [item for item in items if item.path.name != "test_trace.py"]
    for item in items:
        named = claims(item)
        wrong = [f"{book} {name}" for book, name in named if book not in ids() or name not in clauses(book)]
        if wrong:
            raise pytest.UsageError(f"{item.nodeid} names clauses that do not exist: {', '.join(wrong)}")
        if len(named) > MOST:
            raise pytest.UsageError(f"{item.nodeid} names {len(named)} clauses; a test shows at most {MOST}")
    items.sort(key=lambda item: item.name == "test_the_trace_is_current")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    with item.config.stash[watching].over():
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    named = claims(item)
    if not named:
        return (yield)
    with record() as cited:
        result = yield
    for book, name in named:
        clause = clauses(book)[name]
        if clause.kind != "definition" and clause.nature == "rule" and (book, name) not in cited:
            pytest.fail(f"the engine did not cite {book} {name} in this test")
        tests = item.config.stash[shown_by].setdefault(book, {}).setdefault(name, [])
        tests.append(item.nodeid)
    return result


@pytest.fixture
def shown(request: pytest.FixtureRequest) -> Trace:
    """What this run has shown so far: by book and clause, the tests."""
    return request.config.stash[shown_by]


def in_order(trace: Trace) -> Trace:
    """The trace in the order of the books and their clauses, so that it differs only where it must."""
    return {
        book: {name: sorted(trace[book][name]) for name in clauses(book) if name in trace[book]}
        for book in ids()
        if book in trace
    }


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    if session.config.getoption("write_trace") and exitstatus == 0:
        found = msgspec.json.format(msgspec.json.encode(in_order(session.config.stash[shown_by])), indent=1)
        TRACE.write_bytes(found + b"\n")
