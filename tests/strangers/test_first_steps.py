"""Ten first steps that go wrong: each ends at once, with a message that says what happened and what to do next."""

import json
import os
import shlex
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from mensura.store import open_store

ROOT = Path(__file__).parents[2]
LIMIT = 240
SECRETS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "MENSURA_API_KEY", "MENSURA_STORE")
PROGRAM = """
import contextlib, io, json, subprocess, sys
from mensura.cli.main import main

for words in json.load(sys.stdin):
    if words[0] == "shell:":
        shell = subprocess.run(words[1:], capture_output=True, text=True, timeout=60)
        print(json.dumps([0, shell.stdout, ""]), flush=True)
        continue
    out, err, status = io.StringIO(), io.StringIO(), 0
    sys.argv = ["mensura", *words]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as leaving:
            status = leaving.code or 0
    print(json.dumps([status, out.getvalue(), err.getvalue()]), flush=True)
"""
"""Takes commands one after the other, those behind `shell:` by a shell; to start a program for each would take long."""


@dataclass
class Done:
    """What a command left."""

    status: int
    out: str
    err: str

    @property
    def line(self) -> str:
        """The one line that a failing command prints."""
        assert (self.status, self.out) == (1, "")
        (line,) = self.err.splitlines()
        return line


Steps = Callable[..., list[Done]]


@pytest.fixture
def steps(tmp_path: Path) -> Steps:
    """Run commands as someone new would, in a folder of their own, and read what each prints."""
    here = tmp_path / "here"
    here.mkdir()

    def take(*commands: str, first: str = "", **settings: str) -> list[Done]:
        """Run commands; `first` is done before them on a disk of 12 MB that is mounted there."""
        program = [sys.executable, "-c", PROGRAM]
        if first:
            if not FENCED_OFF:
                pytest.skip("mounting a small disk needs root or user namespaces")
            shell = f'mount -t tmpfs -o size=12m tmpfs . && cd "$PWD" && {{ {first}; }} && exec "$@"'
            program = [*FENCED_OFF, "sh", "-c", shell, "sh", *program]
        known = {name: value for name, value in os.environ.items() if name not in SECRETS} | settings
        asked = json.dumps([shlex.split(command) for command in commands])
        done = subprocess.run(program, cwd=here, env=known, input=asked, capture_output=True, text=True, timeout=LIMIT)
        assert done.stderr == ""
        found = [Done(*json.loads(line)) for line in done.stdout.splitlines()]
        assert len(found) == len(commands)
        assert not any("Traceback" in each.err for each in found)
        return found

    return take


