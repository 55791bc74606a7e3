"""Our stories: twelve, each with one of the same structure, one of the same events otherwise connected, and pairs."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from mensura.catalog.analogy.own.texts import FOLDER
from mensura.errors import BadFile
from mensura.text_file import read_text

NEEDED = ("id", "base", "analog", "lure", "pairs", "loose")


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
    for number, line in enumerate(read_text(file).splitlines(), start=1):
        if not line.strip():
            continue
        try:
            story = OwnStory.read(json.loads(line))
        except json.JSONDecodeError as error:
            raise BadFile(f"{file}, line {number} is not JSON: {error.msg}.") from None
        except (KeyError, TypeError, ValueError, IndexError):
            raise BadFile(
                f"{file}, line {number}: a story has {', '.join(NEEDED)}; `pairs` are of two words, `loose` two lists."
            ) from None
        if story.id in found:
            raise BadFile(f"{file}, line {number}: there is another story called {story.id!r}.")
        found[story.id] = story
    if not found:
        raise BadFile(f"{file} holds no stories.")
    return tuple(found.values())
