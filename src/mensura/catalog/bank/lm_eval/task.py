"""HarnessTask: what a YAML file of lm-eval says, as far as it can be taken here; what cannot is refused by name."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mensura.catalog.bank.lm_eval.grading import Grading
from mensura.errors import BadFile
from mensura.text_file import read_text
from mensura.yaml_file import parse_yaml

MARKS = re.compile(
    r"^(doc_to_\w+|dataset_(path|name|kwargs)|output_type|metric_list|include|\w+_split|num_fewshot)\s*:", re.M
)
CHOICE, GENERATE = "multiple_choice", "generate_until"
TAKEN = {"acc": CHOICE, "acc_norm": CHOICE, "exact_match": GENERATE}
"""Metrics that are taken, and of which output type."""
PASSED = ("tag", "task_alias", "metadata", "should_decontaminate", "doc_to_decontamination_query", "repeats")
"""What a task may say that changes neither what is asked nor how an answer is scored here."""
SPLITS = ("training_split", "validation_split", "test_split", "fewshot_split")
TEXTS = ("doc_to_text", "doc_to_target", "doc_to_choice", "gen_prefix", "target_delimiter", "fewshot_delimiter")
DATA = ("dataset_path", "dataset_name", "dataset_kwargs")
SCORED = ("metric_list", "filter_list", "generation_kwargs")
READ = ("task", "output_type", "description", "num_fewshot", "fewshot_config", *DATA, *SCORED, *SPLITS, *TEXTS)
SHOTS = ("sampler", "split", "samples", *TEXTS)
ELSEWHERE = "Run it with lm-eval itself."


@dataclass(frozen=True)
class PythonFunction:
    """What `!function` names in a task: code that is not run here."""

    name: str


@dataclass(frozen=True)
class HarnessTask:
    """What a task says."""

    path: Path
    files: tuple[Path, ...]
    """The file and those that it includes."""
    says: Mapping[str, Any] = field(repr=False)

    @classmethod
    def read(cls, path: Path) -> "HarnessTask":
        """Read a task; raise a sentence that names the first thing that cannot be taken."""
        files: list[Path] = []
        says = _included(path, files)
        task = cls(path, tuple(files), says)
        try:
            task._refuse()
        except BadFile as error:
            raise BadFile(f"{path}: {error}") from None
        return task

    def get(self, name: str, default: Any = None) -> Any:
        """Return what the task says, or the default where it says nothing."""
        found = self.says.get(name)
        return default if found is None else found

    @property
    def kind(self) -> str:
        """Its output type."""
        return str(self.get("output_type", GENERATE))

    @property
    def split(self) -> str:
        """The split whose rows are asked: that of the test, else that of the validation."""
        found = self.get("test_split") or self.get("validation_split")
        if not found:
            raise BadFile(f"{self.path} names neither `test_split` nor `validation_split`. Add one.")
        return str(found)

    @property
    def shots(self) -> Mapping[str, Any]:
        """How examples are made: what `fewshot_config` says, else what the task says."""
        own = {key: value for key, value in self.get("fewshot_config", {}).items() if value is not None}
        return {**{key: self.get(key) for key in TEXTS}, "split": self.get("fewshot_split"), **own}

    @property
    def grading(self) -> Grading:
        """How replies are compared with what is right."""
        return Grading.read(
            filters=self.get("filter_list", []),
            metric=next(iter(self.get("metric_list", [])), {}),
            until=_list(self.generation.get("until", [])),
        )

    @property
    def generation(self) -> Mapping[str, Any]:
        """What is asked of the generation of a text: stop sequences, temperature, length."""
        if self.kind != GENERATE:
            return {}
        given = dict(self.get("generation_kwargs", {"temperature": 0.0, "do_sample": False, "max_gen_toks": 256}))
        return {"until": [self.get("fewshot_delimiter", "\n\n")], **given}

    def _refuse(self) -> None:
        for place, function in _functions(self.says):
            raise BadFile(f"`{place}` is the Python function {function.name}, which is not run here. {ELSEWHERE}")
        if "group" in self.says or isinstance(self.get("task"), list):
            raise BadFile("This is a group of tasks. Name the file of one of them.")
        for key in self.says:
            if key not in (*READ, *PASSED):
                raise BadFile(f"`{key}` is not supported. {ELSEWHERE}")
        for key in self.get("fewshot_config", {}):
            if key not in SHOTS:
                raise BadFile(f"`fewshot_config: {key}` is not supported. {ELSEWHERE}")
        if self.kind not in (CHOICE, GENERATE):
            raise BadFile(f"The output type {self.kind} is not supported, only {CHOICE} and {GENERATE}. {ELSEWHERE}")
        for name in ("doc_to_text", "doc_to_target", *(["doc_to_choice"] if self.kind == CHOICE else [])):
            if self.get(name) is None:
                raise BadFile(f"`{name}` is missing. Write a column or a template.")
        for metric in self.get("metric_list", []):
            self._refuse_metric(metric)
        sampler = self.shots.get("sampler", "default")
        if sampler not in ("default", "first_n"):
            raise BadFile(f"The sampler {sampler!r} is not supported, only default and first_n. {ELSEWHERE}")
        _ = self.split, self.grading

    def _refuse_metric(self, metric: Mapping[str, Any]) -> None:
        name = metric.get("metric")
        if TAKEN.get(str(name)) != self.kind:
            known = " and ".join(one for one, kind in TAKEN.items() if kind == self.kind)
            raise BadFile(f"The metric {name} of {self.kind} is not supported, only {known}. {ELSEWHERE}")
        if metric.get("aggregation", "mean") != "mean":
            raise BadFile(f"The aggregation {metric['aggregation']} of {name} is not supported, only mean. {ELSEWHERE}")


def is_task(path: Path) -> bool:
    """Return whether a YAML file is a task of lm-eval, by its contents."""
    try:
        return MARKS.search(path.read_text(encoding="utf-8", errors="replace")) is not None
    except OSError:
        return False


def _included(path: Path, files: list[Path]) -> dict[str, Any]:
    """Read a file and those that it includes; what it says itself wins."""
    if path.absolute() in files:
        raise BadFile(f"{path} includes itself. Remove the `include`.")
    files.append(path.absolute())
    found = parse_yaml(read_text(path), path, tags={"!function": PythonFunction})
    if not isinstance(found, dict):
        raise BadFile(f"{path} holds no task: a task is a mapping with `dataset_path`, `doc_to_text` and so on.")
    says: dict[str, Any] = {}
    for other in _list(found.pop("include", [])):
        says |= _included(path.parent / str(other), files)
    return says | found


def _functions(value: Any, place: str = "") -> list[tuple[str, PythonFunction]]:
    if isinstance(value, PythonFunction):
        return [(place, value)]
    if isinstance(value, Mapping):
        return [
            one for key, part in value.items() for one in _functions(part, f"{place}: {key}" if place else str(key))
        ]
    return [one for part in value for one in _functions(part, place)] if isinstance(value, list) else []


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else [value]
