"""A card that is printed on the layout counts in a hand and comes from no shoe: 7 Up Baccarat."""

from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest

from own_head import head
from punto.audit.card_positions import CardPositions
from punto.coup import BadCards, card, headline
from punto.odds import bet_odds, deals, full_shoe, outcomes_beside
from punto.report.coups import courses_by_outcome, deal_course
from punto.report.liability import liability
from punto.rulebook import BadBook, Basis, Book, Library, PrintedCard, Refused, deal_by, load, menu, parse, source
from punto.rulebook.differences import differences
from punto.scenario import play, read
from punto.settlement import Limits, Wager, enforced, explain, settle
from punto.table import Table, act
from punto.table import commands as c
from punto.table import events as e
from punto.table.places import where
from random_commands import Chance, anything, play_on, something_goes_wrong
from seeds import seed_of
from table_world import World
from test_book_schema import as_json
from test_book_schema import faults as schema_faults

from second import draw

AT = "2026-03-01T20:00:00+08:00"
LIMITS = Limits(minimum=20_00, maximum=1000_00, differential=50_000_00, unit=1_00)
HEAD = (
    head("seven-up", "Seven up")
    + """
[cards]
printed = { player-first = "7", clause = "C.seven" }
"""
)
PAIR = """
[bets.twin]
name = "Twin"
clause = "B.twin"
loses = "B.twin"
[[pays.twin]]
bet = "twin"
when = { pairs = ["player", "banker"] }
odds = "4:1"
clause = "P.twin#one"
[[pays.twin]]
bet = "twin"
when = { all-cards = { ranks = "7", count = "3-6" } }
odds = "20:1"
clause = "P.twin#sevens"
[layouts.plain]
pays = ["player", "banker", "tie", "twin"]
"""


def book_of(text: str = HEAD) -> Book:
    return parse(text.encode(), "seven-up.toml")


# What it is worth


@pytest.mark.parametrize("place", range(4))
def test_every_deal_from_a_small_shoe_is_counted_once(place: int) -> None:
    """Nine cards, all 15,120 orders of five of them, laid beside the printed one by the second implementation."""
    where_printed = ("player-first", "banker-first", "player-second", "banker-second")[place]
    book = book_of(HEAD.replace("player-first", where_printed) + PAIR)
    ranks = (1, 3, 5, 6, 7, 7, 9, 13, 13)
    shoe = [ranks.count(rank) for rank in range(1, 14)]
    met: Counter[str] = Counter()
    for drawn in permutations(ranks, 5):
        laid = (*drawn[:place], 7, *drawn[place:])
        coup = draw(*laid)
        met[coup.winner] += 1
        one_pair = bool(coup.player_pair) != bool(coup.banker_pair)
        met["pair"] += one_pair
        met["sevens"] += not one_pair and laid[: coup.used].count(7) > 2
    odds = bet_odds(menu(book), shoe)
    assert deals(shoe, 5) == sum(met[each] for each in ("player", "banker", "tie")) == odds["tie"].total
    assert odds["player"].rows[0].deals == met["player"]
    assert odds["tie"].rows[0].deals == met["tie"]
    assert [row.deals for row in odds["twin"].rows] == [met["pair"], met["sevens"]]


# What is paid


def test_drawn_cards_are_laid_beside_the_printed_one() -> None:
    book = book_of()
    coup = deal_by(book, "5h Kc Kd Ks", 8)
    assert headline(coup) == "Player 7 Kc = 7, Banker 5h Kd Ks = 5: Player wins"
    assert [line.net for line in settle(book, coup, [Wager("player", 100_00), Wager("tie", 10_00)])] == [100_00, -10_00]
    first, *_ = [step for step in explain(book, coup, [Wager("player", 100_00)]) if "printed" in step.says]
    assert first.says == (
        "7 is printed on the layout as a card of the Player; the Player begins with 7 Kc, the Banker with 5h Kd."
    )
    assert first.basis.clause == "C.seven"
    with pytest.raises(BadCards, match=r"needs 5; here are 4\. The printed card, 7, is among them\."):
        deal_by(book, "5h Kc Kd")
    with pytest.raises(BadCards, match="1 deck holds it only once"):
        deal_by(book, "5h Kc Kd 5h", 1)
    assert deal_by(book, "7c 7d 7h 7s 2c", 1).cards[0] == card("7"), "the printed card is none of the four of the deck"


# In the file


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ('player-first = "7", ', "", "cards.printed: must name one card, as player-first, banker-first, player-second"),
        ('player-first = "7"', 'player-first = "7", banker-first = "7"', "cards.printed: must name one card"),
        ('"7"', '"1"', "cards.printed.player-first: '1' is not a card"),
        ("player-first", "player-third", "cards.printed.player-third: is not a word of the format here"),
        ('{ player-first = "7", clause = "C.seven" }', '"7"', "cards.printed: must be a table, like { player-first"),
    ],
)
def test_each_mistake_is_one_fault(before: str, after: str, says: str) -> None:
    assert before in HEAD
    with pytest.raises(BadBook) as refused:
        parse(HEAD.replace(before, after, 1).encode(), "mine.toml")
    [fault] = refused.value.faults
    assert says in f"{fault.key}: {fault.says}"
    assert fault.line == 10


def test_what_does_not_go_with_it_is_told() -> None:
    text = source("commission-insurance").decode()
    insured = text.replace("[cards]\n", '[cards]\nprinted = { player-first = "7", clause = "3.2" }\n', 1)
    with pytest.raises(BadBook, match="insurance is priced from the cards of the shoe"):
        parse(insured.encode(), "mine.toml")
    red = PAIR.replace('ranks = "7", count = "3-6"', 'colour = "red"')
    with pytest.raises(BadBook, match="7 needs its suit: a bet looks at suits"):
        book_of(HEAD + red)
    assert book_of(HEAD.replace('"7"', '"7h"') + red).cards.printed is not None


