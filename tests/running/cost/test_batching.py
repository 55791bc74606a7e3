"""Batches: requests are handed in together, once, and answered whenever the provider is done, also after a kill."""

import json
import os
import re
import signal
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from mensura.errors import BadParameter
from mensura.running.run import RunOptions, resume_run, run
from mensura.store import open_store
from mensura.store.log.deeds import BATCHED
from mensura.subjects.model.batch import batched, providers
from mensura.subjects.model.cost.spending import Spending
from tests.serving import serving

ITEMS = 12
POLL = 0.01


class Provider(BaseHTTPRequestHandler):
    """Both providers' interfaces, as far as they are needed; `reply` makes the answer to each request."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        server = self.server
        if self.path == "/v1/files":
            server.file = [json.loads(line) for line in re.findall(rb'^\{"custom_id.*\}\s*$', body, re.MULTILINE)]
            self.say(
                {"id": "file-1", "object": "file", "bytes": 1, "created_at": 1, "filename": "x", "purpose": "batch"}
            )
            return
        asked = json.loads(body)
        lines = server.file if self.path == "/v1/batches" else asked["requests"]
        server.batches.append({line["custom_id"]: line.get("body") or line["params"] for line in lines})
        server.metadata.append(asked.get("metadata"))
        self.say(self.state(len(server.batches) - 1))

    def do_GET(self):
        if re.search(r"/batches\?", self.path):
            listed = [self.state(number) for number in reversed(range(len(self.server.batches)))]
            self.say({"object": "list", "data": listed, "has_more": False, "first_id": None, "last_id": None})
            return
        number = int(re.search(r"-(\d+)", self.path)[1])
        batch = self.server.batches[number]
        if self.path.startswith("/v1/files/"):
            replies = [(key, *self.server.reply(body)) for key, body in batch.items()]
            self.say_lines(
                {"custom_id": key, "response": {"status_code": status, "body": said}, "error": None}
                for key, status, said in replies
            )
        elif self.path.endswith("/results"):
            replies = [(key, *self.server.reply(body)) for key, body in batch.items()]
            self.say_lines({"custom_id": key, "result": anthropic(status, said)} for key, status, said in replies)
        else:
            self.server.looks += 1
            self.say(self.state(number))

    def state(self, number):
        done, name = self.server.done, f"batch-{number}"
        if self.path.startswith("/v1/messages"):
            counts = dict.fromkeys(("canceled", "errored", "expired", "processing", "succeeded"), 0)
            counts["succeeded" if done else "processing"] = len(self.server.batches[number])
            place = f"{self.server.url}/v1/messages/batches/{name}/results" if done else None
            when = dict.fromkeys(("archived_at", "cancel_initiated_at", "ended_at"))
            when |= dict.fromkeys(("created_at", "expires_at"), "2126-01-01T00:00:00Z")
            state = "ended" if done else "in_progress"
            told = {"id": name, "type": "message_batch", "processing_status": state, "request_counts": counts}
            return told | when | {"results_url": place}
        else:
            more = {"endpoint": "/v1/chat/completions", "completion_window": "24h", "input_file_id": "file-1"}
            status = "completed" if done else "in_progress"
            file = f"file-{number}" if done else None
            more |= {"created_at": 2**32, "output_file_id": file, "metadata": self.server.metadata[number]}
            return {"id": name, "object": "batch", "status": status} | more

    def say(self, body):
        self.send(json.dumps(body).encode())

    def say_lines(self, lines):
        self.send("\n".join(map(json.dumps, lines)).encode())

    def send(self, text):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *words):
        pass


def anthropic(status, said):
    if status == 200:
        return {"type": "succeeded", "message": said}
    kind = "invalid_request_error" if status == 400 else "api_error"
    return {"type": "errored", "error": {"type": "error", "error": {"type": kind, "message": str(said)}}}


def answer(body):
    """Say yes, in the protocol of the request."""
    text = '{"answer": "yes"}'
    if "max_tokens" in body and "response_format" not in body:
        blocks = [{"type": "text", "text": text}]
        usage = {"input_tokens": 10, "output_tokens": 5}
        more = {"id": "m", "type": "message", "role": "assistant", "model": "small", "stop_sequence": None}
        return 200, {**more, "content": blocks, "stop_reason": "end_turn", "usage": usage}
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return 200, {"model": "small", "choices": [choice], "usage": {"prompt_tokens": 10, "completion_tokens": 5}}


@contextmanager
def provider():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    server.daemon_threads = True
    server.batches, server.looks, server.done, server.reply = [], 0, True, answer
    server.metadata = []
    server.url = f"http://127.0.0.1:{server.server_address[1]}"
    with serving(server):
        yield server


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(batched, "LINGER", 0.05)
    lines = [json.dumps({"prompt": f"Is {number} a number?", "answer": "yes"}) for number in range(ITEMS)]
    (tmp_path / "items.jsonl").write_text("\n".join(lines))
    return "./items.jsonl"


def options(**more):
    return RunOptions(spending=Spending(batch=POLL, **more))


def name_at(server, api="chat"):
    return f"llm:small@{server.url}/v1#api={api}#price_in=1#price_out=2#first_wait=0.001"


def test_copies_of_a_model_that_a_solver_asks_have_requests_of_their_own(file, tmp_path):
    with provider() as server, open_store(str(tmp_path / "x.db")) as store:
        name = f"solve:self-consistency({name_at(server)})#samples=3"
        result = run(file, name, store=store, seed=1, options=options())
        assert [len(batch) for batch in server.batches] == [3 * ITEMS]
    assert result.spent["tokens_in"] == 3 * ITEMS * 10


@pytest.mark.parametrize("api", ["chat", "messages"])
def test_all_requests_go_out_in_one_batch_and_each_answer_finds_its_item(file, tmp_path, api):
    with provider() as server, open_store(str(tmp_path / "x.db")) as store:
        result = run(file, name_at(server, api), store=store, sessions=2, seed=1, options=options())
        assert [len(batch) for batch in server.batches] == [2 * ITEMS]
        assert result.counts["finished"] == 2 * ITEMS
        assert result.scores["accuracy"].value == 1
        assert result.spent["cost"] == pytest.approx(2 * ITEMS * (10 + 2 * 5) / 1e6)
        noted = [deed.body["batch"] for deed in store.deeds.of_runs([result.head.id], kind=BATCHED)]
        assert [noted.count(""), noted.count("batch-0")] == [2 * ITEMS] * 2
        assert all(body["model"] == "small" for body in server.batches[0].values())


@pytest.mark.parametrize(("api", "status"), [("chat", 200), ("messages", 200), ("chat", 400), ("messages", 400)])
def test_a_key_that_a_batch_repeats_does_not_get_into_the_store(file, tmp_path, monkeypatch, api, status):
    key = "sk-very/secret-1"

    def telling(body):
        _, said = answer(body)
        return status, {**said, "model": f"small for {key}"} if status == 200 else {"error": {"message": key}}

    monkeypatch.setenv("MENSURA_API_KEY", key)
    with provider() as server, open_store(str(tmp_path / "x.db")) as store:
        server.reply = telling
        result = run(file, name_at(server, api) + "#retries=0", store=store, seed=1, options=options())
        told = repr([store.events.of(session.id, content=True) for session in store.sessions.of(result.head.id)])
    assert "[key]" in told
    assert not any(b"very/secret" in path.read_bytes() for path in tmp_path.glob("x.db*"))


@pytest.mark.parametrize("api", ["chat", "messages"])
def test_what_failed_in_a_batch_goes_into_the_next(file, tmp_path, api):
    def once(body):
        number = int(re.search(r"Is (\d+) a", json.dumps(body))[1])
        return answer(body) if number % 3 or len(server.batches) > 1 else (500, {"error": "oops"})

    with provider() as server, open_store(str(tmp_path / "x.db")) as store:
        server.reply = once
        result = run(file, name_at(server, api), store=store, seed=1, options=options())
    assert [len(batch) for batch in server.batches] == [ITEMS, ITEMS // 3]
    assert not server.batches[0].keys() & server.batches[1].keys()
    assert result.counts["finished"] == ITEMS


def test_a_batch_is_waited_for_after_a_kill_and_handed_in_once(file, tmp_path):
    url = str(tmp_path / "x.db")
    with provider() as server:
        server.done = False
        child = os.fork()
        if child == 0:
            try:
                with open_store(url) as store:
                    run(file, name_at(server), store=store, seed=1, options=options())
            finally:
                os._exit(0)
        while server.looks < 2:
            time.sleep(0.005)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        server.done = True
        with open_store(url) as store:
            result = resume_run("last", store=store)
    assert [len(batch) for batch in server.batches] == [ITEMS]
    assert result.counts["finished"] == ITEMS
    assert result.asked_again == 0


@pytest.mark.parametrize("api", ["chat", "messages"])
@pytest.mark.parametrize("reached", [True, False])
def test_a_batch_that_was_not_written_down_yet_is_found_again_after_a_kill(file, tmp_path, api, reached):
    """Kill the process when the provider has the batch and we have no id of it, or just before it is sent."""
    url = str(tmp_path / "x.db")
    kind = batched.BatchLedger if reached else providers.OpenAIBatches if api == "chat" else providers.AnthropicBatches

    def die(*words, **more):
        os.kill(os.getpid(), signal.SIGKILL)

    with provider() as server:
        # Somebody else's batch of the same size, and handed in later.
        other = {f"other-{number}": {"max_tokens": 1, "messages": []} for number in range(ITEMS)}
        child = os.fork()
        if child == 0:
            try:
                setattr(kind, "add" if reached else "submit", die)
                with open_store(url) as store:
                    run(file, name_at(server, api), store=store, seed=1, options=options())
            finally:
                os._exit(0)
        assert os.waitpid(child, 0)[1] == signal.SIGKILL
        assert len(server.batches) == int(reached)
        server.batches.append(other)
        server.metadata.append(None)
        with open_store(url) as store:
            result = resume_run("last", store=store)
    mine = [batch for batch in server.batches if batch is not other]
    assert [len(batch) for batch in mine] == [ITEMS]
    assert result.counts["finished"] == ITEMS
    assert result.asked_again == 0


def test_a_budget_holds_for_batches_too(file, tmp_path):
    with provider() as server, open_store(str(tmp_path / "x.db")) as store:
        subject = f'{name_at(server)}#settings={{"max_tokens":1000}}'
        result = run(file, subject, store=store, seed=1, options=options(most=0.01))
        assert result.spent["cost"] <= 0.01
        assert len(server.batches[0]) < ITEMS
        assert result.counts["finished"] == sum(map(len, server.batches)) == ITEMS


def test_batches_are_for_models_alone(file, tmp_path):
    with open_store(str(tmp_path / "x.db")) as store, pytest.raises(BadParameter, match="--batch is for language"):
        run(file, "chance", store=store, options=options())
