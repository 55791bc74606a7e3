"""Pictures of Λ*: a score against whatever was varied, with intervals; learning by session."""

from collections.abc import Mapping, Sequence
from typing import Any

from mensura.stats import Estimate

WIDTH, HEIGHT = 420, 260


def score_figure(
    estimates: Mapping[tuple[str, Any], Estimate], *, factor: str, title: str = "", ordinal: bool = False
) -> Any:
    """Draw scores with their intervals against a factor, a line for each kind of agent.

    Parameters
    ----------
    estimates
        Scores by kind of agent and value of the factor.
    factor
        What was varied, as the axis is to say it.
    title
        Of the whole picture.
    ordinal
        Whether values are only in an order, without distances between them.

    Returns
    -------
    altair.LayerChart
        The picture; `mensura.exhibit.look.as_svg` makes it a file.
    """
    import altair

    rows = [
        {"agent": agent, "factor": value, "score": e.value, "low": e.low, "high": e.high}
        for (agent, value), e in estimates.items()
    ]
    kind = "O" if ordinal else "Q"
    base = altair.Chart(altair.InlineData(rows)).encode(
        x=altair.X(f"factor:{kind}", title=factor, axis=altair.Axis(labelAngle=0)),
        color=altair.Color("agent:N", title=None, sort=list(dict.fromkeys(agent for agent, _ in estimates))),
    )
    lines = base.mark_line(point=True).encode(y=altair.Y("score:Q", title="intelligence Υ (95 % interval)"))
    bars = base.mark_rule().encode(y="low:Q", y2="high:Q")
    return (lines + bars).properties(width=WIDTH, height=HEIGHT, title=title)


def learning_figure(sessions: Mapping[str, Sequence[Mapping[str, Any]]], *, title: str = "") -> Any:
    """Draw the score by training session, with a band for the interval, a line for each kind of learner."""
    import altair

    rows = [
        {"agent": agent, "session": number, "score": row["value"], "low": row["low"], "high": row["high"]}
        for agent, curve in sessions.items()
        for number, row in enumerate(curve)
    ]
    base = altair.Chart(altair.InlineData(rows)).encode(
        x=altair.X("session:Q", title="training session; the last is the episode that counts"),
        color=altair.Color("agent:N", title=None, sort=list(sessions)),
    )
    band = base.mark_area(opacity=0.25).encode(y=altair.Y("low:Q", title="mean reward (95 % interval)"), y2="high:Q")
    line = base.mark_line().encode(y="score:Q")
    return (band + line).properties(width=WIDTH, height=HEIGHT, title=title)
