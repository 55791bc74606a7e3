"""The exam as typed data: groups, places, roads, regions, rules and the trials of the seven tasks."""

from mensura.catalog.sensemaking.exam.layer import Layer
from mensura.catalog.sensemaking.exam.model import (
    Exam,
    FusionTask,
    FusionTrial,
    GridSize,
    Heading,
    InstructionPage,
    LearningBlock,
    LearningTask,
    Pause,
    ScopingTask,
    ScopingTrial,
    Tutorial,
    WaveTask,
    WaveTrial,
)
from mensura.catalog.sensemaking.exam.place import Attack, AttackSite, Centre, Dispersion, GridPoint
from mensura.catalog.sensemaking.exam.probs import Probs, published_probs
from mensura.catalog.sensemaking.exam.regions import Regions
from mensura.catalog.sensemaking.exam.roads import Road, RoadNetwork

__all__ = [
    "Attack",
    "AttackSite",
    "Centre",
    "Dispersion",
    "Exam",
    "FusionTask",
    "FusionTrial",
    "GridPoint",
    "GridSize",
    "Heading",
    "InstructionPage",
    "Layer",
    "LearningBlock",
    "LearningTask",
    "Pause",
    "Probs",
    "Regions",
    "Road",
    "RoadNetwork",
    "ScopingTask",
    "ScopingTrial",
    "Tutorial",
    "WaveTask",
    "WaveTrial",
    "published_probs",
]
