"""Palettes: figures that differ in a few attributes only, from which sets with a rule are drawn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from mensura.catalog.puzzles.grammar.derivation import Grammar, RuleStep
from mensura.catalog.puzzles.grammar.feature import JOINED, STEPS, TEXTS, join, masks
from mensura.catalog.puzzles.grammar.figure import LEVELS, PLACE, SHAPE, TURN, Figure, figure_of
from mensura.catalog.puzzles.showing.figure_cell import read_cell


@dataclass(frozen=True)
class Pool:
    """Figures of one palette, and a rule that holds for some of them."""

    figures: list[Figure]
    steps: tuple[RuleStep, ...]
    inside: list[int]
    """Places of the figures for which the rule holds."""
    outside: list[int]


def draw_pool(rng: np.random.Generator, grammar: Grammar, *, rules: int, varied: int, least: int) -> Pool | None:
    """Draw figures that vary in so many attributes, and a rule that parts them with at least so many on either side."""
    figures = _figures(rng, varied, 6 * least)
    found = masks(figures)
    parting = [n for n, mask in found.items() if least <= mask.bit_count() <= len(figures) - least]
    if len(parting) < 2:
        return None
    first, second = (parting[n] for n in rng.permutation(len(parting))[:2].tolist())
    steps: tuple[RuleStep, ...] = (STEPS[first],)
    mask = found[first]
    if rules == 2:
        operation = JOINED[int(rng.integers(len(JOINED)))]
        steps = (*steps, grammar.step(operation, TEXTS[second], on="figure"))
        mask = join(operation, mask, found[second])
    order = rng.permutation(len(figures)).tolist()
    inside = [n for n in order if mask >> n & 1]
    outside = [n for n in order if not mask >> n & 1]
    return Pool(figures, steps, inside, outside) if min(len(inside), len(outside)) >= least else None


def draw_mixed(rng: np.random.Generator, grammar: Grammar) -> Pool | None:
    """Draw two figures of one kind, two of another, and one that has what parts the kinds from both or from neither."""
    figures = _figures(rng, 2, 20)
    found = masks(figures)
    parting = [n for n, mask in found.items() if 3 <= mask.bit_count() <= len(figures) - 3]
    rng.shuffle(parting)
    for first, second in pairwise(parting[:8]):
        p, q = found[first], found[second]
        order = rng.permutation(len(figures)).tolist()
        groups = [[n for n in order if mask >> n & 1] for mask in (p & ~q, q & ~p, ~(p ^ q))]
        chosen = [*groups[0][:2], *groups[1][:2], *groups[2][:1]]
        # Where one feature alone sets a figure apart, two are not needed.
        if len(chosen) == 5 and not any(mask.bit_count() == 1 for mask in masks([figures[n] for n in chosen]).values()):
            steps = (STEPS[first], grammar.step("exclusive-or", TEXTS[second], on="figure"))
            return Pool(figures, steps, chosen[:4], chosen[4:])
    return None


def listed(figure: Figure) -> list[list[int]]:
    """Return a figure as JSON."""
    return [list(one) for one in figure]


def read_figures(cells: Sequence[Mapping[str, Any]]) -> list[list[list[int]]] | None:
    """Read figures back from the cells of a prompt; None where one cannot be read."""
    read = [read_cell(cell) for cell in cells]
    return None if None in read else [listed(one[0]) for one in read if one is not None]


def _figures(rng: np.random.Generator, varied: int, count: int) -> list[Figure]:
    """Draw different figures whose objects take at most two levels of the varied attributes, and one of the others."""
    attributes = set(rng.permutation([SHAPE, 1, 2, TURN, PLACE, 6]).tolist()[:varied])
    levels: list[list[int]] = []
    for attribute, high in enumerate(LEVELS):
        # Of shapes that look alike at every quarter no turn can be seen.
        low = 4 if attribute == SHAPE and TURN in attributes else 0
        drawn = (low + rng.permutation(high - low)).tolist()
        levels.append(drawn[: 2 if attribute in attributes else 1])
    numbers = (1 + rng.permutation(3)).tolist()[: 2 if 6 in attributes else 1]
    free = PLACE in attributes or max(numbers) > 1
    found: dict[Figure, None] = {}
    for _ in range(4 * count):
        number = int(_one(rng, numbers))
        places = rng.permutation(LEVELS[PLACE]).tolist() if free else levels[PLACE]
        objects = [[*(_one(rng, choices) for choices in levels[:PLACE]), places[n]] for n in range(number)]
        figure = figure_of(objects)
        if figure is not None:
            found[figure] = None
        if len(found) == count:
            break
    return list(found)


def _one(rng: np.random.Generator, values: Sequence[int]) -> int:
    return values[int(rng.integers(len(values)))] if len(values) > 1 else values[0]
