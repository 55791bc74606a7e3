"""Evaluations: a task administered by Inspect itself, in a process of its own, and read back from its log."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mensura.catalog.inspect.log import administered, read_log
from mensura.dialogue import Administered, Item
from mensura.errors import BadParameter, SubjectLost
from mensura.subjects.model.chat_completions import KEYS
from mensura.subjects.model.service import MASK, SHORTEST_KEY
from mensura.subjects.naming import split_settings
from mensura.subjects.spec import SubjectSpec

SERVICE = "mensura"
"""Inspect reads key and address of a service from variables with its name: MENSURA_API_KEY, MENSURA_BASE_URL."""
NO_KEY = "none"
RETRIES = 5
PROGRAM = "mensura.catalog.inspect.process"


@dataclass(frozen=True)
class Evaluation:
    """A task that Inspect evaluates, by Inspect's own name, with what the task is made with."""

    place: str
    arguments: Mapping[str, Any]

    @property
    def about(self) -> dict[str, Any]:
        """Who administers it."""
        return {"task": self.place, "version": version("inspect_ai")}

    def __call__(self, subject: SubjectSpec, *, items: Sequence[Item], epochs: Sequence[int]) -> Iterator[Administered]:
        """Let Inspect evaluate a language model, llm:MODEL@URL, and return what it logged.

        Raises
        ------
        SubjectLost
            If Inspect stopped without a log; the end of what it said goes with it.
        """
        model, address, settings = read_model(subject)
        folder = Path(tempfile.mkdtemp(prefix="mensura-inspect-"))
        request = {
            "tasks": self.place,
            "task_args": dict(self.arguments),
            "model": f"openai-api/{SERVICE}/{model}",
            "model_base_url": address,
            "sample_id": [item.id for item in items],
            "epochs": len(epochs),
            "log_dir": str(folder),
            "max_retries": RETRIES,
            **settings,
        }
        log = masked(read_log(_run(request, folder)))
        shutil.rmtree(folder, ignore_errors=True)
        for one in administered(log, {item.id: item for item in items}):
            yield replace(one, epoch=epochs[one.epoch])


def read_model(subject: SubjectSpec) -> tuple[str, str, dict[str, Any]]:
    """Read model, address and settings from the name of a language model, or say that nobody else can take part."""
    plain, settings = split_settings(subject.name)
    model, at, rest = plain.removeprefix("llm:").partition("@http")
    if not plain.startswith("llm:") or not model:
        raise BadParameter(f"Inspect administers this task to language models only: --as llm:MODEL@URL; got {plain}.")
    given = {**subject.options, **settings}
    given = {**given.pop("settings", {}), **given}
    check_settings(given)
    return model, f"http{rest}" if at else os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1"), given


def check_settings(given: Mapping[str, Any]) -> None:
    """Refuse options of a model that mean nothing to Inspect."""
    from inspect_ai.model import GenerateConfig

    for name in given:
        if name not in GenerateConfig.model_fields:
            raise BadParameter(f"Inspect has no setting {name!r} for generating; leave it out of the model's name.")


def masked(log: Any) -> Any:
    """Take the key out of a log: some servers repeat it when they refuse it, and their words are stored."""
    key, text = _key(), log.model_dump_json()
    if len(key) < SHORTEST_KEY or key not in text:
        return log
    return type(log).model_validate_json(text.replace(key, MASK.decode()))


def _key() -> str:
    return next((os.environ[name] for name in KEYS if os.environ.get(name)), NO_KEY)


def _run(request: Mapping[str, Any], folder: Path) -> Path:
    """Run Inspect and return where its log is; what it wrote until it stopped is kept and named."""
    key = _key()
    environment = {**os.environ, "MENSURA_API_KEY": key, "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", PROGRAM]
    done = subprocess.run(
        command, input=json.dumps(request), env=environment, text=True, capture_output=True, check=False
    )
    logs = sorted(folder.glob("*.eval"))
    if done.returncode == 0 and logs:
        return logs[-1]
    words = done.stderr.strip() or done.stdout.strip()
    words = words if len(key) < SHORTEST_KEY else words.replace(key, MASK.decode())
    kept = f" What it logged until then: mensura import {logs[-1]}" if logs else ""
    raise SubjectLost(f"Inspect stopped with status {done.returncode}.{kept}", last_words=words[-2000:])
