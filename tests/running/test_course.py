"""Courses: what is learned is carried, begun anew or forgotten as the phases say; probes leave no trace."""

import pytest

from mensura.errors import BadParameter
from mensura.running.adaptivity.phases import interleaved, probe
from mensura.running.course import Phase, resume_courses, run_courses
from mensura.running.executors import Processes
from mensura.running.run import RunOptions, keep, resume_run
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

class Tripping(Counter):
    \"\"\"Fails at its fifth ask, and goes on.\"\"\"

    def __call__(self, ask):
        if self.count == 4:
            self.count += 1
            raise ValueError("stumbled")
        return super().__call__(ask)

class Stuck(Counter):
    \"\"\"Its snapshot does not restore.\"\"\"

    def restore(self, state):
        pass

class Restless(Counter):
    \"\"\"Learns though its learning is off.\"\"\"

    def __call__(self, ask):
        self.count += 1
        return self.count

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


def test_a_course_is_written_down_some_sessions_at_a_time(store, file, monkeypatch):
    kept = []
    monkeypatch.setattr("mensura.running.course.KEPT_TOGETHER", 2)
    monkeypatch.setattr(
        "mensura.running.course.keep", lambda some, heads, **at: kept.append(len(some)) or keep(some, heads, **at)
    )
    results = run_courses([Phase("train", f"{file}:count", sessions=5)], subject(file), store=store, seed=1)
    assert kept == [2, 2, 1]
    assert answered(store, results["train"]) == [[1, 2], [3, 4], [5, 6], [7, 8], [9, 10]]


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
    with pytest.raises(BadParameter, match="probe branches, but Blunt has no snapshot"):
        run_courses(phases(file), subject(file, "Blunt"), store=store, seed=1)
    assert store.runs.all() == []


def test_freezing_a_subject_that_cannot_be_frozen_is_refused_before_anything_is_stored(store, file):
    both = [Phase("first", f"{file}:count"), Phase("second", f"{file}:count", learn=False)]
    with pytest.raises(BadParameter, match="second is frozen, but Blunt has no `learning`"):
        run_courses(both, subject(file, "Blunt"), store=store, seed=1)
    with pytest.raises(BadParameter, match="nobody can do that with a person"):
        run_courses(both, "human", store=store, seed=1)
    assert store.runs.all() == []


def test_a_subject_that_never_learns_is_frozen_and_branched_as_it_is(store, file):
    course = [Phase("first", "coin"), Phase("second", "coin", learn=False, state="branch")]
    results = run_courses(course, "chance", store=store, seed=1)
    assert results["second"].counts["finished"] == 1


def test_a_snapshot_that_does_not_restore_is_refused_with_the_first_answer_that_differs(store, file):
    with pytest.raises(BadParameter, match="after its snapshot was restored: answer 1 of 4"):
        run_courses(phases(file), subject(file, "Stuck"), store=store, seed=1)


def test_a_subject_that_learns_though_it_is_frozen_is_refused(store, file):
    both = [Phase("first", f"{file}:count"), Phase("second", f"{file}:count", learn=False)]
    with pytest.raises(BadParameter, match="though its learning is off"):
        run_courses(both, subject(file, "Restless"), store=store, seed=1)


def test_who_has_no_snapshot_is_probed_once_in_a_group_drawn_by_chance(store, file):
    named = f"{file}:count"
    course = [
        Phase("train", named),
        Phase("early", named, state="group"),
        Phase("more", named),
        Phase("late", named, state="group"),
    ]
    results = run_courses(course, subject(file, "Blunt"), store=store, courses=6, seed=1)
    places = {name: [head.address.course for head in store.sessions.of(one.head.id)] for name, one in results.items()}
    assert places["train"] == list(range(6))
    assert len(places["early"]) == len(places["late"]) == 3
    assert sorted(places["early"] + places["late"]) == list(range(6))
    assert places["more"] == places["late"]
    again = run_courses(course, subject(file, "Blunt"), store=store, courses=6, seed=1)
    assert [head.address.course for head in store.sessions.of(again["late"].head.id)] == places["late"]


