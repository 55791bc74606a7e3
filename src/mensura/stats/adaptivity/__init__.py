"""Adaptivity: how courses learn, transfer, forget, hold up and understand; courses are the unit of every interval."""

from mensura.stats.adaptivity.continual import Continual, continual, recovery_trend, sample_efficiency
from mensura.stats.adaptivity.courses import course_difference, course_mean, cut
from mensura.stats.adaptivity.document import read_document
from mensura.stats.adaptivity.dose import DoseResponse, Recovery, dose_response, recovery, representativeness
from mensura.stats.adaptivity.forgetting import retention
from mensura.stats.adaptivity.interference import Interference, interference
from mensura.stats.adaptivity.knowledge import Knowledge, knowledge_gained
from mensura.stats.adaptivity.measures import MEASURES, Measure
from mensura.stats.adaptivity.performance import PerformanceParts, performance, performance_parts
from mensura.stats.adaptivity.rate import LearningRate, learning_rate
from mensura.stats.adaptivity.threshold import TimeToLevel, first_reached, time_to_level
from mensura.stats.adaptivity.transfer import (
    ARMS,
    CurveTransfer,
    TransferForms,
    curve_transfer,
    transfer_forms,
    transfer_points,
)
from mensura.stats.adaptivity.understanding import (
    PARTS,
    Understanding,
    answers_score,
    graph_score,
    skill,
    understanding,
)

__all__ = [
    "ARMS",
    "MEASURES",
    "PARTS",
    "Continual",
    "CurveTransfer",
    "DoseResponse",
    "Interference",
    "Knowledge",
    "LearningRate",
    "Measure",
    "PerformanceParts",
    "Recovery",
    "TimeToLevel",
    "TransferForms",
    "Understanding",
    "answers_score",
    "continual",
    "course_difference",
    "course_mean",
    "curve_transfer",
    "cut",
    "dose_response",
    "first_reached",
    "graph_score",
    "interference",
    "knowledge_gained",
    "learning_rate",
    "performance",
    "performance_parts",
    "read_document",
    "recovery",
    "recovery_trend",
    "representativeness",
    "retention",
    "sample_efficiency",
    "skill",
    "time_to_level",
    "transfer_forms",
    "transfer_points",
    "understanding",
]
