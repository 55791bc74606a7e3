"""Pictures of scores."""

from mensura.dialogue import Score
from mensura.report.content import ScoreRow, ScoreTable
from mensura.report.figures import figures_of
from mensura.stats import Estimate, without_interval


def test_a_score_without_bound_is_left_out_of_the_picture_and_said_in_its_words():
    sound = ScoreRow("sound", "run-1", Estimate(0.5, 0.4, 0.6, 20, "t"), [0.4, 0.6])
    certain = ScoreRow("certain", "run-2", without_interval(float("-inf"), n=20, reason="unbounded"), [float("-inf")])
    shown, unseen = Score("logarithmic_score", better="more"), Score("worse", better="more")
    pictures = figures_of([ScoreTable(shown, [sound, certain]), ScoreTable(unseen, [certain])])
    assert list(pictures) == ["logarithmic_score"]
    assert "certain: -inf" in pictures["logarithmic_score"].words
    assert pictures["logarithmic_score"].svg.startswith("<svg")
