"""Items that a language model takes with tools and within limits: outcomes, and what was paid, as a run counts them."""

import json

import pytest

from mensura.running.run import RunOptions, run
from mensura.running.together import Together
from mensura.store import open_store
from tests.subjects.model.scripted import answered, model_server, said

TOOLS = 'def double(number: int) -> int:\n    "Double a number."\n    return 2 * number\n'


def calling(name, given):
    body = said(None, finish="tool_calls")
    function = {"name": name, "arguments": json.dumps(given)}
    body["choices"][0]["message"]["tool_calls"] = [{"id": "c0", "type": "function", "function": function}]
    return body


def step(request):
    """Double the number of the item by the tool, and answer; never come to an end with item 3."""
    last = request["messages"][-1]
    if last["role"] == "tool" and "item 3" not in request["messages"][1]["content"]:
        return answered(int(last["content"]))
    number = int(request["messages"][1]["content"].split("item ")[1].split()[0])
    return calling("double", {"number": number})


@pytest.fixture
def bank(tmp_path, monkeypatch):
    monkeypatch.delenv("MENSURA_API_KEY", raising=False)
    items = [{"prompt": f"Double item {n} , please.", "answer": 2 * n} for n in (1, 3)]
    (tmp_path / "items.jsonl").write_text("\n".join(map(json.dumps, items)))
    (tmp_path / "mine.py").write_text(TOOLS)
    monkeypatch.chdir(tmp_path)
    return "./items.jsonl"


def test_a_limit_ends_one_item_and_all_that_was_paid_is_counted(bank, tmp_path):
    with model_server(step) as server, open_store(str(tmp_path / "lab.db")) as store:
        subject = f"llm:small@{server.url}#tools=./mine.py:double#max_turns=4#price_in=1000000#price_out=1000000"
        result = run(bank, subject, store=store, seed=1, options=RunOptions(on=Together(4)))
        asked = len(server.requests)
        sessions = store.sessions.of(result.head.id)
        spent = store.events.spent(result.head.id)
    assert sorted(session.status for session in sessions) == ["finished", "timed_out"]
    (ended,) = [session for session in sessions if session.status == "timed_out"]
    assert "max_turns" in ended.last_words
    # Two calls for one item and four for the other, of ten tokens read and five written each.
    assert asked == 2 + 4
    assert spent == {"tokens_in": 10 * asked, "tokens_out": 5 * asked, "cost": 15 * asked}
