"""Opinions: what the survey's macros show by condition, how reliable they are, and where conditions differ."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations
from math import isfinite
from typing import Any

import numpy as np

from mensura.catalog.crisis.study.pictures import opinions_picture, point
from mensura.catalog.crisis.study.wording import condition_words, interval_words, method_words, p_words
from mensura.catalog.crisis.survey.survey import MACROS, survey
from mensura.dialogue import Items, Scores, session_mean
from mensura.errors import BadData
from mensura.exhibit import Exhibit, Figure
from mensura.stats import Estimate, Scale, cronbach_alpha, two_sample_difference, unit_estimate

ASSISTANT = "assistant"
MEANING = (
    "From 1 (strongly agree) to 7. In macros lower is better: items that speak against the software are turned round. "
    "'Assistant' is item 16 less item 17: below 0 the software was felt to help, above 0 to be helped. Items 1 to 3 "
    "stand as they were answered."
)


def opinion_exhibits(answered: Mapping[str, Sequence[Scores]], *, title: str) -> list[Exhibit]:
    """Show the survey of the participants of each condition; nothing where nobody answered one."""
    said = {
        name: [scores for scores in sessions if f"survey_{MACROS[0]}" in scores.values]
        for name, sessions in answered.items()
    }
    if not any(said.values()):
        return []
    values = {macro: _values(said, macro) for macro in (*MACROS, ASSISTANT, *_general())}
    everyone = [scores for sessions in said.values() for scores in sessions]
    return [_means(values, title), _reliability(everyone, title), _differences(values, title)]


def _values(said: Mapping[str, Sequence[Scores]], macro: str) -> dict[str, list[float]]:
    found = {
        name: [session_mean(scores.values[f"survey_{macro}"]) for scores in sessions] for name, sessions in said.items()
    }
    known = {name: [value for value in means if isfinite(value)] for name, means in found.items()}
    return {name: means for name, means in known.items() if means}


def _means(values: Mapping[str, Mapping[str, list[float]]], title: str) -> Exhibit:
    found = {
        macro: {name: unit_estimate(means, unit="participant", scale=_scale(macro)) for name, means in groups.items()}
        for macro, groups in values.items()
    }
    rows = [
        (_item(macro), condition_words(name), one.rounded[0], interval_words(one), str(one.n))
        for macro, groups in found.items()
        for name, one in groups.items()
    ]
    words = f"{MEANING} Intervals by {method_words(one for groups in found.values() for one in groups.values())}."
    chart = partial(opinions_picture, _points(found, MACROS), _points(found, (ASSISTANT,)))
    columns = ("macro or item", "condition", "mean", "95 % interval", "n")
    return Exhibit(f"Survey{title}", words, columns, rows, [Figure(chart, "Means of the survey with their intervals.")])


def _scale(macro: str) -> Scale:
    """Return the range of a mean: that of the items, or of the difference of two of them."""
    return Scale(-6, 6) if macro == ASSISTANT else Scale(1, 7)


def _points(found: Mapping[str, Mapping[str, Estimate]], macros: Sequence[str]) -> list[Any]:
    return [
        point(one, macro=_item(macro), condition=condition_words(name))
        for macro in macros
        for name, one in found[macro].items()
    ]


def _reliability(answered: Sequence[Scores], title: str) -> Exhibit:
    rows = []
    for macro in MACROS:
        items = [scores.values[f"survey_{macro}"] for scores in answered]
        table = np.array([one.values for one in items if isinstance(one, Items)])
        try:
            alpha = cronbach_alpha(table).alpha
            rows.append((_item(macro), alpha.rounded[0], interval_words(alpha), str(alpha.n)))
        except BadData as error:
            rows.append((_item(macro), "unknown", str(error), str(len(table))))
    words = "Cronbach's alpha over the participants of all conditions; 0.7 and more is usually called acceptable."
    return Exhibit(f"Reliability of the survey{title}", words, ("macro", "alpha", "95 % interval", "n"), rows)


def _differences(values: Mapping[str, Mapping[str, list[float]]], title: str) -> Exhibit:
    rows, tests = [], 0
    for macro, groups in values.items():
        for first, second in combinations(groups, 2):
            tests += 1
            names = (condition_words(first), condition_words(second))
            found = two_sample_difference(first=groups[first], second=groups[second], names=names)
            if found.difference.has_interval and found.p < 0.05:
                rows.append(
                    (
                        _item(macro),
                        f"{names[0]} less {names[1]}",
                        found.difference.signed[0],
                        interval_words(found.difference),
                        p_words(found.p),
                        f"{found.first.n} and {found.second.n}",
                    )
                )
    chance = f"Of {tests} comparisons chance alone gives about {tests * 0.05:.0f} with p < .05."
    words = (
        f"Only those with p < .05 (Welch's t), not adjusted for their number, as the source gives them. {chance} Read "
        "them as hints."
        if rows
        else f"No macro or item differs between conditions: none of {tests} comparisons has p < .05 (Welch's t)."
    )
    columns = ("macro or item", "comparison", "difference", "95 % interval", "p", "n")
    return Exhibit(f"Differences in the survey{title}", words, columns, rows)


def _general() -> dict[str, str]:
    """Return the items that belong to no macro, by key."""
    return {item.key: item.text for item in survey().items if item.scale is not None and not item.category}


def _item(name: str) -> str:
    return f"{name}. “{_general()[name]}”" if name in _general() else name.replace("_", " ")
