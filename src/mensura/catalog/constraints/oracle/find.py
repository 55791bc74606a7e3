"""The oracle: what is true of a problem, and by which means that is known."""

from dataclasses import dataclass
from typing import Any

from mensura.catalog.constraints.oracle.brute_force import try_all
from mensura.catalog.constraints.problem.problem import Problem
from mensura.errors import BadData, NotInstalled


@dataclass(frozen=True)
class OracleTruth:
    """What is known of a problem; None where it is not known."""

    solvable: bool | None
    solutions: int | None = None
    """How many assignments solve it; where there are costs, how many are best."""
    optimum: float | None = None
    assignment: dict[str, Any] | None = None
    by: str = "none"
    why: str = ""
    """Why something is not known."""

    @property
    def flag(self) -> str:
        """It in one word: solvable, unsolvable or unknown."""
        return "unknown" if self.solvable is None else "solvable" if self.solvable else "unsolvable"


def truth_of(problem: Problem, *, seconds: float = 10.0) -> OracleTruth:
    """Find out whether a problem can be solved, in how many ways where it is small, and at which cost.

    Parameters
    ----------
    problem
        What is to be solved.
    seconds
        How much work CP-SAT may do, in seconds of its deterministic clock, so that what it finds does not depend on
        how busy the machine is. With 0 only brute force is tried.
    """
    if (found := try_all(problem)) is not None:
        optimum = None if problem.objective == "satisfy" else found.optimum
        return OracleTruth(found.solutions > 0, found.solutions, optimum, found.assignment, "brute force")
    if not seconds:
        return OracleTruth(None, why="It is too large for brute force.")
    return _by_cp_sat(problem, seconds)


def _by_cp_sat(problem: Problem, seconds: float) -> OracleTruth:
    from mensura.catalog.constraints.oracle.cp_sat import solve

    try:
        verdict, assignment = solve(problem, seconds=seconds)
    except (BadData, NotInstalled) as error:
        return OracleTruth(None, why=str(error))
    late = f"CP-SAT did not decide it in {seconds:g} seconds of work."
    if verdict == "unknown" or assignment is None:
        unsolvable = verdict == "unsolvable"
        return OracleTruth(
            False if unsolvable else None, 0 if unsolvable else None, by="cp-sat", why="" if unsolvable else late
        )
    if problem.objective == "satisfy":
        return OracleTruth(True, None, None, assignment, "cp-sat")
    # The cost is taken from the problem, not from the solver: costs of its own may be scaled.
    optimum = problem.cost(assignment) if verdict == "best" else None
    return OracleTruth(True, None, optimum, assignment, "cp-sat", "" if optimum is not None else late)
