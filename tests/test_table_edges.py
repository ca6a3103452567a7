"""Stories on the edge: the last cent, the last moment, and what is refused that nearly could be.

What is left on the felt when an exceeded differential is cured (MBS 5.18), and small things of all books.
"""

import pytest

from punto.rulebook import Library, parse, source
from punto.scenario import Played, play, read
from punto.table import events as e

from changes import BookChange, Edit

OPENED = """scenario On the edge
shows dragon-tiger-mbs 5.18.3

open-table dragon-tiger-mbs 2025-03-01T20:00:00+08:00 decks=8 minimum=50 maximum=1000 differential=500 \
method=B by pit-manager
load-shoe
sit ann 1
buy-in ann 1000
sit bob 2
buy-in bob 1000
open-bets
"""


def told(story: str) -> None:
    """A story at a table with a minimum of 50 and a differential of 500 goes as told."""
    played = play(read(OPENED + story))
    assert played.as_told, played.differences


@pytest.mark.parametrize(
    ("ann", "bob", "off", "left"),
    [
        pytest.param(460, 80, 80, 0, id="40 would be under the minimum, so all of it comes off"),
        pytest.param(450, 100, 50, 50, id="50 is not under the minimum"),
        pytest.param(451, 100, 100, 0, id="49 is under the minimum"),
        pytest.param(500, 90, 90, 0, id="nothing is left, which is no wager"),
    ],
)
def test_what_the_table_takes_off_leaves_no_wager_under_the_minimum(ann: int, bob: int, off: int, left: int) -> None:
    """5.18.3 with 3.5.1: the latest money goes until 500 is met."""
    told(f"""place ann banker {ann}
place bob banker {bob}
close-bets
answer differential remove by pit-manager
  event wager-lowered patron=bob amount={off} cites 5.18.3
  no-question
  ann holds {ann}
  bob holds {left}
""")


@pytest.mark.parametrize(
    ("amount", "told_then"),
    [
        pytest.param("40", "ann holds 500", id="50 is left"),
        pytest.param("90", "bob holds 0", id="nothing is left"),
        pytest.param("40.20", "refused 3.5.1", id="49.80 would be left"),
        pytest.param("89.99", "refused 3.5.1", id="a cent would be left"),
    ],
)
def test_what_the_pit_manager_takes_off_leaves_no_wager_under_the_minimum(amount: str, told_then: str) -> None:
    told(f"""place ann banker 500
place bob banker 90
close-bets
remove bob banker {amount} by pit-manager
  {told_then}
""")


INSURED = """scenario On the edge
shows commission-insurance 3.12

open-table commission-insurance 2025-03-01T20:00:00+08:00 decks=8 minimum=10 differential=5000 face-down=yes private=yes
load-shoe
sit ann 1
buy-in ann 1000
open-bets
place ann player 100
close-bets
draw
draw
draw
draw
"""


def played(story: str) -> Played:
    """A story that goes as told."""
    found = play(read(story))
    assert found.as_told, found.differences
    return found


def test_the_smallest_cover_is_the_smallest_chip() -> None:
    """3.12.2 has a cap and no least amount (AMB-56): a cent is cover, nothing is none."""
    played(
        INSURED
        + """expose Kh Kc 7d 3d
offer-insurance
insure ann player 0
  refused
insure ann player 0.01
draw
expose 5s
settle
  line ann player-insurance win 0.04
"""
    )


@pytest.mark.parametrize("closed", [0, 1, 2, 3])
def test_insurance_waits_until_all_four_cards_lie_open(closed: int) -> None:
    faces = dict(enumerate(("Kh", "Kc", "7d", "3d")))
    last = faces.pop(closed)
    opened = "\n".join(f"expose {face} at={at}" for at, face in faces.items())
    played(f"{INSURED}{opened}\noffer-insurance\n  refused\nexpose {last}\noffer-insurance\n")


@pytest.mark.parametrize("closed", [0, 1, 2, 3])
def test_nothing_was_neglected_while_a_card_lay_closed(closed: int) -> None:
    """AMB-112: the next card is seen before the last of the four is open, so the points never lay open without it."""
    faces = dict(enumerate(("Kh", "Kc", "7d", "3d")))
    last = faces.pop(closed)
    opened = "\n".join(f"expose {face} at={at}" for at, face in faces.items())
    played(f"""{INSURED}{opened}
report exposed-card faces=5s
answer reconstructible yes by pit-supervisor
expose {last}
report insurance-neglected by ann
  refused AMB-112
""")


