"""Real forecasts: FiveThirtyEight's checking-our-work data (CC BY 4.0) and ForecastBench (CC BY-SA 4.0)."""

import csv
import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

from mensura.report.files import file_report
from mensura.report.page import html_page
from mensura.scores import brier_loss, rule
from mensura.track_record.calibration.diagnosis import diagnose
from mensura.track_record.calibration.sheet import Sheet
from mensura.track_record.file_scores import forecast_scores
from mensura.track_record.files.scoring import look_further, read_files, score_book

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data" / "forecasts"
# Its licence is not beside it, so it does not travel with the repository.
ELO = ROOT.parent / "shared" / "data" / "forecasts" / "fivethirtyeight_nfl_elo" / "nfl_games.csv"


def games(name):
    rows = list(csv.DictReader((DATA / "fivethirtyeight_checking" / name).open()))
    return np.array([float(row["prob1"]) for row in rows]), np.array([float(row["prob1_outcome"]) for row in rows])


def test_basketball_games_have_the_published_count_and_loss():
    p, y = games("nba_games.csv")
    assert len(p) == 8886
    assert brier_loss(forecast=p, outcome=y).mean() == pytest.approx(0.2147, abs=5e-5)


def test_basketball_model_overstates_the_first_team_and_is_nearly_realistic():
    found = diagnose(Sheet.binary(*games("nba_games.csv")), name="NBA")
    assert found.score.low > 0
    assert found.realism.a == pytest.approx(0.93, abs=0.05)
    assert "States too much on the whole" in found.verdict.words
    assert found.discrimination.area.value > 0.68


def test_markets_of_forecastbench_have_the_published_count_and_loss():
    folder = DATA / "forecastbench"
    questions = json.loads((folder / "2025-10-26-llm.json").read_text())["questions"]
    known = {(str(q["id"]), q["source"]): q["freeze_datetime_value"] for q in questions}
    markets = ("manifold", "metaculus", "polymarket", "infer")
    pairs = [
        (float(known[str(r["id"]), r["source"]]), float(r["resolved_to"]))
        for r in json.loads((folder / "2025-10-26_resolution_set.json").read_text())["resolutions"]
        if r["resolved"] and r["source"] in markets and (str(r["id"]), r["source"]) in known
    ]
    p, y = np.array(pairs).T
    assert len(p) == 112
    assert brier_loss(forecast=p, outcome=y).mean() == pytest.approx(0.0435, abs=5e-5)
    assert set(np.unique(y)) == {0, 1}


def test_three_way_matches_are_scored_over_all_alternatives():
    rows = list(csv.DictReader((DATA / "fivethirtyeight_checking" / "world_cup_matches_men.csv").open()))
    names = ("prob1", "probtie", "prob2")
    p = np.array([[float(row[name]) for name in names] for row in rows])
    y = np.array([[float(row[f"{name}_outcome"]) for name in names] for row in rows])
    whole = (np.abs(p.sum(axis=1) - 1) < 1e-6) & (y.sum(axis=1) == 1) & (p[:, 1] > 0)
    sheet = Sheet.alternatives(p[whole], y[whole].argmax(axis=1))
    found = diagnose(sheet)
    assert found.n == whole.sum() >= 90
    assert found.score.low > 0
    assert found.realism.a + 3 * found.realism.b == pytest.approx(1)


@pytest.fixture(scope="module")
def elections(tmp_path_factory):
    """The election models, revised day by day."""
    spec = importlib.util.spec_from_file_location("example", ROOT / "examples" / "forecasting_report.py")
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    folder = tmp_path_factory.mktemp("elections")
    example.elections(DATA / "fivethirtyeight_checking" / "governors_elections.csv", folder)
    return read_files(folder / "f.csv", folder / "o.csv")


def test_forecasts_that_do_not_sum_to_one_are_all_found(elections):
    assert len(elections.bad) == 49
    assert all("sum to" in row.problem for row in elections.bad)


def test_election_models_are_scored_over_time_and_compared_on_equal_terms(elections):
    scored = score_book(elections, skip_bad=True)
    look_further(scored, elections, compare=True, periods=3)
    by_name = {diagnosis.name: diagnosis for diagnosis in scored.diagnoses}
    assert set(by_name) == {"lite", "classic", "deluxe", "only"}
    assert {by_name[name].n for name in ("lite", "classic", "deluxe")} == {72}
    assert all(diagnosis.coverage > 0.98 for diagnosis in scored.diagnoses)
    assert all(diagnosis.score.low > 0.4 for diagnosis in scored.diagnoses)
    last = {standing.name: standing for standing in scored.together.comparison.standings}
    assert last["only"].questions == 0
    assert scored.together.comparison.difference("classic", "lite").value > 0
    assert {pooled.method for pooled in scored.together.pools} >= {"mean", "median", "extremised"}
    assert set(scored.persistence) == set(by_name)


def test_the_report_on_elections_is_one_page_a_decision_maker_can_read(elections):
    scored = score_book(elections, skip_bad=True)
    look_further(scored, elections, compare=True, periods=3)
    found = forecast_scores(scored)
    page = html_page(file_report(found))
    totals = sum(len(diagnosis.total.curve[0]) > 1 for diagnosis in scored.diagnoses)
    assert totals
    assert sum(len(exhibit.figures) for exhibit in found.exhibits) == 4 + 2 * 4 + 4 + totals
    assert page.count("<svg") >= 16 + totals
    assert totals == 4
    for words in (
        "Nobody is shown to be best",
        "is not shown to be better",
        "On equal terms",
        "Pools of all forecasters",
        "Forecasts over time",
        "49 bad rows",
    ):
        assert words in page


@pytest.mark.skipif(not ELO.exists(), reason="the Elo forecasts are not at ../shared/data/forecasts")
def test_football_ratings_over_a_century_are_realistic():
    rows = list(csv.DictReader(ELO.open()))
    decided = [row for row in rows if row["result1"] in ("0", "1", "0.0", "1.0")]
    assert len(rows) == 16_810
    p = np.array([float(row["elo_prob1"]) for row in decided])
    y = np.array([float(row["result1"]) for row in decided])
    found = diagnose(Sheet.binary(p, y))
    assert found.score.low > 0.05
    assert found.realism.a == pytest.approx(1, abs=0.1)
    assert found.total.method.startswith("inversion")
    assert found.total.error < 0.002
    assert found.scores["quadratic"].value == pytest.approx(
        float(rule("quadratic").score(forecast=np.stack([p, 1 - p], 1), outcome=1 - y).mean())
    )
