"""The command line of the game: scores with control games, without them, and people's answers that were recorded."""

import json

import pytest
from click.testing import CliRunner

from mensura.cli.main import cli

SCORES = {
    "right", "control_right", "difference", "auc", "survival_median", "dprime", "criterion", "quadratic", "logarithmic",
    "rule70_p", "rule70_power", "worst_moment",
}  # fmt: skip
SAID = [
    ("How was your day?", "Fine, a little long."),
    ("What is the capital of France?", "Paris."),
    ("How many legs do two cats have together?", "Eight."),
    ("Are you a machine?", "No, and you?"),
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in "ab":
        rows = [{"game": game, "question": asked, "answer": said} for game in ("1", "2") for asked, said in SAID]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def run(*arguments):
    given = ["run", "imitation", *arguments, "--json"]
    result = CliRunner().invoke(cli, given)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


STANDARD = ("--form", "standard", "--as", "machine=eliza", "--as", "human=recorded:a.jsonl", "--as", "judge=keyword")


def test_a_run_with_control_games_has_all_scores(folder):
    found = run(*STANDARD, "--control", "machine=recorded:b.jsonl", "--sessions", "12", "--seed", "1")
    assert set(found["scores"]) >= SCORES
    for name in SCORES:
        one = found["scores"][name]
        assert {"value", "low", "high", "n", "method", "population"} <= set(one), name
    assert found["scores"]["right"]["n"] == found["scores"]["control_right"]["n"] == 12
    assert 0.1 < found["scores"]["control_right"]["value"] < 0.9
    assert found["scores"]["difference"]["value"] == pytest.approx(
        found["scores"]["control_right"]["value"] - found["scores"]["right"]["value"]
    )


def test_without_control_games_their_scores_are_null(folder):
    found = run(*STANDARD, "--sessions", "4", "--seed", "1")
    assert found["scores"]["control_right"] is None
    assert found["scores"]["difference"] is None
    assert found["scores"]["right"]["value"] == 1


def test_a_run_can_be_repeated(folder):
    first, second = (run(*STANDARD, "--sessions", "5", "--seed", "3")["scores"] for _ in range(2))
    assert first == second


def test_the_report_shows_the_games_with_their_control(folder):
    run(*STANDARD, "--control", "machine=recorded:b.jsonl", "--sessions", "6", "--seed", "1")
    result = CliRunner().invoke(cli, ["report", "last", "--out", "report.html"])
    assert result.exit_code == 0, result.output
    page = (folder / "report.html").read_text()
    for words in ("Judgement", "Sustained illusion", "Direct answers", "which are not people", "people in its place"):
        assert words in page, words


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("machine", "takes ROLE=SUBJECT"),
        ("machin=eliza", "There is no role called 'machin'"),
        ("machine=elisa", "There is no subject called 'elisa'"),
        ("machine=recorded:nowhere.jsonl", "nowhere.jsonl"),
    ],
)
def test_control_is_checked_before_anything_is_played(folder, given, words):
    result = CliRunner().invoke(cli, ["run", "imitation", *STANDARD, "--control", given])
    assert result.exit_code != 0
    assert words in f"{result.output}{result.exception}"


def test_one_subject_can_play_all_roles_but_the_host(folder):
    result = CliRunner().invoke(
        cli,
        ["run", "imitation", "--as", "machine=eliza", "--as", "keyword", "--form", "jury", "--jurors", "3", "--json"],
    )
    cast = json.loads(result.stdout)["subject"]
    assert cast["host"] == "host"
    assert cast["juror3"] == cast["human"] == "keyword"
