import re

import numpy as np
import pytest

from mensura.exhibit.look import as_svg
from mensura.scores import rule
from mensura.track_record import figures
from mensura.track_record.calibration.diagnosis import diagnose
from mensura.track_record.calibration.sheet import Sheet
from mensura.track_record.quantities.coverage import pit_histogram


@pytest.fixture(scope="module")
def found():
    rng = np.random.default_rng(0)
    p = rng.random(400)
    return diagnose(Sheet.binary(p, (rng.random(400) < p).astype(float)), name="Ada")


def test_the_validity_graph_holds_counts_bands_diagonal_line_and_steps(found):
    chart = figures.validity_chart(found.calibrated.points(), line=found.realism, title="T").to_dict()
    marks = [layer["mark"]["type"] for layer in chart["layer"]]
    assert marks == ["line", "bar", "rule", "circle", "text", "line", "line"]
    rows = chart["layer"][1]["data"]["values"]
    assert sum(row["count"] for row in rows) == 400
    assert all(row["band_low"] <= row["stated"] <= row["band_high"] for row in rows)


def test_the_realism_line_stays_inside_the_square():
    steep = Sheet.binary([0.45, 0.55] * 40, [0, 1] * 40)
    chart = figures.validity_chart(steep.points(), line=diagnose(steep).realism).to_dict()
    ends = chart["layer"][-1]["data"]["values"]
    assert all(-1e-6 <= end["y"] <= 1 + 1e-6 for end in ends)


@pytest.mark.parametrize("name", ["score_chart", "loss_chart", "information_chart"])
def test_charts_of_several_forecasters_name_them(found, name):
    drawn = as_svg(getattr(figures, name)([found], title="Title"))
    assert drawn.startswith("<svg")
    assert "Ada" in drawn


def test_figure_7_of_the_report_is_drawn():
    rules = {"log": rule("log", normalised=True), "quadratic": rule("quadratic", normalised=True)}
    gains = figures.gain_chart(rules | {"absolute": rule("absolute")}).to_dict()["data"]["values"]
    at = {(row["rule"], row["belief"]): row["gain"] for row in gains}
    assert at["absolute", 0.75] == pytest.approx(0.5)
    assert at["quadratic", 0.75] == pytest.approx(0.25)
    assert at["log", 0.5] == pytest.approx(0)


def test_a_probability_is_drawn_over_time_until_resolution():
    chart = figures.timeline_chart({"A": [(0, 0.4), (5, 0.9)], "B": [(2, 0.5)]}, resolved=10, outcome=1.0)
    rows = chart.to_dict()["layer"][0]["data"]["values"]
    assert {(row["time"], row["probability"]) for row in rows if row["forecaster"] == "A"} == {
        (0, 0.4),
        (5, 0.9),
        (10, 0.9),
    }
    assert re.match("<svg", as_svg(chart))


def test_discrimination_and_pit_are_drawn(found):
    assert as_svg(figures.discrimination_chart(found)).startswith("<svg")
    assert as_svg(figures.pit_chart(pit_histogram(np.random.default_rng(1).random(100)))).startswith("<svg")
