"""Agent-steps per second of Λ* on this machine, and memory as episodes grow: `python -m benchmarks lambda_star`.

All forms are measured in turn, several rounds over, so that whatever else the machine does falls on all alike. Figures
are medians over rounds, per second of this process's own processor time on one thread (a busy machine does not slow
that), and per second of the wall for two threads.
"""

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import numpy as np
from click.testing import CliRunner

from mensura.catalog.lambda_star.agents import BUILT_IN
from mensura.catalog.lambda_star.batch.administration import BatchPlan, play, play_chunks
from mensura.catalog.lambda_star.batch.environments import make_environments
from mensura.catalog.lambda_star.dialogue import lambda_star
from mensura.catalog.lambda_star.environment.pattern import Reach
from mensura.catalog.lambda_star.environment.torus import Torus
from mensura.catalog.lambda_star.settings import LEARNING
from mensura.catalog.lambda_star.team import LEARNERS, Member
from mensura.cli.main import cli
from mensura.running.take import take

TORUS = Torus(10, 10)
ROUNDS = 5
AGENTS = 10
WANTED = {"local-search": 20e6, "q-learning": 8e6, "plain dialogue, local-search": 100e3}


def main() -> None:
    """Measure and print four tables."""
    _rates()
    _command()
    _threads()
    _memory()


def _rates() -> None:
    episodes = {name: 20 if name in LEARNERS else 2000 for name in BUILT_IN}
    cases: dict[str, tuple[Callable[[], None], int]] = {}
    for name in BUILT_IN:
        sessions = LEARNING.sessions + 1 if name in LEARNERS else 1
        cases[name] = (_batch(name, episodes[name]), episodes[name] * AGENTS * 50 * sessions)
    for name in ("random", "local-search", "oracle"):
        cases[f"plain dialogue, {name}"] = (_plain(name), 100 * 50)
    cases["making environments"] = (lambda: _environments(500), 500)
    seconds: dict[str, list[float]] = {name: [] for name in cases}
    for round_ in range(ROUNDS + 1):
        for name, (run, _) in cases.items():
            begun = time.process_time()
            run()
            if round_:
                seconds[name].append(time.process_time() - begun)
    print(f"{'form, 10 x 10, one thread':34}{'per second':>14}{'spread':>9}{'wanted':>12}")
    for name, (_, count) in cases.items():
        middle = statistics.median(seconds[name])
        spread = (max(seconds[name]) - min(seconds[name])) / middle
        wanted = f"{WANTED[name]:,.0f}" if name in WANTED else ""
        unit = " environments" if name == "making environments" else ""
        print(f"{name:34}{count / middle:14,.0f}{spread:9.0%}{wanted:>12}{unit}")


def _batch(name: str, episodes: int) -> Callable[[], None]:
    plan = BatchPlan(TORUS, episodes, 50, Reach(2, 23), key=1)
    made = make_environments(TORUS, episodes=episodes, first=0, iterations=50, agents=AGENTS, reach=Reach(2, 23), key=1)
    return lambda: _discard(play(Member(name, AGENTS), plan, made, starts=made.starts, group=2))


def _plain(name: str) -> Callable[[], None]:
    return lambda: _discard(take(lambda_star, BUILT_IN[name](), seed=1, parameters={"episodes": 100}, trace="none"))


def _discard(result: object) -> None:
    """Take a result and let it go."""


def _environments(count: int) -> None:
    make_environments(TORUS, episodes=count, first=0, iterations=50, agents=1, reach=Reach(2, 23), key=1)


def _command() -> None:
    """Time what a user types, in processor time: 2000 episodes with ten agents, store and scores included."""
    print(f"\n{'mensura run, 2000 episodes of ten agents':44}{'seconds':>8}{'wanted':>9}")
    for name, wanted in (("wisdom-of-crowd", 5), ("q-learning", 20)):
        words = ["run", "lambda-star", "--as", name, "--size", "10", "--seed", "1", "--json"]
        with tempfile.TemporaryDirectory() as folder:
            words += ["--store", f"{folder}/lab.db"]
            # Once with little to do first: what is compiled on first use is not what is measured.
            for agents, episodes in ((2, 2), (AGENTS, 2000)):
                begun = time.process_time()
                done = CliRunner().invoke(cli, [*words, "--agents", str(agents), "--episodes", str(episodes)])
                assert done.exit_code == 0, done.output
        print(f"{name:44}{time.process_time() - begun:8.1f}{wanted:>9}")


def _threads() -> None:
    """Compare one thread with two by the wall clock, in turn."""
    print(f"\n{'whole administrations, wall clock':34}{'1 thread':>12}{'2 threads':>12}{'ratio':>8}")
    for name, episodes in (("local-search", 20_000), ("q-learning", 500)):
        plan = BatchPlan(TORUS, episodes, 50, Reach(2, 23), key=1)
        walls: dict[int, list[float]] = {1: [], 2: []}
        for _ in range(3):
            for threads in (1, 2):
                begun = time.perf_counter()
                for _ in play_chunks(plan, [Member(name, AGENTS)], threads=threads):
                    pass
                walls[threads].append(time.perf_counter() - begun)
        one, two = min(walls[1]), min(walls[2])
        print(f"{name + f', {episodes} episodes':34}{one:11.2f}s{two:11.2f}s{one / two:8.2f}")


def _memory() -> None:
    """Show the greatest memory of a fresh process as episodes grow."""
    print(f"\n{'local search, episodes':34}{'greatest memory':>16}")
    for episodes in (1_000, 30_000, 300_000):
        words = [sys.executable, "-m", "benchmarks.lambda_star.__main__", "--memory", str(episodes)]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        print(f"{episodes:<34,}{int(done.stdout) / 1024:13.0f} MB")


def _use_memory(episodes: int) -> None:
    plan = BatchPlan(TORUS, episodes, 50, Reach(2, 23), key=1)
    scores = [chunk.score for chunk in play_chunks(plan, [Member("local-search", 1)])]
    assert len(np.concatenate(scores)) == episodes
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--memory"]:
        _use_memory(int(sys.argv[2]))
    else:
        main()
