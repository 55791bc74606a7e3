"""Logs of Inspect as tests that were taken already: samples are items, and the log says what came of each."""

import os
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from mensura.catalog.inspect.sample import chat_text, item_of, plain
from mensura.catalog.inspect.scoring import VERDICTS, score_verdicts, verdicts_of
from mensura.catalog.inspect.task import need_inspect
from mensura.dialogue import Administered, Bank, Choice, Item, Noted, Refused, Test
from mensura.errors import BadFile, BadParameter, SubjectLost, SubjectTimedOut

SUFFIXES = (".eval", ".json")
SUMMED = {
    "tokens_in": ("input_tokens", "input_tokens_cache_read", "input_tokens_cache_write"),
    "tokens_out": ("output_tokens",),
    "tokens_reasoning": ("reasoning_tokens",),
    "cost": ("total_cost",),
}
"""Our counts, and those of Inspect that add up to them."""


def log_test(path: str) -> Test:
    """Make a test of a log; it cannot be taken again, but what came of it can be read (`mensura import`)."""
    file = Path(path).expanduser()
    try:
        stamp = os.stat(file).st_mtime_ns
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror}. Check the path.") from None
    return _of_file(str(file.resolve()), stamp)


@lru_cache(maxsize=4)
def _of_file(path: str, changed: int) -> Test:
    log = read_log(path)
    items = [item for item, _ in sampled(log)]
    bank = Bank({item.hash: item for item in items}.values(), name=clean_name(log.eval.task))
    refusal = f"{Path(path).name} is a log of what was taken already. Bring it in: mensura import {path}"
    return Test(
        test_id(log.eval.task, log.eval.task_version),
        partial(refuse, refusal),
        score=score_verdicts,
        scoring="inspect",
        bank=bank,
        administer=Logged(log),
    )


@dataclass(frozen=True)
class Logged:
    """A log that gives back what it holds: there is nobody to be asked again."""

    log: Any

    @property
    def about(self) -> dict[str, Any]:
        """Where a record comes from that is made of the log."""
        spec = self.log.eval
        return {
            "task": spec.task,
            "model": spec.model,
            "eval_id": spec.eval_id,
            "created": spec.created,
            "status": self.log.status,
            "version": spec.packages.get("inspect_ai", ""),
            "solvers": [step.solver for step in self.log.plan.steps],
        }

    def __call__(self, subject: Any, *, items: Sequence[Item], epochs: Sequence[int]) -> Iterator[Administered]:
        """Return what the log holds of some items."""
        hashes = {item.hash for item in items}
        return (one for one in administered(self.log) if one.epoch in epochs and one.item in hashes)


def read_log(path: str | Path) -> Any:
    """Read a log of Inspect, .eval or .json, with all its samples."""
    need_inspect()
    from inspect_ai.log import read_eval_log

    try:
        log = read_eval_log(str(path), resolve_attachments=True)
    except Exception as error:
        raise BadFile(f"{path} cannot be read as a log of Inspect: {str(error).splitlines()[0]:.200}") from None
    if not log.samples:
        why = f" ({log.error.message})" if log.error else ""
        raise BadFile(f"{path} holds no samples: the evaluation ended as {log.status}{why}.")
    return log


def sampled(log: Any) -> list[tuple[Item, Any]]:
    """Return each sample of a log with the item that it is, in the order of samples and epochs."""
    names = {step.solver.removeprefix("inspect_ai/") for step in log.plan.steps}
    choosing = "multiple_choice" in names or any("choice" in (sample.scores or {}) for sample in log.samples)
    made = []
    for sample in sorted(log.samples, key=lambda sample: (sample.epoch, str(sample.id))):
        try:
            item = item_of(sample, choosing=choosing, read_only=True)
        except BadFile:
            # Its choices are no choices of ours; what was said stands as text.
            item = item_of(sample, choosing=False, read_only=True)
        made.append((item, sample))
    return made


