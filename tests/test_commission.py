"""Commission named in the file: taken at once or kept on record, rounded by rule, collected when the book says."""

import pytest

from own_head import head
from punto.audit.settlements import settlement_wrong
from punto.coup import deal
from punto.odds import bet_odds, full_shoe
from punto.rulebook import BadBook, Book, Library, Refused, load, menu, parse, source, whole
from punto.rulebook.differences import differences
from punto.settlement import Limits, Wager, settle
from punto.table import Table, act
from punto.table import commands as c
from punto.table import events as e
from punto.table.view import view
from random_commands import Chance, anything, play_on, something_goes_wrong
from seeds import seed_of
from table_world import World
from test_book_schema import as_json
from test_book_schema import faults as schema_faults

AT = "2026-03-01T20:00:00+08:00"
NATURAL = "5c 9d 3s Kh"  # Player 8, Banker 9: Banker wins
HEAD = (
    head()
    + """
[[pays.banker]]
bet = "banker"
when = { winner = "banker" }
odds = "1:1"
commission = "5%"
clause = "P.banker#win"

[[pays.banker]]
bet = "banker"
when = { winner = "tie" }
result = "stand-off"
clause = "P.banker#stand-off"

[money]
"""
)
COLLECTED = 'commission-collected = { value = ["shoe-end", "leaving"], clause = "M.collected" }\n'


def text_of(how: str = "on-record", more: str = COLLECTED) -> str:
    return f'{HEAD}commission = {{ value = "{how}", clause = "M.commission" }}\n{more}'


def book_of(how: str = "on-record", more: str = COLLECTED) -> Book:
    return parse(text_of(how, more).encode(), "mine.toml")


def rounding(how: str) -> str:
    return f'commission-rounding = {{ value = "{how}", clause = "M.rounding" }}\n'


# What it is worth: the same as odds of 0.95 to 1, by the book that prints them


def test_the_edge_is_that_of_the_odds_that_commission_leaves() -> None:
    shoe = full_shoe(8)
    named = bet_odds(menu(book_of("at-once", "")), shoe)["banker"].edge
    printed = bet_odds(menu(load("commission-insurance")), shoe)["banker"].edge
    assert named == printed
    assert f"{float(named):.4%}" == "1.0579%"


def test_commission_at_once_is_told_on_the_line() -> None:
    [line] = settle(book_of("at-once", ""), deal(NATURAL), [Wager("banker", 100_00)])
    assert (line.net, line.commission, line.odds) == (95_00, 5_00, "0.95:1")
    assert line.says.endswith("100.00 on Banker wins 95.00 at 0.95 to 1. Of 100.00 won 5.00 is commission.")
    with pytest.raises(Refused, match=r"stakes are a multiple of 0\.20"):
        settle(book_of("at-once", ""), deal(NATURAL), [Wager("banker", 100_10)])


@pytest.mark.parametrize(
    ("how", "stake", "unit", "net"),
    [
        ("up", 110_00, 1_00, 104_00),
        ("down", 110_00, 1_00, 105_00),
        ("nearest", 110_00, 1_00, 104_00),
        ("nearest", 109_00, 1_00, 104_00),
        ("up", 10_00, 5_00, 5_00),
        ("down", 10_00, 5_00, 10_00),
        ("up", 1_10, 1, 1_04),
    ],
)
def test_commission_is_rounded_to_the_chip_as_the_book_says(how: str, stake: int, unit: int, net: int) -> None:
    """Five hundredths of 110 are 5.50, of 109 are 5.45, of 10 are 0.50, of 1.10 are 0.055."""
    [line] = settle(
        book_of("at-once", rounding(how)), deal(NATURAL), [Wager("banker", stake)], limits=Limits(unit=unit)
    )
    assert (line.net, line.net + line.commission) == (net, stake)


