"""jsPsych's data shape: one trial for each ask, with times in milliseconds; trials that a page gave stay trials."""

import json
from pathlib import Path

from mensura.dialogue.record import Answer, Record
from mensura.running.run import run
from mensura.store import export_run, open_store
from mensura.store.archive.jspsych import _trials_of

NEEDED = {"trial_type", "trial_index", "time_elapsed", "rt", "response", "internal_node_id", "stimulus"}


def test_each_ask_is_a_trial_of_its_session(tmp_path: Path) -> None:
    with open_store(tmp_path / "lab.db") as store:
        run("coin", "stated", store=store, sessions=2, seed=3, parameters={"flips": 3})
        head = store.runs.find("last")
        done = export_run(store, head.id, tmp_path / "out", format="jspsych")
        assert done.rows == {"trials": 6}
        trials = json.loads(done.paths[0].read_text())
        assert done.paths[0].stat().st_mode & 0o077 == 0
        named = export_run(store, head.id, tmp_path / "mine.json", format="jspsych").paths[0]
        assert json.loads(named.read_text()) == trials
    assert [one["trial_index"] for one in trials] == [0, 1, 2] * 2
    assert all(set(one) >= NEEDED for one in trials)
    first = trials[0]
    assert first["trial_type"] == "probability"
    assert first["internal_node_id"] == "0.0-0.0"
    assert "falls heads with chance" in str(first["stimulus"])
    assert 0 <= first["response"] <= 1
    assert first["correct_response"] in (0, 1)
    assert first["session"] != trials[3]["session"]
    assert all(one["time_elapsed"] is None or one["time_elapsed"] >= (one["rt"] or 0) for one in trials)


def test_a_page_that_gives_trials_is_exported_trial_by_trial(tmp_path: Path) -> None:
    example = Path(__file__).parents[3] / "examples" / "flanker.py"
    with open_store(tmp_path / "lab.db") as store:
        run(f"{example}:flanker", f"{example}:sharp", store=store, sessions=1, seed=3, parameters={"trials": 3})
        name = store.runs.find("last").id
        trials = json.loads(export_run(store, name, tmp_path / "out", format="jspsych").paths[0].read_text())
        assert next(iter(store.results.of(name).values())).values["accuracy"].values.tolist() == [1.0, 1.0, 1.0]
    assert [(one["trial_type"], one["trial_index"], one["rt"]) for one in trials] == [
        ("flanker", number, 400) for number in range(3)
    ]


def test_times_are_whole_milliseconds_from_the_beginning_of_the_session() -> None:
    answer = Answer(4, "subject", "k", "choice", "left", "answered", seconds=0.4567)
    missing = Answer(6, "subject", "m", "choice")
    record = Record("x-v1", {}, answers=[answer, missing])
    times = {1: 1000.0, 4: 1002.5, 6: 1003.0}
    (trial,) = _trials_of(record, answer, {}, times)
    assert (trial["rt"], trial["time_elapsed"]) == (457, 2957)
    (trial,) = _trials_of(record, missing, {}, times)
    assert (trial["rt"], trial["time_elapsed"], trial["response"]) == (None, None, None)


def test_trials_that_a_page_gave_stand_as_they_are() -> None:
    given = [{"trial_type": "flanker", "rt": 301, "trial_index": 0}, {"trial_type": "flanker", "rt": 280}]
    answer = Answer(2, "subject", "block", "flanker", given, "answered", seconds=3.0)
    made = _trials_of(Record("x-v1", {}), answer, {}, {})
    assert [one["rt"] for one in made] == [301, 280]
    assert {one["key"] for one in made} == {"block"}
