"""Models that cannot be reached: said within seconds, with what to do, before anything is stored."""

import json
import socket
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from mensura.errors import Unreachable
from mensura.library import runs as library
from mensura.store import open_store
from tests.serving import serving
from tests.subjects.model.scripted import answered, model_server, said

PAGE = b"<!DOCTYPE html><html><body>Welcome</body></html>"


class Fixed(BaseHTTPRequestHandler):
    """Answers every request in one way."""

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.asked.append((self.command, self.path))
        if self.server.hangs:
            self.server.over.wait()
            return
        status, headers, body = self.server.reply
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST

    def log_message(self, *words):
        pass


@contextmanager
def fixed(status=200, body=b"", *, hangs=False, **headers):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Fixed)
    server.reply = status, {name.replace("_", "-"): value for name, value in headers.items()}, body
    server.hangs, server.over, server.asked = hangs, threading.Event(), []
    server.url = f"http://127.0.0.1:{server.server_address[1]}"
    with serving(server):
        try:
            yield server
        finally:
            server.over.set()


@pytest.fixture(autouse=True)
def no_keys(monkeypatch):
    for name in ("MENSURA_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


def refused(mensura, subject, *words, verb="run"):
    """Run a command that must be refused at once, and return what it said."""
    done = mensura(verb, "coin", "--as", subject, *words)
    assert done.status == 1
    assert done.out == ""
    assert done.err.count("\n") == 1
    assert mensura("list", "--runs", "--json").json == [], "nothing was run, so nothing is stored"
    return done.err.removeprefix("mensura: ").strip()


@pytest.mark.parametrize("verb", ["run", "take"])
@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("llm:gpt-4", "OPENAI_API_KEY"),
        ("llm:gpt-4#api=responses", "OPENAI_API_KEY"),
        ("llm:claude#api=messages", "ANTHROPIC_API_KEY"),
    ],
)
def test_a_key_that_is_not_set_is_named_without_asking_anybody(mensura, verb, name, key):
    plain = name.partition("#")[0]
    assert refused(mensura, name, verb=verb) == (
        f"{plain} needs {key}, which is not set: export {key}=..., or name a server of your own: "
        f"--as {plain}@http://localhost:8000/v1"
    )


@pytest.mark.parametrize(
    "wrapped",
    [
        "{}",
        "team:mean(chance,{})",
        "assisted:chance+({})",
        "solve:self-consistency({})",
        "team:vote(solve:critique({}),chance)",
    ],
)
def test_a_refused_connection_is_said_wherever_the_model_is(mensura, wrapped):
    port = free_port()
    model = f"llm:x@http://localhost:{port}/v1"
    said = refused(mensura, wrapped.format(model))
    assert said == (
        f"{model} cannot be asked: nothing listens at localhost:{port}. Start its server, or correct the address."
    )


@pytest.mark.parametrize("address", ["127.0.0.1:38106/v1", "localhost/v1", "my-host:8000", "models.example.org/v1"])
def test_an_address_without_http_is_told_what_is_missing(mensura, address):
    said = refused(mensura, f"llm:m@{address}")
    assert said == f"Write http:// before the address, or https://: llm:m@http://{address}"


@pytest.mark.parametrize("model", ["@cf/meta/llama-3", "claude-3-5-sonnet@20240620", "tuned@v1.2"])
def test_a_name_with_an_at_sign_is_a_name(mensura, model):
    assert "needs OPENAI_API_KEY" in refused(mensura, f"llm:{model}")


def test_a_host_that_does_not_exist_is_said(mensura):
    said = refused(mensura, "llm:x@http://no-such-host.invalid/v1")
    assert said.startswith("llm:x@http://no-such-host.invalid/v1 cannot be asked: no-such-host.invalid is not known")


@pytest.mark.parametrize(
    ("status", "body", "headers", "words"),
    [
        (401, b'{"error": "no"}', {}, "asks for a key (status 401), and neither MENSURA_API_KEY nor OPENAI_API_KEY is"),
        (
            404,
            b'{"error": "no model"}',
            {},
            "has no model 'x', or is not the address for clients. Correct the address.",
        ),
        (302, b"", {"Location": "http://127.0.0.1:1/login"}, "redirects to http://127.0.0.1:1/login. Name that"),
        (308, b"", {"Location": "https://127.0.0.1:1/v1"}, "redirects to https://127.0.0.1:1/v1. Name that address"),
        (
            200,
            PAGE,
            {"Content-Type": "text/html"},
            "answered with a web page. Correct the address.",
        ),
        (200, b"ready", {"Content-Type": "text/plain"}, "answered with something that is not JSON: 'ready'"),
        (200, b'{"status": "up"}', {"Content-Type": "application/json"}, "does not speak the chat protocol"),
        (400, b'{"error": {"message": "model x not found"}}', {}, "has no model 'x'"),
        (429, b'{"error": {"code": "insufficient_quota"}}', {}, "says that the quota of this key is used up"),
    ],
    ids=[
        "no key",
        "unknown",
        "redirect",
        "moved",
        "page",
        "plain text",
        "other",
        "unknown as 400",
        "quota",
    ],
)
def test_a_server_that_is_no_model_is_said_with_the_remedy(mensura, status, body, headers, words):
    with fixed(status, body, **headers) as server:
        said = refused(mensura, f"llm:x@{server.url}/v1")
    assert f"llm:x@{server.url}/v1 cannot be asked: {server.url}/v1 {words}" in said
    assert [path for method, path in server.asked] == ["/v1/models", "/v1/chat/completions"]