def test_payments_are_rounded_down_only_where_a_clause_says_so() -> None:
    wager = [Wager("banker", 1_10)]
    policy = '\n[policy]\npayout-rounding = {{ value = "down", choices = ["exact", "down"], reading = "AMB-30"{} }}\n'
    text = text_of("at-once", "")
    [line] = settle(parse((text + policy.format(', clause = "M.pay"')).encode(), "mine.toml"), deal(NATURAL), wager)
    assert line.net == 1_04
    with pytest.raises(Refused, match="would need a recorded ruling"):
        settle(parse((text + policy.format("")).encode(), "mine.toml"), deal(NATURAL), wager)


UNITS = """commission-rounding = {{ value = "{how}", clause = "M.rounding" }}
commission-unit = {{ value = "{unit}", clause = "M.unit" }}
payout-unit = {{ value = "{paid}", clause = "M.paid" }}
"""
NEAREST = """
[policy]
payout-rounding = { value = "nearest", choices = ["nearest"], reading = "AMB-30", clause = "M.pay" }
"""


@pytest.mark.parametrize(
    ("how", "unit", "stake", "commission"),
    [
        ("nearest", "0.50", 105_00, 5_50),  # 5.25: half a unit goes up
        ("nearest", "0.50", 104_00, 5_00),  # 5.20
        ("down", "0.50", 109_00, 5_00),  # 5.45
        ("up", "1", 101_00, 6_00),  # 5.05
        ("nearest", "1", 109_00, 5_00),  # 5.45
    ],
)
def test_commission_is_rounded_to_the_unit_that_the_book_names(
    how: str, unit: str, stake: int, commission: int
) -> None:
    """Five hundredths of the stake, by hand; no chip is posted."""
    book = book_of("at-once", UNITS.format(how=how, unit=unit, paid="0.50") + NEAREST)
    [line] = settle(book, deal(NATURAL), [Wager("banker", stake)])
    assert (line.commission, line.net) == (commission, stake - commission)


@pytest.mark.parametrize(("stake", "net"), [(25_00, 24_00), (30_00, 29_00), (35_00, 33_00), (10_00, 10_00)])
def test_payments_are_rounded_to_the_nearest_unit_of_the_book(stake: int, net: int) -> None:
    """Nineteen twentieths of the stakes are 23.75, 28.50, 33.25 and 9.50: half a unit goes up."""
    rule = 'payout-unit = { value = "1", clause = "M.paid" }\n'
    book = book_of("at-once", rule + NEAREST)
    [line] = settle(book, deal(NATURAL), [Wager("banker", stake)])
    assert line.net == net
    assert ("rounded up to 1.00" in line.says, "rounded down to 1.00" in line.says) == (
        net * 20 > stake * 19,
        net * 20 < stake * 19,
    )


def test_without_rounding_stakes_go_in_steps_that_are_paid_in_whole_units() -> None:
    book = book_of("at-once", 'payout-unit = { value = "0.50", clause = "M.paid" }\n')
    assert settle(book, deal(NATURAL), [Wager("banker", 30_00)])[0].net == 28_50
    with pytest.raises(Refused, match=r"25\.00 on Banker could not be paid in chips of 0\.50: .* multiple of 10\.00"):
        settle(book, deal(NATURAL), [Wager("banker", 25_00)])


def test_a_unit_must_be_payable_in_the_currency_and_in_the_chips_of_the_table() -> None:
    library = Library().with_book(book_of("at-once", UNITS.format(how="up", unit="0.50", paid="0.50")))

    def opened(currency: str, unit: int) -> Table:
        command = c.OpenTable("mine", AT, 8, limits=Limits(1000_00, 5000_00, unit=unit), currency=currency)
        return act(None, command, library)[0]

    with pytest.raises(Refused, match=r"0\.50 is finer than the smallest amount of JPY\. \(mine M\.paid\)"):
        opened("JPY", 1)
    with pytest.raises(Refused, match=r"Chips of 0\.20 do not make the 0\.50 in which the book rounds"):
        opened("USD", 20)
    assert opened("USD", 25).chips.payment == 50
    assert opened("USD", 5_00).chips.payment == 5_00


