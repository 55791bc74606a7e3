import numpy as np
import pytest
from scipy.special import ndtr

from mensura.dialogue import Columns
from mensura.errors import BadData
from mensura.scores import rule
from mensura.track_record.files.book import Book
from mensura.track_record.files.scoring import read_files
from mensura.track_record.over_time.moments import standing_scores
from mensura.track_record.together.panel import Panel
from mensura.track_record.together.pooling import compare_pools, pool, track_record_weights
from mensura.track_record.together.ranking import compare_fairly, compare_scores


def simulate(rng, questions, noise, missing=0.0):
    """Simulate forecasters who see the true log-odds with noise of given size."""
    logits = rng.normal(0, 1.5, questions)
    outcomes = (rng.random(questions) < 1 / (1 + np.exp(-logits))).astype(int)
    stated = np.stack([1 / (1 + np.exp(-(logits + rng.normal(0, s, questions)))) for s in noise], axis=1)
    stated[rng.random(stated.shape) < missing] = np.nan
    return Panel.binary([f"f{k}" for k in range(len(noise))], stated, outcomes)


def test_skill_is_the_difference_of_means_when_all_answer_all():
    panel = simulate(np.random.default_rng(0), 300, [0.2, 1.5])
    scores = panel.scores(rule("quadratic"))
    found = compare_fairly(panel)
    difference = found.difference("f0", "f1")
    assert difference.value == pytest.approx(float((scores[:, 0] - scores[:, 1]).mean()))
    error = (scores[:, 0] - scores[:, 1]).std(ddof=1) / np.sqrt(300)
    assert (difference.high - difference.low) / 2 == pytest.approx(1.968 * error, rel=0.02)


def test_easy_questions_gain_nobody_anything():
    # Simulated: two equal forecasters; one answers only the easy half, a third connects them.
    rng = np.random.default_rng(1)
    logits = np.concatenate([rng.choice([-4.0, 4.0], 400), rng.normal(0, 0.3, 400)])
    outcomes = (rng.random(800) < 1 / (1 + np.exp(-logits))).astype(int)
    true = 1 / (1 + np.exp(-logits))
    stated = np.stack([true, true, true], axis=1)
    stated[400:, 0] = np.nan
    stated[:400, 1] = np.nan
    panel = Panel.binary(["easy", "hard", "all"], stated, outcomes)
    plain = np.nanmean(panel.scores(rule("quadratic")), axis=0)
    found = compare_fairly(panel)
    assert plain[0] - plain[1] > 0.2
    assert found.difference("easy", "hard").value == pytest.approx(0, abs=1e-9)


def test_volume_gains_nobody_anything():
    rng = np.random.default_rng(2)
    skills = []
    for _ in range(60):
        panel = simulate(rng, 400, [0.5, 0.5, 0.5])
        block = panel.blocks[0]
        block.probabilities[50:, 0] = np.nan
        skills.append(compare_fairly(panel).difference("f0", "f1").value)
    assert np.mean(skills) == pytest.approx(0, abs=3 * np.std(skills) / np.sqrt(60))


def test_intervals_cover_the_true_difference_at_about_the_nominal_rate():
    rng = np.random.default_rng(3)
    # The truth is found from many questions first.
    big = compare_fairly(simulate(rng, 200_000, [0.3, 1.0]))
    truth = big.difference("f0", "f1").value
    hits = 0
    for _ in range(300):
        found = compare_fairly(simulate(rng, 80, [0.3, 1.0, 0.6], missing=0.3)).difference("f0", "f1")
        hits += found.low <= truth <= found.high
    assert hits / 300 == pytest.approx(0.95, abs=0.04)


def test_forecasters_who_share_no_questions_cannot_be_compared():
    stated = np.array([[0.5, 0.6, np.nan, np.nan], [np.nan, np.nan, 0.4, 0.7]] * 5)
    found = compare_fairly(Panel.binary(list("abcd"), stated, np.tile([1, 0], 5)))
    assert np.isnan(found.difference("a", "c").value)
    assert "no questions connect them" in found.difference("a", "c").method
    assert not np.isnan(found.difference("a", "b").value)
    with pytest.raises(BadData, match="answered by two"):
        compare_fairly(Panel.binary(["a", "b"], np.array([[0.5, np.nan], [np.nan, 0.5]]), np.array([1, 0])))


def test_a_lucky_few_do_not_lead_the_table():
    rng = np.random.default_rng(4)
    lucky = best = 0
    for _ in range(40):
        panel = simulate(rng, 300, [0.3, 0.9, 0.9, 0.9])
        panel.blocks[0].probabilities[4:, 3] = np.nan
        first = compare_fairly(panel).standings[0]
        lucky += first.name == "f3"
        best += first.name == "f0" and first.shrunk > 0
    assert lucky <= 2
    assert best >= 36


def test_one_who_answered_alone_is_listed_as_unknown():
    stated = np.array([[0.5, 0.6, np.nan]] * 6 + [[np.nan, np.nan, 0.9]])
    found = compare_fairly(Panel.binary(list("abc"), stated, np.array([1, 0, 1, 0, 1, 0, 1])))
    assert found.standings[-1].name == "c"
    assert found.standings[-1].questions == 0


def test_difficulty_is_what_the_average_forecaster_scores():
    panel = simulate(np.random.default_rng(5), 50, [0.5, 0.5])
    found = compare_fairly(panel)
    np.testing.assert_allclose(found.difficulty, panel.scores(rule("quadratic")).mean(axis=1))


