"""What the world is made of: capabilities, resource types, modes of use, and targets that support them."""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mensura.catalog.detection.world.parameters import WorldParameters

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Means:
    """Assets are numbered capabilities first, then resource types; modes productive first, then destructive.

    `needs[m]` lists the assets of mode ``m``; `productive` and `destructive` hold one row of modes per target.
    """

    capabilities: int
    resource_types: int
    productive_modes: int
    needs: tuple[Integers, ...]
    productive: Integers
    destructive: Integers

    @property
    def assets(self) -> int:
        """How many kinds of asset there are."""
        return self.capabilities + self.resource_types

    @property
    def targets(self) -> int:
        """How many targets there are."""
        return len(self.productive)

    def asset_name(self, asset: int) -> str:
        """Name an asset as in files: C3 is a capability, R5 a resource type."""
        return f"C{asset}" if asset < self.capabilities else f"R{asset - self.capabilities}"

    def asset_names(self) -> list[str]:
        """Names of all assets in order."""
        return [self.asset_name(asset) for asset in range(self.assets)]


def make_means(parameters: WorldParameters, rng: Generator) -> Means:
    """Draw modes and targets."""
    p = parameters
    productive = [_mode(p, rng) for _ in range(p.productive_modes)]
    destructive = [_turned(p, productive[rng.integers(len(productive))], rng) for _ in range(p.destructive_modes)]
    targets = max(2, round(p.targets_per_thousand * p.individuals / 1000))
    return Means(
        capabilities=p.capabilities,
        resource_types=p.resource_types,
        productive_modes=p.productive_modes,
        needs=tuple(productive + destructive),
        productive=_supported(targets, p.productive_modes, p.productive_modes_per_target, rng),
        destructive=p.productive_modes + _supported(targets, p.destructive_modes, p.destructive_modes_per_target, rng),
    )


def _mode(p: WorldParameters, rng: Generator) -> Integers:
    capabilities = _some(p.capabilities, p.capabilities_per_mode_least, p.capabilities_per_mode_most, rng)
    resources = _some(p.resource_types, p.resources_per_mode_least, p.resources_per_mode_most, rng)
    return np.sort(np.concatenate((capabilities, p.capabilities + resources)))


def _some(kinds: int, least: int, most: int, rng: Generator) -> Integers:
    size = min(kinds, int(rng.integers(least, most + 1)))
    return rng.choice(kinds, size=size, replace=False)


def _turned(p: WorldParameters, peaceful: Integers, rng: Generator) -> Integers:
    """A destructive mode: part of a productive mode's needs, the rest new."""
    fresh = _mode(p, rng)
    kept = peaceful[rng.random(len(peaceful)) < p.mode_overlap]
    added = rng.permutation(np.setdiff1d(fresh, kept))[: max(1, len(fresh) - len(kept))]
    return np.unique(np.concatenate((kept, added)))


def _supported(targets: int, modes: int, per_target: int, rng: Generator) -> Integers:
    """Modes of every target, different ones; the first targets see to it that every mode has a target."""
    size = min(per_target, modes)
    rows = np.argsort(rng.random((targets, modes)), axis=1)[:, :size]
    for mode in range(min(modes, targets)):
        if mode not in rows[mode]:
            rows[mode, 0] = mode
    return rows.astype(np.int64)
