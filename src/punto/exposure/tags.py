"""The best linear count for a bet: least squares on its effects of removal, whole tags, compared on dealt shoes."""

from collections.abc import Sequence
from fractions import Fraction

import msgspec
import numpy as np
from numpy.typing import NDArray

from punto.exposure.composition_edges import removal
from punto.exposure.errors import BadExposure
from punto.exposure.linear_counts import MOST_TAG, RANK_TAGS, LinearCount
from punto.exposure.run import expose
from punto.rulebook import Menu
from punto.simulation import Backend, Dealing

CHECK_SEED = 20_261
"""Tags are compared on shoes of a seed of their own, not on those on which they are judged afterwards."""

CHECK_SHOES = 2_000
CANDIDATES = 6
SINGLES = 9
"""Ace to nine: no other rank has their value."""

Floats = NDArray[np.float64]


class TagSystem(msgspec.Struct, frozen=True):
    """Whole tags by rank, ace to king, and how well they follow the effects of removal: 1 would be perfectly."""

    tags: tuple[int, ...]
    correlation: float


def tag_systems(effects: Sequence[Fraction], size: int, number: int = CANDIDATES) -> list[TagSystem]:
    """The balanced tag systems with tags up to a size that follow the effects best, the best first.

    The least-squares fit of one scale to the effects is rounded to whole tags, at every scale that rounds another
    way; what is then missing to a balance is put where it costs the fit least.

    >>> from punto.rulebook import load, menu
    >>> best = tag_systems(removal(menu(load("wu-song")))["big-tiger"], 2)[0]
    >>> best.tags[:10], f"{best.correlation:.3f}"
    ((0, 0, -2, -1, -1, -2, 2, 2, 2, 0), '0.986')
    """
    if not 1 <= size <= MOST_TAG:
        raise BadExposure(f"Tags up to {size} make no count: 1 to {MOST_TAG} do.")
    wanted = np.array([float(effect) for effect in effects])
    wanted -= wanted.mean()
    if np.abs(wanted).max() < 1e-12:
        raise BadExposure("No card tells more of this bet than another: a linear count says nothing about it.")
    steps = np.arange(size + 1) + 0.5
    scales = np.unique(np.concatenate([steps / abs(effect) for effect in wanted if abs(effect) > 1e-12]))
    found: dict[tuple[int, ...], float] = {}
    for scale in (scales[:-1] + scales[1:]) / 2:
        tags = _balanced(wanted * scale, size)
        if tags is not None and any(tags):
            found[tags] = _correlation(wanted, tags)
    best = sorted(found, key=lambda tags: (-found[tags], tags))[:number]
    return [TagSystem(tags, found[tags]) for tags in best]


def _balanced(wanted: Floats, size: int) -> tuple[int, ...] | None:
    """Whole tags near the wanted ones that add up to nothing over a deck."""
    tags = np.rint(wanted).astype(int)
    if np.abs(tags).max() > size:
        return None
    while tags.sum():
        step = -1 if tags.sum() > 0 else 1
        cost = (tags[:SINGLES] + step - wanted[:SINGLES]) ** 2 - (tags[:SINGLES] - wanted[:SINGLES]) ** 2
        cost[np.abs(tags[:SINGLES] + step) > size] = np.inf
        if not np.isfinite(cost).any():
            return None
        tags[int(np.argmin(cost))] += step
    return tuple(int(tag) for tag in tags)


def correlation(effects: Sequence[Fraction], tags: Sequence[int]) -> float:
    """How well tags follow effects of removal, as betting correlation: 1 would be perfectly.

    >>> correlation([Fraction(1)] * 6 + [Fraction(-1)] * 6 + [Fraction(0)], [2] * 6 + [-2] * 6 + [0])
    1.0
    """
    wanted = np.array([float(effect) for effect in effects])
    return _correlation(wanted - wanted.mean(), tags)


def _correlation(wanted: Floats, tags: Sequence[int]) -> float:
    given = np.array(tags, dtype=np.float64)
    given -= given.mean()
    size = float(np.linalg.norm(wanted) * np.linalg.norm(given))
    return round(float(wanted @ given) / size, 12) if size else 0.0


def best_count(
    menu: Menu,
    bet: str,
    dealing: Dealing | None = None,
    *,
    size: int = 2,
    shoes: int = CHECK_SHOES,
    seed: int = CHECK_SEED,
    backend: Backend = "cpu",
) -> LinearCount:
    """The count for a bet that wins most on dealt shoes, with the trigger from which it does.

    The tag systems that follow the effects of removal best are all played on the same shoes.

    >>> from punto.rulebook import load, menu
    >>> best_count(menu(load("wu-song")), "player-pair")
    Traceback (most recent call last):
    punto.exposure.errors.BadExposure: No card tells more of this bet than another: a linear count says nothing about \
it.
    """
    dealing = Dealing() if dealing is None else dealing
    menu[bet]
    systems = tag_systems(removal(menu, dealing.decks)[bet], size)
    counts = [LinearCount(bet, system.tags, Fraction(0)) for system in systems]
    played = expose(menu, dealing, seed=seed, shoes=shoes, counts=counts, backend=backend)
    best: tuple[float, LinearCount] | None = None
    for number, each in enumerate(counts):
        trigger = played.best_trigger(number)
        gain = sum(units for true, _, units in played.by_true_count(number) if true >= trigger)
        if best is None or gain > best[0]:
            best = gain, LinearCount(bet, each.tags, Fraction(trigger))
    if best is None or len(best[1].tags) != RANK_TAGS:
        raise BadExposure(f"No balanced tags up to {size} follow this bet.")
    return best[1]
