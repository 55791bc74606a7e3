"""Transactions as arrays, and how tasks unfold into them."""

from dataclasses import dataclass, field, fields

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mensura.catalog.detection.world.array_table import ArrayTable
from mensura.catalog.detection.world.exploitation import ATTACK, Exploitations
from mensura.catalog.detection.world.holders import Holders
from mensura.catalog.detection.world.means import Integers, Means
from mensura.catalog.detection.world.parameters import WorldParameters
from mensura.catalog.detection.world.patterns import KINDS, LIBRARY, Method, PatternStep, Role
from mensura.catalog.detection.world.society import Population

Floats = NDArray[np.float64]
NONE = -1


@dataclass(frozen=True, slots=True)
class Transactions(ArrayTable):
    """One row per transaction; -1 stands for nobody and nothing. `event` is the exploitation it belongs to."""

    event: NDArray[np.int32]
    kind: NDArray[np.int8]
    day: Floats
    actor: NDArray[np.int32]
    other: NDArray[np.int32]
    item: NDArray[np.int16]
    target: NDArray[np.int32]


def unfold(
    parameters: WorldParameters, means: Means, society: Population, exploitations: Exploitations, rng: Generator
) -> Transactions:
    """Carry out every exploitation by the pattern library, all exploitations of a task at once."""
    play = _Play(parameters, means, society, exploitations, rng)
    everyone = np.arange(len(exploitations))
    play.expand("exploit-target", _Doing(everyone, exploitations.start, exploitations.start + exploitations.length))
    table = Transactions.joined(play.parts)
    done = exploitations.start + exploitations.length * exploitations.stop
    skipped = rng.random(len(table)) < parameters.step_skip
    return table.only((table.day <= done[table.event] + 1e-9) & ~skipped)


@dataclass(frozen=True, slots=True)
class _Doing:
    """Instances of a task: which exploitation, between which days, about which asset or member."""

    event: Integers
    begin: Floats
    end: Floats
    asset: Integers = field(default_factory=lambda: np.empty(0, np.int64))
    member: Integers = field(default_factory=lambda: np.empty(0, np.int64))

    def __post_init__(self) -> None:
        for name in ("asset", "member"):
            if len(getattr(self, name)) != len(self.event):
                object.__setattr__(self, name, np.full(len(self.event), NONE))

    def only(self, chosen: Integers | NDArray[np.bool_]) -> "_Doing":
        return _Doing(*(getattr(self, each.name)[chosen] for each in fields(self)))


