"""Differences between two subjects."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import default_rng

from mensura.dialogue import Score
from mensura.stats import Observations, Scale, difference_estimate, score_difference, tango_interval

BINARY, UNIT = Scale(binary=True), Scale(0, 1)


def once(values) -> Observations:
    return Observations(values, items=[f"i{at}" for at in range(len(values))])


def per_session(values) -> Observations:
    return Observations(values, sessions=[f"s{at}" for at in range(len(values))])


def crossed(table, *, name="s") -> Observations:
    table = np.asarray(table, dtype=float)
    sessions, items = table.shape
    return Observations(
        table.ravel(),
        items=np.tile(np.arange(items), sessions),
        sessions=np.repeat([f"{name}{at}" for at in range(sessions)], items),
    )


def score_statistic(gains: int, losses: int, n: int, delta: float) -> float:
    """Tango's statistic with the restricted estimate found by brute force instead of by his formula."""
    shares = np.linspace(max(0.0, -delta), (1 - delta) / 2, 200_001)[1:-1]
    rest = 1 - delta - 2 * shares
    likely = gains * np.log(shares + delta) + losses * np.log(shares) + (n - gains - losses) * np.log(rest)
    share = shares[np.argmax(likely)]
    return (gains - losses - n * delta) / np.sqrt(n * (2 * share + delta * (1 - delta)))


@pytest.mark.parametrize(("gains", "losses", "n"), [(12, 2, 50), (1, 4, 20), (3, 3, 44)])
def test_tango_s_bounds_are_where_the_score_statistic_is_1_96(gains, losses, n):
    low, high = tango_interval(gains=gains, losses=losses, n=n)
    assert score_statistic(gains, losses, n, low) == pytest.approx(1.96, abs=0.005)
    assert score_statistic(gains, losses, n, high) == pytest.approx(-1.96, abs=0.005)


def test_tango_s_interval_is_never_of_zero_width_and_stays_on_the_scale():
    low, high = tango_interval(gains=0, losses=0, n=50)
    # With no disagreement the bounds solve n d = z sqrt(n d (1 - d)): z²/(n + z²).
    assert high == pytest.approx(3.8415 / 53.8415, abs=1e-4)
    assert low == pytest.approx(-high)
    assert tango_interval(gains=5, losses=0, n=5)[1] == 1


def test_right_or_wrong_once_each_is_compared_by_tango():
    first, second = [1] * 12 + [0] * 2 + [1] * 36, [0] * 12 + [1] * 2 + [1] * 36
    found = score_difference(first=once(first), second=once(second), population="items", scale=BINARY, paired=True)
    assert (found.difference.low, found.difference.high) == pytest.approx(tango_interval(gains=12, losses=2, n=50))
    assert found.difference.method == "Tango over 50 items"
    assert found.is_claim
    assert found.sentence.startswith("A scores higher than B by 0.20 [0.06, 0.34] on the same 50 items; ")
    assert found.p_permutation == pytest.approx(0.01293945)


@pytest.mark.parametrize("paired", [True, False])
def test_five_sessions_of_99_98_against_43_are_a_claim(paired):
    found = score_difference(
        first=per_session([99.98] * 5),
        second=per_session([43.0] * 5),
        population="sessions",
        scale=Scale(0, 100),
        names=("new", "old"),
        paired=paired,
    )
    assert found.is_claim
    assert found.p <= 0.05
    assert found.difference.high - found.difference.low > 5
    assert np.isnan(found.p_permutation) == paired
    assert found.sentence.startswith(("new scores higher than old by 57 [", "new scores higher than old by 57.0 ["))


def test_too_little_data_is_said_as_that():
    first, second = [0.6, 0.7, 0.5, 0.8, 0.6, 0.7], [0.5, 0.7, 0.6, 0.7, 0.5, 0.7]
    found = score_difference(
        first=per_session(first), second=per_session(second), population="sessions", scale=UNIT, paired=True
    )
    assert not found.is_claim
    assert found.sentence.startswith("Too little data to say which scores higher: A scores higher than B by 0.03 [")
    assert f"About {found.needed} sessions would be needed to tell" in found.sentence
    assert found.sentence.endswith("That is not proof that they are equal.")
    assert found.needed > 6
    alike = score_difference(
        first=per_session(first), second=per_session(first), population="sessions", scale=UNIT, paired=True
    )
    assert alike.p == 1
    assert "A and B score alike, 0.00 [" in alike.sentence
    assert "Four times as many sessions would about halve the interval." in alike.sentence


