"""Scores of puzzles: what more, less and reordered input does to them, and whether intervals cover."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura.catalog.puzzles.scoring import ABOUT, Count, evenness, evenness_estimate, generality, score
from mensura.dialogue import Answer, Record

KINDS = ("grid", "matrix", "odd-one-out")
LETTERS = "ABCD"
sessions = st.lists(
    st.tuples(st.sampled_from(KINDS), st.sampled_from(LETTERS), st.sampled_from([*LETTERS, "pass", "lapse"])),
    min_size=1,
    max_size=30,
)


def record_of(answers):
    """Make a record of (kind, right answer, what was answered)."""
    truths = {f"{place}": right for place, (_, right, _) in enumerate(answers)}
    about = {
        f"{place}": {"kind": kind, "load": {"rules": 1}, "chance": 0.25} for place, (kind, _, _) in enumerate(answers)
    }
    status = {"pass": "abstained", "lapse": "lapsed"}
    given = [
        Answer(place, "subject", f"{place}", "choice", said if said in LETTERS else None, status.get(said, "answered"))
        for place, (_, _, said) in enumerate(answers)
    ]
    return Record("puzzles-v1", {"adaptive": False}, status="finished", answers=given), {
        **truths,
        ABOUT: {"items": about},
    }


def values_of(answers):
    found = score(*record_of(answers))
    accuracy = np.nan_to_num(found.values["accuracy"].values)
    return float(accuracy.mean()), found.values["generality"], found


@given(sessions)
@settings(max_examples=60, deadline=None)
def test_order_changes_nothing(answers):
    forwards, backwards = values_of(answers), values_of(answers[::-1])
    assert forwards[0] == pytest.approx(backwards[0])
    assert forwards[1] == pytest.approx(backwards[1])
    assert forwards[2].details["by_kind"] == backwards[2].details["by_kind"]


@given(sessions, st.data())
@settings(max_examples=60, deadline=None)
def test_one_more_right_answer_never_lowers_a_score(answers, data):
    place = data.draw(st.integers(0, len(answers) - 1))
    kind, right, _ = answers[place]
    better = [*answers[:place], (kind, right, right), *answers[place + 1 :]]
    was, now = values_of(answers), values_of(better)
    assert now[0] >= was[0]
    assert now[1] >= was[1] - 1e-12


@given(sessions, st.data())
@settings(max_examples=60, deadline=None)
def test_to_abstain_is_worth_what_guessing_is_worth_on_average(answers, data):
    place = data.draw(st.integers(0, len(answers) - 1))
    kind, right, _ = answers[place]

    def given(answer):
        return values_of([*answers[:place], (kind, right, answer), *answers[place + 1 :]])

    passed, correct, wrong = given("pass"), given(right), given("ABCD".replace(right, "")[0])
    assert passed[0] == wrong[0] <= correct[0]
    assert passed[1] == pytest.approx(0.25 * correct[1] + 0.75 * wrong[1])


@given(sessions)
@settings(max_examples=60, deadline=None)
def test_intervals_hold_their_estimates_within_bounds(answers):
    found = score(*record_of(answers)).details["estimates"]["generality"]
    assert -1 / 3 - 1e-9 <= found["value"] <= 1 + 1e-9
    if found["low"] is not None:
        assert -1 / 3 - 1e-9 <= found["low"] <= found["value"] + 1e-12
        assert found["value"] - 1e-12 <= found["high"] <= 1 + 1e-9


def test_ability_is_unknown_with_a_reason_unless_items_are_calibrated():
    _, _, found = values_of([("grid", "A", "A")])
    assert np.isnan(found.values["ability"])
    assert "mensura calibrate" in found.details["estimates"]["ability"]["method"]


def test_generality_of_an_adaptive_session_is_unknown_with_a_reason():
    record, truths = record_of([("grid", "A", "A")])
    found = score(Record(record.test, {"adaptive": True}, status="finished", answers=record.answers), truths)
    assert np.isnan(found.values["generality"])
    assert "chosen by what was answered" in found.details["estimates"]["generality"]["method"]


def test_kinds_that_were_not_attempted_count_nothing_and_widen_nothing():
    perfect, missing = Count(20, 20, 20, 0, 0.25), Count(20, 0, 0, 20, 0.25)
    both, alone = generality({"a": perfect, "b": missing}), generality({"a": perfect})
    assert both.value == pytest.approx(0.5)
    assert both.high - both.low == pytest.approx((alone.high - alone.low) / 2)
    assert "1 were attempted" in both.note
    assert evenness({"a": perfect, "b": missing}) == 0
    assert np.isnan(evenness({"a": perfect}))


def test_a_first_right_answer_never_lowers_generality():
    kinds = {"a": Count(12, 1, 1, 11, 0.25), "b": Count(12, 0, 0, 12, 0.25)}
    assert generality(kinds).value == pytest.approx(1 / 24)
    refused = {"a": Count(12, 0, 0, 0, 0.25)}
    assert generality(refused).value == pytest.approx(-1 / 3)


def test_the_interval_covers_where_part_of_each_kind_is_abstained_from():
    rng, hits, draws = np.random.default_rng(8), 0, 600
    for _ in range(draws):
        told = rng.multinomial(10, [0.3, 0.2, 0.5], size=5)
        counts = {str(k): Count(10, int(r + w), int(r), int(p), 0.25) for k, (r, w, p) in enumerate(told)}
        found = generality(counts)
        hits += found.low <= (0.3 + 0.5 * 0.25 - 0.25) / 0.75 <= found.high
    assert hits / draws >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / draws)


PROFILES = {
    "chance": [0.25] * 10,
    "specialist": [1.0] + [0.25] * 9,
    "half": [0.95] * 5 + [0.25] * 5,
    "even rise": np.linspace(0.1, 0.95, 10).tolist(),
    "nearly perfect": [0.98] * 10,
    "one kind": [0.9],
}


@pytest.mark.parametrize("each", [2, 20])
@pytest.mark.parametrize("profile", PROFILES)
def test_the_interval_of_generality_covers_at_its_nominal_rate(profile, each):
    chances, rng, hits, draws = PROFILES[profile], np.random.default_rng(7), 0, 600
    true = float(np.mean([(p - 0.25) / 0.75 for p in chances]))
    for _ in range(draws):
        right = rng.binomial(each, chances)
        found = generality({str(k): Count(each, each, int(n), 0, 0.25) for k, n in enumerate(right)})
        hits += found.low - 1e-9 <= true <= found.high + 1e-9
    # Never below nominal beyond what 600 draws allow; above it where nearly all or few items decide.
    assert hits / draws >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / draws)


def test_an_answer_is_worth_its_weight_beside_the_best():
    record, truths = record_of([("letter-string", "A", "B"), ("letter-string", "A", "A"), ("letter-string", "A", "C")])
    for about in truths[ABOUT]["items"].values():
        about["worth"] = {"A": 1.0, "B": 0.25}
    found = score(record, truths)
    assert found.values["worth"].values.tolist() == [0.25, 1, 0]
    assert found.values["accuracy"].values.tolist() == [0, 1, 0]


def test_the_interval_of_evenness_holds_it_and_covers_what_items_like_these_give():
    """Of 60 simulated subjects: fewer than 50 covered would be a miss that a true 95 % makes once in 10⁴ times."""
    rng, shares, hits = np.random.default_rng(2), np.array([0.9, 0.6, 0.45]), 0
    true = evenness({str(n): Count(10**6, 10**6, int(share * 10**6), 0, 0.25) for n, share in enumerate(shares)})
    for _ in range(60):
        kinds = {str(n): Count(60, 60, int(rng.binomial(60, share)), 0, 0.25) for n, share in enumerate(shares)}
        found = evenness_estimate(kinds)
        assert 0 <= found.low <= found.value <= found.high <= 1
        hits += found.low <= true <= found.high
    assert hits >= 50


def test_evenness_has_no_interval_where_a_kind_was_asked_once():
    """One answer has no spread: resampled, it is always itself."""
    kinds = {"a": Count(1, 1, 1, 0, 0.25), "b": Count(20, 20, 15, 0, 0.25)}
    found = evenness_estimate(kinds)
    assert not found.has_interval
    assert "asked only once" in found.method
    assert found.value == evenness(kinds)
    assert evenness_estimate({**kinds, "a": Count(1, 0, 0, 1, 0.25)}).has_interval
