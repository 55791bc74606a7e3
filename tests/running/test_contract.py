"""Every registered test keeps the contract, and behaves as its golden transcript says."""

from pathlib import Path

import pytest

from mensura.catalog.find import find_test, list_tests
from mensura.running.check import CheckOptions, check_test
from tests.proofs import proofs

GOLDEN = Path(__file__).parents[1] / "golden"
QUICK = {
    "bargain-v1": {"messages": 2},
    "coin-v1": {},
    "corridor-v1": {"length": 5, "episodes": 20},
    "dilemma-v1": {},
    "inbox-v1": {"messages": 4, "phase_ticks": 60, "patience": 20},
}
VARIANTS = ("lambda-star-landscape-v1", "lambda-star-social-v2", "detection-patrol-v2")
"""Large tests that are made of what other tests of their folder are made of."""
FEW = {"episodes": 3, "iterations": 35}
"""Just over the hundred asks after which a log of lambda-star gets its second digest."""
SMALL = {
    **QUICK,
    "analogy-hidden-v1": {"queries": 3, "among": 3},
    "analogy-translation-v1": {"texts": 3},
    "arcade-v1": {"null_starts": 1, "cap_frames": 20},
    "constraints-v1": {"stop": "cycles=100"},
    "forecasting-v1": {"count": 8},
    "puzzles-v1": {"kinds": "number-series,letter-series,mental-rotation", "count": 9},
    "sensemaking-v1": {"trials": 1},
    "task-environments-v1": {"episodes": 2},
    "task-understanding-v1": {"questions": 1, "goals": 1, "runs": 2},
    "lambda-star-ignorance-v1": {"episodes": 3},
    **dict.fromkeys(("lambda-star-v1", "lambda-star-landscape-v1", "lambda-star-social-v2"), FEW),
}
"""Parameters with which many sessions take little time: every stage of a test is there, and logs of lambda-star have
several digests. Transcripts bring their own parameters."""


@pytest.mark.parametrize("id", QUICK)
def test_small_tests_keep_the_contract(id):
    report = check_test(id, options=CheckOptions(golden=GOLDEN), **QUICK[id])
    assert report.passed, str(report)
    golden = report.checks[-1]
    assert golden.passed, "write its transcript: update_golden(id, folder)"


LARGE = [id for id in list_tests() if id not in {*QUICK, *VARIANTS}]


@pytest.mark.slow
@pytest.mark.parametrize("id", [*LARGE, *proofs(*VARIANTS)])
def test_large_tests_keep_the_contract(id):
    # Games take longest.
    sessions = 3 if id == "arcade-v1" else 5
    report = check_test(id, options=CheckOptions(sessions=sessions, cuts=8, golden=GOLDEN), **SMALL.get(id, {}))
    assert report.passed, str(report)


@pytest.mark.proof
@pytest.mark.parametrize("id", [*LARGE, *VARIANTS])
def test_large_tests_keep_the_contract_in_more_sessions_and_after_more_cuts(id):
    report = check_test(id, options=CheckOptions(sessions=8), **SMALL.get(id, {}))
    assert report.passed, str(report)


@pytest.mark.parametrize("name", ["gym:CartPole-v1", "gym:Pendulum-v1"])
def test_environments_keep_the_contract(name):
    pytest.importorskip("gymnasium")
    report = check_test(name, options=CheckOptions(sessions=3))
    assert report.passed, str(report)


def test_every_transcript_belongs_to_a_registered_test():
    ids = {id.replace("/", "_") for id in list_tests()}
    assert {path.stem for path in GOLDEN.glob("*.jsonl")} <= ids


def test_the_inbox_has_its_saves_and_its_pace_checked():
    report = check_test("inbox", options=CheckOptions(sessions=2), **QUICK["inbox-v1"])
    found = {check.name: check for check in report.checks}
    assert found["saves"].passed
    assert found["world speed"].passed
    assert "its own talkative subject" in found["world speed"].words
    assert find_test("inbox").takes("saved")
