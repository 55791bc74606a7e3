"""Hypotheses as tested: what was found of each, or why nothing could be, with p-values adjusted within a family."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isnan, nan
from typing import Any, Literal, get_args

from mensura.dialogue import Scores
from mensura.running.results.comparing import compare_samples, same_session
from mensura.running.results.estimating import Circumstances, Sample, session_place
from mensura.running.results.rows import SampleRows
from mensura.running.study.analysis.cell import TakenCell
from mensura.running.study.plan import Expect, Hypothesis
from mensura.stats import Estimate, ScoreDifference, holm, without_interval
from mensura.stats.rounding import rounded
from mensura.stats.wording import several


@dataclass(frozen=True)
class Tested:
    """One comparison: planned or exploratory, with the p-value adjusted within its family."""

    name: str
    score: str
    sentence: str
    difference: Estimate
    p: float
    adjusted_p: float
    planned: bool
    supported: bool
    """Whether the difference is significant after adjustment and in the expected direction."""
    verdict: str
    """"supported", "contradicted" (it stands, and goes the other way), "undecided" (too little data), "not tested"
    (nothing could be computed; the sentence says why), or "not registered" (asked after the data)."""
    with_excluded: str = ""
    """The same comparison with the excluded sessions; empty where none of them has a score."""

    def as_json(self) -> dict[str, Any]:
        """Return the comparison as JSON."""
        known = {name: None if isnan(p) else p for name, p in (("p", self.p), ("adjusted_p", self.adjusted_p))}
        difference = self.difference.as_json()
        return {**vars(self), **known, "difference": difference, "population": self.difference.population}


Origin = Literal["planned", "asked", "explored"]
Examined = tuple[Hypothesis, ScoreDifference | str, Origin, str]
"""A hypothesis, what was found or why nothing could be, whether the registered plan asks it, another, or none, and
why it is too early to decide."""


def examine(hypothesis: Hypothesis, cells: Mapping[str, TakenCell], population: str | None, origin: Origin) -> Examined:
    """Compare the two sides of a hypothesis, or say why that cannot be done."""
    if hypothesis.expect not in get_args(Expect):
        # Plans of earlier releases may have it; whatever is found would agree with a word that means nothing.
        return hypothesis, f"{hypothesis.expect!r} is not one of {', '.join(get_args(Expect))}.", origin, ""
    if hypothesis.phase:
        cells = {name: cell.only(hypothesis.phase) for name, cell in cells.items()}
    first, second = (_side(side, cells) for side in hypothesis.compare)
    left, right = (_pooled(side, hypothesis.score) for side in (first, second))
    for name, side, found in zip(hypothesis.compare, (first, second), (left, right), strict=True):
        if not found.known.values.size:
            return hypothesis, _why_not(name, hypothesis.score, side), origin, ""
    ours, theirs = _administered(first), _administered(second)
    same_terms = _terms(first) == _terms(second)
    shared = {
        place
        for place, (seed, scores) in ours.items()
        if place in theirs
        and same_session(scores, theirs[place][1], same_seed=seed == theirs[place][0], same_terms=same_terms)
    }
    finding = compare_samples(
        left,
        right,
        score=next(cell for cell in first if hypothesis.score in cell.names).declared(hypothesis.score),
        names=hypothesis.compare,
        shared=shared,
        generalise=population,
    )
    early = ", ".join(cell.early for cell in (*first, *second) if cell.early and origin == "planned")
    return hypothesis, finding, origin, f"The plan decides when all sessions are over: {early}. " if early else ""


def _terms(side: list[TakenCell]) -> list[tuple[str, Mapping[str, Any]]]:
    return [(cell.state.cell.test, cell.state.cell.parameters) for cell in side]


def _why_not(name: str, score: str, side: list[TakenCell]) -> str:
    """Return why one side of a comparison has nothing to compare."""
    if not any(cell.usable for cell in side):
        taken = sum(sum(cell.state.counts.values()) for cell in side)
        return f"{name} has no session that counts; opened: {taken}."
    if not any(score in cell.names for cell in side):
        return f"No session of {name} has the score {score}."
    if unbounded := [value for cell in side if score in cell.names for value in cell.unbounded(score)]:
        return (
            f"The score {score} of {name} is {rounded(unbounded[0])[0]}: {several(len(unbounded), 'number')} without "
            "bound, as certainty scores when it is wrong. A bounded score can be compared."
        )
    return f"The score {score} of {name} is unknown."


def _side(name: str, cells: Mapping[str, TakenCell]) -> list[TakenCell]:
    """Find the cells that a side of a comparison means: one cell, all of a cast, or all of a condition."""
    if name in cells:
        return [cells[name]]
    return [cell for cell in cells.values() if name in (cell.state.cell.cast.name, cell.state.cell.condition)]


def _pooled(side: list[TakenCell], score: str) -> Sample:
    """Gather a side's numbers; condition and cast become part of the names of sessions and courses."""
    samples = {cell.state.cell.name: cell.sample(score) for cell in side if score in cell.names}
    if not samples:
        return Sample(SampleRows(), False, Circumstances())
    rows = (
        replace(row, session=_place(cell, side, row.session), course=_place(cell, side, row.course))
        for cell in side
        if cell.state.cell.name in samples
        for row in samples[cell.state.cell.name].rows
    )
    first = next(iter(samples.values()))
    return Sample(SampleRows(rows), all(sample.has_items for sample in samples.values()), first.circumstances)


