"""A run as OpenTelemetry's spans: read by the real protocol package, without words unless asked, without truth ever."""

import base64
import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from mensura.cli.main import cli
from mensura.dialogue import Noted
from mensura.errors import BadParameter
from mensura.running.run import run
from mensura.store import open_store
from mensura.store.archive.spans import export_spans

ITEMS = [
    {"prompt": "What is 7 × 8?", "answer": "fifty-six", "id": "product"},
    {"prompt": "Symbol of gold?", "answer": "Au", "id": "gold"},
]
NOTES = {"model": "small-2", "messages": [{"role": "user", "content": "asked this"}], "reply": "said that"}
NOTES |= {"finish": "stop", "tokens_in": 12, "tokens_out": 4, "retries": 1}


def respond(ask):
    """Answer the first as a model would, and break at the second."""
    if ask.key == "gold":
        raise RuntimeError("out of ideas")
    return Noted("56", NOTES)


@pytest.fixture
def kept(tmp_path):
    """Give a store with a finished run, called as a language model is."""
    from mensura.subjects import SubjectSpec

    (tmp_path / "items.jsonl").write_text("\n".join(json.dumps(item) for item in ITEMS))
    with open_store(tmp_path / "lab.db") as store:
        spec = SubjectSpec("llm:small@http://models.example:8000/v1#memory=0", given=respond)
        run(f"{tmp_path}/items.jsonl", spec, store=store, seed=4)
        yield store


def read(path):
    """Parse a file as collectors do: OTLP writes ids as hex where the JSON of protocol buffers has base64."""
    traces = pytest.importorskip("opentelemetry.proto.trace.v1.trace_pb2", reason="the package that defines OTLP")
    from google.protobuf.json_format import ParseDict

    def decoded(data):
        if isinstance(data, list):
            return [decoded(one) for one in data]
        if not isinstance(data, dict):
            return data
        ids = ("traceId", "spanId", "parentSpanId")
        hexes = {name: base64.b64encode(bytes.fromhex(data[name])).decode() for name in ids if name in data}
        return {**{name: decoded(value) for name, value in data.items()}, **hexes}

    lines = [ParseDict(decoded(json.loads(line)), traces.TracesData()) for line in path.read_text().splitlines()]
    return [span for line in lines for span in line.resource_spans[0].scope_spans[0].spans]


def facts(span):
    """Read the attributes of a span or an event."""
    found = {}
    for one in span.attributes:
        value = getattr(one.value, one.value.WhichOneof("value"))
        found[one.key] = [each.string_value for each in value.values] if hasattr(value, "values") else value
    return found


def test_each_call_of_a_model_is_a_span_by_the_conventions(kept, tmp_path):
    written = export_spans(kept, "last", tmp_path / "spans.jsonl")
    assert written.rows == {"spans": 4}
    assert written.paths[0].stat().st_mode & 0o077 == 0
    spans = read(tmp_path / "spans.jsonl")
    assert all(len(span.trace_id) == 16 and len(span.span_id) == 8 for span in spans)
    chat = next(span for span in spans if span.name == "chat small")
    session = next(span for span in spans if span.span_id == chat.parent_span_id)
    assert session.trace_id == chat.trace_id
    assert session.name == "session items-v1"
    assert session.start_time_unix_nano <= chat.start_time_unix_nano <= chat.end_time_unix_nano
    assert chat.kind == chat.SPAN_KIND_CLIENT
    said = facts(chat)
    assert {name: said[name] for name in said if name.startswith(("gen_ai", "server"))} == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "models.example",
        "gen_ai.request.model": "small",
        "gen_ai.response.model": "small-2",
        "gen_ai.response.finish_reasons": ["stop"],
        "gen_ai.usage.input_tokens": 12,
        "gen_ai.usage.output_tokens": 4,
        "gen_ai.conversation.id": facts(session)["mensura.session"],
        "server.address": "models.example",
        "server.port": 8000,
    }
    (event,) = chat.events
    assert event.name == "gen_ai.evaluation.result"
    assert facts(event) == {"gen_ai.evaluation.name": "accuracy", "gen_ai.evaluation.score.value": 0.0}


def test_a_failure_is_an_error_of_its_span_and_session(kept, tmp_path):
    export_spans(kept, "last", tmp_path / "spans.jsonl")
    wrong = [span for span in read(tmp_path / "spans.jsonl") if span.status.code == span.status.STATUS_CODE_ERROR]
    assert sorted(span.name for span in wrong) == ["answer", "session items-v1"]
    assert {facts(span)["error.type"] for span in wrong} == {"crashed"}


def test_words_go_along_only_when_asked_and_truths_never(kept, tmp_path):
    bare, full = tmp_path / "bare.spans.jsonl", tmp_path / "spans.jsonl"
    store = ["--store", str(tmp_path / "lab.db")]
    assert CliRunner().invoke(cli, ["export", "last", "--to", str(bare), *store]).exit_code == 0
    assert CliRunner().invoke(cli, ["export", "last", "--to", str(full), "--content", *store]).exit_code == 0
    for word in ("asked this", "said that", "Symbol of gold"):
        assert word not in bare.read_text()
        assert word in full.read_text()
    assert "fifty-six" not in bare.read_text() + full.read_text()
    chat = next(span for span in read(full) if span.name == "chat small")
    assert json.loads(facts(chat)["gen_ai.input.messages"]) == [
        {"role": "user", "parts": [{"type": "text", "content": "asked this"}]}
    ]
    assert json.loads(facts(chat)["gen_ai.output.messages"])[0]["finish_reason"] == "stop"


def test_scores_wait_until_the_run_is_open(kept, tmp_path, monkeypatch):
    from mensura.store.log.runs import RunLedger

    find = RunLedger.find
    monkeypatch.setattr(RunLedger, "find", lambda self, name: replace(find(self, name), opened=None))
    written = export_spans(kept, "last", tmp_path / "spans.jsonl")
    assert "stay sealed" in str(written)
    assert "SHA-256" not in str(written)
    assert not any(span.events for span in read(tmp_path / "spans.jsonl"))


def test_content_is_for_spans_only(kept, tmp_path):
    words = ["export", "last", "--to", str(tmp_path / "a.zip"), "--content", "--store", str(tmp_path / "lab.db")]
    done = CliRunner().invoke(cli, words)
    assert isinstance(done.exception, BadParameter)
    assert "--content is for spans" in str(done.exception)
