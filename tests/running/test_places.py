"""Places to run: the same bits in one process, in several, on a cluster and over PostgreSQL."""

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from subprocess import DEVNULL, Popen

import pytest

from mensura.dialogue import Address
from mensura.dialogue.streams import subject_generator
from mensura.errors import BadParameter, MissingExtra, UnknownName
from mensura.running.executors import Cluster, Here, Processes, executor
from mensura.running.results.summary import summarise_run
from mensura.running.run import RunOptions, run
from mensura.store import open_store
from mensura.subjects import SubjectSpec
from tests.proofs import proofs


def logs(store, result):
    """Give everything of a run's sessions that a replay compares, by address."""
    return {
        head.address: [
            (event.number, event.kind, event.role, event.key, event.tick, json.dumps(event.value), event.content)
            for event in store.events.of(head.id, content=True)
        ]
        for head in store.sessions.of(result.head.id)
    }


@pytest.mark.parametrize("where", ["processes:2", *proofs("processes:1")])
def test_processes_give_the_same_bits_as_one_process(store, where):
    here = run("inbox", "chance", store=store, sessions=6, seed=5)
    there = run("inbox", "chance", store=store, sessions=6, seed=5, options=RunOptions(executor(where)))
    assert logs(store, here) == logs(store, there)
    assert here.scores == there.scores


@pytest.mark.cluster
@pytest.mark.proof
def test_a_ray_cluster_gives_the_same_bits_as_one_process(store):
    here = run("inbox", "chance", store=store, sessions=6, seed=5)
    there = run("inbox", "chance", store=store, sessions=6, seed=5, options=RunOptions(Cluster()))
    assert logs(store, here) == logs(store, there)
    assert here.scores == there.scores


@pytest.fixture
def head(tmp_path, monkeypatch):
    """Start the head of a cluster apart from this process, and give the address of its client port."""
    pytest.importorskip("grpc", reason="ray[client] is not installed")
    # Clusters of newer versions ask for a token; this one has its own.
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    monkeypatch.setenv("RAY_AUTH_TOKEN", "mensura" * 8)
    # On a busy machine the head needs longer than half a minute to start what serves a client.
    monkeypatch.setenv("RAY_CLIENT_SERVER_CHECK_CHANNEL_TIMEOUT_S", "300")
    ports = [free_port() for _ in range(2)]
    options = f"--port {ports[0]} --ray-client-server-port {ports[1]} --num-cpus 1 --include-dashboard=false"
    apart = "--node-ip-address 127.0.0.1 --disable-usage-stats --min-worker-port 0 --max-worker-port 0 --block"
    started = Popen(
        [Path(sys.executable).with_name("ray"), "start", "--head", *options.split(), *apart.split()],
        stdout=DEVNULL,
        stderr=DEVNULL,
    )
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and not listens(ports[1]):
        time.sleep(0.2)
    yield f"ray://127.0.0.1:{ports[1]}"
    started.terminate()
    started.wait(60)


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def listens(port):
    with socket.socket() as visitor:
        return visitor.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.cluster
def test_a_running_cluster_is_joined_and_gives_the_same_bits(head, store):
    here = run("coin", "chance", store=store, sessions=4, seed=5)
    # A process joins one cluster in its life, and this one may be in another already.
    command = [
        sys.executable,
        "-m",
        "mensura.cli.main",
        "run",
        "coin",
        "--as",
        "chance",
        "--sessions",
        "4",
        "--seed",
        "5",
    ]
    done = subprocess.run(
        [*command, "--on", head, "--json"],
        capture_output=True,
        text=True,
        env=os.environ | {"MENSURA_STORE": store.url},
    )
    assert done.returncode == 0, done.stderr
    there = summarise_run(store.runs.find("last"), store=store)
    assert there.scores == here.scores
    assert logs(store, there) == logs(store, here)


def test_an_address_where_nothing_listens_is_refused_at_once(monkeypatch):
    ray = pytest.importorskip("ray")
    pytest.importorskip("grpc", reason="ray[client] is not installed")
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    began = time.monotonic()
    with pytest.raises(BadParameter, match=r"Nothing answers at ray://127.0.0.1:\d+: .* as in ray://head:10001"):
        next(executor(f"ray://127.0.0.1:{free_port()}").map(len, ["job"]))
    assert time.monotonic() - began < 10


DEADLY = """
import os
from pathlib import Path

class Deadly:
    '''Answers one half; at some answer of a chosen session it takes its whole process with it.'''

    def __init__(self, sessions, times, at):
        self.sessions, self.times, self.at, self.answers = sessions, times, at, 0

    def begin(self, rng):
        self.doomed = round(rng.random(), 6) in self.sessions

    def __call__(self, ask):
        self.answers += 1
        deaths = len(list(Path(__file__).parent.glob("death*")))
        if self.doomed and self.answers == self.at and deaths < self.times:
            Path(__file__).with_name(f"death{deaths}").touch()
            os._exit(9)
        return 0.5
"""


def deadly_run(store, folder, *, times, at):
    """Run where the second of four sessions kills its worker, so many times."""
    (folder / "deadly.py").write_text(DEADLY)
    second = round(subject_generator(1, Address(session=1), "subject").random(), 6)
    options = {"in_process": True, "sessions": [second], "times": times, "at": at}
    spec = SubjectSpec(f"{folder}/deadly.py:Deadly", options=options)
    return run("coin", spec, store=store, sessions=4, seed=1, options=RunOptions(Processes(2)))


def test_a_killed_worker_is_replaced_and_nothing_is_lost(store, tmp_path):
    result = deadly_run(store, tmp_path, times=1, at=7)
    assert result.counts["finished"] == 4
    for head in store.sessions.of(result.head.id):
        assert [answer.key for answer in store.records.find(head.id).answers] == [f"coin{i}" for i in range(20)]


def test_a_session_that_kills_every_worker_is_given_up_as_crashed(store, tmp_path):
    result = deadly_run(store, tmp_path, times=100, at=1)
    assert result.counts["finished"] == 3
    assert result.counts["crashed"] == 1
    assert "died" in result.last_words[0]


@pytest.mark.parametrize("name", ["moon", "processes:0", "processes:many", "processes:²"])
def test_an_unknown_place_to_run_is_refused(name):
    with pytest.raises(UnknownName, match="processes"):
        executor(name)


def test_names_of_places_are_understood():
    assert isinstance(executor("here"), Here)
    assert isinstance(executor("processes"), Processes)
    assert executor("ray").address is None
    assert executor("ray://head:10001").address == "ray://head:10001"


def test_a_cluster_on_other_machines_says_what_to_install(monkeypatch):
    ray = pytest.importorskip("ray")
    # Another test of this process may have joined a cluster.
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setattr("mensura.running.executors.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r'need ray\[client\]: pip install "mensura\[cluster\]"'):
        next(executor("ray://127.0.0.1:1").map(len, ["job"]))


@pytest.mark.postgres
def test_a_run_over_postgresql_gives_the_same_bits(store, postgres_url):
    with open_store(postgres_url) as other:
        here = run("inbox", "chance", store=store, sessions=3, seed=5)
        there = run("inbox", "chance", store=other, sessions=3, seed=5, options=RunOptions(Processes(2)))
        assert logs(store, here) == logs(other, there)
