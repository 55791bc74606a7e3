"""Runs: many sessions, the same bits wherever they are done, and resuming."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sqlalchemy import text

from mensura.dialogue import Address, Ask, Call, Limits, Noted, Probability, generator, test
from mensura.errors import BadFile, BadParameter, Conflict, MensuraError, UnknownName
from mensura.running.executors import Cluster, Here, Processes, executor
from mensura.running.rescore import rescore
from mensura.running.run import RunOptions, resume_run, run
from mensura.store import open_store
from mensura.subjects import SubjectSpec


def logs(store, result):
    """Give everything of a run's sessions that a replay compares, by address."""
    return {
        head.address: [
            (event.number, event.kind, event.role, event.key, event.tick, json.dumps(event.value), event.content)
            for event in store.events(head.id, content=True)
        ]
        for head in store.sessions(result.head.id)
    }


def test_a_run_is_counted_scored_and_stored(store):
    result = run("coin", "chance", store=store, sessions=5, seed=3)
    assert result.counts == {"finished": 5, "crashed": 0, "timed_out": 0, "invalid": 0}
    assert result.scores["quadratic_score"].n == 5
    data = result.as_json()
    assert list(data)[:5] == ["run", "test", "subject", "condition", "hash"]
    assert data["parameters"] == dict(result.head.parameters)
    assert "flips" in data["parameters"]
    assert data["seed"] == "public"
    assert set(data["scores"]["quadratic_score"]) == {"value", "low", "high", "n", "method"}


def test_a_secret_seed_is_not_said(store):
    result = run("coin", "chance", store=store)
    assert result.as_json()["seed"] == "secret"
    assert str(result.head.seed) not in json.dumps(result.as_json())


@pytest.mark.parametrize("where", ["processes:1", "processes:2"])
def test_processes_give_the_same_bits_as_one_process(store, where):
    here = run("inbox", "chance", store=store, sessions=6, seed=5)
    there = run("inbox", "chance", store=store, sessions=6, seed=5, options=RunOptions(executor(where)))
    assert logs(store, here) == logs(store, there)
    assert here.scores == there.scores


@pytest.mark.cluster
def test_a_ray_cluster_gives_the_same_bits_as_one_process(store):
    here = run("inbox", "chance", store=store, sessions=6, seed=5)
    there = run("inbox", "chance", store=store, sessions=6, seed=5, options=RunOptions(Cluster()))
    assert logs(store, here) == logs(store, there)
    assert here.scores == there.scores


def test_the_order_of_roles_and_subjects_is_kept(store):
    result = run("dilemma", {"second": "defect", "first": "tit-for-tat"}, store=store, sessions=2, seed=1)
    assert result.as_json()["subject"] == {"first": "tit-for-tat", "second": "defect"}


@pytest.mark.parametrize(
    ("cast", "words"),
    [
        ({"first": "defect"}, "role second has no subject"),
        ({"first": "defect", "second": "defect", "x": "y"}, "no role x"),
    ],
)
def test_a_cast_that_does_not_fit_is_refused(store, cast, words):
    with pytest.raises(BadParameter, match=words):
        run("dilemma", cast, store=store)
    assert store.runs() == []


def test_unknown_names_are_refused_before_anything_is_stored(store):
    with pytest.raises(UnknownName, match="Did you mean coin"):
        run("coyn", "chance", store=store)
    with pytest.raises(UnknownName, match="Did you mean chance"):
        run("coin", "chanse", store=store)
    assert store.runs() == []


def test_a_subject_that_fails_never_takes_the_run_down(store, tmp_path):
    program = tmp_path / "moody.py"
    program.write_text(
        "import os\n"
        "class Moody:\n"
        "    def begin(self, rng): self.mood = rng.integers(3)\n"
        "    def __call__(self, ask):\n"
        "        if self.mood == 0: raise ValueError('no')\n"
        "        if self.mood == 1: os._exit(7)\n"
        "        return 0.5\n"
    )
    result = run("coin", f"{program}:Moody", store=store, sessions=12, seed=2)
    assert result.counts["finished"] > 0
    assert result.counts["crashed"] > 0
    assert sum(result.counts.values()) == 12
    assert result.scores["quadratic_score"].n == result.counts["finished"]
    assert result.last_words


def test_a_parameter_that_a_test_cannot_take_is_the_users_error(store):
    with pytest.raises(BadParameter, match="length"):
        run("corridor", "chance", store=store, parameters={"length": 1}, options=RunOptions(trace="full"))


def test_no_score_is_made_of_failures(store):
    def crash(ask):
        raise ValueError("no")

    result = run("coin", crash, store=store, sessions=2)
    assert result.scores == {}


