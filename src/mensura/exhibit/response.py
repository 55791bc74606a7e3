"""Exhibits of a calibration: items, persons beside items on one scale, curves and information, groups."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mensura.exhibit.exhibit import Cell, Exhibit, Figure
from mensura.exhibit.look import COLOURS, INK
from mensura.stats.response.curves import ItemCurve
from mensura.stats.response.functioning import GroupFunctioning
from mensura.stats.response.linking import ScaleLink
from mensura.stats.response.measurement import SHOWN, Measurement
from mensura.stats.wording import several

PARAMETERS = {"b": "difficulty b", "a": "discrimination a", "c": "lowest c"}
"""The parameters that the models estimate; only 3pl has the last."""
PERSON_COLUMNS = ("person", "group", "items", "ability", "of the norm below", "fit z")
GROUP_COLUMNS = ("odds ratio", "p (Holm)", "differs")
MOST_CURVES = 40
"""Curves that one picture shows; the table has all items."""
MOST_PERSONS = 60
"""Persons in the picture of persons beside items."""
SCALE = (
    "0 is the mean of the persons of the calibration and 1 their standard deviation, for difficulties and abilities "
    "alike. Intervals are 95 %: of items over persons like these, of abilities over persons of the norm."
)


def measurement_exhibits(found: Measurement, *, limit: int | None = None) -> list[Exhibit]:
    """Show a calibration as tables and pictures; the tables at most `limit` rows."""
    made = [_items(found, limit), _curves(found), _persons(found, limit)]
    if found.functioning:
        made.append(_functioning(found.functioning, "People and machines of the same ability", limit))
    for name, one in found.presentations.items():
        if not isinstance(one, str):
            made.append(_functioning(one, f"The same problems in two presentations: {name}", limit))
    made += _uncompared({name: one for name, one in found.presentations.items() if isinstance(one, str)})
    if isinstance(found.link, ScaleLink) or found.link:
        made.append(Exhibit("People and machines calibrated apart", str(found.link)))
    return made


def _uncompared(reasons: Mapping[str, str]) -> list[Exhibit]:
    """Write once why presentations are not compared: a bank may have dozens, each of them met too seldom."""
    if not reasons:
        return []
    words = [
        f"{several(sum(one == reason for one in reasons.values()), 'presentation')} cannot be compared with the usual "
        f"one. {reason}"
        for reason in dict.fromkeys(reasons.values())
    ]
    return [Exhibit("The same problems in other presentations", "\n".join(words), notes=list(reasons))]


def _shortened(rows: Sequence[Sequence[Cell]], limit: int | None) -> list[str]:
    """Write how many rows are not shown."""
    if limit is None or len(rows) <= limit:
        return []
    return [f"The first {limit} of {len(rows)}; --json, or the page as JSON, has all."]


def _items(found: Measurement, limit: int | None) -> Exhibit:
    shown = PARAMETERS if found.calibrated.model == "3pl" else dict(list(PARAMETERS.items())[:2])
    rows: list[Sequence[Cell]] = []
    for name, plain in zip(found.matrix.items, found.classical.items, strict=True):
        curve, fit = found.calibrated.items.get(name), found.fits.get(name)
        numbers: list[Cell] = [None if curve is None else curve.estimate(one) for one in shown]
        judged: list[Cell] = [None, None] if fit is None else [fit.outfit, fit.adjusted]
        rows.append((name, plain.right.n, plain.right.value, plain.with_rest, *numbers, *judged))
    alpha = found.classical.alpha
    notes = [
        SCALE,
        "With rest: correlation with the other items. Outfit is 1 where answers are as the model says; p is of S-X², "
        f"after Holm. Cronbach's alpha is {alpha}.",
        *found.calibrated.remarks,
        *_shortened(rows, limit),
    ]
    columns = ("item", "persons", "right", "with rest", *shown.values(), "outfit", "fit p")
    return Exhibit("Items", found.calibrated.sentence, columns, rows[:limit], notes=notes)


def _curves(found: Measurement) -> Exhibit:
    items = list(found.calibrated.items.items())
    shown = dict(items[:MOST_CURVES])
    words = f"Chance of a right answer by ability, a line for each of {len(shown)} items."
    if len(items) > len(shown):
        words += f" The first {len(shown)} of {len(items)} are drawn."
    most = float(SHOWN[int(np.argmax(found.information))])
    told = (
        f"Information of all {len(items)} items by ability; it is highest at {most:.2g}, where the standard error of "
        f"an ability is {1 / np.sqrt(found.information.max()):.2g}."
    )
    figures = [Figure(lambda: _curve_chart(shown), words), Figure(lambda: _information_chart(found), told)]
    return Exhibit("Item curves and information", figures=figures)


def _persons(found: Measurement, limit: int | None) -> Exhibit:
    from mensura.stats.response.ability import share_below

    rows: list[Sequence[Cell]] = []
    for place, (name, ability) in enumerate(zip(found.matrix.persons, found.abilities, strict=True)):
        z = found.person_fits[name].z
        rows.append((name, found.group_of(place), ability.n, ability, share_below(ability.value), z))
    words = "People, machines and items on one scale: abilities above, difficulties beneath, each with its interval."
    notes = [
        "An ability is the mean of its posterior under the norm's normal distribution: with few items it is drawn "
        "towards 0. Fit z far below 0 (under -2, say) is an unusual pattern: hard items right and easy ones wrong.",
        *_shortened(rows, limit),
    ]
    figure = Figure(lambda: _scale_chart(found), words)
    return Exhibit("Persons beside items", words, PERSON_COLUMNS, rows[:limit], [figure], notes)


def _functioning(found: GroupFunctioning | str, title: str, limit: int | None) -> Exhibit:
    if isinstance(found, str):
        return Exhibit(title, found)
    rows: list[Sequence[Cell]] = [
        (name, one.logits, one.odds_ratio, one.adjusted, one.differs) for name, one in found.items.items()
    ]
    notes = [
        f"On average {found.groups[0]} are at {found.means[0]:.2f} and {found.groups[1]} at {found.means[1]:.2f}. "
        f"Abilities are matched by {len(found.anchors)} items that are not found to differ. Only "
        "differences in one direction along the whole scale are looked for. The odds ratio is Mantel and Haenszel's.",
        *_shortened(rows, limit),
    ]
    columns = ("item", f"easier for {found.groups[0]} by (logits)", *GROUP_COLUMNS)
    return Exhibit(title, found.sentence, columns, rows[:limit], notes=notes)


def _curve_chart(items: dict[str, ItemCurve]) -> Any:
    import altair

    from mensura.stats.response.curves import Curves

    chances = Curves.of(items.values()).right(SHOWN)
    rows = [
        {"item": name, "ability": float(at), "right": float(chance)}
        for name, line in zip(items, chances, strict=True)
        for at, chance in zip(SHOWN, line, strict=True)
    ]
    chart = altair.Chart(altair.InlineData(rows)).mark_line(strokeWidth=1.5, opacity=0.7, color=COLOURS[0])
    return chart.encode(
        x=altair.X("ability:Q", title="ability"),
        y=altair.Y("right:Q", title="chance of a right answer", scale=altair.Scale(domain=[0, 1])),
        detail="item:N",
    ).properties(width=420, height=260)


def _information_chart(found: Measurement) -> Any:
    import altair

    rows = [{"ability": float(a), "information": float(i)} for a, i in zip(SHOWN, found.information, strict=True)]
    chart = altair.Chart(altair.InlineData(rows)).mark_line(strokeWidth=2.5, color=COLOURS[2])
    return chart.encode(
        x=altair.X("ability:Q", title="ability"), y=altair.Y("information:Q", title="information of all items")
    ).properties(width=420, height=200)


def _scale_chart(found: Measurement) -> Any:
    import altair

    order = np.argsort([one.value for one in found.abilities])
    if len(order) > MOST_PERSONS:
        order = order[np.linspace(0, len(order) - 1, MOST_PERSONS).astype(int)]
    rows = [
        {"name": found.matrix.persons[place], "what": found.group_of(place), **_ends(found.abilities[place])}
        for place in order.tolist()
    ]
    items = sorted(found.calibrated.items.items(), key=lambda pair: pair[1].b)
    step = max(1, len(items) // MOST_PERSONS)
    rows += [{"name": f"item {name}", "what": "items", **_ends(curve.estimate("b"))} for name, curve in items[::step]]
    axis = altair.Y("name:N", sort=None, title=None, axis=altair.Axis(labels=False, ticks=False))
    colours = {"people": COLOURS[0], "machines": COLOURS[1], "items": INK}
    shown = [what for what in colours if any(row["what"] == what for row in rows)]
    colour = altair.Color(
        "what:N", title=None, scale=altair.Scale(domain=shown, range=[colours[what] for what in shown])
    )
    # Of one domain and without a title, so that colours and shapes share a legend.
    shape = altair.Shape("what:N", title=None, scale=altair.Scale(domain=shown))
    base = altair.Chart(altair.InlineData(rows)).encode(y=axis, color=colour)
    scale = altair.Scale(domain=[-5, 5], clamp=True)
    lines = base.mark_rule(opacity=0.5).encode(
        x=altair.X("low:Q", title="ability, difficulty", scale=scale), x2="high:Q"
    )
    dots = base.mark_point(filled=True, size=30).encode(x="value:Q", shape=shape)
    return (lines + dots).properties(width=420, height=max(120, 5 * len(rows)))


def _ends(estimate: Any) -> dict[str, float]:
    low, high = (estimate.low, estimate.high) if estimate.has_interval else (estimate.value, estimate.value)
    return {"value": estimate.value, "low": low, "high": high}
