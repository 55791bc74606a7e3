"""Exhibits of a study of the office: the tables and pictures of the source's section 5, from one's own sessions."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import isfinite
from typing import Any

import numpy as np

from mensura.catalog.crisis.study.deltas import Deltas, deltas
from mensura.catalog.crisis.study.waves import YARDSTICK, beats, difficulty, progress
from mensura.catalog.crisis.survey.survey import MACROS, survey
from mensura.dialogue import Items
from mensura.errors import BadData
from mensura.stats import cronbach_alpha, mean_estimate, sample_size, two_sample_difference
from mensura.stats.exhibit import Exhibit, Group

COTS, WITHOUT, LEARNING, HUMAN_ASSISTANT = "cots", "radar-l", "radar+l", "cots+a"
COMPONENTS = ("schedule", "publishing", "web", "briefing")
CONDITION_WORDS = {
    COTS: "conventional tools",
    WITHOUT: "assistant without learning",
    LEARNING: "assistant with learning",
    "cots+a": "conventional tools and a human assistant",
    "agent": "agent alone",
}


def exhibits(groups: Sequence[Group]) -> list[Exhibit]:
    """Give whatever of the source's tables these sessions support."""
    by_wave: dict[str, dict[str, list[Group]]] = {}
    for group in groups:
        wave = str(group.parameters.get("package", ""))
        condition = str(group.parameters.get("condition", group.condition))
        by_wave.setdefault(wave, {}).setdefault(condition, []).append(group)
    shown: list[Exhibit] = []
    for wave, conditions in by_wave.items():
        title = f" on {wave}" if len(by_wave) > 1 else ""
        shown += _wave(conditions, title=title)
    if len(by_wave) > 1:
        shown += _waves({wave: _scores(conditions, "final") for wave, conditions in by_wave.items()})
    label = "Simulated participants. " if any(group.simulated for group in groups) else ""
    return [Exhibit(one.title, one.columns, one.rows, label + one.words, one.chart) for one in shown]


def _wave(conditions: Mapping[str, list[Group]], *, title: str) -> list[Exhibit]:
    finals = _scores(conditions, "final")
    shown = [_means(finals, title)]
    if {COTS, WITHOUT, LEARNING} <= set(finals) and min(len(finals[each]) for each in finals) > 2:
        found = deltas(cots=finals[COTS], without=finals[WITHOUT], learning=finals[LEARNING])
        shown += [_deltas(found, title), _next_study(found, finals, title)]
    if {HUMAN_ASSISTANT, LEARNING} <= set(finals) and min(len(finals[HUMAN_ASSISTANT]), len(finals[LEARNING])) > 1:
        human = beats(finals, LEARNING, HUMAN_ASSISTANT)
        row = (f"{human.difference.value:+.3f}", _interval(human.difference), _p(human.p))
        columns = ("difference", "95 % interval", "p")
        shown.append(Exhibit(f"Learning assistant less human assistant{title}", columns, (row,), human.sentence))
    shown.append(_components(conditions, title))
    return shown + _survey(conditions, title)


def _scores(conditions: Mapping[str, list[Group]], score: str) -> dict[str, list[float]]:
    values = {
        name: [value for group in groups for value in group.values(score) if isfinite(value)]
        for name, groups in conditions.items()
    }
    return {name: found for name, found in values.items() if found}


def _means(finals: Mapping[str, list[float]], title: str) -> Exhibit:
    estimates = {name: mean_estimate(values) for name, values in finals.items()}
    rows = tuple((_words(name), f"{one.value:.3f}", _interval(one), str(one.n)) for name, one in estimates.items())
    return Exhibit(
        f"Final score by condition{title}",
        ("condition", "mean", "95 % interval", "n"),
        rows,
        "Means over participants; intervals by Student's t.",
        _means_chart(finals, estimates),
    )


