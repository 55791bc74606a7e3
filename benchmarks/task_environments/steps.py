"""Steps and ticks per second: `python -m benchmarks task_environments steps [--original PATH]`.

With a checkout of the authors' program (it is on no registry, and has no licence), that runs in turn with ours; without
one, the figures of our note are printed beside ours, and said to be so. Seconds are this process's own processor time
on one thread, medians over rounds.
"""

import random
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from mensura.catalog.task_environments.agents.full_throttle import FullThrottle
from mensura.catalog.task_environments.dialogue import task_environments
from mensura.catalog.task_environments.physics.batch import Batch
from mensura.catalog.task_environments.physics.program import compile_task
from mensura.catalog.task_environments.tasks.find import find_task, list_tasks
from mensura.running.take import take
from mensura.subjects.chance import Chance

ROUNDS = 5
TICKS = 40
INSTANCES = 1000
WANTED = {"batch of 1000, exact": 30e6, "plain dialogue, chance": 15_000 * 250}
NOTED = 225_000
"""Steps per second of processor time of the authors' program on its race, as our note has it."""


def main(*words: str) -> None:
    """Print steps per second, ratios to the original, other tasks, and memory as episodes grow."""
    if words[:1] == ("memory",):
        print(_memory_of(int(words[1])))
        return
    print_rates(original_at(words[words.index("--original") + 1]) if "--original" in words else None)
    print(f"\n{'batch of 200, exact':34}{'steps/s':>14}")
    for name in list_tasks():
        run = _batch(name, "exact", 200)
        run()
        begun = time.process_time()
        print(f"{name:34}{run() / (time.process_time() - begun):14,.0f}")
    print(f"\n{'batch form, episodes':34}{'greatest memory':>16}")
    for episodes in (1000, 10_000, 50_000):
        told = subprocess.run(
            [sys.executable, "-m", "benchmarks", "task_environments", "steps", "memory", str(episodes)],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        print(f"{episodes:<34,}{float(told.stdout.split()[-1]):13.0f} MB")


def print_rates(original: Callable[[], int] | None) -> None:
    """Print steps per second beside those of the original program: as it runs in turn, or as our note has it."""
    rates = _rates(original)
    base = rates.get("the original program")
    said = "in this run" if base else "by our note, not measured here"
    base = base or NOTED
    print(f"{'car race, one thread':34}{'steps/s':>14}{'ticks/s':>11}{'wanted':>14}{'times the original':>20}")
    for name, rate in rates.items():
        wanted = f"{WANTED[name]:,.0f}" if name in WANTED else ""
        print(f"{name:34}{rate:14,.0f}{rate / 250:11,.0f}{wanted:>14}{rate / base:20,.0f}")
    print(f"The original: {base:,.0f} steps/s {said}.")


def _rates(original: Callable[[], int] | None) -> dict[str, float]:
    cases: dict[str, Callable[[], int]] = {
        f"batch of 1000, {physics}": _batch("car-race", physics, INSTANCES)
        for physics in ("exact", "paper", "original")
    }
    cases["plain dialogue, chance"] = lambda: _plain(Chance())
    if original is not None:
        cases["the original program"] = original
    seconds: dict[str, list[float]] = {name: [] for name in cases}
    for round_ in range(ROUNDS + 1):
        for name, run in cases.items():
            begun = time.process_time()
            steps = run()
            if round_:
                seconds[name].append((time.process_time() - begun) / steps)
    return {name: 1 / statistics.median(spent) for name, spent in seconds.items()}


def _batch(name: str, physics: Any, instances: int) -> Callable[[], int]:
    """Drive at random, full ahead, off and back, as the learner of the paper does at first."""
    task, rng = find_task(name), np.random.default_rng(1)
    batch = Batch(task, compile_task(task).drawn(rng, instances), physics=physics)
    levels = [rng.choice((-1.0, 0.0, 1.0), size=batch.high.shape) for _ in range(TICKS)]
    powers = [np.where(level < 0, batch.low, level * batch.high) for level in levels]

    def run() -> int:
        batch.start()
        for power in powers:
            batch.tick(power)
        return int(batch.tally[:, 4].sum())

    return run


def _plain(subject: Any) -> int:
    taken = take(task_environments, subject, seed=1, parameters={"episodes": 20}, trace="summary")
    return 250 * len(taken.record.answers)


def original_at(path: str) -> Callable[[], int]:
    """Return what drives the race of the authors' program, from a checkout of it, and gives the number of steps."""
    if not (Path(path) / "samples.py").is_file():
        sys.exit(f"There is no samples.py in {path}: --original names a checkout of the authors' program.")
    sys.path.insert(0, path)
    import samples  # type: ignore[import-not-found]

    samples.taskmodel.DEBUG = False

    def run() -> int:
        task, _ = samples.sample_system_1D_plotter(max_power=200)
        motor, random_ = task.motors()[0], random.Random(1)
        for _ in range(TICKS):
            motor.activate(random_.choice((-200, 0, 200)))
            task.tick(0.25)
        return TICKS * 250

    return run


def _memory_of(episodes: int) -> float:
    from mensura.catalog.task_environments.playing import play_batch

    play_batch(
        np.random.default_rng(1), FullThrottle(), **task_environments.fill({"episodes": episodes, "physics": "paper"})
    )
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