def test_an_address_without_its_end_is_told_how_most_end(mensura):
    with fixed(200, PAGE, Content_Type="text/html") as server:
        said = refused(mensura, f"llm:x@{server.url}")
    assert said.endswith("answered with a web page. Correct the address; it often ends in /v1.")


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ((200, PAGE, {"Content-Type": "text/html"}, 0), "answered with a web page"),
        ((302, b"", {"Location": "/login"}, 0), "redirects to /login"),
    ],
    ids=["page", "redirect"],
)
def test_an_address_that_lists_models_and_answers_with_pages_ends_the_run_at_the_first_answer(mensura, reply, words):
    with model_server(reply) as server:
        done = mensura("run", "coin", "--as", f"llm:small@{server.url}", "--sessions", "5", "--seed", "1")
        assert done.status == 3
        assert words in done.out + done.err
        assert len(server.requests) == 1


@pytest.mark.parametrize("length", [20, 1500])
def test_a_reply_that_was_cut_off_is_explained_to_the_end(mensura, length):
    with model_server(said('{"answer": 0.' + "3" * length, finish="length")) as server:
        done = mensura("run", "coin", "--as", f"llm:small@{server.url}", "--flips", "1", "--seed", "1")
    assert "3 invalid answers in a row" in done.err
    assert "The reply was cut off at the limit of tokens.\n" in done.err


def test_a_key_that_is_refused_is_named(mensura, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "a-wrong-key-of-ours")
    with fixed(401, b'{"error": "wrong key a-wrong-key-of-ours"}') as server:
        said = refused(mensura, f"llm:x@{server.url}/v1")
    assert "refuses the key in OPENAI_API_KEY (status 401). Set it to a key that it accepts" in said
    assert "a-wrong-key-of-ours" not in said


def test_an_unknown_model_is_told_which_there_are(mensura):
    with model_server((404, {"error": {"message": "no such model"}}, {}, 0)) as server:
        server.models = ["llama-3-8b", "qwen-2"]
        said = refused(mensura, f"llm:llama-3-8@{server.url}")
    assert "has no model 'llama-3-8'. Did you mean llama-3-8b?" in said


def test_a_model_that_hangs_is_said_and_waited_for(mensura, monkeypatch, caplog):
    monkeypatch.setattr("mensura.subjects.model.reaching.probe.PATIENCE", 1.0)
    monkeypatch.setattr("mensura.subjects.model.reaching.probe.LOOKING", 0.2)
    with fixed(hangs=True) as server:
        done = mensura(
            "run", "coin", "--as", f"llm:x@{server.url}/v1#answer_seconds=1#retries=0", "--flips", "1", "--seed", "1"
        )
    assert caplog.messages == [f"x at {server.url}/v1 has not answered within 1 s; the run waits for it."]
    assert done.status == 3


def test_a_model_that_is_listed_is_asked_nothing_more_than_the_test(mensura):
    with model_server(answered(0.5)) as server:
        done = mensura("run", "coin", "--as", f"llm:small@{server.url}", "--flips", "2", "--seed", "1", "--json")
        assert done.status == 0
        assert len(server.requests) == 2
        assert server.looked == 1


def test_a_model_that_no_list_names_is_asked_one_small_thing_which_is_counted(mensura, tmp_path):
    with model_server(answered(0.5, tokens=(10, 5))) as server:
        server.models = None
        subject = f"llm:small@{server.url}#price_in=1#price_out=2"
        assert mensura("run", "coin", "--as", subject, "--flips", "2", "--seed", "1").status == 0
        first, *others = server.requests
        assert len(others) == 2
        assert first["max_tokens"] == 16
        assert len(json.dumps(first)) < 200
        with open_store(tmp_path / "mensura.db") as store:
            spent, unknown = store.events.paid(store.runs.find("last").id)
        assert (round(spent * 1e6), unknown) == (3 * (10 + 2 * 5), 0)
        server.requests.clear()
        assert mensura("run", "coin", "--as", subject, "--flips", "2", "--seed", "1", "--no-probe").status == 0
        assert len(server.requests) == 2