# In the file


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ('"5%"', '"all"', "pays.banker[0].commission: 'all' is no commission: write it like 5%."),
        ('"5%"', '"100%"', "pays.banker[0].commission: '100%' is no commission"),
        ('"5%"', "5", "pays.banker[0].commission: must be text"),
        ('result = "stand-off"', 'result = "stand-off"\ncommission = "5%"', "commission: goes with odds"),
        ('commission = "5%"\n', "", "money.commission: no pay row has a commission"),
        ("[money]\n", '[money]\ncommission-unit = { value = "0.5", clause = "M" }\n', "commission-rounding is missing"),
        (
            "[money]\n",
            '[money]\npayout-unit = { value = "some", clause = "M" }\n',
            "'some' is no amount: write it like",
        ),
        ("[money]\n", '[money]\npayout-unit = { value = "0.00", clause = "M" }\n', "'0.00' is no amount"),
        ('value = "on-record"', 'value = "in-the-odds"', "money.commission: pay rows name a commission"),
        (COLLECTED, "", "money: commission-collected is missing"),
        ('commission = { value = "on-record", clause = "M.commission" }\n', "", "commission is missing under [money]"),
        ('["shoe-end", "leaving"]', '"never"', "commission-collected.value: 'never' is none of"),
    ],
)
def test_each_mistake_is_one_fault(before: str, after: str, says: str) -> None:
    text = text_of()
    assert before in text
    with pytest.raises(BadBook) as refused:
        parse(text.replace(before, after, 1).encode(), "mine.toml")
    [fault] = refused.value.faults
    assert says in f"{fault.key}: {fault.says}"


def test_the_words_are_of_the_published_format_and_in_the_difference() -> None:
    assert schema_faults(as_json(whole(text_of(more=COLLECTED + rounding("up")).encode(), "mine.toml").decode())) == []
    told = {each.point: each.b.value for each in differences(load("punto-banco"), book_of())}
    assert told["bet banker"].startswith("Banker wins 1 to 1 less 5%")
    assert told["money commission"] == "on-record"


# At a table

LIMITS = Limits(minimum=20_00, maximum=1000_00, differential=50_000_00, unit=1_00)


def opened(book: Book) -> tuple[list[e.Event], Table, Library]:
    library = Library().with_book(book)
    told: list[e.Event] = []
    table: Table | None = None
    people = c.Sit("ann", 1), c.BuyIn("ann", 1000_00), c.Sit("bob", 2), c.BuyIn("bob", 1000_00)
    for command in (c.OpenTable("mine", AT, 8, limits=LIMITS), c.LoadShoe(), *people):
        table, made = act(table, command, library)
        told += made
    assert table is not None
    return told, table, library


def won(book: Book, stake: int = 200_00) -> tuple[Table, Library]:
    """A table after a round that ann won on Banker."""
    _, table, library = opened(book)
    bet = c.Place("ann", "banker", stake, by="ann")
    for command in (c.OpenBets(), bet, c.CloseBets(), *[c.Draw()] * 4, c.Expose(tuple(NATURAL.split())), c.Settle()):
        before = table
        table, events = act(table, command, library)
    [settled] = [each for each in events if isinstance(each, e.RoundSettled)]
    assert settlement_wrong(before, settled) is None
    return table, library


def purse(table: Table, name: str = "ann") -> tuple[int, int]:
    return table.patrons[name].balance, table.patrons[name].owed


def test_commission_on_record_is_paid_out_and_owed() -> None:
    table, _ = won(book_of())
    assert purse(table) == (1200_00, 10_00)
    assert table.house == -2000_00 - 200_00 + 10_00
    [own] = [each for each in view(table, "ann").patrons if each.name == "ann"]
    assert own.owed == 10_00
    assert next(each for each in view(table, "bob").patrons if each.name == "ann").owed is None
    assert purse(won(book_of("at-once", ""))[0]) == (1190_00, 0)


