"""Forty honest and forty leaking tests, half of them by someone who had not seen the audit, are told apart."""

import pytest

from mensura.dialogue import Test, test
from mensura.running.check import CHEATS, CheckOptions, check_test, make_trial
from mensura.running.checks.leak.telling import check_timing
from tests.running.checks.leak import stranger_tests as stranger
from tests.running.checks.leak.honest_tests import HONEST
from tests.running.checks.leak.leaking_tests import LEAKING

ROLES = {"two_players": ("ann", "bob"), "more_time": ("ann", "bob")}


def declared(function) -> Test:
    roles = {"roles": ROLES[function.__name__]} if function.__name__ in ROLES else {}
    return test("judged-v1", **roles)(function)


SOUND = {**{one.__name__: declared(one) for one in HONEST}, **{f"stranger-{k}": v for k, v in stranger.HONEST.items()}}
UNSOUND = {
    **{one.__name__: (declared(one), one.__doc__) for one in LEAKING},
    **{f"stranger-{name}": told for name, told in stranger.LEAKING.items()},
}


def faults(definition):
    """Return what the audit holds against a test; times are left out, since this machine may be busy."""
    trial = make_trial(definition, options=CheckOptions())
    found = [check(trial) for check in CHEATS if check is not check_timing]
    return [str(check) for check in found if check.passed is False]


def test_forty_are_honest_and_forty_leak():
    assert (len(SOUND), len(UNSOUND)) == (40, 40)


@pytest.mark.cells(8)
@pytest.mark.parametrize("name", SOUND)
def test_honest_tests_pass(name):
    assert faults(SOUND[name]) == []


@pytest.mark.cells(8)
@pytest.mark.parametrize("name", UNSOUND)
def test_leaking_tests_fail(name):
    definition, leak = UNSOUND[name]
    assert faults(definition), leak


def test_the_first_test_of_a_newcomer_passes_with_a_remark():
    """Larger numbers have more digits: the length of the prompt goes with the truth, and the numbers explain it."""
    shown = str(check_test(SOUND["die"]))
    assert "judged-v1 keeps the contract" in shown
    assert "remark  nothing tells: the length of the prompt goes with the truth" in shown
    assert "the words and numbers of the prompt explain" in shown
