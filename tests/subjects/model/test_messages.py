"""Anthropic's Messages, against a server that keeps what it is sent; bodies as its documentation gives them."""

import json
from contextlib import contextmanager

import numpy as np
import pytest

from mensura.dialogue import Ask, Call, Choice, Image, Probability, Refused, Text, Tool, test
from mensura.errors import BadParameter, SubjectCrashed, SubjectLost
from mensura.subjects import SubjectSpec
from mensura.subjects.model.manner import SYSTEM
from tests.subjects.model.scripted import model_server

HEADS = Ask("Heads?", Probability(), key="heads")
ACTS = Call({"say": Tool("Say it.", {"words": Text()}), "wait": Tool("Wait.")})


@test("even-v1")
def even(rng):
    """Say the chance of heads."""
    yield HEADS


def said(*blocks, stop="end_turn", **usage):
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-small-1",
        "content": [{"type": "text", "text": block} if isinstance(block, str) else block for block in blocks],
        "stop_reason": stop,
        "usage": {"input_tokens": 10, "output_tokens": 5, **usage},
    }


def answered(value, **more):
    return said(json.dumps({"answer": value}), **more)


def uses(name, given, id="toolu_1"):
    return {"type": "tool_use", "id": id, "name": name, "input": given}


def error(kind, words="no"):
    return {"type": "error", "error": {"type": kind, "message": words}}


@pytest.fixture(autouse=True)
def no_keys(monkeypatch):
    for name in ("MENSURA_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@contextmanager
def model(*script, **options):
    with model_server(*script) as server:
        spec = SubjectSpec(f"llm:small@{server.url}", {"api": "messages", "first_wait": 0.001, "retries": 2, **options})
        subject = spec.make(even)
        subject.begin(np.random.default_rng(1))
        try:
            yield subject, server
        finally:
            subject.close()


def test_the_answer_is_forced_by_output_config_and_the_rules_are_the_system_prompt():
    with model(answered("red")) as (subject, server):
        assert subject(Ask("Which?", Choice(("red", "blue")))).value == "red"
    (request,) = server.requests
    assert server.paths[0][0] == "/v1/messages"
    sent = {name.lower() for name in server.headers[0]}
    assert "anthropic-version" in sent
    assert not sent & {"x-api-key", "authorization"}
    assert request["model"] == "small"
    assert request["max_tokens"] == 4096
    assert request["system"] == SYSTEM
    (message,) = request["messages"]
    assert message["role"] == "user"
    assert message["content"][0]["text"].startswith("Which?")
    assert request["output_config"]["format"] == {
        "type": "json_schema",
        "schema": {
            "type": "object",
            "properties": {"answer": Choice(("red", "blue")).schema()},
            "required": ["answer"],
            "additionalProperties": False,
        },
    }


def test_bounds_that_the_protocol_refuses_are_left_out_of_the_schema_and_stay_in_the_words():
    with model(answered(0.5), settings={"output_config": {"effort": "low"}, "max_tokens": 99}) as (subject, server):
        assert subject(HEADS).value == 0.5
    (request,) = server.requests
    assert request["output_config"]["format"]["schema"]["properties"]["answer"] == {"type": "number"}
    assert request["output_config"]["effort"] == "low"
    assert request["max_tokens"] == 99
    assert '"maximum":1' in request["messages"][0]["content"][0]["text"]


def test_an_act_is_a_tool_use_and_the_next_prompt_its_result_with_the_signed_thought_before_it():
    thought = {"type": "thinking", "thinking": "They wait.", "signature": "abc"}
    first = said(thought, uses("say", {"words": "hi"}), stop="tool_use")
    with model(first, said(uses("wait", {}, "toolu_2"), stop="tool_use")) as (subject, server):
        reply = subject(Ask("Act.", ACTS))
        assert subject(Ask("They answered.", ACTS)).value == {"call": "wait", "arguments": {}}
    assert reply.value == {"call": "say", "arguments": {"words": "hi"}}
    assert reply.notes["reasoning"] == "They wait."
    assert reply.notes["finish"] == "tool_calls"
    request = server.requests[0]
    assert request["tools"][0] == {
        "name": "say",
        "description": "Say it.",
        "input_schema": ACTS.tools["say"].schema(),
    }
    assert request["tool_choice"] == {"type": "any", "disable_parallel_tool_use": True}
    assistant, user = server.requests[1]["messages"][-2:]
    assert assistant == {"role": "assistant", "content": [thought, uses("say", {"words": "hi"})]}
    assert user["role"] == "user"
    assert user["content"][0]["type"] == "tool_result"
    assert user["content"][0]["tool_use_id"] == "toolu_1"
    assert user["content"][0]["content"].startswith("They answered.")


def test_pictures_go_as_base64_and_an_empty_reply_leaves_no_empty_message():
    picture = Image(b"\x89PNG", "a coin")
    with model(said(), answered(0.5)) as (subject, server):
        subject(Ask([picture, "Look."], Probability()))
        assert subject(HEADS).value == 0.5
    source = server.requests[0]["messages"][0]["content"][0]
    assert source == {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": picture.url.partition(",")[2]},
    }
    # Neighbours of one role are one message: roles alternate.
    assert [message["role"] for message in server.requests[1]["messages"]] == ["user"]


def test_tokens_read_from_a_cache_count_as_read_and_a_refusal_is_one():
    cached = answered(
        0.5,
        cache_creation_input_tokens=100,
        cache_read_input_tokens=7,
        output_tokens_details={"thinking_tokens": 3},
    )
    with model(cached, said("I would rather not.", stop="refusal"), said("{", stop="max_tokens")) as (subject, _):
        notes = subject(HEADS).notes
        assert (notes["tokens_in"], notes["tokens_out"], notes["tokens_reasoning"]) == (117, 5, 3)
        assert notes["model"] == "claude-small-1"
        assert subject(HEADS).value == Refused("I would rather not.")
        assert subject(HEADS).notes["finish"] == "length"


def test_results_of_tools_go_back_together_with_the_signed_thought_before_their_calls(tmp_path):
    (tmp_path / "mine.py").write_text('def add(first: int) -> int:\n    "Add one."\n    return first + 1\n')
    thought = {"type": "thinking", "thinking": "Hm.", "signature": "abc"}
    hidden = {"type": "redacted_thinking", "data": "xyz"}
    both = [uses("add", {"first": 1}), uses("add", {"first": 2}, "toolu_2")]
    script = [said(thought, hidden, "Adding.", *both, stop="tool_use"), answered(0.5)]
    with model(*script, tools=f"{tmp_path}/mine.py:add") as (subject, server):
        notes = subject(HEADS).notes
    first, second = server.requests
    assert first["tools"][0]["name"] == "add"
    assert first["tools"][0]["input_schema"]["required"] == ["first"]
    assert "output_config" in first
    assert "tool_choice" not in first
    assistant, results = second["messages"][-2:]
    assert assistant["content"] == [thought, hidden, {"type": "text", "text": "Adding."}, *both]
    assert results == {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "toolu_1", "content": "2"},
            {"type": "tool_result", "tool_use_id": "toolu_2", "content": "3"},
        ],
    }
    assert (notes["tokens_in"], notes["tokens_out"]) == (20, 10)