def test_infinite_scores_are_refused_with_a_remedy():
    panel = Panel.binary(["a", "b"], np.array([[0.0, 0.5]]), np.array([1]))
    with pytest.raises(BadData, match="quadratic rule, or by the logarithm with a floor"):
        compare_fairly(panel, scored=rule("log"))


def test_a_panel_takes_the_last_forecast_of_files(tmp_path):
    (tmp_path / "f.csv").write_text(
        "forecaster,question,option,probability,time\na,q,y,0.5,1\na,q,n,0.5,1\na,q,y,0.9,2\na,q,n,0.1,2\n"
        "b,q,y,0.6,1\nb,q,n,0.4,1\n"
    )
    (tmp_path / "o.csv").write_text("question,outcome\nq,y\n")
    panel = Panel.from_book(read_files(tmp_path / "f.csv", tmp_path / "o.csv"))
    assert panel.forecasters == ("a", "b")
    assert panel.blocks[0].probabilities[0, 0].tolist() == [0.1, 0.9]


def test_pools_of_equal_answers_are_that_answer():
    panel = Panel.binary(["a", "b", "c"], np.full((2, 3), 0.7), np.array([1, 0]))
    for method in ("mean", "median", "log-odds", "track record"):
        np.testing.assert_allclose(pool(panel.blocks[0], method=method)[:, 0], 0.7)
    assert pool(panel.blocks[0], method="extremised", exponent=2.0)[0, 0] == pytest.approx(0.49 / (0.49 + 0.09))


def test_missing_answers_do_not_count_in_any_pool():
    stated = np.array([[0.9, 0.7, np.nan]])
    panel = Panel.binary(["a", "b", "c"], stated, np.array([1]))
    assert pool(panel.blocks[0], method="mean")[0, 0] == pytest.approx(0.8)
    assert pool(panel.blocks[0], method="median")[0, 0] == pytest.approx(0.8)
    weights = np.array([0.0, 0.0, 1.0])
    assert pool(panel.blocks[0], method="track record", weights=weights)[0, 0] == pytest.approx(0.8)


def test_pooling_helps_out_of_sample_and_weights_find_the_expert():
    rng = np.random.default_rng(6)
    panel = simulate(rng, 600, [0.4, 1.6, 1.6, 1.6, 1.6], missing=0.1)
    found = {each.method: each for each in compare_pools(panel, rng=rng)}
    average = np.nanmean(panel.scores(rule("log", floor=0.01)))
    assert found["mean"].score.value > average
    assert found["track record"].against_mean.low > 0
    assert found["mean"].against_mean.value == 0
    assert set(found) == {"mean", "median", "log-odds", "extremised", "track record", "best forecaster"}


def test_extremising_helps_a_crowd_whose_members_each_know_a_part():
    # Simulated: everybody sees an independent part of the evidence and is realistic about it.
    rng = np.random.default_rng(7)
    parts = rng.normal(0, 0.8, (2000, 5))
    outcomes = (rng.random(2000) < 1 / (1 + np.exp(-parts.sum(axis=1)))).astype(int)
    panel = Panel.binary(list("abcde"), 1 / (1 + np.exp(-parts)), outcomes)
    found = {each.method: each for each in compare_pools(panel, rng=rng)}
    assert found["extremised"].against_mean.low > 0


def test_too_few_questions_to_fit_and_score_are_refused():
    panel = simulate(np.random.default_rng(8), 6, [0.5, 0.5])
    with pytest.raises(BadData, match="too few"):
        compare_pools(panel, rng=np.random.default_rng(0))


def test_equal_records_weigh_alike():
    assert track_record_weights(np.zeros((10, 3))).tolist() == [1, 1, 1]


def test_a_latecomer_is_compared_with_what_others_said_at_the_same_time():
    # Simulated: both know the same at any time, but the second speaks only when most of the evidence is in.
    rng = np.random.default_rng(2)
    questions, days = 200, 10
    evidence = np.cumsum(rng.normal(size=(questions, days)), axis=1)
    outcome = (evidence[:, -1] + rng.normal(0, 1, questions) > 0).astype(int)
    belief = ndtr(evidence / np.sqrt(days - 1 - np.arange(days) + 1))
    early = [(0, q, float(d), belief[q, d]) for q in range(questions) for d in range(days)]
    late = [(1, q, float(d), belief[q, d]) for q in range(questions) for d in range(7, days)]
    who, what, when, p = (np.array(column) for column in zip(*early, *late, strict=True))
    page = Columns(np.stack([p, 1 - p], axis=1), who, what, when, 1 - outcome[what], ["early", "late"])
    book = Book([page], np.zeros(questions), np.full(questions, float(days)))
    moments = standing_scores(book, every=1.0)
    assert moments.scores.shape == (questions * days, 2)
    assert np.nanmean(moments.scores[:, 1]) > np.nanmean(moments.scores[:, 0]) + 0.03
    found = compare_scores(["early", "late"], moments.scores, questions=moments.questions, weights=moments.weights)
    assert found.difference("early", "late").value == pytest.approx(0, abs=1e-9)


def test_moments_of_one_question_count_once_and_stand_or_fall_together():
    rng = np.random.default_rng(5)
    scores = rng.normal(size=(40, 3))
    plain = compare_scores(["a", "b", "c"], scores)
    repeated = compare_scores(["a", "b", "c"], np.repeat(scores, 7, axis=0), questions=np.repeat(np.arange(40), 7))
    for one, other in zip(plain.standings, repeated.standings, strict=True):
        assert (one.name, one.questions) == (other.name, other.questions)
        assert one.skill.value == pytest.approx(other.skill.value)
        assert one.skill.low == pytest.approx(other.skill.low)
    assert plain.difficulty == pytest.approx(repeated.difficulty)
