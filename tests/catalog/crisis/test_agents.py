"""Agents of every kind take the crisis by calls: a language model, a program that speaks lines of JSON, and MCP."""

import json
import os
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from mensura.catalog.crisis.dialogue import crisis
from mensura.catalog.crisis.office.replay import office_of
from mensura.errors import MensuraError
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take
from mensura.store import open_store
from mensura.subjects import SubjectSpec
from tests.serving import serving
from tests.waiting import until

ACTS = [
    {"call": "read", "arguments": {"message": "m-1"}},
    {"call": "move", "arguments": {"event": "dinner", "room": "terrace", "day": 3, "block": 5}},
    {"call": "change_order", "arguments": {"order": "o-2"}},
    {"call": "move", "arguments": {"event": "keynote"}},
    {"call": "order", "arguments": {"vendor": "nobody", "item": "x", "quantity": 1, "event": "dinner"}},
    {"call": "edit_entry", "arguments": {"entry": "site-dinner", "field": "room", "value": "Terrace Room"}},
    {
        "call": "brief",
        "arguments": {"text": "The Great Hall is lost on Tuesday. The dinner moves to the Terrace Room."},
    },
    {"call": "finish", "arguments": {}},
]
"""One of them is malformed and one impossible."""
DONE = ["read", "move", "change_order", "order", "edit_entry", "brief", "finish"]


@pytest.fixture
def package(small, tmp_path):
    path = tmp_path / "small.json"
    path.write_text(json.dumps(small.data()))
    return str(path)


def judged(taken, small):
    """See that all was done that could be, and scored."""
    assert taken.record.status == "finished", taken.record.last_words
    office = office_of(taken.record, world=small)
    assert [each.call for each in office.history] == DONE
    assert [each.call for each in office.history if not each.ok] == ["order"]
    assert office.place["dinner"] == ("terrace", 14)
    assert taken.record.counts()["invalid"] == 1
    scores = score_record(crisis, taken.record, taken.truths)
    assert scores.values["final"] > scores.details["floor"]["final"]


def one_after_another(answers):
    """Answer with one after the other, whatever is asked."""
    left = iter(answers)
    return lambda request: next(left)


def heard(model):
    """Give what a model was told last, request by request."""
    return [request["messages"][-1]["content"] for request in model.requests]


def test_a_language_model_works_the_office(package, small, chat_model):
    chat_model.answer = one_after_another(ACTS)
    subject = SubjectSpec(chat_model.name).make(crisis)
    judged(take(crisis, subject, seed=1, parameters={"package": package, "minutes": 30}), small)
    asked = heard(chat_model)
    assert "You stand in for Peter Blum" in asked[0]
    assert "It is Wednesday 5 May, 09:00:00; 30 min 0 s are left." in asked[0]
    assert "* m-1 from Ruth Amadi: The Great Hall is under water" in asked[0]
    assert "A pipe has burst" in asked[1]
    assert "move needs room" in asked[4]
    assert "There is no vendor 'nobody'" in asked[5]
    # The tools are described once; afterwards a message is what is new.
    assert len(asked[0]) > 4000
    assert max(len(words) for words in asked[1:]) < 1500


def test_a_language_model_works_the_office_by_calling_functions(package, small, chat_model):
    chat_model.answer, chat_model.native = one_after_another(ACTS), True
    subject = SubjectSpec(chat_model.name).make(crisis)
    judged(take(crisis, subject, seed=1, parameters={"package": package, "minutes": 30}), small)
    offered = chat_model.requests[0]["tools"]
    assert {"read", "move", "finish"} <= {tool["function"]["name"] for tool in offered}
    # What came of a call is its result, also where it was refused.
    assert [request["messages"][-1]["role"] for request in chat_model.requests] == ["user"] + ["tool"] * 7
    assert "move needs room" in heard(chat_model)[4]


