"""The text that a person typed, as it was sent, and earlier changes: kept with every answer, as part of it."""

import json
from collections.abc import Mapping
from typing import Any

from mensura.dialogue import Answer
from mensura.dialogue.spaces.base import answer_fields
from mensura.dialogue.spaces.text import storable
from mensura.json_file import loads

MOST_FIELDS = 100
LONGEST_SHOWN = 1e7
LONGEST_TEXT = 200
MOST_CHANGES = 300
LONGEST = 90_000
CUT = "…"
"""The field of a last change that stands for all that came after."""


def typed_fields(form: Mapping[str, str], value: Any) -> dict[str, str]:
    """Return the fields of an answer as they were sent, but those that are in the answer as they stand, and long ones.

    >>> typed_fields({"answer.a": "60 %", "answer.b": "40", "answer.why": "so", "csrf": "x"}, {"a": 0.6, "why": "so"})
    {'answer.a': '60 %', 'answer.b': '40'}
    """
    given = json.dumps(value, default=str)
    texts = {name: text for name, text in form.items() if name.split(".")[0] in ("answer", "arguments") and text}
    kept = {name: text for name, text in texts.items() if _short(text) and json.dumps(text) not in given}
    return {name: kept[name] for name in list(kept)[:MOST_FIELDS] if _short(name)}


def filled(answer: Answer) -> dict[str, str]:
    """Return the fields that an answer fills in: as they were typed, else as its value is written.

    >>> filled(Answer(1, "subject", "p", "probability", 0.6, notes={"typed": {"answer": "60 %"}}))
    {'answer': '60 %'}
    """
    return dict(answer_fields(answer.value)) | ((answer.notes or {}).get("typed") or {})


def read_changes(text: str) -> list[list[Any]]:
    """Read what a page says was changed: [seconds since it was shown, field, value]; nonsense is dropped.

    >>> read_changes('[[1.5, "answer", "0.6"], [2, "answer", "60 %"], ["x", "answer", "1"], 7]')
    [[1.5, 'answer', '0.6'], [2, 'answer', '60 %']]
    """
    if not text or len(text) > LONGEST:
        return []
    try:
        found = loads(text)
    except (ValueError, RecursionError):
        return []
    kept = [change for change in found if _is_change(change)] if isinstance(found, list) else []
    return kept if len(kept) <= MOST_CHANGES else [*kept[:MOST_CHANGES], [kept[MOST_CHANGES][0], CUT, ""]]


def add_try(changes: list[list[Any]], form: Mapping[str, str], seconds: float | None) -> str:
    """Return the changes, with an answer that was refused, for the page that comes back; without a clock at 0 seconds.

    >>> add_try([[0, "answer", ".6"]], {"answer": "0.6"}, None)
    '[[0, "answer", ".6"], [0, "answer", "0.6"]]'
    """
    last = {field: text for _, field, text in changes}
    tried = {field: text for field, text in typed_fields(form, None).items() if last.get(field) != text}
    return json.dumps([*changes, *([seconds or 0, field, text] for field, text in tried.items())])


def _is_change(change: Any) -> bool:
    if not isinstance(change, list) or len(change) != 3 or not all(isinstance(part, str) for part in change[1:]):
        return False
    seconds, *texts = change
    if not isinstance(seconds, (int, float)) or isinstance(seconds, bool) or not 0 <= seconds < 1e9:
        return False
    return all(_short(part) for part in texts)


def _short(text: str) -> bool:
    return len(text) <= LONGEST_TEXT and storable(text)


def whole_number(form: Mapping[str, str], name: str) -> int | None:
    """Read a whole number that a page sends; None where it is none."""
    try:
        return int(form.get(name, ""))
    except ValueError:
        return None


def seconds_shown(form: Mapping[str, str]) -> float | None:
    """Read how long the page says it showed the ask; None where it does not say, or says nonsense."""
    try:
        seconds = float(form.get("shown", ""))
    except ValueError:
        return None
    return seconds if 0 <= seconds <= LONGEST_SHOWN else None