def test_settlement_names_for_every_line_its_wager() -> None:
    """Wagers and cover of one patron: as many places as lines, and nobody else's."""
    found = played(INSURED + "expose Kh Kc 7d 3d\noffer-insurance\ninsure ann player 25\ndraw\nexpose 5s\nsettle\n")
    [settled] = [each for each in found.events if isinstance(each, e.RoundSettled)]
    assert settled.spots == {"ann": (("ann", 1, "player"), ("ann", 1, "player"))}
    assert [line.bet for line in settled.lines["ann"]] == ["player", "player-insurance"]


def test_a_table_that_closes_leaves_no_question_open() -> None:
    """4.2.2: whether the table goes without insurance is asked for the next round, which never comes."""
    found = played("""scenario Closing
shows commission-insurance 4.2.2

open-table commission-insurance 2025-03-01T20:00:00+08:00 decks=8 minimum=10 differential=5000 private=yes
sit ann 1
no-insurance ann
  asks no-insurance to=pit-manager
close-table
  event lapsed
  no-question
""")
    assert found.table is not None
    assert found.table.questions == ()


def test_a_table_offers_insurance_again_under_a_book_that_has_no_table_without_it() -> None:
    """4.2.2 lets a private table go without; where a book of one's own leaves that out, a table under it may not."""
    text = source("commission-insurance").decode().replace('id = "commission-insurance"', 'id = "always"', 1)
    silent = "\n".join(line for line in text.split("\n") if not line.startswith("off = "))
    always = parse(silent.encode(), "always.toml")
    opening = "2025-03-01T20:00:00+08:00 decks=8 minimum=10 differential=5000 private=yes"
    story = f"""scenario Insurance again
shows commission-insurance 4.2.2

open-table commission-insurance {opening}
sit ann 1
buy-in ann 1000
no-insurance ann
answer no-insurance yes by pit-manager
change-book {{book}} {opening} by pit-manager
load-shoe
open-bets
place ann player 100
close-bets
draw
draw
draw
draw
expose Kh Kc 7d 3d
offer-insurance
"""
    stays = play(read(story.format(book="commission-insurance") + "  refused 4.2.2\n"))
    assert stays.as_told, stays.differences
    again = play(read(story.format(book="always") + "  event insurance-offered\n"), Library().with_book(always))
    assert again.as_told, again.differences


@pytest.mark.parametrize("name", ["ann", "pit-manager"])
def test_nobody_of_the_staff_is_called_like_a_patron_or_a_rank(name: str) -> None:
    told(f"assign {name} pit-supervisor by pit-manager\n  refused says=name\n")


@pytest.mark.parametrize(
    ("book", "zone", "rank"),
    [
        pytest.param("dragon-tiger-hoiana", "+07:00", "pit-supervisor", id="by what the book names (8.4)"),
        pytest.param("wu-song", "+08:00", "table-game-shift-manager", id="by the residual authority"),
    ],
)
def test_a_dispute_is_not_resolved_without_a_reason(book: str, zone: str, rank: str) -> None:
    played(f"""scenario Without a reason
shows {book} front#title

open-table {book} 2025-03-01T20:00:00{zone} decks=8 minimum=10 maximum=1000 differential=1000
sit ann 1
raise-dispute ann "My chip"
resolve 0 references=rules says=" " by {rank}
  refused says=reason
resolve 0 references=rules says="It lay elsewhere" by {rank}
  event dispute-moved
""")


def test_standing_money_gives_way_in_whole_pieces() -> None:
    """Wu Song 5.1, AMB-22: of two pieces the later goes first, and of the earlier only what is needed."""
    found = played("""scenario Pieces
shows wu-song 5.1

open-table wu-song 2025-03-01T20:00:00+08:00 decks=8 minimum=10 differential=1000
load-shoe
sit ann 1
buy-in ann 2000
stand bob
buy-in bob 1000
open-bets
place bob banker 400 box=1
place bob banker 300 box=1
place ann banker 700
  ann holds 700
  bob holds 300
""")
    lowered = [each.amount for each in found.events if isinstance(each, e.WagerLowered)]
    assert lowered == [30000, 10000]


