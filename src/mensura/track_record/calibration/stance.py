"""Stance: what game a forecaster plays, seen from the stakes he chose."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from mensura.stats import proportion_estimate
from mensura.track_record.calibration.correction import correct
from mensura.track_record.calibration.loss import mean_information
from mensura.track_record.calibration.realism import Realism, fit_realism
from mensura.track_record.calibration.sheet import Sheet
from mensura.track_record.calibration.verdict import SLOPE_BELOW_ONE, judge

Game = Literal["none seen", "possible gain", "Caesar or nothing", "loss avoidance"]

SURE = 0.98
FEWEST = 20


@dataclass(frozen=True)
class Stance:
    """The game a forecaster seems to play instead of maximising expected score, and what shows it."""

    game: Game
    words: str


def read_stance(sheet: Sheet, line: Realism | None = None) -> Stance:
    """Return which private game the answers fit, if any.

    - *possible gain*: nearly every answer is certain, and certain answers fail too often
    - *Caesar or nothing*: stakes far beyond the information; more is claimed to be known than twice what is
    - *loss avoidance*: stakes so small that nothing much can be lost, although much more is known

    None is named unless the slope of the realism function differs from one by more than chance explains.

    References
    ----------
    .. [1] Brown and Shuford (1973), RAND R-1185, pp. 40-41.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> true = rng.uniform(0.2, 0.8, 200)
    >>> read_stance(Sheet.binary(np.round(true), rng.random(200) < true)).game
    'possible gain'
    """
    line = line or fit_realism(sheet)
    largest, right, alternatives = _favourites(sheet)
    sure = largest >= SURE
    if len(largest) < FEWEST:
        return Stance("none seen", f"{len(largest)} answers are too few to see a game in them.")
    bias = judge(line).bias
    # Median distance of the largest probability from ignorance, as a share of what is possible.
    stake = float(np.median((largest - 1 / alternatives) / (1 - 1 / alternatives)))
    perceived = mean_information(sheet)
    actual = mean_information(correct(sheet, line).sheet)
    certain = float(sure.mean())
    if certain > 0.8 and (kept := proportion_estimate(int(right[sure].sum()), n=int(sure.sum()))).high < SURE:
        words = f"{100 * certain:.0f} % of the answers are certain and {100 * kept.value:.0f} % of those came true"
        return Stance("possible gain", f"Plays for the largest possible gain: {words}.")
    if bias in SLOPE_BELOW_ONE and actual < perceived / 2:
        words = f"claims {perceived:.2f} nats per question where {actual:.2f} are there"
        return Stance("Caesar or nothing", f"Runs risks as if only the first place paid: {words}.")
    if bias == "undervalues" and stake < 0.25 and actual > 2 * perceived:
        words = f"stakes {100 * stake:.0f} % of what could be staked and knows {actual:.2f} nats, not {perceived:.2f}"
        return Stance("loss avoidance", f"Avoids every loss: {words}.")
    return Stance("none seen", "No private game is seen in the stakes.")


def _favourites(sheet: Sheet) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the largest probability of each answer, whether its alternative happened, and how many there were."""
    largest, right, alternatives = [], [], []
    for block in sheet:
        largest.append(block.probabilities.max(axis=1))
        right.append(block.probabilities.argmax(axis=1) == block.outcomes)
        alternatives.append(np.full(len(block.outcomes), float(block.probabilities.shape[1])))
    return np.concatenate(largest), np.concatenate(right), np.concatenate(alternatives)
