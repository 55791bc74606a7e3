"""Agent-steps per second of the GPU form of Λ* on whatever device JAX finds.

    PYTHONPATH=src python benchmarks/lambda_star/gpu.py [--json FILE] [--quick]

Needs numpy and JAX only. Each figure is the median of several runs after one that compiles; a run is all iterations of
all agents, arrays already on the device, until the result is ready. Scores are printed beside so that one sees that the
agents do what they should (10 × 10, rules of 2016: local search 0.471, Q-learning 0.328).
"""

import argparse
import json
import statistics
import time
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

from mensura.catalog.lambda_star.batch import gpu
from mensura.catalog.lambda_star.environment.torus import Torus
from mensura.catalog.lambda_star.settings import LEARNING

TORUS = Torus(10, 10)
ITERATIONS = 50
LOCAL = [(4_096, 256), (16_384, 256), (16_384, 1_024), (65_536, 512)]
LEARNING_SIZES = [(4_096, 8), (16_384, 8), (16_384, 16), (32_768, 12)]
QUICK_LOCAL = [(500, 8)]
QUICK_LEARNING = [(50, 2)]


def walks(rng: np.random.Generator, episodes: int) -> tuple[np.ndarray, np.ndarray]:
    """Make the patterns of the program of 2016: a random walk to and fro, Evil at a fixed distance."""
    size, cells = TORUS.columns, TORUS.cells
    length = rng.integers(size, 2 * size, size=episodes)
    actions = rng.integers(9, size=(episodes, 2 * size))
    rows = (rng.integers(size, size=(episodes, 1)) + np.cumsum(actions // 3 - 1, axis=1)) % size
    columns = (rng.integers(size, size=(episodes, 1)) + np.cumsum(actions % 3 - 1, axis=1)) % size
    at = np.arange(ITERATIONS + 1)[None] % (2 * length[:, None])
    at = np.where(at < length[:, None], at, 2 * length[:, None] - 1 - at)
    good = np.take_along_axis(rows * size + columns, at, axis=1)
    return good, (good + 1 + cells // 3) % cells


def measure(kind: str, episodes: int, agents: int, *, runs: int) -> dict[str, object]:
    """Time one size of one kind of agent."""
    rng = np.random.default_rng(1)
    good, evil = walks(rng, episodes)
    starts = jnp.asarray(rng.integers(TORUS.cells, size=(episodes, agents)), dtype=jnp.int32)
    tables, paths = gpu._tables(TORUS), gpu._paths(TORUS, good, evil)

    def once(seed: int) -> jax.Array:
        head = (tables, paths, starts, jnp.uint32(seed), TORUS.rows, TORUS.columns, True)
        result = gpu._search(*head) if kind == "local-search" else gpu._learn(*head, LEARNING)
        return result.block_until_ready()

    begun = time.perf_counter()
    score = once(0)
    first = time.perf_counter() - begun
    seconds = []
    for seed in range(1, runs + 1):
        begun = time.perf_counter()
        once(seed)
        seconds.append(time.perf_counter() - begun)
    sessions = 1 if kind == "local-search" else LEARNING.sessions + 1
    steps = episodes * agents * ITERATIONS * sessions
    scored = score if kind == "local-search" else score[-1]
    return {
        "kind": kind,
        "episodes": episodes,
        "agents": agents,
        "steps": steps,
        "first_seconds": first,
        "seconds": seconds,
        "steps_per_second": steps / statistics.median(seconds),
        "score": float(scored.mean()) / ITERATIONS,
    }


def main() -> None:
    """Measure every size, print a table, and write the figures where asked."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", type=Path, help="file for the figures")
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it runs")
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()
    device = jax.devices()[0]
    print(f"{device.device_kind} ({device.platform}), JAX {jax.__version__}, {TORUS}, {ITERATIONS} iterations")
    print(
        f"{'agent':14}{'episodes':>9}{'agents':>8}{'steps':>15}{'steps/s':>11}{'spread':>8}{'compile':>9}{'score':>8}"
    )
    cases = [("local-search", size) for size in (QUICK_LOCAL if options.quick else LOCAL)]
    cases += [("q-learning", size) for size in (QUICK_LEARNING if options.quick else LEARNING_SIZES)]
    figures = []
    for kind, (episodes, agents) in cases:
        try:
            found = measure(kind, episodes, agents, runs=options.runs)
        except jax.errors.JaxRuntimeError as error:
            print(f"{kind:14}{episodes:9}{agents:8}  does not fit: {str(error).splitlines()[0][:60]}", flush=True)
            continue
        seconds = found["seconds"]
        spread = (max(seconds) - min(seconds)) / statistics.median(seconds)
        print(
            f"{kind:14}{episodes:9}{agents:8}{found['steps']:15,}{found['steps_per_second']:11.3g}{spread:8.1%}"
            f"{found['first_seconds']:8.1f}s{found['score']:8.3f}",
            flush=True,
        )
        figures.append(found)
        if options.json:
            head = {"device": device.device_kind, "platform": device.platform, "jax": jax.__version__}
            options.json.write_text(json.dumps({**head, "figures": figures}, indent=1))


if __name__ == "__main__":
    main()
