"""Looks: where a plan names a sequential method, the looks at the outcome that it allows, each against its boundary.

A look is a deed about every session that it saw: once taken it stays as it was, no matter who is excluded later.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from mensura.dialogue.canonical import short_hash
from mensura.running.study.analysis.cell import AFTER_LOOK, LeftOut, TakenCell
from mensura.running.study.analysis.tested import Tested, adjusted, examine
from mensura.running.study.plan import Study
from mensura.stats.comparisons.sequential import Boundaries, Spending, spending_boundaries
from mensura.store.log.deeds import LOOKED_AT
from mensura.store.text import moment

if TYPE_CHECKING:
    from mensura.store import Store

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
    verdict: str = ""
    """Its verdict on the hypothesis, as a word; empty where there was no look."""
    finding: str = ""
    """The same as a sentence."""
    seen: int = 0
    """How many sessions it saw."""
    lost: int = 0
    """How many of these do not count any more."""
    time: float | None = None
    """When it was taken; None where it is not stored."""

    @property
    def over(self) -> bool:
        """Return whether nobody else is needed."""
        return self.crossed or self.number == self.of

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        by = f"{self.sessions} sessions in each cell, {TITLES[self.method]}"
        if not self.number:
            return f"No look yet: the first of {self.of} comes with {by}."
        said = f"Look {self.number} of {self.of} ({by}): "
        said += "there is no p-value" if self.p is None else f"p = {self.p:.3g} against the level {self.level:.3g}"
        then = "it was the last look" if self.over else "the study goes on"
        said += f"; {'the study stops here by its plan' if self.crossed else then}."
        if self.lost and self.time is not None:
            were = "was" if self.lost == 1 else "were"
            said += (
                f" {self.lost} of the {self.seen} sessions that it saw on {moment(self.time)} {were} excluded or "
                "withdrawn since; the look stays as it was taken."
            )
        return said


def levels_of(study: Study) -> Boundaries:
    """Return the boundaries of a plan that looks at the outcome."""
    return _boundaries(study.stopping.looks, study.stopping.method)


@lru_cache(maxsize=64)
def _boundaries(looks: tuple[int, ...], method: Spending) -> Boundaries:
    return spending_boundaries([one / looks[-1] for one in looks], method=method)


def look_at(
    plan: Study, read: Callable[[Study], dict[str, TakenCell]], population: str | None, *, store: "Store"
) -> tuple[Look, Cells]:
    """Look at the outcome as the plan says, one look after the other, and stop at the first boundary that is crossed.

    Each look has the first usable sessions of each cell, and is stored when it is first taken: sessions that are
    excluded or end later change neither what it saw nor that it was taken. Returns the last look, and the cells as it
    saw them, without those that do not count any more.
    """
    rule = plan.stopping
    levels = levels_of(plan).levels
    look = Look(0, len(rule.looks), rule.looks[0], levels[0], None, False, rule.method)
    seen: Cells = read(_staged(plan, 1))
    taken = _taken_before(plan, seen, store)
    for number, (many, level) in enumerate(zip(rule.looks, levels, strict=True), start=1):
        cells = seen if number == 1 else read(_staged(plan, number))
        last = number == len(rule.looks)
        if number in taken:
            look, sessions = taken[number]
            seen = {name: _as_seen(cell, sessions, many) for name, cell in cells.items()}
            look = replace(look, lost=look.seen - sum(len(cell.usable) for cell in seen.values()))
            if look.crossed:
                break
            continue
        if not all(len(cell.usable) >= many or (last and _complete(cell, plan, store)) for cell in cells.values()):
            break
        seen = cells
        examined = examine(plan.hypotheses[0], cells, population, "planned")
        [tested], finding = adjusted([examined])[0], examined[1]
        known = None if isinstance(finding, str) or finding.p != finding.p else float(finding.p)
        crossed = known is not None and known <= level and not isinstance(finding, str) and finding.is_claim
        found = (tested.verdict, tested.sentence, sum(len(cell.usable) for cell in cells.values()))
        look = Look(number, len(rule.looks), many, level, known, crossed, rule.method, *found)
        _keep(look, plan, cells, store)
        if crossed:
            break
    return look, seen


def judged_by(look: Look, tested: list[Tested]) -> list[Tested]:
    """Let a verdict stand only where the boundary of the look was crossed, and as the look gave it."""
    held = []
    for one in tested:
        verdict = "undecided" if one.verdict in ("supported", "contradicted") else one.verdict
        verdict = look.verdict if look.crossed else verdict
        now = one.sentence
        if look.finding and look.finding != one.sentence:
            now = f"{look.finding} As the data are now: {one.sentence}"
        supported = verdict == "supported"
        held.append(replace(one, verdict=verdict, supported=supported, sentence=f"{look.sentence} {now}"))
    return held


def _complete(cell: TakenCell, plan: Study, store: "Store") -> bool:
    """Return whether all planned sessions are over and nobody comes by a link for those that do not count."""
    link = store.recruiting_links.of(plan.name) if cell.state.cell.cast.people else None
    return not cell.early and (link is None or link.closed is not None)


def _rule(plan: Study) -> str:
    """Hash what makes the looks of two plans the same: when they are taken, by which method, at which hypothesis."""
    return short_hash([plan.stopping.looks, plan.stopping.method, asdict(plan.hypotheses[0])])


def _taken_before(plan: Study, cells: Cells, store: "Store") -> dict[int, tuple[Look, set[str]]]:
    """Find the looks that were taken, each with the sessions that it saw and that are still there."""
    found: dict[int, tuple[Look, set[str]]] = {}
    runs = [head.id for cell in cells.values() for head in cell.state.runs]
    for deed in store.deeds.of_runs(runs, kind=LOOKED_AT):
        if deed.body.get("rule") == _rule(plan):
            look = Look(**deed.body["look"], time=deed.time)
            first, sessions = found.setdefault(look.number, (look, set()))
            # Two who look at one moment may both store it; the first counts.
            if first.time == look.time:
                sessions.add(deed.session)
    return found


def _keep(look: Look, plan: Study, cells: Cells, store: "Store") -> None:
    """Store a look with every session that it saw."""
    if store.database.read_only:
        return
    told = {name: value for name, value in asdict(look).items() if name not in ("lost", "time")}
    body = {"study": plan.name, "rule": _rule(plan), "look": told}
    store.deeds.note_all({session: body for cell in cells.values() for session in cell.usable}, LOOKED_AT)


def _as_seen(cell: TakenCell, seen: set[str], many: int) -> TakenCell:
    """Leave out the sessions that a look did not see, whatever their place in the order is now."""
    left = [one for one in cell.left_out if not one.kind.startswith(AFTER_LOOK)]
    strange = cell.everything.keys() - seen - {one.session for one in left}
    kind = f"{AFTER_LOOK} {many} per cell"
    left += [LeftOut(session, cell.state.cell.name, kind, True, kind) for session in sorted(strange)]
    return replace(cell, left_out=left)


def _staged(plan: Study, number: int) -> Study:
    looks = plan.stopping.looks[:number]
    return replace(plan, stopping=replace(plan.stopping, most=looks[-1], looks=looks))
