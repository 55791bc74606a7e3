"""The simulated study finds what learning gives when something was learned, and nothing when nothing was."""

from pathlib import Path

import pytest

from mensura.catalog.crisis.assistant.learning.learned import Learned
from mensura.catalog.crisis.dialogue import crisis
from mensura.catalog.crisis.scoring.scoring import score
from mensura.catalog.crisis.subjects.participant import Participant
from mensura.running.take import take
from mensura.stats import two_sample_difference


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


@pytest.mark.slow
def test_the_analysis_finds_a_learning_delta_when_the_assistant_has_learned() -> None:
    # Beforehand, with 120 per group, the difference was 0.108 and the sd 0.078: 30 per group find that in more than 99
    # of 100 studies at 5 % (two-sided t-test). The groups are of different people.
    found = two_sample_difference(
        first=finals("radar+l", seeds=range(100, 130)), second=finals("radar-l", seeds=range(200, 230))
    )
    assert found.difference.low > 0
    assert found.p < 0.05


def test_an_assistant_that_learned_nothing_is_the_one_without_learning(tmp_path: Path) -> None:
    empty = tmp_path / "nothing.json"
    Learned().write(empty)
    # The same people meet the same assistant: every score is the same, and there is no delta to be found.
    seeds = range(300, 304)
    assert finals("radar+l", learned=str(empty), seeds=seeds) == finals("radar-l", seeds=seeds)


@pytest.mark.slow
def test_the_analysis_finds_no_learning_delta_between_groups_when_nothing_was_learned(tmp_path: Path) -> None:
    empty = tmp_path / "nothing.json"
    Learned().write(empty)
    # 20 per group would find the difference of 0.108 that learning makes in 99 of 100 studies.
    found = two_sample_difference(
        first=finals("radar+l", learned=str(empty), seeds=range(400, 420)),
        second=finals("radar-l", seeds=range(500, 520)),
    )
    assert found.difference.low < 0 < found.difference.high
