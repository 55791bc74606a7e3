"""Presentations: whether the same problem is harder in one presentation than in another, at the same ability."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mensura.errors import BadData
from mensura.stats.intervals.sample import Floats
from mensura.stats.response.calibration import calibrate
from mensura.stats.response.functioning import GroupFunctioning, group_functioning
from mensura.stats.response.responses import Model, ResponseMatrix, response_matrix


@dataclass(frozen=True)
class ItemLook:
    """The structure of an item, and its presentation."""

    structure: str
    presentation: str


def presentation_functioning(
    matrix: ResponseMatrix, looks: Sequence[ItemLook | None], *, model: Model
) -> dict[str, GroupFunctioning | str]:
    """Compare each presentation with the most frequent one, problem by problem, at the same ability.

    A problem in two presentations is one item, and one who answered in both is a row in either group: the groups of
    the test for differential functioning are presentations instead of persons. What a presentation does to all problems
    alike is the difference of the groups' `means`; items that differ do so beyond it.

    Returns
    -------
    dict
        By the name of the presentation what was found, or why nothing can be said; empty where no problem was asked in
        two presentations.
    """
    counts = Counter(look.presentation for look in looks if look is not None)
    # Of equally frequent ones the first that a bank holds.
    usual = max(counts, key=counts.__getitem__, default="")
    placed: dict[str, dict[str, int]] = {one: {} for one in sorted(counts)}
    for place, look in enumerate(looks):
        if look is not None:
            placed[look.presentation].setdefault(look.structure, place)
    found = {}
    for one, places in placed.items():
        shared = [structure for structure in places if structure in placed[usual]]
        if shared and one != usual:
            parts = [matrix.right[:, [placed[side][structure] for structure in shared]] for side in (usual, one)]
            found[one] = _compared(parts, shared, (usual, one), model)
    return found


def _compared(
    parts: Sequence[Floats], problems: Sequence[str], names: tuple[str, str], model: Model
) -> GroupFunctioning | str:
    answered = [part[~np.isnan(part).all(axis=1)] for part in parts]
    both = response_matrix(np.vstack(answered), items=problems)
    try:
        return group_functioning(both, calibrate(both, model=model), first=range(len(answered[0])), names=names)
    except BadData as error:
        return str(error)
