"""Exhibits of the game: judgements with their controls, belief over time, and how games were conducted."""

from collections.abc import Sequence

from mensura.catalog.imitation.showing.competition import competitions
from mensura.catalog.imitation.showing.conduct import answers, books, conduct
from mensura.catalog.imitation.showing.gathered import Gathered, by_system
from mensura.catalog.imitation.showing.judgement import (
    calibration,
    cohorts,
    dates,
    judgement,
    judges,
    juries,
    strategies,
)
from mensura.catalog.imitation.showing.over_time import beliefs, moments, survival
from mensura.exhibit import Exhibit, Group


def exhibits(groups: Sequence[Group]) -> list[Exhibit]:
    """Return the tables and pictures of games, groups side by side."""
    gathered = by_system([Gathered.of(group) for group in groups])
    return [
        judgement(gathered),
        *competitions(gathered),
        *juries(gathered),
        *cohorts(gathered),
        *dates(gathered),
        *beliefs(gathered),
        *survival(gathered),
        moments(gathered),
        *answers(gathered),
        *strategies(gathered),
        *calibration(gathered),
        *judges(gathered),
        *books(gathered),
        conduct(gathered),
    ]
