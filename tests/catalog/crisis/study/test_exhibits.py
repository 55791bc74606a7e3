"""The tables of a study, from made-up scores (simulated)."""

import numpy as np
import pytest

from mensura.catalog.crisis.study.exhibits import exhibits
from mensura.catalog.crisis.survey.survey import survey
from mensura.dialogue import Scores
from mensura.stats.exhibit import Group

MEANS = {"cots": 0.507, "radar-l": 0.534, "radar+l": 0.633}


def group(condition, *, package="crisis-1", mean=None, n=30, seed=0, with_survey=False):
    rng = np.random.default_rng([seed, *condition.encode()])
    sessions = []
    for _ in range(n):
        final = float(np.clip(rng.normal(mean or MEANS[condition], 0.07), 0, 1))
        values = {"final": final, "schedule": final, "publishing": 0.5, "web": 0.4, "briefing": 0.3}
        if with_survey:
            given = {f"q{k}": int(rng.integers(1, 8)) for k in range(1, 29)}
            values |= {f"survey_{name}": value for name, value in survey().score(given).values.items()}
        sessions.append(Scores(values))
    parameters = {"condition": condition, "package": package}
    return Group(f"participant in {condition}", condition, parameters, sessions, simulated=True)


def titles(shown):
    return [one.title for one in shown]


def test_three_conditions_give_the_tables_of_the_source():
    shown = exhibits([group(condition, with_survey=True) for condition in MEANS])
    assert titles(shown) == [
        "Final score by condition",
        "Deltas",
        "Participants for the next study",
        "Components of the score",
        "Survey",
        "Reliability of the survey",
        "Differences in the survey",
    ]
    deltas = shown[1]
    assert [row[0].split(" (")[0] for row in deltas.rows][:3] == [
        "Overall delta",
        "Learning delta",
        "Nonlearning delta",
    ]
    assert "Learning delta" in deltas.words
    assert all(one.words.startswith("Simulated participants.") for one in shown)


def test_no_delta_is_claimed_where_there_is_none():
    shown = exhibits([group(condition, mean=0.5, seed=5) for condition in MEANS])
    assert "none of the deltas" in shown[1].words
    assert "no bounds" in shown[1].words


def test_a_single_condition_still_has_its_mean():
    shown = exhibits([group("cots")])
    assert titles(shown) == ["Final score by condition", "Components of the score"]
    assert shown[0].rows[0][3] == "30"


def test_two_packages_are_compared_by_the_yardstick():
    waves = [
        group(c, package=p, mean=m)
        for p, c, m in [
            ("crisis-1", "cots", 0.5),
            ("crisis-1", "radar+l", 0.6),
            ("crisis-2", "cots", 0.4),
            ("crisis-2", "radar+l", 0.6),
        ]
    ]
    shown = exhibits(waves)
    assert shown[-1].title == "Across waves"
    assert "it has improved" in shown[-1].words


@pytest.mark.parametrize("place", [0, 3])
def test_pictures_can_be_drawn(place):
    from mensura.report.figures import as_svg

    chart = exhibits([group(condition) for condition in MEANS])[place].chart
    assert as_svg(chart).startswith("<svg")


def test_a_learning_assistant_is_compared_with_a_human_one():
    shown = exhibits([group("radar+l", mean=0.7), group("cots+a", mean=0.5)])
    (found,) = [one for one in shown if one.title == "Learning assistant less human assistant"]
    assert float(found.rows[0][0]) == pytest.approx(0.2, abs=0.05)
