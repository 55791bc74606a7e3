"""Language models, against a real server that speaks the protocol of chat completions."""

import json
import re
import time
from contextlib import contextmanager
from email.utils import formatdate

import numpy as np
import pytest

from mensura.dialogue import (
    Ask,
    Call,
    Choice,
    Distribution,
    Image,
    Limits,
    Outcome,
    Probability,
    Refused,
    Text,
    Tool,
    test,
)
from mensura.errors import BadParameter, SubjectCrashed, SubjectFlooded, SubjectLost, SubjectTimedOut
from mensura.subjects import SubjectSpec
from mensura.subjects.model.manner import SYSTEM, Manner
from mensura.subjects.model.reaching.waits import longest_wait
from mensura.subjects.outside.protocol import Unreadable
from tests.subjects.model.scripted import answered, model_server, said

HEADS = Ask("Heads?", Probability(), key="heads")
HASTY = Manner(first_wait=0.001, retries=3)


@test("even-v1")
def even(rng):
    """Say the chance of heads."""
    yield HEADS


@pytest.fixture(autouse=True)
def no_keys(monkeypatch):
    for name in ("MENSURA_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@contextmanager
def model(*script, manner=HASTY, seconds=5.0, output_bytes=1_000_000):
    """Serve a script and give the subject that meets it, with its server."""
    with model_server(*script) as server:
        limits = {"answer_seconds": seconds, "output_bytes": output_bytes}
        subject = SubjectSpec(f"llm:small@{server.url}", {**vars(manner), **limits}).make(even)
        subject.begin(np.random.default_rng(1))
        try:
            yield subject, server
        finally:
            subject.close()


def test_a_long_schema_is_said_once_as_long_as_it_is_remembered():
    long = Choice(tuple(f"option number {number}" for number in range(60)))
    for manner, times in ((HASTY, 1), (Manner(first_wait=0.001, memory=1), 2)):
        with model(answered("option number 3"), manner=manner) as (subject, server):
            subject(Ask("Which?", long))
            subject(Ask("And now?", long))
            subject(Ask("Heads?", Choice(("yes", "no"))))
            subject(Ask("Again?", long))
        asked = [request["messages"][-1]["content"] for request in server.requests]
        assert [("this JSON schema" in words) for words in asked] == [True, times == 2, True, True]
        assert all(request["response_format"] for request in server.requests)


def test_the_schema_of_the_space_forces_the_answer():
    space = Choice(("red", "blue"))
    with model(answered("red")) as (subject, server):
        assert subject(Ask("Which?", space)).value == "red"
    request = server.requests[0]
    assert server.paths == [("/v1/chat/completions", None)]
    assert request["model"] == "small"
    forced = request["response_format"]
    assert forced["type"] == "json_schema"
    assert forced["json_schema"]["strict"] is True
    assert forced["json_schema"]["schema"] == {
        "type": "object",
        "properties": {"answer": space.schema()},
        "required": ["answer"],
        "additionalProperties": False,
    }
    system, user = request["messages"]
    assert system == {"role": "system", "content": SYSTEM}
    assert user["content"].startswith("Which?")
    assert '"enum":["red","blue"]' in user["content"]


def test_a_schema_with_optional_parts_is_not_sent_as_strict():
    tools = Call({"say": Tool("Say it.", {"words": Text(), "to": Text()}, optional=("to",))})

    def step(request):
        if "tools" in request:
            return 400, {"error": "tools are not supported"}, {}, 0
        return answered({"call": "say", "arguments": {"words": "hi"}})

    with model(step) as (subject, server):
        assert subject(Ask("Act.", tools)).value == {"call": "say", "arguments": {"words": "hi"}}
    assert server.requests[1]["response_format"]["json_schema"]["strict"] is False


def test_tokens_cost_prompts_and_reply_are_noted():
    manner = Manner(price_in=2.0, price_out=10.0)
    with model(answered(0.25, tokens=(1000, 50)), manner=manner) as (subject, server):
        first = subject(HEADS)
        second = subject(HEADS)
    notes = first.notes
    assert (notes["tokens_in"], notes["tokens_out"]) == (1000, 50)
    assert notes["cost"] == pytest.approx(1000 * 2e-6 + 50 * 10e-6)
    assert notes["model"] == "small-1"
    assert notes["reply"] == '{"answer": 0.25}'
    assert notes["messages"] == server.requests[0]["messages"]
    assert notes["retries"] == 0
    assert notes["form"] == "strict schema"
    # Every message of a session is kept once.
    assert second.notes["messages"] == server.requests[1]["messages"][-1:]
    json.dumps(notes)


def test_what_is_not_known_is_not_counted_as_zero():
    with model(answered(0.25, tokens=None)) as (subject, _):
        notes = subject(HEADS).notes
    assert notes["tokens_in"] is notes["tokens_out"] is notes["cost"] is None


def test_the_session_is_remembered_and_then_forgotten():
    with model(answered(0.1), answered(0.2), answered(0.3)) as (subject, server):
        subject(Ask("One?", Probability()))
        subject.feedback(Ask("It was heads.", reward=0.5))
        subject(Ask("Two?", Probability(), reward=0.75))
        subject.end(Outcome())
        subject.begin(np.random.default_rng(2))
        subject(Ask("Three?", Probability()))
    roles = [[message["role"] for message in request["messages"]] for request in server.requests]
    assert roles == [["system", "user"], ["system", "user", "assistant", "user"], ["system", "user"]]
    assert server.requests[1]["messages"][2]["content"] == '{"answer": 0.1}'
    told = server.requests[1]["messages"][3]["content"]
    assert told.index("It was heads.") < told.index("0.5") < told.index("0.75") < told.index("Two?")


@pytest.mark.parametrize(("memory", "lengths"), [(0, [2, 2, 2]), (1, [2, 4, 4]), (None, [2, 4, 6])])
def test_memory_can_be_kept_short(memory, lengths):
    with model(answered(0.1), manner=Manner(memory=memory)) as (subject, server):
        for _ in range(3):
            subject(HEADS)
    assert [len(request["messages"]) for request in server.requests] == lengths


def test_settings_and_a_seed_are_sent():
    manner = Manner(system="", settings={"temperature": 0.0}, seeded=True)
    with model(answered(0.1), manner=manner) as (subject, server):
        subject(HEADS)
    request = server.requests[0]
    assert request["temperature"] == 0.0
    assert request["seed"] == int(np.random.default_rng(1).integers(2**31))
    assert [message["role"] for message in request["messages"]] == ["user"]


def test_pictures_are_sent_as_pictures_and_noted_by_their_hash():
    picture = Image(b"\x89PNG", "a coin")
    drawing = Image(b"<svg/>", "a drawing", "image/svg+xml")
    with model(answered(0.1)) as (subject, server):
        notes = subject(Ask(["Look:", picture, drawing], Probability())).notes
    text, image, words, _ = server.requests[0]["messages"][-1]["content"]
    assert text == {"type": "text", "text": "Look:"}
    assert image == {"type": "image_url", "image_url": {"url": picture.url}}
    assert words["text"] == "[Picture: a drawing]"
    assert picture.url not in json.dumps(notes)
    assert len(notes["messages"][-1]["content"][1]["sha256"]) == 64


@pytest.mark.parametrize(
    "text",
    [
        '{"answer": 0.5}',
        'Sure! ```json\n{"answer": 0.5}\n``` Anything else?',
        '<think>Perhaps {"answer": 0.1}? No.</think> {"answer": 0.5}',
    ],
)
def test_the_answer_is_found_among_other_words(text):
    with model(said(text)) as (subject, _):
        assert subject(HEADS).value == 0.5


@pytest.mark.parametrize("text", ["", "1.5", "{}", "[1]", '{"answer": ', '{"answer": "\\ud800"}', "[" * 50_000])
def test_a_reply_out_of_form_is_invalid_and_still_counted(text):
    with model(said(text)) as (subject, _):
        reply = subject(HEADS)
    assert isinstance(reply.value, Unreadable)
    assert reply.notes["tokens_out"] == 5


def test_an_answer_that_was_not_valid_is_said_before_it_is_asked_again():
    with model(answered(1.7), answered(0.7)) as (subject, server):
        assert subject(HEADS).value == 1.7
        subject.feedback(Ask("That answer was not valid: A probability lies between 0 and 1; got 1.7."))
        assert subject(HEADS).value == 0.7
    messages = server.requests[1]["messages"]
    assert messages[2]["content"] == '{"answer": 1.7}'
    assert messages[3]["content"].startswith("That answer was not valid")


def test_refusals_are_refusals():
    with model(said(None, refusal="I would rather not."), said("", finish="content_filter")) as (subject, _):
        first, second = subject(HEADS), subject(HEADS)
    assert first.value == Refused("I would rather not.")
    assert first.notes["tokens_in"] == 10
    assert isinstance(second.value, Refused)


def test_what_is_waited_for_is_known_to_those_who_show_it():
    shown = []

    def step(request):
        shown.append(longest_wait()[0])
        shown[-1] = re.sub(r"\d+ s", "N s", str(shown[-1]))
        return (503, {}, {}, 0) if len(shown) == 1 else answered(0.5)

    with model(step) as (subject, server):
        subject(HEADS)
    assert shown == [
        f"Waiting N s for small at {server.url}",
        f"Waiting N s for small at {server.url}: {server.url} answered with status 503. Try 2 of 4.",
    ]
    assert longest_wait() == (None, 0)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_failures_in_passing_are_tried_again(status):
    with model((status, {"error": "busy"}, {}, 0), (status, b"", {}, 0), answered(0.5)) as (subject, server):
        reply = subject(HEADS)
    assert reply.value == 0.5
    assert reply.notes["retries"] == 2
    assert len(server.requests) == 3


@pytest.mark.parametrize("after", ["0.2", lambda: formatdate(time.time() + 2, usegmt=True)])
def test_the_server_says_how_long_to_wait(after):
    text = after if isinstance(after, str) else after()
    with model((429, {}, {"Retry-After": text}, 0), answered(0.5)) as (subject, _):
        reply = subject(HEADS)
    assert 0.2 <= reply.notes["seconds"] < 3


def test_a_rate_limit_that_stays_loses_the_answer_with_the_servers_words():
    with model((429, {"error": "slow down"}, {}, 0)) as (subject, server):
        with pytest.raises(SubjectLost, match="status 429") as failure:
            subject(HEADS)
        assert len(server.requests) == 1 + HASTY.retries
    assert "slow down" in failure.value.last_words


def test_slow_answers_are_tried_again_and_then_time_out():
    manner = Manner(first_wait=0.001, retries=1)
    late = (200, answered(0.5), {}, 60)
    with model(late, answered(0.5), manner=manner, seconds=2.0) as (subject, _):
        assert subject(HEADS).notes["retries"] == 1
    with model(late, manner=manner, seconds=0.5) as (subject, server):
        with pytest.raises(SubjectTimedOut, match=r"within 0\.5 s"):
            subject(HEADS)
        assert len(server.requests) == 2


def test_what_cannot_pass_is_not_tried_again():
    for status, words in [(401, "MENSURA_API_KEY"), (404, "no model 'small'"), (400, "status 400")]:
        with model((status, {"error": "no"}, {}, 0)) as (subject, server):
            with pytest.raises(SubjectCrashed if status == 400 else SubjectLost, match=words):
                subject(HEADS)
            assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("known", "form"),
    [("schema", "schema"), ("tool", "tool"), ("grammar", "grammar"), ("json_object", "JSON"), (None, "words")],
)
def test_a_server_that_knows_less_is_asked_with_less(known, form):
    def step(request):
        forced = request.get("response_format", {})
        strict = forced.get("json_schema", {}).get("strict")
        fine = {
            "schema": strict is False,
            "tool": request.get("tool_choice"),
            "grammar": "guided_json" in request,
            "json_object": forced.get("type") == "json_object",
            None: not forced and not request.keys() & {"tools", "guided_json"},
        }[known]
        return answered(0.5) if fine else (400, {"error": "response_format is not supported"}, {}, 0)

    with model(step) as (subject, server):
        assert subject(HEADS).notes["form"] == form
        tried = len(server.requests)
        assert subject(HEADS).value == 0.5
        assert len(server.requests) == tried + 1


