"""Insurance on a finished coup: was there a window, was there a price, was it within the cap."""

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from punto.amounts import show_money
from punto.coup import STAGES, Coup
from punto.rulebook import Basis, Book, CoverRow, Insurance, Refused
from punto.rulebook.facts import HANDS
from punto.settlement.lines import Cover, Limits, Wager

_WHEN = {"four-cards": "after four cards", "third-card": "after the Player's third card"}


class Struck(msgspec.Struct, frozen=True):
    """A cover with the row it was struck at."""

    cover: Cover
    row: CoverRow


def offer(book: Book, coup: Coup, stage: str, hand: str) -> CoverRow:
    """The row at which a hand's cover was on offer at a stage of this coup, or a refusal.

    >>> from punto.coup import deal
    >>> from punto.rulebook import load
    >>> offer(load("commission-insurance"), deal("6h 2c Kd As 5h"), "four-cards", "player").odds.text
    '3:1'
    """
    insurance = _insurance(book)
    if stage not in STAGES:
        raise Refused(f"There is no stage {stage!r}; insurance is offered at {' and '.join(STAGES)}.")
    if hand not in HANDS:
        raise Refused(f"There is no hand {hand!r}; the hands are player and banker.")
    seen = coup.situation(stage)
    if seen is None:
        raise Refused("The Player drew no third card, so that window never opened.", book, Basis((insurance.windows,)))
    points = f"Player {seen.player} against Banker {seen.banker}"
    if not seen.card_due:
        raise Refused(f"With {points} {_WHEN[stage]} no card was due, so no window opened.", book, insurance.live)
    row = insurance.row(stage, hand, seen.own(hand), seen.opposite(hand))
    if row is None:
        says = f"There is no price for {hand.capitalize()} cover with {points} {_WHEN[stage]}."
        raise Refused(says, book, Basis((insurance.table,)))
    return row


def strike(book: Book, coup: Coup, wagers: Sequence[Wager], covers: Sequence[Cover], limits: Limits) -> list[Struck]:
    """Find the row of every cover, in the order in which they were struck; the first that is not allowed is refused."""
    insurance = _insurance(book)
    struck: list[Struck] = []
    for cover in covers:
        if not 0 <= cover.on < len(wagers):
            raise Refused(f"There is no wager {cover.on} to insure; they are counted from 0.")
        insured = book.bets[wagers[cover.on].bet]
        if cover.hand in HANDS and insured.hand != cover.hand:
            raise Refused(
                f"{cover.hand.capitalize()} cover insures a wager on {cover.hand.capitalize()}, "
                f"not one on {insured.name}.",
                book,
                Basis((insurance.clause, insurance.original)),
            )
        row = offer(book, coup, cover.stage, cover.hand)
        most = cover_room(book, insurance, row, cover, wagers[cover.on].stake, struck, limits)
        if cover.stake > most:
            raise Refused(
                f"Cover of {show_money(cover.stake)} at {row.odds.in_words} is over its cap: at most "
                f"{show_money(most)} may be struck on {show_money(wagers[cover.on].stake)}.",
                book,
                insurance.cap.basis,
            )
        struck.append(Struck(cover, row))
    return struck


def insured(hand: str, wagers: Sequence[Wager]) -> int:
    """The index of the only wager on a hand, which cover on that hand must be meant for; else a refusal.

    >>> insured("player", [Wager("tie", 100), Wager("player", 100)])
    1
    """
    backed = [at for at, wager in enumerate(wagers) if wager.bet == hand]
    if not backed:
        raise Refused(f"There is no wager on {hand} to insure.")
    if len(backed) > 1:
        raise Refused(f"There are {len(backed)} wagers on {hand}: say which one the cover is on, counted from 0.")
    return backed[0]


def most_cover(
    book: Book,
    coup: Coup,
    stage: str,
    hand: str,
    original: int,
    limits: Limits,
    on: int = 0,
    struck: Sequence[Struck] = (),
) -> int:
    """How much may still be struck on an Original Bet, rounded down to the chip unit.

    >>> from punto.coup import deal
    >>> from punto.rulebook import load
    >>> book, coup = load("commission-insurance"), deal("7 2 K A 5")
    >>> most_cover(book, coup, "four-cards", "player", 100000, Limits(unit=100))
    25000
    """
    insurance, row = _insurance(book), offer(book, coup, stage, hand)
    return cover_room(book, insurance, row, Cover(stage, hand, 0, on), original, struck, limits)


def cover_room(
    book: Book,
    insurance: Insurance,
    row: CoverRow,
    cover: Cover,
    original: int,
    struck: Sequence[Struck],
    limits: Limits,
) -> int:
    """How much more cover the caps leave room for at a row, given what has been struck on the same wager."""
    cap = insurance.cap
    counted = [
        each
        for each in struck
        if each.cover.on == cover.on and (cap.over == "round" or each.cover.stage == cover.stage)
    ]
    room: Fraction | int
    if cap.on == "payout":
        room = (original - sum(each.cover.stake * each.row.odds.fraction for each in counted)) / row.odds.fraction
    else:
        room = original - sum(each.cover.stake for each in counted)
    for also in insurance.cap_at:
        if also.odds.fraction == row.odds.fraction:
            posted: int | None = getattr(limits, also.of)
            if posted is None and also.of == "maximum":
                posted = limits.differential  # the only posted maximum then (AMB-55)
            if posted is None:
                raise Refused(
                    f"Cover at {row.odds.in_words} is capped by the posted maximum, and none is posted.",
                    book,
                    also.basis,
                )
            room = min(room, also.share * posted - sum(each.cover.stake for each in counted))
    return max(int(room), 0) // limits.unit * limits.unit


def _insurance(book: Book) -> Insurance:
    if book.insurance is None:
        raise Refused("This book has no insurance.", book, Basis((book.menu_clause,)))
    return book.insurance
