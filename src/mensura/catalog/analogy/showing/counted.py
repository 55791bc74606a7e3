"""What a session was asked about: its texts, so that word counting can be set beside any subject."""

from collections.abc import Mapping
from typing import Any

from mensura.dialogue import Record


def texts_asked(record: Record, truths: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return key → the texts that were shown; empty where prompts were not kept."""
    texts = {}
    for answer in record.answers:
        if answer.key in truths:
            content = record.content(answer.number)
            if content is None:
                return {}
            texts[answer.key] = [document["text"] for document in content["prompt"]["documents"]]
    return texts
