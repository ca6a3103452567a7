"""Money has a currency: its digits by ISO 4217, the chip as the smallest amount, in every way in and out.

The digits of each currency are those of ISO 4217's list one (minor unit): dong and yen have none, dinars of Kuwait
three.
"""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from punto.amounts import BadAmount, amounts_in, digits_of, money, show_money
from punto.audit import history_of, verify
from punto.audit.entries import decoded
from punto.coup import deal
from punto.history import BadHistory, dump, load
from punto.journal import Append, Journal
from punto.messages import render
from punto.messages.catalogue import english
from punto.rulebook import Refused
from punto.rulebook import load as book
from punto.scenario import BadScenario, play, read, write
from punto.settlement import Limits, Wager, explain, settle
from punto.settlement.rounds import settle_lines
from punto.table import ENGINE, Table, act, encode, evolve
from punto.table import commands as c
from punto.table import events as e
from punto.table.invariants import money_wrong
from punto.table.next_steps import next_steps
from punto.table.view import view

from test_cli import ok, refused

AT = "2025-03-01T20:00:00+08:00"
CARDS = "K 4 2 J 9"
"""Player 2 and 9 makes 1, Banker 4 and nothing: 4 to 1, Banker wins."""


def opened(currency: str, *commands: c.Command, limits: Limits | None = None) -> tuple[Table, list[e.Event]]:
    """A table of Wu Song in a currency, after some commands."""
    posted = limits or Limits(minimum=50_000, maximum=5_000_000, differential=5_000_000)
    table, events = act(None, c.OpenTable("wu-song", AT, decks=8, currency=currency, limits=posted))
    told = [*events]
    for command in commands:
        table, events = act(table, command)
        told += events
    return table, told


SEATED = (c.Sit("ann", 1, by="ann"), c.BuyIn("ann", 1_000_000), c.LoadShoe(), c.OpenBets())
ROUND = (
    c.Place("ann", "banker", 100_000, by="ann"),
    c.CloseBets(),
    *[c.Draw()] * 4,
    c.Expose(("Kh", "4c", "2d", "Js")),
    c.Draw(),
    c.Expose(("9h",)),
    c.Settle(),
)


@pytest.mark.parametrize(
    ("currency", "digits"),
    [("USD", 2), ("SGD", 2), ("HKD", 2), ("MOP", 2), ("VND", 0), ("JPY", 0), ("KRW", 0), ("KWD", 3), ("BHD", 3)],
)
def test_an_amount_has_the_digits_of_its_currency(currency: str, digits: int) -> None:
    assert digits_of(currency) == digits
    assert money("12", currency) == 12 * 10**digits
    assert money(show_money(123456, currency), currency) == 123456
    assert ("." in show_money(5, currency)) == bool(digits)


def test_what_is_finer_than_the_minor_unit_is_refused_with_the_unit() -> None:
    for text, currency, least in (("10.50", "JPY", "1"), ("10.505", "SGD", "0.01"), ("10.5055", "KWD", "0.001")):
        with pytest.raises(BadAmount, match=f"'{text}' is finer than the minor unit, {least}\\."):
            money(text, currency)
    assert money("10.00", "JPY") == 10
    with pytest.raises(BadAmount, match=r"write it like 100\.$"):
        money("x", "JPY")


def test_a_table_of_dong_speaks_of_whole_dong() -> None:
    table, _ = opened("VND", *SEATED)
    with pytest.raises(Refused) as refusal:
        act(table, c.Place("ann", "player", 2_000_000, by="ann"))
    assert refusal.value.reason == "ann has 1000000 left."
    _, [_, advised] = act(table, c.Place("ann", "player", 10_000, by="ann"))
    assert isinstance(advised, e.WagerAdvised)
    assert advised.says.startswith("The minimum is 50000: ")
    again = render(refusal.value.message, english(), {"money": lambda amount: show_money(amount, "VND")})
    assert again == refusal.value.reason
    assert (view(table).currency, view(table).digits) == ("VND", 0)


def test_a_settled_round_in_dong_is_told_in_dong_and_taken_up_again() -> None:
    table, told = opened("VND", *SEATED, *ROUND)
    [settled] = [each for each in told if isinstance(each, e.RoundSettled)]
    assert settled.lines["ann"][0].says == "Banker wins 4 to 1: 100000 on Banker wins 100000 at 1 to 1."
    assert all(".00" not in step.says for step in next_steps(table))
    again: Table | None = None
    for event in told:
        again = evolve(again, event)
    assert again == table


