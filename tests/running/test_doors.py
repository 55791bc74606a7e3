"""One driver under all doors: the same case leaves the same log, whichever way the answers come in."""

import json
import socketserver
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import token_hex
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest

from mensura.dialogue import Action, Address, Ask, Instance, Readings, Round, Seed, Sees, Session, Test, Timing, test
from mensura.errors import Invalid
from mensura.running.driver import drive
from mensura.running.live import LiveSessions
from mensura.running.run import Plan, RunOptions, begin_run
from mensura.store import MemoryJournal, SessionHead
from mensura.subjects import SubjectSpec
from mensura.subjects.outside.bounds import Bounds
from mensura.subjects.outside.bridge import Abandoned, Bridge
from mensura.subjects.outside.http import Http
from mensura.subjects.outside.program import Program
from mensura.subjects.outside.protocol import read_reply
from mensura.subjects.outside.tcp import Tcp
from mensura.web.participant.seat import Seat
from mensura.web.programs import Programs
from tests.serving import serving

MOVE = Action(("left", "right", "far"))
SEES = Sees((1,), -1e9, 1e9)
COST = {0: 1, 1: 2, 2: 9}
"""What each move costs in ticks."""
LEFT, RIGHT, FAR, NONSENSE = {"answer": 0}, {"answer": 1}, {"answer": 2}, {"answer": 7}
CRASH, LOST = "crash", "lost"


def declare(name: str, roles: tuple[str, ...] = ("subject",)) -> Callable[[Any], Test]:
    """Declare a test of this table: a clock, moves that cost, and what agents see."""
    timing = Timing(cost=lambda move: COST[move])
    return test(f"{name}-v1", roles=roles, timing=timing, sees=SEES, acts=MOVE)


def ask(role: str = "subject", key: str = "move", **more: Any) -> Ask:
    return Ask(Readings([1.0]), MOVE, role=role, key=key, **more)


@declare("one")
def one(rng, *, clock):
    """Ask twice."""
    yield ask(key="first", until=5)
    yield ask(key="second", until=10)


@declare("everyone", ("a", "b"))
def everyone(rng, *, clock):
    """Ask both, and wait for both."""
    yield Round([ask("a"), ask("b")], until=5)


@declare("either", ("a", "b"))
def either(rng, *, clock):
    """Ask both twice; one answer is enough."""
    for _ in range(2):
        yield Round([ask("a"), ask("b")], need="any", until=20)


@declare("most", ("a", "b", "c"))
def most(rng, *, clock):
    """Ask three; two answers are enough."""
    yield Round([ask("a"), ask("b"), ask("c")], need=2, until=20)


@dataclass(frozen=True)
class Case:
    """What is asked, what each role replies in turn, and the log that it must leave."""

    test: Test
    replies: dict[str, list[Any]]
    log: list[str]
    unless: dict[str, str] = field(default_factory=dict)
    """Door → why the case cannot occur there."""
    otherwise: dict[str, tuple[str, list[str]]] = field(default_factory=dict)
    """Door → why it leaves another log there, and which."""


