"""Summary: the estimates of a run and their pictures, kept at hand until results or exclusions change."""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import func, select

from mensura.dialogue import Items, Scores
from mensura.scores.direction import smaller_is_better
from mensura.stats import Estimate
from mensura.store.head import RunHead
from mensura.store.people_schema import exclusions
from mensura.store.schema import results, runs, sessions

if TYPE_CHECKING:
    from mensura.report.figures import Figure
    from mensura.store import Store

MOST_DOTS = 400
MOST_AT_HAND = 64


@dataclass(frozen=True)
class ScoreSummary:
    """One score of a run: its estimate, and the scores of single sessions to draw."""

    name: str
    estimate: Estimate
    smaller_is_better: bool | None
    """None where neither more nor less is."""
    sessions: int
    dots: tuple[float, ...]
    """Scores of single sessions; of many, evenly spaced ones in order of size."""
    chance: float | None = None


@dataclass(frozen=True)
class Summary:
    """What the results of a run come to."""

    run: str
    scores: tuple[ScoreSummary, ...]
    scored: int
    excluded: int


class Summaries:
    """The summaries that one process has at hand."""

    def __init__(self, store: "Store") -> None:
        self.store = store
        self._at_hand: OrderedDict[str, tuple[Any, Summary]] = OrderedDict()
        self._figures: OrderedDict[tuple[Any, ...], Figure] = OrderedDict()
        self._lock = Lock()

    def of(self, run: RunHead) -> Summary:
        """Summarise a run, or give the summary that still holds."""
        version = version_of(self.store, run.id)
        with self._lock:
            known = self._at_hand.get(run.id)
        if known is not None and known[0] == version:
            return known[1]
        made = summarise(self.store, run)
        with self._lock:
            self._at_hand[run.id] = version, made
            while len(self._at_hand) > MOST_AT_HAND:
                self._at_hand.popitem(last=False)
        return made

    def has(self, run: RunHead) -> bool:
        """Say whether the summary of a run is at hand and still holds."""
        with self._lock:
            known = self._at_hand.get(run.id)
        return known is not None and known[0] == version_of(self.store, run.id)

    def figure(self, run: RunHead, score: ScoreSummary) -> "Figure":
        """Draw one score of a run, or give the picture that still holds."""
        key = (run.id, score)
        with self._lock:
            known = self._figures.get(key)
        if known is not None:
            return known
        made = draw([(label_of(run), run.id, score)])
        with self._lock:
            self._figures[key] = made
            while len(self._figures) > MOST_AT_HAND:
                self._figures.popitem(last=False)
        return made


def version_of(store: "Store", run_id: str) -> tuple[int, int, int]:
    """Say which state the results and exclusions of a run are in: equal versions, equal summaries."""
    mine = select(sessions.c.number).join(runs, runs.c.number == sessions.c.run).where(runs.c.id == run_id)
    scored = select(func.count(), func.max(results.c.number)).where(results.c.session.in_(mine))
    decided = select(func.count()).where(exclusions.c.session.startswith(f"{run_id}/", autoescape=True))
    with store.reading() as connection:
        many, newest = connection.execute(scored).one()
        return int(many), int(newest or 0), int(connection.execute(decided).scalar_one())


def summarise(store: "Store", run: RunHead) -> Summary:
    """Estimate each score of a run from its sessions that count."""
    from mensura.running.scoring import estimates
    from mensura.store.exclusions import excluded_sessions

    found = store.results(run.id)
    chance = _chance(run)
    made = []
    for name, estimate in estimates(found.values()).items():
        single = per_session(found, name)
        made.append(ScoreSummary(name, estimate, smaller_is_better(name), len(single), _dots(single), chance.get(name)))
    return Summary(run.id, tuple(made), len(found), len(excluded_sessions(store, run.id)))


def per_session(found: Mapping[str, Scores], name: str) -> list[float]:
    """Give one number for each session that has a score: the mean of its items that have one."""
    values = []
    for scores in found.values():
        value = scores.values.get(name)
        if isinstance(value, Items):
            known = value.values[~np.isnan(value.values)]
            if known.size:
                values.append(float(known.mean()))
        elif value is not None and value == value:
            values.append(float(value))
    return values


def draw(rows: list[tuple[str, str, ScoreSummary]]) -> "Figure":
    """Draw one score of one run or several, as reports do."""
    from mensura.report.content import ScoreRow, ScoreTable
    from mensura.report.figures import score_figure

    first = rows[0][2]
    drawn = [ScoreRow(label, run, score.estimate, list(score.dots)) for label, run, score in rows]
    return score_figure(ScoreTable(first.name, first.smaller_is_better, drawn))


def label_of(run: RunHead) -> str:
    """Name a run by who took it, and under which condition."""
    who = " and ".join(dict.fromkeys(run.cast.values()))
    return f"{who}, {run.condition}" if run.condition else who


def _dots(values: list[float]) -> tuple[float, ...]:
    finite = sorted(value for value in values if abs(value) != float("inf"))
    if len(finite) <= MOST_DOTS:
        return tuple(finite)
    return tuple(finite[place] for place in np.linspace(0, len(finite) - 1, MOST_DOTS).round().astype(int))


def _chance(run: RunHead) -> dict[str, float]:
    from mensura.errors import MensuraError
    from mensura.web.lab.catalog import registered_test

    try:
        return registered_test(run.test).chance_levels(run.parameters)
    except (MensuraError, TypeError):
        # A run may come from another installation, with a test that is not here.
        return {}
