"""The almanac: questions of fact that people and models half know, two or more alternatives or a quantity.

Only facts on which sources agree stand in it: heights that surveys or snow change by more than a few metres, and years
that depend on what one calls the event, were left out or are named so that one year is meant.
"""

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from mensura.catalog.forecasting.question_set import SetQuestion

MOST = {
    "elevation above sea level in metres": "Which rises highest above the sea?",
    "atomic number": "Which element has the highest atomic number?",
    "mean radius in kilometres": "Which body has the largest mean radius?",
    "year": "Which came last?",
}
RANGES = {
    "elevation above sea level in metres": (0.0, 10_000.0),
    "atomic number": (0.0, 120.0),
    "mean radius in kilometres": (0.0, 30_000.0),
    "year": (1600.0, 2020.0),
}


@dataclass(frozen=True)
class Fact:
    """A value of something, from one of the tables."""

    table: str
    item: str
    value: float


@cache
def facts() -> tuple[Fact, ...]:
    """Read the facts."""
    text = files(__package__).joinpath("almanac.csv").read_text(encoding="utf-8")
    return tuple(Fact(row["table"], row["item"], float(row["value"])) for row in csv.DictReader(text.splitlines()))


def draw_choice(rng: np.random.Generator, *, alternatives: int) -> SetQuestion:
    """Ask which of several things of one table has the largest value; ties are never drawn together."""
    tables = sorted(MOST)
    table = tables[int(rng.integers(len(tables)))]
    items = [fact for fact in facts() if fact.table == table]
    while True:
        chosen = [items[int(i)] for i in rng.choice(len(items), alternatives, replace=False)]
        values = [fact.value for fact in chosen]
        if values.count(max(values)) == 1:
            break
    options = tuple(fact.item for fact in chosen)
    return SetQuestion(f"{MOST[table]} Give a probability for each.", options, int(np.argmax(values)))


def draw_quantity(rng: np.random.Generator) -> tuple[Fact, tuple[float, float]]:
    """Pick one fact and the range in which its value is asked for."""
    fact = facts()[int(rng.integers(len(facts())))]
    return fact, RANGES[fact.table]