def test_phases_of_a_task_meet_the_same_instances_whatever_their_names_and_blocks(store, file):
    named = f"{file}:count"
    whole = run_courses([Phase("X", named, sessions=4)], subject(file), store=store, seed=1)
    turns = interleaved([Phase("X", named, sessions=4), Phase("Y", named, sessions=2)], blocks=2)
    parts = run_courses(turns, subject(file), store=store, seed=1)

    def prompts(*results):
        heads = [head for one in results for head in store.sessions.of(one.head.id)]
        events = [event for head in heads for event in store.events.of(head.id, content=True)]
        return [event.content["prompt"] for event in events if event.kind == "ask"]

    assert prompts(parts["X 1"], parts["X 2"]) == prompts(whole["X"])
    both = run_courses([*turns, *probe("X", named, at="at the end")], subject(file), store=store, seed=1)
    frozen, learning = both["X at the end, frozen"], both["X at the end, learning"]
    assert prompts(frozen) == prompts(learning)
    assert not set(prompts(frozen)) & set(prompts(whole["X"]))
    assert answered(store, frozen) == [[12, 12]]
    assert answered(store, learning) == [[13, 14]]


def test_what_is_known_is_noted_with_the_first_answer_of_each_session(store, file):
    course = [Phase("train", "corridor", sessions=3, knowledge=True)]
    results = run_courses(course, "q-learner", store=store, seed=1)
    records = list(store.records.of(results["train"].head.id))
    known = [record.answers[0].notes["knowledge"] for record in records]
    assert known[0] == 0
    assert known == sorted(known)
    assert known[-1] > 0
    assert all(answer.notes is None for record in records for answer in record.answers[1:])
    by_size = run_courses([Phase("train", f"{file}:count", 2, knowledge=True)], subject(file), store=store, seed=1)
    notes = [record.answers[0].notes for record in store.records.of(by_size["train"].head.id)]
    assert [note["knowledge"] > 0 for note in notes] == [False, True]
    assert "proxy" in notes[0]["knowledge_by"]


def test_a_session_that_fails_is_an_outcome_and_the_course_goes_on(store, file):
    longer = [Phase("train", f"{file}:count", sessions=4), Phase("more", f"{file}:count")]
    results = run_courses(longer, subject(file, "Tripping"), store=store, courses=2, seed=1)
    assert results["train"].counts == {"finished": 6, "crashed": 2, "timed_out": 0, "invalid": 0}
    assert "stumbled" in results["train"].last_words[0]
    assert answered(store, results["train"])[:4] == [[1, 2], [3, 4], [], [6, 7]]
    assert answered(store, results["more"]) == [[8, 9]] * 2
    assert results["train"].scores["absolute_error"].n == 2


def test_a_subject_whose_process_ended_has_forgotten_and_its_course_ends(store, file):
    longer = [Phase("train", f"{file}:count", sessions=3), Phase("more", f"{file}:count")]
    results = run_courses(longer, f"{file}:Doomed", store=store, seed=1)
    assert results["train"].counts == {"finished": 1, "crashed": 2, "timed_out": 0, "invalid": 0}
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


@pytest.mark.parametrize("who", ["Counter", "Tripping"])
@pytest.mark.parametrize("sessions", [1, 3, 5])
def test_an_interrupted_course_goes_on_as_if_nothing_had_been(store, file, sessions, who):
    whole = run_courses(phases(file), subject(file, who), store=store, courses=3, seed=1)
    stopped = interrupt_after(sessions)
    with pytest.raises(KeyboardInterrupt):
        run_courses(phases(file), subject(file, who), store=store, courses=3, seed=1, options=stopped)
    result = resume_run("last", store=store)
    assert result.head.condition == "more"
    resumed = resume_courses("last", store=store)
    assert logs(store, resumed) == logs(store, whole)
    # By their words: of a phase in which nothing was answered the scores are NaN.
    assert [repr(one.scores) for one in resumed.values()] == [repr(one.scores) for one in whole.values()]


def test_a_course_whose_worker_was_killed_goes_on_where_the_store_has_it(store, file):
    whole = run_courses(phases(file), subject(file), store=store, seed=1)
    killed = run_courses(phases(file), subject(file, "Mortal"), store=store, seed=1, options=RunOptions(Processes(2)))
    assert logs(store, killed) == logs(store, whole)


def test_a_subject_that_answers_otherwise_when_asked_again_does_not_go_on(store, file):
    course = phases(file, probe=False)
    with pytest.raises(KeyboardInterrupt):
        run_courses(course, subject(file, "Fickle"), store=store, seed=1, options=interrupt_after(1))
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
