"""Reference subjects as minds: how each judges, updates, decides, chooses INTs and is surprised."""

from mensura.catalog.sensemaking.minds.answering import answer_exam
from mensura.catalog.sensemaking.minds.mind import ReferenceMind
from mensura.catalog.sensemaking.minds.reference import MINDS, find_mind

__all__ = ["MINDS", "ReferenceMind", "answer_exam", "find_mind"]
