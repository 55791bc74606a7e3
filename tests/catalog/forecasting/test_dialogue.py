import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from mensura.catalog.forecasting.almanac import MOST, RANGES, draw_choice, draw_quantity, facts
from mensura.catalog.forecasting.dialogue import forecasting
from mensura.catalog.forecasting.subjects import SUBJECTS
from mensura.catalog.forecasting.urns import draw_urn, posterior
from mensura.dialogue import Ask, Break, Distribution, Refused, prompt_text
from mensura.errors import BadFile, BadParameter
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take

GOLDEN = Path(__file__).parents[2] / "golden"
LONG = {"questions": "urns", "count": 600, "fixed": True, "feedback": False, "draws": 4, "contrast": 0.2}


@cache
def session(name, setting=None, **parameters):
    """Give the scores of one session."""
    given = parameters if setting else {**LONG, **parameters}
    taken = take(forecasting, SUBJECTS[name](), seed=7, parameters=forecasting.fill(given, setting=setting))
    return score_record(forecasting, taken.record, taken.truths)


def mean(scores, name):
    return float(np.nanmean(scores.values[name].values))


def test_ignorance_scores_exactly_zero_and_its_slope_is_unknown():
    result = session("ignorance")
    assert mean(result, "logarithmic_score") == pytest.approx(0)
    assert mean(result, "quadratic_score") == pytest.approx(0)
    assert math.isnan(result.values["realism_slope"])
    assert result.details["bias"] == "unknown"


def test_the_realist_is_best_and_climatology_lies_between():
    scores = {name: mean(session(name), "logarithmic_score") for name in SUBJECTS}
    assert max(scores, key=scores.get) == "realistic"
    assert scores["realistic"] > scores["climatology"] > -0.02
    assert scores["gain-maximiser"] < 0


@pytest.mark.parametrize(("name", "slope"), [("realistic", 1.0), ("overvaluing", 0.6), ("undervaluing", 1.6)])
def test_the_estimators_recover_the_slope_of_each_subject(name, slope):
    values = session(name, count=1500)
    assert values.values["realism_slope"] == pytest.approx(slope, abs=3 * values.details["slope_error"])
    assert values.details["slope_error"] < 0.15


@pytest.mark.parametrize(
    ("name", "bias"), [("realistic", "none shown"), ("overvaluing", "overvalues"), ("undervaluing", "undervalues")]
)
def test_bias_is_said_in_words_when_there_is_one(name, bias):
    assert session(name, count=1500).details["bias"] == bias


@pytest.mark.parametrize(
    ("name", "game"),
    [
        ("caesar", "Caesar or nothing"),
        ("gain-maximiser", "possible gain"),
        ("loss-avoider", "loss avoidance"),
        ("realistic", "none seen"),
        ("climatology", "none seen"),
    ],
)
# Two alternatives are what is given without a word, so that those sessions are there already.
@pytest.mark.parametrize("given", [{}, {"alternatives": 3}], ids=["2", "3"])
def test_the_diagnosis_sees_private_games(name, game, given):
    assert session(name, **given).details["game"] == game


def test_the_realist_expects_the_score_it_gets():
    found = session("realistic", count=1500)
    values = found.values
    # A probability of one session is no score: its mean over sessions would mean nothing.
    assert "tail_probability" not in values
    assert 0.01 < found.details["tail_probability"] < 0.99
    assert values["perceived_information"] == pytest.approx(values["actual_information"], abs=0.02)


def test_urns_follow_their_base_rates_and_the_posterior_is_calibrated():
    rng = np.random.default_rng(3)
    stated, happened = [], []
    for _ in range(4000):
        urn = draw_urn(rng, alternatives=3, draws=5, contrast=0.4)
        p = posterior(base_rates=np.array(urn.base_rates), reds=np.array(urn.reds), red=urn.red, black=urn.black)
        stated += p.tolist()
        happened += [float(k == urn.truth) for k in range(3)]
        assert urn.red + urn.black == 5
    slope, intercept = np.polyfit(stated, happened, 1)
    assert (slope, intercept) == (pytest.approx(1, abs=0.05), pytest.approx(0, abs=0.02))


