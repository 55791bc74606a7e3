"""What an item took before a kill counts towards its limits when it is resumed."""

import json

import pytest

from mensura.running.executors import executor
from mensura.running.run import RunOptions, resume_run, run
from mensura.store import open_store
from mensura.store.log.deeds import SPENT
from mensura.store.sealed.proof import audit_run
from tests.running.killing import killed
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


def test_what_was_paid_before_a_session_was_lost_or_killed_counts_once(folder):
    """Each request costs 15: one before the session is lost, one before it is killed, and the answer."""
    url = str(folder / "x.db")
    gone = (500, {"error": "gone"}, {}, 0)
    with model_server(calls(), gone, calls(), (200, calls(), {}, 30), answered(0.5)) as server:
        name = f"llm:small@{server.url}#tools=./mine.py:tools#retries=0{PRICES}"
        with open_store(url) as store:
            lost = run("coin", name, store=store, seed=1, parameters={"flips": 1})
            assert (lost.counts["lost"], lost.spent["cost"], lost.spent["tokens_in"]) == (1, 15, 10)
        killed(server, name, url, after=4, resumed=True)
        with open_store(url) as store:
            done = resume_run("last", store=store)
            assert done.counts["finished"] == 1
            assert (done.spent, done.asked_again) == ({"tokens_in": 30, "tokens_out": 15, "cost": 45}, 1)
            assert store.events.paid(done.head.id) == (45, 0)
            audit_run(store, done.head.id).require()


def test_tokens_of_tool_calls_before_each_of_two_kills_are_in_the_sums(folder):
    url = str(folder / "x.db")
    slow = (200, calls(), {}, 30)
    with model_server(calls(), slow, calls((20, 7)), calls(), slow, answered(0.5)) as server:
        name = f"llm:small@{server.url}#tools=./mine.py:tools{PRICES}"
        killed(server, name, url, after=2, parameters={"flips": 1})
        killed(server, name, url, after=5, resumed=True)
        with open_store(url) as store:
            done = resume_run("last", store=store)
            tokens = {"tokens_in": 10 + 20 + 10 + 10, "tokens_out": 5 + 7 + 5 + 5}
            assert done.spent == {**tokens, "cost": sum(tokens.values())}
            audit_run(store, done.head.id).require()


def test_all_requests_that_a_solver_had_on_their_way_count_as_asked_again(folder):
    url = str(folder / "x.db")
    slow = (200, answered(0.5), {}, 30)
    with model_server(slow, slow, slow, answered(0.5)) as server:
        name = f"solve:self-consistency(llm:small@{server.url})#samples=3"
        killed(server, name, url, after=3, parameters={"flips": 1}, options=RunOptions(executor(concurrency=1)))
        with open_store(url) as store:
            assert resume_run("last", store=store).asked_again == 3
