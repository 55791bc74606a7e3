"""Compare: whether two runs differ, item by item where they had the same items."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.dialogue import Items, Scores
from mensura.stats import paired_difference, record_generator

if TYPE_CHECKING:
    from mensura.store import Store
    from mensura.store.head import RunHead


@dataclass(frozen=True)
class Comparison:
    """Two runs side by side: one finding per score that both have."""

    first: str
    second: str
    paired: bool
    findings: dict[str, Any]
    warnings: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Give the comparison as JSON."""
        return {
            "first": self.first,
            "second": self.second,
            "paired": self.paired,
            "warnings": self.warnings,
            "scores": {
                name: {"difference": finding.difference.as_json(), "p": finding.p, "sentence": finding.sentence}
                for name, finding in self.findings.items()
            },
        }


def compare_runs(first: str, second: str, *, store: "Store") -> Comparison:
    """Compare two runs on every score that both have.

    Runs of the same instance with the same seed met the same items, and are compared item by item; others are
    compared session by session, as independent samples.
    """
    heads = store.run(first), store.run(second)
    scores = [store.results(head.id) for head in heads]
    paired = heads[0].seed == heads[1].seed and heads[0].instance_hash == heads[1].instance_hash
    names = (_label(heads[0], heads[1]), _label(heads[1], heads[0]))
    shared = [name for name in _names(scores[0]) if name in _names(scores[1])]
    unbounded = [name for name in shared if any(_unbounded(results, name) for results in scores)]
    findings = {
        name: _paired(scores, name, names) if paired else _unpaired(scores, name, names)
        for name in shared
        if name not in unbounded
    }
    warnings = [f"{name} cannot be compared: some items scored without bound." for name in unbounded]
    return Comparison(heads[0].id, heads[1].id, paired, findings, _warnings(*heads) + warnings)


def _unbounded(results: dict[str, Scores], name: str) -> bool:
    return any(abs(value) == float("inf") for value in _by_item(results, name).values())


def _label(head: "RunHead", other: "RunHead") -> str:
    subjects = ", ".join(dict.fromkeys(head.cast.values()))
    theirs = ", ".join(dict.fromkeys(other.cast.values()))
    return subjects if subjects != theirs else f"{subjects} ({head.id})"


def _warnings(first: "RunHead", second: "RunHead") -> list[str]:
    warnings = []
    if first.test != second.test:
        warnings.append(f"The runs are of different tests: {first.test} and {second.test}.")
    elif first.instance_hash != second.instance_hash:
        warnings.append("The runs have other parameters or scoring; a difference may come from those.")
    if first.environment_hash != second.environment_hash:
        warnings.append("The runs were made with other packages.")
    return warnings


def _names(results: dict[str, Scores]) -> list[str]:
    return list(dict.fromkeys(name for scores in results.values() for name in scores.values))


def _paired(scores: list[dict[str, Scores]], name: str, names: tuple[str, str]) -> Any:
    """Pair items by session address and key; sessions are the units where there are several."""
    by_item = [_by_item(results, name) for results in scores]
    share = any(isinstance(s.values.get(name), Items) and s.values[name].proportion for s in scores[0].values())  # type: ignore[union-attr]
    sessions = len(scores[0]) > 1 or len(scores[1]) > 1
    if sessions:
        by_item = [_by_session(items) for items in by_item]
    unit = "session" if sessions else "item"
    rng = record_generator(*(list(items.values()) for items in by_item))
    return paired_difference(first=by_item[0], second=by_item[1], names=names, rng=rng, proportion=share, unit=unit)


def _by_item(results: dict[str, Scores], name: str) -> dict[str, float]:
    items: dict[str, float] = {}
    for session, scores in results.items():
        address = session.rsplit("/", 1)[-1]
        value = scores.values.get(name)
        if isinstance(value, Items):
            keys = value.keys or [str(i) for i in range(len(value.values))]
            items |= {f"{address}/{key}": float(number) for key, number in zip(keys, value.values, strict=True)}
        elif value is not None:
            items[f"{address}/"] = float(value)
    return items


def _by_session(items: dict[str, float]) -> dict[str, float]:
    groups: dict[str, list[float]] = {}
    for item, value in items.items():
        groups.setdefault(item.split("/")[0], []).append(value)
    return {address: _mean(values) for address, values in groups.items()}


def _mean(values: list[float]) -> float:
    known = [value for value in values if not np.isnan(value)]
    return float(np.mean(known)) if known else float("nan")


def _unpaired(scores: list[dict[str, Scores]], name: str, names: tuple[str, str]) -> Any:
    from mensura.stats.two_sample import two_sample_difference

    samples = [_by_session(_by_item(results, name)) for results in scores]
    if min(len(sample) for sample in samples) < 2:
        samples = [_by_item(results, name) for results in scores]
    first, second = ([value for value in sample.values() if not np.isnan(value)] for sample in samples)
    return two_sample_difference(first=first, second=second, names=names)
