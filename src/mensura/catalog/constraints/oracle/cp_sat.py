"""CP-SAT of OR-tools: truth about problems that are too large for brute force."""

from typing import Any

import numpy as np

from mensura.catalog.constraints.problem.constraint import Constraint
from mensura.catalog.constraints.problem.problem import Problem
from mensura.errors import BadData, MissingExtra

SCALES = (1, 10, 100, 1000, 10_000, 100_000, 1_000_000)
SEED = 1


def solve(problem: Problem, *, seconds: float) -> tuple[str, dict[str, Any] | None]:
    """Return solved, best, unsolvable or unknown, and the assignment that was found.

    `seconds` is deterministic time, so that the same problem always has the same answer; `solved` without `best` says
    that an assignment was found in time and not proved to be the best.
    """
    cp_model = _ortools()
    encoding = _Encoding(problem, cp_model.CpModel())
    solver: Any = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = SEED
    solver.parameters.max_deterministic_time = seconds
    status = solver.solve(encoding.model)
    if status == cp_model.INFEASIBLE:
        return "unsolvable", None
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return "unknown", None
    chosen = {
        name: next(value for value, x in zip(problem.values[name], encoding.at[name], strict=True) if solver.value(x))
        for name in problem.variables
    }
    return "best" if status == cp_model.OPTIMAL else "solved", chosen


class _Encoding:
    """A problem as clauses over "this variable has this value", with a price on what costs."""

    def __init__(self, problem: Problem, model: Any) -> None:
        self.problem, self.model = problem, model
        self.at = {name: [model.new_bool_var("") for _ in values] for name, values in problem.values.items()}
        for literals in self.at.values():
            model.add_exactly_one(literals)
        self.scale = _scale(problem)
        self.prices: list[tuple[int, Any]] = []
        for constraint in problem.constraints:
            self._forbid(constraint)
            if not constraint.hard:
                self._price(constraint)
        if self.prices:
            model.minimize(sum(price * y for price, y in self.prices))

    def _forbid(self, constraint: Constraint) -> None:
        allowed = constraint.allowed
        literals = [self.at[name] for name in constraint.scope]
        if len(literals) == 2:
            for a, row in zip(literals[0], allowed, strict=True):
                if 2 * row.sum() < len(row):
                    # Few values are left: one of them.
                    self.model.add_bool_or([b for b, free in zip(literals[1], row, strict=True) if free] + [~a])
                else:
                    for i in np.flatnonzero(~row).tolist():
                        self.model.add_bool_or([~a, ~literals[1][i]])
            return
        for place in np.argwhere(~allowed).tolist():
            self.model.add_bool_or([~values[i] for values, i in zip(literals, place, strict=True)])

    def _price(self, constraint: Constraint) -> None:
        sign = -1 if self.problem.objective == "max" else 1
        costs = np.rint(np.where(constraint.allowed, sign * self.scale * constraint.table, 0)).astype(np.int64)
        literals = [self.at[name] for name in constraint.scope]
        for place in np.argwhere(costs).tolist():
            held = [values[i] for values, i in zip(literals, place, strict=True)]
            price = int(costs[tuple(place)])
            if len(held) == 1:
                self.prices.append((price, held[0]))
                continue
            both = self.model.new_bool_var("")
            self.prices.append((price, both))
            # What is to be small is pushed up where all hold; what is worth something only counts where all hold.
            if price > 0:
                self.model.add_bool_or([both, *(~one for one in held)])
            else:
                for one in held:
                    self.model.add_implication(both, one)


def _scale(problem: Problem) -> int:
    """Return what makes every cost a whole number, which is all that CP-SAT knows."""
    costs = [one.table[one.allowed] for one in problem.constraints if not one.hard]
    for scale in SCALES:
        if all(bool(np.all(np.abs(cost * scale - np.rint(cost * scale)) < 1e-9 * scale)) for cost in costs):
            return scale
    raise BadData("CP-SAT needs whole costs, or decimals of at most six places; round the costs.")


def _ortools() -> Any:
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise MissingExtra("Oracles for large problems", package="OR-tools", extra="constraints") from None
    return cp_model
