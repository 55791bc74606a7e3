"""Protocol: how a subject outside this process is asked, as lines of JSON.

Every message to the subject is one JSON object on one line, with a `type`:

``{"type": "begin", "protocol": 1, "test": "coin-v1", "role": "subject", "seed": 123}``
    A session begins; all chance should come from the seed. `role` is the role that the subject plays in it: each role
    of a session is another conversation.
``{"type": "ask", "number": 1, "key", "role", "prompt", "text", "space", "schema", "until", "reward"}``
    A question, to be answered by one line. `text` says the prompt in words, `prompt` is the data of it; `schema` is
    the JSON schema of valid answers, `space` names the space and its bounds; `reward` is for the previous answer,
    `until` is the tick at which the ask lapses; either may be null.
``{"type": "tell", "key", "role", "prompt", "text", "reward"}``
    Something to know; no reply. An answer that was not valid is told so, and the ask comes again.
``{"type": "remember", "key", "role", "prompt", "text", "space", "schema", "answer"}``
    A session that was interrupted goes on; this was asked and answered before. No reply.
``{"type": "end", "prompt", "text", "reward", "truncated"}``
    The session is over; no reply. Another begins only where the subject has said that it serves many.

A reply is one JSON object on one line:

``{"answer": ...}``
    The answer; `notes`, an object, may come with it and goes into the record.
``{"refuse": "reason"}``, ``{"abstain": "I do not know"}``
    The subject declines.
``{"wait": true}``
    The subject lets the ask lapse at its deadline.

Each session is taken by a program that is started for it. One that answers `begin` by the line ``{"sessions": "many"}``
may be kept and begun again instead, and the record says so.

A subject that learns in courses may say that it can be frozen, branched and probed. It is asked only where a course
needs to know:

``{"type": "able"}``
    To be answered, whenever it comes, by ``{"able": ["learning", "snapshot", "restore", "knowledge", "pause"]}`` with
    what it can do of these. One that does not answer within `start_seconds`, or says something else, can do nothing.
``{"type": "learning", "value": false}``
    From here on nothing may be learned, until a `value` of true. No reply.
``{"type": "snapshot", "number": 7}``
    To be answered by ``{"state": ...}``: all that was learned, as JSON of finite numbers.
``{"type": "restore", "state": ...}``
    All that was learned since that state was given is forgotten. No reply.
``{"type": "knowledge", "number": 8}``
    To be answered by ``{"knowledge": 12.5}``, a number that grows with what was learned.
``{"type": "pause", "seconds": 3600}``
    So much time passes before the next session; what fades with time fades. No reply.

A reply may repeat the `number` of its ask; one with another number is left aside. Numbers that are not finite are
written as null. A subject should leave out what it does not know and pass over types that it does not know.
"""

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from mensura.dialogue import Abstained, Ask, Noted, Outcome, Refused, Space, Wait, prompt_data, prompt_text
from mensura.dialogue.canonical import plain
from mensura.json_file import loads

VERSION = 1
MANY = "many"
"""The value of `sessions` of a subject that can serve one after the other."""
MOST_SPACES = 1000
_spaces: dict[str, str] = {}


class Unreadable:
    """A reply that is not an answer of any form; every space refuses it and quotes its text."""

    def __init__(self, text: str) -> None:
        text = storable(text)
        self.text = text if len(text) <= 2000 else text[:1000] + " ... " + text[-1000:]

    def __repr__(self) -> str:
        return f"the unreadable reply {self.text!r}"


def begin_message(rng: np.random.Generator, *, test: str, role: str) -> dict[str, Any]:
    """State that a session begins, with a seed drawn from the subject's own generator."""
    return {"type": "begin", "protocol": VERSION, "test": test, "role": role, "seed": int(rng.integers(2**53))}


def tell_message(told: Ask) -> dict[str, Any]:
    """Tell something."""
    return {
        "type": "tell",
        "key": told.key,
        "role": told.role,
        "prompt": prompt_data(told.prompt),
        "text": prompt_text(told.prompt),
        "reward": told.reward,
    }


def end_message(outcome: Outcome) -> dict[str, Any]:
    """State that a session is over."""
    return {
        "type": "end",
        "prompt": prompt_data(outcome.prompt),
        "text": prompt_text(outcome.prompt),
        "reward": outcome.reward,
        "truncated": outcome.truncated,
    }


