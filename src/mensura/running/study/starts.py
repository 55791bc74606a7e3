"""Starts: when the participants of a study began, read from the store, and whether it mattered."""

from datetime import datetime
from typing import TYPE_CHECKING

from mensura.errors import BadData
from mensura.running.scoring import session_means
from mensura.running.study.conduct import progress_of
from mensura.running.study.plan import Study
from mensura.running.study.start_bias import StartBias, start_bias
from mensura.store.exclusions import excluded_sessions

if TYPE_CHECKING:
    from mensura.store import Store

FIRST_TIME = "SELECT min(time) FROM events WHERE session = ?"


def starts_of(study: Study, *, score: str, store: "Store") -> list[StartBias]:
    """Test whether scores depend on the time of day and on the day of the week at which people began."""
    scores, conditions, hours, days = [], [], [], []
    for state in progress_of(study, store=store).cells:
        for head in state.runs:
            out = excluded_sessions(store, head.id)
            for session, mean in session_means(store.results(head.id), score).items():
                began = next((moment for (moment,) in store.rows(FIRST_TIME, session)), None)
                if session in out or began is None:
                    continue
                moment = datetime.fromtimestamp(began)
                scores.append(mean)
                conditions.append(state.cell.name)
                hours.append("morning" if moment.hour < 12 else "afternoon" if moment.hour < 17 else "evening")
                days.append(f"{moment:%A}")
    found = []
    for by, starts in (("time of day", hours), ("weekday", days)):
        if len(set(starts)) > 1:
            found.append(start_bias(scores, conditions, starts, by=by))
    if not found:
        raise BadData("Everybody began at the same time of day and on the same day; there is nothing to compare.")
    return found
