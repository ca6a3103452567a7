"""The most that one round pays: posted at the table, counted as the book says, cut pro rata and told on the line."""

import pytest
from msgspec.structs import replace

from punto.audit.settlements import settlement_wrong, third_time
from punto.coup import deal
from punto.report.liability import liability
from punto.rulebook import BadBook, Book, Library, Refused, load, menu, parse, source
from punto.rulebook.differences import differences
from punto.settlement import Cover, Limits, Line, Wager, explain, settle
from punto.table import Table, act
from punto.table import commands as c
from punto.table import events as e
from punto.table.view import view
from random_commands import Chance, anything, play_on
from seeds import seed_of
from table_world import World

AT = "2026-03-01T20:00:00+08:00"
PANDA = "2c 2d 3s 2h 3c Kd"  # Player 2 3 3 = 8 with three cards, Banker 2 2 K = 4
EZ = source("ez-baccarat").decode().replace('id = "ez-baccarat"', 'id = "mine"')
BETS = 'payout-bets = { value = ["dragon-7", "panda-8", "tie"], clause = "L.payout#bets" }\n'


def book_of(scope: str = "table", bets: str = BETS) -> Book:
    said = f'[limits]\npayout-scope = {{ value = "{scope}", clause = "L.payout" }}\n{bets}'
    return parse(f"{EZ}\n{said}".encode(), "mine.toml")


def nets(lines: list[Line]) -> list[int]:
    return [line.net for line in lines]


WAGERS = [Wager("player", 100_00), Wager("panda-8", 20_00), Wager("panda-8", 40_00), Wager("dragon-7", 10_00)]


# Settled by hand: 20 and 40 at 25 to 1 are 500 and 1,000; with 900 for both they are paid 300 and 600


def test_payments_over_the_payout_are_cut_pro_rata() -> None:
    book = book_of()
    assert nets(settle(book, deal(PANDA), WAGERS)) == [100_00, 500_00, 1000_00, -10_00]
    lines = settle(book, deal(PANDA), WAGERS, limits=Limits(payout=900_00))
    assert nets(lines) == [100_00, 300_00, 600_00, -10_00]
    assert lines[1].says.endswith("1500.00 would be paid and the most is 900.00: 300.00 is paid here.")
    assert lines[1].clauses == ("P.panda-8", "L.payout")
    assert lines[0].clauses == ("P.player",), "Player is none of the bets that it counts"
    assert nets(settle(book, deal(PANDA), WAGERS, limits=Limits(payout=1500_00))) == [100_00, 500_00, 1000_00, -10_00]


def test_where_the_book_names_no_bets_every_payment_counts() -> None:
    lines = settle(book_of(bets=""), deal(PANDA), WAGERS, limits=Limits(payout=800_00))
    assert nets(lines) == [50_00, 250_00, 500_00, -10_00], "1,600 is due, and half of it is paid"


def test_a_cut_payment_is_whole_chips_and_never_more_than_the_payout() -> None:
    lines = settle(book_of(), deal(PANDA), WAGERS, limits=Limits(payout=1000_00, unit=10_00))
    assert nets(lines)[1:3] == [330_00, 660_00]


@pytest.mark.parametrize(
    ("scope", "paid"),
    [
        ("wager", [500_00, 600_00, 600_00]),
        ("patron", [200_00, 400_00, 600_00]),
        ("box", [500_00, 300_00, 300_00]),
        ("table", [120_00, 240_00, 240_00]),
    ],
)
def test_it_is_counted_over_what_the_book_says(scope: str, paid: list[int]) -> None:
    """Ann has 20 in box 1 and 40 in box 2, Bob 40 in box 2: 500, 1,000 and 1,000 are due, and 600 is the payout."""
    wagers = [Wager("panda-8", stake) for stake in (20_00, 40_00, 40_00)]
    owners = [("ann", 1), ("ann", 2), ("bob", 2)]
    lines = settle(book_of(scope), deal(PANDA), wagers, limits=Limits(payout=600_00), owners=owners)
    assert nets(lines) == paid


def test_cover_is_paid_by_the_house_and_counts() -> None:
    text = source("commission-insurance").decode()
    said = 'payout-scope = { value = "patron", clause = "5.1" }'
    book = parse(text.replace("[limits]", f"[limits]\n{said}", 1).encode(), "mine.toml")
    coup, wager = deal("6h 2c Kd As 5h"), [Wager("player", 100_00)]
    cover = [Cover("four-cards", "player", 20_00, 0)]
    assert nets(settle(book, coup, wager, cover)) == [-100_00, 60_00]
    assert nets(settle(book, coup, wager, cover, limits=Limits(payout=50_00))) == [-100_00, 50_00]


def test_a_payout_without_a_rule_for_it_is_refused() -> None:
    with pytest.raises(Refused, match="has no rule by which a posted payout cuts payments: post none"):
        settle(load("wu-song"), deal(PANDA), [Wager("player", 100_00)], limits=Limits(payout=1))
    opening = c.OpenTable("wu-song", AT, 8, limits=Limits(1000, 100000, 100000, payout=100000))
    with pytest.raises(Refused, match="post none"):
        act(None, opening)
    with pytest.raises(Refused, match=r"payout of 0\.00 is none"):
        Limits(payout=0)