def test_a_server_without_structured_outputs_is_asked_by_a_tool():
    def step(request):
        if "output_config" in request:
            return 400, error("invalid_request_error", "output_config: Extra inputs are not permitted"), {}, 0
        assert request["tool_choice"] == {"type": "tool", "name": "answer"}
        return said(uses("answer", {"answer": 0.25}), stop="tool_use")

    with model(step) as (subject, _):
        reply = subject(HEADS)
    assert (reply.value, reply.notes["form"]) == (0.25, "tool")


@pytest.mark.parametrize(("status", "kind"), [(429, "rate_limit_error"), (529, "overloaded_error")])
def test_what_passes_is_tried_again(status, kind):
    with model((status, error(kind), {"retry-after": "0.01"}, 0), answered(0.5)) as (subject, _):
        assert subject(HEADS).notes["retries"] == 1


def test_a_wrong_key_is_said_and_a_key_is_sent_as_the_protocol_wants(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret")
    with model((401, error("authentication_error", "invalid x-api-key"), {}, 0)) as (subject, server):
        with pytest.raises(SubjectLost, match="ANTHROPIC_API_KEY") as failure:
            subject(HEADS)
        # Newer clients send it as a bearer.
        assert {"secret", "Bearer secret"} & set(server.headers[0].values())
    assert "secret" not in str(failure.value) + failure.value.last_words
    too_long = (400, error("invalid_request_error", "prompt is too long"), {}, 0)
    with model(too_long) as (subject, _), pytest.raises(SubjectCrashed, match="status 400"):
        subject(HEADS)


def test_log_probabilities_are_refused_before_anything_is_sent():
    with pytest.raises(BadParameter, match="The Messages protocol gives no log-probabilities: leave out #logprobs"):
        SubjectSpec("llm:small@http://127.0.0.1:9#api=messages#logprobs=true").find(even)
    assert SubjectSpec("llm:small@http://127.0.0.1:9#api=responses#logprobs=true").find(even) is not None
