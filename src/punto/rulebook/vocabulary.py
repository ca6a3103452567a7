"""The closed words of a rulebook file: points and their values, verbs and their objects. Facts are in `facts`.

A book says what holds; the mechanisms that read these words live in the rooms above. A word
that is in neither file is a fault, so a misspelt rule can never be silently absent.
"""

from collections.abc import Mapping

from punto.coup import NATURALS, PAIRS, STAGES

WINNERS = ("player", "banker", "tie")

PATTERN: Mapping[str, tuple[int, ...] | tuple[str, ...]] = {
    "winner": WINNERS,
    "points": tuple(range(10)),
    "player-points": tuple(range(10)),
    "banker-points": tuple(range(10)),
    "player-cards": (2, 3),
    "banker-cards": (2, 3),
    "cards": (4, 5, 6),
    "pairs": PAIRS,
    "loser-points": tuple(range(10)),
    "winner-cards": (2, 3),
    "margin": tuple(range(10)),
    "sum": tuple(range(19)),
    "natural": NATURALS,
    "player-two-card": tuple(range(10)),
    "banker-two-card": tuple(range(10)),
}
"""What a pay row may look at. `points` is the winner's total, or both hands' in a tie."""

EXPECTED = ("edge", "hit", "variance", "returns")
"""The figures that a book may expect of a bet."""

OTHERWISE = "otherwise"
"""In the place of a pattern: all other coups."""

ROW_RESULTS = ("stand-off", "lost")
"""What a pay row may say instead of odds."""

CHOSEN = "chosen"
"""In the place of a value: what the patron has chosen."""

COLOURS = ("red", "blue", "green", "gold", "ivory")
"""What the field of a bet on the felt may be painted in. Banker is red and Player blue on every felt."""

CHOOSE = ("points", "rank", "suit")
"""What patrons may choose with a wager."""

BY = (*(name for name, values in PATTERN.items() if isinstance(values[0], int)), "count", CHOSEN)
"""The numbers that odds may go by."""

ALL_OTHERS = "all-others"
"""In the place of the facts that a book is silent on: all that it has no row about."""

ANY = ("*",)
"""In the place of a point's values: free words."""

BETS = ("bet",)
"""In the place of a point's values: bets of the book."""

WHOLE = ("#",)
"""In the place of a point's values: a whole number."""

PRINTED = ("player-first", "banker-first", "player-second", "banker-second")
"""The places of the first four cards, in drawn order: one of them may be printed on the layout."""

FIRST_FOUR = "first-four"
"""A bet is settled with the first four cards."""

AFTER_FIRST_FOUR = "after-first-four"
"""A bet is placed after the first four cards."""

AMOUNT = ("0.50",)
"""In the place of a point's values: an amount of the table's currency."""

