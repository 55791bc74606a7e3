"""Plan: the best schedule the optimiser finds within a stated amount of work."""

from dataclasses import dataclass
from math import nan

from mensura.catalog.crisis.planning.problem import PlanningProblem
from mensura.catalog.crisis.planning.search import PlanSearch
from mensura.catalog.crisis.planning.supply import Errand
from mensura.catalog.crisis.planning.worth import worth
from mensura.catalog.crisis.schedule import Place, Placement

ROOMS_PER_SLOT = 4


@dataclass(frozen=True)
class SchedulePlan:
    """A schedule, what must be done to make it true, and how good it is."""

    placement: Placement
    asks: tuple[Place, ...]
    """Rooms and slots whose owners must be asked."""
    errands: tuple[Errand, ...]
    """Orders to place, change or cancel."""
    moved: tuple[str, ...]
    met: frozenset[str]
    unmet: tuple[str, ...]
    quality: float
    money: float
    """What it costs beyond what is spent already."""
    objective: float
    """Weight met − money − asks − moves, at the problem's prices."""
    bound: float
    """No schedule among the choices looked at has a greater objective (before chances of refusal)."""
    status: str
    """"optimal": proven for the choices looked at; "feasible": the work was used up before; "given": not searched."""

    @property
    def bumps(self) -> int:
        """How many slots must be asked for."""
        return len(self.asks)


def plan(problem: PlanningProblem, *, work: float = 1.0, keep: int = ROOMS_PER_SLOT) -> SchedulePlan:
    """Re-plan: the same problem and work always give the same plan.

    First the events that cannot stay are placed, then groups of events around what is still unmet are placed anew
    while all others stay (large neighbourhood search), and with what work is left the whole is tried at once, which
    also gives the bound.

    Parameters
    ----------
    problem
        What is known.
    work
        CP-SAT's deterministic time, about seconds on an ordinary machine: the limit is counted work, never the
        clock, so that a plan does not depend on how busy the machine is.
    keep
        How many rooms to consider for each event and slot (the best by its own rules).

    Returns
    -------
    Plan
        Its objective equals `worth(problem, placement).value`.
    """
    search = PlanSearch(problem, work=work, keep=keep)
    search.place_the_lost()
    search.mend()
    search.try_all()
    return plan_of(problem, search.placement, bound=search.bound, status="optimal" if search.proven else "feasible")


def plan_of(
    problem: PlanningProblem, placement: Placement, *, bound: float = nan, status: str = "given"
) -> SchedulePlan:
    """Return what a placement is worth and what must be done to make it true."""
    found = worth(problem, placement)
    moved = tuple(event for event, place in placement.items() if place != problem.now[event])
    return SchedulePlan(
        placement=placement,
        asks=found.asks,
        errands=found.errands,
        moved=moved,
        met=found.met,
        unmet=tuple(rule.id for rule in problem.rules if rule.id not in found.met),
        quality=found.quality,
        money=found.money,
        objective=found.value,
        bound=bound,
        status=status,
    )
