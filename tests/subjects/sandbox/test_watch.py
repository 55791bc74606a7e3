"""What the watch counts of processes and files, from a folder that looks like a sandbox's own."""

import os
import subprocess
import sys

import pytest

from mensura.subjects.outside.bounds import Bounds
from mensura.subjects.sandbox.watch import PAGE, Watch

PAGES = 1000


@pytest.fixture
def watch(tmp_path):
    """Watch a process of ours as if it were the first of a sandbox, and look at a folder as if it were its root."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    watching = Watch(process.pid, Bounds(memory_bytes=PAGES * PAGE))
    watching._root = str(tmp_path)
    for folder in ("proc", "tmp", "dev/shm"):
        (tmp_path / folder).mkdir(parents=True)
    yield watching
    watching.close()
    process.communicate(b"\n")


def add_process(root, number, *, pages, rollup=None):
    place = root / "proc" / str(number)
    (place / "fd").mkdir(parents=True)
    (place / "statm").write_text(f"{2 * pages} {pages} 0 0 0 0 0\n")
    if rollup is not None:
        (place / "smaps_rollup").write_text(rollup)


def too_much(watch):
    numbers = os.listdir(f"{watch._root}/proc")
    return watch._holds_too_much(numbers, [path for number in numbers for path in watch._opened(number)])


def test_what_processes_share_is_counted_once(watch, tmp_path):
    for number in (1, 2):
        add_process(tmp_path, number, pages=600, rollup=f"Rss: 9 kB\nPss: {300 * PAGE // 1024} kB\n")
    assert not too_much(watch)


def test_a_share_that_cannot_be_read_is_not_nothing(watch, tmp_path):
    for number in (1, 2):
        add_process(tmp_path, number, pages=600)
    assert too_much(watch)


def test_a_file_in_memory_that_is_mapped_too_is_counted_once(watch, tmp_path, monkeypatch):
    monkeypatch.setattr("mensura.subjects.sandbox.watch._memory_files", lambda opened: 600 * PAGE)
    written = "Pss: {0} kB\nPss_Shmem: {0} kB\n".format(600 * PAGE // 1024)
    add_process(tmp_path, 1, pages=600, rollup=written)
    assert not too_much(watch)
    add_process(tmp_path, 2, pages=500, rollup=f"Pss: {500 * PAGE // 1024} kB\nPss_Shmem: 0 kB\n")
    assert too_much(watch)


def test_processes_of_the_host_are_not_counted_before_the_sandbox_has_its_own():
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    # A sandbox that has not moved in yet sees the host's processes, of which there are many more than it may have.
    watching = Watch(process.pid, Bounds(processes=1))
    try:
        assert len([name for name in os.listdir(f"{watching._root}/proc") if name.isdigit()]) > 1
        assert watching._excess() == ""
    finally:
        watching.close()
        process.communicate(b"\n")
