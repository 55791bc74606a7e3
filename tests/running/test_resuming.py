"""Resuming: an interrupted run goes on where it was, and nothing is lost or doubled."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sqlalchemy import text

from mensura.dialogue import Event, Limits
from mensura.errors import BadFile, BadParameter, Conflict, MensuraError
from mensura.running.run import RunOptions, resume_run, run
from mensura.running.scoring.rescore import rescore
from mensura.store import open_store
from mensura.web.participant.invitation import invite
from tests.proofs import proofs


def test_an_interrupted_run_is_resumed_where_it_was(store):
    answers = []

    def stopping(ask):
        answers.append(ask.key)
        if len(answers) == 27:
            raise KeyboardInterrupt
        return 0.5

    with pytest.raises(KeyboardInterrupt):
        run("coin", stopping, store=store, sessions=3, seed=1, parameters={"flips": 10})
    head = store.runs.find("last")
    before = store.sessions.count(head.id)
    assert before == {"finished": 2, "open": 1}
    # A function of this process has no name to find it by; what resumes is named instead.
    specs = {"subject": {"name": "constant:0.5", "options": {}, "folder": "."}}
    with store.database.writing() as connection:
        details = json.dumps({**head.details, "subjects": specs})
        connection.execute(text("UPDATE runs SET details = :details"), {"details": details})
    result = resume_run("last", store=store)
    assert result.counts["finished"] == 3
    last = store.records.find(store.sessions.of(head.id)[2].id)
    assert [answer.key for answer in last.answers] == [f"coin{i}" for i in range(10)]


def test_resuming_a_finished_run_changes_nothing(store):
    run("coin", "chance", store=store, sessions=2, seed=1)
    before = [store.events.of(head.id) for head in store.sessions.of(store.runs.find("last").id)]
    resume_run("last", store=store)
    assert before == [store.events.of(head.id) for head in store.sessions.of(store.runs.find("last").id)]


@pytest.mark.parametrize(
    ("test", "cast"),
    [
        ("coin", "human"),
        ("dilemma", "human"),
        ("dilemma", {"first": "human", "second": "tit-for-tat"}),
        ("crisis", "human"),
    ],
)
@pytest.mark.parametrize("status", ["open", "lost"])
def test_a_run_of_people_is_never_resumed_and_stays_as_it_was(store, test, cast, status):
    head, [link, *_] = invite(test, cast, store=store)
    store.events.append(link.session, [Event(1, "tell", time=1.0)])
    store.sessions.end(link.session, status=status)
    before = store.sessions.of(head.id), store.events.of(link.session)
    with pytest.raises(BadParameter, match=r"people answer.*send each person their link again"):
        resume_run("last", store=store)
    assert (store.sessions.of(head.id), store.events.of(link.session)) == before


def test_sessions_that_ended_when_nobody_was_left_to_score_them_are_scored_on_resuming(store):
    whole = run("coin", "chance", store=store, sessions=3, seed=1)
    with store.database.writing() as connection:
        connection.execute(text("DELETE FROM results WHERE session > (SELECT min(session) FROM results)"))
    assert len(store.results.of(whole.head.id)) == 1
    assert resume_run("last", store=store).scores == whole.scores


def test_a_run_killed_before_its_sessions_were_written_down_is_taken_whole(store, monkeypatch):
    whole = run("coin", "chance", store=store, sessions=3, seed=1)

    def killed(heads):
        raise KeyboardInterrupt

    monkeypatch.setattr(store.sessions, "add_many", killed)
    with pytest.raises(KeyboardInterrupt):
        run("coin", "chance", store=store, sessions=3, seed=1)
    monkeypatch.undo()
    assert resume_run("last", store=store).counts["finished"] == 3
    assert resume_run("last", store=store).scores == whole.scores


def test_a_resumed_run_keeps_the_limits_that_it_began_with(store):
    run("coin", "chance", store=store, sessions=2, seed=1, options=RunOptions(limits=Limits(turns=4)))
    with store.database.writing() as connection:
        for table in ("truths", "events"):
            connection.execute(text(f"DELETE FROM {table}"))
        connection.execute(text("UPDATE sessions SET status = 'open'"))
    assert resume_run("last", store=store).counts["timed_out"] == 2


def test_a_second_writer_stops_and_spoils_nothing(store, monkeypatch):
    """The store says that another was first: this run stops with its sentence and the session stays as it was."""
    append = store.events.append

    def taken(session, events, **more):
        if events[-1].number > 10:
            raise Conflict("another writer was first")
        append(session, events, **more)

    monkeypatch.setattr("mensura.running.job.shared_store", lambda url, key=None: store)
    monkeypatch.setattr(store.events, "append", taken)
    with pytest.raises(Conflict):
        run("coin", "constant:0.5", store=store, sessions=2, seed=1)
    assert store.sessions.count(store.runs.find("last").id) == {"open": 2}


def test_a_run_from_a_file_is_resumed_and_scored_from_any_folder(store, tmp_path, monkeypatch):
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    home.mkdir()
    elsewhere.mkdir()
    (home / "one.py").write_text(
        "from mensura.dialogue import Ask, Probability, test\n"
        "@test('one-v1')\n"
        "def one(rng):\n"
        "    yield Ask('?', Probability(), key='one', truth=1)\n"
    )
    monkeypatch.chdir(home)
    first = run("./one.py:one", "chance", store=store, sessions=2, seed=1)
    monkeypatch.chdir(elsewhere)
    assert resume_run("last", store=store).scores == first.scores
    assert rescore("last", store=store).scores == first.scores
    (home / "one.py").unlink()
    with pytest.raises(BadFile, match="mensura report one-"):
        rescore("last", store=store)


LASTING = """
import time

