"""Constraints: agents that agree on values while each knows only its own constraints."""

from mensura.catalog.constraints.agent import Agent
from mensura.catalog.constraints.mail.letter import Letter
from mensura.catalog.constraints.relation import Relation

__all__ = ["Agent", "Letter", "Relation"]
