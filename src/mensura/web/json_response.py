"""JSON as every reader understands it: numbers that are not finite are null."""

import json
from typing import Any

from starlette.responses import Response

from mensura.dialogue.canonical import plain


class PlainJSON(Response):
    """An answer in JSON; prompts, arrays and small objects of ours are written as their data."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Write the JSON."""
        data = json.loads(json.dumps(content, default=plain))  # noqa: TID251
        return json.dumps(finite(data), ensure_ascii=False).encode()


def finite(data: Any) -> Any:
    """Replace numbers that JSON does not know by null.

    >>> finite({"a": [1.5, float("nan")]})
    {'a': [1.5, None]}
    """
    if isinstance(data, float):
        return data if data == data and abs(data) != float("inf") else None
    if isinstance(data, dict):
        return {key: finite(value) for key, value in data.items()}
    return [finite(value) for value in data] if isinstance(data, list) else data
