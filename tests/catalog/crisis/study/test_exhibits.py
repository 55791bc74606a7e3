"""The tables of a study, from made-up scores (simulated)."""

from dataclasses import replace

import numpy as np
import pytest

from mensura.catalog.crisis.scoring.briefing import METHOD
from mensura.catalog.crisis.study.exhibits import exhibits
from mensura.catalog.crisis.survey.survey import survey
from mensura.dialogue import Scores
from mensura.exhibit import Group

MEANS = {"cots": 0.507, "radar-l": 0.534, "radar+l": 0.633}


def group(condition, *, package="crisis-1", mean=None, n=30, seed=0, with_survey=False, sd=0.07):
    rng = np.random.default_rng([seed, *condition.encode()])
    sessions = []
    for _ in range(n):
        final = float(np.clip(rng.normal(mean or MEANS[condition], sd), 0, 1))
        values = {"final": final, "schedule": final, "publishing": 0.5, "web": 0.4, "briefing": 0.3}
        if with_survey:
            given = {f"q{k}": int(rng.integers(1, 8)) for k in range(1, 29)}
            values |= {f"survey_{name}": value for name, value in survey().score(given).values.items()}
        reached = {"schedule": True, "briefing": final > 0.55, "site": False}
        sessions.append(
            Scores(values, {"milestones": reached, "briefing_method": METHOD, "briefing_present": final > 0.55})
        )
    parameters = {"condition": condition, "package": package}
    return Group(f"participant in {condition}", condition, parameters, sessions, simulated=True)


def titles(shown):
    return [one.title for one in shown]


def test_three_conditions_give_the_tables_of_the_source():
    shown = exhibits([group(condition, with_survey=True) for condition in MEANS])
    assert titles(shown) == [
        "Final score by condition",
        "Deltas",
        "Where the deltas come from",
        "Participants for the next study",
        "Components of the score",
        "Milestones reached",
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
    assert titles(shown) == ["Final score by condition", "Components of the score", "Milestones reached"]
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
    gains = [row for row in shown[-1].rows if row[0].startswith("gain")]
    assert [(row[1], row[5]) for row in gains] == [("assistant with learning", "120")]
    assert 0 < float(gains[0][4].removeprefix("< ")) < 0.05


@pytest.mark.parametrize(
    "title", ["Final score by condition", "Where the deltas come from", "Components of the score", "Survey"]
)
def test_pictures_can_be_drawn(title):
    shown = {one.title: one for one in exhibits([group(condition, with_survey=True) for condition in MEANS])}
    assert shown[title].figures[0].svg.startswith("<svg")


def test_what_components_add_is_the_delta():
    shown = {one.title: one for one in exhibits([group(condition) for condition in MEANS])}
    # Only the schedule differs between these made-up groups, and it weighs two thirds.
    rows = {row[0]: row for row in shown["Where the deltas come from"].rows}
    assert rows["schedule"][1] == "0.667"
    learning = float(shown["Deltas"].rows[1][1])
    assert float(rows["schedule"][3].split(" ")[0]) == pytest.approx(learning * 2 / 3, abs=0.001)
    assert [float(rows[name][3].split(" ")[0]) for name in ("publishing", "web", "briefing")] == [0, 0, 0]
    assert "do not vary" in rows["web"][3]


def test_the_next_study_is_planned_also_for_the_near_end_of_the_interval():
    shown = {one.title: one for one in exhibits([group(condition) for condition in MEANS])}
    found = shown["Participants for the next study"]
    learning = found.rows[0]
    assert int(learning[2]) < int(learning[3])
    assert "With 30 per condition" in found.words


def test_ablated_assistants_are_not_pooled_with_the_whole_one():
    whole = [group(condition) for condition in MEANS]
    parameters = {**whole[2].parameters, "ablate": "room_finder"}
    ablated = replace(whole[2], condition="radar+l without rooms", parameters=parameters)
    shown = {one.title: one for one in exhibits([*whole, ablated])}
    rows = {row[0]: row[3] for row in shown["Final score by condition"].rows}
    assert rows["assistant with learning"] == rows["radar+l without rooms"] == "30"
    assert shown["Deltas"].rows == exhibits(whole)[1].rows


def test_groups_that_learned_differently_keep_the_names_of_the_study():
    one, other = (
        replace(group("radar+l"), condition=name, parameters={**group("radar+l").parameters, "learned": name})
        for name in ("spring", "autumn")
    )
    shown = exhibits([one, other])
    assert [row[0] for row in shown[0].rows] == ["spring", "autumn"]


def test_a_small_fourth_condition_hides_no_delta():
    shown = exhibits([*(group(condition) for condition in MEANS), group("cots+a", mean=0.6, n=1)])
    assert "Deltas" in titles(shown)


def test_differences_without_any_spread_are_shown_without_bounds():
    shown = {one.title: one for one in exhibits([group(condition, sd=0.0) for condition in MEANS])}
    # All equal is never a zero width on a scale with two bounds.
    low, _, high = shown["Final score by condition"].rows[0][2].partition(" to ")
    assert float(low) < float(high)
    assert shown["Deltas"].rows[0][3:5] == ("unknown", "unknown")
    assert shown["Participants for the next study"].rows[0][2] == "unknown: nothing varies"


def test_milestones_have_counts_shares_and_intervals():
    shown = {one.title: one for one in exhibits([group(condition) for condition in MEANS])}
    rows = {row[:2]: row[2:] for row in shown["Milestones reached"].rows}
    assert rows["schedule", "conventional tools"] == ("30 of 30", "1.000", "0.886 to 1.000")
    assert rows["site", "assistant with learning"][:2] == ("0 of 30", "0.000")


def test_briefings_that_no_panel_has_rated_are_said_to_be_provisional():
    shown = {one.title: one for one in exhibits([group(condition, mean=0.9) for condition in MEANS])}
    words = shown["Components of the score"].words
    assert "Of 90 briefings that were written 90 are rated by program, provisionally" in words


def test_the_general_items_are_named_and_every_difference_has_its_interval():
    shown = {one.title: one for one in exhibits([group(condition, with_survey=True) for condition in MEANS])}
    named = {row[0] for row in shown["Survey"].rows}
    assert "1. “I believe that I did this work well.”" in named
    differences = shown["Differences in the survey"]
    assert "comparisons" in differences.words
    for row in differences.rows:
        low, high = map(float, row[3].split(" to "))
        assert low <= float(row[2]) <= high


def test_a_learning_assistant_is_compared_with_a_human_one():
    shown = exhibits([group("radar+l", mean=0.7), group("cots+a", mean=0.5)])
    (found,) = [one for one in shown if one.title == "Learning assistant less human assistant"]
    assert float(found.rows[0][0]) == pytest.approx(0.2, abs=0.05)


def test_one_run_has_its_tables_and_two_subjects_of_one_condition_are_not_pooled():
    one = replace(group("cots", n=4), name="scripted")
    assert titles(exhibits([one]))[0] == "Final score by condition"
    two = replace(group("cots", n=4, seed=1), name="oracle")
    means = exhibits([one, two])[0]
    assert [row[0] for row in means.rows] == ["scripted", "oracle"]
