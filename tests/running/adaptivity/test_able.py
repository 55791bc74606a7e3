"""What programs say that they can do: frozen, branched and probed over pipes, TCP and HTTP; strangers break nothing."""

import json
import socketserver
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from mensura.dialogue import Ask, Number
from mensura.errors import BadParameter, SubjectCrashed, SubjectFlooded
from mensura.running.course import Phase, run_courses
from mensura.subjects import SubjectSpec
from mensura.subjects.outside.bounds import Bounds
from mensura.subjects.outside.program import Program
from tests.serving import serving

LEARNER = """
import json, sys

class Learner:
    \"\"\"Counts the asks of its life while it may learn, and forgets one in an hour.\"\"\"

    able = ["learning", "snapshot", "restore", "knowledge", "pause"]

    def __init__(self, manner=""):
        self.count, self.learns, self.manner = 0, True, manner

    def reply(self, message):
        said = getattr(self, "on_" + message["type"], lambda message: None)(message)
        return said if said is None else {**said, "number": message.get("number")}

    def on_able(self, message):
        return {"able": self.able}

    def on_ask(self, message):
        self.count += self.learns
        return {"answer": self.count}

    def on_learning(self, message):
        self.learns = message["value"]

    def on_snapshot(self, message):
        return {"state": {"count": self.count}}

    def on_restore(self, message):
        self.count = 0 if self.manner == "stuck" else message["state"]["count"]

    def on_knowledge(self, message):
        return {"knowledge": self.count}

    def on_pause(self, message):
        self.count -= int(message["seconds"] // 3600)
"""
SERVE = """
mind = Learner(*sys.argv[1:])
for text in sys.stdin:
    said = mind.reply(json.loads(text))
    if said is not None:
        print(json.dumps(said), flush=True)
"""
OLD = """
import json, sys
for text in sys.stdin:
    message = json.loads(text)
    {unknown}
    if message["type"] == "ask":
        print(json.dumps({{"answer": 1, "number": message["number"]}}), flush=True)
"""
COUNT = """
from mensura.dialogue import Ask, Number, test

@test("count-v1")
def count(rng, *, asks: int = 2):
    \"\"\"Ask how often one was asked.\"\"\"
    for i in range(asks):
        yield Ask(f"How often? {rng.random():.6f}", Number(), key=f"k{i}", truth=0)
"""
HOW_OFTEN = Ask("How often?", Number(), key="k")
made = {}
exec(LEARNER, made)


class OverTcp(socketserver.StreamRequestHandler):
    """One learner for each connection."""

    def handle(self):
        mind = made["Learner"](self.server.manner)
        for text in self.rfile:
            said = mind.reply(json.loads(text))
            if said is not None:
                self.wfile.write(json.dumps(said).encode() + b"\n")


class OverHttp(BaseHTTPRequestHandler):
    """One learner for each subject, whatever its session."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.server.manner == "old" and message["type"] not in ("begin", "ask", "end"):
            self.answer(400, b"")
            return
        mind = self.server.minds.setdefault(message["subject"], made["Learner"](self.server.manner))
        self.answer(200, json.dumps(mind.reply(message)).encode())

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


@pytest.fixture
def named(tmp_path, monkeypatch):
    """Name a learner behind one of the doors."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "learner.py").write_text(LEARNER + SERVE)
    (tmp_path / "count.py").write_text(COUNT)
    held = []

    def name(door, manner=""):
        if door == "program":
            return f"program:{sys.executable} -S -E learner.py {manner}".strip()
        kind, handler = (socketserver.ThreadingTCPServer, OverTcp) if door == "tcp" else (ThreadingHTTPServer, OverHttp)
        server = kind(("127.0.0.1", 0), handler)
        server.daemon_threads, server.manner, server.minds = True, manner, {}
        held.append(serving(server))
        held[-1].__enter__()
        return f"{door}://127.0.0.1:{server.server_address[1]}"

    yield name
    for server in held:
        server.__exit__(None, None, None)


