"""A language model that calls tools before it answers, against a scripted server; the tools are in this process."""

import json
import time
from contextlib import contextmanager

import numpy as np
import pytest

from mensura.dialogue import Ask, Call, Probability, Refused, Text, Tool, test
from mensura.errors import BadParameter, SubjectCrashed, SubjectLost, SubjectSpent, SubjectTimedOut, UnknownName
from mensura.subjects import SubjectSpec
from mensura.subjects.model.language_model import LanguageModel
from mensura.subjects.model.manner import SYSTEM
from mensura.subjects.model.request import Function
from mensura.subjects.tools.allowance import Allowance
from mensura.subjects.tools.approval import Approval
from mensura.subjects.tools.kit import Came
from mensura.subjects.tools.workbench import Workbench
from tests.subjects.model.scripted import answered, model_server, said

HEADS = Ask("Heads?", Probability(), key="heads")
ADD = Function("add", "Add two numbers.", {"type": "object", "properties": {"first": {"type": "integer"}}})
PRICED = {"price_in": 1e6, "price_out": 1e6}


@test("even-v1")
def even(rng):
    """Say the chance of heads."""
    yield HEADS


class Kit:
    """A tool that adds one, and keeps what it was called with."""

    name = "adding"

    def __init__(self, tools=(ADD,)):
        self.tools = tools
        self.called = []
        self.closed = 0

    async def offer(self):
        return self.tools

    async def call(self, name, arguments):
        self.called.append((name, arguments))
        return Came(str(arguments.get("first", 0) + 1))

    def close(self):
        self.closed += 1


def calls(*made, tokens=(10, 5), text=None):
    """Make the body of a completion that calls tools: (name, arguments) each."""
    body = said(text, tokens=tokens, finish="tool_calls")
    body["choices"][0]["message"]["tool_calls"] = [
        {
            "id": f"c{number}",
            "type": "function",
            "function": {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given)},
        }
        for number, (name, given) in enumerate(made)
    ]
    return body


