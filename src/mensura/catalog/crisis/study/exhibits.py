"""Exhibits of a study of the office: the tables and pictures of the source's section 5, from one's own sessions."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import isfinite
from typing import Any

import numpy as np

from mensura.catalog.crisis.scoring.briefing import METHOD
from mensura.catalog.crisis.scoring.milestones import PAY
from mensura.catalog.crisis.scoring.weights import our_weights
from mensura.catalog.crisis.study.deltas import Deltas, deltas
from mensura.catalog.crisis.study.opinions import opinion_exhibits
from mensura.catalog.crisis.study.pictures import bars_picture, means_picture, point
from mensura.catalog.crisis.study.waves import YARDSTICK, beats, difficulty, progress
from mensura.catalog.crisis.study.wording import (
    CONDITION_WORDS,
    COTS,
    HUMAN_ASSISTANT,
    LEARNING,
    WITHOUT,
    condition_words,
    interval_words,
    method_words,
    p_words,
)
from mensura.dialogue import Scores
from mensura.exhibit import Exhibit, Figure, Group
from mensura.stats import (
    Estimate,
    Scale,
    detectable_difference,
    proportion_estimate,
    sample_size,
    two_sample_difference,
    unit_estimate,
)

COMPONENTS = ("schedule", "publishing", "web", "briefing")
DELTAS = {
    "Overall delta": (LEARNING, COTS),
    "Learning delta": (LEARNING, WITHOUT),
    "Nonlearning delta": (WITHOUT, COTS),
}
"""Each delta of the source's Table 6: the mean of the first condition less that of the second."""
SAME = ("package", "condition")
"""What groups have in common that are one condition of one wave."""
LEAST = 0.001
"""Differences of scores smaller than this are not worth a study."""
ROUNDING = 1e-9
"""A standard deviation below this comes of rounding: the values are equal."""
Conditions = Mapping[str, list[Group]]
Finals = Mapping[str, list[float]]


def exhibits(groups: Sequence[Group]) -> list[Exhibit]:
    """Return whatever of the source's tables these sessions support."""
    by_wave: dict[str, dict[str, list[Group]]] = {}
    for group in groups:
        wave = str(group.parameters.get("package", ""))
        by_wave.setdefault(wave, {}).setdefault(_condition(group, groups), []).append(group)
    shown: list[Exhibit] = []
    for wave, conditions in by_wave.items():
        title = f" on {wave}" if len(by_wave) > 1 else ""
        shown += _wave(conditions, title=title)
    if len(by_wave) > 1:
        shown += _waves({wave: _scores(conditions, "final") for wave, conditions in by_wave.items()})
    label = "Simulated participants. " if any(group.simulated for group in groups) else ""
    return [replace(one, words=label + one.words) for one in shown]


def _condition(group: Group, groups: Sequence[Group]) -> str:
    """Name a group by its condition; by its own name where others of that condition differ in something else."""
    condition = str(group.parameters.get("condition", group.condition))
    if any(one.parameters == group.parameters and one.name != group.name for one in groups):
        return group.name
    if group.parameters.get("ablate"):
        return group.condition or condition

    def rest(one: Group) -> dict[str, Any]:
        return {name: value for name, value in one.parameters.items() if name != "survey"}

    whole = [one for one in groups if not one.parameters.get("ablate")]
    alike = [one for one in whole if all(one.parameters.get(key) == group.parameters.get(key) for key in SAME)]
    return condition if all(rest(one) == rest(group) for one in alike) else group.condition or condition


def _wave(conditions: Conditions, *, title: str) -> list[Exhibit]:
    finals = _scores(conditions, "final")
    shown = [_means(finals, title)]
    if all(len(finals.get(each, ())) > 2 for each in (COTS, WITHOUT, LEARNING)):
        found = deltas(cots=finals[COTS], without=finals[WITHOUT], learning=finals[LEARNING])
        shown += [_deltas(found, title), _shares(conditions, title), _next_study(found, finals, title)]
    if {HUMAN_ASSISTANT, LEARNING} <= set(finals) and min(len(finals[HUMAN_ASSISTANT]), len(finals[LEARNING])) > 1:
        human = beats(finals, LEARNING, HUMAN_ASSISTANT)
        counts = f"{human.first.n} and {human.second.n}"
        row = (human.difference.signed[0], interval_words(human.difference), p_words(human.p), counts)
        columns = ("difference", "95 % interval", "p", "n")
        shown.append(Exhibit(f"Learning assistant less human assistant{title}", human.sentence, columns, [row]))
    sessions = {name: [one for group in groups for one in group.scores] for name, groups in conditions.items()}
    shown += [_components(conditions, sessions, title), *_milestones(sessions, title)]
    return shown + opinion_exhibits(sessions, title=title)