class Lasting:
    '''Answers slowly and differs from session to session.'''

    def begin(self, rng):
        self.rng = rng

    def __call__(self, ask):
        time.sleep(0.02)
        return 0.5
"""


@pytest.mark.parametrize("where", [*proofs("here"), "processes:2"])
def test_killing_the_command_loses_nothing_and_leaves_nobody_behind(tmp_path, where):
    (tmp_path / "lasting.py").write_text(LASTING)
    url = str(tmp_path / "killed.db")
    command = [sys.executable, "-m", "mensura.cli.main", "run", "coin", "--as", "./lasting.py:Lasting", "--on", where]
    options = ["--sessions", "4", "--flips", "40", "--seed", "1", "--store", url]
    # A process that it starts inherits this variable, and is known by it.
    mark = f"MARK={tmp_path}"
    going = subprocess.Popen([*command, *options], cwd=tmp_path, env={**os.environ, "MARK": str(tmp_path)})
    try:
        wait_for(lambda: stored_answers(url) >= 30)
    finally:
        going.kill()
        going.wait()
    wait_for(lambda: not started_with(mark))
    with open_store(url) as store:
        before = answers_of(store)
        result = resume_run("last", store=store)
        after = answers_of(store)
        assert result.counts["finished"] == 4
        assert result.scores["quadratic_score"].n == 4
        assert {session: given[: len(before[session])] for session, given in after.items()} == before
        assert all(len(given) == 40 for given in after.values())


def wait_for(condition, *, seconds=120.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.05)


def answers_of(store):
    return {
        head.id: [(event.key, event.time) for event in store.events.of(head.id) if event.kind == "answer"]
        for head in store.sessions.of(store.runs.find("last").id)
    }


def stored_answers(url):
    if not Path(url).exists():
        return 0
    try:
        with open_store(url) as store:
            return sum(len(given) for given in answers_of(store).values())
    except MensuraError:
        return 0


def started_with(mark):
    """List the processes that have a variable in their environment."""
    found = []
    for place in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark.encode() in place.read_bytes().split(b"\0"):
                found.append(place.parent.name)
        except OSError:
            continue
    return found
