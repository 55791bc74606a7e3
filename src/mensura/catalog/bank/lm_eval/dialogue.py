"""Tasks of lm-eval as tests: each row a question, in front of it what the harness would put there."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from mensura.catalog.bank.dialogue import bank_test
from mensura.catalog.bank.lm_eval.dataset import TaskDataset
from mensura.catalog.bank.lm_eval.document import TaskDocument
from mensura.catalog.bank.lm_eval.examples import Examples
from mensura.catalog.bank.lm_eval.grading import Grading
from mensura.catalog.bank.lm_eval.task import CHOICE, HarnessTask
from mensura.catalog.bank.name import BankName
from mensura.catalog.bank.reading import clean_name, read_each, skipping
from mensura.catalog.bank.shelf import shelved
from mensura.dialogue import Bank, BankOrigin, Item, Items, Record, Score, Test
from mensura.dialogue.canonical import short_hash
from mensura.errors import BadParameter
from mensura.json_file import loads

PASSED = ("description", "doc_to_text", "doc_to_target", "doc_to_choice")
"""What a run need not store of a task: it stores every question as it was asked."""


def lm_eval_test(name: str) -> Test:
    """Make the test of a task; `#num_fewshot=5` behind its file asks for more or fewer examples.

    A task of options is scored by the natural score of a choice. One of texts is scored by lm-eval's exact match, for
    each of its filters.
    """
    return shelved(f"lm-eval:{name}", lambda: _made(BankName.read(name)))


def score(grading: Grading, record: Record, truths: Mapping[str, Any]) -> dict[str, Items]:
    """Return for each filter and item whether the reply is what is right; NaN where there is no reply."""
    given = record.given()
    keys = [key for key in truths if truths[key] is not None]
    graded = {key: grading.grade(str(given[key]), truths[key]) for key in keys if given.get(key) is not None}
    return {
        title: Items([graded[key][name] if key in graded else float("nan") for key in keys], keys)
        for name, title in _titles(grading).items()
        if keys
    }


def _made(named: BankName) -> Test:
    task, settings = HarnessTask.read(named.file), named.allow("num_fewshot", "bad")
    number = settings.get("num_fewshot", str(task.get("num_fewshot", 0)))
    if not number.isdecimal():
        raise BadParameter(f"The number of examples, num_fewshot, is a whole number; got {number!r}.")
    items = _bank(task, int(number), left_out=skipping(settings))
    version = task.get("metadata", {}).get("version", 1)
    whole = int(version) if isinstance(version, (int, float)) and version >= 1 else 1
    made = replace(bank_test(items), id=f"{items.name}-v{whole}")
    if task.kind == CHOICE:
        return made
    grading = task.grading
    return replace(
        made,
        score=partial(score, grading),
        scoring=f"lm-eval-1-{short_hash([task.get('filter_list'), task.get('metric_list'), task.generation])}",
        scores=tuple(
            Score(title, better="more", proportion=True, label=f"exact match ({name})")
            for name, title in _titles(grading).items()
        ),
    )


def _bank(task: HarnessTask, number: int, *, left_out: list[str] | None) -> Bank:
    """Read the rows of a task as items, one after the other: examples are drawn in that order."""
    dataset = TaskDataset(task)
    rows = dataset.split(task.split)
    examples = Examples(task, dataset, number)
    drawn: dict[str, list[int]] = {}

    def make(row: Mapping[str, Any]) -> Item:
        document = TaskDocument(task, row)
        places, before = examples.before(row)
        item = document.item(document.description + before)
        drawn[item.hash] = places
        return item

    items = read_each(rows, make, empty=f"{task.path}: The split {task.split} holds no rows.", left_out=left_out)
    says = {key: value for key, value in task.says.items() if key not in PASSED}
    details = {
        "lm_eval": {**says, "split": task.split, "generation_kwargs": task.generation, "num_fewshot": number},
        "left_out": len(left_out or ()),
        **({"examples": {**examples.data(), "rows": drawn}} if number else {}),
    }
    files = (*map(str, task.files), *sorted(dataset.files))
    plain = loads(json.dumps(details, default=str))
    name = clean_name(str(task.get("task") or task.path.stem))
    return Bank(items, name=name, origin=BankOrigin(files, plain, tuple(left_out or ())))


def _titles(grading: Grading) -> dict[str, str]:
    """Name the score of each filter; that of an only one is the plain metric."""
    if len(grading.filters) == 1:
        return dict.fromkeys(grading.filters, "exact_match")
    return {name: f"exact_match_{re.sub(r'[^0-9a-zA-Z]+', '_', name).strip('_').lower()}" for name in grading.filters}
