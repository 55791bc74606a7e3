"""Model: the problem for OR-tools' CP-SAT, one boolean for each event, room and slot that is worth a thought."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from mensura.catalog.crisis.planning.met import ALONE, holds, met_alone
from mensura.catalog.crisis.planning.problem import PlanningProblem
from mensura.catalog.crisis.planning.supply import supply
from mensura.catalog.crisis.planning.worth import changes, rent, usable
from mensura.catalog.crisis.schedule import Place, Placement, cells
from mensura.catalog.crisis.world.data import grouped
from mensura.catalog.crisis.world.programme.event import ConferenceEvent
from mensura.catalog.crisis.world.requirement import Requirement
from mensura.catalog.crisis.world.time import SLOTS

SCALE = 10_000
"""Weights are counted in ten thousandths, since CP-SAT counts in whole numbers."""
OWN = (*ALONE, "placed", "capacity", "equipment", "catering")
"""Rules that look at one event only: met or not for each choice by itself."""


@dataclass(frozen=True, slots=True)
class Option:
    """An event at a place, and what that brings before other events are looked at."""

    event: str
    place: Place
    gain: int


def choices(problem: PlanningProblem, event: ConferenceEvent, *, keep: int) -> list[Option]:
    """List the places of an event that are worth a thought: where it is, and for each slot the best few rooms."""
    now = problem.now[event.id]
    places = [(venue.id, slot) for venue in problem.venues for slot in range(SLOTS)]
    found = grouped(
        (place[1], Option(event.id, place, round(SCALE * gain(problem, event, place))))
        for place in places
        if usable(problem, event, place)
    )
    kept: list[Option] = []
    for slot in sorted(found):
        best = sorted(found[slot], key=lambda choice: (-choice.gain, choice.place))
        kept.extend(best[:keep])
        kept.extend(choice for choice in best[keep:] if choice.place == now)
    return [choice for choice in kept if choice.gain > 0 or choice.place == now]


def gain(problem: PlanningProblem, event: ConferenceEvent, place: Place) -> float:
    """Return what an event at a place brings: the weight of its own rules, less money, asking and moving."""
    venue = problem.venue[place[0]]
    supplies = supply(problem, event, place)
    taken = cells(place, event.length)
    weight = 0.0
    for rule in problem.rules_of.get(event.id, ()):
        if rule.kind in ("equipment", "catering"):
            weight += rule.weight * (rule.id in supplies.met)
        elif rule.kind == "placed":
            weight += rule.weight
        elif rule.kind == "capacity":
            weight += rule.weight * holds(venue, event)
        elif rule.kind in ALONE:
            weight += rule.weight * met_alone(rule, place, building=venue.building, announced=event)
    # A slot that may be refused is worth its chance; if it is refused the event must be planned again.
    weight *= prod(venue.chance[slot] for _, slot in taken)
    prices = problem.prices
    asks = sum(cell in problem.held for cell in taken)
    money = max(0.0, supplies.money + rent(problem, event.id, place))
    return weight - prices.money * money - prices.bump * asks - prices.move * changes(problem.now[event.id], place)


class Model:
    """A CP-SAT model of a problem: events in `free` may take one of their choices, all others stay where `fixed` says.

    Rules that look only at fixed events are left out, so that a model with few free events is small.
    """

    def __init__(self, problem: PlanningProblem, free: Mapping[str, list[Option]], *, fixed: Placement) -> None:
        from ortools.sat.python import cp_model

        self.problem = problem
        self.fixed = {event: place for event, place in fixed.items() if event not in free}
        self.cp = cp_model.CpModel()
        self.x: dict[tuple[str, Place], Any] = {}
        self._active: dict[tuple[str, int], Any] = {}
        self._starts: dict[str, dict[int, list[Any]]] = {event: {} for event in free}
        objective = self._choose(free)
        for rule in problem.rules:
            if rule.kind not in OWN and self._touches(rule):
                objective.append(self._between(rule))
        self.cp.maximize(sum(objective))

    def _choose(self, free: Mapping[str, list[Option]]) -> list[Any]:
        full = self.problem.schedule(self.fixed).at
        length = self.problem.length
        objective: list[Any] = []
        taken: dict[Place, list[Any]] = {}
        for event, options in free.items():
            mine = []
            for choice in options:
                wanted = cells(choice.place, length[event])
                if any(cell in full for cell in wanted):
                    continue
                x = self.cp.new_bool_var("")
                self.x[event, choice.place] = x
                mine.append(x)
                objective.append(choice.gain * x)
                self._starts[event].setdefault(choice.place[1], []).append(x)
                for cell in wanted:
                    taken.setdefault(cell, []).append(x)
            self.cp.add_at_most_one(mine)
        for users in taken.values():
            if len(users) > 1:
                self.cp.add_at_most_one(users)
        return objective

    def _touches(self, rule: Requirement) -> bool:
        """Return whether a rule looks at a free event."""
        if rule.kind == "alone":
            return True
        if rule.kind == "away":
            return any(rule.person in self.problem.event[event].people for event in self._starts)
        if rule.event in self._starts or rule.other in self._starts:
            return True
        return rule.kind == "speakers" and any(other in self._starts for other in self.problem.shared[rule.event])

    def _between(self, rule: Requirement) -> Any:
        """Add a rule that looks at several events; return its part of the objective."""
        broken = self.cp.new_bool_var("")
        if rule.kind == "away":
            for event in self.problem.events:
                if rule.person in event.people:
                    self._placed(event.id, broken)
                    for slot in rule.slots:
                        self._forbid([self.active(event.id, slot)], broken)
            return round(SCALE * rule.weight) * (1 - broken)
        self._placed(rule.event, broken)
        if rule.kind == "speakers":
            self._never_together(rule.event, sorted(self.problem.shared[rule.event]), broken)
        elif rule.kind == "alone":
            # The exhibit hall does not disturb.
            others = (event.id for event in self.problem.events if event.id != rule.event and event.kind != "exhibit")
            self._never_together(rule.event, others, broken)
        else:
            self._placed(rule.other, broken)
            if rule.kind == "apart":
                self._never_together(rule.event, [rule.other], broken)
            elif rule.kind == "before":
                self._before(rule.event, rule.other, broken)
            elif rule.kind == "same_building":
                self._same_building(rule.event, rule.other, broken)
        return round(SCALE * rule.weight) * (1 - broken)

    def active(self, event: str, slot: int) -> Any:
        """Return whether the event goes on at a slot: True, False, or a boolean of the model."""
        if (event, slot) not in self._active:
            length = self.problem.length[event]
            if event in self._starts:
                starts = self._starts[event]
                users = [x for start in range(slot - length + 1, slot + 1) for x in starts.get(start, ())]
                self._active[event, slot] = self._any(users)
            else:
                place = self.fixed.get(event)
                self._active[event, slot] = place is not None and place[1] <= slot < place[1] + length
        return self._active[event, slot]

    def _any(self, users: list[Any]) -> Any:
        if not users:
            return False
        if len(users) == 1:
            return users[0]
        some = self.cp.new_bool_var("")
        self.cp.add(sum(users) == some)
        return some

    def _forbid(self, together: list[Any], broken: Any) -> None:
        """Break the rule where all of these are so."""
        if False not in [one if isinstance(one, bool) else None for one in together]:
            self.cp.add_bool_or([*(one.negated() for one in together if not isinstance(one, bool)), broken])

    def _placed(self, event: str, broken: Any) -> None:
        if event in self._starts:
            self.cp.add_bool_or([*(x for users in self._starts[event].values() for x in users), broken])
        elif self.fixed.get(event) is None:
            self.cp.add(broken == 1)

    def _never_together(self, event: str, others: Iterable[str], broken: Any) -> None:
        mine = [slot for slot in range(SLOTS) if self.active(event, slot) is not False]
        for other in others:
            if event in self._starts or other in self._starts:
                for slot in mine:
                    self._forbid([self.active(event, slot), self.active(other, slot)], broken)
            elif any(self.active(other, slot) for slot in mine):
                self.cp.add(broken == 1)

    def _before(self, event: str, other: str, broken: Any) -> None:
        length = self.problem.length[event]
        for slot in range(SLOTS):
            still = self._some(event, lambda start, slot=slot: start + length > slot)  # type: ignore[misc]
            begun = self._some(other, lambda start, slot=slot: start <= slot)  # type: ignore[misc]
            self.cp.add(still + begun <= 1 + broken)

    def _some(self, event: str, which: Callable[[int], bool]) -> Any:
        if event in self._starts:
            return sum(x for start, users in self._starts[event].items() if which(start) for x in users)
        place = self.fixed.get(event)
        return int(place is not None and which(place[1]))

    def _same_building(self, event: str, other: str, broken: Any) -> None:
        mine, theirs = self._by_building(event), self._by_building(other)
        for building in sorted(set(mine) | set(theirs)):
            here, there = sum(mine.get(building, [])), sum(theirs.get(building, []))
            self.cp.add(here - there <= broken)
            self.cp.add(there - here <= broken)

    def _by_building(self, event: str) -> dict[str, list[Any]]:
        found: dict[str, list[Any]] = {}
        if event not in self._starts:
            place = self.fixed.get(event)
            return {} if place is None else {self.problem.building[place[0]]: [1]}
        for (who, place), x in self.x.items():
            if who == event:
                found.setdefault(self.problem.building[place[0]], []).append(x)
        return found
