"""Looks: where a plan names a sequential method, the looks at the outcome that it allows, each against its boundary."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from mensura.running.study.analysis.cell import TakenCell
from mensura.running.study.analysis.tested import Tested, examine
from mensura.running.study.plan import Study
from mensura.stats.comparisons.sequential import Boundaries, Spending, spending_boundaries

Cells = Mapping[str, TakenCell]
TITLES = {"obrien-fleming": "O'Brien–Fleming spending", "pocock": "Pocock spending"}
UNADJUSTED = "Intervals are those of a single look: they are not adjusted for the looks before."


@dataclass(frozen=True)
class Look:
    """The last look at the outcome that the data allow: where its boundary was crossed, the study is over."""

    number: int
    """From 1; 0 where there is too little for the first."""
    of: int
    sessions: int
    """How many sessions of each cell it looks at."""
    level: float
    """The two-sided p-value at which the study stops there."""
    p: float | None
    crossed: bool
    method: str

    @property
    def over(self) -> bool:
        """Whether nobody else is needed."""
        return self.crossed or self.number == self.of

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        by = f"{self.sessions} sessions in each cell, {TITLES[self.method]}"
        if not self.number:
            return f"No look yet: the first of {self.of} comes with {by}."
        said = f"Look {self.number} of {self.of} ({by}): "
        said += "there is no p-value" if self.p is None else f"p = {self.p:.3g} against the level {self.level:.3g}"
        if self.crossed:
            return f"{said}; the study stops here by its plan."
        return f"{said}; {'it was the last look' if self.over else 'the study goes on'}."


def levels_of(study: Study) -> Boundaries:
    """Return the boundaries of a plan that looks at the outcome."""
    return _boundaries(study.stopping.looks, study.stopping.method)


@lru_cache(maxsize=64)
def _boundaries(looks: tuple[int, ...], method: Spending) -> Boundaries:
    return spending_boundaries([one / looks[-1] for one in looks], method=method)


def look_at(plan: Study, read: Callable[[Study], dict[str, TakenCell]], population: str | None) -> tuple[Look, Cells]:
    """Look at the outcome as the plan says, one look after the other, and stop at the first boundary that is crossed.

    Each look has the first usable sessions of each cell, so the same looks are taken at any time, by anyone. Returns
    the last look, and the cells as it saw them.
    """
    rule = plan.stopping
    levels = levels_of(plan).levels
    look = Look(0, len(rule.looks), rule.looks[0], levels[0], None, False, rule.method)
    seen: Cells = read(_staged(plan, 1))
    for number, (many, level) in enumerate(zip(rule.looks, levels, strict=True), start=1):
        cells = seen if number == 1 else read(_staged(plan, number))
        last = number == len(rule.looks)
        ready = all(not cell.early if last else len(cell.usable) >= many for cell in cells.values())
        if not ready:
            break
        seen = cells
        _, finding, *_ = examine(plan.hypotheses[0], cells, population, "planned")
        known = None if isinstance(finding, str) or finding.p != finding.p else float(finding.p)
        crossed = known is not None and known <= level and not isinstance(finding, str) and finding.is_claim
        look = Look(number, len(rule.looks), many, level, known, crossed, rule.method)
        if crossed:
            break
    return look, seen


def judged_by(look: Look, tested: list[Tested]) -> list[Tested]:
    """Let a verdict stand only where the boundary of the look was crossed."""
    held = []
    for one in tested:
        verdict = one.verdict if look.crossed or one.verdict not in ("supported", "contradicted") else "undecided"
        supported = one.supported and look.crossed
        held.append(replace(one, verdict=verdict, supported=supported, sentence=f"{look.sentence} {one.sentence}"))
    return held


def _staged(plan: Study, number: int) -> Study:
    looks = plan.stopping.looks[:number]
    return replace(plan, stopping=replace(plan.stopping, most=looks[-1], looks=looks))
