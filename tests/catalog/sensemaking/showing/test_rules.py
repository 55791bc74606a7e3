"""PROBS are data: an exam with other rules says so in words, is solved by them, and is read back with them."""

import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from mensura.catalog.sensemaking.command import generate
from mensura.catalog.sensemaking.dialogue import sensemaking
from mensura.catalog.sensemaking.exam.layer import Layer
from mensura.catalog.sensemaking.exam.probs import published_probs, read_probs, write_probs
from mensura.catalog.sensemaking.mitre.exam_reading import read_exam
from mensura.catalog.sensemaking.showing.rules import curve, handbook, rule
from mensura.catalog.sensemaking.showing.wording import find_wording, instructions
from mensura.catalog.sensemaking.solving.normative import solve
from mensura.catalog.sensemaking.subjects import SUBJECTS
from mensura.dialogue import prompt_text
from mensura.running.take import take

WORDS = find_wording("neutral")
OTHER = replace(
    published_probs(),
    humint_sigma=6.0,
    stay=0.6,
    inside=0.9,
    features={
        **published_probs().features,
        "IMINT": {
            "government": {"A": 0.6, "B": 0.2, "C": 0.1, "D": 0.1},
            "military": {"A": 0.1, "B": 0.2, "C": 0.6, "D": 0.6},
        },
        "SIGINT": {"silence": {"named": 0.2, "other": 0.8}, "chatter": {"named": 0.9, "other": 0.1}},
    },
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("other")
    write_probs(OTHER, path / "rules.toml")
    arguments = ["--seed", "1", "--out", str(path / "exam"), "--probs", str(path / "rules.toml"), "--json"]
    done = CliRunner().invoke(generate, arguments, catch_exceptions=False)
    assert str(path / "exam" / "probs.toml") in json.loads(done.stdout)["files"]
    return path / "exam"


def test_rules_written_read_the_same(tmp_path):
    write_probs(OTHER, tmp_path / "probs.toml")
    assert read_probs(tmp_path / "probs.toml") == OTHER


def test_an_exam_keeps_its_own_rules_in_its_folder(folder):
    exam = read_exam(folder)
    assert exam.probs == OTHER
    assert read_exam(folder / "exam.xml").probs == OTHER
    assert not np.allclose(solve(exam)[5][0].stages, solve(replace(exam, probs=published_probs()))[5][0].stages)


def test_published_rules_read_as_table_3_states_them():
    said = handbook(WORDS, published_probs())
    for sentence in (
        "a standard deviation of 10 miles, about 40 % at 0 miles, 35 % at 5, 25 % at 10, 5 % at 20.",
        "near a government building, A or B is four times as likely as C or D",
        "near a military building, C or D is four times as likely as A or B",
        "in dense traffic, A or C is four times as likely as B or D",
        "in sparse traffic, B or D is four times as likely as A or C",
        "chatter makes that group seven times as likely as each other group",
        "silence makes that group one third as likely as each other group",
        "in a group's region, that group is twice as likely as each other group",
        "with chance 85 %",
    ):
        assert sentence in said
    told = rule(Layer("SIGINT", "B"), "silence", WORDS, published_probs())
    assert told == "**SIGINT on B**: silence. Then B is one third as likely as each other group."


def test_other_rules_are_said_in_their_own_numbers():
    said = handbook(WORDS, OTHER)
    assert "A, B, C and D are as likely as 6 : 2 : 1 : 1" in said
    assert "chatter makes that group 9 times as likely" in said
    assert "silence makes that group one quarter as likely" in said
    assert "with chance 60 %" in said
    assert "6 miles" in said
    assert "seven" not in said


def test_a_session_of_such_an_exam_shows_and_solves_it_by_its_own_rules(folder):
    told = []

    class Watching:
        def __init__(self):
            self.subject = SUBJECTS["normative"]()

        def begin(self, rng):
            self.subject.begin(rng)

        def feedback(self, ask):
            told.append(prompt_text(ask.prompt))
            self.subject.feedback(ask)

        def __call__(self, ask):
            return self.subject(ask)

    parameters = {"exam": str(folder), "tasks": "4567", "breaks": False}
    taken = take(sensemaking, Watching(), seed=1, parameters=parameters)
    scores = sensemaking.score(taken.record, taken.truths).values
    assert scores["s1"].values.min() > 99
    # Task 7 has no S1, but its normative answers stand among the truths.
    for place in range(1, 16):
        key = f"7.{place}.sites"
        given = 100 * np.array([taken.record.given()[key][name] for name in "1234"])
        np.testing.assert_allclose(given, taken.truths[key]["normative"], atol=1e-6)
    assert any("chatter makes that group 9 times as likely" in text for text in told)


def test_the_humint_rule_is_shown_as_a_curve_and_as_a_table():
    drawn = curve(published_probs())
    found = dict(zip(drawn.columns["miles"], drawn.columns["percent"], strict=True))
    assert {miles: found[miles] for miles in (0, 5, 10, 20)} == {0: 40, 5: 35.3, 10: 24.3, 20: 5.4}
    assert "24.3" in drawn.text()


@pytest.mark.parametrize(
    ("trials", "words"), [(1, "This is done once."), (9, "This is done 9 times; the sample grows.")]
)
def test_the_first_task_says_how_often_it_is_done(trials, words):
    assert words in instructions(1, WORDS, trials=trials, probs=published_probs())
