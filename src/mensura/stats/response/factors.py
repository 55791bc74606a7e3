"""Factors: what several scores of the same persons have in common, with intervals of the loadings."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from mensura.errors import BadData
from mensura.stats.estimate import Estimate
from mensura.stats.finding import Finding
from mensura.stats.intervals.sample import Floats, table
from mensura.stats.wording import listed, several

DRAWS = 200
LEAST_PERSONS = 30
SALIENT = 0.3
Rotation = Literal["oblimin", "varimax"]


@dataclass(frozen=True)
class FactorAnalysis(Finding):
    """Loadings of scores on common factors."""

    scores: tuple[str, ...]
    loadings: tuple[tuple[Estimate, ...], ...]
    """Scores × factors, each with a bootstrap interval over persons."""
    correlations: tuple[tuple[float, ...], ...]
    """Between the factors."""
    uniquenesses: tuple[float, ...]
    eigenvalues: tuple[float, ...]
    by_chance: tuple[float, ...]
    """95th percentile of each eigenvalue where scores have nothing in common."""
    persons: int
    dropped: int
    rotation: Rotation

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        factors = len(self.correlations)
        out = f", {several(self.dropped, 'person')} with missing scores left out" if self.dropped else ""
        who = f"{len(self.scores)} scores of {several(self.persons, 'person')}{out}"
        if not factors:
            return f"No common factor: {who} have no more in common than chance gives."
        said = []
        for place in range(factors):
            held = [
                name
                for name, row in zip(self.scores, self.loadings, strict=True)
                if abs(row[place].value) >= SALIENT and row[place].excludes(0)
            ]
            said.append(f"factor {place + 1} with {listed(held) if held else 'no score for certain'}")
        return f"{several(factors, 'common factor')} in {who} (minimal residuals, {self.rotation}): {'; '.join(said)}."


def factor_analysis(
    scores: ArrayLike,
    *,
    names: Sequence[str],
    rng: np.random.Generator,
    factors: int | None = None,
    rotation: Rotation = "oblimin",
    draws: int = DRAWS,
) -> FactorAnalysis:
    """Find common factors of scores by minimal residuals (Harman and Jones 1966).

    The number of factors is that of Horn's parallel analysis: eigenvalues of the correlations that exceed the 95th
    percentile of those of the same scores shuffled among persons. Intervals of loadings are percentiles over persons
    drawn with replacement, each solution turned to match the first.

    Parameters
    ----------
    scores : array_like
        Persons × scores; persons with a missing score are left out and counted.
    names : sequence of str
        What the scores are called.
    rng : numpy.random.Generator
        Shuffles and draws.
    factors : int, optional
        How many; by parallel analysis where it is not said.
    rotation : {"oblimin", "varimax"}
        Factors that may correlate, or may not.
    draws : int
        How often persons are drawn.
    """
    everything = table(scores, name="scores", rows="persons", columns="scores")
    known = everything[~np.isnan(everything).any(axis=1)]
    _check(known, names)
    eigenvalues, chance = parallel_analysis(known, rng=rng, draws=draws)
    many = _leading(eigenvalues > chance) if factors is None else factors
    if not 0 <= many <= (len(names) - 1) // 2:
        raise BadData(f"{len(names)} scores allow at most {(len(names) - 1) // 2} factors; asked for {many}.")
    loadings, between, unique = _solution(_correlation(known), many, rotation)
    drawn = np.stack([_again(known, loadings, rotation, rng) for _ in range(draws)]) if many else np.empty((0, 0, 0))
    return FactorAnalysis(
        scores=tuple(map(str, names)),
        loadings=tuple(
            _row(loadings[place], drawn[:, place], len(known)) for place in range(len(names) if many else 0)
        ),
        correlations=tuple(map(tuple, between.tolist())),
        uniquenesses=tuple(unique.tolist()),
        eigenvalues=tuple(eigenvalues.tolist()),
        by_chance=tuple(chance.tolist()),
        persons=len(known),
        dropped=len(everything) - len(known),
        rotation=rotation,
    )


def parallel_analysis(known: Floats, *, rng: np.random.Generator, draws: int = DRAWS) -> tuple[Floats, Floats]:
    """Return the eigenvalues of the correlations, and the 95th percentiles of those of shuffled scores."""
    shuffled = [np.linalg.eigvalsh(_correlation(rng.permuted(known, axis=0)))[::-1] for _ in range(draws)]
    return np.asarray(np.linalg.eigvalsh(_correlation(known))[::-1], float), np.percentile(shuffled, 95, axis=0)


def _correlation(known: Floats) -> Floats:
    return np.asarray(np.corrcoef(known.T), dtype=float)


def _check(known: Floats, names: Sequence[str]) -> None:
    if known.shape[1] != len(names):
        raise BadData(f"There are {known.shape[1]} scores and {len(names)} names.")
    if len(names) < 3 or len(known) < max(LEAST_PERSONS, 2 * len(names)):
        raise BadData(
            f"Factor analysis needs 3 scores, and {LEAST_PERSONS} persons and twice as many as scores who have all; "
            f"there are {len(names)} scores and {several(len(known), 'such person')}."
        )
    if constant := [name for name, column in zip(names, known.T, strict=True) if np.ptp(column) == 0]:
        raise BadData(f"Constant scores correlate with nothing: everybody has the same {listed(list(constant))}.")


def _leading(above: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> int:
    return int(np.argmin(above)) if not above.all() else len(above) // 2


def _solution(correlation: Floats, many: int, rotation: Rotation) -> tuple[Floats, Floats, Floats]:
    """Return rotated loadings, the correlations of factors, and uniquenesses."""
    if not many:
        return np.zeros((len(correlation), 0)), np.zeros((0, 0)), np.ones(len(correlation))
    loadings = minimal_residuals(correlation, many)
    between = np.eye(many)
    if many > 1:
        loadings, between = _varimax(loadings) if rotation == "varimax" else _oblimin(loadings)
    order = np.argsort(-(loadings**2).sum(axis=0), kind="stable")
    signs = np.where(loadings.sum(axis=0) < 0, -1.0, 1.0)
    loadings, between = (loadings * signs)[:, order], (between * np.outer(signs, signs))[np.ix_(order, order)]
    return loadings, between, 1 - np.einsum("if,fg,ig->i", loadings, between, loadings)


def minimal_residuals(correlation: Floats, many: int) -> Floats:
    """Return loadings that leave the least squares of correlations unexplained, off the diagonal."""
    from scipy.optimize import minimize

    def loadings_at(unique: Floats) -> Floats:
        values, vectors = np.linalg.eigh(correlation - np.diag(unique))
        return np.asarray(vectors[:, -many:] * np.sqrt(np.maximum(values[-many:], 0)))

    def loss(unique: Floats) -> tuple[float, Floats]:
        loadings = loadings_at(unique)
        rest = correlation - loadings @ loadings.T
        apart = np.diag(rest) - unique
        # At loadings of best fit for these uniquenesses only the diagonal depends on them.
        return float(((rest - np.diag(np.diag(rest))) ** 2).sum() + (apart**2).sum()), -2 * apart

    start = 1 / np.diag(np.linalg.pinv(correlation))
    found = minimize(
        loss,
        np.clip(start, 0.005, 0.995),
        jac=True,
        bounds=[(0.005, 1.0)] * len(start),
        method="L-BFGS-B",
        options={"maxiter": 1000, "ftol": 1e-12, "gtol": 1e-7},
    )
    return loadings_at(found.x)


def _varimax(loadings: Floats) -> tuple[Floats, Floats]:
    """Rotate to Kaiser's varimax of evenly scaled rows, pair of factors by pair: the best angle of a pair is known."""
    scale = np.maximum(np.sqrt((loadings**2).sum(axis=1, keepdims=True)), 1e-12)
    turned = loadings / scale
    many = turned.shape[1]
    for _ in range(500):
        largest = 0.0
        for one in range(many - 1):
            for other in range(one + 1, many):
                x, y = turned[:, one].copy(), turned[:, other].copy()
                u, v = x**2 - y**2, 2 * x * y
                up = 2 * (len(x) * (u * v).sum() - u.sum() * v.sum())
                angle = np.arctan2(up, len(x) * (u**2 - v**2).sum() - (u.sum() ** 2 - v.sum() ** 2)) / 4
                turned[:, one] = x * np.cos(angle) + y * np.sin(angle)
                turned[:, other] = y * np.cos(angle) - x * np.sin(angle)
                largest = max(largest, abs(angle))
        if largest < 1e-9:
            break
    return turned * scale, np.eye(many)