def asks(parameters, answer):
    """Walk through the dialogue by hand."""
    dialogue = forecasting(np.random.default_rng(5), **parameters)
    seen = [next(dialogue)]
    try:
        while True:
            last = seen[-1]
            asked = not isinstance(last, Break) and last.space is not None
            seen.append(dialogue.send(answer(last) if asked else None))
    except StopIteration as end:
        return seen, end.value


def test_the_payoffs_are_shown_before_the_first_question_and_truth_only_after_the_answer():
    seen, outcome = asks({"count": 5, "fixed": True}, lambda ask: dict.fromkeys(ask.space.options, 0.5))
    assert seen[0].space is None
    assert "50%" in prompt_text(seen[0].prompt)
    assert "+0" in prompt_text(seen[0].prompt)
    asked = [ask for ask in seen if ask.space is not None]
    assert len(asked) == 5
    assert "The answer is" in prompt_text(seen[2].prompt)
    assert "points" in outcome.prompt


def test_rounds_are_summed_up_each_and_together():
    seen, outcome = asks(
        {"count": 12, "fixed": True, "rounds": 3},
        lambda ask: dict(zip(ask.space.options, (0.7, 0.3), strict=True)),
    )
    words = [prompt_text(part.prompt) for part in seen if not isinstance(part, Break) and part.space is None]
    sums = [text for text in words if text.startswith(("Your total", "Round"))]
    assert len([part for part in seen if isinstance(part, Break)]) == 2
    assert sums[0].startswith("Your total")
    assert sums[1].startswith("Round 2")
    assert "All rounds" in outcome.prompt
    assert "36 questions" in outcome.prompt
    assert "12 questions" in outcome.prompt


def test_nobody_knows_which_question_is_the_last():
    lengths = []
    for seed in range(60):
        dialogue = forecasting(np.random.default_rng(seed), count=20, feedback=False)
        count, ask = 0, next(dialogue)
        try:
            while True:
                count += ask.space is not None
                ask = dialogue.send({"A": 0.5, "B": 0.5} if ask.space is not None else None)
        except StopIteration:
            lengths.append(count)
    assert len(set(lengths)) > 10
    assert min(lengths) >= 10
    assert np.mean(lengths) == pytest.approx(20, abs=4)


def test_a_question_set_is_read_from_a_file(tmp_path):
    path = tmp_path / "set.csv"
    path.write_text("question,options,answer\nIs it?,yes|no|maybe,no\nWill it?,a|b,\n")
    seen, _ = asks(
        {"questions": str(path), "count": 9, "fixed": True},
        lambda ask: {name: 1 / len(ask.space.options) for name in ask.space.options},
    )
    asked = [ask for ask in seen if ask.space is not None]
    assert {ask.space.options for ask in asked} == {("yes", "no", "maybe"), ("a", "b")}
    assert {ask.truth for ask in asked} == {"no", None}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("question,options,answer\nIs it?,yes,yes\n", "row 1 .*two or more different options"),
        ("question,options,answer\nIs it?,yes|no,perhaps\n", "'perhaps' is not among yes, no"),
        ("question,answer\n", "column .options. is missing"),
        ("question,options,answer\n", "has no questions"),
    ],
)
def test_a_bad_question_set_is_named(tmp_path, text, words):
    path = tmp_path / "set.csv"
    path.write_text(text)
    with pytest.raises(BadFile, match=words):
        asks({"questions": str(path)}, lambda ask: None)


def test_quantities_are_asked_by_quantiles_and_bands_are_counted():
    result = session("ignorance", setting="quantities", count=60, fixed=True)
    assert mean(result, "crps_loss") > 0
    assert result.values["outside_band"].values.size == 60
    assert "2 % should lie outside" in result.details["band_words"]


