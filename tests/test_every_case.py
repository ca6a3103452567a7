"""Clauses that say one thing of several cases: each of the cases, in each book that says it. Told as stories.

A round was paid before, so that something stands; then the case comes in the next one.
"""

import pytest

from punto.scenario import play, read

OPENED = {
    "commission-insurance": "2025-03-01T20:00:00+08:00 decks=4 minimum=10 differential=1000",
    "da-hu-ying-xiong": "2025-03-01T20:00:00+08:00 decks=4 minimum=10 differential=1000",
    "wu-song": "2025-03-01T20:00:00+08:00 decks=4 layout=A minimum=10 differential=1000",
    "dragon-tiger-mbs": "2025-03-01T20:00:00+08:00 decks=4 minimum=10 maximum=1000 method=B by pit-manager",
    "dragon-tiger-hoiana": "2025-03-01T20:00:00+07:00 decks=4 layout=2 minimum=10 maximum=1000 differential=1000",
}
RWS = ("commission-insurance", "da-hu-ying-xiong", "wu-song")
BETS = "open-bets\nplace ann player 100\nclose-bets\n"
FOUR = "draw\n" * 4
RESULT = {"dragon-tiger-hoiana": "announce result\n"}

IN_THE_DEAL = f"{BETS}draw\ndraw\nreport {{}}\n"
WRONG_NUMBER = f"{BETS}{FOUR}expose 2h 4c 3d Kd\ndraw\nexpose 4s\nreport wrong-number hand=player reconstructible=no\n"
WRONG_AREA = f"{BETS}{FOUR}expose 2h 5c 3d Kd\ndraw\nreport wrong-area cards=4 reconstructible=no\n"
SLID_OUT = f"""{BETS}report simultaneous-draw cards=0-199 order=known
answer offer take-back by ann
{BETS}{FOUR}expose 2h 4c 3d Kd
report too-few-cards
"""
VOIDED = {
    "a card of another deck": IN_THE_DEAL.format("foreign-card"),
    "a card too few": IN_THE_DEAL.format("deck-count"),
    "cards that were not shuffled": IN_THE_DEAL.format("unshuffled"),
}
"""What all books void a round for."""
VOIDED_AT_RWS = {
    **VOIDED,
    "too few cards for the round": SLID_OUT,
    "a wrong number of cards": WRONG_NUMBER,
    "a card in the wrong area that makes a wrong number": WRONG_AREA,
}
EARLIER_STANDS = {
    "commission-insurance": ("5.5#effect", VOIDED_AT_RWS),
    "da-hu-ying-xiong": ("5.5#effect", VOIDED_AT_RWS),
    "dragon-tiger-mbs": ("5.1.2", VOIDED),
    "dragon-tiger-hoiana": ("7.1.2", VOIDED),
}


def told(book: str, story: str, *, table: str = "") -> None:
    """A story of a second round: in the first ann has won 100, by 9 over 2; `table` says how it is opened besides."""
    burn = "burn\n" if book == "dragon-tiger-hoiana" else ""
    opened = f"scenario A case\nopen-table {book} {OPENED[book]} {table}\nload-shoe\n{burn}sit ann 1\nbuy-in ann 1000\n"
    paid = f"{BETS}{FOUR}expose 9h 2c Kd Kh\n{RESULT.get(book, '')}settle\n  ann has 1100\n"
    played = play(read(opened + paid + story))
    assert played.as_told, played.differences


@pytest.mark.parametrize(
    ("book", "clause", "story"),
    [
        pytest.param(book, clause, story, id=f"{book}: {what}", marks=pytest.mark.clause(book, clause))
        for book, (clause, stories) in EARLIER_STANDS.items()
        for what, story in stories.items()
    ],
)
def test_a_void_round_leaves_what_was_paid_before_it(book: str, clause: str, story: str) -> None:
    """The round is void, its bets come back, and the 100 of the round before stay won."""
    told(book, f"{story}  round void\n  event step-taken verb=stand cites {clause}\n  ann holds 0\n  ann has 1100\n")


@pytest.mark.parametrize(
    ("book", "story"),
    [
        pytest.param(book, story, id=f"{book}: {what}", marks=pytest.mark.clause(book, "5.5"))
        for book in RWS
        for what, story in VOIDED_AT_RWS.items()
    ],
)
def test_each_of_these_faults_voids_the_round(book: str, story: str) -> None:
    told(book, f"{story}  event round-ended how=void cites 5.5\n  round void\n  ann has 1100\n")


@pytest.mark.parametrize(
    "story",
    [
        pytest.param(story, id=what, marks=pytest.mark.clause("dragon-tiger-mbs", "5.13"))
        for what, story in VOIDED.items()
    ],
)
def test_cards_that_voided_a_round_may_be_replaced(story: str) -> None:
    told("dragon-tiger-mbs", f"{story}  round void\n  asks replace-cards cites 5.13\n")


# Cards that were dealt wrongly are put right before play goes on

PUT_RIGHT = {"commission-insurance": "5.8#play-on", "da-hu-ying-xiong": "5.8#play-on", "wu-song": "5.9#play-on"}
TO_THE_AREA = f"{BETS}draw\ndraw\ndraw to=banker\n"
TO_THE_PERSON = f"""{BETS}ask-squeeze ann player
answer squeeze yes by pit-supervisor
draw
draw
report wrong-person hand=banker patron=ann
"""