def test_the_loser_is_named_second():
    found = score_difference(
        first=once([0] * 20), second=once([1] * 20), population="items", scale=BINARY, names=("a", "b"), paired=True
    )
    assert found.sentence.startswith("b scores higher than a by 1.00 [")


def test_one_unit_cannot_be_compared():
    one = score_difference(first=once([1]), second=once([0]), population="items", scale=BINARY, paired=True)
    assert one.sentence == (
        "A and B cannot be compared (A scores higher than B by 1 on the same 1 item): one item: what another item "
        "would change cannot be known."
    )
    assert np.isnan(one.p)
    lonely = score_difference(
        first=per_session([0.5]), second=per_session([0.4, 0.6]), population="sessions", scale=UNIT, paired=False
    )
    assert "cannot be compared" in lonely.sentence
    crossed_once = score_difference(
        first=crossed([[1, 0, 1]]),
        second=crossed([[1, 1, 1]]),
        population="items and sessions",
        scale=BINARY,
        paired=True,
    )
    assert "one session: what another session would change cannot be known" in crossed_once.sentence


def test_nothing_in_common_cannot_be_compared():
    other = Observations([1, 0], items=["x", "y"])
    found = score_difference(first=once([1, 0, 1]), second=other, population="items", scale=BINARY, paired=True)
    assert found.sentence == "A and B cannot be compared: they share no item (5 items not met by both left out)."
    assert found.unmatched == 5


def test_constants_without_bounds_show_no_error_and_are_said():
    found = score_difference(
        first=per_session([5.0] * 8), second=per_session([3.0] * 8), population="sessions", paired=True
    )
    assert found.sentence.startswith(
        "A and B cannot be compared (A scores higher than B by 2 on the same 8 sessions): all 8 sessions gave the same"
    )
    apart = score_difference(
        first=per_session([5.0] * 8), second=per_session([5.0] * 8), population="sessions", paired=False
    )
    assert not apart.difference.has_interval
    assert "they score alike (8 against 8 sessions)" in apart.sentence
    varied = score_difference(
        first=per_session([5.0] * 8), second=per_session(range(8)), population="sessions", paired=False
    )
    assert varied.difference.has_interval


def test_the_sessions_of_two_subjects_add_their_variance():
    rng = default_rng(5)
    ours = crossed(rng.normal(size=(5, 12)) + rng.normal(size=(5, 1)), name="a")
    theirs = crossed(rng.normal(size=(4, 12)) + rng.normal(size=(4, 1)), name="b")
    both = difference_estimate(first=ours, second=theirs, population="items and sessions", paired=True)
    items = difference_estimate(first=ours, second=theirs, population="items", paired=True)
    assert both.high - both.low > items.high - items.low
    assert both.n == 4
    assert both.method == "t over the same 12 items, 5 and 4 sessions"


def test_the_same_people_on_the_same_items_are_compared_cell_by_cell():
    rng = default_rng(6)
    people = rng.normal(size=(6, 1))
    ours, theirs = (crossed(people + 0.1 * rng.normal(size=(6, 9)) + gain) for gain in (1.0, 0.0))
    found = score_difference(first=ours, second=theirs, population="people and items", paired=True)
    assert found.is_claim
    assert found.difference.value == pytest.approx(1, abs=0.1)
    assert found.difference.high - found.difference.low < 0.3
    assert np.isnan(found.p_permutation)
    others = crossed(rng.normal(size=(5, 9)), name="other")
    assert difference_estimate(first=ours, second=others, population="people and items", paired=True).n == 5


def test_people_who_share_too_few_cells_cannot_be_compared():
    ours = Observations([1, 0], items=["a", "b"], sessions=["p", "q"])
    theirs = Observations([1, 0], items=["b", "a"], sessions=["p", "q"])
    found = score_difference(first=ours, second=theirs, population="people and items", scale=BINARY, paired=True)
    assert not found.difference.has_interval


def test_these_items_compare_the_randomness_of_both():
    rng = default_rng(7)
    ours, theirs = (crossed(rng.random((10, 30)) < rate) for rate in (0.9, 0.5))
    found = score_difference(first=ours, second=theirs, population="these items", scale=BINARY, paired=True)
    assert found.is_claim
    assert found.difference.method.startswith("MOVER over 300 answers to 30 items against")


def test_few_pairs_that_differ_allow_for_more():
    first = crossed(np.ones((3, 40)))
    second = np.ones((3, 40))
    second[0, 0] = 0
    found = difference_estimate(first=first, second=crossed(second), population="items", scale=BINARY, paired=True)
    assert 0.05 < found.high - found.low < 0.2


