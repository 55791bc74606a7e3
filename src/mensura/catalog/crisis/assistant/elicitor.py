"""The elicitor: which facts are worth asking for. Learned: how far assumptions are off, and facts of this campus."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.planning.problem import PlanningProblem
from mensura.catalog.crisis.schedule import Place
from mensura.catalog.crisis.world.campus.place import EQUIPMENT

UNSURE = tuple(0.7 + 0.06 * step for step in range(11))
"""What an assistant that has learned nothing thinks of seats: anything from 30 % fewer to 30 % more."""
EQUIPMENT_DOUBT = 0.25
"""And of equipment: one entry in four is wrong."""
FEW = 4
"""With fewer facts than this about a class of rooms, nothing is said about it."""


@dataclass(frozen=True)
class Inquiry:
    """What to look up: of which room, which facts with what is assumed, and what knowing them would be worth."""

    room: str
    facts: dict[str, Any]
    worth: float


class Elicitor:
    """Believes in facts as far as experience goes, and asks for the one that would change most."""

    def __init__(self, learned: Mapping[str, Any]) -> None:
        self._seats: Mapping[str, Sequence[float]] = learned.get("seats", {})
        self._built_in: Mapping[str, Mapping[str, Sequence[int]]] = learned.get("built_in", {})
        self._campus: Mapping[str, Mapping[str, Any]] = learned.get("campus", {})

    def seats(self, known: Known) -> dict[tuple[str, str], int]:
        """Return beliefs about seats that differ from the tables: facts known of this campus, or what is usual."""
        here = self._campus.get(known.campus, {}).get("seats", {})
        beliefs: dict[tuple[str, str], int] = {}
        for room, layouts in known.raw["facts"]["capacity"].items():
            for layout, assumed in layouts.items():
                if (fact := (room, f"capacity.{layout}")) in known.confirmed:
                    beliefs[room, layout] = known.confirmed[fact] or 0
                elif layout in here.get(room, {}):
                    beliefs[room, layout] = usual(here[room][layout])[0]
                elif ratios := self._ratios(known.room_class(room)):
                    # Too many people in a room cost more than empty seats: a cautious quantile is believed.
                    beliefs[room, layout] = int(assumed * min(1.0, sorted(ratios)[int(0.35 * len(ratios))]))
        return beliefs

    def equipment(self, known: Known) -> dict[str, frozenset[str]]:
        """Return beliefs about what is built in that differ from the tables."""
        here = self._campus.get(known.campus, {}).get("built_in", {})
        beliefs: dict[str, frozenset[str]] = {}
        for room, assumed in known.raw["facts"]["equipment"].items():
            if not known.rooms.get(room, {}).get("usable", False):
                continue
            if (room, "equipment") in known.confirmed:
                beliefs[room] = frozenset(known.confirmed[room, "equipment"])
                continue
            if room in here:
                beliefs[room] = frozenset(mostly(here[room]))
                continue
            often = self._built_in.get(known.room_class(room), {})
            items = {item for item in EQUIPMENT if self._likely(often.get(item), item in assumed)}
            if items != set(assumed):
                beliefs[room] = frozenset(items)
        return beliefs

    def questions(
        self, known: Known, problem: PlanningProblem, likely: Iterable[tuple[str, Place, float]]
    ) -> list[Inquiry]:
        """Rank rooms by what their facts that are not known yet would be worth, the best first.

        The worth of a fact is the weight of rules that would turn out unmet, times the chance of it, over the events
        that are planned in the room: what the plan would gain by knowing. Facts of one room are asked for together,
        since they stand on one page.
        """
        worth: dict[tuple[str, str], float] = {}
        here = self._campus.get(known.campus, {"seats": {}, "built_in": {}})
        for event, place, chance in likely:
            room, held = place[0], problem.event[event]
            weights = {
                (rule.kind, rule.item): rule.weight for rule in problem.rules_of.get(event, ()) if rule.weight > 0
            }
            fact = f"capacity.{held.layout}"
            if (room, fact) not in known.confirmed:
                values = here["seats"].get(room, {}).get(held.layout)
                risk = doubt(values) if values else self._too_small(known, room, held.layout, held.attendance)
                worth[room, fact] = worth.get((room, fact), 0.0) + chance * risk * weights.get(("capacity", ""), 1.0)
            if (room, "equipment") not in known.confirmed:
                seen = here["built_in"].get(room)
                for (kind, item), weight in weights.items():
                    if kind == "equipment":
                        risk = doubt([item in there for there in seen]) if seen else self._wrong(known, room, item)
                        worth[room, "equipment"] = worth.get((room, "equipment"), 0.0) + chance * risk * weight
        rooms: dict[str, dict[str, float]] = {}
        for (room, fact), value in worth.items():
            if value > 0:
                rooms.setdefault(room, {})[fact] = value
        found = [
            Inquiry(
                room, {fact: self._assumed(known, room, fact) for fact in sorted(facts)}, round(sum(facts.values()), 4)
            )
            for room, facts in rooms.items()
        ]
        return sorted(found, key=lambda question: (-question.worth, question.room))

    def _assumed(self, known: Known, room: str, fact: str) -> Any:
        """Return what is assumed of a fact: what is known of this campus, else what the tables say.

        A person who looks it up need not enter what the assistant knows already.
        """
        here = self._campus.get(known.campus, {"seats": {}, "built_in": {}})
        if fact == "equipment":
            seen = here["built_in"].get(room)
            return mostly(seen) if seen else known.table(room, fact)
        values = here["seats"].get(room, {}).get(fact.removeprefix("capacity."))
        return usual(values)[0] if values else known.table(room, fact)

    def _ratios(self, kind: str) -> Sequence[float]:
        ratios = self._seats.get(kind, ())
        return ratios if len(ratios) >= FEW else ()

    def _likely(self, counts: Sequence[int] | None, assumed: bool) -> bool:
        """Return whether to believe that an item is there: what was seen, unless it was seen too seldom."""
        if counts is None or counts[1] < FEW:
            return assumed
        return counts[0] / counts[1] > 0.5

    def _too_small(self, known: Known, room: str, layout: str, people: int) -> float:
        """Return the chance that the tables are wrong about whether these people fit."""
        assumed = known.raw["facts"]["capacity"].get(room, {}).get(layout)
        if not assumed:
            return 0.0
        ratios = self._ratios(known.room_class(room)) or UNSURE
        fits = assumed >= people
        return float(sum((assumed * ratio >= people) != fits for ratio in ratios) / len(ratios))

    def _wrong(self, known: Known, room: str, item: str) -> float:
        """Return the chance that the tables are wrong about an item."""
        said = item in known.raw["facts"]["equipment"].get(room, ())
        counts = self._built_in.get(known.room_class(room), {}).get(item)
        if counts is None or counts[1] < FEW:
            return EQUIPMENT_DOUBT
        there = (counts[0] + 1) / (counts[1] + 2)
        return 1 - there if said else there


def usual(values: Sequence[Any]) -> tuple[Any, int]:
    """Return the value that was met most often, the latest of several, and how often.

    >>> usual([58, 60, 60]), usual([58, 60])
    ((60, 2), (60, 1))
    """
    counts = {value: list(values).count(value) for value in reversed(values)}
    best = max(counts, key=lambda value: counts[value])
    return best, counts[best]


def mostly(seen: Sequence[Sequence[str]]) -> list[str]:
    """Return the items that were built in more often than not.

    >>> mostly([["screen", "piano"], ["screen"]])
    ['screen']
    """
    return [item for item in EQUIPMENT if sum(item in there for there in seen) * 2 > len(seen)]


def doubt(values: Sequence[Any]) -> float:
    """Return how likely it is that a fact known of this campus has changed since: the less often met, the likelier.

    >>> doubt([True, True, True]) < doubt([True]) < doubt([True, False])
    True
    """
    often = usual(values)[1]
    return (len(values) - often + 0.3) / (len(values) + 1)
