"""The small world as a package file, and sessions of simulated participants in it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mensura.catalog.crisis.dialogue import crisis
from mensura.catalog.crisis.scoring.scoring import score
from mensura.catalog.crisis.subjects.participant import Participant
from mensura.catalog.crisis.subjects.traits import COMPETENT, Traits
from mensura.catalog.crisis.world.conference import Conference
from mensura.dialogue import Record, Scores
from mensura.running.take import take

Worked = tuple[Record, Scores]


@pytest.fixture(scope="session")
def package(small: Conference, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Write the small world to a file."""
    path: Path = tmp_path_factory.mktemp("packages") / "small.json"
    found = {name: getattr(small, name) for name in ("hash", "floor_money", "floor_bumps", "ceiling")}
    said = {"name": "small", "seed": 0, "purpose": "practice", "world": small.data()}
    path.write_text(json.dumps({**said, "found": {**found, "solvable": True, "method": "written by hand"}}))
    return str(path)


@pytest.fixture(scope="session")
def work(package: str) -> Callable[..., Worked]:
    """Give a function that lets a simulated participant work for half an hour."""

    def session(condition: str, *, traits: Traits | None = COMPETENT, seed: int = 1, **more: Any) -> Worked:
        people: Any = Participant(traits)
        if condition == "cots+a":
            people = {"subject": people, "helper": Participant(traits)}
        parameters = {"condition": condition, "package": package, "minutes": 30, **more}
        taken = take(crisis, people, seed=seed, parameters=parameters)
        return taken.record, score(taken.record, taken.truths)

    return session
