"""Wire: lines of JSON over TCP, as the hub and its agents write them. docs/constraints.md has the table of lines."""

import asyncio
import json
from typing import Any

import numpy as np

from mensura.errors import Invalid

LONGEST = 16 * 2**20
"""The longest line in bytes; who sends a longer one is let go."""


def line_of(message: dict[str, Any]) -> bytes:
    """Write one message as a line."""
    return json.dumps(message, default=_plain, separators=(",", ":")).encode() + b"\n"


async def read_line(reader: asyncio.StreamReader) -> dict[str, Any] | None:
    """Read one message; None where the other side has left.

    Raises
    ------
    Invalid
        Where the line is too long, or no object of JSON.
    """
    try:
        line = await reader.readline()
    except (ConnectionError, TimeoutError):
        return None
    except ValueError:
        raise Invalid(f"A line is at most {LONGEST // 2**20} MiB long.") from None
    if not line.endswith(b"\n"):
        return None
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        raise Invalid(f"Every line is an object of JSON; got {line[:60]!r}.") from None
    if not isinstance(message, dict):
        raise Invalid(f"Every line is an object of JSON; got {line[:60]!r}.")
    return message


def _plain(value: Any) -> Any:
    # JSON knows no infinity: null stands for what is forbidden.
    if isinstance(value, np.ndarray):
        return np.where(np.isfinite(value), value.astype(object), np.array(None)).tolist()
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} is no JSON")
