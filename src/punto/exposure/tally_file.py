"""Runs that were saved to a file, read again."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec

from punto.exposure.errors import BadExposure
from punto.exposure.linear_counts import LinearCount
from punto.exposure.procedure import DealingProcedure
from punto.exposure.tally import Exposure, Numbers, Sums, Whole
from punto.simulation.shoe_ranges import Range, united
from punto.simulation.tally import is_as_kept


class _SavedCount(msgspec.Struct, forbid_unknown_fields=True):
    """A linear count as it is written in a file."""

    bet: str
    tags: tuple[int, ...]
    trigger: str


class _SavedExposure(msgspec.Struct, forbid_unknown_fields=True):
    """A run as it is written in a file: long whole numbers are text."""

    format: str
    digest: str
    seed: int
    dealing: DealingProcedure
    block: int
    shoes: tuple[Range, ...]
    counted: tuple[_SavedCount, ...]
    priced: str
    whole: dict[str, Any]
    bets: dict[str, dict[str, list[str]]]
    counts: list[dict[str, list[str]]]
    edges: dict[str, list[str]]
    spread: dict[str, list[str]]
    trues: list[tuple[list[str], list[str]]]
    offers: list[tuple[str, dict[str, list[str]]]]
    late: tuple[str, ...] = ()


def load_exposure(file: Path | str) -> Exposure:
    """Read a run that was saved; a file that holds something else, or was changed, is refused."""
    try:
        written = Path(file).read_bytes()
        saved = msgspec.json.decode(written, type=_SavedExposure)
        found = _exposure(saved)
    except (msgspec.DecodeError, BadExposure, KeyError, TypeError, ValueError, RecursionError) as error:
        raise BadExposure(f"{file} holds no run of punto exposure: {error}.") from None
    if not is_as_kept(written, found.encode()):
        raise BadExposure(f"{file} holds no run of punto exposure, or it has been changed.")
    return found


def _exposure(saved: _SavedExposure) -> Exposure:
    return Exposure(
        saved.seed,
        saved.dealing,
        saved.block,
        united(saved.shoes),
        Whole(
            int(saved.whole["blocks"]),
            _ints(saved.whole["r"]),
            _ints(saved.whole["rr"]),
            _ints(saved.whole["rs"]),
            int(saved.whole["ss"]),
        ),
        {name: _sums(each) for name, each in saved.bets.items()},
        tuple(LinearCount(each.bet, each.tags, Fraction(each.trigger)) for each in saved.counted),
        tuple(_sums(each) for each in saved.counts),
        {name: _ints(each) for name, each in saved.edges.items()},
        {name: _ints(each) for name, each in saved.spread.items()},
        tuple((_ints(rounds), _ints(gains)) for rounds, gains in saved.trues),
        tuple((int(met), _sums(each)) for met, each in saved.offers),
        saved.priced,
        saved.late,
    )


def _ints(texts: Sequence[str]) -> Numbers:
    return tuple(int(text) for text in texts)


def _sums(texts: dict[str, list[str]]) -> Sums:
    return Sums(*(_ints(texts[name]) for name in Sums.__struct_fields__))
