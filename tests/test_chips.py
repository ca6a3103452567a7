"""Chips are the smallest amount at a table: the steps of stakes and cover, and that nothing there is finer (AMB-30)."""

import json
from fractions import Fraction
from itertools import count
from pathlib import Path

import pytest
from msgspec.structs import replace

from punto import history
from punto.audit import history_of, settle_again, verify
from punto.audit.entries import decoded
from punto.coup import deal
from punto.explore.coups import coups
from punto.journal import Append, Journal
from punto.lint import lint
from punto.rulebook import SHIPPED, Refused, ids, load, menu, parse, source
from punto.settlement import Chips, Cover, Limits, Wager, chips_of, most_cover, payable, settle
from punto.settlement.rounds import settle_lines
from punto.table import ENGINE, Patron, Range, Setup, Table, act, encode, legal_commands
from punto.table import commands as c
from punto.table import events as e
from punto.table.invariants import broken, chips_wrong
from punto.table.view import view
from random_commands import Chance, an_opportunity, anything, play_on, something_goes_wrong
from table_world import World

COMMISSION, DA_HU, MBS = "commission-insurance", "da-hu-ying-xiong", "dragon-tiger-mbs"
AT = "2026-11-15T20:00:00+08:00"
CHIP = 100_00
LIMITS = Limits(minimum=2_000_00, maximum=100_000_00, differential=100_000_00, unit=CHIP)
FINE = Limits(minimum=1000, maximum=100_000_00, differential=100_000_00)
LAYOUTS = [(book, layout) for book in ids() for layout in load(book).layouts]
PLAYER_LOSES = ("6h", "2c", "Kd", "As")
MANAGER = "table-game-shift-manager"
OLD = 4


def opened(book: str = COMMISSION, limits: Limits = LIMITS, *given: c.Command, engine: int = ENGINE) -> Table:
    """A table with ann and bob, who have a hundred thousand each."""
    by = load(book).ranks[-1][-1]
    opening = c.OpenTable(book, AT, 8, limits=limits, method=_method(book), by=by)
    table, _ = act(None, opening, engine=engine)
    seats = (c.LoadShoe(), c.Sit("ann", 1), c.Sit("bob", 2), c.BuyIn("ann", 100_000_00), c.BuyIn("bob", 100_000_00))
    for command in (*seats, *given):
        table, _ = act(table, command, engine=engine)
    return table


def after(table: Table, *given: c.Command) -> Table:
    for command in given:
        table, _ = act(table, command)
        assert broken(table) is None
    return table


def laid(table: Table, patron: str, bet: str) -> int:
    assert table.round is not None
    return sum(each.stake for (name, _, on), each in table.round.wagers.items() if (name, on) == (patron, bet))


# The step


@pytest.mark.parametrize("unit", [1, 7, 100, 2500])
def test_the_step_is_the_least_stake_in_chips_that_every_row_pays_in_chips(unit: int) -> None:
    """Found by trying one chip after the other, with the odds as the books print them."""
    for book, layout in LAYOUTS:
        for priced in menu(load(book), layout).bets.values():
            printed = [row.odds.text.split(":") for row in priced.rows if row.odds]
            odds = [Fraction(pays) / int(staked) for pays, staked in printed]
            tried = (chips * unit for chips in count(1))
            least = next(stake for stake in tried if all(stake * each % unit == 0 for each in odds))
            assert Chips(unit).step(priced) == least
            assert Chips(unit, "up").step(priced) == Chips(unit, "down").step(priced) == unit


def test_no_payment_of_any_outcome_is_finer_than_the_chip() -> None:
    """All books and layouts, one step on each bet, every outcome that can be dealt."""
    dealt = list(coups().values())
    for book in ids():
        carried, limits = menu(load(book)), Limits(unit=CHIP)
        wagers = [Wager(bet, Chips(CHIP).step(priced)) for bet, priced in carried.bets.items()]
        for coup in dealt[::7]:
            assert all(line.net % CHIP == 0 for line in settle(carried.book, coup, wagers, limits=limits))


