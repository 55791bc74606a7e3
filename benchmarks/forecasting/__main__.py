"""Rates of proper scores beside the peers, in one run; and `mensura score forecasting` on a million rows."""

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from os import cpu_count, getloadavg
from pathlib import Path
from typing import Any

import numpy as np

from mensura.scores import brier_loss, crps_ensemble, crps_normal, log_loss

FORECASTS = 10_000_000
ROWS = 1_000_000


Rates = dict[str, tuple[float, float]]


def best_rates(functions: dict[str, Callable[[], Any]], *, count: int, times: int = 5) -> Rates:
    """Give the best rate of each function, in millions a second by the clock and by processor time.

    They take turns, so that all meet the same noise; processor time is what other work on the machine cannot move.
    """
    best = {name: (float("inf"), float("inf")) for name in functions}
    for _ in range(times):
        for name, function in functions.items():
            start, used = time.perf_counter(), time.process_time()
            function()
            taken = time.perf_counter() - start, time.process_time() - used
            best[name] = min(best[name][0], taken[0]), min(best[name][1], taken[1])
    return {name: (count / clock / 1e6, count / processor / 1e6) for name, (clock, processor) in best.items()}


def show(what: str, rates: Rates, *, wanted: float) -> bool:
    """Print the rates, the ratio of ours to the best peer by the clock and by processor time, and what was wanted."""
    ratios = []
    for kind in (0, 1):
        peer = max(rate[kind] for name, rate in rates.items() if name != "mensura")
        ratios.append(rates["mensura"][kind] / peer)
    figures = ", ".join(f"{name} {rate[0]:.1f}" for name, rate in rates.items())
    good = ratios[0] >= wanted
    print(
        f"{what:34s} {figures} M/s; ratio {ratios[0]:.2f}, of processor time {ratios[1]:.2f} "
        f"(wanted {wanted:g}) {'ok' if good else 'MISSED'}"
    )
    return good


def binary_scores(rng: np.random.Generator) -> list[bool]:
    """Measure logarithmic and quadratic scores of binary forecasts against scoringrules."""
    import scoringrules

    p = rng.random(FORECASTS)
    y = (rng.random(FORECASTS) < p).astype(float)
    log = {
        "mensura": lambda: log_loss(forecast=p, outcome=y),
        "scoringrules": lambda: scoringrules.log_score(y, p),
    }
    brier = {
        "mensura": lambda: brier_loss(forecast=p, outcome=y),
        "scoringrules": lambda: scoringrules.brier_score(y, p),
    }
    return [
        show("logarithmic, 10^7 binary", best_rates(log, count=FORECASTS), wanted=2),
        show("quadratic, 10^7 binary", best_rates(brier, count=FORECASTS), wanted=2),
    ]


def crps(rng: np.random.Generator) -> list[bool]:
    """Measure the CRPS of normals and ensembles against scoringrules and properscoring."""
    import properscoring
    import scoringrules

    count = 1_000_000
    mean, truth = rng.normal(size=(2, count))
    spread = rng.uniform(0.5, 2, count)
    normal = {
        "mensura": lambda: crps_normal(mean=mean, deviation=spread, outcome=truth),
        "scoringrules": lambda: scoringrules.crps_normal(truth, mean, spread),
        "properscoring": lambda: properscoring.crps_gaussian(truth, mean, spread),
    }
    results = [show("CRPS, 10^6 normals", best_rates(normal, count=count), wanted=1)]
    for size in (10, 50):
        members = rng.normal(size=(count, size))
        ensembles = {
            "mensura": lambda members=members: crps_ensemble(members=members, outcome=truth),
            "scoringrules": lambda members=members: scoringrules.crps_ensemble(truth, members),
            "properscoring": lambda members=members: properscoring.crps_ensemble(truth, members),
        }
        results.append(show(f"CRPS, 10^6 ensembles of {size}", best_rates(ensembles, count=count, times=3), wanted=1))
    return results