def test_a_model_that_cannot_take_the_small_question_is_there_all_the_same(mensura):
    def step(request):
        if "max_tokens" in request:
            return 400, {"error": {"message": "Unsupported parameter: max_tokens; use max_completion_tokens"}}, {}, 0
        return answered(0.5)

    with model_server(step) as server:
        server.models = None
        assert mensura("run", "coin", "--as", f"llm:small@{server.url}", "--flips", "1", "--seed", "1").status == 0


def test_a_model_is_asked_once_for_several_runs(tmp_path):
    with model_server(answered(0.5)) as server, open_store(tmp_path / "x.db") as store:
        server.models = None
        for seed in (1, 2):
            library.run("coin", f"llm:small@{server.url}", store=store, seed=seed, parameters={"flips": 1})
        assert len(server.requests) == 3


def test_python_raises_the_same_sentence(tmp_path):
    port = free_port()
    with open_store(tmp_path / "x.db") as store:
        with pytest.raises(Unreachable, match=f"nothing listens at localhost:{port}"):
            library.run("coin", f"llm:x@http://localhost:{port}/v1", store=store)
        assert store.runs.all() == []


def test_answers_from_the_cache_need_no_model_and_a_missing_one_is_told_at_the_first_other(mensura, tmp_path):
    answers = ["--cache", str(tmp_path / "cache"), "--flips", "2"]
    with model_server(answered(0.5)) as server:
        subject = f"llm:small@{server.url}#first_wait=0.01"
        assert mensura("run", "coin", "--as", subject, "--seed", "1", *answers).status == 0
    assert mensura("run", "coin", "--as", subject, "--seed", "1", *answers).status == 0
    # Another patience is another connection, and no other answer.
    done = mensura("run", "coin", "--as", f"{subject}#answer_seconds=30", "--seed", "2", *answers)
    assert done.status == 3
    assert "nothing listens at" in mensura("show", "last").out


STUDY = """
name: reach
question: Does it answer?
test: coin
casts: {{one: chance, two: "llm:x@http://localhost:{port}/v1"}}
sessions: 2
"""


def test_a_study_asks_all_its_models_before_the_first_cell(mensura, tmp_path):
    port = free_port()
    (tmp_path / "plan.yaml").write_text(STUDY.format(port=port))
    done = mensura("study", "run", "plan.yaml")
    assert done.status == 1
    assert f"nothing listens at localhost:{port}" in done.err
    assert mensura("list", "--runs", "--json").json == []


def test_a_judge_that_cannot_be_reached_opens_no_panel(mensura, tmp_path):
    (tmp_path / "words.jsonl").write_text('{"id": "a", "prompt": "Say yes.", "answer": "yes"}\n')
    assert mensura("run", "words.jsonl", "--as", "constant:yes", "--seed", "1").status == 0
    port = free_port()
    done = mensura("panel", "judge", "last", "--by", f"llm:x@http://localhost:{port}/v1", "--labels", "2")
    assert done.status == 1
    assert f"nothing listens at localhost:{port}" in done.err
    with open_store(tmp_path / "mensura.db") as store:
        assert store.panels.names() == []


def test_a_run_that_is_resumed_asks_again(mensura):
    alone = {"Connection": "close"}
    with model_server((200, answered(0.5), alone, 0), (503, {}, alone, 0)) as server:
        subject = f"llm:small@{server.url}#retries=0"
        assert mensura("run", "coin", "--as", subject, "--flips", "2", "--seed", "1").status == 3
    done = mensura("resume", "last")
    assert done.status == 1
    assert "cannot be asked: nothing listens at 127.0.0.1" in done.err


def test_what_is_no_plain_web_server_is_said(mensura):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]

        def greet():
            while True:
                try:
                    guest, _ = listening.accept()
                except OSError:
                    return
                guest.sendall(b"SSH-2.0-OpenSSH_9.6\r\n")
                guest.close()

        threading.Thread(target=greet, daemon=True).start()
        words = refused(mensura, f"llm:x@http://127.0.0.1:{port}/v1")
        listening.shutdown(socket.SHUT_RDWR)
    assert f"llm:x@http://127.0.0.1:{port}/v1 cannot be asked:" in words


def test_a_server_that_is_busy_is_no_reason_not_to_begin(mensura):
    busy = 503, {"error": "loading the model"}, {}, 0
    with model_server(busy, busy, answered(0.5)) as server:
        server.models = None
        subject = f"llm:small@{server.url}#first_wait=0.01"
        assert mensura("run", "coin", "--as", subject, "--flips", "1", "--seed", "1").status == 0
