"""Insurance on a finished coup: was there a window, was there a price, was it within the cap."""

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from punto.coup import STAGES, Coup
from punto.messages import say
from punto.rulebook import Basis, Book, CoverRow, Insurance, Refused
from punto.rulebook.facts import HANDS
from punto.settlement.chips import Chips, chips_of
from punto.settlement.lines import Cover, Limits, Wager

_WHEN = {
    "four-cards": say("after-four-cards", "after four cards"),
    "third-card": say("after-third-card", "after the Player's third card"),
}


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
        raise Refused(
            say(
                "no-such-stage",
                "There is no stage {stage:quoted}; insurance is offered at {stages:and}.",
                stage=stage,
                stages=list(STAGES),
            )
        )
    if hand not in HANDS:
        raise Refused(
            say(
                "no-such-hand-to-insure",
                "There is no hand {hand:quoted}; the hands are player and banker.",
                hand=hand,
            )
        )
    seen = coup.situation(stage)
    if seen is None:
        raise Refused(
            say("no-third-card-no-window", "The Player drew no third card, so that window never opened."),
            book,
            Basis((insurance.windows,)),
        )
    if not seen.card_due:
        says = say(
            "no-card-was-due",
            "With Player {player} against Banker {banker} {when} no card was due, so no window opened.",
            player=seen.player,
            banker=seen.banker,
            when=_WHEN[stage],
        )
        raise Refused(says, book, insurance.live)
    row = insurance.row(stage, hand, seen.own(hand), seen.opposite(hand))
    if row is None:
        says = say(
            "no-price-for-cover",
            "There is no price for {hand:hand} cover with Player {player} against Banker {banker} {when}.",
            hand=hand,
            player=seen.player,
            banker=seen.banker,
            when=_WHEN[stage],
        )
        raise Refused(says, book, Basis((insurance.table,)))
    return row


def strike(
    book: Book,
    coup: Coup,
    wagers: Sequence[Wager],
    covers: Sequence[Cover],
    limits: Limits,
    chips: Chips | None = None,
) -> list[Struck]:
    """Find the row of every cover, in the order in which they were struck; the first that is not allowed is refused."""
    insurance = _insurance(book)
    struck: list[Struck] = []
    for cover in covers:
        if not 0 <= cover.on < len(wagers):
            raise Refused(
                say(
                    "no-such-wager-to-insure",
                    "There is no wager {wager} to insure; they are counted from 0.",
                    wager=cover.on,
                )
            )
        insured = book.bets[wagers[cover.on].bet]
        if cover.hand in HANDS and insured.hand != cover.hand:
            raise Refused(
                say(
                    "cover-insures-own-hand",
                    "{hand:hand} cover insures a wager on {hand:hand}, not one on {bet}.",
                    hand=cover.hand,
                    bet=insured.name,
                ),
                book,
                Basis((insurance.clause, insurance.original)),
            )
        row = offer(book, coup, cover.stage, cover.hand)
        most = cover_room(book, insurance, row, cover, wagers[cover.on].stake, struck, limits, chips)
        if cover.stake > most:
            raise Refused(
                say(
                    "cover-over-cap",
                    "Cover of {stake:money} at {odds:odds} is over its cap: at most {most:money} may be "
                    "struck on {original:money}.",
                    stake=cover.stake,
                    odds=row.odds.text,
                    most=most,
                    original=wagers[cover.on].stake,
                ),
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
        raise Refused(say("no-wager-to-insure", "There is no wager on {hand} to insure.", hand=hand))
    if len(backed) > 1:
        raise Refused(
            say(
                "which-wager-insured",
                "There are {count} wagers on {hand}: say which one the cover is on, counted from 0.",
                count=len(backed),
                hand=hand,
            )
        )
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
    """How much may still be struck on an Original Bet, rounded down to what can be paid in whole chips.

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
    chips: Chips | None = None,
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
                    say(
                        "no-maximum-for-cover",
                        "Cover at {odds:odds} is capped by the posted maximum, and none is posted.",
                        odds=row.odds.text,
                    ),
                    book,
                    also.basis,
                )
            room = min(room, also.share * posted - sum(each.cover.stake for each in counted))
    step = (chips or chips_of(book, limits)).cover(row)
    return max(int(room), 0) // step * step


def _insurance(book: Book) -> Insurance:
    if book.insurance is None:
        raise Refused(say("book-no-insurance", "This book has no insurance."), book, Basis((book.menu_clause,)))
    return book.insurance
