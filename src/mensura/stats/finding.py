"""Findings: results of an analysis that hold estimates and can say themselves in plain words."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import fields
from html import escape
from math import isnan
from typing import Any

import numpy as np

from mensura.dialogue.score import Score
from mensura.stats.estimate import Estimate


class Finding(ABC):
    """The result of an analysis: numbers, their estimates, and a sentence.

    Every finding is a frozen dataclass; printing it gives the sentence, a notebook shows sentence and estimates.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def sentence(self) -> str:
        """Return what was found in plain words."""

    def __str__(self) -> str:
        return self.sentence

    def as_json(self) -> dict[str, Any]:
        """Return every field and the sentence as JSON; unknown numbers are null."""
        values = {field.name: _plain(getattr(self, field.name)) for field in fields(self)}  # type: ignore[arg-type]
        return values | {"sentence": self.sentence}

    def _repr_html_(self) -> str:
        """Show the sentence in a notebook, and beneath it each estimate."""
        held = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
        rows = [
            f"<tr><td>{escape(name.replace('_', ' '))}</td><td>{value._repr_html_()}</td></tr>"
            for name, value in held.items()
            if isinstance(value, Estimate)
        ]
        return f"<p>{escape(self.sentence)}</p><table>{''.join(rows)}</table>"


def _plain(value: Any) -> Any:
    if isinstance(value, Estimate | Finding | Score):
        return value.as_json()
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(part) for part in value]
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, float) and isnan(value):
        return None
    return value
