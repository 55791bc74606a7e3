"""Doors: the ways by which answers come to a session, each driven by a script of replies."""

import json
import socketserver
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import token_hex
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest

from mensura.dialogue import Address, Ask, Instance, Seed, Session, Test
from mensura.errors import Invalid, Late
from mensura.running.driver import drive
from mensura.running.live import LiveSessions
from mensura.running.plan import Plan
from mensura.running.run import RunOptions, begin_run
from mensura.store import MemoryJournal, SessionHead
from mensura.subjects import SubjectSpec
from mensura.subjects.outside.bounds import Bounds
from mensura.subjects.outside.bridge import Abandoned, Bridge
from mensura.subjects.outside.http import Http
from mensura.subjects.outside.program import Program
from mensura.subjects.outside.protocol import read_reply
from mensura.subjects.outside.tcp import Tcp
from mensura.web.participant.programs import Programs
from mensura.web.participant.seat import Seat
from tests.serving import serving

COST = {0: 1, 1: 2, 2: 9}
"""What each move costs in ticks."""
CRASH, LOST = "crash", "lost"


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
    session = env._episodes.now.session
    while session.status == "open":
        asked = env._episodes.now.asked
        try:
            env.step(left["subject"].pop(0) if single else {role: left[role].pop(0) for role in asked})
        except Invalid:
            continue
    return session.drain()


def stored(case: Case, store: Any, monkeypatch: pytest.MonkeyPatch) -> tuple[str, tuple[str, ...]]:
    """Begin a session in a store; returns its name and its roles."""
    for place in ("mensura.running.live", "mensura.running.scoring.storing"):
        monkeypatch.setattr(f"{place}.definition_of", lambda head: case.test)
    monkeypatch.setattr(SubjectSpec, "find", lambda *arguments, **more: None)
    roles = case.test.cast_roles({})
    plan = Plan(case.test, {role: SubjectSpec("chance", {"role": role}) for role in roles}, {})
    head = begin_run(plan, store=store, seed=Seed.choose(1), options=RunOptions())
    name = f"{head.id}/0.0.0"
    store.sessions.add(SessionHead(name, head.id, Address(), dict.fromkeys(roles, "chance"), created=time.time()))
    return name, roles


@contextmanager
def programs_of(case: Case, sessions: LiveSessions, monkeypatch: pytest.MonkeyPatch) -> Iterator[Programs]:
    """Play for programs that reply by the script."""
    monkeypatch.setattr(
        SubjectSpec, "make", lambda spec, *arguments, **more: Scripted(case.replies[spec.options["role"]])
    )
    programs = Programs(sessions)
    try:
        yield programs
    finally:
        programs.close()


def through_live(case: Case, *, store: Any, monkeypatch: pytest.MonkeyPatch, **_: Any) -> list[Any]:
    """Play as programs do in sessions that people take too."""
    name, roles = stored(case, store, monkeypatch)
    end = time.monotonic() + 120
    with programs_of(case, LiveSessions(store), monkeypatch) as programs:
        while store.sessions.find(name).status == "open" and time.monotonic() < end:
            programs.notice(name, lambda session: dict.fromkeys(roles, ""))
            programs.wait(name, seconds=5)
    return store.events.of(name)


class People:
    """Answer as pages do: a person pays the seconds that an ask was before them."""

    def __init__(self, case: Case, roles: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
        self.left = {role: list(case.replies[role]) for role in roles}
        self.now = 1000.0
        self.shown: dict[tuple[str, int], int] = {}
        monkeypatch.setattr("mensura.running.live.time", SimpleNamespace(time=lambda: self.now))

    def act(self, live: Any) -> None:
        session = live.session
        acts = {}
        for role in session.open.keys() & self.left.keys():
            said, number = self.left[role][0], session.asked[role]
            cost = COST.get(said["answer"], 1) if "answer" in said else 1000
            acts[role] = live.since(role)[0] + self.shown.get((role, number), 0) + cost, number
        if not acts:
            return
        role = min(acts, key=lambda role: acts[role])
        (done, number), since = acts[role], live.since(role)
        late = session.deadline is not None and done >= session.deadline
        shown = self.shown[role, number] = (session.deadline if late else done) - since[0]
        self.now = max(self.now, since[1] + shown)
        seat = Seat(None, SimpleNamespace(role=role))
        said = self.left[role].pop(0)
        if late:
            seat.pass_time(live, number=number, shown=shown)
        else:
            seat.answer(live, said["answer"], number=number, shown=shown, nonce=token_hex(4), notes={})


def through_page(case: Case, *, store: Any, monkeypatch: pytest.MonkeyPatch, **_: Any) -> list[Any]:
    """Let people play all the roles."""
    name, roles = stored(case, store, monkeypatch)
    people, sessions = People(case, roles, monkeypatch), LiveSessions(store)
    while sessions.act(name, lambda live: live.session.status) == "open":
        with suppress(Invalid):
            sessions.act(name, people.act)
    return store.events.of(name)


def through_both(case: Case, *, store: Any, monkeypatch: pytest.MonkeyPatch, **_: Any) -> list[Any]:
    """Let a person play the first role and programs the others."""
    name, roles = stored(case, store, monkeypatch)
    if len(roles) == 1:
        pytest.skip("there is one role only")
    people, sessions = People(case, roles[:1], monkeypatch), LiveSessions(store)
    end = time.monotonic() + 120
    with programs_of(case, sessions, monkeypatch) as programs:
        while store.sessions.find(name).status == "open" and time.monotonic() < end:
            programs.notice(name, lambda session: dict.fromkeys(roles[1:], ""))
            programs.wait(name, seconds=5)
            with suppress(Invalid, Late):
                sessions.act(name, people.act)
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
    "both": through_both,
}
