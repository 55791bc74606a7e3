"""Accepting what the assistant proposes, unread; `python -m benchmarks.crisis checking` compares over 30 seeds."""

from typing import Any

from mensura.catalog.crisis.assistant.role import Radar
from mensura.catalog.crisis.dialogue import crisis
from mensura.catalog.crisis.scoring.scoring import score
from mensura.catalog.crisis.subjects.accepting import Accepting
from mensura.catalog.crisis.subjects.participant import Participant
from mensura.running.take import take


def taken(subject: Any, condition: str) -> dict[str, float]:
    cast = {"subject": subject} if condition == "cots" else {"subject": subject, "assistant": Radar()}
    found = take(crisis, cast, seed=1, parameters={"condition": condition, "package": "crisis-1"})
    return dict(score(found.record, found.truths).values)


def test_accepting_everything_unread_scores_below_working_by_hand() -> None:
    unread, by_hand = taken(Accepting(), "radar+l"), taken(Participant(), "cots")
    assert unread["final"] < by_hand["final"] - 0.01
    assert unread["web"] == 0, "what mail asks for was not read"
    assert unread["briefing"] == 0.25
    assert by_hand["briefing"] > 0.9
