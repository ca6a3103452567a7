"""Bets as kernels see them: for each of the 2,000 outcomes what one unit nets, in whole parts of the unit."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from math import lcm

import msgspec
import numpy as np

from punto.coup import OUTCOMES
from punto.simulation.cells import Counts
from punto.simulation.dealing import BadDealing

MOST_NET = 1 << 20
"""No net is more parts of a unit than this, so that the sums of a block fit 64 bits."""


class Bets(msgspec.Struct, frozen=True):
    """Some bets: their names, the parts into which their unit is divided, and a row of nets for each."""

    names: tuple[str, ...]
    units: tuple[int, ...]
    nets: Counts

    @property
    def digest(self) -> str:
        """The SHA-256 of names, units and nets."""
        return sha256(repr((self.names, self.units)).encode() + self.nets.astype("<i8").tobytes()).hexdigest()


def bets(nets: Mapping[str, Sequence[Fraction | int]]) -> Bets:
    """Read bets, given as what one unit nets outcome by outcome.

    >>> from fractions import Fraction
    >>> half = bets({"always half": [Fraction(1, 2)] * 2000})
    >>> half.units, int(half.nets[0, 0])
    ((2,), 1)
    """
    units, rows = [], []
    for name, vector in nets.items():
        if len(vector) != OUTCOMES:
            raise BadDealing(f"The bet {name} has {len(vector)} nets; there are {OUTCOMES} outcomes.")
        unit = lcm(*{net.denominator for net in vector})
        rows.append([net.numerator * (unit // net.denominator) for net in vector])
        if max(map(abs, rows[-1])) > MOST_NET:
            raise BadDealing(f"The bet {name} has odds too fine or too high: {MOST_NET} parts of a unit are the most.")
        units.append(unit)
    return Bets(tuple(nets), tuple(units), np.array(rows, dtype=np.int64).reshape(len(rows), OUTCOMES))


NO_BETS = bets({})
