"""Golden transcripts: a session written down, so that any change of a test's behaviour shows as a readable diff."""

import difflib
import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from mensura.dialogue import Event, Items, session_mean
from mensura.dialogue.canonical import plain
from mensura.dialogue.streams import SPAWNED
from mensura.errors import BadFile
from mensura.json_file import parse_json
from mensura.running.checks.check import Check
from mensura.running.checks.trial import Trial

DIGITS = 9
"""Significant digits that are kept: the last ones differ between processors."""
WHOLE = 150
"""Events that are written out; of the rest only a hash is kept."""


def write_golden(trial: Trial, folder: Path) -> Path:
    """Write the transcript of the trial's first session."""
    path = golden_path(trial, folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(transcript(trial)) + "\n", encoding="utf-8")
    return path


def check_golden(trial: Trial, folder: Path | None) -> Check:
    """Compare a session with the transcript that was written down."""
    name = "golden transcript"
    if folder is None:
        return Check(name, None, "no folder of transcripts was given")
    path = golden_path(trial, folder)
    if not path.exists():
        return Check(name, None, f"there is none at {path}")
    written = path.read_text(encoding="utf-8").splitlines()
    wrote = parse_json(written[0] if written else "", path)
    if not isinstance(wrote, dict) or not isinstance(wrote.get("parameters"), dict) or "seed" not in wrote:
        raise BadFile(f"{path} is not a transcript: its first line has no parameters and seed. Write it again.")
    now = list(transcript(_as_written(trial, wrote)))
    if written == now:
        return Check(name, True, f"{len(now)} lines as in {path.name}")
    diff = list(difflib.unified_diff(written, now, "written down", "now", n=1, lineterm=""))
    shown = "\n".join(line if len(line) <= 240 else line[:237] + "..." for line in diff[:20])
    return Check(
        name,
        False,
        f"behaves differently from {path.name}. If that can move a score, raise the version; "
        f"else write the transcript again.\n{shown}",
    )


def _as_written(trial: Trial, wrote: Mapping[str, Any]) -> Trial:
    """Put the test under the parameters and seed of the transcript."""
    known = {name: value for name, value in wrote["parameters"].items() if name in trial.test.parameters}
    streams = wrote.get("streams", SPAWNED)
    return Trial(trial.test, trial.test.fill(known), seed=wrote["seed"], turns=trial.turns, streams=streams)


def golden_path(trial: Trial, folder: Path) -> Path:
    """Return the place of a test's transcript."""
    return folder / f"{trial.test.id.replace('/', '_').replace(':', '_')}.jsonl"


def transcript(trial: Trial) -> Iterator[str]:
    """Write a session line by line: its head, its events, its truths and its scores."""
    held = trial.first
    head = {"test": trial.test.id, "parameters": dict(trial.parameters), "seed": trial.seed, "subject": "chance"}
    yield _line(head if trial.streams == SPAWNED else {**head, "streams": trial.streams})
    events = [_line(_said(event)) for event in held.events if event.kind != "digest"]
    yield from events[:WHOLE]
    if len(events) > WHOLE:
        rest = "\n".join(events[WHOLE:])
        yield _line({"further events": len(events) - WHOLE, "hash": sha256(rest.encode()).hexdigest()[:16]})
    yield _line({"truths": dict(list(held.truths.items())[:WHOLE])})
    values = held.scores().values
    yield _line({"scores": {name: _mean(value) for name, value in sorted(values.items())}})


def _said(event: Event) -> dict[str, Any]:
    said: dict[str, Any] = {"kind": event.kind, "role": event.role, "key": event.key, "tick": event.tick}
    # Of a save only the test's own state: generators are not for reading.
    said["value"] = event.value["state"] if event.kind == "save" else event.value
    for name in ("reward", "until", "notes", "content"):
        said[name] = getattr(event, name)
    return {name: value for name, value in said.items() if value not in (None, "", 0) or name == "tick"}


def _line(value: Any) -> str:
    data = json.loads(json.dumps(value, default=plain))  # noqa: TID251
    return json.dumps(rounded(data), ensure_ascii=False)


def rounded(value: Any) -> Any:
    """Round every number in a JSON value to the digits that are kept."""
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, Mapping):
        return {name: rounded(inner) for name, inner in value.items()}
    return [rounded(inner) for inner in value] if isinstance(value, list) else value


def _mean(value: Items | float) -> Any:
    mean = session_mean(value)
    return None if mean != mean else mean