def test_it_is_collected_when_the_shoe_ends() -> None:
    table, library = won(book_of())
    table, events = act(table, c.EndShoe(), library)
    [paid] = [each for each in events if isinstance(each, e.OwedPaid)]
    assert (paid.patron, paid.amount, paid.chips, paid.basis.clauses[-1]) == ("ann", 10_00, True, "M.collected")
    assert purse(table) == (1190_00, 0)


def test_it_is_collected_when_the_patron_leaves_and_kept_back_at_the_cage() -> None:
    table, library = won(book_of())
    assert purse(act(table, c.Leave("ann", by="ann"), library)[0]) == (1190_00, 0)
    after, events = act(table, c.CashOut("ann", by="ann"), library)
    assert [type(each) for each in events] == [e.OwedPaid, e.CashedOut]
    assert purse(after) == (0, 0)


def test_the_staff_collect_in_chips_only_where_the_book_collects_on_demand() -> None:
    table, library = won(book_of())
    collecting = c.PayOwed("ann", 10_00, chips=True)
    with pytest.raises(Refused, match="does not collect what patrons owe on demand"):
        act(table, collecting, library)
    assert purse(act(table, c.PayOwed("ann", 4_00, chips=True, by="ann"), library)[0]) == (1196_00, 6_00)
    demand = 'commission-collected = { value = "demand", clause = "M.collected" }\n'
    table, library = won(book_of(more=demand))
    assert purse(act(table, collecting, library)[0]) == (1190_00, 0)
    assert purse(act(table, c.EndShoe(), library)[0]) == (1200_00, 10_00)
    for command in (c.OpenBets(), c.Place("ann", "player", 1000_00, by="ann"), c.Place("ann", "tie", 195_00, by="ann")):
        table, _ = act(table, command, library)
    with pytest.raises(Refused, match=r"ann has 5\.00, not 10\.00"):
        act(table, collecting, library)


def insured_book() -> Book:
    """A shipped book, which has rules for wrong calls, with its commission kept on record."""
    text = source("commission-insurance").decode().replace('odds = "0.95:1"', 'odds = "1:1"\ncommission = "5%"', 1)
    text = text.replace('"in-the-odds"', '"on-record"', 1).replace('id = "commission-insurance"', 'id = "mine"', 1)
    return parse(text.replace("[money]\n", f"[money]\n{COLLECTED}", 1).encode(), "mine.toml")


def test_a_correction_corrects_the_commission_too() -> None:
    """The Banker's king was an eight: Player wins 8 to 7, so the win goes back, and its commission off the record."""
    table, library = won(insured_book())
    paid, _ = act(table, c.PayOwed("ann", 10_00, by="ann"), library)
    for known, was, left in ((table, (1200_00, 10_00), (800_00, 0)), (paid, (1200_00, 0), (810_00, 0))):
        assert purse(known) == was
        after, events = act(known, c.Report("wrong-call", cards=(3,), faces=("8h",)), library)
        assert any(isinstance(each, e.RoundSettled) and each.again for each in events)
        assert purse(after) == left, "who has paid the commission gets it back with the stake"


@pytest.mark.parametrize("how", ["exact", "up", "nearest"])
def test_whatever_happens_money_is_conserved(how: str) -> None:
    """A random walk with corrections; `World` asks every rule of keeping a table after each step."""
    told, _, library = opened(book_of(more=COLLECTED + rounding(how)))
    world, luck = World(told, library), Chance(seed_of(f"commission {how}"))
    for at in range(150):
        name = ("ann", "bob")[at % 2]
        if at % 9 == 0:
            world.ask(c.BuyIn(name, 500_00))
        if world.table.running is not None and at % 2:
            world.ask(c.Place(name, "banker", 20_00 * luck.one((1, 2, 5)), at % 2 + 1, by=name))
        world.ask(c.PayOwed(name, luck.one((1_00, 2_00)), chips=True, by=name))
        if world.table.open:
            world.ask(luck.one((play_on, play_on, play_on, something_goes_wrong, anything))(luck, world.table))
    assert world.accepted[c.PayOwed] > 0
