"""Bets of the first four cards: paid when these lie open, or placed then, before a third card is drawn."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest

from own_head import head
from punto.audit.settlements import settlement_wrong
from punto.compare.forms import differing
from punto.coup import card, cards, deal
from punto.exposure import nets_of
from punto.odds import bet_odds, full_shoe, net_vector, odds_after_four, without
from punto.report.assumptions import assumptions
from punto.report.exposed import expose_book
from punto.report.groups import layout_groups
from punto.rulebook import BadBook, Book, Library, Refused, menu, parse, source
from punto.rulebook.bet_rules import bet_rules
from punto.service.runtime.dealer_plan import BETTING, Memory, planned
from punto.settlement import Limits, Wager, enforced, settle
from punto.table import Table, act, legal_commands
from punto.table import commands as c
from punto.table import events as e
from punto.table.view import view
from random_commands import Chance, anything, play_on, something_goes_wrong
from seeds import seed_of
from table_world import World
from test_book_schema import as_json
from test_book_schema import faults as schema_faults

from second import draw

AT = "2026-03-01T20:00:00+08:00"
LIMITS = Limits(minimum=20_00, maximum=1000_00, differential=50_000_00, unit=1_00)
HEAD = head()
BETS = """
[bets.natural]
name = "Natural"
clause = "B.natural"
loses = "B.natural"
settled = { value = "first-four", clause = "R.first-four" }

[bets.comeback]
name = "Comeback"
clause = "B.comeback"
loses = "B.comeback"
placed = { value = "after-first-four", when = { player-two-card = "4-7" }, clause = "R.after-four" }

