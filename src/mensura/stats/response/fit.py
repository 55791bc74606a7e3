"""Fit: whether items and persons answer as the model says."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mensura.stats.comparisons.multiplicity import holm
from mensura.stats.intervals.sample import Floats
from mensura.stats.response.ability import abilities
from mensura.stats.response.calibration import CalibratedItems
from mensura.stats.response.curves import Curves
from mensura.stats.response.likelihood import NODES, grid
from mensura.stats.response.responses import ResponseMatrix

LEAST_COMPLETE = 100
"""Persons who answered every item, without whom observed and expected shares by sum are not compared."""
LEAST_ANSWERED = 20
"""Answers of a person below which person fit is not judged: its distribution is known for long tests only."""
LEAST_EXPECTED = 1.0
KINDS = {"rasch": 1, "2pl": 2, "3pl": 3}
"""Parameters of an item."""


@dataclass(frozen=True)
class ItemFit:
    """How well the answers to one item fit its curve."""

    infit: float
    """Mean square residual weighted by information; 1 is expected."""
    outfit: float
    chi_squared: float
    """Orlando and Thissen's S-X²; NaN where it cannot be computed."""
    freedom: int
    p: float
    adjusted: float
    """p after Holm over all items."""


@dataclass(frozen=True)
class PersonFit:
    """How well the answers of one person fit the model; strongly negative where hard items are right and easy wrong."""

    z: float
    """Snijders's lz*, standard normal under the model; NaN where too few items were answered."""
    p: float
    adjusted: float


def item_fit(matrix: ResponseMatrix, calibrated: CalibratedItems) -> dict[str, ItemFit]:
    r"""Judge the fit of each calibrated item.

    Infit and outfit are means of squared residuals over the posterior of every person's ability, so that 1 is expected
    exactly under the model. S-X² [1]_ compares the share right at each sum of right answers with what the model expects
    there; persons with missing answers are left out of it, and neighbouring sums are put together until at least one
    right and one wrong answer is expected.

    References
    ----------
    .. [1] Orlando and Thissen (2000), Applied Psychological Measurement 24, 50-64.
    """
    chosen = [matrix.items.index(name) for name in calibrated.items]
    right, curves = matrix.right[:, chosen], calibrated.curves
    right = right[~np.isnan(right).all(axis=1)]
    infit, outfit = _mean_squares(right, curves)
    complete = right[~np.isnan(right).any(axis=1)]
    if len(complete) >= LEAST_COMPLETE:
        found = _s_x2(complete, curves, kinds=KINDS[calibrated.model])
    else:
        found = [(float("nan"), 0, float("nan"))] * len(chosen)
    adjusted = holm([p for *_, p in found]).adjusted
    return {
        name: ItemFit(float(infit[place]), float(outfit[place]), *found[place], adjusted[place])
        for place, name in enumerate(calibrated.items)
    }


def person_fit(matrix: ResponseMatrix, calibrated: CalibratedItems) -> dict[str, PersonFit]:
    """Judge how well each person's answers fit, by the likelihood of the pattern at their ability (lz* [1]_).

    Abilities are modes of the posterior, and the statistic is corrected for having been estimated from the same
    answers. Low values are unusual patterns: guessing, copying, or another way of answering.

    References
    ----------
    .. [1] Snijders (2001), Psychometrika 66, 331-342.
    """
    chosen = [matrix.items.index(name) for name in calibrated.items]
    right, curves = matrix.right[:, chosen], calibrated.curves
    known = ~np.isnan(right)
    ability = _modes(right, curves)
    chance = np.stack([curves.right(one)[:, 0] for one in ability])
    steep = curves.a * (chance - curves.c) * (1 - chance) / (1 - curves.c)
    ratio = steep / (chance * (1 - chance))
    odds = np.log(chance / (1 - chance))
    tie = np.where(known, steep * odds, 0).sum(axis=1) / np.maximum(
        np.where(known, steep * ratio, 0).sum(axis=1), 1e-12
    )
    freed = odds - tie[:, None] * ratio
    score = np.where(known, (np.nan_to_num(right) - chance) * odds, 0).sum(axis=1) - tie * ability
    spread = np.sqrt(np.where(known, freed**2 * chance * (1 - chance), 0).sum(axis=1))
    judged = (known.sum(axis=1) >= LEAST_ANSWERED) & (spread > 1e-9)
    z = np.where(judged, score / np.maximum(spread, 1e-9), np.nan)
    from scipy.special import ndtr

    p = np.where(judged, ndtr(np.nan_to_num(z)), np.nan)
    adjusted = holm(p).adjusted
    return {
        name: PersonFit(float(z[place]), float(p[place]), adjusted[place]) for place, name in enumerate(matrix.persons)
    }


