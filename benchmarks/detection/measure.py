"""One measurement, in a process of its own: prints wall seconds, processor seconds, megabytes and the result."""

import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.detection.cases import ATTACKS, DENSE, make_cases, plain_cases, spread
from mensura.catalog.detection.hypotheses.options import ScoringOptions
from mensura.catalog.detection.hypotheses.result import TypeScore
from mensura.catalog.detection.hypotheses.scorer import score_hypotheses
from mensura.catalog.detection.hypotheses.things import Things


def main() -> None:
    """Measure what the arguments name."""
    what, size = sys.argv[1], int(sys.argv[2])
    prepare = {
        "generate": generate,
        "dense": lambda size: scoring(size, DENSE),
        "sparse": lambda size: scoring(size, spread(size)),
        "common": lambda size: common(size, kinds=int(sys.argv[3]), wrong=float(sys.argv[4])),
        "small": small,
        "deepdiff": deepdiff,
        "smatch": smatch,
    }[what]
    run = prepare(size)
    # What takes milliseconds is done many times over, for a clock that a busy machine does not drown.
    times = 50 if what == "small" else 1
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in range(times):
        found = run()
    wall, cpu = (time.perf_counter() - wall) / times, (time.process_time() - cpu) / times
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(wall, cpu, memory, found, sep="\t")


def generate(size: int) -> Callable[[], str]:
    """Simulate a world and write it to files."""
    from mensura.catalog.detection.world import WorldParameters, make_world
    from mensura.catalog.detection.world.writing import write_world

    def run() -> str:
        world = make_world(WorldParameters(individuals=size), np.random.default_rng(1))
        with tempfile.TemporaryDirectory() as folder:
            write_world(world, folder=Path(folder), rng=np.random.default_rng(2))
        return f"{len(world.transactions)} transactions, {len(world.evidence)} reported"

    return run


def scoring(size: int, values: dict[str, int]) -> Callable[[], str]:
    """Read, compare, pair optimally and score with intervals."""
    _score(make_cases(200, values=values, wrong=0.0), make_cases(200, values=values, wrong=0.3))

    def run() -> str:
        reference, hypotheses = (make_cases(size, values=values, wrong=wrong) for wrong in (0.0, 0.3))
        found = _score(reference, hypotheses)
        return f"F {found.counts.f:.4f}, greedy gap {found.pairing.greedy_gap:.4f}, unique {found.pairing.unique}"

    return run


def common(size: int, *, kinds: int, wrong: float) -> Callable[[], str]:
    """Pair and score cases that have nothing but a target of their own and one of a few groups."""
    _score(*plain_cases(300, kinds=kinds, wrong=wrong), resamples=0)
    sides = plain_cases(size, kinds=kinds, wrong=wrong)
    return lambda: f"{_score(*sides, resamples=0).counts.f:.4f}"


def small(size: int) -> Callable[[], str]:
    """The list that peers get."""
    reference, hypotheses = (make_cases(size, values=spread(size), wrong=wrong) for wrong in (0.0, 0.3))
    _score(reference, hypotheses, resamples=0)
    return lambda: f"{_score(reference, hypotheses, resamples=0).counts.f:.3f}"


def deepdiff(size: int) -> Callable[[], str]:
    """The same two lists, compared without regard to order, and told to pair even what is far apart."""
    from deepdiff import DeepDiff  # type: ignore[import-not-found]

    sides = [_values(make_cases(size, values=spread(size), wrong=wrong)) for wrong in (0.0, 0.3)]
    how = {"ignore_order": True, "cutoff_distance_for_pairs": 1.0, "cutoff_intersection_for_pairs": 1.0}

    def run() -> str:
        found = DeepDiff(*sides, **how, max_passes=10**6)
        return f"{sum(len(each) for each in found.values())} differences, optimality unknown"

    return run


def smatch(size: int) -> Callable[[], str]:
    """The same two lists as graphs of triples, one per case, each against each, by hill climbing."""
    import smatch as peer  # type: ignore[import-not-found]

    sides = [_graphs(make_cases(size, values=spread(size), wrong=wrong)) for wrong in (0.0, 0.3)]

    def run() -> str:
        total = 0.0
        for first in sides[0]:
            for second in sides[1]:
                matched, test, gold = peer.get_amr_match(first, second)
                total += 2 * matched / (test + gold)
            peer.match_triple_dict.clear()
        return f"all pairs compared, mean F {total / size**2:.3f}; pairing not included"

    return run


def _score(reference: Things, hypotheses: Things, *, resamples: int = 1000) -> TypeScore:
    options = ScoringOptions(resamples=resamples)
    return score_hypotheses(ATTACKS, reference=reference, hypotheses=hypotheses, options=options).types["Attack"]


def _values(things: Things) -> list[dict[str, object]]:
    return [thing.values for thing in things.of("Attack").values()]


def _graphs(things: Things) -> list[str]:
    graphs = []
    for thing in things.of("Attack").values():
        parts = []
        for key, values in thing.values.items():
            parts += [f":{key}{number} (v{key}{number} / x{value})" for number, value in enumerate(values)]
        graphs.append(f"(a / attack {' '.join(parts)})".replace(".", "p"))
    return graphs


if __name__ == "__main__":
    main()
