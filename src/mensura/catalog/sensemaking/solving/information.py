"""What an INT is worth before it is seen: expected information gain, and the best order to ask in."""

from collections.abc import Callable, Sequence
from itertools import permutations
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mensura.catalog.sensemaking.exam import Layer, Probs, published_probs
from mensura.catalog.sensemaking.exam.probs import GROUPS
from mensura.catalog.sensemaking.solving.distribution import divergence, entropy, floor

Measure = Literal["mutual", "published"]

MENU = (Layer("IMINT"), Layer("MOVINT"), *(Layer("SIGINT", group) for group in GROUPS), Layer("SOCINT"))


def expected_gain(
    prior: ArrayLike,
    layer: Layer,
    *,
    measure: Measure = "mutual",
    groups: Sequence[str] = GROUPS,
    probs: Probs | None = None,
) -> float:
    r"""Bits a layer is expected to bring, given what is believed now.

    Parameters
    ----------
    prior : array_like
        What is believed now, over `groups`; any scale.
    layer : Layer
        The INT considered.
    measure : {"mutual", "published"}
        "mutual" is mutual information, :math:`\sum_o P(o)\,KLD(post_o \| prior)`, the reduction of entropy.
        "published" is what the original software used: the divergence with the prior first, both floored,
        :math:`\sum_o P(o)\,KLD(\lfloor prior \rfloor \| \lfloor post_o \rfloor)`.
    groups : sequence of str, optional
        The hypotheses, in the order of `prior`.
    probs : Probs, optional
        The rules; the published ones by default.

    Examples
    --------
    >>> round(expected_gain([1, 1, 1, 1], Layer("IMINT")), 4)
    0.2781
    """
    rules = probs or published_probs()
    belief = np.asarray(prior, dtype=float)
    belief = belief / belief.sum()
    likelihood = np.array([rules.likelihood(layer, o, groups=groups) for o in rules.outcomes(layer, groups=groups)])
    chance, posterior = _update(belief, likelihood, measure)
    if measure == "published":
        return float(chance @ divergence(floor(belief), floor(posterior)))
    return float(chance @ divergence(posterior, belief))


