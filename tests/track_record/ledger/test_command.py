import json

import pytest
from click.testing import CliRunner

from mensura.cli.results.score import reporting
from mensura.errors import BadData, BadParameter, Invalid
from mensura.track_record.ledger.command import command, score

DRAFT = ("--text", "Rain at Kew by 1 March?", "--deadline", "2026-03-01", "--resolving", "Kew gauge, read by Ruth")


@pytest.fixture
def ledger(tmp_path):
    def do(*words):
        scoring = words[0] == "score"
        verb, rest = (reporting(score), words[1:]) if scoring else (command, words)
        return CliRunner().invoke(verb, [*rest, "--ledger", str(tmp_path / "ledger.db")], catch_exceptions=False)

    do("enter", "ruth", "--role", "requester")
    for name in ("ada", "bob"):
        do("enter", name, "--role", "forecaster")
    return do


@pytest.fixture
def rain(ledger):
    ledger("draft", "rain", "--who", "ruth", *DRAFT, "--option", "yes", "--option", "no", "--at", "2026-01-01")
    ledger("open", "rain", "--who", "ruth", "--at", "2026-01-01")
    ledger("forecast", "rain", "yes=60", "no=40", "--who", "ada", "--at", "2026-01-01")
    ledger("forecast", "rain", "yes=90%", "no=10%", "--who", "ada", "--at", "2026-01-06", "--why", "models agree")
    ledger("forecast", "rain", "yes=50", "no=50 %", "--who", "bob", "--at", "2026-01-06")
    return ledger


def test_a_question_lives_from_draft_to_resolution_with_who_when_and_why(rain):
    rain("resolve", "rain", "yes", "--who", "ruth", "--why", "gauge read", "--at", "2026-01-11")
    told = json.loads(rain("show", "rain", "--json").stdout)
    assert told["state"] == "resolved"
    kinds = [(event["kind"], event["who"], event["why"]) for event in told["history"]]
    assert kinds[0] == ("drafted", "ruth", "")
    assert ("forecast", "ada", "models agree") in kinds
    assert kinds[-1] == ("resolved", "ruth", "gauge read")
    coverage = {score["forecaster"]: score["coverage"] for score in told["scores"]}
    assert coverage == {"ada": pytest.approx(1), "bob": pytest.approx(0.5)}
    assert told["deadline"] == "2026-03-01 23:59"


def test_resolving_anew_replaces_every_score_and_annulling_removes_them(rain):
    rain("resolve", "rain", "yes", "--who", "ruth", "--why", "gauge read", "--at", "2026-01-11")
    first = json.loads(rain("show", "rain", "--json").stdout)["scores"]
    rain("resolve", "rain", "no", "--who", "ruth", "--why", "it leaked", "--as-of", "2026-01-11")
    second = json.loads(rain("show", "rain", "--json").stdout)["scores"]
    assert {score["forecaster"] for score in first} == {score["forecaster"] for score in second}
    assert next(s["value"] for s in first if s["forecaster"] == "ada") > 0
    assert next(s["value"] for s in second if s["forecaster"] == "ada") < 0
    rain("annul", "rain", "--who", "ruth", "--why", "no gauge")
    assert json.loads(rain("show", "rain", "--json").stdout)["scores"] == []