def test_chips_that_were_pulled_back_are_settled_to_the_cent() -> None:
    """MBS 5.5: two wagers withdrawn after the call win or lose all the same."""
    told("""place ann player 100
place ann tie 60
close-bets
pull ann player
pull ann tie
  ann has 1000
draw
draw
draw
draw
expose 9h 2c Kd 5s
settle
  line ann player win 100
  line ann tie lose -60
  ann has 1040
""")


def test_twin_pairs_are_told_by_the_first_two_cards() -> None:
    """Da Hu Ying Xiong 1.25: a third card does not make a pair another."""
    played("""scenario Twins
shows da-hu-ying-xiong 4.1.1

open-table da-hu-ying-xiong 2025-03-01T20:00:00+08:00 decks=8 minimum=10 differential=5000
load-shoe
sit ann 1
buy-in ann 1000
open-bets
place ann tiger-pair 10
close-bets
draw
draw
draw
draw
expose 7h 7c 7d 7s
draw
expose 2s
draw
expose 5h
settle
  line ann tiger-pair win 1000
""")


@pytest.mark.parametrize(
    ("report", "says"),
    [
        ("report wrong-call cards=9 faces=Ah", "places in drawn order"),
        ("report wrong-call cards=0 faces=Zz", "Zz"),
        ("report wrong-call cards=0,1 faces=Ah", "As many faces"),
        ("report wrong-number patron=zoe", "zoe"),
    ],
)
def test_a_report_about_a_round_under_another_book_is_checked_like_any_other(report: str, says: str) -> None:
    played(f"""scenario After a change of book
shows wu-song 5.18

open-table wu-song 2025-03-01T20:00:00+08:00 decks=8 layout=A minimum=10 differential=3000
load-shoe
sit ann 1
buy-in ann 500
open-bets
place ann player 100
close-bets
draw
draw
draw
draw
expose 9h 2c Kd 4s
settle
end-shoe
change-book wu-song 2025-03-01T22:00:00+08:00 decks=8 layout=E minimum=10 differential=3000
{report}
  refused says="{says}"
report wrong-call cards=0 faces=Ah
  asks refer to=table-game-shift-manager cites 5.18
""")


# The last round while bets are open again


FIRST_CARD = """scenario The last round
shows dragon-tiger-hoiana 7.16

open-table dragon-tiger-hoiana 2025-03-01T20:00:00+07:00 decks=8 layout=2 minimum=50 maximum=1000 differential=500
load-shoe
burn
sit ann 1
buy-in ann 1000
sit bob 2
buy-in bob 1000
open-bets
place ann player 100
close-bets
draw
draw
draw
draw
expose 9h 7c Ks Kd
announce result
settle
open-bets
"""


def test_a_decision_about_the_last_round_holds_up_the_bets_of_the_next() -> None:
    """2.2.15 and 7.20: a card lacks in the paid hand; until somebody has decided, nothing else moves."""
    played(
        FIRST_CARD
        + """place ann player 50
report wrong-call earlier=yes cards=0 faces=2h
  asks refer to=assistant-director cites 7.20
  sound
place bob banker 50
  refused says="First question"
post-limits minimum=10 maximum=100 differential=100
  refused
end-shoe
  refused
leave bob
answer refer rule remedies=void:round reason="Nobody drew" by assistant-director
  event round-ended how=void reversed=yes
  event next-round-resumed number=2
  sound
  ann has 950
  ann holds 50
  round betting
report wrong-call earlier=yes cards=0 faces=9h
  no-event round-settled
"""
    )


def test_a_question_of_the_next_hand_outlives_a_ruling_on_the_last() -> None:
    """7.11.2.1: the patrons choose about the shoe while a card of the first hand is found misread and it is void."""
    played(
        FIRST_CARD.replace("burn\n", "").replace("close-bets", "place bob banker 100\nclose-bets", 1)
        + """place bob banker 50
report burn-missed
  asks shoe waiting=ann,bob cites 7.11.2.1
answer shoe continue by ann
report wrong-call earlier=yes cards=0 faces=2h
  asks refer cites 7.20
answer shoe continue by bob
  refused
answer refer void reason="Nobody drew" by assistant-director
  event round-ended how=void reversed=yes
  asks shoe waiting=bob cites 7.11.2.1
  ann has 1000
  sound
answer shoe continue by bob
  no-question
close-bets
draw
  event card-drawn area=player
  sound
"""
    )


