"""The mapping test: say what plays the part of what in two stories of the same structure."""

from collections.abc import Generator
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from mensura.catalog.analogy.correspondence.exhibits import exhibits
from mensura.catalog.analogy.correspondence.scoring import NOTHING, SCORES, digests, marks, score
from mensura.catalog.analogy.documents import Documents
from mensura.catalog.analogy.own.stories import OwnStory, own_stories, read_stories
from mensura.catalog.analogy.subjects import Engine
from mensura.dialogue import Ask, Choice, Questions, Refused, test
from mensura.dialogue.canonical import short_hash

QUESTION = "Both stories hang together in the same way. What in Story 2 plays the part of each of these in Story 1?"
STREAM = 7
StoryFile = Annotated[
    str,
    "A .jsonl file of stories with id, base, analog, lure, pairs and loose; none: the twelve that come with the test.",
]


class MappingEngine(Engine):
    """Answers with the concepts that structure mapping pairs, and with nothing for a concept that it leaves alone."""

    def __call__(self, ask: Ask) -> Any:
        """Answer with the counterpart of each concept."""
        assert isinstance(ask.prompt, Documents)
        assert isinstance(ask.space, Questions)
        found = self.compared(*ask.prompt.texts)
        if not found.scored:
            return Refused(f"not scored: {found.why}")
        pairs = {one.first: one.second for one in found.pairs if one.type == "noun"}
        answer = {}
        for concept, (_, space) in ask.space.questions.items():
            assert isinstance(space, Choice)
            other = pairs.get(concept, NOTHING)
            answer[concept] = other if other in space.options else NOTHING
        return answer


@cache
def stories(data: str) -> tuple[OwnStory, ...]:
    """Return the stories of a file, or ours."""
    return read_stories(Path(data).expanduser()) if data else own_stories()


def make_ask(story: OwnStory, rng: np.random.Generator) -> Ask:
    """Ask for the counterpart of each concept, those that have none among them; everything in a drawn order."""
    concepts = [*story.pairs, *story.loose[0]]
    options = [*story.pairs.values(), *story.loose[1]]
    offered = (*(options[place] for place in rng.permutation(len(options))), NOTHING)
    asked = {concepts[place]: (concepts[place], Choice(offered)) for place in rng.permutation(len(concepts))}
    texts = [{"title": "Story 1", "text": story.base}, {"title": "Story 2", "text": story.analog}]
    return Ask(
        Documents(QUESTION, texts),
        Questions(asked),
        key=story.id,
        truth=digests(story.pairs),
    )


def chance_levels(*, data: str) -> dict[str, float]:
    """Return what is expected of drawing each counterpart from all that are offered, by simulation at a fixed seed."""
    rng = np.random.default_rng(STREAM)
    found = []
    for story in stories(data):
        options = [*story.pairs.values(), *story.loose[1], NOTHING]
        concepts, gold = [*story.pairs, *story.loose[0]], digests(story.pairs)
        for _ in range(2000):
            drawn = rng.integers(len(options), size=len(concepts))
            given = {concept: options[place] for concept, place in zip(concepts, drawn, strict=True)}
            found.append(list(marks(given, gold).values()))
    return dict(zip(("f1", "precision", "recall"), np.mean(found, axis=0).tolist(), strict=True))


def refuse(*, data: str) -> None:
    """Raise a sentence where the stories cannot be read."""
    stories(data)


@test(
    "analogy-mapping-v1",
    score=score,
    scores=SCORES,
    subjects={"engine": MappingEngine, "engine-exact": partial(MappingEngine, method="exact")},
    refuse=refuse,
    chance=chance_levels,
    exhibits=exhibits,
    memory=0,
    questions=lambda *, data: len(stories(data)),
)
def mapping(rng: np.random.Generator, *, data: StoryFile = "") -> Generator[Ask, Any, None]:
    """Give the correspondences between stories of the same structure."""
    known = stories(data)
    for place in rng.permutation(len(known)):
        # What is shown of an item depends on its content alone, so that results pair.
        own = np.random.default_rng(int(short_hash([known[place].base, known[place].analog])[:8], 16))
        yield make_ask(known[place], own)