@pytest.mark.parametrize(("book", "cards"), [(COMMISSION, "6 2 K A 5"), (DA_HU, "5 8 K 6 8")])
def test_cover_goes_in_steps_too_and_its_cap_can_be_struck(book: str, cards: str) -> None:
    """Da Hu offers 3 to 2 on Player 5 against 4: chips of 100 by two."""
    coup, limits = deal(cards), Limits(maximum=100_000_00, unit=CHIP)
    original = [Wager("player", 1_900_00)]
    most = most_cover(load(book), coup, "four-cards", "player", 1_900_00, limits)
    assert most % chips_of(load(book), limits).unit == 0
    line = settle(load(book), coup, original, [Cover("four-cards", "player", most, 0)], limits=limits)[-1]
    assert line.net == most * Fraction(*map(int, (line.odds or "").split(":")))
    assert line.net % CHIP == 0
    if book == DA_HU:
        assert (line.odds, most) == ("3:2", 1_800_00)
        says = r"300\.00 on Player Insurance .* chips of 100\.00: stakes are a multiple of 200\.00\. \(AMB-30\)"
        with pytest.raises(Refused, match=says):
            settle(load(book), coup, original, [Cover("four-cards", "player", 300_00, 0)], limits=limits)


def test_without_a_chip_the_cent_is_the_smallest() -> None:
    """AMB-30's own: Banker 25 at 0.95 is 23.75, cover 25 at 3 to 2 is 37.50."""
    assert settle(load(COMMISSION), deal("2 8 K 8 8"), [Wager("banker", 2500)])[0].net == 2375
    coup, limits = deal("5 8 K 6 8"), Limits(maximum=10**6)
    lines = settle(load(DA_HU), coup, [Wager("player", 10000)], [Cover("four-cards", "player", 2500, 0)], limits=limits)
    assert lines[-1].net == 3750


def test_rounds_as_json_lines_are_settled_in_chips() -> None:
    given = {"rulebook": COMMISSION, "cards": "2 8 K 8 8", "limits": {"unit": 100}}
    wagers = [[{"bet": "banker", "stake": stake}] for stake in (100, 2000)]
    told = settle_lines(json.dumps({**given, "wagers": each}) for each in wagers)
    small, large = (json.loads(answer) for answer, _ in told)
    says = "100.00 on Banker could not be paid in chips of 100.00: stakes are a multiple of 2000.00. (AMB-30)"
    assert small["error"] == says
    assert large["lines"][0]["net"] == "1900.00"


def test_what_limits_leave_of_a_stake_goes_in_steps() -> None:
    """Of 5000 on Banker a maximum of 4100 leaves two steps of 2000; of Player, at even money, 41 chips."""
    limits = Limits(maximum=4_100_00, unit=CHIP)
    for bet, plays in (("banker", 4_000_00), ("player", 4_100_00)):
        [line] = settle(load(COMMISSION), deal("2 8 K 8 8"), [Wager(bet, 6_000_00)], limits=limits)
        assert (line.effective, line.returned) == (plays, 6_000_00 - plays)


# At a table


def test_a_table_opens_with_a_minimum_that_can_be_laid_on_every_bet() -> None:
    posted = Limits(minimum=CHIP, maximum=LIMITS.maximum, differential=LIMITS.differential, unit=CHIP)
    with pytest.raises(Refused) as refused:
        opened(COMMISSION, posted)
    told = "The minimum of 100.00 cannot be laid on Banker, where stakes are a multiple of 2000.00: "
    assert str(refused.value) == told + "post a minimum of 2000.00 for it. (AMB-30)"
    table = opened(COMMISSION, payable(menu(load(COMMISSION)), posted))
    assert (table.setup.limits.minimum, table.setup.limits.minimums) == (CHIP, {"banker": 2_000_00})
    with pytest.raises(Refused, match="post a minimum of"):
        act(table, c.PostLimits(posted, by=MANAGER))


def test_a_ruling_on_rounding_leaves_minimums_that_can_be_laid() -> None:
    """One chip of 100 is laid on Banker where payments are rounded up; to pay exactly, the minimum is posted first."""
    posted = Limits(minimum=CHIP, maximum=10**7, differential=10**7, unit=CHIP, rounding="up")
    table = opened(COMMISSION, posted)
    exact = c.Rule("payout-rounding", "exact", "The odds are mandatory.", by=MANAGER)
    with pytest.raises(Refused, match=r"The minimum of 100\.00 cannot be laid on Banker"):
        act(table, exact)
    table = after(table, c.PostLimits(replace(posted, minimum=2_000_00), by=MANAGER), exact)
    assert view(table).steps["banker"] == 2_000_00


