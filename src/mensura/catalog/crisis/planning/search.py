"""Search: how the optimiser spends its work, with everything counted and nothing left to the clock."""

import random
from typing import Any

from mensura.catalog.crisis.planning.model import SCALE, Model, Option, choices
from mensura.catalog.crisis.planning.problem import PlanningProblem
from mensura.catalog.crisis.planning.worth import worth
from mensura.catalog.crisis.schedule import Place, cells
from mensura.errors import MissingExtra

SEED = 20061
PER_CHOICE = 4e-5
"""Work that setting up one choice counts as: about what it takes in seconds."""
GROUP = 14
"""How many events are placed anew together."""
MANY = 20
"""The most events of one time that are placed anew together."""
IDLE = 5
"""After so many rounds in which nothing got better, each with larger groups, all events are tried at once."""
AT_ONCE = 0.25
"""The most work for one group."""


class PlanSearch:
    """A placement that gets better as work is spent on it."""

    def __init__(self, problem: PlanningProblem, *, work: float, keep: int) -> None:
        self.cp_model = _ortools()
        self.problem = problem
        self.left = work
        self.options: dict[str, list[Option]] = {
            event.id: choices(problem, event, keep=keep) for event in problem.events
        }
        self.placement: dict[str, Place | None] = self._as_it_stands()
        self.bound = float("nan")
        self.proven = False
        self._rng = random.Random(SEED)

    def place_the_lost(self) -> None:
        """Place what has no place any more, in groups, the longest and largest first; all others stay."""
        lost = [event for event, place in self.placement.items() if place is None]
        lost.sort(key=lambda event: (-self.problem.length[event], -self.problem.event[event].attendance))
        for first in range(0, len(lost), 2 * GROUP):
            self._solve(lost[first : first + 2 * GROUP], most=2 * AT_ONCE)

    def mend(self) -> None:
        """Place groups anew around each event with an unmet rule, until several whole rounds change nothing."""
        idle = turn = 0
        while idle < IDLE and (wrong := self._wrong()):
            before = dict(self.placement)
            for event in wrong:
                if self.left <= 0:
                    return
                group = self._beside(event, turn // 2) if turn % 2 else self._around(event, GROUP * (2 + idle) // 2)
                self._solve(group, most=AT_ONCE * (1 + idle))
            turn += 1
            idle = idle + 1 if self.placement == before else 0

    def try_all(self) -> None:
        """Try all events at once, which proves the plan best among its choices if the work lasts."""
        if self.left > 0:
            self.proven = self._solve(list(self.options), most=self.left)

    def _as_it_stands(self) -> dict[str, Place | None]:
        schedule = self.problem.schedule({})
        for event in self.problem.events:
            now = self.problem.now[event.id]
            usable = any(choice.place == now for choice in self.options[event.id])
            if now is not None and usable and not schedule.occupants(cells(now, event.length)):
                schedule.put(event.id, now)
        return {event.id: schedule.place.get(event.id) for event in self.problem.events}

    def _wrong(self) -> list[str]:
        """List the events that have an unmet rule, by how much weight they lose."""
        met = worth(self.problem, self.placement).met
        lost: dict[str, float] = {}
        for rule in self.problem.rules:
            if rule.id not in met:
                theirs = [rule.event, rule.other]
                if rule.kind == "away":
                    theirs = [event.id for event in self.problem.events if rule.person in event.people]
                for event in theirs:
                    if event in self.options:
                        lost[event] = lost.get(event, 0.0) + rule.weight
        return sorted(lost, key=lambda event: (-lost[event], event))

    def _around(self, event: str, size: int) -> list[str]:
        """Choose the group to place anew: the event, who shares its people, who sits where it would like to be."""
        occupants = self.problem.schedule(self.placement).at
        best = sorted(self.options[event], key=lambda choice: (-choice.gain, choice.place))
        group = dict.fromkeys([event])
        rivals = [
            other
            for choice in best
            for cell in cells(choice.place, self.problem.length[event])
            for other in occupants.get(cell, ())
        ]
        related = [rule.other or rule.event for rule in self.problem.rules if event in (rule.event, rule.other)]
        related += sorted(self.problem.shared[event])
        for other in related[: size // 3]:
            group.setdefault(other)
        near = list(dict.fromkeys(rivals))[: 2 * size]
        self._rng.shuffle(near)
        for other in near:
            if len(group) >= size:
                break
            group.setdefault(other)
        return [other for other in group if other in self.options]

    def _beside(self, event: str, turn: int) -> list[str]:
        """Choose another group: the event and all that goes on at a time that would suit it; in turn other times."""
        best: dict[int, int] = {}
        for choice in self.options[event]:
            best[choice.place[1]] = max(best.get(choice.place[1], choice.gain), choice.gain)
        starts = sorted(best, key=lambda slot: (-best[slot], slot))
        if not starts:
            return [event]
        begin = starts[turn % len(starts)]
        end = begin + self.problem.length[event]
        group = [event]
        for other, place in self.placement.items():
            if place is None or other == event:
                continue
            if place[1] < end and begin < place[1] + self.problem.length[other]:
                group.append(other)
        if len(group) > MANY:
            group = [event, *sorted(self._rng.sample(group[1:], MANY - 1))]
        return group

    def _solve(self, events: list[str], *, most: float) -> bool:
        """Place these events anew if that is better; say whether that is proven best."""
        free = {event: self.options[event] for event in events}
        self.left -= PER_CHOICE * sum(len(options) for options in free.values())
        if self.left <= 0 and any(self.placement[event] is not None for event in events):
            return False
        model = Model(self.problem, free, fixed=self.placement)
        for (event, place), x in model.x.items():
            model.cp.add_hint(x, place == self.placement[event])
        solver: Any = self.cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = SEED
        solver.parameters.max_deterministic_time = max(0.02, min(most, self.left))
        solver.parameters.linearization_level = 2
        status = solver.solve(model.cp)
        self.left -= solver.response_proto.deterministic_time
        whole = len(free) == len(self.options)
        if whole:
            self.bound = solver.best_objective_bound / SCALE
        if status not in (self.cp_model.OPTIMAL, self.cp_model.FEASIBLE):
            return False
        placed = {event: place for (event, place), x in model.x.items() if solver.value(x)}
        anew = {**self.placement, **{event: placed.get(event) for event in events}}
        if worth(self.problem, anew).value >= worth(self.problem, self.placement).value:
            self.placement = anew
        return bool(status == self.cp_model.OPTIMAL) and whole


def _ortools() -> Any:
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise MissingExtra("Plans", package="OR-tools", extra="crisis") from None
    return cp_model
