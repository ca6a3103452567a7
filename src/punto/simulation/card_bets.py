"""Bets that look at cards, as kernels see them: tables that lead from a round to what each bet nets.

A round is a cell (`punto.simulation.cells`), which tells everything but single cards, and six cards, at which the
machines of `card_tests` look. The class of the cell and the ends of the machines together are one of the *joints* that
are counted: rounds of one joint are the same to every bet. Where all bets together would make too many, they are
counted in several *passes*, each with machines of its own.

A bet that is placed after the first four cards lies only in rounds in which these open its window: that is one more
test. Where it does not hold the bet nets nothing, and the rounds in which it does are summed up beside the nets.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from math import lcm, prod

import msgspec
import numpy as np
from numpy.typing import NDArray

from punto.coup import SUITS
from punto.kernels.deal import RANKS
from punto.kernels.faces import NO_FACE
from punto.odds.bets import by_outcome, net_of
from punto.rulebook import Pattern, Priced
from punto.rulebook.patterns import TWO_CARD_TOTALS, CardTest
from punto.simulation.card_tests import Machine, joined, machine_of
from punto.simulation.cells import CELLS, Counts, cells_in_use, cells_of, two_card_totals
from punto.simulation.dealing import BadDealing
from punto.simulation.unit_nets import MOST_NET

Places = NDArray[np.uint16] | NDArray[np.uint32]
Mask = NDArray[np.bool_]
Program = tuple[Counts, Counts, Places, Places, Places]
Field = tuple[str, frozenset[int | str]]

MOST_ENTRIES = 1 << 14
"""Tests share a machine while its tables have no more entries than this, or no more than those of both alone."""

MOST_IN_A_PASS = 1 << 12
"""Bets share a pass while there are no more cases of cell class and ends."""

MOST_CASES = 1 << 22

NOT_HERE = -1
"""In the place of a row: the bet is decided in another pass."""

NO_ROUND = -1
Step = tuple[int, int, int, int, int]


class CardBets(msgspec.Struct, frozen=True, eq=False):
    """Some bets that look at cards, ready for kernels.

    `rows` tells by bet and joint which row of the bet takes the round, one beyond the last where none does, and two
    beyond where the bet could not be placed. `nets` are by bet what it nets in parts of its unit, and behind them for
    each of the `late` bets 1 where it could be placed. By pass: `passes` are its first step, the one behind its last,
    and its first joint; `classes` by cell where its cases begin in `joints`. A lane without a round has a cell and a
    joint of its own, behind the others. A step (`steps`) is the place that is looked at, by how many bits the face is
    shifted to be the symbol, the state it begins with (-1: the one reached), whether the machine ends, and where its
    own part of `table` begins. That tells from state and symbol the next state, and at the end of a machine how many
    cases further it is.
    """

    names: tuple[str, ...]
    units: tuple[int, ...]
    digest: str
    by_suit: bool
    row_numbers: tuple[int, ...]
    rows: Counts
    nets: Counts
    passes: Counts
    steps: Counts
    table: Places
    classes: Places
    joints: Places
    late: tuple[str, ...] = ()

    @property
    def program(self) -> Program:
        """As kernels take it: passes, steps, table, classes and joints."""
        return self.passes, self.steps, self.table, self.classes, self.joints

    def joints_of(self, faces: NDArray[np.int8]) -> Counts:
        """The joints of some rounds in each pass, by the faces of their six cards."""
        cells, seen = cells_of(faces), np.where(faces < 0, NO_FACE, faces).astype(np.int64)
        found = self.classes[:, cells].astype(np.int64)
        for cases, (first, last, _) in zip(found, self.passes.tolist(), strict=True):
            state = np.zeros(len(faces), dtype=np.int64)
            for place, shift, start, ends, _ in self.steps[first:last].tolist():
                state = self.table[(start if start >= 0 else state) + (seen[:, place] >> shift)].astype(np.int64)
                cases += state * ends
        return self.joints[found].astype(np.int64)

    def counted(self, joints: Counts) -> dict[str, tuple[int, ...]]:
        """By bet how many rounds each of its rows took, and at last how many none did; from counts by joint."""
        found = {}
        for name, rows, number in zip(self.names, self.rows, self.row_numbers, strict=True):
            found[name] = tuple(int(joints[rows == row].sum()) for row in range(number + 1))
        return found


NO_CARD_BETS = CardBets(
    (),
    (),
    "",
    False,
    (),
    np.zeros((0, 0), dtype=np.int64),
    np.zeros((0, 0), dtype=np.int64),
    np.zeros((0, 3), dtype=np.int64),
    np.zeros((0, 5), dtype=np.int64),
    np.zeros(0, dtype=np.uint16),
    np.zeros((0, CELLS + 1), dtype=np.uint16),
    np.zeros(0, dtype=np.uint16),
)
"""For kernels that deal faces where no bet looks at them."""


class _Pass(msgspec.Struct, frozen=True, eq=False):
    bets: Mapping[str, Priced]
    machines: list[Machine]

    @property
    def ends(self) -> int:
        return prod(machine.ends for machine in self.machines)


def card_bets(bets: Mapping[str, Priced]) -> CardBets | None:
    """Make bets ready; None where there are none.

    >>> from punto.rulebook import load, menu
    >>> found = card_bets({"red": menu(load("match"), "colours")["player-red"]})
    >>> found.by_suit, found.rows.tolist()
    (True, [[0, 1]])
    """
    if not bets:
        return None
    passes: list[_Pass] = []
    own = {test: machine_of(test) for test in dict.fromkeys(test for each in bets.values() for test in _tests(each))}
    for name, priced in bets.items():
        for at, each in enumerate(passes):
            wider = _with_bet(each, name, priced, own)
            if _cases(wider) <= MOST_IN_A_PASS:
                passes[at] = wider
                break
        else:
            passes.append(_with_bet(_Pass({}, []), name, priced, own))
            if _cases(passes[-1]) > MOST_CASES:
                raise BadDealing(f"The bet {name} looks at too many things at once to be dealt.")
    return _laid_out(bets, passes)


@lru_cache(maxsize=64)
def bet_alone(priced: Priced) -> CardBets:
    """Make one bet ready, by its id: what is asked of it again is not computed again.

    >>> from punto.rulebook import load, menu
    >>> bet_alone(menu(load("match"), "colours")["player-red"]).names
    ('player-red',)
    """
    found = card_bets({priced.bet.id: priced})
    assert found is not None
    return found


def renamed(cards: CardBets, name: str, priced: Priced) -> CardBets:
    """One bet that was made ready, by another name."""
    return msgspec.structs.replace(cards, names=(name,), digest=_digest({name: priced}))


def _with_bet(found: _Pass, name: str, priced: Priced, own: Mapping[CardTest, Machine]) -> _Pass:
    machines = found.machines
    for test in _tests(priced):
        if not any(test in machine.held for machine in machines):
            machines = joined(machines, own[test], MOST_ENTRIES)
    return _Pass({**found.bets, name: priced}, machines)


def _tests(priced: Priced) -> list[CardTest]:
    return list(dict.fromkeys(test for each in priced.patterns for part in each.parts for test in part.cards))


def _fields(bets: Mapping[str, Priced]) -> list[Field]:
    parts = (part for priced in bets.values() for each in priced.patterns for part in each.parts)
    return list(dict.fromkeys(field for part in parts for field in part.fields))


def _classes(bets: Mapping[str, Priced]) -> tuple[Counts, dict[Field, Mask]]:
    """For each cell in use its class, by what the bets ask of outcomes; and what each class answers."""
    used, outcomes = cells_in_use()
    totals = dict(zip(TWO_CARD_TOTALS, two_card_totals(), strict=True))
    fields = _fields(bets)
    asked = np.zeros((len(used), len(fields) + 1), dtype=bool)
    for at, (name, values) in enumerate(fields):
        found = totals[name][used] if name in totals else by_outcome(name)[outcomes]
        asked[:, at] = np.isin(found, list(values))
    answers, classes = np.unique(asked, axis=0, return_inverse=True)
    return classes.reshape(-1), {field: answers[:, at] for at, field in enumerate(fields)}


def _cases(found: _Pass) -> int:
    return (int(_classes(found.bets)[0].max()) + 2) * found.ends


def _met(found: _Pass) -> tuple[Counts, Counts]:
    """For each cell in use its class, and by bet and case (class, then ends) the row that takes the round."""
    classes, answers = _classes(found.bets)
    numbers = [machine.ends for machine in reversed(found.machines)]
    ends = np.indices(numbers).reshape(len(numbers), found.ends)[::-1]
    held = {
        test: ended[own][None, :]
        for machine, own in zip(found.machines, ends, strict=True)
        for test, ended in machine.held.items()
    }
    shape = int(classes.max()) + 1, found.ends

    def holds(pattern: Pattern) -> Mask:
        met = np.ones(shape, dtype=bool)
        for field in pattern.fields:
            met &= answers[field][:, None]
        for test in pattern.cards:
            met &= held[test]
        if pattern.any:
            met &= np.logical_or.reduce([holds(each) for each in pattern.any])
        for each in pattern.none:
            met &= ~holds(each)
        return met

    rows = np.zeros((len(found.bets), *shape), dtype=np.int64)
    for at, priced in enumerate(found.bets.values()):
        rows[at] = len(priced.rows)
        for number in reversed(range(len(priced.rows))):
            rows[at][holds(priced.rows[number].when)] = number
        if priced.window is not None:
            rows[at][~holds(priced.window)] = len(priced.rows) + 1
    return classes, rows.reshape(len(found.bets), -1)


def _laid_machine(machine: Machine, begin: int, width: int) -> tuple[list[Step], Counts]:
    """The steps of a machine whose tables begin at a place, and these tables; an end counts `width` cases."""
    symbols = NO_FACE + 1 if machine.by_suit else RANKS + 1
    shift = 0 if machine.by_suit else len(SUITS).bit_length() - 1
    laid, steps, at = [], [], begin
    for number, (place, table) in enumerate(zip(machine.places, machine.tables, strict=True)):
        last = number + 1 == len(machine.places)
        laid.append((table * width if last else at + table.size + table * symbols).reshape(-1))
        steps.append((place, shift, -1 if number else at, int(last), at))
        at += table.size
    return steps, np.concatenate(laid)


def _laid_out(bets: Mapping[str, Priced], passes: Sequence[_Pass]) -> CardBets:
    """All tables one behind the other."""
    used, _ = cells_in_use()
    names = tuple(name for each in passes for name in each.bets)
    steps: list[Step] = []
    limits, tables, classes, joints = [], [np.zeros(0, dtype=np.int64)], [], []
    rows: list[Counts] = []
    entries, cases, kinds = 0, 0, 0
    for each in passes:
        first, width = len(steps), 1
        for machine in each.machines:
            own_steps, laid = _laid_machine(machine, entries, width)
            steps.extend(own_steps)
            tables.append(laid)
            entries, width = entries + len(laid), width * machine.ends
        limits.append((first, len(steps), kinds))
        of_cells, met = _met(each)
        found, kind = np.unique(met, axis=1, return_inverse=True)
        own_rows = np.full((len(names), found.shape[1]), NOT_HERE)
        own_rows[[names.index(name) for name in each.bets]] = found
        rows.append(own_rows)
        where = np.full(CELLS + 1, cases + met.shape[1])
        where[used] = cases + of_cells * width
        classes.append(where)
        joints += [kinds + kind.reshape(-1), np.full(width, NO_ROUND)]
        cases, kinds = cases + met.shape[1] + width, kinds + found.shape[1]
    flat = np.concatenate(joints)
    by_joint = np.concatenate(rows, axis=1)
    units, nets = _nets([bets[name] for name in names], by_joint)
    late = tuple(name for name in names if bets[name].window is not None)
    table, by_cell, of_cases = _places(
        np.concatenate(tables), np.stack(classes), np.where(flat == NO_ROUND, kinds, flat)
    )
    return CardBets(
        names,
        units,
        _digest({name: bets[name] for name in names}),
        any(priced.by_suit for priced in bets.values()),
        tuple(len(bets[name].rows) for name in names),
        by_joint,
        np.concatenate((nets, _placed(bets, names, by_joint, late))),
        np.array(limits, dtype=np.int64),
        np.array(steps, dtype=np.int64).reshape(-1, 5),
        table,
        by_cell,
        of_cases,
        late,
    )


def _placed(bets: Mapping[str, Priced], names: Sequence[str], rows: Counts, late: Sequence[str]) -> Counts:
    """By late bet and joint: 1 where the bet could be placed, and is decided there."""
    found = np.zeros((len(late), rows.shape[1]), dtype=np.int64)
    for at, name in enumerate(late):
        own = rows[names.index(name)]
        found[at] = (own != NOT_HERE) & (own <= len(bets[name].rows))
    return found


def _places(*tables: Counts) -> list[Places]:
    """Tables of numbers as small as all of them can be held: kernels are compiled for two kinds only."""
    if all(table.max(initial=0) < 1 << 16 for table in tables):
        return [table.astype(np.uint16) for table in tables]
    return [table.astype(np.uint32) for table in tables]


def _nets(bets: Sequence[Priced], rows: Counts) -> tuple[tuple[int, ...], Counts]:
    """The parts of each bet's unit, and what it nets by joint."""
    units, found = [], np.zeros(rows.shape, dtype=np.int64)
    for at, priced in enumerate(bets):
        nets = [*(net_of(row) for row in priced.rows), Fraction(-1)]
        unit = lcm(*(net.denominator for net in nets))
        parts = [int(net * unit) for net in nets]
        if max(map(abs, parts)) > MOST_NET:
            name = priced.bet.id
            raise BadDealing(f"The bet {name} has odds too fine or too high: {MOST_NET} parts of a unit are the most.")
        found[at] = np.array([*parts, 0])[rows[at]]
        units.append(unit)
    return tuple(units), found


def _digest(bets: Mapping[str, Priced]) -> str:
    """The SHA-256 of names, rows and nets, and of windows."""
    said: list[tuple[object, ...]] = [
        (name, [(row.when, str(net_of(row))) for row in priced.rows], *priced.patterns[len(priced.rows) :])
        for name, priced in bets.items()
    ]
    return sha256(msgspec.json.encode(said, order="deterministic")).hexdigest()
