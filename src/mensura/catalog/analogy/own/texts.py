"""Our expository texts: for each of five topics one that serves as a source, and one written apart from it."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mensura.json_file import loads

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class OwnText:
    """A topic: its source, a text on the same written apart, and the concepts that the source speaks of."""

    id: str
    title: str
    source: str
    independent: str
    concepts: tuple[str, ...]


@cache
def own_texts() -> tuple[OwnText, ...]:
    """Return the five topics."""
    lines = map(loads, (FOLDER / "texts.jsonl").read_text(encoding="utf-8").splitlines())
    return tuple(OwnText(**{**line, "concepts": tuple(line["concepts"])}) for line in lines)
