"""The hidden test: say how close reworded texts are to candidates, one of which is their original."""

from collections.abc import Generator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from mensura.catalog.analogy.damage.damaging import damaged
from mensura.catalog.analogy.document.rows import rows_of
from mensura.catalog.analogy.documents import Documents
from mensura.catalog.analogy.hidden.scoring import SCORES, score
from mensura.catalog.analogy.own.stories import own_stories
from mensura.catalog.analogy.own.texts import own_texts
from mensura.catalog.analogy.subjects import CLOSENESS
from mensura.dialogue import Ask, Probability, test
from mensura.dialogue.canonical import short_hash
from mensura.errors import BadFile, BadParameter

QUESTION = (
    "How much of what the candidate says does the text say in other words? From 0, nothing, to 1 (100 %), all of it."
)


@dataclass(frozen=True)
class Hidden:
    """A text reworded so that it will not be found, its original, and neighbours that share words with the original."""

    id: str
    original: str
    reworded: str
    neighbours: tuple[str, ...] = ()


@cache
def hidden_texts(data: str, dose: float) -> tuple[Hidden, ...]:
    """Return the texts of a file of JSON lines (id, original, reworded, perhaps neighbours), or ours.

    Ours are reworded by a program, with synonyms and with what words are kinds of: simulated. Their neighbours are the
    original with who does what exchanged, and a text on the same topic or of the same characters.
    """
    return _read(Path(data).expanduser()) if data else tuple(_made(dose))


def _read(file: Path) -> tuple[Hidden, ...]:
    form = '{"id": "a", "original": "...", "reworded": "...", "neighbours": []}'
    found = [one for _, one in rows_of(file, _hidden, form=form)]
    if len({one.id for one in found}) < max(2, len(found)):
        raise BadFile(f"{file} needs two texts or more, each with a different id.")
    return tuple(found)


def _hidden(row: Any) -> Hidden:
    name, original, reworded = (str(row[part]) for part in ("id", "original", "reworded"))
    return Hidden(name, original, reworded, tuple(map(str, row.get("neighbours", ()))))


def _made(dose: float) -> list[Hidden]:
    texts: list[tuple[str, str, tuple[str, ...], tuple[str, ...]]] = [
        (one.id, one.source, one.concepts, (one.independent,)) for one in own_texts()
    ]
    for one in own_stories():
        texts.append((f"{one.id}-base", one.base, tuple(one.pairs), ()))
        texts.append((f"{one.id}-analog", one.analog, tuple(one.pairs.values()), (one.lure,)))
    found = []
    for place, (name, text, concepts, others) in enumerate(texts):
        rng = np.random.default_rng([9, place])
        # The same words with who does what exchanged: what counts words cannot tell it from the original.
        turned = damaged(text, kinds=("swapped arguments",), dose=1.0, rng=rng, concepts=concepts)
        reworded = damaged(text, kinds=("hypernyms", "reorderings"), dose=dose, rng=rng)
        found.append(Hidden(name, text, reworded, (turned, *others)))
    return found


def refuse(*, data: str, queries: int, among: int, dose: float) -> None:
    """Raise a sentence where there are not so many texts."""
    if not 0 < dose <= 1:
        raise BadParameter(f"--dose is the share of words that are replaced, above 0 and at most 1; got {dose:g}.")
    held = len(hidden_texts(data, dose))
    if not 2 <= among <= held:
        raise BadParameter(f"--among is how many candidates each text has, from 2 to {held}; got {among}.")
    if not 0 <= queries <= held:
        raise BadParameter(f"--queries is how many texts are looked for, at most {held}, or 0 for all; got {queries}.")


def chance_levels(*, data: str, queries: int, among: int, dose: float) -> dict[str, float]:
    """Return what random closeness gives."""
    ranks = np.arange(1, among + 1)
    return {"reciprocal_rank": float((1 / ranks).mean()), "rank": float(ranks.mean()), "first": 1 / among}


def count_questions(*, data: str, queries: int, among: int, dose: float) -> int:
    """Return how many pairs are asked about."""
    return (queries or len(hidden_texts(data, dose))) * among


@test(
    "analogy-hidden-v1",
    score=score,
    scores=SCORES,
    subjects=CLOSENESS,
    settings={"tiny": {"queries": 3, "among": 4}},
    refuse=refuse,
    chance=chance_levels,
    memory=0,
    questions=count_questions,
)
def hidden(
    rng: np.random.Generator,
    *,
    data: Annotated[
        str,
        "A file of JSON lines with id, original, reworded and, where wanted, neighbours; none: texts that come with "
        "the test, reworded by a program.",
    ] = "",
    queries: Annotated[int, "How many texts are looked for, 1 or more; 0: all of them."] = 0,
    among: Annotated[
        int,
        "How many candidates each text is compared with, its original among them: from 2 to the number of texts.",
    ] = 12,
    dose: Annotated[
        float,
        "Which share of the words is replaced in the texts that come with the test, above 0 and at most 1.",
    ] = 0.8,
) -> Generator[Ask, Any, None]:
    """Say how close texts, reworded so that they will not be found, are to candidates: one is the original."""
    texts = hidden_texts(data, dose)
    for place in rng.permutation(len(texts))[: queries or None]:
        query = texts[place]
        # Which candidates a text has depends on its content alone, so that results pair.
        own = np.random.default_rng(int(short_hash([query.reworded, among])[:8], 16))
        rest = [one for one in texts if one.id != query.id]
        others = [*query.neighbours, *(rest[at].original for at in own.permutation(len(rest)))]
        candidates = [query.original, *others[: among - 1]]
        for at in rng.permutation(among):
            shown = [{"title": "Candidate", "text": candidates[at]}, {"title": "Text", "text": query.reworded}]
            key = short_hash([query.reworded, candidates[at]])[:12]
            truth = {"query": query.id, "original": bool(at == 0)}
            yield Ask(Documents(QUESTION, shown), Probability(), key=key, truth=truth)
