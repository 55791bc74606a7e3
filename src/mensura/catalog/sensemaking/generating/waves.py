"""Task 7 of a generated exam: waves of attacks on one map."""

import numpy as np

from mensura.catalog.sensemaking.exam import AttackSite, Centre, GridSize, Heading, Layer, Probs, WaveTask, WaveTrial
from mensura.catalog.sensemaking.exam.place import GridPoint
from mensura.catalog.sensemaking.generating.design import Design
from mensura.catalog.sensemaking.generating.drawing import draw_until
from mensura.catalog.sensemaking.generating.evidence import reports, sigint_reports
from mensura.catalog.sensemaking.generating.sites import MapSheet, far_apart, pick

LATEST_REVEAL, EARLIEST_REVEAL = 1, 4
"""The attacker is revealed once per wave, this many trials before its end."""


def make_wave_task(
    rng: np.random.Generator,
    *,
    frame: Heading,
    groups: tuple[str, ...],
    terrain: MapSheet,
    grid: GridSize,
    design: Design,
    probs: Probs,
) -> WaveTask:
    """Make Task 7: fixed roads, regions and centres; new sites, one in each region, on every trial."""
    lengths = _wave_lengths(rng, design)
    attackers = _attackers(rng, groups, len(lengths))
    truths = [group for group, length in zip(attackers, lengths, strict=True) for _ in range(length)]
    revealed = _revealed(rng, lengths)
    centres = _one_per_region(rng, groups, terrain, separation=design.separation)
    sigint = sigint_reports(rng, truths=truths, groups=groups, probs=probs)
    features = {
        kind: reports(rng, layer=Layer(kind), truths=truths, groups=groups, probs=probs) for kind in ("IMINT", "MOVINT")
    }
    layers = (Layer("IMINT"), Layer("MOVINT"), *(Layer("SIGINT", group) for group in groups))
    trials = []
    for index, truth in enumerate(truths):
        places = _one_per_region(rng, groups, terrain, separation=design.separation / 2)
        attacked = _attacked(rng, truth, places, centres[groups.index(truth)], groups, terrain, grid, probs)
        sites = tuple(
            AttackSite(
                name=str(place + 1),
                place=where,
                region=groups[place],
                imint=_feature(rng, "IMINT", features, index, probs, attacked=place == attacked),
                movint=_feature(rng, "MOVINT", features, index, probs, attacked=place == attacked),
            )
            for place, where in enumerate(places)
        )
        trials.append(
            WaveTrial(
                number=index + 1,
                file=f"task7_{index + 1}.csv",
                sites=sites,
                centres=tuple(
                    Centre(group, where, sigint[index][group], group)
                    for group, where in zip(groups, centres, strict=True)
                ),
                layers=layers,
                costs=tuple(probs.costs[layer.kind] for layer in layers),
                group_shown=index in revealed,
                truth_group=truth,
                truth_site=str(attacked + 1),
            )
        )
    return WaveTask(
        frame=frame,
        roads=terrain.roads_file,
        regions=terrain.regions_file,
        initial_group=truths[0],
        trials=tuple(trials),
        credits=design.credits,
    )


def _wave_lengths(rng: np.random.Generator, design: Design) -> list[int]:
    """Lengths of waves that fill the trials; the last may be cut by the end of the task."""
    lengths: list[int] = []
    while sum(lengths) < design.trials_7:
        lengths.append(int(rng.integers(design.shortest_wave, design.longest_wave + 1)))
    lengths[-1] -= sum(lengths) - design.trials_7
    if lengths[-1] < 2 and len(lengths) > 1:
        cut = lengths.pop()
        lengths[-1] += cut
    return lengths


def _attackers(rng: np.random.Generator, groups: tuple[str, ...], waves: int) -> list[str]:
    found: list[str] = []
    for _ in range(waves):
        others = [group for group in groups if not found or group != found[-1]]
        found.append(others[int(rng.integers(len(others)))])
    return found


def _revealed(rng: np.random.Generator, lengths: list[int]) -> set[int]:
    found, end = set(), -1
    for length in lengths:
        end += length
        earliest = min(EARLIEST_REVEAL, length - 1)
        if earliest >= LATEST_REVEAL:
            found.add(end - int(rng.integers(LATEST_REVEAL, earliest + 1)))
    return found


def _one_per_region(
    rng: np.random.Generator, groups: tuple[str, ...], terrain: MapSheet, *, separation: float
) -> list[GridPoint]:
    def draw() -> list[GridPoint] | None:
        places = [pick(rng, terrain.by_region[group]) for group in groups]
        return places if far_apart(places, separation) else None

    return draw_until(draw, what="places far enough apart, one in each region")


def _attacked(
    rng: np.random.Generator,
    truth: str,
    places: list[GridPoint],
    centre: GridPoint,
    groups: tuple[str, ...],
    terrain: MapSheet,
    grid: GridSize,
    probs: Probs,
) -> int:
    miles = grid.miles_per_unit * terrain.network.distances([centre], places)[0]
    chance = probs.distance_likelihood(miles) * probs.site_likelihood(groups, group=truth)
    return int(rng.choice(len(places), p=chance / chance.sum()))


def _feature(
    rng: np.random.Generator,
    kind: str,
    features: dict[str, list[str]],
    index: int,
    probs: Probs,
    *,
    attacked: bool,
) -> str:
    """The attacked site's feature follows the attacker's preference; the other sites' tell nothing."""
    if attacked:
        return features[kind][index]
    outcomes = probs.outcomes(Layer(kind))
    return outcomes[int(rng.integers(len(outcomes)))]