scores = st.lists(st.floats(0, 1).map(lambda share: round(share, 3)), min_size=2, max_size=12)


@settings(deadline=None, max_examples=60)
@given(scores, scores, st.booleans(), st.sampled_from([UNIT, Scale(), Scale(low=0)]), st.sampled_from([0.9, 0.95]))
def test_p_agrees_with_the_interval_and_exchanging_mirrors(left, right, paired, scale, level):
    first, second = per_session(left), per_session(right)
    found = score_difference(first=first, second=second, population="sessions", scale=scale, paired=paired, level=level)
    back = score_difference(first=second, second=first, population="sessions", scale=scale, paired=paired, level=level)
    assert back.difference.value == pytest.approx(-found.difference.value)
    assert (back.difference.low, back.difference.high) == pytest.approx(
        (-found.difference.high, -found.difference.low), nan_ok=True, abs=1e-6
    )
    assert back.p_permutation == pytest.approx(found.p_permutation, nan_ok=True)
    if found.difference.has_interval:
        assert (found.p <= 1 - level + 1e-12) == found.difference.excludes(0)
        assert found.difference.low < found.difference.high
        if scale is UNIT:
            assert found.difference.low >= -1
            assert found.difference.high <= 1
    assert found.as_json()["sentence"] == str(found)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=20))
def test_paired_answers_agree_with_the_interval_too(answers):
    first, second = (once([float(pair[side]) for pair in answers]) for side in (0, 1))
    found = score_difference(first=first, second=second, population="items", scale=BINARY, paired=True)
    assert (found.p <= 0.05) == found.is_claim


def test_a_great_difference_has_the_least_p():
    found = score_difference(
        first=per_session([0.9] * 400), second=per_session([0.1] * 400), population="sessions", scale=UNIT, paired=True
    )
    assert found.p == pytest.approx(1e-12)


def test_a_side_of_zeros_is_not_certain_on_a_scale_with_one_bound():
    found = score_difference(
        first=Observations([0.0] * 30),
        second=Observations([0.0] * 29 + [1.0]),
        population="sessions",
        scale=Scale(low=0),
        paired=False,
    )
    assert not found.is_claim
    assert found.p > 0.05


def test_a_small_difference_that_is_well_known_is_not_too_little_data():
    rng = np.random.default_rng(1)
    one, other = (Observations(rng.uniform(0.4, 0.6, size=3000)) for _ in range(2))
    found = score_difference(first=one, second=other, population="sessions", scale=Scale(0, 1), paired=False)
    assert found.small
    assert found.sentence.startswith("No difference was found")


def test_a_comparison_of_single_conversations_says_what_it_cannot_know():
    items = [str(number) for number in range(20)]
    one = Observations([1] * 18 + [0] * 2, items=items)
    other = Observations([1] * 4 + [0] * 16, items=items)
    found = score_difference(
        first=one, second=other, population="items", scale=Scale(binary=True), paired=True, apart=False
    )
    assert found.difference.note.startswith("One session: what another session would change cannot be known.")
    assert "Few" not in found.difference.note


@pytest.mark.parametrize(
    ("declared", "words"),
    [
        (
            Score("err", better="less", label="Error made"),
            "B does better than A on Error made (smaller is better) by 2.000 [",
        ),
        (Score("hits", better="more"), "A does better than B on hits (larger is better) by 2.000 ["),
        (Score("level", best=5), "A scores higher than B on level (best at 5) by 2.000 ["),
    ],
)
def test_a_sentence_names_the_score_and_who_does_better_on_it(declared, words):
    first, second = per_session([5.0, 6.1, 5.2, 6.0, 5.5, 5.8]), per_session([3.1, 4.0, 3.2, 3.9, 3.6, 3.8])
    found = score_difference(first=first, second=second, population="sessions", paired=True, score=declared)
    assert found.sentence.startswith(words)
    assert found.as_json()["scores"][0]["name"] == declared.name


def test_right_and_wrong_answers_are_said_to_differ_by_chance_as_often_as_the_exact_test_says():
    first, second = [1.0] * 25, [0.0] * 7 + [1.0] * 18
    found = score_difference(first=once(first), second=once(second), population="items", scale=BINARY, paired=True)
    assert found.p == found.p_permutation == pytest.approx(2 / 2**7)
    assert "in about 2 of 100 such studies" in found.sentence
    five = score_difference(
        first=once([1] * 25), second=once([0] * 5 + [1] * 20), population="items", scale=BINARY, paired=True
    )
    assert five.p == pytest.approx(2 / 2**5)
    assert not five.is_claim
