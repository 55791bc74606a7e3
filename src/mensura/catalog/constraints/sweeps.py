"""Sweeps: what changes along one parameter of a family, such as the tightness at which problems stop being solvable."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from mensura.catalog.constraints.scoring import RIGHT
from mensura.exhibit import COLOURS, Exhibit, Figure, Group
from mensura.exhibit.exhibit import Cell
from mensura.stats import proportion_estimate, unit_estimate
from mensura.stats.adaptivity.threshold import TimeToLevel
from mensura.stats.scale import Scale

Runs = Mapping[str, list[Mapping[str, Any]]]
ORACLE = "oracle: solvable"
NOTE = (
    "Solvable is the oracle's word, of the instances it could decide. Solved is the share of these solvable ones that "
    "the agents solved; the right end counts proofs that there is no solution too."
)


def sweeps(groups: Sequence[Group], runs: Runs, cycles: Callable[..., TimeToLevel]) -> list[Exhibit]:
    """Return a table and a picture for each family of which one parameter takes several values."""
    families: dict[str, list[Group]] = {}
    for group in groups:
        families.setdefault(group.parameters["problem"].partition(":")[0], []).append(group)
    return [
        _sweep(family, key, held, runs, cycles) for family, held in families.items() if (key := swept_parameter(held))
    ]


def swept_parameter(groups: Sequence[Group]) -> str:
    """Return the one numeric parameter of a family in which groups differ; "" where there is none, or several."""
    found = [parameters_of(group) for group in groups]
    varied = [key for key in found[0] if len({one.get(key) for one in found}) > 1]
    return varied[0] if len(varied) == 1 and all(_is_number(one.get(varied[0], "")) for one in found) else ""


def parameters_of(group: Group) -> dict[str, str]:
    """Return the parameters of a group's family as they were written."""
    parts = group.parameters["problem"].partition(":")[2].split(",")
    return dict(part.strip().split("=", 1) for part in parts if "=" in part)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _sweep(family: str, key: str, groups: Sequence[Group], runs: Runs, cycles: Callable[..., TimeToLevel]) -> Exhibit:
    rows: list[list[Cell]] = []
    points: list[dict[str, Any]] = []
    latencies = list(runs[groups[0].name][0]["nccc"])
    for group in sorted(groups, key=lambda one: (_who(one), float(parameters_of(one)[key]))):
        held, x, who = runs[group.name], float(parameters_of(group)[key]), _who(group)
        decided = [one for one in held if one["truth"] != "unknown"]
        solvable = [one for one in decided if one["truth"] == "solvable"]
        share = proportion_estimate(len(solvable), n=len(decided)) if decided else None
        ended = sum(one["verdict"] in RIGHT for one in solvable)
        solved = proportion_estimate(ended, n=len(solvable)) if solvable else None
        found = cycles(group, held)
        messages = unit_estimate([one["messages"]["total"] for one in held], unit="run", scale=Scale(0, None))
        clocks = [
            unit_estimate([one["nccc"][latency] for one in held], unit="run", scale=Scale(0, None))
            for latency in latencies
        ]
        rows.append([who, x, share, solved, found.share, found.median, found.restricted_mean, messages, *clocks])
        points += [{"panel": "share", "who": ORACLE, "x": x, "y": share.value, "latency": "0"}] if share else []
        drawn = [("share", found.share, "0"), ("mean cycles", found.restricted_mean, "0"), ("messages", messages, "0")]
        drawn += [("checks", clock, latency) for clock, latency in zip(clocks, latencies, strict=True)]
        points += [{"panel": panel, "who": who, "x": x, "y": y.value, "latency": at} for panel, y, at in drawn]
    columns = (
        "who",
        key,
        "solvable",
        "solved",
        "right end",
        "median cycles",
        "mean cycles up to the limit",
        "messages",
    )
    return Exhibit(
        f"Along {key}: {family}",
        "",
        (*columns, *(f"non-concurrent checks, latency {latency}" for latency in latencies)),
        rows,
        [Figure(partial(_draw, points, key), _words(family, key))],
        [NOTE],
    )


def _who(group: Group) -> str:
    return group.name.removesuffix(f" in {group.condition}")


def _words(family: str, key: str) -> str:
    return (
        f"Four pictures along {key} of {family}: the share of runs at the right end beside the oracle's share of "
        "solvable instances, mean cycles up to the limit, mean messages, and non-concurrent checks at each latency."
    )


def _draw(points: list[dict[str, Any]], key: str) -> Any:
    import altair

    names = list(dict.fromkeys(point["who"] for point in points))
    names = [ORACLE, *(name for name in names if name != ORACLE)]
    colours = ["#000000", *(COLOURS[place % len(COLOURS)] for place in range(len(names) - 1))]
    colour = altair.Color("who:N", scale=altair.Scale(domain=names, range=colours), title=None)
    titles = {
        "share": "share",
        "mean cycles": "mean cycles up to the limit",
        "messages": "messages",
        "checks": "non-concurrent checks",
    }
    charts = []
    for panel, title in titles.items():
        held = [point for point in points if point["panel"] == panel]
        # Nothing at all has no place on a logarithmic axis.
        axis = altair.Scale(type="log" if all(point["y"] > 0 for point in held) else "symlog")
        scale = altair.Scale(domain=[0, 1]) if panel == "share" else axis
        chart = altair.Chart(altair.InlineData(held)).mark_line(point=True)
        marks = (
            {"strokeDash": altair.StrokeDash("latency:N", legend=altair.Legend(symbolType="stroke"))}
            if panel == "checks"
            else {}
        )
        y = altair.Y("y:Q", title=title, scale=scale)
        charts.append(
            chart.encode(x=altair.X("x:Q", title=key), y=y, color=colour, **marks).properties(width=300, height=180)
        )
    return altair.vconcat(altair.hconcat(*charts[:2]), altair.hconcat(*charts[2:]))