POINTS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "round": {
        "begins": ("opening-call", "first-card"),
        "ends": ("settled",),
        "initial-deal": ("four-cards",),
        "subsequent-deal": ("after-four-cards",),
        "free-hand": ("no-wagers",),
    },
    "betting": {
        "opens": ("opening-call",),
        "closes": ("closing-call", "call-or-first-card"),
        "medium": ("chips",),
        "responsibility": ("patron",),
        "box-balance": ("open-to-others",),
        "seated": ("sits-and-bets",),
        "standing": ("bets-in-a-box-of-another",),
        "several-per-area": ("allowed",),
        "wagers-per-area": WHOLE,
        "fewer-per-area": ("allowed",),
        "found-late": ("confirmed",),
        "late-bet": ("refused",),
        "late-increase": ("refused", "trimmed"),
        "late-withdrawal": ("refused", "settled-as-closed"),
        "by-staff": ("patron-responsible",),
        "misplaced": ("as-it-lies",),
        "walk-away": ("settled",),
    },
    "limits": {
        "displayed": ("minimum", "maximum", "differential", "payout"),
        "pipeline": ("minimum", "maximum", "differential"),
        "differential-means": ("gap", "limit"),
        "differential-early": ("reject", "ask-then-remove", "alter"),
        "differential-priority": ("seated", "standing"),
        "differential-ask": ("heavier-reduces",),
        "differential-add": ("lighter-may-add",),
        "differential-remove": ("removed",),
        "differential-late": ("pro-rata", "refer"),
        "pro-rata-floor": ("minimum", "none"),
        "under-minimum-in-excess": ("in-full",),
        "minimum-scope": ("wager",),
        "maximum-scope": ("wager", "box-and-hand"),
        "under-minimum-early": ("advise",),
        "under-minimum-late": ("settle", "settle-once"),
        "over-maximum": ("as-excess", "to-maximum"),
        "payout-scope": ("wager", "patron", "box", "table"),
        "payout-bets": BETS,
        "past": ("settled",),
    },
    "dealing": {
        "play": ("mandatory",),
        "hands": ("two",),
        "pairs-from": ("four-cards",),
        "devices": ("shoe", "electronic-shoe", "shuffler"),
        "equipment": ANY,
        "places": ("patrons-opposite-dealer",),
        "burn": ("before-first-round",),
        "methods": ("A", "B", "C"),
        "device-holder": ("dealer",),
        "method-choice": ("before-the-round",),
        "method-c": ("high-limit-area-only",),
        "high-limit-area": ANY,
        "squeezer": ("seated-highest", "highest", "highest-on-the-hand"),
        "squeezer-refuses": ("next-highest",),
        "squeezer-equal": ("first-placed",),
        "squeezer-unclear": ("decided",),
        "squeezer-equal-refuses": ("counter-clockwise",),
        "squeeze-grant": ("anyone",),
        "squeeze-bar": ("allowed",),
        "first-opened": ("decided",),
        "third-card": ("down-then-exposed",),
        "method-a-draws": ("dealer",),
        "method-b-draws": ("dealer",),
        "method-b-handling": ("dealer-only",),
        "method-c-draws": ("patron",),
        "method-c-without-wager": ("allowed",),
        "method-c-other-hand": ("through-the-dealer",),
        "method-c-view": ("in-view-of-staff",),
        "method-c-laid-down": ("in-the-areas",),
        "method-c-third-card": ("controller-draws",),
        "method-c-control-ends": ("relinquished", "wager-lost"),
        "announce-points": ("before-third-card",),
        "announce-result": ("before-settlement",),
    },
    "money": {
        "void": ("return-all",),
        "commission": ("in-the-odds", "at-once", "on-record"),
        "commission-rounding": ("exact", "up", "down", "nearest"),
        "commission-unit": AMOUNT,
        "commission-collected": ("shoe-end", "leaving", "demand"),
        "stand-off": ("returned",),
        "payout-unit": AMOUNT,
        "corrections": ("until-next-round", "refer"),
        "reversal": ("confirmed",),
    },
    "display": {
        "outcome": ("information-only",),
        "scoreboard": ("information-only",),
        "pictures": ("illustration-only",),
        "zero": ("called-baccarat",),
    },
    "authority": {
        "dealer": ("deals",),
        "acting": ("allowed",),
        "higher": ("allowed",),
        "house": ("operator",),
        "discretion": ("absolute", "reasonable"),
        "ruling": ("carried-out-at-once",),
        "residual": ("uncovered", "uncovered-and-interpretation"),
    },
    "disputes": {
        "escalation": ("to-pit-manager",),
        "gathering": ("information-and-surveillance",),
        "time-frame": ("where-possible",),
        "references": ANY,
        "complaint": ("to-senior-management",),
        "assistance": ("given",),
    },
    "insurance": {
        "shown-by": ("display-board", "layout", "lammer"),
        "lapses": ("next-card-drawn",),
        "waived": ("banker-third-first",),
        "off": ("private-with-notice",),
        "neglect-open": ("late-offer", "return-original"),
        "neglect-fixed": ("return-original",),
        "late-cap": ("payout",),
        "late-bound": ("later-cards-accepted",),
    },
}
"""Every point on which a book may speak, with what it may say. A book is silent on those it leaves out."""

