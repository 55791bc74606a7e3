"""What `make demo` says on machines where it cannot work: one sentence with what to do."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIMIT = 240


@pytest.fixture
def make(tmp_path):
    """Run make in a folder with nothing installed; `python` is the one it finds first."""
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    place = tmp_path / "a clone"
    place.mkdir()
    for name in ("Makefile", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, place)

    def run(target, *, python, **settings):
        tools = tmp_path / "bin"
        tools.mkdir()
        for name in ("sh", "grep", "tail", "touch", "id", "make"):
            (tools / name).symlink_to(shutil.which(name))
        (tools / "python3").write_text(f"#!/bin/sh\n{python}\n")
        (tools / "python3").chmod(0o755)
        known = {"PATH": str(tools), "HOME": str(tmp_path), **settings}
        known |= {name: os.environ[name] for name in ("LANG", "LC_ALL") if name in os.environ}
        done = subprocess.run(
            [shutil.which("make"), target], cwd=place, env=known, capture_output=True, text=True, timeout=LIMIT
        )
        return done, place

    return run


def test_a_python_that_is_too_old_is_named_before_anything_is_installed(make):
    old = 'if [ "$1" = --version ]; then echo Python 3.9.2; else exit 1; fi'
    done, place = make("demo", python=old)
    assert done.returncode != 0
    assert "Mensura needs Python 3.11 or newer, and python3 is Python 3.9.2." in done.stderr
    assert "make PYTHON=python3.12" in done.stderr
    assert done.stdout == ""
    assert not (place / ".venv").exists()


def test_a_machine_without_network_is_told_so_in_one_sentence(make):
    nobody = "http://127.0.0.1:9/simple"
    done, _ = make("demo", python=f'exec "{sys.executable}" "$@"', PIP_INDEX_URL=nobody, PIP_RETRIES="0")
    assert done.returncode != 0
    said = [line for line in done.stderr.splitlines() if not line.startswith("make")]
    assert said == [
        "The packages could not be installed: the Python package registry did not answer. "
        "Check this machine's network, then run make again."
    ]


def test_a_machine_without_bubblewrap_is_told_what_the_bare_room_needs(tmp_path):
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "bare.py")],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    assert done.returncode == 1
    assert done.stderr == (
        "bare: The bare room needs bubblewrap, which is not installed. On Debian: apt-get install bubblewrap\n"
    )