def test_floods_and_strangers_are_said():
    with model((200, b"x" * 200_000, {}, 0), output_bytes=100_000) as (subject, _), pytest.raises(SubjectFlooded):
        subject(HEADS)
    with model({"hello": "world"}) as (subject, _), pytest.raises(SubjectCrashed, match="does not speak"):
        subject(HEADS)
    with (
        model((200, b"<html>", {}, 0)) as (subject, _),
        pytest.raises(SubjectLost, match=r"a web page\. Correct the address\.$"),
    ):
        subject(HEADS)
    with model((200, b"hello", {}, 0)) as (subject, server), pytest.raises(SubjectLost, match="not JSON: 'hello'"):
        subject(HEADS)
    assert len(server.requests) == 1, "it would say the same again"
    with model((200, b'{"choi', {}, 0), answered(0.5)) as (subject, _):
        assert subject(HEADS).value == 0.5, "what was cut off is asked again"


def test_what_a_server_says_of_its_failure_is_shown_while_it_is_asked_again(monkeypatch):
    shown = []
    monkeypatch.setattr("mensura.subjects.model.reaching.waits.Awaited.pause", lambda wait, why, _: shown.append(why))
    broken = 500, {"error": {"message": "CUDA out of memory", "type": "x"}}, {}, 0
    with model(broken, answered(0.5)) as (subject, server):
        assert subject(HEADS).value == 0.5
    assert shown[0].startswith(f"{server.url} answered with status 500. It says: CUDA out of memory. Try 2 of")


