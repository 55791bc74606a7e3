"""Compiled code is kept between processes, and never outlives the source it was made from."""

import re
import subprocess
import sys

from mensura.catalog.lambda_star.batch.compiled import FOLDERS

INNER = """
from mensura.catalog.lambda_star.batch.compiled import compiled

@compiled
def inner():
    return {value}
"""
OUTER = """
from inner import inner
from mensura.catalog.lambda_star.batch.compiled import compiled

@compiled
def outer():
    return inner()
"""
MAIN = """
import sys
from pathlib import Path
from mensura.catalog.lambda_star.batch import compiled

compiled.FOLDERS = (Path({folder!r}),)
sys.path.insert(0, {folder!r})
from outer import outer

print(outer(), sum(outer.stats.cache_hits.values()))
"""


def value_and_hits(folder):
    words = [sys.executable, "-c", MAIN.format(folder=str(folder))]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return tuple(int(word) for word in done.stdout.split())


def test_a_change_in_one_file_is_seen_by_what_calls_it_from_another(tmp_path, monkeypatch):
    # The cache goes by content: that of the user may hold these functions from an earlier run.
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "outer.py").write_text(OUTER)
    (tmp_path / "inner.py").write_text(INNER.format(value=1))
    assert value_and_hits(tmp_path) == (1, 0)
    assert value_and_hits(tmp_path) == (1, 1)
    (tmp_path / "inner.py").write_text(INNER.format(value=2))
    assert value_and_hits(tmp_path) == (2, 0)


def test_compiled_code_calls_nothing_outside_the_folders_whose_changes_are_seen():
    package = FOLDERS[0].parent
    compiling = [path for path in package.rglob("*.py") if "@compiled" in path.read_text()]
    assert {path.parent for path in compiling} == set(FOLDERS)
    for path in compiling:
        used = re.findall(r"^from mensura\.catalog\.lambda_star\.(\w+)", path.read_text(), re.M)
        assert set(used) <= {folder.name for folder in FOLDERS}, path
