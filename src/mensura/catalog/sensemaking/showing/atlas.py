"""What is shown: maps with roads, regions, centres and events, and bars of percents."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.exam.model import Exam
from mensura.catalog.sensemaking.exam.place import Attack, AttackSite, Centre, GridPoint
from mensura.catalog.sensemaking.exam.regions import Regions, straight
from mensura.catalog.sensemaking.exam.roads import RoadNetwork
from mensura.catalog.sensemaking.showing.percents import PACKAGE
from mensura.dialogue import Feature, Likert, Map, Prompt, TableView

COLOURS = {"A": "#d1495b", "B": "#2e86ab", "C": "#3a7d44", "D": "#8e6c8a"}
TRIES = {"+": "#1a7f37", "?": "#222222"}
"""Colours of practice: how it is well done, and how it was done."""
MARGIN = 2
"""Grid units round the map, so that places at its edge are whole."""
LAST_SEEN = 5
"""How many of the last events stay on the map in Task 7."""


@dataclass(frozen=True)
class SceneMap(Map):
    """A map whose text leaves out the points on the way along a straight road, and says how far a grid unit is."""

    kind: ClassVar[str] = "sensemaking-map"
    page: ClassVar[Mapping[str, str]] = {**PACKAGE, "template": "map.html", "script": "map.js", "wide": "yes"}
    miles_per_unit: float = 0.3
    silent: bool = False
    """For eyes only: what it shows is said in words beside it."""
    live: str = ""
    """What practice says while something is drawn: "inside" counts the events in the circle, "along" measures the
    mean distance to them along the road."""

    def text(self) -> str:
        if self.silent:
            return ""
        bends = [
            replace(feature, places=_corners(feature.places)) if feature.shape == "line" else feature
            for feature in self.features
        ]
        drawn = Map(self.low, self.high, bends, self.unit, self.words).text()
        return f"{drawn}\nOne unit of the map is {self.miles_per_unit:g} miles."


class Atlas:
    """Makes the prompts of one exam."""

    def __init__(self, exam: Exam) -> None:
        self.exam = exam
        self._regions: dict[str, list[Feature]] = {}
        self._roads: dict[str, list[Feature]] = {}

    def map(self, features: Sequence[Feature], *, silent: bool = False, live: str = "") -> SceneMap:
        """Frame features as the exam's map."""
        grid = self.exam.grid
        low, high = (-MARGIN, -MARGIN), (grid.width + MARGIN, grid.height + MARGIN)
        return SceneMap(low, high, list(features), "grid units", "", grid.miles_per_unit, silent, live)

    def roads(self, name: str | None) -> list[Feature]:
        """The roads of a network."""
        if name is None:
            return []
        if name not in self._roads:
            self._roads[name] = roads(self.exam.roads[name])
        return self._roads[name]

    def regions(self, name: str) -> list[Feature]:
        """The groups' regions."""
        if name not in self._regions:
            self._regions[name] = _regions(self.exam.regions[name])
        return self._regions[name]


def roads(network: RoadNetwork) -> list[Feature]:
    """The roads of a network as lines."""
    return [
        Feature("line", [_at(point) for point in road.points], f"road {road.name}", "roads") for road in network.roads
    ]


def _regions(regions: Regions) -> list[Feature]:
    return [
        # A cell's owner is that of the place in its middle.
        Feature("region", [(x - 0.5, y - 0.5) for x, y in corners], f"region {group}", "SOCINT", COLOURS[group])
        for group, corners in regions.outlines()
    ]


def events(attacks: Sequence[Attack], *, new: int = 0) -> list[Feature]:
    """Past events by group; the last `new` of them on a layer of their own."""
    old = len(attacks) - new
    return [
        Feature(
            "point", [_at(attack.place)], attack.group, "events" if k < old else "new events", COLOURS[attack.group]
        )
        for k, attack in enumerate(attacks)
    ]


def _at(place: GridPoint) -> tuple[float, float]:
    return place.x, place.y


def probe(place: GridPoint) -> Feature:
    """Where the new event happened."""
    return Feature("point", [_at(place)], "?", "question", "#222222")


def circle(place: tuple[float, float], radius: float, name: str, *, layer: str = "your circles") -> Feature:
    """A circle somebody drew for a group, or one of practice."""
    return Feature("circle", [place], f"circle {name}", layer, COLOURS.get(name) or TRIES[name], radius)


def marked(place: tuple[float, float], name: str, *, layer: str = "your centres") -> Feature:
    """A centre somebody marked for a group, or one of practice."""
    return Feature("point", [place], f"centre {name}", layer, COLOURS.get(name) or TRIES[name])


def revealed(place: GridPoint, name: str) -> Feature:
    """Where it happened, under the name of who was behind it or of the site."""
    return Feature("point", [_at(place)], f"truth {name}", "what happened", COLOURS.get(name, "#b3261e"))


def centres(found: Sequence[Centre]) -> list[Feature]:
    """Groups' centres, from HUMINT."""
    return [
        Feature("point", [_at(each.place)], f"centre {each.group}", "HUMINT", COLOURS[each.group]) for each in found
    ]


def sites(found: Sequence[AttackSite]) -> list[Feature]:
    """Possible sites."""
    return [Feature("point", [_at(each.place)], f"site {each.name}", "question", "#222222") for each in found]


def site_table(found: Sequence[AttackSite], *, region: bool) -> TableView:
    """Where the sites lie, with the region each is in where that is shown."""
    columns = ("site", "x", "y", "region") if region else ("site", "x", "y")
    rows = [(s.name, s.place.x, s.place.y, s.region) if region else (s.name, s.place.x, s.place.y) for s in found]
    return TableView(columns, rows, title="Sites")


@dataclass(frozen=True)
class Bars(Prompt):
    """Sets of percents as bars, side by side: what was believed before, and what a report alone would say."""

    kind: ClassVar[str] = "sensemaking-bars"
    page: ClassVar[Mapping[str, str]] = {**PACKAGE, "template": "bars.html"}
    sets: Mapping[str, Mapping[str, float]]

    def text(self) -> str:
        return "\n".join(
            f"{words}: " + ", ".join(f"{name} {percent:.1f} %" for name, percent in percents.items())
            for words, percents in self.sets.items()
        )


@dataclass(frozen=True)
class Handbook(Prompt):
    """The rules, to be opened whenever they are wanted; silent in words where the ask itself says those it needs."""

    kind: ClassVar[str] = "sensemaking-handbook"
    page: ClassVar[Mapping[str, str]] = {**PACKAGE, "template": "handbook.html"}
    rules: str
    numbers: Mapping[str, Any]
    """The same rules as numbers, for programs."""
    silent: bool = False

    def text(self) -> str:
        return "" if self.silent else self.rules


def _corners(places: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    kept: list[Any] = []
    for place in places:
        if len(kept) >= 2 and straight(kept[-2], kept[-1], place):
            kept[-1] = place
        else:
            kept.append(place)
    return kept


def shares(names: Sequence[str], weights: NDArray[np.float64]) -> dict[str, float]:
    """Weights as percents by name."""
    return dict(zip(names, (100 * weights / weights.sum()).tolist(), strict=True))


def surprise() -> Likert:
    """The scale on which surprise is reported."""
    return Likert(7, "not surprised at all", "extremely surprised")