@pytest.fixture(autouse=True)
def no_keys(monkeypatch):
    for name in ("MENSURA_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@contextmanager
def model(*script, kits=(), approval=None, limits=None, **options):
    """Serve a script and give the subject that meets it, its server and its tools."""
    kits = list(kits) or [Kit()]
    with model_server(*script) as server:
        plain = SubjectSpec(f"llm:small@{server.url}", {"first_wait": 0.001, "retries": 1, **options}).make(even)
        bench, allowance = Workbench(lambda: kits, approval=approval), Allowance(**(limits or {}))
        subject = LanguageModel(plain.endpoint, manner=plain.manner, allowance=allowance, workbench=bench)
        subject.begin(np.random.default_rng(1))
        try:
            yield subject, server, kits[0]
        finally:
            subject.close()


def test_tools_are_called_until_the_model_answers_and_every_step_is_noted():
    script = [
        calls(("add", {"first": 1}), ("add", {"first": 5}), tokens=(100, 10), text="Let me see."),
        calls(("add", {"first": 2}), tokens=(200, 20)),
        answered(0.5, tokens=(300, 30)),
    ]
    with model(*script, **PRICED) as (subject, server, kit):
        reply = subject(HEADS)
    assert reply.value == 0.5
    assert [arguments["first"] for _, arguments in kit.called] == [1, 5, 2]
    assert [tool["function"]["name"] for tool in server.requests[0]["tools"]] == ["add"]
    assert all(request["response_format"]["type"] == "json_schema" for request in server.requests)
    # Each of the parallel calls is answered under its own id.
    assistant, first, second = server.requests[1]["messages"][-3:]
    assert (assistant["role"], assistant["content"]) == ("assistant", "Let me see.")
    assert [call["id"] for call in assistant["tool_calls"]] == ["c0", "c1"]
    assert first == {"role": "tool", "tool_call_id": "c0", "content": "2"}
    assert second == {"role": "tool", "tool_call_id": "c1", "content": "6"}
    notes = reply.notes
    assert [(tool["name"], tool["arguments"], tool["result"]) for tool in notes["tools"]] == [
        ("add", {"first": 1}, "2"),
        ("add", {"first": 5}, "6"),
        ("add", {"first": 2}, "3"),
    ]
    assert all(tool["seconds"] >= 0 for tool in notes["tools"])
    assert (notes["tokens_in"], notes["tokens_out"], notes["cost"]) == (600, 60, 660)
    assert [step["tokens_in"] for step in notes["steps"]] == [100, 200, 300]
    assert notes["steps"][0]["reply"] == "Let me see."
    json.dumps(notes)


def test_the_session_remembers_what_the_tools_gave():
    with model(calls(("add", {"first": 1})), answered(0.5)) as (subject, server, _):
        subject(HEADS)
        subject(HEADS)
    roles = [message["role"] for message in server.requests[-1]["messages"]]
    assert roles == ["system", "user", "assistant", "tool", "assistant", "user"]
    assert server.requests[-1]["messages"][0]["content"].startswith(SYSTEM + " Before you answer")


@pytest.mark.parametrize(
    ("call", "fault", "words"),
    [
        (("ad", {"first": 1}), "unknown", "There is no tool called 'ad'. Did you mean add?"),
        (("add", "{first: 1"), "arguments", "must be a JSON object"),
        (("add", [1]), "arguments", "must be a JSON object"),
    ],
)
def test_a_call_that_makes_no_sense_is_told_so_and_the_loop_goes_on(call, fault, words):
    with model(calls(call), answered(0.5)) as (subject, server, kit):
        reply = subject(HEADS)
    assert reply.value == 0.5
    assert kit.called == []
    assert words in server.requests[1]["messages"][-1]["content"]
    assert reply.notes["tool_faults"] == {fault: 1}
    assert reply.notes["tools"][0]["fault"] == fault


def test_the_same_call_twice_in_a_message_is_carried_out_once():
    twice = calls(("add", {"first": 1}), ("add", {"first": 1}))
    for call in twice["choices"][0]["message"]["tool_calls"]:
        # Some servers give no ids.
        del call["id"]
    with model(twice, answered(0.5)) as (subject, server, kit):
        reply = subject(HEADS)
    assert len(kit.called) == 1
    assert reply.notes["tool_faults"] == {"repeated": 1}
    ids = [message["tool_call_id"] for message in server.requests[1]["messages"] if message["role"] == "tool"]
    assert len(set(ids)) == 2
    assert ids == [call["id"] for call in server.requests[1]["messages"][-3]["tool_calls"]]


def test_tools_and_acts_of_the_test_stand_side_by_side_and_the_first_call_decides():
    acts = Call({"say": Tool("Say it.", {"words": Text()})})
    script = [calls(("add", {"first": 1}), ("say", {"words": "early"})), calls(("say", {"words": "hi"}))]
    with model(*script) as (subject, server, kit):
        reply = subject(Ask("Act.", acts))
    assert reply.value == {"call": "say", "arguments": {"words": "hi"}}
    assert [tool["function"]["name"] for tool in server.requests[0]["tools"]] == ["say", "add"]
    assert len(kit.called) == 1
    assert reply.notes["tools"][1]["fault"] == "answered too"
    named = Kit((Function("say", "", {}),))
    with model(answered(0.5), kits=[named]) as (subject, _, _), pytest.raises(SubjectCrashed, match="in the test"):
        subject(Ask("Act.", acts))
    with model(answered(0.5), kits=[Kit(), Kit()]) as (subject, _, _), pytest.raises(SubjectCrashed, match="Two tools"):
        subject(HEADS)


def test_a_server_that_takes_tools_or_a_schema_is_asked_by_a_function():
    def step(request):
        if "response_format" in request:
            return 400, {"error": "response_format with tools is not supported"}, {}, 0
        assert [tool["function"]["name"] for tool in request["tools"]] == ["answer", "add"]
        assert request["tool_choice"] == "required"
        told = request["messages"][-1]["role"] == "tool"
        return calls(("answer", {"answer": 0.5})) if told else calls(("add", {"first": 1}))

    with model(step) as (subject, _, kit):
        reply = subject(HEADS)
        assert (reply.value, reply.notes["form"], len(kit.called)) == (0.5, "tool", 1)
        # Whoever asks the same server without tools is still asked by a schema.
        assert ("strict schema", False) not in subject.endpoint.unknown


@pytest.mark.parametrize(
    ("limits", "words", "asked"),
    [
        ({"max_turns": 3}, r"within 3 turns \(max_turns\)", 3),
        ({"max_tokens_total": 40}, r"used 45 tokens, and may use 40 \(max_tokens_total\)", 3),
        ({"max_item_cost": 20}, r"used 30 in cost, and may use 20 \(max_item_cost\)", 2),
    ],
)
def test_a_limit_ends_the_item_and_what_was_paid_is_kept(limits, words, asked):
    with model(calls(("add", {"first": 1})), limits=limits, **PRICED) as (subject, server, _):
        with pytest.raises(SubjectSpent, match=words) as failure:
            subject(HEADS)
        assert len(server.requests) == asked
    notes = failure.value.notes
    assert failure.value.status == "timed_out"
    assert (notes["tokens_in"], notes["tokens_out"], notes["cost"]) == (10 * asked, 5 * asked, 15 * asked)
    assert len(notes["tools"]) == asked


def test_an_answer_counts_that_passes_a_limit_and_the_next_ask_does_not():
    with model(answered(0.5), limits={"max_tokens_total": 10}) as (subject, _, _):
        assert subject(HEADS).value == 0.5
        with pytest.raises(SubjectSpent):
            subject(HEADS)
        subject.begin(np.random.default_rng(2))
        assert subject(HEADS).value == 0.5


def test_time_is_up_while_the_model_or_a_tool_works():
    with model((200, answered(0.5), {}, 60), limits={"max_seconds": 0.2}) as (subject, _, _):
        start = time.monotonic()
        with pytest.raises(SubjectSpent, match="max_seconds"):
            subject(HEADS)
        assert time.monotonic() - start < 30


def test_a_limit_that_cannot_be_kept_is_not_taken_for_kept():
    unknown = calls(("add", {"first": 1}), tokens=None)
    limits = {"max_tokens_total": 100}
    with model(unknown, limits=limits) as (subject, _, _), pytest.raises(SubjectSpent, match="is unknown"):
        subject(HEADS)
    with pytest.raises(BadParameter, match="max_item_cost needs the prices"):
        SubjectSpec("llm:small@http://host/v1#max_item_cost=1").find(even)
    with pytest.raises(BadParameter, match="above 0"):
        SubjectSpec("llm:small@http://host/v1#max_turns=0").find(even)


def test_what_was_paid_before_an_endpoint_failed_is_kept_too():
    script = [calls(("add", {"first": 1})), (400, {"error": "no"}, {}, 0)]
    with model(*script) as (subject, _, _), pytest.raises(SubjectCrashed) as failure:
        subject(HEADS)
    assert failure.value.notes["tokens_in"] == 10


def test_a_call_is_carried_out_only_if_it_is_approved():
    asked = []

    def policy(ask):
        call = json.loads(ask.prompt[-1])
        asked.append(call)
        return "approve" if call["arguments"]["first"] == 1 else "reject"

    script = [calls(("add", {"first": 1}), ("add", {"first": 2})), answered(0.5)]
    with model(*script, approval=Approval(lambda: policy)) as (subject, server, kit):
        reply = subject(HEADS)
    assert asked == [{"name": "add", "arguments": {"first": first}} for first in (1, 2)]
    assert [arguments["first"] for _, arguments in kit.called] == [1]
    assert "not approved" in server.requests[1]["messages"][-1]["content"]
    assert [tool["approval"]["decision"] for tool in reply.notes["tools"]] == ["approve", "reject"]
    assert reply.notes["tools"][0]["approval"]["by"] == "policy"


@pytest.mark.parametrize(
    ("approver", "reason"),
    [
        (lambda ask: 1 / 0, "ZeroDivisionError"),
        (lambda ask: "perhaps", "perhaps"),
        (lambda ask: Refused("not my job"), "not my job"),
    ],
)
def test_an_approver_that_fails_has_not_approved(approver, reason):
    with model(calls(("add", {"first": 1})), answered(0.5), approval=Approval(lambda: approver)) as (subject, _, kit):
        notes = subject(HEADS).notes
    assert kit.called == []
    assert reason in notes["tools"][0]["approval"]["reason"]


def test_an_approver_can_end_the_item_and_only_named_tools_need_one():
    approval = Approval(lambda: lambda ask: "end")
    with model(calls(("add", {"first": 1})), approval=approval, **PRICED) as (subject, server, kit):
        first, second = subject(HEADS), subject(HEADS)
    assert isinstance(first.value, Refused)
    assert "ended the item" in first.value.reason
    assert first.notes["cost"] == 15
    assert isinstance(second.value, Refused)
    assert len(server.requests) == 1
    assert kit.called == []
    others = Approval(lambda: lambda ask: "end", ("shell",))
    with model(calls(("add", {"first": 1})), answered(0.5), approval=others) as (subject, _, kit):
        assert subject(HEADS).value == 0.5


def test_another_model_approves_and_its_tokens_count(monkeypatch):
    with model_server(answered("approve", tokens=(1, 1))) as judge:
        approver = SubjectSpec(f"llm:judge@{judge.url}", PRICED)
        approval = Approval(lambda: approver.make(even))
        script = [calls(("add", {"first": 1})), answered(0.5)]
        with model(*script, approval=approval, **PRICED) as (subject, _, kit):
            notes = subject(HEADS).notes
    assert len(kit.called) == 1
    assert '"name":"add"' in judge.requests[0]["messages"][-1]["content"]
    assert (notes["tokens_in"], notes["tokens_out"], notes["cost"]) == (21, 11, 32)
    assert notes["tools"][0]["approval"]["notes"]["model"] == "small-1"


def test_an_approver_that_is_out_of_reach_loses_the_item():
    class Out:
        async def answer(self, ask):
            raise SubjectLost("The judge is out.")

        def __call__(self, ask):
            raise AssertionError

    step, out = calls(("add", {"first": 1})), Approval(Out)
    with model(step, approval=out) as (subject, _, kit), pytest.raises(SubjectLost, match="judge is out"):
        subject(HEADS)
    assert kit.called == []


def test_each_session_has_fresh_tools():
    made = []

    def equip():
        made.append(Kit())
        return made[-1:]

    with model(answered(0.5)) as (subject, _, _):
        subject.workbench = Workbench(equip)
        for seed in range(2):
            subject.begin(np.random.default_rng(seed))
            subject(HEADS)
    assert [kit.closed for kit in made] == [1, 1]


def test_names_say_which_tools_and_who_approves(tmp_path):
    (tmp_path / "mine.py").write_text('def add(first: int) -> int:\n    "Add one."\n    return first + 1\n')
    name = "llm:m@http://host/v1#tools=./mine.py:add#approve=(constant:approve)#approve_tools=add#tool_seconds=3"
    subject = SubjectSpec(name, folder=str(tmp_path)).make(even)
    bench = subject.workbench
    (kit,) = bench.equip()
    assert (kit.seconds, bench.approval.only, bench.approval.make()(HEADS)) == (3, ("add",), "approve")
    for wrong, words, error in [
        ("#tools=pyton", "There is no tool 'pyton'. There are python, shell", UnknownName),
        ("#tools=./mine.py:ad", "Did you mean add", UnknownName),
        ("#mcp=node server.js", "program:COMMAND", BadParameter),
        ("#mcp=program:no-such-program x", "no program 'no-such-program'", UnknownName),
        ("#approve=terminal", "there are none", BadParameter),
        ("#tools=./mine.py:add#api=transformers", "calls no tools", BadParameter),
    ]:
        with pytest.raises(error, match=words):
            SubjectSpec(f"llm:m@http://host/v1{wrong}", folder=str(tmp_path)).find(even)


def test_a_limit_is_a_kind_of_time_out():
    assert issubclass(SubjectSpent, SubjectTimedOut)
