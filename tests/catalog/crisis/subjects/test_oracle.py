import json
from pathlib import Path
from typing import Any

import pytest

from mensura.catalog.crisis.assistant.role import Radar
from mensura.catalog.crisis.dialogue import crisis
from mensura.catalog.crisis.office.office import OfficeState
from mensura.catalog.crisis.packages.build import build_world
from mensura.catalog.crisis.scoring.scoring import score
from mensura.catalog.crisis.settings import BASE, CONDITIONS
from mensura.catalog.crisis.subjects.oracle import PlanningOracle
from mensura.catalog.crisis.world.conference import Conference
from mensura.dialogue import Ask
from mensura.running.take import take
from mensura.subjects.subject import knows

PACKAGES = ("crisis-1", "crisis-2")


@pytest.mark.parametrize("package", PACKAGES)
def test_the_oracle_s_score_is_near_the_ceiling(package: str) -> None:
    taken = take(crisis, PlanningOracle(), seed=1, parameters={"package": package, "condition": "agent"})
    scores = score(taken.record, taken.truths).values
    assert scores["schedule"] >= 0.95
    assert scores["publishing"] == 1.0
    assert scores["web"] == 1.0
    assert scores["briefing"] == 1.0


@pytest.mark.parametrize("condition", CONDITIONS)
def test_the_oracle_reaches_the_ceiling_under_every_condition(condition: str) -> None:
    parameters = {"package": "practice-1", "condition": condition, "minutes": 120}
    oracle = PlanningOracle()
    cast = {role: Radar() if role == "assistant" else oracle for role in CONDITIONS[condition].roles}
    taken = take(crisis, cast, seed=1, parameters=parameters)
    scores = score(taken.record, taken.truths)
    assert taken.record.status == "finished"
    assert scores.values["final"] == pytest.approx(scores.details["ceiling"]["final"])


def test_the_oracle_works_in_a_world_of_ones_own(small: Conference, tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text(json.dumps(small.data()))
    taken = take(crisis, PlanningOracle(), seed=1, parameters={"package": str(tmp_path / "mine.json"), "minutes": 30})
    assert taken.record.status == "finished"
    assert score(taken.record, taken.truths).values["schedule"] == 1


def test_of_two_worlds_with_one_name_the_oracle_knows_the_one_it_works_in() -> None:
    world = build_world("practice-1")
    other = world.model_copy(update={"rules": world.rules[:5], "best": {}})
    OfficeState(other, tools=BASE)
    taken = take(crisis, PlanningOracle(), seed=1, parameters={"package": "practice-1"})
    assert score(taken.record, taken.truths).values["schedule"] == 1


def test_of_all_subjects_the_oracle_alone_is_told_the_world() -> None:
    told: dict[str, set[type]] = {}

    def seen_by(name: str) -> Any:
        subject = crisis.subjects[name]()

        class Seen:
            knows = getattr(subject, "knows", "")
            begin = staticmethod(getattr(subject, "begin", lambda rng: None))

            def __call__(self, ask: Ask) -> Any:
                told.setdefault(name, set()).add(type(ask.aside))
                return subject(ask)

        return Seen()

    for name in ("nothing", "oracle", "scripted"):
        take(crisis, seen_by(name), seed=1, parameters={"package": "practice-1", "minutes": 5})
    assert told == {"nothing": {type(None)}, "oracle": {Conference}, "scripted": {type(None)}}
    assert {name for name, make in crisis.subjects.items() if knows(make)} == {"oracle"}
    assert all(knows(crisis.subjects[name]()) == (name == "oracle") for name in crisis.subjects)
