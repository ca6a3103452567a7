"""What is listed is accepted, and what is accepted is listed: at tables of every book, in any state.

`PUNTO_FULL=1`, which is what `make full` sets, plays many times more.
"""

import os
import re
from collections import Counter
from random import Random

import pytest
from msgspec import NODEFAULT
from msgspec.structs import fields, replace

from punto.coup import RANKS, SUITS
from punto.rulebook import Refused, ids, load
from punto.rulebook.facts import FACTS
from punto.scenario import play, read
from punto.settlement import Limits
from punto.table import COMMANDS, Legal, Range, Table, act, fold, legal_commands, listed, why_none
from punto.table import commands as c
from punto.table import events as e
from punto.table.legal import Choice, Unseen
from punto.table.legal.candidates import CANDIDATES
from punto.table.view import view
from random_commands import AT, MOVES, PATRONS, Chance, opening, ranks
from table_world import FACE, why

FULL = 20 if os.environ.get("PUNTO_FULL") else 1
SHOES = FULL
DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)
NOT_LISTED = (c.OpenTable, c.ChangeBook)
"""They need a library of books and a time, which no table has."""

# Somebody who knows nothing of the game but what is listed

PLAY: tuple[type[c.Command], ...] = (
    c.Draw,
    c.Expose,
    c.Announce,
    c.Settle,
    c.OfferInsurance,
    c.Insure,
    c.CloseBets,
    c.OpenBets,
)
START: tuple[type[c.Command], ...] = (c.LoadShoe, c.SetMethod, c.Burn, c.EndShoe)
MONEY: tuple[type[c.Command], ...] = (c.Sit, c.BuyIn, c.Place)
TROUBLE: tuple[type[c.Command], ...] = tuple(
    each for each in CANDIDATES if each not in (*PLAY, *START, *MONEY, c.Answer, c.CloseTable)
)


class Walk:
    """A table at which every command is one that was listed."""

    def __init__(self, book: str, number: int, trouble: float, **more: object) -> None:
        self.chance, self.trouble = Random(number), trouble
        rules = load(book)
        limits = Limits(minimum=1000, maximum=50000, differential=20000)
        decks = rules.decks.min or 4
        self.table, _ = act(None, c.OpenTable(book, AT, decks, positions=3, limits=limits, acknowledged=True, **more))  # type: ignore[arg-type] # the rest of a set-up
        self.told: list[e.Event] = []
        self.given: Counter[type[c.Command]] = Counter()
        self.facts: set[str] = set()

    def somebody(self) -> str:
        return self.chance.choice(("dealer", "dealer", self.chance.choice(ranks(self.table.book)), *PATRONS))

    def kinds(self) -> list[type[c.Command]]:
        """Kinds of commands in the order in which they are thought of."""
        if self.chance.random() < self.trouble:
            return [self.chance.choice((c.Report, self.chance.choice(TROUBLE), self.chance.choice(TROUBLE)))]
        if self.chance.random() < 0.3:
            return [self.chance.choice(MONEY)]
        return [c.Answer, *self.chance.sample(PLAY, len(PLAY)), *START]

    def step(self) -> None:
        """Somebody thinks of something that they can do."""
        for _ in range(1000):
            who = self.somebody()
            for kind in self.kinds():
                entries = legal_commands(self.table, who, [kind])
                if entries:
                    self.give(self.chance.choice(entries))
                    return
        raise AssertionError("nobody can do anything")

    def give(self, entry: Legal) -> None:
        """Give any command of an entry, with the faces that only the shoe knows."""
        command = entry.pick(self.chance)
        assert command in entry
        command = with_faces(command, self.chance)
        self.table, events = act(self.table, command)
        self.given[type(command)] += 1
        self.told += events
        self.facts |= {each.fact for each in events if isinstance(each, e.Reported)}


def with_faces(command: c.Command, chance: Random) -> c.Command:
    if isinstance(command, c.Expose) and "?" in command.faces:
        return replace(command, faces=tuple(chance.choice(DECK) for _ in command.faces))
    return command


@pytest.mark.parametrize("book", ids())
def test_whole_shoes_are_played_by_what_is_listed_alone(book: str) -> None:
    """The walk knows no rule: it takes any command that is listed, and every one is accepted.

    Whole shoes by `make full`; else the first two thirds of one.
    """
    walk = Walk(book, 7, trouble=0.03, shoe="read", face_down=True, auto=("announce", "deal", "settle"))
    last = 6 if SHOES > 1 else walk.table.setup.decks * 52 // 3
    played_out = 0
    for _ in range(20_000 * SHOES):
        before = walk.table.shoe
        walk.step()
        now = walk.table.shoe
        if before is not None and now is not None and now.left < before.left and now.left < last:
            played_out += 1
            if played_out == SHOES:
                break
    assert played_out == SHOES
    assert sum(isinstance(each, e.RoundSettled) for each in walk.told) >= (5 * SHOES if SHOES > 1 else 3)


