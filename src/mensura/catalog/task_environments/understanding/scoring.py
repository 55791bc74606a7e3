"""Scores of understanding: four numbers from ignorance, 0, to truth, 1; below 0 where it was worse, at least -1."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mensura.catalog.task_environments.understanding.graph import NODES, graph_of, read_graph
from mensura.catalog.task_environments.understanding.ignorance import ignorance_of, losses, worst_loss
from mensura.catalog.task_environments.understanding.intervention import guessed
from mensura.catalog.task_environments.understanding.phenomenon import PHENOMENA
from mensura.catalog.task_environments.understanding.question import SPACES
from mensura.dialogue import Record, Score, Scores
from mensura.stats.adaptivity.understanding import PARTS, graph_score

CELLS = ("planned-with", "planned-without", "steered-with", "steered-without")
SCORES = tuple(Score(part, better="more", low=-1, high=1) for part in PARTS)
UNSAID = -1.0


def score(record: Record, truths: Mapping[str, Any]) -> Scores:
    """Score a session; what was left out counts as the worst there is, so that leaving out never pays."""
    given = {one.key: one.value for one in record.answers if one.status == "answered"}
    silent = {one.key for one in record.answers if one.status != "answered"}
    name, parameters = record.parameters["phenomenon"], record.parameters
    known = ignorance_of(name)
    foretold = {kind: _predicted(kind, given, truths, parameters["questions"], known.predict[kind]) for kind in SPACES}
    reached = {
        cell: _reached(cell, silent, truths, parameters["goals"], known.met[cell.split("-")[1]]) for cell in CELLS
    }
    explained = {"graph": _graph(name, given.get("graph")), "interventions": _interventions(given, truths)}
    miss = truths.get("recreated", {}).get("miss")
    recreated = {
        kind: UNSAID if miss is None else _held(1 - miss[kind] / level) for kind, level in known.recreate.items()
    }
    parts = {"predict": foretold, "achieve": reached, "explain": explained, "recreate": recreated}
    # Who knows one world only, with the phenomenon or without, has not understood what it adds.
    achieved = [min(reached[f"{manner}-with"], reached[f"{manner}-without"]) for manner in ("planned", "steered")]
    numbers = {
        "predict": float(np.mean(list(foretold.values()))),
        "achieve": float(np.mean(achieved)),
        "explain": float(np.mean([one for one in explained.values() if one is not None] or [0.0])),
        # What holds only where it was seen is a fit, and no recreation.
        "recreate": min(recreated.values()),
    }
    return Scores(dict(numbers), {"parts": parts})


def _held(value: float) -> float:
    """Hold a score at -1: one absurd answer must not outweigh all others."""
    return max(float(value), UNSAID)


def _predicted(kind: str, given: Mapping[str, Any], truths: Mapping[str, Any], count: int, ignorant: float) -> float:
    keys = [f"{kind}{number}" for number in range(count)]
    lost = [
        float(losses(kind, given[key], truths[key])[0]) if key in given and key in truths else worst_loss(kind)
        for key in keys
    ]
    return _held(1 - float(np.mean(lost)) / ignorant)


def _reached(cell: str, silent: set[str], truths: Mapping[str, Any], count: int, chance: float) -> float:
    keys = [f"{cell}{number}" for number in range(count)]
    met = [key not in silent and bool(truths.get(f"{key}-end", {}).get("met")) for key in keys]
    if any(key in silent or f"{key}-end" not in truths for key in keys) and not any(met):
        return UNSAID
    return _held((float(np.mean(met)) - chance) / (1 - chance))


def _graph(name: str, answer: Any) -> float | None:
    """Score a graph from the better of two ignorant ones, 0, to the truth, 1.

    They are that of the world without the phenomenon, and the same with the phenomenon's name added as a cause. None
    where the name says it all: then nothing is shown by knowing it.
    """
    if answer is None:
        return UNSAID
    phenomenon = PHENOMENA[name]
    truth = graph_of(phenomenon.world((phenomenon.low + phenomenon.high) / 2))
    plain = graph_of(phenomenon.plain)
    echoed = plain | ({(name, "speed")} if name in NODES else set())
    ignorant = max(graph_score(answer=one, truth=truth, nodes=NODES) for one in (plain, echoed))
    found = graph_score(answer=read_graph(answer), truth=truth, nodes=NODES)
    if ignorant == 1:
        return None if found == 1 else _held(found - 1)
    return _held((found - ignorant) / (1 - ignorant))


def _interventions(given: Mapping[str, Any], truths: Mapping[str, Any]) -> float | None:
    """Score answers from those of the best ignorant, 0, to all, 1; None where the ignorant is right in all.

    The ignorant gives a constant, or what the world without the phenomenon does, or guesses besides that more of the
    phenomenon hinders more.
    """
    if "interventions" not in given or "interventions" not in truths:
        return UNSAID
    truth, blind = truths["interventions"], truths["interventions-blind"]
    constants = [dict.fromkeys(truth, said) for said in ("more", "less", "same")]
    ignorant = max(_right(guess, truth) for guess in (blind, guessed(blind), *constants))
    right = _right(given["interventions"], truth)
    if ignorant == 1:
        return None if right == 1 else _held(right - 1)
    return _held((right - ignorant) / (1 - ignorant))


def _right(answers: Mapping[str, str], truth: Mapping[str, str]) -> float:
    return float(np.mean([answers[key] == said for key, said in truth.items()]))
