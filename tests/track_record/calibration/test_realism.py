from dataclasses import replace

import numpy as np
import pytest
from scipy.special import ndtr

from mensura.errors import BadData, BadParameter
from mensura.scores import rule
from mensura.track_record.calibration.correction import correct
from mensura.track_record.calibration.realism import Realism, fit_realism, shrink
from mensura.track_record.calibration.sheet import Block, Sheet
from mensura.track_record.calibration.verdict import judge
from tests.proofs import proofs


def draw_binary(rng, n, slope=1.0):
    """State values whose realism function has the given slope through the middle; simulated."""
    true = rng.uniform(0.1, 0.9, n)
    stated = np.clip(0.5 + (true - 0.5) / slope, 0, 1)
    return Sheet.binary(stated, (rng.random(n) < true).astype(float))


def test_standard_errors_clustered_by_question_agree_with_statsmodels():
    import statsmodels.api as sm

    rng = np.random.default_rng(3)
    p = rng.dirichlet(np.ones(3), size=120)
    outcomes = np.array([rng.choice(3, p=row) for row in p])
    questions = np.arange(120) // 2
    sheet = Sheet.alternatives(p, outcomes, question=questions)
    points = sheet.points()
    theirs = sm.OLS(points.happened, sm.add_constant(points.stated)).fit(
        cov_type="cluster", cov_kwds={"groups": points.clusters.index}
    )
    line = fit_realism(sheet)
    assert [line.b, line.a] == pytest.approx(theirs.params.tolist())
    assert [line.b_se, line.a_se] == pytest.approx(theirs.bse.tolist(), rel=1e-9)


@pytest.mark.parametrize("n", [2, 3, 5])
def test_with_all_alternatives_stated_the_line_passes_through_ignorance(n):
    rng = np.random.default_rng(n)
    p = rng.dirichlet(np.ones(n), size=60)
    sheet = Sheet.alternatives(p, rng.integers(n, size=60))
    line = fit_realism(sheet)
    assert line.a + n * line.b == pytest.approx(1)
    np.testing.assert_allclose(line.line(p).sum(axis=1), 1)


def test_correction_never_lowers_the_quadratic_score_while_nothing_is_clipped():
    rng = np.random.default_rng(8)
    held = 0
    for _ in range(200):
        sheet = draw_binary(rng, 40, slope=rng.uniform(0.4, 1.1))
        fixed = correct(sheet, fit_realism(sheet), floor=1e-9)
        if fixed.clipped == 0:
            held += 1
            gain = fixed.sheet.scores(rule("quadratic")).sum() - sheet.scores(rule("quadratic")).sum()
            assert gain >= -1e-12
    assert held > 100


def test_corrected_values_are_clipped_counted_and_sum_to_one():
    sheet = Sheet.alternatives([[0.9, 0.1, 0.0], [0.2, 0.3, 0.5]], [0, 2])
    fixed = correct(sheet, Realism(1.5, -1 / 6, 0, 0, 6, 2, 1 / 3), floor=0.01)
    values = fixed.sheet.blocks[0].probabilities
    assert fixed.clipped == 3
    assert values.sum(axis=1) == pytest.approx([1, 1])
    assert values.min() > 0
    assert sheet.blocks[0].probabilities[0, 2] == 0.0


def test_an_impossible_floor_is_refused():
    with pytest.raises(BadParameter, match="strictly between 0 and"):
        correct(Sheet.binary([0.5], [1]), Realism(1, 0, 0, 0, 1, 1, 0.5), floor=0.5)


@pytest.mark.parametrize("slope", [0.5, 0.8, 1.0, 1.25])
def test_the_fit_recovers_a_known_slope(slope):
    rng = np.random.default_rng(11)
    true = rng.uniform(0.5 - 0.4 * slope / max(slope, 1), 0.5 + 0.4 * slope / max(slope, 1), 200_000)
    stated = 0.5 + (true - 0.5) / slope
    keep = (stated > 0) & (stated < 1)
    line = fit_realism(Sheet.binary(stated[keep], (rng.random(keep.sum()) < true[keep]).astype(float)))
    assert line.a == pytest.approx(slope, abs=4 * line.a_se)
    assert line.a_se < 0.01


