"""A store, a rubric and artefacts of two conditions."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mensura.dialogue import Ask, prompt_text
from mensura.running.panel import Artefact
from mensura.store import Store, open_store

RUBRIC = {
    "scale": {"points": 7},
    "items": [
        {"key": "clear", "text": "It is clear.", "weight": 2},
        {"key": "whole", "text": "It is whole.", "scale": {"from": 0, "to": 10}},
    ],
}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Open a new store."""
    with open_store(tmp_path / "panel.db") as opened:
        yield opened


@pytest.fixture
def rubric() -> dict:
    """Give a rubric of two items."""
    return RUBRIC


@pytest.fixture
def artefacts() -> list[Artefact]:
    """Give twelve texts, half of each condition; each says its own quality, from 1 to 6."""
    return [
        Artefact.from_text(
            f"Text of quality {1 + i // 2}.", condition=("drilled", "plain")[i % 2], source=f"person-{i}"
        )
        for i in range(12)
    ]


def quality(ask: Ask) -> int:
    """Read the quality that an artefact says it has."""
    return int(re.search(r"quality (\d)", prompt_text(ask.prompt))[1])


@pytest.fixture
def judge() -> Callable[[int], Callable[[Ask], int]]:
    """Give a maker of raters who say the quality and some more."""

    def make(strictness: int = 0) -> Callable[[Ask], int]:
        def rater(ask: Ask) -> int:
            return quality(ask) + strictness

        return rater

    return make
