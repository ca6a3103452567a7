"""Bets that depend on another wager of the same patron in the same box: needed, capped by it, never with it."""

import re

import pytest
from msgspec.structs import replace

from punto.coup import deal
from punto.lint import lint
from punto.report.groups import layout_groups
from punto.report.pack.rules import pay_section
from punto.rulebook import BadBook, Book, Library, Refused, load, menu, parse, source, whole
from punto.rulebook.differences import differences
from punto.settlement import Chips, Limits, Wager, company, explain, lying_together, settle
from punto.table import Table, act, why_not
from punto.table import commands as c
from punto.table import events as e
from punto.table.invariants import broken
from punto.table.legal import legal_commands
from random_commands import Chance, an_opportunity, anything, play_on
from seeds import seed_of
from table_world import World
from test_book_schema import as_json
from test_book_schema import faults as schema_faults

EZ = source("ez-baccarat").decode().replace('id = "ez-baccarat"', 'id = "mine"')
NEEDS = '[bets.panda-8]\nneeds = { bets = ["player", "banker"], clause = "B.panda-8#main" }\n'
AT_MOST = '[bets.dragon-7]\nat-most = { bets = ["player", "banker"], share = "1/10", clause = "B.dragon-7#tenth" }\n'
NOT_WITH = '[bets.player]\nnot-with = { bets = "banker", clause = "B.player#one-side" }\n'
RULES = NEEDS + AT_MOST + NOT_WITH
AT = "2026-03-01T20:00:00+08:00"
LIMITS = Limits(minimum=10_00, maximum=1000_00, unit=1_00)


def text_of(text: str = RULES) -> str:
    """EZ Baccarat with more keys in the sections of its bets."""
    found = EZ
    for section in re.split(r"(?m)^\[(?=bets)", text)[1:]:
        name, _, keys = section.partition("]\n")
        head = f"[{name}]\n"
        found = found.replace(head, head + keys.rstrip() + "\n") if head in found else f"{found}\n{head}{keys}"
    return found


def book_of(text: str = RULES) -> Book:
    return parse(text_of(text).encode(), "mine.toml")


def faults(text: str) -> list[str]:
    with pytest.raises(BadBook) as refused:
        book_of(text)
    return [f"{each.key}: {each.says}" for each in refused.value.faults]


# In the file


def test_a_book_says_which_bets_lie_together() -> None:
    panda, dragon, player = (book_of().bets[name] for name in ("panda-8", "dragon-7", "player"))
    assert panda.needs is not None
    assert (panda.needs.bets, panda.needs.basis.clauses) == (("player", "banker"), ("B.panda-8#main",))
    assert dragon.at_most is not None
    assert str(dragon.at_most.share) == "1/10"
    assert player.not_with is not None
    assert player.not_with.bets == ("banker",)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[bets.panda-8]\nneeds = { bets = [], clause = "1" }', "needs.bets: must name at least one"),
        ('[bets.panda-8]\nneeds = { clause = "1" }', "needs: bets is missing."),
        ('[bets.panda-8]\nneeds = { bets = "player" }', "needs: clause is missing."),
        ('[bets.panda-8]\nneeds = "player"', "needs: must be a table, like { bets ="),
        ('[bets.panda-8]\nneeds = { bets = "plaver", clause = "1" }', "needs.bets: there is no bet 'plaver'"),
        ('[bets.panda-8]\nneeds = { bets = "panda-8", clause = "1" }', "needs.bets: names the bet itself"),
        ('[bets.panda-8]\nneeds = { bets = "player", share = "1/2", clause = "1" }', "needs.share: is not a word"),
        (
            '[bets.panda-8]\nat-most = { bets = "player", share = "2", clause = "1" }',
            "share: '2' is not a share",
        ),
        ('[bets.panda-8]\nneed = { bets = "player", clause = "1" }', "need: is not a word of the format here: perhaps"),
        ('[bets.player]\nneeds = { bets = "tie", clause = "1" }', "needs: a bet on a hand needs no other bet"),
        (
            '[bets.panda-8]\nneeds = { bets = "player", clause = "1" }\nnot-with = { bets = "player", clause = "1" }',
            "needs: Panda 8 can never be laid",
        ),
    ],
)
def test_each_mistake_is_one_fault(text: str, says: str) -> None:
    [fault] = faults(text)
    assert says in fault, fault


def test_the_words_are_of_the_published_format() -> None:
    whole_text = whole(text_of().encode(), "mine.toml").decode()
    assert schema_faults(as_json(whole_text)) == []
    for before, after in (("share = ", "part = "), ("needs = { bets =", "needs = { bet ="), ("not-with", "notwith")):
        changed = whole_text.replace(before, after)
        assert changed != whole_text
        assert schema_faults(as_json(changed)) != []


def test_bets_that_need_each_other_are_one_fault() -> None:
    one = '[bets.panda-8]\nneeds = { bets = "dragon-7", clause = "1" }\n'
    [told] = faults(one + '[bets.dragon-7]\nat-most = { bets = "panda-8", clause = "1" }\n')
    assert told == "bets.dragon-7.at-most: Dragon 7 can never be laid: what must lie there first cannot."


