"""OpenAI's Responses, against a server that keeps what it is sent; bodies as its documentation gives them."""

import json
from contextlib import contextmanager

import numpy as np
import pytest

from mensura.dialogue import Ask, Call, Choice, Image, Probability, Refused, Text, Tool, test
from mensura.errors import SubjectLost
from mensura.subjects import SubjectSpec
from mensura.subjects.model.manner import SYSTEM
from tests.subjects.model.scripted import model_server

HEADS = Ask("Heads?", Probability(), key="heads")
ACTS = Call({"say": Tool("Say it.", {"words": Text()}), "wait": Tool("Wait.")})


@test("even-v1")
def even(rng):
    """Say the chance of heads."""
    yield HEADS


def said(*items, status="completed", **more):
    return {
        "id": "resp_1",
        "object": "response",
        "model": "small-1",
        "status": status,
        "error": None,
        "incomplete_details": None,
        "output": [text(item) if isinstance(item, str) else item for item in items],
        "usage": {"input_tokens": 10, "output_tokens": 5, "output_tokens_details": {"reasoning_tokens": 3}},
        **more,
    }


def text(words):
    parts = [{"type": "output_text", "text": words, "annotations": []}]
    return {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": parts}


def answered(value, **more):
    return said(json.dumps({"answer": value}), **more)


def calls(name, given, id="call_1"):
    return {"type": "function_call", "id": "fc_1", "call_id": id, "name": name, "arguments": json.dumps(given)}


@pytest.fixture(autouse=True)
def no_keys(monkeypatch):
    for name in ("MENSURA_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@contextmanager
def model(*script, **options):
    with model_server(*script) as server:
        spec = SubjectSpec(
            f"llm:small@{server.url}", {"api": "responses", "first_wait": 0.001, "retries": 2, **options}
        )
        subject = spec.make(even)
        subject.begin(np.random.default_rng(1))
        try:
            yield subject, server
        finally:
            subject.close()


def test_the_answer_is_forced_by_a_strict_format_and_nothing_is_kept_there():
    with model(answered("red"), settings={"reasoning": {"effort": "low"}}) as (subject, server):
        assert subject(Ask("Which?", Choice(("red", "blue")))).value == "red"
        subject(HEADS)
    request, second = server.requests
    assert server.paths[0] == ("/v1/responses", None)
    assert request["store"] is False
    assert request["reasoning"] == {"effort": "low"}
    assert "include" not in request
    assert request["text"]["format"] == {
        "type": "json_schema",
        "name": "answer",
        "strict": True,
        "schema": {
            "type": "object",
            "properties": {"answer": Choice(("red", "blue")).schema()},
            "required": ["answer"],
            "additionalProperties": False,
        },
    }
    assert request["input"][0] == {"role": "system", "content": SYSTEM}
    assert request["input"][1]["content"].startswith("Which?")
    assert [item["role"] for item in second["input"]] == ["system", "user", "assistant", "user"]


def test_an_act_is_a_function_call_and_the_sealed_thought_goes_back_with_its_output():
    thought = {
        "type": "reasoning",
        "id": "rs_1",
        "summary": [{"type": "summary_text", "text": "They wait."}],
        "encrypted_content": "sealed",
    }
    first = said(thought, calls("say", {"words": "hi"}))
    with model(first, settings={"reasoning": {"summary": "auto"}}) as (subject, server):
        reply = subject(Ask("Act.", ACTS))
        subject(Ask("They answered.", ACTS))
    assert reply.value == {"call": "say", "arguments": {"words": "hi"}}
    assert reply.notes["reasoning"] == "They wait."
    request = server.requests[0]
    assert request["tools"][0] == {
        "type": "function",
        "name": "say",
        "description": "Say it.",
        "parameters": ACTS.tools["say"].schema(),
        "strict": False,
    }
    assert request["tool_choice"] == "required"
    assert request["parallel_tool_calls"] is False
    assert request["include"] == ["reasoning.encrypted_content"]
    again, call, output = server.requests[1]["input"][-3:]
    assert again == thought
    assert call == {"type": "function_call", "call_id": "call_1", "name": "say", "arguments": '{"words":"hi"}'}
    assert (output["type"], output["call_id"]) == ("function_call_output", "call_1")
    assert output["output"].startswith("They answered.")


def test_tokens_refusals_and_what_was_cut_off_are_read():
    refusal = text("")
    refusal["content"] = [{"type": "refusal", "refusal": "I would rather not."}]
    cut = said("{", status="incomplete", incomplete_details={"reason": "max_output_tokens"})
    filtered = said(status="incomplete", incomplete_details={"reason": "content_filter"})
    with model(answered(0.5), said(refusal), cut, filtered) as (subject, _):
        notes = subject(HEADS).notes
        assert (notes["tokens_in"], notes["tokens_out"], notes["tokens_reasoning"]) == (10, 5, 3)
        assert (notes["model"], notes["finish"], notes["form"]) == ("small-1", "stop", "strict schema")
        assert subject(HEADS).value == Refused("I would rather not.")
        assert subject(HEADS).notes["finish"] == "length"
        assert isinstance(subject(HEADS).value, Refused)


def test_a_response_that_failed_is_asked_for_again():
    failed = said(status="failed", error={"code": "server_error", "message": "overloaded"})
    with model(failed, answered(0.5)) as (subject, _):
        reply = subject(HEADS)
    assert (reply.value, reply.notes["retries"]) == (0.5, 1)


def test_pictures_are_input_images_and_a_function_answers_where_formats_are_unknown():
    def step(request):
        if "text" in request:
            return 400, {"error": {"message": "Unsupported parameter: text.format.json_schema"}}, {}, 0
        assert request["tool_choice"] == {"type": "function", "name": "answer"}
        return said(calls("answer", {"answer": 0.25}))

    picture = Image(b"\x89PNG", "a coin")
    with model(step) as (subject, server):
        reply = subject(Ask(["Look:", picture], Probability()))
    assert (reply.value, reply.notes["form"]) == (0.25, "tool")
    words, image, _ = server.requests[-1]["input"][-1]["content"]
    assert words == {"type": "input_text", "text": "Look:"}
    assert image == {"type": "input_image", "image_url": picture.url}


def test_what_passes_is_tried_again_and_a_wrong_key_is_said():
    with model((429, {"error": {"message": "slow"}}, {"retry-after": "0.01"}, 0), answered(0.5)) as (subject, _):
        assert subject(HEADS).notes["retries"] == 1
    wrong = (401, {"error": {"message": "bad key"}}, {}, 0)
    with model(wrong) as (subject, _), pytest.raises(SubjectLost, match="OPENAI_API_KEY"):
        subject(HEADS)