def _update(
    belief: NDArray[np.float64], likelihood: NDArray[np.float64], measure: Measure
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Chances of the outcomes and the posterior after each.

    PROBS are likelihoods up to a factor: the published rule makes only the chances of the outcomes sum to one; mutual
    information needs P(o | h) to sum to one over outcomes for every group, so each group's column is normalised.
    """
    if measure == "mutual":
        likelihood = likelihood / likelihood.sum(axis=0)
    joint = likelihood * belief
    weight = joint.sum(axis=1)
    return weight / weight.sum(), joint / np.where(weight > 0, weight, 1.0)[:, None]


def best_layers(
    prior: ArrayLike,
    *,
    menu: Sequence[Layer] = MENU,
    measure: Measure = "mutual",
    groups: Sequence[str] = GROUPS,
    probs: Probs | None = None,
) -> tuple[Layer, ...]:
    """The layers of greatest expected gain; several where they tie."""
    gains = [expected_gain(prior, layer, measure=measure, groups=groups, probs=probs) for layer in menu]
    top = max(gains)
    return tuple(layer for layer, gain in zip(menu, gains, strict=True) if gain >= top - 1e-12)


def greedy_sequence(
    prior: ArrayLike,
    *,
    choices: int,
    report: Callable[[Layer], str],
    menu: Sequence[Layer] = MENU,
    measure: Measure = "mutual",
    groups: Sequence[str] = GROUPS,
    probs: Probs | None = None,
) -> tuple[Layer, ...]:
    """Ask at each stage for the layer of greatest expected gain, and believe what it reports before asking again.

    SIGINT can be asked once. `report` says what a layer reports on this trial.
    """
    rules = probs or published_probs()
    belief = np.asarray(prior, dtype=float)
    left, asked = list(menu), []
    for _ in range(choices):
        layer = best_layers(belief, menu=left, measure=measure, groups=groups, probs=rules)[0]
        asked.append(layer)
        left = [other for other in left if other.kind != layer.kind]
        belief = belief * rules.likelihood(layer, report(layer), groups=groups)
    return tuple(asked)


def best_sequence(
    prior: ArrayLike,
    *,
    choices: int,
    menu: Sequence[Layer] = MENU,
    measure: Measure = "mutual",
    groups: Sequence[str] = GROUPS,
    probs: Probs | None = None,
) -> tuple[tuple[Layer, ...], float]:
    """The set of layers, asked without looking in between, whose joint report is expected to bring most bits.

    Exhaustive over all sets of `choices` layers with at most one SIGINT; by mutual information the order of a fixed
    set does not matter, so each set is given in the order of the menu. Under the published measure the joint gain is
    the divergence from the prior after all of the set's reports.
    """
    rules = probs or published_probs()
    belief = np.asarray(prior, dtype=float)
    belief = belief / belief.sum()
    best: tuple[tuple[Layer, ...], float] = ((), -np.inf)
    for chosen in _sets(menu, choices):
        gain = joint_gain(belief, chosen, measure=measure, groups=groups, probs=rules)
        if gain > best[1] + 1e-12:
            best = (chosen, gain)
    return best


def joint_gain(
    prior: ArrayLike,
    layers: Sequence[Layer],
    *,
    measure: Measure = "mutual",
    groups: Sequence[str] = GROUPS,
    probs: Probs | None = None,
) -> float:
    """Bits several layers together are expected to bring."""
    rules = probs or published_probs()
    belief = np.asarray(prior, dtype=float)
    belief = belief / belief.sum()
    joint = np.ones((1, len(belief)))
    for layer in layers:
        table = np.array([rules.likelihood(layer, o, groups=groups) for o in rules.outcomes(layer, groups=groups)])
        if measure == "mutual":
            table = table / table.sum(axis=0)
        joint = (joint[:, None, :] * table[None]).reshape(-1, len(belief))
    weight = (joint * belief).sum(axis=1)
    chance = weight / weight.sum()
    posterior = joint * belief / weight[:, None]
    if measure == "published":
        return float(chance @ divergence(floor(belief), floor(posterior)))
    return float(entropy(belief) - chance @ entropy(posterior))


def adaptive_sequence(
    prior: ArrayLike,
    *,
    choices: int,
    report: Callable[[Layer], str],
    menu: Sequence[Layer] = MENU,
    groups: Sequence[str] = GROUPS,
    probs: Probs | None = None,
) -> tuple[Layer, ...]:
    """Plan ahead: choose each layer so that the whole sequence, every report looked at, is expected to bring most bits.

    This is the exhaustive optimum over policies (by mutual information); greedy looks one step ahead only.
    """
    rules = probs or published_probs()
    belief = np.asarray(prior, dtype=float)
    belief = belief / belief.sum()
    left, asked = list(menu), []
    for remaining in range(choices, 0, -1):
        values = [_policy_value(belief, layer, left, remaining, groups, rules) for layer in left]
        layer = left[int(np.argmax(values))]
        asked.append(layer)
        left = [other for other in left if other.kind != layer.kind]
        belief = belief * rules.likelihood(layer, report(layer), groups=groups)
        belief = belief / belief.sum()
    return tuple(asked)


def _policy_value(
    belief: NDArray[np.float64], layer: Layer, menu: list[Layer], remaining: int, groups: Sequence[str], rules: Probs
) -> float:
    table = np.array([rules.likelihood(layer, o, groups=groups) for o in rules.outcomes(layer, groups=groups)])
    chance, posterior = _update(belief, table, "mutual")
    value = float(chance @ divergence(posterior, belief))
    left = [other for other in menu if other.kind != layer.kind]
    if remaining > 1 and left:
        for weight, after in zip(chance, posterior, strict=True):
            value += float(weight) * max(_policy_value(after, o, left, remaining - 1, groups, rules) for o in left)
    return value


def _sets(menu: Sequence[Layer], choices: int) -> list[tuple[Layer, ...]]:
    seen = {}
    for order in permutations(menu, choices):
        if len({layer.kind for layer in order}) == choices:
            seen[frozenset(order)] = tuple(sorted(order, key=menu.index))
    return list(seen.values())
