import numpy as np
import pytest
from scipy.signal import fftconvolve
from scipy.stats import binom, norm, poisson

from mensura.dialogue import Columns
from mensura.scores import rule
from mensura.track_record.calibration.sheet import Block, Sheet
from mensura.track_record.calibration.total import total as module
from mensura.track_record.calibration.total.total import expected_total
from mensura.track_record.files.book import Book
from mensura.track_record.over_time.standing import Forecasts, first_sheet
from tests.proofs import proofs


def brute_force(p, outcomes, scored):
    """Enumerate every course of events."""
    payoffs = scored.payoffs(p)
    n = p.shape[1]
    observed = payoffs[np.arange(len(p)), outcomes].sum()
    tail = 0.0
    for code in range(n ** len(p)):
        digits = [(code // n**k) % n for k in range(len(p))]
        total = sum(payoffs[k, d] for k, d in enumerate(digits))
        if total <= observed + 1e-9:
            tail += np.prod([p[k, d] for k, d in enumerate(digits)])
    return tail


@pytest.mark.parametrize("name", ["log", "quadratic", "spherical"])
@pytest.mark.parametrize("n", [2, 3])
def test_exact_tail_is_that_of_every_course_of_events(name, n):
    rng = np.random.default_rng(n)
    p = rng.dirichlet(np.ones(n), size=6)
    outcomes = rng.integers(n, size=6)
    total = expected_total(Sheet.alternatives(p, outcomes), rule(name))
    assert total.method == "exact"
    assert total.tail == pytest.approx(brute_force(p, outcomes, rule(name)))


def test_thousands_of_equal_questions_are_still_exact():
    sheet = Sheet.binary([0.7] * 3000, [1] * 2090 + [0] * 910)
    total = expected_total(sheet, rule("log"))
    assert total.method == "exact"
    assert total.tail == pytest.approx(binom.cdf(2090, 3000, 0.7), rel=1e-9)


def test_round_probabilities_under_the_quadratic_rule_stay_exact():
    rng = np.random.default_rng(0)
    p = rng.integers(1, 10, size=60) / 10
    total = expected_total(Sheet.binary(p, (rng.random(60) < p).astype(float)), rule("quadratic"))
    assert total.method == "exact"
    assert 0 < total.tail < 1


def test_a_thousand_round_probabilities_are_exact_and_quick():
    rng = np.random.default_rng(1)
    p = rng.integers(0, 101, size=1000) / 100
    sheet = Sheet.binary(p, (rng.random(1000) < p).astype(float))
    total = expected_total(sheet, rule("quadratic"))
    assert total.method == "exact"
    z = (total.observed - total.mean) / total.variance**0.5
    assert total.tail == pytest.approx(norm.cdf(z), abs=0.02)
    assert total.curve[1][-1] == pytest.approx(1)


def test_inversion_agrees_with_exact_within_its_stated_bound(monkeypatch):
    rng = np.random.default_rng(5)
    p = rng.random(16)
    sheet = Sheet.binary(p, (rng.random(16) < p).astype(float))
    exact = expected_total(sheet, rule("log"))
    monkeypatch.setattr(module, "ATOMS", 10)
    inverted = expected_total(sheet, rule("log"))
    assert inverted.method.startswith("inversion")
    assert 0 < inverted.error < 0.01
    assert abs(inverted.tail - exact.tail) <= inverted.error


@pytest.mark.parametrize("questions", [60, 2000])
def test_inversion_agrees_with_simulation(questions):
    rng = np.random.default_rng(questions)
    p = rng.dirichlet([1, 1, 2], size=questions)
    outcomes = np.array([rng.choice(3, p=row) for row in p])
    total = expected_total(Sheet.alternatives(p, outcomes), rule("quadratic"))
    payoffs = rule("quadratic").payoffs(p)
    cumulative = p.cumsum(axis=1)
    draws = np.zeros(20_000)
    for k in range(questions):
        draws += payoffs[k][np.minimum(np.searchsorted(cumulative[k], rng.random(20_000)), 2)]
    simulated = np.mean(draws <= total.observed)
    assert total.tail == pytest.approx(simulated, abs=0.015)
    assert total.error < 0.05


@pytest.mark.parametrize("right", [20_700, 20_990, 21_200])
def test_tens_of_thousands_of_equal_questions_have_a_binomial_tail(right):
    sheet = Sheet.binary([0.7] * 30_000, [1] * right + [0] * (30_000 - right))
    total = expected_total(sheet, rule("log"))
    assert total.method == "exact"
    assert total.error < 1e-9
    assert abs(total.tail - binom.cdf(right, 30_000, 0.7)) <= total.error


def test_questions_of_several_kinds_lie_within_the_bound_of_their_exact_distribution(monkeypatch):
    rng = np.random.default_rng(9)
    p = np.repeat([0.6, 0.8, 0.93], [130, 70, 5])
    sheet = Sheet.binary(p, (rng.random(205) < p).astype(float))
    exact = expected_total(sheet, rule("log"))
    monkeypatch.setattr(module, "ATOMS", 10)
    inverted = expected_total(sheet, rule("log"))
    assert (exact.method, inverted.method[:9]) == ("exact", "inversion")
    assert abs(inverted.tail - exact.tail) <= inverted.error < 0.005


@pytest.mark.parametrize(("name", "n"), [("spherical", 7), ("spherical", 6), ("quadratic", 13)])
def test_ignorance_leaves_nothing_to_chance_although_its_payoffs_differ_by_rounding(name, n):
    sheet = Sheet.alternatives(np.full((30, n), 1 / n), np.zeros(30, dtype=int))
    total = expected_total(sheet, rule(name))
    assert (total.tail, total.error, total.method) == (1.0, 0.0, "exact: nothing was left to chance")


@pytest.mark.parametrize("name", ["log", "spherical"])
def test_the_bracket_of_inversion_holds_the_sum_added_question_by_question(name):
    # Payoffs rounded down and rounded up to a fine grid enclose the sum; added by plain convolution.
    rng = np.random.default_rng(3)
    p = rng.dirichlet([1, 2, 1], size=60)
    sheet = Sheet.alternatives(p, np.array([rng.choice(3, p=row) for row in p]))
    total = expected_total(sheet, rule(name))
    step = 2e-4
    floors = np.floor(rule(name).payoffs(p) / step).astype(int)
    weights, least = np.ones(1), 0
    for shifts, chances in zip(floors, p, strict=True):
        own = np.bincount(shifts - shifts.min(), weights=chances)
        weights, least = fftconvolve(weights, own), least + shifts.min()
    sums = (least + np.arange(len(weights))) * step
    lower, upper = weights[sums + 60 * step <= total.observed].sum(), weights[sums <= total.observed].sum()
    assert lower - total.error <= total.tail <= upper + total.error
    assert total.error < 0.002
    assert upper - lower < 0.01


def test_more_than_a_million_questions_have_a_tail_within_two_thousandths():
    p = np.random.default_rng(2).random(1_200_000)
    y = np.ones(len(p))
    y[np.random.default_rng(3).random(len(p)) > p] = 0
    total = expected_total(Sheet.binary(p, y), rule("log"))
    assert 0.01 < total.tail < 0.99
    assert total.error <= 0.002


# So many are inverted as half a million are, and the bound is no smaller; whole millions are above.
@pytest.mark.parametrize("questions", [60_000, *proofs(500_000)])
def test_many_questions_are_right_within_a_thousandth(questions):
    rng = np.random.default_rng(9)
    p = rng.random(questions)
    sheet = Sheet.binary(p, (rng.random(questions) < p).astype(float))
    total = expected_total(sheet, rule("log"))
    assert total.error < 0.001
    # So many small payoffs are all but normal.
    assert total.tail == pytest.approx(norm.cdf((total.observed - total.mean) / total.variance**0.5), abs=0.002)


def test_questions_that_are_nearly_certain_still_have_a_bound_that_holds():
    rng = np.random.default_rng(4)
    p = np.full(5000, 0.999) - rng.random(5000) * 1e-6
    y = np.ones(5000)
    y[:7] = 0
    total = expected_total(Sheet.binary(p, y), rule("log"))
    # The total is all but a count of failures, which is Poisson with mean five.
    assert abs(total.tail - poisson.sf(6, 5.0)) <= total.error + 0.003
    assert total.error < 0.2


def test_the_distribution_itself_is_given_with_its_middle_nineteen_twentieths():
    rng = np.random.default_rng(6)
    for count in (8, 100, 3000):
        p = rng.uniform(0.2, 0.9, count)
        total = expected_total(Sheet.binary(p, (rng.random(count) < p).astype(float)), rule("log"))
        totals, chances = total.curve
        assert (np.diff(totals) >= 0).all()
        assert (np.diff(chances) >= 0).all()
        assert total.low < total.mean < total.high
        assert chances[-1] == pytest.approx(1, abs=1e-3)


def test_tail_of_a_realist_is_even_over_the_unit_interval():
    rng = np.random.default_rng(10)
    tails = []
    for _ in range(300):
        p = rng.uniform(0.05, 0.95, 40)
        tails.append(expected_total(Sheet.binary(p, (rng.random(40) < p).astype(float)), rule("log"), work=4e5).tail)
    assert np.mean(tails) == pytest.approx(0.5, abs=0.06)
    assert np.mean(np.array(tails) < 0.1) == pytest.approx(0.1, abs=0.05)


def test_an_overvaluer_falls_into_the_lower_tail_and_an_undervaluer_into_the_upper():
    rng = np.random.default_rng(12)
    true = rng.uniform(0.2, 0.8, 150)
    y = (rng.random(150) < true).astype(float)
    over = Sheet.binary(np.clip(0.5 + 1.6 * (true - 0.5), 0.01, 0.99), y)
    under = Sheet.binary(0.5 + 0.3 * (true - 0.5), y)
    assert expected_total(over, rule("log")).tail < 0.05
    assert expected_total(under, rule("log")).tail > 0.9


def test_certain_error_has_tail_zero_and_certain_truth_leaves_nothing_to_chance():
    lost = expected_total(Sheet.binary([0.0, 0.5], [1, 1]), rule("log"))
    assert lost.observed == -np.inf
    assert lost.tail == 0
    sure = expected_total(Sheet.binary([1.0, 0.0], [1, 0]), rule("log"))
    assert sure.tail == 1


def revised(p, y, ends):
    """Make forecasts of events (1) of 20 days out of daily probabilities, question by question."""
    rows = [(k, day) for k, end in enumerate(ends) for day in range(end)]
    question, day = np.array(rows).T
    stated, times = p[question, day], (np.zeros(len(rows)), ends[question] * 1.0, np.full(len(rows), 20.0))
    return Forecasts(np.stack([stated, 1 - stated], axis=1), 1 - y[question], question, day * 1.0, *times)


@pytest.mark.parametrize("factor", [1, 3])
def test_tail_of_an_honest_daily_updater_is_even_when_questions_resolve_early(factor):
    # Simulated: events come with a chance of their own each day, and settle their question at once.
    rng = np.random.default_rng(13)
    tails = []
    for _ in range(150):
        hazard = rng.choice([0.008, 0.03, 0.09], 30)
        day = rng.geometric(hazard)
        y, ends = (day <= 20).astype(int), np.minimum(day, 20)
        belief = 1 - (1 - hazard[:, np.newaxis]) ** (20 - np.arange(20))
        odds = factor * belief / (1 - belief)
        sheet = first_sheet([revised(odds / (1 + odds), y, ends)])
        tails.append(expected_total(sheet, rule("log"), work=4e6).tail)
    if factor > 1:
        assert np.mean(tails) < 0.25
        return
    assert np.mean(tails) == pytest.approx(0.5, abs=0.08)
    for level in (0.1, 0.5, 0.9):
        assert np.mean(np.array(tails) < level) == pytest.approx(level, abs=0.09)


def test_several_forecasts_of_one_question_have_no_tail():
    forecasts = revised(np.full((2, 20), 0.7), np.array([1, 0]), np.array([3, 20]))
    block = Block(forecasts.probabilities, forecasts.outcomes, forecasts.questions, forecasts.shares())
    assert np.isnan(expected_total(Sheet((block,)), rule("log")).tail)
    assert expected_total(first_sheet([forecasts]), rule("log")).tail == pytest.approx(0.09 + 0.42)


def test_tail_is_even_for_the_honest_when_questions_still_open_are_left_out():
    # Simulated as above, but looked at on day 45: what came true is known at once, the rest only when it is over.
    rng, tails = np.random.default_rng(5), {"over": [], "all": []}
    for _ in range(120):
        hazard, opened = rng.choice([0.03, 0.06], 40), rng.integers(60, size=40) * 1.0
        day = rng.geometric(hazard)
        end = opened + np.minimum(day, 30)
        known = end <= 45
        stated, count = 1 - (1 - hazard[known]) ** 30, int(known.sum())
        said = np.stack([stated, 1 - stated], axis=1), np.zeros(count, np.int64), np.arange(count), opened[known]
        page = Columns(*said, 1 * (day > 30)[known], ["ada"])
        times = opened[known], end[known], opened[known] + 30
        book = Book([page], *times, latest=45.0)
        forecasts = {"over": book.standing(book.pages[0]), "all": book.standing(page)}
        for which, found in tails.items():
            found.append(expected_total(first_sheet([forecasts[which]]), rule("log"), work=4e6).tail)
    assert np.nanmean(tails["over"]) == pytest.approx(0.5, abs=0.08)
    assert abs(np.nanmean(tails["all"]) - 0.5) > 0.15
