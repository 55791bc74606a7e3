"""Starts: when the participants of a study began, read from the store, and whether it mattered."""

from datetime import datetime
from typing import TYPE_CHECKING

from mensura.errors import BadData
from mensura.running.scoring.scoring import session_means
from mensura.running.study.analysis.cell import usable_scores
from mensura.running.study.conduct import progress_of
from mensura.running.study.plan import Study
from mensura.running.study.procedure import time_of_day
from mensura.running.study.start_bias import StartBias, start_bias

if TYPE_CHECKING:
    from mensura.store import Store


def starts_of(study: Study, *, score: str, store: "Store") -> list[StartBias]:
    """Test whether scores depend on the time of day and on the day of the week at which people began.

    Only people and only sessions that count are looked at: programs begin whenever they are run. Times are those of
    the clock on the wall where this is computed.
    """
    people = [state for state in progress_of(study, store=store).cells if state.cell.cast.people]
    if not people:
        raise BadData(f"Nobody in {study.name} is a person; programs begin whenever they are run.")
    scores, conditions, began = [], [], []
    for state in people:
        for session, mean in session_means(usable_scores(study, state, store=store), score).items():
            first, _ = store.events.times(session)
            if first is not None:
                scores.append(mean)
                conditions.append(state.cell.name)
                began.append(datetime.fromtimestamp(first))
    if not scores:
        raise BadData(f"No session of a person in {study.name} that counts has a score called {score!r} yet.")
    by = {"time of day": [time_of_day(one) for one in began], "weekday": [f"{one:%A}" for one in began]}
    found = [start_bias(scores, conditions, starts, by=name) for name, starts in by.items() if len(set(starts)) > 1]
    if not found:
        raise BadData("Everybody began at the same time of day and on the same day; there is nothing to compare.")
    return found
