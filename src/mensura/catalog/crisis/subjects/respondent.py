"""Respondents: simulated answers to the survey, so that its pipeline can be shown. They say nothing about any tool."""

import numpy as np

from mensura.catalog.crisis.survey.survey import PREFIX, survey
from mensura.dialogue import Ask

MIDDLE, BETWEEN, WITHIN = 3.6, 1.0, 0.9
"""Mean of the answers, how much people differ in what they feel about a category, and how much items scatter."""
SUGGESTION = "A simulated participant has no suggestion."


class Respondent:
    """Feels something about each category, and answers its items around that, the same way under every condition."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._items = {f"{PREFIX}q{place}": item for place, item in enumerate(survey().items, start=1)}
        self._feelings = {name: float(rng.normal(MIDDLE, BETWEEN)) for name in survey().categories}

    def __call__(self, ask: Ask) -> int | str:
        """Answer an item; those that speak against the software are answered the other way round."""
        item = self._items[ask.key]
        if item.scale is None:
            return SUGGESTION
        felt = self._feelings.get(item.category, MIDDLE) + float(self._rng.normal(0, WITHIN))
        answer = item.scale.turned(felt) if item.reverse else felt
        return int(np.clip(round(answer), item.scale.low, item.scale.high))
