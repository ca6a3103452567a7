"""The trace that ships with the package is the one that these tests make."""

import pytest

from punto.rulebook import clauses, ids, status, trace

from conftest import Trace, claims, in_order


def test_the_trace_is_current(shown: Trace, request: pytest.FixtureRequest) -> None:
    """Run last. Of a partial run only the tests that were collected are compared."""
    collected = {item.nodeid for item in request.session.items}
    whole = not request.config.option.keyword and not request.config.option.markexpr
    files = {nodeid.partition("::")[0] for nodeid in collected}
    recorded = {
        book: {
            name: kept
            for name, tests in by_clause.items()
            if (kept := [each for each in tests if (each.partition("::")[0] in files if whole else each in collected)])
        }
        for book, by_clause in trace().items()
    }
    assert {book: found for book, found in recorded.items() if found} == in_order(shown), (
        "the trace is out of date: run make trace"
    )


def test_every_clause_is_in_the_index_once() -> None:
    """883 clauses: the count of each book was taken from the books."""
    assert {book: len(clauses(book)) for book in ids()} == {
        "commission-insurance": 148,
        "da-hu-ying-xiong": 193,
        "dragon-tiger-hoiana": 206,
        "dragon-tiger-mbs": 176,
        "wu-song": 160,
    }
    natures = [clause.nature for book in ids() for clause in clauses(book).values()]
    assert (natures.count("heading"), natures.count("physical")) == (56, 12)


@pytest.mark.parametrize("book", ids())
def test_no_clause_is_open(book: str) -> None:
    """Every clause is shown by a test in which the engine rested on it, or is physical, or a heading."""
    assert [clause.clause for clause in clauses(book).values() if status(clause) == "open"] == []


def test_no_test_claims_more_than_it_may(request: pytest.FixtureRequest) -> None:
    assert all(len(claims(item)) <= 5 for item in request.session.items)
