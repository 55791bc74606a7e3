"""The command line: JSON keys, words, exit status, report."""

import json
from math import isclose

import pytest
from click.testing import CliRunner

from mensura.cli.results.score import command
from mensura.errors import BadFile, BadParameter, UnknownName

SPECIFICATION = """
types:
  Attack:
    case: true
    costs: {false_positive: 1, false_negative: 10}
    alerts: {event: date, full_lead: 10}
    attributes:
      group: {domain: Group, weight: 3, cardinality: 1}
      target: {domain: string, weight: 5, cardinality: 1}
      date: {domain: date, weight: 2, cardinality: 1, nominal_distance: 10}
      actors: {domain: Person, weight: 1, cardinality: many}
  Group: {case: true, attributes: {member: {domain: Person, cardinality: many}}}
  Person: {}
"""
REFERENCE = [
    {"type": "Group", "uid": "G", "member": ["a", "b"]},
    {"type": "Attack", "uid": "R", "group": "G", "target": "bridge", "date": 100, "actors": ["a"]},
]
HYPOTHESES = [
    {
        "type": "Attack",
        "uid": "H",
        "group": {"uid": "X", "member": ["a", "b"]},
        "target": "bridge",
        "date": 105,
        "confidence": 0.9,
        "submitted": 90,
    }
]