def test_the_same_round_in_dollars_has_cents() -> None:
    [line] = settle(book("wu-song"), deal(CARDS), [Wager("banker", 10_000)])
    assert line.says == "Banker wins 4 to 1: 100.00 on Banker wins 100.00 at 1 to 1."
    [line] = settle(book("wu-song"), deal(CARDS), [Wager("banker", 10_000)], currency="KWD")
    assert line.says == "Banker wins 4 to 1: 10.000 on Banker wins 10.000 at 1 to 1."
    last = explain(book("wu-song"), deal(CARDS), [Wager("banker", 10_000)], currency="VND")[-1]
    assert last.says.endswith("10000 x 1 = 10000.")
    with amounts_in("VND"):
        pass
    assert show_money(100) == "1.00"


def test_a_table_keeps_its_currency() -> None:
    table, _ = opened("VND")
    limits = Limits(minimum=50_000, maximum=5_000_000, differential=5_000_000)
    with pytest.raises(Refused, match="A table keeps its currency, which is VND here: open another table for USD"):
        act(table, c.ChangeBook("da-hu-ying-xiong", AT, decks=8, limits=limits))
    after, _ = act(table, c.ChangeBook("da-hu-ying-xiong", AT, decks=8, limits=limits, currency="VND"))
    assert after.book.id == "da-hu-ying-xiong"


def test_an_invariant_speaks_in_the_currency_of_its_table() -> None:
    table, _ = opened("VND", *SEATED)
    broken = Table(table.book, table.setup, patrons=table.patrons, house=table.house + 500)
    assert money_wrong(broken) == "the money at the table does not sum to nothing: 500 is left over"


STORY = """scenario A story in yen
open-table wu-song 2025-03-01T20:00:00+08:00 decks=8 minimum=1000 differential=100000 currency=JPY
sit ann 1
buy-in ann 50000
  event bought-in amount=50000
  ann has 50000
  house -50000
load-shoe
open-bets
place ann player 50002
  refused says="ann has 50000 left."
place ann player 500
  event wager-advised patron=ann says="The minimum is 1000:"
withdraw ann player
place ann player 5000
  ann has 45000
  ann holds 5000
"""


def test_a_story_is_told_in_the_currency_of_its_table() -> None:
    played = play(read(STORY))
    assert played.differences == ()
    assert played.table is not None
    assert played.table.patrons["ann"].balance == 45000
    with pytest.raises(BadScenario, match=r":4: '500.50' is finer than the minor unit, 1\."):
        read(STORY.replace("buy-in ann 50000", "buy-in ann 500.50"))
    wrong = play(read(STORY.replace("has 45000", "has 450"))).differences
    assert [each.found for each in wrong] == ["ann has 45000"]


@pytest.mark.parametrize("currency", ["JPY", "USD", "KWD"])
def test_a_story_that_is_written_is_read_as_the_same(currency: str) -> None:
    given = [
        c.OpenTable("wu-song", AT, 8, currency=currency, limits=Limits(minimum=1001, unit=7, maximums={"tie": 5005})),
        c.BuyIn("ann", 50_001, by="ann"),
    ]
    lines = "\n".join(write(each, currency) for each in given)
    found = read(f"scenario Written\n{lines}\n")
    assert [each.command.get("amount") for each in found.steps] == [None, 50_001]
    assert found.steps[0].command["limits"] == {"minimum": 1001, "unit": 7, "maximums": {"tie": 5005}}


def test_rounds_as_json_lines_name_a_currency() -> None:
    given = {"rulebook": "wu-song", "cards": CARDS, "wagers": [{"bet": "banker", "stake": 1500}], "currency": "JPY"}
    fine = {**given, "wagers": [{"bet": "banker", "stake": "1500.50"}]}
    strange = {**given, "currency": "yen!"}
    limits = {**given, "limits": {"unit": 1000}}
    answers = [json.loads(answer) for answer, _ in settle_lines(map(json.dumps, (given, fine, strange, limits)))]
    assert (answers[0]["lines"][0]["stake"], answers[0]["lines"][0]["net"]) == ("1500", "1500")
    assert "1500 on Banker wins 1500" in answers[0]["lines"][0]["says"]
    assert answers[1]["error"] == "'1500.50' is finer than the minor unit, 1."
    assert answers[2]["error"] == "'yen!' is not a currency: write three letters, like SGD."
    assert (
        answers[3]["error"]
        == "1500 on Banker could not be paid in chips of 1000: stakes are a multiple of 2000. (AMB-30)"
    )