def ask_message(ask: Ask, *, number: int) -> dict[str, Any]:
    """Ask, as a JSON object.

    >>> from mensura.dialogue import Probability
    >>> message = ask_message(Ask("Heads?", Probability(), key="coin1"), number=1)
    >>> message["text"], message["schema"]
    ('Heads?', {'type': 'number', 'minimum': 0, 'maximum': 1})
    """
    return {**_asked(ask, number), **_described(ask.space)}


def ask_line(ask: Ask, *, number: int) -> bytes:
    """Ask, as one line; the description of a space is written once however often it is asked for."""
    space = ask.space
    assert space is not None
    described = _spaces.get(space.fingerprint)
    if described is None:
        if len(_spaces) >= MOST_SPACES:
            _spaces.clear()
        described = _spaces[space.fingerprint] = written(_described(space))[1:]
    return f"{written(_asked(ask, number))[:-1]},{described}\n".encode()


def line(message: Mapping[str, Any]) -> bytes:
    """Write a message as one line."""
    return (written(message) + "\n").encode()


def written(value: Any) -> str:
    """Write JSON that every language reads: what is not finite becomes null.

    >>> written({"reading": [1.5, float("nan")]})
    '{"reading":[1.5,null]}'
    """
    try:
        return json.dumps(value, separators=(",", ":"), default=plain, allow_nan=False)
    except ValueError:
        return json.dumps(_finite(value), separators=(",", ":"))


def read_reply(text: bytes | str) -> tuple[Any, Any]:
    """Read a reply: what the subject gives back, and the number of the ask that it says it answers, or None.

    >>> read_reply('{"answer": 0.5, "number": 3}')
    (0.5, 3)
    >>> read_reply("what?")
    (the unreadable reply 'what?', None)
    """
    shown = text.decode(errors="replace") if isinstance(text, bytes) else text
    try:
        reply = read_json(shown)
    except ValueError:
        return Unreadable(shown.strip()), None
    if not isinstance(reply, dict):
        return Unreadable(shown.strip()), None
    return _given(reply, shown), reply.get("number")


def says_many(text: bytes) -> bool:
    """Return whether a line says that the subject serves many sessions.

    >>> says_many(b'{"sessions": "many"}'), says_many(b'{"answer": "sessions"}')
    (True, False)
    """
    if b'"sessions"' not in text:
        return False
    try:
        said = loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(said, dict) and said.get("sessions") == MANY and "answer" not in said


def read_json(text: str) -> Any:
    """Read JSON that can also be stored: without NUL, without halves of characters; raises ValueError."""
    value = loads(text)
    if "\\u" in text and storable(again := json.dumps(value, ensure_ascii=False)) != again:
        raise ValueError("holds half a character")
    if "\\u0000" in text:
        raise ValueError("holds NUL")
    return value


def storable(text: str) -> str:
    """Replace what no store can hold: NUL, and halves of characters that stand alone.

    >>> storable("a\\x00b\\ud800c")
    'a?b?c'
    """
    return text.replace("\x00", "?").encode(errors="replace").decode()


def _given(reply: dict[str, Any], shown: str) -> Any:
    notes = reply.get("notes")
    if "answer" in reply:
        return Noted(reply["answer"], notes) if isinstance(notes, dict) else reply["answer"]
    for name, kind in (("refuse", Refused), ("abstain", Abstained)):
        if name in reply:
            declined = kind(reply[name] if isinstance(reply[name], str) else "")
            return Noted(declined, notes) if isinstance(notes, dict) else declined
    return Wait() if reply.get("wait") is True else Unreadable(shown.strip())


def _asked(ask: Ask, number: int) -> dict[str, Any]:
    return {
        "type": "ask",
        "number": number,
        "key": ask.key,
        "role": ask.role,
        "prompt": prompt_data(ask.prompt),
        "text": prompt_text(ask.prompt),
        "until": ask.until,
        "reward": ask.reward,
    }


def _described(space: Space | None) -> dict[str, Any]:
    assert space is not None
    return {"space": space.described(), "schema": space.schema()}


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(part) for part in value]
    return value if value is None or isinstance(value, (str, int)) else _finite(plain(value))
