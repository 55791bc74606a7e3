"""Reading: a study's plan from a file, and mistakes named with their line."""

import pytest

from mensura.errors import BadFile
from mensura.running.study import (
    analyse,
    conduct,
)
from mensura.running.study.reading import read_study

YAML = """name: coins
test: coin
casts:
  stated: stated
  people: {subject: overconfident, simulated: true}
sessions: 4
seed: 1
hypotheses:
  - {score: quadratic_score, compare: [stated, people], expect: greater}
exclude:
  - {name: unfinished, when: status != finished}
"""


def test_a_study_is_read_from_yaml(tmp_path, store):
    path = tmp_path / "study.yaml"
    path.write_text(YAML)
    study = read_study(path)
    assert study.casts[1].simulated
    assert study.hypotheses[0].name == "H1"
    conduct(study, store=store)
    assert analyse(study, store=store).simulated


@pytest.mark.parametrize(
    ("wrong", "right", "words"),
    [
        (
            "hypothesis:",
            "hypotheses:",
            "study.yaml:8: .*'hypothesis'. Did you mean hypotheses",
        ),
        ("expekt:", "expect:", "study.yaml:9: .*Did you mean expect"),
        ("[stated, peple]", "[stated, people]", "study.yaml:9: .*'peple'. Did you mean people"),
        ("when: staus", "when: status", "study.yaml:11: .*'staus'. Did you mean status"),
        ("expect: bigger", "expect: greater", "study.yaml:9: .*'bigger'. There are greater, less, different"),
        ("expect: Greater", "expect: greater", "study.yaml:9: .*'Greater'. Did you mean greater"),
        ("when: quadratic_score < 0", "when: status != finished", "study.yaml:11: .*no measure in"),
        ("when: status != finishd", "when: status != finished", "study.yaml:11: .*'finishd'. Did you mean finished"),
        ("seed: 1\norder: randm", "seed: 1", "study.yaml:8: .*'randm'. Did you mean random"),
        ("seed: 1\nchance: owned", "seed: 1", "study.yaml:8: .*'owned'. Did you mean own"),
        ("seed: 1\nphases: [{name: a, state: cary}]", "seed: 1", "study.yaml:8: .*'cary'. Did you mean carry"),
        ("seed: 1\nphases: [{name: a, stat: carry}]", "seed: 1", "study.yaml:8: .*'stat'. Did you mean state"),
        ("seed: 1\ninvitation: {telemetry: maybe}", "seed: 1", "telemetry is true or false, or focus"),
        ("seed: 1\ninvitation: {language: dd}", "seed: 1", "There is no language of the pages called 'dd'."),
        ("seed: 1\ninvitation: {checks: headphones}", "seed: 1", "checks is a list of tests"),
        ("seed: 1\ninvitation: {checks: [dilemma]}", "seed: 1", "A check is taken by one person alone; dilemma-v1"),
        ("simulated: 'no'", "simulated: true", "simulated of people is true or false; got 'no'"),
        ("sessions: many", "sessions: 4", "study.yaml:6: .*whole number from 1 to 1,000,000; got 'many'"),
        ("sessions: 0", "sessions: 4", "study.yaml:6: .*whole number from 1 to 1,000,000; got 0"),
        ("sessions: 99999999999999999999", "sessions: 4", "study.yaml:6: .*number from 1 to 1,000,000; got 9{20}"),
        ("stop: {check_every: 1000001}", "sessions: 4", "study.yaml:6: check_every is .*; got 1000001"),
        *(
            (f"seed: {seed}", "seed: 1", rf"study.yaml:7: A seed is a whole number of at least 0; got {got}\.")
            for seed, got in (("-1", "-1"), (".nan", "nan"), ("1.5", "1.5"), ("true", "True"), ("'7'", "'7'"))
        ),
        (
            "expect: greater}\n  - {score: quadratic_score, compare: [people, stated], expect: greater}",
            "expect: greater}",
            "'H1' and 'H2' expect opposites",
        ),
        (
            "expect: greater}\n  - {name: H1, score: logarithmic_score, compare: [people, stated]}",
            "expect: greater}",
            "Two hypotheses are called 'H1'",
        ),
        ("casts: [", "casts:", r"study.yaml:\d+: this is not YAML"),
        ("tests: []", "test: coin", "names its test"),
    ],
)
def test_a_mistake_in_the_file_is_named_with_its_line(tmp_path, wrong, right, words):
    path = tmp_path / "study.yaml"
    path.write_text(YAML.replace(right, wrong))
    with pytest.raises(BadFile, match=words):
        read_study(path)