@pytest.mark.parametrize("book", ids())
def test_irregularities_are_walked_through_by_what_is_listed_alone(book: str) -> None:
    """Everything that can go wrong is reported, and every question answered."""
    facts: set[str] = set()
    told: Counter[type[e.Event]] = Counter()
    for number, shoe in enumerate(("hand", "read", "virtual") * FULL):
        walk = Walk(
            book, number, trouble=0.1, shoe=shoe, face_down=True, private=True, auto=("announce", "deal", "settle")
        )
        for _ in range(250):
            walk.step()
        facts |= walk.facts
        told.update(type(each) for each in walk.told)
    assert len(facts) >= 8, facts
    assert told[e.RoundSettled] >= 3
    assert told[e.Answered] >= 3


# Random states


def states(first: int, count: int, steps: int) -> list[tuple[Chance, Table, c.Command]]:
    """Tables as random commands leave them, each with the next command."""
    found = []
    for number in range(first, first + count):
        luck = Chance(number)
        table = fold(opening(luck, load(luck.one(ids()))))
        for _ in range(steps):
            if not table.open:
                break
            command = luck.one(MOVES)(luck, table)
            found.append((luck, table, command))
            try:
                table, _ = act(table, command)
            except Refused:
                continue
    return found


def asked_for(table: Table, command: c.Command) -> c.Command:
    """A command without what the table does not look at: details of other facts, and what no question asks for."""
    keep = set(command.__struct_fields__)
    if isinstance(command, c.Report):
        keep = {each.name for each in FACTS[command.fact].details} | {"fact", "earlier", "note", "by"}
    elif isinstance(command, c.Answer):
        question = next(each for each in table.questions if each.id == command.question)
        keep = {"question", "choice", "reason", "by", question.form or ""}
        keep |= {"sealed"} if question.form == "count" else set()
        keep |= {"patron", "wagers"} if question.to == "patrons" else set()
    elif isinstance(command, c.Announce) and command.what == "points":
        keep -= {"winner"}
    elif isinstance(command, c.Resolve) and table.book.point("disputes", "references") is None:
        return replace(command, references=())
    plain = {
        each.name: each.default_factory() if each.default_factory is not NODEFAULT else each.default
        for each in fields(type(command))
        if each.name not in keep
    }
    return replace(command, **plain)


def test_every_command_that_is_accepted_is_listed() -> None:
    """Random commands: those that the table accepts are among those that are listed for whoever gave them."""
    accepted: Counter[type[c.Command]] = Counter()
    for _, table, command in states(0, 16 * FULL, 60):
        if type(command) in (*NOT_LISTED, c.PostLimits) or why(table, command) != "accepted":
            continue
        accepted[type(command)] += 1
        assert listed(table, asked_for(table, command)), f"{command} is accepted, and not listed: {table.book.id}"
    assert len(accepted) > 25, accepted


def test_every_combination_that_is_listed_is_accepted() -> None:
    """At random moments: all that somebody could do where it is little, and some of it where it is much."""
    for luck, table, _ in states(500, 10 * FULL, 60)[::12]:
        who = luck.one((*ranks(table.book), *PATRONS, *table.posts))
        for entry in legal_commands(table, who):
            few = entry.count() <= 12
            for command in entry.commands() if few else [entry.pick(luck) for _ in range(4)]:
                assert command in entry
                said = why(table, with_faces(command, luck))
                assert said == "accepted", f"{command} is listed, and refused: {said}"


def test_no_face_of_a_virtual_shoe_is_listed() -> None:
    """Whatever is asked at a table with a virtual shoe: no entry holds a card."""
    seen = 0
    for _, table, _ in states(900, 30 * FULL, 40)[::12]:
        if table.setup.shoe != "virtual":
            continue
        for who in ("dealer", ranks(table.book)[-1], "ann"):
            for entry in legal_commands(table, who):
                assert not FACE.findall(repr(entry)), entry
                seen += any(isinstance(each, Unseen) for each in entry.fields.values())
    assert seen


def test_there_is_a_reason_where_nothing_is_listed_and_only_there() -> None:
    for luck, table, _ in states(1300, 6 * FULL, 40)[::10]:
        who = luck.one(("dealer", ranks(table.book)[-1], "ann"))
        for kind in CANDIDATES:
            refused = why_none(table, who, kind)
            assert (refused is None) == bool(legal_commands(table, who, [kind])), (kind, who, refused)
            assert refused is None or re.fullmatch(r".+[.)]", str(refused))


# By hand


LIMITS = Limits(minimum=1000, maximum=50000, differential=20000, unit=100, minimums={"banker": 2000})


def a_table(book: str, *given: c.Command, limits: Limits = LIMITS) -> Table:
    table, _ = act(None, c.OpenTable(book, AT, 8, limits=limits, shoe="read"))
    seats = (c.LoadShoe(), c.Sit("ann", 1, by="ann"), c.Sit("bob", 2, by="bob"))
    for command in (*seats, c.BuyIn("ann", 100000), c.BuyIn("bob", 100000), *given):
        table, _ = act(table, command)
    return table