def test_a_broken_test_is_named_and_the_run_goes_on(store):
    @test("broken-v1")
    def broken(rng):
        yield Ask("?", Probability())
        raise KeyError("lost")

    result = run(broken, lambda ask: 0.5, store=store, sessions=2)
    assert result.counts["broken"] == 2
    assert "fault of the test" in result.last_words[0]


def test_traces_store_as_much_as_they_say(store):
    options = {trace: RunOptions(trace=trace) for trace in ("none", "summary", "full")}
    stored = {}
    for trace, chosen in options.items():
        result = run("coin", "chance", store=store, seed=1, options=chosen)
        events = store.events(store.sessions(result.head.id)[0].id, content=True)
        stored[trace] = (len(events) > 0, any(event.content for event in events))
        assert "quadratic_score" in result.scores
    assert stored == {"none": (False, False), "summary": (True, False), "full": (True, True)}


def test_an_interrupted_run_is_resumed_where_it_was(store):
    answers = []

    def stopping(ask):
        answers.append(ask.key)
        if len(answers) == 27:
            raise KeyboardInterrupt
        return 0.5

    with pytest.raises(KeyboardInterrupt):
        run("coin", stopping, store=store, sessions=3, seed=1, parameters={"flips": 10})
    head = store.run("last")
    before = store.count_sessions(head.id)
    assert before == {"finished": 2, "open": 1}
    # A function of this process has no name to find it by; what resumes is named instead.
    specs = {"subject": {"name": "constant:0.5", "options": {}, "folder": "."}}
    with store.writing() as connection:
        details = json.dumps({**head.details, "subjects": specs})
        connection.execute(text("UPDATE runs SET details = :details"), {"details": details})
    result = resume_run("last", store=store)
    assert result.counts["finished"] == 3
    last = store.record(store.sessions(head.id)[2].id)
    assert [answer.key for answer in last.answers] == [f"coin{i}" for i in range(10)]


def test_resuming_a_finished_run_changes_nothing(store):
    run("coin", "chance", store=store, sessions=2, seed=1)
    before = [store.events(head.id) for head in store.sessions(store.run("last").id)]
    resume_run("last", store=store)
    assert before == [store.events(head.id) for head in store.sessions(store.run("last").id)]


def test_old_records_are_scored_again_and_old_results_kept(store):
    first = run("coin", "chance", store=store, sessions=3, seed=1)
    store.resolve(store.sessions(first.head.id)[0].id, "coin0", 0, source="recount")
    store.resolve(store.sessions(first.head.id)[0].id, "coin1", 0, source="recount")
    again = rescore("last", store=store)
    history = store.result_history(store.sessions(first.head.id)[0].id)
    assert len(history) == 2
    assert again.scores["quadratic_score"] != first.scores["quadratic_score"]


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
    second = round(generator(1, Address(session=1), stream="subject").random(), 6)
    options = {"in_process": True, "sessions": [second], "times": times, "at": at}
    spec = SubjectSpec(f"{folder}/deadly.py:Deadly", options=options)
    return run("coin", spec, store=store, sessions=4, seed=1, options=RunOptions(Processes(2)))


def test_a_killed_worker_is_replaced_and_nothing_is_lost(store, tmp_path):
    result = deadly_run(store, tmp_path, times=1, at=7)
    assert result.counts["finished"] == 4
    for head in store.sessions(result.head.id):
        assert [answer.key for answer in store.record(head.id).answers] == [f"coin{i}" for i in range(20)]


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


@pytest.mark.postgres
def test_a_run_over_postgresql_gives_the_same_bits(store, postgres_url):
    with open_store(postgres_url) as other:
        here = run("inbox", "chance", store=store, sessions=3, seed=5)
        there = run("inbox", "chance", store=other, sessions=3, seed=5, options=RunOptions(Processes(2)))
        assert logs(store, here) == logs(other, there)


def test_limits_reach_the_session(store):
    options = RunOptions(limits=Limits(turns=4))
    result = run("coin", "chance", store=store, seed=1, options=options)
    assert result.counts["timed_out"] == 1


def test_what_is_spent_on_language_models_is_added_up_and_unknown_is_not_zero(store):
    def model(price):
        return lambda ask: Noted(0.5, {"tokens_in": 10, "tokens_out": 2, "cost": price})

    known = run("coin", model(0.25), store=store, sessions=2, seed=1, parameters={"flips": 3})
    assert known.as_json()["spent"] == {"tokens_in": 60, "tokens_out": 12, "cost": 1.5}
    unknown = run("coin", model(None), store=store, sessions=1, seed=1, parameters={"flips": 3})
    assert unknown.as_json()["spent"] == {"tokens_in": 30, "tokens_out": 6, "cost": None}
    assert "spent" not in run("coin", "chance", store=store, seed=1).as_json()


