"""Scoring of phrase readings: every reading, and whether it lies outside the range that the chart means."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mensura.catalog.forecasting.phrase_readings.kent import kent_chart
from mensura.dialogue import Items, Record, Score, Scores

SCORES = (
    Score("reading", better=None, low=0, high=1),
    # Reading a phrase otherwise than the chart means it is not wrong: how phrases are read is what is collected.
    Score("outside_chart", better=None, proportion=True),
)


def score(record: Record, truths: Mapping[str, Any]) -> Scores:
    """Return every reading by its phrase, and whether it lies outside the range that the chart means."""
    chart = kent_chart()
    keys = [answer.key for answer in record.answers]
    readings = np.array([float(answer.value) if answer.status == "answered" else np.nan for answer in record.answers])
    outside = np.full(len(keys), np.nan)
    for i, (key, value) in enumerate(zip(keys, readings.tolist(), strict=True)):
        meant = chart.find(key)
        if meant is not None and value == value:
            outside[i] = float(chart.phrase(value) != meant)
    return Scores({"reading": Items(readings, keys), "outside_chart": Items(outside, keys)})


def chance_levels(**parameters: Any) -> Mapping[str, float]:
    """Return what readings drawn evenly from 0 to 1 give."""
    phrases = kent_chart().phrases
    return {"reading": 0.5, "outside_chart": 1 - sum(one.high - one.low for one in phrases) / len(phrases)}