[[pays.sides]]
bet = "natural"
when = { natural = ["player", "both"] }
odds = "2:1"
clause = "P.natural"
[[pays.sides]]
bet = "natural"
when = { player-start = { same = "rank" } }
odds = "8:1"
clause = "P.natural#pair"
[[pays.sides]]
bet = "comeback"
when = { winner = "banker" }
odds = "1:1"
clause = "P.comeback"
[[pays.sides]]
bet = "comeback"
when = { winner = "tie" }
odds = "4:1"
clause = "P.comeback#tie"
"""
LAYOUT = """
[layouts.plain]
pays = ["player", "banker", "tie", "sides"]
"""


def text_of(more: str = "") -> str:
    return HEAD + BETS + LAYOUT + more


def book_of(more: str = "") -> Book:
    return parse(text_of(more).encode(), "mine.toml")


# What they are worth


def test_odds_are_counted_over_the_deals_in_which_the_bet_can_be_placed() -> None:
    """All 60,480 orders of six of nine cards, dealt by the second implementation."""
    ranks = (1, 3, 5, 6, 7, 7, 9, 13, 13)
    shoe = [ranks.count(rank) for rank in range(1, 14)]
    met: Counter[str] = Counter()
    for drawn in permutations(ranks, 6):
        coup = draw(*drawn)
        points = sum(rank for rank in (drawn[0], drawn[2]) if rank < 10) % 10
        if coup.used > 4 and points in range(4, 8):
            met[coup.winner] += 1
    odds = bet_odds(menu(book_of()), shoe)["comeback"]
    assert [row.deals for row in odds.rows] == [met["banker"], met["tie"]]
    assert odds.total == met.total()
    assert odds.offered == Fraction(met.total(), 9 * 8 * 7 * 6 * 5 * 4)
    assert odds.edge == Fraction(met["player"] - met["banker"] - 4 * met["tie"], met.total())


def test_odds_after_four_cards_are_those_of_the_cards_that_can_still_come() -> None:
    ranks = (1, 3, 5, 6, 7, 7, 9, 13, 13)
    first = (13, 3, 5, 1)  # Player 5, Banker 4
    rest = list(ranks)
    for rank in first:
        rest.remove(rank)
    met = Counter(draw(*first, *thirds).winner for thirds in permutations(rest, 2))
    four = cards("K 3 5 A")
    shoe = without([ranks.count(rank) for rank in range(1, 14)], four)
    found = odds_after_four(menu(book_of()), shoe, four)
    assert list(found) == ["comeback"]
    assert [row.probability for row in found["comeback"].rows] == [
        Fraction(met["banker"], met.total()),
        Fraction(met["tie"], met.total()),
    ]
    for shut in ("K 9 9 K", "K 3 2 A"):  # a natural; the Player has 2
        assert odds_after_four(menu(book_of()), full_shoe(8), cards(shut)) == {}


def test_all_windows_together_are_the_whole() -> None:
    """The edge over all deals is the mean of the edges after every first four cards, weighed by their deals."""
    ranks = (2, 4, 5, 6, 8, 9, 13, 13)
    shoe = [ranks.count(rank) for rank in range(1, 14)]
    carried = menu(book_of())
    net, times = Fraction(0), 0
    for four in permutations(ranks, 4):
        first = tuple(card("A23456789TJQK"[rank - 1]) for rank in four)
        found = odds_after_four(carried, without(shoe, first), first).get("comeback")
        if found is not None:
            net, times = net + found.edge, times + 1
    whole = bet_odds(carried, shoe)["comeback"]
    assert whole.edge == net / times
    assert whole.offered == Fraction(times, 8 * 7 * 6 * 5)


def test_no_outcome_tells_what_it_nets() -> None:
    carried = menu(book_of())
    assert "comeback" not in nets_of(carried).names
    assert "comeback" not in carried.laid_before.bets
    with pytest.raises(ValueError, match="Comeback is placed when the first four cards lie open"):
        net_vector(carried["comeback"])


# What is paid


def test_a_certificate_says_what_its_figures_are_of() -> None:
    book = book_of()
    exposed = expose_book(book, shoes=2)
    assert [name for bets in exposed.groups.values() for _, name in bets] == ["Player", "Banker", "Tie", "Natural"]
    said = assumptions(book, layout_groups(book), 8, None, None, exposed)
    [(says, basis)] = [each for each in said if "Comeback" in each[0]]
    assert "in runs of shoes it is staked in every round in which it can be" in says
    assert basis.clauses == ("R.after-four",)


def test_a_bet_that_could_not_be_placed_is_refused() -> None:
    book = book_of()
    lines = settle(book, deal("K 3 5 A 6 5"), [Wager("comeback", 10_00), Wager("natural", 10_00)])
    assert [(line.bet, line.net) for line in lines] == [("comeback", 10_00), ("natural", -10_00)]
    assert lines[1].says.startswith("The first cards are Player K 5, Banker 3 A: 10.00 on Natural")
    with pytest.raises(Refused, match=r"Comeback could not be placed after these first four cards\. \(R\.after-four\)"):
        settle(book, deal("K 9 9 K"), [Wager("comeback", 10_00)])


# In the file


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        (
            '{ natural = ["player", "both"] }',
            '{ winner = "tie" }',
            "bets.natural.settled: the pay row on line",
        ),
        ("{ player-start = { same", "{ all-cards = { same", "bets.natural.settled: the pay row on line"),
        ('when = { player-two-card = "4-7" }', "when = { cards = 5 }", "bets.comeback.placed: when looks at more than"),
        (
            '"first-four", cl',
            '"first-five", cl',
            "bets.natural.settled.value: 'first-five': only 'first-four' is possible",
        ),
        (
            'settled = { value = "first-four", clause = "R.first-four" }',
            'settled = "first-four"',
            "must be a table, like",
        ),
        (
            'loses = "B.comeback"\n',
            'loses = "B.comeback"\nsettled = { value = "first-four", clause = "R" }\n',
            "bets.comeback.settled: the pay row on line",
        ),
    ],
)
def test_each_mistake_is_told_at_its_key(before: str, after: str, says: str) -> None:
    text = text_of()
    assert before in text
    with pytest.raises(BadBook) as refused:
        parse(text.replace(before, after, 1).encode(), "mine.toml")
    assert says in f"{refused.value.faults[0].key}: {refused.value.faults[0].says}"


def test_a_payout_that_is_shared_at_the_end_counts_nothing_that_is_paid_before() -> None:
    shared = '\n[limits]\npayout-scope = { value = "table", clause = "M.payout" }\n'
    with pytest.raises(BadBook, match="name the others under payout-bets"):
        book_of(shared)
    assert book_of(shared + 'payout-bets = { value = ["tie"], clause = "M.payout" }\n').bets
    assert book_of(shared.replace('"table"', '"wager"')).bets


def test_the_words_are_of_the_published_format_and_books_are_told_apart_by_them() -> None:
    assert schema_faults(as_json(text_of())) == []
    book = book_of()
    plain = parse(text_of().replace('settled = { value = "first-four", clause = "R.first-four" }\n', "").encode(), "x")
    assert differing(book, plain) == ["moments natural"]
    told = {rule.key: str(rule.says) for bet in ("natural", "comeback") for rule in bet_rules(book, book.bets[bet])}
    assert told["settled"] == "and is paid as soon as the first four cards lie open"
    assert told["placed"].startswith("only while the first four cards lie open, a third is to come, and it is: 4-7 on")


# At a table


def opened(book: Book, **setup: object) -> tuple[list[e.Event], Table, Library]:
    library = Library().with_book(book)
    told: list[e.Event] = []
    table: Table | None = None
    people = c.Sit("ann", 1), c.BuyIn("ann", 1000_00), c.Sit("bob", 2), c.BuyIn("bob", 1000_00)
    for command in (c.OpenTable(book.id, AT, 8, limits=enforced(book, LIMITS), **setup), c.LoadShoe(), *people):  # type: ignore[arg-type]  # of the command
        table, made = act(table, command, library)
        told += made
    assert table is not None
    return told, table, library


def after_four(book: Book, faces: str, *bets: str, **setup: object) -> tuple[Table, Library, list[e.Event]]:
    """A table whose first four cards lie open, with 100 of ann's on each of some bets."""
    told, table, library = opened(book, **setup)
    wagers = [c.Place("ann", bet, 100_00, by="ann") for bet in bets]
    steps = (c.OpenBets(), *wagers, c.CloseBets(), *[c.Draw()] * 4, c.Expose(tuple(faces.split())))
    for command in steps:
        table, made = act(table, command, library)
        told += made
    return table, library, told


