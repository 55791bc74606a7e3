import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from mensura.catalog.forecasting.phrase_readings.command import score
from mensura.catalog.forecasting.phrase_readings.dialogue import phrase_readings
from mensura.cli.results.score import reporting
from mensura.errors import BadFile, UnknownName
from mensura.running.check import CheckOptions, check_test
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take

GOLDEN = Path(__file__).parents[3] / "golden"


def run(*options):
    return CliRunner().invoke(reporting(score), list(options), catch_exceptions=False)


def test_probabilities_become_words_and_words_probabilities():
    found = json.loads(run("--probability", "0.61", "--phrase", "it is probable that", "--json").stdout)
    assert found["probabilities"][0]["words"] == "It is probable that"
    assert found["probabilities"][0]["information_lost"] > 0
    assert (found["phrases"][0]["low"], found["phrases"][0]["high"]) == (0.6, 0.85)
    assert "It is probable that" in run("--probability", "0.61").stdout
    with pytest.raises(UnknownName):
        run("--phrase", "perhaps")


def test_without_options_the_chart_itself_is_shown():
    text = run().stdout
    assert (text.count("%"), text.count("itself")) == (12, 2)


def test_another_chart_can_be_brought(tmp_path):
    (tmp_path / "chart.csv").write_text("low,high,phrase\n0,0.5,no\n0.5,1,yes\n")
    result = run("--probability", "0.5", "--chart", str(tmp_path / "chart.csv"), "--json")
    assert json.loads(result.stdout)["probabilities"][0]["words"] == "yes"


def test_readings_show_their_spread_and_what_the_median_reader_loses(tmp_path):
    rows = [f"It is probable that,{p}" for p in (0.5, "65%", 0.7, 0.9)] + ["maybe,0.4"]
    (tmp_path / "r.csv").write_text("\n".join(["phrase,probability", *rows]) + "\n")
    result = run("--readings", str(tmp_path / "r.csv"), "--report", str(tmp_path / "words.html"), "--json")
    probable, maybe = json.loads(result.stdout)["readings"]
    assert probable["n"] == 4
    assert probable["median"] == pytest.approx(0.675)
    assert probable["outside_the_chart"]["value"] == 0.5
    assert probable["outside_the_chart"]["low"] < 0.5
    assert maybe["outside_the_chart"] is None
    page = (tmp_path / "words.html").read_text()
    assert "<svg" in page
    assert "not on the chart" in page


@pytest.mark.parametrize("row", ["It is probable that,1.5", "It is probable that,", ",0.5", "x,y"])
def test_bad_readings_are_named_with_their_row(tmp_path, row):
    (tmp_path / "r.csv").write_text(f"phrase,probability\nx,0.1\n{row}\n")
    with pytest.raises(BadFile, match="row 2"):
        run("--readings", str(tmp_path / "r.csv"))


def test_readings_are_collected_by_a_test_of_their_own():
    check_test(phrase_readings, options=CheckOptions(golden=GOLDEN)).require()
    taken = take(phrase_readings, lambda ask: 0.7, seed=1)
    scores = score_record(phrase_readings, taken.record, taken.truths)
    assert scores.values["reading"].values.tolist() == [0.7] * 7
    assert scores.values["outside_chart"].values.sum() == 6
    prompts = [answer.key for answer in taken.record.answers]
    assert "It is probable that ... not" in prompts


def test_sentences_that_deny_say_not_in_the_right_place():
    seen = []
    take(phrase_readings, lambda ask: seen.append(ask.prompt) or 0.5, seed=1)
    assert "*It is probable that the dam at Arcot will not be finished by the end of next year.*" in seen


def test_exported_answers_are_readings(tmp_path):
    (tmp_path / "answers.csv").write_text(
        "session,key,status,value\ns,It is probable that,answered,0.6\ns,It is probable that,refused,\n"
    )
    found = json.loads(run("--readings", str(tmp_path / "answers.csv"), "--json").stdout)
    assert found["readings"][0]["n"] == 1


def test_one_half_of_a_percent_is_almost_certain_not_to_happen():
    text = run("--probability", "0.005", "--probability", "0").stdout
    assert "0.005: It is almost certain that ... not" in text
    assert "0: It is impossible that ... (0.0000 nats lost where it is read as 0%)" in text
