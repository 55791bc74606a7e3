"""Generating worlds and scoring hypotheses on this machine: `python -m benchmarks detection`.

Every line is measured in a process of its own, so that memory is its own; compiled loops are warmed up first. Peers
(deepdiff, smatch) are measured in the same run where they are installed.
"""

import subprocess
import sys
from importlib.util import find_spec

LINES = (
    ("generate 100 000 persons", "generate", 100_000, "60 s, 4 GB"),
    ("generate 1 000 000 persons", "generate", 1_000_000, "10 times that"),
    ("score 1 000 x 1 000, dense", "dense", 1_000, "1 s"),
    ("score 10 000 x 10 000, dense", "dense", 10_000, "30 s"),
    ("score 100 000 x 100 000, sparse", "sparse", 100_000, "30 s, 8 GB"),
)
KINDS = (20, 50, 200, 1000)
WRONG = (0.1, 0.4, 0.5, 0.8)


def main() -> None:
    """Measure and print three tables."""
    print(f"{'what':34}{'wall s':>9}{'CPU s':>9}{'MB':>8}  {'wanted within':16}result")
    generated = []
    for words, what, size, wanted in LINES:
        wall, cpu, memory, found = _apart(what, size)
        print(f"{words:34}{float(wall):9.2f}{float(cpu):9.2f}{float(memory):8.0f}  {wanted:16}{found}", flush=True)
        if what == "generate":
            generated.append(float(cpu))
    print(f"Ten times the persons took {generated[1] / generated[0]:.1f} times the processor.", flush=True)
    _grid()
    _peers()


def _grid() -> None:
    print(
        f"\n{'one common attribute, processor s':34}{'50 000':>9}{'100 000':>9}{'ratio':>7}  wanted: 60 s, ratio to 6"
    )
    for kinds in KINDS:
        for wrong in WRONG:
            half, whole = (float(_apart("common", size, kinds, wrong)[1]) for size in (50_000, 100_000))
            words = f"{kinds} values, {wrong:.0%} wrong"
            print(f"{words:34}{half:9.1f}{whole:9.1f}{whole / half:7.1f}", flush=True)


def _peers() -> None:
    wall, cpu, *_ = _apart("small", 40)
    print(f"\n{'a list of 40 cases against 40':34}{'wall s':>9}{'CPU s':>9}{'CPU ratio':>11}")
    print(f"{'mensura, optimal':34}{float(wall):9.4f}{float(cpu):9.4f}")
    for peer in ("deepdiff", "smatch"):
        if find_spec(peer) is None:
            print(f"{peer:34} not installed: pip install {peer}")
            continue
        theirs, spent, _, found = _apart(peer, 40)
        print(f"{peer:34}{float(theirs):9.4f}{float(spent):9.4f}{float(spent) / float(cpu):11.0f}  {found}", flush=True)


def _apart(what: str, *numbers: float) -> list[str]:
    command = [sys.executable, "-m", "benchmarks.detection.measure", what, *map(str, numbers)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout.strip().split("\t")


if __name__ == "__main__":
    main()
