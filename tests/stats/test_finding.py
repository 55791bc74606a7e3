import json
from dataclasses import dataclass
from math import nan

import numpy as np

from mensura.stats import Estimate, Finding, paired_difference


@dataclass(frozen=True)
class Example(Finding):
    whole_score: Estimate
    parts: dict
    values: np.ndarray
    inner: Finding | None

    @property
    def sentence(self):
        return "A < B."


def test_json_holds_every_field_and_the_sentence():
    inner = Example(Estimate(1.0, 0.0, 2.0, 3, "t"), {}, np.array([]), None)
    found = Example(Estimate(0.5, nan, nan, 1, "none: one value"), {"a": (1, nan)}, np.array([1.0, nan]), inner)
    data = json.loads(json.dumps(found.as_json(), allow_nan=False))
    assert data["whole_score"]["low"] is None
    assert data["parts"] == {"a": [1, None]}
    assert data["values"] == [1.0, None]
    assert data["inner"]["whole_score"]["high"] == 2.0
    assert data["sentence"] == "A < B."


def test_printing_gives_the_sentence():
    found = paired_difference(first=[1, 2], second=[1, 2])
    assert str(found) == found.sentence


def test_a_notebook_shows_the_sentence_escaped_and_each_estimate():
    html = Example(Estimate(1.0, 0.0, 2.0, 3, "t"), {}, np.array([]), None)._repr_html_()
    assert "<p>A &lt; B.</p>" in html
    assert "<td>whole score</td>" in html
    assert "parts" not in html
