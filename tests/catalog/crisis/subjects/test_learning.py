"""An assistant that learned nothing; what learning gives is in test_study.py."""

from pathlib import Path

from mensura.catalog.crisis.assistant.learning.learned import Learned
from mensura.catalog.crisis.dialogue import crisis
from mensura.catalog.crisis.scoring.scoring import score
from mensura.catalog.crisis.subjects.participant import Participant
from mensura.running.take import take


def finals(condition: str, *, learned: str = "", seeds: range) -> list[float]:
    """Let simulated participants work for half an hour in the practice world; gives their final scores."""
    parameters = {"condition": condition, "package": "practice-1", "minutes": 30, "learned": learned}
    found = []
    for seed in seeds:
        taken = take(crisis, Participant(None), seed=seed, parameters=parameters)
        assert taken.record.status == "finished"
        value = score(taken.record, taken.truths).values["final"]
        assert isinstance(value, float)
        found.append(value)
    return found


def test_an_assistant_that_learned_nothing_is_the_one_without_learning(tmp_path: Path) -> None:
    empty = tmp_path / "nothing.json"
    Learned().write(empty)
    # The same person meets the same assistant: the score is the same, and there is no delta to be found.
    seeds = range(300, 301)
    assert finals("radar+l", learned=str(empty), seeds=seeds) == finals("radar-l", seeds=seeds)
