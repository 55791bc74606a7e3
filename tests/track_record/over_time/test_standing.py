"""Revised forecasts: scores are averages over the planned time, calibration looks at scheduled moments."""

import json
import math

import numpy as np
import pytest
from click.testing import CliRunner

from mensura.cli.results.score import reporting
from mensura.errors import BadFile
from mensura.track_record.command import score
from mensura.track_record.over_time import standing


def write(tmp_path, rows, outcomes):
    (tmp_path / "f.csv").write_text("forecaster,question,option,probability,time\n" + "\n".join(rows) + "\n")
    (tmp_path / "o.csv").write_text("question,outcome,opened,resolved\n" + "\n".join(outcomes) + "\n")


def run(tmp_path, *options):
    files = ["--forecasts", str(tmp_path / "f.csv"), "--outcomes", str(tmp_path / "o.csv"), "--json"]
    result = CliRunner().invoke(reporting(score), [*files, *options], catch_exceptions=False)
    return json.loads(result.stdout)


def both(who, question, p, time):
    return [f"{who},{question},yes,{p},{time}", f"{who},{question},no,{1 - p},{time}"]


def test_score_is_the_average_over_the_planned_time_and_nothing_stands_for_ignorance(tmp_path):
    write(tmp_path, both("a", "q", 0.6, 2) + both("a", "q", 0.9, 6), ["q,yes,0,10"])
    (only,) = run(tmp_path)["forecasters"]
    assert only["score"]["value"] == pytest.approx((4 * math.log(1.2) + 4 * math.log(1.8)) / 10)
    assert only["coverage"] == pytest.approx(0.8)
    assert only["n"] == 1
    write(tmp_path, both("a", "q", 0.6, 2) + both("a", "q", 0.9, 6) + both("a", "open", 0.5, 16), [])
    (tmp_path / "o.csv").write_text("question,outcome,opened,closes,resolved\nq,yes,0,16,10\nopen,,16,40,\n")
    (early,) = run(tmp_path)["forecasters"]
    assert early["score"]["value"] == pytest.approx((4 * math.log(1.2) + 4 * math.log(1.8)) / 16)
    assert early["coverage"] == pytest.approx(0.8)


def test_dates_and_times_with_zones_are_understood(tmp_path):
    rows = both("a", "q", 0.6, "2024-01-01") + both("a", "q", 0.9, "2024-01-06T02:00:00+02:00")
    write(tmp_path, rows, ["q,yes,2024-01-01,2024-01-11"])
    (only,) = run(tmp_path)["forecasters"]
    assert only["score"]["value"] == pytest.approx((math.log(1.2) + math.log(1.8)) / 2)
    assert only["coverage"] == pytest.approx(1)


def test_a_forecast_after_resolution_is_refused_with_row_and_value(tmp_path):
    write(tmp_path, both("a", "q", 0.6, 2) + both("a", "q", 0.9, 11), ["q,yes,0,10"])
    with pytest.raises(BadFile, match=r"f\.csv, row 3 .*after question 'q' was resolved \(11 is after 10\)"):
        run(tmp_path)
    (only,) = run(tmp_path, "--skip-bad")["forecasters"]
    assert only["score"]["value"] == pytest.approx(0.8 * math.log(1.2))


def test_the_same_time_twice_is_a_duplicate_but_a_revision_is_not(tmp_path):
    write(tmp_path, both("a", "q", 0.6, 2) + both("a", "q", 0.9, 2), ["q,yes,0,10"])
    with pytest.raises(BadFile, match="a second time at the same time"):
        run(tmp_path)


def test_an_unreadable_time_is_named(tmp_path):
    write(tmp_path, both("a", "q", 0.6, "soon"), ["q,yes,2024-01-01,2024-01-11"])
    with pytest.raises(BadFile, match="time 'soon' cannot be read"):
        run(tmp_path)


def test_late_dates_are_shown_as_dates(tmp_path):
    write(tmp_path, both("a", "q", 0.6, "2024-02-01T12:00:00"), ["q,yes,2024-01-01,2024-01-11"])
    with pytest.raises(BadFile, match="2024-02-01T12:00:00 is after 2024-01-11"):
        run(tmp_path)