def test_factors_that_make_too_many_cells_are_refused_before_they_are_crossed(tmp_path):
    path = tmp_path / "study.yaml"
    many = list(range(2000))
    path.write_text(YAML + f"factors: {{a: {many}, b: {many}, c: {many}, d: {many}}}\n")
    with pytest.raises(
        BadFile, match=r"study.yaml:12: A study has at most 10,000 cells; this one has 32,000,000,000,000"
    ):
        read_study(path)


def test_a_study_is_read_from_python(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from mensura.running.study import Cast, Study\nstudy = Study('s', ('coin',), (Cast('c', {'': 'chance'}),))\n"
    )
    assert read_study(path).name == "s"
    path.write_text("study = 3\n")
    with pytest.raises(BadFile, match="must define"):
        read_study(path)
    with pytest.raises(BadFile, match="no file"):
        read_study(tmp_path / "absent.yaml")


@pytest.mark.parametrize("part", ["score: quadratic_scor", "stop: {width: 0.1, score: quadratic_scor}"])
def test_a_score_that_the_test_does_not_give_is_refused_when_the_plan_is_made(tmp_path, part):
    path = tmp_path / "study.yaml"
    wrong = YAML.replace("score: quadratic_score", part) if part.startswith("score") else f"{YAML}{part}\n"
    path.write_text(wrong)
    with pytest.raises(BadFile, match=r"'quadratic_scor'. Did you mean quadratic_score"):
        read_study(path)


STOP = """name: a study of many things
question: Do many peeking people judge better after 3 sessions?
test: coin
casts: {stated: stated, half: half}
hypotheses:
  - {score: quadratic_score, compare: [stated, half]}
stop:
  most: 12
  looks: [4, 8, 12]
  method: pocock
"""


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ("most: 12", "most: 0", "study.yaml:8: most .or sessions. is a whole number"),
        ("most: 12", "most: many", "study.yaml:8: .*got 'many'"),
        ("most: 12", "most: 3", "study.yaml:9: The last look is at all sessions: 3"),
        ("[4, 8, 12]", "[8, 4, 12]", "study.yaml:9: `looks` are 2 to 10 rising numbers"),
        ("[4, 8, 12]", "12", "study.yaml:9: `looks` is a list"),
        ("[4, 8, 12]", "", "study.yaml:9: `looks` are 2 to 10 rising numbers .* got none"),
        ("  method: pocock\n", "", "study.yaml:9: Looking at the outcome after 4, 8, 12 sessions"),
        ("method: pocock", "method: peeking", "study.yaml:10: There is no sequential method called 'peeking'"),
        ("method: pocock", "method: pocock\n  check_every: 0", "study.yaml:11: check_every is a whole number"),
        ("method: pocock", "method: pocock\n  width: half", "study.yaml:11: width is a number above 0; got 'half'"),
        (
            "method: pocock",
            "method: pocock\n  width: 0.1",
            "study.yaml:11: A sequential method cannot be combined with",
        ),
        ("  looks: [4, 8, 12]\n  method: pocock", "  width: 0.1\n  score: half", "study.yaml:10: .*'half'"),
        (
            "compare: [stated, half]}",
            "compare: [stated, half]}\n  - {score: quadratic_score, compare: [half, stated]}",
            "study.yaml:5: A sequential method decides about one hypothesis",
        ),
        ("stop:\n  most: 12\n  looks: [4, 8, 12]\n  method: pocock", "sessions: 0", "study.yaml:7: .*got 0"),
        (
            "stop:\n  most: 12\n  looks: [4, 8, 12]\n  method: pocock",
            "stop: null\nsessions: 0",
            "study.yaml:8: .*got 0",
        ),
    ],
)
def test_a_mistake_in_the_stop_rule_is_named_with_its_line(tmp_path, right, wrong, words):
    path = tmp_path / "study.yaml"
    path.write_text(STOP.replace(right, wrong, 1))
    with pytest.raises(BadFile, match=words):
        read_study(path)


BUDGETED = """
from mensura.running.study import Cast, Study


def study_for(budget):
    return Study(f"s-{budget}", ("coin",), (Cast("a", {"": "random"}),))
"""


def test_a_python_file_can_plan_for_a_budget(tmp_path):
    path = tmp_path / "study.py"
    path.write_text(BUDGETED)
    assert read_study(path, budget=500).name == "s-500"
    with pytest.raises(BadFile, match="--budget 10e6"):
        read_study(path)


def test_a_budget_for_a_plan_that_has_none_is_refused(tmp_path):
    path = tmp_path / "study.py"
    path.write_text("study = None\n")
    with pytest.raises(BadFile, match="Leave --budget out"):
        read_study(path, budget=5)
    (tmp_path / "study.yaml").write_text(YAML)
    with pytest.raises(BadFile, match="a plan for no budget"):
        read_study(tmp_path / "study.yaml", budget=5)
