"""A person approves of calls of tools on a page: what the run, the store and the model see of it."""

import json
import time
from threading import Thread

import pytest

from mensura.errors import BadParameter
from mensura.running.course import Phase, run_courses
from mensura.running.executors import executor
from mensura.running.live import LiveSessions
from mensura.running.people.desk import attended
from mensura.running.plan import Plan
from mensura.running.run import RunOptions, resume_run, run
from mensura.store import open_store
from tests.subjects.model.scripted import answered, model_server, said

TOOLS = '''
def double(number: int) -> int:
    """Double a number."""
    return 2 * number


tools = [double]
'''


def calls(number):
    body = said(None, finish="tool_calls")
    function = {"name": "double", "arguments": json.dumps({"number": number})}
    body["choices"][0]["message"]["tool_calls"] = [{"id": "c1", "type": "function", "function": function}]
    return body


def doubling(request):
    """Call the tool first, and answer when something came of it."""
    return answered(0.5) if request["messages"][-1]["role"] == "tool" else calls(21)


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(TOOLS)
    with open_store(tmp_path / "mensura.db") as opened:
        yield opened


class Person:
    """Decides on what is laid before them, once `decide` lets them; `seen` is what they were asked."""

    def __init__(self, store, decide):
        self.place, self.decide, self.seen, self.paths = store.url, decide, [], []

    def show(self, path):
        self.paths.append(path)
        Thread(target=self._sit, daemon=True).start()

    def _sit(self):
        with open_store(self.place) as store:
            desk = next(head for head in store.runs.all("approval-v1"))
            sessions, (session,) = LiveSessions(store), store.sessions.of(desk.id)
            while sessions.act(session.id, self._look) == "open":
                time.sleep(0.02)

    def _look(self, live):
        ask = live.session.open.get("approver")
        if ask is not None and (given := self.decide(ask)) is not None:
            self.seen.append(ask.prompt)
            call, reason = given
            arguments = {"reason": reason} if reason else {}
            live.session.answer({"call": call, "arguments": arguments}, role="approver")
        return live.session.status


def model(server):
    return f"llm:small@{server.url}#tools=./mine.py:tools#approve=human"


def desk_of(store):
    (head,) = store.runs.all("approval-v1")
    (session,) = store.sessions.of(head.id)
    return head, session


def test_nothing_is_called_before_the_decision_is_stored_and_both_records_keep_it(store):
    asked = []

    def decide(ask):
        # Long enough for a model that does not wait to be found out.
        asked.append(len(server.requests))
        return ("approve", "") if len(asked) > 20 else None

    person = Person(store, decide)
    with model_server(doubling) as server:
        done = run(
            "coin", model(server), parameters={"flips": 1}, store=store, options=RunOptions(show_desk=person.show)
        )
    assert set(asked) == {1}
    assert done.counts["finished"] == 1
    assert server.requests[1]["messages"][-1]["content"] == "42"
    (record,) = [store.records.find(one.id) for one in store.sessions.of(done.head.id)]
    (tool,) = record.answers[0].notes["tools"]
    head, session = desk_of(store)
    decided = tool["approval"]
    assert (decided["decision"], decided["by"], decided["notes"]["session"]) == ("approve", "human", session.id)
    assert (head.details["approval_for"], head.cast["approver"], session.status) == (done.head.id, "human", "finished")
    wanted, given = store.records.find(session.id).answers[:2]
    assert wanted.value["arguments"]["tool"] == "double"
    assert json.loads(wanted.value["arguments"]["arguments"]) == {"number": 21}
    assert given.value == {"call": "approve", "arguments": {}}
    assert given.number == decided["notes"]["number"]
    assert "`double`" in person.seen[0]
    assert "21" in person.seen[0]
    assert store.runs.find("last").id == done.head.id


@pytest.mark.parametrize(("call", "status"), [("refuse", "answered"), ("end", "refused")])
def test_a_refusal_reaches_the_model_with_its_reason_and_an_end_ends_the_item(store, call, status):
    person = Person(store, lambda ask: (call, "Not with that number."))
    with model_server(doubling) as server:
        done = run(
            "coin", model(server), parameters={"flips": 1}, store=store, options=RunOptions(show_desk=person.show)
        )
    (record,) = [store.records.find(one.id) for one in store.sessions.of(done.head.id)]
    (answer,) = record.answers
    assert answer.status == status
    (tool,) = answer.notes["tools"]
    assert tool["fault"] == "rejected"
    assert "Not with that number." in json.dumps(tool["approval"])
    if call == "refuse":
        told = server.requests[1]["messages"][-1]["content"]
        assert told == "The call was not approved, so nothing was done. Not with that number."
    else:
        assert len(server.requests) == 1


def test_calls_of_sessions_taken_at_once_come_one_after_the_other(store):
    person = Person(store, lambda ask: ("approve", ""))
    with model_server(doubling) as server:
        options = RunOptions(executor(concurrency=3), show_desk=person.show)
        done = run("coin", model(server), parameters={"flips": 1}, store=store, sessions=5, options=options)
    assert done.counts["finished"] == 5
    assert len(person.seen) == 5
    _, session = desk_of(store)
    kinds = [event.role for event in store.events.of(session.id) if event.kind == "answer"]
    assert kinds == ["applicant", "approver"] * 5 + ["applicant"]


def test_a_call_that_a_stopped_run_left_is_withdrawn_and_the_run_goes_on_at_the_same_desk(store):
    def leave(path):
        raise KeyboardInterrupt

    with model_server(doubling) as server:
        with pytest.raises(KeyboardInterrupt):
            run("coin", model(server), parameters={"flips": 1}, store=store, options=RunOptions(show_desk=leave))
        head, session = desk_of(store)
        want = {"who": "m", "item": "", "tool": "double", "arguments": "{}"}
        LiveSessions(store).act(
            session.id,
            lambda live: live.session.answer({"call": "want", "arguments": want}, role="applicant"),
        )
        person = Person(store, lambda ask: ("approve", ""))
        resumed = resume_run(head.details["approval_for"], store=store, options=RunOptions(show_desk=person.show))
    assert resumed.counts["finished"] == 1
    assert desk_of(store)[1].id == session.id
    answers = [answer.value["call"] for answer in store.records.find(session.id).answers if answer.status == "answered"]
    assert answers == ["want", "withdraw", "want", "approve", "done"]


def test_where_no_page_can_be_shown_it_is_said_before_anything_is_paid_for(store):
    with model_server(answered(0.5)) as server, pytest.raises(BadParameter, match="#approve=human a person approves"):
        run("coin", model(server), parameters={"flips": 1}, store=store)
    assert server.requests == []
    plan = Plan.of("coin", "chance")
    head = store.runs.all()[0]
    with attended(head, plan.cast, show=None, store=store) as desk:
        assert desk == ""


def test_one_desk_serves_all_phases_of_a_course(store):
    person = Person(store, lambda ask: ("approve", ""))
    phases = [Phase("train", "coin", parameters={"flips": 1}), Phase("exam", "coin", parameters={"flips": 1})]
    with model_server(doubling) as server:
        spent = run_courses(phases, model(server), store=store, options=RunOptions(show_desk=person.show))
    assert [result.counts["finished"] for result in spent.values()] == [1, 1]
    assert len(person.paths) == 1
    assert len(person.seen) == 2
    head, session = desk_of(store)
    assert head.details["approval_for"] == spent["train"].head.id
    assert session.status == "finished"
