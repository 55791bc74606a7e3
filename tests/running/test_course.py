"""Courses: what is learned is carried, begun anew or forgotten as the phases say; probes leave no trace."""

import pytest

from mensura.errors import BadParameter
from mensura.running.course import Phase, resume_courses, run_courses
from mensura.running.executors import Processes
from mensura.running.run import RunOptions, resume_run
from mensura.store.head import SessionHead

COUNTING = """
import os
from pathlib import Path
from mensura.dialogue import Ask, Number, test

@test("count-v1")
def count(rng, *, asks: int = 2):
    \"\"\"Ask how often one was asked; the score is what was answered.\"\"\"
    for i in range(asks):
        yield Ask(f"How often? {rng.random():.6f}", Number(), key=f"k{i}", truth=0)

class Counter:
    \"\"\"Counts the asks of its life while it may learn.\"\"\"

    recomputes = True
    learning = True
    count = 0

    def begin(self, rng):
        self.noise = round(rng.random(), 6)

    def __call__(self, ask):
        self.count += self.learning
        return self.count + self.noise

    def snapshot(self):
        return {"count": self.count}

    def restore(self, state):
        self.count = state["count"]

class Blunt:
    \"\"\"Cannot be branched.\"\"\"

    def __call__(self, ask):
        return 1

class Fading(Counter):
    \"\"\"Fails at its fifth ask.\"\"\"

    def __call__(self, ask):
        if self.count == 4:
            raise ValueError("worn out")
        return super().__call__(ask)

class Forgetful(Counter):
    \"\"\"Fails to give its snapshot.\"\"\"

    def snapshot(self):
        raise ValueError("no memory")

class Fickle(Counter):
    \"\"\"Answers by the number of files beside it, so never twice alike.\"\"\"

    def __call__(self, ask):
        marks = list(Path(__file__).parent.glob("mark*"))
        Path(__file__).with_name(f"mark{len(marks)}").touch()
        return len(marks)

class Doomed(Counter):
    \"\"\"Takes its process with it at its fourth ask, always.\"\"\"

    def __call__(self, ask):
        if self.count == 3:
            os._exit(9)
        return super().__call__(ask)

class Mortal(Counter):
    \"\"\"Takes its process with it at its fourth ask, once.\"\"\"

    def __call__(self, ask):
        grave = Path(__file__).with_name("grave")
        if self.count == 3 and not grave.exists():
            grave.touch()
            os._exit(9)
        return super().__call__(ask)
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "counting.py"
    path.write_text(COUNTING)
    return path


def subject(file, name="Counter"):
    return f"{file}:{name}#in_process=true"


def answered(store, result):
    """Give the whole parts of the answers of a run, session by session."""
    return [
        [int(answer.value) for answer in store.records.find(head.id).answers if answer.value is not None]
        for head in store.sessions.of(result.head.id)
    ]


def logs(store, results):
    return {
        name: [
            [(event.number, event.kind, event.key, event.value, event.content) for event in store.events.of(head.id)]
            for head in store.sessions.of(result.head.id)
        ]
        for name, result in results.items()
    }


def phases(file, *, probe=True):
    named = f"{file}:count"
    between = [Phase("probe", named, sessions=2, state="branch")] if probe else []
    return [Phase("train", named, sessions=2), *between, Phase("more", named, sessions=1)]


def test_what_is_learned_is_carried_from_phase_to_phase(store, file):
    results = run_courses(phases(file, probe=False), subject(file), store=store, seed=1)
    assert answered(store, results["train"]) == [[1, 2], [3, 4]]
    assert answered(store, results["more"]) == [[5, 6]]


def test_a_branch_begins_with_what_was_learned_and_leaves_no_trace(store, file):
    results = run_courses(phases(file), subject(file), store=store, seed=1)
    assert answered(store, results["probe"]) == [[5, 6], [7, 8]]
    assert answered(store, results["more"]) == [[5, 6]]


def test_a_probe_put_in_between_changes_nothing_in_the_other_phases(store, file):
    without = run_courses(phases(file, probe=False), subject(file), store=store, courses=2, seed=1)
    with_probe = run_courses(phases(file), subject(file), store=store, courses=2, seed=1)
    logged = logs(store, with_probe)
    del logged["probe"]
    assert logged == logs(store, without)


def test_a_fresh_phase_begins_with_a_new_subject(store, file):
    both = [Phase("first", f"{file}:count"), Phase("second", f"{file}:count", state="fresh")]
    results = run_courses(both, subject(file), store=store, seed=1)
    assert answered(store, results["first"]) == answered(store, results["second"]) == [[1, 2]]


def test_a_phase_without_learning_teaches_nothing(store, file):
    both = [Phase("first", f"{file}:count"), Phase("second", f"{file}:count", learn=False)]
    results = run_courses(both, subject(file), store=store, seed=1)
    assert answered(store, results["second"]) == [[2, 2]]


def test_each_course_has_a_subject_and_chance_of_its_own(store, file):
    results = run_courses(phases(file, probe=False), subject(file), store=store, courses=2, seed=1)
    assert answered(store, results["train"]) == [[1, 2], [3, 4], [1, 2], [3, 4]]
    prompts = {
        event.content["prompt"]
        for head in store.sessions.of(results["train"].head.id)
        for event in store.events.of(head.id, content=True)
        if event.kind == "ask"
    }
    assert len(prompts) == 8


def test_processes_give_the_same_bits_as_one_process(store, file):
    here = run_courses(phases(file), subject(file), store=store, courses=3, seed=1)
    there = run_courses(phases(file), subject(file), store=store, courses=3, seed=1, options=RunOptions(Processes(2)))
    assert logs(store, here) == logs(store, there)
    assert [result.scores for result in here.values()] == [result.scores for result in there.values()]


def test_a_subject_in_a_process_of_its_own_is_carried_branched_and_closed(store, file):
    results = run_courses(phases(file), f"{file}:Counter", store=store, seed=1)
    assert answered(store, results["probe"]) == [[5, 6], [7, 8]]
    assert answered(store, results["more"]) == [[5, 6]]


def test_parameters_of_a_phase_reach_its_test_and_conditions_are_the_phases(store, file):
    longer = [Phase("long", f"{file}:count", parameters={"asks": 3})]
    results = run_courses(longer, subject(file), store=store, seed=1)
    assert answered(store, results["long"]) == [[1, 2, 3]]
    assert results["long"].as_json()["condition"] == "long"


def test_phases_of_one_name_are_refused(store, file):
    with pytest.raises(BadParameter, match="different names"):
        run_courses([Phase("a", "coin"), Phase("a", "coin")], "chance", store=store)
    assert store.runs.all() == []


def test_branching_a_subject_without_snapshot_is_the_users_error(store, file):
    with pytest.raises(BadParameter, match="probe branches"):
        run_courses(phases(file), subject(file, "Blunt"), store=store, seed=1)


def test_a_session_that_fails_ends_its_course_and_the_rest_says_why(store, file):
    results = run_courses(phases(file, probe=False), subject(file, "Fading"), store=store, courses=2, seed=1)
    assert results["train"].counts["finished"] == 4
    assert results["more"].counts["crashed"] == 2
    longer = [Phase("train", f"{file}:count", sessions=4), Phase("more", f"{file}:count")]
    results = run_courses(longer, subject(file, "Fading"), store=store, seed=1)
    assert results["train"].counts == {"finished": 2, "crashed": 2, "timed_out": 0, "invalid": 0}
    assert "worn out" in results["train"].last_words[0]
    assert "Not taken" in results["train"].last_words[1]
    assert results["more"].counts["crashed"] == 1
    assert results["more"].scores == {}
    again = resume_courses(results["more"].head.id, store=store)
    assert {name: result.counts for name, result in again.items()} == {
        name: result.counts for name, result in results.items()
    }


def test_a_snapshot_that_fails_ends_the_course_not_the_run(store, file):
    results = run_courses(phases(file), subject(file, "Forgetful"), store=store, courses=2, seed=1)
    assert results["train"].counts["finished"] == 4
    assert results["probe"].counts["crashed"] == 4
    assert "no memory" in results["probe"].last_words[0]


def interrupt_after(sessions):
    """Make a progress that stops the whole run after so many sessions, as Ctrl-C does."""
    seen = []

    def progress(done):
        seen.append(done)
        if len(seen) == sessions:
            raise KeyboardInterrupt

    return RunOptions(progress=progress)


@pytest.mark.parametrize("sessions", [1, 3, 5])
def test_an_interrupted_course_goes_on_as_if_nothing_had_been(store, file, sessions):
    whole = run_courses(phases(file), subject(file), store=store, courses=3, seed=1)
    with pytest.raises(KeyboardInterrupt):
        run_courses(phases(file), subject(file), store=store, courses=3, seed=1, options=interrupt_after(sessions))
    result = resume_run("last", store=store)
    assert result.head.condition == "more"
    resumed = resume_courses("last", store=store)
    assert logs(store, resumed) == logs(store, whole)
    assert [one.scores for one in resumed.values()] == [one.scores for one in whole.values()]


def test_a_course_whose_worker_was_killed_goes_on_where_the_store_has_it(store, file):
    whole = run_courses(phases(file), subject(file), store=store, seed=1)
    killed = run_courses(phases(file), subject(file, "Mortal"), store=store, seed=1, options=RunOptions(Processes(2)))
    assert logs(store, killed) == logs(store, whole)


def test_a_subject_that_answers_otherwise_when_asked_again_does_not_go_on(store, file):
    with pytest.raises(KeyboardInterrupt):
        run_courses(phases(file), subject(file, "Fickle"), store=store, seed=1, options=interrupt_after(1))
    head = next(head for head in store.runs.all() if head.condition == "more")
    # As if the last phase had not been reached.
    with store.database.writing() as connection:
        from sqlalchemy import text

        connection.execute(text("UPDATE sessions SET status = 'open' WHERE id LIKE :run"), {"run": f"{head.id}/%"})
    results = resume_courses(head.id, store=store)
    assert results["train"].counts["finished"] == 2
    assert results["more"].counts["crashed"] == 1
    assert "answered differently" in results["more"].last_words[0]


def test_a_course_that_was_cut_off_while_it_was_written_down_is_begun_whole(store, file, monkeypatch):
    whole = run_courses(phases(file), subject(file), store=store, seed=1)
    create, made = store.runs.add, []

    def create_one(head):
        if made:
            raise KeyboardInterrupt
        made.append(head)
        create(head)

    monkeypatch.setattr(store.runs, "add", create_one)
    with pytest.raises(KeyboardInterrupt):
        run_courses(phases(file), subject(file), store=store, seed=1)
    monkeypatch.undo()
    assert logs(store, resume_courses("last", store=store)) == logs(store, whole)


@pytest.mark.proof
def test_a_course_that_kills_every_worker_is_given_up_and_keeps_what_is_stored(store, file):
    results = run_courses(
        phases(file), subject(file, "Doomed"), store=store, courses=2, seed=1, options=RunOptions(Processes(2))
    )
    assert results["train"].counts == {"finished": 2, "crashed": 2, "timed_out": 0, "invalid": 0}
    assert results["train"].scores["absolute_error"].n == 2
    assert results["more"].counts["crashed"] == 2
    assert "died" in results["more"].last_words[0]


def test_courses_imported_without_their_seed_are_not_gone_on_with(store, file):
    run_courses(phases(file), subject(file), store=store, seed=1)
    with store.database.writing() as connection:
        from sqlalchemy import text

        connection.execute(text("UPDATE runs SET seed = NULL"))
    with pytest.raises(BadParameter, match="without its secret seed"):
        resume_courses("last", store=store)


def test_a_learner_learns_over_a_course(store):
    course = [
        Phase("early", "corridor", sessions=3),
        Phase("practice", "corridor", sessions=40),
        Phase("late", "corridor", sessions=3, learn=False),
    ]
    results = run_courses(course, "q-learner", store=store, courses=3, seed=1, options=RunOptions(trace="none"))
    assert results["late"].scores["return"].value > results["early"].scores["return"].value


def test_sessions_of_courses_have_addresses_of_their_own(store, file):
    results = run_courses(phases(file), subject(file), store=store, courses=2, seed=1)
    heads: list[SessionHead] = [head for result in results.values() for head in store.sessions.of(result.head.id)]
    assert len({head.address for head in heads}) == len(heads) == 10
