"""Task 7 of a generated exam: waves of attacks on one map."""

import numpy as np

from mensura.catalog.sensemaking.exam.layer import Layer
from mensura.catalog.sensemaking.exam.model import WaveTask, WaveTrial
from mensura.catalog.sensemaking.exam.place import AttackSite, Centre, GridPoint
from mensura.catalog.sensemaking.generating.evidence import reports, sigint_reports
from mensura.catalog.sensemaking.generating.setter import Setter, draw_until, far_apart
from mensura.catalog.sensemaking.generating.sites import MapSheet

LATEST_REVEAL, EARLIEST_REVEAL = 1, 4
"""The attacker is revealed once per wave, this many trials before its end."""


def make_wave_task(by: Setter, sheet: MapSheet) -> WaveTask:
    """Make Task 7: fixed roads, regions and centres; new sites, one in each region, on every trial."""
    lengths = _wave_lengths(by)
    attackers = _attackers(by, len(lengths))
    truths = [group for group, length in zip(attackers, lengths, strict=True) for _ in range(length)]
    revealed = _revealed(by, lengths)
    centres = _one_per_region(by, sheet, separation=by.design.separation)
    sigint = sigint_reports(by, truths)
    features = {kind: reports(by, kind, truths) for kind in ("IMINT", "MOVINT")}
    layers = (Layer("IMINT"), Layer("MOVINT"), *(Layer("SIGINT", group) for group in by.groups))

    def feature(kind: str, index: int, *, attacked: bool) -> str:
        """The attacked site's feature follows the attacker's preference; the other sites' tell nothing."""
        outcomes = by.probs.outcomes(Layer(kind))
        return features[kind][index] if attacked else outcomes[int(by.rng.integers(len(outcomes)))]

    trials = []
    for index, truth in enumerate(truths):
        places = _one_per_region(by, sheet, separation=by.design.separation / 2)
        hit = _attacked(by, truth, places, centres[by.groups.index(truth)], sheet)
        trials.append(
            WaveTrial(
                number=index + 1,
                file=f"task7_{index + 1}.csv",
                sites=tuple(
                    AttackSite(
                        name=str(place + 1),
                        place=where,
                        region=by.groups[place],
                        imint=feature("IMINT", index, attacked=place == hit),
                        movint=feature("MOVINT", index, attacked=place == hit),
                    )
                    for place, where in enumerate(places)
                ),
                centres=tuple(
                    Centre(group, where, sigint[index][group], group)
                    for group, where in zip(by.groups, centres, strict=True)
                ),
                layers=layers,
                costs=tuple(by.probs.costs[layer.kind] for layer in layers),
                group_shown=index in revealed,
                truth_group=truth,
                truth_site=str(hit + 1),
            )
        )
    return WaveTask(
        frame=by.heading(7),
        roads=sheet.roads_file,
        regions=sheet.regions_file,
        initial_group=truths[0],
        trials=tuple(trials),
        credits=by.design.credits,
    )


def _wave_lengths(by: Setter) -> list[int]:
    """Lengths of waves, as the wave rule gives them; the last is cut by the end of the task."""
    design = by.design
    possible = np.arange(design.shortest_wave, design.longest_wave + 1)
    chance = by.probs.stay**possible
    lengths: list[int] = []
    while sum(lengths) < design.trials_7:
        lengths.append(int(by.rng.choice(possible, p=chance / chance.sum())))
    lengths[-1] -= sum(lengths) - design.trials_7
    return lengths


def _attackers(by: Setter, waves: int) -> list[str]:
    found: list[str] = []
    for _ in range(waves):
        others = [group for group in by.groups if not found or group != found[-1]]
        found.append(others[int(by.rng.integers(len(others)))])
    return found


def _revealed(by: Setter, lengths: list[int]) -> set[int]:
    found, end = set(), -1
    for length in lengths:
        end += length
        earliest = min(EARLIEST_REVEAL, length - 1)
        if earliest >= LATEST_REVEAL:
            found.add(end - int(by.rng.integers(LATEST_REVEAL, earliest + 1)))
    return found


def _one_per_region(by: Setter, sheet: MapSheet, *, separation: float) -> list[GridPoint]:
    def draw() -> list[GridPoint] | None:
        places = [by.pick(sheet.by_region[group]) for group in by.groups]
        return places if far_apart(places, separation) else None

    return draw_until(draw, what="places far enough apart, one in each region")


def _attacked(by: Setter, truth: str, places: list[GridPoint], centre: GridPoint, sheet: MapSheet) -> int:
    miles = by.grid.miles_per_unit * sheet.network.distances([centre], places)[0]
    chance = by.probs.distance_likelihood(miles) * by.probs.site_likelihood(by.groups, group=truth)
    return int(by.rng.choice(len(places), p=chance / chance.sum()))
