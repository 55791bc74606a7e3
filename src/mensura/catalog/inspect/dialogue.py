"""Any task of Inspect as a test: `inspect:package/task`, `inspect:./file.py@task`; a log too: `inspect:./run.eval`."""

import json
from collections.abc import Generator
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from mensura.catalog.inspect.evaluation import Evaluation
from mensura.catalog.inspect.log import SUFFIXES, clean_name, log_test, refuse, test_id
from mensura.catalog.inspect.sample import item_of
from mensura.catalog.inspect.scoring import declared, score_answers, score_verdicts
from mensura.catalog.inspect.task import chooses, graders, load_task, prompted, why_not
from mensura.dialogue import Ask, Bank, Choice, Item, Test
from mensura.json_file import loads
from mensura.subjects.naming import split_settings

AS_IS = "as_is"
"""The one argument that is ours: whether Inspect administers the task itself though we could."""


def inspect_test(name: str) -> Test:
    """Make a test of a task of Inspect, by Inspect's own name for it.

    A task that only asks (dataset; no solver, generate, multiple_choice, system_message, prompt_template or
    chain_of_thought; built-in scorers that compare texts) becomes a bank of items that any subject can take. Every
    other task is administered by Inspect itself, to language models only.

    Parameters
    ----------
    name
        `package/task` or `./file.py@task`, with the task's arguments behind it: `./file.py@task#level=3`. With
        `#as_is=true` Inspect administers it in any case. A log: `./run.eval`, `./run.json`.
    """
    place, arguments = split_settings(name)
    if place.endswith(SUFFIXES):
        return log_test(place)
    source, at, task = place.partition("@")
    file = Path(source).expanduser()
    stamp = file.stat().st_mtime_ns if file.suffix == ".py" and file.exists() else 0
    located = f"{file.resolve()}{at}{task}" if stamp and at else place
    return _of_task(located, json.dumps(arguments, sort_keys=True), stamp)


@lru_cache(maxsize=16)
def _of_task(place: str, described: str, changed: int) -> Test:
    arguments = loads(described)
    as_is = arguments.pop(AS_IS, False) is True
    task = load_task(place, arguments)
    samples = [
        sample if sample.id is not None else sample.model_copy(update={"id": number})
        for number, sample in enumerate(task.dataset, start=1)
    ]
    id, reason = test_id(task.name, task.version), why_not(task)
    if as_is or reason:
        shown = [item_of(sample, choosing=chooses(task), read_only=True) for sample in samples]
        why = reason or "you asked for it as it is (as_is)"
        words = f"Inspect must administer {place}: {why}. A model takes it so: mensura run inspect:{place} --as llm:..."
        return Test(
            id,
            partial(refuse, words),
            score=score_verdicts,
            scoring="inspect",
            bank=_bank(task, shown),
            administer=Evaluation(place, arguments),
        )
    asked = zip(samples, prompted(task, samples), strict=True)
    bank = _bank(task, [item_of(sample, messages=shown, choosing=chooses(task)) for sample, shown in asked])
    found = graders(task)
    function = partial(ask_samples, bank)
    left = len(samples) - len(bank)
    function.__doc__ = f"Answer the {len(bank)} samples of Inspect's task {task.name}" + (
        f" ({left} that ask the same as others are left out)." if left else "."
    )
    score = partial(score_answers, found)
    return Test(id, function, score=score, scores=declared(found), bank=bank, chance=_chance(bank), memory=0)


def ask_samples(bank: Bank, rng: np.random.Generator, *, item: Item | None = None) -> Generator[Ask, Any, None]:
    """Ask one sample, or all of them in turn in one conversation."""
    for one in bank if item is None else [item]:
        yield Ask(one.prompt, one.space, key=one.key, truth=one.answer)


def _bank(task: Any, items: list[Item]) -> Bank:
    """Collect items; of samples that ask the same the first stands for all."""
    first: dict[str, Item] = {}
    for item in items:
        first.setdefault(item.hash, item)
    return Bank(first.values(), name=clean_name(task.name))


def _chance(bank: Bank) -> dict[str, float]:
    counts = {len(item.space.options) for item in bank if isinstance(item.space, Choice)}
    return {"choice": 1 / counts.pop()} if len(counts) == 1 else {}
