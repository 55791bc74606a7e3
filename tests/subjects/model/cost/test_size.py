"""How long requests are, and what they cannot exceed."""

from hypothesis import given
from hypothesis import strategies as st

from mensura.subjects.model.cost.size import characters_of, longest_answer, most_tokens
from mensura.subjects.model.request import Function, ModelRequest

USER = {"role": "user", "content": "Heads?"}
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}


def test_all_that_is_sent_is_counted():
    act = Function("say", "Say it.", {"type": "object"})
    bare = characters_of(ModelRequest((USER,)))
    assert bare == 6
    assert characters_of(ModelRequest((USER,), schema={"a": 1})) == bare + len('{"a":1}')
    assert characters_of(ModelRequest((USER,), tools=(act,))) == bare + len('saySay it.{"type":"object"}')
    assert characters_of(ModelRequest((USER, {"role": "user", "content": [PICTURE]}))) > bare + 1000


@given(st.text())
def test_no_tokenizer_makes_more_tokens_than_are_reserved(text):
    """A tokenizer over bytes makes at most one token of each."""
    assert most_tokens(ModelRequest(({"role": "user", "content": text},))) >= len(text.encode("utf-8", "replace"))


def test_the_longest_answer_is_what_the_settings_or_the_protocol_allow():
    assert longest_answer({"max_completion_tokens": 50}, otherwise=4096) == 50
    assert longest_answer({}, otherwise=4096) == 4096
    assert longest_answer({"max_tokens": "many"}) is None
