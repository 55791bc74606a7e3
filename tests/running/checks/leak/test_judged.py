"""Sixty honest and sixty leaking tests, forty of each by two who had not seen the audit, are told apart."""

import pytest

from mensura.dialogue import Test, test
from mensura.running.check import CHEATS, CheckOptions, check_test, make_trial
from mensura.running.checks.leak.telling import check_timing
from tests.proofs import proofs
from tests.running.checks.leak import second_stranger_tests, stranger_tests
from tests.running.checks.leak.honest_tests import HONEST
from tests.running.checks.leak.leaking_tests import LEAKING

ROLES = {"two_players": ("ann", "bob"), "more_time": ("ann", "bob")}


def declared(function) -> Test:
    roles = {"roles": ROLES[function.__name__]} if function.__name__ in ROLES else {}
    return test("judged-v1", **roles)(function)


STRANGERS = {"stranger": stranger_tests, "second": second_stranger_tests}
SOUND = {one.__name__: declared(one) for one in HONEST}
UNSOUND = {one.__name__: (declared(one), one.__doc__) for one in LEAKING}
for who, by in STRANGERS.items():
    SOUND |= {f"{who}-{name}": sound for name, sound in by.HONEST.items()}
    UNSOUND |= {f"{who}-{name}": told for name, told in by.LEAKING.items()}
HARD_SOUND = (
    "die",
    "path",
    "even_or_odd",
    "brackets",
    "stranger-cards",
    "stranger-median",
    "second-ordering",
    "second-wugs",
)
HARD_UNSOUND = (
    "full_stop",
    "key_parity",
    "told_earlier",
    "stranger-glossary",
    "stranger-founded",
    "second-mazes",
    "second-scouts",
    "second-riddles",
)


def hard_first(table, hard):
    """Return the hard cells of a table, which every run takes, and the others as proofs."""
    return [*hard, *proofs(*(name for name in table if name not in hard))]


def faults(definition):
    """Return what the audit holds against a test; times are left out, since this machine may be busy."""
    trial = make_trial(definition, options=CheckOptions())
    found = [check(trial) for check in CHEATS if check is not check_timing]
    return [str(check) for check in found if check.passed is False]


def test_sixty_are_honest_and_sixty_leak():
    assert (len(SOUND), len(UNSOUND)) == (60, 60)


@pytest.mark.parametrize("name", hard_first(SOUND, HARD_SOUND))
def test_honest_tests_pass(name):
    assert faults(SOUND[name]) == []


@pytest.mark.parametrize("name", hard_first(UNSOUND, HARD_UNSOUND))
def test_leaking_tests_fail(name):
    definition, leak = UNSOUND[name]
    assert faults(definition), leak


def test_the_first_test_of_a_newcomer_passes_with_a_remark():
    """Larger numbers have more digits: the length of the prompt goes with the truth, and the numbers explain it."""
    shown = str(check_test(SOUND["die"]))
    assert "judged-v1 keeps the contract" in shown
    assert "remark  nothing tells: the length of the prompt goes with the truth" in shown
    assert "the words and numbers of the prompt explain" in shown
