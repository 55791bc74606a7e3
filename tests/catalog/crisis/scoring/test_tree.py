"""The tree: parts into one number, weights as data, penalties, floor and ceiling."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from mensura.catalog.crisis.scoring.schedule import grade_schedule
from mensura.catalog.crisis.scoring.snapshot import Snapshot
from mensura.catalog.crisis.scoring.tree import ceiling_of, combine, grade
from mensura.catalog.crisis.scoring.weights import our_weights, read_weights, weights_from
from mensura.catalog.crisis.world.requirement import LEAVES
from mensura.errors import BadFile

Change = Callable[..., Snapshot]
SAID = {
    "final": {"schedule": "2/3", "site": "1/6", "briefing": "1/6"},
    "site": {"publishing": "1/2", "web": "1/2"},
    "leaves": dict.fromkeys(LEAVES, 1),
    "money": {"rate": 0.1, "most": 0.15, "least": 100},
    "bumps": {"rate": 0.05, "most": 0.1, "least": 2},
    "unrequested": {"each": 0.02, "most": 0.5},
    "briefing": {"items": 4, "points": 4, "lines": 8, "shown": 1, "wrong": 2},
}


def test_our_weights_are_two_thirds_a_sixth_and_a_sixth() -> None:
    weights = our_weights()
    assert weights.final == pytest.approx({"schedule": 2 / 3, "site": 1 / 6, "briefing": 1 / 6})
    assert weights.site == pytest.approx({"publishing": 0.5, "web": 0.5})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"final": {"schedule": "2/3", "site": "1/6", "briefing": "1/5"}}, "sum to 1"),
        ({"site": {"publishing": 1}}, "publishing and web"),
        ({"leaves": {"placed": 1}}, "leaves"),
        ({"money": {"rate": "much", "most": 1, "least": 1}}, "not a number"),
        ({"bumps": {"rate": -1, "most": 1, "least": 1}}, "less than 0"),
        ({"bumps": {"rate": 1, "most": 1, "least": 0}}, "least 0"),
        ({"leaves": dict.fromkeys(LEAVES, 0)}, "all 0"),
        ({"briefing": {**SAID["briefing"], "items": 2.5}}, "items 2.5"),
        ({"briefing": {**SAID["briefing"], "points": 0}}, "points 0"),
    ],
)
def test_weights_that_make_no_sense_are_refused_with_their_place(change: dict[str, object], words: str) -> None:
    with pytest.raises(BadFile, match=r"mine\.yaml") as refused:
        weights_from({**SAID, **change}, place="mine.yaml")
    assert words in str(refused.value)


def test_other_weights_can_be_read_from_a_file(tmp_path: object, done: Snapshot) -> None:
    path = f"{tmp_path}/mine.yaml"
    with open(path, "w", encoding="utf-8") as file:
        yaml.safe_dump({**SAID, "final": {"schedule": 0, "site": 1, "briefing": 0}}, file)
    assert grade(done, weights=read_weights(path)).parts["final"] == 1.0


@pytest.mark.parametrize("text", ["final: [", "", "just words"])
def test_a_file_that_holds_no_weights_is_refused_in_a_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "mine.yaml").write_text(text)
    with pytest.raises(BadFile, match=r"mine\.yaml"):
        read_weights(tmp_path / "mine.yaml")


def test_the_good_office_without_briefing_has_five_sixths(done: Snapshot) -> None:
    parts = grade(done).parts
    assert parts == pytest.approx({"final": 5 / 6, "schedule": 1, "publishing": 1, "web": 1, "briefing": 0})


def test_doing_nothing_publishes_nothing_and_changes_nothing(found: Snapshot) -> None:
    parts = grade(found).parts
    assert parts["publishing"] == parts["web"] == parts["briefing"] == 0
    assert parts["final"] == pytest.approx(2 / 3 * parts["schedule"])
    assert 0 < parts["schedule"] < 1


def test_quality_is_weight_met_over_weight(found: Snapshot) -> None:
    graded = grade_schedule(found)
    rules = found.world.rule
    # The flowers that mail asks for are no rule; they weigh 1.
    lost = sum(rules[name].weight for name in graded.failures if name != "task-flowers") + 1
    assert graded.quality == pytest.approx(1 - lost / (sum(rule.weight for rule in rules.values()) + 1))
    assert graded.leaves["announced"] == 1
    assert graded.leaves["availability"] == 0


def test_spending_without_measure_costs_the_whole_schedule(moved: Change) -> None:
    lost = [1 - grade_schedule(moved(spent=95.0 * times)).value for times in (2, 4, 8, 420)]
    assert lost == sorted(set(lost)), "spending more never costs less"
    assert lost[-1] == 1


def test_money_and_bumps_count_only_beyond_the_best_plan(moved: Change) -> None:
    weights = our_weights()
    flowers = 2 * 18.0
    assert grade_schedule(moved(spent=95.0 + flowers, bumps=1)).value == 1
    assert grade_schedule(moved(spent=145.0 + flowers)).value == pytest.approx(1 - weights.money.rate * 50 / 100)
    assert grade_schedule(moved(spent=1e6)).value == pytest.approx(1 - weights.money.most)
    assert grade_schedule(moved(bumps=2)).value == pytest.approx(1 - weights.bumps.rate / weights.bumps.least)
    assert grade_schedule(moved(bumps=1000)).value == pytest.approx(1 - weights.bumps.most)


def test_a_score_never_leaves_zero_to_one(small_nowhere: Snapshot) -> None:
    parts = grade(small_nowhere).parts
    assert parts["schedule"] == 0
    assert parts["final"] == 0


@pytest.fixture
def small_nowhere(found: Snapshot) -> Snapshot:
    """Give an office in which nothing has a place, much is spent and everyone was asked."""
    return replace(found, place=dict.fromkeys(found.place), spent=1e6, bumps=99)


def test_the_ceiling_is_that_of_the_linter_or_unknown(done: Snapshot) -> None:
    assert ceiling_of(done.world) == pytest.approx(
        {"final": 1.0, "schedule": 1.0, "publishing": 1.0, "web": 1.0, "briefing": 1.0}
    )
    assert ceiling_of(done.world.model_copy(update={"ceiling": {}})) == {}


def test_parts_combine_as_in_the_source() -> None:
    assert combine({"schedule": 1, "publishing": 1, "web": 1, "briefing": 1}) == pytest.approx(1)
    assert combine({"schedule": 0, "publishing": 1, "web": 0, "briefing": 0}) == pytest.approx(1 / 12)
