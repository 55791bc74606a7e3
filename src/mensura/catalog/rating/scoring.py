"""Scoring of ratings: from the answers of a rater to one value per artefact and item."""

from collections.abc import Mapping
from math import nan
from typing import Any

from mensura.catalog.rating.rubric import Rubric, RubricItem
from mensura.dialogue import Items, Record, Score


def scores(*, rubric: Mapping[str, Any], **others: Any) -> tuple[Score, ...]:
    """Declare one score per item of the rubric, and the whole; they judge artefacts, so none makes a rater better."""
    items = Rubric.read(rubric).items
    by_item = (Score(item.key, better=None, low=item.bounds[0], high=item.bounds[1]) for item in items)
    return (*by_item, Score("score", better=None, low=0, high=1))


def ratings_of(record: Record) -> dict[str, dict[str, float]]:
    """Give code → item → value for what a rater has rated so far; what is not yet settled is left out."""
    rubric = Rubric.read(record.parameters["rubric"])
    given = record.given()
    found: dict[str, dict[str, float]] = {}
    for artefact in record.parameters["artefacts"]:
        code = artefact["code"]
        asked = [item for item in rubric.items if item.key in artefact.get("items", [item.key])]
        values = {item.key: _value(item, f"{code}/{item.key}", given) for item in asked}
        found[code] = {key: value for key, value in values.items() if value is not None}
    return found


def comments_of(record: Record) -> dict[str, str]:
    """Give what a rater added in words, by code."""
    given = record.given()
    codes = [artefact["code"] for artefact in record.parameters["artefacts"]]
    words = {code: str(given.get(f"{code}/comment", "")).strip() for code in codes}
    return {code: said for code, said in words.items() if said}


def score_rating(record: Record, truths: Mapping[str, Any]) -> dict[str, Items]:
    """Give each item of the rubric as one value per artefact, and the weighted score from 0 to 1."""
    rubric = Rubric.read(record.parameters["rubric"])
    ratings = ratings_of(record)
    codes = list(ratings)
    by_item = {item.key: Items([ratings[code].get(item.key, nan) for code in codes], codes) for item in rubric.items}
    return {**by_item, "score": Items([rubric.score(ratings[code]) for code in codes], codes)}


def _value(item: RubricItem, key: str, given: Mapping[str, Any]) -> float | None:
    if not item.pick:
        return item.scale.value(given[key]) if key in given else None
    ratings = []
    for number in range(1, item.pick + 1):
        passage = given.get(f"{key}/{number}/passage")
        if passage is None:
            return None
        if not passage.strip():
            break
        if f"{key}/{number}" not in given:
            return None
        ratings.append(item.scale.value(given[f"{key}/{number}"]))
    return item.picked(ratings)
