"""How much memory a run of items by a model takes at most, from the bank to the summary, for more and more items.

The model answers at once, so that 100 000 items take minutes; what is stored of each is the same as of any other model.
Each run is taken twice: once in one go, and once killed when half of its items are stored, and resumed.
"""

import os
import signal
import sqlite3
import subprocess
import tempfile
import time
from pathlib import Path

from benchmarks.models._server import run_command, serving, write_items

SIZES = (1_000, 10_000, 100_000)
AT_ONCE = 64
MOST_GROWTH = 0.1
"""By how much the largest run may pass the one before it, which has a tenth of its items."""


def main() -> bool:
    """Print the largest resident memory of each run and of its resume; say whether it is flat."""
    print(f"runs of items, {AT_ONCE} at once, server of 0 ms; load {os.getloadavg()[0]:.1f}")
    print(f"  {'items':>8} {'run MB':>8} {'kB a further item':>18} {'wall s':>8} {'processor s':>12} {'resume MB':>10}")
    peaks: list[tuple[int, float, float]] = []
    with serving(0.0) as url:
        for items in SIZES:
            began = time.perf_counter()
            peak, spent = _measure(items, url)
            wall = time.perf_counter() - began
            further = f"{1000 * (peak - peaks[-1][1]) / (items - peaks[-1][0]):.2f}" if peaks else ""
            # At once, since the largest run takes long and its resume as long again.
            print(f"  {items:8} {peak:8.0f} {further:>18} {wall:8.1f} {spent:12.1f}", end="", flush=True)
            resumed = _measure_resumed(items, url)
            print(f" {resumed:10.0f}", flush=True)
            peaks.append((items, peak, resumed))
    growth = max(peaks[-1][way] / peaks[-2][way] - 1 for way in (1, 2))
    flat = growth < MOST_GROWTH
    said = f"{SIZES[-1]} items take {growth:.0%} more than {SIZES[-2]}, at most {MOST_GROWTH:.0%}"
    print(f"\n{said}: {'yes' if flat else 'NO'}.")
    return flat


def _measure(items: int, url: str) -> tuple[float, float]:
    """Return the peak in MB and the processor time of one run."""
    with tempfile.TemporaryDirectory() as folder:
        bank = Path(folder) / "items.jsonl"
        write_items(bank, items)
        return _watch(run_command(bank, url, at_once=AT_ONCE), Path(folder))


def _measure_resumed(items: int, url: str) -> float:
    """Return the peak in MB of a run that is resumed after a kill."""
    with tempfile.TemporaryDirectory() as folder:
        bank = Path(folder) / "items.jsonl"
        write_items(bank, items)
        command = run_command(bank, url, at_once=AT_ONCE)
        with (Path(folder) / "said.txt").open("w+") as said:
            child = subprocess.Popen(command, cwd=folder, stdout=said, stderr=subprocess.STDOUT)
            while child.poll() is None and _stored(Path(folder) / "speed.db") < items // 2:
                time.sleep(0.2)
            if child.poll() is not None:
                said.seek(0)
                raise SystemExit(f"The run of {items} items ended before it could be killed: {said.read()[-2000:]}")
        child.send_signal(signal.SIGKILL)
        child.wait()
        again = [*command[:3], "resume", "last", "--concurrency", str(AT_ONCE), "--store", "speed.db", "--json"]
        return _watch(again, Path(folder))[0]


def _stored(store: Path) -> int:
    """Return how many results a store has; none while it is made."""
    try:
        with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as connection:
            return int(connection.execute("SELECT count(*) FROM results").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def _watch(command: list[str], folder: Path) -> tuple[float, float]:
    """Return the peak in MB and the processor time of a command."""
    with (folder / "said.txt").open("w+") as said:
        child = subprocess.Popen(command, cwd=folder, stdout=said, stderr=subprocess.STDOUT)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            said.seek(0)
            raise SystemExit(f"{' '.join(command[3:5])} ended with {child.returncode}: {said.read()[-2000:]}")
    return used.ru_maxrss * 1024 / 1e6, used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
