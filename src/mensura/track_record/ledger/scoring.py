"""Scores of a resolved question: each forecaster's average over the time from opening to deadline."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mensura.scores.alternatives import Floats
from mensura.scores.rule import rule
from mensura.track_record.ledger.life import Life
from mensura.track_record.over_time.standing import Forecasts
from mensura.track_record.quantities.forecast import Densities, of_bins


@dataclass(frozen=True)
class ForecasterScore:
    """The score of one forecaster on one question by one rule, and the share of time covered."""

    forecaster: str
    rule: str
    value: float
    """NaN where there was no forecast before the truth was known."""
    coverage: float


def score_question(life: Life, *, floor: float) -> list[ForecasterScore]:
    """Score every forecaster of a resolved question by every rule.

    Alternatives are paid by the logarithm (with a floor) and the quadratic rule. A quantity is paid by their forms for
    densities over the range of its bins, where a flat density earns 0, and measured by the CRPS in its own unit.
    """
    if life.state != "resolved" or life.opened is None or life.resolved is None:
        return []
    scored = []
    for forecaster in dict.fromkeys(event.who for event in life.forecasts):
        own = [event for event in life.forecasts if event.who == forecaster and event.at <= life.resolved]
        if own:
            scored += _score_one(life, forecaster, own, floor)
    return scored


def _score_one(life: Life, forecaster: str, own: list[Any], floor: float) -> list[ForecasterScore]:
    probabilities = np.array([event.content["probabilities"] for event in own], dtype=float)
    times = np.array([event.at for event in own], dtype=float)
    count = len(own)
    same = np.zeros(count, dtype=np.int64)
    ends = (np.full(count, each) for each in (life.opened, life.resolved, life.question.deadline))
    standing = Forecasts(probabilities, same, same, times, *ends)
    shares, coverage = standing.shares(), float(standing.coverage()[0])
    results = []
    for name, values in _values(life, probabilities, floor).items():
        stood = shares > 0
        value = float(values[stood] @ shares[stood]) if stood.any() else float("nan")
        results.append(ForecasterScore(forecaster, name, value, coverage))
    return results


def _values(life: Life, probabilities: Floats, floor: float) -> dict[str, Floats]:
    question = life.question
    if question.kind == "alternatives":
        outcome = np.full(len(probabilities), question.options.index(life.outcome), dtype=float)
        rules = {"log": rule("log", floor=floor), "quadratic": rule("quadratic")}
        return {name: each.score(forecast=probabilities, outcome=outcome) for name, each in rules.items()}
    told = of_bins(question.edges, probabilities, outcome=float(life.outcome))
    losses = told.losses(densities=Densities(floor=floor))
    values = {"log": losses["logarithmic_score"], "quadratic": losses["quadratic_score"]}
    return values | {"crps": -losses["crps_loss"] * told.scale}
