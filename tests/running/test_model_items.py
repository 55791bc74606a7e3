"""Items that a language model takes with tools and within limits: outcomes, and what was paid, as a run counts them."""

import json

import pytest

from mensura.catalog.find import find_test
from mensura.dialogue import Address
from mensura.running.cost.rehearsing import rehearse
from mensura.running.run import RunOptions, resume_run, run
from mensura.running.together import AtOnce
from mensura.store import open_store
from mensura.subjects import SubjectSpec
from tests.subjects.boxes import WORKS
from tests.subjects.model.scripted import answered, model_server, said

TOOLS = """
from pathlib import Path


def double(number: int) -> int:
    "Double a number."
    return 2 * number


def peek() -> str:
    "Look into the bank, which lies beside this file."
    return Path(__file__).with_name("items.jsonl").read_text()


tools = [double, peek]
"""


def calling(name, given):
    body = said(None, finish="tool_calls")
    function = {"name": name, "arguments": json.dumps(given)}
    body["choices"][0]["message"]["tool_calls"] = [{"id": "c0", "type": "function", "function": function}]
    return body


def step(request):
    """Double the number of the item by the tool, and answer; with item 3 only try to look up the answer, for ever."""
    last, asked = request["messages"][-1], request["messages"][1]["content"]
    if "item 3" in asked:
        return calling("peek", {})
    return answered(int(last["content"])) if last["role"] == "tool" else calling("double", {"number": 1})


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
        subject = f"llm:small@{server.url}#tools=./mine.py:tools#max_turns=4#price_in=1000000#price_out=1000000"
        result = run(bank, subject, store=store, seed=1, options=RunOptions(on=AtOnce(4)))
        asked = len(server.requests)
        sessions = store.sessions.of(result.head.id)
        spent = store.events.spent(result.head.id)
        (failed,) = [event for each in sessions for event in store.events.of(each.id) if event.kind == "fail"]
    assert sorted(session.status for session in sessions) == ["finished", "timed_out"]
    (ended,) = [session for session in sessions if session.status == "timed_out"]
    assert "max_turns" in ended.last_words
    assert len(failed.notes["tools"]) == 4
    if WORKS:
        assert all("FileNotFoundError" in each["result"] for each in failed.notes["tools"])
    # Two calls for one item and four for the other, of ten tokens read and five written each.
    assert asked == 2 + 4
    assert spent == {"tokens_in": 10 * asked, "tokens_out": 5 * asked, "cost": 15 * asked}


def test_a_dry_run_counts_the_tools_that_a_model_is_told_of_and_starts_no_server(bank):
    test = find_test(bank)
    addresses = [Address(item=test.bank.items[0].hash)]

    def characters(name):
        cast = {"subject": SubjectSpec(f"llm:small@http://127.0.0.1:9/v1{name}")}
        return rehearse(test, cast, addresses, parameters=test.fill({}))[0].characters

    plain, equipped = characters(""), characters("#tools=./mine.py:double")
    assert equipped > plain + len("Double a number.")
    assert characters("#mcp=http://127.0.0.1:9/mcp") < equipped


RULED = """
from mensura.dialogue import Ask, Choice, test


@test("ruled-v1")
def ruled(rng):
    "Follow the rules."
    yield Ask("The rules: say yes.")
    for number in range(4):
        yield Ask(f"{number}?", Choice(("yes", "no")), key=f"k{number}")
        yield Ask(f"{number} is over.")
"""


@pytest.mark.parametrize("memory", ["", "#memory=1"])
def test_a_model_that_is_resumed_has_heard_all_that_it_heard_before(tmp_path, memory):
    (tmp_path / "ruled.py").write_text(RULED)
    gone = (500, {"error": "gone"}, {}, 0)
    with model_server(*[answered("yes")] * 3, gone, answered("yes")) as server, open_store(tmp_path / "x.db") as store:
        name = f"llm:small@{server.url}#retries=0{memory}"
        lost = run(f"{tmp_path}/ruled.py:ruled", name, store=store, seed=1)
        assert resume_run(lost.head.id, store=store).counts["finished"] == 1
    before, after = ([message["content"] for message in one["messages"]] for one in server.requests[3:5])
    # Spaces in what it answered itself are all that may differ.
    assert [words.replace(" ", "") for words in before] == [words.replace(" ", "") for words in after]
    assert any("The rules" in words for words in after)
