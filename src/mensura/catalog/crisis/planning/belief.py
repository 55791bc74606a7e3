"""Belief: the problem as an assistant sees it, from what the office's tables say."""

from collections.abc import Mapping
from typing import Any

from mensura.catalog.crisis.planning.problem import Problem


def believed_problem(known: Mapping[str, Any], **options: Any) -> Problem:
    """Say what an assistant believes; see `Problem.from_office_known`."""
    raise NotImplementedError