def _place(cell: TakenCell, side: list[TakenCell], place: str) -> str:
    """Name a place within a side; cast and arm are part of it only where the side has several."""
    mine, cells = cell.state.cell, [each.state.cell for each in side]
    cast = mine.cast.name if len({one.cast.name for one in cells}) > 1 else ""
    # The same course in two arms meets the same instances, so that the arms of courses are paired.
    condition = mine.condition if len({one.arm for one in cells}) > 1 else mine.condition.removesuffix(mine.arm)
    return f"{condition}/{cast}/{place}"


def _administered(side: list[TakenCell]) -> dict[str, tuple[str, Scores]]:
    """Return the mark of the seed and the scores of the session at each place."""
    found: dict[str, tuple[str, Scores]] = {}
    for cell in side:
        for session, scores in cell.usable.items():
            seed = next((head.seed_mark for head in cell.state.runs if session.startswith(f"{head.id}/")), "")
            found[_place(cell, side, session_place(session))] = (seed, scores)
    return found


def adjusted(found: list[Examined]) -> tuple[list[Tested], str]:
    """Give each its verdict, with p-values adjusted within this family, and the sentence that says so."""
    if not found:
        return [], ""
    family = holm([nan if isinstance(finding, str) else finding.p for _, finding, *_ in found])
    tested = []
    for (hypothesis, finding, origin, early), p, kept in zip(found, family.adjusted, family.kept, strict=True):
        name, score, planned = hypothesis.name, hypothesis.score, origin == "planned"
        if isinstance(finding, str):
            nothing = without_interval(nan, n=0, reason="not tested")
            tested.append(Tested(name, score, finding, nothing, nan, nan, planned, False, "not tested"))
            continue
        value = finding.difference.value
        way = {"greater": value > 0, "less": value < 0}.get(hypothesis.expect, True)
        stands = bool(kept and finding.is_claim and not early)
        verdict = "undecided" if finding.difference.has_interval else "not tested"
        if origin == "asked":
            verdict = "not registered" if finding.difference.has_interval else verdict
        elif stands:
            verdict = "supported" if way else "contradicted"
        supported = stands and way and verdict != "not registered"
        said = f"{early}{finding.sentence}"
        tested.append(Tested(name, score, said, finding.difference, finding.p, p, planned, supported, verdict))
    return tested, family.sentence
