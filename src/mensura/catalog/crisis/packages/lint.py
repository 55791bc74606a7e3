"""The linter: refuses what cannot be a test, proves the rest solvable, and says how hard it is."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from mensura.catalog.crisis.packages.build import make
from mensura.catalog.crisis.packages.check import Flaw, check
from mensura.catalog.crisis.packages.difficulty import difficulty
from mensura.catalog.crisis.packages.lint_result import LintResult
from mensura.catalog.crisis.packages.package import Package
from mensura.catalog.crisis.schedule import Place, Placement
from mensura.catalog.crisis.world.conference import Conference

if TYPE_CHECKING:
    from mensura.catalog.crisis.planning.plan import SchedulePlan

_WITNESSED = "a schedule that meets every rule; nothing better by "
_BOUND = "a schedule that meets every rule; an upper bound of the floors"


@dataclass(frozen=True)
class LintReport:
    """What the linter has to say."""

    name: str
    hash: str
    findings: tuple[Flaw, ...]
    """What is wrong; empty: nothing."""
    solvable: bool
    """A schedule is known that meets every rule at once."""
    difficulty: dict[str, int]
    ceiling: dict[str, float]
    floor_money: float
    floor_bumps: int
    method: str
    witness: dict[str, Place] = field(default_factory=dict)
    best: dict[str, Place] = field(default_factory=dict)

    @property
    def refused(self) -> bool:
        """Whether the package may not be used."""
        return bool(self.findings)

    def found(self) -> LintResult:
        """Return what is stored beside the package."""
        return LintResult(**{name: getattr(self, name) for name in LintResult.model_fields})

    def data(self) -> dict[str, Any]:
        """Return it as JSON."""
        hidden = ("witness", "best")
        return {name: said for name, said in asdict(self).items() if name not in hidden} | {"refused": self.refused}


def lint_package(package: Package, *, quick: bool = False) -> LintReport:
    """Lint a package; the repaired schedule from which its letters were drawn is the proof that it can be solved.

    Of a world that was written out, the proof stored beside it is tried first, and another is searched for where it
    no longer holds.
    """
    made = make(package)
    return lint(made.world, witness=made.witness, quick=quick)


def lint(world: Conference, *, witness: Placement | None = None, quick: bool = False) -> LintReport:
    """Lint a world.

    Parameters
    ----------
    witness : mapping, optional
        A schedule that is claimed to meet every rule. It is checked; where it does not, CP-SAT searches for one.
    quick : bool
        Take the floors from the witness instead of searching for the cheapest schedule: upper bounds, in a second.
    """
    findings = check(world)
    if findings:
        return _refused(world, findings)
    from mensura.catalog.crisis.planning.plan import plan
    from mensura.catalog.crisis.planning.problem import PlanningProblem, TradeOffs
    from mensura.catalog.crisis.planning.truth import BEST_KEEP, BEST_WORK, best_plan

    proof = _proof(world, witness)
    if proof is None:
        # Rules before everything: asking and spending cost so little that they never outweigh one.
        prices = TradeOffs(money=1e-6, bump=0.002, move=0.0002)
        sought = plan(PlanningProblem.from_truth(world, prices=prices), work=BEST_WORK, keep=BEST_KEEP)
        if sought.unmet:
            return _refused(world, _unmet(world, sought.unmet))
        proof = {id: place for id, place in sought.placement.items() if place is not None}
    known = _counted(world, proof)
    if quick:
        return _report_of(world, known, proof=proof, method=_BOUND)
    # The search is only as good as its work: where the proof is the better schedule, it is the ceiling.
    searched = f"CP-SAT with full knowledge, deterministic work {BEST_WORK:g}, {BEST_KEEP} rooms per event and slot"
    best = max(best_plan(world), known, key=lambda each: each.objective)
    return _report_of(world, best, proof=proof, method=f"{_WITNESSED if best is known else ''}{searched}")


def found_at_once(world: Conference, *, witness: Placement | None) -> LintReport | None:
    """Return floors and ceiling by a schedule that is claimed to meet every rule, without any search; None if it fails.

    They are upper bounds of what a good schedule spends and asks for: a player is charged less, never more.
    """
    proof = _proof(world, witness)
    return None if proof is None else _report_of(world, _counted(world, proof), proof=proof, method=_BOUND)


def _counted(world: Conference, proof: dict[str, Place]) -> "SchedulePlan":
    from mensura.catalog.crisis.planning.plan import plan_of
    from mensura.catalog.crisis.planning.problem import PlanningProblem
    from mensura.catalog.crisis.planning.truth import BEST_PRICES

    return plan_of(PlanningProblem.from_truth(world, prices=BEST_PRICES), proof)


def _proof(world: Conference, witness: Placement | None) -> dict[str, Place] | None:
    """Return a witness if it holds in this world."""
    from mensura.catalog.crisis.planning.problem import PlanningProblem
    from mensura.catalog.crisis.planning.truth import BEST_PRICES
    from mensura.catalog.crisis.planning.worth import worth

    places = {id: place for id, place in (witness or {}).items() if place is not None}
    if places.keys() != world.event.keys() or any(room not in world.room for room, _ in places.values()):
        return None
    problem = PlanningProblem.from_truth(world, prices=BEST_PRICES)
    if any(room not in problem.venue for room, _ in places.values()):
        return None
    return places if len(worth(problem, places).met) == len(world.rules) else None


def _unmet(world: Conference, missed: Iterable[str]) -> list[Flaw]:
    return [
        Flaw(
            f"rules, {id} (from {world.rule[id].source})",
            f"no schedule was found that meets it with all others: {world.rule[id].words or world.rule[id].kind}",
        )
        for id in missed
    ]


def _refused(world: Conference, findings: list[Flaw]) -> LintReport:
    nothing = float("nan")
    return LintReport(
        world.name, world.hash, tuple(findings), False, {}, {}, nothing, 0, "none: the package was refused"
    )


def _report_of(world: Conference, plan: "SchedulePlan", *, proof: dict[str, Place], method: str) -> LintReport:
    best = {id: place for id, place in plan.placement.items() if place is not None}
    return LintReport(
        name=world.name,
        hash=world.hash,
        findings=(),
        solvable=True,
        difficulty=difficulty(world, place=best),
        ceiling={"quality": round(plan.quality, 6)},
        floor_money=round(plan.money, 2),
        floor_bumps=plan.bumps,
        method=method,
        witness=proof,
        best=best,
    )


def words_of(report: LintReport) -> str:
    """Return a report in words.

    >>> finding = Flaw("letters, m-3, body", "the variable '{romm}' dangles: it was never filled in.")
    >>> report = LintReport("mine", "0", (finding,), False, {}, {}, 0.0, 0, "none")
    >>> print(words_of(report))
    mine is refused.
      letters, m-3, body: the variable '{romm}' dangles: it was never filled in.
    """
    if report.refused:
        return "\n".join([f"{report.name} is refused.", *(f"  {finding}" for finding in report.findings)])
    lines = [f"{report.name} can be solved ({report.hash})."]
    lines += [f"  {name.replace('_', ' ')}: {number}" for name, number in report.difficulty.items()]
    lines.append(f"  ceiling of quality: {report.ceiling['quality']:.4f}")
    lines.append(f"  money of the best plan: {report.floor_money:.2f}")
    lines.append(f"  rooms that it asks for: {report.floor_bumps}")
    lines.append(f"  found by: {report.method}")
    return "\n".join(lines)


def stored(report: LintReport) -> str:
    """Write what is stored beside a package."""
    said = report.found().data()
    places = {name: said.pop(name, {}) for name in ("best", "witness")}
    parts = [json.dumps(said, indent=1)[:-2]]
    for name, schedule in places.items():
        lines = ",\n  ".join(f"{json.dumps(event)}: {json.dumps(place)}" for event, place in schedule.items())
        parts.append(f' "{name}": {{\n  {lines}\n }}')
    return ",\n".join(parts) + "\n}\n"
