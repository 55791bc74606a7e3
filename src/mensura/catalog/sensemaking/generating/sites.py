"""Tasks 4-6 of a generated exam: sites and centres on roads, and who attacked."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.exam import (
    AttackSite,
    Centre,
    FusionTask,
    FusionTrial,
    GridPoint,
    GridSize,
    Heading,
    Layer,
    Probs,
    Regions,
    RoadNetwork,
    ScopingTask,
    ScopingTrial,
)
from mensura.catalog.sensemaking.exam.probs import GROUPS
from mensura.catalog.sensemaking.generating.design import Design
from mensura.catalog.sensemaking.generating.drawing import draw_until
from mensura.catalog.sensemaking.generating.evidence import deal, reports, sigint_reports
from mensura.catalog.sensemaking.solving.distribution import whole_percents
from mensura.catalog.sensemaking.solving.information import MENU


@dataclass(frozen=True)
class MapSheet:
    """One map: its roads and regions with their file names."""

    network: RoadNetwork
    regions: Regions
    roads_file: str
    regions_file: str

    @cached_property
    def by_region(self) -> dict[str, list[GridPoint]]:
        """Road points inside each group's region."""
        found: dict[str, list[GridPoint]] = {group: [] for group in GROUPS}
        for point in self.network.points:
            found[self.regions.at(*point)].append(point)
        return found


def make_scoping_task(
    rng: np.random.Generator,
    *,
    frame: Heading,
    groups: tuple[str, ...],
    terrains: Sequence[MapSheet],
    grid: GridSize,
    design: Design,
    probs: Probs,
) -> ScopingTask:
    """Make Task 4: one site in each region, and a group that may attack any of them."""

    def draw(terrain: MapSheet) -> tuple[GridPoint, list[GridPoint], NDArray[np.float64]] | None:
        centre = pick(rng, terrain.network.points)
        places = [pick(rng, terrain.by_region[region]) for region in rng.permutation(groups)]
        if not far_apart([centre, *places], design.separation / 2):
            return None
        miles = grid.miles_per_unit * terrain.network.distances([centre], places)[0]
        near = probs.distance_likelihood(miles)
        fair = design.flattest <= (near / near.sum()).max() <= design.steepest
        return (centre, places, miles) if fair else None

    trials = []
    attackers = [groups[card] for card in deal(rng, np.full(len(groups), 1 / len(groups)), count=design.trials_4)]
    for number, group in enumerate(attackers, start=1):
        terrain = terrains[(number - 1) % len(terrains)]
        centre, places, miles = draw_until(partial(draw, terrain), what="four sites far enough apart")
        sites = tuple(
            AttackSite(str(place + 1), where, terrain.regions.at(*where)) for place, where in enumerate(places)
        )
        near = probs.distance_likelihood(miles)
        chance = near * probs.site_likelihood([site.region for site in sites], group=group)
        truth = sites[int(rng.choice(len(sites), p=chance / chance.sum()))].name
        trials.append(
            ScopingTrial(
                number=number,
                file=f"task4_{number}.csv",
                roads=terrain.roads_file,
                regions=terrain.regions_file,
                group=group,
                centre=Centre(group, centre, None, terrain.regions.at(*centre)),
                sites=sites,
                layers=(Layer("SOCINT"),),
                distances=tuple(miles.tolist()),
                truth=truth,
            )
        )
    return ScopingTask(4, frame, tuple(trials))


def make_fusion_task(
    rng: np.random.Generator,
    *,
    number: int,
    frame: Heading,
    groups: tuple[str, ...],
    terrains: Sequence[MapSheet],
    grid: GridSize,
    design: Design,
    probs: Probs,
) -> FusionTask:
    """Make Task 5 or 6: an attacked site, four centres, and reports that follow the PROBS given who attacked."""
    count = design.trials_5 if number == 5 else design.trials_6
    even = np.full(len(groups), 1 / len(groups))
    truths = [groups[card] for card in deal(rng, even, count=count)]
    heard = [groups[card] for card in deal(rng, even, count=count)]
    imint, movint, regions = (
        reports(rng, layer=Layer(kind), truths=truths, groups=groups, probs=probs)
        for kind in ("IMINT", "MOVINT", "SOCINT")
    )
    sigint = sigint_reports(rng, truths=truths, groups=groups, probs=probs)
    trials = []
    for index, truth in enumerate(truths):
        terrain = terrains[index % len(terrains)]
        place, centres, miles = _geometry(rng, terrain, regions[index], truth, groups, grid, design, probs)
        near = probs.distance_likelihood(miles)
        shown = (Layer("IMINT"), Layer("MOVINT"), Layer("SIGINT", heard[index]), Layer("SOCINT"))
        trials.append(
            FusionTrial(
                number=index + 1,
                file=f"task{number}_{index + 1}.csv",
                roads=terrain.roads_file,
                regions=terrain.regions_file,
                site=AttackSite("1", place, regions[index], imint[index], movint[index]),
                centres=tuple(
                    Centre(group, where, sigint[index][group]) for group, where in zip(groups, centres, strict=True)
                ),
                layers=tuple(shown[int(i)] for i in rng.permutation(4)) if number == 5 else MENU,
                humint=tuple(whole_percents(100 * near / near.sum()).tolist()),
                choices=None if number == 5 else design.choices,
                distances=tuple(miles.tolist()),
                truth=truth,
            )
        )
    return FusionTask(number, frame, tuple(trials))


def _geometry(
    rng: np.random.Generator,
    terrain: MapSheet,
    region: str,
    truth: str,
    groups: tuple[str, ...],
    grid: GridSize,
    design: Design,
    probs: Probs,
) -> tuple[GridPoint, list[GridPoint], NDArray[np.float64]]:
    """Place the site in its region and the centres on roads, so that the attacker is as likely as HUMINT says.

    Centres are drawn without names; which of them is the attacker's is drawn by HUMINT itself.
    """
    inside, points = terrain.by_region[region], terrain.network.points
    rows: dict[GridPoint, NDArray[np.float64]] = {}

    def draw() -> tuple[GridPoint, list[GridPoint], NDArray[np.float64]] | None:
        # A site is tried with many sets of centres before another is drawn: its distances are the costly part.
        site = next(reversed(rows)) if rows and rng.random() < 0.99 else pick(rng, inside)
        if site not in rows:
            rows[site] = grid.miles_per_unit * terrain.network.distances([site], points)[0]
        picked = rng.choice(len(points), size=len(groups), replace=False)
        centres, miles = [points[int(i)] for i in picked], rows[site][picked]
        near = probs.distance_likelihood(miles)
        belief = near / near.sum()
        if not design.flattest <= belief.max() <= design.steepest:
            return None
        if not far_apart([site, *centres], design.separation / 2):
            return None
        owner = int(rng.choice(len(groups), p=belief))
        others = [int(i) for i in rng.permutation(len(groups)) if i != owner]
        order = [owner if group == truth else others.pop() for group in groups]
        return site, [centres[i] for i in order], np.asarray(miles[order])

    return draw_until(draw, what="site and centres that HUMINT leaves open")


def pick(rng: np.random.Generator, points: Sequence[GridPoint]) -> GridPoint:
    """Pick one place."""
    return points[int(rng.integers(len(points)))]


def far_apart(places: Sequence[GridPoint], separation: float) -> bool:
    """Whether all places keep a distance from each other."""
    at = np.array(places)
    gaps = np.hypot(*np.moveaxis(at[:, None] - at[None], -1, 0))
    return bool((gaps[~np.eye(len(at), dtype=bool)] >= separation).all())
