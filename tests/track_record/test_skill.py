import numpy as np
import pytest

from mensura.errors import BadData
from mensura.track_record.skill import Filed, TrackRecord, record_by, record_over_time, skill_by_echelon

ECHELONS = ("field", "desk", "board")


@pytest.fixture
def echelons():
    rng = np.random.default_rng(0)
    scores = []
    for _ in range(40):
        base = rng.normal(0.2, 0.1)
        scores.append([base + gain + rng.normal(0, 0.02) for gain in (0.0, 0.05, 0.05)])
    return {name: Filed(np.arange(40), column) for name, column in zip(ECHELONS, np.array(scores).T, strict=True)}


@pytest.fixture
def filed(echelons):
    return Filed(np.tile(np.arange(40), 3), np.concatenate([one.scores for one in echelons.values()]))


def test_each_stage_shows_the_skill_it_adds(echelons):
    field, desk, board = skill_by_echelon(echelons)
    assert field.added is None
    assert desk.added.low < 0.05 < desk.added.high
    assert desk.added.low > 0
    assert board.added.low < 0 < board.added.high


def test_an_unknown_echelon_is_named(echelons):
    with pytest.raises(BadData, match="'moon'"):
        skill_by_echelon(echelons | {"moon": Filed(np.empty(0, int), np.empty(0))})


def test_records_by_area_and_over_time_count_questions_not_forecasts(filed):
    north, south = record_by(filed, ["north"] * 30 + ["south"] * 10)
    assert (north.label, north.n, south.n) == ("north", 30, 10)
    periods = record_over_time(filed, np.arange(40.0), length=20)
    assert [cell.label for cell in periods] == ["0 to 20", "20 to 40"]
    assert [cell.n for cell in periods] == [20, 20]


def test_what_is_published_tells_of_no_small_cell(filed):
    record = TrackRecord("log", 40, {"topic": record_by(filed, ["tanks"] * 4 + ["votes"] * 36)})
    small = next(cell for cell in record.as_json()["topic"] if cell["label"] == "tanks")
    assert small["score"] is None
    assert small["n"] == "fewer than 10"
    assert ["tanks", "too few to be told", None] in record.exhibits()[0].rows
