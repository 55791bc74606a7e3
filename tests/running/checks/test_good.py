"""A good test passes every check that applies."""

from mensura.dialogue import test
from mensura.running.check import CheckOptions, check_test
from tests.running.checks.examined import good


def test_a_good_test_passes_every_check_that_applies():
    made = test("good-v1", chance={"accuracy": 1 / 3})(good)
    report = check_test(made, options=CheckOptions(sessions=20))
    assert report.passed, str(report)
    applied = {check.name for check in report.checks if check.passed}
    assert applied == {
        "ends",
        "declines",
        "replays alike",
        "clock",
        "truth hidden",
        "truth fits",
        "nothing tells",
        "timing",
        "reach",
        "invalid answers",
        "parameters documented",
        "chance level",
    }
    assert report.require() is report
    assert report.data()["passed"] is True