def phases(**probe):
    probe = {"learn": False, "state": "branch", **probe}
    return [
        Phase("train", "./count.py:count", sessions=2),
        Phase("probe", "./count.py:count", **probe),
        Phase("more", "./count.py:count", pause=7200, knowledge=True),
    ]


def answers(store, result):
    return [
        event.value
        for head in store.sessions.of(result.head.id)
        for event in store.events.of(head.id)
        if event.kind == "answer"
    ]


@pytest.mark.parametrize("door", ["program", "tcp", "http"])
def test_a_learner_is_frozen_branched_paused_and_weighed_through_every_door(store, named, door):
    results = run_courses(phases(), named(door), store=store, seed=1)
    assert answers(store, results["train"]) == [1, 2, 3, 4]
    assert answers(store, results["probe"]) == [4, 4]
    assert answers(store, results["more"]) == [3, 4]
    (record,) = store.records.of(results["more"].head.id)
    assert record.answers[0].notes["knowledge"] == 2
    assert "states it" in record.answers[0].notes["knowledge_by"]


@pytest.mark.parametrize("door", ["program", "tcp", "http"])
def test_a_probe_while_learning_teaches_nothing_either(store, named, door):
    results = run_courses(phases(learn=True), named(door), store=store, seed=1)
    assert answers(store, results["probe"]) == [5, 6]
    assert answers(store, results["more"]) == [3, 4]


@pytest.mark.parametrize("door", ["program", "tcp", "http"])
def test_a_snapshot_that_does_not_restore_is_found_by_the_self_test(store, named, door):
    with pytest.raises(BadParameter, match="after its snapshot was restored"):
        run_courses(phases(learn=True), named(door, "stuck"), store=store, seed=1)


@pytest.mark.parametrize(
    "unknown",
    [
        "pass",
        'assert message["type"] in ("begin", "ask", "end")',
        'print(json.dumps(dict(answer=1)), flush=True) if message["type"] == "able" else None',
    ],
    ids=["passes over", "crashes", "answers"],
)
def test_an_old_program_goes_on_and_is_refused_for_frozen_probes_in_a_sentence(store, named, tmp_path, unknown):
    (tmp_path / "old.py").write_text(OLD.format(unknown=unknown))
    old = SubjectSpec(f"program:{sys.executable} -S -E old.py", {"start_seconds": 2.0})
    plain = run_courses(phases()[:1], old, store=store, seed=1)
    assert answers(store, plain["train"]) == [1, 1, 1, 1]
    before = len(store.runs.all())
    with pytest.raises(BadParameter, match=r'frozen, but .*old.py has no `learning`.*answering \{"type": "able"\}'):
        run_courses(phases(), old, store=store, seed=1)
    with pytest.raises(BadParameter, match=r"branches, but .*old.py has no snapshot"):
        run_courses(phases(learn=True), old, store=store, seed=1)
    assert len(store.runs.all()) == before


def test_an_old_server_on_the_web_that_refuses_the_question_goes_on(store, named):
    old = named("http", "old")
    with pytest.raises(BadParameter, match=r"frozen, but http.* has no `learning`"):
        run_courses(phases(), old, store=store, seed=1)
    assert answers(store, run_courses(phases()[:1], old, store=store, seed=1)["train"]) == [1, 2, 3, 4]


def test_nobody_is_asked_what_nobody_needs_to_know(store, named, tmp_path):
    (tmp_path / "learner.py").write_text(LEARNER.replace('"able": self.able', "1: 1 / 0") + SERVE)
    assert answers(store, run_courses(phases()[:1], named("program"), store=store, seed=1)["train"]) == [1, 2, 3, 4]