@pytest.mark.parametrize(
    ("words", "error", "match"),
    [
        (
            ("draft", "x", "--who", "ruth", "--text", "X?", "--option", "a", "--option", "b"),
            BadParameter,
            "no deadline",
        ),
        (("draft", "x", "--who", "ruth", *DRAFT[:4], "--option", "a", "--option", "b"), BadParameter, "how it will be"),
        (("draft", "x", "--who", "ada", *DRAFT, "--option", "a", "--option", "b"), BadParameter, "needs a requester"),
        (("forecast", "rain", "yes=70", "no=20", "--who", "ada"), Invalid, "they are 90 %"),
        (("forecast", "rain", "yes=70", "30", "--who", "ada"), BadParameter, "every alternative"),
        (
            ("forecast", "rain", "yes=much", "no=0", "--who", "ada"),
            Invalid,
            "yes: A share is a percent, such as 60 or 12.5 %; got 'much'",
        ),
        (("forecast", "rain", "yes=0.6", "no=0.4", "--who", "ada"), Invalid, r"yes: Do you mean 0\.6 % or 60 %\?"),
        (("resolve", "rain", "yes", "--who", "ruth"), BadParameter, "Say why"),
        (("resolve", "rain", "maybe", "--who", "ruth", "--why", "x"), Invalid, "alternatives yes, no"),
        (("open", "rain", "--who", "ruth", "--at", "soon"), BadParameter, "'soon' is not a date"),
        (("score",), BadData, "Nothing is resolved yet"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(rain, words, error, match):
    with pytest.raises(error, match=match):
        rain(*words)


def test_drafts_can_be_amended_and_vague_words_are_pointed_out(ledger):
    options = ("--option", "yes", "--option", "no")
    told = ledger("draft", "x", "--who", "ruth", "--text", "A major storm soon?", *DRAFT[2:], *options)
    assert "major, soon" in told.stderr
    ledger("draft", "x", "--who", "ruth", *DRAFT, *options, "--amend", "--why", "too vague")
    assert "Rain at Kew" in ledger("show").stdout
    ledger("open", "x", "--who", "ruth")
    ledger("close", "x", "--who", "ruth")
    assert "closed" in ledger("show").stdout


def test_show_and_score_give_the_same_floor_and_claimed_times_are_marked(rain):
    rain("forecast", "rain", "yes=0", "no=100", "--who", "bob", "--at", "2026-01-07")
    rain("resolve", "rain", "yes", "--who", "ruth", "--why", "gauge read", "--at", "2026-01-11")
    shown = json.loads(rain("show", "rain", "--json").stdout)
    found = json.loads(rain("score", "--json").stdout)
    log = {one["forecaster"]: one["value"] for one in shown["scores"] if one["rule"] == "log"}
    assert {one["name"]: one["score"]["value"] for one in found["forecasters"]} == pytest.approx(log)
    assert "4 of 4 forecasts were entered at another time than they claim." in found["notes"]
    assert "2026-01-07 (claimed; entered 20" in rain("show", "rain").stdout
    assert len(shown["head"]) == 64


def test_everyone_is_scored_like_in_files_and_quantities_too(ledger, tmp_path):
    for k in range(12):
        name = f"q{k:02d}"
        area = ("--area", "north" if k < 11 else "south")
        ledger("draft", name, "--who", "ruth", *DRAFT, "--option", "yes", "--option", "no", *area, "--at", "2026-01-01")
        ledger("open", name, "--who", "ruth", "--at", "2026-01-01")
        ledger("forecast", name, "yes=80", "no=20", "--who", "ada", "--at", "2026-01-02")
        ledger("forecast", name, "yes=40", "no=60", "--who", "bob", "--at", "2026-01-02")
        outcome = "no" if k % 4 == 0 else "yes"
        ledger("resolve", name, outcome, "--who", "ruth", "--why", "seen", "--at", f"2026-02-{1 + k:02d}")
    edges = [part for edge in (0, 10, 20, 40) for part in ("--edge", str(edge))]
    ledger("draft", "mm", "--who", "ruth", *DRAFT, *edges, "--at", "2026-01-01")
    ledger("open", "mm", "--who", "ruth", "--at", "2026-01-01")
    ledger("forecast", "mm", "20", "50", "30", "--who", "ada", "--at", "2026-01-02")
    ledger("resolve", "mm", "12.5", "--who", "ruth", "--why", "gauge", "--at", "2026-02-20")
    found = json.loads(ledger("score", "--json", "--by", "area", "--compare").stdout, parse_constant=pytest.fail)
    ada = next(one for one in found["forecasters"] if one["name"] == "ada")
    assert ada["n"] == 12
    assert ada["coverage"] < 1
    assert found["comparison"]["skill"][0]["name"] == "ada"
    assert found["track_record"]["area"][0] == {
        "label": "north",
        "n": 11,
        "score": found["track_record"]["area"][0]["score"],
    }
    assert found["quantities"]["forecasters"][0]["losses"]["quadratic_score"]["value"] > 0
    ledger("score", "--report", str(tmp_path / "report.html"), "--by", "time")
    page = (tmp_path / "report.html").read_text()
    assert "Do the bands hold what they claim?" in page
    assert "Forecasts over time" in page
