"""The trace that ships with the package is the one that these tests make."""

import pytest

from punto.rulebook import clauses, ids, trace
from punto.rulebook import tests as naming

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
    assert {nature: natures.count(nature) for nature in set(natures)} == {
        "rule": 797,
        "heading": 56,
        "physical": 12,
        "drawing": 18,
    }


@pytest.mark.parametrize("book", ids())
def test_every_rule_is_named_by_a_test(book: str) -> None:
    """Whether that test would notice if the rule were broken is for the proofs to say."""
    assert [each.clause for each in clauses(book).values() if each.nature == "rule" and not naming(each)] == []


def test_no_test_claims_more_than_it_may(request: pytest.FixtureRequest) -> None:
    assert all(len(claims(item)) <= 5 for item in request.session.items)