def test_quantities_are_asked_by_bins_too_and_scored_as_densities():
    result = session("ignorance", setting="bins", count=60, fixed=True)
    assert mean(result, "logarithmic_score") == pytest.approx(0, abs=1e-9)
    assert mean(result, "quadratic_score") == pytest.approx(0, abs=1e-9)
    assert mean(result, "crps_loss") > 0
    assert result.values["outside_band"].values.size == 60
    seen, outcome = asks(
        {"questions": "quantities", "bins": 4, "count": 3, "fixed": True}, lambda ask: [1.0, 0.0, 0.0, 0.0]
    )
    assert "each of 4 ranges" in seen[0].prompt
    assert "your outermost values; so far" in prompt_text(seen[2].prompt)
    assert "Your outermost values: 2 % should lie outside" in outcome.prompt


def test_the_almanac_draws_one_clear_answer_within_its_ranges():
    rng = np.random.default_rng(0)
    for _ in range(300):
        choice = draw_choice(rng, alternatives=3)
        assert len(set(choice.options)) == 3
        values = {fact.item: fact.value for fact in facts()}
        assert max(choice.options, key=values.get) == choice.options[choice.truth]
        fact, (low, high) = draw_quantity(rng)
        assert low <= fact.value <= high
    assert set(MOST) == set(RANGES) == {fact.table for fact in facts()}


def test_reference_subjects_answer_questions_they_know_nothing_about():
    ask = Ask("Which came last?", Distribution(("x", "y", "z")))
    for make in SUBJECTS.values():
        assert sum(make()(ask).values()) == pytest.approx(1)


def test_impossible_parameters_are_refused():
    with pytest.raises(BadParameter, match="2 to 8 alternatives"):
        next(forecasting(np.random.default_rng(0), alternatives=1))
    with pytest.raises(BadParameter, match="3 to 50 bins"):
        next(forecasting(np.random.default_rng(0), questions="quantities", bins=1))


@pytest.mark.parametrize(("bins", "expected"), [(0, {"crps_loss": 1.0, "quantile_loss": 0.5}), (3, {"crps_loss": 1.0})])
def test_quantities_left_out_count_the_largest_loss_and_say_nothing_of_bands(bins, expected):
    parameters = {"questions": "quantities", "bins": bins, "count": 4, "fixed": True}
    taken = take(forecasting, lambda ask: Refused("no"), seed=1, parameters=parameters)
    values = score_record(forecasting, taken.record, taken.truths).values
    assert {name: values[name].values.tolist() for name in expected} == {name: [x] * 4 for name, x in expected.items()}
    assert np.isnan(values["outside_band"].values).all()


def test_leaving_out_what_is_hard_loses_information():
    def picky(ask):
        answer = SUBJECTS["realistic"]()(ask)
        return answer if max(answer.values()) > 0.7 else Refused("too hard")

    everything = session("realistic").values
    taken = take(forecasting, picky, seed=7, parameters=forecasting.fill(LONG))
    values = score_record(forecasting, taken.record, taken.truths).values
    assert 0 < values["actual_information"] < everything["actual_information"]
    assert values["sorting_loss"] > everything["sorting_loss"]


def test_shares_that_nearly_sum_to_one_lie_within_exact_bounds():
    def nearly(ask):
        return dict(zip(ask.space.options, (0.4999999, 0.5), strict=True))

    taken = take(forecasting, nearly, seed=1, parameters={"count": 10, "fixed": True})
    found = score_record(forecasting, taken.record, taken.truths).values
    assert abs(found["perceived_information"]) < 1e-6
    declared = forecasting.declared_scores(taken.record.parameters)
    assert declared["perceived_information"].low == 0
    assert declared["quadratic_score"].low == -0.75
