"""Correction: what would have been said had the forecaster been realistic. It is feedback, never a replacement."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mensura.errors import BadParameter
from mensura.scores.alternatives import Floats
from mensura.track_record.calibration.realism import Realism
from mensura.track_record.calibration.sheet import Sheet

FLOOR = 0.01


@dataclass(frozen=True)
class Corrected:
    """A sheet after correction, beside how many of its probabilities the floor had to hold."""

    sheet: Sheet
    clipped: int


def correct(sheet: Sheet, line: Realism, *, floor: float = FLOOR) -> Corrected:
    """Put every stated probability on the realism line, clip to [floor, 1 − floor] and let them sum to one again.

    With all alternatives stated the line keeps sums (a + n·b = 1) but its values can leave [0, 1], hence the floor.
    Where the line is unknown the sheet comes back as it is.

    >>> sheet = Sheet.binary([0.9, 0.1], [1, 1])
    >>> correct(sheet, Realism(0.5, 0.2, 0, 0, 2, 2, 0.5)).sheet.points().stated
    array([0.65, 0.25])
    """
    if not 0 < floor < 0.5:
        raise BadParameter(f"The floor of corrected probabilities lies strictly between 0 and 0.5; got {floor:g}.")
    if np.isnan(line.a):
        return Corrected(sheet, 0)
    return put_on(sheet, line.line, floor=floor)


def put_on(sheet: Sheet, curve: Callable[[Floats], Floats], *, floor: float) -> Corrected:
    """Put every stated probability on a curve, clip it, and let those of a question sum to one again."""
    new, clipped = [], 0
    for block in sheet:
        raw = curve(block.probabilities[:, :1] if sheet.one_sided else block.probabilities)
        held = np.clip(raw, floor, 1 - floor)
        clipped += int((held != raw).sum())
        whole = np.concatenate([held, 1 - held], axis=1) if sheet.one_sided else held / held.sum(axis=1, keepdims=True)
        new.append(whole)
    return Corrected(sheet.with_probabilities(new), clipped)
