"""Estimating: every estimate names the population that it is computed for."""

import textwrap

import numpy as np
import pytest

from mensura.dialogue import Ask, Number, Score, test
from mensura.errors import BadParameter
from mensura.running.course import Phase, run_courses
from mensura.running.results.summary import summarise_run
from mensura.running.run import RunOptions, run
from tests.running.fixed_items import FIXED, accuracy, mostly_right, number_of


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
    head = store.runs.find("last")
    found = {
        name: summarise_run(head, store=store, generalise=name).scores["accuracy"]
        for name in ("these-items", "items", "sessions", "items+sessions")
    }
    assert [one.population for one in found.values()] == ["these items", "items", "sessions", "items and sessions"]
    these = found["these-items"]
    assert these.high - these.low < found["items"].high - found["items"].low


def test_a_population_chosen_at_the_beginning_is_kept(store):
    run(FIXED, mostly_right, store=store, sessions=5, options=RunOptions(generalise="these-items"))
    assert summarise_run(store.runs.find("last"), store=store).scores["accuracy"].population == "these items"


def test_nobody_can_be_generalised_to_who_was_not_there(store):
    run(FIXED, mostly_right, store=store, sessions=3)
    for population in ("people", "courses", "people+items"):
        with pytest.raises(BadParameter, match="Ask for sessions or items"):
            summarise_run(store.runs.find("last"), store=store, generalise=population)


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
