"""Standing: the values that are assigned now, and what they cost."""

from typing import Any

import numpy as np

from mensura.catalog.constraints.problem.problem import Problem


class Standing:
    """Who has assigned what; what it costs is looked up for all constraints at once."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._place = {variable: place for place, variable in enumerate(problem.variables)}
        self._values = np.full(len(problem.variables), -1)
        self._missing = len(problem.variables)
        self._groups = _groups(problem, self._place)
        self.changed = False

    def assign(self, variable: str, value: Any) -> None:
        """Give a variable a value; raises KeyError or TypeError where the domain does not hold it."""
        position = self._problem.positions[variable][value]
        place = self._place[variable]
        before = self._values[place]
        if before != position:
            self._missing -= before < 0
            self._values[place] = position
            self.changed = True

    def put(self, values: Any) -> None:
        """Give all variables values at once, by their places in the domains, in the order of the agents."""
        held = [self._place[held[0]] for held in self._problem.agents.values()]
        if self._missing or (self._values[held] != values).any():
            self._values[held] = values
            self._missing, self.changed = 0, True

    @property
    def complete(self) -> bool:
        """Whether every variable has a value."""
        return self._missing == 0

    @property
    def stands(self) -> bool:
        """Whether every variable has a value and nothing is violated."""
        return self.complete and self.cost()[1] == 0

    def cost(self) -> tuple[float, int]:
        """Return what the values cost together, and how many constraints they violate.

        Violated constraints cost nothing in the sum; where a problem is only to be satisfied the cost is their number.
        """
        total, violated = 0.0, 0
        for scopes, tables in self._groups:
            cells = tables[(np.arange(len(tables)), *self._values[scopes])]
            if tables.dtype == bool:
                violated += int((~cells).sum())
            else:
                finite = np.isfinite(cells)
                violated += int((~finite).sum())
                total += float(cells[finite].sum())
        return (float(violated) if self._problem.objective == "satisfy" else total), violated

    def assignment(self) -> dict[str, Any]:
        """Return the value of every variable that has one."""
        values = self._problem.values
        return {name: values[name][self._values[at]] for name, at in self._place.items() if self._values[at] >= 0}


def _groups(problem: Problem, place: dict[str, int]) -> list[tuple[Any, Any]]:
    """Put constraints whose tables have the same form together: the variables of each, one row per axis, and tables."""
    alike: dict[Any, list[Any]] = {}
    for constraint in problem.constraints:
        alike.setdefault((constraint.table.shape, constraint.table.dtype == bool), []).append(constraint)
    return [
        (
            np.array([[place[name] for name in one.scope] for one in group]).T,
            np.stack([one.table for one in group]),
        )
        for group in alike.values()
    ]
