"""Our stories: twelve, each with one of the same structure, one of the same events otherwise connected, and pairs."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from mensura.catalog.analogy.document.rows import rows_of
from mensura.catalog.analogy.own.texts import FOLDER
from mensura.errors import BadFile

FORM = '{"id": "a", "base": "...", "analog": "...", "lure": "...", "pairs": [["dam", "battery"]], "loose": [[], []]}'


@dataclass(frozen=True)
class OwnStory:
    """A story, its analog and its lure, which concept of it plays whose part, and concepts that play nobody's."""

    id: str
    base: str
    analog: str
    lure: str
    pairs: Mapping[str, str]
    loose: tuple[tuple[str, ...], tuple[str, ...]]

    @classmethod
    def read(cls, line: Mapping[str, Any]) -> "OwnStory":
        """Read it from its JSON."""
        loose = (tuple(line["loose"][0]), tuple(line["loose"][1]))
        return cls(line["id"], line["base"], line["analog"], line["lure"], dict(line["pairs"]), loose)


@cache
def own_stories() -> tuple[OwnStory, ...]:
    """Return our twelve stories."""
    return read_stories(FOLDER / "stories.jsonl")


def read_stories(file: Path) -> tuple[OwnStory, ...]:
    """Read stories with their analogs and correspondences, a line of JSON each."""
    found: dict[str, OwnStory] = {}
    for number, story in rows_of(file, OwnStory.read, form=FORM):
        if story.id in found:
            raise BadFile(f"{file}:{number}: there is another story called {story.id!r}.")
        found[story.id] = story
    if not found:
        raise BadFile(f"{file} holds no stories.")
    return tuple(found.values())
