"""What acts in time prevent and what they cost: the reckoning of a patrol."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, nan
from typing import Any

from mensura.catalog.detection.world.making import ThreatWorld

# Alert levels let this share of the damage through, as in the Hats simulator.
THROUGH = (1.0, 0.5, 0.0)


@dataclass(frozen=True, slots=True)
class Tariff:
    """What things cost: an attack that goes through, arresting the wrong person, an alert per level, information."""

    damage: float = 100.0
    false_arrest: float = 20.0
    alert: float = 3.0
    information: float = 1.0
    alert_days: int = 20


@dataclass(frozen=True, slots=True)
class Plot:
    """One attack: its days, its target, and the names of each member of its team, leader first."""

    start: int
    end: int
    target: str
    team: tuple[tuple[str, ...], ...]


@dataclass(slots=True)
class CostAccount:
    """Costs so far. An attack is foiled when its leader, or half of its team, is arrested while it is under way."""

    plots: Sequence[Plot]
    prices: Tariff
    information: float = 0.0
    alerts: float = 0.0
    false_arrests: int = 0
    right_arrests: int = 0
    arrests: list[tuple[int, str, bool]] = field(default_factory=list)
    _arrested: dict[int, set[int]] = field(default_factory=dict)
    _foiled: dict[int, int] = field(default_factory=dict)
    _raised: list[tuple[int, str, int]] = field(default_factory=list)

    def act(self, day: int, call: Mapping[str, Any]) -> bool | None:
        """Take one act into account; for an arrest, say whether it hit a member of an active team."""
        arguments = call.get("arguments", {})
        if call["call"] in ("inquire", "watch"):
            self.information += self.prices.information
        elif call["call"] == "alert":
            level = int(arguments["level"])
            self.alerts += self.prices.alert * level
            self._raised.append((day, arguments["target"], level))
        elif call["call"] == "arrest":
            return self._arrest(day, arguments["name"])
        return None

    def damage(self) -> list[float]:
        """Return what every attack did in the end."""
        through = [0.0 if place in self._foiled else self._through(plot) for place, plot in enumerate(self.plots)]
        return [self.prices.damage * share for share in through]

    def stops(self) -> list[float]:
        """Return the day after which nothing more is done for every attack; infinity for one that goes through."""
        return [
            self._foiled.get(place, inf if self._through(plot) else plot.end) for place, plot in enumerate(self.plots)
        ]

    def costs(self, today: int | None = None) -> dict[str, float]:
        """Return what was paid up to a day, or in the end, by what it was for."""
        happened = zip(self.plots, self.damage(), strict=True)
        return {
            "information": self.information,
            "alerts": self.alerts,
            "false arrests": self.prices.false_arrest * self.false_arrests,
            "damage": sum(damage for plot, damage in happened if today is None or plot.end < today),
        }

    def in_force(self, today: int) -> list[tuple[str, int, int]]:
        """Return target, level and last day of the highest alert at every target on a day."""
        highest: dict[str, tuple[int, int]] = {}
        for day, target, level in self._raised:
            last = day + self.prices.alert_days
            if day <= today <= last:
                highest[target] = max(highest.get(target, (0, 0)), (level, last))
        return [
            (target, level, last) for target, (level, last) in sorted(highest.items(), key=lambda each: _place(each[0]))
        ]

    def happened(self, today: int) -> list[tuple[int, str, float]]:
        """Return day, target and damage of the attacks that went through before a day."""
        found = [
            (plot.end, plot.target, damage)
            for plot, damage in zip(self.plots, self.damage(), strict=True)
            if plot.end < today and damage > 0
        ]
        return sorted(found)

    def total(self) -> float:
        """Everything together; less is better."""
        return sum(self.costs().values())

    def saved(self) -> float:
        """Share of the damage of doing nothing that was saved, costs deducted; NaN where there was no attack."""
        return 1 - self.total() / self.worst() if self.plots else nan

    def worst(self) -> float:
        """Return what doing nothing would have cost."""
        return self.prices.damage * len(self.plots)

    def _arrest(self, day: int, name: str) -> bool:
        hit = False
        for place, plot in enumerate(self.plots):
            members = {number for number, names in enumerate(plot.team) if name in names}
            if members and plot.start <= day <= plot.end and place not in self._foiled:
                taken = self._arrested.setdefault(place, set())
                taken |= members
                hit = True
                if 0 in taken or 2 * len(taken) >= len(plot.team):
                    self._foiled[place] = day
        self.arrests.append((day, name, hit))
        self.right_arrests += hit
        self.false_arrests += not hit
        return hit

    def _through(self, plot: Plot) -> float:
        levels = [
            level
            for day, target, level in self._raised
            if target == plot.target and day <= plot.end <= day + self.prices.alert_days
        ]
        return THROUGH[max(levels, default=0)]


def _place(target: str) -> int:
    return int(target[1:]) if target[1:].isdecimal() else -1


def plots_of(world: ThreatWorld) -> list[Plot]:
    """Return the attacks of a world that nobody broke off."""
    events, society = world.exploitations, world.society
    return [
        Plot(
            start=int(events.start[event]),
            end=int(events.start[event] + events.length[event]),
            target=f"T{events.target[event]}",
            team=tuple(tuple(f"I{name}" for name in society.names(person)) for person in events.team(event)),
        )
        for event in events.attacks
    ]


def reckon(plots: Iterable[Plot], acts: Iterable[tuple[int, Mapping[str, Any]]], *, prices: Tariff) -> CostAccount:
    """Reckon up a whole patrol from its acts in order.

    >>> plot = Plot(10, 50, "T1", (("I1",), ("I2",), ("I3",)))
    >>> alert = {"call": "alert", "arguments": {"target": "T1", "level": "2"}}
    >>> reckon([plot], [(40, alert)], prices=Tariff()).total()
    6.0
    """
    ledger = CostAccount(list(plots), prices)
    for day, call in acts:
        ledger.act(day, call)
    return ledger
