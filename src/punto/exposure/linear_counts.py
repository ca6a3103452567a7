"""Linear counts: tags by rank, and the true count from which a bet is made."""

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from punto.exposure.errors import BadExposure
from punto.kinds import tells_of_fields

VALUE_TAGS = 10
RANK_TAGS = 13
MOST_TAG = 1000


class LinearCount(msgspec.Struct, frozen=True):
    """A way to count one bet: tags by rank, ace to king, and the trigger.

    The running count is the sum of the tags of all cards seen; divided by the decks that are unseen it is the true
    count. The bet is made while that is at least the trigger.
    """

    bet: str
    tags: tuple[int, ...]
    trigger: Fraction

    @tells_of_fields
    def __post_init__(self) -> None:
        if len(self.tags) != RANK_TAGS or max(map(abs, self.tags)) > MOST_TAG:
            raise BadExposure(f"A count has a tag of at most {MOST_TAG} for each of the 13 ranks, ace to king.")
        if not abs(self.trigger) <= MOST_TAG or self.trigger.denominator > MOST_TAG:
            raise BadExposure(f"A trigger is a true count of at most {MOST_TAG}, such as 8 or 7.5.")

    @property
    def balanced(self) -> bool:
        """Whether the tags of a whole deck add up to nothing."""
        return sum(self.tags) == 0


def count(bet: str, tags: str | Sequence[int], trigger: str | float | Fraction) -> LinearCount:
    """Read a count as it is published: ten tags, ace to ten (the last one for all that count nothing), or thirteen.

    >>> big = count("big-tiger", "0,0,-1,-1,-1,-2,+1,+2,+2,0", 8)
    >>> big.tags
    (0, 0, -1, -1, -1, -2, 1, 2, 2, 0, 0, 0, 0)
    >>> count("tie", "1,2,3", 4)
    Traceback (most recent call last):
    punto.exposure.errors.BadExposure: '1,2,3' are no tags: write ten whole numbers, ace to ten, such as \
0,0,-1,-1,-1,-2,+1,+2,+2,0, or thirteen, ace to king.
    """
    try:
        found = (
            [int(tag.strip().replace("\N{MINUS SIGN}", "-")) for tag in tags.split(",")]
            if isinstance(tags, str)
            else [int(tag) for tag in tags]
        )
    except ValueError:
        found = []
    if len(found) == VALUE_TAGS:
        found += 3 * found[-1:]
    if len(found) != RANK_TAGS:
        raise BadExposure(
            f"{tags!r} are no tags: write ten whole numbers, ace to ten, such as 0,0,-1,-1,-1,-2,+1,+2,+2,0, "
            "or thirteen, ace to king."
        )
    try:
        at = Fraction(str(trigger))
    except (ValueError, ZeroDivisionError):
        raise BadExposure(f"{trigger!r} is no trigger: write a true count, such as 8 or 7.5.") from None
    return LinearCount(bet, tuple(found), at)
