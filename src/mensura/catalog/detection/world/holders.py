"""Who in a team sees to an asset: someone who has it from the start, else the member it is shared out to."""

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.detection.world.exploitation import Exploitations
from mensura.catalog.detection.world.means import Integers, Means
from mensura.catalog.detection.world.society import Population


class Holders:
    """Holder of every asset that an exploitation needs; always the same one within an exploitation.

    Rows go by exploitation and, within it, by the place of the asset among the needs of its mode.
    """

    def __init__(self, means: Means, society: Population, exploitations: Exploitations) -> None:
        self._mode = exploitations.mode
        needs = np.array([len(need) for need in means.needs])
        self._place = np.full((len(means.needs), means.assets), -1)
        for mode, need in enumerate(means.needs):
            self._place[mode, need] = np.arange(len(need))
        counts = needs[exploitations.mode]
        self._start = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
        event = np.repeat(np.arange(len(exploitations)), counts)
        within = np.arange(len(event)) - self._start[event]
        first = np.concatenate(([0], np.cumsum(needs)))[exploitations.mode[event]]
        asset = np.concatenate(means.needs)[first + within]
        self._holder, self._held = _search(society, exploitations, means.assets, event, asset)

    def of(self, event: Integers, asset: Integers) -> Integers:
        """Return the persons who see to the assets in these exploitations."""
        return self._holder[self._rows(event, asset)]

    def held(self, event: Integers, asset: Integers) -> NDArray[np.bool_]:
        """Return where the holder has the asset from the start."""
        return self._held[self._rows(event, asset)]

    def _rows(self, event: Integers, asset: Integers) -> Integers:
        rows: Integers = self._start[event] + self._place[self._mode[event], asset]
        return rows


def _search(
    society: Population, exploitations: Exploitations, assets: int, event: Integers, asset: Integers
) -> tuple[Integers, NDArray[np.bool_]]:
    has = np.zeros((society.persons, assets), np.bool_)
    has[society.holdings[:, 0], society.holdings[:, 1]] = True
    start = exploitations.team_start[event]
    team = np.diff(exploitations.team_start)[event]
    usual = (asset * 7 + event) % team
    holder = exploitations.member[start + usual]
    held = has[holder, asset]
    for step in range(1, int(team.max(initial=1))):
        other = exploitations.member[start + (usual + step) % team]
        better = ~held & has[other, asset]
        holder = np.where(better, other, holder)
        held |= better
    return holder, held
