"""Who may see what of an event: every field of every kind is declared, and what is another's is never shown."""

import msgspec

from audited import runs_of_luck
from punto.settlement import Limits
from punto.table import EVENTS, PUBLIC, STAFF, Viewer, act, decode_event, encode, fold, viewer_at, visible
from punto.table import commands as c
from punto.table import events as e
from punto.table.view import view
from punto.table.visible import ALWAYS, SHOWN, told_name

ANN, BOB = Viewer("ann"), Viewer("bob")


def test_every_field_of_every_event_is_declared_once() -> None:
    """A field that is new is shown to nobody but the staff, and this test asks who else may see it."""
    assert set(SHOWN) == set(EVENTS.values())
    for kind, shown in SHOWN.items():
        declared = [*shown.public, *shown.own, *shown.each, *shown.staff, *ALWAYS]
        assert sorted(declared) == sorted(kind.__struct_fields__), kind.__name__


def test_nothing_that_could_be_mistaken_for_an_amount_stands_in_the_place_of_what_is_left_out() -> None:
    for kind, shown in SHOWN.items():
        fields = {field.name: field for field in msgspec.structs.fields(kind)}
        remains = shown.public or shown.each
        for name in (*shown.own, *shown.staff) if remains else ():
            field = fields[name]
            assert field.type is str or not field.required, f"{kind.__name__}.{name}"
            assert field.type is not int, f"{kind.__name__}.{name}"


class Sung(e.Event, frozen=True, tag="sung"):
    """Something that no row declares."""

    words: str


def test_what_nobody_declared_is_for_the_staff() -> None:
    event = Sung("la la", by="ann")
    assert visible(event, STAFF) is event
    assert visible(event, ANN) is None
    assert visible(event, PUBLIC) is None


def test_a_purse_is_its_owner_s_and_the_staff_s() -> None:
    for event in (
        e.BoughtIn("ann", 5_000, by="ann"),
        e.CashedOut("ann", 5_000, by="lee"),
        e.OwedPaid("ann", 5_000, True, by="ann"),
        e.MoneyRefused("ann", 1, "player", 700, "The maximum is 10.00.", by="ann"),
        e.OriginalReturned("ann", 1, "player", 5_000),
    ):
        assert visible(event, STAFF) is event
        assert visible(event, BOB) is None
        assert visible(event, PUBLIC) is None
        own = visible(event, ANN)
        assert own is not None
        assert getattr(own, "amount") == getattr(event, "amount")  # noqa: B009 - each of these has one


def test_the_wagers_on_the_felt_are_everybody_s() -> None:
    for event in (
        e.WagerPlaced("ann", 1, "player", 5_000, by="ann"),
        e.WagerLowered("ann", 1, "player", 1_000, by="ann"),
        e.CoverStruck("ann", 1, "player", 2_000, by="ann"),
        e.CardsExposed((0,), ("9h",)),
    ):
        for viewer in (STAFF, ANN, BOB, PUBLIC):
            assert visible(event, viewer) is event


def test_a_settled_round_shows_everybody_the_result_and_each_their_own_money() -> None:
    settled = e.RoundSettled(
        {"ann": (), "bob": ()},
        {"ann": (("ann", 1, "player"),), "bob": (("bob", 2, "banker"),)},
        {"ann": (4_000, 0), "bob": (-3_000, 1_500)},
        "player",
        (("9h", "Kd"), ("2c", "5s")),
        ("bob",),
    )
    for viewer, names, strikes in ((ANN, {"ann"}, ()), (BOB, {"bob"}, ("bob",)), (PUBLIC, set(), ())):
        seen = visible(settled, viewer)
        assert isinstance(seen, e.RoundSettled)
        assert (seen.winner, seen.cards) == (settled.winner, settled.cards)
        assert set(seen.lines) == set(seen.spots) == set(seen.moves) == names
        assert seen.strikes == strikes
    assert visible(settled, STAFF) is settled


def test_a_debt_after_a_reversal_is_told_to_whoever_owes_it() -> None:
    ended = e.RoundEnded("void", True, {"ann": -2_000, "bob": 3_000}, {"ann": 1_000})
    owing, other = visible(ended, ANN), visible(ended, BOB)
    assert isinstance(owing, e.RoundEnded)
    assert isinstance(other, e.RoundEnded)
    assert (owing.returned, owing.owed) == ({"ann": -2_000}, {"ann": 1_000})
    assert (other.returned, other.owed) == ({"bob": 3_000}, {})


def test_cover_caps_disputes_notes_and_reasons_are_not_for_others() -> None:
    offered = e.InsuranceOffered("four", "player", "3:2", 6, 4, (("ann", 1, "player", 900), ("bob", 2, "player", 800)))
    seen = visible(offered, BOB)
    assert isinstance(seen, e.InsuranceOffered)
    assert seen.most == (("bob", 2, "player", 800),)
    raised = e.DisputeRaised("ann", "That was mine.", "dealer", by="ann")
    assert visible(raised, ANN) is raised
    assert visible(raised, BOB) is None
    assert visible(e.DisputeMoved(0, "resolved", "We looked.", by="lee"), ANN) is None
    reported = visible(e.Reported("other", note="bob looked drunk", guards={"a": "b"}, by="lee"), ANN)
    assert isinstance(reported, e.Reported)
    assert (reported.fact, reported.note, reported.guards, reported.by) == ("other", "", {}, "")
    ruled = visible(e.RulingMade("outcome-scope", "main", "ann complained", by="lee"), BOB)
    assert isinstance(ruled, e.RulingMade)
    assert (ruled.policy, ruled.value, ruled.reason) == ("outcome-scope", "main", "")


