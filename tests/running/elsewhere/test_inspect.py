"""Inspect runs its tasks as they are, and what it logged stands in the store: one evaluation, seen from all sides."""

import json
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner

from mensura.cli.main import cli
from mensura.errors import BadFile, BadParameter
from mensura.running.elsewhere.importing import import_log
from mensura.store import export_run, open_store
from mensura.store.sealed.proof import audit_run
from tests.inspect_tasks import TASKS, WHY, PlainModel
from tests.serving import serving

KEY = "sk-this-is-a-secret"


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory):
    """Run a task with tools under Inspect, two epochs of three samples, one of which the model cannot take."""
    pytest.importorskip("inspect_ai", reason=WHY)
    folder = tmp_path_factory.mktemp("evaluated")
    (folder / "tasks.py").write_text(TASKS)
    kept = []
    with pytest.MonkeyPatch.context() as patch, serving(PlainModel()) as model:
        from mensura.catalog.inspect import evaluation

        patch.setenv("MENSURA_API_KEY", KEY)
        read = evaluation.read_log
        patch.setattr(evaluation, "read_log", lambda path: kept.append(Path(path).read_bytes()) or read(path))
        words = ["run", f"inspect:{folder}/tasks.py@doubles", "--top", "3", "--sessions", "2", "--as", model.name]
        done = CliRunner().invoke(cli, [*words, "--seed", "1", "--store", str(folder / "lab.db"), "--json"])
        said, keys = json.loads(done.stdout), model.keys
    (folder / "logged.eval").write_bytes(kept[0])
    return folder, said, keys


def test_every_sample_and_epoch_is_a_session_with_its_scores(evaluated):
    _, said, keys = evaluated
    assert {name: count for name, count in said["sessions"].items() if count} == {"finished": 4, "lost": 2}
    assert said["scores"]["match"]["value"] == 1.0
    assert said["scores"]["length/characters"]["value"] == 7.0
    assert said["spent"]["tokens_in"] == 80
    assert said["test"] == "inspect:doubles-v0"
    assert keys == {f"Bearer {KEY}"}


def test_messages_tools_and_tokens_are_in_the_record_and_the_key_nowhere(evaluated):
    folder, said, _ = evaluated
    with open_store(folder / "lab.db") as store:
        record = next(one for one in store.records.of(said["run"]) if one.given().get("d2"))
        notes = record.answers[0].notes
        assert record.given() == {"d2": "It is 4"}
        assert notes["tools"] == [{"name": "double", "arguments": {"x": 2}, "result": "4"}]
        assert [message["role"] for message in notes["messages"]] == ["user", "assistant", "tool", "assistant"]
        assert (notes["tokens_in"], notes["tokens_out"], notes["finish"]) == (20, 10, "stop")
        assert store.truths.of(record.session)["inspect"]["match"]["value"] == 1.0
        audit_run(store, said["run"]).require()
        export_run(store, said["run"], folder / "tables", format="jsonl")
        lost = list(store.sessions.last_words(said["run"]).values())
    assert len(lost) == 2
    assert all("No answer for Bearer [key]." in words for words in lost)
    files = [folder / "lab.db", *(folder / "tables").iterdir()]
    assert not [file for file in files if KEY.encode() in file.read_bytes()]


def test_a_log_is_imported_once_with_everything_that_a_run_has(evaluated):
    folder, _, _ = evaluated
    with open_store(folder / "import.db") as store:
        imported = import_log(store, folder / "logged.eval")
        assert imported.added == {"sessions": 6, "items": 3}
        assert import_log(store, folder / "logged.eval").added == {}
        head = store.runs.find(imported.runs[0])
        assert head.opened
        assert head.cast == {"subject": "openai-api/mensura/small"}
        assert head.details["elsewhere"]["solvers"] == ["use_tools", "generate"]
        values = [
            one.scores.values["match"].values.tolist() for one in store.results.latest(head.id) if one.scores.values
        ]
        assert values == [[1.0]] * 4
        assert sorted(session.status for session in store.sessions.of(head.id)) == ["finished"] * 4 + ["lost"] * 2
        words = [session.last_words for session in store.sessions.of(head.id) if session.status == "lost"]
        assert all("Error code: 400" in one for one in words)
        audit_run(store, head.id).require()


def test_a_log_in_json_is_the_same_run(evaluated):
    from inspect_ai.log import read_eval_log, write_eval_log

    folder, _, _ = evaluated
    write_eval_log(read_eval_log(str(folder / "logged.eval")), str(folder / "logged.json"), format="json")
    done = CliRunner().invoke(cli, ["import", str(folder / "logged.json"), "--store", str(folder / "json.db")])
    again = CliRunner().invoke(cli, ["import", str(folder / "logged.json"), "--store", str(folder / "json.db")])
    sent = sha256((folder / "logged.json").read_bytes()).hexdigest()
    for said in (done, again):
        assert f"its SHA-256 is {sent}." in said.output
        assert "chains" not in said.output, "a log of Inspect has none that it could agree with"
    assert done.exit_code == 0
    assert "6 sessions, 3 items" in done.output


def test_what_is_no_log_is_said(evaluated, tmp_path):
    (tmp_path / "no.eval").write_text("nothing")
    (tmp_path / "no.json").write_text("[]")
    with open_store(tmp_path / "lab.db") as store:
        for name in ("no.eval", "no.json"):
            with pytest.raises(BadFile, match=f"{name} cannot be read as a log of Inspect"):
                import_log(store, tmp_path / name)


def test_only_language_models_with_known_settings_are_evaluated(evaluated):
    from mensura.catalog.inspect.evaluation import read_model
    from mensura.subjects import SubjectSpec

    assert read_model(SubjectSpec("llm:a/b@http://h/v1#temperature=0")) == ("a/b", "http://h/v1", {"temperature": 0})
    with pytest.raises(BadParameter, match="to language models only: --as llm:MODEL@URL; got chance"):
        read_model(SubjectSpec("chance"))
    with pytest.raises(BadParameter, match="Inspect has no setting 'memory'"):
        read_model(SubjectSpec("llm:a@http://h/v1#memory=0"))