@pytest.fixture
def files(tmp_path):
    (tmp_path / "S.yaml").write_text(SPECIFICATION)
    for name, records in (("R", REFERENCE), ("H", HYPOTHESES)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    return tmp_path


def run(files, *more, hypotheses="H.jsonl"):
    arguments = ["--spec", files / "S.yaml", "--reference", files / "R.jsonl", "--hypotheses", files / hypotheses]
    given = ["detection", *(str(each) for each in (*arguments, *more))]
    return CliRunner().invoke(command, given, catch_exceptions=False)


def test_json_has_the_promised_keys(files):
    result = run(files, "--json")
    assert result.exit_code == 0
    attack = json.loads(result.stdout)["types"]["Attack"]
    keys = {"pairs", "precision", "recall", "f", "traditional", "auc", "nacc", "greedy_gap", "unique", "mean_pair_f"}
    assert keys <= set(attack)
    assert set(attack["pairs"][0]) == {"reference", "hypothesis", "precision", "recall", "f"}
    assert attack["pairs"][0]["reference"] == "R"
    assert isclose(attack["recall"], (3 + 5 + 1) / 11)
    assert isclose(attack["precision"], (3 + 5 + 1) / 10)
    assert isclose(attack["nacc"], 1 - (0.1 * 1 + (2 / 11) * 10) / 10)
    assert {"precision", "recall", "f"} <= set(attack["traditional"])
    assert attack["unique"] is True


def test_words_go_to_stderr_and_the_table_to_stdout(files):
    result = run(files)
    assert result.stdout.startswith("1 of 1 references of Attack have a partner among 1 hypotheses: F 0.857.")
    assert "Scores by type" in result.stdout
    assert "Pairs of Attack" in result.stdout
    assert "Next: mensura score detection" in result.stderr


@pytest.mark.parametrize("pairing", ["many-to-one", "many-to-many", "optimal"])
def test_the_first_line_says_what_the_table_says_however_cases_are_paired(files, pairing):
    """Each of three hypotheses agrees with each of two references in its target, and one in its date too."""
    references = [{"type": "Attack", "uid": uid, "target": "bridge", "date": 100} for uid in ("R", "S")]
    hypotheses = [
        {"type": "Attack", "uid": uid, "target": "bridge", "date": day}
        for uid, day in zip("HIJ", (100, 300, 400), strict=True)
    ]
    for name, records in (("R", references), ("H", hypotheses)):
        (files / f"{name}.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    options = ["--pairing", pairing, "--against", files / "H.jsonl"]
    found = json.loads(run(files, "--json", *options).stdout)["types"]["Attack"]
    partnered = {pair["reference"] for pair in found["pairs"]}
    first, *_ = run(files, *options).stdout.splitlines()
    assert first.startswith(f"{len(partnered)} of 2 references of Attack have a partner among 3 hypotheses")
    assert f"F {found['f']:.3f}" in first
    assert found["intervals"]["f"]["value"] == found["f"]
    assert found["intervals"]["recall"]["value"] == found["recall"]
    # Nothing is said of the difference of two detectors by another pairing than the one asked for.
    assert (found["difference"] is None) is (pairing != "optimal")
    assert ("second detector" in first) is (pairing == "optimal")


def test_a_second_detector_evidence_and_alerts_are_scored_too(files):
    result = run(
        files, "--json", "--against", files / "R.jsonl", "--evidence", files / "H.jsonl", "--alerts", files / "H.jsonl"
    )
    attack = json.loads(result.stdout)["types"]["Attack"]
    assert attack["difference"]["f"]["value"] < 0
    assert attack["against"]["f"] == 1.0
    assert attack["over_evidence"]["f"]["value"] == 0
    assert attack["by_evidence"]["correct"]["recall"] == 1.0
    assert attack["alerts"]["in_time"] == 1
    assert attack["alerts"]["mean_lead"] == 10


def test_options_reach_the_scoring(files):
    attack = json.loads(run(files, "--json", "--weight", "Attack.actors=0").stdout)["types"]["Attack"]
    assert isclose(attack["recall"], 9 / 10)
    attack = json.loads(run(files, "--json", "--threshold", "0.95").stdout)["types"]["Attack"]
    assert attack["pairs"] == []
    attack = json.loads(run(files, "--json", "--threshold", "Attack=0.95", "--reading", "crisp").stdout)["types"]
    assert attack["Attack"]["pairs"] == []
    assert len(attack["Group"]["pairs"]) == 1


def test_empty_hypotheses_are_no_error(files):
    (files / "none.jsonl").write_text("")
    attack = json.loads(run(files, "--json", hypotheses="none.jsonl").stdout)["types"]["Attack"]
    assert (attack["recall"], attack["precision"], attack["nacc"]) == (0, None, 0)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (["--threshold", "high"], BadParameter, "A number is expected"),
        (["--threshold", "2"], BadParameter, "between 0 and 1"),
        (["--threshold", "Atack=0.5"], UnknownName, "Did you mean Attack"),
        (["--weight", "Attack.date"], BadParameter, "A name and a number"),
        (["--weight", "Attack.day=1"], UnknownName, "There is no attribute of Attack called 'day'"),
        (["--alerts", "R.jsonl"], BadFile, "has no `submitted` date"),
    ],
)
def test_wrong_options_are_told_in_a_sentence(files, arguments, error, words):
    arguments = [files / each if each.endswith(".jsonl") else each for each in arguments]
    with pytest.raises(error, match=words):
        run(files, *arguments)


def test_the_report_is_one_page_that_needs_nothing_else(files):
    result = run(files, "--report", files / "out.html", "--evidence", files / "R.jsonl")
    page = (files / "out.html").read_text()
    assert result.exit_code == 0
    assert page.count("<svg") >= 3
    assert "http" not in page.replace("http://www.w3.org", "")
    assert "Attack" in page
    (files / "none.jsonl").write_text("")
    assert run(files, "--report", files / "none.html", hypotheses="none.jsonl").exit_code == 0


def test_dates_in_two_styles_are_refused_with_both_lines(files):
    (files / "I.jsonl").write_text(json.dumps(HYPOTHESES[0] | {"date": "0001-04-15", "submitted": "0001-03-31"}) + "\n")
    words = r"calendar dates \(YYYY-MM-DD\) \(.*I.jsonl, line 1\) and day numbers \(.*R.jsonl, line 2\)"
    with pytest.raises(BadFile, match=words):
        run(files, hypotheses="I.jsonl")