@pytest.mark.parametrize(
    ("book", "clause", "story", "table"),
    [
        pytest.param(book, clause, story, table, id=f"{book}: {what}", marks=pytest.mark.clause(book, clause))
        for book, clause in PUT_RIGHT.items()
        for what, story, table in (
            ("to the area of the other hand", TO_THE_AREA, ""),
            ("to whoever holds the other hand", TO_THE_PERSON, "face-down=yes"),
        )
    ],
)
def test_cards_dealt_wrongly_are_put_right_before_play_goes_on(book: str, clause: str, story: str, table: str) -> None:
    play_on = (
        f"draw\n  refused\nanswer offer reconstructed by ann\n  event step-taken verb=reconstruct cites {clause}\n"
    )
    told(book, f"{story}{play_on}draw\n  event card-drawn\n", table=table)


# Cards drawn in excess are used in the next round


@pytest.mark.parametrize(
    ("book", "clause"),
    [
        pytest.param(book, clause, id=book, marks=pytest.mark.clause(book, clause))
        for book, clause in zip(RWS, ("5.7", "5.7", "5.8"), strict=True)
    ],
)
def test_of_two_cards_drawn_at_once_the_one_in_excess_opens_the_next_round(book: str, clause: str) -> None:
    """The Player has 5 and is due a card, the Banker stands on 7: the first goes there, the second is carried."""
    told(
        book,
        f"""{BETS}{FOUR}expose Kh Kc 5d 7d
report simultaneous-draw cards=4,5 order=known
answer offer reconstructed by ann
  event step-taken verb=reconstruct cites {clause}
  hand player Kh 5d ?
  hand banker Kc 7d
expose 3s
settle
  line ann player win 100
  carried ?
""",
    )


@pytest.mark.clause("dragon-tiger-hoiana", "7.12")
def test_at_hoiana_what_two_cards_drawn_at_once_leave_over_opens_the_next_round() -> None:
    """The order is known, so the first is the Player's, and the other is the first card of the next hand."""
    told(
        "dragon-tiger-hoiana",
        f"""{BETS}{FOUR}expose Kh Kc 5d 7d
report simultaneous-draw cards=4,5 order=known
  asks permit to=shift-manager cites 7.12
answer permit no by shift-manager
  hand player Kh 5d ?
expose 3s
announce result
settle
  event step-taken verb=carry cites 7.12
  line ann player win 100
  carried ?
""",
    )


# When a round begins and when it is over

BEGUN = {
    "commission-insurance": ("1.17",),
    "da-hu-ying-xiong": ("1.18",),
    "wu-song": ("1.22",),
    "dragon-tiger-mbs": ("1.1.8", "3.1"),
}


@pytest.mark.parametrize(
    "book", [pytest.param(book, id=book, marks=pytest.mark.clause(book, *named)) for book, named in BEGUN.items()]
)
def test_a_round_begins_with_the_opening_call_and_is_over_when_all_is_paid(book: str) -> None:
    """A fault found before the first card voids it; no other begins before its wagers are settled."""
    told(book, "open-bets\nplace ann player 100\nreport unshuffled\n  round void\n  ann holds 0\n  ann has 1100\n")
    finished = f"{BETS}open-bets\n  refused\n{FOUR}expose 9d 2h Ks Qh\nopen-bets\n  refused\n  ann holds 100\n"
    told(book, f"{finished}settle\n  line ann player win 100\n  ann holds 0\nopen-bets\n  round betting\n")


# Bets after the closing call

NO_MORE = {
    "commission-insurance": "5.6",
    "da-hu-ying-xiong": "5.6",
    "wu-song": "5.7",
    "dragon-tiger-mbs": "5.4",
    "dragon-tiger-hoiana": "4.6",
}


@pytest.mark.parametrize(
    ("book", "clause"),
    [pytest.param(book, clause, id=book, marks=pytest.mark.clause(book, clause)) for book, clause in NO_MORE.items()],
)
def test_once_a_card_is_known_a_bet_counts_only_if_somebody_confirms_that_it_lay_there(book: str, clause: str) -> None:
    """AMB-115: otherwise it came after the call."""
    told(
        book,
        f"""{BETS}place ann tie 50
  refused {clause}
{FOUR}expose 9d at=0
find ann tie 50
  refused
find ann tie 50 by pit-supervisor
  refused
find ann tie 50 reason="It is on the pictures"
  refused
find ann tie 50 reason="It is on the pictures" by pit-supervisor
  event wager-placed stake=50
  ann holds 150
""",
    )


# Calls before a third card


@pytest.mark.parametrize(
    "book",
    [
        pytest.param(book, id=book, marks=pytest.mark.clause(book, clause))
        for book, clause in {"dragon-tiger-mbs": "3.14", "dragon-tiger-hoiana": "4.10"}.items()
    ],
)
def test_the_points_of_both_hands_are_called_before_a_third_card(book: str) -> None:
    told(
        book,
        f"""{BETS}{FOUR}expose Kh Kc 5d 7d
  no-event announced
draw
  event announced what=points says="Player 5, Banker 7."
  event card-drawn area=player
""",
    )


# Who has chosen to play on

PLAYED_ON = {"commission-insurance": "5.12#bound", "da-hu-ying-xiong": "5.12#bound", "wu-song": "5.13#bound"}


@pytest.mark.parametrize(
    ("book", "clause"),
    [pytest.param(book, clause, id=book, marks=pytest.mark.clause(book, clause)) for book, clause in PLAYED_ON.items()],
)
def test_whoever_has_played_on_accepts_all_cards_of_the_round(book: str, clause: str) -> None:
    """Two errors in one round: after the first ann plays on, so that nobody is left to be asked about the second."""
    told(
        book,
        f"""{BETS}draw to=banker
  asks offer waiting=ann
answer offer reconstructed by ann
  event bound patrons=ann cites {clause}
draw
draw
draw
expose 2h 4c 3d Kd
report simultaneous-draw cards=4,5 order=known
  no-question
  ann holds 100
""",
    )
