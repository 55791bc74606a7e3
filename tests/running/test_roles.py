"""Each role is a subject of its own: its own instance, its own conversation, its own rewards, and told which it is."""

import sys

import pytest

from mensura.dialogue import Address, Ask, Number, Round, test
from mensura.errors import BadParameter
from mensura.running.casting import close_waiting
from mensura.running.course import Phase, run_courses
from mensura.running.job import Job, do
from mensura.running.run import run
from mensura.running.take import take
from mensura.subjects import SubjectSpec
from tests.subjects.model.scripted import answered, model_server

ROLES = ("a", "b", "c", "d", "e")


@test("five-v1", roles=ROLES)
def five(rng):
    """Ask five roles twice; each is paid by its own number."""
    yield Ask("Welcome, a.", role="a")
    yield Round([Ask("First?", Number(), role=role, key="first") for role in ROLES])
    asks = [Ask("Second?", Number(), role=role, key="second", reward=10.0 * n) for n, role in enumerate(ROLES)]
    yield Round(asks)


class Counting:
    """Answers by how often it was asked, and notes what it knows."""

    made = 0

    def __init__(self):
        type(self).made += 1
        self.asked, self.heard, self.role = 0, [], ""

    def begin(self, rng, role):
        self.role = role

    def feedback(self, told):
        self.heard.append(told.prompt)

    def __call__(self, ask):
        assert ask.role == self.role
        self.asked += 1
        if ask.reward is not None:
            self.heard.append(ask.reward)
        return self.asked


def test_a_class_has_an_instance_for_each_role(store):
    Counting.made = 0
    done = run(five, Counting, store=store, seed=1)
    assert Counting.made == 5
    session = store.sessions.of(done.head.id)[0].id
    answers = [(event.role, event.value) for event in store.events.of(session) if event.kind == "answer"]
    assert answers == [(role, turn) for turn in (1, 2) for role in ROLES]


def test_rewards_and_words_reach_the_role_they_belong_to():
    mind = Counting()
    cast = {role: Counting() for role in ROLES}
    take(five, cast, seed=1)
    assert [cast[role].heard for role in ROLES] == [["Welcome, a.", 0.0], [10.0], [20.0], [30.0], [40.0]]
    # One object cast for all is copied: nobody shares what another is told.
    taken = take(five, mind, seed=1)
    assert mind.heard == ["Welcome, a.", 0.0]
    assert [answer.value for answer in taken.record.answers] == [1] * 5 + [2] * 5


def test_an_object_that_cannot_be_copied_says_what_to_give_instead():
    class Holding(Counting):
        def __init__(self):
            super().__init__()
            self.file = sys.stdin

        def __deepcopy__(self, memo):
            raise TypeError("it holds a file")

    with pytest.raises(BadParameter, match=r"plays several roles and cannot be copied .it holds a file.\. Give its"):
        take(five, Holding(), seed=1)


def test_a_collective_plays_all_its_roles_with_one_mind(store):
    class Hive(Counting):
        collective = True

        def __call__(self, ask):
            self.asked += 1
            return self.asked

    Hive.made = 0
    done = run(five, Hive, store=store, seed=1)
    assert Hive.made == 1
    session = store.sessions.of(done.head.id)[0].id
    assert [event.value for event in store.events.of(session) if event.kind == "answer"] == list(range(1, 11))


def test_five_roles_of_one_model_are_five_conversations_and_each_is_told_which_it_is(store):
    with model_server(answered(1)) as server:
        run(five, f"llm:m@{server.url}", store=store, seed=1)
    seen = [request["messages"] for request in server.requests]
    assert len(seen) == 10
    for role in ROLES:
        mine = [messages for messages in seen if f"Your role is {role}." in str(messages[1]["content"])]
        first, second = sorted(mine, key=len)
        # Its own question and answer, and nobody else's.
        assert len(first) == 2
        assert len(second) == 4
        assert second[1] == first[1]
        assert f"reward for the previous answer: {10 * ROLES.index(role)}" in second[3]["content"]
    assert "Welcome, a." in str(next(messages for messages in seen if "Your role is a." in str(messages)))
    assert "Welcome, a." not in str([messages for messages in seen if "Your role is b." in str(messages)])


