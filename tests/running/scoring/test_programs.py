"""Programs that were answered: run once, run only in a sandbox, and scored from what is stored."""

import pytest
from click.testing import CliRunner

from mensura.catalog.bank.dialogue import bank
from mensura.cli.main import cli
from mensura.errors import NotInstalled
from mensura.running.run import run
from mensura.running.scoring import programs
from mensura.running.scoring.programs import run_programs, verdict_on
from mensura.running.scoring.rescore import rescore
from mensura.store import open_store
from mensura.subjects.sandbox.confinement import BUBBLEWRAP, Confinement
from mensura.subjects.sandbox.sandbox import means_of

sandboxed = pytest.mark.skipif(means_of(Confinement()) != BUBBLEWRAP, reason="bubblewrap does not work here")
TESTS = ["assert add(1, 2) == 3", "assert add(-1, 1) == 0", "assert add('a', 'b') == 'ab'"]
RIGHT = "Here:\n```python\ndef add(a, b):\n    print('passed')\n    return a + b\n```"


@sandboxed
@pytest.mark.parametrize(
    ("answer", "passed", "why"),
    [
        (RIGHT, 3, None),
        ("def add(a, b): return a + int(b)", 2, "Test 3: ValueError"),
        ("import os; os._exit(0)", 0, ""),
        ("def add(a, b): raise SystemExit", 0, "Test 1: SystemExit"),
        ("def add(a, b) return", 0, "SyntaxError"),
        ("x = 'a' * 10**10\ndef add(a, b): return a + b", 0, "MemoryError"),
        ("print('0 0\\n' * 10**7)", 0, ""),
        ("import socket; socket.create_connection(('127.0.0.1', 22))", 0, "Error"),
        ("open('/etc/passwd')", 0, "No such file"),
    ],
)
def test_a_program_passes_only_what_it_does_right_within_its_limits(answer, passed, why):
    found = verdict_on(answer, TESTS, limits={"seconds": 60.0, "megabytes": 512})
    assert (found["passed"], found["tests"]) == (passed, 3)
    assert found.get("why") is None if why is None else why in found["why"]


@sandboxed
def test_a_program_that_never_ends_is_stopped():
    found = verdict_on("def add(a, b):\n    while True: pass", TESTS, limits={"seconds": 0.5})
    assert (found["passed"], found["tests"]) == (0, 3)
    assert "0.5" in found["why"]


def items():
    return bank([{"prompt": "Write add(a, b).", "answer": TESTS, "grade": "code", "id": "add"}], name="programs")


@sandboxed
def test_verdicts_are_stored_once_and_scores_only_read_them(tmp_path, monkeypatch):
    file = tmp_path / "mine.py"
    file.write_text(
        "from mensura.catalog.bank.dialogue import bank\n"
        f"programs = bank([{{'prompt': 'Write add(a, b).', 'answer': {TESTS!r}, 'grade': 'code', 'id': 'add'}}], "
        "name='programs')\n"
    )
    with open_store(tmp_path / "store.db") as store:
        made = run(f"{file}:programs", lambda ask: "def add(a, b): return a + int(b)", store=store, seed=1)
        assert made.scores["accuracy"].n == 0
        assert run_programs(made.head.id, store=store).sentence == "Ran 1 program in a sandbox: 0 passed all tests."
        scored = rescore(made.head.id, store=store)
        assert scored.scores["accuracy"].value == 0
        assert scored.scores["tests_passed"].value == pytest.approx(2 / 3)
        monkeypatch.setattr(programs, "verdict_on", None)
        assert run_programs(made.head.id, store=store).before == 1
        [session] = store.sessions.of(made.head.id)
        assert store.truths.history(session.id, "add/verdict")[0].source == "tests run in a sandbox (bubblewrap)"
    done = CliRunner().invoke(cli, ["score", made.head.id, "--code", "--store", str(tmp_path / "store.db")])
    assert "1 program had been run before, and keep" in done.stderr


def test_without_a_sandbox_nothing_is_run(monkeypatch, tmp_path):
    monkeypatch.setattr(programs, "means_of", lambda confinement: "not isolated")
    with open_store(tmp_path / "store.db") as store:
        made = run(items(), lambda ask: "x", store=store, seed=1)
        with pytest.raises(NotInstalled, match="run only in a sandbox"):
            run_programs(made.head.id, store=store)
