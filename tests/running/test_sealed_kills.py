"""Killing the process while secrets are sealed or opened: nothing is lost, and the chain holds."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from mensura.dialogue import Address, Seed, Session
from mensura.errors import MensuraError
from mensura.running.job import instance_of
from mensura.running.plan import Plan
from mensura.running.run import RunOptions, begin_run, carry_out, job_of, resume_run
from mensura.store import SessionHead, open_store
from mensura.store.sealed.proof import audit_run
from tests.proofs import proofs

KILLS = 4
"""For each of a file, a program and a session that saves: twelve in all."""
TEST = """
from mensura.dialogue import Ask, Probability, Save, test


@test("stop-v1")
def stop(rng, *, flips: int = 12, saved=None):
    '''Give the probability of heads, with a save now and then.'''
    for i in range(saved or 0, flips):
        yield Ask(f"Coin {i}, {rng.random():.6f}?", Probability(), key=f"coin{i}", truth=int(rng.random() < 0.5))
        if i % 3 == 2:
            yield Save(i + 1)
"""
FILE = """
import time


class Slow:
    '''Takes a moment for each answer.'''

    def begin(self, rng):
        self.rng = rng

    def __call__(self, ask):
        time.sleep(0.004)
        return 0.25
"""
PROGRAM = """
import json, sys, time
for line in sys.stdin:
    if json.loads(line)["type"] == "ask":
        time.sleep(0.004)
        print(json.dumps({"answer": 0.25}), flush=True)
"""
LED = """
import sys
from mensura.running.run import resume_run, run
from mensura.store import open_store
store, test, subject = sys.argv[1:4]
with open_store(store) as opened:
    if opened.runs.all():
        resume_run("last", store=opened)
    else:
        run(test, subject, store=opened, sessions=3)
print("done", flush=True)
"""


def acknowledged(url: str) -> dict[str, list[tuple[str, float]]]:
    """Give what is stored of every session."""
    try:
        with open_store(url, create=False) as store:
            return {
                head.id: [(event.key, event.value) for event in store.events.of(head.id) if event.kind == "answer"]
                for run in store.runs.all()
                for head in store.sessions.of(run.id)
            }
    except MensuraError:
        return {}


def count(url: str) -> int:
    """Count the answers that are stored; this is done all the time, so without opening a store for it."""
    try:
        with closing(sqlite3.connect(f"file:{url}?mode=ro", uri=True)) as connection:
            return int(connection.execute("SELECT count(*) FROM events WHERE kind = 'answer'").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*proofs("file"), "program", "saved"])
def test_kills_lose_nothing_and_what_is_kept_back_opens_in_the_end(kind, tmp_path):
    (tmp_path / "stop.py").write_text(TEST)
    (tmp_path / "slow.py").write_text(FILE)
    (tmp_path / "agent.py").write_text(PROGRAM)
    url = str(tmp_path / "killed.db")
    test = "coin" if kind == "program" else f"{tmp_path}/stop.py:stop"
    subject = f"program:{sys.executable} {tmp_path}/agent.py" if kind == "program" else f"{tmp_path}/slow.py:Slow"
    led = [sys.executable, "-c", LED, url, test, subject]
    moments, kills, seen = random.Random(f"20261/{kind}"), 0, {}
    while kills < KILLS:
        going = subprocess.Popen(led, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 240
        wanted = count(url) + moments.choice([0, 1, 2, 3])
        while going.poll() is None and count(url) < wanted and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(moments.random() * 0.02)
        going.kill()
        going.communicate()
        kills += 1
        now = acknowledged(url)
        for session, answers in seen.items():
            assert now[session][: len(answers)] == answers, "an answer was lost or changed"
        seen = now
        if seen:
            with open_store(url) as store:
                assert audit_run(store, "last").whole
    with open_store(url) as store:
        result = resume_run("last", store=store)
        assert result.counts["finished"] == 3
        assert {session: answers[: len(seen.get(session, []))] for session, answers in acknowledged(url).items()} == {
            session: seen.get(session, []) for session in acknowledged(url)
        }
        assert store.runs.find("last").opened
        assert audit_run(store, "last").whole


def test_a_session_cut_off_between_its_last_save_and_its_end_is_finished_with_all_its_truths(tmp_path):
    (tmp_path / "stop.py").write_text(TEST)
    with open_store(tmp_path / "cut.db") as store:
        plan = Plan.of(f"{tmp_path}/stop.py:stop", "constant:0.25")
        options = RunOptions(details={"sessions": 1})
        head = begin_run(plan, store=store, seed=Seed.choose(), options=options)
        job = job_of(head, Address(), plan=plan, store=store, options=options)
        store.sessions.add(SessionHead(job.session, head.id, Address(), head.cast))
        session = Session(instance_of(job))
        session.start()
        while session.status == "open":
            session.answer(0.25)
        *events, digest, end = session.drain()
        assert (events[-1].kind, digest.kind, end.kind) == ("save", "digest", "end")
        store.events.append(job.session, events, truths=session.drain_truths())
        result = resume_run("last", store=store)
        assert result.counts["finished"] == 1
        assert result.scores["quadratic_score"].n == 12
        assert len(store.truths.of(job.session)) == 12
        assert store.runs.find("last").opened
        assert audit_run(store, "last").whole


OPENED = """
import sys
from mensura.store import open_store
with open_store(sys.argv[1]) as store:
    print("here", flush=True)
    store.runs.open("last")
"""


@pytest.mark.slow
@pytest.mark.proof
def test_kills_during_the_opening_leave_it_kept_back_or_open_and_never_between(tmp_path):
    url, moments = str(tmp_path / "many.db"), random.Random(7)
    with open_store(url) as store:
        plan = Plan.of("coin", "chance", parameters={"flips": 2})
        head = begin_run(plan, store=store, seed=Seed.choose(), options=RunOptions())
        carry_out(head, [Address(session=i) for i in range(400)], plan=plan, store=store, options=RunOptions())
    states = []
    for _ in range(6):
        going = subprocess.Popen([sys.executable, "-c", OPENED, url], stdout=subprocess.PIPE)
        assert going.stdout is not None
        going.stdout.readline()
        time.sleep(moments.random() * 0.03)
        os.kill(going.pid, signal.SIGKILL)
        going.communicate()
        with open_store(url) as store, store.database.reading() as connection:
            opened = connection.exec_driver_sql(
                "SELECT count(*) FROM sessions WHERE secret NOT LIKE 'sealed:%'"
            ).scalar()
            said = store.runs.find("last").opened
        assert opened in (0, 400)
        assert bool(said) is (opened == 400)
        states.append(opened)
    with open_store(url) as store:
        assert store.runs.open("last")
        assert audit_run(store, "last").whole
        key = store.keyring.path
    key.rename(Path(tmp_path, "away"))
    with open_store(url) as store:
        assert len(store.truths.of(f"{store.runs.find('last').id}/0.0.399")) == 2
