"""PROBS in words: every sentence is made from the exam's own numbers, so that other rules read true as well."""

from collections.abc import Mapping, Sequence

import numpy as np

from mensura.catalog.sensemaking.exam.layer import Layer
from mensura.catalog.sensemaking.exam.probs import GROUPS, Probs
from mensura.catalog.sensemaking.showing.wording import Wording
from mensura.dialogue import Chart

NAMED = {1 / 4: "one quarter", 1 / 3: "one third", 1 / 2: "half"}
TIMES = {2: "twice", 3: "three times", 4: "four times", 5: "five times", 6: "six times", 7: "seven times"}
PLACES = {
    "government": "near a government building",
    "military": "near a military building",
    "dense": "in dense traffic",
    "sparse": "in sparse traffic",
}


def rule(layer: Layer, feature: str, words: Wording, probs: Probs, *, groups: Sequence[str] = GROUPS) -> str:
    """Return what a report says and the rule that belongs to it (Table 3)."""
    then = likelier(dict(zip(groups, probs.likelihood(layer, feature, groups=groups).tolist(), strict=True)))
    if layer.kind == "SIGINT":
        return f"**SIGINT on {layer.group}**: {feature}. Then {then}."
    if layer.kind == "SOCINT":
        return f"**SOCINT**: the {words.event} is in the region of {feature}. Then {then}."
    return f"**{layer.kind}**: the {words.event} is {PLACES.get(feature, feature)}. Then {then}."


def region_rule(group: str, probs: Probs) -> str:
    """Return what SOCINT means for the sites of a group that is known (Task 4)."""
    return f"Inside its own region group {group} is {times(probs.inside / probs.outside)} likely as outside."


def handbook(words: Wording, probs: Probs) -> str:
    """All rules on one page (Table 3, and the wave rule of A.2)."""
    event = words.event
    lines = [
        "### PROBS: the rules",
        f"- **HUMINT**: a group's {event} is the likelier the nearer it is to the group's centre along the roads: a "
        f"bell curve with a standard deviation of {probs.humint_sigma:g} miles, {_distances(probs)}.",
    ]
    for kind in ("IMINT", "MOVINT"):
        told = [
            f"{PLACES.get(feature, feature)}, {likelier(dict(rules))}"
            for feature, rules in probs.features[kind].items()
        ]
        lines.append(f"- **{kind}**: {'; '.join(told)}.")
    heard = [
        f"{feature} makes that group {times(rules['named'] / rules['other'])} likely as each other group"
        for feature, rules in probs.features["SIGINT"].items()
    ]
    lines += [
        f"- **SIGINT** on a group: {'; '.join(heard)}.",
        f"- **SOCINT**: in a group's region, that group is {times(probs.inside / probs.outside)} likely as each other "
        "group.",
        f"- **Waves** (Task 7): a group that was behind the last {event} is behind the next with chance "
        f"{100 * probs.stay:g} %.",
    ]
    return "\n".join(lines)


def curve(probs: Probs) -> Chart:
    """HUMINT's rule as the curve that people see."""
    miles = np.linspace(0, 3 * probs.humint_sigma, 13)
    percent = (100 * probs.distance_likelihood(miles)).round(1)
    columns = {"miles": miles.tolist(), "percent": percent.tolist()}
    return Chart("line", columns, x="miles", y="percent", words="HUMINT: likelihood by distance along the roads")


def _distances(probs: Probs) -> str:
    """HUMINT's rule as the original's table has it, rounded to five percent."""
    miles = [sigmas * probs.humint_sigma for sigmas in (0, 0.5, 1, 2)]
    percents = 5 * np.round(20 * probs.distance_likelihood(miles))
    first, *rest = [f"{percent:g} % at {distance:g}" for distance, percent in zip(miles, percents, strict=True)]
    return ", ".join([f"about {first} miles", *rest])


def likelier(likelihoods: Mapping[str, float]) -> str:
    """Compare groups by their likelihoods, the likelier first; the odd one out where it stands alone.

    >>> likelier({"A": 0.4, "B": 0.4, "C": 0.1, "D": 0.1})
    'A or B is four times as likely as C or D'
    >>> likelier({"A": 0.9, "B": 0.3, "C": 0.9, "D": 0.9})
    'B is one third as likely as each other group'
    >>> likelier({"A": 0.4, "B": 0.3, "C": 0.2, "D": 0.1})
    'A, B, C and D are as likely as 4 : 3 : 2 : 1'
    """
    levels: dict[float, list[str]] = {}
    for group, value in likelihoods.items():
        levels.setdefault(value, []).append(group)
    if len(levels) == 1:
        return "all groups are equally likely"
    if len(levels) > 2:
        least = min(value for value in levels if value > 0)
        shares = " : ".join(f"{value / least:.3g}" for value in likelihoods.values())
        *first, last = likelihoods
        return f"{', '.join(first)} and {last} are as likely as {shares}"
    (high, likely), (low, others) = sorted(levels.items(), reverse=True)
    if low == 0:
        return f"only {' or '.join(likely)} is possible"
    if len(others) == 1 and len(likely) > 1:
        return f"{others[0]} is {times(low / high)} likely as each other group"
    if len(likely) == 1:
        return f"{likely[0]} is {times(high / low)} likely as each other group"
    return f"{' or '.join(likely)} is {times(high / low)} likely as {' or '.join(others)}"


def times(ratio: float) -> str:
    """Return a ratio so that "likely as" can follow.

    >>> times(4.0), times(0.1 / 0.3), times(2.5)
    ('four times as', 'one third as', '2.5 times as')
    """
    for table in (TIMES, NAMED):
        for value, name in table.items():
            if abs(ratio - value) < 1e-9:
                return f"{name} as"
    return f"{ratio:.3g} times as"
