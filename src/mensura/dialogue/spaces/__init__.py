"""Spaces: where answers lie, one noun per file."""

from mensura.dialogue.spaces.base import Space
from mensura.dialogue.spaces.call import Call, Tool
from mensura.dialogue.spaces.choice import Action, Choice
from mensura.dialogue.spaces.density import Density
from mensura.dialogue.spaces.number import Likert, Number, Probability
from mensura.dialogue.spaces.place import Circle, Point
from mensura.dialogue.spaces.shares import Allocation, Distribution
from mensura.dialogue.spaces.table import File, Table
from mensura.dialogue.spaces.text import Text
from mensura.dialogue.spaces.vector import Vector

__all__ = [
    "Action",
    "Allocation",
    "Call",
    "Choice",
    "Circle",
    "Density",
    "Distribution",
    "File",
    "Likert",
    "Number",
    "Point",
    "Probability",
    "Space",
    "Table",
    "Text",
    "Tool",
    "Vector",
]
