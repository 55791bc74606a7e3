import json

import numpy as np
import pytest

from mensura.catalog.forecasting.use.payoff import Contract, default_contract
from mensura.catalog.forecasting.use.track_record import (
    Entry,
    publishable,
    record_by,
    record_over_time,
    skill_by_echelon,
)
from mensura.errors import BadData, BadParameter
from mensura.scores import rule


@pytest.fixture
def entries():
    rng = np.random.default_rng(0)
    made = []
    for k in range(40):
        base = rng.normal(0.2, 0.1)
        for echelon, gain in (("field", 0.0), ("desk", 0.05), ("board", 0.05)):
            made.append(
                Entry(
                    f"secret-{k}",
                    f"agent-{k % 3}",
                    base + gain + rng.normal(0, 0.02),
                    area="north" if k < 30 else "south",
                    topic="tanks" if k < 4 else "votes",
                    echelon=echelon,
                    time=float(k),
                )
            )
    return made


def test_each_stage_shows_the_skill_it_adds(entries):
    field, desk, board = skill_by_echelon(entries, order=["field", "desk", "board"])
    assert field.added is None
    assert desk.added.low < 0.05 < desk.added.high
    assert desk.added.low > 0
    assert board.added.low < 0 < board.added.high


def test_an_unknown_echelon_is_named(entries):
    with pytest.raises(BadData, match="'moon'"):
        skill_by_echelon(entries, order=["field", "moon"])


def test_records_by_area_and_over_time_count_questions_not_forecasts(entries):
    north, south = record_by(entries, lambda entry: entry.area)
    assert (north.label, north.n, south.n) == ("north", 30, 10)
    periods = record_over_time(entries, length=20)
    assert [cell.label for cell in periods] == ["0 to 20", "20 to 40"]
    assert [cell.n for cell in periods] == [20, 20]


def test_what_is_published_names_no_question_no_source_and_no_small_cell(entries):
    text = json.dumps(publishable(record_by(entries, lambda entry: entry.topic)))
    assert "secret" not in text
    assert "agent" not in text
    small = next(cell for cell in json.loads(text) if cell["label"] == "tanks")
    assert small["score"] is None
    assert small["n"] == "fewer than 10"


def test_payoffs_are_proportional_to_score_and_shown_before_answering():
    contract = Contract(rule("quadratic"), rate=10, base=5)
    table = contract.table({"a": 0.5, "b": 0.3, "c": 0.2})
    assert table["a"] == pytest.approx(5 + 10 * 0.143333, abs=1e-5)
    assert contract.pay(2.0) - contract.pay(1.0) == pytest.approx(contract.pay(1.0) - contract.pay(0.0))
    assert default_contract().table({"a": 1.0, "b": 0.0})["b"] == pytest.approx(100 * np.log(0.02))


def test_contracts_that_would_corrupt_are_refused():
    with pytest.raises(BadParameter, match="improper"):
        Contract(rule("absolute"))
    with pytest.raises(BadParameter, match="positive"):
        Contract(rule("log"), rate=0)
