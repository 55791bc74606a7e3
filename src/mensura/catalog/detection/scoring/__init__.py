"""Scoring structured hypotheses: specification, comparison, pairing, metrics."""

from mensura.catalog.detection.scoring.options import Options
from mensura.catalog.detection.scoring.reading import read_specification
from mensura.catalog.detection.scoring.result import Score, TypeScore
from mensura.catalog.detection.scoring.scorer import score_hypotheses
from mensura.catalog.detection.scoring.specification import Specification
from mensura.catalog.detection.scoring.things import Things, parse_things, read_things

__all__ = [
    "Options",
    "Score",
    "Specification",
    "Things",
    "TypeScore",
    "parse_things",
    "read_specification",
    "read_things",
    "score_hypotheses",
]
