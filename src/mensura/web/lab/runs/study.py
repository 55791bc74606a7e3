"""Study: what a study found so far, as its report says it, or why nothing can be tested yet."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mensura.errors import BadData
from mensura.exhibit import Exhibit
from mensura.report.content import Report
from mensura.report.study import study_report
from mensura.running.study import Analysis, Progress, Study, analyse, exhibits_of
from mensura.running.study.observing import ObserverNotes

if TYPE_CHECKING:
    from mensura.store import Store


@dataclass(frozen=True)
class StudyFindings:
    """The findings of a study so far."""

    analysis: Analysis | None = None
    report: Report | None = None
    why: str = ""
    """Why the hypotheses cannot be tested yet."""
    exhibits: Sequence[Exhibit] = ()
    """The part that can be shown all the same."""


def findings(study: Study, *, store: "Store") -> StudyFindings:
    """Analyse a study by its plan; one with too few sessions to be tested shows its exhibits alone."""
    try:
        analysis = analyse(study, store=store)
    except BadData as error:
        return StudyFindings(why=str(error), exhibits=exhibits_of(study, store=store))
    return StudyFindings(analysis, study_report(analysis, store=store))


def version_of(progress: Progress, *, store: "Store") -> tuple[Any, ...]:
    """Return which state the sessions, results, exclusions and observers' flags of a study are in."""
    runs = [head.id for state in progress.cells for head in state.runs]
    counts = [state.counts for state in progress.cells]
    flagged = [one.number for one in ObserverNotes(store).pending(progress.study)]
    return [store.results.version(run) for run in runs], counts, flagged
