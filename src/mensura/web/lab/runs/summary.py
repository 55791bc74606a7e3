"""Summary: the estimates of a run and their pictures, kept at hand until results or exclusions change."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from mensura.dialogue import Items, Score, Scores, Tally, Test
from mensura.errors import MensuraError, UnknownName
from mensura.exhibit import Exhibit, Figure
from mensura.exhibit.score_table import ScoreRow, ScoreTable
from mensura.running.results.counting import counted
from mensura.running.results.estimating import Estimated
from mensura.running.results.exhibits import exhibits_of_runs
from mensura.running.results.summary import administered
from mensura.stats import Estimate
from mensura.store.head import RunHead
from mensura.web.lab.at_hand import AtHand

if TYPE_CHECKING:
    from mensura.store import Store

MOST_DOTS = 400
NOT_HERE = (
    "These pages run no test that is not installed, such as one from a file: mensura report {} shows what it brings."
)


@dataclass(frozen=True)
class ScoreSummary:
    """One score of a run: what is declared of it, its estimate, and the scores of single sessions to draw."""

    score: Score
    estimate: Estimate
    """Over what was asked less what we lost: the headline."""
    answered: Estimate
    """Over what was answered only."""
    outcomes: Tally = field(hash=False)
    """The outcomes of all questions."""
    with_lost: tuple[float, float] | None
    """The headline with lost items at their worst and at their best; None where none was lost or has bounds."""
    generalises: str
    """The population that the estimate generalises to, as a sentence."""
    with_excluded: Estimate | None
    """The headline over all sessions, those that were excluded too; None where none was."""
    account: str
    """The unanswered questions and what they change, in words; empty where all were answered."""
    sessions: int
    dots: tuple[float, ...]
    """Scores of single sessions; of many, evenly spaced ones in order of size."""
    chance: float | None = None

    @property
    def name(self) -> str:
        """The name in results."""
        return self.score.name


@dataclass(frozen=True)
class Summary:
    """The results of a run."""

    run: str
    scores: tuple[ScoreSummary, ...]
    scored: int
    excluded: int
    excluded_words: str
    """How many sessions count and why others do not."""
    instance: str
    """Hash of what was really administered, as far as that is known."""
    exhibits: tuple[Exhibit, ...] = ()
    """The exhibits of the test for the run."""


class Summaries:
    """The summaries that one process has at hand."""

    def __init__(self, store: "Store") -> None:
        self.store = store
        self._summaries: AtHand[Summary] = AtHand()
        self._figures: AtHand[Figure] = AtHand()

    def of(self, run: RunHead) -> Summary:
        """Summarise a run, or give the summary that still holds."""
        return self._summaries.get(run.id, lambda: summarise(self.store, run), self.store.results.version(run.id))

    def has(self, run: RunHead) -> bool:
        """Return whether the summary of a run is at hand and still holds."""
        return self._summaries.has(run.id, self.store.results.version(run.id))

    def figure(self, run: RunHead, score: ScoreSummary) -> Figure:
        """Draw one score of a run, or give the picture that still holds."""
        return self._figures.get((run.id, score), lambda: draw([(label_of(run), score)]))


def summarise(store: "Store", run: RunHead) -> Summary:
    """Estimate each score of a run from its sessions that count."""
    counting = counted(run, store=store)
    found, chance, estimates = counting.scores, _chance(run), counting.estimated()
    made = [_score_summary(one, per_session(found, name), chance.get(name)) for name, one in estimates.items()]
    hashed = administered(run, counting.overview.instance).instance_hash
    shown = exhibits_of([run], [label_of(run)], store=store)
    return Summary(run.id, tuple(made), len(found), len(counting.why), counting.words, hashed, tuple(shown))


def exhibits_of(heads: Sequence[RunHead], names: Sequence[str], *, store: "Store") -> list[Exhibit]:
    """Make what the test's own literature shows of runs side by side."""
    test = _registered(heads[0])
    if test is None:
        return [Exhibit("What the test itself shows", NOT_HERE.format(" ".join(head.id for head in heads)))]
    return exhibits_of_runs(heads, store=store, test=test, names=names)


def _score_summary(one: Estimated, single: list[float], chance: float | None) -> ScoreSummary:
    """Keep of an estimate what pages show; the single items are too many to stay at hand."""
    return ScoreSummary(
        one.score,
        one.estimate,
        one.answered,
        one.tally,
        one.span,
        one.sentence,
        one.with_excluded,
        one.account,
        len(single),
        _dots(single),
        chance,
    )


def per_session(found: Mapping[str, Scores], name: str) -> list[float]:
    """Return one number for each session that has a score: the mean of its items that have one.

    Items that were dialogues of their own are taken together by the session that they belong to.
    """
    values: dict[str, list[float]] = {}
    for session, scores in found.items():
        value = scores.values.get(name)
        if value is None:
            continue
        numbers = value.values if isinstance(value, Items) else np.array([value], dtype=float)
        place = ".".join(session.rpartition("/")[2].split(".")[:3])
        values.setdefault(place, []).extend(numbers[~np.isnan(numbers)].tolist())
    return [float(np.mean(numbers)) for numbers in values.values() if numbers]


def draw(rows: list[tuple[str, ScoreSummary]]) -> Figure:
    """Draw one score of one run or several, as reports do; refuse where no value is known and finite."""
    table = ScoreTable(rows[0][1].score, [ScoreRow(label, score.estimate, score.dots) for label, score in rows])
    if not table.figures:
        values = ", ".join(score.estimate.rounded[0] for _, score in rows)
        raise UnknownName(f"There is no picture of the {table.title}: its value is {values}.")
    return table.figures[0]


def label_of(run: RunHead) -> str:
    """Name a run by who took it, and under which condition."""
    who = " and ".join(run.who)
    return f"{who}, {run.condition}" if run.condition else who


def _dots(values: list[float]) -> tuple[float, ...]:
    finite = sorted(value for value in values if abs(value) != float("inf"))
    if len(finite) <= MOST_DOTS:
        return tuple(finite)
    return tuple(finite[place] for place in np.linspace(0, len(finite) - 1, MOST_DOTS).round().astype(int))


def _chance(run: RunHead) -> dict[str, float]:
    test = _registered(run)
    try:
        return test.chance_levels(run.parameters) if test else {}
    except (MensuraError, TypeError):
        # Its parameters may be those of another version.
        return {}


def _registered(run: RunHead) -> Test | None:
    """Find the test of a run; None where the run comes from another installation, with a test that is not here."""
    from mensura.web.lab.catalog import registered_test

    try:
        return registered_test(run.test)
    except MensuraError:
        return None
