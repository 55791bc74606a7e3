"""How much memory a run of items by a model takes at most, from the bank to the summary, for more and more items.

The model answers at once, so that 100 000 items take minutes; what is stored of each is the same as of any other model.
"""

import os
import subprocess
import tempfile
import time
from pathlib import Path

from benchmarks.models._server import run_command, serving, write_items

SIZES = (1_000, 10_000, 100_000)
AT_ONCE = 64


def main() -> None:
    """Print the largest resident memory of each run, and what each further item takes."""
    print(f"runs of items, {AT_ONCE} at once, server of 0 ms; load {os.getloadavg()[0]:.1f}")
    print(f"  {'items':>8} {'peak MB':>8} {'kB a further item':>18} {'wall s':>8} {'processor s':>12}")
    before: tuple[int, float] | None = None
    with serving(0.0) as url:
        for items in SIZES:
            began = time.perf_counter()
            peak, spent = _measure(items, url)
            further = "" if before is None else f"{1000 * (peak - before[1]) / (items - before[0]):.2f}"
            wall = time.perf_counter() - began
            print(f"  {items:8} {peak:8.0f} {further:>18} {wall:8.1f} {spent:12.1f}", flush=True)
            before = items, peak


def _measure(items: int, url: str) -> tuple[float, float]:
    """Return the peak in MB and the processor time of one run."""
    with tempfile.TemporaryDirectory() as folder:
        bank = Path(folder) / "items.jsonl"
        write_items(bank, items)
        with (Path(folder) / "said.txt").open("w+") as said:
            command = run_command(bank, url, at_once=AT_ONCE)
            child = subprocess.Popen(command, cwd=folder, stdout=said, stderr=subprocess.STDOUT)
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            if child.returncode:
                said.seek(0)
                raise SystemExit(f"The run of {items} items ended with {child.returncode}: {said.read()[-2000:]}")
    return used.ru_maxrss * 1024 / 1e6, used.ru_utime + used.ru_stime
