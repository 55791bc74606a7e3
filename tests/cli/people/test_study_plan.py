"""`mensura study new` and `check`: a plan from a template, and what it means."""

import json

from click.testing import CliRunner

from mensura.cli.main import cli


def test_a_plan_is_started_and_its_meaning_said(tmp_path):
    path = tmp_path / "plan.yaml"
    short, long = ("--condition", "short: flips=3"), ("--condition", "long: flips=9")
    made = CliRunner().invoke(cli, ["study", "new", "coin", *short, *long, "-n", "15", "-o", str(path)])
    assert made.exit_code == 0, made.output
    said = CliRunner().invoke(cli, ["study", "check", str(path), "--json"])
    view = json.loads(said.stdout)
    assert [cell["sessions"] for cell in view["cells"]] == [15, 15]
    assert view["sentences"][0] == "my-study takes coin-v1 in 2 cells."
    assert view["pages"] == ["Consent", "The first question"]


def test_a_mistake_is_named_with_its_line(tmp_path):
    path = tmp_path / "plan.yaml"
    path.write_text("name: a\ntest: coin\nhypotheses: none of them\ncasts: {people: human}\n")
    said = CliRunner().invoke(cli, ["study", "check", str(path)])
    assert said.exit_code == 1
    assert f"{path}:3: `hypotheses` is a list" in str(said.exception)


def test_a_dry_run_writes_the_report_and_no_store(tmp_path, monkeypatch):
    monkeypatch.setenv("MENSURA_STORE", str(tmp_path / "mensura.db"))
    path, report = tmp_path / "plan.yaml", tmp_path / "report.html"
    path.write_text("name: a\ntest: coin\nconditions: {few: {flips: 2}}\ncasts: {people: human}\n")
    said = CliRunner().invoke(cli, ["study", "dry-run", str(path), "-n", "3", "-o", str(report)])
    assert said.exit_code == 0, said.output
    assert "The subjects of this report are simulated." in report.read_text()
    assert not (tmp_path / "mensura.db").exists()
