"""What people see of a table, what it does alone, and what it remembers."""

import random

import msgspec
import pytest

from audited import STORIES, told_again
from punto.rulebook import ids, load
from punto.settlement import Limits
from punto.table import Table, act, can, evolve, fold, why_not
from punto.table import commands as c
from punto.table.events import Event, RoundEnded, ShoeLoaded
from punto.table.next_steps import next_steps
from punto.table.view import questions_for, view

AT = "2025-03-01T20:00:00+08:00"
FACES = [rank + suit for rank in "A23456789TJQK" for suit in "cdhs"]
SEEN_BY = ("dealer", "ann", "bob", None)
LIMITS = Limits(minimum=1_000, maximum=1_000_000, differential=1_000_000)


class Story:
    """A table and everything that has happened at it."""

    def __init__(self, book: str, *auto: str, face_down: bool = False, decks: int = 8) -> None:
        method = "B" if "mbs" in book else None
        opened = c.OpenTable(
            book,
            AT,
            decks=decks,
            limits=LIMITS,
            auto=auto,
            face_down=face_down,
            method=method,
            shoe="read",
            by="pit-manager" if method else "dealer",
        )
        self.table, made = act(None, opened)
        self.events: list[Event] = list(made)
        self.do(c.LoadShoe())
        for box, name in enumerate(("ann", "bob"), start=1):
            self.do(c.Sit(name, box, by=name), c.BuyIn(name, 10_000_000, by=name))

    def do(self, *given: c.Command) -> Table:
        for command in given:
            self.table, made = act(self.table, command)
            self.events += made
        return self.table

    def bet(self) -> None:
        self.do(c.OpenBets(), c.Place("ann", "player", 10_000, by="ann"), c.Place("bob", "banker", 10_000, by="bob"))


def test_over_the_differential_the_wagers_are_altered_before_the_call() -> None:
    """Hoiana does not let bets close while it is exceeded, so closing them is not what is next."""
    story = Story("dragon-tiger-hoiana")
    story.do(c.OpenBets(), c.Place("ann", "player", 900_000, by="ann"), c.Place("bob", "player", 900_000, by="bob"))
    [step] = next_steps(story.table)
    assert (step.do, step.by) == ("lower", "ann bob")
    assert not can(story.table, c.CloseBets())
    story.do(c.Lower("bob", "player", 800_000, by="bob"))
    assert next_steps(story.table)[0].do == "close-bets"
    assert can(story.table, c.CloseBets())


@pytest.mark.parametrize("book", ids())
def test_an_empty_shoe_takes_no_bets_and_the_next_step_is_another(book: str) -> None:
    story = Story(book)
    story.do(c.EndShoe())
    story.table = evolve(story.table, ShoeLoaded(2, 0))
    [step] = next_steps(story.table)
    assert (step.do, step.by) == ("end-shoe", "dealer")
    assert step.basis.clauses
    refused = why_not(story.table, c.OpenBets())
    assert refused is not None
    assert refused.reason == step.says
    assert [each.do for each in next_steps(story.do(c.EndShoe()))] == ["load-shoe"]


@pytest.mark.parametrize("book", ids())
def test_three_cards_are_too_few_to_begin_with(book: str) -> None:
    """Nobody forbids the call, but the round could only be void: it is not what is to be done."""
    story = Story(book)
    story.do(c.EndShoe())
    story.table = evolve(story.table, ShoeLoaded(2, 3))
    [step] = next_steps(story.table)
    assert (step.do, step.says) == ("end-shoe", "Only 3 cards are left: put new ones into use.")


def test_whom_a_window_waits_for_is_told_to_the_staff_and_to_whom_it_waits_for() -> None:
    story = Story("commission-insurance")
    story.do(c.OpenBets(), c.Place("ann", "player", 10_000, by="ann"), c.Place("bob", "player", 10_000, by="bob"))
    story.do(c.CloseBets(), *[c.Draw()] * 4, c.Expose(("Kh", "Kc", "6d", "3d")), c.OfferInsurance())
    seen = {who: [each.by for each in view(story.table, who).next if each.do == "insure"] for who in SEEN_BY}
    assert seen == {"dealer": ["ann", "bob"], "ann": ["ann"], "bob": ["bob"], None: []}
    story.do(c.Insure("ann", "player", 3_000, by="ann"))
    assert [each.by for each in next_steps(story.table) if each.do == "insure"] == ["bob"]


