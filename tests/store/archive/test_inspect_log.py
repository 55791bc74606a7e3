"""A run as a log of Inspect: read back by its functions, its command line and its viewer; sealed truth stays so."""

import json
import socket
import subprocess
import sys
import time
from urllib.error import URLError
from urllib.parse import quote
from urllib.request import urlopen

import pytest

from mensura.dialogue import Noted, Refused
from mensura.running.run import run
from mensura.store import open_store
from mensura.store.archive.inspect_log import export_log
from tests.inspect_tasks import WHY
from tests.waiting import end

ITEMS = [
    {"prompt": "What is 7 × 8?", "options": ["54", "56"], "answer": "56", "id": "product"},
    {"prompt": "Symbol of gold?", "answer": "Au", "id": "gold"},
    {"prompt": "A secret?", "answer": "no", "id": "secret"},
]
NOTES = {
    "model": "small",
    "messages": [{"role": "system", "content": "Rules."}, {"role": "user", "content": "7 × 8?"}],
    "reply": '{"answer": "56"}',
    "finish": "stop",
    "tokens_in": 12,
    "tokens_out": 4,
    "cost": 0.5,
}


def respond(ask):
    """Answer the first, refuse the last, and break at the second in the second epoch."""
    if ask.key == "product":
        return Noted("56", NOTES)
    if ask.key == "secret":
        return Refused("Not I.")
    respond.times += 1
    if respond.times > 1:
        raise RuntimeError("out of ideas")
    return "au"


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """Write a finished run of three items and two epochs as a log, and give it as Inspect reads it."""
    pytest.importorskip("inspect_ai", reason=WHY)
    from inspect_ai.log import read_eval_log

    folder = tmp_path_factory.mktemp("exported")
    (folder / "items.jsonl").write_text("\n".join(json.dumps(item) for item in ITEMS))
    respond.times = 0
    with open_store(folder / "lab.db") as store:
        head = run(f"{folder}/items.jsonl", respond, store=store, sessions=2, seed=4).head
        written = export_log(store, head.id, folder / "logs" / "run.eval")
    return head, written, read_eval_log(str(folder / "logs" / "run.eval"))


def test_items_and_epochs_are_samples_with_what_was_asked_said_and_scored(exported):
    head, written, log = exported
    assert written.rows == {"samples": 6}
    assert written.paths[0].stat().st_mode & 0o077 == 0
    assert (log.eval.task, log.eval.task_version, log.eval.config.epochs) == ("items", "1", 2)
    assert log.eval.metadata["mensura_run"] == head.id
    assert log.eval.metadata["seed"] == "4"
    sample = next(one for one in log.samples if (one.id, one.epoch) == ("product", 1))
    assert (sample.input, sample.choices, sample.target) == ("What is 7 × 8?", ["54", "56"], "B")
    assert [message.role for message in sample.messages] == ["system", "user", "assistant"]
    assert sample.output.completion == '{"answer": "56"}'
    assert (sample.model_usage["small"].input_tokens, sample.model_usage["small"].total_tokens) == (12, 16)
    assert sample.scores["accuracy"].value == 1.0
    assert sample.scores["accuracy"].answer == "B"


def test_failures_are_errors_and_refusals_are_not(exported):
    _, _, log = exported
    failed = next(one for one in log.samples if (one.id, one.epoch) == ("gold", 2))
    assert "out of ideas" in failed.error.message
    refused = next(one for one in log.samples if one.id == "secret")
    assert refused.error is None
    assert refused.metadata["outcome"] == "refused"


def test_the_mean_is_over_items_and_each_item_over_its_epochs(exported):
    _, _, log = exported
    (score,) = log.results.scores
    assert score.name == "accuracy"
    # 56 twice, gold once of two, the refused one never.
    assert score.metrics["mean"].value == pytest.approx((1 + 0.5 + 0) / 3)
    assert log.results.completed_samples == 5


def test_the_command_line_and_the_viewer_of_inspect_open_it(exported):
    _, written, log = exported
    path = written.paths[0]
    program = [sys.executable, "-m", "inspect_ai"]
    dumped = subprocess.run([*program, "log", "dump", str(path)], capture_output=True, text=True, check=True).stdout
    assert json.loads(dumped)["eval"]["eval_id"] == log.eval.eval_id
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [*program, "view", "--log-dir", str(path.parent), "--host", "127.0.0.1", "--port", str(port)]
    viewer = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        listed = fetch(f"http://127.0.0.1:{port}/api/logs", viewer)
        (file,) = listed["files"]
        shown = fetch(f"http://127.0.0.1:{port}/api/logs/{quote(file['name'], safe='')}", viewer)
    finally:
        end(viewer)
    assert [sample["id"] for sample in shown["samples"]] == [sample.id for sample in log.samples]


def fetch(address, viewer, *, patience=120):
    """Fetch JSON from a server that is starting, as long as it lives."""
    until = time.monotonic() + patience
    while time.monotonic() < until and viewer.poll() is None:
        try:
            with urlopen(address) as response:
                return json.load(response)
        except URLError:
            time.sleep(0.05)
    raise AssertionError(f"the viewer did not answer (status {viewer.poll()})")


def test_while_someone_can_still_be_asked_truths_and_scores_stay_sealed(tmp_path):
    pytest.importorskip("inspect_ai", reason=WHY)
    from inspect_ai.log import read_eval_log

    (tmp_path / "items.jsonl").write_text("\n".join(json.dumps(item) for item in ITEMS))
    respond.times = 0
    with open_store(tmp_path / "lab.db") as store:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(store.runs), "open", lambda self, id: False)
            head = run(f"{tmp_path}/items.jsonl", respond, store=store, seed=4).head
        written = export_log(store, head.id, tmp_path / "run.eval")
    log = read_eval_log(str(tmp_path / "run.eval"))
    assert "stay sealed" in str(written)
    assert {sample.target for sample in log.samples} == {""}
    assert not any(sample.scores for sample in log.samples)
    assert log.eval.metadata["truth"] == "sealed"
    assert not log.results.scores
