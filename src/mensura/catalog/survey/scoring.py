"""Scoring of surveys: means of categories with reversed items turned, differences, and open answers as they are."""

from collections.abc import Callable, Mapping
from typing import Any

from mensura.catalog.survey.questionnaire import Questionnaire
from mensura.dialogue import Items, Record, Scores


def survey_scoring(survey: Questionnaire) -> Callable[[Record, Mapping[str, Any]], Scores]:
    """Give the scoring of a survey."""

    def score(record: Record, truths: Mapping[str, Any]) -> Scores:
        return score_survey(survey, record)

    return score


def score_survey(survey: Questionnaire, record: Record) -> Scores:
    """Score one session: per category its items, turned; the category's score is their mean."""
    given = record.given()
    answers = {item.key: given.get(f"q{place}") for place, item in enumerate(survey.items, start=1)}
    by_key = {item.key: item for item in survey.items}
    values: dict[str, Items | float] = {
        category: Items([item.value(answers[item.key]) for item in items], [item.key for item in items])
        for category, items in survey.categories.items()
    }
    for name, (first, second) in survey.differences.items():
        values[name] = by_key[first].value(answers[first]) - by_key[second].value(answers[second])
    opened = {item.key: answers[item.key] for item in survey.items if item.scale is None and answers[item.key]}
    single = {
        item.key: item.value(answers[item.key]) for item in survey.items if item.scale is not None and not item.category
    }
    for key, value in single.items():
        values.setdefault(key, value)
    return Scores(values, {"open_answers": opened} if opened else {})
