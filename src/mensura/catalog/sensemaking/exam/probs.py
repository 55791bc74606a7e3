"""PROBS: the likelihoods of what each INT reports, read from data."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mensura.catalog.sensemaking.exam.layer import Layer
from mensura.errors import BadFile, Invalid

GROUPS = ("A", "B", "C", "D")


@dataclass(frozen=True)
class Probs:
    """The rules of one exam; every subject, person or model, is given the same ones.

    >>> published_probs().likelihood(Layer("SIGINT", "B"), "chatter", groups="ABCD")
    array([0.1, 0.7, 0.1, 0.1])
    """

    humint_height: float
    humint_sigma: float
    features: Mapping[str, Mapping[str, Mapping[str, float]]]
    inside: float
    outside: float
    stay: float
    costs: Mapping[str, float]
    codes: Mapping[str, Mapping[str, str]]

    def as_table(self) -> dict[str, Any]:
        """Return the rules as plain data, laid out like the file they are read from."""
        return {
            "humint": {"height": self.humint_height, "sigma_miles": self.humint_sigma},
            **{
                kind.lower(): {name: dict(rule) for name, rule in rules.items()}
                for kind, rules in self.features.items()
            },
            "socint": {"inside": self.inside, "outside": self.outside},
            "wave": {"stay": self.stay},
            "costs": dict(self.costs),
            "codes": {kind: dict(names) for kind, names in self.codes.items()},
        }

    def distance_likelihood(self, miles: ArrayLike) -> NDArray[np.float64]:
        r"""HUMINT: likelihood of an attack at a distance along the roads, :math:`0.4\,e^{-d^2/(2\sigma^2)}`."""
        distance = np.asarray(miles, dtype=float)
        return np.asarray(self.humint_height * np.exp(-(distance**2) / (2 * self.humint_sigma**2)))

    def outcomes(self, layer: Layer, *, groups: Sequence[str] = GROUPS) -> tuple[str, ...]:
        """Name everything a layer can report: two features, or the region of one of the groups."""
        if layer.kind == "SOCINT":
            return tuple(groups)
        return tuple(self.features[layer.kind])

    def likelihood(self, layer: Layer, feature: str, *, groups: Sequence[str] = GROUPS) -> NDArray[np.float64]:
        """Return the likelihood, for each group, of what a layer reported."""
        if layer.kind == "SOCINT":
            return np.array([self.inside if group == feature else self.outside for group in groups])
        try:
            rule = self.features[layer.kind][feature]
        except KeyError:
            known = ", ".join(self.outcomes(layer, groups=groups))
            raise Invalid(f"{layer.kind} cannot report {feature!r}; it reports {known}.") from None
        if layer.kind == "SIGINT":
            return np.array([rule["named"] if group == layer.group else rule["other"] for group in groups])
        return np.array([rule[group] for group in groups])

    def site_likelihood(self, regions: Sequence[str | None], *, group: str) -> NDArray[np.float64]:
        """SOCINT over sites: how likely `group` is to attack each, by the region it lies in."""
        return np.array([self.inside if region == group else self.outside for region in regions])

    def normalised(self, layer: Layer, feature: str, *, groups: Sequence[str] = GROUPS) -> NDArray[np.float64]:
        """Return the likelihoods summing to one, as the bars shown to a subject beside the prior (section 3)."""
        likelihood = self.likelihood(layer, feature, groups=groups)
        return np.asarray(likelihood / likelihood.sum())


@cache
def published_probs() -> Probs:
    """The rules of ICArUS Phase 1 (Table 3; Task 7's wave rule from A.2)."""
    text = (files("mensura.catalog.sensemaking") / "data" / "probs.toml").read_text(encoding="utf-8")
    return probs_from_table(tomllib.loads(text), where="probs.toml")


def read_probs(path: Path) -> Probs:
    """Read rules from a file laid out like the published one, so that an exam may change them."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadFile(f"{path} cannot be read as PROBS: {error}. It should be laid out like probs.toml.") from error
    return probs_from_table(table, where=str(path))


def write_probs(probs: Probs, path: Path) -> None:
    """Write rules as a file that `read_probs` takes."""
    lines: list[str] = []
    for name, table in probs.as_table().items():
        flat = {key: value for key, value in table.items() if not isinstance(value, Mapping)}
        if flat:
            lines += ["", f"[{name}]", *(f"{key} = {value!r}" for key, value in flat.items())]
        for key, inner in table.items():
            if isinstance(inner, Mapping):
                lines += ["", f"[{name}.{key}]", *(f"{each} = {_toml(value)}" for each, value in inner.items())]
    path.write_text("\n".join(lines[1:]) + "\n", encoding="utf-8")


def _toml(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


def probs_from_table(table: Mapping[str, Any], *, where: str = "PROBS") -> Probs:
    """Make rules of plain data, as `Probs.as_table` gives them."""
    try:
        return Probs(
            humint_height=float(table["humint"]["height"]),
            humint_sigma=float(table["humint"]["sigma_miles"]),
            features={kind: table[kind.lower()] for kind in ("IMINT", "MOVINT", "SIGINT")},
            inside=float(table["socint"]["inside"]),
            outside=float(table["socint"]["outside"]),
            stay=float(table["wave"]["stay"]),
            costs={kind: float(cost) for kind, cost in table["costs"].items()},
            codes=table["codes"],
        )
    except KeyError as error:
        raise BadFile(f"{where} has no {error} for the rules; copy the layout of probs.toml.") from error
