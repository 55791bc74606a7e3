import json
from pathlib import Path

import pytest

from mensura.catalog.crisis.assistant.role import Radar
from mensura.catalog.crisis.dialogue import crisis
from mensura.catalog.crisis.office.index import world_shown
from mensura.catalog.crisis.office.office import Office
from mensura.catalog.crisis.packages.build import build_world
from mensura.catalog.crisis.scoring.score import score
from mensura.catalog.crisis.settings import BASE, CONDITIONS
from mensura.catalog.crisis.subjects.oracle import Oracle
from mensura.catalog.crisis.world.world import World
from mensura.errors import BadParameter
from mensura.running.take import take

PACKAGES = ("crisis-1", "crisis-2")


@pytest.mark.parametrize("package", PACKAGES)
def test_the_oracle_s_score_is_near_the_ceiling(package: str) -> None:
    taken = take(crisis, Oracle(), seed=1, parameters={"package": package, "condition": "agent"})
    scores = score(taken.record, taken.truths).values
    assert scores["schedule"] >= 0.95
    assert scores["publishing"] == 1.0
    assert scores["web"] == 1.0
    assert scores["briefing"] == 1.0


@pytest.mark.parametrize("condition", CONDITIONS)
def test_the_oracle_reaches_the_ceiling_under_every_condition(condition: str) -> None:
    parameters = {"package": "practice-1", "condition": condition, "minutes": 120}
    oracle = Oracle()
    cast = {role: Radar() if role == "assistant" else oracle for role in CONDITIONS[condition].roles}
    taken = take(crisis, cast, seed=1, parameters=parameters)
    scores = score(taken.record, taken.truths)
    assert taken.record.status == "finished"
    assert scores.values["final"] == pytest.approx(scores.details["ceiling"]["final"])


def test_the_oracle_works_in_a_world_of_ones_own(small: World, tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text(json.dumps(small.data()))
    taken = take(crisis, Oracle(), seed=1, parameters={"package": str(tmp_path / "mine.json"), "minutes": 30})
    assert taken.record.status == "finished"
    assert score(taken.record, taken.truths).values["schedule"] == 1


def test_of_two_worlds_with_one_name_the_oracle_knows_the_one_it_works_in() -> None:
    world = build_world("practice-1")
    other = world.model_copy(update={"rules": world.rules[:5], "best": {}})
    Office(other, tools=BASE)
    taken = take(crisis, Oracle(), seed=1, parameters={"package": "practice-1"})
    assert score(taken.record, taken.truths).values["schedule"] == 1


def test_simulated_subjects_say_that_they_need_the_office_at_hand() -> None:
    shown = json.loads(json.dumps(Office(build_world("practice-1"), tools=BASE).visible()))
    with pytest.raises(BadParameter, match="in the same process"):
        world_shown(shown)
