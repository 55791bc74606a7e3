import json

from click.testing import CliRunner

from mensura.cli.results.score import reporting
from mensura.track_record.command import generate, score
from mensura.track_record.files.simulation import FORECASTERS


def test_simulated_files_are_scored_and_known_biases_are_seen(tmp_path):
    runner = CliRunner()
    made = runner.invoke(generate, ["--to", str(tmp_path), "--questions", "300", "--seed", "3"], catch_exceptions=False)
    assert "Next: mensura score forecasting" in made.stderr
    files = ["--forecasts", str(tmp_path / "forecasts.csv"), "--outcomes", str(tmp_path / "outcomes.csv")]
    found = json.loads(runner.invoke(reporting(score), [*files, "--json"], catch_exceptions=False).stdout)
    by_name = {each["name"]: each for each in found["forecasters"]}
    assert set(by_name) == set(FORECASTERS)
    assert by_name["overvaluer"]["bias"] == "overvalues"
    assert by_name["undervaluer"]["bias"] == "undervalues"
    assert by_name["realist"]["score"]["value"] == max(each["score"]["value"] for each in by_name.values())
    assert by_name["ignorant"]["score"]["value"] == 0


def test_the_same_seed_writes_the_same_files(tmp_path):
    for folder in ("a", "b"):
        CliRunner().invoke(generate, ["--to", str(tmp_path / folder), "--seed", "1", "--questions", "5"])
    assert (tmp_path / "a/forecasts.csv").read_text() == (tmp_path / "b/forecasts.csv").read_text()