AGENTS = {"environment": "an agent that steps an environment always acts"}
OWN_CODE = {"environment": "an agent that crashes is the user's own program, which ends"}
PEOPLE = {"page": "on a page there is a person, and it has no button to decline by"}
LEAVES = {"bridge": "an agent that leaves has not failed: its session stays open, to be resumed"}
CASES = {
    "need all": Case(
        everyone,
        {"a": [RIGHT], "b": [LEFT]},
        ["ask a", "ask b", "answer b 0 at 1", "answer a 1 at 2", "end finished at 2"],
    ),
    "need any": Case(
        either,
        {"a": [LEFT, LEFT], "b": [RIGHT, RIGHT]},
        # The act of b that is under way when the first round ends is given to the second.
        [
            *("ask a", "ask b", "answer a 0 at 1", "withdraw b at 1"),
            *("ask a at 1", "ask b at 1", "answer a 0 at 2", "withdraw b at 2", "end finished at 2"),
        ],
    ),
    "need two of three": Case(
        most,
        {"a": [FAR], "b": [LEFT], "c": [RIGHT]},
        ["ask a", "ask b", "ask c", "answer b 0 at 1", "answer c 1 at 2", "withdraw a at 2", "end finished at 2"],
    ),
    "price in ticks": Case(
        one,
        {"subject": [LEFT, RIGHT]},
        ["ask first", "answer first 0 at 1", "ask second at 1", "answer second 1 at 3", "end finished at 3"],
    ),
    "late": Case(
        one,
        {"subject": [FAR, LEFT]},
        ["ask first", "lapse first at 5", "ask second at 5", "answer second 0 at 6", "end finished at 6"],
    ),
    "absent": Case(
        one,
        {"subject": [{"wait": True}, LEFT]},
        ["ask first", "lapse first at 5", "ask second at 5", "answer second 0 at 6", "end finished at 6"],
        AGENTS,
    ),
    "one absent": Case(
        everyone,
        {"a": [{"wait": True}], "b": [LEFT]},
        ["ask a", "ask b", "answer b 0 at 1", "lapse a at 5", "end finished at 5"],
        AGENTS,
    ),
    "invalid": Case(
        one,
        {"subject": [NONSENSE, LEFT, LEFT]},
        [
            *("ask first", "invalid first 7 at 1", "answer first 0 at 2"),
            *("ask second at 2", "answer second 0 at 3", "end finished at 3"),
        ],
    ),
    "invalid too often": Case(
        one,
        {"subject": [NONSENSE, NONSENSE, NONSENSE]},
        [
            *("ask first", "invalid first 7 at 1", "invalid first 7 at 2", "invalid first 7 at 3", "fail invalid at 3"),
            *("lapse first at 5", "ask second at 5", "lapse second at 10", "end invalid at 10"),
        ],
        {"page": "a person's slips end nothing (tests/running/test_live_people.py)"},
    ),
    "refused": Case(
        one,
        {"subject": [{"refuse": "no"}, {"abstain": "?"}]},
        [
            "ask first",
            "refuse first 'no' at 1",
            "ask second at 1",
            "abstain second '?' at 2",
            "end finished at 2",
        ],
        {**AGENTS, **PEOPLE},
    ),
    "crashed": Case(
        everyone,
        {"a": [LEFT], "b": [CRASH]},
        ["ask a", "ask b", "fail crashed by b", "lapse a at 5", "lapse b at 5", "end crashed at 5"],
        {
            **OWN_CODE,
            **PEOPLE,
            "bridge": "an agent that leaves has not failed: its session stays open (tests/cli/test_mcp.py)",
        },
    ),
    "lost": Case(
        one,
        {"subject": [LOST]},
        # It can be resumed, so nothing is logged.
        ["ask first"],
        {
            **OWN_CODE,
            **PEOPLE,
            **LEAVES,
            "program": "a program is started here; what breaks off is its own failure",
        },
        {
            "tcp": ("a server that is out is out before the first ask", []),
            "http": ("a server that is out is out before the first ask", []),
            "live": (
                "a person waits there, so the session ends",
                [
                    "ask first",
                    "fail lost",
                    "lapse first at 5",
                    "ask second at 5",
                    "lapse second at 10",
                    "end lost at 10",
                ],
            ),
        },
    ),
}


class Scripted:
    """Replies one after the other."""

    def __init__(self, replies: list[Any]) -> None:
        self.left = list(replies)

    def __call__(self, ask: Ask) -> Any:
        said = self.left.pop(0)
        if said == LOST:
            # Only code of ours may say that a subject was lost.
            return Tcp("tcp://127.0.0.1:1", bounds=Bounds(start_seconds=1))(ask)
        if said == CRASH:
            raise RuntimeError("tired")
        return read_reply(json.dumps(said))[0]


def taken(case: Case, cast: dict[str, Any]) -> list[Any]:
    journal = MemoryJournal()
    drive(Session(Instance(case.test, {}, 1)), cast, journal=journal)
    return journal.events


def through_take(case: Case, **_: Any) -> list[Any]:
    return taken(case, {role: Scripted(replies) for role, replies in case.replies.items()})


PROGRAM = """
import json, sys
left = json.loads(sys.argv[1])
for text in sys.stdin:
    if json.loads(text)["type"] == "ask":
        said = left.pop(0)
        if said == "crash":
            sys.exit(3)
        print(json.dumps(said), flush=True)
"""


