"""Simulation: files of forecasters whose bias and knowledge are known, to try things out on. Simulated, not real."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

FORECASTERS: Mapping[str, tuple[float, float]] = {
    "realist": (1.0, 0.0),
    "overvaluer": (2.0, 0.0),
    "undervaluer": (0.5, 0.0),
    "half-informed": (1.0, 0.5),
    "ignorant": (0.0, 0.0),
}
"""How far each stretches true log-odds, and what share of the evidence is kept from them."""
DAYS = 30
APART = 3
"""The days from the opening of one question to the next."""
AREAS = ("north", "south", "sea")


def simulate(rng: np.random.Generator, folder: str | Path, *, questions: int, revisions: int = 3) -> tuple[Path, Path]:
    """Write `forecasts.csv` and `outcomes.csv` in the long form, with forecasts revised over thirty days.

    Evidence on a question comes day by day; the realist knows all of it so far and weighs it rightly.
    The folder is made if it is not there; each forecaster speaks `revisions` times on each question.
    """
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    said: list[Sequence[Any]] = []
    came: list[Sequence[Any]] = []
    days = np.linspace(0, DAYS, revisions + 1)[:-1].astype(int)
    for number in range(questions):
        name = f"q{number:04d}"
        yes = rng.random() < 0.5
        # Each day's evidence is a normal reading about ±0.3; its log-odds are 0.6 times the reading.
        readings = rng.normal(0.3 if yes else -0.3, 1.0, DAYS)
        hidden = rng.random(DAYS)
        for forecaster, (stretch, blind) in FORECASTERS.items():
            for day in days:
                seen = readings[: day + 1][hidden[: day + 1] >= blind]
                share = 1 / (1 + np.exp(-stretch * 0.6 * seen.sum()))
                p = round(float(np.clip(share, 0.001, 0.999)), 4)
                at = APART * number + day
                said += [(forecaster, name, "yes", p, at), (forecaster, name, "no", round(1 - p, 4), at)]
        opened = APART * number
        came.append((name, "yes" if yes else "no", opened, *[opened + DAYS] * 2, AREAS[number % len(AREAS)]))
    _write(place / "forecasts.csv", ("forecaster", "question", "option", "probability", "time"), said)
    _write(place / "outcomes.csv", ("question", "outcome", "opened", "closes", "resolved", "area"), came)
    return place / "forecasts.csv", place / "outcomes.csv"


def _write(path: Path, header: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
