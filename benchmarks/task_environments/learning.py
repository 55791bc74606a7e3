"""How long learning takes: SARSA over 1000 episodes within 3 s, a transfer study within a minute on two cores.

The study has 40 courses in each of 4 arms of 200 episodes, with probes of both tasks behind them, frozen and while
learning; only scores are stored (`mensura study run --trace none`). Beside the wall clock, which other work on the
machine stretches, stands processor time of all processes: 120 s of it are a minute of two cores.
"""

import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mensura.catalog.task_environments.agents.learner import MotorSarsa
from mensura.catalog.task_environments.dialogue import task_environments
from mensura.running.course import Phase, run_courses
from mensura.running.executors import Processes
from mensura.running.run import RunOptions
from mensura.running.study import Cast, Stopping, Study, conduct, exhibits_of
from mensura.running.take import take
from mensura.store import open_store

EPISODES, ROUNDS = 1000, 3
TASKS = {"X": "car-race", "Y": "car-race,bodies.car.mass=8"}
COURSES, BUDGET, TOGETHER, PROBED = 40, 200, 10, 5
"""Courses of an arm, episodes of a course, of a session, and of a probe."""


def main(*words: str) -> None:
    """Print the times of SARSA and of the study, and the memory that a course takes."""
    if words[:1] == ("memory",):
        print(_memory(int(words[1])))
        return
    print(f"{'SARSA, 1000 episodes of the car race':46}{'s of processor time':>20}{'wanted':>10}")
    for trace in ("summary", "full"):
        spent = min(_sarsa(trace) for _ in range(ROUNDS))
        print(f"{f'one session in memory, trace {trace}':46}{spent:20.2f}{3.0:10.1f}")
    print(f"{'the whole command, everything stored':46}{_command():20.2f}")
    wall, processor, shown = _study()
    print(f"\n{'40 courses x 4 arms x 200 episodes, two cores':46}{'wall s':>10}{'processor s':>13}{'wanted':>16}")
    print(f"{'the study, its courses':46}{wall:10.1f}{processor:13.1f}{'60 s or 120 s':>16}")
    print(f"{'its report':46}{shown:10.1f}")
    print(f"\n{'SARSA, one course, scores only':46}{'greatest memory':>20}")
    for episodes in (1000, 20_000):
        said = _run(sys.executable, "-m", "benchmarks", "task_environments", "learning", "memory", str(episodes))
        print(f"{f'{episodes:,} episodes':46}{float(said.split()[-1]):17.0f} MB")


def _sarsa(trace: Any) -> float:
    begun = time.process_time()
    take(task_environments, MotorSarsa(), seed=1, parameters={"episodes": EPISODES}, trace=trace)
    return time.process_time() - begun


def _command() -> float:
    """Return the processor time of `mensura run`, from its start to its last word."""
    before = _processor()
    with TemporaryDirectory() as folder:
        store = str(Path(folder) / "speed.db")
        arguments = ("--as", "sarsa", "--courses", "1", "--episodes", str(EPISODES), "--seed", "1", "--store", store)
        _run(str(Path(sys.executable).with_name("mensura")), "run", "task-environments", *arguments)
    return _processor() - before


def _study() -> tuple[float, float, float]:
    begun, before = time.perf_counter(), _processor()
    with TemporaryDirectory() as folder, open_store(str(Path(folder) / "speed.db")) as store:
        planned = study()
        conduct(planned, store=store, options=RunOptions(Processes(2), "none"))
        wall, processor = time.perf_counter() - begun, _processor() - before
        begun = time.process_time()
        exhibits_of(planned, store=store)
        return wall, processor, time.process_time() - begun


def study(courses: int = COURSES, budget: int = BUDGET) -> Study:
    """Return a transfer study in which every arm has the same budget of episodes."""

    def trained(task: str, episodes: int) -> dict[str, Any]:
        sessions = max(episodes // TOGETHER, 2)
        return {"name": f"{task} training", "task": task, "sessions": sessions, "parameters": _parameters(task)}

    turns = {"interleave": [trained("X", budget // 2), trained("Y", budget // 2)], "blocks": 2}
    arms: dict[str, list[dict[str, Any]]] = {
        "X then Y": [trained("X", budget // 2), trained("Y", budget // 2)],
        "Y alone": [trained("Y", budget)],
        "X and Y in turns": [turns],
        "X only": [trained("X", budget)],
    }
    probes = [{"probe": task, "at": "last", "parameters": {**_parameters(task), "episodes": PROBED}} for task in TASKS]
    return Study(
        name="speed",
        tests=("task-environments",),
        casts=(Cast("sarsa", {"": "sarsa"}),),
        arms={name: (*phases, *probes) for name, phases in arms.items()},
        adaptivity={"score": "time"},
        stopping=Stopping(most=courses),
        seed=1,
    )


def _parameters(task: str) -> dict[str, Any]:
    return {"task": TASKS[task], "episodes": TOGETHER}


def _memory(episodes: int) -> float:
    """Return the greatest memory of a process in which one course of so many episodes is taken, in MB."""
    phase = Phase("training", "task-environments", episodes // TOGETHER, parameters=_parameters("X"))
    with TemporaryDirectory() as folder, open_store(str(Path(folder) / "speed.db")) as store:
        run_courses([phase], "sarsa", store=store, seed=1, options=RunOptions(trace="none"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _run(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True, env=dict(os.environ)).stdout


def _processor() -> float:
    """Return the processor time of this process and of those it started that are over."""
    return sum(
        used.ru_utime + used.ru_stime
        for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )
