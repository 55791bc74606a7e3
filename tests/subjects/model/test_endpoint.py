"""Endpoints: what one request met does not change how the next is asked; nothing that is stored holds a key."""

import numpy as np
import pytest

from mensura.dialogue import Ask, Distribution, Probability, Refused, test
from mensura.errors import BadParameter, SubjectCrashed, SubjectLost
from mensura.subjects import SubjectSpec
from tests.subjects.model.scripted import answered, model_server, said

HEADS = Ask("Heads?", Probability(), key="heads")
LENGTH = "The maximum context length is 8192 tokens. Please reduce the length of the messages or functions."
FILTER = {"code": "content_filter", "message": "Filtered. Change the prompt, the tools or the schema."}


@test("even-v1")
def even(rng):
    """Say the chance of heads."""
    yield HEADS


def made(server, more=""):
    subject = SubjectSpec(f"llm:small@{server.url}#first_wait=0.001#retries=1{more}").make(even)
    subject.begin(np.random.default_rng(1))
    return subject


@pytest.mark.parametrize(
    ("refusal", "error", "words", "tries"),
    [
        ({"code": "context_length_exceeded", "message": LENGTH}, SubjectCrashed, "status 400", 1),
        ({"message": "This function is out of order."}, SubjectLost, "rejects every request", 6),
    ],
)
def test_a_request_that_no_form_can_save_leaves_the_form_of_others_as_it_was(refusal, error, words, tries):
    refused = (400, {"error": refusal}, {}, 0)
    with model_server(*[refused] * tries, answered(0.5)) as server:
        subject = made(server)
        with pytest.raises(error, match=words):
            subject(HEADS)
        assert len(server.requests) == tries
        assert subject(HEADS).notes["form"] == "strict schema"


def test_a_content_filter_that_speaks_of_tools_is_a_refusal_and_no_unknown_form():
    with model_server((400, {"error": FILTER}, {}, 0), answered(0.5)) as server:
        subject = made(server)
        assert isinstance(subject(HEADS).value, Refused)
        assert subject(HEADS).notes["form"] == "strict schema"
    assert len(server.requests) == 2


@pytest.mark.parametrize("declined", [said(None, refusal="No."), said("", finish="content_filter")])
def test_a_refusal_is_one_where_log_probabilities_were_wanted_too(declined):
    with model_server(declined) as server:
        reply = made(server, "#logprobs=true")(Ask("Where?", Distribution(("Rome", "Paris"))))
    assert isinstance(reply.value, Refused)


@pytest.mark.parametrize(
    "name",
    [
        "llm:small@http://host/v1#key=sk-secret-1",
        "llm:small@http://joe:sk-secret-1@host/v1",
        "llm:small@http://host/v1?api-key=sk-secret-1",
    ],
)
def test_a_key_in_the_name_of_a_model_is_refused_and_not_repeated(name):
    with pytest.raises(BadParameter, match="environment") as refused:
        SubjectSpec(name).find(even)
    assert "sk-secret" not in str(refused.value)
