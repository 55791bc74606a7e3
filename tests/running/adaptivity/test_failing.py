"""How it failed: what any record shows, as counts."""

import pytest

from mensura.dialogue import Answer, Record
from mensura.errors import BrokenTest
from mensura.running.adaptivity.failing import added_up, how_failed

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
        "retreated to safety": None,
        "gathered information": None,
        "took up another task": None,
        "invalid": 2,
        "lapsed": 1,
        "raged": 1,
    }


def counted(*told, struck=2):
    answers = [
        answer(number, "action", 0, notes={"fault": "slip"} if number == struck else None) for number in range(6)
    ]
    records = [Record("t-v1", {}, status="finished", answers=answers) for _ in told]
    ways = iter(told)
    return how_failed(records, failing=lambda record, truths: next(ways))


def test_what_a_test_tells_is_counted_and_was_noticed_only_if_it_is_new_after_the_fault():
    found = counted({"retreated to safety": [4]}, {"gathered information": [1, 3, 5]}, {"took up another task": []})
    assert [found[way] for way in ("retreated to safety", "gathered information", "took up another task")] == [1, 3, 0]
    assert found["noticed"] == 1
    assert counted({"gathered information": [1, 3]})["noticed"] == 0
    assert counted({"gathered information": [3]}, struck=None)["noticed"] == 0


def test_what_one_test_cannot_tell_is_unknown_and_not_0():
    known, unknown = counted({"retreated to safety": [4]}), counted(None)
    assert unknown["retreated to safety"] is None
    assert added_up([known, unknown])["retreated to safety"] is None
    assert added_up([known, known])["retreated to safety"] == 2
    assert added_up([known, unknown])["sessions"] == 2


def test_a_way_of_failing_that_there_is_not_is_the_tests_mistake():
    with pytest.raises(BrokenTest, match="'wept'"):
        counted({"wept": [1]})
