"""Runs: many sessions are counted, scored and stored, and nobody's fault takes them down."""

import json

import pytest

from mensura.dialogue import Ask, Call, Limits, Noted, Probability, test
from mensura.errors import BadParameter, UnknownName
from mensura.running import run as running
from mensura.running.run import RunOptions, run
from mensura.running.scoring.rescore import rescore


def test_a_run_is_counted_scored_and_stored(store):
    result = run("coin", "chance", store=store, sessions=5, seed=3)
    assert result.counts == {"finished": 5, "crashed": 0, "timed_out": 0, "invalid": 0}
    assert result.scores["quadratic_score"].n == 5
    data = result.as_json()
    assert list(data)[:5] == ["run", "test", "subject", "condition", "hash"]
    assert data["parameters"] == dict(result.head.parameters)
    assert "flips" in data["parameters"]
    assert data["seed"] == "public"
    found = data["scores"]["quadratic_score"]
    assert found["population"] == "sessions"
    assert found["better"] == "more"
    assert found["declared"]["low"] < found["low"] < found["value"] < found["high"] < found["declared"]["high"]
    assert found["outcomes"] == {"answered": 100}


def test_a_secret_seed_is_not_said(store):
    result = run("coin", "chance", store=store)
    assert result.as_json()["seed"] == "secret"
    assert str(result.head.seed) not in json.dumps(result.as_json())


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
    assert store.runs.all() == []


def test_unknown_names_are_refused_before_anything_is_stored(store):
    with pytest.raises(UnknownName, match="Did you mean coin"):
        run("coyn", "chance", store=store)
    with pytest.raises(UnknownName, match="Did you mean chance"):
        run("coin", "chanse", store=store)
    assert store.runs.all() == []


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
    assert result.scores["quadratic_score"].n == 12
    outcomes = result.estimated["quadratic_score"].tally
    assert outcomes == {"answered": 20 * result.counts["finished"], "crashed": 20 * result.counts["crashed"]}
    assert result.last_words


def test_a_parameter_that_a_test_cannot_take_is_the_users_error(store):
    with pytest.raises(BadParameter, match="length"):
        run("corridor", "chance", store=store, parameters={"length": 1}, options=RunOptions(trace="full"))


def test_failures_count_as_the_score_declares_and_not_as_answers(store):
    def crash(ask):
        if ask.key != "coin0":
            raise ValueError("no")
        return 0.5

    found = run("coin", crash, store=store, sessions=2).estimated["quadratic_score"]
    assert found.estimate.value == found.score.if_unanswered == 0
    assert found.answered.n == 2
    assert found.tally == {"answered": 2, "crashed": 38}


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
        events = store.events.of(store.sessions.of(result.head.id)[0].id, content=True)
        stored[trace] = (len(events) > 0, any(event.content for event in events))
        assert "quadratic_score" in result.scores
    assert stored == {"none": (False, False), "summary": (True, False), "full": (True, True)}


def test_old_records_are_scored_again_and_old_results_kept(store):
    first = run("coin", "chance", store=store, sessions=3, seed=1)
    store.truths.resolve(store.sessions.of(first.head.id)[0].id, "coin0", 0, source="recount")
    store.truths.resolve(store.sessions.of(first.head.id)[0].id, "coin1", 0, source="recount")
    again = rescore("last", store=store)
    history = store.results.history(store.sessions.of(first.head.id)[0].id)
    assert len(history) == 2
    assert again.scores["quadratic_score"] != first.scores["quadratic_score"]


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
    assert [len(record.answers) for record in store.records.of(result.head.id)] == [1, 1]


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


@pytest.mark.parametrize(("sessions", "seed"), [(0, 1), (-3, 1), (1, -5)])
def test_numbers_that_mean_nothing_are_refused(store, sessions, seed):
    with pytest.raises(BadParameter, match=r"at least one session|of at least 0"):
        run("coin", "chance", store=store, sessions=sessions, seed=seed)
    assert store.runs.all() == []


def test_results_that_come_together_are_kept_together_and_none_waits_for_the_next(monkeypatch):
    now = iter([0.0, 0.0, 0.01, 0.02, 5.0, 5.0, 5.01])
    monkeypatch.setattr(running.time, "monotonic", lambda: next(now))
    assert list(running.gathered(iter("abcde"))) == [["a"], ["b", "c", "d"], ["e"]]


def test_what_came_before_a_run_was_stopped_is_kept(monkeypatch):
    def stopped():
        yield from "ab"
        raise KeyboardInterrupt

    monkeypatch.setattr(running.time, "monotonic", lambda: 0.0)
    results = running.gathered(stopped())
    assert [next(results), next(results)] == [["a"], ["b"]]
    with pytest.raises(KeyboardInterrupt):
        next(results)
