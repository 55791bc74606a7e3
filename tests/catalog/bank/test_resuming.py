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


def test_a_bank_of_columns_is_found_again_from_another_folder(store, tmp_path, monkeypatch):
    home, away = tmp_path / "home", tmp_path / "away"
    home.mkdir()
    away.mkdir()
    (home / "a#1.csv").write_text("q,right,set\none?,1,x\ntwo?,2,y\nthree?,,x\n")
    monkeypatch.chdir(home)
    head = run("./a#1.csv#prompt=q#answer=right#tags=set", "chance", store=store, seed=1).head
    assert head.details["bank"] == {
        "mapping": {"prompt": "q", "answer": "right", "tags": "set"},
        "left_out": 0,
        "unscored": 1,
    }
    with store.database.writing() as connection:
        connection.exec_driver_sql("UPDATE sessions SET status = 'open' WHERE number = 1")
    monkeypatch.chdir(away)
    assert resume_run("last", store=store).counts["finished"] == 3
    (home / "a#1.csv").write_text("q,right,set\none?,1,x\ntwo?,3,y\nthree?,,x\n")
    with pytest.raises(BadFile, match="answers or groups were changed"):
        resume_run("last", store=store)
