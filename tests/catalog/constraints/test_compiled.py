"""Compiled forms: the same counts as the plain ones, run by run, and the same by every way to run them."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from mensura.catalog.constraints.algorithms.awcs import Awcs
from mensura.catalog.constraints.families.find import find_problem
from mensura.catalog.constraints.mail.mailman import Mailman
from mensura.catalog.constraints.order.find import ranks_of
from mensura.catalog.constraints.playing import play
from tests.catalog.constraints.same_runs import differences


def test_forms_agree_run_by_run_without_being_compiled():
    # The same functions, interpreted: compiling all of them would take longer than the rest of these tests. Four seeds
    # meet every problem once.
    line = [sys.executable, "-m", "tests.catalog.constraints.same_runs", "4"]
    root = Path(__file__).parents[3]
    done = subprocess.run(
        line, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_cap_on_nogoods_is_kept_by_leaving_the_compiled_form_aside():
    problem = find_problem("queens:n=4", np.random.default_rng(0))
    ranks = ranks_of(problem, "lex", np.random.default_rng(0))
    mailman = Mailman(problem, rng=np.random.default_rng(0))
    assert not play(mailman, ranks, Awcs(most=3), lambda name: np.random.default_rng(0))


@pytest.mark.proof
def test_forms_agree_run_by_run_when_compiled():
    wrong, compared = differences(100)
    assert compared > 600
    assert wrong == []
