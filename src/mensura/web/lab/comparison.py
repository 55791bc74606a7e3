"""Comparison: two runs side by side, and in words whether the difference is real."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mensura.running.compare import compare_runs
from mensura.stats import holm
from mensura.store.head import RunHead
from mensura.web.lab.summary import ScoreSummary, Summaries, label_of

if TYPE_CHECKING:
    from mensura.store import Store


@dataclass(frozen=True)
class ComparedScore:
    """One score of two runs, with what may be said of the difference."""

    name: str
    first: ScoreSummary
    second: ScoreSummary
    difference: dict[str, Any]
    p: float
    adjusted_p: float
    real: bool
    sentence: str


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


def side_by_side(first: RunHead, second: RunHead, *, store: "Store", summaries: Summaries) -> SideBySide:
    """Compare two runs on all scores that both have, allowing for the number of comparisons."""
    comparison = compare_runs(first.id, second.id, store=store)
    ours, theirs = ({score.name: score for score in summaries.of(run).scores} for run in (first, second))
    names = [name for name in comparison.findings if name in ours and name in theirs]
    adjusted = holm([comparison.findings[name].p for name in names]) if names else None
    scores = []
    for place, name in enumerate(names):
        finding = comparison.findings[name]
        assert adjusted is not None
        scores.append(
            ComparedScore(
                name,
                ours[name],
                theirs[name],
                finding.difference.as_json(),
                float(finding.p),
                float(adjusted.adjusted[place]),
                bool(adjusted.kept[place]),
                finding.sentence,
            )
        )
    return SideBySide(
        first,
        second,
        labels(first, second),
        comparison.paired,
        scores,
        sorted(set(ours) ^ set(theirs)),
        comparison.warnings,
        adjusted.sentence if adjusted is not None and len(names) > 1 else "",
        _answer(scores),
    )


def labels(first: RunHead, second: RunHead) -> tuple[str, str]:
    """Name two runs so that they can be told apart."""
    ours, theirs = label_of(first), label_of(second)
    return (ours, theirs) if ours != theirs else (f"{ours} ({first.id})", f"{theirs} ({second.id})")


def _answer(scores: list[ComparedScore]) -> str:
    if not scores:
        return "Nothing can be compared: the two runs have no score in common yet."
    known = [score for score in scores if score.adjusted_p == score.adjusted_p]
    if not known:
        return "Nobody can say yet: there are too few sessions to tell a difference from chance."
    real = [score.name.replace("_", " ") for score in known if score.real]
    if not real:
        return (
            "No difference stands. That is not evidence that the two are equal: the intervals show which differences "
            "remain possible."
        )
    return f"Yes: the difference in {_listed(real)} is larger than chance explains."


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
