import json
from math import nan

from mensura.stats import Estimate, without_interval


def test_an_unknown_value_is_printed_as_unknown():
    assert str(Estimate(nan, nan, nan, 0, "none: no values")) == "unknown (n=0)"


def test_unknown_numbers_are_null_in_json():
    estimate = without_interval(0.5, n=1, reason="one value")
    assert json.loads(json.dumps(estimate.as_json(), allow_nan=False)) == {
        "value": 0.5,
        "low": None,
        "high": None,
        "n": 1,
        "method": "none: one value",
        "population": "",
        "note": "",
    }


def test_an_unknown_interval_excludes_nothing():
    assert not without_interval(5.0, n=1, reason="one value").excludes(0)
    assert Estimate(5.0, 4.0, 6.0, 9, "t").excludes(0)
    assert not Estimate(5.0, 4.0, 6.0, 9, "t").excludes(6)


def test_a_notebook_shows_value_interval_n_and_an_escaped_method():
    html = Estimate(0.5, 0.4, 0.6, 20, "<b>t</b>")._repr_html_()
    assert "<b>0.50</b> [0.40, 0.60]" in html
    assert "n = 20, &lt;b&gt;t&lt;/b&gt;" in html


def test_a_notebook_says_what_is_not_known():
    assert "no error estimate" in without_interval(0.5, n=1, reason="one value")._repr_html_()
    assert "unknown" in without_interval(nan, n=0, reason="no values")._repr_html_()