@pytest.mark.parametrize("n", [20, *proofs(100)])
@pytest.mark.proof
def test_slope_interval_covers_one_for_a_realist_at_nominal_rate(n):
    rng = np.random.default_rng(n)
    inside = 0
    for _ in range(1500):
        line = fit_realism(draw_binary(rng, n))
        inside += abs(line.z) < 1.96
    assert inside / 1500 == pytest.approx(0.95, abs=0.02)


def test_a_realist_is_rarely_called_biased_and_an_overvaluer_is_caught():
    rng = np.random.default_rng(2)
    wrong = np.mean([judge(fit_realism(draw_binary(rng, 40))).bias != "none shown" for _ in range(800)])
    caught = np.mean([judge(fit_realism(draw_binary(rng, 200, slope=0.5))).bias == "overvalues" for _ in range(100)])
    bold = np.mean([judge(fit_realism(draw_binary(rng, 400, slope=1.6))).bias == "undervalues" for _ in range(100)])
    assert wrong < 0.08
    assert caught > 0.95
    assert bold > 0.9


def test_few_questions_or_equal_statements_get_no_verdict():
    assert judge(fit_realism(Sheet.binary([0.9, 0.1], [1, 0]))).bias == "unknown"
    flat = fit_realism(Sheet.binary([0.5] * 30, [1, 0] * 15))
    assert np.isnan(flat.a)
    assert judge(flat).bias == "unknown"


def test_revisions_of_one_question_use_the_clustered_error():
    rng = np.random.default_rng(4)
    true = rng.uniform(0.1, 0.9, 40)
    outcome = (rng.random(40) < true).astype(float)
    once = Sheet.binary(true, outcome)
    thrice = Sheet.binary(np.repeat(true, 3), np.repeat(outcome, 3), question=np.repeat(np.arange(40), 3))
    assert not thrice.independent
    assert fit_realism(thrice).freedom < 40
    assert np.isinf(fit_realism(once).freedom)
    assert fit_realism(thrice).a_se == pytest.approx(fit_realism(once).a_se, rel=0.03)
    assert judge(fit_realism(thrice)).bias == judge(fit_realism(once)).bias


@pytest.mark.slow
@pytest.mark.parametrize("questions", [20, 50, 150])
def test_a_realist_who_revises_is_called_biased_in_one_case_of_twenty(questions):
    # Simulated: evidence adds up to the outcome over thirty days; four forecasts stand until the question resolves.
    rng = np.random.default_rng(questions)
    alarms, courses = 0, 1000
    for _ in range(courses):
        evidence = np.cumsum(rng.normal(size=(questions, 30)), axis=1)
        outcome = (evidence[:, -1] + rng.normal(0, 3.3, questions) > 0).astype(int)
        days = np.array([0, 9, 19, 29])
        believed = ndtr(evidence[:, days] / np.sqrt(29 - days + 3.3**2))
        lengths = rng.integers(5, 31, questions)
        stood = np.maximum(np.minimum(np.append(days[1:], 30), lengths[:, np.newaxis]) - days, 0)
        rows = np.repeat(np.arange(questions * 4), stood.ravel())
        p, question = believed.ravel()[rows], rows // 4
        sheet = Sheet((Block(np.stack([p, 1 - p], axis=1), 1 - outcome[question], question),))
        alarms += judge(fit_realism(sheet)).bias not in ("none shown", "unknown")
    assert 0.03 < alarms / courses < 0.065


def test_shrinkage_beats_the_raw_slope_on_few_answers_and_vanishes_on_many():
    rng = np.random.default_rng(6)
    raw, shrunk = [], []
    for _ in range(600):
        slope = rng.normal(1, 0.25)
        true = rng.uniform(0.2, 0.8, 20)
        stated = np.clip(0.5 + (true - 0.5) / max(slope, 0.35), 0, 1)
        line = fit_realism(Sheet.binary(stated, (rng.random(20) < true).astype(float)))
        raw.append((line.a - slope) ** 2)
        shrunk.append((shrink(line).a - slope) ** 2)
    assert np.mean(shrunk) < np.mean(raw) / 2
    many = fit_realism(draw_binary(rng, 100_000, slope=0.7))
    assert shrink(many).a == pytest.approx(many.a, abs=0.01)