def _scores(conditions: Conditions, score: str) -> dict[str, list[float]]:
    values = {
        name: [value for group in groups for value in group.values(score) if isfinite(value)]
        for name, groups in conditions.items()
    }
    return {name: found for name, found in values.items() if found}


def _means(finals: Finals, title: str) -> Exhibit:
    found = {name: _mean(values) for name, values in finals.items()}
    rows = tuple(
        (condition_words(name), one.rounded[0], interval_words(one), str(one.n)) for name, one in found.items()
    )
    return Exhibit(
        f"Final score by condition{title}",
        f"From 0 to 1. Means over participants; intervals by {method_words(found.values())}.",
        ("condition", "mean", "95 % interval", "n"),
        rows,
        [
            Figure(
                partial(means_picture, finals, found),
                "Single final scores, with means and their intervals.",
            )
        ],
    )


def _mean(scores: Sequence[float]) -> Estimate:
    return unit_estimate(scores, unit="participant", scale=Scale(0, 1))


def _deltas(found: Deltas, title: str) -> Exhibit:
    named = {
        "Overall delta (with learning − conventional tools)": found.overall,
        "Learning delta (with learning − without)": found.learning,
        "Nonlearning delta (without learning − conventional tools)": found.nonlearning,
    }
    rows = [
        (
            name,
            one.difference.signed[0],
            interval_words(one.difference),
            p_words(one.p),
            f"{one.effect.value:.2f}" if isfinite(one.effect.value) else "unknown",
            f"{one.first.n} and {one.second.n}",
        )
        for name, one in named.items()
    ]
    share = found.share
    interval = interval_words(share)
    rows.append(("Share of the overall delta due to learning", share.rounded[0], interval, "", "", str(share.n)))
    shown = [name.split(" (")[0] for name, one in named.items() if one.difference.has_interval and one.p < 0.05]
    words = f"Shown by these data (p < .05, Welch's t): {', '.join(shown) or 'none of the deltas'}."
    if share.has_interval:
        words += f" The share's interval: {share.method}."
    else:
        words += f" The share of learning has no bounds: {share.method.removeprefix('none: ')}."
    columns = ("comparison", "difference", "95 % interval", "p", "Hedges' g", "n")
    return Exhibit(f"Deltas{title}", words, columns, rows)


def _shares(conditions: Conditions, title: str) -> Exhibit:
    """Return how much of each delta comes from which component of the score, weighted as the final score weighs it."""
    weights = our_weights()
    weight = {name: weights.final.get(name) or weights.final["site"] * weights.site[name] for name in COMPONENTS}
    rows, points = [], []
    for component in COMPONENTS:
        values = _scores(conditions, component)
        cells = []
        for delta, (first, second) in DELTAS.items():
            sides = [values.get(side, []) for side in (first, second)]
            if min(map(len, sides)) < 2:
                cells.append("unknown")
                continue
            found = _times(two_sample_difference(first=sides[0], second=sides[1]).difference, weight[component])
            cells.append(f"{found.signed[0]} ({interval_words(found)})")
            points.append(point(found, component=component, delta=delta.removesuffix(" delta")))
        rows.append((component, f"{weight[component]:.3f}", *cells))
    words = (
        "Each component's difference times its weight in the final score; a column adds up to its delta. In brackets "
        "95 % intervals, by Welch's t unless all values are 0 or 1, n as above."
    )
    chart = partial(bars_picture, points, across="component", within="delta", title="added to the delta", limits=None)
    title = f"Where the deltas come from{title}"
    shown = Figure(chart, "What each component adds to each delta, with intervals.")
    return Exhibit(title, words, ("component", "weight", *map(str.lower, DELTAS)), rows, [shown])


def _times(estimate: Estimate, weight: float) -> Estimate:
    # Values that are all equal stay exactly equal only while nobody multiplies them.
    return replace(estimate, value=weight * estimate.value, low=weight * estimate.low, high=weight * estimate.high)