def test_a_server_that_is_not_there_loses_the_answer():
    with model_server(answered(0.5)) as server:
        subject = SubjectSpec(f"llm:small@{server.url}", vars(HASTY)).make(even)
    with pytest.raises(SubjectLost, match="nothing listens at 127"):
        subject(HEADS)
    subject.close()


def test_an_ask_that_failed_leaves_the_conversation_as_it_was():
    with model((400, {}, {}, 0), answered(0.5)) as (subject, server):
        subject.feedback(Ask("Told before."))
        with pytest.raises(SubjectCrashed):
            subject(HEADS)
        subject(HEADS)
    assert server.requests[0]["messages"] == server.requests[1]["messages"]


@pytest.mark.parametrize("names", [["MENSURA_API_KEY"], ["OPENAI_API_KEY"], ["MENSURA_API_KEY", "OPENAI_API_KEY"]])
def test_the_key_comes_from_the_environment_and_goes_nowhere_else(monkeypatch, names):
    for name in names:
        monkeypatch.setenv(name, f"key of {name}")
    with model(answered(0.5)) as (subject, server):
        notes = subject(HEADS).notes
    assert server.paths[0][1] == f"Bearer key of {names[0]}"
    assert "key of" not in json.dumps(notes)


def test_a_model_is_named_with_its_endpoint(monkeypatch):
    with model_server(answered({"a": 0.5, "b": 0.5})) as server:
        options = {"price_in": 1, "price_out": 2, "memory": 3, "answer_seconds": 9}
        spec = SubjectSpec(f"llm:maker/small@{server.url}", options)
        subject = spec.make(even, limits=Limits())
        reply = subject(Ask("?", Distribution(("a", "b"))))
        assert reply.value == {"a": 0.5, "b": 0.5}
        assert reply.notes["cost"] == pytest.approx((10 * 1 + 5 * 2) / 1e6)
        assert server.requests[0]["model"] == "maker/small"
        assert (subject.manner.memory, subject.endpoint.api.service.bounds.answer_seconds) == (3, 9)
        assert subject.name == spec.name
        subject.close()
    monkeypatch.setenv("OPENAI_BASE_URL", "http://elsewhere/v1")
    assert SubjectSpec("llm:small").make(even).endpoint.api.service.address == "http://elsewhere/v1"
    with pytest.raises(BadParameter, match="the model is missing"):
        SubjectSpec("llm:@http://host/v1").find(even)
    with pytest.raises(BadParameter, match="Did you mean price_in"):
        SubjectSpec("llm:small", {"price_inn": 1}).find(even)


