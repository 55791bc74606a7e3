"""Adapting: which puzzle of a calibrated bank is asked next, until the ability is known well enough."""

from collections.abc import Generator, Sequence

import numpy as np

from mensura.catalog.puzzles.files.line import PuzzleLine
from mensura.errors import BadParameter

Turns = Generator[PuzzleLine, bool | None, None]
"""Gives the next puzzle, and is sent whether the one before was answered rightly; None where it was not answered."""


def in_order(lines: Sequence[PuzzleLine]) -> Turns:
    """Yield all puzzles one after the other."""
    for line in lines:  # noqa: UP028
        yield line


def adapted(lines: Sequence[PuzzleLine], *, most: int, precision: float, rng: np.random.Generator) -> Turns:
    """Yield the puzzle that tells most about the ability, until its standard deviation is at most `precision`."""
    calibrated = [line for line in lines if line.calibration]
    if not calibrated:
        raise BadParameter(
            "An adaptive test needs puzzles whose difficulty was measured: mensura calibrate RUN -o bank.jsonl, then "
            "--adaptive --bank bank.jsonl. None of these puzzles is calibrated."
        )
    from mensura.stats.response.adaptive import Adaptive
    from mensura.stats.response.curves import Curves, ItemCurve

    test = Adaptive.begin(Curves.of(ItemCurve.read(line.calibration or {}) for line in calibrated), precision=precision)
    while len(test.asked) < (most or len(calibrated)) and (place := test.choose(rng)) is not None:
        right = yield calibrated[place]
        test = test.answered(place, right=bool(right))
