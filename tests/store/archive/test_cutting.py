"""Cutting: an archive from which something was taken, or in which lines were doubled or turned round, is refused."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mensura.store import Store, export_run
from tests.store.archive.conftest import SESSION, Begin, Turn, rewrite
from tests.store.archive.test_reader import refused

Files = dict[str, bytes]


@pytest.fixture
def two_runs(filled: Store, begin: Begin, turn: Turn, tmp_path: Path) -> Path:
    """Give an archive of two runs; one session of the first was excluded."""
    begin(filled, "other-1", sessions=1)
    filled.events.append("other-1/0.0.0", turn(0))
    filled.exclusions.decide(SESSION, reason="Fire alarm.", who="ada")
    path = tmp_path / "both.zip"
    export_run(filled, ["coin-1", "other-1"], path, format="zip")
    return path


def change(files: Files, table: str, edit: Callable[[list[dict[str, Any]]], list[dict[str, Any]]]) -> None:
    """Change the lines of a table."""
    lines = edit([json.loads(line) for line in files[f"{table}.jsonl"].splitlines()])
    files[f"{table}.jsonl"] = b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def cut_exclusion(files: Files) -> None:
    """Take the last decision with its link off a session, and let its head be the one before."""
    mine = [json.loads(line) for line in files["links.jsonl"].splitlines()]
    mine = [line for line in mine if line["session"] == SESSION]
    change(files, "exclusions", lambda lines: [])
    change(files, "links", lambda lines: [line for line in lines if line != mine[-1]])
    change(
        files,
        "sessions",
        lambda lines: [{**line, "head": mine[-2]["head"]} if line["id"] == SESSION else line for line in lines],
    )


def cut_run(files: Files) -> None:
    """Take out the second run with all that is its own, and its entry in the manifest."""
    change(files, "runs", lambda lines: lines[:1])
    change(files, "sessions", lambda lines: [line for line in lines if line["run"] == "coin-1"])
    for table in ("events", "truths", "results", "exclusions", "deeds", "links"):
        change(files, table, lambda lines: [line for line in lines if line["session"].startswith("coin-1/")])
    manifest = json.loads(files["manifest.json"])
    manifest["runs"] = ["coin-1"]
    if "ends" in manifest:
        del manifest["ends"]["other-1"]
    files["manifest.json"] = json.dumps(manifest).encode()


@pytest.mark.parametrize("cut", [cut_exclusion, cut_run])
def test_an_archive_whose_end_was_cut_off_is_refused_though_its_checksums_fit(
    two_runs: Path, target: Store, cut: Callable[[Files], None]
) -> None:
    rewrite(two_runs, cut, seal="checksums")
    refused(target, two_runs, "something was taken out of it or changed after it was written")


@pytest.mark.parametrize(
    ("table", "edit", "words"),
    [
        ("events", lambda lines: lines[::-1], "events of session 'other-1/0.0.0' are out of place"),
        ("events", lambda lines: [*lines[:4][::-1], *lines[4:]], f"events of session '{SESSION}' are out of place"),
        ("links", lambda lines: lines[::-1], "links of session 'other-1/0.0.0' are out of place"),
        ("exclusions", lambda lines: lines * 2, f"exclusions.jsonl has a line of session '{SESSION}' twice"),
        ("results", lambda lines: lines * 2, f"results.jsonl has a line of session '{SESSION}' twice"),
        ("events", lambda lines: [lines[0], *lines], f"events of session '{SESSION}' are out of place"),
        ("links", lambda lines: [lines[0], *lines], f"links of session '{SESSION}' are out of place"),
        ("sessions", lambda lines: [*lines, lines[0]], f"session '{SESSION}' appears in it twice"),
        ("runs", lambda lines: [*lines, lines[0]], "run 'coin-1' appears in it twice"),
    ],
)
def test_lines_that_are_doubled_or_turned_round_are_refused_in_a_sentence(
    two_runs: Path, target: Store, table: str, edit: Callable[[Any], Any], words: str
) -> None:
    rewrite(two_runs, lambda files: change(files, table, edit))
    refused(target, two_runs, words)