POLICIES = (
    "outcome-scope",
    "return-scope",
    "differential-scope",
    "payout-rounding",
    "bound",
    "partial-withdrawal",
    "box-share",
    "insurance-forfeit",
    "late-cap",
    "forfeit-hands",
    "neglect-scope",
    "banker-third-first",
)
"""The policies that something reads."""

DRAWING = (
    "order",
    "natural-player",
    "natural-banker",
    "player-draws",
    "player-stands",
    "banker-0-2",
    "banker-3",
    "banker-4",
    "banker-5",
    "banker-6",
    "banker-7",
    "player-stood",
    "winner",
    "tie",
)
"""The cases of the Table of Play that a book must state a clause for."""

VERBS: Mapping[str, tuple[str, ...]] = {
    "void": ("round",),
    "stand": ("earlier",),
    "close": ("no-wagers",),
    "continue": ("from-reserve",),
    "note": (),
    "notice": ("surplus-card",),
    "correct": ("delivery",),
    "check": ("draw", "insurance"),
    "call": ("again",),
    "retrieve": (),
    "reconstruct": ("in-order", "surplus-carried"),
    "reassign": ("banker-third", "player-third"),
    "carry": ("next-round",),
    "free-hand": ("next", "after-last", "this"),
    "remove-wagers": (),
    "deal": ("carried-first",),
    "last-hand": ("kept",),
    "decide": ("order", "reconstructible"),
    "offer": ANY,
    "permit": ("withdraw",),
    "replace-cards": ("may", "must"),
    "refer": ("card",),
    "reopen": ("betting", "insurance"),
    "burn": (),
    "dealer-opens": (),
    "attend": ANY,
    "reserve": WHOLE,
    "enter": ("value", "count"),
    "deduce": ("missing",),
    "substitute": ("missing",),
    "late-offer": ("present-position",),
    "return-original": ("would-have-won",),
    "cancel-cover": ("until-next-card",),
}
"""What can be done about it, and the objects each verb takes."""

NEEDS_OBJECT = ("attend", "check", "decide", "free-hand", "offer", "reassign", "replace-cards", "reserve")
"""Verbs that mean nothing without an object."""

CHOICES = ("continue", "as-it-lies", "reconstructed", "take-back", "replace-cards")
SHOE_SCOPE = "shoe"
SCOPES = ("undecided", "all", SHOE_SCOPE)
CAPS = ("stake", "payout")
SPANS = ("window", "round")
LIMITS = ("minimum", "maximum", "differential")

DEALER = "dealer"
"""The lowest rank of every book: who deals, and who gives a command where nobody else is named."""

HOUSE = "house"
"""In the place of a rank: the operator. Which rank speaks for it is set clause by clause (AMB-70)."""

PATRONS = "patrons"
"""In the place of a rank: a question is put to each of the patrons whom it concerns."""

__all__ = [
    "AFTER_FIRST_FOUR",
    "AMOUNT",
    "ANY",
    "BETS",
    "BY",
    "CAPS",
    "CHOICES",
    "CHOOSE",
    "CHOSEN",
    "COLOURS",
    "DEALER",
    "DRAWING",
    "EXPECTED",
    "FIRST_FOUR",
    "HOUSE",
    "LIMITS",
    "NEEDS_OBJECT",
    "OTHERWISE",
    "PATRONS",
    "PATTERN",
    "POINTS",
    "POLICIES",
    "PRINTED",
    "ROW_RESULTS",
    "SCOPES",
    "SHOE_SCOPE",
    "SPANS",
    "STAGES",
    "VERBS",
    "WHOLE",
]