def test_a_policy_on_contents_is_a_refusal_and_no_outage():
    with model((400, {"error": {"code": "content_policy_violation"}}, {}, 0)) as (subject, server):
        reply = subject(Ask("Heads?", Probability(), key="coin"))
    assert isinstance(reply.value, Refused)
    assert len(server.requests) == 1


@pytest.mark.parametrize("text", ["red", '"red"', " red\n", "```\nred\n```"])
def test_a_bare_answer_is_understood_and_noted(text):
    with model(said(text)) as (subject, _):
        reply = subject(Ask("Which?", Choice(("red", "blue"))))
    assert reply.value == "red"
    assert "answer alone" in reply.notes["understood"]


def test_an_act_is_a_native_call_and_the_next_prompt_its_result():
    tools = Call({"say": Tool("Say it.", {"words": Text()}), "wait": Tool("Wait.")})
    call = {"id": "c7", "type": "function", "function": {"name": "say", "arguments": '{"words": "hi"}'}}
    both = said(None, finish="tool_calls")
    both["choices"][0]["message"]["tool_calls"] = [call, {**call, "id": "c8"}]
    with model(both) as (subject, server):
        first = subject(Ask("Act.", tools))
        subject(Ask("They answered.", tools))
    assert first.value == {"call": "say", "arguments": {"words": "hi"}}
    assert "1 more" in first.notes["understood"]
    assert first.notes["form"] == "tools"
    request = server.requests[0]
    assert [tool["function"]["name"] for tool in request["tools"]] == ["say", "wait"]
    assert request["tool_choice"] == "required"
    acted, result = server.requests[1]["messages"][-2:]
    assert [one["id"] for one in acted["tool_calls"]] == ["c7"]
    assert result["role"] == "tool"
    assert result["tool_call_id"] == "c7"
    assert result["content"].startswith("They answered.")


