"""Scoring of whole sessions: the record is replayed, floor and ceiling stand beside each score."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mensura.catalog.crisis.dialogue import crisis
from mensura.catalog.crisis.scoring.scoring import above_floor, floor_of, score
from mensura.catalog.crisis.scoring.snapshot import untouched
from mensura.catalog.crisis.scoring.tree import grade
from mensura.catalog.crisis.subjects.nothing import Nothing
from mensura.catalog.crisis.subjects.participant import Participant
from mensura.catalog.crisis.world.conference import Conference
from mensura.dialogue import Scores
from mensura.errors import BadData
from mensura.running.take import Taken, take


@pytest.fixture(scope="module")
def taken(small: Conference, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Any], Taken]:
    """Give a function that lets a subject work in the small world."""
    path: Path = tmp_path_factory.mktemp("packages") / "small.json"
    found = {name: getattr(small, name) for name in ("hash", "floor_money", "floor_bumps", "ceiling")}
    said = {"name": "small", "seed": 0, "purpose": "practice", "world": small.data()}
    path.write_text(json.dumps({**said, "found": {**found, "solvable": True, "method": "written by hand"}}))
    return lambda who: take(crisis, who, seed=1, parameters={"condition": "cots", "package": str(path), "minutes": 30})


def scored(taken: Taken) -> Scores:
    """Score a session."""
    return score(taken.record, taken.truths)


def test_doing_nothing_scores_exactly_the_floor(taken: Callable[[Any], Taken], small: Conference) -> None:
    scores = scored(taken(Nothing()))
    floor = {name: scores.values[name] for name in ("final", "schedule", "publishing", "web", "briefing")}
    assert floor == scores.details["floor"] == floor_of(small) == grade(untouched(small)).parts
    assert scores.details["above_floor"] == 0


def test_a_session_has_scores_leaves_and_every_detail(taken: Callable[[Any], Taken]) -> None:
    scores = scored(taken(Participant()))
    assert {"final", "schedule", "publishing", "web", "briefing", "quality", "placed", "capacity"} <= set(scores.values)
    assert all(0 <= value <= 1 for value in scores.values.values())
    assert 0 < scores.details["above_floor"] <= 1
    assert len(scores.details["ledger"]) == 16
    assert sum(lost["points"] for lost in scores.details["lost"]) == pytest.approx(1 - scores.values["final"], abs=1e-4)
    assert "n = 35 rules" in scores.details["method"]
    assert "provisional" in scores.details["briefing_method"]
    json.dumps(scores.details)


def test_scoring_is_pure(taken: Callable[[Any], Taken]) -> None:
    session = taken(Participant())
    first = scored(session)
    again = scored(session)
    assert (again.values, again.details) == (first.values, first.details)


def test_a_record_is_not_scored_against_another_world(taken: Callable[[Any], Taken]) -> None:
    session = taken(Nothing())
    with pytest.raises(BadData, match="Score it with the version that made it"):
        score(session.record, {"world": {**session.truths["world"], "hash": "0" * 16}})


def test_without_a_ceiling_the_way_to_it_is_unknown() -> None:
    assert above_floor(0.5, floor=0.3, ceiling=None) is None
    assert above_floor(0.5, floor=0.3, ceiling=0.3) is None
    assert above_floor(0.5, floor=0.25, ceiling=0.75) == 0.5
