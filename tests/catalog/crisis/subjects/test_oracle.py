import pytest

from mensura.catalog.crisis.dialogue import crisis
from mensura.catalog.crisis.scoring.score import score
from mensura.catalog.crisis.subjects.oracle import Oracle
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