def administered(log: Any, known: Mapping[str, Item] | None = None) -> Iterator[Administered]:
    """Return what came of each sample; the same question asked again is a further epoch of one item.

    Parameters
    ----------
    known
        The items of the task by the ids of their samples, where the task was read too; None: as the log shows them.
    """
    times: Counter[str] = Counter()
    for shown, sample in sampled(log):
        item = shown if known is None else known.get(str(sample.id))
        if item is None:
            continue
        epoch = times[item.hash]
        times[item.hash] += 1
        truth = sample.target if not isinstance(item.space, Choice) else item.answer
        truths = {item.key: truth, VERDICTS: verdicts_of(sample.scores)}
        yield Administered(item.hash, epoch, _reply(item, sample), truths, _began(sample), sample.total_time)


def test_id(name: str, version: Any) -> str:
    """Name the test of a task: its own version where that is a number, else 0 with the version in the name."""
    whole = isinstance(version, int) or str(version).isdecimal()
    named = clean_name(name.removeprefix("inspect:"))
    return f"inspect:{named}{'' if whole else '/' + clean_name(str(version))}-v{version if whole else 0}"


def clean_name(name: str) -> str:
    """Leave out of a name what the id of a test cannot have."""
    return "".join(sign if sign.isascii() and (sign.isalnum() or sign in "_./-") else "-" for sign in name)


def refuse(words: str, rng: Any) -> Generator[Any, Any, None]:
    """Stand in for the dialogue of a test that nobody can take here."""
    raise BadParameter(words)
    yield


def _reply(item: Item, sample: Any) -> Any:
    """Return what the subject gave, or what came instead."""
    if sample.error is not None:
        return SubjectLost(f"Inspect met an error: {_brief(plain(sample.error.message))}")
    if sample.limit is not None and not sample.scores:
        return SubjectTimedOut(f"Inspect stopped it at its limit of {sample.limit.type}.")
    notes = _notes(sample)
    if sample.output.stop_reason == "content_filter":
        return Noted(Refused("A content filter stepped in."), notes)
    return Noted(_answer(item, sample), notes)


def _brief(words: str) -> str:
    """Keep both ends of an error: it names itself first, and says what was wrong last."""
    words = " ".join(words.replace("\\n", " ").split())
    return words if len(words) <= 200 else f"{words[:40]} ... {words[-150:]}"


def _answer(item: Item, sample: Any) -> str:
    said = plain(sample.output.completion)
    if not isinstance(item.space, Choice):
        return said
    letter = next((score.answer for score in (sample.scores or {}).values() if score.answer), None) or ""
    place = ord(letter) - ord("A") if len(letter) == 1 else -1
    return item.space.options[place] if 0 <= place < len(item.space.options) else said


def _notes(sample: Any) -> dict[str, Any]:
    usages = list(sample.model_usage.values())
    sums = {name: [getattr(one, part) for one in usages for part in parts] for name, parts in SUMMED.items()}
    counts = {name: sum(known) for name, all in sums.items() if (known := [one for one in all if one is not None])}
    limit = {} if sample.limit is None else {"limit": sample.limit.type}
    tools = list(_tools(sample.messages))
    return {
        "model": sample.output.model,
        "messages": [{"role": one.role, "content": plain(chat_text([one], read_only=True))} for one in sample.messages],
        "reply": plain(sample.output.completion),
        "finish": str(sample.output.stop_reason),
        **counts,
        **({} if sample.working_time is None else {"seconds": round(sample.working_time, 3)}),
        **({"tools": tools} if tools else {}),
        "inspect": {"sample": sample.id, "epoch": sample.epoch, "uuid": sample.uuid, **limit},
    }


def _tools(messages: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """List the calls of tools in a talk, each with what came back."""
    talk = list(messages)
    results = {one.tool_call_id: chat_text([one], read_only=True) for one in talk if one.role == "tool"}
    for message in talk:
        for call in getattr(message, "tool_calls", None) or ():
            result = plain(results.get(call.id, ""))
            yield {"name": call.function, "arguments": call.arguments, "result": result}


def _began(sample: Any) -> float | None:
    return None if not sample.started_at else datetime.fromisoformat(str(sample.started_at)).timestamp()
