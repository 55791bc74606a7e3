"""A model in this process, by a stand-in for the package: what it is asked and what is made of its tokens."""

import sys
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest

from mensura.dialogue import Ask, Probability, test
from mensura.errors import BadFile, MissingExtra
from mensura.subjects import SubjectSpec

HEADS = Ask("Heads?", Probability(), key="heads")


@test("even-v1")
def even(rng):
    """Say the chance of heads."""
    yield HEADS


class Tensors(dict):
    def to(self, device):
        return self


class Model:
    """Writes the same characters whatever it reads; a token is a character."""

    device = "cpu"
    asked: ClassVar[list] = []

    def eval(self):
        return self

    def generate(self, input_ids, **settings):
        self.asked.append(settings)
        said = [ord(sign) for sign in '{"answer": 0.25}'][: settings["max_new_tokens"]]
        return [np.array([*input_ids[0], *said])]


class Tokenizer:
    seen: ClassVar[list] = []

    def apply_chat_template(self, messages, **how):
        self.seen.append((messages, how))
        return Tensors(input_ids=np.zeros((1, 7), int))

    def decode(self, tokens, skip_special_tokens):
        return "".join(map(chr, tokens))


@pytest.fixture
def package(monkeypatch, tmp_path):
    def loaded(thing):
        def load(place, local_files_only):
            assert local_files_only
            if not place.endswith("small"):
                raise OSError("no config.json")
            return thing()

        return SimpleNamespace(from_pretrained=load)

    seeds, Model.asked, Tokenizer.seen = [], [], []
    module = SimpleNamespace(AutoTokenizer=loaded(Tokenizer), AutoModelForCausalLM=loaded(Model), set_seed=seeds.append)
    monkeypatch.setitem(sys.modules, "transformers", module)
    return seeds


def test_a_folder_is_asked_in_words_by_its_chat_template(package, tmp_path):
    name = 'llm:./small#api=transformers#seeded=true#settings={"temperature":0.5,"max_tokens":50}'
    subject = SubjectSpec(name, folder=str(tmp_path)).make(even)
    subject.begin(np.random.default_rng(1))
    reply = subject(HEADS)
    assert reply.value == 0.25
    assert (reply.notes["form"], reply.notes["finish"]) == ("words", "stop")
    assert (reply.notes["tokens_in"], reply.notes["tokens_out"]) == (7, 16)
    assert reply.notes["model"] == str(tmp_path / "small")
    messages, how = Tokenizer.seen[0]
    assert [message["role"] for message in messages] == ["system", "user"]
    assert how["add_generation_prompt"] is True
    (asked,) = Model.asked
    assert asked == {"max_new_tokens": 50, "do_sample": True, "temperature": 0.5, "max_time": 60.0}
    assert package == [int(np.random.default_rng(1).integers(2**31))]


def test_what_is_cut_off_is_said_and_without_a_temperature_nothing_is_drawn(package, tmp_path):
    name = 'llm:./small#api=transformers#settings={"max_tokens":5}'
    reply = SubjectSpec(name, folder=str(tmp_path)).make(even)(HEADS)
    assert reply.notes["finish"] == "length"
    assert Model.asked[0]["do_sample"] is False


def test_a_folder_without_a_model_and_a_missing_package_are_said(package, tmp_path, monkeypatch):
    with pytest.raises(BadFile, match=r"holds no language model.*no config"):
        SubjectSpec("llm:./none#api=transformers", folder=str(tmp_path)).make(even)
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(MissingExtra, match=r"mensura\[transformers\]"):
        SubjectSpec("llm:./other#api=transformers", folder=str(tmp_path)).make(even)
