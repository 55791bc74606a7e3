"""Inspect's log: a run as a file that `inspect view` opens and Inspect's own functions read."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mensura.errors import BadFile, MissingExtra
from mensura.store.archive.export import Exported
from mensura.store.archive.told import SEALED, ToldAnswer, told_answers
from mensura.store.archive.writer import seeds_of
from mensura.store.head import RunHead
from mensura.store.store import Store
from mensura.text_file import unwritable

FAILED = ("crashed", "lost", "broken", "timed_out", "expired")
"""How sessions end whose samples Inspect shows as errors."""
STOPS = ("stop", "max_tokens", "model_length", "tool_calls", "content_filter")


def export_log(store: Store, run: str, path: str | Path) -> Exported:
    """Write a run as a log of Inspect, one sample for each ask and epoch.

    Truths and scores go along only once the run is over and opened; secret seeds and keys never do.
    """
    try:
        from inspect_ai.log import EvalLog, EvalPlan, EvalPlanStep, EvalStats, write_eval_log
    except ImportError:
        raise MissingExtra("Logs of Inspect", package="inspect-ai", extra="inspect") from None
    head = store.runs.find(run)
    times: Counter[tuple[str, int]] = Counter()
    told = list(told_answers(store, head))
    samples = [_sample(one, times) for one in told]
    if not samples:
        raise BadFile(f"{head.id} holds no answers to write: it was stored without them, or nobody has answered yet.")
    open_now = any(one.session.status == "open" for one in told)
    log = EvalLog(
        status="started" if open_now else "success",
        eval=_spec(head, samples),
        plan=EvalPlan(steps=[EvalPlanStep(solver="mensura")]),
        results=_results(samples),
        stats=EvalStats(started_at=_time(head.created), completed_at=_time(_ended(told, head))),
        samples=samples,
    )
    target = Path(path)
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        target.touch(mode=0o600)
        write_eval_log(log, str(target), format="json" if target.suffix == ".json" else "eval")
    except OSError as error:
        raise unwritable(path, error) from error
    note = "" if head.opened else SEALED
    return Exported([target], {"samples": len(samples)}, seeds_of([head], with_seeds=False), note=note)


def _spec(head: RunHead, samples: Iterable[Any]) -> Any:
    from inspect_ai.log import EvalConfig, EvalDataset, EvalSpec

    ids = list(dict.fromkeys(sample.id for sample in samples))
    return EvalSpec(
        eval_id=head.id,
        run_id=head.id,
        created=_time(head.created),
        task=head.test.rsplit("-v", 1)[0],
        task_id=head.id,
        task_version=head.test.rpartition("-v")[2] or 0,
        task_args=dict(head.parameters),
        dataset=EvalDataset(name=head.test, samples=len(ids), sample_ids=ids),
        model=", ".join(head.who) or "none",
        config=EvalConfig(epochs=max(sample.epoch for sample in samples)),
        packages={"mensura": version("mensura")},
        metadata={
            "mensura_run": head.id,
            "cast": dict(head.cast),
            "condition": head.condition,
            "seed": str(head.seed) if head.seed_public else "secret",
            "environment": head.environment_hash,
            "truth": "open" if head.opened else "sealed",
        },
    )


def _sample(told: ToldAnswer, times: Counter[tuple[str, int]]) -> Any:
    from inspect_ai.log import EvalError, EvalSample
    from inspect_ai.model import ModelOutput, ModelUsage
    from inspect_ai.scorer import Score

    epoch = told.address.session + 1
    times[told.name, epoch] += 1
    again = times[told.name, epoch]
    notes = told.notes
    model = str(notes.get("model") or told.record.cast.get(told.answer.role, "") or "none")
    counts = {name: notes.get(ours) or 0 for name, ours in USAGE.items()}
    usage = ModelUsage(**counts, total_tokens=sum(counts.values()), total_cost=notes.get("cost"))
    finish = str(notes.get("finish") or "stop")
    reply = str(notes.get("reply") or told.said)
    output = ModelOutput.from_content(model, reply, stop_reason=finish if finish in STOPS else "unknown")
    failed = told.record.status in FAILED and told.answer.status != "answered"
    counted = {model: usage} if any(counts.values()) else {}
    output.usage = usage if counted else None
    words = told.record.last_words or told.record.status
    return EvalSample(
        id=told.name if again == 1 else f"{told.name}#{again}",
        epoch=epoch,
        input=told.prompt,
        choices=list(told.space.get("options") or ()) or None,
        target=_target(told),
        messages=_messages(told, reply),
        output=output,
        scores={name: Score(value=value, answer=_answer(told)) for name, value in told.scores.items()} or None,
        metadata=_facts(told),
        model_usage=counted,
        started_at=_time(told.asked_at),
        completed_at=None if told.answer.seconds is None else _time((told.asked_at or 0) + told.answer.seconds),
        total_time=told.answer.seconds,
        uuid=f"{told.session.id}#{told.answer.number}",
        error=EvalError(message=words, traceback=words, traceback_ansi=words) if failed else None,
    )


USAGE = {"input_tokens": "tokens_in", "output_tokens": "tokens_out"}


def _target(told: ToldAnswer) -> Any:
    truth = told.truth
    if truth is None:
        return ""
    return [str(one) for one in truth] if isinstance(truth, list) else _letter(told, truth) or str(truth)


def _answer(told: ToldAnswer) -> str:
    return _letter(told, told.answer.value) or told.said


def _letter(told: ToldAnswer, value: Any) -> str:
    """Return the letter by which Inspect knows a choice; "" where it has none."""
    options = list(told.space.get("options") or ())
    return chr(ord("A") + options.index(value)) if value in options[:26] else ""


def _messages(told: ToldAnswer, reply: str) -> list[Any]:
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser

    kinds: dict[Any, Any] = {"system": ChatMessageSystem, "assistant": ChatMessageAssistant}
    said = [
        kinds.get(one.get("role"), ChatMessageUser)(content=_content(one.get("content")))
        for one in told.notes.get("messages") or ()
        if isinstance(one, Mapping)
    ]
    last = bool(said) and said[-1].role == "assistant"
    return (said or [ChatMessageUser(content=told.prompt)]) + ([] if last else [ChatMessageAssistant(content=reply)])


def _content(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text") or f"[{part.get('type')}]") for part in content or () if part)


def _facts(told: ToldAnswer) -> dict[str, Any]:
    facts = {
        "session": told.session.id,
        "item": told.address.item,
        "role": told.answer.role,
        "outcome": told.answer.status,
        "session_status": told.record.status,
        "space": told.space.get("kind", told.answer.kind),
        "invalid_answers": told.answer.invalid,
        "excluded": told.excluded,
    }
    return {name: fact for name, fact in facts.items() if fact not in ("", 0, None)}


def _results(samples: list[Any]) -> Any:
    """Average each score over items, each item over its epochs; intervals are in our report."""
    from inspect_ai.log import EvalMetric, EvalResults, EvalScore

    found: dict[str, dict[str, list[float]]] = {}
    for sample in samples:
        for name, score in (sample.scores or {}).items():
            found.setdefault(name, {}).setdefault(str(sample.id), []).append(float(score.value))
    scores = []
    for name, items in found.items():
        mean = sum(sum(values) / len(values) for values in items.values()) / len(items)
        metrics = {"mean": EvalMetric(name="mean", value=mean)}
        count = sum(map(len, items.values()))
        scores.append(EvalScore(name=name, scorer=name, scored_samples=count, metrics=metrics))
    done = sum(sample.error is None for sample in samples)
    return EvalResults(total_samples=len(samples), completed_samples=done, scores=scores)


def _ended(told: list[ToldAnswer], head: RunHead) -> float:
    return max((one.session.ended or head.created for one in told), default=head.created)


def _time(seconds: float | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat()
