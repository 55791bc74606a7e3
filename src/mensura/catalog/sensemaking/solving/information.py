"""What an INT is worth before it is seen: expected information gain, and the best order to ask in."""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Literal, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mensura.catalog.sensemaking.exam import Layer, Probs, published_probs
from mensura.catalog.sensemaking.exam.probs import GROUPS
from mensura.catalog.sensemaking.solving.distribution import divergence, entropy, floor

Measure = Literal["mutual", "published"]

MENU = (Layer("IMINT"), Layer("MOVINT"), *(Layer("SIGINT", group) for group in GROUPS), Layer("SOCINT"))


class How(TypedDict, total=False):
    """How gain is measured.

    "mutual" is mutual information, :math:`\\sum_o P(o)\\,KLD(post_o \\| prior)`, the reduction of entropy.
    "published" is what the original software used: the divergence with the prior first, both floored,
    :math:`\\sum_o P(o)\\,KLD(\\lfloor prior \\rfloor \\| \\lfloor post_o \\rfloor)`. `groups` are the hypotheses, in
    the order of the prior, and `probs` the rules: by default all four, and the published ones.
    """

    measure: Measure
    groups: Sequence[str]
    probs: Probs | None


def expected_gain(prior: ArrayLike, layer: Layer, **how: Unpack[How]) -> float:
    """Bits a layer is expected to bring, given what is believed now (over the groups, on any scale).

    >>> round(expected_gain([1, 1, 1, 1], Layer("IMINT")), 4)
    0.2781
    """
    return joint_gain(prior, [layer], **how)


def joint_gain(prior: ArrayLike, layers: Sequence[Layer], **how: Unpack[How]) -> float:
    """Bits several layers together are expected to bring."""
    chance, posterior = _update(prior, layers, **how)
    belief = _one(prior)
    if how.get("measure") == "published":
        return float(chance @ divergence(floor(belief), floor(posterior)))
    return float(entropy(belief) - chance @ entropy(posterior))


def _one(prior: ArrayLike) -> NDArray[np.float64]:
    belief = np.asarray(prior, dtype=float)
    return np.asarray(belief / belief.sum())


def _update(
    prior: ArrayLike, layers: Sequence[Layer], **how: Unpack[How]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Chances of everything the layers can report together, and the posterior after each.

    PROBS are likelihoods up to a factor: the published rule makes only the chances of the outcomes sum to one; mutual
    information needs P(o | h) to sum to one over outcomes for every group, so each group's column is normalised.
    """
    rules, groups = how.get("probs") or published_probs(), how.get("groups", GROUPS)
    joint = _one(prior)[None]
    for layer in layers:
        table = np.array([rules.likelihood(layer, o, groups=groups) for o in rules.outcomes(layer, groups=groups)])
        if how.get("measure", "mutual") == "mutual":
            table = table / table.sum(axis=0)
        joint = (joint[:, None, :] * table[None]).reshape(-1, len(groups))
    weight = joint.sum(axis=1)
    return weight / weight.sum(), joint / np.where(weight > 0, weight, 1.0)[:, None]


def best_layers(prior: ArrayLike, *, menu: Sequence[Layer] = MENU, **how: Unpack[How]) -> tuple[Layer, ...]:
    """The layers of greatest expected gain; several where they tie."""
    gains = [expected_gain(prior, layer, **how) for layer in menu]
    return tuple(layer for layer, gain in zip(menu, gains, strict=True) if gain >= max(gains) - 1e-12)


def best_sequence(
    prior: ArrayLike, *, choices: int, menu: Sequence[Layer] = MENU, **how: Unpack[How]
) -> tuple[tuple[Layer, ...], float]:
    """The set of layers, asked without looking in between, whose joint report is expected to bring most bits.

    Exhaustive over all sets of `choices` layers with at most one SIGINT; by mutual information the order of a fixed
    set does not matter, so each set is given in the order of the menu. Under the published measure the joint gain is
    the divergence from the prior after all of the set's reports.
    """
    best: tuple[tuple[Layer, ...], float] = ((), -np.inf)
    for chosen in combinations(menu, choices):
        gain = joint_gain(prior, chosen, **how) if len({layer.kind for layer in chosen}) == choices else -np.inf
        if gain > best[1] + 1e-12:
            best = (chosen, gain)
    return best


def ask_in_turn(
    prior: ArrayLike,
    *,
    choices: int,
    report: Callable[[Layer], str],
    ahead: int = 1,
    menu: Sequence[Layer] = MENU,
    **how: Unpack[How],
) -> tuple[Layer, ...]:
    """Ask for one layer after another, each believed before the next is chosen; SIGINT can be asked once.

    `report` says what a layer reports on this trial. Each is the one of greatest expected gain over this choice and
    those to come, `ahead` of them in all: 1 is greedy, `choices` the exhaustive optimum over policies.
    """
    rules, groups = how.get("probs") or published_probs(), how.get("groups", GROUPS)
    belief, left, asked = _one(prior), list(menu), []
    for remaining in range(choices, 0, -1):
        values = np.array([policy_value(belief, each, left, min(ahead, remaining), **how) for each in left])
        layer = left[int(np.argmax(values >= values.max() - 1e-12))]
        asked.append(layer)
        left = [other for other in left if other.kind != layer.kind]
        belief = _one(belief * rules.likelihood(layer, report(layer), groups=groups))
    return tuple(asked)


def policy_value(belief: ArrayLike, layer: Layer, menu: Sequence[Layer], remaining: int, **how: Unpack[How]) -> float:
    """Bits that asking for a layer brings if the choices after it, every report looked at, are the best ones."""
    value = expected_gain(belief, layer, **how)
    left = [other for other in menu if other.kind != layer.kind]
    if remaining > 1 and left:
        for weight, after in zip(*_update(belief, [layer], **how), strict=True):
            value += float(weight) * max(policy_value(after, other, left, remaining - 1, **how) for other in left)
    return value
