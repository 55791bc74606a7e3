"""Damaging: one or several kinds of damage done to a text at a stated dose."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from mensura.catalog.analogy.damage.sentences import joined, reordered, split
from mensura.catalog.analogy.damage.wording import exchanged, reworded, thinned
from mensura.errors import BadParameter, unknown

HARMFUL = ("synonyms", "deletions", "reorderings", "swapped arguments")
"""Kinds of damage that are done by degrees."""
HARMLESS = ("splits", "joins")
"""Changes that leave everything that is said: no measure of what is said should fall by them."""
KINDS: Mapping[str, Callable[..., str]] = {
    "synonyms": reworded,
    "deletions": thinned,
    "reorderings": reordered,
    "swapped arguments": exchanged,
    "splits": split,
    "joins": joined,
    "hypernyms": partial(reworded, hypernyms=0.5),
}


def damaged(
    text: str, *, kinds: Sequence[str], dose: float, rng: np.random.Generator, concepts: Collection[str] = ()
) -> str:
    """Return a text with all these kinds of damage, one after the other.

    Parameters
    ----------
    kinds
        What is done, by name.
    dose
        How much of it, from 0, nothing, to 1, all that this kind can do; deletions take half of the words at most.
    concepts
        The words that swapped arguments exchange.
    """
    if not 0 <= dose <= 1:
        raise BadParameter(f"A dose lies between 0 and 1; got {dose:g}.")
    for kind in kinds:
        if kind not in KINDS:
            raise unknown("kind of damage", kind, known=KINDS, see=f"Kinds are {', '.join(KINDS)}.")
        more: dict[str, Any] = {"concepts": concepts} if kind == "swapped arguments" else {}
        text = KINDS[kind](text, dose=dose, rng=rng, **more)
    return text