def _oblimin(loadings: Floats) -> tuple[Floats, Floats]:
    """Rotate by gradient projection to the least quartimin (Jennrich 2002), from where varimax leads."""
    many = loadings.shape[1]
    others = 1 - np.eye(many)
    start, _ = _varimax(loadings)

    def loss(turn: Floats) -> tuple[float, Floats, Floats]:
        pattern = start @ np.linalg.inv(turn).T
        squares = pattern**2
        slope = -(pattern.T @ (pattern * (squares @ others)) @ np.linalg.inv(turn)).T
        return float((squares * (squares @ others)).sum() / 4), slope, pattern

    turn, step = np.eye(many), 1.0
    value, slope, pattern = loss(turn)
    for _ in range(1000):
        down = slope - turn * (turn * slope).sum(axis=0)
        size = float((down**2).sum())
        if size < 1e-11:
            break
        step *= 2
        for _ in range(20):
            moved = turn - step * down
            moved = moved / np.sqrt((moved**2).sum(axis=0))
            there = loss(moved)
            if value - there[0] > 0.5 * size * step:
                break
            step /= 2
        turn, (value, slope, pattern) = moved, there
    return pattern, np.asarray(turn.T @ turn)


def _again(known: Floats, target: Floats, rotation: Rotation, rng: np.random.Generator) -> Floats:
    """Return the loadings of persons drawn with replacement, factors in the order and sign of the target's."""
    from scipy.optimize import linear_sum_assignment

    drawn = known[rng.integers(len(known), size=len(known))]
    while (np.ptp(drawn, axis=0) == 0).any():
        drawn = known[rng.integers(len(known), size=len(known))]
    loadings, _, _ = _solution(_correlation(drawn), target.shape[1], rotation)
    alike = target.T @ loadings
    rows, columns = linear_sum_assignment(-np.abs(alike))
    return np.asarray(loadings[:, columns] * np.where(alike[rows, columns] < 0, -1.0, 1.0))


def _row(values: Floats, drawn: Floats, persons: int) -> tuple[Estimate, ...]:
    low, high = np.percentile(drawn, [2.5, 97.5], axis=0)
    return tuple(
        Estimate(float(value), float(least), float(most), persons, "percentile bootstrap over persons")
        for value, least, most in zip(values, low, high, strict=True)
    )