class _Play:
    def __init__(
        self,
        parameters: WorldParameters,
        means: Means,
        society: Population,
        exploitations: Exploitations,
        rng: Generator,
    ) -> None:
        self.parameters, self.means, self.society = parameters, means, society
        self.exploitations, self.rng = exploitations, rng
        self.parts: list[Transactions] = []
        self.holders = Holders(means, society, exploitations)
        self.capabilities = _ragged([need[need < means.capabilities] for need in means.needs])
        self.resources = _ragged([need[need >= means.capabilities] for need in means.needs])

    def expand(self, task: str, doing: _Doing) -> None:
        """Choose a method for every instance of a task and carry out its steps."""
        if len(doing.event) == 0:
            return
        methods = LIBRARY[task]
        choice = self._choose(methods, doing)
        for place, method in enumerate(methods):
            chosen = doing.only(choice == place)
            edges = self._edges(task, method, len(chosen.event))
            for number, step in enumerate(method.steps):
                span = chosen.end - chosen.begin
                low, high = (0.0, 1.0) if method.together else (edges[:, number], edges[:, number + 1])
                part = _Doing(
                    chosen.event, chosen.begin + low * span, chosen.begin + high * span, chosen.asset, chosen.member
                )
                self._step(step, self._repeated(step, part))

    def _choose(self, methods: tuple[Method, ...], doing: _Doing) -> Integers:
        open_to_all = np.flatnonzero([not method.held for method in methods])
        weights = np.array([methods[place].weights for place in open_to_all])
        covert = np.array([methods[place].covert for place in open_to_all])
        weights[covert, ATTACK] *= self.parameters.covertness
        pooled = weights.mean(axis=1, keepdims=True)
        certain = (weights == 0).any(axis=1, keepdims=True)
        sharp = self.parameters.method_sharpness
        # A method that some context never uses (only attacks strike) is not blurred.
        weights = np.where(certain, weights, sharp * weights + (1 - sharp) * pooled)
        edges = np.cumsum(weights / weights.sum(axis=0), axis=0)
        context = self.exploitations.context[doing.event]
        choice: Integers = open_to_all[np.argmax(self.rng.random(len(context)) < edges[:, context], axis=0)]
        for place, method in enumerate(methods):
            if method.held:
                choice = np.where(self.holders.held(doing.event, doing.asset), place, choice)
        return choice

    def _edges(self, task: str, method: Method, count: int) -> Floats:
        """Where steps begin and end, as shares of the task's time."""
        steps = len(method.steps)
        if task == "exploit-target":
            p = self.parameters
            shares = np.array([getattr(p, f"{name}_share") for name in _SHARES])
            shares = np.append(shares / max(shares.sum(), 1e-9), 0.0)
        else:
            shares = np.full(max(steps, 1), 1 / max(steps, 1))
        return np.tile(np.concatenate(([0.0], np.minimum(np.cumsum(shares), 1.0))), (count, 1))

    def _repeated(self, step: PatternStep, doing: _Doing) -> _Doing:
        """Repeat instances for each asset or member, and as often as the step says."""
        if step.each:
            doing = self._for_each(step.each, doing)
        low, high = step.times
        if (low, high) == (1, 1):
            return doing
        mean = self.rng.integers(low, high + 1, size=len(doing.event)) * self.parameters.repetition
        count = np.floor(mean + self.rng.random(len(mean))).astype(np.int64)
        return doing.only(np.repeat(np.arange(len(doing.event)), count))

    def _for_each(self, what: str, doing: _Doing) -> _Doing:
        if what == "member":
            team = np.diff(self.exploitations.team_start)[doing.event] - 1
            repeated = doing.only(np.repeat(np.arange(len(team)), team))
            place = 1 + np.arange(len(repeated.event)) - np.repeat(np.cumsum(team) - team, team)
            member = self.exploitations.member[self.exploitations.team_start[repeated.event] + place]
            return _Doing(repeated.event, repeated.begin, repeated.end, repeated.asset, member)
        start, values = self.resources if what == "resource" else self.capabilities
        mode = self.exploitations.mode[doing.event]
        count = (start[1:] - start[:-1])[mode]
        repeated = doing.only(np.repeat(np.arange(len(count)), count))
        place = np.arange(len(repeated.event)) - np.repeat(np.cumsum(count) - count, count)
        asset = values[start[self.exploitations.mode[repeated.event]] + place]
        return _Doing(repeated.event, repeated.begin, repeated.end, asset, repeated.member)

    def _step(self, step: PatternStep, doing: _Doing) -> None:
        if step.do in LIBRARY:
            self.expand(step.do, doing)
            return
        size = len(doing.event)
        last = step.do in ("incident", "delivery")
        day = doing.end if last else doing.begin + self.rng.random(size) * (doing.end - doing.begin)
        if not last:
            length = self.exploitations.length[doing.event]
            stray = self.rng.normal(0, 1, size) * self.parameters.order_noise * length / 3
            begin = self.exploitations.start[doing.event]
            day = np.clip(day + stray, begin, begin + length)
            moved = self.parameters.keep_week(day, self.rng)
            day = np.where(moved >= begin, moved, day)
        nothing = np.full(size, NONE)
        actor = self._role(step.actor, doing, nothing)
        other = self._role(step.other, doing, actor)
        other = np.where((other == actor) & (other >= 0), (other + 1) % self.society.persons, other)
        self.parts.append(
            Transactions.of(
                event=doing.event,
                kind=np.full(size, KINDS.index(step.do)),
                day=day,
                actor=actor,
                other=other,
                item=doing.asset if step.do in _WITH_ITEM else nothing,
                target=self.exploitations.target[doing.event] if step.place else nothing,
            )
        )

    def _role(self, role: Role, doing: _Doing, but: Integers) -> Integers:
        size = len(doing.event)
        start, members = self.exploitations.team_start, self.exploitations.member
        first, team = start[doing.event], np.diff(start)[doing.event]
        if role == "":
            return np.full(size, NONE)
        if role == "leader":
            return members[first]
        if role == "holder":
            return self.holders.of(doing.event, doing.asset)
        if role == "member":
            drawn = members[first + self.rng.integers(0, team)]
            again = members[first + (self.rng.integers(1, np.maximum(team, 2)) % team)]
            drawn = np.where(doing.member >= 0, doing.member, drawn)
            return np.where(drawn == but, np.where(again == but, members[first], again), drawn)
        if role == "helper":
            group = self.exploitations.group[doing.event]
            begin, size_of = self.society.group_start[group], np.diff(self.society.group_start)[group]
            place = doing.asset * 13 + doing.event
            helper = self.society.member[begin + place % size_of]
            # Nobody helps themselves.
            alone: Integers = (helper == self.holders.of(doing.event, doing.asset)).astype(np.int64)
            return self.society.member[begin + (place + alone) % size_of]
        if role == "supplier":
            own = self.society.supplier_of[self.exploitations.group[doing.event]]
            pool = self.society.suppliers
            any_one = pool[self.rng.integers(len(pool), size=size)]
            return np.where(self.rng.random(size) < self.parameters.supplier_loyalty, own, any_one)
        return self.rng.integers(self.society.persons, size=size)


_SHARES = ("planning", "acquiring", "casing", "delivering", "applying")
_WITH_ITEM = ("purchase", "transfer", "training", "application")


def _ragged(lists: list[Integers]) -> tuple[Integers, Integers]:
    start = np.concatenate(([0], np.cumsum([len(each) for each in lists]))).astype(np.int64)
    return start, np.concatenate(lists).astype(np.int64)
