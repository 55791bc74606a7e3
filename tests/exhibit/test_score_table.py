"""Pictures and ranks of scores."""

from mensura.dialogue import Score
from mensura.exhibit.score_table import ScoreRow, ScoreTable, scores_exhibit
from mensura.stats import Estimate, without_interval


def test_a_score_without_bound_is_left_out_of_the_picture_and_said_in_its_words():
    sound = ScoreRow("sound", Estimate(0.5, 0.4, 0.6, 20, "t"), [0.4, 0.6])
    certain = ScoreRow("certain", without_interval(float("-inf"), n=20, reason="unbounded"), [float("-inf")])
    shown, unseen = Score("logarithmic_score", better="more"), Score("worse", better="more")
    assert not ScoreTable(unseen, [certain]).figures
    (picture,) = ScoreTable(shown, [sound, certain]).figures
    assert "certain: -∞" in picture.words
    assert picture.svg.startswith("<svg")
    rows = scores_exhibit([ScoreTable(shown, [sound, certain])]).rows
    assert [row[2] for row in rows] == ["0.50", "-∞"]


def test_the_declared_direction_says_who_is_best():
    rows = [ScoreRow(f"{value:g}", Estimate(value, 0, 3, 9, "t")) for value in (2.0, 0.5, 1.2, float("nan"))]
    for score, order in (
        (Score("s", better="more"), ["2", "1.2", "0.5"]),
        (Score("s", better="less"), ["0.5", "1.2", "2"]),
        (Score("s", best=1), ["1.2", "0.5", "2"]),
        (Score("s", better=None), ["2", "0.5", "1.2"]),
    ):
        assert [row.label for row in ScoreTable(score, rows).ranked] == order
