"""What a GPU counts in one go of bets that look at cards: as many passes of `card_bets` as its shared memory takes.

Every round looks several entries up, at places that chance chooses. From shared memory that costs a GPU far less than
from elsewhere: so a slice has few enough entries to lie there beside its counts, and where all passes together have
more, the shoes are dealt once for each slice. Only a pass that is too large alone is read from the GPU's main memory.
"""

from collections.abc import Iterator

import msgspec
import numpy as np
from numpy.typing import NDArray

from punto.simulation.card_bets import CardBets
from punto.simulation.cells import CELLS, DRAWN_ROWS, LAST, PAIRS, ROWS, Counts, cells_in_use
from punto.simulation.packed import ROW_CELLS, STOOD_AT

PLACES = 6
BY_RANK = 1 << PLACES
"""In what a machine looks at, a bit for each place of a round; this one where suits are nothing to it."""

ALL_ALIKE = 0xFFFFFFFF
"""In the place of a row of classes: every cell is of the same class."""

A_PASS, A_MACHINE = 4, 2
"""Numbers that tell a pass and a machine."""


class Slice(msgspec.Struct, frozen=True, eq=False):
    """Some passes, laid out for a GPU.

    `passes` are by pass its first machine, the one behind its last, where its cases begin, and its row of `classes`,
    which tells by row and pairs (`packed`) how much further those of a round begin. `machines` are by machine what it
    looks at, and its first state. A state and a symbol, a card or its rank, together are the place of an *entry*: the
    next state, and at the last place how many cases further it is. A case is the place of an entry, too: its joint,
    counted from the first of the slice.

    Where everything fits into shared memory (`near`), `words` are as they lie there: room for the counts of the joints,
    then the entries, two to a word, so that the place of an entry is twice that of its word, or one more. Elsewhere
    each entry is a word.
    """

    first_joint: int
    joints: int
    near: bool
    passes: NDArray[np.uint32]
    machines: NDArray[np.uint32]
    classes: NDArray[np.uint32]
    words: NDArray[np.uint32]


def slices_of(cards: CardBets, room: int) -> list[Slice]:
    """The slices of some bets, for a GPU with so many words of room.

    >>> from punto.rulebook import load, menu
    >>> from punto.simulation.card_bets import card_bets
    >>> bets = menu(load("match"), "matching-dragon").bets
    >>> found = card_bets({name: priced for name, priced in bets.items() if not priced.by_outcome})
    >>> [(len(each.passes) // A_PASS, each.joints, each.near) for each in slices_of(found, 11000)]
    [(1, 924, True), (2, 931, True)]
    >>> [each.near for each in slices_of(found, 5000)]
    [False, False, True]
    """
    found: list[Slice] = []
    first, last = 0, len(cards.passes)
    while first < last:
        fitting = [end for end in range(first + 1, last + 1) if _room(cards, first, end) <= room]
        end = max(fitting, default=first + 1)
        found.append(_slice(cards, first, end, bool(fitting)))
        first = end
    return found


def _limits(cards: CardBets) -> tuple[list[int], list[int], list[int]]:
    """By pass where its machines' entries, its cases and its joints begin; at last where all of them end."""
    steps = cards.steps[:, 4].tolist()
    entries = [steps[first] if first < last else len(cards.table) for first, last, _ in cards.passes.tolist()]
    cases = cards.classes.min(axis=1).tolist()
    joints = cards.passes[:, 2].tolist()
    return [*entries, len(cards.table)], [*cases, len(cards.joints)], [*joints, cards.rows.shape[1]]


def _room(cards: CardBets, first: int, last: int) -> int:
    """Words of shared memory for the counts and entries of some passes."""
    entries, cases, joints = ((limits[first], limits[last]) for limits in _limits(cards))
    return joints[1] - joints[0] + -(-(entries[1] - entries[0] + cases[1] - cases[0]) // 2)


def _slice(cards: CardBets, first: int, last: int, near: bool) -> Slice:
    begins, cases, joints = _limits(cards)
    number = joints[last] - joints[first]
    at = 2 * number if near else 0
    passes: list[int] = []
    machines: list[int] = []
    classes: list[Counts] = []
    laid: list[Counts] = []
    for each in range(first, last):
        own, entries = _machines(cards, each, begins[each : each + 2], at)
        before, behind = len(machines) // A_MACHINE, (len(machines) + len(own)) // A_MACHINE
        by_row = _by_row(cards.classes[each].astype(np.int64) - cases[each])
        alike = not by_row.any()
        passes += [before, behind, at + len(entries), ALL_ALIKE if alike else len(classes)]
        machines += own
        classes += [] if alike else [by_row]
        ends = cards.joints[cases[each] : cases[each + 1]].astype(np.int64)
        laid += [entries, np.maximum(0, np.where(ends < joints[last], ends - joints[first], 0))]
        at += len(entries) + len(ends)
    flat = np.concatenate(laid)
    return Slice(
        joints[first],
        number,
        near,
        np.array(passes, dtype=np.uint32),
        np.array(machines, dtype=np.uint32),
        np.array(classes, dtype=np.uint32).reshape(-1, ROW_CELLS * PAIRS),
        np.concatenate((np.zeros(number, dtype=np.uint32), _packed(flat))) if near else flat.astype(np.uint32),
    )


def _machines(cards: CardBets, number: int, limits: list[int], begin: int) -> tuple[list[int], Counts]:
    """What tells the machines of a pass, and their entries, as they are where these begin at a place."""
    first, behind = limits
    laid = cards.table[first:behind].astype(np.int64)
    found: list[int] = []
    steps = cards.steps[cards.passes[number, 0] : cards.passes[number, 1]].tolist()
    for (place, shift, start, ends, at), end in zip(steps, _ends(steps, behind), strict=True):
        if start >= 0:
            found += [BY_RANK if shift else 0, start - first + begin]
        found[-A_MACHINE] |= 1 << place
        if not ends:
            laid[at - first : end - first] += begin - first  # these are states; the others are cases
    return found, laid


def _ends(steps: list[list[int]], behind: int) -> Iterator[int]:
    """Where the entries of each step end."""
    yield from (step[4] for step in steps[1:])
    yield behind


def _by_row(cells: Counts) -> Counts:
    """What holds of the cells in use, by row and pairs, as `packed` counts rows; of the others nothing."""
    in_use = np.zeros(CELLS, dtype=np.int64)
    used, _ = cells_in_use()
    in_use[used] = cells[used]
    by_row = in_use.reshape(ROWS, PAIRS, LAST).swapaxes(1, 2).reshape(ROWS * LAST, PAIRS)
    found = np.zeros((ROW_CELLS, PAIRS), dtype=np.int64)
    found[: DRAWN_ROWS * LAST] = by_row[: DRAWN_ROWS * LAST]
    found[STOOD_AT:] = by_row[DRAWN_ROWS * LAST :]
    return found.reshape(-1)


def _packed(entries: Counts) -> NDArray[np.uint32]:
    """Entries two to a word, the first in the lower half."""
    even = np.append(entries, 0) if len(entries) % 2 else entries
    return (even[0::2] | even[1::2] << 16).astype(np.uint32)