def test_reasoning_is_kept_and_counted():
    body = answered(0.5)
    body["choices"][0]["message"]["reasoning_content"] = "Both sides weigh the same."
    body["usage"]["completion_tokens_details"] = {"reasoning_tokens": 3}
    with model(body, said('<think>A coin.</think>{"answer": 0.5}')) as (subject, _):
        first, second = subject(HEADS), subject(HEADS)
    assert first.notes["reasoning"] == "Both sides weigh the same."
    assert first.notes["tokens_reasoning"] == 3
    assert second.notes["reasoning"] == "A coin."


def test_an_error_with_status_200_is_tried_again_or_declined():
    with model({"error": {"message": "rate limit"}}, answered(0.5)) as (subject, _):
        assert subject(HEADS).notes["retries"] == 1
    with model({"error": {"code": "content_filter"}}) as (subject, _):
        assert isinstance(subject(HEADS).value, Refused)


def test_a_response_that_is_cut_off_is_asked_for_again():
    cut = (200, answered(0.25), {"Content-Length": "5000", "Connection": "close"}, 0)
    with model(cut, answered(0.5)) as (subject, _):
        reply = subject(HEADS)
    assert (reply.value, reply.notes["retries"]) == (0.5, 1)


def test_after_three_refusals_that_all_would_meet_no_more_is_sent():
    with model((401, {"error": "no such key"}, {}, 0)) as (subject, server):
        for _ in range(6):
            with pytest.raises(SubjectLost, match="MENSURA_API_KEY"):
                subject(HEADS)
        assert len(server.requests) == 3


