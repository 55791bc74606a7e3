"""`python -m mensura.catalog.arcade.learners`: train and evaluate where only NumPy, PyTorch and the emulator are.

It does what `mensura arcade train` does, for machines on which nothing can be installed: set PYTHONPATH to the sources
and to the folder of an unpacked ale-py wheel.
"""

import argparse
import json
import sys
import time
from pathlib import Path

from mensura.errors import MensuraError


def main() -> int:
    """Run what the command line says; return the exit status."""
    begun = time.monotonic()
    given = _parser().parse_args()
    from mensura.catalog.arcade.learners.calling import TrainingCall, train

    changes = {
        name: getattr(given, name)
        for name in ("batch", "acts_per_update", "warm_up_acts", "memory_acts", "rate", "double", "prioritised")
        if getattr(given, name) is not None
    }
    call = TrainingCall(
        game=given.game,
        setting=given.setting,
        method=given.method,
        frames=int(given.frames),
        out=given.out,
        seed=given.seed,
        starts=given.starts,
        memory=given.memory,
        games=given.games,
        processes=given.processes,
        device=given.device,
        resume=given.resume,
        seconds=given.seconds,
        until_return=given.until_return,
        changes=changes,
    )
    try:
        result = train(call, tell=lambda point: print(json.dumps(point), flush=True))
        given.out.with_suffix(".json").write_text(json.dumps(result) + "\n", encoding="utf-8")
        if given.episodes:
            result |= _evaluate(given)
        result["wall"] = round(time.monotonic() - begun, 1)
        given.out.with_suffix(".json").write_text(json.dumps(result) + "\n", encoding="utf-8")
        print(json.dumps({name: what for name, what in result.items() if name not in ("curve", "returns")}), flush=True)
    except MensuraError as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    return 0


def _evaluate(given: argparse.Namespace) -> dict[str, object]:
    from mensura.catalog.arcade.learners.calling import RULES
    from mensura.catalog.arcade.learners.evaluating import NetworkTrial, evaluate, interval
    from mensura.catalog.arcade.starts.file import read_starts

    starts: tuple[bytes, ...] = ()
    if given.test_starts:
        found = read_starts(given.test_starts, game=given.game)
        starts = tuple(start.state for start in found.starts if start.split == "test")
    trial = NetworkTrial(str(given.out), given.game, RULES[given.setting], starts, given.epsilon, given.seed)
    begun = time.monotonic()
    returns = evaluate(trial, episodes=given.episodes, processes=max(given.processes, 1))
    return {
        "evaluation": interval(returns) | {"epsilon": given.epsilon, "seconds": round(time.monotonic() - begun, 1)},
        "returns": returns,
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m mensura.catalog.arcade.learners", description=__doc__)
    add = parser.add_argument
    add("--game", required=True)
    add("--setting", default="paper")
    add("--method", default="dqn")
    add("--frames", type=float, required=True, help="frames of the game in all, as 10e6")
    add("--out", type=Path, required=True, help="the save")
    add("--seed", type=int, default=1)
    add("--starts", type=Path, help="a set of starts; its training split is used")
    add("--memory", type=Path, help="a file of experience, for her and er-search")
    add("--games", type=int, default=1, help="games played side by side")
    add("--processes", type=int, default=0)
    add("--device", default="auto")
    add("--resume", action="store_true")
    add("--seconds", type=float, default=float("inf"), help="stop training after so long, save and evaluate")
    add("--until-return", type=float, default=float("inf"), help="stop when the last 100 episodes have this mean")
    add(
        "--episodes", type=int, default=0, help="evaluate this many episodes, from each start of --test-starts if given"
    )
    add("--test-starts", type=Path)
    add("--epsilon", type=float, default=0.05)
    for name in ("batch", "acts-per-update", "warm-up-acts", "memory-acts"):
        add(f"--{name}", type=int)
    add("--rate", type=float)
    for name in ("double", "prioritised"):
        add(f"--{name}", action="store_true", default=None)
    return parser


if __name__ == "__main__":
    sys.exit(main())
