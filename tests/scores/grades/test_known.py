"""Graders against what is known: SQuAD's official script, numbers as people write them, patterns that explode."""

import collections
import re
import string
import time

import pytest

from mensura.errors import BadFile
from mensura.scores.grades.grade import graded_truth, grades


def squad_normalised(s):
    """Written out from evaluate-v1.1.py of the SQuAD authors: lower, no punctuation, no articles, single spaces."""
    exclude = set(string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", "".join(ch for ch in s.lower() if ch not in exclude)).split())


def squad_f1(prediction, gold):
    """Written out from evaluate-v2.0.py: compute_f1."""
    gold_toks, pred_toks = squad_normalised(gold).split(), squad_normalised(prediction).split()
    if len(gold_toks) == 0 or len(pred_toks) == 0:
        return int(gold_toks == pred_toks)
    num_same = sum((collections.Counter(gold_toks) & collections.Counter(pred_toks)).values())
    if num_same == 0:
        return 0
    precision, recall = 1.0 * num_same / len(pred_toks), 1.0 * num_same / len(gold_toks)
    return (2 * precision * recall) / (precision + recall)


PAIRS = [
    ("the Saint Bernadette Soubirous", "Saint Bernadette Soubirous"),
    ("a copper statue of Christ", "the copper statue of Christ"),
    ("in 1858, at Lourdes", "1858"),
    ("gold gold gold", "gold"),
    ("An apple a day", "apple; a day"),
    ("it's", "its"),
    ("", "something"),
    ("the", "a"),
    ("nothing alike", "other words"),
    ("Café — olé", "café olé"),
    ("Therefore anthem", "the anthem"),
]


@pytest.mark.parametrize(("answer", "truth"), PAIRS)
def test_f1_and_exact_match_are_those_of_squads_script(answer, truth):
    found = grades(answer, graded_truth("f1", truth))
    assert found["token_f1"] == pytest.approx(squad_f1(answer, truth))
    assert found["exact_match"] == float(squad_normalised(answer) == squad_normalised(truth))
    alike = grades(
        answer, graded_truth({"by": "exact", "ignore": ["case", "spaces", "punctuation", "articles"]}, truth)
    )
    assert alike["accuracy"] == found["exact_match"]


def test_of_several_right_answers_the_best_counts():
    truth = graded_truth("f1", ["Denver Broncos", "The Denver Broncos of the AFC"])
    assert grades("broncos of the AFC", truth)["token_f1"] == pytest.approx(6 / 7)
    assert grades("nyc", graded_truth("exact", ["New York", "NYC"])) == {"accuracy": 1.0}


@pytest.mark.parametrize(
    ("answer", "truth", "options", "right"),
    [
        ("1,234.5", 1234.5, {}, 1),
        ("1234,5", 1234.5, {}, 1),
        ("0,500", 0.5, {}, 1),
        ("12,500", 12500, {}, 1),
        ("1 234", 1234, {}, 0),
        ("1\u202f234", 1234, {}, 1),
        ("-3/4", -0.75, {}, 1),
        ("1 1/2", 1.5, {}, 1),
        ("1/0", 0, {}, 0),
        ("75 %", "3/4", {}, 1),
        ("75", "75 %", {}, 0),
        ("75 %", 75, {"unit": "%"}, 1),
        ("75", 75, {"unit": "%"}, 1),
        ("6.02e23", 6.022e23, {"relative": 0.001}, 1),
        ("1e999", 1e308, {}, 0),
        ("nan", 0, {"absolute": 1e9}, 0),
        ("inf", 0, {"absolute": 1e9}, 0),
        ("45 km", 45, {"unit": "km"}, 1),
        ("45 miles", 45, {"unit": "km"}, 0),
        ("$1,000", 1000, {}, 1),
        ("0.1", 0.1 + 1e-12, {}, 1),
        ("99", 100, {"relative": 0.01}, 1),
        ("98.9", 100, {"relative": 0.01}, 0),
        ("0.4", 0, {"absolute": 0.5}, 1),
        ("The answer is 42", 42, {}, 0),
        ("First 6, then 7: the answer is 42.", 42, {"find": "last"}, 1),
        ("42, or maybe 43", 42, {"find": "last"}, 0),
        ("5-3", 3, {"find": "last"}, 1),
        ("no idea", 42, {"find": "last"}, 0),
        (42.0, 42, {}, 1),
        ("9" * 9000, 1, {}, 0),
    ],
)
def test_numbers_are_read_as_people_write_them(answer, truth, options, right):
    assert grades(answer, graded_truth({"by": "numeric", **options}, truth)) == {"accuracy": right}


def test_a_pattern_that_would_explode_takes_no_longer_than_others():
    truth = graded_truth("pattern", "(a|a)*(a*)*b")
    begun = time.process_time()
    assert grades("a" * 9999 + "!", truth) == {"accuracy": 0.0}
    # Backtracking would take longer than the world is old.
    assert time.process_time() - begun < 5


def test_a_pattern_matches_the_whole_answer_unless_it_says_anywhere():
    assert grades(" Grey\n", graded_truth("pattern", "gr[ae]y"))["accuracy"] == 1
    assert grades("red or grey", graded_truth("pattern", "gr[ae]y"))["accuracy"] == 0
    assert grades("red or grey", graded_truth({"by": "pattern", "where": "anywhere"}, "gr[ae]y"))["accuracy"] == 1
    assert grades("Grey", graded_truth({"by": "pattern", "case": True}, "grey"))["accuracy"] == 0
    assert grades("two\nlines", graded_truth("pattern", "two.lines"))["accuracy"] == 1


@pytest.mark.parametrize("expression", ["(?=a)b", r"(a)\1", "(", "", "a" * 1001, 3])
def test_a_pattern_that_cannot_be_used_is_refused_when_it_is_read(expression):
    with pytest.raises(BadFile, match="pattern"):
        graded_truth("pattern", expression)


@pytest.mark.parametrize(
    ("grade", "answer", "words"),
    [
        ("exakt", "a", "Did you mean exact"),
        ({"by": "numeric", "tolerance": 1}, 1, "no option of the grader numeric"),
        ({"by": "numeric", "relative": -1}, 1, "number of at least 0"),
        ({"by": "set", "count": "some"}, ["a"], "f1 or all"),
        ({"by": "exact", "ignore": ["accents"]}, "a", "punctuation"),
        ({"by": "pattern", "case": "yes"}, "a", "case"),
        ("set", "a, b", "list of its members"),
        ("numeric", "four", "is a number"),
        ("exact", [], "at least one"),
        ("exact", {"a": 1}, "is a text"),
        ("code", [], "its tests"),
        (3, "a", "name of a grader"),
        ("{oops", "a", "not JSON"),
    ],
)
def test_a_grade_that_cannot_be_given_is_refused_in_a_sentence(grade, answer, words):
    with pytest.raises(BadFile, match=words):
        graded_truth(grade, answer)


def test_a_program_has_no_grade_until_it_was_run():
    truth = graded_truth("code", "assert f() == 1")
    assert all(value != value for value in grades("def f(): return 1", truth).values())
    assert grades("...", truth, verdict={"passed": 1, "tests": 1}) == {"accuracy": 1.0, "tests_passed": 1.0}
