"""Two books side by side. The expected points are those of the printed books."""

import pytest

from punto.rulebook import ids, load, parse, source
from punto.rulebook.differences import Difference, differences


def between(a: str, b: str) -> dict[str, Difference]:
    return {each.point: each for each in differences(load(a), load(b))}


@pytest.mark.parametrize("book", ids())
def test_a_book_does_not_differ_from_itself(book: str) -> None:
    assert differences(load(book), load(book)) == []


def test_the_insurance_books_differ_in_price_cap_and_late_offer() -> None:
    found = between("da-hu-ying-xiong", "commission-insurance")
    assert (found["decks"].a.value, found["decks"].b.value) == ("4 to 10", "4 to 8")
    assert found["insurance cap"].a.value.startswith("stake over the window")
    assert found["insurance cap"].b.value.startswith("payout over the round")
    row = found["insurance third-card Player 8 against Banker 0-6"]
    assert (row.a.value, row.b.value) == ("10:1", "7:1")
    assert found["insurance four-cards Banker 4 against Player 0-3"].b.value == "(silent)"
    assert found["insurance neglect-open"].a.value == "late-offer (by pit-manager)"
    assert "insurance forgone" not in found
    assert "limits differential-late" not in found


def test_rounds_begin_and_interruptions_end_differently() -> None:
    found = between("wu-song", "dragon-tiger-hoiana")
    assert (found["round begins"].a.value, found["round begins"].b.value) == ("opening-call", "first-card")
    assert found["round begins"].b.clauses == ("2.2.15",)
    assert found["irregularity interruption"].b.value == "(silent)"
    mbs = between("wu-song", "dragon-tiger-mbs")
    assert "offer power-failure" in mbs["irregularity interruption"].b.value
    assert mbs["limits under-minimum-late"].b.value == "settle-once"
    assert mbs["betting wagers-per-area"].b.value == "3"


def test_two_layouts_of_one_book() -> None:
    book = load("wu-song")
    found = {each.point: (each.a.value, each.b.value) for each in differences(book, book, "A", "C")}
    assert found == {
        "layout positions": ("1 to 6", "1 to 5"),
        "bet tie": ("Tie on 0-5, 8-9 8:1; Tie on 6-7 10:1", "Tie 8:1"),
    }


@pytest.mark.parametrize(
    ("before", "after", "point"),
    [
        (
            'bet = "banker"\nwhen = { winner = "tie" }',
            'bet = "banker"\nwhen = { winner = "tie", points = 9 }',
            "bet banker",
        ),
        ('"5.1" = "dealer"', '"5.1" = "pit-manager"', "the House in 5.1"),
        ("Gambling Regulatory Authority of Singapore", "Somebody", "approver"),
        ('scope = "undecided"', 'scope = "all"', "offer dealing-error"),
        ('do = "as-it-lies", when = { reconstructible = false }', 'do = "as-it-lies"', "offer dealing-error"),
        ("positions = { min = 1, max = 6 }", "positions = { min = 1, max = 7 }", "positions"),
        ('readings = ["AMB-41"]', 'readings = ["AMB-40"]', "readings"),
        ('value = "layout", choices', 'value = "main", choices', "policy outcome-scope"),
    ],
)
def test_no_change_of_a_book_goes_unseen(before: str, after: str, point: str) -> None:
    text = source("wu-song").decode()
    assert before in text
    changed = parse(text.replace(before, after, 1).encode(), "mine.toml")
    assert [each.point for each in differences(load("wu-song"), changed)] == [point]
