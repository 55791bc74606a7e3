"""The exam as typed data: groups, places, roads, regions, rules and the trials of the seven tasks."""

from mensura.catalog.sensemaking.exam.layer import Layer
from mensura.catalog.sensemaking.exam.model import (
    Exam,
    Frame,
    FusionTask,
    FusionTrial,
    Grid,
    LearningBlock,
    LearningTask,
    Page,
    Pause,
    ScopingTask,
    ScopingTrial,
    Tutorial,
    WaveTask,
    WaveTrial,
)
from mensura.catalog.sensemaking.exam.place import Attack, Centre, Place, Site, Spread
from mensura.catalog.sensemaking.exam.probs import Probs, published_probs
from mensura.catalog.sensemaking.exam.regions import Regions
from mensura.catalog.sensemaking.exam.roads import Road, RoadNetwork

__all__ = [
    "Attack",
    "Centre",
    "Exam",
    "Frame",
    "FusionTask",
    "FusionTrial",
    "Grid",
    "Layer",
    "LearningBlock",
    "LearningTask",
    "Page",
    "Pause",
    "Place",
    "Probs",
    "Regions",
    "Road",
    "RoadNetwork",
    "ScopingTask",
    "ScopingTrial",
    "Site",
    "Spread",
    "Tutorial",
    "WaveTask",
    "WaveTrial",
    "published_probs",
]
