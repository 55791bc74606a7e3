"""The docs are true: every example runs, every verb and option is named, every link leads somewhere."""

import os
import re
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

from mensura.cli.main import cli

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *ROOT.glob("docs/**/*.md")])
FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```", re.M | re.S)


def environment():
    """Give what a user's shell has after installing: the command on the path, a store of their own."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "MENSURA_STORE": "mensura.db"}


def run_block(language, options, body, folder, names):
    """Do what a reader would do with one fenced example; one that needs a package waits for `make inspect`."""
    needed = re.search(r"needs=(\S+)", options)
    if needed and find_spec(needed[1]) is None:
        return
    if found := re.search(r"file=(\S+)", options):
        (folder / found[1]).write_text(body)
    if language == "python":
        exec(compile(body, "example", "exec"), names)
    elif language == "console":
        for line in body.splitlines():
            if line.startswith("$ "):
                status, said = run_line(line[2:], folder)
                assert status == 0, f"{line}\n{said}"


def run_line(line, folder):
    """Run a line of a shell: one of ours in this process, where everything is loaded, any other by the shell."""
    if line.startswith("mensura ") and not re.search(r"[|<>;&$]", line):
        done = CliRunner().invoke(cli, shlex.split(line, comments=True)[1:], env={"MENSURA_STORE": "mensura.db"})
        return done.exit_code, f"{done.output}\n{done.exception}"
    done = subprocess.run(line, shell=True, cwd=folder, env=environment(), capture_output=True, text=True, timeout=300)
    return done.returncode, f"{done.stdout}\n{done.stderr}"


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_example_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "example"}
    for language, options, body in FENCE.findall(page.read_text()):
        if "norun" not in options:
            run_block(language, options, body, tmp_path, names)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page):
    for target in re.findall(r"\]\(([^)#\s]+)", page.read_text()):
        if not target.startswith(("http", "mailto")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_verb_is_in_the_docs():
    from mensura.cli.main import VERBS

    text = "\n".join(page.read_text() for page in PAGES)
    missing = [verb for verb in VERBS if f"mensura {verb}" not in text]
    assert not missing
