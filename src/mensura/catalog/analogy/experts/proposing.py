"""Proposals: for each target what structure mapping, TF-IDF, chance and a planted poor choice would compare it with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mensura.catalog.analogy.comparison import unfit
from mensura.catalog.analogy.likeness.plain import document_frequencies, tfidf
from mensura.catalog.analogy.subjects import Engine
from mensura.errors import BadParameter

ARMS = ("engine", "tfidf", "random", "poor")
MOST_PAIRS = 12


@dataclass(frozen=True)
class AnalogyProposal:
    """A target with a source that one arm proposes; what corresponds is found by structure mapping for every arm."""

    target: str
    source: str
    arm: str
    target_text: str
    source_text: str
    pairs: tuple[tuple[str, str], ...]

    @property
    def words(self) -> str:
        """What an expert reads: both texts and what corresponds, with nothing that tells who proposed it."""
        rows = "\n".join(f"| {_cell(one)} | {_cell(other)} |" for one, other in self.pairs)
        found = f"| in the target | in the source |\n|---|---|\n{rows}" if rows else "Nothing was found to correspond."
        return (
            f"# Target\n\n{_plain(self.target_text)}\n\n# Proposed source\n\n{_plain(self.source_text)}\n\n"
            f"# What corresponds\n\n{found}"
        )


def _cell(words: str) -> str:
    return words.replace("|", "/")


def _plain(text: str) -> str:
    """Keep a text from being read as headings or tables."""
    return "\n\n".join(" ".join(part.split()).lstrip("#>|-*+ ") for part in text.split("\n\n") if part.strip())


def propose(
    targets: Mapping[str, str],
    corpus: Mapping[str, str],
    *,
    rng: np.random.Generator,
    engine: Engine | None = None,
    arms: Sequence[str] = ARMS,
) -> list[AnalogyProposal]:
    """Choose a source for each target by every arm, never one twice for one target.

    `engine` takes the greatest unified score, `tfidf` the greatest cosine over the corpus, `poor` the least unified
    score, `random` any other. Where the engine and TF-IDF choose the same, TF-IDF's next is taken: an expert cannot
    rate one pair for two arms.

    Parameters
    ----------
    targets, corpus
        Name → text; a target is never its own source.
    rng
        Decides what is random.
    engine
        The engine that compares; by the unified score, greedily, unless given.
    arms
        Which arms there are.
    """
    mapper = engine or Engine(score="unified")
    weights = document_frequencies([*corpus.values(), *targets.values()])
    found = []
    for target, text in targets.items():
        mapped = {
            name: mapper.compared(text, other)
            for name, other in corpus.items()
            if name != target and other != text and not unfit(other)
        }
        # What cannot be scored is no poor analogy: it is none, and nobody could rate it.
        unified = {name: one.scores["unified"] for name, one in mapped.items() if one.scores["unified"] is not None}
        if len(unified) < len(arms):
            raise BadParameter(
                f"The target {target!r} has {len(unified)} other documents in the corpus that can be compared with it; "
                f"{len(arms)} arms need as many."
            )
        alike = {name: tfidf(text, corpus[name], corpus=weights) or 0.0 for name in unified}
        names = sorted(unified)
        drawn = [names[place] for place in rng.permutation(len(names))]
        preference = {
            "engine": sorted(names, key=lambda name: (-unified[name], name)),
            "tfidf": sorted(names, key=lambda name: (-alike[name], name)),
            "poor": sorted(names, key=lambda name: (unified[name], name)),
            "random": drawn,
        }
        taken: set[str] = set()
        for arm in sorted(arms, key=("engine", "tfidf", "poor", "random").index):
            source = next(name for name in preference[arm] if name not in taken)
            taken.add(source)
            found.append(AnalogyProposal(target, source, arm, text, corpus[source], _pairs(mapped[source])))
    return found


def _pairs(comparison: Any) -> tuple[tuple[str, str], ...]:
    """Return the mapping: concepts, different and most alike ones first, and statements; no more than is read."""
    concepts = [one for one in comparison.pairs if one.type == "noun"]
    order = sorted(concepts, key=lambda one: (one.first == one.second, -(one.lin or 0.0), one.first))
    stated = [
        tuple(graph.said(int(name[1:])) for graph, name in zip(comparison.graphs, ids, strict=True))
        for ids in ((one.first_id, one.second_id) for one in comparison.pairs if one.type == "verb")
    ]
    return (*((one.first, one.second) for one in order[:MOST_PAIRS]), *stated[:MOST_PAIRS])