def test_a_dispute_is_told_to_the_staff_only() -> None:
    story = Story("dragon-tiger-hoiana")
    story.do(c.RaiseDispute("ann", "That was mine.", by="ann"))
    about = {who: [each.do for each in view(story.table, who).next] for who in SEEN_BY}
    assert len(about["dealer"]) == 2
    assert about["ann"] == about["bob"] == about[None] == ["burn"]


def test_of_two_questions_the_earlier_waits_and_is_named() -> None:
    story = Story("wu-song")
    story.bet()
    story.do(c.CloseBets(), c.Report("other", note="A glass fell."), c.Report("cut-card"))
    assert [(each.do, each.possible) for each in next_steps(story.table)] == [("answer", True), ("answer", False)]


VOID_BY = {"foreign-card": "7.1.1", "too-few-cards": "7.2", "dealing-error": "7.3"}


@pytest.mark.parametrize(("fact", "clause"), VOID_BY.items())
def test_a_void_rests_on_the_clause_that_voids_and_on_no_other(fact: str, clause: str) -> None:
    """Hoiana has three clauses that void a hand, each for its own case (7.1.1, 7.2, 7.3)."""
    story = Story("dragon-tiger-hoiana")
    story.do(c.Burn())
    story.bet()
    if fact == "too-few-cards":
        assert story.table.shoe is not None
        story.table = msgspec.structs.replace(
            story.table, shoe=msgspec.structs.replace(story.table.shoe, left=1, cards=2)
        )
        story.do(c.CloseBets(), c.Draw(), c.Draw())
    else:
        story.do(c.CloseBets(), c.Draw(), c.Report(fact, reconstructible=False))
    [ended] = [each for each in story.events if isinstance(each, RoundEnded)]
    assert clause in ended.basis.clauses
    assert not ({*VOID_BY.values()} - {clause}) & {*ended.basis.clauses}


@pytest.mark.parametrize("book", ids())
def test_what_is_to_be_done_next_leads_through_a_whole_round(book: str) -> None:
    """Following only the first of the next steps, a round is played from the call to the payment."""
    story, chance = Story(book), random.Random(7)
    seen = []
    while story.table.round is None or story.table.round.phase != "settled":
        step = next_steps(story.table)[0]
        seen.append(step.do)
        if step.do == "open-bets":
            story.bet()
        elif step.do == "expose":
            down = sum(each.face is None for each in story.table.round.cards if story.table.round)  # type: ignore[union-attr] # a round runs
            story.do(c.Expose(tuple(chance.choices(FACES, k=down))))
        else:
            kinds: dict[str, c.Command] = {
                "burn": c.Burn(),
                "close-bets": c.CloseBets(),
                "draw": c.Draw(),
                "settle": c.Settle(),
                "offer-insurance": c.OfferInsurance(),
                "announce": c.Announce("result"),
            }
            assert can(story.table, kinds[step.do])
            story.do(kinds[step.do])
        assert len(seen) < 40
    burns = load(book).point("dealing", "burn") is not None
    assert seen[:2] == (["burn", "open-bets"] if burns else ["open-bets", "close-bets"])
    assert seen[-1] == "settle"


@pytest.mark.parametrize("book", ids())
def test_a_table_that_does_everything_alone_needs_only_faces(book: str) -> None:
    story = Story(book, "announce", "deal", "offer", "settle")
    story.bet()
    story.do(c.CloseBets())
    assert len(story.table.round.cards) == 4  # type: ignore[union-attr] # a round runs
    story.do(c.Expose(("9h", "2c", "Kd", "As")))
    assert story.table.round is not None
    assert story.table.round.phase == "settled"
    assert story.table.round.lines["ann"][0].net == 10_000


def test_a_purse_is_seen_by_its_owner_and_the_staff_only() -> None:
    story = Story("wu-song")
    story.bet()
    purses = {who: [each.balance for each in view(story.table, who).patrons] for who in ("ann", "dealer", None)}
    assert purses == {"ann": [9_990_000, None], "dealer": [9_990_000, 9_990_000], None: [None, None]}
    assert [each.stake for each in view(story.table, None).round.wagers] == [10_000, 10_000]  # type: ignore[union-attr]


