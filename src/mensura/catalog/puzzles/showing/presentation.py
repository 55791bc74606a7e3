"""Presentation: how a puzzle looks, chosen apart from what it is."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np

from mensura.errors import BadParameter, unknown

PLAIN, MIXED = "plain", "mixed"
AXES = ("form", "symbols", "layout", "direction", "base", "wording")
PresentationName = Annotated[
    str,
    "How puzzles look: plain, mixed (drawn by chance), or axes by name, such as form=pixels,base=8 (the axes are "
    f"{', '.join(AXES)}).",
]


@dataclass(frozen=True)
class Presentation:
    """One value for each axis of presentation that a kind has; what is not named is plain."""

    chosen: Mapping[str, str] = field(default_factory=dict)

    def of(self, axis: str, plain: str = "plain") -> str:
        """Return what was chosen on an axis."""
        return self.chosen.get(axis, plain)

    def as_json(self) -> dict[str, str]:
        """Return it by axis, in one order."""
        return {axis: self.chosen[axis] for axis in AXES if axis in self.chosen}


def choose(axes: Mapping[str, tuple[str, ...]], wanted: str, rng: np.random.Generator) -> Presentation:
    """Choose a presentation: `plain`, `mixed` (every axis drawn), or axes by name, as in `form=pixels,base=8`.

    Raises
    ------
    BadParameter
        If it is no presentation.
    """
    if wanted == MIXED:
        return Presentation({axis: values[int(rng.integers(len(values)))] for axis, values in axes.items()})
    return named(axes, wanted)


def named(axes: Mapping[str, tuple[str, ...]], wanted: str) -> Presentation:
    """Return the presentation that a text names: `plain`, or axes with their values.

    A kind that lacks an axis or a value stays plain on it: several kinds are asked for by one text.
    """
    chosen = {axis: values[0] for axis, values in axes.items()}
    found = {} if wanted == PLAIN else read_axes(wanted)
    return Presentation(chosen | {axis: value for axis, value in found.items() if value in axes.get(axis, ())})


def read_axes(wanted: str) -> dict[str, str]:
    """Read axes by name, `form=pixels,base=8`."""
    found: dict[str, str] = {}
    for part in wanted.split(","):
        axis, said, value = part.partition("=")
        if not said:
            raise BadParameter(f"A presentation is plain, mixed or axes such as form=pixels; got {part!r}.")
        if axis not in AXES:
            raise unknown("axis of presentation", axis, known=AXES, see=f"There are {', '.join(AXES)}.")
        found[axis] = value
    return found
