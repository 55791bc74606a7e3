"""The retrieval test: find the story of the same structure among others, one of which is a decoy of the same words."""

from collections.abc import Generator, Mapping
from typing import Annotated, Any

import numpy as np

from mensura.catalog.analogy.correspondence.dialogue import StoryFile, stories
from mensura.catalog.analogy.damage.damaging import damaged
from mensura.catalog.analogy.documents import Documents
from mensura.catalog.analogy.own.stories import OwnStory
from mensura.catalog.analogy.subjects import STRUCTURE
from mensura.dialogue import Ask, Choice, Items, Record, Score, test
from mensura.dialogue.canonical import short_hash
from mensura.errors import BadParameter

QUESTION = "Which of the documents is the best analogy to the target: which hangs together in the same way?"
SCORES = (
    Score("accuracy", better="more", proportion=True, label="analog found"),
    Score("surface", better="less", proportion=True, label="taken in by the same words", unanswered="worst"),
)


def make_ask(story: OwnStory, others: list[str], rng: np.random.Generator) -> Ask:
    """Ask for the analog of a story among others and a decoy: the story's own words, with who does what exchanged."""
    concepts = tuple(story.pairs)
    decoy = damaged(story.base, kinds=("swapped arguments", "reorderings"), dose=1.0, rng=rng, concepts=concepts)
    texts = [story.analog, decoy, *others]
    order = rng.permutation(len(texts)).tolist()
    names = [f"Document {place + 1}" for place in range(len(texts))]
    shown = [{"title": "Target", "text": story.base}]
    shown += [{"title": name, "text": texts[place]} for name, place in zip(names, order, strict=True)]
    truth = {"analog": names[order.index(0)], "decoy": names[order.index(1)]}
    return Ask(Documents(QUESTION, shown), Choice(tuple(names)), key=story.id, truth=truth)


def score(record: Record, truths: Mapping[str, Any]) -> dict[str, Items]:
    """Return for each target whether its analog was found, and whether the decoy was taken for it."""
    given, keys = record.given(), sorted(truths)
    found = [float(given[key] == truths[key]["analog"]) if key in given else np.nan for key in keys]
    decoy = [float(given[key] == truths[key]["decoy"]) if key in given else np.nan for key in keys]
    return {"accuracy": Items(found, keys), "surface": Items(decoy, keys)}


def refuse(*, data: str, among: int) -> None:
    """Raise a sentence where there are not so many stories."""
    most = len(stories(data)) + 1
    if not 3 <= among <= most:
        raise BadParameter(f"--among is how many documents are offered, from 3 to {most}; got {among}.")


@test(
    "analogy-retrieval-v1",
    score=score,
    scores=SCORES,
    subjects=STRUCTURE,
    refuse=refuse,
    chance=lambda *, data, among: {"accuracy": 1 / among, "surface": 1 / among},
    memory=0,
    questions=lambda *, data, among: len(stories(data)),
)
def retrieval(
    rng: np.random.Generator,
    *,
    data: StoryFile = "",
    among: Annotated[
        int,
        "How many documents are offered for each target, the analog and a decoy among them: from 3 to one more than "
        "there are stories.",
    ] = 6,
) -> Generator[Ask, Any, None]:
    """Find the story of the same structure among others, one of which speaks of the same things and is a decoy."""
    known = stories(data)
    for place in rng.permutation(len(known)):
        # What is shown of an item depends on its content alone, so that results pair.
        own = np.random.default_rng(int(short_hash([known[place].base, among])[:8], 16))
        rest = [story.analog for story in known if story.id != known[place].id]
        others = [rest[at] for at in own.permutation(len(rest))[: among - 2]]
        yield make_ask(known[place], others, own)
