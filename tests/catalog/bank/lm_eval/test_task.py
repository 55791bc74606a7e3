"""Tasks in YAML: what can be taken is, and all else is refused by its name."""

import json

import pytest

from mensura.catalog.bank.lm_eval.dialogue import lm_eval_test
from mensura.catalog.find import find_test
from mensura.errors import BadFile, BadParameter

TASK = {
    "task": "sums",
    "dataset_path": "json",
    "dataset_kwargs": {"data_files": {"test": "rows.jsonl"}},
    "test_split": "test",
    "output_type": "multiple_choice",
    "doc_to_text": "question",
    "doc_to_choice": "choices",
    "doc_to_target": "gold",
}
ROW = {"question": "2 + 2?", "choices": ["3", "4"], "gold": 1}


@pytest.fixture
def write(tmp_path):
    def written(rows=(ROW,), text="", **changes):
        (tmp_path / "rows.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
        says = {key: value for key, value in {**TASK, **changes}.items() if value is not None}
        # What is JSON is YAML too.
        lines = [f"{key}: {json.dumps(value)}" for key, value in says.items()]
        (tmp_path / "task.yaml").write_text("\n".join([*lines, text]))
        return str(tmp_path / "task.yaml")

    return written


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"output_type": "loglikelihood"}, "The output type loglikelihood is not supported"),
        (
            {"metric_list": [{"metric": "mcc"}]},
            "The metric mcc of multiple_choice is not supported, only acc and acc_n",
        ),
        (
            {"metric_list": [{"metric": "acc", "aggregation": "median"}]},
            "The aggregation median of acc is not supported",
        ),
        ({"metric_list": [{"metric": "exact_match"}]}, "The metric exact_match of multiple_choice is not supported"),
        (
            {"text": "process_docs: !function utils.clean"},
            "`process_docs` is the Python function utils.clean, which is",
        ),
        ({"text": "fewshot_config: {samples: !function u.s}"}, "`fewshot_config: samples` is the Python function u.s"),
        ({"text": "metric_list: [{metric: !function u.f}]"}, "`metric_list: metric` is the Python function u.f"),
        ({"use_prompt": "promptsource:x"}, "`use_prompt` is not supported. Run it with lm-eval itself"),
        ({"fewshot_config": {"sampler": "balanced"}}, "The sampler 'balanced' is not supported"),
        ({"fewshot_config": {"fewshot_indices": [1]}}, "`fewshot_config: fewshot_indices` is not supported"),
        ({"task": ["a", "b"]}, "This is a group of tasks"),
        ({"doc_to_text": None}, "`doc_to_text` is missing"),
        ({"test_split": None}, "names neither `test_split` nor `validation_split`"),
        ({"dataset_path": "openai/gsm8k"}, "The dataset 'openai/gsm8k' would have to be downloaded, and nothing is"),
        (
            {"dataset_kwargs": {"data_files": {"test": "https://x.org/a.jsonl"}}},
            "https://x.org/a.jsonl would have to be",
        ),
        (
            {"dataset_kwargs": {"data_files": {"train": "rows.jsonl"}}},
            "names no files of the split test; it names train",
        ),
        (
            {"dataset_kwargs": {"data_files": {"test": "none.jsonl"}}},
            "The file none.jsonl of `data_files` is not there",
        ),
        ({"dataset_kwargs": {"streaming": True}}, "`dataset_kwargs: streaming` is not supported"),
        ({"num_fewshot": 2}, "2 examples cannot be drawn from 1 rows of test"),
        ({"text": "x: [1"}, "this is not YAML"),
        ({"text": "include: task.yaml"}, "includes itself"),
    ],
)
def test_what_cannot_be_taken_is_refused_by_name(write, changes, words):
    with pytest.raises(BadFile, match=words):
        find_test(write(**changes))


@pytest.mark.parametrize(
    ("row", "changes", "words"),
    [
        ({"gold": 2}, {}, "What is right, 2, is neither an option nor its number"),
        ({"gold": "5"}, {}, "What is right, '5', is neither an option"),
        ({"gold": [0, 1]}, {}, "Several options are right at once"),
        ({"question": " "}, {}, "The question is empty"),
        ({"question": 3}, {}, "The question is 3, not a text"),
        ({"choices": ["4", "4"]}, {}, "The option '4' appears twice"),
        ({"choices": 4}, {}, "`doc_to_choice` is not a list; got 4"),
        ({}, {"doc_to_text": "{{missing}}"}, "The template '{{missing}}' cannot be filled in: 'missing' is undefined"),
        ({}, {"doc_to_text": "{{''.__class__.__mro__}}"}, "access to attribute '__class__' .* is unsafe"),
        ({}, {"doc_to_text": "{% if %}"}, "cannot be filled"),
    ],
)
def test_a_row_that_makes_no_item_is_named(write, row, changes, words):
    path = write([ROW, {**ROW, "question": "another?", **row}], **changes)
    with pytest.raises(BadFile, match=rf"rows\.jsonl:[12]: .*{words}"):
        find_test(path)


def test_rows_without_a_target_are_asked_and_not_scored_and_others_may_be_skipped(write):
    rows = [ROW, {**ROW, "question": "b?", "gold": -1}, {**ROW, "question": "c?", "gold": None}, {**ROW, "gold": 7}]
    test = find_test(f"{write(rows)}#bad=skip")
    assert [item.answer for item in test.bank] == ["4", None, None]
    assert [words.partition(".")[0] for words in test.bank.remarks] == [
        "Items without an answer: 2 of 3; they are asked and not scored",
        "Rows that are left out: 1",
    ]


def test_a_task_is_known_by_its_contents_and_by_its_prefix(write, tmp_path):
    path = write()
    assert find_test(path) is find_test(f"lm-eval:{path}")
    (tmp_path / "short.yaml").write_text("include: task.yaml\ntask: short\n")
    assert find_test(str(tmp_path / "short.yaml")).id == "short-v1"
    (tmp_path / "survey.yaml").write_text("name: mood\nitems:\n- {key: a, text: 'How are you?', open: true}\n")
    assert find_test(str(tmp_path / "survey.yaml")).id.startswith("mood")
    with pytest.raises(BadFile, match="`name` is not supported"):
        find_test(f"lm-eval:{tmp_path / 'survey.yaml'}")


def test_the_number_of_examples_can_be_given_behind_the_name(write):
    path = write([{**ROW, "question": f"{n}?"} for n in range(4)], fewshot_split="test", num_fewshot=1)
    zero, two = find_test(f"{path}#num_fewshot=0"), find_test(f"lm-eval:{path}#num_fewshot=2")
    assert [item.hash for item in zero.bank] == [item.hash for item in two.bank]
    assert zero.bank.hash != two.bank.hash
    assert two.bank.items[0].shown.count("?") == 3
    with pytest.raises(BadParameter, match="is a whole number; got 'many'"):
        lm_eval_test(f"{path}#num_fewshot=many")


def test_what_was_read_changes_when_the_task_or_its_data_change(write):
    path = write()
    test = find_test(path)
    assert find_test(path) is test
    assert find_test(write([ROW, {**ROW, "question": "3 + 3?"}])).bank.items[1].prompt == "3 + 3?"
    assert find_test(write(doc_to_text="{{question}} Say it.")).bank.items[0].prompt == "2 + 2? Say it."
