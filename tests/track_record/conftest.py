"""Forecasts of two people and what happened, in files."""

import pytest

FORECASTS = """forecaster,question,option,probability
ada,q1,yes,0.8
ada,q1,no,0.2
ada,q2,yes,0.4
ada,q2,no,0.6
bob,q1,yes,0.5
bob,q1,no,0.5
"""


OUTCOMES = """question,outcome
q1,yes
q2,no
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "f.csv").write_text(FORECASTS)
    (tmp_path / "o.csv").write_text(OUTCOMES)
    return tmp_path
