import json
import math

import pytest
from click.testing import CliRunner

from mensura.cli.results.score import reporting
from mensura.errors import BadParameter, UnknownName
from mensura.track_record.appraisal.command import score
from mensura.track_record.command import generate


def run(*options):
    return CliRunner().invoke(reporting(score), list(options), catch_exceptions=False)


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    folder = tmp_path_factory.mktemp("record")
    CliRunner().invoke(generate, ["--to", str(folder), "--seed", "1", "--questions", "80"], catch_exceptions=False)
    return ["--forecasts", str(folder / "forecasts.csv"), "--outcomes", str(folder / "outcomes.csv")]


def test_a_report_is_appraised_against_what_was_believed():
    found = json.loads(run("--believed", "0.9,0.1", "--said", "0.2,0.8", "--json").stdout)
    assert found["appraisal"] == pytest.approx(0.9 * math.log(0.4) + 0.1 * math.log(1.6))
    assert found["fit"] == "definite and at variance"
    assert found["flag"] == ""
    assert found["admiralty"]["code"] == "F5"


def test_a_reliable_source_strongly_at_variance_is_flagged(record):
    result = run("--believed", "0.9,0.1", "--said", "0.1,0.9", *record, "--source", "realist")
    assert "ATTENTION: reliable source, strongly at variance." in result.stdout
    found = json.loads(
        run("--believed", "0.9,0.1", "--said", "0.1,0.9", *record, "--source", "realist", "--json").stdout
    )
    assert found["admiralty"]["code"][0] in "AB"
    assert found["source"]["realism"]["a"] == pytest.approx(1, abs=0.2)
    with pytest.raises(UnknownName, match="realist"):
        run("--believed", "0.9,0.1", "--said", "0.1,0.9", *record, "--source", "realst")


def test_a_report_that_suits_a_known_deceiver_is_suspicious():
    found = json.loads(run("--believed", ".3,.7", "--said", ".9,.1", "--deception", ".8,.2", "--json").stdout)
    assert found["coherence"]["suspicious"] is True
    assert found["coherence"]["with_deception"] > found["coherence"]["with_all_channels"]


def test_codes_are_read_as_realism_and_appraisal():
    (found,) = json.loads(run("--code", "b2", "--json").stdout)["codes"]
    assert found["realism_slope"] == {"low": 0.75, "high": 0.9}
    assert "Usually reliable" in run("--code", "B2").stdout
    assert "below" in run("--code", "E5").stdout
    json.loads(run("--code", "E5", "--code", "A1", "--json").stdout, parse_constant=pytest.fail)


def test_what_is_missing_or_no_number_is_said():
    with pytest.raises(BadParameter, match="--believed and --said"):
        run()
    with pytest.raises(BadParameter, match="separated by commas"):
        run("--believed", "a,b", "--said", "0.5,0.5")


def test_a_bold_report_that_suits_the_deceiver_better_than_all_channels_is_suspicious():
    found = json.loads(run("--believed", ".3,.7", "--said", ".99,.01", "--deception", ".8,.2", "--json").stdout)
    # Both appraisals are negative, because the report is bolder than either; only their order matters (R-1185, p. 31).
    assert found["coherence"]["with_deception"] == pytest.approx(0.8 * math.log(1.98) + 0.2 * math.log(0.02))
    assert found["coherence"]["suspicious"] is True
    text = run("--believed", ".3,.7", "--said", ".99,.01", "--deception", ".8,.2").stdout
    assert "-0.236" in text
    assert "may be controlled" in text
    assert "does not fit" not in text


def test_a_source_that_states_23_points_too_much_is_not_completely_reliable(tmp_path):
    # Simulated: at each of ten levels the truth happens 23 points less often than is stated, so that the slope is one.
    rows = [
        f"f,q{step}-{k},{0.25 + step / 20 + 0.23:.2f},{int((k + 0.5) / 100 < 0.25 + step / 20)}"
        for step in range(10)
        for k in range(100)
    ]
    (tmp_path / "f.csv").write_text("\n".join(["forecaster,question,probability,outcome", *rows]) + "\n")
    options = ["--believed", "0.9,0.1", "--said", "0.1,0.9", "--forecasts", str(tmp_path / "f.csv")]
    found = json.loads(run(*options, "--json").stdout)
    assert found["source"]["realism"]["a"] == pytest.approx(1, abs=0.02)
    assert found["reliable"] is False
    assert found["admiralty"]["source"] == "Not usually reliable"
    assert found["flag"] == ""
    assert "ATTENTION" not in run(*options).stdout
