"""Exhibits of constraint runs: how they ended, what that cost, and how soon."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from mensura.catalog.constraints.mail.ends import RunEnds
from mensura.catalog.constraints.scoring import RIGHT, UNKNOWN, VERDICTS
from mensura.catalog.constraints.sweeps import sweeps
from mensura.dialogue.record import EACH, INSTANCES
from mensura.exhibit import COLOURS, Exhibit, Figure, Group
from mensura.exhibit.exhibit import Cell
from mensura.stats import unit_estimate
from mensura.stats.adaptivity.threshold import TimeToLevel, time_to_level
from mensura.stats.estimate import without_interval
from mensura.stats.scale import Scale

CENSORED = (
    "A run that did not come to the right end is censored at its limit, not left out: the restricted mean counts it as "
    "the limit, the median as later than all others."
)


def exhibits(groups: Sequence[Group]) -> list[Exhibit]:
    """Return how the runs of every group ended and what they cost, and the share that had come to the right end."""
    runs = {group.name: runs_of(group) for group in groups}
    shown = [group for group in groups if runs[group.name]]
    if not shown:
        return []
    along = sweeps(shown, runs, cycles_to_end)
    # Curves of all cells of a sweep would hide one another.
    known = {name: _judged(held) for name, held in runs.items()}
    curves = [] if along or not any(known.values()) else [_curves([one for one in shown if known[one.name]], known)]
    return [*along, _costs(shown, runs), *_explored(shown), _verdicts(shown, runs), *curves, *_refusals(shown, runs)]


def runs_of(group: Group) -> list[Mapping[str, Any]]:
    """Return the instances of all sessions of a group."""
    return [one for scores in group.scores for one in scores.details.get(INSTANCES, ())]


def cycles_to_end(group: Group, runs: Sequence[Mapping[str, Any]]) -> TimeToLevel:
    """Estimate how many cycles it takes to come to the right end; the others are censored at the limit.

    Runs of which nobody knows whether they came to it are left out, and counted under "How runs ended".
    """
    if not (runs := _judged(runs)):
        nothing = without_interval(float("nan"), n=0, reason="the optimum is not known")
        return TimeToLevel(0, 0, nothing, nothing, nothing, 1.0, "cycles")
    cycles = np.array([one["cycles"] for one in runs], dtype=float)
    right = np.array([one["verdict"] in RIGHT for one in runs])
    limit = RunEnds.read(group.parameters["stop"]).cycles
    horizon = float(max(cycles.max(), 1.0) if limit is None else limit)
    # Another limit than that of cycles ended the watch where it was; a wrong end is never the right one.
    watched = [one["cycles"] if one["verdict"] == "limit" else horizon for one in runs]
    return time_to_level(
        np.where(right, cycles, np.nan), horizon=horizon, watched=np.maximum(watched, 1.0), resource="cycles"
    )


def _judged(runs: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the runs of which it is known whether they came to the right end."""
    return [one for one in runs if one["verdict"] != UNKNOWN]


def _costs(groups: Sequence[Group], runs: Mapping[str, list[Mapping[str, Any]]]) -> Exhibit:
    latencies = list(dict.fromkeys(latency for group in groups for latency in runs[group.name][0]["nccc"]))
    rows: list[list[Cell]] = []
    for group in groups:
        held = runs[group.name]
        found = cycles_to_end(group, held)
        spent = [[one["messages"]["total"] for one in held], [one["checks"] for one in held]]
        spent += [[one["nccc"].get(latency, np.nan) for one in held] for latency in latencies]
        cells = [unit_estimate(numbers, unit="run", scale=Scale(0, None)) for numbers in spent]
        how = f"{held[0]['execution']}, {held[0]['reading']}"
        rows.append([group.name, how, found.share, found.median, found.restricted_mean, *cells])
    columns = ("who", "execution", "right end", "median cycles", "mean cycles up to the limit", "messages", "checks")
    reported = sorted(name for name, held in runs.items() if any(one["self_reported"] for one in held))
    notes = [CENSORED, "Messages and checks are all that was spent, whether or not the run came to the right end."]
    apart = sum((one["components"] or 1) > 1 for held in runs.values() for one in held)
    notes += [f"{apart} instances fall into components that share nothing; each is solved apart."] if apart else []
    notes += [f"Checks of {', '.join(reported)} are self-reported."] if reported else []
    return Exhibit(
        "What agreeing costs",
        "",
        (*columns, *(f"non-concurrent checks, latency {latency}" for latency in latencies)),
        rows,
        notes=notes,
    )


