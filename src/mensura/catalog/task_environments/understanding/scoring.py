"""Scores of understanding: four numbers from ignorance, 0, to truth, 1; below 0 where it was worse, at least -1."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mensura.catalog.task_environments.understanding.graph import NODES, graph_of, read_graph
from mensura.catalog.task_environments.understanding.ignorance import ignorance_of, losses, worst_loss
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
    parts = {
        "predict": foretold,
        "achieve": reached,
        "explain": explained,
        "recreate": {"miss": UNSAID if miss is None else _held(1 - miss / known.recreate)},
    }
    return Scores({part: float(np.mean(list(found.values()))) for part, found in parts.items()}, {"parts": parts})


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


def _graph(name: str, answer: Any) -> float:
    """Score a graph from that of the world without the phenomenon, 0, to the world's own, 1."""
    if answer is None:
        return UNSAID
    phenomenon = PHENOMENA[name]
    truth = graph_of(phenomenon.world((phenomenon.low + phenomenon.high) / 2))
    ignorant = graph_score(answer=graph_of(phenomenon.plain), truth=truth, nodes=NODES)
    found = graph_score(answer=read_graph(answer), truth=truth, nodes=NODES)
    return _held((found - ignorant) / (1 - ignorant))


def _interventions(given: Mapping[str, Any], truths: Mapping[str, Any]) -> float:
    """Score answers from those of the better of a constant and the world without the phenomenon, 0, to all, 1."""
    if "interventions" not in given or "interventions" not in truths:
        return UNSAID
    truth, blind = truths["interventions"], truths["interventions-blind"]
    constants = [dict.fromkeys(truth, said) for said in ("more", "less", "same")]
    ignorant = max(_right(guess, truth) for guess in (blind, *constants))
    return _held((_right(given["interventions"], truth) - ignorant) / (1 - ignorant)) if ignorant < 1 else 0.0


def _right(answers: Mapping[str, str], truth: Mapping[str, str]) -> float:
    return float(np.mean([answers[key] == said for key, said in truth.items()]))
