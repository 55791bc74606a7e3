"""Items by a model that takes 50 ms to answer: ours beside Inspect AI, in one run on one machine.

Inspect runs where `make inspect` has installed it (`.venv-inspect`); without it only ours is measured. Both ask 1 000
items with 64 connections and keep logs; processor time is that of the whole command, imports included. Each is started
once before, so that Python has compiled its modules, and then both in turn; the best of each counts.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.models._server import run_command, serving, write_items

ITEMS = 1000
AT_ONCE = 64
SECONDS = 0.05
ROUNDS = 3
COMPILING = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""Commands are started as people start them: modules are compiled once, not every time."""
TASK = """
from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset, Sample
from inspect_ai.scorer import includes
from inspect_ai.solver import generate

@task
def items():
    return Task(json_dataset("inspect.jsonl"), solver=generate(), scorer=includes())
"""


def main() -> None:
    """Print wall and processor seconds of both, and their ratios."""
    with tempfile.TemporaryDirectory() as folder, serving(SECONDS) as url:
        place = Path(folder)
        _write(place)
        print(f"{ITEMS} items, {AT_ONCE} at once, server of {1000 * SECONDS:g} ms; load {os.getloadavg()[0]:.1f}")
        commands = {"mensura": run_command(place / "items.jsonl", url, at_once=AT_ONCE)}
        peer = Path(".venv-inspect/bin/inspect").absolute()
        if peer.exists():
            commands["inspect-ai"] = _theirs(str(peer), url)
        else:
            print("Inspect AI is not installed: `make inspect` installs it.")
        for command in commands.values():
            _measure([*command, "--limit", "1"], place)
        rounds = [{name: _measured(name, command, place) for name, command in commands.items()} for _ in range(ROUNDS)]
        best = {name: [min(one[name][part] for one in rounds) for part in (0, 1)] for name in commands}
        for name, (wall, spent) in best.items():
            print(f"{name:12} best of {ROUNDS}: wall {wall:6.2f} s   processor {spent:6.2f} s")
        if len(best) == 2:
            ours, theirs = best.values()
            print(f"ours / theirs: wall {ours[0] / theirs[0]:.2f}, processor time {ours[1] / theirs[1]:.2f}")


def _theirs(inspect: str, url: str) -> list[str]:
    words = ["eval", "task.py", "--model", "openai-api/local/m", "--max-connections", str(AT_ONCE), "--display", "none"]
    return ["env", "LOCAL_API_KEY=none", f"LOCAL_BASE_URL={url}", inspect, *words]


def _measured(name: str, command: list[str], folder: Path) -> tuple[float, float]:
    wall, spent = _measure(command, folder)
    print(f"{name:12} wall {wall:6.2f} s   processor {spent:6.2f} s", flush=True)
    return wall, spent


def _measure(command: list[str], folder: Path) -> tuple[float, float]:
    began, before = time.perf_counter(), os.times()
    done = subprocess.run(command, cwd=folder, env=COMPILING, capture_output=True, text=True, timeout=600)
    wall, after = time.perf_counter() - began, os.times()
    if done.returncode:
        sys.exit(f"{command[0]} ended with {done.returncode}: {done.stderr[-2000:] or done.stdout[-2000:]}")
    return wall, after.children_user + after.children_system - before.children_user - before.children_system


def _write(folder: Path) -> None:
    (folder / "task.py").write_text(TASK)
    write_items(folder / "items.jsonl", ITEMS)
    with (folder / "items.jsonl").open() as ours, (folder / "inspect.jsonl").open("w") as theirs:
        for line in map(json.loads, ours):
            print(json.dumps({"input": line["prompt"], "target": line["answer"]}), file=theirs)
