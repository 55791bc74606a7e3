"""How far to trust a score: what an interval speaks of, which items are the same, and that nothing vanishes."""

import json
import textwrap
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import numpy as np
import pytest

from mensura.dialogue import Abstained, Ask, Choice, Items, Number, Refused, Score, Wait, test
from mensura.errors import BadParameter, BrokenTest, SubjectLost
from mensura.running.compare import compare_runs
from mensura.running.course import Phase, run_courses
from mensura.running.rescore import rescore
from mensura.running.run import Plan, RunOptions, carry_out, planned_addresses, run
from mensura.running.study import analyse, conduct, make_study
from mensura.running.summary import summarise_run

LETTERS = Choice(("a", "b"))


def fixed_test(name="fixed", *, words="Question", truth="a"):
    @test(f"{name}-v1")
    def fixed(rng, *, items: int = 50):
        """Ask the same items in every session."""
        for number in range(items):
            yield Ask(f"{words} {number}", LETTERS, key=f"q{number}", truth=truth)

    return fixed


FIXED = fixed_test()


def number_of(ask):
    return int(ask.prompt.split()[-1])


def mostly_right(ask):
    return "b" if number_of(ask) % 50 < 11 else "a"


def accuracy(result):
    return result.estimated["accuracy"]


def test_the_same_items_asked_forty_times_are_still_fifty_items(store):
    once = accuracy(run(FIXED, mostly_right, store=store))
    often = accuracy(run(FIXED, mostly_right, store=store, sessions=40))
    assert once.estimate.value == often.estimate.value == 0.78
    widths = [one.estimate.high - one.estimate.low for one in (once, often)]
    assert widths[1] == pytest.approx(widths[0], rel=0.1)
    assert once.estimate.population == "items"
    assert "One session: what another session would change cannot be known." in once.estimate.note
    assert often.estimate.population == "items and sessions"
    assert often.sentence == "Generalises to other items and other sessions: 50 items in 40 sessions."


def test_one_wrong_item_does_not_make_the_interval_jump(store):
    ends = []
    for wrong in (0, 1, 2):
        answer = lambda ask, wrong=wrong: "b" if number_of(ask) < wrong else "a"  # noqa: E731
        ends.append(accuracy(run(FIXED, answer, store=store, sessions=40)).estimate.low)
    assert ends == sorted(ends, reverse=True)
    assert max(ends) - min(ends) < 0.1


def test_other_populations_can_be_asked_for(store):
    run(FIXED, mostly_right, store=store, sessions=10)
    head = store.run("last")
    found = {
        name: summarise_run(head, store=store, generalise=name).scores["accuracy"]
        for name in ("these-items", "items", "sessions", "items+sessions")
    }
    assert [one.population for one in found.values()] == ["these items", "items", "sessions", "items and sessions"]
    these = found["these-items"]
    assert these.high - these.low < found["items"].high - found["items"].low


def test_a_population_chosen_at_the_beginning_is_kept(store):
    run(FIXED, mostly_right, store=store, sessions=5, options=RunOptions(generalise="these-items"))
    assert summarise_run(store.run("last"), store=store).scores["accuracy"].population == "these items"


def test_the_sessions_of_one_learner_are_one_observation(store, tmp_path):
    file = tmp_path / "learner.py"
    file.write_text(
        textwrap.dedent("""
        from mensura.dialogue import Ask, Choice, test

        @test("drawn-v1")
        def drawn(rng):
            for number in range(20):
                yield Ask(f"{rng.random()}", Choice(("a", "b")), key=f"q{number}", truth="a")

        class Learner:
            def begin(self, rng):
                self.rng = rng
                if not hasattr(self, "talent"):
                    self.talent = rng.uniform(0.2, 0.9)

            def __call__(self, ask):
                return "a" if self.rng.random() < self.talent else "b"
        """)
    )
    phases = [Phase("practice", f"{file}:drawn", sessions=6)]
    found = run_courses(phases, f"{file}:Learner", store=store, courses=5, seed=1)["practice"].estimated["accuracy"]
    assert found.estimate.population == "courses"
    assert found.estimate.n == 5
    assert found.sentence == "Generalises to other courses: 5 courses, 30 sessions in all."


# Which items are the same.


def test_other_questions_under_the_same_names_are_other_items(store):
    first = run(FIXED, mostly_right, store=store)
    for replaced in (fixed_test(words="Another"), fixed_test(truth="b")):
        second = run(replaced, mostly_right, store=store)
        assert second.head.instance_hash != first.head.instance_hash
        comparison = compare_runs(first.head.id, second.head.id, store=store)
        assert not comparison.paired
        assert "same 50 items" not in comparison.findings["accuracy"].sentence


def test_fixed_items_are_the_same_items_under_any_seed(store):
    first = run(FIXED, mostly_right, store=store, seed=1)
    second = run(FIXED, "chance", store=store, seed=2)
    assert first.head.instance_hash == second.head.instance_hash
    finding = compare_runs(first.head.id, second.head.id, store=store).findings["accuracy"]
    assert finding.paired
    assert "on the same 50 items" in finding.sentence


def test_items_are_paired_by_content_whatever_their_order(store):
    @test("fixed-v1")
    def reversed_(rng):
        for place, number in enumerate(reversed(range(50))):
            yield Ask(f"Question {number}", LETTERS, key=f"q{place}", truth="a")

    run(FIXED, mostly_right, store=store)
    run(reversed_, mostly_right, store=store)
    finding = compare_runs("last~1", "last", store=store).findings["accuracy"]
    assert finding.paired
    assert finding.difference.value == 0
    assert finding.unmatched == 0


def test_items_drawn_anew_pair_by_session_under_the_same_seed_only(store):
    run("coin", "stated", store=store, sessions=8, seed=1)
    run("coin", "half", store=store, sessions=8, seed=1)
    run("coin", "half", store=store, sessions=8, seed=2)
    same = compare_runs("last~2", "last~1", store=store).findings["quadratic_score"]
    other = compare_runs("last~2", "last", store=store).findings["quadratic_score"]
    assert (same.paired, same.difference.population) == (True, "sessions")
    assert (other.paired, other.difference.population) == (False, "sessions")


# Nothing vanishes.


def test_refusing_the_hard_items_does_not_pay(store):
    def easy_only(ask):
        return "a" if number_of(ask) < 5 else Refused("too hard")

    found = accuracy(run(FIXED, easy_only, store=store))
    assert found.estimate.value == 0.1
    assert found.estimate.n == 50
    assert found.answered.value == 1
    assert found.answered.n == 5
    assert found.tally == {"answered": 5, "refused": 45}
    assert "5 answered, 45 refused" in found.account


def test_whoever_does_not_know_is_counted_apart_from_whoever_refuses(store):
    def honest(ask):
        return "a" if number_of(ask) < 40 else Abstained("I do not know") if number_of(ask) < 45 else Refused()

    found = accuracy(run(FIXED, honest, store=store))
    assert found.tally == {"answered": 40, "refused": 5, "abstained": 5}
    assert found.estimate.value == 0.8


@pytest.mark.parametrize(
    ("fails", "status"),
    [
        (lambda: 1 / 0, "crashed"),
        (lambda: "neither a nor b", "invalid"),
    ],
)
def test_a_session_that_dies_keeps_what_it_earned_and_hides_no_item(store, fails, status):
    def dies(ask):
        return "a" if number_of(ask) < 11 else fails()

    result = run(FIXED, dies, store=store)
    assert result.counts[status] == 1
    found = accuracy(result)
    assert found.tally == {"answered": 11, status: 39}
    assert found.estimate.value == pytest.approx(0.22)
    assert found.answered.value == 1
    # The subject's own failure is an outcome: it is not tried again.
    again = carry_out(
        result.head, planned_addresses(result.head, 1), plan=Plan.of(FIXED, "chance"), store=store, options=RunOptions()
    )
    assert (again.counts, accuracy(again).tally) == (result.counts, found.tally)


def test_asks_with_deadlines_are_gone_through_too_when_a_subject_dies(store):
    @test("timed-v1")
    def timed(rng, *, clock):
        for number in range(5):
            yield Ask(f"Question {number}", LETTERS, key=f"q{number}", truth="a", until=10 * (number + 1))

    def dies(ask):
        if number_of(ask) == 2:
            raise ValueError("no")
        return "a"

    assert accuracy(run(timed, dies, store=store)).tally == {"answered": 2, "crashed": 3}
    assert accuracy(run(timed, lambda ask: Wait(), store=store)).tally == {"timed_out": 5}


class Flaky(ThreadingHTTPServer):
    """Answers every other question right, and cannot be reached any more after so many."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answering)
        self.asked = []
        self.left = 39


class Answering(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = asked["messages"][-1]["content"]
        out = self.server.left == 0
        self.server.left -= not out
        if not out:
            self.server.asked.append(prompt)
        answer = {"answer": "a" if int(prompt.split()[1]) % 2 else "b"}
        said = {"choices": [{"message": {"content": json.dumps(answer)}}]}
        body = json.dumps({"error": "out"} if out else said).encode()
        self.send_response(503 if out else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        """Say nothing."""


def test_what_the_network_lost_counts_for_nobody_and_is_tried_again(store):
    server = Flaky()
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        subject = f"llm:m@http://127.0.0.1:{server.server_port}/v1#retries=0"
        result = run(FIXED, subject, store=store)
        assert result.counts["lost"] == 1
        found = accuracy(result)
        assert found.tally == {"answered": 39, "lost": 11}
        assert found.estimate.n == 39
        assert found.estimate.value == pytest.approx(19 / 39)
        assert found.span == (pytest.approx(19 / 50), pytest.approx(30 / 50))
        assert "with what was lost 0.38 at worst and 0.6 at best" in found.account
        server.left = 50
        head = store.run("last")
        events = store.events(f"{head.id}/0.0.0")
        plan = Plan.of(FIXED, subject)
        again = carry_out(head, planned_addresses(head, 1), plan=plan, store=store, options=RunOptions())
    finally:
        server.shutdown()
        server.server_close()
    assert again.counts["finished"] == 1
    assert accuracy(again).tally == {"answered": 50}
    assert accuracy(again).estimate.value == 0.5
    assert store.events(f"{head.id}/0.0.0")[: len(events)] == events
    assert len(server.asked) == len(set(server.asked)) == 50


def test_a_subject_cannot_call_its_own_failure_a_loss(store):
    def clever(ask):
        if number_of(ask) >= 5:
            raise SubjectLost("Nobody's fault.")
        return "a"

    found = accuracy(run(FIXED, clever, store=store))
    assert found.tally == {"answered": 5, "crashed": 45}


def test_sessions_that_are_not_over_are_spoken_of(store):
    def stops(ask):
        if number_of(ask) == 3:
            raise KeyboardInterrupt
        return "a"

    run(FIXED, mostly_right, store=store)
    with pytest.raises(KeyboardInterrupt):
        run(FIXED, stops, store=store, sessions=2)
    head = store.run("last")
    finished = store.results(store.run("last~1").id)
    scores = {f"{head.id}/0.0.0": next(iter(finished.values()))}
    found = summarise_run(head, store=store, scores=scores).estimated["accuracy"]
    assert found.pending == 2
    assert "2 sessions are not over" in found.account


def test_what_a_scoring_leaves_out_is_counted_all_the_same(store):
    def hiding(record, truths):
        given = [answer for answer in record.answers if answer.status == "answered"]
        return {"right": Items([answer.value == truths[answer.key] for answer in given], [a.key for a in given])}

    hidden = test("hidden-v1", score=hiding, scores=[Score("right", better="more", proportion=True)])(FIXED.function)
    found = run(hidden, lambda ask: "a" if number_of(ask) < 5 else Refused(), store=store).estimated["right"]
    assert found.tally == {"answered": 5, "refused": 45}
    assert found.estimate.value == 0.1


@pytest.mark.parametrize(
    "declared",
    [
        {"name": "x"},
        {"name": "", "better": "more"},
        {"name": "x", "better": "up"},
        {"name": "x", "better": "more", "best": 1},
        {"name": "x", "better": "more", "low": 1, "high": 0},
        {"name": "x", "better": "more", "high": float("inf")},
        {"name": "x", "better": "more", "low": 0, "high": 1, "unanswered": 1.0},
        {"name": "x", "better": "less", "low": 0, "high": 1, "unanswered": 0.0},
        {"name": "x", "better": "more", "low": 0, "high": 1, "unanswered": 5},
        {"name": "x", "better": "more", "unanswered": "best"},
        {"name": "x", "best": 3, "low": 0, "high": 1},
        {"name": "x", "better": "more", "proportion": True, "high": 5},
        {"name": "x", "better": "more", "shown_to": "nobody"},
    ],
)
def test_declarations_that_cannot_be_are_refused(declared):
    with pytest.raises(BrokenTest, match="score"):
        Score(**declared)


@pytest.mark.parametrize("value", ["good", None, 1j, [1]])
def test_a_scoring_that_gives_no_number_is_named(store, value):
    odd = test("odd-v1", score=lambda record, truths: {"x": value}, scores=[Score("x", better="more")])(FIXED.function)
    result = run(odd, mostly_right, store=store)
    assert result.estimated == {}
    assert "a score is a number" in result.last_words[0]


def test_nobody_can_be_generalised_to_who_was_not_there(store):
    run(FIXED, mostly_right, store=store, sessions=3)
    for population in ("people", "courses", "people+items"):
        with pytest.raises(BadParameter, match="Ask for sessions or items"):
            summarise_run(store.run("last"), store=store, generalise=population)


def test_a_score_without_a_worst_value_says_that_leaving_out_may_pay(store):
    @test("sizes-v1")
    def sizes(rng):
        for number in range(10):
            yield Ask(f"Question {number}", Number(), key=f"q{number}", truth=3)

    found = run(sizes, lambda ask: 3 if number_of(ask) < 4 else Refused(), store=store).estimated["absolute_error"]
    assert found.tally == {"answered": 4, "refused": 6}
    assert "6 unanswered items count for nothing" in found.estimate.note


def test_a_number_with_bounds_is_as_far_off_as_it_can_be_where_it_is_not_given(store):
    @test("bounded-v1")
    def bounded(rng):
        for number in range(4):
            yield Ask(f"Question {number}", Number(0, 10), key=f"q{number}", truth=3)

    found = run(bounded, lambda ask: 3 if number_of(ask) < 2 else Refused(), store=store).estimated["absolute_error"]
    assert found.estimate.value == 5
    assert (found.score.low, found.score.high) == (0, 10)
    assert 0 <= found.estimate.low <= found.estimate.high <= 10


# Rescoring.


POINTS = """
from mensura.dialogue import Ask, Choice, Score, test

@test("points-v{version}", score=lambda record, truths: {{"points": {factor}.0 * len(record.answers)}},
      scoring="{scoring}", scores=[Score("points", better="more")])
def points(rng):
    yield Ask("?", Choice(("a", "b")), key="q")
"""


def test_a_run_is_not_scored_by_another_scoring_unless_that_is_asked_for(store, tmp_path):
    file = tmp_path / "points.py"
    file.write_text(POINTS.format(version=1, scoring=1, factor=1))
    run(f"{file}:points", "chance", store=store, sessions=2)
    file.write_text(POINTS.format(version=1, scoring=2, factor=100))
    with pytest.raises(BadParameter, match="scored by version 1 of points-v1; installed is 2"):
        rescore("last", store=store)
    assert [result.scoring for result in store.latest_results(store.run("last").id)] == ["1", "1"]
    with pytest.raises(BadParameter, match="has version 2; got --by 3"):
        rescore("last", store=store, by="3")
    result = rescore("last", store=store, by="2")
    assert result.scores["points"].value == 100
    assert result.as_json()["scoring"] == {"taken_under": "1", "scored_by": ["2"]}
    assert [one.scoring for one in store.result_history(f"{store.run('last').id}/0.0.0")] == ["1", "2"]


def test_a_run_of_one_version_of_a_test_is_not_scored_by_the_next_unless_that_is_asked_for(store, tmp_path):
    file = tmp_path / "points.py"
    file.write_text(POINTS.format(version=1, scoring=1, factor=1))
    run(f"{file}:points", "chance", store=store)
    file.write_text(POINTS.format(version=2, scoring=1, factor=100))
    with pytest.raises(BadParameter, match="taken under points-v1, which is not installed; points-v2 is"):
        rescore("last", store=store)
    result = rescore("last", store=store, by="points-v2")
    assert result.as_json()["scoring"] == {"taken_under": "1", "scored_by": ["points-v2, scoring 1"]}


# Too little data is said as that.


def study(sessions, values):
    plan = {
        "name": "small",
        "test": "coin",
        "casts": {"first": f"constant:{values[0]}", "second": f"constant:{values[1]}"},
        "sessions": sessions,
        "seed": 1,
        "hypotheses": [{"name": "H1", "score": "quadratic_score", "compare": ["first", "second"]}],
    }
    return make_study(plan)


def test_a_hypothesis_that_could_not_be_tested_is_not_called_unsupported(store):
    small = study(1, (0.5, 0.9))
    conduct(small, store=store)
    (tested,) = analyse(small, store=store, generalise="sessions").planned
    assert tested.verdict == "not tested"
    assert not tested.supported


def test_too_little_data_is_said_with_how_much_would_be_needed(store):
    small = study(4, (0.5, 0.55))
    conduct(small, store=store)
    (tested,) = analyse(small, store=store).planned
    assert tested.verdict == "undecided"
    assert "Too little data to say which scores higher" in tested.sentence
    assert "would be needed to tell" in tested.sentence or "would about halve the interval" in tested.sentence


def test_five_sessions_suffice_where_the_difference_is_plain(store):
    @test(
        "hundred-v1",
        score=lambda record, truths: dict(record.given()),
        scores=[Score("s", better="more", low=0, high=100)],
    )
    def hundred(rng):
        yield Ask(f"{rng.random()}", Number(0, 100), key="s")

    rng = np.random.default_rng(1)
    run(hundred, lambda ask: 99.98 + 0.01 * rng.random(), store=store, sessions=5, seed=1)
    run(hundred, lambda ask: 43 + rng.normal(), store=store, sessions=5, seed=1)
    finding = compare_runs("last~1", "last", store=store).findings["s"]
    assert finding.is_claim
    assert finding.p < 0.05
    assert np.isnan(finding.p_permutation)


def test_intervals_of_bounded_scores_stay_inside_their_bounds(store):
    rng = np.random.default_rng(3)

    @test(
        "skewed-v1",
        score=lambda record, truths: dict(record.given()),
        scores=[Score("s", better="more", low=-1, high=1)],
    )
    def skewed(rng):
        yield Ask(f"{rng.random()}", Number(-1, 1), key="s")

    for sessions in (2, 3, 5, 8):
        drawn = iter(np.r_[1.0, rng.uniform(-1, -0.7, size=50)])
        found = run(skewed, lambda ask, drawn=drawn: float(next(drawn)), store=store, sessions=sessions)
        estimate = found.scores["s"]
        assert -1 <= estimate.low < estimate.value < estimate.high <= 1