def test_the_arithmetic_is_told() -> None:
    steps = explain(book_of(), deal(PANDA), WAGERS, limits=Limits(payout=900_00))
    assert any(each.says.endswith("300.00 is paid here. 20.00 x 25 = 500.00, paid 300.00.") for each in steps)


# In the file


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ('payout-bets = { value = ["panda-8"], clause = "1" }', "limits: payout-scope is missing: it must be known"),
        ('displayed = { value = ["payout"], clause = "1" }', "limits: payout-scope is missing: a payout is displayed"),
        ('payout-scope = { value = "round", clause = "1" }', "limits.payout-scope.value: 'round' is none of wager"),
        (
            'payout-scope = { value = "box", clause = "1" }\npayout-bets = { value = ["panda-9"], clause = "1" }',
            "there is no bet 'panda-9': perhaps panda-8",
        ),
    ],
)
def test_each_mistake_is_one_fault(said: str, says: str) -> None:
    with pytest.raises(BadBook) as refused:
        parse(f"{EZ}\n[limits]\n{said}\n".encode(), "mine.toml")
    [fault] = refused.value.faults
    assert says in f"{fault.key}: {fault.says}"


def test_the_difference_of_two_books_has_it() -> None:
    told = {each.point: each.b.value for each in differences(load("ez-baccarat"), book_of())}
    assert told["limits payout-scope"] == "table"
    assert told["limits payout-bets"] == "dragon-7, panda-8, tie"


# At a table

LIMITS = Limits(minimum=10_00, maximum=1000_00, unit=1_00, payout=600_00)


def opened(scope: str) -> tuple[list[e.Event], Table, Library]:
    library = Library().with_book(book_of(scope))
    told: list[e.Event] = []
    table: Table | None = None
    people = c.Sit("ann", 1), c.Sit("bob", 2), c.BuyIn("ann", 5000_00), c.BuyIn("bob", 5000_00)
    for command in (c.OpenTable("mine", AT, 8, limits=LIMITS), c.LoadShoe(), *people):
        table, made = act(table, command, library)
        told += made
    assert table is not None
    return told, table, library


@pytest.mark.parametrize(
    ("scope", "paid"),
    [("patron", {"ann": [200_00, 400_00], "bob": [600_00]}), ("box", {"ann": [500_00, 300_00], "bob": [300_00]})],
)
def test_a_table_pays_no_more_and_every_audit_agrees(scope: str, paid: dict[str, list[int]]) -> None:
    _, table, library = opened(scope)
    bets = [("ann", 20_00, 1), ("ann", 40_00, 2), ("bob", 40_00, 2)]
    laid = [c.Place(name, "panda-8", stake, box, by=name) for name, stake, box in bets]
    cards = PANDA.split()
    for command in (c.OpenBets(), *laid, c.CloseBets(), *[c.Draw()] * 4, c.Expose(tuple(cards[:4])), c.Draw()):
        table, _ = act(table, command, library)
    for command in (c.Expose((cards[4],)), c.Draw(), c.Expose((cards[5],))):
        table, _ = act(table, command, library)
    before = table
    table, events = act(table, c.Settle(), library)
    [settled] = [each for each in events if isinstance(each, e.RoundSettled)]
    assert {name: [line.net for line in lines] for name, lines in settled.lines.items()} == paid
    assert settlement_wrong(before, settled) is None
    assert before.round is not None
    assert third_time(before, before.round) is not None
    assert table.house == -10_000_00 - sum(map(sum, paid.values()))
    assert view(table).limits.payout == 600_00


@pytest.mark.parametrize("scope", ["table", "patron"])
def test_whatever_happens_money_is_conserved(scope: str) -> None:
    """A random walk in which long odds are won often; `World` asks every rule of keeping a table after each step."""
    told, _, library = opened(scope)
    world, luck = World(told, library), Chance(seed_of(f"payout {scope}"))
    for at in range(120):
        name = ("ann", "bob")[at % 2]
        if world.table.running is not None and at % 2:
            world.ask(c.Place(name, luck.one(["tie", "panda-8", "player"]), 100_00, at % 2 + 1, by=name))
        if world.table.open:
            world.ask(luck.one((play_on, play_on, play_on, anything))(luck, world.table))


# What a house can lose


def test_liability_respects_the_payout() -> None:
    """Dragon 7 at 40 to 1 is the dearest: 10 boxes with 100 on it and 1,000 on Banker pay 40,000 and 10,000."""
    posted = Limits(maximum=1000_00, maximums={"dragon-7": 100_00, "panda-8": 100_00, "tie": 100_00})
    carried = menu(book_of())
    plain = liability(carried, posted, boxes=10)
    assert (plain.box.amount, plain.round.amount) == (4000_00, 40_000_00), "Banker stands off on Dragon 7"
    capped = liability(carried, replace(posted, payout=3000_00), boxes=10)
    assert (capped.box.amount, capped.greatest["dragon-7"]) == (3500_00, 3000_00), "Panda 8: 2,500 and 1,000 on Player"
    assert capped.round.amount == 13_000_00, "3,000 in all, and 1,000 on Player in each box"
    by_box = liability(menu(book_of("box")), replace(posted, payout=3000_00), boxes=10)
    assert by_box.round.amount == 35_000_00
    by_patron = liability(menu(book_of("patron")), replace(posted, payout=3000_00), boxes=10)
    assert by_patron.round.amount == 40_000_00
