"""Over time: how belief moves, how long illusions last, and what one moment costs."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from mensura.catalog.imitation.facts import SURE
from mensura.catalog.imitation.pooled import lifetimes
from mensura.catalog.imitation.showing.gathered import Gathered
from mensura.exhibit import Exhibit
from mensura.exhibit.exhibit import Cell, Figure
from mensura.stats import Scale, log_rank, survival_estimate, unit_estimate


def beliefs(gathered: Sequence[Gathered]) -> list[Exhibit]:
    """Show the mean belief after each exchange, with its band over games."""
    points: list[dict[str, Any]] = []
    rows: list[list[Cell]] = []
    for one in gathered:
        by_exchange: dict[int, list[float]] = {}
        for game in one.games:
            for exchange, _, value in game["beliefs"] if game["pretends"] else ():
                by_exchange.setdefault(int(exchange), []).append(float(value))
        for exchange, values in sorted(by_exchange.items()):
            found = unit_estimate(values, unit="game", scale=Scale(0, 1))
            known = found.has_interval
            points.append(
                {
                    "system": one.name,
                    "exchange": exchange,
                    "value": found.value,
                    "low": found.low if known else found.value,
                    "high": found.high if known else found.value,
                }
            )
            rows.append([one.name, exchange, found])
    if not rows:
        return []
    words = (
        "How probable judges held it, after each exchange, that the pretender is what it plays. Games that were over "
        "sooner are not in later points."
    )
    figure = Figure(partial(_belief_picture, points), "Mean belief after each exchange, with its band for each system.")
    return [Exhibit("Belief", words, ("system", "exchange", "belief"), rows, [figure])]


def survival(gathered: Sequence[Gathered]) -> list[Exhibit]:
    """Show how long illusions lasted, and whether systems differ in that."""
    rows: list[list[Cell]] = []
    groups: dict[str, tuple[list[int], list[int]]] = {}
    points: list[dict[str, Any]] = []
    notes: list[str] = []
    for one in gathered:
        lasted, ended = lifetimes(one.games)
        if not lasted:
            continue
        found = survival_estimate(lasted, ended=ended)
        groups[one.name] = (lasted, ended)
        rows.append([one.name, found.n, found.ended, found.median])
        notes.append(f"{one.name}: {found.sentence}")
        steps = zip([0.0, *found.steps], [1.0, *found.height], [1.0, *found.low], [1.0, *found.high], strict=True)
        points += [
            {"system": one.name, "seconds": float(at), "value": float(value), "low": float(low), "high": float(high)}
            for at, value, low, high in steps
        ]
    if not rows:
        return []
    if len(groups) > 1:
        notes.append(log_rank(groups).sentence)
    words = (
        f"For how many seconds judges were not yet sure (mean belief {SURE:g} or less) that the pretender is not what "
        "it plays."
    )
    figure = Figure(
        partial(_survival_picture, points), "The share of illusions that still last, by seconds, for each system."
    )
    columns = ("system", "games", "ended while watched", "half lasted, in seconds")
    return [Exhibit("Sustained illusion", words, columns, rows, [figure], notes)]


def moments(gathered: Sequence[Gathered]) -> Exhibit:
    """Show the worst moment beside the mean, and the games in which a message was marked as a blunder."""
    rows: list[list[Cell]] = []
    for one in gathered:
        games = [game for game in one.games if game["pretends"]]
        marked = [any(verdict["blunders"] for verdict in game["verdicts"]) for game in games]
        share = float(np.mean(marked)) if marked else None
        estimates = one.group.estimates
        rows.append([one.name, estimates.get("worst_moment"), estimates.get("mean_belief"), share])
    words = "A mean forgives one error, a judge may not: the lowest belief of each game, beside its mean belief."
    return Exhibit(
        "The worst moment", words, ("system", "lowest belief", "mean belief", "games with a marked blunder"), rows
    )


def _belief_picture(points: Sequence[dict[str, Any]]) -> Any:
    import altair

    scale = altair.Scale(domain=[0, 1])
    base = altair.Chart(altair.InlineData(list(points))).encode(
        x=altair.X("exchange:O", title="exchange", axis=altair.Axis(labelAngle=0)),
        color=altair.Color("system:N", title=None, legend=altair.Legend(orient="bottom", labelLimit=260)),
    )
    band = base.mark_area(opacity=0.2).encode(y=altair.Y("low:Q", scale=scale, title="belief"), y2="high:Q")
    line = base.mark_line(point=True).encode(y=altair.Y("value:Q", scale=scale, title="belief"))
    return (band + line).properties(width=520, height=240)


def _survival_picture(points: Sequence[dict[str, Any]]) -> Any:
    import altair

    scale = altair.Scale(domain=[0, 1])
    base = altair.Chart(altair.InlineData(list(points))).encode(
        x=altair.X("seconds:Q", title="seconds"),
        color=altair.Color("system:N", title=None, legend=altair.Legend(orient="bottom", labelLimit=260)),
    )
    band = base.mark_area(opacity=0.2, interpolate="step-after")
    band = band.encode(y=altair.Y("low:Q", scale=scale, title="still lasting"), y2="high:Q")
    line = base.mark_line(interpolate="step-after").encode(y=altair.Y("value:Q", scale=scale, title="still lasting"))
    return (band + line).properties(width=520, height=240)