def _next_study(found: Deltas, finals: Finals, title: str) -> Exhibit:
    groups = [finals[name] for name in (COTS, WITHOUT, LEARNING)]
    sd = float(np.sqrt(np.mean([np.var(values, ddof=1) for values in groups])))
    rows = []
    for name, one in (("learning", found.learning), ("overall", found.overall), ("nonlearning", found.nonlearning)):
        difference = one.difference
        least = min(abs(difference.low), abs(difference.high)) if difference.low * difference.high > 0 else 0.0
        rows.append((name, f"{abs(difference.value):.3f}", _needed(abs(difference.value), sd), _needed(least, sd)))
    n = min(map(len, groups))
    words = (
        "Participants per condition to find each delta again with 80 % power at 5 % (two-sided t), given a standard "
        f"deviation of {sd:.3f} (n = {sum(map(len, groups))}): if it is as large as seen here, and if it is only as "
        "large as the near end of its interval."
    )
    if sd > ROUNDING:
        finds = detectable_difference(sd=sd, n=n).difference
        words += f" With {n} per condition, differences of {finds:.3f} and more are found with that power."
    columns = ("delta", "size seen", "per condition", "per condition at the near end")
    return Exhibit(f"Participants for the next study{title}", words, columns, rows)


def _needed(size: float, sd: float) -> str:
    if sd <= ROUNDING:
        return "unknown: nothing varies"
    return str(sample_size(size, sd=sd).n) if size > LEAST else "beyond reach"


def _components(conditions: Conditions, sessions: Mapping[str, Sequence[Scores]], title: str) -> Exhibit:
    found = {
        component: {name: _mean(values) for name, values in _scores(conditions, component).items()}
        for component in COMPONENTS
    }
    rows = tuple(
        (component, condition_words(name), one.rounded[0], interval_words(one), str(one.n))
        for component, groups in found.items()
        for name, one in groups.items()
    )
    points = [
        point(one, component=component, condition=condition_words(name))
        for component, groups in found.items()
        for name, one in groups.items()
    ]
    methods = method_words(one for groups in found.values() for one in groups.values())
    words = f"Each from 0 to 1, before weights. Intervals by {methods}."
    written = [one.details for each in sessions.values() for one in each if one.details.get("briefing_present")]
    if provisional := sum(details["briefing_method"] == METHOD for details in written):
        words += (
            f" Of {len(written)} briefings that were written {provisional} are rated by program, provisionally: no "
            "panel has read them."
        )
    figures = []
    if points:
        chart = partial(bars_picture, points, across="component", within="condition", title="mean score", limits=[0, 1])
        figures = [Figure(chart, "Means of the components by condition, with intervals.")]
    columns = ("component", "condition", "mean", "95 % interval", "n")
    return Exhibit(f"Components of the score{title}", words, columns, rows, figures)


def _milestones(sessions: Mapping[str, Sequence[Scores]], title: str) -> list[Exhibit]:
    """Return how many reached each milestone; the source says how many wrote a briefing."""
    reached = {
        name: [one.details["milestones"] for one in each if "milestones" in one.details]
        for name, each in sessions.items()
    }
    rows = []
    for milestone in PAY:
        for name, found in reached.items():
            if found:
                done = sum(bool(each.get(milestone)) for each in found)
                share = proportion_estimate(done, n=len(found))
                interval = interval_words(share)
                rows.append((milestone, condition_words(name), f"{done} of {len(found)}", share.rounded[0], interval))
    words = (
        "Schedule: no event stands in a lost room and every event has a place. Briefing: one was written. Site: some "
        "entry was changed. Checked by program; intervals by Wilson."
    )
    columns = ("milestone", "condition", "reached", "share", "95 % interval")
    return [Exhibit(f"Milestones reached{title}", words, columns, rows)] if rows else []


def _waves(waves: Mapping[str, Finals]) -> list[Exhibit]:
    usable = {wave: groups for wave, groups in waves.items() if len(groups.get(YARDSTICK, ())) > 1}
    if len(usable) < 2:
        return []
    rows = [
        (wave, condition_words(YARDSTICK), one.rounded[0], interval_words(one), "", str(one.n))
        for wave, one in difficulty(usable).items()
    ]
    words = []
    for earlier, later in zip(list(usable)[:-1], list(usable)[1:], strict=True):
        for condition in usable[later]:
            if condition == YARDSTICK or len(usable[earlier].get(condition, ())) < 2:
                continue
            found = progress(usable, condition=condition, earlier=earlier, later=later)
            words.append(found.sentence)
            gain = found.gain
            cells = (gain.signed[0], interval_words(gain), p_words(found.p), str(gain.n))
            rows.append((f"gain, {earlier} to {later}", condition_words(condition), *cells))
    said = f"Packages differ, so each wave is measured from {CONDITION_WORDS[YARDSTICK]}. " + " ".join(words)
    return [Exhibit("Across waves", said, ("wave", "condition", "value", "95 % interval", "p", "n"), rows)]
