"""Compiled forms: the same counts as the plain ones, run by run, and the same by every way to run them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.catalog.constraints.same_runs import differences


def test_forms_agree_run_by_run_without_being_compiled():
    # The same functions, interpreted: compiling all of them would take longer than the rest of these tests.
    line = [sys.executable, "-m", "tests.catalog.constraints.same_runs", "8"]
    root = Path(__file__).parents[3]
    done = subprocess.run(
        line, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.proof
def test_forms_agree_run_by_run_when_compiled():
    wrong, compared = differences(100)
    assert compared > 600
    assert wrong == []