def fence() -> list[str]:
    """Return the command that may mount disks that only its children see; nothing where this machine forbids it."""
    for command in (["unshare", "--mount"], ["unshare", "--map-root-user", "--mount"]):
        if shutil.which("unshare"):
            done = subprocess.run(
                [*command, "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True, timeout=LIMIT
            )
            if done.returncode == 0:
                return command
    return []


FENCED_OFF = fence()
READ_ONLY = "mount -o remount,ro ."
FULL = "{ dd if=/dev/zero of=fill bs=4k 2>/dev/null || true; }"


def test_a_missing_key_is_named(steps: Steps) -> None:
    (done,) = steps("run coin --as llm:gpt-4")
    assert done.status == 1
    assert "OPENAI_API_KEY" in done.err
    assert "export OPENAI_API_KEY=" in done.err


def test_a_server_that_is_not_there_is_named(steps: Steps) -> None:
    with socket.socket() as taken:
        # Bound and not listening: whoever connects is refused, and nobody else can take the port.
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        (done,) = steps(f"run coin --as llm:small@{address}")
    assert done.status == 1
    assert address.removesuffix("/v1") in done.err
    assert "nothing listens at" in done.err
    assert "Start its server, or correct the address" in done.err


def test_a_folder_that_can_only_be_read_is_named_with_another_place(steps: Steps, tmp_path: Path) -> None:
    run, new = steps("run coin --as chance", "new urn", first=READ_ONLY)
    assert f"No store can be created in {tmp_path}/here (Read-only file system)." in run.line
    assert "Go to a folder that you may write to" in run.line
    assert "--store ~/mensura.db" in run.line
    assert "urn.py cannot be written (Read-only file system); give another place." in new.line


@pytest.fixture
def kept(steps: Steps, tmp_path: Path) -> Path:
    """A store with a run."""
    steps(f"run coin --as chance --sessions 2 --store {tmp_path}/kept.db")
    return tmp_path / "kept.db"


def test_results_can_be_read_where_nothing_can_be_written(steps: Steps, kept: Path, tmp_path: Path) -> None:
    listed, here, elsewhere, run = steps(
        "list --runs",
        "report last -o report.html",
        f"report last -o {tmp_path}/report.html",
        "run coin --as chance",
        first=f"cp {kept} mensura.db && {READ_ONLY}",
    )
    assert "coin-v1" in listed.out
    assert "report.html cannot be written (Read-only file system); give another place." in here.line
    assert elsewhere.status == 0
    assert "coin-v1" in (tmp_path / "report.html").read_text()
    assert "can only be read. Copy it to where you may write, or name another with --store." in run.line


def test_a_full_disk_is_named_where_a_store_would_begin(steps: Steps) -> None:
    (run,) = steps("run coin --as chance", first=FULL)
    assert "The disk is full: there is no space left for the store" in run.line


def test_a_run_that_filled_the_disk_is_resumed_when_there_is_space(steps: Steps) -> None:
    stopped, _, resumed, listed = steps(
        "run coin --as chance --sessions 60",
        "shell: rm fill",
        "resume last",
        "list --runs",
        first=f"{FULL}; truncate -s -800k fill",
    )
    assert "The disk is full" in stopped.line
    assert "resume a run that was stopped with `mensura resume last`" in stopped.line
    assert resumed.status == 0
    assert "60 finished" in listed.out


def test_a_full_disk_leaves_no_half_of_a_file(steps: Steps, kept: Path) -> None:
    names = ["x.csv", "x.parquet", "x.xlsx", "x.jsonl", "x.zip", "tables/"]
    commands = [f"export last --to {name} --store {kept}" for name in names]
    commands += [f"report last -o report.html --store {kept}", "new urn"]
    *written, left = steps(*commands, "shell: find . -type f", first=FULL)
    for done in written:
        assert "cannot be written: the disk is full. Free some space" in done.line
    assert left.out.split() == ["./fill"]


HIDE = """
import sys


class Hide:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("ale_py", "aiohttp"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, Hide())
"""


def test_a_missing_extra_is_named_with_the_command_that_installs_it(steps: Steps, tmp_path: Path) -> None:
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden" / "sitecustomize.py").write_text(HIDE)
    arcade, model, listed = steps(
        "run arcade --as random",
        "run coin --as llm:x@http://127.0.0.1:9/v1",
        "list --runs",
        PYTHONPATH=str(tmp_path / "hidden"),
    )
    assert 'need ale-py: pip install "mensura[arcade]"' in arcade.line
    assert 'need aiohttp: pip install "mensura[llm]"' in model.line
    assert "arcade" not in listed.out


def test_a_wrong_name_is_answered_with_the_nearest(steps: Steps) -> None:
    answers = {
        "run coyn --as chance": "There is no test called 'coyn'. Did you mean coin?",
        "run zzzz --as chance": "There is no test called 'zzzz'. `mensura list` shows all of them.",
        "run ./coin.py:coin --as chance": "./coin.py cannot be read: No such file or directory. Check the path.",
        "run coin --as chanc": "There is no subject called 'chanc'. Did you mean chance?",
    }
    for done, message in zip(steps(*answers), answers.values(), strict=True):
        assert message in done.line


def old_store(path: Path) -> None:
    """Make a store as the first version wrote it."""
    with sqlite3.connect(path) as database:
        database.executescript((ROOT / "tests/store/schema-1.sql").read_text())
    database.close()


def test_an_old_store_is_brought_up_to_date_and_says_so(steps: Steps, tmp_path: Path) -> None:
    old_store(tmp_path / "here" / "mensura.db")
    first, second = steps("list --runs", "list --runs")
    assert first.status == 0
    assert "was written by an older Mensura. It was brought up to date, everything in it was kept" in first.err
    assert "coin-v1" in first.out
    assert "older" not in second.err


def test_an_old_store_that_can_only_be_read_says_what_to_do(steps: Steps, tmp_path: Path) -> None:
    old_store(tmp_path / "kept.db")
    (done,) = steps("list --runs", first=f"cp {tmp_path}/kept.db mensura.db && {READ_ONLY}")
    assert "has an older schema, written by an older Mensura, and can only be read here." in done.line
    assert "copy it there, and name the copy with --store" in done.line


def test_a_store_of_a_newer_version_is_refused_with_the_upgrade(steps: Steps, tmp_path: Path) -> None:
    open_store(tmp_path / "here" / "mensura.db").close()
    with sqlite3.connect(tmp_path / "here" / "mensura.db") as database:
        database.execute("UPDATE meta SET value = '999' WHERE name = 'schema'")
    database.close()
    (done,) = steps("list --runs")
    assert "was written by a newer Mensura" in done.line
    assert "install a newer Mensura" in done.line


def test_a_busy_port_is_named_with_the_option_for_another(steps: Steps) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        (done,) = steps(f"serve --port {port}")
    assert done.status == 1
    assert port in done.err
    assert "--port" in done.err
    assert "Serving" not in done.out + done.err


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