def test_a_window_of_tokens_never_drops_the_rules():
    manner = Manner(window=60, first_wait=0.001)
    with model(answered(0.5), manner=manner) as (subject, server):
        subject.feedback(Ask("The rule: heads pays double."))
        for number in range(4):
            subject(Ask(f"Question {number}? {'x' * 100}", Probability()))
    last = [message["content"] for message in server.requests[-1]["messages"]]
    assert any("heads pays double" in content for content in last)
    assert not any("Question 0?" in content for content in last)
    assert "Question 3?" in last[-1]


def test_what_falls_out_of_the_window_is_summed_up_and_recorded():
    def step(request):
        summing = request["messages"][-1]["content"].startswith("Sum up")
        return said("So far: heads twice.") if summing else answered(0.5)

    manner = Manner(memory=1, summaries=True, first_wait=0.001)
    with model(step, manner=manner) as (subject, server):
        replies = [subject(HEADS) for _ in range(3)]
    assert replies[2].notes["summary"]["text"] == "So far: heads twice."
    assert "summary" not in replies[1].notes
    assert any("heads twice" in str(message["content"]) for message in server.requests[-1]["messages"])


def test_log_probabilities_of_letters_are_a_distribution():
    body = said(" B")
    top = [{"token": " B", "logprob": -0.2}, {"token": "A", "logprob": -2.0}, {"token": "b", "logprob": -4.0}]
    body["choices"][0]["logprobs"] = {"content": [{"token": " B", "logprob": -0.2, "top_logprobs": top}]}
    space = Distribution(("Rome", "Paris"))
    with model(body, manner=Manner(logprobs=True)) as (subject, server):
        reply = subject(Ask("The capital of France?", space))
    request = server.requests[0]
    assert request["logprobs"] is True
    assert "response_format" not in request
    assert "B) Paris" in request["messages"][-1]["content"]
    rome, paris = np.exp(-2.0), np.exp(-0.2) + np.exp(-4.0)
    assert reply.value == pytest.approx({"Rome": rome / (rome + paris), "Paris": paris / (rome + paris)})
    assert space.check(reply.value)
    assert "log-probabilities" in reply.notes["understood"]


def test_a_server_without_log_probabilities_is_told_of():
    with model(said("B"), manner=Manner(logprobs=True)) as (subject, _):
        with pytest.raises(SubjectCrashed, match="Leave out #logprobs"):
            subject(Ask("The capital of France?", Distribution(("Rome", "Paris"))))
        assert subject(Ask("Which?", Choice(("B", "C")))).value == "B"


@pytest.mark.parametrize(
    ("status", "text"),
    [(401, "Incorrect API key provided: sk-very-secret-1"), (500, "sk-very-secret-1"), (200, "sk-very-secret-1")],
)
def test_a_server_that_repeats_the_key_does_not_get_it_into_the_record(status, text, monkeypatch):
    monkeypatch.setenv("MENSURA_API_KEY", "sk-very-secret-1")
    body = said(f"My key is {text}.") if status == 200 else {"error": {"message": text}}
    with model_server((status, body, {}, 0)) as server:
        subject = SubjectSpec(f"llm:small@{server.url}#retries=1#first_wait=0.001").make(even)
        subject.begin(np.random.default_rng(1))
        try:
            told = str(subject(HEADS).notes)
        except SubjectLost as lost:
            told = f"{lost} {lost.last_words}"
    assert server.paths[0][1] == "Bearer sk-very-secret-1"
    assert "sk-very" not in told
    assert "[key]" in told