class Clerk(BaseHTTPRequestHandler):
    """Acts one after another, as posted asks come."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        said = {"answer": self.server.acts.pop(0)} if message["type"] == "ask" else {}
        body = json.dumps(said).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


def test_a_server_works_the_office_by_posts(package, small):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Clerk)
    server.acts = list(ACTS)
    with serving(server):
        subject = SubjectSpec(f"http://127.0.0.1:{server.server_address[1]}/").make(crisis)
        judged(take(crisis, subject, seed=1, parameters={"package": package, "minutes": 30}), small)
        subject.close()


AGENT = """
import json, sys
acts = json.loads({acts!r})
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "ask":
        assert message["schema"]["anyOf"] and message["prompt"]["kind"] == "desk" and message["text"]
        print(json.dumps({{"answer": acts.pop(0), "number": message["number"]}}), flush=True)
"""


def test_a_program_works_the_office_in_lines_of_json(package, small, tmp_path):
    script = tmp_path / "agent.py"
    script.write_text(AGENT.format(acts=json.dumps(ACTS)))
    subject = SubjectSpec(f"program:{sys.executable} {script}").make(crisis)
    try:
        judged(take(crisis, subject, seed=1, parameters={"package": package, "minutes": 30}), small)
    finally:
        subject.close()


def test_an_agent_works_the_office_over_the_model_context_protocol(package, small, tmp_path, in_a_loop):
    mcp = pytest.importorskip("mcp", reason="the extra mcp is not installed")
    anyio = pytest.importorskip("anyio")
    said = []

    async def main():
        words = ["mcp", "crisis", "--package", package, "--minutes", "30", "--seed", "1", "--store", "lab.db"]
        server = mcp.StdioServerParameters(
            command=sys.executable,
            args=["-m", "mensura.cli.main", *words],
            cwd=tmp_path,
            # The client hands over little of its own environment; where keys lie is part of it here.
            env={"XDG_STATE_HOME": os.environ["XDG_STATE_HOME"]},
        )
        with open(tmp_path / "words.txt", "w") as heard:
            async with (
                mcp.stdio_client(server, errlog=heard) as (reading, writing),
                mcp.ClientSession(reading, writing) as session,
            ):
                await session.initialize()
                with anyio.fail_after(60):
                    tools = {tool.name: tool for tool in (await session.list_tools()).tools}
                    assert set(tools["move"].input_schema["required"]) == {"event", "room", "day", "block"}
                    assert "optimise" not in tools
                    said.append((await session.call_tool("question", {})).content[0].text)
                    for act in ACTS:
                        result = await session.call_tool(act["call"], act["arguments"])
                        said.append(result.content[0].text)
                        assert result.is_error == (act == ACTS[3])

    in_a_loop(main)
    assert "You stand in for Peter Blum" in said[0]
    assert "A pipe has burst" in said[1]
    assert "move needs room" in said[4]
    assert "There is no vendor 'nobody'" in said[5]
    assert "time in the office is over" in said[-1]
    with open_store(str(tmp_path / "lab.db")) as store:
        head = store.runs.find("last")
        (session,) = store.sessions.of(head.id)
        record = store.records.find(session.id)
        (scores,) = store.results.of(head.id).values()
    office = office_of(record, world=small)
    assert [each.call for each in office.history] == DONE
    assert office.now == sum(answer.tick - answer.asked for answer in record.answers)
    assert scores.values["final"] > scores.details["floor"]["final"]


SLOW = """
import json, os, time

ACTS = json.loads({acts!r})


class Slow:
    def __init__(self):
        self.done = 0

    def remember(self, ask, answer):
        self.done += 1

    def __call__(self, ask):
        if self.done == {at} and not os.path.exists(os.path.join(os.path.dirname(__file__), "killed")):
            time.sleep(60)
        act = ACTS[self.done]
        self.done += 1
        return act