HOSTILE = {
    "giant": ('{"state": "x" * 200_000}', SubjectFlooded, "100000 bytes"),
    "nothing": ("{}", SubjectCrashed, r'gave no snapshot: asked for it, it should say \{"state": ...\}'),
    "list": ("[1]", SubjectCrashed, "gave no snapshot"),
    "words": ('"what?"', SubjectCrashed, "gave no snapshot"),
    "infinite": ('{"state": [float("inf")]}', SubjectCrashed, "gave no snapshot"),
    "no number": ('{"state": [float("nan")]}', SubjectCrashed, "gave no snapshot"),
    "deep": ("Deep()", SubjectCrashed, "gave no snapshot"),
    "exit": ("sys.exit(3)", SubjectCrashed, "exit status 3"),
}
STRANGER = """
import json, sys

class Deep:
    pass

def written(value):
    return '{"state": ' + "[" * 40000 + "]" * 40000 + "}" if isinstance(value, Deep) else json.dumps(value)

for text in sys.stdin:
    message = json.loads(text)
    if message["type"] == "able":
        print(json.dumps({"able": ["learning", "snapshot", "restore", "knowledge", "fly", 7, None]}), flush=True)
    elif message["type"] == "snapshot":
        print(written(SNAPSHOT), flush=True)
    elif message["type"] == "knowledge":
        print(KNOWLEDGE, flush=True)
    elif message["type"] == "ask":
        print(json.dumps({"answer": 1, "number": message["number"]}), flush=True)
"""


def stranger(folder, *, snapshot="{}", knowledge="''"):
    script = folder / "stranger.py"
    script.write_text(STRANGER.replace("SNAPSHOT", snapshot).replace("KNOWLEDGE", knowledge))
    return [sys.executable, "-S", "-E", str(script)]


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_snapshot_that_is_none_is_the_subjects_failure_in_a_sentence_and_the_next_session_goes_on(tmp_path, kind):
    state, error, words = HOSTILE[kind]
    program = stranger(tmp_path, snapshot=state)
    subject = Program(program, bounds=Bounds(answer_seconds=60, output_bytes=100_000))
    assert hasattr(subject, "snapshot")
    assert not hasattr(subject, "pause")
    with pytest.raises(error, match=words):
        subject.snapshot()
    subject.begin(np.random.default_rng(1))
    assert subject(HOW_OFTEN) == 1
    subject.close()


@pytest.mark.parametrize(
    "said",
    [
        '{"knowledge": "much"}',
        '{"knowledge": true}',
        '{"knowledge": NaN}',
        "1" * 50,
        '{"knowledge": 1' + "0" * 400 + "}",
    ],
)
def test_knowledge_that_is_no_number_is_the_subjects_failure(tmp_path, said):
    subject = Program(stranger(tmp_path, knowledge=repr(said)))
    with pytest.raises(SubjectCrashed, match=r"gave no knowledge|how much it knows as a number"):
        subject.knowledge()
    subject.close()


def test_sessions_of_a_course_whose_snapshot_is_none_are_counted_as_crashed(store, named, tmp_path):
    command = " ".join(stranger(tmp_path, snapshot=HOSTILE["nothing"][0]))
    results = run_courses(phases()[:2], f"program:{command}", store=store, seed=1)
    assert results["train"].counts["finished"] == 2
    assert results["probe"].counts["crashed"] == 1


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "http://127.0.0.1:9/"])
def test_a_server_that_is_not_there_has_not_said_what_it_can_do_and_its_sessions_are_lost(store, named, address):
    results = run_courses(phases(), address, store=store, seed=1)
    assert results["probe"].counts["lost"] == 1


def test_what_is_said_late_or_unasked_is_no_answer(tmp_path):
    script = tmp_path / "early.py"
    script.write_text(OLD.format(unknown="print(json.dumps({'able': ['learning']}), flush=True)"))
    subject = Program([sys.executable, "-S", "-E", str(script)])
    subject.begin(np.random.default_rng(1))
    assert subject(HOW_OFTEN) == 1
    assert subject(HOW_OFTEN) == 1
    subject.close()
