"""What an item took before a kill counts towards its limits when it is resumed."""

import json
import os
import signal
import time

import pytest

from mensura.running.run import resume_run, run
from mensura.store import open_store
from mensura.store.log.deeds import SPENT
from tests.subjects.model.scripted import answered, model_server, said

TOOLS = '''
def double(number: int) -> int:
    """Double a number."""
    return 2 * number


tools = [double]
'''
PRICES = "#price_in=1000000#price_out=1000000"


def calls(tokens=(10, 5)):
    body = said(None, finish="tool_calls", tokens=tokens)
    function = {"name": "double", "arguments": json.dumps({"number": 1})}
    body["choices"][0]["message"]["tool_calls"] = [{"id": "c1", "type": "function", "function": function}]
    return body


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(TOOLS)
    return tmp_path


def killed(server, name, url, *, after, **more):
    """Run in a process that is killed once so many requests came."""
    child = os.fork()
    if child == 0:
        try:
            with open_store(url) as store:
                run("coin", name, store=store, seed=1, **more)
        finally:
            os._exit(0)
    while len(server.requests) < after:
        time.sleep(0.005)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


@pytest.mark.parametrize(
    ("limit", "words"),
    [("max_turns=4", "within 4 turns"), ("max_tokens_total=60", "60 tokens"), ("max_item_cost=60", "60 in cost")],
)
def test_calls_before_a_kill_count_towards_the_limits_of_the_item(folder, limit, words):
    url = str(folder / "x.db")
    # The third request is on its way when the process is killed: only what was paid and noted counts.
    with model_server(calls(), calls(), (200, calls(), {}, 30), calls()) as server:
        name = f"llm:small@{server.url}#tools=./mine.py:tools#{limit}{PRICES}"
        killed(server, name, url, after=3, parameters={"flips": 1})
        with open_store(url) as store:
            done = resume_run("last", store=store)
            (session,) = store.sessions.of(done.head.id)
            assert words in session.last_words
            assert [deed.body["turns"] for deed in store.deeds.of_session(session.id, kind=SPENT)] == [1, 2, 3, 4]
    assert len(server.requests) == 5


def test_answers_before_a_kill_count_too(folder):
    url = str(folder / "x.db")
    with model_server(answered(0.5), answered(0.5), (200, answered(0.5), {}, 30), answered(0.5)) as server:
        name = f"llm:small@{server.url}#max_tokens_total=45"
        killed(server, name, url, after=3, parameters={"flips": 5})
        with open_store(url) as store:
            done = resume_run("last", store=store)
            (session,) = store.sessions.of(done.head.id)
            assert "45 tokens" in session.last_words
            assert sum(one.status == "answered" for one in store.records.find(session.id).answers) == 3
    assert len(server.requests) == 4
