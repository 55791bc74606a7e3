"""Readings: what probability people take from the words of the Kent chart; collected, not scored as right or wrong."""

from collections.abc import Generator, Mapping
from typing import Any

import numpy as np

from mensura.catalog.forecasting.use.kent import kent_chart
from mensura.dialogue import Ask, Items, Outcome, Probability, Record, Score, Scores, test

SCORES = (
    Score("reading", better=None, low=0, high=1),
    # Who reads a phrase otherwise than the chart means it is not wrong: how phrases are read is what is collected.
    Score("outside_chart", better=None, proportion=True),
)
WHO, WHAT = "the dam at Arcot will", "be finished by the end of next year"


def score_readings(record: Record, truths: Mapping[str, Any]) -> Scores:
    """Give every reading by its phrase, and whether it lies outside the range that the chart means."""
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
    """Say what readings drawn evenly from 0 to 1 give."""
    phrases = kent_chart().phrases
    return {"reading": 0.5, "outside_chart": 1 - sum(one.high - one.low for one in phrases) / len(phrases)}


@test("phrase-readings-v1", score=score_readings, scores=SCORES, chance=chance_levels)
def phrase_readings(rng: np.random.Generator) -> Generator[Ask, Any, Outcome]:
    """Say which probability you take from phrases such as "it is probable that"."""
    phrases = kent_chart().phrases
    yield Ask(
        "You will read what somebody else wrote in a report. Say for each sentence which probability you take from it. "
        "There is no right answer: we want to know how words are read."
    )
    for place in rng.permutation(len(phrases)):
        words = phrases[int(place)].words
        sentence = f"{words.replace('...', WHO)} {WHAT}" if "..." in words else f"{words} {WHO} {WHAT}"
        yield Ask(f"*{sentence}.*", Probability(), key=words)
    return Outcome("Thank you. Everyone's readings together show how far words can be relied upon.")