def test_a_wager_is_laid_found_and_lowered_in_steps() -> None:
    table = after(opened(), c.OpenBets())
    with pytest.raises(
        Refused, match=r"100\.00 on Banker .* chips of 100\.00: stakes are a multiple of 2000\.00\. \(AMB-30"
    ):
        act(table, c.Place("ann", "banker", CHIP))
    table = after(table, c.Place("ann", "banker", 4_000_00), c.Place("ann", "player", 3_100_00))
    with pytest.raises(Refused, match=r"a multiple of 2000\.00"):
        act(table, c.Lower("ann", "banker", CHIP))
    table = after(table, c.Lower("ann", "banker", 2_000_00), c.CloseBets())
    with pytest.raises(Refused, match=r"a multiple of 2000\.00"):
        act(table, c.Find("bob", "banker", 3_000_00, 2))
    assert laid(table, "ann", "banker") == 2_000_00


def test_banker_is_paid_in_whole_chips() -> None:
    """Banker wins 8 to 0: 2000 at 0.95 to 1 are 1900."""
    bets = (c.OpenBets(), c.Place("ann", "banker", 2_000_00), c.CloseBets())
    table = after(opened(), *bets, *[c.Draw()] * 4, c.Expose(("K", "K", "K", "8")), c.Settle())
    assert table.patrons["ann"].balance == 101_900_00


def test_money_over_a_limit_comes_back_so_that_steps_are_left() -> None:
    """The maximum of 4500 leaves Banker room for two steps of 2000, and the differential of 4500 likewise."""
    posted = Limits(minimum=2_000_00, maximum=4_500_00, differential=9_000_00, unit=CHIP)
    table = after(opened(COMMISSION, posted), c.OpenBets(), c.Place("ann", "banker", 6_000_00))
    assert laid(table, "ann", "banker") == 4_000_00
    posted = Limits(minimum=2_000_00, maximum=90_000_00, differential=4_500_00, unit=CHIP)
    table = after(opened(COMMISSION, posted), c.OpenBets(), c.Place("ann", "banker", 6_000_00))
    assert laid(table, "ann", "banker") == 4_000_00
    assert table.patrons["ann"].balance == 96_000_00


def test_what_is_removed_to_cure_the_differential_is_whole_steps() -> None:
    """Wagers are removed by a question: Player is over a differential of 10050 by 1950, so 2000 come off."""
    posted = Limits(minimum=2_000_00, maximum=90_000_00, differential=10_050_00, unit=CHIP)
    table = opened(MBS, posted, c.OpenBets(), c.Place("ann", "player", 12_000_00), c.CloseBets())
    [question] = table.questions
    assert question.topic == "differential"
    table = after(table, c.Answer(question.id, "remove", by=question.to))
    assert laid(table, "ann", "player") == 10_000_00
    assert table.patrons["ann"].balance == 90_000_00


def test_cover_is_offered_struck_and_listed_in_steps() -> None:
    """Da Hu's 3 to 2 on Player 5 against 4: of 1900 the cap of the stake leaves nine steps of 200."""
    table = opened(DA_HU, LIMITS, c.OpenBets(), c.Place("ann", "player", 3_900_00), c.CloseBets(), *[c.Draw()] * 4)
    table = after(table, c.Expose(("5h", "8c", "Kd", "6s")), c.OfferInsurance())
    offer = view(table, "ann").round.offer  # type: ignore[union-attr] # a round is running
    assert offer is not None
    assert (offer.odds, offer.step, offer.most) == ("3:2", 200_00, {"ann/1": 3_800_00})
    with pytest.raises(
        Refused, match=r"could not be paid in chips of 100\.00: stakes are a multiple of 200\.00\. \(AMB-30"
    ):
        act(table, c.Insure("ann", "player", CHIP))
    [listed] = legal_commands(table, "ann", [c.Insure])
    assert listed.fields["stake"] == Range(200_00, 3_800_00, 200_00)
    assert after(table, c.Insure("ann", "player", 3_800_00)).patrons["ann"].held == 7_700_00