def _deltas(found: Deltas, title: str) -> Exhibit:
    named = {
        "Overall delta (with learning − conventional tools)": found.overall,
        "Learning delta (with learning − without)": found.learning,
        "Nonlearning delta (without learning − conventional tools)": found.nonlearning,
    }
    rows = [
        (name, f"{one.difference.value:+.3f}", _interval(one.difference), _p(one.p), f"{one.effect.value:.2f}")
        for name, one in named.items()
    ]
    share = found.share
    rows.append(("Share of the overall delta due to learning", f"{share.value:.0%}", _interval(share), "", ""))
    shown = [name.split(" (")[0] for name, one in named.items() if one.difference.has_interval and one.p < 0.05]
    words = f"Shown by these data (p < .05, Welch's t): {', '.join(shown) or 'none of the deltas'}."
    if not share.has_interval:
        words += f" The share of learning has no bounds: {share.method.removeprefix('none: ')}."
    columns = ("comparison", "difference", "95 % interval", "p", "Hedges' g")
    return Exhibit(f"Deltas{title}", columns, tuple(rows), words)


def _next_study(found: Deltas, finals: Mapping[str, list[float]], title: str) -> Exhibit:
    sd = float(np.sqrt(np.mean([np.var(values, ddof=1) for values in finals.values() if len(values) > 1])))
    rows = []
    for name, one in (("learning", found.learning), ("overall", found.overall), ("nonlearning", found.nonlearning)):
        size = abs(one.difference.value)
        needed = str(sample_size(size, sd=sd).n) if size > 0.001 else "beyond reach"
        rows.append((name, f"{size:.3f}", needed))
    words = f"To find a difference of this size again with 80 % power at 5 %, given a standard deviation of {sd:.3f}."
    return Exhibit(f"Participants for the next study{title}", ("delta", "size", "per condition"), tuple(rows), words)


def _components(conditions: Mapping[str, list[Group]], title: str) -> Exhibit:
    rows, points = [], []
    for component in COMPONENTS:
        for name, values in _scores(conditions, component).items():
            estimate = mean_estimate(values)
            rows.append((component, _words(name), f"{estimate.value:.3f}", _interval(estimate), str(estimate.n)))
            points.append({"component": component, "condition": _words(name), "score": estimate.value})
    chart = _component_chart(points) if points else None
    columns = ("component", "condition", "mean", "95 % interval", "n")
    return Exhibit(f"Components of the score{title}", columns, tuple(rows), "Each from 0 to 1, before weights.", chart)


def _survey(conditions: Mapping[str, list[Group]], title: str) -> list[Exhibit]:
    """Show the macros by condition, their reliability, and the differences that stand."""
    answered = {
        name: [scores for group in groups for scores in group.scores if f"survey_{MACROS[0]}" in scores.values]
        for name, groups in conditions.items()
    }
    if not any(answered.values()):
        return []
    rows, compared = [], []
    general = [item.key for item in survey().items if item.scale is not None and not item.category]
    for macro in (*MACROS, "assistant", *general):
        values = _scores(conditions, f"survey_{macro}")
        rows += [
            (_item(macro), _words(name), f"{one.value:.2f}", _interval(one), str(one.n))
            for name, one in ((name, mean_estimate(found)) for name, found in values.items())
        ]
        for first, second in combinations(values, 2):
            found = two_sample_difference(
                first=values[first], second=values[second], names=(_words(first), _words(second))
            )
            if found.difference.has_interval and found.p < 0.05:
                difference = f"{found.difference.value:+.2f}"
                compared.append((_item(macro), f"{_words(first)} against {_words(second)}", difference, _p(found.p)))
    means = Exhibit(
        f"Survey{title}",
        ("macro", "condition", "mean", "95 % interval", "n"),
        tuple(rows),
        "From 1 (strongly agree) to 7; lower is better, items that speak against the software are turned round. "
        "'Assistant' is item 16 less item 17: below 0 the software was felt to help, above 0 to be helped.",
    )
    apart = Exhibit(
        f"Differences in the survey{title}",
        ("macro", "comparison", "difference", "p"),
        tuple(compared),
        "Only those with p < .05, not adjusted for their number, as the source gives them: read them as hints."
        if compared
        else "No macro differs between conditions (p < .05).",
    )
    return [means, _reliability([one for found in answered.values() for one in found], title), apart]