def _mean_squares(right: Floats, curves: Curves) -> tuple[Floats, Floats]:
    ability, _ = grid(NODES)
    # Posteriors on the grid of the calibration, renormalised from the finer one: every fourth node.
    posterior = abilities(right, curves).posterior[:, ::4]
    posterior = posterior / posterior.sum(axis=1, keepdims=True)
    known = (~np.isnan(right)).astype(float)
    ones = np.nan_to_num(right)
    chance = curves.right(ability)
    there, ups = known.T @ posterior, ones.T @ posterior
    spread = chance * (1 - chance)
    squares = ups * (1 - chance) ** 2 + (there - ups) * chance**2
    outfit = (squares / spread).sum(axis=1) / known.sum(axis=0)
    return squares.sum(axis=1) / (there * spread).sum(axis=1), outfit


def _modes(right: Floats, curves: Curves) -> Floats:
    """Return the ability at which each posterior is highest."""
    ability = np.asarray(abilities(right, curves).value)
    known = ~np.isnan(right)
    held = np.nan_to_num(right)
    for _ in range(30):
        chance = np.stack([curves.right(one)[:, 0] for one in ability])
        steep = curves.a * (chance - curves.c) * (1 - chance) / (1 - curves.c)
        ratio = steep / (chance * (1 - chance))
        slope = np.where(known, (held - chance) * ratio, 0).sum(axis=1) - ability
        information = np.where(known, steep * ratio, 0).sum(axis=1) + 1
        change = np.clip(slope / information, -1, 1)
        ability = ability + change
        if np.abs(change).max() < 1e-8:
            break
    return ability


def _s_x2(right: Floats, curves: Curves, *, kinds: int) -> list[tuple[float, int, float]]:
    from scipy.special import chdtrc

    items = right.shape[1]
    ability, weight = grid(NODES)
    chance = curves.right(ability)
    sums = right.sum(axis=1).astype(int)
    all_sums = _sum_chances(chance)
    rest = _sums_without_each(chance)
    inner = np.arange(1, items)
    shown = all_sums[inner] @ weight
    found = []
    for place in range(items):
        expected = (rest[place][inner - 1] * chance[place]) @ weight / shown
        many = np.bincount(sums, minlength=items + 1)[inner].astype(float)
        ups = np.bincount(sums, weights=right[:, place], minlength=items + 1)[inner]
        groups = _together(many, many * expected)
        cells = [(many[one].sum(), ups[one].sum(), (many[one] * expected[one]).sum()) for one in groups]
        statistic = sum((got - meant) ** 2 / meant + (got - meant) ** 2 / (n - meant) for n, got, meant in cells)
        freedom = len(cells) - kinds
        p = float(chdtrc(freedom, statistic)) if freedom > 0 else float("nan")
        found.append((float(statistic) if freedom > 0 else float("nan"), max(freedom, 0), p))
    return found


def _together(many: Floats, expected: Floats) -> list[list[int]]:
    """Put neighbouring sums together until at least one right and one wrong answer is expected in each group."""
    groups: list[list[int]] = [[]]
    for place in range(len(many)):
        groups[-1].append(place)
        if _enough(groups[-1], many, expected):
            groups.append([])
    last = groups.pop()
    if last and groups:
        groups[-1] += last
    return groups


def _enough(group: Sequence[int], many: Floats, expected: Floats) -> bool:
    ups, all_ = expected[group].sum(), many[group].sum()
    return bool(ups >= LEAST_EXPECTED and all_ - ups >= LEAST_EXPECTED)


def _sum_chances(chance: Floats, base: Floats | None = None) -> Floats:
    """Return the chance of each sum of right answers at each ability (Lord and Wingersky), sums × abilities."""
    made = np.ones((1, chance.shape[1])) if base is None else base
    for one in chance:
        longer = np.zeros((len(made) + 1, chance.shape[1]))
        longer[:-1] += made * (1 - one)
        longer[1:] += made * one
        made = longer
    return made


def _sums_without_each(chance: Floats) -> list[Floats]:
    """Return the chances of sums with each item left out: both halves in turn are added to what lies outside."""

    def without(low: int, high: int, outside: Floats) -> list[Floats]:
        if high - low == 1:
            return [outside]
        middle = (low + high) // 2
        left = without(low, middle, _sum_chances(chance[middle:high], outside))
        return left + without(middle, high, _sum_chances(chance[low:middle], outside))

    return without(0, len(chance), np.ones((1, chance.shape[1])))
