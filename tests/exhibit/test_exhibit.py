"""Exhibits say the same in words, as JSON and as pictures."""

from mensura.exhibit import Exhibit, Figure
from mensura.stats import Estimate

HALF = Estimate(0.5, 0.25, 0.75, 12, "exact")


def test_a_table_writes_what_is_unknown_as_a_dash_and_an_estimate_with_its_interval():
    shown = Exhibit("Scores", "Words.", ("who", "score"), [("a", HALF), ("b", None)])
    assert shown.lines == [["a", "0.50 (0.25 to 0.75)"], ["b", "–"]]
    assert shown.as_json()["rows"][0][1]["n"] == 12


def test_a_picture_is_made_only_when_it_is_drawn():
    made = []

    def chart():
        import altair

        made.append(True)
        return altair.Chart(altair.InlineData([{"x": 1}])).mark_point().encode(x="x:Q")

    figure = Figure(chart, "One point.")
    assert not made
    assert figure.svg.startswith("<svg")
    assert figure.svg
    assert made == [True]