def purse(table: Table) -> tuple[int, int]:
    return table.patrons["ann"].balance, table.patrons["ann"].held


LOW = "Kc 3d 5s Ah"  # Player 5, Banker 4: the Player draws
PAIR = "3c 2d 3s Ah"  # Player 6 with a pair, Banker 3: the Banker draws


def test_a_bet_is_paid_before_the_third_card_and_not_again_at_the_end() -> None:
    table, library, told = after_four(book_of(), PAIR, "natural", "player")
    [paid] = [each for each in told if isinstance(each, e.FirstFourSettled)]
    assert [line.net for line in paid.lines["ann"]] == [800_00]
    assert paid.basis.clauses == ("R.first-four",)
    assert purse(table) == (1700_00, 100_00)
    assert [line.bet for line in view(table, "ann").round.lines["ann"]] == ["natural"]  # type: ignore[union-attr]  # it runs
    with pytest.raises(Refused, match=r"ann's wager on natural is paid already\. \(mine R\.first-four\)"):
        act(table, c.Pull("ann", "natural"), library)
    for command in (c.Draw(), c.Expose(("5c",))):
        table, _ = act(table, command, library)
    before = table
    table, events = act(table, c.Settle(), library)
    [settled] = [each for each in events if isinstance(each, e.RoundSettled)]
    assert {line.bet: line.net for line in settled.lines["ann"]} == {"natural": 800_00, "player": -100_00}
    assert settled.moves == {"ann": (0, 0)}
    assert settlement_wrong(before, settled) is None
    assert purse(table) == (1700_00, 0)


def test_a_void_round_takes_back_what_was_paid() -> None:
    table, library, _ = after_four(book_of(), PAIR, "natural", "player")
    table, _ = act(table, c.Report("other", note="The roof fell in."), library)
    [question] = table.questions
    ruling = c.Answer(question.id, "rule", "Nobody can play on.", remedies=({"void": True},), by="floor-manager")
    after, events = act(table, ruling, library)
    [back] = [each for each in events if isinstance(each, e.FirstFourReversed)]
    assert back.moves == {"ann": (-900_00, 0)}
    [ended] = [each for each in events if isinstance(each, e.RoundEnded)]
    assert ended.returned == {"ann": 200_00}
    assert purse(after) == (1000_00, 0)


def test_what_cannot_be_taken_back_is_owed() -> None:
    """Who has cashed out meanwhile owes what the void round takes back."""
    table, library, _ = after_four(book_of(), PAIR, "natural")
    table, _ = act(table, c.CashOut("ann", 1700_00, by="ann"), library)
    table, _ = act(table, c.Report("other", note="The roof fell in."), library)
    [question] = table.questions
    ruling = c.Answer(question.id, "rule", "Nobody can play on.", remedies=({"void": True},), by="floor-manager")
    after, _ = act(table, ruling, library)
    ann = after.patrons["ann"]
    assert ann.balance - ann.owed == -700_00


