"""Tab completes verbs, tests, subjects and runs, and waits for no heavy import."""

import os
import subprocess
import sys

import pytest

HEAVY = ("sqlalchemy", "scipy", "pandas", "duckdb", "altair", "numba", "rich")


@pytest.fixture
def offered(mensura, monkeypatch):
    """Return what Tab offers behind some words, the last of which is not finished."""

    def offer(*words):
        monkeypatch.setenv("_MENSURA_COMPLETE", "bash_complete")
        monkeypatch.setenv("COMP_WORDS", " ".join(["mensura", *words]))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        lines = mensura().out.splitlines()
        monkeypatch.delenv("_MENSURA_COMPLETE")
        return [line.partition(",")[2] for line in lines]

    return offer


def test_verbs_tests_subjects_and_runs_are_completed(mensura, offered):
    run = mensura("run", "coin", "--as", "chance", "--json").json["run"]
    assert {"compare", "completion"} <= set(offered("comp"))
    assert "coin" in offered("run", "co")
    assert "coin-v1" in offered("run", "coin-v")
    assert "stated" in offered("run", "coin", "--as", "st")
    assert "subject=stated" in offered("run", "coin", "--as", "subject=st")
    assert "llm:" in offered("take", "coin", "--as", "ll")
    for verb in ("show", "resume", "export", "audit", "score", "report", "items", "compare"):
        assert run in offered(verb, "co"), verb
    assert "last" in offered("compare", run, "la")
    assert offered("list", "ru") == ["runs"]
    assert "run" in offered("help", "ru")


@pytest.mark.parametrize("words", ["comp", "run co", "show co", "help ru", "list ru"])
def test_a_key_press_waits_for_no_heavy_import(words, tmp_path):
    code = f"""
import sys
sys.argv = ["mensura"]
from mensura.cli.main import main
try:
    main()
except SystemExit:
    pass
print(*[name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)
"""
    typed = {"COMP_WORDS": f"mensura {words}", "COMP_CWORD": str(len(words.split()))}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **typed, "_MENSURA_COMPLETE": "bash_complete"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert done.stderr.strip() == ""


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_line_to_source_is_printed(mensura, shell):
    done = mensura("completion", shell)
    assert done.status == 0
    assert "_MENSURA_COMPLETE" in done.out
    assert f"mensura completion {shell}" in mensura("completion").out
