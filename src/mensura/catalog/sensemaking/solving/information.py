"""What an INT is worth before it is seen: expected information gain, and the best to ask for."""

from collections.abc import Sequence
from typing import Literal, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mensura.catalog.sensemaking.exam.layer import Layer
from mensura.catalog.sensemaking.exam.probs import GROUPS, Probs, published_probs
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
