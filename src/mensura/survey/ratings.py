"""Ratings: one value per artefact and item of a rubric, from the answers of a rater."""

from collections.abc import Mapping
from typing import Any

from mensura.dialogue import Record, unfolded
from mensura.survey.rubric import Rubric, RubricItem


def ratings_of(record: Record) -> dict[str, dict[str, float]]:
    """Return code → item → value for what a rater has rated so far; what is not yet settled is left out."""
    rubric = Rubric.read(record.parameters["rubric"])
    given = _given(record)
    found: dict[str, dict[str, float]] = {}
    for artefact in record.parameters["artefacts"]:
        code = artefact["code"]
        if artefact.get("kind") == "erased":
            continue
        asked = [item for item in rubric.items if item.key in artefact.get("items", [item.key])]
        values = {item.key: _value(item, f"{code}/{item.key}", given) for item in asked}
        found[code] = {key: value for key, value in values.items() if value is not None}
    return found


def comments_of(record: Record) -> dict[str, str]:
    """Return what a rater added in words, by code."""
    given = _given(record)
    codes = [artefact["code"] for artefact in record.parameters["artefacts"]]
    words = {code: str(given.get(f"{code}/comment", "")).strip() for code in codes}
    return {code: said for code, said in words.items() if said}


def _given(record: Record) -> dict[str, Any]:
    """Return the answers by key, those that were given on one page apart."""
    found: dict[str, Any] = {}
    for key, value in record.given().items():
        found |= dict(unfolded({key: value}, prefix=f"{key.rpartition('/')[0]}/"))
    return found


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
