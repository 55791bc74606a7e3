"""The assistant's answers are recorded; replaying or scoring a session asks nobody."""

import json
from pathlib import Path
from typing import Any

import pytest

from mensura.catalog.crisis.assistant.role import Radar
from mensura.catalog.crisis.dialogue import crisis
from mensura.catalog.crisis.office.replay import office_of
from mensura.catalog.crisis.scoring.scoring import score
from mensura.catalog.crisis.subjects.participant import Participant
from mensura.catalog.crisis.world.conference import Conference
from mensura.running.take import take


@pytest.mark.parametrize("condition", ["radar-l", "radar+l"])
def test_a_session_is_replayed_and_scored_without_its_assistant(
    small: Conference, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, condition: str
) -> None:
    (tmp_path / "small.json").write_text(json.dumps(small.data()))
    parameters = {"package": str(tmp_path / "small.json"), "minutes": 30, "condition": condition}
    taken = take(crisis, {"subject": Participant(), "assistant": Radar()}, seed=1, parameters=parameters)
    given = [answer for answer in taken.record.answers if answer.role == "assistant"]
    assert {"label", "suggest", "optimise"} <= {answer.value["kind"] for answer in given}
    scores = score(taken.record, taken.truths)

    def gone(*asked: Any, **more: Any) -> Any:
        raise AssertionError("The assistant was asked again.")

    monkeypatch.setattr(Radar, "__call__", gone)
    monkeypatch.setattr("mensura.catalog.crisis.planning.search.PlanSearch.__init__", gone)
    again = score(taken.record, taken.truths)
    assert (again.values, again.details) == (scores.values, scores.details)
    office = office_of(taken.record, world=small)
    assert len(office.proposals) == sum(answer.value["kind"] != "label" for answer in given)