def test_a_void_round_without_a_card_leaves_the_last_one_as_it_was() -> None:
    """AMB-92: bets that never saw a card are no round; the paid hand before them is still the last."""
    found = played(
        FIRST_CARD
        + """place ann player 50
report other note="The drop box is full"
answer refer void reason="We stop here" by assistant-director
  round void
open-bets
report wrong-call earlier=yes cards=0 faces=6h
  event last-round-reopened number=1
  event round-settled again=yes
  ann has 900
"""
    )
    assert found.table is not None
    assert found.table.round is not None
    assert found.table.round.number == 3


def test_a_free_hand_that_a_correction_made_is_paid_again_when_it_was_none() -> None:
    """7.7 with bets down: they come off; the face was right after all, so bets are open again."""
    played(
        FIRST_CARD.replace("expose 9h 7c Ks Kd", "expose 6h 3c Kh Kd\ndraw\nexpose 5s")
        + """place ann player 50
report wrong-call earlier=yes cards=0 faces=8h
  event next-round-resumed free=yes cites 7.7
  event wager-lowered patron=ann amount=50 cites 7.8
  round closed free
  carried 5s
report wrong-call earlier=yes cards=0 faces=6h
  event cards-recalled
  event next-round-resumed free=no
  round betting paid
  carried nothing
  sound
place ann player 50
"""
    )


@pytest.mark.parametrize("places", ["4,99", "99", "-1"])
def test_more_is_told_of_an_excess_card_only_where_cards_lie(places: str) -> None:
    """Places are counted from 0 in drawn order; a report of others is refused while the card is dealt with, too."""
    played = play(
        read(f"""scenario An excess card
shows commission-insurance 5.7

open-table commission-insurance 2025-03-01T20:00:00+08:00 decks=8 minimum=10 differential=5000
load-shoe
sit ann 1
buy-in ann 1000
open-bets
place ann player 100
close-bets
draw
draw
draw
draw
expose Kh 6c 7d Kd
draw to=player
  asks reconstructible to=pit-supervisor
report excess-card cards={places}
  refused
""")
    )
    assert played.as_told, played.differences


OF_ITS_OWN = """scenario A book whose limits apply in an order of its own
open-table dragon-tiger-mbs 2025-03-01T20:00:00+08:00 decks=8 minimum=10 maximum=200 differential=100 \
method=B by pit-manager
load-shoe
sit ann 1
buy-in ann 1000
sit bob 2
buy-in bob 1000
open-bets
place ann player 100
close-bets
"""
DEALT = "draw\n" * 4
PAID = "expose 9h 2c Kd As\nsettle\n"


@pytest.mark.parametrize(
    ("order", "then"),
    [
        pytest.param(
            ["maximum", "differential"],
            f"find bob banker 300 box=2\n  no-question\n{DEALT}{PAID}  line bob banker lose -200\n",
            id="300 is cut to 200, which is 100 over Player",
        ),
        pytest.param(
            ["differential", "maximum"],
            f"find bob banker 300 box=2\n  asks differential\n{DEALT.partition(chr(10))[0]}\n  refused\n",
            id="300 is 200 over Player before it is cut",
        ),
        pytest.param(
            ["differential", "maximum"],
            f"{DEALT}find bob banker 300 box=2\n{PAID}  asks differential-late\n",
            id="what comes out later is referred, not refused",
        ),
        pytest.param(
            ["maximum"],
            f"{DEALT}find bob banker 900 box=2\n{PAID}  no-question\n  line bob banker lose -200\n",
            id="no differential is applied, so there is none to refer",
        ),
    ],
)
def test_the_table_measures_the_differential_in_the_order_in_which_its_book_settles(
    order: list[str], then: str
) -> None:
    book = BookChange("dragon-tiger-mbs", (Edit(("limits", "pipeline", "value"), order),)).changed()
    played = play(read(OF_ITS_OWN + then), Library().with_book(book))
    assert played.as_told, played.differences