def test_a_bet_is_placed_in_its_window_and_at_no_other_time() -> None:
    _, table, library = opened(book_of())
    placing = c.Place("ann", "comeback", 100_00, by="ann")
    table, _ = act(table, c.OpenBets(), library)
    with pytest.raises(
        Refused, match=r"Comeback is placed when the first four cards lie open\. \(mine R\.after-four\)"
    ):
        act(table, placing, library)
    table, library, told = after_four(book_of(), LOW)
    [window] = [each for each in told if isinstance(each, e.LateBetsOpened)]
    assert (window.bets, window.basis.clauses) == (("comeback",), ("R.after-four",))
    assert view(table).round.late == ("comeback",)  # type: ignore[union-attr]  # it runs
    assert c.Place in {each.kind for each in legal_commands(table, "ann")}
    with pytest.raises(Refused, match=r"10\.00 is under the minimum"):
        act(table, c.Place("ann", "comeback", 10_00, by="ann"), library)
    with pytest.raises(Refused, match="Bets are closed"):
        act(table, c.Place("ann", "tie", 100_00, by="ann"), library)
    table, _ = act(table, placing, library)
    lowered, _ = act(table, c.Withdraw("ann", "comeback", by="ann"), library)
    assert purse(lowered) == (1000_00, 0)
    table, events = act(table, c.Draw(), library)
    assert [type(each) for each in events] == [e.LateBetsClosed, e.CardDrawn]
    with pytest.raises(Refused, match=r"Comeback was to be placed before the third card"):
        act(table, placing, library)
    table, _ = act(table, c.Expose(("9h",)), library)  # Player 4 against Banker 4, which stands
    table, events = act(table, c.Settle(), library)
    [settled] = [each for each in events if isinstance(each, e.RoundSettled)]
    assert [line.net for line in settled.lines["ann"]] == [400_00], "a tie at 4"


@pytest.mark.parametrize(
    ("faces", "says"),
    [
        ("Kc 3d 2s Ah", "Comeback cannot be placed after these first four cards|is placed when the first four"),
        ("9c 3d Ks Ah", "Comeback"),
    ],
)
def test_other_first_cards_open_no_window(faces: str, says: str) -> None:
    table, library, told = after_four(book_of(), faces)
    assert not any(isinstance(each, e.LateBetsOpened) for each in told)
    with pytest.raises(Refused, match=says):
        act(table, c.Place("ann", "comeback", 100_00, by="ann"), library)


def test_the_staff_may_close_the_window_and_a_table_that_deals_by_itself_waits_for_it() -> None:
    table, library, _ = after_four(book_of(), LOW)
    table, events = act(table, c.CloseBets(), library)
    assert [type(each) for each in events] == [e.LateBetsClosed]
    with pytest.raises(Refused, match="was to be placed before the third card"):
        act(table, c.Place("ann", "comeback", 100_00, by="ann"), library)
    _, table, library = opened(book_of(), auto=frozenset({"deal", "announce"}))
    for command in (c.OpenBets(), c.CloseBets()):
        table, _ = act(table, command, library)
    assert table.round is not None
    assert len(table.round.cards) == 4
    table, _ = act(table, c.Expose(tuple(LOW.split())), library)
    assert table.round is not None
    assert (table.round.late, len(table.round.cards)) == (("comeback",), 4)
    table, _ = act(table, c.CloseBets(), library)
    assert table.round is not None
    assert len(table.round.cards) == 5


def test_the_dealer_of_a_virtual_table_waits_as_long_as_for_bets() -> None:
    table, _, _ = after_four(book_of(), LOW)
    plan = planned(table, frozenset(), Memory())
    assert plan is not None
    assert (plan.commands, plan.wait) == ((c.Draw(),), BETTING)


@pytest.mark.parametrize("rules", ["punto-banco", "wu-song"])
def test_whatever_happens_money_is_conserved(rules: str) -> None:
    """A random walk with errors; `World` asks every rule of keeping a table after each step."""
    text = text_of()
    if rules == "wu-song":
        text = source("wu-song").decode().replace('id = "wu-song"', 'id = "mine"', 1) + BETS
        text = text.replace('pays = ["main", ', 'pays = ["main", "sides", ').replace("R.", "3.").replace('"B.', '"3.')
    told, _, library = opened(parse(text.encode(), "mine.toml"))
    world, luck = World(told, library), Chance(seed_of(f"first four {rules}"))
    seen: Counter[type[e.Event]] = Counter()
    for at in range(300):
        name = ("ann", "bob")[at % 2]
        if at % 9 == 0:
            world.ask(c.BuyIn(name, 500_00))
        if world.table.running is not None:
            world.ask(c.Place(name, luck.one(("natural", "comeback", "player")), 20_00, at % 2 + 1, by=name))
        if world.table.open:
            world.ask(luck.one((play_on, play_on, play_on, play_on, something_goes_wrong, anything))(luck, world.table))
    seen.update(type(each) for each in world.told)
    assert seen[e.FirstFourSettled] > 3
    assert seen[e.LateBetsOpened] > 3
