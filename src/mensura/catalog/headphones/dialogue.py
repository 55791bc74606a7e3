"""The headphone check: find the quietest of three tones, which loudspeakers make hard."""

from collections.abc import Generator
from typing import Annotated, Any

import numpy as np

from mensura.catalog.headphones.scoring import SCORES, chance_levels, score
from mensura.catalog.headphones.tone import sequence
from mensura.dialogue import Ask, Audio, Between, Choice, test
from mensura.phrase import phrase

PLACES = ("1", "2", "3")
WHICH = Choice(PLACES)
KINDS = ("quiet", "loud", "turned")
INSTRUCTIONS = phrase("Please put on headphones. Play the three tones, as often as you like; one of them is quieter.")
QUESTION = phrase("Which tone was the quietest?")


def count_trials(*, trials: int) -> int:
    """Return how many questions there are."""
    return trials


@test("headphones-v1", score=score, scores=SCORES, chance=chance_levels, questions=count_trials)
def headphones(
    rng: np.random.Generator,
    *,
    trials: Annotated[int, "How many times three tones are played, 1 or more.", Between(1)] = 6,
) -> Generator[Ask, Any, None]:
    """Find the quietest of three tones, which is easy with headphones only."""
    yield Ask(INSTRUCTIONS)
    for trial in range(trials):
        kinds = [KINDS[place] for place in rng.permutation(3)]
        tones = Audio(sequence(kinds, rng), "Three tones, to be heard with headphones.", media_type="audio/wav")
        yield Ask([tones, QUESTION], WHICH, key=f"trial{trial + 1}", truth=PLACES[kinds.index("quiet")])
