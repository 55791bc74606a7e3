"""jsPsych: what was asked and answered, in the shape of data that jsPsych gives and its analysis scripts read."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mensura.dialogue import Record
from mensura.dialogue.record import Answer
from mensura.store.archive.tables import Told
from mensura.store.head import RunHead
from mensura.store.store import Store

Trial = dict[str, Any]
NAME = "jspsych.json"


def trials(store: Store, heads: Sequence[RunHead], sessions: Told) -> Iterator[Trial]:
    """Yield a trial for each ask, session by session, as `jsPsych.data.get().values()` would for all participants.

    Times are whole milliseconds. Answers that were a list of trials already, as from a page that runs jsPsych, stand as
    the trials that they are.
    """
    for head in heads:
        told = {session.id for session in sessions[head.id]}
        for record, truths in store.records.with_truths(head.id):
            if record.session not in told:
                continue
            facts = {"run": head.id, "session": record.session, "test": head.test, "condition": head.condition}
            times = {event.number: event.time for event in store.events.of(record.session) if event.time is not None}
            made = [one for answer in record.answers for one in _trials_of(record, answer, truths, times)]
            for index, trial in enumerate(made):
                yield {"trial_index": index, "internal_node_id": f"0.0-{index}.0", **trial, **facts}


def write_trials(store: Store, heads: Sequence[RunHead], path: Path, sessions: Told) -> tuple[Path, int]:
    """Write the trials as one JSON file, named so or in a folder; returns where, and how many there are."""
    target = path if path.suffix == ".json" else path / NAME
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = list(trials(store, heads, sessions))
    part = target.with_name(f".{target.name}.part")
    part.touch(mode=0o600)
    part.write_text(json.dumps(found, indent=1, ensure_ascii=False, default=str), encoding="utf-8")
    part.replace(target)
    return target, len(found)


def _trials_of(record: Record, answer: Answer, truths: Mapping[str, Any], times: Mapping[int, float]) -> list[Trial]:
    asked = {"key": answer.key, "role": answer.role, "status": answer.status}
    if _is_trials(answer.value):
        # Their own numbers and times say more than the time of the whole page.
        return [{**one, **asked} for one in answer.value]
    content = record.content(answer.number) or {}
    return [
        {
            "trial_type": answer.kind,
            "time_elapsed": _elapsed(answer, times),
            "rt": None if answer.seconds is None else round(1000 * answer.seconds),
            "stimulus": content.get("prompt"),
            "response": answer.value,
            "correct_response": truths.get(answer.key),
            **asked,
        }
    ]


def _is_trials(value: Any) -> bool:
    rows = value if isinstance(value, list) else []
    return bool(rows) and all(isinstance(one, dict) and "trial_type" in one for one in rows)


def _elapsed(answer: Answer, times: Mapping[int, float]) -> int | None:
    """Return the milliseconds from the beginning of the session to the end of a trial; None where that is unknown."""
    asked = times.get(answer.number)
    if asked is None or answer.seconds is None:
        return None
    return round(1000 * (asked - min(times.values()) + answer.seconds))
