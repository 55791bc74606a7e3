"""Phrase readings: what probability people take from the words of the Kent chart; no reading is right or wrong."""

from collections.abc import Generator
from typing import Any

import numpy as np

from mensura.catalog.forecasting.phrase_readings.exhibits import reading_exhibits
from mensura.catalog.forecasting.phrase_readings.kent import kent_chart
from mensura.catalog.forecasting.phrase_readings.scoring import SCORES, chance_levels, score
from mensura.dialogue import Ask, Outcome, Probability, test

WHO, WHAT = "the dam at Arcot will", "be finished by the end of next year"


@test("phrase-readings-v1", score=score, scores=SCORES, scoring="2", chance=chance_levels, exhibits=reading_exhibits)
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
