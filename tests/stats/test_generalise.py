"""Estimates that say what they generalise to."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import default_rng

from mensura.errors import BadData
from mensura.stats import POPULATIONS, Observations, Scale, estimate_score, proportion_estimate, unit_estimate
from mensura.stats.advice import units_for_width
from mensura.stats.intervals.moments import moments_of, of_units
from mensura.stats.models.two_way import two_way

BINARY = Scale(binary=True)
UNIT = Scale(0, 1)


def fixed(table) -> Observations:
    """Label a table of sessions by items."""
    table = np.asarray(table, dtype=float)
    sessions, items = table.shape
    return Observations(
        table.ravel(), items=np.tile(np.arange(items), sessions), sessions=np.repeat(np.arange(sessions), items)
    )


def test_a_deterministic_subject_has_the_same_interval_after_one_session_and_after_forty():
    answers = np.array([[1.0] * 39 + [0.0] * 11])
    once = estimate_score(fixed(answers), population="items", scale=BINARY)
    often = estimate_score(fixed(np.repeat(answers, 40, axis=0)), population="items", scale=BINARY)
    exact = proportion_estimate(39, n=50, method="Clopper-Pearson")
    assert (once.low, once.high) == pytest.approx((exact.low, exact.high))
    assert (often.low, often.high, often.n) == (once.low, once.high, 50)
    assert once.method == "Clopper-Pearson with effective n over 50 items"
    assert once.population == "items"


@pytest.mark.parametrize("right", [50, 49, 45])
def test_all_right_is_not_far_from_nearly_all_right(right):
    answers = np.repeat([[1.0] * right + [0.0] * (50 - right)], 40, axis=0)
    found = estimate_score(fixed(answers), population="items", scale=BINARY)
    assert 0.75 < found.low < 0.94
    assert found.high > found.value or found.value == 1
    assert ("Few failures seen: more items, not more sessions, would help." in found.note) == (right > 45)


def test_crossed_tables_by_hand():
    found = two_way(fixed([[1, 2], [3, 5]]).cells("items", "sessions"))
    # MS of items 2.25, of sessions 6.25, of the rest .25; variance (2.25 + 6.25 - .25)/4.
    assert found.variance == pytest.approx(8.25 / 4)
    assert found.freedom == pytest.approx(8.25**2 / (2.25**2 + 6.25**2))
    assert found.rows.tolist() == [2, 3.5]
    assert found.columns.tolist() == [1.5, 4]


def test_tables_with_gaps_have_the_variance_of_two_way_clusters():
    from statsmodels.api import WLS

    rng = default_rng(2)
    table = rng.normal(size=(6, 1)) + rng.normal(size=(1, 9)) + rng.normal(size=(6, 9))
    table[rng.random(table.shape) < 0.2] = np.nan
    seen = fixed(table)
    groups = np.column_stack([seen.codes("items"), seen.codes("sessions")])
    # Every item counts once, however many of its cells are there.
    weights = 1 / seen.answers("items")[seen.codes("items")]
    fitted = WLS(seen.values, np.ones(len(seen)), weights=weights).fit(
        cov_type="cluster", cov_kwds={"groups": groups}, use_t=True
    )
    found = two_way(seen.cells("items", "sessions"))
    assert found.variance == pytest.approx(float(fitted.cov_params()[0, 0]))
    assert found.mean == pytest.approx(float(fitted.params[0]))


def test_losing_one_cell_changes_little():
    rng = default_rng(3)
    table = (rng.random((4, 30)) < 0.7).astype(float)
    whole = estimate_score(fixed(table), population="items and sessions", scale=BINARY)
    table[1, 7] = np.nan
    holed = estimate_score(fixed(table), population="items and sessions", scale=BINARY)
    assert (holed.low, holed.high) == pytest.approx((whole.low, whole.high), abs=0.05)
    assert whole.method.endswith("over 30 items and 4 sessions")
    assert whole.n == 4


def test_a_mean_is_over_units_whatever_lies_inside_them():
    seen = Observations([1, 1, 1, 0], items=list("abcd"), sessions=list("1112"))
    assert estimate_score(seen, population="sessions", scale=BINARY).value == 0.5
    assert estimate_score(seen, population="items", scale=BINARY).value == 0.75
    learned = Observations([1, 1, 1, 0], sessions=list("1234"), courses=list("aaab"))
    found = estimate_score(learned, population="courses", scale=UNIT)
    assert (found.value, found.n) == (0.5, 2)


@pytest.mark.parametrize(
    ("population", "words"),
    [
        ("sessions", "One session: what another session would change cannot be known."),
        ("items and sessions", "One session: what another session would change cannot be known."),
        ("people", "One person: what another person would change cannot be known."),
        ("people and items", "One person: what another person would change cannot be known."),
    ],
)
def test_one_unit_has_no_interval_and_says_why(population, words):
    found = estimate_score(fixed([[1, 0, 1]]), population=population, scale=BINARY)
    assert not found.has_interval
    assert (found.n, found.note) == (1, words)


def test_one_session_of_a_conversation_says_what_is_not_known():
    seen = fixed([[1, 0, 1, 1, 0, 1, 0, 0, 1, 0]])
    apart = estimate_score(seen, population="items", scale=BINARY)
    together = estimate_score(seen, population="items", scale=BINARY, apart=False)
    assert apart.note == ""
    assert together.note == "One session: what another session would change cannot be known."
    assert together.has_interval


def test_few_units_say_how_many_would_help():
    found = unit_estimate([0.5, 0.7, 0.6], scale=UNIT)
    assert found.note.startswith("3 sessions are too few for a useful interval: about ")
    assert "a fifth of the scale" in found.note
    assert found.high - found.low > 0.8
    open_ended = unit_estimate([5.0, 7.0, 9.0])
    assert "about 5 would give one half as wide" in open_ended.note
    assert "can miss rare extreme ones; the interval is then too narrow" in open_ended.note


def test_units_for_width_is_about_the_number_that_gives_it():
    moments = of_units(default_rng(1).normal(size=30), unit="session")
    needed = units_for_width(moments, scale=Scale(), width=0.2)
    spread = float(np.sqrt(moments.variance * 30))
    assert needed == pytest.approx((2 * 1.96 * spread / 0.2) ** 2, rel=0.05)
    assert units_for_width(of_units(np.full(10, 0.5), unit="item"), scale=UNIT, width=0.2) == 11


def test_these_items_know_only_the_subject_s_own_randomness():
    steady = estimate_score(fixed(np.repeat([[1.0, 0.0] * 25], 10, axis=0)), population="these items", scale=BINARY)
    noisy = estimate_score(fixed(default_rng(1).random((10, 50)) < 0.5), population="these items", scale=BINARY)
    assert 0 < steady.high - steady.low < 0.02 < noisy.high - noisy.low
    assert steady.method == "Clopper-Pearson with effective n over 500 answers to 50 items"
    once = estimate_score(fixed([[1, 0, 1, 1]]), population="these items", scale=BINARY)
    exact = proportion_estimate(3, n=4, method="Clopper-Pearson")
    assert (once.low, once.high) == pytest.approx((exact.low, exact.high))
    perfect = estimate_score(fixed(np.ones((1, 20))), population="these items", scale=BINARY)
    assert perfect.low == pytest.approx(0.025 ** (1 / 20))


def test_these_items_without_bounds_need_two_answers_each():
    twice = estimate_score(fixed([[1.0, 2, 3], [1.5, 2.5, 3.2]]), population="these items")
    assert twice.has_interval
    once = estimate_score(fixed([[1.0, 2, 3]]), population="these items")
    assert once.method == "none: each item was answered once"
    assert once.note.endswith("Ask each item at least twice.")
    still = estimate_score(fixed([[1.0, 2, 3]] * 2), population="these items")
    assert still.method == "none: all of 6 answers to 3 items are equal"
    perfect = estimate_score(fixed(np.ones((6, 4))), population="these items", scale=UNIT)
    assert perfect.low == pytest.approx(0.025 ** (1 / 24))


def test_nothing_scored_is_said():
    for population in POPULATIONS:
        found = estimate_score(Observations([], items=[]), population=population, scale=BINARY)
        assert (found.n, found.note, found.method) == (0, "Nothing was scored.", "none: nothing was scored")
    assert unit_estimate([], scale=UNIT).n == 0


def test_what_cannot_be_asked_for_is_refused():
    with pytest.raises(BadData, match="one number per session: they cannot generalise to items"):
        estimate_score(Observations([0.4, 0.5]), population="items")
    with pytest.raises(BadData, match=r"between 0 and 1; got 7"):
        estimate_score(Observations([0.4, 7]), population="sessions", scale=UNIT)
    with pytest.raises(BadData, match="There is no population 'people like these'"):
        estimate_score(Observations([0.4, 7]), population="people like these")
    with pytest.raises(BadData, match="confidence level"):
        unit_estimate([1, 2], level=95)


def test_estimates_carry_population_and_note_to_json():
    told = unit_estimate([0.4], unit="person", scale=UNIT).as_json()
    assert told["population"] == "people"
    assert told["note"] == "One person: what another person would change cannot be known."


def test_unbounded_means_of_crossed_tables_have_a_t_interval():
    found = estimate_score(fixed(default_rng(1).normal(size=(6, 12))), population="items and sessions")
    assert found.method == "t over 12 items and 6 sessions"
    losses = estimate_score(
        fixed(default_rng(1).exponential(size=(6, 12))), population="people and items", scale=Scale(low=0)
    )
    assert losses.low > 0


tables = st.integers(2, 6).flatmap(
    lambda items: st.lists(
        st.lists(st.sampled_from([0.0, 1.0]), min_size=items, max_size=items), min_size=1, max_size=5
    )
)


@settings(deadline=None)
@given(tables, st.sampled_from(POPULATIONS), st.sampled_from([BINARY, UNIT, Scale(), Scale(low=0)]), st.randoms())
def test_properties_of_every_population(table, population, scale, shuffler):
    seen = fixed(table)
    found = estimate_score(seen, population=population, scale=scale)
    order = list(range(len(seen)))
    shuffler.shuffle(order)
    mixed = Observations(seen.values[order], items=seen.codes("items")[order], sessions=seen.codes("sessions")[order])
    again = estimate_score(mixed, population=population, scale=scale)
    assert (again.value, again.low, again.high) == pytest.approx((found.value, found.low, found.high), nan_ok=True)
    assert again.note == found.note
    if found.has_interval:
        assert found.low < found.high
        assert found.low <= found.value <= found.high
    if found.has_interval and scale.low is not None:
        assert found.low >= scale.low
    if found.has_interval and scale.high is not None:
        assert found.high <= scale.high


@given(tables)
def test_repeating_sessions_of_a_deterministic_subject_changes_nothing(table):
    once = estimate_score(fixed(table[:1]), population="items", scale=BINARY)
    often = estimate_score(fixed([table[0]] * 7), population="items", scale=BINARY)
    assert (often.low, often.high) == (once.low, once.high)


def test_moments_of_groups_are_those_of_their_means():
    seen = Observations([1, 0, 1, 1], items=["p", "p", "q", "q"])
    assert moments_of(seen, population="items", scale=BINARY).units.tolist() == [0.5, 1]


def test_an_item_that_was_asked_more_often_counts_no_more():
    often = Observations(
        [1] * 40 + [0] * 10,
        items=["a"] * 40 + [f"b{number}" for number in range(10)],
        sessions=[str(number) for number in range(40)] + ["0"] * 10,
    )
    for population in ("items", "items and sessions"):
        assert estimate_score(often, population=population, scale=Scale(binary=True)).value == pytest.approx(1 / 11)


def test_answers_of_one_conversation_may_vary_together():
    moods = np.repeat([[1.0], [0], [1], [0], [1], [0]], 20, axis=1)
    seen = fixed(moods)
    apart = estimate_score(seen, population="these items", scale=Scale(binary=True), apart=True)
    together = estimate_score(seen, population="these items", scale=Scale(binary=True), apart=False)
    assert together.n == 6
    assert together.high - together.low > 3 * (apart.high - apart.low)
    items = estimate_score(seen, population="items", scale=Scale(binary=True), apart=False)
    assert "what other sessions would change is not in this interval" in items.note


def test_one_more_failure_never_makes_the_interval_much_narrower():
    lows = []
    for wrong in range(12):
        table = np.ones((20, 30))
        table[0, :wrong] = 0
        lows.append(estimate_score(fixed(table), population="items", scale=Scale(binary=True)).low)
    assert max(later - earlier for earlier, later in pairwise(lows)) < 0.06


def test_rare_units_that_may_be_unseen_are_spoken_of():
    tight = unit_estimate(np.linspace(0.89, 0.91, 30), scale=Scale(0, 1))
    assert "30 sessions cannot rule out a rare, very different one (fewer than 1 in 9)." in tight.note
    assert not unit_estimate([1, 0] * 15, scale=Scale(binary=True)).note