def test_sessions_that_ended_when_nobody_was_left_to_score_them_are_scored_on_resuming(store):
    whole = run("coin", "chance", store=store, sessions=3, seed=1)
    with store.writing() as connection:
        connection.execute(text("DELETE FROM results WHERE session > (SELECT min(session) FROM results)"))
    assert len(store.results(whole.head.id)) == 1
    assert resume_run("last", store=store).scores == whole.scores


def test_a_run_killed_before_its_sessions_were_written_down_is_taken_whole(store, monkeypatch):
    whole = run("coin", "chance", store=store, sessions=3, seed=1)

    def killed(heads):
        raise KeyboardInterrupt

    monkeypatch.setattr(store, "create_sessions", killed)
    with pytest.raises(KeyboardInterrupt):
        run("coin", "chance", store=store, sessions=3, seed=1)
    monkeypatch.undo()
    assert resume_run("last", store=store).counts["finished"] == 3
    assert resume_run("last", store=store).scores == whole.scores


def test_a_resumed_run_keeps_the_limits_that_it_began_with(store):
    run("coin", "chance", store=store, sessions=2, seed=1, options=RunOptions(limits=Limits(turns=4)))
    with store.writing() as connection:
        for table in ("truths", "events"):
            connection.execute(text(f"DELETE FROM {table}"))
        connection.execute(text("UPDATE sessions SET status = 'open'"))
    assert resume_run("last", store=store).counts["timed_out"] == 2


def test_scoring_that_breaks_loses_no_answer_and_is_said(store):
    def score(record, truths):
        raise KeyError("lost")

    @test("unscored-v1", score=score)
    def unscored(rng):
        yield Ask("?", Probability())

    result = run(unscored, lambda ask: 0.5, store=store, sessions=2)
    assert result.counts["finished"] == 2
    assert result.scores == {}
    assert "The scoring of unscored-v1 raised KeyError" in result.last_words[0]
    assert [len(record.answers) for record in store.records(result.head.id)] == [1, 1]


def test_a_batch_form_that_breaks_is_the_tests_fault(store):
    def batch(rng, subject):
        raise KeyError("lost")

    @test("heap-v1", batch=batch)
    def heap(rng):
        yield Ask("?", Probability())

    result = run(heap, lambda ask: 0.5, store=store, sessions=2)
    assert result.counts["broken"] == 2
    assert "The batch form of heap-v1 raised KeyError" in result.last_words[0]


def test_an_ask_that_cannot_be_written_down_is_the_tests_fault(store):
    @test("unwritable-v1")
    def unwritable(rng):
        yield Ask("Go?", Call({"go": {"where": Probability()}}), key="go")

    result = run(unwritable, "chance", store=store)
    assert result.counts["broken"] == 1
    assert "'go' that cannot be written as JSON" in result.last_words[0]


def test_a_second_writer_stops_and_spoils_nothing(store, monkeypatch):
    """The store says that another was first: this run stops with its sentence and the session stays as it was."""
    append = store.append

    def taken(session, events, **more):
        if events[-1].number > 10:
            raise Conflict("another writer was first")
        append(session, events, **more)

    monkeypatch.setattr("mensura.running.job.shared_store", lambda url: store)
    monkeypatch.setattr(store, "append", taken)
    with pytest.raises(Conflict):
        run("coin", "constant:0.5", store=store, sessions=2, seed=1)
    assert store.count_sessions(store.run("last").id) == {"open": 2}


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


@pytest.mark.parametrize(("sessions", "seed"), [(0, 1), (-3, 1), (1, -5)])
def test_numbers_that_mean_nothing_are_refused(store, sessions, seed):
    with pytest.raises(BadParameter, match=r"at least one session|from 0 up"):
        run("coin", "chance", store=store, sessions=sessions, seed=seed)
    assert store.runs() == []


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


@pytest.mark.parametrize("where", ["here", "processes:2"])
def test_killing_the_command_loses_nothing_and_leaves_nobody_behind(tmp_path, where):
    (tmp_path / "lasting.py").write_text(LASTING)
    url = str(tmp_path / "killed.db")
    command = [sys.executable, "-m", "mensura.cli.main", "run", "coin", "--as", "./lasting.py:Lasting", "--on", where]
    options = ["--sessions", "4", "--flips", "40", "--seed", "1", "--store", url]
    # Whoever it starts inherits this variable, and is known by it.
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


def wait_for(condition, *, seconds=30.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.05)


def answers_of(store):
    return {
        head.id: [(event.key, event.time) for event in store.events(head.id) if event.kind == "answer"]
        for head in store.sessions(store.run("last").id)
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