def test_the_command_line_takes_a_currency() -> None:
    told = ok("explain", "wu-song", CARDS, "banker=1500", "--currency", "VND")
    assert "1500 on Banker wins 1500 at 1 to 1. 1500 x 1 = 1500." in told
    assert "finer than the minor unit, 1." in refused("explain", "wu-song", CARDS, "banker=10.50", "--currency", "JPY")


def test_a_history_names_its_currency_before_or_after_its_amounts() -> None:
    text = "punto history 1\nrulebook wu-song\ncurrency JPY\nlimit minimum 1000\n"
    text += f"\nround 1\ncards {CARDS}\nwager banker 1500 = 1500\n"
    found = load(text)
    assert found.shoes[0].limits[0].amount == 1000
    assert found.shoes[0].rounds[0].wagers[0].net == 1500
    assert dump(found) == text
    later = text.replace("currency JPY\nlimit minimum 1000\n", "limit minimum 1000\ncurrency JPY\n")
    assert load(later) == found
    two = load(text + "\nshoe\nrulebook wu-song\nlimit minimum 10.50\n")
    assert [shoe.limits[0].amount for shoe in two.shoes] == [1000, 1050]
    with pytest.raises(BadHistory, match=r"'1500\.5' is finer than the minor unit"):
        load(text.replace("wager banker 1500 ", "wager banker 1500.5 "))
    with pytest.raises(BadHistory, match="'yen' is not a currency"):
        load(text.replace("JPY", "yen"))


def test_an_old_history_without_a_currency_is_read_as_it_was_written() -> None:
    """Exports used to have two decimals whatever the currency, which stood in a field beside them."""
    [shoe] = load("punto history 1\nrulebook wu-song\nlimit minimum 10\n_currency JPY\n").shoes
    assert (shoe.limits[0].amount, shoe.currency) == (1000, None)


def test_a_journal_in_dong_is_whole_and_exports_dong(tmp_path: Path) -> None:
    journal = Journal(f"sqlite:///{tmp_path / 'dong.db'}")
    journal.upgrade()
    posted = Limits(minimum=50_000, maximum=5_000_000, differential=5_000_000)
    opening = c.OpenTable("wu-song", AT, decks=8, currency="VND", limits=posted)
    table: Table | None = None
    sequence = 0
    for at, command in enumerate((opening, *SEATED, *ROUND)):
        table, events = act(table, command)
        bodies = tuple(map(encode, events))
        journal.append([Append("main", sequence, f"key {at}", "dealer", AT, bodies, encode(command), ENGINE)])
        sequence += len(events)
    [found] = verify(journal)
    assert (found.wrong, found.decided, found.rounds) == (None, 1 + len(SEATED) + len(ROUND), 1)
    history = history_of("main", decoded(journal, "main"))
    assert history is not None
    text = dump(history)
    assert "\ncurrency VND\n" in text
    assert "\nwager banker 100000 = 100000 by ann\n" in text
    assert load(text) == history


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node to run the pages' code with")
def test_the_pages_show_and_read_what_the_house_does() -> None:
    """The browser's own functions, for 0, 2 and 3 digits, beside those of the house."""
    base = Path(__file__).parents[1] / "src/punto/web/base"
    script = f"""
      globalThis.navigator ??= {{ language: "en" }};
      globalThis.document ??= {{ documentElement: {{}} }};
      const {{ money, shortMoney, useDigits }} = await import("{base}/money.js");
      const {{ parseMoney }} = await import("{base}/typed-money.js");
      const told = [];
      for (const digits of [0, 2, 3]) {{
        useDigits(digits);
        const many = shortMoney(10 ** digits * 15000);
        told.push([money(1234567, "exact"), parseMoney("1,050.5"), parseMoney("1050"), many]);
      }}
      console.log(JSON.stringify(told));
    """
    run = subprocess.run(["node", "--input-type=module", "-e", script], capture_output=True, text=True, check=True)
    shown = json.loads(run.stdout)
    assert [each[0].replace(",", "") for each in shown] == [
        show_money(1234567, currency) for currency in ("JPY", "USD", "KWD")
    ]
    assert [each[1] for each in shown] == [None, 105050, 1050500]
    assert [each[2] for each in shown] == [money("1050", currency) for currency in ("JPY", "USD", "KWD")]
    assert {each[3] for each in shown} == {"15k"}