def test_lint_tells_of_a_layout_on_which_nobody_could_lay_it() -> None:
    text = '[bets.panda-8]\nneeds = { bets = ["player-pair"], clause = "B.panda-8#main" }\n'
    told = [each for each in lint(book_of(text)) if each.severity == "fault" and each.kind == "uncarried"]
    assert [(each.where, each.clause) for each in told] == [("layout dragon-panda, panda-8", "B.panda-8")]


def test_the_difference_of_two_books_and_the_rules_in_words_have_it() -> None:
    told = {each.point: each.b.value for each in differences(load("ez-baccarat"), book_of()) if each.point[:3] == "bet"}
    assert told == {
        "bet player, not-with": "never with a wager on Banker in the same box",
        "bet dragon-7, at-most": "at most 1/10 of what lies on Player or Banker in the same box",
        "bet panda-8, needs": "only with a wager on Player or Banker in the same box",
    }
    rows = str(pay_section(layout_groups(book_of(), None)[0]))
    assert all(each in rows for each in told.values())


# Settled


@pytest.mark.parametrize(
    ("wagers", "says"),
    [
        ({"panda-8": 10_00}, "Panda 8 is bet only with a wager on Player or Banker in the same box. (mine B.panda-8)"),
        ({"panda-8": 10_00, "tie": 10_00}, "Panda 8 is bet only with"),
        ({"panda-8": 10_00, "player": 10_00}, ""),
        ({"dragon-7": 10_00}, "Dragon 7 is bet only with a wager on Player or Banker in the same box. (mine B.dragon"),
        ({"dragon-7": 10_00, "banker": 100_00}, ""),
        ({"dragon-7": 10_01, "banker": 100_00}, "At most 10.00 may lie on Dragon 7 beside 100.00 on Player or Banker."),
        ({"player": 10_00, "banker": 10_00}, "Player and Banker are not bet together. (mine B.player)"),
        ({"banker": 10_00, "tie": 10_00}, ""),
    ],
)
def test_settlement_refuses_what_may_not_lie_together(wagers: dict[str, int], says: str) -> None:
    laid = [Wager(bet, stake) for bet, stake in wagers.items()]
    book, coup = book_of(), deal("9h 2c Kd 4s")
    if not says:
        assert len(settle(book, coup, laid)) == len(laid)
        return
    with pytest.raises(Refused) as refused:
        settle(book, coup, laid)
    assert str(refused.value).startswith(says)


def test_every_step_is_explained_with_its_clause() -> None:
    steps = explain(book_of(), deal("9h 2c Kd 4s"), [Wager("banker", 100_00), Wager("dragon-7", 10_00)])
    [told] = [each for each in steps if each.says.startswith("Dragon 7 is bet at most")]
    assert told.basis.clauses == ("B.dragon-7#tenth",)


def test_what_can_lie_together_is_found_for_drills_and_kits() -> None:
    carried = menu(book_of())
    assert company(carried, Wager("dragon-7", 10_00), Chips()) == [Wager("player", 100_00), Wager("dragon-7", 10_00)]
    drawn = [Wager("dragon-7", 11_00), Wager("panda-8", 5_00), Wager("banker", 100_00), Wager("player", 5_00)]
    assert lying_together(carried, drawn, Chips()) == drawn[1:3]


# At a table


def table_of(*given: c.Command, text: str = RULES, limits: Limits = LIMITS) -> Table:
    library = Library().with_book(book_of(text))
    table, _ = act(None, c.OpenTable("mine", AT, 8, limits=limits), library)
    known = c.LoadShoe(), c.Sit("ann", 1), c.Sit("bob", 2), c.BuyIn("ann", 5000_00), c.BuyIn("bob", 5000_00)
    for command in (*known, c.OpenBets(), *given):
        table, _ = act(table, command, library)
    return table


def laid(table: Table) -> dict[tuple[str, str], int]:
    assert table.round is not None
    return {(name, bet): placed.stake for (name, _, bet), placed in table.round.wagers.items()}


PLAYER, PANDA = c.Place("ann", "player", 100_00, by="ann"), c.Place("ann", "panda-8", 50_00, by="ann")
BANKER, DRAGON = c.Place("ann", "banker", 500_00, by="ann"), c.Place("ann", "dragon-7", 50_00, by="ann")


def test_a_bet_that_needs_another_is_refused_without_it() -> None:
    for own in (table_of(), table_of(c.Place("bob", "player", 100_00, by="bob"))):
        refused = why_not(own, PANDA)
        assert refused is not None
        assert str(refused) == "Panda 8 is bet only with a wager on Player or Banker in the same box. (mine B.panda-8)"
    other_box = table_of(c.Place("ann", "player", 100_00, 2, by="ann"))
    assert why_not(other_box, PANDA) is not None
    assert laid(table_of(PLAYER, PANDA)) == {("ann", "player"): 100_00, ("ann", "panda-8"): 50_00}


