"""The reference minds, by name."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from mensura.catalog.sensemaking.exam.layer import Layer
from mensura.catalog.sensemaking.minds.mind import Belief, ReferenceMind, even, towards
from mensura.errors import BadParameter, unknown


class Proportional(ReferenceMind):
    """Judges normatively and divides resources in proportion to belief."""

    name = "normative-proportional"
    about = "normative judgements, resources in proportion to belief"

    def allocate(self, belief: Belief) -> Belief:
        return belief


class Bayesian(Proportional):
    """The published Bayesian model: normative inference, proportional resources, always IMINT, MOVINT, SIGINT."""

    name = "bayesian"
    about = "the published Bayesian model: as normative-proportional, but always IMINT, MOVINT, SIGINT on its likeliest"

    def choose(self, belief: Belief, menu: Sequence[Layer], *, groups: Sequence[str]) -> Layer:
        return in_order(belief, menu, kinds=("IMINT", "MOVINT", "SIGINT", "SOCINT"), groups=groups)


class Uniform(ReferenceMind):
    """Believes all alike whatever it is told, and never asks for SIGINT."""

    name = "uniform"
    about = "the null model: all alike, never asks for SIGINT"
    kinds: ClassVar[tuple[str, ...]] = ("IMINT", "MOVINT", "SOCINT", "SIGINT")

    def judge(self, normative: Belief) -> Belief:
        return even(normative)

    def start(self, shown: Belief, exact: Belief) -> Belief:
        return self.judge(shown)

    def update(self, before: Belief, likelihood: Belief) -> Belief:
        return self.judge(before)

    def allocate(self, belief: Belief) -> Belief:
        return belief

    def choose(self, belief: Belief, menu: Sequence[Layer], *, groups: Sequence[str]) -> Layer:
        return in_order(belief, menu, kinds=self.kinds, groups=groups)


class UniformSigint(Uniform):
    """The null model that does ask for SIGINT, on the first group."""

    name = "uniform-sigint"
    about = "the null model that asks for SIGINT too"
    kinds = ("IMINT", "MOVINT", "SIGINT", "SOCINT")


class Conservative(Bayesian):
    """Moves only part of the way from what it believed to what Bayes would say."""

    name = "conservative"
    about = "moves only part of the way to the Bayesian posterior"
    bounds: ClassVar = {"shrink": (0.0, 1.0)}

    def __init__(self, *, shrink: float = 0.5) -> None:
        super().__init__(shrink=shrink)

    def start(self, shown: Belief, exact: Belief) -> Belief:
        return shown

    def judge(self, normative: Belief) -> Belief:
        return towards(even(normative), normative, share=1 - self.parameters["shrink"])

    def update(self, before: Belief, likelihood: Belief) -> Belief:
        return towards(before, super().update(before, likelihood), share=1 - self.parameters["shrink"])


class Averaging(Bayesian):
    """Averages what it believed with what the report alone would say, instead of multiplying."""

    name = "averaging"
    about = "averages its prior with the normalised likelihoods instead of multiplying them"
    bounds: ClassVar = {"prior_weight": (0.0, 1.0)}

    def __init__(self, *, prior_weight: float = 0.5) -> None:
        super().__init__(prior_weight=prior_weight)

    def start(self, shown: Belief, exact: Belief) -> Belief:
        return shown

    def update(self, before: Belief, likelihood: Belief) -> Belief:
        return towards(likelihood / likelihood.sum(), before, share=self.parameters["prior_weight"])


class Representative(Bayesian):
    """Reports a flatter distribution than it holds: regression to the mean of the distribution."""

    name = "representativeness"
    about = "reports distributions regressed towards uniform, as more representative"
    bounds: ClassVar = {"regression": (0.0, 1.0)}

    def __init__(self, *, regression: float = 0.4) -> None:
        super().__init__(regression=regression)

    def start(self, shown: Belief, exact: Belief) -> Belief:
        return shown

    def judge(self, normative: Belief) -> Belief:
        return towards(normative, even(normative), share=self.parameters["regression"])

    def update(self, before: Belief, likelihood: Belief) -> Belief:
        return self.judge(super().update(before, likelihood))


class Anchoring(ReferenceMind):
    """Anchors on what it believed and adjusts too little; its parameters are fitted to people.

    Samples of attacks are regressed towards uniform by `regression`, distances to sites by `site_regression`; a
    report moves belief the share `adjustment` of the way to the Bayesian posterior; resources go in proportion to
    belief to the power `sharpness`. INTs are asked for in the order of `kinds`, SIGINT on the likeliest.
    """

    name = "anchoring"
    about = "anchoring and adjustment; fitted to one half of the people, to be tested on the other"
    bounds: ClassVar = {
        "regression": (0.0, 1.0),
        "site_regression": (0.0, 1.0),
        "adjustment": (0.0, 1.5),
        "sharpness": (0.2, 5.0),
    }

    def __init__(
        self,
        *,
        regression: float = 0.5,
        site_regression: float = 0.2,
        adjustment: float = 0.7,
        sharpness: float = 1.2,
        kinds: Sequence[str] = ("IMINT", "MOVINT", "SIGINT", "SOCINT"),
    ) -> None:
        super().__init__(
            regression=regression, site_regression=site_regression, adjustment=adjustment, sharpness=sharpness
        )
        self.kinds = tuple(kinds)

    def judge(self, normative: Belief) -> Belief:
        return towards(normative, even(normative), share=self.parameters["regression"])

    def declared(self) -> dict[str, Any]:
        return {**super().declared(), "kinds": list(self.kinds)}

    def judge_sites(self, normative: Belief) -> Belief:
        return towards(normative, even(normative), share=self.parameters["site_regression"])

    def start(self, shown: Belief, exact: Belief) -> Belief:
        return shown

    def update(self, before: Belief, likelihood: Belief) -> Belief:
        moved = towards(before, super().update(before, likelihood), share=self.parameters["adjustment"])
        moved = np.maximum(moved, 0.0)
        return np.asarray(moved / moved.sum(axis=-1, keepdims=True))

    def allocate(self, belief: Belief) -> Belief:
        weight = np.maximum(belief, 1e-12) ** self.parameters["sharpness"]
        return np.asarray(weight / weight.sum(axis=-1, keepdims=True))

    def choose(self, belief: Belief, menu: Sequence[Layer], *, groups: Sequence[str]) -> Layer:
        return in_order(belief, menu, kinds=self.kinds, groups=groups)


class ChanceMind(ReferenceMind):
    """Answers at random everywhere."""

    name = "chance"
    about = "random distributions, decisions and choices"

    def judge(self, normative: Belief) -> Belief:
        return np.asarray(self.rng.dirichlet(np.ones(len(normative))))

    def start(self, shown: Belief, exact: Belief) -> Belief:
        return self.judge(shown)

    def update(self, before: Belief, likelihood: Belief) -> Belief:
        return self.judge(before)

    def allocate(self, belief: Belief) -> Belief:
        return self.judge(belief)

    def pick(self, belief: Belief) -> int:
        return int(self.rng.integers(len(belief)))

    def choose(self, belief: Belief, menu: Sequence[Layer], *, groups: Sequence[str]) -> Layer:
        return menu[int(self.rng.integers(len(menu)))]

    def surprise(self, belief: Belief, truth: int) -> int:
        return int(self.rng.integers(7))


MINDS: dict[str, type[ReferenceMind]] = {
    kind.name: kind
    for kind in (
        ReferenceMind,
        Proportional,
        Bayesian,
        Uniform,
        UniformSigint,
        Conservative,
        Averaging,
        Representative,
        Anchoring,
        ChanceMind,
    )
}


def find_mind(text: str) -> ReferenceMind:
    """Make a reference mind from its name, with parameters after a colon.

    >>> find_mind("conservative:shrink=0.25").parameters
    {'shrink': 0.25}
    """
    name, _, rest = text.partition(":")
    if name not in MINDS:
        raise unknown("reference subject", name, known=MINDS, see=f"They are {', '.join(MINDS)}.")
    kind = MINDS[name]
    given = {}
    for part in filter(None, (part.strip() for part in rest.split(","))):
        key, _, value = part.partition("=")
        if key not in kind.bounds:
            see = f"It has {', '.join(kind.bounds) or 'none'}."
            raise unknown(f"parameter of {name}", key, known=kind.bounds, see=see)
        try:
            number = float(value)
        except ValueError:
            raise BadParameter(f"{key} of {name} should be a number, got {value!r}.") from None
        low, high = kind.bounds[key]
        if not low <= number <= high:
            raise BadParameter(f"{key} of {name} lies between {low:g} and {high:g}; got {number:g}.")
        given[key] = number
    return kind(**given)


def in_order(belief: Belief, menu: Sequence[Layer], *, kinds: Sequence[str], groups: Sequence[str]) -> Layer:
    """The first kind that is still on the menu; SIGINT on the likeliest group."""
    for kind in kinds:
        offered = [layer for layer in menu if layer.kind == kind]
        if kind == "SIGINT":
            offered = [layer for layer in offered if layer.group == groups[int(np.argmax(belief))]] or offered
        if offered:
            return offered[0]
    return menu[0]