def test_a_model_that_is_alone_is_told_of_no_role(store):
    with model_server(answered(1)) as server:
        run("coin", f"llm:m@{server.url}", store=store, seed=1)
    assert "role is" not in str(server.requests[0]["messages"])


def test_a_course_carries_what_each_role_learned(store):
    class Learner(Counting):
        learning = True

        def snapshot(self):
            return self.asked

        def restore(self, state):
            self.asked = state

    course = [Phase("learn", "tests.running.test_roles:five", sessions=2)]
    done = run_courses(course, SubjectSpec("learner", given=Learner), store=store, seed=1)["learn"]
    values = [
        [event.value for event in store.events.of(head.id) if event.kind == "answer" and event.role == "b"]
        for head in store.sessions.of(done.head.id)
    ]
    assert values == [[1, 2], [3, 4]]


PROGRAM = """
import json, os, sys
mine = int.from_bytes(os.urandom(4), "big")
for text in sys.stdin:
    message = json.loads(text)
    if message["type"] == "begin" and {many}:
        print(json.dumps({{"sessions": "many"}}), flush=True)
    if message["type"] == "ask":
        print(json.dumps({{"answer": mine}}), flush=True)
"""


@test("number-v1")
def number(rng):
    """Ask for a number twice."""
    for key in ("first", "second"):
        yield Ask("A number?", Number(), key=key)


def processes(store, tmp_path, many):
    script = tmp_path / "program.py"
    script.write_text(PROGRAM.format(many=many))
    done = run(number, f"program:{sys.executable} {script}", store=store, sessions=3, seed=1)
    answers = [
        event
        for head in store.sessions.of(done.head.id)
        for event in store.events.of(head.id)
        if event.kind == "answer"
    ]
    assert len(answers) == 6
    return answers


def test_each_session_is_a_fresh_process_of_a_program(store, tmp_path):
    answers = processes(store, tmp_path, many=False)
    assert answers[0].value == answers[1].value
    assert not any(answer.notes for answer in answers)
    assert len({answer.value for answer in answers}) == 3


def test_a_program_that_says_so_serves_many_sessions_and_the_record_says_so(store, tmp_path):
    answers = processes(store, tmp_path, many=True)
    assert len({answer.value for answer in answers}) == 1
    noted = [answer.notes for answer in answers]
    assert noted == [note for n in (1, 2, 3) for note in ({"sessions": "many", "served": n}, None)]


def test_a_file_that_says_so_is_told_when_each_of_its_sessions_begins_and_ends(store, tmp_path):
    (tmp_path / "many.py").write_text(
        "class Many:\n    sessions = 'many'\n    heard = 0\n"
        "    def begin(self, rng): self.heard += 1\n"
        "    def end(self, outcome): self.heard += 10\n"
        "    def __call__(self, ask): return self.heard\n"
    )
    done = run(number, f"{tmp_path}/many.py:Many", store=store, sessions=3, seed=1)
    heard = [
        [event.value for event in store.events.of(head.id) if event.kind == "answer"]
        for head in store.sessions.of(done.head.id)
    ]
    assert heard == [[1, 1], [12, 12], [23, 23]]


def test_a_job_of_several_roles_keeps_each_program_to_its_own(store, tmp_path):
    script = tmp_path / "program.py"
    script.write_text(PROGRAM.format(many=True))
    cast = dict.fromkeys(ROLES, SubjectSpec(f"program:{sys.executable} {script}"))
    done = do(Job("s", five, {}, cast, 1, Address()))
    close_waiting()
    answers = [event for event in done.events if event.kind == "answer"]
    assert [answer.notes for answer in answers] == [{"sessions": "many", "served": 1}] * 5 + [None] * 5
