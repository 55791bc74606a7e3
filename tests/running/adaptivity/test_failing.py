"""How it failed: what any record shows, as counts."""

from mensura.dialogue import Answer, Record
from mensura.running.adaptivity.failing import how_failed

SPACES = {1: {"low": [-1.0, 0.0], "high": [1.0, 5.0]}, 2: {"names": ["go", "help"]}}


def answer(number, kind, value=None, status="answered", **more):
    return Answer(number, "subject", f"k{number}", kind, value, status, **more)


def test_declining_asking_for_help_extreme_acts_and_invalid_answers_are_told_apart():
    answers = [
        answer(1, "vector", [1.0, 0.0]),
        answer(3, "vector", [1.0, 2.0]),
        answer(2, "action", 0, notes={"fault": "slip"}),
        answer(4, "action", status="abstained", notes={"fault": "drop"}),
        answer(5, "action", 1, invalid=2),
        answer(6, "action", status="refused"),
        answer(7, "action", status="lapsed"),
    ]
    record = Record("t-v1", {}, status="crashed", answers=answers, content=lambda number: {"space": SPACES.get(number)})
    assert how_failed([record]) == {
        "sessions": 1,
        "failed": 1,
        "struck": 2,
        "noticed": 1,
        "stopped": 1,
        "asked for help": 1,
        "invalid": 2,
        "lapsed": 1,
        "raged": 1,
    }
