"""Resuming a run of a bank: only with the items that it began with."""

import json

import pytest

from mensura.errors import BadFile
from mensura.running.run import resume_run, run
from mensura.store import open_store


@pytest.fixture
def store(tmp_path):
    with open_store(tmp_path / "mensura.db") as opened:
        yield opened


def test_a_bank_that_was_changed_is_not_resumed(store, tmp_path):
    file = tmp_path / "items.jsonl"
    lines = [json.dumps({"prompt": f"Question {n}", "options": ["a", "b"], "answer": "a"}) for n in range(4)]
    file.write_text("\n".join(lines))
    run(str(file), "chance", store=store, seed=1)
    with store.database.writing() as connection:
        connection.exec_driver_sql("UPDATE sessions SET status = 'open' WHERE number = 1")
    file.write_text("\n".join(lines).replace('"answer": "a"', '"answer": "b"'))
    with pytest.raises(BadFile, match="answers or groups were changed"):
        resume_run("last", store=store)
    file.write_text("\n".join(lines[1:]))
    with pytest.raises(BadFile, match="1 of its items are gone or changed"):
        resume_run("last", store=store)
    file.write_text("\n".join(reversed(lines)))
    assert resume_run("last", store=store).counts["finished"] == 4