def test_the_view_says_the_steps() -> None:
    seen = view(opened())
    assert seen.steps == {**dict.fromkeys(seen.steps, CHIP), "banker": 2_000_00}
    assert seen.step == 2_000_00
    up = view(opened(COMMISSION, Limits(minimum=CHIP, maximum=10**7, differential=10**7, unit=CHIP, rounding="up")))
    assert set(up.steps.values()) == {up.step} == {CHIP}


def test_debts_are_paid_in_chips() -> None:
    table = opened()
    patrons = {**table.patrons, "ann": Patron(1, 0, 0, 300_00)}
    owing = replace(table, patrons=patrons, house=table.house + 100_300_00)
    assert broken(owing) is None
    with pytest.raises(Refused, match=r"50\.00 cannot be had in chips: the smallest is 100\.00\. \(AMB-30\)"):
        act(owing, c.PayOwed("ann", 50_00))
    assert act(owing, c.PayOwed("ann", CHIP))[0].patrons["ann"].owed == 200_00
    [listed] = legal_commands(owing, "ann", [c.PayOwed])
    assert listed.fields["amount"] == Range(CHIP, 300_00, CHIP)


def test_another_chip_is_posted_where_every_amount_stays_whole() -> None:
    played = (c.OpenBets(), c.Place("ann", "player", 2_000_00), c.CloseBets(), *[c.Draw()] * 4)
    table = after(opened(), *played, c.Expose(("9h", "Kc", "Kd", "2s")), c.Settle())
    finer = after(table, c.PostLimits(FINE, by=MANAGER), c.OpenBets(), c.Place("ann", "banker", 20_20))
    assert laid(finer, "ann", "banker") == 20_20
    coarser = Limits(minimum=4_000_00, maximum=100_000_00, differential=100_000_00, unit=200_00)
    with pytest.raises(
        Refused, match=r"paid in chips of 100\.00, and may still be put right.*between two shoes.*AMB-30"
    ):
        act(table, c.PostLimits(coarser, by=MANAGER))
    change = c.ChangeBook(COMMISSION, AT, 8, limits=coarser, by=MANAGER)
    assert after(table, c.EndShoe(), change).setup.limits.unit == 200_00
    with pytest.raises(Refused, match=r"ann has or owes 101900\.00, which chips of 200\.00 do not make up"):
        act(after(table, c.CashOut("ann", CHIP), c.EndShoe()), change)


def test_an_amount_below_the_chip_is_a_breach() -> None:
    table = opened()
    for held, owed in ((50_00, 0), (0, 50_00)):
        patrons = {"ann": Patron(1, CHIP, held, owed)}
        told = chips_wrong(Table(table.book, table.setup, house=-CHIP, patrons=patrons))
        assert told is not None
        assert told.endswith("50.00, which chips of 100.00 do not make up")
    setup = Setup(COMMISSION, "", "A", 7, LIMITS, 8)
    assert chips_wrong(Table(table.book, setup, house=-1, patrons={"ann": Patron(1, 1)})) is None


@pytest.mark.parametrize("book", ids())
def test_whatever_happens_every_amount_is_whole_chips(book: str) -> None:
    """A short random walk at a table with a coarse chip; `World` asks every rule of keeping a table after each step."""
    luck = Chance(17)
    world = World(_events(book))
    for at in range(300):
        name = ("ann", "bob")[at % 2]
        if at % 9 == 0:
            world.ask(c.BuyIn(name, 20_000_00))
        if at % 3 == 0 and world.table.running is not None:
            bet = luck.one(list(world.table.menu.bets))
            step = world.table.chips.step(world.table.menu[bet])
            world.ask(c.Place(name, bet, step * luck.one((1, 1, 2, 3)), 1, by=name))
        makers = (play_on, play_on, play_on, play_on, an_opportunity, something_goes_wrong, anything)
        if world.table.open:
            world.ask(luck.one(makers)(luck, world.table))
    assert world.accepted[c.Place] > 2
    assert not any(each.balance % CHIP or each.owed % CHIP for each in world.table.patrons.values())


