"""Comparison: two runs side by side, and in words whether the difference is real."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mensura.dialogue import Score
from mensura.exhibit import Exhibit
from mensura.running.results.compare import compare_runs
from mensura.stats import ScoreDifference, holm
from mensura.stats.population import plural
from mensura.stats.wording import listed
from mensura.store.head import RunHead
from mensura.web.lab.runs.summary import ScoreSummary, Summaries, exhibits_of, label_of

if TYPE_CHECKING:
    from mensura.store import Store


@dataclass(frozen=True)
class ComparedScore:
    """One score of two runs, with what may be said of the difference."""

    first: ScoreSummary
    second: ScoreSummary
    finding: ScoreDifference
    generalises: str
    """The population of the comparison, as a sentence."""
    adjusted_p: float
    real: bool
    """Whether the interval leaves out 0, and does so when all comparisons are allowed for."""
    with_excluded: ScoreDifference | None = None
    """The same with the sessions that were excluded; None where none was."""

    @property
    def score(self) -> Score:
        """Return the declaration of the score."""
        return self.first.score

    @property
    def verdict(self) -> str:
        """Return the verdict on the difference, in a few words."""
        if self.real:
            return "the difference is real"
        if self.finding.is_claim:
            return "does not remain significant among these comparisons"
        return "too little data to say" if self.finding.difference.has_interval else "cannot be compared"

    @property
    def pairing(self) -> str:
        """Return in words whether both met the same items."""
        units = plural(self.finding.unit)
        return f"Paired: both met the same {units}." if self.finding.paired else f"Two samples, not the same {units}."


@dataclass(frozen=True)
class SideBySide:
    """Two runs side by side."""

    first: RunHead
    second: RunHead
    labels: tuple[str, str]
    paired: bool
    scores: list[ComparedScore]
    only_one: list[str]
    warnings: list[str]
    family: str
    answer: str
    """Whether the difference is real, in one sentence."""
    exhibits: list[Exhibit]
    """The exhibits of the test for the two."""


def side_by_side(first: RunHead, second: RunHead, *, store: "Store", summaries: Summaries) -> SideBySide:
    """Compare two runs on all scores that both have, allowing for the number of comparisons.

    Whether a difference is real is decided by the interval that is shown: its p-value falls below .05 just where the
    interval leaves out 0, and it is these p-values that are adjusted.
    """
    comparison = compare_runs(first.id, second.id, store=store)
    ours, theirs = ({score.name: score for score in summaries.of(run).scores} for run in (first, second))
    names = [name for name in comparison.findings if name in ours and name in theirs]
    found = [comparison.findings[name] for name in names]
    adjusted = holm([finding.p for finding in found]) if names else None
    scores = [
        ComparedScore(
            ours[name],
            theirs[name],
            finding,
            comparison.generalises[name],
            float(adjusted.adjusted[place]),
            bool(adjusted.kept[place]) and finding.is_claim,
            comparison.with_excluded.get(name),
        )
        for place, (name, finding) in enumerate(zip(names, found, strict=True))
        if adjusted is not None
    ]
    return SideBySide(
        first,
        second,
        labels(first, second),
        comparison.paired,
        scores,
        sorted(set(ours) ^ set(theirs)),
        comparison.warnings,
        adjusted.sentence if adjusted is not None and len(names) > 1 else "",
        _answer(scores, left=not comparison.with_excluded),
        exhibits_of((first, second), labels(first, second), store=store),
    )


def labels(first: RunHead, second: RunHead) -> tuple[str, str]:
    """Name two runs so that they can be told apart."""
    ours, theirs = label_of(first), label_of(second)
    return (ours, theirs) if ours != theirs else (f"{ours} ({first.id})", f"{theirs} ({second.id})")


def _answer(scores: list[ComparedScore], *, left: bool) -> str:
    if not scores and not left:
        return "Nothing can be compared without the excluded sessions."
    if not scores:
        return "Nothing can be compared: the two runs have no score in common yet."
    if not any(score.finding.difference.has_interval for score in scores):
        return "Nobody can say yet: there is too little data to tell a difference from chance."
    real = [score.score.title for score in scores if score.real]
    if not real:
        return (
            "Too little data to call any difference real. That is not evidence that the two are equal: the intervals "
            "show which differences remain possible."
        )
    return f"Yes: the difference in {listed(real)} is larger than chance explains."
