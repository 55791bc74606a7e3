"""The cache: an answer is found again by all that could change it, by several processes, and by its owner only."""

import sqlite3
from dataclasses import replace
from multiprocessing import get_context

import pytest

from mensura.errors import BadParameter, StoreError, SubjectLost
from mensura.subjects.model.cost.cache import AnswerCache, answer_key, default_folder
from mensura.subjects.model.cost.spending import Spending
from mensura.subjects.model.request import Completion, Function, FunctionCall, ModelRequest

REQUEST = ModelRequest(({"role": "user", "content": "Heads?"},), schema={"type": "number"}, settings={"seed": 1})
ASKED = ("chat", "http://localhost/v1", "small")
SAID = Completion(text="0.5", calls=(FunctionCall("say", {"words": "hi"}, "c1"),), tokens_in=7, tokens_out=2, retries=3)


def test_what_was_kept_is_found_as_it_was_and_marked(tmp_path):
    cache = AnswerCache(str(tmp_path / "new"))
    assert cache.find("k") is None
    cache.keep("k", SAID)
    cache.keep("k", replace(SAID, text="0.7"))
    assert cache.find("k") == replace(SAID, cached=True, retries=0)
    assert cache.path.stat().st_mode & 0o777 == 0o600
    assert AnswerCache(str(tmp_path / "new")).find("k").text == "0.5"


@pytest.mark.parametrize(
    "other",
    [
        replace(REQUEST, messages=({"role": "user", "content": "Tails?"},)),
        replace(REQUEST, schema={"type": "string"}),
        replace(REQUEST, settings={"seed": 2}),
        replace(REQUEST, settings={"seed": 1, "temperature": 0.0}),
        replace(REQUEST, tools=(Function("look", "Look.", {}),)),
        replace(REQUEST, acts=(Function("look", "Look.", {}),)),
        replace(REQUEST, logprobs=5),
    ],
)
def test_everything_that_is_sent_makes_another_key(other):
    assert answer_key(other, asked=ASKED) != answer_key(REQUEST, asked=ASKED)


def test_who_is_asked_and_which_time_makes_another_key_and_nothing_else_does(monkeypatch):
    plain = answer_key(REQUEST, asked=ASKED)
    keys = {
        answer_key(REQUEST, asked=("chat", "http://localhost/v1", "large")),
        answer_key(REQUEST, asked=ASKED, epoch=1),
    }
    assert plain not in keys
    monkeypatch.setenv("MENSURA_API_KEY", "secret")
    assert answer_key(replace(REQUEST, settings={"seed": 1}), asked=ASKED) == plain


def _fill(folder, mark):
    cache = AnswerCache(folder)
    for number in range(100):
        cache.keep(f"{mark}{number}", Completion(text=mark))
        cache.keep(f"both{number}", Completion(text=mark))


def test_processes_write_beside_each_other(tmp_path):
    fork = get_context("fork")
    writers = [fork.Process(target=_fill, args=(str(tmp_path), mark)) for mark in "ab"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0]
    cache = AnswerCache(str(tmp_path))
    assert all(cache.find(f"{mark}{number}").text == mark for mark in "ab" for number in range(100))
    assert all(cache.find(f"both{number}").text in "ab" for number in range(100))


def test_a_file_that_is_no_cache_is_said(tmp_path):
    (tmp_path / "answers.db").write_bytes(b"something else" * 1000)
    with pytest.raises(StoreError, match="--cache"):
        AnswerCache(str(tmp_path))


def test_a_cache_that_breaks_loses_no_answer_and_blames_nobody(tmp_path):
    cache = AnswerCache(str(tmp_path))
    sqlite3.connect(cache.path).execute("DROP TABLE answers")
    cache.keep("k", SAID)
    with pytest.raises(SubjectLost, match="cannot be read"):
        cache.find("k")


def test_what_another_version_wrote_is_asked_again(tmp_path):
    cache = AnswerCache(str(tmp_path))
    cache._file.execute("INSERT INTO answers VALUES ('k', '{\"text\": 1}', 0)")
    assert cache.find("k") is None


def test_a_cache_for_several_epochs_must_be_asked_for(monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert Spending.read(cache=None, sessions=5) == Spending()
    assert Spending.read(cache="on", sessions=1).cache == default_folder() == "/somewhere/mensura"
    with pytest.raises(BadParameter, match="--cache epochs"):
        Spending.read(cache="on", sessions=5)
    assert Spending.read(cache="epochs", sessions=5).cache == default_folder()
    assert Spending.read(cache="epochs:./mine", sessions=5).cache == "./mine"
