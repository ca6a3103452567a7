"""What public functions take: ids where books are, and a sentence for every value of a wrong kind."""

import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import punto
from punto.exposure import BadExposure
from punto.kinds import WrongKind, opened
from punto.odds import full_shoe
from punto.rulebook import UnknownBook, menu, source
from punto.simulation import Dealing

from console import DOCS

ROOMS = sorted(page.stem for page in (DOCS / "api").glob("*.md") if page.stem not in ("punto", "gym", "kernels"))
"""Those whose functions are called by people: an environment is called by Gymnasium, kernels by kernels."""


class Strange:
    """A value that no function takes."""


def public_functions() -> Iterator[tuple[str, Any]]:
    """Every function that the reference promises, by its room and name."""
    for room in ROOMS:
        module = importlib.import_module(f"punto.{room}")
        names = getattr(module, "__all__", None) or [
            name for name, each in vars(module).items() if getattr(each, "__module__", "") == module.__name__
        ]
        for name in names:
            if name[0] != "_" and inspect.isfunction(getattr(module, name)):
                yield f"{room}.{name}", getattr(module, name)


PUBLIC = dict(public_functions())
TAKES_ANYTHING = {
    *("audit.context", "audit.seal_key_name", "audit.seed_name"),  # names, written as text
    "conformance.by_program",  # nothing is asked before the first case
    "conformance.difference",  # of any two values
    *("messages.message_of", "messages.say", "rulebook.cite", "sealing.hides_faces"),
    *("rulebook.clauses", "rulebook.share"),  # of a book that has no index there are none
}
"""Functions that answer whatever they are given: there is nothing to refuse, or it is refused later."""


@pytest.mark.parametrize("name", PUBLIC)
def test_a_value_of_a_wrong_kind_gets_a_sentence_from_every_public_function(name: str) -> None:
    function = PUBLIC[name]
    needed = [each for each in inspect.signature(function).parameters.values() if each.default is each.empty]
    positional = [Strange() for each in needed if each.kind is each.POSITIONAL_OR_KEYWORD]
    named = {each.name: Strange() for each in needed if each.kind is each.KEYWORD_ONLY}
    if not positional and not named:
        return
    if name in TAKES_ANYTHING:
        function(*positional, **named)
        return
    with pytest.raises((TypeError, ValueError)) as caught:
        function(*positional, **named)
    assert type(caught.value).__module__.startswith("punto."), repr(caught.value)
    assert str(caught.value).endswith(".") or caught.type is BadExposure, str(caught.value)


COUP = "K 6 7 K"
ODD: Any = [3, "5", [("player", 100)]]


def test_the_sentence_says_what_is_wanted_and_how_to_get_one() -> None:
    calls: dict[str, Callable[[], object]] = {
        'settle() takes a Book as book, such as punto.load("wu-song"), and was given 3.': (
            lambda: punto.settle(ODD[0], punto.deal(COUP), [])
        ),
        'settle() takes a list of Wager as wagers, such as punto.Wager("player", punto.money("100")), and was': (
            lambda: punto.settle(punto.load("wu-song"), punto.deal(COUP), ODD[2])
        ),
        "show_money() takes a whole number as amount, and was given '5'.": lambda: punto.show_money(ODD[1]),
        "roads() takes a list of Result as results, such as punto.roads.parse(\"BPT\"), and was given '5'.": (
            lambda: punto.roads.roads(ODD[1])
        ),
        "deal() takes ": lambda: punto.deal(ODD[0]),
        "load() takes text or a path as book, and was given 3.": lambda: punto.load(ODD[0]),
    }
    for says, call in calls.items():
        with pytest.raises(WrongKind, match=re.escape(says)):
            call()


def test_ids_and_files_are_taken_where_books_are_and_text_where_coups_are(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_bytes(source("wu-song"))
    wagers = [punto.Wager("player", 100_00)]
    whole = punto.settle(punto.load("wu-song"), punto.deal(COUP), wagers)
    cards: Any = COUP
    given: list[Any] = ["wu-song", str(file), file]
    for book in given:
        assert punto.settle(book, cards, wagers) == whole
        assert punto.settle(book=book, coup=cards, wagers=wagers) == whole
    assert punto.lint.lint(given[0]) == punto.lint.lint(punto.load("wu-song"))
    misspelt: Any = "wu-sung"
    with pytest.raises(UnknownBook, match="wu-song"):
        punto.settle(misspelt, cards, wagers)


def test_what_goes_wrong_inside_is_not_blamed_on_the_caller() -> None:
    def broken(number: int) -> int:
        return number.missing  # type: ignore[attr-defined,no-any-return]  # the fault of its author

    with pytest.raises(AttributeError, match="missing"):
        opened(broken)(5)
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        opened(broken)()  # type: ignore[call-arg]  # one too few


HALF: Any = 0.5
TEN: Any = "10"
ONE: Any = 1
HOIANA: Any = "dragon-tiger-hoiana"
INSURED: Any = "commission-insurance"
FIVE: Any = "6h 2c Kd As 5h"
BOOK: Any = "wu-song"
CARDS: Any = "K 6 7 K"


@pytest.mark.parametrize(
    ("called", "says"),
    [
        (lambda: punto.money(HALF), "money() takes text as text, and was given 0.5."),
        (lambda: punto.show_money(HALF), "show_money() takes a whole number as amount, and was given 0.5."),
        (lambda: full_shoe(8 + HALF), "8.5"),
        (
            lambda: punto.settle(BOOK, CARDS, [punto.Wager("player", 100)], limits=punto.Limits(maximum=HALF)),
            "Limits takes a whole number or None as maximum, and was given 0.5.",
        ),
        (lambda: punto.Limits(minimum=TEN), "Limits takes a whole number or None as minimum, and was given '10'."),
        (lambda: Dealing(cut=TEN), "Dealing takes a whole number as cut, and was given '10'."),
        (lambda: full_shoe(TEN), "full_shoe() takes a whole number as decks, and was given '10'."),
        (
            lambda: punto.settle(
                INSURED, FIVE, [punto.Wager("player", 100)], [punto.Cover("four-cards", "player", 20, TEN)]
            ),
            "Cover takes a whole number as on, and was given '10'.",
        ),
        (
            lambda: menu(HOIANA, ONE),
            "menu() takes text or None as layout, and was given 1.",  # not: There is no layout 1; there are 1, 2, 3, 4
        ),
    ],
)
def test_a_part_of_a_unit_is_no_money_and_no_deck(called: Callable[[], object], says: str) -> None:
    """Also within a value whose class is right, and of functions that remember their answers."""
    with pytest.raises((TypeError, ValueError)) as caught:
        called()
    assert type(caught.value).__module__.startswith("punto.")
    assert says in str(caught.value)
