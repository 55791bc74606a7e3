"""The simulated study from plan to tables: a delta where something was learned, none where nothing was."""

from pathlib import Path

import pytest

from mensura.catalog.crisis.assistant.learning.learned import Learned
from mensura.running.study import Cast, Hypothesis, Stopping, Study, analyse, conduct
from mensura.store import open_store

PEOPLE = Cast("simulated", {"subject": "participant"}, simulated=True)


def analysed(tmp_path: Path, *, sessions: int, learned: str = ""):
    """Carry out a study of two conditions in the practice world, half an hour each."""
    common = {"package": "practice-1", "minutes": 30, "survey": True}
    study = Study(
        name="both ways",
        tests=("crisis",),
        casts=(PEOPLE,),
        conditions={
            "cots": {**common, "condition": "cots"},
            "radar-l": {**common, "condition": "radar-l"},
            "radar+l": {**common, "condition": "radar+l", "learned": learned},
        },
        hypotheses=(Hypothesis("learning helps", "schedule", ("radar+l", "radar-l"), "greater"),),
        stopping=Stopping(most=sessions),
        chance="own",
        seed=11,
    )
    with open_store(tmp_path / "lab.db") as store:
        conduct(study, store=store)
        return analyse(study, store=store)


@pytest.mark.proof
def test_the_study_finds_what_learning_gives(tmp_path: Path) -> None:
    # The schedule gains 0.024 [0.005, 0.040], the final score 0.049 [0.001, 0.096]; it gained 0.108 while a draft of
    # what the pages show was a full briefing.
    found = analysed(tmp_path, sessions=20)
    assert found.simulated
    assert found.planned[0].supported
    deltas = next(one for one in found.exhibits if one.title == "Deltas")
    assert deltas.words.startswith("Simulated participants. Shown by these data")


@pytest.mark.slow
def test_the_study_finds_nothing_where_nothing_was_learned(tmp_path: Path) -> None:
    empty = tmp_path / "nothing.json"
    Learned().write(empty)
    found = analysed(tmp_path, sessions=5, learned=str(empty))
    assert not found.planned[0].supported
    assert found.planned[0].difference.low < 0 < found.planned[0].difference.high
    deltas = next(one for one in found.exhibits if one.title == "Deltas")
    assert deltas.words.startswith("Simulated participants.")
    assert "Learning delta" not in deltas.words
    assert {"Survey", "Reliability of the survey", "Components of the score"} <= {one.title for one in found.exhibits}
