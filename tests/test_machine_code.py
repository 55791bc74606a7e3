"""Kernels are compiled once for all clones and processes of a user, and anew when what they are made of has changed."""

import os
import subprocess
import sys

SOURCE = """
import sys
from pathlib import Path
from mensura.machine_code import compiler
from beside import FACTOR

@compiler(Path(__file__).parent, extra="detection")
def times(number):
    return FACTOR * number

print(times(3), sum(times.stats.cache_hits.values()), sum(times.stats.cache_misses.values()))
"""


def run_clone(folder, cache, *, factor=2):
    """Run the same kernel in a folder of its own; return its value, and how often it was read and compiled."""
    folder.mkdir(exist_ok=True)
    (folder / "kernel.py").write_text(SOURCE)
    (folder / "beside.py").write_text(f"FACTOR = {factor}\n")
    done = subprocess.run(
        [sys.executable, "kernel.py"],
        cwd=folder,
        env={**os.environ, "XDG_CACHE_HOME": str(cache)},
        capture_output=True,
        text=True,
        check=True,
        timeout=240,
    )
    return tuple(int(word) for word in done.stdout.split())


def test_a_second_clone_reads_what_the_first_compiled(tmp_path):
    assert run_clone(tmp_path / "first", tmp_path / "cache") == (6, 0, 1)
    assert run_clone(tmp_path / "second", tmp_path / "cache") == (6, 1, 0)


def test_a_change_in_a_file_beside_the_kernel_compiles_it_anew(tmp_path):
    assert run_clone(tmp_path / "first", tmp_path / "cache") == (6, 0, 1)
    assert run_clone(tmp_path / "first", tmp_path / "cache", factor=5) == (15, 0, 1)


def test_kernels_run_where_nothing_can_be_kept(tmp_path):
    (tmp_path / "cache").write_text("a file, where a folder would be made")
    assert run_clone(tmp_path / "first", tmp_path / "cache") == (6, 0, 1)
