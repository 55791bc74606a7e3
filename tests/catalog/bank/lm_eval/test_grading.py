"""Exact match as in lm-eval: stop sequences, filters, and what is passed over."""

import pytest

from mensura.catalog.bank.lm_eval.grading import Grading, RegexFilter
from mensura.errors import BadFile


def grading(*filters, until=(), **metric):
    listed = [{"name": "only", "filter": list(filters)}] if filters else []
    return Grading.read(filters=listed, metric={"metric": "exact_match", **metric}, until=until)


@pytest.mark.parametrize(
    ("made", "reply", "target", "right"),
    [
        (grading(), "Paris", "Paris", 1),
        (grading(), " Paris", "Paris", 0),
        (grading(ignore_case=True), "PARIS", "paris", 1),
        (grading(ignore_punctuation=True), "Pa-ris!", "Paris", 1),
        (grading(ignore_numbers=True), "Paris 7", "Paris ", 1),
        (grading(regexes_to_ignore=[",", r"\$"]), "$1,000", "1000", 1),
        (grading(until=["\n"]), "Paris\nLondon", "Paris", 1),
        (grading(), "Rome", ["Paris", "Rome"], 1),
        (grading({"function": "remove_whitespace"}, {"function": "take_first"}), " Paris ", "Paris", 1),
        (grading({"function": "regex", "regex_pattern": r"is (\w+)"}), "It is Rome. It is Oslo.", "Rome", 1),
        (
            grading({"function": "regex", "regex_pattern": r"is (\w+)", "group_select": -1}),
            "It is Rome. It is Oslo.",
            "Oslo",
            1,
        ),
        (grading({"function": "regex", "regex_pattern": r"(\d)|(x)"}), "x", "x", 1),
        (grading({"function": "regex", "fallback": "none"}), "nothing", "none", 1),
        (grading({"function": "regex", "group_select": 3}), "#### 4", "[invalid]", 1),
    ],
)
def test_a_reply_is_compared_as_the_task_says(made, reply, target, right):
    assert list(made.grade(reply, target).values()) == [right]


@pytest.mark.parametrize(
    ("filters", "metric", "words"),
    [
        ([{"function": "majority_vote"}], {}, "The filter majority_vote is not supported"),
        ([{"function": "regex", "regex_pattern": "("}], {}, r"'\(' is not a regular expression"),
        ([{"function": "regex", "pattern": "x"}], {}, "The filter regex is not supported with pattern"),
        ([], {"hf_evaluate": True}, "The setting hf_evaluate of exact_match is not supported"),
    ],
)
def test_other_filters_and_settings_are_refused_by_name(filters, metric, words):
    with pytest.raises(BadFile, match=words):
        grading(*filters, **metric)


def test_what_is_found_is_without_blanks():
    assert RegexFilter(r"is( \w+)")("it is Rome") == "Rome"
