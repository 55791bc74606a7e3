"""Scoring structured hypotheses: specification, comparison, pairing, metrics."""

from mensura.catalog.detection.hypotheses.options import ScoringOptions
from mensura.catalog.detection.hypotheses.result import Scoring, TypeScore
from mensura.catalog.detection.hypotheses.scorer import score_hypotheses
from mensura.catalog.detection.hypotheses.specification import Specification
from mensura.catalog.detection.hypotheses.specification_file import read_specification
from mensura.catalog.detection.hypotheses.things import Things, parse_things, read_things

__all__ = [
    "Scoring",
    "ScoringOptions",
    "Specification",
    "Things",
    "TypeScore",
    "parse_things",
    "read_specification",
    "read_things",
    "score_hypotheses",
]