def write_files(folder: Path, rng: np.random.Generator, *, forecasters: int) -> list[str]:
    """Write a million rows of the long form for so many forecasters, simulated, and give the command's options."""
    import duckdb

    questions = ROWS // 2 // forecasters
    true = rng.random(questions)
    happened = rng.random(questions) < true
    stated = np.clip(true + rng.normal(0, 0.15, (forecasters, questions)), 0.001, 0.999).ravel()
    who = np.repeat(np.arange(forecasters), questions)
    what = np.tile(np.arange(questions), forecasters)
    rows = {"who": who, "what": what, "p": stated}
    outcomes = {"what": np.arange(questions), "happened": happened}
    connection = duckdb.connect()
    connection.execute("SET preserve_insertion_order = true")
    for name, columns in (("said", rows), ("came", outcomes)):
        connection.register(name, columns)
    connection.execute(
        f"""COPY (SELECT 'f' || who AS forecaster, 'q' || what AS question, option,
        CASE option WHEN 'yes' THEN p ELSE 1 - p END AS probability
        FROM said, (VALUES ('yes'), ('no')) o(option)) TO '{folder / "f.csv"}' (HEADER)"""
    )
    connection.execute(
        f"""COPY (SELECT 'q' || what AS question, CASE WHEN happened THEN 'yes' ELSE 'no' END AS outcome FROM came)
        TO '{folder / "o.csv"}' (HEADER)"""
    )
    return ["--forecasts", str(folder / "f.csv"), "--outcomes", str(folder / "o.csv")]


def whole_command(rng: np.random.Generator) -> list[bool]:
    """Time `mensura score forecasting` on a million rows with calibration."""
    results = []
    for forecasters in (1, 100, 1000):
        with tempfile.TemporaryDirectory() as place:
            options = write_files(Path(place), rng, forecasters=forecasters)
            # The second of two runs, as compiled loops are kept on disk by the first.
            for _ in range(2):
                before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
                command = [sys.executable, "-m", "mensura.cli.main", "score", "forecasting", *options, "--json"]
                done = subprocess.run(command, capture_output=True, text=True, check=True)
                seconds = time.perf_counter() - start
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
            gigabytes = after.ru_maxrss / 1e6
            processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            scored = json.loads(done.stdout)
            good = seconds < 10 and gigabytes < 2 and len(scored["forecasters"]) == forecasters
            print(
                f"mensura score forecasting, {ROWS:,} rows, {forecasters} forecasters: {seconds:.1f} s "
                f"({processor:.1f} s of processor time, load {getloadavg()[0]:.1f} on {cpu_count()} cores), "
                f"{gigabytes:.2f} GB (wanted 10 s, 2 GB) {'ok' if good else 'MISSED'}"
            )
            results.append(good)
    return results


PEER = """import duckdb, numpy, scoringrules, sys
query = "SELECT probability p, outcome::DOUBLE y FROM read_parquet(?)"
found = duckdb.connect().execute(query, sys.argv[1:]).fetchnumpy()
p, y = (numpy.asarray(found[name]) for name in "py")
print(scoringrules.log_score(y, p).mean(), scoringrules.brier_score(y, p).mean())"""


def ten_million() -> list[bool]:
    """Time ten million rows of Parquet: scores alone beside DuckDB with scoringrules, and all with calibration."""
    import duckdb

    with tempfile.TemporaryDirectory() as place:
        path = str(Path(place) / "b.parquet")
        duckdb.connect().execute(
            f"""COPY (SELECT p AS probability, (random() < p)::INT AS outcome
            FROM (SELECT random() AS p FROM range({FORECASTS}))) TO '{path}'"""
        )
        ours = [sys.executable, "-m", "mensura.cli.main", "score", "forecasting", "--forecasts", path, "--json"]
        commands = {"peer": [sys.executable, "-c", PEER, path], "scores": [*ours, "--scores-only"], "all": ours}
        seconds, processor = dict.fromkeys(commands, float("inf")), dict.fromkeys(commands, float("inf"))
        # They take turns, so that all meet the same noise; the first turn compiles.
        for _ in range(3):
            for name, command in commands.items():
                before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
                subprocess.run(command, capture_output=True, check=True)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                seconds[name] = min(seconds[name], time.perf_counter() - start)
                used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                processor[name] = min(processor[name], used)
    gigabytes = after.ru_maxrss / 1e6
    ratio, of_processor = (part["scores"] / part["peer"] for part in (seconds, processor))
    print(
        f"scores alone of 10^7 rows: {seconds['scores']:.1f} s, DuckDB with scoringrules {seconds['peer']:.1f} s; "
        f"ratio {ratio:.2f}, of processor time {of_processor:.2f} (wanted 1.5)\n"
        f"with calibration: {seconds['all']:.1f} s, {processor['all']:.1f} s of processor time, {gigabytes:.2f} GB "
        f"(wanted 20 s, 2 GB; load {getloadavg()[0]:.1f} on {cpu_count()} cores)"
    )
    return [ratio <= 1.5, seconds["all"] < 20 and gigabytes < 2]


def main() -> None:
    """Run everything and say what was missed."""
    rng = np.random.default_rng(0)
    # The command comes first: its memory is told by the system together with what this process held when it began it.
    results = ten_million() + whole_command(rng) + binary_scores(rng) + crps(rng)
    print(f"{sum(results)} of {len(results)} targets met")


if __name__ == "__main__":
    main()
