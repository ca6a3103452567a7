"""The trainer and the staff's desk: every drill follows from its seed, and its answers are the engine's."""

import pytest

from punto.coup import deal
from punto.rulebook import SHIPPED, ids, load
from punto.rulebook.facts import FACTS, OTHER, REPORTABLE
from punto.rulebook.vocabulary import ANY, VERBS, WHOLE
from punto.service.books import in_use
from punto.service.desk.desk import desk_of, details_of
from punto.service.desk.foreseen import foreseen
from punto.service.desk.names import STEP_NAMES, step_names
from punto.service.errors import Unknown
from punto.service.runtime.live import Said
from punto.service.runtime.seen_cards import SeenCards
from punto.service.training import (
    LIMITS,
    NOBODY,
    irregularity,
    mark_irregularity,
    mark_payout,
    payout,
)
from punto.settlement import Limits, Wager, settle
from punto.table import Table, act, commands
from punto.table.events import (
    BetsOpened,
    CardDrawn,
    CardsCarried,
    CardsExposed,
    CardsSeen,
    FacesCorrected,
    ShoeLoaded,
)

BOOKS = ids()


@pytest.mark.parametrize("book", BOOKS)
def test_what_is_paid_is_what_the_engine_pays(book: str) -> None:
    for layout in load(book).layouts:
        for seed in range(12):
            drill = payout(load(book), layout, seed)
            assert drill == payout(load(book), layout, seed)
            cards = [each for pair in zip(drill.player[:2], drill.banker[:2], strict=True) for each in pair]
            coup = deal(" ".join((*cards, *drill.player[2:], *drill.banker[2:])))
            plain = [each for each in drill.wagers if each.stage is None]
            wagers = [Wager(each.bet, each.stake) for each in plain]
            lines = settle(load(book), coup, wagers, layout=layout, limits=LIMITS)
            marks = mark_payout(load(book), layout, seed, [line.net for line in lines])
            assert [line.net for line in marks.lines[: len(lines)]] == [line.net for line in lines]
            assert all(line.right for line in marks.lines[: len(lines)])
            assert all(line.net in each.choices for each, line in zip(drill.wagers, marks.lines, strict=True))
            assert all(line.clauses for line in marks.lines)
            assert marks.steps


def test_cover_is_drilled_where_the_book_has_it() -> None:
    assert any(each.stage for seed in range(60) for each in payout(load("commission-insurance"), None, seed).wagers)
    assert not any(each.stage for seed in range(60) for each in payout(load("wu-song"), None, seed).wagers)


def test_an_answer_left_out_is_not_right() -> None:
    marks = mark_payout(load("wu-song"), None, 3, [])
    assert marks.right == 0
    assert not any(line.right for line in marks.lines)


@pytest.mark.parametrize("book", BOOKS)
def test_irregularities_have_one_right_answer(book: str) -> None:
    facts = set()
    for seed in range(40):
        drill = irregularity(load(book), seed)
        assert drill == irregularity(load(book), seed)
        assert len(set(drill.choices)) == len(drill.choices) == 4
        facts.add(drill.fact)
        marks = [mark_irregularity(load(book), seed, at) for at in range(4)]
        assert [each.right for each in marks].count(True) == 1
        assert marks[0].clauses
        assert marks[marks[0].answer].right
        assert not mark_irregularity(load(book), seed, None).right
        if drill.asks == "Who decides?" and marks[0].asks is None:
            assert drill.choices[marks[0].answer] == NOBODY
    assert len(facts) > 6


def test_there_is_no_drill_from_a_book_that_does_not_ship() -> None:
    with pytest.raises(Unknown, match="no book 'poker'"):
        in_use(SHIPPED, "poker")


def test_every_fact_and_every_step_has_a_name() -> None:
    names = [each.names for each in FACTS.values()]
    assert all(english and chinese for english, chinese in names)
    assert len({english for english, _ in names}) == len({chinese for _, chinese in names}) == len(names)
    assert [each.fact for each in desk_of(_table(), "dealer").facts] == list(REPORTABLE)
    assert set(STEP_NAMES) == set(VERBS)


def test_every_step_with_what_it_is_about_is_told_in_words() -> None:
    """No name of the books' own stands in brackets: "Void the round (round)"."""
    offers = {("offer", name) for book in ids() for name in load(book).offers}
    about = {(verb, each) for verb, objects in VERBS.items() for each in objects if objects not in (ANY, WHOLE)}
    for verb, object in about | offers | {("attend", "pit-manager"), ("reserve", "2")}:
        assert "(" not in "".join(step_names(verb, object)), (verb, object)


def _table(*given: commands.Command) -> Table:
    limits = Limits(1000, 200000, 500000)
    table, _ = act(
        None, commands.OpenTable("commission-insurance", "2025-03-01T20:00:00+08:00", decks=8, limits=limits)
    )
    for each in (commands.LoadShoe(), commands.Sit("ann", 1), commands.BuyIn("ann", 100000), *given):
        table, _ = act(table, each)
    return table


def _dealt() -> Table:
    placed = (commands.OpenBets(), commands.Place("ann", "player", 10000), commands.CloseBets())
    return _table(*placed, *(commands.Draw(),) * 4, commands.Expose(("4s", "3h", "Tc", "9d")))


