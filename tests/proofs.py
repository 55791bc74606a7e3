"""Proofs: cells of a claim that `make test` leaves to `make proofs`."""

from typing import Any

import pytest


def proofs(*cells: Any) -> list[Any]:
    """Mark cells of a table as proofs; `make test` keeps the others of it, those most likely to break."""
    return [pytest.param(*(cell if isinstance(cell, tuple) else (cell,)), marks=pytest.mark.proof) for cell in cells]
