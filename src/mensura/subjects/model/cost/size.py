"""Size: how long a request is, and how long it and its answer can become in tokens."""

from collections.abc import Mapping
from typing import Any

from mensura.dialogue.canonical import canonical
from mensura.subjects.model.request import Function, ModelRequest

LIMITS = ("max_tokens", "max_completion_tokens", "max_output_tokens")
"""The settings by which protocols limit how much is written."""
PICTURE = 4_000
"""Characters that a picture is taken for: a thousand tokens or so."""
DEAREST_PICTURE = 50_000
"""Tokens that no provider asks more than for one picture."""
AROUND_MESSAGE = 32
"""Tokens that providers may put around each message, at most."""
AROUND_TOOLS = 1_000
"""Tokens by which providers may explain schemas and tools to the model, at most."""


def characters_of(request: ModelRequest) -> int:
    """Count the characters of all that a model is sent: messages, schema and tools.

    >>> characters_of(ModelRequest(({"role": "user", "content": "Heads?"},)))
    6
    """
    return sum(len(part) for part in _texts(request)) + PICTURE * _pictures(request)


def most_tokens(request: ModelRequest) -> int:
    """Return how many tokens a request cannot exceed: tokenizers make at most one of each byte."""
    text = sum(len(part.encode("utf-8", "replace")) for part in _texts(request))
    tools = AROUND_TOOLS if request.schema is not None or request.tools else 0
    return text + AROUND_MESSAGE * (1 + len(request.messages)) + tools + DEAREST_PICTURE * _pictures(request)


def longest_answer(settings: Mapping[str, Any], *, otherwise: int | None = None) -> int | None:
    """Return how many tokens can be written by the settings of a request; None where nothing limits them.

    >>> longest_answer({"max_tokens": 200}), longest_answer({"max_tokens": 200, "n": 3}), longest_answer({})
    (200, 600, None)
    """
    found = [settings[name] for name in LIMITS if isinstance(settings.get(name), int)]
    limit = max(found) if found else otherwise
    several = settings.get("n", 1)
    return None if limit is None else limit * (several if isinstance(several, int) else 1)


def _texts(request: ModelRequest) -> list[str]:
    found = [] if request.schema is None else [canonical(request.schema)]
    found += [_described(function) for function in (*request.acts, *request.tools)]
    for message in request.messages:
        content = message.get("content") or ""
        found += [content] if isinstance(content, str) else [part["text"] for part in content if "text" in part]
        found += [canonical(part) for part in (*message.get("tool_calls", ()), *message.get("own", ()))]
    return found


def _described(function: Function) -> str:
    return f"{function.name}{function.about}{canonical(function.schema)}"


def _pictures(request: ModelRequest) -> int:
    contents = [message.get("content") for message in request.messages]
    return sum("text" not in part for content in contents if isinstance(content, list) for part in content)
