"""What loads, runs: a book with anything left out is refused with a line and a sentence, or it can be played.

`PUNTO_FULL=1`, which is what `make full` sets, leaves out every key at any depth, and plays longer.
"""

import os
import tomllib

import pytest

from punto.rulebook import SHIPPED, BadBook, Book, ids, parse, source
from random_commands import MOVES, Chance, opening
from table_world import World

from left_out import left_out, shown, without, written

FULL = bool(os.environ.get("PUNTO_FULL"))
DEPTH = None if FULL else 2
"""Two levels: sections, the points in them, and the rows of lists."""
TABLES, STEPS = (3, 80) if FULL else (1, 25)
PARTS = 4


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("book", ids())
def test_without_anything_a_book_is_refused_or_plays(book: str, part: int) -> None:
    """Commands in any order: the table answers or refuses, every rule of keeping it holds, and it comes to an end."""
    for number, (path, text) in enumerate(left_out(book, DEPTH)):
        if number % PARTS != part:
            continue
        left = loaded(text)
        if isinstance(left, BadBook):
            assert all(fault.line > 0 and fault.says.endswith(".") for fault in left.faults), shown(path)
            continue
        for seed in range(TABLES):
            try:
                play(left, Chance(f"{shown(path)} {seed}"))
            except Exception as error:
                error.add_note(f"{book} without {shown(path)}, table {seed}")
                raise


def loaded(text: bytes) -> Book | BadBook:
    try:
        return parse(text, "mine.toml")
    except BadBook as bad:
        return bad


def play(book: Book, luck: Chance) -> None:
    """Open a table of a book, ask for anything, and bring it to its end."""
    world = World(opening(luck, book), SHIPPED.with_book(book))
    for _ in range(STEPS):
        world.ask(luck.one(MOVES)(luck, world.table))
    world.end()


@pytest.mark.parametrize("book", ids())
def test_the_same_book_written_in_another_way_is_the_same(book: str) -> None:
    """Nothing but what is left out tells the variants from the book."""
    again = parse(written(tomllib.loads(source(book).decode())).encode(), "again.toml")
    shipped = SHIPPED.book(book)
    own = ("digest", "file", "text")
    assert all(getattr(again, name) == getattr(shipped, name) for name in again.__struct_fields__ if name not in own)


DEMANDED = {
    ("wu-song", "authority.residual"): "authority: residual is missing.",
    ("wu-song", "authority.residual.by"): (
        "authority.residual: by must name the rank that decides what the book does not cover."
    ),
    ("wu-song", "authority.ranks.0"): (
        "authority.ranks: must begin with the tier of the dealer, with another above it."
    ),
    ("wu-song", "bets.player.hand"): "bets.player: hand is missing.",
    ("wu-song", "limits.differential-late"): (
        "limits: differential-late is missing: the differential is applied, and may be exceeded unnoticed."
    ),
    ("commission-insurance", "insurance.lapses"): "insurance: lapses is missing.",
    ("da-hu-ying-xiong", "insurance.late-cap"): "[insurance] must have late-cap: how a late offer is made.",
    ("da-hu-ying-xiong", "insurance.late-bound"): "[insurance] must have late-bound: how a late offer is made.",
    ("dragon-tiger-mbs", "dealing.method-choice"): (
        "dealing: method-choice is missing: somebody must choose between the methods."
    ),
    ("dragon-tiger-mbs", "dealing.method-c"): "dealing: method-c is missing: somebody must choose Method C.",
    ("dragon-tiger-hoiana", "offers.shoe.divided"): (
        "offers.shoe: divided is missing: somebody must decide where the patrons are divided."
    ),
    ("dragon-tiger-hoiana", "offers.shoe.choices.1"): (
        "offers.shoe.choices: about the shoe the choice is between continue and replace-cards."
    ),
    ("dragon-tiger-hoiana", "disputes.references.clause.3"): (
        "disputes.references: clause must name the clause of the list, then one for each of its values."
    ),
}
"""What a table asks for without anything to fall back on, and what the loader says if it is not there."""


@pytest.mark.parametrize(("book", "path"), DEMANDED)
def test_what_a_table_cannot_do_without_is_demanded(book: str, path: str) -> None:
    with pytest.raises(BadBook) as bad:
        parse(without(book, path), "mine.toml")
    assert DEMANDED[book, path] in str(bad.value)


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ('{ offer = "order-fixed" }', '"offer"', "offer takes one of order-fixed or shoe."),
        (
            '["dealer-inspector"',
            '["dealer"',
            "'dealer' cannot be a rank, or stands there twice.",
        ),
        ('["assistant-director"]', '["house"]', "'house' cannot be a rank, or stands there twice."),
    ],
)
def test_words_that_a_table_could_not_make_sense_of_are_refused(before: str, after: str, says: str) -> None:
    text = source("dragon-tiger-hoiana").decode()
    assert before in text
    with pytest.raises(BadBook) as bad:
        parse(text.replace(before, after, 1).encode(), "mine.toml")
    assert says in str(bad.value)