def _explored(groups: Sequence[Group]) -> list[Exhibit]:
    """Return what robots came to in all their moves, where there are any."""
    columns = {"explored": Scale(0, 1), "travelled": Scale(0, None), "moves": Scale(0, None)}
    rows: list[list[Cell]] = []
    for group in groups:
        if held := [found for scores in group.scores if "explored" in (found := scores.details.get(EACH, {}))]:
            estimates = (
                unit_estimate([one[name] for one in held], unit="session", scale=scale)
                for name, scale in columns.items()
            )
            rows.append([group.name, *estimates])
    words = "The share explored is of all cells that robots can reach; distances are in cells, of all robots together."
    return [Exhibit("What robots explored", "", ("who", *columns), rows, notes=[words])] if rows else []


def _verdicts(groups: Sequence[Group], runs: Mapping[str, list[Mapping[str, Any]]]) -> Exhibit:
    seen = [verdict for verdict in VERDICTS if any(one["verdict"] == verdict for held in runs.values() for one in held)]
    rows: list[list[Cell]] = [
        [group.name, *(sum(one["verdict"] == verdict for one in runs[group.name]) for verdict in seen)]
        for group in groups
    ]
    return Exhibit("How runs ended", "", ("who", *seen), rows)


def _curves(groups: Sequence[Group], runs: Mapping[str, list[Mapping[str, Any]]]) -> Exhibit:
    points = []
    for group in groups:
        held = runs[group.name]
        ends = sorted(one["cycles"] for one in held if one["verdict"] in RIGHT)
        last = max(one["cycles"] for one in held)
        shares = [(0, 0.0), *((end, (place + 1) / len(held)) for place, end in enumerate(ends))]
        shares.append((last, len(ends) / len(held)))
        points += [{"who": group.name, "cycles": cycles, "share": share} for cycles, share in shares]
    words = "The share of runs that had come to the right end, by the cycles it took them."
    return Exhibit("How soon runs end", figures=[Figure(partial(_draw, points), words)])


def _draw(points: list[dict[str, Any]]) -> Any:
    import altair

    names = list(dict.fromkeys(point["who"] for point in points))
    colours = [COLOURS[place % len(COLOURS)] for place in range(len(names))]
    colour = altair.Color("who:N", scale=altair.Scale(domain=names, range=colours), title=None)
    x = altair.X("cycles:Q", title="cycles")
    y = altair.Y("share:Q", title="share at the right end", scale=altair.Scale(domain=[0, 1]))
    chart = altair.Chart(altair.InlineData(points)).mark_line(interpolate="step-after")
    return chart.encode(x=x, y=y, color=colour).properties(width=480, height=260)


def _refusals(groups: Sequence[Group], runs: Mapping[str, list[Mapping[str, Any]]]) -> list[Exhibit]:
    rows: list[list[Cell]] = []
    for group in groups:
        counts: dict[str, int] = {}
        for one in runs[group.name]:
            for sort, count in one["refused"].items():
                counts[sort] = counts.get(sort, 0) + count
        words = {text for one in runs[group.name] for text in one["refusals"]}
        if counts:
            said = "; ".join(f"{count} {sort}" for sort, count in counts.items())
            rows.append([group.name, said, sorted(words)[0]])
    return [Exhibit("Calls that were refused", "", ("who", "how many", "one of them"), rows)] if rows else []