def test_shrinkage_of_an_unknown_line_is_the_diagonal():
    line = shrink(fit_realism(Sheet.binary([0.5, 0.5], [1, 0])))
    assert (line.a, line.b) == (1.0, 0.0)


def test_a_sheet_refuses_unknown_outcomes():
    with pytest.raises(BadData, match="leave out those with NaN"):
        Sheet.binary([0.5, 0.5], [1, np.nan])


@pytest.mark.parametrize(("slope", "one_sided"), [(1.0, True), (1.0, False), (0.6, True), (0.6, False)])
def test_the_interval_of_the_slope_covers_at_ten_questions(slope, one_sided):
    rng = np.random.default_rng(4)
    hits = 0
    for _ in range(150):
        p = rng.random(10)
        y = (rng.random(10) < 0.5 + slope * (p - 0.5)).astype(int)
        line = fit_realism(Sheet.binary(p, y) if one_sided else Sheet.alternatives(np.stack([p, 1 - p], 1), 1 - y))
        hits += line.low <= slope <= line.high
        bias = judge(line).bias
        assert (bias == "none shown") == (line.low <= 1 <= line.high) or one_sided
    assert hits / 150 > 0.92


def test_the_interval_of_a_slope_from_revised_forecasts_covers():
    rng = np.random.default_rng(6)
    hits = 0
    for _ in range(150):
        p = np.repeat(rng.random(25), 3)
        y = np.repeat(rng.random(25) < p[::3], 3).astype(float)
        line = fit_realism(Sheet.binary(p, y, question=np.repeat(np.arange(25), 3)))
        hits += line.low <= 1 <= line.high
    assert hits / 150 > 0.9


def test_words_give_the_interval_of_the_slope_and_no_standard_error():
    line = fit_realism(Sheet.binary([0.95] * 20 + [0.05] * 20, [1, 0] * 20))
    assert f"(slope 0.00 [{line.low:.2f}, {line.high:.2f}], 40 questions)" in judge(line).words
    assert line.low < -line.a_se < line.a_se < line.high
    alone = replace(line, low=np.nan, high=np.nan)
    assert "(slope 0, 40 questions)" in judge(alone).words


@pytest.mark.parametrize(
    ("stated", "happened", "bias", "words"),
    [
        # The source, p. 14: at slope zero the probabilities are worthless and have no relation to the external world.
        ([0.95] * 20 + [0.05] * 20, [1, 0] * 20, "no relation", "No relation to what happens is shown"),
        ([0.99] * 20 + [0.01] * 20, [0] * 20 + [1] * 20, "inverted", "Inverted: what is called likely happens less"),
        ([0.9] * 8 + [0.1] * 8, [1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0], "no relation", "No relation"),
        ([0.9] * 40 + [0.1] * 40, ([1] * 3 + [0]) * 10 + ([0] * 3 + [1]) * 10, "overvalues", "Overvalues"),
    ],
)
def test_only_a_slope_shown_to_be_above_zero_is_called_overvaluing(stated, happened, bias, words):
    verdict = judge(fit_realism(Sheet.binary(stated, happened)))
    assert verdict.bias == bias
    assert verdict.words.startswith(words)
    assert ("Overvalues" in verdict.words) == (bias == "overvalues")


def test_a_slope_of_zero_without_an_interval_shows_no_relation():
    line = fit_realism(Sheet.binary([0.95] * 20 + [0.05] * 20, [1, 0] * 20))
    assert judge(replace(line, low=np.nan, high=np.nan)).bias == "no relation"


@pytest.mark.parametrize(
    ("right", "bias"), [(0.0, "inverted"), (0.5, "no relation"), (0.8, "overvalues"), (1.0, "none shown")]
)
def test_statements_of_zero_and_one_alone_are_judged_too(right, bias):
    stated = [1.0, 0.0] * 20
    hits = round(40 * right)
    happened = [value if place < hits else 1 - value for place, value in enumerate(stated)]
    assert judge(fit_realism(Sheet.binary(stated, happened))).bias == bias
