"""Workers run every test that was collected, and outlive those that crash or never end."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.waiting import end, until

ROOT = Path(__file__).parents[1]

TESTS = """
import ctypes, os, subprocess, time
import pytest

@pytest.fixture(scope="module")
def child():
    with subprocess.Popen(["sleep", "1000"]) as program:
        with open("started", "w") as file:
            file.write(str(program.pid))
        yield program
        program.kill()

@pytest.mark.parametrize("number", range(100))
def test_passes(number, tmp_path):
    assert list(tmp_path.iterdir()) == []

def test_fails():
    print("what it printed")
    assert 1 == 2

def test_crashes():
    ctypes.string_at(0)

def test_never_ends(child):
    while True:
        time.sleep(0.1)

def test_wants_something():
    pytest.skip("A thing that no machine has is not installed")

def test_comes_last():
    pass
"""


PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "tests.workers"]


def environment():
    """Return one in which pytest leaves out the plugins that are installed: they take longer than the tests."""
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


def run_tests(folder, *options, source=TESTS):
    (folder / "test_some.py").write_text(source)
    (folder / "pytest.ini").write_text("[pytest]\nfaulthandler_exit_on_timeout = true\nfaulthandler_timeout = 2\n")
    return subprocess.run(
        [*PYTEST, "-p", "tests.skipped", *options],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=240,
    )


def test_every_test_is_run_once_though_some_crash_and_some_never_end(tmp_path):
    done = run_tests(tmp_path, "--workers", "2")
    assert done.returncode == 1
    assert "3 failed, 101 passed, 1 skipped" in done.stdout
    assert "what it printed" in done.stdout
    assert "test_some.py::test_crashes killed the process that ran it" in done.stdout
    assert "Segmentation fault" in done.stdout


def test_a_test_that_reaches_its_limit_is_named_with_its_stack_and_what_it_started_is_ended(tmp_path):
    done = run_tests(tmp_path, "--workers", "2", "-k", "never_ends or last")
    assert "test_some.py::test_never_ends reached its limit of 2 s" in done.stdout
    assert "in test_never_ends" in done.stdout
    assert "1 failed, 1 passed" in done.stdout
    started = int((tmp_path / "started").read_text())
    assert not running(started)


def test_what_was_skipped_for_want_of_what_is_said_at_the_end(tmp_path):
    done = run_tests(tmp_path, "--workers", "1", "-k", "wants")
    assert "1 test: A thing that no machine has is not installed" in done.stdout
    assert done.returncode == 0


LEAVING = """
import subprocess

def test_leaves_something_running():
    subprocess.Popen(["sleep", "1000"], start_new_session=True)
"""


def test_a_run_fails_by_what_a_test_left_running_and_ends_it(tmp_path):
    done = run_tests(tmp_path, "--workers", "1", source=LEAVING)
    assert done.returncode == 1
    assert "left running by tests" in done.stdout
    (line,) = [line for line in done.stdout.splitlines() if "sleep 1000" in line]
    assert not running(int(line.split()[0]))


def test_a_run_that_is_told_to_end_leaves_nothing_behind(tmp_path):
    (tmp_path / "test_some.py").write_text(TESTS)
    going = subprocess.Popen([*PYTEST, "--workers", "1", "-k", "never_ends"], cwd=tmp_path, env=environment())
    try:
        until((tmp_path / "started").exists)
    finally:
        assert end(going) != 0
    started = until((tmp_path / "started").read_text)
    assert not running(int(started))


def test_the_first_failure_ends_the_run_when_that_is_asked_for(tmp_path):
    done = run_tests(tmp_path, "--workers", "2", "-x", "-k", "fails or never_ends")
    assert "stopping after 1 failures" in done.stdout


def test_an_error_while_collecting_is_reported_and_nothing_is_run(tmp_path):
    done = run_tests(tmp_path, "--workers", "2", source="import nothing_of_this_name\n" + TESTS)
    assert done.returncode == 2
    assert "1 error" in done.stdout


def running(pid):
    """Return whether a process is still there, after giving the kernel a moment to bury it."""
    for _ in range(100):
        try:
            os.kill(pid, signal.SIGCONT)
            if "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text():
                return False
        except (ProcessLookupError, FileNotFoundError):
            return False
        time.sleep(0.1)
    return True
