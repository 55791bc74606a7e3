"""The story test: say which of two stories has the same structure as the first."""

from collections.abc import Generator
from typing import Annotated, Any, Literal

import numpy as np

from mensura.catalog.analogy.documents import Documents, StoryOpening
from mensura.catalog.analogy.story.exhibits import exhibits
from mensura.catalog.analogy.story.items import StoryItem, Version, analog_is_second, read_items
from mensura.catalog.analogy.story.scoring import SCORES, score
from mensura.catalog.analogy.subjects import BOTH, STRUCTURE
from mensura.dialogue import Ask, Choice, test

OPTIONS = ("Story A", "Story B")
QUESTION = "Which of Story A and Story B is the better analogy to Story 1, or are both equally good analogies?"
WORDS = (
    "You will read {count} stories, each with two others. Say which of the two is the better analogy to the first: not "
    "which speaks of similar things, but in which events hang together in the same way."
)


def refuse(*, data: str, version: Version, second_order: str) -> None:
    """Raise a sentence where the stories cannot be read."""
    read_items(data, version)


def count_questions(*, data: str, version: Version, second_order: str) -> int:
    """Return how many stories there are."""
    return len(read_items(data, version))


def make_ask(item: StoryItem, *, second: bool) -> Ask:
    """Ask about one item, its analog shown second or first."""
    texts = (item.lure, item.analog) if second else (item.analog, item.lure)
    shown = [{"title": title, "text": text} for title, text in zip(OPTIONS, texts, strict=True)]
    documents = Documents(QUESTION, [{"title": "Story 1", "text": item.base}, *shown])
    return Ask(documents, Choice((*OPTIONS, BOTH)), key=item.address, truth=OPTIONS[int(second)])


@test(
    "analogy-story-v1",
    score=score,
    scores=SCORES,
    subjects=STRUCTURE,
    refuse=refuse,
    chance={"accuracy": 1 / 3, "undecided": 1 / 3},
    exhibits=exhibits,
    memory=0,
    questions=count_questions,
)
def story(
    rng: np.random.Generator,
    *,
    data: Annotated[
        str,
        "A folder or .json file of story analogies, or a .jsonl file of stories; none: the twelve stories that come "
        "with the test.",
    ] = "",
    version: Annotated[Version, "Which stories of a folder are asked about: original or rewritten."] = "original",
    second_order: Annotated[
        Literal["on", "off"],
        "Whether the built-in engine counts causes, conditions, purposes and times: on or off; nobody else is "
        "affected.",
    ] = "on",
) -> Generator[Ask, Any, None]:
    """Say which of two stories has the same structure as the first, where both speak of the same things."""
    items = read_items(data, version)
    second = analog_is_second(items)
    yield Ask(StoryOpening(WORDS.format(count=len(items)), {"second_order": second_order}))
    for place in rng.permutation(len(items)):
        yield make_ask(items[place], second=second[items[place].address])
