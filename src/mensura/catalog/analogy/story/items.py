"""Items of the story test: a story, one of the same structure, and a lure of the same events otherwise connected."""

import csv
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Literal

from mensura.catalog.analogy.own.stories import own_stories, read_stories
from mensura.dialogue.canonical import short_hash
from mensura.errors import BadFile
from mensura.json_file import loads
from mensura.stats import Estimate, Observations, Scale, estimate_score
from mensura.text_file import read_text

Version = Literal["original", "rewritten"]
FILES = {
    "original": ("all_tasks_dict_orig.json", "data_stories_original.csv"),
    "rewritten": ("all_tasks_dict_new.json", "data_stories_rewritten.csv"),
}
ATTENTION = "Attn"
"""How entries begin that only check whether people read on; they are no items."""
PARTS = ("Story_1", "Story_A", "Story_B")


@dataclass(frozen=True)
class StoryItem:
    """One item; the texts of file and of ours have the analog first, so the order must be mixed before it is shown."""

    id: str
    base: str
    analog: str
    lure: str

    @property
    def address(self) -> str:
        """A name by content that tells nothing of what is right."""
        return short_hash(sorted([self.base, self.analog, self.lure]))[:12]


@cache
def read_items(data: str, version: Version = "original") -> tuple[StoryItem, ...]:
    """Read the items of a folder of story analogies, of a file of stories, or ours where nothing is named."""
    if not data:
        return tuple(StoryItem(one.id, one.base, one.analog, one.lure) for one in own_stories())
    place = Path(data).expanduser()
    if place.suffix == ".jsonl":
        return tuple(StoryItem(one.id, one.base, one.analog, one.lure) for one in read_stories(place))
    file = place / FILES[version][0] if place.is_dir() else place
    try:
        held = loads(read_text(file))
    except json.JSONDecodeError as error:
        raise BadFile(f"{file} is not JSON: {error.msg} in line {error.lineno}.") from None
    if not isinstance(held, dict):
        raise BadFile(f"{file} is an object of tasks by name; got a {type(held).__name__}.")
    found = []
    for name, task in held.items():
        if name.startswith(ATTENTION):
            continue
        if not isinstance(task, dict) or not all(isinstance(task.get(part), str) for part in PARTS):
            raise BadFile(f"{file}: {name!r} needs the texts {', '.join(PARTS)}.")
        found.append(StoryItem(name, *(task[part] for part in PARTS)))
    if not found:
        raise BadFile(f"{file} holds no stories.")
    return tuple(found)


def analog_is_second(items: Sequence[StoryItem]) -> dict[str, bool]:
    """Return for each item whether its analog is shown as the second of both: in every other, by their addresses.

    The order is drawn by content, so that everyone meets the same items and results pair; who always answers with one
    place is right in half of them.
    """
    ordered = sorted(item.address for item in items)
    return {address: place % 2 == 1 for place, address in enumerate(ordered)}


@dataclass(frozen=True)
class PeopleAnswers:
    """What people made of the same items: their accuracy, how many answers and how many of them.

    `share` is that of all answers; `accuracy` lets every item count the same and generalises to people and items.
    """

    accuracy: Estimate
    share: float
    answers: int
    people: int


def read_people(data: str, version: Version = "original") -> PeopleAnswers | None:
    """Read the answers of people beside the items, over people and items like these; None where there are none."""
    file = Path(data).expanduser() / FILES[version][1] if data else None
    if file is None or not file.is_file():
        return None
    rows = list(csv.DictReader(StringIO(read_text(file))))
    try:
        right = [float(row["response"] == row["prob_ind"]) for row in rows]
        seen = Observations(right, items=[row["task"] for row in rows], sessions=[row["id"] for row in rows])
    except KeyError as error:
        raise BadFile(f"{file} has no column {error.args[0]}; id, task, response and prob_ind are read.") from None
    found = estimate_score(seen, population="people and items", scale=Scale(binary=True))
    return PeopleAnswers(found, sum(right) / len(right), len(rows), len({row["id"] for row in rows}))
