"""What the stories in `scenarios/` cannot tell well: opening a table, who may decide, and how commands are written."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from punto.rulebook import Refused, ids, load
from punto.rulebook.facts import CONDITIONS, FACTS, GUARDS, REPORTABLE, REPORTED, Lays
from punto.rulebook.vocabulary import VERBS
from punto.scenario import Played, play, read
from punto.settlement import Limits
from punto.table import (
    COMMANDS,
    Question,
    Table,
    act,
    can,
    decide,
    decode_command,
    decode_event,
    encode,
    evolve,
    fold,
    read_command,
    why_not,
)
from punto.table import commands as c
from punto.table import events as e
from punto.table.authority import holds, post_of, title
from punto.table.examples import PLACES
from punto.table.handlers import conditions, effects, guards
from punto.table.next_steps import next_steps
from punto.table.remedies.verbs import RULED, VERB_FUNCTIONS

STORIES = Path(__file__).parent.parent / "scenarios"
WU_SONG, DA_HU, COMMISSION = "wu-song", "da-hu-ying-xiong", "commission-insurance"
MBS, HOIANA = "dragon-tiger-mbs", "dragon-tiger-hoiana"
AT = "2025-03-01T20:00:00+08:00"
POSTED = Limits(minimum=1000, maximum=100000, differential=100000)


def opening(book: str, **other: object) -> c.OpenTable:
    """The command that opens a table of a book, everything in order but for what is said otherwise."""
    by = {"C": "assistant-casino-manager"}.get(str(other.get("method")), "pit-manager")
    return msgspec.structs.replace(c.OpenTable(book, AT, 8, limits=POSTED, by=by), **other)


def opened(book: str = WU_SONG, **other: object) -> Table:
    return act(None, opening(book, **other))[0]


def after(table: Table, *commands: c.Command) -> Table:
    for command in commands:
        table, _ = act(table, command)
    return table


def refusal(table: Table | None, command: c.Command) -> Refused:
    """The refusal that a command must meet: a sentence."""
    found = why_not(table, command)
    assert found is not None, f"accepted: {command}"
    assert found.reason.endswith(".")
    return found


def by_clause(*cases: tuple[str, str, object]) -> list[object]:
    """Cases of (book, clause, whatever), each tied to its clause."""
    return [
        pytest.param(book, clause, case, marks=pytest.mark.clause(book, clause), id=f"{book}-{clause}-{case}")
        for book, clause, case in cases
    ]


# Opening


@pytest.mark.parametrize("book", ids())
def test_a_table_opens_under_every_book(book: str) -> None:
    table = opened(book)
    assert table.open
    assert table.book.id == table.setup.book == book
    assert table.setup.digest == load(book).digest
    assert table.house == 0


@pytest.mark.parametrize(
    ("book", "clause", "decks"),
    by_clause(
        *((book, "2.2.1", decks) for book in (WU_SONG, DA_HU) for decks in (0, 3, 11)),
        *((COMMISSION, "2.2.1", decks) for decks in (3, 9)),
        *((MBS, "2.1", decks) for decks in (3, 11)),
    ),
)
def test_so_many_decks_are_not_allowed(book: str, clause: str, decks: int) -> None:
    assert refusal(None, opening(book, decks=decks)).clause == clause


@pytest.mark.parametrize(("book", "fewest", "most"), [(WU_SONG, 4, 10), (COMMISSION, 4, 8), (MBS, 4, 10)])
def test_the_fewest_and_the_most_decks_are_allowed(book: str, fewest: int, most: int) -> None:
    assert can(None, opening(book, decks=fewest))
    assert can(None, opening(book, decks=most))


def test_a_book_that_names_no_number_of_decks_still_needs_some() -> None:
    assert can(None, opening(HOIANA, decks=1))
    assert "the book names no number" in refusal(None, opening(HOIANA, decks=0)).reason


@pytest.mark.parametrize(
    ("book", "clause", "layout_and_positions"),
    by_clause(
        (WU_SONG, "App.A", ("A", 7)),
        (WU_SONG, "App.B", ("B", 6)),
        (WU_SONG, "App.A", ("A", 0)),
        (COMMISSION, "App.A", ("A", 13)),
        (MBS, "App.A", ("A", 9)),
        (MBS, "App.E", ("E", 7)),
        (MBS, "App.E", ("E", 17)),
    ),
)
def test_a_layout_has_only_so_many_positions(book: str, clause: str, layout_and_positions: tuple[str, int]) -> None:
    layout, positions = layout_and_positions
    assert refusal(None, opening(book, layout=layout, positions=positions)).clause == clause


@pytest.mark.parametrize(
    ("book", "clause", "drawn"),
    by_clause(
        (WU_SONG, "2.1.1.a", (6, 5, 5, 6, 6, 6)),
        (COMMISSION, "2.1.1.a", (12, 10, 9, 7, 7, 6, 5)),
        (DA_HU, "2.1.1.a", (5,) * 18),
    ),
)
def test_there_are_as_many_boxes_as_the_layout_has_drawn(book: str, clause: str, drawn: tuple[int, ...]) -> None:
    """As the appendices say; those of Da Hu are drawings, whose boxes the house tells."""
    for layout, boxes in zip(load(book).layouts, drawn, strict=True):
        table = opened(book, layout=layout, positions=boxes, acknowledged=True)
        table = after(table, c.LoadShoe(), c.Stand("ann"), c.BuyIn("ann", 50000), c.OpenBets())
        for box in range(1, boxes + 1):
            assert why_not(table, c.Sit("bob", box)) is None
            assert why_not(table, c.Place("ann", "player", 1000, box=box)) is None
        for box in (0, boxes + 1, 99):
            assert clause in refusal(table, c.Sit("bob", box)).clauses
            assert clause in refusal(table, c.Place("ann", "player", 1000, box=box)).clauses


def test_a_layout_with_few_positions_at_hoiana() -> None:
    first = next(iter(load(HOIANA).layouts.values()))
    assert first.positions.max == 3
    assert refusal(None, opening(HOIANA, layout=first.id, positions=4)).clause == first.clause


@pytest.mark.parametrize(
    ("book", "clause", "layout"),
    by_clause(
        (WU_SONG, "2.1.1", "Z"),
        (DA_HU, "2.1.1", "Z"),
        (COMMISSION, "2.1.1", "Z"),
        (MBS, "2.2", "Z"),
        (HOIANA, "3.1", "Z"),
    ),
)
def test_only_approved_layouts(book: str, clause: str, layout: str) -> None:
    assert clause in refusal(None, opening(book, layout=layout)).clauses


@pytest.mark.parametrize(
    ("book", "clause", "times"),
    by_clause(
        (WU_SONG, "front#title", ("2024-12-06T07:59:59+08:00", "2024-12-06T08:00:00+08:00")),
        (DA_HU, "front#title", ("2023-11-07T07:59:59+08:00", "2023-11-07T08:00:00+08:00")),
        (COMMISSION, "front#title", ("2019-09-16T07:59:59+08:00", "2019-09-16T08:00:00+08:00")),
        (MBS, "front#title", ("2023-12-06T23:59:59+08:00", "2023-12-07T00:00:00+08:00")),
        (HOIANA, "front#title", ("2025-01-31T23:59:59+07:00", "2025-02-01T00:00:00+07:00")),
    ),
)
def test_no_table_before_the_book_takes_effect(book: str, clause: str, times: tuple[str, str]) -> None:
    before, then = times
    assert clause in refusal(None, opening(book, at=before)).clauses
    assert can(None, opening(book, at=then))


@pytest.mark.parametrize("at", ["yesterday", "2025-03-01T20:00:00", "2025-03-01", ""])
def test_a_time_has_a_zone(at: str) -> None:
    assert "write it like 2025-03-01T20:00:00+08:00" in refusal(None, opening(WU_SONG, at=at)).reason


@pytest.mark.clause(MBS, "4.3")
def test_the_layout_whose_print_is_wrong_opens_only_with_its_notice_acknowledged() -> None:
    refused = refusal(None, opening(MBS, layout="K"))
    assert refused.clause == "4.3"
    assert "AMB-40" in refused.readings
    assert can(None, opening(MBS, layout="K", acknowledged=True))
    assert can(None, opening(MBS, layout="A"))


@pytest.mark.parametrize(
    ("book", "clause", "missing"),
    by_clause(
        *((book, "3.4", name) for book in (WU_SONG, DA_HU, COMMISSION) for name in ("minimum", "differential")),
        *((MBS, "3.5.1", name) for name in ("minimum", "maximum")),
        (HOIANA, "4.3", "differential"),
        (HOIANA, "4.4", "minimum"),
        (HOIANA, "4.4", "maximum"),
    ),
)
def test_what_must_be_displayed_must_be_posted(book: str, clause: str, missing: str) -> None:
    limits = msgspec.structs.replace(POSTED, **{missing: None})
    refused = refusal(None, opening(book, limits=limits))
    assert missing in refused.reason
    assert clause in refused.clauses
    assert clause in refusal(opened(book), c.PostLimits(limits)).clauses


@pytest.mark.parametrize(
    ("other", "says"),
    [
        ({"auto": ("deal", "juggle")}, "A table does not do 'juggle' by itself"),
        ({"shoe": "hat"}, "There is no shoe of the kind 'hat'"),
        ({"currency": "dollars"}, "'dollars' is not a currency"),
        ({"currency": "S$"}, "'S$' is not a currency"),
        ({"limits": Limits(minimum=1000, differential=100000, rounding="down")}, "Payments are exact, or rounded up"),
        ({"limits": Limits(minimum=1000, differential=100000, maximums={"toe": 5000})}, "There is no bet 'toe'"),
    ],
)
def test_a_table_is_set_up_in_known_words(other: dict[str, object], says: str) -> None:
    assert says in refusal(None, opening(WU_SONG, **other)).reason


def test_only_books_that_are_known() -> None:
    assert "There is no book 'snap'; there are " in refusal(None, opening("snap")).reason


@pytest.mark.parametrize(
    ("ranks", "says"),
    [
        ({"3.9": "dealer"}, "Dealer is below Pit Supervisor"),
        ({"5.8": "dealer"}, "Dealer is below Pit Supervisor"),
        ({"3.9": "croupier"}, "There is no rank 'croupier'"),
        ({"3.3": "pit-manager"}, "The House decides nothing under '3.3'"),
    ],
)
def test_nobody_below_the_books_own_rank_speaks_for_the_house(ranks: dict[str, str], says: str) -> None:
    assert says in refusal(None, opening(WU_SONG, house_ranks=ranks)).reason


def test_a_higher_rank_may_speak_for_the_house() -> None:
    table = after(
        opened(face_down=True, house_ranks={"3.9": "pit-manager"}),
        c.LoadShoe(),
        c.Sit("ann", 1, by="ann"),
        c.BuyIn("ann", 50000, by="ann"),
        c.OpenBets(),
        c.Place("ann", "player", 10000, by="ann"),
        c.CloseBets(),
        c.AskSqueeze("ann", "player", by="ann"),
    )
    [question] = table.questions
    assert question.to == "pit-manager"
    assert "Pit Manager" in refusal(table, c.Answer(question.id, "yes", by="pit-supervisor")).reason
    assert can(table, c.Answer(question.id, "yes", by="table-game-shift-manager"))


@pytest.mark.parametrize(
    ("method", "other", "says"),
    [
        ("D", {}, "The methods are A, B, C"),
        ("C", {}, "high-limit area only"),
        ("C", {"high_limit": True}, "needs a shoe that reads the cards"),
    ],
)
def test_a_method_of_dealing_must_be_possible(method: str, other: dict[str, object], says: str) -> None:
    assert says in refusal(None, opening(MBS, method=method, **other)).reason
    assert can(None, opening(MBS, method="C", high_limit=True, shoe="read"))


def test_a_book_without_methods_takes_none() -> None:
    assert "no methods" in refusal(None, opening(WU_SONG, method="A")).reason


@pytest.mark.parametrize("book", ids())
def test_the_book_is_never_changed_in_the_middle_of_a_shoe(book: str) -> None:
    other = c.ChangeBook(WU_SONG, AT, 8, limits=POSTED)
    loaded = after(opened(book), c.LoadShoe())
    refused = refusal(loaded, other)
    assert "in the middle of a shoe" in refused.reason
    assert "front" in refused.clauses or "front#title" in refused.clauses
    between = after(loaded, c.EndShoe(), other)
    assert between.book.id == WU_SONG
    assert refusal(between, c.ChangeBook(WU_SONG, AT, 3, limits=POSTED)).clause == "2.2.1"


def test_nobody_loses_their_seat_when_the_layout_changes() -> None:
    seated = after(opened(layout="A"), c.Sit("ann", 6, by="ann"))
    assert "ann sits at box 6" in refusal(seated, c.ChangeBook(WU_SONG, AT, 8, layout="B", limits=POSTED)).reason


def test_nothing_happens_before_a_table_is_open_or_after_it_is_closed() -> None:
    assert refusal(None, c.LoadShoe()).reason == "The table is not open."
    table = opened()
    assert refusal(table, opening(WU_SONG)).reason == "The table is open already."
    assert refusal(after(table, c.CloseTable()), c.LoadShoe()).reason == "The table is closed."


@pytest.mark.clause(WU_SONG, "5.5.4", "5.16")
def test_the_last_cards_of_a_shoe_run_out_in_the_middle_of_a_round() -> None:
    table = after(
        opened(),
        c.LoadShoe(),
        c.Sit("ann", 1, by="ann"),
        c.BuyIn("ann", 50000, by="ann"),
        c.OpenBets(),
        c.Place("ann", "player", 10000, by="ann"),
        c.CloseBets(),
    )
    assert table.shoe is not None
    table = msgspec.structs.replace(table, shoe=msgspec.structs.replace(table.shoe, left=4))
    table = after(table, *[c.Draw()] * 4, c.Expose(("7h", "2c", "Kd", "3s")))
    table, events = act(table, c.Draw())
    [ended] = [event for event in events if isinstance(event, e.RoundEnded)]
    assert ended.basis.clauses[0] == "5.5.4"
    assert table.patrons["ann"].balance == 50000


# Who may decide


@cache
def played() -> tuple[Played, ...]:
    """Every story that ships, as it goes."""
    return tuple(
        play(read(path.read_text(encoding="utf-8"), path.name)) for path in sorted(STORIES.rglob("*.scenario"))
    )


@cache
def questions() -> dict[tuple[str, str], tuple[Table, Question]]:
    """By book and topic, a table at which a question is open to a rank of the staff."""
    found: dict[tuple[str, str], tuple[Table, Question]] = {}
    for story in played():
        table: Table | None = None
        for event in story.events:
            table = evolve(table, event)
            if isinstance(event, e.Asked) and event.question.to != "patrons":
                found.setdefault((table.book.id, event.question.topic), (table, event.question))
    return found


TOPICS = (
    (WU_SONG, "squeeze"),
    (WU_SONG, "reconstructible"),
    (WU_SONG, "order"),
    (WU_SONG, "replace-cards"),
    (WU_SONG, "reversal"),
    (WU_SONG, "refer"),
    (DA_HU, "banker-third-first"),
    (DA_HU, "no-insurance"),
    (DA_HU, "late-offer"),
    (DA_HU, "intended"),
    (MBS, "differential"),
    (MBS, "differential-late"),
    (MBS, "squeezer"),
    (MBS, "attend"),
    (MBS, "count"),
    (HOIANA, "permit"),
    (HOIANA, "shoe"),
)


@pytest.mark.parametrize(("book", "topic"), TOPICS)
def test_only_the_rank_that_was_asked_or_a_higher_one_answers(book: str, topic: str) -> None:
    table, question = questions()[book, topic]
    posts = [rank for tier in table.book.ranks for rank in tier]
    for rank in posts:
        refused = why_not(table, c.Answer(question.id, question.choices[0], by=rank))
        post = post_of(table, rank)
        assert post is not None
        if holds(table.book, post, question.to):
            assert refused is None or "This is for the" not in refused.reason
        else:
            assert refused is not None
            assert f"This is for the {title(question.to)}" in refused.reason
            assert set(refused.clauses) >= set(question.basis.clauses)
    for patron in table.patrons:
        assert f"not for {patron}" in refusal(table, c.Answer(question.id, question.choices[0], by=patron)).reason


def test_every_topic_that_the_stories_come_to_is_in_that_list() -> None:
    assert {topic for _, topic in questions()} == {topic for _, topic in TOPICS}


@pytest.mark.parametrize(("book", "topic"), [case for case in TOPICS if case != (MBS, "attend")])
def test_an_acting_post_is_as_good_and_is_recorded(book: str, topic: str) -> None:
    table, question = questions()[book, topic]
    top = table.book.ranks[-1][0]
    table = after(table, c.Assign("mia", question.to, acting=True, by=top))
    answer = c.Answer(question.id, question.choices[-1], "It is plain.", by="mia")
    if question.form == "order":
        answer = msgspec.structs.replace(answer, order=table.procedures[-1].cards)
    if question.form == "remedies":
        answer = msgspec.structs.replace(answer, remedies=({"continue": True},))
    if question.form == "count":
        assert "under seal" in refusal(table, answer).reason
        return
    [event] = [event for event in decide(table, answer) if isinstance(event, e.Answered)]
    assert (event.by, event.acting, event.reason) == ("mia", True, "It is plain.")


@pytest.mark.parametrize("book", ids())
def test_nobody_assigns_a_post_above_their_own(book: str) -> None:
    table = opened(book)
    top, lowest = table.book.ranks[-1][0], table.book.ranks[0][0]
    assert title(top) in refusal(table, c.Assign("mia", top, by=lowest)).reason
    table, [event] = act(table, c.Assign("mia", top, by=top))
    assert not event.acting
    table = after(table, c.Relieve("mia", by=top))
    assert refusal(table, c.LoadShoe(by="mia")).reason.startswith(f"This is for the {title(lowest)}")


@pytest.mark.parametrize(("book", "reasons"), [(WU_SONG, True), (DA_HU, False), (COMMISSION, False)])
def test_reasonable_discretion_needs_a_reason_and_absolute_discretion_none(book: str, reasons: bool) -> None:
    table = after(
        opened(book),
        c.LoadShoe(),
        c.OpenBets(),
        c.CloseBets(),
        *[c.Draw()] * 4,
        c.Expose(("6h", "7c", "Kd", "Ks")),
        c.Draw("player"),
    )
    [question] = table.questions
    assert question.topic == "reconstructible"
    assert can(table, c.Answer(question.id, "yes", by="pit-supervisor")) is not reasons
    assert can(table, c.Answer(question.id, "yes", reason="Its place is plain.", by="pit-supervisor"))


@pytest.mark.parametrize("book", ids())
def test_what_no_book_foresees_needs_a_reason_everywhere(book: str) -> None:
    table = after(opened(book), c.Report("other", note="The lights are blue."))
    [question] = table.questions
    assert question.to == load(book).point("authority", "residual").by  # type: ignore[union-attr]
    assert "reason" in refusal(table, c.Answer(question.id, "continue", by=question.to)).reason
    assert can(table, c.Answer(question.id, "continue", reason="Nothing is wrong.", by=question.to))


# Commands and events as they are written


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ('{"do": "place", "patron": "ann", "bet": "player", "stake": 100, "colour": "red"}', "unknown field `colour`"),
        ('{"do": "place", "patron": "ann", "bet": "player", "stake": "100"}', "Expected `int`, got `str`"),
        ('{"do": "place", "patron": "ann", "bet": "player", "stake": 1.5}', "Expected `int`, got `float`"),
        ('{"do": "place", "patron": "ann", "bet": "player"}', "missing required field `stake`"),
        ('{"do": "sing"}', "Invalid value 'sing'"),
        ('{"patron": "ann"}', "missing required field `do`"),
        ('{"do": "expose", "faces": "9h"}', "Expected `array`, got `str`"),
        ('{"do": "open-table", "book": "wu-song", "at": "x", "decks": 8, "limits": {"unit": 0}}', "A chip unit"),
        ("[]", "Expected `object`, got `array`"),
        ("place ann player 100", "malformed"),
        ("", "truncated"),
    ],
)
def test_what_is_no_command_is_refused_with_a_sentence(written: str, says: str) -> None:
    with pytest.raises(Refused, match="This is no command: ") as refused:
        decode_command(written.encode())
    assert says in refused.value.reason
    assert refused.value.reason.endswith(".")


def test_nobody_named_means_the_dealer() -> None:
    assert decode_command(b'{"do": "draw"}') == c.Draw(by="dealer")


def test_every_command_has_its_own_name_and_reads_back() -> None:
    assert COMMANDS["open-bets"] is c.OpenBets
    for command in (
        c.Draw("player"),
        c.Place("ann", "tie", 500, 2, by="ann"),
        opening(MBS, layout="K", auto=("deal",)),
    ):
        assert decode_command(encode(command)) == command
        assert read_command(msgspec.to_builtins(command)) == command


def test_every_event_of_every_story_decodes_to_itself() -> None:
    for story in played():
        for event in story.events:
            written = encode(event)
            assert decode_event(written) == event
            assert encode(decode_event(written)) == written


# What can be done, and why not


TURNING = (e.BetsOpened, e.BetsClosed, e.CardsExposed, e.Asked, e.RoundSettled, e.RoundEnded)


def moments() -> Iterator[Table]:
    """Tables in the middle of stories."""
    for story in played():
        table: Table | None = None
        for event in story.events:
            table = evolve(table, event)
            if isinstance(event, TURNING):
                yield table


def test_can_and_why_not_say_what_act_does() -> None:
    tried = (
        c.OpenBets(),
        c.CloseBets(),
        c.Draw(),
        c.Settle(),
        c.EndShoe(),
        c.Place("ann", "player", 10000, by="ann"),
        c.Withdraw("ann", "player", by="ann"),
        c.Report("foreign-card"),
        c.CloseTable(),
    )
    outcomes = set()
    for table in moments():
        for command in tried:
            refused = why_not(table, command)
            assert can(table, command) is (refused is None)
            outcomes.add((type(command), refused is None))
            if refused is None:
                now, events = act(table, command)
                assert events == decide(table, command)
                assert fold(events, table) == now
            else:
                with pytest.raises(Refused) as raised:
                    act(table, command)
                assert str(raised.value) == str(refused)
    assert {kind for kind, accepted in outcomes if accepted} == {kind for kind, accepted in outcomes if not accepted}


# Numbers without end


@pytest.mark.parametrize("digits", [15, 400, 5000])
def test_no_table_takes_more_money_than_can_be_counted(digits: int) -> None:
    much = 10**digits + 1
    table = after(opened("wu-song"), c.LoadShoe(), c.Sit("ann", 1, by="ann"), c.BuyIn("ann", 10**14, by="ann"))
    betting = after(table, c.OpenBets())
    for cage in (c.BuyIn("ann", much), c.BuyIn("ann", 10**15), c.CashOut("ann", much), c.CashOut("ann", -much)):
        refusal(table, cage)
    for wager in (c.Place("ann", "tie", much), c.Place("ann", "tie", -much), c.Lower("ann", "tie", much)):
        refusal(betting, wager)
    with pytest.raises(Refused, match="too much"):
        Limits(maximum=much)


def test_numbers_from_outside_are_bounded() -> None:
    for given in ('"do":"buy-in","patron":"ann","amount":1' + "0" * 400, '"do":"draw","to":"player","by":7'):
        with pytest.raises(Refused, match="This is no command"):
            decode_command(f"{{{given}}}".encode())


def test_what_was_not_called_or_offered_cannot_have_been_wrong() -> None:
    table = after(opened("commission-insurance"), c.LoadShoe(), c.Sit("ann", 1, by="ann"), c.BuyIn("ann", 100_00))
    table = after(table, c.OpenBets(), c.Place("ann", "player", 10_00, by="ann"), c.CloseBets(), c.Draw())
    assert refusal(table, c.Report("wrong-call")).reason == "Nothing has been called yet that could be wrong."
    found = refusal(table, c.Report("wrong-lammer"))
    assert found.reason == "No insurance was offered in this round."
    assert found.clauses


def test_whatever_a_fact_names_is_there() -> None:
    """Details are fields of a report; conditions, guards and places are written once, and none for nothing."""
    fields = set(c.Report.__struct_fields__)
    assert {each.name for each in REPORTED} | {"fact", "by"} == fields
    declared = FACTS.values()
    assert {detail.name for fact in declared for detail in fact.details} <= fields
    assert {name for fact in declared for name in fact.conditions} == set(conditions.CONDITIONS) == set(CONDITIONS)
    assert {name for fact in declared for name in fact.guards} == set(guards.VALUES) == set(GUARDS)
    named = {str(each["cards"]) for fact in declared for each in fact.examples if "cards" in each}
    assert named == set(PLACES)
    assert {fact.lays for fact in declared if fact.lays} == set(effects.EFFECTS) == set(get_args(Lays))


def test_every_verb_of_the_format_is_carried_out() -> None:
    assert set(VERB_FUNCTIONS) == set(VERBS)
    assert set(RULED) <= set(VERBS)


VIRTUAL = {"shoe": "virtual", "auto": ("announce", "offer")}
OF_THE_CARDS = sorted(fact for fact in REPORTABLE if not FACTS[fact].virtual)
OF_PEOPLE = sorted(fact for fact in REPORTABLE if FACTS[fact].virtual)


def dealt_virtually(book: str) -> Iterator[Table]:
    """A table with a virtual shoe in every phase of a round, up to four closed cards."""
    method = {"method": "A"} if book == MBS else {}
    table = after(opened(book, **VIRTUAL, **method), c.LoadShoe("00" * 32), c.Stand("ann"), c.BuyIn("ann", 100000))
    yield table
    if table.book.point("dealing", "burn") is not None:
        table = after(table, c.Burn())
    for command in (c.OpenBets(), c.Place("ann", "player", 10000, 1, by="ann"), c.CloseBets(), *[c.Draw()] * 4):
        table = after(table, command)
        yield table


@pytest.mark.parametrize("book", ids())
def test_what_cannot_happen_to_virtual_cards_cannot_be_reported(book: str) -> None:
    for table in dealt_virtually(book):
        for fact in OF_THE_CARDS:
            for report in (
                c.Report(fact),
                c.Report(fact, faces=("?",)),
                c.Report(fact, faces=("As",), hand="banker"),
                c.Report(fact, (0,), ("As",)),
                c.Report(fact, (0, 1), order="unknown"),
                c.Report(fact, earlier=True),
            ):
                refusal(table, report)
        for fact in OF_PEOPLE:
            refusal(table, c.Report(fact, (0,), ("As",), note="Seen."))
            refusal(table, c.Report(fact, faces=("As",), note="Seen."))
        if table.running is not None and len(table.running.cards) == 4:
            refusal(table, c.Draw("player"))
            refusal(table, c.Draw("banker"))


def test_a_virtual_shoe_is_burned_before_the_first_bets() -> None:
    table = next(dealt_virtually(HOIANA))
    assert [each.do for each in next_steps(table)] == ["burn"]
    assert "burned" in refusal(table, c.OpenBets()).reason
    assert [each.do for each in next_steps(after(table, c.Burn()))] == ["open-bets"]


@pytest.mark.parametrize("book", ids())
def test_a_patron_without_missed_cover_cannot_say_that_insurance_was_neglected(book: str) -> None:
    for table in dealt_virtually(book):
        refusal(table, c.Report("insurance-neglected", by="ann"))
        if table.book.insurance is None:
            refusal(table, c.Report("insurance-neglected", by="ann", earlier=True))
