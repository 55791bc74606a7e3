"""The picture of a study's power: how the chance of finding a difference grows with the number of observations."""

from math import ceil

from mensura.exhibit.exhibit import Figure
from mensura.exhibit.look import COLOURS, INK
from mensura.stats import Power, power_of_difference
from mensura.stats.wording import figure

POINTS = 60


def power_figure(plan: Power) -> Figure:
    """Draw power against n for the plan's difference, half of it and twice of it, with the plan as a dot."""
    import altair

    most = max(10, ceil(2.2 * plan.n))
    step = max(1, most // POINTS)
    rows = [
        {"n": n, "power": power_of_difference(size, sd=plan.sd, n=n, design=plan.design, alpha=plan.alpha).power}
        | {"difference": figure(abs(size))}
        for size in (plan.difference / 2, plan.difference, plan.difference * 2)
        for n in range(2, most + 1, step)
    ]
    what = "observations per group" if plan.design == "unpaired" else "pairs"
    order = [figure(abs(size)) for size in (plan.difference / 2, plan.difference, plan.difference * 2)]
    lines = altair.Chart(altair.InlineData(rows)).mark_line(strokeWidth=2)
    lines = lines.encode(
        x=altair.X("n:Q", title=what),
        y=altair.Y("power:Q", title="chance of finding it", scale=altair.Scale(domain=[0, 1])),
        color=altair.Color("difference:N", title="true difference", sort=order, scale=altair.Scale(range=COLOURS[:3])),
    )
    dot = altair.Chart(altair.InlineData([{"n": plan.n, "power": plan.power}])).mark_point(
        filled=True, size=110, color=INK
    )
    chart = (lines + dot.encode(x="n:Q", y="power:Q")).properties(width=480, height=280)
    return Figure(chart, f"Chance of finding a true difference by the number of {what}. {plan.sentence}")
