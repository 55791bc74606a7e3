"""Concurrent clocks: messages carry the checks of their sender, and take their latency."""

import numpy as np
import pytest

from mensura.catalog.constraints.mail.mailman import Mailman
from tests.catalog.constraints.runs import problem_of

PAIRS = {(0, 1): np.ones((2, 2), dtype=bool), (0, 2): np.ones((2, 2), dtype=bool), (1, 2): np.ones((2, 2), dtype=bool)}


def count(checks):
    return ("count", checks, 0, 0, 0)


@pytest.mark.parametrize(("latency", "expected"), [(0, 7), (10, 25)])
def test_the_case_worked_by_hand(latency, expected):
    """x0 does 3 checks and sends; x1 did 5, reads, does 2, sends; x2 did 1 and reads both."""
    mailman = Mailman(problem_of(PAIRS, size=2), rng=np.random.default_rng(1), latencies=[latency])
    mailman.take("x0", [("send", ["x1", "x2"], "a", None, 3), count(3)])
    mailman.take("x1", [count(5)])
    mailman.take("x2", [count(1)])
    assert [name for name, _ in mailman.wake()] == ["x1", "x2"]
    mailman.take("x1", [("send", "x2", "b", None, 2), count(2)])
    mailman.take("x2", [count(0)])
    assert [name for name, _ in mailman.wake()] == ["x2"]
    mailman.take("x2", [count(0)])
    assert mailman.wake() == []
    assert mailman.report()["nccc"] == {str(latency): expected}


def test_a_message_carries_the_checks_done_before_it_and_no_later_ones():
    mailman = Mailman(problem_of(PAIRS, size=2), rng=np.random.default_rng(1))
    mailman.take("x0", [("send", "x1", "early", None, 1), ("send", "x2", "late", None, None), count(100)])
    mailman.take("x1", [])
    mailman.take("x2", [])
    mailman.wake()
    assert [mailman.clocks[name][1] for name in ("x0", "x1", "x2")] == [100, 1, 100]
