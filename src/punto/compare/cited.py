"""Points of a book that differ in words alone: the engine gives their clauses as reasons, and decides nothing by them.

What such a point says is done at every table: it has one value, or says something about things that no program sees.
Two books that differ in nothing else pay and do the same.
"""

from collections.abc import Iterator

from punto.rulebook import Book, Point
from punto.rulebook.model import Remedy
from punto.settlement.limits import cutting

CITED = frozenset(
    (
        *("round ends", "round initial-deal", "round subsequent-deal", "round free-hand"),
        *("betting opens", "betting responsibility", "betting seated", "betting standing"),
        *("betting several-per-area", "betting walk-away"),
        *("limits differential-means", "limits differential-priority", "limits differential-ask"),
        *("limits differential-add", "limits minimum-scope"),
        *("dealing play", "dealing hands", "dealing devices", "dealing equipment", "dealing places"),
        *("dealing device-holder", "dealing high-limit-area", "dealing third-card", "dealing squeezer-refuses"),
        *("dealing squeezer-equal", "dealing squeezer-equal-refuses", "dealing method-a-draws"),
        *("dealing method-b-draws", "dealing method-b-handling", "dealing method-c-draws", "dealing method-c-view"),
        *("dealing method-c-other-hand", "dealing method-c-laid-down", "dealing method-c-third-card"),
        "dealing method-c-control-ends",
        *("money void", "money stand-off"),
        *("display scoreboard", "display pictures", "display zero"),
        *("authority dealer", "authority acting", "authority house", "authority ruling"),
        "disputes time-frame",
        *("insurance shown-by", "insurance neglect-open", "insurance late-cap", "insurance late-bound"),
    )
)

REFUSED_EITHER_WAY = frozenset(("betting late-bet", "betting late-increase"))
"""Points by which a refusal chooses its words; refused it is whatever they say."""

FOR_THEIR_CLAUSE = frozenset(
    ("authority higher", "limits under-minimum-in-excess", "dealing pairs-from", "insurance neglect-fixed")
)
"""Points that are asked for where they are there, and give a reason its clause."""

BY_BEING_THERE = frozenset(("betting late-withdrawal", "authority residual"))
"""Points that count by being there, and by whom they name: what else they say is the same to the engine."""

HOUSE_ASKED = frozenset(("insurance waived", "insurance off"))
"""Points that count by being there alone: the question goes to whoever speaks for the House."""

SILENCE = {
    "betting closes": "closing-call",
    "limits over-maximum": "as-excess",
    "limits pro-rata-floor": "none",
    "limits under-minimum-late": "settle",
    "money corrections": "until-next-round",
    "authority discretion": "absolute",
}
"""What is done where a book is silent on a point. A book that says just this does the same, whomever it names."""

BESIDE = {"betting misplaced": ("betting", "by-staff")}
"""Points that add a clause alone where a book has another point besides."""

WORDS_ONLY = CITED | REFUSED_EITHER_WAY | FOR_THEIR_CLAUSE


def is_words_alone(a: Book, b: Book, part: str) -> bool:
    """Whether a part in which two books differ is one by which neither of them decides anything."""
    ours, theirs = (_point(book, part) for book in (a, b))
    both = ours is not None and theirs is not None
    if part in HOUSE_ASKED:
        return both
    if part in BY_BEING_THERE:
        return ours is not None and theirs is not None and (ours.by, ours.reason) == (theirs.by, theirs.reason)
    if part == "money commission":  # what is taken with the pay is in the pay rows, whatever it is called
        return all(each is None or each.value != "on-record" for each in (ours, theirs))
    if part in BESIDE:
        return all(book.point(*BESIDE[part]) is not None for book in (a, b))
    each_alone = all(_cut_alone(book) for book in (a, b))
    if part == "limits maximum-scope" and each_alone:  # a hand has no room of its own then
        return {each.value for each in (ours, theirs) if each is not None} == {"wager"}
    if part == "limits pipeline":  # a minimum cuts no stake, wherever it stands among the limits
        return cutting(a) == cutting(b)
    if part in SILENCE and _done(part, ours) == _done(part, theirs):
        return True
    if part == "authority discretion":  # reasonable discretion gives its reason, which the steps may ask for anyway
        return all(step.reason for book in (a, b) for step in _judgements(book))
    return part in WORDS_ONLY


def _point(book: Book, part: str) -> Point | None:
    section, _, name = part.partition(" ")
    if section == "insurance":
        return None if book.insurance is None else book.insurance.points.get(name)
    return book.point(section, name)


def _cut_alone(book: Book) -> bool:
    """Whether what is over a maximum is cut from each wager by itself."""
    over = book.point("limits", "over-maximum")
    return over is not None and over.value == "to-maximum"


def _done(part: str, point: Point | None) -> object:
    return SILENCE[part] if point is None else point.value


def _judgements(book: Book) -> Iterator[Remedy]:
    """Every step at which somebody judges whether a hand can be put right."""
    steps = [step for row in book.irregularities for step in row.do]
    while steps:
        step = steps.pop()
        steps += [*step.otherwise, *step.then, *step.all_back]
        if step.verb == "decide" and step.object == "reconstructible":
            yield step