def test_the_desk_says_what_could_be_reported_now() -> None:
    before = {each.fact: each for each in desk_of(_table(), "dealer").facts}
    assert before["excess-card"].why_not is not None
    assert before["foreign-card"].why_not is None
    now = {each.fact: each for each in desk_of(_dealt(), "dealer").facts}
    assert now["excess-card"].why_not is None
    assert now["excess-card"].covered
    assert not now["burn-missed"].covered
    assert details_of(load("dragon-tiger-mbs"), "cards-carried-off") == ["cards", "faces"]


def test_the_desk_says_what_may_be_done() -> None:
    desk = desk_of(_dealt(), "dealer")
    assert desk.due == "player"
    assert [(each.area, each.face) for each in desk.cards[:2]] == [("player", "4s"), ("banker", "3h")]
    assert desk.may["draw"] is None
    assert desk.may["open-bets"] is not None
    assert (desk.weight.player, desk.weight.banker) == (10000, 0)


def test_foreseeing_changes_nothing_and_a_question_is_whose_it_is() -> None:
    table = _dealt()
    report = commands.Report("simultaneous-draw", (4, 5), order="unknown")
    seen = foreseen(table, report)
    assert seen.asks is not None
    assert (seen.asks.topic, seen.asks.to) == ("order", "pit-supervisor")
    assert seen.summaries["5.10"]
    assert not table.questions
    after, _ = act(table, report)
    assert [each.mine for each in desk_of(after, "dealer").questions] == [False]
    supervisor = desk_of(after, "pit-supervisor")
    assert [each.mine for each in supervisor.questions] == [True]
    assert supervisor.procedures[0].cards == (4, 5)
    assert supervisor.procedures[0].rest


def test_what_a_corrected_face_moves_is_foreseen() -> None:
    """Wu Song 5.15: the cards count. Even money either way, so each stake of 100 turns round by 200."""
    table = _dealt_to("wu-song", "9h 8c Kd Ks")
    report = commands.Report("wrong-call", (0,), faces=("6h",))
    unpaid = foreseen(table, report)
    assert (unpaid.moves, unpaid.next and unpaid.next.do) == ({}, "settle")
    paid, _ = act(table, commands.Settle())
    seen = foreseen(paid, report)
    assert (seen.moves, seen.next and seen.next.do) == ({"ann": -200_00, "bob": 200_00}, "open-bets")
    assert "The cards count: Player 6, Banker 8, banker." in [each.says for each in seen.steps]
    assert desk_of(paid, "dealer").past_cards == []


def test_the_cards_of_the_last_round_are_on_the_desk_while_they_can_be_put_right() -> None:
    """Hoiana 2.2.15: a round begins with its first card; in the other books with the opening call."""
    for book, shown in (("dragon-tiger-hoiana", ["9h", "8c", "Kd", "Ks"]), ("wu-song", [])):
        table = _dealt_to(book, "9h 8c Kd Ks")
        for command in (commands.Settle(), commands.OpenBets()):
            table, _ = act(table, command)
        assert [each.face for each in desk_of(table, "dealer").past_cards] == shown


def _dealt_to(book: str, cards: str) -> Table:
    """Ann on Player and Bob on Banker, 100 each, and these four cards."""
    limits = Limits(10_00, 1_000_00, 1_000_00)
    opening = commands.OpenTable(book, "2025-03-01T20:00:00+08:00", 8, limits=limits, auto=("announce",))
    table, _ = act(None, opening)
    for each in (
        commands.LoadShoe(),
        *([commands.Burn()] if load(book).point("dealing", "burn") else []),
        *(commands.Sit(name, box) for box, name in enumerate(("ann", "bob"), 1)),
        *(commands.BuyIn(name, 1_000_00) for name in ("ann", "bob")),
        commands.OpenBets(),
        commands.Place("ann", "player", 100_00, by="ann"),
        commands.Place("bob", "banker", 100_00, by="bob"),
        commands.CloseBets(),
        *(commands.Draw() for _ in range(4)),
        commands.Expose(tuple(cards.split())),
    ):
        table, _ = act(table, each)
    return table


def test_a_ruling_is_made_of_steps_that_the_table_takes() -> None:
    table, _ = act(_dealt(), commands.Report(OTHER.id, note="A glass fell over."))
    remedies = desk_of(table, "table-game-shift-manager").remedies
    assert {"void", "continue", "note"} <= {each.verb for each in remedies}
    assert "refer" not in {each.verb for each in remedies}


def test_every_card_seen_counts_once() -> None:
    seen = SeenCards()
    shown = (
        ShoeLoaded(1, 416),
        BetsOpened(1),
        CardDrawn(0, "player"),
        CardDrawn(1, "banker"),
        CardsExposed((0, 1), ("6h", "2c")),
        FacesCorrected((1,), ("3c",)),
        CardsSeen((), ("9d",)),
        CardsCarried((), seen=("9d",)),
        CardDrawn(2, "player", carried=True),
        CardsExposed((2,), ("9d",)),
    )
    for number, event in enumerate(shown, start=1):
        seen.take(Said(number, event, b""))
    assert sorted(seen.cards) == ["3c", "6h", "9d"]
    seen.take(Said(10, ShoeLoaded(2, 416), b""))
    assert seen.cards == []
