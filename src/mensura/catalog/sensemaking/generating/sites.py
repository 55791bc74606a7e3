"""Tasks 4-6 of a generated exam: sites and centres on roads, and who attacked."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.exam.layer import Layer
from mensura.catalog.sensemaking.exam.model import FusionTask, FusionTrial, ScopingTask, ScopingTrial
from mensura.catalog.sensemaking.exam.place import AttackSite, Centre, GridPoint
from mensura.catalog.sensemaking.exam.probs import GROUPS
from mensura.catalog.sensemaking.exam.regions import Regions
from mensura.catalog.sensemaking.exam.roads import RoadNetwork
from mensura.catalog.sensemaking.generating.evidence import reports, sigint_reports
from mensura.catalog.sensemaking.generating.setter import Setter, draw_until, far_apart
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


def make_scoping_task(by: Setter, sheets: Sequence[MapSheet]) -> ScopingTask:
    """Make Task 4: one site in each region, and a group that may attack any of them."""

    def draw(sheet: MapSheet) -> tuple[GridPoint, list[GridPoint], NDArray[np.float64]] | None:
        centre = by.pick(sheet.network.points)
        places = [by.pick(sheet.by_region[region]) for region in by.rng.permutation(by.groups)]
        if not far_apart([centre, *places], by.design.separation / 2):
            return None
        miles = by.grid.miles_per_unit * sheet.network.distances([centre], places)[0]
        return (centre, places, miles) if by.leaves_open(miles) else None

    trials = []
    for number, group in enumerate(by.deal_groups(by.design.trials_4), start=1):
        sheet = sheets[(number - 1) % len(sheets)]
        centre, places, miles = draw_until(partial(draw, sheet), what="four sites far enough apart")
        sites = tuple(AttackSite(str(k), where, sheet.regions.at(*where)) for k, where in enumerate(places, start=1))
        chance = by.probs.distance_likelihood(miles)
        chance = chance * by.probs.site_likelihood([site.region for site in sites], group=group)
        trials.append(
            ScopingTrial(
                number=number,
                file=f"task4_{number}.csv",
                roads=sheet.roads_file,
                regions=sheet.regions_file,
                group=group,
                centre=Centre(group, centre, None, sheet.regions.at(*centre)),
                sites=sites,
                layers=(Layer("SOCINT"),),
                distances=tuple(miles.tolist()),
                truth=sites[int(by.rng.choice(len(sites), p=chance / chance.sum()))].name,
            )
        )
    return ScopingTask(4, by.heading(4), tuple(trials))


def make_fusion_task(by: Setter, number: int, sheets: Sequence[MapSheet]) -> FusionTask:
    """Make Task 5 or 6: an attacked site, four centres, and reports that follow the PROBS given who attacked."""
    count = by.design.trials_5 if number == 5 else by.design.trials_6
    truths, heard = by.deal_groups(count), by.deal_groups(count)
    imint, movint, regions = (reports(by, kind, truths) for kind in ("IMINT", "MOVINT", "SOCINT"))
    sigint = sigint_reports(by, truths)
    trials = []
    for index, truth in enumerate(truths):
        sheet = sheets[index % len(sheets)]
        place, centres, miles = _geometry(by, sheet, regions[index], truth)
        near = by.probs.distance_likelihood(miles)
        shown = (Layer("IMINT"), Layer("MOVINT"), Layer("SIGINT", heard[index]), Layer("SOCINT"))
        trials.append(
            FusionTrial(
                number=index + 1,
                file=f"task{number}_{index + 1}.csv",
                roads=sheet.roads_file,
                regions=sheet.regions_file,
                site=AttackSite("1", place, regions[index], imint[index], movint[index]),
                centres=tuple(map(Centre, by.groups, centres, (sigint[index][group] for group in by.groups))),
                layers=tuple(shown[int(i)] for i in by.rng.permutation(4)) if number == 5 else MENU,
                humint=tuple(whole_percents(100 * near / near.sum()).tolist()),
                choices=None if number == 5 else by.design.choices,
                distances=tuple(miles.tolist()),
                truth=truth,
            )
        )
    return FusionTask(number, by.heading(number), tuple(trials))


def _geometry(
    by: Setter, sheet: MapSheet, region: str, truth: str
) -> tuple[GridPoint, list[GridPoint], NDArray[np.float64]]:
    """Place the site in its region and the centres on roads, so that the attacker is as likely as HUMINT says.

    Centres are drawn without names; which of them is the attacker's is drawn by HUMINT itself.
    """
    rng, groups = by.rng, by.groups
    inside, points = sheet.by_region[region], sheet.network.points
    rows: dict[GridPoint, NDArray[np.float64]] = {}

    def draw() -> tuple[GridPoint, list[GridPoint], NDArray[np.float64]] | None:
        # A site is tried with many sets of centres before another is drawn: its distances are expensive.
        site = next(reversed(rows)) if rows and rng.random() < 0.99 else by.pick(inside)
        if site not in rows:
            rows[site] = by.grid.miles_per_unit * sheet.network.distances([site], points)[0]
        picked = rng.choice(len(points), size=len(groups), replace=False)
        centres, miles = [points[int(i)] for i in picked], rows[site][picked]
        if not by.leaves_open(miles) or not far_apart([site, *centres], by.design.separation / 2):
            return None
        near = by.probs.distance_likelihood(miles)
        owner = int(rng.choice(len(groups), p=near / near.sum()))
        others = [int(i) for i in rng.permutation(len(groups)) if i != owner]
        order = [owner if group == truth else others.pop() for group in groups]
        return site, [centres[i] for i in order], np.asarray(miles[order])

    return draw_until(draw, what="site and centres that HUMINT leaves open")