def test_a_question_resolved_before_it_opens_is_named(tmp_path):
    write(tmp_path, both("a", "q", 0.6, 2), ["q,yes,10,5"])
    with pytest.raises(BadFile, match=r"o\.csv, row 1 .*resolved before it opens"):
        run(tmp_path)


def test_without_a_time_of_resolution_the_last_forecast_counts(tmp_path):
    write(tmp_path, both("a", "q", 0.6, 2) + both("a", "q", 0.9, 6), ["q,yes,,"])
    result = run(tmp_path)
    assert result["forecasters"][0]["score"]["value"] == pytest.approx(math.log(1.8))
    assert result["forecasters"][0]["coverage"] is None
    assert any("last forecast of each counts" in note for note in result["notes"])


def test_calibration_uses_the_forecast_standing_at_each_scheduled_moment(tmp_path):
    rows = both("a", "q", 0.6, 0) + both("a", "q", 0.9, 6) + both("a", "r", 0.3, 0)
    write(tmp_path, rows, ["q,yes,0,10", "r,no,0,10"])
    realism = run(tmp_path, "--every", "2")["forecasters"][0]["realism"]
    # Moments 0, 2, 4 find .6 standing and 6, 8 find .9; all five find .3 for the other question.
    stated = np.repeat([0.6, 0.4, 0.9, 0.1, 0.3, 0.7], [3, 3, 2, 2, 5, 5])
    happened = np.repeat([1, 0, 1, 0, 0, 1], [3, 3, 2, 2, 5, 5])
    slope, intercept = np.polyfit(stated, happened, 1)
    assert realism["points"] == 20
    assert (realism["a"], realism["b"]) == (pytest.approx(slope), pytest.approx(intercept))


def test_early_resolution_of_what_comes_true_does_not_bias_a_realist(tmp_path):
    # Simulated: an event comes with chance 2 % a day for 60 days and then resolves the question at once.
    rng = np.random.default_rng(1)
    rows, outcomes = [], []
    for k in range(400):
        day = int(rng.geometric(0.02))
        happens = day <= 60
        end = day if happens else 60
        for t in range(0, end, 5):
            rows += both("a", f"q{k}", 1 - 0.98 ** (60 - t), t)
        outcomes.append(f"q{k},{'yes' if happens else 'no'},0,{end}")
    write(tmp_path, rows, outcomes)
    assert any("column 'closes'" in note for note in run(tmp_path)["notes"])
    realism = run(tmp_path, "--every", "5")["forecasters"][0]["realism"]
    assert realism["a"] == pytest.approx(1, abs=2.5 * realism["a_se"])
    assert realism["a_se"] < 0.15


def test_forecasts_before_opening_stand_from_the_opening_on(tmp_path):
    write(tmp_path, both("a", "q", 0.6, -5), ["q,yes,0,10"])
    (only,) = run(tmp_path)["forecasters"]
    assert only["coverage"] == pytest.approx(1)


def test_how_many_rows_a_block_holds_changes_nothing(tmp_path, monkeypatch):
    rng = np.random.default_rng(2)
    rows, outcomes = [], []
    for number in range(40):
        stated = np.append(rng.random(2), 0).round(2)
        for time, p in enumerate(stated):
            rows += both("a", f"q{number}", p, time)
        outcomes.append(f"q{number},{'yes' if rng.random() < stated[0] else 'no'},0,{3 + number % 5}")
    write(tmp_path, rows, outcomes)
    whole = run(tmp_path, "--floor", "0.01")
    monkeypatch.setattr(standing, "ROWS", 2)
    parts = run(tmp_path, "--floor", "0.01")
    assert whole["forecasters"][0]["impossible_that_happened"] > 5
    assert_alike(parts, whole)


def assert_alike(first, second):
    if isinstance(first, dict):
        assert first.keys() == second.keys()
        for key in first:
            assert_alike(first[key], second[key])
    elif isinstance(first, list):
        for one, other in zip(first, second, strict=True):
            assert_alike(one, other)
    else:
        assert first == (pytest.approx(second) if isinstance(second, float) else second)