def test_the_names_of_the_staff_are_not_told() -> None:
    opened = e.BetsOpened(1, by="lee", acting=True)
    seen = visible(opened, ANN)
    assert seen is not None
    assert (seen.by, seen.acting) == ("", False)
    assert visible(opened, STAFF) is opened
    assigned = visible(e.PostAssigned("lee", "pit-manager", by="pit-manager"), PUBLIC)
    assert isinstance(assigned, e.PostAssigned)
    assert (assigned.person, assigned.post, assigned.by) == ("", "pit-manager", "")
    assert visible(e.PostLeft("lee", by="lee"), PUBLIC) is None
    opened_by_house = e.BetsOpened(1)
    assert visible(opened_by_house, PUBLIC) is opened_by_house
    assert told_name("shoe-1", e.CardDrawn(0, "player"), PUBLIC) == ""
    assert told_name("ann", e.CardsExposed((0,), ("9h",), by="ann"), ANN) == "ann"


class _Insured:
    """A table at which two patrons are offered insurance on different wagers."""

    def __init__(self) -> None:
        limits = Limits(minimum=1_000, maximum=1_000_000, differential=1_000_000)
        self.table, self.events = act(
            None, c.OpenTable("commission-insurance", "2025-03-01T20:00:00+08:00", decks=8, limits=limits)
        )
        for box, name in enumerate(("ann", "bob"), 1):
            self.do(c.Sit(name, box, by=name), c.BuyIn(name, 1_000_000, by=name))
        self.do(c.LoadShoe(), c.OpenBets())
        self.do(c.Place("ann", "player", 10_000, by="ann"), c.Place("bob", "player", 30_000, by="bob"), c.CloseBets())
        for face in ("2h", "2d", "3c", "2s"):
            self.do(c.Draw(), c.Expose((face,)))
        self.do(c.OfferInsurance())

    def do(self, *given: c.Command) -> None:
        for each in given:
            self.table, made = act(self.table, each)
            self.events = (*self.events, *made)


def test_the_view_shows_one_s_own_cover_cap_and_the_staff_all_of_them() -> None:
    table = _Insured().table
    most = {}
    for who in ("ann", "bob", "dealer", None):
        round = view(table, who).round
        assert round is not None
        assert round.offer is not None
        most[who] = round.offer.most
    assert most["ann"].keys() == {"ann/1"}
    assert most["bob"].keys() == {"bob/2"}
    assert most["dealer"] == {**most["ann"], **most["bob"]}
    assert most[None] == {}


def test_a_question_is_read_out_only_to_those_who_are_asked() -> None:
    """Somebody who is asked hears neither who else is, nor what the others say."""
    story = _Insured()
    story.do(c.Insure("ann", "player", 1_000, by="ann"), c.Insure("bob", "player", 1_000, by="bob"))
    story.do(c.Report("wrong-lammer"))
    [question] = story.table.questions
    assert question.waiting == ("ann", "bob")
    asked = [each for each in story.events if isinstance(each, e.Asked)][-1]
    seen = visible(asked, ANN)
    assert isinstance(seen, e.Asked)
    assert (seen.question.says, seen.question.waiting) == (question.says, ("ann",))
    assert visible(asked, Viewer("eve")) is None
    assert visible(asked, PUBLIC) is None
    assert [each.says for each in view(story.table, "ann").next] == [question.says]
    assert [(each.do, each.says) for each in view(story.table, None).next] == [("answer", "")]
    assert [each.says for each in view(story.table, "dealer").next] == [question.says]
    story.do(c.Answer(question.id, "keep", by="ann"))
    [left] = view(story.table, "bob").questions
    assert (left.waiting, left.answers) == (("bob",), {})
    answered = visible(story.events[-1], BOB)
    assert isinstance(answered, e.Answered)
    assert (answered.question, answered.choice, answered.patron) == (question.id, "", None)


def test_of_a_thousand_random_events_nobody_sees_another_s_part() -> None:
    """Whatever happens at a table: what is left of an event is an event, and says no more the second time."""
    seen = set()
    for run in runs_of_luck(60, 120):
        table = None
        for _, _, made in run:
            for event in made:
                table = fold((event,), table)
                seen.add(type(event))
                for name in (*table.patrons, None):
                    viewer = viewer_at(table, name)
                    told = visible(event, viewer)
                    assert visible(event, STAFF) is event
                    if told is None:
                        continue
                    assert decode_event(encode(told)) == told
                    assert visible(told, viewer) == told
                    for other in set(table.patrons) - {name}:
                        _nothing_of(told, other)
    assert len(seen) > 50


def _nothing_of(event: e.Event, other: str) -> None:
    """What is kept by patron has no part of another."""
    for field in SHOWN[type(event)].each:
        value = getattr(event, field)
        names = value if isinstance(value, dict) else [each if isinstance(each, str) else each[0] for each in value]
        assert other not in names
    if isinstance(event, e.Asked):
        assert other not in (*event.question.waiting, *event.question.answers)