def through_program(case: Case, stack: ExitStack, **_: Any) -> list[Any]:
    cast = {}
    for role, replies in case.replies.items():
        cast[role] = Program([sys.executable, "-c", PROGRAM, json.dumps(replies)])
        stack.callback(cast[role].close)
    return taken(case, cast)


class Lines(socketserver.StreamRequestHandler):
    """Replies to lines by the role that begin says."""

    def handle(self):
        left: list[Any] = []
        for text in self.rfile:
            message = json.loads(text)
            if message["type"] == "begin":
                left = list(self.server.replies[message["role"]])
            elif message["type"] == "ask":
                said = left.pop(0)
                if said == CRASH:
                    return
                self.wfile.write(json.dumps(said).encode() + b"\n")


class Posts(BaseHTTPRequestHandler):
    """Replies to posts by the role that begin says."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        left, status, said = self.server.left, 200, {}
        if message["type"] == "begin":
            left[message["session"]] = list(self.server.replies[message["role"]])
        elif message["type"] == "ask":
            said = left[message["session"]].pop(0)
            status = 500 if said == CRASH else 200
        body = json.dumps(said).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        return


def served(server: Any, case: Case, stack: ExitStack) -> int:
    server.daemon_threads = True
    server.replies, server.left = case.replies, {}
    stack.enter_context(serving(server))
    return 1 if LOST in case.replies.get("subject", ()) else server.server_address[1]


def through_tcp(case: Case, stack: ExitStack, **_: Any) -> list[Any]:
    port = served(socketserver.ThreadingTCPServer(("127.0.0.1", 0), Lines), case, stack)
    cast = {role: Tcp(f"tcp://127.0.0.1:{port}") for role in case.replies}
    for member in cast.values():
        stack.callback(member.close)
    return taken(case, cast)


def through_http(case: Case, stack: ExitStack, **_: Any) -> list[Any]:
    port = served(ThreadingHTTPServer(("127.0.0.1", 0), Posts), case, stack)
    cast = {role: Http(f"http://127.0.0.1:{port}/") for role in case.replies}
    for member in cast.values():
        stack.callback(member.close)
    return taken(case, cast)


def through_bridge(case: Case, stack: ExitStack, **_: Any) -> list[Any]:
    """Drive as a server of the Model Context Protocol does: the answers come from other threads."""
    cast = {role: Bridge(role) for role in case.replies}

    def give(bridge: Bridge, replies: list[Any]) -> None:
        for said in replies:
            bridge.give(read_reply(json.dumps(said))[0])

    for role, bridge in cast.items():
        thread = Thread(target=give, args=(bridge, case.replies[role]), daemon=True)
        thread.start()
        stack.callback(thread.join, 5)
        stack.callback(bridge.abandon)
    try:
        return taken(case, cast)
    except Abandoned:
        raise AssertionError("the bridge was left") from None


def through_environment(case: Case, monkeypatch: pytest.MonkeyPatch, **_: Any) -> list[Any]:
    pytest.importorskip("pettingzoo")
    from mensura.running.environment.environment import as_env, as_parallel_env
    from mensura.running.environment.episode import Episode

    monkeypatch.setitem(Episode.__init__.__kwdefaults__, "trace", "full")
    left = {role: [said["answer"] for said in replies] for role, replies in case.replies.items()}
    single = list(left) == ["subject"]
    env = as_env(case.test, seed=1) if single else as_parallel_env(case.test, seed=1)
    env.reset()
    session = env._episode.session
    while session.status == "open":
        asked = env._episode.asked
        try:
            env.step(left["subject"].pop(0) if single else {role: left[role].pop(0) for role in asked})
        except Invalid:
            continue
    return session.drain()


def stored(case: Case, store: Any, monkeypatch: pytest.MonkeyPatch) -> tuple[str, tuple[str, ...]]:
    """Begin a session in a store; returns its name and its roles."""
    for place in ("mensura.running.live", "mensura.web.participant.ending"):
        monkeypatch.setattr(f"{place}.definition_of", lambda head: case.test)
    monkeypatch.setattr(SubjectSpec, "find", lambda *arguments, **more: None)
    roles = case.test.cast_roles({})
    plan = Plan(case.test, {role: SubjectSpec("chance", {"role": role}) for role in roles}, {})
    head = begin_run(plan, store=store, seed=Seed.choose(1), options=RunOptions())
    name = f"{head.id}/0.0.0"
    store.sessions.add(SessionHead(name, head.id, Address(), dict.fromkeys(roles, "chance"), created=time.time()))
    return name, roles


def through_live(case: Case, *, store: Any, monkeypatch: pytest.MonkeyPatch, **_: Any) -> list[Any]:
    """Play as programs do in sessions that people take too."""
    name, roles = stored(case, store, monkeypatch)
    monkeypatch.setattr(
        SubjectSpec, "make", lambda spec, *arguments, **more: Scripted(case.replies[spec.options["role"]])
    )
    sessions = LiveSessions(store)
    programs = Programs(sessions)
    try:
        end = time.monotonic() + 20
        while store.sessions.find(name).status == "open" and time.monotonic() < end:
            before = store.events.last_number(name)
            programs.notice(name, lambda session: dict.fromkeys(roles, ""))
            programs.wait(name, seconds=5)
            if store.events.last_number(name) == before:
                # Programs wait for a deadline: the clock is moved by the people in the session.
                sessions.act(name, lambda live: live.session.advance(live.session.deadline))
    finally:
        programs.close()
    return store.events.of(name)


def through_page(case: Case, *, store: Any, monkeypatch: pytest.MonkeyPatch, **_: Any) -> list[Any]:
    """Answer as pages do: a person pays the seconds that an ask was before them."""
    name, _ = stored(case, store, monkeypatch)
    now = [1000.0]
    monkeypatch.setattr("mensura.running.live.time", SimpleNamespace(time=lambda: now[0]))
    sessions, left = LiveSessions(store), {role: list(replies) for role, replies in case.replies.items()}
    shown: dict[tuple[str, int], int] = {}

    def act(live: Any) -> None:
        session = live.session
        acts = {}
        for role in session.open:
            said, number = left[role][0], session.asked[role]
            cost = COST.get(said["answer"], 1) if "answer" in said else 1000
            acts[role] = live.since(role)[0] + shown.get((role, number), 0) + cost
        role = min(acts, key=lambda role: acts[role])
        number, since = session.asked[role], live.since(role)
        late = session.deadline is not None and acts[role] >= session.deadline
        due = session.deadline if late else acts[role]
        shown[role, number] = due - since[0]
        now[0] = max(now[0], since[1] + shown[role, number])
        seat = Seat(None, SimpleNamespace(role=role))
        said = left[role].pop(0)
        if late:
            seat.pass_time(live, number=number, shown=due - since[0])
        else:
            seat.answer(live, said["answer"], number=number, shown=due - since[0], nonce=token_hex(4), notes={})

    while sessions.act(name, lambda live: live.session.status) == "open":
        with suppress(Invalid):
            sessions.act(name, act)
    return store.events.of(name)


DOORS: dict[str, Callable[..., list[Any]]] = {
    "take": through_take,
    "program": through_program,
    "tcp": through_tcp,
    "http": through_http,
    "bridge": through_bridge,
    "environment": through_environment,
    "live": through_live,
    "page": through_page,
}


def written(events: list[Any]) -> Iterator[str]:
    """Write a log in words, without what differs from door to door: nonces, notes, last words."""
    for event in events:
        if event.kind in ("digest", "tell"):
            continue
        many = event.role not in ("", "subject")
        parts = [event.kind, event.role if many else event.key]
        if event.kind in ("end", "fail"):
            blamed = event.value.get("roles")
            parts = [event.kind, event.value["status"], f"by {', '.join(blamed)}" if blamed else ""]
        elif event.kind in ("answer", "invalid", "refuse", "abstain"):
            parts.append(repr(event.value))
        if event.tick:
            parts.append(f"at {event.tick}")
        yield " ".join(part for part in parts if part)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("name", CASES)
def test_a_case_leaves_the_same_log_through_every_door(name, door, store, monkeypatch):
    case = CASES[name]
    if door in case.unless:
        pytest.skip(case.unless[door])
    with ExitStack() as stack:
        events = DOORS[door](case, store=store, monkeypatch=monkeypatch, stack=stack)
    assert list(written(events)) == (case.otherwise[door][1] if door in case.otherwise else case.log)
