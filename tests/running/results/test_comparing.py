"""Comparing: items are the same where their content is, and a claim is made by the interval."""

import numpy as np

from mensura.dialogue import Ask, Number, Score, test
from mensura.running.results.compare import compare_runs
from mensura.running.results.comparing import compare_samples
from mensura.running.results.estimating import Circumstances, Sample
from mensura.running.results.rows import Row, SampleRows
from mensura.running.run import run
from tests.running.fixed_items import FIXED, LETTERS, fixed_test, mostly_right


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


def test_a_course_pairs_only_where_all_of_its_sessions_administered_the_same():
    rows = SampleRows(
        Row(0.5 + 0.1 * course, "answered", "", f"{course}.0.{session}", str(course))
        for course in range(4)
        for session in range(2)
    )
    sample = Sample(rows, False, Circumstances(learners=True))
    shared = {row.session for row in rows}
    score = Score("s", better="more", low=0, high=1)
    whole = compare_samples(sample, sample, score=score, names=("a", "b"), shared=shared)
    part = compare_samples(sample, sample, score=score, names=("a", "b"), shared=shared - {"3.0.1"})
    assert (whole.paired, whole.unit, whole.matched) == (True, "course", 4)
    assert (part.paired, part.matched) == (True, 3)
