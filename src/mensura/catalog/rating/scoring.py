"""Scoring of ratings: from the answers of a rater to one value per artefact and item."""

from collections.abc import Mapping
from math import nan
from typing import Any

from mensura.dialogue import Items, Record, Score
from mensura.survey.ratings import ratings_of
from mensura.survey.rubric import Rubric


def scores(*, rubric: Mapping[str, Any], **others: Any) -> tuple[Score, ...]:
    """Declare one score per item of the rubric, and the whole; they judge artefacts, so none makes a rater better."""
    items = Rubric.read(rubric).items
    by_item = (Score(item.key, better=None, low=item.bounds[0], high=item.bounds[1]) for item in items)
    return (*by_item, Score("score", better=None, low=0, high=1))


def score_rating(record: Record, truths: Mapping[str, Any]) -> dict[str, Items]:
    """Return each item of the rubric as one value per artefact, and the weighted score from 0 to 1."""
    rubric = Rubric.read(record.parameters["rubric"])
    ratings = ratings_of(record)
    codes = list(ratings)
    by_item = {item.key: Items([ratings[code].get(item.key, nan) for code in codes], codes) for item in rubric.items}
    return {**by_item, "score": Items([rubric.score(ratings[code]) for code in codes], codes)}
