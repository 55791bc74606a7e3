"""One shell around every scorer of files."""

import json

import click
import pytest
from click.testing import CliRunner

from mensura.cli.results.score import reporting
from mensura.dialogue import Score, Scores
from mensura.exhibit import Exhibit, FileScores, Group
from mensura.stats import Estimate


@click.command("sums")
def scorer():
    """Score sums."""
    return FileScores(
        "Sums",
        "Anna is right in 3 of 4 sums.",
        [Score("right", "more", low=0, high=1, label="share right")],
        [Group("Anna", "", {}, [Scores({"right": 0.75})], estimates={"right": Estimate(0.75, 0.3, 0.95, 4, "Wilson")})],
        [Exhibit("By kind", "Division is hard.", ("kind", "right"), [("division", 0.5)])],
        ["1 line was refused: no number in line 5."],
        {"sums.csv": "abc123"},
    )


def test_a_scorer_only_returns_what_it_found_and_the_shell_prints_it():
    done = CliRunner().invoke(reporting(scorer), [])
    assert done.exit_code == 0, done.output
    table = ("share right", "0.30 to 0.95", "By kind", "division")
    for words in ("Anna is right in 3 of 4", *table, "1 line was refused"):
        assert words in done.output
    assert "--report report.html" in done.stderr


def test_json_is_all_that_stands_on_stdout():
    done = CliRunner().invoke(reporting(scorer), ["--json"])
    data = json.loads(done.stdout)
    assert data["scores"]["Anna"]["right"]["n"] == 4
    assert data["sources"] == {"sums.csv": "abc123"}


@pytest.mark.parametrize("name", ["report.html", "report.md"])
def test_the_one_report_shows_answer_scores_exhibits_and_what_was_refused(name, tmp_path):
    done = CliRunner().invoke(reporting(scorer), ["--report", str(tmp_path / name)])
    assert done.exit_code == 0, done.output
    page = (tmp_path / name).read_text()
    for words in ("Anna is right in 3 of 4 sums.", "share right", "Division is hard.", "1 line was refused", "abc123"):
        assert words in page
