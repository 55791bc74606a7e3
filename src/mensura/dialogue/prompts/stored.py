"""Stored prompts: what was shown, read back from a record as words."""

from collections.abc import Mapping
from typing import Any

from mensura.dialogue.canonical import canonical
from mensura.dialogue.prompts.table import TableView

PLAYED = {"image": "Picture", "audio": "Recording", "video": "Film"}


def stored_text(prompt: Any) -> str:
    """Return a stored prompt in plain text.

    >>> stored_text(["Look:", {"kind": "image", "words": "a door"}])
    'Look:\\n\\n[Picture: a door]'
    """
    if isinstance(prompt, str):
        return prompt
    if isinstance(prompt, Mapping):
        kind = prompt.get("kind")
        if kind == "beside":
            return stored_text(prompt["shown"])
        if kind in PLAYED:
            return f"[{PLAYED[kind]}: {prompt.get('words', '')}]"
        if kind == "table":
            return TableView(prompt["columns"], prompt["rows"], prompt.get("title", "")).text()
        return canonical({name: value for name, value in prompt.items() if name != "kind"})
    return "\n\n".join(stored_text(part) for part in prompt)
