"""The translation test: say how close versions of texts are to their originals."""

from collections.abc import Generator
from typing import Annotated, Any

import numpy as np

from mensura.catalog.analogy.documents import Documents
from mensura.catalog.analogy.subjects import CLOSENESS
from mensura.catalog.analogy.translation.corpus import DamageKind, read_order, read_versions
from mensura.catalog.analogy.translation.exhibits import exhibits
from mensura.catalog.analogy.translation.scoring import SCORES, score
from mensura.dialogue import Ask, Probability, test
from mensura.dialogue.canonical import short_hash

QUESTION = (
    "How much of what the original says does the version say? From 0, nothing, to 1 (100 %), all of it and no more."
)
SETTINGS: dict[str, dict[str, Any]] = {
    "tiny": {"texts": 3},
    **{
        kind.replace(" ", "-"): {"kind": kind} for kind in ("synonyms", "deletions", "reorderings", "swapped arguments")
    },
}
"""Our damage, one kind at a time."""


def refuse(*, data: str, order: str, kind: str, texts: int) -> None:
    """Raise a sentence where versions or their order cannot be read."""
    read_order(order, read_versions(data, kind), made=not data)


def count_questions(*, data: str, order: str, kind: str, texts: int) -> int:
    """Return how many versions there are at most."""
    versions = read_versions(data, kind)
    named = list(dict.fromkeys(one.text for one in versions))[: texts or None]
    return sum(one.text in named for one in versions)


@test(
    "analogy-translation-v1",
    score=score,
    scores=SCORES,
    subjects=CLOSENESS,
    settings=SETTINGS,
    refuse=refuse,
    chance={"trend": 0.0, "split_loss": 0.0},
    exhibits=exhibits,
    memory=0,
    questions=count_questions,
)
def translation(
    rng: np.random.Generator,
    *,
    data: Annotated[
        str,
        "A file of JSON lines with text, original, version and language, or a folder with one as corpus.jsonl; "
        "none: texts that come with the test, damaged by a program.",
    ] = "",
    order: Annotated[
        str,
        'The languages from the nearest to the farthest, as in "French, German > Irish"; none: for our texts from '
        "unchanged to the largest damage, for a file no order.",
    ] = "",
    kind: DamageKind = "all",
    texts: Annotated[int, "How many texts are asked about, each in all its versions: 1 or more; 0: all of them."] = 0,
) -> Generator[Ask, Any, None]:
    """Say how much of what a text says is left in versions of it that went through other languages or were damaged."""
    versions = read_versions(data, kind)
    tiers = read_order(order, versions, made=not data)
    named = list(dict.fromkeys(one.text for one in versions))
    chosen = {named[place] for place in rng.permutation(len(named))[: texts or None]}
    asked = [one for one in versions if one.text in chosen]
    for place in rng.permutation(len(asked)):
        one = asked[place]
        shown = [{"title": "Original", "text": one.original}, {"title": "Version", "text": one.version}]
        key = short_hash([one.text, one.language])[:12]
        truth = {"text": one.text, "language": one.language, "tier": tiers.get(one.language)}
        yield Ask(Documents(QUESTION, shown), Probability(), key=key, truth=truth)