def _reliability(answered: Sequence[Any], title: str) -> Exhibit:
    rows = []
    for macro in MACROS:
        items = [scores.values[f"survey_{macro}"] for scores in answered]
        table = np.array([one.values for one in items if isinstance(one, Items)])
        try:
            alpha = cronbach_alpha(table)
            rows.append((_item(macro), f"{alpha.alpha.value:.2f}", _interval(alpha.alpha), str(alpha.alpha.n)))
        except BadData as error:
            rows.append((_item(macro), "unknown", str(error), str(len(table))))
    words = "Cronbach's alpha; 0.7 and more is usually called acceptable."
    return Exhibit(f"Reliability of the survey{title}", ("macro", "alpha", "95 % interval", "n"), tuple(rows), words)


def _waves(waves: Mapping[str, Mapping[str, list[float]]]) -> list[Exhibit]:
    usable = {wave: groups for wave, groups in waves.items() if len(groups.get(YARDSTICK, ())) > 1}
    if len(usable) < 2:
        return []
    rows = [(wave, _words(YARDSTICK), f"{one.value:.3f}", _interval(one)) for wave, one in difficulty(usable).items()]
    words = []
    for earlier, later in zip(list(usable)[:-1], list(usable)[1:], strict=True):
        for condition in usable[later]:
            if condition == YARDSTICK or len(usable[earlier].get(condition, ())) < 2:
                continue
            found = progress(usable, condition=condition, earlier=earlier, later=later)
            words.append(found.sentence)
            name = f"gain, {earlier} to {later}"
            rows.append((name, _words(condition), f"{found.gain.value:+.3f}", _interval(found.gain)))
    said = f"Packages differ, so each wave is measured from {CONDITION_WORDS[YARDSTICK]}. " + " ".join(words)
    return [Exhibit("Across waves", ("wave", "condition", "value", "95 % interval"), tuple(rows), said)]


def _means_chart(finals: Mapping[str, list[float]], estimates: Mapping[str, Any]) -> Any:
    import altair

    order = [_words(name) for name in finals]
    dots = [{"condition": _words(name), "score": value} for name, values in finals.items() for value in values]
    means = [
        {"condition": _words(name), "mean": one.value, "low": one.low, "high": one.high}
        for name, one in estimates.items()
        if one.has_interval
    ]
    y = altair.Y("condition:N", sort=order, title=None, axis=altair.Axis(labelLimit=260))
    scale = altair.Scale(domain=[0, 1])
    points = altair.Chart(altair.InlineData(dots)).mark_circle(size=22, opacity=0.25)
    points = points.encode(x=altair.X("score:Q", title="final score", scale=scale), y=y)
    base = altair.Chart(altair.InlineData(means)).encode(y=y)
    bars = base.mark_rule(size=3).encode(x=altair.X("low:Q", scale=scale), x2="high:Q")
    return (points + bars + base.mark_point(filled=True, size=90).encode(x="mean:Q")).properties(width=520, height=120)


def _component_chart(points: list[dict[str, Any]]) -> Any:
    import altair

    order = list(dict.fromkeys(point["condition"] for point in points))
    chart = altair.Chart(altair.InlineData(points)).mark_bar()
    return chart.encode(
        x=altair.X("component:N", sort=list(COMPONENTS), title=None, axis=altair.Axis(labelAngle=0)),
        xOffset=altair.XOffset("condition:N", sort=order),
        y=altair.Y("score:Q", scale=altair.Scale(domain=[0, 1]), title="mean score"),
        color=altair.Color(
            "condition:N", title=None, sort=order, legend=altair.Legend(orient="bottom", labelLimit=260)
        ),
    ).properties(width=520, height=240)


def _words(condition: str) -> str:
    return CONDITION_WORDS.get(condition, condition)


def _item(name: str) -> str:
    return f"item {name}" if name.isdigit() else name.replace("_", " ")


def _interval(estimate: Any) -> str:
    if not estimate.has_interval:
        return estimate.method.removeprefix("none: ") if isinstance(estimate.method, str) else ""
    return f"{estimate.low:.3f} to {estimate.high:.3f}"


def _p(p: float) -> str:
    return "< .0001" if p < 1e-4 else f"{p:.4f}".lstrip("0")
