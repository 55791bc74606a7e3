"""Words: values, times and events as experimenters read them, and views as JSON."""

import json
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from math import isfinite
from typing import Any

import numpy as np
from markupsafe import Markup, escape

from mensura.dialogue.canonical import plain
from mensura.exhibit import Exhibit
from mensura.stats.wording import duration

KINDS = {
    "ask": "asked",
    "tell": "told",
    "answer": "answered",
    "revise": "changed an earlier answer",
    "invalid": "invalid answer",
    "refuse": "declined",
    "abstain": "abstained",
    "lapse": "time ran out",
    "fail": "failed",
    "forfeit": "left unanswered after the failure",
    "withdraw": "question taken back",
    "join": "joined",
    "leave": "left",
    "replace": "replaced",
    "pause": "paused",
    "unpause": "went on",
    "save": "saved",
    "digest": "digest",
    "end": "ended",
}
STATUSES = {"timed_out": "timed out", "open": "under way", "lost": "could not be reached"}


def status_words(status: str) -> str:
    """Return how a session stands.

    >>> status_words("timed_out"), status_words("finished"), status_words("lost")
    ('timed out', 'finished', 'could not be reached')
    """
    return STATUSES.get(status, status)


def sentence(text: str) -> Markup:
    """Return a sentence for a page; text between backticks is shown as code.

    >>> sentence("More than 1 needs `--show play` & a < b.")
    Markup('More than 1 needs <code>--show play</code> &amp; a &lt; b.')
    """
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def value_words(value: Any) -> str:
    """Write an answer or a truth in one line.

    >>> value_words(0.25), value_words("yes"), value_words({"a": 1}), value_words(None)
    ('0.25', 'yes', '{"a": 1}', '–')
    """
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return f"{value:.6g}"
    data = json.loads(json.dumps(value, default=plain))  # noqa: TID251
    return json.dumps(_short(data), ensure_ascii=False)


def _short(value: Any) -> Any:
    """Cut the numbers inside a value to the digits that are read."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {name: _short(each) for name, each in value.items()}
    return [_short(each) for each in value] if isinstance(value, list) else value


def when(moment: float | None) -> str:
    """Write a moment; all times are in UTC, so that nobody needs to know where the server stands.

    >>> when(0.0), when(None)
    ('1970-01-01 00:00:00', '–')
    """
    return "–" if moment is None else datetime.fromtimestamp(moment, tz=UTC).strftime("%Y-%m-%d %H:%M:%S")


def span(seconds: float | None) -> str:
    """Write how long something took, a dash where that is not known."""
    return "–" if seconds is None else duration(seconds)


def as_json(value: Any) -> Any:
    """Return a view as JSON: dataclasses as objects, unknown and endless numbers as null."""
    if isinstance(value, str) or value is None or isinstance(value, bool):
        return value
    if isinstance(value, (float, np.floating)):
        return float(value) if isfinite(value) else None
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, Exhibit):
        return as_json(value.as_json())
    if isinstance(value, Mapping):
        return {str(key): as_json(part) for key, part in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: as_json(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, np.ndarray):
        return as_json(value.tolist())
    if isinstance(value, (list, tuple, set, frozenset)):
        return [as_json(part) for part in value]
    return as_json(plain(value)) if not isinstance(value, bytes) else None
