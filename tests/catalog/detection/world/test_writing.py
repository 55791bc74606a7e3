"""The folder of a world: the same seed, the same bytes."""

import json
from hashlib import sha256

import duckdb
import pytest
from click.testing import CliRunner

from mensura.catalog.detection.command import generate
from mensura.errors import BadParameter


def run(folder, *more):
    arguments = ["--out", str(folder), "--individuals", "200", *more]
    return CliRunner().invoke(generate, arguments, catch_exceptions=False)


def digests(folder):
    return {
        str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix != ".duckdb"
    }


def rows(folder, name):
    with duckdb.connect(str(folder / "evidence" / "evidence.duckdb"), read_only=True) as connection:
        return connection.execute(f'SELECT * FROM "{name}"').fetchall()


def test_the_same_seed_writes_the_same_bytes_and_the_same_database(tmp_path):
    for name in ("a", "b"):
        assert run(tmp_path / name, "--seed", "7").exit_code == 0
    run(tmp_path / "c", "--seed", "8")
    assert digests(tmp_path / "a") == digests(tmp_path / "b")
    assert digests(tmp_path / "a") != digests(tmp_path / "c")
    for table in ("transactions", "names", "capabilities", "resources", "memberships", "modes", "targets"):
        assert rows(tmp_path / "a", table) == rows(tmp_path / "b", table)


def test_writing_twice_to_one_folder_replaces_it(tmp_path):
    run(tmp_path / "a", "--seed", "7")
    run(tmp_path / "a", "--seed", "8")
    run(tmp_path / "b", "--seed", "8")
    assert digests(tmp_path / "a") == digests(tmp_path / "b")


def test_parquet_and_database_hold_the_same_rows(tmp_path):
    run(tmp_path, "--seed", "7")
    path = tmp_path / "evidence" / "transactions.parquet"
    assert duckdb.sql(f"SELECT * FROM '{path}'").fetchall() == rows(tmp_path, "transactions")
    kinds = duckdb.sql(f"SELECT DISTINCT kind FROM '{path}'").fetchall()
    assert ("call",) in kinds


def test_evidence_does_not_hold_the_truth(tmp_path):
    run(tmp_path, "--seed", "7")
    reference = [json.loads(line) for line in (tmp_path / "truth" / "reference.jsonl").read_text().splitlines()]
    shown = {json.loads(line)["uid"] for line in (tmp_path / "evidence" / "cases.jsonl").read_text().splitlines()}
    hidden = [each["uid"] for each in reference if "-" in each["uid"] and each["uid"] not in shown]
    assert hidden
    text = "".join(
        path.read_text(errors="ignore") for path in (tmp_path / "evidence").iterdir() if path.suffix != ".duckdb"
    )
    assert not any(uid in text for uid in hidden)


def test_every_file_is_named_on_stdout_and_the_next_command_on_stderr(tmp_path):
    result = run(tmp_path, "--seed", "7")
    named = set(result.stdout.splitlines())
    assert named == {str(path) for path in tmp_path.rglob("*") if path.is_file()}
    assert "Next: mensura score detection" in result.stderr


def test_a_wrong_value_is_told_in_a_sentence(tmp_path):
    with pytest.raises(BadParameter, match="observe_call must be at most 1"):
        run(tmp_path, "--observe-call", "2")
