"""Scoring of the display size: from the width of a card on the screen to pixels for each millimetre."""

from collections.abc import Mapping
from math import nan
from typing import Any

from mensura.dialogue import Record, Score

SHORT_SIDE_MM = 53.98
LEAST, MOST = 100, 600
"""Pixels; wider than any card on a screen that people use."""
SCORES = (
    Score(
        "pixels_per_mm",
        better=None,
        low=LEAST / SHORT_SIDE_MM,
        high=MOST / SHORT_SIDE_MM,
        unit="pixels per mm",
        label="Pixels per millimetre",
    ),
)


def score(record: Record, truths: Mapping[str, Any]) -> dict[str, float]:
    """Return how many pixels make a millimetre; unknown where the card was not fitted."""
    return {"pixels_per_mm": record.given().get("width", nan) / SHORT_SIDE_MM}