def stakes(table: Table, who: str, bet: str, box: int) -> list[Range]:
    """The stakes that are listed for a bet in a box."""
    entries = legal_commands(table, who, [c.Place])
    here = [each for each in entries if each.fields["bet"].holds(bet) and each.fields["box"].holds(box)]
    return [each.fields["stake"] for each in here]  # type: ignore[misc] # a stake is a range


def test_every_kind_of_command_but_those_that_open_a_table_can_be_listed() -> None:
    assert set(CANDIDATES) == set(COMMANDS.values()) - set(NOT_LISTED)


def test_stakes_go_from_the_minimum_to_the_maximum_in_chips() -> None:
    """The minimum is 10.00, the maximum 500.00 and the smallest chip 1.00; 200.00 of ann's lie on the bet already.

    One book takes wagers under the minimum until the closing call, the other refuses them at once.
    """
    given = c.OpenBets(), c.Place("ann", "tie", 20000, by="ann")
    lenient, strict = a_table("commission-insurance", *given), a_table("dragon-tiger-hoiana", *given)
    assert stakes(lenient, "ann", "tie", 1) == stakes(strict, "ann", "tie", 1) == [Range(100, 30000, 100)]
    assert stakes(lenient, "bob", "tie", 2) == [Range(100, 50000, 100)]
    assert stakes(strict, "bob", "tie", 2) == [Range(1000, 50000, 100)]


def test_stakes_at_uneven_odds_go_in_steps_that_chips_can_pay() -> None:
    """At 0.95 to 1 chips of 1.00 pay 19.00 for 20.00 and nothing less; the differential is 200.00."""
    table = a_table("commission-insurance", c.OpenBets())
    assert view(table, "ann").steps == {**dict.fromkeys(table.menu.bets, 100), "banker": 2000}
    assert view(table, "ann").step == 2000
    assert stakes(table, "ann", "banker", 1) == [Range(2000, 100000, 2000)]


def test_cover_is_listed_up_to_what_the_window_allows() -> None:
    """Player 6, Banker 3: ann is offered 33.33 at 3 to 1 on her 100.00, of which chips of 1.00 make 33.00."""
    placed = (c.OpenBets(), c.Place("ann", "player", 10000, by="ann"), c.CloseBets(), *(c.Draw(),) * 4)
    table = a_table("commission-insurance", *placed, c.Expose(("6h", "2c", "Kd", "As")), c.OfferInsurance())
    offer = view(table, "ann").round.offer  # type: ignore[union-attr] # a round is running
    assert offer is not None
    [entry] = legal_commands(table, "ann", [c.Insure])
    assert entry.fields["stake"] == Range(100, 3300, 100)
    assert legal_commands(table, "bob", [c.Insure]) == ()


def test_fields_that_depend_on_each_other_are_in_several_entries() -> None:
    """Bob's box is taken: nobody else sits there, and bob may take any other that is free."""
    table = a_table("wu-song")
    [entry] = legal_commands(table, "bob", [c.Sit])
    assert not entry.fields["box"].holds(1)
    assert entry.fields["box"].holds(2)
    by_the_staff = legal_commands(table, "dealer", [c.Sit])
    assert any(c.Sit("ann", 1) in each for each in by_the_staff)
    assert not any(c.Sit("ann", 2) in each for each in by_the_staff)
    assert any(c.Sit("chun", 3) in each for each in by_the_staff)


def test_a_patron_is_listed_nothing_of_others() -> None:
    table = a_table("wu-song", c.OpenBets(), c.Place("bob", "banker", 10000, by="bob"))
    entries = legal_commands(table, "ann")
    assert all(each.fields["patron"] == Choice(("ann",)) for each in entries if "patron" in each.fields)
    assert c.Withdraw not in {each.kind for each in entries}


def test_what_is_being_dealt_with_is_offered_to_be_told_otherwise() -> None:
    story = """scenario Two cards lie wrong, and nobody knows how; then a card is carried off
open-table dragon-tiger-mbs 2025-03-01T20:00:00+08:00 decks=8 minimum=1 maximum=99 face-down=yes method=A by pit-manager
load-shoe
sit ann 1
buy-in ann 2000
open-bets
place ann player 50
close-bets
draw
draw
report {told}
"""
    told = c.Report("wrong-area", cards=(0, 1), reconstructible=True)
    played = play(read(story.format(told="wrong-area cards=0,1 reconstructible=no")))
    assert played.table is not None
    assert any(told in each for each in legal_commands(played.table, "dealer", [c.Report]))
    told = c.Report("cards-carried-off", cards=(1,), faces=("9h",))
    played = play(read(story.format(told="cards-carried-off cards=1")))
    assert played.table is not None
    assert any(told in each for each in legal_commands(played.table, "dealer", [c.Report]))