def _events(book: str) -> list[e.Event]:
    limits = Limits(minimum=2_000_00, maximum=50_500_00, differential=20_500_00, unit=CHIP)
    told: list[e.Event] = []
    table: Table | None = None
    opening = c.OpenTable(book, AT, 8, limits=limits, method=_method(book), by=load(book).ranks[-1][-1])
    for command in (opening, c.LoadShoe(), c.Sit("ann", 1), c.Sit("bob", 2)):
        table, made = act(table, command)
        told += made
    return told


def _method(book: str) -> str | None:
    return "B" if load(book).point("dealing", "methods") is not None else None


# Tables of earlier engines

BETS = (c.OpenBets(), c.Place("ann", "banker", CHIP), c.CloseBets(), *[c.Draw()] * 4, c.Expose(("K", "K", "K", "8")))
OLD_LIMITS = Limits(minimum=CHIP, maximum=100_000_00, differential=100_000_00, unit=CHIP)


def test_a_table_of_an_earlier_engine_goes_on_to_the_cent() -> None:
    """100 on Banker in chips of 100 won 95 there, and does until its book is changed."""
    table = opened(COMMISSION, OLD_LIMITS, engine=OLD)
    assert not table.setup.whole_chips
    table = after(table, *BETS, c.Settle())
    assert table.patrons["ann"].balance == 100_095_00
    change = c.ChangeBook(COMMISSION, AT, 8, limits=LIMITS, by=MANAGER)
    with pytest.raises(Refused, match=r"100095\.00, which chips of 100\.00 do not make up"):
        act(after(table, c.EndShoe()), change)
    assert after(table, c.EndShoe(), c.CashOut("ann"), change).setup.whole_chips


def test_a_journal_of_an_earlier_engine_with_coarse_chips_is_decided_again(tmp_path: Path) -> None:
    """Every command of it, and its history is settled again from the record alone."""
    given = (c.LoadShoe(), c.Sit("ann", 1), c.BuyIn("ann", 100_000_00), *BETS, c.Settle())
    journal = Journal(f"sqlite:///{tmp_path}/punto.db")
    journal.upgrade()
    table, sequence = None, 0
    opening = c.OpenTable(COMMISSION, AT, 8, limits=OLD_LIMITS)
    for at, command in enumerate((opening, *given)):
        table, made = act(table, command, engine=OLD)
        bodies = tuple(encode(each) for each in made)
        journal.append([Append("t1", sequence, f"key {at}", "dealer", AT, bodies, encode(command), OLD)])
        sequence += len(made)
    [found] = verify(journal)
    assert (found.wrong, found.decided, found.rounds) == (None, len(given) + 1, 1)
    assert not sum(found.not_decided.values())
    recorded = history_of("t1", decoded(journal, "t1"))
    assert recorded is not None
    [shoe] = recorded.shoes
    assert [line.net for line in settle_again(shoe, shoe.rounds[0])] == [95_00]
    assert "_chips" not in history.dump(recorded)
    journal.close()


def test_a_rounding_that_the_book_gives_no_choice_of_cannot_be_posted() -> None:
    """AMB-30: rounding is the book's to allow; where its policy names exact alone, nobody posts another."""
    text = source(COMMISSION).decode().replace(f'id = "{COMMISSION}"', 'id = "mine"', 1)
    narrow = parse(text.replace('choices = ["exact", "up", "down"]', 'choices = ["exact"]').encode(), "mine.toml")
    posted = replace(LIMITS, rounding="up")
    opening = c.OpenTable("mine", AT, 8, limits=posted, method=_method(COMMISSION), by=narrow.ranks[-1][-1])
    says = r"'up' cannot be posted: payout-rounding is one of exact in this book\."
    with pytest.raises(Refused, match=says):
        act(None, opening, SHIPPED.with_book(narrow))
    with pytest.raises(Refused, match=says):
        settle(narrow, deal("2 8 K 8 8"), [Wager("banker", 2_000_00)], limits=posted)
    table, _ = act(None, replace(opening, limits=LIMITS), SHIPPED.with_book(narrow))
    with pytest.raises(Refused, match=says):
        act(table, c.PostLimits(posted, by=MANAGER), SHIPPED.with_book(narrow))
    assert "rounding" in {each.kind for each in lint(load(COMMISSION))}
    assert "rounding" not in {each.kind for each in lint(narrow)}