"""


def stored_acts(path):
    """Count the acts that are stored so far."""
    if not path.exists():
        return 0
    try:
        with open_store(str(path)) as store:
            return sum(
                store.records.find(head.id).counts()["answered"]
                for head in store.sessions.of(store.runs.find("last").id)
            )
    except MensuraError:
        return 0


def test_a_run_killed_in_the_middle_goes_on_and_ends_as_if_nothing_had_been(package, small, tmp_path):
    acts = [*ACTS[:3], *ACTS[4:6], ACTS[-1]]
    (tmp_path / "slow.py").write_text(SLOW.format(acts=json.dumps(acts), at=4))
    command = [sys.executable, "-m", "mensura.cli.main"]
    words = ["run", "crisis", "--as", "./slow.py:Slow", "--package", package, "--minutes", "5", "--store", "lab.db"]
    running = subprocess.Popen([*command, *words], cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until(lambda: stored_acts(tmp_path / "lab.db") == 4)
    finally:
        running.kill()
        running.wait()
    with open_store(str(tmp_path / "lab.db")) as store:
        (session,) = store.sessions.of(store.runs.find("last").id)
        assert session.status == "open"
        # Half of the five minutes is over: there is a save to go on from.
        assert any(event.kind == "save" for event in store.events.of(session.id))
    (tmp_path / "killed").touch()
    subprocess.run([*command, "resume", "last", "--store", "lab.db"], cwd=tmp_path, check=False, capture_output=True)
    with open_store(str(tmp_path / "lab.db")) as store:
        record = store.records.find(session.id)
    office = office_of(record, world=small)
    kept = [(each.call, each.ok) for each in office.history]
    assert kept == [(act["call"], act["call"] != "order") for act in acts]
    assert record.status == "finished"


MINE = """
ACTS = iter({acts})


def agent(ask):
    move = ask.space.tools["move"]
    assert list(move.arguments) == ["event", "room", "day", "block"] and move.about
    assert ask.prompt.data()["kind"] == "desk"
    return next(ACTS)
"""


def test_a_function_in_a_file_works_the_office_from_its_own_process(package, small, tmp_path):
    script = tmp_path / "mine.py"
    script.write_text(MINE.format(acts=repr(ACTS)))
    subject = SubjectSpec(f"{script}:agent").make(crisis)
    try:
        judged(take(crisis, subject, seed=1, parameters={"package": package, "minutes": 30}), small)
    finally:
        subject.close()


def test_a_language_model_can_be_the_assistant(package, small, chat_model):
    move = {"call": "move", "arguments": {"event": "dinner", "room": "terrace", "day": 3, "block": 5}}
    constrain = {"call": "constrain", "arguments": {"kind": "away", "person": "kofi", "slots": "2"}}
    # The last label is for mail that comes meanwhile.
    kinds = ["label", "suggest", "optimise", "find_room", "elicit", "batch", "draft", "label"]
    answers = [{"kind": kind, "words": f"About {kind}.", "acts": [], "labels": {}} for kind in kinds]
    answers[0]["labels"] = {"m-1": ["crisis", "briefing"]}
    answers[1]["acts"], answers[2]["acts"] = [constrain], [move]
    acts = [
        {"call": "suggest", "arguments": {"message": "m-1"}},
        {"call": "optimise", "arguments": {}},
        {"call": "find_room", "arguments": {"event": "keynote"}},
        {"call": "elicit", "arguments": {}},
        {"call": "batch", "arguments": {}},
        {"call": "draft", "arguments": {}},
        {"call": "accept", "arguments": {"proposal": "p2"}},
        {"call": "accept", "arguments": {"proposal": "p1"}},
        {"call": "finish", "arguments": {}},
    ]
    chat_model.answer = one_after_another(answers)
    cast = {"subject": lambda ask: acts.pop(0), "assistant": SubjectSpec(chat_model.name).make(crisis)}
    parameters = {"package": package, "minutes": 30, "condition": "radar-l"}
    taken = take(crisis, cast, seed=1, parameters=parameters)
    assert taken.record.status == "finished", taken.record.last_words
    office = office_of(taken.record, world=small)
    assert office.place["dinner"] == ("terrace", 14)
    assert office.constraints["c-1"].person == "kofi"
    assert office.labels == {"m-1": ["crisis", "briefing"]}
    asked = heard(chat_model)
    assert "A pipe has burst" in asked[0]
    assert "Ants" not in asked[0]
    for words, kind in zip(asked, kinds, strict=True):
        assert f'"kind": "{kind}"' in words
        assert "yields" not in words
    assert '"attendance"' in asked[2]
    assert "Great Hall" in asked[5]