def test_the_words_are_of_the_published_format_and_in_the_difference() -> None:
    assert schema_faults(as_json(HEAD)) == []
    told = {each.point: each.b.value for each in differences(load("punto-banco"), book_of())}
    assert told["printed card"] == "7 as player-first"


# At a table


def opened(book: Book) -> tuple[list[e.Event], Table, Library]:
    library = Library().with_book(book)
    told: list[e.Event] = []
    table: Table | None = None
    people = c.Sit("ann", 1), c.BuyIn("ann", 1000_00), c.Sit("bob", 2), c.BuyIn("bob", 1000_00)
    for command in (c.OpenTable(book.id, AT, 8, limits=enforced(book, LIMITS)), c.LoadShoe(), *people):
        table, made = act(table, command, library)
        told += made
    assert table is not None
    return told, table, library


def test_a_round_takes_three_cards_first_and_the_shoe_has_all_others(tmp_path: Path) -> None:
    (tmp_path / "seven-up.toml").write_text(HEAD, encoding="utf-8")
    story = """scenario Three cards are dealt beside the printed seven
open-table seven-up.toml 2026-03-01T20:00:00+08:00 decks=8 minimum=10 maximum=1000
load-shoe
sit ann 1
buy-in ann 1000
open-bets
place ann player 100
close-bets
draw
draw
draw
expose 5h Kc Kd
draw
expose Ks
settle
  line ann player win 100
open-bets
place ann tie 100
close-bets
draw
draw
draw
expose 7h Kc Kd
settle
  line ann tie win 800
"""
    played = play(read(story, str(tmp_path / "told.scenario")))
    assert not played.differences
    table = played.table
    assert table is not None
    assert where(table)["shoe"] == 416 - 4 - 3
    assert sum(where(table).values()) == 416
    positions = CardPositions()
    for event in played.events:
        positions.take(event)
    assert positions.felt == [-1, 4, 5, 6], "the first place belongs to no card of the shoe"


@pytest.mark.parametrize("place", ["player-first", "banker-second"])
def test_whatever_goes_wrong_cards_and_money_are_conserved(place: str) -> None:
    """A random walk by a book with rules for every error; `World` asks every rule of keeping a table."""
    text = source("wu-song").decode().replace('id = "wu-song"', 'id = "mine"', 1)
    text = text.replace("[cards]\n", f'[cards]\nprinted = {{ {place} = "7", clause = "3.2" }}\n', 1)
    told, _, library = opened(parse(text.encode(), "mine.toml"))
    world, luck = World(told, library), Chance(seed_of(f"printed {place}"))
    for at in range(250):
        if world.table.running is not None and at % 2:
            world.ask(c.Place("ann", luck.one(("player", "banker", "tie")), 20_00, 1, by="ann"))
        if world.table.open:
            world.ask(luck.one((play_on, play_on, play_on, something_goes_wrong, anything))(luck, world.table))
    assert world.accepted[c.Settle] > 3
    assert world.accepted[c.Report] > 3


def test_nothing_is_wrong_with_the_printed_card() -> None:
    text = source("wu-song").decode().replace('id = "wu-song"', 'id = "mine"', 1)
    text = text.replace("[cards]\n", '[cards]\nprinted = { player-first = "7h", clause = "3.2" }\n', 1)
    _, table, library = opened(parse(text.encode(), "mine.toml"))
    for command in (c.OpenBets(), c.Place("ann", "player", 100_00, by="ann"), c.CloseBets(), c.Draw()):
        table, _ = act(table, command, library)
    assert table.round is not None
    assert [(each.area, each.printed) for each in table.round.cards] == [("player", True), ("banker", False)]
    with pytest.raises(Refused, match="The printed card is no card of the shoe"):
        act(table, c.Report("exposed-card", cards=(0,)), library)


# What it can cost the house

SEVENS = """
[bets.sevens]
name = "Sevens"
clause = "B.sevens"
loses = "B.sevens"
[[pays.sevens]]
bet = "sevens"
when = { pairs = ["player", "both", "twin"], player-points = 8, player-cards = 2 }
odds = "100:1"
clause = "P.sevens#eight"
[[pays.sevens]]
bet = "sevens"
when = { pairs = ["player", "both", "twin"] }
odds = "11:1"
clause = "P.sevens"
[layouts.plain]
pays = ["player", "banker", "tie", "sevens"]
"""


def test_the_greatest_payout_is_that_of_a_row_that_can_be_met_beside_the_card() -> None:
    """A pair with the printed seven counts 4: the Player draws, and never has 8 with two cards."""
    found = liability(menu(book_of(HEAD + SEVENS)), Limits(maximum=100_00), boxes=1)
    assert found.greatest["sevens"] == 1100_00
    assert found.box.amount == 1100_00 + 800_00, "the pair and a tie at 8:1"
    assert headline(found.box.coup).startswith("Player 7 7")


@pytest.mark.parametrize("place", range(4))
def test_courses_beside_a_printed_card_are_those_that_can_be_dealt(place: int) -> None:
    """The outcomes are those that a count over all deals of five cards finds."""
    printed = PrintedCard(place, card("7h"), Basis())
    found = courses_by_outcome(printed)
    dealt = {at for at, deals in enumerate(outcomes_beside(printed, full_shoe(8))) if deals}
    assert sorted(each.outcome for each in found) == sorted(dealt)
    for course in found:
        coup = deal_course(course, printed)
        assert coup.outcome == course.outcome
        assert coup.cards[place] == printed.card