def test_a_bet_is_no_more_than_its_share_of_another() -> None:
    table = table_of(BANKER, DRAGON)
    refused = why_not(table, c.Place("ann", "dragon-7", 10_00, by="ann"))
    assert refused is not None
    assert refused.reason == "At most 50.00 may lie on Dragon 7 beside 500.00 on Player or Banker."
    assert why_not(table_of(BANKER, DRAGON, BANKER), c.Place("ann", "dragon-7", 10_00, by="ann")) is None


def test_bets_that_never_lie_together_are_refused_from_either_side() -> None:
    for first, second in ((PLAYER, BANKER), (BANKER, PLAYER)):
        refused = why_not(table_of(first), second)
        assert refused is not None
        assert refused.clauses == ("B.player#one-side", "B.player")


def test_the_side_bet_comes_back_with_the_bet_that_it_needs() -> None:
    table = table_of(PLAYER, PANDA)
    after, events = act(table, c.Withdraw("ann", "player", by="ann"))
    lowered = [each for each in events if isinstance(each, e.WagerLowered)]
    assert [(each.bet, each.amount) for each in lowered] == [("player", 100_00), ("panda-8", 50_00)]
    assert lowered[1].basis.clauses == ("B.panda-8#main",)
    assert lowered[1].says == "The wager that it depends on is less or gone: it comes back."
    assert laid(after) == {}
    assert after.patrons["ann"].balance == 5000_00


def test_what_is_over_the_share_comes_back_when_the_other_is_lowered() -> None:
    after, _ = act(table_of(BANKER, DRAGON), c.Lower("ann", "banker", 180_00, by="ann"))
    assert laid(after) == {("ann", "banker"): 320_00, ("ann", "dragon-7"): 32_00}
    low, _ = act(table_of(BANKER, DRAGON), c.Lower("ann", "banker", 420_00, by="ann"))
    assert laid(low) == {("ann", "banker"): 80_00}, "8.00 would be under the minimum of 10.00"


def test_after_the_first_card_wagers_count_as_they_lie() -> None:
    closed = table_of(PLAYER, PANDA, c.CloseBets())
    assert why_not(closed, c.Find("bob", "panda-8", 10_00)) is not None
    after, _ = act(closed, c.Draw())
    after, _ = act(after, c.Pull("ann", "player"))
    assert laid(after) == laid(closed)


def test_what_may_be_laid_is_what_a_page_is_offered() -> None:
    """What is named as possible is exactly what is accepted, on both sides of the share."""
    table = table_of(BANKER)
    offered = legal_commands(table, "ann", (c.Place,))
    for bet, stake in (("player", 10_00), ("dragon-7", 50_00), ("dragon-7", 51_00), ("panda-8", 50_00)):
        asked = c.Place("ann", bet, stake, 1, by="ann")
        assert any(asked in each for each in offered) == (why_not(table, asked) is None), (bet, stake)
    assert not any(c.Place("ann", "panda-8", 50_00, 1, by="ann") in each for each in legal_commands(table_of(), "ann"))


def test_whatever_happens_no_bet_lies_without_what_it_depends_on() -> None:
    """A random walk; `World` asks every rule of keeping a table after each step."""
    library = Library().with_book(book_of())
    told: list[e.Event] = []
    table: Table | None = None
    for command in (c.OpenTable("mine", AT, 8, limits=LIMITS), c.LoadShoe(), c.Sit("ann", 1), c.Sit("bob", 2)):
        table, made = act(table, command, library)
        told += made
    world, luck = World(told, library), Chance(seed_of("companions"))
    for at in range(250):
        name = ("ann", "bob")[at % 2]
        if at % 9 == 0:
            world.ask(c.BuyIn(name, 20_000_00))
        if world.table.running is not None:
            bet = luck.one(["player", "banker", "dragon-7", "panda-8", "tie"])
            world.ask(c.Place(name, bet, 10_00 * luck.one((1, 5, 20)), at % 2 + 1, by=name))
            world.ask(c.Lower(name, bet, 10_00, at % 2 + 1, by=name))
        if world.table.open and at % 2:
            world.ask(luck.one((play_on, play_on, an_opportunity, anything))(luck, world.table))
    assert world.accepted[c.Lower] > 5


def test_a_wager_without_what_it_needs_is_a_breach() -> None:
    table = table_of(PLAYER, PANDA)
    assert table.round is not None
    alone = {spot: placed for spot, placed in table.round.wagers.items() if spot[2] == "panda-8"}
    patrons = {**table.patrons, "ann": replace(table.patrons["ann"], held=50_00, balance=4950_00)}
    told = broken(replace(table, round=replace(table.round, wagers=alone), patrons=patrons))
    assert told == (
        "ann's 50.00 on panda-8 may not lie there: "
        "Panda 8 is bet only with a wager on Player or Banker in the same box."
    )