def test_what_was_paid_is_seen_by_whom_it_was_paid_to_and_the_staff_only() -> None:
    story = Story("wu-song", "announce", "deal", "settle")
    story.bet()
    story.do(c.CloseBets(), c.Expose(("9h", "2c", "Kd", "As")))
    paid = {}
    for who in ("ann", "bob", "dealer", None):
        round = view(story.table, who).round
        assert round is not None
        paid[who] = {name: [line.net for line in lines] for name, lines in round.lines.items()}
    both = {"ann": [10_000], "bob": [-10_000]}
    assert paid == {"ann": {"ann": [10_000]}, "bob": {"bob": [-10_000]}, "dealer": both, None: {}}


def test_a_card_that_lies_face_down_is_seen_by_nobody() -> None:
    story = Story("wu-song", face_down=True)
    story.bet()
    story.do(c.CloseBets(), c.Draw(), c.Draw(), c.Expose(("6h",), at=0))
    for who in ("ann", "dealer", "table-game-shift-manager", None):
        seen = view(story.table, who).round
        assert seen is not None
        assert (seen.player.cards, seen.banker.cards) == (("6h",), (None,))


def test_a_question_is_shown_to_those_who_may_answer_it() -> None:
    story = Story("wu-song")
    story.bet()
    story.do(c.CloseBets(), c.Draw(), c.Draw(to="player"))
    assert [each.topic for each in questions_for(story.table, "ann")] == ["offer"]
    story.do(c.Answer(1, "take-back", by="ann"))
    assert questions_for(story.table, "ann") == ()
    assert [each.topic for each in questions_for(story.table, "bob")] == ["offer"]
    assert [each.topic for each in questions_for(story.table, "dealer")] == ["offer"]
    assert questions_for(story.table, None) == ()


@pytest.mark.parametrize("book", ids())
def test_what_a_table_remembers_does_not_grow_but_for_the_roads(book: str) -> None:
    """After many rounds the state is as large as after a few, its results aside."""
    story, shoe = Story(book, "announce", "deal", "offer", "settle"), FACES * 8
    random.Random(3).shuffle(shoe)
    sizes = []
    for number in range(50):
        story.bet()
        story.do(c.CloseBets())
        while story.table.running is not None:
            down = sum(each.face is None for each in story.table.running.cards)
            story.do(c.Expose(tuple(shoe.pop() for _ in range(down))) if down else c.Draw())
        assert story.table.shoe is not None
        kept = msgspec.structs.asdict(story.table)
        results = story.table.shoe.results
        assert len(results) == number + 1
        del kept["book"], kept["round"]  # the round is that of the moment
        assert len(story.table.shoe.faces) <= 52
        kept["shoe"] = msgspec.structs.replace(story.table.shoe, results=(), faces={})
        sizes.append(len(repr(kept)))
    assert max(sizes[5:]) - min(sizes[5:]) < 60
    assert fold(story.events) == story.table


@pytest.mark.parametrize(
    ("story", "told", "cards"),
    [
        ("face-up-by-mistake", "Dealt face up instead of down", ("6h",)),
        ("cover-priced-on-other-cards", "A card lies in the wrong area", ("3d", "6d")),
        ("card-in-the-wrong-area", "A card lies in the wrong area", ()),  # which is still face down
    ],
)
def test_a_patron_who_is_asked_is_told_the_fact_and_only_open_cards(
    story: str, told: str, cards: tuple[str, ...]
) -> None:
    [path] = [each for each in STORIES if each.parent.name == "commission-insurance" and each.stem == story]
    asked = (act(before, command)[0] for before, command, _ in told_again(path))
    table = next(each for each in asked if any(question.topic == "offer" for question in each.questions))
    [question] = [each for each in table.questions if each.topic == "offer"]
    [found] = view(table, question.waiting[0]).happened
    assert (found.question, found.names[0], found.cards) == (question.id, told, cards)
    assert view(table).happened == ()  # the public is told of no question
