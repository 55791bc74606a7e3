"""Box plots: how close texts were said to be, a box for each level or language, one picture for each subject."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from mensura.exhibit import COLOURS, Figure

Told = Mapping[str, Mapping[str, Sequence[float]]]
"""Who said it → level → how close."""


def box_figure(told: Told, *, levels: Sequence[str], axis: str, about: str) -> Figure:
    """Return a picture with a row for each subject and a box for each level, and what it shows in words."""
    said = "; ".join(
        f"{who}: "
        + ", ".join(f"{level} {np.median(known[level]):.2f}" for level in levels if len(known.get(level, ())))
        for who, known in told.items()
    )
    return Figure(partial(_chart, told, levels, axis), f"{about} Medians: {said}.")


def _chart(told: Told, levels: Sequence[str], axis: str) -> Any:
    import altair

    rows = [
        {"who": who, "level": level, "closeness": float(value)}
        for who, known in told.items()
        for level in levels
        for value in known.get(level, ())
    ]
    base = altair.Chart(altair.InlineData(rows)).encode(
        x=altair.X("level:N", sort=list(levels), title=axis, axis=altair.Axis(labelAngle=-30)),
        y=altair.Y("closeness:Q", title="closeness", scale=altair.Scale(domain=[0, 1])),
    )
    boxes = base.mark_boxplot(size=26, color=COLOURS[0], median={"color": "#ffffff"}, outliers={"size": 14})
    size = max(150, 46 * len(levels))
    return boxes.properties(width=size, height=170).facet(
        altair.Facet("who:N", sort=list(told), title=None), columns=max(1, 660 // (size + 40))
    )
